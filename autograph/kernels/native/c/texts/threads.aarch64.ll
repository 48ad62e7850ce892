; Made by `make runtime` of threads.c (b2a8dbe09efa89dc) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Opaque = type { [128 x i8] }
%struct.Time = type { i64, i64 }

@ag_threads = global i32 1, align 4
@caller = internal global i64 0, align 8
@paused = internal global i64 0, align 8
@the_pool = internal global ptr null, align 8
@ag_sigbus = external constant i32, align 4
@ag_sig_block = external constant i32, align 4
@ag_sig_setmask = external constant i32, align 4
@ag_monotonic = external constant i32, align 4

define i32 @result_so_far() {
entry:
  %0 = load atomic i64, ptr @the_pool acquire, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %1 = inttoptr i64 %0 to ptr
  %result = getelementptr inbounds i8, ptr %1, i64 264
  %2 = load atomic i32, ptr %result monotonic, align 8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %2, %cond.true ], [ 0, %entry ]
  ret i32 %cond
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

define i32 @ag_parallel(ptr noundef %function, ptr noundef %context, i64 noundef %count, i64 noundef %grain) {
entry:
  %spec.store.select = tail call i64 @llvm.smax.i64(i64 %grain, i64 1)
  %call = tail call fastcc ptr @pool_for(i64 noundef %count, i64 noundef %spec.store.select)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.then1, label %if.end3

if.then1:                                         ; preds = %entry
  %cmp13.i = icmp sgt i64 %count, 0
  br i1 %cmp13.i, label %for.body.i, label %cleanup

for.body.i:                                       ; preds = %if.then1, %for.body.i
  %result.015.i = phi i32 [ %or4.i, %for.body.i ], [ 0, %if.then1 ]
  %begin.014.i = phi i64 [ %add.i, %for.body.i ], [ 0, %if.then1 ]
  %sub.i = sub nsw i64 %count, %begin.014.i
  %cond.i.i = tail call noundef i64 @llvm.smin.i64(i64 %sub.i, i64 %spec.store.select)
  %add.i = add nsw i64 %cond.i.i, %begin.014.i
  %call2.i = tail call i32 %function(ptr noundef %context, i64 noundef %begin.014.i, i64 noundef %add.i)
  %call3.i = tail call preserve_mostcc i32 @ag_poll()
  %0 = or i32 %call2.i, %result.015.i
  %or4.i = or i32 %0, %call3.i
  %cmp.i = icmp slt i64 %add.i, %count
  %cmp1.i = icmp ult i32 %or4.i, 4
  %1 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %1, label %for.body.i, label %cleanup

if.end3:                                          ; preds = %entry
  %function1.i = getelementptr inbounds i8, ptr %call, i64 128
  store ptr %function, ptr %function1.i, align 128
  %count2.i = getelementptr inbounds i8, ptr %call, i64 144
  store i64 %count, ptr %count2.i, align 16
  %grain3.i = getelementptr inbounds i8, ptr %call, i64 152
  store i64 %spec.store.select, ptr %grain3.i, align 8
  %sub.i19 = add nsw i64 %count, -1
  %div.i = sdiv i64 %sub.i19, %spec.store.select
  %add.i20 = add nsw i64 %div.i, 1
  %finished.i = getelementptr inbounds i8, ptr %call, i64 256
  %2 = load atomic i64, ptr %finished.i monotonic, align 128
  %add4.i = add nsw i64 %add.i20, %2
  %chunks5.i = getelementptr inbounds i8, ptr %call, i64 520
  store i64 %add4.i, ptr %chunks5.i, align 8
  %own.i = getelementptr inbounds i8, ptr %call, i64 528
  store i64 1, ptr %own.i, align 16
  %context6.i = getelementptr inbounds i8, ptr %call, i64 136
  %3 = ptrtoint ptr %context to i64
  store atomic i64 %3, ptr %context6.i monotonic, align 8
  %call.i = tail call i64 @PyThread_get_thread_ident()
  store atomic i64 %call.i, ptr @caller monotonic, align 8
  %result.i = getelementptr inbounds i8, ptr %call, i64 264
  %4 = load atomic i32, ptr %result.i monotonic, align 8
  %tobool.not.i = icmp eq i32 %4, 0
  br i1 %tobool.not.i, label %publish.exit, label %if.then.i

if.then.i:                                        ; preds = %if.end3
  store atomic i32 0, ptr %result.i monotonic, align 8
  br label %publish.exit

publish.exit:                                     ; preds = %if.end3, %if.then.i
  %left.i = getelementptr inbounds i8, ptr %call, i64 160
  %add1.i.i = shl i64 %add.i20, 32
  %add3.i.i = add i64 %add1.i.i, 4503599628419073
  store atomic i64 %add3.i.i, ptr %left.i release, align 32
  %jobs.i = getelementptr inbounds i8, ptr %call, i64 168
  %5 = atomicrmw add ptr %jobs.i, i64 1 seq_cst, align 8
  %sleepers = getelementptr inbounds i8, ptr %call, i64 384
  %6 = load atomic i32, ptr %sleepers seq_cst, align 128
  %tobool4.not = icmp eq i32 %6, 0
  br i1 %tobool4.not, label %if.end6, label %if.then5

if.then5:                                         ; preds = %publish.exit
  %mutex.i = getelementptr inbounds i8, ptr %call, i64 640
  %call.i21 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull %mutex.i)
  %condition.i = getelementptr inbounds i8, ptr %call, i64 768
  %call1.i = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %condition.i)
  %call3.i22 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull %mutex.i)
  br label %if.end6

if.end6:                                          ; preds = %if.then5, %publish.exit
  %call7 = tail call fastcc i32 @run_shared(ptr noundef nonnull %call)
  br label %cleanup

cleanup:                                          ; preds = %for.body.i, %if.then1, %if.end6
  %retval.0 = phi i32 [ %call7, %if.end6 ], [ 0, %if.then1 ], [ %or4.i, %for.body.i ]
  ret i32 %retval.0
}

