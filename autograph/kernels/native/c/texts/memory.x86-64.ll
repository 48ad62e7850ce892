; Made by `make runtime` of memory.c (580402ae000aea77) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@ag_memory_limit = global i64 268435456, align 8
@ag_memory_kept = global i64 0, align 8
@ag_arena_limit = global i64 1073741824, align 8
@slots = internal global [640 x [8 x ptr]] zeroinitializer, align 16
@big_blocks = internal global i64 0, align 8
@arena_bytes = internal global i64 0, align 8

define ptr @ag_take(i64 noundef %bytes) {
entry:
  %cond.i = tail call i64 @llvm.umax.i64(i64 %bytes, i64 1024)
  %sub.i = add i64 %cond.i, -1
  %0 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i, i1 true)
  %sub2.i = sub nuw nsw i64 59, %0
  %shr.i = lshr i64 %sub.i, %sub2.i
  %and.i = and i64 %shr.i, 15
  %sub1.i = shl nuw nsw i64 %0, 4
  %1 = or disjoint i64 %and.i, %sub1.i
  %or.i = xor i64 %1, 1008
  %sub3.i = add nsw i64 %or.i, -159
  %cmp = icmp ugt i64 %sub3.i, 639
  br i1 %cmp, label %cleanup10, label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 0, %entry ]
  %arrayidx2 = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %sub3.i, i64 %indvars.iv
  %2 = load atomic i64, ptr %arrayidx2 monotonic, align 8
  %tobool.not = icmp eq i64 %2, 0
  br i1 %tobool.not, label %for.inc, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %3 = cmpxchg ptr %arrayidx2, i64 %2, i64 0 acquire monotonic, align 8
  %4 = extractvalue { i64, i1 } %3, 1
  br i1 %4, label %cleanup7, label %for.inc

for.inc:                                          ; preds = %land.lhs.true, %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond, label %for.end, label %for.body

cleanup7:                                         ; preds = %land.lhs.true
  %kept.0 = inttoptr i64 %2 to ptr
  %add1.i = add nuw nsw i64 %and.i, 17
  %div3.i = lshr i64 %or.i, 4
  %sub.i20 = add nsw i64 %div3.i, -4
  %shl.i = shl i64 %add1.i, %sub.i20
  %5 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i monotonic, align 8
  br label %cleanup10

for.end:                                          ; preds = %for.inc
  %add1.i.i = add nuw nsw i64 %and.i, 17
  %div3.i.i = lshr i64 %or.i, 4
  %sub.i.i = add nsw i64 %div3.i.i, -4
  %shl.i.i = shl i64 %add1.i.i, %sub.i.i
  %cmp.i = icmp ugt i64 %shl.i.i, 16383
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %for.end
  %6 = atomicrmw add ptr @big_blocks, i64 1 monotonic, align 8
  %rem.i = urem i64 %6, 7
  %add.i = shl nuw nsw i64 %rem.i, 9
  %mul.i = add nuw nsw i64 %add.i, 512
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i, %for.end
  %into.0.i = phi i64 [ %mul.i, %if.then.i ], [ 0, %for.end ]
  %add2.i = add i64 %shl.i.i, 128
  %add3.i = add i64 %add2.i, %into.0.i
  %call4.i = tail call ptr @malloc(i64 noundef %add3.i)
  %tobool.not.i = icmp eq ptr %call4.i, null
  br i1 %tobool.not.i, label %cleanup10, label %if.end6.i

if.end6.i:                                        ; preds = %if.end.i
  %7 = ptrtoint ptr %call4.i to i64
  %add7.i = add i64 %7, 127
  %and.i21 = and i64 %add7.i, -64
  %add8.i = add i64 %and.i21, %into.0.i
  %8 = inttoptr i64 %add8.i to ptr
  %add.ptr.i.i = getelementptr inbounds i8, ptr %8, i64 -16
  store ptr %call4.i, ptr %add.ptr.i.i, align 8
  %.compoundliteral.sroa.2.0.call9.sroa_idx.i = getelementptr inbounds i8, ptr %8, i64 -8
  store i64 %sub3.i, ptr %.compoundliteral.sroa.2.0.call9.sroa_idx.i, align 8
  br label %cleanup10

cleanup10:                                        ; preds = %if.end6.i, %if.end.i, %cleanup7, %entry
  %retval.3 = phi ptr [ %kept.0, %cleanup7 ], [ null, %entry ], [ %8, %if.end6.i ], [ null, %if.end.i ]
  ret ptr %retval.3
}

