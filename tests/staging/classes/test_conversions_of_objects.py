"""Built-in functions that ask a method of an object, which decides by values of the run."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import OperandTypeError
from tests.support.oracle import check


class Stack:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)

    def __float__(self):
        if self.items[-1] > 1.0:
            return self.items[-1]
        return -1.0

    def __int__(self):
        return len(self.items) * 2

    def __complex__(self):
        return self.items[0] + 1j

    def __str__(self):
        first = 0.0 if self.items[0] < 1.0 else self.items[0]
        return f"<{first:.1f}>"

    __repr__ = __str__

    def __format__(self, spec):
        return str(self) + spec


def filled(x, n):
    stack = Stack()
    for i in range(n):
        stack.items.append(x + i)
    return stack


@pytest.mark.parametrize("convert", (len, float, int, complex, str, repr, format))
def test_of_an_object(convert):
    def program(x, n):
        return convert(filled(x, n))

    check(program, 0.25, 3)
    check(program, 2.5, 1)


def test_of_an_argument():
    def program(stack, k):
        if k > 1.0:
            stack.items[0] = stack.items[0] * k
        return len(stack), float(stack), str(stack), stack

    class Same(Stack):
        def __eq__(self, other):
            return self.items == other.items

    stack = Same()
    stack.items.append(0.75)
    compiled = ag.to_graph(program)
    for k in (0.5, 4.0):
        other = Same()
        other.items.append(0.75)
        expected, found = program(stack, k), compiled(other, k)
        assert found[:3] == expected[:3] and other.items == stack.items
        stack.items[0] = 0.75


class Wrong:
    def __init__(self, x):
        self.x = x

    def __float__(self):
        return self.x

    __len__ = __int__ = __float__


def test_what_is_of_another_type():
    with pytest.raises(
        OperandTypeError, match=r"Wrong\.__float__ returned non-float \(type numpy\.float32"
    ):
        ag.to_graph(lambda x: float(Wrong(x)))(np.float32(2.0))
    with pytest.raises(OperandTypeError, match=r"Wrong\.__len__ returned non-int"):
        ag.to_graph(lambda x: len(Wrong(x)))(2.0)


def test_a_negative_length():
    def program(n):
        return len(Wrong(n))

    check(program, 3)
    check(program, -3)


class Guarded:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        if value < 0.0:
            value = 0.0
        self._x = value


def test_a_setter_of_an_argument_decides():
    def program(box, y):
        box.x = y
        box.x -= 1.0
        return box.x

    compiled = ag.to_graph(program)
    for y in (3.0, 0.5, -2.0):
        box, other = Guarded(1.0), Guarded(1.0)
        assert compiled(box, y) == program(other, y) and box._x == other._x
