"""The loop that trains, with what people expect around it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from autograph.errors import NonFiniteError, OptionError
from autograph.log import log
from autograph.parallel.checkpoint import MANIFEST
from autograph.parallel.mesh import Mesh
from autograph.train.batches import Batches
from autograph.train.checkpoints import checkpoint_note, load_checkpoint, save_checkpoint

Metrics = dict[str, float]


@dataclass
class Fitted:
    """What a training has come to.

    Attributes:
        state: after the last step.
        best: after the best epoch, by what is monitored; the same as ``state`` if nothing is.
        history: for each epoch the means of its metrics, and those of its evaluation.
    """

    state: Any
    best: Any
    history: list[Metrics] = field(default_factory=list)


def fit(
    step: Callable[[Any, Any], tuple[Any, dict[str, Any]]],
    state: Any,
    batches: Batches,
    *,
    epochs: int,
    evaluate: Callable[[Any], dict[str, Any]] | None = None,
    monitor: str | None = None,
    larger: bool = False,
    patience: int | None = None,
    folder: str | Path | None = None,
    every: int | None = None,
    mesh: Mesh | None = None,
    progress: bool = True,
) -> Fitted:
    """Take steps until there have been so many epochs.

    Where there is a checkpoint in ``folder``, the training goes on from it, with the very numbers
    that it would have had.

    Args:
        step: ``step(state, batch)`` gives the new state and metrics, as a dict of numbers; compile
            it with `ag.to_graph`.
        state: all that changes, in any structure that `ag.tree` takes: parameters, optimiser state,
            keys, statistics.
        batches: the mini-batches.
        epochs: how many there are in all.
        evaluate: ``evaluate(state)`` gives other metrics after each epoch.
        monitor: the metric by which epochs are compared, of `evaluate` or else of the steps.
        larger: whether more of it is better.
        patience: to stop after so many epochs in a row that were not better.
        folder: where checkpoints are: the last one, and below ``best`` that of the best epoch.
        every: after how many steps one is written, besides after each epoch.
        mesh: of processes that train together, see `save_checkpoint`.
        progress: whether to show a bar, of tqdm if that is installed, on the standard error.

    Raises:
        OptionError: the options do not go together, or a metric is no number.
        NonFiniteError: the monitored metric is NaN.
        LoadError: the checkpoint in the folder is of another state.

    Examples:
        >>> @ag.to_graph
        ... def step(w, batch):
        ...     loss, slope = ag.value_and_grad(lambda w: np.mean((batch * w - 3.0) ** 2))(w)
        ...     return w - 0.1 * slope, {"loss": loss}
        >>> batches = train.Batches(np.ones(8), 4)
        >>> fitted = train.fit(step, 0.0, batches, epochs=10, progress=False)
        >>> round(float(fitted.state), 2), len(fitted.history)
        (2.97, 10)
    """
    if patience is not None and monitor is None:
        raise _refused("patience without a metric to compare", "name one by monitor=")
    run = _Run(state, batches, monitor, larger, Path(folder) if folder else None, mesh)
    run.resume()
    while batches.epoch < epochs and not run.is_over(patience):
        for batch in _shown(batches, run, epochs, progress):
            run.state, metrics = step(run.state, batch)
            run.add(metrics)
            if every is not None and run.steps % every == 0:
                run.save()
        run.end_epoch(evaluate)
        if progress:
            print(run.line(), file=sys.stderr)
    return Fitted(run.state, run.best, run.history)


class _Run:
    """Where a training is."""

    def __init__(
        self,
        state: Any,
        batches: Batches,
        monitor: str | None,
        larger: bool,
        folder: Path | None,
        mesh: Mesh | None,
    ):
        self.state = self.best = state
        self.history: list[Metrics] = []
        self.steps = 0
        self._batches = batches
        self._monitor = monitor
        self._larger = larger
        self._folder = folder
        self._mesh = mesh
        self._sums: Metrics = {}
        self._count = 0
        self._best_epoch: int | None = None

    # -- checkpoints -------------------------------------------------------------------------------

    def resume(self) -> None:
        """Go on from the checkpoint, if there is one."""
        if self._folder is None or not (self._folder / MANIFEST).exists():
            return
        self.state = load_checkpoint(self._folder, self.state)
        note = checkpoint_note(self._folder)
        self._batches.position = note["position"]
        self.history, self.steps = note["history"], note["steps"]
        self._sums, self._count = note["sums"], note["count"]
        self._best_epoch = note["best_epoch"]
        self.best = self.state
        if self._best_epoch is not None:
            self.best = load_checkpoint(self._folder / "best", self.state)
        log.info("a training goes on in epoch %d: %s", self._batches.epoch, self._folder)

    def save(self) -> None:
        """Write a checkpoint in the place of the one before."""
        if self._folder is None:
            return
        note = {
            "position": self._batches.position,
            "history": self.history,
            "steps": self.steps,
            "sums": self._sums,
            "count": self._count,
            "best_epoch": self._best_epoch,
        }
        save_checkpoint(self._folder, self.state, mesh=self._mesh, note=note)

    # -- metrics -----------------------------------------------------------------------------------

    def add(self, metrics: dict[str, Any]) -> None:
        """Count a step."""
        for name, value in _numbers(metrics).items():
            self._sums[name] = self._sums.get(name, 0.0) + value
        self._count += 1
        self.steps += 1

    @property
    def means(self) -> Metrics:
        """Of the steps of this epoch."""
        return {name: total / self._count for name, total in self._sums.items()}

    def end_epoch(self, evaluate: Callable[[Any], dict[str, Any]] | None) -> None:
        """Note what an epoch has come to, and write a checkpoint."""
        found = {**self.means, **_numbers({} if evaluate is None else evaluate(self.state))}
        self.history.append(found)
        self._sums, self._count = {}, 0
        if self._monitor is None:
            self.best = self.state
        elif self._is_best(found):
            self.best, self._best_epoch = self.state, len(self.history) - 1
            if self._folder is not None:
                save_checkpoint(self._folder / "best", self.state, mesh=self._mesh)
        self.save()

    def _is_best(self, found: Metrics) -> bool:
        assert self._monitor is not None
        if self._monitor not in found:
            raise _refused(
                f"there is no metric {self._monitor!r} to compare epochs by",
                f"choose one of {', '.join(map(repr, found)) or 'what step returns'}",
            )
        value = found[self._monitor]
        if np.isnan(value):
            raise NonFiniteError(
                f"the metric {self._monitor!r} is NaN in epoch {len(self.history) - 1}",
                id="AG0736",
                fix="take shorter steps, or find where it comes from with ag.debug.nans()",
            )
        if self._best_epoch is None:
            return True
        before = self.history[self._best_epoch][self._monitor]
        return value > before if self._larger else value < before

    def is_over(self, patience: int | None) -> bool:
        """Whether no epoch was better for too long."""
        if patience is None or self._best_epoch is None:
            return False
        return len(self.history) - 1 - self._best_epoch >= patience

    def line(self) -> str:
        """What is printed of the last epoch."""
        numbers = "  ".join(f"{name} {value:.4g}" for name, value in self.history[-1].items())
        mark = "  best" if self._best_epoch == len(self.history) - 1 else ""
        return f"epoch {len(self.history)}: {numbers}{mark}"


def _numbers(metrics: dict[str, Any]) -> Metrics:
    """Metrics as Python numbers, that a note can have."""
    found = {}
    for name, value in metrics.items():
        if np.ndim(value) or np.asarray(value).dtype.kind not in "biuf":
            raise _refused(
                f"the metric {name!r} is {value!r}, no number",
                "return a dict of numbers, such as a mean",
            )
        found[str(name)] = float(value)
    return found


def _shown(batches: Batches, run: _Run, epochs: int, progress: bool) -> Iterable[Any]:
    """The mini-batches of an epoch, with a bar."""
    if not progress:
        return batches
    try:
        from tqdm import tqdm
    except ImportError:
        return batches
    return _with_bar(batches, run, epochs, tqdm)


def _with_bar(batches: Batches, run: _Run, epochs: int, tqdm: Any) -> Iterator[Any]:
    total = None if batches._source is not None else len(batches)
    label = f"epoch {batches.epoch + 1} of {epochs}"
    with tqdm(total=total, initial=batches.batch, desc=label, leave=False, mininterval=0.2) as bar:
        for batch in batches:
            yield batch
            bar.update()
            bar.set_postfix({name: f"{value:.4g}" for name, value in run.means.items()}, False)


def _refused(message: str, fix: str) -> OptionError:
    return OptionError(message, id="AG0735", fix=fix)
