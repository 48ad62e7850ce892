"""Collectives of NumPy arrays between the processes of one set of mesh axes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from autograph.errors import CollectiveError
from autograph.parallel.mpi import datatypes, reports
from autograph.parallel.mpi.calls import Call, Rendezvous
from autograph.parallel.mpi.guard import Agreement
from autograph.parallel.mpi.packing import Packet, messages
from autograph.parallel.mpi.session import Session

# MPI counts by an int of 32 bits: more goes in several messages, or in larger units.
LARGEST = 2**30

Arrays = Sequence[np.ndarray]
T = TypeVar("T")


class Traffic:
    """What one operator has sent, as this process gave it to MPI.

    Attributes:
        messages: calls of MPI.
        bytes: in the arrays that this process gave to them.
    """

    __slots__ = ("bytes", "messages")

    def __init__(self) -> None:
        self.messages = 0
        self.bytes = 0

    def __repr__(self) -> str:
        return f"Traffic(messages={self.messages}, bytes={self.bytes})"


class _Plan:
    """What is needed each time that a call is made with operands of the same types."""

    __slots__ = ("entry", "messages", "single", "source", "target", "traffic")

    def __init__(self, entry: Rendezvous, traffic: Traffic):
        self.entry = entry
        self.traffic = traffic
        self.messages: list[Packet] = []
        # Sums one array that MPI takes as it is; see `Communicator.summing`.
        self.single: Callable[[np.ndarray, bool], np.ndarray] | None = None
        # Of what is permuted: who sends to this process, and to whom it sends.
        self.source = self.target = 0


class Communicator:
    """The processes along one or several axes of a mesh.

    Every method but `split` takes as ``what`` how the user called it, which errors name. With the
    shapes and dtypes it has to be the same on all processes. Results are new arrays. All methods
    raise `CollectiveError` where processes differ, have left, died, or do not come, and for dtypes
    that MPI does not know.

    Args:
        session: MPI.
        comm: of mpi4py.
        name: the same on all of its processes.

    Attributes:
        rank: of this process, from 0.
        size: how many processes there are.
        members: their ranks among all processes.
        counts: what has been sent, by the names of operators.
    """

    def __init__(self, session: Session, comm: Any, name: str):
        self._session = session
        self._mpi = mpi = session.mpi
        self._in_place = mpi.IN_PLACE
        self._comm = comm.Dup()
        self._name = name
        self._splits = 0
        self._plans: dict[Any, _Plan] = {}
        self.rank: int = comm.rank
        self.size: int = comm.size
        self.counts: dict[str, Traffic] = {}
        ranks = list(range(comm.size))
        group = comm.Get_group()
        self.members = tuple(group.Translate_ranks(ranks, session.comm.Get_group()))
        self._guard = Agreement(session, comm, name, self.members) if session.guarded else None

    def __repr__(self) -> str:
        return f"Communicator(rank={self.rank}, size={self.size})"

    def split(self, color: int, key: int) -> Communicator:
        """The processes that give the same colour, in the order of their keys."""
        plan = self._plan("split", Call("split", ""), ())
        comm = self._run(plan, lambda: self._comm.Split(color, key))
        self._splits += 1
        name = f"{self._name}.{self._splits}:{color}"
        return self._run(plan, lambda: Communicator(self._session, comm, name), agree=False)

    # -- reductions --------------------------------------------------------------------------------

    def sum(self, arrays: Arrays, what: Call, *, donate: bool = False) -> list[np.ndarray]:
        """The sums of arrays over the processes, with the same bits on all.

        Bools are joined by ``or``, as NumPy adds them; float16 is summed as float32.

        Args:
            arrays: of any shapes and dtypes of numbers; those of one dtype are one message.
            donate: whether the memory of an array that is given alone may become that of its sum,
                which saves a copy.
        """
        if len(arrays) == 1:
            x = arrays[0]
            plan = self._plans.get(("sum", what, x.dtype, x.shape)) or self._sums(arrays, what)
            if plan.single is not None:
                return [plan.single(x, donate)]
        return self._reduce(self._sums(arrays, what), arrays)

    def summing(self, x: np.ndarray, what: Call) -> Callable[[np.ndarray, bool], np.ndarray] | None:
        """What sums arrays of the dtype and the shape of ``x``, for programs that do so again and
        again: a function of an array, and of whether its memory may become that of the sum. None if
        MPI does not take them as they are."""
        return self._sums((x,), what).single

    def summing_all(self, arrays: Arrays, what: Call) -> Callable[[Arrays], list[np.ndarray]]:
        """What sums as many arrays of the same dtypes and shapes."""
        return functools.partial(self._reduce, self._sums(arrays, what))

    def _sums(self, arrays: Arrays, what: Call) -> _Plan:
        forms = lambda: [datatypes.summed(self._mpi, x.dtype, what) for x in arrays]
        return self._plan("sum", what, arrays, forms)

    def _single(self, plan: _Plan, size: int) -> Callable[[np.ndarray, bool], np.ndarray]:
        """Sums one array: what programs call most, with little around it."""
        (message,) = plan.messages
        count, datatype, operation = message.count, message.datatype, message.operation
        session, entry, traffic = self._session, plan.entry, plan.traffic
        agree = None if self._guard is None else self._guard.agree
        allreduce, in_place = self._comm.Allreduce, self._in_place

        def summed(x: np.ndarray, donate: bool) -> np.ndarray:
            if agree is not None:
                agree(entry)
            out = x if donate and x.flags.carray else x.copy()
            session.running = (entry,)
            try:
                allreduce(in_place, (out, count, datatype), operation)
            except BaseException as error:
                self._give_up(entry, error)
                raise
            finally:
                session.running = None
            traffic.messages += 1
            traffic.bytes += size
            return out

        return summed

    def max(self, arrays: Arrays, what: Call) -> list[np.ndarray]:
        """The largest of each element, NaN where one is; 0.0 is larger than -0.0."""
        return self._extremes(arrays, what, True)

    def min(self, arrays: Arrays, what: Call) -> list[np.ndarray]:
        """The smallest of each element, NaN where one is; -0.0 is smaller than 0.0."""
        return self._extremes(arrays, what, False)

    def _extremes(self, arrays: Arrays, what: Call, largest: bool) -> list[np.ndarray]:
        forms = [datatypes.compared(self._mpi, x.dtype, what, largest) for x in arrays]
        known = [form for form in forms if form is not None]
        kind = "max" if largest else "min"
        if len(known) == len(forms):
            return self._reduce(self._plan(kind, what, arrays, lambda: known), arrays)
        # Numbers of extended precision are compared by NumPy, from all processes in their order.
        function = np.maximum if largest else np.minimum
        found: list[np.ndarray] = []
        for x, form in zip(arrays, forms):
            if form is None:
                found.append(function.reduce(self.gather(x, what), axis=0))
            else:
                found += self._extremes([x], what, largest)
        return found

    def _reduce(self, plan: _Plan, arrays: Arrays) -> list[np.ndarray]:
        results: list[Any] = [None] * len(arrays)
        buffers = [message.pack(arrays) for message in plan.messages]

        def reduce() -> None:
            for message, buffer in zip(plan.messages, buffers):
                for part in _parts(buffer):
                    spec = (part, part.size, message.datatype)
                    self._comm.Allreduce(self._in_place, spec, message.operation)
                    self._sent(plan, part.nbytes)

        self._run(plan, reduce)
        for message, buffer in zip(plan.messages, buffers):
            message.unpack(buffer, results)
        return results

    def scatter_sum(self, x: np.ndarray, what: Call) -> np.ndarray:
        """The row of this process, of the sum of arrays with as many rows as processes."""
        _check_rows(x, self.size, what)
        form = datatypes.summed(self._mpi, x.dtype, what)
        plan = self._plan("scatter_sum", what, (x,))
        rows = form.encode(x).astype(form.carrier, copy=False).reshape(self.size, -1)
        out = np.empty(rows.shape[1], form.carrier)
        width = max(LARGEST // self.size, 1)

        def reduce() -> None:
            for start in range(0, out.size, width):
                part = np.ascontiguousarray(rows[:, start : start + width])
                sent = (part, part.shape[1], form.datatype)  # mpi4py counts what each receives
                received = (out[start : start + width], part.shape[1], form.datatype)
                self._comm.Reduce_scatter_block(sent, received, form.operation)
                self._sent(plan, part.nbytes)

        self._run(plan, reduce)
        return _decoded(form, out).reshape(x.shape[1:])

    def sum_to(self, x: np.ndarray, target: int, what: Call) -> np.ndarray:
        """The sum on one process, zeros on the others."""
        form = datatypes.summed(self._mpi, x.dtype, what)
        plan = self._plan("sum_to", what, (x,), note=f" to {target}")
        buffer = np.array(form.encode(x), form.carrier)

        def reduce() -> None:
            for part in _parts(buffer):
                spec = (part, part.size, form.datatype)
                if self.rank == target:
                    self._comm.Reduce(self._in_place, spec, form.operation, target)
                else:
                    self._comm.Reduce(spec, None, form.operation, target)
                    self._sent(plan, part.nbytes)

        self._run(plan, reduce)
        if self.rank != target:
            return np.zeros(x.shape, x.dtype.newbyteorder("="))
        return _decoded(form, buffer).reshape(x.shape)

    # -- what is moved -----------------------------------------------------------------------------

    def gather(self, x: np.ndarray, what: Call) -> np.ndarray:
        """The arrays of all processes, in the order of ranks, along a new first axis."""
        plan, sent = self._plan("gather", what, (x,)), datatypes.bytes_of(x, what)
        out = np.empty((self.size, *x.shape), x.dtype)

        def gather() -> None:
            received = datatypes.bytes_of(out, what)
            self._comm.Allgather(self._memory(sent), self._memory(received, self.size))
            self._sent(plan, sent.nbytes)

        self._run(plan, gather if out.size else _nothing)
        return out

    def permute(self, x: np.ndarray, pairs: Sequence[tuple[int, int]], what: Call) -> np.ndarray:
        """What another process sends to this one; zeros if none does.

        Args:
            pairs: who sends and who receives, each at most once; the same on all processes.
        """
        key = ("permute", what, tuple(pairs), x.dtype, x.shape)
        plan, none = self._plans.get(key), self._mpi.PROC_NULL
        if plan is None:
            both = tuple((int(source), int(target)) for source, target in pairs)
            plan = self._plan("permute", what, (x,), note=f" along {both}")
            plan.source = next((s for s, target in both if target == self.rank), none)
            plan.target = next((t for source, t in both if source == self.rank), none)
            self._plans[key] = plan
        sent = datatypes.bytes_of(x, what)
        source, target = plan.source, plan.target
        out = np.zeros(x.shape, x.dtype) if source == none else np.empty(x.shape, x.dtype)

        def permute() -> None:
            received = self._memory(datatypes.bytes_of(out, what))
            self._comm.Sendrecv(self._memory(sent), target, recvbuf=received, source=source)
            if target != none:
                self._sent(plan, sent.nbytes)

        self._run(plan, permute if out.size else _nothing)
        return out

    def exchange(self, x: np.ndarray, what: Call) -> np.ndarray:
        """Row i of process j becomes row j of process i, of arrays with as many rows."""
        _check_rows(x, self.size, what)
        plan, sent = self._plan("exchange", what, (x,)), datatypes.bytes_of(x, what)
        out = np.empty(x.shape, x.dtype)

        def exchange() -> None:
            received = datatypes.bytes_of(out, what)
            self._comm.Alltoall(self._memory(sent, self.size), self._memory(received, self.size))
            self._sent(plan, sent.nbytes)

        self._run(plan, exchange if out.size else _nothing)
        return out

    def broadcast(self, x: np.ndarray, source: int, what: Call) -> np.ndarray:
        """The array of one process on all; the others give one of its shape and dtype."""
        plan = self._plan("broadcast", what, (x,), note=f" from {source}")
        out = np.array(x, order="C")
        memory = datatypes.bytes_of(out, what)

        def broadcast() -> None:
            self._comm.Bcast(self._memory(memory), source)
            if self.rank == source:
                self._sent(plan, memory.nbytes)

        self._run(plan, broadcast if out.size else _nothing)
        return out

    # -- agreement ---------------------------------------------------------------------------------

    def agree(self, digest: bytes, what: Call) -> bool:
        """Whether all processes give the same bytes, of the same number."""
        plan = self._plan("agree", what, (), note=f"{len(digest)} bytes")
        own = np.frombuffer(digest, np.uint8)
        both = np.concatenate([own, ~own])  # `and` gives both back only where all are the same

        def reduce() -> np.ndarray:
            common = np.empty_like(both)
            sent, received = ((each, both.size, self._mpi.UINT8_T) for each in (both, common))
            self._comm.Allreduce(sent, received, self._mpi.BAND)
            self._sent(plan, both.nbytes)
            return common

        return bool((self._run(plan, reduce) == both).all())

    def barrier(self, what: Call) -> None:
        """Wait until all processes are here."""
        self._run(self._plan("barrier", what, ()), self._comm.Barrier)

    # -- what all of these do ----------------------------------------------------------------------

    def _plan(
        self,
        kind: str,
        what: Call,
        arrays: Arrays,
        forms: Callable[[], Sequence[datatypes.Reduced]] | None = None,
        note: str = "",
    ) -> _Plan:
        if len(arrays) == 1 and not note:
            key: Any = (kind, what, arrays[0].dtype, arrays[0].shape)
        else:
            key = (kind, what, note, *[x.dtype for x in arrays], *[x.shape for x in arrays])
        plan = self._plans.get(key)
        if plan is not None:
            return plan
        made = [] if forms is None else forms()
        entry = Rendezvous(what, datatypes.described(arrays) + note, kind)
        plan = _Plan(entry, self.counts.setdefault(what.operator, Traffic()))
        plan.messages = messages(arrays, made)
        as_it_is = len(made) == 1 and made[0].same_bits and arrays[0].dtype.isnative
        if as_it_is and 0 < plan.messages[0].count <= LARGEST:
            plan.single = self._single(plan, arrays[0].nbytes)
        self._plans[key] = plan
        return plan

    def _run(self, plan: _Plan, function: Callable[[], T], agree: bool = True) -> T:
        """Call MPI once all processes are here, while `watch` looks on."""
        return self.run(plan.entry, function, agree)

    def run(self, entry: Rendezvous, function: Callable[[], T], agree: bool = True) -> T:
        """Call a function in which processes meet, by MPI or other means.

        Args:
            entry: what it is; the same on all processes.
            agree: whether to wait until all of them are here.
        """
        session = self._session
        if agree and self._guard is not None:
            self._guard.agree(entry)
        session.running = (entry,)
        try:
            return function()
        except BaseException as error:
            self._give_up(entry, error)
            raise
        finally:
            session.running = None

    def _give_up(self, entry: Rendezvous, error: BaseException) -> None:
        if self._guard is not None:
            self._guard.give_up(entry, error)
        if isinstance(error, self._mpi.Exception):
            raise reports.failed(entry, self._session.rank, str(error)) from error

    def _sent(self, plan: _Plan, size: int) -> None:
        plan.traffic.messages += 1
        plan.traffic.bytes += size

    def _memory(self, memory: np.ndarray, parts: int = 1) -> Any:
        """Bytes as mpi4py takes them: for each of some parts as many as an int can count."""
        size = memory.size // parts
        if size <= LARGEST:
            return (memory, self._mpi.BYTE)
        return (memory, 1, _large(self._mpi, size))


_types: dict[int, Any] = {}


def _large(mpi: Any, size: int) -> Any:
    """A datatype of so many bytes."""
    if size not in _types:
        whole, rest = divmod(size, LARGEST)
        unit = mpi.BYTE.Create_contiguous(LARGEST)
        made = mpi.Datatype.Create_struct([whole, rest], [0, whole * LARGEST], [unit, mpi.BYTE])
        _types[size] = made.Commit()
    return _types[size]


def _parts(numbers: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, numbers.size, LARGEST):
        yield numbers[start : start + LARGEST]


def _decoded(form: datatypes.Reduced, numbers: np.ndarray) -> np.ndarray:
    return numbers if form.decode is None else form.decode(numbers)


def _nothing() -> None:
    """In the place of a message without bytes."""


def _check_rows(x: np.ndarray, size: int, what: Call) -> None:
    if x.ndim == 0 or len(x) != size:
        raise CollectiveError(
            f"'{what.operator}' of an array of shape {x.shape} between {size} processes",
            what.place,
            id="AG0661",
            fix="give it as many rows as there are processes",
        )
