"""A program as one graph of CUDA's: its kernels, what CuPy does between them, and collectives.

What Python does between launches takes longer than many a launch, and a graph needs none of it. A
program is captured when a call comes again with the same memory (`repeats`), if its own graph tells
that it may be (`capturable`). It then runs twice on a stream of its own, with memory from a pool of
its own: the first run gives the call its results and loads what is loaded when it is first used,
the second shows that all memory is in the pool by then, as a capture may not ask CUDA for any. Then
Python runs it once more, while the stream is captured. Nobody else gets memory of that pool, so
what the graph refers to stays; results are copied from there, since they are the caller's, and the
next start of the graph overwrites them.

Python's numbers are in the graph as they were: other numbers are another call, as are arrays at
another place, unless they are small enough to be copied to memory of the graph's.

Where processes meet in a program, NCCL's calls are captured with the others. "NCCL User Guide"
(using NCCL with CUDA graphs): whether a call is captured, and of which capture a graph is that is
started, has to be the same in all processes. So before each call they tell each other what they
would do, in place of what they tell each other before each collective of a program that runs by
itself; where one would do something else, all of them let Python run the program.
"""

from __future__ import annotations

import contextlib
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.collector import collector_waits
from autograph.errors import Location
from autograph.kernels.cuda.capturable import Capturable
from autograph.kernels.cuda.flag import flag_of, wait
from autograph.kernels.cuda.inside import ProgramRun, current
from autograph.kernels.cuda.repeats import MOST_CAPTURES, Key, NotYet, Repeated, Repeats
from autograph.kernels.cuda.reported import is_of_device, reported
from autograph.kernels.cuda.run import Full
from autograph.kernels.cuda.workspace import NotFixed
from autograph.kernels.ir.interpreter import GaveUp
from autograph.log import log

_MOST_LINES = 4  # streams and threads for which a program keeps graphs
# Not measured yet. A call of a kernel takes some 20 microseconds of Python, a copy 5, and 1 for
# each MiB.
_COPIES_PER_CALL = 2
_BYTES_PER_CALL = 2**22

_NUMBERS = (bool, int, float, complex)

# The first axis of a mesh along which a graph's processes meet. "NCCL User Guide": CUDA has been
# seen to deadlock where a thread starts graphs of several communicators.
_axes: list[Any] = []


def as_graph(
    name: str,
    function: Callable[..., Any],
    known: Capturable,
    location: Location | None,
    agreed: Callable[[bytes], bool],
) -> Callable[..., Any]:
    """The function of a program, which starts a graph where there is one; the function itself if
    there cannot be any. For the arguments see `WholeProgram`."""
    program = WholeProgram(name, function, known, location, agreed)
    return function if program.off else program


@dataclass
class _Captured(Repeated):
    """A graph.

    Attributes:
        number: of the capture, the same in all processes.
        graph: CUDA's.
        own: memory of the graph's, by the position of the argument that is copied to it.
        results: where each is, as `WholeProgram` has it.
        single: whether there is one, without a tuple.
        inside: what kernels say.
    """

    number: int
    graph: Any
    own: dict[int, Any]
    results: list[tuple[str, Any]]
    single: bool
    inside: ProgramRun


