"""`vjp`: the value of a function, and the function that takes cotangents back to its arguments.

Called while a function is recorded, `vjp` adds the forward pass to the recording, and the function
that it returns adds the backward pass where it is called. Called eagerly, the forward pass is a
compiled function that also returns the residuals, and the backward pass is another one, compiled
when it is first called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

import ops
from autograph.api import GraphFunction
from autograph.backends.select import backend_named, backend_of
from autograph.compiled import Compiled
from autograph.differentiation import (
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
    root,
    site_of,
    symbolic,
    transformed,
    unflatten,
    without_float0,
)
from autograph.errors import Location, UnsupportedFunctionError
from autograph.graph.builder import Builder, copy_node, current_builder, inline
from autograph.graph.graph import Constant, Graph, Module, Value, walk
from autograph.staging.array import GraphArray
from autograph.staging.delivery import OUTPUT, Delivery
from autograph.staging.maybe import NoneOr
from autograph.staging.nesting import LEAF, TupleOf
from autograph.staging.trace import Traced, subgraph
from autograph.transforms.tape import add_cotangents, instantiate
from autograph.transforms.vjp import vjp as transform
from ops import regions
from ops.registry import active_tracer
from ops.types import ArrayType


def vjp(function: Callable, *args: Any, has_aux: bool = False) -> tuple:
    """The value of a function, and its derivative as a function from cotangents to cotangents.

    Args:
        function: a Python function, plain or converted.
        args: its arguments: nested tuples, lists and dicts of arrays, numbers and anything else.
        has_aux: the function returns a pair, of which only the first is differentiated.

    Returns:
        ``(out, pull)``; with ``has_aux``, ``(out, pull, aux)``. ``pull(cotangent)`` takes
        something nested like ``out``, with for each floating-point or complex array or number one
        of the same shape, of a dtype that NumPy casts by its rule "same_kind", or None for zero,
        and None for everything else. It returns a tuple with an item for each of ``args``, nested
        like that, with None for what has no derivative. It may be called many times. Neither
        changing ``args`` nor changing ``out`` afterwards changes what it does.

        For complex numbers the rules are C-linear, as in JAX: the cotangent of ``z = x + iy`` under
        a real function f is ``ct * (df/dx - i df/dy)``.

    Raises:
        TangentError: (when ``pull`` is called) the cotangents don't fit the result.
        UnsupportedFunctionError: the result holds objects of the user's classes; or, called
            eagerly, it is a list, or something that may be None, whose contents only the run knows.
    """
    if active_tracer() is not None:
        back = Reverse(function, args, {}, list(range(len(args))), has_aux)
        return (back.value, back.pull, back.aux) if has_aux else (back.value, back.pull)
    forward = _forward(function, bool(has_aux))
    value, aux, residuals, backward = forward(*args)
    chosen = forward.options["backend"]
    leaves, _ = flatten((args, value))  # residuals are nested as deeply as the calls
    backend = backend_of([*leaves, *residuals]) if chosen is None else backend_named(chosen)
    pull = Pullback(backward, residuals, value, args, backend)
    return (value, pull, aux) if has_aux else (value, pull)


class Reverse:
    """A function recorded with its derivative in reverse mode, inside a recording.

    Args:
        wanted: the positions of the arguments to differentiate by.
        apart: what control flow leaves for the backward pass shares no memory with the arguments.

    Attributes:
        value, aux: what the function returned; aux is None without ``has_aux``.
        leaves: of the value.
        contents: the symbolic array for each of these; None for leaves without a derivative.
        has_rows: whether the value holds a list whose length only the run knows.
        site: where the function is defined.
    """

    def __init__(
        self,
        function: Callable,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        wanted: Sequence[int],
        has_aux: bool,
        apart: bool = False,
    ):
        self.site = site_of(function)
        args = list(args)
        self._args = []  # for each argument wanted: its leaves, its nesting
        for position in wanted:
            leaves, spec = flatten(args[position])
            leaves = [symbolic(leaf) if is_inexact(leaf) else leaf for leaf in leaves]
            args[position] = unflatten(spec, leaves)
            self._args.append((leaves, spec))
        active = {id(leaf) for leaves, _ in self._args for leaf in leaves if is_inexact(leaf)}
        traced, self._arguments = subgraph(
            active_tracer(), function, name_of(function), args, kwargs
        )
        graph = traced.module.main
        values = [argument.value for argument in self._arguments]
        if apart and any(node.regions or node.op is regions.call for node in graph.nodes):
            values = [_copied(value) for value in values]
        flags = [id(argument) in active for argument in self._arguments]
        self._outputs, self._pullback = transform(graph, values, flags)
        boxes = [GraphArray(value) for value in self._outputs]
        result = traced.delivery.deliver(boxes)
        self.value, self.aux = pair(result, self.site) if has_aux else (result, None)
        self.leaves, _ = flatten(self.value)
        refuse_objects(self.leaves, self.site)
        self._nesting = nesting(self.value)
        self._positions = positions_of(self.leaves, boxes)
        made = {id(box) for box in boxes}
        contents = [content_of(leaf) for leaf in self.leaves]
        self.has_rows = any(isinstance(c, GraphArray) and id(c) not in made for c in contents)
        self.contents = [leaf if is_inexact(leaf) else None for leaf in contents]

    def pull(self, cotangent: Any) -> tuple:
        """The cotangents of the arguments, given that of the value: what `vjp` returns."""
        given = aligned(without_float0(cotangent), self._nesting, "the cotangents", self.site)
        seeds = [
            converted(ct, leaf_type(content_of(leaf)), "a cotangent", self.site)
            for ct, leaf in zip(given, self.leaves)
        ]
        return self.trees([None if ct is None else symbolic(ct).value for ct in seeds])

    def trees(self, seeds: Sequence[Value | None]) -> tuple:
        """The cotangents of the arguments, nested as these are, given those of the leaves."""
        results = self.backward(seeds)
        boxes = iter([None if ct is None else GraphArray(ct) for ct in results])
        return tuple(unflatten(spec, [next(boxes) for _ in leaves]) for leaves, spec in self._args)

    def backward(self, seeds: Sequence[Value | None]) -> list[Value | None]:
        """The cotangents of the leaves of the arguments, given those of the leaves of the value.

        They are new arrays; None where there is no derivative.
        """
        by_output: list[Value | None] = [None] * len(self._outputs)
        for seed, position in zip(seeds, self._positions):
            if seed is not None and position is not None:
                before = by_output[position]
                by_output[position] = seed if before is None else add_cotangents(before, seed)
        found = {
            id(argument): ct for argument, ct in zip(self._arguments, self._pullback(by_output))
        }
        leaves = [leaf for leaves, _ in self._args for leaf in leaves]
        inexact = [leaf for leaf in leaves if is_inexact(leaf)]
        cotangents = instantiate(
            [found.get(id(leaf)) for leaf in inexact], [leaf.value for leaf in inexact]
        )
        shared = [argument.value for argument in self._arguments]
        results = iter(fresh(cotangents, [*shared, *filter(_is_there, seeds)]))
        return [next(results) if is_inexact(leaf) else None for leaf in leaves]


def _copied(value: Value) -> Value:
    """A floating-point array as a copy, which stays what it is when the caller's array changes."""
    return ops.copy(value) if value.type.inexact and value.type.shape != () else value


