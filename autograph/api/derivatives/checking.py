"""`check_grads`: derivatives compared with differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import name_of
from autograph.api.derivatives.pullbacks import vjp
from autograph.api.derivatives.tangents import jvp
from autograph.api.trees import flatten, is_inexact, natively
from autograph.backends.select import backend_of
from autograph.errors import DerivativeCheckError, OptionError
from ops.core.operands import operand_type

# By the bytes of a real number in the arguments: the step, and the tolerances.
_STEPS = {2: 2.0**-3, 4: 2.0**-6, 8: 2.0**-14}
_TOLERANCES = {2: 1e-1, 4: 4e-3, 8: 1e-5}
_MODES = ("fwd", "rev")


@leaves_compiler
def check_grads(
    f: Callable,
    args: Sequence[Any],
    order: int = 2,
    modes: str | Sequence[str] = _MODES,
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Check the derivatives of a function against central differences, along random directions.

    At each order the derivative in each mode is checked, and is then itself the function whose
    derivatives are checked at the next order: to order 2 in both modes, that is forward over
    forward, reverse over forward, forward over reverse and reverse over reverse.

    Args:
        f: a Python function, plain or converted, differentiable at ``args``. The differences are
            taken of ``f`` as it is: a plain one is run by Python.
        args: its positional arguments, a tuple or list: nested tuples, lists, dicts and objects of
            arrays and numbers, real or complex; what is not floating-point is kept as it is.
        order: up to which order, from 1.
        modes: "fwd", "rev" or both.
        atol, rtol: absolute and relative tolerance; by default 1e-5 for float64, 4e-3 for float32
            and 0.1 for float16, by the least precise of the numbers among the arguments and
            results.
        eps: the step of the differences; by default 2**-14, 2**-6 and 2**-3. The differences of
            two steps are extrapolated, so that the error is of the order of ``eps**4``.

    Raises:
        DerivativeCheckError: an AssertionError: a derivative is not what the differences say. The
            message names the order, the mode and what was found and expected.
        OptionError: a ValueError: there is no such mode or order.

    Examples:
        >>> ag.check_grads(lambda x: np.sum(np.sin(x) ** 2), (np.array([0.3, 1.0]),), order=2)
    """
    modes = (modes,) if isinstance(modes, str) else tuple(modes)
    for mode in modes:
        if mode not in _MODES:
            raise OptionError(
                f"there is no mode {mode!r}", id="AG0608", fix="choose from 'fwd' and 'rev'"
            )
    if order < 1 or not modes:
        raise OptionError(
            f"nothing to check: order {order}, modes {modes}",
            id="AG0608",
            fix="ask for order=1 or more, in mode 'fwd' or 'rev'",
        )
    _Check(np.random.default_rng(0), modes, atol, rtol, eps, name_of(f)).run(
        f, natively(tuple(args)), order
    )


