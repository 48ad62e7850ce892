"""Data races of kernels on the CPU: planted ones are found, and what is ordered is none."""

import re

import numpy as np
import pytest

from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import GaveUp
from tests.kernels.cuda import hand_built
from tests.kernels.cuda.compare import check
from tests.kernels.cuda.in_c import in_c
from tests.kernels.cuda.machine import execute
from tests.kernels.cuda.shim import Unit

ONE, SEVERAL = {"covers": False}, {"covers": True}
WARP = {"threads": 32}

RACES = {
    "a missing barrier between a store and a load": (
        "__shared__ int y[64]; y[threadIdx.x] = 1; x[threadIdx.x] = y[63 - threadIdx.x];",
        ONE,
    ),
    "a store to what others may still read": (
        "__shared__ int y[64]; y[threadIdx.x] = 1; __syncthreads();"
        "x[threadIdx.x] = y[63 - threadIdx.x]; y[threadIdx.x] = x[threadIdx.x] + 1;"
        "__syncthreads(); x[threadIdx.x] += y[threadIdx.x];",
        ONE,
    ),
    "two blocks that store to one element": ("if (threadIdx.x == 3) x[5] = blockIdx.x;", SEVERAL),
    "two blocks that store one number": ("if (threadIdx.x == 3) x[5] = 1;", SEVERAL),
    "a block that reads what another one stores": (
        "const int k = threadIdx.x; if (blockIdx.x == 0) x[k] = 1; else if (x[k] > 9) x[k] = 2;",
        SEVERAL,
    ),
    "a barrier, which is not one of other blocks": (
        "if (blockIdx.x == 0) x[threadIdx.x] = 1; __syncthreads();"
        "if (blockIdx.x == 1) x[63 - threadIdx.x] = 1;",
        SEVERAL,
    ),
    "threads that store one number": ("x[threadIdx.x / 2] = 1;", ONE),
    "threads that never wait": ("x[threadIdx.x / 2] += threadIdx.x;", {"cooperative": False}),
    "partial sums that are read before a barrier": (
        "__shared__ int parts[2];"
        "int t = threadIdx.x;"
        "for (int step = 16; step > 0; step /= 2) t += __shfl_down_sync(0xffffffffu, t, step);"
        "if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = t;"
        "x[threadIdx.x] = parts[0] + parts[1];",
        ONE,
    ),
    "lanes of a warp without a barrier": (
        "__shared__ int y[32]; y[threadIdx.x] = 1; x[threadIdx.x] = y[31 - threadIdx.x];",
        WARP,
    ),
    "a shuffle, which orders no memory": (
        "__shared__ int y[32]; y[threadIdx.x] = 1;"
        "const int t = __shfl_sync(0xffffffffu, 1, 0); x[threadIdx.x] = y[31 - threadIdx.x] + t;",
        WARP,
    ),
    "a vote, which orders no memory": (
        "__shared__ int y[32]; y[threadIdx.x] = 1;"
        "const int t = __any_sync(0xffffffffu, 1); x[threadIdx.x] = y[31 - threadIdx.x] + t;",
        WARP,
    ),
    "a barrier of a warp between two warps": (
        "__shared__ int y[64]; y[threadIdx.x] = 1; __syncwarp();"
        "x[threadIdx.x] = y[63 - threadIdx.x];",
        ONE,
    ),
    "an atomic beside a store": ("atomicAdd(x, 1); if (threadIdx.x == 7) x[0] = 5;", ONE),
    "an atomic beside a load": (
        "if (blockIdx.x == 0) atomicAdd(x, 1); else x[threadIdx.x + 1] = x[0];",
        {"covers": True, "threads": 1},
    ),
    "a beginning by one lane without a barrier": (
        "__shared__ int total; if (threadIdx.x == 0) total = 0; atomicAdd(&total, 1);"
        "__syncthreads(); x[threadIdx.x] = total;",
        ONE,
    ),
    "a word over a byte of another thread": (
        "if (threadIdx.x == 0) x[1] = 7; if (threadIdx.x == 40) ((signed char *)x)[6] = 1;",
        ONE,
    ),
    "a reader among many": (
        "__shared__ int y; if (threadIdx.x == 0) y = 1; __syncthreads();"
        "x[threadIdx.x] = y; __syncwarp(); if (threadIdx.x == 9) y = 2;"
        "__syncthreads(); x[threadIdx.x] += y;",
        ONE,
    ),
}

