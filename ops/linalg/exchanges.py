"""Orders of rows as LAPACK gives them: which row is exchanged with which, step by step."""

from __future__ import annotations

import numpy as np

from ops.core.registry import Custom
from ops.core.types import ArrayType
from ops.structure.lanes import with_same_attributes

__all__ = ["exchanges_of_order", "order_of_exchanges"]


def exchanged(x, i, place):
    """Vectors whose element ``i`` is exchanged with that at a place of its own in each."""
    at = np.arange(x.shape[-1])
    return np.take_along_axis(x, np.where(at == i, place, np.where(at == place, i, at)), -1)


def steps_to(order, steps):
    """The exchanges that lead to an order of rows."""
    rows = np.broadcast_to(np.arange(order.shape[-1]), order.shape)
    found = np.zeros((*order.shape[:-1], steps), np.int32)
    for i in range(steps):
        place = np.argmax(rows == order[..., i : i + 1], axis=-1)[..., None]
        found[..., i : i + 1] = place
        rows = exchanged(rows, i, place)
    return found


def order_after(exchanges, rows):
    """The order that exchanges lead to."""
    order = np.broadcast_to(np.arange(rows), (*exchanges.shape[:-1], rows))
    for i in range(exchanges.shape[-1]):
        order = exchanged(order, i, exchanges[..., i : i + 1])
    return order


exchanges_of_order = Custom(
    "exchanges_of_order",
    lambda order, steps: (ArrayType(np.dtype(np.int32), (*order.shape[:-1], steps)),),
    "steps_to({0}, {steps})",
    differentiable=False,
    helpers=[exchanged, steps_to],
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="""The exchanges that lead to an order of rows, as in LAPACK's ``getrf``, counted from 0.

    Args:
        order: ``(..., m)``: for each row, which one it was.
        steps: how many exchanges lead there: number ``i`` is that of row ``i`` with one behind it.

    Returns:
        ``(..., steps)``, int32: with which row the ``i``-th is exchanged.
    """,
)

order_of_exchanges = Custom(
    "order_of_exchanges",
    lambda exchanges, rows: (ArrayType(np.dtype(np.intp), (*exchanges.shape[:-1], rows)),),
    "order_after({0}, {rows})",
    differentiable=False,
    raises=True,
    errors=(IndexError,),
    helpers=[exchanged, order_after],
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="""The order of rows that exchanges lead to; the inverse of `exchanges_of_order`.

    Args:
        exchanges: ``(..., steps)``, integers from 0 below ``rows``.
        rows: how many rows there are.

    Raises:
        IndexError: an exchange is with a row that is not there.
    """,
)
