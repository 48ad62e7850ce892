"""What a handler reads that is for several exceptions, of which the run decides which it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ops
from autograph.errors import BranchMismatchError
from autograph.staging.border.failures import holds_symbolic
from autograph.staging.control.catching import undecided, usable
from autograph.staging.control.sites import RecordedSites, made_alike
from autograph.staging.values.choice import Choice, looked_up
from autograph.staging.values.text import GraphText


def caught(sites: RecordedSites, error: Any) -> Any:
    """See `ops.caught`."""
    found = [usable(sites, number) for number in sites.present]
    first = found[0]
    if len(found) == 1:
        return first
    if all(made_alike(one, first) for one in found):
        return sites.chosen(error, found)
    same = all(type(one) is type(first) and len(one.args) == len(first.args) for one in found)
    if not same or any(vars(one) for one in found):
        raise undecided(found)
    if any(map(holds_symbolic, found)):
        return _with_arguments(sites, error, found)
    position: Any = 0
    for place, number in enumerate(sites.present):
        position = ops.where(ops.equal(error, number), place, position)
    position = ops.cast(position, dtype="int64", weak=True)
    args = [looked_up(position, [one.args[i] for one in found]) for i in range(len(first.args))]
    return type(first)(*(GraphText("{}", [a]) if isinstance(a, Choice) else a for a in args))


def _with_arguments(
    sites: RecordedSites, error: Any, found: Sequence[BaseException]
) -> BaseException:
    """One of several exceptions of a class: one whose arguments are those of the one it is."""
    *others, last = zip(sites.present, found)

    def argument(position: int) -> Any:
        held = last[1].args[position]
        for number, one in others:
            own = one.args[position]
            held = ops.cond(ops.equal(error, number), lambda: own, lambda: held)  # noqa: B023, called now
        return held

    try:
        return type(found[0])(*map(argument, range(len(found[0].args))))
    except BranchMismatchError:
        raise undecided(found) from None
