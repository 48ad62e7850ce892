"""How windows lie on an array, as convolutions and pooling say it in ONNX."""

from __future__ import annotations

from collections.abc import Sequence


def padding(
    auto_pad: str,
    pads: Sequence[int] | None,
    lengths: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> list[tuple[int, int]]:
    """How much is put before and behind each axis.

    Args:
        pads: first those before all axes, then those behind.
    """
    count = len(lengths)
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        found = []
        for n, m, stride, dilation in zip(lengths, window, strides, dilations):
            reach = dilation * (m - 1) + 1
            total = max((-(-n // stride) - 1) * stride + reach - n, 0)
            less, more = total // 2, total - total // 2
            found.append((less, more) if auto_pad == "SAME_UPPER" else (more, less))
        return found
    if auto_pad == "VALID" or pads is None:
        return [(0, 0)] * count
    return list(zip(pads[:count], pads[count:]))
