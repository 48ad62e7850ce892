"""Memory that kernels reserve, at all levels: executed on the CPU, against the interpreter."""

import numpy as np
import pytest

from autograph.kernels.cuda import run
from autograph.kernels.cuda.plan import KEPT, LANES, ROOMS
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.builder import KernelBuilder
from tests.kernels.cuda.compare import assert_same, check, run_both
from tests.kernels.cuda.machine import Device, Unit, execute

HUGE = 1e9  # nanoseconds: a loop that is worth a grid


def chain(b, length, dtype="int64"):
    """Push ``length`` records, then add up what they hold, from the last to the first."""

    def push(k, last):
        at = b.reserve(16)
        b.store(b.record("int64", 1, at, 0, "below"), 0, last)
        b.store(b.record(dtype, 1, at, 8, "kept"), 0, b.cast(k + 1, dtype))
        return [at]

    def pop(_, at, total):
        kept = b.load(b.record(dtype, 1, at, 8, "kept"), 0)
        return b.load(b.record("int64", 1, at, 0, "below"), 0), total + b.cast(kept, "int64")

    (last,) = b.for_(length, [b.long(0)], push, ["last"])
    return b.for_(length, [last, b.long(0)], pop, ["at", "total"])[1]


def parameters(printed):
    return [{x for x, _ in entry.parameters} & {KEPT, ROOMS, LANES} for entry in printed.entries]


def test_outside_of_loops_and_in_lanes():
    b = KernelBuilder("levels")
    y = b.output("int64", 150)
    first = b.reserve(8)
    kept = b.record("int64", 1, first, 0)
    b.store(kept, 0, b.long(7))
    with b.each(150, work=HUGE) as i:
        b.store(y, i, chain(b, b.compute("rest", i, 5)) + b.load(kept, 0))
    kernel = b.finish()
    assert parameters(print_cuda(kernel)) == [{KEPT}, {LANES}]
    check(kernel)


def test_in_rows_and_in_lanes():
    """An array that the lanes of a row fill, in memory of the row; chains in that of the lanes."""
    b = KernelBuilder("levels")
    y = b.output("int64", 5 * 70)
    with b.each(5, "parallel", work=HUGE) as row:
        at = b.reserve(8 * 70)
        shared = b.record("int64", 70, at, 0)
        with b.each(70) as j:
            b.store(shared, j, chain(b, b.compute("rest", j + row, 4)))
        with b.each(70) as j:
            b.store(y, row * 70 + j, b.load(shared, 69 - j) * 10 + row)
    kernel = b.finish()
    assert parameters(print_cuda(kernel)) == [{ROOMS, LANES}]
    check(kernel, blocks=2)


def test_all_threads_of_a_block_start_from_the_same_place():
    """None counts what is reserved before all have read where to begin."""
    b = KernelBuilder("start")
    y = b.output("int64", 64)
    kept = b.record("int64", 64, b.reserve(8 * 64), 0)
    with b.each(64) as i:
        b.store(kept, i, i * 3)
    with b.each(64, work=HUGE) as i:
        b.store(y, i, b.load(kept, i))
    check(b.finish())


@pytest.mark.parametrize("length", [20, 140])  # warps, blocks
@pytest.mark.parametrize("work", [1.0, HUGE])
def test_at_all_levels(length, work):
    """Of loops in order around a parallel one: each trip's residuals, then they are read."""
    b = KernelBuilder("levels")
    rows = 3
    x, y = b.input("float64", rows * length), b.output("float64", rows * length)
    total = b.output("int64", 1)

    def forward(k, last):
        at = b.reserve(8 + 8 * rows * length)
        b.store(b.record("int64", 1, at, 0), 0, last)
        kept = b.record("float64", rows * length, at, 8)
        with b.each(rows, "parallel", work=work) as row:
            own = b.record("float64", length, b.reserve(8 * length), 0)
            with b.each(length) as j:
                v = b.load(x, row * length + j) + b.cast(k, "float64")
                b.store(own, j, v)
            with b.each(length) as j:
                more = b.cast(chain(b, b.compute("rest", j, 3)), "float64")
                b.store(kept, row * length + j, b.load(own, (length - 1) - j) + more)
        return [at]

    def backward(k, at, steps):
        kept = b.record("float64", rows * length, at, 8)
        with b.each(rows * length, work=work) as i:
            b.store(y, i, b.load(kept, i) * 0.5 + b.load(x, i))
        return b.load(b.record("int64", 1, at, 0), 0), steps + k

    (last,) = b.for_(3, [b.long(0)], forward)
    _, steps = b.for_(3, [last, b.long(0)], backward)
    b.store(total, 0, steps)
    check(b.finish(), np.random.default_rng(0).standard_normal(rows * length))


