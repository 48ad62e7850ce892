"""Numerical methods in plain Python and NumPy, which the compiler converts as it does the user's
functions."""
