"""A graph as a module of StableHLO.

`module` says what the inputs and results are, `text` writes operations into the block in force,
`terms` computes by the scalar language of `ops.core.kernels`. `writer` goes through a graph and
asks the `RULES` of `arrays` and `control` for what a node becomes; most operators say it themselves
in what they declare for kernels.

The specification: https://openxla.org/stablehlo/spec
"""
