"""What is known of variables, and how two such facts join."""

from typing import NamedTuple

import numpy as np
import pytest

from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.joins.crossing import rebuild
from autograph.staging.joins.sides import MismatchAt, Side, join_sides
from autograph.staging.joins.variables import ALWAYS, MAYBE, NEVER, Variable, join, traced
from autograph.staging.lists.lists import TrackedList
from autograph.staging.values.choice import Choice
from autograph.staging.values.leaves import Known, Mismatch, Optional, Promoted
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined, none_or
from ops.control.constructs import Undefined
from ops.core.types import array, weak
from tests.support.build_graphs import BOOL, FLOAT, INT, VECTOR
from tests.support.recording import recording_of_test

PAIR = TupleOf(tuple, (LEAF, LEAF))


class Point(NamedTuple):
    x: float
    y: float


def x(*leaves, defined=ALWAYS, structure=LEAF):
    return Variable("x", defined, structure, leaves)


UNDEFINED = x(defined=NEVER)


# -- joining ---------------------------------------------------------------------------------------


def test_leaf_by_leaf():
    a = x(INT, FLOAT, structure=PAIR)
    b = x(INT, VECTOR.strong(), structure=PAIR)
    assert join(a, a) == a
    with pytest.raises(Mismatch, match=r"float and f64\[3\]"):
        join(a, b)


@pytest.mark.parametrize(
    "a, b, both",
    [
        (ALWAYS, ALWAYS, ALWAYS),
        (ALWAYS, MAYBE, MAYBE),
        (MAYBE, MAYBE, MAYBE),
    ],
)
def test_how_far_it_is_defined(a, b, both):
    assert join(x(INT, defined=a), x(INT, defined=b)) == x(INT, defined=both)


def test_a_variable_that_one_side_leaves_undefined():
    assert join(UNDEFINED, x(INT)) == join(x(INT), UNDEFINED) == x(INT, defined=MAYBE)
    assert join(UNDEFINED, UNDEFINED) == UNDEFINED


@pytest.mark.parametrize(
    "structure",
    [TupleOf(tuple, (LEAF,)), TupleOf(Point, (LEAF, LEAF)), TupleOf(tuple, (LEAF, PAIR))],
)
def test_other_nestings(structure):
    count = str(structure).count("None")
    with pytest.raises(Mismatch):
        join(x(INT, INT, structure=PAIR), x(*[INT] * count, structure=structure))


def test_a_tuple_or_none():
    pair = x(INT, FLOAT, structure=PAIR)
    none = x(Known(None))
    both = join(pair, none)
    assert both == join(none, pair)
    assert both.leaves == (BOOL, INT, FLOAT)
    assert join(both, pair) == join(both, none) == join(both, both) == both
    assert str(both) == "(int, float) or None"


def test_a_number_or_none():
    assert join(x(INT), x(Known(None))) == x(Optional(INT))


def test_the_name_is_that_of_the_first():
    assert join(x(INT), Variable("y", ALWAYS, LEAF, (INT,))).name == "x"


# -- as graph values -------------------------------------------------------------------------------


def test_types_of_the_values_that_carry_it():
    assert x(INT, VECTOR, structure=PAIR).types == [INT, VECTOR]
    assert x(Optional(FLOAT), defined=MAYBE).types == [weak(bool), weak(bool), FLOAT]
    assert UNDEFINED.types == [] and x(Known("a")).types == []


def test_names_of_the_values():
    assert x(INT, VECTOR, structure=PAIR).value_names == ["x_0", "x_1"]
    assert x(INT, INT, structure=TupleOf(Point, (LEAF, LEAF))).value_names == ["x_x", "x_y"]
    assert x(Optional(FLOAT), defined=MAYBE).value_names == [None, None, "x"]
    assert x(Known("a")).value_names == []


@pytest.mark.parametrize("name, value", [("xs[0]", "xs_0"), ("self.h", "self_h"), ("0", None)])
def test_names_of_parts_of_containers(name, value):
    assert Variable(name, ALWAYS, LEAF, (INT,)).value_names == [value]


