"""Arguments whose memory the caller gives up."""

import logging

import numpy as np
import pytest

import autograph as ag
import ops
from tests.support.oracle import assert_same


def fresh():
    return np.arange(6.0)


def first_is_nine(x):
    """A new array, which the program may make in the memory of ``x``."""
    return ops.index_update(x, 9.0, index=(("int", 0),))


def body(function, *args):
    """The statements of the program."""
    lines = str(function.program(*args)).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("def "))
    return [line.partition("#")[0].strip() for line in lines[start + 1 :]]


def step(x, v):
    for i in range(3):
        x[i] = x[i] + v
    x[3:] *= 2.0
    return x


def test_updates_are_done_in_the_memory_of_the_argument():
    plain, donating = ag.to_graph(step), ag.to_graph(step, donate_argnums=0)
    assert "x = x.copy()" in body(plain, fresh(), 1.0)
    assert not any("copy" in line for line in body(donating, fresh(), 1.0))
    x = fresh()
    result = donating(x, 1.0)
    assert result is x  # as in Python: the function changes its argument
    assert_same(result, step(fresh(), 1.0), "result")


def functional(x, y):
    z = np.where(x > 2.0, x, y) if y > 100.0 else x
    z = z.copy()
    z[0] = y
    return z, np.sum(z)


def test_what_is_still_needed_is_not_overwritten():
    def f(x, y):
        before = x * 1.0
        x[0] = y
        return before + x, x

    def keeps(x, y):
        part = x[1:3]
        x[1] = y
        return part * 1.0, x[::-1]

    for function in (f, keeps, functional):
        expected = function(fresh(), 5.0)
        found = ag.to_graph(function, donate_argnums=0)(fresh(), 5.0)
        assert_same(found, expected, function.__name__)


def test_in_loops_and_branches():
    def sweep(x, n):
        for i in range(n):
            if x[i] > 1.0:
                x[i] = x[i] * 0.5
            else:
                x[i] = x[i] + x[n]
        return x

    donating = ag.to_graph(sweep, donate_argnames="x")
    assert not any("copy" in line for line in body(donating, fresh(), 4))
    assert_same(donating(fresh(), 4), sweep(fresh(), 4), "result")


def test_elementwise_results_take_the_place_of_the_last_operand_that_is_donated():
    def descend(w, b, g, rate):
        return w - rate * g, np.exp(b) * 2.0

    donating = ag.to_graph(descend, donate_argnums=(0, 1))
    w, b, g = fresh(), fresh() / 6, fresh() + 1.0
    expected = descend(w, b, g, 0.5)
    lines = body(donating, w, b, g, 0.5)
    assert any("out=w" in line for line in lines) and any("out=b" in line for line in lines)
    found = donating(w, b, g, 0.5)
    assert_same(found, expected, "result")
    assert found[0] is w and np.may_share_memory(found[1], b)
    assert_same(g, fresh() + 1.0, "what is not donated")


def test_elementwise_results_of_another_type_or_with_the_operand_still_needed():
    cases = [
        (lambda x, y: (x > y, x * 1j), "other dtypes"),
        (lambda x, y: (x * np.ones((2, 6)), y), "another shape"),
        (lambda x, y: (x * y, x), "returned"),
        (lambda x, y: (x[::-1], x * y), "a view is returned"),
        (lambda x, y: x[::-1] + x, "a view is an operand"),
        (lambda x, y: (np.sum(x * y), x * x, x / 2.0), "several"),
        (lambda x, y: [x * i for i in range(3)], "a loop"),
        (lambda x, y: x * 2.0 if x[0] > 5.0 else x * 3.0, "branches"),
        (lambda x, y: (-x, np.arctan2(y, x)), "the last of two"),
    ]
    for function, why in cases:
        expected = function(fresh(), fresh() + 1.0)
        for options in ({"donate_argnums": 0}, {"donate_argnums": (0, 1)}):
            found = ag.to_graph(function, **options)(fresh(), fresh() + 1.0)
            assert_same(found, expected, why)


def test_a_result_does_not_lie_where_a_changed_argument_is_written_to():
    def f(x):
        before = x.copy()
        x[0] = 5.0
        return first_is_nine(before), before * 2.0

    def g(x):
        old = x * 1.0
        x[:] = x[::-1] + 1.0
        return old * 3.0

    for function in (f, g):
        x, y = fresh(), fresh()
        expected = function(y)
        assert_same(ag.to_graph(function, donate_argnums=0)(x), expected, "result")
        assert_same(x, y, "the argument, which the function changes")


