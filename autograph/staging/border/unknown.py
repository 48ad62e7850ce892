"""Objects of which nobody can tell whether they have changed.

What code reads of an object from outside is part of its graph, so at each call it has to be what it
was. A data frame, a tensor of another library or an open connection has its state where it cannot
be seen. While a function is recorded an `Unknown` stands for such an object: it can be passed on,
returned and stored, and refuses everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from autograph.errors import Location, UnsupportedFunctionError
from autograph.staging.ground.errors import user_location
from ops.core.special_methods import USES, special_methods

_MORE_USES = (
    *("length_hint", "reversed", "trunc", "floor", "ceil", "bytes", "fspath", "copy", "deepcopy"),
    *("reduce_ex", "dir"),
)


def _refusing(name: str) -> Callable:
    what = "it is taken for an array" if "array" in name else f"its '__{name}__' is used"

    def method(self: Unknown, *args: Any, **kwargs: Any) -> NoReturn:
        refuse(self, what)

    return method


@special_methods((*USES, *_MORE_USES), _refusing)
class Unknown:
    """Stands for an object from outside.

    Args:
        name: what the user's source calls it, or what it is found in.
        original: the object.
    """

    __slots__ = ("_name", "_original")

    def __init__(self, name: str, original: Any):
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_original", original)

    @property  # type: ignore[misc]  # nobody sets it
    def __class__(self) -> type:
        """For ``isinstance``."""
        return type(self._original)

    def __getattr__(self, name: str) -> Any:
        refuse(self, f"the attribute '{name}' is read")

    def __setattr__(self, name: str, value: Any) -> None:
        refuse(self, f"the attribute '{name}' is assigned")

    def __delattr__(self, name: str) -> None:
        refuse(self, f"the attribute '{name}' is deleted")


def refuse(unknown: Unknown, what: str, location: Location | None = None) -> NoReturn:
    """Raise the error for what is done with an object, at the line that is executed or elsewhere.

    Raises:
        UnsupportedFunctionError: always.
    """
    kind = type(object.__getattribute__(unknown, "_original"))
    name = object.__getattribute__(unknown, "_name")
    raise UnsupportedFunctionError(
        f"'{name}' is a {kind.__module__}.{kind.__qualname__}, and nobody can tell whether one has "
        f"changed since the code was recorded; here {what}",
        location or user_location(),
        id="AG0350",
        fix="pass what is needed of it as arrays or numbers, such as data['x'].to_numpy()",
    )
