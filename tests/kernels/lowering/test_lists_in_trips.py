"""Loops that grow lists, and make other lists and arrays of unknown length in each trip."""

import ctypes

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.native.runtime import runtime
from tests.kernels.kernel_check import assert_same, check

X = np.linspace(0.1, 1.0, 4)


def components(mask):
    """What hangs together, by a stack for each part; and how large the parts are."""
    height, width = mask.shape
    labels = np.zeros((height, width), np.int32)
    sizes = []
    for i in range(height):
        for j in range(width):
            if not mask[i, j] or labels[i, j]:
                continue
            labels[i, j] = len(sizes) + 1
            stack, size = [(i, j)], 0
            while stack:
                y, x = stack.pop()
                size += 1
                for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    v, u = y + dy, x + dx
                    if 0 <= v < height and 0 <= u < width and mask[v, u] and not labels[v, u]:
                        labels[v, u] = labels[i, j]
                        stack.append((v, u))
            sizes.append(size)
    return labels, np.array(sizes)


def two_that_grow(x):
    rows, sums, i = [x], [0.0], 0
    while i < 40:
        inner = [x * i]
        while len(inner) < i % 7 + 1:
            inner.append(inner[-1] * 0.5 + x)
        some = np.array(rows)[len(rows) // 2 :]
        if i % 3 == 0:
            rows.append(inner[-1] + np.sum(some, axis=0) * 0.1)
        elif i % 5 == 0:
            rows.pop()
            rows.append(inner[0])
        if i % 4 == 1:
            sums.append(np.sum(np.array(inner)) + sums[-1] * 0.5)
        i += 1
    return np.array(rows), np.array(sums)


def appended_deeper(x):
    """What the inner loop appends to stays when its trips end, and when the outer one's do."""
    out, total, i = [x], 0.0, 0
    while i < 12:
        j = 0
        while j < i:
            scratch = [x * j, x + i]
            scratch.append(scratch[0] - scratch[1])
            if (i + j) % 3 == 0:
                out.append(scratch.pop() + out[-1] * 0.5)
            total = total + np.sum(scratch[-1])
            j += 1
        kept = [out[-1], out[0]]
        kept.append(x)
        total = total + np.sum(kept[i % 3]) * len(kept)
        i += 1
    return np.array(out), total


def a_new_list_in_each_trip(x):
    """Which the next trip is given."""
    level, seen, i = [x], [0.0], 0
    while i < 8:
        following = []
        for k in range(len(level)):
            following.append(level[k] * 0.5)
            if k < 5:
                following.append(level[k] + x)
        level = following
        seen.append(np.sum(level[-1]))
        i += 1
    return np.array(level), np.array(seen)


FUNCTIONS = [two_that_grow, appended_deeper, a_new_list_in_each_trip]


@pytest.mark.slow
def test_components():
    for seed, share in enumerate((0.3, 0.6, 1.0)):
        check(components, np.random.default_rng(seed).random((9, 13)) < share)


@pytest.mark.costly
@pytest.mark.parametrize("function", FUNCTIONS)
def test_whole_functions(function):
    check(function, X)


def machine(codes, x):
    out, log = [0.0], [1.0, 2.0]
    for k in range(len(codes)):
        code, v = codes[k], x[k]
        scratch = [v, v + 1]
        for j in range(code):
            scratch.append(scratch[-1] * 0.5 + j)
            if j == 3:
                log.append(scratch[1])
        if code % 3 == 0:
            out.append(scratch.pop())
        elif code % 3 == 1 and len(out) > 1:
            scratch[0] = out.pop(0)
        rest = np.array(scratch)[code // 2 :]
        if code == 5:
            out.append(np.sum(rest))
            out.append(scratch[0])
            log.append(v)
        if code == 7 and len(log) > 3:
            log.pop()
            log[0] += scratch[-1]
    return np.array(out), np.array(log)


@pytest.fixture(scope="module")
def compiled_machine():
    return ag.to_graph(machine)


@pytest.mark.parametrize("seed", range(20))
def test_random_trips(compiled_machine, seed):
    random = np.random.default_rng(seed)
    share = random.random(9) ** 2
    codes, x = random.choice(9, 150, p=share / share.sum()), random.normal(size=150)
    assert_same(compiled_machine(codes, x), machine(codes, x))
    assert list(compiled_machine.kernels(codes, x)) == ["machine"]


def test_what_trips_make_does_not_add_up():
    def function(x, n):
        sums, i = [0.0], 0
        while i < n:
            scratch = [x[0] * i]
            while len(scratch) < 30:
                scratch.append(scratch[-1] * 0.5)
            if i % 50 == 0:
                sums.append(scratch[-1] + sums[-1])
            i += 1
        return np.array(sums)

    compiled = check(function, X, 200)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before, limit.value = limit.value, 1_000_000
    try:
        assert_same(compiled(X, 5000), function(X, 5000))  # 2 MB, if it did
    finally:
        limit.value = before


def test_a_list_that_an_inner_loop_reads_grows_where_it_is():
    """It was taken to be the inner loop's as well from then on, and copied in each trip."""

    def function(n):
        out, total, i = [0.0, 1.0], 0.0, 0
        while i < n:
            j = len(out) - 1
            while j > len(out) - 3:
                total += out[j] * 0.5
                j -= 1
            out.append(total % 7.0)
            i += 1
        return total, np.array(out)

    compiled = check(function, 100)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before, limit.value = limit.value, 1_000_000
    try:
        assert_same(compiled(4000), function(4000))
    finally:
        limit.value = before


def test_a_full_list_that_is_emptied_keeps_its_room():
    """Its memory was as if it were somebody else's, and the next list came to new memory."""

    def function(n):
        stack, total = [0.0], 0.0
        stack.pop()
        for _ in range(n):
            for j in range(124):  # as many as there is room for
                stack.append(j * 0.5)
            while len(stack) > 0:
                total += stack.pop()
        return total

    compiled = check(function, 3)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before, limit.value = limit.value, 1_000_000
    try:
        assert_same(compiled(4000), function(4000))  # 7 MB, if it did not
    finally:
        limit.value = before
