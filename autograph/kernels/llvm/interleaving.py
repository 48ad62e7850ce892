"""Elements of the lanes that are a few elements apart in memory, such as those of one column of an
array of points: vectors of neighbours, and shuffles of these, in place of gathers and scatters.

Loads that together, or nearly so, read all of a piece of memory are one *group*, printed at the
first of them; stores that fill a piece are printed at the last of them. Nothing is read that no
lane wants but what lies between: the last vector of neighbours ends with the last element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Number, Operand, Var
from autograph.kernels.llvm import text
from autograph.kernels.llvm.lane_values import LaneValues
from autograph.kernels.llvm.shapes import Shapes
from ops.core.records import dataclass

_MOST_APART = 8
_MOST_APART_ALONE = 3  # of loads that want one element of each piece
_DEEP = 16  # sums in sums

_Access = ir.Load | ir.Store
_Place = tuple[frozenset[tuple[Var, int]], int]


@dataclass(eq=False)
class AccessGroup:
    """Accesses to neighbouring elements, ``step`` of which come before those of the next lane.

    Attributes:
        accesses: by the offsets of their elements in a piece of memory, in order.
    """

    step: int
    accesses: dict[int, _Access] = field(default_factory=dict)

    @property
    def ordered(self) -> list[_Access]:
        """In the order in which they run."""
        return list(self.accesses.values())


def groups(
    block: ir.Block, shapes: Shapes, memory: Callable[[Buffer], int]
) -> dict[_Access, AccessGroup]:
    """The groups that the accesses of a block are in.

    Args:
        memory: gives a number that buffers have in common if they may be the same memory.
    """
    return dict(_Groups(block, shapes, memory).found)


class _Groups:
    def __init__(self, block: ir.Block, shapes: Shapes, memory: Callable[[Buffer], int]):
        self.shapes = shapes
        self.memory = memory
        self.made: dict[Operand, ir.Compute] = {}
        self.open: dict[tuple, tuple[Buffer, AccessGroup]] = {}
        self.found: list[tuple[_Access, AccessGroup]] = []
        for statement in block:
            match statement:
                case ir.Compute():
                    self.made[statement.out] = statement
                case ir.Load() | ir.Store():
                    self._access(statement)
                case _:
                    self._close(list(self.open))
        self._close(list(self.open))

    def _access(self, s: _Access) -> None:
        """Put an access into a group, and close those that it must not be moved past."""
        stores = isinstance(s, ir.Store)
        step = self.shapes[s.index]
        key = None
        if step in range(2, _MOST_APART + 1) and not self.shapes.is_private(s.buffer):
            terms, offset = self._place(s.index, _DEEP)
            key = (stores, s.buffer, terms)
        self._close(
            [
                k
                for k, (buffer, _) in self.open.items()
                if k != key and (stores or k[0]) and self.memory(buffer) == self.memory(s.buffer)
            ]
        )
        if key is None or s.buffer.dtype.kind == "b":
            return
        _, group = self.open.setdefault(key, (s.buffer, AccessGroup(step)))
        if offset in group.accesses:  # the order counts
            self._close([key])
            _, group = self.open.setdefault(key, (s.buffer, AccessGroup(step)))
        group.accesses[offset] = s

    def _place(self, index: Operand, depth: int) -> _Place:
        """An index as a sum of multiples of variables, and a number."""
        if isinstance(index, Number):
            return frozenset(), int(index.value)
        s = self.made.get(index)
        if s is None or not depth:
            return frozenset({(index, 1)}), 0
        match s.function, s.operands:
            case ("+" | "-") as sign, (x, y):
                (a, m), (b, n) = self._place(x, depth - 1), self._place(y, depth - 1)
                factor = 1 if sign == "+" else -1
                total = dict(a)
                for var, k in b:
                    total[var] = total.get(var, 0) + factor * k
                terms = frozenset((var, k) for var, k in total.items() if k)
                return terms, m + factor * n
            case "*", (x, Number() as factor):
                a, m = self._place(x, depth - 1)
                k = int(factor.value)
                return frozenset((var, n * k) for var, n in a if k), m * k
        return frozenset({(index, 1)}), 0

    def _close(self, keys: Sequence[tuple]) -> None:
        for key in keys:
            _, group = self.open.pop(key)
            for part in _parts(group, key[0]):
                self.found += [(access, part) for access in part.ordered]


def _parts(group: AccessGroup, stores: bool) -> Iterator[AccessGroup]:
    """The groups of accesses to one piece of memory each that are worth it."""
    step, first, part = group.step, None, AccessGroup(group.step)
    for offset in [*sorted(group.accesses), None]:
        if part.accesses and (offset is None or offset - first >= step):
            order = {k: group.accesses[k] for k in group.accesses if k in part.accesses}
            whole = len(order) == step
            if whole or (not stores and (len(order) > 1 or step <= _MOST_APART_ALONE)):
                yield AccessGroup(step, order)
            part = AccessGroup(step)
        if offset is not None:
            first = first if part.accesses else offset
            part.accesses[offset] = group.accesses[offset]


def load(lanes: LaneValues, group: AccessGroup) -> Mapping[ir.Load, str]:
    """Print the loads of a group; their values."""
    (s, *_), count = group.ordered, lanes.lanes
    least, most = min(group.accesses), max(group.accesses)
    type_ = lanes.vectors.vector_of(text.memory_type(s.buffer.dtype))
    last = group.step * (count - 1) + most - least  # of the elements that are wanted
    starts = [*range(0, last + 1 - count, count), last + 1 - count]
    note, align = lanes.module.note(s.buffer), s.buffer.dtype.itemsize
    vectors = [
        lanes.function.let(
            f"load {type_}, ptr {_at(lanes, s, group, least + start)}, align {align}{note}"
        )
        for start in starts
    ]

    def where(element: int) -> tuple[int, int]:
        k = min(element // count, len(starts) - 1)
        return k, element - starts[k]

    return {
        access: _picked(
            lanes,
            type_,
            vectors,
            [where(group.step * lane + offset - least) for lane in range(count)],
            access.out.name,
        )
        for offset, access in group.accesses.items()
    }


def store(lanes: LaneValues, group: AccessGroup) -> None:
    """Print the stores of a group."""
    s, count = group.ordered[-1], lanes.lanes
    offsets = sorted(group.accesses)
    type_ = lanes.vectors.vector_of(text.memory_type(s.buffer.dtype))
    values = [lanes.vector(group.accesses[offset].value) for offset in offsets]
    note, align = lanes.module.note(s.buffer), s.buffer.dtype.itemsize
    for k in range(group.step):
        elements = range(k * count, (k + 1) * count)
        places = [(e % group.step, e // group.step) for e in elements]
        vector = _picked(lanes, type_, values, places)
        at = _at(lanes, s, group, offsets[0] + k * count)
        lanes.function.do(f"store {type_} {vector}, ptr {at}, align {align}{note}")


def _at(lanes: LaneValues, s: _Access, group: AccessGroup, offset: int) -> str:
    """Where the element with an offset is, as the one that is accessed by one of the group is
    known."""
    own = next(k for k, access in group.accesses.items() if access is s)
    type_ = text.memory_type(s.buffer.dtype)
    number = lanes.function.let(f"add i64 {lanes.scalar(s.index)}, {offset - own}")
    return lanes.function.let(f"getelementptr {type_}, ptr {lanes.start(s.buffer)}, i64 {number}")


def _picked(
    lanes: LaneValues,
    type_: str,
    vectors: Sequence[str],
    places: Sequence[tuple[int, int]],
    hint: str | None = None,
) -> str:
    """A vector of elements of other vectors.

    Args:
        places: for each lane the vector, and the lane of that.
    """
    count = len(places)
    used = sorted({vector for vector, _ in places})
    result = vectors[used[0]]
    have = {lane: at for lane, (vector, at) in enumerate(places) if vector == used[0]}
    for k in used[1:] or used[:1]:
        mask = [
            have[lane] if lane in have else count + at if vector == k else None
            for lane, (vector, at) in enumerate(places)
        ]
        indices = ", ".join(f"i32 {'poison' if x is None else x}" for x in mask)
        other = vectors[k] if k != used[0] else "poison"
        result = lanes.function.let(
            f"shufflevector {type_} {result}, {type_} {other}, <{count} x i32> <{indices}>", hint
        )
        have = {lane: lane for lane, x in enumerate(mask) if x is not None}
    return result
