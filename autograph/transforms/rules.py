"""The rules of transforms for nodes with regions, and for calls, packs and stacks.

What other operators become is said in their declarations. A rule is looked up by the engine of its
transform, and may need all transforms in turn: the derivative of a call is a call of a derivative,
lanes of which are lanes of the graph that was called. So the engines have tables that are empty
where they are defined, and are filled here. Modules of rules run when one of them is first used.
"""

from autograph.transforms import custom_rules, linear_calls
from autograph.transforms.batching import calls as batched_calls
from autograph.transforms.batching import collectives
from autograph.transforms.batching import engine as batching
from autograph.transforms.batching import regions as batched
from autograph.transforms.forward import engine as forward
from autograph.transforms.forward import regions as forwards
from autograph.transforms.lanes import derivatives, node
from autograph.transforms.reverse import budget, checkpoint, tape
from autograph.transforms.reverse import regions as backwards
from ops.control import regions
from ops.control.collectives import (
    lane_broadcast,
    lane_number,
    lanes_exchanged,
    lanes_gathered,
    lanes_max,
    lanes_min,
    lanes_permuted,
    lanes_scattered,
    lanes_summed,
    lanes_summed_to,
    parts_gathered,
)

REVERSE = tape.RULES
REVERSE.update(
    {
        regions.cond: lambda *given: backwards.cond(*given),
        regions.while_loop: lambda *given: budget.loop(*given),
        regions.for_loop: lambda *given: budget.loop(*given),
        regions.call: lambda *given: backwards.call(*given),
        regions.checkpoint: lambda *given: checkpoint.checkpoint(*given),
        regions.custom_vjp: lambda *given: custom_rules.vjp_of_custom_vjp(*given),
        regions.custom_jvp: lambda *given: custom_rules.vjp_of_custom_jvp(*given),
        regions.linear_call: lambda *given: linear_calls.vjp(*given),
        regions.lanes: lambda *given: derivatives.vjp(*given),
        regions.pack: lambda *given: backwards.pack(*given),
        regions.unpack: lambda *given: backwards.unpack(*given),
        regions.unpack_ct: lambda *given: backwards.unpack(*given),
        regions.push: lambda *given: backwards.push(*given),
        regions.pop: lambda *given: backwards.pop(*given),
        regions.add_ct: lambda *given: backwards.add_ct(*given),
    }
)

FORWARD = forward.RULES
FORWARD.update(
    {
        regions.cond: lambda *given: forwards.cond(*given),
        regions.while_loop: lambda *given: forwards.loop(*given),
        regions.for_loop: lambda *given: forwards.loop(*given),
        regions.call: lambda *given: forwards.call(*given),
        regions.checkpoint: lambda *given: forwards.cond(*given),
        regions.custom_vjp: lambda *given: custom_rules.jvp_of_custom_vjp(*given),
        regions.custom_jvp: lambda *given: custom_rules.jvp_of_custom_jvp(*given),
        regions.linear_call: lambda *given: linear_calls.jvp(*given),
        regions.lanes: lambda *given: derivatives.jvp(*given),
        regions.pack: lambda *given: forwards.pack(*given),
        regions.unpack: lambda *given: forwards.unpack(*given),
        regions.unpack_ct: lambda *given: forwards.unpack(*given),
        regions.push: lambda *given: forwards.push(*given),
        regions.pop: lambda *given: forwards.pop(*given),
        regions.add_ct: lambda *given: forwards.add_ct(*given),
    }
)

BATCHING = batching.RULES
BATCHING.update(
    {
        regions.cond: lambda *given: batched.cond(*given),
        regions.while_loop: lambda *given: batched.loop(*given),
        regions.for_loop: lambda *given: batched.loop(*given),
        regions.call: lambda *given: batched_calls.call(*given),
        regions.checkpoint: lambda *given: batched.checkpoint(*given),
        regions.custom_vjp: lambda *given: batched.custom_vjp(*given),
        regions.custom_jvp: lambda *given: batched.custom_jvp(*given),
        regions.linear_call: lambda *given: batched.linear_call(*given),
        regions.lanes: lambda *given: node.batch_node(*given),
        regions.pack: lambda *given: batched_calls.container(*given),
        regions.unpack: lambda *given: batched_calls.container(*given),
        regions.unpack_ct: lambda *given: batched_calls.container(*given),
        regions.push: lambda *given: batched_calls.container(*given),
        regions.pop: lambda *given: batched_calls.container(*given),
        regions.add_ct: lambda *given: batched_calls.container(*given),
        lanes_gathered: lambda *given: collectives.all_gather(*given),
        parts_gathered: lambda *given: collectives.all_gather(*given),
        lanes_scattered: lambda *given: collectives.psum_scatter(*given),
        lanes_summed: lambda *given: collectives.psum(*given),
        lanes_max: lambda *given: collectives.pmax(*given),
        lanes_min: lambda *given: collectives.pmin(*given),
        lanes_permuted: lambda *given: collectives.ppermute(*given),
        lanes_exchanged: lambda *given: collectives.exchange(*given),
        lane_broadcast: lambda *given: collectives.broadcast(*given),
        lanes_summed_to: lambda *given: collectives.psum_to(*given),
        lane_number: lambda *given: collectives.axis_index(*given),
    }
)
