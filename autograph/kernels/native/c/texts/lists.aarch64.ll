; Made by `make runtime` of lists.c (42fa7493189fe073) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Object = type { i64, ptr }
%struct.Parts = type { i8, ptr, ptr, ptr, ptr }

@PyList_Type = external global %struct.Object, align 8
@PyTuple_Type = external global %struct.Object, align 8
@PyLong_Type = external global %struct.Object, align 8

define range(i64 0, 2) i64 @ag_numbers(ptr noundef %list, i64 noundef %of_tuples, ptr noundef %classes, ptr noundef %arrays) {
entry:
  %to = alloca %struct.Parts, align 8
  %call = tail call i64 @PyList_Size(ptr noundef %list)
  call void @llvm.lifetime.start.p0(i64 40, ptr nonnull %to)
  %tobool = icmp ne i64 %of_tuples, 0
  %storedv = zext i1 %tobool to i8
  store i8 %storedv, ptr %to, align 8
  %classes2 = getelementptr inbounds i8, ptr %to, i64 8
  store ptr %classes, ptr %classes2, align 8
  %arrays3 = getelementptr inbounds i8, ptr %to, i64 16
  store ptr %arrays, ptr %arrays3, align 8
  %class = getelementptr inbounds i8, ptr %to, i64 24
  %call4 = tail call ptr @PyTuple_GetItem(ptr noundef %classes, i64 noundef 0)
  store ptr %call4, ptr %class, align 8
  %array = getelementptr inbounds i8, ptr %to, i64 32
  %call5 = tail call ptr @PyTuple_GetItem(ptr noundef %arrays, i64 noundef 0)
  store ptr %call5, ptr %array, align 8
  %cmp.not16 = icmp slt i64 %call, 1
  br i1 %cmp.not16, label %cleanup, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %call620 = tail call ptr @PyList_GetItem(ptr noundef %list, i64 noundef 0)
  %call721 = call fastcc i1 @put_element(ptr noundef %call620, ptr noundef nonnull %to, i64 noundef 0)
  br i1 %call721, label %for.cond, label %cleanup

for.cond:                                         ; preds = %for.body.preheader, %for.body
  %i.01722 = phi i64 [ %inc, %for.body ], [ 0, %for.body.preheader ]
  %inc = add nuw nsw i64 %i.01722, 1
  %exitcond = icmp eq i64 %inc, %call
  br i1 %exitcond, label %cleanup.loopexit.loopexit, label %for.body

for.body:                                         ; preds = %for.cond
  %call6 = tail call ptr @PyList_GetItem(ptr noundef %list, i64 noundef %inc)
  %call7 = call fastcc i1 @put_element(ptr noundef %call6, ptr noundef nonnull %to, i64 noundef %inc)
  br i1 %call7, label %for.cond, label %cleanup.loopexit.loopexit

cleanup.loopexit.loopexit:                        ; preds = %for.body, %for.cond
  %cmp.not.le = icmp sge i64 %inc, %call
  %0 = zext i1 %cmp.not.le to i64
  br label %cleanup

cleanup:                                          ; preds = %for.body.preheader, %cleanup.loopexit.loopexit, %entry
  %cmp.not.lcssa = phi i64 [ 1, %entry ], [ 0, %for.body.preheader ], [ %0, %cleanup.loopexit.loopexit ]
  call void @llvm.lifetime.end.p0(i64 40, ptr nonnull %to)
  ret i64 %cmp.not.lcssa
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare i64 @PyList_Size(ptr noundef)

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef)

