"""Compiled functions among those of JAX: callbacks that JAX can differentiate and batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import optree

from autograph.api.derivatives.pullbacks import vjp
from autograph.api.function import GraphFunction, to_graph
from autograph.api.recording.ahead import ShapeDtypeStruct
from autograph.api.vmap import vmap
from autograph.errors import MissingLibraryError, UnsupportedFunctionError
from autograph.staging.border.delivery import (
    Argument,
    Copy,
    Made,
    NumberOutput,
    Output,
    RowsOutput,
    Static,
)
from autograph.staging.border.signature import CallParts, flatten_call
from autograph.staging.values.leaves import Promoted
from ops.core.types import ArrayType

_MOST = 256  # signatures of which it is kept what a function returns


def to_jax(function: Callable) -> Callable[..., Any]:
    """A function of JAX arrays that computes as a function written with NumPy.

    It is called back by the program that JAX compiles, in the memory of the host. Its effects
    happen as often as JAX calls it, as those of `jax.pure_callback`.

    Args:
        function: a Python function, plain or compiled, of nested tuples, lists and dicts, and of
            what is registered with JAX, of arrays, numbers and anything else. It is recorded for
            the shapes and dtypes of the arrays; Python's numbers are what they are. It must not
            change its arguments, and the shapes of its results must not depend on values.

    Returns:
        A function with the same arguments, by position, also under ``jax.jit``; ``jax.grad``,
        ``jax.vjp`` and ``jax.jacrev``, to any order; and ``jax.vmap``, by `autograph.vmap`. It has
        no forward mode: ``jax.jvp`` and ``jax.jacfwd`` are refused by JAX. The arrays and traced
        numbers of its result are arrays of JAX's, of the dtypes that JAX has: without
        ``jax_enable_x64``, float64 becomes float32.

    Raises:
        MissingLibraryError: (when it is called) JAX is not installed.
        UnsupportedFunctionError: (when it is called) the shape of a result depends on values, or
            the function changes an argument.

    Examples:
        >>> import jax
        >>> f = ag.interop.to_jax(lambda x: np.sum(x * x))
        >>> print(jax.jit(jax.grad(f))(jax.numpy.array([1.0, 2.0])))
        [2. 4.]
    """
    compiled = function if isinstance(function, GraphFunction) else to_graph(function)
    name = getattr(compiled, "__name__", "function")
    known: dict[Hashable, _Result] = {}
    pullback: list[Callable] = []  # made when it is first needed

    def pull(arguments: tuple, seeds: Any) -> tuple:
        return vjp(compiled, *arguments)[1](seeds)

    def call(*args: Any) -> Any:
        jax = _jax()
        leaves, nesting = jax.tree_util.tree_flatten(args)
        places = [
            i for i, x in enumerate(leaves) if isinstance(x, jax.Array | np.ndarray | np.generic)
        ]
        arrays = [jax.numpy.asarray(leaves[i]) for i in places]
        call = _Call(compiled, name, leaves, nesting, places)
        result = call.result([(x.shape, x.dtype) for x in arrays], known)
        shapes = [
            jax.ShapeDtypeStruct(type.shape, jax.dtypes.canonicalize_dtype(type.dtype))
            for type in result.types
        ]
        ranks = [x.ndim for x in arrays]

        @jax.custom_vjp
        def flat(*arrays: Any) -> Any:
            return jax.pure_callback(
                lambda *given: call.run(given, ranks, result, shapes),
                tuple(shapes),
                *arrays,
                vmap_method="expand_dims",
            )

        def forward(*arrays: Any) -> Any:
            return flat(*arrays), arrays

        def backward(arrays: Any, cotangents: Any) -> Any:
            if not pullback:
                pullback.append(to_jax(pull))
            moving = iter(cotangents)
            seeds = [
                _seed(shape, next(moving)) if position is not None else None
                for position, shape in zip(result.positions, result.per_leaf(shapes))
            ]
            pulled = pullback[0](
                call.arguments(arrays), optree.tree_unflatten(result.nesting, seeds)
            )
            back = nesting.flatten_up_to(pulled)
            return tuple(
                _cotangent(jax, array, back[place]) for place, array in zip(places, arrays)
            )

        flat.defvjp(forward, backward)
        return result.delivered(flat(*arrays))

    return call


@dataclass(frozen=True)
class _Result:
    """What a function returns, before it runs.

    Attributes:
        leaves: of the result; those that depend on arrays stand for what they will be.
        positions: for each leaf which of the arrays it is, or None.
        nesting: of the leaves.
        types: of the arrays.
    """

    leaves: tuple[Any, ...]
    positions: tuple[int | None, ...]
    nesting: Any
    types: tuple[ArrayType, ...]

    def per_leaf(self, values: Sequence[Any]) -> list[Any]:
        """For each leaf the value of its array."""
        return [None if i is None else values[i] for i in self.positions]

    def delivered(self, arrays: Sequence[Any]) -> Any:
        """The result with arrays in their places."""
        pairs = zip(self.leaves, self.positions)
        made = [leaf if i is None else arrays[i] for leaf, i in pairs]
        return optree.tree_unflatten(self.nesting, made)


@dataclass(frozen=True)
class _Call:
    """A function with arguments, some leaves of which are arrays."""

    compiled: GraphFunction
    name: str
    leaves: list[Any]
    nesting: Any
    places: list[int]

    def arguments(self, arrays: Sequence[Any]) -> tuple:
        """The arguments with other arrays in their places."""
        given = list(self.leaves)
        for place, array in zip(self.places, arrays):
            given[place] = array
        return self.nesting.unflatten(given)

    def result(self, types: Sequence[tuple], known: dict[Hashable, _Result]) -> _Result:
        """What it returns, found out by recording it."""
        inside = set(self.places)
        others = tuple((type(x), x) for i, x in enumerate(self.leaves) if i not in inside)
        key = (self.nesting, tuple(self.places), tuple(types), others)
        try:
            found = known.get(key)
        except TypeError:  # what cannot be hashed may change
            return self._recorded(types)
        if found is None:
            if len(known) >= _MOST:
                known.clear()
            found = known[key] = self._recorded(types)
        return found

    def _recorded(self, types: Sequence[tuple]) -> _Result:
        specs = [ShapeDtypeStruct(shape, dtype) for shape, dtype in types]
        given = self.arguments(specs)
        traced = self.compiled.lower(*given).traced
        if traced.changed or traced.delivery.changed:
            raise UnsupportedFunctionError(
                f"'{self.name}' changes an argument, which is an array of JAX's",
                fix="change a copy: x = x.copy()",
            )
        boxes = _Boxes([output.type for output in traced.module.main.outputs], given)
        sources = [boxes.source(source) for source in traced.delivery.sources]
        if None in sources:
            raise UnsupportedFunctionError(
                f"what a result of '{self.name}' is, or its shape, depends on values",
                fix="return arrays of known shapes, such as np.where(mask, x, 0)",
            )
        result = replace(traced.delivery, sources=sources).deliver(())
        leaves, nesting = optree.tree_flatten(result, none_is_leaf=True)
        arrays = [leaf.type for leaf in leaves if isinstance(leaf, _Box)]
        numbers = iter(range(len(arrays)))
        positions = [next(numbers) if isinstance(leaf, _Box) else None for leaf in leaves]
        return _Result(tuple(leaves), tuple(positions), nesting, tuple(arrays))

    def run(
        self, given: Sequence[Any], ranks: Sequence[int], result: _Result, shapes: Sequence[Any]
    ) -> tuple[np.ndarray, ...]:
        """The arrays of the result, for arrays with the axes of lanes before their own.

        An axis of lanes has length 1 in arrays that do not have these lanes.
        """
        arrays = [np.asarray(x) for x in given]
        lanes = [x.shape[: x.ndim - rank] for x, rank in zip(arrays, ranks)]
        sizes = np.broadcast_shapes(*lanes) if lanes else ()
        count = math.prod(sizes)
        if not sizes:
            out = self.compiled(*self.arguments([_scalar(x) for x in arrays]))
            return self._arrays(out, result, shapes)
        flat: list[Any] = []
        axes: list[int | None] = []
        for x, own in zip(arrays, lanes):
            rest = x.shape[len(own) :]
            if math.prod(own) == 1:
                flat.append(_scalar(x.reshape(rest)))
                axes.append(None)
            else:
                flat.append(np.broadcast_to(x, sizes + rest).reshape(count, *rest))
                axes.append(0)
        places: list[Any] = [None] * len(self.leaves)
        for place, axis in zip(self.places, axes):
            places[place] = axis
        in_axes = self.nesting.unflatten(places)
        batched = vmap(self.compiled, in_axes=in_axes, axis_size=count)
        return self._arrays(batched(*self.arguments(flat)), result, shapes, sizes)

    def _arrays(
        self, out: Any, result: _Result, shapes: Sequence[Any], sizes: tuple[int, ...] = ()
    ) -> tuple[np.ndarray, ...]:
        leaves = result.nesting.flatten_up_to(out)
        for leaf, kept, i in zip(leaves, result.leaves, result.positions):
            if i is None and isinstance(leaf, (str, int)) and leaf != kept:
                raise UnsupportedFunctionError(
                    f"'{self.name}' returned {kept!r} when JAX recorded it, and {leaf!r} now",
                    fix="pass what it depends on as an argument",
                )
        found = [leaf for leaf, i in zip(leaves, result.positions) if i is not None]
        return tuple(
            np.asarray(leaf, shape.dtype).reshape(sizes + shape.shape)
            for leaf, shape in zip(found, shapes)
        )


@dataclass(frozen=True, eq=False)
class _Box:
    """Stands for an array in a result that is not there yet."""

    type: ArrayType


class _Boxes:
    """What stands for the results of a program, of which a function's result is made.

    Args:
        types: of the program's results.
        arguments: of the function.
    """

    def __init__(self, types: Sequence[ArrayType], arguments: tuple):
        self._types = iter(types)
        self._arguments = arguments

    def source(self, source: Any) -> Static | Copy | Made | None:
        """What stands in the place of a leaf's source; None if only the run knows what it is."""
        match source:
            case Output():
                return self._box(next(self._types))
            case NumberOutput(kinds):
                promoted = Promoted(kinds)
                for _ in range(2 + len(promoted.apart)):
                    next(self._types)
                return self._box(promoted.type)
            case RowsOutput():
                type = next(self._types)
                row = type._replace(shape=type.shape[1:])
                if type.shape[0] is None or not row.is_static:
                    return None
                return Static([_Box(row) for _ in range(type.shape[0])])
            case Argument(position):
                leaves, _ = flatten_call(CallParts(self._arguments, {}))
                spec = leaves[position]
                if isinstance(spec, ShapeDtypeStruct):
                    shape: Any = spec.shape
                    return self._box(ArrayType(np.dtype(spec.dtype), shape))
                return Static(spec)
            case Static() | Copy() | Made():
                return source
        return None

    @staticmethod
    def _box(type: ArrayType) -> Static | None:
        return Static(_Box(type)) if type.is_static else None


def _jax() -> Any:
    try:
        import jax
    except ImportError as error:
        raise MissingLibraryError(
            f"to_jax needs jax, which cannot be imported ({error})", fix="pip install jax"
        ) from error
    return jax


def _scalar(array: np.ndarray) -> Any:
    """An array, or the number that it is without axes."""
    return array if array.ndim else array[()]


def _is_inexact(dtype: Any) -> bool:
    return bool(np.issubdtype(dtype, np.inexact))


def _seed(shape: Any, cotangent: Any) -> Any:
    return cotangent if _is_inexact(shape.dtype) else None


def _cotangent(jax: Any, array: Any, found: Any) -> Any:
    """What JAX takes for the cotangent of an argument."""
    if not _is_inexact(array.dtype):
        return np.zeros(array.shape, jax.dtypes.float0)
    if found is None:
        return jax.numpy.zeros_like(array)
    return found.astype(array.dtype)
