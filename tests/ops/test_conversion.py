"""Casts, Python numbers, parts of complex numbers."""

import numpy as np
import pytest

import ops
from ops.core.types import array, type_of, weak
from tests.ops.recorded import record, run

VALUES = [
    True,
    2,
    0.75,
    1 + 2j,
    np.float32(1.5),
    np.int8(3),
    np.array([0.0, 1.5]),
    np.ones(2, bool),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["bool", "int32", "float16", "float64", "complex64"])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_cast_to_a_dtype(value, dtype):
    if isinstance(value, complex) and not dtype.startswith("complex") and dtype != "bool":
        with pytest.raises(TypeError):
            ops.cast(value, dtype)
        return
    expected = np.asarray(value).astype(dtype)
    (result,) = run(record(lambda x: ops.cast(x, dtype), [value]), [value])
    assert type_of(result) == type_of(expected)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("kind", [bool, int, float, complex])
@pytest.mark.parametrize("value", [True, 2, 0.75, np.float32(1.5), np.array(3), np.bool_(False)])
def test_cast_to_a_python_number(value, kind):
    (result,) = run(record(lambda x: ops.cast(x, kind, weak=True), [value]), [value])
    assert type(result) is kind and result == kind(value)
    assert ops.cast.infer(type_of(value), dtype=np.dtype(kind).name, weak=True) == (weak(kind),)


def test_what_cannot_become_a_python_number():
    with pytest.raises(TypeError, match="Python number"):
        ops.cast.infer(array("f8", (2,)), dtype="float64", weak=True)
    with pytest.raises(TypeError, match="of a complex number"):
        ops.cast.infer(array("c16"), dtype="float64", weak=True)
    with pytest.raises(TypeError):
        ops.cast(1.0, "no such dtype")


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "complex64"])
@pytest.mark.parametrize("name", ["real", "imag", "conjugate"])
def test_parts_of_complex_numbers(name, dtype):
    array = np.array([1 + 2j, 0.5j]) if dtype == "complex64" else np.array([1, 0])
    values = [array.astype(dtype), array.astype(dtype)[0], True, 2, 0.5, 1 + 2j]
    for value in values:
        if name == "conjugate" and dtype == "bool":
            continue
        expected = getattr(np, name)(value)
        (result,) = run(record(ops.__dict__[name], [value]), [value])
        assert type_of(result) == type_of(expected)
        np.testing.assert_array_equal(result, expected)


def test_cotangents_of_the_parts():
    """For f = 3 Re z + 5 Im z, df/dx - i df/dy = 3 - 5i."""
    z = np.array([1 + 2j])
    (real,) = (t(np.array([3.0]), z) for t in ops.real.transposes)
    (imag,) = (t(np.array([5.0]), z) for t in ops.imag.transposes)
    np.testing.assert_array_equal(real + imag, [3 - 5j])
    partial = ops.absolute.partials[0](np.array([3 + 4j]), np.array([5.0]))
    np.testing.assert_allclose(partial, [(3 - 4j) / 5])


def test_weak_operands_of_where_are_promoted_as_in_numpy():
    for x, y in [(1, 2.0), (np.float32(1), 2.0), (np.ones(2, "f4"), 2), (True, 1), (1j, 2)]:
        condition = np.array([True, False])
        expected = np.where(condition, x, y)
        (result,) = run(record(ops.where, [condition, x, y]), [condition, x, y])
        assert type_of(result) == type_of(expected)
