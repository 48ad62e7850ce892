/* Loops on several threads.
 *
 * A pool of threads runs one loop at a time. The thread that starts it, the caller, publishes a
 * job: the function, its context, the numbers of trips, and the first and the last chunk of them
 * that nobody has taken. Then the caller takes chunks from the front and workers from the back,
 * until there are none left: so each finds much of what it touched in the last job in its own cache.
 * Workers count the chunks that they have finished, and the caller waits for those that it has not
 * taken itself. Who is late takes none and costs nothing: what a job is, is only read by those
 * that have a chunk of it, without which it does not end. Whoever finds the pool in use, as nested
 * loops do, runs its loop itself.
 *
 * Short loops, a step of a time loop for instance, are shared with workers that are awake. Where a
 * worker that has a chunk does not run since others use its CPU, the caller waits for it; then it
 * runs short loops alone for some time, so that it never waits for long.
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
    CACHE_LINES Body *function; /* of the job */
    void *_Atomic context;
    int64_t count;            /* of trips */
    int64_t grain;            /* trips in a chunk */
    _Atomic uint64_t left;    /* the chunks that nobody has taken, see `span` */
    _Atomic int64_t jobs;     /* how many so far */
    CACHE_LINES _Atomic int64_t finished; /* chunks that workers have run, or that nobody will, of
                                             all jobs: a line that the caller never writes */
    _Atomic int32_t result;   /* the results so far, combined by "or" */
    CACHE_LINES _Atomic int32_t sleepers; /* workers that sleep or are about to */
    _Atomic uint64_t short_job; /* when the last short loop ended for which nobody was awake */
    CACHE_LINES _Atomic int32_t busy; /* 1 while a job runs; what follows is its caller's */
    int64_t chunks;           /* of the job, and those that were finished before */
    int64_t own;              /* those that the caller has taken */
    int64_t short_jobs;       /* how many such loops followed each other */
    uint64_t woken;           /* when workers were woken for them */
    uint64_t alone;           /* until when short jobs are not shared */
    CACHE_LINES Mutex mutex;
    Condition condition;      /* that there is a new job */
} Pool;

/* For how many pauses a worker waits awake, some 100 microseconds: a step of a recurrent network has
 * a product every 50, and to wake a thread takes as long. */
enum { SPINS = 6000 };

/* For how many pauses a caller waits for workers before it lets others have its CPU. */
enum { PATIENCE = 2000 };

/* Short jobs follow each other closely if so many nanoseconds are between them; after how many of
 * them workers are woken, and after how many nanoseconds again, if others use their CPUs. A worker
 * is late if the caller waits for so many nanoseconds more; for how many times as long it is alone.
 */
enum { CLOSE = 100000, STREAK = 3, AGAIN = 1000000, LATE = 300000, ALONE = 8 };

int32_t ag_threads = 1;                    /* how many there shall be, with the caller */
static _Atomic(Pool *) the_pool = NULL;
static _Atomic uint64_t caller = 0;        /* Python's number of the thread with the job, or 0 */
static uint64_t paused = 0;                /* the chunks left of a job that pauses; 0: none does */

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

/* Chunks from a first one to one before a last one, as one number: both are counted from BIAS, so
 * that those who find none left may count on for a while. */
enum { BIAS = 1 << 20, MOST_CHUNKS = 1 << 30 };
static const uint64_t FRONT = 1, BACK = 1ULL << 32;

static uint64_t span(int64_t first, int64_t end)
{
    return (uint64_t)(first + BIAS) * FRONT + (uint64_t)(end + BIAS) * BACK;
}

static int64_t first_of(uint64_t left)
{
    return (int64_t)(left & (BACK - 1)) - BIAS;
}

static int64_t end_of(uint64_t left)
{
    return (int64_t)(left / BACK) - BIAS;
}