define internal fastcc ptr @pool_for(i64 noundef %count, i64 noundef %grain) {
entry:
  %signals.i.i.i = alloca %struct.Opaque, align 16
  %before.i.i.i = alloca %struct.Opaque, align 16
  %thread.i.i.i = alloca ptr, align 8
  %0 = load i32, ptr @ag_threads, align 4
  %cmp = icmp sgt i32 %0, 1
  %cmp1.not = icmp sgt i64 %count, %grain
  %or.cond = and i1 %cmp1.not, %cmp
  br i1 %or.cond, label %lor.lhs.false2, label %return

lor.lhs.false2:                                   ; preds = %entry
  %sub = add nsw i64 %count, -1
  %div = sdiv i64 %sub, %grain
  %cmp3 = icmp sgt i64 %div, 1073741823
  br i1 %cmp3, label %return, label %if.end

if.end:                                           ; preds = %lor.lhs.false2
  %call.i.i = tail call i32 @getpid()
  %1 = load atomic i64, ptr @the_pool acquire, align 8
  %tobool.not.i.i = icmp eq i64 %1, 0
  br i1 %tobool.not.i.i, label %if.end.i.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %if.end
  %2 = inttoptr i64 %1 to ptr
  %3 = load i32, ptr %2, align 128
  %cmp.i.i = icmp eq i32 %3, %call.i.i
  br i1 %cmp.i.i, label %lor.lhs.false.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %land.lhs.true.i.i, %if.end
  %call3.i.i = tail call ptr @calloc(i64 noundef 1024, i64 noundef 1)
  %tobool4.not.i.i = icmp eq ptr %call3.i.i, null
  br i1 %tobool4.not.i.i, label %return, label %if.end6.i.i

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
  br i1 %tobool.not.i, label %return, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %current_pool.exit.i, %hire.exit.i.i, %land.lhs.true.i.i
  %retval.2.i9.i = phi ptr [ %15, %current_pool.exit.i ], [ %5, %hire.exit.i.i ], [ %2, %land.lhs.true.i.i ]
  %workers.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 4
  %16 = load atomic i32, ptr %workers.i monotonic, align 4
  %tobool1.not.i = icmp eq i32 %16, 0
  br i1 %tobool1.not.i, label %return, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false.i
  %busy.i = getelementptr inbounds i8, ptr %retval.2.i9.i, i64 512
  %17 = atomicrmw xchg ptr %busy.i, i32 1 acquire, align 128
  %tobool3.not.i = icmp eq i32 %17, 0
  %cond.i = select i1 %tobool3.not.i, ptr %retval.2.i9.i, ptr null
  br label %return

return:                                           ; preds = %if.end.i, %lor.lhs.false.i, %current_pool.exit.i, %if.end.i.i, %entry, %lor.lhs.false2
  %retval.0 = phi ptr [ null, %lor.lhs.false2 ], [ null, %entry ], [ %cond.i, %if.end.i ], [ null, %lor.lhs.false.i ], [ null, %current_pool.exit.i ], [ null, %if.end.i.i ]
  ret ptr %retval.0
}

define internal fastcc i32 @run_shared(ptr noundef %pool) {
entry:
  %now.i20.i = alloca %struct.Time, align 8
  %now.i.i = alloca %struct.Time, align 8
  %own = getelementptr inbounds i8, ptr %pool, i64 528
  %count1.i = getelementptr inbounds i8, ptr %pool, i64 144
  %grain2.i = getelementptr inbounds i8, ptr %pool, i64 152
  %context3.i = getelementptr inbounds i8, ptr %pool, i64 136
  %function.i = getelementptr inbounds i8, ptr %pool, i64 128
  %result1.i.i18 = getelementptr inbounds i8, ptr %pool, i64 264
  %left.i.i.i22 = getelementptr inbounds i8, ptr %pool, i64 160
  %finished.i.i.i = getelementptr inbounds i8, ptr %pool, i64 256
  br label %for.body

for.cond.cleanup:                                 ; preds = %if.end.i28, %run_chunk.exit
  %chunks.i.i = getelementptr inbounds i8, ptr %pool, i64 520
  %0 = load atomic i64, ptr %finished.i.i.i acquire, align 128
  %1 = load i64, ptr %chunks.i.i, align 8
  %2 = load i64, ptr %own, align 16
  %sub.i2630.i = sub nsw i64 %1, %2
  %cmp.i2731.i = icmp eq i64 %0, %sub.i2630.i
  br i1 %cmp.i2731.i, label %cond.end.i, label %for.body.lr.ph.lr.ph.i

for.body.lr.ph.lr.ph.i:                           ; preds = %for.cond.cleanup
  %3 = load i32, ptr @ag_monotonic, align 4
  %nanoseconds.i.i = getelementptr inbounds i8, ptr %now.i.i, i64 8
  br label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %note.exit.i, %for.body.lr.ph.lr.ph.i
  %since.0.ph32.i = phi i64 [ 0, %for.body.lr.ph.lr.ph.i ], [ %since.1.i, %note.exit.i ]
  br label %for.body.i

for.cond.cleanup.i:                               ; preds = %note.exit.i, %if.then.i
  %since.0.ph.lcssa.i = phi i64 [ %since.0.ph32.i, %if.then.i ], [ %since.1.i, %note.exit.i ]
  %tobool6.not.i = icmp eq i64 %since.0.ph.lcssa.i, 0
  br i1 %tobool6.not.i, label %cond.end.i, label %cond.true.i

for.body.i:                                       ; preds = %if.then.i, %for.body.lr.ph.i
  %spins.028.i = phi i32 [ 0, %for.body.lr.ph.i ], [ %inc.i, %if.then.i ]
  %exitcond.not.i = icmp eq i32 %spins.028.i, 2000
  br i1 %exitcond.not.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %for.body.i
  %inc.i = add nuw nsw i32 %spins.028.i, 1
  call void @llvm.aarch64.hint(i32 1)
  %4 = load atomic i64, ptr %finished.i.i.i acquire, align 128
  %5 = load i64, ptr %chunks.i.i, align 8
  %6 = load i64, ptr %own, align 16
  %sub.i.i = sub nsw i64 %5, %6
  %cmp.i.i = icmp eq i64 %4, %sub.i.i
  br i1 %cmp.i.i, label %for.cond.cleanup.i, label %for.body.i

if.end.i:                                         ; preds = %for.body.i
  %tobool.not.i = icmp eq i64 %since.0.ph32.i, 0
  br i1 %tobool.not.i, label %if.then1.i, label %if.end3.i

if.then1.i:                                       ; preds = %if.end.i
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %now.i.i)
  %call.i.i = call i32 @clock_gettime(i32 noundef %3, ptr noundef nonnull %now.i.i)
  %7 = load i64, ptr %now.i.i, align 8
  %mul.i.i = mul nsw i64 %7, 1000000000
  %8 = load i64, ptr %nanoseconds.i.i, align 8
  %add.i.i = add nsw i64 %mul.i.i, %8
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %now.i.i)
  br label %if.end3.i

