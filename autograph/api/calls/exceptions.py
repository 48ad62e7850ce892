"""What users see of exceptions that are raised while a program runs: their own classes and lines,
and our errors in place of what only generated code raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from autograph.codegen.program import Program
from autograph.codegen.trampoline import TooDeep
from autograph.errors import (
    AutographError,
    EndlessLoopError,
    LaneIntegerError,
    ListIntegerError,
    Location,
    MemoryLimitError,
    NonFiniteError,
    UndefinedVariableError,
)
from autograph.kernels.cuda.reported import (
    is_of_device,
    is_out_of_memory,
    out_of_memory,
    reported,
)
from autograph.transforms.reverse.endless import ENDLESS
from ops.numbers.overflow import NOT_WHOLE, TOO_LARGE


def translated(
    error: Exception,
    program: Program,
    place: Location | None,
    classes: Mapping[str, type[BaseException]],
    loops: Callable[[], Sequence[Location]],
) -> BaseException:
    """What the user shall see of an exception raised while a program ran.

    Args:
        place: of the user's function.
        classes: those of the user's that ones of built-in classes stand for, by key.
        loops: gives those that keep something of each trip.
    """
    if isinstance(error, TooDeep):
        return program.too_deep(error)
    found = _of_generated_code(error, program, place, loops)
    if found is not None:
        return found
    seen = _of_users_class(error, classes)
    seen.__traceback__ = error.__traceback__
    if not isinstance(seen, NonFiniteError):  # which names the line itself
        program.annotate(seen)
    return seen


def _of_generated_code(
    error: Exception,
    program: Program,
    place: Location | None,
    loops: Callable[[], Sequence[Location]],
) -> AutographError | None:
    """Our error for what generated code raises that the function would not, if that is what it
    is."""
    if isinstance(error, UnboundLocalError):
        return UndefinedVariableError(
            str(error),
            program.location_of(error),
            fix="assign the variable on every path that leads to this line",
        )
    if is_of_device(error):  # where the host reads something, or CuPy launches it
        return reported(error, "", program.location_of(error) or place)
    if is_out_of_memory(error):
        return out_of_memory(error, program.location_of(error) or place)
    is_raised = hasattr(error, "__autograph__")  # by a statement of the user's
    if isinstance(error, MemoryError) and not is_raised:
        keeping = loops()
        site = program.location_of(error) or (keeping[0] if keeping else place)
        what = "the loop keeps what a gradient needs of each trip"
        return MemoryLimitError(
            str(error) or "the program needs more memory than there is",
            site,
            others=tuple((what, loop) for loop in keeping),
            fix="give an end to what grows without one: a list, an array, what a loop keeps "
            "for its gradient; AUTOGRAPH_ARENA_SIZE sets how many bytes it may take",
        )
    if isinstance(error, RuntimeError) and str(error) == ENDLESS:
        return EndlessLoopError(
            ENDLESS,
            program.location_of(error) or place,
            fix="end it where they no longer change: what accumulates, like the bounces of a "
            "ball, comes to rest there",
        )
    if not isinstance(error, OverflowError) or is_raised:
        return None
    site = program.location_of(error)
    if site is not None and site.outside is not None:
        return ListIntegerError(
            "a Python int beyond 64 bits is an element of a list whose length, or which element "
            "that is, is known only at run time",
            site,
            fix="keep floats, as of float(n), or np.int64(n), which wraps around",
        )
    if str(error) in (TOO_LARGE, NOT_WHOLE):
        return LaneIntegerError(
            str(error),
            site or place,
            fix="compute with floats, as of float(n), or with np.int64(n), which wraps around",
        )
    return None


def _of_users_class(
    error: BaseException, classes: Mapping[str, type[BaseException]]
) -> BaseException:
    """The exception of the user's class that one of a built-in class stands for, and so for
    what it was raised from."""
    found = vars(error).pop("__autograph__", None)
    if found is None:
        return error
    key, state = found
    kind = classes.get(key)
    seen = error
    if kind is not None:
        seen = kind.__new__(kind, *error.args)
        type(error).__init__(seen, *error.args)  # the built-in class it derives from
    vars(seen).update(state)
    for name in ("__cause__", "__context__"):
        linked = getattr(error, name)
        setattr(seen, name, None if linked is None else _of_users_class(linked, classes))
    seen.__suppress_context__ = error.__cause__ is not None
    return seen
