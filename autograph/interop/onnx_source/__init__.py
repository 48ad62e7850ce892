"""A model of ONNX as the text of a Python program.

`reading` gets a checked model out of a file; `blocks` writes a graph as statements, one for each
node, with `control` for those that hold graphs; `operators` finds the function that a node calls,
among those of `autograph.interop.onnx_operators`, and writes short ones in place; `program` makes
the whole text and runs it. Names of the model become identifiers in `names`, its values text in
`literals`: nothing else of a model gets into the text.
"""