if.end3.i:                                        ; preds = %if.then1.i, %if.end.i
  %since.1.i = phi i64 [ %since.0.ph32.i, %if.end.i ], [ %add.i.i, %if.then1.i ]
  %call4.i = call i32 @sched_yield()
  %call5.i = call preserve_mostcc i32 @ag_poll()
  %tobool.not.i.i = icmp eq i32 %call5.i, 0
  br i1 %tobool.not.i.i, label %note.exit.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %if.end3.i
  %9 = atomicrmw or ptr %result1.i.i18, i32 %call5.i monotonic, align 8
  %cmp.i19.i = icmp ugt i32 %call5.i, 3
  br i1 %cmp.i19.i, label %if.then2.i.i, label %note.exit.i

if.then2.i.i:                                     ; preds = %if.end.i.i
  %10 = atomicrmw xchg ptr %left.i.i.i22, i64 4503599628419072 acq_rel, align 32
  %div1.i.i.i.i = lshr i64 %10, 32
  %and.i.i.i.i = and i64 %10, 4294967295
  %sub.i.i.i = sub nsw i64 %div1.i.i.i.i, %and.i.i.i.i
  %cmp.i.i.i = icmp sgt i64 %sub.i.i.i, 0
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %note.exit.i

if.then.i.i.i:                                    ; preds = %if.then2.i.i
  %11 = atomicrmw add ptr %finished.i.i.i, i64 %sub.i.i.i acq_rel, align 128
  br label %note.exit.i

note.exit.i:                                      ; preds = %if.then.i.i.i, %if.then2.i.i, %if.end.i.i, %if.end3.i
  %12 = load atomic i64, ptr %finished.i.i.i acquire, align 128
  %13 = load i64, ptr %chunks.i.i, align 8
  %14 = load i64, ptr %own, align 16
  %sub.i26.i = sub nsw i64 %13, %14
  %cmp.i27.i = icmp eq i64 %12, %sub.i26.i
  br i1 %cmp.i27.i, label %for.cond.cleanup.i, label %for.body.lr.ph.i

cond.true.i:                                      ; preds = %for.cond.cleanup.i
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %now.i20.i)
  %call.i21.i = call i32 @clock_gettime(i32 noundef %3, ptr noundef nonnull %now.i20.i)
  %15 = load i64, ptr %now.i20.i, align 8
  %mul.i22.i = mul nsw i64 %15, 1000000000
  %nanoseconds.i23.i = getelementptr inbounds i8, ptr %now.i20.i, i64 8
  %16 = load i64, ptr %nanoseconds.i23.i, align 8
  %add.i24.i = add nsw i64 %mul.i22.i, %16
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %now.i20.i)
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %for.cond.cleanup.i, %for.cond.cleanup
  %since.0.ph.lcssa38.i = phi i64 [ %since.0.ph.lcssa.i, %cond.true.i ], [ 0, %for.cond.cleanup.i ], [ 0, %for.cond.cleanup ]
  %cond.i = phi i64 [ %add.i24.i, %cond.true.i ], [ 0, %for.cond.cleanup.i ], [ 0, %for.cond.cleanup ]
  %sub.i = sub i64 %cond.i, %since.0.ph.lcssa38.i
  %cmp8.i = icmp ugt i64 %sub.i, 300000
  br i1 %cmp8.i, label %if.then9.i, label %wait_for_workers.exit

if.then9.i:                                       ; preds = %cond.end.i
  %mul.i = shl i64 %sub.i, 3
  %add.i = add i64 %mul.i, %cond.i
  %alone.i = getelementptr inbounds i8, ptr %pool, i64 552
  store i64 %add.i, ptr %alone.i, align 8
  br label %wait_for_workers.exit

wait_for_workers.exit:                            ; preds = %cond.end.i, %if.then9.i
  %17 = load atomic i32, ptr %result1.i.i18 monotonic, align 8
  store atomic i64 0, ptr @caller monotonic, align 8
  %busy.i = getelementptr inbounds i8, ptr %pool, i64 512
  store atomic i32 0, ptr %busy.i release, align 128
  ret i32 %17

for.body:                                         ; preds = %if.end.i28, %entry
  %number.032 = phi i64 [ 0, %entry ], [ %sub.i27.i, %if.end.i28 ]
  %cmp1 = icmp ne i64 %number.032, 0
  %conv2 = zext i1 %cmp1 to i64
  %18 = load i64, ptr %own, align 16
  %add = add nsw i64 %18, %conv2
  store i64 %add, ptr %own, align 16
  %19 = load i64, ptr %count1.i, align 16
  %20 = load i64, ptr %grain2.i, align 8
  %mul.i11 = mul nsw i64 %20, %number.032
  %21 = load atomic i64, ptr %context3.i monotonic, align 8
  %22 = inttoptr i64 %21 to ptr
  %23 = load ptr, ptr %function.i, align 128
  %sub.i12 = sub nsw i64 %19, %mul.i11
  %cond.i.i = tail call noundef i64 @llvm.smin.i64(i64 %sub.i12, i64 %20)
  %add.i13 = add nsw i64 %cond.i.i, %mul.i11
  %call4.i14 = tail call i32 %23(ptr noundef %22, i64 noundef %mul.i11, i64 noundef %add.i13)
  %call5.i15 = tail call preserve_mostcc i32 @ag_poll()
  %or.i = or i32 %call5.i15, %call4.i14
  %tobool.not.i.i16 = icmp eq i32 %or.i, 0
  br i1 %tobool.not.i.i16, label %run_chunk.exit, label %if.end.i.i17