class _Check:
    """One run of `check_grads`."""

    def __init__(self, rng, modes, atol, rtol, eps, name):
        self.rng = rng
        self.modes = modes
        self.atol = atol
        self.rtol = rtol
        self.eps = eps
        self.name = name

    def run(self, f: Callable, args: tuple, order: int, done: tuple[str, ...] = ()) -> None:
        """Check f, which is the derivative of the user's function in the modes ``done``."""
        for mode in self.modes:
            check = self._check_jvp if mode == "fwd" else self._check_vjp
            derivative = check(f, args, (*done, mode))
            if order > 1:
                self.run(derivative, args, order - 1, (*done, mode))

    def _check_jvp(self, f: Callable, args: tuple, path: tuple) -> Callable:
        """Check the derivative along a random direction; returns it as a function."""
        tangents = self._random(args)
        out, found = jvp(f, args, tangents)
        precision = self._precision(args, out)
        self._check_value(f, args, out, precision, path)
        expected = self._differences(f, args, tangents, out)
        for a, b in zip(_floats(found), expected):
            self._compare(_wide(a), b, precision, path)
        return lambda *args: jvp(f, args, tangents)[1]

    def _check_vjp(self, f: Callable, args: tuple, path: tuple) -> Callable:
        """Check that the pullback of a random cotangent is the transpose of the derivative,
        ``<ct, J t> == <J^T ct, t>``; returns the pullback as a function."""
        tangents = self._random(args)
        out, pull = vjp(f, *args)
        precision = self._precision(args, out)
        self._check_value(f, args, out, precision, path)
        cotangent = self._random(out)
        changes = self._differences(f, args, tangents, out)
        terms = [_wide(ct) * change for ct, change in zip(_floats(cotangent), changes)]
        expected = sum(np.sum(term).real for term in terms)
        back = zip(_floats(pull(cotangent)), _floats(tangents))
        found = sum(np.sum(_wide(ct) * _wide(t)).real for ct, t in back)
        size = sum(float(np.sum(np.abs(term))) for term in terms)
        self._compare(found, expected, precision, path, size)
        return lambda *args: vjp(f, *args)[1](cotangent)

    def _check_value(self, f: Callable, args: tuple, out: Any, precision: int, path: tuple) -> None:
        expected = _at(flatten(f(*args))[0], out)
        for a, b in zip(_floats(out), expected):
            self._compare(
                _wide(a), _wide(b), precision, path, what="value that comes with the derivative"
            )

    def _compare(
        self,
        found: Any,
        expected: Any,
        precision: int,
        path: tuple,
        size: float = 0.0,
        what: str = "derivative",
    ) -> None:
        default = _TOLERANCES[precision]
        rtol = default if self.rtol is None else self.rtol
        atol = default if self.atol is None else self.atol
        found, expected = np.asarray(found), np.asarray(expected)
        scale = max(size, float(np.max(np.abs(expected), initial=0.0)))
        wrong = np.atleast_1d(~(np.abs(found - expected) <= atol + rtol * scale))
        wrong &= np.atleast_1d(~((found == expected) | (np.isnan(found) & np.isnan(expected))))
        if wrong.any():
            place = tuple(int(i[0]) for i in np.nonzero(wrong))
            a, b = (np.atleast_1d(x)[place] for x in (found, expected))
            element = f" at {list(place)}" if found.shape else ""
            raise DerivativeCheckError(
                f"the {what} of order {len(path)} of '{self.name}', in mode "
                f"{' over '.join(reversed(path))}, is {a}{element}, but differences say {b}",
                fix="look at the operations between, or raise rtol and atol if they are right",
            )

    # -- differences ------------------------------------------------------------------------------

    def _differences(self, f: Callable, args: tuple, tangents: tuple, out: Any) -> list:
        """The derivative along ``tangents`` of each float in ``out``, extrapolated once."""
        step = _STEPS[self._precision(args)] if self.eps is None else self.eps
        wide, narrow = (self._quotients(f, args, tangents, out, h) for h in (step, step / 2))
        return [(4 * b - a) / 3 for a, b in zip(wide, narrow)]

    def _quotients(self, f: Callable, args: tuple, tangents: tuple, out: Any, step: float) -> list:
        ends = [_at(flatten(f(*_moved(args, tangents, s)))[0], out) for s in (step, -step)]
        return [(_wide(a) - _wide(b)) / (2 * step) for a, b in zip(*ends)]

    def _random(self, tree: Any) -> Any:
        """A random direction: of the types of the floats in ``tree``, and None for the rest."""
        leaves, spec = flatten(tree)
        return spec.unflatten([self._direction(leaf) for leaf in leaves])

    def _direction(self, leaf: Any) -> Any:
        if not is_inexact(leaf):
            return None
        type = operand_type(leaf)
        values = self.rng.normal(size=type.shape)
        if type.dtype.kind == "c":
            values = values + 1j * self.rng.normal(size=type.shape)
        return _like(leaf, values)

    def _precision(self, *trees: Any) -> int:
        """The bytes of a real number, of the least precise float among the leaves."""
        dtypes = [operand_type(leaf).dtype for leaf in _floats(trees)]
        return min([8, *(np.zeros((), dtype).real.dtype.itemsize for dtype in dtypes)])


def _floats(tree: Any) -> list:
    """The floating-point and complex leaves."""
    leaves, _ = flatten(tree)
    return [leaf for leaf in leaves if is_inexact(leaf)]


def _at(leaves: Sequence[Any], like: Any) -> list:
    """Those leaves at whose places ``like`` has floats."""
    return [leaf for leaf, other in zip(leaves, flatten(like)[0]) if is_inexact(other)]


def _wide(x: Any) -> Any:
    """``x`` in double precision."""
    x = np.asarray(backend_of([x]).to_host(x))
    return x.astype(complex if x.dtype.kind == "c" else float)


def _like(leaf: Any, values: Any) -> Any:
    """``values`` as an array or number of the type of ``leaf``."""
    type = operand_type(leaf)
    made = ops.cast(np.asarray(values), dtype=type.dtype, weak=type.weak)
    backend = backend_of([leaf])
    return made if backend.host else backend.from_host(made)


def _moved(args: tuple, tangents: tuple, step: float) -> tuple:
    leaves, spec = flatten(args)
    pairs = zip(leaves, flatten(tangents)[0])
    return spec.unflatten([x if t is None else x + step * t for x, t in pairs])
