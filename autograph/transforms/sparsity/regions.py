"""What nodes with regions, calls, packs and stacks do to facts; see `propagation`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.graph.graph import Graph, Node
from autograph.graph.wiring import (
    CustomJVP,
    CustomVJP,
    branches_of,
    custom_jvp_of,
    custom_vjp_of,
    lanes_of,
    loop_of,
    wiring,
)
from autograph.transforms.sparsity import sets as index_sets
from autograph.transforms.sparsity.facts import (
    EMPTY,
    NOTHING,
    AnyFact,
    Anything,
    Fact,
    KnownElements,
    Packs,
    StackFacts,
    all_joined,
    have_grown,
    joined,
    nothing_of,
    rows,
    together,
    unknown,
)
from autograph.transforms.sparsity.propagation import Env, Propagation, Rule
from autograph.transforms.sparsity.sets import Sets
from ops.control import regions
from ops.core.registry import Op
from ops.core.types import ArrayType

# After so many trips the elements of a loop's state are no longer told apart.
_MOST_TRIPS = 64

_DEEPEST = 100  # so deep recursive calls are told apart


# -- control flow ----------------------------------------------------------------------------------


def cond(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    branches = branches_of(node)
    predicate = run.fact(branches.predicate, env)
    if predicate.known is not None:
        chosen = branches.then if run.consult(predicate.known) else branches.orelse
        return run.run(chosen, (), env)
    return all_joined(run.run(branches.then, (), env), run.run(branches.orelse, (), env))


def loop(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    parts = loop_of(node)
    state: Sequence[AnyFact] = [run.fact(value, env) for value in parts.start]
    if parts.count is not None:
        count = run.fact(parts.count, env).known
        if count is not None and run.spend(int(count.data), parts.body):
            for i in range(int(run.consult(count))):
                index = Fact(KnownElements(i, frozenset()))
                state = run.run(parts.body, [index, *state], env)
            return state
    else:
        assert parts.test is not None
        while run.spend(1, parts.test, parts.body):
            (going,) = run.run(parts.test, state, env)
            if going.known is None:
                break
            if not run.consult(going.known):
                return state
            state = run.run(parts.body, state, env)
    return _any_trips(run, parts.body, [NOTHING] * len(parts.indices), state, env)


def _any_trips(
    run: Propagation, body: Graph, index: list[AnyFact], state: Sequence[AnyFact], env: Env
) -> Sequence[AnyFact]:
    """What a state may be after any number of trips."""
    trips = 0
    while True:
        after = all_joined(state, run.run(body, [*index, *state], env))
        if not have_grown(after, state):
            return after
        trips += 1
        if trips >= _MOST_TRIPS:
            one = together(after)
            after = tuple(
                joined(fact, run.depending_on(one, value)) if has_sets(fact) else fact
                for fact, value in zip(after, body.outputs)
            )
        state = after


def has_sets(fact: AnyFact) -> bool:
    return not isinstance(fact, Fact) or fact.sets is not None


def body(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    (region,) = wiring(node).runs
    return run.run(region, (), env)


def linear_call(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    (region,) = wiring(node).runs
    return run.run(region, [run.fact(v, env) for v in node.inputs], env)


class _Call:
    """A call of a graph that is being gone through, with all calls of it in that.

    Attributes:
        recurs: whether there are any.
    """

    def __init__(self, arguments: Sequence[AnyFact], results: Sequence[AnyFact]):
        self.arguments = arguments
        self.results = results
        self.recurs = False


def call(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    """A recursive call is gone through as others are where it is known to differ, as by a number
    that counts. Of others counts what is known by now of the results, for all arguments by now;
    again, until that does not change."""
    name = node.attrs["callee"]
    graph = run.graphs[name]
    arguments: Sequence[AnyFact] = [run.fact(value, env) for value in node.inputs]
    around = run.calls.setdefault(name, [])
    if around and not (_differs(arguments, around[-1]) and _may_go_on(run, graph, around)):
        outer = around[-1]
        outer.recurs = True
        outer.arguments = all_joined(outer.arguments, arguments)
        return outer.results
    entry = _Call(arguments, [nothing_of(v.type) for v in graph.outputs])
    around.append(entry)
    while True:
        given, before = entry.arguments, entry.results
        found: Sequence[AnyFact] = run.run(graph, given, {})
        if entry.recurs:
            found = [_flat(fact) for fact in found]
            found = all_joined(before, found) if any(map(has_sets, before)) else found
        entry.results = tuple(found)
        settled = not (have_grown(entry.arguments, given) or have_grown(entry.results, before))
        if not entry.recurs or settled:
            around.pop()
            return entry.results


def _differs(arguments: Sequence[AnyFact], around: _Call) -> bool:
    """Whether something that is known of the arguments is not what it is around; what is in a pack
    is another one."""
    return any(
        isinstance(fact, Packs)
        or (isinstance(fact, Fact) and fact.known and joined(fact, other).known is None)
        for fact, other in zip(arguments, around.arguments)
    )


def _may_go_on(run: Propagation, graph: Graph, around: list[_Call]) -> bool:
    return len(around) < _DEEPEST and run.spend(1, graph)


def _flat(fact: AnyFact) -> AnyFact:
    """Of what a recursive function leaves, which is nested as deeply as it was, only everything
    together."""
    return fact if isinstance(fact, Fact) else Anything(together([fact]))


# -- functions with derivatives of their own, and of lanes -----------------------------------------


def _roots(values: Sequence[Any], sets: bool = True) -> tuple[list[Fact], list[int], int]:
    """Facts about values of which each element depends on itself; where those of each begin, and
    how many there are."""
    sizes = [rows(v.type) if v.type.inexact else 0 for v in values]
    ends = np.cumsum([0, *sizes])
    width = int(ends[-1])
    facts = [
        Fact(None, index_sets.identity(range(start, start + n), width)) if n else NOTHING
        for start, n in zip(ends, sizes)
    ]
    return facts, [int(end) for end in ends], width


def _by_parts(sets: Sets | None, ends: Sequence[int]) -> dict[int, Sets]:
    """Sets, by what of several values they depend on."""
    if sets is None:
        return {}
    columns = sets.tocsc()
    return {
        i: part.tocsr()
        for i, (start, end) in enumerate(zip(ends, ends[1:]))
        if end > start and (part := columns[:, start:end]).nnz
    }


def _is_known_in_shape(values: Sequence[Any]) -> bool:
    return all(isinstance(v.type, ArrayType) and v.type.is_static for v in values)


def custom_jvp(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    rule = custom_jvp_of(node)
    return _custom(run, node, env, rule.primal, rule, None)


def custom_vjp(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    rules = custom_vjp_of(node)
    return _custom(run, node, env, rules.primal, rules.by_tangents, rules)


def _custom(
    run: Propagation,
    node: Node,
    env: Env,
    primal: Graph,
    forward: CustomJVP | None,
    backward: CustomVJP | None,
) -> Sequence[AnyFact]:
    """The derivative is that of the rules, so they say what depends on what: tangents on tangents,
    and the cotangents of arguments on those of results the other way round."""
    if not _is_known_in_shape([*node.inputs, *node.outputs]):
        return run.depending_on_all(node, env)
    facts = [run.fact(value, env) for value in node.inputs]
    known = [Fact(fact.known) for fact in facts]
    values = run.run(primal, known, dict(env))
    moving = [i for i, v in enumerate(node.inputs) if v.type.inexact]
    moved = [k for k, v in enumerate(node.outputs) if v.type.inexact]
    relations: dict[int, dict[int, Sets]] = {k: {} for k in moved}

    def note(k: int, i: int, part: Sets) -> None:
        own = relations[k].get(i)
        relations[k][i] = index_sets.union(own, part)

    if forward is not None:
        roots, ends, width = _roots(forward.tangents)
        found = run.apart(width).run(forward.rule, [*known, *roots], dict(env))
        for k, fact in zip(moved, found[len(forward.results) :]):
            for j, part in _by_parts(fact.sets, ends).items():
                note(k, moving[j], part)
    if backward is not None:
        roots, ends, width = _roots(backward.seeds)
        residuals = [nothing_of(v.type) for v in backward.taken]
        found = run.apart(width).run(backward.backward, [*residuals, *roots], dict(env))
        for i, fact in zip(moving, found):
            for j, part in _by_parts(fact.sets, ends).items():
                note(moved[j], i, part.T.tocsr())
    results: list[AnyFact] = []
    for k, (value, fact) in enumerate(zip(node.outputs, values)):
        own = run.combined(relations.get(k, {}), facts, value.type)
        results.append(Fact(fact.known, own))
    return results


def lanes(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    """What holds in one lane holds in all of them."""
    lane, _ = lanes_of(node)
    sizes, axes = node.attrs["sizes"], node.attrs["axes"]
    facts = [run.fact(value, env) for value in node.inputs]
    if not _is_known_in_shape([*node.inputs, *node.outputs, *lane.outputs]):
        return run.depending_on_all(node, env)
    roots, ends, width = _roots(lane.inputs)
    inputs = [
        Fact(fact.known if not own else None, root.sets if fact.sets is not None else None)
        for fact, own, root in zip(facts, axes, roots)
    ]
    found = run.apart(width).run(lane, inputs, {})
    numbers = np.indices(sizes).reshape(len(sizes), -1)
    count = numbers.shape[1]
    results: list[AnyFact] = []
    for output, value, fact in zip(lane.outputs, node.outputs, found):
        relations = {}
        for i, part in _by_parts(fact.sets, ends).items():
            own = np.zeros(count, int)  # the lane that an operand has for each lane
            for axis in axes[i]:
                own = own * sizes[axis] + numbers[axis]
            part = part.tocoo()
            height, size = rows(output.type), rows(lane.inputs[i].type)
            relations[i] = index_sets.relation(
                (np.arange(count)[:, None] * height + part.row).reshape(-1),
                (own[:, None] * size + part.col).reshape(-1),
                (count * height, rows(node.inputs[i].type)),
            )
        results.append(Fact(None, run.combined(relations, facts, value.type)))
    return results


# -- packs and stacks ------------------------------------------------------------------------------


def pack(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    types = tuple(value.type for value in node.inputs)
    return [Packs({types: tuple(run.fact(value, env) for value in node.inputs)})]


def unpack(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    """Of zeros nothing is to be said."""
    packed = run.fact(node.inputs[0], env)
    types = tuple(node.attrs["types"])
    if isinstance(packed, Packs):
        if types in packed.contents:
            return packed.contents[types]
        if not packed.contents:
            return [nothing_of(t) for t in types]
    one = together([packed])
    return [run.depending_on(one, value) for value in node.outputs]


def unpack_ct(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    """The elements may also be zeros, which are not known."""
    return [unknown(fact) for fact in unpack(run, node, env)]


def push(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    stack, top = (run.fact(value, env) for value in node.inputs)
    if isinstance(stack, Anything):
        return [Anything(together([stack, top]))]
    if stack.packs is None:
        return [StackFacts(None, joined(stack.any, top))]
    return [StackFacts((*stack.packs, top))]


def pop(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    stack = run.fact(node.inputs[0], env)
    if isinstance(stack, StackFacts):
        if stack.packs is None:
            return [stack, stack.any]
        if stack.packs:
            return [StackFacts(stack.packs[:-1]), stack.packs[-1]]
        return [stack, EMPTY]
    return [stack, Anything(stack.sets)]


def add_ct(run: Propagation, node: Node, env: Env) -> Sequence[AnyFact]:
    """The sum of two has what is in either."""
    a, b = (run.fact(value, env) for value in node.inputs)
    return [unknown(joined(a, b))]


# What each node with regions, and what loops keep, says about its results.
RULES: dict[Op, Rule] = {
    regions.cond: cond,
    regions.while_loop: loop,
    regions.for_loop: loop,
    regions.call: call,
    regions.checkpoint: body,
    regions.custom_vjp: custom_vjp,
    regions.custom_jvp: custom_jvp,
    regions.linear_call: linear_call,
    regions.lanes: lanes,
    regions.pack: pack,
    regions.unpack: unpack,
    regions.unpack_ct: unpack_ct,
    regions.push: push,
    regions.pop: pop,
    regions.add_ct: add_ct,
}
