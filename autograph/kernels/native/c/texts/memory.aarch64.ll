; Made by `make runtime` of memory.c (fdf63e32c59812b4) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Piece = type { ptr, i64 }

@ag_memory_limit = global i64 268435456, align 8
@ag_memory_kept = global i64 0, align 8
@ag_arena_limit = global i64 1073741824, align 8
@slots = internal global [640 x [8 x ptr]] zeroinitializer, align 8
@big_blocks = internal global i64 0, align 8
@arena_bytes = internal global i64 0, align 8

define ptr @ag_take(i64 noundef %bytes) {
entry:
  %cond.i = tail call i64 @llvm.umax.i64(i64 %bytes, i64 1024)
  %sub.i = add i64 %cond.i, -1
  %0 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i, i1 false)
  %sub2.i = sub nuw nsw i64 59, %0
  %shr.i = lshr i64 %sub.i, %sub2.i
  %and.i = and i64 %shr.i, 15
  %1 = shl nuw nsw i64 %0, 4
  %reass.sub.i = sub nsw i64 %and.i, %1
  %sub3.i = add nsw i64 %reass.sub.i, 849
  %cmp = icmp ugt i64 %sub3.i, 639
  br i1 %cmp, label %cleanup14, label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %entry ]
  %arrayidx2 = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i, i64 %indvars.iv
  %2 = load atomic i64, ptr %arrayidx2 monotonic, align 8
  %tobool.not = icmp eq i64 %2, 0
  br i1 %tobool.not, label %for.inc, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %3 = cmpxchg ptr %arrayidx2, i64 %2, i64 0 acquire monotonic, align 8
  %4 = extractvalue { i64, i1 } %3, 1
  %5 = extractvalue { i64, i1 } %3, 0
  %kept.0 = inttoptr i64 %5 to ptr
  br i1 %4, label %if.end4, label %for.inc

if.end4:                                          ; preds = %lor.lhs.false
  %size.i = getelementptr inbounds i8, ptr %kept.0, i64 -8
  %6 = load i64, ptr %size.i, align 8
  %cmp6 = icmp ult i64 %6, %bytes
  %7 = atomicrmw sub ptr @ag_memory_kept, i64 %6 monotonic, align 8
  br i1 %cmp6, label %if.then7, label %cleanup14

if.then7:                                         ; preds = %if.end4
  %add.ptr.i.i = getelementptr inbounds i8, ptr %kept.0, i64 -16
  %8 = load ptr, ptr %add.ptr.i.i, align 8
  tail call void @free(ptr noundef %8)
  br label %for.inc

for.inc:                                          ; preds = %if.then7, %lor.lhs.false, %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond, label %for.end, label %for.body

for.end:                                          ; preds = %for.inc
  %cmp.i = icmp ugt i64 %bytes, 1024
  %add.i = add i64 %bytes, 63
  %9 = and i64 %add.i, -64
  %and.i28 = select i1 %cmp.i, i64 %9, i64 1024
  %cmp1.i = icmp ugt i64 %and.i28, 16383
  br i1 %cmp1.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %for.end
  %10 = atomicrmw add ptr @big_blocks, i64 1 monotonic, align 8
  %rem.i = urem i64 %10, 7
  %add2.i = shl nuw nsw i64 %rem.i, 9
  %mul.i = add nuw nsw i64 %add2.i, 512
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i, %for.end
  %into.0.i = phi i64 [ %mul.i, %if.then.i ], [ 0, %for.end ]
  %add3.i = add i64 %and.i28, 128
  %add4.i = add i64 %add3.i, %into.0.i
  %call5.i = tail call ptr @malloc(i64 noundef %add4.i)
  %tobool.not.i = icmp eq ptr %call5.i, null
  br i1 %tobool.not.i, label %cleanup14, label %if.end7.i

if.end7.i:                                        ; preds = %if.end.i
  %11 = ptrtoint ptr %call5.i to i64
  %add8.i = add i64 %11, 127
  %and9.i = and i64 %add8.i, -64
  %add10.i = add i64 %and9.i, %into.0.i
  %12 = inttoptr i64 %add10.i to ptr
  %add.ptr.i.i29 = getelementptr inbounds i8, ptr %12, i64 -16
  store ptr %call5.i, ptr %add.ptr.i.i29, align 8
  %.compoundliteral.sroa.2.0.call11.sroa_idx.i = getelementptr inbounds i8, ptr %12, i64 -8
  store i64 %and.i28, ptr %.compoundliteral.sroa.2.0.call11.sroa_idx.i, align 8
  br label %cleanup14

cleanup14:                                        ; preds = %if.end4, %if.end7.i, %if.end.i, %entry
  %retval.3 = phi ptr [ null, %entry ], [ %12, %if.end7.i ], [ null, %if.end.i ], [ %kept.0, %if.end4 ]
  ret ptr %retval.3
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

define void @ag_give(ptr noundef %block, i64 noundef %bytes) {
entry:
  %tobool.not = icmp eq ptr %block, null
  br i1 %tobool.not, label %cleanup.cont14, label %if.end

if.end:                                           ; preds = %entry
  %size.i = getelementptr inbounds i8, ptr %block, i64 -8
  %0 = load i64, ptr %size.i, align 8
  %cond.i = tail call i64 @llvm.umax.i64(i64 %0, i64 1024)
  %sub.i = add i64 %cond.i, -1
  %1 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i, i1 false)
  %sub2.i = sub nuw nsw i64 59, %1
  %shr.i = lshr i64 %sub.i, %sub2.i
  %and.i = and i64 %shr.i, 15
  %2 = shl nuw nsw i64 %1, 4
  %reass.sub = sub nsw i64 %and.i, %2
  %sub3.i = add nsw i64 %reass.sub, 849
  %3 = atomicrmw add ptr @ag_memory_kept, i64 %0 monotonic, align 8
  %add.i = add i64 %3, %0
  %4 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not = icmp ugt i64 %add.i, %4
  br i1 %cmp.not, label %if.end11, label %for.cond.preheader

for.cond.preheader:                               ; preds = %if.end
  %5 = ptrtoint ptr %block to i64
  br label %for.body

for.cond:                                         ; preds = %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond, label %if.end11, label %for.body

for.body:                                         ; preds = %for.cond.preheader, %for.cond
  %indvars.iv = phi i64 [ 0, %for.cond.preheader ], [ %indvars.iv.next, %for.cond ]
  %arrayidx6 = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i, i64 %indvars.iv
  %6 = cmpxchg ptr %arrayidx6, i64 0, i64 %5 release monotonic, align 8
  %7 = extractvalue { i64, i1 } %6, 1
  br i1 %7, label %cleanup.cont14, label %for.cond

if.end11:                                         ; preds = %for.cond, %if.end
  %8 = load i64, ptr %size.i, align 8
  %9 = atomicrmw sub ptr @ag_memory_kept, i64 %8 monotonic, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %block, i64 -16
  %10 = load ptr, ptr %add.ptr.i.i, align 8
  tail call void @free(ptr noundef %10)
  br label %cleanup.cont14

cleanup.cont14:                                   ; preds = %for.body, %if.end11, %entry
  ret void
}

