"""Dicts and sets whose keys only the run knows: `KeyTable`, and what dicts and sets have of it.

A table is made of lists: of its keys, in the order in which Python goes through them, and of what
they stand for. So loops and branches carry it as they carry lists, and derivatives, lanes and saved
graphs have nothing to do for it. What is new is `ops.find_row`, which looks for a key.

As long as all keys are known, so is what is looked up, as in a dict of Python's own. Others are
integers, floats, or tuples of such. Python finds a NaN by which object it is, which nobody knows
here: that is an error of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import optree

import ops
from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.ownership import Recorded, slots_of
from autograph.staging.lists.elements import element_type, flatten_element
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.text_elements import holds_text
from ops.control import effects
from ops.core.recording import raises_as_python
from ops.core.types import ArrayType


def is_known(content: Any) -> bool:
    """Whether nothing in a key, or in a list of keys, is known only to the run."""
    if isinstance(content, TrackedList) and content.seen is not None:
        return False
    leaves = leaves_of(list(list.__iter__(content)) if isinstance(content, list) else content)
    return not any(isinstance(leaf, GraphArray) for leaf in leaves)


class KeyTable(Recorded):
    """What has keys, of which no two are equal.

    Attributes:
        order: its keys.
    """

    __slots__ = ("order",)

    kind: type = dict
    is_ordered = True  # whether Python goes through it in the order in which keys came
    changed = "dictionary changed size during iteration"

    order: TrackedList

    # -- looking for keys -------------------------------------------------------------------------

    @raises_as_python
    def find(self, key: Any) -> Any:
        """The place of a key, -1 if there is none: a symbolic one if only the run can tell.

        Raises:
            ConcreteValueError: only the run knows a key that is no number, nor a tuple of such.
            TypeError: it can't be a key.
            ValueError: a key is NaN, when the program runs.
        """
        order = self.order
        self.refuse_texts()
        if is_known(key):
            hash(key)
            if is_known(order):
                return {k: i for i, k in enumerate(list.__iter__(order))}.get(key, -1)
        if isinstance(order.length, int) and order.length == 0:
            _require_numbers(key)
            return -1
        if order.seen is None:
            for known in list.__iter__(order):
                _require_numbers(known)
        rows = order.as_rows()
        if rows is None:
            raise refused_key()
        _require_numbers(key)
        parts, structure = flatten_element(key)
        if structure != rows.structure:
            return -1
        for column, part in zip(rows.columns, parts):
            _require_same_kind(column.element.dtype.kind, element_type(part))
        columns = [GraphArray(column.value) for column in rows.columns]
        place = ops.find_row(*columns, *parts)
        return ops.cast(place, dtype="int64", weak=True)

    def contains(self, key: Any) -> Any:
        """``key in table``, which may be symbolic."""
        place = self.find(key)
        if isinstance(place, int):
            return place >= 0
        return ops.cast(ops.greater_equal(place, 0), dtype="bool", weak=True)

    def lacks(self, key: Any) -> Any:
        """``key not in table``."""
        return ops.not_(self.contains(key))

    def has_place(self, place: Any, then: Callable, orelse: Callable) -> Any:
        """What is done by whether a key has a place."""
        if isinstance(place, int):
            return then() if place >= 0 else orelse()
        return ops.cond(ops.greater_equal(place, 0), then, orelse)

    def place_of(self, key: Any) -> Any:
        """The place of a key that has one.

        Raises:
            KeyError: it has none; if only the run can tell, when it runs.
        """
        place = self.find(key)

        def missing() -> NoReturn:
            raise KeyError(key)

        self.has_place(place, lambda: None, missing)
        return place

    # -- what all of them do ----------------------------------------------------------------------

    @property
    def length(self) -> Any:
        """How many keys there are, a symbolic int if only the run can tell."""
        self.refuse_texts()
        return self.order.length

    def refuse_texts(self) -> None:
        """Refuse any use of a table in which only the run knows which texts are keys: they are not
        looked for, and what they stand for would be of one type."""
        # Of a table that is in another one the order is in a pool, where there are no texts.
        rows = self.order._rows if type(self.order) is TrackedList else None
        if rows is not None and holds_text(rows.structure):
            raise refused_key()

    @property
    def is_seen(self) -> bool:
        """Whether all keys are known."""
        return is_known(self.order)

    def known_keys(self) -> list[Any]:
        """The keys, for Python's own iteration.

        Raises:
            ConcreteValueError: only the run knows them.
        """
        if not self.is_seen:
            raise located_error(
                ConcreteValueError,
                f"Python goes through a {self.kind.__name__} here whose keys are known only when "
                "the program runs",
                id="AG0309",
                fix="loop over it with a `for` statement",
            )
        return list(list.__iter__(self.order))

    def counted(self) -> Callable[[], Any]:
        """What counts the keys again, of which there may be neither more nor fewer.

        Raises:
            RuntimeError: there are, when the program runs.
        """
        count = self.length

        def again() -> Any:
            if isinstance(count, int) and isinstance(self.length, int):
                if self.length != count:
                    raise RuntimeError(self.changed)
                return count
            same = ops.equal(self.length, count)
            effects.check(same, error="RuntimeError", message=self.changed)
            return count

        return again

    def __len__(self) -> int:
        return self.length.__index__()

    def __bool__(self) -> bool:
        return len(self) > 0

    def __contains__(self, key: Any) -> bool:
        found = self.contains(key)
        return found if isinstance(found, bool) else found.__bool__()

    def __iter__(self) -> Iterator[Any]:
        return self.each_known(list(self.known_keys()).__getitem__)

    def each_known(self, item: Callable[[Any], Any]) -> Iterator[Any]:
        """What is at each place, for Python's own iteration.

        Raises:
            ConcreteValueError: see `known_keys`.
            RuntimeError: there are more or fewer keys when the next one is asked for.
        """
        self.known_keys()
        return self._each_known(item)

    def _each_known(self, item: Callable[[Any], Any]) -> Iterator[Any]:
        again = self.counted()
        for place in range(len(self)):
            again()
            yield item(place)
        again()

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ops.not_(same)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict) -> Any:
        memo[id(self)] = made = self.copy()
        return made

    def __copy__(self) -> Any:
        return self.copy()

    def copy(self) -> Any:
        raise NotImplementedError

    @staticmethod
    def of_python(**parts: Any) -> Any:
        """What a caller gets, of the lists that make a table."""
        raise NotImplementedError

    def plain(self) -> Any:
        """What it is in Python, if all keys are known."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return repr(self.plain())


