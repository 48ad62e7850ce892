"""Runs what NVIDIA's front end makes of printed kernels on the CPU: PTX, translated to C++.

The shim one folder up compiles CUDA C with the host's compiler, and so never sees what NVRTC makes
of it: its choice of instructions, libdevice's functions, its conversions, where it puts shared
memory. Here NVRTC compiles for a GPU, and its PTX runs on the fibres of the shim.

=============  ====================================================================================
module         what it does
=============  ====================================================================================
`parse`        the text of a module as functions and statements
`instruction`  an instruction that is being translated
`opcodes`      each instruction as C++; one that is not known fails by its name; `effects` those
               that touch memory, jump, or let threads meet
`translate`    a module as C++
`unit`         compiled kernels, in the place of the shim's
``ptx.h``      what the C++ uses
=============  ====================================================================================

What PTX leaves open is taken so that a kernel that relies on it fails: approximations of
reciprocals have as few bits as are promised. Semantics are those of NVIDIA's "Parallel Thread
Execution ISA", version 9.
"""
