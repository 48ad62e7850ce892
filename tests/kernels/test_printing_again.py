"""Kernels that are given up amid what they print, and run again, print nothing twice."""

import io
import sys
import threading

import pytest

import autograph as ag
from autograph.kernels import effects
from tests.kernels.kernel_check import give_up_soon
from tests.kernels.test_printing import Shown, check, progress


@pytest.fixture
def soon_given_up(monkeypatch):
    give_up_soon(monkeypatch)


def test_a_kernel_that_is_optimised_amid_a_call(soon_given_up, monkeypatch):
    restarts, restart = [], effects.restart
    monkeypatch.setattr(effects, "restart", lambda: (restarts.append(1), restart()))
    check(progress, 1.5, 1000)
    assert restarts


def test_a_stream_whose_writing_runs_kernels(soon_given_up):
    """What a stream does has nothing to do with what the kernel has done that writes to it."""

    @ag.to_graph
    def inner(n):
        t = 0
        for i in range(n):
            print("inner", i, t)
            t = t + i
        return t

    class Nested(io.StringIO):
        depth = 0

        def write(self, text):
            if not self.depth and text.startswith("at"):
                self.depth = 1
                inner(3)
                self.depth = 0
            return super().write(text)

    texts = [Shown(f, (1.5, 500), Nested()).text for f in (progress, ag.to_graph(progress))]
    assert texts[0] == texts[1]
    assert texts[0].count("inner") == 15


def test_effects_that_are_left_out():
    shown = []
    show = effects.once(shown.append)

    def run(repeats, *values):
        for k, value in enumerate(values):
            show(value)
            if k < repeats:
                effects.restart()
                for again in values[: k + 1]:
                    show(again)

    effects.repeatable(run)(3, "a", "b", "c", "d")
    assert shown == ["a", "b", "c", "d"]

    def fails():
        show("e")
        effects.restart()
        raise ValueError

    with pytest.raises(ValueError):
        effects.repeatable(fails)()
    show("f")  # nothing is left to be left out
    assert shown == ["a", "b", "c", "d", "e", "f"]


def test_repetitions_in_each_other():
    shown = []
    show = effects.once(shown.append)

    @effects.repeatable
    def inner(name, repeats):
        for _ in range(repeats):
            effects.restart()
            show(name + "1")
            show(name + "2")

    @effects.repeatable
    def outer():
        for _ in range(2):
            effects.restart()
            show("x")
            inner("a", 3)
            show("y")
            inner("b", 1)

    outer()
    assert shown == ["x", "a1", "a2", "y", "b1", "b2"]


def test_threads_print_each_their_own(soon_given_up):
    compiled = ag.to_graph(progress)
    texts = {}

    class PerThread(io.StringIO):
        def write(self, text):
            texts.setdefault(threading.get_ident(), []).append(text)

    before, sys.stdout = sys.stdout, PerThread()
    try:
        threads = [threading.Thread(target=compiled, args=(1.5, 2000)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.stdout = before
    expected = Shown(progress, (1.5, 2000)).text
    assert ["".join(parts) for parts in texts.values()] == [expected] * 4
