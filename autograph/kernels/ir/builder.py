"""Building kernels, statement by statement.

    b = KernelBuilder("scale")
    x, y = b.input("float32", 100, "x"), b.output("float32", 100, "y")
    with b.each(100) as i:
        b.store(y, i, b.load(x, i) * 2)
    kernel = b.finish()

Operators and the functions of `ops.core.kernels`, applied to operands, add to the innermost builder
of the thread. What has been computed is not computed again: equal computations of one block, or of
a block inside another, are one `Var` (loads as well, until something is stored). What `folding`
knows is not computed at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.errors import Location
from autograph.kernels.ir import folding, ir, uses
from autograph.kernels.ir.dead import drop_freeing, drop_unused
from autograph.kernels.ir.ir import (
    BOOL,
    DOUBLE,
    INT,
    LONG,
    MOST_BYTES,
    Block,
    Buffer,
    Number,
    Operand,
    Var,
)
from ops.core.symbolic_lengths import example_of, is_length

_Loads = dict[str, dict[Buffer, dict[Any, Operand]]]
_MAY_SHARE = {"record": "record", "input": "output", "output": "input"}  # memory, by kinds


def _are_alike(operands: Sequence[Any]) -> bool:
    """Whether all operands are scalars of a kernel of one dtype, as they mostly are."""
    dtype = None
    for x in operands:
        if type(x) is not Var and type(x) is not Number:
            return False
        if dtype is None:
            dtype = x.dtype
        elif x.dtype is not dtype:
            return False
    return True


def current() -> KernelBuilder:
    """The innermost builder of this thread.

    Raises:
        RuntimeError: no kernel is being built.
    """
    builder: Any = ir.current()
    return builder


class _Scope:
    """A block that is being filled, and what it has computed, by what it was computed from.

    Attributes:
        loads: the elements known of each buffer, by their places; the buffers by their kinds.
    """

    def __init__(self, block: Block):
        self.block = block
        self.known: dict[Any, Operand] = {}
        self.loads: _Loads = {}


class KernelBuilder:
    """A kernel under construction; operators act on it from its creation until `finish`."""

    def __init__(self, name: str, location: Location | None = None):
        self.name = name
        self.location = location
        self.place: Location | None = None  # of the statements being added
        self._inputs: list[Buffer | Var] = []
        self._outputs: list[Buffer] = []
        self._shared: list[tuple[Buffer, Buffer]] = []
        self._body, self._beginning = Block(), Block()
        self._scopes = [_Scope(self._beginning), _Scope(self._body)]
        self._symbols: dict[str, Var] = {}
        self._lengths: dict[Any, Operand] = {}
        self._routines: dict[str, ir.Kernel] = {}
        self._around: list[type] = []  # the loops around what is added
        self._made: dict[Operand, ir.Compute] = {}
        self._outer = getattr(ir.innermost, "builder", None)
        ir.innermost.builder = self

    def finish(self) -> ir.Kernel:
        """The kernel."""
        self.close()
        self._body.statements[:0] = self._beginning.statements
        drop_unused(self._body, whole=True)
        drop_freeing(self._body, self._routines)
        return ir.Kernel(
            self.name,
            tuple(self._inputs),
            tuple(self._outputs),
            self._body,
            tuple(self._shared),
            self._symbols,
            self.location,
            routines=self._routines,
            examples={scalar: example_of(n) for n, scalar in self._lengths.items()},
        )

    def close(self) -> None:
        """Give up the kernel, or end it."""
        ir.innermost.builder = self._outer

    # -- parameters and memory ---------------------------------------------------------------------

    def input(self, dtype: Any, size: int, name: str | None = None) -> Buffer:
        """A buffer that the caller passes."""
        self._inputs.append(buffer := Buffer(dtype, size, "input", name))
        return buffer

    def parameter(self, dtype: Any, name: str | None = None) -> Var:
        """A scalar that the caller passes."""
        self._inputs.append(var := Var(dtype, name))
        return var

    def is_given(self, operand: Operand) -> bool:
        """Whether a scalar is one that the caller passes."""
        return any(operand is given for given in self._inputs)

    def symbols(self, names: Iterable[str]) -> None:
        """Have the caller pass the symbols of lengths, after all else."""
        self._symbols = {name: self.parameter(LONG, name) for name in names}

    def symbol(self, name: str) -> Var:
        """A symbol of lengths that the caller passes."""
        return self._symbols[name]

    @contextmanager
    def at_beginning(self) -> Iterator[None]:
        """What is added in here runs before everything else."""
        scopes, self._scopes = self._scopes, self._scopes[:1]
        try:
            yield
        finally:
            self._scopes = scopes

    def output(self, dtype: Any, size: int, name: str | None = None) -> Buffer:
        """A buffer that the caller passes, to be written."""
        self._outputs.append(buffer := Buffer(dtype, size, "output", name))
        return buffer

    def share(self, given: Buffer, written: Buffer) -> None:
        """Say that an input and an output are the same memory."""
        self._shared.append((given, written))

    def constant(self, data: Any, name: str | None = None) -> Buffer:
        """A table of known elements."""
        data = np.ascontiguousarray(data).reshape(-1)
        return Buffer(data.dtype, data.size, "constant", name, data=data)

    def temporary(self, dtype: Any, size: int, name: str | None = None) -> Buffer:
        """Memory for the run of the kernel."""
        if is_length(size):
            itemsize = np.dtype(dtype).itemsize
            with self.at_beginning():
                nbytes = self.long((size * itemsize + 63) // 64 * 64)
                if any(len(factors) > 1 for factors in size.terms):  # it may leave 64 bits
                    real = lambda symbol: self.cast(self._symbols[symbol], DOUBLE)
                    elements = size.evaluated(real, lambda x, y: self.compute("/", x, y))
                    fits = self.compute("<", elements, MOST_BYTES / itemsize)
                    nbytes = self.compute("select", fits, nbytes, MOST_BYTES)  # that no one has
                return Buffer(dtype, size, "reserved", name, self.reserve(nbytes))
        return Buffer(dtype, size, "temporary", name)

    def local(self, dtype: Any, size: int, name: str | None = None) -> Buffer:
        """Memory of its own for each trip of the innermost `Each`."""
        buffer = Buffer(dtype, size, "local", name)
        self.add(ir.Local(buffer))
        return buffer

    def reserve(self, size: Operand | int, *, for_caller: bool = False) -> Var:
        """Memory that lasts: the address of ``size`` bytes."""
        out = Var(LONG)
        self.add(ir.Reserve(out, self.long(size), for_caller))
        return out

    def keep(self, pieces: Sequence[tuple[Operand, Operand]]) -> list[Var]:
        """Free what the routine has reserved, but for some pieces; see `ir.Keep`. Returns where
        they are then."""
        outs = [Var(LONG) for _ in pieces]
        self.add(ir.Keep(tuple(pieces), tuple(outs)))
        return outs

    def record(self, dtype: Any, size: int, base: Operand, offset: int, name=None) -> Buffer:
        """A part of the memory that `reserve` gave."""
        if is_length(offset):
            base, offset = base + self.long(offset), 0
        return Buffer(dtype, size, "record", name, base, offset)

    # -- scalars -----------------------------------------------------------------------------------

    def long(self, value: Operand | int) -> Operand:
        """An int64. Symbolic lengths are computed once, when the kernel begins."""
        if isinstance(value, Operand):
            return value
        if is_length(value):
            if value not in self._lengths:
                with self.at_beginning():
                    self._lengths[value] = value.evaluated(
                        self._symbols.__getitem__, self._floor_divided
                    )
            return self._lengths[value]
        return Number(value, LONG)

    def _floor_divided(self, x: Operand, y: int) -> Operand:
        whole = self.compute("quotient", x, y)
        below = self.compute("<", self.compute("rest", x, y), 0)
        return self.compute("-", whole, self.cast(below, LONG))

    def measure(self, length: int) -> int | Operand:
        """A length as statements have it that know most of them."""
        return self.long(length) if is_length(length) else length

    def compute(self, function: str, *operands: Any) -> Operand:
        """``function(*operands)``. Python's numbers take the dtype of the other operands."""
        if function == "cast":
            return self.cast(*operands)
        if function == "width":
            return Number(operands[0].dtype.itemsize * 8, operands[0].dtype)
        given = operands if _are_alike(operands) else self._same(function, operands)
        if function in ("==", "!=") and isinstance(given[1], Number) and given[1].value == 0:
            given = (folding.unrounded(given[0], self._made), given[1])
        known = folding.folded(function, given)
        if known is None and function == "+" and given[0].dtype.kind in "iub":
            known = folding.rejoined(given, self._made)
        if known is not None:
            return known
        if given[0].dtype.kind == "f":
            known = folding.negated(function, given, self._made)
            if known is not None:
                return known
            unsigned = folding.without_signs(function, given, self._made)
            if unsigned is not None:
                result = self.compute(function, *unsigned.operands)
                return self.compute("-", result) if unsigned.negates else result
        return self._computed(function, given, folding.result_dtype(function, given))

    def cast(self, value: Operand, dtype: Any) -> Operand:
        """A scalar converted as NumPy converts it."""
        if value.dtype is dtype:  # as it mostly is
            return value
        dtype = np.dtype(dtype)
        if value.dtype == dtype:
            return value
        if isinstance(value, Number):
            with np.errstate(all="ignore"):
                return Number(value.value, dtype)
        whole = folding.whole_as(value, dtype, self._made)
        if whole is not None and self._is_in_long(whole):
            return self.compute("+", whole, 0.0)  # an integer has no -0
        return self._computed("cast", (value,), dtype)

    def _is_in_long(self, x: Operand) -> bool:
        """Whether it was asked before whether integers hold a float."""
        least, below = self.compute(">=", x, -(2.0**63)), self.compute("<", x, 2.0**63)
        return self.recall(("holds", self.compute("&", least, below))) is not None

    def _same(self, function: str, operands: Sequence[Any]) -> tuple[Operand, ...]:
        """The operands, numbers as `Number`."""
        if len(operands) == 2:  # as they mostly are: a scalar, and a number that is written
            x, y = operands
            if type(x) is Var and type(y) in (int, float, bool) and function != "ldexp":
                return (x, Number(y, x.dtype))
        operands = [self.long(x) if is_length(x) else x for x in operands]
        if function == "select":
            test, *branches = operands
            if not isinstance(test, Operand):
                test = Number(test, BOOL)
            return (test, *self._same("", branches))
        found = [x.dtype for x in operands if isinstance(x, Operand)]
        dtype = found[0] if found else None
        if function == "ldexp":
            x, count = operands
            count = count if isinstance(count, Operand) else Number(count, INT)
            return (x, self.cast(count, INT))
        if dtype is None:  # of numbers only
            dtype = np.result_type(*operands)
        given = tuple(x if isinstance(x, Operand) else Number(x, dtype) for x in operands)
        wrong = [x for x in given if x.dtype != dtype]
        if wrong:
            raise TypeError(f"'{function}' of {', '.join(str(x.dtype) for x in given)}")
        return given

    def flat_index(self, index: Sequence[Operand | int], shape: Sequence[int]) -> Operand:
        """The number of an element of a C-contiguous array."""
        axes = [(self.long(i), n) for i, n in zip(index, shape) if n != 1]
        if not axes:
            return self.long(0)
        axis = 1
        while axis < len(axes):  # put together again what `split_index` has taken apart
            (i, m), (j, n) = axes[axis - 1 : axis + 1]
            joined = folding.divided(i, j, self._made)
            if joined is None or not folding.is_same(joined[1], self.long(n)):
                axis += 1
            else:
                axes[axis - 1 : axis + 1] = [(joined[0], m * n)]
                axis = max(axis - 1, 1)
        total, stride = axes.pop()
        for i, n in reversed(axes):
            total = self.compute("+", self.compute("*", i, self.long(stride)), total)
            stride *= n
        return total

    def _computed(self, function: str, operands: tuple[Operand, ...], dtype: np.dtype) -> Operand:
        key = (function, dtype, *map(_identity, operands))
        for scope in reversed(self._scopes):
            if key in scope.known:
                return scope.known[key]
        out = Var(dtype)
        statement = ir.Compute(out, function, operands, self.place)
        self.add(statement)
        self._made[out] = statement
        self._scopes[-1].known[key] = out
        return out

    def made(self, operand: Operand) -> ir.Compute | None:
        """The statement of this builder that computed a scalar."""
        return self._made.get(operand)

    def recall(self, key: Any) -> Operand | None:
        """What `remember` was told in this block or one around it."""
        for scope in reversed(self._scopes):
            if key in scope.known:
                return scope.known[key]
        return None

    def remember(self, key: Any, operand: Operand) -> Operand:
        """Make an operand known, in this block and those in it, as what a key stands for."""
        self._scopes[-1].known[key] = operand
        return operand

    # -- statements --------------------------------------------------------------------------------

    def add(self, statement: ir.Statement) -> None:
        """Add a statement to the innermost block."""
        self._scopes[-1].block.statements.append(statement)

    def load(self, buffer: Buffer, index: Operand | int, name: str | None = None) -> Operand:
        """An element of a buffer."""
        index = self.long(index)
        place = _identity(index)
        for scope in reversed(self._scopes):
            known = scope.loads.get(buffer.kind, {}).get(buffer, {})
            if place in known:
                return known[place]
        out = Var(buffer.dtype, name)
        self.add(ir.Load(out, buffer, index))
        self._know(buffer, place, out)
        return out

    def store(self, buffer: Buffer, index: Operand | int, value: Operand) -> None:
        """Write an element of a buffer. The value is known from now on without loading it."""
        if value.dtype != buffer.dtype:
            raise TypeError(f"{value.dtype} stored to {buffer}")
        self.add(ir.Store(buffer, self.long(index), value))
        self.written(buffer)
        self._know(buffer, _identity(self.long(index)), value)

    def _know(self, buffer: Buffer, place: Any, value: Operand) -> None:
        of_kind = self._scopes[-1].loads.setdefault(buffer.kind, {})
        of_kind.setdefault(buffer, {})[place] = value

    def written(self, buffer: Buffer) -> None:
        """Forget what was loaded from a buffer, or from what may be the same memory: other records,
        and of what the caller passes inputs if it is an output, outputs if it is an input."""
        for scope in self._scopes:
            scope.loads.get(buffer.kind, {}).pop(buffer, None)
            scope.loads.pop(_MAY_SHARE.get(buffer.kind, ""), None)

    def check(self, condition: Operand) -> None:
        """Give up unless a condition holds."""
        if not (isinstance(condition, Number) and condition.value):
            self.add(ir.Check(condition, self.place))
            self.remember(("holds", condition), condition)

    def call(
        self,
        routine: ir.Kernel,
        given: Sequence[Operand | tuple[Buffer, Operand]],
        results: Sequence[Buffer],
        work: float = 1.0,
        changed: Sequence[Buffer] = (),
    ) -> None:
        """Run another kernel; see `ir.RoutineCall`."""
        self._routines |= {routine.name: routine.with_no_routines(), **routine.routines}
        self.add(ir.RoutineCall(routine.name, tuple(given), tuple(results), work, tuple(changed)))
        for buffer in (*results, *changed):
            self.written(buffer)

    # -- control flow ------------------------------------------------------------------------------

    @contextmanager
    def block(self) -> Iterator[Block]:
        """Fill a block of its own, for a statement to be added afterwards."""
        self._scopes.append(_Scope(Block()))
        try:
            yield self._scopes[-1].block
        finally:
            self._forget_written(self._scopes.pop().block)

    @property
    def is_in_order(self) -> bool:
        """Whether there is a loop around what is added, and none of independent trips."""
        return bool(self._around) and ir.Each not in self._around

    @contextmanager
    def _loop_block(self, kind: type) -> Iterator[Block]:
        """The body of a loop: nothing that was loaded before it is known in it, since an earlier
        trip may have written there."""
        kept = [(scope, scope.loads) for scope in self._scopes]
        for scope in self._scopes:
            scope.loads = {}
        self._scopes.append(_Scope(body := Block()))
        self._around.append(kind)
        try:
            yield body
        finally:
            self._around.pop()
            self._scopes.pop()
            for scope, loads in kept:
                scope.loads = loads
            self._forget_written(body)

    def _forget_written(self, block: Block) -> None:
        """Forget what was loaded from what the statements of a block write to."""
        for buffer in dict.fromkeys(uses.all_written(block)):
            self.written(buffer)

    @contextmanager
    def each(
        self,
        count: Operand | int,
        mode: str = "vector",
        reductions: list | None = None,
        work: float = 1.0,
        flags: Buffer | None = None,
    ) -> Iterator[Var]:
        """A loop of independent trips.

        Args:
            reductions: filled in the body with what `reduction` gives.
            flags: of one in order, see `ir.Each`.
        """
        index = Var(LONG, "i")
        with self._loop_block(ir.Each) as body:
            yield index
        self.add(ir.Each(index, self.long(count), body, mode, tuple(reductions or ()), work, flags))

    def announce(self, flags: Buffer, index: Operand | int) -> None:
        """Let later trips know what was stored; see `ir.Announce`."""
        self.add(ir.Announce(flags, self.long(index)))

    def await_(self, flags: Buffer, index: Operand | int) -> None:
        """Wait for what an earlier trip announces; see `ir.Await`. Nothing that was loaded before
        is known after it."""
        self.add(ir.Await(flags, self.long(index)))
        for scope in self._scopes:
            scope.loads = {}

    @staticmethod
    def reduction(combine: str, value: Operand, start: Any, name: str | None = None):
        """A reduction of the values of an `each`, to be put into its list; ``.out`` is the
        result."""
        return ir.Reduction(Var(value.dtype, name), combine, Number(start, value.dtype), value)

    def for_(
        self,
        count: Operand | int,
        init: Sequence[Operand],
        body: Callable[..., Sequence[Operand]],
        names: Sequence[str | None] = (),
        freed: tuple[int | None, int | Operand] | None = None,
    ) -> tuple[Var, ...]:
        """A loop in order.

        Args:
            body: called once, with the index and the state, to add the statements of a trip; it
                returns the next state.
            freed: see `ir.Freed`: which of the state is ``newest``, and ``nbytes``.

        Returns:
            The last state.
        """
        names = names or [None] * len(init)
        index = Var(LONG, "i")
        state = tuple(Var(x.dtype, name) for x, name in zip(init, names))
        with self._loop_block(ir.For) as block:
            following = tuple(body(index, *state))
        results = tuple(Var(x.dtype, name) for x, name in zip(init, names))
        given = self.long(count), block, state, tuple(init), following, results
        self.add(ir.For(index, *given, _freed(following, freed)))
        return results

    def while_(
        self,
        init: Sequence[Operand],
        test: Callable[..., Operand],
        body: Callable[..., Sequence[Operand]],
        names: Sequence[str | None] = (),
        freed: tuple[int | None, int | Operand] | None = None,
        brief: bool = False,
    ) -> tuple[Var, ...]:
        """A loop with a test before each trip; see `for_`, and for ``brief`` `ir.While`."""
        names = names or [None] * len(init)
        state = tuple(Var(x.dtype, name) for x, name in zip(init, names))
        with self._loop_block(ir.While) as before:
            condition = test(*state)
        with self._loop_block(ir.While) as block:
            following = tuple(body(*state))
        results = tuple(Var(x.dtype, name) for x, name in zip(init, names))
        given = block, state, tuple(init), following, results
        self.add(ir.While(before, condition, *given, _freed(following, freed), brief))
        return results

    def if_(
        self,
        condition: Operand,
        then: Callable[[], Sequence[Operand]],
        orelse: Callable[[], Sequence[Operand]] = lambda: (),
        names: Sequence[str | None] = (),
    ) -> tuple[Operand, ...]:
        """A conditional: the results of one of two functions, which add statements."""
        if isinstance(condition, Number):
            return tuple(then() if condition.value else orelse())
        with self.block() as yes:
            then_results = tuple(then())
        with self.block() as no:
            else_results = tuple(orelse())
        names = names or [None] * len(then_results)
        results = tuple(Var(x.dtype, name) for x, name in zip(then_results, names))
        self.add(ir.If(condition, yes, no, results, then_results, else_results))
        return results


