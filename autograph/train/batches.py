"""Mini-batches, of which one knows where one is."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from autograph import tree
from autograph.errors import OptionError


class Batches:
    """The mini-batches of some data, epoch after epoch.

    A ``for`` over it gives what is left of an epoch. The order depends on the seed and on the
    number of the epoch alone, so that a training goes on from a `position` with the very batches
    that it would have had.

    Attributes:
        epoch: how many epochs are over.
        batch: how many mini-batches of this one are.

    Examples:
        >>> batches = train.Batches({"x": np.arange(6.0), "y": np.arange(6)}, 2, seed=1)
        >>> for batch in batches:
        ...     print(batch["x"], batch["y"])
        [2. 4.] [2 4]
        [5. 0.] [5 0]
        [3. 1.] [3 1]
        >>> batches.position
        {'epoch': 1, 'batch': 0}
    """

    def __init__(
        self,
        data: Any,
        size: int,
        *,
        seed: int = 0,
        shuffle: bool = True,
        drop_last: bool = True,
        prefetch: int = 0,
    ):
        """
        Args:
            data: arrays with the same first axis, in any structure that `ag.tree` takes. An array
                of ``np.load(path, mmap_mode="r")`` stays in its file but for the rows of a batch.
            size: of a mini-batch.
            seed: of the orders.
            shuffle: whether epochs have rows in another order each.
            drop_last: whether rows that are too few for a whole mini-batch are left out.
            prefetch: how many mini-batches a thread makes ahead.

        Raises:
            OptionError: there are no arrays, their lengths differ, or there is no whole mini-batch.
        """
        paths = tree.flatten_with_path(data)[0]
        lengths = {path: len(leaf) for path, leaf in paths if np.ndim(leaf)}
        if not lengths or len(lengths) < len(paths) or len(set(lengths.values())) > 1:
            shown = ", ".join(f"data{path}: {np.shape(leaf)}" for path, leaf in paths[:5])
            raise _refused(
                f"no rows that go together in the arrays {shown or 'of nothing'}",
                "give arrays with the same number of rows",
            )
        self._rows = next(iter(lengths.values()))
        self._data = data
        self._size = size
        self._seed = seed
        self._shuffle = shuffle
        self._count = self._rows // size if drop_last else -(-self._rows // size)
        if size < 1 or self._count < 1:
            raise _refused(
                f"mini-batches of {size} of {self._rows} rows",
                "choose a size from 1 to the number of rows",
            )
        self._prefetch = prefetch
        self._source: Callable[[int], Iterable[Any]] | None = None
        self.epoch = 0
        self.batch = 0

    @classmethod
    def of(cls, source: Callable[[int], Iterable[Any]], *, prefetch: int = 0) -> Batches:
        """The mini-batches that a function gives for each epoch: of files, a generator, a stream.

        Args:
            source: is called with the number of an epoch, and gives its mini-batches, the same ones
                for the same number. Where one goes on in the middle, those before are passed over.
            prefetch: how many mini-batches a thread makes ahead.

        Examples:
            >>> def numbers(epoch):
            ...     for i in range(2):
            ...         yield np.full(2, 10 * epoch + i)
            >>> [batch.tolist() for batch in train.Batches.of(numbers)]
            [[0, 0], [1, 1]]
        """
        made = cls.__new__(cls)
        made._source = source
        made._prefetch = prefetch
        made.epoch = made.batch = 0
        return made

    def __len__(self) -> int:
        """How many mini-batches an epoch has, of arrays."""
        if self._source is not None:
            raise TypeError("how many mini-batches a function gives is not known")
        return self._count

    def __iter__(self) -> Iterator[Any]:
        made = self._left()
        for batch in _ahead(made, self._prefetch) if self._prefetch else made:
            self.batch += 1
            yield batch
        self.epoch, self.batch = self.epoch + 1, 0

    @property
    def position(self) -> dict[str, int]:
        """Where one is; setting it is to go on from there."""
        return {"epoch": self.epoch, "batch": self.batch}

    @position.setter
    def position(self, position: dict[str, int]) -> None:
        self.epoch, self.batch = int(position["epoch"]), int(position["batch"])

    def _left(self) -> Iterator[Any]:
        epoch, start = self.epoch, self.batch
        if self._source is not None:
            for i, batch in enumerate(self._source(epoch)):
                if i >= start:
                    yield batch
            return
        order = np.arange(self._rows)
        if self._shuffle:
            drawn = np.random.default_rng([self._seed, epoch]).random(self._rows)
            order = np.argsort(drawn, kind="stable")
        for i in range(start, self._count):
            rows = order[i * self._size : (i + 1) * self._size]
            yield tree.map(lambda leaf: np.asarray(leaf[rows]), self._data)  # noqa: B023, at once


def _ahead(items: Iterator[Any], count: int) -> Iterator[Any]:
    """The same items, made by a thread before they are asked for."""
    made: queue.Queue[tuple[str, Any]] = queue.Queue(count)
    stopped = threading.Event()

    def put(kind: str, item: Any) -> None:
        while not stopped.is_set():
            try:
                made.put((kind, item), timeout=0.1)
                return
            except queue.Full:
                continue

    def make() -> None:
        try:
            for item in items:
                put("item", item)
                if stopped.is_set():
                    return
            put("end", None)
        except BaseException as error:  # it is the reader's
            put("error", error)

    thread = threading.Thread(target=make, name="batches", daemon=True)
    thread.start()
    try:
        while True:
            kind, item = made.get()
            if kind == "error":
                raise item
            if kind == "end":
                return
            yield item
    finally:
        stopped.set()
        thread.join()


def _refused(message: str, fix: str) -> OptionError:
    return OptionError(message, id="AG0734", fix=fix)
