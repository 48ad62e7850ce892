"""From kernel IR to kernel IR.

Kernels of which it is known that they run for a short time are made quickly without any of this,
and go through all of it once they are to be optimised (`as_lowered`).

`host.for_host` is what a kernel for a CPU goes through: `improving.improved`, which changes loops
in order, then `strips`, `windows`, `chunks`, `side_by_side`, `splitting`, and `narrow_divisions`.
What `improved` begins with, and comes back to, is `rounds`: it leaves out what is known, and gives
the `affine.Facts` that all others ask:

* `Facts.form`: which polynomial of loop indices and lengths a scalar is (`forms`); None if nothing
  is known of it. `least` and `greatest` bound one, `impossible` is asked whether equations and
  conditions can hold at once. What wraps in fewer bits is a form of `short_integers`. Quotients,
  rests and masks have bounds, see `divisions`, and so has what loops carry, see `states`.
* `dependence.Dependences.independent`: whether no trip of a loop touches what another one writes;
  `is_understood`, before that, whether all memory that statements touch is known.
* `dependence.BufferGroups`: which buffers may be the same memory.

Before it, `bit_loops` counts the bits of integers without a loop, and `low_bits` has sums wrap that
are masked.

Then come, in this order: checks that are asked once before a loop (`guarding`), and dear functions
that are computed once (`invariants`); copies that need not be made (`copying`, `results`,
`in_place`, `rotation`, `alternation`, whose memory is of `open_arrays` where only the run knows
lengths), and arrays that are easily made of others (`derived`); neighbouring loops of few trips as
one (`joining`); loops in another order, as lanes, or shared by threads (`nests`, with `exchange`,
`jam`, `triangles`, `private`); rows that wait for each other (`stagger`, with `running`); first
trips that do something else before their loops (`peeling`); dear functions ahead of a loop in order
(`ahead`); rows whose elements wait for loops of their own that `ahead` has left (`row_groups`);
elements that stay in registers (`promotion`), also from trip to trip (`carrying`). Before all
these, arrays whose elements are known without them go (`known_arrays`); after them, loops that
combine integers are vectors (`reducing`, with `wide_sums`), loops over the same rows go strip by
strip (`strips`), those over neighbouring rows a few rows apart (`windows`), what trips of a loop in
order read is made for some trips at a time (`chunks`), parts of complex arrays come to lie side by
side (`side_by_side`), and loops in which comparisons of the index decide what is read, or something
that no trip changes decides what is computed, are several (`splitting`, with `clamps` and
`unswitching`).

What a pass has to keep to:

* Floats are computed by the same operations in the same order, for each element. Only the
  reductions of an `ir.Each` have no order.
* A `Check` that fails gives up the whole kernel, and NumPy's program runs instead, on arguments as
  they were. So checks may be asked earlier, and of what would not have been reached, but none may
  be lost, and nothing that a check guards may be read before it.
* A `Var` has one definition: copies of statements define new ones (`copying.substituted`,
  `jam.Copier`). Buffers of the kind "record" name the `Var` where they begin, so what reads them
  is not copied.
* Facts are about the statements as they are: after a change of loops `simplified` is asked again.
* The blocks of the given kernel stay as they are; `simplified` has made new ones.

Most passes that change loops say only what comes in the place of one, or of some neighbours:
`replacing.replace_statements` and `replacing.rebuild` go through all of a block, and
`ir.builder.block_apart` builds statements for it.
"""