define void @ag_trim() {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %entry, %for.cond.cleanup3
  %indvars.iv18 = phi i64 [ 0, %entry ], [ %indvars.iv.next19, %for.cond.cleanup3 ]
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3
  ret void

for.cond.cleanup3:                                ; preds = %if.end
  %indvars.iv.next19 = add nuw nsw i64 %indvars.iv18, 1
  %exitcond21.not = icmp eq i64 %indvars.iv.next19, 640
  br i1 %exitcond21.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:                                        ; preds = %for.cond1.preheader, %if.end
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next, %if.end ]
  %arrayidx6 = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %indvars.iv18, i64 %indvars.iv
  %0 = atomicrmw xchg ptr %arrayidx6, i64 0 acquire, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.body4
  %1 = inttoptr i64 %0 to ptr
  %size.i.i = getelementptr inbounds i8, ptr %1, i64 -8
  %2 = load i64, ptr %size.i.i, align 8
  %3 = atomicrmw sub ptr @ag_memory_kept, i64 %2 monotonic, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %1, i64 -16
  %4 = load ptr, ptr %add.ptr.i.i, align 8
  tail call void @free(ptr noundef %4)
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

define ptr @ag_array_malloc(ptr noundef readnone %context, i64 noundef %bytes) {
entry:
  %call = tail call ptr @ag_take(i64 noundef %bytes)
  ret ptr %call
}

define ptr @ag_array_calloc(ptr noundef readnone %context, i64 noundef %count, i64 noundef %bytes) {
entry:
  %0 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %bytes)
  %1 = extractvalue { i64, i1 } %0, 1
  %2 = extractvalue { i64, i1 } %0, 0
  br i1 %1, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %call = tail call ptr @ag_take(i64 noundef %2)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cleanup, label %if.then1

if.then1:                                         ; preds = %if.end
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %call, i8 0, i64 %2, i1 false)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then1, %entry
  %retval.0 = phi ptr [ null, %entry ], [ %call, %if.then1 ], [ null, %if.end ]
  ret ptr %retval.0
}

declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

define ptr @ag_array_realloc(ptr noundef readnone %context, ptr noundef %block, i64 noundef %bytes) {
entry:
  %size.i = getelementptr inbounds i8, ptr %block, i64 -8
  %0 = load i64, ptr %size.i, align 8
  %cmp.not = icmp ult i64 %0, %bytes
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %call1 = tail call ptr @ag_take(i64 noundef %bytes)
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cleanup, label %if.end.i

if.end.i:                                         ; preds = %if.end
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %call1, ptr nonnull align 1 %block, i64 %0, i1 false)
  %1 = load i64, ptr %size.i, align 8
  %cond.i.i = tail call i64 @llvm.umax.i64(i64 %1, i64 1024)
  %sub.i.i = add i64 %cond.i.i, -1
  %2 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i.i, i1 false)
  %sub2.i.i = sub nuw nsw i64 59, %2
  %shr.i.i = lshr i64 %sub.i.i, %sub2.i.i
  %and.i.i = and i64 %shr.i.i, 15
  %3 = shl nuw nsw i64 %2, 4
  %reass.sub = sub nsw i64 %and.i.i, %3
  %sub3.i.i = add nsw i64 %reass.sub, 849
  %4 = atomicrmw add ptr @ag_memory_kept, i64 %1 monotonic, align 8
  %add.i.i = add i64 %4, %1
  %5 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i = icmp ugt i64 %add.i.i, %5
  br i1 %cmp.not.i, label %if.end11.i, label %for.cond.preheader.i

for.cond.preheader.i:                             ; preds = %if.end.i
  %6 = ptrtoint ptr %block to i64
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.i = icmp eq i64 %indvars.iv.next.i, 8
  br i1 %exitcond.i, label %if.end11.i, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %for.cond.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.cond.preheader.i ], [ %indvars.iv.next.i, %for.cond.i ]
  %arrayidx6.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i.i, i64 %indvars.iv.i
  %7 = cmpxchg ptr %arrayidx6.i, i64 0, i64 %6 release monotonic, align 8
  %8 = extractvalue { i64, i1 } %7, 1
  br i1 %8, label %cleanup, label %for.cond.i

if.end11.i:                                       ; preds = %for.cond.i, %if.end.i
  %9 = load i64, ptr %size.i, align 8
  %10 = atomicrmw sub ptr @ag_memory_kept, i64 %9 monotonic, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %block, i64 -16
  %11 = load ptr, ptr %add.ptr.i.i.i, align 8
  tail call void @free(ptr noundef %11)
  br label %cleanup

cleanup:                                          ; preds = %for.body.i, %if.end11.i, %if.end, %entry
  %retval.0 = phi ptr [ %block, %entry ], [ null, %if.end ], [ %call1, %if.end11.i ], [ %call1, %for.body.i ]
  ret ptr %retval.0
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

define void @ag_array_free(ptr noundef readnone %context, ptr noundef %block, i64 noundef %bytes) {
entry:
  %tobool.not.i = icmp eq ptr %block, null
  br i1 %tobool.not.i, label %ag_give.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %size.i.i = getelementptr inbounds i8, ptr %block, i64 -8
  %0 = load i64, ptr %size.i.i, align 8
  %cond.i.i = tail call i64 @llvm.umax.i64(i64 %0, i64 1024)
  %sub.i.i = add i64 %cond.i.i, -1
  %1 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i.i, i1 false)
  %sub2.i.i = sub nuw nsw i64 59, %1
  %shr.i.i = lshr i64 %sub.i.i, %sub2.i.i
  %and.i.i = and i64 %shr.i.i, 15
  %2 = shl nuw nsw i64 %1, 4
  %reass.sub = sub nsw i64 %and.i.i, %2
  %sub3.i.i = add nsw i64 %reass.sub, 849
  %3 = atomicrmw add ptr @ag_memory_kept, i64 %0 monotonic, align 8
  %add.i.i = add i64 %3, %0
  %4 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i = icmp ugt i64 %add.i.i, %4
  br i1 %cmp.not.i, label %if.end11.i, label %for.cond.preheader.i

for.cond.preheader.i:                             ; preds = %if.end.i
  %5 = ptrtoint ptr %block to i64
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.i = icmp eq i64 %indvars.iv.next.i, 8
  br i1 %exitcond.i, label %if.end11.i, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %for.cond.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.cond.preheader.i ], [ %indvars.iv.next.i, %for.cond.i ]
  %arrayidx6.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i.i, i64 %indvars.iv.i
  %6 = cmpxchg ptr %arrayidx6.i, i64 0, i64 %5 release monotonic, align 8
  %7 = extractvalue { i64, i1 } %6, 1
  br i1 %7, label %ag_give.exit, label %for.cond.i

if.end11.i:                                       ; preds = %for.cond.i, %if.end.i
  %8 = load i64, ptr %size.i.i, align 8
  %9 = atomicrmw sub ptr @ag_memory_kept, i64 %8 monotonic, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %block, i64 -16
  %10 = load ptr, ptr %add.ptr.i.i.i, align 8
  tail call void @free(ptr noundef %10)
  br label %ag_give.exit

ag_give.exit:                                     ; preds = %for.body.i, %entry, %if.end11.i
  ret void
}

