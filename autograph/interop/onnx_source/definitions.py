"""Operators that ONNX defines by others: where there is no function of ours, its definition is put
in the place of the node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from autograph.interop.onnx_source import operators
from autograph.interop.onnx_source.control import CONTROL
from autograph.interop.onnx_source.reading import all_nodes, domain_of

Operator: TypeAlias = tuple[str, str]  # its domain and its name

_DEEPEST = 4  # definitions by what is defined itself


def missing(model: Any, opsets: Mapping[str, int]) -> list[Operator]:
    """The operators of a model that have neither a function of ours nor of the model."""
    own = {(domain_of(f), f.name) for f in model.functions}
    used = {(domain_of(node), node.op_type) for node in all_nodes(model.graph)}
    for function in model.functions:
        used |= {(domain_of(node), node.op_type) for node in all_nodes(function)}
    version = opsets.get("", 0)
    return [
        (domain, name) for domain, name in sorted(used - own) if domain or not _has(name, version)
    ]


def _has(name: str, version: int) -> bool:
    return name == "Constant" or name in CONTROL or operators.find(name, version) is not None


def is_defined(onnx: Any, operator: Operator, opsets: Mapping[str, int]) -> bool:
    """Whether ONNX defines an operator by others."""
    domain, name = operator
    try:
        schema = onnx.defs.get_schema(name, opsets.get(domain, 1), domain)
    except onnx.defs.SchemaError:
        return False
    return bool(schema.has_function or schema.has_context_dependent_function)


def with_definitions(onnx: Any, model: Any, opsets: Mapping[str, int]) -> Any:
    """A model with definitions in the place of what has no function of ours."""
    for _ in range(_DEEPEST):
        wanted = [name for name in missing(model, opsets) if is_defined(onnx, name, opsets)]
        if not wanted:
            break
        try:
            model = onnx.inliner.inline_selected_functions(
                model, wanted, inline_schema_functions=True
            )
        except Exception:  # a TypeError of older versions, others where types are not known
            break
    return model
