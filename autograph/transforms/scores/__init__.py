"""Log-likelihoods of what is drawn: a graph that also returns how likely its draws were.

`sites` finds the draws of a graph, `flows` where those go that are only compared, `distributions`
says how likely each of their values is, `plan` which of them have a score, and `scoring` builds the
graph, with `arithmetic`.
"""