define ptr @ag_reserve(ptr noundef %arena, i64 noundef %bytes) {
entry:
  %0 = load ptr, ptr %arena, align 8
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %end = getelementptr inbounds i8, ptr %arena, i64 8
  %1 = load ptr, ptr %end, align 8
  %sub.ptr.lhs.cast = ptrtoint ptr %1 to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %0 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %cmp = icmp ult i64 %sub.ptr.sub, %bytes
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  %cmp.i = icmp ugt i64 %bytes, 140737488355328
  br i1 %cmp.i, label %cleanup, label %if.end.i

if.end.i:                                         ; preds = %if.then
  %size.i.i = getelementptr inbounds i8, ptr %arena, i64 24
  %2 = load i64, ptr %size.i.i, align 8
  %least.i.i = getelementptr inbounds i8, ptr %arena, i64 32
  %3 = load i64, ptr %least.i.i, align 8
  %cmp.i.i = icmp ult i64 %2, %3
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %if.end.i
  %reass.sub = sub i64 %3, %2
  %add.i.i = add i64 %reass.sub, 64
  br label %next_size.exit.i

if.end.i.i:                                       ; preds = %if.end.i
  %cmp4.i.i = icmp ult i64 %2, 131076
  br i1 %cmp4.i.i, label %next_size.exit.i, label %if.end6.i.i

if.end6.i.i:                                      ; preds = %if.end.i.i
  %div16.i.i = lshr i64 %2, 2
  %cmp7.i.i = icmp ugt i64 %2, 268435455
  %4 = tail call range(i64 2, 65) i64 @llvm.ctlz.i64(i64 %div16.i.i, i1 true)
  %shl.i.i = lshr exact i64 -9223372036854775808, %4
  %cond.i.i = select i1 %cmp7.i.i, i64 67108864, i64 %shl.i.i
  br label %next_size.exit.i

next_size.exit.i:                                 ; preds = %if.end6.i.i, %if.end.i.i, %if.then.i.i
  %retval.1.i.i = phi i64 [ %add.i.i, %if.then.i.i ], [ %cond.i.i, %if.end6.i.i ], [ 32768, %if.end.i.i ]
  %add.i = add nuw nsw i64 %bytes, 64
  %cond.i = tail call i64 @llvm.umax.i64(i64 %retval.1.i.i, i64 %add.i)
  %5 = atomicrmw add ptr @arena_bytes, i64 %cond.i monotonic, align 8
  %add.i35.i = add i64 %5, %cond.i
  %6 = load i64, ptr @ag_arena_limit, align 8
  %cmp3.not.i = icmp ugt i64 %add.i35.i, %6
  br i1 %cmp3.not.i, label %if.end6.thread.i, label %if.end6.i

if.end6.thread.i:                                 ; preds = %next_size.exit.i
  %7 = atomicrmw sub ptr @arena_bytes, i64 %cond.i monotonic, align 8
  br label %cleanup

if.end6.i:                                        ; preds = %next_size.exit.i
  %call5.i = tail call ptr @ag_take(i64 noundef %cond.i)
  %8 = atomicrmw sub ptr @arena_bytes, i64 %cond.i monotonic, align 8
  %tobool.not.i = icmp eq ptr %call5.i, null
  br i1 %tobool.not.i, label %cleanup, label %if.end8.i

if.end8.i:                                        ; preds = %if.end6.i
  %size.i36.i = getelementptr inbounds i8, ptr %call5.i, i64 -8
  %9 = load i64, ptr %size.i36.i, align 8
  %10 = atomicrmw add ptr @arena_bytes, i64 %9 monotonic, align 8
  %block11.i = getelementptr inbounds i8, ptr %arena, i64 16
  %11 = load ptr, ptr %block11.i, align 8
  store ptr %11, ptr %call5.i, align 8
  %12 = load i64, ptr %size.i.i, align 8
  %add13.i = add i64 %12, %9
  store i64 %add13.i, ptr %size.i.i, align 8
  %pieces.i = getelementptr inbounds i8, ptr %call5.i, i64 64
  %add.ptr.i = getelementptr inbounds i8, ptr %pieces.i, i64 %bytes
  store ptr %add.ptr.i, ptr %arena, align 8
  %13 = load i64, ptr %size.i36.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %call5.i, i64 %13
  %end.i.i = getelementptr inbounds i8, ptr %arena, i64 8
  store ptr %add.ptr.i.i, ptr %end.i.i, align 8
  store ptr %call5.i, ptr %block11.i, align 8
  br label %cleanup

if.end:                                           ; preds = %lor.lhs.false
  %add.ptr = getelementptr inbounds i8, ptr %0, i64 %bytes
  store ptr %add.ptr, ptr %arena, align 8
  br label %cleanup

cleanup:                                          ; preds = %if.end8.i, %if.end6.i, %if.end6.thread.i, %if.then, %if.end
  %retval.0 = phi ptr [ %0, %if.end ], [ null, %if.then ], [ %pieces.i, %if.end8.i ], [ null, %if.end6.i ], [ null, %if.end6.thread.i ]
  ret ptr %retval.0
}

define void @ag_rewind(ptr noundef %arena) {
entry:
  %block = getelementptr inbounds i8, ptr %arena, i64 16
  %0 = load ptr, ptr %block, align 8
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %1 = load ptr, ptr %0, align 8
  %tobool.not4.i = icmp eq ptr %1, null
  br i1 %tobool.not4.i, label %give_blocks.exit, label %while.body.i

while.body.i:                                     ; preds = %if.end, %give_block.exit.i
  %block.addr.05.i = phi ptr [ %2, %give_block.exit.i ], [ %1, %if.end ]
  %2 = load ptr, ptr %block.addr.05.i, align 8
  %size.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -8
  %3 = load i64, ptr %size.i.i.i, align 8
  %4 = atomicrmw sub ptr @arena_bytes, i64 %3 monotonic, align 8
  %5 = load i64, ptr %size.i.i.i, align 8
  %cond.i.i.i.i = tail call i64 @llvm.umax.i64(i64 %5, i64 1024)
  %sub.i.i.i.i = add i64 %cond.i.i.i.i, -1
  %6 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i.i.i.i, i1 false)
  %sub2.i.i.i.i = sub nuw nsw i64 59, %6
  %shr.i.i.i.i = lshr i64 %sub.i.i.i.i, %sub2.i.i.i.i
  %and.i.i.i.i = and i64 %shr.i.i.i.i, 15
  %7 = shl nuw nsw i64 %6, 4
  %reass.sub = sub nsw i64 %and.i.i.i.i, %7
  %sub3.i.i.i.i = add nsw i64 %reass.sub, 849
  %8 = atomicrmw add ptr @ag_memory_kept, i64 %5 monotonic, align 8
  %add.i.i.i.i = add i64 %8, %5
  %9 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i.i.i = icmp ugt i64 %add.i.i.i.i, %9
  br i1 %cmp.not.i.i.i, label %if.end11.i.i.i, label %for.cond.preheader.i.i.i

for.cond.preheader.i.i.i:                         ; preds = %while.body.i
  %10 = ptrtoint ptr %block.addr.05.i to i64
  br label %for.body.i.i.i

