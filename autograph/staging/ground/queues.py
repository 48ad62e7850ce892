"""Deques, which are recorded as they are, or as lists that may be of any length.

As it is, a deque has a length that is known while recording: it may hold anything, and is compared
and shown as Python does. Where branches and loops leave it with other lengths, as a search leaves
its queue, the function is recorded once more with the deques that it makes as lists.
"""

from __future__ import annotations


class Queues:
    """What is done with deques.

    Attributes:
        met: whether one was made that could be a list.
        as_lists: whether they are.
    """

    def __init__(self) -> None:
        self.met = False
        self.as_lists = False
