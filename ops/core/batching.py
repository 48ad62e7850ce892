"""Operators on many lanes at once: what the rules that operators have for it share.

``batch(size, batched, args, **attrs)``, an option of every operator's declaration, applies it to
``size`` lanes, an int or a `RunLength`. ``batched`` says for each of ``args`` whether it has lanes,
as an additional first axis; at least one has. What has none is the same in all lanes. The results
have the lanes first, as if each lane had been computed by itself and the results were stacked; what
is the same in all lanes may be given as `Same`. A rule raises NotImplementedError if something
differs between lanes that must not, as a length. Rules are made of operators, so what they compute
has derivatives. A `BatchRule` is for several operators, and given the one that it is declared for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.lengths import RunLength, lengths_of, merged, positions, reaxed
from ops.core.registry import REGISTRY, BatchRule, Op, Same, ndim_of

__all__ = ["Same"]

Size = int | RunLength
Flags = Sequence[bool]


# -- parts of rules --------------------------------------------------------------------------------


def with_lanes(size: Size, flag: bool, x: Any) -> Any:
    """An operand with lanes: itself if ``flag``, else repeated for each, without copying."""
    return x if flag else REGISTRY["broadcast_to"](x, (size, *lengths_of(x)))


def all_with_lanes(size: Size, batched: Sequence[bool], args: Sequence[Any]) -> list[Any]:
    """Operands, all with lanes."""
    return [with_lanes(size, flag, x) for flag, x in zip(batched, args)]


def spread(x: Any, missing: int, axis: int = 1) -> Any:
    """``x`` with ``missing`` axes of length 1 put in before ``axis``."""
    if missing <= 0:
        return x
    lengths = lengths_of(x)
    return reaxed(x, (*lengths[:axis], *[1] * missing, *lengths[axis:]))


def aligned(batched: Sequence[bool], args: Sequence[Any], core: int = 0) -> list[Any]:
    """Operands that broadcast but for their last ``core`` axes, now lane by lane: those with lanes
    get axes of length 1 behind these, so that they all have as many as the longest."""
    ndims = [ndim_of(x) - flag for flag, x in zip(batched, args)]
    most = max((*ndims, core))
    return [spread(x, most - n) if flag else x for flag, x, n in zip(batched, args, ndims)]


def merged_lanes(x: Any) -> Any:
    """The elements of each lane as a vector."""
    lanes, *lengths = lengths_of(x)
    return reaxed(x, (lanes, merged(lengths)))


def numbers_below(n: Size) -> Any:
    """The integers from 0 to below a length."""
    return np.arange(n) if isinstance(n, int) else positions(n.value)


def require_same(batched: Sequence[bool], what: str) -> None:
    """Refuse operands that differ between lanes, of which ``what`` says what they are."""
    if any(batched):
        raise NotImplementedError(f"{what} differs between lanes")


# -- rules -----------------------------------------------------------------------------------------


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


def along_axes(*names: str) -> BatchRule:
    """The rule of an operator of one operand whose attributes of these names are axes: an int or a
    tuple of them, where None means all."""

    def rule(op: Op, /, size: Size, batched: Flags, args: Sequence[Any], **attrs: Any) -> Any:
        (x,) = args
        for key in names:
            attrs[key] = behind_lanes(attrs[key], ndim_of(x))
        return op.apply((x,), attrs)

    return BatchRule(rule)


def behind_lanes(axes: int | tuple[int, ...] | None, ndim: int) -> int | tuple[int, ...]:
    """The axes of a lane as those of an array of ``ndim`` axes with lanes."""
    if isinstance(axes, int):
        return axes + 1
    return tuple(range(1, ndim)) if axes is None else tuple(axis + 1 for axis in axes)
