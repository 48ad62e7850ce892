"""Dataclasses and named tuples that are made quickly.

`dataclasses.dataclass` writes and compiles each method of each class by itself, which was a seventh
of the time of an import. Here ``__init__`` is compiled once for all classes whose fields are given
alike, as far as their names; the other methods know the names of the fields. `typing.NamedTuple`
compiles a method and each annotation, which was a twelfth. Here nothing is compiled but one method
for each number of fields.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import types
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter, itemgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

# What `collections.namedtuple` reads a field by.
_getter: Any = getattr(collections, "_tuplegetter", None) or (
    lambda index, doc: property(itemgetter(index), doc=doc)
)

if TYPE_CHECKING:
    from dataclasses import dataclass
    from typing import NamedTuple as NamedTuple
else:

    class _Bases:
        """What stands for `typing.NamedTuple` as the base of a class."""

        def __mro_entries__(self, bases: tuple) -> tuple[type]:
            if bases != (self,):
                raise TypeError("a named tuple has no other bases")
            return (_Entry,)

    NamedTuple = _Bases()

    def dataclass(cls: type | None = None, /, *, eq: bool = True, frozen: bool = False) -> Any:
        """`dataclasses.dataclass` with these of its options, for classes that derive from no
        dataclass, and fields that are not given by their names only.

        Raises:
            TypeError: the class is none of these.
        """

        def made(cls: type) -> type:
            return _made(cls, eq, frozen)

        return made if cls is None else made(cls)


class _NamedTuple(tuple):
    """What all named tuples do; see `collections.namedtuple`."""

    __slots__ = ()
    _fields = ()  # type: tuple[str, ...]

    @classmethod
    def _make(cls, values: Iterable) -> Any:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **changes: Any) -> Any:
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
        return f"{type(self).__name__}({shown})"

    def __getnewargs__(self) -> tuple:
        return tuple(self)


class _NamedTupleMaker(type):
    """Makes a named tuple of a class statement; the class of that is `type`."""

    def __new__(cls, name: str, bases: tuple[type, ...], own: dict[str, Any]) -> type:
        if not bases:  # `_Entry`
            return super().__new__(cls, name, bases, own)
        fields = tuple(own.get("__annotations__", ()))
        defaults = {field: own.pop(field) for field in fields if field in own}
        if tuple(defaults) != fields[len(fields) - len(defaults) :]:
            raise TypeError(f"a field of {name} without a default follows one that has one")
        for index, field in enumerate(fields):
            own[field] = _getter(index, f"Alias for field number {index}")
        code = _new_of(len(fields)).replace(co_varnames=("_cls", *fields))
        new = types.FunctionType(code, _NEW, "__new__", tuple(defaults.values()) or None)
        new.__qualname__, new.__module__ = f"{own['__qualname__']}.__new__", own["__module__"]
        new.__annotations__ = own.get("__annotations__", {})
        own.pop("__orig_bases__", None)
        own |= {"__slots__": (), "__match_args__": fields, "__new__": new}
        own |= {"_fields": fields, "_field_defaults": defaults}
        return type(name, (_NamedTuple,), own)


_Entry = _NamedTupleMaker("_Entry", (), {})
_NEW = {"_new": tuple.__new__}  # the global variables of all methods ``__new__``


@functools.cache
def _new_of(count: int) -> types.CodeType:
    """The code of a method ``__new__`` of so many fields."""
    names = [f"_{i}" for i in range(count)]
    text = f"lambda {', '.join(['_cls', *names])}: _new(_cls, ({''.join(f'{n}, ' for n in names)}))"
    return eval(text, _NEW).__code__


def _made(cls: type, eq: bool, frozen: bool) -> type:
    if any(dataclasses.is_dataclass(base) for base in cls.__mro__):
        raise TypeError(f"{cls.__name__} derives from a dataclass")
    own = vars(cls)
    dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    fields = dataclasses.fields(cls)
    methods: dict[str, Any] = {"__init__": _init(cls, fields, frozen), "__repr__": _repr(fields)}
    if eq:
        compared = _values([f.name for f in fields if f.compare])
        hashed = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
        methods["__eq__"] = _eq(compared)
        methods["__hash__"] = _hash(_values(hashed)) if frozen else None
    if "__eq__" in own and own.get("__hash__", 0) is None:  # by Python, beside a method __eq__
        del cls.__hash__
    for name, method in methods.items():
        if name not in own:
            if method is not None:
                method.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, method)
    if frozen:
        names = frozenset(f.name for f in fields)
        methods = dict(zip(("__setattr__", "__delattr__"), _frozen(cls, names)))
        for name, method in methods.items():
            setattr(cls, name, method)
    parameters: Any = vars(cls)["__dataclass_params__"]
    parameters.eq, parameters.frozen, parameters.init, parameters.repr = eq, frozen, True, True
    return cls


def _init(cls: type, fields: Sequence[dataclasses.Field], frozen: bool) -> Any:
    used: list[str] = []
    forms: list[tuple[bool, bool]] = []
    defaults: list[Any] = []
    names: dict[str, Any] = {"__put__": object.__setattr__, "__missing__": object()}
    for f in fields:
        is_made = f.default_factory is not dataclasses.MISSING
        if f.kw_only or not (f.init or f.default is dataclasses.MISSING):
            raise TypeError(f"how {cls.__name__}.{f.name} is given is not supported")
        if is_made:
            names[f"__make_{len(used)}__"] = f.default_factory
        elif not f.init:
            continue
        if is_made or f.default is not dataclasses.MISSING:
            defaults += [names["__missing__"] if is_made else f.default] if f.init else []
        elif defaults:
            raise TypeError(f"{cls.__name__}.{f.name} has no default, but one before it has")
        used.append(f.name)
        forms.append((f.init, is_made))
    of_template = {f"_{i}": name for i, name in enumerate(used)}
    code = _init_of(tuple(forms), frozen, hasattr(cls, "__post_init__"))
    code = code.replace(
        co_varnames=tuple(of_template.get(name, name) for name in code.co_varnames),
        co_names=tuple(of_template.get(name, name) for name in code.co_names),
        co_consts=tuple(of_template.get(value, value) for value in code.co_consts),
    )
    init = types.FunctionType(code, names, "__init__", tuple(defaults) or None)
    init.__module__ = cls.__module__
    init.__annotations__ = {**{f.name: f.type for f in fields}, "return": None}
    return init


@functools.cache
def _init_of(forms: tuple[tuple[bool, bool], ...], frozen: bool, goes_on: bool) -> types.CodeType:
    """The code of a method ``__init__`` of fields ``_0``, ``_1`` and so on, of which each is given,
    or made, or made if it is not given. To compile it takes longer than all else of a class."""
    lines = []
    for i, (is_given, is_made) in enumerate(forms):
        value = f"__make_{i}__()" if is_made else f"_{i}"
        if is_given and is_made:
            value = f"{value} if _{i} is __missing__ else _{i}"
        lines.append(f"__put__(self, '_{i}', {value})" if frozen else f"self._{i} = {value}")
    if goes_on:
        lines.append("self.__post_init__()")
    given = [f"_{i}" for i, (is_given, _) in enumerate(forms) if is_given]
    text = f"def __init__({', '.join(['self', *given])}):\n " + "\n ".join(lines or ["pass"])
    found: dict[str, Any] = {}
    exec(text, found)
    return found["__init__"].__code__


def _values(names: Sequence[str]) -> Callable[[Any], tuple]:
    """A function that gives the values of some fields."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda self: ()
    get = attrgetter(*names)
    return lambda self: (get(self),)


def _repr(fields: Sequence[dataclasses.Field]) -> Any:
    names = [f.name for f in fields if f.repr]

    @recursive_repr()
    def __repr__(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return __repr__


def _eq(values: Callable[[Any], tuple]) -> Any:
    def __eq__(self: Any, other: Any) -> bool:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Callable[[Any], tuple]) -> Any:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _frozen(cls: Any, names: frozenset[str]) -> tuple[Any, Any]:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__
