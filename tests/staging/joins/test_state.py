"""The values of containers as variables, and states of a container that are to fit."""

import array
import collections
import types

import numpy as np
import pytest

from autograph.staging.containers.containers import Contents, contents
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.joins.state import Slots, aligned, as_rows, common_element, fill_all
from autograph.staging.lists.lists import TrackedList
from autograph.staging.values.leaves import Mismatch
from autograph.staging.values.promoted import Promoted
from tests.support.build_graphs import FLOAT, INT, VECTOR


class Cell:
    h = 0.0


def states(*lists):
    return [contents(TrackedList(items)) for items in lists]


# -- elements --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lists, types",
    [
        (([1.0], [2.0, 3.0]), [FLOAT]),
        (([], [2.0]), [FLOAT]),
        (([np.zeros(3)], []), [VECTOR]),
    ],
)
def test_the_type_of_the_elements(recording, lists, types):
    assert common_element(states(*lists)) == (LEAF, tuple(types))


def test_numbers_of_several_types(recording):
    element = common_element(states([1], [2.5]))
    assert element.structure == TupleOf(Promoted((INT, FLOAT)), (LEAF,) * 3)
    assert element.types == (INT, INT, FLOAT)


def test_elements_that_are_nested(recording):
    element = common_element(states([(1, 2.5)], []))
    assert element == (TupleOf(tuple, (LEAF, LEAF)), (INT, FLOAT))


@pytest.mark.parametrize(
    "lists, says",
    [
        (([], []), "elements that are not known"),
        (([()], []), "elements that contain nothing"),
        (([b"a"], []), "other things than numbers"),
        (([1.0], [(1.0,)]), "different types or shapes"),
        (([np.zeros(2)], [np.zeros(3)]), "different types or shapes"),
    ],
)
def test_elements_without_one_type(recording, lists, says):
    with pytest.raises(Mismatch, match=says):
        common_element(states(*lists))


def test_elements_of_a_list_that_is_kept_as_rows(recording):
    (state,) = states([1.0, 2.0])
    element = common_element([state])
    rows = as_rows(state, element)
    assert rows.is_rows
    assert as_rows(rows, element) is rows
    assert common_element([rows]) == (LEAF, (FLOAT,))


# -- states that fit -------------------------------------------------------------------------------


def test_states_with_the_same_keys_stay(recording):
    items = TrackedList([1.0])
    before = states([1.0], [2.0])
    assert aligned(items, before) == before


def test_lists_of_different_lengths_become_rows(recording):
    found = aligned(TrackedList(), states([1.0], [2.0, 3.0]))
    assert all(state.is_rows for state in found)
    assert [len(state.values[0].parts) for state in found] == [1, 2]


def test_a_list_that_is_not_the_functions_own(recording):
    with pytest.raises(Mismatch, match="not made by a statement of the function"):
        aligned([], states([1.0], [2.0, 3.0]))


@pytest.mark.parametrize(
    "a, b, says",
    [
        ({"a": 1}, {"b": 1}, "{'a'} and {'b'}"),
        ({"a": 1}, {}, "{'a'} and nothing"),
        ({2, 1}, {3}, "{1, 2} and {3}"),
        (collections.deque([1]), collections.deque(), "1 elements and 0 elements"),
        (bytearray(b"a"), bytearray(b"b"), "use np.zeros"),
        (array.array("d", [1.0]), array.array("d", [2.0]), "use np.zeros"),
        (np.array(["a"]), np.array(["b"]), "use an array of numbers"),
    ],
)
def test_other_containers_must_have_the_same_keys(recording, a, b, says):
    with pytest.raises(Mismatch) as caught:
        aligned(a, [contents(a), contents(b)])
    assert says in str(caught.value)


def of(**attributes):
    item = Cell()
    vars(item).update(attributes)
    return contents(item)


def test_attributes_that_the_class_has(recording):
    found = aligned(Cell(), [of(), of(h=2.0)])
    assert [state.values for state in found] == [(0.0,), (2.0,)]
    assert found[0].keys == found[1].keys


def test_attributes_in_another_order(recording):
    found = aligned(Cell(), [of(a=1, b=2), of(b=3, a=4)])
    assert [state.values for state in found] == [(1, 2), (4, 3)]


def test_attributes_that_only_some_paths_assign(recording):
    item = types.SimpleNamespace()
    given = [contents(types.SimpleNamespace(a=1)), contents(types.SimpleNamespace(b=1))]
    with pytest.raises(Mismatch, match="attributes a and attributes b"):
        aligned(item, given)


# -- slots -----------------------------------------------------------------------------------------


def slots_of(container, name="xs"):
    return Slots.of(container, name, contents(container))


def test_values_as_variables(recording):
    items = TrackedList([1.0, 2.0])
    slots = slots_of(items)
    assert slots.variables(contents(items)) == [("xs[0]", 1.0), ("xs[1]", 2.0)]
    assert slots_of({"a": 1}, "d").names == ["d['a']"]
    assert slots_of(Cell(), "self").names == []
    assert not slots.is_rows


def test_values_after_the_region(recording):
    items, table = TrackedList([1.0, 2.0]), {"a": 1}
    frozen = recording.recorder.frozen
    fill_all([slots_of(items), slots_of(table)], [3.0, 4.0, 5], frozen)
    assert items == [3.0, 4.0] and table == {"a": 5}


def test_what_must_not_change_is_known_as_it_was_put(recording):
    items = TrackedList([1.0])
    frozen = recording.recorder.frozen
    frozen.add(items, TrackedList([1.0]))
    slots_of(items).fill([2.0], frozen)
    frozen.check()


def test_rows_are_one_variable(recording):
    (state,) = states([1.0, 2.0])
    items = TrackedList([1.0, 2.0])
    rows = as_rows(state, common_element([state]))
    slots = Slots.of(items, "xs", rows)
    assert slots.is_rows and len(slots.names) == 1
    assert isinstance(rows, Contents)
