"""Which lanes of a batched function run what: prints, errors, NaN, and numbers of Python's."""

import traceback
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BatchingError
from tests.support.oracle import known_type, outcome
from tests.transforms.lanes import assert_same, by_lane, check_vmap

NUMBERS = np.array([0.5, -1.25, 2.5, 0.0, 1.75])


def check_effects(function, *args):
    """All lanes print what each of them prints, in its order, and an error is one of theirs."""
    expected = [outcome(function, lane) for lane in zip(*args)]
    found = outcome(ag.vmap(function), args)
    errors = [e.error for e in expected if e.error is not None]
    if errors:
        assert isinstance(found.error, tuple(map(known_type, errors))), found.error
        return
    assert found.error is None, found.error
    assert_same(found.result, by_lane(function, args))
    lines = found.printed.splitlines()
    wanted = [e.printed.splitlines() for e in expected]
    assert sorted(lines) == sorted(line for of_lane in wanted for line in of_lane)
    for of_lane in wanted:
        remaining = iter(lines)
        assert all(line in remaining for line in of_lane)


# -- only lanes that take a branch run it ----------------------------------------------------------


def branches(x):
    if x > 1:
        print("large", x)
        y = np.exp(x)
    elif x > 0:
        print("small", x)
        y = np.log(x)
    else:
        y = x * 2
    print("end", x)
    return y


def loops(x):
    trips = 0
    while x > 0.25:
        if x > 2:
            print("halved", x)
            x = x * 0.5
        else:
            print("less", x, "at", trips)
            x = x - 0.5
        trips += 1
    return trips


def left(x):
    for i in range(4):
        if x < i:
            print("left", x, "at", i)
            break
        if i == 1:
            continue
        print("stays", x, "at", i)
    else:
        print("all", x)
    return x


def returned(x):
    print("begin", x)
    if x > 1:
        return x
    print("middle", x)
    while True:
        x = x + 0.75
        if x > 1:
            return x * 2
        print("more", x)


def protected(x):
    try:
        if x > 1:
            print("leaves", x)
            return x
        x = x * 2
    finally:
        print("finally", x)
    return x


def depth(x, n):
    print("down", x, n)
    if n <= 0:
        return x
    return depth(x * 0.5, n - 1) + 1


def recursive(x):
    return depth(x, int(x * 2))


EFFECTS = [branches, loops, left, returned, protected, recursive]


@pytest.mark.parametrize("function", EFFECTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "x",
    [NUMBERS, NUMBERS[:1], np.full(3, 2.5), np.full(3, -1.0), np.array([0.5, 0.5, 2.5])],
    ids=["all ways", "one lane", "large", "negative", "two ways"],
)
def test_effects(function, x):
    check_effects(function, x)


@pytest.mark.parametrize("function", EFFECTS, ids=lambda f: f.__name__)
def test_no_lanes(function):
    found = outcome(ag.vmap(function), (NUMBERS[:0],))
    assert found.error is None
    assert found.printed == ""
    assert found.result.shape == (0,)
    assert found.result.dtype == np.asarray(function(0.5)).dtype


def raises(x):
    if x > 2:
        raise ValueError(f"too large: {x}")
    return x


def asserts(x):
    while x > 0:
        x = x - 0.75
        assert x != 1.0, "it is one"
    return x


def divides(x):
    k = 0
    while x > 0:
        x = x - 1
        k += 1
    return 6 / k, 6 // k, 6 % k


def looks_up(x):
    items = [1.0, 2.0]
    while x > 1:
        items.append(x)
        x = x - 1
    return items[2]


def undefined(x):
    if x > 0:
        y = x
    return y


def raises_in_recursion(x):
    if x > 3:
        raise KeyError(x)
    if x > 1:
        return raises_in_recursion(x * 1.5)
    return x


@pytest.mark.filterwarnings("ignore:.*one lane after the other")
@pytest.mark.parametrize(
    "function",
    [raises, asserts, divides, looks_up, undefined, raises_in_recursion],
    ids=lambda f: f.__name__,
)
def test_errors_come_from_lanes_that_run(function):
    failing = [x for x in NUMBERS if outcome(function, (x,)).error is not None]
    others = np.array([x for x in NUMBERS if x not in failing])
    assert failing
    check_effects(function, NUMBERS)
    check_effects(function, np.array(failing[:1]))
    if others.size:
        check_effects(function, others)
        assert ag.vmap(function)(np.zeros((0,))) is not None


