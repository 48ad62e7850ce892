"""Values of which only the run can tell whether they are there.

=================  ==============================================================================
`MaybeUndefined`   a variable that only some paths assign; reading it checks that it was assigned
`MaybeNone`        None on some paths; ``is None`` asks, any other use checks that it is not
`Unreadable`       so different on different paths that it may only be ignored
`OnlyTruth`        the same, but whether it is true is known
=================  ==============================================================================
"""

from __future__ import annotations

from typing import Any

from autograph.errors import AutographError
from autograph.graph.graph import Value
from autograph.staging.array import GraphArray
from ops import effects
from ops.registry import Symbolic


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


class MaybeNone(GraphArray):
    """A value that is None unless ``present``, a symbolic boolean, is true.

    Where it is None, ``content`` is a placeholder. Used as an array or number, it is checked first.
    """

    __slots__ = ("content", "present")

    def __init__(self, present: GraphArray, content: GraphArray):
        super().__init__(content.value)
        self.present = present
        self.content = content

    @property
    def value(self) -> Value:
        message = "None is used where a number or an array is needed"
        effects.check(self.present, error="TypeError", message=message)
        return self.content.value

    def write(self, value: Value) -> None:
        _ = self.value  # checked
        self.content.write(value)


class Unreadable(Symbolic):
    """Stands for a variable that has values of different kinds on different paths.

    Whatever is done with it raises ``error``, which names both.
    """

    __slots__ = ("error",)

    def __init__(self, error: AutographError):
        object.__setattr__(self, "error", error)

    def __getattr__(self, name: str) -> Any:
        raise self.error

    def __apply__(self, *args: Any) -> Any:
        raise self.error


class OnlyTruth(Unreadable):
    """The result of ``and`` or ``or`` whose operands are of different kinds: it may be tested.

    Attributes:
        truth: a bool, or a symbolic one.
    """

    __slots__ = ("truth",)

    def __init__(self, error: AutographError, truth: Any):
        super().__init__(error)
        object.__setattr__(self, "truth", truth)


def _refused(self: Unreadable, *args: Any, **kwargs: Any) -> Any:
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
    setattr(Unreadable, f"__{_name}__", _refused)
