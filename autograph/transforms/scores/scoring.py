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
old one. So the number may be compared in other branches and loops than it is drawn in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

import ops
from autograph.graph import derived
from autograph.graph.builder import Builder, copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.rewrite import Env
from autograph.graph.wiring import Loop, is_loop, lanes_of, loop_of
from autograph.transforms.lanes import node as lane_nodes
from autograph.transforms.scores.distributions import CONTINUOUS, CONTINUOUS_FAMILIES, DISCRETE
from autograph.transforms.scores.plan import (
    SAME,
    Compared,
    Dependent,
    Held,
    Scores,
    find_plan,
    running,
)
from autograph.transforms.scores.sites import Site
from ops.control import regions
from ops.elementwise.conversion import stop_gradient
from ops.random.draws import LIKELIHOOD, drawn

_NOTHING = 0.0  # the likelihood of what is certain is 1


class Interval(NamedTuple):
    """Where a draw is known to be, as the probabilities of numbers below its ends."""

    low: Value
    high: Value


def scored(graph: Graph, moving: Collection[Value]) -> Graph | None:
    """The graph with one more output: the logarithm of the likelihood of what is drawn, but for
    what does not depend on parameters, a float64.

    Args:
        graph: any graph; it may capture values.
        moving: its inputs, and values that it captures, that depend on parameters.

    Returns:
        The new graph; None if nothing has a score.

    Raises:
        NonDifferentiableError: a draw that needs a score has none.
    """
    plan = find_plan(graph, current_builder().graphs, moving)
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
        intervals: of the draws that are compared, by what is drawn.
    """

    def __init__(self, plan: Scores, intervals: dict[Value, Interval] | None = None):
        self.plan = plan
        self.intervals = {} if intervals is None else intervals
        self._terms: list[Value] = []

    def total(self) -> Value:
        """The logarithm of the likelihood of all there was."""
        if not self._terms:
            return _number(_NOTHING)
        found = self._terms[0]
        for term in self._terms[1:]:
            found = ops.add(found, term)
        return found

    def add(self, term: Value) -> None:
        """Add logarithms, of any shape."""
        term = _float64(term)
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
        value = _float64(env[site.value])
        self.add(DISCRETE[site.distribution](value, *parameters))

    def _held(self, held: Held, node: Node, env: Env) -> None:
        (result,) = node.outputs[-1:]
        number = env[result] = stop_gradient(env[result])
        site = held.site
        if site.is_family:
            parameters = [env.get(v, v) for v in site.parameters]
            self.add(CONTINUOUS_FAMILIES[site.distribution](number, *parameters))
            return
        origin, unit = _number(site.origin), _number(site.unit)
        for step, place in held.steps:
            operands = [env.get(v, v) for v in step.inputs]
            other = operands[1 - place] if len(operands) > 1 else None
            origin, unit = _affine(step, place, origin, unit, other)
        standard = ops.divide(ops.subtract(_float64(number), origin), unit)
        density = CONTINUOUS[site.distribution].log_density
        assert density is not None
        scale = ops.log(ops.absolute(unit))
        self.add(ops.subtract(density(standard), scale))

    def _compared(self, compared: Compared, node: Node, env: Env) -> None:
        site = compared.site
        threshold = _float64(env.get(v := node.inputs[1 - compared.place], v))
        below_if = (node.op in (ops.less, ops.less_equal)) == (compared.place == 0)
        outcome = env[node.outputs[0]]
        is_below = outcome if below_if else ops.logical_not(outcome)
        whole, view = site.value, None
        for step, place in reversed(compared.steps):
            if step.op is ops.getitem:
                view = step
                continue
            operands = [env.get(v, v) for v in step.inputs]
            other = _float64(operands[1 - place]) if _is_binary(step) else None
            threshold, is_below = _inverse(step, place, threshold, is_below, other)
        standard = ops.divide(ops.subtract(threshold, site.origin), site.unit)
        probability = CONTINUOUS[site.distribution].below(standard)
        low = ops.where(is_below, 0.0, probability)
        high = ops.where(is_below, probability, 1.0)
        shape = (whole if view is None else view.outputs[0]).type.shape
        low, high = _reduced(low, shape, ops.max), _reduced(high, shape, ops.min)
        if view is not None:
            self._begin(whole, env)
        all_before = self.intervals.get(whole)
        before = all_before
        if before is not None:
            if view is not None:
                before = Interval(*(_viewed(end, view, env) for end in before))
            low, high = ops.maximum(before.low, low), ops.minimum(before.high, high)
            self.add(ops.negative(ops.log(ops.subtract(before.high, before.low))))
        self.add(ops.log(ops.subtract(high, low)))
        found = Interval(low, high)
        if view is not None and all_before is not None:
            found = Interval(*(_put(w, end, view, env) for w, end in zip(all_before, found)))
        self.intervals[whole] = found

    def _begin(self, value: Value, env: Env) -> None:
        """See that a draw has an interval: at first, it may be anything."""
        if value not in self.intervals:
            self.intervals[value] = Interval(_filled(value, 0.0, env), _filled(value, 1.0, env))

    # -- control flow ------------------------------------------------------------------------------

    def _structured(self, node: Node, env: Env) -> None:
        if is_loop(node):
            self._loop(node, env)
        elif node.op is regions.lanes:
            self._lanes(node, env)
        else:
            self._branches(node, env)

    def _around(self, node: Node, env: Env) -> list[Value]:
        """The draws from around a node that are compared in it; each gets its interval."""
        inside = [n for region in node.regions for n in running(region)]
        own = {v for n in inside for v in n.outputs}
        compared = [self.plan.compared[n].site.value for n in inside if n in self.plan.compared]
        found = [v for v in dict.fromkeys(compared) if v not in own]
        for value in found:
            self._begin(value, env)
        return found

    def _ends(self, sites: Sequence[Value]) -> list[Value]:
        return [end for value in sites for end in self.intervals[value]]

    def _inner(self, sites: Sequence[Value], ends: Sequence[Value]) -> _Scoring:
        """For a region in which the intervals of some draws have these ends."""
        pairs = zip(sites, zip(ends[::2], ends[1::2]))
        return _Scoring(self.plan, {value: Interval(*pair) for value, pair in pairs})

    def _define(self, node: Node, env: Env, added: Sequence[Value], sites: Sequence[Value]) -> None:
        """Say what has become of the results of a node, and of what comes after them."""
        count = len(node.outputs)
        env.update(zip(node.outputs, added[:count]))
        total, *ends = added[count:]
        self.add(total)
        pairs = zip(sites, zip(ends[::2], ends[1::2]))
        self.intervals.update((value, Interval(*pair)) for value, pair in pairs)

    def _branches(self, node: Node, env: Env) -> None:
        """Also of a checkpoint, which is like a conditional with one branch."""
        sites = self._around(node, env)
        bodies = []
        for region in node.regions:
            with Builder(region.name) as builder:
                inner = self._inner(sites, self._ends(sites))
                inner.run(region, env)
                outputs = [env.get(v, v) for v in region.outputs]
                ends = inner._ends(sites)
                bodies.append(builder.finish([*outputs, inner.total(), *ends], region.location))
        added = bodies[0].output_types[len(node.outputs) :]
        types = [*(v.type for v in node.outputs), *added]
        names = [*(v.name for v in node.outputs), *(None for _ in added)]
        inputs = [env.get(v, v) for v in node.inputs]
        outputs = current_builder().add(
            node.op, inputs, node.attrs, types, bodies, names, node.required
        )
        self._define(node, env, outputs, sites)

    def _loop(self, node: Node, env: Env) -> None:
        loop = loop_of(node)
        sites = self._around(node, env)
        total, goes = _number(_NOTHING), None
        if loop.test is not None and self._has_score(loop.test):
            before = self._inner(sites, self._ends(sites))
            env.update((v, env.get(s, s)) for v, s in zip(loop.test.inputs, loop.start))
            before.run(loop.test, env)
            total, goes = before.total(), env.get(v := loop.test.outputs[0], v)
            start = [goes, total, *before._ends(sites)]
        else:
            start = [total, *self._ends(sites)]
        types = [v.type for v in start]
        bodies = [self._test(test, loop, types, goes is not None, env) for test in loop.tests]
        bodies.append(self._body(loop, types, sites, goes is not None, env))
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
        self._define(node, env, added, sites)

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
        self, loop: Loop, types: Sequence, sites: Sequence[Value], is_carried: bool, env: Env
    ) -> Graph:
        body = loop.body
        with Builder(body.name) as builder:
            env.update((v, builder.input(v.type, v.name)) for v in body.inputs)
            extra = [builder.input(type) for type in types]
            total, *ends = extra[is_carried:]
            inner = self._inner(sites, ends)
            inner.add(total)
            inner.run(body, env)
            outputs = [env.get(v, v) for v in body.outputs]
            goes = []
            if is_carried:
                assert loop.test is not None
                env.update(zip(loop.test.inputs, outputs))
                inner.run(loop.test, env)
                goes = [env.get(v, v) for v in loop.test.outputs]
            extra = [*goes, inner.total(), *inner._ends(sites)]
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
        callee = _scored_callee(current_builder(), node.attrs["callee"], flags)
        inputs = [env.get(v, v) for v in node.inputs]
        total = _number(_NOTHING)
        types = [*(v.type for v in node.outputs), total.type]
        names = [*(v.name for v in node.outputs), None]
        attrs = {**node.attrs, "callee": callee}
        added = current_builder().add(node.op, inputs, attrs, types, (), names, node.required)
        self._define(node, env, added, ())


def _scored_callee(builder: Builder, callee: str, flags: Dependent) -> str:
    """The name of the graph that also gives the likelihood of what the named graph draws."""
    name, is_new = derived.find(builder, callee, "scored", (*flags.moving, *flags.random))
    if not is_new:
        return name
    graph = builder.graphs[callee]
    plan = find_plan(graph, builder.graphs, *flags.of(graph.inputs), called=True)
    with Builder(name) as inner:
        scoring = _Scoring(plan)
        env: Env = {v: inner.input(v.type, v.name) for v in graph.inputs}
        scoring.run(graph, env)
        outputs = [*(env.get(v, v) for v in graph.outputs), scoring.total()]
        derived.finish(builder, name, inner, outputs)
    return name


# -- arithmetic ------------------------------------------------------------------------------------


def _number(value: float) -> Value:
    return Constant(np.float64(value))


def _float64(value: Value) -> Value:
    type = value.type
    if type.dtype == np.float64 and not type.weak:
        return value
    return ops.cast(value, dtype="float64", weak=False)


def _filled(value: Value, end: float, env: Env) -> Value:
    """A number for each element of a draw."""
    shape = value.type.shape
    if not shape:
        return _number(end)
    like = ops.zeros_like(_float64(env.get(value, value)))
    return ops.add(like, _number(end)) if end else like


def _viewed(end: Value, view: Node, env: Env) -> Value:
    """Those elements of the ends that a subscript takes."""
    operands = [env.get(v, v) for v in view.inputs[1:]]
    return ops.getitem.apply([end, *operands], view.attrs)


def _put(whole: Value, part: Value, view: Node, env: Env) -> Value:
    """The ends with others for those elements that a subscript takes."""
    operands = [env.get(v, v) for v in view.inputs[1:]]
    put = ops.getitem.put
    assert put is not None
    found: Value = put(whole, part, *operands, **view.attrs)
    return found


def _reduced(ends: Value, shape: tuple[int | None, ...], reduce: Callable) -> Value:
    """Ends of intervals, of a shape that one is broadcast to, for that one."""
    found = ends.type.shape
    extra = tuple(range(len(found) - len(shape)))
    if extra:
        ends = reduce(ends, axis=extra)
    along = tuple(i for i, (n, m) in enumerate(zip(found[len(extra) :], shape)) if n != m)
    return reduce(ends, axis=along, keepdims=True) if along else ends


def _is_binary(step: Node) -> bool:
    return step.op in (ops.add, ops.subtract, ops.multiply, ops.divide)


def _affine(
    step: Node, place: int, origin: Value, unit: Value, other: Value | None
) -> tuple[Value, Value]:
    """``origin + unit * z`` after one more step."""
    if step.op in SAME:
        return origin, unit
    if step.op is ops.negative:
        return ops.negative(origin), ops.negative(unit)
    assert other is not None
    other = _float64(other)
    if step.op is ops.add:
        return ops.add(origin, other), unit
    if step.op is ops.subtract and place == 0:
        return ops.subtract(origin, other), unit
    if step.op is ops.subtract:
        return ops.subtract(other, origin), ops.negative(unit)
    operator = ops.multiply if step.op is ops.multiply else ops.divide
    return operator(origin, other), operator(unit, other)


def _inverse(
    step: Node, place: int, threshold: Value, is_below: Value, other: Value | None
) -> tuple[Value, Value]:
    """The threshold before a step, and whether the number was below it there."""
    if step.op is ops.log:
        return ops.exp(threshold), is_below
    if step.op is ops.log1p:
        return ops.expm1(threshold), is_below
    if step.op is ops.negative:
        return ops.negative(threshold), ops.logical_not(is_below)
    if step.op is ops.add:
        return ops.subtract(threshold, other), is_below
    if step.op is ops.subtract and place == 0:
        return ops.add(threshold, other), is_below
    if step.op is ops.subtract:
        return ops.subtract(other, threshold), ops.logical_not(is_below)
    if step.op in (ops.multiply, ops.divide):
        operator = ops.divide if step.op is ops.multiply else ops.multiply
        turned = ops.logical_xor(is_below, ops.less(other, 0.0))
        return operator(threshold, other), turned
    return threshold, is_below  # another dtype, or broadcast
