"""The table between NumPy's functions and ours.

A function of operators says with `covers` which of NumPy's functions it stands for, and which
arguments those take; so the entry stands beside what it enters:

    @covers(np.diff, "a n axis prepend append")
    def diff(x, n=1, axis=-1): ...

    covers(np.cumsum, "a axis dtype out", method=True)(cumsum)

==============  ====================================================================================
`FUNCTIONS`     function -> ours, for ``__array_function__``
`CREATORS`      function -> ours, for functions without a protocol: ``np.zeros``, ``np.array`` ...
`METHODS`       name -> function of the array and the arguments, for methods of arrays
==============  ====================================================================================

Ours take NumPy's arguments. One that is not supported is a NotImplementedError naming it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ops.registry import Op, Symbolic
from ops.types import UnknownLengthError

FUNCTIONS: dict[Callable, Callable] = {}
CREATORS: dict[Callable, Callable] = {}
METHODS: dict[str, Callable] = {}


def covers(
    *functions: Callable,
    signature: str | None = None,
    method: bool | str = False,
    creates: bool = False,
) -> Callable:
    """A decorator that enters an operator, or a function of operators, as NumPy's.

    Args:
        functions: those of NumPy's that it stands for, and last, unless it is given by name, their
            signature, as for `adapt`. Without a signature the function takes NumPy's arguments.
        method: it is also a method of arrays, of the name of NumPy's function or of the name given.
        creates: NumPy has no protocol for them: they make arrays of what is no array.

    Returns:
        The decorator, which gives back what it is given.
    """
    if functions and isinstance(functions[-1], str):
        *functions, signature = functions

    def enter(ours: Callable) -> Callable:
        adapted = ours if signature is None else adapt(ours, signature)
        for function in functions:
            (CREATORS if creates else FUNCTIONS)[function] = adapted
        if method:
            METHODS[functions[0].__name__ if method is True else method] = adapted
        return ours

    return enter


# Parameters, by NumPy's names, in whose place a list stands for an array.
_ARRAY_LIKE = {"a", "b", "x", "y", "m", "v", "arr", "ary", "array", "condition", "A", "object"}


def _is_default(value: Any, default: str) -> bool:
    """Whether an argument has its default value, given as in `adapt`."""
    if value is None or value is np._NoValue or default == "*":
        return True
    return not isinstance(value, Symbolic) and str(value) == default


def adapt(function: Callable, signature: str) -> Callable:
    """``function`` with NumPy's signature.

    Args:
        function: an operator, or a function of operators. The parameters it requires are the first
            of NumPy's; its others have the names that they have in NumPy.
        signature: NumPy's parameters in order, ``name=value`` for those that have a default other
            than None. Those that ``function`` lacks are accepted with their defaults only, but
            ``name=*`` with any value, because it does not matter.
    """
    target = (function.prepare or function.rule) if isinstance(function, Op) else function
    parameters = inspect.signature(target).parameters.values()
    required = [p.name for p in parameters if p.default is p.empty]
    optional = {p.name for p in parameters} - set(required)
    tokens = [token.partition("=") for token in signature.split()]
    names = [name for name, _, _ in tokens]
    defaults = {name: default for name, _, default in tokens}

    def adapted(*args: Any, **kwargs: Any) -> Any:
        if len(args) > len(names):
            raise TypeError(f"{adapted.__name__}() takes at most {len(names)} arguments")
        given = dict(zip(names, args))
        for name, value in kwargs.items():
            if name in given or name not in defaults:
                problem = "multiple values for" if name in given else "an unexpected"
                raise TypeError(f"{adapted.__name__}() got {problem} argument '{name}'")
            given[name] = value
        operands, options = [], {}
        for name in names[: len(required)]:
            if name not in given:
                raise TypeError(f"{adapted.__name__}() misses the argument '{name}'")
            operands.append(_as_operand(name, given.pop(name)))
        for name, value in given.items():
            if name in optional:
                if value is not np._NoValue:
                    options[name] = value
            elif not _is_default(value, defaults[name]):
                raise NotImplementedError(
                    f"{adapted.__name__}(): the argument '{name}' is not supported"
                )
        try:
            return function(*operands, **options)
        except UnknownLengthError as error:
            raise UnknownLengthError(f"{adapted.__name__}(): {error}") from None

    adapted.__name__ = adapted.__qualname__ = function.__name__
    adapted.__doc__ = function.__doc__
    return adapted


def _as_operand(name: str, value: Any) -> Any:
    if name not in _ARRAY_LIKE or not isinstance(value, (list, tuple)):
        return value
    from ops.joining import array  # made of operators, which enter themselves here

    return array(value)
