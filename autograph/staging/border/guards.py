"""Guards: what a graph depends on outside of the function, checked at each call."""

from __future__ import annotations

import builtins
import contextlib
import functools
import sys
import warnings
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Any

from autograph.backends.select import is_array
from autograph.errors import Location, MutationError, UnsupportedFunctionError
from autograph.source.load import is_inner
from autograph.source.tree.free import MISSING, Always, Lookup, is_data, is_user_module
from autograph.source.tree.libraries import is_library_file
from autograph.source.tree.parse import nested_codes
from autograph.staging.border.constancy import UnknownKey, changing_parts, raw_key, static_key
from autograph.staging.border.retracing import Assumption, Binding, Guard
from autograph.staging.border.unknown import Unknown, refuse
from autograph.staging.classes import specials
from autograph.staging.classes.classes import Owner
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.ownership import is_user_class
from ops.core.records import NamedTuple
from ops.core.types import type_of

VariableBinding = tuple[str, bool, Lookup | Always]  # see `Converted.bindings`

# How many bytes of an array are compared at each call.
_LARGEST = 1 << 20

# Values that cannot change: the same object has the same contents.
_UNCHANGING = {str, bytes, bool, int, float, complex, type(None), BuiltinFunctionType}


# What a function is made of, and what calls of it are given.
FIELDS = ("__code__", "__defaults__", "__kwdefaults__")


def guards_of(
    function: FunctionType,
    bindings: Iterable[VariableBinding],
    mentioned: Iterable[tuple[str, ...]],
    inputs: Container[int],
) -> Iterator[Guard]:
    """The guards on what a function is and on what its free variables are bound to now.

    Args:
        function: the function.
        bindings: of its free variables.
        mentioned: the dotted names in its source, as far as they begin with one that is free.
        inputs: see `static_key`.
    """
    for name, data, get in bindings:
        guard = _guard_on(name, get, data, inputs)
        guard.variable = get if isinstance(get, Lookup) else None
        yield guard
    yield from _guards_of_libraries(function, mentioned)
    if is_inner(function.__code__):
        return
    yield from (_same_field(function, field) for field in FIELDS)
    for name in function.__kwdefaults__ or ():
        yield same_object(Lookup(function.__kwdefaults__, name), name)
    for name, default in _defaults(function):
        if is_data(default):
            yield same_contents(Always(default), name, inputs)


def _guards_of_libraries(
    function: FunctionType, mentioned: Iterable[tuple[str, ...]]
) -> Iterator[Guard]:
    """The guards on what a function finds in modules and classes of libraries, and on the built-ins
    that it uses."""
    guarded: set[tuple[int, str]] = set()
    for root, *parts in sorted(mentioned):
        value = function.__globals__.get(root, MISSING)
        if root in function.__code__.co_freevars:
            value = _cells(function)[root]()
        elif value is MISSING:
            if not hasattr(builtins, root):
                continue
            places: Any = (function.__globals__, vars(builtins))
            value = getattr(builtins, root)
            for place in () if (id(places[0]), root) in guarded else places:
                guarded.add((id(place), root))
                yield same_object(Lookup(place, root), root)
        name = root
        for part in parts:
            if isinstance(value, FunctionType) and not hasattr(value, part):
                yield guard_on_absence(value, part)
                break
            place = _library_namespace(value, part)
            if place is None:
                break
            name, get = f"{name}.{part}", Lookup(place, part)
            value = get()
            if (id(place), part) not in guarded:
                guarded.add((id(place), part))
                yield _guard_of_library(get, name)


def _guard_of_library(get: Lookup, name: str) -> Guard:
    """The guard on an attribute of a module or class of a library; it may have none."""
    return same_inside(get, name) if is_data(get()) else same_object(get, name)


def _cells(function: FunctionType) -> dict[str, Lookup]:
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return {name: Lookup(cell, name) for name, cell in cells}


def _library_namespace(value: Any, name: str) -> dict[str, Any] | Any | None:
    """Where a module or class of a library has an attribute, if it is one and has it itself."""
    if isinstance(value, ModuleType) and not is_user_module(value):
        return vars(value) if _holds(value, name) else None
    if isinstance(value, type) and not is_user_class(value):
        return next((vars(kind) for kind in value.__mro__ if name in vars(kind)), None)
    return None


def _holds(module: ModuleType, name: str) -> bool:
    """Whether a module of a library has an attribute itself. Some import it when it is first asked
    for (PEP 562): the function did so while it was recorded, and a process that finds the recording
    on disk has not yet."""
    if name not in vars(module) and "__getattr__" in vars(module):
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the function's own access has warned, or will
            getattr(module, name)
    return name in vars(module)


