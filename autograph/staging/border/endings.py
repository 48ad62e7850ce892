"""How a recording can end with an exception: all the ways, in one place.

====================================================  ==============================================
what ends it                                          what reaches the caller
====================================================  ==============================================
what asks for another recording; `KeyboardInterrupt`  itself
and whatever else is no `Exception`; `MemoryError`;
what handlers of signals raise
the same by a ``raise`` of the user's, if only the    `UnsupportedConstructError`
run knows whether, or with what
an error of ours                                      itself, with a place in the user's source
a ``raise`` or ``assert`` of the user's               itself; the program raises it, if only the run
                                                      knows whether, or with what
Python at a statement of the user's, or a library's   itself, likewise: it is what Python raises
function, given nothing symbolic
Python at a statement, for an operand is symbolic     `SymbolicOperandError`
a function that is called with symbolic values        `CalledFunctionError`
what stands for Python's and NumPy's functions,       our error for its class, as from an operator
by a ``raise`` of its own
`RecursionError`                                      `RecursionDepthError`
anything else                                         `CompilerError`: the mistake is ours
====================================================  ==============================================

`calling` is around each call of a function that is not converted, `leaving` around the recording,
and `let_pass` comes before handlers in converted code.
An error that takes the place of another one has the classes of that one too, so that ``except``
finds it outside of the function. Inside, where Python might have raised nothing, ``except`` lets it
pass.
"""

from __future__ import annotations

import dataclasses
import re
import sys
import types
from typing import Any

import numpy as np

import ops
from autograph.errors import (
    AutographError,
    CalledFunctionError,
    ConvergenceError,
    Location,
    MutationError,
    OperandTypeError,
    PatternError,
    RecursionDepthError,
    SymbolicOperandError,
    UnsupportedConstructError,
)
from autograph.signals import raised_by_handler
from autograph.source.load import is_converted
from autograph.source.tree.libraries import OWN_PACKAGES, is_library_file, module_of, package_of
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.failures import holds_symbolic_values
from autograph.staging.containers.returnable import captures_symbolic
from autograph.staging.ground.errors import (
    as_located,
    as_mistake,
    is_mistake,
    is_own,
    is_raise,
    is_too_deep,
    of_kind,
    raise_site,
    user_location,
)
from autograph.staging.ground.foreign_names import instead_of_keyword
from autograph.staging.ground.ownership import CALLABLES
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.heap import PooledRow
from autograph.staging.lists.list_state import ListState
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.tables import KeyTable
from ops.control.constructs import Refusal
from ops.core.numpy_table import FUNCTIONS
from ops.core.recording import is_declared
from ops.core.registry import Op
from ops.names.ufuncs import UFUNCS

# Where functions run that converted code calls: what they raise is the user's affair.
_STAND_INS = {
    *("autograph.staging.calls.calls", "autograph.staging.calls.recursion"),
    *("autograph.staging.calls.reused", "autograph.staging.calls.generators"),
    *("autograph.staging.sequences.steps", "autograph.staging.sequences.walks"),
    *("autograph.staging.lists.lists", "autograph.staging.lists.list_state"),
    *("autograph.staging.lists.searching", "autograph.staging.lists.picked"),
    *("autograph.staging.lists.tables", "autograph.staging.sequences.dicts"),
    "autograph.staging.sequences.sets",
    *("autograph.staging.sequences.iteration", "autograph.staging.sequences.lookups"),
    *("autograph.staging.python.spreading", "autograph.staging.python.averages"),
    "autograph.staging.calls.spread_arguments",
    *("autograph.staging.values.choice", "autograph.staging.values.promoted"),
}
_DISPATCH = "autograph.staging.dispatch"
_READS = ops.item_of.__code__
_SYMBOLIC_NAMES = re.compile(
    r"\b(GraphArray|GraphText|GraphGenerator|Choice|ArrayOrNone|ObjectOrNone|MaybeUndefined"
    r"|OnlyTruth|Items|Filtered|Steps|Cursor|TrackedList|TrackedDict|TrackedDefaultDict"
    r"|TrackedCounter|TrackedOrderedDict|TrackedSet|DictView)\b"
)
# To convert what is around their compiled parts, which take arrays of NumPy's alone, helps no one.
_WRITTEN_IN_C = ("numpy", "scipy", "sklearn", "pandas", "numba", "torch", "jax", "jaxlib", "optree")
_MAKE = "make an array of it first that takes such values: np.array(...)"
_OF_METHODS = (ConvergenceError, PatternError)  # raised by `autograph.solvers`, when they run
_NEED_CONTENTS = ("AG0301", "AG0302", "AG0303", "AG0305")


