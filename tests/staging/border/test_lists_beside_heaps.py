"""Lists of the caller's that get longer from call to call beside objects, or lists of lists, that
are in heaps, or in objects: a function is not recorded again for that."""

import copy

import pytest

import autograph as ag


class Body:
    def __init__(self, x, v):
        self.x = x
        self.v = v
        self.trail = []

    def step(self, dt):
        self.x = self.x + self.v * dt
        self.trail.append(self.x)


class Heavy(Body):
    def step(self, dt):
        super().step(dt)
        self.v = self.v * 0.5


class World:
    def __init__(self, count, classes):
        self.bodies = [classes[i % len(classes)](0.25 * i, 1.0) for i in range(count)]
        self.log = []

    def state(self):
        bodies = [(type(body), body.x, body.v, body.trail) for body in self.bodies]
        return bodies, self.log

    def run(self, steps):
        for _ in range(steps):
            for body in self.bodies:
                body.step(0.125)
            self.log.append(self.bodies[0].x + self.bodies[-1].x)
        return len(self.log)


class Neighbours:
    def __init__(self):
        self.lists = [[1.0], [2.0, 3.0]]
        self.log = []

    def state(self):
        return self.lists, self.log

    def run(self, steps):
        for i in range(steps):
            own = self.lists[i % len(self.lists)]
            own.append(own[-1] + 1.0)
            self.log.append(own[-1])
        return len(self.log)


@pytest.mark.parametrize(
    "own",
    [
        World(1, (Body,)),
        World(2, (Body,)),  # few, which are taken apart: how long trails are is no number of bodies
        World(9, (Body, Heavy)),
        World(120, (Body,)),
        Neighbours(),
    ],
    ids=["one", "two", "of two classes", "many", "lists of lists"],
)
def test_logs_get_longer(own):
    own, python = copy.deepcopy(own), copy.deepcopy(own)
    run = ag.to_graph(type(own).run)
    for i in range(10):
        assert run(own, 3 + i) == python.run(3 + i)
        assert own.state() == python.state()
    assert len(run._summaries) <= 5
