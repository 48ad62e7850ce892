"""`jacfwd`, `jacrev`, `hessian` and `hvp`: derivatives of arrays by arrays.

A Jacobian is one derivative along each direction, all of them at once: forward or reverse mode is
batched over the directions. What does not depend on the direction, the function itself above all,
is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import optree

import ops
from autograph.api import GraphFunction
from autograph.derivatives.common import (
    as_argnums,
    checked_argnums,
    content_of,
    described,
    flatten,
    fresh,
    is_inexact,
    leaf_type,
    name_of,
    pair,
    positions_of,
    refuse_objects,
    remembered,
    require_floats,
    site_of,
    symbolic,
    transformed,
    unflatten,
)
from autograph.derivatives.gradients import grad
from autograph.derivatives.linearization import run_apart
from autograph.derivatives.pullbacks import Reverse
from autograph.derivatives.tangents import push
from autograph.errors import Location, NonDifferentiableError, TangentError
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Value
from autograph.staging.array import GraphArray
from autograph.staging.maybe import NoneOr
from autograph.staging.trace import subgraph
from autograph.tracebacks import leaves_compiler
from autograph.transforms import jvp as forward
from autograph.transforms.outlining import outlined
from autograph.transforms.replay import keeps_nothing
from autograph.transforms.tape import zeros
from autograph.transforms.vmap import vmap
from ops.registry import active_tracer
from ops.types import ArrayType


@leaves_compiler
def jacfwd(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> GraphFunction:
    """The Jacobian of a function, by forward mode: best for few arguments and many results.

    Args:
        function: a Python function, plain or converted.
        argnums: the positions of the arguments to differentiate by: nested tuples, lists and dicts
            of floating-point arrays and numbers.
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
    """
    wanted = as_argnums(argnums, function)
    return _jacobian(function, "jacfwd", wanted, bool(has_aux), bool(holomorphic))


@leaves_compiler
def jacrev(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> GraphFunction:
    """The Jacobian of a function, by reverse mode: best for many arguments and few results.

    As `jacfwd`. Complex arguments are allowed without ``holomorphic`` if the results are real; the
    convention is that of `grad`.

    Raises:
        NonDifferentiableError: when called, if an argument is not floating-point, or a result is
            complex; with ``holomorphic``, not complex.
    """
    wanted = as_argnums(argnums, function)
    return _jacobian(function, "jacrev", wanted, bool(has_aux), bool(holomorphic))


@remembered
def _jacobian(
    function: Callable, mode: str, argnums: Any, has_aux: bool, holomorphic: bool
) -> GraphFunction:
    derive = {"jacfwd": _columns, "jacrev": _rows}[mode]

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        wanted = checked_argnums(argnums, len(args), function)
        made, aux = derive(function, args, kwargs, wanted, has_aux, holomorphic)
        result = _nested(made, not isinstance(argnums, int))
        return (result, aux) if has_aux else result

    return transformed(jacobian, function, mode)


@leaves_compiler
def hessian(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> GraphFunction:
    """The second derivatives of a function, forward over reverse mode.

    The arguments are those of `jacfwd`. For arguments of shapes s and t, and a result of shape r,
    there is an array of shape ``r + s + t``; a scalar function of one array has a square matrix.
    """
    return jacfwd(jacrev(function, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


@leaves_compiler
def hvp(
    function: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> GraphFunction:
    """The product of the Hessian of a scalar function with a vector, without the Hessian.

    Forward over reverse mode: a small multiple of the time of the function.

    Args:
        function: a Python function, plain or converted, whose result is a real scalar.
        argnums: the positions of the arguments to differentiate by.
        has_aux: the function returns a pair, of which only the first is differentiated.

    Returns:
        A compiled function of the arguments of ``function`` and one more, the last one: a vector,
        nested like the argument (a tuple for several arguments). It returns the product, nested
        likewise; with ``has_aux``, a pair of it and the auxiliary result.

    Raises:
        TangentError: when called, if the vector does not fit the argument.
    """
    return _hvp(function, as_argnums(argnums, function), bool(has_aux))


@remembered
def _hvp(function: Callable, argnums: Any, has_aux: bool) -> GraphFunction:
    gradient = grad(function, argnums, has_aux)

    def product(*args: Any, **kwargs: Any) -> Any:
        if len(args) < 2:
            raise TangentError(
                "hvp(f) takes the arguments of f and a vector",
                site_of(function),
                id="AG0506",
                fix="write hvp(f)(x, v)",
            )
        *primals, vector = args
        wanted = checked_argnums(argnums, len(primals), function)
        for position in wanted:
            require_floats(primals[position], position, False, site_of(function))
        tangents: list[Any] = [optree.tree_map(lambda _: None, p) for p in primals]
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

    return transformed(product, function, "hvp")


# -- both modes ------------------------------------------------------------------------------------


class _Block:
    """The arguments' part of a Jacobian: for each leaf its type, and how they are nested."""

    def __init__(self, trees: Sequence[Any]):
        self._flat = [flatten(tree) for tree in trees]
        self.leaves = [leaf for leaves, _ in self._flat for leaf in leaves if leaf is not None]
        self.types = [leaf_type(leaf) for leaf in self.leaves]

    def nested(self, leaves: Iterable[Any]) -> tuple:
        """What is nested like each of the arguments."""
        remaining = iter(leaves)
        return tuple(
            unflatten(spec, [None if leaf is None else next(remaining) for leaf in leaves])
            for leaves, spec in self._flat
        )


