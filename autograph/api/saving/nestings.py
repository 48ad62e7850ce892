"""The nesting of arguments and results as JSON, and back; a part of the format of saved functions.

A file does not hold classes. A named tuple is made anew from its name and fields, an object of the
user's becomes a `types.SimpleNamespace`, unless the user gives the classes when it is loaded.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from autograph.errors import SaveError
from autograph.graph.deserialize import (
    Reader,
    as_list,
    expect,
    field,
    is_int,
    is_printable,
    read_template,
)
from autograph.graph.serialize import Writer, type_form
from autograph.staging.arrays.random_generators import GraphGenerator
from autograph.staging.containers.containers import Keys
from autograph.staging.containers.structure import ContainerOf, NoneOrOf, SameAs, is_packed
from autograph.staging.ground.fixed import Fixed
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.lists.elements import NUMBERS, ROWS, SEAT, ElementType, ListOf, RecordOf
from autograph.staging.lists.growing import ADDED, Unread
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.packed import Packed
from autograph.staging.lists.tables import TABLE
from autograph.staging.values.joined_texts import JoinKind
from autograph.staging.values.maybe import OrNone
from autograph.staging.values.promoted import Promoted
from autograph.staging.values.text import TextKind

_KINDS = {
    "list": TrackedList,
    "dict": dict,
    "OrderedDict": OrderedDict,
    "defaultdict": defaultdict,
    "deque": deque,
    "set": set,
    "SimpleNamespace": SimpleNamespace,
    "Generator": GraphGenerator,
}
_NAMES = {kind: name for name, kind in _KINDS.items()} | {list: "list"}
_OURS = "autograph.staging."  # of classes that stand for Python's
_FACTORIES = {"list": list, "dict": dict, "set": set, "int": int, "float": float, "str": str}


def nesting_form(structure: Structure, writer: Writer) -> Any:
    """A nesting as JSON; a leaf is "*".

    Raises:
        SaveError: the key of a dict, or what makes the missing items of one, can't be saved.
    """

    def form(part: Structure) -> Any:
        return nesting_form(part, writer)

    match structure:
        case None:
            return "*"
        case TupleOf(TextKind(template), parts):
            return {"text": template, "parts": [form(part) for part in parts]}
        case TupleOf(JoinKind(separator), parts):
            return {"joined": separator, "parts": [form(part) for part in parts]}
        case TupleOf(Promoted(kinds), parts):
            return {"types": list(map(type_form, kinds)), "parts": [form(part) for part in parts]}
        case TupleOf(OrNone(), parts):
            return {"or_none": [form(part) for part in parts]}
        case TupleOf(kind, parts) if kind is tuple:
            return {"tuple": [form(part) for part in parts]}
        case TupleOf(kind, parts):
            fields = list(kind._fields)
            return {
                "namedtuple": kind.__qualname__,
                "fields": fields,
                "parts": [form(part) for part in parts],
            }
        case NoneOrOf(part):
            return {"none_or": form(part)}
        case SameAs(number):
            return {"same": number}
        case ListOf(length, part):
            return {"length": writer.attribute(length), "part": form(part)}
    inner = [form(part) for part in structure.parts]
    kind = {"own": writer.own_class(structure.kind)} if is_nameless(structure.kind) else None
    found = {**(kind or _kind_form(structure.kind)), "keys": keys_form(structure.keys, writer)}
    if isinstance(structure, ContainerOf):
        found["number"] = structure.number
    return {**found, "parts": inner}


def is_nameless(kind: type) -> bool:
    """Whether a class stands for one of Python's, and is none that a file has a name for."""
    return kind not in _NAMES and kind.__module__.startswith(_OURS)


def _kind_form(kind: type) -> dict[str, str]:
    name = _NAMES.get(kind)
    return {"object": kind.__qualname__} if name is None else {"container": name}


def keys_form(keys: tuple, writer: Writer) -> Any:
    """The keys of a container's contents as JSON."""
    if keys[:1] == (ROWS,):
        form = {"rows": nesting_form(keys[1], writer)}
        if is_packed(keys):
            form["numbers"] = list(map(type_form, keys[2].element.types))
            form["exact"] = keys[2].is_exact
        return form
    if keys and keys[0] is ADDED:  # which a user's key may equal
        return {"added": keys_form(keys[1:], writer)}
    if keys and keys[0] is TABLE:
        return {"table": True}
    if keys == (SEAT,):
        return {"seat": True}
    if keys and isinstance(keys[0], Unread):
        return {"unread": keys[0].number}
    forms = []
    for key in keys:
        name = next((name for name, made in _FACTORIES.items() if made is key), None)
        if type(key) is Fixed:
            forms.append({"fixed": writer.attribute(tuple(key))})
            continue
        inside = tuple(key) if isinstance(key, Keys) else key
        forms.append({"factory": name} if name else writer.attribute(inside))
    return forms


