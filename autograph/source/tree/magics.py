"""The source of what the magics of IPython have run, such as a cell that begins with ``%%time``.

They compile it under a name that all of them share (``<timed exec>``), and keep no source under
that name; but the history of the session has the cells.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any


def texts() -> Iterator[str]:
    """The sources that magics may have run in this session, the latest first."""
    shell = _shell()
    history: Any = getattr(getattr(shell, "history_manager", None), "input_hist_raw", ())
    for cell in reversed(list(history)):
        if not isinstance(cell, str) or "%" not in cell:
            continue
        if cell.lstrip().startswith("%%"):
            yield shell.transform_cell(cell.lstrip().partition("\n")[2])
        for line in cell.splitlines():
            if line.lstrip().startswith("%"):
                yield line.lstrip().partition(" ")[2]


def _shell() -> Any:
    """The shell of IPython that this runs in; None if there is none."""
    package = sys.modules.get("IPython")
    return None if package is None else package.get_ipython()
