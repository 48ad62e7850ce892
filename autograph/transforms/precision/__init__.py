"""Low precision, graph to graph: products and what is between them with numbers of fewer digits.

    y = matmul(x, w)                    y = round_to(matmul(round_to(x), round_to(w)))
    y = relu(x), x low                  y = relu(x)
    y = x + z, both low                 y = round_to(x + z)
    y = x + z, one of them not          y = x + z
    y = sum(x), exp(x), ...             y = sum(x), exp(x), ...

A value is *low* if it has no more digits than the narrow format. Nothing changes its dtype: rounded
numbers of float32 are computed with as numbers of float32, so that sums inside of products are, and
each rounding is a node (`ops.round_to`). So a graph stays what it was to all other transforms, and
loops, branches and calls keep the types of what they carry.

`marks` says what is low, `engine` builds the graph.
"""
