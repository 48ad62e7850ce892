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

from ops.core.operands import broadcast_shapes
from ops.core.registry import Custom
from ops.core.symbolic_lengths import NeedsNumber, example_of, is_length, is_symbolic
from ops.core.types import ArrayType, type_of

# How many words the states of a generator of the default kind, and of a RandomState, have.
_WORDS, _LEGACY_WORDS = (ArrayType(np.dtype(np.uint64), (n,)) for n in (6, 627))

_MANY = 1 << 16  # among how many there is a choice, in an example

LEGACY = "RandomState_"  # begins the names of its methods

AnyGenerator = np.random.Generator | np.random.RandomState


def is_generator(value: Any) -> bool:
    """Whether a value is a generator whose draws can be recorded: not that of the functions of
    ``np.random``, which all code shares."""
    if type(value) is np.random.Generator:  # as most are
        return True
    return issubclass(type(value), AnyGenerator) and value is not np.random.mtrand._rand


def bits_of(generator: AnyGenerator) -> np.random.BitGenerator:
    """What a generator takes its bits from."""
    if type(generator) is np.random.Generator:  # as most are
        return generator.bit_generator
    if isinstance(generator, np.random.RandomState):
        return generator._bit_generator
    return generator.bit_generator


# -- generators from outside -----------------------------------------------------------------------

_serial = itertools.count(1)
_handles: weakref.WeakValueDictionary[int, GivenGenerator] = weakref.WeakValueDictionary()
_of: weakref.WeakValueDictionary[int, GivenGenerator] = weakref.WeakValueDictionary()


class GivenGenerator:
    """What a graph knows a generator by. A program knows its number.

    Args:
        given: the generator it stands for; None if another one at each call, see `bound`.
        kind: the class of that.
    """

    def __init__(self, given: AnyGenerator | None = None, kind: type = np.random.Generator):
        self.given = given
        self.kind = kind if given is None else type(given)
        self._bound = threading.local()
        self.number = next(_serial)
        _handles[self.number] = self

    @property
    def generator(self) -> AnyGenerator:
        """The one it stands for, in this thread now."""
        return self._bound.generator if self.given is None else self.given

    def bind(self, generator: AnyGenerator | None) -> AnyGenerator | None:
        """Let it stand for a generator in this thread; gives the one that it stood for."""
        before = getattr(self._bound, "generator", None)
        self._bound.generator = generator
        return before

    def __repr__(self) -> str:
        return f"generator {self.number}"


def handle_of(generator: AnyGenerator) -> GivenGenerator:
    """The handle of a generator, always the same as long as a graph refers to it."""
    handle = _of.get(id(generator))
    if handle is None:
        handle = _of[id(generator)] = GivenGenerator(generator)
    return handle


@contextmanager
def bound(pairs: Iterable[tuple[GivenGenerator, AnyGenerator]]) -> Iterator[None]:
    """Let handles stand for generators inside, in this thread."""
    before = [(handle, handle.bind(generator)) for handle, generator in pairs]
    try:
        yield
    finally:
        for handle, generator in before:
            handle.bind(generator)


def generator_numbered(number: int) -> AnyGenerator:
    """The generator with a handle of that number."""
    return _handles[number].generator


def new_generator(seed=None):
    """A generator of NumPy's default kind."""
    return np.random.default_rng(seed)


def known_generator(number, numbered=[]):  # noqa: B006  # to import at each call takes longest
    """A generator from outside the function."""
    if not numbered:
        from ops.random.numpy_streams import generator_numbered

        numbered.append(generator_numbered)
    return numbered[0](number)


# -- draws -----------------------------------------------------------------------------------------


def _example(
    name: str, type: ArrayType, names: Sequence[str], static: dict[str, Any], method: str
) -> Any:
    """Some value of a parameter that is allowed."""
    if method == "choice" and name == "a":  # there are as many as are asked for
        return _MANY
    if method == "choice" and name == "p" and "a" in names:
        return np.full(_MANY, 1 / _MANY)
    shape = tuple(map(example_of, type.known_shape))
    value = np.ones(shape, type.dtype)
    if method in ("integers", "randint"):
        if name == "low" and "high" in static:
            value = value * (int(static["high"]) - 1)
        elif name == "low" and "high" in names:
            value = value * 0
        elif name == "high" and "low" in static:
            value = value * (int(static["low"]) + 1)
    if name in ("p", "pvals") and type.shape:
        value = value / max(shape[-1], 1)
    if method == "logseries":  # a probability below one
        value = value * 0.5
    elif method == "zipf":  # an exponent above one
        value = value + 1
    return value if type.shape else value[()]


