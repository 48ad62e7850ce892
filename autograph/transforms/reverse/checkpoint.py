"""Derivatives of checkpointed regions: computed again instead of kept.

The forward pass runs the region and leaves nothing but what a policy wants kept. The backward pass
first runs it again, from the values that it captures, and then goes back through it. Both are
checkpoints themselves: in the derivative of a derivative nothing is kept either.

    F:  y, kept = checkpoint { the region }
    B:  ct_x = checkpoint { x' = recompute(x); the region of x', with the kept values; backwards }

`ops.control.regions.recompute` keeps simplification from taking the second run for the first one.
What has an effect runs only in F, see `autograph.transforms.reverse.replay`.
"""

from __future__ import annotations

import itertools
from collections import ChainMap
from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.wiring import wiring
from autograph.transforms.analysis.activity import active_values, useful_values
from autograph.transforms.reverse.masks import Mask
from autograph.transforms.reverse.regions import d
from autograph.transforms.reverse.replay import Env, Policy, record, replay
from autograph.transforms.reverse.tape import Step, Tape
from ops.control import regions

# For each recording, by the builder of its graph: the keys for what is computed again.
_keys: WeakKeyDictionary[Builder, Iterator[int]] = WeakKeyDictionary()


def checkpoint(tape: Tape, node: Node, env: Env) -> Step:
    (region,) = wiring(node).runs
    policy = node.attrs["policy"]
    builder = current_builder()
    inner: Env = ChainMap({}, env)
    with Builder(region.name) as body:
        kept = record(region, inner, policy)
        forward = body.finish([*kept, *(inner.get(v, v) for v in region.outputs)])
    results = [*kept, *node.outputs]
    types, names = [v.type for v in results], [v.name for v in results]
    added = builder.add(node.op, [], node.attrs, types, [forward], names)
    kept, outputs = added[: len(kept)], added[len(kept) :]
    env.update(zip(node.outputs, outputs))

    def pull(cotangents: Sequence[Value | None]) -> Iterable[tuple[Value, Value]]:
        # Masks go in and come out, so that no NaN leaks that would not leak without a checkpoint.
        # They are computed outside of the region, or are further results of it.
        masks = [tape.masks.of(ct) for ct in cotangents]
        chosen = [None if mask is None else mask.value for mask in masks]
        with Builder(f"{region.name}_backward") as body:
            again: Env = ChainMap({}, env)
            anew([*region.captures, *kept], again)
            graph = _replayed(region, again, [again[v] for v in kept], policy)
            wanted = [v for v in region.captures if v in tape.active]
            active = active_values(graph, [again[v] for v in wanted])
            inner = Tape(active & useful_values(graph))
            for ct, mask, value in zip(cotangents, masks, chosen):
                if mask is not None and value is not None:
                    inner.masks.give(ct, _known(value, mask))
            inner.forward(graph, {})
            found = inner.backward(zip(graph.outputs, cotangents), [again[v] for v in wanted])
            pairs = [(v, ct, inner.masks.of(ct)) for v, ct in zip(wanted, found) if ct is not None]
            masked = [mask for _, _, mask in pairs if mask is not None]
            backward = body.finish([*(ct for _, ct, _ in pairs), *(m.value for m in masked)])
        names = [*(d(v) for v, _, _ in pairs), *(None for _ in masked)]
        types = [v.type for v in backward.outputs]
        results = current_builder().add(node.op, [], node.attrs, types, [backward], names)
        values = iter(results[len(pairs) :])
        for (_, _, mask), ct in zip(pairs, results):
            if mask is not None:
                tape.masks.give(ct, _known(next(values), mask))
        return [(v, ct) for (v, _, _), ct in zip(pairs, results)]

    return Step(node, pull, masked=True)


def _known(value: Value, mask: Mask) -> Mask:
    """A mask that is computed already."""
    return Mask(lambda: value, mask.scalar, mask.dirty)


def anew(values: Iterable[Value], env: Env) -> None:
    """Let ``env`` map the values to their copies of the forward pass, to compute from them again
    what has been computed from them before."""
    root = current_builder()
    while root.parent is not None:
        root = root.parent
    key = next(_keys.setdefault(root, itertools.count()))
    for value in values:
        copy = env.get(value, value)
        env[value] = copy if isinstance(copy, Constant) else regions.recompute(copy, key=key)


def _replayed(region: Graph, env: Env, kept: Sequence[Value], policy: Policy) -> Graph:
    """The region, run again, as a graph of its own. It captures what ``env`` has for its captures,
    and what was kept."""
    with Builder(region.name) as builder:
        replay(region, env, kept, policy)
        return builder.finish([env.get(v, v) for v in region.outputs])
