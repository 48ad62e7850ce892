; Made by `make runtime` of call.c (b0d63aca8ecb0ecf) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Object = type { i64, ptr }
%struct.Met = type { ptr, ptr, ptr, ptr, ptr }
%union.Word = type { i64 }

@ag_records_offset = external global i64, align 8
@ag_recording = external global i64, align 8
@missed = internal global %struct.Object zeroinitializer, align 8
@ag_setting = external global %struct.Object, align 8
@ag_quiet = external global ptr, align 8
@ag_look_up = external global %struct.Object, align 8
@ag_bytes_head = external constant i64, align 8
@PyArray_Type = external global %struct.Object, align 8
@PyList_Type = external global %struct.Object, align 8
@PyDict_Type = external global %struct.Object, align 8
@PyFloat_Type = external global %struct.Object, align 8
@_Py_NoneStruct = external global %struct.Object, align 8
@_Py_TrueStruct = external global %struct.Object, align 8
@ag_tuple_head = external constant i64, align 8

define ptr @ag_call(ptr noundef %self, ptr noundef readonly %arguments, i64 noundef %count, ptr noundef %names) {
entry:
  %setting.i = alloca ptr, align 8
  %0 = load i64, ptr @ag_records_offset, align 8
  %add.ptr = getelementptr inbounds i8, ptr %self, i64 %0
  %1 = load ptr, ptr %add.ptr, align 8
  %2 = load i64, ptr @ag_recording, align 8
  %tobool = icmp eq i64 %2, 0
  %tobool1 = icmp ne ptr %1, null
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %lor.lhs.false2, label %if.then

lor.lhs.false2:                                   ; preds = %entry
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %setting.i)
  store ptr null, ptr %setting.i, align 8
  %call.i = call i32 @PyContextVar_Get(ptr noundef nonnull @ag_setting, ptr noundef null, ptr noundef nonnull %setting.i)
  %3 = load ptr, ptr %setting.i, align 8
  %tobool.not.i = icmp eq ptr %3, null
  br i1 %tobool.not.i, label %is_quiet.exit.thread, label %is_quiet.exit

is_quiet.exit.thread:                             ; preds = %lor.lhs.false2
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %setting.i)
  br label %if.then

is_quiet.exit:                                    ; preds = %lor.lhs.false2
  call void @Py_DecRef(ptr noundef nonnull %3)
  %4 = load ptr, ptr %setting.i, align 8
  %5 = load ptr, ptr @ag_quiet, align 8
  %cmp.i = icmp eq ptr %4, %5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %setting.i)
  br i1 %cmp.i, label %if.end, label %if.then

if.then:                                          ; preds = %is_quiet.exit.thread, %is_quiet.exit, %entry
  %call3 = call fastcc ptr @look_up(ptr noundef nonnull %self, ptr noundef %arguments, i64 noundef %count, ptr noundef %names)
  br label %cleanup

if.end:                                           ; preds = %is_quiet.exit
  call void @Py_IncRef(ptr noundef nonnull %1)
  %call4 = call i64 @PyTuple_Size(ptr noundef nonnull %1)
  %cmp29 = icmp sgt i64 %call4, 0
  br i1 %cmp29, label %for.body.lr.ph, label %for.cond.cleanup.thread

for.cond.cleanup.thread:                          ; preds = %if.end
  call void @Py_DecRef(ptr noundef nonnull %1)
  br label %cond.true

for.body.lr.ph:                                   ; preds = %if.end
  %6 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %1, i64 %6
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  call void @Py_DecRef(ptr noundef nonnull %1)
  br i1 %cmp5, label %cond.true, label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %i.030 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds ptr, ptr %add.ptr.i, i64 %i.030
  %7 = load ptr, ptr %arrayidx, align 8
  %add.ptr.i27 = getelementptr inbounds i8, ptr %7, i64 %6
  %call8 = call fastcc ptr @call_by(ptr noundef %add.ptr.i27, ptr noundef %arguments, i64 noundef %count, ptr noundef %names)
  %inc = add nuw nsw i64 %i.030, 1
  %cmp = icmp slt i64 %inc, %call4
  %cmp5 = icmp eq ptr %call8, @missed
  %8 = select i1 %cmp, i1 %cmp5, i1 false
  br i1 %8, label %for.body, label %for.cond.cleanup

cond.true:                                        ; preds = %for.cond.cleanup.thread, %for.cond.cleanup
  %call10 = call fastcc ptr @look_up(ptr noundef %self, ptr noundef %arguments, i64 noundef %count, ptr noundef %names)
  br label %cleanup

cleanup:                                          ; preds = %cond.true, %for.cond.cleanup, %if.then
  %retval.0 = phi ptr [ %call3, %if.then ], [ %call10, %cond.true ], [ %call8, %for.cond.cleanup ]
  ret ptr %retval.0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

define internal fastcc ptr @look_up(ptr noundef %self, ptr noundef readonly %arguments, i64 noundef %count, ptr noundef %names) {
entry:
  %given = alloca [3 x ptr], align 8
  %call.i = tail call ptr @PyTuple_New(i64 noundef %count)
  %tobool.i = icmp ne ptr %call.i, null
  %cmp12.i = icmp sgt i64 %count, 0
  %0 = and i1 %cmp12.i, %tobool.i
  br i1 %0, label %for.body.lr.ph.i, label %tuple_of.exit

for.body.lr.ph.i:                                 ; preds = %entry
  %1 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %call.i, i64 %1
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.lr.ph.i
  %i.013.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.body.i ]
  %arrayidx.i = getelementptr inbounds ptr, ptr %arguments, i64 %i.013.i
  %2 = load ptr, ptr %arrayidx.i, align 8
  tail call void @Py_IncRef(ptr noundef %2)
  %3 = load ptr, ptr %arrayidx.i, align 8
  %arrayidx3.i = getelementptr inbounds ptr, ptr %add.ptr.i.i, i64 %i.013.i
  store ptr %3, ptr %arrayidx3.i, align 8
  %inc.i = add nuw nsw i64 %i.013.i, 1
  %exitcond.not = icmp eq i64 %inc.i, %count
  br i1 %exitcond.not, label %if.end, label %for.body.i

tuple_of.exit:                                    ; preds = %entry
  %tobool.not = icmp eq ptr %call.i, null
  br i1 %tobool.not, label %cleanup, label %if.end

if.end:                                           ; preds = %for.body.i, %tuple_of.exit
  %add.ptr = getelementptr inbounds ptr, ptr %arguments, i64 %count
  %call.i13 = tail call ptr @PyDict_New()
  %tobool.not.i = icmp eq ptr %names, null
  br i1 %tobool.not.i, label %dict_of.exit, label %cond.end.i

cond.end.i:                                       ; preds = %if.end
  %call1.i = tail call i64 @PyTuple_Size(ptr noundef nonnull %names)
  %tobool2.i = icmp eq ptr %call.i13, null
  %cmp18.i = icmp slt i64 %call1.i, 1
  %.not19.i = select i1 %tobool2.i, i1 true, i1 %cmp18.i
  br i1 %.not19.i, label %dict_of.exit, label %for.body.lr.ph.i14

for.body.lr.ph.i14:                               ; preds = %cond.end.i
  %4 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i15 = getelementptr inbounds i8, ptr %names, i64 %4
  br label %for.body.i16

for.cond.i:                                       ; preds = %for.body.i16
  %inc.i18 = add nuw nsw i64 %i.020.i, 1
  %exitcond22.not = icmp eq i64 %inc.i18, %call1.i
  br i1 %exitcond22.not, label %dict_of.exit, label %for.body.i16

for.body.i16:                                     ; preds = %for.cond.i, %for.body.lr.ph.i14
  %i.020.i = phi i64 [ 0, %for.body.lr.ph.i14 ], [ %inc.i18, %for.cond.i ]
  %arrayidx.i17 = getelementptr inbounds ptr, ptr %add.ptr.i.i15, i64 %i.020.i
  %5 = load ptr, ptr %arrayidx.i17, align 8
  %arrayidx4.i = getelementptr inbounds ptr, ptr %add.ptr, i64 %i.020.i
  %6 = load ptr, ptr %arrayidx4.i, align 8
  %call5.i = tail call i32 @PyDict_SetItem(ptr noundef nonnull %call.i13, ptr noundef %5, ptr noundef %6)
  %tobool6.not.i = icmp eq i32 %call5.i, 0
  br i1 %tobool6.not.i, label %for.cond.i, label %dict_of.exit.thread

dict_of.exit.thread:                              ; preds = %for.body.i16
  tail call void @Py_DecRef(ptr noundef nonnull %call.i13)
  br label %if.end6

dict_of.exit:                                     ; preds = %for.cond.i, %if.end, %cond.end.i
  %tobool2.not = icmp eq ptr %call.i13, null
  br i1 %tobool2.not, label %if.end6, label %if.then3

if.then3:                                         ; preds = %dict_of.exit
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %given)
  store ptr %self, ptr %given, align 8
  %arrayinit.element = getelementptr inbounds i8, ptr %given, i64 8
  store ptr %call.i, ptr %arrayinit.element, align 8
  %arrayinit.element4 = getelementptr inbounds i8, ptr %given, i64 16
  store ptr %call.i13, ptr %arrayinit.element4, align 8
  %call5 = call ptr @PyObject_VectorcallDict(ptr noundef nonnull @ag_look_up, ptr noundef nonnull %given, i64 noundef 3, ptr noundef null)
  call void @Py_DecRef(ptr noundef nonnull %call.i13)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %given)
  br label %if.end6

if.end6:                                          ; preds = %dict_of.exit.thread, %if.then3, %dict_of.exit
  %answer.0 = phi ptr [ %call5, %if.then3 ], [ null, %dict_of.exit ], [ null, %dict_of.exit.thread ]
  call void @Py_DecRef(ptr noundef nonnull %call.i)
  br label %cleanup

