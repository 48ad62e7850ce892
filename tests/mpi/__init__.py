"""Tests of several processes, which `make mpi` installs a launcher for."""
