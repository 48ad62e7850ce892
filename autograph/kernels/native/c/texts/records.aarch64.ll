; Made by `make runtime` of records.c (7de8be4ddc98609d) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Piece = type { ptr, i64 }

@ag_arena_bytes = external global i64, align 8

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
  %spec.select41 = select i1 %or.cond, ptr %cursor, ptr %add.ptr
  br label %while.cond.preheader

if.end:                                           ; preds = %if.end.i, %for.cond.i
  %tobool3.not = icmp eq ptr %block, null
  br i1 %tobool3.not, label %if.then4, label %while.cond.preheader

while.cond.preheader:                             ; preds = %if.end.thread, %if.end
  %cursor.addr.049 = phi ptr [ %spec.select41, %if.end.thread ], [ %cursor, %if.end ]
  %block.addr.048 = phi ptr [ %block.0.i, %if.end.thread ], [ %block, %if.end ]
  %3 = load ptr, ptr %block1.i, align 8
  %cmp7.not43 = icmp eq ptr %3, %block.addr.048
  br i1 %cmp7.not43, label %while.end, label %while.body.lr.ph

while.body.lr.ph:                                 ; preds = %while.cond.preheader
  %size = getelementptr inbounds i8, ptr %arena, i64 24
  br label %while.body

if.then4:                                         ; preds = %if.end
  tail call void @ag_rewind(ptr noundef %arena)
  br label %cleanup

while.body:                                       ; preds = %while.body.lr.ph, %while.body
  %4 = phi ptr [ %3, %while.body.lr.ph ], [ %10, %while.body ]
  %5 = load ptr, ptr %4, align 8
  store ptr %5, ptr %block1.i, align 8
  %size.i = getelementptr inbounds i8, ptr %4, i64 -8
  %6 = load i64, ptr %size.i, align 8
  %7 = load i64, ptr %size, align 8
  %sub = sub i64 %7, %6
  store i64 %sub, ptr %size, align 8
  %8 = load i64, ptr %size.i, align 8
  %9 = atomicrmw sub ptr @ag_arena_bytes, i64 %8 monotonic, align 8
  tail call void @ag_give(ptr noundef nonnull %4, i64 noundef %8)
  %10 = load ptr, ptr %block1.i, align 8
  %cmp7.not = icmp eq ptr %10, %block.addr.048
  br i1 %cmp7.not, label %while.end, label %while.body

while.end:                                        ; preds = %while.body, %while.cond.preheader
  %size.i37 = getelementptr inbounds i8, ptr %block.addr.048, i64 -8
  %11 = load i64, ptr %size.i37, align 8
  %add.ptr12 = getelementptr inbounds i8, ptr %block.addr.048, i64 %11
  %cmp13 = icmp ult ptr %cursor.addr.049, %add.ptr12
  %cond = select i1 %cmp13, ptr %cursor.addr.049, ptr %add.ptr12
  store ptr %cond, ptr %arena, align 8
  %12 = load i64, ptr %size.i37, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %block.addr.048, i64 %12
  %end.i = getelementptr inbounds i8, ptr %arena, i64 8
  store ptr %add.ptr.i, ptr %end.i, align 8
  store ptr %block.addr.048, ptr %block1.i, align 8
  br label %cleanup

