"""Parts of complex arrays where the whole is, side by side in memory, in place of copies.

A kernel computes with real and imaginary parts. Where NumPy's loops, or the caller, have both side
by side, a loop takes them apart, ``re[i] = z[2 * i]; im[i] = z[2 * i + 1]``, or puts them together.
If the whole is not needed when the parts are, or if nothing is written to either, then both may be
one array (coalescing: Chaitin et al., "Register allocation via coloring", 1981), and the loop is
left out. Vectors take every second element then, which takes longer. So that is done where an array
less is in memory at the same time, and as long as it does not take much of the kernel's time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.ir.ir import LONG, Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.ir.lives import Lives
from autograph.kernels.ir.temporaries import TemporaryPlacement
from autograph.kernels.ir.work import divisions, work
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import is_length

_LEAST_BYTES = 1 << 10  # of a part, for it to be worth it
_STATEMENT = 0.03  # nanoseconds of a statement of a loop, for each element
_LONGER = 0.02  # nanoseconds of an element of a vector that is one of every second ...
_FEWEST = 8.0  # ... and of so many, if a loop has fewer
_SHARE = 16  # of the kernel's time that may be so
_UNKNOWN = 30.0  # trips of loops of unknown length
_MOST = 8  # arrays of a kernel


class _Form(NamedTuple):
    """``constant + sum(step * variable)``, by the identities of variables."""

    constant: int
    steps: Mapping[Var, int]

    def plus(self, other: _Form, factor: int = 1) -> _Form:
        steps = {v: self.steps.get(v, 0) + factor * other.steps.get(v, 0)
                 for v in (*self.steps, *other.steps)}  # fmt: skip
        kept = {v: n for v, n in steps.items() if n}
        return _Form(self.constant + factor * other.constant, kept)

    def times(self, factor: int) -> _Form:
        return _Form(0, {}).plus(self, factor)


class _Link(NamedTuple):
    """A loop in which a trip touches elements of two parts, and these of the whole.

    Attributes:
        loop: that one.
        parts: the real and the imaginary one.
        whole: with two elements for each of them.
        copies: whether all that is stored in the parts are elements of the whole.
    """

    loop: ir.Each
    parts: tuple[Buffer, Buffer]
    whole: Buffer
    copies: bool


def side_by_side(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel with fewer arrays; itself if there are none to spare. The given kernel's blocks are
    left as they are; other blocks, `Var` and `Buffer` objects are shared with it."""
    if not any(_links(kernel.body)):
        return kernel
    best, least = kernel, TemporaryPlacement(kernel).nbytes
    found, left = kernel, _time(kernel.body) / _SHARE
    for _ in range(_MOST):
        taken = _taken(found, left)
        if taken is None:
            break
        link, longer = taken
        left -= longer
        body = _block(found.body, link)
        drop_unused(body, whole=True)
        found = dataclasses.replace(found, body=body)
        nbytes = TemporaryPlacement(found).nbytes
        if nbytes < least:
            best, least = found, nbytes
    return best


def _taken(kernel: ir.Kernel, most: float) -> tuple[_Link, float] | None:
    """Parts that may be where the whole is, and how much longer the kernel takes then."""
    links = list(_links(kernel.body))
    if not links:
        return None
    arrays = {b for link in links for b in (*link.parts, link.whole)}
    lives = Lives(kernel.body, arrays.__contains__)
    times = {id(loop): time for time, loop in lives.loops}
    for link in links:
        time = times.get(id(link.loop))
        if time is not None and _may_be_one(link, time, kernel, lives):
            longer = _longer(kernel.body, link, 1.0)
            if longer <= most:
                return link, longer
    return None


# -- where parts and the whole meet ----------------------------------------------------------------


def _links(body: Block) -> Iterator[_Link]:
    """The parts and wholes of a kernel that meet in loops."""
    for s in ir.walk(body):
        if isinstance(s, ir.Each) and ir.is_straight(s.body):
            yield from _links_of(s)


