"""Discrete Fourier transforms, with the names of ``np.fft`` and of the array API.

There are three operators. `dft` is the transform of complex numbers, over any axes; its matrix is
symmetric, so it is its own transpose. `rfft` gives of the transform of real numbers the half that
determines the other, and `irfft` makes real numbers of such a half. With ``w`` 1 for the numbers
that stand for themselves, the first and for even lengths the last, and 2 for those that stand for
their conjugates too,

    the transpose of rfft  is  ct -> irfft(conj(ct) / w)   times the length,
    the transpose of irfft is  ct -> conj(rfft(ct)) * w    divided by the length

in the convention for complex cotangents that `ops.elementwise.conversion` describes. A factor that
norms one way is the same as that of the opposite name the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ops.arrays.creation import numbered
from ops.arrays.indexing import getitem
from ops.arrays.joining import concatenate
from ops.arrays.rearrange import roll
from ops.core.batching import along_axes
from ops.core.inner_loops import inner_loop, ufunc_named
from ops.core.kernels import InnerLoops
from ops.core.lengths import extent, made_beside
from ops.core.numpy_table import covers
from ops.core.operands import (
    dims_of,
    dtype_of,
    index_of,
    length_from,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.reads import along
from ops.core.registry import Linear
from ops.core.symbolic_lengths import is_length, is_same
from ops.core.texts import array_text
from ops.core.types import ArrayType, Type
from ops.elementwise import divide, equal, logical_or, multiply, sqrt, subtract
from ops.elementwise.conversion import astype, conjugate
from ops.shapes.padding import pad_zeros
from ops.structure.broadcasting import sum
from ops.structure.reshaping import reshape

__all__ = [
    "dft",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

_SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def _norm(name: Any) -> str:
    if name not in _SWAPPED:
        raise ValueError(f'Invalid norm value {name}; should be "backward", "ortho" or "forward".')
    return name or "backward"


def _length(n: Any) -> int:
    n = length_from(n)
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    return n


def _axis(x: Any, axis: Any) -> int:
    return normalize_axis_index(index_of(axis), ndim_of(x))


def _complex(dtype: np.dtype) -> np.dtype:
    """The dtype of the transform of numbers of the given dtype."""
    return np.result_type(dtype, 1j)


def _length_along(x: Any, axis: int) -> int:
    """The length of an axis to transform, which has to be known."""
    return operand_type(x).known((axis,))[0]


def _with_lengths(shape: Sequence[int], axes: Sequence[int], lengths: Sequence[int]) -> tuple:
    found = dict(zip(axes, lengths))
    return tuple(found.get(i, n) for i, n in enumerate(shape))


def _fitted(x: Any, shape: Sequence[int | None]) -> Any:
    """``x`` cut off, or continued by zeros, at the end of each axis; None for those to leave."""
    pairs = [(m if n is None else n, m) for n, m in zip(dims_of(x), shape)]
    if any(n > m for n, m in pairs if m is not None):
        x = getitem(x, index=tuple(("slice", None, m, None) for m in shape))
    if any(n < m for n, m in pairs if m is not None):
        more = [0 if m is None else max(m - n, 0) for n, m in pairs]
        x = pad_zeros(x, widths=tuple((0, n) for n in more))
    return x


def _code(name: str) -> Callable[[Sequence[str], Sequence[Type], dict[str, Any]], str]:
    """``np.fft.name(x, n, axis, norm)`` with those arguments that are not NumPy's default."""

    def code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
        parts = [array_text(args[0], types[0])]
        ndim, (n, axis) = types[0].ndim, (attrs["n"], attrs["axis"])
        (found,) = types[0].known((axis,))
        default = found if name != "irfft" else 2 * (found - 1)
        if not is_same([n], [default]):
            parts.append(f"n={n!r}")
        if axis != ndim - 1:
            parts.append(f"axis={axis}")
        if attrs["norm"] != "backward":
            parts.append(f"norm='{attrs['norm']}'")
        return f"np.fft.{name}({', '.join(parts)})"

    return code


# -- in kernels ------------------------------------------------------------------------------------


