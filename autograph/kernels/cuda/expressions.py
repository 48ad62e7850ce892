"""Scalars as C expressions: numbers, and each function of the IR.

Sums, products, quotients and square roots of floats are C's own: NVRTC rounds them as IEEE 754 says
and keeps denormals, and `autograph.kernels.cuda.compile` forbids it to contract them. Integers wrap
through unsigned ones, except where their intervals show that they cannot overflow. The functions of
``<math.h>`` are CUDA's, whose errors its programming guide lists. Those with more than 2 ulp
`autograph.kernels.cuda.printer` replaces; where there is nothing to replace one of float with, a
double is computed and rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from autograph.kernels.cuda import helpers, ranges
from autograph.kernels.cuda.helpers import ctype
from autograph.kernels.cuda.ranges import Interval
from autograph.kernels.ir import ir

# How tightly operators of C bind.
_ATOM, _UNARY, _TIMES, _PLUS, _SHIFT, _LESS, _EQUAL = 100, 90, 80, 70, 65, 60, 55
_AND, _XOR, _OR, _CHOICE = 50, 45, 40, 10
_INFIX = {
    "+": _PLUS,
    "-": _PLUS,
    "*": _TIMES,
    "/": _TIMES,
    "<": _LESS,
    "<=": _LESS,
    ">": _LESS,
    ">=": _LESS,
    "==": _EQUAL,
    "!=": _EQUAL,
    "&": _AND,
    "^": _XOR,
    "|": _OR,
}
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_WRAPPING = {"+": "add", "-": "subtract", "*": "multiply"}

# Called by the same name, with an f for float.
_FUNCTIONS = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs
floor fma fmod hypot ldexp log log10 log1p log2 nextafter pow rint sin sinh sqrt tan tanh trunc
"""
MATHEMATICS = frozenset(_FUNCTIONS.split())
CALLED = MATHEMATICS | {f"{name}f" for name in MATHEMATICS}

# CUDA's functions of float with an error of 3 or 4 ulp.
_IN_DOUBLE = frozenset(["tan", "sinh", "asinh", "acosh", "atanh", "atan2", "hypot", "pow", "erfc"])


@dataclass(frozen=True)
class CExpression:
    """A C expression.

    Attributes:
        level: how tightly its operator binds.
        interval: of an integer's values.
        wide: whether an int64 is one in C, rather than an int.
        reads: the variables in it that are assigned more than once.
    """

    text: str
    level: int = _ATOM
    interval: Interval | None = None
    wide: bool = False
    reads: frozenset[str] = frozenset()

    def within(self, level: int) -> str:
        """The text, in parentheses if it binds less than what is around it."""
        return self.text if self.level >= level else f"({self.text})"


def number(value: np.generic) -> CExpression:
    """A number written in C."""
    dtype = value.dtype
    if isinstance(value, np.floating):
        return _float(value)
    if dtype.kind == "b":
        return CExpression("true" if value else "false", interval=(int(value), int(value)))
    n = int(value)
    interval = (n, n)
    small = ranges.is_small(interval)
    if dtype == ir.LONG:
        if n == -(2**63):
            return CExpression("(-9223372036854775807LL - 1)", _ATOM, interval, True)
        text = str(n) if small else f"{n}LL"
        return CExpression(text, _UNARY if n < 0 else _ATOM, interval, not small)
    if n == -(2**31):
        return CExpression("(-2147483647 - 1)", _ATOM, interval)
    suffix = {"uint32": "u", "uint64": "ull"}.get(dtype.name, "")
    return CExpression(f"{n}{suffix}", _UNARY if n < 0 else _ATOM, interval)


def in_table(value: np.generic) -> str:
    """A number where only constants may stand, which functions of the device are not."""
    if isinstance(value, np.floating) and not np.isfinite(value):
        kind, bits = ("float", "u4") if value.dtype.itemsize == 4 else ("double", "u8")
        return f"__builtin_bit_cast({kind}, {value.view(bits):#x}{'LL' * (kind == 'double')})"
    return number(value).text


def _float(value: np.floating) -> CExpression:
    single = value.dtype.itemsize == 4
    if not np.isfinite(value):
        if single:
            return CExpression(f"__int_as_float({value.view('u4'):#x})")
        return CExpression(f"__longlong_as_double({value.view('u8'):#x}LL)")
    text = np.format_float_positional(value, unique=True, trim="0")
    if len(text) > 18:
        text = np.format_float_scientific(value, unique=True, trim="-")
    if single and np.float32(float(text)).tobytes() != value.tobytes():
        text = float(value).hex()  # a compiler that reads it as a double would round twice
    negative = text.startswith("-")
    return CExpression(text + ("f" if single else ""), _UNARY if negative else _ATOM)