cleanup:                                          ; preds = %tuple_of.exit, %if.end6
  %retval.0 = phi ptr [ %answer.0, %if.end6 ], [ null, %tuple_of.exit ]
  ret ptr %retval.0
}

declare void @Py_IncRef(ptr noundef)

declare i64 @PyTuple_Size(ptr noundef)

define internal fastcc ptr @call_by(ptr noundef readonly %record, ptr noundef readonly %arguments, i64 noundef %count, ptr noundef %names) {
entry:
  %argument.addr.i.i.i = alloca ptr, align 8
  %0 = load ptr, ptr %record, align 8
  %1 = load i64, ptr @ag_bytes_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %0, i64 %1
  %2 = load i64, ptr %add.ptr.i, align 8
  %arrayidx2 = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %3 = load i64, ptr %arrayidx2, align 8
  %add = add i64 %3, %2
  %arrayidx3 = getelementptr inbounds i8, ptr %add.ptr.i, i64 16
  %4 = load i64, ptr %arrayidx3, align 8
  %add4 = add i64 %2, 1
  %add5 = add i64 %add4, %4
  %vla = alloca ptr, i64 %add5, align 8
  %add.ptr = getelementptr inbounds i8, ptr %vla, i64 8
  %add.ptr6 = getelementptr inbounds ptr, ptr %add.ptr, i64 %2
  %call7 = call fastcc i1 @match_call(ptr noundef %arguments, i64 noundef %count, ptr noundef %names, ptr noundef nonnull %add.ptr.i, ptr noundef nonnull %add.ptr, ptr noundef nonnull %add.ptr6)
  br i1 %call7, label %for.cond.preheader, label %cleanup

for.cond.preheader:                               ; preds = %entry
  %cmp42 = icmp sgt i64 %add, 0
  br i1 %cmp42, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %arrayidx.i = getelementptr inbounds i8, ptr %record, i64 40
  %5 = load ptr, ptr %arrayidx.i, align 8
  %call.i.i = call i64 @PyTuple_Size(ptr noundef %5)
  %cmp.not22.i.i = icmp sgt i64 %call.i.i, 0
  br i1 %cmp.not22.i.i, label %for.body.lr.ph.i.i, label %if.end5.i

for.body.lr.ph.i.i:                               ; preds = %for.cond.cleanup
  %6 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %5, i64 %6
  br label %for.body.i.i

for.cond.i.i:                                     ; preds = %if.end.i.i
  %inc.i.i = add nuw nsw i64 %i.023.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %call.i.i
  br i1 %exitcond.not.i.i, label %if.end5.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i, %for.body.lr.ph.i.i
  %i.023.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.cond.i.i ]
  %arrayidx.i.i = getelementptr inbounds ptr, ptr %add.ptr.i.i.i, i64 %i.023.i.i
  %7 = load ptr, ptr %arrayidx.i.i, align 8
  %call2.i.i = call ptr @PyObject_VectorcallDict(ptr noundef %7, ptr noundef null, i64 noundef 0, ptr noundef null)
  %tobool.not.i.i = icmp eq ptr %call2.i.i, null
  br i1 %tobool.not.i.i, label %call_with_leaves.exit.sink.split, label %if.end.i.i

if.end.i.i:                                       ; preds = %for.body.i.i
  %call3.i.i = call i32 @PyObject_IsTrue(ptr noundef nonnull %call2.i.i)
  call void @Py_DecRef(ptr noundef nonnull %call2.i.i)
  switch i32 %call3.i.i, label %if.end.i [
    i32 1, label %for.cond.i.i
    i32 0, label %call_with_leaves.exit
  ]

if.end.i:                                         ; preds = %if.end.i.i
  %cmp1.i = icmp slt i32 %call3.i.i, 0
  br i1 %cmp1.i, label %call_with_leaves.exit.sink.split, label %if.end5.i

if.end5.i:                                        ; preds = %for.cond.i.i, %if.end.i, %for.cond.cleanup
  %arrayidx6.i = getelementptr inbounds i8, ptr %record, i64 8
  %8 = load ptr, ptr %arrayidx6.i, align 8
  %call7.i = call ptr @PyObject_VectorcallDict(ptr noundef %8, ptr noundef nonnull %add.ptr, i64 noundef %2, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call7.i, null
  br i1 %tobool.not.i, label %call_with_leaves.exit.sink.split, label %if.then8.i

if.then8.i:                                       ; preds = %if.end5.i
  %arrayidx.i23.i = getelementptr inbounds i8, ptr %record, i64 16
  %9 = load ptr, ptr %arrayidx.i23.i, align 8
  %cmp.i.i = icmp eq ptr %9, @_Py_NoneStruct
  br i1 %cmp.i.i, label %call_with_leaves.exit, label %if.end.i24.i

if.end.i24.i:                                     ; preds = %if.then8.i
  %arrayidx1.i.i = getelementptr inbounds i8, ptr %record, i64 24
  %10 = load ptr, ptr %arrayidx1.i.i, align 8
  %cmp2.i.i = icmp eq ptr %10, @_Py_TrueStruct
  br i1 %cmp2.i.i, label %if.then3.i.i, label %if.else.i.i

if.then3.i.i:                                     ; preds = %if.end.i24.i
  store ptr %call7.i, ptr %vla, align 8
  %add.i.i = add nsw i64 %add, 1
  %call.i25.i = call ptr @PyObject_VectorcallDict(ptr noundef %9, ptr noundef nonnull %vla, i64 noundef %add.i.i, ptr noundef null)
  br label %if.end10.i

if.else.i.i:                                      ; preds = %if.end.i24.i
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %argument.addr.i.i.i)
  store ptr %call7.i, ptr %argument.addr.i.i.i, align 8
  %call.i.i.i = call ptr @PyObject_VectorcallDict(ptr noundef %9, ptr noundef nonnull %argument.addr.i.i.i, i64 noundef 1, ptr noundef null)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %argument.addr.i.i.i)
  br label %if.end10.i

if.end10.i:                                       ; preds = %if.else.i.i, %if.then3.i.i
  %result.0.i.i = phi ptr [ %call.i25.i, %if.then3.i.i ], [ %call.i.i.i, %if.else.i.i ]
  call void @Py_DecRef(ptr noundef nonnull %call7.i)
  %tobool11.not.i = icmp eq ptr %result.0.i.i, null
  br i1 %tobool11.not.i, label %call_with_leaves.exit.sink.split, label %call_with_leaves.exit

call_with_leaves.exit.sink.split:                 ; preds = %for.body.i.i, %if.end5.i, %if.end10.i, %if.end.i
  %arrayidx3.i = getelementptr inbounds i8, ptr %record, i64 32
  %11 = load ptr, ptr %arrayidx3.i, align 8
  %call4.i = call fastcc ptr @handled_by(ptr noundef %11)
  br label %call_with_leaves.exit

call_with_leaves.exit:                            ; preds = %if.end.i.i, %call_with_leaves.exit.sink.split, %if.then8.i, %if.end10.i
  %retval.0.i = phi ptr [ %result.0.i.i, %if.end10.i ], [ %call7.i, %if.then8.i ], [ %call4.i, %call_with_leaves.exit.sink.split ], [ @missed, %if.end.i.i ]
  br i1 %cmp42, label %for.body14, label %cleanup

for.body:                                         ; preds = %for.cond.preheader, %for.body
  %i.043 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %arrayidx8 = getelementptr inbounds ptr, ptr %add.ptr, i64 %i.043
  %12 = load ptr, ptr %arrayidx8, align 8
  call void @Py_IncRef(ptr noundef %12)
  %inc = add nuw nsw i64 %i.043, 1
  %exitcond.not = icmp eq i64 %inc, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.body14:                                       ; preds = %call_with_leaves.exit, %for.body14
  %i10.045 = phi i64 [ %inc17, %for.body14 ], [ 0, %call_with_leaves.exit ]
  %arrayidx15 = getelementptr inbounds ptr, ptr %add.ptr, i64 %i10.045
  %13 = load ptr, ptr %arrayidx15, align 8
  call void @Py_DecRef(ptr noundef %13)
  %inc17 = add nuw nsw i64 %i10.045, 1
  %exitcond48.not = icmp eq i64 %inc17, %add
  br i1 %exitcond48.not, label %cleanup, label %for.body14

cleanup:                                          ; preds = %for.body14, %call_with_leaves.exit, %entry
  %retval.0 = phi ptr [ @missed, %entry ], [ %retval.0.i, %call_with_leaves.exit ], [ %retval.0.i, %for.body14 ]
  ret ptr %retval.0
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare void @Py_DecRef(ptr noundef)

declare i32 @PyContextVar_Get(ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

declare ptr @PyTuple_New(i64 noundef)

declare ptr @PyDict_New()

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef)