def test_random_programs_that_donate():
    """Whatever is donated, the results are those without donation."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        steps = tuple(tuple(rng.integers(0, 8, 3)) for _ in range(6))

        def function(a, b, c, steps=steps):
            values = [a, b, c]
            for op, i, j in steps:
                x, y = values[i % len(values)], values[j % len(values)]
                if op == 0:
                    values.append(x + y)
                elif op == 1:
                    values.append(np.sin(x))
                elif op == 2:
                    values.append(x[::-1])
                elif op == 3:
                    values.append(x * y[0])
                elif op == 4:
                    x[1] = y[2] + 1.0
                elif op == 5:
                    x[:3] -= 1.0
                elif op == 6:
                    values.append(first_is_nine(x))
                else:
                    x[...] = np.cos(y)
            return values[-1], values[-2] * 1.0, np.sum(values[-3])

        def run(compiled, function=function):
            args = (fresh(), fresh() - 2.0, np.cos(fresh()))
            return compiled(*args), args

        try:
            expected, after = run(function)
            found, plain = run(ag.to_graph(function))
        except ag.errors.AutographError:
            continue
        assert_same(found, expected, "without donation")
        for argnums in (0, 1, (0, 1, 2)):
            donated, kept = run(ag.to_graph(function, donate_argnums=argnums))
            assert_same(donated, expected, f"{steps}")


def test_containers_of_arrays():
    def f(state):
        state["x"][0] = 7.0
        return state["x"] + state["v"]

    donating = ag.to_graph(f, donate_argnums=0)
    assert not any("copy" in line for line in body(donating, {"x": fresh(), "v": fresh()}))
    expected = f({"x": fresh(), "v": fresh()})
    assert_same(donating({"x": fresh(), "v": fresh()}), expected, "result")


@pytest.mark.parametrize("kind", ["read-only", "twice", "overlapping", "repeated elements"])
def test_memory_that_cannot_be_used_is_copied(kind, caplog):
    def f(x, y):
        return first_is_nine(x) + y

    x = fresh()
    y = np.ones(6)
    if kind == "read-only":
        x.flags.writeable = False
    elif kind == "twice":
        y = x
    elif kind == "overlapping":
        memory = np.arange(9.0)
        x, y = memory[:6], memory[3:]
    else:
        x = np.lib.stride_tricks.as_strided(np.arange(8.0), (6,), (0,))
    before = x.copy(), y.copy()
    expected = x.copy()
    expected[0] = 9.0
    expected = expected + y
    donating = ag.to_graph(f, donate_argnums=0)
    assert not any("copy" in line for line in body(donating, x, y))
    with caplog.at_level(logging.DEBUG, logger="autograph"):
        assert_same(donating(x, y), expected, "result")
    assert "can't be used and is copied" in caplog.text
    assert_same((x, y), before, "the arguments are as they were")


def test_an_array_from_outside_is_not_overwritten():
    outside = fresh()

    def f(x):
        x[0] = 9.0
        return x + outside

    with pytest.raises(ag.errors.MutationError):  # as without donation
        ag.to_graph(f, donate_argnums=0)(outside)
    g = ag.to_graph(lambda x: first_is_nine(x) + outside, donate_argnums=0)
    assert_same(g(outside)[:2], np.array([9.0, 2.0]), "result")
    assert_same(outside, fresh(), "outside")


def test_numbers_and_small_things_may_be_donated():
    f = ag.to_graph(lambda x, n, name: x * n, donate_argnums=(0, 1, 2))
    assert f(2.0, 3, "a") == 6.0
    assert f(np.float32(2.0), np.array(3.0), None) == 6.0


def test_donation_ends_with_the_function():
    """A transform of the function, and a function that calls it, keep their arguments."""
    f = ag.to_graph(lambda x: np.sum(step(x.copy(), 1.0) ** 2), donate_argnums=0)
    x = fresh()
    gradient = ag.grad(f)(x)
    ag.to_graph(lambda x: f(x) + 1.0)(x)
    value, pull = ag.vjp(f, x)
    assert_same(x, fresh(), "argument")
    assert_same(pull(1.0)[0], gradient, "gradient")


def test_lowered_and_saved_functions_donate(tmp_path):
    lowered = ag.to_graph(lambda x: x * 2.0, donate_argnums=0).lower(fresh())
    lowered.save(tmp_path / "f.ag")
    for function in (lowered.compile(), ag.load(tmp_path / "f.ag")):
        x = fresh()
        assert function(x) is x
        assert_same(x, fresh() * 2.0, "result")
