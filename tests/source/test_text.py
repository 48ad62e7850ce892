"""The printed form of converted functions, and the positions in what is compiled."""

# The programs under test are odd on purpose.

import sys
import textwrap
import traceback

import numpy as np
import pytest

import autograph as ag
from autograph.source.load import convert
from tests.support.side_by_side import converted, same_tree


def text_of(function) -> str:
    """The converted source with line numbers counted from the definition."""
    form = convert(function)
    assert same_tree(form)
    lines = []
    for line in form.text.splitlines():
        code, mark, number = line.partition("# test_text.py:")
        offset = int(number) - form.location.line if mark else 0
        lines.append(code + (f"# +{offset}" if mark else ""))
    return "\n".join(lines) + "\n"


def check_text(function, expected: str) -> None:
    text, expected = text_of(function), textwrap.dedent(expected).lstrip("\n")
    if sys.version_info < (3, 11):  # prints "lambda : x"
        text = " ".join(text.replace("lambda :", "lambda:").split())
        expected = " ".join(expected.split())
    assert text == expected


def test_if():
    def g(x, y):
        if np.any(x > y):
            return x * 17
        else:
            return y + 23

    check_text(
        g,
        """
        def g(x, y):                                                      # +0
            def then_0():                                                 # +1
                return x * 17                                             # +2
            def else_0():                                                 # +1
                return y + 23                                             # +4
            return ops.cond(np.any(x > y), then_0, else_0)                # +1
        """,
    )


def test_while():
    def newton_sqrt(a):
        x = a
        while abs(x * x - a) > 1e-12:
            x = 0.5 * (x + a / x)
        return x

    check_text(
        newton_sqrt,
        """
        def newton_sqrt(a):                                               # +0
            x_0 = a                                                       # +1
            def test_0(x_1):                                              # +2
                return abs(x_1 * x_1 - a) > 1e-12                         # +2
            def body_0(x_1):                                              # +2
                x_2 = 0.5 * (x_1 + a / x_1)                               # +3
                return (x_2,)
            (x_3,) = ops.while_loop(test_0, body_0, (x_0,), names=('x',)) # +2
            return x_3                                                    # +4
        """,
    )


def test_for_with_break():
    def find(xs, n):
        count = 0
        for x in xs:
            if x > n:
                break
            count += 1
        return count

    check_text(
        find,
        """
        def find(xs, n):                                                  # +0
            count_0 = 0                                                   # +1
            exit_0 = ops.FALL
            def test_0(exit_1, count_1):                                  # +2
                return exit_1 == ops.FALL                                 # +2
            def body_0(x_0, exit_1, count_1):                             # +2
                def then_0():                                             # +3
                    exit_2 = ops.BREAK                                    # +4
                    return (exit_2, count_1)
                def else_0():                                             # +3
                    count_2 = count_1 + 1                                 # +5
                    return (exit_1, count_2)
                (exit_3, count_3) = ops.cond(x_0 > n, then_0, else_0, names=('exit', 'count')) # +3
                return (exit_3, count_3)
            (exit_4, count_4) = ops.for_loop(xs, body_0, (exit_0, count_0), names=('exit', 'count'), test=test_0) # +2
            return count_4                                                # +6
        """,  # noqa: E501
    )


def test_early_return_in_a_loop():
    def f(n):
        while n > 0:
            if n == 5:
                return n
            n = n - 1
        return -1

    check_text(
        f,
        """
        def f(n):                                                         # +0
            exit_0 = ops.FALL
            def test_0(result_0, exit_1, n_0):                            # +1
                return ops.and_(exit_1 == ops.FALL, lambda: n_0 > 0)      # +1
            def body_0(result_0, exit_1, n_0):                            # +1
                def then_0():                                             # +2
                    result_1 = n_0                                        # +3
                    exit_2 = ops.RETURN                                   # +3
                    return (result_1, exit_2, n_0)
                def else_0():                                             # +2
                    n_1 = n_0 - 1                                         # +4
                    return (ops.undefined('result'), exit_1, n_1)
                (result_2, exit_3, n_2) = ops.cond(n_0 == 5, then_0, else_0, names=('result', 'exit', 'n')) # +2
                return (result_2, exit_3, n_2)
            (result_3, exit_4, n_3) = ops.while_loop(test_0, body_0, (ops.unread('result'), exit_0, n), names=('result', 'exit', 'n')) # +1
            def then_1():                                                 # +1
                return ops.returned(result_3)
            def else_1():                                                 # +1
                return -1                                                 # +5
            return ops.cond(exit_4 == ops.RETURN, then_1, else_1)
        """,  # noqa: E501
    )


