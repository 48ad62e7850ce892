"""What the compiler made of a function, in words and numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph import html
from autograph.api.derivatives.residuals import KeptResidual, residual, type_bytes
from autograph.api.meetings import Meeting, meetings
from autograph.api.pipeline import without_lanes
from autograph.api.plain_parts import PlainPart, part_lines, place_of, plain_parts
from autograph.api.recording.ahead import Lowered
from autograph.api.stages import stages_of
from autograph.codegen.driver import generate
from autograph.codegen.liveness import Liveness
from autograph.codegen.memory import Callees, CopyPlan, plan_memory, takes_over
from autograph.codegen.program import Program
from autograph.errors import Location
from autograph.graph.graph import Constant, Graph, Module, Node, Value, walk
from autograph.graph.wiring import is_loop, loop_of
from autograph.kernels.cuda.use import captures_programs
from autograph.kernels.partition import language_of
from autograph.kernels.report import Report, report, report_on_device
from autograph.kernels.selection import eligible
from autograph.kernels.selection.parts import select
from autograph.passes import Stages
from autograph.staging.border.retracing import Assumption, Guard
from autograph.transforms.reverse import budget
from autograph.transforms.simplify.erase import without_marks
from ops.control import regions
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType, Type

_SHOWN = 12  # passes of a kernel, in the text

_LOOPS = (regions.while_loop, regions.for_loop)


@dataclass(frozen=True)
class ArgumentLeaf:
    """A leaf of the arguments.

    Attributes:
        name: the parameter's, with the path inside it.
        text: its type, or its value if it is static.
        traced: whether the graph is the same for all its values.
        why: of what is static the reason, of other things what is special about them; or "".
    """

    name: str
    text: str
    traced: bool
    why: str


@dataclass(frozen=True)
class ArrayConstant:
    """An array that the graph holds.

    Attributes:
        outside: whether it is one that the function finds outside, whose contents may change.
    """

    name: str | None
    type: Type
    nbytes: int
    outside: bool


@dataclass(frozen=True)
class RegionResiduals:
    """What one run of a region leaves for its backward pass.

    Attributes:
        where: the region, in words.
        trips: how often that is kept; None if known only at run time.
    """

    where: str
    residuals: tuple[KeptResidual, ...]
    trips: int | None
    location: Location | None

    @property
    def nbytes(self) -> int:
        """For one run; what it keeps of regions in it is not counted."""
        return sum(r.nbytes or 0 for r in self.residuals)


@dataclass
class Explanation(html.Shown):
    """What is made of a function for arguments of one signature; made by `GraphFunction.explain`.

    Attributes:
        arguments: the leaves of the arguments.
        results: the types of the graph's results.
        depends_on: what the graph depends on outside the function, with what it was.
        constants: the arrays in the graph.
        graphs: the number of nodes of the main graph and of each named graph, regions included.
        operators: how often each operator occurs.
        in_place, copied: the places of updates that are done in place, and after a copy.
        kept: residuals of control flow. The backward pass of straight-line code in the same graph
            uses the values of the forward pass themselves.
        budgets: what loops keep that have a budget, by their places.
        peak: an estimate of how many bytes of arrays, made by the program, exist at a time, without
            residuals of loops and calls; at least that many if ``peak_known`` is false.
        program_lines: of the generated program.
        backend: what runs it.
        cached: for how many signatures the function has been compiled by calls.
        kernels: what native kernels do with memory.
        plain: what is no native kernel, and why, by lines.
        stages: what each pass made of it, and how long it took.
        meetings: where processes of a mesh meet, and what they send.
        whole: for a device, whether the program may be one graph of CUDA's, and why not.
    """

    name: str
    location: Location | None
    arguments: list[ArgumentLeaf]
    results: list[Type]
    depends_on: list[str]
    constants: list[ArrayConstant]
    graphs: dict[str, int]
    operators: dict[str, int]
    in_place: list[Location | None]
    copied: list[Location | None]
    kept: list[RegionResiduals]
    budgets: list[tuple[Location | None, budget.Within]]
    peak: int
    peak_known: bool
    program_lines: int
    backend: str
    cached: int = 0
    kernels: list[Report] = field(default_factory=list)
    plain: list[PlainPart] = field(default_factory=list)
    stages: Stages = field(default_factory=Stages)
    meetings: list[Meeting] = field(default_factory=list)
    whole: str = ""

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.name}{_at(self.location)}"
        yield from _section("arguments", [_argument_row(a) for a in self.arguments])
        yield from _section("results", [(str(type), "") for type in self.results])
        yield from _section("depends on, outside", [(text, "") for text in self.depends_on])
        yield from _section("arrays in the graph", [_constant_row(c) for c in self.constants])
        yield ""
        yield "graph"
        names = list(self.graphs)
        yield f"  {self.graphs[names[0]]} nodes{self._control_flow()}"
        for name in names[1:]:
            yield f"  {self.graphs[name]} nodes in the named graph {name}"
        yield from self._memory()
        for kept in self.kept:
            yield ""
            times = "" if kept.trips == 1 else " a time"
            many = f", {kept.trips} times" if kept.trips and kept.trips > 1 else ""
            yield f"residuals of {kept.where}: {_bytes(kept.nbytes)}{times}{many}"
            yield from _rows([_residual_row(r) for r in kept.residuals])
        for location, within in self.budgets:
            yield ""
            yield f"budget of the loop{_at(location)}: {_bytes(within.share)}"
            yield from _rows(list(_budget_rows(within)))
        yield from _section("processes meet", [_meeting_row(m) for m in self.meetings])
        yield ""
        yield "program"
        yield f"  {self.program_lines} lines of Python; each operation is a call of {self.backend}"
        yield from self._kernels()
        if self.whole:
            yield f"  as one graph of CUDA's: {self.whole}"
        yield f"  compiled by calls so far: {_count(self.cached, 'signature')}"
        if self.plain:
            yield ""
            yield "no kernels, and why"
            yield from part_lines(self.plain)
        rows = [(name, f"{1e3 * s.seconds:.2f} ms") for name, s in self.stages.items()]
        yield from _section("passes", rows)

    def _repr_html_(self) -> str:
        """Tables of what is a kernel and what is not, and the whole report behind them."""
        head = f"<h4>{html.escape(self.name)}{html.escape(_at(self.location))}</h4>"
        parts = [head, html.table(("argument", "is"), map(_argument_row, self.arguments))]
        if self.kernels:
            rows = [(k.name, "; ".join(map(str, k.passes[:_SHOWN]))) for k in self.kernels]
            parts.append(html.table(("native kernel", "what it does"), rows))
        if self.plain:
            columns = ("no kernel", "source", "why", "what would change it", "inside")
            plain = [(p.place, p.source, p.why, p.fix, ", ".join(p.around)) for p in self.plain]
            parts.append(html.table(columns, plain))
        else:
            parts.append("<p>All of it is native code.</p>")
        return "".join(parts) + html.details("the whole report", html.plain(str(self)))

    def _kernels(self) -> Iterator[str]:
        if not self.kernels:
            yield "  native kernels: none"
        for kernel in self.kernels:
            yield f"  native kernel {kernel.name}"
            for part in kernel.passes[:_SHOWN]:
                yield f"    {part}"
            more = len(kernel.passes) - _SHOWN
            if more > 0:
                yield f"    ... {more} more"
            moved, least = _bytes(kernel.moved), _bytes(kernel.least)
            some = "at least " if kernel.is_open else ""
            yield f"    moves {some}{moved} outside of loops; arguments and results have {least}"
            keeps = ", and residuals of loops" if kernel.keeps else ""
            shared = f", {_bytes(kernel.unshared)} if arrays did not share it"
            shared = shared if kernel.unshared > kernel.own else ""
            yield f"    memory of its own while it runs: {_bytes(kernel.own)}{shared}{keeps}"

    def _control_flow(self) -> str:
        loops = sum(self.operators.get(op.name, 0) for op in _LOOPS)
        counts = [
            (loops, "loop"),
            (self.operators.get(regions.cond.name, 0), "branch"),
            (self.operators.get(regions.call.name, 0), "call"),
        ]
        listed = [_count(n, what) for n, what in counts if n]
        return f", in all graphs {', '.join(listed)}" if listed else ""

    def _memory(self) -> Iterator[str]:
        yield ""
        yield "memory"
        least = "" if self.peak_known else "at least "
        yield f"  arrays made by the program: {least}{_bytes(self.peak)} at a time (an estimate)"
        for what, places in (("in place", self.in_place), ("after a copy", self.copied)):
            if places:
                listed = ", ".join(dict.fromkeys(filter(None, map(place_of, places))))
                listed = f": {listed}" if listed else ""
                yield f"  {_count(len(places), 'update')} {what}{listed}"


def explain(lower: Callable[[], Lowered], cached: Sequence[Any]) -> Explanation:
    """What is made of a function.

    Args:
        lower: records it.
        cached: the forms of it that calls may find.
    """
    with eligible.watched() as refused:
        lowered = lower()
    stages = stages_of(lowered)
    optimized, program = stages["refuse"].after, stages["generate"].after
    module = without_lanes(optimized)
    given_up = lowered.compilation.donated
    nodes = [node for graph in _graphs(module) for node in walk(graph)]
    operators: dict[str, int] = {}
    for node in nodes:
        operators[node.op.name] = operators.get(node.op.name, 0) + 1
    donated = [module.main.inputs[i] for i in given_up]
    callees = Callees(module.graphs)
    in_place: list[Location | None] = []
    copied: list[Location | None] = []
    for graph in _graphs(module):
        live = Liveness(graph)
        plan = plan_memory(graph, live, callees, donated if graph is module.main else ())
        for node in walk(graph):
            if takes_over(node) and node not in live.dead:
                (copied if node in plan.updates else in_place).append(node.location)
        in_place += [node.location for node in plan.reused]
        copied += [loop.location for loop, _ in plan.entries]
    plan = plan_memory(module.main, Liveness(module.main), callees, donated)
    peak, known = _peak(module.main, plan)
    plain = generate(module, lowered.backend, given_up)
    return Explanation(
        lowered.name,
        lowered.location,
        _arguments(lowered),
        [value.type for value in module.main.outputs],
        _outside(lowered.traced.guards),
        _constants(module, lowered.traced.outside),
        {graph.name: sum(1 for _ in walk(graph)) for graph in _graphs(module)},
        dict(sorted(operators.items(), key=lambda item: -item[1])),
        in_place,
        copied,
        [kept for graph in _graphs(module) for kept in _kept(graph, module)],
        _budgets(nodes),
        peak,
        known,
        len(plain.text.splitlines()),
        plain.backend.name,
        len(cached),
        _reports(optimized, program),
        plain_parts(lowered, optimized, refused),
        stages,
        meetings(module),
        _whole(program),
    )


def _whole(program: Program) -> str:
    """Whether a program may be one graph of CUDA's."""
    if program.capturable is None:
        return ""
    if not captures_programs():
        return "no, AUTOGRAPH_CUDA_KERNELS is not 1, or AUTOGRAPH_CUDA_GRAPHS says so"
    known = program.capturable()
    if not known.why_not:
        return f"yes, of {_count(known.calls, 'call')}"
    pieces = [
        f"\n    {name}, of {_count(piece.calls, 'call')}{_at(piece.location)}"
        for name, piece in program.pieces.items()
    ]
    return f"no, {known.why_not}{'; but in pieces:' if pieces else ''}{''.join(pieces)}"


