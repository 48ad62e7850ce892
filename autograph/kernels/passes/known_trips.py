"""Loops of few trips, known when the kernel is made, written out.

``while s < 32: b ^= b >> s; s <<= 1`` counts by numbers, so that its trips are counted here, and
shifts are by numbers. Without loops in it, a loop around may be lanes of vectors. So it may without
counted loops that only compute scalars, as ``for k in range(16): z |= (x >> k & 1) << 2 * k``.
"""

from __future__ import annotations

from typing import Any

from autograph.closure import closure
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.interpreter import GaveUp, evaluate
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var
from autograph.kernels.passes.copying import substituted
from autograph.kernels.passes.dependence import defined_in

_MOST_TRIPS = 16
_MOST = 200  # statements of all trips


def written_out(block: Block, is_inside: bool = False) -> bool:
    """Write out such loops, in place. Returns whether there were any. What follows from that is
    left to `rounds`: they stand in an `If` whose condition is a number.

    Args:
        is_inside: whether there is a loop around.
    """
    if ir.is_straight(block):
        return False
    changed = False
    for k, s in enumerate(block.statements):
        is_loop = isinstance(s, ir.For | ir.Each | ir.While)
        for inner in ir.blocks(s):
            changed |= written_out(inner, is_inside or is_loop)
        if isinstance(s, ir.While):
            trips = _trips(s)
            if trips is not None:
                block.statements[k] = _straight(s, trips)
                changed = True
        elif isinstance(s, ir.For) and is_inside and (trips := _few(s)):
            block.statements[k] = _straight(s, trips)
            changed = True
    return changed


def _few(s: ir.For) -> int:
    """How many trips a counted loop makes, if they are few, and read no elements of their own;
    else 0."""
    if not isinstance(s.count, Number) or not s.state or s.freed is not None:
        return 0
    inner = {s.index, *s.state, *defined_in(s.body)}
    of_scalars = all(
        isinstance(x, ir.Compute)
        or (isinstance(x, ir.Load) and x.index not in inner and x.buffer.base not in inner)
        for x in s.body
    )
    trips = int(s.count.value)
    most = min(_MOST_TRIPS, _MOST // max(len(s.body.statements), 1))
    return trips if of_scalars and 0 < trips <= most else 0


def _trips(s: ir.While) -> int | None:
    """How many trips a loop makes, if they are few and known."""
    statements = [*ir.walk(s.test), *ir.walk(s.body)]
    if s.freed is not None or any(map(_is_loop, statements)):
        return None
    own = {*s.state, *defined_in(s.test), *defined_in(s.body)}
    if any(buffer.base in own for buffer in uses.touched(statements)):  # another in each trip
        return None
    made: dict[Operand, ir.Compute] = {}
    made |= ((x.out, x) for x in (*s.test, *s.body) if isinstance(x, ir.Compute))
    then = dict[Operand, Operand](zip(s.state, s.following))

    def needed(operand: Operand) -> tuple[Operand, ...]:
        if operand in then:
            return (then[operand],)
        return made[operand].operands if operand in made else ()

    deciding = closure([s.condition], needed)
    if any(isinstance(x, Var) and x not in then and x not in made for x in deciding):
        return None
    known: dict[Operand, Any] = {x: x.value for x in deciding if isinstance(x, Number)}
    for state, init in zip(s.state, s.init):
        if state in deciding:
            if not isinstance(init, Number):
                return None
            known[state] = init.value
    try:
        for trips in range(min(_MOST_TRIPS, _MOST // max(len(statements), 1)) + 1):
            _run(s.test, known, deciding)
            if not known[s.condition]:
                return trips
            _run(s.body, known, deciding)
            known.update({x: known[y] for x, y in then.items() if x in deciding})
    except GaveUp:
        pass
    return None


def _run(block: Block, known: dict[Operand, Any], deciding: set[Operand]) -> None:
    for s in block:
        if isinstance(s, ir.Compute) and s.out in deciding:
            known[s.out] = evaluate(s, [known[x] for x in s.operands])


def _is_loop(s: Statement) -> bool:
    return not isinstance(s, ir.Compute | ir.Load | ir.Store | ir.Check | ir.If)


def _straight(s: ir.While | ir.For, trips: int) -> ir.If:
    """What a loop of so many trips does."""
    made: list[Statement] = []
    state: tuple[Operand, ...] = s.init
    for k in range(trips + 1):
        become = dict[Operand, Operand](zip(s.state, state))
        blocks = [] if k == trips else [s.body]
        if isinstance(s, ir.While):
            blocks.insert(0, s.test)
        else:
            become[s.index] = Number(k, LONG)
        for block in blocks:
            become |= {v: Var(v.dtype, v.name) for v in defined_in(block)}
        made += (substituted(x, become) for block in blocks for x in block)
        if k < trips:
            state = tuple(become.get(x, x) for x in s.following)
    return ir.If(Number(True, BOOL), Block(made), Block(), s.results, state, state)
