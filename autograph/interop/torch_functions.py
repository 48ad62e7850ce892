"""Compiled functions among those of torch, which is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import optree

from autograph.api.derivatives.pullbacks import vjp
from autograph.api.function import GraphFunction, to_graph
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
        nesting: list[Any] = []

        base: Any = torch.autograd.Function

        class Call(base):
            @staticmethod
            def forward(ctx: Any, *tensors: Any) -> Any:
                given = list(leaves)
                for place, tensor in zip(places, tensors):
                    given[place] = tensor.detach().resolve_conj()
                ctx.save_for_backward(*tensors)
                arguments = optree.tree_unflatten(spec, given)
                if any(ctx.needs_input_grad):
                    out, ctx.pull = vjp(compiled, *arguments)
                else:
                    out = compiled(*arguments)
                found, nested = optree.tree_flatten(out, none_is_leaf=True)
                nesting.append((found, nested))
                made = [_tensor(torch, leaf) for leaf in found if _is_array(leaf)]
                ctx.mark_non_differentiable(*[t for t in made if not _is_inexact(t)])
                ctx.kinds = [_is_inexact(t) for t in made]
                return tuple(made)

            @staticmethod
            def backward(ctx: Any, *cotangents: Any) -> Any:
                found, nested = nesting[0]
                remaining = iter(zip(cotangents, ctx.kinds))
                seeds = []
                for leaf in found:
                    seed = None
                    if _is_array(leaf):
                        cotangent, moves = next(remaining)
                        if moves and torch.is_grad_enabled():
                            seed = cotangent.conj_physical()
                        elif moves:
                            seed = _seed(leaf, cotangent)
                    seeds.append(seed)
                seed_tree = optree.tree_unflatten(nested, seeds)
                if torch.is_grad_enabled():  # the gradient is differentiated, too
                    given = list(leaves)
                    for place, tensor in zip(places, ctx.saved_tensors):
                        given[place] = tensor
                    pulled = to_torch(pull)(optree.tree_unflatten(spec, given), seed_tree)
                    back: list[Any] = spec.flatten_up_to(pulled)
                    return tuple([None if back[i] is None else back[i].conj() for i in places])
                back = spec.flatten_up_to(ctx.pull(seed_tree))
                return tuple([_gradient(torch, back[i]) for i in places])

        tensors = iter(Call.apply(*[leaves[i] for i in places]))
        found, nested = nesting[0]
        made = [next(tensors) if _is_array(leaf) else leaf for leaf in found]
        return optree.tree_unflatten(nested, made)

    return call


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
