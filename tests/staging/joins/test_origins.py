"""Which arrays the results of control flow may share memory with."""

import numpy as np
import pytest

from autograph.staging.ground.identity import ByIdentity
from autograph.staging.joins.origins import (
    SharedOrigins,
    arriving,
    boxes_of,
    kept_by_trip,
    mark_carried,
    new_boxes_of,
    origins,
    shared_by_branches,
    shared_by_trips,
)
from autograph.staging.joins.variables import ALWAYS, Variable
from autograph.staging.values.leaves import Known
from autograph.staging.values.maybe import none_or
from tests.support.build_graphs import FLOAT, VECTOR


@pytest.fixture
def array(recording):
    return lambda: recording.given(np.zeros(3))


def older(*arrays):
    """What tells that some arrays are from outside."""
    return lambda array: any(array is a for a in arrays)


def among(found, *arrays):
    """Whether just these are in a mapping."""
    return list(found) == list(arrays) or sorted(map(id, found)) == sorted(map(id, arrays))


# -- where memory comes from -----------------------------------------------------------------------


def test_nothing_has_no_memory():
    assert origins(None, older()) == (ByIdentity(), ByIdentity())


def test_an_array_from_outside(array):
    x = array()
    outside, inside = origins(x, older(x))
    assert among(outside, x) and not inside


def test_a_new_array(array):
    x = array()
    outside, inside = origins(x, older())
    assert not outside and among(inside, x)


def test_a_view_has_the_memory_of_what_it_is_of(array):
    x = array()
    outside, inside = origins(x[1:][:1], older(x))
    assert among(outside, x) and not inside
    assert among(origins(x[1:], older()).inside, x)


def test_an_array_that_may_share_memory(array):
    x, y, new = array(), array(), array()
    new.may_share([x, y[1:]])
    outside, inside = origins(new, older(x))
    assert among(outside, x) and among(inside, new, y)


# -- the arrays of variables -----------------------------------------------------------------------


def variable(*leaves):
    return Variable("v", ALWAYS, None, leaves)


def test_boxes_are_arrays_that_can_change(recording, array):
    x, number = array(), recording.given(2.0)
    of_no_axes = recording.given(np.array(2.0))
    facts = [variable(VECTOR), variable(FLOAT, FLOAT), variable(VECTOR)]
    leaves = [[x], [number, of_no_axes], [none_or(recording.given(True), x)]]
    boxes = boxes_of(facts, leaves)
    assert boxes[0] is x and boxes[1] is None and boxes[2] is of_no_axes
    assert boxes[3] is x


def test_variables_that_are_undefined_have_none(array):
    assert boxes_of([variable(VECTOR, VECTOR)], [[]]) == [None, None]


def test_arrays_that_stay_the_objects_they_are(array):
    x, y = array(), array()
    boxes = new_boxes_of([variable(Known(x)), variable(VECTOR)], [[x], [y]])
    assert boxes[0] is None and boxes[1] is y


def test_what_is_carried_from_trip_to_trip(array):
    x, y = array(), array()
    mark_carried([variable(Known(x)), variable(VECTOR)], [[x], [y]])
    assert not x.is_carried and y.is_carried


# -- branches --------------------------------------------------------------------------------------


def test_branches_that_leave_arrays_of_their_own(array):
    left = [([array()], older()), ([array()], older())]
    shared = shared_by_branches(left)
    assert shared.key() == ([frozenset()], set())


def test_a_branch_that_leaves_an_array_from_outside(array):
    x = array()
    shared = shared_by_branches([([x, array()], older(x)), ([array(), x[1:]], older(x))])
    assert [list(arrays) for arrays in shared.outside] == [[x], [x]]
    assert shared.pairs == set()


def test_variables_that_are_the_same_in_one_branch(array):
    new, other = array(), array()
    shared = shared_by_branches([([new, None, new], older()), ([other, array(), None], older())])
    assert shared.pairs == {(0, 2)}


def test_some_arrays_are_left_out(array):
    x, y = array(), array()
    shared = shared_by_branches([([x], older(x, y)), ([y], older(x, y))])
    assert among(shared.without([x]).outside[0], y)
    assert among(shared.outside[0], x, y)


def test_results_know_what_they_may_share_memory_with(array):
    x, first, second, third = array(), array(), array(), array()
    pairs = SharedOrigins([ByIdentity([(x, None)]), ByIdentity(), ByIdentity()], {(0, 2)})
    pairs.note([first, second, third])
    bases = [[base for base, _ in box._view.bases] for box in (first, third)]
    assert bases[0][0] is x and len(bases[0]) == 2
    assert bases[0][1] is bases[1][0]  # what only these two can change
    assert second._view is None


def test_pairs_with_what_is_no_array_are_not_noted(array):
    first = array()
    SharedOrigins([ByIdentity(), ByIdentity()], {(0, 1)}).note([first, None])
    assert first._view is None


# -- loops -----------------------------------------------------------------------------------------


def test_variables_that_keep_their_arrays(array):
    x, y = array(), array()
    assert kept_by_trip([x, y], [x, y], older()) == [{0}, {1}]
    assert kept_by_trip([x, y], [y, x], older()) == [{1}, {0}]
    assert kept_by_trip([x, y], [array(), x[1:]], older()) == [set(), {0}]
    assert kept_by_trip([None, y], [y, y], older()) == [{1}, {1}]


@pytest.mark.parametrize(
    "kept, found",
    [
        ([set()], set()),
        ([{0}], {0}),
        ([{1}, {2}, set()], {1, 2}),
        ([{1}, {0}], {0, 1}),
    ],
)
def test_what_arrives_at_the_first_position(kept, found):
    assert arriving(kept, 0) == found


def test_a_loop_whose_variable_keeps_its_array(array):
    before, entered = array(), array()
    shared = shared_by_trips([before], [{0}], [entered], [entered], older(before))
    assert among(shared.outside[0], before) and shared.pairs == set()


def test_a_loop_that_makes_new_arrays(array):
    before, entered = array(), array()
    shared = shared_by_trips([before], [set()], [entered], [array()], older(before))
    assert not shared.outside[0]


def test_a_loop_that_exchanges_two_arrays(array):
    a, b, x, y = array(), array(), array(), array()
    shared = shared_by_trips([a, b], [{1}, {0}], [x, y], [y, x], older(a, b))
    assert among(shared.outside[0], a, b) and among(shared.outside[1], a, b)
    assert shared.pairs == set()


def test_an_array_from_outside_that_comes_by_way_of_another_variable(array):
    outside, x, y = array(), array(), array()
    shared = shared_by_trips([None, None], [{1}, set()], [x, y], [y, outside[1:]], older(outside))
    assert among(shared.outside[0], outside) and among(shared.outside[1], outside)


def test_two_variables_that_get_the_same_array(array):
    x, y, new = array(), array(), array()
    shared = shared_by_trips([None, None], [set(), set()], [x, y], [new, new], older())
    assert shared.pairs == {(0, 1)}


def test_variables_that_share_memory_after_some_trips(array):
    """The second takes what the first held, and the third what the second held: after two trips the
    second and the third are of arrays that were one."""
    x, y, z, new = array(), array(), array(), array()
    kept = [set(), {0}, {0}]
    shared = shared_by_trips([None] * 3, kept, [x, y, z], [new, x, x], older())
    assert (1, 2) in shared.pairs
