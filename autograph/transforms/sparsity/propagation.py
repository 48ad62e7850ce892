"""Index sets through a graph.

From the facts about the inputs those about the outputs follow, node by node. What is known before
the run is computed: so a loop whose number of trips is known is gone through trip by trip, with
its index, and a branch whose predicate is known is the only one. Otherwise what a conditional gives
is what either branch may give, and the state of a loop what it may be after any number of trips: it
is joined with what the body makes of it until nothing changes. Sets only grow, so that ends.

Sparsity of a program's derivatives by such sets: Giering & Kaminski, Automatic sparsity detection
implemented as a source-to-source transformation, 2006; Griewank & Walther, Evaluating Derivatives,
2nd edition, 2008, section 7.1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.transforms.sparsity import sets as index_sets
from autograph.transforms.sparsity.elements import OperandFacts
from autograph.transforms.sparsity.facts import (
    NOTHING,
    AnyFact,
    Anything,
    Fact,
    KnownElements,
    nothing_of,
    rows,
    together,
)
from autograph.transforms.sparsity.operators import ALL, SAME, OperatorDependence, has_derivative
from autograph.transforms.sparsity.sets import Sets
from ops.core.registry import Op
from ops.core.types import ArrayType

Env = MutableMapping[Value, AnyFact]

# How many nodes are gone through in trips of loops, before they are taken for loops of any length.
BUDGET = 50_000

Rule = Callable[["Propagation", Node, Env], Sequence[AnyFact]]


class Propagation:
    """Goes through graphs, forwards.

    Args:
        width: how many things there are to depend on.
        graphs: the named graphs that are called.
        captured: which constants are arrays from outside, that may be others later, by identity of
            their data.
        rules: what nodes with regions do, calls, packs and stacks; see
            `autograph.transforms.sparsity.regions`.

    Attributes:
        consulted: the identities of those whose contents the sets depend on.
    """

    def __init__(
        self,
        width: int,
        graphs: Mapping[str, Graph],
        captured: Collection[int],
        rules: Mapping[Op, Rule],
    ):
        self.width = width
        self.graphs = graphs
        self.captured = captured
        self.rules = rules
        self.consulted: set[int] = set()
        self.budget = BUDGET
        self.calls: dict[str, list[Any]] = {}

    def apart(self, width: int) -> Propagation:
        """One of its own for a part of the graph, with other things to depend on."""
        part = Propagation(width, self.graphs, self.captured, self.rules)
        part.consulted = self.consulted
        part.budget = self.budget
        return part

    def run(self, graph: Graph, inputs: Sequence[AnyFact], env: Env) -> list[AnyFact]:
        """What follows of the outputs of a graph, or region.

        Args:
            env: what is known of values that it captures; is extended.
        """
        env.update(zip(graph.inputs, inputs))
        for node in graph.nodes:
            rule = self.rules.get(node.op)
            if rule is not None:
                found = rule(self, node, env)
            elif node.regions:
                found = self.depending_on_all(node, env)
            else:
                found = self._applied(node, env)
            env.update(zip(node.outputs, found))
        return [self.fact(value, env) for value in graph.outputs]

    def fact(self, value: Value, env: Env) -> AnyFact:
        """What is known of a value."""
        if not isinstance(value, Constant):
            return env.get(value, NOTHING)
        if not isinstance(value.type, ArrayType):
            return _nothing_in(value)
        origins = {id(value.data)} if id(value.data) in self.captured else set()
        return Fact(KnownElements(value.data, frozenset(origins)))

    def consult(self, known: KnownElements) -> Any:
        """Elements that decide about the sets."""
        self.consulted |= known.origins
        return known.data

    def spend(self, trips: int, *graphs: Graph) -> bool:
        """Whether graphs may be gone through so many times; if so, that is counted."""
        cost = trips * sum(1 for graph in graphs for _ in walk(graph))
        if cost > self.budget:
            return False
        self.budget -= cost
        return True

    # -- one operator -----------------------------------------------------------------------------

    def _applied(self, node: Node, env: Env) -> list[AnyFact]:
        operands = [self.fact(value, env) for value in node.inputs]
        found = self._computed(node, operands)
        if any(fact.sets is not None for fact in operands if isinstance(fact, Fact)):
            for k, sets in enumerate(self._sets(node, operands)):
                found[k] = Fact(found[k].known, sets)
        return found

    def _computed(self, node: Node, operands: Sequence[AnyFact]) -> list[Fact]:
        """The results, if they are known."""
        unknown = [NOTHING] * len(node.outputs)
        if node.op.effect is not None or not all(isinstance(fact, Fact) for fact in operands):
            return unknown
        knowns = [fact.known for fact in operands]
        if not all(knowns) or not all(isinstance(v.type, ArrayType) for v in node.outputs):
            return unknown
        try:
            with np.errstate(all="ignore"):  # the program will do it again, and warn
                data = node.op.evaluate(np, [known.data for known in knowns], node.attrs)
        except Exception:  # so will the program raise
            return unknown
        origins = frozenset().union(*(known.origins for known in knowns))
        results = [data] if len(node.outputs) == 1 else data
        return [Fact(KnownElements(result, origins)) for result in results]

    def _sets(self, node: Node, facts: Sequence[AnyFact]) -> list[Sets | None]:
        """The sets of the results."""
        types = [v.type for v in (*node.inputs, *node.outputs)]
        if not all(isinstance(type, ArrayType) and type.is_static for type in types):
            return self._of_unknown_lengths(node, facts)
        operands = [
            OperandFacts(value.type, fact.known and fact.known.data, fact.sets is not None)
            for value, fact in zip(node.inputs, facts)
        ]
        if node.op.expansion is not None:
            return self._expanded(node, facts)
        results = [value.type for value in node.outputs]
        dependence = OperatorDependence(node.op, node.attrs, operands, results)
        found = dependence.relations()
        for position in dependence.consulted:
            self.consult(facts[position].known)
        return [self.combined(relations, facts, type) for relations, type in zip(found, results)]

    def combined(
        self, relations: Mapping[int, Any], facts: Sequence[AnyFact], result: ArrayType
    ) -> Sets | None:
        """The sets of a result that depends on operands by relations."""
        found: Sets | None = None
        for position, relation in relations.items():
            own = facts[position].sets
            if own is None:
                continue
            if relation is ALL:
                own = index_sets.repeated(index_sets.of_all(own), rows(result))
            elif relation is not SAME:
                own = index_sets.product(relation, own)
            found = index_sets.union(found, own)
        return found

    def _expanded(self, node: Node, facts: Sequence[AnyFact]) -> list[Sets | None]:
        """Of what is made of other operators."""
        assert node.op.expansion is not None
        with Builder(node.op.name) as builder:
            given = [builder.input(v.type, v.name) for v in node.inputs]
            graph = builder.finish([node.op.expansion(*given, **node.attrs)])
        return [fact.sets for fact in self.run(graph, facts, {})]

    def _of_unknown_lengths(self, node: Node, facts: Sequence[AnyFact]) -> list[Sets | None]:
        """All elements of a result depend on all of the operands, where lengths are not known."""
        one = self.one_set(node, facts)
        return [
            index_sets.repeated(one, rows(value.type))
            if one is not None and isinstance(value.type, ArrayType) and value.type.inexact
            else None
            for value in node.outputs
        ]

    def one_set(self, node: Node, facts: Sequence[AnyFact]) -> Sets | None:
        """All that a result of an operator may depend on by operands that it has a derivative
        by."""
        return together(f for i, f in enumerate(facts) if has_derivative(node.op, i))

    def depending_on_all(self, node: Node, env: Env) -> list[AnyFact]:
        """What follows of results of which nothing is said: they depend on all that the node
        uses."""
        one = together(self.fact(value, env) for value in node.uses())
        found: list[AnyFact] = []
        for value in node.outputs:
            found.append(self.depending_on(one, value))
        return found

    def depending_on(self, one: Sets | None, value: Value) -> AnyFact:
        """What is known of a value of which each element depends on one set."""
        if not isinstance(value.type, ArrayType):
            return Anything(one)
        if one is None or not value.type.inexact:
            return NOTHING
        return Fact(None, index_sets.repeated(one, rows(value.type)))


def _nothing_in(constant: Constant) -> AnyFact:
    """Of a constant that is a pack or stack: the empty stack, zero, or what a forward pass that is
    over has left, which does not depend on anything."""
    return nothing_of(constant.type) if constant.data is None else Anything(None)
