"""`vjp`: the value of a function, and the function that takes cotangents back to its arguments.

Called while a function is recorded, `vjp` adds the forward pass to the recording, and the function
that it returns adds the backward pass where it is called. Called eagerly, the forward pass is a
compiled function that also returns the residuals, and the backward pass is another one, compiled
when it is first called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

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
from autograph.derivatives.linear_maps import LinearMap, own_values, split_off
from autograph.errors import Location, TangentError, UnsupportedFunctionError
from autograph.graph.builder import Builder
from autograph.graph.graph import Graph, Value
from autograph.staging.array import GraphArray
from autograph.staging.delivery import OUTPUT, Delivery
from autograph.staging.maybe import NoneOr
from autograph.staging.nesting import LEAF, TupleOf
from autograph.staging.trace import subgraph
from autograph.tracebacks import leaves_compiler
from autograph.transforms.outlining import outlined
from autograph.transforms.tape import add_cotangents, instantiate
from autograph.transforms.vjp import vjp as transform
from ops.registry import active_tracer

if TYPE_CHECKING:
    from autograph.explaining import Residual


@leaves_compiler
def vjp(function: Callable, *args: Any, has_aux: bool = False) -> tuple:
    """The value of a function, and its derivative as a function from cotangents to cotangents.

    Args:
        function: a Python function, plain or converted.
        args: its arguments: nested tuples, lists and dicts of arrays, numbers and anything else.
        has_aux: the function returns a pair, of which only the first is differentiated.

    Returns:
        ``(out, pull)``; with ``has_aux``, ``(out, pull, aux)``. ``pull(cotangent)`` takes
        something nested like ``out``, with for each floating-point or complex array or number one
        of the same shape and dtype (Python numbers fit any of their kind), or None for zero,
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
    pull = Pullback(LinearMap(backward, residuals, value, args, forward.options["backend"]))
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

    of_a_recording = True  # so `pull` is not returned from it

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
        order = Order()
        traced, self._arguments = subgraph(
            active_tracer(), function, name_of(function), args, kwargs
        )
        graph = traced.module.main
        values = [argument.value for argument in self._arguments]
        if apart:
            values = own_values(graph, values)
        if active_tracer().lanes:
            graph = outlined(graph)
        flags = [id(argument) in active for argument in self._arguments]
        first = has_aux and _is_first(traced.delivery)
        chosen = [not first or not k for k in range(len(graph.outputs))]
        if order.is_first():
            roots = [v for v, flag in zip(graph.inputs, flags) if flag]
            results = [v for v, flag in zip(graph.outputs, chosen) if flag]
            warn_of_decisions(graph, roots, results)
        self._outputs, self._pullback = transform(graph, values, flags, chosen)
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

    def pull(self, *cotangents: Any) -> tuple:
        """The cotangents of the arguments, given that of the value: what `vjp` returns."""
        cotangent = _single(cotangents, self.site)
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


def _is_first(delivery: Delivery) -> bool:
    """Whether the first item of a pair is one array or number: then it is the first output."""
    pair = delivery.structure.parts[0]
    return isinstance(pair, TupleOf) and pair.parts[0] is LEAF and delivery.sources[0] is OUTPUT


def _single(cotangents: tuple, site: Location | None) -> Any:
    """The cotangent that a pullback is called with."""
    if len(cotangents) != 1:
        raise TangentError(
            "what vjp returns takes one argument, the cotangent of the result, nested as that is; "
            f"it is called with {len(cotangents)}",
            site,
            id="AG0506",
            fix="pass one tuple of cotangents if the result is a tuple",
        )
    return cotangents[0]


def _is_there(value: Any) -> bool:
    return value is not None


# -- called eagerly --------------------------------------------------------------------------------


class Pullback:
    """What `vjp` returns when called eagerly: a function from cotangents to cotangents."""

    def __init__(self, linear: LinearMap):
        self._linear = linear

    @property
    def residuals(self) -> tuple[Residual, ...]:
        """What the forward pass has left: names, types, bytes and places."""
        return self._linear.kept

    def __call__(self, *cotangents: Any) -> tuple:
        """The cotangents of the arguments, given that of the value; see `vjp`."""
        cotangent = _single(cotangents, self._linear.site)
        return self._linear(cotangent, "the cotangents", "a cotangent")


@remembered
def _forward(function: Callable, has_aux: bool) -> GraphFunction:
    def forward(*args: Any) -> tuple:
        back = Reverse(function, args, {}, list(range(len(args))), has_aux, apart=True)
        _refuse_unknown_nesting(back)
        types = [leaf_type(leaf) for leaf in back.contents]
        value, residuals, linear = split_off(_template(back), back.value, types, back.site)
        return value, back.aux, residuals, linear

    return transformed(forward, function, "vjp")


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
