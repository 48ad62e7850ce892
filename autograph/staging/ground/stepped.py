"""Generators of the user's, which run as Python's, or step by step.

As Python's own, a generator may do whatever is known while recording, and yield anything: layers,
functions, arrays of any shapes. Where only the run knows how far one goes, the function is recorded
once more with all of its generators cut at their yields; see `autograph.staging.sequences.steps`.
"""

from __future__ import annotations

import inspect

from autograph.source.load import is_converted
from ops.control.constructs import Refusal


class SteppedGenerators:
    """What is done with generators, and with iterators that are like them.

    Attributes:
        met: whether there was one that could go step by step.
        by_steps: whether they do.
        resumed: whether iterators are gone on with that a loop has left.
        cause: what was raised before they did.
    """

    def __init__(self) -> None:
        self.met = False
        self.by_steps = False
        self.resumed = False
        self.cause: Exception | Refusal | None = None

    def may_help(self, error: BaseException) -> bool:
        """Whether an exception may be none in a generator that goes step by step: as Python's own,
        it calls functions of libraries itself, which may refuse what stands for a number."""
        if self.by_steps or not (self.met and isinstance(error, TypeError)):
            return False
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        code = place and place.tb_frame.f_code
        return bool(code and code.co_flags & inspect.CO_GENERATOR and not is_converted(code))
