"""Functions whose derivative the user writes: `custom_vjp`, `custom_jvp`; and `stop_gradient`.

Called as Python, or recorded where no derivative is taken, such a function is what it was made of.
Inside something that is differentiated, a call is recorded as one node, whose regions hold the
function and its rules (see `ops.control.regions`); the transforms put a rule in its place (see
`autograph.transforms.custom_rules`).

A rule is recorded where one derivative less is still to be taken. So it may call the function
itself: there the rule holds once more, for the derivative of the derivative, until none is left.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, overload

import ops
from autograph.api.derivatives.custom_regions import CustomCall, pair_of, with_captures_as_residuals
from autograph.api.pickling import by_value, goes_by_name
from autograph.api.recording.recorded import Wrapper, source_of
from autograph.api.trees import is_inexact, leaf_type, mapped
from autograph.api.type_parameters import Object, P, Q, R, X
from autograph.errors import CustomRuleError
from autograph.graph.graph import Graph
from autograph.source.forwarding import is_library_function
from autograph.source.load import definition
from autograph.source.tree.shipped import made_with, texts_of
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.guards import Guard
from autograph.staging.ground.errors import defined_at
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.values.maybe import MaybeNone, none_or
from ops.control import regions
from ops.core.registry import Op
from ops.core.types import python_type


class _CustomFunction(Wrapper, Generic[P, R]):
    """What `custom_vjp` and `custom_jvp` share: a function, and rules that are given later."""

    op: Op  # of the nodes
    missing: str  # what to do to give it rules

    def __init__(self, function: Callable[P, R], nondiff_argnums: int | Sequence[int] = ()):
        if not callable(function):
            definition(source_of(function))  # says what is wrong with it
        functools.update_wrapper(self, function)
        self.wrapped = function
        single = isinstance(nondiff_argnums, int)
        self.nondiff_argnums = (nondiff_argnums,) if single else tuple(nondiff_argnums)
        self._rules: tuple[Callable, ...] | None = None

    @overload
    def __get__(self, instance: None, owner: type) -> _CustomFunction[P, R]: ...

    @overload
    def __get__(
        self: _CustomFunction[Concatenate[Object, Q], R],
        instance: Object,
        owner: type | None = None,
    ) -> Callable[Q, R]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __reduce__(self) -> str | tuple:
        """See `autograph.api.pickling`."""
        valued = by_value()
        if goes_by_name(self, valued):
            name: str = self.__qualname__
            return name
        new = object.__new__, (type(self),)
        if valued:
            return made_with, (texts_of(self.wrapped), *new), vars(self)
        return *new, vars(self)

    def __repr__(self) -> str:
        name = getattr(self.wrapped, "__qualname__", self.wrapped)
        return f"<{type(self).__name__} {name}>"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if active_recorder() is None:
            return self.wrapped(*args, **kwargs)
        if not recorder().transformed.derivatives:
            return recorder().call(recorder().outside.unbound(self.wrapped), args, kwargs)
        rules = self._rules
        if rules is None:
            raise CustomRuleError(
                f"'{self._name}' is differentiated, but the rule of its derivative is missing",
                defined_at(self.wrapped),
                id="AG0520",
                fix=self.missing,
            )
        name = f"the rules of {self._name}"
        recorder().outside.guards.append(
            Guard(name, lambda: self._rules, lambda: self._rules is rules)
        )
        args = self._positional(args, kwargs)
        call = CustomCall(self.wrapped, args, self._nondifferentiable(len(args)))
        return call.record(self.op, lambda: self._regions(call, rules))

    def _regions(self, call: CustomCall, rules: tuple[Callable, ...]) -> list[Graph]:
        """The regions of the node of a call, but for the first."""
        raise NotImplementedError

    @property
    def _name(self) -> str:
        return getattr(self.wrapped, "__name__", "function")

    def _positional(self, args: tuple, kwargs: dict[str, Any]) -> tuple:
        """All arguments by position, those left out as well: rules take no others."""
        if not kwargs and is_library_function(self.wrapped):
            return args
        bound = inspect.signature(self.wrapped).bind(*args, **kwargs)
        given = set(bound.arguments)
        bound.apply_defaults()
        for name in bound.arguments.keys() - given:
            bound.arguments[name] = recorder().outside.capture(name, bound.arguments[name])
        by_keyword = bound.kwargs.keys() & kwargs.keys()
        if not by_keyword:
            return bound.args
        listed = ", ".join(f"'{name}'" for name in kwargs if name in by_keyword)
        raise CustomRuleError(
            f"'{self._name}' has a custom derivative, whose rule takes arguments by position, but "
            f"{listed} can be given by keyword only",
            defined_at(self.wrapped),
            id="AG0525",
            fix="let them be arguments that have a position",
        )

    def _nondifferentiable(self, count: int) -> list[int]:
        """The positions of the arguments that are in nondiff_argnums, in that order."""
        for position in self.nondiff_argnums:
            if not isinstance(position, int) or not -count <= position < count:
                raise CustomRuleError(
                    f"nondiff_argnums names argument {position}, but '{self._name}' is called with "
                    f"{count} arguments",
                    defined_at(self.wrapped),
                    id="AG0525",
                    fix="change nondiff_argnums",
                )
        return [position % count for position in self.nondiff_argnums]


class custom_vjp(_CustomFunction[P, R]):
    """A function with a reverse-mode derivative that the user writes; also a decorator.

    Derivatives in reverse mode, of any order, follow the rule. In forward mode it has none, unless
    `defjvp` gives it another one.

    Args:
        function: a Python function, plain or converted, or a method. Its arguments and its result
            are arrays and numbers, nested in tuples, lists and dicts, or anything else, which has
            no derivative. Arguments given by keyword are put where they belong.
        nondiff_argnums: the position of an argument that the derivative is not taken by, or
            several: functions, options. By whatever else the function refers to, no derivative is
            taken either.

    Example::

        @ag.custom_vjp
        def f(x, y):
            return np.sin(x) * y

        def forward(x, y):
            return f(x, y), (np.cos(x), np.sin(x), y)

        def backward(residuals, ct):
            cos_x, sin_x, y = residuals
            return cos_x * ct * y, sin_x * ct

        f.defvjp(forward, backward)

    Raises:
        CustomRuleError: (when it is differentiated) there is no rule, or it returns something that
            does not fit.
        NonDifferentiableError: (likewise) in forward mode without a rule; or by something that it
            refers to.
        MutationError: (likewise) it, or a rule, changes something that it has not made itself.

    Examples:
        >>> @ag.custom_vjp
        ... def clipped(x):  # the gradient of the identity, but at most 1
        ...     return x
        >>> clipped.defvjp(lambda x: (x, None), lambda residuals, ct: (np.clip(ct, -1.0, 1.0),))
        >>> ag.grad(lambda x: 5.0 * clipped(x))(2.0)
        1.0
    """

    op = regions.custom_vjp
    missing = "call its defvjp(forward, backward)"

    def defvjp(self, fwd: Callable[..., tuple[R, Any]], bwd: Callable) -> None:
        """Say what the derivative is.

        Args:
            fwd: takes the arguments of the function and returns ``(out, residuals)``: what the
                function returns, and whatever ``bwd`` needs, nested in any way.
            bwd: takes the arguments in nondiff_argnums, the residuals, and the cotangent of the
                result, which is nested as that is, with None for what has no derivative. It returns
                a tuple with the cotangent of each other argument: nested as the argument is, with
                arrays and numbers of the same shapes and dtypes; None is zero, and all there is of
                integers and the like.
        """
        self._rules = fwd, bwd, *(self._rules or ())[2:]

    def defjvp(self, jvp: Callable[Q, tuple[R, Any]]) -> Callable[Q, tuple[R, Any]]:
        """Say what the derivative in forward mode is, after `defvjp`; also a decorator.

        Args:
            jvp: see `custom_jvp.defjvp`. Reverse mode does not ask for it.

        Returns:
            ``jvp``.

        Raises:
            CustomRuleError: there is no rule for reverse mode yet.
        """
        if self._rules is None:
            raise CustomRuleError(
                f"'{self._name}' gets a rule for forward mode before that for reverse mode",
                defined_at(self.wrapped),
                id="AG0520",
                fix=self.missing,
            )
        self._rules = (*self._rules[:2], jvp)
        return jvp

    def _regions(self, call: CustomCall, rules: tuple[Callable, ...]) -> list[Graph]:
        fwd, bwd, *both = rules
        with call.region("forward") as builder:
            args, inputs = call.enter(builder)
            applied = call.apply(fwd, args)
            out, _ = pair_of(applied.result, "the forward rule", "(out, residuals)", fwd)
            values = call.outputs(out, "the forward rule", fwd)
            # The arguments are residuals too, for zeros like them.
            forward = builder.finish([*values, *applied.values, *inputs], defined_at(fwd))
        with call.region("backward") as builder:
            left = call.inputs(builder, forward.outputs[len(values) :])
            _, residuals = applied.deliver(left[: len(applied.values)])
            cotangent = call.result_cotangents(builder)
            result = call.apply(bwd, [*call.nondifferentiable, residuals, cotangent]).result
            arguments = left[len(applied.values) :]
            cotangents = call.argument_cotangents(result, arguments, bwd)
            backward = builder.finish(cotangents, defined_at(bwd))
        passes = with_captures_as_residuals(forward, backward, applied.env, len(left))
        return [*passes, *(_rule_region(call, rule) for rule in both)]


class custom_jvp(_CustomFunction[P, R]):
    """A function with a forward-mode derivative that the user writes; also a decorator.

    The derivative in reverse mode follows from it, so all derivatives do, to any order.

    Args:
        function, nondiff_argnums: as for `custom_vjp`.

    Example::

        @ag.custom_jvp
        def log1pexp(x):
            return np.log(1.0 + np.exp(x))

        @log1pexp.defjvp
        def rule(primals, tangents):
            (x,), (x_dot,) = primals, tangents
            return log1pexp(x), x_dot / (1.0 + np.exp(-x))

    Raises:
        CustomRuleError: (when it is differentiated) there is no rule, or it returns something that
            does not fit.
        NonDifferentiableError: (likewise) by something that it refers to; by a rule whose tangents
            are not zero where those that it takes are; or in reverse mode, by one whose tangents
            are not linear in those.
        MutationError: (likewise) it, or a rule, changes something that it has not made itself.

    Examples:
        >>> @ag.custom_jvp
        ... def softplus(x):
        ...     return np.log1p(np.exp(x))
        >>> @softplus.defjvp
        ... def rule(primals, tangents):
        ...     (x,), (t,) = primals, tangents
        ...     return softplus(x), t / (1.0 + np.exp(-x))
        >>> ag.grad(softplus)(0.0)
        0.5
    """

    op = regions.custom_jvp
    missing = "call its defjvp(rule), or defjvps with a rule for each argument"

    def defjvp(self, jvp: Callable[Q, tuple[R, Any]]) -> Callable[Q, tuple[R, Any]]:
        """Say what the derivative is; also a decorator.

        Args:
            jvp: takes the arguments in nondiff_argnums, a tuple of the other arguments, and a tuple
                of their tangents, nested as these are, with None for what has no derivative. It
                returns ``(out, tangent_out)``: what the function returns, and how fast that
                changes, nested likewise, with arrays and numbers of the same shapes and dtypes;
                None is zero. ``tangent_out`` is linear in the tangents.

        Returns:
            ``jvp``.
        """
        self._rules = (jvp,)
        return jvp

    def defjvps(self, *jvps: Callable | None) -> None:
        """Say what the derivative is by each argument; the tangents are added up.

        Args:
            jvps: for each argument a function that takes its tangent, the result, and all
                arguments, and returns a tangent of the result; or None, if that is zero.
        """
        if self.nondiff_argnums:
            raise CustomRuleError(
                f"'{self._name}' has nondiff_argnums, which defjvps does not know",
                defined_at(self.wrapped),
                id="AG0525",
                fix="give the rule with defjvp",
            )
        self._rules = (_Sum(self, jvps),)

    def _regions(self, call: CustomCall, rules: tuple[Callable, ...]) -> list[Graph]:
        return [_rule_region(call, rule) for rule in rules]


def _rule_region(call: CustomCall, rule: Callable) -> Graph:
    """The region of a rule for forward mode."""
    with call.region("rule") as builder:
        args, _ = call.enter(builder)
        primals = tuple(args[i] for i in call.positions)
        tangents = call.argument_tangents(builder)
        result = call.apply(rule, [*call.nondifferentiable, primals, tangents]).result
        out, tangent = pair_of(result, "the rule", "(out, tangent_out)", rule)
        values = call.outputs(out, "the rule", rule)
        outputs = [*values, *call.result_tangents(tangent, values, rule)]
        return builder.finish(outputs, defined_at(rule))


class _Sum:
    """The rule that `custom_jvp.defjvps` makes of rules for each argument."""

    def __init__(self, function: custom_jvp, jvps: Sequence[Callable | None]):
        self.function = function
        self.jvps = jvps
        self.func = next((jvp for jvp in jvps if jvp is not None), function.wrapped)  # its place

    def __call__(self, primals: tuple, tangents: tuple) -> tuple:
        if len(self.jvps) != len(primals):
            raise CustomRuleError(
                f"defjvps has {len(self.jvps)} rules, but the call has {len(primals)} arguments",
                defined_at(self),
                id="AG0521",
                fix="pass one for each argument, None for what has no derivative",
            )
        out = ops.call(self.function, *primals)
        total = None
        for jvp, tangent in zip(self.jvps, tangents):
            if jvp is not None:
                term = ops.call(jvp, tangent, out, *primals)
                total = term if total is None else mapped(_added, total, term)
        return out, total


def _added(x: Any, y: Any) -> Any:
    return None if x is None or y is None else ops.add(x, y)


# -- stop_gradient ---------------------------------------------------------------------------------


def stop_gradient(x: X) -> X:
    """``x``, taken as a constant by derivatives.

    Args:
        x: an array or number, or nested tuples, lists, dicts and objects of such and of anything
            else.

    Returns:
        The same values, nested in the same way, in other objects of the same classes where
        derivatives are taken. Cotangents of them go nowhere, and their tangents are zero.

    Examples:
        >>> ag.grad(lambda x: x * ag.stop_gradient(x))(3.0)
        3.0
    """
    if active_recorder() is None or not recorder().transformed.derivatives:
        return x
    return mapped(_stopped, x)


def _stopped(leaf: Any) -> Any:
    if isinstance(leaf, MaybeNone):
        return none_or(leaf.present, stop_gradient(leaf.content))
    return ops.stop_gradient(leaf) if isinstance(leaf, GraphArray) and is_inexact(leaf) else leaf


def zero_cotangent(x: Any) -> Any:
    """The zero cotangent of ``x``: what a rule gives for arguments that its result does not depend
    on.

    Args:
        x: an array or number, or nested tuples, lists, dicts and objects of such and of anything
            else.

    Returns:
        The same nesting, with zeros of the same shape and dtype for floating-point and complex
        arrays and numbers, and None for integers, booleans and everything else, which have no
        derivative.

    Examples:
        >>> ag.zero_cotangent({"w": np.ones(2), "steps": 3})
        {'w': array([0., 0.]), 'steps': None}
    """
    return mapped(_zero, x)


def _zero(leaf: Any) -> Any:
    if not is_inexact(leaf):
        return None
    type = leaf_type(leaf)
    if type.shape == ():
        return (python_type(type.dtype) if type.weak else type.dtype.type)(0)
    return ops.zeros_like(leaf)
