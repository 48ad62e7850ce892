"""A mistake of ours is none of the user's exceptions: no handler takes it, wherever it is."""

import contextlib
import math

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import AutographError, CompilerError
from autograph.staging import tracer

X = np.arange(1.0, 4.0)
MISTAKES = ["None + 1", "[][0]", "{}['a']", "None.shape", "1 / 0", "int('x')", "next(iter(()))"]


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return True


def in_any_handler(x):
    try:
        return np.sin(x)
    except Exception:
        return x * 5.0


def in_a_bare_handler(x):
    try:
        return np.sin(x)
    except:  # noqa: E722
        return x * 5.0


def in_a_for(x):
    y = x
    for i in range(x.shape[0]):
        try:
            y = np.sin(y)
        except Exception:
            y = y * 5.0 + i
    return y


def in_a_while(x):
    y, i = x, 0
    while y[0] < 100 and i < 10:
        try:
            y = np.sin(y)
        except Exception:
            y = y * 5.0
        i += 1
    return y


def callee(x):
    return np.sin(x)


def in_a_callee(x):
    try:
        return callee(x)
    except Exception:
        return x * 5.0


def around_a_loop(x):
    y = x
    try:
        for _ in range(100):
            y = callee(y)
    except Exception:
        y = x * 5.0
    return y


def suppressed(x):
    y = x * 5.0
    with contextlib.suppress(Exception):
        y = np.sin(x)
    return y


def in_a_with(x):
    y = x * 5.0
    with Swallows():
        y = np.sin(x)
    return y


def in_a_stack(x):
    y = x * 5.0
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(Exception))
        y = np.sin(x)
    return y


def in_a_comprehension(x):
    try:
        return [np.sin(x * k) for k in range(40)][0]
    except Exception:
        return x * 5.0


def in_a_branch(x):
    try:
        y = np.sin(x) if x[0] > 0 else x
    except Exception:
        y = x * 5.0
    return y


def dropped_by_a_finally(x):
    for _ in range(1):
        try:
            np.sin(x)
        finally:
            return x * 5.0  # noqa: B012


def differentiated(x):
    try:
        return ag.grad(lambda z: np.sum(np.sin(z)))(x)
    except Exception:
        return x * 5.0


def beside_a_handled_one(x):
    try:
        if x[0] > 0:
            raise ValueError("known by the run alone")
        y = np.sin(x)
    except Exception:
        y = x * 5.0
    return y


PLACES = [
    *(in_any_handler, in_a_bare_handler, in_a_for, in_a_while, in_a_callee, around_a_loop),
    *(suppressed, in_a_with, in_a_stack, in_a_comprehension, in_a_branch, dropped_by_a_finally),
    differentiated,
]


def plant(monkeypatch, mistake, name="followed"):
    """Let the recorder make a mistake where it records a sine."""
    right = getattr(tracer, name)
    namespace = dict(vars(tracer), right=right, is_sine=lambda op: op is ops.sin)
    source = f"def wrong(op, *args):\n    if is_sine(op): {mistake}\n    return right(op, *args)"
    exec(source, namespace)
    monkeypatch.setattr(tracer, name, namespace["wrong"])


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
@pytest.mark.parametrize("name", ["followed", "_refuse_many_axes"])
def test_nobody_takes_a_mistake(monkeypatch, place, name):
    plant(monkeypatch, "None + 1", name)
    with pytest.raises(CompilerError, match="TypeError: unsupported operand") as found:
        ag.to_graph(place)(X)
    assert isinstance(found.value, TypeError)
    assert found.value.location.file == __file__
    assert "report" in found.value.fix


@pytest.mark.parametrize("mistake", [*MISTAKES, "raise AssertionError('x')"])
def test_all_kinds_of_mistakes(monkeypatch, mistake):
    plant(monkeypatch, mistake)
    with pytest.raises(CompilerError):
        ag.to_graph(in_any_handler)(X)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_programs_that_handle_exceptions(monkeypatch, mistake):
    plant(monkeypatch, mistake)
    with pytest.raises(AutographError):
        ag.to_graph(beside_a_handled_one)(X)


# -- what the program raises is handled as ever ------------------------------------------------


def needs_two(x, y):
    return x + y


def raises(x):
    raise LookupError("the user's")


CAUGHT = [
    (lambda x: 1 // 0, ZeroDivisionError),
    (lambda x: [1.0, 2.0][5], IndexError),
    (lambda x: (1.0, 2.0)[5], IndexError),
    (lambda x: [].pop(), IndexError),
    (lambda x: [1, 2].index(3), ValueError),
    (lambda x: [1, 2].remove(3), ValueError),
    (lambda x: {"a": 1}["b"], KeyError),
    (lambda x: {"a": 1}.pop("b"), KeyError),
    (lambda x: {[1]: 2}, TypeError),
    (lambda x: next(iter([])), StopIteration),
    (lambda x: int("x"), ValueError),
    (lambda x: "a" + 1, TypeError),
    (lambda x: math.sqrt(-1), ValueError),
    (lambda x: needs_two(x), TypeError),
    (lambda x: raises(x), LookupError),
    (lambda x: x + np.zeros(4), ValueError),
    (lambda x: x.reshape(7), ValueError),
    (lambda x: x[7], IndexError),
    (lambda x: x[0, 0], IndexError),
    (lambda x: np.sum(x, axis=5), ValueError),
    (lambda x: np.sort(x, axis=5), np.exceptions.AxisError),
    (lambda x: np.concatenate([]), ValueError),
    (lambda x: np.cumsum(x, dtype="nothing"), TypeError),
    (lambda x: np.roll(x, None), TypeError),
    (lambda x: np.linalg.inv(x), np.linalg.LinAlgError),
    (lambda x: np.linalg.inv(np.outer(x, x)[:2]), np.linalg.LinAlgError),
    (lambda x: x.nothing, AttributeError),
    (lambda x: float("x"), ValueError),
    (lambda x: f"{x:d}", TypeError),
    (lambda x: x @ np.zeros(4), ValueError),
]


@pytest.mark.parametrize("number", range(len(CAUGHT)))
def test_what_python_raises_is_handled(number):
    function, kind = CAUGHT[number]

    def handles(x):
        try:
            function(x)
        except kind:
            return x * 5.0
        return x

    expected = handles(X)
    assert np.array_equal(expected, X * 5.0)
    assert np.array_equal(ag.to_graph(handles)(X), expected)
