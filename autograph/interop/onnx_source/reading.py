"""A checked model out of a file, bytes or memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from autograph.interop.onnx_source.refusals import malformed, refuse, shown

# The versions of the operator set whose meaning the functions of `onnx_operators` have.
OLDEST, NEWEST = 6, 28


def read(onnx: Any, model: Any) -> Any:
    """A model as an ``onnx.ModelProto``.

    Raises:
        LoadError: it is none, or not a whole one.
        OSError: the file cannot be read.
    """
    found = _found(onnx, model)
    _require_texts(found)
    return found


def _found(onnx: Any, model: Any) -> Any:
    if isinstance(model, onnx.ModelProto):
        return model
    if isinstance(model, (bytes, bytearray, memoryview)):
        return _parsed(lambda: onnx.load_model_from_string(bytes(model)), "the bytes")
    if not isinstance(model, (str, os.PathLike)):
        raise malformed(f"a {type(model).__name__} is no model, nor its path or bytes")
    path = os.fspath(model)
    return _parsed(lambda: onnx.load(path), f"the file {path!r}")


def _parsed(load: Any, what: str) -> Any:
    try:
        return load()
    except OSError:
        raise
    except Exception as error:  # of classes of protobuf and of onnx
        message = f"{what} cannot be read as a model of ONNX: {shown(str(error), 200)}"
        raise malformed(message) from None


_TEXT, _MESSAGE = 9, 11  # of protobuf's types of fields


def _require_texts(message: Any) -> None:
    """Names that are no texts come from files with wrong bytes."""
    for field, value in message.ListFields():
        if field.type in (_TEXT, _MESSAGE):
            is_one = isinstance(value, (str, bytes)) or hasattr(value, "ListFields")
            for item in (value,) if is_one else value:
                if isinstance(item, bytes):
                    raise malformed(f"the model holds the name {shown(item)}, which is no text")
                if field.type == _MESSAGE:
                    _require_texts(item)


def versions(opsets: Any) -> dict[str, int]:
    """The version of the operator set of each domain; that of ONNX itself is "".

    Raises:
        UnsupportedFunctionError: that of ONNX itself is older or newer than what is known.
    """
    found = {_domain(opset.domain): opset.version for opset in opsets}
    version = found.get("", NEWEST)
    if not OLDEST <= version <= NEWEST:
        raise refuse(
            f"the model uses the operator set {version} of ONNX; {OLDEST} to {NEWEST} are known",
            f"convert it with onnx.version_converter.convert_version(model, {NEWEST})",
        )
    return found


def _domain(name: str) -> str:
    return "" if name == "ai.onnx" else name


def domain_of(node: Any) -> str:
    """The domain of a node's operator; ONNX's own is ""."""
    return _domain(node.domain)


def check(onnx: Any, model: Any) -> None:
    """Check what `onnx.checker` does: names, types of attributes, the order of nodes.

    Raises:
        LoadError: something is wrong.
    """
    if not model.HasField("graph"):
        raise malformed("the model has no graph: it is cut off, or another file")
    try:
        if model.ByteSize() < 2**31:
            onnx.checker.check_model(model)
    except Exception as error:
        first = next((line for line in str(error).splitlines() if line.strip()), "")
        raise malformed(f"the model is not valid: {shown(first, 300)}") from None


def all_nodes(graph: Any) -> Iterator[Any]:
    """The nodes of a graph or function, and those of the graphs in them."""
    todo = list(graph.node)
    while todo:
        node = todo.pop()
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                todo.extend(attribute.g.node)
            for inner in attribute.graphs:
                todo.extend(inner.node)
