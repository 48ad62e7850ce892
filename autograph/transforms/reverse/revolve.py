"""When to keep the state of a loop, so that its trips can be gone through backwards.

To go back through trip i one needs the state at its start. With c snapshots, which are states kept,
the first of them that before the loop, n trips can be reversed with each one run at most r times
forward to get at the states if

    n <= beta(c, r) = binomial(c + r, c)

and the least number of trips to run is

    t(n, c) = r n - beta(c + 1, r - 1),    where beta(c, r - 1) < n <= beta(c, r)

A. Griewank, A. Walther: Algorithm 799: revolve. ACM Transactions on Mathematical Software 26,
2000. That many are run if the state is advanced by m trips to where the next snapshot is taken,
then the n - m trips after it are reversed with c - 1 snapshots, and then the m before it with c,
for any m with

    beta(c, r - 2) <= m <= beta(c, r - 1)  and  beta(c - 1, r - 1) <= n - m <= beta(c - 1, r)

These are the formulas as functions of integers. `autograph.transforms.reverse.checkpointed_loops`
makes graphs of the same.
"""

from __future__ import annotations

from math import comb


def beta(snapshots: int, repetitions: int) -> int:
    """How many trips can be reversed if none is run forward more than ``repetitions`` times."""
    if snapshots < 0 or repetitions < 0:
        return 0
    return comb(snapshots + repetitions, snapshots)


def repetitions(trips: int, snapshots: int) -> int:
    """The least r such that ``trips <= beta(snapshots, r)``."""
    r = 0
    while beta(snapshots, r) < trips:
        r += 1
    return r


def forward_steps(trips: int, snapshots: int) -> int:
    """The least number of trips to run forward, besides those that are run to be reversed."""
    r = repetitions(trips, snapshots)
    return r * trips - beta(snapshots + 1, r - 1)


def advance(trips: int, snapshots: int) -> int:
    """How far from a snapshot to take the next one.

    Args:
        trips: how many there are to reverse from the snapshot on, at least two.
        snapshots: how many there may be for that, with the one at the start.
    """
    lower, low, high, r = 0, 0, 1, 0  # beta for r - 2, r - 1 and r
    while high < trips:
        r += 1
        lower, low, high = low, high, high * (snapshots + r) // r
    most = trips - (low - lower)  # beta(c - 1, r - 1) == beta(c, r - 1) - beta(c, r - 2)
    return low if low < most else most
