"""Numbers that are of another type on each path: they are returned and shown as in Python."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, assert_same, check_grad

programs = Programs()


# -- where they come from --------------------------------------------------------------------------


@programs.smooth(1.0)
@programs(-1.0)
def of_a_conditional(x):
    return x if x > 0 else 0


@programs(3)
@programs(0)
def of_a_loop_that_may_make_no_trip(n):
    total = 0
    for _ in range(n):
        total += 0.5
    return total


@programs(np.array([1.0, 2.0]), 1.5)
@programs(np.array([1.0, 2.0]), 5.0)
def of_a_loop_that_may_find_nothing(xs, least):
    best = 0
    for x in xs:
        if x > least:
            best = x
    return best


@programs(4.0)
@programs(0.0)
def of_a_while(x):
    total = 0
    while x > 1.0:
        total, x = total + x, x / 2
    return total, {"total": total}, [total, x]


@programs(2)
@programs(0)
def of_a_recursion(n):
    if n == 0:
        return 0
    return of_a_recursion(n - 1) + 0.5


@programs(2)
@programs(0)
def of_an_argument_of_a_recursion(n):
    def count(n, so_far):
        return so_far if n == 0 else count(n - 1, so_far + 0.5)

    return count(n, 0)


@programs(1.0)
@programs(-1.0)
def of_a_function_that_is_called(x):
    return of_a_conditional(x), -of_a_conditional(-x)


@programs(-1.0, 0.5)
@programs(1.0, 0.5)
@programs(1.0, 7.0)
def of_built_in_functions(x, y):
    return max(0, x), min(x, 0, y), x > 0 and y


@programs(3)
@programs(0)
def of_a_list_of_unknown_length(n):
    return sum([i * 0.5 for i in range(n)])


class Total:
    def __init__(self):
        self.value = 0

    def add(self, x):
        self.value += x


@programs(3)
@programs(0)
def of_an_attribute(n):
    total = Total()
    for i in range(n):
        total.add(i * 0.5)
    return total.value


@programs({"a": 0, "b": [0]}, 2)
@programs({"a": 0, "b": [0]}, 0)
def of_what_the_caller_gave(given, n):
    for i in range(n):
        given["a"] += 0.5
        given["b"][0] += np.float64(i)


@programs(np.float32(2.0), 1.0)
@programs(np.float32(-2.0), 1.0)
@programs(np.float32(-2.0), -1.0)
def of_many_types(x, y):
    number = x if x > 0 else 0.1 if y > 0 else True
    return number, number if y > 0 else np.float64(0.7)


@programs(1.0)
@programs(-1.0)
def larger_than_floats_tell_apart(x):
    number = 2**60 + 1 if x > 0 else 0.5
    again = number if x > -5 else np.float32(0.1)
    return number, again, number + 1, int(number)


@programs(1.0, 5.0, 2)
@programs(1.0, 1.0, 2)
@programs(0.0, 5.0, 2)
def beside_none(flag, x, n):
    if flag > 0.5:
        best = float("inf")
        if x > n:
            best = n
        return best
    return None


@programs(2.0, [3, 5, 4])
@programs(0.0, [3, 5, 4])
@programs(9.0, [3, 5])
def beside_none_in_a_loop(x, costs):
    best = None
    while x > 0.5:
        for cost in costs:
            if cost > x and (best is None or cost < best):
                best = cost
            elif x > 8.0:
                best = x
        x -= 1.0
    return best, [best], best is None


@programs(2.0, 3)
@programs(-2.0, 3)
@programs(0.0, 3)
def beside_none_of_a_recursion(x, n):
    def found(x, n):
        if x == 0.0:
            return None
        if x < 0:
            return n
        return x if n == 0 else found(x, n - 1)

    return found(x, n)


@programs(1.0, 2)
@programs(-1.0, 2)
def that_was_none(x, n):
    best = None
    for i in range(n):
        if best is None:
            best = n if x > 0 else 0.5
        elif i > 5:
            best = None
    return best + 1, best


# -- what is made of them --------------------------------------------------------------------------


@programs(3.0, 4)
@programs(-3.0, 4)
def arithmetic(x, n):
    y = 0 if x > 0 else 1.5
    z = np.float64(2.0) if x > 1 else n
    return -y, abs(y), y + 1, y - n, n * y, y + y, y / 2, y // 2, y % 3, y + z, z * 2.0


@programs(np.int32(3), np.float64(2))
@programs(np.int32(-3), np.float64(2))
def arithmetic_of_numpys(i, x):
    y = i if i > 0 else x
    print([y + 1])
    return y, y + 1, y * x, y + i, -y, y / 2, y // 2


@programs(1.0, 2)
@programs(-1.0, 2)
def beyond_64_bits(x, n):
    y = 2**62 if x > 0 else 0.5
    for _ in range(n):
        y = y * 2
    return y


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([-1.0, -2.0]))
def a_sum_of_them(xs):
    total = 0
    for x in xs:
        total += x if x > 0 else 0
    return total, total / 2


@programs(3.0)
@programs(-3.0)
def functions_of_them(x):
    y = 0 if x > 0 else 1.25
    return round(y, 1), round(y), int(y), float(y), divmod(y, 2), y or 7, not y


@programs(3.0)
@programs(-3.0)
def their_type(x):
    y = 0 if x > 0 else 1.25
    name = "int" if isinstance(y, int) else "no int"
    return isinstance(y, float), isinstance(y, (int, float)), type(y) is int, name


@programs(3)
@programs(0)
def shown_in_a_loop(n):
    total = 0
    for i in range(n):
        print(total, f"{total:.2f} and {total}", [total], "%s;" % total, sep="; ")  # noqa: UP031
        total += i * 0.5
    print(total)


@programs(3.0)
@programs(-3.0)
def in_a_text(x):
    y = 0 if x > 0 else np.float32(0.1)
    return f"{y!r} {y}", str(y) + repr(y)


@programs(3.0)
@programs(-3.0)
@programs(-9.0)
def in_an_exception(x):
    y = 0 if x > 0 else 0.5
    if x > -5:
        raise ValueError(f"it is {y}", y)
    return y


@programs.test
def test_promoted_numbers(call):
    call.run()


@pytest.mark.parametrize("x", [3.0, -3.0])
def test_what_an_exception_says(x):
    with pytest.raises(ValueError) as python:
        in_an_exception(x)
    with pytest.raises(ValueError) as compiled:
        ag.to_graph(in_an_exception)(x)
    assert_same(compiled.value.args, python.value.args, "arguments")


# -- elsewhere -------------------------------------------------------------------------------------


def test_the_type_costs_nothing_where_it_is_not_asked_for():
    def mean(n):
        total = 0
        for _ in range(n):
            total += 0.5
        return total / n

    assert "(n: int) -> (float)" in str(ag.to_graph(mean).program(3))
    assert "-> (float)" in str(ag.grad(of_a_conditional).program(3.0))


def test_a_loop_that_makes_a_trip_leaves_the_type_of_a_trip():
    def total(xs):
        so_far = 0
        for x in xs:
            so_far += x
        return so_far

    text = str(ag.to_graph(total).program(np.ones(4)))
    assert "-> (f64[])" in text and "range(4)" in text


def or_none(x):
    if x > 0:
        return 3 if x < 2 else 0.5
    return None


def test_saved(tmp_path):
    for function in (of_a_conditional, larger_than_floats_tell_apart, or_none):
        file = tmp_path / "saved.ag"
        ag.to_graph(function).lower(1.0).save(file)
        loaded = ag.load(file)
        for x in (1.0, -1.0):
            assert_same(loaded(x), function(x), "result")
            assert_same(ag.to_graph(lambda x: loaded(x))(x), function(x), "result of a call")


def test_in_transforms_they_are_of_the_promoted_type():
    assert_same(ag.value_and_grad(of_a_conditional)(-1.0), (0.0, 0.0), "value and gradient")
    assert_same(ag.jvp(of_a_conditional, (-1.0,), (1.0,)), (0.0, 0.0), "value and tangent")
    found = ag.vmap(of_a_conditional)(np.array([1.0, -1.0]))
    assert_same(found, np.array([1.0, 0.0]), "lanes")
    check_grad(a_sum_of_them_by_itself, np.array([1.0, -2.0, 3.0]))


def a_sum_of_them_by_itself(xs):
    return a_sum_of_them(xs)[0] + 0.0