def test_nested_if():
    def f(a, b):
        if a > 0:
            if b > 0:
                c = a
            else:
                c = b
            a = c
        return a

    check_text(
        f,
        """
        def f(a, b):                                                      # +0
            def then_0():                                                 # +1
                def then_1():                                             # +2
                    c_0 = a                                               # +3
                    return (c_0,)
                def else_1():                                             # +2
                    c_1 = b                                               # +5
                    return (c_1,)
                (c_2,) = ops.cond(b > 0, then_1, else_1, names=('c',))    # +2
                a_0 = c_2                                                 # +6
                return (a_0,)
            def else_0():                                                 # +1
                return (a,)
            (a_1,) = ops.cond(a > 0, then_0, else_0, names=('a',))        # +1
            return a_1                                                    # +7
        """,
    )


def test_calls_and_undefined():
    def f(n, xs):
        for i in range(n):
            y = np.sin(xs[i]) + sum(xs)
        for _ in range(3):
            print(np.zeros(n))
        return y

    check_text(
        f,
        """
        def f(n, xs):                                                     # +0
            def body_0(i_0, y_0):                                         # +1
                y_1 = np.sin(xs[i_0]) + ops.call(sum, xs)                 # +2
                return (y_1,)
            (y_2,) = ops.for_loop(ops.call(range, n), body_0, (ops.undefined('y'),), names=('y',)) # +1
            def body_1(__0):                                              # +3
                ops.call(print, ops.call(np.zeros, n))                    # +4
                return ()
            ops.for_loop(range(3), body_1, ())                            # +3
            return ops.defined(y_2)                                       # +5
        """,  # noqa: E501
    )


def test_shared_variable():
    def f(n):
        g = lambda: n
        n = n + 1
        return g

    check_text(
        f,
        """
        def f(n):                                                         # +0
            g_0 = lambda: n                                               # +1
            n = n + 1                                                     # +2
            return g_0                                                    # +3
        """,
    )


def test_functions_that_transforms_use_up():
    def train(w, batches):
        for x in batches:
            w = w - ag.grad(lambda v: x * v)(w)
        return w

    check_text(
        train,
        """
        def train(w, batches):                                            # +0
            def body_0(x_0, w_0):                                         # +1
                w_1 = w_0 - ops.call(ops.call(ag.grad, lambda v: x_0 * v), w_0) # +2
                return (w_1,)
            (w_2,) = ops.for_loop(batches, body_0, (w,), names=('w',))    # +1
            return w_2                                                    # +3
        """,
    )


def nested(depth: int) -> str:
    lines = ["def f(x, y):"]
    for i in range(depth):
        lines.append("    " * (i + 1) + f"if x > {i}:")
    lines.append("    " * (depth + 1) + "return x")
    for i in reversed(range(depth)):
        lines.append("    " * (i + 1) + f"y = y + {i}")
        lines.append("    " * (i + 1) + f"if y == {i}:")
        lines.append("    " * (i + 2) + "return y")
    return "\n".join(lines) + "\n    return x + y\n"


def test_growth_is_linear(tmp_path):
    sizes = []
    for depth in (3, 6, 12):
        path = tmp_path / f"nested{depth}.py"
        path.write_text(nested(depth))
        namespace = {}
        exec(compile(path.read_text(), str(path), "exec"), namespace)
        f = namespace["f"]
        sizes.append(len(convert(f).text.splitlines()))
        g = converted(f)
        assert all(f(x, y) == g(x, y) for x in range(-1, depth + 2) for y in range(-3, 3))
    assert sizes[2] - sizes[1] <= 2 * (sizes[1] - sizes[0]) + 4


# -- positions -------------------------------------------------------------------------------------


def fails_in_a_branch(x, y):
    if x > 0:
        for i in range(3):
            while True:
                z = y[i]
                if z:
                    break
    return (x +
            y)  # fmt: skip


def frames_of(function, *args):
    with pytest.raises((IndexError, TypeError)) as caught:
        function(*args)
    return [f for f in traceback.extract_tb(caught.value.__traceback__) if f.filename == __file__]


@pytest.mark.parametrize("args", [(1, [1]), (0, [])])
def test_tracebacks_name_the_users_lines(args):
    original = frames_of(fails_in_a_branch, *args)[-1]
    frame = frames_of(converted(fails_in_a_branch), *args)[-1]
    assert frame.lineno == original.lineno
    if sys.version_info >= (3, 11):
        assert (frame.colno, frame.end_lineno, frame.end_colno) == (
            original.colno,
            original.end_lineno,
            original.end_colno,
        )


def test_frames_on_the_way_are_in_the_function():
    frames = frames_of(converted(fails_in_a_branch), 1, [1])
    first = fails_in_a_branch.__code__.co_firstlineno
    assert all(first < frame.lineno < first + 12 for frame in frames[1:])


@pytest.mark.skipif(sys.version_info < (3, 11), reason="columns begin with Python 3.11")
def test_every_instruction_has_a_place_in_the_function():
    code = converted(fails_in_a_branch).__code__
    first = fails_in_a_branch.__code__.co_firstlineno
    todo = [code]
    for inner in todo:
        todo += [c for c in inner.co_consts if hasattr(c, "co_code")]
        lines = {line for line, *_ in inner.co_positions() if line is not None}
        assert lines and all(first <= line < first + 12 for line in lines)
