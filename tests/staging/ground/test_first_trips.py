"""How many trips of loops are recorded apart."""

from autograph.errors import Location
from autograph.staging.ground.first_trips import MOST, Apart

LOOP, OTHER = Location("f.py", 3), Location("f.py", 8)


def test_trips_of_each_loop_are_counted():
    apart = Apart()
    apart.grow(LOOP)
    apart.grow(LOOP)
    assert apart == {LOOP: 2}


def test_there_is_an_end():
    apart = Apart()
    for _ in range(MOST):
        assert apart.may_grow(LOOP)
        apart.grow(LOOP)
    assert not apart.may_grow(LOOP)
    assert apart.may_grow(OTHER)


def test_a_loop_whose_place_is_not_known():
    assert not Apart().may_grow(None)
