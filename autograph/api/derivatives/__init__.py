"""Derivatives as functions: what users call, on top of `autograph.transforms`."""