define void @ag_give(ptr noundef %block, i64 noundef %bytes) {
entry:
  %tobool.not = icmp eq ptr %block, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %number.i = getelementptr inbounds i8, ptr %block, i64 -8
  %0 = load i64, ptr %number.i, align 8
  %add.i.i = add i64 %0, 159
  %rem.i.i = and i64 %add.i.i, 15
  %add1.i.i = add nuw nsw i64 %rem.i.i, 17
  %div3.i.i = lshr i64 %add.i.i, 4
  %sub.i.i = add nsw i64 %div3.i.i, -4
  %shl.i.i = shl i64 %add1.i.i, %sub.i.i
  %1 = atomicrmw add ptr @ag_memory_kept, i64 %shl.i.i monotonic, align 8
  %add.i = add i64 %shl.i.i, %1
  %2 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not = icmp ugt i64 %add.i, %2
  br i1 %cmp.not, label %if.end10, label %for.cond.preheader

for.cond.preheader:                               ; preds = %if.end
  %3 = ptrtoint ptr %block to i64
  br label %for.body

for.cond:                                         ; preds = %for.body
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond.not, label %if.end10, label %for.body

for.body:                                         ; preds = %for.cond.preheader, %for.cond
  %indvars.iv = phi i64 [ 0, %for.cond.preheader ], [ %indvars.iv.next, %for.cond ]
  %4 = load i64, ptr %number.i, align 8
  %arrayidx5 = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %4, i64 %indvars.iv
  %5 = cmpxchg ptr %arrayidx5, i64 0, i64 %3 release monotonic, align 8
  %6 = extractvalue { i64, i1 } %5, 1
  br i1 %6, label %return, label %for.cond

if.end10:                                         ; preds = %for.cond, %if.end
  %7 = load i64, ptr %number.i, align 8
  %add.i.i.i = add i64 %7, 159
  %rem.i.i.i = and i64 %add.i.i.i, 15
  %add1.i.i.i = add nuw nsw i64 %rem.i.i.i, 17
  %div3.i.i.i = lshr i64 %add.i.i.i, 4
  %sub.i.i.i = add nsw i64 %div3.i.i.i, -4
  %shl.i.i.i = shl i64 %add1.i.i.i, %sub.i.i.i
  %8 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i.i.i monotonic, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %block, i64 -16
  %9 = load ptr, ptr %add.ptr.i.i, align 8
  tail call void @free(ptr noundef %9)
  br label %return

return:                                           ; preds = %for.body, %entry, %if.end10
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
  %number.i.i = getelementptr inbounds i8, ptr %1, i64 -8
  %2 = load i64, ptr %number.i.i, align 8
  %add.i.i.i = add i64 %2, 159
  %rem.i.i.i = and i64 %add.i.i.i, 15
  %add1.i.i.i = add nuw nsw i64 %rem.i.i.i, 17
  %div3.i.i.i = lshr i64 %add.i.i.i, 4
  %sub.i.i.i = add nsw i64 %div3.i.i.i, -4
  %shl.i.i.i = shl i64 %add1.i.i.i, %sub.i.i.i
  %3 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i.i.i monotonic, align 8
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
  %number.i = getelementptr inbounds i8, ptr %block, i64 -8
  %0 = load i64, ptr %number.i, align 8
  %add.i.i = add i64 %0, 159
  %rem.i.i = and i64 %add.i.i, 15
  %add1.i.i = add nuw nsw i64 %rem.i.i, 17
  %div3.i.i = lshr i64 %add.i.i, 4
  %sub.i.i = add nsw i64 %div3.i.i, -4
  %shl.i.i = shl i64 %add1.i.i, %sub.i.i
  %cmp.not = icmp ult i64 %shl.i.i, %bytes
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %call1 = tail call ptr @ag_take(i64 noundef %bytes)
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cleanup, label %if.end.i

if.end.i:                                         ; preds = %if.end
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %call1, ptr nonnull align 1 %block, i64 %shl.i.i, i1 false)
  %1 = load i64, ptr %number.i, align 8
  %add.i.i.i = add i64 %1, 159
  %rem.i.i.i = and i64 %add.i.i.i, 15
  %add1.i.i.i = add nuw nsw i64 %rem.i.i.i, 17
  %div3.i.i.i = lshr i64 %add.i.i.i, 4
  %sub.i.i.i = add nsw i64 %div3.i.i.i, -4
  %shl.i.i.i = shl i64 %add1.i.i.i, %sub.i.i.i
  %2 = atomicrmw add ptr @ag_memory_kept, i64 %shl.i.i.i monotonic, align 8
  %add.i.i12 = add i64 %shl.i.i.i, %2
  %3 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i = icmp ugt i64 %add.i.i12, %3
  br i1 %cmp.not.i, label %if.end10.i, label %for.cond.preheader.i

