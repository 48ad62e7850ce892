"""Sugar to core: after these passes few kinds of nodes are left."""
