"""Which transforms what is recorded is for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograph.errors import UnboundAxisError
from autograph.staging.ground.errors import user_location

Kept = str | int | tuple[str, int] | None  # see `Transformed`


class Transformed:
    """The transforms around what is being recorded.

    Attributes:
        derivatives: how many derivatives will be taken of it; functions with custom derivatives
            ask for it.
        lanes: how many axes of lanes it is batched over.
        axes: those of them that have names, with their sizes.
        graphs: how many graphs that are given to transforms it is inside of.
        checkpointed_loops: how many of their states loops keep, see `autograph.checkpoint`; or
            ("memory", bytes), what they may keep together.
    """

    def __init__(self) -> None:
        self.derivatives = 0
        self.lanes = 0
        self.graphs = 0
        self.axes: dict[Any, Any] = {}
        self.checkpointed_loops: Kept = None

    @contextmanager
    def axis(self, name: Any, size: Any) -> Iterator[None]:
        """What is recorded inside is for one of ``size`` lanes, whose axis may have a name."""
        before = dict(self.axes)
        self.lanes += 1
        if name is not None:
            self.axes[name] = size
        try:
            yield
        finally:
            self.axes = before
            self.lanes -= 1

    @contextmanager
    def expecting(self, derivatives: int) -> Iterator[None]:
        """Of what is recorded inside so many derivatives will be taken."""
        before, self.derivatives = self.derivatives, derivatives
        try:
            yield
        finally:
            self.derivatives = before

    @contextmanager
    def graph(self) -> Iterator[None]:
        """What is recorded inside is a graph that a transform is given."""
        self.graphs += 1
        try:
            yield
        finally:
            self.graphs -= 1

    def axis_size(self, name: Any) -> Any:
        """How many lanes there are in the axis of that name.

        Raises:
            UnboundAxisError: the function is not batched over such an axis.
        """
        if name not in self.axes:
            known = ", ".join(map(repr, self.axes)) or "none"
            raise UnboundAxisError(
                f"there is no axis of lanes named {name!r} here; there is {known}",
                user_location(),
                fix=f"batch the function by vmap(..., axis_name={name!r})",
            )
        return self.axes[name]
