; Loops on several threads.
;
; A pool of threads runs one loop at a time. The thread that starts it, the caller, publishes a job:
; the function, its context, and the numbers of trips. Then caller and workers take chunks of trips
; from a shared counter until there are none left. A worker joins a job while it is open, and the
; caller closes it when it finds no chunk any more, and waits for those that have joined: workers
; that wake up late cost nothing. Whoever finds the pool in use, as nested loops do, runs its loop
; itself.
;
; A process may be forked by a handler of a signal, which a thread runs amid its job. Then the workers
; leave it first, and what is left is in both processes as it was.
;
; Workers wait for the next job by spinning for some microseconds, then on a condition variable. A
; forked process has no workers: it makes a pool of its own. Signals are not for them, but for threads
; that may wait for one.

declare ptr @calloc(i64, i64)
declare i32 @getpid()
declare i32 @sched_yield()
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigfillset(ptr)
declare i32 @sigdelset(ptr, i32)
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)

; What many threads write to is apart from what others read, by 128 bytes: two cache lines.
%pool = type {
  i32,            ;  0: the process it belongs to
  i32,            ;  1: the number of workers
  ptr,            ;  2: the job: its function
  ptr,            ;  3: its context
  i64,            ;  4: the number of trips
  i64,            ;  5: the number of trips in a chunk
  [88 x i8],
  i64,            ;  7: the number of jobs so far
  [120 x i8],
  i64,            ;  9: the workers that have joined, and 2**32 while others may join
  [120 x i8],
  i64,            ; 11: the number of the next chunk
  [120 x i8],
  i32,            ; 13: the results so far, combined by "or"
  i32,            ; 14: 1 while a job runs
  i32,            ; 15: the workers that sleep or are about to
  [116 x i8],
  [128 x i8],     ; 17: a pthread_mutex_t
  [128 x i8]      ; 18: a pthread_cond_t
}

@ag_threads = global i32 1                 ; how many threads there shall be, with the caller
@pool = internal global ptr null
@caller = internal global i64 0            ; Python's number of the thread that started the last job
@left_chunks = internal global i64 -1      ; the next chunk of a job that pauses

