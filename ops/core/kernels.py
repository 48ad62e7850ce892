"""The scalar language in which elementwise operators say how one element is computed.

A *kernel expression* is a Python function of scalars, all of the dtype in which the ufunc computes.
It uses Python's operators and the functions of this module, with the meaning that they have in C:
integers wrap as in NumPy, but a quotient by 0, or a shift by more than the width, has no value, so
an expression avoids these where NumPy gives one. What NumPy defines otherwise than C is written
out.

The same function has three uses. Applied to the operands of a kernel under construction it adds the
computation to that (`autograph.kernels.ir.builder`). Applied to a `Scalar` for each operand it
gives the expression itself, which prints as C. Applied to NumPy arrays it computes: that is how the
tests hold it to the operator.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from ops.core.records import dataclass

Kernel = Callable[..., Any]
_Class = TypeVar("_Class")


@dataclass(frozen=True, eq=False)
class Scalar:
    """An expression: the name of an operand, or a function and what it is applied to.

    Attributes:
        function: a name, or the symbol of an operator.
        operands: other expressions, and Python numbers; none for an operand.
    """

    function: str
    operands: tuple[Any, ...] = ()

    __hash__ = object.__hash__

    def __kernel__(self, function: str, operands: Sequence[Any]) -> Any:
        """The application of a function of the language to operands, among which is this one."""
        return Scalar(function, tuple(operands))

    def __iterate__(self, test: Callable, body: Callable, state: Sequence[Any]) -> Any:
        raise TypeError("a loop is no expression")

    def __require__(self) -> None:
        """What is required is no part of the expression."""

    def __str__(self) -> str:
        texts = [str(x) for x in self.operands]
        if not texts:
            return self.function
        if self.function == "select":
            return f"({texts[0]} ? {texts[1]} : {texts[2]})"
        if self.function.isidentifier():
            return f"{self.function}({', '.join(texts)})"
        return f"({f' {self.function} '.join(texts)})" if texts[1:] else self.function + texts[0]


def _operation(symbol: str, reflected: bool = False) -> Callable:
    def apply(self: Any, *others: Any) -> Any:
        operands = (self, *others)
        return self.__kernel__(symbol, operands[::-1] if reflected else operands)

    return apply


_BITS = {"and": "&", "or": "|", "xor": "^"}
_SHIFTS = {"lshift": "shift_left", "rshift": "shift_right"}
_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", **_BITS, **_SHIFTS}
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNARY = {"neg": "-", "invert": "~"}


def with_operators(cls: type[_Class]) -> type[_Class]:
    """Give Python's operators to a class with a method ``__kernel__`` like that of `Scalar`."""
    for name, symbol in (_ARITHMETIC | _COMPARISONS | _UNARY).items():
        setattr(cls, f"__{name}__", _operation(symbol))
    for name, symbol in _ARITHMETIC.items():
        setattr(cls, f"__r{name}__", _operation(symbol, reflected=True))
    return cls


with_operators(Scalar)

# Python's operators by their symbols, which have no other meaning of numbers and arrays here.
OPERATORS: dict[str, Callable] = {
    symbol: getattr(operator, f"__{name}__")
    for name, symbol in (_UNARY | _ARITHMETIC | _COMPARISONS).items()
    if name not in _SHIFTS
}
# Every function that an expression may contain, by name.
FUNCTIONS: dict[str, Callable] = {}


def meaning(function: str, count: int) -> Callable | None:
    """What computes a function of the language, of as many numbers or arrays; None if that is no
    operator nor another function of an expression."""
    if function == "-" and count == 1:
        return operator.neg
    return FUNCTIONS.get(function) or OPERATORS.get(function)


def _function(name: str, compute: Callable) -> Callable:
    """A function of the language. ``compute`` says what it is, on arrays."""

    def apply(*operands: Any) -> Any:
        for x in operands:
            if hasattr(x, "__kernel__"):
                return x.__kernel__(name, operands)
        return compute(*operands)

    apply.__name__ = apply.__qualname__ = name
    FUNCTIONS[name] = apply
    return apply


def _of_each(function: Callable[[float], float]) -> Callable:
    """A function of `math` on arrays."""

    def compute(x: Any) -> Any:
        x = np.asarray(x)
        values = [function(y) for y in x.reshape(-1).tolist()]
        return np.array(values).astype(x.dtype).reshape(x.shape)[()]

    return compute


# -- of C's <math.h>, by its names -----------------------------------------------------------------

