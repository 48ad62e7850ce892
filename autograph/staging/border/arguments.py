"""The arguments of a call of a converted function: what tells calls that need different graphs
apart, and what carries the arguments into a graph."""

from __future__ import annotations

import types
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.signature import Nested, Signature, argument_names
from autograph.staging.containers.containers import contents
from autograph.staging.joins.sides import Side
from autograph.staging.lists.lists import Column, is_unread
from autograph.staging.values.leaves import ColumnOf, Known, Leaf

# Arguments that may count by what they contain.
_DATA = (list, dict, set)


class Call:
    """A call of a converted function.

    Args:
        function: the user's function.
        runnable: the converted one.
        by_identity: whether lists and other containers are the same argument only if they are the
            same object. Otherwise they count by what they contain, if that is seen.

    Attributes:
        signature: tells apart calls that need different graphs.
        facts: what is known of the arguments. Numbers and arrays are known by their types.
        leaves: of the arguments.
        containers: those that the arguments were found in.
        is_general: whether nothing is said of how long lists are, although that is known.
    """

    def __init__(
        self,
        function: types.FunctionType,
        runnable: Callable,
        arguments: tuple[tuple, dict[str, Any]],
        by_identity: bool,
    ):
        self.by_identity = by_identity
        self.runnable = runnable
        args, kwargs = arguments
        slots = [("the arguments", (args, tuple(kwargs.values())))]
        self.keywords = tuple(kwargs)
        by_contents = lambda c: isinstance(c, _DATA) and not by_identity and not is_unread(c)
        self.side = Side(slots, is_leaf=lambda c: not by_contents(c))
        (variable,), (self.leaves,) = self.side.variables, self.side.leaves
        self.facts = replace(variable, leaves=tuple(map(changing, variable.leaves)))
        self.containers = self.side.containers
        self.is_general = False
        defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        own = tuple(map(id, (*(function.__closure__ or ()), *defaults)))
        structure = (self.keywords, self.facts.structure)
        keys = tuple(map(_key, self.facts.leaves))
        self.signature = Signature(function.__code__, own, structure, keys)

    def of_any_lengths(self) -> Call | None:
        """The same call as one of those with lists of any lengths in the place of these; None if
        there are no lists whose lengths are known."""
        leaves = tuple(
            replace(leaf, length=None) if isinstance(leaf, ColumnOf) else leaf
            for leaf in self.facts.leaves
        )
        if leaves == self.facts.leaves:
            return None
        other = copy(self)
        other.is_general = True
        other.facts = replace(self.facts, leaves=leaves)
        other.signature = replace(self.signature, leaves=tuple(map(_key, leaves)))
        return other

    @property
    def longest(self) -> int:
        """How many elements the longest list has whose length is known."""
        lists = (leaf for leaf in self.facts.leaves if isinstance(leaf, ColumnOf))
        return max((leaf.length or 0 for leaf in lists), default=0)

    @property
    def has_containers(self) -> bool:
        """Whether some argument is a list or the like."""
        return any(isinstance(leaf, _DATA) for leaf in self.leaves)

    @property
    def is_symbolic(self) -> bool:
        lists = (leaf for leaf in self.leaves if isinstance(leaf, _DATA))
        items = (item for container in lists for item in contents(container).values)
        return any(isinstance(item, (GraphArray, Column)) for item in (*self.leaves, *items))

    @property
    def has_numbers(self) -> bool:
        """Whether an argument is a number that is known while recording."""
        numbers = (int, float, complex)
        return any(isinstance(leaf, numbers) and type(leaf) is not bool for leaf in self.leaves)

    @property
    def static(self) -> list[Any]:
        """The arguments that are the same in all calls with this signature."""
        pairs = zip(self.leaves, self.facts.leaves)
        return [leaf for leaf, fact in pairs if isinstance(fact, Known)]

    @property
    def value_names(self) -> list[str | None]:
        """A name for each graph value that carries the arguments."""
        structure = self.facts.structure
        names = argument_names(self.runnable, Nested(structure, ()))
        found: list[str | None] = []
        for name, leaf in zip(names, self.facts.leaves):
            count = len(replace(self.facts, structure=None, leaves=(leaf,)).types)
            found += [name] * count
        return found

    def run(self, arguments: tuple[tuple, tuple]) -> Any:
        args, values = arguments
        return self.runnable(*args, **dict(zip(self.keywords, values)))


def changing(leaf: Leaf) -> Leaf:
    """A fact about an argument with which other calls can be described as well."""
    if isinstance(leaf, Known) and leaf.type is not None and type(leaf.content) is not bool:
        return leaf.changing or leaf
    return leaf


def _key(leaf: Leaf) -> Any:
    if not isinstance(leaf, Known):
        return leaf
    if isinstance(leaf.content, (str, bytes, bool, type(None))):
        return type(leaf.content), leaf.content
    return id(leaf.content)