def _reports(optimized: Module, program: Program) -> list[Report]:
    """About the native kernels; for a device about those that there could be."""
    if language_of(program.backend) == "cuda":
        found = select(without_marks(optimized), host=False)
        return list(map(report_on_device, found.kernels.values()))
    return [report(function.kernel) for function in program.kernels.values()]


def _graphs(module: Module) -> list[Graph]:
    return [module.main, *module.graphs.values()]


def _arguments(lowered: Lowered) -> list[ArgumentLeaf]:
    signature = lowered.signature
    repeated = dict(signature.repeated)
    found = []
    for position, name in enumerate(signature.names):
        text = signature.summary[name].text
        traced = position in signature.inputs or position in repeated
        why = "the caller gives up its memory" if position in lowered.donated else ""
        if position in repeated:
            why = f"the same array as '{signature.names[repeated[position]]}'"
        elif position in signature.fixed:
            why = signature.fixed[position]
        elif position in lowered.traced.generators:
            traced, why = True, "draws from it happen when the program runs"
        elif not traced and position not in signature.statics:
            why = "nobody can tell whether it changes: it can only be passed on"
        elif not traced:
            why = "it is neither an array nor a number"
            if isinstance(signature.statics[position], bool):
                why = "Python's bools are static"
        found.append(ArgumentLeaf(name, text, traced, why))
    return found


