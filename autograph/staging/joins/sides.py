"""What variables contain at one place where control flow joins, and how two places agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.classes.presence import refused_attribute
from autograph.staging.containers.containers import Contents, contents
from autograph.staging.containers.structure import ElementType, Flattener, Stacked, container_kinds
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.object_kinds import may_be_pooled
from autograph.staging.joins.crossing import outputs
from autograph.staging.joins.variables import (
    ALWAYS,
    MAYBE,
    NEVER,
    Expand,
    NeedRows,
    NeedSeat,
    NeedTexts,
    Variable,
    in_order,
    join,
)
from autograph.staging.lists.heap import note_meeting
from autograph.staging.lists.lists import Column
from autograph.staging.lists.object_heap import learn_always
from autograph.staging.lists.placed_objects import PlacedObject
from autograph.staging.lists.text_elements import MadeColumn
from autograph.staging.values.choice import Choice
from autograph.staging.values.chosen_texts import TemplatePosition
from autograph.staging.values.leaves import (
    ColumnOf,
    Known,
    Leaf,
    Mismatch,
    OneOf,
    Optional,
    Promoted,
)
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined, OnlyTruth
from autograph.staging.values.promoted import types_of
from autograph.staging.values.templates import all_templates
from ops.control.constructs import Undefined


class Side:
    """What some variables contain at one place: before a loop, or at the end of a region.

    Args:
        slots: the names and contents of the variables.
        is_older: whether an array is from before that place's region, so that it may be named.
        is_leaf: whether a container is.
        contents_of: gives the state of a container there.
        value_of: gives the graph value of an array there.
    """

    def __init__(
        self,
        slots: Sequence[tuple[str, Any]],
        *,
        is_older: Callable[[GraphArray], bool] = lambda array: False,
        is_leaf: Callable[[Any], bool] = lambda container: True,
        contents_of: Callable[[Any], Contents] = contents,
        value_of: Callable[[GraphArray], Value] = lambda array: array.value,
    ):
        self.slots = list(slots)
        self.expanded = ByIdentity()
        self.as_rows = ByIdentity()
        self.texts: dict[int, tuple[str, ...]] = {}  # templates, by the variable's position
        self._is_older = is_older
        self._is_leaf = is_leaf
        self._contents_of = contents_of
        self.value_of = value_of
        self.describe()

    def describe(self) -> None:
        """Find `variables` and `leaves` anew."""
        self._flattener = Flattener(
            lambda container: container not in self.expanded and self._is_leaf(container),
            self.as_rows,
            self._contents_of,
        )
        self.variables: list[Variable] = []
        self.leaves: list[list[Any]] = []
        for position, (name, content) in enumerate(self.slots):
            self._flattener.texts = self.texts.get(position, ())
            defined, flag = ALWAYS, None
            if isinstance(content, MaybeUndefined):
                defined, flag, content = MAYBE, content.flag, content.content
            if isinstance(content, Undefined):
                self.leaves.append([])
                self.variables.append(Variable(name, NEVER))
                continue
            leaves, structure = self._flattener.flatten(content)
            kinds = tuple(map(self._kind, leaves))
            axes = flag.type.varies if flag is not None else frozenset()
            self.leaves.append(leaves)
            self.variables.append(Variable(name, defined, structure, kinds, axes))

    def _kind(self, leaf: Any) -> Leaf:
        if isinstance(leaf, MadeColumn):
            return ColumnOf(leaf.element, leaf.length)
        if isinstance(leaf, Column):
            return ColumnOf(leaf.element, leaf.value.type.shape[0])
        if isinstance(leaf, Stacked):
            return ColumnOf(leaf.element, len(leaf.parts) if leaf.is_steady else None)
        if isinstance(leaf, Choice):
            return OneOf(leaf.movable(), leaf.position.type.varies)
        if isinstance(leaf, OnlyTruth):
            raise leaf.error
        if isinstance(leaf, MaybeUndefined):
            raise refused_attribute(leaf.name, "is what a variable holds where paths join")
        if isinstance(leaf, TemplatePosition):
            return leaf.type
        if isinstance(leaf, GraphArray) and not self._is_older(leaf):
            if types_of(leaf):
                return Promoted(leaf.kinds, leaf.type.varies)
            if isinstance(leaf, MaybeNone):
                own = leaf.content.type.along(leaf.present.type.varies)
                return Optional(own, types_of(leaf.content))
            return leaf.type
        return Known(leaf)

    @property
    def containers(self) -> list[Any]:
        """The containers that were taken apart, by number."""
        return self._flattener.containers

    def expand(self, container: Any) -> None:
        """Take an older container apart as if it were new."""
        self.expanded[container] = None
        self.describe()

    def unite_texts(self, position: int, templates: tuple[str, ...]) -> bool:
        """Take the texts of a variable as ones with these templates, besides those that others of
        its texts needed; whether that is more than before."""
        found = all_templates(self.texts.get(position, ()), templates)
        if self.texts.get(position) == found:
            return False
        self.texts[position] = found
        self.describe()
        return True

    def keep_as_rows(self, number: int, element: ElementType) -> None:
        """Take a list as rows."""
        self.as_rows[self._flattener.containers[number]] = element
        self.describe()

    def expanded_numbers(self) -> list[tuple[int, Any]]:
        """The containers that were taken apart although they are older, by number."""
        return [
            (number, container)
            for number, container in enumerate(self._flattener.containers)
            if container in self.expanded
        ]

    def leaves_for(self, joined: Sequence[Variable]) -> list[list[Any]]:
        """The leaves of the variables in the order of those of ``joined``."""
        return list(map(in_order, joined, self.variables, self.leaves))

    def outputs(self, joined: Sequence[Variable]) -> list[Value]:
        """The graph values that carry the contents for ``joined``, in the order of their types."""
        values: list[Value] = []
        for variable, (_, content), leaves in zip(joined, self.slots, self.leaves):
            values += outputs(variable, content, leaves, self.value_of)
        return values


def join_sides(a: Side, b: Side) -> list[Variable]:
    """What is known of each variable that has the contents of one of two sides.

    Containers are taken apart, and lists kept as rows, where that makes them fit.

    Raises:
        MismatchAt: the facts about a variable cannot be joined.
    """
    while True:
        try:
            return [join_at(i, x, y) for i, (x, y) in enumerate(zip(a.variables, b.variables))]
        except NeedSeat as need:
            raise met(need, a, b) from None
        except (Expand, NeedRows, NeedTexts) as need:
            apply_need(need, a, b)


def met(need: NeedSeat, a: Side, b: Side) -> MismatchAt:
    """Note that two lists meet which are not in one heap: what to say if no other recording has
    them there."""
    note_meeting(*(side.containers[n] for side, n in zip((a, b), need.numbers)))
    return MismatchAt(need.position, str(need))


def apply_need(need: Expand | NeedRows | NeedTexts, a: Side, b: Side) -> None:
    if isinstance(need, NeedTexts):
        grown = [side.unite_texts(need.position, need.templates) for side in (a, b)]
        if not any(grown):
            raise MismatchAt(need.position, "texts that are made in too many ways")
        return
    if isinstance(need, Expand):
        for side, container in zip((a, b), need.containers):
            if container is not None:
                side.expand(container)
        return
    for side, number in zip((a, b), need.numbers):
        if number is not None:
            side.keep_as_rows(number, need.element)


class MismatchAt(Exception):
    """The variable at ``position`` has contents that cannot be joined."""

    def __init__(self, position: int, text: str):
        super().__init__(text)
        self.position = position


def learn_objects(variable: Variable) -> None:
    """A variable has contents that do not fit others: another recording may have the objects in it
    in a heap, where they do if they refer to each other."""
    contents = (leaf.content for leaf in variable.leaves if isinstance(leaf, Known))
    kinds = [*container_kinds(variable.structure), *map(type, contents)]
    for kind in kinds:
        if may_be_pooled(kind) and not issubclass(kind, PlacedObject):
            learn_always(kind)


def join_at(position: int, a: Variable, b: Variable) -> Variable:
    try:
        return join(a, b)
    except (NeedSeat, NeedTexts) as need:
        need.position = position
        raise
    except Mismatch as mismatch:
        for variable in (a, b):
            learn_objects(variable)
        raise MismatchAt(position, str(mismatch)) from None
