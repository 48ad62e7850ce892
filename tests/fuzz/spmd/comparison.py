"""Runs random programs for a mesh compiled and in plain Python, and compares what comes out.

No failures are refusals with an error of ours while a program is compiled, which are counted.
"""

from __future__ import annotations

import contextlib
import itertools
import linecache
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
import ops
from autograph import P
from autograph.api.parts import PartsAsLanes
from autograph.errors import AutographError, BatchingError, VerificationError
from tests.fuzz.spmd.lockstep import DivergedError, Parts
from tests.fuzz.spmd.oracle import classes_of, difference, gradients, namespace
from tests.fuzz.spmd.programs import Program

STEP = 1e-5
_numbers = itertools.count()


class Case(NamedTuple):
    """A program on a mesh, with arguments.

    Attributes:
        shape: of the mesh.
        args: whole arrays, in the order of the parameters.
        specs: how they are divided.
    """

    program: Program
    shape: dict[str, int]
    args: tuple[Any, ...]
    specs: tuple[P, ...]

    @property
    def classes(self) -> dict[str, tuple[str, ...]]:
        return classes_of(self.program.axes)

    @property
    def out_specs(self) -> Any:
        """For what ``program`` returns."""
        found = []
        for along in self.classes.values():
            spec = P(along) if along else P()
            found.append((spec, spec, spec))
        return tuple(found)

    def moved(self, directions: tuple[Any, ...], step: float) -> tuple[Any, ...]:
        return tuple(a if d is None else a + step * d for a, d in zip(self.args, directions))


def case_of(program: Program, shape: Mapping[str, int], number: int = 0) -> Case:
    """A program on a mesh of a shape."""
    random = np.random.default_rng([program.seed % 2**32, number])
    args, specs = [random.normal(size=3), int(random.integers(0, 4))], [P(), P()]
    letters = ["A", "D", "M"] if len(program.axes) > 1 else ["A"]
    for letter in letters:
        along = classes_of(program.axes)[letter]
        count = int(np.prod([shape[axis] for axis in along]))
        args.append(random.normal(size=(2 * count, 3)))
        specs.append(P(along))
    return Case(program, dict(shape), tuple(args), tuple(specs))


# -- in plain Python -------------------------------------------------------------------------------


