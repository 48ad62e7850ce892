"""Running kernels in Python, one statement at a time: slow, and simple enough to be believed.

The printers are held to this.
"""

from __future__ import annotations

import bisect
import dataclasses
import warnings
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from autograph.kernels.ir import draws, ir, partitions
from autograph.kernels.ir.ir import Block, Buffer, Number, Operand, Var
from ops.core.inner_loops import core_axes, ufunc_named
from ops.core.kernels import FUNCTIONS
from ops.core.symbolic_lengths import is_symbolic
from ops.random import numpy_streams

_INFIX: dict[str, Callable] = {
    "+": np.add,
    "-": lambda x, *y: np.subtract(x, *y) if y else np.negative(x),
    "*": np.multiply,
    "/": np.divide,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "~": np.invert,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "min": np.minimum,
    "max": np.maximum,
    "isnan": np.isnan,
}
_CHECKED = {
    "add_checked": int.__add__,
    "subtract_checked": int.__sub__,
    "multiply_checked": int.__mul__,
}


class GaveUp(Exception):
    """A check of the kernel failed."""


def interpret(
    kernel: ir.Kernel,
    inputs: Sequence[Any],
    outputs: Sequence[np.ndarray],
    python: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
) -> dict[int, np.ndarray]:
    """Run a kernel.

    Args:
        inputs: arrays, which are read in C order, and numbers.
        outputs: C-contiguous arrays to be filled.
        python: the functions that it calls, by name. Of an array, and of what a result goes to,
            they are given all elements of memory from the first one on.

    Returns:
        The memory that is the caller's, as bytes, by its address.

    Raises:
        GaveUp: a check failed.
        IndexError: an index lies outside of a buffer, which is an error of the kernel.
    """
    run = _Run(kernel.functions, kernel.routines, python)
    for parameter, value in zip(kernel.inputs, inputs):
        if isinstance(parameter, Var):
            run.values[parameter] = parameter.dtype.type(value)
        else:
            run.memory[parameter] = np.ascontiguousarray(value, parameter.dtype).reshape(-1)
    for buffer, array in zip(kernel.outputs, outputs):
        run.memory[buffer] = array.reshape(-1)
        assert array.flags.c_contiguous
        assert is_symbolic([buffer.size]) or array.size == buffer.size
    for given, written in kernel.shared:
        run.memory[given] = run.memory[written]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run.block(kernel.body)
    return run.for_caller


def evaluate(s: ir.Compute, operands: Sequence[Any]) -> Any:
    """The result of a computation.

    Raises:
        GaveUp: a checked operation overflows.
    """
    result: Any
    if s.function in _CHECKED:
        result = _CHECKED[s.function](*map(int, operands))
        if not -(2**63) <= result < 2**63:
            raise GaveUp(s)
    elif s.function == "cast":
        result = np.asarray(operands[0]).astype(s.out.dtype)[()]
    else:
        result = (_INFIX.get(s.function) or FUNCTIONS[s.function])(*operands)
    return np.asarray(result).astype(s.out.dtype)[()]


