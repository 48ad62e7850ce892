"""How long the lines of a function take; see `GraphFunction.profile`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from autograph import html
from autograph.api.calls.compiled import CallParts, Compiled
from autograph.api.pipeline import program_of
from autograph.api.plain_parts import place_of, source_line
from autograph.api.recording.cached import CachedFunction
from autograph.closure import closure
from autograph.codegen.measuring import Meter
from autograph.codegen.program import Program
from autograph.errors import Location, OptionError
from autograph.graph.graph import called, walk
from autograph.kernels import floating_errors
from autograph.nonfinite import wanted

# What the rows are that are neither lines nor kernels.
CALL = "the call itself: arguments and results"
OWN = "the program: what belongs to no line"


@dataclass(frozen=True)
class ProfileRow:
    """A line of the user's source, a kernel, or something else that takes time.

    Attributes:
        kind: "line", "kernel" or "other".
        name: of a kernel, or what something else is; "" of lines.
        places: of a line this; of a kernel the lines that it computes. How its time is distributed
            among several nobody knows: what they do is done in the same loops.
        seconds: that all runs together spent in it, without what it calls that has a row.
        count: how often it was begun, in all runs.
        share: of the seconds of all rows.
    """

    kind: str
    name: str
    places: tuple[Location, ...]
    seconds: float
    count: int
    share: float

    @property
    def place(self) -> str:
        """File and line, or of a kernel the lines."""
        lines: dict[str, list[int]] = {}
        for location in self.places:
            lines.setdefault(place_of(location).rpartition(":")[0], []).append(location.line)
        return ", ".join(f"{file}:{_ranges(numbers)}" for file, numbers in lines.items())

    @property
    def source(self) -> str:
        """The text of the line, if it is one."""
        if len(self.places) != 1:
            return ""
        (location,) = self.places
        return source_line(location.file, location.line)

    @property
    def what(self) -> str:
        """What it is, in words."""
        if self.kind == "kernel":
            return f"kernel {self.name}: {self.place}  {self.source}".rstrip()
        return self.name or f"{self.place}  {self.source}"


@dataclass
class Profile(html.Shown):
    """How long the lines and kernels of a function took; made by `GraphFunction.profile`.

    All times are wall-clock time in seconds.

    Attributes:
        name: of the function.
        location: where it is.
        runs: how often it was run.
        seconds: that the runs took together. It is the sum of those of the rows.
        recording: that recording it and generating its program took, now; 0 if an earlier call has.
        compiling: that compiling its kernels took, now; less where machine code is found on disk.
        measuring: that it took besides to read the clock; not counted elsewhere.
        rows: what took the time, most first; the shares add up to 1.
        result: of the last run.
    """

    name: str
    location: Location | None
    runs: int
    seconds: float
    recording: float
    compiling: float
    measuring: float
    rows: list[ProfileRow]
    result: Any = field(default=None, repr=False)

    @property
    def lines(self) -> list[ProfileRow]:
        """The rows of lines that ran in the array library, or in Python."""
        return [row for row in self.rows if row.kind == "line"]

    @property
    def kernels(self) -> list[ProfileRow]:
        """The rows of kernels."""
        return [row for row in self.rows if row.kind == "kernel"]

    @property
    def head(self) -> str:
        """What was run, and how long it took."""
        at = f" at {place_of(self.location)}" if self.location else ""
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        measuring = f"and {time_text(self.measuring)} to measure it"
        return f"{self.name}{at}: {time_text(self.seconds)} in {runs}, {measuring}"

    @property
    def before(self) -> str:
        """What was done before the runs."""
        if not (self.recording or self.compiling):
            return "recorded and compiled by an earlier call"
        times = [time_text(seconds) for seconds in (self.recording, self.compiling)]
        return f"before: {times[0]} to record it, {times[1]} to compile its kernels"

    def __str__(self) -> str:
        rows = [("share", "seconds", "times", "")]
        for row in self.rows:
            count = f"{row.count}" if row.count else ""
            rows.append((f"{row.share:.1%}", f"{row.seconds:.3g}", count, row.what))
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [
            "  ".join([*(text.rjust(n) for text, n in zip(row, widths)), row[3]]).rstrip()
            for row in rows
        ]
        return "\n".join((self.head, self.before, "", *lines))

    def _repr_html_(self) -> str:
        columns = ("share", "", "seconds", "times", "where", "source")
        rows = [
            (
                f"{row.share:.1%}",
                html.Bar(row.share, _COLOURS[row.kind]),
                f"{row.seconds:.3g}",
                f"{row.count or ''}",
                f"kernel {row.name}: {row.place}" if row.kind == "kernel" else row.place,
                row.name if row.kind == "other" else row.source,
            )
            for row in self.rows
        ]
        head = f"<h4>{html.escape(self.head)}</h4><p>{html.escape(self.before)}</p>"
        return head + html.table(columns, rows)

    def svg(self) -> str:
        """The rows as a picture of bars."""
        return html.bars(
            self.head, [(row.share, _COLOURS[row.kind], row.what) for row in self.rows]
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to a file, if its name ends in ``.svg``, else the table as a page."""
        is_picture = fspath(path).endswith(".svg")
        text = self.svg() if is_picture else html.page(self.name, self._repr_html_())
        Path(path).write_text(text, encoding="utf-8")


_COLOURS = {"line": "#0969da", "kernel": "#1a7f37", "other": "#afb8c1"}


