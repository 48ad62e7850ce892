"""Comprehensions and generator expressions, and the lists that are kept."""

# The programs under test are odd on purpose.

from __future__ import annotations

import pytest

from autograph.source.load import convert
from tests.support.side_by_side import check


def text(function) -> str:
    """The statements of the converted function, without indentation and comments."""
    lines = [line.partition("#")[0].strip() for line in convert(function).text.splitlines()[1:]]
    return "\n".join(lines).replace("lambda :", "lambda:")


def test_plain():
    def f(xs):
        return [x * 2 for x in xs]

    check(f, [1, 2])
    assert text(f) == "return ops.collect(lambda x: x * 2, xs)"


def test_conditions():
    def f(xs, n):
        return [x for x in xs if x if x > n if x != 5]

    check(f, [0, 3, 5, 7], 2)
    check(f, [0, 3, 5, 7], -2)
    expected = "where=lambda x: ops.and_(x, lambda: ops.and_(x > n, lambda: x != 5))"
    assert expected in text(f)


def test_tuple_target():
    def f(pairs):
        return [a * b for a, (b, *_) in pairs if a]

    check(f, [(0, (1,)), (2, (3, 4))])
    check(f, [(1, 2)])
    check(f, [(1, (2, 3), 4)])
    assert text(f) == (
        "def item_0(item):\n"
        "(a, (b, *_)) = item\n"
        "return a * b\n"
        "def where_0(item):\n"
        "(a, (b, *_)) = item\n"
        "return a\n"
        "return ops.collect(item_0, pairs, where=where_0)"
    )


def test_nested_for():
    def f(n):
        return [(i, j, k) for i in range(n) if i for j in range(i) for k in (i, j) if k]

    for n in range(5):
        check(f, n)
    assert text(f).count("flat=True") == 2


def test_nested_in_the_element():
    def f(rows):
        return [[a * b + row[0][0] for a, b in row] for row in rows]

    check(f, [[(1, 2), (3, 4)], [(5, 6)]])
    assert text(f).startswith("def item_1(row):\ndef item_0(item):")


def test_variable_hides_an_outer_one():
    def f(x, xs):
        ys = [x + y for y in xs]
        zs = [x for x in xs]
        return x, ys, zs, [x for x in [x, x + 1]]

    check(f, 1, [5, 6])


def test_variable_named_item():
    def f(item, pairs):
        return [item + a - b for a, b in pairs]

    check(f, 1, [(5, 6)])


def test_reads_versions():
    def f(xs):
        n = 1
        ys = [x + n for x in xs]
        n = n + 1
        zs = [(n := n + 1), [x + n + y for x, y in zip(xs, ys)], n]
        return ys, zs

    check(f, [1, 2])


def test_inside_control_flow():
    def f(xs, n):
        total = 0
        while any([a > n for a, _ in xs]):
            n += 1
            if n % 2:
                total += sum([a * b for a, b in xs])
        for y in [a for a, b in xs if b > n or a]:
            total += y
        return total and [a + total for a, _ in xs]

    for n in range(-1, 4):
        check(f, [(1, 2), (3, 4)], n)


def test_closures_made_in_the_element_share_the_variable():
    def f(n):
        functions = [lambda: i for i in range(n)]
        more = [lambda i=i: i for i in range(n)]
        return (
            [g() for g in functions],
            [g() for g in more],
            [g() for g in (lambda: i for i in [1])],
        )

    check(f, 3)


def test_in_a_lambda():
    def f(pairs):
        g = lambda ps, *more: [a + b for a, b in ps]
        return g(pairs), (lambda n: [i for i in range(n)])(3)

    check(f, [(1, 2)])


def test_in_dict_and_set_comprehensions():
    def f(d):
        return {k: [a * k for a, _ in v] for k, v in d.items()}, {
            sum([x for x in [k]]) for k, _ in d.items()
        }

    check(f, {2: [(1, 2)], 3: []})


def test_generators():
    def f(xs, n):
        g = (x + n for x in xs if x)
        first = next(g)
        n = 100
        return (
            first,
            list(g),
            sum(x * y for x in xs for y in range(x)),
            max(a for a, b in zip(xs, xs)),
        )

    check(f, [1, 0, 2, 3], 10)
    check(f, [], 0)
    assert "ops.generate" in text(f)


def test_generator_takes_its_iterable_at_once():
    def f(xs):
        g = (x for x in xs)
        xs = None
        return list(g)

    check(f, [1])
    check(f, 3)


def test_generator_is_lazy():
    def f(log):
        g = (log.append(i) or i for i in range(5))
        log.append("start")
        found = next(i for i in g if i == 2)
        log.append("end")
        return found, log

    check(f, [])


def test_short_circuit():
    def f(xs, log):
        return any(log.append(x) or x > 1 for x in xs), log

    check(f, [0, 2, 4], [])


def test_stop_iteration_in_the_element():
    def f(xs):
        return [next(iter(x)) for x in xs]

    check(f, [[1], []])


# -- lists that are kept ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ys = []", "ys_0 = ops.tracked([])"),
        ("ys: list = [0] * n", "ys_0 = ops.tracked([0] * n)"),
        ("ys = [n] + [[1]]", "ys_0 = ops.tracked([n] + [ops.tracked([1])])"),
        ("a, b = [], 1", "(a_0, b_0) = (ops.tracked([]), 1)"),
        ("a, b = [n, []]", "(a_0, b_0) = [n, ops.tracked([])]"),
        ("d = {1: [], **e}", "d_0 = ops.dict_of(((1, ops.tracked([])), (ops.entries(e),)))"),
        ("d[0] = d.x = []", "d[0] = d.x = ops.tracked([])"),
        ("d[1:] = [n]", "d[1:] = [n]"),
        ("return []", "return ops.tracked([])"),
        ("ys = n or []", "ys_0 = ops.or_(n, lambda: ops.tracked([]))"),
        ("ys = [] if n else None", "ys_0 = ops.cond(n, lambda: ops.tracked([]), lambda: None)"),
        ("g = lambda a=[]: []", "g_0 = lambda a=ops.tracked([]): ops.tracked([])"),
        ("ys = [[] for i in n]", "ys_0 = ops.collect(lambda i: ops.tracked([]), n)"),
        ("f(ys := [])", "ops.call(f, (ys_0 := ops.tracked([])))"),
        ("d.append([])", "ops.call(d.append, ops.tracked([]))"),
        ("f([1, []])", "ops.call(f, [1, []])"),
        ("n in [1, 2]", "ops.in_(n, [1, 2])"),
        ("[1, 2][n]", "[1, 2][n]"),
        ("for i in [1]: pass", "ops.for_loop([1], body_0, ())"),
        ("n + 1", "n + 1"),
    ],
)
def test_tracked(body, expected, tmp_path):
    path = tmp_path / "kept.py"
    path.write_text(f"def outer(f, n, d):\n    def g():\n        {body}\n    return g\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    assert text(namespace["outer"](None, 1, None)).splitlines()[-1].strip() == expected