def _same_field(function: FunctionType, field: str) -> Guard:
    """Whether a function is still made of the same."""
    get, value = functools.partial(getattr, function, field), getattr(function, field)
    binding = Binding(function, field, value)
    return Assumption(f"{function.__name__}.{field}", get, lambda: get() is value, binding)


def same_object(get: Lookup, name: str) -> Guard:
    """Whether a variable is still bound to the same object, or to none."""
    value = get()
    binding = Binding(get.place, get.name, value) if isinstance(get.place, dict) else None
    return Assumption(name, get, lambda: get() is value, binding)


def same_inside(get: Callable[[], Any], name: str, location: Location | None = None) -> Guard:
    """Whether something that converted code sees as it is, is what it was.

    Raises:
        UnsupportedFunctionError: nobody can tell, or it takes too long.
    """
    value = get()
    if is_array(value) and value.nbytes > _LARGEST:
        raise UnsupportedFunctionError(
            f"'{name}' is an array of {value.nbytes >> 20} MiB that would have to be compared at "
            "each call, since it is found in a class, function or module that others may see",
            location or user_location(),
            id="AG0353",
            fix="pass it as an argument, or put it into a variable of its own",
        )
    key = raw_key(value)
    if isinstance(key, UnknownKey):
        refuse(Unknown(name, value), "it is read", location)
    if key == id(value) and isinstance(get, Lookup):
        return same_object(get, name)
    return RawGuard(name, get, lambda: get() is value and raw_key(value) == key)


class RawGuard(Guard):
    """See `same_inside`.

    Attributes:
        lookup: the variable that holds the value, if one does.
        found_in: the class that has it as an attribute, if one does.
        value: what it was.
    """

    __slots__ = ("found_in", "lookup")

    def __init__(self, name: str, get: Callable[[], Any], holds: Callable[[], bool]):
        super().__init__(name, get, holds)
        self.lookup = get if isinstance(get, Lookup) else None
        self.found_in: type | None = None