for.cond.i.i.i:                                   ; preds = %for.body.i.i.i
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, 8
  br i1 %exitcond.i.i.i, label %if.end11.i.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.cond.i.i.i, %for.cond.preheader.i.i.i
  %indvars.iv.i.i.i = phi i64 [ 0, %for.cond.preheader.i.i.i ], [ %indvars.iv.next.i.i.i, %for.cond.i.i.i ]
  %arrayidx6.i.i.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i.i.i.i, i64 %indvars.iv.i.i.i
  %11 = cmpxchg ptr %arrayidx6.i.i.i, i64 0, i64 %10 release monotonic, align 8
  %12 = extractvalue { i64, i1 } %11, 1
  br i1 %12, label %give_block.exit.i, label %for.cond.i.i.i

if.end11.i.i.i:                                   ; preds = %for.cond.i.i.i, %while.body.i
  %13 = load i64, ptr %size.i.i.i, align 8
  %14 = atomicrmw sub ptr @ag_memory_kept, i64 %13 monotonic, align 8
  %add.ptr.i.i.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -16
  %15 = load ptr, ptr %add.ptr.i.i.i.i.i, align 8
  tail call void @free(ptr noundef %15)
  br label %give_block.exit.i

give_block.exit.i:                                ; preds = %for.body.i.i.i, %if.end11.i.i.i
  %tobool.not.i = icmp eq ptr %2, null
  br i1 %tobool.not.i, label %give_blocks.exit, label %while.body.i

give_blocks.exit:                                 ; preds = %give_block.exit.i, %if.end
  store ptr null, ptr %0, align 8
  %size.i = getelementptr inbounds i8, ptr %0, i64 -8
  %16 = load i64, ptr %size.i, align 8
  %size = getelementptr inbounds i8, ptr %arena, i64 24
  store i64 %16, ptr %size, align 8
  %pieces = getelementptr inbounds i8, ptr %0, i64 64
  store ptr %pieces, ptr %arena, align 8
  br label %cleanup

cleanup:                                          ; preds = %entry, %give_blocks.exit
  ret void
}

define void @ag_rewind_to(ptr noundef %arena, ptr noundef %cursor, ptr noundef %block, ptr noundef %newest, i64 noundef %bytes) {
entry:
  %block1.i = getelementptr inbounds i8, ptr %arena, i64 16
  %0 = ptrtoint ptr %newest to i64
  br label %for.cond.i

for.cond.i:                                       ; preds = %if.end.i, %entry
  %block.0.in.i = phi ptr [ %block1.i, %entry ], [ %block.0.i, %if.end.i ]
  %block.0.i = load ptr, ptr %block.0.in.i, align 8
  %tobool.not.i = icmp eq ptr %block.0.i, null
  br i1 %tobool.not.i, label %if.end, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %1 = ptrtoint ptr %block.0.i to i64
  %sub.i = sub i64 %0, %1
  %size.i.i = getelementptr inbounds i8, ptr %block.0.i, i64 -8
  %2 = load i64, ptr %size.i.i, align 8
  %cmp.i = icmp ult i64 %sub.i, %2
  %cmp = icmp eq ptr %block.0.i, %block
  br i1 %cmp.i, label %if.end.thread, label %if.end.i

if.end.i:                                         ; preds = %for.body.i
  br i1 %cmp, label %if.end, label %for.cond.i

if.end.thread:                                    ; preds = %for.body.i
  %cmp2 = icmp ult ptr %newest, %cursor
  %or.cond = and i1 %cmp2, %cmp
  %add.ptr = getelementptr inbounds i8, ptr %newest, i64 %bytes
  %spec.select46 = select i1 %or.cond, ptr %cursor, ptr %add.ptr
  br label %while.cond.preheader

if.end:                                           ; preds = %if.end.i, %for.cond.i
  %tobool3.not = icmp eq ptr %block, null
  br i1 %tobool3.not, label %if.then4, label %while.cond.preheader

while.cond.preheader:                             ; preds = %if.end.thread, %if.end
  %cursor.addr.057 = phi ptr [ %spec.select46, %if.end.thread ], [ %cursor, %if.end ]
  %block.addr.056 = phi ptr [ %block.0.i, %if.end.thread ], [ %block, %if.end ]
  %3 = load ptr, ptr %block1.i, align 8
  %cmp7.not49 = icmp eq ptr %3, %block.addr.056
  br i1 %cmp7.not49, label %while.end, label %while.body.lr.ph

while.body.lr.ph:                                 ; preds = %while.cond.preheader
  %size = getelementptr inbounds i8, ptr %arena, i64 24
  br label %while.body

if.then4:                                         ; preds = %if.end
  %4 = load ptr, ptr %block1.i, align 8
  %tobool.not.i36 = icmp eq ptr %4, null
  br i1 %tobool.not.i36, label %cleanup, label %if.end.i37

if.end.i37:                                       ; preds = %if.then4
  %5 = load ptr, ptr %4, align 8
  %tobool.not4.i.i = icmp eq ptr %5, null
  br i1 %tobool.not4.i.i, label %give_blocks.exit.i, label %while.body.i.i

while.body.i.i:                                   ; preds = %if.end.i37, %give_block.exit.i.i
  %block.addr.05.i.i = phi ptr [ %6, %give_block.exit.i.i ], [ %5, %if.end.i37 ]
  %6 = load ptr, ptr %block.addr.05.i.i, align 8
  %size.i.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i.i, i64 -8
  %7 = load i64, ptr %size.i.i.i.i, align 8
  %8 = atomicrmw sub ptr @arena_bytes, i64 %7 monotonic, align 8
  %9 = load i64, ptr %size.i.i.i.i, align 8
  %cond.i.i.i.i.i = tail call i64 @llvm.umax.i64(i64 %9, i64 1024)
  %sub.i.i.i.i.i = add i64 %cond.i.i.i.i.i, -1
  %10 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i.i.i.i.i, i1 false)
  %sub2.i.i.i.i.i = sub nuw nsw i64 59, %10
  %shr.i.i.i.i.i = lshr i64 %sub.i.i.i.i.i, %sub2.i.i.i.i.i
  %and.i.i.i.i.i = and i64 %shr.i.i.i.i.i, 15
  %11 = shl nuw nsw i64 %10, 4
  %reass.sub51 = sub nsw i64 %and.i.i.i.i.i, %11
  %sub3.i.i.i.i.i = add nsw i64 %reass.sub51, 849
  %12 = atomicrmw add ptr @ag_memory_kept, i64 %9 monotonic, align 8
  %add.i.i.i.i.i = add i64 %12, %9
  %13 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i.i.i.i = icmp ugt i64 %add.i.i.i.i.i, %13
  br i1 %cmp.not.i.i.i.i, label %if.end11.i.i.i.i, label %for.cond.preheader.i.i.i.i

for.cond.preheader.i.i.i.i:                       ; preds = %while.body.i.i
  %14 = ptrtoint ptr %block.addr.05.i.i to i64
  br label %for.body.i.i.i.i

for.cond.i.i.i.i:                                 ; preds = %for.body.i.i.i.i
  %indvars.iv.next.i.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i.i, 1
  %exitcond.i.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i.i, 8
  br i1 %exitcond.i.i.i.i, label %if.end11.i.i.i.i, label %for.body.i.i.i.i

