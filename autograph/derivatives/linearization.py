"""`linearize`: the value of a function, and its derivative there as a linear function.

The function is recorded with its derivative in forward mode, and what it takes to compute that is
split in two: what depends on the tangents is the linear function, the rest is done at once. So the
linear function costs about as much as the function itself, however often it is called, and what it
needs of the first part is kept. A loop or branch belongs to the linear function as a whole if its
derivative does: it runs again there, and keeps nothing from trip to trip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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
from autograph.derivatives.linear_maps import LinearMap, own_values, split_off
from autograph.errors import UnsupportedFunctionError
from autograph.graph.builder import Builder, current_builder, inline
from autograph.graph.graph import Graph, Node, Value
from autograph.staging.array import GraphArray
from autograph.staging.maybe import MaybeNone, NoneOr
from autograph.staging.trace import subgraph
from autograph.tracebacks import leaves_compiler
from autograph.transforms import jvp as transform
from autograph.transforms.replay import record, replay
from autograph.transforms.tape import instantiate
from ops.registry import active_tracer


@leaves_compiler
def linearize(function: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """The value of a function, and its derivative as a function from tangents to tangents.

    Args:
        function: a Python function, plain or converted.
        primals: its arguments: nested tuples, lists and dicts of arrays, numbers and anything else.
        has_aux: the function returns a pair, of which only the first is differentiated.

    Returns:
        ``(out, push)``; with ``has_aux``, ``(out, push, aux)``. ``push(*tangents)`` takes as many
        arguments as the function, nested likewise: tangents as `jvp` takes them. It returns the
        tangent of the result, as `jvp` does. It may be called many times, and costs no more than a
        call of the function. Neither changing ``primals`` nor changing ``out`` changes what it
        does.

    Raises:
        TangentError: (when ``push`` is called) the tangents don't fit the primals.
        UnsupportedFunctionError: the result holds objects of the user's classes, a list whose
            length only the run knows, or something that may be None.
    """
    if active_tracer() is not None:
        linear = _Linear(function, primals, has_aux)
        return (linear.value, linear.push, linear.aux) if has_aux else (linear.value, linear.push)
    forward = _forward(function, bool(has_aux))
    value, aux, residuals, part = forward(*primals)
    push = Pushforward(LinearMap(part, residuals, primals, value, forward.options["backend"]))
    return (value, push, aux) if has_aux else (value, push)


@remembered
def _forward(function: Callable, has_aux: bool) -> GraphFunction:
    def forward(*primals: Any) -> tuple:
        linear = _Linear(function, primals, has_aux, apart=True)
        value, residuals, part = split_off(linear.template, linear.value, linear.types, linear.site)
        return value, linear.aux, residuals, part

    return transformed(forward, function, "linearize")


class Pushforward:
    """What `linearize` returns when called eagerly: a function from tangents to tangents."""

    def __init__(self, linear: LinearMap):
        self._linear = linear

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the value; see `linearize`."""
        return self._linear(tangents, "the tangents", "a tangent")