define internal fastcc i1 @put_element(ptr noundef %item, ptr noundef readonly %to, i64 noundef %place) {
entry:
  %overflows.i34 = alloca i32, align 4
  %overflows.i = alloca i32, align 4
  %0 = load i8, ptr %to, align 8
  %loadedv = trunc nuw i8 %0 to i1
  br i1 %loadedv, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %class = getelementptr inbounds i8, ptr %to, i64 24
  %1 = load ptr, ptr %class, align 8
  %array = getelementptr inbounds i8, ptr %to, i64 32
  %2 = load ptr, ptr %array, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflows.i)
  store i32 0, ptr %overflows.i, align 4
  %type.i = getelementptr inbounds i8, ptr %item, i64 8
  %3 = load ptr, ptr %type.i, align 8
  %cmp.not.i = icmp eq ptr %3, %1
  br i1 %cmp.not.i, label %if.end.i, label %put.exit

if.end.i:                                         ; preds = %if.then
  %cmp1.i = icmp eq ptr %1, @PyLong_Type
  %data.i = getelementptr inbounds i8, ptr %2, i64 16
  br i1 %cmp1.i, label %if.then2.i, label %if.end3.i

if.then2.i:                                       ; preds = %if.end.i
  %call.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %item, ptr noundef nonnull %overflows.i)
  %4 = load ptr, ptr %data.i, align 8
  %arrayidx.i = getelementptr inbounds i64, ptr %4, i64 %place
  store i64 %call.i, ptr %arrayidx.i, align 8
  %5 = load i32, ptr %overflows.i, align 4
  %tobool.not.i = icmp eq i32 %5, 0
  br label %put.exit

if.end3.i:                                        ; preds = %if.end.i
  %call4.i = tail call double @PyFloat_AsDouble(ptr noundef nonnull %item)
  %6 = load ptr, ptr %data.i, align 8
  %arrayidx6.i = getelementptr inbounds double, ptr %6, i64 %place
  store double %call4.i, ptr %arrayidx6.i, align 8
  br label %put.exit

put.exit:                                         ; preds = %if.then, %if.then2.i, %if.end3.i
  %retval.0.i = phi i1 [ %tobool.not.i, %if.then2.i ], [ true, %if.end3.i ], [ false, %if.then ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i)
  br label %return

if.end:                                           ; preds = %entry
  %classes = getelementptr inbounds i8, ptr %to, i64 8
  %7 = load ptr, ptr %classes, align 8
  %call1 = tail call i64 @PyTuple_Size(ptr noundef %7)
  %type = getelementptr inbounds i8, ptr %item, i64 8
  %8 = load ptr, ptr %type, align 8
  %cmp.not = icmp eq ptr %8, @PyTuple_Type
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %if.end
  %call2 = tail call i64 @PyTuple_Size(ptr noundef nonnull %item)
  %cmp3.not = icmp eq i64 %call2, %call1
  br i1 %cmp3.not, label %for.cond.preheader, label %return

for.cond.preheader:                               ; preds = %lor.lhs.false
  %cmp6.not52 = icmp slt i64 %call1, 1
  br i1 %cmp6.not52, label %return, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %arrays = getelementptr inbounds i8, ptr %to, i64 16
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %k.053 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %9 = load ptr, ptr %arrays, align 8
  %call8 = call ptr @PyTuple_GetItem(ptr noundef %9, i64 noundef %k.053)
  %call9 = call ptr @PyTuple_GetItem(ptr noundef %item, i64 noundef %k.053)
  %10 = load ptr, ptr %classes, align 8
  %call11 = call ptr @PyTuple_GetItem(ptr noundef %10, i64 noundef %k.053)
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflows.i34)
  store i32 0, ptr %overflows.i34, align 4
  %type.i35 = getelementptr inbounds i8, ptr %call9, i64 8
  %11 = load ptr, ptr %type.i35, align 8
  %cmp.not.i36 = icmp eq ptr %11, %call11
  br i1 %cmp.not.i36, label %if.end.i38, label %put.exit48.thread50

put.exit48.thread50:                              ; preds = %for.body
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i34)
  br label %return

if.end.i38:                                       ; preds = %for.body
  %cmp1.i39 = icmp eq ptr %call11, @PyLong_Type
  %data.i40 = getelementptr inbounds i8, ptr %call8, i64 16
  br i1 %cmp1.i39, label %put.exit48, label %put.exit48.thread