def _outside(guards: Sequence[Any]) -> list[str]:
    """What a graph depends on outside, but for the modules that names are looked up in."""
    told = [g for g in guards if isinstance(g, Guard) and not isinstance(g, Assumption)]
    texts = dict.fromkeys(guard.described() for guard in told)
    return [text for text in texts if not text.endswith(": module object")]


def _constants(module: Module, outside: dict[int, Any]) -> list[ArrayConstant]:
    found: dict[int, ArrayConstant] = {}
    for graph in _graphs(module):
        for value in _operands(graph):
            if isinstance(value, Constant) and value.is_array:
                data = value.data
                found[id(data)] = ArrayConstant(
                    value.name, value.type, int(data.nbytes), id(data) in outside
                )
    return list(found.values())


def _operands(graph: Graph) -> Iterator[Value]:
    yield from graph.outputs
    for node in walk(graph):
        yield from node.inputs
        for region in node.regions:
            yield from region.outputs


# -- residuals -------------------------------------------------------------------------------------


def _kept(graph: Graph, module: Module) -> list[RegionResiduals]:
    """What control flow leaves for the backward pass, outer regions first."""
    named = "" if graph is module.main else f" in {graph.name}"
    found: list[RegionResiduals] = []

    def visit(region: Graph, where: str, trips: int | None, location: Location | None) -> None:
        for node in region.nodes:
            if node.op is regions.pack and not node.attrs.get("cotangents"):
                residuals = tuple(residual(v) for v in node.inputs)
                found.append(RegionResiduals(where, residuals, trips, location))
            for role, inner in zip(("then", "else"), node.regions):
                if node.op is regions.cond:
                    text = f"the branch '{role}'{_at(node.location)}{named}"
                    visit(inner, text, trips, node.location)
            if is_loop(node):
                count = _trips(node)
                inner_trips = None if count is None or trips is None else count * trips
                text = f"the loop{_at(node.location)}{named}"
                visit(loop_of(node).body, text, inner_trips, node.location)

    whole = f"a call of {graph.name}" if named else "the function"
    visit(graph, whole, None if named else 1, graph.location)
    return found