for.cond.preheader.i:                             ; preds = %if.end.i
  %4 = ptrtoint ptr %block to i64
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 8
  br i1 %exitcond.not.i, label %if.end10.i, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %for.cond.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.cond.preheader.i ], [ %indvars.iv.next.i, %for.cond.i ]
  %5 = load i64, ptr %number.i, align 8
  %arrayidx5.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %5, i64 %indvars.iv.i
  %6 = cmpxchg ptr %arrayidx5.i, i64 0, i64 %4 release monotonic, align 8
  %7 = extractvalue { i64, i1 } %6, 1
  br i1 %7, label %cleanup, label %for.cond.i

if.end10.i:                                       ; preds = %for.cond.i, %if.end.i
  %8 = load i64, ptr %number.i, align 8
  %add.i.i.i.i = add i64 %8, 159
  %rem.i.i.i.i = and i64 %add.i.i.i.i, 15
  %add1.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i, 17
  %div3.i.i.i.i = lshr i64 %add.i.i.i.i, 4
  %sub.i.i.i.i = add nsw i64 %div3.i.i.i.i, -4
  %shl.i.i.i.i = shl i64 %add1.i.i.i.i, %sub.i.i.i.i
  %9 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i.i.i.i monotonic, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %block, i64 -16
  %10 = load ptr, ptr %add.ptr.i.i.i, align 8
  tail call void @free(ptr noundef %10)
  br label %cleanup

cleanup:                                          ; preds = %for.body.i, %if.end10.i, %if.end, %entry
  %retval.0 = phi ptr [ %block, %entry ], [ null, %if.end ], [ %call1, %if.end10.i ], [ %call1, %for.body.i ]
  ret ptr %retval.0
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

define void @ag_array_free(ptr noundef readnone %context, ptr noundef %block, i64 noundef %bytes) {
entry:
  %tobool.not.i = icmp eq ptr %block, null
  br i1 %tobool.not.i, label %ag_give.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %number.i.i = getelementptr inbounds i8, ptr %block, i64 -8
  %0 = load i64, ptr %number.i.i, align 8
  %add.i.i.i = add i64 %0, 159
  %rem.i.i.i = and i64 %add.i.i.i, 15
  %add1.i.i.i = add nuw nsw i64 %rem.i.i.i, 17
  %div3.i.i.i = lshr i64 %add.i.i.i, 4
  %sub.i.i.i = add nsw i64 %div3.i.i.i, -4
  %shl.i.i.i = shl i64 %add1.i.i.i, %sub.i.i.i
  %1 = atomicrmw add ptr @ag_memory_kept, i64 %shl.i.i.i monotonic, align 8
  %add.i.i = add i64 %shl.i.i.i, %1
  %2 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i = icmp ugt i64 %add.i.i, %2
  br i1 %cmp.not.i, label %if.end10.i, label %for.cond.preheader.i

for.cond.preheader.i:                             ; preds = %if.end.i
  %3 = ptrtoint ptr %block to i64
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 8
  br i1 %exitcond.not.i, label %if.end10.i, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %for.cond.preheader.i
  %indvars.iv.i = phi i64 [ 0, %for.cond.preheader.i ], [ %indvars.iv.next.i, %for.cond.i ]
  %4 = load i64, ptr %number.i.i, align 8
  %arrayidx5.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %4, i64 %indvars.iv.i
  %5 = cmpxchg ptr %arrayidx5.i, i64 0, i64 %3 release monotonic, align 8
  %6 = extractvalue { i64, i1 } %5, 1
  br i1 %6, label %ag_give.exit, label %for.cond.i

if.end10.i:                                       ; preds = %for.cond.i, %if.end.i
  %7 = load i64, ptr %number.i.i, align 8
  %add.i.i.i.i = add i64 %7, 159
  %rem.i.i.i.i = and i64 %add.i.i.i.i, 15
  %add1.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i, 17
  %div3.i.i.i.i = lshr i64 %add.i.i.i.i, 4
  %sub.i.i.i.i = add nsw i64 %div3.i.i.i.i, -4
  %shl.i.i.i.i = shl i64 %add1.i.i.i.i, %sub.i.i.i.i
  %8 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i.i.i.i monotonic, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %block, i64 -16
  %9 = load ptr, ptr %add.ptr.i.i.i, align 8
  tail call void @free(ptr noundef %9)
  br label %ag_give.exit

ag_give.exit:                                     ; preds = %for.body.i, %entry, %if.end10.i
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
  %cmp.i.i = icmp ult i64 %2, 131074
  br i1 %cmp.i.i, label %next_size.exit.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %if.end.i
  %div4.i.i = lshr i64 %2, 1
  %cmp1.i.i = icmp ugt i64 %2, 134217727
  %3 = tail call range(i64 1, 65) i64 @llvm.ctlz.i64(i64 %div4.i.i, i1 true)
  %sub.i.i = xor i64 %3, 63
  %shl.i.i = shl nuw nsw i64 1, %sub.i.i
  %cond.i.i = select i1 %cmp1.i.i, i64 67108864, i64 %shl.i.i
  br label %next_size.exit.i

next_size.exit.i:                                 ; preds = %if.end.i.i, %if.end.i
  %retval.0.i.i = phi i64 [ %cond.i.i, %if.end.i.i ], [ 65536, %if.end.i ]
  %add.i = add nuw nsw i64 %bytes, 64
  %cond.i = tail call i64 @llvm.umax.i64(i64 %retval.0.i.i, i64 %add.i)
  %sub.i34.i = add nsw i64 %cond.i, -1
  %4 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %sub.i34.i, i1 true)
  %sub2.i.i = sub nuw nsw i64 59, %4
  %shr.i.i = lshr i64 %sub.i34.i, %sub2.i.i
  %and.i.i = and i64 %shr.i.i, 15
  %add1.i.i = add nuw nsw i64 %and.i.i, 17
  %shl.i36.i = shl nuw nsw i64 %add1.i.i, %sub2.i.i
  %5 = atomicrmw add ptr @arena_bytes, i64 %shl.i36.i monotonic, align 8
  %add.i.i = add i64 %shl.i36.i, %5
  %6 = load i64, ptr @ag_arena_limit, align 8
  %cmp5.not.i = icmp ugt i64 %add.i.i, %6
  br i1 %cmp5.not.i, label %if.then9.i, label %if.end8.i

