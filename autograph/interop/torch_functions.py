"""Compiled functions among those of torch, which is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import optree

from autograph.api.derivatives.pullbacks import vjp
from autograph.api.function import GraphFunction, to_graph
from autograph.api.vmap import vmap
from autograph.errors import MissingLibraryError


def to_torch(function: Callable) -> Callable[..., Any]:
    """A function of torch tensors that computes as a function written with NumPy, and has a
    gradient in torch.

    Args:
        function: a Python function, plain or compiled, of nested tuples, lists and dicts of arrays,
            numbers and anything else, whose result is nested likewise.

    Returns:
        A function with the same arguments, by position, with tensors in them, on the host. The
        arrays of its result are tensors. ``backward`` goes through it to the tensors that require
        grad, and, with ``create_graph=True``, through the gradient as well, to any order.
        ``torch.func.grad``, ``torch.func.vjp`` and ``torch.func.jacrev`` do the same, and
        ``torch.func.vmap`` batches it at once, by `autograph.vmap`.

    Raises:
        MissingLibraryError: (when it is called) torch is not installed.

    Examples:
        >>> import torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> f = ag.interop.to_torch(lambda x: np.sum(x * x))
        >>> f(x).backward()
        >>> x.grad
        tensor([2., 4.])
    """
    compiled = to_graph(function) if not isinstance(function, GraphFunction) else function

    def pull(arguments: tuple, seeds: Any) -> tuple:
        return vjp(compiled, *arguments)[1](seeds)

    def call(*args: Any) -> Any:
        torch, tree = _torch(), cast(Any, args)
        leaves, spec = optree.tree_flatten(tree, none_is_leaf=True)
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        tensors = [leaves[i] for i in places]
        wanted = torch.is_grad_enabled() and any(t.requires_grad for t in tensors)
        result = _TorchResult()
        kept: list[Callable] = []  # the pullback, from the forward pass to the context
        base: Any = torch.autograd.Function

        def arguments(tensors: Sequence[Any]) -> tuple:
            given = list(leaves)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            found: Any = optree.tree_unflatten(spec, given)
            return found

        class Call(base):
            @staticmethod
            def forward(*tensors: Any) -> Any:
                given = arguments([tensor.detach().resolve_conj() for tensor in tensors])
                if wanted:
                    out, pullback = vjp(compiled, *given)
                    kept[:] = [pullback]
                else:
                    out = compiled(*given)
                return result.taken(out, _is_array, lambda leaf: _tensor(torch, leaf))

            @staticmethod
            def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
                ctx.save_for_backward(*inputs)
                ctx.mark_non_differentiable(*[t for t in output if not _is_inexact(t)])
                ctx.pull = kept.pop() if kept else None

            @staticmethod
            def vmap(info: Any, in_dims: tuple, *tensors: Any) -> Any:
                axes: list[int | None] = [None] * len(leaves)
                for place, axis in zip(places, in_dims):
                    axes[place] = None if axis is None else 0
                in_axes = cast(Any, optree.tree_unflatten(spec, axes))
                batched = to_torch(vmap(compiled, in_axes=in_axes, axis_size=info.batch_size))
                pairs = zip(tensors, in_dims)
                out = batched(*arguments([t if d is None else t.movedim(d, 0) for t, d in pairs]))
                found = result.taken(out, torch.is_tensor, lambda leaf: leaf)
                return found, (0,) * len(found)

            @staticmethod
            def backward(ctx: Any, *cotangents: Any) -> Any:
                if ctx.pull is None or torch.is_grad_enabled():  # it is differentiated, too
                    seeds = result.seeds(cotangents, lambda leaf, ct: ct.conj_physical())
                    pulled = to_torch(pull)(arguments(ctx.saved_tensors), seeds)
                    back: list[Any] = spec.flatten_up_to(pulled)
                    return tuple([None if back[i] is None else back[i].conj() for i in places])
                back = spec.flatten_up_to(ctx.pull(result.seeds(cotangents, _seed)))
                return tuple([_gradient(torch, back[i]) for i in places])

        return result.delivered(Call.apply(*tensors))

    return call


class _TorchResult:
    """What a function has returned, with tensors in the place of arrays."""

    def __init__(self) -> None:
        self._leaves: list[Any] = []
        self._tensors: list[Any] = []  # for each leaf that is an array a tensor, else None
        self._nested: Any = None

    def taken(self, out: Any, is_array: Callable, tensor_of: Callable) -> tuple:
        """The arrays of a result as tensors."""
        self._leaves, self._nested = optree.tree_flatten(out, none_is_leaf=True)
        self._tensors = [tensor_of(x) if is_array(x) else None for x in self._leaves]
        return tuple([tensor for tensor in self._tensors if tensor is not None])

    def seeds(self, cotangents: Sequence[Any], seed: Callable) -> Any:
        """The cotangents in the nesting of the result, None for what does not move."""
        remaining = iter(cotangents)
        made = []
        for leaf, tensor in zip(self._leaves, self._tensors):
            cotangent = None if tensor is None else next(remaining)
            moves = tensor is not None and _is_inexact(tensor)
            made.append(seed(leaf, cotangent) if moves else None)
        return optree.tree_unflatten(self._nested, made)

    def delivered(self, tensors: Sequence[Any]) -> Any:
        """The result with these tensors."""
        remaining = iter(tensors)
        pairs = zip(self._leaves, self._tensors)
        made = [leaf if tensor is None else next(remaining) for leaf, tensor in pairs]
        return optree.tree_unflatten(self._nested, made)


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise MissingLibraryError(
            f"to_torch needs torch, which cannot be imported ({error})", fix="pip install torch"
        ) from error
    return torch


def _is_array(leaf: Any) -> bool:
    return isinstance(leaf, (np.ndarray, np.generic, float, complex))


def _is_inexact(tensor: Any) -> bool:
    return bool(tensor.is_floating_point() or tensor.is_complex())


def _tensor(torch: Any, leaf: Any) -> Any:
    array = np.asarray(leaf)
    return torch.from_numpy(array if array.flags.writeable else array.copy())


def _gradient(torch: Any, leaf: Any) -> Any:
    if leaf is None:
        return None
    array = np.asarray(leaf)
    return _tensor(torch, array.conj() if array.dtype.kind == "c" else array)


def _seed(leaf: Any, cotangent: Any) -> Any:
    """A cotangent of torch's, which is conjugate to ours for complex numbers."""
    array = cotangent.detach().resolve_conj().numpy()
    if array.dtype.kind == "c":
        array = array.conj()
    return array.item() if isinstance(leaf, (float, complex)) and array.ndim == 0 else array
