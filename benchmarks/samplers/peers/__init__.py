"""The same chains with each library."""