def _is_there(value: Any) -> bool:
    return value is not None


# -- called eagerly --------------------------------------------------------------------------------


@remembered
def _forward(function: Callable, has_aux: bool) -> GraphFunction:
    def forward(*args: Any) -> tuple:
        back = Reverse(function, args, {}, list(range(len(args))), has_aux, apart=True)
        _refuse_unknown_nesting(back)
        template = _template(back)
        captured = [*template.captures, *_outside(template)]
        value = _value_apart(back, captured)
        residuals = [GraphArray(ops.copy(v) if _is_the_callers(v) else v) for v in captured]
        types = [leaf_type(leaf) for leaf in back.contents]
        return value, back.aux, residuals, Backward(template, captured, types, back.site)

    return transformed(forward, function, "vjp")


def _is_the_callers(residual: Value) -> bool:
    """Whether a residual is an array that the caller may change, or shares memory with one."""
    is_array = isinstance(residual.type, ArrayType) and residual.type.shape != ()
    return is_array and root(residual).producer is None


def _refuse_unknown_nesting(back: Reverse) -> None:
    if back.has_rows or any(isinstance(leaf, NoneOr) for leaf in back.leaves):
        raise UnsupportedFunctionError(
            "the function returns a list whose length, or a container whose presence, only the run "
            "tells: it is not known which cotangents there are",
            back.site,
            id="AG0508",
            fix="return an array, for example np.array(xs), or call vjp in a compiled function",
        )


def _template(back: Reverse) -> Graph:
    """The backward pass as a graph from the cotangents of the value's leaves to those of the
    arguments' leaves, where these have any. What it captures are the residuals."""
    with Builder("pull") as builder:
        seeds = [None if leaf is None else builder.input(leaf_type(leaf)) for leaf in back.contents]
        results = back.backward(seeds)
        return builder.finish([ct for ct in results if ct is not None])


def _outside(template: Graph) -> list[Constant]:
    """The arrays from outside the function that a graph refers to: they may change."""
    found: dict[Value, None] = dict.fromkeys(template.outputs)
    for node in walk(template):
        found.update(dict.fromkeys(node.inputs))
        found.update(dict.fromkeys(v for region in node.regions for v in region.outputs))
    tracer = active_tracer()
    return [v for v in found if isinstance(v, Constant) and tracer.is_captured(v)]


