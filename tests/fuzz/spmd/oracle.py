"""What programs for a mesh may use of `ops` and `autograph`, in plain NumPy.

Collectives exchange what the parts have; derivatives inside of programs are differences of high
order, which all parts make together where they meet.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.fuzz.spmd.lockstep import Parts

STEP = 2e-3
# Central differences of sixth order: their error is about STEP**6, and 1e-16 / STEP of rounding.
WEIGHTS = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))


def difference(value: Callable[[float], Any]) -> Any:
    """The derivative of a smooth function of a number, at 0."""
    total: Any = 0.0
    for count, weight in WEIGHTS:
        total = total + weight * (value(count * STEP) - value(-count * STEP))
    return total / STEP


class Operators:
    """The collectives, by the names and with the arguments that they have in `ops`."""

    def __init__(self, parts: Parts):
        self._parts = parts

    def _all(self, kind: Any, x: Any, axis_name: Any) -> list[Any]:
        """What all parts along one or several axes have, the last axis the fastest."""
        *others, last = axis_name if isinstance(axis_name, tuple) else (axis_name,)
        found = self._parts.meet(kind, last, x)
        for name in reversed(others):
            found = [v for row in self._parts.meet(kind, name, np.stack(found)) for v in row]
        return [np.copy(v)[()] for v in found]

    def psum(self, x: Any, axis_name: Any) -> Any:
        return sum(self._all("psum", x, axis_name))

    def pmean(self, x: Any, axis_name: Any) -> Any:
        return sum(self._all("pmean", x, axis_name)) / self.axis_size(axis_name)

    def pmax(self, x: Any, axis_name: Any) -> Any:
        return np.max(np.stack(self._all("pmax", x, axis_name)), axis=0)

    def pmin(self, x: Any, axis_name: Any) -> Any:
        return np.min(np.stack(self._all("pmin", x, axis_name)), axis=0)

    def pvary(self, x: Any, axis_name: Any) -> Any:
        return x

    def all_gather(self, x: Any, axis_name: Any, tiled: bool = False, invariant: bool = False):
        found = self._all("all_gather", x, axis_name)
        return np.concatenate(found) if tiled else np.stack(found)

    def psum_scatter(self, x: Any, axis_name: Any) -> Any:
        return sum(self._all("psum_scatter", x, axis_name))[self.axis_index(axis_name)]

    def ppermute(self, x: Any, axis_name: str, perm: Sequence[tuple[int, int]]) -> Any:
        found = self._all(("ppermute", tuple(perm)), x, axis_name)
        own = [found[a] for a, b in perm if b == self.axis_index(axis_name)]
        return own[0] if own else np.zeros_like(found[0])

    def pshuffle(self, x: Any, axis_name: str, perm: Sequence[int]) -> Any:
        found = self._all(("pshuffle", tuple(perm)), x, axis_name)
        return found[perm[self.axis_index(axis_name)]]

    def all_to_all(self, x: Any, axis_name: str, split_axis: int, concat_axis: int) -> Any:
        found = self._all(("all_to_all", split_axis, concat_axis), x, axis_name)
        own = self.axis_index(axis_name)
        return np.stack([np.take(v, own, axis=split_axis) for v in found], axis=concat_axis)

    def broadcast(self, x: Any, axis_name: str, source: int = 0) -> Any:
        return self._all(("broadcast", source), x, axis_name)[source]

    def axis_index(self, axis_name: Any) -> int:
        number = 0
        for name in axis_name if isinstance(axis_name, tuple) else (axis_name,):
            number = number * self._parts.shape[name] + self._parts.place[name]
        return number

    def axis_size(self, axis_name: Any) -> int:
        names = axis_name if isinstance(axis_name, tuple) else (axis_name,)
        return int(np.prod([self._parts.shape[name] for name in names]))


class Derivatives:
    """Those inside of programs."""

    def __init__(self, parts: Parts, operators: Operators):
        self._parts = parts
        self._operators = operators

    def own(self, function: Callable) -> Callable:
        """The gradient of what each part computes by itself."""

        def gradient(v: Any) -> Any:
            return np.stack([_partial(function, v, i) for i in range(len(v))])

        return gradient

    def of_each(self, axes: Sequence[str]) -> Callable:
        """The gradient of what is the same in all parts, by what differs along some axes only: it
        is that by what each of them has."""

        def grad(function: Callable) -> Callable:
            def gradient(v: Any) -> Any:
                found = None
                for numbers in itertools.product(*(range(self._parts.shape[a]) for a in axes)):
                    is_own = all(self._parts.place[a] == n for a, n in zip(axes, numbers))
                    partials = [_partial(function, v, i, is_own) for i in range(len(v))]
                    found = np.stack(partials) if is_own else found
                return found

            return gradient

        return grad

    def summed(self, axes: Sequence[str]) -> Callable:
        """The gradient of what differs along some axes by what is the same in all parts."""

        def grad(function: Callable) -> Callable:
            own = self.own(function)
            return lambda v: self._operators.psum(own(v), tuple(axes))

        return grad


def _partial(function: Callable, v: Any, i: int, moves: bool = True) -> Any:
    unit = np.eye(len(v))[i] * moves
    return difference(lambda step: function(v + step * unit))


def _vmap(function: Callable) -> Callable:
    return lambda *args: np.stack([function(*lane) for lane in zip(*args)])


def _jvp(function: Callable, primals: tuple, tangents: tuple) -> tuple:
    def along(step: float) -> Any:
        return function(*(p + step * t for p, t in zip(primals, tangents)))

    return function(*primals), difference(along)


def namespace(parts: Parts) -> dict[str, Any]:
    """What programs see."""
    operators = Operators(parts)
    derivatives = Derivatives(parts, operators)
    return {
        "np": np,
        "ops": operators,
        "ag": SimpleNamespace(vmap=_vmap, jvp=_jvp, checkpoint=lambda function: function),
        **gradients(parts.shape, derivatives.own, derivatives.of_each, derivatives.summed),
    }


def gradients(
    axes: Mapping[str, int], own: Callable, of_each: Callable, summed: Callable
) -> dict[str, Callable]:
    """The names that programs have for `ag.grad`, which tell the oracle what varies."""
    classes = classes_of(tuple(axes))
    return {
        "grad_own": own,
        **{f"grad_{name}": of_each(along) for name, along in classes.items()},
        **{f"grad_sum_{name}": summed(along) for name, along in classes.items() if along},
    }


def classes_of(axes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The letters that end the names of variables, and the axes along which those may vary."""
    if len(axes) == 1:
        return {"S": (), "A": axes}
    first, second = axes
    return {"S": (), "D": (first,), "M": (second,), "A": axes}
