"""How machine code finds what the heaps of a call consist of, see
`autograph.kernels.native.gathering`, where it can.

A column is known by the `GivenColumns` whose array it is, and its number there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.kernels.native import gathering
from autograph.staging.ground.nesting import LEAF, Structure, TupleOf
from autograph.staging.lists.given_rows import GivenColumns
from autograph.staging.lists.object_heap import PooledObjects, PooledObjectsOrNone
from autograph.staging.values.text import TextKind
from ops.core.types import ArrayType

_PYTHON = {np.dtype(kind): kind for kind in (float, int, bool)}
_NEVER = object()  # what no list holds


class NotGathered(Exception):
    """Python finds it."""


def column_of(part: GivenColumns, at: int = 0) -> gathering.TableColumn:
    """One of the columns of what a heap consists of."""
    return gathering.TableColumn((id(part), at), part.arrays[at].dtype)


def node_of_items(part: GivenColumns) -> gathering.Node:
    """The node of items that are numbers, tuples of such, or texts.

    Raises:
        NotGathered: there is none.
    """
    columns = [column_of(part, at) for at in range(len(part.arrays))]
    return node_of_element(part.structure, part.elements, columns)


def node_of_element(
    structure: Structure, elements: Sequence[ArrayType], columns: Sequence[gathering.TableColumn]
) -> gathering.Node:
    """The same, of items that have a structure, and columns for their parts."""
    if not columns:
        return gathering.OneValue(_NEVER)
    numbers = lambda: tuple(
        gathering.NumberValue(_class_of(element), column)
        for element, column in zip(elements, columns)
    )
    if structure is LEAF:
        return numbers()[0]
    if not isinstance(structure, TupleOf):
        raise NotGathered
    kind = structure.kind
    if isinstance(kind, TextKind) and len(columns) == 1:
        return gathering.TextValue(columns[0], tuple(text.format() for text in kind.template))
    if kind is not tuple or any(inner is not LEAF for inner in structure.parts):
        raise NotGathered
    return gathering.TupleValue(numbers())


def node_of_typed(
    part: GivenColumns, kinds: Sequence[ArrayType], apart: Sequence[ArrayType]
) -> gathering.Node:
    """The node of numbers of several types.

    Args:
        part: for each which type it is of, it in the types of ``apart``, and the promoted one.
        kinds: the types.

    Raises:
        NotGathered: they are not all Python's.
    """
    which, *exact, promoted = (column_of(part, at) for at in range(len(part.arrays)))
    own = tuple(map(_class_of, kinds))
    are_python = all(kind in _PYTHON.values() for kind in own)
    if not are_python or promoted.dtype not in (np.dtype(float), np.dtype(int)):
        raise NotGathered
    columns = dict(zip(apart, exact))
    return gathering.TypedValue(which, promoted, own, tuple(map(columns.get, kinds)))


def _class_of(element: ArrayType) -> type:
    """The class of the numbers of a type.

    Raises:
        NotGathered: they are none of 64 bits.
    """
    dtype = element.dtype
    if element.shape or dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise NotGathered
    if not element.weak:
        return dtype.type
    if dtype not in _PYTHON:
        raise NotGathered
    return _PYTHON[dtype]


def member_of(objects: PooledObjects) -> gathering.MemberValue:
    """The node of an item of a list of objects."""
    with_none = isinstance(objects, PooledObjectsOrNone)
    places: Any = objects.places
    return gathering.MemberValue(column_of(places), objects.heap.made_of, with_none)