class ExpressionPrinter:
    """Prints computations.

    Attributes:
        used: the helper functions that were called, by name, in the order of their definition.
    """

    def __init__(self) -> None:
        self.used: dict[str, str] = {}

    def compute(
        self, function: str, out: np.dtype, dtype: np.dtype, operands: Sequence[CExpression]
    ) -> CExpression:
        """``function(*operands)``.

        Args:
            out: the dtype of the result.
            dtype: of the first operand.

        Raises:
            NotImplementedError: the function is not known.
        """
        reads = frozenset().union(*(x.reads for x in operands))
        interval = self._interval(function, out, operands)
        made = self._compute(function, out, dtype, operands, interval)
        if out.kind not in "iub":
            interval = None
        return CExpression(made.text, made.level, interval, made.wide and out == ir.LONG, reads)

    def call(self, helper: tuple[str, str], *operands: CExpression) -> CExpression:
        """A call of a helper function."""
        name, text = helper
        self.used.setdefault(name, text)
        return CExpression(f"{name}({', '.join(x.text for x in operands)})", _ATOM, wide=True)

    @staticmethod
    def _interval(function, out, operands) -> Interval | None:
        """What is known of the result, an integer."""
        if out.kind not in "iub":
            return None
        every = ranges.of_dtype(out)
        if function == "cast" and operands[0].interval is not None:
            known = operands[0].interval
        elif any(x.interval is None for x in operands):
            return every
        else:
            known = ranges.exact(function, [x.interval for x in operands])
        return known if known is not None and ranges.within(known, every) else every

    def _compute(self, function, out, dtype, operands, interval) -> CExpression:
        if function == "cast":
            return self._cast(out, dtype, *operands)
        if function == "select":
            test, yes, no = operands
            text = f"{test.within(_CHOICE + 1)} ? {yes.within(_CHOICE + 1)} : {no.within(_CHOICE)}"
            return CExpression(text, _CHOICE, wide=yes.wide or no.wide)
        if function in _COMPARISONS:
            return _infix(function, *operands)
        if function in ("min", "max") and dtype.kind != "b":
            return self.call(helpers.extremum(function, dtype), *operands)
        if dtype.kind == "b":
            return _logical(function, operands)
        if dtype.kind == "f":
            return self._of_floats(function, dtype, operands)
        return self._of_integers(function, dtype, operands, interval)

    def _of_floats(self, function, dtype, operands) -> CExpression:
        single = dtype.itemsize == 4
        if function in ("+", "-", "*", "/"):
            return _infix(function, *operands) if len(operands) == 2 else _prefix("-", *operands)
        match function:
            case "isnan":
                x = operands[0].within(_EQUAL + 1)
                return CExpression(f"{x} != {x}", _EQUAL)
            case "signbit":
                bits = self._of_floats("bits", dtype, operands)
                return CExpression(f"{bits.text} < 0", _LESS)
            case "bits":
                name = "__float_as_int" if single else "__double_as_longlong"
                return CExpression(f"{name}({operands[0].text})", wide=True)
            case "mantissa" | "exponent":
                return self.call(helpers.parts(function, dtype), *operands)
        if function not in MATHEMATICS:
            raise NotImplementedError(f"'{function}' of {dtype} on CUDA")
        arguments = [x.text for x in operands]
        if single and function in _IN_DOUBLE:
            arguments = [f"(double){x.within(_UNARY)}" for x in operands]
            return CExpression(f"(float){function}({', '.join(arguments)})", _UNARY)
        return CExpression(f"{function}{'f' if single else ''}({', '.join(arguments)})")

    def _of_integers(self, function, dtype, operands, interval) -> CExpression:
        if function in ("+", "-", "*"):
            return self._arithmetic(function, dtype, operands, interval)
        match function:
            case "&" | "|" | "^":
                return _infix(function, *operands)
            case "~":
                return _narrowed(dtype, _prefix("~", *operands))
            case "quotient" | "rest":
                return self._division(function, dtype, operands)
            case "shift_left" | "shift_right":
                return self._shift(function, dtype, operands, interval)
            case "multiply_high":
                return self.call(helpers.multiply_high(dtype), *operands)
            case "popcount":
                return self.call(helpers.popcount(dtype), *operands)
            case "from_bits":
                name = "__int_as_float" if dtype.itemsize == 4 else "__longlong_as_double"
                return CExpression(f"{name}({operands[0].text})")
        raise NotImplementedError(f"'{function}' of {dtype} on CUDA")

    def _arithmetic(self, function, dtype, operands, interval) -> CExpression:
        if dtype.name in ("uint32", "uint64"):  # they wrap in C
            return _infix(function, *operands) if len(operands) == 2 else _prefix("-", *operands)
        exact = ranges.exact(function, [x.interval for x in operands])
        if exact is not None and ranges.within(exact, ranges.of_dtype(dtype)):
            wide = any(x.wide for x in operands)
            if dtype == ir.LONG and not wide and not ranges.is_small(exact):
                first, *others = operands
                first = CExpression(f"(int64){first.within(_UNARY)}", _UNARY, wide=True)
                operands = (first, *others)
            if len(operands) == 1:
                return _narrowed(dtype, _prefix("-", *operands))
            return _infix(function, *operands)
        if len(operands) == 1:
            return self.call(helpers.negation(dtype), *operands)
        return self.call(helpers.wrapping(_WRAPPING[function], dtype), *operands)

    def _division(self, function, dtype, operands) -> CExpression:
        x, y = operands
        low, high = y.interval
        if low > 0 or high < -1:
            return _infix("/" if function == "quotient" else "%", x, y, _TIMES)
        return self.call(helpers.dividing(function, dtype), x, y)

    def _shift(self, function, dtype, operands, interval) -> CExpression:
        x, count = operands
        low, high = count.interval
        if 0 <= low == high < 32 and dtype == ir.LONG and x.interval[0] >= 0:
            known = ranges.exact(function, (x.interval, count.interval))
            if x.wide or (known is not None and ranges.is_small(known)):
                return _infix("<<" if function == "shift_left" else ">>", x, count, _SHIFT)
        return self.call(helpers.shift(function, dtype), x, count)

    def _cast(self, out, source, x) -> CExpression:
        if out.kind == "b":
            zero = "0" if source.kind != "f" else "0.0f" if source.itemsize == 4 else "0.0"
            return CExpression(f"{x.within(_EQUAL + 1)} != {zero}", _EQUAL)
        if source.kind == "f" and out.kind != "f":
            return self.call(helpers.to_integer(source, out), x)
        if out == ir.LONG:
            small = x.interval is not None and ranges.is_small(x.interval)
            if small and source.name in ("uint32", "uint64"):
                return CExpression(f"(int){x.within(_UNARY)}", _UNARY)
            if small:
                return CExpression(x.text, x.level)
        return CExpression(f"({ctype(out)}){x.within(_UNARY)}", _UNARY, wide=True)