def test_errors_name_the_place():
    with pytest.raises(ValueError, match="too large") as caught:
        ag.vmap(raises)(NUMBERS)
    shown = "".join(traceback.format_exception(caught.value))
    assert f"test_vmap_control_flow.py:{raises.__code__.co_firstlineno + 2}" in shown


def test_no_warnings_from_lanes_that_do_not_run():
    def guarded(x):
        if x > 0:
            return np.log(x) / x
        return np.sqrt(-x)

    def halved(x):
        while x > 0.1:
            x = np.sqrt(x) * 0.25
        return 1 / (x - 3)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for function in (guarded, halved):
            assert_same(ag.vmap(function)(NUMBERS), by_lane(function, (NUMBERS,)))
            gradient = ag.grad(function)
            x = NUMBERS[NUMBERS != 0]
            assert_same(ag.vmap(gradient)(x), by_lane(gradient, (x,)))


def test_a_lane_that_ends_does_no_work():
    """A lane of many trips beside many lanes of few costs no more than its own trips."""

    def counted(x):
        while x > 0:
            print(x)
            x = x - 1
        return x

    found = outcome(ag.vmap(counted), (np.array([1.0, 0.0, 40.0, 0.0]),))
    visits = found.printed.split()
    assert len(visits) == 41
    assert visits[:2] == ["1.0", "40.0"]


def test_a_cheap_branch_is_selected_and_an_expensive_one_runs_for_its_lanes():
    def cheap(x):
        return x * 2 if x > 0 else -x

    def expensive(x):
        return np.exp(x) if x > 0 else -x

    x = np.zeros(8)
    assert "where" in str(ag.vmap(cheap).program(x))
    assert "if " not in str(ag.vmap(cheap).program(x))
    assert "if " in str(ag.vmap(expensive).program(x))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        large = np.array([-1000.0, 1.0, -3.0])  # exp(1000) would overflow
        wanted = by_lane(lambda x: np.exp(x) if x < 100 else x, (-large,))
        assert_same(ag.vmap(lambda x: np.exp(x) if x < 100 else x)(-large), wanted)


# -- NaN does not spread ---------------------------------------------------------------------------


def undefined_when_continued(x):
    y = x
    while y > 0.01:
        y = np.log(y)
        if y > 0:
            y = np.sqrt(y)
    return y * x


def square_roots(x):
    s = 0.0
    while x > 1:
        s = s + np.sqrt(x - 1)
        x = x - 1
    return s


def guarded_root(x):
    if x > 0:
        return np.sqrt(x) * x
    return x * x * x


def guarded_in_a_loop(x):
    s = 0.0
    for i in range(4):
        if x > i:
            s = s + np.log(x - i) * x
    return s


