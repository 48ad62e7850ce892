"""Compiled functions in files; docs/saved-graphs.md describes the format."""
