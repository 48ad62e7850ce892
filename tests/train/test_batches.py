import threading
import time

import numpy as np
import pytest

from autograph import train


def seen(batches, epochs=1):
    return [batch.tolist() for _ in range(epochs) for batch in batches]


@pytest.mark.parametrize("prefetch", [0, 1, 3])
def test_an_epoch_has_each_row_once(prefetch):
    batches = train.Batches(np.arange(10), 3, drop_last=False, prefetch=prefetch)
    first, second = seen(batches), seen(batches)
    assert sorted(np.concatenate(first)) == sorted(np.concatenate(second)) == list(range(10))
    assert first != second and len(first) == len(batches) == 4
    assert len(seen(train.Batches(np.arange(10), 3))) == 3
    assert seen(train.Batches(np.arange(4), 2, shuffle=False)) == [[0, 1], [2, 3]]


@pytest.mark.parametrize("prefetch", [0, 2])
def test_it_goes_on_from_a_position(prefetch):
    whole = seen(train.Batches(np.arange(9), 2, seed=5), 3)
    for count in range(12):
        before = train.Batches(np.arange(9), 2, seed=5, prefetch=prefetch)
        found = []
        while len(found) < count:
            for batch in before:
                found.append(batch.tolist())
                if len(found) == count:
                    break
        after = train.Batches(np.arange(9), 2, seed=5, prefetch=prefetch)
        after.position = before.position
        while after.epoch < 3:
            found += seen(after)
        assert found == whole


def test_rows_of_a_file(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(12.0).reshape(6, 2))
    stored = np.load(tmp_path / "x.npy", mmap_mode="r")
    batches = train.Batches({"x": stored, "y": np.arange(6)}, 2)
    for batch in batches:
        assert type(batch["x"]) is np.ndarray
        np.testing.assert_array_equal(batch["x"][:, 0], 2.0 * batch["y"])


def test_batches_of_a_function():
    def source(epoch):
        return ([epoch, i] for i in range(3))

    batches = train.Batches.of(source, prefetch=1)
    assert list(batches) == [[0, 0], [0, 1], [0, 2]]
    assert batches.position == {"epoch": 1, "batch": 0}
    batches.position = {"epoch": 2, "batch": 2}
    assert list(batches) == [[2, 2]]
    with pytest.raises(TypeError, match="not known"):
        len(batches)


def test_an_error_of_the_source_reaches_the_loop():
    def source(epoch):
        yield 1
        raise OSError("the disk is gone")

    batches = train.Batches.of(source, prefetch=2)
    with pytest.raises(OSError, match="the disk is gone"):
        list(batches)


def test_a_loop_that_is_left_leaves_no_thread():
    batches = train.Batches(np.arange(100), 1, prefetch=2)
    for _ in batches:
        break
    deadline = time.monotonic() + 10
    while any(thread.name == "batches" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
