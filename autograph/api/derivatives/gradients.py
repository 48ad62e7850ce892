"""`grad` and `value_and_grad`: reverse-mode gradients of scalar functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Literal, overload

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.budgets import as_bytes, within
from autograph.api.derivatives.common import as_argnums, name_of, remembered, transformed
from autograph.api.function import GraphFunction
from autograph.api.type_parameters import Aux, P, R, X, Y, Z
from ops.core.locks import lock_over_forks


@overload
def grad(
    function: Callable[Concatenate[X, P], R],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, P], X]: ...


@overload
def grad(
    function: Callable[Concatenate[X, P], tuple[R, Aux]],
    argnums: Literal[0] = 0,
    *,
    has_aux: Literal[True],
    holomorphic: bool = False,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, P], tuple[X, Aux]]: ...


@overload
def grad(
    function: Callable[Concatenate[X, Y, P], R],
    argnums: Literal[1],
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, Y, P], Y]: ...


@overload
def grad(
    function: Callable[Concatenate[X, Y, P], R],
    argnums: tuple[Literal[0], Literal[1]],
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, Y, P], tuple[X, Y]]: ...


@overload
def grad(
    function: Callable[Concatenate[X, Y, Z, P], R],
    argnums: tuple[Literal[0], Literal[1], Literal[2]],
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, Y, Z, P], tuple[X, Y, Z]]: ...


@overload
def grad(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[P, Any]: ...


@leaves_compiler
def grad(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction:
    """The gradient of a function with a real scalar result.

    Args:
        function: a Python function, plain or converted.
        argnums: the position of the argument to differentiate by, or several. An argument may be a
            nested tuple, list, dict or object (see `autograph.tree`) that holds floating-point or
            complex arrays and numbers.
        has_aux: the function returns a pair, of which only the first is differentiated.
        holomorphic: the function is holomorphic: arguments and result are complex, and the gradient
            is the complex derivative. Otherwise the result is real, and the gradient by a complex
            ``z = x + iy`` is ``df/dx - i df/dy``, as in JAX: a step against its conjugate goes
            downhill.
        memory: how much the gradient may keep of what the loops of the function compute: bytes, or
            a text such as ``"512MiB"`` or ``"2GB"``. A loop that makes more trips than there is
            room for keeps some of its states, and computes what is between them again; see
            `checkpoint` for a choice by hand. The gradient is the same to the last bit. By default
            everything is kept; a gradient that then takes more than half of the machine's memory
            (or than ``AUTOGRAPH_ARENA_SIZE``) is compiled anew, with half of that as its budget.
            No budget is larger.

    Returns:
        A compiled function with the arguments of ``function``. It returns the gradient: the
        structure, shapes and dtypes of the argument, or a tuple of such for several arguments.
        Leaves that are no floats have the gradient None. With ``has_aux``, a pair of it and the
        auxiliary result.

    Raises:
        NonScalarOutputError: when called, if the result is not a real scalar; with
            ``holomorphic``, not a complex one.
        NonDifferentiableError: when called, if an argument holds no floats; with ``holomorphic``,
            one that is not complex. At once, if ``argnums`` is no int or tuple of ints.
        OptionError: ``memory`` is no such number or text; when called, if it is too little for a
            loop.

    Examples:
        >>> def loss(params, x):
        ...     return np.sum((params["w"] * x + params["b"]) ** 2)
        >>> ag.grad(loss)({"w": np.array([1.0, 2.0]), "b": 0.5}, np.array([1.0, -1.0]))
        {'w': array([3., 3.]), 'b': 0.0}
        >>> ag.grad(lambda x, y: x * y, argnums=(0, 1))(2.0, 3.0)
        (3.0, 2.0)
        >>> def power(x, n):
        ...     y = 1.0
        ...     for _ in range(n):
        ...         y = y * x
        ...     return y
        >>> ag.grad(power, memory="1MiB")(1.0, 1_000_000)
        1000000.0
    """
    argnums = as_argnums(argnums, function)
    flags = bool(has_aux), bool(holomorphic)
    return _gradient(function, "grad", argnums, *flags, as_bytes(memory))


@overload
def value_and_grad(
    function: Callable[Concatenate[X, P], R],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, P], tuple[R, X]]: ...


@overload
def value_and_grad(
    function: Callable[Concatenate[X, P], tuple[R, Aux]],
    argnums: Literal[0] = 0,
    *,
    has_aux: Literal[True],
    holomorphic: bool = False,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, P], tuple[tuple[R, Aux], X]]: ...


@overload
def value_and_grad(
    function: Callable[Concatenate[X, Y, P], R],
    argnums: Literal[1],
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, Y, P], tuple[R, Y]]: ...


@overload
def value_and_grad(
    function: Callable[Concatenate[X, Y, P], R],
    argnums: tuple[Literal[0], Literal[1]],
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, Y, P], tuple[R, tuple[X, Y]]]: ...


@overload
def value_and_grad(
    function: Callable[Concatenate[X, Y, Z, P], R],
    argnums: tuple[Literal[0], Literal[1], Literal[2]],
    has_aux: Literal[False] = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[Concatenate[X, Y, Z, P], tuple[R, tuple[X, Y, Z]]]: ...


@overload
def value_and_grad(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction[P, Any]: ...


@leaves_compiler
def value_and_grad(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    *,
    memory: int | str | None = None,
) -> GraphFunction:
    """The result of a function, which is a real scalar, and its gradient.

    Args:
        function, argnums, has_aux, holomorphic, memory: as for `grad`.

    Returns:
        A compiled function with the arguments of ``function``. It returns ``(result, gradient)``;
        with ``has_aux``, ``((result, aux), gradient)``.

    Raises:
        NonScalarOutputError, NonDifferentiableError, OptionError: as for `grad`.

    Examples:
        >>> ag.value_and_grad(lambda x: x**2)(3.0)
        (9.0, 6.0)
    """
    argnums = as_argnums(argnums, function)
    flags = bool(has_aux), bool(holomorphic)
    return _gradient(function, "value_and_grad", argnums, *flags, as_bytes(memory))


@remembered
def _gradient(
    function: Callable,
    name: str,
    argnums: Any,
    has_aux: bool,
    holomorphic: bool,
    memory: int | None,
) -> GraphFunction:
    def recorded(*args: Any, **kwargs: Any) -> Any:
        with within(memory):
            result = _recording().differentiate(
                function, argnums, has_aux, holomorphic, args, kwargs
            )
        value, found, aux = result
        if name == "value_and_grad":
            return ((value, aux) if has_aux else value), found
        return (found, aux) if has_aux else found

    def gradient(*args: Any, **kwargs: Any) -> Any:
        if has_aux or kwargs:
            return recorded(*args, **kwargs)
        options = name, argnums, holomorphic, memory
        recording = _recording()
        found = recording.reused(recorded, function, options, args, f"{name_of(function)}_{name}")
        recording.note_taken()  # also if it was recorded before
        return found

    return transformed(gradient, function, name, takes_lists=True)


_lock = lock_over_forks()  # a process that is forked meanwhile could never import it


def _recording() -> Any:
    """The module that records a gradient: a process that finds its gradients on disk has no use for
    it, as one has that takes none."""
    with _lock:
        from autograph.api.derivatives import recorded_gradients

        return recorded_gradients
