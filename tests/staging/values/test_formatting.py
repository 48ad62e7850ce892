# ruff: noqa: F507, F509, F524, RUF010, UP031, UP032
"""Texts of values known only at run time: f-strings, ``%``, ``str``; printed, raised, returned."""

import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import pathlib
import sys
import warnings
from collections import namedtuple

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import Programs, check, compiled, outcome

programs = Programs()
V = np.array([3.0, -1.0, 2.0])


@programs.test
def test_texts(call):
    call.run()


@dataclasses.dataclass
class Point:
    x: float
    y: object = 3


class Length:
    def __init__(self, meters):
        self.meters = meters

    def __str__(self):
        length = self.meters if self.meters < 1000 else 1000.0
        return f"{length:.2f} m"

    def __format__(self, spec):
        return f"<{spec}> {self.meters:.1f}"


Pair = namedtuple("Pair", "a b")

# -- printed ---------------------------------------------------------------------------------------


@programs(2.5)
@programs(np.float64(2.5))
@programs(np.float32(0.1))
@programs(np.float16(0.1))
@programs(np.complex64(0.1 + 2j))
@programs(np.int32(7))
@programs(True)
@programs(np.bool_(False))
@programs(3 - 2j)
@programs(np.array(2.5))
@programs(V)
def every_text_of_a_value(x):
    print(x, f"{x} {x!r} {x!s}", str(x), repr(x), [x], (x,), {"x": x}, sep=" | ")
    print("%s %r" % (x, x), "{} {!r}".format(x, x), "{0} {0!r}".format(x))
    print(f"{x!r:>20}|{x!s:<20}|{x=}")


@programs(7)
@programs(-7)
@programs(2.5)
@programs(np.float32(0.1))
@programs(float("inf"))
def specifications(x):
    print(f"{x:10.3f}|{x:<10}|{x:^+12.2e}|{x:g}|{x:010.1f}|{x:%}")
    print("%f %e %g %10.3f|%-10.2f|%+.1f|%5s|%-5s|%%" % (x, x, x, x, x, x, x, x))
    print("{0:.1f} {x:.2f}".format(x, x=x))


@programs(42)
@programs(-3)
@programs(True)
def specifications_of_integers(n):
    print(f"{n:5d}|{n:<5}|{n:05d}|{n:x}|{n:+,}|{n:>{n * n % 7 + 1}}")
    print("%d %05d %-5d|%+d %x %o %i" % (n, n, n, n, abs(n), abs(n), n))


@programs(2.7)
def an_integer_of_a_float(x):
    print("%d %5d" % (x, -x))


@programs(2.5, 3)
def containers(x, n):
    print([x, n], (x,), {"a": [n]}, Pair(x, n), Point(x), sep="; ")
    print(Point(n, [x]), {"k": (x, None, "s")}, [f"{x:.1f}", "it's"], end="!\n")


@programs(2.5)
@programs(2500.0)
def an_object_of_the_users(x):
    print(Length(x), f"{Length(x)} {Length(x):abc}")


@programs(3.0)
def joined_texts(x):
    s = "a {} "
    s += f"{x}"
    s = s + "b" + str(x) * 2
    print(s, ", ".join([str(x), "{x}", f"{x:.1f}"]), "; ".join(map(str, [x, 1])))


@programs(9.0)
@programs(0.5)
def printed_in_a_loop(x):
    i = 0
    while x > 1:
        x = x / 2
        i += 1
        print(f"{i}: {x:.3f}")
    return x


@programs(2.0)
def static_texts_stay_static(x):
    print("a {}", f"{1 + 1} {'b'}", "%d" % 3, sep="-", end="\n\n")
    print()
    return {f"k{1}": x}


@programs(3.0)
def a_list_that_the_text_changes(x):
    s = [1, 2]
    print(f"{s} {s.pop()} {x} {s}")


@programs(2.0, 3)
def a_width_of_the_users(x, n):
    print(f"{x:{n * 2}.{n}f}|", "%*.*f|" % (n * 3, n, x))


@programs(2.0)
def looks_like_a_marker(x):
    print(f"{x} __0__ {{__1__}}", "__0__", x)


def test_standard_error(capfd):
    def warns(x):
        print("low", x, file=sys.stderr, flush=True)
        print("high", x, file=sys.stdout)

    ag.to_graph(warns)(2.0)
    assert capfd.readouterr() == ("high 2.0\n", "low 2.0\n")


def test_warnings_are_issued_by_the_program():
    def cautious(x):
        if x > 1:
            warnings.warn(f"large: {x:.1f}", RuntimeWarning, stacklevel=2)
        return x

    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        compiled(cautious)(0.5)
        compiled(cautious)(2.5)
    assert [(str(w.message), w.category) for w in issued] == [("large: 2.5", RuntimeWarning)]


# -- kept and returned -----------------------------------------------------------------------------


@programs(2.5)
def returned(x):
    return f"{x:.2f}", [str(x), {"k": "%g" % x}], "constant"


