"""Functions that choose between scalar floats often are compiled without mask registers.

Where a CPU has AVX-512, LLVM makes a choice of scalar floats of a mask, and the mask of a
comparison by way of a general register if a branch or an integer waits for the same comparison.
That takes several times as long as what AVX2 has, a blend or a branch: a Monte Carlo loop with a
logarithm, the choices of which are for its ends, takes twice as long, and sums of the best of three
numbers half as long again. So such a function goes without AVX-512 if it does not compute with
vectors of floats; those that only fill and copy arrays are hardly slower. The operations are the
same, and so are the bits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from autograph.kernels.llvm.target import Target

_OFTEN = 32  # operations of floats for which there is a choice
_VECTOR = re.compile(r"<\d+ x ")
# What fills and copies arrays, and finds places.
_PLAIN = re.compile(r" (load|store|insertelement|shufflevector|getelementptr|zext|add|mul|phi) ")
_CHOICE = re.compile(r" = select i1 (%[^ ,]+), (double|float) ")
_BOOL = re.compile(r"i1 (%[^ ,)]+)")
_OPERATION = re.compile(r" = (f(add|sub|mul|div) |call (double|float) @llvm\.fma)")
_ATTRIBUTES = "#0"


def without_mask_registers(functions: Sequence[str], target: Target) -> tuple[list[str], str]:
    """Functions with the attribute that some are to have, and what says which that is.

    Args:
        functions: the text of each.
    """
    made = list(functions)
    if "+avx512f" not in target.features.split(",") or any("alwaysinline" in f for f in functions):
        return made, ""
    for k, function in enumerate(made):
        if _chooses_often(function):
            header, brace, body = function.partition(" {\n")
            made[k] = f"{header} {_ATTRIBUTES}{brace}{body}"
    if made == [*functions]:
        return made, ""
    features = f'"target-cpu"="{target.cpu}" "target-features"="{target.features},-avx512f"'
    return made, f"\nattributes {_ATTRIBUTES} = {{ {features} }}\n"


def _chooses_often(function: str) -> bool:
    """Whether a function has many choices of scalar floats by what decides something else, too, and
    no vectors of floats to compute."""
    conditions: list[str] = []
    uses: Counter[str] = Counter()
    operations = 0
    for line in function.splitlines():
        if _VECTOR.search(line):
            if not _PLAIN.search(line):
                return False
            continue
        uses.update(_BOOL.findall(line))
        choice = _CHOICE.search(line)
        if choice:
            conditions.append(choice[1])
        elif _OPERATION.search(line):
            operations += 1
    choices = sum(1 for condition in conditions if uses[condition] > 1)
    return 0 < operations <= _OFTEN * choices
