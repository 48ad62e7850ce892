"""Simplification: a graph that computes the same with less work.

One round rebuilds the graph from its first node to its last. It

* leaves out what no output and no effect needs, also results of branches and state of loops;
* folds scalar constants and applies the exact identities of
  `autograph.transforms.simplify.identities`;
* computes a common subexpression once, where the second place sees the value from the first;
* takes the branch that a constant predicate selects, and leaves out loops that make no trip;
* reads in a branch what an earlier one with the same predicate gave, as that branch gave it;
* reads loop state that never changes, and results that both branches agree on, from outside;
* lets what each trip of a loop assigns begin as any number, where a trip is known to be made;
* carries once what several variables of a loop are at each trip;
* moves what does not change from trip to trip out of loops.

Rounds are repeated until one changes nothing, so simplifying a simplified graph gives that graph.
The last one is left out where nothing is left for it to change: each node of a graph without
regions, calls and effects comes after all that it is computed from, as that is in the end.

Who holds which memory stays as in the user's program: two results, or a result and an argument,
share memory only if they did before. So a value that may *escape*, that is, reach an output as it
is, is not replaced by one that others hold, too: ``return x * 1`` still returns a new array.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import ops
from autograph.graph.builder import Builder, inline
from autograph.graph.graph import (
    Constant,
    Graph,
    Module,
    Node,
    Value,
    called,
    callees,
    exchanged,
    label,
    new_node,
)
from autograph.graph.purity import (
    effectful_graphs,
    has_effect,
    is_speculatable,
)
from autograph.graph.wiring import branches_of, is_loop, loop_of, wiring
from autograph.settings import VERIFY
from autograph.transforms.analysis.congruence import exact, find_twins
from autograph.transforms.analysis.flow import find_escaping, find_live, find_origins, is_fresh
from autograph.transforms.simplify.first_trips import any_number, makes_trip
from autograph.transforms.simplify.identities import Application, Term, constant_key, simpler
from autograph.transforms.simplify.known_in_branches import KnownInBranches
from ops.control import regions
from ops.control.regions import Structured
from ops.core.types import ArrayType


def simplify(graph: Graph, effectful: Collection[str] | None = None) -> Graph:
    """A graph with the same inputs, outputs and effects that does less work.

    Args:
        graph: a whole graph.
        effectful: names of the graphs that have effects when called. By default any may.

    Returns:
        A new graph, or ``graph`` itself if there is nothing to do.
    """
    if _SIMPLE.get(graph, ()) == _effectful_callees(graph, effectful):
        return graph
    while True:
        rebuild = _Rebuild(graph, effectful)
        result = rebuild.run()
        if rebuild.changed:
            graph = result
        if not rebuild.changed or (rebuild.is_last and _is_plain(graph) and not VERIFY):
            _SIMPLE[graph] = _effectful_callees(graph, effectful)
            return graph
        assert not (rebuild.is_last and _is_plain(graph)) or _is_simple(graph, effectful)


def _is_plain(graph: Graph) -> bool:
    """Whether a graph has no regions, calls and effects, and something uses each of its nodes."""
    used = {*graph.outputs, *(value for node in graph.nodes for value in node.inputs)}
    return not any(
        node.regions
        or node.op.effect
        or node.op is regions.call
        or not (node.required or any(value in used for value in node.outputs))
        for node in graph.nodes
    )


def _is_simple(graph: Graph, effectful: Collection[str] | None) -> bool:
    """Whether a round changes nothing."""
    rebuild = _Rebuild(graph, effectful)
    rebuild.run()
    return not rebuild.changed


# Graphs in which a round has changed nothing, and what they called then that has effects.
_SIMPLE: WeakKeyDictionary[Graph, frozenset[str] | None] = WeakKeyDictionary()


def _effectful_callees(graph: Graph, effectful: Collection[str] | None) -> frozenset[str] | None:
    """What of the names in ``effectful`` matters for a graph."""
    return None if effectful is None else frozenset(called(graph)).intersection(effectful)


def simplify_module(module: Module) -> Module:
    """The module with every graph simplified, without the graphs that nothing calls any more."""
    while True:
        effectful = effectful_graphs(module)
        main = simplify(module.main, effectful)
        graphs = {name: simplify(graph, effectful) for name, graph in module.graphs.items()}
        reached = callees(main, graphs)
        graphs = {name: graph for name, graph in graphs.items() if name in reached}
        if main is module.main and [*graphs.values()] == [*module.graphs.values()]:
            return module
        module = Module(main, graphs)


def simplified_after(module: Module, change: Callable[[Graph], Graph]) -> Module:
    """The module with each graph changed, and simplified then; the very module if none is."""
    main = change(module.main)
    graphs = {name: change(graph) for name, graph in module.graphs.items()}
    if main is module.main and all(graphs[name] is g for name, g in module.graphs.items()):
        return module
    return simplify_module(Module(main, graphs))


class _Scope:
    """The graph or region being rebuilt at one depth of nesting.

    Attributes:
        nodes: what has been added to it.
        known: results of its nodes, by what they compute.
        floor: the least depth to which its nodes may be moved: that of the enclosing loops' start.
    """

    def __init__(self, floor: int):
        self.nodes: list[Node] = []
        self.known: dict[tuple, tuple[Value, ...]] = {}
        self.floor = floor

    def require(self, result: Value) -> None:
        """Let the node that has been added for a result be one that has to run."""
        node = result.producer
        if node is not None and not node.required:
            self.nodes[self.nodes.index(node)] = exchanged(node, required=True)


class _Rebuild:
    """One round.

    Attributes:
        env: what old values became.
        branches: what is known in branches of what conditionals gave.
        depth: the depth of nesting at which a new value is defined; 0 if it is not there.
        held: new values that may be in an output as they are.
        changed: whether the new graph differs from the old one.
        is_last: whether, of nodes without regions, another round would change none: what has been
            put in the place of one is not to be simplified itself, and nothing stays as it is since
            it might have reached an output.
    """

    def __init__(self, graph: Graph, effectful: Collection[str] | None):
        origins = find_origins(graph)
        self.graph = graph
        self.effectful = effectful
        self.live = find_live(graph, origins, effectful)
        self.escaping = find_escaping(graph, origins)
        self.env: dict[Value, Value] = {}
        self.branches = KnownInBranches(self.env)
        self.depth: dict[Value, int] = {}
        self.held: set[Value] = set()
        self.scopes: list[_Scope] = []
        self.changed = False
        self.is_last = True

    def run(self) -> Graph:
        return self._region(self.graph, self.graph.inputs, self.graph.outputs, floor=0)

    # -- values ------------------------------------------------------------------------------------

    def _read(self, values: Iterable[Value]) -> list[Value]:
        return [self.env.get(v, v) for v in values]

    def _replace(self, old: Iterable[Value], new: Iterable[Value]) -> None:
        """Let values that are there already take the place of old ones."""
        self.changed = True
        for value, other in zip(old, new):
            self.env[value] = other
            if other in self.depth:
                label(other, value.name)
            if value in self.escaping:
                self.held.add(other)

    def _define(self, old: Value, new: Value, depth: int) -> None:
        """Let a value that has just been made take the place of an old one."""
        self.env[old] = new
        self.depth[new] = depth
        if old in self.escaping:
            self.held.add(new)

    def _escape(self, values: Iterable[Value]) -> bool:
        """Whether one of these old values is an array that may be in an output as it is."""
        found = any(
            v in self.escaping and isinstance(v.type, ArrayType) and not v.type.weak for v in values
        )
        self.is_last &= not found
        return found

    def _may_share(self, old: Sequence[Value], new: Iterable[Value]) -> bool:
        """Whether new values may take the place of old ones without an output sharing memory that
        it did not share before: nobody else holds them, and they are as often computed."""
        here = len(self.scopes) - 1
        return not self._escape(old) or all(
            is_fresh(v) and v not in self.held and self.depth.get(v) == here for v in new
        )

    # -- graphs and nodes --------------------------------------------------------------------------

    def _region(
        self,
        graph: Graph,
        inputs: Iterable[Value],
        outputs: Iterable[Value],
        floor: int,
        same: Mapping[Value, Value] = {},
    ) -> Graph:
        """``graph`` rebuilt, with only these of its inputs and outputs.

        Args:
            same: other inputs, and which of ``inputs`` they always are.
        """
        depth = len(self.scopes)
        scope = _Scope(floor)
        self.scopes.append(scope)
        inputs = tuple(inputs)
        new_inputs = tuple(Value(v.type, v.name) for v in inputs)
        for value, other in zip(inputs, new_inputs):
            self._define(value, other, depth)
        for value, other in same.items():
            self._replace([value], self._read([other]))
        self._nodes(graph)
        new_outputs = tuple(self._read(outputs))
        self.scopes.pop()
        return Graph(graph.name, new_inputs, tuple(scope.nodes), new_outputs, graph.location)

    def _nodes(self, graph: Graph) -> None:
        for node in graph.nodes:
            if node not in self.live.nodes:
                self.changed = True
            elif not node.regions:
                self._primitive(node)
            elif node.op is regions.cond:
                self._cond(node)
            elif is_loop(node):
                self._loop(node)
            elif node.op is regions.lanes:
                self._lanes(node)
            elif isinstance(node.op, Structured) and node.op.opaque:
                self._whole(node)
            else:
                self._transparent(node)

    def _primitive(self, node: Node) -> None:
        application = Application(node.op, tuple(self._read(node.inputs)), node.attrs)
        if node.op.effect or node.op is regions.call:
            self._add(node, application)
            return
        result = simpler(application, [v.type for v in node.outputs])
        if isinstance(result, Term):
            if not (result.op.view and self._escape(node.outputs)):
                self.changed, self.is_last = True, False
                application = self._with_operands(node, result)
        elif result is not None and self._may_forward(node, result):
            self._replace(node.outputs, result)
            return
        key = _key(application)
        for scope in self.scopes:
            known = scope.known.get(key)
            if known is not None and self._may_share(node.outputs, known):
                if node.required:
                    scope.require(known[0])
                self._replace(node.outputs, known)
                return
        outputs = self._add(node, application)
        self.scopes[self.depth[outputs[0]]].known.setdefault(key, outputs)
        if node.op is ops.cast and application.op is ops.cast:
            self.branches.cast(node, application)

    def _with_operands(self, node: Node, application: Term) -> Application:
        """The application with nodes added for those of its operands that have none yet."""
        op, inputs, attrs, location = application
        values: list[Value] = []
        for operand in inputs:
            if isinstance(operand, Term):
                outputs = [Value(type) for type in operand.types()]
                inner = self._with_operands(node, operand)
                values += self._add(node, inner, outputs=outputs)
            else:
                values.append(operand)
        return Application(op, tuple(values), attrs, location)

    def _may_forward(self, node: Node, values: Sequence[Value]) -> bool:
        """Whether existing values may take the place of the node's results."""
        if not all(isinstance(v.type, ArrayType) for v in node.inputs):
            return True  # what comes out of a pack or stack is the very array that was put in
        if all(isinstance(v, Constant) and v.is_scalar for v in values):
            return True  # immutable
        return self._may_share(node.outputs, values)

    def _add(
        self,
        node: Node,
        application: Application,
        regions: Sequence[Graph] = (),
        outputs: Sequence[Value] | None = None,
    ) -> tuple[Value, ...]:
        """Add a node in place of ``node``, with these of its results (by default all)."""
        op, inputs, attrs, location = application
        outputs = node.outputs if outputs is None else tuple(outputs)
        location = location or node.location
        types, names = [v.type for v in outputs], [v.name for v in outputs]
        inputs, regions = tuple(inputs), tuple(regions)
        new = new_node(op, inputs, attrs, regions, types, names, location, node.required)
        depth = self._home(new, outputs)
        for old, value in zip(outputs, new.outputs):
            self._define(old, value, depth)
        self.scopes[depth].nodes.append(new)
        return new.outputs

    def _home(self, node: Node, outputs: Iterable[Value]) -> int:
        """The depth at which to add a node, which gives what the old values ``outputs`` become:
        outside of the loops in which it does not change."""
        here = len(self.scopes) - 1
        floor = self.scopes[here].floor
        if floor == here:
            return here
        home = max((self.depth.get(v, 0) for v in node.uses()), default=0)
        home = max(home, floor)
        if home == here or self._escape(outputs) or not is_speculatable(node):
            return here
        self.changed = True
        return home

    # -- branches ----------------------------------------------------------------------------------

    def _cond(self, node: Node) -> None:
        (predicate,) = self._read(node.inputs)
        if isinstance(predicate, Constant) and predicate.is_scalar:
            _, then, orelse = branches_of(node)
            taken = then if predicate.data else orelse
            self._nodes(taken)
            self._replace(node.outputs, self._read(taken.outputs))
            return
        here = len(self.scopes)  # the branches stay where they are
        kept = [k for k, v in enumerate(node.outputs) if v in self.live.values]
        rebuilt = []
        for region, side in zip(node.regions, (True, False)):
            with self.branches.taken(predicate, side, region) as is_known:
                if is_known:
                    self.changed, self.is_last = True, False
                outputs = [region.outputs[k] for k in kept]
                rebuilt.append(self._region(region, (), outputs, floor=here))
        then, orelse = rebuilt
        differing: dict[Any, int] = {}
        twins = []
        for position, (x, y) in enumerate(zip(then.outputs, orelse.outputs)):
            result = node.outputs[kept[position]]
            if _identity(x) == _identity(y):
                self._replace([result], [x])
                continue
            first = differing.setdefault((_identity(x), _identity(y)), position)
            if first != position:
                twins.append((result, node.outputs[kept[first]]))
        if len(differing) < len(node.outputs):
            self.changed = True
        bodies = [_selected(region, [*differing.values()]) for region in (then, orelse)]
        outputs = [node.outputs[kept[k]] for k in differing.values()]
        self._add(node, Application(node.op, (predicate,), node.attrs), bodies, outputs)
        for output, *sides in zip(outputs, *(body.outputs for body in bodies)):
            self.branches.gave(predicate, output, sides, self._stands_outside(output))
        for result, twin in twins:
            self._replace([result], self._read([twin]))

    def _stands_outside(self, output: Value) -> Callable[[Value], bool]:
        """What tells whether a new value, which a branch gives as a result of a conditional, may
        stand for it behind that."""
        here, escapes = len(self.scopes), self._escape([output])

        def stands(value: Value) -> bool:
            is_number = isinstance(value, Constant) and value.is_scalar
            return is_number or (not escapes and self.depth.get(value, 0) < here)

        return stands

    # -- checkpoints, and all others ---------------------------------------------------------------

    def _transparent(self, node: Node) -> None:
        """Its results are the outputs of its regions, so those that nobody needs are left out."""
        here = len(self.scopes)  # what is in the regions stays there
        application = Application(node.op, tuple(self._read(node.inputs)), node.attrs)
        kept = [k for k, v in enumerate(node.outputs) if v in self.live.values]
        bodies = [
            self._region(region, region.inputs, [region.outputs[k] for k in kept], floor=here)
            for region in node.regions
        ]
        own = []
        for position, (value, *others) in enumerate(zip(*(body.outputs for body in bodies))):
            is_same = all(_identity(other) == _identity(value) for other in others)
            if is_same and self.depth.get(value, 0) < here:  # from outside, or a constant
                self._replace([node.outputs[kept[position]]], [value])
            else:
                own.append(position)
        if len(own) < len(node.outputs):
            self.changed = True
        outputs = [node.outputs[kept[k]] for k in own]
        self._add(node, application, [_selected(body, own) for body in bodies], outputs)

    # -- custom derivatives ------------------------------------------------------------------------

    def _whole(self, node: Node) -> None:
        """All its results are there or none."""
        here = len(self.scopes)  # what is in the regions stays there
        application = Application(node.op, tuple(self._read(node.inputs)), node.attrs)
        bodies = [self._region(r, r.inputs, r.outputs, floor=here) for r in node.regions]
        self._add(node, application, bodies)

    # -- lanes -------------------------------------------------------------------------------------

    def _lanes(self, node: Node) -> None:
        kept = [k for k, v in enumerate(node.outputs) if v in self.live.values]
        operands = self._read(node.inputs)
        bodies = [_with_numbers(_selected(r, kept), operands) for r in node.regions]
        bodies = [simplify(region, self.effectful) for region in bodies]  # they are closed
        used = {v for region in bodies for n in region.nodes for v in n.uses()}
        used.update(v for region in bodies for v in region.outputs)
        places = [i for i in range(len(operands)) if any(r.inputs[i] in used for r in bodies)]
        if len(places) < len(operands):
            bodies = [
                replace(region, inputs=tuple(region.inputs[i] for i in places)) for region in bodies
            ]
        if any(region is not old for region, old in zip(bodies, node.regions)):
            self.changed = True
        attrs = {**node.attrs, "axes": tuple(node.attrs["axes"][i] for i in places)}
        application = Application(node.op, tuple(operands[i] for i in places), attrs)
        self._add(node, application, bodies, [node.outputs[k] for k in kept])

    # -- loops -------------------------------------------------------------------------------------

    def _loop(self, node: Node) -> None:
        loop = loop_of(node)
        body, wires = loop.body, wiring(node)
        count, init = self._read(loop.operands), self._read(loop.start)
        if count and isinstance(count[0], Constant) and count[0].is_scalar and count[0].data <= 0:
            self._replace(node.outputs, init)
            return
        kept = []
        for k, variable in enumerate(wires.carried):
            state = [variable.result, *variable.tested, variable.entered]
            if not any(v in self.live.values for v in state):
                self.changed = True
            elif variable.left is variable.entered or (
                _identity(variable.left) == _identity(variable.start)
            ):
                self._replace(state, [init[k]] * len(state))
            else:
                kept.append(k)
        twins = self._twins(node, kept)
        kept = [k for k in kept if k not in twins]
        self._begin(node, count, init, {*kept}.difference(twins.values()))
        floor = self.scopes[-1].floor
        bodies = []
        for region in wires.tests:
            inputs = [region.inputs[k] for k in kept]
            same = {region.inputs[k]: region.inputs[twin] for k, twin in twins.items()}
            test = self._region(region, inputs, region.outputs, floor, same)
            if _is_false(test.outputs[0]) and not has_effect(test, self.effectful):
                self._replace(node.outputs, init)
                return
            bodies.append(test)
        inputs = [*loop.indices, *(loop.state[k] for k in kept)]
        same = {loop.state[k]: loop.state[twin] for k, twin in twins.items()}
        bodies.append(self._region(body, inputs, [body.outputs[k] for k in kept], floor, same))
        outputs = [node.outputs[k] for k in kept]
        operands = (*count, *(init[k] for k in kept))
        self._add(node, Application(node.op, operands, node.attrs), bodies, outputs)
        for k, twin in twins.items():
            self._replace([node.outputs[k]], self._read([node.outputs[twin]]))

    def _begin(
        self, node: Node, count: Sequence[Value], init: list[Value], own: Iterable[int]
    ) -> None:
        """Let what no trip reads begin as any number, where a trip is known to be made, and as what
        each trip leaves, where that is a number.

        Args:
            own: the variables, by position, that no other one reads in the place of itself.
        """
        wires = wiring(node)
        found: dict[int, Constant] = {}
        for k in own:
            variable = wires.carried[k]
            number = any_number(variable.left)
            if number is None or variable.result not in self.live.values:
                continue
            is_other = _identity(init[k]) != _identity(number)
            if is_other and not (number is not variable.left and isinstance(init[k], Constant)):
                found[k] = number
        if not found:
            return
        used = {v for region in node.regions for n in region.nodes for v in n.uses()}
        used.update(v for region in node.regions for v in region.outputs)
        for k in [*found]:
            variable = wires.carried[k]
            if variable.entered in used or not used.isdisjoint(variable.tested):
                del found[k]
        if found and makes_trip(count, wires.tests, init):
            self.changed = True
            for k, number in found.items():
                init[k] = number

    def _twins(self, node: Node, kept: Sequence[int]) -> dict[int, int]:
        """The variables of a loop that another one always equals, by position. Of arrays that may
        be in an output each stays as it is."""
        free = [k for k in kept if not self._escape([node.outputs[k]])]

        def identity(value: Value) -> Any:
            return _identity(self.env.get(value, value))

        return find_twins(loop_of(node), free, identity)