if.end.i.i17:                                     ; preds = %for.body
  %24 = atomicrmw or ptr %result1.i.i18, i32 %or.i monotonic, align 8
  %cmp.i.i19 = icmp ugt i32 %or.i, 3
  br i1 %cmp.i.i19, label %if.then2.i.i21, label %run_chunk.exit

if.then2.i.i21:                                   ; preds = %if.end.i.i17
  %25 = atomicrmw xchg ptr %left.i.i.i22, i64 4503599628419072 acq_rel, align 32
  %div1.i.i.i.i23 = lshr i64 %25, 32
  %and.i.i.i.i24 = and i64 %25, 4294967295
  %sub.i.i.i25 = sub nsw i64 %div1.i.i.i.i23, %and.i.i.i.i24
  %cmp.i.i.i26 = icmp sgt i64 %sub.i.i.i25, 0
  br i1 %cmp.i.i.i26, label %if.then.i.i.i27, label %run_chunk.exit

if.then.i.i.i27:                                  ; preds = %if.then2.i.i21
  %26 = atomicrmw add ptr %finished.i.i.i, i64 %sub.i.i.i25 acq_rel, align 128
  br label %run_chunk.exit

run_chunk.exit:                                   ; preds = %for.body, %if.end.i.i17, %if.then2.i.i21, %if.then.i.i.i27
  %27 = load atomic i64, ptr %left.i.i.i22 monotonic, align 32
  %div1.i.i.i = lshr i64 %27, 32
  %and.i.i.i = and i64 %27, 4294967295
  %cmp.not.i = icmp ugt i64 %div1.i.i.i, %and.i.i.i
  br i1 %cmp.not.i, label %if.end.i28, label %for.cond.cleanup

if.end.i28:                                       ; preds = %run_chunk.exit
  %28 = atomicrmw add ptr %left.i.i.i22, i64 1 acq_rel, align 32
  %div1.i.i24.i = lshr i64 %28, 32
  %and.i.i25.i = and i64 %28, 4294967295
  %cmp8.not.i = icmp ugt i64 %div1.i.i24.i, %and.i.i25.i
  %sub.i27.i = add nsw i64 %and.i.i25.i, -1048576
  %cmp = icmp ugt i64 %and.i.i25.i, 1048575
  %or.cond = and i1 %cmp8.not.i, %cmp
  br i1 %or.cond, label %for.body, label %for.cond.cleanup
}

define i32 @ag_parallel_awake(ptr noundef %function, ptr noundef %context, i64 noundef %count, i64 noundef %grain, i64 noundef %many) {
entry:
  %now.i = alloca %struct.Time, align 8
  %now.i.i50 = alloca %struct.Time, align 8
  %now.i.i = alloca %struct.Time, align 8
  %cmp = icmp sge i64 %count, %many
  %cmp1 = icmp slt i64 %grain, 1
  %or.cond = or i1 %cmp1, %cmp
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = tail call i32 @ag_parallel(ptr noundef %function, ptr noundef %context, i64 noundef %count, i64 noundef %grain)
  br label %return

if.end:                                           ; preds = %entry
  %call2 = tail call fastcc ptr @pool_for(i64 noundef %count, i64 noundef %grain)
  %tobool.not = icmp eq ptr %call2, null
  br i1 %tobool.not, label %if.then3, label %if.end5

if.then3:                                         ; preds = %if.end
  %cmp13.i = icmp sgt i64 %count, 0
  br i1 %cmp13.i, label %for.body.i, label %return

for.body.i:                                       ; preds = %if.then3, %for.body.i
  %result.015.i = phi i32 [ %or4.i, %for.body.i ], [ 0, %if.then3 ]
  %begin.014.i = phi i64 [ %add.i, %for.body.i ], [ 0, %if.then3 ]
  %sub.i = sub nsw i64 %count, %begin.014.i
  %cond.i.i = tail call noundef i64 @llvm.smin.i64(i64 %sub.i, i64 %grain)
  %add.i = add nsw i64 %cond.i.i, %begin.014.i
  %call2.i = tail call i32 %function(ptr noundef %context, i64 noundef %begin.014.i, i64 noundef %add.i)
  %call3.i = tail call preserve_mostcc i32 @ag_poll()
  %0 = or i32 %call2.i, %result.015.i
  %or4.i = or i32 %0, %call3.i
  %cmp.i = icmp slt i64 %add.i, %count
  %cmp1.i = icmp ult i32 %or4.i, 4
  %1 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %1, label %for.body.i, label %return

if.end5:                                          ; preds = %if.end
  %sleepers.i = getelementptr inbounds i8, ptr %call2, i64 384
  %2 = load atomic i32, ptr %sleepers.i seq_cst, align 128
  %workers.i = getelementptr inbounds i8, ptr %call2, i64 4
  %3 = load atomic i32, ptr %workers.i monotonic, align 4
  %cmp.i46 = icmp slt i32 %2, %3
  br i1 %cmp.i46, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %if.end5
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %now.i.i)
  %4 = load i32, ptr @ag_monotonic, align 4
  %call.i.i = call i32 @clock_gettime(i32 noundef %4, ptr noundef nonnull %now.i.i)
  %5 = load i64, ptr %now.i.i, align 8
  %mul.i.i = mul nsw i64 %5, 1000000000
  %nanoseconds.i.i = getelementptr inbounds i8, ptr %now.i.i, i64 8
  %6 = load i64, ptr %nanoseconds.i.i, align 8
  %add.i.i = add nsw i64 %mul.i.i, %6
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %now.i.i)
  %short_job.i = getelementptr inbounds i8, ptr %call2, i64 392
  %7 = load atomic i64, ptr %short_job.i monotonic, align 8
  %sub.i47 = sub i64 %add.i.i, %7
  %cmp.i48 = icmp ult i64 %sub.i47, 100000
  %short_jobs.i = getelementptr inbounds i8, ptr %call2, i64 536
  br i1 %cmp.i48, label %cond.end.i, label %cond.end.thread.i

