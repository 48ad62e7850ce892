"""How what variables contain goes into a region and comes out of one, by values of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import ops
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import converted, no_rows, placeholder
from autograph.staging.containers.structure import NoneOrOf, Stacked, Unflattener, leaves_in
from autograph.staging.ground.nesting import Structure, TupleOf, parts_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.variables import MAYBE, NEVER, Variable
from autograph.staging.lists.columns import constant_of, of_list
from autograph.staging.lists.elements import of_one
from autograph.staging.lists.lists import Column
from autograph.staging.lists.text_elements import MadeColumn
from autograph.staging.values.choice import Choice, looked_up
from autograph.staging.values.chosen_texts import TemplatePosition
from autograph.staging.values.leaves import ColumnOf, Leaf, OneOf, Optional, Promoted, carried
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined, ObjectOrNone, none_or
from autograph.staging.values.promoted import PromotedNumber, carry
from autograph.staging.values.templates import ABSENT
from autograph.staging.values.text import TextKind
from ops.control.constructs import Undefined
from ops.core.records import dataclass
from ops.core.types import ArrayType, weak

# Numbers of a list that are appended one by one: kernels hold no array constants.
_FEW = 4


def outputs(
    variable: Variable, content: Any, leaves: Sequence[Any], value_of: Callable[[GraphArray], Value]
) -> list[Value]:
    """The graph values that carry ``content``, whose leaves are ``leaves``, for ``variable``."""
    if variable.defined == NEVER:
        return []
    values: list[Value] = []
    if variable.defined == MAYBE:
        values += _flag(content, value_of)
    if isinstance(content, MaybeUndefined):
        content = content.content
    if isinstance(content, Undefined):
        return values + [placeholder(t) for leaf in variable.leaves for t in carried(leaf)]
    if not any(map(carried, variable.leaves)):
        return values
    kinds, found = iter(variable.leaves), iter(leaves)

    def carry_all(structure: Structure, content: Any) -> None:
        if isinstance(structure, TupleOf) and not isinstance(structure.kind, TextKind):
            for part, item in zip(structure.parts, parts_of(content)):
                carry_all(part, item)
        elif isinstance(structure, NoneOrOf) and isinstance(content, ObjectOrNone):
            values.extend(_carry(next(found), next(kinds), value_of))
            carry_all(structure.part, content.content)
        elif isinstance(structure, NoneOrOf) and not isinstance(content, Choice):
            next(kinds)
            values.append(Constant(content is not None))
            if content is None:
                next(found)
                missing = islice(kinds, leaves_in(structure.part))
                values.extend(placeholder(t) for leaf in missing for t in carried(leaf))
            else:
                carry_all(structure.part, content)
        else:  # a text is one with more templates here; a choice one of several, and of None
            for kind in islice(kinds, leaves_in(structure)):
                values.extend(_carry(next(found), kind, value_of))

    carry_all(variable.structure, content)
    return values


def _flag(content: Any, value_of: Callable[[GraphArray], Value]) -> list[Value]:
    if isinstance(content, MaybeUndefined):
        return [converted(value_of(content.flag), weak(bool))]
    return [Constant(not isinstance(content, Undefined))]


def _carry(leaf: Any, kind: Leaf, value_of: Callable[[GraphArray], Value]) -> list[Value]:
    """The graph values that carry one leaf."""
    if leaf is ABSENT:
        return [placeholder(type) for type in carried(kind)]
    if isinstance(leaf, TemplatePosition):
        place = looked_up(GraphArray(value_of(leaf.position)), leaf.table)
        place = value_of(place) if isinstance(place, GraphArray) else place
        return [converted(place, kind if isinstance(kind, ArrayType) else leaf.type)]
    match kind:
        case ArrayType() if isinstance(leaf, (Column, Stacked)):  # of a list of lists
            return _carry(leaf, ColumnOf(of_one(kind), kind.shape[0]), value_of)
        case ArrayType():
            return [converted(value_of(leaf) if isinstance(leaf, GraphArray) else leaf, kind)]
        case Promoted():
            return carry(leaf, kind, value_of)
        case OneOf():
            return [_position(leaf, kind, value_of)]
        case Optional():
            if leaf is None:
                return [Constant(False), *map(placeholder, carried(kind)[1:])]
            if isinstance(leaf, MaybeNone):
                present = converted(value_of(leaf.present), weak(bool))
                return [present, *_carry(leaf.content, kind.present, value_of)]
            return [Constant(True), *_carry(leaf, kind.present, value_of)]
        case ColumnOf():
            with of_list():
                return [_column(leaf, kind, value_of)]
    return []


def _column(leaf: Any, kind: ColumnOf, value_of: Callable[[GraphArray], Value]) -> Value:
    """The graph value that carries a part of the elements of a list."""
    element, length = kind.element, kind.length
    row = element._replace(weak=False)
    is_column = isinstance(leaf, (Column, MadeColumn))
    known = None if is_column else constant_of(leaf.parts, row)
    if is_column:
        value = leaf.value
    elif known is not None and length is None and len(leaf.parts) <= _FEW:
        value = no_rows(element.dtype.name, element.shape)
        for part in leaf.parts:
            value = ops.append_row(value, _carry(part, row, value_of)[0])
    elif known is not None:
        value = known.value
    elif leaf.parts:
        parts = [_carry(part, row, value_of)[0] for part in leaf.parts]
        value = ops.rows_of(parts) if length is None else ops.stack(parts, axis=0)
    else:
        value = no_rows(element.dtype.name, element.shape)
    if value.type.dtype != element.dtype:
        value = ops.cast(value, dtype=element.dtype.name)
    if length is None and value.type.shape[0] is not None:
        if recorder().inputs.is_given(value):  # which no kernel gives back: nobody sees it, but
            value = ops.copy(value)  # this tells the graph that
        value = ops.refine(value, shape=(None, *element.shape))
    return value


def _position(leaf: Any, kind: OneOf, value_of: Callable[[GraphArray], Value]) -> Value:
    """Which of the objects a leaf is."""
    if not isinstance(leaf, Choice):
        return Constant(kind.position(leaf))
    positions = [kind.position(item) for item in leaf.objects]
    index: Any = GraphArray(value_of(leaf.position))
    if positions != [*range(len(positions))]:
        index = looked_up(index, positions)
    return converted(index, weak(int))


@dataclass
class Rebuilt:
    """The contents of variables on the other side of a border.

    Attributes:
        contents: of each variable.
        leaves: of each variable, new arrays for those that graph values carry.
        containers: the containers made, by their number in the structures.
    """

    contents: list[Any]
    leaves: list[list[Any]]
    containers: dict[int, Any]


def rebuild(
    variables: Sequence[Variable],
    values: Sequence[Value],
    replace_leaf: Callable[[list[list[Any]]], list[list[Any]]] = lambda leaves: leaves,
) -> Rebuilt:
    """The contents of ``variables`` carried by ``values``.

    ``replace_leaf`` may put other objects in the place of the new leaves.
    """
    remaining = iter(values)
    flags = []
    leaves: list[list[Any]] = []
    for variable in variables:
        flags.append(GraphArray(next(remaining)) if variable.defined == MAYBE else None)
        leaves.append([_arrived(kind, remaining) for kind in variable.leaves])
    leaves = replace_leaf(leaves)
    unflattener = Unflattener()
    contents_ = []
    for variable, flag, parts in zip(variables, flags, leaves):
        if variable.defined == NEVER:
            contents_.append(Undefined(variable.name))
            continue
        content = unflattener.unflatten(variable.structure, iter(parts))
        if flag is not None:
            content = MaybeUndefined(variable.name, content, flag)
        contents_.append(content)
    return Rebuilt(contents_, leaves, unflattener.containers)


def _arrived(kind: Leaf, values: Iterator[Value]) -> Any:
    match kind:
        case ArrayType():
            return GraphArray(next(values))
        case OneOf(objects):
            return Choice(GraphArray(next(values)), objects)
        case Optional():
            present = GraphArray(next(values))
            return none_or(present, _arrived(kind.present, values))
        case Promoted(kinds):
            which, apart = GraphArray(next(values)), kind.apart
            exact = [GraphArray(next(values)) if own in apart else None for own in kinds]
            return PromotedNumber(next(values), kinds, which, exact)
        case ColumnOf(element):
            return Column(next(values), element)
    return kind.content
