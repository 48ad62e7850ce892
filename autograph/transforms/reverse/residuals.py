"""What a region's forward pass keeps for its backward pass.

The backward pass of a region refers to values of the forward pass. Any of them can be kept, or made
again from others that are, where that is cheap; and what the backward pass computes of them alone,
without a cotangent, can as well be computed by the forward pass and kept: a mask, say, in place of
the floats that were compared. Each value has a cost if it is kept, by its bytes, and one if it is
made again, by the work; the cheapest choice is a minimum cut (as in selection, Picard 1976):

    source -> in(v)          what making v again costs; infinite if that is not allowed
    in(v)  -> out(v)         what keeping v costs
    out(u) -> in(v)          infinite, where v is made of u
    out(v) -> sink           infinite, where the backward pass needs v

Kept is each v whose edge in(v) -> out(v) is cut.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

import ops
from autograph.closure import closure
from autograph.graph.builder import Builder, copy_node
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.purity import is_speculatable
from ops.core.registry import Elementwise
from ops.core.symbolic_lengths import example_of
from ops.core.types import ArrayType, Type

# Costs are counted in bytes written.
_SLOT = 16  # of a pack
# A call of the array library takes the time of a few thousand, an operation of native code of few.
_CALL, _NATIVE_CALL = 4096, 4
_VIEW, _NATIVE_VIEW = 512, 4
# Up to so many additions, as a quotient takes, may be made again where there are so many bytes:
# one number waits for a quotient, and the elements of an array do not wait for each other.
_NATIVE_COST, _SEVERAL = 4, 64
GUESS = 1000  # the length of an axis of which only the run knows it


class Residuals:
    """The choice for one region.

    Args:
        template: the backward pass. Its inputs are cotangents; it captures values of the forward
            pass.
        local: the values of the forward pass that are not visible outside of the region.
        free: those of them that the backward pass has anyway.
        native: whether both passes are likely to be native code.
        lasts: whether a value that is visible outside of the region is there for as long as the
            function runs: an argument, or made once, outside of all loops.

    Attributes:
        kept: what the forward pass has to keep: values of its own, or values of the template that
            it has to compute.
    """

    def __init__(
        self,
        template: Graph,
        local: Collection[Value],
        free: Collection[Value],
        native: bool,
        lasts: Callable[[Value], bool] = lambda value: False,
    ):
        self.template = template
        self._native = native
        self._lasts = lasts
        self._call, self._view = (_NATIVE_CALL, _NATIVE_VIEW) if native else (_CALL, _VIEW)
        self.local = set(local).difference(free)
        self._early = _early(template)
        self.kept = self._cheapest()

    # -- the network -------------------------------------------------------------------------------

    def _wanted(self) -> Iterable[Value]:
        """What has to be there for the part of the template that depends on cotangents."""
        for node in self.template.nodes:
            if node not in self._early:
                yield from node.uses()
        yield from self.template.outputs

    def _is_chosen(self, value: Value) -> bool:
        """Whether it has to be kept or made: it is neither visible nor of a cotangent."""
        return value in self.local or value.producer in self._early

    def _cheapest(self) -> list[Value]:
        network = MinimumCut()
        wanted = list(dict.fromkeys(v for v in self._wanted() if self._is_chosen(v)))
        found = dict.fromkeys(wanted)
        pending = deque(wanted)
        places: dict[Value, tuple[int, int]] = {}

        def ends(value: Value) -> tuple[int, int]:
            """in(v) and out(v)."""
            return places.setdefault(value, (2 * len(places) + 1, 2 * len(places) + 2))

        while pending:
            value = pending.popleft()
            start, end = ends(value)
            keeping, making = self._keeping(value), self._making(value)
            making = making if making < keeping else math.inf
            network.join(start, end, keeping)
            network.join(SOURCE, start, making)
            if making < math.inf and value.producer is not None:
                for operand in filter(self._is_chosen, value.producer.inputs):
                    network.join(ends(operand)[1], start, math.inf)
                    if operand not in found:
                        found[operand] = None
                        pending.append(operand)
        for value in wanted:
            network.saturate(places[value][1])
        reached = network.reached()
        return [v for v, (start, end) in places.items() if start in reached and end not in reached]

    def _keeping(self, value: Value) -> float:
        """What it costs to keep a value: the bytes of the memory that it is, or is a part of,
        unless that is there anyway. Native code copies a part of unknown length, and of what
        lasts."""
        unknown = isinstance(value.type, ArrayType) and not value.type.is_static
        if unknown or (value.producer is not None and self._is_part_of_lasting(value.producer)):
            return _SLOT + bytes_of(value.type)
        while self._is_chosen(value) and value.producer is not None and value.producer.op.view:
            value = value.producer.inputs[0]
        return _SLOT + (bytes_of(value.type) if self._is_chosen(value) else 0)

    def _making(self, value: Value) -> float:
        """What it costs to make a value of its operands in the backward pass."""
        node = value.producer
        if node in self._early:
            return 0.0  # one of the passes has to
        if node is not None and self._is_part(node):
            return self._view
        if node is not None and self._is_part_of_lasting(node):
            return self._view
        if node is None or not self._is_cheap(node) or node.regions or node.op.effect:
            return math.inf
        if node.op is ops.broadcast_to:
            return 0.0  # it would be kept as what it is made of
        cost = node.op.cost if self._native else 1
        return self._view if node.op.view else self._call + cost * bytes_of(value.type) / 4

    def _is_cheap(self, node: Node) -> bool:
        if node.op.cheap or not (self._native and isinstance(node.op, Elementwise)):
            return node.op.cheap
        return node.op.cost <= _NATIVE_COST and bytes_of(node.outputs[0].type) >= _SEVERAL

    def _is_part_of_lasting(self, node: Node) -> bool:
        """Whether native code may take a part of an array again, rather than copy it in each trip:
        of one that lasts. Others are not to be there for longer: a loop may change them in place.
        Where what follows the loop changes this one, it does so in a copy, but once."""
        while self._native and node.is_view and not node.regions and not node.op.effect:
            source = node.inputs[0]
            if source.producer is None or not source.producer.is_view:
                return not self._is_chosen(source) and self._lasts(source)
            node = source.producer
        return False

    def _is_part(self, node: Node) -> bool:
        """Whether a node takes a part of unknown length of an array that is there anyway, or of
        another such part. It may be taken again: it was taken, and raised nothing."""
        (value, *_), source = node.outputs, node.inputs[0] if node.inputs else None
        if source is None or not node.op.view or not isinstance(source.type, ArrayType):
            return False
        return not value.type.is_static and not (self._is_chosen(source) and source.type.is_static)

    # -- the two passes ----------------------------------------------------------------------------

    def compute(self, builder: Builder) -> dict[Value, Value]:
        """Let the forward pass, open in ``builder``, compute those of `kept` that are the
        template's. Returns what they are there."""
        env: dict[Value, Value] = {}
        with builder:
            for value in self.kept:
                for node in self._missing(value, env, self._early.__contains__):
                    copy_node(builder, node, env)
                    # Right where its operands are there: afterwards their memory may be given to
                    # others.
                    copy = builder.nodes.pop()
                    made = {v.producer for v in copy.inputs}
                    places = [i for i, other in enumerate(builder.nodes) if other in made]
                    builder.nodes.insert(max(places, default=-1) + 1, copy)
        return {v: env.get(v, v) for v in self.kept}

    def rewritten(self, kept: dict[Value, Value]) -> Graph:
        """The template, which captures nothing of the forward pass but what is kept and what is
        free.

        Args:
            kept: from `compute`.
        """
        template = self.template
        with Builder(template.name) as builder:
            env = dict(kept)
            env.update((v, builder.input(v.type, v.name)) for v in template.inputs)

            def make(values: Iterable[Value]) -> None:
                for value in values:
                    for node in self._missing(value, env, lambda _: True):
                        # What the forward pass has computed raised nothing there.
                        copy_node(builder, node, env, None if node in self._early else False)

            for node in template.nodes:
                if node not in self._early:
                    make(node.uses())
                    copy_node(builder, node, env)
            make(template.outputs)
            return builder.finish([env.get(v, v) for v in template.outputs], template.location)

    def _missing(
        self, value: Value, env: Mapping[Value, Value], among: Callable[[Node], bool]
    ) -> Iterator[Node]:
        """The nodes that make a value of those in ``env``, in order; each has been copied, into
        ``env``, when the next is asked for."""
        pending = [value]
        while pending:
            value = pending[-1]
            node = value.producer
            if value in env or not self._is_chosen(value) or node is None or not among(node):
                pending.pop()
                continue
            operands = [v for v in node.inputs if v not in env and self._is_chosen(v)]
            operands = [v for v in operands if v.producer is not None and among(v.producer)]
            if not operands:
                yield node
            pending += operands


