"""What is compiled, at the bottom of all transforms, as something that others may be like: a
function with closure variables, a method of an object, an object that is called, a function with
some of its arguments.

Each consists of what others that are like it have as well, and of *variables*, which may be others
in each. A *stand-in* for all of them finds the latter in cells, see
`autograph.api.recording.alike`.
"""

from __future__ import annotations

import contextlib
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.api.recording.attached import ATTRIBUTE
from autograph.errors import AutographError
from autograph.source.load import assigned_elsewhere, is_converted, only_called
from autograph.source.tree.free import Lookup, is_data
from autograph.source.tree.libraries import OWN_PACKAGES, is_library_file, package_of
from autograph.staging.border.guards import FIELDS
from autograph.staging.containers.structure import Flattener
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.given_rows import ATOMS

Binding = tuple[Any, str, Any]  # a place that holds something, the name there, and what it holds

_VALUES = {bool, int, float, complex, str, bytes, type(None)}


# What is given where a function is wanted, and may be another one of the same code each time.
FUNCTIONS = frozenset({FunctionType, MethodType, functools.partial})


class Shareable(ABC):
    """What is compiled.

    Attributes:
        variables: gives what each of its variables holds now, `MISSING` if nothing.
        fixed: what is the same in others that are like it.
        own: the names of variables that hold the function itself, or, if that is False, what is
            made of it.
        names: what variables are called in the source, where others have that name, too.
    """

    def __init__(self) -> None:
        self.variables: dict[str, Callable[[], Any]] = {}
        self.names: dict[str, str] = {}
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

    def holds_the_same(self) -> bool:
        """Whether the functions that its variables hold are those that they were."""
        return True

    def stand_ins(
        self, cells: Mapping[str, CellType], make: Callable[..., Any]
    ) -> Mapping[int, GivenFunction]:
        """What is recorded in place of functions that it is given, or that its variables hold, by
        the places of these; see `stand_in`."""
        return {}

    def in_place(self, stand_ins: Mapping[int, GivenFunction]) -> Mapping[int, GivenFunction]:
        """The stand-ins, by the identities of the functions."""
        return {}

    def constants(self) -> list[Any]:
        """The functions among them that are the same in those that are like it."""
        return []


class _Function:
    """A function that is like others.

    Args:
        function: the function.
        cells: its closure variables, by the names that these have among those of all functions.
        differing: the parameters whose defaults may differ.
    """

    def __init__(
        self, function: FunctionType, cells: tuple[str, ...], differing: Collection[str] = ()
    ):
        self.function = function
        self.cells = cells
        code, defaults = function.__code__, function.__defaults__ or ()
        names = code.co_varnames[code.co_argcount - len(defaults) :]
        keywords = (function.__kwdefaults__ or {}).items()
        # The defaults of parameters with places, and of the others; None where they may differ.
        self.plain = tuple(None if k in differing else v for k, v in zip(names, defaults))
        self.keywords = {k: None if k in differing else v for k, v in keywords}

    def key(self) -> Hashable:
        function, keywords = self.function, self.keywords.items()
        return (
            *(id(function.__code__), id(function.__globals__), function.__name__, self.cells),
            *(tuple(map(id, self.plain)), tuple((k, id(v)) for k, v in keywords)),
        )

    def like_it(self, cells: Mapping[str, CellType]) -> FunctionType:
        """Another function, which finds its closure variables in other cells."""
        function = self.function
        made = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            self.plain or None,
            tuple(cells[name] for name in self.cells),
        )
        for name in ("__annotations__", "__qualname__", "__doc__", "__module__"):
            setattr(made, name, getattr(function, name))
        made.__kwdefaults__ = dict(self.keywords) or None
        return made

    def bindings(self) -> Iterator[Binding]:
        for field in FIELDS:
            yield self.function, field, getattr(self.function, field)
        keywords = self.function.__kwdefaults__ or {}
        for name, value in keywords.items():
            yield keywords, name, value


