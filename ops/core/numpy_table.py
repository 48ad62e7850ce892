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

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ops.core.operands import Symbolic, broadcast_shapes, dims_of, dtype_of, operand_type
from ops.core.records import NamedTuple
from ops.core.types import UnknownLengthError

Ours = TypeVar("Ours", bound=Callable)  # an operator, or a function of operators

FUNCTIONS: dict[Callable, Callable] = {}
CREATORS: dict[Callable, Callable] = {}
METHODS: dict[str, Callable] = {}


class Coverage(NamedTuple):
    """What one use of `covers` says, for documents."""

    functions: tuple[Callable, ...]
    ours: Callable
    signature: str | None
    method: str | None


ENTRIES: list[Coverage] = []


def covers(
    *functions: Callable | str | None,
    signature: str | None = None,
    method: bool | str = False,
    creates: bool = False,
) -> Callable[[Ours], Ours]:
    """A decorator that enters an operator, or a function of operators, as NumPy's.

    Args:
        functions: those of NumPy's that it stands for, and last, unless it is given by name, their
            signature, as for `adapt`. Without a signature the function takes NumPy's arguments.
            None stands for one that this version of NumPy lacks.
        method: it is also a method of arrays, of the name of NumPy's function or of the name given.
        creates: NumPy has no protocol for them: they make arrays of what is no array.

    Returns:
        The decorator, which gives back what it is given.
    """
    covered = tuple(function for function in functions if callable(function))
    if None in functions and not covered:
        return lambda ours: ours
    if functions and isinstance(functions[-1], str):
        signature = functions[-1]

    def enter(ours: Ours) -> Ours:
        adapted = ours if signature is None else adapt(ours, signature)
        for function in covered:
            (CREATORS if creates else FUNCTIONS)[function] = adapted
        name = covered[0].__name__ if method is True else method or None
        if name is not None:
            METHODS[name] = adapted
        ENTRIES.append(Coverage(covered, ours, signature, name))
        return ours

    return enter


# Parameters, by NumPy's names, in whose place a list stands for an array.
_ARRAY_LIKE = {
    "a",
    "b",
    "x",
    "y",
    "z",
    "m",
    "v",
    "arr",
    "ary",
    "array",
    "condition",
    "A",
    "x1",
    "x2",
}


def _is_default(value: Any, default: str) -> bool:
    """Whether an argument has its default value, given as in `adapt`."""
    if value is None or value is np._NoValue or default == "*":
        return True
    return not isinstance(value, Symbolic) and str(value) == default


@functools.cache
def _parameters(function: Callable) -> tuple[list[str], set[str], bool]:
    """What ``function`` requires, what it takes besides, and whether it takes any name.

    It is asked for when the function is first used, for hundreds of them take long to import.
    """
    taken = inspect.signature(function).parameters.values()
    takes_any = any(p.kind is p.VAR_KEYWORD for p in taken)
    parameters = [p for p in taken if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    required = [p.name for p in parameters if p.default is p.empty]
    return required, {p.name for p in parameters} - set(required), takes_any


def adapt(function: Callable, signature: str) -> Callable:
    """``function`` with NumPy's signature.

    Args:
        function: an operator, or a function of operators. The parameters it requires are the first
            of NumPy's; its others have the names that they have in NumPy.
        signature: NumPy's parameters in order, ``name=value`` for those that have a default other
            than None. Those that ``function`` lacks are accepted with their defaults only, but
            ``name=*`` with any value, because it does not matter. For an ``out`` that it lacks, the
            result is put into that array.
    """
    tokens = [token.partition("=") for token in signature.split()]
    names = [name for name, _, _ in tokens]
    defaults = {name: default for name, _, default in tokens}
    reduces = "keepdims" in defaults or names[1:3] == ["axis", "dtype"]

    def adapted(*args: Any, **kwargs: Any) -> Any:
        required, optional, takes_any = _parameters(function)
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
        out = None if "out" in optional else given.pop("out", None)
        if out is not None and reduces and "dtype" in optional and given.get("dtype") is None:
            # NumPy adds up in a dtype that holds what is there already, too.
            given["dtype"] = np.result_type(dtype_of(out), dtype_of(operands[0]))
        for name, value in given.items():
            if name in optional or takes_any:
                if value is not np._NoValue:
                    options[name] = value
            elif not _is_default(value, defaults[name]):
                raise NotImplementedError(
                    f"{adapted.__name__}(): the argument '{name}' is not supported"
                )
        try:
            result = function(*operands, **options)
        except UnknownLengthError as error:
            raise UnknownLengthError(f"{adapted.__name__}(): {error}") from None
        return result if out is None else deliver(result, out, "unsafe" if reduces else "same_kind")

    adapted.__name__ = adapted.__qualname__ = function.__name__
    adapted.__doc__ = function.__doc__
    vars(adapted)["adapts"] = function
    return adapted


def deliver(result: Any, out: Any, casting: Any = "same_kind", repeat: bool = False) -> Any:
    """Put the result of a function into the array that was given to it as ``out``.

    Args:
        result: an array or number.
        out: the array, which is also returned.
        casting: which conversions to its dtype are allowed.
        repeat: the result may have to be repeated to fill it, as those of ufuncs.

    Raises:
        TypeError: ``out`` is no array, or the dtype of the result can't be converted to its dtype.
        ValueError: the shapes do not fit.
        NotImplementedError: ``out`` is an array that the graph does not know.
    """
    found = operand_type(result)
    is_array = len(dims_of(out)) > 0 or getattr(out, "is_array", isinstance(out, np.ndarray))
    if not is_array:
        raise TypeError("return arrays must be of ArrayType")
    if isinstance(result, Symbolic) and not isinstance(out, Symbolic):
        raise NotImplementedError(
            "out= with an array that is not part of the computation; use an array that is made in "
            "the function, or passed to it"
        )
    if not _fits(found.shape, dims_of(out), repeat):
        raise ValueError(
            f"output parameter of shape {dims_of(out)} does not fit a result of shape {found.shape}"
        )
    if not np.can_cast(found.dtype, dtype_of(out), casting):
        raise TypeError(
            f"Cannot cast output from {found.dtype!r} to {dtype_of(out)!r} with casting rule "
            f"'{casting}'"
        )
    target: Any = out
    target[...] = result
    return out


def _fits(found: tuple, wanted: tuple, repeat: bool) -> bool:
    """Whether an array of one shape may be stored in an array of another."""
    if repeat:
        try:
            found = broadcast_shapes(found, wanted)
        except ValueError:
            return False
    unknown = None in (*found, *wanted)
    return len(found) == len(wanted) if unknown else found == wanted


def _as_operand(name: str, value: Any) -> Any:
    if name not in _ARRAY_LIKE or not isinstance(value, (list, tuple)):
        return value
    return vars(CREATORS[np.array])["adapts"](value)
