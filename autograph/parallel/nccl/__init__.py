"""Collectives of CuPy arrays over NCCL, one process for each GPU; CuPy is imported when an array of
its is there.

* `peers`: what is told between the processes beside arrays; here over MPI
* `store`, `store_peers`: over TCP, for processes that torchrun or the like has started
* `datatypes`: how arrays are reduced
* `communicator`: the collectives
"""
