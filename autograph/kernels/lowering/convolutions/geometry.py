"""One axis that windows move along: where elements are put, and where windows find them.

The element at place ``o`` of the result is the sum, over the places ``k`` of the kernel, of
products with what is at ``o * stride + k * kernel_dilation`` of the spread array: the array with
zeros around it, and between its elements. Two kinds of axes are taken apart, so that windows always
move by one element, and nothing is multiplied with zeros between elements:

* If the window moves by more than 1, the spread array is put down in *phases*, the elements number
  0, s, 2 s, ..., those number 1, s + 1, ... and so on: in one phase neighbours are a stride apart.
* If zeros are between elements, the places of the result are taken in *classes*, each of which uses
  other places of the kernel only.
"""

from __future__ import annotations

import math

from ops.core.records import dataclass
from ops.signal.convolution import extent


@dataclass(frozen=True)
class WindowAxis:
    """What is known of an axis.

    Attributes:
        length: of the array.
        size: of the kernel.
        places: of the result.
        stride: by how much the window moves.
        low: the zeros before; a negative number cuts.
        dilation: one more than the zeros between neighbours.
        kernel_dilation: how far apart are what neighbours in the kernel multiply.
    """

    length: int
    size: int
    places: int
    stride: int
    low: int
    dilation: int
    kernel_dilation: int


@dataclass(frozen=True)
class Run:
    """Elements that are put at equal distances: ``source + k * source_step`` of an axis goes to
    ``target + k * target_step``, for each ``k`` below ``count``."""

    source: int
    source_step: int
    target: int
    target_step: int
    count: int


@dataclass(frozen=True)
class SpreadAxis:
    """How an axis is put down.

    Attributes:
        length: of the array.
        pitch: how many elements a phase has.
        runs: of each phase, which elements go there.
    """

    length: int
    pitch: int
    runs: tuple[Run, ...]

    @property
    def is_plain(self) -> bool:
        """Whether everything stays where it is."""
        return self.runs == (Run(0, 1, 0, 1, self.length),) and self.pitch == self.length

    @property
    def is_full(self) -> bool:
        """Whether no zeros are left between or around the elements."""
        return all(run.count == self.pitch for run in self.runs)


@dataclass(frozen=True)
class Tap:
    """A place of the kernel that a class uses: in which phase, and how far behind the place of the
    result in the class, is what it multiplies."""

    number: int
    phase: int
    offset: int


@dataclass(frozen=True)
class OutputClass:
    """The places ``first + q * step`` of the result, for each ``q`` below ``count``."""

    first: int
    step: int
    count: int
    taps: tuple[Tap, ...]


def by_positions(window: WindowAxis) -> tuple[SpreadAxis, tuple[OutputClass, ...]]:
    """An axis so that windows move by one element of a phase."""
    if window.dilation > 1 and window.stride == 1:
        return _in_classes(window)
    taps = []
    phases: dict[int, int] = {}
    for k in range(window.size):
        offset, phase = divmod(k * window.kernel_dilation, window.stride)
        taps.append(Tap(k, phases.setdefault(phase, len(phases)), offset))
    pitch = window.places + max(tap.offset for tap in taps)
    axis = _spread(window, tuple(phases), window.stride, pitch)
    return axis, (OutputClass(0, 1, window.places, tuple(taps)),)


def _in_classes(window: WindowAxis) -> tuple[SpreadAxis, tuple[OutputClass, ...]]:
    """The places of the result by what is left of them on division by the dilation."""
    step = window.dilation
    classes = []
    for first in range(min(step, window.places)):
        count = -(-(window.places - first) // step)
        taps = []
        for k in range(window.size):
            offset, rest = divmod(first + k * window.kernel_dilation - window.low, step)
            if rest == 0:
                taps.append(Tap(k, 0, offset))
        classes.append(OutputClass(first, step, count, tuple(taps)))
    least = min((tap.offset for c in classes for tap in c.taps), default=0)
    moved = tuple(
        OutputClass(
            c.first, step, c.count, tuple(Tap(t.number, 0, t.offset - least) for t in c.taps)
        )
        for c in classes
    )
    pitch = max((c.count + tap.offset for c in moved for tap in c.taps), default=1)
    one_by_one = WindowAxis(window.length, window.size, window.places, 1, -least, 1, 1)
    return _spread(one_by_one, (0,), 1, pitch), moved


def by_features(window: WindowAxis) -> SpreadAxis:
    """An axis with zeros where they belong, so that single elements are read."""
    reach = (window.places - 1) * window.stride + extent(window.size, window.kernel_dilation)
    return _spread(window, (0,), 1, reach)


def _spread(window: WindowAxis, phases: tuple[int, ...], stride: int, pitch: int) -> SpreadAxis:
    runs = tuple(_run(window, phase, stride, pitch) for phase in phases)
    if runs == (Run(0, 1, 0, 1, pitch),):  # what is behind is not read, and may stay there
        return SpreadAxis(window.length, window.length, (Run(0, 1, 0, 1, window.length),))
    return SpreadAxis(window.length, pitch, runs)


def _run(window: WindowAxis, phase: int, stride: int, pitch: int) -> Run:
    """Which elements go to a phase: element ``i`` is at ``low + i * dilation`` if all phases are
    together."""
    low, dilation = window.low, window.dilation
    common = math.gcd(stride, dilation)
    step = stride // common
    first = max(-(low // dilation), 0)
    last = min(((pitch - 1) * stride + phase - low) // dilation, window.length - 1)
    for i in range(first, min(first + step, last + 1)):
        place = low + i * dilation
        if place % stride == phase:
            return Run(i, step, place // stride, dilation // common, (last - i) // step + 1)
    return Run(0, step, 0, dilation // common, 0)
