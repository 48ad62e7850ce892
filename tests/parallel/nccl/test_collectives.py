"""Collectives of CuPy arrays over NCCL, on the stand-in: the same as NumPy's of all parts."""

import threading

import numpy as np
import pytest

from autograph.errors import CollectiveError, MissingLibraryError
from autograph.parallel.mpi.calls import Call
from autograph.parallel.nccl.communicator import NcclCommunicator
from autograph.parallel.nccl.store import TcpStore
from autograph.parallel.nccl.store_peers import StorePeers
from tests.parallel.nccl import stand_in
from tests.parallel.nccl.stand_in import on_device
from tests.support.tree import ROOT

WHAT = Call("psum", "train.py:12")
REAL = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REAL += ["float16", "float32", "float64"]
NUMBERS = [*REAL, "complex64", "complex128"]
SHAPES = [(), (3,), (2, 3), (0, 2)]
SIZES = [2, 3, 4]


@pytest.fixture
def cupy(monkeypatch):
    with stand_in.stand_in(monkeypatch) as found:
        yield found


def by_threads(cupy, size, function, limit=20):
    """``function(communicator, rank)`` in as many threads, each with a GPU: what it returns, or the
    errors."""
    memory, results, port = stand_in.Memory(), [None] * size, []
    ready = threading.Event()

    def run(rank):
        store = None
        try:
            stand_in.enter(rank, memory)
            if rank:
                ready.wait(limit)
            store = TcpStore(rank, size, "localhost", port[0] if rank else 0, limit)
            if not rank:
                port.append(store.port)
                ready.set()
            peers = StorePeers(store, tuple(range(size)))
            results[rank] = function(NcclCommunicator(peers, cupy), rank)
            assert (stand_in.state.depth, stand_in.state.group) == (0, [])
        except BaseException as error:
            results[rank] = error
        if store is not None:
            store.close()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * limit)
    return results


def all_of(cupy, size, function):
    results = by_threads(cupy, size, function)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def numbers(dtype, shape, rank, seed=0):
    """Any bits of a dtype, that are small enough for sums to be exact where they should."""
    rng = np.random.default_rng([rank, seed, *shape])
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return rng.random(shape) < 0.4
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    x = rng.integers(-8, 9, shape).astype(dtype) / 4
    if dtype.kind == "c":
        x = x + 1j * rng.integers(-8, 9, shape)
    return np.asarray(x).astype(dtype)


def same(found, expected):
    found, expected = found._data, np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.tobytes() == np.ascontiguousarray(expected).tobytes()


@pytest.mark.parametrize("size", SIZES)
def test_sums_of_all_dtypes_and_shapes(cupy, size):
    def run(c, rank):
        for dtype in NUMBERS:
            for shape in SHAPES:
                parts = [numbers(dtype, shape, each) for each in range(size)]
                (found,) = c.sum([on_device(parts[rank])], WHAT)
                same(found, np.sum(parts, axis=0, dtype=dtype))

    all_of(cupy, size, run)


@pytest.mark.parametrize("size", SIZES)
def test_the_largest_and_smallest_of_all_dtypes(cupy, size):
    def run(c, rank):
        for dtype in REAL:
            for shape in SHAPES:
                parts = [numbers(dtype, shape, each) for each in range(size)]
                same(c.max([on_device(parts[rank])], WHAT)[0], np.max(parts, axis=0))
                same(c.min([on_device(parts[rank])], WHAT)[0], np.min(parts, axis=0))

    all_of(cupy, size, run)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_largest_of_nan_infinities_and_zeros(cupy, dtype):
    a = np.array([np.nan, 1.0, -0.0, 0.0, -np.inf, np.nan, np.inf, -1.0], dtype)
    b = np.array([1.0, -np.nan, 0.0, -0.0, -1.0, np.nan, np.nan, -2.0], dtype)

    def run(c, rank):
        given = on_device((a, b)[rank])
        largest, smallest = c.max([given], WHAT)[0]._data, c.min([given], WHAT)[0]._data
        np.testing.assert_array_equal(largest, np.maximum(a, b))
        np.testing.assert_array_equal(smallest, np.minimum(a, b))
        assert not np.signbit(largest[2:4]).any() and np.signbit(smallest[2:4]).all()

    all_of(cupy, 2, run)


