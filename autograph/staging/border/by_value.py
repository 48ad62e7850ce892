"""What a graph depends on outside of its function, by value: the guards on what it depends on, made
again in another process, and what they guard, described such that the descriptions tell whether it
is the same there.

Much of what a function may depend on has no description, and is then recorded in each process: a
set, a generator, anything of a library that is not known to do nothing but compute. Those have one
that a numerical function needs:

* numbers, texts, None, and tuples, lists and dicts of what has a description;
* functions of the user's, by their code, which has to be the same with all places in the file, and
  by their defaults. What their variables hold is guarded where they are recorded, and so are
  attributes that are read, which leaves them without a description;
* classes of the user's, and objects of them; see `autograph.staging.border.described_classes`;
* methods and partial applications, by the function and by what it is bound to;
* modules of the user's, by name: what is read of them is guarded where it is;
* arrays, by type and shape: what they hold is read at each call. Those in attributes of classes are
  constants of a graph, and are described with their elements;
* of Python, NumPy and SciPy, and of this package, what is found there under its own name, and gives
  the same whenever it is called. Reading a file does not, nor does the order of a set.

Objects are numbered in the order in which they are met, so that what was one object has to be one.
"""

from __future__ import annotations

import builtins
import cmath
import dis
import enum
import functools
import hashlib
import math
import operator
import sys
import types
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.graph.description import NoDescription, is_own
from autograph.source.load import convert
from autograph.source.tree.fingerprint import fingerprint
from autograph.source.tree.free import MISSING, NUMPY_DISPATCHERS, Always, Lookup, is_user_module
from autograph.source.tree.libraries import is_library_file, module_of
from autograph.source.tree.parse import nested_codes
from autograph.staging.border import described_classes
from autograph.staging.border.constancy import is_unknown
from autograph.staging.border.guards import (
    RawGuard,
    guard_on_absence,
    guard_on_attribute,
    guards_of,
)
from autograph.staging.border.retracing import Assumption, Guard
from autograph.staging.ground.nesting import is_tuple
from autograph.staging.ground.ownership import is_user_class, is_user_object
from ops.core.numpy_table import CREATORS, ENTRIES, FUNCTIONS
from ops.core.registry import Op
from ops.core.types import type_of

# Built-in functions and classes that give the same for the same in any process. The order of a set
# differs, and so do hashes and identities.
_BUILTINS = {
    *("abs", "all", "any", "bool", "callable", "chr", "complex", "delattr", "dict", "divmod"),
    *("enumerate", "filter", "float", "getattr", "hasattr", "int", "isinstance", "issubclass"),
    *("iter", "len", "list", "map", "max", "min", "next", "object", "ord", "pow", "print", "range"),
    *("repr", "reversed", "round", "setattr", "slice", "sorted", "str", "sum", "super", "tuple"),
    *("type", "zip"),
}
_MODULES = (np, np.linalg, np.fft, math, cmath, operator)

# Modules of SciPy whose functions compute and do nothing else. Its version counts.
_OF_SCIPY = ("scipy.special", "scipy.linalg")

# Classes of NumPy's that do no more than to hold, or to tell.
_CLASSES = (np.ndarray, np.dtype, np.finfo, np.iinfo)

# Modules of this package whose functions are no more than what they record.
_OURS = ("ops.", "autograph.api.derivatives.", "autograph.api.vmap.")

# How many objects are described for one recording: each takes microseconds.
_MOST_PARTS = 10_000

# What may hold arrays, besides objects of the user's.
_HOLD = (list, dict, np.ndarray, MethodType, functools.partial)

# What instructions make a set by; each has two bytes.
_MAKES_SETS = {dis.opmap["BUILD_SET"], dis.opmap["SET_ADD"]}


def guards_on(
    owner: FunctionType | ModuleType,
    name: str,
    inputs: Container[int],
    variables: Collection[tuple[int, str]],
) -> Iterator[Guard]:
    """The guards on what a plain function of the user's is, and finds outside, or on an attribute
    of a module, or on one that a function or module does not have: those that recording makes.

    Args:
        inputs: see `static_key`.
        variables: those that are inputs, by the identities of their places and their names.
    """
    if isinstance(owner, ModuleType):
        return iter([guard_on_attribute(owner, name, inputs)])
    if name:
        return iter([guard_on_absence(owner, name)])
    converted = convert(owner)
    found = converted.bindings(owner)
    bindings = (b for b in found if _place_of(b[2]) not in variables)
    return guards_of(owner, bindings, converted.mentioned, inputs)


def variables_of(owner: FunctionType | ModuleType) -> list[tuple[int, str]]:
    """The free variables of a function, by the identities of their places and their names."""
    if isinstance(owner, ModuleType):
        return []
    return [_place_of(get) for *_, get in convert(owner).bindings(owner)]


