"""Exceptions amid loops that print, those of streams and formats among them, are Python's."""

import io
import sys

import numpy as np
import pytest

import autograph as ag
from tests.kernels.test_printing import Shown, check, progress


class Broken(io.StringIO):
    """A stream that raises at some write."""

    def __init__(self, writes, error):
        super().__init__()
        self.writes, self.error = writes, error

    def write(self, text):
        self.writes -= 1
        if self.writes < 0:
            raise self.error
        return super().write(text)


@pytest.mark.parametrize("error", [BrokenPipeError("gone"), KeyboardInterrupt(), SystemExit(3)])
def test_a_stream_that_raises(error):
    compiled = ag.to_graph(progress)
    for writes in (0, 1, 7, 8, 11):
        found = []
        for function in (progress, compiled):
            stream, before = Broken(writes, error), sys.stdout
            sys.stdout = stream
            try:
                with pytest.raises(type(error)) as raised:
                    function(1.5, 1000)
            finally:
                sys.stdout = before
            found.append(stream.getvalue())
            assert raised.value is error
        assert found[0] == found[1]
    check(progress, 1.5, 1000, compiled=compiled)  # as if nothing had been


def test_the_line_that_raised():
    compiled = ag.to_graph(progress)
    before, sys.stdout = sys.stdout, Broken(3, BrokenPipeError("gone"))
    try:
        with pytest.raises(BrokenPipeError) as raised:
            compiled(1.5, 1000)
    finally:
        sys.stdout = before
    (note,) = raised.value.__notes__
    assert f"test_printing.py:{progress.__code__.co_firstlineno + 5}" in note


def test_what_is_printed_before_an_exception():
    def f(x, n):
        t = 0
        for i in range(n):
            print("at", i, t)
            t = 10 // (4 - i)
        return t

    check(f, 1.0, 3)
    check(f, 1.0, 10)

    def outside(x, n):
        t = 0.0
        for i in range(n):
            y = x * 2.0
            print("at", i)
            t = t + y[i]
            print("then", t)
        return t

    check(outside, np.arange(3.0), 3)
    check(outside, np.arange(3.0), 6)

    def raises(x, n):
        for i in range(n):
            x = x * 1.5
            print(x)
            if x > 5.0:
                raise ValueError(f"at {i}")
        return x

    check(raises, 1.0, 2)
    check(raises, 1.0, 20)


def test_a_format_that_raises():
    def f(x, n):
        t = 0.0
        for i in range(n):
            t = t + x
            print(f"{x:.2f}")
        return t

    compiled = ag.to_graph(f)
    check(f, np.float64(1.0), 2, compiled=compiled)
    found, expected = (Shown(g, (np.array(1.0), 2)) for g in (compiled, f))
    assert type(found.outcome.error) is type(expected.outcome.error)


def test_settings_that_do_without_machine_code_for_calls(monkeypatch):
    from autograph.kernels.native import python_api

    monkeypatch.setattr(python_api, "usable", lambda: False)
    check(progress, 1.5, 1000)
    compiled = ag.to_graph(progress)
    before, sys.stdout = sys.stdout, Broken(3, BrokenPipeError("gone"))
    try:
        with pytest.raises(BrokenPipeError):
            compiled(1.5, 1000)
    finally:
        sys.stdout = before
