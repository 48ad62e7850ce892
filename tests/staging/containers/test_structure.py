"""Contents of variables taken apart and put together again, sharing kept."""

import collections
import types
from typing import NamedTuple

import numpy as np
import pytest

from autograph.errors import MutationError
from autograph.staging.containers.containers import contents
from autograph.staging.containers.structure import (
    ContainerOf,
    ElementType,
    Flattener,
    NoneOrOf,
    SameAs,
    Unflattener,
    container_kinds,
    paths,
    rows_of,
    text,
    tuple_kinds,
)
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.lists.elements import ListOf, of_all
from autograph.staging.lists.list_state import Lost
from autograph.staging.lists.lists import TrackedList
from autograph.staging.values.maybe import none_or
from tests.support.build_graphs import FLOAT


class Point(NamedTuple):
    x: float
    y: float


class Body:
    def __init__(self, mass, at):
        self.mass = mass
        self.at = at


def again(content):
    """Taken apart and put together."""
    leaves, structure = Flattener().flatten(content)
    return Unflattener().unflatten(structure, iter(leaves))


def structure_of(content):
    return Flattener().flatten(content)[1]


# -- there and back --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        2.5,
        None,
        "text",
        (),
        (1, (2.5, "a")),
        [],
        [1, [2.5]],
        {},
        {"a": 1, 2: [3]},
        {1, 2},
        collections.deque([1, 2], maxlen=3),
        collections.OrderedDict(b=1, a=2),
        collections.defaultdict(list, a=1),
        types.SimpleNamespace(a=1),
    ],
)
def test_there_and_back(content):
    found = again(content)
    assert found == content
    if not isinstance(content, list):
        assert type(found) is type(content)


def test_lists_come_back_as_lists_that_are_followed():
    assert type(again([1])) is TrackedList


def test_how_containers_are_made_comes_back():
    assert again(collections.deque([1], maxlen=3)).maxlen == 3
    assert again(collections.defaultdict(list)).default_factory is list


def test_named_tuples_and_objects():
    found = again(Body(2.0, Point(1.0, 2.0)))
    assert type(found) is Body and type(found.at) is Point
    assert vars(found) == {"mass": 2.0, "at": (1.0, 2.0)}


def test_containers_are_new():
    inner = [1]
    found = again((inner,))[0]
    assert found is not inner


def test_a_container_that_occurs_twice_does_so_after_it():
    inner = [1]
    a, b, c = again((inner, {"x": inner}, [1]))
    assert a is b["x"] and a is not c


def test_a_container_that_contains_itself():
    ring = Body(1.0, None)
    ring.at = [ring]
    found = again(ring)
    assert found is not ring and found.at[0] is found


def test_variables_share_containers():
    inner = [1]
    flattener, unflattener = Flattener(), Unflattener()
    parts = [flattener.flatten(content) for content in (inner, (inner, 2))]
    assert parts[1] == ([2], TupleOf(tuple, (SameAs(0), LEAF)))
    first, second = (unflattener.unflatten(s, iter(leaves)) for leaves, s in parts)
    assert second[0] is first
    assert flattener.containers[0] is inner


# -- what is a leaf --------------------------------------------------------------------------------


def test_leaves_from_left_to_right():
    leaves, _ = Flattener().flatten((1, [2, {"a": 3}], Point(4, 5)))
    assert leaves == [1, 2, 3, 4, 5]


def test_containers_that_stay_the_objects_they_are():
    older, new = [1], [2]
    flattener = Flattener(lambda container: container is older)
    leaves, _ = flattener.flatten((older, new))
    assert leaves[0] is older and leaves[1] == 2
    assert len(flattener.containers) == 1


@pytest.mark.parametrize("leaf", [np.zeros(3), len, Point, frozenset({1}), range(3)])
def test_other_things_are_leaves(leaf):
    assert Flattener().flatten(leaf) == ([leaf], LEAF)


def test_what_may_be_none(recording):
    there, pair = recording.given(True), (1, 2.5)
    leaves, structure = Flattener().flatten(none_or(there, pair))
    assert structure == NoneOrOf(TupleOf(tuple, (LEAF, LEAF)))
    assert leaves[0] is there and leaves[1:] == [1, 2.5]
    found = Unflattener().unflatten(structure, iter(leaves))
    assert found.present is there and found.content == pair
    assert Unflattener().unflatten(structure, iter([False, 1, 2.5])) is None