def _defaults(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The default values of a function's parameters, with the names of these."""
    code = function.__code__
    values = function.__defaults__ or ()
    yield from zip(code.co_varnames[code.co_argcount - len(values) : code.co_argcount], values)
    yield from (function.__kwdefaults__ or {}).items()


def _guard_on(name: str, get: Callable[[], Any], data: bool, inputs: Container[int]) -> Guard:
    """The guard on what a free variable is bound to."""
    value = get()
    read_again = is_array(value) and type_of(value) is not None
    if data and not read_again and not is_user_module(value):
        return same_contents(get, name, inputs)
    return Guard(name, get, lambda: get() is value, _binding(get, value))


# With these, code reads all the attributes that something has.
_WHOLE = frozenset({"__dict__", "dir", "vars"})


class Owners(NamedTuple):
    """The user's classes and functions of which recorded code may read attributes.

    Attributes:
        owners: they, without those that the classes derive from.
        of_arguments: see `Classes`.
        names: of the attributes that are mentioned somewhere.
        cells: the classes and names of those that are in cells, of which there are other guards.
    """

    owners: Sequence[Owner] = ()
    of_arguments: Collection[type] = ()
    names: Collection[str] = ()
    cells: Collection[tuple[type, str]] = ()

    @property
    def sees_all(self) -> bool:
        """Whether some recorded code may read all attributes of something at once."""
        return not _WHOLE.isdisjoint(self.names)


class AttributeLookup(NamedTuple):
    """Gives an attribute of a class or function; MISSING if there is none any more."""

    look_up: Callable[[Any, str], Any]
    owner: Any
    name: str

    def __call__(self) -> Any:
        try:
            return self.look_up(self.owner, self.name)
        except AttributeError:
            return MISSING


def guards_of_owners(known: Owners, location: Location | None = None) -> Iterator[Guard]:
    """The guards on attributes of the user's classes and functions, and of those in them.

    Args:
        location: for errors.
    """
    pending, names = list(known.owners), known.names
    seen = set(map(id, pending))
    for owner in pending:
        is_class = isinstance(owner, type)
        if is_class:
            yield _same_specials(owner)
            yield from _guards_of_factories(owner)
        if not is_class and known.sees_all:
            yield same_inside(
                functools.partial(vars, owner), f"{owner.__name__}.__dict__", location
            )
        look_up = specials.attribute if is_class else getattr
        places = owner.__mro__ if is_class else (owner,)  # dir() leaves some out, as of enums
        for name in sorted({name for place in places for name in vars(place)}.intersection(names)):
            if any((place, name) in known.cells for place in places):
                continue
            get = AttributeLookup(look_up, owner, name)
            value = get()
            shown = f"{owner.__name__}.{name}"
            if is_data(value):
                guard = same_inside(get, shown, location)
                if is_class and type(value) in (*_UNCHANGING, MemberDescriptorType):
                    guard.owner = owner
                elif is_class and isinstance(guard, RawGuard):
                    guard.found_in = owner
                yield guard
                continue
            if owner in known.of_arguments:
                continue
            is_same = functools.partial(_is_still, get, value)
            yield Guard(shown, get, is_same, owner=owner if is_class else None)
            is_owner = isinstance(value, type) and is_user_class(value)
            is_owner = is_owner or (isinstance(value, FunctionType) and bool(vars(value)))
            if is_owner and id(value) not in seen:
                seen.add(id(value))
                pending.append(value)


def _guards_of_factories(kind: type) -> Iterator[Guard]:
    """The guards on what the functions depend on that make the values which fields of a dataclass
    have at first: ``__init__`` calls them unconverted."""
    fields = [vars(owner).get("__dataclass_fields__", {}) for owner in kind.__mro__]
    for field in next(filter(None, fields), {}).values():
        if isinstance(field.default_factory, FunctionType):
            yield from guards_of_unconverted(field.default_factory)


def _same_specials(kind: type) -> Guard:
    """Whether a class still derives from the same, and they have attributes of the same names and
    the same methods that Python calls by itself."""
    bases = kind.__mro__
    metaclasses = type(kind).__mro__
    owners = [owner for owner in (*bases, *metaclasses) if is_user_class(owner)]
    own = {owner: specials.own(owner) for owner in owners}
    states = [(owner, *_specials_of(own[owner])) for owner in owners]

    def unchanged() -> bool:
        if kind.__mro__ is not bases or type(kind).__mro__ is not metaclasses:
            return False
        for owner, count, names, methods in states:
            present = specials.own(owner) if specials.is_replaced(owner) else owner.__dict__
            if len(present) != count and _names_in(present) != _names_in(own[owner]):
                return False
            if list(map(present.get, names)) != methods:
                return False
        return True

    told = kind if not any(map(is_user_class, metaclasses)) else None
    return Guard(f"special methods of {kind.__name__}", lambda: kind, unchanged, owner=told)


def _specials_of(own: dict[str, Any]) -> tuple[int, list[str], list[Any]]:
    """How many attributes a class itself has, the names of those that are methods which Python
    calls by itself, and these."""
    names = sorted(specials.CALLED_BY_PYTHON.intersection(own))
    return len(own), names, [own[name] for name in names]


def _names_in(own: Iterable[str]) -> set[str]:
    """The names among those of attributes of a class that Python does not set by itself."""
    return {name for name in own if name in specials.CALLED_BY_PYTHON or name[:2] != "__"}


def _is_still(get: Callable[[], Any], value: Any) -> bool:
    try:
        return get() is value
    except AttributeError:
        return False


def guard_on_attribute(module: ModuleType, name: str, inputs: Container[int] = ()) -> Guard:
    """The guard on an attribute of a module; it may have none of that name."""
    place = vars(module)
    if not is_user_module(module):
        _holds(module, name)
        return _guard_of_library(Lookup(place, name), f"{module.__name__}.{name}")
    if name not in place and not hasattr(module, name):
        return guard_on_absence(module, name)
    get: Any = Lookup(place, name) if name in place else functools.partial(getattr, module, name)
    return _guard_on(f"{module.__name__}.{name}", get, is_data(get()), inputs)


def guard_on_absence(owner: FunctionType | ModuleType, name: str) -> Guard:
    """Whether a function or a module of the user's still has no attribute of a name."""
    get = Lookup(vars(owner), name)
    binding = Binding(vars(owner), name, MISSING)
    return Guard(f"{owner.__name__}.{name}", get, lambda: get() is MISSING, binding)


def guards_of_import(
    module: str, name: str | None, mentioned: set[str], inputs: Container[int]
) -> Iterator[Guard]:
    """The guards on what an ``import`` in a function binds.

    Args:
        module: the full name of the module that is imported.
        name: what is taken of it, if it is not imported as a whole.
        mentioned: the names of attributes that are read, perhaps of it.
        inputs: see `static_key`.
    """
    value = sys.modules[module]
    yield same_object(Lookup(sys.modules, module), module)
    if name is not None:
        yield guard_on_attribute(value, name, inputs)
        value = getattr(value, name)
    pending = [value]
    for place in pending:  # those of the user's modules are guarded where they are read
        if not isinstance(place, ModuleType) or is_user_module(place):
            continue
        for attribute in sorted(vars(place).keys() & mentioned):
            get = Lookup(vars(place), attribute)
            found = get()
            yield _guard_of_library(get, f"{place.__name__}.{attribute}")
            if isinstance(found, ModuleType) and all(found is not one for one in pending):
                pending.append(found)


def refuse_changed(guards: Iterable[Guard], location: Location | None) -> None:
    """Refuse what changed while a function was recorded: it would not change when the program runs.

    Raises:
        MutationError: something has; ``location`` is the function's.
    """
    for guard in guards:
        if not guard():
            raise changed_while_recording(guard.name, location)


def changed_while_recording(name: str, location: Location | None) -> MutationError:
    return MutationError(
        f"'{name}' is changed by code that runs only once, when the function is recorded: a method "
        "of an object, or a function of a library",
        location,
        id="AG0351",
        fix="change it outside of the function, or keep what changes in an array, list, dict or "
        "object of a class of your own",
    )


def mentioned_names(function: FunctionType) -> set[str]:
    """The names of globals and attributes in the source of a function."""
    return {name for code in nested_codes(function.__code__) for name in code.co_names}


def guards_of_unconverted(function: FunctionType, seen: set[int] | None = None) -> Iterator[Guard]:
    """The guards on all that a function depends on that a library calls, unconverted."""
    seen = set() if seen is None else seen
    if id(function) in seen or _is_of_library(function):
        return
    seen.add(id(function))
    names = mentioned_names(function)
    yield from (_same_field(function, field) for field in FIELDS)
    yield from (
        same_inside(lambda default=default: default, name) for name, default in _defaults(function)
    )
    paths = {(name,) for name in names} | {(a, b) for a in names for b in names}
    yield from _guards_of_libraries(function, paths)
    found = [Lookup(function.__globals__, n) for n in names if n in function.__globals__]
    for get in (*found, *_cells(function).values()):
        value = get()
        if isinstance(value, FunctionType):
            yield Guard(get.name, get, functools.partial(_is_still, get, value))
            yield from guards_of_unconverted(value, seen)
        elif is_user_module(value):
            for name in names.intersection(vars(value)):
                yield same_inside(Lookup(vars(value), name), f"{get.name}.{name}")
        elif value is not MISSING:
            yield same_inside(get, get.name)


def _is_of_library(function: FunctionType) -> bool:
    file = function.__code__.co_filename
    return is_library_file(file) or file.startswith("<frozen")


def same_contents(
    get: Callable[[], Any],
    name: str = "the function that is called",
    inputs: Container[int] = (),
) -> ContentsGuard:
    """Whether ``get`` still gives the same value, or the same object with the same contents.

    Args:
        inputs: see `static_key`.
    """
    return ContentsGuard(name, get, inputs)


class ContentsGuard(Guard):
    """See `same_contents`.

    Attributes:
        value: what it was. It is kept, so that no other object can get its identity.
        lookup: the variable that holds it, if one does.
        is_fixed: whether it is always the same object.
        cell: the cell of a closure that holds it, if one does.
        parts: what may change of the value, which is the same object.
    """

    __slots__ = ("_inputs", "_key", "_keys", "cell", "is_fixed", "lookup", "parts")

    def __init__(self, name: str, get: Callable[[], Any], inputs: Container[int]):
        self.lookup = get if isinstance(get, Lookup) else None
        self.cell = get.place if isinstance(get, Lookup) and type(get.place) is CellType else None
        if id(self.cell) in inputs:  # what it holds is an input, whatever that is
            get, self.lookup = Always(self.cell), None
        self.is_fixed = isinstance(get, Always)
        self.value = value = get()
        self._inputs = inputs
        self._key = static_key(value, inputs)
        self.parts = changing_parts(value, inputs)
        self._keys = [static_key(part, inputs) for part in self.parts]
        is_constant = type(value) in _UNCHANGING or (isinstance(value, tuple) and not self.parts)
        is_constant = is_constant or id(value) in inputs
        super().__init__(name, get, self._is_same, _binding(get, value) if is_constant else None)

    def bound(self) -> Binding | None:
        if self.lookup is None or self._inputs:
            return self.binding
        return Binding(self.lookup.place, self.lookup.name, self.value)

    def _is_same(self) -> bool:
        found = self.present()
        if found is self.value:
            return [static_key(part, self._inputs) for part in self.parts] == self._keys
        return static_key(found, self._inputs) == self._key

    def changed(self) -> list[Any]:
        """The parts of the same value that hold something else now."""
        if self.present() is not self.value:
            return []
        pairs = zip(self.parts, self._keys)
        return [part for part, key in pairs if static_key(part, self._inputs) != key]


def _binding(get: Callable[[], Any], value: Any) -> Binding | None:
    """That a free variable is bound to a value, if it is one that ``get`` reads."""
    if not isinstance(get, Lookup) or value is MISSING:
        return None
    return Binding(get.place, get.name, value)