cleanup:                                          ; preds = %while.end, %if.then4
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare void @ag_rewind(ptr noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

define range(i32 0, 2) i32 @ag_keep(ptr noundef %arena, ptr noundef %cursor, ptr noundef %block, ptr noundef %pieces, i64 noundef %count) {
entry:
  %few = alloca [512 x i8], align 1
  %cmp144.not = icmp eq i64 %count, 0
  br i1 %cmp144.not, label %if.end16.thread, label %for.body.lr.ph

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
  %kept.0146 = phi i64 [ 0, %for.body.lr.ph ], [ %add9, %if.end ]
  %k.0145 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end ]
  %arrayidx = getelementptr inbounds %struct.Piece, ptr %pieces, i64 %k.0145
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
  %add9 = add i64 %5, %kept.0146
  %inc = add nuw i64 %k.0145, 1
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
  %cond22167 = phi ptr [ %call20, %cond.end21 ], [ %few, %if.end16 ], [ %few, %if.end16.thread ]
  %kept.0.lcssa161166 = phi i64 [ %add9, %cond.end21 ], [ %add9, %if.end16 ], [ 0, %if.end16.thread ]
  br i1 %cmp144.not, label %for.cond.cleanup29, label %for.body30

for.cond.cleanup29:                               ; preds = %for.body30, %for.cond27.preheader
  %block1.i.i = getelementptr inbounds i8, ptr %arena, i64 16
  br label %for.cond.i.i

for.cond.i.i:                                     ; preds = %if.end.i.i, %for.cond.cleanup29
  %block.0.in.i.i = phi ptr [ %block1.i.i, %for.cond.cleanup29 ], [ %block.0.i.i, %if.end.i.i ]
  %block.0.i.i = load ptr, ptr %block.0.in.i.i, align 8
  %tobool.not.i.i = icmp eq ptr %block.0.i.i, null
  br i1 %tobool.not.i.i, label %if.end.i130, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i
  %9 = ptrtoint ptr %block.0.i.i to i64
  %sub.i.i = sub i64 0, %9
  %size.i.i.i = getelementptr inbounds i8, ptr %block.0.i.i, i64 -8
  %10 = load i64, ptr %size.i.i.i, align 8
  %cmp.i.i = icmp ugt i64 %10, %sub.i.i
  %cmp.i134 = icmp eq ptr %block.0.i.i, %block
  br i1 %cmp.i.i, label %if.end.thread.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %for.body.i.i
  br i1 %cmp.i134, label %if.end.i130, label %for.cond.i.i

if.end.thread.i:                                  ; preds = %for.body.i.i
  %spec.select41.i = select i1 %cmp.i134, ptr %cursor, ptr null
  br label %while.cond.preheader.i

if.end.i130:                                      ; preds = %if.end.i.i, %for.cond.i.i
  %tobool3.not.i = icmp eq ptr %block, null
  br i1 %tobool3.not.i, label %if.then4.i, label %while.cond.preheader.i

while.cond.preheader.i:                           ; preds = %if.end.i130, %if.end.thread.i
  %cursor.addr.049.i = phi ptr [ %spec.select41.i, %if.end.thread.i ], [ %cursor, %if.end.i130 ]
  %block.addr.048.i = phi ptr [ %block.0.i.i, %if.end.thread.i ], [ %block, %if.end.i130 ]
  %11 = load ptr, ptr %block1.i.i, align 8
  %cmp7.not43.i = icmp eq ptr %11, %block.addr.048.i
  br i1 %cmp7.not43.i, label %while.end.i, label %while.body.lr.ph.i

while.body.lr.ph.i:                               ; preds = %while.cond.preheader.i
  %size.i = getelementptr inbounds i8, ptr %arena, i64 24
  br label %while.body.i

if.then4.i:                                       ; preds = %if.end.i130
  tail call void @ag_rewind(ptr noundef %arena)
  br label %ag_rewind_to.exit

while.body.i:                                     ; preds = %while.body.i, %while.body.lr.ph.i
  %12 = phi ptr [ %11, %while.body.lr.ph.i ], [ %18, %while.body.i ]
  %13 = load ptr, ptr %12, align 8
  store ptr %13, ptr %block1.i.i, align 8
  %size.i.i131 = getelementptr inbounds i8, ptr %12, i64 -8
  %14 = load i64, ptr %size.i.i131, align 8
  %15 = load i64, ptr %size.i, align 8
  %sub.i132 = sub i64 %15, %14
  store i64 %sub.i132, ptr %size.i, align 8
  %16 = load i64, ptr %size.i.i131, align 8
  %17 = atomicrmw sub ptr @ag_arena_bytes, i64 %16 monotonic, align 8
  tail call void @ag_give(ptr noundef nonnull %12, i64 noundef %16)
  %18 = load ptr, ptr %block1.i.i, align 8
  %cmp7.not.i = icmp eq ptr %18, %block.addr.048.i
  br i1 %cmp7.not.i, label %while.end.i, label %while.body.i

while.end.i:                                      ; preds = %while.body.i, %while.cond.preheader.i
  %size.i37.i = getelementptr inbounds i8, ptr %block.addr.048.i, i64 -8
  %19 = load i64, ptr %size.i37.i, align 8
  %add.ptr12.i = getelementptr inbounds i8, ptr %block.addr.048.i, i64 %19
  %cmp13.i = icmp ult ptr %cursor.addr.049.i, %add.ptr12.i
  %cond.i133 = select i1 %cmp13.i, ptr %cursor.addr.049.i, ptr %add.ptr12.i
  store ptr %cond.i133, ptr %arena, align 8
  %20 = load i64, ptr %size.i37.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %block.addr.048.i, i64 %20
  %end.i.i = getelementptr inbounds i8, ptr %arena, i64 8
  store ptr %add.ptr.i.i, ptr %end.i.i, align 8
  store ptr %block.addr.048.i, ptr %block1.i.i, align 8
  br label %ag_rewind_to.exit

ag_rewind_to.exit:                                ; preds = %if.then4.i, %while.end.i
  br i1 %cmp144.not, label %cleanup66, label %for.body44

for.body30:                                       ; preds = %for.cond27.preheader, %for.body30
  %k26.0149 = phi i64 [ %inc36, %for.body30 ], [ 0, %for.cond27.preheader ]
  %copy.0148 = phi ptr [ %add.ptr, %for.body30 ], [ %cond22167, %for.cond27.preheader ]
  %arrayidx31 = getelementptr inbounds %struct.Piece, ptr %pieces, i64 %k26.0149
  %21 = load ptr, ptr %arrayidx31, align 8
  %bytes34 = getelementptr inbounds i8, ptr %arrayidx31, i64 8
  %22 = load i64, ptr %bytes34, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %copy.0148, ptr align 1 %21, i64 %22, i1 false)
  %inc36 = add nuw i64 %k26.0149, 1
  %23 = load i64, ptr %bytes34, align 8
  %add.ptr = getelementptr inbounds i8, ptr %copy.0148, i64 %23
  %exitcond157.not = icmp eq i64 %inc36, %count
  br i1 %exitcond157.not, label %for.cond.cleanup29, label %for.body30

