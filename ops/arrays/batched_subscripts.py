"""The subscript that does for all lanes at once what another does for each.

If no operand differs between lanes, the subscript gets a slice in front. Else those that do have
the lanes as first axis, windows that do become index arrays, and if the array differs too, the
number of the lane is an index array in front. Either way NumPy may put the axes of the part in
another order than that of a lane behind the lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.batching import Size, numbers_below, require_same
from ops.core.operands import ndim_of, operand_type
from ops.core.subscripts import Bound, Spec, arranged
from ops.elementwise import add, less
from ops.elementwise.conversion import astype, where
from ops.structure.reshaping import spread


def subscript_for_lanes(
    size: Size,
    has_lanes: bool,
    ndim: int,
    batched: Sequence[bool],
    operands: Sequence[Any],
    spec: Spec,
) -> tuple[list[Any], Spec, tuple[int, ...]]:
    """The subscript for all lanes.

    Args:
        has_lanes: whether the array has lanes.
        ndim: how many axes it has in a lane.
        batched, operands, spec: which operands have lanes; the subscript of a lane.

    Returns:
        Its operands, its spec, and the order in which the axes of the part that it selects are the
        lanes and those of a lane's part.
    """
    types = [operand_type(o) for o in operands]
    types = [t._replace(shape=t.shape[flag:]) for flag, t in zip(batched, types)]
    axes, place = arranged(ndim, types, spec)
    ranks = [types[e[1]].ndim if e[0] == "arg" else int(e[0] in ("mask", "bool")) for e in spec]
    rank = max(ranks, default=0)  # of the index arrays of a lane together
    moving = [i for i, e in enumerate(spec) if e[0] == "window" and batched[e[1]]]
    operands, entries = list(operands), list(spec)
    for i, (kind, *rest) in enumerate(spec):
        if kind == "slice":
            bounds = [b.position for b in rest if isinstance(b, Bound)]
            require_same([batched[j] for j in bounds], "a bound of a slice")
        elif kind == "mask" and batched[rest[0]]:
            raise NotImplementedError("how many elements a mask selects differs between lanes")
        elif kind in ("mask", "bool") and moving:
            raise NotImplementedError("a mask beside a slice whose start differs between lanes")
        elif kind == "arg":
            j = rest[0]
            if batched[j]:
                operands[j], entries[i] = spread(operands[j], rank - ranks[i]), ("arg", j)
            if batched[j] or ranks[i]:
                operands[j] = spread(operands[j], len(moving), ndim_of(operands[j]))
        elif i in moving:
            j, length, n = rest
            behind = len(moving) - moving.index(i) - 1
            places = _places_of_window(operands[j], rank + moving.index(i), length, n)
            operands[j], entries[i] = spread(places, behind, ndim_of(places)), ("arg", j)
    if not any(batched):
        entries.insert(0, ("slice", None, None, None))
    elif has_lanes:
        entries.insert(0, ("arg", len(operands), "distinct"))
        operands.append(spread(numbers_below(size), rank + len(moving)))
    # Axes have the names that `arranged` gives those of a lane's part.
    lanes, block = (-1, -1), [(-2, i) for i in range(rank)]
    wanted = list(axes)
    if place is not None:
        wanted[place:place] = block
    shift = int(has_lanes)
    found, place = arranged(ndim + shift, [operand_type(o) for o in operands], tuple(entries))
    found = [(position - shift, axis - shift) for position, axis in found]
    if place is not None:
        varying = [name for name in axes if name[0] in moving]
        found[place:place] = [*([lanes] if any(batched) else []), *block, *varying]
    return operands, tuple(entries), tuple(found.index(name) for name in (lanes, *wanted))


def _places_of_window(start: Any, missing: int, length: int, size: int) -> Any:
    """The places in an axis of ``length`` elements from ``start`` on, which has lanes: as the last
    axis, behind ``missing`` of length 1. Starts below 0 are out of range."""
    start = where(less(start, 0), size, astype(start, np.intp))
    return add(spread(start, missing + 1), np.arange(length))
