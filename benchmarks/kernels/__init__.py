"""Kernels beside other compilers: ``python -m benchmarks kernels``.

`programs` holds the functions as a user of this project writes them, in plain NumPy; `rows` says
which of them are timed, on what; each module of `peers` has the same functions as the users of one
library write them.
"""

from benchmarks.beside.suite import Suite
from benchmarks.kernels.rows import ROWS

SUITE = Suite(
    "kernels",
    "Kernels beside other compilers",
    ROWS,
    {
        "autograph": "ours",
        "NumPy": "by_hand",
        "autograd": "hips",
        "JAX": "jax",
        "torch": "torch",
        "TensorFlow": "tensorflow",
        "numba": "numba",
        "Dr.Jit": "drjit",
    },
    once="call",
)
