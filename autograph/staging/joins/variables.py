"""What is known of a variable that crosses the border of a region, and how two such facts join.

A region gives values to variables: nested tuples, lists, dicts and objects whose leaves are arrays,
numbers, or objects the graph knows nothing about. Where control flow joins, the two facts about
each variable must be made one: the same structure, for each leaf one kind (see
`autograph.staging.values.leaves`), and for the variable as a whole whether it is defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.containers import is_rebuilt
from autograph.staging.containers.structure import (
    ContainerOf,
    ElementType,
    NoneOrOf,
    SameAs,
    leaves_in,
    paths,
    text,
)
from autograph.staging.ground.families import members_of
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.joins.placed_families import of_families
from autograph.staging.lists import class_families
from autograph.staging.lists.heap import PooledRow
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.none_elements import ONLY_NONE, or_none
from autograph.staging.lists.number_elements import of_kinds
from autograph.staging.lists.object_heap import learn_always
from autograph.staging.lists.placed_objects import PlacedObject
from autograph.staging.lists.text_elements import united
from autograph.staging.values.choice import is_choosable
from autograph.staging.values.leaves import (
    ColumnOf,
    Known,
    Leaf,
    Mismatch,
    OneOf,
    Optional,
    Promoted,
    along,
    are_other_numbers,
    axes_of,
    carried,
    join_leaves,
)
from autograph.staging.values.templates import ABSENT, MOST_TEMPLATES, all_templates, escaped
from autograph.staging.values.text import TextKind
from ops.core.records import dataclass
from ops.core.types import ArrayType, weak

NEVER, MAYBE, ALWAYS = range(3)  # whether a variable is defined


@dataclass(frozen=True)
class Variable:
    """What is known of one variable where control flow joins.

    Attributes:
        name: the user's name.
        defined: `NEVER`, `MAYBE` or `ALWAYS`.
        structure: the nesting of its leaves.
        leaves: the kinds of its leaves.
        varies: along which axes of a mesh it is defined or not.
    """

    name: str
    defined: int
    structure: Structure = LEAF
    leaves: tuple[Leaf, ...] = ()
    varies: frozenset = frozenset()

    def along(self, axes: frozenset) -> Variable:
        """The same of a variable that varies along some axes, too."""
        if not axes:
            return self
        leaves = tuple(along(leaf, axes) for leaf in self.leaves)
        return replace(self, leaves=leaves, varies=self.varies | axes)

    @property
    def types(self) -> list[ArrayType]:
        """The types of the graph values that carry the variable."""
        flag = [weak(bool).along(self.varies)] if self.defined == MAYBE else []
        return flag + [type for leaf in self.leaves for type in carried(leaf)]

    @property
    def value_names(self) -> list[str | None]:
        """A name for each of these values: the variable's, with the path to the leaf."""
        names: list[str | None] = [None] if self.defined == MAYBE else []
        stem = re.sub(r"\W+", "_", self.name).strip("_")  # xs[0] and self.h are names as well
        for path, leaf in zip(paths(self.structure), self.leaves):
            name = "_".join([stem, *path])
            values = carried(leaf)
            names += [None] * (len(values) - 1)
            names += [name if name.isidentifier() else None] * bool(values)
        return names

    def __str__(self) -> str:
        if self.defined == NEVER:
            return "undefined"
        return text(self.structure, iter(self.leaves))


class Expand(Exception):
    """Two contents can be joined only if containers that are leaves of them are taken apart.

    Attributes:
        containers: one of the first content, one of the second; None where there is none.
    """

    def __init__(self, *containers: Any):
        super().__init__()
        self.containers = containers


class NeedRows(Exception):
    """Two contents can be joined only if a list in them is kept as rows.

    Attributes:
        numbers: of the list in the first and second content; None where it is kept so already.
        element: the type of its elements.
    """

    def __init__(self, numbers: tuple[int | None, int | None], element: ElementType):
        super().__init__()
        self.numbers = numbers
        self.element = element


class NeedTexts(Exception):
    """Two contents can be joined only if texts in them are taken as ones with more templates.

    Attributes:
        templates: all of them.
        position: of the variable, where that is known.
    """

    def __init__(self, templates: tuple[str, ...]):
        super().__init__()
        self.templates = templates
        self.position = -1


class NeedSeat(Mismatch):
    """Two contents can't be joined, but could be if both lists in them were in one heap.

    Attributes:
        numbers: of the lists in the first and second content.
        position: of the variable, among those that are joined.
    """

    def __init__(self, numbers: tuple[int, int], text: str):
        super().__init__(text)
        self.numbers = numbers
        self.position = 0


