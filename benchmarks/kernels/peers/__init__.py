"""The libraries that are compared, one module each.

A module has ``MAKERS``: for the name of a row, a function that takes the row's arguments, NumPy
arrays, and returns a call without arguments. The call does the row's work once, on the library's
own arrays, and waits for the result. ``REFUSES`` has the reason for each row that is not there,
``NOTES`` what a reader should know of one that is. ``to_numpy`` makes a NumPy array of one of the
library's, ``PACKAGE`` is what the library is installed as. ``give_back``, where a module has it,
gives back the memory that the library keeps for its next calls.

No module here may import another: each peer runs in a process of its own.
"""
