"""A kernel as a function of C."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograph.kernels.cuda.expressions import CALLED, CExpression, ExpressionPrinter, number
from autograph.kernels.cuda.helpers import ctype
from autograph.kernels.cuda.names import ScopedNames
from autograph.kernels.cuda.ranges import of_dtype
from autograph.kernels.cuda.statements import CudaStatements
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Var
from autograph.kernels.ir.reserved import ALIGNMENT, bytes_reserved

# CUDA's own functions, as C that compilers know by heart.
_INTRINSICS = {
    "__int_as_float": "float_of_bits",
    "__longlong_as_double": "double_of_bits",
    "__float_as_int": "bits_of_float",
    "__double_as_longlong": "bits_of_double",
    "__mul64hi": "high_of_product",
    "__popcll": "count_bits",
    "__popc": "count_bits",
    "__float2int_rz": "truncated",
    "__double2int_rz": "truncated",
    "__float2ll_rz": "truncated_long",
    "__double2ll_rz": "truncated_long",
    "__float2ull_rz": "(uint64)",
    "__double2ull_rz": "(uint64)",
}
_DEFINED = {
    "float_of_bits": """\
static inline float float_of_bits(uint32 bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
""",
    "double_of_bits": """\
static inline double double_of_bits(uint64 bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
""",
    "bits_of_float": """\
static inline int bits_of_float(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
""",
    "bits_of_double": """\
static inline int64 bits_of_double(double x)
{
    int64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
""",
    "high_of_product": """\
static inline int64 high_of_product(int64 x, int64 y)
{
    const uint64 a = (uint64)x >> 32, b = (uint32)x, c = (uint64)y >> 32, d = (uint32)y;
    const uint64 middle = a * d + (b * d >> 32), other = b * c + (uint32)middle;
    const uint64 high = a * c + (middle >> 32) + (other >> 32);
    return (int64)(high - (x < 0 ? (uint64)y : 0) - (y < 0 ? (uint64)x : 0));
}
""",
    "count_bits": """\
static inline int count_bits(uint64 x)
{
    int count = 0;
    for (; x != 0; x &= x - 1) count++;
    return count;
}
""",
    "truncated": """\
static inline int truncated(double x)
{
    return x > -2147483649.0 && x < 2147483648.0 ? (int)x : -2147483647 - 1;
}
""",
    "truncated_long": """\
static inline int64 truncated_long(double x)
{
    const double edge = 9223372036854775808.0;
    return x >= -edge && x < edge ? (int64)x : -9223372036854775807LL - 1;
}
""",
}
_CALLED_INTRINSICS = re.compile(rf"\b({'|'.join(_INTRINSICS)})\b")


@dataclass(frozen=True)
class CFunction:
    """A function of C.

    Attributes:
        name: what it is called.
        text: its definition, with what it calls.
        declaration: without a semicolon.
        reserved: how many bytes of memory it may reserve.
    """

    name: str
    text: str
    declaration: str
    reserved: int


def print_c(
    kernel: ir.Kernel, name: str, constants: Mapping[int, np.ndarray], memory: int = 0
) -> CFunction:
    """A kernel as a function of C, which returns 0, or 1 where the kernel gives up, or 2 where
    there is no more memory.

    Args:
        kernel: without routines.
        name: of the function.
        constants: inputs that are tables in the text, by their positions.
        memory: how many bytes the function may reserve, if only the run knows how many it needs.

    Raises:
        UnsupportedFunctionError: it reserves memory, and may not; or it returns an array of which
            only the run knows how long it is.
        NotImplementedError: it calls a function that C does not have.
    """
    return _Printer(kernel, name, constants, bytes_reserved(kernel, memory)).function()


def declared(kernel: ir.Kernel, name: str, constants: Collection[int]) -> str:
    """The declaration of a function of C, without a semicolon; see `print_c`."""
    tables = dict.fromkeys(constants, np.zeros(0))
    return _Printer(kernel, name, tables, 0).declaration


class _Printer(CudaStatements):
    """Prints a kernel."""

    def __init__(
        self, kernel: ir.Kernel, name: str, constants: Mapping[int, np.ndarray], memory: int
    ):
        taken = CALLED | frozenset(_DEFINED) | {"memcpy", "memory", "used", name}
        super().__init__(ExpressionPrinter(), ScopedNames(taken), list(kernel.body))
        self._kernel = kernel
        self._name = name
        # What is reserved first starts at 8, for 0 is nowhere.
        self._room = -(-memory // ALIGNMENT) * ALIGNMENT + ALIGNMENT
        self._reserves = any(isinstance(s, ir.Reserve) for s in ir.walk(kernel.body))
        self._pointers: dict[Buffer, str] = {}
        self._tables: list[str] = []
        self._statics: list[str] = []
        self._products: dict[str, str] = {}
        self._shared = {output: given for given, output in kernel.shared}
        self.parameters = self._declared(constants)

    @property
    def declaration(self) -> str:
        """What the function is, without a semicolon."""
        return f"int {self._name}({', '.join(self.parameters) or 'void'})"

    def _declared(self, constants: Mapping[int, np.ndarray]) -> list[str]:
        found = []
        for position, given in enumerate(self._kernel.inputs):
            if position in constants:
                assert isinstance(given, Buffer)
                self._table(given, constants[position])
            elif isinstance(given, Var):
                name = self.names.new(given.name, "x", root=True)
                wide = given.dtype == ir.LONG
                interval = of_dtype(given.dtype) if given.dtype.kind in "iub" else None
                self.bind(given, CExpression(name, interval=interval, wide=wide))
                found.append(f"{ctype(given.dtype)} {name}")
            else:
                name = self._pointers[given] = self.names.new(given.name, "x", root=True)
                found.append(f"const {ctype(given.dtype)} {name}[{max(given.size, 1)}]")
        for output in self._kernel.outputs:
            name = self._pointers[output] = self.names.new(output.name, "result", root=True)
            found.append(f"{ctype(output.dtype)} {name}[{max(output.size, 1)}]")
        return found

    def _table(self, buffer: Buffer, data: np.ndarray) -> str:
        name = self._pointers[buffer] = self.names.new(buffer.name, "table", root=True)
        numbers = [number(x).text for x in np.ravel(data)]
        rows = [", ".join(numbers[i : i + 6]) for i in range(0, len(numbers), 6)]
        inside = ",\n    ".join(rows) or "0"
        self._tables.append(
            f"static const {ctype(buffer.dtype)} {name}[{max(buffer.size, 1)}] = "
            f"{{\n    {inside}\n}};\n"
        )
        return name

    def function(self) -> CFunction:
        """The function."""
        declaration = self.declaration
        for output, given in self._shared.items():
            self._pointers[given] = self._pointers[output]
        if self._reserves:
            self.line(f"int64 used = {ALIGNMENT};  // 0 is nowhere")
        self.statements(list(self._kernel.body))
        self.line("return 0;")
        if self._reserves:
            self._statics.append(f"static double memory[{self._room // 8}];  // what loops keep\n")
        parts = [
            *self.expressions.used.values(),
            *self._products.values(),
            *self._tables,
            *self._statics,
            declaration + "\n{\n" + "\n".join(self.lines) + "\n}\n",
        ]
        text = "\n".join(parts).replace("static __device__ inline", "static inline")
        found = dict.fromkeys(_CALLED_INTRINSICS.findall(text))
        text = _CALLED_INTRINSICS.sub(lambda m: _INTRINSICS[m[1]], text)
        defined = [_DEFINED[n] for n in dict.fromkeys(map(_INTRINSICS.get, found)) if n in _DEFINED]
        text = "\n".join([*defined, text])
        return CFunction(self._name, text, declaration, self._room if self._reserves else 0)

    # -- memory ------------------------------------------------------------------------------------

    def pointer(self, buffer: Buffer) -> str:
        if buffer not in self._pointers:
            if buffer.kind == "constant":
                assert buffer.data is not None
                return self._table(buffer, buffer.data)
            name = self._pointers[buffer] = self.names.new(buffer.name, "buffer", root=True)
            size = max(buffer.size, 1)
            self._statics.append(f"static {ctype(buffer.dtype)} {name}[{size}];\n")
        return self._pointers[buffer]

    def record(self, buffer: Buffer, index: str) -> str:
        assert buffer.base is not None
        start = self.operand(buffer.base).within(80)
        start = f"{start} + {buffer.offset}" if buffer.offset else start
        return f"(({ctype(buffer.dtype)} *)((char *)memory + {start}))[{index}]"

    def reserve(self, s: ir.Reserve) -> None:
        size = self.operand(s.size)
        name = self.names.new(s.out.name, "start")
        self.line(f"if ({size.within(80)} > {self._room} - used) return 2;")
        self.line(f"const int64 {name} = used;")
        self.line(f"used += ({size.within(80)} + {ALIGNMENT - 1}) / {ALIGNMENT} * {ALIGNMENT};")
        self.bind(s.out, CExpression(name, interval=of_dtype(ir.LONG), wide=True))

    def give_up(self) -> str:
        return "return 1;"

    # -- loops -------------------------------------------------------------------------------------

    def each(self, s: ir.Each) -> None:
        totals = []
        for r in s.reductions:
            name = self.names.new(r.out.name, "total")
            self.line(f"{ctype(r.out.dtype)} {name} = {number(r.start.value).text};")
            totals.append(name)
        with self.loop(s.index, self.operand(s.count), "0", "++"):
            self.block(s.body)
            for r, name in zip(s.reductions, totals):
                interval = of_dtype(r.out.dtype) if r.out.dtype.kind in "iub" else None
                total = CExpression(name, interval=interval, wide=r.out.dtype == ir.LONG)
                both = (total, self.operand(r.value))
                dtype = r.out.dtype
                combined = self.expressions.compute(r.combine, dtype, dtype, both)
                self.line(f"{name} = {combined.text};")
        for r, name in zip(s.reductions, totals):
            self.bind_variable(r.out, name)

    def unroll(self, s: ir.For | ir.Each) -> None:
        """That is the compiler's to say."""

    def statements(self, statements: Sequence[ir.Statement], block: int = 0) -> None:
        plain: list[ir.Statement] = []
        for s in statements:
            if isinstance(s, ir.Multiply):
                super().statements(plain, block)
                plain = []
                self._multiply(s)
            else:
                plain.append(s)
        super().statements(plain, block)

    def _multiply(self, s: ir.Multiply) -> None:
        c = ctype(s.c.dtype)
        name = f"multiply_{s.c.dtype.name}"
        self._products.setdefault(name, _PRODUCT.replace("NAME", name).replace("TYPE", c))
        starts = [self.operand(x).text for x in (s.a_start, s.b_start, s.c_start)]
        pointers = [self.pointer_or_local(x) for x in (s.a, s.b, s.c)]
        steps = (s.a_step, s.b_step, s.c_step)
        across = [(s.a_stride, 1), (s.b_stride, 1)]
        (ai, ak), (bk, bj) = across
        if s.a_transposed:
            ai, ak = ak, ai
        if s.b_transposed:
            bk, bj = bj, bk
        alpha, beta = (number(s.c.dtype.type(x)).text for x in (s.alpha, s.beta))

        def call(offsets: Sequence[str]) -> str:
            places = ", ".join(
                f"{pointer} + {start}{offset}"
                for pointer, start, offset in zip(pointers, starts, offsets)
            )
            sizes = f"{s.rows}, {s.columns}, {s.inner}, {ai}, {ak}, {bk}, {bj}, {s.c_stride}"
            return f"{name}({places}, {sizes}, {alpha}, {beta});"

        if s.batch == 1:
            self.line(call(("", "", "")))
            return
        index = self.names.new(None, "i")
        with self.braces(f"for (int {index} = 0; {index} < {s.batch}; {index}++)"):
            self.line(call([f" + {index} * {step}" if step else "" for step in steps]))

    def pointer_or_local(self, buffer: Buffer) -> str:
        """The C name of a buffer."""
        return self._locals.get(buffer) or self.pointer(buffer)


_PRODUCT = """\
// c = alpha * a @ b + beta * c; neighbours in a row and in a column are so many elements apart.
static void NAME(const TYPE *a, const TYPE *b, TYPE *c, int rows, int columns, int inner,
                 int a_row, int a_column, int b_row, int b_column, int c_row, TYPE alpha, TYPE beta)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            TYPE total = 0;
            for (int k = 0; k < inner; k++)
                total += a[i * a_row + k * a_column] * b[k * b_row + j * b_column];
            c[i * c_row + j] = alpha * total + (beta == 0 ? 0 : beta * c[i * c_row + j]);
        }
    }
}
"""
