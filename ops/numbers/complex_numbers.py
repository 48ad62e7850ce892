"""The parts of complex numbers, their directions and angles, and which numbers are real.

The convention for derivatives is that of `ops.elementwise.conversion`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.complex_scalars import ComplexScalar
from ops.core.numpy_table import covers
from ops.core.operands import broadcast_shapes, dtype_of, may_not_broadcast, ndim_of
from ops.core.registry import Custom, Linear
from ops.core.texts import array_text
from ops.core.types import ArrayType, python_type, weak
from ops.elementwise import absolute, add, arctan2, divide, equal, multiply, not_equal, sign
from ops.elementwise.conversion import cast, conjugate
from ops.structure.lanes import with_same_attributes

__all__ = [
    "angle",
    "complex_of_parts",
    "direction",
    "imag",
    "iscomplex",
    "isreal",
    "real",
    "real_if_close",
]


def complex_array(real, imag):
    """A complex array with these parts, which ``real + 1j * imag`` has not if they are infinite."""
    result = np.empty(np.broadcast(real, imag).shape, np.result_type(real, imag, np.complex64))
    result.real, result.imag = real, imag
    return result


def _parts_infer(x: ArrayType, y: ArrayType) -> tuple[ArrayType]:
    dtype = np.result_type(x.dtype, y.dtype)
    if dtype.kind == "c":
        raise TypeError("the parts of a complex number are real")
    shape = broadcast_shapes(x.shape, y.shape)
    return (ArrayType(np.result_type(dtype, np.complex64), shape),)


complex_of_parts = Linear(
    "complex_of_parts",
    _parts_infer,
    lambda args, types, attrs: (
        f"complex_array({', '.join(array_text(x, t) for x, t in zip(args, types))})"
        + ("" if types[0].shape or types[1].shape else "[()]")
    ),
    transposes=[lambda ct, x, y: real(ct), lambda ct, x, y: real(multiply(1j, ct))],
    zeros="kept",
    helpers=[complex_array],
    raises=may_not_broadcast,
    unknown_lengths=True,
    batch=with_same_attributes(core=0),
    complex_kernel=lambda x, y: ComplexScalar(x.real, y.real),
    doc="""The complex numbers with the given real and imaginary parts.

    Args:
        real, imag: arrays of real numbers that broadcast; float32 and smaller make complex64.
    """,
)


def _part_infer(part: str) -> Callable[[ArrayType], tuple[ArrayType]]:
    def infer(x: ArrayType) -> tuple[ArrayType]:
        if x.weak:
            return (weak(type(getattr(python_type(x.dtype)(1), part))),)
        found = np.dtype(f"f{x.dtype.itemsize // 2}") if x.dtype.kind == "c" else x.dtype
        return (ArrayType(found, x.shape),)

    return infer


_real_infer, _imag_infer = _part_infer("real"), _part_infer("imag")


def _put_real(whole: Any, part: Any) -> Any:
    return complex_of_parts(part, imag(whole)) if dtype_of(whole).kind == "c" else part


real: Linear = Linear(
    "real",
    _real_infer,
    "np.real({0})",
    transposes=[lambda ct, x: ct],
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(
        lambda read, index, types, attrs: kernels.cast(read(0, index), _real_infer(*types)[0].dtype)
    ),
    complex_kernel=lambda x: x.real,
    doc="The real part.",
    cheap=True,
    put=_put_real,
    keeps_shape=True,
)

covers(np.real, "val")(real)


def _put_imag(whole: Any, part: Any) -> Any:
    """Of real numbers NumPy gives zeros that cannot be written to."""
    return complex_of_parts(real(whole), part) if dtype_of(whole).kind == "c" else None


imag: Linear = Linear(
    "imag",
    _imag_infer,
    "np.imag({0})",
    transposes=[
        lambda ct, x: multiply(ct, -1j) if dtype_of(x).kind == "c" else None,
    ],
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=with_same_attributes(),
    native=kernels.Element(lambda read, index, types, attrs: _imag_infer(*types)[0].dtype.type(0)),
    complex_kernel=lambda x: x.imag,
    doc="The imaginary part.",
    cheap=True,
    put=_put_imag,
    keeps_shape=True,
)

covers(np.imag, "val")(imag)


def _direction_infer(x: ArrayType) -> tuple[ArrayType]:
    _, dtype = np.sign.resolve_dtypes((x.dtype, None))
    return (ArrayType(dtype, x.shape),)


def _inverse_length(z: Any) -> Any:
    """``1 / abs(z)``, and 0 where ``z`` is 0."""
    length = absolute(z)
    return divide(not_equal(length, 0), add(length, equal(length, 0)))


# With s = z / |z|, ds = i s Im(conj(s) dz) / |z|: only what is across the direction turns it.


def _direction_jvp(tangents: Sequence, args: Sequence, outs: Sequence) -> tuple:
    turned = multiply(imag(multiply(conjugate(outs[0]), tangents[0])), _inverse_length(args[0]))
    return (multiply(multiply(1j, outs[0]), turned),)


def _direction_vjp(cts: Sequence, args: Sequence, outs: Sequence) -> tuple:
    turned = multiply(imag(multiply(cts[0], outs[0])), _inverse_length(args[0]))
    return (multiply(multiply(1j, conjugate(outs[0])), turned),)


direction = Custom(
    "direction",
    _direction_infer,
    "np.sign({0})",
    vjp=_direction_vjp,
    jvp=_direction_jvp,
    linear=(),
    zeros="kept",
    unknown_lengths=True,
    batch=with_same_attributes(),
    doc="``z / abs(z)`` of complex numbers; at 0, where it is 0, its derivative is taken to be 0.",
)


def sign_or_direction(x: Any) -> Any:
    """``np.sign``. That of complex numbers is not constant between jumps."""
    return direction(x) if dtype_of(x).kind == "c" else sign(x)


@covers(np.angle, "z deg=False")
def angle(z: Any, deg: bool = False) -> Any:
    """The angle of complex numbers to the positive real axis, in radians or degrees.

    At 0 its derivative is NaN, as that of `arctan2` is.
    """
    x, y = (real(z), imag(z)) if dtype_of(z).kind == "c" else (z, 0)
    result = arctan2(y, x)
    return multiply(result, 180 / math.pi) if deg else result


@covers(np.isreal, "x")
def isreal(x: Any) -> Any:
    """Whether the imaginary part is 0."""
    return equal(imag(x), 0)


@covers(np.iscomplex, "x")
def iscomplex(x: Any) -> Any:
    """Whether the imaginary part is not 0."""
    part = imag(x)
    return not_equal(cast(part, dtype_of(part)), 0)


@covers(np.real_if_close)
def real_if_close(a: Any, tol: float = 100) -> Any:
    """``np.real_if_close`` of arrays of real numbers.

    Raises:
        NotImplementedError: ``a`` is complex: whether the result is depends on what is in it.
    """
    if dtype_of(a).kind == "c":
        raise NotImplementedError(
            "np.real_if_close of complex numbers, whose dtype depends on the data; use x.real"
        )
    if ndim_of(a) == 0:
        raise NotImplementedError("np.real_if_close of a number; use x.real")
    return a
