"""Functions that call themselves, beside others: ``python -m benchmarks recursive``."""

from benchmarks.beside.suite import Suite
from benchmarks.recursive.rows import ROWS

SUITE = Suite(
    "recursive",
    "Functions that call themselves",
    ROWS,
    {"autograph": "ours", "Python": "by_hand", "numba": "numba", "C++": "cpp"},
    once="fibonacci 20",
)
