/* Loops on several threads.
 *
 * A pool of threads runs one loop at a time. The thread that starts it, the caller, publishes a
 * job: the function, its context, and the numbers of trips. Then caller and workers take chunks of
 * trips from a shared counter until there are none left. A worker joins a job while it is open, and
 * the caller closes it when it finds no chunk any more, and waits for those that have joined:
 * workers that wake up late cost nothing. Whoever finds the pool in use, as nested loops do, runs
 * its loop itself.
 *
 * A process may be forked by a handler of a signal, which a thread runs amid its job. Then the
 * workers leave it first, and what is left is in both processes as it was.
 *
 * Workers wait for the next job by spinning for a while, then on a condition variable. A
 * forked process has no workers: it makes a pool of its own. Signals are not for them, but for
 * threads that may wait for one.
 */

#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* What the system has. Its own types are smaller than these on all systems. */
typedef struct { _Alignas(16) char room[128]; } Opaque;
typedef Opaque Mutex, Condition, Signals;
typedef void *Thread;

void *calloc(size_t, size_t);
void free(void *);
int32_t getpid(void);
int32_t sched_yield(void);
int32_t pthread_create(Thread *, const void *, void *(*)(void *), void *);
int32_t pthread_detach(Thread);
int32_t pthread_sigmask(int32_t, const Signals *, Signals *);
int32_t sigfillset(Signals *);
int32_t sigdelset(Signals *, int32_t);
int32_t pthread_mutex_init(Mutex *, const void *);
int32_t pthread_mutex_lock(Mutex *);
int32_t pthread_mutex_unlock(Mutex *);
int32_t pthread_cond_init(Condition *, const void *);
int32_t pthread_cond_wait(Condition *, Mutex *);
int32_t pthread_cond_broadcast(Condition *);

/* The same on all systems; and what is not. */
enum { SIGILL = 4, SIGFPE = 8, SIGSEGV = 11 };
extern const int32_t ag_sigbus, ag_sig_block, ag_sig_setmask;

#define CACHE_LINES _Alignas(128) /* apart from what other threads use */

typedef struct {
    int32_t process;          /* that it belongs to */
    _Atomic int32_t workers;  /* how many there are */
    Body *function;           /* of the job */
    void *context;
    int64_t count;            /* of trips */
    int64_t grain;            /* trips in a chunk */
    CACHE_LINES _Atomic int64_t jobs;   /* how many so far */
    CACHE_LINES _Atomic int64_t joined; /* workers that have joined, and OPEN while others may */
    CACHE_LINES _Atomic uint64_t next;  /* the number of the next chunk */
    CACHE_LINES _Atomic int32_t result; /* the results so far, combined by "or" */
    _Atomic int32_t busy;     /* 1 while a job runs */
    _Atomic int32_t sleepers; /* workers that sleep or are about to */
    CACHE_LINES Mutex mutex;
    Condition condition;      /* that there is a new job */
} Pool;

/* For how many pauses a worker waits awake, some 100 microseconds: a step of a recurrent network has
 * a product every 50, and to wake a thread takes as long. */
enum { SPINS = 6000 };

static const int64_t OPEN = 1LL << 32;
static const uint64_t NO_CHUNK = 1ULL << 62; /* there are never so many */

int32_t ag_threads = 1;                    /* how many there shall be, with the caller */
static _Atomic(Pool *) the_pool = NULL;
static _Atomic uint64_t caller = 0;        /* Python's number of the thread with the last job */
static int64_t left_chunks = -1;           /* the next chunk of a job that pauses */

/* Tell the CPU that a loop waits. */
static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __builtin_arm_yield();
#endif
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static Pool *known_pool(void)
{
    return atomic_load_explicit(&the_pool, memory_order_acquire);
}

int32_t result_so_far(void)
{
    Pool *pool = known_pool();
    return pool ? atomic_load_explicit(&pool->result, memory_order_relaxed) : 0;
}

static void wake_all(Pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->condition);
    pthread_mutex_unlock(&pool->mutex);
}

