"""`optim.minimize` and `optim.least_squares`: minima, with the derivative of where they are.

The methods in `autograph.solvers` work on vectors, and are converted as the user's functions are;
the derivative is that of the equation that the gradient is zero, see `autograph.api.implicit`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import ops
from autograph.api.derivatives.gradients import grad, value_and_grad
from autograph.api.derivatives.jacobians import jacfwd, jacrev
from autograph.api.derivatives.sparse import Compressed, compressed_jacobian
from autograph.api.derivatives.tangents import jvp
from autograph.api.implicit import beginning, solved, value_of
from autograph.api.trees import flatten
from autograph.api.unknowns import Unknowns, called, cast, real
from autograph.errors import OperandShapeError, OptionError
from autograph.solvers import (
    dogleg,
    gauss_newton,
    lbfgs,
    levenberg_marquardt,
    linear_squares,
    newton_cg,
)
from autograph.solvers import trust_region as trust
from autograph.staging.ground.errors import user_location

_MINIMA: dict[str, Callable] = {
    "lbfgs": lbfgs.lbfgs,
    "newton-cg": newton_cg.newton_cg,
    "trust-region": trust.trust_region,
}
_SQUARES: dict[str, Callable] = {
    "gauss-newton": gauss_newton.gauss_newton,
    "levenberg-marquardt": levenberg_marquardt.levenberg_marquardt,
    "dogleg": dogleg.dogleg,
}


def minimize(
    fun: Callable[[Any], Any],
    x0: Any,
    *,
    method: str = "lbfgs",
    tol: float | None = None,
    max_steps: int = 1000,
    linear: str = "lu",
    info: bool = False,
) -> Any:
    """A local minimum of ``fun`` near ``x0``, of as many unknowns as there may be: no method has
    the Hessian in memory.

    The derivative is that of the place of the minimum as a function of what ``fun`` captures, by
    the implicit function theorem, to any order and in both modes; ``x0`` has none.

    Args:
        fun: takes what is nested and shaped as ``x0``, and returns a real number.
        x0: where to begin: a real number or array, or nested ones. A place without a slope counts
            as found.
        method: ``"lbfgs"`` (Liu and Nocedal 1989), by gradients alone; ``"newton-cg"`` (Dembo and
            Steihaug 1983) and ``"trust-region"`` (Steihaug 1983), by products with the Hessian.
        tol: the length of the last step, relative to ``1 + max(abs(x))``; by default
            ``eps**(1/2)``, with the precision of the dtype.
        max_steps: the most steps.
        linear: how the linear equations of the derivative are solved: ``"lu"``, with the whole
            Hessian, or ``"cg"``, with its products; see `autograph.root`.
        info: whether to return a flag where the method does not converge, and not to raise.

    Returns:
        Where the minimum is, nested and shaped as ``x0``; with ``info``, also whether it has
        converged, and the number of steps; see `autograph.root`.

    Raises:
        ConvergenceError: (when the program runs) without ``info``, the method has not converged, or
            the Hessian at the minimum is singular, so that it has no derivative.
        OptionError: ``method``, ``linear``, ``tol`` or ``max_steps`` is none that there is.
        OperandTypeError: ``x0`` or what ``fun`` returns is something else.

    Examples:
        >>> def place(a):
        ...     rosenbrock = lambda x: (a - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2
        ...     return ag.optim.minimize(rosenbrock, np.zeros(2))
        >>> place(2.0).round(6)
        array([2., 4.])
        >>> round(float(ag.grad(lambda a: place(a)[1])(2.0)), 5)
        4.0
    """
    search_by = _chosen(method, _MINIMA, "minimize")

    def value(unknowns: Unknowns) -> Callable:
        return value_of(fun, unknowns)

    def search(unknowns: Unknowns, start: Any, tol: float, max_steps: int) -> tuple:
        of_vector = _of_vector(value(unknowns), unknowns)
        functions: list[Callable] = [value_and_grad(of_vector)]
        if method != "lbfgs":
            gradient = grad(of_vector)
            functions.append(lambda x, v: jvp(gradient, (x,), (v,))[1])
        return _found(search_by, functions, unknowns, start, tol, max_steps)

    equation = lambda unknowns: grad(value(unknowns))
    options = (linear, tol, max_steps, info)
    return solved(f"minimize by {method}", equation, x0, search, options, 1 / 2)


def least_squares(
    residuals: Callable[[Any], Any],
    x0: Any,
    *,
    method: str = "levenberg-marquardt",
    tol: float | None = None,
    max_steps: int = 200,
    jacobian: str | None = None,
    linear: str | None = None,
    info: bool = False,
) -> Any:
    """Where the sum of the squares of ``residuals`` is least, near ``x0``.

    The derivative is that of this place as a function of what ``residuals`` captures, exactly, also
    where they are not zero; see `minimize`.

    Args:
        residuals: takes what is nested and shaped as ``x0``, and returns real numbers and arrays,
            nested in any way.
        x0: where to begin; see `minimize`.
        method: ``"levenberg-marquardt"``, which damps steps (Levenberg 1944, Marquardt 1963);
            ``"dogleg"``, within a radius (Powell 1970); ``"gauss-newton"``, along the solution of
            the linear problem.
        tol: the length of the step to the minimum of the linear problem; see `minimize`.
        max_steps: the most steps.
        jacobian: ``"dense"``, the whole one, in memory; or ``"sparse"``, its elements that may be
            other than zero, from few products (see `autograph.sparse_jacobian`), for which linear
            problems are solved by conjugate gradients. By default that is done if it has at least
            16384 elements, of which at most a sixteenth may be other than zero, and SciPy is there.
        linear: of the derivative; by default ``"lu"``, or ``"cg"`` with a sparse Jacobian; see
            `minimize`.
        info: see `minimize`.

    Returns:
        The place; see `minimize`. Where many places are as good, the two Jacobians may lead to
        different ones.

    Raises:
        MissingLibraryError: SciPy is not installed, and ``jacobian`` is ``"sparse"``.
        ConvergenceError, OptionError, OperandTypeError: see `minimize`.

    Examples:
        >>> t, y = np.array([0.0, 1.0, 2.0, 3.0]), np.array([2.0, 1.2, 0.8, 0.4])
        >>> fitted = lambda y: ag.optim.least_squares(
        ...     lambda p: p["a"] * np.exp(-p["k"] * t) - y, {"a": 1.0, "k": 1.0}
        ... )
        >>> {name: round(float(x), 4) for name, x in fitted(y).items()}
        {'a': 2.0005, 'k': 0.4971}
        >>> ag.grad(lambda y: fitted(y)["k"])(y).round(3)
        array([ 0.261, -0.152, -0.281, -0.286])
    """
    search_by = _chosen(method, _SQUARES, "least_squares")
    if jacobian not in _JACOBIANS:
        raise OptionError(
            f"least_squares knows no Jacobian {jacobian!r}",
            user_location(),
            id="AG0703",
            fix=f"choose from {', '.join(map(repr, _JACOBIANS))}",
        )

    def vector(unknowns: Unknowns) -> Callable:
        def joined(x: Any) -> Any:
            leaves = flatten(called(residuals, unknowns.parted(x)))[0]
            shapes = [real(leaf, "what residuals returns").known_shape for leaf in leaves]
            if not any(0 not in shape for shape in shapes):
                raise OperandShapeError(
                    "what residuals returns holds no numbers",
                    user_location(),
                    fix="return the differences whose squares are added up",
                )
            parts = [ops.reshape(cast(leaf, unknowns.dtype), (-1,)) for leaf in leaves]
            return parts[0] if len(parts) == 1 else ops.concatenate(parts)

        return joined

    unknowns, start = beginning(x0, f"least_squares by {method}")
    function = _of_vector(vector(unknowns), unknowns)
    compressed = _compressed(function, _as_vector(start, unknowns), jacobian)

    def search(unknowns: Unknowns, start: Any, tol: float, max_steps: int) -> tuple:
        function = _of_vector(vector(unknowns), unknowns)

        def whole(x: Any) -> Any:
            taken = jacfwd if _length(function, x) >= unknowns.length else jacrev
            return taken(function)(x)

        parts: list[Any]
        if compressed is None:
            parts = [function, whole, linear_squares.of_matrix()]
        else:
            places, exact = compressed[:3], unknowns.eps**0.5
            algebra = linear_squares.of_elements(*places, exact)
            parts = [function, compressed.elements_of(function), algebra]
        return _found(search_by, parts, unknowns, start, tol, max_steps)

    def equation(unknowns: Unknowns) -> Callable:
        function = vector(unknowns)
        return grad(lambda x: 0.5 * ops.sum(ops.square(function(x))))

    linear = linear or ("lu" if compressed is None else "cg")
    options = (linear, tol, max_steps, info)
    return solved(f"least_squares by {method}", equation, x0, search, options, 1 / 2)


_JACOBIANS = (None, "dense", "sparse")

# A Jacobian is compressed by itself if it has as many elements, of which so few are not zero.
_SMALL, _SPARSE = 2**14, 1 / 16


def _compressed(function: Callable, x: Any, jacobian: str | None) -> Compressed | None:
    """The Jacobian of a function of vectors by its elements, if it is to be had so."""
    if jacobian == "dense":
        return None
    if jacobian is None:
        is_small = _length(function, x) * len(x) < _SMALL
        if is_small or find_spec("scipy") is None:
            return None

    def is_wanted(pattern: Any) -> bool:
        count, width = pattern.shape
        return bool(jacobian == "sparse" or pattern.nnz <= _SPARSE * count * width)

    return compressed_jacobian(function, x, is_wanted)


def _length(function: Callable, x: Any) -> int:
    """How many residuals there are."""
    return int(function(x).shape[0])


def _as_vector(x: Any, unknowns: Unknowns) -> Any:
    return ops.reshape(x, (1,)) if unknowns.is_number else x


def _of_vector(function: Callable, unknowns: Unknowns) -> Callable:
    """A function of vectors, of which there may be only one number."""
    return (lambda x: function(x[0])) if unknowns.is_number else function


def _found(
    method: Callable,
    functions: list[Any],
    unknowns: Unknowns,
    start: Any,
    tol: float,
    max_steps: int,
) -> tuple:
    if not unknowns.is_number:
        return called(method, *functions, start, tol, max_steps)
    x, converged, steps = called(method, *functions, _as_vector(start, unknowns), tol, max_steps)
    return x[0], converged, steps


def _chosen(method: str, methods: dict[str, Callable], what: str) -> Callable:
    if method not in methods:
        raise OptionError(
            f"{what} knows no method {method!r}",
            user_location(),
            id="AG0703",
            fix=f"choose from {', '.join(map(repr, methods))}",
        )
    return methods[method]
