"""Fourier transforms, and what goes with them. A last axis of length 2 has real and imaginary
parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.interop.known_numbers import integers
from autograph.interop.onnx_operators.marks import Dtype, Known


def DFT(
    x: Any, dft_length: Known = None, axis: Known = -2, *, inverse: int = 0, onesided: int = 0
) -> Any:
    (along,) = integers(axis)
    along = along % x.ndim
    values: Any = x[..., 0] if x.shape[-1] == 1 else x[..., 0] + 1j * x[..., 1]
    is_half = bool(onesided and inverse)
    count = values.shape[along]
    if dft_length is not None:
        (count,) = integers(dft_length)
    elif is_half:
        count = 2 * (count - 1)
    if is_half:
        real = np.fft.irfft(values, count, axis=along)
        return np.expand_dims(real, -1).astype(x.dtype)
    transform = np.fft.ifft if inverse else np.fft.fft
    found = transform(values, count, axis=along)
    if onesided:
        found = np.take(found, np.arange(count // 2 + 1), axis=along)
    return np.stack([found.real, found.imag], axis=-1).astype(x.dtype)


def DFT_before_20(
    x: Any, dft_length: Known = None, *, axis: int = 1, inverse: int = 0, onesided: int = 0
) -> Any:
    return DFT(x, dft_length, axis, inverse=inverse, onesided=onesided)


def STFT(
    signal: Any,
    frame_step: Known,
    window: Any = None,
    frame_length: Known = None,
    *,
    onesided: int = 1,
) -> Any:
    (step,) = integers(frame_step)
    length = window.shape[0] if frame_length is None else integers(frame_length)[0]
    count = (signal.shape[1] - length) // step + 1
    places = np.arange(count)[:, None] * step + np.arange(length)
    frames = np.take(signal, places, axis=1)
    if window is not None:
        frames = frames * window[:, None]
    return DFT(frames, None, 2, onesided=onesided)


def MelWeightMatrix(
    num_mel_bins: Known,
    dft_length: Known,
    sample_rate: Known,
    lower_edge_hertz: Any,
    upper_edge_hertz: Any,
    *,
    output_datatype: Dtype = np.float32,
) -> Any:
    """Triangles over the bins of a spectrum, of equal widths on the scale of mel."""
    (bins,), (length,), (rate,) = [integers(x) for x in (num_mel_bins, dft_length, sample_rate)]
    low = 2595 * np.log10(1 + lower_edge_hertz / 700)
    high = 2595 * np.log10(1 + upper_edge_hertz / 700)
    mels = low + np.arange(bins + 2) * ((high - low) / (bins + 2))
    hertz = 700 * (10 ** (mels / 2595) - 1)
    edges = np.floor((length + 1) * hertz / rate)
    rows = np.arange(length // 2 + 1)[:, None]
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    rising = (rows - left) / np.where(centre == left, 1, centre - left)
    falling = (right - rows) / np.where(right == centre, 1, right - centre)
    found = np.where(rows < centre, rising, falling)
    found = np.where((rows < left) | (rows >= right), 0, found)
    found = np.where(rows == centre, 1, found)
    return found.astype(output_datatype)
