"""A mapping whose keys are told apart by what they are, not by what they equal."""

import pytest

from autograph.staging.ground.identity import ByIdentity


def test_equal_keys_are_different():
    first, second = [1], [1]
    items = ByIdentity([(first, "a")])
    items[second] = "b"
    assert (items[first], items[second], len(items)) == ("a", "b", 2)


def test_keys_without_a_hash():
    key = {}
    assert key in ByIdentity([(key, 1)])
    assert {} not in ByIdentity([(key, 1)])


def test_from_another_mapping():
    key = []
    copy = ByIdentity(ByIdentity([(key, 1)]))
    assert list(copy.items()) == [(key, 1)]
    assert next(iter(copy)) is key


def test_the_order_is_that_in_which_keys_came():
    keys = [[], [], []]
    items = ByIdentity((key, number) for number, key in enumerate(keys))
    items[keys[0]] = 5
    assert [value for _, value in items.items()] == [5, 1, 2]


def test_keys_are_taken_out():
    key = []
    items = ByIdentity([(key, 1)])
    del items[key]
    assert len(items) == 0 and key not in items
    with pytest.raises(KeyError):
        items[key]
    with pytest.raises(KeyError):
        del items[key]


def test_keys_are_kept_alive():
    items = ByIdentity()
    for number in range(100):  # else the next object might be given the identity of the last one
        items[[]] = number
    assert len(items) == 100
