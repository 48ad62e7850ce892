"""What of a program is no native kernel, and why, by the lines of the user's source."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.api.recording.ahead import Lowered
from autograph.errors import Location
from autograph.graph.graph import Graph, Module, Node, walk
from autograph.graph.wiring import is_loop
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.reasons import NoKernel
from autograph.kernels.native.availability import missing
from autograph.kernels.partition import language_of
from autograph.kernels.selection.parts import outside_of_kernels
from autograph.places import file_name
from autograph.transforms.simplify.erase import without_marks

_MINOR = (reasons.LITTLE.name, reasons.VIEW.name)
_WEAK = (
    *_MINOR,
    reasons.UNKNOWN_ALONE.name,
    reasons.KEPT_APART.name,
)  # not told of a line that has another reason

_UNKNOWN = (reasons.UNKNOWN.name, reasons.UNKNOWN_ALONE.name)
_LANES = "the lanes of ag.vmap"


@dataclass(frozen=True)
class PlainPart:
    """Operations of one line that are calls of the array library, not a part of a kernel.

    Attributes:
        location: of the line; None where the compiler has put in something of its own.
        source: the text of the line.
        operators: their names.
        reason: the name of the kind of reason, see `autograph.kernels.lowering.reasons`.
        why: they are.
        fix: what would change it, or that nothing is lost.
        around: the places of the loops and branches around it, outermost first, in words. These run
            in Python because of it, and of what else is in them.
    """

    location: Location | None
    source: str
    operators: tuple[str, ...]
    reason: str
    why: str
    fix: str
    around: tuple[str, ...]

    @property
    def place(self) -> str:
        """File and line."""
        return place_of(self.location) or "what the compiler has put in"


def plain_parts(
    lowered: Lowered, module: Module, lanes: Sequence[tuple[Graph, NoKernel]]
) -> list[PlainPart]:
    """What is no kernel of a function, in the order of its program.

    Args:
        lowered: the recorded function.
        module: its optimized graph.
        lanes: functions of one lane that run as operators on all lanes, and why.
    """
    unavailable = _unavailable(lowered)
    if unavailable:
        why = reasons.UNAVAILABLE.of(why=unavailable)
        return [_part(lowered.location, (), why, ())]
    on_cpu = language_of(lowered.backend) == "llvm"
    donated = lowered.compilation.donated if on_cpu else ()
    found: dict[tuple[Any, str], tuple[NoKernel, dict[str, None], tuple[Node, ...]]] = {}
    batched = {node.location[:2] for g, _ in lanes for node in walk(g) if node.location}
    for lane, why in lanes:
        location = why.location or lane.location
        placed = why.reason.of(location, **why.particulars)
        found[(location and location[:2], why.reason.name)] = (placed, dict.fromkeys([_LANES]), ())
    left_out = outside_of_kernels(without_marks(module), donated, host=on_cpu)
    for nodes, why, around in left_out:
        for node in nodes:
            location = why.location or node.location
            if why.reason.name in _UNKNOWN and location and location[:2] in batched:
                continue  # the lanes that still run are an array of unknown length
            placed = why.reason.of(location, **why.particulars)
            key = (location and location[:2], why.reason.name)
            found.setdefault(key, (placed, {}, around))[1][node.op.name] = None
    telling = {line for line, kind in found if kind not in _WEAK}
    return [
        _part(why.location, operators, why, around)
        for (line, kind), (why, operators, around) in found.items()
        if not (kind in _WEAK and (line is None or line in telling))
        and not (kind == reasons.UNKNOWN.name and (line, reasons.LIST.name) in found)
    ]


def _unavailable(lowered: Lowered) -> str:
    """Why nothing of a function can be a kernel; empty if something can."""
    language, able = language_of(lowered.backend), lowered.capabilities
    if language is None:
        return f"the backend '{lowered.backend.name}' has none"
    if language == "cuda":
        return "" if able.cuda else "AUTOGRAPH_CUDA_KERNELS is not 1"
    return "" if able.native else missing() or "AUTOGRAPH_KERNELS is 0"


def _part(
    location: Location | None, operators: Iterable[str], why: NoKernel, around: Iterable[Node]
) -> PlainPart:
    return PlainPart(
        location,
        "" if location is None else source_line(location.file, location.line),
        tuple(operators),
        why.reason.name,
        why.text,
        why.fix,
        tuple(dict.fromkeys(map(_around, around))),
    )


def _around(node: Node) -> str:
    what = "loop" if is_loop(node) else "branch"
    return f"the {what} at {place_of(node.location)}" if node.location else f"a {what}"


def source_line(file: str, line: int) -> str:
    """The text of a line, without what it is indented by."""
    return linecache.getline(file, line).strip()


def place_of(location: Location | None) -> str:
    """File, without its folder, and line."""
    return "" if location is None else f"{file_name(location.file)}:{location.line}"


def part_lines(parts: Iterable[PlainPart]) -> Iterator[str]:
    """The parts as lines of text: those with one and the same reason that is of no weight once."""
    minor: dict[str, list[PlainPart]] = {}
    for part in parts:
        if part.reason in _MINOR:
            minor.setdefault(part.reason, []).append(part)
            continue
        yield f"  {part.place}  {part.source}".rstrip()
        yield f"    {part.why}"
        yield f"    {part.fix}"
        if part.around:
            yield f"    in {', in '.join(part.around)}"
    for found in minor.values():
        yield f"  {', '.join(dict.fromkeys(part.place for part in found))}"
        yield f"    {found[0].why}; {found[0].fix}"
