"""Calls with generators of random numbers among their arguments, which machine code takes as they
are: that of the call is drawn from, and is where NumPy leaves it."""

import sys
import threading
import unittest.mock
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from tests.kernels.native.test_object_calls import looked_up


def few(rng, x):
    return rng.random() + x * rng.normal()


def many(rng, n):
    total = 0.0
    for _ in range(n):
        if rng.random() < 0.5:
            total += rng.standard_exponential()
    return total


def of_two(a, x, b):
    return a.random() * x - b.random()


@dataclass
class Walker:
    rng: Any
    step: float = 0.5

    def walk(self, n):
        at = 0.0
        for _ in range(n):
            at += self.step if self.rng.random() < 0.5 else -self.step
        return at


def walked(walker, n):
    return walker.walk(n)


def new(seed, kind=np.random.PCG64):
    return np.random.Generator(kind(seed))


CALLS = {
    "a few draws": (few, lambda k: (new(k), 2.0)),
    "a loop": (many, lambda k: (new(k), 10 + k)),
    "two": (of_two, lambda k: (new(k), 1.5, new(k + 1))),
    "a method": (walked, lambda k: (Walker(new(k)), 20)),
    "other bits": (few, lambda k: (new(k, np.random.Philox), 2.0)),
    "legacy": (few, lambda k: (np.random.RandomState(k), 2.0)),
}


def states(value):
    """Where generators are, of arguments."""
    kinds = np.random.Generator, np.random.RandomState
    generators = [getattr(x, "rng", x) for x in value]
    found = [g for g in generators if isinstance(g, kinds)]
    return [str(g.bit_generator.state if isinstance(g, kinds[0]) else g.get_state()) for g in found]


@pytest.mark.parametrize("name", CALLS)
def test_calls_that_are_alike_need_no_look_up(name):
    python, arguments = CALLS[name]
    function = ag.to_graph(python)
    function(*arguments(0))
    assert looked_up(function, *map(arguments, range(1, 4))) == 0
    for k in range(5):
        ours, pythons = arguments(k), arguments(k)
        for _ in range(3):
            assert function(*ours) == python(*pythons)
        assert states(ours) == states(pythons) != states(arguments(k))


def test_calls_that_are_not_alike_are_looked_up():
    function = ag.to_graph(few)
    function(new(1), 2.0)
    assert looked_up(function, (new(2, np.random.Philox), 2.0)) == 1
    assert looked_up(function, (np.random.RandomState(2), 2.0)) == 1
    for make in (new, lambda seed: new(seed, np.random.MT19937), np.random.RandomState):
        ours, pythons = make(3), make(3)
        assert function(ours, 2.0) == few(pythons, 2.0)
        assert states([ours]) == states([pythons])


def test_one_generator_as_two_arguments_after_two():
    function = ag.to_graph(of_two)
    for _ in range(3):
        function(new(1), 1.5, new(2))
    ours, pythons = new(3), new(3)
    for _ in range(3):
        assert function(ours, 1.5, ours) == of_two(pythons, 1.5, pythons)
    assert function(new(1), 1.5, new(2)) == of_two(new(1), 1.5, new(2))


SHARED = np.random.default_rng(1)


def both(rng, x):
    return rng.random() * x - SHARED.random()


def test_a_generator_that_the_function_also_finds_outside():
    function = ag.to_graph(both)
    SHARED.bit_generator.state = new(1).bit_generator.state
    found = [function(new(2), 3.0) for _ in range(3)]
    found += [function(SHARED, 3.0) for _ in range(3)]
    SHARED.bit_generator.state = new(1).bit_generator.state
    assert found[:3] == [both(new(2), 3.0) for _ in range(3)]
    assert found[3:] == [both(SHARED, 3.0) for _ in range(3)]


def test_the_generator_of_all_code():
    """It is an argument like no other: functions of ``np.random`` draw from it, too."""
    function = ag.to_graph(few)
    function(np.random.RandomState(1), 2.0)
    function(np.random.RandomState(2), 2.0)
    shared = np.random.mtrand._rand
    with unittest.mock.patch.object(
        type(function), "_look_up", autospec=True, side_effect=KeyError("looked up")
    ):
        assert isinstance(function(np.random.RandomState(3), 2.0), float)
        with pytest.raises(KeyError, match="looked up"):
            function(shared, 2.0)


def test_what_is_raised_leaves_a_generator_where_python_does():
    def draws(rng, scale):
        return rng.random() + rng.normal(0.0, scale)

    function = ag.to_graph(draws)
    function(new(0), 1.0)
    ours, pythons = new(4), new(4)
    for scale in (1.0, -1.0, 2.0):
        for one, rng in ((function, ours), (draws, pythons)):
            if scale < 0:
                with pytest.raises(ValueError, match="scale < 0"):
                    one(rng, scale)
            else:
                one(rng, scale)
        assert states([ours]) == states([pythons])


def test_what_a_kernel_gives_up_is_drawn_again():
    def powers(rng, n):
        total = 1
        for _ in range(n):
            total = total * (2 + int(rng.integers(3)))
        return total

    function = ag.to_graph(powers)
    function(new(0), 5)
    ours, pythons = new(6), new(6)
    for n in (20, 200, 20):  # the second one is beyond 64 bits
        assert function(ours, n) == powers(pythons, n)
        assert states([ours]) == states([pythons])


def test_calls_in_a_call_draw_from_their_own(capsys):
    """Printing calls the function again, with another generator."""

    def shown(rng, x):
        total = 0.0
        for _ in range(2):
            total += rng.random()
            print(total)
        return total + rng.random() + x

    function = ag.to_graph(shown)
    function(new(0), 1.0)
    written, inner = sys.stdout.write, []

    def write(text):
        if not inner:
            inner.append(None)
            inner.append(function(new(9), 2.0))
        return written(text)

    ours, pythons = new(5), new(5)
    with unittest.mock.patch.object(sys.stdout, "write", write):
        found = function(ours, 1.0)
    assert found == shown(pythons, 1.0)
    assert inner[1] == shown(new(9), 2.0)
    assert states([ours]) == states([pythons])


def test_threads_with_generators_of_their_own_run_at_once():
    """Each waits, in the middle of its draws, for the other one to be there, too."""

    def shown(rng, n):
        total = 0.0
        for k in range(n):
            total += rng.random()
            if k == 3:
                print("here")
        return total

    function = ag.to_graph(shown)
    function(new(0), 2)
    assert function.kernels(new(0), 2)
    barrier, found = threading.Barrier(2), {}

    def write(text):
        if text.strip():
            barrier.wait(300)
        return len(text)

    def run(seed):
        found[seed] = function(new(seed), 10)

    with unittest.mock.patch.object(sys.stdout, "write", write):
        threads = [threading.Thread(target=run, args=(seed,)) for seed in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not barrier.broken
    assert sorted(found) == [1, 2]
    for seed, total in found.items():
        rng, wanted = new(seed), 0.0
        for _ in range(10):
            wanted += rng.random()
        assert total == wanted
