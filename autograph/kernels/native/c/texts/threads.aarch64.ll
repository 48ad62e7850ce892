; Made by `make runtime` of threads.c (33c31275e63e0a77) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Opaque = type { [128 x i8] }

@ag_threads = global i32 1, align 4
@caller = internal global i64 0, align 8
@left_chunks = internal global i64 -1, align 8
@the_pool = internal global ptr null, align 8
@ag_sigbus = external constant i32, align 4
@ag_sig_block = external constant i32, align 4
@ag_sig_setmask = external constant i32, align 4

define i32 @result_so_far() {
entry:
  %0 = load atomic i64, ptr @the_pool acquire, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %1 = inttoptr i64 %0 to ptr
  %result = getelementptr inbounds i8, ptr %1, i64 512
  %2 = load atomic i32, ptr %result monotonic, align 128
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %2, %cond.true ], [ 0, %entry ]
  ret i32 %cond
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

define i32 @ag_parallel(ptr noundef %function, ptr noundef %context, i64 noundef %count, i64 noundef %grain) {
entry:
  %signals.i.i.i = alloca %struct.Opaque, align 16
  %before.i.i.i = alloca %struct.Opaque, align 16
  %thread.i.i.i = alloca ptr, align 8
  %spec.store.select = tail call i64 @llvm.smax.i64(i64 %grain, i64 1)
  %0 = load i32, ptr @ag_threads, align 4
  %cmp1 = icmp sgt i32 %0, 1
  %cmp2 = icmp slt i64 %spec.store.select, %count
  %or.cond = and i1 %cmp2, %cmp1
  br i1 %or.cond, label %cond.true, label %if.then3

cond.true:                                        ; preds = %entry
  %call.i.i = tail call i32 @getpid()
  %1 = load atomic i64, ptr @the_pool acquire, align 8
  %tobool.not.i.i = icmp eq i64 %1, 0
  br i1 %tobool.not.i.i, label %if.end.i.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %cond.true
  %2 = inttoptr i64 %1 to ptr
  %3 = load i32, ptr %2, align 128
  %cmp.i.i = icmp eq i32 %3, %call.i.i
  br i1 %cmp.i.i, label %lor.lhs.false.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %land.lhs.true.i.i, %cond.true
  %call3.i.i = tail call ptr @calloc(i64 noundef 1024, i64 noundef 1)
  %tobool4.not.i.i = icmp eq ptr %call3.i.i, null
  br i1 %tobool4.not.i.i, label %for.body.i.preheader, label %if.end6.i.i

if.end6.i.i:                                      ; preds = %if.end.i.i
  %4 = ptrtoint ptr %call3.i.i to i64
  %add.i.i = add i64 %4, 127
  %and.i.i = and i64 %add.i.i, -128
  %5 = inttoptr i64 %and.i.i to ptr
  store i32 %call.i.i, ptr %5, align 128
  %mutex.i.i = getelementptr inbounds i8, ptr %5, i64 640
  %call8.i.i = tail call i32 @pthread_mutex_init(ptr noundef nonnull %mutex.i.i, ptr noundef null)
  %condition.i.i = getelementptr inbounds i8, ptr %5, i64 768
  %call9.i.i = tail call i32 @pthread_cond_init(ptr noundef nonnull %condition.i.i, ptr noundef null)
  %6 = cmpxchg ptr @the_pool, i64 %1, i64 %and.i.i acq_rel acquire, align 8
  %7 = extractvalue { i64, i1 } %6, 1
  br i1 %7, label %if.end11.i.i, label %current_pool.exit.i

if.end11.i.i:                                     ; preds = %if.end6.i.i
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %signals.i.i.i)
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %before.i.i.i)
  %call.i.i.i = call i32 @sigfillset(ptr noundef nonnull %signals.i.i.i)
  %call1.i.i.i = call i32 @sigdelset(ptr noundef nonnull %signals.i.i.i, i32 noundef 4)
  %call2.i.i.i = call i32 @sigdelset(ptr noundef nonnull %signals.i.i.i, i32 noundef 8)
  %call3.i.i.i = call i32 @sigdelset(ptr noundef nonnull %signals.i.i.i, i32 noundef 11)
  %8 = load i32, ptr @ag_sigbus, align 4
  %call4.i.i.i = call i32 @sigdelset(ptr noundef nonnull %signals.i.i.i, i32 noundef %8)
  %9 = load i32, ptr @ag_sig_block, align 4
  %call5.i.i.i = call i32 @pthread_sigmask(i32 noundef %9, ptr noundef nonnull %signals.i.i.i, ptr noundef nonnull %before.i.i.i)
  %10 = load i32, ptr @ag_threads, align 4
  %cmp14.i.i.i = icmp sgt i32 %10, 1
  br i1 %cmp14.i.i.i, label %for.body.lr.ph.i.i.i, label %hire.exit.i.i

