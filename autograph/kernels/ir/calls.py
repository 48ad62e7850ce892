"""The statements of the kernel IR that run code which is not the kernel's own: products by the BLAS
library, routines, loops and functions of NumPy's, and functions of Python's.

Each says what it is given, what it changes, and about how long it runs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace

from autograph.kernels.ir.operands import Buffer, Operand
from ops.core.records import dataclass


@dataclass(eq=False)
class Multiply:
    """``c = alpha * a @ b + beta * c`` for matrices in buffers, with ``c`` of ``rows`` times
    ``columns`` and ``inner`` the length that is summed over.

    ``a`` starts at element ``a_start``, its rows ``a_stride`` elements apart; with
    ``a_transposed`` it is stored as its transpose. The same for ``b`` and ``c``, which is never
    transposed. float32 or float64. The starts are operands, and so are lengths, strides and steps
    known only at run time.

    ``batch`` such products are independent of each other: the matrices of each start ``a_step``,
    ``b_step`` and ``c_step`` elements after those of the one before. The steps of ``a`` and ``b``
    may be 0.
    """

    a: Buffer
    b: Buffer
    c: Buffer
    rows: int | Operand
    columns: int | Operand
    inner: int | Operand
    a_start: Operand
    b_start: Operand
    c_start: Operand
    a_stride: int | Operand
    b_stride: int | Operand
    c_stride: int | Operand
    a_transposed: bool = False
    b_transposed: bool = False
    alpha: float = 1.0
    beta: float = 0.0
    batch: int | Operand = 1
    a_step: int | Operand = 0
    b_step: int | Operand = 0
    c_step: int | Operand = 0

    multiplications: int = 0  # of one product; about how many where only the run knows

    def __post_init__(self) -> None:
        if not self.multiplications:
            known = [n for n in (self.rows, self.columns, self.inner) if isinstance(n, int)]
            self.multiplications = math.prod(known)

    @property
    def work(self) -> float:
        """About how long one product of the batch takes, in nanoseconds."""
        return self.multiplications * 0.05

    @property
    def known_batch(self) -> int:
        """How many products there are; 1 if known only at run time."""
        return self.batch if isinstance(self.batch, int) else 1

    def measures(self) -> tuple[int | Operand, ...]:
        """Lengths, strides and steps."""
        strides = (self.a_stride, self.b_stride, self.c_stride)
        steps = (self.batch, self.a_step, self.b_step, self.c_step)
        return (self.rows, self.columns, self.inner, *strides, *steps)

    def with_measures(self, numbers: Iterable[int]) -> Multiply:
        """The same product with numbers as lengths, strides and steps."""
        rows, columns, inner, a_stride, b_stride, c_stride, batch, a, b, c = map(int, numbers)
        return replace(
            self,
            rows=rows,
            columns=columns,
            inner=inner,
            a_stride=a_stride,
            b_stride=b_stride,
            c_stride=c_stride,
            batch=batch,
            a_step=a,
            b_step=b,
            c_step=c,
        )


@dataclass(eq=False)
class RoutineCall:
    """Run a routine, which gives up or runs out of memory for the kernel that calls it.

    Attributes:
        routine: its name in `Kernel.routines`.
        given: its inputs: scalars, and for each buffer where it starts, a buffer and the number of
            an element.
        results: memory for its outputs, which is no memory that it is given. What an output is for
            that the routine changes has its contents before.
        work: about how long it runs, in nanoseconds.
        changed: records that it may change, whose addresses are among what it is given.
    """

    routine: str
    given: tuple[Operand | tuple[Buffer, Operand], ...]
    results: tuple[Buffer, ...]
    work: float = 1.0
    changed: tuple[Buffer, ...] = ()


@dataclass(eq=False)
class InnerLoopCall:
    """Run the loop of a generalised ufunc of NumPy's, which raises MemoryError for the kernel if it
    finds no memory.

    Attributes:
        ufunc: its name, with that of its module.
        types: the characters of the dtypes of operands and results, which tell the loop.
        operands: where each starts: a buffer and the number of an element. Complex numbers are two
            elements.
        results: the same of the results, which are no memory that is read.
        changed: the positions of operands to which it writes, too.
        lengths: how many times it computes what it does, and then the lengths of the core axes, in
            the order in which the ufunc's signature names them.
        steps: in bytes, from time to time, of each operand and result; then along their core axes.
        fails: whether the kernel gives up where the loop says that an operation was invalid.
        work: about how long it runs, in nanoseconds.
    """

    ufunc: str
    types: str
    operands: tuple[tuple[Buffer, Operand], ...]
    results: tuple[tuple[Buffer, Operand], ...]
    lengths: tuple[int | Operand, ...]
    steps: tuple[int | Operand, ...]
    fails: bool = False
    work: float = 1.0
    changed: tuple[int, ...] = ()

    @property
    def symbol(self) -> str:
        """The name of the loop in machine code."""
        return f"loop_of.{self.ufunc}.{self.types}"

    @property
    def written(self) -> tuple[Buffer, ...]:
        """The buffers to which it writes."""
        places = (*(self.operands[k] for k in self.changed), *self.results)
        return tuple(buffer for buffer, _ in places)


@dataclass(eq=False)
class SortCall:
    """Put elements in order where they are, or the numbers of their places, by the function that
    NumPy has for it: what is not defined, as the order of equal elements, is what it is there.

    Attributes:
        kind: the algorithm: "quick", "heap" or "stable", or what
            `autograph.kernels.ir.partitions` makes of the places of a partition.
        values: where the elements start: a buffer and the number of an element.
        places: where their numbers are, if these are put in order and the elements stay: int64,
            from 0 on before, or anything if it is a partition.
        count: how many there are.
        work: about how long it runs, in nanoseconds.
    """

    kind: str
    values: tuple[Buffer, Operand]
    places: tuple[Buffer, Operand] | None
    count: int | Operand
    work: float = 1.0

    @property
    def symbol(self) -> str:
        """The name of the function in machine code."""
        name = "sort" if self.places is None else "argsort"
        return f"{name}_of.{self.kind}.{self.values[0].dtype.name}"

    @property
    def starts(self) -> tuple[tuple[Buffer, Operand], ...]:
        """The memory that it is given, with what it changes last."""
        return (self.values,) if self.places is None else (self.values, self.places)


@dataclass(eq=False)
class PythonCall:
    """Call a function of Python's, which computes something, or has an effect. What it raises, the
    kernel raises.

    Attributes:
        function: its name; who runs the kernel knows it.
        given: its arguments: scalars, and where arrays start, a buffer and the number of an
            element. It reads no more of these after it has returned.
        results: where what it computes goes: memory that it is not given.
        work: about how long it runs, in nanoseconds.
    """

    function: str
    given: tuple[Operand | tuple[Buffer, Operand], ...]
    results: tuple[tuple[Buffer, Operand], ...] = ()
    work: float = 1000.0

    @property
    def symbol(self) -> str:
        """The name of the function in machine code. There are fewer letters for that."""
        plain = re.sub(r"[^A-Za-z0-9_]", lambda found: f".{ord(found[0]):x}.", self.function)
        return f"function_of.{plain}"


@dataclass(eq=False)
class Draw:
    """Draw from a generator of random numbers; see `autograph.kernels.ir.draws`.

    Attributes:
        function: of NumPy's in C, which gives one number; one for which `draws.is_filling` writes
            several. "" for numbers from 0 to 1.
        source: where the words of the state are, which it changes, a buffer and the number of an
            element; or of a generator from outside, the address of its ``bitgen_t``, or its number
            as long as that is not known, see `autograph.kernels.ir.generators`.
        given: the operands of the function.
        result: where what is drawn goes.
        work: about how long it runs, in nanoseconds.
    """

    function: str
    source: tuple[Buffer, Operand] | Operand | int
    given: tuple[Operand, ...]
    result: tuple[Buffer, Operand]
    work: float = 10.0