for.body.i.i.i.i:                                 ; preds = %for.cond.i.i.i.i, %for.cond.preheader.i.i.i.i
  %indvars.iv.i.i.i.i = phi i64 [ 0, %for.cond.preheader.i.i.i.i ], [ %indvars.iv.next.i.i.i.i, %for.cond.i.i.i.i ]
  %arrayidx6.i.i.i.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i.i.i.i.i, i64 %indvars.iv.i.i.i.i
  %15 = cmpxchg ptr %arrayidx6.i.i.i.i, i64 0, i64 %14 release monotonic, align 8
  %16 = extractvalue { i64, i1 } %15, 1
  br i1 %16, label %give_block.exit.i.i, label %for.cond.i.i.i.i

if.end11.i.i.i.i:                                 ; preds = %for.cond.i.i.i.i, %while.body.i.i
  %17 = load i64, ptr %size.i.i.i.i, align 8
  %18 = atomicrmw sub ptr @ag_memory_kept, i64 %17 monotonic, align 8
  %add.ptr.i.i.i.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i.i, i64 -16
  %19 = load ptr, ptr %add.ptr.i.i.i.i.i.i, align 8
  tail call void @free(ptr noundef %19)
  br label %give_block.exit.i.i

give_block.exit.i.i:                              ; preds = %for.body.i.i.i.i, %if.end11.i.i.i.i
  %tobool.not.i.i = icmp eq ptr %6, null
  br i1 %tobool.not.i.i, label %give_blocks.exit.i, label %while.body.i.i

give_blocks.exit.i:                               ; preds = %give_block.exit.i.i, %if.end.i37
  store ptr null, ptr %4, align 8
  %size.i.i38 = getelementptr inbounds i8, ptr %4, i64 -8
  %20 = load i64, ptr %size.i.i38, align 8
  %size.i = getelementptr inbounds i8, ptr %arena, i64 24
  store i64 %20, ptr %size.i, align 8
  %pieces.i = getelementptr inbounds i8, ptr %4, i64 64
  store ptr %pieces.i, ptr %arena, align 8
  br label %cleanup

while.body:                                       ; preds = %while.body.lr.ph, %give_block.exit
  %21 = phi ptr [ %3, %while.body.lr.ph ], [ %38, %give_block.exit ]
  %22 = load ptr, ptr %21, align 8
  store ptr %22, ptr %block1.i, align 8
  %size.i39 = getelementptr inbounds i8, ptr %21, i64 -8
  %23 = load i64, ptr %size.i39, align 8
  %24 = load i64, ptr %size, align 8
  %sub = sub i64 %24, %23
  store i64 %sub, ptr %size, align 8
  %25 = load i64, ptr %size.i39, align 8
  %26 = atomicrmw sub ptr @arena_bytes, i64 %25 monotonic, align 8
  %27 = load i64, ptr %size.i39, align 8
  %cond.i.i.i = tail call i64 @llvm.umax.i64(i64 %27, i64 1024)
  %sub.i.i.i = add i64 %cond.i.i.i, -1
  %28 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i.i.i, i1 false)
  %sub2.i.i.i = sub nuw nsw i64 59, %28
  %shr.i.i.i = lshr i64 %sub.i.i.i, %sub2.i.i.i
  %and.i.i.i = and i64 %shr.i.i.i, 15
  %29 = shl nuw nsw i64 %28, 4
  %reass.sub = sub nsw i64 %and.i.i.i, %29
  %sub3.i.i.i = add nsw i64 %reass.sub, 849
  %30 = atomicrmw add ptr @ag_memory_kept, i64 %27 monotonic, align 8
  %add.i.i.i = add i64 %30, %27
  %31 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i.i = icmp ugt i64 %add.i.i.i, %31
  br i1 %cmp.not.i.i, label %if.end11.i.i, label %for.cond.preheader.i.i

for.cond.preheader.i.i:                           ; preds = %while.body
  %32 = ptrtoint ptr %21 to i64
  br label %for.body.i.i

for.cond.i.i:                                     ; preds = %for.body.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.i.i = icmp eq i64 %indvars.iv.next.i.i, 8
  br i1 %exitcond.i.i, label %if.end11.i.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i, %for.cond.preheader.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.cond.preheader.i.i ], [ %indvars.iv.next.i.i, %for.cond.i.i ]
  %arrayidx6.i.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i.i.i, i64 %indvars.iv.i.i
  %33 = cmpxchg ptr %arrayidx6.i.i, i64 0, i64 %32 release monotonic, align 8
  %34 = extractvalue { i64, i1 } %33, 1
  br i1 %34, label %give_block.exit, label %for.cond.i.i

if.end11.i.i:                                     ; preds = %for.cond.i.i, %while.body
  %35 = load i64, ptr %size.i39, align 8
  %36 = atomicrmw sub ptr @ag_memory_kept, i64 %35 monotonic, align 8
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %21, i64 -16
  %37 = load ptr, ptr %add.ptr.i.i.i.i, align 8
  tail call void @free(ptr noundef %37)
  br label %give_block.exit

give_block.exit:                                  ; preds = %for.body.i.i, %if.end11.i.i
  %38 = load ptr, ptr %block1.i, align 8
  %cmp7.not = icmp eq ptr %38, %block.addr.056
  br i1 %cmp7.not, label %while.end, label %while.body

while.end:                                        ; preds = %give_block.exit, %while.cond.preheader
  %size.i42 = getelementptr inbounds i8, ptr %block.addr.056, i64 -8
  %39 = load i64, ptr %size.i42, align 8
  %add.ptr12 = getelementptr inbounds i8, ptr %block.addr.056, i64 %39
  %cmp13 = icmp ult ptr %cursor.addr.057, %add.ptr12
  %cond = select i1 %cmp13, ptr %cursor.addr.057, ptr %add.ptr12
  store ptr %cond, ptr %arena, align 8
  %40 = load i64, ptr %size.i42, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %block.addr.056, i64 %40
  %end.i = getelementptr inbounds i8, ptr %arena, i64 8
  store ptr %add.ptr.i, ptr %end.i, align 8
  store ptr %block.addr.056, ptr %block1.i, align 8
  br label %cleanup

cleanup:                                          ; preds = %give_blocks.exit.i, %if.then4, %while.end
  ret void
}

define range(i32 0, 2) i32 @ag_keep(ptr noundef %arena, ptr noundef %cursor, ptr noundef %block, ptr noundef %pieces, i64 noundef %count) {
entry:
  %few = alloca [512 x i8], align 1
  %cmp159.not = icmp eq i64 %count, 0
  br i1 %cmp159.not, label %if.end16.thread, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %block1.i = getelementptr inbounds i8, ptr %arena, i64 16
  br label %for.body

for.cond.cleanup:                                 ; preds = %if.end
  %tobool10.not = icmp eq i64 %add9, 0
  br i1 %tobool10.not, label %if.end16.thread, label %land.lhs.true11

if.end16.thread:                                  ; preds = %entry, %for.cond.cleanup
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %few)
  br label %for.cond27.preheader

for.body:                                         ; preds = %for.body.lr.ph, %if.end
  %kept.0161 = phi i64 [ 0, %for.body.lr.ph ], [ %add9, %if.end ]
  %k.0160 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end ]
  %arrayidx = getelementptr inbounds %struct.Piece, ptr %pieces, i64 %k.0160
  %bytes = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %0 = load i64, ptr %bytes, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.then, label %cond.true

cond.true:                                        ; preds = %for.body
  %1 = load ptr, ptr %arrayidx, align 8
  %2 = ptrtoint ptr %1 to i64
  br label %for.cond.i

