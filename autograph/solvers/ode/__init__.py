"""Initial value problems: one step of a method (`explicit`, `rosenbrock`), how long it is
(`control`), what happens on the way (`events`), and the loop over the steps (`integrate`).

A state is a number or a vector, ``slope(t, y)`` how fast it changes. The state at the share ``s``
of a step, from 0 to 1, is that at its beginning plus ``scale * sum(w(s) * p for p in parts)``, with
the parts that the step has left and polynomials ``w`` of the method, which are 0 at ``s = 0``.
"""
