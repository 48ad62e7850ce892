"""Libraries beside each other, each in a process of its own; they take turns.

`suite` says what a table has; `worker` runs one peer in a process of its own; `measure` lets the
processes take turns; `report` writes the tables and the chart; `command` is the command line.
"""
