"""Dataclasses and named tuples that are made quickly are as those of Python."""

import copy
import dataclasses
import inspect
import pickle
import typing
from dataclasses import field

import optree
import pytest

from ops.core import records


def classes(dataclass):
    """Classes of all kinds, and arguments of some objects of each."""

    @dataclass
    class Plain:
        """Some fields."""

        x: int
        y: list = field(default_factory=list)
        z: str = "z"

    @dataclass(frozen=True)
    class Frozen:
        """Some fields."""

        x: int
        y: tuple = ()
        shown: float = field(default=1.5, repr=False)
        only: object = field(default=None, compare=False)

    @dataclass(frozen=True)
    class Names:
        """Fields with names that a method might need."""

        put: int
        missing: int = 3
        cls: int = 4
        make_put: list = field(default_factory=list, hash=False)

    @dataclass(frozen=True)
    class Empty:
        """No field."""

    @dataclass(frozen=True)
    class One:
        """A field."""

        x: float

    @dataclass(eq=False)
    class Identical:
        """Fields that are not compared."""

        x: int
        made: dict = field(init=False, default_factory=dict)

    @dataclass(frozen=True, eq=False)
    class Checked:
        """Something besides its field."""

        x: int

        def __post_init__(self):
            object.__setattr__(self, "doubled", 2 * self.x)

        def __repr__(self):
            return f"<{self.x}, {vars(self)['doubled']}>"

    @dataclass(frozen=True)
    class Own:
        """Methods of its own."""

        x: int

        def __eq__(self, other):
            return isinstance(other, type(self)) and self.x % 10 == other.x % 10

        def __hash__(self):
            return self.x % 10

    @dataclass(frozen=True)
    class Compared:
        """One such method."""

        x: int

        def __eq__(self, other):
            return isinstance(other, type(self)) and self.x % 10 == other.x % 10

    @dataclass
    class Whole:
        """The same, and changes."""

        x: int

        def __eq__(self, other):
            return isinstance(other, type(self)) and self.x % 10 == other.x % 10

    return [
        (Plain, [(1,), (1, []), (1, [2], "a"), (3,)]),
        (Frozen, [(1,), (1, (2,)), (1, (), 1.5, "other"), (1, (), 2.5)]),
        (Names, [(1,), (1, 2, 3), (1, 3)]),
        (Empty, [(), ()]),
        (One, [(1.0,), (1.0,), (2.0,)]),
        (Identical, [(1,), (1,)]),
        (Checked, [(1,), (1,)]),
        (Own, [(1,), (11,), (2,)]),
        (Compared, [(1,), (11,), (2,)]),
        (Whole, [(1,), (11,), (2,)]),
    ]


def ending(call):
    try:
        return repr(call())
    except Exception as error:
        return f"{type(error).__mro__} {error}"


def behaviour(cls, arguments):
    """What can be compared with what another class does."""
    made = [cls(*given) for given in arguments]
    yield [repr(x) for x in made]
    yield [[x == y for x in made] for y in made], [x != 3 for x in made]
    yield cls.__hash__ is None, cls.__hash__ is object.__hash__
    if cls.__hash__ not in (None, object.__hash__):
        yield [hash(x) for x in made]
    for x in made:
        yield [(f.name, f.type, f.init, f.repr, f.compare) for f in dataclasses.fields(x)]
        yield [getattr(copy.copy(x), f.name) == getattr(x, f.name) for f in dataclasses.fields(x)]
        yield ending(lambda: dataclasses.replace(x, x=7))
        yield ending(lambda: setattr(x, "x", 8)), ending(lambda: setattr(x, "another", 8))
        yield ending(lambda: delattr(x, "x")), ending(lambda: x)
    yield ending(cls), ending(lambda: cls(1, 2, 3, 4, 5, 6)), ending(lambda: cls(x=5))
    yield [(p.name, p.annotation) for p in inspect.signature(cls).parameters.values()]
    yield cls.__match_args__, cls.__init__.__qualname__, cls.__repr__.__qualname__, cls.__doc__
    parameters = cls.__dataclass_params__
    yield parameters.eq, parameters.frozen, parameters.init, parameters.repr


