"""What all derivatives share: nested arguments, compiled transforms, tangents that fit, memory.

Each of these transforms is a function that runs inside a recording and returns symbolic arrays (see
`recorded_calls`). Made a `GraphFunction`, it is compiled like any function.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
import re
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

import ops
from autograph import collector
from autograph.api.function import GraphFunction
from autograph.api.recording.attached import MOST, Attached
from autograph.api.recording.recorded import Wrapper, source_of
from autograph.api.trees import Nesting, flatten, has_type, is_inexact, leaf_type, nesting
from autograph.backends.foreign import is_foreign, native
from autograph.errors import (
    Location,
    NonDifferentiableError,
    TangentError,
)
from autograph.graph.graph import Value
from autograph.graph.variance import control
from autograph.source.load import definition
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.transforms.analysis.flow import memory_of
from ops.core.operands import operand_type
from ops.core.types import ArrayType, may_agree

FLOAT0 = np.dtype([("float0", np.void, 0)])  # JAX's dtype for tangents of integers


# What optree appends to a message: the container with all that is in it.
_WHAT_IT_HOLDS = re.compile(r"; \w+: [(\[{].*", re.DOTALL)


def aligned(tree: Any, like: Nesting, what: str, site: Location | None) -> list:
    """The leaves of ``tree``, one for each leaf of a nesting, which has to be that of the tree.

    Raises:
        TangentError: it is not.
    """
    try:
        return like.parts_of(tree)
    except ValueError as error:
        why = _WHAT_IT_HOLDS.sub("", str(error))
        raise TangentError(
            f"{what} are not nested as what they belong to: {why}",
            site,
            id="AG0506",
            fix="pass the same tuples, lists, dicts and objects, with a tangent for each array or "
            "number",
        ) from None


# -- compiled transforms ---------------------------------------------------------------------------


def transformed(
    transform: Callable, function: Callable, prefix: str, takes_lists: bool = False
) -> GraphFunction[..., Any]:
    """A transform of ``function``, made a compiled function.

    Args:
        takes_lists: whether lists of numbers among the arguments may be arrays; see
            `autograph.api.recording.list_forms`.
    """
    source = source_of(function)
    definition(source)  # what cannot be converted is refused here, not at the first call
    options = function.options if isinstance(function, GraphFunction) else {}
    name = f"{prefix}_{getattr(function, 'name', getattr(source, '__name__', 'function'))}"
    return GraphFunction(transform, source=source, name=name, takes_lists=takes_lists, **options)


Made = TypeVar("Made")
_Value = TypeVar("_Value", bound="Value | None")


def remembered(make: Callable[..., Made]) -> Callable[..., Made]:
    """``make(function, *options)``, which compiles something of a function, with the results kept,
    so that another call with the same function finds what is compiled.

    They are kept in the function itself and go when it goes: it may hold large arrays. What is no
    Python function, like a method, is kept until there are many others, or until the process has
    come to have much more memory.
    """

    def noted(function: Callable, *options: Any) -> Made:
        collector.look_at_memory()  # functions that are gone may have held much of it
        made = make(function, *options)
        if isinstance(made, GraphFunction):
            made.made_by = (find, (function, *options))
        return made

    latest = functools.lru_cache(maxsize=MOST)(noted)
    collector.forgetting.append(latest.cache_clear)

    @functools.wraps(make)
    def find(function: Callable, *options: Any) -> Made:
        # While recording nothing is compiled, and the function may hold what is being recorded.
        if active_recorder() is not None or not _is_hashable(options):
            return noted(function, *options)
        if isinstance(function, (types.FunctionType, GraphFunction, Wrapper)):
            return Attached.of(function).get(noted, function, options)
        if not _is_told_by_identity(function):
            return noted(function, *options)
        return latest(function, *options)

    return find


def _is_hashable(options: tuple) -> bool:
    try:
        hash(options)
    except TypeError:
        return False
    return True


def _is_told_by_identity(function: Callable) -> bool:
    """Whether functions are equal only if they are the same; methods, if they are of the same
    object."""
    kind = type(function)
    hashed: Any = kind.__hash__
    return kind is types.MethodType or hashed is object.__hash__


def site_of(function: Callable) -> Location | None:
    """Where the user's function is defined."""
    return definition(source_of(function))


