"""What ``AUTOGRAPH_LOG`` makes the compiler tell."""

import logging

import numpy as np
import pytest

import autograph as ag
from tests.support.processes import file_of, run_python

scale = 2.0
table = np.ones(3)


@pytest.fixture
def told(caplog):
    """A function that gives what was told since it was last called."""
    caplog.set_level(logging.DEBUG, logger="autograph")

    def take():
        messages = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return messages

    return take


def line(function, offset=0):
    return f"{__file__}:{function.__code__.co_firstlineno + offset}"


def helper(x):
    return x * scale


def uses_helper(x):
    return helper(x) + table.sum()


def test_conversions_and_compilations(told):
    ag.to_graph(uses_helper)(1.0)
    converted, recording, callee, compiled = told()
    assert converted.startswith(f"uses_helper ({line(uses_helper)}:1): converted in ")
    assert recording == f"uses_helper ({line(uses_helper)}:1): recording"
    assert callee.startswith(f"helper ({line(helper)}:1): converted in ")
    assert compiled.startswith("uses_helper: compiled for (x: float) in ")


def test_a_call_with_a_known_signature_is_silent(told):
    f = ag.to_graph(lambda x: x + 1)
    f(1.0)
    told()
    f(2.0)
    assert told() == []


def sized(x, n=2, mode="a", box=None):
    y = np.zeros(n)
    return y + x.sum()


X3, X4 = np.ones(3), np.ones(4)


@pytest.mark.parametrize(
    "first, then, why",
    [
        ((X3,), (X4,), "argument 'x' was f64[3], is f64[4]"),
        ((X3,), (X3.astype("f4"),), "argument 'x' was f64[3], is f32[3]"),
        ((np.float64(1),), (np.array(1.0),), "argument 'x' was f64[], is f64[] (an array)"),
        ((X3, 2, "a"), (X3, 2, "b"), "argument 'mode' was 'a', is 'b'"),
        ((X3, 2), (X3, 3), "argument 'n' was 2, is 3"),
        ((X3, 2, "a", None), (X3, 2, "a", object()), "argument 'box' was None, is object object"),
        (
            (X3, 2, "a", object()),
            (X3, 2, "a", object()),
            "argument 'box' is another object object",
        ),
        ((X3,), (X3, 5), "there is a new argument 'n': int"),
        ((X3, 2), (X3,), "there is no argument 'n'"),
    ],
)
def test_why_a_function_is_recorded_again(told, first, then, why):
    f = ag.to_graph(sized)
    f(*first)
    told()
    f(*then)
    assert f"sized ({line(sized)}:1): recording again, because {why}" in told()[0]


def test_the_call_is_compared_with_the_one_most_like_it(told):
    f = ag.to_graph(lambda x, y: x.sum() + y.sum())
    f(X3, X3)
    f(X4, X4)
    told()
    f(X3, X3.astype("f4"))
    assert told()[0].endswith("recording again, because argument 'y' was f64[3], is f32[3]")


def test_containers_are_compared_by_their_leaves(told):
    f = ag.to_graph(lambda p: p["w"].sum() + p["b"][0])
    f({"w": X3, "b": [1.0, 2.0]})
    told()
    f({"w": X4, "b": [1.0, 2.0]})
    assert told()[0].endswith("argument 'p_w' was f64[3], is f64[4]")


def test_what_becomes_static_and_where(told):
    f = ag.to_graph(sized)
    f(X3, 4)
    told()
    f(X4 > 0, 4)
    _, static, compiled = told()
    assert f"because the value of 'n' (4) is needed at {line(sized, 1)}" in static
    assert static.endswith(": it becomes static")
    assert "compiled for (x: bool[4], n: 4)" in compiled


def test_any_length(told):
    f = ag.to_graph(sized)
    f(X3, 4)
    told()
    f(X4, 4)
    recording, compiled = told()
    assert recording.endswith("recording again, because argument 'x' was f64[3], is f64[4]")
    assert "compiled for any lengths, n >= 2, in " in compiled
    f(np.ones(7), 4)
    assert told() == []
    f(np.ones(7), 5)  # a value that counts
    assert "argument 'n' was 4, is 5" in told()[0]


def test_an_outside_variable_that_was_rebound(told, monkeypatch):
    f = ag.to_graph(uses_helper)
    f(1.0)
    told()
    monkeypatch.setitem(globals(), "scale", 5.0)
    f(1.0)
    assert told()[0].endswith("recording again, because 'scale' was 2.0, is 5.0")
    monkeypatch.setitem(globals(), "table", np.ones(4))
    f(1.0)
    assert told()[0].endswith("recording again, because 'table' was f64[3], is f64[4]")
    monkeypatch.setitem(globals(), "helper", sized)
    f(np.ones(2))
    f(X3)
    monkeypatch.setitem(globals(), "helper", lambda x: x)
    told()
    f(X3)
    assert "'helper' was sized, is " in told()[0]


class Unprintable:
    def __repr__(self):
        raise AssertionError("the log must not run code of the user's")


def test_no_code_of_the_users_runs_for_the_log(told):
    f = ag.to_graph(lambda x, box: x)
    f(1.0, Unprintable())
    f(1.0, Unprintable())
    assert "compiled for (x: float)" in told()[-1]


def run(level, tmp_path, **options):
    program = "import autograph as ag\nf = ag.to_graph(lambda x: x + 1)\nprint(f(1.0), f(2))\n"
    return run_python(file_of(tmp_path / "program.py", program), AUTOGRAPH_LOG=level)


@pytest.mark.costly
@pytest.mark.parametrize("level, recordings", [("debug", 2), ("INFO", 0), ("warning", 0), ("", 0)])
def test_the_level_is_that_of_the_environment(level, recordings, tmp_path):
    ran = run(level, tmp_path)
    assert ran.stdout == "2.0 3\n"
    assert ran.stderr.count("recording") == recordings
    assert ran.stderr.count("converted") == (1 if level in ("debug", "INFO") else 0)
    assert ran.stderr.count("compiled") == (2 if level in ("debug", "INFO") else 0)


def test_a_level_that_does_not_exist(tmp_path):
    ran = run("loud", tmp_path)
    assert ran.returncode != 0
    assert "[AG0605] the environment variable AUTOGRAPH_LOG is 'loud'" in ran.stderr
    assert "Fix: choose from debug, info, warning, error" in ran.stderr


def over_a_list(x):
    for name in ["a", "b"]:
        x = x + len(name)
    return x


def picks_from_a_list(x):
    for i in range(2):
        x = x + {0: 1.0, 1: 2.0}[i]
    return x


def over_texts(x):
    text = ""
    while len(text) < 2:
        text = text + "a"
    return x


@pytest.mark.parametrize(
    "function, offset, why",
    [
        (over_a_list, 1, "it goes through something that is neither a range nor an array"),
        (picks_from_a_list, 1, "a traced value is used as a key"),
        (over_texts, 2, "variable 'text' changes from one trip of the loop to the next"),
    ],
)
def test_why_a_loop_runs_as_python(told, function, offset, why):
    assert ag.to_graph(function)(1.0) == function(1.0)
    assert any(
        message.startswith(line(function, offset)) and f"runs as Python, because {why}" in message
        for message in told()
    )


def test_a_graph_loop_is_not_mentioned(told):
    def f(x):
        for i in range(3):
            x = x + i
        return x

    ag.to_graph(f)(1.0)
    assert not any("runs as Python" in message for message in told())
