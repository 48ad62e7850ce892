"""NumPy: the programs run by Python. It has no derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.beside.rotation import in_rotation
from benchmarks.programs.rows import FORWARD, PROGRAMS, derivatives

PACKAGE = "numpy"
REFUSES = dict.fromkeys(derivatives.PROGRAMS, "no derivatives")
NOTES: dict[str, str] = {}

to_numpy = np.asarray


def _maker(function: Callable) -> Callable:
    return lambda *args, others=(): in_rotation(function, (args, *others))


MAKERS = {
    name: _maker(program.function) for name, program in PROGRAMS.items() if name not in REFUSES
} | {f"{name} forward": _maker(PROGRAMS[name].function) for name in FORWARD}
