"""Batched functions compared with plain Python, lane by lane."""

import numpy as np
import optree

import autograph as ag


def lane_of(tree, axes, i):
    """What lane ``i`` has of nested arrays, of which ``axes`` are those of the lanes."""
    if axes is None:
        return tree
    if isinstance(axes, int):
        return optree.tree_map(lambda x: np.moveaxis(x, axes, 0)[i], tree)
    return type(tree)(lane_of(t, a, i) for t, a in zip(tree, axes))


def count_of(tree, axes):
    """How many lanes nested arrays have; None if there are none."""
    if axes is None:
        return None
    if isinstance(axes, int):
        return optree.tree_leaves(tree)[0].shape[axes]
    return next((n for t, a in zip(tree, axes) if (n := count_of(t, a)) is not None), None)


def by_lane(function, args, in_axes=0):
    """What ``function`` gives for each lane, stacked."""
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    results = [function(*lane_of(args, axes, i)) for i in range(count_of(args, axes))]
    return optree.tree_map(lambda *xs: np.stack([np.asarray(x) for x in xs]), *results)


def assert_same(found, wanted, rtol=1e-12, atol=1e-12):
    """Nested arrays are equal, with their dtypes and shapes."""
    found_leaves, found_spec = optree.tree_flatten(found)
    leaves, spec = optree.tree_flatten(wanted)
    assert found_spec == spec
    for x, y in zip(found_leaves, leaves):
        assert isinstance(x, np.ndarray), x
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        np.testing.assert_allclose(x, y, rtol, atol)


def check_vmap(function, *args, in_axes=0, derivatives=True):
    """`vmap` of a function does what Python does for each lane; so do its derivatives.

    With ``derivatives`` by the first argument, an array with lanes: reverse mode inside and around
    the batching, and forward mode.
    """
    wanted = by_lane(function, args, in_axes)
    assert_same(ag.vmap(function, in_axes)(*args), wanted)
    if not derivatives:
        return

    def loss(*args):
        return sum(np.sum(np.sin(leaf)) for leaf in optree.tree_leaves(function(*args)))

    gradient = ag.grad(loss)
    wanted = by_lane(gradient, args, in_axes)
    assert_same(ag.vmap(gradient, in_axes)(*args), wanted)

    def total(x):
        return np.sum(ag.vmap(loss, in_axes)(x, *args[1:]))

    axis = in_axes[0] if isinstance(in_axes, tuple) else in_axes
    assert_same(np.moveaxis(ag.grad(total)(args[0]), axis, 0), wanted)
    _, change = ag.jvp(total, (args[0],), (np.ones_like(args[0]),))
    np.testing.assert_allclose(change, np.sum(wanted), 1e-10)
    ag.check_grads(total, (args[0],), order=2, rtol=1e-4, atol=1e-4)
