/* Loops on several threads, and whether they are to stop: see `threads.c` and `interrupts.c`. */

#ifndef THREADS_H
#define THREADS_H

#include <stdint.h>

/* What the result of a loop has if it was interrupted, by a signal for instance: then nobody goes
 * on with it. Lower bits are the loop's own. */
enum { INTERRUPTED = 4 };

typedef int32_t Body(void *context, int64_t begin, int64_t end);

/* Call a function for chunks of trips: 0 <= begin < end <= count. Chunks have `grain` trips, the
 * last one what is left. Returns the results combined by "or". */
int32_t ag_parallel(Body *function, void *context, int64_t count, int64_t grain);

/* The same for a loop that may be over before a thread that sleeps would be awake: with fewer than
 * `many` trips it is shared with those that are awake, and wakes others only if several such loops
 * follow each other closely. */
int32_t ag_parallel_awake(Body *function, void *context, int64_t count, int64_t grain,
                          int64_t many);

/* INTERRUPTED if the kernel is to stop, or 0. It saves the general registers, which the loop that
 * calls it uses. The loop itself saves vectors: this code may be made for a machine with shorter
 * ones. */
__attribute__((preserve_most)) int32_t ag_poll(void);

/* The results so far of the job that the pool runs, if there is one. */
int32_t result_so_far(void);

uint64_t PyThread_get_thread_ident(void);

typedef struct { int64_t seconds, nanoseconds; } Time;

int32_t clock_gettime(int32_t, Time *);
extern const int32_t ag_monotonic; /* the clock that only goes on */

/* Nanoseconds, since some time. Processor time would be a call of the system. */
static inline uint64_t time_now(void)
{
    Time now;
    clock_gettime(ag_monotonic, &now);
    return (uint64_t)(now.seconds * 1000000000 + now.nanoseconds);
}

#endif
