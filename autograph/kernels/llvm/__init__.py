"""Kernels as LLVM IR, with vectors and masks.

==============  ====================================================================================
module          what it does
==============  ====================================================================================
`target`        the machine
`printer`       kernels: parameters, memory, which buffers are different memory
`statements`    statements on scalars
`each`          loops of independent trips, also on threads; products of matrices
`inner_loops`   calls of loops of NumPy's
`sorts`         calls of its functions that sort
`steps`         such loops as vectors: steps, reductions
`counting`      loops of scalars
`lanes`         statements in a vector loop, under a mask
`lane_values`   what values are in the lanes, and masks of lanes
`functions`     functions of scalars that are called, not put in place of the call
`memory`        loads and stores in a vector loop
`interleaving`  those of elements that are a few apart
`shapes`        which values of a vector loop differ between lanes
`widths`        how many lanes there are
`effort`        how much LLVM is to do
`instructions`  the functions of the scalar language
`temporaries`   a plan of memory
`frame`         a function, and what it owns
`freestanding`  a function that needs no runtime
`polling`       how often a loop looks whether the user wants the kernel to end
`places_passed` loops that go along an array
`uses`          what statements read and write
`text`          the text: names, constants, metadata
==============  ====================================================================================
"""

from ops.core.later import put_off

put_off(__name__, "draws", "inner_loops", "lanes", "places", "python_calls", "sorts", "steps")

from autograph.kernels.llvm.printer import (  # noqa: E402  they import what is put off
    print_alone,
    print_apart,
    print_llvm,
    print_routine,
)
from autograph.kernels.llvm.target import Target  # noqa: E402

__all__ = ["Target", "print_alone", "print_apart", "print_llvm", "print_routine"]