class _Linear:
    """A function recorded with its derivative, split in two, inside a recording.

    Attributes:
        value, aux: what the function returned; aux is None without ``has_aux``.
        template: from the tangents of the arguments' leaves to those of the value's, where they
            have any.
        types: for each leaf of the arguments the type of its tangent; None if it has none.
        moving: which leaves of the value have a tangent.
    """

    of_a_recording = True  # so `push` is not returned from it

    def __init__(
        self, function: Callable, primals: Sequence[Any], has_aux: bool, apart: bool = False
    ):
        self.site = site_of(function)
        leaves, self._spec = flatten(tuple(primals))
        self._nesting = nesting(tuple(primals))
        leaves = [symbolic(leaf) if is_inexact(leaf) else leaf for leaf in leaves]
        self.types = [leaf_type(leaf) if is_inexact(leaf) else None for leaf in leaves]
        self._primals = [leaf.value for leaf in leaves if is_inexact(leaf)]
        args = unflatten(self._spec, leaves)
        traced, arguments = subgraph(active_tracer(), function, name_of(function), args, {})
        graph = traced.module.main
        values = [argument.value for argument in arguments]
        if apart:
            values = own_values(graph, values)
        outputs, again = run_apart(graph, values)
        boxes = [GraphArray(value) for value in outputs]
        result = traced.delivery.deliver(boxes)
        self.value, self.aux = pair(result, self.site) if has_aux else (result, None)
        self.leaves, self.spec = flatten(self.value)
        _refuse_unknown(self.leaves, boxes, self.site)
        contents = [content_of(leaf) for leaf in self.leaves]
        self.moving = [is_inexact(content) for content in contents]
        with Builder(f"{graph.name}_linear") as builder:
            moves = {
                id(leaf): builder.input(type)
                for leaf, type in zip(leaves, self.types)
                if type is not None
            }
            _, changes = transform.jvp(again, values, [moves.get(id(a)) for a in arguments])
            positions = positions_of(self.leaves, boxes)
            found = [None if k is None else changes[k] for k in positions]
            found = [t for t, flag in zip(found, self.moving) if flag]
            shapes = [symbolic(c).value for c, flag in zip(contents, self.moving) if flag]
            tangents = fresh(instantiate(found, shapes), [*values, *builder.inputs])
            whole = builder.finish(tangents)
        self.template = _split(whole)

    def push(self, *tangents: Any) -> Any:
        """The tangent of the value; see `linearize`."""
        given = aligned(without_float0(tangents), self._nesting, "the tangents", self.site)
        moves = [converted(t, type, "a tangent", self.site) for t, type in zip(given, self.types)]
        given = [m for m, type in zip(moves, self.types) if type is not None]
        values = instantiate(
            [None if move is None else symbolic(move).value for move in given], self._primals
        )
        results = iter(inline(self.template, values))
        return unflatten(
            self.spec, [GraphArray(next(results)) if flag else None for flag in self.moving]
        )


def run_apart(graph: Graph, values: Sequence[Value]) -> tuple[list[Value], Graph]:
    """Add a graph applied to ``values`` to the current builder.

    Returns:
        (its results, a graph that computes them once more, for derivatives: it has no effects, and
        has the numbers that generators gave).
    """
    env = dict(zip(graph.inputs, values))
    kept = record(graph, env, None)
    with Builder(graph.name) as builder:
        inner = {v: builder.input(v.type, v.name) for v in graph.inputs}
        replay(graph, inner, kept, None)
        again = builder.finish([inner.get(v, v) for v in graph.outputs])
    return [env.get(v, v) for v in graph.outputs], again


def _split(whole: Graph) -> Graph:
    """What depends on the inputs of a graph as a graph; the rest is added to the current builder.

    ``whole`` is taken apart.
    """
    moving: set[Value] = set(whole.inputs)
    linear: list[Node] = []
    builder = current_builder()
    for node in whole.nodes:
        if any(v in moving for v in node.uses()):
            moving.update(node.outputs)
            linear.append(node)
        else:
            builder.nodes.append(node)
    return Graph(whole.name, whole.inputs, tuple(linear), whole.outputs, whole.location)


def _refuse_unknown(leaves: Sequence[Any], boxes: Sequence[GraphArray], site: Any) -> None:
    refuse_objects(leaves, site)
    made = {id(box) for box in boxes}
    for leaf in leaves:
        in_list = isinstance(leaf, GraphArray) and id(leaf) not in made and leaf.value.producer
        if isinstance(leaf, (NoneOr, MaybeNone)) or in_list:
            raise UnsupportedFunctionError(
                "the function returns a list whose length, or something whose presence, only the "
                "run tells",
                site,
                id="AG0508",
                fix="return an array, for example np.array(xs), or call jvp",
            )
