"""How much work something takes, as numbers of calls: the same each time, where times are not."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType


def count_calls(run: Callable[[], object]) -> Counter[str]:
    """How many functions of Python's (`call`), those of compiled programs among them (`program`),
    and of C (`c_call`) are called while `run` runs in this thread. What garbage collection calls,
    which comes whenever it does, is not among them."""
    counts: Counter[str] = Counter()

    def notice(frame: FrameType, event: str, _: object) -> None:
        counts[event] += 1
        if event == "call" and frame.f_code.co_filename.startswith("<autograph"):
            counts["program"] += 1

    before, collecting = sys.getprofile(), gc.isenabled()
    gc.disable()
    sys.setprofile(notice)
    try:
        run()
    finally:
        sys.setprofile(before)
        if collecting:
            gc.enable()
    return counts
