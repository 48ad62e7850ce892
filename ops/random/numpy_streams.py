"""Draws from NumPy's generators, when the program runs: numbers of NumPy's own stream.

A generator that a function finds outside is the object itself, one that it is given is the one of
the call: a draw from either is an effect. One that is made in the function is a value, the words of
its state, so that it may be made anew in each trip of a loop or each call of a recursive function:
a draw takes the words and gives the new ones.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ops.registry import Custom
from ops.types import ArrayType, Type, type_of

_WORDS = ArrayType(np.dtype(np.uint64), (6,))

# -- generators from outside -----------------------------------------------------------------------

_serial = itertools.count(1)
_handles: weakref.WeakValueDictionary[int, GivenGenerator] = weakref.WeakValueDictionary()
_of: weakref.WeakValueDictionary[int, GivenGenerator] = weakref.WeakValueDictionary()


class GivenGenerator:
    """What a graph knows a generator by. A program knows its number.

    Args:
        given: the generator it stands for; None if another one at each call, see `bound`.
    """

    def __init__(self, given: np.random.Generator | None = None):
        self.given = given
        self._bound = threading.local()
        self.number = next(_serial)
        _handles[self.number] = self

    @property
    def generator(self) -> np.random.Generator:
        """The one it stands for, in this thread now."""
        return self._bound.generator if self.given is None else self.given

    def bind(self, generator: np.random.Generator | None) -> np.random.Generator | None:
        """Let it stand for a generator in this thread; gives the one that it stood for."""
        before = getattr(self._bound, "generator", None)
        self._bound.generator = generator
        return before

    def __repr__(self) -> str:
        return f"generator {self.number}"


def handle_of(generator: np.random.Generator) -> GivenGenerator:
    """The handle of a generator, always the same as long as a graph refers to it."""
    handle = _of.get(id(generator))
    if handle is None:
        handle = _of[id(generator)] = GivenGenerator(generator)
    return handle


@contextmanager
def bound(pairs: Iterable[tuple[GivenGenerator, np.random.Generator]]) -> Iterator[None]:
    """Let handles stand for generators inside, in this thread."""
    before = [(handle, handle.bind(generator)) for handle, generator in pairs]
    try:
        yield
    finally:
        for handle, generator in before:
            handle.bind(generator)


def generator_numbered(number: int) -> np.random.Generator:
    """The generator with a handle of that number."""
    return _handles[number].generator


def new_generator(seed=None):
    """A generator of NumPy's default kind."""
    return np.random.default_rng(seed)


def known_generator(number):
    """A generator from outside the function."""
    from ops.random.numpy_streams import generator_numbered

    return generator_numbered(number)


# -- draws -----------------------------------------------------------------------------------------


def _example(name: str, type: ArrayType, names: Sequence[str], method: str) -> Any:
    """Some value of a parameter that is allowed."""
    value = np.ones(type.known_shape, type.dtype)
    if name == "low" and method == "integers" and "high" in names:
        value = value * 0
    if name in ("p", "pvals") and type.shape:
        value = value / max(type.shape[-1], 1)
    return value if type.shape else value[()]


def _result_type(types: Sequence[ArrayType], method: str, names: tuple, static: tuple) -> ArrayType:
    """That of NumPy's own result for some arguments of the same types."""
    given = {
        name: _example(name, type, (*names, *dict(static)), method)
        for name, type in zip(names, types)
    }
    with np.errstate(all="ignore"):
        sample = getattr(np.random.default_rng(0), method)(**given, **dict(static))
    found = type_of(sample)
    if found is None:
        raise NotImplementedError(f"numpy.random.Generator.{method} that gives a {type(sample)}")
    return found


def _arguments(operands: Sequence[str], names: tuple, static: tuple) -> str:
    pairs = [*zip(names, operands), *((name, repr(value)) for name, value in static)]
    return ", ".join(f"{name}={text}" for name, text in pairs)


