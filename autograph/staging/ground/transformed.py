"""Which transforms what is recorded is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from autograph.errors import BatchingError, UnboundAxisError
from autograph.graph.variance import control, on_a_mesh
from autograph.staging.ground.errors import user_location
from ops.control.meshes import MeshAxis

Kept = str | int | tuple[str, int] | None  # see `Transformed`


class Transformed:
    """The transforms around what is being recorded.

    Attributes:
        derivatives: how many derivatives will be taken of it; functions with custom derivatives
            ask for it.
        lanes: how many axes of lanes it is batched over.
        graphs: how many graphs that are given to transforms it is inside of.
        axes: those of them that have names, and those of a mesh, with their sizes. The keys are
            what operators have for them.
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
        before = self.axes
        self.lanes += 1
        if name is not None:
            self.axes = {**_without(before, {name}), name: size}
        try:
            yield
        finally:
            self.axes = before
            self.lanes -= 1

    @contextmanager
    def mesh(self, sizes: Mapping[str, int], processes: bool = False) -> Iterator[None]:
        """What is recorded inside is for one part of a mesh whose axes have these sizes."""
        before = self.axes
        of = tuple(sizes.items()) if processes else ()
        axes = {MeshAxis(name, of): size for name, size in sizes.items()}
        self.axes = {**_without(before, sizes.keys()), **axes}
        try:
            with on_a_mesh(axes):
                yield
        finally:
            self.axes = before

    @property
    def has_mesh(self) -> bool:
        """Whether what is recorded is for one part of a mesh."""
        return any(isinstance(axis, MeshAxis) for axis in self.axes)

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

    def axis_called(self, name: Any, meets: bool) -> Any:
        """What operators have for the axis that the user calls so.

        Args:
            meets: whether lanes or parts meet there.

        Raises:
            UnboundAxisError: the function is not for such an axis.
            BatchingError: some parts of the mesh may not come here.
        """
        axis = self._axis(name)
        if meets and isinstance(axis, MeshAxis) and axis.name in control():
            raise BatchingError(
                f"the parts of a mesh would meet along {axis.name!r} at a place where some of them "
                "may not come: a test, or a number of trips, before it differs between them",
                user_location(),
                id="AG0544",
                fix="let them meet before or after it, or make the test the same for all: "
                f"ops.pmax(..., {axis.name!r})",
            )
        return axis

    def axis_size(self, name: Any) -> Any:
        """How many lanes, or parts, there are in the axis of that name.

        Raises:
            UnboundAxisError: the function is not for such an axis.
        """
        return self.axes[self._axis(name)]

    def _axis(self, name: Any) -> Any:
        for axis in self.axes:
            if name in (axis, _name(axis)):
                return axis
        known = ", ".join(repr(_name(axis)) for axis in self.axes) or "none"
        raise UnboundAxisError(
            f"there is no axis of lanes named {_name(name)!r} here; there is {known}",
            user_location(),
            fix=f"batch the function by vmap(..., axis_name={_name(name)!r})",
        )


def _name(axis: Any) -> Any:
    return axis.name if isinstance(axis, MeshAxis) else axis


def _without(axes: Mapping[Any, Any], names: Any) -> dict[Any, Any]:
    """The axes but for those that are hidden by others of the same names."""
    return {axis: size for axis, size in axes.items() if _name(axis) not in names}