put.exit48.thread:                                ; preds = %if.end.i38
  %call4.i42 = call double @PyFloat_AsDouble(ptr noundef nonnull %call9)
  %12 = load ptr, ptr %data.i40, align 8
  %arrayidx6.i43 = getelementptr inbounds double, ptr %12, i64 %place
  store double %call4.i42, ptr %arrayidx6.i43, align 8
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i34)
  br label %for.inc

put.exit48:                                       ; preds = %if.end.i38
  %call.i45 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %call9, ptr noundef nonnull %overflows.i34)
  %13 = load ptr, ptr %data.i40, align 8
  %arrayidx.i46 = getelementptr inbounds i64, ptr %13, i64 %place
  store i64 %call.i45, ptr %arrayidx.i46, align 8
  %14 = load i32, ptr %overflows.i34, align 4
  %tobool.not.i47 = icmp eq i32 %14, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i34)
  br i1 %tobool.not.i47, label %for.inc, label %return

for.inc:                                          ; preds = %put.exit48.thread, %put.exit48
  %inc = add nuw nsw i64 %k.053, 1
  %exitcond = icmp eq i64 %inc, %call1
  br i1 %exitcond, label %return, label %for.body

return:                                           ; preds = %put.exit48, %for.inc, %for.cond.preheader, %put.exit48.thread50, %lor.lhs.false, %if.end, %put.exit
  %retval.4 = phi i1 [ %retval.0.i, %put.exit ], [ false, %lor.lhs.false ], [ false, %if.end ], [ false, %put.exit48.thread50 ], [ true, %for.cond.preheader ], [ false, %put.exit48 ], [ true, %for.inc ]
  ret i1 %retval.4
}

declare ptr @PyList_GetItem(ptr noundef, i64 noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

define i64 @ag_row_lengths(ptr noundef %list, ptr noundef readonly %lengths, ptr noundef readonly %seen) {
entry:
  %call = tail call i64 @PyList_Size(ptr noundef %list)
  %sizes = getelementptr inbounds i8, ptr %seen, i64 32
  %0 = load ptr, ptr %sizes, align 8
  %1 = load i64, ptr %0, align 8
  %sub = add i64 %1, -1
  %data = getelementptr inbounds i8, ptr %seen, i64 16
  %2 = load ptr, ptr %data, align 8
  %cmp.not52 = icmp sgt i64 %call, 0
  br i1 %cmp.not52, label %for.body.lr.ph, label %cleanup18

for.body.lr.ph:                                   ; preds = %entry
  %data13 = getelementptr inbounds i8, ptr %lengths, i64 16
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc17
  %i.054 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc17 ]
  %total.053 = phi i64 [ 0, %for.body.lr.ph ], [ %add15, %for.inc17 ]
  %call1 = tail call ptr @PyList_GetItem(ptr noundef %list, i64 noundef %i.054)
  %type = getelementptr inbounds i8, ptr %call1, i64 8
  %3 = load ptr, ptr %type, align 8
  %cmp2.not = icmp eq ptr %3, @PyList_Type
  br i1 %cmp2.not, label %if.end, label %cleanup18

if.end:                                           ; preds = %for.body
  %4 = ptrtoint ptr %call1 to i64
  %mul = mul i64 %4, -7046029254386353131
  %shr = lshr i64 %mul, 32
  %place.048 = and i64 %shr, %sub
  %arrayidx449 = getelementptr inbounds ptr, ptr %2, i64 %place.048
  %5 = load ptr, ptr %arrayidx449, align 8
  %tobool.not50 = icmp eq ptr %5, null
  br i1 %tobool.not50, label %for.inc17, label %for.body5

for.body5:                                        ; preds = %if.end, %for.inc
  %6 = phi ptr [ %7, %for.inc ], [ %5, %if.end ]
  %place.051 = phi i64 [ %place.0, %for.inc ], [ %place.048, %if.end ]
  %cmp7 = icmp eq ptr %6, %call1
  br i1 %cmp7, label %cleanup18, label %for.inc

for.inc:                                          ; preds = %for.body5
  %add = add i64 %place.051, 1
  %place.0 = and i64 %add, %sub
  %arrayidx4 = getelementptr inbounds ptr, ptr %2, i64 %place.0
  %7 = load ptr, ptr %arrayidx4, align 8
  %tobool.not = icmp eq ptr %7, null
  br i1 %tobool.not, label %for.inc17, label %for.body5

for.inc17:                                        ; preds = %for.inc, %if.end
  %place.0.lcssa = phi i64 [ %place.048, %if.end ], [ %place.0, %for.inc ]
  %arrayidx4.le = getelementptr inbounds ptr, ptr %2, i64 %place.0.lcssa
  store ptr %call1, ptr %arrayidx4.le, align 8
  %call12 = tail call i64 @PyList_Size(ptr noundef %call1)
  %8 = load ptr, ptr %data13, align 8
  %arrayidx14 = getelementptr inbounds i64, ptr %8, i64 %i.054
  store i64 %call12, ptr %arrayidx14, align 8
  %add15 = add nsw i64 %call12, %total.053
  %inc = add nuw nsw i64 %i.054, 1
  %exitcond.not = icmp eq i64 %inc, %call
  br i1 %exitcond.not, label %cleanup18, label %for.body

cleanup18:                                        ; preds = %for.inc17, %for.body, %for.body5, %entry
  %spec.select = phi i64 [ 0, %entry ], [ -1, %for.body5 ], [ %add15, %for.inc17 ], [ -1, %for.body ]
  ret i64 %spec.select
}