for.cond.i:                                       ; preds = %if.end.i, %cond.true
  %block.0.in.i = phi ptr [ %block1.i, %cond.true ], [ %block.0.i, %if.end.i ]
  %block.0.i = load ptr, ptr %block.0.in.i, align 8
  %tobool.not.i = icmp eq ptr %block.0.i, null
  br i1 %tobool.not.i, label %if.then, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %3 = ptrtoint ptr %block.0.i to i64
  %sub.i = sub i64 %2, %3
  %size.i.i = getelementptr inbounds i8, ptr %block.0.i, i64 -8
  %4 = load i64, ptr %size.i.i, align 8
  %cmp.i = icmp ult i64 %sub.i, %4
  br i1 %cmp.i, label %lor.lhs.false, label %if.end.i

if.end.i:                                         ; preds = %for.body.i
  %cmp2.i = icmp eq ptr %block.0.i, %block
  br i1 %cmp2.i, label %if.then, label %for.cond.i

lor.lhs.false:                                    ; preds = %for.body.i
  %add = add i64 %0, 7
  %and = and i64 %add, -8
  %cmp4 = icmp eq ptr %block.0.i, %block
  %cmp6 = icmp ult ptr %1, %cursor
  %or.cond = select i1 %cmp4, i1 %cmp6, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %if.end.i, %for.cond.i, %lor.lhs.false, %for.body
  br label %if.end

if.end:                                           ; preds = %if.then, %lor.lhs.false
  %5 = phi i64 [ 0, %if.then ], [ %and, %lor.lhs.false ]
  store i64 %5, ptr %bytes, align 8
  %add9 = add i64 %5, %kept.0161
  %inc = add nuw i64 %k.0160, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

land.lhs.true11:                                  ; preds = %for.cond.cleanup
  %6 = load ptr, ptr %arena, align 8
  %block2.i = getelementptr inbounds i8, ptr %arena, i64 16
  %newer.024.i = load ptr, ptr %block2.i, align 8
  %cmp.not25.i = icmp eq ptr %newer.024.i, %block
  br i1 %cmp.not25.i, label %reserved_since.exit, label %for.body.i127

for.body.i127:                                    ; preds = %land.lhs.true11, %cond.end.i
  %newer.028.i = phi ptr [ %7, %cond.end.i ], [ %newer.024.i, %land.lhs.true11 ]
  %total.027.i = phi i64 [ %add.i, %cond.end.i ], [ 0, %land.lhs.true11 ]
  %end.026.i = phi ptr [ %cond.i, %cond.end.i ], [ %6, %land.lhs.true11 ]
  %pieces.i = getelementptr inbounds i8, ptr %newer.028.i, i64 64
  %sub.ptr.lhs.cast.i = ptrtoint ptr %end.026.i to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %pieces.i to i64
  %sub.ptr.sub.i = sub i64 %total.027.i, %sub.ptr.rhs.cast.i
  %add.i = add i64 %sub.ptr.sub.i, %sub.ptr.lhs.cast.i
  %7 = load ptr, ptr %newer.028.i, align 8
  %tobool.not.i128 = icmp eq ptr %7, null
  br i1 %tobool.not.i128, label %cond.end.i, label %cond.true.i

cond.true.i:                                      ; preds = %for.body.i127
  %size.i.i129 = getelementptr inbounds i8, ptr %7, i64 -8
  %8 = load i64, ptr %size.i.i129, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %7, i64 %8
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %for.body.i127
  %cond.i = phi ptr [ %add.ptr.i, %cond.true.i ], [ null, %for.body.i127 ]
  %cmp.not.i = icmp eq ptr %7, %block
  br i1 %cmp.not.i, label %reserved_since.exit, label %for.body.i127

reserved_since.exit:                              ; preds = %cond.end.i, %land.lhs.true11
  %end.0.lcssa.i = phi ptr [ %6, %land.lhs.true11 ], [ %cond.i, %cond.end.i ]
  %total.0.lcssa.i = phi i64 [ 0, %land.lhs.true11 ], [ %add.i, %cond.end.i ]
  %tobool5.not.i = icmp eq ptr %block, null
  %sub.ptr.lhs.cast7.i = ptrtoint ptr %end.0.lcssa.i to i64
  %sub.ptr.rhs.cast8.i = ptrtoint ptr %cursor to i64
  %sub.ptr.sub9.i = sub i64 %sub.ptr.lhs.cast7.i, %sub.ptr.rhs.cast8.i
  %add10.i = select i1 %tobool5.not.i, i64 0, i64 %sub.ptr.sub9.i
  %cond13.i = add i64 %add10.i, %total.0.lcssa.i
  %mul = shl i64 %add9, 1
  %add13 = add i64 %mul, 64
  %cmp14 = icmp ult i64 %cond13.i, %add13
  br i1 %cmp14, label %cleanup76, label %if.end16

if.end16:                                         ; preds = %reserved_since.exit
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %few)
  %cmp17 = icmp ult i64 %add9, 513
  br i1 %cmp17, label %for.cond27.preheader, label %cond.end21

cond.end21:                                       ; preds = %if.end16
  %call20 = tail call ptr @ag_take(i64 noundef %add9)
  %tobool23.not = icmp eq ptr %call20, null
  br i1 %tobool23.not, label %cleanup74, label %for.cond27.preheader

for.cond27.preheader:                             ; preds = %if.end16.thread, %if.end16, %cond.end21
  %cond22179 = phi ptr [ %call20, %cond.end21 ], [ %few, %if.end16 ], [ %few, %if.end16.thread ]
  br i1 %cmp159.not, label %for.cond.cleanup29.thread, label %for.body30

for.cond.cleanup29.thread:                        ; preds = %for.cond27.preheader
  tail call void @ag_rewind_to(ptr noundef %arena, ptr noundef %cursor, ptr noundef %block, ptr noundef null, i64 noundef 0)
  br label %cleanup66

for.body44.lr.ph:                                 ; preds = %for.body30
  tail call void @ag_rewind_to(ptr noundef %arena, ptr noundef %cursor, ptr noundef %block, ptr noundef null, i64 noundef 0)
  %end.i = getelementptr inbounds i8, ptr %arena, i64 8
  %size.i.i.i = getelementptr inbounds i8, ptr %arena, i64 24
  %least.i.i.i = getelementptr inbounds i8, ptr %arena, i64 32
  %block11.i.i = getelementptr inbounds i8, ptr %arena, i64 16
  br label %for.body44

for.body30:                                       ; preds = %for.cond27.preheader, %for.body30
  %k26.0164 = phi i64 [ %inc36, %for.body30 ], [ 0, %for.cond27.preheader ]
  %copy.0163 = phi ptr [ %add.ptr, %for.body30 ], [ %cond22179, %for.cond27.preheader ]
  %arrayidx31 = getelementptr inbounds %struct.Piece, ptr %pieces, i64 %k26.0164
  %9 = load ptr, ptr %arrayidx31, align 8
  %bytes34 = getelementptr inbounds i8, ptr %arrayidx31, i64 8
  %10 = load i64, ptr %bytes34, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %copy.0163, ptr align 1 %9, i64 %10, i1 false)
  %inc36 = add nuw i64 %k26.0164, 1
  %11 = load i64, ptr %bytes34, align 8
  %add.ptr = getelementptr inbounds i8, ptr %copy.0163, i64 %11
  %exitcond173.not = icmp eq i64 %inc36, %count
  br i1 %exitcond173.not, label %for.body44.lr.ph, label %for.body30

