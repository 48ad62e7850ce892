"""A graph as a model of ONNX.

`model` says what the inputs and results are, `nodes` writes nodes into the graph or subgraph in
force, `terms` computes by the scalar language of `ops.core.kernels`, with `functions` where ONNX
Runtime has no operator for doubles. `writer` goes through a graph and asks the `RULES` of
`arrays`, `subscripts`, `order`, `quantized` and `control` for what a node becomes; what is left of
a loop for its backward pass is in `records`.
"""