def refused_key() -> Exception:
    return located_error(
        ConcreteValueError,
        "a traced value is used as a key beside keys that are no integers",
        id="AG0304",
        fix="use integers, or tuples of as many integers, as keys",
    )


@raises_as_python
def _require_numbers(key: Any) -> None:
    """Refuse a key that is neither a number nor made of such, if only the run knows it, and what
    is no key at all."""
    for leaf in leaves_of(key):
        if not isinstance(leaf, GraphArray):
            continue
        if leaf.ndim or leaf.is_array:
            hash(leaf)  # which is refused
        if leaf.dtype.kind == "f":
            message = "a key is NaN, which Python finds by which object it is"
            effects.check(ops.equal(leaf, leaf), error="ValueError", message=message)
        elif leaf.dtype.kind not in "bi":
            raise located_error(
                ConcreteValueError,
                f"a traced {leaf.dtype} is used as a key",
                id="AG0581",
                fix="use an integer, as in d[int(x)]",
            )
    if not isinstance(key, tuple) and is_known(key):
        hash(key)


def _require_same_kind(kind: str, part: ArrayType | None) -> None:
    """Refuse to look for an integer among floats, and a float among integers."""
    if part is None or (kind == "f") == (part.dtype.kind == "f"):
        return
    given, others = ("float", "integers") if kind != "f" else ("integer", "floats")
    raise located_error(
        ConcreteValueError,
        f"a traced {given} is used as a key beside {others}",
        id="AG0581",
        fix="make all keys of one type, as in d[float(x)]",
    )


def flattened(table: KeyTable) -> tuple:
    return tuple(getattr(table, name) for name in slots_of(type(table))), type(table)


def unflattened(kind: Any, parts: Iterable[Any]) -> KeyTable:
    made = object.__new__(kind)
    for name, part in zip(slots_of(kind), parts):
        setattr(made, name, part)
    return made


def delivered(kind: type[KeyTable], parts: Iterable[Any]) -> Any:
    """What a caller gets for a table, of what makes it."""
    return kind.of_python(**dict(zip(slots_of(kind), parts)))


def register(kind: type[KeyTable]) -> None:
    """Let optree take tables apart."""
    optree.register_pytree_node(
        kind,
        flattened,  # type: ignore[arg-type]
        unflattened,
        namespace=optree.registry.__GLOBAL_NAMESPACE,
    )
