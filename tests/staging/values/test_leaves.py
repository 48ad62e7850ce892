"""What is known of a leaf that is one of two."""

import enum

import numpy as np
import pytest

from autograph.staging.values.choice import MOST_OBJECTS
from autograph.staging.values.leaves import (
    ColumnOf,
    Known,
    Mismatch,
    OneOf,
    Optional,
    Promoted,
    carried,
    join_leaves,
)
from ops.core.types import array, weak
from tests.support.build_graphs import BOOL, FLOAT, INT, VECTOR

NUMPY_FLOAT = array("f8", ())
NONE = Known(None)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def both_ways(x, y):
    """Joined in both orders, which must not matter."""
    found = join_leaves(x, y)
    assert join_leaves(y, x) == found
    return found


@pytest.mark.parametrize("leaf", [FLOAT, VECTOR, NONE, Known("a"), Optional(VECTOR)])
def test_two_alike(leaf):
    assert both_ways(leaf, leaf) == leaf


def test_the_same_object():
    content = object()
    assert both_ways(Known(content), Known(content)).content is content
    with pytest.raises(Mismatch, match="object object and object object"):
        join_leaves(Known(content), Known(object()))


def test_numbers_that_are_alike_are_the_same():
    assert both_ways(Known(2.5), Known(2.5)) == Known(2.5)
    assert both_ways(Known(float("nan")), Known(float("nan"))) == Known(float("nan"))
    assert both_ways(Known(0.0), Known(-0.0)) == FLOAT


def test_numbers_of_one_type():
    assert both_ways(Known(1), Known(2)) == INT
    assert both_ways(Known(1), INT) == INT


def test_numbers_of_several_types():
    assert both_ways(Known(1), Known(2.5)) == Promoted((INT, FLOAT))
    assert both_ways(INT, FLOAT) == Promoted((INT, FLOAT))
    assert both_ways(FLOAT, NUMPY_FLOAT) == Promoted((FLOAT, NUMPY_FLOAT))
    assert both_ways(Promoted((INT, FLOAT)), BOOL) == Promoted((BOOL, INT, FLOAT))
    assert both_ways(Promoted((INT, FLOAT)), INT) == Promoted((INT, FLOAT))


def test_arrays(recording):
    assert both_ways(VECTOR, array("f4", (3,))) == VECTOR
    assert both_ways(VECTOR, array("i8", (3,))) == VECTOR
    for shape in ((), (4,), (3, 1)):
        with pytest.raises(Mismatch):
            join_leaves(VECTOR, array("f8", shape))


def test_arrays_of_other_numbers_of_rows(recording):
    """As many rows as only the run knows, if all else has been tried."""
    assert both_ways(VECTOR, array("f8", (None,))) == array("f8", (None,))
    recording.recorder.joins_lengths = True
    assert both_ways(VECTOR, array("f8", (4,))) == array("f8", (None,))
    with pytest.raises(Mismatch):
        join_leaves(VECTOR, array("f8", (3, 1)))


def test_none():
    assert both_ways(NONE, VECTOR) == Optional(VECTOR)
    assert both_ways(NONE, Known(2.5)) == Optional(FLOAT)
    assert both_ways(Optional(INT), Known(3)) == Optional(INT)
    assert both_ways(Optional(INT), NONE) == Optional(INT)
    assert both_ways(Optional(INT), FLOAT) == Optional(FLOAT, (INT, FLOAT))
    assert str(Optional(INT)) == "int or None"


def test_none_and_numbers_of_several_types():
    assert both_ways(NONE, Promoted((INT, FLOAT))) == Optional(FLOAT, (INT, FLOAT))


def test_static_objects():
    assert join_leaves(Known("a"), Known("b")) == OneOf(("a", "b"))
    assert join_leaves(Known(Color.RED), NONE) == OneOf((Color.RED, None))
    assert join_leaves(Known(len), Known(max)) == OneOf((len, max))
    assert join_leaves(OneOf(("a", "b")), Known("a")) == OneOf(("a", "b"))
    assert join_leaves(Known("c"), OneOf(("a", "b"))) == OneOf(("c", "a", "b"))


