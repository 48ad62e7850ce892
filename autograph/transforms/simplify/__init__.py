"""The same with less work: rewriting a graph into one that computes the same."""