class _Run:
    def __init__(
        self,
        functions: Mapping[str, ir.ScalarFunction],
        routines: Mapping[str, ir.Kernel],
        python: Mapping[str, Callable[..., Any]],
    ) -> None:
        self.functions = functions
        self.routines = routines
        self.python = python
        self.values: dict[Operand, Any] = {}
        self.memory: dict[Buffer, np.ndarray] = {}
        self.arena: list[np.ndarray] = []  # bytes
        self.addresses: list[int] = []  # of these, ascending
        self.next_address = 64
        self.for_caller: dict[int, np.ndarray] = {}

    def value(self, operand: Operand) -> Any:
        return operand.value if isinstance(operand, Number) else self.values[operand]

    def elements(self, buffer: Buffer) -> np.ndarray:
        if buffer.base is not None:
            address = int(self.value(buffer.base))
            place = bisect.bisect(self.addresses, address) - 1
            start = address - self.addresses[place] if place >= 0 else 0
            if place < 0 or start >= len(self.arena[place]):
                raise IndexError(f"no memory was reserved at {address}")
            start += buffer.offset
            known = not is_symbolic([buffer.size])
            end = start + buffer.nbytes if known else len(self.arena[place])
            return self.arena[place][start:end].view(buffer.dtype)
        if buffer.data is not None:
            return buffer.data
        if buffer not in self.memory:
            if buffer.kind != "temporary":
                raise KeyError(buffer)
            self.memory[buffer] = self._garbage(buffer)
        return self.memory[buffer]

    @staticmethod
    def _garbage(buffer: Buffer) -> np.ndarray:
        return np.frombuffer(bytearray(b"\xab" * buffer.nbytes), buffer.dtype)

    def block(self, block: Block) -> None:
        for statement in block:
            getattr(self, f"_{type(statement).__name__.lower()}")(statement)

    def _compute(self, s: ir.Compute) -> None:
        operands = [self.value(x) for x in s.operands]
        if s.function in self.functions:
            function = self.functions[s.function]
            self.values.update(zip(function.parameters, operands))
            self.block(function.body)
            self.values[s.out] = self.value(function.result)
        else:
            self.values[s.out] = evaluate(s, operands)

    def _position(self, buffer: Buffer, index: Operand) -> int:
        position = int(self.value(index))
        size = len(self.elements(buffer)) if is_symbolic([buffer.size]) else buffer.size
        if not 0 <= position < size:
            raise IndexError(f"element {position} of {buffer}")
        return position

    def _load(self, s: ir.Load) -> None:
        self.values[s.out] = self.elements(s.buffer)[self._position(s.buffer, s.index)]

    def _store(self, s: ir.Store) -> None:
        self.elements(s.buffer)[self._position(s.buffer, s.index)] = self.value(s.value)

    def _local(self, s: ir.Local) -> None:
        self.memory[s.buffer] = self._garbage(s.buffer)

    def _bind(self, targets: Sequence[Var], operands: Sequence[Operand]) -> None:
        for target, value in zip(targets, [self.value(x) for x in operands]):
            self.values[target] = value

    def _for(self, s: ir.For) -> None:
        self._bind(s.state, s.init)
        for i in range(int(self.value(s.count))):
            self.values[s.index] = np.int64(i)
            self.block(s.body)
            self._bind(s.state, s.following)
        self._bind(s.results, s.state)

    def _while(self, s: ir.While) -> None:
        self._bind(s.state, s.init)
        while True:
            self.block(s.test)
            if not self.value(s.condition):
                break
            self.block(s.body)
            self._bind(s.state, s.following)
        self._bind(s.results, s.state)

    def _if(self, s: ir.If) -> None:
        if self.value(s.condition):
            self.block(s.then)
            self._bind(s.results, s.then_results)
        else:
            self.block(s.orelse)
            self._bind(s.results, s.else_results)

    def _each(self, s: ir.Each) -> None:
        totals = [r.start.value for r in s.reductions]
        if s.flags is not None:
            self.elements(s.flags)[:] = 0
        for i in range(int(self.value(s.count))):
            self.values[s.index] = np.int64(i)
            self.block(s.body)
            totals = [
                np.asarray(_INFIX[r.combine](total, self.value(r.value))).astype(r.out.dtype)[()]
                for r, total in zip(s.reductions, totals)
            ]
        for r, total in zip(s.reductions, totals):
            self.values[r.out] = total

    def _announce(self, s: ir.Announce) -> None:
        position = self._position(s.flags, s.index)
        assert position > 0 and not self.elements(s.flags)[position]
        self.elements(s.flags)[position] = 1

    def _await(self, s: ir.Await) -> None:
        assert self.elements(s.flags)[self._position(s.flags, s.index)] == 1, "waits in vain"

    def _check(self, s: ir.Check) -> None:
        if not self.value(s.condition):
            raise GaveUp(s)

    def _reserve(self, s: ir.Reserve) -> None:
        size = int(self.value(s.size))
        assert size % 8 == 0 or s.for_caller
        self.values[s.out] = np.int64(self.next_address)
        self.addresses.append(self.next_address)
        self.arena.append(np.full(size, 0xAB, np.uint8))
        if s.for_caller:
            self.for_caller[self.next_address] = self.arena[-1]
        self.next_address += -(-size // 64) * 64 + 64

    def _keep(self, s: ir.Keep) -> None:
        for (address, _), out in zip(s.pieces, s.outs):
            self.values[out] = self.value(address)

    def _routinecall(self, s: ir.RoutineCall) -> None:
        routine = self.routines[s.routine]
        run = _Run(routine.functions, self.routines, self.python)
        run.arena, run.addresses, run.next_address = self.arena, self.addresses, self.next_address
        for parameter, given in zip(routine.inputs, s.given):
            if isinstance(parameter, Var) and isinstance(given, Operand):
                run.values[parameter] = self.value(given)
            elif isinstance(parameter, Buffer) and isinstance(given, tuple):
                buffer, start = given
                first = int(self.value(start))
                elements = self.elements(buffer)[first : first + parameter.size]
                assert elements.size == parameter.size and elements.dtype == parameter.dtype
                run.memory[parameter] = elements
        for position, (buffer, result) in enumerate(zip(routine.outputs, s.results)):
            assert result.size == buffer.size and result.dtype == buffer.dtype
            if position not in routine.changed:
                self.memory[result] = self._garbage(result)
            run.memory[buffer] = self.elements(result)
        run.block(routine.body)
        self.next_address = run.next_address

    def _innerloopcall(self, s: ir.InnerLoopCall) -> None:
        ufunc = ufunc_named(s.ufunc)
        names = core_axes(ufunc)
        lengths, steps = ([*map(self._known, x)] for x in (s.lengths, s.steps))
        known = dict(zip(dict.fromkeys(n for axes in names for n in axes), lengths[1:]))
        along = iter(steps[len(names) :])
        views = []
        for (buffer, start), type_, axes, step in zip(
            (*s.operands, *s.results), s.types, names, steps
        ):
            elements = self.elements(buffer)[int(self.value(start)) :]
            shape = (lengths[0], *(known[n] for n in axes))
            strides = (step, *(next(along) for _ in axes))
            end = sum((n - 1) * abs(m) for n, m in zip(shape, strides)) + np.dtype(type_).itemsize
            assert end <= elements.nbytes
            found = np.frombuffer(elements, type_, count=1)
            views.append(np.lib.stride_tricks.as_strided(found, shape, strides))
        count = ufunc.nin
        signature = f"{s.types[:count]}->{s.types[count:]}"
        with np.errstate(invalid="raise" if s.fails else "ignore"):
            try:
                ufunc(*views[:count], out=tuple(views[count:]), signature=signature)
            except FloatingPointError:
                raise GaveUp(s) from None

    def _sortcall(self, s: ir.SortCall) -> None:
        count = self._known(s.count)
        found = [self.elements(buffer)[int(self.value(start)) :] for buffer, start in s.starts]
        assert all(len(elements) >= count for elements in found)
        values, kind = found[0][:count], {"stable": s.kind}.get(s.kind, f"{s.kind}sort")
        options: Any = {"kind": kind}
        if partitions.is_kind(s.kind):
            kth = partitions.places_of(s.kind)
            if s.places is None:
                values.partition(kth)
            else:
                found[1][:count] = np.argpartition(values, kth)
        elif s.places is None:
            values.sort(**options)
        else:
            assert np.array_equal(found[1][:count], np.arange(count))
            found[1][:count] = np.argsort(values, **options)

    def _pythoncall(self, s: ir.PythonCall) -> None:
        given = [
            self.elements(x[0])[int(self.value(x[1])) :] if isinstance(x, tuple) else self.value(x)
            for x in (*s.given, *s.results)
        ]
        self.python[s.function](*given)

    def _draw(self, s: ir.Draw) -> None:
        words = None
        if isinstance(s.source, tuple):
            words = self.elements(s.source[0])[int(self.value(s.source[1])) :][:6]
            generator = numpy_streams.generator_of(words)
        else:
            assert isinstance(s.source, int)  # no kernel is given places here
            generator = numpy_streams.generator_numbered(s.source)
        buffer, start = s.result
        found = draws.from_python(
            generator, s.function, list(map(self.value, s.given)), buffer.dtype
        )
        if words is not None:
            words[:] = numpy_streams.words_of(generator)
        count = np.size(found)
        self.elements(buffer)[int(self.value(start)) :][:count] = found

    def _known(self, length: int | Operand) -> int:
        return length if isinstance(length, int) else int(self.value(length))

    def _multiply(self, s: ir.Multiply) -> None:
        rows, columns, inner, a, b, c, batch, *steps = map(self._known, s.measures())
        s = dataclasses.replace(s, rows=rows, columns=columns, inner=inner)
        s = dataclasses.replace(s, a_stride=a, b_stride=b, c_stride=c)
        s = dataclasses.replace(s, a_step=steps[0], b_step=steps[1], c_step=steps[2])
        for number in range(batch):
            self._multiply_one(s, number)

    def _multiply_one(self, s: ir.Multiply, number: int) -> None:
        def matrix(buffer, start, step, rows, columns, stride):
            elements = self.elements(buffer)[int(self.value(start)) + number * step :]
            item = elements.itemsize
            shape, strides = (rows, columns), (stride * item, item)
            assert (rows - 1) * stride + columns <= len(elements) or not rows * columns
            return np.lib.stride_tricks.as_strided(elements, shape, strides)

        inner, rows, columns = s.inner, s.rows, s.columns
        a_shape = (inner, rows) if s.a_transposed else (rows, inner)
        b_shape = (columns, inner) if s.b_transposed else (inner, columns)
        a = matrix(s.a, s.a_start, s.a_step, *a_shape, s.a_stride)
        b = matrix(s.b, s.b_start, s.b_step, *b_shape, s.b_stride)
        c = matrix(s.c, s.c_start, s.c_step, rows, columns, s.c_stride)
        product = (a.T if s.a_transposed else a) @ (b.T if s.b_transposed else b)
        c[...] = s.alpha * product + (s.beta * c if s.beta else 0)