class WholeProgram:
    """The function of a program, which starts a graph where there is one.

    Args:
        name: of the program.
        function: runs it.
        known: what its graph tells.
        location: the user's line.
        agreed: where processes meet, whether all of them give the same bytes.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        known: Capturable,
        location: Location | None,
        agreed: Callable[[bytes], bool] | None,
    ):
        self.name, self.function, self._known = name, function, known
        self._location, self._agreed = location, agreed if known.meets else None
        self._lines: dict[tuple[int, ...], _Line] = {}
        self._captures = 0
        self.off = ""
        if known.why_not:
            self._turn_off(known.why_not)
        elif known.meets:
            _axes.append(known.axis)
            if known.axis != _axes[0]:
                self._turn_off(f"graphs meet along {_axes[0].name}, and here {known.axis.name}")

    def _turn_off(self, why: str) -> None:
        self.off = why
        self._lines.clear()
        log.debug("%s: is not captured as a whole: %s", self.name, why)

    def __call__(self, *inputs: Any) -> Any:
        """Run the program on the current device and stream.

        Raises:
            KeyboardInterrupt: the user wants a kernel to end. All have ended.
            DeviceError: the device reports an error.
        """
        if self.off or current.get() is not None:
            return self.function(*inputs)
        line = self._line()
        with line.taken() as is_free:
            key = line.key(inputs) if is_free else None
            found, copied = (None, None) if key is None else self._wanted(line, key, inputs)
            would = f"start {found.number}" if found else ""
            if copied is not None:
                would = f"capture {self._captures}, copying {copied}"
            if self._agreed is not None and not self._agreed(f"{self.name}: {would}".encode()):
                would = ""
            if not would:
                return self.function(*inputs)
            try:
                if found is not None:
                    return self._start(line, found, inputs)
                assert key is not None and copied is not None
                return self._capture(line, key, copied, inputs)
            except RuntimeError as error:
                if not is_of_device(error):
                    raise
                raise reported(error, self.name, self._location) from error

    def _line(self) -> _Line:
        import cupy

        stream = cupy.cuda.get_current_stream()
        key = threading.get_ident(), cupy.cuda.runtime.getDevice(), stream.ptr
        if key not in self._lines:
            if len(self._lines) >= _MOST_LINES:
                self._lines.pop(next(iter(self._lines)))
            self._lines[key] = _Line(cupy, stream)
        return self._lines[key]

    def _wanted(
        self, line: _Line, key: Key, inputs: Sequence[Any]
    ) -> tuple[_Captured | None, tuple[int, ...] | None]:
        """The graph for a call, or what is to be copied for a new one, or neither."""
        found = line.repeats.find(key)
        if found is not None:
            return found, None
        moves_little = lambda moved: self._moves_little(inputs, moved)
        with contextlib.suppress(NotYet):
            return None, line.repeats.copied(key, moves_little)
        return None, None

    def _moves_little(self, inputs: Sequence[Any], moved: Sequence[int]) -> bool:
        """Whether to copy what moved costs less than what a graph saves."""
        if any(i >= len(inputs) or not _is_plain(inputs[i]) for i in moved):
            return False  # a number, another shape, the flag
        return self._is_worth(len(moved), sum(inputs[i].nbytes for i in moved))

    def _is_worth(self, copies: int, nbytes: int) -> bool:
        calls = self._known.calls
        return copies <= calls * _COPIES_PER_CALL and nbytes <= calls * _BYTES_PER_CALL

    # -- to capture --------------------------------------------------------------------------------

    def _capture(
        self, line: _Line, key: Key, copied: tuple[int, ...], inputs: Sequence[Any]
    ) -> Any:
        """Run the program for a call, and make a graph for the next ones like it."""
        number, self._captures = self._captures, self._captures + 1
        own = line.copies(inputs, copied)
        given = [own.get(i, x) for i, x in enumerate(inputs)]
        first = ProgramRun(line.cupy, False, self._known.meets)
        of_caller = lambda result: self._of_caller(line, result, own, inputs)
        try:
            found = line.run(self.function, given, first, of_caller)
        except _Shared as shared:  # in all processes
            self._turn_off(str(shared))
            return self.function(*inputs)
        first.release()
        made = None
        try:
            if number >= MOST_CAPTURES:
                raise NotFixed("its arguments are elsewhere too often")
            again = ProgramRun(line.cupy, False, self._known.meets)
            before = line.pool.total_bytes()
            line.run(self.function, given, again, lambda result: None)
            again.release()
            if first.refused or again.refused:
                raise NotFixed(first.refused or again.refused)
            if line.pool.total_bytes() != before:
                raise NotFixed("it does not have the same memory each time")
            made = self._noted(line, number, key, copied, own, given)
        except Exception as error:  # also of the program's: what CUDA refuses is reported there
            why = str(error)
        if self._agreed is None or self._agreed(b"captured" if made else b"not captured"):
            if made is not None:
                line.repeats.add(made)
                log.debug("%s: captured as a whole, copying %d arrays", self.name, len(copied))
                return found
        else:
            why = "another process does not capture it"
        self._turn_off(why)
        return found

    @staticmethod
    def _of_caller(line: _Line, result: Any, own: dict[int, Any], inputs: Sequence[Any]) -> Any:
        """The results of a run, with copies in place of those that are in memory of the line's.

        Raises:
            _Shared: copies would not be what the caller gets from the program.
        """
        results = result if isinstance(result, tuple) else (result,)
        kept = [x for x in results if line.owns(x)]
        if any(_meet(x, y) for i, x in enumerate(kept) for y in kept[:i]):
            raise _Shared("two of its results share memory")
        copied = {id(x): i for i, x in own.items()}
        found = tuple(
            [
                inputs[copied[id(x)]]
                if id(x) in copied
                else x.copy(order="K")
                if line.owns(x)
                else x
                for x in results
            ]
        )
        return found if isinstance(result, tuple) else found[0]

    def _noted(
        self,
        line: _Line,
        number: int,
        key: Key,
        copied: tuple[int, ...],
        own: dict[int, Any],
        given: Sequence[Any],
    ) -> _Captured:
        """The graph.

        Raises:
            NotFixed, RuntimeError: there cannot be one.
        """
        inside = ProgramRun(line.cupy, True, self._known.meets)
        graph, result = line.note(self.function, given, inside)
        single = not isinstance(result, tuple)
        results = [_placed(line, x, given) for x in ([result] if single else result)]
        arrays = [x for kind, x in results if kind == "array"]
        nbytes = sum(x.nbytes for x in arrays) + sum(x.nbytes for x in own.values())
        if not self._is_worth(len(arrays) + len(own), nbytes):
            raise NotFixed("to copy its results takes longer than a graph saves")
        known = tuple(None if i in copied else x for i, x in enumerate(key))
        return _Captured(known, copied, number, graph, own, results, single, inside)

    # -- to start ----------------------------------------------------------------------------------

    def _start(self, line: _Line, found: _Captured, inputs: Sequence[Any]) -> Any:
        try:
            with line.ending(found.inside.may_stop):
                return self._started(line, found, inputs)
        except GaveUp:
            self._turn_off("a kernel has given up")
        except Full:
            line.repeats.forget()
        return self.function(*inputs)

    @staticmethod
    def _started(line: _Line, found: _Captured, inputs: Sequence[Any]) -> Any:
        """The results of a graph.

        Raises:
            GaveUp, Full, KeyboardInterrupt: see `autograph.kernels.cuda.inside.ProgramRun.look`.
        """
        for i, own in found.own.items():
            own[...] = inputs[i]
        found.graph.launch(line.outer)
        results = tuple(
            [
                x.copy(order="K") if kind == "array" else inputs[x] if kind == "given" else x
                for kind, x in found.results
            ]
        )
        if found.inside.says:
            wait(line.cupy, line.outer)
            found.inside.look(line.outer)
        return results[0] if found.single else results


class _Shared(Exception):
    """Results share memory."""


class _Line:
    """What is made for a stream.

    Attributes:
        outer: the stream.
        pool: the memory of graphs.
        repeats: the graphs.
    """

    def __init__(self, cupy: Any, stream: Any):
        self.cupy, self.outer = cupy, stream
        self.pool = cupy.cuda.MemoryPool()
        self.repeats: Repeats[_Captured] = Repeats()
        self._device = cupy.cuda.runtime.getDevice()
        # The legacy stream cannot be captured, nor one that others use.
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._blocks: dict[int, int] = {}  # where the pool has given memory, and how much
        self._busy = False

    @contextlib.contextmanager
    def taken(self) -> Iterator[bool]:
        """Whether no call has it, which a signal may have interrupted; from now on this one has."""
        is_free, self._busy = not self._busy, True
        try:
            yield is_free
        finally:
            self._busy = not is_free

    def key(self, inputs: Sequence[Any]) -> Key | None:
        """Whatever the launches depend on; None if they may depend on more."""
        array = self.cupy.ndarray
        places: list[Any] = []
        forms: list[Any] = []
        for x in inputs:
            if type(x) is array:
                if x.data.device_id != self._device:
                    return None
                places.append(x.data.ptr)
                forms.append((x.dtype, x.shape, x.strides))
            elif type(x) in _NUMBERS:
                places.append(_bits(x))
                forms.append(type(x))
            else:
                return None
        return (*places, *forms, flag_of(self.cupy, self._device).address)

    def copies(self, inputs: Sequence[Any], positions: Sequence[int]) -> dict[int, Any]:
        """Arguments in memory of the graph's."""
        own = {}
        with self._inside(None):
            for i in positions:
                own[i] = self.cupy.empty(inputs[i].shape, inputs[i].dtype)
        for i, x in own.items():
            x[...] = inputs[i]
        return own

    def run(
        self, function: Callable, inputs: Sequence[Any], inside: ProgramRun, use: Callable
    ) -> Any:
        """Run a function on the other stream, in order with what runs on this one.

        Args:
            use: what becomes of its result, on this stream.
        """
        self._stream.wait_event(self.outer.record())
        with self._inside(inside):
            result = function(*inputs)
        self.outer.wait_event(self._stream.record())
        return use(result)

    @collector_waits()
    def note(
        self, function: Callable, inputs: Sequence[Any], inside: ProgramRun
    ) -> tuple[Any, Any]:
        """The graph of what a function launches, and its result."""
        stream = self._stream
        with self._inside(inside):
            stream.begin_capture(mode=self.cupy.cuda.runtime.streamCaptureModeThreadLocal)
            try:
                result = function(*inputs)
            except BaseException:
                with contextlib.suppress(RuntimeError):  # it is invalid, and ends with this
                    stream.end_capture()
                raise
            return stream.end_capture(), result

    @contextlib.contextmanager
    def _inside(self, inside: ProgramRun | None) -> Iterator[None]:
        token = current.set(inside)
        try:
            with self.cupy.cuda.using_allocator(self._allocate), self._stream:
                yield
        finally:
            current.reset(token)

    def _allocate(self, nbytes: int) -> Any:
        memory = self.pool.malloc(nbytes)
        self._blocks[memory.ptr] = max(nbytes, self._blocks.get(memory.ptr, 0))
        return memory

    def owns(self, x: Any) -> bool:
        """Whether something is an array in memory of the pool's."""
        if type(x) is not self.cupy.ndarray:
            return False
        low, high = _extent(x)
        return any(p <= low and high <= p + n for p, n in self._blocks.items())

    @contextlib.contextmanager
    def ending(self, may_stop: bool) -> Iterator[None]:
        """Where a graph runs: if the user does not wait, kernels are told to end, and do."""
        try:
            yield
        except (GaveUp, Full):
            raise
        except BaseException:
            if may_stop:
                flag = flag_of(self.cupy, self._device)
                flag.set()
                wait(self.cupy, self.outer)
                flag.clear()
            raise