def _early(template: Graph) -> set[Node]:
    """The nodes of the template that depend on no cotangent and may run in the forward pass."""
    late = set(template.inputs)
    early = set()
    for node in template.nodes:
        if (
            len(node.outputs) == 1
            and isinstance(node.outputs[0].type, ArrayType)
            and not node.regions
            and is_speculatable(node)
            and any(not isinstance(v, Constant) for v in node.inputs)
            and not any(v in late for v in node.inputs)
        ):
            early.add(node)
        else:
            late.update(node.outputs)
    return early


def bytes_of(type: Type, unknown: int = GUESS) -> float:
    """The bytes of the elements of an array; ``unknown`` is the length of an axis of which only the
    run knows it."""
    if not isinstance(type, ArrayType):
        return 0.0
    return type.dtype.itemsize * math.prod(
        unknown if n is None else example_of(n) for n in type.shape
    )


# -- minimum cuts ----------------------------------------------------------------------------------

SOURCE = 0


class MinimumCut:
    """A network of numbered nodes, and the flow from `SOURCE` to those that are made sinks (Ford &
    Fulkerson 1956)."""

    def __init__(self) -> None:
        self._left: defaultdict[int, dict[int, float]] = defaultdict(dict)  # of each capacity

    def join(self, tail: int, head: int, capacity: float) -> None:
        """Add an edge."""
        self._left[tail][head] = capacity
        self._left[head].setdefault(tail, 0.0)

    def saturate(self, sink: int) -> None:
        """Let as much as possible flow to a sink.

        This does not let more flow to an earlier one: no way to that is left, and only nodes to
        which there is a way are touched.
        """
        while way := self._way(sink):
            edges = [*zip(way, way[1:])]
            flow = min(self._left[tail][head] for tail, head in edges)
            for tail, head in edges:
                self._left[tail][head] -= flow
                self._left[head][tail] += flow

    def _way(self, sink: int) -> list[int]:
        """A shortest way on which more can flow, searched from its end; empty if there is none."""
        after = {sink: sink}
        pending = deque([sink])
        while pending:
            head = pending.popleft()
            for tail in self._left[head]:
                if tail not in after and self._left[tail][head] > 0:
                    after[tail] = head
                    pending.append(tail)
            if SOURCE in after:
                way = [SOURCE]
                while way[-1] != sink:
                    way.append(after[way[-1]])
                return way
        return []

    def reached(self) -> set[int]:
        """The nodes to which more can flow: those on the source's side of the cut."""
        return closure(
            [SOURCE], lambda tail: [head for head, left in self._left[tail].items() if left > 0]
        )
