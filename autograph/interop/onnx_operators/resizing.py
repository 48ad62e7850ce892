"""Arrays with other lengths, by interpolation: along one axis after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.interop.known_numbers import floats, integers
from autograph.interop.onnx_operators.marks import Known, unsupported


def Resize(
    x: Any,
    roi: Known = None,
    scales: Known = None,
    sizes: Known = None,
    *,
    antialias: int = 0,
    axes: Sequence[int] | None = None,
    coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
) -> Any:
    along = [a % x.ndim for a in (range(x.ndim) if axes is None else axes)]
    lengths = [x.shape[axis] for axis in along]
    factors = [] if scales is None else floats(scales)
    if factors:
        wanted = [int(n * factor) for n, factor in zip(lengths, factors)]
    else:
        wanted, factors = _wanted(integers(sizes), lengths, keep_aspect_ratio_policy)
    windows = floats(roi) if coordinate_transformation_mode == "tf_crop_and_resize" else []
    outside: Any = None
    for i, axis in enumerate(along):
        if wanted[i] == lengths[i] and factors[i] == 1.0 and not windows:
            continue
        part = (windows[i], windows[i + len(along)]) if windows else (0.0, 1.0)
        places = _places(wanted[i], lengths[i], factors[i], coordinate_transformation_mode, part)
        if windows:
            is_outside = np.reshape(
                (places < 0) | (places > lengths[i] - 1), [-1, *[1] * (x.ndim - 1 - axis)]
            )
            outside = is_outside if outside is None else outside | is_outside
        if mode == "nearest":
            chosen = np.clip(_nearest(places, nearest_mode), 0, lengths[i] - 1)
            x = np.take(x, chosen.astype(np.int64), axis=axis)
        elif mode in ("linear", "cubic"):
            stretch = min(factors[i], 1.0) if antialias else 1.0
            weights = _weights(
                places, lengths[i], mode, stretch, cubic_coeff_a, bool(exclude_outside)
            )
            moved = np.moveaxis(x, axis, -1) @ weights.T.astype(x.dtype)
            x = np.moveaxis(moved, -1, axis)
        else:
            raise unsupported(f"a Resize of mode {mode!r}")
    return x if outside is None else np.where(outside, extrapolation_value, x).astype(x.dtype)


def _wanted(sizes: list[int], lengths: list[int], policy: str) -> tuple[list[int], list[float]]:
    """The new lengths and their ratios to the old ones."""
    ratios = [m / n for m, n in zip(sizes, lengths)]
    if policy == "stretch":
        return sizes, ratios
    ratio = min(ratios) if policy == "not_larger" else max(ratios)
    return [math.floor(ratio * n + 0.5) for n in lengths], [ratio] * len(lengths)


def _places(count: int, length: int, factor: float, rule: str, part: tuple[float, float]) -> Any:
    """Where the elements of the result are among those of the array."""
    i = np.arange(count)
    if rule == "half_pixel":
        return (i + 0.5) / factor - 0.5
    if rule == "half_pixel_symmetric":
        adjusted = count / (factor * length)
        return length / 2 * (1 - adjusted) + (i + 0.5) / factor - 0.5
    if rule == "pytorch_half_pixel":
        return (i + 0.5) / factor - 0.5 if count > 1 else np.zeros(1)
    if rule == "asymmetric":
        return i / factor
    if rule == "align_corners":
        last = factor * length - 1
        return i * ((length - 1) / last) if last else np.zeros(count)
    if rule == "tf_half_pixel_for_nn":
        return (i + 0.5) / factor
    if rule == "tf_crop_and_resize":
        start, end = part
        if count > 1:
            return start * (length - 1) + i * ((end - start) * (length - 1) / (count - 1))
        return np.full(1, 0.5 * (start + end) * (length - 1))
    raise unsupported(f"a Resize with the coordinates {rule!r}")


def _nearest(places: Any, rule: str) -> Any:
    if rule == "round_prefer_floor":
        return np.ceil(places - 0.5)
    if rule == "round_prefer_ceil":
        return np.floor(places + 0.5)
    return np.floor(places) if rule == "floor" else np.ceil(places)


def _weights(
    places: Any, length: int, mode: str, stretch: float, a: float, exclude_outside: bool
) -> Any:
    """What each element of the result takes of each of the array: ``(result, array)``.

    Args:
        stretch: less than 1 makes the curves wider, against aliases.
        a: of cubic curves: Keys, IEEE Trans. ASSP 29, 1981.
    """
    reach = math.ceil((1 if mode == "linear" else 2) / stretch)
    taps = np.floor(places)[:, None] + np.arange(1 - reach, 1 + reach)
    if stretch < 1:
        taps = np.floor(places)[:, None] + np.arange(-reach, 1 + reach)
    distance = np.abs(taps - places[:, None]) * stretch
    if mode == "linear":
        curve = np.maximum(1 - distance, 0)
    else:
        near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
        far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
        curve = np.where(distance <= 1, near, np.where(distance < 2, far, 0))
    if exclude_outside:
        curve = np.where((taps < 0) | (taps >= length), 0, curve)
    curve = curve / np.sum(curve, 1, keepdims=True)
    inside = np.clip(taps, 0, length - 1)
    hits = inside[:, :, None] == np.arange(length)
    return np.sum(np.where(hits, curve[:, :, None], 0), 1)


def Resize_before_11(x: Any, scales: Known, *, mode: str = "nearest") -> Any:
    return Resize(
        x,
        None,
        scales,
        coordinate_transformation_mode="asymmetric",
        mode=mode,
        nearest_mode="floor",
    )


def Upsample(x: Any, scales: Known, *, mode: str = "nearest") -> Any:
    return Resize_before_11(x, scales, mode=mode)
