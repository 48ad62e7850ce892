; Made by `make runtime` of lists.c (05904712f8a0e539) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Object = type { i64, ptr }

@PyTuple_Type = external global %struct.Object, align 8
@PyLong_Type = external global %struct.Object, align 8

define i64 @ag_numbers(ptr noundef %list, i64 noundef %of_tuples, ptr noundef %classes, ptr noundef %arrays) {
entry:
  %overflows.i54 = alloca i32, align 4
  %overflows.i = alloca i32, align 4
  %call = tail call i64 @PyList_Size(ptr noundef %list)
  %call1 = tail call i64 @PyTuple_Size(ptr noundef %classes)
  %call2 = tail call ptr @PyTuple_GetItem(ptr noundef %classes, i64 noundef 0)
  %call3 = tail call ptr @PyTuple_GetItem(ptr noundef %arrays, i64 noundef 0)
  %cmp.not88 = icmp slt i64 %call, 1
  br i1 %cmp.not88, label %cleanup27, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %tobool.not = icmp eq i64 %of_tuples, 0
  %cmp14.not86 = icmp sgt i64 %call1, 0
  %cmp1.i = icmp eq ptr %call2, @PyLong_Type
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc25
  %cmp.not92 = phi i1 [ false, %for.body.lr.ph ], [ %cmp.not, %for.inc25 ]
  %i.090 = phi i64 [ 0, %for.body.lr.ph ], [ %inc26, %for.inc25 ]
  %array.089 = phi ptr [ %call3, %for.body.lr.ph ], [ %array.3, %for.inc25 ]
  %call4 = call ptr @PyList_GetItem(ptr noundef %list, i64 noundef %i.090)
  br i1 %tobool.not, label %if.then, label %if.end7

if.then:                                          ; preds = %for.body
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflows.i)
  store i32 0, ptr %overflows.i, align 4
  %type.i = getelementptr inbounds i8, ptr %call4, i64 8
  %0 = load ptr, ptr %type.i, align 8
  %cmp.not.i = icmp eq ptr %0, %call2
  br i1 %cmp.not.i, label %if.end.i, label %put.exit.thread71

put.exit.thread71:                                ; preds = %if.then
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i)
  br label %cleanup27

if.end.i:                                         ; preds = %if.then
  %data.i = getelementptr inbounds i8, ptr %array.089, i64 16
  br i1 %cmp1.i, label %put.exit, label %put.exit.thread

put.exit.thread:                                  ; preds = %if.end.i
  %call4.i = call double @PyFloat_AsDouble(ptr noundef nonnull %call4)
  %1 = load ptr, ptr %data.i, align 8
  %arrayidx6.i = getelementptr inbounds double, ptr %1, i64 %i.090
  store double %call4.i, ptr %arrayidx6.i, align 8
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i)
  br label %for.inc25

put.exit:                                         ; preds = %if.end.i
  %call.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %call4, ptr noundef nonnull %overflows.i)
  %2 = load ptr, ptr %data.i, align 8
  %arrayidx.i = getelementptr inbounds i64, ptr %2, i64 %i.090
  store i64 %call.i, ptr %arrayidx.i, align 8
  %3 = load i32, ptr %overflows.i, align 4
  %.fr = freeze i32 %3
  %tobool.not.i = icmp eq i32 %.fr, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i)
  br i1 %tobool.not.i, label %for.inc25, label %cleanup27

if.end7:                                          ; preds = %for.body
  %type = getelementptr inbounds i8, ptr %call4, i64 8
  %4 = load ptr, ptr %type, align 8
  %cmp8.not = icmp eq ptr %4, @PyTuple_Type
  br i1 %cmp8.not, label %lor.lhs.false, label %cleanup27

lor.lhs.false:                                    ; preds = %if.end7
  %call9 = call i64 @PyTuple_Size(ptr noundef nonnull %call4)
  %cmp10.not = icmp eq i64 %call9, %call1
  br i1 %cmp10.not, label %for.cond13.preheader, label %cleanup27

for.cond13.preheader:                             ; preds = %lor.lhs.false
  br i1 %cmp14.not86, label %for.body16, label %for.inc25

