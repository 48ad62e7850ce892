"""Branches of which it is known which way they go, or that nobody knows it."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag


def crc(data, poly):
    crc = 0xFFFF
    for byte in data:
        byte = int(byte)
        for _ in range(8):
            if (crc ^ byte) & 1:
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            byte >>= 1
    return crc


def odd_ones(x, poly):
    total = 0
    for k in range(len(x)):
        if x[k] % 2 == 1:
            total ^= k
    return total & poly


def larger(x, poly):
    best = 0
    for k in range(len(x)):
        if x[k] > best:
            best = int(x[k]) | 1
    return best & poly


@pytest.mark.parametrize("program, is_random", [(crc, True), (odd_ones, True), (larger, False)])
def test_bits_of_data_are_not_foreseen(program, is_random):
    compiled, x = ag.to_graph(program), np.random.default_rng(0).integers(0, 256, 50)
    for data in (x, x.astype(np.uint8)):
        assert compiled(data, 0x8408) == program(data, 0x8408)
        assert ("!unpredictable" in str(compiled.kernels(data, 0x8408))) is is_random


def eigenvalues_below(d, e, x):
    count, q = 0, 1.0
    for i in range(len(d)):
        q = d[i] - x - e[i] / q
        if q == 0:
            q = 1e-300
        if q < 0:
            count += 1
    return count, q


def continued_fraction(d, e, x):
    f, c = 1.0, 1.0
    for i in range(len(d)):
        c = d[i] + e[i] / c
        if abs(c) < 1e-30:
            c = 1e-30
        f *= c
    return f, x


def clipped(d, e, x):
    for i in range(len(d)):
        x = x * d[i] + e[i]
        if x < 0.0:
            x = 0.0
    return x, x


@pytest.mark.parametrize(
    "program, is_guard", [(eigenvalues_below, True), (continued_fraction, True), (clipped, False)]
)
def test_what_is_not_divided_by_is_rare(program, is_guard):
    compiled = ag.to_graph(program)
    d, e = np.random.default_rng(0).integers(-2, 3, (2, 30)).astype(float)
    for x in (0.0, 1.0, -0.0, np.nan):
        np.testing.assert_array_equal(compiled(d, e, x), program(d, e, x))
    assert ("rare:" in str(compiled.kernels(d, e, 1.0))) is is_guard
