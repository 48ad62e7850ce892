"""What something needs now: a scalar, or an array in memory.

This is where waiting ends. If it needs an array that is pending, all that are pending are grouped
and computed, with few passes over memory.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from autograph.graph.graph import Constant, Value
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.groups import grouped, root_of
from autograph.kernels.lowering.arrays import measured
from autograph.kernels.lowering.arrays.columns import ColumnNest
from autograph.kernels.lowering.arrays.maps import AnyAxesNest, MapNest
from autograph.kernels.lowering.arrays.nest import Nest, settle_scalars
from autograph.kernels.lowering.arrays.rows import RowNest
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import (
    CannotLower,
    Deferred,
    GrowingRows,
    Held,
    Measured,
    Memory,
    is_array,
    number,
    shape_of,
)


def held(state: State, value: Value) -> Held:
    """What a value is: a scalar, or an array in memory."""
    found = state.env.get(value)
    if isinstance(found, Measured):
        found = state.env[value] = measured.in_memory(state, value, found)
        return found
    if isinstance(found, GrowingRows):
        return found
    return memory(state, value) if is_array(value) else scalar(state, value)


def scalar(state: State, value: Value) -> Operand:
    """A scalar, computed now if it has not been."""
    if isinstance(value, Constant):
        return number(value)
    found = state.env[value]
    if isinstance(found, Deferred):
        flush(state)
        found = state.env[value]
    if not isinstance(found, Operand):
        found = state.env[value] = state.elements.at(value, ())
    return found


def memory(state: State, value: Value) -> Memory:
    """An array in memory, computed now if it has not been."""
    found = state.env.get(value)
    if isinstance(found, Deferred) and is_unset(state, found):
        state.progress.pending.pop(value, None)
        found = state.env[value] = state.places.give(value)
    if isinstance(found, Deferred):
        state.progress.pending[value] = None
        flush(state)
        found = state.env[value]
    if not isinstance(found, Memory):
        raise CannotLower(reasons.CONSTANT.of())
    return found


def is_unset(state: State, found: Deferred) -> bool:
    """Whether an array waits whose elements may be anything, as those of ``np.empty``, and what is
    in memory is not to be told from numbers: LLVM may do so for the memory of one lane."""
    return bool(found.node.attrs.get("unset")) and not state.places.serial


def as_measured(state: State, value: Value) -> Measured:
    """An array in the form of those whose lengths only the run knows, also if they are known."""
    found = state.env.get(value)
    if isinstance(found, Measured):
        return found
    if isinstance(found, GrowingRows):
        return measured.of_rows(state, value.type, found)
    source, shape = memory(state, value), shape_of(value)

    def element(index: Sequence[Operand]) -> Operand:
        place = measured.flat(state.b, index, shape)
        return state.b.load(source.buffer, source.start + place)

    lengths = tuple(map(state.b.long, shape))
    return Measured(lengths, shape, element, frozenset([source.buffer]), is_loaded=True)


def put(state: State, value: Value, target: Memory) -> None:
    """See that an array, or a scalar, is in some place in memory."""
    if not is_array(value):
        state.b.store(target.buffer, target.start, scalar(state, value))
        return
    if isinstance(state.env.get(value), Deferred) and state.places.wanted(value) is None:
        state.places.want(value, target)
    found = memory(state, value)
    if found != target:
        state.loops.copy(found, target, value.type.size)


def flush(state: State) -> None:
    """Compute the arrays that are pending."""
    waiting = dict.fromkeys(state.progress.take_pending())
    for value in list(waiting):
        found = state.env.get(value)
        if isinstance(found, Deferred) and is_unset(state, found):
            state.env[value] = state.places.give(value)
            del waiting[value]
    if not waiting:
        return
    measured.settle(state)
    keep_read(state, waiting.keys(), state.progress.position)
    roots = [root_of(value, state.env.get, waiting.__contains__) for value in waiting]
    for group in grouped(roots):
        settle_scalars(state, group.roots)
        _NESTS[group.kind](state, group, waiting).emit()


def keep_read(state: State, computed: Set[Value], position: int) -> None:
    """Give arrays that are computed now other memory than that of the array whose next contents
    they are, if it is still read afterwards.

    Args:
        position: of the first node whose reads come afterwards.
    """
    env, plan, replaced = state.env, state.plan, state.places.replaced
    for value in computed if replaced else ():
        old = replaced.get(value)
        place = state.places.wanted(value)
        if old is None or place is None:
            continue
        others: set[Value] = set()
        if plan.is_used_after(old, position) or any(
            plan.is_used_after(reader, position) and env.reads(reader, place.buffer, others)
            for reader in env.waiting
            if reader not in computed
        ):
            type = value.type
            state.places.want(value, state.places.allocate(type.dtype, type.size, value.name))


_NESTS: dict[str, type[Nest]] = {
    "map": MapNest,
    "row": RowNest,
    "column": ColumnNest,
    "other": AnyAxesNest,
}