define internal fastcc i1 @match_call(ptr noundef readonly %arguments, i64 noundef %count, ptr noundef %names, ptr noundef %pattern, ptr noundef %found, ptr noundef %containers) {
entry:
  %inside.i = alloca %struct.Met, align 8
  %met = alloca %struct.Met, align 8
  %arrayidx = getelementptr inbounds i8, ptr %pattern, i64 24
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %0, 1
  %vla = alloca i64, i64 %add, align 8
  %cmp125 = icmp sgt i64 %0, 0
  br i1 %cmp125, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %entry
  call void @llvm.lifetime.start.p0(i64 40, ptr nonnull %met)
  store ptr %found, ptr %met, align 8
  %container = getelementptr inbounds i8, ptr %met, i64 8
  store ptr %containers, ptr %container, align 8
  %containers2 = getelementptr inbounds i8, ptr %met, i64 16
  store ptr %containers, ptr %containers2, align 8
  %bounds = getelementptr inbounds i8, ptr %met, i64 24
  %add.ptr = getelementptr inbounds i8, ptr %pattern, i64 32
  store ptr %add.ptr, ptr %bounds, align 8
  %lengths = getelementptr inbounds i8, ptr %met, i64 32
  store ptr %vla, ptr %lengths, align 8
  %add.ptr4.idx = shl nsw i64 %0, 4
  %add.ptr4 = getelementptr inbounds i8, ptr %add.ptr, i64 %add.ptr4.idx
  %container.i = getelementptr inbounds i8, ptr %inside.i, i64 8
  %containers.i = getelementptr inbounds i8, ptr %inside.i, i64 16
  br label %for.cond.i

for.cond.i:                                       ; preds = %for.cond.i.backedge, %for.cond.cleanup
  %words.addr.0.i = phi ptr [ %add.ptr4, %for.cond.cleanup ], [ %words.addr.0.i.be, %for.cond.i.backedge ]
  %1 = load i64, ptr %words.addr.0.i, align 8
  switch i64 %1, label %if.end [
    i64 1, label %sw.epilog.i
    i64 2, label %sw.bb4.i
    i64 3, label %sw.bb10.i
    i64 4, label %sw.bb16.i
    i64 5, label %sw.bb22.i
  ]

sw.bb4.i:                                         ; preds = %for.cond.i
  %arrayidx5.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 8
  %2 = load ptr, ptr %arrayidx5.i, align 8
  %arrayidx6.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %3 = load ptr, ptr %arrayidx6.i, align 8
  %call.i.i = call ptr @PyCell_Get(ptr noundef %2)
  %tobool.i.not.i = icmp eq ptr %call.i.i, null
  br i1 %tobool.i.not.i, label %match_outside.exit.thread, label %holds.exit.i

holds.exit.i:                                     ; preds = %sw.bb4.i
  call void @Py_DecRef(ptr noundef nonnull %call.i.i)
  %cmp.i.i = icmp eq ptr %call.i.i, %3
  %add.ptr9.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 24
  br i1 %cmp.i.i, label %for.cond.i.backedge, label %match_outside.exit.thread

sw.bb10.i:                                        ; preds = %for.cond.i
  %arrayidx11.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 8
  %4 = load ptr, ptr %arrayidx11.i, align 8
  %arrayidx12.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %5 = load ptr, ptr %arrayidx12.i, align 8
  %call.i45.i = call ptr @PyDict_GetItemWithError(ptr noundef %4, ptr noundef %5)
  call void @PyErr_Clear()
  %tobool.not.i.i = icmp eq ptr %call.i45.i, null
  %add.ptr15.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 24
  br i1 %tobool.not.i.i, label %for.cond.i.backedge, label %match_outside.exit.thread

sw.bb16.i:                                        ; preds = %for.cond.i
  %arrayidx17.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 8
  %6 = load ptr, ptr %arrayidx17.i, align 8
  %7 = load ptr, ptr %6, align 8
  %arrayidx18.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %8 = load ptr, ptr %arrayidx18.i, align 8
  %cmp19.i = icmp eq ptr %7, %8
  %add.ptr21.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 24
  br i1 %cmp19.i, label %for.cond.i.backedge, label %match_outside.exit.thread

sw.bb22.i:                                        ; preds = %for.cond.i
  call void @llvm.lifetime.start.p0(i64 40, ptr nonnull %inside.i)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %inside.i, ptr noundef nonnull readonly align 8 dereferenceable(40) %met, i64 40, i1 false)
  %9 = load ptr, ptr %container.i, align 8
  store ptr %9, ptr %containers.i, align 8
  %arrayidx23.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 8
  %10 = load ptr, ptr %arrayidx23.i, align 8
  %add.ptr24.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %call25.i = call fastcc ptr @match(ptr noundef %10, ptr noundef nonnull %add.ptr24.i, ptr noundef nonnull %inside.i)
  %tobool.not.i = icmp eq ptr %call25.i, null
  call void @llvm.lifetime.end.p0(i64 40, ptr nonnull %inside.i)
  br i1 %tobool.not.i, label %match_outside.exit.thread, label %for.cond.i.backedge

sw.epilog.i:                                      ; preds = %for.cond.i
  %arrayidx1.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 8
  %11 = load ptr, ptr %arrayidx1.i, align 8
  %arrayidx2.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %12 = load ptr, ptr %arrayidx2.i, align 8
  %call.i = call ptr @PyDict_GetItemWithError(ptr noundef %11, ptr noundef %12)
  %arrayidx3.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 24
  %13 = load ptr, ptr %arrayidx3.i, align 8
  %cmp.i = icmp eq ptr %call.i, %13
  %add.ptr.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 32
  br i1 %cmp.i, label %for.cond.i.backedge, label %match_outside.exit.thread

for.cond.i.backedge:                              ; preds = %sw.epilog.i, %sw.bb22.i, %sw.bb16.i, %sw.bb10.i, %holds.exit.i
  %words.addr.0.i.be = phi ptr [ %add.ptr.i, %sw.epilog.i ], [ %call25.i, %sw.bb22.i ], [ %add.ptr21.i, %sw.bb16.i ], [ %add.ptr15.i, %sw.bb10.i ], [ %add.ptr9.i, %holds.exit.i ]
  br label %for.cond.i

match_outside.exit.thread:                        ; preds = %sw.bb4.i, %holds.exit.i, %sw.bb10.i, %sw.bb16.i, %sw.bb22.i, %sw.epilog.i
  call void @PyErr_Clear()
  br label %cleanup69

for.body:                                         ; preds = %entry, %for.body
  %n.0126 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx1 = getelementptr inbounds i64, ptr %vla, i64 %n.0126
  store i64 -1, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %n.0126, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.end:                                           ; preds = %for.cond.i
  %add.ptr27.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 8
  %incdec.ptr = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %14 = load i64, ptr %add.ptr27.i, align 8
  %cmp6.not127 = icmp sgt i64 %14, 0
  br i1 %cmp6.not127, label %for.body8, label %for.end17

for.cond5:                                        ; preds = %for.body8
  %inc16 = add nuw nsw i64 %i.0129, 1
  %exitcond146.not = icmp eq i64 %inc16, %14
  br i1 %exitcond146.not, label %for.end17, label %for.body8

for.body8:                                        ; preds = %if.end, %for.cond5
  %i.0129 = phi i64 [ %inc16, %for.cond5 ], [ 0, %if.end ]
  %pattern.addr.0128 = phi ptr [ %call11, %for.cond5 ], [ %incdec.ptr, %if.end ]
  %15 = load ptr, ptr %pattern.addr.0128, align 8
  %add.ptr10 = getelementptr inbounds i8, ptr %pattern.addr.0128, i64 8
  %call11 = call fastcc ptr @match(ptr noundef %15, ptr noundef nonnull %add.ptr10, ptr noundef nonnull %met)
  %tobool12.not = icmp eq ptr %call11, null
  br i1 %tobool12.not, label %cleanup69, label %for.cond5

for.end17:                                        ; preds = %for.cond5, %if.end
  %pattern.addr.0.lcssa = phi ptr [ %incdec.ptr, %if.end ], [ %call11, %for.cond5 ]
  %16 = load i64, ptr %pattern.addr.0.lcssa, align 8
  %cmp19.not = icmp eq i64 %16, %count
  br i1 %cmp19.not, label %if.end21, label %cleanup69

if.end21:                                         ; preds = %for.end17
  %incdec.ptr22 = getelementptr inbounds i8, ptr %pattern.addr.0.lcssa, i64 8
  %cmp25.not130 = icmp sgt i64 %count, 0
  br i1 %cmp25.not130, label %for.body27, label %for.end37

for.cond24:                                       ; preds = %for.body27
  %inc34 = add nuw nsw i64 %i23.0132, 1
  %exitcond147.not = icmp eq i64 %inc34, %count
  br i1 %exitcond147.not, label %for.end37, label %for.body27

for.body27:                                       ; preds = %if.end21, %for.cond24
  %i23.0132 = phi i64 [ %inc34, %for.cond24 ], [ 0, %if.end21 ]
  %pattern.addr.2131 = phi ptr [ %call29, %for.cond24 ], [ %incdec.ptr22, %if.end21 ]
  %arrayidx28 = getelementptr inbounds ptr, ptr %arguments, i64 %i23.0132
  %17 = load ptr, ptr %arrayidx28, align 8
  %call29 = call fastcc ptr @match(ptr noundef %17, ptr noundef nonnull %pattern.addr.2131, ptr noundef nonnull %met)
  %tobool30.not = icmp eq ptr %call29, null
  br i1 %tobool30.not, label %cleanup69, label %for.cond24

for.end37:                                        ; preds = %for.cond24, %if.end21
  %pattern.addr.2.lcssa = phi ptr [ %incdec.ptr22, %if.end21 ], [ %call29, %for.cond24 ]
  %tobool38.not = icmp eq ptr %names, null
  br i1 %tobool38.not, label %cond.end.thread, label %cond.end

cond.end:                                         ; preds = %for.end37
  %call39 = call i64 @PyTuple_Size(ptr noundef nonnull %names)
  %18 = load i64, ptr %pattern.addr.2.lcssa, align 8
  %cmp41.not = icmp eq i64 %18, %call39
  br i1 %cmp41.not, label %if.end43, label %cleanup69

cond.end.thread:                                  ; preds = %for.end37
  %19 = load i64, ptr %pattern.addr.2.lcssa, align 8
  %cmp41.not150 = icmp eq i64 %19, 0
  br label %cleanup69

if.end43:                                         ; preds = %cond.end
  %invariant.gep = getelementptr ptr, ptr %arguments, i64 %count
  %cmp46.not134 = icmp slt i64 %call39, 1
  br i1 %cmp46.not134, label %cleanup69, label %for.body48.lr.ph

