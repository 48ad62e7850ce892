"""The linear part of a derivative that is called eagerly, later: a program of its own.

`vjp` and `linearize` do part of the work at once, and leave the rest in a function. What the first
part computes for the second are the residuals.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

import ops
from autograph.api.calls.compiled import Compiled
from autograph.api.derivatives.common import aligned, converted, symbolic
from autograph.api.derivatives.recorded_calls import Tree
from autograph.api.derivatives.residuals import residual
from autograph.api.machine import capabilities
from autograph.api.pipeline import Compilation, optimized
from autograph.api.trees import flatten, is_inexact, nesting
from autograph.backends.foreign import natives
from autograph.backends.select import backend_named, backend_of
from autograph.errors import Location
from autograph.graph import at_lengths
from autograph.graph.builder import current_builder, graph_of, inline
from autograph.graph.graph import Constant, Graph, Module, Node, Value, walk
from autograph.graph.lengths import lengths_in, seen_symbols, unseen_symbols
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.delivery import OUTPUT, Delivery
from autograph.staging.border.signature import CallParts
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.trace import Traced
from autograph.transforms.analysis.flow import root
from ops.control import regions
from ops.core.symbolic_lengths import NeedsNumber
from ops.core.types import ArrayType


def split_off(
    template: Graph, value: Any, given: Tree, site: Location | None
) -> tuple[Any, list[GraphArray], LinearPart]:
    """Split a graph off the recording.

    Args:
        template: a linear graph; what it captures are the residuals.
        value: what the recorded function returned.
        given: what the linear part is given is the derivative of.
        site: where the function is defined.

    Returns:
        (value, residuals, the linear part): the value of arrays that share no memory with the
        residuals, and residuals that share none with the arguments.
    """
    captured = [*template.captures, *_outside(template)]
    value = _apart(value, captured)
    residuals = [GraphArray(ops.copy(v) if _is_the_callers(v) else v) for v in captured]
    part = LinearPart(template, captured, given.types, given.paths, site)
    return value, [*residuals, *part.shown], part


def own_values(graph: Graph, values: Sequence[Value]) -> list[Value]:
    """The values that a graph is applied to, as copies if there is control flow in it: what that
    leaves for the linear part may hold them, and the caller may change them."""
    if not any(node.regions or node.op is regions.call for node in graph.nodes):
        return list(values)
    return [ops.copy(v) if v.type.inexact and v.type.shape != () else v for v in values]


def _is_the_callers(residual: Value) -> bool:
    """Whether a residual is an array that the caller may change, or shares memory with one."""
    is_array = isinstance(residual.type, ArrayType) and residual.type.shape != ()
    return is_array and root(residual).producer is None


def _outside(template: Graph) -> list[Constant]:
    """The arrays from outside the function that a graph refers to: they may change."""
    found: dict[Value, None] = dict.fromkeys(template.outputs)
    for node in walk(template):
        found.update(dict.fromkeys(node.inputs))
        found.update(dict.fromkeys(v for region in node.regions for v in region.outputs))
    return [v for v in found if isinstance(v, Constant) and recorder().outside.is_captured(v)]


def _apart(value: Any, residuals: Sequence[Value]) -> Any:
    """The value, of arrays that share no memory with the residuals."""
    containers = not all(isinstance(v.type, ArrayType) for v in residuals)
    roots = {root(v) for v in residuals}

    def apart(leaf: Any) -> Any:
        is_array = type(leaf) is GraphArray and leaf.type.shape != ()
        if is_array and (containers or root(leaf.value) in roots):
            return GraphArray(ops.copy(leaf.value))
        return leaf

    leaves, spec = flatten(value)
    return spec.unflatten([apart(leaf) for leaf in leaves])


class LinearPart:
    """The part of a derivative that belongs to a compiled function.

    Args:
        template: a linear graph.
        captured: the values that it captures, and arrays from outside that it refers to.
        types: for each leaf that the linear part is given the type; None if it has no derivative.
        paths: what messages call these leaves.
        site: see `split_off`.

    Attributes:
        result: what the result is nested like, of the recording; None if what the caller has given
            tells it. Lists of his that are arrays there are told apart only so.
        residuals: what is known of the captured values.
        shown: arrays without elements that have symbolic lengths which nothing else tells; they are
            passed after the captured values.
    """

    def __init__(
        self,
        template: Graph,
        captured: Sequence[Value],
        types: Sequence[ArrayType | None],
        paths: Sequence[str],
        site: Location | None,
    ):
        self.types = types
        self.paths = paths
        self.result: Tree | None = None
        self.site = site
        linear = template.name, template.nodes, template.outputs
        graph = _linear(linear, (*captured, *template.inputs), site)
        self.shown = [symbolic(ops.zeros((n, 0), bool)) for n in unseen_symbols(graph)]
        if self.shown:
            shown = [array.value for array in self.shown]
            graph = _linear(linear, (*captured, *shown, *template.inputs), site)
        self.graph = graph
        self._places = seen_symbols(graph.inputs)
        self._symbols = next((length.symbols for length in lengths_in(graph)), None)
        self._graphs = dict(current_builder().graphs)
        self.residuals = tuple(map(residual, captured))
        self._exceptions = recorder().exceptions
        self._compiled: dict[Hashable, Compiled | None] = {}

    def __call__(self, inputs: Sequence[Any], backend: ModuleType) -> list[Any]:
        """The outputs of the graph for some inputs; within a recording, symbolic ones."""
        if active_recorder() is not None:
            return self._recorded(inputs)
        if not self.graph.outputs:
            return []
        compiled = self._of_any_length(backend)
        numbers = self._numbers(inputs)
        # Compiling it may have assumed more of the lengths than compiling the first part had.
        if compiled is None or (self._symbols is not None and not self._symbols.hold(numbers)):
            compiled = self._compiled.get((backend.name, tuple(numbers.items())))
            compiled = compiled or self._compiled_for(backend, numbers)
        return list(compiled.run(inputs, CallParts((), {})))

    def _of_any_length(self, backend: ModuleType) -> Compiled | None:
        """The part compiled for all that its symbols may be; None if that needs numbers."""
        key = backend.name, ()
        if key not in self._compiled:
            needed = 0 if self._symbols is None else self._symbols.needed
            try:
                compiled = self._compiled_for(backend, {})
                if self._symbols is not None:
                    compiled.native  # noqa: B018, what that assumes and needs shows now
            except NeedsNumber:
                self._compiled[key] = None
            if self._symbols is not None and self._symbols.needed > needed:
                self._compiled[key] = None  # with numbers there are more kernels
        return self._compiled[key]

    def _numbers(self, inputs: Sequence[Any]) -> dict[str, int]:
        """What the symbols are."""
        places = self._places.items()
        return {name: inputs[i].shape[axis] - more for name, (i, axis, more) in places}

    def _compiled_for(self, backend: ModuleType, numbers: Mapping[str, int]) -> Compiled:
        """The part compiled, for these numbers in the place of symbols."""
        module = Module(self.graph, self._graphs)
        parts = (LEAF,) * len(self.graph.outputs)
        structure = TupleOf(tuple, (TupleOf(tuple, parts),))
        traced = Traced(
            at_lengths.at_lengths(module, numbers) if numbers else module,
            Delivery(structure, [OUTPUT] * len(parts), []),
            exceptions=self._exceptions,
        )
        compilation = Compilation(backend, capabilities())
        positions = tuple(range(len(self.graph.inputs)))
        found = Compiled(traced, optimized(traced.module, compilation), compilation, positions)
        self._compiled[backend.name, tuple(numbers.items())] = found
        return found

    def _recorded(self, inputs: Sequence[Any]) -> list[GraphArray]:
        values = [
            symbolic(v).value if isinstance(i.type, ArrayType) else Constant(v, i.type)
            for v, i in zip(inputs, self.graph.inputs)
        ]
        module = Module(self.graph, self._graphs)
        if self._places:  # another recording has other symbols
            module = at_lengths.at_lengths(module, at_lengths.lengths_at(self.graph, values))
        current_builder().graphs.update(module.graphs)
        # A graph made for arrays of any length takes none of a known one.
        values = [
            ops.refine(v, shape=i.type.shape)
            if isinstance(i.type, ArrayType) and v.type.shape != i.type.shape
            else v
            for v, i in zip(values, module.main.inputs)
        ]
        return [GraphArray(v) for v in inline(module.main, values)]


def _linear(
    parts: tuple[str, Sequence[Node], Sequence[Value]],
    inputs: Sequence[Value],
    site: Location | None,
) -> Graph:
    name, nodes, outputs = parts
    return graph_of(name, inputs, nodes, outputs, site)


class LinearMap:
    """A linear part with its residuals: a function of what is nested like something.

    Args:
        part, residuals: from `split_off`.
        given: what the argument is nested like; only its nesting and its shapes are kept.
        result: what the result is nested like; only its nesting is kept.
        backend: the name of the backend; None if the arrays say it.

    Attributes:
        kept: what is known of the residuals.
        site: where the function is defined.
    """

    def __init__(
        self, part: LinearPart, residuals: list[Any], given: Any, result: Any, backend: str | None
    ):
        leaves, self._spec = flatten(result)
        self._has_derivative = [is_inexact(leaf) for leaf in leaves]
        self._nested = part.result
        like = natives(flatten(given)[0])
        self.kept = part.residuals
        self.site = part.site
        self._part = part
        self._residuals = residuals
        self._nesting = nesting(given)
        self._shapes = [getattr(leaf, "shape", ()) for leaf in like]
        # Residuals are nested as deeply as the calls: they are not flattened.
        arrays = [*leaves, *like, *residuals]
        self._backend: ModuleType = (
            backend_of(arrays) if backend is None else backend_named(backend)
        )

    def __call__(self, tree: Any, all_of_it: str, one: str) -> Any:
        """The result for ``tree``, of which messages call the parts by these names.

        Raises:
            TangentError: it does not fit.
        """
        site = self.site
        found = aligned(tree, self._nesting, all_of_it, site)
        seeds = []
        for number, (item, type, shape) in enumerate(zip(found, self._part.types, self._shapes)):
            place = partial(self._part.paths.__getitem__, number)
            if type is None:
                converted(item, None, one, site, place)
                continue
            seed = converted(item, type._replace(shape=shape), one, site, place)
            seeds.append(_zero(type, shape) if seed is None else seed)
        results = iter(self._part([*self._residuals, *seeds], self._backend))
        if self._nested is not None:
            return self._nested.nested(results)
        return self._spec.unflatten(
            [next(results) if flag else None for flag in self._has_derivative]
        )


def _zero(type: ArrayType, shape: tuple[int, ...]) -> Any:
    zero = np.zeros(shape, type.dtype)
    return zero.item() if type.weak else zero[()]
