"""Kernels in two tiers: machine code that is made quickly, and code that runs fast.

Most of the time of LLVM goes into machine code: which registers hold what, and in which order
instructions stand. Without that it takes a tenth of the time. What runs once or twice is not worth
more, so a kernel that does little in each call is made like that at first. Once it has been called
often, a thread makes the other code, and puts its address in the place of the first one's.

Both are of the same text, in which each operation is rounded by itself: LLVM may not reorder or
contract them, so the results have the same bits, and nobody can tell which code has run.

``AUTOGRAPH_TIER`` is ``quick``, ``optimised`` or ``automatic``, by default the latter.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable

from autograph.errors import OptionError
from autograph.kernels.native.loader import Code
from autograph.log import log

QUICK, OPTIMISED, AUTOMATIC = "quick", "optimised", "automatic"

# A kernel that takes longer is optimised at once; in nanoseconds, as `most_work` has them. To
# optimise takes at least 25 us a line: a long kernel may take longer, since even if it runs some
# times as long before it is optimised, the first calls together take no more than that.
_LONGEST = 200e3
_LONGEST_PER_LINE = 1e3

# For how many of the longest calls a kernel may run before it is optimised, and in how many calls
# at least and most.
_BUDGET = 10
_FEWEST, _MOST = 8, 64
_NEVER = 1 << 62

COUNTED, CALLS = "kernel_counted", "kernel_calls"

# A kernel that counts down its calls, and gives up in one of them, for Python to have it optimised.
_COUNTING = """
@{calls} = global i64 {count}

define i32 @{counted}(ptr %inputs, ptr %outputs) {{
  %before = atomicrmw sub ptr @{calls}, i64 1 monotonic
  %last = icmp eq i64 %before, 1
  br i1 %last, label %ask, label %run
ask:
  ret i32 1
run:
  %status = call i32 @{name}(ptr %inputs, ptr %outputs)
  ret i32 %status
}}
"""


def tier() -> str:
    """The setting ``AUTOGRAPH_TIER``.

    Raises:
        OptionError: it is something else.
    """
    found = os.environ.get("AUTOGRAPH_TIER", "") or AUTOMATIC
    if found not in (QUICK, OPTIMISED, AUTOMATIC):
        raise OptionError(
            f"the environment variable AUTOGRAPH_TIER is {found!r}, which is no tier",
            id="AG0846",
            fix=f"set it to {QUICK}, {OPTIMISED} or {AUTOMATIC}, or not at all",
        )
    return found


def quick_calls(work: Callable[[], float | None], text: str) -> int | None:
    """After how many calls a kernel that is made quickly is to be optimised; None: it is optimised
    at once.

    Args:
        work: how many nanoseconds a call may take at most, if that is known.
        text: of the kernel, as LLVM gets it.
    """
    wanted = tier()
    if wanted == OPTIMISED:
        return None
    if wanted == QUICK:
        return _NEVER
    most, longest = work(), max(_LONGEST, _LONGEST_PER_LINE * text.count("\n"))
    if most is None or most > longest:
        return None
    return min(_MOST, max(_FEWEST, int(_BUDGET * longest / max(most, 1.0))))


def counting(text: str, name: str, count: int) -> str:
    """The text of a kernel with one that counts its calls."""
    return text + _COUNTING.format(counted=COUNTED, calls=CALLS, name=name, count=count)


class Tiers:
    """What becomes of a kernel that was made quickly. It has no lock, which another thread might
    hold when a process is forked.

    Args:
        optimise: makes the other code.
        name: of the kernel in machine code.
    """

    def __init__(self, optimise: Callable[[], Code], name: str):
        self._optimise = optimise
        self._name = name
        self._plans: list[bytes] = []
        self._is_asked = False
        self._code: Code | None = None

    def address(self, code: Code, is_counted: bool) -> int:
        """Where calls begin."""
        if self._code is not None:
            return self._code.address
        return code.addresses[COUNTED if is_counted and not self._is_asked else self._name]

    def add(self, plan: bytes) -> None:
        """Let a plan of `autograph.kernels.native.entry`, which begins with the address of the
        kernel, have that of the other code when it is there."""
        self._plans.append(plan)  # before the look at the code, which a thread may put there now
        if self._code is not None:
            _put(plan, self._code.address)

    def is_due(self, code: Code) -> bool:
        """Whether the kernel has been called often, and maybe gave up only to say so."""
        left = ctypes.c_int64.from_address(code.addresses[CALLS]).value
        return left <= 0 and self._code is None

    def ask(self, code: Code) -> None:
        """Have the other code made, by a thread of its own. Python waits for it when it ends."""
        if self._is_asked:
            return
        self._is_asked = True
        for plan in self._plans:  # count no more
            _put(plan, code.addresses[self._name])
        try:
            threading.Thread(target=self._replace, name="autograph compiler").start()
        except RuntimeError as error:  # the process ends
            log.debug("a kernel is not optimised: %s", error)

    def _replace(self) -> None:
        try:
            code = self._optimise()
        except Exception as error:
            log.info("a kernel stays as it was made quickly: %s", error)
            return
        self._code = code
        for plan in list(self._plans):
            _put(plan, code.address)
        log.debug("a kernel that is called often was optimised")


# Where the contents of bytes begin.
_CONTENTS = bytes.__basicsize__ - 1


def _put(plan: bytes, address: int) -> None:
    """Let a plan be for the kernel at another address. A word that is aligned is written at once,
    so that threads that read it find one or the other."""
    ctypes.c_int64.from_address(id(plan) + _CONTENTS).value = address
