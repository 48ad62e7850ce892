"""A generated program: its text, and the function that it defines."""

from __future__ import annotations

import functools
import itertools
import linecache
import traceback
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

from autograph.errors import AutographError, Location

_serial = itertools.count()


class Program:
    """Python source generated from a graph.

    Attributes:
        name: the name of its main function.
        text: the source. It needs the array library and, by name, its array constants.
        constants: the array constants, as given by the user.
        locations: the place in the user's source that a line of the text came from.
        filename: what tracebacks call the text. They show its lines.

    Args:
        backend: a module of `autograph.backends`; its library is imported when `function` is first
            used.
    """

    def __init__(
        self,
        name: str,
        text: str,
        constants: dict[str, Any],
        locations: dict[int, Location],
        backend: ModuleType,
    ):
        self.name = name
        self.text = text
        self.constants = constants
        self.locations = locations
        self.backend = backend
        self.filename = f"<autograph {name} {next(_serial)}>"

    def __str__(self) -> str:
        return self.text

    def location_of(self, error: BaseException) -> Location | None:
        """The place in the user's source whose code was running when ``error`` was raised."""
        found = None
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == self.filename:
                found = self.locations.get(line, found)
        return found

    def annotate(self, error: BaseException) -> None:
        """Make ``error`` show that place: as a note, or as its cause before Python 3.11."""
        location = self.location_of(error)
        if location is None:
            return
        if hasattr(error, "add_note"):
            error.add_note("\n".join(filter(None, (f"  at {location}", location.excerpt()))))
        elif error.__cause__ is None:
            error.__cause__ = AutographError("this line of the function failed", location)

    @functools.cached_property
    def function(self) -> Callable[..., Any]:
        """The main function, compiled.

        Raises:
            ImportError: the backend's array library is not installed.
        """
        self.backend.module()
        namespace = {name: self.backend.from_host(data) for name, data in self.constants.items()}
        namespace["__name__"] = self.filename
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.filename] = (len(self.text), None, lines, self.filename)
        exec(compile(self.text, self.filename, "exec"), namespace)
        function = namespace[self.name]
        # Whoever holds the function may still see a traceback from it.
        weakref.finalize(function, linecache.cache.pop, self.filename, None)
        return function
