"""What a call looks like to the cache: the arguments' structure, types and static values."""

from __future__ import annotations

import functools
import inspect
import types
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Union

import numpy as np
import optree

from autograph.backends.select import is_array
from autograph.errors import OperandTypeError
from autograph.staging import specials
from autograph.staging.containers import contents
from autograph.staging.nesting import Structure
from autograph.staging.ownership import is_user_class, is_user_object
from autograph.staging.structure import Flattener, Unflattener, container_kinds, paths
from ops.types import ArrayType, type_of

# The namespace in which optree does not sort the keys of dicts; nothing else uses it.
_IN_ORDER = "autograph.call"
_in_order = optree.dict_insertion_ordered(True, namespace=_IN_ORDER)
_in_order.__enter__()


@dataclass(frozen=True)
class Signature:
    """What distinguishes one graph of a function from another: argument structure, types,
    statics."""

    code: types.CodeType
    cells: tuple[int, ...]  # identities of the closure's cells
    structure: Hashable
    leaves: tuple[Any, ...]  # an ArrayType, or the identity of a static object


class Nested(NamedTuple):
    """The nesting of arguments among which there are objects of the user's.

    Attributes:
        structure: of ``(args, kwargs)``; see `autograph.staging.structure`.
        classes: what the attributes of the objects' classes are.
    """

    structure: Structure
    classes: tuple


CallStructure = Union[optree.PyTreeSpec, Nested]


def flatten_call(args: tuple, kwargs: dict[str, Any]) -> tuple[list[Any], CallStructure]:
    """The leaves of the arguments and the nesting of ``(args, kwargs)``.

    Dicts with the same keys in different orders differ: a function may iterate over them. Objects
    of the user's are containers of their attributes.
    """
    leaves, structure = optree.tree_flatten((args, kwargs), none_is_leaf=True, namespace=_IN_ORDER)
    if not any(map(is_user_object, leaves)):
        return leaves, structure
    leaves, nested = Flattener().flatten((args, kwargs))
    kinds = dict.fromkeys(kind for kind in container_kinds(nested) if is_user_class(kind))
    return leaves, Nested(nested, tuple((kind, _class_key(kind)) for kind in kinds))


def unflatten_call(structure: CallStructure, leaves: Iterable[Any]) -> tuple[tuple, dict[str, Any]]:
    """The inverse of `flatten_call`."""
    if isinstance(structure, Nested):
        return Unflattener().unflatten(structure.structure, iter(leaves))
    return optree.tree_unflatten(structure, leaves)


def call_containers(args: tuple, kwargs: dict[str, Any]) -> list[Any]:
    """The containers among the arguments, in the order in which they are met."""
    flattener = Flattener()
    flattener.flatten((args, kwargs))
    return flattener.containers


def _class_key(kind: type) -> Hashable:
    """What the attributes that instances of a class share are."""
    return tuple(
        (name, static_key(value))
        for owner in kind.__mro__
        if is_user_class(owner)
        for name, value in specials.own(owner).items()
        if not name.startswith("__")
    )


# The kinds of arrays of objects and of texts, which are static.
_OBJECTS = "OUST"


def traced_type(leaf: Any) -> ArrayType | None:
    """The type with which a leaf is traced; None for a static one. Python bools are static."""
    found = None if isinstance(leaf, bool) else type_of(leaf)
    if found is None and isinstance(leaf, np.ndarray) and leaf.dtype.kind not in _OBJECTS:
        raise OperandTypeError(
            f"an argument is an array of dtype {leaf.dtype}, which is not supported",
            fix="pass booleans, integers, floats of up to 64 bits or complex numbers of up to 128 "
            "bits, in the byte order of the machine",
        )
    return found


def leaf_key(leaf: Any) -> Hashable:
    """What a graph recorded for this leaf depends on."""
    kind = type(leaf)
    if kind is np.ndarray and leaf.dtype.kind not in _OBJECTS:
        return leaf.dtype, leaf.shape
    if kind is float or kind is int or kind is complex:
        return kind
    if isinstance(leaf, np.random.Generator):
        return kind, type(leaf.bit_generator)
    array_type = traced_type(leaf)
    return static_key(leaf) if array_type is None else (kind, array_type)


def static_key(value: Any, seen: tuple[int, ...] = ()) -> Hashable:
    """A key that two static values share only if converted code cannot tell them apart.

    Numbers, strings and the like count by value, everything else by identity; containers and
    objects with attributes also by what they hold.
    """
    if isinstance(value, (str, bytes, int, float, complex, type(None), np.generic, range, slice)):
        return type(value), repr(value)
    if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)):
        return value
    if id(value) in seen:
        return "cycle", id(value)
    seen = (*seen, id(value))
    if is_array(value):
        inside = value.tolist() if value.dtype.kind in _OBJECTS else None
        return "array", id(value), value.dtype, value.shape, static_key(inside, seen)
    if isinstance(value, dict):
        parts = [(static_key(k, seen), static_key(v, seen)) for k, v in value.items()]
        return "dict", tuple(parts)
    if isinstance(value, (list, tuple, deque)):
        return type(value), tuple(static_key(item, seen) for item in value)
    if isinstance(value, (set, frozenset)):
        return type(value), frozenset(static_key(item, seen) for item in value)
    if isinstance(value, types.MethodType):
        return value.__func__, static_key(value.__self__, seen)
    if isinstance(value, functools.partial):
        return "partial", static_key((value.func, value.args, value.keywords), seen)
    if is_user_object(value):
        state = contents(value)
        parts = tuple(static_key(v, seen) for v in state.values)
        return type(value), id(value), state.keys, parts, _class_key(type(value))
    return type(value), id(value)


def call_key(leaves: Sequence[Any], structure: CallStructure) -> Hashable:
    """What a graph recorded for these arguments depends on. Which generators of random numbers they
    are does not count, but which of them are the same."""
    generators = [id(leaf) for leaf in leaves if isinstance(leaf, np.random.Generator)]
    same = tuple(map(generators.index, generators)) if len(generators) > 1 else ()
    return structure, same, tuple(leaf_key(leaf) for leaf in leaves)


def argument_names(function: Callable, structure: CallStructure) -> list[str]:
    """A name for each leaf of ``(args, kwargs)``: the parameter's, with the path inside it."""
    parameters = _parameters(function)
    names = []
    for argument, *rest in _paths(structure):
        stem = argument
        if isinstance(argument, int):
            stem = parameters[argument] if argument < len(parameters) else f"arg{argument}"
        names.append("_".join([str(stem), *(str(step) for step in rest)]))
    return [name if name.isidentifier() else f"arg{i}" for i, name in enumerate(names)]


def leaf_arguments(structure: CallStructure) -> list[int | str]:
    """For each leaf of ``(args, kwargs)`` the position or the keyword of its argument."""
    return [argument for argument, *_ in _paths(structure)]


def _paths(structure: CallStructure) -> Iterator[tuple]:
    """The way to each leaf: the position or the keyword of its argument, then the steps inside."""
    nested = isinstance(structure, Nested)
    for path in paths(structure.structure) if nested else optree.treespec_paths(structure):
        kind, argument, *rest = path
        yield (int(argument) if int(kind) == 0 else argument, *rest)


def _parameters(function: Callable) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in positional]