for.body48.lr.ph:                                 ; preds = %if.end43
  %incdec.ptr44 = getelementptr inbounds i8, ptr %pattern.addr.2.lcssa, i64 8
  %20 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i110 = getelementptr inbounds i8, ptr %names, i64 %20
  br label %for.body48

for.cond45:                                       ; preds = %if.end54
  %inc63 = add nuw nsw i64 %k.0136, 1
  %exitcond148 = icmp eq i64 %inc63, %call39
  br i1 %exitcond148, label %cleanup69, label %for.body48

for.body48:                                       ; preds = %for.body48.lr.ph, %for.cond45
  %k.0136 = phi i64 [ 0, %for.body48.lr.ph ], [ %inc63, %for.cond45 ]
  %pattern.addr.4135 = phi ptr [ %incdec.ptr44, %for.body48.lr.ph ], [ %call58, %for.cond45 ]
  %arrayidx50 = getelementptr inbounds ptr, ptr %add.ptr.i110, i64 %k.0136
  %21 = load ptr, ptr %arrayidx50, align 8
  %22 = load ptr, ptr %pattern.addr.4135, align 8
  %cmp.i111 = icmp eq ptr %21, %22
  br i1 %cmp.i111, label %if.end54, label %if.end.i

if.end.i:                                         ; preds = %for.body48
  %type.i = getelementptr inbounds i8, ptr %21, i64 8
  %23 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %22, i64 8
  %24 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %23, %24
  br i1 %cmp2.i, label %is_equal.exit, label %cleanup69

is_equal.exit:                                    ; preds = %if.end.i
  %call.i112 = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %21, ptr noundef nonnull %22, i32 noundef 2)
  %cmp3.i = icmp eq i32 %call.i112, 1
  br i1 %cmp3.i, label %if.end54, label %cleanup69

if.end54:                                         ; preds = %for.body48, %is_equal.exit
  %gep = getelementptr ptr, ptr %invariant.gep, i64 %k.0136
  %25 = load ptr, ptr %gep, align 8
  %add.ptr57 = getelementptr inbounds i8, ptr %pattern.addr.4135, i64 8
  %call58 = call fastcc ptr @match(ptr noundef %25, ptr noundef nonnull %add.ptr57, ptr noundef nonnull %met)
  %tobool59.not = icmp eq ptr %call58, null
  br i1 %tobool59.not, label %cleanup69, label %for.cond45

cleanup69:                                        ; preds = %for.body8, %for.body27, %is_equal.exit, %if.end54, %if.end.i, %for.cond45, %cond.end.thread, %if.end43, %match_outside.exit.thread, %for.end17, %cond.end
  %retval.5 = phi i1 [ false, %for.end17 ], [ false, %cond.end ], [ false, %match_outside.exit.thread ], [ true, %if.end43 ], [ %cmp41.not150, %cond.end.thread ], [ false, %is_equal.exit ], [ false, %if.end54 ], [ false, %if.end.i ], [ true, %for.cond45 ], [ false, %for.body27 ], [ false, %for.body8 ]
  call void @llvm.lifetime.end.p0(i64 40, ptr nonnull %met)
  ret i1 %retval.5
}

