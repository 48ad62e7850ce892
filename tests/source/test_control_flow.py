"""Conversion of branches, loops and exits: run eagerly, the converted function is the original."""

# The programs under test are odd on purpose.
# ruff: noqa: F821, F823

import itertools

import pytest

from tests.support.side_by_side import check


def all_inputs(function, *domains):
    for args in itertools.product(*domains):
        check(function, *args)


SMALL = range(-1, 5)


def test_if_with_returns():
    def f(x, y):
        if x > y:
            return x * 17
        else:
            return y + 23

    all_inputs(f, SMALL, SMALL)


def test_early_return_and_elif():
    def f(x):
        if x < 0:
            return "negative"
        if x == 0:
            y = "zero"
        elif x == 1:
            return "one"
        elif x == 2:
            y = "two"
        else:
            y = "many"
        return y + "!"

    all_inputs(f, SMALL)


def test_nested_returns_that_may_fall():
    def f(a, b, c):
        if a > 0:
            if b > 0:
                return 1
            a += 10
        elif c > 1:
            if b == 2:
                return 2
        a += 100
        if c:
            return a
        b = a + 1
        return b

    all_inputs(f, SMALL, SMALL, SMALL)


def test_falling_off_the_end():
    def f(a, b):
        if a > 0:
            if b > 0:
                return 1
            a = 2

    all_inputs(f, SMALL, SMALL)


def test_no_return_at_all():
    def f(a, log):
        if a > 0:
            log.append(a)
        for i in range(a):
            log.append(i)

    all_inputs(f, SMALL, [[]])


def test_bare_return():
    def f(a, log):
        if a > 2:
            return
        log.append(a)

    all_inputs(f, SMALL, [[]])


def test_while():
    def f(a, n):
        i = 0
        while i < n:
            a = a * 2 + i
            i += 1
        return a, i

    all_inputs(f, SMALL, SMALL)


def test_while_else_and_break():
    def f(n, stop):
        i = 0
        while i < n:
            if i == stop:
                break
            i += 1
        else:
            i = i + 100
        return i

    all_inputs(f, SMALL, SMALL)


def test_while_else_without_break():
    def f(n, stop):
        i = 0
        while i < n:
            if i == stop:
                return -i
            i += 1
        else:
            i = i + 100
            if n == 3:
                return "three"
        return i

    all_inputs(f, SMALL, SMALL)


def test_while_true():
    def f(n):
        i = 0
        while True:
            if i * i > n:
                return i
            i += 1

    def g(n):
        i = 0
        while True:
            i += 1
            if i > n:
                break
        return i

    all_inputs(f, SMALL)
    all_inputs(g, SMALL)


def test_test_is_not_evaluated_after_break():
    def f(items):
        while items.pop() > 0:
            if items[-1] == 7:
                break
        return items

    for items in ([0, 1], [1, 0, 3], [1, 7, 5], [7, 7], [1, 1, 1]):
        check(f, items)


def test_for_with_everything():
    def f(n, xs):
        t = 0
        for i in range(n):
            if i == 3:
                continue
            if xs[i] > 5:
                if xs[i] > 10:
                    break
                if t > 3:
                    return i
                t -= 1
            t += i
        else:
            t = t * 2
        return t, i

    all_inputs(f, range(6), itertools.product((1, 7, 11), repeat=3))


def test_continue_that_needs_a_flag():
    def f(xs):
        log = []
        for x in xs:
            if x > 2:
                if x > 3:
                    continue
                log.append("small")
            elif x == 1:
                log.append("one")
            log.append(x)
        return log

    def g(xs):
        log = []
        for x in xs:
            if x > 2:
                if x > 3:
                    continue
                log.append("small")
            elif x == 1:
                if len(log) > 3:
                    break
                log.append("one")
            log.append(x)
        return log, x

    for xs in itertools.product(range(5), repeat=3):
        check(f, xs)
        check(g, xs)


