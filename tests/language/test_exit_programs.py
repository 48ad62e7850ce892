"""Programs that leave loops and functions early."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


class Section:
    """A context manager that says when it is entered and left."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, *error):
        print("leave", self.name)


@programs(np.array([[1, 2], [3, 4]]), 3)
@programs(np.array([[1, 2], [3, 4]]), 9)
def find_in_matrix(m, x):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] == x:
                return i, j
    return -1, -1


@programs(np.array([2.0, -1.0, 3.0]))
@programs(np.array([2.0, 1.0, 3.0]))
def first_negative(x):
    for i, v in enumerate(x):
        if v < 0:
            break
    else:
        i = -1
    return i


@programs(np.array([0.5, 0.0, 2.0, -1.0]))
@programs.smooth(np.array([0.5, 0.3, 2.0, -1.0]))
def product_without_zeros(x):
    p = 1.0
    for v in x:
        if v == 0:
            continue
        if v < 0:
            break
        p *= v
    return p


@programs(np.array([[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]))
def rows_before_a_negative_one(m):
    total, rows = 0.0, 0
    for row in m:
        bad = False
        for v in row:
            if v < 0:
                bad = True
                break
            total += v
        if bad:
            continue
        rows += 1
    return total, rows


@programs(10)
@programs(100)
def return_from_while_true(n):
    k = 0
    while True:
        k += 1
        if k * k > n:
            return k
        if k > 7:
            return -k


@programs(3.0)
@programs(-3.0)
@programs(0.0)
def early_returns(x):
    if x == 0:
        return 0.0
    y = 1.0 / x
    if y < 0:
        return -y
    print("positive")
    return y * 2


@programs(5)
@programs(12)
def nested_breaks(n):
    found = 0
    for i in range(n):
        for j in range(i):
            if i * j == 6:
                found = i * 100 + j
                break
            if j > 4:
                break
        else:
            found += 1
            continue
        if found > 600:
            break
    return found


@programs(np.array([1.0, 5.0, 2.0]))
@programs(np.array([1.0, 0.5, 0.2]))
def return_inside_with(x):
    with Section("search"):
        for v in x:
            if v > 3:
                return v
        print("nothing")
    return np.max(x)


@programs(np.array([1.0, 5.0, 2.0]))
@programs(np.array([1.0, 0.5, 0.2]))
def exits_through_finally(x):
    count = 0
    for v in x:
        try:
            if v > 3:
                break
            if v < 1:
                continue
            count += 1
        finally:
            count += 10
            print("finally")
    return count


@programs(2)
@programs(-2)
def return_through_finally(n):
    steps = 0
    try:
        if n > 0:
            return n * 10 + steps
        steps += 1
    finally:
        print("cleaned")
    return steps - n


@programs(np.array([3, 1, 4, 1, 5, 9, 2, 6]))
def has_duplicate(x):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] == x[j]:
                return True, i, j
    return False, -1, -1


@programs.smooth(0.7, 40)
@programs.smooth(0.7, 3)
def series_until_small(x, most):
    term, total = 1.0, 1.0
    for n in range(1, most):
        term = term * x / n
        total += term
        if abs(term) < 1e-10:
            return total
    return total - 100.0


@programs(np.array([7, 3, 9]), 9)
@programs(np.array([7, 3, 9]), 8)
def search_with_sentinel(x, key):
    position = 0
    while True:
        if position == len(x):
            return None if key > 100 else -1
        if x[position] == key:
            return position
        position += 1


@programs(1)
@programs(2)
@programs(3)
@programs(4)
def under_several_ifs(n):
    total = 0
    while total < 50:
        total += n
        if n > 1:
            if n > 2:
                if n > 3:
                    return -1
                if total > 20:
                    break
            elif total > 10:
                n = 1
                continue
        total += 1
    else:
        total *= 10
    return total


@programs(np.array([1.0, 1e9, 3.0]))
@programs(np.array([1.0, 2.0, 3.0]))
def guarded_mean(x):
    total, n = 0.0, 0
    for v in x:
        if not abs(v) < 1e6:
            continue
        total, n = total + v, n + 1
    if n == 0:
        return np.nan
    return total / n


@programs(4)
def loop_in_else(n):
    for i in range(n):
        if i == 10:
            break
    else:
        while n < 20:
            n *= 3
            if n == 36:
                return n, i
    return n, -i


@programs(np.array([1, 2, 0, 3]))
def tokenise(codes):
    """Words are separated by zeros."""
    words = inside = longest = length = 0
    for c in codes:
        if c == 0:
            inside = length = 0
            continue
        if not inside:
            words += 1
            inside = 1
        length += 1
        if length > longest:
            longest = length
    return words, longest
