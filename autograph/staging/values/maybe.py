"""Values of which only the run can tell whether they are there.

=================  ==============================================================================
`MaybeUndefined`   a variable that only some paths assign; reading it checks that it was assigned
`MaybeNone`        None on some paths; ``is None`` asks, any other use checks that it is not: an
                   `ArrayOrNone` or, if it is a tuple, a list or an object, an `ObjectOrNone`
`OnlyTruth`        of different kinds on different paths; whether it is true is known
=================  ==============================================================================
"""

from __future__ import annotations

import operator
from typing import Any

from autograph.errors import AutographError
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import recorder
from ops.control import effects
from ops.core.registry import Symbolic


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
        needed = "number or an array" if is_array else type(content).__name__
        message = f"None is used where a {needed} is needed"
        effects.check(self.present, error="TypeError", message=message)
        return content


class ArrayOrNone(MaybeNone, GraphArray):
    """An array or number that may be None."""

    __slots__ = ("content", "present")

    def __init__(self, present: GraphArray, content: GraphArray):
        super().__init__(content.value)
        self.present = present
        self.content = content

    @property
    def value(self) -> Value:
        return self.checked().value

    def write(self, value: Value) -> None:
        self.checked().write(value)

    def keep(self) -> None:
        super().keep()
        self.content.keep()


class ObjectOrNone(MaybeNone, Symbolic):
    """A tuple, a container or an object that may be None; its leaves may be placeholders."""

    __slots__ = ("content", "present")

    def __init__(self, present: Any, content: Any):
        object.__setattr__(self, "present", present)
        object.__setattr__(self, "content", content)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.checked(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.checked(), name, value)


def none_or(present: Any, content: Any) -> Any:
    """``content`` if ``present``, which may be symbolic, and None otherwise."""
    if not isinstance(present, GraphArray):
        return content if present else None
    kind = ArrayOrNone if isinstance(content, GraphArray) else ObjectOrNone
    return kind(present, content)


def _checked(name: str) -> Any:
    return lambda self, *args: getattr(operator, name)(self.checked(), *args)


for _name in (
    *("getitem", "setitem", "delitem", "add", "mul"),
    *("eq", "ne", "lt", "le", "gt", "ge"),
):
    setattr(ObjectOrNone, f"__{_name}__", _checked(_name))
ObjectOrNone.__iter__ = lambda self: iter(self.checked())
ObjectOrNone.__len__ = lambda self: len(self.checked())
ObjectOrNone.__call__ = lambda self, *args, **kwargs: recorder().call(self.checked(), args, kwargs)
ObjectOrNone.__hash__ = lambda self: hash(self.checked())


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


def _refused(self: OnlyTruth, *args: Any, **kwargs: Any) -> Any:
    raise self.error


_OPERATIONS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"),
    *("lshift", "rshift", "divmod"),
)
_SPECIAL = (
    *(f"{prefix}{name}" for name in _OPERATIONS for prefix in ("", "r", "i")),
    *("lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert", "bool", "int", "float"),
    *("complex", "index", "len", "iter", "next", "contains", "getitem", "setitem", "delitem"),
    *("call", "enter", "exit", "str", "repr", "format", "hash", "round", "array_ufunc"),
    *("array_function", "array", "setattr", "delattr"),
)
for _name in _SPECIAL:
    setattr(OnlyTruth, f"__{_name}__", _refused)
