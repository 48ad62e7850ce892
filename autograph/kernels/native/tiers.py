"""Kernels in two tiers: machine code that is made quickly, and code that runs fast.

Most of the time of LLVM goes into machine code: which registers hold what, and in which order
instructions stand. Without that it takes a tenth of the time. What runs once or twice is not worth
more, so a kernel is made like that at first unless a call is known to take long. Once its calls
together have taken as long as it takes to optimise it, a thread makes the other code, and puts its
address in the place of the first one's. A call that takes that long by itself is given up, and runs
again once there is the other code.

The routines of a kernel are made as it is. They take more of the stack then, and where they call
themselves so often that it comes to its end, the kernel gives up: it is optimised before NumPy's
program takes over.

Both are of the same text, in which each operation is rounded by itself: LLVM may not reorder or
contract them, so the results have the same bits, and nobody can tell which code has run.

``AUTOGRAPH_TIER`` is ``quick``, ``optimised`` or ``automatic``, by default the latter.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable

from autograph.errors import OptionError
from autograph.kernels.native.loader import Code
from autograph.log import log

QUICK, OPTIMISED, AUTOMATIC = "quick", "optimised", "automatic"

# What it takes to optimise a kernel, in nanoseconds for each line of LLVM IR. For as long it may
# run as it was made quickly, all calls together: so it costs at most twice what it would have if it
# had been known how often it is called (the ski rental problem: Karlin et al., "Competitive snoopy
# caching", 1988).
_COST_OF_LINE = 80e3

# How much of that a single call is known to take at most if the kernel is made quickly at first: it
# runs some times as long then, and such estimates are too high more often than too low.
_SHARE_OF_CALL = 0.25

# Lines of a routine that is made quickly: each takes about three bytes of the stack, of which a
# quarter is left to a call that finds that it may go no further, 16 KB in the smallest threads.
_MOST_LINES = 4000

# Estimates of how much of its time a kernel spends in functions of libraries are rough.
_LEAST_SHARE = 0.1

_NEVER = 1 << 62

TIMED, IS_SPENT, IS_LATE = "kernel_timed", "kernel_is_spent", "kernel_is_late"

# A kernel that takes the time of its calls, and gives up in one of them, for Python to have it
# optimised: at the beginning of a call after its time is spent, or within one, where a loop looks
# for Ctrl-C. What it gave up begins again, as where it meets what it is not made for.
_TIMING = """
@{left} = internal global i64 {time}
@{end} = internal global i64 0
@{is_spent} = global i32 0
@{is_late} = global i32 0

declare i32 @clock_gettime(i32, ptr)

define internal i64 @{now}() {{
  %at = alloca [2 x i64], align 16
  %failed = call i32 @clock_gettime(i32 {clock}, ptr %at)
  %seconds = load i64, ptr %at, align 16
  %rest_at = getelementptr i64, ptr %at, i64 1
  %rest = load i64, ptr %rest_at, align 8
  %whole = mul i64 %seconds, 1000000000
  %sum = add i64 %whole, %rest
  ret i64 %sum
}}

