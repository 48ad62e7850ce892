"""Syntax trees: from a function to its tree, building, printing, scopes of names, and whose source
it is."""