def _result_type(types: Sequence[ArrayType], method: str, names: tuple, static: tuple) -> ArrayType:
    """That of NumPy's own result for some arguments of the same types."""
    name = method.removeprefix(LEGACY)
    if name != "choice" and any(None in type.shape for type in types):
        shown = f"rng.{name} of arrays whose length is known only at run time"
        raise NotImplementedError(shown)
    given = {
        parameter: _example(parameter, type, names, dict(static), name)
        for parameter, type in zip(names, types)
    }
    with np.errstate(all="ignore"):
        generator = np.random.default_rng(0) if name == method else np.random.RandomState(0)
        sample = getattr(generator, name)(**given, **{k: _at_example(v) for k, v in static})
    found = type_of(sample)
    if found is None:
        kind = type(generator).__name__
        raise NotImplementedError(f"numpy.random.{kind}.{name} that gives a {type(sample)}")
    if "size" in names:  # a number known only at run time
        if name != "choice" and any(type.shape for type in types):
            raise NotImplementedError("array parameters, and a size known only at run time")
        return found._replace(shape=(None, *found.known_shape[1:]))
    if name == "permutation" and "x" in names:  # of a length that only the run knows
        return found._replace(shape=(None,))
    lengths = [n for type in types for n in type.shape if n is not None]
    if not is_symbolic((*lengths, *_lengths(static))):
        return found
    return found._replace(shape=_symbolic_shape(found.known_shape, types, name, dict(static)))


def _lengths(static: tuple) -> Iterator[Any]:
    """What of the parameters may be lengths."""
    for _, value in static:
        yield from value if isinstance(value, tuple) else (value,)


def _at_example(value: Any) -> Any:
    """A parameter with numbers in the place of symbolic lengths."""
    return tuple(map(example_of, value)) if isinstance(value, tuple) else example_of(value)


def _symbolic_shape(shape: tuple, types: Sequence[ArrayType], name: str, given: dict) -> tuple:
    """The shape of a result that was drawn with the lengths' examples.

    Raises:
        NeedsNumber: it is not told by the size that is asked for, the number of what is permuted,
            or the shape that the operands broadcast to.
    """
    if name == "permutation" and is_length(given.get("x")):
        return (given["x"],)
    wanted = given.get("size")
    if wanted is None:
        wanted = broadcast_shapes(*(type.shape for type in types)) if types else ()
    if tuple(map(example_of, wanted)) != shape:
        for length in (*_lengths(tuple(given.items())), *(n for t in types for n in t.shape)):
            if is_length(length):
                raise NeedsNumber(length)
    return tuple(wanted)


def _arguments(operands: Sequence[str], names: tuple, static: tuple) -> str:
    pairs = [*zip(names, operands), *((name, repr(value)) for name, value in static)]
    return ", ".join(f"{name}={text}" for name, text in pairs)


