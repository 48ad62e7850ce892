"""What is known while recording of values that no input has a part in."""

import numpy as np
import pytest

import ops
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant
from autograph.staging.arrays.known import known
from ops.control import effects
from tests.support.build_graphs import BOOL, FLOAT, INT, cond, for_loop, while_loop


@pytest.fixture(autouse=True)
def builder():
    with Builder() as made:
        yield made


def contents(value, captured=()):
    return known(value, lambda constant: any(constant is c for c in captured))


def number(data):
    return Constant(data)


def test_a_constant():
    assert contents(number(3)) == 3
    assert contents(number(0)) == 0


def test_an_input_is_not_known(builder):
    assert contents(builder.input(FLOAT)) is None
    assert contents(builder.input(FLOAT) + 1.0) is None


def test_an_array_from_outside_may_change():
    x = number(np.arange(3.0))
    total = ops.sum(x)
    assert contents(total) == 3.0
    assert contents(total, captured=[x]) is None


def test_what_is_computed_of_constants():
    x = number(np.arange(4.0))
    assert contents(ops.sum(x * 2.0) + 1.0) == 13.0


def test_what_raises_is_not_known():
    assert contents(number(1) // number(0)) is None


def test_nobody_is_warned():
    with np.errstate(all="raise"):
        assert contents(ops.log(number(np.float64(0.0)))) == -np.inf


def test_an_effect_is_not_known(builder):
    checked = number(1) + 1
    effects.check(number(True), error="ValueError", message="no")
    assert contents(checked) == 2


def test_too_long_a_chain():
    x = number(1)
    for _ in range(99):
        x = x + 1
    assert contents(x + 1) == 101
    assert contents(x + 1 + 1) is None


# -- conditionals and loops ------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [True, False])
def test_the_branch_that_is_taken(builder, chosen):
    x = builder.input(FLOAT)
    taken, other = (number(1.0), x) if chosen else (x, number(1.0))
    found = cond(number(chosen), lambda: taken + 1.0, lambda: other + 1.0)
    assert contents(found) == 2.0


def test_a_branch_that_nobody_knows(builder):
    found = cond(builder.input(BOOL), lambda: number(1.0), lambda: number(1.0))
    assert contents(found) is None


def test_a_counted_loop():
    assert contents(for_loop(number(5), lambda i, s: s + i, number(0), names=["s"])) == 10
    assert contents(for_loop(number(0), lambda i, s: s + i, number(7), names=["s"])) == 7


def test_a_loop_with_a_test():
    found = while_loop(lambda n: n < 100, lambda n: n * 2, number(1), names=["n"])
    assert contents(found) == 128


def test_only_what_the_value_depends_on_is_run(builder):
    x = builder.input(FLOAT)
    count, total = for_loop(
        number(3), lambda i, n, s: (n + 2, s + x), number(0), number(0.0), names=["n", "s"]
    )
    assert contents(count) == 6
    assert contents(total) is None


def test_what_a_part_of_the_state_depends_on_by_way_of_others(builder):
    x = builder.input(INT)
    a, b, c = for_loop(
        number(3), lambda i, a, b, c: (b, c, c + x), number(1), number(2), number(3), names="abc"
    )
    assert contents(a) is contents(b) is contents(c) is None
    a, b, c = for_loop(
        number(2), lambda i, a, b, c: (b, c, c + 1), number(1), number(2), number(3), names="abc"
    )
    assert (contents(a), contents(b), contents(c)) == (3, 4, 5)


def test_what_the_test_of_a_loop_depends_on(builder):
    x = builder.input(INT)
    n, s = while_loop(
        lambda n, s: n < x, lambda n, s: (n + 1, s + 1), number(0), number(0), names="ns"
    )
    assert contents(s) is None


def test_a_loop_of_arrays_is_not_run():
    init = number(np.zeros(3))
    assert contents(for_loop(number(2), lambda i, s: s + 1.0, init, names=["s"])) is None


def test_a_loop_without_an_end():
    found = while_loop(lambda n: n >= 0, lambda n: n + 0, number(1), names=["n"])
    assert contents(found) is None


def test_a_loop_in_a_loop():
    def body(i, s):
        return s + for_loop(number(4), lambda j, t: t + i, number(0), names=["t"])

    assert contents(for_loop(number(3), body, number(0), names=["s"])) == 12
