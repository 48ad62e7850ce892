"""What is known of a generator of the user's that is being closed.

Python closes one that nobody has any more, and passes over what its ``finally`` raises then.
"""

from __future__ import annotations

import sys


def is_closing() -> bool:
    """Whether this is called by what a generator does while it is closed."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, GeneratorExit):
        error = error.__context__
    return error is not None