ORDERED = {
    "a barrier": (
        "__shared__ int y[64]; y[threadIdx.x] = 1; __syncthreads();"
        "x[threadIdx.x] = y[63 - threadIdx.x]; __syncthreads(); y[threadIdx.x] = 2;"
        "__syncthreads(); x[threadIdx.x] += y[63 - threadIdx.x];",
        ONE,
    ),
    "a barrier with a vote": (
        "x[threadIdx.x] = 1; const int t = __syncthreads_or(0); x[63 - threadIdx.x] += t;",
        ONE,
    ),
    "a barrier of a warp": (
        "__shared__ int y[64]; y[threadIdx.x] = 1; __syncwarp();"
        "x[threadIdx.x] = y[threadIdx.x ^ 31]; __syncwarp(); y[threadIdx.x ^ 1] = 2;"
        "__syncwarp(); x[threadIdx.x] += y[threadIdx.x ^ 2];",
        ONE,
    ),
    "barriers of warps, then one of the block": (
        "__shared__ int y[64]; y[threadIdx.x ^ 1] = 1; __syncwarp(); y[threadIdx.x ^ 2] = 1;"
        "__syncthreads(); x[threadIdx.x] = y[63 - threadIdx.x];",
        ONE,
    ),
    "atomics of all blocks": ("atomicAdd(x, 1); atomicAdd(x + threadIdx.x, 1);", SEVERAL),
    "volatile stores and loads": (
        "volatile int *y = x; if (y[0] > 5) return; y[0] = 1;",
        SEVERAL,
    ),
    "a shuffle of what is in registers": (
        "x[threadIdx.x] = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 1);",
        ONE,
    ),
    "elements of their own": (
        "for (int i = blockIdx.x * 8 + threadIdx.x; i < 64; i += gridDim.x * 8) x[i] += i;",
        {"covers": True, "threads": 8, "cooperative": False},
    ),
    "bytes of their own": ("((signed char *)x)[threadIdx.x] = 1;", ONE),
    "loads of one element": ("if (x[0] + x[1] > 9 && threadIdx.x == 99) x[0] = 1;", SEVERAL),
    "arrays of each thread": (
        "int y[9]; for (int k = 0; k < 9; k++) y[(k + threadIdx.x) % 9] = k;"
        "if (blockIdx.x == 0) x[threadIdx.x] = y[threadIdx.x % 5];",
        SEVERAL,
    ),
    "arrays of threads that never wait": (
        "int y[9]; for (int k = 0; k < 9; k++) y[(k + threadIdx.x) % 9] = k;"
        "if (blockIdx.x == 0) x[threadIdx.x] = y[threadIdx.x % 5];",
        {"covers": True, "cooperative": False},
    ),
    "shared memory of each block": (
        "__shared__ int y[64]; y[threadIdx.x] = blockIdx.x; __syncthreads();"
        "if (blockIdx.x == 0) x[threadIdx.x] = y[63 - threadIdx.x];",
        SEVERAL,
    ),
}


@pytest.fixture(scope="module")
def planted():
    """All kernels of this file, compiled at once."""
    made = {name: in_c(text, **given) for name, (text, given) in (RACES | ORDERED).items()}
    return Unit(list(made.values())), made


def launched(planted, name, seed):
    unit, made = planted
    execute(unit, made[name], [], [np.zeros(64, "i4")], seed=seed)


def test_planted_races_are_found(planted):
    for name in RACES:
        for seed in range(3):  # it does not depend on the order in which threads run
            with pytest.raises(AssertionError, match="a data race in f on") as raised:
                launched(planted, name, seed)
            assert (
                len(re.findall(r"\n  thread \d+ of block \d (reads|writes)", str(raised.value)))
                == 2
            )


@pytest.mark.parametrize("name", ORDERED)
def test_what_is_ordered_is_no_race(planted, name):
    for seed in range(3):
        launched(planted, name, seed)


def test_launches_are_ordered():
    printed = in_c("x[threadIdx.x] = 1;", "x[63 - threadIdx.x] += 1;", "x[0] += threadIdx.x == 0;")
    printed.entries[2].threads = 1
    execute(Unit([printed]), printed, [], [np.zeros(64, "i4")])