def name_of(function: Callable) -> str:
    return getattr(source_of(function), "__name__", "function")


# -- leaves ----------------------------------------------------------------------------------------


def symbolic(leaf: Any) -> GraphArray:
    """A symbolic array of its own for an array or number."""
    box = GraphArray(recorder().value_of(leaf))
    recorder().inputs.given[box] = leaf
    return box


def described(leaf: Any) -> str:
    """What messages call a leaf."""
    type = leaf_type(leaf)
    return f"a {leaf.__class__.__name__}" if type is None else str(type)


def is_zero_of_integers(leaf: Any) -> bool:
    """Whether a tangent is what stands for zero where there is no derivative: None or JAX's
    float0."""
    return leaf is None or getattr(leaf, "dtype", None) == FLOAT0


def without_float0(tree: Any) -> Any:
    """The tree with None in place of arrays of JAX's dtype float0."""
    leaves, nesting = flatten(tree, lambda leaf: True)
    return nesting.unflatten([None if is_zero_of_integers(leaf) else leaf for leaf in leaves])


def as_argnums(argnums: Any, function: Callable) -> int | tuple[int, ...]:
    """The positions that a transform is given, as an int or a tuple of ints.

    Raises:
        NonDifferentiableError: they are something else.
    """
    several = isinstance(argnums, Sequence) and not isinstance(argnums, str)
    try:
        found = tuple(map(operator.index, argnums if several else (argnums,)))
    except TypeError:
        raise NonDifferentiableError(
            f"argnums is {argnums!r}, but it has to be an int, or a tuple of ints",
            site_of(function),
            id="AG0504",
            fix="give the positions of the arguments, as in argnums=0 or argnums=(0, 1)",
        ) from None
    return found if several else found[0]


def checked_argnums(
    argnums: int | Sequence[int], args: Sequence[Any], function: Callable, holomorphic: bool
) -> tuple[int, ...]:
    """The positions, from 0 on, of the arguments to differentiate by.

    Raises:
        NonDifferentiableError: there are not that many, one is named twice, or has no gradient.
    """
    count = len(args)
    wanted = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for position in wanted:
        if not -count <= position < count:
            raise NonDifferentiableError(
                f"argnums names argument {position}, but the call has {count} positional arguments",
                site_of(function),
                id="AG0504",
                fix="pass the argument by position, or change argnums",
            )
    found = tuple(position % count for position in wanted)
    names = parameters_of(function, count)
    for position in found:
        if found.count(position) > 1:
            raise NonDifferentiableError(
                f"argnums names argument {position} twice",
                site_of(function),
                id="AG0504",
                fix="name each argument once",
            )
        _require_floats(args[position], position, names[position], holomorphic, site_of(function))
    return found


def _require_floats(
    argument: Any, position: int, name: str, holomorphic: bool, site: Location | None
) -> None:
    """Refuse an argument that has no gradient.

    Raises:
        NonDifferentiableError: it holds no floating-point array or number; or one that is not
            complex, if the function is to be holomorphic.
    """
    leaves, nesting = flatten(argument)
    floats = [(leaf, path) for leaf, path in zip(leaves, nesting.paths(name)) if is_inexact(leaf)]
    if not floats:
        raise NonDifferentiableError(
            f"cannot differentiate by argument {position}, which holds no floats"
            f"{_listed(leaves, nesting, name)}",
            site,
            id="AG0503",
            fix=f"pass its array: {name}.to_numpy()"
            if hasattr(argument, "to_numpy")
            else "pass floats (2.0 for 2, x.astype(float)), or choose other argnums",
        )
    for leaf, path in floats:
        if holomorphic and operand_type(leaf).dtype.kind != "c":
            raise NonDifferentiableError(
                f"with holomorphic=True arguments have to be complex, but argument {position} is "
                f"not: {path} is {described(leaf)}",
                site,
                id="AG0509",
                fix="pass complex numbers (x.astype(complex)), or leave holomorphic out",
            )


_MOST_LISTED = 8


def _listed(leaves: Sequence[Any], nesting: Nesting, name: str) -> str:
    """What the leaves of an argument are, for a message."""
    if not leaves:
        return ""
    found = [f"{path} is {described(leaf)}" for path, leaf in zip(nesting.paths(name), leaves)]
    more = [f"and {len(found) - _MOST_LISTED} more"] if len(found) > _MOST_LISTED else []
    return f": {', '.join(found[:_MOST_LISTED] + more)}"


