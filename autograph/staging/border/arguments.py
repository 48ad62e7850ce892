"""The arguments of a call of a converted function: what tells calls that need different graphs
apart, and what carries the arguments into a graph."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from autograph.errors import Location
from autograph.source.load import definition
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.signature import Nested, Signature, argument_names
from autograph.staging.containers.containers import contents
from autograph.staging.containers.structure import ContainerOf, ElementType, NoneOrOf
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import Variable
from autograph.staging.lists.lists import Column, TrackedList, is_unread
from autograph.staging.values.leaves import ColumnOf, Known, Leaf
from ops.core.records import NamedTuple
from ops.core.types import ArrayType

# Arguments that may count by what they contain.
_DATA = (list, dict, set)
# The attribute of a function of ours, which calls one of the user's, that says which.
OF_USER = "of_user"


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
        self._slots = [("the arguments", (args, tuple(kwargs.values())))]
        self.keywords = tuple(kwargs)
        self.is_general = False
        self._describe(self._new_side(self._slots))
        defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        own = tuple(map(id, (*(function.__closure__ or ()), *defaults)))
        structure = (self.keywords, self.facts.structure)
        keys = tuple(map(_key, self.facts.leaves))
        self.signature = Signature(function.__code__, own, structure, keys)

    def _new_side(self, slots: list[tuple[str, Any]]) -> Side:
        by_identity = self.by_identity
        by_contents = lambda c: isinstance(c, _DATA) and not by_identity and not is_unread(c)
        return Side(slots, is_leaf=lambda c: not by_contents(c))

    def containers_of(self, arguments: Any) -> list[Any]:
        """The containers in what the function is given in place of its arguments, in the order of
        `containers`."""
        return self._new_side([(name, arguments) for name, _ in self._slots]).containers

    def _describe(self, side: Side) -> None:
        (variable,), (self.leaves,) = side.variables, side.leaves
        self.side, self.containers = side, side.containers
        self.facts = replace(variable, leaves=tuple(map(changing, variable.leaves)))

    def of_any_lengths(self, elements: Mapping[int, ArrayType]) -> Call:
        """The same call as one of those with lists of any lengths in the place of these.

        Args:
            elements: the types of the elements of lists that are kept as rows for that, by their
                numbers.
        """
        other = copy(self)
        other.is_general = True
        if elements:
            side = self._new_side(self._slots)
            for number, element in elements.items():
                side.keep_as_rows(number, ElementType(LEAF, (element,)))
            other._describe(side)
        leaves = tuple(
            replace(leaf, length=None) if isinstance(leaf, ColumnOf) else leaf
            for leaf in other.facts.leaves
        )
        other.facts = replace(other.facts, leaves=leaves)
        structure, keys = (self.keywords, other.facts.structure), tuple(map(_key, leaves))
        other.signature = replace(self.signature, structure=structure, leaves=keys)
        return other

    def grown_since(self, other: Call) -> dict[int, ArrayType]:
        """The lists of numbers that have more elements than in another call that differs in how
        many these are only: the types of their elements, by their numbers; none if there are others
        that differ."""
        mine, others = (_lists_of_numbers(call.facts) for call in (self, other))
        if mine is None or others is None or mine.rest != others.rest:
            return {}
        found = {}
        for number, elements in mine.elements.items():
            before = others.elements[number]
            types = {*elements, *before}
            if len(elements) < len(before) or len(types) > 1:
                return {}
            if len(elements) > len(before):
                found[number] = types.pop()
        return found

    @property
    def definition(self) -> Location | None:
        """Where the user's function is defined; see `autograph.source.load.definition`."""
        return definition(getattr(self.runnable, OF_USER, self.runnable))

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


class _Lists(NamedTuple):
    """The lists of numbers among some arguments.

    Attributes:
        elements: the types of their elements, by their numbers.
        rest: all else that is known of the arguments.
    """

    elements: dict[int, tuple[ArrayType, ...]]
    rest: tuple[Any, ...]


class _Nested(Exception):
    """A list contains others."""


def _lists_of_numbers(facts: Variable) -> _Lists | None:
    """Those of a call; None if there are lists of lists."""
    elements: dict[int, tuple[ArrayType, ...]] = {}
    leaves = iter(facts.leaves)

    def visit(part: Structure) -> Any:
        if part is LEAF:
            return _key(next(leaves))
        if isinstance(part, ContainerOf) and part.kind is TrackedList and not part.is_rows:
            flat = [next(leaves) for inner in part.parts if inner is LEAF]
            numbers = [leaf for leaf in flat if isinstance(leaf, ArrayType) and not leaf.shape]
            if len(numbers) == len(part.parts):
                elements[part.number] = tuple(numbers)
                return part.number
            if len(flat) == len(part.parts):
                return part, *map(_key, flat)
            raise _Nested
        if isinstance(part, (TupleOf, ContainerOf)):
            return part._replace(parts=()), *map(visit, part.parts)
        if isinstance(part, NoneOrOf):
            return NoneOrOf, _key(next(leaves)), visit(part.part)
        return part

    try:
        rest = visit(facts.structure)
    except _Nested:
        return None
    return _Lists(elements, rest)


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
