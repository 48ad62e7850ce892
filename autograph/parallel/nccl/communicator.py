"""Collectives of CuPy arrays between the processes of one set of mesh axes."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from autograph.errors import CollectiveError, MissingLibraryError
from autograph.parallel.mpi import datatypes as described_by
from autograph.parallel.mpi.calls import Call, Rendezvous
from autograph.parallel.mpi.communicator import Traffic
from autograph.parallel.mpi.datatypes import Reduced
from autograph.parallel.mpi.packing import Packet, messages
from autograph.parallel.nccl.datatypes import Datatypes
from autograph.parallel.nccl.peers import Peers

Arrays = Sequence[Any]
T = TypeVar("T")


class _Plan:
    """What is needed each time that a call is made with operands of the same types."""

    __slots__ = ("entry", "forms", "messages", "traffic")

    def __init__(self, entry: Rendezvous, traffic: Traffic, forms: list[Reduced], arrays: Arrays):
        self.entry = entry
        self.traffic = traffic
        self.forms = forms
        self.messages: list[Packet] = messages(arrays, forms)


class NcclCommunicator:
    """The processes along one or several axes of a mesh, each with a GPU of its own.

    The methods are those of `autograph.parallel.mpi.Communicator`, on CuPy arrays. They put what
    they do on CuPy's current stream and do not wait for it, but for `barrier`. NCCL is asked for a
    communicator at the first of them that sends anything, on the device of its operands, where all
    later ones have to be.

    All methods raise `CollectiveError` where processes differ, have left, died, or do not come, for
    dtypes that NCCL does not know, and where NCCL fails.

    Args:
        peers: what tells the processes of each other.
        library: CuPy.

    Attributes:
        rank: of this process, from 0.
        size: how many processes there are.
        members: their ranks among all processes.
        counts: what has been sent, by the names of operators.
    """

    def __init__(self, peers: Peers, library: Any):
        self._peers = peers
        self._library = library
        self._nccl = nccl = _nccl_of(library)
        self._bytes: int = nccl.NCCL_UINT8
        self._datatypes = Datatypes(library, nccl)
        self._plans: dict[Any, _Plan] = {}
        self._made: Any = None
        self._device = -1
        self.rank = peers.rank
        self.size = peers.size
        self.members = peers.members
        self.counts: dict[str, Traffic] = {}

    def __repr__(self) -> str:
        return f"NcclCommunicator(rank={self.rank}, size={self.size})"

    def split(self, color: int, key: int) -> NcclCommunicator:
        """The processes that give the same colour, in the order of their keys."""
        return NcclCommunicator(self._peers.split(color, key), self._library)

    # -- reductions --------------------------------------------------------------------------------

    def sum(self, arrays: Arrays, what: Call, *, donate: bool = False) -> list[Any]:
        """The sums of arrays over the processes, with the same bits on all.

        Args:
            arrays: of any shapes and dtypes of numbers; those of one dtype are one message.
            donate: whether the memory of an array that is given alone may become that of its sum.
        """
        forms = lambda: [self._datatypes.summed(x.dtype, what) for x in arrays]
        return self._reduce(self._plan("sum", what, arrays, forms), arrays, donate)

    def max(self, arrays: Arrays, what: Call) -> list[Any]:
        """The largest of each element, NaN where one is; 0.0 is larger than -0.0."""
        forms = lambda: [self._datatypes.compared(x.dtype, what, True) for x in arrays]
        return self._reduce(self._plan("max", what, arrays, forms), arrays)

    def min(self, arrays: Arrays, what: Call) -> list[Any]:
        """The smallest of each element, NaN where one is; -0.0 is smaller than 0.0."""
        forms = lambda: [self._datatypes.compared(x.dtype, what, False) for x in arrays]
        return self._reduce(self._plan("min", what, arrays, forms), arrays)

    def _reduce(self, plan: _Plan, arrays: Arrays, donate: bool = False) -> list[Any]:
        results: list[Any] = [None] * len(arrays)

        def reduce(stream: int) -> None:
            if len(arrays) == 1:
                sent = [plan.forms[0].encode(arrays[0])]
                received = sent if donate else [self._library.empty_like(sent[0])]
            else:
                sent = received = [m.pack(arrays, self._library) for m in plan.messages]
            with self._group(sum(x.size > 0 for x in sent) > 1):
                for message, source, target in zip(plan.messages, sent, received):
                    if source.size:
                        places = source.data.ptr, target.data.ptr
                        how = message.datatype, message.operation
                        self._made.allReduce(*places, source.size, *how, stream)
                        self._sent(plan, source.nbytes)
            for message, numbers in zip(plan.messages, received):
                message.unpack(numbers, results)

        self._run(plan, arrays, reduce)
        return results

    def scatter_sum(self, x: Any, what: Call) -> Any:
        """The row of this process, of the sum of arrays with as many rows as processes."""
        self._check_rows(x, what)
        forms = lambda: [self._datatypes.summed(x.dtype, what)]
        plan = self._plan("scatter_sum", what, (x,), forms)
        (form,) = plan.forms

        def reduce(stream: int) -> Any:
            sent = form.encode(x)
            out = self._library.empty(sent.size // self.size, form.carrier)
            if out.size:
                places = sent.data.ptr, out.data.ptr
                how = form.datatype, form.operation
                self._made.reduceScatter(*places, out.size, *how, stream)
                self._sent(plan, sent.nbytes)
            return _decoded(form, out).reshape(x.shape[1:])

        return self._run(plan, (x,), reduce)

    def sum_to(self, x: Any, target: int, what: Call) -> Any:
        """The sum on one process, zeros on the others."""
        forms = lambda: [self._datatypes.summed(x.dtype, what)]
        plan = self._plan("sum_to", what, (x,), forms, note=f" to {target}")
        (form,) = plan.forms

        def reduce(stream: int) -> Any:
            sent = form.encode(x)
            out = self._library.empty_like(sent) if self.rank == target else sent
            if sent.size:
                places = sent.data.ptr, out.data.ptr
                how = form.datatype, form.operation
                self._made.reduce(*places, sent.size, *how, target, stream)
                if self.rank != target:
                    self._sent(plan, sent.nbytes)
            if self.rank != target:
                return self._library.zeros(x.shape, x.dtype)
            return _decoded(form, out).reshape(x.shape)

        return self._run(plan, (x,), reduce)

    # -- what is moved -----------------------------------------------------------------------------

    def gather(self, x: Any, what: Call) -> Any:
        """The arrays of all processes, in the order of ranks, along a new first axis."""
        plan = self._plan("gather", what, (x,))

        def gather(stream: int) -> Any:
            sent = self._contiguous(x)
            out = self._library.empty((self.size, *x.shape), x.dtype)
            if out.size:
                places = sent.data.ptr, out.data.ptr
                self._made.allGather(*places, sent.nbytes, self._bytes, stream)
                self._sent(plan, sent.nbytes)
            return out

        return self._run(plan, (x,), gather)

    def permute(self, x: Any, pairs: Sequence[tuple[int, int]], what: Call) -> Any:
        """What another process sends to this one; zeros if none does.

        Args:
            pairs: who sends and who receives, each at most once; the same on all processes.
        """
        pairs = tuple((int(source), int(target)) for source, target in pairs)
        plan = self._plan("permute", what, (x,), note=f" along {pairs}")
        target = next((target for source, target in pairs if source == self.rank), None)
        source = next((source for source, target in pairs if target == self.rank), None)

        def permute(stream: int) -> Any:
            if source == self.rank:  # and so is the target
                return x.copy()
            sent = self._contiguous(x)
            make = self._library.zeros if source is None else self._library.empty
            out = make(x.shape, x.dtype)
            if not x.size or source is target is None:
                return out
            with self._group():
                if target is not None:
                    self._made.send(sent.data.ptr, sent.nbytes, self._bytes, target, stream)
                    self._sent(plan, sent.nbytes)
                if source is not None:
                    self._made.recv(out.data.ptr, out.nbytes, self._bytes, source, stream)
            return out

        return self._run(plan, (x,), permute)

    def exchange(self, x: Any, what: Call) -> Any:
        """Row i of process j becomes row j of process i, of arrays with as many rows."""
        self._check_rows(x, what)
        plan = self._plan("exchange", what, (x,))

        def exchange(stream: int) -> Any:
            sent = self._contiguous(x)
            out = self._library.empty(x.shape, x.dtype)
            out[self.rank] = x[self.rank]
            others = [rank for rank in range(self.size) if rank != self.rank]
            if not x.size or not others:
                return out
            row = x.nbytes // self.size
            with self._group():
                for rank in others:
                    send, receive = sent.data.ptr + rank * row, out.data.ptr + rank * row
                    self._made.send(send, row, self._bytes, rank, stream)
                    self._made.recv(receive, row, self._bytes, rank, stream)
            self._sent(plan, x.nbytes)
            return out

        return self._run(plan, (x,), exchange)

    def broadcast(self, x: Any, source: int, what: Call) -> Any:
        """The array of one process on all; the others give one of its shape and dtype."""
        plan = self._plan("broadcast", what, (x,), note=f" from {source}")

        def broadcast(stream: int) -> Any:
            out = self._library.empty(x.shape, x.dtype)
            sent = self._contiguous(x) if self.rank == source else out
            if out.size:
                places = sent.data.ptr, out.data.ptr
                self._made.broadcast(*places, out.nbytes, self._bytes, source, stream)
                if self.rank == source:
                    self._sent(plan, out.nbytes)
            return out

        return self._run(plan, (x,), broadcast)

    # -- agreement ---------------------------------------------------------------------------------

    def agree(self, digest: bytes, what: Call) -> bool:
        """Whether all processes give the same bytes, of the same number."""
        return self._peers.agree(digest, what)

    def barrier(self, what: Call) -> None:
        """Wait until all processes are here, and their GPUs done with what is on their streams."""
        self._library.cuda.get_current_stream().synchronize()
        self._peers.barrier(what)

    # -- what all of these do ----------------------------------------------------------------------

    def _plan(
        self,
        kind: str,
        what: Call,
        arrays: Arrays,
        forms: Callable[[], list[Reduced]] = list,
        note: str = "",
    ) -> _Plan:
        key = (kind, what, note, *((x.dtype, x.shape) for x in arrays))
        plan = self._plans.get(key)
        if plan is None:
            # "on GPUs": one with CuPy arrays does not meet one with NumPy's.
            entry = Rendezvous(what, f"{described_by.described(arrays)}{note} on GPUs")
            made = forms()
            traffic = self.counts.setdefault(what.operator, Traffic())
            self._plans[key] = plan = _Plan(entry, traffic, made, arrays if made else ())
        return plan

    def _run(self, plan: _Plan, arrays: Arrays, function: Callable[[int], T]) -> T:
        """Call NCCL once all processes are here."""
        for x in arrays:
            if x.size:
                self._require_device(x.data.device_id, plan)
        device = self._device

        def call() -> T:
            if device < 0:  # nothing has been sent yet, and nothing is
                return function(0)
            with self._library.cuda.Device(device), self._failing(plan.entry):
                if self._made is None:
                    self._connect()
                return function(self._library.cuda.get_current_stream().ptr)

        try:
            return self._peers.run(plan.entry, call)
        except BaseException:
            self._abort()
            raise

    def _abort(self) -> None:
        """End what waits on the GPU for processes that may not come: else this one may not end."""
        made, self._made = self._made, None
        if made is not None:
            with contextlib.suppress(self._nccl.NcclError):
                made.abort()

    def _require_device(self, device: int, plan: _Plan) -> None:
        """Operands are on the device of the first that there were."""
        if self._device < 0:
            self._device = device
        if device != self._device:
            call = plan.entry.call
            raise CollectiveError(
                f"'{call.operator}' is given an array on GPU {device}, but this process meets the "
                f"others on GPU {self._device}",
                call.place,
                id="AG0672",
                fix="use one GPU in each process: cupy.cuda.Device(number).use() where it starts",
            )

    def _connect(self) -> None:
        """Ask NCCL for a communicator; all processes do so at the same collective."""
        own = self._nccl.get_unique_id() if self.rank == 0 else b""
        # Before CuPy 14 it is a tuple of what C calls char.
        mark = b"b" if isinstance(own, bytes) else b"t"
        data = self._peers.share(mark + bytes(number & 255 for number in own))
        unique: Any = data[1:]
        if data[:1] == b"t":
            unique = tuple((number ^ 128) - 128 for number in unique)
        self._made = self._nccl.NcclCommunicator(self.size, unique, self.rank)

    @contextlib.contextmanager
    def _group(self, needed: bool = True) -> Iterator[None]:
        """Calls that NCCL starts together."""
        if not needed:
            yield
            return
        self._nccl.groupStart()
        try:
            yield
        finally:
            self._nccl.groupEnd()

    @contextlib.contextmanager
    def _failing(self, entry: Rendezvous) -> Iterator[None]:
        try:
            yield
        except self._nccl.NcclError as error:
            raise CollectiveError(
                f"NCCL has failed in '{entry.call.operator}': {error}",
                entry.call.place,
                id="AG0673",
                fix="NCCL_DEBUG=INFO shows why; each process needs a GPU of its own",
            ) from error

    def _sent(self, plan: _Plan, size: int) -> None:
        plan.traffic.messages += 1
        plan.traffic.bytes += size

    def _contiguous(self, x: Any) -> Any:
        return self._library.ascontiguousarray(x)

    def _check_rows(self, x: Any, what: Call) -> None:
        if x.ndim == 0 or len(x) != self.size:
            raise CollectiveError(
                f"'{what.operator}' of an array of shape {x.shape} between {self.size} processes",
                what.place,
                id="AG0661",
                fix="give it as many rows as there are processes",
            )


def _decoded(form: Reduced, numbers: Any) -> Any:
    return numbers if form.decode is None else form.decode(numbers)


def _nccl_of(library: Any) -> Any:
    """CuPy's module of NCCL.

    Raises:
        MissingLibraryError: it does not find NCCL.
    """
    nccl = importlib.import_module(f"{library.__name__}.cuda.nccl")
    if not nccl.available:
        raise MissingLibraryError(
            "several processes with CuPy arrays need NCCL, which CuPy does not find",
            id="AG0675",
            fix="pip install nvidia-nccl-cu13, or -cu12 for CUDA 12",
        )
    return nccl