def _trips(loop: Node) -> int | None:
    """How many trips a loop makes, if that is known."""
    count = loop.inputs[0].literal() if loop.op is regions.for_loop else None
    return None if count is None else int(count)


def _budgets(nodes: Sequence[Node]) -> list[tuple[Location | None, budget.Within]]:
    """What was chosen for loops with a budget. Several loops take the place of one."""
    found: dict[tuple[Location | None, budget.Within], None] = {}
    for node in nodes:
        if "within" in node.attrs:
            found[node.location, budget.Within(*node.attrs["within"])] = None
    return list(found)


# -- memory ----------------------------------------------------------------------------------------


def _peak(graph: Graph, plan: CopyPlan) -> tuple[int, bool]:
    """The most bytes of arrays made in a graph that exist at a time, and whether all lengths are
    known.

    Args:
        plan: what is done in place.
    """
    owner: dict[Value, Value] = {}  # whose memory a value is in
    for node in graph.nodes:
        is_view = node.is_view and node not in plan.views
        if is_view or node in plan.reused or (takes_over(node) and node not in plan.updates):
            target = node.inputs[plan.reused.get(node, 0)]
            owner[node.outputs[0]] = owner.get(target, target)
    last: dict[Value, int] = {}
    for index, node in enumerate(graph.nodes):
        last.update((owner.get(v, v), index) for v in (*node.uses(), *node.outputs))
    last.update((owner.get(v, v), len(graph.nodes)) for v in graph.outputs)
    ends: dict[int, list[Value]] = {}
    alive, most, known = 0, 0, True
    for index, node in enumerate(graph.nodes):
        inside = [_peak(region, plan) for region in node.regions]
        made = 0
        for value in node.outputs:
            is_array = isinstance(value.type, ArrayType) and value.type.shape != ()
            if value in owner or not is_array:
                continue
            size = type_bytes(value.type)
            known = known and size is not None
            made += size or 0
            ends.setdefault(last[value], []).append(value)
        known = known and all(flag for _, flag in inside)
        most = max(most, alive + max([made, *(size for size, _ in inside)]))
        alive += made
        alive -= sum(type_bytes(value.type) or 0 for value in ends.pop(index, ()))
    return most, known


