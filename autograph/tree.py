"""Nested parameters: `ag.tree.map(f, params, grads)` and the like.

A tree is nested tuples, named tuples, lists, dicts, objects of your classes (dataclasses and
others: their attributes), and what else is registered with optree. Its leaves are what is none of
these; of an object's attributes, the arrays and numbers: texts, functions and the like stay as they
are. None is no leaf. The functions here are optree's, for objects as well, and can be called in
compiled functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from autograph.api import trees
from autograph.api.trees import Nesting, has_type, plain

__all__ = [
    "flatten",
    "flatten_with_path",
    "leaves",
    "map",
    "map_with_path",
    "reduce",
    "structure",
    "unflatten",
]

Tree = TypeVar("Tree")


def flatten(tree: Any) -> tuple[list[Any], Nesting]:
    """The leaves of a tree from left to right, and its structure, for `unflatten`. The keys of
    dicts are in the order of `sorted`, as with optree.

    Examples:
        >>> leaves, structure = ag.tree.flatten({"b": 1.0, "a": (2.0, None)})
        >>> leaves
        [2.0, 1.0]
        >>> structure
        Nesting({'b': *, 'a': (*, None)})
    """
    found, nesting = _taken_apart(tree)
    kept = [leaf for leaf in found if leaf is not None]
    return kept, nesting.without(leaf is None for leaf in found)


def unflatten(structure: Nesting, leaves: Iterable[Any]) -> Any:
    """Leaves put together again. Objects are made without ``__init__``.

    Raises:
        ValueError: there are more leaves than places, or fewer.

    Examples:
        >>> leaves, structure = ag.tree.flatten({"b": 1.0, "a": (2.0, None)})
        >>> ag.tree.unflatten(structure, [10.0, 20.0])
        {'b': 20.0, 'a': (10.0, None)}
    """
    return structure.unflatten(leaves)


def leaves(tree: Any) -> list[Any]:
    """The leaves of a tree.

    Examples:
        >>> ag.tree.leaves({"b": 1.0, "a": (2.0, [3.0])})
        [2.0, 3.0, 1.0]
    """
    return flatten(tree)[0]


def structure(tree: Any) -> Nesting:
    """How a tree is nested: equal for trees that differ in their leaves only.

    Examples:
        >>> ag.tree.structure([1, (2, 3)]) == ag.tree.structure([4, (5, 6)])
        True
    """
    return flatten(tree)[1]


def map(function: Callable[..., Any], tree: Tree, *others: Any) -> Tree:
    """A function applied to each leaf of a tree.

    Args:
        function: called with a leaf, and with what each of ``others`` has in its place.
        tree: the tree.
        others: trees that are nested like it, or deeper. A leaf for which one of them has None
            stays as it is: a parameter that is no float has the gradient None.

    Returns:
        The results, nested like ``tree``.

    Raises:
        ValueError: one of ``others`` is nested otherwise.

    Examples:
        >>> params, gradients = {"w": 1.0, "steps": 3}, {"w": 0.5, "steps": None}
        >>> ag.tree.map(lambda p, g: p - 0.1 * g, params, gradients)
        {'w': 0.95, 'steps': 3}
    """
    return map_with_path(lambda path, *items: function(*items), tree, *others)


def map_with_path(function: Callable[..., Any], tree: Tree, *others: Any) -> Tree:
    """As `map`, of a function that is given the way to the leaf first: a text as in Python, such as
    ``"['layers'][0].bias"``, empty for a tree that is a leaf.

    Examples:
        >>> ag.tree.map_with_path(lambda path, leaf: path, [1, {"a": 2}])
        ['[0]', {'a': "[1]['a']"}]
    """
    found, nesting = _taken_apart(tree)
    parts = [nesting.parts_of(plain(other, opened=True)) for other in others]
    made = [
        leaf if any(item is None for item in (leaf, *items)) else function(path, leaf, *items)
        for path, leaf, *items in zip(nesting.paths(""), found, *parts)
    ]
    return nesting.unflatten(made)


def flatten_with_path(tree: Any) -> tuple[list[tuple[str, Any]], Nesting]:
    """As `flatten`, with the way to each leaf as `map_with_path` has it: pairs of a text and a
    leaf.

    Examples:
        >>> ag.tree.flatten_with_path([1, {"a": 2}])[0]
        [('[0]', 1), ("[1]['a']", 2)]
    """
    found, nesting = _taken_apart(tree)
    pairs = [pair for pair in zip(nesting.paths(""), found) if pair[1] is not None]
    return pairs, structure(tree)


def reduce(function: Callable[[Any, Any], Any], tree: Any, *initial: Any) -> Any:
    """The leaves of a tree put together by a function of two, as `functools.reduce` does.

    Raises:
        TypeError: there is no leaf, and no ``initial``.

    Examples:
        >>> ag.tree.reduce(lambda total, leaf: total + leaf, {"a": 1, "b": [2, 3]})
        6
    """
    found = [*initial, *leaves(tree)]
    if not found:
        raise TypeError("reduce() of a tree without leaves, and without an initial value")
    result = found[0]
    for leaf in found[1:]:
        result = function(result, leaf)
    return result


def _taken_apart(tree: Any) -> tuple[list[Any], Nesting]:
    """The leaves of a tree, None being one, and how they are nested. Of a list that a loop of
    converted code has filled they are its elements, as of any other.

    Raises:
        ConcreteValueError: only the run knows how many elements there are, or they are too many.
    """
    return trees.flatten(tree, has_type, prepared=lambda part: plain(part, opened=True))
