"""Tracebacks show the frames of the user's functions, as Python's do, none of the compiler's."""

import inspect
import json
import os
import pickle
import sys
import traceback

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 2.0, 3.0])


def fails(x):
    if np.sum(x) > 0.0:
        for i in range(3):
            x = x + i
            while x[0] < 10.0:
                x = x.not_there  # of recording
    return np.sum(x)


def calls(x):
    y = x * 2.0
    return fails(y) + 1.0


class Model:
    def __call__(self, x):
        return self.inner(x)

    def inner(self, x):
        return calls(x)


def raises(x):
    if np.sum(x) > 0.0:
        raise ValueError(f"got {x[0]}")
    return np.sum(x)


def dumps(x):
    return json.dumps(x)


def frames_of(call):
    """The exception of a call, and the frames that its traceback shows below this one."""
    with pytest.raises(Exception) as caught:
        call()
    found = traceback.extract_tb(caught.value.__traceback__)
    assert found[0].name == "frames_of" and found[1].name == "<lambda>"
    return caught.value, without_one_of_ours(found[2:])


def without_one_of_ours(frames):
    """In Python 3.10 the frame that raises an exception again can't be taken out."""
    if sys.version_info >= (3, 11):
        return frames
    return [frame for frame in frames if f"{os.sep}api{os.sep}calls{os.sep}" not in frame.filename]


def shown(frames):
    return [(frame.name, frame.line) for frame in frames]


OF_RECORDING = [
    ("calls", "return fails(y) + 1.0"),
    ("fails", "x = x.not_there  # of recording"),
]


@pytest.mark.parametrize(
    "make",
    [
        *(ag.to_graph, ag.grad, ag.value_and_grad, ag.jacrev, ag.jacfwd, ag.hessian),
        lambda f: ag.to_graph(ag.grad(ag.to_graph(f))),
        lambda f: lambda x: ag.jvp(f, (x,), (x,)),
        lambda f: lambda x: ag.vjp(f, x),
        lambda f: ag.vmap(f, in_axes=None, axis_size=2),
        lambda f: lambda x: ag.to_graph(f).lower(x),
        lambda f: lambda x: ag.to_graph(f).graph(x),
        lambda f: lambda x: ag.to_graph(f).explain(x),
    ],
)
def test_of_recording(make):
    function = make(calls)
    for _ in range(2):
        error, frames = frames_of(lambda: function(X))
        frames = [frame for frame in frames if frame.name != "<lambda>"]
        assert shown(frames) == OF_RECORDING
        assert error.id == "AG0359"


def test_of_methods():
    compiled = ag.to_graph(Model())
    _, frames = frames_of(lambda: compiled(X))
    assert shown(frames)[2:] == OF_RECORDING
    assert [frame.name for frame in frames[:2]] == ["__call__", "inner"]


def test_the_lines_are_those_that_python_shows():
    _, expected = frames_of(lambda: calls(X))
    _, found = frames_of(lambda: ag.to_graph(calls)(X))
    assert [(f.filename, f.lineno, f.name) for f in found] == [
        (f.filename, f.lineno, f.name) for f in expected
    ]


@pytest.mark.parametrize("make", [ag.to_graph, ag.grad], ids=["to_graph", "grad"])
def test_of_the_run(make):
    function = make(raises)
    function(-X)
    for _ in range(3):  # by the look-up, and by what calls alike find in machine code
        error, frames = frames_of(lambda: function(X))
        assert shown(frames) == []
        assert "raise ValueError(f" in "".join(traceback.format_exception(error))


def test_of_a_function_of_a_library_the_cause_shows_the_librarys_frames():
    error, frames = frames_of(lambda: ag.to_graph(dumps)(X[0]))
    assert shown(frames) == [("dumps", "return json.dumps(x)")]
    inside = traceback.extract_tb(error.__cause__.__traceback__)
    assert inside and all("json" in frame.filename for frame in inside)


def test_of_an_operator_there_is_no_cause_that_says_the_same():
    error, frames = frames_of(lambda: ag.to_graph(lambda x: x + np.ones(5))(X))
    assert error.id == "AG0402" and error.__cause__ is None
    assert "another exception" not in "".join(traceback.format_exception(error))


def test_of_what_cannot_be_converted():
    async def waits(x):
        return x

    for transform in (ag.to_graph, ag.grad, ag.vmap):
        error, frames = frames_of(lambda: transform(waits))
        assert shown(frames) == [] and error.id == "AG0106"


def doubled(x):
    return x * 2.0


def test_of_what_transforms_return():
    """Functions that are called later, and what is written for elsewhere."""
    pull, push = ag.vjp(doubled, X)[1], ag.linearize(doubled, X)[1]
    other, dates = np.ones(5), np.array(["2020-01-01"], "M8[D]")
    for call in (
        lambda: pull(other),
        lambda: pull(X, X),
        lambda: push(other),
        lambda: push(X, X),
        lambda: pickle.dumps(ag.to_graph(lambda x: x)),
        lambda: ag.export.c(doubled, dates),
        lambda: ag.export.onnx(doubled, dates),
        lambda: ag.export.stablehlo(doubled, dates),
        lambda: ag.export.object(doubled, dates),
    ):
        error, frames = frames_of(call)
        assert shown(frames) == [] and error.id.startswith("AG"), error


def test_of_a_loaded_function(tmp_path):
    ag.to_graph(doubled).save(tmp_path / "doubled", X)
    loaded = ag.load(tmp_path / "doubled")
    for wrong in (np.ones(5), "a"):
        error, frames = frames_of(lambda wrong=wrong: loaded(wrong))
        assert shown(frames) == [] and error.id == "AG0612"


@pytest.mark.parametrize("make", [ag.grad, ag.value_and_grad, ag.hessian])
def test_an_error_that_comes_in_each_way_of_recording_is_shown_once(make):
    """As of an int, for which a call is recorded as one of numbers and as one of a symbol."""
    error, frames = frames_of(lambda: make(lambda x: x * x)(3))
    assert shown(frames) == [] and error.id == "AG0503"
    assert "".join(traceback.format_exception(error)).count("[AG0503]") == 1


def test_of_what_is_no_error():
    def interrupts(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        ag.to_graph(interrupts)(X)
    frames = traceback.extract_tb(caught.value.__traceback__)
    names = [frame.name for frame in without_one_of_ours(frames)]
    assert names == [inspect.currentframe().f_code.co_name, "interrupts"]


def test_of_a_function_that_the_compiler_calls_back():
    def pulls(x, ct):
        return x.not_there

    @ag.custom_vjp
    def squared(x):
        return x * x

    squared.defvjp(lambda x: (x * x, x), pulls)
    _, frames = frames_of(lambda: ag.grad(squared)(2.0))
    assert shown(frames) == [("pulls", "return x.not_there")]


def test_all_frames(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_TRACEBACK", "full")
    _, frames = frames_of(lambda: ag.to_graph(calls)(X))
    assert len(frames) > 20
    names = [frame.name for frame in frames]
    assert "calls" in names and "fails" in names and "record_loop" in names