def raised_by_user(error: BaseException, in_branch: bool = False) -> bool:
    """Whether an exception is what Python raises too: by a statement of converted code, or by what
    that called without anything symbolic.

    Args:
        in_branch: whether it was caught at a branch, which converted code may have come to by way
            of what stands for a function.
    """
    ours = isinstance(error, AutographError) and not isinstance(error, _OF_METHODS)
    if ours or is_too_deep(error):
        return False
    frames = _frames(error)
    converted = [i for i, (frame, _) in enumerate(frames) if is_converted(frame.f_code)]
    if not converted and not in_branch:
        return False
    inner = [frame for frame, _ in frames[converted[-1] + 1 if converted else 0 :]]
    if is_mistake(error):
        return False
    if inner and _is_refused_in_c(error, inner[-1]):
        return False
    if not inner:
        if is_raise(*frames[-1]):
            return True
        if _wants_contents(error) or _is_of_shadow(error):
            return False
        return _SYMBOLIC_NAMES.search(_text(error)) is None and not _wrong_keyword(error)
    if isinstance(error, dataclasses.FrozenInstanceError):  # whatever is assigned
        return True
    foreign = next((i for i, frame in enumerate(inner) if not is_own(frame)), len(inner))
    if foreign:
        caller = inner[foreign - 1]
        called = caller.f_globals.get("__name__") in _STAND_INS or _hands_on(caller)
    else:
        called = not holds_symbolic_values(list(inner[0].f_locals.values()))
    return called and all(map(_is_of_library, inner[foreign:]))


def _is_refused_in_c(error: BaseException, last: types.FrameType) -> bool:
    """Whether what is implemented in C was called by way of ours, and says of a class of ours what
    it is not, as a dict's ``update`` does of one that is made of lists."""
    is_told = isinstance(error, TypeError) and _SYMBOLIC_NAMES.search(_text(error)) is not None
    return is_told and last.f_globals.get("__name__") == "autograph.staging.calls.calls"


def refuse_to_end(error: BaseException) -> None:
    """Refuse what is no `Exception` and is raised by converted code, where only the run knows
    whether. What comes from elsewhere, as a signal does, goes on.

    Raises:
        UnsupportedConstructError: it is one.
    """
    if isinstance(error, (Exception, Refusal)):
        return
    frames = _frames(error)
    converted = [i for i, (frame, _) in enumerate(frames) if is_converted(frame.f_code)]
    inner = [frame for frame, _ in frames[converted[-1] + 1 :]] if converted else []
    if not converted or (not inner and not is_raise(*frames[-1])):
        return
    from_library = all(is_own(frame) or _is_of_library(frame) for frame in inner)
    if inner and not (from_library and isinstance(error, SystemExit)):
        return
    raise UnsupportedConstructError(
        f"{type(error).__name__}, which is no Exception, is raised, and it is known only "
        "at run time whether, or with which values",
        raise_site(error),
        id="AG0333",
        fix="raise a class derived from Exception, and handle that where the function is called",
    ) from None


class leaving:
    """Around a recording, and what is made of it: what leaves is one of the ways above.

    Args:
        location: of the function, for what has no place of its own.
    """

    def __init__(self, location: Location | None):
        self._location = location

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, Exception) or _is_from_elsewhere(error):
            return
        site = _site(error) or self._location
        if isinstance(error, AutographError):
            error.location = error.location or site
            return
        seen = _seen(error, site)
        if seen is not error:
            raise seen from error


def let_pass(error: BaseException) -> None:
    """Called before handlers in converted code see an exception.

    Raises:
        Refusal: Python knows nothing of that, but of another one, or none: the exception is one of
            the ways above that the program has not.
    """
    if isinstance(error, Exception) and not isinstance(error, Refusal) and not is_of_program(error):
        raise _seen(error, _site(error)) from error


def is_of_program(error: BaseException) -> bool:
    """Whether an exception that converted code meets may be handled there."""
    if not isinstance(error, Exception) or isinstance(error, AutographError):
        return not isinstance(error, Refusal)
    return _is_from_elsewhere(error) or not isinstance(_seen(error, None), Refusal)


def _is_from_elsewhere(error: Exception) -> bool:
    """Whether an exception comes from the machine, or from a handler of a signal."""
    return isinstance(error, MemoryError) or raised_by_handler(error)