define i64 @ag_rows(ptr noundef %list, ptr noundef readonly %lengths, i64 noundef %of_tuples, ptr noundef %classes, ptr noundef %arrays) {
entry:
  %to = alloca %struct.Parts, align 8
  %call = tail call i64 @PyList_Size(ptr noundef %list)
  call void @llvm.lifetime.start.p0(i64 40, ptr nonnull %to)
  %tobool = icmp ne i64 %of_tuples, 0
  %storedv = zext i1 %tobool to i8
  store i8 %storedv, ptr %to, align 8
  %classes2 = getelementptr inbounds i8, ptr %to, i64 8
  store ptr %classes, ptr %classes2, align 8
  %arrays3 = getelementptr inbounds i8, ptr %to, i64 16
  store ptr %arrays, ptr %arrays3, align 8
  %class = getelementptr inbounds i8, ptr %to, i64 24
  %call4 = tail call ptr @PyTuple_GetItem(ptr noundef %classes, i64 noundef 0)
  store ptr %call4, ptr %class, align 8
  %array = getelementptr inbounds i8, ptr %to, i64 32
  %call5 = tail call ptr @PyTuple_GetItem(ptr noundef %arrays, i64 noundef 0)
  store ptr %call5, ptr %array, align 8
  %sizes = getelementptr inbounds i8, ptr %lengths, i64 32
  %0 = load ptr, ptr %sizes, align 8
  %1 = load i64, ptr %0, align 8
  %cmp.not = icmp eq i64 %call, %1
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup30

for.cond.preheader:                               ; preds = %entry
  %cmp6.not60 = icmp slt i64 %call, 1
  br i1 %cmp6.not60, label %cleanup27, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %data = getelementptr inbounds i8, ptr %lengths, i64 16
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc25
  %cmp6.not63 = phi i1 [ false, %for.body.lr.ph ], [ %cmp6.not, %for.inc25 ]
  %place.062 = phi i64 [ 0, %for.body.lr.ph ], [ %place.1.lcssa, %for.inc25 ]
  %i.061 = phi i64 [ 0, %for.body.lr.ph ], [ %inc26, %for.inc25 ]
  %call7 = tail call ptr @PyList_GetItem(ptr noundef %list, i64 noundef %i.061)
  %2 = load ptr, ptr %data, align 8
  %arrayidx8 = getelementptr inbounds i64, ptr %2, i64 %i.061
  %3 = load i64, ptr %arrayidx8, align 8
  %call9 = tail call i64 @PyList_Size(ptr noundef %call7)
  %cmp10.not = icmp eq i64 %call9, %3
  br i1 %cmp10.not, label %for.cond13.preheader, label %cleanup27

for.cond13.preheader:                             ; preds = %for.body
  %cmp14.not57 = icmp sgt i64 %3, 0
  br i1 %cmp14.not57, label %for.body16, label %for.inc25

for.body16:                                       ; preds = %for.cond13.preheader, %for.inc
  %k.059 = phi i64 [ %inc, %for.inc ], [ 0, %for.cond13.preheader ]
  %place.158 = phi i64 [ %inc21, %for.inc ], [ %place.062, %for.cond13.preheader ]
  %call17 = tail call ptr @PyList_GetItem(ptr noundef %call7, i64 noundef %k.059)
  %call18 = call fastcc i1 @put_element(ptr noundef %call17, ptr noundef nonnull %to, i64 noundef %place.158)
  br i1 %call18, label %for.inc, label %cleanup27

for.inc:                                          ; preds = %for.body16
  %inc = add nuw nsw i64 %k.059, 1
  %inc21 = add nsw i64 %place.158, 1
  %exitcond.not = icmp eq i64 %inc, %3
  br i1 %exitcond.not, label %for.inc25, label %for.body16

for.inc25:                                        ; preds = %for.inc, %for.cond13.preheader
  %place.1.lcssa = phi i64 [ %place.062, %for.cond13.preheader ], [ %inc21, %for.inc ]
  %inc26 = add nuw nsw i64 %i.061, 1
  %cmp6.not = icmp sge i64 %inc26, %call
  %exitcond68 = icmp eq i64 %inc26, %call
  br i1 %exitcond68, label %cleanup27, label %for.body

cleanup27:                                        ; preds = %for.inc25, %for.body, %for.body16, %for.cond.preheader
  %cmp6.not56 = phi i1 [ true, %for.cond.preheader ], [ %cmp6.not63, %for.body16 ], [ %cmp6.not, %for.inc25 ], [ %cmp6.not63, %for.body ]
  %spec.select = zext i1 %cmp6.not56 to i64
  br label %cleanup30

cleanup30:                                        ; preds = %cleanup27, %entry
  %retval.4 = phi i64 [ 0, %entry ], [ %spec.select, %cleanup27 ]
  call void @llvm.lifetime.end.p0(i64 40, ptr nonnull %to)
  ret i64 %retval.4
}

