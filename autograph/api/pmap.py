"""`pmap`: `shard_map` with an item of each array for each part, as `vmap` is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import remembered, site_of, transformed
from autograph.api.function import GraphFunction
from autograph.api.shard_map import shard_map
from autograph.api.trees import flatten, leaf_type, mapped
from autograph.errors import MeshError
from autograph.parallel.mesh import Mesh
from autograph.parallel.sharded import ShardedArray
from autograph.parallel.specs import P


@leaves_compiler
def pmap(
    function: Callable, axis_name: str = "i", in_axes: Any = 0, mesh: Mesh | None = None
) -> GraphFunction[..., Any]:
    """A function that all parts of a mesh of one axis run together, each with its item of the
    arguments.

    It is `autograph.shard_map` for those who know ``jax.pmap``: the first axis of each argument has
    an item for each part, which the function does not see, and the results have such an axis.

    Args:
        function: a Python function, plain or converted, of positional arguments.
        axis_name: of the axis along which the parts meet in `ops.psum` and the like.
        in_axes: 0 for arguments that have an item for each part, None for those that all parts have
            alike; or a tuple with one for each argument.
        mesh: the parts; by default, as many lanes of this process as the arguments have items.

    Returns:
        A compiled function. Its results are `ShardedArray`, with an item of each part.

    Raises:
        MeshError: the mesh has several axes, or the arguments have other numbers of items.

    Examples:
        >>> share = ag.pmap(lambda x: x / ops.psum(x, "i"), axis_name="i")
        >>> np.asarray(share(np.array([1.0, 2.0, 5.0])))
        array([0.125, 0.25 , 0.625])
    """
    if mesh is not None and list(mesh.shape) != [axis_name]:
        raise MeshError(
            f"pmap() is given {mesh!r}, whose axis is not {axis_name!r}",
            site_of(function),
            fix=f"give it a mesh of that axis, or use ag.shard_map: ag.Mesh.lanes({axis_name}=2)",
        )
    axes = tuple(in_axes) if isinstance(in_axes, (tuple, list)) else in_axes
    wrong = [
        axis for axis in (axes if isinstance(axes, tuple) else (axes,)) if axis not in (0, None)
    ]
    if wrong:
        raise MeshError(
            f"in_axes of pmap() holds {wrong[0]!r}; it is 0 or None for each argument",
            site_of(function),
            fix="move that axis to the front: np.moveaxis(x, axis, 0)",
        )
    return _pmap(function, axis_name, axes, mesh)


@remembered
def _pmap(function: Callable, axis_name: str, in_axes: Any, mesh: Mesh | None) -> GraphFunction:
    def parallel(*args: Any) -> Any:
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        parts = Mesh.lanes(**{axis_name: _count(function, args, axes)}) if mesh is None else mesh

        def one(*items: Any) -> Any:
            own = [
                item if axis is None else mapped(lambda x: x[0], item)
                for item, axis in zip(items, axes)
            ]
            return mapped(lambda x: x if leaf_type(x) is None else x[None], function(*own))

        specs = tuple(P() if axis is None else P(axis_name) for axis in axes)
        return shard_map(one, parts, specs, P(axis_name))(*args)

    return transformed(parallel, function, "pmap")


def _count(function: Callable, args: tuple, axes: tuple) -> int:
    """How many items the arguments have."""
    for arg, axis in zip(args, axes):
        leaves = [] if axis is None else flatten(arg)[0]
        for leaf in leaves:
            shape = leaf.shape if isinstance(leaf, ShardedArray) else getattr(leaf, "shape", ())
            if shape and isinstance(shape[0], int):
                return shape[0]
    raise MeshError(
        "no argument of pmap() tells how many parts there are",
        site_of(function),
        fix="give an array with an item for each part, or a mesh",
    )
