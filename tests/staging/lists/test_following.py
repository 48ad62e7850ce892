"""Lists that change while they are gone through."""

import pytest

import ops
from autograph.errors import MutationError
from autograph.staging.ground.restarts import NeedsDeques
from autograph.staging.lists.columns import rows_of_elements
from autograph.staging.lists.following import LengthChanges, counted, elements, same_lengths
from tests.support.build_graphs import cond, for_loop


class Items:
    """A list that is followed, of Python's own."""

    rows = None
    moves = (0, 0)

    def __init__(self, *items):
        self.items = list(items)

    @property
    def length(self):
        return len(self.items)

    size = length

    def item(self, place):
        return self.items[place]


class Uncounted(Items):
    """One whose length is known only at run time."""

    def __init__(self, rows):
        self.rows = rows
        self.item = rows.item

    @property
    def length(self):
        return self.rows.length

    @property
    def size(self):
        return self.rows.columns[0].value


@pytest.fixture
def uncounted(recording):
    rows = rows_of_elements([1.0])
    return Uncounted(rows.cut(slice(recording.given(0), None)))


# -- as Python goes through a list -----------------------------------------------------------------


def test_all_items():
    assert list(elements(Items(1, 2, 3))) == [1, 2, 3]
    assert list(elements(Items())) == []


def test_items_appended_on_the_way_are_met():
    xs, met = Items(1, 2), []
    for item in elements(xs):
        met.append(item)
        if len(met) < 4:
            xs.items.append(10 * item)
    assert met == [1, 2, 10, 20, 100]


def test_it_ends_where_items_are_taken_out():
    xs, met = Items(1, 2, 3), []
    for item in elements(xs):
        met.append(item)
        xs.items.pop()
    assert met == [1, 2]


def test_a_length_that_only_the_run_knows(uncounted):
    with pytest.raises(MutationError) as caught:
        next(elements(uncounted))
    assert caught.value.id == "AG0378" and "list(xs)" in caught.value.fix


# -- counted before --------------------------------------------------------------------------------


def test_counted():
    assert list(counted([Items(1)], "ab")) == ["a", "b"]


def test_counted_lists_must_keep_their_length():
    xs = Items(1)
    gone_through = counted([Items(), xs], "ab")
    next(gone_through)
    xs.items.append(2)
    with pytest.raises(MutationError):
        next(gone_through)


def test_the_last_item_may_not_change_it_either():
    xs = Items(1)
    with pytest.raises(MutationError):
        for _ in counted([xs], "a"):
            xs.items.append(2)


# -- in a loop of the graph ------------------------------------------------------------------------


def trip(xs, body):
    """What a trip of a loop leaves whose body is this."""
    item, recorded = same_lengths([xs], lambda index: index, body)
    return recorded(item(0))


def test_a_body_that_changes_nothing(uncounted):
    assert trip(uncounted, lambda x: ("left", x)) == ("left", 0)
    assert trip(Items(1), lambda x: x) == 0


def test_elements_may_be_exchanged(uncounted):
    def body(x):
        uncounted.rows = uncounted.rows.replaced(0, 5.0, "outside")
        return "left"

    assert trip(uncounted, body) == "left"


@pytest.mark.parametrize("known", [True, False])
def test_a_body_that_appends(uncounted, known):
    xs = Items(1) if known else uncounted

    def body(x):
        if known:
            xs.items.append(2)
        else:
            xs.rows = xs.rows.appended(2.0)
        return ()

    with pytest.raises(LengthChanges):
        trip(xs, body)


def changed_by_a_conditional(recording, rows, then):
    """The rows after ``if b: then(rows)``."""
    (column,) = rows.columns
    made = cond(
        recording.given(True).value,
        lambda: ops.refine(then(rows).columns[0].value, shape=(None,)),
        lambda: ops.refine(column.value, shape=(None,)),
    )
    return rows._replace(columns=(column._replace(value=made),))


def test_a_conditional_that_keeps_the_length(recording, uncounted):
    def body(x):
        replaced = lambda rows: rows.replaced(0, 5.0, "outside")
        uncounted.rows = changed_by_a_conditional(recording, uncounted.rows, replaced)
        return "left"

    assert trip(uncounted, body) == "left"


def test_a_conditional_that_may_append(recording, uncounted):
    def body(x):
        appended = lambda rows: rows.appended(5.0)
        uncounted.rows = changed_by_a_conditional(recording, uncounted.rows, appended)
        return ()

    with pytest.raises(LengthChanges):
        trip(uncounted, body)


def changed_by_a_loop(recording, rows, body):
    """The rows after ``for _ in range(n): body(rows)``."""
    (column,) = rows.columns

    def trip(i, value):
        return body(rows._replace(columns=(column._replace(value=value),))).columns[0].value

    made = for_loop(recording.given(3).value, trip, column.value, names=["xs"])
    return rows._replace(columns=(column._replace(value=made),))


def test_a_loop_that_keeps_the_length(recording, uncounted):
    def body(x):
        replaced = lambda rows: rows.replaced(0, 5.0, "outside")
        uncounted.rows = changed_by_a_loop(recording, uncounted.rows, replaced)
        return "left"

    assert trip(uncounted, body) == "left"


def test_a_loop_that_appends(recording, uncounted):
    def body(x):
        appended = lambda rows: rows.appended(5.0)
        uncounted.rows = changed_by_a_loop(recording, uncounted.rows, appended)
        return ()

    with pytest.raises(LengthChanges):
        trip(uncounted, body)


def test_a_loop_that_begins_with_another_length(recording, uncounted):
    def body(x):
        kept = lambda rows: rows
        uncounted.rows = changed_by_a_loop(recording, uncounted.rows.appended(5.0), kept)
        return ()

    with pytest.raises(LengthChanges):
        trip(uncounted, body)


def test_a_list_whose_length_becomes_unknown(recording, uncounted):
    xs = Uncounted(rows_of_elements([1.0]))

    def body(x):
        xs.rows = uncounted.rows
        return ()

    with pytest.raises(LengthChanges):
        trip(xs, body)


def test_deques_end_where_python_does():
    """As they are: it does not matter whether their length is the same again."""
    queue = Items(1, 2, 3)
    found = elements(queue)
    next(found)
    queue.moves = (1, 1)
    with pytest.raises(NeedsDeques):
        next(found)
