"""Arrays in attributes of objects among the arguments; see
`autograph.staging.lists.given_arrays`."""

import dataclasses

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.objects_of_callers import agree

pytestmark = pytest.mark.usefixtures("heaps_from_the_first_call_on")


@dataclasses.dataclass(eq=False)
class Body:
    place: np.ndarray
    velocity: np.ndarray
    mass: float = 1.0


def test_attributes_that_are_arrays():
    def step(bodies, dt):
        for b in bodies:
            b.place = b.place + dt * b.velocity
        total = np.zeros(2)
        for b in bodies:
            total += b.mass * b.place
        return total

    def bodies(n):
        rng = np.random.default_rng(n)
        return [Body(rng.normal(size=2), rng.normal(size=2), float(i)) for i in range(n)]

    agree(step, [(bodies(n), 0.5) for n in (2, 3, 7)], recordings=1)


def test_arrays_of_objects_that_are_changed_in_place():
    def step(bodies, dt):
        for b in bodies:
            b.place += dt * b.velocity

    rng = np.random.default_rng(3)
    bodies = [Body(rng.normal(size=2), rng.normal(size=2)) for _ in range(3)]
    agree(step, [(bodies, 0.5)])


def test_arrays_of_objects_become_of_another_dtype():
    def halved(bodies):
        bodies[0].place = bodies[0].place.astype(np.float32)
        return bodies[1].place

    def all_halved(bodies):
        for b in bodies:
            b.place = b.place.astype(np.float32)

    bodies = [Body(np.array([float(i), 1.0]), np.zeros(2)) for i in range(3)]
    agree(halved, [(bodies,)])
    agree(all_halved, [(bodies,)])


def test_an_array_that_is_changed_is_no_array_of_an_object():
    def changed(bodies, x):
        x[0] += 1.0
        total = 0.0
        for b in bodies:
            total += b.place[0]
        return total

    x = np.array([1.0, 2.0])
    bodies = [Body(np.array([float(i), 1.0]), np.zeros(2)) for i in range(3)]
    agree(changed, [(bodies, x)], recordings=1)
    with pytest.raises(AutographError, match="AG0602"):
        ag.to_graph(changed)([*bodies, Body(x, x)], x)
