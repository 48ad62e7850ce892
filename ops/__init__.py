"""Operators on arrays, and control flow as functions, for NumPy, CuPy and symbolic arguments."""

from operator import (  # noqa: F401  in-place operators, as the converted source spells them
    iadd,
    iand,
    ifloordiv,
    ilshift,
    imatmul,
    imod,
    imul,
    ior,
    ipow,
    irshift,
    isub,
    itruediv,
    ixor,
)

from ops.control import (  # noqa: F401
    BREAK,
    CONTINUE,
    FALL,
    RETURN,
    and_,
    call,
    cond,
    defined,
    for_loop,
    not_,
    or_,
    undefined,
    while_loop,
)
