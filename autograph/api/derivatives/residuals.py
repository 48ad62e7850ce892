"""What is known of the values that a forward pass leaves for its backward pass."""

from __future__ import annotations

from autograph.errors import Location
from autograph.graph.graph import Value
from ops.core.records import dataclass
from ops.core.symbolic_lengths import example_of
from ops.core.types import ArrayType, Type


@dataclass(frozen=True)
class KeptResidual:
    """A value that the forward pass leaves for the backward pass.

    Attributes:
        name: of the user's variable, or of the operator that computes it.
        nbytes: None if known only at run time, or if it is a container of others.
        location: where in the user's source it is computed.
    """

    name: str
    type: Type
    nbytes: int | None
    location: Location | None


def residual(value: Value) -> KeptResidual:
    """What is known of a residual when the graph is made."""
    producer = value.producer
    name = value.name or (producer.op.name if producer else "constant")
    location = producer.location if producer else None
    return KeptResidual(name, value.type, type_bytes(value.type), location)


def type_bytes(type: Type) -> int | None:
    """The bytes of the elements of an array, None if only the run knows them; of one that may have
    any length, those of the call that it was recorded for."""
    if not isinstance(type, ArrayType) or not type.is_static:
        return None
    return example_of(type.size) * type.dtype.itemsize
