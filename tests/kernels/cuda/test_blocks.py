"""Blocks that run at the same time on the CPU: what orders them, and what they wait for in vain."""

import numpy as np
import pytest

from tests.kernels.cuda.in_c import in_c
from tests.kernels.cuda.machine import ON_GPU, Unit, execute

pytestmark = pytest.mark.skipif(ON_GPU, reason="a GPU does not tell")

SETS = "__threadfence(); *flag = 1;"
WAITS = "while (*flag == 0); __threadfence();"


def message(before="__syncthreads();", sets=SETS, waits=WAITS, after="__syncthreads();", by="0"):
    """The threads of block 0 leave numbers, which those of the others read."""
    return f"""
    volatile int *flag = x + 40;
    if (blockIdx.x == 0) {{
        x[threadIdx.x] = threadIdx.x;
        {before}
        if (threadIdx.x == {by}) {{ {sets} }}
    }} else {{
        if (threadIdx.x == 0) {{ {waits} }}
        {after}
        if (x[31 - threadIdx.x] != 31 - threadIdx.x) x[45 + blockIdx.x] = 1;
    }}"""


RELAY = """
    volatile int *flag = x + 40;
    if (threadIdx.x == 0) {
        if (blockIdx.x > 0) while (flag[blockIdx.x - 1] == 0);
        __threadfence();
        x[1] += x[0] + 1;
        __threadfence();
        flag[blockIdx.x] = 1;
    }"""
TICKETS = """
    __shared__ int number;
    if (threadIdx.x == 0) number = atomicAdd(x + 62, 1);
    __syncthreads();
    volatile int *total = x, *state = x + 31;
    if (threadIdx.x == 0) {
        int before = 0;
        if (number > 0) {
            while (state[number - 1] == 0);
            __threadfence();
            before = total[number - 1];
        }
        total[number] = before + 1;
        __threadfence();
        state[number] = 1;
    }"""
NARROW = SETS.replace("fence", "fence_block")
BARRIER = """
    x[blockIdx.x * 8 + threadIdx.x % 8] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(x + 60, 1);
        while (*(volatile int *)(x + 60) < (int)gridDim.x);
        __threadfence();
    }
    __syncthreads();
    const int next = (blockIdx.x + 1) % gridDim.x * 8 + threadIdx.x % 8;
    x[next + 24] = x[next] + 1;"""
BARRIER = BARRIER.replace("x[blockIdx.x", "if (threadIdx.x < 8) x[blockIdx.x")
BARRIER = BARRIER.replace("x[next + 24]", "if (threadIdx.x < 8) x[next + 24]")
# Two read an element, one of which says so.
HEARD_OF_ONE = """
    volatile int *flag = x + 40;
    if (threadIdx.x == 0) {
        if (blockIdx.x < 2 && x[5] == 9) x[6 + blockIdx.x] = 1;
        if (blockIdx.x == 0) { __threadfence(); *flag = 1; }
        if (blockIdx.x == 2) { while (*flag == 0); __threadfence(); x[5] = 1; }
    }"""
OF_BOTH = """
    if (threadIdx.x == 0) {
        if (blockIdx.x < 2) {
            if (x[5] == 9) x[6 + blockIdx.x] = 1;
            __threadfence();
            atomicAdd(x + 40, 1);
        } else {
            while (*(volatile int *)(x + 40) < 2);
            __threadfence();
            x[5] = 1;
        }
    }"""
WARP_LEAVES = """
    volatile int *flag = x + 40;
    if (blockIdx.x == 0) {
        x[threadIdx.x] = 1;
        __syncwarp();
        if (threadIdx.x == 9) { __threadfence(); *flag = 1; }
    } else if (blockIdx.x == 1) {
        if (threadIdx.x == 9) { while (*flag == 0); __threadfence(); }
        __syncwarp();
        if (x[31 - threadIdx.x] == 7) x[45] = 1;
    }"""
WITHIN = """
    volatile int *flag = x + 40;
    if (threadIdx.x == 0) { x[0] = 1; __threadfence_block(); *flag = 1; }
    if (threadIdx.x == 40) { while (*flag == 0); __threadfence_block(); x[0] += 1; }"""
SEVERAL = {"covers": True, "threads": 32}

ORDERED = {
    "a flag after a fence": (message(), SEVERAL),
    "a flag that an atomic sets": (
        message(sets="__threadfence(); atomicAdd(x + 40, 1);"),
        SEVERAL,
    ),
    "one after the other": (RELAY, SEVERAL),
    "blocks that know their number when they start": (TICKETS, {"blocks": 20, "threads": 32}),
    "a barrier of all blocks": (BARRIER, SEVERAL),
    "two who are waited for": (OF_BOTH, SEVERAL),
    "lanes of a warp": (WARP_LEAVES, SEVERAL),
    "threads of one block": (WITHIN, {}),
    "a counter of each block": (
        "if (threadIdx.x < 9) atomicAdd_block(x + blockIdx.x, 1);",
        SEVERAL,
    ),
}

