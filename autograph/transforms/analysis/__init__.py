"""What is known of a graph: which values depend on which, are equal, linear, or differ by lane.

No analysis changes a graph."""
