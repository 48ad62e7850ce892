"""NumPy's generators of random numbers while a function is recorded.

`GraphGenerator` stands for a ``numpy.random.Generator``. What its methods draw is drawn when the
program runs, in the order of the program, from the generator itself or, if the function makes one,
from one of the same stream; see `ops.random.numpy_streams`. Distributions that have only a location
and a scale are written with their standard forms, which NumPy itself does, so that they can be
differentiated by both.
"""

from __future__ import annotations

import inspect
import operator
import random
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import located, user_location
from autograph.staging.ground.ownership import Recorded
from autograph.staging.ground.recorder import recorder
from ops.control import effects
from ops.core.lengths import RunLength, as_shape, lengths_of
from ops.core.operands import Symbolic, broadcast_shapes, dtype_of, length_from, ndim_of, shape_of
from ops.core.symbolic_lengths import is_length
from ops.elementwise.conversion import astype
from ops.random import numpy_streams
from ops.random.numpy_streams import is_generator
from ops.structure.reshaping import count


class GraphGenerator(Recorded):
    """Stands for a generator.

    Attributes:
        kind: the class of that.
        prefix: of the names of its methods, for `ops.random.numpy_streams.draw`.
        choices: what NumPy's errors call that among which there is a choice.
        generator_of: makes one in a state.

    Args:
        handle: of a generator from outside; None if the function makes it.
        words: the state of one that the function makes, an array that is changed in place.
    """

    kind: type = np.random.Generator
    prefix = ""
    choices = "a"
    generator_of: Callable = staticmethod(numpy_streams.generator_of)

    def __init__(
        self, handle: numpy_streams.GivenGenerator | None, words: GraphArray | None = None
    ):
        self._handle = handle
        self._words = words

    @property  # type: ignore[misc]  # nobody sets it
    def __class__(self) -> type:
        """For ``isinstance``."""
        return type(self).kind

    def __getattr__(self, name: str) -> Any:
        kind = type(self).kind
        if not hasattr(kind, name):
            shown = f"{kind.__module__}.{kind.__name__}".replace("._generator", "")
            raise AttributeError(f"'{shown}' object has no attribute '{name}'")
        raise UnsupportedFunctionError(
            f"'{name}' of a numpy.random.{kind.__name__} is not supported inside the function",
            user_location(),
            fix="call it outside and pass the result as an argument",
        )

    def __copy__(self) -> Any:
        return self.__getattr__("__reduce__")

    def __deepcopy__(self, memo: dict) -> Any:
        return self.__getattr__("__reduce__")

    def delivered(self) -> Any:
        """What the caller of the function gets: the generator, if its state is known by now."""
        words = self._words
        return self if isinstance(words, Symbolic) else self.generator_of(words)

    # -- uniform bits ------------------------------------------------------------------------------

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return self._draw("random", {"size": size, "dtype": dtype}, out)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        given = {"low": low, "high": high, "size": size, "dtype": dtype, "endpoint": endpoint}
        return self._draw("integers", given)

    # -- locations and scales ----------------------------------------------------------------------

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return self._draw("standard_normal", {"size": size, "dtype": dtype}, out)

    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
    ) -> Any:
        given = {"size": size, "dtype": dtype, "method": method}
        return self._draw("standard_exponential", given, out)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        if not _symbolic(low, high):
            return self._draw("uniform", {"low": low, "high": high, "size": size})
        with located():
            low, high = (astype(x, np.float64) for x in (low, high))
            span = ops.subtract(high, low)
            finite = ops.all(ops.isfinite(span))
            message = "high - low range exceeds valid bounds"
            effects.check(finite, error="OverflowError", message=message)
            _require_positive(span, "high - low")
            return self._scaled("random", low, span, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._located("normal", "standard_normal", {}, loc, scale, size)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._located("gumbel", "gumbel", {}, loc, scale, size)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._located("laplace", "laplace", {}, loc, scale, size)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._located("logistic", "logistic", {}, loc, scale, size)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        if not _symbolic(mean, sigma):
            return self._draw("lognormal", {"mean": mean, "sigma": sigma, "size": size})
        with located():
            _require_positive(sigma, "sigma")
            draws = self._scaled("standard_normal", mean, sigma, size)
            weak = draws.type.weak
            return ops.cast(ops.exp(draws), dtype="float64", weak=weak)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        if not _symbolic(scale):
            return self._draw("exponential", {"scale": scale, "size": size})
        with located():
            _require_positive(scale, "scale")
            return self._scaled("standard_exponential", None, scale, size)

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        if not _symbolic(scale):
            return self._draw("rayleigh", {"scale": scale, "size": size})
        with located():
            _require_positive(scale, "scale")
            return self._scaled("rayleigh", None, scale, size)

    def _located(
        self, name: str, standard: str, given: dict, loc: Any, scale: Any, size: Any
    ) -> Any:
        if not _symbolic(loc, scale):
            return self._draw(name, {"loc": loc, "scale": scale, "size": size})
        with located():
            _require_positive(scale, "scale")
            return self._scaled(standard, loc, scale, size)

    def _scaled(self, standard: str, loc: Any, scale: Any, size: Any) -> Any:
        """``loc + scale`` times numbers of a standard distribution."""
        parameters = [x for x in (loc, scale) if x is not None]
        shape: Any = broadcast_shapes(*map(shape_of, parameters))
        scalar = size is None and shape == ()
        if size is not None:
            wanted = _size(size)
            known = tuple(n for n in wanted if not isinstance(n, RunLength))
            if shape and len(known) < len(wanted):
                raise NotImplementedError(
                    "parameters that are arrays, and a size known only at run time"
                )
            if shape and broadcast_shapes(known, shape) != known:
                raise ValueError(
                    f"Output size {wanted} is not compatible with broadcast dimensions of inputs "
                    f"{shape}."
                )
            shape = wanted
        no_dimensions = size is not None and shape == ()
        drawn_shape = (1,) if no_dimensions else shape  # of an array rather than a number
        draws = self._draw(standard, {"size": None if scalar else drawn_shape})
        loc, scale = (
            x if x is None else ops.cast(x, np.float64, weak=scalar) for x in (loc, scale)
        )
        draws = ops.multiply(scale, draws)
        draws = draws if loc is None else ops.add(loc, draws)
        return ops.reshape(draws, ()) if no_dimensions else draws

    # -- orders and choices ------------------------------------------------------------------------

    def permutation(self, x: Any, axis: int = 0) -> Any:
        if not _is_array(x):
            return self._draw("permutation", {"x": _known(x)})
        with located():
            x = _as_array(x)
            return ops.take(x, self._order(x, axis), axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        if isinstance(x, list):
            return self._shuffle_list(x)
        if not isinstance(x, GraphArray):
            raise UnsupportedFunctionError(
                "rng.shuffle of something else than an array or a list",
                user_location(),
                fix="make it an array or a list first, or index with rng.permutation(n)",
            )
        with located():
            if not x.ndim:
                raise TypeError("shuffle() takes an array of one dimension at least")
            x[...] = ops.take(x, self._order(x, axis), axis)

    def _shuffle_list(self, x: Any) -> None:
        """As an array is shuffled: NumPy draws the same exchanges for both."""
        count = ops.call(len, x)
        order, before = self._draw("permutation", {"x": _known(count)}), ops.call(list, x)

        def put(i: Any) -> tuple:
            x[i] = before[ops.cast(order[i], int, weak=True)]
            return ()

        ops.for_loop(ops.call(range, count), put, ())

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        _refuse(out=out)
        with located():
            x = _as_array(x)
            if axis is None:
                flat = ops.ravel(x)
                order = self._draw("permuted", {"x": np.arange(shape_of(flat)[0])})
                return ops.reshape(ops.take(flat, order), shape_of(x))
            along = [1] * len(shape_of(x))
            axis = np.lib.array_utils.normalize_axis_index(axis, len(along))
            along[axis] = -1
            positions = np.arange(shape_of(x)[axis]).reshape(along)
            given = {"x": np.broadcast_to(positions, shape_of(x)).copy(), "axis": axis}
            return ops.take_along_axis(x, self._draw("permuted", given), axis)

    def _order(self, x: Any, axis: int) -> Any:
        axis = np.lib.array_utils.normalize_axis_index(operator.index(axis), ndim_of(x))
        return self._draw("permutation", {"x": _length_along(x, axis)})

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        given = {"size": size, "replace": bool(replace), "p": p, "shuffle": bool(shuffle)}
        return self._chosen(a, given, size, axis)

    def _chosen(self, a: Any, given: dict[str, Any], size: Any, axis: int) -> Any:
        if not _is_array(a):
            return self._draw("choice", {"a": _known(a), **given})
        with located():
            a = _as_array(a)
            axis = np.lib.array_utils.normalize_axis_index(operator.index(axis), ndim_of(a))
            count = _length_along(a, axis)
            if size is None or 0 not in _size(size):
                message = f"{self.choices} cannot be empty unless no samples are taken"
                if isinstance(count, Symbolic):
                    effects.check(ops.not_equal(count, 0), error="ValueError", message=message)
                elif count == 0:
                    raise ValueError(message)
            index = self._draw("choice", {"a": count, **given})
            if index.ndim or size is not None:
                return ops.take(a, index, axis)
            chosen = ops.take(a, ops.reshape(index, 1), axis)
            return ops.subscript(chosen, (*[slice(None)] * axis, 0))

    # -- drawing -----------------------------------------------------------------------------------

    def _draw(self, method: str, given: dict[str, Any], out: Any = None) -> GraphArray:
        """A draw by NumPy's method.

        Args:
            given: its arguments by name; those left at None are not passed.
        """
        _refuse(out=out)
        names, operands, static = [], [], []
        unknown: tuple[int | RunLength, ...] = ()
        for name, value in given.items():
            if value is None:
                continue
            if name == "size" and _is_unknown(shape := _size(value)):
                unknown = shape
                names.append(name)
                operands.append(count(shape))
            elif name == "size":
                static.append((name, shape))
            elif name == "dtype":
                static.append((name, np.dtype(value).name))
            elif isinstance(value, Symbolic) or _is_array(value):
                names.append(name)
                operands.append(value if isinstance(value, Symbolic) else np.asarray(value))
            elif isinstance(value, np.generic):
                static.append((name, value.item()))
            else:
                static.append((name, value))
        attrs: dict[str, Any] = {
            "method": self.prefix + method,
            "names": tuple(names),
            "static": tuple(static),
        }
        with located():
            if self._handle is not None:
                attrs["generator"] = self._handle
                result = recorder().record(numpy_streams.draw, operands, attrs)
            else:
                assert self._words is not None
                operands = [self._words, *operands]
                words, result = recorder().record(numpy_streams.draw_next, operands, attrs)
                self._words.write(words.value)
        result.is_array = not result.ndim and given.get("size") is not None
        if len(unknown) > 1:
            with located():
                return ops.reshape(result, (*unknown, *lengths_of(result)[1:]))
        return result


def _generic(name: str) -> Callable:
    """A method that draws by NumPy's of the same name."""

    def method(self: GraphGenerator, *args: Any, **kwargs: Any) -> Any:
        signature = inspect.signature(getattr(type(self).kind, name))
        bound = signature.bind(self, *args, **kwargs).arguments
        given = {key: value for key, value in bound.items() if key not in ("self", "out")}
        return self._draw(name, given, bound.get("out"))

    method.__name__ = method.__qualname__ = name
    return method


for _name in (
    *("beta", "binomial", "chisquare", "dirichlet", "f", "gamma", "geometric", "hypergeometric"),
    *("logseries", "multinomial", "multivariate_hypergeometric", "multivariate_normal"),
    *("negative_binomial", "noncentral_chisquare", "noncentral_f", "pareto", "poisson", "power"),
    *("standard_cauchy", "standard_gamma", "standard_t", "triangular", "vonmises", "wald"),
    *("weibull", "zipf"),
):
    setattr(GraphGenerator, _name, _generic(_name))


def _symbolic(*values: Any) -> bool:
    return any(isinstance(value, Symbolic) for value in values)


def _is_array(value: Any) -> bool:
    """Whether a value is an array or a sequence, not a number."""
    if isinstance(value, Symbolic):
        return ndim_of(value) > 0
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _as_array(value: Any) -> Any:
    """A symbolic array of an array or a sequence."""
    if isinstance(value, (list, tuple)):
        value = ops.array(value)
    return value if isinstance(value, Symbolic) else GraphArray(Constant(np.asarray(value)))


def _length_along(x: Any, axis: int) -> Any:
    length = lengths_of(x)[axis]
    return length.value if isinstance(length, RunLength) else length


def _known(value: Any) -> Any:
    """An integer that sets a length, a symbolic length, or a symbolic integer where only the run
    knows it. NumPy's message for other numbers is its own."""
    length = value.as_length() if isinstance(value, Symbolic) else length_from(value)
    if is_length(length) and length < 0:
        raise ValueError("negative dimensions are not allowed")
    return length


def _size(size: Any) -> tuple[int | RunLength, ...]:
    """The shape that an argument ``size`` asks for."""
    shape = as_shape(size)
    if any(not isinstance(n, RunLength) and n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


def _is_unknown(shape: tuple[int | RunLength, ...]) -> bool:
    """Whether there is a length known only at run time."""
    return any(isinstance(n, RunLength) for n in shape)


def _refuse(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise UnsupportedFunctionError(
                f"the argument '{name}' of a method of numpy.random.Generator is not supported",
                user_location(),
                fix="assign the result: x[...] = rng.random(x.shape)",
            )


def _require_positive(x: Any, name: str) -> None:
    """What NumPy requires of a scale: no sign bit, but for NaN."""
    x = astype(x, np.float64)
    wrong = ops.any(ops.logical_and(ops.signbit(x), ops.logical_not(ops.isnan(x))))
    effects.check(ops.logical_not(wrong), error="ValueError", message=f"{name} < 0")


def default_rng(seed: Any = None) -> GraphGenerator:
    """``np.random.default_rng`` while recording."""
    if isinstance(seed, GraphGenerator):
        return seed
    if isinstance(seed, np.random.Generator):  # a class's or a library's
        return GraphGenerator(numpy_streams.handle_of(seed))
    if seed is None:
        words = recorder().record(numpy_streams.fresh, (), {})
    elif isinstance(seed, Symbolic) and dtype_of(seed).kind in "iu" and not ndim_of(seed):
        words = recorder().record(numpy_streams.seeded, (seed,), {})
    else:
        made = np.random.default_rng(seed)  # with NumPy's errors
        if isinstance(seed, (np.random.BitGenerator, np.random.RandomState)):
            return GraphGenerator(numpy_streams.handle_of(made))  # it goes on with its stream
        words = GraphArray(Constant(numpy_streams.words_of(made)))
    return GraphGenerator(None, words)


def stood_in(function: Any, args: tuple, kwargs: dict[str, Any]) -> tuple:
    """A call in which stand-ins take the place of generators that were met in attributes of classes
    or libraries, where nothing else sees them.
    """
    owner = function.__self__ if isinstance(function, types.MethodType) else None
    if is_generator(owner):
        function = getattr(recorder().outside.capture("generator", owner), function.__name__)
    if any(map(is_generator, args)):
        args = tuple(
            recorder().outside.capture("generator", a) if is_generator(a) else a for a in args
        )
    if any(map(is_generator, kwargs.values())):
        kwargs = {
            name: recorder().outside.capture("generator", value) if is_generator(value) else value
            for name, value in kwargs.items()
        }
    return function, args, kwargs


@contextmanager
def untouched(name: str, args: tuple, kwargs: dict[str, Any]) -> Iterator[None]:
    """Watch the generators that a library function can reach while it runs: Python's and NumPy's
    global ones, and those among its arguments and in their attributes.

    Raises:
        UnsupportedFunctionError: the function, of that name, has drawn from one of them.
    """
    found = _reachable((*args, *kwargs.values()))
    before = _states(found)
    yield
    if _states(found) != before:
        raise UnsupportedFunctionError(
            f"{name} draws random numbers, but code is recorded only once",
            user_location(),
            id="AG0405",
            fix="pass it a numpy.random.Generator, as random_state= or rng=, or call it outside "
            "and pass the result as an argument",
        )


_DEPTH = 4  # of attributes in which bit generators are looked for


def _reachable(values: Iterable[Any]) -> list[np.random.BitGenerator]:
    """The bit generators in objects and their attributes."""
    found, seen, level = [], set(), list(values)
    for _ in range(_DEPTH):
        inner: list[Any] = []
        for value in level:
            kind = type(value)
            if id(value) in seen or kind.__module__ in (
                "builtins",
                "autograph.staging.arrays.array",
            ):
                continue
            seen.add(id(value))
            if issubclass(kind, np.random.BitGenerator):
                found.append(value)
            elif issubclass(kind, numpy_streams.AnyGenerator):
                found.append(numpy_streams.bits_of(value))
            elif isinstance(attributes := getattr(value, "__dict__", None), dict):
                inner += attributes.values()
        level = inner
    return found


def _states(generators: Sequence[np.random.BitGenerator]) -> list:
    shared = np.random.get_state(legacy=False)
    states: list[Any] = [random.getstate(), shared["has_gauss"]]
    for state in (shared, *(generator.state for generator in generators)):
        numbers = state["state"]
        parts = numbers.values() if isinstance(numbers, dict) else [numbers]
        states.append([x.tobytes() if isinstance(x, np.ndarray) else x for x in parts])
        states.append((state.get("has_uint32"), state.get("buffer_pos")))
    return states


CREATORS: dict[Callable, Callable] = {np.random.default_rng: default_rng}
