"""How much of an array a loop fills, which depends on the elements of another one."""

import numpy as np
import pytest

import autograph as ag


def run_lengths(a):
    values, counts = np.empty_like(a), np.zeros(len(a), dtype=np.int64)
    k = i = 0
    while i < len(a):
        j = i
        while j < len(a) and a[j] == a[i]:
            j += 1
        values[k], counts[k] = a[i], j - i
        k, i = k + 1, j
    return values[:k], counts[:k]


def kept(a):
    out = np.zeros_like(a)
    k = 0
    for i in range(len(a)):
        if a[i] % 2:
            out[k] = a[i]
            k += 1
    return out[:k]


@pytest.mark.parametrize("function", [run_lengths, kept])
def test_one_program_is_for_all_contents(function):
    compiled = ag.to_graph(function)
    for seed in range(3):
        a = np.random.default_rng(seed).integers(0, 3, 150)
        found, expected = compiled(a), function(a)
        assert type(found) is type(expected)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
    assert "a: i64[150]  traced" in str(compiled.explain(a))


def test_few_numbers_tell_how_long_parts_are():
    """Sizes of parts are the same in each call."""

    def parts(x, sizes):
        end = 0
        for size in sizes:
            end += size
        return np.reshape(x[:end], (2, -1))

    compiled = ag.to_graph(parts)
    x, sizes = np.arange(9.0), np.array([2, 3, 1])
    np.testing.assert_array_equal(compiled(x, sizes), parts(x, sizes))


def table(lens, k, text):
    states = np.full((lens.sum() + 1, k), -1)
    for i in range(len(text)):
        states[i % len(states), text[i]] = i
    return states


def first(sizes, x):
    return np.zeros(sizes[0] + 1) + x


@pytest.mark.parametrize("function", [table, first])
def test_elements_tell_how_long_a_new_array_is(function):
    """Each call has arrays of its own: it was recorded anew for each."""
    compiled = ag.to_graph(function)
    for sizes in ([2, 3], [2, 3], [4, 1]):
        others = (3, np.arange(6) % 3) if function is table else (1.5,)
        np.testing.assert_array_equal(
            compiled(np.array(sizes), *others), function(np.array(sizes), *others)
        )
    assert "signatures" not in str(compiled.explain(np.array(sizes), *others))