if.end8.i:                                        ; preds = %next_size.exit.i
  %call7.i = tail call ptr @ag_take(i64 noundef %shl.i36.i)
  %tobool.not.i = icmp eq ptr %call7.i, null
  br i1 %tobool.not.i, label %if.then9.i, label %if.end10.i

if.then9.i:                                       ; preds = %if.end8.i, %next_size.exit.i
  %7 = atomicrmw sub ptr @arena_bytes, i64 %shl.i36.i monotonic, align 8
  br label %cleanup

if.end10.i:                                       ; preds = %if.end8.i
  %block11.i = getelementptr inbounds i8, ptr %arena, i64 16
  %8 = load ptr, ptr %block11.i, align 8
  store ptr %8, ptr %call7.i, align 8
  %9 = load i64, ptr %size.i.i, align 8
  %add13.i = add i64 %9, %shl.i36.i
  store i64 %add13.i, ptr %size.i.i, align 8
  %pieces.i = getelementptr inbounds i8, ptr %call7.i, i64 64
  %add.ptr.i = getelementptr inbounds i8, ptr %pieces.i, i64 %bytes
  store ptr %add.ptr.i, ptr %arena, align 8
  %number.i.i.i = getelementptr inbounds i8, ptr %call7.i, i64 -8
  %10 = load i64, ptr %number.i.i.i, align 8
  %add.i.i.i.i = add i64 %10, 159
  %rem.i.i.i.i = and i64 %add.i.i.i.i, 15
  %add1.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i, 17
  %div3.i.i.i.i = lshr i64 %add.i.i.i.i, 4
  %sub.i.i.i.i = add nsw i64 %div3.i.i.i.i, -4
  %shl.i.i.i.i = shl i64 %add1.i.i.i.i, %sub.i.i.i.i
  %add.ptr.i.i = getelementptr inbounds i8, ptr %call7.i, i64 %shl.i.i.i.i
  %end.i.i = getelementptr inbounds i8, ptr %arena, i64 8
  store ptr %add.ptr.i.i, ptr %end.i.i, align 8
  store ptr %call7.i, ptr %block11.i, align 8
  br label %cleanup

if.end:                                           ; preds = %lor.lhs.false
  %add.ptr = getelementptr inbounds i8, ptr %0, i64 %bytes
  store ptr %add.ptr, ptr %arena, align 8
  br label %cleanup