def _links_of(loop: ir.Each) -> Iterator[_Link]:
    accesses = [s for s in loop.body if isinstance(s, ir.Load | ir.Store)]
    parts = [b for b in dict.fromkeys(s.buffer for s in accesses) if _is_part(b)]
    if len(parts) < 2:
        return
    wholes = [b for b in dict.fromkeys(s.buffer for s in accesses) if _may_be_whole(b, parts)]
    if not wholes:
        return
    forms = _forms(loop.body)

    def places(buffer: Buffer) -> list[_Form]:
        """Where elements are that are touched, each once."""
        found: list[_Form] = []
        for s in accesses:
            place = forms(s.index)
            if s.buffer is buffer and place not in found:
                found.append(place)
        return found

    own = {b: places(b) for b in (*parts, *wholes)}
    for whole in wholes:
        for real, imag in _pairs([p for p in parts if p.size * 2 == whole.size]):
            if len(own[real]) != 1 or own[imag] != own[real]:
                continue
            first = own[real][0].times(2)
            both = [first, first.plus(_Form(1, {}))]
            if own[whole] and all(place in both for place in own[whole]):
                link = _link(loop, accesses, (real, imag), whole, forms, first)
                if link is not None:
                    yield link


def _pairs(parts: Sequence[Buffer]) -> Iterator[tuple[Buffer, Buffer]]:
    for k, x in enumerate(parts):
        for y in parts[k + 1 :]:
            if x.size == y.size and x.dtype == y.dtype:
                yield x, y


def _link(
    loop: ir.Each,
    accesses: Sequence[ir.Load | ir.Store],
    pair: tuple[Buffer, Buffer],
    whole: Buffer,
    forms: Callable[[Operand], _Form],
    first: _Form,
) -> _Link | None:
    """Which part is which, if some element of the whole goes to each, or comes from there, and all
    is right if they are the same element: none is read after it was written.

    Args:
        first: where the real part of the element is in the whole.
    """
    x, y = pair
    loaded: dict[Operand, ir.Load] = {s.out: s for s in accesses if isinstance(s, ir.Load)}
    offsets: dict[Buffer, int] = {}
    for s in accesses:
        if not isinstance(s, ir.Store) or s.value not in loaded:
            continue
        load = loaded[s.value]
        for part, other, place in (
            (load.buffer, s.buffer, s.index), (s.buffer, load.buffer, load.index)
        ):  # fmt: skip
            if other is whole and (part is x or part is y):
                offset = forms(place).plus(first, -1).constant
                if offsets.setdefault(part, offset) != offset:
                    return None
    if not offsets:
        return None
    copies = len(offsets) == 2
    if not copies:  # the other one is computed here
        ((part, offset),) = offsets.items()
        offsets[y if part is x else x] = 1 - offset
    if sorted(offsets.values()) != [0, 1]:
        return None
    written: set[int] = set()
    for s in accesses:
        if s.buffer is whole:
            element = forms(s.index).plus(first, -1).constant
        elif s.buffer in offsets:
            element = offsets[s.buffer]
        else:
            continue
        if element in written:
            return None
        if isinstance(s, ir.Store):
            written.add(element)
            copies = copies and s.value in loaded and loaded[s.value].buffer is whole
    return _Link(loop, (x, y) if offsets[x] == 0 else (y, x), whole, copies)


def _is_part(buffer: Buffer) -> bool:
    known = isinstance(buffer.size, int) and not is_length(buffer.size)
    is_own = buffer.kind == "temporary" and buffer.dtype.kind == "f"
    return is_own and known and buffer.nbytes >= _LEAST_BYTES


def _may_be_whole(buffer: Buffer, parts: Sequence[Buffer]) -> bool:
    if buffer.kind not in ("temporary", "input", "output") or not isinstance(buffer.size, int):
        return False
    return any(p.size * 2 == buffer.size and p.dtype == buffer.dtype for p in parts)


def _forms(block: Block) -> Callable[[Operand], _Form]:
    """A function that gives the form of an index, by what a block computes."""
    made = {s.out: s for s in block if isinstance(s, ir.Compute) and s.out.dtype == LONG}

    def form(x: Operand) -> _Form:
        if isinstance(x, Number):
            return _Form(int(x.value), {})
        assert isinstance(x, Var)
        s = made.get(x)
        if s is not None and len(s.operands) == 2:
            a, b = s.operands
            if s.function in "+-":
                return form(a).plus(form(b), 1 if s.function == "+" else -1)
            if s.function == "*" and isinstance(b, Number):
                return form(a).times(int(b.value))
            if s.function == "*" and isinstance(a, Number):
                return form(b).times(int(a.value))
        return _Form(0, {x: 1})

    return form


# -- whether they may be one -----------------------------------------------------------------------