define i64 @ag_write_rows(ptr noundef %list, ptr noundef readonly %lengths, ptr noundef %items) {
entry:
  %call = tail call i64 @PyList_Size(ptr noundef %list)
  %call1 = tail call i64 @PyList_Size(ptr noundef %items)
  %sizes = getelementptr inbounds i8, ptr %lengths, i64 32
  %0 = load ptr, ptr %sizes, align 8
  %1 = load i64, ptr %0, align 8
  %cmp.not = icmp eq i64 %call, %1
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup23

for.cond.preheader:                               ; preds = %entry
  %cmp2.not49 = icmp slt i64 %call, 1
  br i1 %cmp2.not49, label %cleanup23, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %data = getelementptr inbounds i8, ptr %lengths, i64 16
  %call356 = tail call ptr @PyList_GetItem(ptr noundef %list, i64 noundef 0)
  %2 = load ptr, ptr %data, align 8
  %3 = load i64, ptr %2, align 8
  %call557 = tail call i64 @PyList_Size(ptr noundef %call356)
  %cmp6.not58 = icmp ne i64 %call557, %3
  %cmp759 = icmp sgt i64 %3, %call1
  %or.cond60 = select i1 %cmp6.not58, i1 true, i1 %cmp759
  br i1 %or.cond60, label %cleanup23, label %for.cond10.preheader

for.body:                                         ; preds = %for.inc18
  %call3 = tail call ptr @PyList_GetItem(ptr noundef %list, i64 noundef %inc19)
  %4 = load ptr, ptr %data, align 8
  %arrayidx4 = getelementptr inbounds i64, ptr %4, i64 %inc19
  %5 = load i64, ptr %arrayidx4, align 8
  %call5 = tail call i64 @PyList_Size(ptr noundef %call3)
  %cmp6.not = icmp ne i64 %call5, %5
  %add = add nsw i64 %5, %place.1.lcssa
  %cmp7 = icmp sgt i64 %add, %call1
  %or.cond = select i1 %cmp6.not, i1 true, i1 %cmp7
  br i1 %or.cond, label %cleanup20.loopexit.loopexit, label %for.cond10.preheader

for.cond10.preheader:                             ; preds = %for.body.lr.ph, %for.body
  %6 = phi i64 [ %5, %for.body ], [ %3, %for.body.lr.ph ]
  %call363 = phi ptr [ %call3, %for.body ], [ %call356, %for.body.lr.ph ]
  %i.05062 = phi i64 [ %inc19, %for.body ], [ 0, %for.body.lr.ph ]
  %place.05161 = phi i64 [ %place.1.lcssa, %for.body ], [ 0, %for.body.lr.ph ]
  %cmp1146 = icmp sgt i64 %6, 0
  br i1 %cmp1146, label %for.body13, label %for.inc18

for.body13:                                       ; preds = %for.cond10.preheader, %for.body13
  %k.048 = phi i64 [ %inc, %for.body13 ], [ 0, %for.cond10.preheader ]
  %place.147 = phi i64 [ %inc16, %for.body13 ], [ %place.05161, %for.cond10.preheader ]
  %call14 = tail call ptr @PyList_GetItem(ptr noundef %items, i64 noundef %place.147)
  tail call void @Py_IncRef(ptr noundef %call14)
  %call15 = tail call i32 @PyList_SetItem(ptr noundef %call363, i64 noundef %k.048, ptr noundef %call14)
  %inc = add nuw nsw i64 %k.048, 1
  %inc16 = add nsw i64 %place.147, 1
  %exitcond.not = icmp eq i64 %inc, %6
  br i1 %exitcond.not, label %for.inc18, label %for.body13

for.inc18:                                        ; preds = %for.body13, %for.cond10.preheader
  %place.1.lcssa = phi i64 [ %place.05161, %for.cond10.preheader ], [ %inc16, %for.body13 ]
  %inc19 = add nuw nsw i64 %i.05062, 1
  %exitcond55 = icmp eq i64 %inc19, %call
  br i1 %exitcond55, label %cleanup20.loopexit.loopexit, label %for.body

cleanup20.loopexit.loopexit:                      ; preds = %for.body, %for.inc18
  %cmp2.not.le = icmp sge i64 %inc19, %call
  %7 = zext i1 %cmp2.not.le to i64
  br label %cleanup23

cleanup23:                                        ; preds = %for.body.lr.ph, %cleanup20.loopexit.loopexit, %for.cond.preheader, %entry
  %retval.3 = phi i64 [ 0, %entry ], [ 1, %for.cond.preheader ], [ 0, %for.body.lr.ph ], [ %7, %cleanup20.loopexit.loopexit ]
  ret i64 %retval.3
}

declare void @Py_IncRef(ptr noundef)

declare i32 @PyList_SetItem(ptr noundef, i64 noundef, ptr noundef)

declare i64 @PyTuple_Size(ptr noundef)

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef)

declare double @PyFloat_AsDouble(ptr noundef)