for.body44:                                       ; preds = %ag_rewind_to.exit, %for.inc61
  %k40.0152 = phi i64 [ %inc62, %for.inc61 ], [ 0, %ag_rewind_to.exit ]
  %copy.1151 = phi ptr [ %add.ptr65, %for.inc61 ], [ %cond22167, %ag_rewind_to.exit ]
  %arrayidx45 = getelementptr inbounds %struct.Piece, ptr %pieces, i64 %k40.0152
  %bytes46 = getelementptr inbounds i8, ptr %arrayidx45, i64 8
  %24 = load i64, ptr %bytes46, align 8
  %tobool47.not = icmp eq i64 %24, 0
  br i1 %tobool47.not, label %for.inc61, label %if.end49

if.end49:                                         ; preds = %for.body44
  %call53 = tail call ptr @ag_reserve(ptr noundef %arena, i64 noundef %24)
  %tobool54.not.not = icmp eq ptr %call53, null
  br i1 %tobool54.not.not, label %cleanup66, label %cleanup

cleanup:                                          ; preds = %if.end49
  %25 = load i64, ptr %bytes46, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %call53, ptr align 1 %copy.1151, i64 %25, i1 false)
  store ptr %call53, ptr %arrayidx45, align 8
  %.pre = load i64, ptr %bytes46, align 8
  br label %for.inc61

for.inc61:                                        ; preds = %cleanup, %for.body44
  %26 = phi i64 [ %.pre, %cleanup ], [ 0, %for.body44 ]
  %inc62 = add nuw i64 %k40.0152, 1
  %add.ptr65 = getelementptr inbounds i8, ptr %copy.1151, i64 %26
  %exitcond158.not = icmp eq i64 %inc62, %count
  br i1 %exitcond158.not, label %cleanup66, label %for.body44

cleanup66:                                        ; preds = %for.inc61, %if.end49, %ag_rewind_to.exit
  %found.3 = phi i32 [ 1, %ag_rewind_to.exit ], [ 0, %if.end49 ], [ 1, %for.inc61 ]
  %cmp69.not = icmp eq ptr %cond22167, %few
  br i1 %cmp69.not, label %cleanup74, label %if.then70

if.then70:                                        ; preds = %cleanup66
  call void @ag_give(ptr noundef nonnull %cond22167, i64 noundef %kept.0.lcssa161166)
  br label %cleanup74

cleanup74:                                        ; preds = %cleanup66, %if.then70, %cond.end21
  %retval.0 = phi i32 [ 0, %cond.end21 ], [ %found.3, %if.then70 ], [ %found.3, %cleanup66 ]
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %few)
  br label %cleanup76

cleanup76:                                        ; preds = %reserved_since.exit, %cleanup74
  %retval.1 = phi i32 [ %retval.0, %cleanup74 ], [ 1, %reserved_since.exit ]
  ret i32 %retval.1
}

declare ptr @ag_take(i64 noundef)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

declare ptr @ag_reserve(ptr noundef, i64 noundef)

declare void @ag_give(ptr noundef, i64 noundef)