def traced(variable: Variable, but_arrays: bool = False) -> Variable:
    """The same with every number and array among the leaves taken as changing.

    Args:
        but_arrays: whether arrays that are the same object whichever path was taken stay so.
    """
    leaves = tuple(
        leaf
        if not isinstance(leaf, Known) or (but_arrays and _is_array(leaf.content))
        else leaf.changing or leaf
        for leaf in variable.leaves
    )
    return replace(variable, leaves=leaves)


def of_same_arrays(variable: Variable, leaves: Sequence[Any]) -> Variable:
    """The same of a variable whose arrays, among these leaves, stay the objects they are."""
    kinds = [
        Known(leaf) if _is_array(leaf) else kind for kind, leaf in zip(variable.leaves, leaves)
    ]
    return replace(variable, leaves=tuple(kinds))


def _is_array(leaf: Any) -> bool:
    return type(leaf) is GraphArray and bool(leaf.ndim or leaf.is_array)


def join(a: Variable, b: Variable) -> Variable:
    """What is known of a variable that is either ``a`` or ``b``.

    Raises:
        Mismatch: the structures differ, or some leaves cannot be joined.
        Expand, NeedRows: they can be joined if containers are seen in another way.
    """
    if a.defined == NEVER or b.defined == NEVER:
        other = b if a.defined == NEVER else a
        defined = NEVER if other.defined == NEVER else MAYBE
        return replace(other, defined=defined, varies=a.varies | b.varies)
    defined = min(a.defined, b.defined)
    optional = _join_optional(a, b, defined) or _join_parts(a, b, defined)
    if optional is not None:
        return optional
    if a.structure != b.structure:
        a, b = (replace(v, structure=of_families(v.structure)) for v in (a, b))
    if a.structure != b.structure or _have_other_numbers(a, b):
        _reconcile(a, b)
    leaves = tuple(_join_leaf(x, y) for x, y in zip(a.leaves, b.leaves))
    return Variable(a.name, defined, a.structure, leaves, a.varies | b.varies)


def _join_optional(a: Variable, b: Variable, defined: int) -> Variable | None:
    """The same where one of the two may be None and the other is no single number or text."""
    if not _may_be_none(a, b):
        return None
    known = [_present(variable) for variable in (a, b) if not _is_none(variable)]
    joined = join(*known) if len(known) == 2 else known[0]
    flags = [v.leaves[0] for v in (a, b) if isinstance(v.structure, NoneOrOf)]
    axes = frozenset().union(*map(axes_of, flags))
    leaves = (weak(bool).along(axes), *joined.leaves)
    return Variable(a.name, defined, NoneOrOf(joined.structure), leaves, a.varies | b.varies)


def _may_be_none(a: Variable, b: Variable) -> bool:
    known = [_present(variable) for variable in (a, b) if not _is_none(variable)]
    some_none = len(known) == 1 or any(isinstance(v.structure, NoneOrOf) for v in (a, b))
    return bool(known) and some_none and not all(map(_is_simple, known))


def _join_parts(a: Variable, b: Variable, defined: int) -> Variable | None:
    """The same of two tuples of which one has None where the other has not."""
    if not _have_parts_that_may_be_none(a, b):
        return None
    assert isinstance(a.structure, TupleOf)
    try:
        joined = [join(p, q) for p, q in zip(_parts(a), _parts(b))]
    except Mismatch:
        raise Mismatch(f"{a} and {b}") from None
    structure = TupleOf(a.structure.kind, tuple(part.structure for part in joined))
    leaves = tuple(leaf for part in joined for leaf in part.leaves)
    return Variable(a.name, defined, structure, leaves, a.varies | b.varies)


def _have_parts_that_may_be_none(a: Variable, b: Variable) -> bool:
    x, y = a.structure, b.structure
    if not (isinstance(x, TupleOf) and isinstance(y, TupleOf)):
        return False
    if x.kind != y.kind or len(x.parts) != len(y.parts):
        return False
    if x == y and not any(isinstance(v, Known) and v.content is None for v in a.leaves + b.leaves):
        return False
    return any(
        _may_be_none(p, q) or _have_parts_that_may_be_none(p, q)
        for p, q in zip(_parts(a), _parts(b))
    )


def _parts(variable: Variable) -> Iterator[Variable]:
    """What is known of the items of a tuple."""
    assert isinstance(variable.structure, TupleOf)
    leaves = iter(variable.leaves)
    for part in variable.structure.parts:
        yield Variable(variable.name, ALWAYS, part, tuple(islice(leaves, leaves_in(part))))


def _is_none(variable: Variable) -> bool:
    return variable.structure is LEAF and variable.leaves == (Known(None),)


def _present(variable: Variable) -> Variable:
    """What is known of a variable when it is not None."""
    if not isinstance(variable.structure, NoneOrOf):
        return variable
    return replace(variable, structure=variable.structure.part, leaves=variable.leaves[1:])


