"""The functions of the scalar language as LLVM instructions, on scalars and on vectors.

What LLVM calls poison (a value that may be anything, and differ from use to use) must not come out
of an active lane: conversions of floats that are out of range select something else.
What comes out of lanes that are not active does not matter, but divisions by 0 would trap there, so
these lanes divide by 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograph.kernels.ir.ir import Number
from autograph.kernels.llvm import text
from autograph.kernels.llvm.target import Target
from autograph.kernels.llvm.text import LlvmFunction, LlvmModule, float_constant, suffix

_FLOAT_ARITHMETIC = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_INTEGER_ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "shift_left": "shl",
}
_FLOAT_COMPARISONS = {
    "==": "oeq",
    "!=": "une",
    "<": "olt",
    "<=": "ole",
    ">": "ogt",
    ">=": "oge",
}
_INTEGER_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
CHECKED = {"add_checked": "sadd", "subtract_checked": "ssub", "multiply_checked": "smul"}

# Functions of LLVM that are machine instructions, or become calls of C's on machines without.
_INTRINSICS = {
    "sqrt": "sqrt",
    "fabs": "fabs",
    "copysign": "copysign",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "rint": "rint",
    "fma": "fma",
}

# Functions without an instruction, by their names in C, which are those of the language.
_NAMES = """
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 fmod hypot lgamma
    log log10 log1p log2 nextafter pow sin sinh tan tanh tgamma"""
_OF_C = frozenset(_NAMES.split())

# Nobody looks at C's errno: equal calls are one, and a sine and a cosine of one number are.
_WITHOUT_EFFECT = " nounwind willreturn memory(none)"

_PARTS = frozenset(["ldexp", "mantissa", "exponent"])  # of C's frexp

# Functions that are too slow, or may trap, to be computed where they are not needed.
DEAR = frozenset(["quotient", "rest", *CHECKED, *_OF_C, *_PARTS])


class Instructions:
    """Prints computations into a function, as scalars or as vectors.

    Attributes:
        lanes: of the vectors; None to print scalars.
    """

    def __init__(
        self, module: LlvmModule, target: Target, function: LlvmFunction, lanes: int | None
    ):
        self.module = module
        self.target = target
        self.function = function
        self.lanes = lanes

    def type(self, dtype: np.dtype) -> str:
        """The type of a value."""
        return self.vector_of(text.scalar_type(dtype))

    def vector_of(self, element: str) -> str:
        """The type of a vector of elements, or of a scalar."""
        return text.vector_type(self.lanes, element) if self.lanes else element

    def number(self, element: str, value: str | int) -> str:
        """A constant."""
        return text.splat(self.lanes, element, str(value)) if self.lanes else str(value)

    def _float(self, dtype: np.dtype, value: float) -> str:
        return self.number(text.scalar_type(dtype), float_constant(value))

    def intrinsic(
        self, name: str, result: str, operands: Sequence[tuple[str, str]], overloads: Sequence[str]
    ) -> str:
        """A call of one of LLVM's functions.

        Args:
            operands: pairs of a type and a value.
            overloads: the types in the function's name.
        """
        full = ".".join(["llvm", name, *map(suffix, overloads)])
        self.module.declare(result, full, *[type_ for type_, _ in operands])
        return f"call {result} @{full}({', '.join(f'{t} {x}' for t, x in operands)})"

    def any(self, mask: str) -> str:
        """Whether a bool holds in any lane."""
        if not self.lanes:
            return mask
        type_ = self.vector_of("i1")
        call = self.intrinsic("vector.reduce.or", "i1", [(type_, mask)], [type_])
        return self.function.let(call, "any")

    # -- computations ------------------------------------------------------------------------------

    def compute(
        self,
        function: str,
        given: np.dtype,
        out: np.dtype,
        operands: Sequence[str],
        hint: str | None = None,
        mask: str | None = None,
    ) -> str:
        """Print one computation.

        Args:
            given: the dtype of the first operand, for ``select`` of the second.
            mask: the active lanes; None if all are.

        Returns:
            The name of the result.

        Raises:
            NotImplementedError: no machine has such a function.
        """
        return self.function.let(self._instruction(function, given, out, operands, mask), hint)

    def _instruction(
        self,
        function: str,
        given: np.dtype,
        out: np.dtype,
        operands: Sequence[str],
        mask: str | None,
    ) -> str:
        type_ = self.type(given)
        kind = given.kind
        if function in self.module.callable:
            return self._called(function, operands, out, mask)
        match function, operands:
            case "select", [test, yes, no]:
                return f"select {self.vector_of('i1')} {test}, {type_} {yes}, {type_} {no}"
            case "cast", [x]:
                return self._cast(given, out, x)
            case "-", [x] if kind == "f":
                return f"fneg {type_} {x}"
            case "-", [x]:
                return f"sub {type_} {self.number(text.scalar_type(given), 0)}, {x}"
            case "~", [x]:
                ones = "true" if kind == "b" else -1
                return f"xor {type_} {x}, {self.number(text.scalar_type(given), ones)}"
            case (("bits" | "from_bits"), [x]):
                return f"bitcast {type_} {x} to {self.type(out)}"
            case "isnan", [x]:
                if kind != "f":
                    return f"icmp ne {type_} {x}, {x}"
                return f"fcmp uno {type_} {x}, {x}"
            case "signbit", [x]:
                return self._signbit(given, x)
            case "multiply_high", [x, y]:
                return self._multiply_high(given, x, y)
            case "popcount", [x]:
                return self._popcount(given, x)
            case "shift_right", [x, y]:
                return f"{'ashr' if kind == 'i' else 'lshr'} {type_} {x}, {y}"
            case (("quotient" | "rest"), [x, y]):
                return self._divided(function, given, x, y, mask)
            case (("min" | "max"), [x, y]):
                return self.extremum(function, given, x, y)
            case "fabs", [x] if kind != "f":
                return self._integer_abs(given, x)
            case _ if function in _FLOAT_COMPARISONS:
                return self._compared(function, given, *operands)
            case _ if function in _INTRINSICS and kind == "f":
                pairs = [(type_, x) for x in operands]
                return self.intrinsic(_INTRINSICS[function], type_, pairs, [type_])
            case _ if kind == "f" and function in _FLOAT_ARITHMETIC:
                return f"{_FLOAT_ARITHMETIC[function]} {type_} {', '.join(operands)}"
            case _ if kind != "f" and function in _INTEGER_ARITHMETIC:
                return f"{self._on_integers(function, kind)} {type_} {', '.join(operands)}"
            case _ if kind == "f" and (function in _OF_C or function in _PARTS):
                return self._of_c(function, given, out, operands)
        raise NotImplementedError(f"'{function}' of {given}")

    def _called(
        self, function: str, operands: Sequence[str], out: np.dtype, mask: str | None
    ) -> str:
        """A call of one of the kernel's own functions."""
        functions = self.module.callable
        typed = []
        for dtype, x in zip(functions.parameters(function), operands):
            if mask is not None and functions.branches(function):
                one = text.constant(Number(1, dtype))
                one = self.number(text.scalar_type(dtype), one)
                x = self._where(mask, self.type(dtype), x, one)
            typed.append(f"{self.type(dtype)} {x}")
        name = functions.called(function, self.lanes)
        return f"call {self.type(out)} {name}({', '.join(typed)})"

    @staticmethod
    def _on_integers(function: str, kind: str) -> str:
        if kind == "b":  # as NumPy's
            return {"+": "or", "*": "and"}.get(function) or _INTEGER_ARITHMETIC[function]
        return _INTEGER_ARITHMETIC[function]

    def _compared(self, function: str, given: np.dtype, x: str, y: str) -> str:
        if given.kind == "f":
            return f"fcmp {_FLOAT_COMPARISONS[function]} {self.type(given)} {x}, {y}"
        how = _INTEGER_COMPARISONS[function]
        if how not in ("eq", "ne"):
            how = ("s" if given.kind == "i" else "u") + how
        return f"icmp {how} {self.type(given)} {x}, {y}"

    def extremum(self, function: str, given: np.dtype, x: str, y: str) -> str:
        """The minimum or maximum; NaN if one operand is NaN."""
        chosen = ">" if function == "max" else "<"
        test = self.function.let(self._compared(chosen, given, x, y))
        type_, bool_ = self.type(given), self.vector_of("i1")
        if given.kind == "f":
            nan = self.function.let(f"fcmp uno {type_} {x}, {x}")
            test = self.function.let(f"or {bool_} {test}, {nan}")
        return f"select {bool_} {test}, {type_} {x}, {type_} {y}"

    def _signbit(self, given: np.dtype, x: str) -> str:
        if given.kind != "f":
            return self._compared("<", given, x, self.number(text.scalar_type(given), 0))
        integer = np.dtype(f"int{given.itemsize * 8}")
        bits = self.function.let(f"bitcast {self.type(given)} {x} to {self.type(integer)}")
        return self._compared("<", integer, bits, self.number(text.scalar_type(integer), 0))

    def _popcount(self, given: np.dtype, x: str) -> str:
        type_ = self.type(given)
        count = self.function.let(self.intrinsic("ctpop", type_, [(type_, x)], [type_]))
        how = "trunc" if given.itemsize > 1 else "bitcast"
        return f"{how} {type_} {count} to {self.vector_of('i8')}"

    def _multiply_high(self, given: np.dtype, x: str, y: str) -> str:
        type_, bits = self.type(given), given.itemsize * 8
        if self.lanes and bits == 64:
            return f"bitcast {type_} {self._upper_half(given.kind, x, y)} to {type_}"
        wide = self.vector_of(f"i{2 * bits}")
        how = "sext" if given.kind == "i" else "zext"
        halves = [self.function.let(f"{how} {type_} {v} to {wide}") for v in (x, y)]
        product = self.function.let(f"mul {wide} {', '.join(halves)}")
        upper = self.function.let(f"lshr {wide} {product}, {self.number(f'i{2 * bits}', bits)}")
        return f"trunc {wide} {upper} to {type_}"

    def _upper_half(self, kind: str, x: str, y: str) -> str:
        """The upper halves of products of vectors of int64 or uint64, for which there is no
        instruction: from the products of the halves of their operands (Warren, "Hacker's Delight",
        2012, section 8-2)."""
        type_, let = self.vector_of("i64"), self.function.let
        half, mask = self.number("i64", 32), self.number("i64", 2**32 - 1)

        def binary(function: str, a: str, b: str) -> str:
            return let(f"{function} {type_} {a}, {b}")

        upper = "ashr" if kind == "i" else "lshr"
        (low, high), (low_y, high_y) = (
            (binary("and", v, mask), binary(upper, v, half)) for v in (x, y)
        )
        carried = binary("lshr", binary("mul", low, low_y), half)
        middle = binary("add", binary("mul", high, low_y), carried)
        other = binary("add", binary("mul", low, high_y), binary("and", middle, mask))
        total = binary("add", binary("mul", high, high_y), binary(upper, middle, half))
        return binary("add", total, binary(upper, other, half))

    def _integer_abs(self, given: np.dtype, x: str) -> str:
        type_ = self.type(given)
        if given.kind != "i":
            return f"or {type_} {x}, {self.number(text.scalar_type(given), 0)}"
        return self.intrinsic("abs", type_, [(type_, x), ("i1", "false")], [type_])

    # -- division of integers ----------------------------------------------------------------------

    def _divided(self, function: str, given: np.dtype, x: str, y: str, mask: str | None) -> str:
        """A quotient or rest.

        There is no instruction that divides vectors of integers, but one for floats. It is exact
        for integers of less than n - 1 bits in a format of n bits: a quotient that is not an
        integer is at least 2**(1 - n) times itself below the next one, and not rounded up to that.
        int64 is divided so where all lanes allow it.
        """
        type_, element = self.type(given), text.scalar_type(given)
        sign = "s" if given.kind == "i" else "u"
        known = y.startswith("splat")
        if mask is not None and not known:
            y = self._where(mask, type_, y, self.number(element, 1))
        # AVX-512 converts vectors of int64 to doubles, which is faster than to multiply one by one.
        floats = given.itemsize == 8 and self.target.vector_bytes >= 64
        if not self.lanes or (known and not (floats and _is_long_division(y))):
            return f"{sign}{'div' if function == 'quotient' else 'rem'} {type_} {x}, {y}"
        if mask is not None:
            x = self._where(mask, type_, x, self.number(element, 0))
        if given.itemsize == 8:
            quotient = self._long_quotient(sign, x, y)
        else:
            quotient = self._float_quotient(sign, given, x, y)
        if function == "quotient":
            return f"bitcast {type_} {quotient} to {type_}"
        product = self.function.let(f"mul {type_} {quotient}, {y}")
        return f"sub {type_} {x}, {product}"

    def _where(self, mask: str, type_: str, yes: str, no: str) -> str:
        return self.function.let(
            f"select {self.vector_of('i1')} {mask}, {type_} {yes}, {type_} {no}"
        )

    def _float_quotient(self, sign: str, given: np.dtype, x: str, y: str) -> str:
        """A quotient of small integers by way of floats."""
        let, type_ = self.function.let, self.type(given)
        wide = self.vector_of("double" if given.itemsize >= 4 else "float")
        floats = [let(f"{sign}itofp {type_} {v} to {wide}") for v in (x, y)]
        ratio = let(f"fdiv {wide} {', '.join(floats)}")
        return let(f"freeze {type_} {let(f'fpto{sign}i {wide} {ratio} to {type_}')}")

    def _long_quotient(self, sign: str, x: str, y: str) -> str:
        """A quotient of vectors of int64 or uint64."""
        function, let = self.function, self.function.let
        type_, bools = self.vector_of("i64"), self.vector_of("i1")
        large = "zeroinitializer"
        for value in (x, y):
            if sign == "s":
                value = let(f"add {type_} {value}, {self.number('i64', 2**51)}")
            limit = self.number("i64", 2**52 if sign == "s" else 2**51)
            beyond = let(f"icmp uge {type_} {value}, {limit}")
            large = let(f"or {bools} {large}, {beyond}", "large")
        slow, fast, divided = map(function.new_label, ("large", "small", "divided"))
        function.branch(self.any(large), slow, fast)
        function.start(slow)
        one_by_one = let(f"{sign}div {type_} {x}, {y}")
        function.jump(divided)
        function.start(fast)
        at_once = self._float_quotient("s", np.dtype("int64"), x, y)
        function.jump(divided)
        function.start(divided)
        return function.phi(type_, [(one_by_one, slow), (at_once, fast)], "quotient")

    # -- conversions -------------------------------------------------------------------------------

    def _cast(self, given: np.dtype, out: np.dtype, x: str) -> str:
        source, result = self.type(given), self.type(out)
        element = text.scalar_type(given)
        if given == out:
            return f"bitcast {source} {x} to {result}"
        if out.kind == "b":
            if given.kind == "f":
                return f"fcmp une {source} {x}, {self.number(element, float_constant(0))}"
            return f"icmp ne {source} {x}, {self.number(element, 0)}"
        if out.kind == "f":
            if given.kind == "f":
                how = "fpext" if out.itemsize > given.itemsize else "fptrunc"
            else:
                how = "sitofp" if given.kind == "i" else "uitofp"
            return f"{how} {source} {x} to {result}"
        if given.kind == "f":
            return self._rounded(given, out, x)
        if out.itemsize < given.itemsize:
            return f"trunc {source} {x} to {result}"
        if out.itemsize > given.itemsize or given.kind == "b":
            return f"{'sext' if given.kind == 'i' else 'zext'} {source} {x} to {result}"
        return f"bitcast {source} {x} to {result}"

    def _rounded(self, given: np.dtype, out: np.dtype, x: str) -> str:
        """A float as an integer, as C compilers do it, since that is what NumPy does: small
        integers by way of int32, uint32 of a scalar by way of int64; others that have no sign in
        two halves. What is out of the range of int32 or int64 becomes the least of these, on
        machines that do not saturate."""
        source, result = self.type(given), self.type(out)
        let = self.function.let
        if self.target.saturates:
            how = "fptosi.sat" if out.kind == "i" else "fptoui.sat"
            if out.itemsize >= 4:
                return self.intrinsic(how, result, [(source, x)], [result, source])
            wide = self.vector_of("i32")
            whole = let(self.intrinsic(how, wide, [(source, x)], [wide, source]))
            return f"trunc {wide} {whole} to {result}"
        if out.itemsize < 4:
            wide = self.vector_of("i32")
            return f"trunc {wide} {self._least_if_far(given, 'i32', x)} to {result}"
        element = text.scalar_type(out)
        if out.kind == "i":
            return f"bitcast {result} {self._least_if_far(given, element, x)} to {result}"
        if out.itemsize == 4 and not self.lanes:
            return f"trunc i64 {self._least_if_far(given, 'i64', x)} to i32"
        # In two halves.
        half = self._float(given, 2.0 ** (out.itemsize * 8 - 1))
        above = let(f"fcmp oge {source} {x}, {half}")
        less = let(f"fsub {source} {x}, {half}")
        low = let(f"select {self.vector_of('i1')} {above}, {source} {less}, {source} {x}")
        whole = self._least_if_far(given, element, low)
        bit = self.number(element, -(2 ** (out.itemsize * 8 - 1)))
        high = let(f"xor {result} {whole}, {bit}")
        return f"select {self.vector_of('i1')} {above}, {result} {high}, {result} {whole}"

    def _least_if_far(self, given: np.dtype, element: str, x: str) -> str:
        """A float as an int32 or int64; the least of these if it is out of range, or NaN."""
        let, source, result = self.function.let, self.type(given), self.vector_of(element)
        bits = int(element[1:])
        end = self._float(given, 2.0 ** (bits - 1))
        if self.lanes or bits < 64:
            size = let(self.intrinsic("fabs", source, [(source, x)], [source]))
            near = let(f"fcmp olt {source} {size}, {end}")
        else:  # as a kernel asks before it makes an int of a float, so that it is asked once
            above = let(f"fcmp oge {source} {x}, {self._float(given, -(2.0 ** (bits - 1)))}")
            below = let(f"fcmp olt {source} {x}, {end}")
            near = let(f"and i1 {above}, {below}")
        whole = let(f"fptosi {source} {x} to {result}")
        least = self.number(element, -(2 ** (bits - 1)))
        return let(f"select {self.vector_of('i1')} {near}, {result} {whole}, {result} {least}")

    # -- integers that must not overflow -----------------------------------------------------------

    def checked(self, function: str, x: str, y: str) -> tuple[str, str]:
        """A sum, difference or product of int64.

        Returns:
            The result, and whether it overflowed.
        """
        if self.lanes and function == "multiply_checked":
            return self._product(x, y)
        type_, bool_ = self.vector_of("i64"), self.vector_of("i1")
        pair = f"{{ {type_}, {bool_} }}"
        call = self.intrinsic(
            f"{CHECKED[function]}.with.overflow", pair, [(type_, x), (type_, y)], [type_]
        )
        both = self.function.let(call)
        result = self.function.let(f"extractvalue {pair} {both}, 0")
        return result, self.function.let(f"extractvalue {pair} {both}, 1", "overflow")

    def _product(self, x: str, y: str) -> tuple[str, str]:
        """A product of vectors of int64, and whether it overflowed. Where all lanes have 32 bits
        none does."""
        function, let = self.function, self.function.let
        type_, bools, short = (self.vector_of(t) for t in ("i64", "i1", "i32"))
        far = "zeroinitializer"
        for value in (x, y):
            moved = let(f"add {type_} {value}, {self.number('i64', 2**31)}")
            beyond = let(f"icmp ugt {type_} {moved}, {self.number('i64', 2**32 - 1)}")
            far = let(f"or {bools} {far}, {beyond}", "far")
        slow, fast, made = map(function.new_label, ("far", "near", "product"))
        function.branch(self.any(far), slow, fast)
        function.start(slow)
        upper = self._upper_half("i", x, y)
        low = let(f"mul {type_} {x}, {y}")
        sign = let(f"ashr {type_} {low}, {self.number('i64', 63)}")
        overflow = let(f"icmp ne {type_} {upper}, {sign}")
        function.jump(made)
        function.start(fast)
        halves = [let(f"trunc {type_} {v} to {short}") for v in (x, y)]
        halves = [let(f"sext {short} {v} to {type_}") for v in halves]
        whole = let(f"mul {type_} {', '.join(halves)}")
        function.jump(made)
        function.start(made)
        result = function.phi(type_, [(low, slow), (whole, fast)])
        nowhere = "zeroinitializer"
        return result, function.phi(bools, [(overflow, slow), (nowhere, fast)], "overflow")

    def multiple(self, x: str, factor: int) -> tuple[str, str]:
        """An int64 times a known one that is not 0.

        Machines multiply vectors of int64, but have no instruction for the upper halves of these
        products, from which it is seen whether they overflow. Here comparisons tell.

        Returns:
            The result, and whether it overflowed.
        """
        type_, let = self.vector_of("i64"), self.function.let
        ends = ((1 << 63) - 1) // abs(factor), (1 << 63) // abs(factor)
        most, least = ends if factor > 0 else ends[::-1]
        most = min(most, (1 << 63) - 1)
        result = let(f"mul {type_} {x}, {self.number('i64', factor)}")
        above = let(f"add {type_} {x}, {self.number('i64', least)}")
        return result, let(
            f"icmp ugt {type_} {above}, {self.number('i64', least + most)}", "overflow"
        )

    # -- functions of C ----------------------------------------------------------------------------

    def _of_c(self, function: str, given: np.dtype, out: np.dtype, operands: Sequence[str]) -> str:
        """A call of C's function, for each lane."""
        name = function + ("f" if given.itemsize == 4 else "")
        types = [text.scalar_type(given)] * len(operands)
        if function == "ldexp":
            types[1] = "i32"
        result = text.scalar_type(out)
        if function in ("mantissa", "exponent"):
            call = self._parts_helper(function, types[0])
        else:
            call = self.module.declare(result, name, *types, attributes=_WITHOUT_EFFECT)
        lanes = self.lanes
        if not lanes:
            pairs = ", ".join(f"{t} {x}" for t, x in zip(types, operands))
            return f"call {result} {call}({pairs})"
        helper = self.module.helper(
            f"{name}.{lanes}", lambda at: _each_lane(at, call, lanes, types, result)
        )
        pairs = ", ".join(f"{self.vector_of(t)} {x}" for t, x in zip(types, operands))
        return f"call {self.vector_of(result)} {helper}({pairs})"

    def _parts_helper(self, function: str, type_: str) -> str:
        """A function that calls C's frexp."""
        name = "frexp" + ("f" if type_ == "float" else "")

        def define(at: str) -> str:
            frexp = self.module.declare(type_, name, type_, "ptr", attributes=" nounwind")
            result = type_ if function == "mantissa" else "i32"
            wanted = "%part" if function == "mantissa" else "%exponent"
            return f"""define internal {result} {at}({type_} %x) nounwind {{
  %memory = alloca i32, align 4
  store i32 0, ptr %memory, align 4
  %part = call {type_} {frexp}({type_} %x, ptr %memory)
  %exponent = load i32, ptr %memory, align 4
  ret {result} {wanted}
}}"""

        return self.module.helper(f"{function}.{type_}", define)


