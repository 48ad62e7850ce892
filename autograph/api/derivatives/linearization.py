"""`linearize`: the value of a function, and its derivative there as a linear function.

The function is recorded with its derivative in forward mode, and what it takes to compute that is
split in two: what depends on the tangents is the linear function, the rest is done at once. So the
linear function costs about as much as the function itself, however often it is called, and what it
needs of the first part is kept. A loop or branch belongs to the linear function as a whole if its
derivative does: it runs again there, and keeps nothing from trip to trip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import fresh, remembered, symbolic, transformed
from autograph.api.derivatives.linear_maps import LinearMap, own_values, split_off
from autograph.api.derivatives.recorded_calls import RecordedCall, Result, symbolic_arguments
from autograph.api.function import GraphFunction
from autograph.api.type_parameters import Aux, R
from autograph.errors import Location, UnsupportedFunctionError
from autograph.graph.builder import Builder, current_builder, inline
from autograph.graph.graph import Graph, Node, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import active_recorder
from autograph.staging.values.maybe import MaybeNone
from autograph.transforms import jvp as transform
from autograph.transforms.reverse.replay import record, replay
from autograph.transforms.reverse.tape import instantiate


@overload
def linearize(
    function: Callable[..., R], *primals: Any, has_aux: Literal[False] = False
) -> tuple[R, Callable[..., R]]: ...


@overload
def linearize(
    function: Callable[..., tuple[R, Aux]], *primals: Any, has_aux: Literal[True]
) -> tuple[R, Callable[..., R], Aux]: ...


@overload
def linearize(function: Callable, *primals: Any, has_aux: bool) -> tuple[Any, ...]: ...


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
        UnsupportedFunctionError: the result holds a list whose length is known only at run time, or
            something that may be None.

    Examples:
        >>> out, push = ag.linearize(lambda x: x**2, 3.0)
        >>> out, push(1.0), push(0.5)
        (9.0, 6.0, 3.0)
    """
    if active_recorder() is not None:
        linear = _Linear(function, primals, has_aux)
        value = linear.result.tree
        return (value, linear.push, linear.aux) if has_aux else (value, linear.push)
    forward = _forward(function, bool(has_aux))
    value, aux, residuals, part = forward(*primals)
    push = Pushforward(LinearMap(part, residuals, primals, value, forward.options["backend"]))
    return (value, push, aux) if has_aux else (value, push)


@remembered
def _forward(function: Callable, has_aux: bool) -> GraphFunction:
    def forward(*primals: Any) -> tuple:
        linear = _Linear(function, primals, has_aux, apart=True)
        value, residuals, part = split_off(
            linear.template, linear.result.tree, linear.primals, linear.site
        )
        return value, linear.aux, residuals, part

    return transformed(forward, function, "linearize")


class Pushforward:
    """What `linearize` returns when called eagerly: a function from tangents to tangents."""

    def __init__(self, linear: LinearMap):
        self._linear = linear

    @leaves_compiler
    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the value; see `linearize`."""
        return self._linear(tangents, "the tangents", "a tangent")


class _Linear:
    """A function recorded with its derivative, split in two, inside a recording.

    Attributes:
        primals: the arguments.
        result, aux: what the function returned; aux is None without ``has_aux``.
        template: from the tangents of the arguments' floats to those of the result's.
        site: where the function is defined.
    """

    of_a_recording = True  # so `push` is not returned from it

    def __init__(
        self, function: Callable, primals: Sequence[Any], has_aux: bool, apart: bool = False
    ):
        self.primals = symbolic_arguments(tuple(primals), function)
        call = RecordedCall(function, self.primals.tree, {})
        self.site = call.site
        values = own_values(call.graph, call.values) if apart else call.values
        outputs, again = run_apart(call.graph, values)
        self.result, self.aux = call.result(outputs, has_aux)
        _refuse_unknown(self.result, self.site)
        with Builder(f"{call.graph.name}_linear") as builder:
            moves = [builder.input(leaf.type) for leaf in self.primals.floats]
            moves = call.by_argument(self.primals.floats, moves)
            _, changes = transform.jvp(again, values, moves)
            shapes = [symbolic(content).value for content in self.result.floats]
            tangents = instantiate(self.result.of_floats(changes), shapes)
            whole = builder.finish(fresh(tangents, [*values, *builder.inputs]))
        self.template = _split(whole)

    def push(self, *tangents: Any) -> Any:
        """The tangent of the value; see `linearize`."""
        given = self.primals.derivatives(tangents, "the tangents", "a tangent", self.site)
        values = instantiate(given, [leaf.value for leaf in self.primals.floats])
        return self.result.nested(map(GraphArray, inline(self.template, values)))


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


def _refuse_unknown(result: Result, site: Location | None) -> None:
    for leaf, in_list in zip(result.leaves, result.in_lists):
        if isinstance(leaf, MaybeNone) or (in_list and leaf.value.producer):
            raise UnsupportedFunctionError(
                "the function returns a list whose length, or something whose presence, is known "
                "only at run time",
                site,
                id="AG0508",
                fix="return an array, for example np.array(xs), or call jvp",
            )