def _has_loops(types: Sequence[Type], attrs: dict[str, Any]) -> bool:
    """Whether NumPy has ufuncs for transforms, since version 2, and of these dtypes."""
    found = ufunc_named("numpy.fft._pocketfft_umath.fft") is not None
    return found and all(t.dtype.kind in "biu" or t.dtype.name in _NAMES for t in types)


_NAMES = ("float32", "float64", "complex64", "complex128")


def _by_loop(x: Any, name: str, n: int, count: int, axis: int, norm: str) -> Any:
    """A transform along an axis, as the Python of ``np.fft`` calls the ufunc for it.

    Args:
        name: of the ufunc: "fft", "ifft", "irfft", "rfft_n_even" or "rfft_n_odd".
        n: how many elements to transform.
        count: how many the result has.
        norm: as for `fft`.
    """
    ufunc = f"numpy.fft._pocketfft_umath.{name}"
    given = dtype_of(x)
    real = np.result_type(np.zeros(0, given).real.dtype, 1.0)
    if name in ("ifft", "irfft"):
        norm = _SWAPPED[norm]
    # NumPy computes some transforms of single precision in double precision.
    kind = int if norm == "backward" else real
    dtypes = ufunc_named(ufunc).resolve_dtypes((given, kind, None))
    arrays, numbers, axes = [astype(x, dtypes[0])], [], [(axis,), (axis,)]
    if norm != "backward" and is_length(n):
        size = astype(made_beside(x, extent, n), real)
        factor = divide(np.ones((), real), sqrt(size) if norm == "ortho" else size)
        arrays, axes = [*arrays, astype(factor, dtypes[1])], [(axis,), (), (axis,)]
    elif norm != "backward":
        size = np.sqrt(n, dtype=real) if norm == "ortho" else n
        numbers = [float(np.reciprocal(size, dtype=real))]
    else:
        numbers = [1.0]
    found = inner_loop(
        arrays,
        ufunc,
        "".join(dtype.char for dtype in dtypes),
        axes,
        [_with_lengths(shape_of(x), [axis], [count])],
        numbers,
    )
    return astype(found, real if name == "irfft" else _complex(given))


def _dft_by_loops(
    x: Any, lengths: tuple[int, ...], axes: tuple[int, ...], inverse: bool, norm: str
) -> Any:
    for n, axis in zip(lengths[::-1], axes[::-1]):
        x = _by_loop(x, "ifft" if inverse else "fft", n, n, axis, norm)
    return x