for.body44:                                       ; preds = %for.body44.lr.ph, %for.inc61
  %k40.0167 = phi i64 [ 0, %for.body44.lr.ph ], [ %inc62, %for.inc61 ]
  %copy.1166 = phi ptr [ %cond22179, %for.body44.lr.ph ], [ %add.ptr65, %for.inc61 ]
  %arrayidx45 = getelementptr inbounds %struct.Piece, ptr %pieces, i64 %k40.0167
  %bytes46 = getelementptr inbounds i8, ptr %arrayidx45, i64 8
  %12 = load i64, ptr %bytes46, align 8
  %tobool47.not = icmp eq i64 %12, 0
  br i1 %tobool47.not, label %for.inc61, label %if.end49

if.end49:                                         ; preds = %for.body44
  %13 = load ptr, ptr %arena, align 8
  %tobool.not.i130 = icmp eq ptr %13, null
  br i1 %tobool.not.i130, label %if.then.i, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.end49
  %14 = load ptr, ptr %end.i, align 8
  %sub.ptr.lhs.cast.i131 = ptrtoint ptr %14 to i64
  %sub.ptr.rhs.cast.i132 = ptrtoint ptr %13 to i64
  %sub.ptr.sub.i133 = sub i64 %sub.ptr.lhs.cast.i131, %sub.ptr.rhs.cast.i132
  %cmp.i134 = icmp ult i64 %sub.ptr.sub.i133, %12
  br i1 %cmp.i134, label %if.then.i, label %if.end.i135

if.then.i:                                        ; preds = %lor.lhs.false.i, %if.end49
  %cmp.i.i = icmp ugt i64 %12, 140737488355328
  br i1 %cmp.i.i, label %cleanup66, label %if.end.i.i

if.end.i.i:                                       ; preds = %if.then.i
  %15 = load i64, ptr %size.i.i.i, align 8
  %16 = load i64, ptr %least.i.i.i, align 8
  %cmp.i.i.i = icmp ult i64 %15, %16
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %if.end.i.i.i

if.then.i.i.i:                                    ; preds = %if.end.i.i
  %reass.sub = sub i64 %16, %15
  %add.i.i.i = add i64 %reass.sub, 64
  br label %next_size.exit.i.i

if.end.i.i.i:                                     ; preds = %if.end.i.i
  %cmp4.i.i.i = icmp ult i64 %15, 131076
  br i1 %cmp4.i.i.i, label %next_size.exit.i.i, label %if.end6.i.i.i

if.end6.i.i.i:                                    ; preds = %if.end.i.i.i
  %div16.i.i.i = lshr i64 %15, 2
  %cmp7.i.i.i = icmp ugt i64 %15, 268435455
  %17 = tail call range(i64 2, 65) i64 @llvm.ctlz.i64(i64 %div16.i.i.i, i1 true)
  %shl.i.i.i = lshr exact i64 -9223372036854775808, %17
  %cond.i.i.i = select i1 %cmp7.i.i.i, i64 67108864, i64 %shl.i.i.i
  br label %next_size.exit.i.i

next_size.exit.i.i:                               ; preds = %if.end6.i.i.i, %if.end.i.i.i, %if.then.i.i.i
  %retval.1.i.i.i = phi i64 [ %add.i.i.i, %if.then.i.i.i ], [ %cond.i.i.i, %if.end6.i.i.i ], [ 32768, %if.end.i.i.i ]
  %add.i.i = add nuw nsw i64 %12, 64
  %cond.i.i = tail call i64 @llvm.umax.i64(i64 %retval.1.i.i.i, i64 %add.i.i)
  %18 = atomicrmw add ptr @arena_bytes, i64 %cond.i.i monotonic, align 8
  %add.i35.i.i = add i64 %18, %cond.i.i
  %19 = load i64, ptr @ag_arena_limit, align 8
  %cmp3.not.i.i = icmp ugt i64 %add.i35.i.i, %19
  br i1 %cmp3.not.i.i, label %if.end6.thread.i.i, label %if.end6.i.i

if.end6.thread.i.i:                               ; preds = %next_size.exit.i.i
  %20 = atomicrmw sub ptr @arena_bytes, i64 %cond.i.i monotonic, align 8
  br label %cleanup66

if.end6.i.i:                                      ; preds = %next_size.exit.i.i
  %call5.i.i = tail call ptr @ag_take(i64 noundef %cond.i.i)
  %21 = atomicrmw sub ptr @arena_bytes, i64 %cond.i.i monotonic, align 8
  %tobool.not.i.i = icmp eq ptr %call5.i.i, null
  br i1 %tobool.not.i.i, label %cleanup66, label %if.end8.i.i

if.end8.i.i:                                      ; preds = %if.end6.i.i
  %size.i36.i.i = getelementptr inbounds i8, ptr %call5.i.i, i64 -8
  %22 = load i64, ptr %size.i36.i.i, align 8
  %23 = atomicrmw add ptr @arena_bytes, i64 %22 monotonic, align 8
  %24 = load ptr, ptr %block11.i.i, align 8
  store ptr %24, ptr %call5.i.i, align 8
  %25 = load i64, ptr %size.i.i.i, align 8
  %add13.i.i = add i64 %25, %22
  store i64 %add13.i.i, ptr %size.i.i.i, align 8
  %pieces.i.i = getelementptr inbounds i8, ptr %call5.i.i, i64 64
  %add.ptr.i.i = getelementptr inbounds i8, ptr %pieces.i.i, i64 %12
  store ptr %add.ptr.i.i, ptr %arena, align 8
  %26 = load i64, ptr %size.i36.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %call5.i.i, i64 %26
  store ptr %add.ptr.i.i.i, ptr %end.i, align 8
  store ptr %call5.i.i, ptr %block11.i.i, align 8
  br label %cleanup

if.end.i135:                                      ; preds = %lor.lhs.false.i
  %add.ptr.i136 = getelementptr inbounds i8, ptr %13, i64 %12
  store ptr %add.ptr.i136, ptr %arena, align 8
  br label %cleanup

cleanup:                                          ; preds = %if.end8.i.i, %if.end.i135
  %retval.0.i = phi ptr [ %13, %if.end.i135 ], [ %pieces.i.i, %if.end8.i.i ]
  %27 = load i64, ptr %bytes46, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %retval.0.i, ptr align 1 %copy.1166, i64 %27, i1 false)
  store ptr %retval.0.i, ptr %arrayidx45, align 8
  %.pre = load i64, ptr %bytes46, align 8
  br label %for.inc61

for.inc61:                                        ; preds = %cleanup, %for.body44
  %28 = phi i64 [ %.pre, %cleanup ], [ 0, %for.body44 ]
  %inc62 = add nuw i64 %k40.0167, 1
  %add.ptr65 = getelementptr inbounds i8, ptr %copy.1166, i64 %28
  %exitcond174.not = icmp eq i64 %inc62, %count
  br i1 %exitcond174.not, label %cleanup66, label %for.body44