def test_a_race_says_who_does_what_where():
    text = (
        "__shared__ int total[4];\nif (threadIdx.x == 7)\ntotal[2] = 1;\nif (threadIdx.x == 40)\n"
    )
    printed = in_c(text + "x[3] = total[2];")
    with pytest.raises(AssertionError) as raised:
        execute(Unit([printed]), printed, [], [np.zeros(64, "i4")])
    head, *sides = str(raised.value).split("\n")
    assert head == "a data race in f on shared total[2]:"
    assert sorted(re.sub(r"line \d+", "line ..", side) for side in sides) == [
        "  thread 40 of block 0 reads: line .., x[3] = total[2];",
        "  thread 7 of block 0 writes: line .., total[2] = 1;",
    ]
    printed = in_c(
        "if (threadIdx.x == 3)\natomicAdd(x + 5, 2);\nelse if (threadIdx.x == 2)\nx[5] = 1;"
    )
    with pytest.raises(AssertionError) as raised:
        execute(Unit([printed]), printed, [], [np.zeros(64, "i4")])
    head, *sides = str(raised.value).split("\n")
    assert head == "a data race in f on x[5]:"
    assert [re.search("atomically: .*|writes: .*", side) is not None for side in sides] == [
        True
    ] * 2
    assert any("atomicAdd(x + 5, 2);" in side for side in sides)


def row_sums():
    """Rows for blocks, one sum each: its partial sums are in the same memory in each trip."""
    b = KernelBuilder("row_sums")
    rows, columns = 7, 1000
    x, y = b.input("float32", rows * columns, "x"), b.output("float32", rows, "y")
    with b.each(rows, "parallel", work=columns * 2.0) as row:
        total: list = []
        with b.each(columns, reductions=total) as j:
            total.append(b.reduction("+", b.load(x, row * columns + j), 0, "total"))
        b.store(y, row, total[0].out)
    return b.finish()


def test_printed_kernels_without_one_of_their_barriers():
    """One before partial results are stored is needed only where a loop comes around again."""
    needed = {"softmax": "01" * 2, "layer_norm": "11", "normalised": "01" * 3, "gather_rows": "11"}
    makers = {"row_sums": row_sums} | {name: hand_built.STANDARD[name] for name in needed}
    needed["row_sums"] = "11"
    spoilt = []
    for name, make in makers.items():
        text = print_cuda(make()).text
        found = list(re.finditer(r"__sync(threads|warp)\(\);", text))
        assert len(found) == len(needed[name])
        for place, is_needed in zip(found, needed[name]):
            printed = print_cuda(make())  # entries of its own
            printed.text = f"{text[: place.start()]};{text[place.end() :]}"
            spoilt.append((printed, int(is_needed)))
    unit = Unit([printed for printed, _ in spoilt])
    for printed, is_needed in spoilt:
        inputs = hand_built.arguments(printed.kernel)
        outputs = [np.zeros(x.size, x.dtype) for x in printed.kernel.outputs]
        if not is_needed:
            execute(unit, printed, inputs, outputs, blocks=1)
            continue
        with pytest.raises(AssertionError, match="a data race in"):
            execute(unit, printed, inputs, outputs, blocks=1)


def test_threads_that_give_up_do_not_race():
    """Many set the status, and later launches look at it."""
    printed = print_cuda(hand_built.gather())
    wrong = [np.full(3000, 99), np.zeros(17, "f4")]
    with pytest.raises(GaveUp):
        execute(Unit([printed]), printed, wrong, [np.zeros(3000, "f4"), np.zeros(1, "f4")])


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
def test_lanes_that_reserve_for_several_types(dtype):
    """One lane has numbers of another type where its neighbour has an int64."""
    b = KernelBuilder("types")
    y = b.output("int64", 150)
    with b.each(150, work=1e9) as i:

        def long():
            kept = b.record("int64", 2, b.reserve(16), 0)
            b.store(kept, 1, i * 3)
            b.store(kept, 0, i - 2**40)
            return [b.load(kept, 0) + b.load(kept, 1)]

        def short():
            kept = b.record(dtype, 3, b.reserve(24), 0)
            for k in range(3):
                b.store(kept, k, b.cast(b.compute("rest", i, 50) + k, dtype))
            total = b.load(kept, 0) + b.load(kept, 1) + b.load(kept, 2)
            return [b.cast(total, "int64")]

        (total,) = b.if_(b.compute("rest", i, 3) == 1, long, short)
        b.store(y, i, total)
    check(b.finish())
