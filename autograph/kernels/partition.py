"""Programs, parts of which are native kernels: for the CPU, or for a GPU."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Module
from autograph.graph.lengths import symbols_in
from autograph.kernels import cuda, stored
from autograph.kernels.cuda.use import is_usable
from autograph.kernels.later import making
from autograph.kernels.program import NativeFunction, native_functions
from autograph.kernels.selection.outlining import Replay, into_donated
from autograph.kernels.selection.python_calls import prepared, without_unused
from autograph.log import log
from ops.core.records import dataclass

if TYPE_CHECKING:
    from autograph.kernels.selection.parts import Selection


@dataclass(frozen=True)
class Partition:
    """A module, some graphs of which are native kernels.

    Attributes:
        kernels: for these graphs, by their names.
        frees: whether something in it is computed again, in order not to be kept meanwhile.
    """

    module: Module
    kernels: Mapping[str, NativeFunction | cuda.CudaFunction]
    frees: bool = False

    def with_module(self, module: Module) -> Partition:
        """The same kernels in another module that computes the same."""
        return self if module is self.module else replace(self, module=module)

    def __str__(self) -> str:
        names = ", ".join(self.kernels) or "none"
        return f"{self.module}\n# native kernels: {names}"


def language_of(backend: ModuleType) -> str | None:
    """What native kernels for a backend are written in."""
    return getattr(backend, "kernels", None)


def runs_native_code(backend: ModuleType, capabilities: Capabilities) -> bool:
    """Whether kernels for a CPU run there."""
    return language_of(backend) == "llvm" and capabilities.native


def partitioned(
    module: Module,
    backend: ModuleType,
    capabilities: Capabilities,
    donated: Collection[int] = (),
    fast_math: bool = False,
) -> Partition | None:
    """A module with the parts of it that become kernels; None if no kernels run there.

    Args:
        module: without the marks of what is computed again.
        backend: a module of `autograph.backends`.
        donated: the positions of inputs of the main graph whose memory may be written to.
        fast_math: whether kernels may round products and sums together.
    """
    if runs_native_code(backend, capabilities):
        return _for_host(module, donated, fast_math)
    if language_of(backend) == "cuda" and capabilities.cuda:
        return _for_device(module)
    return None


def _for_host(module: Module, donated: Collection[int], fast_math: bool) -> Partition:
    """A program and its kernels on this machine, from the disk if they are there.

    Args:
        module: not prepared for it.
    """
    given, module = module, prepared(module)
    new = module.graphs.keys() - given.graphs.keys()

    def selected() -> Selection:
        return making().select(module, donated)

    key = stored.key_of(module, donated, fast_math)
    symbols = None if key is None else symbols_in(module)
    needed = 0 if symbols is None else symbols.needed
    found = None if key is None else stored.load(key, symbols)
    if found is not None:
        log.debug("%s: its kernels are on disk", module.main.name)
        whole, cuts = found.plan
        into = into_donated(module.main, donated) if whole else {}
        made = module if whole else Replay(module, cuts).outlined()
        made = without_unused(made, new, found.kernels)
        once = functools.cache(selected)
        kernels = native_functions(found.kernels, made, into, once, fast_math, found.kernels)
        return Partition(made, kernels)
    selection = selected()
    names = selection.kernels
    made = without_unused(selection.module, new, names)
    noted = None
    if key is not None:
        noted = stored.Noted(key, selection.plan, names, symbols, needed)
    return Partition(
        made,
        native_functions(names, made, selection.into, lambda: selection, fast_math, noted=noted),
    )


def _for_device(module: Module) -> Partition:
    """A program and its kernels on a GPU. What cannot be used there stays a function of CuPy's."""
    selection = making().select(module, host=False)
    graphs = {module.main.name: selection.module.main, **selection.module.graphs}
    kernels = {n: kernel for n, kernel in selection.kernels.items() if is_usable(graphs[n])}
    if not kernels:
        return Partition(module, {})
    return Partition(
        selection.module,
        {n: cuda.CudaFunction(n, kernel, graphs[n]) for n, kernel in kernels.items()},
    )
