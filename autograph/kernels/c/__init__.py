"""Kernels as C, for other programs: one function without threads, in C99, that needs the header
``<math.h>`` at most.

Statements and expressions are those of CUDA C, see `autograph.kernels.cuda.statements`; here stands
what is different where one thread does everything: loops over independent trips are loops, and
reserved memory comes from one array of a known size.
"""

from autograph.kernels.c.printer import CFunction, declared, print_c

__all__ = ["CFunction", "declared", "print_c"]
