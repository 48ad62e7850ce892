"""Control flow on symbolic values, recorded as regions: conditionals, loops,
handlers of exceptions."""
