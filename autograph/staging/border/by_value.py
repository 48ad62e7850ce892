"""What a graph depends on outside of its function, by value: the guards on plain functions, made
again in another process, and what they guard, described such that the descriptions tell whether it
is the same there.

Most of what a function may depend on has no description, and is then recorded in each process:
objects, classes, anything of a library that is not known to do nothing but compute. Those have one
that a numerical function needs:

* numbers, texts, None, and tuples, lists and dicts of what has a description;
* functions of the user's, by their code, which has to be the same with all places in the file, and
  by their defaults. What their variables hold is guarded where they are recorded, and so are
  attributes that are read, which leaves them without a description;
* modules of the user's, by name: what is read of them is guarded where it is;
* arrays, by type and shape: what they hold is read at each call;
* of Python and NumPy, and of this package, what is found there under its own name, and gives the
  same whenever it is called. Reading a file does not, nor does the order of a set.

Objects are numbered in the order in which they are met, so that what was one object has to be one.
"""

from __future__ import annotations

import builtins
import cmath
import dis
import math
import operator
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.graph.description import NoDescription, is_own
from autograph.source.load import convert
from autograph.source.tree.fingerprint import fingerprint
from autograph.source.tree.free import MISSING, NUMPY_DISPATCHERS, is_user_module
from autograph.source.tree.libraries import is_library_file, module_of
from autograph.source.tree.parse import nested_codes
from autograph.staging.border.guards import RawGuard, guard_on_attribute, guards_of
from autograph.staging.border.retracing import Assumption, Guard
from ops.core.numpy_table import CREATORS, ENTRIES, FUNCTIONS
from ops.core.registry import Op
from ops.core.types import type_of

# Built-in functions and classes that give the same for the same in any process. The order of a set
# differs, and so do hashes and identities.
_BUILTINS = {
    *("abs", "all", "any", "bool", "complex", "dict", "divmod", "enumerate", "filter", "float"),
    *("int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next", "pow"),
    *("print", "range", "reversed", "round", "slice", "sorted", "sum", "tuple", "type", "zip"),
}
_MODULES = (np, np.linalg, np.fft, math, cmath, operator)

# Classes of NumPy's that do no more than to hold, or to tell.
_CLASSES = (np.ndarray, np.dtype, np.finfo, np.iinfo)

# Modules of this package whose functions are no more than what they record.
_OURS = ("ops.", "autograph.api.derivatives.", "autograph.api.vmap.")

# How many values may be in the containers that something refers to: each takes microseconds.
_MOST_PARTS = 10_000

# What instructions make a set by; each has two bytes.
_MAKES_SETS = {dis.opmap["BUILD_SET"], dis.opmap["SET_ADD"]}


def guards_on(owner: FunctionType | ModuleType, name: str = "") -> Iterator[Guard]:
    """The guards on what a plain function of the user's is, and finds outside, or on an attribute
    of a module: those that recording makes, if nothing else is met outside."""
    if isinstance(owner, ModuleType):
        return iter([guard_on_attribute(owner, name)])
    converted = convert(owner)
    return guards_of(owner, converted.bindings(owner), converted.mentioned)


def parts_of(guards: Iterable[Guard]) -> list[Any]:
    """What guards guard, and what is in tuples, lists and dicts among that, always in the same
    order if these are described alike.

    Raises:
        NoDescription: it is too much to be described.
    """
    found: list[Any] = []
    met: set[int] = set()
    pending = [guard.present() for guard in guards][::-1]
    while pending:
        value = pending.pop()
        found.append(value)
        if len(found) > _MOST_PARTS:
            raise NoDescription("lists and dicts with more values than are described")
        kind = type(value)
        if kind is tuple or (kind in (list, dict) and id(value) not in met):
            met.add(id(value))
            parts = [*value, *value.values()] if kind is dict else value
            pending.extend(reversed(parts))
    return found


def are_among(guards: Iterable[Guard], others: Iterable[Guard]) -> bool:
    """Whether other guards ask all that these do."""
    return {*map(_question, guards)} <= {*map(_question, others)}


def _question(guard: Guard) -> tuple[Any, ...]:
    binding = guard.binding
    where = None if binding is None else (id(binding.place), binding.name, id(binding.value))
    return type(guard), guard.name, id(guard.present()), where


