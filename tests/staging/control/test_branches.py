"""`if`, ternaries, `and`, `or`, `not`, comparisons and `match` on values known at run time."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_branches(call):
    call.run()


@programs.smooth(2.0, 1.0)
@programs.smooth(1.0, 2.0)
def one_of_two(x, y):
    if x > y:
        return x * 17
    return y + 23 * x


@programs(np.array([1.0, 2.0]), np.array([0.0, 5.0]))
@programs(np.array([1.0, 2.0]), np.array([3.0, 5.0]))
def any_of_arrays(x, y):
    if np.any(x > y):
        z = x * 17
    else:
        z = y + 23
    return z


@programs(3)
@programs(0)
@programs(-3)
def elif_chain(n):
    if n > 0:
        sign = 1
    elif n == 0:
        sign = 0
    else:
        sign = -1
    return sign


@programs(3)
@programs(-3)
def only_one_branch_assigns(n):
    y = 10
    if n > 0:
        y = n
        z = y + 1
    else:
        z = 0
    return y, z


@programs(3)
@programs(-3)
def defined_on_one_path_only(n):
    if n > 0:
        z = n
    return z


@programs(3)
@programs(-3)
def undefined_but_not_read(n):
    if n > 0:
        z = n
    else:
        return 0
    return z


@programs(3.0)
@programs(-3.0)
def undefined_is_read_under_the_same_condition(x):
    if x > 0:
        z = 2 * x
    y = 1.0
    if x > 0:
        y = z
    return y


@programs(3.0)
@programs(-3.0)
def deleted_on_one_path(x):
    z = x
    if x > 0:
        del z
    return z


@programs(1)
@programs(-1)
def int_or_float(n):
    return n * 1.0 if n > 0 else n * 2.5


@programs(2.0)
@programs(-2.0)
def nested(x):
    if x > 0:
        if x > 1:
            y = x
        else:
            y = x * x
    else:
        if x < -1:
            y = -x
        else:
            y = 0.0
    return y


@programs.smooth(0.5)
@programs.smooth(3.0)
def ternary(x):
    return x * x if x < 1 else 2 * x - 1


@programs(1, 2)
@programs(0, 2)
@programs(1, 0)
@programs(0, 0)
def logic_returns_operands(a, b):
    return a and b, a or b, not a, not (a and b)


@programs(0.0, 2.0)
@programs(4.0, 2.0)
def logic_short_circuits(x, y):
    if x != 0 and y / x > 0.1:
        return y / x
    return 0.0


@programs(1)
@programs(5)
@programs(9)
def chained_comparison(n):
    return 2 < n < 8, 2 < n <= 9 != 5


@programs(np.float64(1.0), np.float64(2.0))
@programs(np.float64(3.0), np.float64(2.0))
def numpy_booleans(x, y):
    flag = x < y
    return flag, not flag, flag and y > 0, flag or x > 0, bool(flag), ~flag, flag & (y > 1)


@programs(np.array([1.0, -1.0]))
@programs(np.array([-1.0, 1.0]))
def condition_on_an_element(x):
    if x[0] > 0:
        x = x * 2
    return x


@programs(np.array([1.0]))
@programs(np.array([0.0]))
def array_of_one_element_as_condition(x):
    return 1 if x else 2


@programs(1.0)
@programs(-1.0)
def tuples_from_branches(x):
    pair = (x, (x + 1, [x])) if x > 0 else (0.0, (x - 1, [3.0]))
    return pair


@programs(1.0)
@programs(-1.0)
def dicts_from_branches(x):
    d = {"a": x, "b": 1}
    if x > 0:
        d = {"a": -x, "b": 2}
    return d


@programs(1.0)
@programs(-1.0)
def same_string_from_both(x):
    if x > 0:
        name, y = "same", x
    else:
        name, y = "same", -x
    return name, y


@programs(1.0)
@programs(-1.0)
def none_before_a_branch(x):
    y = None
    if x > 0:
        y = x
    else:
        y = -x
    return y


@programs(1, "double")
@programs(1, "square")
@programs(1, "else")
def static_string(n, how):
    if how == "double":
        return 2 * n
    elif how == "square":
        return n * n
    return n


@programs(1.5, True)
@programs(1.5, False)
def static_bool(x, flag):
    return x if flag else -x


@programs(1.5, None)
@programs(1.5, 2.0)
def none_argument(x, y):
    if y is None:
        return x
    return x * y


@programs(0)
@programs(1)
@programs(2)
@programs(3)
def match_on_int(n):
    match n:
        case 0:
            r = 10
        case 1 | 2:
            r = 20 + n
        case _:
            r = -1
    return r


@programs(3.0)
@programs(-3.0)
def match_with_guard(x):
    match x:
        case y if y > 0:
            return y
        case y:
            return -y


@programs(3.0)
@programs(-3.0)
def walrus(x):
    if (y := x * 2) > 0:
        return y
    return y - 1


@programs(3.0)
@programs(-3.0)
def prints_in_branches(x):
    print("before", x)
    if x > 0:
        print("positive", x, sep=": ")
    else:
        print("negative", end="!\n")
    print("after")
    return x


@programs(3.0)
@programs(-3.0)
def raises_in_a_branch(x):
    if x < 0:
        raise ValueError("negative")
    return x


@programs(3.0)
@programs(-3.0)
def assertion(x):
    assert x > 0, "must be positive"
    return x


@programs(2)
@programs(5)
@programs(7)
def membership(n):
    if n in (2, 3, 5):
        return 1
    if n not in [7, 11]:
        return 2
    return 3


@programs(np.array([1, 4, 9]), 4)
@programs(np.array([1, 4, 9]), 5)
def membership_in_an_array(a, n):
    return n in a


@programs(3.0)
@programs(-3.0)
def branch_rebinds_an_argument(x):
    if x < 0:
        x = -x
    return x**0.5


@programs(1.0, 2.0)
@programs(2.0, 1.0)
def swap_in_a_branch(a, b):
    if a > b:
        a, b = b, a
    return a, b


@programs(np.array([1.0, 2.0]), 1.0)
@programs(np.array([1.0, 2.0]), -1.0)
def write_in_one_branch(x, flag):
    if flag > 0:
        x[0] = 10
    return x


@programs(np.array([1.0, 2.0]), 1.0)
@programs(np.array([1.0, 2.0]), -1.0)
def write_in_both_branches(x, flag):
    y = x
    if flag > 0:
        x[0] = 10
    else:
        y[1] = 20
    return x, y


@programs(1.0)
@programs(-1.0)
def lambda_chosen_in_a_branch(x):
    scale = 2.0
    if x > 0:
        scale = 3.0
    f = lambda v: v * scale
    return f(x)


@programs(1.0)
@programs(-1.0)
def branch_on_a_branch_result(x):
    y = x > 0 and x < 2
    z = 5 if y else 6
    return y, z


@programs(1.0, 2.0)
@programs(-1.0, 2.0)
def float_or_numpy_float(x, y):
    return np.sqrt(y) if x > 0 else y


@programs(np.float32(1.0))
@programs(np.float32(-1.0))
def weak_float_or_float32(x):
    return x if x > 0 else 0.5


@programs(np.int32(1))
@programs(np.int32(-1))
def weak_int_or_int32(x):
    return x if x > 0 else 7


@programs(1.0)
@programs(-1.0)
def bool_or_float(x):
    return x > 0 or x


@programs(3)
@programs(0)
def bool_or_int(n):
    return n > 0 or n