class NestingReader:
    """Turns JSON into nestings.

    Args:
        reader: for the keys of dicts.
        classes: the user's, in place of stand-ins.
    """

    def __init__(self, reader: Reader, classes: Iterable[type]):
        self._reader = reader
        self._classes = {kind.__qualname__: kind for kind in classes}
        self._made: dict[Any, type] = {}

    def nesting(self, form: Any) -> Structure:
        """A nesting.

        Raises:
            LoadError: it is none.
        """
        if form == "*":
            return LEAF
        expect(isinstance(form, dict), "an unknown nesting")
        match form:
            case {"text": template, "parts": parts}:
                return TupleOf(TextKind(read_template(template)), self._parts(parts))
            case {"joined": separator, "parts": parts}:
                expect(isinstance(separator, str), "a separator that is no text")
                inner = self._parts(parts)
                expect(len(inner) == 1, "texts of more than one list")
                return TupleOf(JoinKind(separator), inner)
            case {"types": types, "parts": parts}:
                return self._number(types, parts)
            case {"or_none": parts}:
                inner = self._parts(parts)
                expect(0 < len(inner) < 3 and inner[0] is LEAF, "what may be None of other parts")
                return TupleOf(OrNone(), inner)
            case {"tuple": parts}:
                return TupleOf(tuple, self._parts(parts))
            case {"namedtuple": name, "fields": fields, "parts": parts}:
                inner = self._parts(parts)
                expect(len(inner) == len(as_list(fields)), "a tuple of another length")
                return TupleOf(self._named_tuple(name, fields), inner)
            case {"none_or": part}:
                return NoneOrOf(self.nesting(part))
            case {"same": number} if is_int(number):
                return SameAs(number)
            case {"length": length, "part": part}:
                expect(length is not None, "a list of unknown length")
                return ListOf(self._reader.length(length), self.nesting(part))
        keys, parts = self.keys(field(form, "keys")), self._parts(field(form, "parts"))
        kind = self._kind(form)
        if "number" not in form:
            return RecordOf(list if kind is TrackedList else kind, keys, parts)
        expect(is_int(form["number"]), "a container without a number")
        return ContainerOf(form["number"], kind, keys, parts)

    def _number(self, types: Any, parts: Any) -> Structure:
        """A number of one of several types, as lists have it."""
        kinds = tuple(self._reader.type(type) for type in as_list(types))
        are_numbers = all(kind.shape == () and kind.dtype.kind in "biufc" for kind in kinds)
        expect(are_numbers and len(kinds) > 1, "a number of types that are none of numbers")
        number = Promoted(kinds)
        inner = self._parts(parts)
        expect(inner == (LEAF,) * (len(number.apart) + 2), "a number of other parts")
        return TupleOf(number, inner)

    def _parts(self, forms: Any) -> tuple[Structure, ...]:
        return tuple(self.nesting(form) for form in as_list(forms))

    def keys(self, form: Any) -> tuple:
        """The keys of a container's contents."""
        if isinstance(form, dict) and "rows" in form:
            rows = self.nesting(form["rows"])
            return (ROWS, rows, self._packed(rows, form)) if "numbers" in form else (ROWS, rows)
        if isinstance(form, dict) and "added" in form:
            return (ADDED, *self.keys(form["added"]))
        if isinstance(form, dict) and "table" in form:
            return (TABLE,)
        if isinstance(form, dict) and "seat" in form:
            return (SEAT,)
        if isinstance(form, dict) and "unread" in form:
            expect(is_int(form["unread"]), "a list without a number")
            return (Unread(form["unread"]),)
        keys = []
        for key in as_list(form):
            if isinstance(key, dict) and "factory" in key:
                expect(key["factory"] in _FACTORIES, "an unknown kind of items")
                keys.append(_FACTORIES[key["factory"]])
            elif isinstance(key, dict) and "fixed" in key:
                keys.append(self._fixed(key["fixed"]))
            else:
                keys.append(self._reader.attribute(key))
        return tuple(keys)

    def _packed(self, structure: Structure, form: dict) -> Packed:
        """What is known of the elements of a list among the arguments that is arrays."""
        types = tuple(self._reader.type(type) for type in as_list(form["numbers"]))
        parts = (structure,) if structure is LEAF else getattr(structure, "parts", ())
        is_flat = structure is LEAF or getattr(structure, "kind", None) is tuple
        is_flat = is_flat and len(parts) == len(types) and all(part is LEAF for part in parts)
        expect(is_flat and all(type in NUMBERS.values() for type in types), "a list of numbers")
        return Packed(ElementType(structure, types), form.get("exact") is True)

    def _fixed(self, form: Any) -> Fixed:
        """The contents of static fields."""
        pairs = self._reader.attribute(form)
        expect(isinstance(pairs, tuple), "static fields that are none")
        for pair in pairs:
            named = isinstance(pair, tuple) and len(pair) == 2 and is_printable(pair[0])
            expect(named, "a static field without a name")
        return Fixed(pairs)

    def _kind(self, form: dict) -> type:
        if "container" in form:
            expect(form["container"] in _KINDS, "an unknown kind of container")
            return _KINDS[form["container"]]
        if "own" in form:
            return self._reader.own_class(form["own"])
        name = field(form, "object")
        expect(is_printable(name), "a class without a name")
        return self._classes.get(name, SimpleNamespace)

    def _named_tuple(self, name: Any, fields: list) -> type:
        expect(is_printable(name) and all(map(is_printable, fields)), "a strange named tuple")
        found = self._classes.get(name) or self._made.get((name, *fields))
        if found is None:
            try:  # refuses what is no identifier
                found = namedtuple(name.rpartition(".")[2], fields)
            except ValueError as error:
                expect(False, str(error))
            self._made[(name, *fields)] = found
        expect(list(getattr(found, "_fields", ())) == fields, f"the fields of '{name}' differ")
        return found


def refuse(what: str, location: Any, fix: str) -> SaveError:
    """The error for a function that cannot be saved because of ``what``."""
    return SaveError(f"the function cannot be saved: {what}", location, fix=fix)