class Descriptions:
    """Describes values, one after the other.

    Args:
        compiled: describes what is made of a function, as a list that begins with the function;
            None for what is nothing such.
    """

    def __init__(self, compiled: Callable[[Any], Sequence[Any] | None]):
        self._compiled = compiled
        self._numbers: dict[int, int] = {}
        self._met: list[Any] = []  # kept alive, so that identities stay theirs

    def of_guards(self, guards: Iterable[Guard]) -> list[Any]:
        """What guards ask, and what they guard now.

        Raises:
            NoDescription: that is nothing that can be told by value.
        """
        found = []
        for guard in guards:
            if isinstance(guard, RawGuard):  # of something in a library that may change
                raise NoDescription(f"it reads '{guard.name}'")
            try:
                present = guard.present()
                if isinstance(guard, Assumption) and type(present) is dict:  # of default values
                    present = tuple(present.items())
                value = self.of(present)
            except NoDescription as why:
                raise NoDescription(f"'{guard.name}': {why}") from None
            found.append([type(guard).__name__, guard.name, value])
        return found

    def of(self, value: Any) -> Any:
        """A value as JSON.

        Raises:
            NoDescription: it has no description.
        """
        kind = type(value)
        if value is MISSING:
            return ["missing"]
        if value is None or kind in (bool, int, str, bytes):
            return [kind.__name__, repr(value)]
        if kind is float or kind is complex:
            parts = np.complex128(value) if kind is complex else np.float64(value)
            return [kind.__name__, parts.tobytes().hex()]
        if kind is tuple:
            return ["tuple", *map(self.of, value)]
        if isinstance(value, (np.number, np.bool_)) and module_of(kind) == "numpy":
            return ["number", value.dtype.str, value.tobytes().hex()]
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._numbers)
            self._met.append(value)
            return [number, *self._object(value, kind)]
        return [number]

    def _object(self, value: Any, kind: type) -> list[Any]:
        if kind is CodeType:
            return self._code(value)
        if kind is list:
            return ["list", *map(self.of, value)]
        if kind is dict:
            return ["dict", [[self.of(key), self.of(part)] for key, part in value.items()]]
        if kind is np.ndarray:
            if type_of(value) is None:
                raise NoDescription(f"an array of dtype {value.dtype}")
            return ["array", value.dtype.str, list(value.shape)]
        is_plain = kind is FunctionType and not is_library_file(value.__code__.co_filename)
        if is_plain and not module_of(value).startswith(_OURS):
            return self._function(value)
        if _is_known(value, kind):
            return ["known", module_of(value), _name(value)]
        found = self._compiled(value)
        if found is not None:
            function, *steps = found
            return ["compiled", self.of(function), steps]
        raise NoDescription(f"a {kind.__module__}.{kind.__qualname__} is not described by value")

    def _function(self, function: FunctionType) -> list[Any]:
        keywords = sorted((function.__kwdefaults__ or {}).items())
        return [
            *("function", self.of(function.__code__), function.__name__, module_of(function)),
            self.of(function.__defaults__),
            [[name, self.of(default)] for name, default in keywords],
        ]

    def _code(self, code: CodeType) -> list[Any]:
        for inner in nested_codes(code):
            if not _MAKES_SETS.isdisjoint(inner.co_code[::2]):
                raise NoDescription("a function makes a set")
        return ["code", fingerprint(code)]


def _is_known(value: Any, kind: type) -> bool:
    """Whether something of Python's, NumPy's or ours is what is found there under its name, and
    gives the same whenever it is called."""
    if isinstance(value, ModuleType):
        if sys.modules.get(value.__name__) is not value:
            return False
        ours = value.__name__ in ("ops", "autograph") or value.__name__.startswith("ops.")
        return ours or is_user_module(value) or any(value is module for module in _MODULES)
    if isinstance(value, Op):
        return is_own(value)
    module, name = module_of(value), _name(value)
    if kind is FunctionType and module.startswith(_OURS):
        return _found(module, name) is value
    if kind is np.ufunc:
        return getattr(np, name, None) is value
    if kind is type and issubclass(value, (np.generic, *_CLASSES)) and module == "numpy":
        return getattr(np, name, None) is value
    if kind.__name__ in NUMPY_DISPATCHERS or module.partition(".")[0] == "numpy":
        computes = callable(value) and (value in FUNCTIONS or value in CREATORS)
        return computes and _found(module, name) is value
    if module == "builtins":
        raised = isinstance(value, type) and issubclass(value, Exception)
        return (name in _BUILTINS or raised) and getattr(builtins, name, None) is value
    if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType):
        return any(value.__self__ is m and getattr(m, name) is value for m in _MODULES[3:])
    return False


def _name(value: Any) -> str:
    if isinstance(value, Op):
        return value.name
    return str(getattr(value, "__qualname__", None) or getattr(value, "__name__", ""))


def _found(module: str, name: str) -> Any:
    """What a module has under a name; what is written in C may say the name of another module."""
    for place in (sys.modules.get(module), np):
        found = getattr(place, name, None)
        if found is not None:
            return found
    return None


def are_operators_own() -> bool:
    """Whether NumPy's functions stand for operators of this package only."""
    functions = (entry.ours for entry in ENTRIES if isinstance(entry.ours, types.FunctionType))
    return all(module_of(f).partition(".")[0] in ("ops", "autograph") for f in functions)
