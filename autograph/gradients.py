"""`grad` and `value_and_grad`: reverse-mode gradients of scalar functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import optree

import ops
from autograph.api import GraphFunction, source_of
from autograph.errors import Location, NonDifferentiableError, NonScalarOutputError
from autograph.graph.graph import Constant, Value
from autograph.source.load import definition
from autograph.staging.array import GraphArray
from autograph.staging.maybe import MaybeNone
from autograph.staging.trace import subgraph
from autograph.transforms.tape import zeros
from autograph.transforms.vjp import vjp
from ops.registry import active_tracer
from ops.types import ArrayType, type_of


def grad(
    function: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> GraphFunction:
    """The gradient of a function with a real scalar result.

    Args:
        function: a Python function, plain or converted.
        argnums: the position of the argument to differentiate by, or several. An argument may be a
            nested tuple, list or dict of floating-point arrays and numbers.
        has_aux: the function returns a pair, of which only the first is differentiated.

    Returns:
        A compiled function with the arguments of ``function``. It returns the gradient: the
        structure, shapes and dtypes of the argument, or a tuple of such for several arguments. With
        ``has_aux``, a pair of it and the auxiliary result.

    Raises:
        NonScalarOutputError: when called, if the result is not a real scalar.
        NonDifferentiableError: when called, if an argument is not floating-point.
    """

    def gradient(*args: Any, **kwargs: Any) -> Any:
        _, gradients, aux = _differentiate(function, argnums, has_aux, args, kwargs)
        return (gradients, aux) if has_aux else gradients

    return _transformed(gradient, function, "grad")


def value_and_grad(
    function: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> GraphFunction:
    """Like `grad`, but the compiled function returns ``(result, gradient)``.

    With ``has_aux``, ``((result, aux), gradient)``.
    """

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        value, gradients, aux = _differentiate(function, argnums, has_aux, args, kwargs)
        return ((value, aux) if has_aux else value), gradients

    return _transformed(value_and_gradient, function, "value_and_grad")


def _transformed(transform: Callable, function: Callable, prefix: str) -> GraphFunction:
    source = source_of(function)
    definition(source)  # what cannot be converted is refused here, not at the first call
    options = function.options if isinstance(function, GraphFunction) else {}
    name = f"{prefix}_{getattr(function, 'name', source.__name__)}"
    return GraphFunction(transform, source=source, name=name, **options)


def _differentiate(
    function: Callable,
    argnums: int | Sequence[int],
    has_aux: bool,
    args: tuple,
    kwargs: dict[str, Any],
) -> tuple[Any, Any, Any]:
    """(value, gradients, aux) as symbolic arrays; runs inside a recording."""
    tracer = active_tracer()
    site = _definition(function)
    wanted = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    wanted = _checked(wanted, len(args), site)
    args = tuple(
        _differentiable(arg, position, site) if position in wanted else arg
        for position, arg in enumerate(args)
    )
    traced, arguments = subgraph(tracer, function, _name(function), args, kwargs)
    active = {id(leaf) for position in wanted for leaf in optree.tree_leaves(args[position])}
    flags = [id(argument) in active for argument in arguments]
    outputs, pullback = vjp(traced.module.main, [a.value for a in arguments], flags)
    result = traced.delivery.deliver([GraphArray(value) for value in outputs])
    value, aux = _pair(result, site) if has_aux else (result, None)
    position = 0
    if isinstance(value, MaybeNone):  # its check is made, and what it is if it is not None
        value, position = GraphArray(value.value), 1
    _require_scalar(value, site)
    if isinstance(value, GraphArray):  # then it is the output at this position
        seeds = [None] * len(outputs)
        seeds[position] = _one(value.type)
        cotangents = pullback(seeds)
    else:  # a number that does not depend on the arguments
        cotangents = [None] * len(arguments)
    gradients_of = _fresh_gradients(arguments, cotangents)
    gradients = tuple(
        optree.tree_map(lambda leaf: gradients_of[id(leaf)], args[position], none_is_leaf=False)
        for position in wanted
    )
    return value, gradients[0] if isinstance(argnums, int) else gradients, aux


def _fresh_gradients(
    arguments: Sequence[GraphArray], cotangents: Sequence[Value | None]
) -> dict[int, GraphArray]:
    """The gradient for each argument, by identity: new arrays, which the caller may change.

    The derivative of ``sum(a * b)`` by a is b, be it an argument or an array from outside, and that
    of ``sum(a)`` ones, broadcast.
    """
    taken = {argument.value for argument in arguments}
    gradients = {}
    for argument, cotangent in zip(arguments, cotangents):
        value = zeros(argument.value) if cotangent is None else cotangent
        source = value
        while source.producer is not None and source.producer.op.view:
            source = source.producer.inputs[0]
        if value.type.shape and (source is not value or source.producer is None or source in taken):
            value = ops.copy(value)
        taken.add(source)
        gradients[id(argument)] = GraphArray(value)
    return gradients


def _one(type: ArrayType) -> Constant:
    one = type.dtype.type(1)
    return Constant(one.item() if type.weak else one)


def _differentiable(argument: Any, position: int, site: Location | None) -> Any:
    """The argument with a symbolic array of its own for each leaf.

    Raises:
        NonDifferentiableError: a leaf is not a floating-point array or number.
    """

    def leaf_array(leaf: Any) -> GraphArray:
        type = leaf.type if isinstance(leaf, GraphArray) else type_of(leaf)
        if type is None or not type.inexact:
            found = f"{type}" if type is not None else f"a {leaf.__class__.__name__}"
            raise NonDifferentiableError(
                f"cannot differentiate by argument {position}: it holds {found}, not floats",
                site,
                id="AG0503",
                fix="pass floats (x.astype(float)), or choose other argnums",
            )
        return GraphArray(active_tracer().value_of(leaf))

    return optree.tree_map(leaf_array, argument, none_is_leaf=False)


def _pair(result: Any, site: Location | None) -> tuple:
    if not isinstance(result, tuple) or len(result) != 2:
        raise NonScalarOutputError(
            "with has_aux=True the function has to return a pair (result, aux)",
            site,
            id="AG0502",
            fix="return result, aux",
        )
    return result


def _require_scalar(value: Any, site: Location | None) -> None:
    type = value.type if isinstance(value, GraphArray) else type_of(value)
    if type is not None and type.shape == () and type.dtype.kind == "f":
        return
    found = f"a {value.__class__.__name__}" if type is None else str(type)
    raise NonScalarOutputError(
        f"grad needs a function whose result is a real scalar, but this one gives {found}",
        site,
        id="AG0501",
        fix="reduce the result to a scalar, for example with np.sum",
    )


def _checked(wanted: tuple, count: int, site: Location | None) -> tuple[int, ...]:
    for position in wanted:
        if not -count <= position < count:
            raise NonDifferentiableError(
                f"argnums names argument {position}, but the call has {count} positional arguments",
                site,
                id="AG0504",
                fix="pass the argument by position, or change argnums",
            )
    return tuple(position % count for position in wanted)


def _name(function: Callable) -> str:
    return getattr(source_of(function), "__name__", "function")


def _definition(function: Callable) -> Location | None:
    return definition(source_of(function))
