"""Noticing what converted code changes in containers while a region is recorded.

A region is recorded once, but may run never or many times, so such a change must not simply happen.
Every container that the region's functions can reach is compared before and after, and put back
into its former state. What it contained at the end becomes a result of the region, as the variables
that the region assigns are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.errors import Location, MutationError
from autograph.staging.containers.containers import Contents, contents, fill, reachable
from autograph.staging.ground.errors import IN_BRANCHES, user_location
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.naming import kind_shown
from autograph.staging.ground.object_kinds import may_be_pooled
from autograph.staging.ground.ownership import is_made_of_attributes
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.inner_lists import SERIAL, InnerList

_MISSING = object()
_REGION = 96  # values that are looked at in the time that a region takes for itself


class Raised(ByIdentity):
    """Exceptions that a ``try`` statement may handle: what a handler changes of the one that it is
    for is seen only where that was raised."""


class Watch:
    """The containers that a region may change.

    Args:
        roots: what the region's code can reach containers from, besides the shadows, which any code
            may reach.

    Attributes:
        names: what the user may call each container.
    """

    def __init__(self, roots: Iterable[Any]):
        self._shadows = len(recorder().outside.shadows)
        shadows = (shadow for shadow, _ in recorder().outside.shadows.made_since(0))
        errors: list[BaseException] = []
        self.names = reachable([*roots, *shadows, *recorder().given], errors)
        self._errors = [(error, _state_of(error)) for error in errors]
        self._before = ByIdentity((container, contents(container)) for container in self.names)
        values = sum(len(state.values) for state in self._before.values())
        recorder().effort.look(_REGION + values, user_location())
        self._serial = next(SERIAL)
        recorder().watches.append(self)

    def sees(self, items: InnerList) -> bool:
        """Whether a list cannot change unnoticed: it is new, or compared."""
        return items.serial > self._serial or self.is_older(items)

    def is_older(self, container: Any) -> bool:
        """Whether a container is from outside the region."""
        return container in self._before or recorder().outside.shadows.is_shadow(container)

    def found(self) -> Iterator[tuple[Any, Contents]]:
        """The containers, with what each contained before."""
        yield from self._before.items()
        yield from recorder().outside.shadows.made_since(self._shadows)

    def refuse_changed_errors(self) -> None:
        """Refuse a change of an exception that has not been raised: exceptions are the same on all
        paths.

        Raises:
            MutationError: one was changed.
        """
        for error, before in self._errors:
            if error not in recorder().state(Raised) and not _state_of(error).same(before):
                _put_back(error, before)
                raise MutationError(
                    f"an attribute of an exception of the class '{type(error).__name__}' is "
                    "assigned in a branch or loop, and the exception is made before",
                    user_location(),
                    id="AG0341",
                    fix="keep the value in a variable, and make the exception where it is raised",
                )

    def finish(self) -> ByIdentity:
        """Undo the changes.

        Returns:
            The containers that were changed, with what they contained.
        """
        recorder().watches.remove(self)
        changed = ByIdentity()
        changes = list(self._changes())
        unknown = [isinstance(item, InnerList) and item.is_stale for item, _, _ in changes]
        for (container, before, now), is_unknown in zip(changes, unknown):
            fill(container, before)
            if is_unknown:  # nobody will ask for it
                recorder().frozen.refresh(container)
            else:
                changed[container] = now
                if may_be_pooled(type(container)):
                    recorder().nested.objects.link(type(container), now.values)
        return changed

    def changed(self) -> list[Any]:
        """The containers that are changed now."""
        return [container for container, _, _ in self._changes()]

    def _changes(self) -> Iterator[tuple[Any, Contents, Contents]]:
        """Each container that is changed, with what it contained before and contains now."""
        for container, state in self.found():
            now = contents(container)
            if not now.same(state):
                yield container, state, now


def _state_of(error: BaseException) -> Contents:
    """The arguments and the attributes of an exception."""
    own = {name: value for name, value in vars(error).items() if not name.startswith("__")}
    return Contents((len(error.args), *own), (*error.args, *own.values()))


def _put_back(error: BaseException, state: Contents) -> None:
    (count, *names), values = state
    error.args = values[:count]
    for name in [name for name in vars(error) if not name.startswith("__")]:
        delattr(error, name)
    for name, value in zip(names, values[count:]):
        setattr(error, name, value)


class Frozen:
    """Containers that must not change any more, because one may be the same as another.

    Where control flow joins, a variable may hold an older list on one path and a new one on the
    other. What holds after that is a third one, with the contents of either; as long as none of
    them changes, nobody can tell.
    """

    def __init__(self) -> None:
        self._states = ByIdentity()
        self._elements = ByIdentity()  # with where they became elements
        self._lists: list[Any] = []  # those of them that are lists
        self._roots: list[Any] = []  # lists that were changed through their elements
        self._stand = ByIdentity()
        self._pairs: list[tuple[Any, Any]] = []  # of which one may be the other

    def copy(self) -> Frozen:
        made = Frozen()
        made._states.update(self._states)
        made._elements.update(self._elements)
        made._lists = list(self._lists)
        made._roots = list(self._roots)
        made._stand.update(self._stand)
        made._pairs = list(self._pairs)
        return made

    def undo(self, before: Frozen) -> None:
        """Forget which lists of lists were changed through their elements since ``before``."""
        undone = ByIdentity((root, None) for root in self._roots[len(before._roots) :])
        for root in undone:
            root.written = False
        for item in self._lists if undone else ():
            item.holders = tuple(holder for holder in item.holders if holder[0] not in undone)

    def add_element(self, container: Any) -> None:
        """``container`` is an element of a list that is kept as rows, which hold a copy of it."""
        self._elements[container] = contents(container), user_location()
        if isinstance(container, InnerList):
            self._lists.append(container)

    def is_element(self, container: Any) -> bool:
        return container in self._elements

    def stand(self, container: Any, entered: Any) -> None:
        """``container`` stands for one that may be an older one, where a region is entered: it is
        known which of what is ``entered`` there are the same."""
        self._stand[container] = entered

    def stands(self, container: Any) -> Any:
        """Where it does; None if it is itself."""
        return self._stand.get(container)

    def is_joined(self, container: Any) -> bool:
        """Whether a container may be the same as another one, which is no list."""
        return container in self._states

    def site(self, container: Any) -> Location | None:
        """Where a container became an element, or the same as another one."""
        known = self._elements if container in self._elements else self._states
        site: Location | None = known[container][1]
        return site

    def that_may_be(self, containers: Iterable[Any]) -> ByIdentity:
        """Those that may be one of some, which are themselves among them if they were joined."""
        others = ByIdentity()
        for a, b in self._pairs:
            others.setdefault(a, []).append(b)
            others.setdefault(b, []).append(a)
        found, pending = ByIdentity(), [one for one in containers if one in self._states]
        while pending:
            one = pending.pop()
            if one not in found:
                found[one] = None
                pending += others.get(one, ())
        return found

    def hold(self, root: Any) -> None:
        """The elements of a list change where they are: each list that may be one of them, and
        not known to be, is stale from now on."""
        if not root.written:
            root.written = True
            self._roots.append(root)
        holder = root, root.version
        for item in self._lists:
            elsewhere = item.only is not None and item.only is not root
            known = any(root is other and holder[1] == v for other, v in item.holders)
            if item.home is None and not elsewhere and not known:
                item.holders += (holder,)

    def add_copies(self, containers: Sequence[Any], made: Mapping[int, Any]) -> None:
        """``made`` stand for ``containers``, by number, after a region or in one."""
        for number, container in enumerate(containers):
            if number in made and self.is_element(container):
                self.add_element(made[number])
            if number in made and container in self._states:  # and so may be the same as others
                self.add(container, made[number])
            if number in made and self.stands(container) is not None:
                self.stand(made[number], made)

    def refuse(self, container: Any) -> None:
        """Called before a list changes.

        Raises:
            MutationError: it is an element of another one.
        """
        if container in self._elements:
            kind = kind_shown(container)
            raise MutationError(
                f"a {kind} is changed in place that is an element of a list whose length depends "
                "on traced values",
                user_location(),
                others=(("put into the list, or read from it", self._elements[container][1]),),
                id="AG0320",
                fix="change it before it is put into the list, put a new one in its place, or use "
                "an array of two dimensions",
            )

    def add(self, container: Any, other: Any) -> None:
        """One may be the other."""
        site = user_location()
        for one in (container, other):
            self._states[one] = contents(one), site
        self._pairs.append((container, other))

    def check(self) -> None:
        """Raise if one of them was changed.

        Raises:
            MutationError: it was.
        """
        for container, (state, _) in self._elements.items():
            if not contents(container).same(state):
                self.refuse(container)
        for container, (state, site) in self._states.items():
            if not contents(container).same(state):
                kind = kind_shown(container)
                raise MutationError(
                    f"a {kind} is changed that may be the same as another, depending on control "
                    "flow",
                    user_location(),
                    others=(("they became one variable", site),),
                    id="AG0328",
                    fix=IN_BRANCHES,
                )

    def refresh(self, container: Any) -> None:
        """``container`` was put into another state by the recorder itself."""
        if container in self._states:
            self._states[container] = contents(container), self._states[container][1]
        if container in self._elements:
            self._elements[container] = contents(container), self._elements[container][1]


@contextmanager
def unchanged_arguments(*arguments: Any, location: Location | None = None) -> Iterator[None]:
    """Undo and refuse changes made inside to the containers among the arguments of a function.

    Raises:
        MutationError: a container was changed; ``location`` is the function's.
    """
    before = [(container, contents(container)) for container in reachable(arguments)]
    changed: list[tuple[Any, Contents, Contents]] = []
    try:
        yield
    finally:
        for container, state in before:
            now = contents(container)
            if not now.same(state):
                changed.append((container, state, now))
                fill(container, state)
    if changed:
        container, state, now = changed[0]
        kind = getattr(container, "kind", type(container)).__name__
        fix = f"copy it first, as in d = {kind}(d), and return the copy"
        if is_made_of_attributes(type(container)):
            fix = (
                "return the new values, or let the object be none of the arguments, as in "
                "grad(lambda x: f(obj, x))"
            )
        raise MutationError(
            f"the function changes {_changed_in(state, now)}a {kind} that it is given; only arrays "
            "that it is given can be changed here",
            location or user_location(),
            id="AG0321",
            fix=fix,
        )


def _changed_in(before: Contents, now: Contents) -> str:
    """Which key or attribute is no longer as it was, of something that has such."""
    old, new = _named(before), _named(now)
    for name in {**old, **new}:
        if old.get(name, _MISSING) is not new.get(name, _MISSING):
            return f"{name!r} in "
    return ""


def _named(state: Contents) -> dict[Any, Any]:
    names = [name for name in state.keys if isinstance(name, str)]
    return dict(zip(names, state.values[-len(names) :])) if names else {}