cond.end.thread.i:                                ; preds = %land.rhs
  store i64 0, ptr %short_jobs.i, align 8
  br label %land.end

cond.end.i:                                       ; preds = %land.rhs
  %8 = load i64, ptr %short_jobs.i, align 8
  %add.i49 = add nsw i64 %8, 1
  store i64 %add.i49, ptr %short_jobs.i, align 8
  %cmp3.i = icmp slt i64 %8, 2
  br i1 %cmp3.i, label %land.end, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %cond.end.i
  %woken.i = getelementptr inbounds i8, ptr %call2, i64 544
  %9 = load i64, ptr %woken.i, align 32
  %sub4.i = sub i64 %add.i.i, %9
  %cmp5.i = icmp ult i64 %sub4.i, 1000000
  br i1 %cmp5.i, label %land.end, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false.i
  store i64 %add.i.i, ptr %woken.i, align 32
  br label %land.end

land.end:                                         ; preds = %if.end.i, %lor.lhs.false.i, %cond.end.i, %cond.end.thread.i, %if.end5
  %10 = phi i1 [ false, %if.end5 ], [ true, %if.end.i ], [ false, %lor.lhs.false.i ], [ false, %cond.end.i ], [ false, %cond.end.thread.i ]
  %alone.i = getelementptr inbounds i8, ptr %call2, i64 552
  %11 = load i64, ptr %alone.i, align 8
  %tobool.not.i = icmp eq i64 %11, 0
  br i1 %tobool.not.i, label %lor.lhs.false9, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %land.end
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %now.i.i50)
  %12 = load i32, ptr @ag_monotonic, align 4
  %call.i.i51 = call i32 @clock_gettime(i32 noundef %12, ptr noundef nonnull %now.i.i50)
  %13 = load i64, ptr %now.i.i50, align 8
  %mul.i.i52 = mul nsw i64 %13, 1000000000
  %nanoseconds.i.i53 = getelementptr inbounds i8, ptr %now.i.i50, i64 8
  %14 = load i64, ptr %nanoseconds.i.i53, align 8
  %add.i.i54 = add nsw i64 %mul.i.i52, %14
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %now.i.i50)
  %15 = load i64, ptr %alone.i, align 8
  %cmp.i55 = icmp ult i64 %add.i.i54, %15
  br i1 %cmp.i55, label %if.then11, label %lor.lhs.false9

lor.lhs.false9:                                   ; preds = %land.end, %land.lhs.true.i
  store i64 0, ptr %alone.i, align 8
  br i1 %10, label %if.then16.critedge, label %land.lhs.true

land.lhs.true:                                    ; preds = %lor.lhs.false9
  %16 = load atomic i32, ptr %sleepers.i seq_cst, align 128
  %17 = load atomic i32, ptr %workers.i monotonic, align 4
  %cmp.i60 = icmp slt i32 %16, %17
  br i1 %cmp.i60, label %if.end14, label %if.then11

if.then11:                                        ; preds = %land.lhs.true.i, %land.lhs.true
  %busy.i = getelementptr inbounds i8, ptr %call2, i64 512
  store atomic i32 0, ptr %busy.i release, align 128
  %cmp13.i61 = icmp sgt i64 %count, 0
  br i1 %cmp13.i61, label %for.body.i63, label %run_alone.exit74

for.body.i63:                                     ; preds = %if.then11, %for.body.i63
  %result.015.i64 = phi i32 [ %or4.i71, %for.body.i63 ], [ 0, %if.then11 ]
  %begin.014.i65 = phi i64 [ %add.i68, %for.body.i63 ], [ 0, %if.then11 ]
  %sub.i66 = sub nsw i64 %count, %begin.014.i65
  %cond.i.i67 = call noundef i64 @llvm.smin.i64(i64 %sub.i66, i64 %grain)
  %add.i68 = add nsw i64 %cond.i.i67, %begin.014.i65
  %call2.i69 = call i32 %function(ptr noundef %context, i64 noundef %begin.014.i65, i64 noundef %add.i68)
  %call3.i70 = call preserve_mostcc i32 @ag_poll()
  %18 = or i32 %call2.i69, %result.015.i64
  %or4.i71 = or i32 %18, %call3.i70
  %cmp.i72 = icmp slt i64 %add.i68, %count
  %cmp1.i73 = icmp ult i32 %or4.i71, 4
  %19 = select i1 %cmp.i72, i1 %cmp1.i73, i1 false
  br i1 %19, label %for.body.i63, label %run_alone.exit74

run_alone.exit74:                                 ; preds = %for.body.i63, %if.then11
  %result.0.lcssa.i62 = phi i32 [ 0, %if.then11 ], [ %or4.i71, %for.body.i63 ]
  %short_job = getelementptr inbounds i8, ptr %call2, i64 392
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %now.i)
  %20 = load i32, ptr @ag_monotonic, align 4
  %call.i = call i32 @clock_gettime(i32 noundef %20, ptr noundef nonnull %now.i)
  %21 = load i64, ptr %now.i, align 8
  %mul.i = mul nsw i64 %21, 1000000000
  %nanoseconds.i = getelementptr inbounds i8, ptr %now.i, i64 8
  %22 = load i64, ptr %nanoseconds.i, align 8
  %add.i75 = add nsw i64 %mul.i, %22
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %now.i)
  store atomic i64 %add.i75, ptr %short_job monotonic, align 8
  br label %return

