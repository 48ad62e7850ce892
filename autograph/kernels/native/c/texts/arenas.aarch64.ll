; Made by `make runtime` of arenas.c (d353fe11aaf38a01) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

@ag_arena_limit = global i64 1073741824, align 8
@ag_arena_bytes = global i64 0, align 8

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
  %5 = atomicrmw add ptr @ag_arena_bytes, i64 %cond.i monotonic, align 8
  %add.i35.i = add i64 %5, %cond.i
  %6 = load i64, ptr @ag_arena_limit, align 8
  %cmp3.not.i = icmp ugt i64 %add.i35.i, %6
  br i1 %cmp3.not.i, label %if.end6.thread.i, label %if.end6.i

if.end6.thread.i:                                 ; preds = %next_size.exit.i
  %7 = atomicrmw sub ptr @ag_arena_bytes, i64 %cond.i monotonic, align 8
  br label %cleanup

if.end6.i:                                        ; preds = %next_size.exit.i
  %call5.i = tail call ptr @ag_take(i64 noundef %cond.i)
  %8 = atomicrmw sub ptr @ag_arena_bytes, i64 %cond.i monotonic, align 8
  %tobool.not.i = icmp eq ptr %call5.i, null
  br i1 %tobool.not.i, label %cleanup, label %if.end8.i

if.end8.i:                                        ; preds = %if.end6.i
  %size.i36.i = getelementptr inbounds i8, ptr %call5.i, i64 -8
  %9 = load i64, ptr %size.i36.i, align 8
  %10 = atomicrmw add ptr @ag_arena_bytes, i64 %9 monotonic, align 8
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

while.body.i:                                     ; preds = %if.end, %while.body.i
  %block.addr.05.i = phi ptr [ %2, %while.body.i ], [ %1, %if.end ]
  %2 = load ptr, ptr %block.addr.05.i, align 8
  %size.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -8
  %3 = load i64, ptr %size.i.i.i, align 8
  %4 = atomicrmw sub ptr @ag_arena_bytes, i64 %3 monotonic, align 8
  tail call void @ag_give(ptr noundef nonnull %block.addr.05.i, i64 noundef %3)
  %tobool.not.i = icmp eq ptr %2, null
  br i1 %tobool.not.i, label %give_blocks.exit, label %while.body.i

give_blocks.exit:                                 ; preds = %while.body.i, %if.end
  store ptr null, ptr %0, align 8
  %size.i = getelementptr inbounds i8, ptr %0, i64 -8
  %5 = load i64, ptr %size.i, align 8
  %size = getelementptr inbounds i8, ptr %arena, i64 24
  store i64 %5, ptr %size, align 8
  %pieces = getelementptr inbounds i8, ptr %0, i64 64
  store ptr %pieces, ptr %arena, align 8
  br label %cleanup

cleanup:                                          ; preds = %entry, %give_blocks.exit
  ret void
}

define void @ag_release(ptr noundef %arena) {
entry:
  %block = getelementptr inbounds i8, ptr %arena, i64 16
  %0 = load ptr, ptr %block, align 8
  %tobool.not4.i = icmp eq ptr %0, null
  br i1 %tobool.not4.i, label %give_blocks.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %while.body.i
  %block.addr.05.i = phi ptr [ %1, %while.body.i ], [ %0, %entry ]
  %1 = load ptr, ptr %block.addr.05.i, align 8
  %size.i.i.i = getelementptr inbounds i8, ptr %block.addr.05.i, i64 -8
  %2 = load i64, ptr %size.i.i.i, align 8
  %3 = atomicrmw sub ptr @ag_arena_bytes, i64 %2 monotonic, align 8
  tail call void @ag_give(ptr noundef nonnull %block.addr.05.i, i64 noundef %2)
  %tobool.not.i = icmp eq ptr %1, null
  br i1 %tobool.not.i, label %give_blocks.exit, label %while.body.i

give_blocks.exit:                                 ; preds = %while.body.i, %entry
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %arena, i8 0, i64 32, i1 false)
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

declare ptr @ag_take(i64 noundef)

declare i64 @llvm.ctlz.i64(i64, i1 immarg)

declare void @ag_give(ptr noundef, i64 noundef)

declare i64 @llvm.umax.i64(i64, i64)