/* How many chunks there are; not more than 0 where there are none. */
static int64_t length_of(uint64_t left)
{
    return end_of(left) - first_of(left);
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

/* Take all chunks that are left. */
static uint64_t take_all(Pool *pool)
{
    return atomic_exchange_explicit(&pool->left, span(0, 0), memory_order_acq_rel);
}

/* Count chunks, since workers have run them or nobody will. */
static void count_finished(Pool *pool, int64_t chunks)
{
    if (chunks > 0)
        atomic_fetch_add_explicit(&pool->finished, chunks, memory_order_acq_rel);
}

/* Add to the result of the job. If it is interrupted nobody takes more chunks. */
static void note(Pool *pool, int32_t result)
{
    if (!result)
        return;
    atomic_fetch_or_explicit(&pool->result, result, memory_order_relaxed);
    if ((uint32_t)result >= INTERRUPTED)
        count_finished(pool, length_of(take_all(pool)));
}

/* Run a chunk of the job. */
static void run_chunk(Pool *pool, int64_t number)
{
    int64_t count = pool->count, grain = pool->grain, begin = number * grain;
    void *context = atomic_load_explicit(&pool->context, memory_order_relaxed);
    int32_t result = pool->function(context, begin, begin + smaller(count - begin, grain));
    note(pool, result | ag_poll());
}

/* Take a chunk for the caller, or for a worker: its number, or -1 if there are none left. */
static int64_t take(Pool *pool, bool is_caller)
{
    uint64_t left = atomic_load_explicit(&pool->left, memory_order_relaxed);
    if (length_of(left) <= 0)
        return -1;
    left = is_caller ? atomic_fetch_add_explicit(&pool->left, FRONT, memory_order_acq_rel)
                     : atomic_fetch_sub_explicit(&pool->left, BACK, memory_order_acq_rel);
    if (length_of(left) <= 0)
        return -1;
    return is_caller ? first_of(left) : end_of(left) - 1;
}

/* -- workers ----------------------------------------------------------------------------------- */

/* Wait until there are other jobs than those that were seen; how many there are. */
static int64_t wait_for_job(Pool *pool, int64_t seen)
{
    for (int spins = 0; spins <= SPINS; spins++) {
        int64_t jobs = atomic_load_explicit(&pool->jobs, memory_order_acquire);
        if (jobs != seen)
            return jobs;
        if (spins > SPINS / 2 && spins % 64 == 0)
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

/* What a worker does, for ever. */
static void *work(void *place)
{
    Pool *pool = place;
    for (int64_t jobs = 0;;) {
        jobs = wait_for_job(pool, jobs);
        /* it comes from the caller's cache while this takes a chunk */
        __builtin_prefetch(atomic_load_explicit(&pool->context, memory_order_relaxed));
        for (int64_t number; (number = take(pool, false)) >= 0;) {
            run_chunk(pool, number);
            count_finished(pool, 1);
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

static void give_back(Pool *pool)
{
    atomic_store_explicit(&pool->busy, 0, memory_order_release);
}

/* Tell the workers that there is a job, of which the caller has the first chunk. */
static void publish(Pool *pool, Body *function, void *context, int64_t count, int64_t grain)
{
    pool->function = function;
    pool->count = count;
    pool->grain = grain;
    int64_t chunks = (count - 1) / grain + 1;
    pool->chunks = chunks + atomic_load_explicit(&pool->finished, memory_order_relaxed);
    pool->own = 1;
    atomic_store_explicit(&pool->context, context, memory_order_relaxed);
    atomic_store_explicit(&caller, PyThread_get_thread_ident(), memory_order_relaxed);
    if (atomic_load_explicit(&pool->result, memory_order_relaxed))
        atomic_store_explicit(&pool->result, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->left, span(1, chunks), memory_order_release);
    atomic_fetch_add_explicit(&pool->jobs, 1, memory_order_seq_cst);
}

static bool all_finished(Pool *pool)
{
    return atomic_load_explicit(&pool->finished, memory_order_acquire) == pool->chunks - pool->own;
}

/* Wait until the workers have finished their chunks. */
static void wait_for_workers(Pool *pool)
{
    uint64_t since = 0;
    for (int spins = 0; !all_finished(pool);) {
        if (++spins <= PATIENCE) {
            relax();
            continue;
        }
        if (!since)
            since = time_now();
        sched_yield();
        note(pool, ag_poll());
        spins = 0;
    }
    uint64_t now = since ? time_now() : 0;
    if (now - since > LATE)
        pool->alone = now + ALONE * (now - since);
}

/* Run a job, once the workers know of it. */
static int32_t run_shared(Pool *pool)
{
    for (int64_t number = 0; number >= 0; number = take(pool, true)) {
        pool->own += number > 0;
        run_chunk(pool, number);
    }
    wait_for_workers(pool);
    int32_t result = atomic_load_explicit(&pool->result, memory_order_relaxed);
    atomic_store_explicit(&caller, 0, memory_order_relaxed);
    give_back(pool);
    return result;
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

/* The pool for a loop, as `idle_pool`; null too if the loop is one chunk. */
static Pool *pool_for(int64_t count, int64_t grain)
{
    if (ag_threads <= 1 || count <= grain || (count - 1) / grain >= MOST_CHUNKS)
        return NULL;
    return idle_pool();
}

int32_t ag_parallel(Body *function, void *context, int64_t count, int64_t grain)
{
    if (grain < 1)
        grain = 1;
    Pool *pool = pool_for(count, grain);
    if (!pool)
        return run_alone(function, context, count, grain);
    publish(pool, function, context, count, grain);
    if (atomic_load_explicit(&pool->sleepers, memory_order_seq_cst))
        wake_all(pool);
    return run_shared(pool);
}

static bool somebody_is_awake(Pool *pool)
{
    return atomic_load_explicit(&pool->sleepers, memory_order_seq_cst)
         < atomic_load_explicit(&pool->workers, memory_order_relaxed);
}

/* Whether a short job is worth waking workers: several follow each other closely. */
static bool is_one_of_many(Pool *pool)
{
    uint64_t now = time_now();
    uint64_t between = now - atomic_load_explicit(&pool->short_job, memory_order_relaxed);
    pool->short_jobs = between < CLOSE ? pool->short_jobs + 1 : 0;
    if (pool->short_jobs < STREAK || now - pool->woken < AGAIN)
        return false;
    pool->woken = now;
    return true;
}

/* Whether the caller shares short jobs: not for some time after it has waited for a worker. */
static bool shares_short_jobs(Pool *pool)
{
    if (pool->alone && time_now() < pool->alone)
        return false;
    pool->alone = 0;
    return true;
}

int32_t ag_parallel_awake(Body *function, void *context, int64_t count, int64_t grain,
                          int64_t many)
{
    if (count >= many || grain < 1)
        return ag_parallel(function, context, count, grain);
    Pool *pool = pool_for(count, grain);
    if (!pool)
        return run_alone(function, context, count, grain);
    bool wakes = !somebody_is_awake(pool) && is_one_of_many(pool);
    if (!shares_short_jobs(pool) || (!wakes && !somebody_is_awake(pool))) {
        give_back(pool);
        int32_t result = run_alone(function, context, count, grain);
        atomic_store_explicit(&pool->short_job, time_now(), memory_order_relaxed);
        return result;
    }
    publish(pool, function, context, count, grain);
    if (wakes)
        wake_all(pool);
    return run_shared(pool);
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
    paused = take_all(pool);
    int64_t others = pool->chunks - pool->own - (length_of(paused) > 0 ? length_of(paused) : 0);
    while (atomic_load_explicit(&pool->finished, memory_order_acquire) != others)
        sched_yield();
}

/* After a fork, in both processes: go on. In the child the thread is alone; workers of the parent
 * see a new number of jobs, and take chunks again. */
void ag_resume(void)
{
    uint64_t left = paused;
    if (!left)
        return;
    paused = 0;
    Pool *pool = known_pool();
    if ((uint32_t)atomic_load_explicit(&pool->result, memory_order_relaxed) >= INTERRUPTED) {
        count_finished(pool, length_of(left));
        return;
    }
    atomic_store_explicit(&pool->left, left, memory_order_release);
    if (pool->process == getpid()) {
        atomic_fetch_add_explicit(&pool->jobs, 1, memory_order_seq_cst);
        wake_all(pool);
    }
}