if.end14:                                         ; preds = %land.lhs.true
  %function1.i = getelementptr inbounds i8, ptr %call2, i64 128
  store ptr %function, ptr %function1.i, align 128
  %count2.i = getelementptr inbounds i8, ptr %call2, i64 144
  store i64 %count, ptr %count2.i, align 16
  %grain3.i = getelementptr inbounds i8, ptr %call2, i64 152
  store i64 %grain, ptr %grain3.i, align 8
  %sub.i76 = add nsw i64 %count, -1
  %div.i = sdiv i64 %sub.i76, %grain
  %add.i77 = add nsw i64 %div.i, 1
  %finished.i = getelementptr inbounds i8, ptr %call2, i64 256
  %23 = load atomic i64, ptr %finished.i monotonic, align 128
  %add4.i = add nsw i64 %add.i77, %23
  %chunks5.i = getelementptr inbounds i8, ptr %call2, i64 520
  store i64 %add4.i, ptr %chunks5.i, align 8
  %own.i = getelementptr inbounds i8, ptr %call2, i64 528
  store i64 1, ptr %own.i, align 16
  %context6.i = getelementptr inbounds i8, ptr %call2, i64 136
  %24 = ptrtoint ptr %context to i64
  store atomic i64 %24, ptr %context6.i monotonic, align 8
  %call.i78 = call i64 @PyThread_get_thread_ident()
  store atomic i64 %call.i78, ptr @caller monotonic, align 8
  %result.i = getelementptr inbounds i8, ptr %call2, i64 264
  %25 = load atomic i32, ptr %result.i monotonic, align 8
  %tobool.not.i79 = icmp eq i32 %25, 0
  br i1 %tobool.not.i79, label %publish.exit, label %if.then.i

if.then.i:                                        ; preds = %if.end14
  store atomic i32 0, ptr %result.i monotonic, align 8
  br label %publish.exit

publish.exit:                                     ; preds = %if.end14, %if.then.i
  %left.i = getelementptr inbounds i8, ptr %call2, i64 160
  %add1.i.i = shl i64 %add.i77, 32
  %add3.i.i = add i64 %add1.i.i, 4503599628419073
  store atomic i64 %add3.i.i, ptr %left.i release, align 32
  %jobs.i = getelementptr inbounds i8, ptr %call2, i64 168
  %26 = atomicrmw add ptr %jobs.i, i64 1 seq_cst, align 8
  br label %if.end17

if.then16.critedge:                               ; preds = %lor.lhs.false9
  %function1.i81 = getelementptr inbounds i8, ptr %call2, i64 128
  store ptr %function, ptr %function1.i81, align 128
  %count2.i82 = getelementptr inbounds i8, ptr %call2, i64 144
  store i64 %count, ptr %count2.i82, align 16
  %grain3.i83 = getelementptr inbounds i8, ptr %call2, i64 152
  store i64 %grain, ptr %grain3.i83, align 8
  %sub.i84 = add nsw i64 %count, -1
  %div.i85 = sdiv i64 %sub.i84, %grain
  %add.i86 = add nsw i64 %div.i85, 1
  %finished.i87 = getelementptr inbounds i8, ptr %call2, i64 256
  %27 = load atomic i64, ptr %finished.i87 monotonic, align 128
  %add4.i88 = add nsw i64 %add.i86, %27
  %chunks5.i89 = getelementptr inbounds i8, ptr %call2, i64 520
  store i64 %add4.i88, ptr %chunks5.i89, align 8
  %own.i90 = getelementptr inbounds i8, ptr %call2, i64 528
  store i64 1, ptr %own.i90, align 16
  %context6.i91 = getelementptr inbounds i8, ptr %call2, i64 136
  %28 = ptrtoint ptr %context to i64
  store atomic i64 %28, ptr %context6.i91 monotonic, align 8
  %call.i92 = call i64 @PyThread_get_thread_ident()
  store atomic i64 %call.i92, ptr @caller monotonic, align 8
  %result.i93 = getelementptr inbounds i8, ptr %call2, i64 264
  %29 = load atomic i32, ptr %result.i93 monotonic, align 8
  %tobool.not.i94 = icmp eq i32 %29, 0
  br i1 %tobool.not.i94, label %if.then16, label %if.then.i95

if.then.i95:                                      ; preds = %if.then16.critedge
  store atomic i32 0, ptr %result.i93 monotonic, align 8
  br label %if.then16

if.then16:                                        ; preds = %if.then.i95, %if.then16.critedge
  %left.i97 = getelementptr inbounds i8, ptr %call2, i64 160
  %add1.i.i98 = shl i64 %add.i86, 32
  %add3.i.i99 = add i64 %add1.i.i98, 4503599628419073
  store atomic i64 %add3.i.i99, ptr %left.i97 release, align 32
  %jobs.i100 = getelementptr inbounds i8, ptr %call2, i64 168
  %30 = atomicrmw add ptr %jobs.i100, i64 1 seq_cst, align 8
  %mutex.i = getelementptr inbounds i8, ptr %call2, i64 640
  %call.i102 = call i32 @pthread_mutex_lock(ptr noundef nonnull %mutex.i)
  %condition.i = getelementptr inbounds i8, ptr %call2, i64 768
  %call1.i = call i32 @pthread_cond_broadcast(ptr noundef nonnull %condition.i)
  %call3.i103 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %mutex.i)
  br label %if.end17

if.end17:                                         ; preds = %publish.exit, %if.then16
  %call18 = call fastcc i32 @run_shared(ptr noundef nonnull %call2)
  br label %return

return:                                           ; preds = %for.body.i, %if.then3, %if.end17, %run_alone.exit74, %if.then
  %retval.2 = phi i32 [ %call, %if.then ], [ %call18, %if.end17 ], [ %result.0.lcssa.i62, %run_alone.exit74 ], [ 0, %if.then3 ], [ %or4.i, %for.body.i ]
  ret i32 %retval.2
}

