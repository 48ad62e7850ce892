"""Methods that Python calls by itself, replaced on their class between two calls."""

import numpy as np
import pytest

import autograph as ag


def make():
    class Meta(type):
        def __call__(cls, *args):
            return super().__call__(*args)

    class Base:
        def __abs__(self):
            return self.x

    class Box(Base, metaclass=Meta):
        def __init__(self, x):
            self.x = x

        def __call__(self, y):
            return self.x + y

        def __getitem__(self, i):
            return self.x * i

        def __len__(self):
            return 3

        def __iter__(self):
            return iter([self.x, 1.0])

        def __add__(self, other):
            return self.x + other

        def __radd__(self, other):
            return self.x - other

        def __lt__(self, other):
            return self.x < other

        def __eq__(self, other):
            return self.x == other

        def __contains__(self, other):
            return self.x > other

        def __enter__(self):
            return self.x

        def __exit__(self, *error):
            return None

        def __getattr__(self, name):
            return 4.0

        def __str__(self):
            return "box"

        __hash__ = None

    return Box


def entered(box):
    with box as y:
        return y * 2


USES = {
    "__init__": lambda box: type(box)(2.0).x,
    "__call__": lambda box: box(1.0),
    "__getitem__": lambda box: box[2],
    "__len__": lambda box: len(box) * box.x,
    "__bool__": lambda box: 1.0 if box else 2.0,
    "__iter__": lambda box: [y * 2 for y in box],
    "__add__": lambda box: box + 1.0,
    "__radd__": lambda box: 1.0 + box,
    "__lt__": lambda box: box < 5.0,
    "__eq__": lambda box: box == 3.0,
    "__contains__": lambda box: 5.0 in box,
    "__abs__": lambda box: abs(box),
    "__enter__": entered,
    "__getattr__": lambda box: box.nothing,
    "__str__": lambda box: str(box),
}
OTHERS = {
    "__init__": lambda self, x: setattr(self, "x", 10.0 * x),
    "__call__": lambda self, y: 70.0,
    "__getitem__": lambda self, i: 70.0,
    "__len__": lambda self: 7,
    "__bool__": lambda self: False,
    "__iter__": lambda self: iter([7.0]),
    "__add__": lambda self, other: 70.0,
    "__radd__": lambda self, other: 71.0,
    "__lt__": lambda self, other: False,
    "__eq__": lambda self, other: not self.x == other,
    "__contains__": lambda self, other: True,
    "__abs__": lambda self: 70.0,
    "__enter__": lambda self: 70.0,
    "__getattr__": lambda self, name: 70.0,
    "__str__": lambda self: "other",
}


@pytest.mark.parametrize("outside", (False, True), ids=("argument", "outside"))
@pytest.mark.parametrize("name", USES)
def test_the_method_that_the_class_has_now_is_called(name, outside):
    kind = make()
    box, use = kind(3.0), USES[name]
    compiled = ag.to_graph((lambda: use(box)) if outside else use)
    arguments = () if outside else (box,)
    before = compiled(*arguments)
    assert before == use(box)
    setattr(kind, name, OTHERS[name])
    after = use(box)
    assert compiled(*arguments) == after != before


def test_one_of_a_base_and_one_of_the_metaclass():
    kind = make()
    made = ag.to_graph(lambda x: abs(kind(x)))
    assert made(2.0) == 2.0
    kind.__mro__[1].__abs__ = lambda self: self.x * 5.0
    assert made(2.0) == 10.0
    type(kind).__call__ = lambda cls, *args: np.float64(7.0)
    assert made(2.0) == 7.0


def test_other_bases():
    class First:
        def __neg__(self):
            return 1.0

    class Second:
        def __neg__(self):
            return 2.0

    class Derived(First):
        pass

    negated = ag.to_graph(lambda x: -x)
    assert negated(Derived()) == 1.0
    Derived.__bases__ = (Second,)
    assert negated(Derived()) == 2.0
