; Made by `make runtime` of memory.c (147f1db5cd386828) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

@ag_memory_limit = global i64 268435456, align 8
@ag_memory_kept = global i64 0, align 8
@slots = internal global [640 x [8 x ptr]] zeroinitializer, align 8
@big_blocks = internal global i64 0, align 8

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

declare i64 @llvm.ctlz.i64(i64, i1 immarg)

declare void @free(ptr noundef)

declare ptr @malloc(i64 noundef)

declare i64 @llvm.umax.i64(i64, i64)
