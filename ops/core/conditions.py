"""When an operator raises at run time: for each exception a scalar that is true where it does.

An operator's declaration says so in ``conditions``, a function of the operands and attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ops.core.operands import operand_type
from ops.core.records import NamedTuple

# Exceptions, each with a scalar that is true if it is raised, and none before it is.
Conditions = list[tuple[Exception, Any]]


class Message(NamedTuple):
    """The argument of an exception, a text with values in it.

    Attributes:
        template: of `str.format`.
        operands: what goes into its fields.
    """

    template: str
    operands: tuple


def raised_by(function: Callable, *args: Any) -> Exception:
    """The exception that a function raises, with Python's or NumPy's own text."""
    try:
        function(*args)
    except Exception as error:
        return error.with_traceback(None)
    raise AssertionError


def sample(operand: Any, value: float) -> Any:
    """A Python number of the type of an operand."""
    return operand_type(operand).dtype.type(value).item()
