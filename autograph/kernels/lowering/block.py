"""The nodes of a graph, in order, become statements of a kernel.

Scalars are computed where they stand. Arrays wait: what an element of them is, is known
(`Deferred`), and those that `autograph.kernels.lowering.plan` wants in memory are pending until
something needs one of them. Then all that are pending are grouped and computed, with few passes
over memory (`groups`, `nests`).
"""

from __future__ import annotations

import functools
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.kernels import ir
from autograph.kernels.aliasing import is_view
from autograph.kernels.builder import KernelBuilder, flat_index
from autograph.kernels.ir import BOOL, LONG, Operand
from autograph.kernels.lowering import (
    control,
    expansions,
    measured,
    products,
    residuals,
    scalars,
    scans,
    views,
    writes,
)
from autograph.kernels.lowering.groups import Group, Root, grouped, root_of
from autograph.kernels.lowering.nests import Nests
from autograph.kernels.lowering.plan import Plan, is_elementwise, is_reduction, is_scan, may_raise
from autograph.kernels.lowering.records import Records
from autograph.kernels.lowering.values import (
    CannotLower,
    Deferred,
    Held,
    Measured,
    Memory,
    is_array,
    number,
    shape_of,
)
from ops.kernels import aligned
from ops.registry import Elementwise
from ops.types import ArrayType

_DEEP = 50  # elements that are computed by calls in each other

# In a kernel: the time it takes to compile grows faster than they do.
MOST_NODES = 3000


def lower(
    graph: Graph,
    name: str,
    graphs: Mapping[str, Graph] | None = None,
    into: Mapping[int, int] = MappingProxyType({}),
) -> ir.Kernel:
    """One kernel that computes a graph.

    Args:
        graph: a closed graph without array constants. Its inputs and outputs become those of the
            kernel, scalars among the outputs buffers of one element.
        name: of the kernel.
        graphs: the named graphs that it calls; they are built in.
        into: the positions of results that are written to the memory of an input, with its
            position. That is done last, when the kernel will not give up any more.

    Raises:
        CannotLower: something in the graph has no native form.
    """
    b = KernelBuilder(name, graph.location)
    graph = expansions.expanded(graph)
    try:
        lowering = Lowering(b, functools.cache(lambda name: expansions.expanded(graphs[name])))
        lowering.records = functools.cache(lambda: Records(graph, lowering.callee))
        for value in graph.inputs:
            dtype = _element_dtype(value)
            if is_array(value):
                buffer = b.input(dtype, value.type.size, value.name)
                lowering.env[value] = Memory(buffer, b.long(0))
                lowering.given[value] = True
            else:
                lowering.env[value] = b.parameter(dtype, value.name)
        targets = []
        for position, value in enumerate(graph.outputs):
            size = value.type.size if is_array(value) else 1
            buffer = b.output(_element_dtype(value), size, value.name)
            targets.append(Memory(buffer, b.long(0)))
            if position in into:
                b.share(lowering.env[graph.inputs[into[position]]].buffer, buffer)
        results = lowering.run(graph, [None if i in into else t for i, t in enumerate(targets)])
        for value in graph.outputs:
            if is_array(value) and not is_view(value):
                _refuse_given(lowering, value)
        for position in into:
            size = graph.outputs[position].type.size
            lowering.copy(results[position], targets[position], size)
        return b.finish()
    except BaseException:
        b.close()
        raise


def _refuse_given(lowering: Lowering, value: Value) -> None:
    """Give up where a result is an array that the kernel was given."""
    given = lowering.is_given(value)
    if isinstance(given, ir.Number) and given.value:
        raise CannotLower("a result that is an argument")
    lowering.b.check(~given)


def _element_dtype(value: Value) -> Any:
    if not isinstance(value.type, ArrayType) or not value.type.is_static:
        raise CannotLower(f"a value of type {value.type}")
    if value.type.dtype not in ir.DTYPES:
        raise CannotLower(f"a value of type {value.type}")
    return value.type.dtype


