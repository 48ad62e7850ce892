"""`checkpoint`: less memory for a derivative, for computing something twice.

A checkpointed function is just called, unless a derivative is being taken: then what it computes
becomes one node of the graph, for which `autograph.transforms.reverse.checkpoint` has the rules.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, overload

from autograph import checkpoint_policies
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import remembered
from autograph.api.recording.recorded import Wrapper
from autograph.api.type_parameters import P, R
from autograph.checkpoint_policies import Names
from autograph.errors import OptionError
from autograph.staging.ground import checkpointing
from autograph.staging.ground.recorder import active_recorder


class Checkpointed(Wrapper):
    """A function that is called as it is, and computed again for its derivative; see
    `checkpoint`."""

    def __init__(
        self,
        function: Callable,
        policy: Callable[..., bool] | Names | None,
        loops: str | int | None,
    ):
        functools.update_wrapper(self, function, updated=())
        self.wrapped = function
        self.policy = policy
        self.loops = loops

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if active_recorder() is None:
            return self.wrapped(*args, **kwargs)
        again = self.loops is None or self.policy is not None
        again = again and self.policy is not checkpoint_policies.everything_saveable
        policy = self.policy
        if policy is checkpoint_policies.nothing_saveable:
            policy = None
        return checkpointing.call(
            self.wrapped, args, kwargs, again=again, policy=policy, loops=self.loops
        )

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        name = getattr(self.wrapped, "__qualname__", self.wrapped)
        return f"<checkpointed {name}>"


@overload
def checkpoint(
    function: None = None,
    *,
    policy: Callable[..., bool] | Names | None = None,
    loops: str | int | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


@overload
def checkpoint(
    function: Callable[P, R],
    *,
    policy: Callable[..., bool] | Names | None = None,
    loops: str | int | None = None,
) -> Callable[P, R]: ...


@leaves_compiler
def checkpoint(
    function: Callable | None = None,
    *,
    policy: Callable[..., bool] | Names | None = None,
    loops: str | int | None = None,
) -> Any:
    """A function whose derivative keeps less, and computes it again instead.

    What ``function`` computes is not kept for the backward pass, which calls it again from its
    arguments: memory for what is in between is needed only while that part of the derivative is
    taken. Values, derivatives of any order and effects stay the same; effects happen once, and
    random numbers are those of the first call. Call it in a loop to keep only its arguments for
    each trip.

    Args:
        function: a Python function, plain or converted, or a method. Without it, a decorator is
            returned.
        policy: what is kept all the same: a function ``policy(operator, *types) -> bool``, or one
            of those in `autograph.checkpoint_policies`. By default, nothing is.
        loops: how many of the states of a loop are kept, for each loop that ``function`` makes; the
            others are computed again from them. The function itself is then only computed again if
            there is a policy as well. For n trips:

            * ``"sqrt"``: about ``sqrt(n)``, and what the derivative needs of as many trips at a
              time, for one more run of the loop;
            * ``"log"``: about ``log2(n)``, for fewer than as many more runs;
            * an int k: no more than k, and one to work with. If it is known before the loop how
              many trips it makes, they are made again as seldom as can be (Griewank & Walther
              2000, "Algorithm 799: revolve"); if not, which states are kept is decided while it
              runs (Wang, Moin & Iaccarino 2009, "Minimal repetition dynamic checkpointing").

    Returns:
        A function to call like ``function``.

    Raises:
        OptionError: an argument is something else.

    Examples:
        >>> def swing(angle, steps):
        ...     speed = 0.0
        ...     for _ in range(steps):
        ...         speed = speed - 0.001 * np.sin(angle)
        ...         angle = angle + 0.001 * speed
        ...     return angle
        >>> ag.grad(swing)(1.0, 100)
        0.9972697107011393
        >>> ag.grad(ag.checkpoint(swing, loops="sqrt"))(1.0, 100)
        0.9972697107011393
    """
    if function is not None and not callable(function) and not _is_method(function):
        raise OptionError(
            f"checkpoint takes a function, not {function!r}",
            id="AG0551",
            fix="name the options: checkpoint(f, loops=...), checkpoint(f, policy=...)",
        )
    if not (policy is None or callable(policy) or isinstance(policy, Names)):
        raise OptionError(
            f"a policy is a function, not {policy!r}",
            id="AG0551",
            fix="pass one of autograph.checkpoint_policies",
        )
    is_count = isinstance(loops, int) and not isinstance(loops, bool) and loops > 0
    if loops not in (None, "sqrt", "log") and not is_count:
        raise OptionError(
            f"loops={loops!r} says nothing about how many states of a loop to keep",
            id="AG0551",
            fix='pass "sqrt", "log" or a positive number of states',
        )
    if function is None:
        return functools.partial(checkpoint, policy=policy, loops=loops)
    if _is_method(function):
        method: Any = function
        return type(method)(checkpoint(method.__func__, policy=policy, loops=loops))
    return _checkpointed(function, policy, loops)


_checkpointed = remembered(Checkpointed)  # so that what is compiled of it is found again


def _is_method(function: Any) -> bool:
    return isinstance(function, (staticmethod, classmethod))