# -- text ------------------------------------------------------------------------------------------


def _at(location: Location | None) -> str:
    return f" at {place_of(location)}" if location else ""


def _count(n: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{n} {what if n == 1 else plural}"


def _bytes(n: int) -> str:
    if is_length(n):  # as of lists that are packed, which are of any length
        return f"{n!r} bytes"
    if n < 10_000:
        return _count(n, "byte")
    return f"{n / 1024:.0f} KiB" if n < 10**7 else f"{n / 2**20:.0f} MiB"


def _argument_row(argument: ArgumentLeaf) -> tuple[str, str]:
    how = "traced" if argument.traced else "static"
    return f"{argument.name}: {argument.text}", f"{how}: {argument.why}" if argument.why else how


def _constant_row(constant: ArrayConstant) -> tuple[str, str]:
    where = "from outside, as it is at each call" if constant.outside else "known when recorded"
    name = f"{constant.name}: " if constant.name else ""
    return f"{name}{constant.type}", f"{_bytes(constant.nbytes)}, {where}"


def _residual_row(residual: KeptResidual) -> tuple[str, str]:
    size = "" if residual.nbytes is None else _bytes(residual.nbytes)
    if not isinstance(residual.type, ArrayType):
        size = "what an inner region or a call keeps"
    return f"{residual.name}: {residual.type}", f"{size}{_at(residual.location)}"


def _budget_rows(within: budget.Within) -> Iterator[tuple[str, str]]:
    kept = f"{_count(within.trips, 'trip')}, of {_bytes(within.trip_bytes)} each"
    yield "kept at a time", kept
    yield "and of", f"{_count(within.states, 'state')}, of {_bytes(within.state_bytes)} each"
    if within.known is not None:
        again = next(k for k in itertools.count() if within.known <= within.most(k))
        yield f"{within.known} trips", f"made again at most {_times(again)}"
        return
    for again in range(4):
        yield f"up to {_count(within.most(again), 'trip')}", f"made again {_times(again)}"


def _times(n: int) -> str:
    return ("never", "once", "twice")[n] if n < 3 else f"{n} times"


def _meeting_row(meeting: Meeting) -> tuple[str, str]:
    arrays = _count(meeting.arrays, "array")
    size = "of lengths known only at run time" if meeting.nbytes is None else _bytes(meeting.nbytes)
    often = "once" if meeting.times == 1 else f"{meeting.times} times"
    often = "a number of times known only at run time" if meeting.times is None else often
    sent = f"{_count(meeting.messages, 'message')} of {size} from each of {meeting.processes}"
    what = f"{meeting.operator} along {meeting.axis!r} of {arrays}{_at(meeting.location)}"
    return what, f"{sent}, {often}"


def _section(title: str, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield ""
        yield title
        yield from _rows(rows)


def _rows(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    width = min(max((len(left) for left, _ in rows), default=0), 40)
    for left, right in rows:
        yield f"  {left:{width}}  {right}".rstrip()
