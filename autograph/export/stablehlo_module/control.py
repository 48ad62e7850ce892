"""Control flow: ``if`` and ``while``.

What a region captures it finds in the block around it. If Python may raise in a region, the region
gives a flag too, and a loop ends with the trip in which that is false.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.export.layouts import Layout
from autograph.export.stablehlo_module import kept
from autograph.export.stablehlo_module.kept import KeptTerms, StackGrowth
from autograph.export.stablehlo_module.terms import (
    BOOL,
    LONG,
    HloTerm,
    chosen,
    known,
    returned,
    row_of,
    while_loop,
    with_row,
)
from autograph.export.stablehlo_module.text import HloBlock, Text, refuse
from autograph.export.stablehlo_module.trips import most_trips
from autograph.export.stablehlo_module.writer import ModuleWriter, rule
from autograph.graph.graph import Node, Value
from autograph.graph.wiring import Loop, branches_of, lanes_of, loop_of
from ops.control import regions
from ops.core import kernels
from ops.core.types import ArrayType, StackType


def fine(text: Text, block: HloBlock) -> HloTerm:
    """Whether Python raises nowhere in a block, which is the one in force."""
    found = known(text, True)
    for name in block.guards:
        found = found & HloTerm(text, name, BOOL, ())
    block.guards.clear()
    return found


def _is_known(flag: HloTerm) -> bool:
    return flag.value is not None and bool(np.all(flag.value))


def _typed(found: Any, value: Value) -> Any:
    """What stands for a value, in the type that it has."""
    if isinstance(found, KeptTerms):
        return found
    return found.cast(value.type.dtype).expanded(value.type.known_shape)


def _all_typed(found: Sequence[Any], values: Sequence[Value]) -> list[Any]:
    return [_typed(x, v) for x, v in zip(found, values)]


def _split(layouts: Sequence[Layout], terms: Sequence[HloTerm]) -> list[Any]:
    """What values of these layouts are, of all their arrays."""
    found, start = [], 0
    for layout in layouts:
        end = start + kept.count(layout)
        found.append(kept.held(layout, terms[start:end]))
        start = end
    return found


def _flat(text: Text, found: Sequence[Any], layouts: Sequence[Layout]) -> list[HloTerm]:
    return [t for x, layout in zip(found, layouts) for t in kept.terms_of(text, x, layout)]


@rule(regions.cond)
def _cond(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    text = writer.text
    branches = branches_of(node)
    written: list[tuple[HloBlock, list[Any], HloTerm]] = []
    for region in (branches.then, branches.orelse):
        with text.region() as block:
            found = _all_typed(writer.write(region), node.outputs)
            written.append((block, found, fine(text, block)))
    checked = not all(_is_known(flag) for _, _, flag in written)
    (_, first, _), (_, second, _) = written
    pairs = zip(map(kept.layout_of, first), map(kept.layout_of, second))
    layouts = [kept.united(text, a, b) for a, b in pairs]
    like: list[HloTerm] = []
    for block, found, flag in written:
        text.blocks.append(block)
        like = [*_flat(text, found, layouts), *([flag] if checked else [])]
        block.lines.append(returned(like))
        text.blocks.pop()
    blocks = [block for block, _, _ in written]
    results = chosen(text, operands[0].cast(BOOL), blocks, like)
    if checked:
        text.block.guards.append(results.pop().name)
    return _split(layouts, results)


@rule(regions.while_loop)
def _while(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    """The test is computed before the loop, and at the end of each trip, where Python may raise in
    it."""
    loop = loop_of(node)
    assert loop.test is not None
    test = loop.test

    def again(state: Sequence[HloTerm]) -> HloTerm:
        (found,) = writer.written(test, state)
        return found.cast(BOOL)

    return _loop(writer, loop, again, None)


@rule(regions.for_loop)
def _for(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    return _loop(writer, loop_of(node), None, operands[0].cast(LONG))


def _loop(
    writer: ModuleWriter,
    loop: Loop,
    again: Callable[[Sequence[Any]], HloTerm] | None,
    count: HloTerm | None,
) -> list[Any]:
    """A loop whose state has another variable, whether there is one more trip, or its number; and
    whether all is fine, if Python may raise in it."""
    text = writer.text
    start = _all_typed([writer.get(v) for v in loop.start], loop.state)
    layouts = _layouts(writer, loop, start)
    first = known(text, 0, LONG) if again is None else again(start)
    begin = _flat(text, start, layouts)
    ok, progress, *own = inside = _fresh(text, [known(text, True), first, *begin])
    with text.region() as trip:
        found = _trip(writer, loop, progress, _split(layouts, own))
        following = progress + 1 if again is None else again(found)
        left = _flat(text, found, layouts)
        flag = fine(text, trip)
        checked = not _is_known(flag)
        trip.lines.append(returned([*([flag] if checked else []), following, *left]))
    with text.region() as tested:
        more = progress if count is None else progress < count
        tested.lines.append(returned([ok & more if checked else more]))
    whole = [*([known(text, True)] if checked else []), first, *begin]
    results = while_loop(text, tested, trip, inside if checked else inside[1:], whole)
    if checked:
        text.block.guards.append(results.pop(0).name)
    made = _split(layouts, results[1:])
    if most_trips(loop) is None:
        for layout, x in zip(layouts, made):
            if layout[0] == "stack":
                text.block.guards.append((x.terms[0] <= layout[1]).name)
    return made


def _fresh(text: Text, like: Sequence[HloTerm]) -> list[HloTerm]:
    return [HloTerm(text, text.new(), x.dtype, x.shape) for x in like]


def _trip(writer: ModuleWriter, loop: Loop, progress: HloTerm, state: Sequence[Any]) -> list[Any]:
    """The body of a loop; what it leaves."""
    if loop.index is not None:
        writer.held[loop.index] = progress
    writer.held.update(zip(loop.state, state))
    return _all_typed(writer.write(loop.body), loop.state)


def _layouts(writer: ModuleWriter, loop: Loop, start: Sequence[Any]) -> list[Layout]:
    """The layouts of what a loop carries. Those of packs and stacks are found by writing the body
    for a trial, until they change no more."""
    text = writer.text
    layouts = [kept.layout_of(x) for x in start]
    if all(isinstance(v.type, ArrayType) for v in loop.state):
        return layouts
    while True:
        growths = {
            i: StackGrowth() for i, v in enumerate(loop.state) if isinstance(v.type, StackType)
        }
        with text.region():
            state = []
            for i, layout in enumerate(layouts):
                if i in growths and layout[0] == "nothing":
                    state.append(KeptTerms(("growing", growths[i])))
                else:
                    blank = [known(text, np.zeros(s, d)) for d, s in kept.arrays(layout)]
                    state.append(kept.held(layout, _fresh(text, blank)))
            found = _trip(writer, loop, HloTerm(text, text.new(), LONG, ()), state)
        new = []
        for layout, x in zip(layouts, found):
            left = kept.layout_of(x)
            new.append(layout if left[0] == "growing" else kept.united(text, layout, left))
        for i, growth in growths.items():
            if growth.layouts:
                new[i] = _stack(text, growth, _trips(loop, layouts))
        if new == layouts:
            return layouts
        layouts = new


def _trips(loop: Loop, layouts: Sequence[Layout]) -> int | None:
    """How many trips a loop has at most. One that goes back through another one takes something off
    a stack in each; where it does not, `_loop` finds that more is pushed than there is room for."""
    known_trips = most_trips(loop)
    if known_trips is not None:
        return known_trips
    return max((layout[1] for layout in layouts if layout[0] == "stack"), default=None)


def _stack(text: Text, growth: StackGrowth, trips: int | None) -> Layout:
    """The layout of what a loop pushes on a stack, in so many trips at most."""
    if trips is None:
        raise refuse(
            "how much a loop keeps for its gradient is known only at run time",
            text.place,
            "give the loop a known number of trips at most: for _ in range(100): if ...: break",
        )
    element = growth.layouts[0]
    for other in growth.layouts[1:]:
        element = kept.united(text, element, other)
    return ("stack", max(trips, 1) * len(growth.layouts), element)


@rule(regions.lanes)
def _lanes(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    """One lane after the other, where lanes go different ways; each leaves a row of the results."""
    text, sizes = writer.text, node.attrs["sizes"]
    lane = lanes_of(node).lane
    total = math.prod(sizes)
    types = [v.type for v in lane.outputs]
    if not total:
        return [known(text, np.zeros((*sizes, *t.known_shape), t.dtype)) for t in types]
    start = [
        known(text, 0, LONG),
        *(known(text, np.zeros((total, *t.known_shape), t.dtype)) for t in types),
    ]
    number, *rows = inside = _fresh(text, start)
    with text.region() as trip:
        given = [_of_lane(x, axes, sizes, number) for x, axes in zip(operands, node.attrs["axes"])]
        found = _all_typed(writer.written(lane, given), lane.outputs)
        left = [with_row(each, number, x) for each, x in zip(rows, found)]
        flag = fine(text, trip)
        checked = not _is_known(flag)
        ok = HloTerm(text, text.new(), BOOL, ())
        left += [ok & flag] if checked else []
        trip.lines.append(returned([number + 1, *left]))
    with text.region() as tested:
        tested.lines.append(returned([number < total]))
    inside += [ok] if checked else []
    start += [known(text, True)] if checked else []
    _, *results = while_loop(text, tested, trip, inside, start)
    if checked:
        text.block.guards.append(results.pop().name)
    return [x.reshaped((*sizes, *x.shape[1:])) for x in results]


def _of_lane(x: HloTerm, axes: Sequence[int], sizes: Sequence[int], number: HloTerm) -> HloTerm:
    """What one lane has of an operand, whose first axes are some of those of the lanes."""
    if not axes:
        return x
    place: Any = 0
    for axis in axes:
        after = math.prod(sizes[axis + 1 :])
        own = kernels.rest(kernels.quotient(number, after), sizes[axis])
        place = place * sizes[axis] + own
    count = math.prod(sizes[axis] for axis in axes)
    return row_of(x.reshaped((count, *x.shape[len(axes) :])), place)


# -- packs and stacks ------------------------------------------------------------------------------


@rule(regions.pack)
def _pack(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> KeptTerms:
    return kept.packed(_all_typed(operands, node.inputs))


@rule(regions.unpack, regions.unpack_ct)
def _unpack(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> list[Any]:
    return kept.opened(writer.text, operands[0], node.attrs["types"])


@rule(regions.push)
def _push(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> KeptTerms:
    return kept.pushed(writer.text, *operands)


@rule(regions.pop)
def _pop(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> tuple[KeptTerms, KeptTerms]:
    return kept.popped(operands[0])


@rule(regions.add_ct)
def _add_cotangents(writer: ModuleWriter, node: Node, operands: Sequence[Any]) -> KeptTerms:
    return kept.added(writer.text, *operands)