define void @ag_pause() {
entry:
  %0 = load atomic i64, ptr @the_pool acquire, align 8
  %1 = inttoptr i64 %0 to ptr
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %busy = getelementptr inbounds i8, ptr %1, i64 512
  %2 = load atomic i32, ptr %busy acquire, align 128
  %tobool1.not = icmp eq i32 %2, 0
  br i1 %tobool1.not, label %cleanup, label %if.end

if.end:                                           ; preds = %lor.lhs.false
  %3 = load atomic i64, ptr @caller monotonic, align 8
  %call3 = tail call i64 @PyThread_get_thread_ident()
  %cmp.not = icmp eq i64 %3, %call3
  br i1 %cmp.not, label %if.end5, label %cleanup

if.end5:                                          ; preds = %if.end
  %left.i = getelementptr inbounds i8, ptr %1, i64 160
  %4 = atomicrmw xchg ptr %left.i, i64 4503599628419072 acq_rel, align 32
  store i64 %4, ptr @paused, align 8
  %chunks = getelementptr inbounds i8, ptr %1, i64 520
  %5 = load i64, ptr %chunks, align 8
  %own = getelementptr inbounds i8, ptr %1, i64 528
  %6 = load i64, ptr %own, align 16
  %div1.i.i = lshr i64 %4, 32
  %and.i.i = and i64 %4, 4294967295
  %sub.i = sub nsw i64 %div1.i.i, %and.i.i
  %spec.select = tail call i64 @llvm.smax.i64(i64 %sub.i, i64 0)
  %7 = add i64 %spec.select, %6
  %sub10 = sub i64 %5, %7
  %finished = getelementptr inbounds i8, ptr %1, i64 256
  %8 = load atomic i64, ptr %finished acquire, align 128
  %cmp12.not23 = icmp eq i64 %8, %sub10
  br i1 %cmp12.not23, label %cleanup, label %while.body

while.body:                                       ; preds = %if.end5, %while.body
  %call13 = tail call i32 @sched_yield()
  %9 = load atomic i64, ptr %finished acquire, align 128
  %cmp12.not = icmp eq i64 %9, %sub10
  br i1 %cmp12.not, label %cleanup, label %while.body

cleanup:                                          ; preds = %while.body, %if.end5, %if.end, %entry, %lor.lhs.false
  ret void
}

declare i64 @PyThread_get_thread_ident()

declare i32 @sched_yield()

define void @ag_resume() {
entry:
  %0 = load i64, ptr @paused, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %cleanup11, label %if.end

if.end:                                           ; preds = %entry
  store i64 0, ptr @paused, align 8
  %1 = load atomic i64, ptr @the_pool acquire, align 8
  %2 = inttoptr i64 %1 to ptr
  %result = getelementptr inbounds i8, ptr %2, i64 264
  %3 = load atomic i32, ptr %result monotonic, align 8
  %cmp = icmp ugt i32 %3, 3
  br i1 %cmp, label %if.then1, label %if.end3

if.then1:                                         ; preds = %if.end
  %div1.i.i = lshr i64 %0, 32
  %and.i.i = and i64 %0, 4294967295
  %sub.i = sub nsw i64 %div1.i.i, %and.i.i
  %cmp.i = icmp sgt i64 %sub.i, 0
  br i1 %cmp.i, label %if.then.i, label %cleanup11

if.then.i:                                        ; preds = %if.then1
  %finished.i = getelementptr inbounds i8, ptr %2, i64 256
  %4 = atomicrmw add ptr %finished.i, i64 %sub.i acq_rel, align 128
  br label %cleanup11

if.end3:                                          ; preds = %if.end
  %left4 = getelementptr inbounds i8, ptr %2, i64 160
  store atomic i64 %0, ptr %left4 release, align 32
  %5 = load i32, ptr %2, align 128
  %call5 = tail call i32 @getpid()
  %cmp6 = icmp eq i32 %5, %call5
  br i1 %cmp6, label %if.then7, label %cleanup11

if.then7:                                         ; preds = %if.end3
  %jobs = getelementptr inbounds i8, ptr %2, i64 168
  %6 = atomicrmw add ptr %jobs, i64 1 seq_cst, align 8
  %mutex.i = getelementptr inbounds i8, ptr %2, i64 640
  %call.i = tail call i32 @pthread_mutex_lock(ptr noundef nonnull %mutex.i)
  %condition.i = getelementptr inbounds i8, ptr %2, i64 768
  %call1.i = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %condition.i)
  %call3.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull %mutex.i)
  br label %cleanup11

cleanup11:                                        ; preds = %if.then.i, %if.then1, %if.then7, %if.end3, %entry
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
  %jobs1.i = getelementptr inbounds i8, ptr %place, i64 168
  %mutex.i = getelementptr inbounds i8, ptr %place, i64 640
  %sleepers.i = getelementptr inbounds i8, ptr %place, i64 384
  %condition.i = getelementptr inbounds i8, ptr %place, i64 768
  %context = getelementptr inbounds i8, ptr %place, i64 136
  %left1.i = getelementptr inbounds i8, ptr %place, i64 160
  %count1.i = getelementptr inbounds i8, ptr %place, i64 144
  %grain2.i = getelementptr inbounds i8, ptr %place, i64 152
  %function.i = getelementptr inbounds i8, ptr %place, i64 128
  %result1.i.i = getelementptr inbounds i8, ptr %place, i64 264
  %finished.i.i.i = getelementptr inbounds i8, ptr %place, i64 256
  br label %for.cond

for.cond.loopexit:                                ; preds = %run_chunk.exit, %if.end.i7, %wait_for_job.exit
  br label %for.cond

for.cond:                                         ; preds = %for.cond.loopexit, %entry
  %jobs.0 = phi i64 [ 0, %entry ], [ %retval.3.i, %for.cond.loopexit ]
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.cond
  %spins.044.i = phi i32 [ 0, %for.cond ], [ %inc.i, %for.inc.i ]
  %0 = load atomic i64, ptr %jobs1.i acquire, align 8
  %cmp2.not.i = icmp eq i64 %0, %jobs.0
  br i1 %cmp2.not.i, label %if.end.i, label %wait_for_job.exit

