"""Classes of the user's and objects of them by value; see `autograph.staging.border.by_value`.

A class is described by its name and module, its metaclass, all that it derives from, and the
attributes that it has itself, in their order: methods by their code, properties by those of their
functions, fields of dataclasses by what they are made of, others by what they hold, arrays with
their elements. So a method, a default or a base that is another one is another description,
whatever the recorded function uses of it. What has no description may be an attribute that no
recorded code mentions, which then counts by its type alone.

An object is described by its class and by its attributes.

Methods that Python calls and that are not converted, such as ``__hash__``, run as they are while a
function is recorded, and so does what they call: nothing guards what that reads outside, so it may
be nothing but what is built in and modules of Python and NumPy; see `refuse_reading`.
"""

from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import functools
import operator
import reprlib
import sys
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any, Protocol

from autograph.graph.description import NoDescription
from autograph.source.tree.fingerprint import fingerprint
from autograph.source.tree.libraries import is_library_file, module_of
from autograph.staging.border.guards import mentioned_names
from autograph.staging.classes import specials
from autograph.staging.containers.containers import attributes
from autograph.staging.ground.ownership import is_user_class

# What Python sets by itself, and sees to.
_OWN = {
    *("__module__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__slotnames__"),
    *("__static_attributes__", "__firstlineno__", "__abstractmethods__", "_abc_impl"),
    *("__annotate__", "__annotate_func__", "__annotations_cache__", "__orig_bases__"),
    *("__parameters__", "__type_params__", "__classdictcell__", "__protocol_attrs__"),
}

# Where these are mentioned, any attribute may be read.
_READS_ALL = {"vars", "dir", "getmembers", "mro", "__mro__"}

# What runs as it is. Of the others, recorded code calls one, and two run when a class is made or an
# object is gone.
_OTHERS = {"__call__", "__prepare__", "__del__"}
_UNCONVERTED = specials.CALLED_BY_PYTHON - specials.SPECIAL - _OTHERS

# Functions of the classes that `dataclasses` and `collections` generate follow from their fields.
_GENERATED = "<string>"
_OF_DATACLASSES = (_GENERATED, dataclasses.__file__, reprlib.__file__)

_FIELD = type(vars(collections.namedtuple("_Pair", "a"))["a"])


class Describes(Protocol):
    """See `autograph.staging.border.by_value.Descriptions`."""

    names: Collection[str]
    methods: dict[str, list[FunctionType]]
    running: list[FunctionType]

    def of(self, value: Any, whole: bool = False) -> Any: ...

    def part(self, value: Any, whole: bool) -> Any: ...

    def function(self, function: FunctionType) -> list[Any]: ...


def of_instance(value: Any, describe: Describes, whole: bool) -> list[Any]:
    """An object of the user's, by its class and attributes.

    Args:
        whole: see `Descriptions.of`.

    Raises:
        NoDescription: it has none.
    """
    kind, own = type(value), [*attributes(value)]
    for name, part in own:
        if type(part) is FunctionType:
            describe.methods.setdefault(name, []).append(part)
    try:
        parts = [[name, describe.part(part, whole)] for name, part in own]
    except NoDescription as why:
        raise NoDescription(f"an attribute of a {kind.__qualname__}: {why}") from None
    return ["object", _base(kind, describe), parts]


def of_class(kind: type, describe: Describes) -> list[Any]:
    """A class of the user's.

    Raises:
        NoDescription: it has none.
    """
    try:
        bases = [_base(base, describe) for base in kind.__mro__[1:]]
        form = ["class", module_of(kind), kind.__qualname__, _base(type(kind), describe), bases]
        if isinstance(kind, abc.ABCMeta) and _registered(kind):
            raise NoDescription("other classes are registered with it")
        if issubclass(kind, enum.Enum):
            form.append(_members(kind, describe))
        return [*form, [*_attributes(kind, describe)]]
    except NoDescription as why:
        raise NoDescription(f"class '{kind.__qualname__}': {why}") from None


def _registered(kind: Any) -> Any:
    """The classes that count as derived from an abstract one, since they were registered so."""
    dump: Any = getattr(abc, "_get_dump", None)
    return True if dump is None else dump(kind)[0]


def _base(kind: type, describe: Describes) -> Any:
    """A class that another one derives from, or a metaclass: Python's own by its name.

    Raises:
        NoDescription: it is one of another library, whose version is not known.
    """
    if is_user_class(kind):
        return describe.of(kind)
    module, name = module_of(kind), kind.__qualname__
    package = module.partition(".")[0]
    if package not in sys.stdlib_module_names and package not in ("numpy", "autograph", "ops"):
        raise NoDescription(f"it derives from {module}.{name}")
    try:
        found = operator.attrgetter(name)(sys.modules.get(module))
    except AttributeError:
        found = None
    if found is not kind:
        raise NoDescription(f"it derives from {module}.{name}, which is found nowhere")
    return ["library", module, name]