@pytest.mark.costly
@pytest.mark.parametrize(
    "function",
    [undefined_when_continued, square_roots, guarded_root, guarded_in_a_loop],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize(
    "x",
    [np.array([0.5, 1.5, -1.25, 20.25, 3.5]), np.array([2.5]), np.full(2, 2.5), np.full(2, -0.5)],
    ids=["all ways", "one lane", "positive", "negative"],
)
def test_no_nan_from_lanes_that_are_done(function, x):
    check_vmap(function, x)
    second = ag.grad(ag.grad(function))
    wanted = by_lane(second, (x,))
    assert np.all(np.isfinite(wanted))
    assert_same(ag.vmap(second)(x), wanted)


def test_no_lanes_have_derivatives():
    x = np.zeros((0,))
    for function in (square_roots, guarded_in_a_loop, recursive):
        assert ag.vmap(ag.grad(function))(x).shape == (0,)
        assert ag.grad(lambda x: np.sum(ag.vmap(function)(x)))(x).shape == (0,)


# -- numbers of Python's, which become arrays ------------------------------------------------------


def integers(x):
    k = 1
    if x > 0:
        k = 3
    return k, k * 2, k / 2, k // 2, k % 2, -k, k + True, k**2, k < 2, k & 1, k | 4, k << 2, ~k


def more_integers(x):
    k = -3
    while x > 0.1:
        x = x * 0.5
        k += 2
    return abs(k), float(k), bool(k), 2 ** (k * k), divmod(7, k), 7 // k, 7.5 % k, k * np.float32(2)


def floats(x):
    k = 1.5
    if x > 0:
        k = -2.5
    return k, k * 2, k // 1, k % 1.0, int(k), round(k), bool(k), np.float32(2) * k, np.sin(k), k**2


def booleans(x):
    b = x > 0
    k = True
    if x > 0.5:
        k = False
    return k, k + 1, k + k, not k, k * 2.0, b + b, b, k & True, -k, b | k, b ^ True, int(k)


def complexes(x):
    k = 1j
    if x > 0:
        k = 2 + 1j
    return k, k * 2, k.real, k.imag, abs(k), k * np.float32(1), k.conjugate(), k**2


def with_arrays(x):
    k, n = 1.5, 2
    if x > 0:
        k, n = 0.5, 1
    return x * k, x + n, k * x * k, np.maximum(x, k), np.where(x > 0, k, x), np.full(2, n), x**n


def counted(x):
    n = 0
    for i in range(3):
        if x > i:
            n = n + i
    a = np.arange(5.0)
    return n, np.zeros(3) + n, a[n], a[-n], np.float32(1) + n, a.astype(np.float32) * n


@pytest.mark.parametrize(
    "function",
    [integers, more_integers, floats, booleans, complexes, with_arrays, counted],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("dtype", [float, np.float32, np.float16, np.int64, np.int8])
def test_python_numbers(function, dtype):
    x = NUMBERS.astype(dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(ag.vmap(function)(x), by_lane(function, (x,)), rtol=1e-3, atol=1e-3)


def test_integers_and_booleans_as_lanes():
    def integer(i):
        return i + 1, i / 2, i // 2, i % 3, i**2, i > 1, np.sin(i), i + np.float32(1), -i

    def boolean(b):
        return b, ~b, b + 1, b & True, b + b, np.where(b, 1, 2), not b, 3 if b else 4

    for dtype in (np.int64, np.int8, np.uint8):
        i = np.array([0, 3, 2, 1, 5], dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert_same(ag.vmap(integer)(i), by_lane(integer, (i,)))
    b = np.array([True, False, True])
    assert_same(ag.vmap(boolean)(b), by_lane(boolean, (b,)))


def test_numbers_of_another_type_in_some_lanes():
    """As in one graph for both branches, they have the type that holds both."""

    def mixed(x):
        return 1 if x > 0 else 2.5, True if x > 0 else 2, x if x > 0 else 0

    assert_same(ag.vmap(mixed)(NUMBERS), by_lane(mixed, (NUMBERS,)))


# -- effects of recursive functions ----------------------------------------------------------------


def printed_levels(n):
    print("level", n)
    return n if n <= 0 else printed_levels(n - 1)


def test_a_recursive_function_prints_for_each_lane_also_if_all_give_it_the_same(capsys):
    found = ag.vmap(lambda x, n: x + printed_levels(n), (0, None))(np.arange(3.0), 2)
    assert found.tolist() == [0.0, 1.0, 2.0]
    levels = capsys.readouterr().out.split("\n")[:-1]
    assert levels == [f"level {level}" for level in (2, 2, 2, 1, 1, 1, 0, 0, 0)]


def test_it_prints_so_in_a_loop_and_in_a_gradient(capsys):
    def f(x, n):
        for _ in range(2):
            x = x * (1.0 + printed_levels(n))
        return x

    found = ag.vmap(ag.grad(f), (0, None))(np.arange(3.0), 1.0)
    assert found.tolist() == [1.0, 1.0, 1.0]
    assert sorted(capsys.readouterr().out.split("\n")[:-1]) == 6 * ["level 0.0"] + 6 * ["level 1.0"]


def test_a_branch_that_only_calls_it_prints_for_each_lane(capsys):
    def f(x, n):
        if n > 1:
            printed_levels(n)
        return x

    assert ag.vmap(f, (0, None))(np.arange(3.0), 2).tolist() == [0.0, 1.0, 2.0]
    levels = capsys.readouterr().out.split("\n")[:-1]
    assert levels == [f"level {level}" for level in (2, 2, 2, 1, 1, 1, 0, 0, 0)]


def test_a_recursive_function_that_draws_is_refused_also_if_all_lanes_give_it_the_same():
    generator = np.random.default_rng(0)

    def draws(n):
        return generator.normal() + draws(n - 1) if n > 0 else 0.0

    with pytest.raises(BatchingError, match="AG0543"):
        ag.vmap(lambda x, n: x + draws(n), (0, None))(np.arange(3.0), 2)
