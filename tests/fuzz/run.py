"""Compares many random programs with plain Python: ``make fuzz PROGRAMS=5000``.

Prints how many calls and gradients were the same and what was refused; for the first difference
found, the program, made as small as hypothesis can, and the seed that finds it again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.comparison import compare
from tests.fuzz.programs import FEATURES, programs
from tests.support.time_limit import TooLongError

PART = 250  # programs for which there is one seed


def compare_programs(
    count: int, features: tuple[str, ...] = tuple(FEATURES), part: int | None = None
) -> Counter:
    """Compare programs that use some of the features; returns how many calls ended in which way.

    Args:
        part: the seed; without it, always the same programs, and a failing one is left as it is,
            since making it small takes minutes.

    Raises:
        AssertionError: a program does something else when compiled. The text is the program.
    """
    ends: Counter = Counter()

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=part is None,
        phases=list(Phase) if part is not None else [Phase.generate],
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(programs(features))
    def check(text: str) -> None:
        try:
            ends.update(compare(text))
        except (Exception, TooLongError) as error:
            raise AssertionError(f"{type(error).__name__}: {error}\n\n{text}") from error

    (check if part is None else seed(part)(check))()
    return ends


def report(part: int) -> tuple[Counter, str]:
    """What the programs of one seed did, and the first difference as text."""
    try:
        return compare_programs(PART, part=part), ""
    except AssertionError as difference:
        return Counter(), str(difference)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + -(-options.programs // PART))
    ends: Counter = Counter()
    failures = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for part, (found, difference) in zip(seeds, pool.map(report, seeds)):
            ends += found
            failures += [difference] if difference else []
            print(f"seed {part}: {difference or summary(found)}", flush=True)
    print(f"\n{len(seeds) * PART} programs, seeds from {options.seed}: {summary(ends)}")
    print(f"{len(failures)} of {len(seeds)} seeds found a difference")
    return 1 if failures else 0


def summary(ends: Counter) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in ends.most_common())


if __name__ == "__main__":
    sys.exit(main())
