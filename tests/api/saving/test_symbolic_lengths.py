"""Functions for arrays of any lengths in files."""

import json
import zipfile

import numpy as np
import pytest

import autograph as ag
from autograph.errors import LoadError, OptionError, SignatureError
from autograph.graph.lengths import lengths_in

VECTOR = ag.ShapeDtypeStruct(("n",), float)
ROWS = ag.ShapeDtypeStruct(("n", 3), float)


@pytest.fixture
def stored(tmp_path):
    def through_a_file(function, *specs):
        ag.to_graph(function).lower(*specs).save(tmp_path / "f.ag")
        return ag.load(tmp_path / "f.ag")

    return through_a_file


def moved(x, y):
    return np.sum(x[1:] * y[:-1], axis=0) * len(x) + x[len(x) // 2]


def rows(n, seed=0):
    return np.random.default_rng(n + seed).standard_normal((n, 3))


def test_any_length(stored):
    f = stored(moved, ROWS, ROWS)
    assert repr(f) == "<saved moved(x: f64[n,3], y: f64[n,3])>"
    for n in (2, 3, 8, 1000):
        np.testing.assert_allclose(f(rows(n), rows(n, 1)), moved(rows(n), rows(n, 1)), rtol=1e-11)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ((rows(3), rows(4)), "n is 3, and an axis of argument 'y' is 4"),
        ((rows(1), rows(1)), "n is 1, and has to be at least 2"),
        ((rows(3)[:, :2], rows(3)), r"'x' was f64\[n,3\], is f64\[3,2\]"),
        ((rows(3), rows(3).astype("f4")), r"'y' was f64\[n,3\], is f32\[3,3\]"),
    ],
)
def test_arguments_that_do_not_fit(stored, args, why):
    f = stored(moved, ROWS, ROWS)
    for call in (lambda: f(*args), lambda: ag.to_graph(lambda: f(*args))()):
        with pytest.raises(SignatureError, match=why):
            call()


