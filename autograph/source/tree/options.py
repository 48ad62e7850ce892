"""How functions are converted for what some programs need, and most do not."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from autograph.source.tree.places import GlobalVariable, NamedPlace
from ops.core.records import NamedTuple


class Handling(enum.IntEnum):
    """What of a function comes apart into statements that are attempted one by one, in a program
    that handles exceptions; see `autograph.source.desugar.handlers`.

    ``NONE``: nothing, the program handles no exceptions. ``TRIES``: the bodies of ``try``
    statements. ``CALLEES``: those of inner functions as well. ``CALLED``: also that of the function
    itself, which is called in a ``try``.
    """

    NONE, TRIES, CALLEES, CALLED = range(4)


class ConversionOptions(NamedTuple):
    """How a function is converted.

    Attributes:
        handling: of exceptions.
        compares: whether comparisons are those of `ops`, which go through the elements of tuples
            and lists as Python does, also where these are known only at run time.
        shared: the names of global variables that functions of the program assign, in order.
        of_classes: those of attributes of classes that they do.
        takes_tuples: whether functions of NumPy's are called by the recorder, which looks into
            tuples and lists of Python's own: NumPy asks what is in them for its contents.
    """

    handling: Handling = Handling.NONE
    compares: bool = False
    shared: tuple[str, ...] = ()
    of_classes: tuple[str, ...] = ()
    takes_tuples: bool = False

    def with_places(self, places: Iterable[NamedPlace]) -> ConversionOptions:
        """These, with more places of which what is there is in cells."""
        names: dict[bool, set[str]] = {True: {*self.shared}, False: {*self.of_classes}}
        for place in places:
            names[isinstance(place, GlobalVariable)].add(place.name)
        shared, of_classes = (tuple(sorted(names[is_global])) for is_global in (True, False))
        return self._replace(shared=shared, of_classes=of_classes)


PLAIN = ConversionOptions()
