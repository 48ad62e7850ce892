"""Imported models of ONNX give what the package onnx says they have to."""

import collections
import re

import numpy as np
import onnx
import pytest

import autograph as ag
from autograph.errors import AutographError, UnsupportedFunctionError
from tests.interop.onnx_models import assert_outputs, data_sets, folders, light, tensor

# What is not imported: the models' names begin so, and use these operators.
REFUSED = {
    "gradient_of_add": {"ai.onnx.preview.training.Gradient"},
    "gradient_of_add_and_mul": {"ai.onnx.preview.training.Gradient"},
    "sequence_model1": {"SequenceAt", "SequenceEmpty", "SequenceInsert"},
    "sequence_model2": {"SequenceAt", "SequenceConstruct", "SequenceErase"},
    "sequence_model3": {"SequenceAt", "SequenceConstruct", "SequenceErase", "SequenceInsert"},
    "sequence_model4": {"ConcatFromSequence", "SequenceConstruct"},
    "sequence_model5": {"ConcatFromSequence", "SequenceConstruct"},
    "sequence_model6": {"SequenceLength", "SplitToSequence"},
    "sequence_model7": {"SequenceAt", "SplitToSequence"},
    "sequence_model8": {"SequenceLength", "SplitToSequence"},
    **{name: {"StringNormalizer"} for name in folders() if name.startswith("strnorm_model")},
}


def test_the_share_of_models_that_is_imported(record_property):
    """Each model without texts, sequences and optionals is imported; `test_model` runs it."""
    found = refused({name: folder / "model.onnx" for name, folder in folders().items()})
    assert found == REFUSED
    assert len(folders()) == 140 or onnx.__version__ != "1.23.2"
    operators = collections.Counter(o for used in found.values() for o in used)
    total, imported = len(folders() | light()), len(folders() | light()) - len(found)
    text = f"{imported} of {total} models of ONNX are imported; refused: {dict(operators)}"
    print(text)
    record_property("endings", text)


@pytest.mark.slow
def test_all_light_models_are_imported():
    assert not refused(light())


def refused(paths):
    """The operators because of which models are refused, by the names of the models."""
    found = {}
    for name, path in paths.items():
        try:
            ag.interop.from_onnx(path)
        except UnsupportedFunctionError as error:
            assert error.id == "AG0755" and error.fix
            found[name] = {part for i, part in enumerate(error.message.split("'")) if i % 2}
    return found


@pytest.mark.parametrize("name", sorted(folders().keys() - REFUSED.keys()))
def test_model(name):
    folder = folders()[name]
    made = ag.interop.from_onnx(folder / "model.onnx")
    for inputs, outputs in data_sets(folder):
        assert_outputs(made(*inputs), outputs)


@pytest.mark.parametrize("name", sorted(folders().keys() - REFUSED.keys()))
def test_model_as_plain_python(name):
    """The text of the program is what NumPy runs, too."""
    folder = folders()[name]
    made = uncompiled(ag.interop.from_onnx(folder / "model.onnx"))
    for inputs, outputs in data_sets(folder):
        assert_outputs(made(*inputs), outputs)


def uncompiled(made):
    """An imported model, whose class has its methods as they are written."""
    for name in ("compute", "__call__"):
        method = vars(type(made)).get(name)
        if isinstance(method, ag.GraphFunction):
            setattr(type(made), name, method.__wrapped__)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", light())
def test_light_model(name):
    """Networks as they are in use, with hundreds of nodes, whose weights are constants."""
    path = light()[name]
    made = ag.interop.from_onnx(path)
    graph = onnx.load(path).graph
    held = {given.name for given in graph.initializer}
    (shape,) = [
        [dim.dim_value for dim in given.type.tensor_type.shape.dim]
        for given in graph.input
        if given.name not in held
    ]
    x = (np.arange(np.prod(shape)).reshape(shape) / np.prod(shape)).astype(np.float32)
    assert_outputs(made(x), [tensor(path.with_name(f"{path.stem}_output_0.pb"))])


# -- the operators one by one ----------------------------------------------------------------------

EXPECTED = re.compile(
    "which NumPy does not have"
    "|is of the type (sequence|optional)"
    "|draws random numbers"
    "|'(Optional|Sequence|SplitToSequence|String|Regex|TfIdf|ImageDecoder|Random|Bernoulli)"
    "|'ai.onnx.(ml|preview)"
    "|operator set 1 of ONNX|'Scan' as it was"
    "|'(Attention|CausalConvWithState|LinearAttention)'"  # with inputs left out
    "|'(NonMaxSuppression|RoiAlign|DeformConv)'"
    "|the attribute 'mode'"  # of SpaceToDepth, in a later version
)

# Cases in which the run decides lengths, or that are of operators that ONNX's inliner can't put.
COMPILER_REFUSES = ("affine_grid", "loop11")


@pytest.mark.exhaustive
def test_the_cases_of_operators(record_property):
    """More than a thousand cases, made by the package onnx. What is refused is what has types that
    NumPy does not have, or is drawn, or of texts and sequences."""
    from onnx.backend.test.case.node import collect_testcases

    endings = collections.Counter()
    refused, differing = collections.Counter(), {}
    for case in collect_testcases(None):
        try:
            made = ag.interop.from_onnx(case.model)
            for inputs, outputs in case.data_sets:
                given = [np.array(_array(x)) for x in inputs]
                expected = [_array(x) for x in outputs]
                assert_outputs(made(*given), expected, max(1e-3, case.rtol))
            endings["right"] += 1
        except UnsupportedFunctionError as error:
            endings["refused"] += 1
            refused[error.message] += 1
            assert error.id == "AG0755", case.name
        except AutographError as error:
            endings["refused by the compiler"] += 1
            differing[case.name] = error
        except Exception as error:
            differing[case.name] = error
    unexpected = {k: v for k, v in differing.items() if not any(w in k for w in COMPILER_REFUSES)}
    assert not unexpected
    assert not [message for message in refused if not EXPECTED.search(message)]
    assert endings["right"] > 0.8 * sum(endings.values())
    record_property("endings", f"cases of ONNX's operators: {dict(endings)}")


def _array(x):
    return onnx.numpy_helper.to_array(x) if isinstance(x, onnx.TensorProto) else x
