"""From graphs to kernels.

`kernel.lower` makes one kernel of a closed graph, control flow and all.
`autograph.kernels.selection.parts` says which parts of a program are given to it. The way of a
node:

1. `kernel` binds the inputs of the graph and starts; `dispatch` goes through the nodes in order and
   has the table of rules. A rule is a function ``rule(state, node)``.
2. `state` is what the rules share: what values are by now (`bindings`), where arrays are put
   (`places`), which wait (`progress`), and what gives one element of them (`elements`).
3. What is elementwise, or a reduction, waits (`arrays.deferral`). `analysis.plan` has said before
   which arrays have to be in memory, and `analysis.groups` says which are computed together.
4. The rule of another node (in `rules`) *demands* what it needs of its operands as a scalar, or in
   memory (`arrays.demand`). What waits is computed then, by loops over elements: `arrays.maps`,
   `arrays.rows`, `arrays.columns`.
5. The rule of a node with regions binds their inputs in an inner state, and has them lowered by
   ``state.shared.lower_region``, which is what `dispatch` gave: the only way back up.

Imports go down this list: `kernel`, `dispatch`, `rules`, `arrays`, `state`, `analysis`; `loops`,
`scalars` and `values` at the bottom. `expansions`, `complex_numbers`, with `lengths_compared`, and
`exchanges` are done before, and `choices` after these.
"""