define internal fastcc ptr @match(ptr noundef %object, ptr noundef %pattern, ptr noundef %met) {
entry:
  %position.i.i = alloca i64, align 8
  %key.i.i = alloca ptr, align 8
  %value.i.i = alloca ptr, align 8
  br label %tailrecurse

tailrecurse:                                      ; preds = %sw.bb97, %entry
  %pattern.tr = phi ptr [ %pattern, %entry ], [ %add.ptr, %sw.bb97 ]
  %arrayidx = getelementptr inbounds i8, ptr %pattern.tr, i64 8
  %word.sroa.0.0.copyload = load i64, ptr %arrayidx, align 8
  %add.ptr = getelementptr inbounds i8, ptr %pattern.tr, i64 16
  %0 = load i64, ptr %pattern.tr, align 8
  %1 = inttoptr i64 %word.sroa.0.0.copyload to ptr
  switch i64 %0, label %common.ret [
    i64 0, label %sw.bb
    i64 12, label %sw.bb2
    i64 1, label %sw.bb2
    i64 2, label %sw.bb18
    i64 3, label %sw.bb20
    i64 4, label %sw.bb26
    i64 5, label %sw.bb36
    i64 6, label %sw.bb64
    i64 7, label %sw.bb73
    i64 8, label %sw.bb81
    i64 9, label %sw.bb89
    i64 10, label %sw.bb97
    i64 11, label %sw.bb104
  ]

sw.bb:                                            ; preds = %tailrecurse
  %type = getelementptr inbounds i8, ptr %object, i64 8
  %2 = load ptr, ptr %type, align 8
  %cmp.not = icmp eq ptr %2, %1
  br i1 %cmp.not, label %if.end, label %common.ret

if.end:                                           ; preds = %sw.bb
  %3 = load ptr, ptr %met, align 8
  %incdec.ptr = getelementptr inbounds i8, ptr %3, i64 8
  store ptr %incdec.ptr, ptr %met, align 8
  store ptr %object, ptr %3, align 8
  br label %common.ret

sw.bb2:                                           ; preds = %tailrecurse, %tailrecurse
  %type5 = getelementptr inbounds i8, ptr %object, i64 8
  %4 = load ptr, ptr %type5, align 8
  %cmp6.not = icmp eq ptr %4, @PyArray_Type
  br i1 %cmp6.not, label %lor.lhs.false, label %common.ret

lor.lhs.false:                                    ; preds = %sw.bb2
  %descr1.i = getelementptr inbounds i8, ptr %object, i64 56
  %5 = load ptr, ptr %descr1.i, align 8
  %cmp.not.i = icmp eq ptr %5, %1
  br i1 %cmp.not.i, label %if.end.i, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %lor.lhs.false
  %number.i = getelementptr inbounds i8, ptr %5, i64 28
  %6 = load i32, ptr %number.i, align 4
  %conv.i = sext i32 %6 to i64
  %7 = load i64, ptr %add.ptr, align 8
  %cmp4.not.i = icmp eq i64 %7, %conv.i
  br i1 %cmp4.not.i, label %lor.lhs.false.i, label %common.ret

lor.lhs.false.i:                                  ; preds = %land.lhs.true.i
  %byte_order.i = getelementptr inbounds i8, ptr %5, i64 26
  %8 = load i8, ptr %byte_order.i, align 2
  %cmp7.i = icmp eq i8 %8, 62
  br i1 %cmp7.i, label %common.ret, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false.i, %lor.lhs.false
  %ndim.i = getelementptr inbounds i8, ptr %object, i64 24
  %9 = load i32, ptr %ndim.i, align 8
  %conv9.i = sext i32 %9 to i64
  %ndim10.i = getelementptr inbounds i8, ptr %pattern.tr, i64 24
  %10 = load i64, ptr %ndim10.i, align 8
  %cmp11.not.i = icmp eq i64 %10, %conv9.i
  br i1 %cmp11.not.i, label %for.cond.preheader.i, label %common.ret

for.cond.preheader.i:                             ; preds = %if.end.i
  %sizes21.i = getelementptr inbounds i8, ptr %object, i64 32
  %cmp16.not44.i = icmp slt i32 %9, 1
  br i1 %cmp16.not44.i, label %if.end10, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %for.cond.preheader.i
  %sizes.i = getelementptr inbounds i8, ptr %pattern.tr, i64 32
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %d.045.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds [0 x i64], ptr %sizes.i, i64 0, i64 %d.045.i
  %11 = load i64, ptr %arrayidx.i, align 8
  %cmp18.i = icmp sgt i64 %11, -1
  br i1 %cmp18.i, label %land.lhs.true20.i, label %for.inc.i

land.lhs.true20.i:                                ; preds = %for.body.i
  %12 = load ptr, ptr %sizes21.i, align 8
  %arrayidx22.i = getelementptr inbounds i64, ptr %12, i64 %d.045.i
  %13 = load i64, ptr %arrayidx22.i, align 8
  %cmp25.not.i = icmp eq i64 %13, %11
  br i1 %cmp25.not.i, label %for.inc.i, label %common.ret

for.inc.i:                                        ; preds = %land.lhs.true20.i, %for.body.i
  %inc.i = add nuw nsw i64 %d.045.i, 1
  %exitcond.i = icmp eq i64 %inc.i, %conv9.i
  br i1 %exitcond.i, label %for.body.lr.ph.i193, label %for.body.i

for.body.lr.ph.i193:                              ; preds = %for.inc.i
  %bounds.i = getelementptr inbounds i8, ptr %met, i64 24
  %lengths.i = getelementptr inbounds i8, ptr %met, i64 32
  br label %for.body.i195

for.body.i195:                                    ; preds = %for.inc.i199, %for.body.lr.ph.i193
  %14 = phi i64 [ %conv9.i, %for.body.lr.ph.i193 ], [ %24, %for.inc.i199 ]
  %d.048.i = phi i64 [ 0, %for.body.lr.ph.i193 ], [ %inc.i200, %for.inc.i199 ]
  %arrayidx.i196 = getelementptr inbounds [0 x i64], ptr %sizes.i, i64 0, i64 %d.048.i
  %15 = load i64, ptr %arrayidx.i196, align 8
  %cmp1.i = icmp sgt i64 %15, -1
  br i1 %cmp1.i, label %for.inc.i199, label %if.end.i197

if.end.i197:                                      ; preds = %for.body.i195
  %sub.i = xor i64 %15, -1
  %16 = load ptr, ptr %sizes21.i, align 8
  %arrayidx5.i = getelementptr inbounds i64, ptr %16, i64 %d.048.i
  %17 = load i64, ptr %arrayidx5.i, align 8
  %18 = load ptr, ptr %lengths.i, align 8
  %arrayidx6.i = getelementptr inbounds i64, ptr %18, i64 %sub.i
  %19 = load i64, ptr %arrayidx6.i, align 8
  %cmp7.i198 = icmp slt i64 %19, 0
  br i1 %cmp7.i198, label %if.then8.i, label %if.end19.i

if.then8.i:                                       ; preds = %if.end.i197
  %20 = load ptr, ptr %bounds.i, align 8
  %mul.i = shl nuw nsw i64 %sub.i, 1
  %arrayidx9.i = getelementptr inbounds %union.Word, ptr %20, i64 %mul.i
  %21 = load i64, ptr %arrayidx9.i, align 8
  %cmp10.i = icmp slt i64 %17, %21
  br i1 %cmp10.i, label %common.ret, label %lor.lhs.false.i202

lor.lhs.false.i202:                               ; preds = %if.then8.i
  %add.i = or disjoint i64 %mul.i, 1
  %arrayidx13.i = getelementptr inbounds %union.Word, ptr %20, i64 %add.i
  %22 = load i64, ptr %arrayidx13.i, align 8
  %cmp14.i = icmp sgt i64 %17, %22
  br i1 %cmp14.i, label %common.ret, label %if.end16.i

if.end16.i:                                       ; preds = %lor.lhs.false.i202
  store i64 %17, ptr %arrayidx6.i, align 8
  %.pre.i = load ptr, ptr %lengths.i, align 8
  %arrayidx21.phi.trans.insert.i = getelementptr inbounds i64, ptr %.pre.i, i64 %sub.i
  %.pre53.i = load i64, ptr %arrayidx21.phi.trans.insert.i, align 8
  br label %if.end19.i

if.end19.i:                                       ; preds = %if.end16.i, %if.end.i197
  %23 = phi i64 [ %.pre53.i, %if.end16.i ], [ %19, %if.end.i197 ]
  %cmp22.not.i = icmp eq i64 %23, %17
  br i1 %cmp22.not.i, label %if.end19.for.inc_crit_edge.i, label %common.ret

if.end19.for.inc_crit_edge.i:                     ; preds = %if.end19.i
  %.pre54.i = load i64, ptr %ndim10.i, align 8
  br label %for.inc.i199

for.inc.i199:                                     ; preds = %if.end19.for.inc_crit_edge.i, %for.body.i195
  %24 = phi i64 [ %.pre54.i, %if.end19.for.inc_crit_edge.i ], [ %14, %for.body.i195 ]
  %inc.i200 = add nuw nsw i64 %d.048.i, 1
  %cmp.not.i201 = icmp slt i64 %inc.i200, %24
  br i1 %cmp.not.i201, label %for.body.i195, label %if.end10.loopexit

if.end10.loopexit:                                ; preds = %for.inc.i199
  %.pre = load i64, ptr %pattern.tr, align 8
  br label %if.end10

if.end10:                                         ; preds = %for.cond.preheader.i, %if.end10.loopexit
  %25 = phi i64 [ %24, %if.end10.loopexit ], [ %conv9.i, %for.cond.preheader.i ]
  %26 = phi i64 [ %.pre, %if.end10.loopexit ], [ %0, %for.cond.preheader.i ]
  %cmp12 = icmp eq i64 %26, 1
  br i1 %cmp12, label %if.then13, label %if.end16

if.then13:                                        ; preds = %if.end10
  %27 = load ptr, ptr %met, align 8
  %incdec.ptr15 = getelementptr inbounds i8, ptr %27, i64 8
  store ptr %incdec.ptr15, ptr %met, align 8
  store ptr %object, ptr %27, align 8
  %.pre388 = load i64, ptr %ndim10.i, align 8
  br label %if.end16

if.end16:                                         ; preds = %if.then13, %if.end10
  %28 = phi i64 [ %.pre388, %if.then13 ], [ %25, %if.end10 ]
  %sizes = getelementptr inbounds i8, ptr %pattern.tr, i64 32
  %add.ptr17 = getelementptr inbounds i64, ptr %sizes, i64 %28
  br label %common.ret

sw.bb18:                                          ; preds = %tailrecurse
  %cmp19 = icmp eq ptr %1, %object
  %cond = select i1 %cmp19, ptr %add.ptr, ptr null
  br label %common.ret

sw.bb20:                                          ; preds = %tailrecurse
  %cmp.i = icmp eq ptr %1, %object
  br i1 %cmp.i, label %is_equal.exit.thread, label %if.end.i203

if.end.i203:                                      ; preds = %sw.bb20
  %type.i = getelementptr inbounds i8, ptr %object, i64 8
  %29 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %1, i64 8
  %30 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %29, %30
  br i1 %cmp2.i, label %is_equal.exit, label %common.ret

is_equal.exit:                                    ; preds = %if.end.i203
  %call.i = tail call i32 @PyObject_RichCompareBool(ptr noundef nonnull %object, ptr noundef nonnull %1, i32 noundef 2)
  %call.i.fr = freeze i32 %call.i
  %cmp3.i = icmp eq i32 %call.i.fr, 1
  br i1 %cmp3.i, label %is_equal.exit.thread, label %common.ret

is_equal.exit.thread:                             ; preds = %sw.bb20, %is_equal.exit
  br label %common.ret

sw.bb26:                                          ; preds = %tailrecurse
  %type27 = getelementptr inbounds i8, ptr %object, i64 8
  %31 = load ptr, ptr %type27, align 8
  %cmp28.not = icmp eq ptr %31, %1
  br i1 %cmp28.not, label %lor.lhs.false29, label %common.ret

lor.lhs.false29:                                  ; preds = %sw.bb26
  %call30 = tail call i64 @PyTuple_Size(ptr noundef nonnull %object)
  %32 = load i64, ptr %add.ptr, align 8
  %cmp31.not = icmp eq i64 %call30, %32
  br i1 %cmp31.not, label %if.end33, label %common.ret

if.end33:                                         ; preds = %lor.lhs.false29
  %add.ptr34 = getelementptr inbounds i8, ptr %pattern.tr, i64 24
  %cmp9.i = icmp sgt i64 %call30, 0
  br i1 %cmp9.i, label %for.body.lr.ph.i469, label %common.ret

for.body.lr.ph.i469:                              ; preds = %if.end33
  %33 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %object, i64 %33
  br label %for.body.i470

for.body.i470:                                    ; preds = %for.body.i470, %for.body.lr.ph.i469
  %pattern.addr.012.i = phi ptr [ %add.ptr34, %for.body.lr.ph.i469 ], [ %call2.i, %for.body.i470 ]
  %i.011.i = phi i64 [ 0, %for.body.lr.ph.i469 ], [ %inc.i472, %for.body.i470 ]
  %arrayidx.i471 = getelementptr inbounds ptr, ptr %add.ptr.i.i, i64 %i.011.i
  %34 = load ptr, ptr %arrayidx.i471, align 8
  %call2.i = tail call fastcc ptr @match(ptr noundef %34, ptr noundef nonnull %pattern.addr.012.i, ptr noundef %met)
  %inc.i472 = add nuw nsw i64 %i.011.i, 1
  %cmp.i473 = icmp slt i64 %inc.i472, %call30
  %tobool.i = icmp ne ptr %call2.i, null
  %35 = select i1 %cmp.i473, i1 %tobool.i, i1 false
  br i1 %35, label %for.body.i470, label %common.ret

sw.bb36:                                          ; preds = %tailrecurse
  %type37 = getelementptr inbounds i8, ptr %object, i64 8
  %36 = load ptr, ptr %type37, align 8
  %cmp38.not = icmp eq ptr %36, @PyList_Type
  br i1 %cmp38.not, label %if.end40, label %common.ret

if.end40:                                         ; preds = %sw.bb36
  %cmp41 = icmp eq i64 %word.sroa.0.0.copyload, -2
  br i1 %cmp41, label %if.end45.thread, label %if.end45

if.end45.thread:                                  ; preds = %if.end40
  %37 = load ptr, ptr %met, align 8
  %incdec.ptr44 = getelementptr inbounds i8, ptr %37, i64 8
  store ptr %incdec.ptr44, ptr %met, align 8
  store ptr %object, ptr %37, align 8
  br label %if.then47

if.end45:                                         ; preds = %if.end40
  %cmp46 = icmp slt i64 %word.sroa.0.0.copyload, 0
  br i1 %cmp46, label %if.then47, label %if.end53

if.then47:                                        ; preds = %if.end45.thread, %if.end45
  %containers.i = getelementptr inbounds i8, ptr %met, i64 16
  %38 = load ptr, ptr %containers.i, align 8
  %container1.i = getelementptr inbounds i8, ptr %met, i64 8
  %39 = load ptr, ptr %container1.i, align 8
  %cmp17.not.i = icmp ult ptr %38, %39
  br i1 %cmp17.not.i, label %for.body.i205, label %.loopexit

for.cond.i:                                       ; preds = %for.body.i205
  %incdec.ptr.i = getelementptr inbounds i8, ptr %other.018.i, i64 8
  %cmp.not.i207 = icmp ult ptr %incdec.ptr.i, %39
  br i1 %cmp.not.i207, label %for.body.i205, label %.loopexit

for.body.i205:                                    ; preds = %if.then47, %for.cond.i
  %other.018.i = phi ptr [ %incdec.ptr.i, %for.cond.i ], [ %38, %if.then47 ]
  %40 = load ptr, ptr %other.018.i, align 8
  %cmp2.i206 = icmp eq ptr %40, %object
  br i1 %cmp2.i206, label %common.ret, label %for.cond.i

.loopexit:                                        ; preds = %for.cond.i, %if.then47
  %incdec.ptr4.i = getelementptr inbounds i8, ptr %39, i64 8
  store ptr %incdec.ptr4.i, ptr %container1.i, align 8
  store ptr %object, ptr %39, align 8
  br label %common.ret

if.end53:                                         ; preds = %if.end45
  %call54 = tail call i64 @PyList_Size(ptr noundef nonnull %object)
  %cmp55.not = icmp eq i64 %call54, %word.sroa.0.0.copyload
  br i1 %cmp55.not, label %if.end57, label %common.ret

if.end57:                                         ; preds = %if.end53
  %containers.i208 = getelementptr inbounds i8, ptr %met, i64 16
  %41 = load ptr, ptr %containers.i208, align 8
  %container1.i209 = getelementptr inbounds i8, ptr %met, i64 8
  %42 = load ptr, ptr %container1.i209, align 8
  %cmp17.not.i210 = icmp ult ptr %41, %42
  br i1 %cmp17.not.i210, label %for.body.i214, label %cond.true59

for.cond.i217:                                    ; preds = %for.body.i214
  %incdec.ptr.i218 = getelementptr inbounds i8, ptr %other.018.i215, i64 8
  %cmp.not.i219 = icmp ult ptr %incdec.ptr.i218, %42
  br i1 %cmp.not.i219, label %for.body.i214, label %cond.true59

for.body.i214:                                    ; preds = %if.end57, %for.cond.i217
  %other.018.i215 = phi ptr [ %incdec.ptr.i218, %for.cond.i217 ], [ %41, %if.end57 ]
  %43 = load ptr, ptr %other.018.i215, align 8
  %cmp2.i216 = icmp eq ptr %43, %object
  br i1 %cmp2.i216, label %common.ret, label %for.cond.i217

cond.true59:                                      ; preds = %for.cond.i217, %if.end57
  %incdec.ptr4.i212 = getelementptr inbounds i8, ptr %42, i64 8
  store ptr %incdec.ptr4.i212, ptr %container1.i209, align 8
  store ptr %object, ptr %42, align 8
  %call60 = tail call fastcc ptr @match_items(ptr noundef %object, i1 noundef false, i64 noundef %word.sroa.0.0.copyload, ptr noundef nonnull %add.ptr, ptr noundef %met)
  br label %common.ret

sw.bb64:                                          ; preds = %tailrecurse
  %arrayidx.le715 = getelementptr inbounds i8, ptr %pattern.tr, i64 8
  %type65 = getelementptr inbounds i8, ptr %object, i64 8
  %44 = load ptr, ptr %type65, align 8
  %cmp66.not = icmp eq ptr %44, @PyDict_Type
  br i1 %cmp66.not, label %lor.lhs.false67, label %common.ret

lor.lhs.false67:                                  ; preds = %sw.bb64
  %containers.i221 = getelementptr inbounds i8, ptr %met, i64 16
  %45 = load ptr, ptr %containers.i221, align 8
  %container1.i222 = getelementptr inbounds i8, ptr %met, i64 8
  %46 = load ptr, ptr %container1.i222, align 8
  %cmp17.not.i223 = icmp ult ptr %45, %46
  br i1 %cmp17.not.i223, label %for.body.i227, label %if.end70

for.cond.i230:                                    ; preds = %for.body.i227
  %incdec.ptr.i231 = getelementptr inbounds i8, ptr %other.018.i228, i64 8
  %cmp.not.i232 = icmp ult ptr %incdec.ptr.i231, %46
  br i1 %cmp.not.i232, label %for.body.i227, label %if.end70

for.body.i227:                                    ; preds = %lor.lhs.false67, %for.cond.i230
  %other.018.i228 = phi ptr [ %incdec.ptr.i231, %for.cond.i230 ], [ %45, %lor.lhs.false67 ]
  %47 = load ptr, ptr %other.018.i228, align 8
  %cmp2.i229 = icmp eq ptr %47, %object
  br i1 %cmp2.i229, label %common.ret, label %for.cond.i230

if.end70:                                         ; preds = %for.cond.i230, %lor.lhs.false67
  %incdec.ptr4.i225 = getelementptr inbounds i8, ptr %46, i64 8
  store ptr %incdec.ptr4.i225, ptr %container1.i222, align 8
  store ptr %object, ptr %46, align 8
  %call72 = tail call fastcc ptr @match_dict(ptr noundef %object, ptr noundef nonnull %arrayidx.le715, ptr noundef %met)
  br label %common.ret

sw.bb73:                                          ; preds = %tailrecurse
  %type74 = getelementptr inbounds i8, ptr %object, i64 8
  %48 = load ptr, ptr %type74, align 8
  %cmp75.not = icmp eq ptr %48, %1
  br i1 %cmp75.not, label %lor.lhs.false76, label %common.ret

lor.lhs.false76:                                  ; preds = %sw.bb73
  %containers.i234 = getelementptr inbounds i8, ptr %met, i64 16
  %49 = load ptr, ptr %containers.i234, align 8
  %container1.i235 = getelementptr inbounds i8, ptr %met, i64 8
  %50 = load ptr, ptr %container1.i235, align 8
  %cmp17.not.i236 = icmp ult ptr %49, %50
  br i1 %cmp17.not.i236, label %for.body.i240, label %if.end79

for.cond.i243:                                    ; preds = %for.body.i240
  %incdec.ptr.i244 = getelementptr inbounds i8, ptr %other.018.i241, i64 8
  %cmp.not.i245 = icmp ult ptr %incdec.ptr.i244, %50
  br i1 %cmp.not.i245, label %for.body.i240, label %if.end79

for.body.i240:                                    ; preds = %lor.lhs.false76, %for.cond.i243
  %other.018.i241 = phi ptr [ %incdec.ptr.i244, %for.cond.i243 ], [ %49, %lor.lhs.false76 ]
  %51 = load ptr, ptr %other.018.i241, align 8
  %cmp2.i242 = icmp eq ptr %51, %object
  br i1 %cmp2.i242, label %common.ret, label %for.cond.i243

if.end79:                                         ; preds = %for.cond.i243, %lor.lhs.false76
  %incdec.ptr4.i238 = getelementptr inbounds i8, ptr %50, i64 8
  store ptr %incdec.ptr4.i238, ptr %container1.i235, align 8
  store ptr %object, ptr %50, align 8
  %call.i474 = tail call ptr @PyObject_GenericGetDict(ptr noundef %object, ptr noundef null)
  %tobool.not.i475 = icmp eq ptr %call.i474, null
  br i1 %tobool.not.i475, label %if.then.i, label %if.end.i476

if.then.i:                                        ; preds = %if.end79
  tail call void @PyErr_Clear()
  br label %common.ret

if.end.i476:                                      ; preds = %if.end79
  %52 = load i64, ptr %add.ptr, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %position.i.i)
  store i64 0, ptr %position.i.i, align 8
  %call.i.i = tail call i64 @PyDict_Size(ptr noundef nonnull %call.i474)
  %cmp.not.i.i = icmp eq i64 %call.i.i, %52
  br i1 %cmp.not.i.i, label %if.end.i.i, label %match_dict.exit.i

