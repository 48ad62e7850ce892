"""What the compiler tells about its work: the logger ``autograph``.

``AUTOGRAPH_LOG=info`` tells what is converted and compiled. ``AUTOGRAPH_LOG=debug`` tells also what
is recorded, why it is recorded again, which arguments became static, and which loops run as Python.
Without the variable nothing is written; a program may also set up the logger itself.
"""

from __future__ import annotations

import logging
import os

from autograph.errors import OptionError

log = logging.getLogger("autograph")

_LEVELS = ("debug", "info", "warning", "error")


def configure(level: str) -> None:
    """Write what the compiler tells to standard error.

    Args:
        level: "debug", "info", "warning" or "error"; "" writes nothing.

    Raises:
        OptionError: it is none of these.
    """
    if not level:
        return
    if level.lower() not in _LEVELS:
        raise OptionError(
            f"the environment variable AUTOGRAPH_LOG is {level!r}, which is not a level",
            id="AG0605",
            fix=f"choose from {', '.join(_LEVELS)}",
        )
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("autograph: %(message)s"))
        log.addHandler(handler)
        log.propagate = False
    log.setLevel(level.upper())


configure(os.environ.get("AUTOGRAPH_LOG", ""))
