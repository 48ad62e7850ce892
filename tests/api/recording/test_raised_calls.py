"""What is raised while recording is part of a program once it is raised again: fresh each time, and
recorded anew where what decides it has changed."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.support.processes import file_of, printed, with_cache


class Refused(ValueError):
    def __init__(self, what, number):
        super().__init__(f"{what} {number}")
        self.number = number


def never(x):
    raise NotImplementedError


def of_kind(x, kind="other"):
    if kind not in ("one", "two"):
        raise Refused(kind, 3)
    return x


def of_length(x):
    if len(x) != 3:
        raise ValueError(f"{len(x)} elements", (len(x), None))
    return x


def chained(x):
    try:
        return {}["key"]
    except KeyError as error:
        raise Refused("chained", 1) from error


def of_python(x):
    return [x][4]


def of_a_library(x, text="{"):
    return int(text) * x


def unheard(x):
    raise FileNotFoundError(2, "no such file")


CASES = [never, of_kind, of_length, chained, of_python, of_a_library, unheard]


def ending(function, *args):
    """What a call raises: all that can be seen of it."""
    with pytest.raises(Exception) as raised:
        function(*args)
    seen = []
    error = raised.value
    while error is not None:
        state = {k: v for k, v in vars(error).items() if k != "__notes__"}
        seen.append((type(error), error.args, state, error.__cause__ is None))
        error = error.__cause__ or error.__context__
    return seen


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_what_is_raised_again_is_recorded_once_more(function, recordings):
    compiled, x = ag.to_graph(function), np.ones(2)
    expected = ending(function, x)
    for _ in range(5):
        assert ending(compiled, x) == expected
    assert len(recordings) == 4  # twice as it is, for a function and those of its code


def test_each_exception_is_another_one():
    compiled, errors = ag.to_graph(never), []
    for _ in range(4):
        with pytest.raises(NotImplementedError) as raised:
            compiled(1.0)
        errors.append(raised.value)
    assert len({id(error) for error in errors}) == 4
    assert all(error.__context__ is None for error in errors)


def told(x):
    raise Refused([1, 2], np.dtype(float))


def with_state(x):
    error = ValueError("noted")
    error.around = {1, 2}
    raise error


class Silent:
    pass


def of_an_attribute(x):
    return Silent.missing * x


@pytest.mark.parametrize("function", [with_state, of_an_attribute, told])
def test_what_no_program_can_raise_is_raised_while_recording(function, recordings):
    compiled = ag.to_graph(function)
    expected = ending(function, 1.0)
    before = []
    for _ in range(4):
        assert ending(compiled, 1.0) == expected
        before.append(len(recordings))
    assert before[-1] - before[-2] == 1  # nothing more is tried


TABLE: dict[str, float] = {}
MODE = "strict"


def looked_up(x):
    return TABLE["scale"] * x


def by_mode(x):
    if MODE == "strict":
        raise ValueError(MODE)
    return 2.0 * x


def by_environment(x):
    return float(os.environ["SCALE_OF_TEST"]) * x


def helped(x):
    return helper(x)


def helper(x):
    raise ValueError("to be written")


def test_it_is_recorded_again_where_what_decides_has_changed(monkeypatch):
    monkeypatch.delenv("SCALE_OF_TEST", raising=False)
    changes = {
        looked_up: lambda: monkeypatch.setitem(TABLE, "scale", 2.0),
        by_mode: lambda: monkeypatch.setitem(globals(), "MODE", "lenient"),
        by_environment: lambda: monkeypatch.setenv("SCALE_OF_TEST", "2"),
        helped: lambda: monkeypatch.setitem(globals(), "helper", lambda x: x + x),
    }
    for function, change in changes.items():
        compiled = ag.to_graph(function)
        for _ in range(4):
            with pytest.raises((KeyError, ValueError)):
                compiled(1.5)
        change()
        assert [compiled(1.5), compiled(2.5)] == [3.0, 5.0]


def warned(x):
    warnings.warn("to be left", DeprecationWarning)  # noqa: B028
    return 2.0 * x


def divided(x):
    return x * float(np.float64(1.0) / np.float64(0.0))


@pytest.mark.parametrize("function", [warned, divided])
def test_what_settings_make_an_exception_is_none_without_them(function):
    compiled = ag.to_graph(function)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        for _ in range(4):
            with pytest.raises((DeprecationWarning, FloatingPointError)):
                compiled(1.0)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert compiled(1.0) == function(1.0)


class Counter:
    def __init__(self):
        self.left = 2
        self.seen = []

    def take(self, x):
        if not self.seen:
            raise IndexError("nothing was seen")
        return x * self.seen[-1]


def test_a_method_raises_until_its_object_has_changed():
    counter = Counter()
    compiled = ag.to_graph(Counter.take)
    for _ in range(4):
        with pytest.raises(IndexError, match="nothing was seen"):
            compiled(counter, 1.5)
    counter.seen.append(3.0)
    assert compiled(counter, 1.5) == 4.5


def said(x, how="loud"):
    print("before", x)
    if how == "loud":
        raise ValueError(how)
    return x


def test_what_is_printed_before_is_printed_each_time(capsys):
    compiled = ag.to_graph(said)
    for number in range(4):
        with pytest.raises(ValueError, match="loud"):
            compiled(float(number))
    assert capsys.readouterr().out == "".join(f"before {number}.0\n" for number in range(4))


@pytest.mark.parametrize("transform", [ag.grad, ag.vmap, lambda f: ag.to_graph(lambda x: f(x))])
def test_transforms_raise_it_as_well(transform):
    compiled = transform(never)
    for _ in range(4):
        with pytest.raises(NotImplementedError):
            compiled(np.ones(2))


def test_arguments_for_which_nothing_is_raised_are_computed():
    compiled = ag.to_graph(of_kind)
    for kind in ("other", "other", "one", "other", "two", "three", "three", "three"):
        if kind in ("one", "two"):
            assert compiled(2.0, kind) == 2.0
        else:
            with pytest.raises(Refused, match=f"{kind} 3") as raised:
                compiled(2.0, kind)
            assert raised.value.number == 3


def test_the_next_process_finds_the_program_on_disk(tmp_path):
    text = """
import logging
import autograph as ag

def f(x):
    raise ValueError("own", 2)

messages = []
handler = logging.Handler()
handler.emit = lambda record: messages.append(record.getMessage())
logging.getLogger("autograph").addHandler(handler)
compiled = ag.to_graph(f)
for _ in range(3):
    try:
        compiled(1.0)
    except ValueError as error:
        print(error.args)
print(sum("): recording" in message for message in messages))
"""
    path = file_of(tmp_path / "raises.py", text)
    cache = with_cache(tmp_path) | {"AUTOGRAPH_LOG": "debug"}
    first, second = (printed(path, **cache).split("\n") for _ in range(2))
    assert first[:3] == second[:3] == ["('own', 2)"] * 3
    assert [first[3], second[3]] == ["4", "0"]