RACES = {
    "no fence before the flag": (message(sets="*flag = 1;"), SEVERAL),
    "a fence after the flag": (message(sets="*flag = 1; __threadfence();"), SEVERAL),
    "no fence after the wait": (message(waits="while (*flag == 0);"), SEVERAL),
    "a fence before the wait": (message(waits="__threadfence(); while (*flag == 0);"), SEVERAL),
    "a fence for the block": (message(sets=NARROW), SEVERAL),
    "a wait with a fence for the block": (
        message(waits=WAITS.replace("fence", "fence_block")),
        SEVERAL,
    ),
    "others who have not written yet": (message(before=""), SEVERAL),
    "others who do not wait": (message(after=""), SEVERAL),
    "a reader of whom nobody heard": (HEARD_OF_ONE, SEVERAL),
    "a barrier of all blocks without a fence": (
        BARRIER.replace("__threadfence();", "", 1),
        SEVERAL,
    ),
    "a barrier of all blocks that one thread of each passes": (
        BARRIER[: BARRIER.rindex("__syncthreads();")]
        + BARRIER[BARRIER.rindex("__syncthreads();") + len("__syncthreads();") :],
        SEVERAL,
    ),
    "running totals without a fence before the flag": (
        TICKETS.replace("volatile int *total = x, *state", "int *total = x; volatile int *state")
        .replace("__threadfence();\n        state", "state"),
        {"blocks": 20, "threads": 32},
    ),
    "running totals without a fence after it": (
        TICKETS.replace("volatile int *total = x, *state", "int *total = x; volatile int *state")
        .replace("__threadfence();\n            before", "before"),
        {"blocks": 20, "threads": 32},
    ),
    "one counter of all, by atomics of a block": (
        "if (threadIdx.x < 9) atomicAdd_block(x, 1);",
        SEVERAL,
    ),
    "no fence between threads of one block": (
        WITHIN.replace("__threadfence_block(); *flag", "*flag"),
        {},
    ),
}  # fmt: skip

VAIN = {
    "a flag that nobody sets": ("volatile int *flag = x; while (*flag == 0);", {}),
    "a block that has not started": (
        TICKETS.replace("number = atomicAdd(x + 62, 1)", "number = blockIdx.x"),
        {"blocks": 20, "threads": 32},
    ),
    "a barrier of more blocks than run at once": (BARRIER, {"blocks": 6, "threads": 32}),
    "a lock that a lane has while its warp waits": (
        "volatile int *flag = x; if (threadIdx.x == 3) { while (*flag == 0); } __syncthreads();"
        "*flag = 1;",
        {},
    ),
}


@pytest.fixture(scope="module")
def planted():
    """All kernels of this file, compiled at once."""
    every = {(k, name): v for k, d in enumerate((ORDERED, RACES, VAIN)) for name, v in d.items()}
    made = {key: in_c(text, **given) for key, (text, given) in every.items()}
    return Unit(list(made.values())), made


def launched(planted, key, seed, **options):
    unit, made = planted
    found = np.zeros(64, "i4")
    execute(unit, made[key], [], [found], seed=seed, **options)
    return found


@pytest.mark.parametrize("name", ORDERED)
def test_what_is_ordered_is_no_race(planted, name):
    for seed in range(20):
        launched(planted, (0, name), seed)


@pytest.mark.parametrize("name", RACES)
def test_planted_races_are_found(planted, name):
    for seed in range(5):
        with pytest.raises(AssertionError, match="a data race in f on"):
            launched(planted, (1, name), seed)


@pytest.mark.parametrize("name", VAIN)
def test_what_never_comes_is_not_waited_for(planted, name):
    """Of blocks that may start in any order, some that has a number is waited for before it does,
    for one of these seeds."""
    with pytest.raises(AssertionError, match=r"block \d+: threads wait in vain"):
        for seed in range(20):
            launched(planted, (2, name), seed)


def test_numbers_are_given_in_the_order_of_starting(planted):
    for blocks in (1, 2, 7):
        found = launched(
            planted, (0, "blocks that know their number when they start"), 3, blocks=blocks
        )
        assert found[:20].tolist() == list(range(1, 21))


def test_blocks_take_turns():
    """Between two steps of a block come those of others, at times one and at times many; and with
    room for one block, none."""
    text = "for (int k = 0; k < 9; k++) x[9 * blockIdx.x + k] = atomicAdd(x + 63, 1);"
    printed = in_c(text, blocks=4, threads=1)
    unit, gaps = Unit([printed]), []
    for seed in range(40):
        found = [np.zeros(64, "i4")]
        execute(unit, printed, [], found, seed=seed, blocks=3)
        gaps.append(int(np.diff(found[0][:36].reshape(4, 9)).max()))
    assert min(gaps) < 4 and max(gaps) > 9
    found = [np.zeros(64, "i4")]
    execute(unit, printed, [], found, blocks=1)
    assert np.diff(found[0][:36].reshape(4, 9)).max() == 1


def test_each_block_has_shared_memory_of_its_own():
    text = """
    __shared__ int kept[32];
    kept[threadIdx.x] = blockIdx.x;
    for (int k = 0; k < 5; k++) {
        __syncthreads();
        const int seen = kept[31 - threadIdx.x];
        __syncthreads();
        kept[threadIdx.x] = seen + 10;
    }
    if (threadIdx.x < 5) x[blockIdx.x * 5 + threadIdx.x] = kept[threadIdx.x];"""
    printed = in_c(text, blocks=7, threads=32)
    unit = Unit([printed])
    for seed in range(10):
        found = [np.zeros(64, "i4")]
        execute(unit, printed, [], found, seed=seed)
        assert found[0][:35].tolist() == [50 + k // 5 for k in range(35)]
