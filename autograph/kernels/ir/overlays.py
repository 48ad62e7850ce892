"""Arrays that may be where others are although one loop needs both: each trip writes elements of
the one where it has read those of the other, and no trip reads what another one writes over.

Trips of an `Each` do not write the same element. So a trip that reads an element which it writes
later is the only one that writes there. Whether places are the same is told by how they are
computed, from the indices of loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Number, Operand, Var
from ops.core.records import NamedTuple

_Loops = tuple["ir.For | ir.Each", ...]

_LANES = 16  # of a vector ...
_LANES_OF_DOUBLES = 8  # ... of float64, or of more where masks cost little
_LONG = 4 * _LANES  # trips, beside which a step of some lanes does not count ...
_SHORT = 80  # ... if a trip has no more statements than that, of which two copies may be made
_VERY_LONG = 1 << 12  # else, where all steps are under a mask: what memory takes counts more
_MOST = 32  # accesses to the arrays of a loop, for it to be looked at


class _Access(NamedTuple):
    """A load or a store.

    Attributes:
        place: how many accesses are before it.
        loops: that are around it, the outermost first.
        branches: whether it is in a branch.
    """

    statement: ir.Load | ir.Store
    place: int
    loops: _Loops
    branches: bool


def overlays(loop: ir.Each, wanted: Callable[[Buffer], bool]) -> Iterator[tuple[Buffer, Buffer]]:
    """Pairs of arrays that are asked for, of which the second may be where the first is, as far as
    one loop is concerned. Both begin at the same place, and have elements of the same size."""
    found = _Loop(loop, wanted)
    if len(found.accesses) > _MOST or found.others:
        return
    read: dict[Buffer, list[_Access]] = {}
    written: dict[Buffer, list[_Access]] = {}
    for access in found.accesses:
        kind = read if isinstance(access.statement, ir.Load) else written
        kind.setdefault(access.statement.buffer, []).append(access)
    for new, stores in written.items():
        if new in read or not all(map(found.is_in_all_trips, stores)):
            continue
        for old, loads in read.items():
            if old in written or old.dtype.itemsize != new.dtype.itemsize:
                continue
            if max(x.place for x in loads) > min(y.place for y in stores):
                continue
            if not all(found.ends_well(x.loops[-1]) for x in loads for y in stores if _meet(x, y)):
                continue
            if all(any(found.are_same(x, y) for y in stores) for x in loads):
                yield old, new


class _Loop:
    """What a loop does with arrays.

    Attributes:
        accesses: loads and stores, in the order in which a trip runs them.
        others: whether something else touches such an array.
    """

    def __init__(self, loop: ir.Each, wanted: Callable[[Buffer], bool]):
        self.wanted = wanted
        self.accesses: list[_Access] = []
        self.others = False
        self.made: dict[Var, ir.Compute] = {}
        self.unknown: set[Var] = set()  # that may be the same in several trips
        self._ending: dict[ir.For | ir.Each, bool] = {}
        self.block([loop], (), False)

    def block(self, statements: Sequence[ir.Statement], loops: _Loops, branches: bool) -> None:
        for s in statements:
            match s:
                case ir.Compute():
                    self.made[s.out] = s
                case ir.Load() | ir.Store():
                    self.unknown.update(uses.defined(s))
                    if self.wanted(s.buffer):
                        self.accesses.append(_Access(s, len(self.accesses), loops, branches))
                case ir.For() | ir.Each():
                    self.unknown.update((*uses.results(s), *getattr(s, "state", ())))
                    self.block(s.body.statements, (*loops, s), branches)
                case ir.If():
                    self.unknown.update(uses.results(s))
                    self.block(s.then.statements, loops, True)
                    self.block(s.orelse.statements, loops, True)
                case ir.Check() | ir.Local():
                    pass
                case _:
                    self.others = True

    def ends_well(self, loop: ir.For | ir.Each) -> bool:
        """See `_ends_well`. Many pairs of arrays are those of one loop."""
        if loop not in self._ending:
            self._ending[loop] = _ends_well(loop)
        return self._ending[loop]

    def is_in_all_trips(self, store: _Access) -> bool:
        """Whether a store is reached in all trips, in each of which it is elsewhere."""
        if store.branches:
            return False
        key = self.key(store.statement.index, store.loops, len(store.loops))
        if key is None:
            return False
        indices = set(_leaves(key))
        each = [k for k, s in enumerate(store.loops) if isinstance(s, ir.Each)]
        return indices >= {("index", k, None) for k in each}

    def are_same(self, load: _Access, store: _Access) -> bool:
        """Whether a trip of the loops around both reads what it also writes: if there are other
        loops around one of them, in any of their trips."""
        common = 0
        for one, other in zip(load.loops, store.loops):
            if one is not other:
                break
            common += 1
        if any(isinstance(s, ir.For) for s in load.loops[:common]):
            return False  # of which the next trip may read it again
        key = self.key(load.statement.index, load.loops, common)
        return key is not None and key == self.key(store.statement.index, store.loops, common)

    def key(self, x: Operand, loops: _Loops, common: int) -> tuple | None:
        """How a number is computed; None if that may be the same in several trips.

        Args:
            common: how many of the loops are those of another access as well, so that indices of
                these, and no others, are the same there.
        """
        if isinstance(x, Number):
            return ("number", x.dtype.str, x.value.tobytes())
        assert isinstance(x, Var)
        for k, s in enumerate(loops):
            if x is s.index:
                if k < common:
                    return ("index", k, None)
                return ("index", k, int(s.count.value)) if isinstance(s.count, Number) else None
        made = self.made.get(x)
        if made is None:
            return None if x in self.unknown else ("outside", id(x), None)
        parts = [self.key(y, loops, common) for y in made.operands]
        if any(part is None for part in parts):
            return None
        return ("computed", made.function, x.dtype.str, *parts)


def _meet(x: _Access, y: _Access) -> bool:
    """Whether two accesses are in the same innermost loop."""
    return x.loops[-1] is y.loops[-1]


def _ends_well(loop: ir.For | ir.Each) -> bool:
    """Whether the last trips of a loop take no longer if vectors may not repeat some for them."""
    if not isinstance(loop.count, Number):
        return False
    count = int(loop.count.value)
    short = sum(1 for _ in ir.walk(loop.body)) <= _SHORT
    return count % _lanes(loop) == 0 or count >= (_LONG if short else _VERY_LONG)


def _lanes(loop: ir.For | ir.Each) -> int:
    """How many trips a step of a loop has, or a multiple of that."""
    for s in ir.walk(loop.body):
        if isinstance(s, ir.For | ir.While):
            return _LANES
        if any(v.dtype.kind == "f" and v.dtype.itemsize < 8 for v in uses.defined(s)):
            return _LANES
    return _LANES_OF_DOUBLES


def _leaves(key: tuple) -> Iterator[tuple]:
    if key[0] != "computed":
        yield key
    else:
        for part in key[3:]:
            yield from _leaves(part)