def _is_simple(variable: Variable) -> bool:
    """Whether there is a kind of leaf for a variable that may be None."""
    if variable.structure is not LEAF:
        return False
    (leaf,) = variable.leaves
    return not isinstance(leaf, Known) or leaf.type is not None or is_choosable(leaf.content)


def in_order(joined: Variable, variable: Variable, leaves: list[Any]) -> list[Any]:
    """The leaves of ``variable``, in the order of those of ``joined``; None for those that it does
    not have, since it is None."""
    if variable.defined == NEVER or joined.structure == variable.structure:
        return leaves
    return list(_placed(joined.structure, variable.structure, iter(leaves)))


def _placed(wanted: Structure, given: Structure, leaves: Iterator[Any]) -> Iterator[Any]:
    if isinstance(wanted, NoneOrOf) and isinstance(given, NoneOrOf):
        yield next(leaves)
        yield from _placed(wanted.part, given.part, leaves)
    elif isinstance(wanted, NoneOrOf) and given is LEAF:
        yield from (None, next(leaves), *([None] * leaves_in(wanted)))[: leaves_in(wanted)]
    elif isinstance(wanted, NoneOrOf):
        yield None
        yield from _placed(wanted.part, given, leaves)
    elif isinstance(wanted, TupleOf) and isinstance(given, TupleOf):
        for part, own in zip(wanted.parts, given.parts):
            yield from _placed(part, own, leaves)
    else:
        yield from islice(leaves, leaves_in(given))


def _join_leaf(x: Leaf, y: Leaf) -> Leaf:
    try:
        return join_leaves(x, y)
    except Mismatch:
        both = [_container(x), _container(y)]
        if both[0] is not None and both[1] is not None:
            raise Expand(*both) from None
        raise


def _container(leaf: Leaf) -> Any:
    content = leaf.content if isinstance(leaf, Known) else None
    return content if content is not None and is_rebuilt(content) else None


def _reconcile(a: Variable, b: Variable) -> None:
    """Raise what has to be done, or that nothing can be done, about two differing structures."""
    mismatch = Mismatch(f"{a} and {b}")
    a_leaves, b_leaves = iter(a.leaves), iter(b.leaves)

    def visit(x: Structure, y: Structure) -> None:
        if x != y and (_is_text(x) or _is_text(y)):
            raise _texts_needed(x, y, a_leaves, b_leaves) or mismatch
        if x is LEAF and y is LEAF:
            _join_leaf(next(a_leaves), next(b_leaves))
        elif x is LEAF or y is LEAF:
            leaf = _container(next(a_leaves if x is LEAF else b_leaves))
            if leaf is None:
                raise mismatch
            raise Expand(leaf, None) if x is LEAF else Expand(None, leaf)
        elif isinstance(x, TupleOf) and isinstance(y, TupleOf):
            if x.kind != y.kind or len(x.parts) != len(y.parts):
                raise mismatch
            for p, q in zip(x.parts, y.parts):
                visit(p, q)
        elif isinstance(x, ContainerOf) and isinstance(y, ContainerOf) and x.kind is y.kind:
            if issubclass(x.kind, list) and (x.keys != y.keys or x.is_rows):
                need = _rows_needed(x, y, a_leaves, b_leaves, mismatch)
                if x.keys != y.keys or isinstance(need, NeedRows):
                    raise need
                return
            if x.keys != y.keys or x.number != y.number:
                raise mismatch
            for p, q in zip(x.parts, y.parts):
                visit(p, q)
        elif isinstance(x, ContainerOf) and isinstance(y, ContainerOf) and _are_lists(x, y):
            raise NeedSeat((x.number, y.number), str(mismatch))
        elif isinstance(x, ContainerOf) and isinstance(y, ContainerOf):
            class_families.join_classes((x.kind, y.kind))
            for kind in (x.kind, y.kind):
                placed = members_of(kind.made_of) if issubclass(kind, PlacedObject) else ()
                for member in {x.kind, y.kind}.intersection(placed):
                    learn_always(member)
            raise mismatch
        elif not isinstance(x, SameAs) or x != y:
            raise mismatch

    visit(a.structure, b.structure)
    raise mismatch


def _have_other_numbers(a: Variable, b: Variable) -> bool:
    """Whether there are lists kept as rows of numbers that are of other types in the second."""
    pairs = zip(a.leaves, b.leaves) if a.structure is not LEAF else ()
    return any(
        isinstance(x, ColumnOf)
        and isinstance(y, ColumnOf)
        and are_other_numbers(x.element, y.element)
        for x, y in pairs
    )


def _is_text(structure: Any) -> bool:
    return isinstance(structure, TupleOf) and isinstance(structure.kind, TextKind)


