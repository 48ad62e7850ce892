"""Which of Python's ints are integers of 64 bits without a sign in a kernel.

A Python int is an int64 in kernels, and a kernel gives up where one leaves that. Generators of
random numbers and hashes compute with ints of 64 bits that have no sign, and with larger ones of
which only the lowest 64 bits count, since a mask follows. What is found here are

* *wide* ints, which lie in ``[0, 2**64)``, and are not known to lie below ``2**63``,
* *wrapped* ones, which may be any, but of which nothing reads more than the lowest 64 bits.

Both are kept as those 64 bits. Which bits are read is found from the results backwards: the lowest
bits of sums, products and the like are made of the lowest bits of the operands. Where ints lie is
found forwards, by what operators say of bounds; what loops carry to a fixed point, with bounds that
grow being set to the next of a few. An int that is neither is checked to be an int64 when it is
computed, so it is one.

Ints that a kernel is given are int64, or wrapped. If that does not do, it is tried whether taking
some of them as wide does. The kernel refuses others then, and Python computes what it does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import ops
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.python_ints import divided_product, is_int, operator_of
from autograph.graph.wiring import all_run, is_loop, loop_of, wiring
from ops.control import regions
from ops.core.integer_bounds import UNKNOWN, Bounds
from ops.core.records import NamedTuple

_LEAST, _END, _WRAP = -(1 << 63), 1 << 63, 1 << 64
_SIGNED: Bounds = (_LEAST, _END - 1)
_WIDE: Bounds = (0, _WRAP - 1)
_LARGE = 1 << 31  # a literal from which on 64 bits with a sign may be too few
_AS_IT_GROWS = 2  # trips, after which bounds that grow are set to the next of these
_LOWER = (0, _LEAST)
_UPPER = ((1 << 32) - 1, _END - 1, _WRAP - 1)


class UnsignedInts(NamedTuple):
    """What is known of the ints of a graph.

    Attributes:
        wide, wrapped: as said above.
        bounds: of ints, inclusive; of wrapped ones they say nothing.
        leaving: those that have to be checked to be int64 when they are computed.
    """

    wide: frozenset[Value]
    wrapped: frozenset[Value]
    bounds: dict[Value, Bounds]
    leaving: frozenset[Value]

    def are_bits(self, value: Value) -> bool:
        """Whether a value is kept as 64 bits without a sign."""
        return value in self.wide or value in self.wrapped

    def positions(self, values: Iterable[Value]) -> frozenset[int]:
        """The positions of those values that are kept as 64 bits without a sign."""
        return frozenset(i for i, value in enumerate(values) if self.are_bits(value))


def unsigned_ints(graph: Graph) -> UnsignedInts | None:
    """The ints of a kernel's graph that have no sign; None if there are none."""
    if not any(_is_large(v) for node in walk(graph) for v in node.inputs):
        return None
    found = _known(graph, _read_exactly(graph, {}))
    # What is masked by an int that turned out to be unsigned need not be known exactly, either.
    exact = _read_exactly(graph, found.bounds)
    if exact != found.exact:
        other = _known(graph, exact)
        if exact >= _read_exactly(graph, other.bounds):
            found = other
    wide, wrapped = set(), set()
    for value, bounds in found.bounds.items():
        if value in found.leaving or is_signed(bounds):
            continue
        if is_unsigned(bounds):
            wide.add(value)
        elif value not in found.exact:
            wrapped.add(value)
    if not wide and not wrapped:
        return None
    return UnsignedInts(frozenset(wide), frozenset(wrapped), found.bounds, frozenset(found.leaving))


def may_leave(graph: Graph) -> set[Value]:
    """The ints of a graph that may not be int64."""
    found = _Bounds(graph, _read_exactly(graph, {}), ())
    return found.leaving | {v for v, bounds in found.bounds.items() if not is_signed(bounds)}


def _known(graph: Graph, exact: set[Value]) -> _Bounds:
    """Where the ints of a graph lie, some inputs being taken as wide if that does better."""
    given = [v for v in graph.inputs if is_int(v)]
    found = _Bounds(graph, exact, ())
    if not found.leaving or not given:
        return found
    best = _Bounds(graph, exact, given)
    if len(best.leaving) >= len(found.leaving):
        return found
    for value in given:  # those that need not be are not
        other = _Bounds(graph, exact, [v for v in best.taken if v is not value])
        if len(other.leaving) <= len(best.leaving):
            best = other
    return best