def test_the_state_in_which_containers_are_seen():
    items = [1]
    flattener = Flattener(contents_of=lambda container: contents([7, 8]))
    assert flattener.flatten(items)[0] == [7, 8]


def test_lists_as_rows(recording):
    items = TrackedList([1, 2.5])
    element = ElementType(LEAF, (FLOAT,))
    leaves, structure = Flattener(as_rows=ByIdentity([(items, element)])).flatten(items)
    assert structure.is_rows and structure.kind is TrackedList
    assert leaves[0].parts == (1, 2.5) and leaves[0].element == FLOAT
    assert not structure_of(items).is_rows


def test_rows_of_nested_elements(recording):
    state = rows_of(((1, 2.5), (3, 4.5)), ElementType(structure_of((1, 2.5)), (FLOAT, FLOAT)))
    assert state.is_rows
    assert [column.parts for column in state.values] == [(1, 3), (2.5, 4.5)]
    assert all(column.is_steady for column in state.values)


def test_a_list_of_one_number_is_taken_to_grow(recording):
    (column,) = rows_of((1.0,), ElementType(LEAF, (FLOAT,))).values
    assert not column.is_steady


def test_a_table_is_taken_to_keep_its_length(recording):
    (column,) = rows_of(
        (TrackedList([1.0]),), ElementType(ListOf(1, LEAF), (of_all(FLOAT, 1),))
    ).values
    assert column.is_steady


def test_a_list_that_nobody_may_use(recording):
    items = TrackedList([1])
    items.lost = Lost(None)
    with pytest.raises(MutationError) as caught:
        Flattener().flatten((items,))
    assert caught.value.id == "AG0328"


def test_what_is_no_structure():
    with pytest.raises(TypeError):
        Unflattener().unflatten("no structure", iter(()))


# -- what is said of structures --------------------------------------------------------------------


@pytest.mark.parametrize(
    "content, ways",
    [
        (1, [()]),
        ((1, 2), [("0",), ("1",)]),
        (Point(1, (2,)), [("x",), ("y", "0")]),
        ([1, [2]], [("0",), ("1", "0")]),
        ({"a": 1, 2: 3}, [("a",), ("2",)]),
        (Body(1, [2]), [("mass",), ("at", "0")]),
        (collections.deque([1]), [("0",)]),
        ((), []),
    ],
)
def test_ways_to_leaves(content, ways):
    assert list(paths(structure_of(content))) == ways


def test_ways_to_what_may_be_none():
    structure = TupleOf(tuple, (NoneOrOf(TupleOf(tuple, (LEAF,))),))
    assert list(paths(structure)) == [("0", "present"), ("0", "0")]


def test_classes_of_containers():
    content = ([{"a": 1}], NoneOrOf(LEAF))
    assert list(container_kinds(structure_of(content))) == [TrackedList, dict]
    assert list(container_kinds(NoneOrOf(structure_of([1])))) == [TrackedList]
    assert list(container_kinds(LEAF)) == []


def test_classes_of_tuples():
    assert list(tuple_kinds(structure_of((Point(1, 2), [Point(3, 4)], (5,))))) == [Point, Point]
    assert list(tuple_kinds(LEAF)) == []


@pytest.mark.parametrize(
    "content, shown",
    [
        (1, "1"),
        ((), "()"),
        ((1,), "(1,)"),
        ((1, 2), "(1, 2)"),
        (Point(1, 2), "Point(1, 2)"),
        ([1, 2], "[1, 2]"),
        ({"a": 1, 2: 3}, "{'a': 1, 2: 3}"),
        (Body(1, 2), "Body(1, 2)"),
    ],
)
def test_texts(content, shown):
    leaves, structure = Flattener().flatten(content)
    assert text(structure, iter(leaves)) == shown


def test_texts_of_what_is_there_twice_or_may_be_none():
    inner = [1]
    leaves, structure = Flattener().flatten((inner, inner))
    assert text(structure, iter(leaves)) == "([1], ...)"
    assert text(NoneOrOf(LEAF), iter([True, 1])) == "1 or None"


def test_structures_are_equal_by_what_they_say():
    assert structure_of([1, 2]) == structure_of([3, 4]) != structure_of([1])
    assert structure_of({"a": 1}) != structure_of({"b": 1})
    assert ContainerOf(0, dict, ("a",), (LEAF,)) != ContainerOf(1, dict, ("a",), (LEAF,))
