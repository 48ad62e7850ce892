"""Whether numbers in lists may be of another type than in Python.

A list that is kept as arrays has elements of one type, to which others are promoted. Where another
way of recording may keep the type of each, that is to be tried first.
"""

from __future__ import annotations

from autograph.staging.ground.recorder import active_recorder
from autograph.staging.ground.restarts import PromotesNumbers


class Exactness:
    """Of a recording.

    Attributes:
        is_wanted: whether no number may be promoted.
    """

    is_wanted = False


def refuse_promotion() -> None:
    """Called where a number in a list becomes one of another type.

    Raises:
        PromotesNumbers: there is another way.
    """
    recording = active_recorder()
    if recording is not None and recording.state(Exactness).is_wanted:
        raise PromotesNumbers