if.end.i.i:                                       ; preds = %if.end.i476
  %incdec.ptr.i.i = getelementptr inbounds i8, ptr %pattern.tr, i64 24
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %key.i.i)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %value.i.i)
  %cmp1.i10.i = icmp slt i64 %52, 1
  br i1 %cmp1.i10.i, label %cleanup.i.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %if.end.i.i, %if.end6.i.i
  %i.0.i12.i = phi i64 [ %inc.i.i, %if.end6.i.i ], [ 0, %if.end.i.i ]
  %pattern.addr.0.i11.i = phi ptr [ %call7.i.i, %if.end6.i.i ], [ %incdec.ptr.i.i, %if.end.i.i ]
  %call2.i.i = call i32 @PyDict_Next(ptr noundef nonnull %call.i474, ptr noundef nonnull %position.i.i, ptr noundef nonnull %key.i.i, ptr noundef nonnull %value.i.i)
  %tobool3.not.i.i = icmp eq i32 %call2.i.i, 0
  br i1 %tobool3.not.i.i, label %cleanup.i.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i.i
  %53 = load ptr, ptr %key.i.i, align 8
  %54 = load ptr, ptr %pattern.addr.0.i11.i, align 8
  %cmp.i.i = icmp eq ptr %53, %54
  br i1 %cmp.i.i, label %if.end6.i.i, label %if.end.i5.i

if.end.i5.i:                                      ; preds = %lor.lhs.false.i.i
  %type.i.i = getelementptr inbounds i8, ptr %53, i64 8
  %55 = load ptr, ptr %type.i.i, align 8
  %type1.i.i = getelementptr inbounds i8, ptr %54, i64 8
  %56 = load ptr, ptr %type1.i.i, align 8
  %cmp2.i.i = icmp eq ptr %55, %56
  br i1 %cmp2.i.i, label %is_equal.exit.i, label %cleanup.i.i

is_equal.exit.i:                                  ; preds = %if.end.i5.i
  %call.i6.i = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %53, ptr noundef nonnull %54, i32 noundef 2)
  %cmp3.i.i = icmp eq i32 %call.i6.i, 1
  br i1 %cmp3.i.i, label %if.end6.i.i, label %cleanup.i.i

if.end6.i.i:                                      ; preds = %is_equal.exit.i, %lor.lhs.false.i.i
  %57 = load ptr, ptr %value.i.i, align 8
  %add.ptr.i.i477 = getelementptr inbounds i8, ptr %pattern.addr.0.i11.i, i64 8
  %call7.i.i = call fastcc ptr @match(ptr noundef %57, ptr noundef nonnull %add.ptr.i.i477, ptr noundef %met)
  %inc.i.i = add nuw nsw i64 %i.0.i12.i, 1
  %cmp1.i.i = icmp sge i64 %inc.i.i, %52
  %tobool.i.i = icmp eq ptr %call7.i.i, null
  %.not.i.i = select i1 %cmp1.i.i, i1 true, i1 %tobool.i.i
  br i1 %.not.i.i, label %cleanup.i.i, label %for.body.i.i

