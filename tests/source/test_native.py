"""Definitions in a converted function that stay as they are: classes and generator functions."""

# The programs under test are odd on purpose.

import collections
import dataclasses
import typing

import gast
import pytest

from autograph.errors import UnsupportedConstructError
from autograph.source.load import convert, is_converted
from autograph.source.tree.scopes import children
from tests.support.side_by_side import check, converted


def test_generator_function():
    def f(xs, n):
        def squares(values, start=n):
            for x in values:
                if x > start:
                    yield x * x + n

        n = n + 1
        total = sum(squares(xs))
        for y in squares(xs, 0):
            total += y
        return total, list(squares(xs))

    for n in range(4):
        check(f, [1, 2, 3], n)


def test_generator_that_changes_a_variable():
    def f(xs):
        seen = 0

        def noted():
            nonlocal seen
            for x in xs:
                seen += 1
                yield from [x, seen]

        trace = []
        for x in noted():
            if x == 3:
                seen = 10
            trace.append((x, seen))
        return trace, seen

    check(f, [1, 3, 5])
    check(f, [])


def test_generator_in_an_inner_function():
    def f(n):
        def outer(k):
            def count():
                for i in range(k):
                    yield i + n + late

            return list(count())

        late = n
        for n in range(2):
            n = n + 1
        return outer(n), outer(2)

    check(f, 4)


def test_class():
    def f(x, n):
        scale = n

        class Base:
            """Documented."""

            factor = scale

            def __init__(self, v):
                self.__v = v

            def get(self):
                return self.__v * self.factor + n

        @dataclasses.dataclass(frozen=True)
        class Pair(collections.Counter):
            a: int
            b: typing.Any = 2

            def total(self):
                match self.a:
                    case [first, *_] if first:
                        return first
                    case int() | float():
                        return self.a + self.b
                    case _:
                        return n

        class Child(Base):
            def get(self):
                return super().get() + 1, __class__.__name__

        n = n + 1
        if x > 1:
            scale = 100
        return (
            Child(x).get(),
            Base(x).get(),
            Base.__doc__,
            Pair(x).total(),
            Pair([x]).total(),
            scale,
        )

    for x in range(3):
        check(f, x, 5)
    check(f, 0, 0)
    assert "class Pair(collections.Counter):" in convert(f).text


def test_class_in_a_method():
    model = Outer()
    assert converted(Outer.method)(model, 3) == model.method(3)


class Outer:
    def method(self, x):
        self.__x = x

        class Inner:
            __y = x

            def get(self, outer):
                return outer._Outer__x + self.__y

        return Inner().get(self), Inner._Inner__y, self.__x


def test_namedtuple_class_in_a_branch():
    def f(x):
        if x:

            class Point(typing.NamedTuple):
                x: int = x
                y: int = 2
        else:
            Point = tuple
        return tuple(Point())

    check(f, 0)
    check(f, 1)


def test_methods_are_converted_when_they_are_called():
    def f(n):
        class Model:
            def method(self, x):
                return x + n if x else (lambda: n)()

            @staticmethod
            def static(x):
                return [x + n for x in [x]]

        def count():
            yield n

        return Model, count

    model, count = converted(f)(5)
    for method in (model.method, model.static, count):
        assert not is_converted(method.__code__)
    assert converted(model.method)(None, 1) == 6
    assert converted(model.method)(None, 0) == 5
    assert converted(model.static)(1) == [6]


def test_asynchronous_function_is_refused(tmp_path):
    def f(n):
        async def g():
            return n

        return g

    with pytest.raises(UnsupportedConstructError, match="asynchronous function"):
        convert(f)


def test_a_class_as_gast_0_6_makes_it():
    definition = gast.parse("class Model(Base): limit = 3").body[0]
    expected = children(definition)
    vars(definition).pop("type_params", None)  # which it has only from 0.7 on
    assert children(definition) == expected != []