class Closure(Shareable):
    """A function. What its closure variables and the defaults of its parameters hold may differ,
    but for functions and other things that code finds as they are. What the variables of functions
    hold that are only called may differ again."""

    def __init__(self, function: FunctionType, called: Any, takes_functions: bool = True):
        super().__init__()
        # By identities: a reference to what is called would be one in a circle, and large arrays in
        # closure variables would stay until the collector comes.
        self._itself = {id(called): False, id(function): True}
        self._takes_functions = takes_functions
        self._cells: dict[str, CellType] = {}
        self._of_cells: dict[int, str] = {}  # their names, by their identities
        self._only_called: set[str] = set()  # the names of those that hold functions to take
        self._taken: dict[str, _Function] = {}  # these, by the names of their cells
        defaults = dict(_defaults_that_differ(function))
        self._reserved = defaults.keys()
        cells = self._names_of(function)
        # The parameters whose defaults may differ, and where they stand among those without names.
        # One that refers to itself calls itself with its own defaults.
        self._places = {} if self.own else {name: place for name, (place, _) in defaults.items()}
        for name in self._places:
            self.variables[name] = functools.partial(_same, defaults[name][1])
        self._base = _Function(function, cells, self._places.keys())

    def _names_of(self, function: FunctionType) -> tuple[str, ...]:
        """The names of a function's cells, some of which others have as well."""
        found = []
        only = only_called(function) if function.__closure__ and self._takes_functions else ()
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            known = self._of_cells.get(id(cell))
            if known is None:
                known = self._add(name, cell, name in only)
            elif known in self._only_called and name not in only:
                raise _SeenElsewhereError
            found.append(known)
        return tuple(found)

    def _add(self, name: str, cell: CellType, is_only_called: bool) -> str:
        """A name for a cell that is met first now."""
        unique = name
        while unique in self._cells or unique in self._reserved:
            unique += "_"
        if unique != name:
            self.names[unique] = name
        self._cells[unique], self._of_cells[id(cell)] = cell, unique
        value = cell.cell_contents
        if id(value) in self._itself:
            self.own[unique] = self._itself[id(value)]
        elif _may_differ(value):
            self.variables[unique] = Lookup(cell, name)
        elif is_only_called and _is_made(value):
            self._only_called.add(unique)
            self._taken[unique] = _Function(value, self._names_of(value))
        else:
            self.fixed[unique] = value
        return unique

    def key(self) -> Hashable:
        return (
            self._base.key(),
            tuple((name, taken.key()) for name, taken in self._taken.items()),
            *(tuple(self.variables), tuple((k, id(v)) for k, v in self.fixed.items())),
            tuple(self.own.items()),
        )

    def stand_in(self, cells: Mapping[str, CellType], make: Callable[..., Any]) -> Any:
        every = {**cells, **{name: CellType() for name in self._taken}}
        for name, taken in self._taken.items():
            every[name].cell_contents = taken.like_it(every)
        made, places = self._base.like_it(every), self._places
        if not places:
            return made

        def run(*args: Any, **kwargs: Any) -> Any:
            for name, place in places.items():
                if name not in kwargs and (place is None or place >= len(args)):
                    kwargs[name] = _held(cells[name], name)
            return recorder().call(made, args, kwargs)

        return make(run, source=made)

    def bindings(self) -> list[Binding]:
        cells = [
            (self._cells[k], self.names.get(k, k)) for k in (*self.fixed, *self.own, *self._taken)
        ]
        functions = self._base, *self._taken.values()
        return [
            *(binding for function in functions for binding in function.bindings()),
            *((cell, name, cell.cell_contents) for cell, name in cells),
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


class Taking(Shareable):
    """A function, with those that it is given, or finds in its variables.

    Args:
        base: the function.
        given: those, each once, in the order in which they are met.

    Attributes:
        others: those of them that may be other ones of the same code in each call, by place.
    """

    def __init__(self, base: Shareable, given: Sequence[Any]):
        super().__init__()
        self.base, self.given = base, given
        self.variables.update(base.variables)
        self.names.update(base.names)
        self.fixed.update(base.fixed)
        self.own.update(base.own)
        found = {place: _part_of(value) for place, value in enumerate(given)}
        self.others = {place: part for place, part in found.items() if part is not None}
        self._own_names: dict[tuple[int, str], str] = {}
        for place, part in self.others.items():
            for name, get in part.variables.items():
                own = self._name(place, name)
                self.variables[own] = get
                self.names[own] = part.names.get(name, name)
            self.fixed.update((self._name(place, k), v) for k, v in part.fixed.items())

    def _name(self, place: int, name: str) -> str:
        """What a variable of a function that is given is called here."""
        found = f"{name}_{place}"
        while found in self.variables or found in self.fixed or found in self.own:
            found += "_"
        return self._own_names.setdefault((place, name), found)

    def key(self) -> Hashable:
        others = self.others
        places = enumerate(self.given)
        given = tuple(others[i].key() if i in others else id(value) for i, value in places)
        return self.base.key(), given

    def constants(self) -> list[Any]:
        return [value for place, value in enumerate(self.given) if place not in self.others]

    def in_place(self, stand_ins: Mapping[int, GivenFunction]) -> dict[int, GivenFunction]:
        return {id(self.given[place]): one for place, one in stand_ins.items()}

    def stand_in(self, cells: Mapping[str, CellType], make: Callable[..., Any]) -> Any:
        return self.base.stand_in(cells, make)

    def stand_ins(
        self, cells: Mapping[str, CellType], make: Callable[..., Any]
    ) -> dict[int, GivenFunction]:
        found = {}
        for place, part in self.others.items():
            names = *part.variables, *part.fixed
            inside = {name: cells[self._own_names[place, name]] for name in names}
            inside.update((name, CellType()) for name in part.own)
            made = part.stand_in(inside, make)
            for name in part.own:
                inside[name].cell_contents = made
            found[place] = GivenFunction(made)
        return found

    def holds_the_same(self) -> bool:
        now = functions_in(get() for get in self.base.variables.values())
        return [*map(id, now)] == [*map(id, self.given)]

    def bindings(self) -> list[Binding]:
        parts = self.base, *self.others.values()
        return [binding for part in parts for binding in part.bindings()]


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


def functions_in(values: Iterable[Any]) -> list[Any]:
    """The functions in values, and in what their variables hold, each once."""
    found: dict[int, Any] = {}
    pending = [values]
    while pending:
        for value in pending.pop():
            if type(value) in ATOMS:
                continue
            leaves = [value] if type(value) in FUNCTIONS else Flattener().flatten(value)[0]
            for leaf in leaves:
                if type(leaf) not in FUNCTIONS or id(leaf) in found:
                    continue
                found[id(leaf)] = leaf
                part = _part_of(leaf)
                if part is not None:
                    pending.append([get() for get in part.variables.values()])
    return [*found.values()]


def _part_of(function: Any) -> Shareable | None:
    """What a function that is given is; None if it is the same in calls that are alike."""
    is_function = type(function) is FunctionType
    if is_function and "<locals>" not in function.__qualname__ and function.__name__ != "<lambda>":
        return None  # of a module or class, which has it by its name
    return base_of(function, function)


def _closure(function: FunctionType, called: Any) -> Closure | None:
    try:
        if not _is_plain(function):
            return None
        with contextlib.suppress(_SeenElsewhereError):
            return Closure(function, called)
        return Closure(function, called, takes_functions=False)
    except ValueError:  # a variable has not been assigned yet
        return None


def _is_plain(function: Any) -> bool:
    """Whether it is a function of the user's that has nothing but code, variables and defaults, and
    whose variables no function assigns."""
    if type(function) is not FunctionType:
        return False
    code = function.__code__
    if is_converted(code) or vars(function).keys() - {ATTRIBUTE}:
        return False
    return not code.co_freevars or assigned_elsewhere(function).isdisjoint(code.co_freevars)


def _is_made(function: Any) -> bool:
    """Whether it is such a function that another one of the user's has made. Of others there are
    no two, and some of libraries stand for operators."""
    if type(function) is not FunctionType or "<locals>" not in function.__qualname__:
        return False
    if is_library_file(function.__code__.co_filename) or package_of(function) in OWN_PACKAGES:
        return False
    try:
        return _is_plain(function)
    except AutographError:  # its source cannot be read
        return False


class _SeenElsewhereError(Exception):
    """A function is not only called."""