if.end.i:                                         ; preds = %for.body.i
  %cmp3.i = icmp ugt i32 %spins.044.i, 3000
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
  %1 = atomicrmw add ptr %sleepers.i, i32 1 seq_cst, align 128
  %2 = load atomic i64, ptr %jobs1.i seq_cst, align 8
  %cmp1445.i = icmp eq i64 %2, %jobs.0
  br i1 %cmp1445.i, label %while.body.i, label %while.end.i

while.body.i:                                     ; preds = %for.end.i, %while.body.i
  %call16.i = tail call i32 @pthread_cond_wait(ptr noundef nonnull %condition.i, ptr noundef nonnull %mutex.i)
  %3 = load atomic i64, ptr %jobs1.i seq_cst, align 8
  %cmp14.i = icmp eq i64 %3, %jobs.0
  br i1 %cmp14.i, label %while.body.i, label %while.end.i

while.end.i:                                      ; preds = %while.body.i, %for.end.i
  %.lcssa.i = phi i64 [ %2, %for.end.i ], [ %3, %while.body.i ]
  %4 = atomicrmw sub ptr %sleepers.i, i32 1 seq_cst, align 128
  %call21.i = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull %mutex.i)
  br label %wait_for_job.exit

wait_for_job.exit:                                ; preds = %for.body.i, %while.end.i
  %retval.3.i = phi i64 [ %.lcssa.i, %while.end.i ], [ %0, %for.body.i ]
  %5 = load atomic i64, ptr %context monotonic, align 8
  %6 = inttoptr i64 %5 to ptr
  tail call void @llvm.prefetch.p0(ptr %6, i32 0, i32 3, i32 1)
  %7 = load atomic i64, ptr %left1.i monotonic, align 32
  %div1.i.i.i20 = lshr i64 %7, 32
  %and.i.i.i21 = and i64 %7, 4294967295
  %cmp.not.i22 = icmp ugt i64 %div1.i.i.i20, %and.i.i.i21
  br i1 %cmp.not.i22, label %if.end.i7, label %for.cond.loopexit

if.end.i7:                                        ; preds = %wait_for_job.exit, %run_chunk.exit
  %8 = atomicrmw sub ptr %left1.i, i64 4294967296 acq_rel, align 32
  %div1.i.i2430.i = lshr i64 %8, 32
  %and.i.i2531.i = and i64 %8, 4294967295
  %cmp833.not.i = icmp ugt i64 %div1.i.i2430.i, %and.i.i2531.i
  %cmp = icmp ugt i64 %8, 4503603922337791
  %or.cond = and i1 %cmp833.not.i, %cmp
  br i1 %or.cond, label %for.body, label %for.cond.loopexit

for.body:                                         ; preds = %if.end.i7
  %sub.i = add nsw i64 %div1.i.i2430.i, -1048577
  %9 = load i64, ptr %count1.i, align 16
  %10 = load i64, ptr %grain2.i, align 8
  %mul.i = mul nsw i64 %10, %sub.i
  %11 = load atomic i64, ptr %context monotonic, align 8
  %12 = inttoptr i64 %11 to ptr
  %13 = load ptr, ptr %function.i, align 128
  %sub.i8 = sub nsw i64 %9, %mul.i
  %cond.i.i = tail call noundef i64 @llvm.smin.i64(i64 %sub.i8, i64 %10)
  %add.i = add nsw i64 %cond.i.i, %mul.i
  %call4.i = tail call i32 %13(ptr noundef %12, i64 noundef %mul.i, i64 noundef %add.i)
  %call5.i = tail call preserve_mostcc i32 @ag_poll()
  %or.i = or i32 %call5.i, %call4.i
  %tobool.not.i.i = icmp eq i32 %or.i, 0
  br i1 %tobool.not.i.i, label %run_chunk.exit, label %if.end.i.i

if.end.i.i:                                       ; preds = %for.body
  %14 = atomicrmw or ptr %result1.i.i, i32 %or.i monotonic, align 8
  %cmp.i.i = icmp ugt i32 %or.i, 3
  br i1 %cmp.i.i, label %if.then2.i.i, label %run_chunk.exit

if.then2.i.i:                                     ; preds = %if.end.i.i
  %15 = atomicrmw xchg ptr %left1.i, i64 4503599628419072 acq_rel, align 32
  %div1.i.i.i.i = lshr i64 %15, 32
  %and.i.i.i.i = and i64 %15, 4294967295
  %sub.i.i.i = sub nsw i64 %div1.i.i.i.i, %and.i.i.i.i
  %cmp.i.i.i = icmp sgt i64 %sub.i.i.i, 0
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %run_chunk.exit

if.then.i.i.i:                                    ; preds = %if.then2.i.i
  %16 = atomicrmw add ptr %finished.i.i.i, i64 %sub.i.i.i acq_rel, align 128
  br label %run_chunk.exit

run_chunk.exit:                                   ; preds = %for.body, %if.end.i.i, %if.then2.i.i, %if.then.i.i.i
  %17 = atomicrmw add ptr %finished.i.i.i, i64 1 acq_rel, align 128
  %18 = load atomic i64, ptr %left1.i monotonic, align 32
  %div1.i.i.i = lshr i64 %18, 32
  %and.i.i.i = and i64 %18, 4294967295
  %cmp.not.i = icmp ugt i64 %div1.i.i.i, %and.i.i.i
  br i1 %cmp.not.i, label %if.end.i7, label %for.cond.loopexit
}

declare i32 @pthread_detach(ptr noundef)

declare void @llvm.prefetch.p0(ptr readonly, i32 immarg, i32 immarg, i32 immarg)

declare i32 @pthread_mutex_lock(ptr noundef)

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef)

declare i32 @pthread_mutex_unlock(ptr noundef)

declare void @llvm.aarch64.hint(i32)

declare preserve_mostcc i32 @ag_poll()

declare i32 @pthread_cond_broadcast(ptr noundef)

declare i32 @clock_gettime(i32 noundef, ptr noundef)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
