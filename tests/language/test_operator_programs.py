"""Programs with and, or, not, chained comparisons, in, and the walrus."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


@programs(np.array([3.0, 1.0, 2.0]), 5)
@programs(np.array([3.0, 1.0, 2.0]), 1)
@programs(np.array([3.0, 1.0, 2.0]), -1)
def guard_before_index(a, i):
    if 0 <= i < len(a) and a[i] > 0.5:
        return a[i]
    return -1.0 * a[0]


@programs(np.array([1.0, 2.0, -1.0]))
@programs(np.array([1.0, 2.0, 3.0]))
def guard_in_while(a):
    i = 0
    while i < len(a) and a[i] > 0:
        i += 1
    return i


@programs(0, 7)
@programs(3, 7)
def operands_are_returned(a, b):
    return a or b, a and b, not a, not (a or b)


@programs(0.0)
@programs(2.0)
def default_value(x):
    scale = x or 1.0
    return 10.0 / scale


@programs(1, 2, 3)
@programs(3, 2, 1)
@programs(2, 2, 2)
def chains(a, b, c):
    return a < b < c, a <= b <= c, a == b == c, a < b > c, a != b < c


@programs(5)
@programs(-5)
def each_operand_once(n):
    def noisy(k):
        print("evaluated", k)
        return k

    if 0 < noisy(n) < 10 and noisy(n + 1):
        return 1
    return noisy(0) or noisy(2)


@programs(3)
@programs(5)
def membership(n):
    return n in (1, 2, 3), n not in [3, 4], n in range(4)


@programs(np.array([1, 2, 3]), 2)
@programs(np.array([1, 2, 3]), 9)
def membership_in_array(a, x):
    if x in a:
        return 1
    return 0


@programs("sin")
@programs("other")
def membership_in_dict(name):
    table = {"sin": 1.0, "cos": 2.0}
    return table[name] if name in table else 0.0


@programs(10)
@programs(1)
def walrus_in_condition(n):
    if (half := n // 2) > 2:
        return half * 10
    return half


@programs(37)
def walrus_in_while(n):
    count = 0
    while (n := n // 2) > 0:
        count += n
    return count, n


@programs(0.0, 1.0)
@programs(2.0, 0.0)
def short_circuit_avoids_division(x, y):
    return bool(x != 0 and 1.0 / x > 0.1) or y > 0


@programs.smooth(0.5)
@programs.smooth(1.5)
@programs.smooth(2.5)
def smooth_pieces(x):
    if 0 < x < 1 or x > 2:
        return x * x
    return 3.0 * x


@programs(6, 4)
@programs(5, 4)
def bits(a, b):
    return a & b, a | b, a ^ b, ~a, a << 2, a >> 1


@programs(7, 2)
@programs(-7, 2)
@programs(7, -2)
def integer_arithmetic(a, b):
    return a // b, a % b, -a // b, a**2, a / b, divmod(a, b), abs(a)


@programs(7.5, 2.0)
@programs(-7.5, 2.0)
def float_arithmetic(a, b):
    return a // b, a % b, a**b, divmod(a, b), round(a), int(a)


@programs(1.0, 2.0)
@programs(1.0, 1.0)
def comparisons_as_numbers(a, b):
    return (a < b) + (a == b) * 2, int(a <= b), float(a != b)


@programs(np.array([1.0, -1.0]), np.array([0.5, 0.5]))
def matrix_of_comparisons(a, b):
    inside = (a > 0) & (b > 0)
    return inside, ~inside, np.all(inside), inside.any()


@programs(np.array([2.0, 3.0]))
def unary(x):
    return -x, +x, not np.any(x > 5)


@programs(3, 4, 5)
@programs(0, 0, 0)
def all_or_nothing(a, b, c):
    if a and b and c:
        return a * b * c
    elif not (a or b or c):
        return -1
    return 0


@programs(np.array([1.0, 2.0]), None)
@programs(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
def optional_argument(x, y):
    if y is None or y.shape != x.shape:
        y = np.zeros_like(x)
    return x + y
