"""`jacfwd`, `jacrev`, `hessian` and `hvp`: derivatives of arrays by arrays.

A Jacobian is one derivative along each direction, all of them at once: forward or reverse mode is
batched over the directions. What does not depend on the direction, the function itself above all,
is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, Concatenate, Literal, overload

import numpy as np

import ops
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.budgets import as_bytes, within
from autograph.api.derivatives.common import (
    as_argnums,
    checked_argnums,
    described,
    fresh,
    name_of,
    parameters_of,
    remembered,
    site_of,
    symbolic,
    transformed,
)
from autograph.api.derivatives.gradients import grad
from autograph.api.derivatives.linearization import run_apart
from autograph.api.derivatives.pullbacks import Reverse
from autograph.api.derivatives.recorded_calls import RecordedCall, Result, Tree, symbolic_leaves
from autograph.api.derivatives.tangents import push
from autograph.api.function import GraphFunction
from autograph.api.trees import flatten, leaf_type, nones_like
from autograph.api.type_parameters import Aux, P, X
from autograph.errors import Location, NonDifferentiableError, TangentError
from autograph.graph.builder import Builder, current_builder, inline
from autograph.graph.graph import Constant, Graph, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.lists import is_rows
from autograph.transforms import jvp as forward
from autograph.transforms.lanes.parts import outlined_for_lanes
from autograph.transforms.reverse.replay import may_run_again
from autograph.transforms.reverse.tape import zeros
from autograph.transforms.vmap import vmap
from ops.core.symbolic_lengths import is_length, is_symbolic
from ops.core.types import ArrayType


@leaves_compiler
def jacfwd(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> GraphFunction[P, Any]:
    """The Jacobian of a function, by forward mode: best for few arguments and many results.

    Args:
        function: a Python function, plain or converted.
        argnums: the positions of the arguments to differentiate by: nested tuples, lists and dicts
            of floating-point arrays and numbers, or objects of such.
        has_aux: the function returns a pair, of which only the first is differentiated.
        holomorphic: the function is holomorphic: arguments and results are complex.

    Returns:
        A compiled function with the arguments of ``function``. It returns, nested like the result,
        for each array in it what is nested like the argument (a tuple for several arguments), of
        arrays of shape ``result.shape + argument.shape``; None where the result has no derivative.
        With ``has_aux``, a pair of that and the auxiliary result.

    Raises:
        NonDifferentiableError: when called, if an argument is not of real floats; with
            ``holomorphic``, not complex.

    Examples:
        >>> ag.jacfwd(lambda x: np.array([x[0] * x[1], x[0] ** 2]))(np.array([2.0, 3.0]))
        array([[3., 2.],
               [4., 0.]])
    """
    wanted = as_argnums(argnums, function)
    return _jacobian(function, "jacfwd", wanted, bool(has_aux), bool(holomorphic))


@leaves_compiler
def jacrev(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[P, Any]:
    """The Jacobian of a function, by reverse mode: best for many arguments and few results.

    Args:
        function, argnums, has_aux: as for `jacfwd`.
        holomorphic: as for `jacfwd`; without it complex arguments are allowed if the results are
            real, by the convention of `grad`.
        memory: as for `grad`.

    Returns:
        As `jacfwd`.

    Raises:
        NonDifferentiableError: when called, if an argument is not floating-point, or a result is
            complex; with ``holomorphic``, not complex.
        OptionError: as for `grad`.

    Examples:
        >>> ag.jacrev(lambda x: np.array([x[0] * x[1], x[0] ** 2]))(np.array([2.0, 3.0]))
        array([[3., 2.],
               [4., 0.]])
    """
    wanted = as_argnums(argnums, function)
    flags = bool(has_aux), bool(holomorphic)
    return _jacobian(function, "jacrev", wanted, *flags, as_bytes(memory))


@remembered
def _jacobian(
    function: Callable,
    mode: str,
    argnums: Any,
    has_aux: bool,
    holomorphic: bool,
    memory: int | None = None,
) -> GraphFunction:
    derive = {"jacfwd": _columns, "jacrev": _rows}[mode]

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        wanted = checked_argnums(argnums, args, function, holomorphic)
        with within(memory):
            made, aux = derive(function, args, kwargs, wanted, has_aux, holomorphic)
        result = made.nested(several=not isinstance(argnums, int))
        return (result, aux) if has_aux else result

    return transformed(jacobian, function, mode, takes_lists=True)


@leaves_compiler
def hessian(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[P, Any]:
    """The second derivatives of a function, by forward over reverse mode.

    Args:
        function, argnums, has_aux, holomorphic: as for `jacfwd`.
        memory: that of the gradient, see `grad`; what moves with it in each direction comes on top.

    Returns:
        A compiled function with the arguments of ``function``. For arguments of shapes s and t, and
        a result of shape r, it returns an array of shape ``r + s + t``: of a scalar function of one
        vector, a square matrix. With ``has_aux``, a pair of that and the auxiliary result.

    Raises:
        NonDifferentiableError, OptionError: as for `jacrev`.

    Examples:
        >>> ag.hessian(lambda x: x[0] ** 2 * x[1])(np.array([2.0, 3.0]))
        array([[6., 4.],
               [4., 0.]])
    """
    inner = jacrev(function, argnums, has_aux, holomorphic, memory=memory)
    return jacfwd(inner, argnums, has_aux, holomorphic)


@overload
def hvp(
    function: Callable[Concatenate[X, P], Any],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[..., X]: ...


@overload
def hvp(
    function: Callable[Concatenate[X, P], tuple[Any, Aux]],
    argnums: Literal[0] = 0,
    *,
    has_aux: Literal[True],
    memory: int | str | None = None,
) -> GraphFunction[..., tuple[X, Aux]]: ...


@overload
def hvp(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[..., Any]: ...


@leaves_compiler
def hvp(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction:
    """The product of the Hessian of a scalar function with a vector, without the Hessian.

    Forward over reverse mode: a small multiple of the time of the function.

    Args:
        function: a Python function, plain or converted, whose result is a real scalar.
        argnums: the positions of the arguments to differentiate by.
        has_aux: the function returns a pair, of which only the first is differentiated.
        memory: as for `grad`; what moves with it comes on top, about as much again.

    Returns:
        A compiled function of the arguments of ``function`` and one more, the last one: a vector,
        nested like the argument (a tuple for several arguments). It returns the product, nested
        likewise; with ``has_aux``, a pair of it and the auxiliary result.

    Raises:
        TangentError: when called, if the vector does not fit the argument.

    Examples:
        >>> ag.hvp(lambda x: x[0] ** 2 * x[1])(np.array([2.0, 3.0]), np.array([1.0, 0.0]))
        array([6., 4.])
    """
    return _hvp(function, as_argnums(argnums, function), bool(has_aux), as_bytes(memory))


@remembered
def _hvp(function: Callable, argnums: Any, has_aux: bool, memory: int | None) -> GraphFunction:
    gradient = grad(function, argnums, has_aux, memory=memory)

    def product(*args: Any, **kwargs: Any) -> Any:
        if len(args) < 2:
            raise TangentError(
                "hvp(f) takes the arguments of f and a vector",
                site_of(function),
                id="AG0506",
                fix="write hvp(f)(x, v)",
            )
        *primals, vector = args
        wanted = checked_argnums(argnums, primals, function, holomorphic=False)
        tangents: list[Any] = [nones_like(p) for p in primals]
        parts = [vector] if isinstance(argnums, int) else vector
        if not isinstance(parts, (tuple, list)) or len(parts) != len(wanted):
            raise TangentError(
                f"the vector of hvp has to be a tuple with {len(wanted)} items, one for each of "
                "argnums",
                site_of(function),
                id="AG0506",
                fix="write hvp(f, argnums=(0, 1))(x, y, (v, w))",
            )
        for position, part in zip(wanted, parts):
            tangents[position] = part
        found = push(gradient, has_aux, tuple(primals), tuple(tangents), kwargs)
        return (found[1], found[2]) if has_aux else found[1]

    return transformed(product, function, "hvp", takes_lists=True)


# -- both modes ------------------------------------------------------------------------------------


class _Jacobian:
    """A Jacobian: for each float of the result an array for each float of the arguments."""

    def __init__(
        self, result: Result, arguments: Sequence[Tree], blocks: Iterable[Sequence[Value]]
    ):
        self.result = result
        self.arguments = arguments
        self.blocks = blocks

    def nested(self, several: bool) -> Any:
        """The Jacobian as it is returned."""
        return self.result.nested(self._of_float(blocks, several) for blocks in self.blocks)

    def _of_float(self, blocks: Sequence[Value], several: bool) -> Any:
        arrays = map(GraphArray, fresh(blocks, ()))
        trees = tuple(argument.nested(arrays) for argument in self.arguments)
        return trees if several else trees[0]


def _basis(types: Sequence[ArrayType], site: Location | None) -> tuple[list[Value], list[int]]:
    """All directions in which arrays of some types can change, one in each lane; and the sizes."""
    for type in types:
        require_known(type, site)
    sizes = [type.size for type in types]
    count = sum(sizes)
    if not is_symbolic(sizes):
        return [*directions_of(np.eye(count), types)], sizes
    parts = [ops.eye(count, n, -place.start) for n, place in zip(sizes, _places(sizes))]
    shapes = [(count, *type.shape) for type in types]
    return [
        symbolic(ops.reshape(ops.astype(part, type.dtype), shape)).value
        for part, shape, type in zip(parts, shapes, types)
    ], sizes


def directions_of(rows: np.ndarray, types: Sequence[ArrayType]) -> list[Constant]:
    """What each row of a matrix says how the floats of arrays of some types change, as an array of
    directions for each of them."""
    ends = np.cumsum([0, *(type.size for type in types)])
    return [
        Constant(
            np.ascontiguousarray(rows[:, start:end])
            .reshape(len(rows), *type.shape)
            .astype(type.dtype)
        )
        for start, end, type in zip(ends, ends[1:], types)
    ]


def _places(sizes: Sequence[int]) -> list[slice]:
    """Where each leaf's directions are among all."""
    ends = [*accumulate(sizes, initial=0)]
    return [slice(start, end) for start, end in zip(ends, ends[1:])]


