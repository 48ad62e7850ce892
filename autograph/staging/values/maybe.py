"""Values of which only the run can tell whether they are there.

=================  ==============================================================================
`MaybeUndefined`   a variable that only some paths assign; reading it checks that it was assigned
`MaybeNone`        None on some paths; ``is None`` asks, texts and ``==`` of numbers take it as it
                   is, any other use checks that it is not: an `ArrayOrNone` or, if it is a
                   tuple, a list or an object, an `ObjectOrNone`
`OnlyTruth`        of different kinds on different paths; whether it is true is known
=================  ==============================================================================
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

import ops
from autograph.errors import AutographError, OperandTypeError
from autograph.graph.graph import Value
from autograph.source.tree.libraries import package_of
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.naming import SeenByUsers
from autograph.staging.ground.recorder import recorder
from ops.control import effects
from ops.core.operands import Symbolic
from ops.core.recording import raises_as_python
from ops.core.records import dataclass
from ops.core.special_methods import ARITHMETIC, COMPARISONS, USES, special_methods


class MaybeUndefined:
    """The content of a variable that is defined if ``flag``, a symbolic boolean, is true.

    Where it is not, ``content`` is a placeholder of the right type.
    """

    __slots__ = ("content", "flag", "name")

    def __init__(self, name: str, content: Any, flag: Any):
        self.name = name
        self.content = content
        self.flag = flag

    def __repr__(self) -> str:
        return f"<maybe undefined {self.name}>"


class MaybeNone:
    """None unless ``present``, a symbolic boolean, is true; then ``content``.

    Where it is None, ``content`` is a placeholder. It is checked before it is used.
    """

    __slots__ = ()

    present: Any
    content: Any

    def checked(self) -> Any:
        """The content, once it is known to be there."""
        content = self.content
        is_array = isinstance(content, GraphArray)
        needed = "number or an array" if is_array else _class_of(content).__name__
        message = f"None is used where a {needed} is needed"
        effects.check(self.present, error="TypeError", message=message)
        return content

    def having(self, name: str) -> Any:
        """The content, once it is known that there is one that may have an attribute."""
        message = f"'NoneType' object has no attribute '{name}'"
        effects.check(self.present, error="AttributeError", message=message)
        return self.content


def _class_of(content: Any) -> type:
    """The class that something has in Python, where what stands for it says so."""
    ours = package_of(type(content)) == "autograph"
    kind = getattr(content, "kind", None) if ours else None
    return kind if isinstance(kind, type) else type(content)


class ArrayOrNone(SeenByUsers, MaybeNone, GraphArray):
    """An array or number that may be None."""

    __slots__ = ("content", "present")
    may_equal_none = True

    def __init__(self, present: GraphArray, content: GraphArray):
        super().__init__(content.value)
        self.present = present
        self.content = content

    def _seen(self, name: str) -> Any:
        return getattr(self.having(name), name)

    @property
    def value(self) -> Value:
        return self.checked().value

    def write(self, value: Value) -> None:
        self.checked().write(value)

    def keep(self) -> None:
        super().keep()
        self.content.keep()

    def __eq__(self, other: object) -> Any:
        return self._compared(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self._compared(operator.ne, other)

    __hash__ = GraphArray.__hash__

    def _compared(self, compare: Callable[[Any, Any], Any], other: Any) -> Any:
        """``==`` or ``!=``, which None has, too; of an array NumPy's, element by element."""
        if self.content.ndim or self.content.is_array:
            other = other.checked() if isinstance(other, ArrayOrNone) else other
            return compare(self.checked(), other)
        return ops.cond(
            self.present, lambda: compare(self.content, other), lambda: compare(None, other)
        )


def of_known_types(operands: Sequence[Any]) -> Sequence[Any]:
    """The operands of an operator, of which those that may be None, and of several types if they
    are not, are known to be there: the types are those of what is there."""
    return [
        x.checked() if type(x) is ArrayOrNone and hasattr(x.content, "kinds") else x
        for x in operands
    ]


def _checked(name: str) -> Callable:
    operate = getattr(operator, f"__{name}__")
    return lambda self, *args: operate(self.checked(), *args)


def _checked_right(name: str) -> Callable:
    operate = getattr(operator, f"__{name}__")
    return lambda self, other: operate(other, self.checked())


_ORDERS = tuple(name for name in COMPARISONS if name not in ("eq", "ne"))
_OPERATORS = tuple(name for name in ARITHMETIC if name != "divmod")


