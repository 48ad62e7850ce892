"""Programs, parts of which are native kernels: for the CPU, or for a GPU."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import ModuleType

from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Module
from autograph.kernels import cuda
from autograph.kernels.cuda.use import is_usable
from autograph.kernels.program import NativeFunction, native_functions
from autograph.kernels.selection.parts import select


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
        selection = select(module, donated)
        return Partition(selection.module, native_functions(selection, fast_math))
    if language_of(backend) == "cuda" and capabilities.cuda:
        return _for_device(module)
    return None


def _for_device(module: Module) -> Partition:
    """A program and its kernels on a GPU; none if one of them cannot be used there."""
    selection = select(module, host=False)
    graphs = {module.main.name: selection.module.main, **selection.module.graphs}
    if not all(is_usable(graphs[name]) for name in selection.kernels):
        return Partition(module, {})
    kernels = selection.kernels.items()
    return Partition(
        selection.module, {n: cuda.CudaFunction(n, kernel, graphs[n]) for n, kernel in kernels}
    )