def test_texts():
    assert str(UNDEFINED) == "undefined"
    assert str(x(INT)) == "int"
    assert str(x(INT, Known("a"), structure=PAIR)) == "(int, 'a')"


def test_traced():
    constant = x(Known(2.5), Known("a"), structure=PAIR)
    assert traced(constant).leaves == (FLOAT, Known("a"))
    assert traced(x(VECTOR)) == x(VECTOR)


# -- what variables contain at one place -----------------------------------------------------------


def test_contents_are_taken_apart(recording):
    box = recording.given(np.zeros(3))
    side = Side([("x", (1, box)), ("y", Undefined("y"))])
    assert side.variables == [
        Variable("x", ALWAYS, PAIR, (Known(1), VECTOR)),
        Variable("y", NEVER),
    ]
    assert side.leaves[0][1] is box and side.leaves[1] == []


def test_an_older_array_is_the_same_object(recording):
    box = recording.given(np.zeros(3))
    (variable,) = Side([("x", box)], is_older=lambda array: array is box).variables
    assert variable.leaves == (Known(box),)


def test_a_variable_that_may_be_undefined(recording):
    maybe = MaybeUndefined("x", recording.given(2.0), recording.given(True))
    (variable,) = Side([("x", maybe)]).variables
    assert variable == x(FLOAT, defined=MAYBE)


def sides(a, b, **options):
    return Side([("x", a)], **options), Side([("x", b)], **options)


@pytest.mark.parametrize(
    "a, b, types",
    [
        (1, 2, [INT]),
        (1, 2.5, [weak(int), INT, FLOAT]),
        ((1, 2.5), (1, 3.5), [FLOAT]),
        (None, 2.5, [weak(bool), FLOAT]),
        (None, (1, 2.5), [weak(bool)]),
        ("a", "b", [weak(int)]),
        (Undefined("x"), 2.5, [weak(bool)]),
    ],
)
def test_values_that_carry_either(recording, a, b, types):
    first, second = sides(a, b)
    joined = join_sides(first, second)
    assert joined[0].types == types
    for side in (first, second):
        values = side.outputs(joined)
        assert [value.type for value in values] == types


def now(recording, content):
    """What a content is when the program runs."""
    if isinstance(content, GraphArray) and not isinstance(content, MaybeNone):
        return recording.run(content)
    if isinstance(content, MaybeNone):
        there = recording.run(content.present)
        return now(recording, content.content) if there else None
    if isinstance(content, Choice):
        return content.objects[recording.run(content.position)]
    if isinstance(content, TrackedList) and content.rows is not None:
        (column,) = content.rows.promoted.columns
        return list(recording.run(column.value))
    if isinstance(content, (tuple, list)):
        items = [now(recording, item) for item in content]
        return items if isinstance(content, list) else tuple(items)
    return content


@pytest.mark.parametrize(
    "a, b",
    [
        (1, 2),
        ((1, 2.5), (2, 2.5)),
        ("idle", "busy"),
        (None, "busy"),
        (None, 2.5),
        (None, (1, (2.5,))),
        (True, False),
        ([1, 2.5], [1, 3.5]),
        ([1.0], [2.0, 3.0]),
        ([], [2.0, 3.0]),
        ([1], [2.5, 3.0]),
        (([1.0],), ([2.0],)),
    ],
)
def test_each_side_arrives(a, b):
    def content(value):
        if isinstance(value, tuple):
            return tuple(map(content, value))
        return TrackedList(value) if isinstance(value, list) else value

    for position, expected in enumerate((a, b)):
        with recording_of_test() as recording:
            both = sides(content(a), content(b))
            joined = join_sides(*both)
            (found,) = rebuild(joined, both[position].outputs(joined)).contents
            assert now(recording, found) == expected


def test_leaves_are_in_the_order_of_the_joined_variable(recording):
    first, second = sides(None, (1, 2.5))
    joined = join_sides(first, second)
    assert first.leaves_for(joined) == [[None, None, None]]
    assert second.leaves_for(joined) == [[None, 1, 2.5]]