for.body.lr.ph.i.i.i:                             ; preds = %if.end11.i.i
  %workers8.i.i.i = getelementptr inbounds i8, ptr %5, i64 4
  br label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %if.end.i.i.i, %for.body.lr.ph.i.i.i
  %workers.015.i.i.i = phi i32 [ 1, %for.body.lr.ph.i.i.i ], [ %inc.i.i.i, %if.end.i.i.i ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %thread.i.i.i)
  %call6.i.i.i = call i32 @pthread_create(ptr noundef nonnull %thread.i.i.i, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull %5)
  %tobool.not.i.i.i = icmp eq i32 %call6.i.i.i, 0
  br i1 %tobool.not.i.i.i, label %if.end.i.i.i, label %cleanup9.critedge.i.i.i

if.end.i.i.i:                                     ; preds = %for.body.i.i.i
  %11 = load ptr, ptr %thread.i.i.i, align 8
  %call7.i.i.i = call i32 @pthread_detach(ptr noundef %11)
  store atomic i32 %workers.015.i.i.i, ptr %workers8.i.i.i release, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %thread.i.i.i)
  %inc.i.i.i = add nuw nsw i32 %workers.015.i.i.i, 1
  %12 = load i32, ptr @ag_threads, align 4
  %cmp.i.i.i = icmp slt i32 %inc.i.i.i, %12
  br i1 %cmp.i.i.i, label %for.body.i.i.i, label %hire.exit.i.i

cleanup9.critedge.i.i.i:                          ; preds = %for.body.i.i.i
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %thread.i.i.i)
  br label %hire.exit.i.i

hire.exit.i.i:                                    ; preds = %if.end.i.i.i, %cleanup9.critedge.i.i.i, %if.end11.i.i
  %13 = load i32, ptr @ag_sig_setmask, align 4
  %call10.i.i.i = call i32 @pthread_sigmask(i32 noundef %13, ptr noundef nonnull %before.i.i.i, ptr noundef null)
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %before.i.i.i)
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %signals.i.i.i)
  br label %lor.lhs.false.i

current_pool.exit.i:                              ; preds = %if.end6.i.i
  %14 = extractvalue { i64, i1 } %6, 0
  %15 = inttoptr i64 %14 to ptr
  tail call void @free(ptr noundef nonnull %call3.i.i)
  %tobool.not.i = icmp eq i64 %14, 0
  br i1 %tobool.not.i, label %for.body.i.preheader, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %current_pool.exit.i, %hire.exit.i.i, %land.lhs.true.i.i
  %retval.2.i9.i = phi ptr [ %15, %current_pool.exit.i ], [ %5, %hire.exit.i.i ], [ %2, %land.lhs.true.i.i ]
  %workers.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 4
  %16 = load atomic i32, ptr %workers.i monotonic, align 4
  %tobool1.not.i = icmp eq i32 %16, 0
  br i1 %tobool1.not.i, label %if.then3, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false.i
  %busy.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 516
  %17 = atomicrmw xchg ptr %busy.i, i32 1 acquire, align 4
  %tobool3.not.i = icmp eq i32 %17, 0
  br i1 %tobool3.not.i, label %if.end5, label %if.then3