cleanup:                                          ; preds = %if.end10.i, %if.then9.i, %if.then, %if.end
  %retval.0 = phi ptr [ %0, %if.end ], [ null, %if.then ], [ %pieces.i, %if.end10.i ], [ null, %if.then9.i ]
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
  %number.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -8
  %3 = load i64, ptr %number.i.i.i, align 8
  %add.i.i.i.i = add i64 %3, 159
  %rem.i.i.i.i = and i64 %add.i.i.i.i, 15
  %add1.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i, 17
  %div3.i.i.i.i = lshr i64 %add.i.i.i.i, 4
  %sub.i.i.i.i = add nsw i64 %div3.i.i.i.i, -4
  %shl.i.i.i.i = shl i64 %add1.i.i.i.i, %sub.i.i.i.i
  %4 = atomicrmw sub ptr @arena_bytes, i64 %shl.i.i.i.i monotonic, align 8
  %5 = load i64, ptr %number.i.i.i, align 8
  %add.i.i.i.i.i = add i64 %5, 159
  %rem.i.i.i.i.i = and i64 %add.i.i.i.i.i, 15
  %add1.i.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i.i, 17
  %div3.i.i.i.i.i = lshr i64 %add.i.i.i.i.i, 4
  %sub.i.i.i.i.i = add nsw i64 %div3.i.i.i.i.i, -4
  %shl.i.i.i.i.i = shl i64 %add1.i.i.i.i.i, %sub.i.i.i.i.i
  %6 = atomicrmw add ptr @ag_memory_kept, i64 %shl.i.i.i.i.i monotonic, align 8
  %add.i.i3.i.i = add i64 %shl.i.i.i.i.i, %6
  %7 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i.i.i = icmp ugt i64 %add.i.i3.i.i, %7
  br i1 %cmp.not.i.i.i, label %if.end10.i.i.i, label %for.cond.preheader.i.i.i

for.cond.preheader.i.i.i:                         ; preds = %while.body.i
  %8 = ptrtoint ptr %block.addr.05.i to i64
  br label %for.body.i.i.i

for.cond.i.i.i:                                   ; preds = %for.body.i.i.i
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, 8
  br i1 %exitcond.not.i.i.i, label %if.end10.i.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.cond.i.i.i, %for.cond.preheader.i.i.i
  %indvars.iv.i.i.i = phi i64 [ 0, %for.cond.preheader.i.i.i ], [ %indvars.iv.next.i.i.i, %for.cond.i.i.i ]
  %9 = load i64, ptr %number.i.i.i, align 8
  %arrayidx5.i.i.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %9, i64 %indvars.iv.i.i.i
  %10 = cmpxchg ptr %arrayidx5.i.i.i, i64 0, i64 %8 release monotonic, align 8
  %11 = extractvalue { i64, i1 } %10, 1
  br i1 %11, label %give_block.exit.i, label %for.cond.i.i.i

if.end10.i.i.i:                                   ; preds = %for.cond.i.i.i, %while.body.i
  %12 = load i64, ptr %number.i.i.i, align 8
  %add.i.i.i.i.i.i = add i64 %12, 159
  %rem.i.i.i.i.i.i = and i64 %add.i.i.i.i.i.i, 15
  %add1.i.i.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i.i.i, 17
  %div3.i.i.i.i.i.i = lshr i64 %add.i.i.i.i.i.i, 4
  %sub.i.i.i.i.i.i = add nsw i64 %div3.i.i.i.i.i.i, -4
  %shl.i.i.i.i.i.i = shl i64 %add1.i.i.i.i.i.i, %sub.i.i.i.i.i.i
  %13 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i.i.i.i.i.i monotonic, align 8
  %add.ptr.i.i.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -16
  %14 = load ptr, ptr %add.ptr.i.i.i.i.i, align 8
  tail call void @free(ptr noundef %14)
  br label %give_block.exit.i

give_block.exit.i:                                ; preds = %for.body.i.i.i, %if.end10.i.i.i
  %tobool.not.i = icmp eq ptr %2, null
  br i1 %tobool.not.i, label %give_blocks.exit, label %while.body.i

