"""Draws from generators of random numbers, by functions of NumPy's in C.

Those are given a ``bitgen_t``: a state, and the functions that give 64 bits, 32 bits, a double and
64 bits of it. That of a generator from outside is its own. Where the state is words in memory, the
functions are here, PCG64 as NumPy has it: a linear congruential generator of 128 bits, of which the
halves, exclusively or-ed, are rotated by the first six bits (M. O'Neill, PCG: a family of simple
fast space-efficient statistically good algorithms for random number generation, 2014).
"""

from __future__ import annotations

from autograph.kernels.ir import draws, ir
from autograph.kernels.llvm.statements import Statements
from autograph.kernels.llvm.text import LlvmModule, scalar_type

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_UNIT = "0x3CA0000000000000"  # 2.0**-53
_DOUBLE = 24  # where a bitgen_t has the function that gives a double, in bytes
_POINTERS = 5  # of a bitgen_t


def draw(printer: Statements, s: ir.Draw) -> None:
    """Print a draw."""
    function, module = printer.function, printer.module
    given = [(scalar_type(x.dtype), printer.scalar(x)) for x in s.given]
    place = printer.address(s.result[0], printer.scalar(s.result[1]))
    result = scalar_type(s.result[0].dtype)
    own = isinstance(s.source, tuple)
    if isinstance(s.source, tuple):
        source = printer.address(s.source[0], printer.scalar(s.source[1]))
    else:
        assert not isinstance(s.source, int)  # see `autograph.kernels.ir.generators`
        source = function.let(f"inttoptr i64 {printer.scalar(s.source)} to ptr")
    if not s.function:
        maker = _own_double if own else _double
        called = module.helper(maker.__name__.strip("_"), lambda name: maker(module, name))
        drawn = function.let(f"call double {called}(ptr {source})")
        function.do(f"store double {drawn}, ptr {place}, align 8")
        return
    bits = _bits(printer, source) if own else source
    if draws.is_filling(s.function):
        (type_, least), (_, more), (_, count) = given
        parameters = ("ptr", f"{type_} zeroext", f"{type_} zeroext", "i64", "i8 zeroext", "ptr")
        called = module.declare("void", s.function, *parameters)
        function.do(
            f"call void {called}(ptr {bits}, {type_} zeroext {least}, {type_} zeroext {more}, "
            f"i64 {count}, i8 zeroext 0, ptr {place})"
        )
        return
    types, operands = [type_ for type_, _ in given], [f"{type_} {x}" for type_, x in given]
    workspace = draws.WORKSPACE.get(s.function)
    if workspace is not None:
        memory = function.alloca("i8", workspace, 16, "workspace")
        function.do(f"store i32 0, ptr {memory}, align 16")
        types, operands = [*types, "ptr"], [*operands, f"ptr {memory}"]
    called = module.declare(result, s.function, "ptr", *types)
    drawn = function.let(f"call {result} {called}({', '.join((f'ptr {bits}', *operands))})")
    function.do(f"store {result} {drawn}, ptr {place}, align 8")


def _bits(printer: Statements, words: str) -> str:
    """A ``bitgen_t`` of words."""
    function, module = printer.function, printer.module
    next64 = module.helper("pcg64", lambda name: _own_64(name))
    next32 = module.helper("pcg64_half", lambda name: _own_32(module, name))
    double = module.helper("own_double", lambda name: _own_double(module, name))
    start = function.alloca("ptr", _POINTERS, 16, "bits")
    for k, content in enumerate((words, next64, next32, double, next64)):
        at = function.let(f"getelementptr inbounds ptr, ptr {start}, i64 {k}")
        function.do(f"store ptr {content}, ptr {at}, align 8")
    return start


def _double(module: LlvmModule, name: str) -> str:
    """A function that gives a double of a ``bitgen_t``."""
    return f"""\
define internal double {name}(ptr %bits) alwaysinline nounwind {{
  %place = getelementptr inbounds i8, ptr %bits, i64 {_DOUBLE}
  %function = load ptr, ptr %place, align 8
  %state = load ptr, ptr %bits, align 8
  %number = call double %function(ptr %state)
  ret double %number
}}"""


def _own_64(name: str) -> str:
    """A function that gives 64 bits of words, which it changes. They are the halves of the state
    and of the increment, the upper ones first, whether 32 bits are left, and those."""
    return f"""\
define internal i64 {name}(ptr %words) nounwind {{
  %low_at = getelementptr inbounds i64, ptr %words, i64 1
  %step_at = getelementptr inbounds i64, ptr %words, i64 2
  %step_low_at = getelementptr inbounds i64, ptr %words, i64 3
  %high = load i64, ptr %words, align 8
  %low = load i64, ptr %low_at, align 8
  %step_high = load i64, ptr %step_at, align 8
  %step_low = load i64, ptr %step_low_at, align 8
  %high_wide = zext i64 %high to i128
  %low_wide = zext i64 %low to i128
  %high_there = shl i128 %high_wide, 64
  %state = or i128 %high_there, %low_wide
  %step_high_wide = zext i64 %step_high to i128
  %step_low_wide = zext i64 %step_low to i128
  %step_high_there = shl i128 %step_high_wide, 64
  %step = or i128 %step_high_there, %step_low_wide
  %times = mul i128 %state, {_MULTIPLIER}
  %next = add i128 %times, %step
  %next_low = trunc i128 %next to i64
  %next_upper = lshr i128 %next, 64
  %next_high = trunc i128 %next_upper to i64
  store i64 %next_high, ptr %words, align 8
  store i64 %next_low, ptr %low_at, align 8
  %mixed = xor i64 %next_high, %next_low
  %turn = lshr i64 %next_high, 58
  %back = sub i64 0, %turn
  %left = and i64 %back, 63
  %down = lshr i64 %mixed, %turn
  %up = shl i64 %mixed, %left
  %bits = or i64 %down, %up
  ret i64 %bits
}}"""


def _own_32(module: LlvmModule, name: str) -> str:
    """A function that gives 32 bits of words, and keeps the other half of 64 for the next time."""
    next64 = module.helper("pcg64", lambda helper: _own_64(helper))
    return f"""\
define internal i32 {name}(ptr %words) nounwind {{
  %has_at = getelementptr inbounds i64, ptr %words, i64 4
  %kept_at = getelementptr inbounds i64, ptr %words, i64 5
  %has = load i64, ptr %has_at, align 8
  %none = icmp eq i64 %has, 0
  br i1 %none, label %new, label %old
old:
  %kept = load i64, ptr %kept_at, align 8
  store i64 0, ptr %has_at, align 8
  %half = trunc i64 %kept to i32
  ret i32 %half
new:
  %bits = call i64 {next64}(ptr %words)
  %rest = lshr i64 %bits, 32
  store i64 1, ptr %has_at, align 8
  store i64 %rest, ptr %kept_at, align 8
  %first = trunc i64 %bits to i32
  ret i32 %first
}}"""


def _own_double(module: LlvmModule, name: str) -> str:
    """A function that gives a double of words: 53 bits, in steps of 2.0**-53."""
    next64 = module.helper("pcg64", lambda helper: _own_64(helper))
    return f"""\
define internal double {name}(ptr %words) nounwind {{
  %bits = call i64 {next64}(ptr %words)
  %most = lshr i64 %bits, 11
  %number = uitofp i64 %most to double
  %unit = fmul double %number, {_UNIT}
  ret double %unit
}}"""
