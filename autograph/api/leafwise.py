"""Parameters, their gradients and the states of optimisers, taken together leaf by leaf.

What `autograph.optim` is written with. It is `autograph.tree` with three rules more: only real
floating-point arrays and numbers are leaves, the rest stays as it is, as does what has no gradient,
for which None stands; results have the dtype of what they replace; and trees that do not fit are an
error with the path of the leaf.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.api.trees import Nesting, flatten, has_type, leaf_type, plain
from autograph.api.unknowns import cast
from autograph.errors import OperandShapeError, OperandTypeError, OptionError
from autograph.staging.ground.errors import user_location


def is_float(leaf: Any) -> bool:
    """Whether a leaf is a real floating-point array or number.

    Raises:
        OperandTypeError: it is complex: what optimisers would do with such is not defined here.
    """
    type = leaf_type(leaf)
    if type is not None and type.dtype.kind == "c":
        raise OperandTypeError(
            f"an optimiser is given {type}, which is complex",
            user_location(),
            id="AG0702",
            fix="use the real and imaginary parts as parameters: z.real, z.imag",
        )
    return type is not None and type.inexact


def is_flag(item: Any) -> bool:
    """Whether something is one bool."""
    type = leaf_type(item)
    return type is not None and not type.shape and type.dtype.kind == "b"


def cast_like(x: Any, leaf: Any) -> Any:
    """A number or array of the dtype of a leaf."""
    type = leaf_type(leaf)
    return x if type is None else cast(x, type.dtype)


def of_parameters(function: Callable[[Any], Any], params: Any) -> Any:
    """What a function makes of each leaf of parameters, None for what is no float; nested like
    them."""
    return _mapped(lambda path, leaf: function(leaf) if is_float(leaf) else None, params, "")


def of_updates(
    function: Callable[..., Any],
    updates: Any,
    *others: Any,
    what: str = "",
    any_shape: bool = False,
) -> Any:
    """What a function makes of each leaf of updates and of what others have in its place, in the
    dtype of the updates. Where there is no update, none is made.

    Args:
        function: of a leaf and those of the others.
        updates: gradients, or what other transformations have made of them.
        others: states or parameters; see ``what``.
        what: says what the others are, for messages: ``"parameters"``, or a state by default.
        any_shape: whether leaves of the others may have other shapes.

    Raises:
        OperandShapeError: the others are nested otherwise, or a leaf has another shape.
    """

    def of_leaf(path: str, update: Any, *items: Any) -> Any:
        if not is_float(update):
            return update
        for item in () if any_shape else items:
            _check(path, update, item, what)
        return cast_like(function(update, *items), update)

    return _mapped(of_leaf, updates, what, *others)


def of_state(
    function: Callable[..., Any], state: Any, *updates: Any, any_shape: bool = False
) -> Any:
    """What a function makes of each leaf of a state and of the updates in its place, in the dtype
    of the state, which stays where there is no update. With ``any_shape`` leaves of the updates may
    have other shapes.

    Raises:
        OperandShapeError: the updates are nested otherwise, or a leaf has another shape.
    """

    def of_leaf(path: str, item: Any, *found: Any) -> Any:
        if not all(map(is_float, found or (item,))):
            return item
        for update in () if any_shape else found:
            _check(path, update, item, "")
        return cast_like(function(item, *found), item)

    return _mapped(of_leaf, state, "", *updates, flipped=True)


def floats(tree: Any) -> list[Any]:
    """The leaves that are real floating-point arrays and numbers."""
    return [leaf for leaf in flatten(tree, has_type, prepared=plain)[0] if is_float(leaf)]


def dtype_of(tree: Any) -> Any:
    """The dtype that holds those of all floating-point leaves; float64 if there is none."""
    found = [type.dtype for type in map(leaf_type, floats(tree)) if type is not None]
    return np.result_type(*found) if found else np.dtype(np.float64)


def updated(params: Any, updates: Any, function: Callable[[Any, Any], Any]) -> Any:
    """What a function makes of each parameter and its update, in the dtype of the parameter, which
    stays where there is no update.

    Raises:
        OperandShapeError: the updates are nested otherwise, or a leaf has another shape.
    """

    def of_leaf(path: str, param: Any, update: Any) -> Any:
        if not has_type(update):
            return param
        _check(path, update, param, "parameters")
        return cast_like(function(param, update), param)

    return _mapped(of_leaf, params, "parameters", updates, flipped=True)


def _mapped(
    function: Callable[..., Any], tree: Any, what: str, *others: Any, flipped: bool = False
) -> Any:
    """A function of the way to each leaf, the leaf, and what others have there. Of these, the tree
    has the updates, or the others, if it is flipped."""
    leaves, nested = flatten(tree, has_type, prepared=plain)
    try:
        parts = [nested.parts_of(other) for other in others]
    except ValueError:
        _refuse_nesting(tree, others, what, flipped)
    return nested.unflatten(map(function, nested.paths(""), leaves, *parts))


def _check(path: str, update: Any, other: Any, what: str) -> None:
    """Refuse an update whose shape is not that of what is in its place."""
    found, wanted = leaf_type(update), leaf_type(other)
    assert found is not None
    if wanted is None or found.shape != wanted.shape:
        _refuse(path, _shown(update), _shown(other), what)


def _shown(leaf: Any) -> str:
    type = leaf_type(leaf)
    if type is None:
        return "none" if leaf is None else f"a {leaf.__class__.__name__}"
    return f"of shape {type.shape}" if type.shape else "a number"


def _refuse_nesting(tree: Any, others: tuple, what: str, flipped: bool) -> NoReturn:
    """Say where trees differ first."""
    for other in others:
        ours, theirs = _leaves_by_path(tree), _leaves_by_path(other)
        for path in [*ours, *theirs]:
            if (path in ours) != (path in theirs):
                here, there = _shown(ours.get(path)), _shown(theirs.get(path))
                _refuse(path, *((there, here) if flipped else (here, there)), what)
    _refuse("", "nested in one way", "nested in another", what)


def _leaves_by_path(tree: Any) -> dict[str, Any]:
    leaves, nested = flatten(tree, has_type, prepared=plain)
    return {path: leaf for path, leaf in zip(nested.paths(""), leaves) if leaf is not None}


def _refuse(path: str, found: str, wanted: str, what: str) -> NoReturn:
    place = path or "the tree"
    if what:
        raise OperandShapeError(
            f"gradients that are not those of these {what}: {place} is {found} among the "
            f"gradients, {wanted} among the {what}",
            user_location(),
            id="AG0700",
            fix="differentiate by these parameters, and pass the gradient as ag.grad returns it",
        )
    raise OperandShapeError(
        f"the state of an optimiser is that of other parameters: {place} is {found} in the "
        f"gradients, {wanted} in the state",
        user_location(),
        id="AG0701",
        fix="begin with optimiser.init(params), and pass on the state that update returns",
    )


# -- marks: masks and labels -----------------------------------------------------------------------


def marks(given: Any, tree: Any, kind: type | None = None) -> list[Any]:
    """For each leaf of a tree the mark that a mask or labels have for it.

    Args:
        given: a tree of marks, nested like the outer part of the tree, or like all of it.
        tree: parameters or updates.
        kind: the class of marks that are containers themselves; then others are None.

    Raises:
        OperandShapeError: the marks are nested otherwise.
    """
    nested = flatten(tree, has_type, prepared=plain)[1]
    try:
        found = nested.parts_of(given)
    except ValueError:
        found = None
    if found is not None and not any(_is_nested(mark, kind) for mark in found):
        return found
    is_mark = None if kind is None else lambda item: isinstance(item, kind)
    outer, structure = flatten(given, has_type, is_mark, prepared=plain)
    try:
        parts = structure.parts_of(tree)
    except ValueError:
        parts = None
    if parts is None or len(parts) > nested.num_leaves:
        raise OperandShapeError(
            f"a mask or labels that do not fit the parameters: {_misfit(structure, nested)}",
            user_location(),
            id="AG0704",
            fix="nest them like the parameters or an outer part of these, or give a function",
        )
    return [
        mark for mark, part in zip(outer, parts) for _ in flatten(part, has_type, prepared=plain)[0]
    ]


def _is_nested(mark: Any, kind: type | None) -> bool:
    """Whether what stands for a leaf is no mark, but holds marks."""
    if kind is None:
        return isinstance(mark, (dict, list, tuple))
    return mark is not None and not isinstance(mark, kind)


def nested_like(tree: Any, marks: list[Any]) -> Any:
    """Marks of all leaves of a tree, nested like it."""
    return flatten(tree, has_type, prepared=plain)[1].unflatten(marks)


def of_marked_updates(
    function: Callable[..., Any], marks: list[Any], updates: Any, *others: Any
) -> Any:
    """As `of_updates`, of a function that is given the mark of each leaf first."""
    leaves = flatten(updates, has_type, prepared=plain)[0]
    following = iter([mark for mark, leaf in zip(marks, leaves) if is_float(leaf)])
    return of_updates(lambda *items: function(next(following), *items), updates, *others)


def _misfit(marks: Nesting, params: Nesting) -> str:
    """What is the matter with the nesting of a mask."""
    places, leaves = marks.paths(""), params.paths("")
    for leaf in leaves:
        if not any(leaf.startswith(place) for place in places):
            return f"there is nothing for {leaf or 'the parameter'}"
    for place in places:
        if not any(leaf.startswith(place) for leaf in leaves):
            return f"there is no parameter {place}"
    return "they are nested otherwise"


def where_marked(is_marked: list[bool], tree: Any) -> Any:
    """A tree with None in place of the leaves that are not marked; an empty one for a tree that is
    such a leaf, for parameters that are None are none that are given."""
    leaves, nested = flatten(tree, has_type, prepared=plain)
    kept = [leaf if mark else _nothing(leaf) for mark, leaf in zip(is_marked, leaves)]
    found = nested.unflatten(kept)
    return () if found is None else found


def _nothing(leaf: Any) -> Any:
    return leaf if leaf_type(leaf) is None else None


def chosen(is_marked: list[bool], tree: Any, other: Any) -> Any:
    """The leaves of one tree where they are marked, of another one, nested likewise, elsewhere."""
    leaves, nested = flatten(other, has_type, prepared=plain)
    parts = nested.parts_of(tree)
    picked = [new if mark else old for mark, new, old in zip(is_marked, parts, leaves)]
    return nested.unflatten(picked)


# -- states ----------------------------------------------------------------------------------------


def field_of(state: Any, name: str) -> Any:
    """What the first named tuple in a state that has a field of this name has there.

    Raises:
        OptionError: there is none.
    """
    found = _fields(state, name)
    if not found:
        refuse_option(
            f"no state of the optimiser holds a {name!r}",
            "use an optimiser with a line search, such as ag.optim.lbfgs()",
        )
    return found[0]


def _fields(state: Any, name: str) -> list[Any]:
    if not isinstance(state, (tuple, dict)):
        return []
    if name in getattr(state, "_fields", ()):
        return [getattr(state, name)]
    parts = state.values() if isinstance(state, dict) else state
    return [found for part in parts for found in _fields(part, name)]


def refuse_option(message: str, fix: str) -> NoReturn:
    """Refuse what a constructor was given."""
    raise OptionError(message, user_location(), id="AG0703", fix=fix)


def needed(params: Any, what: str) -> None:
    """Refuse an update without parameters by what needs them."""
    if params is None:
        raise OptionError(
            f"{what} needs the parameters, too",
            user_location(),
            id="AG0705",
            fix="pass them: optimiser.update(gradients, state, params)",
        )


# -- vectors ---------------------------------------------------------------------------------------


def floats_replaced(tree: Any, leaves: list[Any]) -> Any:
    """A tree with others in place of its floating-point leaves, and None in place of the rest."""
    following = iter(leaves)
    return of_parameters(lambda leaf: next(following), tree)
