"""What is called, and with what, as JSON: it tells calls apart for which something else is
recorded, in any process, whatever they find outside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import CellType, FunctionType, MappingProxyType
from typing import Any

import numpy as np

from autograph.api.recording.alike import origin
from autograph.api.recording.recorded import RecordedFunction
from autograph.api.recording.symbolic import OpenShapes
from autograph.api.saving.nestings import is_nameless
from autograph.api.saving.writing import nesting_of
from autograph.graph.description import NoDescription
from autograph.graph.serialize import type_form
from autograph.source.load import is_converted
from autograph.source.tree.fingerprint import fingerprint
from autograph.source.tree.free import Lookup
from autograph.source.tree.libraries import module_of
from autograph.staging.border.by_value import Descriptions
from autograph.staging.border.outer_inputs import Variables
from autograph.staging.border.signature import CallStructure, traced_type
from autograph.staging.containers.containers import Keys
from autograph.staging.containers.structure import ContainerOf, Flattener, SameAs, is_packed
from autograph.staging.ground.bound import BoundCallable, GivenFunction
from autograph.staging.ground.fixed import Fixed
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.lists.lists import TrackedList
from ops.core.records import NamedTuple

# What is told by its class and text.
VALUES = (bool, int, float, complex, str, bytes, type(None))


class NewCall(NamedTuple):
    """A call that something is recorded for.

    Attributes:
        leaves, structure: of the arguments; see `autograph.staging.border.signature.flatten_call`.
        roots: objects from outside that are inputs; see
            `autograph.staging.border.outer_inputs`.
        static: the positions of leaves whose values are needed.
        variables: those roots that stand for free variables; see there.
        open_shapes: those of arrays of any length.
    """

    leaves: list[Any]
    structure: CallStructure
    roots: Mapping[str, Any] = MappingProxyType({})
    static: Collection[int] = ()
    variables: Variables = MappingProxyType({})
    open_shapes: OpenShapes | None = None

    def containers(self) -> list[Any]:
        """The containers in the roots, and these."""
        flattener = Flattener()
        flattener.flatten(tuple(self.roots.values()))
        return flattener.containers


def steps_form(steps: Sequence[Any]) -> list[Any]:
    """How what is called is made of a function.

    Raises:
        NoDescription: by something that is not of this package.
    """
    found = []
    for make, options in steps:
        if not make.__module__.startswith("autograph."):
            raise NoDescription(f"it is made by '{make.__qualname__}'")
        found.append([make.__module__, make.__qualname__, repr(options)])
    return found


def compiled_form(value: Any) -> Sequence[Any] | None:
    """What a compiled function, a method that is one, or what stands for a function is made of, and
    how; None for what is none."""
    if isinstance(value, BoundCallable):
        return [(value.__func__, value.__self__), "bound"]
    if type(value) is GivenFunction:
        return [value.function, "given"]
    if not isinstance(value, RecordedFunction):
        return None
    steps, function = origin(value)
    return None if function is None else [function, value.name, steps_form(steps)]


def called_form(function: Any, call: NewCall) -> Any:
    """What tells a function, or what is called like one, from others: its code, and what its
    variables hold, as far as there may be others of its code.

    Args:
        call: whose roots are inputs, whatever they hold.

    Raises:
        NoDescription: nobody can tell what it is.
    """
    described = Descriptions(compiled_form)
    described.give(call.containers())
    if type(function) is not FunctionType:
        return described.of(function)
    if is_converted(function.__code__) or function.__code__.co_filename.startswith("<"):
        raise NoDescription("its source is in no file")
    found = []
    cells = zip(function.__closure__ or (), function.__code__.co_freevars)
    held = [None if (id(c), name) in call.variables else Lookup(c, name)() for c, name in cells]
    for value in (*held, *(function.__defaults__ or ())):
        try:
            found.append(described.of(value))
        except NoDescription:
            found.append(None)
    return [fingerprint(function.__code__), found]


def form_of_call(call: NewCall) -> Any:
    """The arguments of a call: their nesting, types and static values.

    Raises:
        NoDescription: they are nested in something else than tuples, lists, dicts and objects of
            the user's, or are neither arrays nor what has a description.
    """
    # The names of roots, then the nesting of them and of the arguments.
    return [list(call.roots), _Arguments(call).form(nesting_of(call.structure))]


class _Arguments:
    """Describes the arguments of a call, from the first to the last."""

    def __init__(self, call: NewCall):
        self._described = Descriptions(compiled_form)
        self._static = call.static
        self._open_shapes = call.open_shapes
        self._leaves = iter(enumerate(call.leaves))

    def form(self, part: Structure) -> Any:
        """What is nested so, of which the leaves come next."""
        match part:
            case None:
                position, leaf = next(self._leaves)
                is_known = position in self._static or not is_input(leaf)
                return self._described.of(leaf) if is_known else self._input(position, leaf)
            case TupleOf(kind, parts):
                return [_kind_form(kind), *map(self.form, parts)]
            case ContainerOf(_, kind, keys, parts) if not part.is_unread and not part.is_rows:
                return [_kind_form(kind), *map(self._key, keys), *map(self.form, parts)]
            case ContainerOf(number, _, keys, ()) if part.is_unread:
                return ["unread", number]
            case ContainerOf(_, _, keys, parts) if is_packed(keys):
                how = keys[-1]
                types = list(map(type_form, how.element.types))
                is_alone = how.element.structure is LEAF
                return ["packed", is_alone, types, how.is_exact, *map(self.form, parts)]
            case ContainerOf(_, _, keys, parts) if part.is_given:
                _, structure, types = keys
                found = [structure is LEAF, list(map(type_form, types))]
                return ["rows", *found, *map(self.form, parts)]
            case SameAs(number):
                return ["same", number]
        raise NoDescription("an argument is nested in something else than containers and objects")

    def _input(self, position: int, leaf: Any) -> Any:
        found = traced_type(leaf)
        if found is None or not found.dtype.isbuiltin or not found.dtype.isnative:
            raise NoDescription(f"an argument is a {type(leaf).__name__}")
        opened = self._open_shapes and self._open_shapes.type(position, found)
        return [type(leaf).__name__, type_form(opened or found)]

    def _key(self, value: Any) -> Any:
        if type(value) in (Keys, Fixed, tuple):
            return [type(value).__name__, *map(self._key, value)]
        if type(value) in VALUES:
            return self._described.of(value)
        raise NoDescription(f"an argument has a {type(value).__name__} among its keys")


def _kind_form(kind: Any) -> Any:
    if kind in (tuple, dict, TrackedList, CellType):
        return kind.__name__
    if isinstance(kind, type) and (is_user_class(kind) or is_nameless(kind)):
        return [module_of(kind), kind.__qualname__]
    raise NoDescription("an argument is nested in something else than tuples, lists and dicts")


def is_input(value: Any) -> bool:
    """Whether a leaf of the arguments is an array or number, which is traced."""
    kind = type(value)
    is_scalar = isinstance(value, np.generic) and not is_user_class(kind)
    return kind is np.ndarray or kind in (int, float, complex) or is_scalar
