"""The errors a user of the compiler can meet.

Every error names the place in the user's file, shows the line, names the second site where two
sites disagree, and proposes one fix. Where Python or NumPy has a type for the same mistake, the
error derives from that type too, so that ``except TypeError`` written for NumPy keeps working. What
Python would have done without an error is a `Refusal`, which handlers in converted code let pass.

Every cause has an id of its own, such as ``AG0301``, under which ``docs/errors.md`` explains it.
A class with one cause holds the id; otherwise the place that raises the error gives it. The first
two digits tell the stage:

* 01: reading the source of a function
* 02: converting it
* 03: recording it on symbolic arrays
* 04: an operator or NumPy function in it
* 05: a transform, such as `grad`
* 06: running the program, and options
* 07: models: layers, optimisers, training
* 09: the compiler itself: an error of its own
"""

from __future__ import annotations

import contextlib
import linecache
import warnings
from collections.abc import Iterator
from contextvars import ContextVar

import numpy as np

from autograph.places import file_shown
from ops.control.constructs import Refusal
from ops.core.recording import active_recording
from ops.core.records import NamedTuple

_WIDTH = 92  # of what is shown of a line


class Location(NamedTuple):
    """A place in the user's source: file, line (from 1), column (from 0) and function name.

    ``outside`` is what Python says of an index there that is out of range, if that is not what
    NumPy says: of lists.
    """

    file: str
    line: int
    column: int | None = None
    function: str | None = None
    outside: str | None = None

    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column + 1}"
        return f"{file_shown(self.file)}:{self.line}{column}"

    def excerpt(self) -> str:
        """The source line with a caret under the column, or an empty string if it can't be read."""
        text = linecache.getline(self.file, self.line).rstrip("\n")
        shown = text.strip()
        if not shown:
            return ""
        if self.column is None:
            return f"    {shown[:_WIDTH]}"
        # Python counts columns in bytes.
        before = text.encode()[: self.column].decode(errors="ignore")
        caret = max(len(before) - (len(text) - len(text.lstrip())), 0)
        start = max(caret - _WIDTH // 2, 0) if len(shown) > _WIDTH else 0
        return f"    {shown[start : start + _WIDTH]}\n    {' ' * (caret - start)}^"


class AutographError(Exception):
    """Base of every error raised by this package.

    Args:
        message: what is wrong, in one sentence.
        location: where in the user's source, if known.
        id: of the cause, if that of the class does not tell it.
        others: further sites, as (text, location) pairs, for errors in which several places
            disagree.
        fix: one thing the user can do about it.

    Attributes:
        called: the function of a library that it occurred in, if it names one.
    """

    id: str = ""
    called: str = ""
    _of_elements = False

    def __init__(
        self,
        message: str,
        location: Location | None = None,
        *,
        id: str = "",
        others: tuple[tuple[str, Location | None], ...] = (),
        fix: str = "",
    ):
        super().__init__(message)
        self.id = id or type(self).id
        self.message = message
        self.location = location
        self.others = tuple(others)
        self.fix = fix
        recording = active_recording()
        if recording is not None and isinstance(self, Refusal):
            recording.refused(self)

    @property
    def of_elements(self) -> bool:
        """Whether it may come of the elements of lists being arguments one by one, and not of
        arrays: what loops, branches and recursion do with lists. What there is no operation for is
        refused of both."""
        return self._of_elements

    @property
    def of_objects(self) -> bool:
        """Whether it may come of the caller's objects being taken apart, attribute by attribute,
        and not in heaps: what loops, branches and recursion do with them as well."""
        return self._of_elements

    def __str__(self) -> str:
        parts = [f"[{self.id}] {self.message}" if self.id else self.message]
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


class NoSourceError(AutographError, OSError, Refusal):
    """The function has no readable Python source: a built-in, a C function, or made by ``exec``."""


class ChangedSourceError(NoSourceError):
    """The file on disk no longer holds the source that the function was compiled from."""

    id = "AG0103"


class UnsupportedConstructError(AutographError, NotImplementedError, Refusal):
    """A Python construct that cannot be converted."""


class GeneratorFunctionError(UnsupportedConstructError):
    """The function itself is a generator, a coroutine or an asynchronous generator."""

    id = "AG0106"


# -- running converted source on symbolic arrays ---------------------------------------------------


class ConcreteValueError(AutographError, TypeError, Refusal):
    """Python needed the value of a symbolic array: ``bool``, ``int``, an index into a list, a
    shape."""

    _of_elements = True


class OutlivedValueError(ConcreteValueError):
    """A symbolic array is used when the function that it is a value of has been recorded."""

    id = "AG0308"
    _of_elements = False


class BranchMismatchError(AutographError, TypeError, Refusal):
    """The two branches of a conditional give values whose types or structures cannot be joined."""

    id = "AG0311"
    _of_elements = True


class LoopStateError(AutographError, TypeError, Refusal):
    """A variable changes its shape, type or structure from one trip of a loop to the next."""

    id = "AG0312"
    _of_elements = True


class UndefinedVariableError(AutographError, UnboundLocalError):
    """A variable is read where some path through the function leaves it undefined."""

    id = "AG0313"


class MutationError(AutographError, TypeError, Refusal):
    """A list, dict or object is changed inside traced control flow, which cannot be tracked yet."""

    _of_elements = True


class UnrollLimitError(AutographError, RuntimeError, Refusal):
    """A loop that has to run as Python makes more trips than ``unroll_limit``, or what is recorded
    comes to more than ``recording_limit``."""

    id = "AG0330"
    _of_elements = True


class RecursionTypeError(AutographError, TypeError, Refusal):
    """A recursive function whose result type cannot be found: every path recurses, or types
    disagree."""

    id = "AG0331"
    _of_elements = True


class RecursionDepthError(AutographError, RecursionError):
    """Recursive calls are nested more deeply than the memory allows, or without an end."""

    id = "AG0606"
    _of_elements = True


class CalledFunctionError(AutographError, Refusal):
    """A function that is not converted was given symbolic values, and raised an exception. The
    error is of the class of that one, too."""

    id = "AG0358"


class SymbolicOperandError(AutographError, Refusal):
    """Python itself cannot do something with a symbolic value. The error is of the class of the
    exception that it raised, too."""

    id = "AG0360"


class MemoryLimitError(AutographError, MemoryError):
    """A program needs more memory than there is, or than it may have."""

    id = "AG0618"


class EndlessLoopError(AutographError, RuntimeError):
    """A loop never ends: it goes on, and its trips leave its variables as they are."""

    id = "AG0624"


class LaneIntegerError(AutographError, OverflowError):
    """A Python int that differs between the lanes of `vmap` is beyond what an array holds."""

    id = "AG0621"


class ListIntegerError(AutographError, OverflowError):
    """A Python int is beyond what the array holds that a list of the run is kept in."""

    id = "AG0589"


class NonFiniteError(AutographError, FloatingPointError):
    """A line gives NaN or infinity, and `autograph.debug` was asked to stop there."""

    id = "AG0622"


# -- operators -------------------------------------------------------------------------------------


class OperandTypeError(AutographError, TypeError):
    """An operator was given operands of the wrong type or dtype."""

    id = "AG0401"


class OperandShapeError(AutographError, ValueError):
    """An operator was given operands whose shapes do not fit."""

    id = "AG0402"


class OperandValueError(AutographError, ValueError):
    """A function was given an argument with a value that it does not know."""

    id = "AG0407"


class OperandIndexError(AutographError, IndexError):
    """A static index is out of range."""

    id = "AG0403"
    _of_elements = True


class OperandAxisError(OperandIndexError, np.exceptions.AxisError):
    """An axis is out of range."""


class OperandAttributeError(AutographError, AttributeError):
    """An array or number has no such attribute."""

    id = "AG0359"


class OperandLinAlgError(OperandShapeError, np.linalg.LinAlgError):
    """An array does not hold the matrices that linear algebra takes."""


class UnsupportedFunctionError(AutographError, NotImplementedError, Refusal):
    """A NumPy function or argument that has no graph operator."""

    id = "AG0404"

    @property
    def of_elements(self) -> bool:
        """What lists do has an id of its own."""
        return self.id != type(self).id


# -- running, and options --------------------------------------------------------------------------


class OptionError(AutographError, ValueError):
    """An option or environment variable has a value that it cannot have."""


class SignatureError(AutographError, TypeError):
    """What was compiled ahead of time is called with arguments of another signature, or after
    something outside has changed."""

    id = "AG0612"


class SaveError(AutographError, TypeError):
    """A compiled function holds something that a file cannot."""

    id = "AG0613"


class LoadError(AutographError, ValueError):
    """A file does not hold a saved function, or not one that this version can read."""

    id = "AG0614"


class MissingLibraryError(AutographError, ImportError):
    """A library is needed that is not installed."""

    id = "AG0604"


class DeviceError(AutographError, RuntimeError):
    """A GPU reports an error, such as an access outside of memory."""

    id = "AG0678"


class CollectiveError(AutographError, RuntimeError):
    """The processes of a program cannot go on together: they call different collectives, or one of
    them has left, died, or does not come."""


# -- transforms and graphs -------------------------------------------------------------------------


class NonScalarOutputError(AutographError, TypeError, Refusal):
    """``grad`` was given a function whose result is not a real scalar."""


class NonDifferentiableError(AutographError, TypeError, Refusal):
    """Differentiation with respect to integers, booleans or other things without a tangent
    space."""


class MissingDerivativeError(NonDifferentiableError, NotImplementedError):
    """An operator has a derivative, but none is known in this case."""

    id = "AG0505"


class TangentError(AutographError, TypeError, ValueError, Refusal):
    """A tangent or cotangent has not the structure, shape or dtype of what it belongs to."""


class BatchingError(AutographError, ValueError, Refusal):
    """The lanes of a batched function don't fit: its arguments, its results, or what it does."""


class CustomRuleError(AutographError, TypeError, ValueError, Refusal):
    """A rule of a custom derivative is missing, or returns something that does not fit."""


class ConvergenceError(AutographError, ArithmeticError):
    """A solution was not found, or not exactly enough."""

    id = "AG0552"


class PatternError(AutographError, ArithmeticError):
    """A derivative is other than zero where the pattern that was given for it has nothing."""

    id = "AG0562"


class IntegrationError(ConvergenceError):
    """A differential equation could not be integrated to the end."""

    id = "AG0570"


class CallbackError(AutographError, TypeError, ValueError, Refusal):
    """A callback returns something else than was said, or can't be called by a program."""

    id = "AG0528"


class PerformanceWarning(UserWarning):
    """Something is done in a slow way, because there is no other."""


class ZeroGradientWarning(UserWarning):
    """A derivative is zero because the result depends on an argument through comparisons alone."""


class WideningWarning(UserWarning):
    """A loop, or a step that is fed its own results, turns float32 into float64 because of one
    NumPy scalar."""


class UnboundAxisError(BatchingError, NameError):
    """A collective operator names lanes that the function is not batched over."""

    id = "AG0547"


class MeshError(AutographError, ValueError, Refusal):
    """A mesh, or what is said about the parts that it has of arguments and results, does not
    fit."""

    id = "AG0640"


class DerivativeCheckError(AutographError, AssertionError):
    """`check_grads` found a derivative that the differences of the function do not confirm."""

    id = "AG0507"


class CompilerError(AutographError, Refusal):
    """The compiler failed with an exception that is no error of its own: a bug in this package. The
    error is of the class of that exception, too."""

    id = "AG0361"


class VerificationError(AutographError, Refusal):
    """A graph breaks one of the rules of the intermediate representation: a bug in this package."""

    id = "AG0901"


_warned: dict = {}  # what was said of which line, as `warnings` keeps it


class Said(NamedTuple):
    """A warning of a place in the user's source."""

    message: str
    category: type[Warning]
    place: Location | None


_heard: ContextVar[list[Said] | None] = ContextVar("_heard", default=None)


@contextlib.contextmanager
def hearing() -> Iterator[list[Said]]:
    """A list of what is warned of meanwhile by `warn_once`."""
    found: list[Said] = []
    token = _heard.set(found)
    try:
        yield found
    finally:
        _heard.reset(token)
        around = _heard.get()
        if around is not None:
            around += found


def warn_once(message: str, category: type[Warning], place: Location | None) -> None:
    """Warn of a place in the user's source, once."""
    heard = _heard.get()
    if heard is not None:
        heard.append(Said(message, category, place))
    if place is None:
        warnings.warn(message, category, stacklevel=3)
    else:
        warnings.warn_explicit(message, category, place.file, place.line, registry=_warned)