def test_what_was_assumed_is_checked(stored):
    pairs = stored(lambda x: x.reshape(len(x) // 2, 2), VECTOR)
    assert pairs(np.ones(8)).shape == (4, 2)
    with pytest.raises(
        SignatureError, match=r"n is 7, and it was saved for n - 2\*\(n // 2\) == 0"
    ):
        pairs(np.ones(7))


def test_in_other_recordings(stored):
    f = stored(moved, ROWS, ROWS)
    outer, slope = ag.to_graph(lambda x: f(x, x + 1)), ag.grad(lambda x: np.sum(f(x, x)))
    lanes = ag.vmap(lambda x: f(x, x))
    for n in (4, 5, 7, 20):
        x = rows(n)
        np.testing.assert_allclose(outer(x), moved(x, x + 1), rtol=1e-11)
        wanted = ag.grad(lambda x: np.sum(moved(x, x)))(x)
        np.testing.assert_allclose(slope(x), wanted, rtol=1e-11)
        both = np.stack([x, x * 2])
        np.testing.assert_allclose(lanes(both), [moved(y, y) for y in both], rtol=1e-11)
    assert len(outer.compiled_forms()) == len(slope.compiled_forms()) == 2
    short = ag.to_graph(lambda x: f(x[:1], x[:1]))
    with pytest.raises(SignatureError, match="at least 2"):
        short(rows(4))


def test_derivatives_loops_and_recursion(stored):
    def power(x, k):
        return x if k <= 0 else power(x * 2, k - 1)

    def until(x, top):
        total = 0.0
        while total < top:
            for i in range(len(x)):
                total += x[i]
        return total

    slope = stored(ag.grad(lambda x: np.sum(np.sin(x) * x[::-1])), VECTOR)
    doubled, summed = stored(power, VECTOR, 3), stored(until, VECTOR, 3.0)
    inside = ag.to_graph(lambda x, y: (doubled(x, 3), doubled(y, 3)))
    for n in (3, 5, 30):
        x = np.linspace(0.1, 1.0, n)
        wanted = np.cos(x) * x[::-1] + np.sin(x)[::-1]
        np.testing.assert_allclose(slope(x), wanted, rtol=1e-12)
        np.testing.assert_allclose(doubled(x, 3), x * 8)
        assert summed(x, 12.0) == pytest.approx(until(x, 12.0))
        for ours, theirs in zip(inside(x, x[1:]), (x * 8, x[1:] * 8)):
            np.testing.assert_allclose(ours, theirs)


def test_what_compiling_assumes_is_no_condition(stored, monkeypatch):
    f = stored(lambda x: np.cumsum(x) * 2, VECTOR)
    length = lengths_in(f.graph.main)[0]
    assert length > 4  # as a pass may
    for n in (3, 4, 5, 9):
        np.testing.assert_allclose(f(np.ones(n)), np.arange(1, n + 1) * 2.0)


def test_known_lengths_are_files_of_the_first_version(tmp_path):
    for spec, version in ((np.ones(3), 1), (VECTOR, 2)):
        ag.to_graph(lambda x: x * 2).lower(spec).save(tmp_path / "f.ag")
        with zipfile.ZipFile(tmp_path / "f.ag") as file:
            assert json.loads(file.read("graph.json"))["version"] == version


BROKEN = [
    lambda form: form.update(lengths={"symbols": {}, "assumptions": []}),
    lambda form: form.update(lengths={"symbols": {"n": 1}, "assumptions": []}),
    lambda form: form.update(lengths={"symbols": {"n": 9, "m": 3}, "assumptions": []}),
    lambda form: form.update(lengths={"symbols": {"n": 9, "m; x": 3}, "assumptions": []}),
    lambda form: form["lengths"].update(assumptions=[[{"length": [[-1, "n"]]}, ">"]]),
    lambda form: form["lengths"].update(assumptions=[[{"length": [[1, "n"]]}, ">="]]),
    lambda form: form["lengths"].update(assumptions=[[{"length": [[1, [3, 2]]]}, ">"]]),
    lambda form: form.pop("lengths"),
]


@pytest.mark.parametrize("change", BROKEN)
def test_damaged_files(tmp_path, change):
    path = tmp_path / "f.ag"
    ag.to_graph(lambda x: x * 2).lower(VECTOR).save(path)
    with zipfile.ZipFile(path) as file:
        form, arrays = json.loads(file.read("graph.json")), file.read("constants.npz")
    change(form)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("graph.json", json.dumps(form))
        file.writestr("constants.npz", arrays)
    with pytest.raises(LoadError):
        ag.load(path)


def test_other_files_want_numbers():
    f = lambda x: np.sum(x * 2)
    for export in (ag.export.c, ag.export.stablehlo):
        with pytest.raises(OptionError, match="arrays of any length: n >= 2"):
            export(f, VECTOR)


def test_what_is_compiled_for_numbers_is_not_kept_for_all_of_them(stored, monkeypatch):
    loaded = stored(lambda x: x * x, VECTOR)
    loaded._needs_numbers.add("numpy")  # as where a kernel can't have symbols
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "2")
    for n in range(3, 9):
        x = np.arange(float(n))
        np.testing.assert_array_equal(loaded(x), x * x)
    assert len(loaded._compiled) == 2


def test_a_table_with_rows_of_any_length(stored):
    def sums(x):
        table = [[0.0] * len(x) for _ in range(int(x[0]))]
        for i in range(1, len(table)):
            for j in range(1, len(x)):
                table[i][j] = table[i - 1][j] + table[i][j - 1] + x[j]
        return table

    f = stored(sums, VECTOR)
    for n in (2, 3, 8):
        x = np.arange(4.0, 4.0 + n)
        assert f(x) == sums(x) == ag.to_graph(lambda x: f(x))(x)
