"""What is compiled, at the bottom of all transforms, as something that others may be like: a
function with closure variables, a method of an object, an object that is called, a function with
some of its arguments.

Each consists of what others that are like it have as well, and of *variables*, which may be others
in each. A *stand-in* for all of them finds the latter in cells, see
`autograph.api.recording.alike`.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.api.recording.attached import ATTRIBUTE
from autograph.source.load import assigned_elsewhere, is_converted
from autograph.source.tree.free import Lookup, is_data
from autograph.staging.border.guards import FIELDS
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder

Binding = tuple[Any, str, Any]  # a place that holds something, the name there, and what it holds

_VALUES = {bool, int, float, complex, str, bytes, type(None)}


class Shareable(ABC):
    """What is compiled.

    Attributes:
        variables: gives what each of its variables holds now, `MISSING` if nothing.
        fixed: what is the same in others that are like it.
        own: the names of variables that hold the function itself, or, if that is False, what is
            made of it.
    """

    def __init__(self) -> None:
        self.variables: dict[str, Callable[[], Any]] = {}
        self.fixed: dict[str, Any] = {}
        self.own: dict[str, bool] = {}

    @abstractmethod
    def key(self) -> Hashable:
        """What those have in common that are like it; as long as there is a stand-in, that keeps
        alive what has the identities in it."""

    @abstractmethod
    def stand_in(self, cells: Mapping[str, CellType], make: Callable[..., Any]) -> Any:
        """What is like it, and finds its variables in cells.

        Args:
            cells: by the names of variables and of what is fixed.
            make: makes a compiled function of what runs while recording, and of its source.
        """

    def bindings(self) -> list[Binding]:
        """What must stay as it is."""
        return []


class Closure(Shareable):
    """A function. What its closure variables and the defaults of its parameters hold may differ,
    but for functions and other things that code finds as they are."""

    def __init__(self, function: FunctionType, called: Any):
        super().__init__()
        self._function = function
        self._cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        for name, cell in self._cells.items():
            value = cell.cell_contents
            if value is function or value is called:
                self.own[name] = value is function
            elif _may_differ(value):
                self.variables[name] = Lookup(cell, name)
            else:
                self.fixed[name] = value
        # The parameters whose defaults may differ, and where they stand among those without names.
        # One that refers to itself calls itself with its own defaults.
        self._places = {} if self.own else dict(_defaults_that_differ(function))
        for name, (_, value) in self._places.items():
            self.variables[name] = functools.partial(_same, value)

    def _defaults(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The defaults of parameters with and without places, those that may differ left out."""
        function, names = self._function, self._places
        defaults = function.__defaults__ or ()
        first = function.__code__.co_argcount - len(defaults)
        left_out = {place - first for place, _ in names.values() if place is not None}
        plain = tuple(None if k in left_out else v for k, v in enumerate(defaults))
        keywords = function.__kwdefaults__ or {}
        return plain, {k: None if k in names else v for k, v in keywords.items()}

    def key(self) -> Hashable:
        function = self._function
        plain, keywords = self._defaults()
        return (
            *(id(function.__code__), id(function.__globals__), function.__name__),
            *(tuple(map(id, plain)), tuple((k, id(v)) for k, v in keywords.items())),
            *(tuple(self.variables), tuple((k, id(v)) for k, v in self.fixed.items())),
            tuple(self.own.items()),
        )

    def stand_in(self, cells: Mapping[str, CellType], make: Callable[..., Any]) -> Any:
        function = self._function
        plain, keywords = self._defaults()
        made = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            plain or None,
            tuple(cells[name] for name in self._cells),
        )
        for name in ("__annotations__", "__qualname__", "__doc__", "__module__"):
            setattr(made, name, getattr(function, name))
        made.__kwdefaults__ = keywords or None
        if not self._places:
            return made
        places = {name: place for name, (place, _) in self._places.items()}

        def run(*args: Any, **kwargs: Any) -> Any:
            for name, place in places.items():
                if name not in kwargs and (place is None or place >= len(args)):
                    kwargs[name] = _held(cells[name], name)
            return recorder().call(made, args, kwargs)

        return make(run, source=made)

    def bindings(self) -> list[Binding]:
        same = [Lookup(self._cells[name], name) for name in (*self.fixed, *self.own)]
        keywords = self._function.__kwdefaults__ or {}
        same += [Lookup(keywords, name) for name in keywords]
        return [
            *((self._function, field, getattr(self._function, field)) for field in FIELDS),
            *((variable.place, variable.name, variable()) for variable in same),
        ]