cleanup.i.i:                                      ; preds = %if.end6.i.i, %is_equal.exit.i, %if.end.i5.i, %for.body.i.i, %if.end.i.i
  %spec.select.i.i = phi ptr [ %incdec.ptr.i.i, %if.end.i.i ], [ %call7.i.i, %if.end6.i.i ], [ null, %for.body.i.i ], [ null, %is_equal.exit.i ], [ null, %if.end.i5.i ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %key.i.i)
  br label %match_dict.exit.i

match_dict.exit.i:                                ; preds = %cleanup.i.i, %if.end.i476
  %retval.2.i.i = phi ptr [ %spec.select.i.i, %cleanup.i.i ], [ null, %if.end.i476 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %position.i.i)
  call void @Py_DecRef(ptr noundef nonnull %call.i474)
  br label %common.ret

sw.bb81:                                          ; preds = %tailrecurse
  %type82 = getelementptr inbounds i8, ptr %object, i64 8
  %58 = load ptr, ptr %type82, align 8
  %cmp83.not = icmp eq ptr %58, %1
  br i1 %cmp83.not, label %lor.lhs.false84, label %common.ret

lor.lhs.false84:                                  ; preds = %sw.bb81
  %containers.i247 = getelementptr inbounds i8, ptr %met, i64 16
  %59 = load ptr, ptr %containers.i247, align 8
  %container1.i248 = getelementptr inbounds i8, ptr %met, i64 8
  %60 = load ptr, ptr %container1.i248, align 8
  %cmp17.not.i249 = icmp ult ptr %59, %60
  br i1 %cmp17.not.i249, label %for.body.i253, label %if.end87

for.cond.i256:                                    ; preds = %for.body.i253
  %incdec.ptr.i257 = getelementptr inbounds i8, ptr %other.018.i254, i64 8
  %cmp.not.i258 = icmp ult ptr %incdec.ptr.i257, %60
  br i1 %cmp.not.i258, label %for.body.i253, label %if.end87

for.body.i253:                                    ; preds = %lor.lhs.false84, %for.cond.i256
  %other.018.i254 = phi ptr [ %incdec.ptr.i257, %for.cond.i256 ], [ %59, %lor.lhs.false84 ]
  %61 = load ptr, ptr %other.018.i254, align 8
  %cmp2.i255 = icmp eq ptr %61, %object
  br i1 %cmp2.i255, label %common.ret, label %for.cond.i256

if.end87:                                         ; preds = %for.cond.i256, %lor.lhs.false84
  %incdec.ptr4.i251 = getelementptr inbounds i8, ptr %60, i64 8
  store ptr %incdec.ptr4.i251, ptr %container1.i248, align 8
  store ptr %object, ptr %60, align 8
  %incdec.ptr.i478 = getelementptr inbounds i8, ptr %pattern.tr, i64 24
  %62 = load i64, ptr %add.ptr, align 8
  %cmp25.i = icmp sgt i64 %62, 0
  br i1 %cmp25.i, label %for.body.i484, label %lor.lhs.false.i479

for.cond.cleanup.i:                               ; preds = %cond.end.i
  br i1 %tobool.i488, label %lor.lhs.false.i479, label %common.ret

for.body.i484:                                    ; preds = %if.end87, %cond.end.i
  %i.027.i = phi i64 [ %inc.i486, %cond.end.i ], [ 0, %if.end87 ]
  %pattern.addr.026.i = phi ptr [ %call.i485, %cond.end.i ], [ %incdec.ptr.i478, %if.end87 ]
  %63 = load i64, ptr %pattern.addr.026.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %object, i64 %63
  %64 = load ptr, ptr %add.ptr.i, align 8
  %tobool1.not.i = icmp eq ptr %64, null
  br i1 %tobool1.not.i, label %common.ret, label %cond.end.i

cond.end.i:                                       ; preds = %for.body.i484
  %add.ptr2.i = getelementptr inbounds i8, ptr %pattern.addr.026.i, i64 8
  %call.i485 = tail call fastcc ptr @match(ptr noundef nonnull %64, ptr noundef nonnull %add.ptr2.i, ptr noundef %met)
  %inc.i486 = add nuw nsw i64 %i.027.i, 1
  %cmp.i487 = icmp slt i64 %inc.i486, %62
  %tobool.i488 = icmp ne ptr %call.i485, null
  %65 = select i1 %cmp.i487, i1 %tobool.i488, i1 false
  br i1 %65, label %for.body.i484, label %for.cond.cleanup.i

lor.lhs.false.i479:                               ; preds = %for.cond.cleanup.i, %if.end87
  %pattern.addr.0.lcssa32.i = phi ptr [ %call.i485, %for.cond.cleanup.i ], [ %incdec.ptr.i478, %if.end87 ]
  %66 = load i64, ptr %pattern.addr.0.lcssa32.i, align 8
  %cmp5.i = icmp sgt i64 %66, -1
  br i1 %cmp5.i, label %cond.true7.i, label %if.end.i480

cond.true7.i:                                     ; preds = %lor.lhs.false.i479
  %call.i.i482 = tail call ptr @PyObject_GenericGetDict(ptr noundef %object, ptr noundef null)
  %tobool.not.i.i = icmp eq ptr %call.i.i482, null
  br i1 %tobool.not.i.i, label %if.then.i.i, label %if.end.i.i483

if.then.i.i:                                      ; preds = %cond.true7.i
  tail call void @PyErr_Clear()
  br label %common.ret

if.end.i.i483:                                    ; preds = %cond.true7.i
  %call1.i.i = tail call fastcc ptr @match_dict(ptr noundef nonnull %call.i.i482, ptr noundef nonnull %pattern.addr.0.lcssa32.i, ptr noundef %met)
  tail call void @Py_DecRef(ptr noundef nonnull %call.i.i482)
  br label %common.ret

if.end.i480:                                      ; preds = %lor.lhs.false.i479
  %add.ptr12.i = getelementptr inbounds i8, ptr %pattern.addr.0.lcssa32.i, i64 8
  br label %common.ret

sw.bb89:                                          ; preds = %tailrecurse
  %arrayidx.le = getelementptr inbounds i8, ptr %pattern.tr, i64 8
  %containers.i260 = getelementptr inbounds i8, ptr %met, i64 16
  %67 = load ptr, ptr %containers.i260, align 8
  %container1.i261 = getelementptr inbounds i8, ptr %met, i64 8
  %68 = load ptr, ptr %container1.i261, align 8
  %cmp17.not.i262 = icmp ult ptr %67, %68
  br i1 %cmp17.not.i262, label %for.body.i266, label %cond.true91

for.cond.i269:                                    ; preds = %for.body.i266
  %incdec.ptr.i270 = getelementptr inbounds i8, ptr %other.018.i267, i64 8
  %cmp.not.i271 = icmp ult ptr %incdec.ptr.i270, %68
  br i1 %cmp.not.i271, label %for.body.i266, label %cond.true91

for.body.i266:                                    ; preds = %sw.bb89, %for.cond.i269
  %other.018.i267 = phi ptr [ %incdec.ptr.i270, %for.cond.i269 ], [ %67, %sw.bb89 ]
  %69 = load ptr, ptr %other.018.i267, align 8
  %cmp2.i268 = icmp eq ptr %69, %object
  br i1 %cmp2.i268, label %common.ret, label %for.cond.i269

cond.true91:                                      ; preds = %for.cond.i269, %sw.bb89
  %incdec.ptr4.i264 = getelementptr inbounds i8, ptr %68, i64 8
  store ptr %incdec.ptr4.i264, ptr %container1.i261, align 8
  store ptr %object, ptr %68, align 8
  %call.i273 = tail call ptr @PyCell_Get(ptr noundef %object)
  %tobool.not.i = icmp eq ptr %call.i273, null
  br i1 %tobool.not.i, label %common.ret, label %if.end.i274

common.ret:                                       ; preds = %if.end.i480, %if.end.i.i483, %if.then.i.i, %for.cond.cleanup.i, %match_dict.exit.i, %if.then.i, %if.end33, %if.end, %sw.bb18, %if.end70, %sw.bb, %sw.bb2, %if.end16, %lor.lhs.false29, %sw.bb26, %sw.bb36, %if.end53, %cond.true59, %sw.bb64, %sw.bb73, %sw.bb81, %land.lhs.true, %sw.bb104, %is_equal.exit, %is_equal.exit.thread, %.loopexit, %cond.true91, %lor.lhs.false.i, %land.lhs.true.i, %if.end.i, %if.end.i203, %lor.lhs.false.i202, %if.then8.i, %if.end19.i, %land.lhs.true20.i, %for.body.i470, %for.body.i205, %for.body.i214, %for.body.i227, %for.body.i240, %for.body.i484, %for.body.i253, %for.body.i266, %sw.bb97, %tailrecurse, %if.end.i274
  %common.ret.op = phi ptr [ %call1.i, %if.end.i274 ], [ %call72, %if.end70 ], [ %cond, %sw.bb18 ], [ %add.ptr, %if.end ], [ null, %sw.bb ], [ %add.ptr17, %if.end16 ], [ null, %sw.bb2 ], [ null, %lor.lhs.false29 ], [ null, %sw.bb26 ], [ null, %sw.bb36 ], [ null, %if.end53 ], [ %call60, %cond.true59 ], [ null, %sw.bb64 ], [ null, %sw.bb73 ], [ null, %sw.bb81 ], [ null, %sw.bb104 ], [ %spec.select, %land.lhs.true ], [ %add.ptr, %is_equal.exit.thread ], [ null, %is_equal.exit ], [ %add.ptr, %.loopexit ], [ null, %cond.true91 ], [ null, %lor.lhs.false.i ], [ null, %land.lhs.true.i ], [ null, %if.end.i ], [ null, %if.end.i203 ], [ %add.ptr34, %if.end33 ], [ %retval.2.i.i, %match_dict.exit.i ], [ null, %if.then.i ], [ %add.ptr12.i, %if.end.i480 ], [ null, %for.cond.cleanup.i ], [ %call1.i.i, %if.end.i.i483 ], [ null, %if.then.i.i ], [ null, %lor.lhs.false.i202 ], [ null, %if.then8.i ], [ null, %if.end19.i ], [ null, %land.lhs.true20.i ], [ %call2.i, %for.body.i470 ], [ null, %for.body.i205 ], [ null, %for.body.i214 ], [ null, %for.body.i227 ], [ null, %for.body.i240 ], [ null, %for.body.i484 ], [ null, %for.body.i253 ], [ null, %for.body.i266 ], [ null, %sw.bb97 ], [ null, %tailrecurse ]
  ret ptr %common.ret.op

