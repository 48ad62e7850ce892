"""The rows of the table: the programs by family, those whose memory is measured, and those of which
the size grows."""

from __future__ import annotations

from functools import partial

from benchmarks.beside.suite import Row, close, mostly_equal
from benchmarks.programs import branches, derivatives, linear, spectral, tables
from benchmarks.programs.program import Program

FAMILIES: dict[str, dict[str, Program]] = {
    "linear algebra and stencils": linear.PROGRAMS,
    "tables, sparse and integers": tables.PROGRAMS,
    "spectra, complex, statistics, physics": spectral.PROGRAMS,
    "derivatives": derivatives.PROGRAMS,
    "branches, graphs and searches": branches.PROGRAMS,
}
PROGRAMS = {name: each for programs in FAMILIES.values() for name, each in programs.items()}
# Of these the functions alone are rows, too: their memory stands beside that of their gradients.
FORWARD = ("lenet", "mlp", "attention", "lstm", "gru", "log_likelihood", "predator_prey")
MEMORY = (*PROGRAMS, *(f"{name} forward" for name in FORWARD))
# A rounding decides at which trip a point leaves.
CHAOTIC = ("mandelbrot", "newton_fractal")
# Sizes of which each has about four times the work of the one before.
GROWING: dict[str, tuple[int, int, int]] = {
    "gemm": (95, 150, 240),
    "jacobi_2d": (100, 200, 400),
    "csr_product": (5_000, 20_000, 80_000),
    "nearest_centres": (5_000, 20_000, 80_000),
    "fft": (2**13, 2**15, 2**17),
    "crank_nicolson": (500, 2_000, 8_000),
    "k_means": (2_000, 8_000, 32_000),
    "predator_prey": (500, 2_000, 8_000),
}


def _row(name: str, title: str, program: Program, size: int) -> Row:
    base = name.partition(" x")[0]
    same = mostly_equal if base in CHAOTIC else close
    others = partial(program.others, size)
    return Row(name, title, lambda: program.arguments(size), same, written=base, others=others)


ROWS = {name: _row(name, each.title, each, each.size) for name, each in PROGRAMS.items()}
ROWS |= {
    f"{name} forward": _row(
        f"{name} forward",
        PROGRAMS[name].title.replace("gradient", "the function"),
        PROGRAMS[name],
        PROGRAMS[name].size,
    )
    for name in FORWARD
}
SCALING = {
    name: {f"{name} x{factor}": size for factor, size in zip((1, 4, 16), sizes)}
    for name, sizes in GROWING.items()
}
ROWS |= {
    row: _row(row, f"{row} (size {size})", PROGRAMS[name], size)
    for name, rows in SCALING.items()
    for row, size in rows.items()
}