def _placed(line: _Line, x: Any, given: Sequence[Any]) -> tuple[str, Any]:
    """A result: an ``"array"`` of the line's, what is ``"given"`` at a position, or a ``"number"``.

    Raises:
        NotFixed: it is something else.
    """
    for i, argument in enumerate(given):
        if x is argument and type(x) not in _NUMBERS:
            return "given", i
    if type(x) in _NUMBERS or x is None:
        return "number", x
    if not line.owns(x):
        raise NotFixed("a result is in memory of an argument or a constant")
    return "array", x


def _bits(x: Any) -> Any:
    """A number, equal only where its bits are."""
    if type(x) is float:
        return struct.pack("d", x)
    return struct.pack("dd", x.real, x.imag) if type(x) is complex else x


def _is_plain(x: Any) -> bool:
    """Whether something is an array whose elements lie one after the other."""
    return hasattr(x, "flags") and hasattr(x, "data") and x.flags.c_contiguous


def _extent(x: Any) -> tuple[int, int]:
    """The addresses between which the elements of an array are."""
    low = high = int(x.data.ptr)
    if not x.size:
        return low, high
    for length, step in zip(x.shape, x.strides):
        low += min((length - 1) * step, 0)
        high += max((length - 1) * step, 0)
    return low, high + np.dtype(x.dtype).itemsize


def _meet(x: Any, y: Any) -> bool:
    (a, b), (c, d) = _extent(x), _extent(y)
    return a < d and c < b
