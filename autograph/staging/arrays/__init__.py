"""Symbolic arrays: what converted code computes with while its graph is recorded.

Their class, attributes, memory and views, NumPy's protocols on them, and what makes new ones."""