acos = _function("acos", np.arccos)
acosh = _function("acosh", np.arccosh)
asin = _function("asin", np.arcsin)
asinh = _function("asinh", np.arcsinh)
atan = _function("atan", np.arctan)
atan2 = _function("atan2", np.arctan2)
atanh = _function("atanh", np.arctanh)
cbrt = _function("cbrt", np.cbrt)
ceil = _function("ceil", np.ceil)
copysign = _function("copysign", np.copysign)
cos = _function("cos", np.cos)
cosh = _function("cosh", np.cosh)
erf = _function("erf", _of_each(math.erf))
erfc = _function("erfc", _of_each(math.erfc))
exp = _function("exp", np.exp)
exp2 = _function("exp2", np.exp2)
expm1 = _function("expm1", np.expm1)
fabs = _function("fabs", np.fabs)
floor = _function("floor", np.floor)
fmod = _function("fmod", np.fmod)
hypot = _function("hypot", np.hypot)
ldexp = _function("ldexp", np.ldexp)
log = _function("log", np.log)
log10 = _function("log10", np.log10)
log1p = _function("log1p", np.log1p)
log2 = _function("log2", np.log2)
nextafter = _function("nextafter", np.nextafter)
power = _function("pow", np.power)
rint = _function("rint", np.rint)
signbit = _function("signbit", np.signbit)
sin = _function("sin", np.sin)
sinh = _function("sinh", np.sinh)
sqrt = _function("sqrt", np.sqrt)
tan = _function("tan", np.tan)
tanh = _function("tanh", np.tanh)
trunc = _function("trunc", np.trunc)

# -- others ----------------------------------------------------------------------------------------

select = _function("select", np.where)  # the one not chosen need not have a value

popcount = _function("popcount", np.bitwise_count)


def _multiply_high(x: Any, y: Any) -> Any:
    dtype = np.result_type(x, y)
    bits = dtype.itemsize * 8
    compute = np.frompyfunc(lambda a, b: int(a) * int(b) >> bits, 2, 1)
    return np.asarray(compute(x, y)).astype(dtype)[()]


multiply_high = _function("multiply_high", _multiply_high)  # the upper half of an integer product

mantissa = _function("mantissa", lambda x: np.frexp(x)[0])
exponent = _function("exponent", lambda x: np.frexp(x)[1])

width = _function("width", lambda x: x.dtype.itemsize * 8)  # in bits

cast = _function("cast", lambda x, dtype: np.asarray(x).astype(dtype))  # as NumPy converts


def _fma_of_numbers(x: float, y: float, z: float, single: bool) -> float:
    """``x * y + z`` by exact arithmetic. For float32 it is rounded to odd, by which rounding to
    float32 afterwards is as if it were the only one."""
    with np.errstate(all="ignore"):
        simple = float(np.float64(x) * y + z)
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)) or x == 0 or y == 0:
        return simple
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    try:
        near = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
    if single and exact != near and not np.float64(near).view(np.int64) & 1:
        near = float(np.nextafter(near, math.inf if exact > near else -math.inf))
    return near


def _fma(x: Any, y: Any, z: Any) -> Any:
    dtype = np.result_type(x, y, z)
    compute = np.frompyfunc(functools.partial(_fma_of_numbers, single=dtype == np.float32), 3, 1)
    wide = (np.asarray(v, dtype).astype(np.float64) for v in (x, y, z))
    with np.errstate(all="ignore"):
        return np.asarray(compute(*wide), np.float64).astype(dtype)[()]


def _same_width(x: Any, kind: str) -> Any:
    x = np.asarray(x)
    return x.view(f"{kind}{x.dtype.itemsize}")[()]


fma = _function("fma", _fma)  # x * y + z, rounded once

bits = _function("bits", lambda x: _same_width(x, "i"))  # of a float, as a signed integer

from_bits = _function("from_bits", lambda x: _same_width(x, "f"))  # the float with these bits


def _no_value(where: Any) -> None:
    if np.any(where):
        raise ZeroDivisionError("the expression asks for what has no value in C")


def _quotient(x: Any, y: Any) -> Any:
    dtype = np.result_type(x, y)
    _no_value((y == 0) | ((dtype.kind == "i") & (y == -1) & (x == np.iinfo(dtype).min)))
    return (x - np.fmod(x, y)) // y


def _rest(x: Any, y: Any) -> Any:
    _quotient(x, y)
    return np.fmod(x, y)


quotient = _function("quotient", _quotient)  # of integers, rounded towards 0
rest = _function("rest", _rest)  # of that quotient, with the sign of x


def _shift(shifted: Callable) -> Callable:
    def compute(x: Any, count: Any) -> Any:
        _no_value((count < 0) | (count >= width(x)))
        return shifted(x, count)

    return compute


shift_left = _function("shift_left", _shift(np.left_shift))
shift_right = _function("shift_right", _shift(np.right_shift))


# -- control flow ----------------------------------------------------------------------------------


