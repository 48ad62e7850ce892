"""Dataclasses that are made quickly are as those of Python."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field

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
