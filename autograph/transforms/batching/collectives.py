"""Batching of the operators in which lanes meet: they are gone once their lanes are an axis."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import ops
from autograph.errors import BatchingError
from autograph.graph.builder import copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.transforms.batching.engine import Batch, one_lane
from ops.control.collectives import lane_number


def all_gather(batch: Batch, node: Node) -> None:
    def other(value: Value) -> Value:  # the other lanes come first
        return ops.moveaxis(node.op.apply([value], node.attrs), 1, 0)

    _over(batch, node, lambda value: value, other)


def psum_scatter(batch: Batch, node: Node) -> None:
    def other(value: Value) -> Value:
        return node.op.apply([ops.moveaxis(value, 0, 1)], node.attrs)

    _over(batch, node, lambda value: ops.sum(value, axis=0), other)


def psum(batch: Batch, node: Node) -> None:
    _over(batch, node, lambda value: ops.sum(value, axis=0))


def pmax(batch: Batch, node: Node) -> None:
    _over(batch, node, lambda value: ops.max(value, axis=0))


def pmin(batch: Batch, node: Node) -> None:
    _over(batch, node, lambda value: ops.min(value, axis=0))


def broadcast(batch: Batch, node: Node) -> None:
    lane, type = Constant(node.attrs["lane"]), node.outputs[0].type
    _over(batch, node, lambda value: one_lane(value, lane, type))


def psum_to(batch: Batch, node: Node) -> None:
    def own(value: Value) -> Value:
        is_there = np.arange(_size(batch)) == node.attrs["lane"]
        total = ops.broadcast_to(ops.sum(value, axis=0), ops.lengths_of(value))
        return ops.where(batch.aligned(Constant(is_there), value.type.ndim - 1), total, 0)

    _over(batch, node, own)


def ppermute(batch: Batch, node: Node) -> None:
    pairs = node.attrs["pairs"]

    def own(value: Value) -> Value:
        from_lane, has_source = np.zeros(_size(batch), np.intp), np.zeros(_size(batch), bool)
        for source, target in pairs:
            from_lane[target], has_source[target] = source, True
        moved = ops.take(value, from_lane, axis=0)
        if has_source.all():
            return moved
        return ops.where(batch.aligned(Constant(has_source), value.type.ndim - 1), moved, 0)

    _over(batch, node, own)


def exchange(batch: Batch, node: Node) -> None:
    def other(value: Value) -> Value:
        return ops.moveaxis(node.op.apply([ops.moveaxis(value, 0, 1)], node.attrs), 1, 0)

    _over(batch, node, lambda value: ops.swapaxes(value, 0, 1), other)


def _size(batch: Batch) -> int:
    """How many lanes there are, which is known where one of them is told by its number."""
    assert isinstance(batch.size, int)
    return batch.size


def _over(
    batch: Batch,
    node: Node,
    own: Callable[[Value], Value],
    other: Callable[[Value], Value] | None = None,
) -> None:
    """Batch an operator in which the lanes of an axis meet.

    Args:
        own: what it is where these lanes meet, of an array that has them first.
        other: what it is where others do; by default the same operator.
    """
    (value,) = node.inputs
    (output,) = node.outputs
    if node.attrs["axis_name"] == batch.axis_name:
        batch.define(output, own(batch.with_lanes(value)))
        return
    _refuse_others(batch, node)
    if value not in batch.varying:
        copy_node(current_builder(), node, batch.env)
    elif other is not None:
        batch.define(output, other(batch.read(value)))
    else:
        batch.define(output, node.op.apply([batch.read(value)], node.attrs))


def number_lanes(batch: Batch, graph: Graph, axis_name: object) -> None:
    """Say what `ops.axis_index` gives, wherever it stands in a graph: lanes that take a branch know
    their numbers as they know anything else."""
    nodes = [node for node in walk(graph) if node.op is lane_number]
    own = [node for node in nodes if node.attrs["axis_name"] == axis_name]
    if own:
        size = batch.size
        lanes = Constant(np.arange(size)) if isinstance(size, int) else ops.positions(size.value)
        for node in own:
            batch.given(node.outputs[0], lanes)


def axis_index(batch: Batch, node: Node) -> None:
    if node.outputs[0] not in batch.env:
        _refuse_others(batch, node)
        copy_node(current_builder(), node, batch.env)


def _refuse_others(batch: Batch, node: Node) -> None:
    if batch.axis_name is None:
        raise BatchingError(
            f"lanes of the axis {node.attrs['axis_name']!r} would meet at a place where only some "
            "of them come: in a branch, a loop or a recursive function",
            node.location,
            id="AG0544",
            fix="let them meet before or after it",
        )