def _derivative(value: Value, index: tuple, of: ArrayType, by: ArrayType) -> Value:
    """The derivative of one leaf by another, of these types: the part of ``value`` at ``index``."""
    if shape := (*of.shape, *by.shape):
        return ops.reshape(ops.subscript(value, index), shape)
    start = index[-1].start
    number = ops.subscript(value, current_builder().lift(start) if is_length(start) else start)
    return _python_number(number) if of.weak and by.weak else number


def _python_number(value: Value) -> Value:
    return ops.cast(value, dtype=value.type.dtype.name, weak=True)


def _columns(
    function: Callable,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    wanted: Sequence[int],
    has_aux: bool,
    holomorphic: bool,
) -> tuple[_Jacobian, Any]:
    """The Jacobian by forward mode, and the auxiliary result."""
    site = site_of(function)
    args = list(args)
    names = parameters_of(function, len(args))
    require_elements((args[position] for position in wanted), site)
    for position in wanted:
        if not holomorphic:
            require_real(args[position], names[position], site)
    block = [symbolic_leaves(args[position], names[position]) for position in wanted]
    for position, argument in zip(wanted, block):
        args[position] = argument.tree
    floats = [leaf for argument in block for leaf in argument.floats]
    types = [leaf.type for leaf in floats]
    call = RecordedCall(function, args, kwargs)
    directions, sizes = _basis(types, site)
    count = sum(sizes)
    graph = call.graph
    outputs: list[Value] | None = None
    if count == 0 or not may_run_again(graph):
        outputs, graph = run_apart(graph, call.values)  # effects are not those of each direction
    if recorder().transformed.lanes:
        graph = outlined_for_lanes(graph, recorder().capabilities)
    with Builder(f"{graph.name}_jvp") as builder:
        moves = call.by_argument(floats, [builder.input(type) for type in types])
        primals, changes = forward.jvp(graph, call.values, moves)
        tangents = [
            zeros(v) if t is None and v.type.inexact else t for v, t in zip(primals, changes)
        ]
        found = [t for t in tangents if t is not None]
        pushed = builder.finish([*(primals if outputs is None else ()), *found], site)
    lanes = in_lanes(pushed, directions, count)
    columns = iter(lanes[len(lanes) - len(found) :])
    by_output = [None if t is None else next(columns) for t in tangents]
    if outputs is None:  # the same in every lane
        outputs = [ops.subscript(v, 0) if flag else v for v, flag in lanes[: len(primals)]]
    result, aux = call.result(outputs, has_aux)
    require_known_nesting(result, site)
    blocks = []
    for content, column in zip(result.floats, result.of_floats(by_output)):
        type = leaf_type(content)
        require_known(type, site)
        if holomorphic and type.dtype.kind != "c":
            _refuse_real(type, site)
        moved = _moved(column, type, count)
        places = zip(_places(sizes), types)
        blocks.append([_derivative(moved, (..., place), type, by) for place, by in places])
    return _Jacobian(result, block, blocks), aux


