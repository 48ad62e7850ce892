"""What recordings of a function have found out that the next one is to know.

A function is recorded, something is found out that it would have had to know from the start, and
the recording begins again: a variable of a loop has another type, tuples are compared that only the
run knows, lists of lists move to a heap. All of that is in one place, a `Learnt`, which is handed
from one recording to the next. It has two kinds of things:

* What a recording *needs*, which it says by raising a `Need` (see `autograph.staging.ground.
  restarts`), or by being refused: how functions are converted, which trips are apart, the forms of
  containers and generators. `autograph.api.recording.ways` decides which of them is turned on.
* What it only *saw*, and the next one may take for granted until it sees something else, since that
  saves passes and changes nothing: what loops change. Modules keep such things themselves, in
  classes of their own; see `Learnt.of`.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

from autograph.source.tree.options import PLAIN, ConversionOptions
from autograph.staging.ground.first_trips import Apart
from autograph.staging.ground.known_loops import KnownLoops
from autograph.staging.ground.nested_lists import NestedLists
from autograph.staging.ground.queues import Queues
from autograph.staging.ground.stepped import SteppedGenerators

Kept = TypeVar("Kept")


class Learnt:
    """What is known of a function before it is recorded.

    Attributes:
        conversion: how functions are converted.
        apart: the loops whose first trips are recorded apart.
        known_loops: what is done with loops whose trips are known.
        queues: what is done with deques, dicts and sets.
        stepped: what is done with generators.
        nested: what is done with lists of lists.
    """

    def __init__(self) -> None:
        self.conversion: ConversionOptions = PLAIN
        self.apart = Apart()
        self.known_loops = KnownLoops()
        self.queues = Queues()
        self.stepped = SteppedGenerators()
        self.nested = NestedLists()
        self._seen: dict[type, Any] = {}

    def of(self, kind: type[Kept]) -> Kept:
        """What a module has seen, of a class of its own: made without arguments when it is asked
        for the first time."""
        if kind not in self._seen:
            self._seen[kind] = kind()
        return cast("Kept", self._seen[kind])