/* Add to the result of the job. If it is interrupted nobody takes more chunks. */
static void note(Pool *pool, int32_t result)
{
    if (!result)
        return;
    atomic_fetch_or_explicit(&pool->result, result, memory_order_relaxed);
    if ((uint32_t)result >= INTERRUPTED)
        atomic_store_explicit(&pool->next, NO_CHUNK, memory_order_relaxed);
}

/* Take chunks of the job and run them, until there are none left. */
static void run_chunks(Pool *pool)
{
    Body *function = pool->function;
    void *context = pool->context;
    int64_t count = pool->count, grain = pool->grain;
    uint64_t last = (uint64_t)(count - 1) / (uint64_t)grain;
    for (;;) {
        uint64_t number = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (number > last)
            return;
        int64_t begin = (int64_t)number * grain;
        int32_t result = function(context, begin, begin + smaller(count - begin, grain));
        note(pool, result | ag_poll());
    }
}

/* -- workers ----------------------------------------------------------------------------------- */

/* Wait until there are other jobs than those that were seen; how many there are. */
static int64_t wait_for_job(Pool *pool, int64_t seen)
{
    for (int spins = 0; spins <= SPINS; spins++) {
        int64_t jobs = atomic_load_explicit(&pool->jobs, memory_order_acquire);
        if (jobs != seen)
            return jobs;
        if (spins > SPINS / 8 && spins % 64 == 0)
            sched_yield(); /* others may want the CPU */
        relax();
    }
    pthread_mutex_lock(&pool->mutex);
    /* the caller sees the sleeper, or this sees the job */
    atomic_fetch_add_explicit(&pool->sleepers, 1, memory_order_seq_cst);
    int64_t jobs;
    while ((jobs = atomic_load_explicit(&pool->jobs, memory_order_seq_cst)) == seen)
        pthread_cond_wait(&pool->condition, &pool->mutex);
    atomic_fetch_sub_explicit(&pool->sleepers, 1, memory_order_seq_cst);
    pthread_mutex_unlock(&pool->mutex);
    return jobs;
}

/* Join the job, if it is open. */
static bool join(Pool *pool)
{
    int64_t joined = atomic_load_explicit(&pool->joined, memory_order_acquire);
    while (joined >= OPEN)
        if (atomic_compare_exchange_strong_explicit(&pool->joined, &joined, joined + 1,
                                                    memory_order_acq_rel, memory_order_acquire))
            return true;
    return false;
}

/* What a worker does, for ever. */
static void *work(void *place)
{
    Pool *pool = place;
    for (int64_t jobs = 0;;) {
        jobs = wait_for_job(pool, jobs);
        if (join(pool)) {
            run_chunks(pool);
            atomic_fetch_sub_explicit(&pool->joined, 1, memory_order_acq_rel);
        }
    }
    return NULL;
}

/* Start the workers of a pool, as many as the system allows. Signals that a thread causes itself
 * are its own. */
static void hire(Pool *pool)
{
    Signals signals, before;
    sigfillset(&signals);
    sigdelset(&signals, SIGILL);
    sigdelset(&signals, SIGFPE);
    sigdelset(&signals, SIGSEGV);
    sigdelset(&signals, ag_sigbus);
    pthread_sigmask(ag_sig_block, &signals, &before);
    for (int32_t workers = 1; workers < ag_threads; workers++) {
        Thread thread;
        if (pthread_create(&thread, NULL, work, pool))
            break;
        pthread_detach(thread);
        atomic_store_explicit(&pool->workers, workers, memory_order_release);
    }
    pthread_sigmask(ag_sig_setmask, &before, NULL);
}

/* -- callers ----------------------------------------------------------------------------------- */

/* The pool of this process, made now if there is none; null if there is no memory. */
static Pool *current_pool(void)
{
    int32_t process = getpid();
    Pool *found = known_pool();
    if (found && found->process == process)
        return found;
    void *memory = calloc(sizeof(Pool) + 128, 1); /* never freed */
    if (!memory)
        return NULL;
    Pool *made = (Pool *)(((uint64_t)memory + 127) & -128ULL);
    made->process = process;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->condition, NULL);
    if (!atomic_compare_exchange_strong_explicit(&the_pool, &found, made, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        free(memory); /* another thread was faster */
        return found;
    }
    hire(made);
    return made;
}

