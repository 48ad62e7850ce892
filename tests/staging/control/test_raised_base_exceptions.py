"""Exceptions that are no `Exception`, raised by the function itself."""

import pytest

import autograph as ag
from autograph.errors import UnsupportedConstructError


class Stop(BaseException):
    pass


KINDS = (SystemExit, KeyboardInterrupt, GeneratorExit, Stop)


@pytest.mark.parametrize("kind", KINDS)
def test_where_the_run_decides(kind):
    def in_a_branch(x):
        if x < 0.0:
            raise kind(3)
        return x

    def in_a_loop(x):
        for i in range(3):
            if x < i:
                raise kind
        return x

    def handled(x):
        try:
            if x < 0.0:
                raise kind
        except BaseException:
            return 1.0
        return x

    def called(x):
        return in_a_branch(x) + 1.0

    def with_a_value(x):
        raise kind(x)

    def after_a_print(x):
        print(x)
        raise kind(1)

    for program in (in_a_branch, in_a_loop, handled, called, with_a_value, after_a_print):
        with pytest.raises(UnsupportedConstructError, match=f"AG0333.*{kind.__name__}, which is"):
            ag.to_graph(program)(9.0)


def test_python_leaves_by_exit():
    def program(x):
        if x < 0.0:
            exit(2)
        return x

    with pytest.raises(UnsupportedConstructError, match="SystemExit, which is no Exception"):
        ag.to_graph(program)(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_where_nothing_decides(kind):
    def program(x):
        raise kind(5)

    with pytest.raises(kind) as caught:
        ag.to_graph(program)(1.0)
    assert caught.value.args == (5,)