give_blocks.exit:                                 ; preds = %give_block.exit.i, %if.end
  store ptr null, ptr %0, align 8
  %number.i = getelementptr inbounds i8, ptr %0, i64 -8
  %15 = load i64, ptr %number.i, align 8
  %add.i.i = add i64 %15, 159
  %rem.i.i = and i64 %add.i.i, 15
  %add1.i.i = add nuw nsw i64 %rem.i.i, 17
  %div3.i.i = lshr i64 %add.i.i, 4
  %sub.i.i = add nsw i64 %div3.i.i, -4
  %shl.i.i = shl i64 %add1.i.i, %sub.i.i
  %size = getelementptr inbounds i8, ptr %arena, i64 24
  store i64 %shl.i.i, ptr %size, align 8
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
  %number.i.i = getelementptr inbounds i8, ptr %block.0.i, i64 -8
  %2 = load i64, ptr %number.i.i, align 8
  %add.i.i.i = add i64 %2, 159
  %rem.i.i.i = and i64 %add.i.i.i, 15
  %add1.i.i.i = add nuw nsw i64 %rem.i.i.i, 17
  %div3.i.i.i = lshr i64 %add.i.i.i, 4
  %sub.i.i.i = add nsw i64 %div3.i.i.i, -4
  %shl.i.i.i = shl i64 %add1.i.i.i, %sub.i.i.i
  %cmp.i = icmp ult i64 %sub.i, %shl.i.i.i
  %cmp = icmp eq ptr %block.0.i, %block
  br i1 %cmp.i, label %if.end.thread, label %if.end.i

if.end.i:                                         ; preds = %for.body.i
  br i1 %cmp, label %if.end, label %for.cond.i

if.end.thread:                                    ; preds = %for.body.i
  %cmp2 = icmp ult ptr %newest, %cursor
  %or.cond = and i1 %cmp2, %cmp
  %add.ptr = getelementptr inbounds i8, ptr %newest, i64 %bytes
  %spec.select59 = select i1 %or.cond, ptr %cursor, ptr %add.ptr
  br label %while.cond.preheader

if.end:                                           ; preds = %if.end.i, %for.cond.i
  %tobool3.not = icmp eq ptr %block, null
  br i1 %tobool3.not, label %if.then4, label %while.cond.preheader

while.cond.preheader:                             ; preds = %if.end.thread, %if.end
  %cursor.addr.067 = phi ptr [ %spec.select59, %if.end.thread ], [ %cursor, %if.end ]
  %block.addr.066 = phi ptr [ %block.0.i, %if.end.thread ], [ %block, %if.end ]
  %3 = load ptr, ptr %block1.i, align 8
  %cmp7.not61 = icmp eq ptr %3, %block.addr.066
  br i1 %cmp7.not61, label %while.end, label %while.body.lr.ph

while.body.lr.ph:                                 ; preds = %while.cond.preheader
  %size = getelementptr inbounds i8, ptr %arena, i64 24
  br label %while.body

if.then4:                                         ; preds = %if.end
  tail call void @ag_rewind(ptr noundef %arena)
  br label %cleanup

while.body:                                       ; preds = %while.body.lr.ph, %give_block.exit
  %4 = phi ptr [ %3, %while.body.lr.ph ], [ %20, %give_block.exit ]
  %5 = load ptr, ptr %4, align 8
  store ptr %5, ptr %block1.i, align 8
  %number.i = getelementptr inbounds i8, ptr %4, i64 -8
  %6 = load i64, ptr %number.i, align 8
  %add.i.i = add i64 %6, 159
  %rem.i.i = and i64 %add.i.i, 15
  %add1.i.i = add nuw nsw i64 %rem.i.i, 17
  %div3.i.i = lshr i64 %add.i.i, 4
  %sub.i.i = add nsw i64 %div3.i.i, -4
  %shl.i.i = shl i64 %add1.i.i, %sub.i.i
  %7 = load i64, ptr %size, align 8
  %sub = sub i64 %7, %shl.i.i
  store i64 %sub, ptr %size, align 8
  %8 = load i64, ptr %number.i, align 8
  %add.i.i.i37 = add i64 %8, 159
  %rem.i.i.i38 = and i64 %add.i.i.i37, 15
  %add1.i.i.i39 = add nuw nsw i64 %rem.i.i.i38, 17
  %div3.i.i.i40 = lshr i64 %add.i.i.i37, 4
  %sub.i.i.i41 = add nsw i64 %div3.i.i.i40, -4
  %shl.i.i.i42 = shl i64 %add1.i.i.i39, %sub.i.i.i41
  %9 = atomicrmw sub ptr @arena_bytes, i64 %shl.i.i.i42 monotonic, align 8
  %10 = load i64, ptr %number.i, align 8
  %add.i.i.i.i = add i64 %10, 159
  %rem.i.i.i.i = and i64 %add.i.i.i.i, 15
  %add1.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i, 17
  %div3.i.i.i.i = lshr i64 %add.i.i.i.i, 4
  %sub.i.i.i.i = add nsw i64 %div3.i.i.i.i, -4
  %shl.i.i.i.i = shl i64 %add1.i.i.i.i, %sub.i.i.i.i
  %11 = atomicrmw add ptr @ag_memory_kept, i64 %shl.i.i.i.i monotonic, align 8
  %add.i.i3.i = add i64 %shl.i.i.i.i, %11
  %12 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i.i = icmp ugt i64 %add.i.i3.i, %12
  br i1 %cmp.not.i.i, label %if.end10.i.i, label %for.cond.preheader.i.i

