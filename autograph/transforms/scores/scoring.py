"""A graph that also returns how likely its draws were.

The logarithm of the likelihood is a sum of terms, which each draw adds to where it is made. It is
carried through branches and loops, and returned from functions, as one more result:

    cond         each branch gives what it adds
    loops        it is a variable of the state
    while        a test that draws, or decides by draws, runs once before the loop and at the end
                 of each trip, and its result is a variable of the state
    calls        the graph that is called gives what it adds
    lanes        each lane gives what it adds: their sum

Of a draw that is only compared one knows, after some comparisons, that it lies between a lower and
an upper threshold. What is carried besides is how likely a number below each of them is. The
likelihood of what the next comparison says is the quotient of that of the new interval and of the
old one. So the number may be compared in other branches and loops than it is drawn in, and where it
becomes another value, such as a variable of a loop, what is known of it goes with it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

import ops
from autograph.graph import derived
from autograph.graph.builder import Builder, copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.rewrite import Env
from autograph.graph.wiring import Loop, is_loop, lanes_of, loop_of
from autograph.transforms.lanes import node as lane_nodes
from autograph.transforms.scores.arithmetic import (
    LOGARITHMS,
    UNMOVED,
    affine,
    before_logarithm,
    broadcast,
    filled,
    float64,
    inverse,
    is_binary,
    number,
    put,
    reduced,
    viewed,
)
from autograph.transforms.scores.distributions import CONTINUOUS, CONTINUOUS_FAMILIES, DISCRETE
from autograph.transforms.scores.flows import SAME, Cell, Compared
from autograph.transforms.scores.plan import Dependent, Held, Scores, find_plan, running
from autograph.transforms.scores.sites import Site
from ops.control import regions
from ops.core.types import ArrayType
from ops.elementwise.conversion import stop_gradient
from ops.order.searching import searchsorted
from ops.random.draws import LIKELIHOOD, drawn

_NOTHING = 0.0  # the likelihood of what is certain is 1


class Knowledge(NamedTuple):
    """What is known of a draw that a cell holds.

    Attributes:
        low, high: where it is, as the probabilities of numbers below these ends.
        scales: as those of its law: an origin and a unit, where there is something.
        is_drawn: whether it is a draw, and no other number; None if it always is.
    """

    low: Value
    high: Value
    scales: tuple[tuple[Value, Value] | None, ...]
    is_drawn: Value | None = None

    def values(self) -> list[Value]:
        drawn = [] if self.is_drawn is None else [self.is_drawn]
        return [self.low, self.high, *(v for scale in self.scales for v in scale or ()), *drawn]


def scored(graph: Graph, moving: Collection[Value], twice: bool) -> Graph | None:
    """The graph with one more output: the logarithm of the likelihood of what is drawn, but for
    what does not depend on parameters, a float64.

    Args:
        graph: any graph; it may capture values.
        moving: its inputs, and values that it captures, that depend on parameters.
        twice: whether there are derivatives of derivatives.

    Returns:
        The new graph; None if nothing has a score.

    Raises:
        NonDifferentiableError: a draw that needs a score has none.
    """
    plan = find_plan(graph, current_builder().graphs, moving, twice=twice)
    if not plan.has_score():
        return None
    with Builder(graph.name) as builder:
        scoring = _Scoring(plan)
        env: Env = {v: builder.input(v.type, v.name) for v in graph.inputs}
        scoring.run(graph, env)
        total = drawn(scoring.total(), distribution=LIKELIHOOD)
        return builder.finish([*(env.get(v, v) for v in graph.outputs), total], graph.location)


class _Scoring:
    """What is known of the draws at one place of a graph, while it is built anew.

    Args:
        plan: which draws have a score.
        known: of the draws that are compared, by the cells that hold them.
    """

    def __init__(self, plan: Scores, known: dict[Value, Knowledge] | None = None):
        self.plan = plan
        self.known = {} if known is None else known
        self._terms: list[Value] = []

    def total(self) -> Value:
        """The logarithm of the likelihood of all there was."""
        if not self._terms:
            return number(_NOTHING)
        found = self._terms[0]
        for term in self._terms[1:]:
            found = ops.add(found, term)
        return found

    def add(self, term: Value) -> None:
        """Add logarithms, of any shape."""
        term = float64(term)
        self._terms.append(ops.sum(term) if term.type.shape else term)

    def run(self, graph: Graph, env: Env) -> None:
        """Copy the nodes of ``graph`` to the current builder, and add to the total."""
        builder, plan = current_builder(), self.plan
        for node in graph.nodes:
            with builder.at(node.location):
                if node in plan.busy:
                    self._structured(node, env)
                elif node in plan.calls:
                    self._call(node, plan.calls[node], env)
                else:
                    copy_node(builder, node, env)
                    self._draw(node, env)

    def _draw(self, node: Node, env: Env) -> None:
        plan = self.plan
        if node in plan.discrete:
            self._discrete(plan.discrete[node], env)
        if node in plan.held:
            self._held(plan.held[node], node, env)
        if node in plan.compared:
            self._compared(plan.compared[node], node, env)

    # -- draws -------------------------------------------------------------------------------------

    def _discrete(self, site: Site, env: Env) -> None:
        parameters = [env.get(v, v) for v in site.parameters]
        value = float64(env[site.value])
        self.add(DISCRETE[site.distribution](value, *parameters))

    def _held(self, held: Held, node: Node, env: Env) -> None:
        (result,) = node.outputs[-1:]
        still = env[result] = stop_gradient(env[result])
        site = held.site
        if site.is_family:
            parameters = [env.get(v, v) for v in site.parameters]
            self.add(CONTINUOUS_FAMILIES[site.distribution](still, *parameters))
            return
        origin, unit = number(site.origin), number(site.unit)
        for step, place in held.steps:
            operands = [env.get(v, v) for v in step.inputs]
            other = operands[1 - place] if len(operands) > 1 else None
            origin, unit = affine(step.op, place, origin, unit, other)
        standard = ops.divide(ops.subtract(float64(still), origin), unit)
        density = CONTINUOUS[site.distribution].log_density
        assert density is not None
        scale = ops.log(ops.absolute(unit))
        self.add(ops.subtract(density(standard), scale))

    def _compared(self, compared: Compared, node: Node, env: Env) -> None:
        outcome = env[node.outputs[0]]
        threshold = float64(env.get(v := node.inputs[1 - compared.place], v))
        if node.op is searchsorted:
            low, high = self._between(compared, threshold, outcome, env)
        else:
            below_if = (node.op in (ops.less, ops.less_equal)) == (compared.place == 0)
            is_below = outcome if below_if else ops.logical_not(outcome)
            low, high = self._ends(compared, threshold, is_below, env)
        self._narrow(compared, low, high, env)

    def _between(
        self, compared: Compared, thresholds: Value, place: Value, env: Env
    ) -> tuple[Value, Value]:
        """How likely smaller numbers are than those between which one is that belongs at a place of
        a sorted vector: not below the threshold before, below that at the place."""
        none = ops.zeros_like(ops.subscript(thresholds, slice(None, 1)))
        is_there, ends = ops.ones_like(thresholds), []
        for order, known in ((1, np.False_), (-1, np.True_)):
            is_below = Constant(known)
            around = ops.concatenate([none, thresholds][::order])
            exists = ops.take(ops.concatenate([none, is_there][::order]), place, 0)
            found = self._ends(compared, ops.take(around, place, 0), is_below, env)
            ends.append((ops.greater(exists, 0.5), found))
        low, high = (
            [ops.where(exists, found[i], end) for exists, found in ends]
            for i, end in enumerate((0.0, 1.0))
        )
        return ops.maximum(*low), ops.minimum(*high)

    def _ends(
        self, compared: Compared, threshold: Value, is_below: Value, env: Env
    ) -> tuple[Value, Value]:
        """How likely smaller numbers are than those between which one is that is known to be below
        a threshold, or not."""
        for step, place in reversed(compared.steps):
            if step.op is not ops.getitem:
                operands = [env.get(v, v) for v in step.inputs]
                other = float64(operands[1 - place]) if is_binary(step.op) else None
                threshold, is_below = inverse(step.op, place, threshold, is_below, other)
        law, scales = self.plan.cells[compared.cell].law, self._of(compared.cell, env).scales
        for i, scale in reversed([*enumerate(scales)]):
            if scale is not None:
                origin, unit = scale
                threshold = ops.divide(ops.subtract(threshold, origin), unit)
                is_below = ops.logical_xor(is_below, ops.less(unit, 0.0))
            if i:
                threshold = before_logarithm(law.logarithms[i - 1], threshold)
        probability = CONTINUOUS[law.distribution].below(threshold)
        return ops.where(is_below, 0.0, probability), ops.where(is_below, probability, 1.0)

    def _narrow(self, compared: Compared, low: Value, high: Value, env: Env) -> None:
        """Add how likely it was that a draw is between two ends, and know it."""
        whole = self._of(compared.cell, env)
        view = next((step for step, _ in compared.steps if step.op is ops.getitem), None)
        shape = (compared.cell if view is None else view.outputs[0]).type.shape
        low, high = reduced(low, shape, ops.max), reduced(high, shape, ops.min)
        before = whole.low, whole.high
        if view is not None:
            before = viewed(whole.low, view, env), viewed(whole.high, view, env)
        low, high = ops.maximum(before[0], low), ops.minimum(before[1], high)
        if whole.is_drawn is not None:
            low = ops.where(whole.is_drawn, low, before[0])
            high = ops.where(whole.is_drawn, high, before[1])
        self.add(ops.negative(ops.log(ops.subtract(before[1], before[0]))))
        self.add(ops.log(ops.subtract(high, low)))
        if view is not None:
            low, high = put(whole.low, low, view, env), put(whole.high, high, view, env)
        self.known[compared.cell] = whole._replace(low=low, high=high)

    def _of(self, cell: Value, env: Env) -> Knowledge:
        """What is known of a draw: at first, it may be anything."""
        if cell not in self.known:
            law, site, _ = self.plan.cells[cell]
            scale = None
            if site is not None and law.scales[0] is not None:
                scale = number(site.origin), number(site.unit)
            self.known[cell] = Knowledge(filled(cell, 0.0, env), filled(cell, 1.0, env), (scale,))
        return self.known[cell]

    def _moved(self, value: Value, cell: Cell, env: Env) -> list[Value]:
        """What is known of a value that goes into a cell."""
        moved = self.plan.moved.get(value)
        scales: list[tuple[Value, Value] | None] = [None for _ in cell.law.scales]
        is_drawn: Value | None = Constant(np.False_)
        if moved is None:  # nobody has drawn it
            low, high = filled(value, 0.0, env), filled(value, 1.0, env)
        else:
            low, high, scales[:], is_drawn = self._of(moved.cell, env)
            for step, place in moved.steps:
                if step.op in LOGARITHMS:
                    scales.append(None)
                elif step.op not in SAME and step.op is not ops.cast:
                    operands = [env.get(v, v) for v in step.inputs]
                    other = operands[1 - place] if len(operands) > 1 else None
                    scales[-1] = affine(step.op, place, *(scales[-1] or UNMOVED), other)
            if is_drawn is None and not cell.is_drawn:
                is_drawn = Constant(np.True_)
        for i, shape in enumerate(cell.law.scales):
            if shape is not None:
                origin, unit = scales[i] or UNMOVED
                scales[i] = broadcast(origin, shape), broadcast(unit, shape)
        return Knowledge(low, high, tuple(scales), is_drawn).values()

    def _enter(self, values: Sequence[Value], variables: Sequence[Value]) -> None:
        """Say what is known of cells: the values, one after the other."""
        rest = iter(values)
        for value in variables:
            cell = self.plan.cells[value]
            low, high = next(rest), next(rest)
            scales = [None if s is None else (next(rest), next(rest)) for s in cell.law.scales]
            is_drawn = None if cell.is_drawn else next(rest)
            self.known[value] = Knowledge(low, high, tuple(scales), is_drawn)

    # -- control flow ------------------------------------------------------------------------------

    def _structured(self, node: Node, env: Env) -> None:
        if is_loop(node):
            self._loop(node, env)
        elif node.op is regions.lanes:
            self._lanes(node, env)
        else:
            self._branches(node, env)

    def _around(self, node: Node, env: Env) -> list[Value]:
        """The cells from around a node of which it matters in it what is known."""
        plan = self.plan
        inside = [n for region in node.regions for n in running(region)]
        around = [*node.regions, *(region for n in inside for region in n.regions)]
        own = {v for n in inside for v in n.outputs}
        own.update(v for region in around for v in region.inputs)
        leaving = [v for region in around for v in region.outputs]
        leaving += [v for n in inside for v in n.inputs]
        used = [plan.compared[n].cell for n in inside if n in plan.compared]
        used += [plan.moved[v].cell for v in leaving if v in plan.moved]
        found = [v for v in dict.fromkeys(used) if v not in own]
        for value in found:
            self._of(value, env)
        return found

    def _known_ends(self, cells: Sequence[Value]) -> list[Value]:
        return [end for v in cells for end in (self.known[v].low, self.known[v].high)]

    def _set_ends(self, cells: Sequence[Value], ends: Sequence[Value]) -> None:
        for value, low, high in zip(cells, ends[::2], ends[1::2]):
            self.known[value] = self.known[value]._replace(low=low, high=high)

    def _inner(self, cells: Sequence[Value], ends: Sequence[Value]) -> _Scoring:
        """For a region in which the draws of some cells from around are between these ends."""
        inner = _Scoring(self.plan, {value: self.known[value] for value in cells})
        inner._set_ends(cells, ends)
        return inner

    def _define(self, node: Node, env: Env, added: Sequence[Value], cells: Sequence[Value]) -> None:
        """Say what has become of the results of a node, and of what comes after them."""
        count = len(node.outputs)
        env.update(zip(node.outputs, added[:count]))
        total, *rest = added[count:]
        self.add(total)
        self._set_ends(cells, rest)
        self._enter(rest[2 * len(cells) :], [v for v in node.outputs if v in self.plan.cells])

    def _branches(self, node: Node, env: Env) -> None:
        """Also of a checkpoint, which is like a conditional with one branch."""
        around = self._around(node, env)
        bodies = []
        for region in node.regions:
            with Builder(region.name) as builder:
                inner = self._inner(around, self._known_ends(around))
                inner.run(region, env)
                outputs = [env.get(v, v) for v in region.outputs]
                added = [inner.total(), *inner._known_ends(around)]
                for value, result in zip(region.outputs, node.outputs):
                    if result in self.plan.cells:
                        added += inner._moved(value, self.plan.cells[result], env)
                bodies.append(builder.finish([*outputs, *added], region.location))
        types = [*(v.type for v in node.outputs), *bodies[0].output_types[len(node.outputs) :]]
        names = [*(v.name for v in node.outputs), *(None for _ in types[len(node.outputs) :])]
        inputs = [env.get(v, v) for v in node.inputs]
        outputs = current_builder().add(
            node.op, inputs, node.attrs, types, bodies, names, node.required
        )
        self._define(node, env, outputs, around)

    def _loop(self, node: Node, env: Env) -> None:
        loop = loop_of(node)
        around = self._around(node, env)
        total, goes = number(_NOTHING), None
        carried = [v for v in zip(loop.start, loop.state) if v[1] in self.plan.cells]
        cells = [v for v, entered in carried for v in self._moved(v, self.plan.cells[entered], env)]
        if loop.test is not None and self._has_score(loop.test):
            before = self._inner(around, self._known_ends(around))
            env.update((v, env.get(s, s)) for v, s in zip(loop.test.inputs, loop.start))
            cells = before._tested(loop, cells, env)
            total, goes = before.total(), env.get(v := loop.test.outputs[0], v)
            start = [goes, total, *before._known_ends(around), *cells]
        else:
            start = [total, *self._known_ends(around), *cells]
        types = [v.type for v in start]
        bodies = [self._test(test, loop, types, goes is not None, env) for test in loop.tests]
        bodies.append(self._body(loop, types, around, goes is not None, env))
        operands = [*(env.get(v, v) for v in node.inputs), *start]
        results = [*(v.type for v in node.outputs), *types]
        names = [*(v.name for v in node.outputs), *(None for _ in types)]
        added = [
            *current_builder().add(
                node.op, operands, node.attrs, results, bodies, names, node.required
            )
        ]
        if goes is not None:
            del added[len(node.outputs)]
        self._define(node, env, added, around)

    def _tested(self, loop: Loop, cells: Sequence[Value], env: Env) -> list[Value]:
        """What is known of the draws that variables hold, after a test, where these values say
        what was known before."""
        assert loop.test is not None
        variables = [v for v in loop.test.inputs if v in self.plan.cells]
        self._enter(cells, variables)
        self.run(loop.test, env)
        return [value for v in variables for value in self.known[v].values()]

    def _has_score(self, region: Graph) -> bool:
        plan = self.plan
        return any(
            n in found
            for n in running(region)
            for found in (plan.discrete, plan.held, plan.compared, plan.calls)
        )

    def _test(self, test: Graph, loop: Loop, types: Sequence, is_carried: bool, env: Env) -> Graph:
        with Builder(test.name) as builder:
            env.update((v, builder.input(v.type, v.name)) for v in test.inputs)
            extra = [builder.input(type) for type in types]
            if is_carried:
                return builder.finish([extra[0]], test.location)
            for node in test.nodes:
                copy_node(builder, node, env)
            return builder.finish([env.get(v, v) for v in test.outputs], test.location)

    def _body(
        self, loop: Loop, types: Sequence, around: Sequence[Value], is_carried: bool, env: Env
    ) -> Graph:
        body = loop.body
        with Builder(body.name) as builder:
            env.update((v, builder.input(v.type, v.name)) for v in body.inputs)
            extra = [builder.input(type) for type in types]
            total, *rest = extra[is_carried:]
            inner = self._inner(around, rest)
            inner._enter(rest[2 * len(around) :], [v for v in loop.state if v in self.plan.cells])
            inner.add(total)
            inner.run(body, env)
            outputs = [env.get(v, v) for v in body.outputs]
            cells = []
            for value, entered in zip(body.outputs, loop.state):
                if entered in self.plan.cells:
                    cells += inner._moved(value, self.plan.cells[entered], env)
            goes = []
            if is_carried:
                assert loop.test is not None
                env.update(zip(loop.test.inputs, outputs))
                cells = inner._tested(loop, cells, env)
                goes = [env.get(v, v) for v in loop.test.outputs]
            extra = [*goes, inner.total(), *inner._known_ends(around), *cells]
            return builder.finish([*outputs, *extra], body.location)

    def _lanes(self, node: Node, env: Env) -> None:
        lane = lanes_of(node).lane
        with Builder(lane.name) as builder:
            inner = _Scoring(self.plan)
            known: Env = {v: builder.input(v.type, v.name) for v in lane.inputs}
            inner.run(lane, known)
            outputs = [*(known.get(v, v) for v in lane.outputs), inner.total()]
            body = builder.finish(outputs, lane.location)
        operands = [env.get(v, v) for v in node.inputs]
        *added, totals = lane_nodes.add(body, operands, node.attrs["axes"], node.attrs["sizes"])
        env.update(zip(node.outputs, added))
        self.add(totals)

    def _call(self, node: Node, flags: Dependent, env: Env) -> None:
        callee = _scored_callee(current_builder(), node.attrs["callee"], flags, self.plan.twice)
        inputs = [env.get(v, v) for v in node.inputs]
        for place, law in flags.laws:
            inputs += self._moved(node.inputs[place], Cell(law, None, False), env)
        total = number(_NOTHING)
        types = [*(v.type for v in node.outputs), total.type]
        names = [*(v.name for v in node.outputs), None]
        attrs = {**node.attrs, "callee": callee}
        added = current_builder().add(node.op, inputs, attrs, types, (), names, node.required)
        self._define(node, env, added, ())


def _scored_callee(builder: Builder, callee: str, flags: Dependent, twice: bool) -> str:
    """The name of the graph that also gives the likelihood of what the named graph draws. What is
    known of the draws that its inputs hold are its last inputs."""
    choice = (*flags.moving, *flags.random, *flags.laws, twice)
    name, is_new = derived.find(builder, callee, "scored", choice)
    if not is_new:
        return name
    graph = builder.graphs[callee]
    given = {graph.inputs[place]: law for place, law in flags.laws}
    plan = find_plan(graph, builder.graphs, *flags.of(graph.inputs), given, twice)
    with Builder(name) as inner:
        scoring = _Scoring(plan)
        env: Env = {v: inner.input(v.type, v.name) for v in graph.inputs}
        for value, law in given.items():
            shape = value.type.shape
            shapes = [shape, shape, *(s for s in law.scales for _ in range(2) if s is not None)]
            numbers = [inner.input(ArrayType(np.dtype(np.float64), shape)) for shape in shapes]
            is_drawn = inner.input(ArrayType(np.dtype(np.bool_), ()))
            scoring._enter([*numbers, is_drawn], [value])
        scoring.run(graph, env)
        outputs = [*(env.get(v, v) for v in graph.outputs), scoring.total()]
        derived.finish(builder, name, inner, outputs)
    return name
