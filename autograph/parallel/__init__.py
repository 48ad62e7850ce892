"""Many processes: what runs on MPI, below the compiler, and knows nothing of graphs."""