for.body16:                                       ; preds = %for.cond13.preheader, %for.inc
  %k.087 = phi i64 [ %inc, %for.inc ], [ 0, %for.cond13.preheader ]
  %call17 = call ptr @PyTuple_GetItem(ptr noundef %arrays, i64 noundef %k.087)
  %call18 = call ptr @PyTuple_GetItem(ptr noundef %call4, i64 noundef %k.087)
  %call19 = call ptr @PyTuple_GetItem(ptr noundef %classes, i64 noundef %k.087)
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflows.i54)
  store i32 0, ptr %overflows.i54, align 4
  %type.i55 = getelementptr inbounds i8, ptr %call18, i64 8
  %5 = load ptr, ptr %type.i55, align 8
  %cmp.not.i56 = icmp eq ptr %5, %call19
  br i1 %cmp.not.i56, label %if.end.i58, label %put.exit68.thread75

put.exit68.thread75:                              ; preds = %for.body16
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i54)
  br label %cleanup27

if.end.i58:                                       ; preds = %for.body16
  %cmp1.i59 = icmp eq ptr %call19, @PyLong_Type
  %data.i60 = getelementptr inbounds i8, ptr %call17, i64 16
  br i1 %cmp1.i59, label %put.exit68, label %put.exit68.thread

put.exit68.thread:                                ; preds = %if.end.i58
  %call4.i62 = call double @PyFloat_AsDouble(ptr noundef nonnull %call18)
  %6 = load ptr, ptr %data.i60, align 8
  %arrayidx6.i63 = getelementptr inbounds double, ptr %6, i64 %i.090
  store double %call4.i62, ptr %arrayidx6.i63, align 8
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i54)
  br label %for.inc

put.exit68:                                       ; preds = %if.end.i58
  %call.i65 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %call18, ptr noundef nonnull %overflows.i54)
  %7 = load ptr, ptr %data.i60, align 8
  %arrayidx.i66 = getelementptr inbounds i64, ptr %7, i64 %i.090
  store i64 %call.i65, ptr %arrayidx.i66, align 8
  %8 = load i32, ptr %overflows.i54, align 4
  %tobool.not.i67 = icmp eq i32 %8, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i54)
  br i1 %tobool.not.i67, label %for.inc, label %cleanup27

for.inc:                                          ; preds = %put.exit68.thread, %put.exit68
  %inc = add nuw nsw i64 %k.087, 1
  %exitcond.not = icmp eq i64 %inc, %call1
  br i1 %exitcond.not, label %for.inc25, label %for.body16

for.inc25:                                        ; preds = %for.inc, %for.cond13.preheader, %put.exit, %put.exit.thread
  %array.3 = phi ptr [ %array.089, %put.exit.thread ], [ %array.089, %put.exit ], [ %array.089, %for.cond13.preheader ], [ %call17, %for.inc ]
  %inc26 = add nuw nsw i64 %i.090, 1
  %cmp.not = icmp sge i64 %inc26, %call
  %exitcond103 = icmp eq i64 %inc26, %call
  br i1 %exitcond103, label %cleanup27, label %for.body

cleanup27:                                        ; preds = %for.inc25, %lor.lhs.false, %if.end7, %put.exit, %put.exit68, %entry, %put.exit68.thread75, %put.exit.thread71
  %cmp.not85 = phi i1 [ %cmp.not92, %put.exit68.thread75 ], [ %cmp.not92, %put.exit.thread71 ], [ true, %entry ], [ %cmp.not92, %put.exit68 ], [ %cmp.not, %for.inc25 ], [ %cmp.not92, %lor.lhs.false ], [ %cmp.not92, %if.end7 ], [ %cmp.not92, %put.exit ]
  %spec.select = zext i1 %cmp.not85 to i64
  ret i64 %spec.select
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare i64 @PyList_Size(ptr noundef)

declare i64 @PyTuple_Size(ptr noundef)

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef)

declare ptr @PyList_GetItem(ptr noundef, i64 noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef)

declare double @PyFloat_AsDouble(ptr noundef)
