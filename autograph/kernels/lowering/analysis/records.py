"""What packs hold, found out before a graph is lowered.

The type of a pack does not say what is in it: the branches of a conditional leave different values.
Where each value lies has to be known to what makes a pack and to what takes it apart, with loops,
branches, calls and other packs in between. So all packs that may come to one place are of one
*kind*, and all stacks. Kinds are found by uniting those of values of which one may become the other
(Steensgaard, "Points-to analysis in almost linear time", 1996).

Residuals are *exact*: what takes a pack apart names the types of what was packed, and the values
lie side by side, those of which only the run knows how long they are elsewhere. Cotangents are not:
there may be a zero in the place of a value, or a value that nobody wants in the place of a zero.
All packs of such a kind have the same *slots*, each of the size of the greatest value that is ever
put there.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from autograph.closure import closure
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.wiring import wiring
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import LONG, Buffer, Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.nodes import regions_in_kernels
from autograph.kernels.lowering.values import CannotLower
from ops.control import regions
from ops.core.records import NamedTuple
from ops.core.types import ArrayType, Type

LINK = 8  # bytes at the beginning of a record that is on a stack, for the one below it


class SlotContents(NamedTuple):
    """What lies in memory of a value.

    Attributes:
        is_address: whether it is that of a pack or a stack.
        is_apart: whether it is an array whose lengths only the run knows. It lies in memory of its
            own, older than the record, which has its address and lengths.
    """

    dtype: np.dtype
    size: int
    is_address: bool
    is_apart: bool = False

    @property
    def nbytes(self) -> int:
        """A multiple of 8."""
        return -(-self.size * self.dtype.itemsize // 8) * 8


def contents(type: Type) -> SlotContents:
    """What lies in a record of a value of a type."""
    if not isinstance(type, ArrayType):
        return SlotContents(LONG, 1, True)
    if not type.is_static:
        return SlotContents(LONG, 1 + type.ndim, False, True)
    return SlotContents(type.dtype, type.size, False)


class RecordField(NamedTuple):
    """A value in a record, and where it starts."""

    contents: SlotContents
    offset: int

    def of(self, b: KernelBuilder, address: Operand, name: str | None = None) -> Buffer:
        """The elements of the value in a record."""
        return b.record(self.contents.dtype, self.contents.size, address, self.offset, name)


def is_nothing(value: Value) -> bool:
    """Whether a value is the zero of packs and stacks."""
    return isinstance(value, Constant) and value.data is None


class Kind:
    """Packs that may come to one place; or stacks.

    Attributes:
        parts: by position, the kind of the packs and stacks in these packs. Position 0 of a stack
            is for the packs on it.
        held: by position, what is put there.
        exact: whether only `unpack` takes them apart.
        sums: whether some are sums of others, see `autograph.kernels.lowering.rules.cotangents`.
        stacked: whether some may be on a stack.
    """

    def __init__(self) -> None:
        self._united: Kind | None = None
        self.parts: dict[int, Kind] = {}
        self.held: dict[int, set[SlotContents]] = {}
        self.exact = True
        self.sums = False
        self.stacked = False

    def found(self) -> Kind:
        """The kind that this one has been united with."""
        kind = self
        while kind._united is not None:
            kind = kind._united
        if kind is not self:
            self._united = kind
        return kind

    def part(self, position: int) -> Kind:
        """The kind of the packs at a position."""
        return self.parts.setdefault(position, Kind()).found()

    def unite(self, other: Kind) -> None:
        """Make two kinds one."""
        a, b = self.found(), other.found()
        if a is b:
            return
        b._united = a
        a.exact &= b.exact
        a.sums |= b.sums
        a.stacked |= b.stacked
        for position, found in b.held.items():
            a.held.setdefault(position, set()).update(found)
        for position, part in b.parts.items():  # which may be of the same kind, as in a list
            own = a.found().parts.setdefault(position, part)
            own.unite(part)

    def nbytes(self, position: int) -> int:
        """The size of a slot."""
        return max((c.nbytes for c in self.held.get(position, ())), default=8)

    def is_zero(self, position: int, type: Type) -> bool:
        """Whether nothing is ever put where a value of some type is wanted.

        Raises:
            CannotLower: something else is.
        """
        held, wanted = self.held.get(position, set()), contents(type)
        if wanted in held or not held:
            return not held
        if not wanted.is_address:  # else it is for who does not want it
            raise CannotLower(reasons.KEPT.of(what="is of another type than its cotangent"))
        return True

    def fields(self, types: Sequence[Type]) -> tuple[list[RecordField], int]:
        """Where the values of some types lie in a pack of this kind, and the size of the pack.

        Raises:
            CannotLower: it may be a sum, or a zero, and only the run knows the size of a value.
        """
        found, end = [], LINK if self.stacked or self.sums or not self.exact else 0
        for position, type in enumerate(types):
            held = contents(type)
            if held.is_apart and not self.exact:
                raise CannotLower(reasons.KEPT.of(what="has no known size"))
            found.append(RecordField(held, end))
            end += held.nbytes if self.exact else self.nbytes(position)
        return found, max(end, LINK)  # each has an address of its own


class Records:
    """The kinds of a graph's packs and stacks, those of the graphs that it calls included."""

    def __init__(self, graph: Graph, callee: Callable[[str], Graph]):
        self._kinds: dict[Value, Kind] = {}
        self._callee = callee
        self._called: set[str] = set()
        self._uses: Counter[Value] = Counter()
        self._inputs = graph.inputs
        self._passed: list[Value] = [*graph.inputs, *graph.outputs]  # from kernel to kernel
        for part in self._graphs(graph):
            self._uses.update(part.outputs)
            for node in part.nodes:
                self._uses.update(node.inputs)
                self._node(node)
        self._spread_sums()
        self._keep_links()

    def kind(self, value: Value) -> Kind:
        """The kind of a pack or a stack."""
        if is_nothing(value):  # which is of any kind
            return Kind()
        return self._kinds.setdefault(value, Kind()).found()

    def is_exact(self, value: Value) -> bool:
        """Whether only the types of what is in packs, and in packs in these, say where it lies."""
        kinds = closure([self.kind(value)], lambda kind: map(Kind.found, kind.parts.values()))
        return all(kind.exact and not kind.sums for kind in kinds)

    def is_used_once(self, pack: Value) -> bool:
        """Whether nothing but one node has a pack."""
        return self._uses[pack] == 1

    # -- finding them ------------------------------------------------------------------------------

    def _graphs(self, graph: Graph) -> Iterator[Graph]:
        """A graph, its regions, and what it calls."""
        yield graph
        for node in graph.nodes:
            for region in regions_in_kernels(node):
                yield from self._graphs(region)
            if node.op is regions.call and node.attrs["callee"] not in self._called:
                self._called.add(node.attrs["callee"])
                callee = self._callee(node.attrs["callee"])
                if not _are(callee.inputs, self._inputs):  # else it calls itself
                    yield from self._graphs(callee)

    def _flow(self, *places: Iterable[Value]) -> None:
        """Unite the kinds of values that become each other."""
        for values in zip(*places):
            if isinstance(values[0].type, ArrayType):
                continue
            found = [self.kind(v) for v in values]
            for kind in found[1:]:
                found[0].unite(kind)

    def _node(self, node: Node) -> None:
        inputs, outputs = node.inputs, node.outputs
        for edge in wiring(node).edges():
            self._flow(*zip(edge))
        match node.op:
            case regions.call:
                graph = self._callee(node.attrs["callee"])
                self._flow(inputs, graph.inputs)
                self._flow(outputs, graph.outputs)
                self._passed += [*inputs, *outputs]
            case regions.push:
                self._flow(outputs, inputs)
                self.kind(outputs[0]).part(0).unite(self.kind(inputs[1]))
                self.kind(inputs[1]).stacked = True
            case regions.pop:
                self._flow(outputs, inputs)
                self.kind(outputs[0]).part(0).unite(self.kind(outputs[1]))
            case regions.add_ct:
                self._flow(outputs, inputs, inputs[1:])
                self.kind(outputs[0]).sums = True
            case regions.pack:
                self._parts(outputs[0], inputs)
                held = self.kind(outputs[0]).held
                for position, value in enumerate(inputs):
                    if not is_nothing(value):
                        held.setdefault(position, set()).add(contents(value.type))
            case regions.unpack | regions.unpack_ct as op:
                self._parts(inputs[0], outputs)
                self.kind(inputs[0]).exact &= op is regions.unpack

    def _parts(self, pack: Value, values: Sequence[Value]) -> None:
        for position, value in enumerate(values):
            if not isinstance(value.type, ArrayType) and not is_nothing(value):
                self.kind(pack).part(position).unite(self.kind(value))

    def _spread_sums(self) -> None:
        """What is in a sum may be one."""
        pending = [kind for kind in map(Kind.found, self._kinds.values()) if kind.sums]
        seen = set()
        while pending:
            kind = pending.pop().found()
            kind.sums = True
            if kind not in seen:
                seen.add(kind)
                pending += kind.parts.values()

    def _keep_links(self) -> None:
        """What other kernels give or take may be on a stack there."""
        kinds = [self.kind(v) for v in self._passed if not isinstance(v.type, ArrayType)]
        for kind in closure(kinds, lambda kind: map(Kind.found, kind.parts.values())):
            kind.stacked = True


def _are(some: Sequence[Value], others: Sequence[Value]) -> bool:
    """Whether some values are others."""
    return len(some) == len(others) > 0 and all(map(operator.is_, some, others))