def test_nested_loops_with_exits():
    def f(n, m, stop):
        found = []
        for i in range(n):
            j = 0
            while j < m:
                j += 1
                if (i + j) % 3 == stop:
                    continue
                if i * j == stop:
                    break
                if i + j == 5:
                    return found, "early"
                found.append((i, j))
            else:
                if i == 2:
                    break
                continue
            found.append(i)
        else:
            return found, "all"
        return found, "broken"

    all_inputs(f, SMALL, SMALL, SMALL)


def test_return_from_three_loops():
    def f(n):
        for i in range(n):
            for j in range(i):
                for k in range(j):
                    if i + j + k == 4:
                        return i, j, k
        return None

    all_inputs(f, range(7))


def test_undefined_variables():
    def f(a, b):
        if a > 0:
            x = 1
        if b > 0:
            return x
        for i in range(a):
            y = i
        if b == 0:
            return y, i
        del a
        if b == -1:
            return a
        return b

    all_inputs(f, SMALL, SMALL)


def test_undefined_before_any_assignment():
    def f(a):
        b = c + a
        c = 2
        return b

    check(f, 1)


def test_variable_of_unreachable_code_is_still_local():
    def f():
        return len([])
        len = 3

    check(f)


def test_delete_on_one_path_and_in_a_loop():
    def f(n):
        x = 1
        for i in range(n):
            if i == 1:
                del x
        return x

    all_inputs(f, SMALL)


def test_loop_target_is_kept_and_may_be_assigned():
    def f(xs):
        i = "none"
        for i in xs:
            i = i * 2
        return i

    def g(xs):
        for i, (a, *b) in xs:
            pass
        return i, a, b

    for xs in ([], [1], [1, 2]):
        check(f, xs)
    for xs in ([], [(1, (2, 3, 4))], [(1, "ab"), (2, "c")]):
        check(g, xs)


def test_loop_target_that_is_not_a_name():
    def f(xs, box):
        for box["item"] in xs:
            box["sum"] = box["sum"] + box["item"]
        return box

    check(f, [1, 2, 3], {"sum": 0})


def test_iterables_of_all_kinds():
    def f(xs):
        total = []
        for x in xs:
            if x == 2:
                break
            total.append(x)
        return total

    for xs in ("ab", [1, 2, 3], {1: 2}, {3}, range(4), (i for i in ()), 5, None):
        check(f, [*xs] if isinstance(xs, type(i for i in ())) else xs)


def test_iterator_is_not_advanced_after_break():
    def f(n):
        items = iter(range(10))
        for i in items:
            if i == n:
                break
        return next(items)

    all_inputs(f, SMALL)


def test_raise_and_assert():
    def f(x):
        if x < 0:
            raise ValueError(f"negative: {x}")
        assert x != 2, f"two: {x}"
        if x == 3:
            y = 1
        else:
            raise KeyError(x)
        return y

    all_inputs(f, SMALL)


def test_counter_and_in_place():
    def f(a, n):
        count = 0
        alias = a
        for _ in range(n):
            count += 1
            a += [count]
        return a, alias, count

    all_inputs(f, [[], [1]], SMALL)


def test_augmented_targets():
    def f(box, xs):
        xs[0] += 1
        xs[xs[1]] *= 3
        box.append(xs)
        box[-1][2] -= 4
        return box, xs

    check(f, [], [1, 2, 3])


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^"])
def test_augmented_operators(operator, tmp_path):
    path = tmp_path / "augmented.py"
    path.write_text(f"def f(x, y):\n    x {operator}= y\n    return x\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    check(namespace["f"], 7, 3)
    check(namespace["f"], {7, 3}, {3})


def test_match():
    def f(x):
        match x:
            case 0 | 1:
                return "small"
            case None:
                return "none"
            case "a" if x > "":
                return "text"
            case int() as n:
                return n

    def g(x):
        match x:
            case 0 | 1:
                return "small"
            case None:
                y = "none"
            case "a" if x > "b":
                y = "never"
            case 4 as n:
                y = n + 1
            case n if n == 3:
                y = n
            case other:
                return other
        return y, n

    for x in (0, 1, 2, 3, 4, None, "a", "c"):
        check(f, x)
        check(g, x)
