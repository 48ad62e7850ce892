"""Which elements of the results of a graph depend on which elements of its inputs.

A value has an *index set* for each of its elements: the elements of the inputs that it depends on
differentiably. The sets follow from those of the operands, node by node: `operators` says how for
one operator, from its declaration, `elements` by running the formula of an element on numbers that
remember what was read; `propagation` goes through a graph with its loops, branches and calls;
`sets` holds the sets of an array, as the rows of a sparse matrix."""
