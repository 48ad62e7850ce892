"""Quantisation, graph to graph: products of numbers that are multiples of a step.

    y = matmul(x, w)      y = matmul(on_grid(x), w')     w' = step * int8 numbers

An operand that is computed as the program runs, an *activation*, is rounded to a grid of integers
times a step; its step and its middle come from the ranges that calibration has seen. A *weight*, an
array from outside of the function, is stored as integers, with a step for each channel or group.
What is added up is the products of these numbers, in float32.

`grids` computes steps, `weights` stores them, `engine` builds the graphs.

B. Jacob and others, "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-
Only Inference", CVPR 2018.
"""
