"""What a call looks like to the cache: the arguments' structure, types and static values."""

from __future__ import annotations

import inspect
import types
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np
import optree

from autograph.backends.foreign import any_foreign, is_foreign, native, natives
from autograph.errors import AutographError, Location, OperandTypeError
from autograph.source.tree.places import NamedPlace
from autograph.staging.border.constancy import argument_key, class_key, has_identity, is_plain
from autograph.staging.containers.structure import (
    Flattener,
    Unflattener,
    container_kinds,
    paths,
    steps,
)
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.leaves import of_registered_class
from autograph.staging.ground.nesting import Structure
from autograph.staging.ground.ownership import is_user_class, is_user_object
from autograph.staging.lists.elements import made_of
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.given_rows import GivenRows
from autograph.staging.lists.packed import Packing
from ops.core.records import NamedTuple, dataclass
from ops.core.types import SUPPORTED, ArrayType, type_of
from ops.random.numpy_streams import bits_of, is_generator

# The namespace in which optree does not sort the keys of dicts; nothing else uses it. Its registry
# is of the whole process, and entering the context at each call would take longer than the call,
# and let one thread undo what another one has set: it is entered here, and kept for good.
_IN_ORDER = "autograph.call"
_in_order = optree.dict_insertion_ordered(True, namespace=_IN_ORDER)
_in_order.__enter__()


@dataclass(frozen=True)
class Signature:
    """What distinguishes one graph of a function from another: argument structure, types,
    statics."""

    code: types.CodeType
    own: tuple[int, ...]  # identities of the cells and defaults of the function object
    structure: Hashable
    leaves: tuple[Any, ...]  # an ArrayType, or the identity of a static object
    kinds: frozenset[type] = frozenset()  # of exceptions that are handled around the call


class Nested(NamedTuple):
    """The nesting of arguments among which there are objects of the user's.

    Attributes:
        structure: of ``(args, kwargs)``; see `autograph.staging.containers.structure`.
        classes: what the attributes of the objects' classes are.
        roots: the names of objects from outside, which come before the arguments: the structure is
            that of ``(roots, args, kwargs)``; see `autograph.staging.border.outer_inputs`.
    """

    structure: Structure
    classes: tuple
    roots: tuple[str, ...] = ()


CallStructure = Union[optree.PyTreeSpec, Nested]


class CallParts(NamedTuple):
    """The arguments of a call, and what comes before them.

    Attributes:
        args, kwargs: the arguments, positional and by keyword.
        roots: objects from outside, by name; see `autograph.staging.border.outer_inputs`.
        unread: the numbers of lists whose elements are not seen; see
            `autograph.staging.lists.growing`.
        given: the lists of lists that are rows in heaps, or the objects that are in some, if there
            are any.
        packing: what says which lists are packed, if there are some that are.
        containers: those among the arguments, in the order in which they are met, where they are
            known: None in the place of those that the results do not need.
    """

    args: tuple
    kwargs: dict[str, Any]
    roots: Mapping[str, Any] = {}
    unread: Collection[int] = ()
    given: GivenRows | GivenObjects | None = None
    packing: Packing | None = None
    containers: Sequence[Any] | None = None

    @property
    def nested(self) -> tuple:
        """All that is taken apart."""
        arguments = self.args, self.kwargs
        return (tuple(self.roots.values()), *arguments) if self.roots else arguments

    def flattener(self) -> Flattener:
        """What takes it apart."""
        return Flattener(unread=self.unread, given=self.given, packing=self.packing)


def flatten_call(call: CallParts) -> tuple[list[Any], CallStructure]:
    """The leaves of the arguments and the nesting of ``(args, kwargs)``, after the roots if there
    are any; see `Nested`.

    Dicts with the same keys in different orders differ: a function may iterate over them. Objects
    of the user's are containers of their attributes. Arrays of other libraries are NumPy's or
    CuPy's.
    """
    if call.roots or call.unread or call.given is not None or call.packing is not None:
        return _flatten_nested(call)
    given = call.nested
    leaves, structure = optree.tree_flatten(
        given, of_registered_class(), none_is_leaf=True, namespace=_IN_ORDER
    )
    if any_foreign(leaves):
        leaves = natives(leaves)
    if not any(map(is_user_object, leaves)) and _is_plain(given, set()):
        return leaves, structure
    return _flatten_nested(call)


def _flatten_nested(call: CallParts) -> tuple[list[Any], Nested]:
    leaves, nested = call.flattener().flatten(call.nested)
    if any_foreign(leaves):
        leaves = natives(leaves)
    kinds = dict.fromkeys(filter(is_user_class, map(made_of, container_kinds(nested))))
    inputs = {id(root) for root in call.roots.values() if isinstance(root, NamedPlace)}
    classes = tuple((kind, class_key(kind, inputs)) for kind in kinds)
    return leaves, Nested(nested, classes, tuple(call.roots))


def _is_plain(value: Any, met: set[int]) -> bool:
    """Whether nested containers are different ones, and there are no keys of dicts but texts and
    ints: others may equal one of these, or each other, without being the same.

    Args:
        met: the identities of the containers before.
    """
    if isinstance(value, tuple):
        return all(_is_plain(item, met) for item in value)
    if not isinstance(value, (dict, list, deque)):
        return True
    if id(value) in met:
        return False
    met.add(id(value))
    if isinstance(value, dict):
        plain = all(type(key) is str or type(key) is int for key in value)
        return plain and all(_is_plain(item, met) for item in value.values())
    return all(_is_plain(item, met) for item in value)


