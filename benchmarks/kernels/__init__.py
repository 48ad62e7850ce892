"""Kernels beside other compilers: ``python -m benchmarks kernels``.

`programs` holds the functions as a user of this project writes them, in plain NumPy; `rows` says
which of them are timed, on what; each module of `peers` has the same functions as the users of one
library write them; `worker` runs one peer in a process of its own; `measure` lets the processes
take turns; `report` writes the tables and the chart.
"""
