"""Random structured graphs, with updates, views, packs and stacks, against the interpreter."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ops
from autograph.graph.graph import Constant, label
from ops.arrays.indexing import assigned, index_add, subscript
from ops.control import regions
from ops.control.regions import STACK
from ops.core.types import array
from tests.codegen.compare import check
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    INT,
    cond,
    for_loop,
    graph_of,
    unpack,
    while_loop,
)

VECTOR, MATRIX, SCALAR = array("f8", (4,)), array("f8", (4, 4)), array("f8")
ARRAYS = (VECTOR, MATRIX)
NAMES = [None, None, None, "x", "y", "z", "t_0", "lambda", "np"]
CONSTANTS = [-1, 2, 0.5, True, np.float64(-2.0), np.float64(0.25), np.arange(4.0), np.eye(4)]


class Recorder:
    """Records a random program, in which ``values`` are what it can use so far."""

    def __init__(self, random, values, size):
        self.random = random
        self.values = [*values]
        self.size = size

    def pick(self, *types):
        values = [v for v in self.values if v.type in types]
        values += [Constant(c) for c in CONSTANTS if Constant(c).type in types]
        return self.random.choice([*values[:3], *reversed(values)])

    def add(self, value, name=None):
        label(value, name or self.random.choice(NAMES))
        self.values.append(value)

    def record(self):
        """Add some nodes; returns the values that are visible then."""
        steps = [self.compute, self.update, self.update, self.view, self.element]
        steps += [self.choose, self.count, self.repeat, self.save, self.look]
        while self.size > 0:
            self.size -= 1
            self.random.choice(steps)()
        return self.values

    def inner(self, function, *inputs):
        """Record part of the program in a region."""
        share = self.size // 2
        self.size -= share
        return function(Recorder(self.random, [*self.values, *inputs], share))

    def index(self):
        i = self.pick(INT)
        return i % 4 if i.type == INT and not isinstance(i, Constant) else i

    def compute(self):
        if self.random.random() < 0.5:
            op = self.random.choice([ops.add, ops.subtract, ops.multiply])
            self.add(op(self.pick(VECTOR, MATRIX, SCALAR), self.pick(VECTOR, SCALAR, FLOAT)))
        else:
            op = self.random.choice([ops.add, ops.divide, ops.remainder, ops.power])
            self.add(op(self.pick(FLOAT), self.pick(FLOAT)))

    def update(self):
        x = self.pick(*ARRAYS)
        index = self.random.choice([self.index(), slice(0, 2), slice(1, 4, 2), Ellipsis])
        shape = (4,) if x.type == MATRIX else ()
        fitting = [t for t in (VECTOR, SCALAR, FLOAT) if t.shape in (shape, ())]
        value = self.pick(*fitting)
        if self.random.random() < 0.5:
            self.add(assigned(x, index, value))
        else:
            operands, spec = ops.arrays.indexing.encode_index(index, x.shape)
            self.add(index_add(x, value, *operands, index=spec))

    def view(self):
        x = self.pick(*ARRAYS)
        if x.type == MATRIX:
            self.add(self.random.choice([lambda: ops.transpose(x), self.row])())
        else:
            self.add(ops.flip(x) if self.random.random() < 0.5 else ops.broadcast_to(x, (4, 4)))

    def row(self):
        return subscript(self.pick(MATRIX), self.index())

    def element(self):
        self.add(subscript(self.pick(VECTOR), self.index()))

    def choose(self):
        types = [v.type for v in self.some_values()]
        flag = self.pick(BOOL, INT, FLOAT)
        branches = [lambda: self.inner(lambda r: r.results(types)) for _ in range(2)]
        results = cond(flag, *branches, self.state_names(types))
        for value in results if isinstance(results, tuple) else [results]:
            self.add(value, value.name)

    def results(self, types):
        self.record()
        return [self.pick(type) for type in types]

    def some_values(self):
        values = [v for v in self.values if v.type in (*ARRAYS, FLOAT, SCALAR)]
        return self.random.choices(values, k=self.random.randint(1, 3))

    def state_names(self, types):
        return [self.random.choice(NAMES) for _ in types]

    def count(self):
        init = self.some_values()
        types = [v.type for v in init]
        count = self.random.choice([0, 1, 2, 3, self.pick(INT) % 3])

        def body(i, *state):
            return self.inner(lambda r: r.results(types), i, *state)

        self.add_all(for_loop(count, body, *init, names=self.state_names(types)))

    def repeat(self):
        init = self.some_values()
        types = [v.type for v in init]
        trips = self.random.randint(0, 3)

        def test(n, *state):
            return n < trips

        def body(n, *state):
            return [n + 1, *self.inner(lambda r: r.results(types), *state)]

        names = ["n", *self.state_names(types)]
        self.add_all(while_loop(test, body, 0, *init, names=names)[1:])

    def add_all(self, values):
        for value in values if isinstance(values, tuple) else [values]:
            self.add(value, value.name)

    def save(self):
        """A loop that pushes what its state goes through, and one that pops it."""
        (x, *_) = self.some_values()

        def forward(i, stack, x):
            def step(recorder):
                (result,) = recorder.results([x.type])
                return [regions.push(stack, regions.pack(x, i)), result]

            return self.inner(step, i, x)

        def backward(i, stack, total):
            rest, top = regions.pop(stack)
            x, j = unpack(top, total.type, INT)
            return [rest, total + x * j]

        stack, last = for_loop(2, forward, Constant(None, STACK), x, names=["stack", x.name])
        _, total = for_loop(2, backward, stack, last, names=["stack", None])
        self.add_all((last, total))

    def look(self):
        types = [v.type for v in self.some_values()]
        pack = regions.pack(*(self.pick(type) for type in types))
        self.update()
        self.add_all(tuple(unpack(pack, *types)))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_random_program(seed):
    check_program(Random(seed))


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32))
def test_more_random_programs(seed):
    check_program(Random(seed))


def check_program(random):

    def program(x, m, s, f, n):
        recorder = Recorder(random, (x, m, s, f, n), random.randint(1, 16))
        values = [v for v in recorder.record() if v.type in (*ARRAYS, FLOAT, SCALAR, INT)]
        return random.choices(values, k=random.randint(0, 4)) + values[-1:]

    inputs = {"x": VECTOR, "m": MATRIX, "s": SCALAR, "f": FLOAT, "n": INT}
    graph = graph_of(program, "main", **inputs)
    check(graph, np.arange(1.0, 5.0), np.arange(16.0).reshape(4, 4), np.float64(3.0), 1.5, 2)
