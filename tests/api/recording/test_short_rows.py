"""Short rows of large arrays have known lengths, in which they are written out."""

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording.symbolic import short_rows


def shapes(f):
    """The first argument's shapes for which a function is compiled, as text."""
    forms = [form.open_shapes for form in f.compiled_forms()]
    return [str(open_shapes.shapes[0]) for open_shapes in forms if open_shapes is not None]


def total():
    return ag.to_graph(lambda x: np.sum(x * x, axis=-1))


def called(f, *shape):
    x = np.random.default_rng(0).normal(size=shape)
    np.testing.assert_allclose(f(x), np.sum(x * x, axis=-1))


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        *(((300,), []), ((300, 3), [1]), ((300, 16), []), ((80, 3), []), ((90, 3), [1])),
        *(((100, 3, 3), [1, 2]), ((100, 4, 4), [2]), ((3, 300), []), ((2, 2, 2, 2), [])),
        ((300, 0), []),
    ],
)
def test_which_axes_they_are_along(shape, axes):
    assert list(short_rows(shape)) == axes


def test_they_have_known_lengths():
    f = total()
    for n, k in [(300, 3), (310, 4), (320, 3), (330, 4), (340, 3)]:
        called(f, n, k)
    assert shapes(f) == ["(n, 4)", "(n, 3)"]


def test_small_arrays_and_long_rows_have_any():
    f = total()
    for shape in [(5, 3), (6, 4), (7, 5), (300, 20), (310, 40)]:
        called(f, *shape)
    assert shapes(f) == ["(n, m)"]


def test_what_is_for_any_length_is_not_for_them():
    """Also where machine code finds it for the same arguments, of other lengths."""
    f = total()
    for shape in [(5, 3), (6, 4), (6, 4), (6, 4), (500, 4), (700, 4), (40, 40), (90, 40), (300, 4)]:
        for _ in range(3):
            called(f, *shape)
    assert shapes(f) == ["(n, m)", "(n, 4)"]


@pytest.mark.parametrize("grows", [0, 1])
def test_many_of_them_have_any(grows):
    f = total()
    for k in range(2, 14):
        called(f, 300 + grows * k, k)
    found = shapes(f)
    assert len(found) <= 5
    assert "m" in found[-1] if grows else found[-1] == "(300, n)"


def test_other_axes_that_are_as_long_go_with_them():
    f = ag.to_graph(lambda x, m: (x - m) @ np.outer(m, m))
    rng = np.random.default_rng(0)
    for n, k in [(300, 3), (310, 4), (320, 3)]:
        x, m = rng.normal(size=(n, k)), rng.normal(size=k)
        np.testing.assert_allclose(f(x, m), (x - m) @ np.outer(m, m))
    assert shapes(f) == ["(n, 4)", "(n, 3)"]


def test_lists_of_short_lists():
    def f(rows):
        total = 0.0
        for row in rows:
            total += row[0] * row[-1]
        return total

    g = ag.to_graph(f)
    for n, k in [(300, 3), (310, 3), (320, 4), (5, 3), (6, 4), (330, 4), (900, 3)]:
        rows = [[i + 0.5 * j for j in range(k)] for i in range(n)]
        assert g(rows) == pytest.approx(f(rows))


def test_what_went_makes_room_for_others(monkeypatch):
    """Of forms for any lengths there are eight at most, of those that there still are."""
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "2")
    f = total()
    g = ag.to_graph(lambda x, n: np.sum(x.reshape(n, -1)))
    for n in range(2, 30):
        assert g(np.ones(3 * n), n) == 3 * n
    (known,) = g._lengths.values()
    assert len(known.forms) <= 3
    for n in (300, 310, 320):
        called(f, n, 3)
    assert shapes(f) == ["(n, 3)"]