def _members(kind: Any, describe: Describes) -> list[Any]:
    """The members of an enumeration, with what is assigned in them."""
    found = []
    for name, member in kind.__members__.items():
        own = [[k, v] for k, v in vars(member).items() if k not in ("__objclass__", "_sort_order_")]
        found.append([name, [[key, describe.of(part, True)] for key, part in own]])
    return found


def _attributes(kind: type, describe: Describes) -> list[Any]:
    """The attributes that a class has itself."""
    own = specials.own(kind)
    members = getattr(kind, "__members__", ()) if issubclass(kind, enum.Enum) else ()
    reads_all = not _READS_ALL.isdisjoint(describe.names)
    found = []
    for name, value in own.items():
        is_mentioned = name in describe.names
        if (name in _OWN and not is_mentioned) or name in members:
            continue
        if members != () and name[:1] == "_" and not _is_function(value):
            continue  # what an enumeration knows of its members
        try:
            found.append([name, _attribute(kind, name, value, describe)])
        except NoDescription as why:
            if is_mentioned or reads_all or name[:2] == "__":
                raise NoDescription(f"'{name}': {why}") from None
            code = fingerprint(value.__code__) if type(value) is FunctionType else ""
            found.append([name, "other", module_of(type(value)), type(value).__qualname__, code])
    return found


def _is_function(value: Any) -> bool:
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    return isinstance(value, FunctionType) and not is_library_file(value.__code__.co_filename)


def _attribute(kind: type, name: str, value: Any, describe: Describes) -> Any:
    """An attribute of a class."""
    match value:
        case FunctionType():
            return _method(kind, name, value, describe)
        case property():
            functions = value.fget, value.fset, value.fdel
            return ["property", *[_method(kind, name, f, describe) for f in functions]]
        case staticmethod() | classmethod():
            return [type(value).__name__, _method(kind, name, value.__func__, describe)]
        case functools.cached_property():
            return ["cached", value.attrname, _method(kind, name, value.func, describe)]
        case MemberDescriptorType() | types.GetSetDescriptorType():
            return ["slot", value.__name__]
    if name == "__dataclass_params__":
        return ["parameters", repr(value)]
    if name == "__dataclass_fields__":
        return [[key, *_field(field, describe)] for key, field in value.items()]
    if type(value) is _FIELD:
        return ["field", value.__reduce__()[1][0]]
    return describe.of(value, True)


def _field(field: Any, describe: Describes) -> list[Any]:
    """A field of a dataclass."""
    made = field.default_factory
    defaults = [
        None if part is dataclasses.MISSING else describe.of(part, True)
        for part in (field.default, made)
    ]
    of_init = [field.init, field.repr, field.hash, field.compare, getattr(field, "kw_only", None)]
    kind, metadata = field._field_type.name, tuple(field.metadata.items())
    return [kind, defaults, repr(of_init), describe.of(metadata, True)]


def _method(kind: type, name: str, value: Any, describe: Describes) -> Any:
    """A function in a class."""
    if type(value) is not FunctionType:
        return describe.of(value, True)
    file, own = value.__code__.co_filename, vars(kind)
    if "__dataclass_fields__" in own and file in _OF_DATACLASSES:
        return ["generated", fingerprint(value.__code__)]
    if file == _GENERATED and name == "__new__" and "_field_defaults" in own:
        return ["generated", fingerprint(value.__code__), describe.of(value.__defaults__, True)]
    if file.startswith("<"):
        raise NoDescription("its source is in no file")
    if is_library_file(file):
        return _of_library(value, describe)
    describe.methods.setdefault(name, []).append(value)
    if name in _UNCONVERTED or (name == "__call__" and issubclass(kind, type)):
        describe.running.append(value)
    return describe.of(value)


def _of_library(function: FunctionType, describe: Describes) -> Any:
    """A function of Python's own, which may have been made for one of the user's."""
    if function.__globals__.get("__name__", "").partition(".")[0] not in sys.stdlib_module_names:
        raise NoDescription(f"a function of '{module_of(function)}'")
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return [*describe.function(function), [describe.of(value, True) for value in cells]]


def refuse_reading(
    running: Iterable[FunctionType], methods: Mapping[str, Sequence[FunctionType]]
) -> None:
    """Refuse what runs as it is while a function is recorded, if it may read what changes.

    Args:
        running: methods that Python calls.
        methods: those that these may call, by the names of attributes.

    Raises:
        NoDescription: it may.
    """
    pending = [*running]
    met = set(map(id, pending))
    for function in pending:
        names, places = mentioned_names(function), function.__globals__
        closed = [name for name in function.__code__.co_freevars if name != "__class__"]
        read = [name for name in names if name in places and not _is_library(places[name])]
        for name in (*closed, *read):
            raise NoDescription(f"'{function.__qualname__}' is not converted, and reads '{name}'")
        for method in (method for name in names for method in methods.get(name, ())):
            if id(method) not in met:
                met.add(id(method))
                pending.append(method)


def _is_library(value: Any) -> bool:
    """Whether something is a module of Python or NumPy."""
    packages = "numpy", *sys.stdlib_module_names
    return isinstance(value, ModuleType) and value.__name__.partition(".")[0] in packages