def _place_of(get: Lookup | Always) -> tuple[int, str]:
    """The identity of where a free variable is, and its name there."""
    place, name = (get.place, get.name) if isinstance(get, Lookup) else (get.value, "")
    return id(place), name


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
        names: of attributes that recorded code mentions: others of a class may be without a
            description.

    Attributes:
        met: the objects in the order of their numbers, always the same if what is described is.
        methods: functions that are attributes of classes and objects, by the names of these.
        running: those among them that Python calls as they are.
    """

    def __init__(
        self, compiled: Callable[[Any], Sequence[Any] | None], names: Collection[str] = ()
    ):
        self._compiled = compiled
        self.names = names
        self.methods: dict[str, list[FunctionType]] = {}
        self.running: list[FunctionType] = []
        self.met: list[Any] = []  # kept alive, so that identities stay theirs
        self._numbers: dict[int, int] = {}
        # Those of what was described with the elements of arrays.
        self._whole: dict[int, int] = {}

    def give(self, containers: Iterable[Any]) -> None:
        """Number containers that are inputs: what they hold does not count."""
        for container in containers:
            self._numbers[id(container)] = self._whole[id(container)] = len(self.met)
            self.met.append(container)

    def number_of(self, value: Any) -> int | None:
        """The number of an object; None if it was not met."""
        number = self._numbers.get(id(value))
        return self._whole.get(id(value)) if number is None else number

    def finish(self) -> None:
        """Refuse what recording may have read, and is not described.

        Raises:
            NoDescription: there is something.
        """
        described_classes.refuse_reading(self.running, self.methods)

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

    def of(self, value: Any, whole: bool = False) -> Any:
        """A value as JSON.

        Args:
            whole: converted code sees the value itself: the elements of arrays count.

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
            return ["tuple", *[self.of(part, whole) for part in value]]
        if isinstance(value, (range, slice)):
            ends = value.start, value.stop, value.step
            return [kind.__name__, *[self.of(part, whole) for part in ends]]
        if isinstance(value, (np.number, np.bool_)) and module_of(kind) == "numpy":
            return ["number", value.dtype.str, value.tobytes().hex()]
        if isinstance(value, tuple) and is_tuple(value) and is_user_class(kind):
            if getattr(value, "__dict__", None):
                raise NoDescription("a named tuple with attributes")
            return ["named", self.of(kind), *[self.of(part, whole) for part in value]]
        return self._numbered(value, kind, whole)

    def _numbered(self, value: Any, kind: type, whole: bool) -> list[Any]:
        whole = whole and (kind in _HOLD or is_user_object(value))
        numbers, others = self._numbers, self._whole
        if whole:
            numbers, others = others, numbers
        if id(value) in numbers:
            return [numbers[id(value)]]
        count = len(self.met)
        if count >= _MOST_PARTS:
            raise NoDescription("more objects than are described")
        numbers[id(value)] = count
        self.met.append(value)
        try:
            found = [count, *self._object(value, kind, whole)]
        except NoDescription:  # as if it had not been looked at
            for part in self.met[count:]:
                for known in (self._numbers, self._whole):
                    if known.get(id(part), -1) >= count:
                        del known[id(part)]
            del self.met[count:]
            raise
        return [found, ["same", others[id(value)]]] if id(value) in others else found

    def _object(self, value: Any, kind: type, whole: bool) -> list[Any]:
        if kind is CodeType:
            return self._code(value)
        if kind is list:
            return ["list", *[self.of(part, whole) for part in value]]
        if kind is dict:
            items = value.items()
            return ["dict", [[self.of(key, whole), self.of(part, whole)] for key, part in items]]
        if kind is MethodType:
            return ["method", self.of(value.__func__), self.of(value.__self__, whole)]
        if kind is functools.partial and not vars(value):
            given = value.args, value.keywords
            return ["partial", self.of(value.func), *[self.of(part, whole) for part in given]]
        if kind is np.ndarray:
            return self._array(value, whole)
        is_plain = kind is FunctionType and not is_library_file(value.__code__.co_filename)
        if is_plain and not module_of(value).startswith(_OURS):
            return self.function(value)
        if isinstance(value, type) and is_user_class(value):
            return described_classes.of_class(value, self)
        if _is_known(value, kind):
            return ["known", module_of(value), _name(value)]
        if _is_of_scipy(value):
            return ["known", sys.modules["scipy"].__version__, value.__name__]
        found = self._compiled(value)
        if found is not None:
            function, *steps = found
            return ["compiled", self.of(function), steps]
        if isinstance(value, enum.Enum) and is_user_class(kind):
            return ["member", self.of(kind), self.of(value.name), self.of(value.value, True)]
        if is_user_object(value):
            return described_classes.of_instance(value, self, whole)
        raise NoDescription(f"a {kind.__module__}.{kind.__qualname__} is not described by value")

    def part(self, value: Any, whole: bool) -> Any:
        """What an object has as an attribute; of something that recorded code is refused to read,
        no more than its class."""
        try:
            return self.of(value, whole)
        except NoDescription:
            if whole or not is_unknown(value):
                raise
            return ["unknown", module_of(type(value)), type(value).__qualname__]

    def _array(self, array: np.ndarray, whole: bool) -> list[Any]:
        if type_of(array) is None:
            raise NoDescription(f"an array of dtype {array.dtype}")
        form = ["array", array.dtype.str, list(array.shape)]
        return [*form, hashlib.sha256(array.tobytes()).hexdigest()] if whole else form

    def function(self, function: FunctionType) -> list[Any]:
        """A function by its code and defaults."""
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
        ours = f"{value.__name__}.".startswith(("ops.", "autograph."))
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
    if module == "autograph.errors":
        return kind is type and _found(module, name) is value
    if module == "builtins":
        raised = isinstance(value, type) and issubclass(value, Exception)
        return (name in _BUILTINS or raised) and getattr(builtins, name, None) is value
    if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType):
        return any(value.__self__ is m and getattr(m, name) is value for m in _MODULES[3:])
    return False


def _is_of_scipy(value: Any) -> bool:
    """Whether something is one of SciPy's modules of functions, or one of these."""
    name = getattr(value, "__name__", "")
    for module in _OF_SCIPY:
        place = sys.modules.get(module)
        if place is not None and (value is place or getattr(place, name, None) is value):
            return not isinstance(value, type)
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
