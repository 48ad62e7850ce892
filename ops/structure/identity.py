"""Operators that give an array itself, or a copy: what differs is its memory, or what is known of
it."""

from __future__ import annotations

import numpy as np

from ops.core import kernels
from ops.core.batching import ON_ALL_LANES
from ops.core.numpy_table import covers
from ops.core.operands import dims_of
from ops.core.registry import Linear, Same
from ops.core.types import ArrayType, may_agree

__all__ = [
    "as_long_as",
    "contiguous",
    "copy",
    "refine",
]


def _refine_infer(x: ArrayType, shape: tuple[int | None, ...]) -> tuple[ArrayType]:
    if not may_agree(shape, x.shape):
        raise ValueError(f"an array of shape {x.shape} cannot have the shape {shape}")
    return (ArrayType(x.dtype, shape),)


refine: Linear = Linear(
    "refine",
    _refine_infer,
    "{0}",
    transposes=[lambda ct, x, shape: refine(ct, shape=dims_of(x))],
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=lambda size, batched, args, shape: refine(args[0], shape=(dims_of(args[0])[0], *shape)),
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself, with another type: ``shape`` says more, or less, of its lengths.

    Args:
        x: an array.
        shape: the lengths, None for those known only at run time. They are taken to be right, not
            checked.
    """,
    aligned=True,
    keeps_shape=True,
    writable=True,
    precision="exact",
)

as_long_as = Linear(
    "as_long_as",
    lambda x, like: (x,),
    "{0}",
    transposes=[lambda ct, x, like: ct, None],
    by_length=(1,),
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=lambda size, batched, args: args[0] if batched[0] else Same(args[0]),
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself, whose first axis is known to be as long as that of ``like``.

    So neither is broadcast along it where the two meet, though their lengths are known only
    at run time. It is not checked.
    """,
    aligned=True,
    keeps_shape=True,
    stands_for=0,
    precision="exact",
)

copy = Linear(
    "copy",
    lambda x: (x.strong(),),
    "np.array({0})",
    transposes=[lambda ct, x: ct],
    zeros="kept",
    unknown_lengths=True,
    batch=ON_ALL_LANES,
    native=kernels.Element(kernels.itself),
    doc="An array with the elements of ``x`` that shares no memory with it.",
    aligned=True,
    keeps_shape=True,
    contiguous=True,
    precision="exact",
)

covers(np.copy, "a order=* subok=*", method=True)(copy)

duplicate = copy  # for functions that have an argument of that name

contiguous = Linear(
    "contiguous",
    lambda x, order: (x.strong(),),
    "np.asarray({0}, order='{order}')",
    transposes=[lambda ct, x, order: ct],
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=ON_ALL_LANES,
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself if its elements lie in memory in the given order, else a copy in which they
    do.

    Args:
        x: an array.
        order: "C", or "F" for Fortran's.
    """,
    aligned=True,
    precision="exact",
)
