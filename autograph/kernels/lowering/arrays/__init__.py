"""Arrays that wait until something needs them, and the loops over elements that compute them."""
