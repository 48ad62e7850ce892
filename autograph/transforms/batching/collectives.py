"""Batching of the operators in which lanes meet: they are gone once their lanes are an axis."""

from __future__ import annotations

import numpy as np

import ops
from autograph.errors import BatchingError
from autograph.graph.builder import copy_node, current_builder
from autograph.graph.graph import Constant, Graph, Node, walk
from autograph.transforms.batching.engine import Batch
from ops.control.collectives import lane_number


def all_gather(batch: Batch, node: Node) -> None:
    (value,) = node.inputs
    (output,) = node.outputs
    if node.attrs["axis_name"] == batch.axis_name:
        batch.define(output, batch.with_lanes(value))
        return
    _refuse_others(batch, node)
    if value not in batch.varying:
        copy_node(current_builder(), node, batch.env)
        return
    gathered = node.op.apply([batch.read(value)], node.attrs)  # the other lanes come first
    batch.define(output, ops.moveaxis(gathered, 1, 0))


def psum_scatter(batch: Batch, node: Node) -> None:
    (value,) = node.inputs
    (output,) = node.outputs
    if node.attrs["axis_name"] == batch.axis_name:
        batch.define(output, ops.sum(batch.with_lanes(value), axis=0))
        return
    _refuse_others(batch, node)
    if value not in batch.varying:
        copy_node(current_builder(), node, batch.env)
        return
    rows_first = ops.moveaxis(batch.read(value), 0, 1)
    batch.define(output, node.op.apply([rows_first], node.attrs))


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
