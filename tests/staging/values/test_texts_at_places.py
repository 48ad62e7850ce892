"""Texts at places that loops compute: one of all in them, whatever tables and loops are around."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import as_found, assert_same_outcome, check_grad, compiled, outcome

LONG = "the quick brown fox", "a quick brown dog", "over the lazy cat"
CALLS = [("", "ab"), ("ab", "b"), ("kitten", "sitting"), LONG[:2], LONG[1:], ("aaaaaa", "aaaaaaa")]
GRIDS = [(["#.4", "..#"],), (["#1.#.", "2#.#.", ".##3.", "4...#", "#####", ""],), ([],)]
PROGRAMS = []


def texts(calls=CALLS):
    """A program, called with these arguments."""

    def add(function):
        PROGRAMS.append(pytest.param(function, calls, id=function.__name__))
        return function

    return add


@texts()
def edit_distance(a, b):
    m, n = len(a), len(b)
    d = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(m + 1):
        d[i][0] = i
    for j in range(n + 1):
        d[0][j] = j
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if a[i - 1] == b[j - 1]:
                d[i][j] = d[i - 1][j - 1]
            else:
                d[i][j] = 1 + min(d[i - 1][j], d[i][j - 1], d[i - 1][j - 1])
    return d[m][n]


@texts()
def longest_in_both(a, b):
    m, n = len(a), len(b)
    t = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(m):
        for j in range(n):
            if a[i] == b[j]:
                t[i + 1][j + 1] = t[i][j] + 1
            else:
                t[i + 1][j + 1] = max(t[i][j + 1], t[i + 1][j])
    found = []
    i, j = m, n
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            found.append(a[i - 1])
            i -= 1
            j -= 1
        elif t[i - 1][j] >= t[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(found))


@texts()
def letter_of_the_outer_loop(a, b):
    equal = []
    for i in range(len(a)):
        one = a[i]
        for j in range(i, len(b)):
            if b[-1 - j] == one:
                equal.append(i * j)
    return equal


@texts()
def of_bytes(a, b):
    a, b = a.encode(), b.encode()
    total = 0
    for i in range(len(a)):
        for j in range(len(b)):
            total += a[i] * (j + 1) if a[i] > b[j] else -b[j]
    return total


@texts()
def beyond_the_end(a, b):
    count = 0
    for i in range(len(a)):
        for j in range(len(b) - 3):
            if a[i] == b[i + j]:
                count += 1
    return count


@texts()
def weighed(a, b):
    weights = {letter: place for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz ")}
    total = 0
    for i in range(len(a)):
        for j in range(len(b)):
            total += weights[a[i]] * weights[b[j]]
    return total


@texts()
def in_recursion(a, b):
    def ahead(i, j):
        if i >= len(a) or j >= len(b):
            return 0
        if a[i] == b[j]:
            return 1 + ahead(i + 1, j + 1)
        return ahead(i + 1, j)

    return ahead(0, 0)


class Matcher:
    def __init__(self, text):
        self.text = text

    def at(self, i):
        return self.text[i]

    def count(self, other):
        found = 0
        for i in range(len(self.text)):
            for j in range(len(other)):
                found += self.at(i) == other[j]
        return found


@texts()
def in_methods(a, b):
    return Matcher(a).count(b)


@texts()
def last_letter_that_is_needed(a, b):
    last = "?"
    for i in range(len(a)):
        if a[i] not in b:
            last = a[i]
    return {last: len(a)}, f"<{last:>3}>"


@texts([(["ab", "c", "ab"],), (["one", "two", "one", "two", "six", "two"],), ([],)])
def equal_words(words):
    pairs = []
    for i in range(len(words)):
        for j in range(i):
            if words[i] == words[j] and words[i][0] < "u":
                pairs.append((j, i))
    return pairs


@texts([(("north", "east", "south", "west", "up", "down"), 40), (("a", "b"), 7)])
def words_of_a_tuple(words, n):
    total = 0
    for i in range(n):
        for j in range(3):
            total += len(words[(i * j) % len(words)]) * i
    return total


@texts(GRIDS)
def cells(grid):
    found = 0
    for r in range(len(grid)):
        for c in range(len(grid[r])):
            if grid[r][c] == "#":
                found += r * c
            elif grid[r][c].isdigit():
                found += int(grid[r][c])
    return found


@texts(GRIDS)
def cells_of_rows_of_other_lengths(grid):
    found = 0
    for r in range(len(grid)):
        for c in range(5):
            if grid[r][c] == grid[r - 1][-1 - c]:
                found += r + c
    return found


@texts([(*LONG[:2], np.uint8(2)), (*LONG[:2], np.int32(-1)), (*LONG[:2], 1.0)])
def at_places_of_numpy(a, b, step):
    found = 0
    for i in range(3):
        for j in range(4):
            found += a[step * (i + 1)] == b[step * (j + 1)]
    return found


@pytest.mark.parametrize(("function", "calls"), PROGRAMS)
def test_as_python(function, calls):
    ours = compiled(function)
    for args in calls:
        expected, found = outcome(function, args), outcome(ours, args)
        found.result = as_found(expected.result, found.result)
        assert_same_outcome(found, expected)


def test_long_texts():
    """It was refused, since each cell was recorded by itself."""
    a, b = "kitten" * 10, "sitting" * 9
    assert ag.to_graph(edit_distance)(a, b) == edit_distance(a, b)


def test_where_one_of_texts_is_refused_loops_run_as_python(caplog):
    def parsed(text, x):
        total, last = 0.0, "?"
        for i in range(len(text)):
            for j in range(30):
                last = text[(i + j) % 8]
                total += x * j if last < "g" else x
        return total, np.dtype(last).itemsize

    with caplog.at_level("DEBUG", "autograph"):
        assert ag.to_graph(parsed)("fdilqbhd", 0.5) == parsed("fdilqbhd", 0.5)
    assert "texts at places may have to be known" in caplog.text


def test_few_trips_tell_which_text_it_is(caplog):
    with caplog.at_level("DEBUG", "autograph"):
        assert ag.to_graph(letter_of_the_outer_loop)("abc", "bca") == [0, 2]
    assert "one of several" not in caplog.text


def aligned(x, a, b):
    t = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            gain = x * x if a[i] == b[j] else -x
            t[i + 1][j + 1] = max(t[i][j] + gain, t[i][j + 1] - 0.3 * x, t[i + 1][j] * x)
    return t[len(a)][len(b)]


def test_derivatives_and_lanes():
    a, b = LONG[:2]
    function = lambda x: aligned(x, a, b)
    check_grad(function, 0.7)
    xs = np.array([0.3, 0.7, 1.1])
    np.testing.assert_allclose(ag.vmap(function)(xs), [aligned(x, a, b) for x in xs])
