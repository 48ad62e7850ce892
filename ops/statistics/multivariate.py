"""The normal distribution of several variables, as ``scipy.stats.multivariate_normal`` has it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ops.arrays.diagonals import diagonal
from ops.arrays.indexing import subscript
from ops.core.operands import dims_of, ndim_of
from ops.elementwise import exp, log, multiply, square, subtract
from ops.elementwise.conversion import astype
from ops.linalg.factorisations import cholesky
from ops.linalg.systems import triangular_solve
from ops.structure.broadcasting import sum
from ops.structure.permuting import swapaxes
from ops.structure.reshaping import reshape

_NAME = "scipy.stats.multivariate_normal"


class FrozenNormal(NamedTuple):
    """A normal distribution whose parameters are given, in the place of SciPy's, which looks at
    their values."""

    mean: Any
    cov: Any

    def logpdf(self, x: Any) -> Any:
        return log_density(x, self.mean, self.cov)

    def pdf(self, x: Any) -> Any:
        return density(x, self.mean, self.cov)


def frozen(
    mean: Any = None, cov: Any = 1.0, allow_singular: bool = False, **options: Any
) -> FrozenNormal:
    """What calling ``scipy.stats.multivariate_normal`` gives; further options are about samples and
    the distribution function."""
    _refuse_singular(allow_singular)
    return FrozenNormal(mean, cov)


def log_density(x: Any, mean: Any = None, cov: Any = 1.0, allow_singular: bool = False) -> Any:
    """The logarithm of the density. As SciPy does, it leaves out axes of length 1 of the result.

    Args:
        x: ``(..., d)``; with one variable also ``(n,)``, and a number.
        mean: ``(d,)``; zeros by default.
        cov: a positive definite matrix, ``(d, d)``; a vector is its diagonal, and a number what
            stands on it.

    Raises:
        LinAlgError: ``cov`` is not positive definite.
    """
    _refuse_singular(allow_singular)
    x, cov = astype(x, np.float64), astype(cov, np.float64)
    d = _dimension(mean, cov)
    mean = np.zeros(d) if mean is None else astype(mean, np.float64)
    if d == 1:
        cov, mean = reshape(cov, (1, 1)), reshape(mean, (1,))
    elif ndim_of(cov) < 2:
        cov = multiply(cov, np.eye(d))
    if ndim_of(x) == 0 and d > 1:
        raise NotImplementedError(f"{_NAME} of several variables at a number")
    if ndim_of(x) < 2:
        x = reshape(x, (-1, 1) if d == 1 else (1, d))
    factor, moved = cholesky(cov), swapaxes(subtract(x, mean), -1, -2)
    squares = sum(square(triangular_solve(factor, moved)), -2)
    lengths = dims_of(squares)
    if None in lengths:
        raise NotImplementedError(
            f"{_NAME} of points whose number is known only at run time: for a single one "
            "the result has no axis"
        )
    half_log_det = sum(log(diagonal(factor)))
    found = multiply(-0.5, squares) - half_log_det - 0.5 * d * math.log(2 * math.pi)
    found = reshape(found, tuple(n for n in lengths if n != 1))
    return found if ndim_of(found) else subscript(found, ())  # a number


def density(x: Any, mean: Any = None, cov: Any = 1.0, allow_singular: bool = False) -> Any:
    """The density; see `log_density`."""
    return exp(log_density(x, mean, cov, allow_singular))


def method_of(owner: Any, method: str) -> Callable | None:
    """What stands for a method of SciPy's distribution, or of a frozen one; None if there is
    nothing."""
    function = {"logpdf": log_density, "pdf": density}.get(method)
    if function is None or type(owner).__name__ == "multivariate_normal_gen":
        return function
    covariance = owner.cov_object
    singular = bool(np.any(covariance.rank < owner.dim))
    parameters = {"mean": owner.mean, "cov": covariance.covariance, "allow_singular": singular}
    return functools.partial(function, **parameters)


def _dimension(mean: Any, cov: Any) -> int:
    """How many variables there are, as SciPy counts them."""
    if mean is not None:
        lengths = dims_of(mean)[:1]
    else:
        lengths = () if ndim_of(cov) < 2 else dims_of(cov)[:1]
    (d,) = lengths or (1,)
    if d is None:
        raise NotImplementedError(f"{_NAME} of an unknown number of variables")
    return d


def _refuse_singular(allow_singular: bool) -> None:
    if allow_singular:
        raise NotImplementedError(f"{_NAME} with a singular covariance")
