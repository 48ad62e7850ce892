"""The rules of transforms for nodes with regions, and for calls, packs and stacks.

What other operators become is said in their declarations. A rule is looked up by the engine of its
transform, and may need all transforms in turn: the derivative of a call is a call of a derivative,
lanes of which are lanes of the graph that was called. So the engines have tables that are empty
where they are defined, and are filled here.
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
        regions.cond: backwards.cond,
        regions.while_loop: budget.loop,
        regions.for_loop: budget.loop,
        regions.call: backwards.call,
        regions.checkpoint: checkpoint.checkpoint,
        regions.custom_vjp: custom_rules.vjp_of_custom_vjp,
        regions.custom_jvp: custom_rules.vjp_of_custom_jvp,
        regions.linear_call: linear_calls.vjp,
        regions.lanes: derivatives.vjp,
        regions.pack: backwards.pack,
        regions.unpack: backwards.unpack,
        regions.unpack_ct: backwards.unpack,
        regions.push: backwards.push,
        regions.pop: backwards.pop,
        regions.add_ct: backwards.add_ct,
    }
)

FORWARD = forward.RULES
FORWARD.update(
    {
        regions.cond: forwards.cond,
        regions.while_loop: forwards.loop,
        regions.for_loop: forwards.loop,
        regions.call: forwards.call,
        regions.checkpoint: forwards.cond,
        regions.custom_vjp: custom_rules.jvp_of_custom_vjp,
        regions.custom_jvp: custom_rules.jvp_of_custom_jvp,
        regions.linear_call: linear_calls.jvp,
        regions.lanes: derivatives.jvp,
        regions.pack: forwards.pack,
        regions.unpack: forwards.unpack,
        regions.unpack_ct: forwards.unpack,
        regions.push: forwards.push,
        regions.pop: forwards.pop,
        regions.add_ct: forwards.add_ct,
    }
)

BATCHING = batching.RULES
BATCHING.update(
    {
        regions.cond: batched.cond,
        regions.while_loop: batched.loop,
        regions.for_loop: batched.loop,
        regions.call: batched_calls.call,
        regions.checkpoint: batched.checkpoint,
        regions.custom_vjp: batched.custom_vjp,
        regions.custom_jvp: batched.custom_jvp,
        regions.linear_call: batched.linear_call,
        regions.lanes: node.batch_node,
        regions.pack: batched_calls.container,
        regions.unpack: batched_calls.container,
        regions.unpack_ct: batched_calls.container,
        regions.push: batched_calls.container,
        regions.pop: batched_calls.container,
        regions.add_ct: batched_calls.container,
        lanes_gathered: collectives.all_gather,
        parts_gathered: collectives.all_gather,
        lanes_scattered: collectives.psum_scatter,
        lanes_summed: collectives.psum,
        lanes_max: collectives.pmax,
        lanes_min: collectives.pmin,
        lanes_permuted: collectives.ppermute,
        lanes_exchanged: collectives.exchange,
        lane_broadcast: collectives.broadcast,
        lanes_summed_to: collectives.psum_to,
        lane_number: collectives.axis_index,
    }
)