cleanup66:                                        ; preds = %for.inc61, %if.end6.i.i, %if.then.i, %for.cond.cleanup29.thread, %if.end6.thread.i.i
  %found.3 = phi i32 [ 0, %if.end6.thread.i.i ], [ 1, %for.cond.cleanup29.thread ], [ 1, %for.inc61 ], [ 0, %if.end6.i.i ], [ 0, %if.then.i ]
  %cmp69.not = icmp eq ptr %cond22179, %few
  br i1 %cmp69.not, label %cleanup74, label %if.end.i138

if.end.i138:                                      ; preds = %cleanup66
  %size.i.i139 = getelementptr inbounds i8, ptr %cond22179, i64 -8
  %29 = load i64, ptr %size.i.i139, align 8
  %cond.i.i140 = call i64 @llvm.umax.i64(i64 %29, i64 1024)
  %sub.i.i = add i64 %cond.i.i140, -1
  %30 = call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i.i, i1 false)
  %sub2.i.i = sub nuw nsw i64 59, %30
  %shr.i.i = lshr i64 %sub.i.i, %sub2.i.i
  %and.i.i = and i64 %shr.i.i, 15
  %31 = shl nuw nsw i64 %30, 4
  %reass.sub171 = sub nsw i64 %and.i.i, %31
  %sub3.i.i = add nsw i64 %reass.sub171, 849
  %32 = atomicrmw add ptr @ag_memory_kept, i64 %29 monotonic, align 8
  %add.i.i142 = add i64 %32, %29
  %33 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i143 = icmp ugt i64 %add.i.i142, %33
  br i1 %cmp.not.i143, label %if.end11.i, label %for.cond.preheader.i

for.cond.preheader.i:                             ; preds = %if.end.i138
  %34 = ptrtoint ptr %cond22179 to i64
  br label %for.body.i144

for.cond.i145:                                    ; preds = %for.body.i144
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.i = icmp eq i64 %indvars.iv.next.i, 8
  br i1 %exitcond.i, label %if.end11.i, label %for.body.i144

for.body.i144:                                    ; preds = %for.cond.i145, %for.cond.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.cond.preheader.i ], [ %indvars.iv.next.i, %for.cond.i145 ]
  %arrayidx6.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i.i, i64 %indvars.iv.i
  %35 = cmpxchg ptr %arrayidx6.i, i64 0, i64 %34 release monotonic, align 8
  %36 = extractvalue { i64, i1 } %35, 1
  br i1 %36, label %cleanup74, label %for.cond.i145

if.end11.i:                                       ; preds = %for.cond.i145, %if.end.i138
  %37 = load i64, ptr %size.i.i139, align 8
  %38 = atomicrmw sub ptr @ag_memory_kept, i64 %37 monotonic, align 8
  %add.ptr.i.i.i146 = getelementptr inbounds i8, ptr %cond22179, i64 -16
  %39 = load ptr, ptr %add.ptr.i.i.i146, align 8
  call void @free(ptr noundef %39)
  br label %cleanup74

cleanup74:                                        ; preds = %for.body.i144, %if.end11.i, %cleanup66, %cond.end21
  %retval.0 = phi i32 [ 0, %cond.end21 ], [ %found.3, %cleanup66 ], [ %found.3, %if.end11.i ], [ %found.3, %for.body.i144 ]
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %few)
  br label %cleanup76

cleanup76:                                        ; preds = %reserved_since.exit, %cleanup74
  %retval.1 = phi i32 [ %retval.0, %cleanup74 ], [ 1, %reserved_since.exit ]
  ret i32 %retval.1
}

define void @ag_release(ptr noundef %arena) {
entry:
  %block = getelementptr inbounds i8, ptr %arena, i64 16
  %0 = load ptr, ptr %block, align 8
  %tobool.not4.i = icmp eq ptr %0, null
  br i1 %tobool.not4.i, label %give_blocks.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %give_block.exit.i
  %block.addr.05.i = phi ptr [ %1, %give_block.exit.i ], [ %0, %entry ]
  %1 = load ptr, ptr %block.addr.05.i, align 8
  %size.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -8
  %2 = load i64, ptr %size.i.i.i, align 8
  %3 = atomicrmw sub ptr @arena_bytes, i64 %2 monotonic, align 8
  %4 = load i64, ptr %size.i.i.i, align 8
  %cond.i.i.i.i = tail call i64 @llvm.umax.i64(i64 %4, i64 1024)
  %sub.i.i.i.i = add i64 %cond.i.i.i.i, -1
  %5 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i.i.i.i, i1 false)
  %sub2.i.i.i.i = sub nuw nsw i64 59, %5
  %shr.i.i.i.i = lshr i64 %sub.i.i.i.i, %sub2.i.i.i.i
  %and.i.i.i.i = and i64 %shr.i.i.i.i, 15
  %6 = shl nuw nsw i64 %5, 4
  %reass.sub = sub nsw i64 %and.i.i.i.i, %6
  %sub3.i.i.i.i = add nsw i64 %reass.sub, 849
  %7 = atomicrmw add ptr @ag_memory_kept, i64 %4 monotonic, align 8
  %add.i.i.i.i = add i64 %7, %4
  %8 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i.i.i = icmp ugt i64 %add.i.i.i.i, %8
  br i1 %cmp.not.i.i.i, label %if.end11.i.i.i, label %for.cond.preheader.i.i.i

for.cond.preheader.i.i.i:                         ; preds = %while.body.i
  %9 = ptrtoint ptr %block.addr.05.i to i64
  br label %for.body.i.i.i

for.cond.i.i.i:                                   ; preds = %for.body.i.i.i
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, 8
  br i1 %exitcond.i.i.i, label %if.end11.i.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.cond.i.i.i, %for.cond.preheader.i.i.i
  %indvars.iv.i.i.i = phi i64 [ 0, %for.cond.preheader.i.i.i ], [ %indvars.iv.next.i.i.i, %for.cond.i.i.i ]
  %arrayidx6.i.i.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i.i.i.i, i64 %indvars.iv.i.i.i
  %10 = cmpxchg ptr %arrayidx6.i.i.i, i64 0, i64 %9 release monotonic, align 8
  %11 = extractvalue { i64, i1 } %10, 1
  br i1 %11, label %give_block.exit.i, label %for.cond.i.i.i

if.end11.i.i.i:                                   ; preds = %for.cond.i.i.i, %while.body.i
  %12 = load i64, ptr %size.i.i.i, align 8
  %13 = atomicrmw sub ptr @ag_memory_kept, i64 %12 monotonic, align 8
  %add.ptr.i.i.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -16
  %14 = load ptr, ptr %add.ptr.i.i.i.i.i, align 8
  tail call void @free(ptr noundef %14)
  br label %give_block.exit.i

give_block.exit.i:                                ; preds = %for.body.i.i.i, %if.end11.i.i.i
  %tobool.not.i = icmp eq ptr %1, null
  br i1 %tobool.not.i, label %give_blocks.exit, label %while.body.i

give_blocks.exit:                                 ; preds = %give_block.exit.i, %entry
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %arena, i8 0, i64 32, i1 false)
  ret void
}

declare i64 @llvm.ctlz.i64(i64, i1 immarg)

declare void @free(ptr noundef)

declare ptr @malloc(i64 noundef)

declare i64 @llvm.umax.i64(i64, i64)
