"""Texts, functions and enums that depend on traced values."""

import enum

import numpy as np
import pytest

from autograph.errors import ConcreteValueError, LoopStateError
from tests.support.oracle import Programs, check
from tests.support.refusals import refused

programs = Programs()


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def squared(v):
    return v * v


def doubled(v):
    print("doubled")
    return v + v


@programs(3.0)
@programs(-3.0)
def text(x):
    name = "pos" if x > 0 else "neg"
    return name, len(name), name == "pos", name + "!", "<" + name, name.upper(), name[0]


@programs(np.array([1.0, -1.0, 2.0, 3.0, -2.0, 0.0]))
@programs(np.array([1.0, 1.5, 2.0]))
def state_machine(xs):
    state = "idle"
    running = 0
    for x in xs:
        if state == "idle":
            if x > 1:
                state = "running"
        elif state == "running":
            running += 1
            if x < 0:
                state = "done"
    print(state, running)
    return state, running


@programs.smooth(3.0)
@programs.smooth(-1.0)
def ufunc(x):
    f = np.sin if x > 0 else np.cos
    return f(x) * x


@programs.smooth(3.0)
@programs.smooth(-1.0)
def function_of_the_users(x):
    f = squared
    if x < 0:
        f = doubled
    return f(x) * 2 + (f is squared)


@programs(3.0)
@programs(-1.0)
def members_of_an_enum(x):
    color = Color.RED if x > 0 else Color.BLUE
    y = 1.0 if color is Color.RED else 2.0
    return color, color.value * x, y


@programs(0)
@programs(2)
@programs(7)
def names_by_match(n):
    match n:
        case 0:
            name = "zero"
        case 1 | 2:
            name = "small"
        case _:
            name = "big"
    return name


@programs(3.0)
@programs(-3.0)
def none_or_a_text(x):
    message = None
    if x > 0:
        message = "big"
    return message, message is None


@programs(3.0)
@programs(-3.0)
def membership_and_truth(x):
    mark = "a" if x > 0 else ""
    k = 0
    if mark in ("a", "c"):
        k = 1
    if mark:
        k += 10
    return k, mark


@programs(3.0)
@programs(-3.0)
def formatted(x):
    kind = "pos" if x > 0 else "neg"
    print(f"{kind:>5} {x}", kind)
    if x < 0:
        raise ValueError(f"{kind} is {x}", kind)
    return f"<{kind}>"


@programs(3.0, 1.0)
@programs(-3.0, 1.0)
@programs(-3.0, -1.0)
def of_two(x, y):
    a = "p" if x > 0 else "n"
    b = "p" if y > 0 else "n"
    return a == b, a + b


@programs({"mode": "slow"}, 2.0)
@programs({"mode": "slow"}, -2.0)
def in_a_dict(settings, x):
    if x > 0:
        settings["mode"] = "fast"
    return settings["mode"] == "fast"


@programs.test
def test_choices(call):
    call.run()


def test_as_a_key():
    def f(x):
        return {"a" if x > 0 else "b": 1.0}

    assert "key" in refused(ConcreteValueError, f, 1.0)


def test_a_text_that_gets_longer_in_a_loop():
    def f(x):
        text = ""
        while x > 1:
            text = text + "ab"
            x = x / 2
        return text

    assert len(refused(LoopStateError, f, 3.0)) < 1000


# -- what cannot be done with all of them ----------------------------------------------------------


def under_a_guard(x):
    word = "abc" if x > 1 else "a"
    if len(word) > 2:
        return word[2]
    return "short"


def without_a_guard(x):
    word = "abc" if x > 1 else "a"
    return word[2]


def in_no_case(x):
    word = "abc" if x > 1 else "a"
    return word[5]


def with_an_and(x):
    word = "abc" if x > 1 else ""
    return word and word[0]


def length_or_none(x):
    word = "abc" if x > 1 else None
    if word is not None:
        return len(word)
    return 0


def function_or_none(x):
    wave = np.sin if x > 1 else None
    if wave is not None:
        return wave(x)
    return np.float64(0.0)


def function_or_none_unguarded(x):
    wave = np.sin if x > 1 else None
    return wave(x)


def repeated_by_a_text(x):
    word = "ab" if x > 1 else "b"
    letters = word[1:] + word
    return letters[2] if len(letters) > 2 else letters[0]


def two_choices(x):
    word = "abc" if x > 1 else "a"
    other = "c" if x > 0.5 else "d"
    return word.index(other) if other in word else -1


_UNEVEN = [
    *(under_a_guard, without_a_guard, in_no_case, with_an_and, length_or_none),
    *(function_or_none, function_or_none_unguarded, repeated_by_a_text, two_choices),
]


@pytest.mark.parametrize("function", _UNEVEN, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [2.0, 0.0])
def test_what_fails_for_one_of_the_objects_fails_if_it_is_that_one(function, x):
    check(function, x)

    def called(x):
        return [function(x), 1.0]

    check(called, x)


def test_a_handler_around_what_fails_for_one_of_the_objects():
    def first(x):
        word = "abc" if x > 1 else ""
        try:
            return word[0]
        except IndexError:
            return "none"

    check(first, 2.0)
    check(first, 0.0)


def test_a_handler_around_what_fails_for_all_of_them():
    def first(x):
        word = "abc" if x > 1 else ""
        try:
            return word[5]
        except IndexError:
            return "none"

    check(first, 2.0)
    check(first, 0.0)