def _moved(column: tuple[Value, bool] | None, type: ArrayType, count: int) -> Value:
    """How a result of a type changes in each direction, which is the last axis.

    Args:
        column: that with the directions as the first axis, if the flag says that it has one; None
            for zeros.
    """
    if column is None:
        return ops.zeros((*type.shape, count), type.dtype)
    value, has_lanes = column
    if not has_lanes:
        value = ops.broadcast_to(value, (count, *type.shape))
    return ops.moveaxis(value, 0, -1)


def in_lanes(graph: Graph, directions: Sequence[Value], count: int) -> list[tuple[Value, bool]]:
    """The results of a graph for all directions, each with whether it differs between them."""
    if count == 1:  # which needs no lanes
        single = [ops.subscript(direction, 0) for direction in directions]
        args = [_python_number(d) if v.type.weak else d for d, v in zip(single, graph.inputs)]
        return [(v, False) for v in inline(graph, args)]
    flags, nested = [True] * len(directions), recorder().transformed.lanes > 0
    values, flags = vmap(graph, directions, flags, count, recorder().capabilities, nested=nested)
    return list(zip(values, flags))


def rows_in_lanes(graph: Graph, directions: Sequence[Value], count: int) -> list[Value]:
    """The same with the directions as the first axis of each."""
    return [
        value if has_lanes else ops.broadcast_to(value, (count, *value.type.shape))
        for value, has_lanes in in_lanes(graph, directions, count)
    ]


