"""Which lists may be the same as others."""

import pytest

from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.twins import is_of_kind, link_all, links, twins_of


@pytest.fixture
def lists(recording):
    return [TrackedList([number]) for number in range(4)]


def same(found, *wanted):
    return [id(item) for item in found] == [id(item) for item in wanted]


def test_by_way_of_others(lists):
    a, b, c, d = lists
    a.link(b)
    b.link(c)
    assert same(twins_of(a), b, c) and same(twins_of(c), b, a)
    assert twins_of(d) == []


def test_links_go_both_ways_and_are_made_once(lists):
    a, b, *_ = lists
    a.link(b)
    b.link(a)
    a.link(a)
    assert same(a.twins, b) and same(b.twins, a)


def test_links_by_number(lists):
    a, b, c, d = lists
    a.link(c)
    a.link(d)
    assert links([a, {}, c]) == [(0, 2), (0, d), (2, 0)]
    assert links([]) == links([b, {}]) == []


def test_links_of_others(lists):
    a, b, c, d = lists
    link_all([(0, 1), (1, d), (2, 0), (7, 0)], {0: a, 1: b, 2: {}})
    assert same(a.twins, b) and same(b.twins, a, d) and same(d.twins, b)
    assert c.twins == []


def test_kinds(lists):
    assert is_of_kind(lists[0], []) and is_of_kind({}, {})
    assert not is_of_kind({}, []) and not is_of_kind({}, set())