def _is_long_division(splat: str) -> bool:
    """Whether to divide by a known number by way of floats: not by one that shifts, nor a large
    one."""
    by = abs(int(splat.rstrip(")").split()[-1]))
    return bool(by & (by - 1)) and by < 2**51


def _each_lane(at: str, call: str, lanes: int, types: Sequence[str], result: str) -> str:
    """A function of vectors that calls one of scalars in a loop over the lanes."""
    parameters = ", ".join(f"<{lanes} x {t}> %x{i}" for i, t in enumerate(types))
    taken = "\n".join(
        f"  %e{i} = extractelement <{lanes} x {t}> %x{i}, i64 %lane" for i, t in enumerate(types)
    )
    given = ", ".join(f"{t} %e{i}" for i, t in enumerate(types))
    vector = f"<{lanes} x {result}>"
    return f"""define internal {vector} {at}({parameters}) noinline nounwind {{
entry:
  br label %loop
loop:
  %lane = phi i64 [ 0, %entry ], [ %next, %loop ]
  %results = phi {vector} [ poison, %entry ], [ %more, %loop ]
{taken}
  %y = call {result} {call}({given})
  %more = insertelement {vector} %results, {result} %y, i64 %lane
  %next = add i64 %lane, 1
  %done = icmp eq i64 %next, {lanes}
  br i1 %done, label %end, label %loop
end:
  ret {vector} %more
}}"""