@programs(2.5)
@programs(0.5)
def of_either_branch(x):
    if x > 1:
        s = f"value {x}"
    else:
        s = f"value {-x}"
    print(s)
    return s


@programs(2.5)
@programs(0.5)
def of_one_branch(x):
    if x > 1:
        s = f"big {x}"
    if x > 1:
        print(s)
    return x


@programs(2.0)
def a_variable_of_a_loop(x):
    s = f"start {x}"
    for i in range(3):
        s = f"step {i}"
        x = x * 2
    return s, x


@programs(9.0)
@programs(0.5)
def a_log(x):
    lines = []
    while x > 1:
        lines.append(f"{x:.2f}")
        x = x / 2
    return lines


@programs(V)
def of_rows(v):
    return ", ".join(f"{a:.1f}" for a in v)


@programs(2.0)
def is_a_text(x):
    return isinstance(f"{x}", str), type(str(x)).__name__


# -- raised ----------------------------------------------------------------------------------------


class Refused(ValueError):
    pass


class Coded(Exception):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


@programs(2.0)
@programs(-2.0)
def raises(x):
    if x < 0:
        raise ValueError(f"bad {x:.1f}")
    return x


@programs(0.5)
@programs(2.0)
@programs(-2.0)
def asserts(x):
    assert x > 0, f"x is {x}"
    assert x > 1, ("x", x)
    return x


def arguments_of(error):
    return type(error), error.args, vars(error)


def raises_a_class_of_the_users(x):
    if x < 0:
        raise Refused(x, 3, "a")
    return x


def raises_a_class_with_attributes(x):
    if x < 0:
        raise Coded(f"no {x}", 3)
    return x


def raises_a_key(x):
    if x < 0:
        raise KeyError(np.sin(x))
    return x


def raises_an_os_error(x):
    if x < 0:
        raise OSError(2, f"no {x}")
    return x


def raises_with_an_attribute(x):
    if x < 0:
        error = ValueError("m")
        error.level = x
        raise error
    return x


@pytest.mark.parametrize(
    "function",
    [
        raises,
        raises_a_class_of_the_users,
        raises_a_class_with_attributes,
        raises_a_key,
        raises_an_os_error,
        raises_with_an_attribute,
    ],
)
def test_what_an_exception_holds(function):
    expected = outcome(function, (-2.5,)).error
    found = outcome(compiled(function), (-2.5,)).error
    assert arguments_of(found)[:2] == arguments_of(expected)[:2]
    assert {k: v for k, v in vars(found).items() if k != "__notes__"} == vars(expected)
    assert compiled(function)(2.5) == 2.5


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x: len(f"{x}"),
        lambda x: f"{x}" == "2.0",
        lambda x: {f"{x}": 1},
        lambda x: f"{x}".upper(),
        lambda x: f"{str(x):>10}",
        lambda x: [c for c in str(x)],
        lambda x: "a" in f"{x}",
        lambda x: "%06.2f" % x,
        lambda x: "x".replace("x", f"{x}"),
    ],
)
def test_contents_of_a_text(function):
    with pytest.raises((errors.ConcreteValueError, errors.UnsupportedFunctionError)) as caught:
        ag.to_graph(function)(2.0)
    assert caught.value.fix


@pytest.mark.parametrize(
    "function",
    [
        lambda x: f"{x:d}",
        lambda v: f"{np.stack([v, v]):.1f}",
        lambda x: "%d %d" % (x,),
        lambda x: "%d" % (x, x),
        lambda x: "{} {}".format(x),
        lambda x: "a" + x,
        lambda x: ",".join([x]),
        lambda x: "%q" % x,
    ],
)
def test_mistakes_are_those_of_python(function):
    expected = outcome(function, (2.0,)).error
    with pytest.raises(type(expected)):
        ag.to_graph(function)(2.0)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: sys.stdout.write("x"),
        lambda x: open("/dev/null"),
        lambda x: input(),
        lambda x: print(x, file=FILE),
    ],
)
def test_files_are_left_alone(function):
    with pytest.raises(errors.AutographError):
        ag.to_graph(function)(2.0)


FILE = io.StringIO()


class Level(enum.IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    "value",
    [
        *(pathlib.Path("a/b"), decimal.Decimal("1.5"), fractions.Fraction(1, 3), Level.LOW),
        *(datetime.date(2020, 1, 2), int),
        *(np.datetime64("2020-01-01"), None, b"a", range(3), [decimal.Decimal(1)]),
    ],
    ids=repr,
)
def test_static_objects_whose_str_is_not_their_repr(value):
    def program(x):
        print(value, x, [value])
        return x, f"{value}|{value!r}|{value!s:>9}", "%s %r" % (value, value), str(value)

    check(program, 2.0)


def test_a_width_that_is_a_numpy_integer():
    check(lambda x, n: (f"{x:>{n}}", "{:{}.{}f}".format(x, n, n)), 2.5, np.int64(4))
