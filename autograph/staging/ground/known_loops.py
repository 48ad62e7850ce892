"""Loops whose trips are known while recording: they are recorded once, or run as Python does.

A recorded loop makes values known only at run time of what each trip changes, so that code after
it may be refused that Python's values would not be. Where nothing else helps, the function is
recorded once more with all of these loops run as Python, which makes programs larger.

Which text is at a place that a loop computes is known if that runs as Python, as all loops around
it do then. If this takes long, the function is recorded once more with one of several texts there.
"""

from __future__ import annotations


class KnownLoops:
    """What is done with them.

    Attributes:
        refusal: why they all run as Python; None: they are recorded where they can be.
        met: whether one was recorded.
        texts_chosen: whether texts at places that loops compute are one of several; None: not yet.
    """

    def __init__(self) -> None:
        self.refusal: Exception | None = None
        self.met = False
        self.texts_chosen: bool | None = None