if.then3:                                         ; preds = %entry, %if.end.i, %lor.lhs.false.i
  %cmp13.i = icmp sgt i64 %count, 0
  br i1 %cmp13.i, label %for.body.i.preheader, label %cleanup

for.body.i.preheader:                             ; preds = %if.end.i.i, %current_pool.exit.i, %if.then3
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i.preheader, %for.body.i
  %result.015.i = phi i32 [ %or4.i, %for.body.i ], [ 0, %for.body.i.preheader ]
  %begin.014.i = phi i64 [ %add.i, %for.body.i ], [ 0, %for.body.i.preheader ]
  %sub.i = sub nsw i64 %count, %begin.014.i
  %cond.i.i = call noundef i64 @llvm.smin.i64(i64 %sub.i, i64 %spec.store.select)
  %add.i = add nsw i64 %cond.i.i, %begin.014.i
  %call2.i = call i32 %function(ptr noundef %context, i64 noundef %begin.014.i, i64 noundef %add.i)
  %call3.i = call preserve_mostcc i32 @ag_poll()
  %18 = or i32 %call2.i, %result.015.i
  %or4.i = or i32 %18, %call3.i
  %cmp.i = icmp slt i64 %add.i, %count
  %cmp1.i = icmp ult i32 %or4.i, 4
  %19 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %19, label %for.body.i, label %cleanup

if.end5:                                          ; preds = %if.end.i
  %function1.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 8
  store ptr %function, ptr %function1.i, align 8
  %context2.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 16
  store ptr %context, ptr %context2.i, align 16
  %count3.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 24
  store i64 %count, ptr %count3.i, align 8
  %grain4.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 32
  store i64 %spec.store.select, ptr %grain4.i, align 32
  %call.i = call i64 @PyThread_get_thread_ident()
  store atomic i64 %call.i, ptr @caller monotonic, align 8
  %next.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 384
  store atomic i64 0, ptr %next.i monotonic, align 128
  %result.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 512
  store atomic i32 0, ptr %result.i monotonic, align 128
  %joined.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 256
  store atomic i64 4294967296, ptr %joined.i release, align 128
  %jobs.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 128
  %20 = atomicrmw add ptr %jobs.i, i64 1 seq_cst, align 128
  %sleepers.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 520
  %21 = load atomic i32, ptr %sleepers.i seq_cst, align 8
  %tobool.not.i19 = icmp eq i32 %21, 0
  br i1 %tobool.not.i19, label %publish.exit, label %if.then.i

if.then.i:                                        ; preds = %if.end5
  %mutex.i.i20 = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 640
  %call.i.i21 = call i32 @pthread_mutex_lock(ptr noundef nonnull %mutex.i.i20)
  %condition.i.i22 = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 768
  %call1.i.i = call i32 @pthread_cond_broadcast(ptr noundef nonnull %condition.i.i22)
  %call3.i.i23 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %mutex.i.i20)
  br label %publish.exit

publish.exit:                                     ; preds = %if.end5, %if.then.i
  %22 = load ptr, ptr %function1.i, align 8
  %23 = load ptr, ptr %context2.i, align 16
  %24 = load i64, ptr %count3.i, align 8
  %25 = load i64, ptr %grain4.i, align 32
  %sub.i29 = add nsw i64 %24, -1
  %div.i = udiv i64 %sub.i29, %25
  %26 = atomicrmw add ptr %next.i, i64 1 monotonic, align 128
  %cmp.not24.i = icmp ugt i64 %26, %div.i
  br i1 %cmp.not24.i, label %run_chunks.exit, label %if.end.i31

