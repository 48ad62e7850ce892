"""A source-to-source autograph compiler for plain NumPy code."""
