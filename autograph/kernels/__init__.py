"""Native kernels: their IR, how graphs become it, and how it becomes machine code.

=================================  =================================================================
here                               what is done
=================================  =================================================================
`partition`, `selection`           which parts of a program are kernels
`making`                           kernels of these parts, and their texts
`lowering`                         nodes of a graph to the `ir`, with functions of `mathematics`
`passes`                           from the IR to the IR
`llvm`, `native`                   to machine code of the CPU, beside which the runtime of
                                   `native.c`, which is written in C, is linked
`cuda`, `pieces`                   to CUDA C, and programs of which only parts are graphs of CUDA's
`c`                                to C, as which functions are exported
`program`, `by_python`, `codes`    kernels in programs, what they have Python compute, and the
                                   machine code of one program
`stored`, `later`                  kernels on disk; what is imported only where one is not
`report`                           what kernels do with memory, for users to read
`trips`                            from which inputs on a kernel takes long
`drawing`, `effects`               what kernels draw from generators, and what happens once
`floating_errors`                  whether NumPy is to tell of overflow, which kernels do not
=================================  =================================================================
"""