if.end.i31:                                       ; preds = %publish.exit, %note.exit.i
  %27 = phi i64 [ %29, %note.exit.i ], [ %26, %publish.exit ]
  %mul.i = mul nsw i64 %27, %25
  %sub5.i = sub nsw i64 %24, %mul.i
  %cond.i.i32 = call noundef i64 @llvm.smin.i64(i64 %sub5.i, i64 %25)
  %add.i33 = add nsw i64 %cond.i.i32, %mul.i
  %call6.i = call i32 %22(ptr noundef %23, i64 noundef %mul.i, i64 noundef %add.i33)
  %call7.i = call preserve_mostcc i32 @ag_poll()
  %or.i = or i32 %call7.i, %call6.i
  %tobool.not.i.i34 = icmp eq i32 %or.i, 0
  br i1 %tobool.not.i.i34, label %note.exit.i, label %if.end.i.i35

if.end.i.i35:                                     ; preds = %if.end.i31
  %28 = atomicrmw or ptr %result.i, i32 %or.i monotonic, align 128
  %cmp.i.i36 = icmp ugt i32 %or.i, 3
  br i1 %cmp.i.i36, label %if.then2.i.i, label %note.exit.i

if.then2.i.i:                                     ; preds = %if.end.i.i35
  store atomic i64 4611686018427387904, ptr %next.i monotonic, align 128
  br label %note.exit.i

note.exit.i:                                      ; preds = %if.then2.i.i, %if.end.i.i35, %if.end.i31
  %29 = atomicrmw add ptr %next.i, i64 1 monotonic, align 128
  %cmp.not.i = icmp ugt i64 %29, %div.i
  br i1 %cmp.not.i, label %run_chunks.exit, label %if.end.i31

run_chunks.exit:                                  ; preds = %note.exit.i, %publish.exit
  %30 = atomicrmw and ptr %joined.i, i64 4294967295 acq_rel, align 128
  %31 = load atomic i64, ptr %joined.i acquire, align 128
  %tobool.not6.i = icmp eq i64 %31, 0
  br i1 %tobool.not6.i, label %wait_for_workers.exit, label %while.body.i

while.body.i:                                     ; preds = %run_chunks.exit, %if.end.i45
  %spins.07.i = phi i32 [ %spins.1.i, %if.end.i45 ], [ 0, %run_chunks.exit ]
  %cmp.i39 = icmp slt i32 %spins.07.i, 2000
  br i1 %cmp.i39, label %if.then.i48, label %if.else.i

if.then.i48:                                      ; preds = %while.body.i
  %inc.i = add nsw i32 %spins.07.i, 1
  call void @llvm.aarch64.hint(i32 1)
  br label %if.end.i45

if.else.i:                                        ; preds = %while.body.i
  %call.i40 = call i32 @sched_yield()
  %call3.i41 = call preserve_mostcc i32 @ag_poll()
  %tobool.not.i.i42 = icmp eq i32 %call3.i41, 0
  br i1 %tobool.not.i.i42, label %if.end.i45, label %if.end.i.i43

if.end.i.i43:                                     ; preds = %if.else.i
  %32 = atomicrmw or ptr %result.i, i32 %call3.i41 monotonic, align 128
  %cmp.i.i44 = icmp ugt i32 %call3.i41, 3
  br i1 %cmp.i.i44, label %if.then2.i.i47, label %if.end.i45

if.then2.i.i47:                                   ; preds = %if.end.i.i43
  store atomic i64 4611686018427387904, ptr %next.i monotonic, align 128
  br label %if.end.i45

if.end.i45:                                       ; preds = %if.then2.i.i47, %if.end.i.i43, %if.else.i, %if.then.i48
  %spins.1.i = phi i32 [ %inc.i, %if.then.i48 ], [ 0, %if.else.i ], [ 0, %if.end.i.i43 ], [ 0, %if.then2.i.i47 ]
  %33 = load atomic i64, ptr %joined.i acquire, align 128
  %tobool.not.i46 = icmp eq i64 %33, 0
  br i1 %tobool.not.i46, label %wait_for_workers.exit, label %while.body.i