if.end.i274:                                      ; preds = %cond.true91
  %call1.i = tail call fastcc ptr @match(ptr noundef nonnull %call.i273, ptr noundef nonnull %arrayidx.le, ptr noundef nonnull %met)
  tail call void @Py_DecRef(ptr noundef nonnull %call.i273)
  br label %common.ret

sw.bb97:                                          ; preds = %tailrecurse
  %cmp98 = icmp eq ptr %1, %object
  br i1 %cmp98, label %tailrecurse, label %common.ret

sw.bb104:                                         ; preds = %tailrecurse
  %type105 = getelementptr inbounds i8, ptr %object, i64 8
  %70 = load ptr, ptr %type105, align 8
  %cmp106 = icmp eq ptr %70, @PyFloat_Type
  br i1 %cmp106, label %land.lhs.true, label %common.ret

land.lhs.true:                                    ; preds = %sw.bb104
  %call.i276 = tail call double @PyFloat_AsDouble(ptr noundef nonnull %object)
  %71 = bitcast double %call.i276 to i64
  %cmp108 = icmp eq i64 %word.sroa.0.0.copyload, %71
  %spec.select = select i1 %cmp108, ptr %add.ptr, ptr null
  br label %common.ret
}

declare ptr @PyDict_GetItemWithError(ptr noundef, ptr noundef)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

declare void @PyErr_Clear()

declare ptr @PyCell_Get(ptr noundef)

define internal fastcc ptr @match_items(ptr noundef %object, i1 noundef %is_tuple, i64 noundef %count, ptr noundef %pattern, ptr noundef %met) {
entry:
  %cmp9 = icmp sgt i64 %count, 0
  %tobool10 = icmp ne ptr %pattern, null
  %0 = and i1 %cmp9, %tobool10
  br i1 %0, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %1 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %object, i64 %1
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %entry
  %pattern.addr.0.lcssa = phi ptr [ %pattern, %entry ], [ %call2, %cond.end ]
  ret ptr %pattern.addr.0.lcssa

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %pattern.addr.012 = phi ptr [ %pattern, %for.body.lr.ph ], [ %call2, %cond.end ]
  %i.011 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  br i1 %is_tuple, label %cond.true, label %cond.false

cond.true:                                        ; preds = %for.body
  %arrayidx = getelementptr inbounds ptr, ptr %add.ptr.i, i64 %i.011
  %2 = load ptr, ptr %arrayidx, align 8
  br label %cond.end

cond.false:                                       ; preds = %for.body
  %call1 = tail call ptr @PyList_GetItem(ptr noundef %object, i64 noundef %i.011)
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %2, %cond.true ], [ %call1, %cond.false ]
  %call2 = tail call fastcc ptr @match(ptr noundef %cond, ptr noundef nonnull %pattern.addr.012, ptr noundef %met)
  %inc = add nuw nsw i64 %i.011, 1
  %cmp = icmp slt i64 %inc, %count
  %tobool = icmp ne ptr %call2, null
  %3 = select i1 %cmp, i1 %tobool, i1 false
  br i1 %3, label %for.body, label %for.cond.cleanup
}

declare i64 @PyList_Size(ptr noundef)

define internal fastcc ptr @match_dict(ptr noundef %dict, ptr noundef %pattern, ptr noundef %met) {
entry:
  %position = alloca i64, align 8
  %key = alloca ptr, align 8
  %value = alloca ptr, align 8
  %0 = load i64, ptr %pattern, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %position)
  store i64 0, ptr %position, align 8
  %call = tail call i64 @PyDict_Size(ptr noundef %dict)
  %cmp.not = icmp eq i64 %call, %0
  br i1 %cmp.not, label %if.end, label %cleanup10

if.end:                                           ; preds = %entry
  %incdec.ptr = getelementptr inbounds i8, ptr %pattern, i64 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %key)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %value)
  %cmp122 = icmp slt i64 %0, 1
  br i1 %cmp122, label %cleanup, label %for.body

for.body:                                         ; preds = %if.end, %if.end6
  %i.024 = phi i64 [ %inc, %if.end6 ], [ 0, %if.end ]
  %pattern.addr.023 = phi ptr [ %call7, %if.end6 ], [ %incdec.ptr, %if.end ]
  %call2 = call i32 @PyDict_Next(ptr noundef %dict, ptr noundef nonnull %position, ptr noundef nonnull %key, ptr noundef nonnull %value)
  %tobool3.not = icmp eq i32 %call2, 0
  br i1 %tobool3.not, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %1 = load ptr, ptr %key, align 8
  %2 = load ptr, ptr %pattern.addr.023, align 8
  %cmp.i = icmp eq ptr %1, %2
  br i1 %cmp.i, label %if.end6, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false
  %type.i = getelementptr inbounds i8, ptr %1, i64 8
  %3 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %3, %4
  br i1 %cmp2.i, label %is_equal.exit, label %cleanup

is_equal.exit:                                    ; preds = %if.end.i
  %call.i = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %1, ptr noundef nonnull %2, i32 noundef 2)
  %cmp3.i = icmp eq i32 %call.i, 1
  br i1 %cmp3.i, label %if.end6, label %cleanup

if.end6:                                          ; preds = %lor.lhs.false, %is_equal.exit
  %5 = load ptr, ptr %value, align 8
  %add.ptr = getelementptr inbounds i8, ptr %pattern.addr.023, i64 8
  %call7 = call fastcc ptr @match(ptr noundef %5, ptr noundef nonnull %add.ptr, ptr noundef %met)
  %inc = add nuw nsw i64 %i.024, 1
  %cmp1 = icmp sge i64 %inc, %0
  %tobool = icmp eq ptr %call7, null
  %.not = select i1 %cmp1, i1 true, i1 %tobool
  br i1 %.not, label %cleanup, label %for.body

cleanup:                                          ; preds = %if.end6, %is_equal.exit, %for.body, %if.end.i, %if.end
  %spec.select = phi ptr [ %incdec.ptr, %if.end ], [ null, %if.end.i ], [ null, %for.body ], [ null, %is_equal.exit ], [ %call7, %if.end6 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %key)
  br label %cleanup10

cleanup10:                                        ; preds = %entry, %cleanup
  %retval.2 = phi ptr [ %spec.select, %cleanup ], [ null, %entry ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %position)
  ret ptr %retval.2
}

declare ptr @PyList_GetItem(ptr noundef, i64 noundef)

declare i64 @PyDict_Size(ptr noundef)

declare i32 @PyDict_Next(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyObject_GenericGetDict(ptr noundef, ptr noundef)

declare double @PyFloat_AsDouble(ptr noundef)

declare i32 @PyObject_RichCompareBool(ptr noundef, ptr noundef, i32 noundef)

define internal fastcc noundef ptr @handled_by(ptr noundef %handler) {
entry:
  %argument.addr.i = alloca ptr, align 8
  %type = alloca ptr, align 8
  %value = alloca ptr, align 8
  %traceback = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %type)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %value)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %traceback)
  call void @PyErr_Fetch(ptr noundef nonnull %type, ptr noundef nonnull %value, ptr noundef nonnull %traceback)
  call void @PyErr_NormalizeException(ptr noundef nonnull %type, ptr noundef nonnull %value, ptr noundef nonnull %traceback)
  %0 = load ptr, ptr %type, align 8
  call void @Py_DecRef(ptr noundef %0)
  %1 = load ptr, ptr %traceback, align 8
  %tobool.not = icmp eq ptr %1, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %2 = load ptr, ptr %value, align 8
  %call = call i32 @PyException_SetTraceback(ptr noundef %2, ptr noundef nonnull %1)
  %3 = load ptr, ptr %traceback, align 8
  call void @Py_DecRef(ptr noundef %3)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %4 = load ptr, ptr %value, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %argument.addr.i)
  store ptr %4, ptr %argument.addr.i, align 8
  %call.i = call ptr @PyObject_VectorcallDict(ptr noundef %handler, ptr noundef nonnull %argument.addr.i, i64 noundef 1, ptr noundef null)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %argument.addr.i)
  %5 = load ptr, ptr %value, align 8
  call void @Py_DecRef(ptr noundef %5)
  %tobool2.not = icmp eq ptr %call.i, null
  br i1 %tobool2.not, label %cleanup, label %if.end4

if.end4:                                          ; preds = %if.end
  call void @Py_DecRef(ptr noundef nonnull %call.i)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.end4
  %retval.0 = phi ptr [ @missed, %if.end4 ], [ null, %if.end ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %traceback)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %type)
  ret ptr %retval.0
}

declare i32 @PyObject_IsTrue(ptr noundef)

declare void @PyErr_Fetch(ptr noundef, ptr noundef, ptr noundef)

declare void @PyErr_NormalizeException(ptr noundef, ptr noundef, ptr noundef)

declare i32 @PyException_SetTraceback(ptr noundef, ptr noundef)
