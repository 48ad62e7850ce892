"""`jvp`: how fast the result of a function changes when its arguments change at given rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.api import GraphFunction
from autograph.derivatives.common import (
    aligned,
    content_of,
    converted,
    flatten,
    fresh,
    is_inexact,
    leaf_type,
    name_of,
    nesting,
    pair,
    positions_of,
    refuse_objects,
    remembered,
    site_of,
    symbolic,
    transformed,
    unflatten,
    without_float0,
)
from autograph.derivatives.decided import Order, warn_of_decisions
from autograph.errors import Location, TangentError
from autograph.graph.graph import Value
from autograph.staging.array import GraphArray
from autograph.staging.maybe import MaybeNone, NoneOr
from autograph.staging.trace import subgraph
from autograph.tracebacks import leaves_compiler
from autograph.transforms import jvp as transform
from autograph.transforms.tape import zeros
from ops.registry import active_tracer


@leaves_compiler
def jvp(
    function: Callable, primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False
) -> tuple:
    """The value of a function and its derivative along ``tangents``, in one pass forward.

    Loops need no memory for it, however many trips they make.

    Args:
        function: a Python function, plain or converted.
        primals: its positional arguments, a tuple or list: nested tuples, lists and dicts of
            arrays and numbers.
        tangents: nested in the same way: for each floating-point or complex array or number one of
            the same shape and dtype (Python numbers fit any of their kind), or None for zero.
            Where there is no derivative (integers, booleans, texts), None or an array of JAX's
            dtype ``float0``.
        has_aux: the function returns a pair, of which only the first is differentiated.

    Returns:
        ``(out, tangent_out)``; with ``has_aux``, ``(out, tangent_out, aux)``. The tangent of the
        result is nested as the result is; arrays and numbers in it have the types of those in the
        result, with None where the result has no derivative. Arrays are new ones.

    Raises:
        TangentError: the tangents don't fit the primals.
        UnsupportedFunctionError: the result holds objects of the user's classes.
    """
    for what, given in (("primals", primals), ("tangents", tangents)):
        if not isinstance(given, (tuple, list)):
            raise TangentError(
                f"jvp takes the {what} as a tuple or list with one item for each argument, not "
                f"{type(given).__name__}",
                site_of(function),
                id="AG0506",
                fix="write jvp(f, (x,), (x_dot,))",
            )
    return _compiled(function, bool(has_aux))(tuple(primals), without_float0(tuple(tangents)))


@remembered
def _compiled(function: Callable, has_aux: bool) -> GraphFunction:
    def pushforward(primals: tuple, tangents: tuple) -> tuple:
        return push(function, has_aux, primals, tangents)

    return transformed(pushforward, function, "jvp")


def push(
    function: Callable,
    has_aux: bool,
    primals: tuple,
    tangents: tuple,
    kwargs: dict[str, Any] | None = None,
) -> tuple:
    """What `jvp` returns, as symbolic arrays; runs inside a recording."""
    site = site_of(function)
    leaves, spec = flatten(primals)
    given = aligned(tangents, nesting(primals), "the tangents", site)
    leaves = [symbolic(leaf) if is_inexact(leaf) else leaf for leaf in leaves]
    moves = {}
    for leaf, tangent in zip(leaves, given):
        tangent = converted(tangent, leaf_type(leaf), "a tangent", site)
        if tangent is not None:
            moves[id(leaf)] = symbolic(tangent).value
    args = unflatten(spec, leaves)
    order = Order()
    traced, arguments = subgraph(active_tracer(), function, name_of(function), args, kwargs or {})
    tangents_in = [moves.get(id(argument)) for argument in arguments]
    if order.is_first():
        graph = traced.module.main
        roots = [v for v, tangent in zip(graph.inputs, tangents_in) if tangent is not None]
        warn_of_decisions(graph, roots, graph.outputs)
    outputs, changes = transform.jvp(
        traced.module.main,
        [argument.value for argument in arguments],
        tangents_in,
    )
    boxes = [GraphArray(value) for value in outputs]
    result = traced.delivery.deliver(boxes)
    value, aux = pair(result, site) if has_aux else (result, None)
    given = [*(argument.value for argument in arguments), *moves.values()]
    tangent = _tangents(value, boxes, changes, given, site)
    return (value, tangent, aux) if has_aux else (value, tangent)


def _tangents(
    result: Any,
    boxes: Sequence[GraphArray],
    changes: Sequence[Value | None],
    given: Sequence[Value],
    site: Location | None,
) -> Any:
    """The tangent of a delivered result, of arrays that are not among the ``given``."""
    leaves, spec = flatten(result)
    refuse_objects(leaves, site)
    positions = positions_of(leaves, boxes)
    values = []
    for leaf, position in zip(leaves, positions):
        content = content_of(leaf)
        change = None
        if is_inexact(content):
            change = None if position is None else changes[position]
            change = zeros(symbolic(content).value) if change is None else change
        values.append(change)
    made = {id(box) for box in boxes}
    tangents = []
    for leaf, value in zip(leaves, fresh(values, given)):
        tangent = None if value is None else GraphArray(value)
        if isinstance(leaf, NoneOr):
            tangent = NoneOr(leaf.present, _tangents(leaf.content, boxes, changes, given, site))
        elif isinstance(leaf, MaybeNone) and tangent is not None:
            tangent = MaybeNone(leaf.present, tangent)
        elif tangent is None and isinstance(leaf, GraphArray) and id(leaf) not in made:
            tangent = ops.zeros_like(leaf)  # integers in a list of unknown length
        tangents.append(tangent)
    return unflatten(spec, tangents)