wait_for_workers.exit:                            ; preds = %if.end.i45, %run_chunks.exit
  %34 = load atomic i32, ptr %result.i monotonic, align 128
  store atomic i32 0, ptr %busy.i release, align 4
  br label %cleanup

cleanup:                                          ; preds = %for.body.i, %if.then3, %wait_for_workers.exit
  %retval.0 = phi i32 [ %34, %wait_for_workers.exit ], [ 0, %if.then3 ], [ %or4.i, %for.body.i ]
  ret i32 %retval.0
}

define void @ag_pause() {
entry:
  %0 = load atomic i64, ptr @the_pool acquire, align 8
  %1 = inttoptr i64 %0 to ptr
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %busy = getelementptr inbounds i8, ptr %1, i64 516
  %2 = load atomic i32, ptr %busy acquire, align 4
  %tobool1.not = icmp eq i32 %2, 0
  br i1 %tobool1.not, label %cleanup, label %if.end

if.end:                                           ; preds = %lor.lhs.false
  %3 = load atomic i64, ptr @caller monotonic, align 8
  %call3 = tail call i64 @PyThread_get_thread_ident()
  %cmp.not = icmp eq i64 %3, %call3
  br i1 %cmp.not, label %if.end5, label %cleanup

if.end5:                                          ; preds = %if.end
  %next = getelementptr inbounds i8, ptr %1, i64 384
  %4 = atomicrmw xchg ptr %next, i64 4611686018427387904 monotonic, align 128
  store i64 %4, ptr @left_chunks, align 8
  %joined = getelementptr inbounds i8, ptr %1, i64 256
  %5 = load atomic i64, ptr %joined acquire, align 128
  %and13 = and i64 %5, 4294967295
  %tobool8.not14 = icmp eq i64 %and13, 0
  br i1 %tobool8.not14, label %cleanup, label %while.body

while.body:                                       ; preds = %if.end5, %while.body
  %call9 = tail call i32 @sched_yield()
  %6 = load atomic i64, ptr %joined acquire, align 128
  %and = and i64 %6, 4294967295
  %tobool8.not = icmp eq i64 %and, 0
  br i1 %tobool8.not, label %cleanup, label %while.body

cleanup:                                          ; preds = %while.body, %if.end5, %if.end, %entry, %lor.lhs.false
  ret void
}

declare i64 @PyThread_get_thread_ident()

declare i32 @sched_yield()

define void @ag_resume() {
entry:
  %0 = load i64, ptr @left_chunks, align 8
  %cmp = icmp slt i64 %0, 0
  br i1 %cmp, label %cleanup11, label %if.end

if.end:                                           ; preds = %entry
  store i64 -1, ptr @left_chunks, align 8
  %1 = load atomic i64, ptr @the_pool acquire, align 8
  %2 = inttoptr i64 %1 to ptr
  %result = getelementptr inbounds i8, ptr %2, i64 512
  %3 = load atomic i32, ptr %result monotonic, align 128
  %cmp1 = icmp ugt i32 %3, 3
  br i1 %cmp1, label %cleanup11, label %if.end3

if.end3:                                          ; preds = %if.end
  %next4 = getelementptr inbounds i8, ptr %2, i64 384
  store atomic i64 %0, ptr %next4 monotonic, align 128
  %4 = load i32, ptr %2, align 128
  %call5 = tail call i32 @getpid()
  %cmp6 = icmp eq i32 %4, %call5
  br i1 %cmp6, label %if.then7, label %cleanup11

if.then7:                                         ; preds = %if.end3
  %jobs = getelementptr inbounds i8, ptr %2, i64 128
  %5 = atomicrmw add ptr %jobs, i64 1 seq_cst, align 128
  %mutex.i = getelementptr inbounds i8, ptr %2, i64 640
  %call.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull %mutex.i)
  %condition.i = getelementptr inbounds i8, ptr %2, i64 768
  %call1.i = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %condition.i)
  %call3.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull %mutex.i)
  br label %cleanup11

cleanup11:                                        ; preds = %if.end, %if.then7, %if.end3, %entry
  ret void
}

