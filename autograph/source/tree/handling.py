"""How functions are converted for programs that handle exceptions; see
`autograph.source.desugar.handlers`."""

from __future__ import annotations

import enum


class Handling(enum.IntEnum):
    """What of a function comes apart into statements that are attempted one by one.

    ``NONE``: nothing, the program handles no exceptions. ``TRIES``: the bodies of ``try``
    statements. ``CALLEES``: those of inner functions as well. ``CALLED``: also that of the function
    itself, which is called in a ``try``.
    """

    NONE, TRIES, CALLEES, CALLED = range(4)