class OfObject(Shareable):
    """A method of an object, or an object that is called."""

    def __init__(self, function: FunctionType, owner: Any, is_called: bool):
        super().__init__()
        self.fixed = {"function": function}
        self.variables = {"self": lambda: owner}
        self._is_called = is_called

    def key(self) -> Hashable:
        return id(self.fixed["function"]), self._is_called

    def stand_in(self, cells: Mapping[str, CellType], make: Callable[..., Any]) -> Any:
        function, is_called = self.fixed["function"], self._is_called

        def run(*args: Any, **kwargs: Any) -> Any:
            owner = _held(cells["self"], "self")
            used = owner if is_called else MethodType(function, owner)
            return recorder().call(used, args, kwargs)

        return make(run, source=function)


class Partial(Shareable):
    """A function with some of its arguments."""

    def __init__(self, function: FunctionType, args: tuple, keywords: dict[str, Any]):
        super().__init__()
        self.fixed = {"function": function}
        self.variables = {"args": lambda: args, "keywords": lambda: keywords}

    def key(self) -> Hashable:
        return id(self.fixed["function"]), "partial"

    def stand_in(self, cells: Mapping[str, CellType], make: Callable[..., Any]) -> Any:
        function = self.fixed["function"]

        def run(*args: Any, **kwargs: Any) -> Any:
            given, keywords = (_held(cells[name], name) for name in ("args", "keywords"))
            used = functools.partial(function, *given, **keywords)
            return recorder().call(used, args, kwargs)

        return make(run, source=function)


def _may_differ(value: Any) -> bool:
    """Whether it is data, which may be another one in functions that are alike."""
    return type(value) in _VALUES or is_data(value) or isinstance(value, np.generic)


def _defaults_that_differ(
    function: FunctionType,
) -> Iterator[tuple[str, tuple[int | None, Any]]]:
    """The parameters that may be given by name and whose defaults are data: with their places, if
    they have some, and the defaults."""
    code, defaults = function.__code__, function.__defaults__ or ()
    first = code.co_argcount - len(defaults)
    for place, value in enumerate(defaults, first):
        if place >= code.co_posonlyargcount and _may_differ(value):
            yield code.co_varnames[place], (place, value)
    for name, value in (function.__kwdefaults__ or {}).items():
        if _may_differ(value):
            yield name, (None, value)


def _same(value: Any) -> Any:
    return value


def _held(cell: CellType, name: str) -> Any:
    """What a variable of a stand-in holds, as code sees it while it is recorded."""
    outside = recorder().outside
    found = outside.input_cell(Lookup(cell, name))
    return outside.capture(name, cell.cell_contents) if found is None else found.cell_contents


def base_of(function: Any, called: Any) -> Shareable | None:
    """What is compiled; None if what is like it can't share that.

    Args:
        function: the user's.
        called: what is made of it.
    """
    kind = type(function)
    if kind is FunctionType:
        return _closure(function, called)
    if kind is MethodType and is_user_object(function.__self__):
        is_plain = type(function.__func__) is FunctionType
        return OfObject(function.__func__, function.__self__, False) if is_plain else None
    if kind is functools.partial and type(function.func) is FunctionType:
        is_plain = not vars(function)
        return Partial(function.func, function.args, function.keywords) if is_plain else None
    method = getattr(kind, "__call__", None)  # noqa: B004
    if is_user_object(function) and type(method) is FunctionType:
        return OfObject(method, function, True)
    return None


def _closure(function: FunctionType, called: Any) -> Closure | None:
    code = function.__code__
    if is_converted(code) or vars(function).keys() - {ATTRIBUTE}:
        return None
    if code.co_freevars and not assigned_elsewhere(function).isdisjoint(code.co_freevars):
        return None
    try:
        return Closure(function, called)
    except ValueError:  # a variable has not been assigned yet
        return None
