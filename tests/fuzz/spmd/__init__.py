"""Random programs for all parts of a mesh: `programs` writes them, `oracle` runs them in plain
Python, `comparison` holds what the compiler makes of them to that."""
