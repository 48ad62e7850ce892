"""Solutions of equations, whose derivative is that of the equation, not that of how it was solved.

Where ``F(x, a) = 0``, the derivative of x by a is ``-J^-1 dF/da`` with the Jacobian ``J = dF/dx``.
It is had without a rule of its own: from the solution ``x``, which counts as a constant, as many
steps ``x - J^-1 F(x, a)`` are recorded as derivatives are still to be taken, with the same ``J``, a
constant too. Each step makes one order more of the expansion of x in a right, and none changes its
value, which is that of the solution. So F may capture what it is differentiated by, and derivatives
of all orders, in both modes, in lanes and in loops, are those of what is recorded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, NamedTuple

import numpy as np

import ops
from autograph.api.derivatives.common import described
from autograph.api.derivatives.custom import stop_gradient
from autograph.api.derivatives.gradients import grad
from autograph.api.derivatives.jacobians import jacfwd
from autograph.api.derivatives.linear_calls import linear_call
from autograph.api.derivatives.pullbacks import vjp
from autograph.api.derivatives.tangents import jvp
from autograph.api.recording.recorded import Wrapper, source_of
from autograph.api.trees import leaf_type
from autograph.api.type_parameters import P, R
from autograph.api.unknowns import Unknowns, called
from autograph.errors import OperandTypeError, OptionError
from autograph.graph.builder import copy_nodes
from autograph.solvers import convergence, equations, krylov, minima
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import defined_at, user_location
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.trace import subgraph
from ops.core.types import ArrayType
from ops.linalg.systems import inverse_or_nan

_KRYLOV: dict[str, Callable] = {
    "cg": krylov.cg,
    "bicgstab": krylov.bicgstab,
    "gmres": krylov.gmres,
}


class Info(NamedTuple):
    """How a solution was found.

    Attributes:
        converged: whether the method has converged.
        steps: how many steps it has made.
    """

    converged: Any
    steps: Any


def _derivatives() -> int:
    """How many derivatives are still to be taken of what is recorded."""
    return 0 if active_recorder() is None else recorder().transformed.derivatives


def _constant(function: Callable, *args: Any) -> Any:
    """The result of a function, which derivatives see as a constant."""
    if not _derivatives():
        return called(function, *args)
    with recorder().transformed.expecting(0):
        return _holding(function, *stop_gradient(args))


def _holding(function: Callable, *args: Any) -> Any:
    """The result of a function, which derivatives see as one of the arguments alone: what it
    captures counts as a constant."""
    if active_recorder() is None:
        return function(*args)
    traced, given = subgraph(function, "solution", args, {}, "part of a solution")
    graph = traced.module.main
    env = {v: _held(v) for v in graph.captures if isinstance(v.type, ArrayType)}
    env.update(zip(graph.inputs, (x.value for x in given)))
    outputs = copy_nodes(graph.nodes, graph.outputs, env)
    return traced.delivery.deliver([GraphArray(v) for v in outputs])


def _held(value: Any) -> Any:
    return ops.stop_gradient(GraphArray(value)).value if value.type.inexact else value


# -- linear equations ------------------------------------------------------------------------------


class _Linear:
    """Solves ``J(x) d = r`` for the Jacobian of a function of numbers or vectors.

    Args:
        function: the function.
        method: see `root`.
        tol: of the methods that know J by its products.
        flags: whether nothing is to be raised where there is no solution: it is NaN.
    """

    def __init__(
        self, function: Callable, method: str, is_number: bool, tol: float, flags: bool = False
    ):
        self._function = function
        self._method = "number" if is_number else method
        self._tol = tol
        self._flags = flags

    def at(self, x: Any) -> Callable[[Any], Any]:
        """What solves the equations for the Jacobian at ``x``; part of what is differentiated, but
        for the Jacobian, if ``x`` and what the function captures are."""
        if self._method == "number":
            slope = jvp(self._function, (x,), (ops.ones_like(x),))[1]
            return lambda r: r / slope
        if self._method == "lu":
            matrix = jacfwd(self._function)(x)
            if self._flags:
                return lambda r: _solution_or_nan(matrix, r)
            return lambda r: np.linalg.solve(matrix, r)
        method, most = _KRYLOV[self._method], 10 * len(x) + 50

        def solve(r: Any) -> Any:
            product = lambda v: jvp(self._function, (x,), (v,))[1]
            return called(method, product, r, self._tol, most)[0]

        return solve

    def correction(self, x: Any, r: Any) -> Any:
        """The solution at ``x`` for the right side ``r``."""
        return self.at(x)(r)

    def held_at(self, x: Any) -> Callable[[Any], Any]:
        """`at` for a Jacobian that is a constant, of a frozen function and a constant ``x``: the
        derivative by the right side is that of the solution, also by iterations."""
        if self._method in ("number", "lu"):
            return self.at(x)
        method, most, tol = _KRYLOV[self._method], 10 * len(x) + 50, self._tol

        def solve(product: Callable, r: Any) -> Any:
            d, converged = called(method, product, r, tol, most)
            if self._flags:
                return ops.where(converged, d, np.nan)
            what = f"the linear equations of a derivative, by {self._method},"
            called(convergence.require_converged, converged, what, most)
            return d

        def solved(r: Any) -> Any:
            return solve(lambda v: jvp(self._function, (x,), (v,))[1], r)

        def transposed(r: Any) -> Any:
            return solve(lambda v: vjp(self._function, x)[1](v)[0], r)

        return lambda r: linear_call(solved, transposed, r)


def _solution_or_nan(matrix: Any, r: Any) -> Any:
    """The solution of linear equations as exact as by LU, NaN where the matrix is singular."""
    inverse = inverse_or_nan(matrix)
    d = inverse @ r
    return d + inverse @ (r - matrix @ d)


# -- the derivative --------------------------------------------------------------------------------


def _followed(
    x: Any, unknowns: Unknowns, residual: Callable, linear: str, tol: float, converged: Any = None
) -> Any:
    """A solution as a function of what the equation depends on.

    Args:
        x: the solution, as a vector or number.
        residual: of such ones.
        linear, tol: see `implicit`.
        converged: a flag; where it is false, derivatives are NaN. None if the solution is checked.
    """
    orders = _derivatives()
    x = stop_gradient(x)
    if not orders:
        return x
    held = functools.partial(_holding, residual)
    flags = converged is not None
    solve = _Linear(held, linear, unknowns.is_number, unknowns.eps**0.7, flags).held_at(x)
    moving = x
    for order in range(orders):
        step = solve(residual(moving))
        if not order and converged is None:
            distance, size = (stop_gradient(ops.max(ops.abs(v))) for v in (step, x))
            called(convergence.require_solution, distance, size, tol)
        moving = moving - step
    move = moving - stop_gradient(moving)
    if converged is not None:
        move = ops.where(converged, move, np.nan * move)
    return x + move


def _unknowns(like: Any, what: str) -> Unknowns:
    unknowns = Unknowns(like, what)
    if not unknowns.length:
        raise OperandTypeError(
            f"{what} holds no numbers", user_location(), fix="begin with an array or a number"
        )
    return unknowns


def _checked_options(linear: str, tol: Any, max_steps: Any) -> None:
    if linear != "lu" and linear not in _KRYLOV:
        raise OptionError(
            f"there is no method {linear!r} for linear equations",
            user_location(),
            id="AG0553",
            fix=f"choose from {', '.join(map(repr, ('lu', *_KRYLOV)))}",
        )
    for name, value in (("tol", tol), ("max_steps", max_steps)):
        if value is not None and not (isinstance(value, (int, float)) and value > 0):
            raise OptionError(
                f"{name} is {value!r}",
                user_location(),
                id="AG0553",
                fix=f"give a positive number for {name}",
            )


def beginning(x0: Any, what: str) -> tuple[Unknowns, Any]:
    """The unknowns, and where they begin, as a vector or number."""
    unknowns = _unknowns(x0, f"where {what} begins")
    return unknowns, unknowns.joined(x0, "the first estimate")


def solved(
    what: str,
    equation: Callable,
    x0: Any,
    search: Callable,
    options: tuple[str, float | None, int, bool],
    precision: float = 2 / 3,
) -> Any:
    """What `root`, `fixed_point`, `argmin` and those of `autograph.optim` share.

    Args:
        what: for messages.
        equation: makes of the unknowns the residual, a function of a vector or number.
        search: takes the unknowns, where to begin, the tolerance and the most steps, and finds what
            the methods in `autograph.solvers` return.
        options: the linear method, the tolerance, the most steps, whether the flag is asked for.
        precision: the tolerance by default is this power of the precision of the dtype.
    """
    linear, tol, max_steps, info = options
    _checked_options(linear, tol, max_steps)
    unknowns, start = beginning(x0, what)
    tol = unknowns.eps**precision if tol is None else tol
    found = _constant(lambda start: search(unknowns, start, tol, max_steps), start)
    x, converged, steps = found
    if not info:
        called(convergence.require_converged, converged, what, max_steps)
    residual = equation(unknowns)
    x = _followed(x, unknowns, residual, linear, 1e3 * tol, converged if info else None)
    result = unknowns.parted(x)
    return (result, Info(converged, steps)) if info else result


def root(
    f: Callable[[Any], Any],
    x0: Any,
    *,
    tol: float | None = None,
    max_steps: int = 100,
    linear: str = "lu",
    info: bool = False,
) -> Any:
    """A root of ``f`` near ``x0``, by Newton's method with shorter steps where it has to.

    The derivative is that of the root as a function of what ``f`` captures, by the implicit
    function theorem, to any order and in both modes; ``x0`` has none.

    Args:
        f: takes what is nested and shaped as ``x0`` and returns as much: what is to be zero. It is
            differentiated, so it is written as compiled functions are.
        x0: where to begin: a real number or array, or nested ones. Integers count as float64.
        tol: the length of the last step, relative to ``1 + max(abs(x))``; by default
            ``eps**(2/3)``, with the precision of the dtype.
        max_steps: the most steps.
        linear: how linear equations are solved: ``"lu"``, with the whole Jacobian, or with its
            products alone, ``"cg"`` where it is symmetric and positive definite, ``"gmres"`` or
            ``"bicgstab"``.
        info: whether to return a flag where the method does not converge, and not to raise.

    Returns:
        The root, nested and shaped as ``x0``; with ``info``, ``(root, Info(converged, steps))``:
        where it has not converged, or the Jacobian is singular, derivatives are NaN.

    Raises:
        ConvergenceError: (when the program runs) without ``info``, the method has not converged, or
            the Jacobian at the root is singular, so that it has no derivative.
        LinAlgError: (likewise) the Jacobian is singular on the way.
        OptionError: ``linear``, ``tol`` or ``max_steps`` is none that there is.
        OperandTypeError: ``x0`` or what ``f`` returns holds something else than real numbers.
        OperandShapeError: ``f`` returns something that is nested or shaped otherwise than ``x0``.

    Examples:
        >>> sqrt = lambda a: ag.root(lambda x: x * x - a, 1.0)
        >>> round(float(ag.grad(sqrt)(4.0)), 9), round(float(ag.grad(ag.grad(sqrt))(4.0)), 9)
        (0.25, -0.03125)
    """

    def equation(unknowns: Unknowns) -> Callable:
        return lambda x: unknowns.joined(called(f, unknowns.parted(x)), "what f returns")

    def search(unknowns: Unknowns, start: Any, tol: float, max_steps: int) -> tuple:
        residual = equation(unknowns)
        solver = _Linear(residual, linear, unknowns.is_number, 1e-2 * tol, info)
        correction = solver.correction
        return called(equations.newton, residual, correction, start, tol, max_steps)

    return solved("root", equation, x0, search, (linear, tol, max_steps, info))


def fixed_point(
    g: Callable[[Any], Any],
    x0: Any,
    *,
    tol: float | None = None,
    max_steps: int = 1000,
    linear: str = "lu",
    info: bool = False,
) -> Any:
    """An ``x`` with ``g(x) == x``, by applying ``g`` again and again to ``x0``.

    The derivative is that of the fixed point as a function of what ``g`` captures; see `root`.

    Args:
        g: takes what is nested and shaped as ``x0``, and returns such.
        x0: where to begin; see `root`.
        tol: the length of the last step, relative to ``1 + max(abs(x))``. Where each step is only a
            little shorter than the one before, the fixed point is farther away than that.
        max_steps: the most steps.
        linear, info: see `root`.

    Returns:
        The fixed point; see `root`.

    Raises:
        ConvergenceError, OptionError, OperandTypeError, OperandShapeError: see `root`.

    Examples:
        >>> angle = lambda a: ag.fixed_point(lambda x: a * np.cos(x), 0.5)
        >>> round(float(angle(1.0)), 9), round(float(ag.grad(angle)(1.0)), 9)
        (0.739085133, 0.441610792)
    """

    def applied(unknowns: Unknowns) -> Callable:
        return lambda x: unknowns.joined(called(g, unknowns.parted(x)), "what g returns")

    def equation(unknowns: Unknowns) -> Callable:
        function = applied(unknowns)
        return lambda x: x - function(x)

    def search(unknowns: Unknowns, start: Any, tol: float, max_steps: int) -> tuple:
        return called(equations.iterate, applied(unknowns), start, tol, max_steps)

    return solved("fixed_point", equation, x0, search, (linear, tol, max_steps, info))


def value_of(f: Callable, unknowns: Unknowns) -> Callable:
    """A function whose minimum is looked for, of vectors or numbers."""

    def number(x: Any) -> Any:
        found = called(f, unknowns.parted(x))
        type = leaf_type(found)
        if type is None or type.shape != () or type.dtype.kind != "f":
            raise OperandTypeError(
                f"what f returns is {described(found)}, which has no minimum",
                user_location() or defined_at(source_of(f)),
                fix="return a real number, like np.sum(x**2)",
            )
        return found

    return number


def argmin(
    f: Callable[[Any], Any],
    x0: Any,
    *,
    tol: float | None = None,
    max_steps: int = 200,
    linear: str = "lu",
    info: bool = False,
) -> Any:
    """A local minimum of ``f`` near ``x0``, by Newton's method, with a multiple of the identity
    added to the Hessian where that leads upwards. A saddle or maximum does not count as found.

    The derivative is that of the place of the minimum as a function of what ``f`` captures; see
    `root`. The derivative of the minimum itself, ``f(argmin(f, x0))``, is right as well.

    Args:
        f: takes what is nested and shaped as ``x0``, and returns a real number.
        x0: where to begin; see `root`.
        tol: the length of the last step, relative to ``1 + max(abs(x))``; see `root`.
        max_steps: the most steps.
        linear: see `root`; here it is about the derivative alone, where ``"cg"`` fits. To find the
            minimum the whole Hessian is used.
        info: see `root`.

    Returns:
        Where the minimum is; see `root`.

    Raises:
        ConvergenceError, OptionError, OperandTypeError, OperandShapeError: see `root`.

    Examples:
        >>> def middle(a):
        ...     return ag.argmin(lambda x: np.sum(np.cosh(x - a)), 0.0)
        >>> round(float(ag.grad(lambda a: middle(a) ** 2)(np.array([1.0, 3.0]))[0]), 6)
        2.0
    """

    def value(unknowns: Unknowns) -> Callable:
        return value_of(f, unknowns)

    def equation(unknowns: Unknowns) -> Callable:
        return grad(value(unknowns))

    def search(unknowns: Unknowns, start: Any, tol: float, max_steps: int) -> tuple:
        gradient = equation(unknowns)

        def correction(x: Any, g: Any, shift: Any) -> Any:
            if unknowns.is_number:
                curvature = jvp(gradient, (x,), (ops.ones_like(x),))[1]
                scale = abs(curvature) + abs(g)
                shifted = curvature + shift * scale
                return g / ops.where(shifted == 0.0, unknowns.eps * scale, shifted)
            hessian = jacfwd(gradient)(x)
            scale = ops.max(ops.abs(ops.diagonal(hessian))) + ops.max(ops.abs(g))
            matrix = hessian + (shift + unknowns.eps) * scale * np.eye(len(x))
            return _solution_or_nan(matrix, g) if info else np.linalg.solve(matrix, g)

        def flattest(x: Any) -> tuple:
            if unknowns.is_number:
                curvature = jvp(gradient, (x,), (ops.ones_like(x),))[1]
                return curvature, ops.ones_like(x), abs(curvature)
            hessian = jacfwd(gradient)(x)
            curvatures, directions = np.linalg.eigh(hessian)
            return curvatures[0], directions[:, 0], np.max(np.abs(hessian))

        functions = value(unknowns), gradient, correction, flattest
        return called(minima.minimise, *functions, start, tol, max_steps)

    return solved("argmin", equation, x0, search, (linear, tol, max_steps, info))


class implicit(Wrapper, Generic[P, R]):
    """A function that solves an equation in a way of its own, with the derivative of the equation.

    Args:
        solve: a Python function that takes any arguments and returns a solution ``x``: real numbers
            and arrays, nested in any way. It runs as it is written, and no derivative of it is
            taken.
        condition: ``condition(x, *args)``, with the same arguments, is zero at the solution; what
            it returns is nested and shaped as ``x``. The derivative of x by the arguments, and by
            what ``condition`` captures, follows from it, to any order and in both modes.
        linear: see `root`.
        tol: how far, relative to ``1 + max(abs(x))``, the solution may be from that of
            ``condition``, by one step of Newton's method; derivatives are as exact.

    Raises:
        ConvergenceError: (when a derivative is computed) it is farther away, or the Jacobian of
            ``condition`` is singular.
        OptionError, OperandTypeError, OperandShapeError: see `root`.

    Examples:
        >>> def bisect(a):
        ...     low, high = 0.0, 2.0
        ...     while high - low > 1e-14:
        ...         middle = 0.5 * (low + high)
        ...         low, high = (low, middle) if middle**3 > a else (middle, high)
        ...     return low
        >>> cube_root = ag.implicit(bisect, lambda x, a: x**3 - a)
        >>> round(float(ag.grad(cube_root)(1.0)), 9)
        0.333333333
    """

    def __init__(
        self,
        solve: Callable[P, R],
        condition: Callable[..., Any],
        *,
        linear: str = "lu",
        tol: float = 1e-5,
    ):
        _checked_options(linear, tol, None)
        functools.update_wrapper(self, solve)
        self.wrapped = solve
        self.condition = condition
        self._linear = linear
        self._tol = tol

    def __repr__(self) -> str:
        return f"<implicit {getattr(self.wrapped, '__qualname__', self.wrapped)}>"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs:
            raise OperandTypeError(
                "an implicit function is given arguments by keyword",
                user_location() or defined_at(source_of(self.wrapped)),
                fix="give them by position, as condition takes them",
            )
        x = _constant(self.wrapped, *args)
        if not _derivatives():
            return x
        unknowns = _unknowns(x, "what solve returns")

        def residual(x: Any) -> Any:
            found = called(self.condition, unknowns.parted(x), *args)
            return unknowns.joined(found, "what condition returns")

        joined = unknowns.joined(x, "what solve returns")
        followed = _followed(joined, unknowns, residual, self._linear, self._tol)
        found: Any = unknowns.parted(followed)
        return found
