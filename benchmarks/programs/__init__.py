"""Array programs as others would write them: ``python -m benchmarks programs``.

`linear`, `tables` and `spectral` hold fifteen functions each, `derivatives` sixteen and `branches`
thirteen, in plain NumPy with loops and ifs, for which nobody tuned this compiler; `rows` says which
of them are timed, on what. Those that branch on their data get other data at each call: see
`draws`. Each module or package of `peers` has the same as users of one library write it.
``--memory`` measures what calls hold, each in a process of its own, ``--scaling`` sizes, threads.
"""

from benchmarks.beside.suite import Suite
from benchmarks.programs.rows import FAMILIES, MEMORY, PROGRAMS, ROWS, SCALING

SUITE = Suite(
    "programs",
    "Array programs that nobody tuned",
    ROWS,
    {
        "autograph": "ours",
        "NumPy": "by_hand",
        "numba": "numba",
        "JAX": "jax",
        "torch": "torch",
        "C++": "cpp",
    },
    once="gemm",
    usual=tuple(PROGRAMS),
    families={family: tuple(programs) for family, programs in FAMILIES.items()},
    memory=MEMORY,
    scaling={name: tuple(rows) for name, rows in SCALING.items()},
)
