"""Lists of passes: run in order, and watched by who wants to see what each of them does.

A pass takes what the one before it has made (a syntax tree, a module of graphs) and gives what the
next one takes; if it finds nothing to do, the very same object. The passes of a function's source
are in `autograph.source.conversion`, all that follow in `autograph.api.pipeline`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from autograph import html
from ops.core.records import NamedTuple, dataclass


class Pass(NamedTuple):
    """One pass.

    Attributes:
        name: by which `autograph.GraphFunction.stages` knows it.
        does: what it does, in a line.
        run: called with what it works on, and with what else all passes of its list may ask for.
    """

    name: str
    does: str
    run: Callable[[Any, Any], Any]


# Called after each pass, with what it took and made, and how many seconds it took.
Observer = Callable[[Pass, Any, Any, float], None]


def run(
    passes: Iterable[Pass],
    value: Any,
    context: Any,
    *,
    check: Callable[[Any], None] | None = None,
    watch: Observer | None = None,
) -> Any:
    """What passes make of a value, one after the other.

    Args:
        context: what they may ask for besides.
        check: called with what each pass has made, if that is new.
    """
    for step in passes:
        start = time.perf_counter()
        result = step.run(value, context)
        seconds = time.perf_counter() - start
        if check is not None and result is not value:
            check(result)
        if watch is not None:
            watch(step, value, result, seconds)
        value = result
    return value


@dataclass(frozen=True)
class Stage(html.Shown):
    """What a pass made of a function; ``str`` shows it.

    Attributes:
        name, does: of the pass.
        before, after: what it took and what it made; their ``str`` are texts.
        seconds: how long it took.
    """

    name: str
    does: str
    before: Any
    after: Any
    seconds: float

    @property
    def changed(self) -> bool:
        """Whether the pass changed anything that can be read."""
        return self.before is not self.after and str(self.before) != str(self.after)

    @property
    def summary(self) -> str:
        """What it does, and how long it took."""
        nothing = "" if self.changed else "changed nothing, "
        return f"{self.does}: {nothing}{1e3 * self.seconds:.2f} ms"

    def __str__(self) -> str:
        head = f"{self.name}: {self.summary}\n"
        if not self.changed:
            return f"{head}\n{self.after}"
        return f"{head}\n-- before\n{self.before}\n-- after\n{self.after}"


class Stages(html.Shown, Mapping[str, Stage]):
    """The stages of a function, by the names of the passes, in order; ``str`` lists them."""

    def __init__(self) -> None:
        self._stages: dict[str, Stage] = {}

    def add(self, step: Pass, before: Any, after: Any, seconds: float) -> None:
        """An `Observer` that keeps what it is told."""
        self._stages[step.name] = Stage(step.name, step.does, before, after, seconds)

    def __getitem__(self, name: str) -> Stage:
        return self._stages[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stages)

    def __len__(self) -> int:
        return len(self._stages)

    def __str__(self) -> str:
        return "\n".join(f"{name:<8}  {stage.summary}" for name, stage in self._stages.items())

    def _repr_html_(self) -> str:
        rows = [
            (name, stage.does, "" if stage.changed else "nothing", f"{1e3 * stage.seconds:.2f}")
            for name, stage in self._stages.items()
        ]
        return html.table(("pass", "what it does", "changed", "ms"), rows)
