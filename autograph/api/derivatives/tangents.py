"""`jvp`: how fast the result of a function changes when its arguments change at given rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

import ops
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import (
    fresh,
    remembered,
    site_of,
    symbolic,
    transformed,
    without_float0,
)
from autograph.api.derivatives.recorded_calls import RecordedCall, Result, symbolic_arguments
from autograph.api.function import GraphFunction
from autograph.api.type_parameters import Aux, R
from autograph.errors import Location, TangentError
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.lists.none_rows import Presence
from autograph.staging.values.maybe import MaybeNone, ObjectOrNone, none_or
from autograph.transforms import jvp as transform
from autograph.transforms.reverse.tape import zeros


@overload
def jvp(
    function: Callable[..., R],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    has_aux: Literal[False] = False,
) -> tuple[R, R]: ...


@overload
def jvp(
    function: Callable[..., tuple[R, Aux]],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    has_aux: Literal[True],
) -> tuple[R, R, Aux]: ...


@overload
def jvp(
    function: Callable, primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool
) -> tuple[Any, ...]: ...


@leaves_compiler
def jvp(
    function: Callable, primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False
) -> tuple:
    """The value of a function and its derivative along ``tangents``, in one pass forward.

    Loops need no memory for it, however many trips they make.

    Args:
        function: a Python function, plain or converted.
        primals: its positional arguments, a tuple or list: nested tuples, lists, dicts
            and objects of arrays and numbers.
        tangents: nested in the same way: for each floating-point or complex array or number one of
            the same shape and dtype (Python numbers fit any of their kind), or None for zero, also
            for a whole tuple, list, dict or object.
            Where there is no derivative (integers, booleans, texts), None or an array of JAX's
            dtype ``float0``.
        has_aux: the function returns a pair, of which only the first is differentiated.

    Returns:
        ``(out, tangent_out)``; with ``has_aux``, ``(out, tangent_out, aux)``. The tangent of the
        result is nested as the result is; arrays and numbers in it have the types of those in the
        result, with None where the result has no derivative. Arrays are new ones.

    Raises:
        TangentError: the tangents don't fit the primals.

    Examples:
        >>> ag.jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, None))
        (6.0, 3.0)
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

    return transformed(pushforward, function, "jvp", takes_lists=True)


def push(
    function: Callable,
    has_aux: bool,
    primals: tuple,
    tangents: tuple,
    kwargs: dict[str, Any] | None = None,
) -> tuple:
    """What `jvp` returns, as symbolic arrays; runs inside a recording."""
    arguments = symbolic_arguments(tuple(primals), function)
    given = arguments.derivatives(tangents, "the tangents", "a tangent", site_of(function))
    call = RecordedCall(function, arguments.tree, kwargs or {}, once=True)
    moves = call.by_argument(arguments.floats, given)
    call.warn_of_decisions([move is not None for move in moves], call.graph.outputs)
    outputs, changes = transform.jvp(call.graph, call.values, moves)
    result, aux = call.result(outputs, has_aux)
    shared = [*call.values, *(move for move in given if move is not None)]
    tangent = _tangents(result, changes, shared, call.site)
    return (result.tree, tangent, aux) if has_aux else (result.tree, tangent)


def _tangents(
    result: Result, changes: Sequence[Value | None], shared: Sequence[Value], site: Location | None
) -> Any:
    """The tangent of a result, of arrays that are not among the ``shared``."""
    values: list[Value] = [
        zeros(symbolic(content).value) if change is None else change
        for content, change in zip(result.floats, result.of_floats(changes))
    ]
    remaining = iter(fresh(values, shared))
    tangents = []
    for leaf, is_float, in_list in zip(result.leaves, result.has_derivative, result.in_lists):
        tangent = GraphArray(next(remaining)) if is_float else None
        if isinstance(leaf, ObjectOrNone):
            content = Result(leaf.content, result.boxes)
            tangent = none_or(leaf.present, _tangents(content, changes, shared, site))
        elif isinstance(leaf, MaybeNone) and is_float:
            tangent = none_or(leaf.present, tangent)
        elif in_list and not is_float:
            # Of integers in a list of unknown length, and of which elements are None.
            tangent = leaf if isinstance(leaf, Presence) else ops.zeros_like(leaf)
        tangents.append(tangent)
    return result.rebuilt(tangents)