def _rfft_by_loop(x: Any, n: int, axis: int, norm: str) -> Any:
    name = "rfft_n_odd" if n % 2 else "rfft_n_even"
    return _by_loop(x, name, n, n // 2 + 1, axis, norm)


def _irfft_by_loop(x: Any, n: int, axis: int, norm: str) -> Any:
    return _by_loop(x, "irfft", n, n, axis, norm)


# -- complex transforms ----------------------------------------------------------------------------


def _dft_infer(
    x: ArrayType, lengths: tuple[int, ...], axes: tuple[int, ...], inverse: bool, norm: str
) -> tuple[ArrayType]:
    x.known(axes)
    return (ArrayType(_complex(x.dtype), _with_lengths(x.shape, axes, lengths)),)


def _dft_code(args: Sequence[str], types: Sequence[ArrayType], attrs: dict[str, Any]) -> str:
    axes, lengths = attrs["axes"], attrs["lengths"]
    name = "ifft" if attrs["inverse"] else "fft"
    if len(axes) == 1:
        single = {"n": lengths[0], "axis": axes[0], "norm": attrs["norm"]}
        return _code(name)(args, types, single)
    parts = [array_text(args[0], types[0])]
    if not is_same(lengths, [types[0].shape[i] for i in axes]):
        parts.append(f"s={lengths!r}")
    if axes != tuple(range(types[0].ndim)) or len(parts) > 1:
        parts.append(f"axes={axes}")
    if attrs["norm"] != "backward":
        parts.append(f"norm='{attrs['norm']}'")
    return f"np.fft.{name}n({', '.join(parts)})"


dft: Linear = Linear(
    "dft",
    _dft_infer,
    _dft_code,
    transposes=[lambda ct, x, **attrs: _fitted(dft(ct, **attrs), dims_of(x))],
    zeros="moved",
    moves=lambda numbers, x, axes, **_: (sum(numbers, axes, keepdims=True),),
    unknown_lengths=True,
    batch=along_axes("axes"),
    reads=along(lambda x, attrs: attrs["axes"]),
    native=InnerLoops(_dft_by_loops, _has_loops),
    doc="""The discrete Fourier transform over some axes.

    Args:
        x: an array.
        lengths: to how many elements each of these axes is cut off, or continued by zeros.
        axes: the axes, all different.
        inverse: take the inverse transform.
        norm: "backward" to divide the inverse by the number of elements, "forward" to divide the
            transform itself, "ortho" to divide both by the square root.
    """,
)


def _single(name: str, inverse: bool) -> Callable:
    def transform(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
        axis = _axis(a, axis)
        length = _length(_length_along(a, axis) if n is None else n)
        return dft(a, lengths=(length,), axes=(axis,), inverse=inverse, norm=_norm(norm))

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""The {"inverse of the " if inverse else ""}transform along an axis.

    Args:
        a: an array.
        n: how many elements to transform: the axis is cut off, or continued by zeros.
        axis: the axis.
        norm: "backward" to divide the inverse by the number of elements, "forward" to divide the
            transform itself, "ortho" to divide both by the square root.

    Returns:
        Complex numbers, of single precision if those of ``a`` are of at most that.

    Raises:
        ValueError: there are no elements, or there is no norm of this name.
    """
    return covers(getattr(np.fft, name), "a n axis norm out")(transform)


fft = _single("fft", False)
ifft = _single("ifft", True)


def _lengths_and_axes(a: Any, s: Any, axes: Any, half: bool = False) -> tuple[list[int], list[int]]:
    """The lengths and axes that the arguments of transforms over several axes stand for.

    Args:
        half: the last of the axes holds the half of a transform.
    """
    ndim = ndim_of(a)
    if s is not None:
        s = [None if n is None else length_from(n) for n in s]
    if axes is None:
        count = ndim if s is None else len(s)
        axes = range(-count, 0)
    axes = [_axis(a, i) for i in axes]
    shape = dict(zip(axes, operand_type(a).known(axes)))
    if s is None:
        lengths = [shape[i] for i in axes]
        if half:
            if not axes:
                raise IndexError("a transform of real numbers needs an axis")
            lengths[-1] = 2 * (shape[axes[-1]] - 1)
        return lengths, axes
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    default = [None] * len(axes)
    if half and axes and s[-1] is None:
        default[-1] = 2 * (shape[axes[-1]] - 1)
    lengths = []
    for n, i, otherwise in zip(s, axes, default):
        whole = n is None and otherwise is None
        known = shape[i] if whole or is_same([n], [-1]) else n
        lengths.append(otherwise if known is None else known)
    return lengths, axes


def _over(a: Any, lengths: Sequence[int], axes: Sequence[int], inverse: bool, norm: Any) -> Any:
    """The transform over several axes, the last first; one may be given several times."""
    if not axes:
        return a
    lengths, norm = tuple(map(_length, lengths)), _norm(norm)
    if len(set(axes)) == len(axes):
        return dft(a, lengths=lengths, axes=tuple(axes), inverse=inverse, norm=norm)
    for n, axis in zip(lengths[::-1], axes[::-1]):
        a = dft(a, lengths=(n,), axes=(axis,), inverse=inverse, norm=norm)
    return a


def _several(name: str, inverse: bool, default: tuple[int, ...] | None) -> Callable:
    def transform(a: Any, s: Any = None, axes: Any = default, norm: str | None = None) -> Any:
        return _over(a, *_lengths_and_axes(a, s, axes), inverse, norm)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""The {"inverse " if inverse else ""}transform over several axes.

    Args:
        a: an array.
        s: how many elements to transform along each axis; -1 for all.
        axes: the axes, {"by default the last two" if default else "by default all"}.
        norm: as for `fft`.
    """
    return covers(getattr(np.fft, name), "a s axes norm out")(transform)


fftn = _several("fftn", False, None)
ifftn = _several("ifftn", True, None)
fft2 = _several("fft2", False, (-2, -1))
ifft2 = _several("ifft2", True, (-2, -1))

# -- transforms of real numbers --------------------------------------------------------------------


def _copies(n: int, x: Any, axis: int) -> Any:
    """How many of ``n`` numbers each of the half stands for, in a shape that broadcasts along the
    axis of ``x``."""
    place = numbered(n // 2 + 1, beside=x)
    is_alone = equal(place, 0)
    if n % 2 == 0:
        is_alone = logical_or(is_alone, equal(place, n // 2))
    real = np.zeros(0, dtype_of(x)).real.dtype
    weights = astype(subtract(2, is_alone), real)
    return reshape(weights, [-1] + [1] * (ndim_of(x) - 1 - axis))


def _rfft_transpose(ct: Any, x: Any, n: int, axis: int, norm: str) -> Any:
    half = divide(conjugate(ct), _copies(n, ct, axis))
    return _fitted(irfft(half, n, axis, _SWAPPED[norm]), dims_of(x))


def _irfft_transpose(ct: Any, x: Any, n: int, axis: int, norm: str) -> Any:
    half = conjugate(rfft(ct, n, axis, _SWAPPED[norm]))
    return _fitted(multiply(half, _copies(n, half, axis)), dims_of(x))


def _rfft_infer(x: ArrayType, n: int, axis: int, norm: str) -> tuple[ArrayType]:
    if x.dtype.kind == "c":
        raise TypeError("rfft takes real numbers, not complex ones")
    x.known((axis,))
    return (ArrayType(_complex(x.dtype), _with_lengths(x.shape, [axis], [n // 2 + 1])),)


def _rfft_prepare(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> tuple:
    axis = _axis(a, axis)
    length = _length(_length_along(a, axis) if n is None else n)
    return (a,), {"n": length, "axis": axis, "norm": _norm(norm)}


def _single_moves(numbers: Any, x: Any, axis: int, **_: Any) -> tuple:
    return (sum(numbers, axis, keepdims=True),)


rfft = Linear(
    "rfft",
    _rfft_infer,
    _code("rfft"),
    transposes=[_rfft_transpose],
    zeros="moved",
    moves=_single_moves,
    prepare=_rfft_prepare,
    unknown_lengths=True,
    batch=along_axes("axis"),
    reads=along(lambda x, attrs: (attrs["axis"],)),
    native=InnerLoops(_rfft_by_loop, _has_loops),
    doc="""The discrete Fourier transform of real numbers along an axis: the first ``n // 2 + 1``
    elements, which determine the others. The arguments are those of `fft`.

    Raises:
        TypeError: the numbers are complex.
    """,
)

covers(np.fft.rfft, "a n axis norm out")(rfft)


def _irfft_infer(x: ArrayType, n: int, axis: int, norm: str) -> tuple[ArrayType]:
    x.known((axis,))
    dtype = np.result_type(np.zeros(0, x.dtype).real.dtype, 1.0)
    return (ArrayType(dtype, _with_lengths(x.shape, [axis], [n])),)


def _irfft_prepare(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> tuple:
    axis = _axis(a, axis)
    length = _length(2 * (_length_along(a, axis) - 1) if n is None else n)
    return (a,), {"n": length, "axis": axis, "norm": _norm(norm)}


irfft = Linear(
    "irfft",
    _irfft_infer,
    _code("irfft"),
    transposes=[_irfft_transpose],
    zeros="moved",
    moves=_single_moves,
    prepare=_irfft_prepare,
    unknown_lengths=True,
    batch=along_axes("axis"),
    reads=along(lambda x, attrs: (attrs["axis"],)),
    native=InnerLoops(_irfft_by_loop, _has_loops),
    doc="""The inverse of `rfft` along an axis.

    The imaginary part of the first element, and for even ``n`` of the last, is not read.

    Args:
        a: the first half of a transform of real numbers.
        n: how many real numbers there are; by default ``2 * (length - 1)``.
        axis, norm: as for `fft`.
    """,
)

covers(np.fft.irfft, "a n axis norm out")(irfft)


@covers(np.fft.hfft, "a n axis norm out")
def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The transform, which is real, of numbers that are symmetric but for conjugation, given their
    first half; the arguments are those of `irfft`."""
    return irfft(_conjugated(a), n, axis, _SWAPPED[_norm(norm)])


@covers(np.fft.ihfft, "a n axis norm out")
def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `hfft`."""
    return conjugate(rfft(a, n, axis, _SWAPPED[_norm(norm)]))


def _conjugated(x: Any) -> Any:
    return conjugate(x) if dtype_of(x).kind == "c" else x


def _real_forward(name: str, default: tuple[int, ...] | None) -> Callable:
    def transform(a: Any, s: Any = None, axes: Any = default, norm: str | None = None) -> Any:
        lengths, axes = _lengths_and_axes(a, s, axes)
        if not axes:
            raise IndexError("a transform of real numbers needs an axis")
        half = rfft(a, lengths[-1], axes[-1], norm)
        return _over(half, lengths[:-1], axes[:-1], False, norm)

    return _named(transform, name, "The transform of real numbers over several axes", default)


def _real_inverse(name: str, default: tuple[int, ...] | None) -> Callable:
    def transform(a: Any, s: Any = None, axes: Any = default, norm: str | None = None) -> Any:
        lengths, axes = _lengths_and_axes(a, s, axes, half=True)
        whole = _over(a, lengths[:-1][::-1], axes[:-1][::-1], True, norm)
        return irfft(whole, lengths[-1], axes[-1], norm)

    return _named(transform, name, "The inverse of the transform of real numbers", default)


def _named(transform: Callable, name: str, what: str, default: tuple | None) -> Callable:
    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""{what}, of which the last holds the half that determines the rest.

    Args:
        a: an array.
        s: how many real numbers there are along each axis.
        axes: the axes, {"by default the last two" if default else "by default all"}.
        norm: as for `fft`.
    """
    return covers(getattr(np.fft, name), "a s axes norm out")(transform)


rfftn = _real_forward("rfftn", None)
irfftn = _real_inverse("irfftn", None)
rfft2 = _real_forward("rfft2", (-2, -1))
irfft2 = _real_inverse("irfft2", (-2, -1))

# -- order and frequencies -------------------------------------------------------------------------


def _moved(x: Any, axes: Any, sign: int) -> Any:
    axes = range(ndim_of(x)) if axes is None else (axes,) if np.ndim(axes) == 0 else axes
    axes = tuple(_axis(x, i) for i in axes)
    places = (sign * (n // 2) for n in map(shape_of(x).__getitem__, axes))
    return roll(x, tuple(made_beside(x, extent, n) if is_length(n) else n for n in places), axes)


@covers(np.fft.fftshift, "x axes")
def fftshift(x: Any, axes: Any = None) -> Any:
    """``x`` with the element for frequency zero moved to the middle of some axes, or of all."""
    return _moved(x, axes, 1)


@covers(np.fft.ifftshift, "x axes")
def ifftshift(x: Any, axes: Any = None) -> Any:
    """The inverse of `fftshift`."""
    return _moved(x, axes, -1)


def _frequencies(numbers: Any, n: int, d: Any, dtype: Any) -> Any:
    result = multiply(numbers, divide(1.0, multiply(n, d)))
    return result if dtype is None else astype(result, dtype)


def _check_device(device: Any) -> None:
    if device not in (None, "cpu"):
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')


def _count(n: Any) -> int:
    try:
        return length_from(n)
    except TypeError as error:
        raise ValueError("n should be an integer") from error


@covers(np.fft.fftfreq, "n d=1.0 device", creates=True)
def fftfreq(n: int, d: Any = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies that the elements of a transform stand for.

    Args:
        n: how many elements there are.
        d: how far apart in time.
        dtype: of the result, by default float64.
        device: None or "cpu", where it is made.
    """
    n = _count(n)
    numbers = concatenate([numbered((n - 1) // 2 + 1), subtract(numbered(n // 2), n // 2)])
    _check_device(device)
    return _frequencies(numbers, n, d, dtype)


@covers(np.fft.rfftfreq, "n d=1.0 device", creates=True)
def rfftfreq(n: int, d: Any = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies that the elements of `rfft` of ``n`` numbers stand for; see `fftfreq`."""
    n = _count(n)
    _check_device(device)
    return _frequencies(numbered(n // 2 + 1), n, d, dtype)