class _Jacobian:
    """A Jacobian: the result's leaves, each with an array for each leaf of the arguments."""

    def __init__(self, spec: Any, block: _Block, blocks: Sequence[Sequence[Value] | None]):
        self.spec = spec
        self.block = block
        self.blocks = blocks


def _nested(jacobian: _Jacobian, several: bool) -> Any:
    """The Jacobian as it is returned."""

    def of_leaf(blocks: Sequence[Value] | None) -> Any:
        if blocks is None:
            return None
        trees = jacobian.block.nested(GraphArray(b) for b in fresh(blocks, ()))
        return trees if several else trees[0]

    return unflatten(jacobian.spec, [of_leaf(blocks) for blocks in jacobian.blocks])


def _basis(types: Sequence[ArrayType], site: Location | None) -> tuple[list[Constant], list[int]]:
    """All directions in which arrays of some types can change, one in each lane; and the sizes."""
    for type in types:
        _require_known(type, site)
    sizes = [type.size for type in types]
    identity = np.eye(sum(sizes))
    ends = np.cumsum(sizes)
    parts = [
        identity[:, end - n : end].reshape(len(identity), *type.shape).astype(type.dtype)
        for type, n, end in zip(types, sizes, ends)
    ]
    return [Constant(part) for part in parts], sizes


def _places(sizes: Sequence[int]) -> list[slice]:
    """Where each leaf's directions are among all."""
    ends = np.cumsum([0, *sizes])
    return [slice(int(start), int(end)) for start, end in zip(ends, ends[1:])]


