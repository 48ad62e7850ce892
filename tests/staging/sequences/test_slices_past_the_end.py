"""Slices at places known only at run time, which reach past the ends of their axes: Python gives
what there is."""

import random
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, OperandIndexError
from tests.support.oracle import Programs, check, compiled, outcome

programs = Programs()
X = np.arange(1.0, 11.0)


@programs.smooth(X)
def last_batch(x):
    total = 0.0
    for i in range(0, len(x), 4):
        total = total * 0.5 + np.sum(x[i : i + 4] ** 2)
    return total


@programs(X, 8)
@programs(X, 10)
@programs(X, 20)
def batches(x, n):
    total = 0.0
    for i in range(0, n, 4):
        total += np.sum(x[i : i + 4]) / (len(x[i : i + 4]) + 1)
    return total


@programs(X, 0)
@programs(X, 8)
@programs(X, 12)
@programs(X, -2)
@programs(X, -20)
def part(x, i):
    return x[i : i + 4], x[i - 3 : i], x[i : i - 3 : -1]


@programs(X, 8)
@programs(X, -3)
def cleared(x, i):
    x[i : i + 4] = 0.0
    x[i - 2 : i + 3] += 1.0
    return x[i : i + 20].sum()


@programs(X)
def behind(x):
    out = np.zeros(10)
    for j in range(10):
        out[j] = x[j - 3 : j].sum()
    return out


@programs(X, 3)
def with_break(x, n):
    i = 0
    while True:
        x[i : i + 4] *= 2.0
        i += 4
        if i > 9:
            break
    return x


@programs(np.arange(16.0).reshape(4, 4), 0, 1)
@programs(np.arange(16.0).reshape(4, 4), 2, 3)
@programs(np.arange(16.0).reshape(4, 4), -1, 9)
def two_axes(x, i, j):
    return x[i : i + 2, j : j + 3] * 2.0


@programs(X)
def parts_in_a_list(x):
    parts = []
    for i in range(0, len(x), 4):
        parts.append(x[i : i + 4])
    return parts


@programs(X, 10)
def means_in_a_list(x, n):
    means = []
    for i in range(0, n, 4):
        means.append(x[i : i + 4].mean())
    return np.array(means)


@programs(X, 10)
def with_prints(x, n):
    """It can't be run a second time."""
    total = 0.0
    for i in range(0, n, 4):
        print(i)
        total += np.sum(x[i : i + 4])
    return total


@programs(X, 10)
def with_a_shuffle(x, n):
    order = np.random.default_rng(3).permutation(10)
    total = 0.0
    for i in range(0, n, 4):
        total += np.sum(x[order[i : i + 4]]) * i
    return total


@programs(X, 9)
@programs(X, 10)
@programs(X, 11)
def beside_an_index(x, n):
    """The index may be out of range as well, which is an IndexError in Python too."""
    total = 0.0
    for i in range(n):
        total += x[i : i + 2].sum() + x[i]
    return total


@programs(X, 12)
@programs(X[:8], 8)
def shapes_that_do_not_fit(x, n):
    for i in range(0, n, 4):
        x[i + 2 : i + 4] = x[i : i + 2]
    return x.sum()


def _chunk(x, i):
    return x[i : i + 4]


@programs(X, 10)
def called(x, n):
    total = 0.0
    for i in range(0, n, 4):
        total += np.sum(_chunk(x, i)) * i
    return total


@programs([1.0, 2.0, 3.0, 4.0, 5.0], "abcde", 4)
@programs([1.0, 2.0, 3.0, 4.0, 5.0], "abcde", 1)
def lists_and_texts(items, text, n):
    return items[n : n + 3], text[n : n + 3]


@programs.test
def test_as_in_python(call):
    call.run()


def test_generators_are_drawn_from_once():
    def noisy(rng, x, n):
        total = 0.0
        for i in range(0, n, 4):
            total += rng.normal() * np.sum(x[i : i + 4])
        return total, rng.normal()

    f = ag.to_graph(noisy)
    for n in (8, 10):
        expected = noisy(np.random.default_rng(1), X, n)
        assert f(np.random.default_rng(1), X, n) == pytest.approx(expected)


def _squares(x, i):
    return np.sum(x[i : i + 4] ** 2)


def test_derivatives():
    gradient = ag.grad(_squares)
    for i in (1, 8, 12, -2):
        expected = np.zeros(10)
        expected[i : i + 4] = 2 * X[i : i + 4]
        np.testing.assert_allclose(gradient(X, i), expected)
    value, pull = ag.vjp(lambda x: _squares(x, 8), X)
    assert value == _squares(X, 8)
    np.testing.assert_allclose(pull(1.0)[0][8:], 2 * X[8:])
    np.testing.assert_allclose(np.diag(ag.hessian(last_batch)(X))[8:], 2.0)
    ag.check_grads(last_batch, (X,), order=2)