def _may_raise(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    """What is known has been tried when the result's type was found."""
    return bool(attrs["names"])


def _no_derivative(*args: Any, method: str, **attrs: Any) -> Any:
    raise NotImplementedError(
        f"the derivative of numpy.random.Generator.{method} by its parameters; use ops.random, or "
        "a distribution with a location and a scale only"
    )


_INSTEAD = "draw with ops.random, whose streams are the same on every backend"

draw = Custom(
    "draw",
    lambda *types, generator, method, names, static: (_result_type(types, method, names, static),),
    lambda args, types, attrs: (
        f"known_generator({attrs['generator'].number}).{attrs['method']}"
        f"({_arguments(args, attrs['names'], attrs['static'])})"
    ),
    vjp=_no_derivative,
    jvp=_no_derivative,
    linear=(),
    zeros="lost",
    helpers=(known_generator,),
    backends=("numpy",),
    instead=_INSTEAD,
    effect=True,
    raises=_may_raise,
    doc="""A draw from a generator from outside the function.

    Args:
        generator: its handle.
        method: the name of the generator's method.
        names: of the operands, among the method's parameters.
        static: pairs of the names of other parameters and their values.
    """,
)


def words_of(generator):
    """The state of a generator of NumPy's default kind, as an array."""
    state = generator.bit_generator.state
    numbers = state["state"]["state"], state["state"]["inc"]
    halves = [half for n in numbers for half in (n >> 64, n & (2**64 - 1))]
    return np.array([*halves, state["has_uint32"], state["uinteger"]], dtype="uint64")


def generator_of(words):
    """A generator of NumPy's default kind in a state."""
    generator = new_generator(0)
    a, b, c, d, has_uint32, uinteger = map(int, words)
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": a << 64 | b, "inc": c << 64 | d},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }
    return generator


def drawn(words, method, **arguments):
    """The state after a draw from a generator of NumPy's default kind, and what is drawn."""
    generator = generator_of(words)
    result = getattr(generator, method)(**arguments)
    return words_of(generator), result


draw_next = Custom(
    "draw_next",
    lambda words, *types, method, names, static: (
        _WORDS,
        _result_type(types, method, names, static),
    ),
    lambda args, types, attrs: (
        f"drawn({args[0]}, {attrs['method']!r}, "
        f"{_arguments(args[1:], attrs['names'], attrs['static'])})"
    ),
    vjp=_no_derivative,
    jvp=_no_derivative,
    linear=(),
    zeros="lost",
    helpers=(drawn, generator_of, new_generator, words_of),
    backends=("numpy",),
    instead=_INSTEAD,
    raises=_may_raise,
    doc="""A draw from a generator that is a value: the new words of its state, and the result.

    Args:
        words: those before.
        method, names, static: as for `draw`.
    """,
)


def seeded_words(seed):
    """The state of NumPy's default generator for a seed."""
    return words_of(new_generator(int(seed)))


def fresh_words():
    """The state of NumPy's default generator without a seed."""
    return words_of(new_generator())


def _seed_infer(seed: ArrayType) -> tuple[ArrayType]:
    if seed.dtype.kind not in "iu" or seed.shape:
        raise NotImplementedError("default_rng() of a seed that is not an integer but traced")
    return (_WORDS,)


seeded = Custom(
    "seeded",
    _seed_infer,
    "seeded_words({0})",
    helpers=(seeded_words, new_generator, words_of),
    backends=("numpy",),
    instead=_INSTEAD,
    raises=True,
    differentiable=False,
    doc="The state of NumPy's default generator for a seed that only the run knows.",
)

fresh = Custom(
    "fresh",
    lambda: (_WORDS,),
    "fresh_words()",
    helpers=(fresh_words, new_generator, words_of),
    backends=("numpy",),
    instead=_INSTEAD,
    effect=True,
    differentiable=False,
    doc="The state of a new generator, from the operating system's entropy.",
)