/* The pool, if it has workers and no job: it is busy from now on. Null otherwise. */
static Pool *idle_pool(void)
{
    Pool *pool = current_pool();
    if (!pool || !atomic_load_explicit(&pool->workers, memory_order_relaxed))
        return NULL;
    return atomic_exchange_explicit(&pool->busy, 1, memory_order_acquire) ? NULL : pool;
}

/* Tell the workers that there is a job. */
static void publish(Pool *pool, Body *function, void *context, int64_t count, int64_t grain)
{
    pool->function = function;
    pool->context = context;
    pool->count = count;
    pool->grain = grain;
    atomic_store_explicit(&caller, PyThread_get_thread_ident(), memory_order_relaxed);
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->result, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->joined, OPEN, memory_order_release);
    atomic_fetch_add_explicit(&pool->jobs, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&pool->sleepers, memory_order_seq_cst))
        wake_all(pool);
}

/* Wait until the workers that have joined are ready; no others join. */
static void wait_for_workers(Pool *pool)
{
    atomic_fetch_and_explicit(&pool->joined, OPEN - 1, memory_order_acq_rel);
    int spins = 0;
    while (atomic_load_explicit(&pool->joined, memory_order_acquire)) {
        if (++spins <= 2000) {
            relax();
        } else {
            sched_yield();
            note(pool, ag_poll());
            spins = 0;
        }
    }
}

/* The loop on this thread alone. */
static int32_t run_alone(Body *function, void *context, int64_t count, int64_t grain)
{
    int32_t result = 0;
    for (int64_t begin = 0, end; begin < count && (uint32_t)result < INTERRUPTED; begin = end) {
        end = begin + smaller(count - begin, grain);
        result |= function(context, begin, end);
        result |= ag_poll();
    }
    return result;
}

int32_t ag_parallel(Body *function, void *context, int64_t count, int64_t grain)
{
    if (grain < 1)
        grain = 1;
    Pool *pool = ag_threads > 1 && count > grain ? idle_pool() : NULL;
    if (!pool)
        return run_alone(function, context, count, grain);
    publish(pool, function, context, count, grain);
    run_chunks(pool);
    wait_for_workers(pool);
    int32_t result = atomic_load_explicit(&pool->result, memory_order_relaxed);
    atomic_store_explicit(&pool->busy, 0, memory_order_release);
    return result;
}

/* -- forks ------------------------------------------------------------------------------------- */

/* Before a fork: if this thread is amid a job, let no worker take a chunk, and wait until all have
 * finished theirs. */
void ag_pause(void)
{
    Pool *pool = known_pool();
    if (!pool || !atomic_load_explicit(&pool->busy, memory_order_acquire))
        return;
    if (atomic_load_explicit(&caller, memory_order_relaxed) != PyThread_get_thread_ident())
        return;
    left_chunks = (int64_t)atomic_exchange_explicit(&pool->next, NO_CHUNK, memory_order_relaxed);
    while (atomic_load_explicit(&pool->joined, memory_order_acquire) & (OPEN - 1))
        sched_yield();
}

/* After a fork, in both processes: go on. In the child the thread is alone; workers of the parent
 * see a new number of jobs, and join again. */
void ag_resume(void)
{
    int64_t next = left_chunks;
    if (next < 0)
        return;
    left_chunks = -1;
    Pool *pool = known_pool();
    if ((uint32_t)atomic_load_explicit(&pool->result, memory_order_relaxed) >= INTERRUPTED)
        return;
    atomic_store_explicit(&pool->next, (uint64_t)next, memory_order_relaxed);
    if (pool->process == getpid()) {
        atomic_fetch_add_explicit(&pool->jobs, 1, memory_order_seq_cst);
        wake_all(pool);
    }
}