class MeasuredCall(Compiled):
    """A compiled function that runs a program with marks, which computes the same.

    Attributes:
        seconds: that all calls took.
    """

    def __init__(self, compiled: Compiled):
        vars(self).update(vars(compiled))
        self.program = program_of(compiled.module, replace(compiled.compilation, apart=True))
        self.meter = _meter_of(self.program)
        self.seconds = 0.0
        native = not (floating_errors.matter() and self.program.backend.host)
        measured = self.program.measured(self.meter, native)
        if not self.program.backend.host:
            measured = self.on_device(measured)
        self._measured = measured

    def function(self) -> Callable[..., Any]:
        return self._metered

    def _metered(self, *inputs: Any) -> Any:
        self.meter.start()
        try:
            return self._measured(*inputs)
        finally:
            self.meter.stop()

    def run(self, leaves: Sequence[Any], call: CallParts) -> Any:
        start = time.perf_counter()
        try:
            return super().run(leaves, call)
        finally:
            self.seconds += time.perf_counter() - start


def _meter_of(program: Program) -> Meter:
    """A meter for a program, which waits for what a device has been told to do."""
    if program.backend.host:
        return Meter()
    cuda = getattr(program.backend.module(), "cuda", None)
    return Meter(None if cuda is None else cuda.Device().synchronize)


class _Calls:
    """The measured forms of what calls of a function find, one for each.

    Attributes:
        last: the one that was asked for last.
        recording, compiling: the seconds that it took to have what calls find, if it was not there.
    """

    def __init__(self, known: Sequence[Compiled]):
        self._known = known
        self._made: dict[Compiled, MeasuredCall] = {}
        self._start = time.perf_counter()
        self.last: MeasuredCall | None = None
        self.recording = self.compiling = 0.0

    def measured(self, compiled: Compiled) -> MeasuredCall:
        """That of what a call has found."""
        if compiled not in self._made:
            found = time.perf_counter()
            compiled.native  # noqa: B018, its kernels are compiled now
            if not any(compiled is other for other in self._known):
                self.recording += found - self._start
                self.compiling += time.perf_counter() - found
            self._made[compiled] = MeasuredCall(compiled)
        self._start = time.perf_counter()
        self.last = self._made[compiled]
        return self.last


def profile(function: CachedFunction, args: tuple, kwargs: dict[str, Any], repeat: Any) -> Profile:
    """Run a function that tells how long its lines take; see `GraphFunction.profile`."""
    runs = _checked(repeat)
    calls = _Calls(function.compiled_forms())
    result = None
    for _ in range(runs):
        result = function.run_by(calls.measured, args, kwargs)
    call = calls.last
    assert call is not None
    rows, seconds, measuring = _rows(call)
    location = call.module.main.location
    before = calls.recording, calls.compiling
    return Profile(function.name, location, runs, seconds, *before, measuring, rows, result)


def _checked(repeat: Any) -> int:
    """How often a function shall be run.

    Raises:
        OptionError: it is no int of 1 or more, or the function shall stop at NaNs.
    """
    if wanted.get():
        raise OptionError(
            "'profile' does not look for NaNs and infinities",
            id="AG0623",
            fix="call it outside of the blocks of ag.debug.nans() and ag.debug.infinities()",
        )
    if isinstance(repeat, int) and not isinstance(repeat, bool) and repeat >= 1:
        return repeat
    raise OptionError(
        f"'profile' cannot run a function {repeat!r} times",
        id="AG0623",
        fix="give `repeat` as an int of 1 or more",
    )


def _rows(call: MeasuredCall) -> tuple[list[ProfileRow], float, float]:
    """The rows of what was measured, the seconds of all, and those that it took to measure."""
    meter, locations = call.meter, call.program.locations
    spent: dict[tuple[str, str, tuple[Location, ...]], tuple[float, int]] = {}
    for place, seconds in meter.seconds.items():
        key: tuple[str, str, tuple[Location, ...]] = ("other", OWN, ())
        if isinstance(place, str):
            key = ("kernel", place, _lines_of(call, place))
        elif place in locations:
            key = ("line", "", (_line(locations[place]),))
        before, count = spent.get(key, (0.0, 0))
        spent[key] = before + seconds, count + meter.counts.get(place, 0)
    inside = sum(seconds for seconds, _ in spent.values())
    spent["other", CALL, ()] = max(call.seconds - max(meter.running, inside), 0.0), 0
    total = sum(seconds for seconds, _ in spent.values())
    rows = [
        ProfileRow(*key, seconds, count, seconds / total) for key, (seconds, count) in spent.items()
    ]
    return sorted(rows, key=lambda row: -row.seconds), total, max(meter.running - inside, 0.0)


def time_text(seconds: float) -> str:
    """A time in words."""
    if seconds < 1e-3:
        return f"{1e6 * seconds:.0f} us"
    return f"{1e3 * seconds:.2f} ms" if seconds < 1.0 else f"{seconds:.2f} s"


def _line(location: Location) -> Location:
    """The line of a place."""
    return location._replace(column=None, function=None, outside=None)


def _lines_of(call: MeasuredCall, kernel: str) -> tuple[Location, ...]:
    """The lines that a kernel computes, with those of functions that it has built in. What it has
    Python compute is where that is called."""
    graph, graphs = call.program.kernels[kernel].graph, call.module.graphs
    built_in = filter(graphs.__contains__, called(graph))
    names = closure(built_in, lambda name: called(graphs[name]))
    computed = (graph, *map(graphs.__getitem__, names))
    lines = {_line(node.location) for g in computed for node in walk(g) if node.location}
    return tuple(sorted(lines, key=lambda location: (location.file, location.line)))


def _ranges(numbers: list[int]) -> str:
    """Numbers that rise, as in ``3-5, 8``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else f"{p[0]}" for p in parts)