def test_leaves_of_a_tuple_with_what_may_be_none(recording):
    first, second = sides((None, 3.5), ((1, 2.5), 4.5))
    joined = join_sides(first, second)
    assert first.leaves_for(joined) == [[None, None, None, 3.5]]
    assert second.leaves_for(joined) == [[None, 1, 2.5, 4.5]]
    assert recording.run(*first.outputs(joined)) == (False, 3.5)
    assert recording.run(*second.outputs(joined)) == (True, 4.5)


def test_a_number_that_may_be_none_on_one_side(recording):
    maybe = none_or(recording.given(False), recording.given(2.5))
    first, second = sides(maybe, 3.5)
    joined = join_sides(first, second)
    assert joined[0].leaves == (Optional(FLOAT),)
    assert recording.run(*first.outputs(joined)) == (False, 2.5)
    assert recording.run(*second.outputs(joined)) == (True, 3.5)


def test_sharing_must_be_the_same():
    inner, other = TrackedList([1.0]), TrackedList([1.0])
    options = dict(is_leaf=lambda container: False)
    with recording_of_test(), pytest.raises(MismatchAt):
        join_sides(*sides((inner, inner), (inner, other), **options))
    with recording_of_test(), pytest.raises(MismatchAt):
        names = [("x", inner), ("y", inner)]
        join_sides(Side([("x", inner), ("y", other)], **options), Side(names, **options))


def test_an_older_list_and_a_new_one(recording):
    older, new = TrackedList([1.0]), TrackedList([2.0])
    is_leaf = lambda container: container is older
    for pair in ((older, new), (new, older)):
        (joined,) = join_sides(*sides(*pair, is_leaf=is_leaf))
        assert joined.types == [FLOAT]


def test_what_arrives_of_an_undefined_variable(recording):
    first, second = sides(2.5, Undefined("x"))
    joined = join_sides(first, second)
    (content,) = rebuild(joined, second.outputs(joined)).contents
    assert isinstance(content, MaybeUndefined) and not recording.run(content.flag)
    (content,) = rebuild([x(defined=NEVER)], []).contents
    assert isinstance(content, Undefined) and content.name == "x"


def test_what_does_not_fit_names_the_variable(recording):
    a = Side([("x", 1), ("y", 1)])
    b = Side([("x", 1), ("y", "a")])
    with pytest.raises(MismatchAt, match="int and 'a'") as caught:
        join_sides(a, b)
    assert caught.value.position == 1


def test_lists_are_taken_apart_where_they_have_to_be(recording):
    one, other = TrackedList([1, 2.5]), TrackedList([1, 3.5])
    first, second = sides(one, other)
    assert first.variables[0].leaves == (Known(one),)
    (joined,) = join_sides(first, second)
    assert joined.leaves == (Known(1), FLOAT)
    assert first.expanded_numbers() == [(0, one)]


def test_the_same_list_stays_what_it_is(recording):
    items = TrackedList([1, 2.5])
    (joined,) = join_sides(*sides(items, items))
    assert joined.leaves == (Known(items),) and joined.types == []


def test_lists_of_different_lengths_are_kept_as_rows(recording):
    (joined,) = join_sides(*sides(TrackedList([1.0]), TrackedList([2.0, 3.0])))
    assert joined.types == [array("f8", (None,))]
    assert str(joined) == "[list of float]"


def test_lists_of_different_lengths_whose_elements_do_not_fit(recording):
    with pytest.raises(MismatchAt):
        join_sides(*sides(TrackedList([1.0]), TrackedList(["a", "b"])))
    with pytest.raises(MismatchAt):
        join_sides(*sides(TrackedList([]), TrackedList([b"a"])))


def test_lists_of_texts_are_kept_as_rows(recording):
    (joined,) = join_sides(*sides(TrackedList([]), TrackedList(["a"])))
    assert joined.types == [array("i8", (None,))]


def test_dicts_with_other_keys(recording):
    with pytest.raises(MismatchAt):
        join_sides(*sides({"a": 1}, {"b": 1}))
    (joined,) = join_sides(*sides({"a": 1}, {"a": 2}))
    assert joined.types == [INT]


def test_promoted():
    assert join(x(INT), x(FLOAT)).leaves == (Promoted((INT, FLOAT)),)