def _selected(region: Graph, positions: Sequence[int]) -> Graph:
    """The region with only some of its outputs."""
    if len(positions) == len(region.outputs):
        return region
    outputs = tuple(region.outputs[k] for k in positions)
    return Graph(region.name, region.inputs, region.nodes, outputs, region.location)


def _with_numbers(graph: Graph, operands: Sequence[Value]) -> Graph:
    """The graph with those of its operands that are known numbers in it."""
    used = {v for node in graph.nodes for v in node.uses()}.union(graph.outputs)
    numbers = {
        old: new
        for old, new in zip(graph.inputs, operands)
        if isinstance(new, Constant) and new.is_scalar and old in used
    }
    if not numbers:
        return graph
    with Builder(graph.name) as builder:
        args = [builder.input(v.type, v.name) for v in graph.inputs]
        args = [numbers.get(v, a) for v, a in zip(graph.inputs, args)]
        return builder.finish(inline(graph, args), graph.location)


def _is_false(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_scalar and not value.data


# -- what nodes compute ----------------------------------------------------------------------------


def _key(application: Application) -> tuple:
    """A key that is equal for applications that compute the same."""
    op, inputs, attrs, _ = application
    own = exact(tuple(sorted(attrs.items()))) if attrs else _NO_ATTRS
    return op.name, *map(_identity, inputs), own


_NO_ATTRS = exact(())


def _identity(value: Value) -> Any:
    """A key that is equal for the same value, or equal constants. Values themselves compare by
    recording a node."""
    return constant_key(value) if isinstance(value, Constant) else id(value)