def _freed(
    following: Sequence[Operand], freed: tuple[int | None, int | Operand] | None
) -> ir.Freed | None:
    if freed is None:
        return None
    position, nbytes = freed
    return ir.Freed(None if position is None else following[position], nbytes)


def _identity(operand: Operand) -> Any:
    """What tells an operand from others: of a number, its bits."""
    return (operand.dtype, operand.value.tobytes()) if type(operand) is Number else operand


@contextmanager
def block_apart(name: str) -> Iterator[tuple[KernelBuilder, Block]]:
    """A builder, and the block that it fills: statements for a kernel that is there already."""
    builder = KernelBuilder(name)
    try:
        with builder.block() as block:
            yield builder, block
    finally:
        builder.close()


def flat_index(index: Sequence[Operand | int], shape: Sequence[int]) -> Operand:
    """The number of an element of a C-contiguous array."""
    return ir.current().flat_index(index, shape)


def split_index(flat: Operand, shape: Sequence[int]) -> tuple[Operand, ...]:
    """The index of the element with a number in a C-contiguous array: undone by `flat_index`."""
    builder = current()
    index = [builder.long(0)] * len(shape)
    axes = [axis for axis, n in enumerate(shape) if n != 1]
    for axis in reversed(axes):
        if axis == axes[0]:
            index[axis] = flat
        else:
            length = builder.long(shape[axis])
            index[axis] = builder.compute("rest", flat, length)
            flat = builder.compute("quotient", flat, length)
    return tuple(index)
