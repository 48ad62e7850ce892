"""Collectives between processes and programs that call them, beside what does the same by hand.

    python -m benchmarks.collectives

starts everything that has to be started by ``mpiexec`` itself, and prints all tables. ``--peers``
names the folder of packages (``.../site-packages``) where PyTorch and JAX are, if they are not
installed beside mpi4py. ``--first`` lets the processes run before all else on the machine, which
takes the cores but not the memory's bandwidth and the caches for them; it wants root.
"""