def test_objects_that_may_change_are_not_chosen_from():
    with pytest.raises(Mismatch):
        join_leaves(Known([]), Known("a"))


def test_a_static_object_and_a_number():
    for leaf in (FLOAT, VECTOR, Known(2.5)):
        with pytest.raises(Mismatch):
            join_leaves(leaf, Known("a"))


def test_the_most_objects():
    texts = [str(i) for i in range(4 * MOST_OBJECTS + 1)]
    several = OneOf(tuple(texts[: MOST_OBJECTS - 1]))
    assert len(join_leaves(several, Known("more")).objects) == MOST_OBJECTS
    with pytest.raises(Mismatch):
        join_leaves(join_leaves(several, Known("more")), Known("still more"))


def test_the_most_objects_where_a_list_gave_many():
    texts = [str(i) for i in range(4 * MOST_OBJECTS + 1)]
    many = OneOf(tuple(texts[: MOST_OBJECTS + 1]))
    assert len(join_leaves(many, Known("more")).objects) == MOST_OBJECTS + 2
    most = OneOf(tuple(texts[: 4 * MOST_OBJECTS]))
    assert join_leaves(most, Known(texts[0])) == most
    with pytest.raises(Mismatch):
        join_leaves(most, Known(texts[-1]))


def test_columns():
    assert both_ways(ColumnOf(INT, 3), ColumnOf(INT, 3)) == ColumnOf(INT, 3)
    assert both_ways(ColumnOf(INT, 3), ColumnOf(INT, 4)) == ColumnOf(INT)
    wide = VECTOR._replace(dtype=np.dtype(complex))
    assert both_ways(ColumnOf(VECTOR), ColumnOf(wide, 4)) == ColumnOf(wide)
    for other in (ColumnOf(VECTOR), INT, NONE, ColumnOf(FLOAT, 4)):
        with pytest.raises(Mismatch):
            join_leaves(ColumnOf(INT), other)


def test_objects_that_equal_each_other_are_told_apart():
    assert Known(1) != Known(True) and Known(1) != Known(1.0)
    assert Known("a") == Known("a") and Known([]) != Known([])
    assert OneOf(("a", "b")) != OneOf(("b", "a")) and OneOf(("a",)) != OneOf(("a", "b"))


def test_positions_of_objects():
    leaf = OneOf(("a", 0.0, -0.0, Color.RED))
    assert [leaf.position(x) for x in ("a", 0.0, -0.0, Color.RED)] == [0, 1, 2, 3]
    with pytest.raises(StopIteration):
        leaf.position("b")


@pytest.mark.parametrize(
    "leaf, types",
    [
        (FLOAT, [FLOAT]),
        (Known(2.5), []),
        (OneOf(("a", "b")), [weak(int)]),
        (Optional(VECTOR), [weak(bool), VECTOR]),
        (Promoted((BOOL, FLOAT)), [weak(int), FLOAT]),
        (Promoted((INT, FLOAT)), [weak(int), INT, FLOAT]),  # a float does not hold all ints
        (ColumnOf(VECTOR), [array("f8", (None, 3))]),
        (ColumnOf(VECTOR, 2), [array("f8", (2, 3))]),
    ],
    ids=str,
)
def test_what_carries_a_leaf(leaf, types):
    assert carried(leaf) == types


@pytest.mark.parametrize(
    "leaf, text",
    [
        (NONE, "None"),
        (Known("idle"), "'idle'"),
        (Known("a" * 99), "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"),
        (Known(2.5), "float"),
        (Known(np.zeros(3)), "f64[3]"),
        (Known([]), "list object"),
        (OneOf(("a", "b")), "'a' or 'b'"),
        (OneOf(("a", "b", "c")), "'a' or 'b' or 'c'"),
        (OneOf(tuple("abcd")), "'a' or 'b' or 'c' or ..."),
        (ColumnOf(FLOAT), "list of float"),
        (Promoted((INT, FLOAT)), "int or float"),
    ],
)
def test_texts(leaf, text):
    assert str(leaf) == text


def test_what_a_known_leaf_is_if_it_changes(recording):
    assert Known(2.5).changing == FLOAT
    assert Known("a").changing is None
    assert Known(recording.given(np.zeros(3))).changing == VECTOR
