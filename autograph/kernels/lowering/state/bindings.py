"""What values of the graph are by now."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator

from autograph.graph.aliasing import is_view
from autograph.graph.graph import Constant, Value
from autograph.kernels.ir.ir import BOOL, Buffer, Number, Operand
from autograph.kernels.lowering.values import Deferred, Held, Measured, Memory, is_array


class Bindings:
    """What values are by now: those of a block, and of the blocks around it.

    * A value is bound when its node has been lowered. What it is bound to changes when something
      needs more of it: an array that waits comes into memory.
    * A block binds and ends values of its own. Those of blocks around it are only read, unless it
      takes them over.
    * A value ends when its memory is changed. It is not bound any more, in this block.

    Attributes:
        own: the values that the block has bound.
        unsettled: those of them that are measured, and in no memory yet.
        waiting: those of them that wait, and may still be read.
        ended: the arrays, also of blocks around, that have ended.
        given: whether an array is one that the kernel was given; see `is_given`.
    """

    def __init__(self, around: Bindings | None = None):
        self.own: dict[Value, Held] = {}
        self.unsettled: set[Value] = set()
        self.waiting: dict[Value, Deferred] = {}
        self._in: dict[Buffer, set[Value]] = {}  # those of the block's own in some memory
        self.ended: set[Value] = set()
        self.given: ChainMap[Value, Operand | bool] = ChainMap()
        self._scopes: tuple[dict[Value, Held], ...] = (self.own,)
        self._places: tuple[dict[Buffer, set[Value]], ...] = (self._in,)
        if around is not None:
            self.ended |= around.ended
            self.given = around.given.new_child()
            self._scopes += around._scopes
            self._places += around._places

    def get(self, value: Value) -> Held | None:
        """What a value is; None if it is not bound."""
        held = self.own.get(value)
        if held is not None:
            return held
        for scope in self._scopes[1:]:
            held = scope.get(value)
            if held is not None:
                return held
        return None

    def __getitem__(self, value: Value) -> Held:
        held = self.get(value)
        if held is None:
            raise KeyError(value)
        return held

    def __setitem__(self, value: Value, held: Held) -> None:
        self._leave(value)
        self.own[value] = held
        if isinstance(held, Memory):
            self._in.setdefault(held.buffer, set()).add(value)
        elif isinstance(held, Deferred):
            self.waiting[value] = held
        elif isinstance(held, Measured) and not held.settled:
            self.unsettled.add(value)

    def __delitem__(self, value: Value) -> None:
        self._leave(value)
        del self.own[value]

    def _leave(self, value: Value) -> None:
        """Note that a value is not any more what it was, if it was anything."""
        before = self.own.get(value)
        if isinstance(before, Memory):
            self._in[before.buffer].discard(value)
        elif isinstance(before, Deferred):
            self.waiting.pop(value, None)
        else:
            self.unsettled.discard(value)

    def take_over(self, value: Value) -> None:
        """Make an array of a block around, which does not need it any more, one of this block."""
        self[value] = self[value]

    def end(self, value: Value) -> None:
        """Forget an array of this block that is no more, since its memory is changed now."""
        del self[value]
        self.ended.add(value)

    def others_in(self, buffer: Buffer, value: Value) -> Iterator[Value]:
        """The values in some memory that have not ended, besides one that is."""
        if all(scope.get(buffer, set()) <= {value} for scope in self._places):
            return
        known: dict[Value, Held] = {}
        for scope in reversed(self._scopes):
            known |= scope
        for other, held in known.items():
            there = isinstance(held, Memory) and held.buffer is buffer
            if there and other is not value and other not in self.ended:
                yield other

    def reads(self, value: Value, buffer: Buffer, others: set[Value]) -> bool:
        """Whether what waits reads elements of some memory.

        Args:
            others: values that are known not to, to which those are added that are found not to.
        """
        pending = [value]
        while pending:
            held = self.get(one := pending.pop())
            if isinstance(held, Memory):
                if held.buffer is buffer:
                    return True
            elif isinstance(held, Deferred) and one not in others:
                others.add(one)
                pending += held.node.inputs
        return False

    def is_given(self, value: Value) -> Operand:
        """Whether an array is one that the kernel was given, or a view of it."""
        while value not in self.given and is_view(value) and value.producer is not None:
            value = value.producer.inputs[0]
        if isinstance(value, Constant):
            return Number(is_array(value), BOOL)
        found = self.given.get(value, False)
        return found if isinstance(found, Operand) else Number(found, BOOL)
