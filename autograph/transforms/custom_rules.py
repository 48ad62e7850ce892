"""Functions whose derivative the user has written: what takes the place of their nodes.

See `ops.control.regions` for the nodes.

    custom_vjp   reverse mode: the forward pass takes the node's place, the backward pass is the
                 user's. Forward mode: there is no rule, as in JAX; but what needs it may not be
                 needed itself: the forward pass of a gradient computes the function's result, and
                 the derivative of the gradient needs no tangent of that. With a fourth region there
                 is one: it is that of a custom_jvp.
    custom_jvp   forward mode: the rule takes the node's place. Reverse mode: the rule's tangents
                 are linear in those it is given, so their derivative by these, taken in reverse,
                 is the transposed map, at whatever tangents; the forward pass takes zeros, and what
                 it computes of them is not used.

The user's code is recorded like any other, so what takes a node's place can be differentiated
again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from autograph.errors import NonDifferentiableError
from autograph.graph.builder import copy_node, copy_nodes, current_builder
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.rewrite import Env
from autograph.graph.wiring import CustomJVP, custom_jvp_of, custom_vjp_of, wiring
from autograph.transforms.analysis.activity import active_values, closed_over
from autograph.transforms.analysis.linearity import nonlinear_node
from autograph.transforms.analysis.offsets import offset
from autograph.transforms.forward.engine import Forward
from autograph.transforms.reverse.tape import Cotangents, Step, Tape, instantiate, zeros
from ops.control import regions


def vjp_of_custom_vjp(tape: Tape, node: Node, env: Env) -> Step:
    _refuse_captured(node, tape.active)
    custom = custom_vjp_of(node)
    _inlined(custom.forward, [env.get(v, v) for v in node.inputs], env)
    outputs, residuals = (
        [env.get(v, v) for v in values] for values in (custom.results, custom.residuals)
    )
    env.update(zip(node.outputs, outputs))

    def pull(cotangents: Cotangents) -> Iterable[tuple[Value, Value]]:
        pairs = [(ct, v) for ct, v in zip(cotangents, outputs) if v.type.inexact]
        seeds = instantiate((ct for ct, _ in pairs), (v for _, v in pairs))
        results = _inlined(custom.backward, [*residuals, *seeds], env)
        if len(seeds) == 1:
            tape.masks.follow(node, node.inputs, outputs, seeds[0], results)
        return zip(_inexact(node.inputs), results)

    return Step(node, pull)


def vjp_of_custom_jvp(tape: Tape, node: Node, env: Env) -> Step:
    _refuse_captured(node, tape.active)
    _, rule, arguments, tangents, outputs, tangents_out = custom_jvp_of(node)
    _require_linear(node, rule, tangents)
    _require_no_offset(node, rule, tangents, tangents_out)
    inputs = [env.get(v, v) for v in node.inputs]
    env.update(zip(arguments, inputs))
    env.update(zip(tangents, map(zeros, _inexact(inputs))))
    wanted = [t for t, v in zip(tangents, _inexact(node.inputs)) if v in tape.active]
    inner = Tape(active_values(rule, wanted))
    inner.masks = tape.masks
    inner.forward(rule, env)
    env.update((v, env.get(o, o)) for v, o in zip(node.outputs, outputs))

    def pull(cotangents: Cotangents) -> Iterable[tuple[Value, Value | None]]:
        seeds = [ct for ct, v in zip(cotangents, node.outputs) if v.type.inexact]
        return zip(_inexact(node.inputs), inner.backward(zip(tangents_out, seeds), tangents))

    return Step(node, pull)


def jvp_of_custom_jvp(forward: Forward, node: Node, env: Env) -> None:
    _refuse_captured(node, forward.active)
    if not forward.moves(node.inputs):
        copy_node(current_builder(), node, env)
        return
    _follow_rule(forward, node, custom_jvp_of(node), env)


def _follow_rule(forward: Forward, node: Node, custom: CustomJVP, env: Env) -> None:
    _require_no_offset(node, custom.rule, custom.tangents, custom.moves)
    inputs, moving = [env.get(v, v) for v in node.inputs], _inexact(node.inputs)
    tangents = instantiate(map(forward.tangent, moving), _inexact(inputs))
    _inlined(custom.rule, [*inputs, *tangents], env)
    env.update((v, env.get(o, o)) for v, o in zip(node.outputs, custom.results))
    forward.move(_inexact(node.outputs), [env.get(v, v) for v in custom.moves])


def jvp_of_custom_vjp(forward: Forward, node: Node, env: Env) -> None:
    _refuse_captured(node, forward.active)
    custom = custom_vjp_of(node)
    if custom.by_tangents is not None and forward.moves(node.inputs):
        _follow_rule(forward, node, custom.by_tangents, env)
        return
    copy_node(current_builder(), node, env)
    if forward.moves(node.inputs):
        tangents = [t for t in map(forward.tangent, node.inputs) if t is not None]
        operands = [*(env.get(v, v) for v in node.inputs), *tangents]
        primal = custom.primal
        for value in _inexact(node.outputs):
            attrs = {"type": value.type, "name": primal.name, "defined": primal.location}
            forward.move([value], [regions.missing_tangent(*operands, **attrs)])


def _inlined(region: Graph, args: Sequence[Value], env: Env) -> tuple[Value, ...]:
    """The region's nodes added to the current builder; what its outputs become."""
    env.update(zip(region.inputs, args))
    return tuple(copy_nodes(region.nodes, region.outputs, env))