def load(text: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """The globals of a program, which sees these names; its functions have source to read."""
    name = f"<random program for a mesh {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    found = {"__name__": "random_program", **names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(text, name, "exec"), found)
    return found


class Oracle:
    """A program in plain Python."""

    def __init__(self, case: Case):
        self.case = case
        self.parts = Parts(case.shape)
        self.functions = load(case.program.text, namespace(self.parts))

    def _each(self, function: str, args: tuple[Any, ...]) -> list[Any]:
        calls = []
        for place in self.parts.places:
            own = [self._own(a, spec, place) for a, spec in zip(args, self.case.specs)]
            calls.append(lambda own=own: self.functions[function](*own))
        return self.parts.run(calls)

    def _own(self, whole: Any, spec: P, place: Mapping[str, int]) -> Any:
        along = spec.axes[0] if spec.axes else ()
        if not along:
            return np.copy(whole)[()] if isinstance(whole, np.ndarray) else whole
        number = count = 0
        for axis in along:
            size = self.parts.shape[axis]
            number, count = number * size + place[axis], (count or 1) * size
        return np.copy(np.split(whole, count)[number])

    def loss(self, args: tuple[Any, ...]) -> float:
        """That of all parts; raises `AssertionError` if it is not the same in all."""
        found = self._each("loss", args)
        assert np.ptp(found) <= 1e-9, found
        return float(found[0])

    def results(self) -> tuple[list[list[np.ndarray]], list[str]]:
        """The whole arrays that ``program`` returns, by class; and the classes whose results
        differ between parts in which they should be the same."""
        each = self._each("program", self.case.args)
        wholes, wrong = [], []
        for number, (name, along) in enumerate(self.case.classes.items()):
            by_place: dict[tuple, list[Any]] = {}
            for place, results in zip(self.parts.places, each):
                found = by_place.setdefault(tuple(place[axis] for axis in along), results[number])
                same = all(
                    np.allclose(a, b, rtol=1e-9, atol=1e-9) for a, b in zip(found, results[number])
                )
                wrong += [] if same else [name]
            rows = [by_place[place] for place in sorted(by_place)]
            join = np.concatenate if along else lambda found: found[0]
            wholes.append([join([row[i] for row in rows]) for i in range(3)])
        return wholes, wrong

    def slope(self, directions: tuple[Any, ...]) -> float | None:
        """The derivative of the loss along directions; None where it has none."""
        middle = self.loss(self.case.args)

        def value(step: float) -> float:
            return self.loss(self.case.moved(directions, step))

        left, right = value(-STEP), value(STEP)
        slopes = (middle - left) / STEP, (right - middle) / STEP
        scale = 1.0 + abs(slopes[0])
        if not abs(slopes[0] - slopes[1]) <= 1e-2 * scale:
            return None
        fine = difference(value)
        return fine if abs(fine - (right - left) / (2 * STEP)) <= 1e-4 * scale else None


# -- compiled --------------------------------------------------------------------------------------

OURS = {"np": np, "ops": ops, "ag": ag}


class Compiled:
    """A program as the compiler has it.

    Args:
        mesh: of which kind, with axes of the sizes.
    """

    def __init__(self, case: Case, mesh: ag.Mesh):
        grad = ag.grad
        names = gradients(case.shape, grad, lambda axes: grad, lambda axes: grad)
        self.case = case
        self.mesh = mesh
        self.functions = load(case.program.text, {**OURS, **names})
        self.numbers = tuple(i for i in range(len(case.args)) if i != 1)

    def _mapped(self, function: Callable, out: Any) -> Callable:
        return ag.shard_map(function, self.mesh, self.case.specs, out)

    def results(self) -> list[list[np.ndarray]]:
        mapped = self._mapped(self.functions["program"], self.case.out_specs)
        return [[np.asarray(v) for v in row] for row in mapped(*self.case.args)]

    def outside(self) -> Callable:
        """The loss of whole arrays and its gradient by all that have one."""
        return ag.value_and_grad(self._mapped(self.functions["loss"], P()), argnums=self.numbers)

    def inside(self) -> Callable:
        """The gradient that is taken by each part."""
        gradient = ag.grad(self.functions["loss"], argnums=self.numbers)
        return self._mapped(gradient, tuple(self.case.specs[i] for i in self.numbers))

    def _tangents(self, directions: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(directions[i] for i in self.numbers)

    def _with(self, function: Callable) -> Callable:
        """The function of what has derivatives."""
        number = self.case.args[1]
        return lambda first, *others: function(first, number, *others)

    def tangent(self, directions: tuple[Any, ...]) -> float:
        loss = self._with(self._mapped(self.functions["loss"], P()))
        return float(ag.jvp(loss, self._tangents(self.case.args), self._tangents(directions))[1])

    def tangent_inside(self, directions: tuple[Any, ...]) -> float:
        specs = tuple(self.case.specs[i] for i in self.numbers)
        loss = self._with(self.functions["loss"])

        def inside(primals: Any, tangents: Any) -> Any:
            return ag.jvp(loss, primals, tangents)[1]

        mapped = ag.shard_map(inside, self.mesh, (specs, specs), P())
        return float(mapped(self._tangents(self.case.args), self._tangents(directions)))

    def second(self, directions: tuple[Any, ...]) -> dict[str, list[np.ndarray]]:
        """The derivative of the gradient along directions, in different ways."""
        primals, tangents = self._tangents(self.case.args), self._tangents(directions)
        loss = self._with(self._mapped(self.functions["loss"], P()))
        numbers = tuple(range(len(primals)))
        gradients = {
            "outside": ag.grad(loss, argnums=numbers),
            "inside": self._with(self.inside()),
        }
        found = {}
        for name, gradient in gradients.items():

            def along(*args: Any, gradient: Callable = gradient) -> Any:
                slopes = gradient(*args)
                return sum(np.sum(np.asarray(g) * t) for g, t in zip(slopes, tangents))

            found[f"forward over reverse, {name}"] = ag.jvp(gradient, primals, tangents)[1]
            found[f"reverse over reverse, {name}"] = ag.grad(along, argnums=numbers)(*primals)
        return {name: [np.asarray(v) for v in values] for name, values in found.items()}


@contextlib.contextmanager
def unrolled() -> Iterator[None]:
    """Inside, parts in one process are not made lanes of one graph, but each is by itself."""

    def refuse(*_: Any) -> Any:
        raise BatchingError("not here")

    before = PartsAsLanes._over
    PartsAsLanes._over = refuse  # type: ignore[method-assign]
    try:
        yield
    finally:
        PartsAsLanes._over = before  # type: ignore[method-assign]


def directions_of(case: Case, number: int = 0) -> tuple[Any, ...]:
    random = np.random.default_rng(7 + number)
    return tuple(
        random.normal(size=a.shape) if isinstance(a, np.ndarray) else None for a in case.args
    )


class Difference(AssertionError):
    """A program does something else when compiled."""


def compare(case: Case, mesh: ag.Mesh, orders: int = 1) -> Counter:
    """Compare a program with what is compiled of it for a mesh.

    Args:
        orders: of derivatives.

    Returns:
        How many comparisons were the "same"; and the ids of errors for what was refused.

    Raises:
        Difference: they differ.
    """
    ends: Counter = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _compare(case, mesh, orders, ends)
        except AutographError as error:
            if isinstance(error, VerificationError):
                raise
            ends[error.id] += 1
    return ends


def _compare(case: Case, mesh: ag.Mesh, orders: int, ends: Counter) -> None:
    oracle, compiled = Oracle(case), Compiled(case, mesh)
    try:
        expected, wrong = oracle.results()
    except DivergedError:
        assert case.program.spoiled, "the program is wrong"
        compiled.results()
        raise Difference("some parts wait for ever, which is not noticed") from None
    assert case.program.spoiled or not wrong, wrong
    found = compiled.results()
    if wrong:
        raise Difference(f"results of {wrong} differ between parts, which is not noticed")
    for name, rows, others in zip(case.classes, found, expected):
        for i, (a, b) in enumerate(zip(rows, others)):
            _same(a, b, f"value {i} of {name}", 1e-8)
    ends["same values"] += 1
    if orders:
        _compare_slopes(case, oracle, compiled, orders, ends)


def _compare_slopes(
    case: Case, oracle: Oracle, compiled: Compiled, orders: int, ends: Counter
) -> None:
    value, gradient = compiled.outside()(*case.args)
    _same(value, oracle.loss(case.args), "loss", 1e-8)
    gradient = [np.asarray(g) for g in gradient]
    inside = compiled.inside()(*case.args)
    for number, a, b in zip(compiled.numbers, gradient, inside):
        _same(b, a, f"gradient {number} inside and outside", 1e-7)
    directions = directions_of(case)
    slope = sum(np.sum(g * directions[i]) for i, g in zip(compiled.numbers, gradient))
    _same(compiled.tangent(directions), slope, "tangent and gradient", 1e-7)
    expected = oracle.slope(directions)
    if expected is None:
        ends["kink"] += 1
    else:
        _same(slope, expected, "gradient and differences", 1e-5)
        ends["same gradient"] += 1
    if orders < 2:
        return
    _same(compiled.tangent_inside(directions), slope, "tangent inside", 1e-7)
    found = compiled.second(directions)
    first, *others = found
    for name in others:
        for a, b in zip(found[name], found[first]):
            _same(a, b, f"second order, {name}", 1e-6)
    if expected is not None:
        _compare_curvature(case, compiled, found[first], directions)
    ends["same second order"] += 1


def _compare_curvature(
    case: Case, compiled: Compiled, found: list[np.ndarray], directions: tuple[Any, ...]
) -> None:
    """Compare with differences of the gradient."""
    outside = compiled.outside()

    def gradient(step: float) -> list[np.ndarray]:
        return [np.asarray(g) for g in outside(*case.moved(directions, step))[1]]

    left, right = gradient(-STEP), gradient(STEP)
    wide = gradient(-2 * STEP), gradient(2 * STEP)
    for i, own in enumerate(found):
        expected = (right[i] - left[i]) / (2 * STEP)
        other = (wide[1][i] - wide[0][i]) / (4 * STEP)
        if np.allclose(expected, other, rtol=1e-4, atol=1e-4):
            _same(own, expected, "second order and differences", 1e-4)


def _same(found: Any, expected: Any, what: str, tolerance: float) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape or found.dtype.kind != expected.dtype.kind:
        raise Difference(
            f"{what}: {found.dtype}{found.shape}, not {expected.dtype}{expected.shape}"
        )
    scale = 1.0 + np.abs(expected)
    if not np.all(np.abs(found - expected) <= tolerance * scale):
        raise Difference(f"{what}: {found}, not {expected}")