for.cond.preheader.i.i:                           ; preds = %while.body
  %13 = ptrtoint ptr %4 to i64
  br label %for.body.i.i

for.cond.i.i:                                     ; preds = %for.body.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, 8
  br i1 %exitcond.not.i.i, label %if.end10.i.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i, %for.cond.preheader.i.i
  %indvars.iv.i.i = phi i64 [ 0, %for.cond.preheader.i.i ], [ %indvars.iv.next.i.i, %for.cond.i.i ]
  %14 = load i64, ptr %number.i, align 8
  %arrayidx5.i.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %14, i64 %indvars.iv.i.i
  %15 = cmpxchg ptr %arrayidx5.i.i, i64 0, i64 %13 release monotonic, align 8
  %16 = extractvalue { i64, i1 } %15, 1
  br i1 %16, label %give_block.exit, label %for.cond.i.i

if.end10.i.i:                                     ; preds = %for.cond.i.i, %while.body
  %17 = load i64, ptr %number.i, align 8
  %add.i.i.i.i.i = add i64 %17, 159
  %rem.i.i.i.i.i = and i64 %add.i.i.i.i.i, 15
  %add1.i.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i.i, 17
  %div3.i.i.i.i.i = lshr i64 %add.i.i.i.i.i, 4
  %sub.i.i.i.i.i = add nsw i64 %div3.i.i.i.i.i, -4
  %shl.i.i.i.i.i = shl i64 %add1.i.i.i.i.i, %sub.i.i.i.i.i
  %18 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i.i.i.i.i monotonic, align 8
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %4, i64 -16
  %19 = load ptr, ptr %add.ptr.i.i.i.i, align 8
  tail call void @free(ptr noundef %19)
  br label %give_block.exit

give_block.exit:                                  ; preds = %for.body.i.i, %if.end10.i.i
  %20 = load ptr, ptr %block1.i, align 8
  %cmp7.not = icmp eq ptr %20, %block.addr.066
  br i1 %cmp7.not, label %while.end, label %while.body

while.end:                                        ; preds = %give_block.exit, %while.cond.preheader
  %number.i43 = getelementptr inbounds i8, ptr %block.addr.066, i64 -8
  %21 = load i64, ptr %number.i43, align 8
  %add.i.i44 = add i64 %21, 159
  %rem.i.i45 = and i64 %add.i.i44, 15
  %add1.i.i46 = add nuw nsw i64 %rem.i.i45, 17
  %div3.i.i47 = lshr i64 %add.i.i44, 4
  %sub.i.i48 = add nsw i64 %div3.i.i47, -4
  %shl.i.i49 = shl i64 %add1.i.i46, %sub.i.i48
  %add.ptr12 = getelementptr inbounds i8, ptr %block.addr.066, i64 %shl.i.i49
  %cmp13 = icmp ult ptr %cursor.addr.067, %add.ptr12
  %cond = select i1 %cmp13, ptr %cursor.addr.067, ptr %add.ptr12
  store ptr %cond, ptr %arena, align 8
  %22 = load i64, ptr %number.i43, align 8
  %add.i.i.i51 = add i64 %22, 159
  %rem.i.i.i52 = and i64 %add.i.i.i51, 15
  %add1.i.i.i53 = add nuw nsw i64 %rem.i.i.i52, 17
  %div3.i.i.i54 = lshr i64 %add.i.i.i51, 4
  %sub.i.i.i55 = add nsw i64 %div3.i.i.i54, -4
  %shl.i.i.i56 = shl i64 %add1.i.i.i53, %sub.i.i.i55
  %add.ptr.i = getelementptr inbounds i8, ptr %block.addr.066, i64 %shl.i.i.i56
  %end.i = getelementptr inbounds i8, ptr %arena, i64 8
  store ptr %add.ptr.i, ptr %end.i, align 8
  store ptr %block.addr.066, ptr %block1.i, align 8
  br label %cleanup