def bounds_of(found: dict[Value, Bounds], value: Value) -> Bounds:
    """The bounds of an int or bool of Python's."""
    if isinstance(value, Constant):
        number = int(value.data)
        return number, number
    if not is_int(value):
        return 0, 1
    return found.get(value, _SIGNED)


def mask_of(node: Node) -> tuple[Value, int] | None:
    """If a node takes some of the lowest 64 bits of an int: of which, and those bits."""
    if operator_of(node) is None:
        return None
    if node.op is ops.remainder:
        x, y = node.inputs
        by = y.literal()
        if by is None or not 1 < by <= _WRAP or int(by) & (int(by) - 1):
            return None
        return x, int(by) - 1
    if node.op is ops.bitwise_and:
        x, y = node.inputs
        for value, other in ((x, y), (y, x)):
            mask = other.literal()
            if mask is not None and 0 <= mask < _WRAP:
                return value, int(mask)
    return None


def _is_large(value: Value) -> bool:
    if not isinstance(value, Constant) or not is_int(value):
        return False
    return value.data >= _LARGE


def _is_within(bounds: Bounds, others: Bounds) -> bool:
    return others[0] <= bounds[0] and bounds[1] <= others[1]


def is_signed(bounds: Bounds) -> bool:
    """Whether an int of these bounds is an int64."""
    return _is_within(bounds, _SIGNED)


def is_unsigned(bounds: Bounds) -> bool:
    """Whether an int of these bounds has 64 bits without a sign."""
    return _is_within(bounds, _WIDE)


# -- which ints are read exactly -------------------------------------------------------------------


def _read_exactly(graph: Graph, bounds: dict[Value, Bounds]) -> set[Value]:
    """The ints of which something reads other than the lowest 64 bits.

    Args:
        bounds: what is known of ints already.
    """
    made_of: dict[Value, list[Value]] = {}  # those that are read exactly if one is
    pending: list[Value] = list(graph.outputs)

    def note(nodes: Sequence[Node]) -> None:
        for node in nodes:
            if node.op is regions.cond or is_loop(node):
                wires = wiring(node)
                for source, target in wires.edges():
                    made_of.setdefault(target, []).append(source)
                for variable in wires.carried:
                    same = (variable.entered, variable.result, *variable.tested)
                    for one, other in zip(same, (*same[1:], same[0])):
                        made_of.setdefault(one, []).append(other)
                pending.extend(wires.decides)
                for region in node.regions:
                    note(region.nodes)
                continue
            pending.extend(_exact_operands(node, made_of, bounds))

    note(graph.nodes)
    exact: set[Value] = set()
    while pending:
        value = pending.pop()
        if value not in exact:
            exact.add(value)
            pending += made_of.get(value, ())
    return exact


def _exact_operands(
    node: Node, made_of: dict[Value, list[Value]], bounds: dict[Value, Bounds]
) -> Iterable[Value]:
    """The operands of a node that are read exactly whatever becomes of the result."""
    masked = mask_of(node)
    if masked is not None:
        return ()
    python = operator_of(node)
    if node.op is ops.bitwise_and and python is not None:
        masks = [v for v in node.inputs if v in bounds and is_unsigned(bounds[v])]
        if masks:
            made_of[node.outputs[0]] = masks[:1]
            return ()
    if python is None:
        return node.uses()
    low = python.low_bits
    made_of[node.outputs[0]] = [node.inputs[i] for i in low]
    return [v for i, v in enumerate(node.inputs) if i not in low]


# -- where ints lie --------------------------------------------------------------------------------


