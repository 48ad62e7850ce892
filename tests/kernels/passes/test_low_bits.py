"""Sums and products before a mask wrap, and only those of which nothing else reads all bits."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host

LARGE = [2**62, -(2**62), 2**63 - 1, -(2**63), 2**61 + 12345, -1, 0, 7]
SMALL = [5, -3, 0, 1000, 2**40, -(2**40) + 1, 77, 12]


def buckets(numbers):
    counts = np.zeros(64, dtype=np.int64)
    for k in range(len(numbers)):
        counts[(int(numbers[k]) * 31 + k) & 63] += 1
    return counts


def chained(numbers):
    mixed = 17
    for k in range(len(numbers)):
        mixed = ((mixed ^ int(numbers[k])) * 1000003 - (int(numbers[k]) + mixed)) & 0xFFFFF
    return mixed


def probed(numbers):
    """A table with a place for the next one where there is another one."""
    table = np.full(16, -1, dtype=np.int64)
    for number in numbers:
        place = int(number) * 40503 & 15
        while table[place] != -1 and table[place] != number:
            place = (place + 1) & 15
        table[place] = number
    return table


def all_bits(numbers):
    """What is masked is read as well."""
    total, last = 0, 0
    for k in range(len(numbers)):
        product = int(numbers[k]) * 31
        total += product & 63
        if product > 1000:
            last = k
    return total, last


def signs(numbers):
    """A mask that is negative leaves all bits that are before it."""
    total = 0
    for k in range(len(numbers)):
        total ^= (int(numbers[k]) + 5) & -8
    return total


def moved(numbers):
    """Bits that are moved down come from above the mask."""
    total = 0
    for k in range(len(numbers)):
        total ^= ((int(numbers[k]) * 3) >> 2) & 0xFF
    return total


FUNCTIONS = [buckets, chained, probed, all_bits, signs, moved]


@pytest.mark.parametrize("numbers", [LARGE, SMALL], ids=["large", "small"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_masked_sums(function, numbers):
    compiled = ag.to_graph(function)
    for some in (numbers, numbers[::-1], numbers[:3]):
        given = np.array(some)
        found, expected = compiled(given), function(given)
        np.testing.assert_array_equal(found, expected)
        assert type(found) is type(expected)


def checked(function):
    (kernel,) = ag.to_graph(function).kernels(np.array(SMALL)).values()
    statements = list(ir.walk(for_host(kernel.kernel).body))
    sums = [s for s in statements if isinstance(s, ir.Compute) and s.function.endswith("_checked")]
    return len(sums) + sum(isinstance(s, ir.Check) for s in statements)


@pytest.mark.parametrize("function", [buckets, chained, probed])
def test_nothing_is_checked_before_a_mask(function):
    assert checked(function) == 0


@pytest.mark.parametrize("function", [all_bits, signs, moved])
def test_what_is_read_otherwise_is_checked(function):
    assert checked(function) > 0


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_places_without_a_sign_are_inside_of_a_table_for_all_of_them(dtype):
    def looked_up(places, table):
        total = 0
        for place in places:
            total += table[place]
        return total

    size = np.iinfo(dtype).max + 1
    places = np.arange(0, size, size // 200).astype(dtype)
    compiled = ag.to_graph(looked_up)
    for n in (size, size - 10):
        table = np.arange(n)
        if n == size:
            assert compiled(places, table) == looked_up(places, table)
            (kernel,) = compiled.kernels(places, table).values()
            assert not any(isinstance(s, ir.Check) for s in ir.walk(for_host(kernel.kernel).body))
        else:
            with pytest.raises(IndexError):
                compiled(np.append(places, places.dtype.type(size - 1)), table)
