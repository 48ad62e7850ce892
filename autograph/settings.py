"""What the environment sets."""

from __future__ import annotations

import os

from autograph.errors import OptionError

# Whether what passes make is checked, and failures of the compiler are not hidden.
VERIFY = os.environ.get("AUTOGRAPH_VERIFY", "") not in ("", "0")

# Whether compiled functions run as plain Python, to be looked at with a debugger.
DISABLED = os.environ.get("AUTOGRAPH_DISABLE", "") not in ("", "0")

# Whether one recording may serve arrays of all lengths; if not, each length has its own.
ANY_LENGTH = os.environ.get("AUTOGRAPH_ANY_LENGTH", "1") not in ("", "0")


def number_from(variable: str, default: int, least: int) -> int:
    """The number in an environment variable.

    Args:
        default: the number if the variable is not set or empty.
        least: what it is at least.

    Raises:
        OptionError: it is not such a number.
    """
    text = os.environ.get(variable, "")
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 19 and int(text) >= least):
        raise OptionError(
            f"the environment variable {variable} is {text!r}, not a number from {least} on",
            id="AG0616",
            fix="set it to such a number, or not at all",
        )
    return int(text)


def most_waiting_calls() -> int:
    """How many recursive calls may wait for results; more are taken for ones without an end."""
    return number_from("AUTOGRAPH_RECURSION_DEPTH", 1_000_000, 1)
