"""Random structured graphs give the same results, bit by bit, before and after simplification."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.graph.graph import Constant
from autograph.graph.verify import verify
from autograph.transforms.simplify.simplify import simplify
from ops import elementwise as e
from ops.control import effects, regions
from ops.core.types import array
from ops.structure import identity, permuting, reshaping
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    INT,
    VECTOR,
    cond,
    for_loop,
    graph_of,
    while_loop,
)
from tests.support.interpret import interpret

SCALAR, MATRIX = array("f8"), array("f8", (3, 1))
NUMBERS = {"x": FLOAT, "n": INT, "s": SCALAR, "v": VECTOR}
ARGUMENTS = [
    (2.5, 2, np.float64(-0.0), np.array([1.0, np.nan, -0.0]), True),
    (-0.0, 0, np.float64(np.inf), np.array([-np.inf, 0.0, 3.0]), False),
    (0.0, -3, np.float64(7.5), np.zeros(3), True),
]
CONSTANTS = [0, 1, 2, -1, True, 0.0, -0.0, 1.0, 2.5, float("nan"), float("inf")]
CONSTANTS += [np.float64(1), np.float64(-0.0), np.ones(3), np.array(1.0)]


class Program:
    """Records a random program. ``visible`` are the values it can use so far."""

    def __init__(self, random, visible, budget):
        self.random = random
        self.visible = [*visible]
        self.budget = budget

    def pick(self, *types):
        """A value or a constant of one of these types, which is any type if there are none."""
        values = [v for v in self.visible if not types or v.type in types]
        constants = [v for v in map(Constant, CONSTANTS) if not types or v.type in types]
        if values and (not constants or self.random.random() < 0.85):
            return self.random.choice(values[-4:] + values)
        return self.random.choice(constants)

    def grow(self, depth):
        for _ in range(self.random.randint(1, self.budget)):
            kinds = [self.arithmetic] * 6 + [self.shape, self.check, self.compare, self.packed]
            if depth:
                kinds += [self.branch, self.count, self.until]
            self.random.choice(kinds)(depth)

    def arithmetic(self, depth):
        op = self.random.choice([e.add, e.subtract, e.multiply, e.divide, e.maximum])
        x, y = self.pick(*NUMBERS.values()), self.pick(*NUMBERS.values())
        self.visible.append(op(x, y) if self.random.random() < 0.8 else e.negative(x))

    def compare(self, depth):
        self.visible.append(e.less(self.pick(FLOAT, INT), self.pick(FLOAT, INT)))

    def shape(self, depth):
        x = self.pick(VECTOR, MATRIX)
        ops = [lambda x: reshaping.reshape(x, (3, 1)), lambda x: reshaping.reshape(x, (3,))]
        ops += [permuting.transpose, permuting.transpose, identity.copy]
        y = self.random.choice(ops)(x)
        if y.type in (VECTOR, MATRIX):
            self.visible.append(y)

    def check(self, depth):
        message = f"check {self.random.randint(0, 99)}"
        effects.check(Constant(True), error="ValueError", message=message)

    def packed(self, depth):
        x, y = self.pick(), self.pick()
        pack = regions.pack(x, y)
        types = (x.type, y.type)
        self.visible.extend(regions.unpack(pack, types=types))

    def nested(self, depth, extra=(), types=()):
        """A smaller program in a region that can use ``extra``, too; gives values of ``types``."""
        inner = Program(self.random, [*self.visible, *extra], self.budget)
        inner.grow(depth - 1)
        return [inner.pick(type) for type in types]

    def state(self):
        init = [self.pick(*NUMBERS.values()) for _ in range(self.random.randint(0, 3))]
        return init, [v.type for v in init], [f"s{k}" for k in range(len(init))]

    def branch(self, depth):
        types = [self.random.choice([*NUMBERS.values()]) for _ in range(3)]
        predicate = self.pick(BOOL, FLOAT)
        self.visible += cond(
            predicate, lambda: self.nested(depth, (), types), lambda: self.nested(depth, (), types)
        )

    def count(self, depth):
        init, types, names = self.state()
        trips = Constant(self.random.randint(-1, 3))
        trips = self.random.choice([trips, e.minimum(self.visible[1], 3)])
        if trips.type.dtype.kind != "i":
            return
        result = for_loop(
            trips, lambda i, *s: self.nested(depth, (i, *s), types), *init, names=names
        )
        self.visible += result if isinstance(result, tuple) else [result]

    def until(self, depth):
        init, types, names = self.state()
        limit = Constant(self.random.randint(0, 3))

        def test(i, *state):
            (flag,) = self.nested(depth, (i, *state), [BOOL])
            return e.bitwise_and(flag, e.less(i, limit))

        def body(i, *state):
            return [e.add(i, 1), *self.nested(depth, (i, *state), types)]

        result = while_loop(test, body, Constant(0), *init, names=["k", *names])
        self.visible += result if isinstance(result, tuple) else [result]


def random_graph(random):
    def f(*inputs):
        program = Program(random, inputs, budget=6)
        program.grow(depth=3)
        return [program.pick() for _ in range(random.randint(3, 12))]

    return graph_of(f, **NUMBERS, p=BOOL)


def bits(value):
    return type(value), getattr(value, "dtype", None), np.shape(value), np.asarray(value).tobytes()


def shares(results, arguments):
    """Which results share memory with which others, or with arguments."""
    arrays = [v for v in (*results, *arguments, *CONSTANTS) if isinstance(v, np.ndarray)]
    return {
        (i, j) for i, x in enumerate(arrays) for j in range(i) if np.shares_memory(x, arrays[j])
    }


def outcome(graph, arguments):
    trace = []
    with np.errstate(all="ignore"):
        results = interpret(graph, *arguments, trace=trace)
    return results, trace


@settings(max_examples=120, deadline=None)
@given(st.randoms(use_true_random=False))
def test_simplification_keeps_results_and_effects(random):
    check(random)


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(st.randoms(use_true_random=False))
def test_it_does_so_in_many_graphs(random):
    check(random)


def check(random):
    graph = random_graph(random)
    verify(graph)
    simplified = simplify(graph)
    verify(simplified)
    assert simplify(simplified) is simplified
    for arguments in ARGUMENTS:
        try:
            results, trace = outcome(graph, arguments)
        except ArithmeticError:
            continue  # what raises may have been left out, if nobody uses its result
        simplified_results, simplified_trace = outcome(simplified, arguments)
        assert [*map(bits, simplified_results)] == [*map(bits, results)]
        assert simplified_trace == trace
        assert shares(simplified_results, arguments) <= shares(results, arguments)