def _texts_needed(
    x: Structure, y: Structure, x_leaves: Iterator[Leaf], y_leaves: Iterator[Leaf]
) -> NeedTexts | None:
    """What two texts are to be taken as; None if one of the two is no text."""
    first, second = _templates(x, x_leaves), _templates(y, y_leaves)
    if not first or not second:
        return None
    templates = all_templates(first, second)
    return None if len(templates) > MOST_TEMPLATES else NeedTexts(templates)


def _templates(structure: Any, leaves: Iterator[Leaf]) -> tuple[str, ...]:
    """The templates of a text; none of something else."""
    if _is_text(structure):
        own = structure.kind.template
        if any(part is not LEAF for part in structure.parts):  # the texts of a list, joined
            return ()
        return own if isinstance(own, tuple) else (own,)
    if structure is not LEAF:
        return ()
    leaf = next(leaves)
    objects = leaf.objects if isinstance(leaf, OneOf) else ()
    texts = (leaf.content,) if isinstance(leaf, Known) else objects
    texts = tuple(text for text in texts if text is not None)
    return tuple(map(escaped, texts)) if all(isinstance(text, str) for text in texts) else ()


def _are_lists(x: ContainerOf, y: ContainerOf) -> bool:
    """Whether one is a list in a heap, and the other one an ordinary list."""
    return {x.kind, y.kind} == {PooledRow, TrackedList}


def _rows_needed(
    x: ContainerOf,
    y: ContainerOf,
    x_leaves: Iterator[Leaf],
    y_leaves: Iterator[Leaf],
    mismatch: Mismatch,
) -> NeedRows | Mismatch:
    elements = [*_elements(x, x_leaves), *_elements(y, y_leaves)]
    if not elements or any(None in kind.types for kind in elements):
        return mismatch
    kind: ElementType | None = elements[0]
    for other in elements[1:]:
        kind = kind and united(kind, other, elements=len(elements))
    if kind is None or not kind.types:  # elements that contain nothing
        return mismatch
    fits = [node.is_rows and node.keys[1] == kind.structure for node in (x, y)]
    if all(fits):
        return mismatch
    numbers = (None if fits[0] else x.number, None if fits[1] else y.number)
    return NeedRows(numbers, kind)


def _elements(node: ContainerOf, leaves: Iterator[Leaf]) -> list[Any]:
    """The `ElementType` of elements of a list; some types may be None."""
    if node.is_rows:
        return [_element(node.keys[1], [_type_of(next(leaves)) for _ in node.parts])]
    return [_kind_of_element(part, leaves) for part in node.parts]


def _kind_of_element(structure: Structure, leaves: Iterator[Leaf]) -> Any:
    """The same of an element as rows have it, in which the types of texts are told."""
    if isinstance(structure, NoneOrOf):
        next(leaves)
        return or_none(_kind_of_element(structure.part, leaves))
    if _is_text(structure) or not isinstance(structure, TupleOf):
        own = [next(leaves) for _ in paths(structure)]
        if structure is LEAF and _may_be_none_leaf(own[0]):
            return _kind_of_none(own[0])
        number = own[0].changing if own and isinstance(own[0], Known) else own[0] if own else None
        if structure is LEAF and isinstance(number, Promoted):
            return of_kinds(number)
        templates = _templates(structure, iter(own))
        if not templates:
            return _element(structure, list(map(_type_of, own)))
        is_chosen = isinstance(structure, TupleOf) and isinstance(structure.kind.template, tuple)
        values = own[is_chosen:] if _is_text(structure) else []
        types = (weak(int), *(_type_of(leaf) for leaf in values))
        return _element(TupleOf(TextKind(templates, types), (LEAF,) * len(types)), types)
    parts = [_kind_of_element(part, leaves) for part in structure.parts]
    made = TupleOf(structure.kind, tuple(part.structure for part in parts))
    return _element(made, [type for part in parts for type in part.types])


def _kind_of_none(leaf: Leaf) -> ElementType:
    """The same of an element that is None, or may be."""
    if isinstance(leaf, OneOf):
        present: Leaf = OneOf(tuple(item for item in leaf.objects if item is not None), leaf.varies)
    elif isinstance(leaf, Optional):
        present = leaf.present
    else:
        return ONLY_NONE
    found: ElementType = _kind_of_element(LEAF, iter([present]))
    return or_none(found)


def _may_be_none_leaf(leaf: Leaf) -> bool:
    """Whether what a leaf is known to be is None, or may be."""
    if isinstance(leaf, OneOf):
        return any(item is None for item in leaf.objects)
    return isinstance(leaf, Optional) or leaf == Known(None)


def _element(structure: Structure, types: Sequence[Any]) -> ElementType:
    return ElementType(structure, tuple(types))


def _type_of(leaf: Leaf) -> ArrayType | None:
    if isinstance(leaf, ColumnOf):
        return leaf.element
    if isinstance(leaf, Known) and leaf.content is ABSENT:
        return weak(int)
    return leaf if isinstance(leaf, ArrayType) else leaf.type