def _derivative(value: Value, index: tuple, of: ArrayType, by: ArrayType) -> Value:
    """The derivative of one leaf by another, of these types: the part of ``value`` at ``index``."""
    if shape := (*of.shape, *by.shape):
        return ops.reshape(ops.subscript(value, index), shape)
    number = ops.subscript(value, index[-1].start)
    if of.weak and by.weak:
        return ops.cast(number, dtype=number.type.dtype.name, weak=True)
    return number


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
    for position in wanted:
        require_floats(args[position], position, holomorphic, site)
        if not holomorphic:
            _require_real(args[position], f"argument {position}", site)
        leaves, spec = flatten(args[position])
        args[position] = unflatten(spec, [x if x is None else symbolic(x) for x in leaves])
    block = _Block([args[position] for position in wanted])
    traced, arguments = subgraph(active_tracer(), function, name_of(function), args, kwargs)
    graph = traced.module.main
    directions, sizes = _basis(block.types, site)
    count = sum(sizes)
    primals = [argument.value for argument in arguments]
    results: list[Value] | None = None
    if count == 0 or not keeps_nothing(graph, None):
        results, graph = run_apart(graph, primals)  # effects are not those of each direction
    if active_tracer().lanes:
        graph = outlined(graph)
    with Builder(f"{graph.name}_jvp") as builder:
        moves = {id(leaf): builder.input(t) for leaf, t in zip(block.leaves, block.types)}
        outputs, changes = forward.jvp(graph, primals, [moves.get(id(a)) for a in arguments])
        tangents = [
            zeros(v) if t is None and v.type.inexact else t for v, t in zip(outputs, changes)
        ]
        found = [t for t in tangents if t is not None]
        pushed = builder.finish([*(outputs if results is None else ()), *found])
    pushed.location = site
    nested = active_tracer().lanes > 0
    values, flags = vmap(pushed, directions, [True] * len(directions), count, nested=nested)
    columns = iter(zip(values[-len(found) :], flags[-len(found) :]) if found else ())
    if results is None:  # the same in every lane
        results = [ops.subscript(v, 0) if flag else v for v, flag in zip(values, flags)]
    boxes = [GraphArray(value) for value in results[: len(outputs)]]
    by_output = [None if t is None else next(columns) for t in tangents]
    result = traced.delivery.deliver(boxes)
    result, aux = pair(result, site) if has_aux else (result, None)
    leaves, spec = flatten(result)
    refuse_objects(leaves, site)
    made = {id(box) for box in boxes}
    contents = [content_of(leaf) for leaf in leaves]
    _require_known_nesting(
        leaves, any(isinstance(c, GraphArray) and id(c) not in made for c in contents), site
    )
    blocks: list[Sequence[Value] | None] = []
    for content, position in zip(contents, positions_of(leaves, boxes)):
        if not is_inexact(content):
            blocks.append(None)
            continue
        type = leaf_type(content)
        _require_known(type, site)
        if holomorphic and type.dtype.kind != "c":
            _refuse_real(type, site)
        if position is None or by_output[position] is None:
            moved = ops.zeros((*type.shape, count), type.dtype)
        else:
            column, has_lanes = by_output[position]
            if not has_lanes:
                column = ops.broadcast_to(column, (count, *type.shape))
            moved = ops.moveaxis(column, 0, -1)
        blocks.append(
            [
                _derivative(moved, (..., place), type, by)
                for place, by in zip(_places(sizes), block.types)
            ]
        )
    return _Jacobian(spec, block, blocks), aux


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
    for position in wanted:
        require_floats(args[position], position, holomorphic, site)
    back = Reverse(function, args, kwargs, wanted, has_aux)
    _require_known_nesting(back.leaves, back.has_rows, site)
    block = _Block([args[position] for position in wanted])
    _, spec = flatten(back.value)
    present = [leaf for leaf in back.contents if leaf is not None]
    for leaf in present:
        type = leaf_type(leaf)
        if holomorphic and type.dtype.kind != "c":
            _refuse_real(type, site)
        elif not holomorphic:
            _require_real(leaf, "the result", site)
    directions, sizes = _basis([leaf_type(leaf) for leaf in present], site)
    with Builder(f"{name_of(function)}_vjp") as builder:
        given = iter([builder.input(d.type._replace(shape=d.type.shape[1:])) for d in directions])
        seeds = [None if leaf is None else next(given) for leaf in back.contents]
        cotangents = [ct for ct in back.backward(seeds) if ct is not None]
        pulled = builder.finish(cotangents)
    pulled.location = site
    count = sum(sizes)
    nested = active_tracer().lanes > 0
    values, flags = vmap(pulled, directions, [True] * len(directions), count, nested=nested)
    values = [
        v if flag else ops.broadcast_to(v, (count, *v.type.shape)) for v, flag in zip(values, flags)
    ]
    blocks: list[Sequence[Value] | None] = []
    places = iter(_places(sizes))
    for leaf in back.contents:
        if leaf is None:
            blocks.append(None)
            continue
        place = next(places)
        blocks.append(
            [_derivative(v, (place,), leaf_type(leaf), by) for v, by in zip(values, block.types)]
        )
    return _Jacobian(spec, block, blocks), back.aux


def _require_known_nesting(leaves: Iterable[Any], has_rows: bool, site: Location | None) -> None:
    if has_rows or any(isinstance(leaf, NoneOr) for leaf in leaves):
        raise NonDifferentiableError(
            "a Jacobian of a list whose length, or of a container whose presence, only the run "
            "tells",
            site,
            id="AG0548",
            fix="return an array, for example np.array(xs)",
        )


def _require_known(type: ArrayType, site: Location | None) -> None:
    if not type.is_static:
        raise NonDifferentiableError(
            "a Jacobian of arrays whose lengths only the run tells",
            site,
            id="AG0548",
            fix="use vjp or jvp, or return an array of known shape",
        )


def _require_real(tree: Any, what: str, site: Location | None) -> None:
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
