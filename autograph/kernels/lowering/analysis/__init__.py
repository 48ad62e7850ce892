"""What is found out by looking at a graph, before and while it is lowered: nothing here adds to a
kernel."""
