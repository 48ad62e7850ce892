"""Between a function and the outside: its arguments and signature, what of the rest of the process
its graph depends on, how results are delivered, and how a recording can end."""