class Lowering:
    """The state of lowering a block.

    Attributes:
        b: the kernel being built.
        env: what values of the graph are by now.
        serial: whether the block is computed for each lane by itself, without parallel loops.
        plan: of the block.
        callee: gives a named graph; ``calling`` are those that are being built in.
        records: gives the kinds of the packs in the kernel.
        in_row: while a group of rows is computed, what a row's reductions are; None for an array
            that was computed in an earlier pass over the row.
    """

    def __init__(
        self,
        b: KernelBuilder,
        callee: Callable[[str], Graph],
        env: ChainMap[Value, Held] | None = None,
        serial: bool = False,
    ):
        self.b = b
        self.callee = callee
        self.env: ChainMap[Value, Held] = ChainMap() if env is None else env
        self.serial = serial
        self.in_row: dict[Value, Operand | None] = {}
        self._pending: dict[Value, None] = {}
        self._memory: dict[Value, Memory] = {}  # given to arrays that are not computed yet
        self.reserved: dict[Node, Operand] = {}  # for packs that are not made yet
        self._rows: dict[Value, int] = {}  # arrays of which one row is in memory: the axes outside
        self.finished: set[Node] = set()  # nodes that were computed with an earlier one
        self.ended: set[Value] = set()  # arrays, also of blocks around, that were changed
        self.position = 0  # of the node that is being lowered
        self.plan: Plan | None = None
        self.records: Callable[[], Records] | None = None
        self.calling: tuple[str, ...] = ()
        self.call = object()  # the values of a graph that is called twice are different ones
        self._nested = 0  # elements that are being computed, each for the one before
        self.given: ChainMap[Value, Operand | bool] = ChainMap()  # see `is_given`
        self.room = [MOST_NODES]  # nodes that may still be lowered, in all blocks of the kernel

    def inner(self) -> Lowering:
        """For a region of a node of this block."""
        inner = Lowering(self.b, self.callee, self.env.new_child(), self.serial)
        inner.records = self.records
        inner.calling = self.calling
        inner.call = self.call
        inner.room = self.room
        inner.given = self.given.new_child()
        inner.ended = set(self.ended)
        return inner

    # -- blocks ------------------------------------------------------------------------------------

    def run(self, graph: Graph, targets: Sequence[Memory | None]) -> list[Held]:
        """Compute a graph's nodes.

        Args:
            graph: with its inputs and captures in ``env``.
            targets: where results have to be; None for scalars, and for arrays that may be
                anywhere in memory.

        Returns:
            The results.
        """
        self.plan = self.plan or Plan(graph)
        for value, target in zip(graph.outputs, targets):
            if target is not None and value.producer in self.plan.position:
                self._memory.setdefault(value, target)
        residuals.reserve_ahead(self, graph)
        for position, node in enumerate(graph.nodes):
            self.position = position
            self.b.place = node.location
            self._node(node)
        self.position = len(graph.nodes)
        self.flush()
        results = []
        for value, target in zip(graph.outputs, targets):
            if target is None:
                results.append(self.held(value))
            else:
                self.put(value, target)
                results.append(target)
        return results

    def _node(self, node: Node) -> None:
        if node in self.finished:
            return
        name = node.op.name
        self.room[0] -= 1
        if self.room[0] < 0:
            raise CannotLower(f"more than {MOST_NODES} operations", node.location)
        if measured.has_unknown(node) and not node.regions:
            measured.lower(self, node)
            return
        if not (is_elementwise(node) or is_reduction(node)) or name in writes.RULES:
            measured.settle(self)
        if name in control.RULES:
            control.RULES[name](self, node)
        elif name in residuals.RULES:
            residuals.RULES[name](self, node)
        elif name in writes.RULES:
            writes.RULES[name](self, node)
        elif is_scan(node):
            scans.scan(self, node)
        elif name == "matmul":
            products.multiply(self, node)
        elif name == "check":
            self.b.check(self.b.cast(self.scalar(node.inputs[0]), BOOL))
        elif name == "fail":
            self.b.check(ir.Number(False, BOOL))
        elif is_reduction(node) or is_elementwise(node):
            self.defer(node)
        else:
            raise CannotLower(f"the operator '{name}'", node.location)

    def defer(self, node: Node) -> None:
        """Let a node's result be computed element by element, or with others."""
        (value,) = node.outputs
        self._require_native(node)
        self.env[value] = Deferred(node)
        if is_reduction(node):
            self._pending[value] = None
        elif value in self.plan.in_memory:
            part = None if value in self._memory else views.part_of(self, node)
            if part is not None:
                self.env[value] = part
            else:
                self._pending[value] = None
        elif not is_array(value) and not any(
            isinstance(self.env.get(v), Deferred) for v in node.inputs
        ):
            self.env[value] = self.element(value, ())
        elif not is_array(value) and may_raise(node):
            self.scalar(value)

    @staticmethod
    def _require_native(node: Node) -> None:
        """Refuse what would only be found out when an element is computed."""
        types = [v.type for v in node.inputs]
        for value in (*node.inputs, *node.outputs):
            _element_dtype(value)
        if isinstance(node.op, Elementwise):
            scalars.computed_in(node.op, tuple(t._replace(shape=()) for t in types))

    # -- values ------------------------------------------------------------------------------------

    def held(self, value: Value) -> Held:
        """What a value is: a scalar, or an array in memory."""
        found = self.env.get(value)
        if isinstance(found, Measured):
            found = self.env[value] = measured.in_memory(self, value, found)
            return found
        return self.memory(value) if is_array(value) else self.scalar(value)

    def scalar(self, value: Value) -> Operand:
        """A scalar, computed now if it has not been."""
        if isinstance(value, Constant):
            if isinstance(value.type, ArrayType):
                return number(value)
            if value.data is not None:
                raise CannotLower("what an earlier call left")
            return self.b.long(0)  # the empty stack, or a zero
        if isinstance(self.env[value], Deferred):
            self.flush()
        if not isinstance(self.env[value], Operand):
            self.env[value] = self.element(value, ())
        return self.env[value]

    def memory(self, value: Value) -> Memory:
        """An array in memory, computed now if it has not been."""
        held = self.env.get(value)
        if isinstance(held, Deferred):
            self._pending[value] = None
            self.flush()
            held = self.env[value]
        if not isinstance(held, Memory):
            raise CannotLower(f"an array constant of type {value.type}")
        return held

    def put(self, value: Value, target: Memory) -> None:
        """See that an array, or a scalar, is in some place in memory."""
        if not is_array(value):
            self.b.store(target.buffer, target.start, self.scalar(value))
            return
        held = self.env.get(value)
        if isinstance(held, Deferred) and value not in self._memory:
            self._memory[value] = target
        memory = self.memory(value)
        if memory != target:
            self.copy(memory, target, value.type.size)

    def copy(self, source: Memory, target: Memory, size: int) -> None:
        """Copy elements."""
        if source.buffer is target.buffer and source.start is target.start:
            return

        def body(i: Operand) -> tuple:
            element = self.b.load(source.buffer, source.start + i)
            self.b.store(target.buffer, target.start + i, element)
            return ()

        if size:
            Nests(self)._loop(size, "vector", body, 0.3)

    def element(self, value: Value, index: tuple[Operand | int, ...]) -> Operand:
        """One element of an array, or a scalar."""
        if isinstance(value, Constant):
            return self.scalar(value)
        held = self.env.get(value)
        if isinstance(held, Operand):
            return held
        if isinstance(held, Memory):
            place = held.start + flat_index(index, shape_of(value))
            return self.b.load(held.buffer, place, value.name)
        if held is None:
            raise CannotLower(f"a value of type {value.type} from outside")
        if value in self.in_row:
            return self._row_element(value, index)
        index = tuple(self.b.long(i) for i in index)
        key = (self.call, value, *(i.value if isinstance(i, ir.Number) else i for i in index))
        known = self.b.recall(key)
        if known is None:
            self._nested += 1
            if self._nested == _DEEP:
                self._compute_chain(held.node, index)
                known = self.b.recall(key)
            if known is None:
                known = self.b.remember(key, self._computed(held.node, index))
            self._nested -= 1
            if isinstance(known, ir.Var) and known.name is None:
                known.name = value.name
        return known

    def _compute_chain(self, node: Node, index: tuple[Operand, ...]) -> None:
        """Compute what elementwise operators below a node compute for an element of its result,
        operands first. They may be more than Python allows calls in each other."""
        pending, seen = [(node, index, False)], set()
        while pending:
            node, index, ready = pending.pop()
            if ready:
                self.element(node.outputs[0], index)
            elif (node, index) not in seen:
                seen.add((node, index))
                pending.append((node, index, True))
                for value in node.inputs if isinstance(node.op, Elementwise) else ():
                    held = self.env.get(value)
                    if isinstance(held, Deferred):
                        pending.append((held.node, aligned(index, shape_of(value)), False))

    def _row_element(self, value: Value, index: tuple[Operand | int, ...]) -> Operand:
        known = self.in_row[value]
        if known is not None:
            return known
        memory = self._memory[value]
        return self.b.load(memory.buffer, self._place(value, memory, index))

    def _place(self, value: Value, memory: Memory, index: Sequence[Operand | int]) -> Operand:
        shape, outside = shape_of(value), self._rows.get(value, 0)
        return memory.start + flat_index(index[outside:], shape[outside:])

    def _computed(self, node: Node, index: tuple[Operand, ...]) -> Operand:
        """An element of a node's result."""
        types = [v.type for v in node.inputs]
        (result,) = node.outputs
        place, self.b.place = self.b.place, node.location
        if isinstance(node.op, Elementwise):
            operands = [self.element(v, aligned(index, shape_of(v))) for v in node.inputs]
            found = scalars.apply(node.op, types, result.type, operands, node.location)
        elif node.op.element is not None:

            def read(operand: int, at: Sequence[Operand | int]) -> Operand:
                at = tuple(self.b.long(i) for i in at)
                return self.element(node.inputs[operand], at)

            found = node.op.element(read, index, types, node.attrs)
            if not isinstance(found, Operand):
                found = ir.Number(found, result.type.dtype)
            found = self.b.cast(found, result.type.dtype)
        else:
            raise CannotLower(f"'{node.op.name}' where it is not computed", node.location)
        self.b.place = place
        return found

    # -- memory ------------------------------------------------------------------------------------

    def allocate(self, dtype: Any, size: int, name: str | None = None) -> Memory:
        """New memory for an array of this block."""
        make = self.b.local if self.serial else self.b.temporary
        return Memory(make(dtype, size, name), self.b.long(0))

    def give_memory(self, value: Value) -> Memory:
        """The place where an array that is not computed yet shall be."""
        if value not in self._memory:
            self._memory[value] = self.allocate(value.type.dtype, value.type.size, value.name)
        return self._memory[value]

    def give_row(self, value: Value, length: int, shape: Sequence[int], rows: int) -> None:
        """A place for one row of an array of which nobody needs another one later."""
        buffer = self.b.local(value.type.dtype, length, value.name)
        self._memory[value] = Memory(buffer, self.b.long(0))
        self._rows[value] = rows

    def want_at(self, value: Value, memory: Memory) -> None:
        """Say where an array that will be computed shall be."""
        self._memory[value] = memory

    def wanted_at(self, value: Value) -> Memory | None:
        """The place that an array has been given already."""
        return self._memory.get(value)

    def may_change(self, value: Value, memory: Memory) -> bool:
        """Whether an array's memory is the kernel's own, and no other value's that is needed."""
        if memory.buffer.kind not in ("temporary", "local", "output"):
            return False
        for other, held in self.env.items():
            if other is value or other in self.ended:
                continue
            if isinstance(held, Memory) and held.buffer is memory.buffer:
                ended = other in self.env.maps[0] and not self.plan.is_used_after(
                    other, self.position + 1
                )
                if not ended:
                    return False
        return value in self.env.maps[0]

    def own(self, value: Value) -> None:
        """Let this block change an array of the block around it, which does not need it any
        more."""
        self.env[value] = self.env[value]

    def settle_readers(self, memory: Memory) -> None:
        """Compute what would read memory later, before it is changed."""
        for value, held in list(self.env.maps[0].items()):
            if not isinstance(held, Deferred):
                continue
            if not self.plan.is_used_after(value, self.position) and value not in self._pending:
                continue
            reads = root_of(value, self.env, lambda v: False).reads
            sources = [self.env.get(v) for v in reads]
            if any(isinstance(s, Memory) and s.buffer is memory.buffer for s in sources):
                self.held(value)

    def end(self, value: Value) -> None:
        """Forget an array that is no more, since its memory is changed now."""
        del self.env[value]
        self.ended.add(value)

    def forget(self, memory: Memory) -> None:
        """Forget the arrays of this block in memory that nobody will read as theirs."""
        for value, held in list(self.env.maps[0].items()):
            if isinstance(held, Memory) and held.buffer is memory.buffer:
                self.end(value)

    def is_given(self, value: Value) -> Operand:
        """Whether an array is one that the kernel was given, or a view of it."""
        while value not in self.given and is_view(value) and not isinstance(value, Constant):
            value = value.producer.inputs[0]
        if isinstance(value, Constant):
            return ir.Number(is_array(value), BOOL)
        found = self.given.get(value, False)
        return found if isinstance(found, Operand) else ir.Number(found, BOOL)

    def typed(self, operand: Operand, value: Value) -> Operand:
        """A scalar in the dtype of a value."""
        return self.b.cast(operand, scalar_dtype(value))

    def has_memory(self, value: Value) -> bool:
        """Whether there is a place for a whole array."""
        return value in self._memory and value not in self._rows

    def memory_of(self, value: Value) -> Memory:
        """The place that an array was given."""
        return self._memory[value]

    def store(self, value: Value, index: Sequence[Operand | int], element: Operand) -> None:
        """Write an element of an array to its place."""
        memory = self._memory[value]
        self.b.store(memory.buffer, self._place(value, memory, index), element)

    def computed(self, value: Value) -> None:
        """An array that was given memory is there now."""
        if self.has_memory(value):
            self.env[value] = self._memory[value]

    # -- arrays that are pending -------------------------------------------------------------------

    def flush(self) -> None:
        """Compute the arrays that are pending."""
        pending, self._pending = self._pending, {}
        if not pending:
            return
        measured.settle(self)
        waiting = dict.fromkeys(sorted(pending, key=self._order))
        self._waiting = waiting
        roots = [root_of(value, self.env, waiting.__contains__) for value in waiting]
        nests = Nests(self)
        for group in grouped(roots):
            nests.emit(group)

    def _order(self, value: Value) -> int:
        return self.plan.position[value.producer]

    def settle_scalars(self, roots: Iterable[Root]) -> None:
        """Compute the scalars that roots read now, outside of their loops."""
        own = {root.value for root in roots}
        pending = [v for root in roots for v in root.node.inputs]
        waiting: dict[Value, Node] = {}
        while pending:
            value = pending.pop()
            held = self.env.get(value)
            if value not in waiting and isinstance(held, Deferred):
                waiting[value] = held.node
                pending += held.node.inputs
        ready: set[Value] = set()  # what needs no reduction that has not been computed
        for value in sorted(waiting, key=self._order):
            node = waiting[value]
            if is_reduction(node):
                if self.in_row.get(value) is not None:
                    ready.add(value)
            elif all(v in ready or v not in waiting for v in node.inputs):
                ready.add(value)
                if not is_array(value) and value not in own:
                    self.env[value] = self.element(value, ())

    def is_needed_outside(self, value: Value, group: Group) -> bool:
        """Whether anything besides a group reads an array of it."""
        seen = {root.value for root in group.roots}
        pending = [value]
        while pending:
            read = pending.pop()
            if read in self.plan.outputs or read in self._memory:
                return True
            for node in self.plan.uses.get(read, ()):
                if self.plan.position[node] >= self.position:
                    return True
                for result in node.outputs:
                    if result in seen:
                        continue
                    if result in self._waiting or not isinstance(self.env.get(result), Deferred):
                        return True
                    seen.add(result)
                    pending.append(result)
        return False


def scalar_dtype(value: Value) -> Any:
    """The dtype of the scalar that a value is: an address, for packs and stacks."""
    return _element_dtype(value) if isinstance(value.type, ArrayType) else LONG
