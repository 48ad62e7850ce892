"""Polynomials given by their coefficients, and series of polynomials."""