class _Bounds:
    """Bounds of ints, which only grow.

    Attributes:
        bounds: those that are found.
        leaving: the ints that are read exactly, and may leave 64 bits: those with a sign, and those
            without one if they are made of such.
    """

    def __init__(self, graph: Graph, exact: set[Value], taken: Collection[Value]):
        """Find those of a graph.

        Args:
            exact: the ints that are read exactly.
            taken: inputs that are taken as wide.
        """
        self.exact = exact
        self.taken = taken
        self.bounds: dict[Value, Bounds] = {}
        self.leaving: set[Value] = set()
        for value in graph.inputs:
            bounds = _WIDE if any(value is v for v in taken) else _SIGNED
            self.put(value, bounds if value in exact else UNKNOWN)
        self.nodes(graph.nodes)

    def of(self, value: Value) -> Bounds:
        return bounds_of(self.bounds, value)

    def put(self, value: Value, bounds: Bounds, may_be_wide: bool = True) -> bool:
        """Add to the bounds of an int. Returns whether they have changed."""
        if not is_int(value):
            return False
        old = self.bounds.get(value)
        is_too_large = not may_be_wide and not is_signed(bounds)
        if old is not None:
            bounds = min(old[0], bounds[0]), max(old[1], bounds[1])
        fits = is_signed(bounds) or is_unsigned(bounds)
        if value in self.exact and (is_too_large or not fits):
            self.leaving.add(value)
        if value in self.leaving:
            bounds = max(bounds[0], _LEAST), min(bounds[1], _END - 1)
            if bounds[0] > bounds[1]:
                bounds = _SIGNED
        self.bounds[value] = bounds
        return bounds != old

    def nodes(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            if is_loop(node):
                self.loop(node)
            elif node.op is regions.cond:
                for region in node.regions:
                    self.nodes(region.nodes)
                for source, target in wiring(node).leaves:
                    if is_int(target):
                        self.put(target, self.of(source))
            else:
                # Of ints with a sign an int is made that has one, as far as anybody knows: what
                # counts does not become wide because it grows.
                are_wide = any(is_int(v) and not is_signed(self.of(v)) for v in node.inputs)
                may_be_wide = are_wide or operator_of(node) is None or mask_of(node) is not None
                for value in node.outputs:
                    self.put(value, self.computed(node), may_be_wide)

    def divided(self, node: Node) -> Bounds:
        """Bounds of what a node divides, shifts or masks. A product that a kernel computes in
        halves for that, or a sum with one, is not checked to be an int64."""
        product = divided_product(node)
        if product is None:
            return self.of(node.inputs[0])
        found: dict[Value, Bounds] = {}
        for maker in product.made_by:
            bounds = [found[v] if v in found else self.of(v) for v in maker.inputs]
            found[maker.outputs[0]] = self.by_operator(maker, bounds)
        return found[node.inputs[0]]

    def by_operator(self, node: Node, bounds: Sequence[Bounds]) -> Bounds:
        """What an operator of Python's ints says of its result."""
        python = operator_of(node)
        assert python is not None
        return _SIGNED if python.bounds is None else python.bounds(*bounds)

    def computed(self, node: Node) -> Bounds:
        masked = mask_of(node)
        if masked is not None:
            value, mask = masked
            low, high = self.divided(node) if value is node.inputs[0] else self.of(value)
            return 0, min(mask, high) if low >= 0 else mask
        if operator_of(node) is not None:
            others = node.inputs[1:]
            return self.by_operator(node, [self.divided(node), *map(self.of, others)])
        if node.op is ops.cast:
            (value,) = node.inputs
            if value.type.weak:
                return self.of(value) if value.type.dtype.kind in "ib" else _SIGNED
            if value.type.dtype.kind == "u":
                return 0, (1 << 8 * value.type.dtype.itemsize) - 1
        return _SIGNED

    def loop(self, node: Node) -> None:
        loop, carried = loop_of(node), wiring(node).carried
        if loop.index is not None and loop.count is not None:
            self.put(loop.index, (0, max(0, self.of(loop.count)[1] - 1)))
        for variable in carried:
            self.carry(variable, variable.start, False)
        trips = 0
        while True:
            for region in all_run(node):
                self.nodes(region.nodes)
            trips += 1
            grows = trips > _AS_IT_GROWS
            changed = [self.carry(variable, variable.left, grows) for variable in carried]
            if not any(changed):
                return

    def carry(self, variable: Any, source: Value, grows: bool) -> bool:
        """Let a variable of a loop hold what a value does, too. Returns whether it is more."""
        if not is_int(variable.entered):
            return False
        low, high = self.of(source)
        old = self.bounds.get(variable.entered)
        if grows and old is not None:
            if low < old[0]:
                low = next((bound for bound in _LOWER if bound <= low), low * float("inf"))
            if high > old[1]:
                high = next((bound for bound in _UPPER if bound >= high), float("inf"))
        changed = False
        for value in (variable.entered, variable.result, *variable.tested):
            changed |= self.put(value, (low, high))
        return changed