@pytest.mark.parametrize("work", [1.0, HUGE])
def test_trips_of_threads(work):
    """A parallel loop without others in it: a room for each thread."""
    b = KernelBuilder("trips")
    y = b.output("int64", 100)
    with b.each(100, "parallel", work=work) as i:
        b.store(y, i, chain(b, b.compute("rest", i, 7)))
    check(b.finish(), blocks=2)


def test_more_room_is_made_at_each_level(monkeypatch):
    b = KernelBuilder("levels")
    y = b.output("int64", 150)
    kept = b.record("int64", 100, b.reserve(800), 0)
    b.store(kept, 99, b.long(7))
    with b.each(150, work=HUGE) as i:
        b.store(y, i, chain(b, b.compute("rest", i, 15)) + b.load(kept, 99))
    printed = print_cuda(b.finish())
    monkeypatch.setattr(run, "FIRST_ROOM", 8)
    monkeypatch.setattr(run, "KERNEL_ROOMS", 2)
    expected, found, device = run_both(Unit([printed]), printed, [])
    assert_same(found[0], expected[0])
    assert len(device.launches) > 4


def test_launches_of_a_loop_share_their_rooms():
    b = KernelBuilder("again")
    y = b.output("int64", 150)

    def step(k):
        with b.each(150, work=HUGE) as i:
            b.store(y, i, chain(b, b.compute("rest", i + k, 5)))
        return []

    b.for_(40, (), step)
    printed = print_cuda(b.finish())
    found = [np.zeros(150, "i8")]
    device = execute(Unit([printed]), printed, [], found)
    length = (np.arange(150) + 39) % 5
    assert_same(found[0], length * (length + 1) // 2)
    assert len(device.launches) == 40 and len(device._memory) < 5


def test_room_that_was_enough_is_where_the_next_run_starts():
    b = KernelBuilder("long")
    y = b.output("int64", 100)
    with b.each(100, work=HUGE) as i:
        b.store(y, i, chain(b, b.compute("rest", i, 2) * 2000))
    printed = print_cuda(b.finish())
    unit = Unit([printed])
    room, launches = None, []
    for _ in range(2):
        device = Device(unit)
        room = run.run(printed, device, [], [device.allocate(800)], room)
        launches.append(len(device.launches))
    assert room == 2**15 and launches == [5, 1]


def test_large_rooms_are_for_fewer_threads(monkeypatch):
    """So that they take no more memory; but not where blocks are combined in their order."""
    kernels = []
    for summed in (False, True):
        b = KernelBuilder("wide")
        y, sums = b.output("int64", 5000), []
        with b.each(5000, reductions=sums, work=HUGE) as i:
            v = chain(b, b.compute("rest", i, 3))
            b.store(y, i, v)
            if summed:
                sums.append(b.reduction("+", v, 0))
        if summed:
            b.store(b.output("int64", 1), 0, sums[0].out)
        kernels.append(print_cuda(b.finish()))
    unit = Unit(kernels)
    monkeypatch.setattr(run, "MOST_ROOM_BYTES", 64 * 2048 * 4)
    blocks = []
    for printed in kernels:
        device = Device(unit, blocks=20)
        run.run(printed, device, [], [device.allocate(8 * x.size) for x in printed.kernel.outputs])
        blocks.append(device.launches[0][1])
    assert blocks == [4, 79]


@pytest.mark.parametrize("kind", ["reserved", "local"])
def test_the_next_trip_waits_for_the_memory_of_the_last(kind):
    """Lanes that are ahead do not write what others still read."""
    b = KernelBuilder("ahead")
    rows, length = 6, 200
    y = b.output("int64", rows * length)

    def row_of(row):
        def fill():
            if kind == "local":
                own = b.local("int64", length, "own")
            else:
                own = b.record("int64", length, b.reserve(8 * length), 0)
            with b.each(length) as j:
                b.store(own, j, j * 10 + row)
            with b.each(length) as j:
                b.store(y, row * length + j, b.load(own, (length - 1) - j))
            return []

        return fill

    with b.each(rows, "parallel", work=HUGE) as row:
        b.if_(row < 5, row_of(row))
    check(b.finish(), blocks=1)