def _may_raise(types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
    """What is known has been tried when the result's type was found."""
    return bool(attrs["names"])


def _no_derivative(*args: Any, method: str, **attrs: Any) -> Any:
    raise NotImplementedError(
        f"the derivative of numpy.random's {method.removeprefix(LEGACY)} by its parameters; use "
        "ops.random, or a distribution with a location and a scale only"
    )


_INSTEAD = "draw with ops.random, whose streams are the same on every backend"

draw = Custom(
    "draw",
    lambda *types, generator, method, names, static: (_result_type(types, method, names, static),),
    lambda args, types, attrs: (
        f"known_generator({attrs['generator'].number}).{attrs['method'].removeprefix(LEGACY)}"
        f"({_arguments(args, attrs['names'], attrs['static'])})"
    ),
    vjp=_no_derivative,
    jvp=_no_derivative,
    linear=(),
    zeros="lost",
    helpers=(known_generator,),
    unknown_lengths=True,
    backends=("numpy",),
    instead=_INSTEAD,
    effect="draws",
    raises=_may_raise,
    doc="""A draw from a generator from outside the function.

    Args:
        generator: its handle.
        method: the name of the generator's method, after `LEGACY` if it is a RandomState's.
        names: of the operands, among the method's parameters; `size` is how many are drawn, where
            only the run knows.
        static: pairs of the names of other parameters and their values.
    """,
)


def words_of(generator):
    """The state of a generator of NumPy's default kind, as an array."""
    state = generator.bit_generator.state
    a, b, low = state["state"]["state"], state["state"]["inc"], 2**64 - 1
    halves = (a >> 64, a & low, b >> 64, b & low)
    return np.array((*halves, state["has_uint32"], state["uinteger"]), "uint64")


def put_words(generator, words):
    """Put a generator of NumPy's default kind in a state."""
    a, b, c, d, has_uint32, uinteger = map(int, words)
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": a << 64 | b, "inc": c << 64 | d},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }


def generator_of(words):
    """A generator of NumPy's default kind in a state."""
    generator = new_generator(0)
    put_words(generator, words)
    return generator


def legacy_words_of(generator):
    """The state of a RandomState, as an array."""
    _, key, place, has_gauss, gauss = generator.get_state()
    rest = np.array([place, has_gauss, np.float64(gauss).view("uint64")], dtype="uint64")
    return np.concatenate([key, rest])


def random_state_of(words):
    """A RandomState in a state."""
    generator = np.random.RandomState(0)
    key, (place, has_gauss, gauss) = words[:-3].astype("uint32"), words[-3:]
    state = "MT19937", key, int(place), int(has_gauss), float(gauss.view("float64"))
    generator.set_state(state)
    return generator


def drawn(words, method, idle=[], **arguments):  # noqa: B006  # generators are slowly made
    """The state after a draw from a generator of NumPy's default kind, and what is drawn."""
    try:
        generator = idle.pop()
    except IndexError:
        generator = new_generator(0)
    put_words(generator, words)
    result = getattr(generator, method)(**arguments)
    words = words_of(generator)
    idle.append(generator)
    return words, result


def drawn_from_state(words, method, **arguments):
    """The state after a draw from a RandomState, and what is drawn."""
    generator = random_state_of(words)
    result = getattr(generator, method)(**arguments)
    return legacy_words_of(generator), result


def _draw_next_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    method = attrs["method"].removeprefix(LEGACY)
    function = "drawn" if method == attrs["method"] else "drawn_from_state"
    given = _arguments(args[1:], attrs["names"], attrs["static"])
    return f"{function}({args[0]}, {method!r}, {given})"


draw_next = Custom(
    "draw_next",
    lambda words, *types, method, names, static: (
        words,
        _result_type(types, method, names, static),
    ),
    _draw_next_code,
    vjp=_no_derivative,
    jvp=_no_derivative,
    linear=(),
    zeros="lost",
    helpers=(
        *(drawn, put_words, new_generator, words_of),
        *(drawn_from_state, random_state_of, legacy_words_of),
    ),
    unknown_lengths=True,
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


def state_words(seed=None):
    """The state of a RandomState for a seed, or without one."""
    return legacy_words_of(np.random.RandomState(seed if seed is None else int(seed)))


def _seed_infer(seed: ArrayType, legacy: bool = False) -> tuple[ArrayType]:
    if seed.dtype.kind not in "iu" or seed.shape:
        raise NotImplementedError("a generator with a seed that is not an integer but traced")
    return (_LEGACY_WORDS if legacy else _WORDS,)


seeded = Custom(
    "seeded",
    _seed_infer,
    lambda args, types, attrs: (
        f"{'state_words' if attrs.get('legacy') else 'seeded_words'}({args[0]})"
    ),
    helpers=(seeded_words, new_generator, words_of, state_words, legacy_words_of),
    backends=("numpy",),
    instead=_INSTEAD,
    raises=True,
    differentiable=False,
    doc="""The state of NumPy's default generator for a seed known only at run time.

    Args:
        legacy: whether it is that of a RandomState.
    """,
)

fresh = Custom(
    "fresh",
    lambda legacy=False: (_LEGACY_WORDS if legacy else _WORDS,),
    lambda args, types, attrs: "state_words()" if attrs.get("legacy") else "fresh_words()",
    helpers=(fresh_words, new_generator, words_of, state_words, legacy_words_of),
    backends=("numpy",),
    instead=_INSTEAD,
    effect="asks",
    differentiable=False,
    doc="""The state of a new generator, from the operating system's entropy.

    Args:
        legacy: whether it is that of a RandomState.
    """,
)
