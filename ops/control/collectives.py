"""Operators over the lanes of a batched function: sums of all, what all have, which one this is.

`autograph.vmap` with an ``axis_name`` gives lanes a name by which these refer to them; users call
`ops.control.collective_functions`. The operators exist only until the function is batched, see
`autograph.transforms.batching.collectives`: then a sum over lanes is one along an axis.

What is the same in all lanes, such as a sum, is used by each of them, and a derivative that is
taken inside a lane is that of the sum of all of them. So the cotangent of a sum is summed, too.

==================  ============================================
operator            its transpose
==================  ============================================
``psum``            ``psum``
``all_gather``      ``psum_scatter``, and the other way round
``ppermute``        ``ppermute`` by the inverse permutation
``exchange``        ``exchange``
``broadcast``       ``psum_to``, and the other way round
==================  ============================================
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal

import numpy as np

from ops.arrays.rearrange import take
from ops.control.axes import dim_of
from ops.control.meshes import MeshAxis, varies_less, varies_more
from ops.core.operands import dims_of, dtype_of
from ops.core.registry import BatchRule, Custom, Linear, Zeros
from ops.core.types import ArrayType
from ops.elementwise import divide, equal, multiply
from ops.elementwise.conversion import astype, where


def lanes_left(*operands: object) -> object:
    raise RuntimeError("lanes that should meet are computed by themselves: report the program")


# As the code of an operator; one lane by itself has no part in a meeting.
_LEFT = "lanes_left({args})"


def _collective(
    name: str,
    transpose: Callable,
    infer: Callable,
    result: Literal["all", "each"],
    doc: str,
    prepare: Callable | None = None,
    varies: bool = False,
) -> Linear:
    """An operator that moves and adds what the lanes of an axis have.

    Args:
        transpose: ``transpose(ct, x, axis_name, ...)``.
        varies: whether the parts of a mesh do not count on its result being the same in all.
        result, prepare: see `ops.core.registry.Op`.
    """
    return Linear(
        name,
        infer,
        _LEFT,
        helpers=[lanes_left],
        transposes=[transpose],
        zeros="moved",
        unknown_lengths=True,
        creates=True,
        doc=doc,
        collective=result,
        variance=varies_more if result == "each" or varies else varies_less,
        prepare=prepare,
    )


lanes_gathered: Linear = _collective(
    "all_gather",
    lambda ct, x, axis_name, size: lanes_scattered.apply([ct], {"axis_name": axis_name}),
    lambda x, axis_name, size: (ArrayType(x.dtype, (size, *x.shape)),),
    "all",  # what is the same in all lanes is gathered, too
    "What all lanes have of ``x``, lanes first; the same in all lanes.",
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name, "size": dim_of(axis_name)}),
    varies=True,  # so the transpose adds what the parts do with it
)


def _number(ct: Any, axis_name: Hashable) -> Any:
    """The number of the part, where the graph is built that a cotangent belongs to."""
    return ct.__apply__(lane_number, (), {"axis_name": axis_name})


parts_gathered: Linear = _collective(
    "all_gather_invariant",
    lambda ct, x, axis_name, size: take(ct, _number(ct, axis_name), axis=0),
    lambda x, axis_name, size: (ArrayType(x.dtype, (size, *x.shape)),),
    "all",
    "What all parts of a mesh have of ``x``, parts first, which is known to be the same in all.",
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name, "size": dim_of(axis_name)}),
)


def _scattered_infer(x: ArrayType, axis_name: Hashable) -> tuple[ArrayType]:
    _require_rows(x, axis_name)
    return (ArrayType(x.dtype, x.shape[1:]),)


def _gathered(ct: Any, x: Any, axis_name: Hashable) -> Any:
    return lanes_gathered.apply([ct], {"axis_name": axis_name, "size": dims_of(x)[0]})


lanes_scattered: Linear = _collective(
    "psum_scatter",
    _gathered,
    _scattered_infer,
    "each",
    """In each lane the row of ``x`` with its number, of the sum of ``x`` over all lanes.

    Args:
        x: an array with a row for each lane.
        axis_name: of the lanes.

    Raises:
        NameError: the function is not batched over an axis of this name.
    """,
    prepare=lambda x, axis_name: ((x,), {"axis_name": axis_name}),
)


def _same_type(x: ArrayType, **attrs: Any) -> tuple[ArrayType]:
    return (ArrayType(x.dtype, x.shape),)


def _before_sum(ct: Any, x: Any, axis_name: Hashable) -> Any:
    """A sum over lanes is used by each of them, one over parts of a mesh is one value."""
    if isinstance(axis_name, MeshAxis):
        return vary(ct, axes=(axis_name,))
    return lanes_summed(ct, axis_name=axis_name)


lanes_summed: Linear = _collective(
    "psum",
    _before_sum,
    _same_type,
    "all",
    "The sum of ``x`` over all lanes.",
)

lanes_permuted: Linear = _collective(
    "ppermute",
    lambda ct, x, axis_name, pairs: lanes_permuted(
        ct, axis_name=axis_name, pairs=tuple((target, source) for source, target in pairs)
    ),
    _same_type,
    "each",
    "In each lane what another one has, by ``pairs`` of source and target; or zeros.",
)


# An array with lanes is one like any other to what says of which parts it is.
AS_IT_IS = BatchRule(lambda op, size, batched, args, **attrs: op.apply(args, attrs))


def _before_vary(ct: Any, x: Any, axes: tuple[MeshAxis, ...]) -> Any:
    for axis in axes:
        ct = lanes_summed(ct, axis_name=axis)
    return ct


def _about_parts(
    name: str, variance: Callable, transpose: Callable, zeros: Zeros, doc: str
) -> Linear:
    """An operator that gives its operand, of which it says along which axes it varies."""
    return Linear(
        name,
        lambda x, axes: (ArrayType(x.dtype, x.shape, x.weak),),
        "{0}",
        transposes=[transpose],
        zeros=zeros,
        unknown_lengths=True,
        view=True,
        cheap=True,
        batch=AS_IT_IS,
        variance=variance,
        doc=doc,
    )


def _more(known: frozenset, axes: tuple[MeshAxis, ...]) -> frozenset:
    return known | {axis.name for axis in axes}


def _less(known: frozenset, axes: tuple[MeshAxis, ...]) -> frozenset:
    return known - {axis.name for axis in axes}


vary: Linear = _about_parts(
    "pvary",
    _more,
    _before_vary,
    "moved",
    "``x`` as a value that may differ along ``axes`` of a mesh.",
)

own_part: Linear = _about_parts(
    "own_part",
    _more,
    lambda ct, x, axes: whole_of_process(ct, axes=axes),
    "kept",
    "What a process has of an array that is divided along ``axes``: it differs between processes.",
)

whole_of_process: Linear = _about_parts(
    "whole_of_process",
    _less,
    lambda ct, x, axes: own_part(ct, axes=axes),
    "kept",
    "What a process has of an array, as an array by itself, outside of functions for a mesh.",
)


def _before_broadcast(ct: Any, x: Any, axis_name: Hashable, lane: int) -> Any:
    if isinstance(axis_name, MeshAxis):
        return where(equal(_number(ct, axis_name), lane), ct, 0)
    return lanes_summed_to(ct, axis_name=axis_name, lane=lane)


lane_broadcast: Linear = _collective(
    "broadcast",
    _before_broadcast,
    _same_type,
    "all",
    "What the lane with the number ``lane`` has.",
)

lanes_summed_to: Linear = _collective(
    "psum_to",
    lambda ct, x, axis_name, lane: lane_broadcast(ct, axis_name=axis_name, lane=lane),
    _same_type,
    "each",
    "In the lane with the number ``lane`` the sum of ``x`` over all lanes; zeros in the others.",
)


def _exchanged_infer(x: ArrayType, axis_name: Hashable) -> tuple[ArrayType]:
    _require_rows(x, axis_name)
    return (x,)


def _require_rows(x: ArrayType, axis_name: Hashable) -> None:
    size = dim_of(axis_name)
    if not x.shape or (x.shape[0] != size and None not in (x.shape[0], size)):
        raise ValueError(f"an array of shape {x.shape} has no row for each of {size} lanes")


lanes_exchanged: Linear = _collective(
    "exchange",
    lambda ct, x, axis_name: lanes_exchanged(ct, axis_name=axis_name),
    _exchanged_infer,
    "each",
    "In each lane the rows that all lanes have for it: row i is what lane i has as its row.",
)


def _extremum(name: str, doc: str) -> Custom:
    def shares(x: Any, out: Any, axis_name: Hashable) -> Any:
        """What part each lane has in the extremum: ties are split evenly."""
        chosen = astype(equal(x, out), dtype_of(x))
        return divide(chosen, lanes_summed(chosen, axis_name=axis_name))

    def vjp(cts: Sequence, args: Sequence, outs: Sequence, axis_name: Hashable) -> tuple:
        total = cts[0]
        if not isinstance(axis_name, MeshAxis):
            total = lanes_summed(total, axis_name=axis_name)
        return (multiply(total, shares(args[0], outs[0], axis_name)),)

    def jvp(tangents: Sequence, args: Sequence, outs: Sequence, axis_name: Hashable) -> tuple:
        own = multiply(tangents[0], shares(args[0], outs[0], axis_name))
        return (lanes_summed(own, axis_name=axis_name),)

    return Custom(
        name,
        _same_type,
        _LEFT,
        helpers=[lanes_left],
        vjp=vjp,
        jvp=jvp,
        linear=(),
        zeros="lost",
        unknown_lengths=True,
        creates=True,
        doc=doc,
        collective="all",
        variance=varies_less,
    )


lanes_max = _extremum("pmax", "The largest of ``x`` in all lanes, element by element.")
lanes_min = _extremum("pmin", "The smallest of ``x`` in all lanes, element by element.")

lane_number = Custom(
    "axis_index",
    lambda axis_name: (ArrayType(np.dtype(int), ()),),
    _LEFT,
    helpers=[lanes_left],
    differentiable=False,
    creates=True,
    prepare=lambda axis_name: ((), {"axis_name": axis_name}),
    doc="The number of this lane.",
    collective="each",
    variance=varies_more,
)