def test_sums_of_several_arrays_are_one_message_of_each_dtype_in_one_group(cupy):
    dtypes = ["float64", "complex128", "float32", "bool", "float64", "float16"]

    def run(c, rank):
        given = [[numbers(d, (2, i), each, i) for i, d in enumerate(dtypes)] for each in range(3)]
        found = c.sum([on_device(x) for x in given[rank]], WHAT)
        for x, *parts in zip(found, *given):
            same(x, np.sum(parts, axis=0, dtype=parts[0].dtype))
        calls = [name for name, _ in stand_in.state.calls]
        return calls, c.counts["psum"].messages, c.counts["psum"].bytes

    # float64 and complex128; float32 and float16; bool
    expected = 8 * (2 * 0 + 2 * 2 * 1 + 2 * 4) + 4 * (2 * 2 + 2 * 5) + 2 * 3
    for calls, messages, size in all_of(cupy, 3, run):
        assert (calls, messages, size) == (["allReduce"] * 3, 3, expected)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_moved_of_all_dtypes(cupy, size):
    pairs = [(each, (each + 1) % size) for each in range(size)]

    def run(c, rank):
        for dtype in NUMBERS:
            for shape in SHAPES:
                parts = [numbers(dtype, shape, each) for each in range(size)]
                x = on_device(parts[rank])
                same(c.gather(x, WHAT), np.stack(parts))
                same(c.broadcast(x, size - 1, WHAT), parts[-1])
                same(c.permute(x, pairs, WHAT), parts[rank - 1])
                expected = parts[0] if rank == 1 else np.zeros(shape, dtype)
                same(c.permute(x, [(0, 1)], WHAT), expected)
                rows = [numbers(dtype, (size, *shape), each) for each in range(size)]
                same(c.exchange(on_device(rows[rank]), WHAT), np.stack([r[rank] for r in rows]))

    all_of(cupy, size, run)


@pytest.mark.parametrize("size", SIZES)
def test_sums_that_some_have(cupy, size):
    def run(c, rank):
        for dtype in NUMBERS:
            for shape in SHAPES:
                rows = [numbers(dtype, (size, *shape), each) for each in range(size)]
                whole = np.sum(rows, axis=0, dtype=dtype)
                same(c.scatter_sum(on_device(rows[rank]), WHAT), whole[rank])
                found = c.sum_to(on_device(rows[rank]), size - 1, WHAT)
                same(found, whole if rank == size - 1 else np.zeros_like(whole))

    all_of(cupy, size, run)


def test_arrays_that_are_not_contiguous(cupy):
    def run(c, rank):
        for dtype in NUMBERS:
            parts = [numbers(dtype, (6, 4), each) for each in range(2)]
            for cut in (lambda x: x[::2], lambda x: x.T, lambda x: x[::-3, 1], lambda x: x[4:]):
                x, expected = cut(on_device(parts[rank])), [cut(part) for part in parts]
                same(c.sum([x], WHAT)[0], np.sum(expected, axis=0, dtype=dtype))
                same(c.sum([x, x], WHAT)[1], np.sum(expected, axis=0, dtype=dtype))
                same(c.gather(x, WHAT), np.stack(expected))
                same(c.permute(x, [(0, 0), (1, 1)], WHAT), expected[rank])
                same(c.broadcast(x, 0, WHAT), expected[0])
                if np.dtype(dtype).kind != "c":
                    same(c.max([x], WHAT)[0], np.max(expected, axis=0))
                if len(expected[0]) == 2:
                    same(c.exchange(x, WHAT), np.stack([part[rank] for part in expected]))
                    whole = np.sum(expected, axis=0, dtype=dtype)
                    same(c.scatter_sum(x, WHAT), whole[rank])

    all_of(cupy, 2, run)


def test_operands_are_left_as_they_are_unless_they_are_given_away(cupy):
    def run(c, rank):
        x = on_device(np.array([1.0, 2.0]))
        c.sum([x], WHAT), c.sum_to(x, 0, WHAT), c.max([x], WHAT), c.broadcast(x, 1, WHAT)
        same(x, np.array([1.0, 2.0]))
        (found,) = c.sum([x], WHAT, donate=True)
        assert np.shares_memory(found._data, x._data)
        same(found, np.array([2.0, 4.0]))

    all_of(cupy, 2, run)


