"""Checkpoints of one process; of several, see `tests/mpi/test_checkpoint.py`."""

import os

import numpy as np
import pytest

from autograph.errors import CollectiveError, LoadError
from autograph.parallel import checkpoint
from autograph.parallel.checkpoint import Leaf, arrays, load, save

DTYPES = ["bool", "int8", "uint64", "float16", "float64", ">f4", "complex64", "longdouble", "M8[s]"]


def whole(name, array):
    return Leaf(name, array.shape, tuple((0, n) for n in array.shape), array)


def rows(name, array, start, stop):
    ranges = ((start, stop), *((0, n) for n in array.shape[1:]))
    return Leaf(name, array.shape, ranges, array[start:stop])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (0, 2)])
def test_what_is_loaded_is_what_was_saved(dtype, shape, tmp_path):
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    save(tmp_path / "a", [whole("x", x), whole("y", x[::-1] if shape else x)])
    found = load(tmp_path / "a", "x")
    assert found.dtype == x.dtype and found.shape == shape
    np.testing.assert_array_equal(found, x)
    np.testing.assert_array_equal(load(tmp_path / "a", "y"), x[::-1] if shape else x)
    assert arrays(tmp_path / "a") == {"x": (shape, x.dtype), "y": (shape, x.dtype)}


def test_any_part_is_loaded_from_any_division(tmp_path):
    x = np.arange(60.0).reshape(10, 6)
    grid = [
        Leaf("x", x.shape, ((a, b), (c, d)), x[a:b, c:d])
        for a, b in ((0, 3), (3, 4), (4, 10))
        for c, d in ((0, 5), (5, 6))
    ]
    save(tmp_path, grid)
    for a, b, c, d in [(0, 10, 0, 6), (2, 5, 1, 6), (3, 3, 0, 6), (9, 10, 5, 6)]:
        np.testing.assert_array_equal(load(tmp_path, "x", ((a, b), (c, d))), x[a:b, c:d])
    save(tmp_path, [*grid, *grid])  # the same pieces twice are one


def test_the_files_of_the_checkpoint_before_are_removed(tmp_path):
    for step in range(3):
        save(tmp_path, [whole("x", np.full(3, step))])
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    "leaves, says",
    [
        ([rows("x", np.ones(5), 0, 3)], "missing"),
        ([rows("x", np.ones(5), 0, 3), rows("x", np.ones(5), 2, 5)], "overlaps"),
        ([rows("x", np.ones(5), 0, 3), rows("x", np.ones(5, int), 3, 5)], "dtype"),
        ([Leaf("x", (5,), ((0, 5),), np.ones(4))], "shape"),
        ([Leaf("x", (5,), ((2, 7),), np.ones(5))], "outside"),
        ([whole("x", np.array([None]))], "object"),
    ],
)
def test_pieces_that_are_no_array_are_refused(leaves, says, tmp_path):
    save(tmp_path, [whole("x", np.arange(3))])
    with pytest.raises(CollectiveError, match=says) as caught:
        save(tmp_path, leaves)
    assert caught.value.id == "AG0670"
    np.testing.assert_array_equal(load(tmp_path, "x"), np.arange(3))


def test_what_cannot_be_loaded_is_an_error(tmp_path):
    def error(*arguments):
        with pytest.raises(LoadError) as caught:
            load(*arguments)
        assert caught.value.id == "AG0671"
        return str(caught.value)

    assert "no checkpoint" in error(tmp_path, "x")
    save(tmp_path, [whole("x", np.arange(100))])
    assert "no array 'y'" in error(tmp_path, "y")
    assert "no part" in error(tmp_path, "x", ((0, 101),))
    (part,) = tmp_path.glob("*.part")
    data = bytearray(part.read_bytes())
    data[50] ^= 1
    part.write_bytes(data)
    assert "damaged" in error(tmp_path, "x")
    part.write_bytes(data[:-1])
    assert "damaged" in error(tmp_path, "x")
    part.unlink()
    assert "gone" in error(tmp_path, "x")


@pytest.mark.slow
def test_a_crash_at_any_point_leaves_one_of_both(tmp_path, monkeypatch):
    """The process ends at its first, second, ... call of the system that changes something, before
    or in the middle of it."""
    old, new = np.zeros(3000), np.ones(3000)
    ended, outcomes = True, set()
    point = 0
    while ended:
        folder = tmp_path / str(point)
        save(folder, [rows("x", old, 0, 1000), rows("x", old, 1000, 3000)])
        child = os.fork()
        if child == 0:
            end_at(point)
            save(folder, [rows("x", new, 0, 1000), rows("x", new, 1000, 3000)])
            os._exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        found = load(folder, "x")
        assert (found == found[0]).all()
        outcomes.add(found[0])
        save(folder, [whole("x", old)])  # and the next one is written as if nothing had been
        assert len(list(folder.iterdir())) == 2
        point += 1
    assert outcomes == {0.0, 1.0}
    assert point > 10


def end_at(point):
    """Let this process end at a point; of its writes half is done before."""
    calls = [0]

    def reached():
        calls[0] += 1
        return calls[0] == point + 1

    def ending(function):
        def call(*arguments, **options):
            if reached():
                os._exit(9)
            return function(*arguments, **options)

        return call

    class File:
        def __init__(self, path, mode):
            self.file = open(path, mode, buffering=0)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.file.close()

        def write(self, data):
            if reached():
                self.file.write(bytes(data)[: len(data) // 2])
                os._exit(9)
            self.file.write(data)

        def flush(self):
            pass

        def fileno(self):
            return self.file.fileno()

    checkpoint.open = File
    os.fsync, os.replace = ending(os.fsync), ending(os.replace)
    checkpoint.Path.unlink = ending(checkpoint.Path.unlink)