def test_lanes():
    places = np.array([1, 8, -2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one lane after the other
        found = ag.vmap(_squares, in_axes=(None, 0))(X, places)
        slopes = ag.vmap(ag.grad(_squares), in_axes=(None, 0))(X, places)
    np.testing.assert_allclose(found, [_squares(X, i) for i in places])
    np.testing.assert_allclose(slopes, [ag.grad(_squares)(X, i) for i in places])


def test_a_place_that_fits_is_known_to_fit():
    def inside(x):
        total = 0.0
        for i in range(0, 8, 4):
            for j in range(2):
                total += np.sum(x[i + 2 * j : i + 2 * j + 4])
        return total

    check(inside, X)
    assert not compiled(inside).lower(X).traced.bets
    assert compiled(last_batch).lower(X).traced.bets


def test_slices_that_fit_stay_of_known_length():
    """A call in which they do not changes what later calls run, not what they give."""

    def kept(x, n):
        last, i = np.zeros(4), 0
        while i < n:
            last = x[i : i + 4]
            i += 4
        return last

    f = ag.to_graph(kept)
    np.testing.assert_array_equal(f(X, 8.0), kept(X, 8))
    np.testing.assert_array_equal(f(X, 10.0), kept(X, 10))
    np.testing.assert_array_equal(f(X, 8.0), kept(X, 8))
    np.testing.assert_array_equal(f(X, 10), kept(X, 10))  # an int becomes static


def test_what_was_printed_is_not_printed_again(capsys):
    def kept(x, n):
        last, i = np.zeros(4), 0
        while i < n:
            print(i)
            last = x[i : i + 4]
            i += 4
        return last

    f = ag.to_graph(kept)
    for n in (8.0, 10.0, 10.0):
        expected, text = kept(X, n), capsys.readouterr().out
        np.testing.assert_array_equal(f(X, n), expected)
        assert capsys.readouterr().out == text


def test_what_is_known_of_signatures_goes_with_them(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "4")

    @ag.to_graph
    def last(x, n):
        total = 0.0
        for i in range(0, n, 4):
            total = total + np.sum(x[i : i + 4])
        return total

    for length in range(5, 30):
        if length % 4:
            assert last(np.ones(length), length) == float(length)
    assert 0 < len(last._clipping) <= len(last._cache)


def test_what_cannot_be_recorded_or_run_again_is_refused(tmp_path):
    def kept(x, n):
        last, i = np.zeros((4, 4)), 0
        while i < n:
            print(i)
            last = x[i : i + 4, i : i + 4]
            i += 4
        return last

    ahead = ag.to_graph(last_batch).lower(X).compile()
    ag.to_graph(last_batch).save(tmp_path / "f.ag", X)
    calls = [
        lambda: ag.to_graph(kept)(np.outer(X, X), 10.0),
        lambda: ahead(X),
        lambda: ag.load(tmp_path / "f.ag")(X),
    ]
    for call in calls:
        with pytest.raises(OperandIndexError) as caught:
            call()
        assert caught.value.id == "AG0365"


def test_lanes_whose_slices_reach_past_the_end_are_refused():
    x = np.arange(16.0).reshape(4, 4)
    lanes = ag.vmap(two_axes, (None, 0, 0))
    inside = np.array([0, 1]), np.array([1, 0])
    expected = [two_axes(x, i, j) for i, j in zip(*inside)]
    np.testing.assert_array_equal(lanes(x, *inside), expected)
    with pytest.raises(IndexError, match="AG0365"):
        lanes(x, np.array([2, 2]), np.array([3, 3]))


def _random_program(random):
    """Slices with random bounds around a loop's index, read and written."""

    def bound():
        return random.choice(
            ["i", "i + 1", "i - 2", "i + 3", "2 * i", "i * 3 - 4", "k", "-i", "n - i"]
        )

    def piece():
        start, apart = bound(), random.randint(-3, 5)
        step = random.choice(["", "", "", ":2", ":-1"])
        stop = f"{start} + {apart}" if random.random() < 0.8 else bound()
        return f"[{start} : {stop}{step}]"

    lines = ["def program(x, y, n, k):", "    t = 0.0"]
    head = random.choice(["for i in range(n):", "for i in range(0, n, 3):", "for i in range(4):"])
    lines.append(f"    {head}")
    for _ in range(random.randint(1, 3)):
        lines.append(
            "        "
            + random.choice(
                [
                    f"t = t * 0.5 + np.sum(x{piece()})",
                    f"x{piece()} = t",
                    f"x{piece()} += 0.5",
                    f"t += np.sum(y[{bound()} : {bound()}, i : i + 2]) * 0.25",
                    f"t -= len(x{piece()})",
                ]
            )
        )
    lines.append("    return t, np.sum(x)")
    return "import numpy as np\n\n" + "\n".join(lines) + "\n"


def _compare_random_programs(seeds):
    from tests.fuzz.comparison import load

    for seed in seeds:
        text = _random_program(random.Random(seed))
        program = load(text)["program"]
        f = ag.to_graph(program)
        for n, k in ((3, 2), (7, -1), (12, 9)):
            args = (np.arange(9.0), np.arange(12.0).reshape(4, 3), n, k)
            expected, found = outcome(program, args), outcome(f, args)
            assert (expected.error is None) == (found.error is None), (text, found.error)
            if expected.error is None:
                np.testing.assert_allclose(found.result, expected.result, err_msg=text)
                np.testing.assert_allclose(found.args[0], expected.args[0], err_msg=text)


def test_random_slices():
    _compare_random_programs(range(6))


@pytest.mark.slow
def test_more_random_slices():
    _compare_random_programs(range(100, 300))


def test_an_exception_of_the_users_that_says_the_same_is_no_slice():
    def function(x, i):
        y = x[i : i + 2]
        print("begun")
        if y[0] > 0.0:
            raise IndexError("a slice of 2 elements does not fit an axis of size 4")
        return y

    with pytest.raises(IndexError) as caught:
        ag.to_graph(function)(np.ones(4), 1)
    assert not isinstance(caught.value, AutographError)