def test_parts_of_processes_meet_by_themselves(cupy):
    def run(c, rank):
        part = c.split(rank % 2, -rank)
        assert (part.size, part.members) == (2, (2 + rank % 2, rank % 2))
        assert part.rank == (0 if rank >= 2 else 1)
        x = on_device(np.array([float(rank)]))
        same(part.gather(x, WHAT), np.array([[2.0 + rank % 2], [float(rank % 2)]]))
        same(c.sum([x], WHAT)[0], np.array([6.0]))
        c.barrier(Call("barrier", ""))
        assert stand_in.state.synchronized == 1
        return c.agree(b"same", WHAT), c.agree(bytes([rank // 2]), WHAT)

    assert all_of(cupy, 4, run) == [(True, False)] * 4


def test_ids_are_tuples_of_signed_numbers_before_cupy_14(cupy, monkeypatch):
    monkeypatch.setitem(stand_in.MODE, "tuples", True)
    run = lambda c, rank: same(c.sum([on_device(np.ones(2))], WHAT)[0], np.array([2.0, 2.0]))
    all_of(cupy, 2, run)


# -- errors ----------------------------------------------------------------------------------------


def documented(error):
    """Whether docs/errors.md shows what an error says, and the fix."""
    text = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    section = text.partition(f"## {error.id}:")[2].partition("\n## ")[0]
    first, *_, last = str(error).splitlines()
    return first in section and last in section


def errors_of(cupy, size, function):
    found = by_threads(cupy, size, function)
    assert all(isinstance(each, CollectiveError) for each in found), found
    return found


def test_different_collectives_are_an_error_on_all(cupy):
    def run(c, rank):
        x = on_device(np.ones(2))
        return c.sum([x], WHAT) if rank else c.max([x], Call("pmax", "train.py:9"))

    for error in errors_of(cupy, 2, run):
        assert error.id == "AG0660"
        assert "rank 0: pmax of float64[2] on GPUs" in str(error) and "train.py:12" in str(error)


def test_operands_that_differ_are_an_error_on_all(cupy):
    run = lambda c, rank: c.sum([on_device(np.ones(2 + rank))], WHAT)
    assert [error.id for error in errors_of(cupy, 3, run)] == ["AG0661"] * 3


def test_a_process_that_leaves_is_an_error_on_the_others(cupy):
    def run(c, rank):
        if rank == 1:
            raise CollectiveError("mine", id="AG0660", fix="none")
        return c.sum([on_device(np.ones(2))], WHAT)

    first, _, last = errors_of(cupy, 3, run)
    assert (first.id, last.id) == ("AG0662", "AG0662") and "rank 1" in str(first)


def test_a_process_whose_connection_ends_has_died(cupy):
    def run(c, rank):
        if rank == 1:
            c._peers._store._connection.close()
            raise CollectiveError("mine", id="AG0660", fix="none")
        return c.sum([on_device(np.ones(2))], WHAT)

    assert errors_of(cupy, 2, run)[0].id == "AG0663"


def test_a_process_that_does_not_come_is_an_error_in_time_and_nothing_runs_after_it(cupy):
    late = threading.Event()

    def run(c, rank):
        if rank == 1:
            late.wait(20)
            raise CollectiveError("mine", id="AG0660", fix="none")
        c._peers._store._connection.stream.settimeout(0.2)
        try:
            c.sum([on_device(np.ones(2))], WHAT)
        except CollectiveError as error:
            late.set()
            assert error.id == "AG0664" and "rank 1" in str(error)
        return c.sum([on_device(np.ones(2))], WHAT)

    assert errors_of(cupy, 2, run)[0].id == "AG0666"


def test_what_waits_on_the_gpu_is_aborted_after_an_error(cupy):
    def run(c, rank):
        x = on_device(np.ones(2))
        c.sum([x], WHAT)
        with pytest.raises(CollectiveError, match="different collectives"):
            c.sum([x], WHAT) if rank else c.gather(x, Call("all_gather", "train.py:9"))
        assert stand_in.state.aborted == 1
        return c.sum([x], WHAT)

    assert [error.id for error in errors_of(cupy, 2, run)] == ["AG0666"] * 2


def test_what_has_no_order_or_sum_is_refused(cupy):
    def run(c, rank):
        c.max([on_device(np.ones(2, complex))], WHAT)

    for error in errors_of(cupy, 2, run):
        assert error.id == "AG0667" and "complex numbers have no order" in str(error)
    run = lambda c, rank: c.sum([on_device(np.zeros(2, "M8[s]"))], WHAT)
    assert errors_of(cupy, 2, run)[0].id == "AG0667"


def test_a_count_of_rows_that_is_not_that_of_the_processes(cupy):
    run = lambda c, rank: c.exchange(on_device(np.ones(5)), WHAT)
    assert errors_of(cupy, 2, run)[0].id == "AG0661"


def test_arrays_on_another_gpu_than_before(cupy):
    def run(c, rank):
        c.sum([on_device(np.ones(2))], WHAT)
        x = on_device(np.ones(2))
        x.device_id = 7
        return c.sum([x], WHAT)

    for rank, error in enumerate(errors_of(cupy, 2, run)):
        assert error.id == "AG0672"
        assert f"on GPU 7, but this process meets the others on GPU {rank}" in str(error)
        assert rank or documented(error)


def test_what_nccl_refuses_is_an_error_of_ours(cupy):
    def run(c, rank):
        stand_in.state.device = 0  # both on one
        return c.sum([on_device(np.ones(2))], WHAT)

    for error in errors_of(cupy, 2, run):
        assert error.id == "AG0673" and documented(error)


def test_without_nccl_the_error_says_what_to_install(cupy):
    cupy.cuda.nccl.available = False
    with pytest.raises(MissingLibraryError, match="NCCL") as caught:
        NcclCommunicator(None, cupy)
    assert caught.value.id == "AG0675" and documented(caught.value)


def test_nobody_at_the_address_is_an_error():
    with pytest.raises(CollectiveError, match="does not find") as caught:
        TcpStore(1, 2, "localhost", 1, 0.1)
    assert caught.value.id == "AG0674"
