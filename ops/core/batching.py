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

from ops.core.lengths import RunLength, positions
from ops.core.operands import ndim_of
from ops.core.registry import BatchRule, Op, Same

__all__ = ["Same"]

Size = int | RunLength
Flags = Sequence[bool]


# -- parts of rules --------------------------------------------------------------------------------


def numbers_below(n: Size) -> Any:
    """The integers from 0 to below a length."""
    return np.arange(n) if isinstance(n, int) else positions(n.value)


def require_same(batched: Sequence[bool], what: str) -> None:
    """Refuse operands that differ between lanes, of which ``what`` says what they are."""
    if any(batched):
        raise NotImplementedError(f"{what} differs between lanes")


# -- rules -----------------------------------------------------------------------------------------


def _on_all_lanes(op: Op, /, size: Size, batched: Flags, args: Sequence[Any], **attrs: Any) -> Any:
    return op.apply(args, attrs)


# The rule of an operator of one operand, whose first axes it leaves alone.
ON_ALL_LANES = BatchRule(_on_all_lanes)


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