def _rows(
    function: Callable,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    wanted: Sequence[int],
    has_aux: bool,
    holomorphic: bool,
) -> tuple[_Jacobian, Any]:
    """The Jacobian by reverse mode, and the auxiliary result."""
    site = site_of(function)
    require_elements((args[position] for position in wanted), site)
    back = Reverse(function, args, kwargs, wanted, has_aux)
    require_known_nesting(back.result, site)
    types = [leaf_type(leaf) for leaf in back.result.floats]
    for leaf, type in zip(back.result.floats, types):
        if holomorphic and type.dtype.kind != "c":
            _refuse_real(type, site)
        elif not holomorphic:
            require_real(leaf, "the result", site)
    directions, sizes = _basis(types, site)
    with Builder(f"{name_of(function)}_vjp") as builder:
        seeds = [builder.input(d.type._replace(shape=d.type.shape[1:])) for d in directions]
        pulled = builder.finish(back.backward(seeds), site)
    count = sum(sizes)
    rows = rows_in_lanes(pulled, directions, count)
    by = [leaf.type for argument in back.arguments for leaf in argument.floats]
    blocks = [
        [_derivative(row, (place,), type, of_argument) for row, of_argument in zip(rows, by)]
        for type, place in zip(types, _places(sizes))
    ]
    return _Jacobian(back.result, back.arguments, blocks), back.aux


def require_known_nesting(result: Result, site: Location | None) -> None:
    if not result.is_known:
        raise NonDifferentiableError(
            "a Jacobian of a list whose length, or of a container whose presence, is known only "
            "at run time",
            site,
            id="AG0548",
            fix="return an array, for example np.array(xs)",
        )


def require_elements(arguments: Iterable[Any], site: Location | None) -> None:
    """Refuse lists kept as rows, of which a Jacobian has no place for each element."""
    for argument in arguments:
        if any(map(is_rows, flatten(argument, is_leaf=is_rows)[0])):
            raise NonDifferentiableError(
                "a Jacobian by a list that is kept as an array",
                site,
                id="AG0548",
                fix="take an array in its place, for example np.array(xs)",
            )


def require_known(type: ArrayType, site: Location | None) -> None:
    if not type.is_static:
        raise NonDifferentiableError(
            "a Jacobian of arrays whose lengths are known only at run time",
            site,
            id="AG0548",
            fix="use vjp or jvp, or return an array of known shape",
        )


def require_real(tree: Any, what: str, site: Location | None) -> None:
    for leaf in flatten(tree)[0]:
        type = leaf_type(leaf)
        if type is not None and type.dtype.kind == "c":
            raise NonDifferentiableError(
                f"{what} holds {described(leaf)}, by whose real and imaginary parts the function "
                "may have derivatives that do not fit one complex number",
                site,
                id="AG0549",
                fix="say holomorphic=True if the function is holomorphic, or take real and "
                "imaginary parts",
            )


def _refuse_real(type: ArrayType, site: Location | None) -> None:
    raise NonDifferentiableError(
        f"with holomorphic=True the result has to be complex, but it holds {type}",
        site,
        id="AG0509",
        fix="leave holomorphic out: the function is not holomorphic",
    )