def _infix(sign: str, x: CExpression, y: CExpression, level: int | None = None) -> CExpression:
    level = _INFIX[sign] if level is None else level
    # Parentheses around what a reader, or a compiler's warning, would stop at.
    left = level
    if level in (_AND, _XOR, _OR, _SHIFT):
        left = max(level, _PLUS + 1)
    elif level == _EQUAL:
        left = _LESS + 1
    return CExpression(
        f"{x.within(left)} {sign} {y.within(max(left, level + 1))}", level, wide=x.wide or y.wide
    )


def _prefix(sign: str, x: CExpression) -> CExpression:
    # Not "--x", and the same parentheses for "-(-1)".
    return CExpression(f"{sign}{x.within(_UNARY + 1)}", _UNARY, wide=x.wide)


def _narrowed(dtype: np.dtype, x: CExpression) -> CExpression:
    """C computes with int at least."""
    if dtype.itemsize >= 4:
        return x
    return CExpression(f"({ctype(dtype)}){x.within(_UNARY)}", _UNARY)


def _logical(function: str, operands: Sequence[CExpression]) -> CExpression:
    sign = {"&": "&", "*": "&", "min": "&", "|": "|", "+": "|", "max": "|", "^": "!="}
    if function == "~":
        return _prefix("!", *operands)
    if function not in sign or len(operands) != 2:
        raise NotImplementedError(f"'{function}' of bool on CUDA")
    x, y = operands
    return _infix(sign[function], x, y)