def _may_be_one(link: _Link, time: int, kernel: ir.Kernel, lives: Lives) -> bool:
    whole, parts = link.whole, link.parts
    if not all(b in lives.of for b in parts):
        return False
    for s in ir.walk_all(kernel):
        if not isinstance(s, ir.Load | ir.Store) and any(b in parts for b in uses.buffers(s)):
            return False
    if whole.kind == "input":
        given = {b for b, _ in kernel.shared}
        writing = [s for s in ir.walk(kernel.body) if any(b in parts for b in uses.written(s))]
        own = {id(s) for s in link.loop.body}
        return link.copies and whole not in given and all(id(s) in own for s in writing)
    given = {b for _, b in kernel.shared} | {kernel.outputs[k] for k in kernel.changed}
    if whole in given or whole not in lives.of:
        return False
    since, until = lives.of[whole]
    if whole.kind == "output":  # the caller needs it, whatever the trips after this one do
        since = lives.around[whole][0]
    ends = all(lives.of[b][1] == time for b in parts)
    begins = all(lives.of[b][0] == time for b in parts)
    if whole.kind == "temporary" and begins and until == time:
        return True
    return ends and since == time


def _longer(block: Block, link: _Link, trips: float) -> float:
    """By how many nanoseconds a block takes longer, about."""
    total = 0.0
    for s in block:
        if isinstance(s, ir.Each):
            times = trips * _trips(s.count)
            if s is link.loop:  # most of it is left out
                total -= times * _STATEMENT * 4
                continue
            vectors = [x for x in ir.walk(s.body) if isinstance(x, ir.Load | ir.Store)]
            if not any(x.buffer in link.parts for x in vectors):
                continue
            if ir.is_straight(s.body):
                elements = trips * max(_trips(s.count), _FEWEST)
                total += elements * _LONGER * sum(x.buffer in link.parts for x in vectors)
            else:
                total += _longer(s.body, link, times)
        elif isinstance(s, ir.For):
            total += _longer(s.body, link, trips * _trips(s.count))
        elif ir.blocks(s):
            times = trips * (_UNKNOWN if isinstance(s, ir.While) else 1.0)
            total += sum(_longer(inner, link, times) for inner in ir.blocks(s))
        elif isinstance(s, ir.Load | ir.Store) and s.buffer in link.parts:
            total += trips * _LONGER
    return total


def _time(block: Block) -> float:
    """About how long a block takes, in nanoseconds."""
    total = 0.0
    for s in block:
        if isinstance(s, ir.For | ir.Each):
            total += _trips(s.count) * _time(s.body)
        elif isinstance(s, ir.While):
            total += _UNKNOWN * (_time(s.test) + _time(s.body))
        elif isinstance(s, ir.If):
            total += max(_time(s.then), _time(s.orelse))
        elif isinstance(s, ir.Load | ir.Store):
            total += _STATEMENT
        elif isinstance(s, ir.Compute):
            total += 0.0 if s.out.dtype == LONG else _STATEMENT * max(1, 4 * divisions(s.function))
        else:
            total += work(Block([s]), _trips)
    return total


def _trips(count: Operand) -> float:
    return float(count.value) if isinstance(count, Number) else _UNKNOWN


# -- making them one -------------------------------------------------------------------------------


def _block(block: Block, link: _Link) -> Block:
    """A block that touches the whole where it touched parts; itself if it did not."""
    is_linking = block is link.loop.body
    made: list[Statement] = []
    forms = _forms(block)
    loaded: dict[Operand, _Form] = {}
    for s in block:
        if isinstance(s, ir.Load | ir.Store) and s.buffer in link.parts:
            double, index = Var(LONG), Var(LONG)
            made.append(ir.Compute(double, "*", (s.index, Number(2, LONG))))
            offset = 0 if s.buffer is link.parts[0] else 1
            place = forms(s.index).times(2).plus(_Form(offset, {}))
            if offset:
                made.append(ir.Compute(index, "+", (double, Number(1, LONG))))
            at = index if offset else double
            s = dataclasses.replace(s, buffer=link.whole, index=at)
        elif isinstance(s, ir.Load | ir.Store) and s.buffer is link.whole:
            place = forms(s.index)
        else:
            made.append(_with_blocks(s, link))
            continue
        if isinstance(s, ir.Load):
            loaded[s.out] = place
        elif is_linking and loaded.get(s.value) == place:  # it is there
            continue
        made.append(s)
    return Block(made) if any(a is not b for a, b in zip(made, block.statements)) else block


def _with_blocks(s: Statement, link: _Link) -> Statement:
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(s):
        before = getattr(s, field.name)
        if isinstance(before, Block):
            after = _block(before, link)
            if after is not before:
                changed[field.name] = after
    return dataclasses.replace(s, **changed) if changed else s
