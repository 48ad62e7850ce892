"""The errors a user of the compiler can meet.

Every error names the place in the user's file, shows the line, names the second site where two
sites disagree, and proposes one fix. Where Python or NumPy has a type for the same mistake, the
error derives from that type too, so that ``except TypeError`` written for NumPy keeps working.
"""

from __future__ import annotations

import linecache
from typing import NamedTuple


class Location(NamedTuple):
    """A place in the user's source: file, line (from 1), column (from 0) and function name."""

    file: str
    line: int
    column: int | None = None
    function: str | None = None

    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column + 1}"
        return f"{self.file}:{self.line}{column}"

    def excerpt(self) -> str:
        """The source line with a caret under the column, or an empty string if it can't be read."""
        text = linecache.getline(self.file, self.line).rstrip("\n")
        if not text.strip():
            return ""
        stripped = text.lstrip()
        lines = [f"    {stripped}"]
        if self.column is not None:
            lines.append("    " + " " * max(self.column - (len(text) - len(stripped)), 0) + "^")
        return "\n".join(lines)


class AutographError(Exception):
    """Base of every error raised by this package.

    Args:
        message: what is wrong, in one sentence.
        location: where in the user's source, if known.
        others: further sites, as (text, location) pairs, for errors in which several places
            disagree.
        fix: one thing the user can do about it.
    """

    def __init__(
        self,
        message: str,
        location: Location | None = None,
        *,
        others: tuple[tuple[str, Location | None], ...] = (),
        fix: str = "",
    ):
        super().__init__(message)
        self.message = message
        self.location = location
        self.others = tuple(others)
        self.fix = fix

    def __str__(self) -> str:
        parts = [self.message]
        sites = [("", self.location), *self.others] if self.location else list(self.others)
        for text, site in sites:
            prefix = f"  {text}, " if text else "  "
            parts.append(f"{prefix}at {site}" if site else f"  {text}")
            if site and (excerpt := site.excerpt()):
                parts.append(excerpt)
        if self.fix:
            parts.append(f"  Fix: {self.fix}")
        return "\n".join(parts)


# -- reading and converting source -----------------------------------------------------------------


class NoSourceError(AutographError, OSError):
    """The function has no readable Python source: a built-in, a C function, or made by ``exec``."""


class ChangedSourceError(NoSourceError):
    """The file on disk no longer holds the source that the function was compiled from."""


class UnsupportedConstructError(AutographError, NotImplementedError):
    """A Python construct that cannot be converted."""


class GeneratorFunctionError(UnsupportedConstructError):
    """The function itself is a generator, a coroutine or an asynchronous generator."""


# -- running converted source on symbolic arrays ---------------------------------------------------


class ConcreteValueError(AutographError, TypeError):
    """Python needed the value of a symbolic array: ``bool``, ``int``, an index into a list, a
    shape."""


class BranchMismatchError(AutographError, TypeError):
    """The two branches of a conditional give values whose types or structures cannot be joined."""


class LoopStateError(AutographError, TypeError):
    """A variable changes its shape, type or structure from one trip of a loop to the next."""


class UndefinedVariableError(AutographError, UnboundLocalError):
    """A variable is read where some path through the function leaves it undefined."""


class MutationError(AutographError, TypeError):
    """A list, dict or object is changed inside traced control flow, which cannot be tracked yet."""


class UnrollLimitError(AutographError, RuntimeError):
    """A loop that has to run as Python makes more trips than ``unroll_limit``."""


class RecursionTypeError(AutographError, TypeError):
    """A recursive function whose result type cannot be found: every path recurses, or types
    disagree."""


# -- operators -------------------------------------------------------------------------------------


class OperandTypeError(AutographError, TypeError):
    """An operator was given operands of the wrong type or dtype."""


class OperandShapeError(AutographError, ValueError):
    """An operator was given operands whose shapes do not fit."""


class OperandIndexError(AutographError, IndexError):
    """A static index is out of range."""


class UnsupportedFunctionError(AutographError, NotImplementedError):
    """A NumPy function or argument that has no graph operator."""


# -- transforms and graphs -------------------------------------------------------------------------


class NonScalarOutputError(AutographError, TypeError):
    """``grad`` was given a function whose result is not a real scalar."""


class NonDifferentiableError(AutographError, TypeError):
    """Differentiation with respect to integers, booleans or other things without a tangent
    space."""


class VerificationError(AutographError):
    """A graph breaks one of the rules of the intermediate representation: a bug in this package."""
