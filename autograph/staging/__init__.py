"""Recording: a converted function runs on symbolic arrays, and what it computes becomes a graph.

===============  ===================================================================================
here             what is done
===============  ===================================================================================
`later`          imports all of this when something is first recorded
`trace`          begins a recording, and ends it: a function and the types of its arguments are a
                 graph
`tracer`         what is true of a recording as a whole, and of each region that is recorded
`dispatch`       where converted code arrives, and symbolic arrays: it chooses who does what
`calls`          what is called
`python`         Python's own functions and modules
`control`        branches, loops, handlers of exceptions
`border`         arguments, results, the outside
`joins`          variables where paths meet
`classes`        classes of the user's
`containers`     what code can change in place, other than arrays
`sequences`      iterators, ranges, subscripts
`lists`          lists of unknown length
`values`         values that are more than an array
`arrays`         symbolic arrays
`ground`         what all of these stand on
===============  ===================================================================================

Each may import what stands below it.
"""
