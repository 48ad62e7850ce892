"""Noticing changes to containers, and refusing them."""

import types

import pytest

from autograph.errors import Location, MutationError
from autograph.staging.containers.watch import Frozen, Watch, unchanged_arguments
from autograph.staging.lists.lists import TrackedList

HERE = Location("f.py", 3)


class Body:
    def __init__(self, mass):
        self.mass = mass


@pytest.fixture
def frozen(recording):
    return recording.recorder.frozen


# -- a region --------------------------------------------------------------------------------------


def test_changes_are_undone_and_told(recording):
    items, table, body = TrackedList([1.0]), {"a": 1}, Body(2.0)
    watch = Watch([items, (table, body)])
    items.append(2.0)
    table["b"] = 2
    body.mass = 3.0
    changed = watch.finish()
    assert (items, table, body.mass) == ([1.0], {"a": 1}, 2.0)
    assert changed[items].values == (1.0, 2.0)
    assert changed[table].values == (1, 2)
    assert changed[body].values == (3.0,)


def test_what_is_not_changed_is_not_told(recording):
    items = TrackedList([1.0])
    watch = Watch([items])
    items.append(2.0)
    items.pop()
    assert watch.changed() == []
    assert len(watch.finish()) == 0


def test_containers_in_containers(recording):
    inner = TrackedList([1.0])
    watch = Watch([{"a": (inner,)}])
    inner[0] = 2.0
    (found,) = watch.changed()
    assert found is inner
    watch.finish()


def test_what_functions_refer_to(recording):
    items = TrackedList([1.0])
    watch = Watch([lambda: items])
    items.append(2.0)
    assert items in watch.finish()


def test_new_containers_are_not_older(recording):
    items = TrackedList([1.0])
    watch = Watch([items])
    new = TrackedList([items])
    assert watch.is_older(items) and not watch.is_older(new)
    assert watch.sees(items) and watch.sees(new)
    watch.finish()


def test_a_list_that_cannot_be_reached_is_not_seen(recording):
    hidden = TrackedList([1.0])
    watch = Watch([])
    assert not watch.sees(hidden)
    watch.finish()


def test_arguments_are_always_watched(recording):
    items = TrackedList([1.0])
    recording.recorder.given.append(items)
    watch = Watch([])
    items.append(2.0)
    assert items in watch.finish()


def test_watches_are_of_the_regions_that_are_being_recorded(recording):
    watch = Watch([])
    assert recording.recorder.watches == [watch]
    watch.finish()
    assert recording.recorder.watches == []


# -- what must not change --------------------------------------------------------------------------


def test_what_may_be_the_same_as_another(frozen):
    table = {"a": 1}
    frozen.add(table, Body(1.0))
    assert frozen.is_joined(table) and not frozen.is_joined({})
    frozen.check()
    table["a"] = 2
    with pytest.raises(MutationError, match="a dict is changed that may be the same") as caught:
        frozen.check()
    assert caught.value.id == "AG0328"
    assert caught.value.others[0][0] == "they became one variable"


def test_elements_of_a_list_that_is_kept_as_rows(frozen):
    items = TrackedList([1.0])
    frozen.add_element(items)
    assert frozen.is_element(items) and not frozen.is_element([])
    with pytest.raises(MutationError) as caught:
        frozen.refuse(items)
    assert caught.value.id == "AG0320"
    frozen.refuse([])


def test_elements_are_checked_too(frozen):
    body = Body(1.0)
    frozen.add_element(body)
    frozen.check()
    body.mass = 2.0
    with pytest.raises(MutationError, match="a Body is changed in place that is an element"):
        frozen.check()


def test_what_the_recorder_puts_into_another_state(frozen):
    table, body = {"a": 1}, Body(1.0)
    frozen.add(table, {})
    frozen.add_element(body)
    table["a"], body.mass = 2, 2.0
    frozen.refresh(table)
    frozen.refresh(body)
    frozen.refresh({})
    frozen.check()


def test_what_stands_for_them_after_a_region(frozen):
    joined, element, other = {"a": 1}, Body(1.0), {}
    frozen.add(joined, {})
    frozen.add_element(element)
    made = {0: dict(joined), 1: Body(1.0), 2: {}}
    frozen.add_copies([joined, element, other], made)
    assert frozen.is_joined(made[0]) and frozen.is_element(made[1])
    assert not frozen.is_joined(made[2]) and not frozen.is_element(made[2])


def test_a_copy_is_on_its_own(frozen):
    made = frozen.copy()
    table = {}
    made.add(table, {})
    assert made.is_joined(table) and not frozen.is_joined(table)


def test_lists_that_change_through_their_elements(frozen):
    root, item = TrackedList(), TrackedList([1.0])
    before = frozen.copy()
    frozen.add_element(item)
    frozen.hold(root)
    assert root.written and item.holders == ((root, root.version),)
    frozen.hold(root)
    assert len(item.holders) == 1
    frozen.undo(before)
    assert not root.written and item.holders == ()


def test_an_element_of_another_list_alone_is_not_held(frozen):
    root, item = TrackedList(), TrackedList([1.0])
    frozen.add_element(item)
    item.only = TrackedList()
    frozen.hold(root)
    assert item.holders == ()


def test_nothing_is_frozen_at_first():
    Frozen().check()


# -- functions that must not change their arguments ------------------------------------------------


@pytest.mark.parametrize("argument", [[1.0], {"a": 1}, Body(1.0), types.SimpleNamespace(mass=1)])
def test_arguments_that_are_changed(recording, argument):
    before = repr(argument) if isinstance(argument, (list, dict)) else vars(argument).copy()
    with pytest.raises(MutationError) as caught, unchanged_arguments(argument, location=HERE):
        if isinstance(argument, list):
            argument.append(2.0)
        elif isinstance(argument, dict):
            del argument["a"]
        else:
            argument.mass = 5
    assert (caught.value.id, caught.value.location) == ("AG0321", HERE)
    after = repr(argument) if isinstance(argument, (list, dict)) else vars(argument)
    assert after == before


def test_arguments_that_are_not_changed(recording):
    items = [1.0]
    with unchanged_arguments(items, {"a": items}):
        items.append(2.0)
        items.pop()


def test_arguments_are_put_back_after_an_error(recording):
    items = [1.0]
    with pytest.raises(KeyError), unchanged_arguments(items):
        items.append(2.0)
        raise KeyError
    assert items == [1.0]