def _value_apart(back: Reverse, residuals: Sequence[Value]) -> Any:
    """The value, of arrays that share no memory with the residuals."""
    containers = not all(isinstance(v.type, ArrayType) for v in residuals)
    roots = {root(v) for v in residuals}

    def apart(leaf: Any) -> Any:
        is_array = type(leaf) is GraphArray and leaf.type.shape != ()
        if is_array and (containers or root(leaf.value) in roots):
            return GraphArray(ops.copy(leaf.value))
        return leaf

    leaves, spec = flatten(back.value)
    return unflatten(spec, [apart(leaf) for leaf in leaves])


class Backward:
    """The backward pass that belongs to a compiled forward pass.

    Args:
        template: from `_template`.
        captured: the values that it captures, and arrays from outside that it refers to.
        types: for each leaf of the value the type of its cotangent; None if it has none.
        site: where the function is defined.
    """

    def __init__(
        self,
        template: Graph,
        captured: Sequence[Value],
        types: Sequence[ArrayType | None],
        site: Location | None,
    ):
        self.types = types
        self.site = site
        with Builder(template.name) as builder:
            env: dict[Value, Value] = {v: builder.input(v.type, v.name) for v in captured}
            env.update((v, builder.input(v.type, v.name)) for v in template.inputs)
            for node in template.nodes:
                copy_node(builder, node, env)
            self.graph = builder.finish([env.get(v, v) for v in template.outputs])
            self._graphs = dict(builder.graphs)
        self.graph.location = site
        self._exceptions = active_tracer().exceptions
        self._compiled: dict[str, Compiled] = {}

    def __call__(self, inputs: Sequence[Any], backend: ModuleType) -> list[Any]:
        """The outputs of the graph for some inputs; within a recording, symbolic ones."""
        if active_tracer() is not None:
            return self._recorded(inputs)
        if not self.graph.outputs:
            return []
        compiled = self._compiled.get(backend.name)
        if compiled is None:
            parts = (LEAF,) * len(self.graph.outputs)
            structure = TupleOf(tuple, (TupleOf(tuple, parts),))
            traced = Traced(
                Module(self.graph, self._graphs),
                Delivery(structure, [OUTPUT] * len(parts), []),
                exceptions=self._exceptions,
            )
            positions = tuple(range(len(inputs)))
            compiled = self._compiled[backend.name] = Compiled(traced, backend, positions, ())
        try:
            return list(compiled(inputs, ((), {})))
        except Exception as error:
            translated = compiled.translated(error)
            if translated is error:
                raise
            raise translated from translated.__cause__

    def _recorded(self, inputs: Sequence[Any]) -> list[GraphArray]:
        if not all(isinstance(v.type, ArrayType) for v in self.graph.inputs):
            raise UnsupportedFunctionError(
                "the function returned by a vjp outside of the compiled function is called in it, "
                "and it holds what control flow has left",
                self.site,
                id="AG0510",
                fix="call vjp in the compiled function as well",
            )
        current_builder().graphs.update(self._graphs)
        values = [symbolic(v).value for v in inputs]
        return [GraphArray(v) for v in inline(self.graph, values)]


class Pullback:
    """What `vjp` returns when called eagerly: a function from cotangents to cotangents.

    Args:
        value: of the function; only its nesting and its shapes are kept.
        args: of the function; only their nesting is kept.
        backend: on which the forward pass ran.
    """

    def __init__(
        self,
        backward: Backward,
        residuals: list[Any],
        value: Any,
        args: tuple,
        backend: ModuleType,
    ):
        self._backward = backward
        self._backend = backend
        self._residuals = residuals
        self._nesting = nesting(value)
        self._shapes = [getattr(leaf, "shape", ()) for leaf in flatten(value)[0]]
        leaves, self._spec = flatten(args)
        self._has_derivative = [is_inexact(leaf) for leaf in leaves]

    def __call__(self, cotangent: Any) -> tuple:
        """The cotangents of the arguments; see `vjp`."""
        site = self._backward.site
        given = aligned(without_float0(cotangent), self._nesting, "the cotangents", site)
        seeds = []
        for ct, type, shape in zip(given, self._backward.types, self._shapes):
            if type is None:
                converted(ct, None, "a cotangent", site)
                continue
            seed = converted(ct, type._replace(shape=shape), "a cotangent", site)
            seeds.append(_zero(type, shape) if seed is None else seed)
        results = iter(self._backward([*self._residuals, *seeds], self._backend))
        return unflatten(
            self._spec, [next(results) if flag else None for flag in self._has_derivative]
        )


def _zero(type: ArrayType, shape: tuple[int, ...]) -> Any:
    zero = np.zeros(shape, type.dtype)
    return zero.item() if type.weak else zero[()]