declare i32 @getpid()

declare ptr @calloc(i64 noundef, i64 noundef)

declare i32 @pthread_mutex_init(ptr noundef, ptr noundef)

declare i32 @pthread_cond_init(ptr noundef, ptr noundef)

declare void @free(ptr noundef)

declare i32 @sigfillset(ptr noundef)

declare i32 @sigdelset(ptr noundef, i32 noundef)

declare i32 @pthread_sigmask(i32 noundef, ptr noundef, ptr noundef)

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal noundef ptr @work(ptr noundef %place) {
entry:
  %jobs1.i = getelementptr inbounds i8, ptr %place, i64 128
  %mutex.i = getelementptr inbounds i8, ptr %place, i64 640
  %sleepers.i = getelementptr inbounds i8, ptr %place, i64 520
  %condition.i = getelementptr inbounds i8, ptr %place, i64 768
  %joined1.i = getelementptr inbounds i8, ptr %place, i64 256
  %function1.i = getelementptr inbounds i8, ptr %place, i64 8
  %context2.i = getelementptr inbounds i8, ptr %place, i64 16
  %count3.i = getelementptr inbounds i8, ptr %place, i64 24
  %grain4.i = getelementptr inbounds i8, ptr %place, i64 32
  %next.i = getelementptr inbounds i8, ptr %place, i64 384
  %result1.i.i = getelementptr inbounds i8, ptr %place, i64 512
  br label %for.cond

for.cond:                                         ; preds = %for.cond.backedge, %entry
  %jobs.0 = phi i64 [ 0, %entry ], [ %retval.3.i, %for.cond.backedge ]
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.cond
  %spins.044.i = phi i32 [ 0, %for.cond ], [ %inc.i, %for.inc.i ]
  %0 = load atomic i64, ptr %jobs1.i acquire, align 128
  %cmp2.not.i = icmp eq i64 %0, %jobs.0
  br i1 %cmp2.not.i, label %if.end.i, label %wait_for_job.exit

if.end.i:                                         ; preds = %for.body.i
  %cmp3.i = icmp ugt i32 %spins.044.i, 750
  %rem.i = and i32 %spins.044.i, 63
  %cmp4.i = icmp eq i32 %rem.i, 0
  %or.cond.i = and i1 %cmp3.i, %cmp4.i
  br i1 %or.cond.i, label %if.then5.i, label %for.inc.i

if.then5.i:                                       ; preds = %if.end.i
  %call.i = tail call i32 @sched_yield()
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then5.i, %if.end.i
  tail call void @llvm.aarch64.hint(i32 1)
  %inc.i = add nuw nsw i32 %spins.044.i, 1
  %exitcond.not.i = icmp eq i32 %inc.i, 6001
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.end.i:                                        ; preds = %for.inc.i
  %call9.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull %mutex.i)
  %1 = atomicrmw add ptr %sleepers.i, i32 1 seq_cst, align 8
  %2 = load atomic i64, ptr %jobs1.i seq_cst, align 128
  %cmp1445.i = icmp eq i64 %2, %jobs.0
  br i1 %cmp1445.i, label %while.body.i, label %while.end.i

while.body.i:                                     ; preds = %for.end.i, %while.body.i
  %call16.i = tail call i32 @pthread_cond_wait(ptr noundef nonnull %condition.i, ptr noundef nonnull %mutex.i)
  %3 = load atomic i64, ptr %jobs1.i seq_cst, align 128
  %cmp14.i = icmp eq i64 %3, %jobs.0
  br i1 %cmp14.i, label %while.body.i, label %while.end.i

while.end.i:                                      ; preds = %while.body.i, %for.end.i
  %.lcssa.i = phi i64 [ %2, %for.end.i ], [ %3, %while.body.i ]
  %4 = atomicrmw sub ptr %sleepers.i, i32 1 seq_cst, align 8
  %call21.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull %mutex.i)
  br label %wait_for_job.exit

