"""Convolutions as loops of products that stay in registers.

==============  ====================================================================================
module          what it does
==============  ====================================================================================
`geometry`      where the elements of an axis go, and where windows find them
`spreading`     an array with zeros between and around its elements
`positions`     a short kernel: lanes are places along the result
`features`      a long kernel, as in the derivative by a kernel: lanes are features
`tiles`         how many sums stay in registers
==============  ====================================================================================

No windows are copied next to each other (Dukhan, "The Indirect Convolution Algorithm", 2019): an
element of the array is read where it lies, at an offset that is known for each place of the kernel.
"""