def choose(condition: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """What one of two functions gives; unlike with `select`, the other one is not computed."""
    if hasattr(condition, "__choose__"):
        return condition.__choose__(then, orelse)
    return then() if condition else orelse()


def iterate(test: Callable, body: Callable, *state: Any) -> tuple[Any, ...]:
    """The state after ``while test(*state): state = body(*state)``, for each element by itself.

    Args:
        test, body: functions of the state; ``body`` gives the next one, of the same dtypes.
        state: scalars.
    """
    for x in state:
        if hasattr(x, "__iterate__"):
            return x.__iterate__(test, body, state)
    while np.any(going := test(*state)):
        state = tuple(np.where(going, new, old) for new, old in zip(body(*state), state))
    return state


class GiveUp(Exception):
    """A kernel cannot compute its result, because there is none: the operator raises then."""


def require(condition: Any) -> None:
    """Let the kernel give up unless a condition holds."""
    if hasattr(condition, "__require__"):
        condition.__require__()
    elif not np.all(condition):
        raise GiveUp


# -- indices ---------------------------------------------------------------------------------------


def known_number(x: Any) -> Any:
    """The number that an operand is known to be when the kernel is made; else None."""
    return getattr(x, "value", None)


def is_given(x: Any) -> bool:
    """Whether an operand is an argument of the kernel, the same in all trips of its loops."""
    return hasattr(x, "__is_given__") and x.__is_given__()


def of_given(x: Any, compute: Callable[[Any], Any]) -> Any:
    """What a function makes of an argument of the kernel, computed once, before all loops."""
    return x.__of_given__(compute)


def flat_index(index: Sequence[Any], shape: Sequence[int]) -> Any:
    """The number of an element of an array, in C order."""
    for i in index:
        if hasattr(i, "__flat_index__"):
            return i.__flat_index__(index, shape)
    number = index[0] if index else 0
    for i, n in zip(index[1:], shape[1:]):
        number = number * n + i
    return number


# -- what operators other than elementwise ones declare --------------------------------------------


def aligned(index: Sequence[Any], shape: Sequence[int | None]) -> tuple[Any, ...]:
    """The index into an operand of some shape that is broadcast to an index of the result."""
    own = index[len(index) - len(shape) :]
    if 1 not in shape:  # as it is mostly
        return tuple(own)
    return tuple([0 if length == 1 else i for i, length in zip(own, shape)])


def itself(read: Callable, index: Sequence[Any], types: Sequence[Any], attrs: dict) -> Any:
    """``element`` of an operator that gives back its first operand."""
    return read(0, index)


@dataclass(frozen=True)
class Element:
    """How one element of the result is computed, for the kernel of an operator.

    Attributes:
        compute: ``compute(read, index, types, attrs)``, where ``read(i, index)`` is an element of
            an operand, and indices are tuples of int64.
        when: whether it can say it for operands of some types, ``when(types, attrs) -> bool``;
            None if for all.
    """

    compute: Callable[..., Any]
    when: Callable[..., bool] | None = None


@dataclass(frozen=True)
class Fold:
    """How a reduction combines elements, for the kernel of an operator.

    Attributes:
        combine: ``"+"``, ``"*"``, ``"&"``, ``"|"``, ``"min"`` or ``"max"``, as in the kernel IR.
        start: what changes nothing, given the dtype of the result.
        axes: the axes of the operand that are combined, given its type and the attributes.
        before: what becomes of an element before it is combined, given it and the dtype of the
            result.
    """

    combine: str
    start: Callable[[np.dtype], Any]
    axes: Callable[..., tuple[int, ...]]
    before: Callable[[Any, np.dtype], Any] = cast


@dataclass(frozen=True)
class Scan:
    """How the totals along an axis are computed one after the other, for the kernel of an operator.

    The first total is the first element, that of the last operand if there are several.

    Attributes:
        following: the next total, given the total so far and the next element of each operand, all
            of the dtype of the result.
        axis: along which, given the type of the operands and the attributes.
        associative: whether the total of some elements may be taken for the next element, so that
            elements are combined in groups.
    """

    following: Callable[..., Any]
    axis: Callable[..., int]
    associative: bool = False


@dataclass(frozen=True)
class Ordering:
    """That a result is the elements of the operand in order along an axis, for the kernel of an
    operator whose attributes are ``axis``, ``kind`` and ``descending``, or that only those at some
    places are, of one with the attributes ``axis`` and ``kth``.

    Attributes:
        places: whether it is where they were, as from ``argsort``.
    """

    places: bool = False


@dataclass(frozen=True)
class InnerLoops:
    """By which loops of NumPy's generalised ufuncs a result is computed, for the kernel of an
    operator; see `ops.core.inner_loops`.

    Attributes:
        compute: ``compute(*operands, **attrs)``.
        when: whether there are some for operands of some types, ``when(types, attrs) -> bool``.
    """

    compute: Callable[..., Any]
    when: Callable[..., bool]


@dataclass(frozen=True)
class Expansion:
    """By which other operators a result is computed, for the kernel of an operator.

    Attributes:
        compute: ``compute(*operands, **attrs)``.
    """

    compute: Callable[..., Any]
