"""`shard_map`: a function for one part of a mesh, run by all parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import (
    fresh,
    name_of,
    parameters_of,
    remembered,
    site_of,
    symbolic,
    transformed,
)
from autograph.api.derivatives.recorded_calls import positions_of
from autograph.api.function import GraphFunction
from autograph.api.parts import GivenPart, MeshParts, PartsAsLanes, PartsAsProcesses
from autograph.api.trees import flatten, has_type, leaf_type, nesting, spread
from autograph.api.vmap import refuse_kept, refuse_unknown
from autograph.errors import Location, MeshError
from autograph.graph.builder import current_builder
from autograph.graph.graph import Graph, Value
from autograph.parallel.mesh import Mesh, require_axes
from autograph.parallel.sharded import ShardedArray
from autograph.parallel.specs import P, require_specs
from autograph.settings import VERIFY
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.lists import is_rows
from autograph.staging.trace import subgraph
from autograph.transforms.analysis.invariance import verify_invariance
from autograph.transforms.batching.engine import strong
from ops.core.types import ArrayType


@leaves_compiler
def shard_map(
    function: Callable, mesh: Mesh, in_specs: Any, out_specs: Any
) -> GraphFunction[..., Any]:
    """A function that all parts of a mesh run together, each with its part of the arguments.

    ``function`` sees what one part has. Parts meet in `ops.psum`, `ops.ppermute` and the like, by
    the names of the mesh's axes. What is the same in all parts and what is not is followed through
    the function: its gradient by what is the same, taken inside or outside, is the sum of what all
    parts contribute.

    Args:
        function: a Python function, plain or converted, of positional arguments.
        mesh: the parts, `Mesh.lanes` or `Mesh.processes`.
        in_specs: a `P` for each argument, or one for all; nested arguments take one for all of
            their arrays, or what is nested like them.
        out_specs: likewise for the results. Along axes of the mesh that it does not name, a result
            has to be the same in all parts.

    Returns:
        A compiled function with the arguments of ``function``. What ``out_specs`` divides is a
        `ShardedArray`, other results are arrays.

    Raises:
        MeshError: the specs don't fit the mesh, the arguments or the results.
        BatchingError: parts would meet where some of them may not come.

    Examples:
        >>> mesh = ag.Mesh.lanes(data=4)
        >>> def loss(w, x, y):
        ...     return ops.pmean(np.mean((x @ w - y) ** 2), "data")
        >>> step = ag.shard_map(ag.grad(loss), mesh, (ag.P(), ag.P("data"), ag.P("data")), ag.P())
        >>> step(np.zeros(2), np.ones((8, 2)), np.arange(8.0))
        array([-7., -7.])
    """
    site = site_of(function)
    if not isinstance(mesh, Mesh):
        raise MeshError(
            f"shard_map() is given {mesh!r} as its mesh",
            site,
            fix="make one by ag.Mesh.lanes(...) or ag.Mesh.processes(...)",
        )
    for specs, what in ((in_specs, "in_specs"), (out_specs, "out_specs")):
        leaves, _ = flatten(specs, lambda leaf: True, _is_spec)
        require_specs(leaves, what)
        for spec in leaves:
            require_axes(mesh, spec)
    if isinstance(in_specs, list):
        in_specs = tuple(in_specs)
    return _shard_map(function, mesh, in_specs, out_specs)


def _is_spec(leaf: Any) -> bool:
    return isinstance(leaf, P)


@remembered
def _shard_map(function: Callable, mesh: Mesh, in_specs: Any, out_specs: Any) -> GraphFunction:
    def mapped(*args: Any) -> Any:
        return _Parts(function, mesh, in_specs, args).result(out_specs)

    return transformed(mapped, function, "shard_map")


class _Parts:
    """A function recorded for one part of a mesh and put in place of all, inside a recording."""

    def __init__(self, function: Callable, mesh: Mesh, in_specs: Any, args: tuple):
        self.site = site_of(function)
        self.mesh = mesh
        if recorder().transformed.has_mesh:
            raise MeshError(
                "shard_map() is called inside of a function that is for a mesh already",
                self.site,
                id="AG0644",
                fix="make one mesh with all axes, and name the one that is meant in each operator",
            )
        self._parts: MeshParts = (
            PartsAsLanes(mesh) if mesh.kind == "lanes" else PartsAsProcesses(mesh)
        )
        leaves, nesting_ = flatten(args, has_type, _is_sharded)
        specs = self._specs(in_specs, args)
        names = _paths(function, args)
        self._given: dict[int, GivenPart] = {}
        self._shared: list[Value] = []
        for i, (leaf, spec, name) in enumerate(zip(leaves, specs, names)):
            given = self._of_argument(leaf, spec, name)
            if given is not None:
                leaves[i] = GraphArray(Value(given.type, getattr(given.value, "name", None)))
                self._given[id(leaves[i])] = given
                self._shared.append(given.value)
        with recorder().transformed.mesh(mesh.shape, mesh.kind == "processes"):
            self._traced, arguments = subgraph(
                function, name_of(function), nesting_.unflatten(leaves), {}, "mapped", self._add
            )
        if self._traced.delivery.changed:
            raise MeshError(
                "a function for a mesh changes a list, dict or object from outside, which each "
                "part would change by itself",
                self.site,
                id="AG0645",
                fix="return what changes",
            )
        self._types = [output.type for output in self._traced.module.main.outputs]
        verify_invariance(self._traced.module.main, current_builder().graphs, VERIFY)
        self._outputs, self._along = self._add(self._traced.module.main, arguments)

    # -- arguments --------------------------------------------------------------------------------

    def _specs(self, in_specs: Any, args: tuple) -> list[P]:
        """The spec of each leaf of the arguments."""
        if isinstance(in_specs, tuple) and len(in_specs) != len(args):
            raise MeshError(
                f"in_specs has {len(in_specs)} items, but the call has {len(args)} positional "
                "arguments",
                self.site,
                fix="give one spec for each argument, or one for all",
            )
        return _prefix(in_specs, args, "in_specs", "arguments", self.site)

    def _of_argument(self, leaf: Any, spec: P, name: str) -> GivenPart | None:
        """What there is of a leaf of the arguments; None for what is no array or number."""
        if isinstance(leaf, ShardedArray):
            if leaf.mesh != self.mesh or leaf.spec != spec:
                raise MeshError(
                    f"argument {name} is divided by {leaf.spec!r} on {leaf.mesh!r}, but in_specs "
                    f"says {spec!r} on {self.mesh!r}",
                    self.site,
                    id="AG0643",
                    fix="pass np.asarray(...) of it, or give in_specs its spec",
                )
            value = symbolic(leaf.content).value
            if self.mesh.kind == "processes":
                return self._parts.own(value, spec)
        elif leaf is None or leaf_type(leaf) is None:
            return None
        else:
            value = symbolic(leaf).value
        shape = self.mesh.divided(spec, value.type.shape, f"argument {name}")
        self._refuse_unknown(value.type, shape, spec, name)
        return self._parts.divided(value, shape, spec)

    def _refuse_unknown(
        self, type: ArrayType, part: Sequence[int | None], spec: P, name: str
    ) -> None:
        counts = self.mesh.counts(spec)
        if any(length is None and count > 1 for length, count in zip(part, counts)):
            raise MeshError(
                f"argument {name}, {type}, has a length known only at run time, so it is not "
                f"known what {spec!r} divides it into",
                self.site,
                id="AG0641",
                fix="pass an array of known shape",
            )

    def _add(
        self, graph: Graph, arguments: Sequence[GraphArray]
    ) -> tuple[list[Value], list[list[str]]]:
        given = [self._given.get(id(a)) or GivenPart(a.value, a.value.type, ()) for a in arguments]
        return self._parts.add(graph, given)

    # -- results ----------------------------------------------------------------------------------

    def result(self, out_specs: Any) -> Any:
        """What the function returns."""
        boxes = [GraphArray(Value(type)) for type in self._types]  # what one part returns
        result = self._traced.delivery.deliver(boxes)
        leaves, nesting_ = flatten(result, has_type, is_rows)
        refuse_unknown(leaves, self.site)
        refuse_kept(nesting_, self.site)
        specs = _prefix(out_specs, result, "out_specs", "results", self.site)
        made = [
            self._leaf(leaf, spec, position)
            for leaf, spec, position in zip(leaves, specs, positions_of(leaves, boxes))
        ]
        values = [value if isinstance(value, Value) else None for value in made]
        values = fresh(values, self._shared)
        return nesting_.unflatten(
            [
                m if v is None else self._delivered(GraphArray(v), spec)
                for m, v, spec in zip(made, values, specs)
            ]
        )

    def _delivered(self, array: GraphArray, spec: P) -> Any:
        return ShardedArray(array, self.mesh, spec) if spec.names else array

    def _leaf(self, leaf: Any, spec: P, position: int | None) -> Any:
        """A leaf of the result: a graph value, or something else as it is."""
        type = leaf_type(leaf)
        if type is None:
            return leaf
        value = symbolic(leaf).value
        along: list[str] = []
        varies: frozenset[str] = frozenset()
        if position is not None:
            value, along = self._outputs[position], self._along[position]
            varies = self._types[position].varies
        self._require_invariance(varies - set(spec.names), type, spec, position)
        if len(spec.axes) > type.ndim:
            raise MeshError(
                f"out_specs has {spec!r} for a result, {type.invariant()} in each part, that has "
                "fewer axes",
                self.site,
                id="AG0641",
                fix="give the result an axis: x[None]",
            )
        if spec.names and type.weak:
            value = strong(value, type.dtype)
        return self._parts.joined(value, along, spec)

    def _require_invariance(
        self, varies: frozenset, type: ArrayType, spec: P, position: int | None
    ) -> None:
        if not varies:
            return
        output = self._traced.module.main.outputs[position or 0]
        producer = output.producer
        names = ", ".join(map(repr, sorted(varies)))
        raise MeshError(
            f"out_specs has {spec!r} for a result, {type.invariant()} in each part, that may "
            f"differ between the parts along {names}",
            self.site if producer is None or producer.location is None else producer.location,
            id="AG0642",
            fix=f"bring the parts together, like ops.psum(x, {names}), or divide the result along "
            "the axis in out_specs",
        )


def _is_sharded(leaf: Any) -> bool:
    return isinstance(leaf, ShardedArray)


def _prefix(specs: Any, tree: Any, what: str, whose: str, site: Location | None) -> list[P]:
    """A spec for each leaf of a tree, from specs nested like its outer part."""
    try:
        return list(spread(specs, tree, lambda x: is_rows(x) or _is_sharded(x), _is_spec))
    except ValueError:
        raise MeshError(
            f"{what} is {specs!r}, which is not nested like the {whose}",
            site,
            fix=f"nest {what} like the {whose}, or give one spec for all of them",
        ) from None


def _paths(function: Callable, args: tuple) -> list[str]:
    """What messages call the leaves of the arguments."""
    names = parameters_of(function, len(args))
    parts = [nesting(part, has_type, _is_sharded) for part in args]
    return [path for name, part in zip(names, parts) for path in part.paths(name)]