def unflatten_call(structure: CallStructure, leaves: Iterable[Any]) -> tuple:
    """The inverse of `flatten_call`: args and kwargs, after the roots, if there are any."""
    if isinstance(structure, Nested):
        return Unflattener().unflatten(structure.structure, iter(leaves))
    return optree.tree_unflatten(structure, leaves)


def call_containers(call: CallParts) -> list[Any]:
    """The containers among the arguments, in the order in which they are met, after those of the
    roots; see `flatten_call`."""
    if call.containers is not None:
        return [*call.containers]
    flattener = call.flattener()
    flattener.flatten(call.nested)
    found = flattener.containers
    return found if call.given is None else list(map(call.given.container, found))


# The kinds of arrays of objects and of texts, which are static.
_OBJECTS = "OUST"

# Of arguments that are traced or values.
_FREQUENT = {float, int, complex, bool, str, type(None), np.float64, np.int64}


def traced_type(leaf: Any) -> ArrayType | None:
    """The type with which a leaf is traced; None for a static one. Python bools are static, and so
    are numbers of other classes than Python's and NumPy's, which may do anything.

    Raises:
        OperandTypeError: it is an array of a class or dtype that is not supported.
    """
    kind = type(leaf)
    if kind is bool or not is_plain(leaf):
        return None
    found = type_of(leaf)
    if found is None and isinstance(leaf, np.ndarray) and leaf.dtype.kind not in _OBJECTS:
        raise OperandTypeError(
            f"an argument is an array of dtype {leaf.dtype}, which is not supported",
            fix=f"pass {SUPPORTED}",
        )
    return found


def leaf_key(leaf: Any) -> Hashable:
    """What a graph recorded for this leaf depends on."""
    kind = type(leaf)
    if kind is np.ndarray and leaf.dtype.kind not in _OBJECTS:
        return leaf.dtype, leaf.shape
    if kind is float or kind is int or kind is complex:
        return kind
    if kind is GivenFunction:
        return kind, id(leaf)
    if is_generator(leaf):
        return kind, type(bits_of(leaf))
    array_type = traced_type(leaf)
    return argument_key(leaf) if array_type is None else (kind, array_type)


def call_key(leaves: Sequence[Any], structure: CallStructure) -> Hashable:
    """What a graph recorded for these arguments depends on. Which objects they are does not count,
    but which of them are the same."""
    objects = [id(leaf) for leaf in leaves if is_bound(leaf)]
    same = tuple(map(objects.index, objects)) if len(objects) > 1 else ()
    return structure, same, tuple(leaf_key(leaf) for leaf in leaves)


def is_bound(leaf: Any) -> bool:
    """Whether a leaf is an object that is another one at each call: neither traced nor a value."""
    kind = type(leaf)
    if kind in _FREQUENT:
        return False
    if kind is np.ndarray:
        return leaf.dtype.kind in _OBJECTS
    return kind is GivenFunction or (traced_type(leaf) is None and has_identity(leaf))


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


def argument_paths(function: Callable, structure: CallStructure) -> list[str]:
    """What messages call each leaf of ``(args, kwargs)``: ``params['layers'][0].w``."""
    parameters = _parameters(function)
    if isinstance(structure, Nested):
        inside = ["".join(path[2:]) for path in steps(structure.structure)]
    else:
        inside = [path[2:].codify("") for path in optree.treespec_accessors(structure)]
    found = []
    for (argument, *_), rest in zip(_paths(structure), inside):
        if isinstance(argument, int):
            named = argument < len(parameters)
            argument = parameters[argument] if named else f"argument {argument}"
        found.append(f"{argument}{rest}")
    return found


def refuse_dtypes(
    leaves: Sequence[Any], paths: Callable[[], Sequence[str]], place: Location | None
) -> None:
    """Refuse arrays of dtypes that are not supported, by the names that ``paths`` gives."""
    for position, leaf in enumerate(leaves):
        try:
            traced_type(leaf)
        except OperandTypeError as error:
            message = error.message.replace("an argument", paths()[position], 1)
            raise OperandTypeError(message, place, fix=error.fix) from None


def name_foreign(error: AutographError, function: Callable, args: tuple, kwargs: dict) -> None:
    """Let an error about an array of another library among the arguments say which it is."""
    leaves, structure = Flattener().flatten((args, kwargs))
    for leaf, path in zip(leaves, argument_paths(function, Nested(structure, ()))):
        if is_foreign(leaf):
            try:
                native(leaf)
            except AutographError:
                error.message = f"{path}: {error.message}"
                return


def leaf_arguments(structure: CallStructure) -> list[int | str | None]:
    """For each leaf of a call the position or the keyword of its argument; None for a root's."""
    return [None if is_root else argument for is_root, argument, _ in _split_paths(structure)]


def root_paths(structure: CallStructure) -> list[tuple[str, ...]]:
    """The way to each leaf of a root: its name and the steps inside."""
    found = []
    for is_root, name, inside in _split_paths(structure):
        if not is_root:
            break
        found.append((str(name), *inside))
    return found


def _paths(structure: CallStructure) -> Iterator[tuple]:
    """The way to each leaf: the position or the keyword of its argument, or the name of a root,
    then the steps inside."""
    return ((argument, *rest) for _, argument, rest in _split_paths(structure))


def _split_paths(structure: CallStructure) -> Iterator[tuple[bool, int | str, Sequence[str]]]:
    nested = isinstance(structure, Nested)
    roots = structure.roots if nested else ()
    for path in paths(structure.structure) if nested else optree.treespec_paths(structure):
        kind, argument, *rest = path
        part = int(kind) - bool(roots)
        if part < 0:
            yield True, roots[int(argument)], rest
        else:
            yield False, int(argument) if part == 0 else argument, rest


def _parameters(function: Callable) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in positional]
