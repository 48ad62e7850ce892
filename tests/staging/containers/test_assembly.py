"""Functions that put a result together."""

import collections
from typing import NamedTuple

import pytest

from autograph.staging.containers.assembly import Part, assembler
from autograph.staging.containers.structure import Flattener

OUTPUT = Part(1)


class Point(NamedTuple):
    x: float
    y: float


class Body:
    def __init__(self):
        self.mass = 1.0


def structure(content):
    return Flattener().flatten(content)[1]


def made(content, sources, outputs, single=False):
    return assembler(structure(content), sources, single)(outputs)


def test_a_single_result():
    assert made(0, [OUTPUT], "first", single=True) == "first"
    assert made((0,), [OUTPUT], "first", single=True) == ("first",)


@pytest.mark.parametrize(
    "content",
    [(), (0,), (0, (1, 2)), Point(0, 1), [0, 1], [], {"a": 0, 3: [1]}, {}, (Point(0, 1),)],
)
def test_results_take_their_places(content):
    leaves, nesting = Flattener().flatten(content)
    found = assembler(nesting, [OUTPUT] * len(leaves), False)([10 + i for i in range(len(leaves))])
    again, _ = Flattener().flatten(found)
    assert again == [10 + i for i in range(len(leaves))]
    assert structure(found) == nesting
    if isinstance(content, list):
        assert type(found) is list
    else:
        assert type(found) is type(content)


def test_lists_are_new_at_each_call():
    make = assembler(structure([0]), [OUTPUT], False)
    assert make([1]) is not make([1])


def test_objects_are_new_at_each_call_and_what_is_shared_stays_so():
    body, items = Body(), []
    make = assembler(structure((body, items, [body, items])), [OUTPUT], True)
    first, found, inside = make(2.5)
    assert type(first) is Body and vars(first) == {"mass": 2.5}
    assert inside[0] is first and inside[1] is found
    assert make(2.5)[0] is not first


def test_a_list_in_itself_is_not_put_together_so():
    items = []
    items.append(items)
    assert assembler(structure(items), [], False) is None


def test_what_is_the_same_at_each_call():
    value = object()
    found = made((0, 1, 2), [OUTPUT, Part(0, value), OUTPUT], [10, 11])
    assert found == (10, value, 11)


def test_one_of_several():
    which = Part(3, alternatives=((1, None), (2, int)))
    assert made(0, [which], [0, 2.5, 3.5]) == 2.5
    assert made(0, [which], [1, 2.5, 3.5]) == 3


def test_one_of_several_objects_and_none():
    sources = [Part(1, ("low", "high"), form="{1}[{0}]"), Part(2, optional=True), OUTPUT]
    make = assembler(structure((0, 1, 2)), sources, False)
    assert make([1, True, 2.5, 7]) == ("high", 2.5, 7)
    assert make([0, False, 2.5, 7]) == ("low", None, 7)
    number = Part(4, alternatives=((1, None), (2, int)), optional=True)
    assert made([0], [number], [True, 1, 2.5, 3.5]) == [3]
    assert made([0], [number], [False, 1, 2.5, 3.5]) == [None]


@pytest.mark.parametrize("content", [collections.deque([0]), {1, 2}, (0, [{1, 2}])])
def test_other_containers_are_not_put_together_so(content):
    leaves, nesting = Flattener().flatten(content)
    assert assembler(nesting, [OUTPUT] * len(leaves), False) is None


def test_what_python_could_not_parse():
    deep = 0
    for _ in range(50):
        deep = (deep,)
    assert assembler(structure(deep), [OUTPUT], False) is None
    wide = structure([0] * 5001)
    assert assembler(wide, [OUTPUT] * 5001, False) is None
