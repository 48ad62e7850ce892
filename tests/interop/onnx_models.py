"""The models that the package onnx has for tests of backends, and small ones made for ours."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"
KINDS = ("simple", "pytorch-converted", "pytorch-operator")

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


@functools.cache
def folders() -> dict[str, Path]:
    """The folders of models with what they are to give, by name."""
    found = [path for kind in KINDS for path in sorted((DATA / kind).iterdir())]
    return {path.name.removeprefix("test_"): path for path in found}


def light() -> dict[str, Path]:
    """Networks whose weights are constants."""
    return {path.stem.removeprefix("light_"): path for path in sorted(DATA.glob("light/*.onnx"))}


def tensor(path: Path) -> np.ndarray:
    """The array in a file."""
    found = TensorProto()
    found.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(found)


def data_sets(folder: Path) -> list[tuple[list[np.ndarray], list[np.ndarray]]]:
    """Inputs and outputs of a model."""
    found = []
    for path in sorted(folder.glob("test_data_set_*")):
        pair = []
        for what in ("input", "output"):
            count = len(list(path.glob(f"{what}_*.pb")))
            pair.append([tensor(path / f"{what}_{i}.pb") for i in range(count)])
        found.append((pair[0], pair[1]))
    return found


def assert_outputs(found: Any, expected: list[np.ndarray], rtol: float = 1e-3) -> None:
    """The outputs of a model, one or several."""
    found = found if isinstance(found, tuple) else (found,)
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected):
        theirs = np.asarray(theirs)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=1e-6)


# -- models of a few nodes -------------------------------------------------------------------------


def array(name: str, data: Any, dtype: Any = np.float32) -> TensorProto:
    """An initializer."""
    return numpy_helper.from_array(np.array(data, dtype), name)


def of_floats(name: str, *shape: Any) -> Any:
    """What an input or output is."""
    return helper.make_tensor_value_info(name, FLOAT, shape)


def model(
    nodes: list[Any],
    inputs: list[Any],
    outputs: list[Any],
    initializers: Any = (),
    opset: int = 21,
    functions: Any = (),
    name: str = "g",
) -> onnx.ModelProto:
    """A model."""
    graph = helper.make_graph(nodes, name, inputs, outputs, list(initializers))
    opsets = [
        helper.make_opsetid("", opset),
        *[helper.make_opsetid("own", 1) for _ in functions[:1]],
    ]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, functions=list(functions))
