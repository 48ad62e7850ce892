"""Layers that slide a window over one, two or three axes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import ops
from autograph.nn import init
from autograph.nn.checks import require_groups
from autograph.nn.fields import static

# A number for all axes, or one for each; a padding may be a pair for each, too, or "same".
Sizes = int | tuple[int, ...]
Padding = int | tuple[Any, ...] | str


@dataclass
class Conv:
    """The sums of products with a window at each place.

    Attributes:
        weight: ``(outputs, inputs / groups, *window)``.
        bias: ``(outputs,)``, or None.
        stride, padding, dilation, groups: as `ops.nn.conv` takes them.

    Examples:
        >>> layer = nn.Conv.make(ops.random.key(0), 3, 8, (5, 5), padding="same")
        >>> layer(np.ones((2, 3, 28, 28), np.float32)).shape
        (2, 8, 28, 28)
    """

    weight: Any
    bias: Any = None
    stride: Sizes = static(default=1)
    padding: Padding = static(default=0)
    dilation: Sizes = static(default=1)
    groups: int = static(default=1)

    @classmethod
    def make(
        cls,
        key: Any,
        inputs: int,
        outputs: int,
        window: tuple[int, ...],
        *,
        stride: Sizes = 1,
        padding: Padding = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        initial: Callable = init.lecun_normal,
        dtype: Any = np.float32,
    ) -> Conv:
        """A layer with weights by `nn.init`, and biases of zero.

        Args:
            key: of `ops.random`.
            inputs, outputs: the numbers of channels; the groups divide them.
            window: its length along each axis, of which there are as many as are given.
            stride, padding, dilation, groups: as `ops.nn.conv` takes them.
            bias: whether there is one.
            initial: of `nn.init`.
            dtype: of the parameters.
        """
        require_groups(groups, inputs, outputs)
        weight = initial(key, (outputs, inputs // groups, *window), dtype)
        biases = np.zeros(outputs, dtype) if bias else None
        return cls(weight, biases, stride, padding, dilation, groups)

    def __call__(self, x: Any) -> Any:
        """``(batch, inputs, *lengths)`` to ``(batch, outputs, *lengths)``."""
        y = ops.nn.conv(x, self.weight, self.stride, self.padding, self.dilation, self.groups)
        return _with_bias(y, self.bias)


@dataclass
class ConvTranspose:
    """The transpose of `Conv`: each number is multiplied with a window, and the windows are added.

    Attributes:
        weight: ``(inputs, outputs / groups, *window)``.
        bias: ``(outputs,)``, or None.
        stride, padding, output_padding, dilation, groups: as `ops.nn.conv_transpose` takes them.

    Examples:
        >>> layer = nn.ConvTranspose.make(ops.random.key(0), 8, 3, (2, 2), stride=2)
        >>> layer(np.ones((2, 8, 14, 14), np.float32)).shape
        (2, 3, 28, 28)
    """

    weight: Any
    bias: Any = None
    stride: Sizes = static(default=1)
    padding: Sizes = static(default=0)
    output_padding: Sizes = static(default=0)
    dilation: Sizes = static(default=1)
    groups: int = static(default=1)

    @classmethod
    def make(
        cls,
        key: Any,
        inputs: int,
        outputs: int,
        window: tuple[int, ...],
        *,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        initial: Callable = init.lecun_normal,
        dtype: Any = np.float32,
    ) -> ConvTranspose:
        """A layer with weights by `nn.init`, and biases of zero; see `Conv.make`."""
        require_groups(groups, inputs, outputs)
        weight = np.swapaxes(initial(key, (outputs // groups, inputs, *window), dtype), 0, 1)
        biases = np.zeros(outputs, dtype) if bias else None
        return cls(
            np.ascontiguousarray(weight), biases, stride, padding, output_padding, dilation, groups
        )

    def __call__(self, x: Any) -> Any:
        """``(batch, inputs, *lengths)`` to ``(batch, outputs, *lengths)``."""
        y = ops.nn.conv_transpose(
            x,
            self.weight,
            self.stride,
            self.padding,
            self.output_padding,
            self.dilation,
            self.groups,
        )
        return _with_bias(y, self.bias)


def _with_bias(y: Any, bias: Any) -> Any:
    """Channels, which are along axis 1, with a number added to each."""
    return y if bias is None else y + np.reshape(bias, (-1, *[1] * (y.ndim - 2)))


@dataclass
class MaxPool:
    """The largest number of each window; see `ops.nn.max_pool`.

    Examples:
        >>> nn.MaxPool(2)(np.arange(16.0).reshape(1, 1, 4, 4))
        array([[[[ 5.,  7.],
                 [13., 15.]]]])
    """

    window: Sizes = static()
    stride: Sizes | None = static(default=None)
    padding: Padding = static(default=0)
    dilation: Sizes = static(default=1)

    def __call__(self, x: Any) -> Any:
        """``(batch, channels, *lengths)``, with other lengths."""
        return ops.nn.max_pool(x, self.window, self.stride, self.padding, self.dilation)


@dataclass
class AvgPool:
    """The mean of each window; see `ops.nn.avg_pool`.

    Examples:
        >>> nn.AvgPool(2)(np.arange(16.0).reshape(1, 1, 4, 4))
        array([[[[ 2.5,  4.5],
                 [10.5, 12.5]]]])
    """

    window: Sizes = static()
    stride: Sizes | None = static(default=None)
    padding: Padding = static(default=0)
    count_padding: bool = static(default=True)

    def __call__(self, x: Any) -> Any:
        """``(batch, channels, *lengths)``, with other lengths."""
        return ops.nn.avg_pool(x, self.window, self.stride, self.padding, self.count_padding)