cleanup:                                          ; preds = %while.end, %if.then4
  ret void
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
  %number.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -8
  %2 = load i64, ptr %number.i.i.i, align 8
  %add.i.i.i.i = add i64 %2, 159
  %rem.i.i.i.i = and i64 %add.i.i.i.i, 15
  %add1.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i, 17
  %div3.i.i.i.i = lshr i64 %add.i.i.i.i, 4
  %sub.i.i.i.i = add nsw i64 %div3.i.i.i.i, -4
  %shl.i.i.i.i = shl i64 %add1.i.i.i.i, %sub.i.i.i.i
  %3 = atomicrmw sub ptr @arena_bytes, i64 %shl.i.i.i.i monotonic, align 8
  %4 = load i64, ptr %number.i.i.i, align 8
  %add.i.i.i.i.i = add i64 %4, 159
  %rem.i.i.i.i.i = and i64 %add.i.i.i.i.i, 15
  %add1.i.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i.i, 17
  %div3.i.i.i.i.i = lshr i64 %add.i.i.i.i.i, 4
  %sub.i.i.i.i.i = add nsw i64 %div3.i.i.i.i.i, -4
  %shl.i.i.i.i.i = shl i64 %add1.i.i.i.i.i, %sub.i.i.i.i.i
  %5 = atomicrmw add ptr @ag_memory_kept, i64 %shl.i.i.i.i.i monotonic, align 8
  %add.i.i3.i.i = add i64 %shl.i.i.i.i.i, %5
  %6 = load i64, ptr @ag_memory_limit, align 8
  %cmp.not.i.i.i = icmp ugt i64 %add.i.i3.i.i, %6
  br i1 %cmp.not.i.i.i, label %if.end10.i.i.i, label %for.cond.preheader.i.i.i

for.cond.preheader.i.i.i:                         ; preds = %while.body.i
  %7 = ptrtoint ptr %block.addr.05.i to i64
  br label %for.body.i.i.i

for.cond.i.i.i:                                   ; preds = %for.body.i.i.i
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, 8
  br i1 %exitcond.not.i.i.i, label %if.end10.i.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.cond.i.i.i, %for.cond.preheader.i.i.i
  %indvars.iv.i.i.i = phi i64 [ 0, %for.cond.preheader.i.i.i ], [ %indvars.iv.next.i.i.i, %for.cond.i.i.i ]
  %8 = load i64, ptr %number.i.i.i, align 8
  %arrayidx5.i.i.i = getelementptr inbounds [640 x [8 x ptr]], ptr @slots, i64 0, i64 %8, i64 %indvars.iv.i.i.i
  %9 = cmpxchg ptr %arrayidx5.i.i.i, i64 0, i64 %7 release monotonic, align 8
  %10 = extractvalue { i64, i1 } %9, 1
  br i1 %10, label %give_block.exit.i, label %for.cond.i.i.i

if.end10.i.i.i:                                   ; preds = %for.cond.i.i.i, %while.body.i
  %11 = load i64, ptr %number.i.i.i, align 8
  %add.i.i.i.i.i.i = add i64 %11, 159
  %rem.i.i.i.i.i.i = and i64 %add.i.i.i.i.i.i, 15
  %add1.i.i.i.i.i.i = add nuw nsw i64 %rem.i.i.i.i.i.i, 17
  %div3.i.i.i.i.i.i = lshr i64 %add.i.i.i.i.i.i, 4
  %sub.i.i.i.i.i.i = add nsw i64 %div3.i.i.i.i.i.i, -4
  %shl.i.i.i.i.i.i = shl i64 %add1.i.i.i.i.i.i, %sub.i.i.i.i.i.i
  %12 = atomicrmw sub ptr @ag_memory_kept, i64 %shl.i.i.i.i.i.i monotonic, align 8
  %add.ptr.i.i.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -16
  %13 = load ptr, ptr %add.ptr.i.i.i.i.i, align 8
  tail call void @free(ptr noundef %13)
  br label %give_block.exit.i

give_block.exit.i:                                ; preds = %for.body.i.i.i, %if.end10.i.i.i
  %tobool.not.i = icmp eq ptr %1, null
  br i1 %tobool.not.i, label %give_blocks.exit, label %while.body.i

give_blocks.exit:                                 ; preds = %give_block.exit.i, %entry
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %arena, i8 0, i64 32, i1 false)
  ret void
}

declare i64 @llvm.ctlz.i64(i64, i1 immarg)

declare ptr @malloc(i64 noundef)

declare void @free(ptr noundef)

declare i64 @llvm.umax.i64(i64, i64)