CASES = [
    pytest.param(ours, theirs, arguments, id=ours.__name__)
    for (ours, arguments), (theirs, _) in zip(
        classes(records.dataclass), classes(dataclasses.dataclass)
    )
]


@pytest.mark.parametrize("ours, theirs, arguments", CASES)
def test_they_do_what_those_of_python_do(ours, theirs, arguments):
    found, expected = behaviour(ours, arguments), behaviour(theirs, arguments)
    for one, other in zip(found, expected):
        assert one == other


@records.dataclass
class Ring:
    """One that may hold itself."""

    inside: list


@records.dataclass(frozen=True)
class Kept:
    """One that is pickled."""

    x: int


def test_an_object_that_holds_itself_has_a_text():
    ring = Ring([])
    ring.inside.append(ring)
    assert repr(ring) == "Ring(inside=[...])"


def test_pickling():
    assert pickle.loads(pickle.dumps(Kept(3))) == Kept(3)


def test_what_is_not_supported_is_an_error():
    with pytest.raises(TypeError, match="derives from a dataclass"):

        @records.dataclass
        class Derived(Ring):
            y: int

    with pytest.raises(TypeError, match=r"how .* is given"):

        @records.dataclass
        class ByName:
            x: int = field(kw_only=True)


# -- named tuples ----------------------------------------------------------------------------------


class Point(records.NamedTuple):
    """A point."""

    x: float
    y: float = 2.0
    name: str = "p"

    @property
    def length(self) -> float:
        return super().__len__() * self.x

    def moved(self, by: float) -> "Point":
        return self._replace(x=self.x + by)


class Usual(typing.NamedTuple):
    x: float
    y: float = 2.0
    name: str = "p"


class Nothing(records.NamedTuple):
    pass


def test_a_named_tuple_is_as_one_of_typing():
    point, usual = Point(1.0), Usual(1.0)
    assert point == usual == (1.0, 2.0, "p") and hash(point) == hash(usual)
    assert repr(point) == repr(usual).replace("Usual", "Point")
    assert point._asdict() == usual._asdict() and Point._fields == Usual._fields
    assert Point._field_defaults == Usual._field_defaults
    assert Point.__match_args__ == Usual.__match_args__
    assert inspect.signature(Point) == inspect.signature(Usual)
    assert type(Point) is type and issubclass(Point, tuple)
    assert Point.x.__doc__ == Usual.x.__doc__ and not hasattr(point, "__dict__")
    assert Nothing() == () and repr(Nothing()) == "Nothing()"
    assert Point.__doc__ == "A point." and Point.__new__.__qualname__ == "Point.__new__"


def test_a_named_tuple_has_methods_and_copies():
    point = Point(3.0, name="q")
    assert point.length == 9.0 and point.moved(1.0) == Point(4.0, 2.0, "q")
    assert type(point.moved(1.0)) is Point and type(Point._make((1, 2, 3))) is Point
    for other in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert type(other) is Point and other == point
    match point:
        case Point(x, name="q"):
            assert x == 3.0
        case _:
            pytest.fail("it does not match")
    leaves, structure = optree.tree_flatten(point)
    assert structure.type is Point and leaves == [3.0, 2.0, "q"]


@pytest.mark.parametrize(
    "arguments, names", [((), {}), ((1.0,), {"z": 2.0}), ((1, 2, 3, 4), {}), ((1,), {"x": 1})]
)
def test_a_named_tuple_refuses_what_one_of_typing_refuses(arguments, names):
    with pytest.raises(TypeError) as expected:
        Usual(*arguments, **names)
    with pytest.raises(TypeError) as found:
        Point(*arguments, **names)
    assert str(found.value) == str(expected.value).replace("Usual", "Point")


def test_what_is_no_named_tuple_is_refused():
    with pytest.raises(TypeError, match="Expected 3 arguments, got 2"):
        Point._make((1, 2))
    with pytest.raises((TypeError, ValueError), match="unexpected field names"):
        Point(1.0)._replace(z=1)
    with pytest.raises(TypeError, match="without a default"):

        class Wrong(records.NamedTuple):
            x: int = 1
            y: int

    with pytest.raises(TypeError, match="no other bases"):

        class Both(records.NamedTuple, dict):
            x: int
