"""Programs with if, elif, else, ternaries and match."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


@programs.smooth(-2.0)
@programs.smooth(0.5)
@programs.smooth(7.0)
def hinge(x):
    if x < 0:
        return 0.0 * x
    elif x < 1:
        return 0.5 * x * x
    else:
        return x - 0.5


@programs(15_000.0)
@programs(42_000.0)
@programs(9_000.0)
def income_tax(income):
    tax = 0.0
    if income > 40_000:
        tax += (income - 40_000) * 0.4
        income = 40_000
    if income > 12_000:
        tax += (income - 12_000) * 0.2
    return tax


@programs(1.0, -3.0, 2.0)
@programs(1.0, 2.0, 1.0)
@programs(1.0, 0.0, 4.0)
def roots_of_quadratic(a, b, c):
    d = b * b - 4 * a * c
    if d > 0:
        r = np.sqrt(d)
        first, second = (-b - r) / (2 * a), (-b + r) / (2 * a)
        kind = 2
    elif d == 0:
        first = second = -b / (2 * a)
        kind = 1
    else:
        first = second = np.nan
        kind = 0
    return first, second, kind


@programs.smooth(0.3, 1.0)
@programs.smooth(-0.3, 1.0)
@programs.smooth(2.5, 1.0)
def huber(r, delta):
    return 0.5 * r * r if abs(r) <= delta else delta * (abs(r) - 0.5 * delta)


@programs(np.array([3.0, 1.0, 2.0]))
@programs(np.array([1.0, 2.0, 3.0]))
@programs(np.array([3.0, 2.0, 1.0]))
def median_of_three(x):
    a, b, c = x
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
        if a > b:
            a, b = b, a
    return b


@programs(2024)
@programs(1900)
@programs(2000)
@programs(2023)
def is_leap_year(year):
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0


@programs(5, 2.0)
@programs(0, 2.0)
@programs(-3, 2.0)
def sign_and_scale(n, x):
    sign = 1 if n > 0 else (-1 if n < 0 else 0)
    if sign:
        scaled = x * sign
    else:
        scaled = 0.0
    return sign, scaled


@programs(3.0)
@programs(-3.0)
def one_path_defines_more(x):
    if x > 0:
        root = np.sqrt(x)
        result = root + 1.0
    else:
        result = -x
    return result


@programs(3.0, True)
@programs(-3.0, True)
@programs(-3.0, False)
def none_on_one_path(x, warm):
    guess = None
    if warm:
        guess = x * 0.5
    if guess is None:
        guess = 1.0
    if x > 0:
        correction = x - guess
    else:
        correction = None
    return guess


@programs(0.2)
@programs(-0.2)
def int_and_float_paths(x):
    if x > 0:
        y = 1
    else:
        y = x
    return y + 1


@programs(0, 5.0)
@programs(1, 5.0)
@programs(2, 5.0)
@programs(3, 5.0)
@programs(9, 5.0)
def activation_by_number(kind, x):
    match kind:
        case 0:
            return x
        case 1:
            return np.tanh(x)
        case 2 | 3:
            return np.maximum(x, 0.0)
        case _:
            return x * 0.0


@programs(1, 1)
@programs(1, -1)
@programs(-2, 3)
@programs(0, 3)
def quadrant(x, y):
    match (x > 0, y > 0):
        case (True, True):
            return 1
        case (False, True):
            return 2
        case (False, False):
            return 3
        case _:
            return 4


@programs(("scale", 2.0), 3.0)
@programs(("shift", 2.0), 3.0)
@programs(("affine", 2.0, 1.0), 3.0)
@programs(("nothing",), 3.0)
def command(words, x):
    match words:
        case ("scale", factor):
            x = x * factor
        case ("shift", amount):
            x = x + amount
        case ("affine", factor, *rest):
            x = x * factor + rest[0]
        case other:
            x = x + len(other)
    return x


@programs(4)
@programs(-7)
@programs(10)
@programs(0)
def bucket(n):
    match n:
        case 0:
            return 0
        case k if k < 0:
            return -1
        case k if k % 2 == 0 and k < 10:
            return 1
        case _:
            return 2


@programs(np.array([[1.0, 2.0], [3.0, 4.0]]))
@programs(np.array([[1.0, 2.0], [2.0, 4.0]]))
def inverse_or_zero(m):
    (a, b), (c, d) = m
    det = a * d - b * c
    if abs(det) < 1e-12:
        out = np.zeros((2, 2))
    else:
        out = np.array([[d, -b], [-c, a]]) / det
    return out


@programs.smooth(np.array([0.5, -1.5]), 0.1)
@programs.smooth(np.array([1.5, 1.5]), 0.1)
def clip_gradient(g, limit):
    norm = np.sqrt(np.sum(g * g))
    if norm > limit * 10:
        g = g * (limit * 10 / norm)
    return np.sum(g * g * g)


@programs(36.6, 120)
@programs(39.5, 80)
@programs(35.0, 30)
def triage(temperature, pulse):
    score = 0
    if temperature > 38:
        score += 2
        if temperature > 39:
            score += 1
    elif temperature < 36:
        score += 1
    if not 40 <= pulse <= 110:
        score += 3 if pulse < 40 else 2
    return score


@programs(True, 2.0)
@programs(False, 2.0)
def static_flag(training, x):
    scale = 0.5 if training else 1.0
    if training:
        x = x * scale
        print("training")
    return x


@programs(1.0, 2.0)
@programs(2.0, 1.0)
def branch_prints(a, b):
    if a < b:
        print("smaller")
        low = a
    else:
        print("larger")
        low = b
    print("done")
    return low


@programs((1.0, [2.0, 3.0, 4.0]))
@programs((2.0, [2.0, 3.0, 4.0]))
@programs((3.0, [2.0, 3.0, 4.0]))
def parts_of_a_part_that_may_not_match(v):
    match v:
        case (1.0 | 2.0) as first, [a, *_, b]:
            return first + a * b
        case _:
            return 0.0


@programs((1.0, 2.5))
@programs((3.5, 2.0))
@programs((3.5, 2.5))
def alternatives_that_bind_by_value(v):
    match v:
        case (1.0, a) | (a, 2.0):
            return a * 3
        case _:
            return 0.0


class Drop:
    __match_args__ = ("size",)

    def __init__(self, size):
        self.size = size


class Classes:
    @property
    def drop(self):
        print("asked")
        return Drop


@programs([0.1, 0.5, 2.0])
def a_class_is_asked_for_once(xs):
    classes, total = Classes(), 0.0
    for x in xs:
        match Drop(x):
            case classes.drop(size) if size > 1.0:
                total += size
            case classes.drop(size=size):
                total += 10 * size
    return total


@programs(np.array([0.2, 0.9, 0.4, 0.6]), 0.5)
@programs([0.2, 0.9, 0.4, 0.6], 0.5)
def parts_by_a_pivot(xs, pivot):
    left, middle, right = [], [], []
    for x in xs:
        (left if x < pivot else right if x > 1.5 * pivot else middle).append(x)
    return left, middle, right


@programs(np.array([0.2, 0.9, 0.4, 0.6]), 0.5)
def stored_where_a_number_says(xs, pivot):
    """What is stored is computed before what says where."""
    low, high = np.zeros(2), {}

    def shown(word, value):
        print(word, value)
        return value

    for k, x in enumerate(xs):
        (low if shown("where", x) < pivot else high)[k % 2] = shown("what", 2 * x)
        (low if x < pivot else high)[k % 2] += 1.0
    return low, high[1]
