"""What is compared and shown of numbers that may be None, and of several types if they are not."""

import numpy as np
import pytest

import autograph as ag


def found(x):
    best = None
    for i in range(len(x)):
        if x[i] < 0:
            best = 2.5
        elif x[i] > 1:
            best = i
    return best


def place(x):
    best = None
    for i in range(len(x)):
        if x[i] > 1:
            best = i
    return best


def compared(x):
    best, at = found(x), place(x)
    return (
        best == 2,
        best != 2,
        2.5 == best,
        best == at,
        best == place(x[::-1]),
        at == best,
        best == "text",
    )


def compared_in_tuples(x):
    return (found(x), 1) == (2, 1), found(x) in (2, 2.5), place(x) in (None, 2), x[0] == found(x)


def decides(x):
    return 1.0 if found(x) == 2 else 0.0


def shown(x):
    best, at = found(x), place(x)
    print(best, at)
    return f"{best} {at}", str(best), repr([at])


def of_three_types(x):
    kind = None
    for i in range(len(x)):
        if x[i] < 0:
            kind = True
        elif x[i] > 2:
            kind = i
        elif x[i] > 1:
            kind = 0.5
    return f"<{kind}>", kind


DATA = [
    np.array(row, dtype=float)
    for row in ([1, 2, 3], [1, -2, 3], [-1, -2, -3], [3, -1, 0], [0, 0, 0], [2, 2, 0], [0, 0, 2])
]


@pytest.mark.parametrize("f", [compared, compared_in_tuples, decides, shown, of_three_types])
def test_numbers_that_may_be_none(f, capsys):
    compiled = ag.to_graph(f)
    for x in DATA:
        expected, text = f(x), capsys.readouterr().out
        given = compiled(x)
        assert repr(given) == repr(expected)
        assert capsys.readouterr().out == text


def test_they_are_compared_in_lanes():
    x = np.stack(DATA)
    np.testing.assert_array_equal(ag.vmap(decides)(x), [decides(row) for row in x])


def test_a_format_that_none_does_not_have():
    compiled = ag.to_graph(lambda x: f"{found(x):.2f}")
    assert compiled(DATA[1]) == "2.50" or compiled(DATA[1]) == "2.00"
    with pytest.raises(TypeError):
        compiled(DATA[4])
