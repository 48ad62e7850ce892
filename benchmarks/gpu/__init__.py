"""What a GPU says of the project, in eight minutes: ``make gpu``.

=============  =====================================================================================
module         what it does
=============  =====================================================================================
`needed`       whether an interpreter has what is imported
`stages`       the stages, in their order, with their limits of time
`records`      the file of lines of JSON to which each result is written at once
`report`       the table that is made of it, what is wrong first
`processes`    ends those that hang; `watchdog` ends a check that does, and lets the others go on
`device`       the GPU, or its stand-in for a rehearsal on a CPU
`machine`      stage: versions, and the ceilings that rows are compared with
`smoke`        stage: four programs beside Python; `interrupt` ends one that does not end
`cases`        stage: the tests of CUDA kernels, each kernel executed on the GPU
`corpus`       stage: the programs of the tests of the language and uses of operators
`sanitizer`    stage: compute-sanitizer on a dozen kernels; `sanitized` is what it watches
`rows`         stage: programs beside a copy of memory, CuPy, JAX and PyTorch
`choices`      stage: what is chosen for a GPU, such as vectors, beside the other way
`overhead`     stage: launches, a replayed graph, loops on the device and on the host, grids
`samples`      stage: the project's samples on the GPU
=============  =====================================================================================

Nothing here needs a network or a compiler. ``--rehearse`` runs the stages on a CPU, which does,
through the stand-in of the tests, smaller ones: what is measured there means nothing, but what is
written here has run before a GPU is at hand. Nothing stands for compute-sanitizer but what is on
the PATH under its name.
"""
