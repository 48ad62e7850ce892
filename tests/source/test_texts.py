"""f-strings and ``%`` in converted source: what they become, and that it is the same text."""

# ruff: noqa: UP031

import pytest

from autograph.source.load import convert
from tests.support.side_by_side import check


class Shown:
    def __format__(self, spec):
        return f"<{spec}>"

    def __repr__(self):
        return "Shown()"


@pytest.mark.parametrize("a", [4, -7, True])
def test_fields(a):
    def f(a):
        name = "it's"
        return (
            f"{a} {a!r} {a!s:>5} {a!a} {a:5d} {a:{a * a}d} {a:{'<'}{5}} {{}} {{{a}}} {name!r}",
            f"{a=} {a = :d} {a + 1=}",
            f"{f'{a:>3}':^9}|{'b' if a > 0 else 'c'}|{[x for x in range(2)]}",
            f"constant {{}}",  # noqa: F541
            f"{Shown()} {Shown():a:b} {Shown()!r:>10}",
        )

    check(f, a)


@pytest.mark.parametrize("a", [3, 2.5])
def test_percent(a):
    def f(a):
        template = "%s"
        return "%d%% %s %5.1f" % (a, a, a), "%(k)s" % {"k": a}, template % a, "%s" % (a,), 7 % 4

    check(f, a)


def test_mistakes():
    def f(a):
        return f"{a:d}"

    def g(a):
        return "%d %d" % (a,)  # noqa: F507

    check(f, "x")
    check(g, 1)


def test_a_value_is_formatted_before_the_next_is_evaluated():
    def f(stack):
        return f"{stack} {stack.pop()} {stack} {len(stack):d} {stack!r:>9} {stack.pop()}"

    check(f, [1, 2, 3])


def text_of(function):
    return convert(function).text


def test_an_f_string_reads_like_its_template():
    def f(x, n):
        return f"{n}: {x:.3f} {{{x!r:>{n}}}}"

    assert "ops.text('{}: {:.3f} {{{!r:>{}}}}', n, x, x, n)" in text_of(f)


def test_a_literal_before_percent():
    def f(x):
        return "%.3f" % x

    assert "ops.percent('%.3f', x)" in text_of(f)


def test_constant_texts_stay_as_they_are():
    def f(x):
        return x, f"a {{}}", "b"  # noqa: F541

    assert "ops.text" not in text_of(f)
