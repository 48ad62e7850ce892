"""A program that tells how long each of its lines takes.

There is one *current* place at a time: a line of the program, or a kernel. Whatever time passes is
that of the current place, until another one becomes it, so that the times of all places add up. A
function that returns, or raises, gives the place back to the line that called it.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Mapping
from typing import Any

from autograph.errors import Location

ENTER = "__autograph_enter__"  # ``ENTER()`` gives the current place
LEAVE = "__autograph_leave__"  # ``LEAVE(place)`` makes it current again
MARK = "__autograph_mark__"  # ``MARK(line)`` makes a line current; the result is None
_PLACE = "__autograph_place__"


class Meter:
    """The times of places.

    Args:
        settle: called before the clock is read, where what was started runs on by itself.

    Attributes:
        seconds: by place, a line of the program or the name of a kernel; of 0 what belongs to no
            line.
        counts: how often each became current.
        running: the seconds of all runs, with what it took to measure.
    """

    def __init__(self, settle: Callable[[], Any] | None = None):
        self.seconds: dict[int | str, float] = {}
        self.counts: dict[int | str, int] = {}
        self.running = 0.0
        self._settle = settle
        self._place: int | str = 0
        self._since = self._begun = 0.0

    def start(self) -> None:
        """Begin a run."""
        self._place, self._begun = 0, time.perf_counter()
        self._since = self._begun

    def stop(self) -> None:
        """End a run."""
        self._pass(0)
        self.running += time.perf_counter() - self._begun

    def mark(self, place: int | str) -> None:
        """Make a place current."""
        self._pass(place)
        self.counts[place] = self.counts.get(place, 0) + 1
        self._since = time.perf_counter()  # what it took to write this down is nobody's

    def enter(self) -> int | str:
        """The current place."""
        return self._place

    def leave(self, place: int | str) -> None:
        """Make a place that was current before current again."""
        self._pass(place)
        self._since = time.perf_counter()

    def _pass(self, place: int | str) -> None:
        if self._settle is not None:
            self._settle()
        passed = time.perf_counter() - self._since
        self.seconds[self._place] = self.seconds.get(self._place, 0.0) + passed
        self._place = place

    def kernel(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel that becomes the current place while it runs."""

        def measured(*inputs: Any) -> Any:
            before = self._place
            self.mark(name)
            try:
                return function(*inputs)
            finally:
                self.leave(before)

        return measured

    @property
    def names(self) -> dict[str, Callable[..., Any]]:
        """What a program with marks refers to."""
        return {ENTER: self.enter, LEAVE: self.leave, MARK: self.mark}


def with_marks(tree: ast.Module, lines: Mapping[int, Location]) -> ast.Module:
    """The functions of a program, with marks where another line of the user's begins.

    Args:
        tree: the program.
        lines: of the program, with the user's: helpers have none, and are left out. They run in the
            time of the line that calls them.
    """
    marks = _Marks(lines)
    functions = [f for f in tree.body if isinstance(f, ast.FunctionDef) and _has(f, lines)]
    return ast.fix_missing_locations(ast.Module([marks.function(f) for f in functions], []))


def _has(function: ast.FunctionDef, lines: Mapping[int, Location]) -> bool:
    return any(getattr(node, "lineno", None) in lines for node in ast.walk(function))


class _Marks:
    def __init__(self, lines: Mapping[int, Location]):
        self._lines = lines

    def function(self, function: ast.FunctionDef) -> ast.FunctionDef:
        place = ast.Assign([ast.Name(_PLACE, ast.Store())], _call(ENTER))
        back = ast.Expr(_call(LEAVE, ast.Name(_PLACE, ast.Load())))
        body = ast.Try(self._block(function.body), [], [], [back])
        function.body = [_at(place, function), _at(body, function)]
        return function

    def _block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        current = None
        for statement in block:
            line = statement.lineno
            place = self._lines.get(line)
            if place is not None and place[:2] != current:
                made.append(_at(ast.Expr(_call(MARK, ast.Constant(line))), statement))
                current = place[:2]
            made.append(statement)
            if isinstance(statement, ast.While) and place is not None:
                again = _call(MARK, ast.Constant(line))  # at each trip
                test = ast.BoolOp(ast.Or(), [again, statement.test])
                statement.test = _at(test, statement)
            if isinstance(statement, (ast.While, ast.For, ast.If)):
                statement.body = self._block(statement.body)
                statement.orelse = self._block(statement.orelse)
                current = None
        return made


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _at(node: Any, place: ast.stmt) -> Any:
    """A new node with the line of another one, which tracebacks show."""
    for inner in ast.walk(node):
        if not hasattr(inner, "lineno"):
            ast.copy_location(inner, place)
    return node
