"""``match`` with patterns of all kinds."""

# The programs under test are odd on purpose.

import collections
import dataclasses
import enum

import pytest

from autograph.source.load import convert
from tests.support.side_by_side import check, converted

SUBJECTS = [
    *(None, True, False, 0, 1, 2.0, 5, "ab", b"ab", "", (), [], {}),
    *((1,), [1, 2], (1, 2, 3), [0, [1, 2]], [[], ()], range(4), collections.deque([1, 2])),
    *({"x": 1}, {"x": 1, "y": 2}, {"y": {"x": [3]}}, {1: 2}, {3}),
]


@dataclasses.dataclass
class Point:
    x: object
    y: object = 0


class Bare:
    def __init__(self):
        self.x = 7

    def __eq__(self, other):
        return type(other) is Bare


class Color(enum.Enum):
    RED = 1
    BLUE = 2


SUBJECTS += [Point(1, 2), Point(0), Point([1, 2], Point(3, 4)), Bare(), Color.RED, Color.BLUE]


def on_all(function):
    for subject in SUBJECTS:
        check(function, subject)


def test_sequences():
    def f(s):
        match s:
            case []:
                return "empty"
            case [x]:
                return "one", x
            case (1, x):
                return "starts with one", x
            case [a, [b, c]]:
                return a, b, c
            case [a, *rest, 3]:
                return a, rest
            case [*_, last]:
                return last
        return "none"

    on_all(f)


def test_mappings():
    def f(s):
        match s:
            case {"x": 1, **rest} if rest:
                return "rest", rest
            case {"x": x}:
                return x
            case {"y": {"x": [z]}}:
                return z
            case {}:
                return "mapping"
            case _:
                return "other"

    on_all(f)


def test_classes():
    def f(s):
        match s:
            case bool(b):
                return "bool", b
            case int() | float():
                return "number", s
            case str(text) | bytes(text):
                return text
            case Point([_, second], Point(x, y)):
                return second, x, y
            case Point(x=0, y=y):
                return "on the axis", y
            case Point(x, y):
                return x, y
            case Color.RED:
                return "red"
            case Bare(x=x, nothing=_):
                return "never"
            case Bare(x=x):
                return x
            case list(items) if len(items) > 1:
                return items
        return "other"

    on_all(f)


def test_captures_and_guards():
    def f(s, log):
        x = y = "before"
        match s:
            case [x, y] if log.append((x, y)) or x == 1:
                found = "pair"
            case [x, *_] as whole if whole and x:
                found = "sequence", whole
            case x if x is None:
                found = "none"
            case (Point(x, 2) | Point(0, x)) as y:
                found = "point"
            case _ if s == 5:
                found = "five"
            case _:
                return "no match", x, y, log
        return found, x, y, log

    for subject in SUBJECTS:
        check(f, subject, [])


def test_alternatives_that_bind():
    def f(s):
        match s:
            case [x] | [1, x] | [_, [x, _]] | {"x": x} | Point(x, _):
                return x
            case (0 | 1 | 5) as n:
                return "number", n
            case None | True:
                return "singleton"

    on_all(f)


def test_exits_in_a_loop():
    def f(subjects):
        trace = []
        for s in subjects:
            match s:
                case [] | ():
                    continue
                case {"x": n} if n == 1:
                    break
                case str(text):
                    return text, trace
                case [first, *_]:
                    trace.append(first)
            trace.append("end")
        else:
            trace.append("else")
        return trace

    check(f, SUBJECTS)
    check(f, SUBJECTS[8:])
    check(f, SUBJECTS[10:20])


def test_subject_and_parts_are_evaluated_once():
    def f(log):
        match log.append("subject") or (iter([1]), [2, 3]):
            case (1, _):
                return "never"
            case (it, [a, b]):
                return list(it), a, b, log

    check(f, [])


def test_too_many_positional_patterns():
    def f(s):
        match s:
            case Bare(x):
                return x
            case Point(a, b, c):
                return a

    def g(s):
        match s:
            case int(a, b):
                return a

    def h(s, kind):
        match s:
            case kind(x=1):
                return 1

    for function in (f, g):
        on_all(function)
    with pytest.raises(TypeError, match="called match pattern must be a class"):
        converted(h)(1, 2)


def test_in_a_lambda_that_captures():
    def f(s):
        functions = []
        for item in s:
            match item:
                case [x, y]:
                    functions.append(lambda x=x: (x, y))
        return [g() for g in functions]

    check(f, [[1, 2], 3, [4, 5]])


def test_text():
    def f(s):
        match s:
            case (0, y):
                return y
        return s

    text = convert(f).text
    assert "subject_0 = s" in text and "(parts_0 := ops.match_sequence(subject_0, 2))" in text
