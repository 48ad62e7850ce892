"""Calls of what is compiled: for which arguments that is (`signature`), running its program and
putting the results together (`compiled`), there or `on_device`, doing so without the look-up
(`quick`), arrays that share memory (`sharing`), slices that turn out to reach past the end
(`bets`), `exceptions` as the user knows them, and with the user's frames (`tracebacks`)."""
