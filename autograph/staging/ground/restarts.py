"""Why a function is recorded once more, in another way."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

from autograph.errors import AutographError, Location
from autograph.source.tree.options import Handling
from autograph.staging.ground.closing import is_closing
from autograph.staging.ground.learnt import Learnt
from ops.control.constructs import Refusal
from ops.core.recording import active_recording


class Need(Refusal):
    """Recording needs something that the next recording is to know from the start.

    Not an `Exception`, so that a user's ``except Exception`` does not swallow it.

    Args:
        what: that it needs.
        location: where that was found out.

    Attributes:
        refusal: what is raised if that does not help; None if it does.
    """

    refusal: AutographError | None = None

    def __init__(self, what: object = None, location: Location | None = None):
        super().__init__(what)
        self.location = location
        recording = active_recording()
        if recording is not None and is_closing():
            recording.refused(self)

    def learn(self, learnt: Learnt) -> str | None:
        """Have the next recording know it: the reason for that one. None if it is not known yet how
        it helps, which others decide."""
        return None


class SpecializeArguments(Need):
    """Recording needs the values of some arguments, leaves by position; they have to become part
    of the signature."""

    def __init__(self, positions: list[int], location: Location | None):
        super().__init__(positions, location)
        self.positions = positions


class NeedsElements(Need):
    """Recording needs the elements of a list of which it was to see only what is added.

    Attributes:
        number: of the list; see `autograph.staging.lists.growing`.
    """

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


class PromotesNumbers(Refusal):
    """Numbers of several types come into one list, as numbers of one type: while arguments are
    packed, see `autograph.staging.lists.packed`, which they need not be."""


class WidensAttribute(Refusal):
    """An attribute of the caller's objects is made of more kinds than it has been so far.

    Attributes:
        kind: the class of the objects.
        name: of the attribute.
        more: the kinds.
    """

    def __init__(self, kind: type, name: str, more: Set[Any]):
        super().__init__(name)
        self.kind = kind
        self.name = name
        self.more = more


class JoinsClasses(Refusal):
    """Objects of the caller that are of several classes are to be one variable.

    Attributes:
        kinds: the classes.
    """

    def __init__(self, kinds: Set[type]):
        super().__init__(kinds)
        self.kinds = kinds


class CopiesObjects(Refusal):
    """Copies of objects of the caller come out of a function, or are in what it changes, where the
    run decides which ones these are. Objects in heaps stay the objects that they are.

    Attributes:
        kinds: their classes.
    """

    def __init__(self, kinds: Set[type]):
        super().__init__(kinds)
        self.kinds = kinds


class SeesFunction(Refusal):
    """Code looks at a function which is another one of the same code in each call, otherwise than
    to call it: it has to be recorded for each."""


class LongRecording(Refusal):
    """What goes through the elements of lists one by one gets long: arguments may be packed."""


class NeedsHandlers(Need):
    """Recording needs functions that are converted such that the program handles exceptions.

    Attributes:
        handling: how they are.
    """

    def __init__(self, refusal: AutographError, handling: Handling):
        super().__init__(refusal, refusal.location)
        self.refusal = refusal
        self.handling = handling

    def learn(self, learnt: Learnt) -> str:
        learnt.conversion = learnt.conversion._replace(handling=self.handling)
        return f"the program has to handle exceptions: {self.location}"


class NeedsComparisons(Need):
    """Recording needs functions that are converted such that comparisons are those of `ops`.

    Attributes:
        location: of a comparison of tuples or lists that asks for the truth of a symbolic one.
    """

    def __init__(self, location: Location | None):
        super().__init__(location, location)

    def learn(self, learnt: Learnt) -> str:
        learnt.conversion = learnt.conversion._replace(compares=True)
        return f"tuples or lists of values known only at run time are compared at {self.location}"


class NeedsTuples(Need):
    """Recording needs functions that are converted such that those of NumPy's take tuples and lists
    of symbolic values.

    Attributes:
        location: of a call that asks for the contents of one.
    """

    def __init__(self, location: Location | None):
        super().__init__(location, location)

    def learn(self, learnt: Learnt) -> str:
        learnt.conversion = learnt.conversion._replace(takes_tuples=True)
        return f"a function of NumPy's is given values known only at run time at {self.location}"


class NeedsGlobals(Need):
    """Recording needs functions that are converted such that global variables are cells, since some
    function assigns them.

    Args:
        names: of the variables.
    """

    def __init__(self, names: Iterable[str], location: Location | None):
        super().__init__(names, location)
        self.names = frozenset(names)

    def learn(self, learnt: Learnt) -> str:
        shared = self.names.union(learnt.conversion.shared)
        learnt.conversion = learnt.conversion._replace(shared=tuple(sorted(shared)))
        return f"global variables are assigned at {self.location}: {', '.join(sorted(self.names))}"


class NeedsClassAttributes(Need):
    """Recording needs functions that are converted such that attributes of classes are in cells,
    since some function assigns them.

    Args:
        names: of the attributes.
    """

    def __init__(self, names: Iterable[str], location: Location | None):
        super().__init__(names, location)
        self.names = frozenset(names)

    def learn(self, learnt: Learnt) -> str:
        found = self.names.union(learnt.conversion.of_classes)
        learnt.conversion = learnt.conversion._replace(of_classes=tuple(sorted(found)))
        return f"attributes of classes are assigned: {', '.join(sorted(self.names))}"


class FirstTripApart(Need):
    """Recording needs the first trip of a loop, or one more, apart from the others; see
    `autograph.staging.ground.first_trips`.

    Attributes:
        loop: where it is.
    """

    def __init__(self, loop: Location):
        super().__init__(loop, loop)
        self.loop = loop

    def learn(self, learnt: Learnt) -> str:
        learnt.apart.grow(self.loop)
        return f"the first trip of the loop at {self.loop} is recorded apart"


class NeedsNumberTypes(Need):
    """Recording needs to know that numbers of one more type come to some table, which has been
    noted; see `autograph.staging.ground.queues.NumberTypes`.

    Attributes:
        location: where they do.
    """

    def __init__(self, location: Location | None):
        super().__init__(location, location)

    def learn(self, learnt: Learnt) -> str:
        return f"numbers of another type come to a dict or set at {self.location}"


class NeedsObjects(Need):
    """Recording needs to know more of the objects in lists, before the first is made; see
    `autograph.staging.ground.object_kinds`, where it is noted.

    Attributes:
        location: where it is known.
    """

    def __init__(self, location: Location | None):
        super().__init__(location, location)

    def learn(self, learnt: Learnt) -> str:
        return f"more is known of the objects in lists at {self.location}"


class ChoosesTexts(Need):
    """Recording takes long to know which texts are at places; see `KnownLoops`."""

    def learn(self, learnt: Learnt) -> str:
        learnt.known_loops.texts_chosen = True
        return "trips are many that tell which text is at a place: it is one of several"


class NeedsDeques(Need):
    """Recording needs deques as they are, which were lists; see `autograph.staging.ground`."""
