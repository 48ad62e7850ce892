"""Models of ONNX, checked and run by ONNX Runtime."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import onnxruntime

import autograph as ag
from tests.export.results import assert_same, leaves_of

onnxruntime.set_default_logger_severity(4)  # errors are raised as well


def feeds_of(made: onnx.ModelProto, function: Callable, args: tuple) -> dict[str, np.ndarray]:
    """What a model takes: what its inputs' names, as expressions, are of the arguments."""
    names = dict(enumerate(args))
    given = {f"argument {i}": arg for i, arg in names.items()}
    try:
        given |= inspect.signature(function).bind(*args).arguments
    except (TypeError, ValueError):  # of what takes anything
        pass
    types = {i.name: i.type.tensor_type.elem_type for i in made.graph.input}
    found = {}
    for name, kind in types.items():
        value = given[name] if name in given else eval(name, {}, given)
        found[name] = np.asarray(value, onnx.helper.tensor_dtype_to_np_dtype(kind))
    return found


def session(made: onnx.ModelProto) -> Any:
    """What runs a model; the model is checked first."""
    onnx.checker.check_model(made, full_check=True)
    assert all(opset.version >= 21 for opset in made.opset_import)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    providers = ["CPUExecutionProvider"]
    return onnxruntime.InferenceSession(made.SerializeToString(), options, providers=providers)


def run(made: onnx.ModelProto, function: Callable, args: tuple) -> list[np.ndarray]:
    """The results of a model."""
    return session(made).run(None, feeds_of(made, function, args))


def check(function: Callable, *args: Any) -> onnx.ModelProto:
    """A function's model, which does what Python does."""
    made = ag.export.onnx(function, *args)
    with np.errstate(all="ignore"):
        expected = leaves_of(function(*args))
    assert_same(run(made, function, args), expected)
    return made