wait_for_job.exit:                                ; preds = %for.body.i, %while.end.i
  %retval.3.i = phi i64 [ %.lcssa.i, %while.end.i ], [ %0, %for.body.i ]
  %5 = load atomic i64, ptr %joined1.i acquire, align 128
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.body.i5, %wait_for_job.exit
  %joined.0.i = phi i64 [ %5, %wait_for_job.exit ], [ %8, %while.body.i5 ]
  %cmp.i = icmp sgt i64 %joined.0.i, 4294967295
  br i1 %cmp.i, label %while.body.i5, label %for.cond.backedge

while.body.i5:                                    ; preds = %while.cond.i
  %add.i = add nuw nsw i64 %joined.0.i, 1
  %6 = cmpxchg ptr %joined1.i, i64 %joined.0.i, i64 %add.i acq_rel acquire, align 128
  %7 = extractvalue { i64, i1 } %6, 1
  %8 = extractvalue { i64, i1 } %6, 0
  br i1 %7, label %if.then, label %while.cond.i

if.then:                                          ; preds = %while.body.i5
  %9 = load ptr, ptr %function1.i, align 8
  %10 = load ptr, ptr %context2.i, align 16
  %11 = load i64, ptr %count3.i, align 8
  %12 = load i64, ptr %grain4.i, align 32
  %sub.i = add nsw i64 %11, -1
  %div.i = udiv i64 %sub.i, %12
  %13 = atomicrmw add ptr %next.i, i64 1 monotonic, align 128
  %cmp.not24.i = icmp ugt i64 %13, %div.i
  br i1 %cmp.not24.i, label %run_chunks.exit, label %if.end.i6

if.end.i6:                                        ; preds = %if.then, %note.exit.i
  %14 = phi i64 [ %16, %note.exit.i ], [ %13, %if.then ]
  %mul.i = mul nsw i64 %14, %12
  %sub5.i = sub nsw i64 %11, %mul.i
  %cond.i.i = tail call noundef i64 @llvm.smin.i64(i64 %sub5.i, i64 %12)
  %add.i7 = add nsw i64 %cond.i.i, %mul.i
  %call6.i = tail call i32 %9(ptr noundef %10, i64 noundef %mul.i, i64 noundef %add.i7)
  %call7.i = tail call preserve_mostcc i32 @ag_poll()
  %or.i = or i32 %call7.i, %call6.i
  %tobool.not.i.i = icmp eq i32 %or.i, 0
  br i1 %tobool.not.i.i, label %note.exit.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %if.end.i6
  %15 = atomicrmw or ptr %result1.i.i, i32 %or.i monotonic, align 128
  %cmp.i.i = icmp ugt i32 %or.i, 3
  br i1 %cmp.i.i, label %if.then2.i.i, label %note.exit.i

if.then2.i.i:                                     ; preds = %if.end.i.i
  store atomic i64 4611686018427387904, ptr %next.i monotonic, align 128
  br label %note.exit.i

note.exit.i:                                      ; preds = %if.then2.i.i, %if.end.i.i, %if.end.i6
  %16 = atomicrmw add ptr %next.i, i64 1 monotonic, align 128
  %cmp.not.i = icmp ugt i64 %16, %div.i
  br i1 %cmp.not.i, label %run_chunks.exit, label %if.end.i6

run_chunks.exit:                                  ; preds = %note.exit.i, %if.then
  %17 = atomicrmw sub ptr %joined1.i, i64 1 acq_rel, align 128
  br label %for.cond.backedge

for.cond.backedge:                                ; preds = %while.cond.i, %run_chunks.exit
  br label %for.cond
}

declare i32 @pthread_detach(ptr noundef)

declare i32 @pthread_mutex_lock(ptr noundef)

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef)

declare i32 @pthread_mutex_unlock(ptr noundef)

declare void @llvm.aarch64.hint(i32)

declare preserve_mostcc i32 @ag_poll()

declare i32 @pthread_cond_broadcast(ptr noundef)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