def _seen(error: Exception, site: Location | None) -> Exception:
    """What the caller gets in place of an exception that leaves a recording."""
    frames = _frames(error)
    last = frames[-1][0]
    if is_too_deep(error):
        return RecursionDepthError(
            "functions call each other too deeply while the code is recorded",
            site,
            fix="let each call come nearer to a case in which it does not call itself",
        )
    if is_mistake(error):
        return as_mistake(error, site, _shown(error))
    in_c = _is_refused_in_c(error, last)
    if raised_by_user(error) or (last.f_globals.get("__name__") in _STAND_INS and not in_c):
        return error
    if not (is_converted(last.f_code) or is_own(last) or _is_of_library(last)):
        return error  # a function of the user's, which was run as it is
    if is_converted(last.f_code) and _wrong_keyword(error):
        return OperandTypeError(_text(error), site, fix=_wrong_keyword(error))
    if is_converted(last.f_code) and _is_of_shadow(error):
        return of_kind(
            MutationError,
            type(error),
            "an array of objects or texts that was not made here can be read, not changed",
            site,
            id="AG0620",
            fix="change a copy of it, or a list",
        )
    if is_converted(last.f_code) or in_c:
        return of_kind(
            SymbolicOperandError,
            type(error),
            f"Python cannot do this with a value known only at run time: {_shown(error)}",
            site,
            fix=_MAKE
            if _wants_contents(error)
            else "use operators and NumPy's functions with arrays and numbers",
        )
    if is_own(last) and (is_declared(last.f_code) or is_raise(*frames[-1])):
        ours = as_located(error, site)
        return error if ours is None else ours  # as a ZeroDivisionError, which is Python's
    return as_mistake(error, site, _shown(error))


def _wants_contents(error: BaseException) -> bool:
    """Whether Python failed because it wants the contents of a symbolic value: for an element of an
    array that is none of ours."""
    cause = error.__cause__
    return isinstance(cause, AutographError) and cause.id in _NEED_CONTENTS


def _is_of_shadow(error: BaseException) -> bool:
    """Whether an array is written that can only be read; those of numbers are symbolic."""
    return isinstance(error, ValueError) and _text(error).endswith("is read-only")


def _wrong_keyword(error: BaseException) -> str:
    """What to do about an argument that a function of NumPy's does not have, if it is that."""
    return instead_of_keyword(_text(error)) if isinstance(error, TypeError) else ""


class calling:
    """Around a call of a function that is not converted.

    Args:
        function, args, kwargs: what is called.
        replaced: whether something of ours runs in its place.

    Raises:
        CalledFunctionError: it raised an exception, and was given symbolic values, or replaced.
    """

    __slots__ = ("_args", "_function", "_kwargs", "_replaced")

    def __init__(self, function: Any, args: tuple, kwargs: dict[str, Any], replaced: bool = False):
        self._function, self._args, self._kwargs = function, args, kwargs
        self._replaced = replaced

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, Exception) or _is_from_elsewhere(error):
            return
        if any(is_converted(frame.f_code) for frame, _ in _frames(error)):
            return  # it came from a function of the user's, which this one called
        if isinstance(error, AutographError):
            if error.id in _NEED_CONTENTS and not error.called:
                self._name_in(error)
            return
        if isinstance(error, (RecursionError, StopIteration)):
            return
        if self._args and isinstance(self._args[0], (KeyTable, DictView)):
            return  # what Python raises of a dict or set
        if isinstance(error, ValueError) and self._function in (min, max):
            return  # there is nothing, maybe in a branch that is not taken
        given = (*self._args, *self._kwargs.values())
        if given and isinstance(given[0], (PooledRow, PooledList)):
            return  # it raises what Python's lists do
        if given and isinstance(given[0], ListState) and isinstance(error, ValueError):
            return  # it does not have what is looked for, maybe in a branch that is not taken
        symbolic = holds_symbolic_values(given) or any(
            isinstance(item, CALLABLES) and captures_symbolic(item) for item in given
        )
        if not (symbolic or self._replaced):
            return
        for item in given:  # an integer, as of how many items a queue may have, becomes static
            if isinstance(item, GraphArray) and not item.ndim:
                recorder().demand_number(item.value)
        name = name_of(self._function)
        how = " with values known only at run time" if symbolic else ""
        made = of_kind(
            CalledFunctionError,
            type(error),
            f"{name}, called{how}, raised {type(error).__name__}: {_shown(error)}",
            user_location(),
            fix=instead_of_keyword(_text(error), self._function) or _instead_of(self._function),
        )
        made.called = name
        raise made from error

    def _name_in(self, error: AutographError) -> None:
        """Say in an error which function needs what the run alone knows, and what does the same."""
        error.called = name_of(self._function)
        error.message = f"{error.message} (by {error.called})"
        ours = _ours_for(self._function)
        if ours:
            error.fix = f"use {ours}, which takes traced arrays"
        else:
            error.fix = _conversion_of(self._function, error.id == "AG0301") or error.fix


