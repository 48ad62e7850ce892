"""Recording: a converted function runs on symbolic arrays, and what it computes becomes a graph."""