def parameters_of(function: Callable, count: int) -> list[str]:
    """What messages call the first arguments of a call of the user's function: by its names where
    it has some."""
    names: list[str] = []
    rest = None
    parameters: Iterable[inspect.Parameter] = ()
    with contextlib.suppress(TypeError, ValueError):
        parameters = inspect.signature(source_of(function)).parameters.values()
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            rest = parameter.name
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    for position in range(len(names), count):
        names.append(f"{rest}[{position - len(names)}]" if rest else f"args[{position}]")
    return names[:count]


def leaf_paths(
    function: Callable,
    args: tuple,
    kwargs: dict[str, Any],
    is_leaf: Callable[[Any], bool] | None = None,
) -> list[str]:
    """What messages call the leaves of ``(args, kwargs)``.

    Args:
        is_leaf: see `autograph.api.trees.flatten`.
    """
    names = [*parameters_of(function, len(args)), *sorted(kwargs)]
    parts = [*args, *(kwargs[name] for name in sorted(kwargs))]
    nestings = [nesting(part, has_type, is_leaf) for part in parts]
    return [path for name, inner in zip(names, nestings) for path in inner.paths(name)]


def converted(
    given: Any,
    type: ArrayType | None,
    what: str,
    site: Location | None,
    place: Callable[[], str],
) -> Any:
    """A tangent or cotangent as an array or number of the given type; None if it is zero.

    Args:
        given: what the user gave: an array or number of the same shape and dtype; Python numbers
            fit any dtype of their kind. None, or an array of JAX's dtype float0, is zero.
        type: of what it belongs to; None if that is no array or number.
        what: what messages call it.
        place: gives what they call what it belongs to.

    Raises:
        TangentError: it does not fit.
    """
    if is_zero_of_integers(given):
        return None
    if is_foreign(given):
        given = native(given)
    if type is None or not type.inexact:
        whose = "something that is no array or number of floats" if type is None else str(type)
        raise TangentError(
            f"{what} is {described(given)}, but it belongs to {place()}, {whose}, which has no "
            "derivative",
            site,
            id="AG0506",
            fix="pass None for it",
        )
    found = leaf_type(given)
    if found is None or not (may_agree(found.shape, type.shape) and is_of_dtype(found, type)):
        raise TangentError(
            f"{what} is {described(given)}, but it belongs to {place()}, {type}",
            site,
            id="AG0506",
            fix="pass an array of the same shape and dtype",
        )
    if more := found.varies - type.varies - control():
        names = ", ".join(map(repr, sorted(more)))
        raise TangentError(
            f"{what} may differ between the parts of a mesh along {names}, but it belongs to "
            f"{place()}, {type}, which is the same in all of them",
            site,
            id="AG0506",
            fix=f"let what is differentiated differ as well: ops.pvary(x, {names})",
        )
    if found.dtype == type.dtype and found.weak == type.weak:
        return given
    return ops.cast(given, dtype=type.dtype.name, weak=type.weak)


def is_of_dtype(found: ArrayType, type: ArrayType) -> bool:
    """Whether a tangent or cotangent has the dtype of what it belongs to. A Python number fits any
    of its kind, and one of that kind fits a Python number."""
    is_number = found.weak or type.weak
    return found.dtype == type.dtype or (
        is_number and np.can_cast(found.dtype, type.dtype, "same_kind")
    )


def fresh(values: Iterable[_Value], shared: Iterable[Value]) -> list[_Value]:
    """The values, with copies in place of arrays that are not the caller's to change: those that
    share memory with ``shared``, with constants, or with one another, and those whose elements
    share memory.

    The derivative of ``sum(a * b)`` by a is b, be it an argument or an array from outside, and that
    of ``sum(a)`` ones, broadcast.
    """
    taken = set(shared)
    result: list[_Value] = []
    for value in values:
        if value is not None:
            sources, is_view = memory_of(value, {})
            is_shared = is_view or any(v.producer is None or v in taken for v in sources)
            if is_shared and isinstance(value.type, ArrayType) and value.type.shape:
                value = ops.copy(value)
            taken.update(sources)
        result.append(value)
    return result
