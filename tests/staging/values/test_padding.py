"""Texts of values that only the run knows, with blanks around them."""

import numpy as np
import pytest

import autograph as ag
from autograph import errors


def of_a_float(x):
    return [
        *(str(x).ljust(9), str(x).rjust(9), str(x).center(10), repr(x).center(12, "*")),
        *(
            f"{x:.2f}".rjust(9),
            f"{x:+.1e}".ljust(12, "."),
            f"{x:,.1f}".rjust(14),
            f"{x:.1%}".ljust(12),
        ),
        *(f"{x}".rjust(2), str(x).ljust(0), str(x).ljust(-3), f"{x:.3f}".center(8, "0")),
        *(str(x > 0).ljust(7) + "|", f"{x!r}".rjust(30, "<")),
    ]


def of_an_int(n):
    return (
        str(n).rjust(6),
        f"{n}".center(8),
        f"{n:d}".ljust(6),
        f"{n:x}".rjust(9, "0"),
        repr(n).ljust(4),
    )


@pytest.mark.parametrize("x", [3.25, -1234.5, 1e300, -0.0, float("nan"), float("-inf")])
def test_floats(x):
    assert ag.to_graph(of_a_float)(x) == of_a_float(x)


@pytest.mark.parametrize("n", [0, -12, 123456, 10**12])
def test_ints(n):
    assert ag.to_graph(of_an_int)(n) == of_an_int(n)


@pytest.mark.parametrize("value", [np.float64(2.5), np.float32(1.1), np.int64(-3)])
def test_numbers_of_numpy(value):
    pad = lambda x: (str(x).rjust(12), str(x).ljust(12), f"{x}".rjust(20))
    assert ag.to_graph(pad)(value) == pad(value)


def test_widths_among_the_arguments():
    pad = lambda x, width: f"{x:.2f}".rjust(width)
    compiled = ag.to_graph(pad)
    for width in (3, 8, 12):
        assert compiled(3.25, width) == pad(3.25, width)


def test_printed_by_the_program(capsys):
    def table(rows):
        for row in rows:
            print(f"{row:.1f}".rjust(8) + "|" + str(row).ljust(8) + "|")

    rows = np.array([1.25, -3.5])
    table(rows)
    expected = capsys.readouterr().out
    ag.to_graph(table)(rows)
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    "function",
    [
        lambda x: str(x).center(9),  # of which the blank that is left over is on the left
        lambda x: (str(x) + "!").ljust(9),
        lambda x: f"{x:8.2f}".ljust(12),
        lambda x: str(x).ljust(9, "{"),
        lambda x: str(x).zfill(9),
    ],
)
def test_refused(function):
    with pytest.raises(errors.ConcreteValueError, match="AG0306"):
        ag.to_graph(function)(1.5)


def test_mistakes_are_those_of_python():
    with pytest.raises(TypeError, match="exactly one character"):
        ag.to_graph(lambda x: str(x).ljust(9, "ab"))(1.5)