def name_of(function: Any) -> str:
    """What messages call a function of a library: ``np.sum``, ``json.dumps``, ``str.join``."""
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    if name is None:
        return type(function).__qualname__
    if getattr(function, "__module__", None) == "__main__":
        return name
    if owner is not None and not isinstance(owner, (type, types.ModuleType)):
        return f"{type(owner).__name__}.{getattr(function, '__name__', name)}"
    module = module_of(function) or getattr(owner, "__name__", "") or "builtins"
    module = re.sub(r"\._.*", "", module.lstrip("_"))  # private ones, which nobody writes
    if module.partition(".")[0] == "numpy":
        module = module.replace("numpy", "np", 1)
    return name if module in ("", "builtins") else f"{module}.{name}"


def _instead_of(function: Any) -> str:
    """What to do without a function of a library."""
    ours = _ours_for(function)
    if ours:
        return f"use {ours}, which takes traced arrays"
    return _conversion_of(function) or (
        "call it outside of the function, or do what it does with operators and NumPy's functions"
    )


def _conversion_of(function: Any, decides: bool = False) -> str:
    """How to have a function of a library's converted, where that is likely to help.

    Args:
        decides: whether it makes a decision by a traced value.
    """
    function = getattr(function, "__init__", None) if isinstance(function, type) else function
    function = getattr(function, "__func__", function)
    if not isinstance(function, types.FunctionType):
        return ""
    package = package_of(function)
    if package in (*_WRITTEN_IN_C, *OWN_PACKAGES):
        return ""
    if package in sys.stdlib_module_names and not decides:
        return ""
    if not is_library_file(function.__code__.co_filename):
        return ""
    return f'convert its package too, before this one is called: ag.convert_packages("{package}")'


def _ours_for(function: Any) -> str:
    """The function of NumPy or of `ops` that does on traced arrays what a library's is for."""
    name = getattr(function, "__name__", "")
    if package_of(function) in ("numpy", *OWN_PACKAGES, "builtins"):
        return ""
    of_numpy = getattr(np, name, None)
    if isinstance(of_numpy, np.ufunc) and of_numpy in UFUNCS:
        return f"np.{name}"
    try:
        if of_numpy is not None and of_numpy in FUNCTIONS:
            return f"np.{name}"
    except TypeError:  # not hashable, so no function
        pass
    return f"ops.{name}" if isinstance(getattr(ops, name, None), (Op, types.FunctionType)) else ""


def _shown(error: BaseException) -> str:
    """The text of an exception, without the names of our classes."""
    return _SYMBOLIC_NAMES.sub("traced value", _text(error).partition("\n")[0])


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # what it holds has no text
        return ""


def _site(error: BaseException) -> Location | None:
    """Where in converted code an exception comes from."""
    if any(is_converted(frame.f_code) for frame, _ in _frames(error)):
        return raise_site(error)
    return None


def _frames(error: BaseException) -> list[tuple[types.FrameType, int]]:
    """The frames that an exception came through, outermost first, with the instruction of each; a
    read of an element counts as part of the code that reads."""
    found, trace = [], error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is not _READS:
            found.append((trace.tb_frame, trace.tb_lasti))
        trace = trace.tb_next
    return found


def _hands_on(frame: types.FrameType) -> bool:
    """Whether a frame gives a function of a library what converted code gives it, and nothing
    symbolic, as a list of numbers that NumPy is given."""
    given = [value for name, value in frame.f_locals.items() if name != "self"]
    return frame.f_globals.get("__name__") == _DISPATCH and not holds_symbolic_values(given)


def _is_of_library(frame: types.FrameType) -> bool:
    """Whether a frame runs code of a library."""
    file = frame.f_code.co_filename
    return (is_library_file(file) or file.startswith("<frozen ")) and not is_own(frame)
