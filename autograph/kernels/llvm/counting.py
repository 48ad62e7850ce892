"""Counted loops of scalars, with what they carry from trip to trip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.kernels.ir import ir
from autograph.kernels.llvm import text
from autograph.kernels.llvm.instructions import Instructions
from autograph.kernels.llvm.statements import Statements

# What reductions are called in the names of functions.
WORDS = {"+": "sum", "*": "product", "&": "and", "|": "or", "^": "xor"}

# Prints a trip: from the index and what is carried, what is carried on.
Trip = Callable[[str, list[str]], list[str]]


def counted(
    printer: Statements,
    begin: str,
    end: str,
    step: str,
    body: Trip,
    carried: Sequence[tuple[str, str]],
    hint: str | None,
    as_it_is: bool = False,
) -> list[str]:
    """Print a loop over ``range(begin, end, step)``.

    Args:
        body: prints a trip: from the index and what is carried, what is carried on.
        carried: types and initial values.
        as_it_is: whether LLVM is told not to unroll it.

    Returns:
        What the last trip carried on.
    """
    function = printer.function
    before = function.label
    head, inside, after = map(function.new_label, ("each", "trip", "after"))
    function.start(head)
    index = function.open_phi("i64", hint)
    index.add(begin, before)
    phis = [function.open_phi(type_) for type_, _ in carried]
    for phi, (_, initial) in zip(phis, carried):
        phi.add(initial, before)
    function.branch(function.let(f"icmp slt i64 {index.name}, {end}"), inside, after)
    function.start(inside)
    following = body(index.name, [phi.name for phi in phis])
    advanced = function.let(f"add nuw nsw i64 {index.name}, {step}")
    index.add(advanced, function.label)
    for phi, value in zip(phis, following):
        phi.add(value, function.label)
    function.jump(head, printer.module.plain_loop() if as_it_is else "")
    function.start(after)
    return [phi.name for phi in phis]


def smaller(function: text.LlvmFunction, value: str, limit: str) -> str:
    """The smaller one of two i64. ``value`` may be an instruction."""
    if " " in value:
        value = function.let(value)
    fits = function.let(f"icmp slt i64 {value}, {limit}")
    return function.let(f"select i1 {fits}, i64 {value}, i64 {limit}")


def combine(instructions: Instructions, reduction: ir.Reduction, total: str, value: str) -> str:
    """Two values of a reduction combined."""
    dtype = reduction.out.dtype
    return instructions.compute(reduction.combine, dtype, dtype, [total, value])


def carried_scalars(each: ir.Each, starts: Sequence[str]) -> list[tuple[str, str]]:
    """The types and first values of reductions, to be carried by a loop."""
    return [(text.scalar_type(r.out.dtype), start) for r, start in zip(each.reductions, starts)]


def is_wide(reduction: ir.Reduction) -> bool:
    """Whether the parts of a reduction are added up as doubles: of many of them, the sum is right
    to the last place then."""
    return reduction.combine == "+" and reduction.out.dtype == ir.SINGLE


def carried_wide(
    function: text.LlvmFunction, each: ir.Each, starts: Sequence[str]
) -> list[tuple[str, str]]:
    """As `carried_scalars`, with doubles where reductions are wide."""
    return [
        ("double", function.let(f"fpext float {start} to double")) if is_wide(r) else (type_, start)
        for r, (type_, start) in zip(each.reductions, carried_scalars(each, starts))
    ]


def combine_wide(instructions: Instructions, reduction: ir.Reduction, total: str, part: str) -> str:
    """A part of a reduction combined with those before."""
    if not is_wide(reduction):
        return combine(instructions, reduction, total, part)
    let = instructions.function.let
    return let(f"fadd double {total}, {let(f'fpext float {part} to double')}")


def rounded(function: text.LlvmFunction, each: ir.Each, totals: Sequence[str]) -> list[str]:
    """The results of reductions from what was carried."""
    return [
        function.let(f"fptrunc double {total} to float") if is_wide(r) else total
        for r, total in zip(each.reductions, totals)
    ]