@special_methods(_OPERATORS, _checked_right, prefix="r")
@special_methods([f"i{name}" for name in _OPERATORS], _checked)
@special_methods((*_ORDERS, "getitem", "setitem", "delitem", *_OPERATORS), _checked)
class ObjectOrNone(SeenByUsers, MaybeNone, Symbolic):
    """A tuple, a container or an object that may be None; its leaves may be placeholders."""

    __slots__ = ("content", "present")

    def __init__(self, present: Any, content: Any):
        object.__setattr__(self, "present", present)
        object.__setattr__(self, "content", content)

    @raises_as_python
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.having(name), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.having(name), name, value)

    def __eq__(self, other: object) -> Any:
        return ops.not_(self.present) if other is None else self._compared(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self.present if other is None else self._compared(operator.ne, other)

    def _compared(self, compare: Callable[[Any, Any], Any], other: Any) -> Any:
        return ops.cond(
            self.present, lambda: compare(self.content, other), lambda: compare(None, other)
        )

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return recorder().call(function, _all_checked(args), kwargs)

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return recorder().call(function, _all_checked(args), kwargs)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.checked())

    def __reversed__(self) -> Any:
        return recorder().call(reversed, (self.checked(),), {})

    def __bool__(self) -> bool:
        """Asked by Python itself. None has a truth, too, so nothing is checked."""
        return bool(recorder().call(bool, (self,), {}))

    def __len__(self) -> int:
        return len(self.checked())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return recorder().call(self.checked(), args, kwargs)

    def __hash__(self) -> int:
        return hash(self.checked())


def _all_checked(args: tuple) -> tuple:
    return tuple(arg.checked() if isinstance(arg, ObjectOrNone) else arg for arg in args)


_NO_INTEGER = (
    "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"
)


def stored(value: Any, dtype: np.dtype) -> Any:
    """What NumPy stores in an array of a dtype for a value that is or may be None, or has None in
    it: NaN in arrays of floats and of complex numbers, False in those of booleans.

    Raises:
        OperandTypeError: there is None, and the array is one of integers.
    """
    nested = leaves_of(value) if isinstance(value, (list, tuple)) else (value,)
    holds_none = dtype.kind in "fcb"
    if any(type(leaf) is ArrayOrNone for leaf in nested):
        if type(value) is not ArrayOrNone:
            return [stored(item, dtype) for item in value]
        if not holds_none:
            effects.check(value.present, error="TypeError", message=_NO_INTEGER)
            return value.content
        content = ops.cast(value.content, dtype=dtype.name)
        return ops.where(value.present, content, np.asarray(None, dtype)[()])
    if any(leaf is None for leaf in nested):
        if not holds_none:
            fix = "use a number, or an array of floats, where None is NaN"
            raise located_error(OperandTypeError, _NO_INTEGER, fix=fix)
        return ops.array(value, dtype)
    return value


def with_none(create: Callable, place: int, is_like: bool = False) -> Callable:
    """A function that makes arrays, of a dtype that may be given, of what may be None.

    Args:
        place: of what it makes them of among its arguments, after which the dtype comes.
        is_like: whether that of its first argument is meant if none is given.
    """

    @functools.wraps(create)
    def made(*args: Any, **kwargs: Any) -> Any:
        dtype = kwargs.get("dtype", *args[place + 1 : place + 2])
        if dtype is None and is_like and args:
            dtype = getattr(args[0], "dtype", None)
        if dtype is not None and np.dtype(dtype).kind in "fcbiu" and len(args) > place:
            value = stored(args[place], np.dtype(dtype))
            args = (*args[:place], value, *args[place + 1 :])
        return create(*args, **kwargs)

    return made


@dataclass(frozen=True)
class OrNone:
    """What makes what may be None of its parts, as a class makes a tuple: whether it is there, a
    boolean, and what it is then, if it ever is something else than None."""

    __name__ = "None or"

    def __call__(self, present: Any, *content: Any) -> Any:
        return none_or(present, *content) if content else None


def none_or(present: Any, content: Any) -> Any:
    """``content`` if ``present``, which may be symbolic, and None otherwise."""
    if not isinstance(present, GraphArray):
        return content if present else None
    kind = ArrayOrNone if isinstance(content, GraphArray) else ObjectOrNone
    return kind(present, content)


def _refused(name: str) -> Callable:
    def method(self: OnlyTruth, *args: Any, **kwargs: Any) -> NoReturn:
        raise self.error

    return method


@special_methods((*USES, "next", "setattr", "delattr"), _refused)
class OnlyTruth(Symbolic):
    """The result of ``and`` or ``or`` whose operands are of different kinds: it may be tested.

    Attributes:
        error: raised by whatever else is done with it.
        truth: a bool, or a symbolic one.
    """

    __slots__ = ("error", "truth")

    def __init__(self, error: AutographError, truth: Any):
        object.__setattr__(self, "error", error)
        object.__setattr__(self, "truth", truth)

    def __getattr__(self, name: str) -> Any:
        raise self.error

    def __apply__(self, *args: Any) -> Any:
        raise self.error