; Call a function for chunks of trips: i32 function(context, begin, end) for 0 <= begin < end <=
; count. Chunks have `grain` trips, the last one what is left. Returns the results combined by "or".
define i32 @ag_parallel(ptr %function, ptr %context, i64 %count, i64 %grain_wanted) {
  %grain = call i64 @llvm.smax.i64(i64 %grain_wanted, i64 1)
  %threads = load i32, ptr @ag_threads
  %several_threads = icmp sgt i32 %threads, 1
  %several_chunks = icmp sgt i64 %count, %grain
  %several = and i1 %several_threads, %several_chunks
  br i1 %several, label %find, label %alone

find:
  %pool = call ptr @current_pool()
  %no_pool = icmp eq ptr %pool, null
  br i1 %no_pool, label %alone, label %staffed
staffed:
  %workers_field = getelementptr %pool, ptr %pool, i64 0, i32 1
  %workers = load atomic i32, ptr %workers_field monotonic, align 4
  %deserted = icmp eq i32 %workers, 0
  br i1 %deserted, label %alone, label %enter
enter:
  %busy_field = getelementptr %pool, ptr %pool, i64 0, i32 14
  %was_busy = atomicrmw xchg ptr %busy_field, i32 1 acquire
  %busy = icmp ne i32 %was_busy, 0
  br i1 %busy, label %alone, label %publish

publish:
  %function_field = getelementptr %pool, ptr %pool, i64 0, i32 2
  store ptr %function, ptr %function_field
  %context_field = getelementptr %pool, ptr %pool, i64 0, i32 3
  store ptr %context, ptr %context_field
  %count_field = getelementptr %pool, ptr %pool, i64 0, i32 4
  store i64 %count, ptr %count_field
  %grain_field = getelementptr %pool, ptr %pool, i64 0, i32 5
  store i64 %grain, ptr %grain_field
  %thread = call i64 @PyThread_get_thread_ident()
  store i64 %thread, ptr @caller
  %next_field = getelementptr %pool, ptr %pool, i64 0, i32 11
  store i64 0, ptr %next_field
  %result_field = getelementptr %pool, ptr %pool, i64 0, i32 13
  store i32 0, ptr %result_field
  %joined_field = getelementptr %pool, ptr %pool, i64 0, i32 9
  store atomic i64 4294967296, ptr %joined_field release, align 8
  %jobs_field = getelementptr %pool, ptr %pool, i64 0, i32 7
  %job = atomicrmw add ptr %jobs_field, i64 1 seq_cst
  %sleepers_field = getelementptr %pool, ptr %pool, i64 0, i32 15
  %sleepers = load atomic i32, ptr %sleepers_field seq_cst, align 4
  %all_awake = icmp eq i32 %sleepers, 0
  br i1 %all_awake, label %work, label %wake
wake:
  %mutex = getelementptr %pool, ptr %pool, i64 0, i32 17
  %condition = getelementptr %pool, ptr %pool, i64 0, i32 18
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  %woken = call i32 @pthread_cond_broadcast(ptr %condition)
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %work
work:
  call void @run_chunks(ptr %pool)
  %joined = atomicrmw and ptr %joined_field, i64 4294967295 acq_rel
  br label %wait
wait:
  %spins = phi i32 [ 0, %work ], [ %spins_next, %relax ], [ 0, %yield ]
  %still_joined = load atomic i64, ptr %joined_field acquire, align 8
  %finished = icmp eq i64 %still_joined, 0
  br i1 %finished, label %leave, label %patient
patient:
  %spins_next = add i32 %spins, 1
  %too_long = icmp ugt i32 %spins_next, 2000
  br i1 %too_long, label %yield, label %relax
relax:
  call void @relax()
  br label %wait
yield:
  %yielded = call i32 @sched_yield()
  %interrupted = call preserve_mostcc i32 @ag_poll()
  call void @note(ptr %pool, i32 %interrupted)
  br label %wait
leave:
  %result = load atomic i32, ptr %result_field monotonic, align 4
  store atomic i32 0, ptr %busy_field release, align 4
  ret i32 %result

alone:
  %any = icmp sgt i64 %count, 0
  br i1 %any, label %chunk, label %nothing
chunk:
  %begin = phi i64 [ 0, %alone ], [ %end, %chunk ]
  %so_far = phi i32 [ 0, %alone ], [ %both, %chunk ]
  %left = sub i64 %count, %begin
  %trips = call i64 @llvm.smin.i64(i64 %left, i64 %grain)
  %end = add i64 %begin, %trips
  %one = call i32 %function(ptr %context, i64 %begin, i64 %end)
  %with_one = or i32 %so_far, %one
  %poll = call preserve_mostcc i32 @ag_poll()
  %both = or i32 %with_one, %poll
  %more = icmp slt i64 %end, %count
  %stop = icmp uge i32 %both, 4
  %last_one = xor i1 %more, true
  %over = or i1 %stop, %last_one
  br i1 %over, label %ready, label %chunk
ready:
  ret i32 %both
nothing:
  ret i32 0
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

; Take chunks of the job and run them, until there are none left.
define internal void @run_chunks(ptr %pool) {
  %function_field = getelementptr %pool, ptr %pool, i64 0, i32 2
  %function = load ptr, ptr %function_field
  %context_field = getelementptr %pool, ptr %pool, i64 0, i32 3
  %context = load ptr, ptr %context_field
  %count_field = getelementptr %pool, ptr %pool, i64 0, i32 4
  %count = load i64, ptr %count_field
  %grain_field = getelementptr %pool, ptr %pool, i64 0, i32 5
  %grain = load i64, ptr %grain_field
  %next_field = getelementptr %pool, ptr %pool, i64 0, i32 11
  %less = sub i64 %count, 1
  %last = udiv i64 %less, %grain           ; the number of the last chunk
  br label %take
take:
  %number = atomicrmw add ptr %next_field, i64 1 monotonic
  %none = icmp ugt i64 %number, %last
  br i1 %none, label %done, label %run
run:
  %begin = mul i64 %number, %grain
  %left = sub i64 %count, %begin
  %trips = call i64 @llvm.smin.i64(i64 %left, i64 %grain)
  %end = add i64 %begin, %trips
  %result = call i32 %function(ptr %context, i64 %begin, i64 %end)
  %interrupted = call preserve_mostcc i32 @ag_poll()
  %both = or i32 %result, %interrupted
  call void @note(ptr %pool, i32 %both)
  br label %take
done:
  ret void
}

; Add to the result of the job. If it is interrupted nobody takes more chunks.
define internal void @note(ptr %pool, i32 %result) {
  %ordinary = icmp eq i32 %result, 0
  br i1 %ordinary, label %done, label %tell
tell:
  %result_field = getelementptr %pool, ptr %pool, i64 0, i32 13
  %results = atomicrmw or ptr %result_field, i32 %result monotonic
  %goes_on = icmp ult i32 %result, 4
  br i1 %goes_on, label %done, label %stop
stop:
  %next_field = getelementptr %pool, ptr %pool, i64 0, i32 11
  store atomic i64 4611686018427387904, ptr %next_field monotonic, align 8
  br label %done
done:
  ret void
}

; Before a fork: if this thread is amid a job, let no worker take a chunk, and wait until all have
; finished theirs.
define void @ag_pause() {
  %pool = load atomic ptr, ptr @pool acquire, align 8
  %none = icmp eq ptr %pool, null
  br i1 %none, label %done, label %look
look:
  %busy_field = getelementptr %pool, ptr %pool, i64 0, i32 14
  %busy = load atomic i32, ptr %busy_field acquire, align 4
  %idle = icmp eq i32 %busy, 0
  %this = call i64 @PyThread_get_thread_ident()
  %caller = load i64, ptr @caller
  %of_another = icmp ne i64 %caller, %this
  %nothing = or i1 %idle, %of_another
  br i1 %nothing, label %done, label %pause
pause:
  %next_field = getelementptr %pool, ptr %pool, i64 0, i32 11
  %next = atomicrmw xchg ptr %next_field, i64 4611686018427387904 monotonic
  store i64 %next, ptr @left_chunks
  %joined_field = getelementptr %pool, ptr %pool, i64 0, i32 9
  br label %wait
wait:
  %joined = load atomic i64, ptr %joined_field acquire, align 8
  %workers = and i64 %joined, 4294967295
  %alone = icmp eq i64 %workers, 0
  br i1 %alone, label %done, label %yield
yield:
  %yielded = call i32 @sched_yield()
  br label %wait
done:
  ret void
}

; After a fork, in both processes: go on. In the child the thread is alone; workers of the parent see
; a new number of jobs, and join again.
define void @ag_resume() {
  %next = load i64, ptr @left_chunks
  %no_pause = icmp slt i64 %next, 0
  br i1 %no_pause, label %done, label %look
look:
  store i64 -1, ptr @left_chunks
  %pool = load atomic ptr, ptr @pool acquire, align 8
  %result_field = getelementptr %pool, ptr %pool, i64 0, i32 13
  %result = load atomic i32, ptr %result_field monotonic, align 4
  %stopped = icmp uge i32 %result, 4
  br i1 %stopped, label %done, label %continue
continue:
  %next_field = getelementptr %pool, ptr %pool, i64 0, i32 11
  store atomic i64 %next, ptr %next_field monotonic, align 8
  %owner = load i32, ptr %pool
  %process = call i32 @getpid()
  %parent = icmp eq i32 %owner, %process
  br i1 %parent, label %call_back, label %done
call_back:
  %jobs_field = getelementptr %pool, ptr %pool, i64 0, i32 7
  %jobs = atomicrmw add ptr %jobs_field, i64 1 seq_cst
  %mutex = getelementptr %pool, ptr %pool, i64 0, i32 17
  %condition = getelementptr %pool, ptr %pool, i64 0, i32 18
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  %woken = call i32 @pthread_cond_broadcast(ptr %condition)
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %done
done:
  ret void
}

; What a worker does, for ever.
define internal ptr @worker(ptr %pool) {
  %jobs_field = getelementptr %pool, ptr %pool, i64 0, i32 7
  %joined_field = getelementptr %pool, ptr %pool, i64 0, i32 9
  %sleepers_field = getelementptr %pool, ptr %pool, i64 0, i32 15
  %mutex = getelementptr %pool, ptr %pool, i64 0, i32 17
  %condition = getelementptr %pool, ptr %pool, i64 0, i32 18
  br label %idle

idle:
  %seen = phi i64 [ 0, %0 ], [ %job, %join ], [ %job, %left ]
  br label %spin
spin:
  %spins = phi i32 [ 0, %idle ], [ %spins_next, %relax ]
  %jobs = load atomic i64, ptr %jobs_field acquire, align 8
  %new = icmp ne i64 %jobs, %seen
  br i1 %new, label %start, label %relax
relax:
  call void @relax()
  %spins_next = add i32 %spins, 1
  %enough = icmp ugt i32 %spins_next, 1000
  br i1 %enough, label %drowse, label %spin

drowse:                                    ; the caller sees the sleeper, or this sees the job
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  %sleepers = atomicrmw add ptr %sleepers_field, i32 1 seq_cst
  br label %asleep
asleep:
  %jobs_now = load atomic i64, ptr %jobs_field seq_cst, align 8
  %new_now = icmp ne i64 %jobs_now, %seen
  br i1 %new_now, label %awake, label %sleep
sleep:
  %slept = call i32 @pthread_cond_wait(ptr %condition, ptr %mutex)
  br label %asleep
awake:
  %sleepers_before = atomicrmw sub ptr %sleepers_field, i32 1 seq_cst
  %unlocked = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %start

start:
  %job = phi i64 [ %jobs, %spin ], [ %jobs_now, %awake ]
  br label %join
join:
  %joined = load atomic i64, ptr %joined_field acquire, align 8
  %open = icmp uge i64 %joined, 4294967296
  br i1 %open, label %enter, label %idle
enter:
  %joined_after = add i64 %joined, 1
  %exchange = cmpxchg ptr %joined_field, i64 %joined, i64 %joined_after acq_rel monotonic
  %success = extractvalue { i64, i1 } %exchange, 1
  br i1 %success, label %work, label %join
work:
  call void @run_chunks(ptr %pool)
  %joined_before = atomicrmw sub ptr %joined_field, i64 1 acq_rel
  br label %left
left:
  br label %idle
}

; The pool of this process, made now if there is none; null if there is no memory.
define internal ptr @current_pool() {
  %process = call i32 @getpid()
  %found = load atomic ptr, ptr @pool acquire, align 8
  %none = icmp eq ptr %found, null
  br i1 %none, label %make, label %check
check:
  %owner = load i32, ptr %found
  %ours = icmp eq i32 %owner, %process
  br i1 %ours, label %ready, label %make
ready:
  ret ptr %found

make:
  %size = ptrtoint ptr getelementptr (%pool, ptr null, i64 1) to i64
  %with_room = add i64 %size, 128
  %memory = call ptr @calloc(i64 %with_room, i64 1)
  %failed = icmp eq ptr %memory, null
  br i1 %failed, label %give_up, label %set_up
set_up:
  %address = ptrtoint ptr %memory to i64
  %past = add i64 %address, 127
  %aligned = and i64 %past, -128
  %made = inttoptr i64 %aligned to ptr     ; the memory is never freed
  store i32 %process, ptr %made
  %mutex = getelementptr %pool, ptr %made, i64 0, i32 17
  %m = call i32 @pthread_mutex_init(ptr %mutex, ptr null)
  %condition = getelementptr %pool, ptr %made, i64 0, i32 18
  %c = call i32 @pthread_cond_init(ptr %condition, ptr null)
  %exchange = cmpxchg ptr @pool, ptr %found, ptr %made acq_rel acquire
  %success = extractvalue { ptr, i1 } %exchange, 1
  br i1 %success, label %hire, label %other
other:                                     ; another thread was faster
  call void @free(ptr %memory)
  %theirs = extractvalue { ptr, i1 } %exchange, 0
  ret ptr %theirs

hire:
  %threads = load i32, ptr @ag_threads
  %thread = alloca i64
  %workers_field = getelementptr %pool, ptr %made, i64 0, i32 1
  %signals = alloca [128 x i8], align 16   ; a sigset_t
  %signals_before = alloca [128 x i8], align 16
  %block = load i32, ptr @sig_block
  %bus = load i32, ptr @sig_bus
  %s0 = call i32 @sigfillset(ptr %signals)
  %s1 = call i32 @sigdelset(ptr %signals, i32 4)     ; SIGILL, SIGFPE, SIGSEGV, SIGBUS: a thread's own
  %s2 = call i32 @sigdelset(ptr %signals, i32 8)
  %s3 = call i32 @sigdelset(ptr %signals, i32 11)
  %s4 = call i32 @sigdelset(ptr %signals, i32 %bus)
  %blocked = call i32 @pthread_sigmask(i32 %block, ptr %signals, ptr %signals_before)
  br label %next
next:
  %workers = phi i32 [ 0, %hire ], [ %workers_after, %hired ]
  %workers_after = add i32 %workers, 1
  %enough = icmp sge i32 %workers_after, %threads
  br i1 %enough, label %done, label %create
create:
  %error = call i32 @pthread_create(ptr %thread, ptr null, ptr @worker, ptr %made)
  %refused = icmp ne i32 %error, 0
  br i1 %refused, label %done, label %hired
hired:
  %id = load ptr, ptr %thread
  %detached = call i32 @pthread_detach(ptr %id)
  store atomic i32 %workers_after, ptr %workers_field release, align 4
  br label %next
done:
  %setmask = load i32, ptr @sig_setmask
  %restored = call i32 @pthread_sigmask(i32 %setmask, ptr %signals_before, ptr null)
  ret ptr %made

give_up:
  ret ptr null
}
