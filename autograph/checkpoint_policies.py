"""What `autograph.checkpoint` keeps of what a function computes, instead of computing it again.

A policy is a function ``policy(operator, *types) -> bool``: whether to keep what the operator of
that name gives for operands of these types. The ones here have the names that they have in
``jax.checkpoint_policies``.
"""

from __future__ import annotations

from collections.abc import Callable

from ops.core.registry import REGISTRY
from ops.core.types import Type


def nothing_saveable(operator: str, *types: Type) -> bool:
    """Compute everything again; what `checkpoint` does without a policy.

    Examples:
        >>> policy = ag.checkpoint_policies.nothing_saveable
        >>> ag.grad(ag.checkpoint(lambda x: np.exp(np.sin(x)), policy=policy))(0.0)
        1.0
    """
    return False


def everything_saveable(operator: str, *types: Type) -> bool:
    """Keep everything, as if there were no `checkpoint`.

    Examples:
        >>> policy = ag.checkpoint_policies.everything_saveable
        >>> ag.grad(ag.checkpoint(lambda x: np.exp(2 * x), policy=policy))(0.0)
        2.0
    """
    return True


def dots_saveable(operator: str, *types: Type) -> bool:
    """Keep the results of matrix products, of `einsum` and of convolutions.

    Examples:
        >>> policy = ag.checkpoint_policies.dots_saveable
        >>> f = ag.checkpoint(lambda w: np.sum(w @ w), policy=policy)
        >>> ag.grad(f)(np.eye(2))
        array([[2., 2.],
               [2., 2.]])
    """
    return REGISTRY[operator].product


class Names:
    """A policy by the names of the user's variables.

    Args:
        names: of variables.
        kept: whether they are what is kept, or what is not.
    """

    def __init__(self, names: tuple[str, ...], kept: bool):
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"names of variables are strings, not {type(name).__name__}")
        self.names = frozenset(names)
        self.kept = kept

    def keeps(self, name: str | None) -> bool:
        """Whether to keep what the variable of that name is bound to; None if there is none."""
        return (name in self.names) == self.kept

    def _key(self) -> tuple:
        return self.names, self.kept

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        what = "save_only_these_names" if self.kept else "save_anything_except_these_names"
        return f"{what}({', '.join(map(repr, sorted(self.names)))})"


Policy = Callable[..., bool] | Names | None


def save_only_these_names(*names: str) -> Names:
    """Keep what is assigned to variables of these names.

    Examples:
        >>> def f(x):
        ...     hidden = np.sin(x)
        ...     return hidden * np.exp(hidden)
        >>> policy = ag.checkpoint_policies.save_only_these_names("hidden")
        >>> ag.grad(ag.checkpoint(f, policy=policy))(0.0)
        1.0
    """
    return Names(names, True)


def save_anything_except_these_names(*names: str) -> Names:
    """Keep everything but what is assigned to variables of these names.

    Examples:
        >>> def f(x):
        ...     large = np.sin(x)
        ...     return large * np.exp(large)
        >>> policy = ag.checkpoint_policies.save_anything_except_these_names("large")
        >>> ag.grad(ag.checkpoint(f, policy=policy))(0.0)
        1.0
    """
    return Names(names, False)