define i32 @{timed}(ptr %inputs, ptr %outputs) {{
  %left = load atomic i64, ptr @{left} monotonic, align 8
  %is_left = icmp sgt i64 %left, 0
  br i1 %is_left, label %run, label %spent
spent:
  %before = atomicrmw xchg ptr @{is_spent}, i32 1 monotonic
  %is_first = icmp eq i32 %before, 0
  br i1 %is_first, label %ask, label %run
ask:
  ret i32 1
run:
  %start = call i64 @{now}()
  %end = add i64 %start, %left
  store atomic i64 %end, ptr @{end} monotonic, align 8
  %status = call i32 @{name}(ptr %inputs, ptr %outputs)
  %stop = call i64 @{now}()
  %taken = sub i64 %stop, %start
  %counted = add i64 %taken, {own}
  %unused = atomicrmw sub ptr @{left}, i64 %counted monotonic
  ret i32 %status
}}
"""
_POLLING = """
define {linkage}preserve_mostcc i32 @{poll}() {{
  %asked = call preserve_mostcc i32 @ag_poll()
  %is_asked = icmp ne i32 %asked, 0
  br i1 %is_asked, label %give, label %look
give:
  ret i32 %asked
look:
  %now = call i64 @{now}()
  %end = load atomic i64, ptr @{end} monotonic, align 8
  %is_late = icmp sgt i64 %now, %end
  br i1 %is_late, label %late, label %go_on
late:
  %before = atomicrmw xchg ptr @{is_spent}, i32 1 monotonic
  %is_first = icmp eq i32 %before, 0
  br i1 %is_first, label %ask, label %go_on
ask:
  store atomic i32 1, ptr @{is_late} monotonic, align 4
  ret i32 1
go_on:
  ret i32 0
}}
"""
_POLLED = "\ndeclare preserve_mostcc i32 @{poll}() nounwind\n"  # by routines
_POLL, _OWN_POLL = "call preserve_mostcc i32 @ag_poll()", "call preserve_mostcc i32 @{poll}()"
_NAMES = {
    **{"timed": TIMED, "is_spent": IS_SPENT, "is_late": IS_LATE},
    **{name: f"kernel_{name}" for name in ("left", "end", "now", "poll")},
}
_CLOCK = int(time.CLOCK_MONOTONIC)
_OWN_TIME = 100  # nanoseconds to look at the clock twice, and what is lost to the machine's caches


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


def quick_time(
    text: str,
    routines: Collection[str],
    most: Callable[[], float | None],
    others: Callable[[], float],
    can_stop: bool,
) -> int | None:
    """How long a kernel that is made quickly may run before it is optimised, in nanoseconds, all
    calls together; None: it is optimised at once.

    Args:
        text: of the kernel, as LLVM gets it.
        routines: those of what it calls.
        most: how many nanoseconds a call may take at most, if that is known.
        others: which part of its time goes by in code that is not the kernel's, from 0 to 1, and
            is not shorter once that is optimised.
        can_stop: whether a call may be given up where it takes longer, and begin again.
    """
    wanted = tier()
    if wanted == OPTIMISED:
        return None
    if wanted == QUICK:
        return _NEVER
    lines = [given.count("\n") for given in (text, *routines)]
    if max(lines[1:], default=0) > _MOST_LINES:
        return None
    cost, known = _COST_OF_LINE * sum(lines) / max(1.0 - others(), _LEAST_SHARE), most()
    if not can_stop if known is None else known > _SHARE_OF_CALL * cost:
        return None
    return int(cost)


def timing(text: str, name: str, allowed: int, routines: Iterable[str] = ()) -> str:
    """The text of a kernel with one that takes the time of its calls.

    Args:
        allowed: how long it may run, as `quick_time` has it.
        routines: the texts of what it calls, which become `polling` ones.
    """
    given = {**_NAMES, "name": name, "time": allowed, "own": _OWN_TIME, "clock": _CLOCK}
    is_shared = any(_POLL in routine for routine in routines)
    given["linkage"] = "" if is_shared else "internal "
    added = _TIMING
    if is_shared and _POLL not in text:
        added += "declare preserve_mostcc i32 @ag_poll()\n"
    if is_shared or _POLL in text:
        added += _POLLING
    return _polling(text) + added.format(**given)


def polling(routine: str) -> str:
    """The text of a routine whose loops look whether the kernel's time is over."""
    return _polling(routine) + (_POLLED.format(**_NAMES) if _POLL in routine else "")


def _polling(text: str) -> str:
    return text.replace(_POLL, _OWN_POLL.format(**_NAMES))


class Tiers:
    """What becomes of a kernel that was made quickly. It has no lock, which another thread might
    hold when a process is forked.

    Args:
        optimise: makes the other code.
        name: of the kernel in machine code.
        needs_less: whether the other code may go on where this one gives up: it needs less of the
            stack.
    """

    def __init__(self, optimise: Callable[[], Code], name: str, needs_less: bool):
        self._optimise = optimise
        self._name = name
        self._needs_less = needs_less
        self._plans: list[bytes] = []
        self._is_asked = self._is_repeated = False
        self._code: Code | None = None

    def address(self, code: Code) -> int:
        """Where calls begin."""
        if self._code is not None:
            return self._code.address
        return code.addresses[self._name if self._is_asked else TIMED]

    def add(self, plan: bytes) -> None:
        """Let a plan of `autograph.kernels.native.entry`, which begins with the address of the
        kernel, have that of the other code when it is there."""
        self._plans.append(plan)  # before the look at the code, which a thread may put there now
        if self._code is not None:
            _put(plan, self._code.address)

    def is_due(self, code: Code) -> bool:
        """Whether the kernel, which gave up, may not do so now: it has run as long as it may, and
        maybe gave up only to say so, or the other code goes on where this one doesn't."""
        if self._needs_less and not self._is_asked:
            return True
        return _is_set(code, IS_SPENT) and (self._code is None or not self._is_repeated)

    def was_repeated(self) -> None:
        """Note that the call that gave up to say so has its result."""
        self._is_repeated = True

    def ask(self, code: Code) -> None:
        """Have the other code made, by a thread of its own. Python waits for it when it ends, and
        the caller does if a call gave up within."""
        if self._is_asked:
            return
        self._is_asked = True
        for plan in self._plans:  # take no more times
            _put(plan, code.addresses[self._name])
        if _is_set(code, IS_LATE) or not _is_set(code, IS_SPENT):
            self._replace()
            return
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
        self._optimise = lambda: code  # what made it need not be kept
        for plan in list(self._plans):
            _put(plan, code.address)
        log.debug("a kernel that has run for long was optimised")


def _is_set(code: Code, name: str) -> bool:
    """Whether a variable of a kernel is not 0."""
    return ctypes.c_int32.from_address(code.addresses[name]).value != 0


# Where the contents of bytes begin.
_CONTENTS = bytes.__basicsize__ - 1


def _put(plan: bytes, address: int) -> None:
    """Let a plan be for the kernel at another address. A word that is aligned is written at once,
    so that threads that read it find one or the other."""
    ctypes.c_int64.from_address(id(plan) + _CONTENTS).value = address
