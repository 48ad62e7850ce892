// What fibres.cpp tells races.cpp, and what shim.py reads of it.

struct Place {
    unsigned int x, y, z;
};

// A side of a race.
struct Side {
    unsigned block, thread, written, atomic;
    unsigned long long code;  // the instruction after it, in bytes from the start of the library
};

struct Race {
    unsigned long long address;
    unsigned size, shared;  // of shared memory, the address counts from the start of the library
    Side before, now;
};

// An access at an address that is no multiple of its size, at which a GPU's kernel ends.
struct Misaligned {
    unsigned long long address;
    unsigned size;
};

void races_launch(unsigned blocks, unsigned threads);
void races_block_starts(unsigned block);
void races_block_runs(unsigned block);  // from now on, in the place of another one
void races_block_ends(unsigned block);
void races_stack(const void *top);  // what lies below, down to the current frame, is a thread's own
void races_block_barrier();
void races_warp_barrier(unsigned warp);

// What races.cpp tells fibres.cpp: the thread touches what others may wait for.
void fibre_touches(bool changes_it);
