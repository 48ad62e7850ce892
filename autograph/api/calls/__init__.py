"""Calls of what is compiled: for which arguments that is (`signature`), running its program and
putting the results together (`compiled`), doing so without the look-up (`quick`), slices that turn
out to reach past the end (`bets`), and exceptions that show the user's frames (`tracebacks`)."""