def _name(node: Node) -> str:
    (primal,) = wiring(node).runs
    return primal.name


def _inexact(values: Sequence[Value]) -> list[Value]:
    """Those of the values that have cotangents and tangents."""
    return [v for v in values if v.type.inexact]


def _refuse_captured(node: Node, active: Collection[Value]) -> None:
    """Refuse a derivative by what the function has not been given: no rule says what it is.

    Raises:
        NonDifferentiableError: the result depends on a value from outside the regions that is
            differentiated by.
    """
    for region, value in closed_over(node, active):
        name = f"'{value.name}'" if value.name else f"a value of type {value.type}"
        raise NonDifferentiableError(
            f"'{_name(node)}' has a custom derivative and depends on {name}, by which it "
            "is differentiated, but which is not among its differentiable arguments",
            node.location,
            id="AG0522",
            others=(("defined", region.location),),
            fix="pass it as an argument that is not in nondiff_argnums, or hold it fixed with "
            "stop_gradient",
        )


def _require_linear(node: Node, rule: Graph, tangents: Sequence[Value]) -> None:
    """Refuse a rule that cannot be transposed.

    Raises:
        NonDifferentiableError: its tangents are not linear in those it is given.
    """
    found = nonlinear_node(rule, tangents, current_builder().graphs)
    if found is not None:
        raise NonDifferentiableError(
            f"the rule of '{_name(node)}' is not linear in the tangents: it applies "
            f"'{found.op.name}' to them, so it has no derivative in reverse mode",
            found.location or rule.location,
            id="AG0524",
            others=(("the rule", rule.location),),
            fix="compute each tangent as a sum of products of a tangent with what depends on the "
            "primals alone",
        )


def _require_no_offset(
    node: Node, rule: Graph, tangents: Sequence[Value], results: Sequence[Value]
) -> None:
    """Refuse a rule that adds something to the tangents.

    Raises:
        NonDifferentiableError: what it makes of zeros is not zero.
    """
    found = offset(rule, tangents, results)
    if found is not None:
        producer = found.producer
        raise NonDifferentiableError(
            f"the rule of '{_name(node)}' gives a tangent that is not zero where those "
            "that it takes are, so it is no derivative",
            (producer.location if producer is not None else None) or rule.location,
            id="AG0527",
            others=(("the rule", rule.location),),
            fix="leave out what does not depend on the tangents: a tangent is a sum of products of "
            "a tangent with what depends on the primals",
        )
