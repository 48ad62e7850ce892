"""Compares many random programs for a mesh: ``python -m tests.fuzz.spmd.run 100 --seed 7``.

Prints how the comparisons ended, and for each difference the seed. With ``--show`` the program of
the seed is printed instead; with ``--reduce`` it is made smaller as long as it shows a difference
with the same beginning. ``tests/mpi/programs/random_programs.py`` compares processes.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
from collections import Counter

import autograph as ag
from tests.fuzz.spmd.comparison import case_of, compare, unrolled
from tests.fuzz.spmd.programs import Program, written
from tests.fuzz.spmd.reduction import reduced
from tests.support.time_limit import TooLongError, at_most

SHAPES = {"line": {"data": 2}, "three": {"data": 3}, "grid": {"data": 2, "model": 2}}
SECONDS = 300  # a program takes a few
TOLD = 40  # how many letters of a message tell a difference from another one


def ended(program: Program, options: argparse.Namespace) -> tuple[Counter, str]:
    """How the comparisons ended, and the difference, or ""."""
    shape = SHAPES[options.mesh]
    around = unrolled() if options.unrolled else contextlib.nullcontext()
    try:
        with at_most(SECONDS), around:
            case = case_of(program, shape)
            return compare(case, ag.Mesh.lanes(**shape), options.orders), ""
    except (Exception, TooLongError) as error:
        return Counter({"DIFFERENT": 1}), f"{type(error).__name__}: {error}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--mesh", choices=SHAPES, default="grid")
    parser.add_argument("--orders", type=int, default=1, help="of derivatives")
    parser.add_argument("--spoiled", action="store_true", help="programs that break a rule")
    parser.add_argument("--unrolled", action="store_true", help="parts are not made lanes")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--reduce", action="store_true")
    options = parser.parse_args()
    axes = tuple(SHAPES[options.mesh])
    first = written(options.seed, axes, options.spoiled)
    if options.show:
        print(first.text)
        return 0
    if options.reduce:
        _, difference = ended(first, options)
        told = difference[:TOLD]
        print(
            reduced(
                first.text,
                lambda text: ended(first._replace(text=text), options)[1].startswith(told),
            )
            if difference
            else "no difference"
        )
        return 0
    ends: Counter = Counter()
    for seed in range(options.seed, options.seed + options.programs):
        found, difference = ended(written(seed, axes, options.spoiled), options)
        ends += found
        if difference:
            print(f"seed {seed}: {difference}", flush=True)
    print(", ".join(f"{kind} {count}" for kind, count in ends.most_common()))
    return 1 if ends["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
