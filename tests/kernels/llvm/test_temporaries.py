"""Temporaries that share memory, with each other and with results: in loops, in branches, and where
a loop takes them from trip to trip."""

import random

import numpy as np
import pytest

from autograph.kernels.ir import overlays, temporaries
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.filled import filled
from autograph.kernels.ir.ir import For
from autograph.kernels.ir.temporaries import TemporaryPlacement
from tests.kernels.llvm.support import check

SIZE = 104  # half of it is no multiple of a vector


class RandomArrays:
    """A kernel of statements on whole arrays, each element of which is defined where it is read."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.b = b = KernelBuilder(f"arrays{seed}")
        self.inputs = [b.input("float64", SIZE, "x") for _ in range(2)]
        self.trips = b.parameter("int64", "trips")
        self.outputs = [b.output("float64", SIZE, "y") for _ in range(3)]
        self.sum = b.temporary("float64", SIZE)  # of all that is computed
        try:
            self.fill_simply(self.sum, self.inputs)
            self.block(self.inputs, 3)
            self.fill(self.outputs[0], [*self.inputs, self.sum])
            self.block([*self.inputs, self.outputs[0]], 2)
            for output in self.outputs[1:]:
                self.fill(output, [*self.inputs, self.sum])
            self.kernel = b.finish()
        finally:
            b.close()

    def value(self, known, i):
        pick, b = self.random.choice, self.b
        place = pick([i, SIZE - 1 - i, i])
        return b.load(pick(known), place) * pick([0.5, 0.25]) + b.load(pick(known), i)

    def fill(self, target, known):
        """Write all of an array, in one of some ways."""
        known = [x for x in known if x is not target]
        b, way = self.b, self.random.randrange(6)
        if way == 0:
            for start in (0, SIZE // 2):
                with b.each(SIZE // 2) as i:
                    b.store(target, start + i, self.value(known, i))
        elif way == 1:
            with b.each(SIZE // 2) as i:
                b.store(target, 2 * i, self.value(known, i))
                b.store(target, 2 * i + 1, self.value(known, i))
        elif way == 2:

            def row(r):
                with b.each(SIZE // 8) as i:
                    b.store(target, r * (SIZE // 8) + i, self.value(known, i))
                return ()

            b.for_(8, (), row)
        elif way == 3:
            side = lambda: self.fill_simply(target, known)
            b.if_(b.load(known[0], 3) > 0.0, side, side)
        else:
            self.fill_simply(target, known)

    def fill_simply(self, target, known):
        with self.b.each(SIZE) as i:
            self.b.store(target, i, self.value(known, i))
        return ()

    def change(self, target, known):
        """Write a part of an array."""
        known = [x for x in known if x is not target]
        count = self.random.choice([1, 7, SIZE // 2])
        with self.b.each(count) as i:
            self.b.store(target, 2 * i, self.value(known, i))

    def block(self, known, depth):
        """Statements; those arrays that they define are known only in them."""
        known = list(known)
        own = [x for x in known if x.kind == "temporary"]
        for _ in range(self.random.randrange(2, 6)):
            kind = self.random.random()
            if kind < 0.45 or depth == 0:
                new = self.b.temporary("float64", SIZE)
                self.fill(new, known)
                known.append(new)
                own.append(new)
            elif kind < 0.6 and own:
                self.change(self.random.choice(own), known)
            elif kind < 0.7 and own:
                self.fill(self.random.choice(own), known)
            elif kind < 0.78:
                side = lambda: self.block(known, depth - 1)
                self.b.if_(self.b.load(known[-1], 0) > 0.0, side, side)
            else:
                self.loop(known, depth - 1)
            if self.random.random() < 0.6:
                self.add(known)
        return ()

    def add(self, known):
        """Have what is in the last arrays count."""
        with self.b.each(SIZE) as i:
            total = self.b.load(self.sum, i) * 0.5
            for array in known[-2:]:
                total = total + self.b.load(array, SIZE - 1 - i) * 0.25
            self.b.store(self.sum, i, total)

    def loop(self, known, depth):
        b = self.b
        first = b.temporary("float64", SIZE) if self.random.random() < 0.4 else None

        def trip(i, *_):
            here = list(known)
            if first is not None:  # made in the first trip, and taken to the others
                b.if_(b.long(i) == 0, lambda: self.fill_simply(first, known))
                here.append(first)
            self.add(here)
            self.block(here, depth)
            if first is not None and self.random.random() < 0.5:
                self.change(first, here)
            return ()

        def going(i):
            return i < self.trips

        def following(i):
            trip(i)
            return (i + 1,)

        if self.random.random() < 0.3:
            b.while_((b.long(0),), going, following)
        else:
            b.for_(self.random.choice([self.trips, 3]), (), trip)


@pytest.fixture(autouse=True)
def small_ones(monkeypatch):
    """Small arrays are written over, too."""
    monkeypatch.setattr(temporaries, "_LEAST_OVERLAID", 64)
    monkeypatch.setattr(overlays, "_LONG", 1)


def compared(seed):
    made = RandomArrays(seed)
    numbers = np.random.default_rng(seed)
    given = [numbers.normal(size=SIZE) for _ in made.inputs]
    check(made.kernel, *given, seed % 4)


@pytest.mark.costly
@pytest.mark.parametrize("part", range(4))
def test_random_arrays(part):
    for seed in range(5 * part, 5 * part + 5):
        compared(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4, 40))
def test_more_random_arrays(part):
    for seed in range(5 * part, 5 * part + 5):
        compared(seed)


def rounds(fill):
    """A loop of which ``fill`` writes an array in each trip that is then read, for four arrays."""
    b = KernelBuilder("rounds")
    x, y = b.input("float64", SIZE, "x"), b.output("float64", SIZE, "y")
    with b.each(SIZE) as i:
        b.store(y, i, b.load(x, i))
    arrays = [b.temporary("float64", SIZE) for _ in range(4)]

    def trip(k):
        for array in arrays:
            fill(b, array, x, k)
            with b.each(SIZE) as i:
                b.store(y, i, b.load(y, i) * 0.5 + b.load(array, SIZE - 1 - i))
        return ()

    b.for_(3, (), trip)
    return b.finish()


def whole(b, array, x, k):
    with b.each(SIZE) as i:
        b.store(array, i, b.load(x, i))


def halves(b, array, x, k):
    with b.each(SIZE // 2) as i:
        b.store(array, i, b.load(x, i))
        b.store(array, SIZE // 2 + i, b.load(x, i))


def pairs(b, array, x, k):
    with b.each(SIZE // 2) as i:
        b.store(array, 2 * i, b.load(x, i))
        b.store(array, 2 * i + 1, b.load(x, i))


def rows(b, array, x, k):
    def row(r):
        with b.each(SIZE // 8) as i:
            b.store(array, SIZE - SIZE // 8 - r * (SIZE // 8) + i, b.load(x, i))
        return ()

    b.for_(8, (), row)


def a_part(b, array, x, k):
    with b.each(SIZE - 1) as i:
        b.store(array, i, b.load(x, i))


def every_other(b, array, x, k):
    with b.each(SIZE // 2) as i:
        b.store(array, 2 * i, b.load(x, i))


def at_first(b, array, x, k):
    def fill():
        whole(b, array, x, k)
        return ()

    b.if_(k == 0, fill)


@pytest.mark.parametrize("fill", [whole, halves, pairs, rows])
def test_arrays_that_each_trip_fills_share_memory(fill):
    kernel = rounds(fill)
    assert TemporaryPlacement(kernel).nbytes == SIZE * 8
    check(kernel, np.linspace(0.5, 1.5, SIZE))


@pytest.mark.parametrize("fill", [a_part, every_other, at_first])
def test_arrays_that_trips_take_from_others_do_not(fill):
    kernel = rounds(fill)
    assert TemporaryPlacement(kernel).nbytes == 4 * SIZE * 8
    check(kernel, np.linspace(0.5, 1.5, SIZE)) if fill is at_first else None


def test_what_a_loop_reads_is_kept_for_all_of_its_trips():
    b = KernelBuilder("kept")
    x, y = b.input("float64", SIZE, "x"), b.output("float64", SIZE, "y")
    with b.each(SIZE) as i:
        b.store(y, i, b.load(x, i))
    kept, made = b.temporary("float64", SIZE), b.temporary("float64", SIZE)
    whole(b, kept, x, None)

    def trip(_):
        with b.each(SIZE) as i:
            b.store(made, i, b.load(y, i) + b.load(kept, SIZE - 1 - i))
        with b.each(SIZE) as i:
            b.store(y, i, b.load(made, SIZE - 1 - i))
        return ()

    b.for_(3, (), trip)
    kernel = b.finish()
    assert TemporaryPlacement(kernel).nbytes == 2 * SIZE * 8
    check(kernel, np.linspace(0.5, 1.5, SIZE))


def with_result(size, itemsize=8, shared=False, early=False):
    """A temporary that is not needed any more when the result is written.

    Args:
        shared: whether the result is memory of an argument.
        early: whether its first element is written before all else.
    """
    b = KernelBuilder("result")
    x, y = b.input("float64", size, "x"), b.output(f"float{8 * itemsize}", size, "y")
    if shared:
        z = b.input(y.dtype, size, "z")
        b.share(z, y)
    if early:
        b.store(y, 0, b.cast(b.load(x, 0), y.dtype))
    first, second = b.temporary("float64", size), b.temporary("float64", size)
    for target, given in ((first, x), (second, first), (y, second)):
        with b.each(size) as i:
            b.store(target, i, b.cast(b.load(given, size - 1 - i), target.dtype))
    return b.finish()


def test_temporaries_are_in_results_that_are_written_later():
    kernel = with_result(SIZE * 4)
    assert TemporaryPlacement(kernel).nbytes == SIZE * 4 * 8
    check(kernel, np.linspace(0.5, 1.5, SIZE * 4))


@pytest.mark.parametrize("how", ["shared", "early"])
def test_results_that_hold_something_are_no_room(how):
    kernel = with_result(SIZE * 4, **{how: True})
    assert TemporaryPlacement(kernel).nbytes == 2 * SIZE * 4 * 8


def test_results_of_smaller_elements_are_no_room():
    assert TemporaryPlacement(with_result(SIZE * 8, itemsize=4)).nbytes == 2 * SIZE * 8 * 8


def test_trips_in_which_an_element_is_read_where_it_was_written():
    b = KernelBuilder("elements")
    x, y = b.input("float64", SIZE, "x"), b.output("float64", SIZE, "y")
    own, other = b.temporary("float64", SIZE), b.temporary("float64", SIZE)

    def trip(k):
        b.store(own, k, b.load(x, k))
        b.store(y, k, b.load(own, k))
        b.store(other, k, b.load(x, k))
        b.store(y, k, b.load(y, k) + b.load(other, SIZE - 1 - k))
        return ()

    b.for_(SIZE, (), trip)
    (loop,) = (s for s in b.finish().body if isinstance(s, For))
    assert filled(loop, [own, other]) == {own}
