"""Colourings of graphs, by which a sparse matrix is known from few of its products.

Columns of one colour are added up, so one product tells of all of them; where that is so for rows,
or for both, or for one half of a symmetric matrix, other colourings do. `graphs` makes graphs of
patterns, `orders` says in which order vertices are coloured, `greedy` and `symmetric` colour them,
`compression` says which products there are, and how the elements are found in them."""
