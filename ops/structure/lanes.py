"""What rules for many lanes are made of; see `ops.core.batching`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ops.core.batching import Flags, Size
from ops.core.lengths import lengths_of
from ops.core.operands import ndim_of
from ops.core.registry import BatchRule, Op
from ops.structure.broadcasting import broadcast_to
from ops.structure.reshaping import spread


def with_lanes(size: Size, flag: bool, x: Any) -> Any:
    """An operand with lanes: itself if ``flag``, else repeated for each, without copying."""
    return x if flag else broadcast_to(x, (size, *lengths_of(x)))


def all_with_lanes(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> list[Any]:
    """Operands, all with lanes."""
    return [with_lanes(size, flag, x) for flag, x in zip(batched, args)]


def aligned(batched: Sequence[bool], args: Sequence[Any], core: int = 0) -> list[Any]:
    """Operands that broadcast but for their last ``core`` axes, now lane by lane: those with lanes
    get axes of length 1 behind these, so that they all have as many as the longest."""
    ndims = [ndim_of(x) - flag for flag, x in zip(batched, args)]
    most = max((*ndims, core))
    return [spread(x, most - n) if flag else x for flag, x, n in zip(batched, args, ndims)]


def with_same_attributes(core: int | None = None) -> BatchRule:
    """The rule of an operator that leaves the first axes alone, or broadcasts over them.

    Args:
        core: on how many last axes of each operand it acts, if it broadcasts over the others; by
            default all operands get lanes.
    """

    def rule(op: Op, /, size: Size, batched: Flags, args: Sequence[Any], **attrs: Any) -> Any:
        if core is None:
            args = all_with_lanes(size, batched, args)
        else:
            args = aligned(batched, args, core)
        return op.apply(args, attrs)

    return BatchRule(rule)
