"""Loops of which a thread takes several trips at a time, to read and write 16 bytes at once.

A GPU reads the same bytes with fewer instructions so, and each thread has more of them on their
way: by Little's law that is what keeps its memory busy (Volkov, "Better performance at lower
occupancy", GTC 2010; Luitjens, "CUDA pro tip: increase performance with vectorized memory access",
NVIDIA, 2013).

It is done where a loop

* has no loop inside, and no check, so that all that it reads may be read before its first trip;
* reads and writes arrays at its own trip, or that and a multiple of what a thread takes, as in rows
  of such a length; what does not depend on the trip is read as before;
* has so many trips that all threads still have some.

How many trips these are follows from the largest of the elements: 4 of float32, 2 of float64.
Arrays begin where the caller says, which may be a view: where one of them is not aligned, and in
the last trips if they are fewer, elements are read and written one by one, by the same threads. So
sums have the same bits wherever arrays are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from autograph.kernels.cuda import helpers
from autograph.kernels.cuda.expressions import CExpression, number
from autograph.kernels.cuda.helpers import ctype
from autograph.kernels.cuda.indices import Made, Place, place_of
from autograph.kernels.cuda.statements import CudaStatements
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import LONG, Buffer, Number, Operand, Var

NBYTES = 16  # of the widest load and store
MANY = 1 << 20  # trips of a grid: with fewer a launch takes longer than its memory
_MOST_BYTES = 128  # of the vectors of a thread, which are in registers
_MOST_STATEMENTS = 256  # of all trips that a thread takes at a time
_FAR = 2**62
Key = tuple[Hashable, frozenset]  # of a vector: its memory and its place
_OWN = ("input", "output", "temporary", "local")


@dataclass
class Vector:
    """Elements of a buffer that a thread has at a time.

    Attributes:
        index: of an access, from which the place follows.
        place: the index as a sum.
        read, written: whether they are loaded before, and stored after.
    """

    buffer: Buffer
    index: Operand
    place: Place
    read: bool = False
    written: bool = False


@dataclass
class Vectors:
    """What a thread reads and writes at once in a loop.

    Attributes:
        width: how many trips it takes at a time.
        vectors: by their memory and place.
        of: the key of each access, by its buffer and index.
    """

    width: int = 1
    vectors: dict[Key, Vector] = field(default_factory=dict)
    of: dict[tuple[Buffer, Operand], Key] = field(default_factory=dict)


class LoopScalars:
    """What the scalars of a loop's body have to do with the trip.

    Args:
        made: how scalars are computed, those of the body among them.
    """

    def __init__(self, s: ir.Each, made: Made):
        self.loop = s
        self.made = made
        self.inside = {var for y in ir.walk(s.body) for var in uses.defined(y)}

    def depends(self, x: Operand) -> bool:
        """Whether a scalar may be another one in another trip."""
        if x is self.loop.index:
            return True
        if not isinstance(x, Var) or x not in self.inside:
            return False
        return x not in self.made or any(map(self.depends, self.made[x].operands))

    def place(self, x: Operand) -> Place | None:
        """An index as the trip and what does not depend on it; None if it is another one."""
        place = place_of(x, self.loop.index, self.made)
        if place is None or place.get(None) != 1:
            return None
        rest = [y for y in place if isinstance(y, Var)]
        return None if any(map(self.depends, rest)) else place


def vectors_of(
    s: ir.Each, lanes: int, made: Made, memory: Callable[[Buffer], Hashable]
) -> Vectors | None:
    """What to read and write at once in a loop; None if nothing.

    Args:
        lanes: the threads that share the trips; 0 for those of a grid.
        made: how scalars are computed.
        memory: what tells a buffer's memory from others'.
    """
    found = _accesses(s, LoopScalars(s, made), memory)
    if found is None or not found.vectors:
        return None
    nbytes = [v.buffer.dtype.itemsize for v in found.vectors.values()]
    width = NBYTES // max(nbytes)
    while width > 1 and not _fits(s, width, lanes, found):
        width //= 2
    statements = sum(1 for _ in ir.walk(s.body))
    if width < 2 or width * sum(nbytes) > _MOST_BYTES or width * statements > _MOST_STATEMENTS:
        return None
    found.width = width
    return found


def _accesses(
    s: ir.Each, scalars: LoopScalars, memory: Callable[[Buffer], Hashable]
) -> Vectors | None:
    """The vectors of a loop, if all that depends on the trip can be one."""
    found = Vectors()
    written = {memory(b) for b in uses.writes(s.body)}
    for depth, x in _statements(s.body):
        if not isinstance(x, ir.Compute | ir.Load | ir.Store | ir.If):
            return None
        if isinstance(x, ir.Compute) and x.function.endswith("_checked"):
            return None
        if not isinstance(x, ir.Load | ir.Store):
            continue
        of = memory(x.buffer)
        if of not in written and not scalars.depends(x.index):
            continue
        place = scalars.place(x.index)
        if depth or place is None or x.buffer.kind not in _OWN:
            return None
        key = of, frozenset(place.items())
        vector = found.vectors.setdefault(key, Vector(x.buffer, x.index, place))
        vector.read |= isinstance(x, ir.Load) and not vector.written
        vector.written |= isinstance(x, ir.Store)
        found.of[x.buffer, x.index] = key
    of_written = [of for of, _ in found.vectors if of in written]
    # What one trip writes, another one that is taken with it must not read.
    return found if len(of_written) == len(set(of_written)) else None


def _statements(block: ir.Block, depth: int = 0) -> Iterator[tuple[int, ir.Statement]]:
    """All statements, and in how many others each stands."""
    for s in block:
        yield depth, s
        for inner in ir.blocks(s):
            yield from _statements(inner, depth + 1)


def _fits(s: ir.Each, width: int, lanes: int, found: Vectors) -> bool:
    """Whether a thread may take so many trips at a time."""
    if isinstance(s.count, Number):
        if int(s.count.value) < (width * lanes or MANY):
            return False
    elif lanes:
        return False
    for v in found.vectors.values():
        if any(n % width for key, n in v.place.items() if key is not None):
            return False
        if v.buffer.kind == "local" and v.buffer.size % width:  # there is one for each warp
            return False
    return True


class VectorStatements(CudaStatements):
    """Prints loops of independent trips."""

    made: Made
    _taken: tuple[Vectors, dict[Key, str], str] | None = None  # of the loop that is printed

    @contextmanager
    def trips(self, s: ir.Each, vectors: Vectors | None, start: str, step: str) -> Iterator[None]:
        """A loop over trips, of which each thread has those from ``start`` by ``step``, or as many
        at a time as ``vectors`` say."""
        if vectors is None:
            with self.loop(s.index, self.operand(s.count), start, step):
                yield
            return
        width, count = vectors.width, self.operand(s.count)
        scalars = LoopScalars(s, self.made)
        aligned, group = self._aligned(vectors), Var(LONG, "group")
        self.line("#pragma unroll 1")  # with more at a time fewer threads would have registers
        with self.loop(group, self._groups(s.count, width), start, step):
            first = self._first(group, width)
            whole = isinstance(s.count, Number) and int(s.count.value) % width == 0
            left = str(width) if whole else self._left(count, first)
            passed = f"{aligned}{'' if whole else f' && {left} >= {width}'}, {left}"
            names = {}
            for key, v in vectors.vectors.items():
                names[key] = self.names.new(f"{v.buffer.name or 'buffer'}_{width}")
                self.line(f"{ctype(v.buffer.dtype)} {names[key]}[{width}];")
                if v.read:
                    self._move(helpers.LOAD_VECTOR, v, names[key], scalars, first, passed)
            self.names.enter()
            k = self.names.new("part")
            self.line("#pragma unroll")
            with self.braces(f"for (int {k} = 0; {k} < {width}; {k}++)"):
                if not whole:
                    self.line(f"if ({k} >= {left}) break;")
                part = CExpression(k, interval=(0, width - 1))
                trip = self.expressions.compute("+", LONG, LONG, (first, part))
                self.define(s.index, trip, "i")
                before, self._taken = self._taken, (vectors, names, k)
                yield
                self._taken = before
            self.names.leave()
            for key, v in vectors.vectors.items():
                if v.written:
                    self._move(helpers.STORE_VECTOR, v, names[key], scalars, first, passed)

    def _first(self, group: Var, width: int) -> CExpression:
        """Define the first trip of those that a thread takes at a time."""
        first = Var(LONG, "first")
        given = (self.operand(group), number(LONG.type(width)))
        self.define(first, self.expressions.compute("*", LONG, LONG, given))
        return self.operand(first)

    def _left(self, count: CExpression, first: CExpression) -> str:
        """Define how many trips there are from that one on."""
        left = Var(LONG, "left")
        interval = (1, min((count.interval or (0, _FAR))[1], _FAR))
        text = f"{count.within(70)} - {first.text}"
        self.define(left, CExpression(text, 70, interval, count.wide or first.wide))
        return self.operand(left).text

    def element(self, buffer: Buffer, index: Operand) -> str:
        """An element of a buffer."""
        if self._taken is not None:
            vectors, names, k = self._taken
            if (buffer, index) in vectors.of:
                return f"{names[vectors.of[buffer, index]]}[{k}]"
        return super().element(buffer, index)

    def _aligned(self, vectors: Vectors) -> str:
        """Whether all arrays of the caller's start where vectors may; of others that is known."""
        tests: dict[int, dict[str, None]] = {}
        for v in vectors.vectors.values():
            if v.buffer.kind in ("input", "output"):
                nbytes = v.buffer.dtype.itemsize * vectors.width
                tests.setdefault(nbytes, {})[f"(uint64){self.pointer(v.buffer)}"] = None
        if not tests:
            return "true"
        name = self.names.new("aligned")
        texts = []
        for nbytes, places in sorted(tests.items()):
            joined = " | ".join(places)
            texts.append(f"{f'({joined})' if len(places) > 1 else joined} % {nbytes} == 0")
        self.line(f"const bool {name} = {' && '.join(texts)};")
        return name

    def _groups(self, count: Operand, width: int) -> CExpression:
        """How many times threads take trips."""
        known = self.operand(count)
        if isinstance(count, Number):
            return number(LONG.type(-(-int(count.value) // width)))
        high = min((known.interval or (0, _FAR))[1], _FAR)
        text = f"{known.within(81)} / {width} + ({known.within(81)} % {width} != 0)"
        return CExpression(text, 70, (0, -(-high // width)), known.wide)

    def _move(
        self,
        helper: tuple[str, str],
        v: Vector,
        name: str,
        scalars: LoopScalars,
        first: CExpression,
        passed: str,
    ) -> None:
        """Load or store a vector of the trips from ``first`` on."""
        self.expressions.call(helpers.VECTOR)
        function = self.expressions.call(helper).text.split("(")[0]
        memory = self.place(v.buffer)
        at = self._index(v.index, scalars, first)
        self.line(f"{function}({name}, {memory} + {at.within(71)}, {passed});")

    def _index(self, x: Operand, scalars: LoopScalars, first: CExpression) -> CExpression:
        """An index in the trip ``first``, before the body of the loop."""
        if x is scalars.loop.index:
            return first
        if not isinstance(x, Var) or x not in scalars.inside:
            return self.operand(x)
        s = scalars.made[x]
        given = [self._index(y, scalars, first) for y in s.operands]
        return self.expressions.compute(s.function, x.dtype, s.operands[0].dtype, given)
