; Made by `make runtime` of call.c (701710554d435948) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.Object = type { i64, ptr }
%struct.Met = type { ptr, ptr, ptr }

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
@_Py_NoneStruct = external global %struct.Object, align 8
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
  %given = alloca [3 x ptr], align 16
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
  store ptr %self, ptr %given, align 16
  %arrayinit.element = getelementptr inbounds i8, ptr %given, i64 8
  store ptr %call.i, ptr %arrayinit.element, align 8
  %arrayinit.element4 = getelementptr inbounds i8, ptr %given, i64 16
  store ptr %call.i13, ptr %arrayinit.element4, align 16
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
  %argument.addr.i.i = alloca ptr, align 8
  %0 = load ptr, ptr %record, align 8
  %1 = load i64, ptr @ag_bytes_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %0, i64 %1
  %2 = load i64, ptr %add.ptr.i, align 8
  %add = add nsw i64 %2, 1
  %vla = alloca ptr, i64 %add, align 16
  %call2 = call fastcc zeroext i1 @match_call(ptr noundef %arguments, i64 noundef %count, ptr noundef %names, ptr noundef nonnull %add.ptr.i, ptr noundef nonnull %vla)
  br i1 %call2, label %for.cond.preheader, label %cleanup

for.cond.preheader:                               ; preds = %entry
  %cmp27 = icmp sgt i64 %2, 0
  br i1 %cmp27, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %arrayidx.i = getelementptr inbounds i8, ptr %record, i64 32
  %3 = load ptr, ptr %arrayidx.i, align 8
  %call.i.i = call i64 @PyTuple_Size(ptr noundef %3)
  %cmp.not22.i.i = icmp sgt i64 %call.i.i, 0
  br i1 %cmp.not22.i.i, label %for.body.lr.ph.i.i, label %if.end5.i

for.body.lr.ph.i.i:                               ; preds = %for.cond.cleanup
  %4 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %3, i64 %4
  br label %for.body.i.i

for.cond.i.i:                                     ; preds = %if.end.i.i
  %inc.i.i = add nuw nsw i64 %i.023.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %call.i.i
  br i1 %exitcond.not.i.i, label %if.end5.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i, %for.body.lr.ph.i.i
  %i.023.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.cond.i.i ]
  %arrayidx.i.i = getelementptr inbounds ptr, ptr %add.ptr.i.i.i, i64 %i.023.i.i
  %5 = load ptr, ptr %arrayidx.i.i, align 8
  %call2.i.i = call ptr @PyObject_VectorcallDict(ptr noundef %5, ptr noundef null, i64 noundef 0, ptr noundef null)
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
  %6 = load ptr, ptr %arrayidx6.i, align 8
  %call7.i = call ptr @PyObject_VectorcallDict(ptr noundef %6, ptr noundef nonnull %vla, i64 noundef %2, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call7.i, null
  br i1 %tobool.not.i, label %call_with_leaves.exit.sink.split, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %if.end5.i
  %arrayidx8.i = getelementptr inbounds i8, ptr %record, i64 16
  %7 = load ptr, ptr %arrayidx8.i, align 8
  %cmp9.not.i = icmp eq ptr %7, @_Py_NoneStruct
  br i1 %cmp9.not.i, label %call_with_leaves.exit, label %if.end13.i

if.end13.i:                                       ; preds = %land.lhs.true.i
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %argument.addr.i.i)
  store ptr %call7.i, ptr %argument.addr.i.i, align 8
  %call.i27.i = call ptr @PyObject_VectorcallDict(ptr noundef %7, ptr noundef nonnull %argument.addr.i.i, i64 noundef 1, ptr noundef null)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %argument.addr.i.i)
  call void @Py_DecRef(ptr noundef nonnull %call7.i)
  %tobool14.not.i = icmp eq ptr %call.i27.i, null
  br i1 %tobool14.not.i, label %call_with_leaves.exit.sink.split, label %call_with_leaves.exit

call_with_leaves.exit.sink.split:                 ; preds = %for.body.i.i, %if.end5.i, %if.end13.i, %if.end.i
  %arrayidx3.i = getelementptr inbounds i8, ptr %record, i64 24
  %8 = load ptr, ptr %arrayidx3.i, align 8
  %call4.i = call fastcc ptr @handled_by(ptr noundef %8)
  br label %call_with_leaves.exit

call_with_leaves.exit:                            ; preds = %if.end.i.i, %call_with_leaves.exit.sink.split, %land.lhs.true.i, %if.end13.i
  %retval.0.i = phi ptr [ %call.i27.i, %if.end13.i ], [ %call7.i, %land.lhs.true.i ], [ %call4.i, %call_with_leaves.exit.sink.split ], [ @missed, %if.end.i.i ]
  br i1 %cmp27, label %for.body9, label %cleanup

for.body:                                         ; preds = %for.cond.preheader, %for.body
  %i.028 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %arrayidx3 = getelementptr inbounds ptr, ptr %vla, i64 %i.028
  %9 = load ptr, ptr %arrayidx3, align 8
  call void @Py_IncRef(ptr noundef %9)
  %inc = add nuw nsw i64 %i.028, 1
  %exitcond.not = icmp eq i64 %inc, %2
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.body9:                                        ; preds = %call_with_leaves.exit, %for.body9
  %i5.030 = phi i64 [ %inc12, %for.body9 ], [ 0, %call_with_leaves.exit ]
  %arrayidx10 = getelementptr inbounds ptr, ptr %vla, i64 %i5.030
  %10 = load ptr, ptr %arrayidx10, align 8
  call void @Py_DecRef(ptr noundef %10)
  %inc12 = add nuw nsw i64 %i5.030, 1
  %exitcond33.not = icmp eq i64 %inc12, %2
  br i1 %exitcond33.not, label %cleanup, label %for.body9

cleanup:                                          ; preds = %for.body9, %call_with_leaves.exit, %entry
  %retval.0 = phi ptr [ @missed, %entry ], [ %retval.0.i, %call_with_leaves.exit ], [ %retval.0.i, %for.body9 ]
  ret ptr %retval.0
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare void @Py_DecRef(ptr noundef)

declare i32 @PyContextVar_Get(ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

declare ptr @PyTuple_New(i64 noundef)

declare ptr @PyDict_New()

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef)

define internal fastcc zeroext i1 @match_call(ptr noundef readonly %arguments, i64 noundef %count, ptr noundef %names, ptr noundef %pattern, ptr noundef %found) {
entry:
  %met = alloca %struct.Met, align 8
  %arrayidx = getelementptr inbounds i8, ptr %pattern, i64 8
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %0, 1
  %vla = alloca ptr, i64 %add, align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %met)
  store ptr %found, ptr %met, align 8
  %container = getelementptr inbounds i8, ptr %met, i64 8
  store ptr %vla, ptr %container, align 8
  %containers = getelementptr inbounds i8, ptr %met, i64 16
  store ptr %vla, ptr %containers, align 8
  %add.ptr = getelementptr inbounds i8, ptr %pattern, i64 16
  br label %for.cond.i

for.cond.i:                                       ; preds = %for.cond.i.backedge, %entry
  %words.addr.0.i = phi ptr [ %add.ptr, %entry ], [ %words.addr.0.i.be, %for.cond.i.backedge ]
  %1 = load i64, ptr %words.addr.0.i, align 8
  %add.ptr22.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 8
  switch i64 %1, label %lor.lhs.false [
    i64 1, label %sw.epilog.i
    i64 2, label %sw.bb4.i
    i64 3, label %sw.bb10.i
    i64 4, label %sw.bb16.i
  ]

sw.bb4.i:                                         ; preds = %for.cond.i
  %2 = load ptr, ptr %add.ptr22.i, align 8
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
  %4 = load ptr, ptr %add.ptr22.i, align 8
  %arrayidx12.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %5 = load ptr, ptr %arrayidx12.i, align 8
  %call.i37.i = call ptr @PyDict_GetItemWithError(ptr noundef %4, ptr noundef %5)
  call void @PyErr_Clear()
  %tobool.not.i.i = icmp eq ptr %call.i37.i, null
  %add.ptr15.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 24
  br i1 %tobool.not.i.i, label %for.cond.i.backedge, label %match_outside.exit.thread

sw.bb16.i:                                        ; preds = %for.cond.i
  %6 = load ptr, ptr %add.ptr22.i, align 8
  %7 = load ptr, ptr %6, align 8
  %arrayidx18.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %8 = load ptr, ptr %arrayidx18.i, align 8
  %cmp19.i = icmp eq ptr %7, %8
  %add.ptr21.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 24
  br i1 %cmp19.i, label %for.cond.i.backedge, label %match_outside.exit.thread

sw.epilog.i:                                      ; preds = %for.cond.i
  %9 = load ptr, ptr %add.ptr22.i, align 8
  %arrayidx2.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %10 = load ptr, ptr %arrayidx2.i, align 8
  %call.i = call ptr @PyDict_GetItemWithError(ptr noundef %9, ptr noundef %10)
  %arrayidx3.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 24
  %11 = load ptr, ptr %arrayidx3.i, align 8
  %cmp.i = icmp eq ptr %call.i, %11
  %add.ptr.i = getelementptr inbounds i8, ptr %words.addr.0.i, i64 32
  br i1 %cmp.i, label %for.cond.i.backedge, label %match_outside.exit.thread

for.cond.i.backedge:                              ; preds = %sw.epilog.i, %sw.bb16.i, %sw.bb10.i, %holds.exit.i
  %words.addr.0.i.be = phi ptr [ %add.ptr.i, %sw.epilog.i ], [ %add.ptr21.i, %sw.bb16.i ], [ %add.ptr15.i, %sw.bb10.i ], [ %add.ptr9.i, %holds.exit.i ]
  br label %for.cond.i

match_outside.exit.thread:                        ; preds = %sw.bb4.i, %holds.exit.i, %sw.bb10.i, %sw.bb16.i, %sw.epilog.i
  call void @PyErr_Clear()
  br label %cleanup38

lor.lhs.false:                                    ; preds = %for.cond.i
  %12 = load i64, ptr %add.ptr22.i, align 8
  %cmp.not = icmp eq i64 %12, %count
  br i1 %cmp.not, label %if.end, label %cleanup38

if.end:                                           ; preds = %lor.lhs.false
  %incdec.ptr = getelementptr inbounds i8, ptr %words.addr.0.i, i64 16
  %cmp2.not77 = icmp sgt i64 %count, 0
  br i1 %cmp2.not77, label %for.body, label %for.end

for.cond:                                         ; preds = %for.body
  %inc = add nuw nsw i64 %i.079, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.end, label %for.body

for.body:                                         ; preds = %if.end, %for.cond
  %i.079 = phi i64 [ %inc, %for.cond ], [ 0, %if.end ]
  %pattern.addr.078 = phi ptr [ %call4, %for.cond ], [ %incdec.ptr, %if.end ]
  %arrayidx3 = getelementptr inbounds ptr, ptr %arguments, i64 %i.079
  %13 = load ptr, ptr %arrayidx3, align 8
  %call4 = call fastcc ptr @match(ptr noundef %13, ptr noundef nonnull %pattern.addr.078, ptr noundef nonnull %met)
  %tobool5.not = icmp eq ptr %call4, null
  br i1 %tobool5.not, label %cleanup38, label %for.cond

for.end:                                          ; preds = %for.cond, %if.end
  %pattern.addr.0.lcssa = phi ptr [ %incdec.ptr, %if.end ], [ %call4, %for.cond ]
  %tobool8.not = icmp eq ptr %names, null
  br i1 %tobool8.not, label %cond.end.thread, label %cond.end

cond.end:                                         ; preds = %for.end
  %call9 = call i64 @PyTuple_Size(ptr noundef nonnull %names)
  %14 = load i64, ptr %pattern.addr.0.lcssa, align 8
  %cmp11.not = icmp eq i64 %14, %call9
  br i1 %cmp11.not, label %if.end13, label %cleanup38

cond.end.thread:                                  ; preds = %for.end
  %15 = load i64, ptr %pattern.addr.0.lcssa, align 8
  %cmp11.not92 = icmp eq i64 %15, 0
  br label %cleanup38

if.end13:                                         ; preds = %cond.end
  %invariant.gep = getelementptr ptr, ptr %arguments, i64 %count
  %cmp16.not80 = icmp slt i64 %call9, 1
  br i1 %cmp16.not80, label %cleanup38, label %for.body18.lr.ph

for.body18.lr.ph:                                 ; preds = %if.end13
  %incdec.ptr14 = getelementptr inbounds i8, ptr %pattern.addr.0.lcssa, i64 8
  %16 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i65 = getelementptr inbounds i8, ptr %names, i64 %16
  br label %for.body18

for.cond15:                                       ; preds = %if.end24
  %inc33 = add nuw nsw i64 %k.082, 1
  %exitcond90 = icmp eq i64 %inc33, %call9
  br i1 %exitcond90, label %cleanup38, label %for.body18

for.body18:                                       ; preds = %for.body18.lr.ph, %for.cond15
  %k.082 = phi i64 [ 0, %for.body18.lr.ph ], [ %inc33, %for.cond15 ]
  %pattern.addr.281 = phi ptr [ %incdec.ptr14, %for.body18.lr.ph ], [ %call28, %for.cond15 ]
  %arrayidx20 = getelementptr inbounds ptr, ptr %add.ptr.i65, i64 %k.082
  %17 = load ptr, ptr %arrayidx20, align 8
  %18 = load ptr, ptr %pattern.addr.281, align 8
  %cmp.i66 = icmp eq ptr %17, %18
  br i1 %cmp.i66, label %if.end24, label %if.end.i

if.end.i:                                         ; preds = %for.body18
  %type.i = getelementptr inbounds i8, ptr %17, i64 8
  %19 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %18, i64 8
  %20 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %19, %20
  br i1 %cmp2.i, label %is_equal.exit, label %cleanup38

is_equal.exit:                                    ; preds = %if.end.i
  %call.i67 = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %17, ptr noundef nonnull %18, i32 noundef 2)
  %cmp3.i = icmp eq i32 %call.i67, 1
  br i1 %cmp3.i, label %if.end24, label %cleanup38

if.end24:                                         ; preds = %for.body18, %is_equal.exit
  %gep = getelementptr ptr, ptr %invariant.gep, i64 %k.082
  %21 = load ptr, ptr %gep, align 8
  %add.ptr27 = getelementptr inbounds i8, ptr %pattern.addr.281, i64 8
  %call28 = call fastcc ptr @match(ptr noundef %21, ptr noundef nonnull %add.ptr27, ptr noundef nonnull %met)
  %tobool29.not = icmp eq ptr %call28, null
  br i1 %tobool29.not, label %cleanup38, label %for.cond15

cleanup38:                                        ; preds = %for.body, %is_equal.exit, %if.end24, %if.end.i, %for.cond15, %cond.end.thread, %if.end13, %match_outside.exit.thread, %cond.end, %lor.lhs.false
  %retval.3 = phi i1 [ false, %lor.lhs.false ], [ false, %cond.end ], [ false, %match_outside.exit.thread ], [ true, %if.end13 ], [ %cmp11.not92, %cond.end.thread ], [ false, %is_equal.exit ], [ false, %if.end24 ], [ false, %if.end.i ], [ true, %for.cond15 ], [ false, %for.body ]
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %met)
  ret i1 %retval.3
}

define internal fastcc ptr @match(ptr noundef %object, ptr noundef %pattern, ptr noundef %met) {
entry:
  %position.i = alloca i64, align 8
  %key.i = alloca ptr, align 8
  %value.i = alloca ptr, align 8
  %arrayidx = getelementptr inbounds i8, ptr %pattern, i64 8
  %word.sroa.0.0.copyload = load i64, ptr %arrayidx, align 8
  %add.ptr = getelementptr inbounds i8, ptr %pattern, i64 16
  %0 = load i64, ptr %pattern, align 8
  %1 = inttoptr i64 %word.sroa.0.0.copyload to ptr
  switch i64 %0, label %cleanup61 [
    i64 0, label %sw.bb
    i64 1, label %sw.bb2
    i64 2, label %sw.bb12
    i64 3, label %sw.bb14
    i64 4, label %sw.bb20
    i64 5, label %sw.bb30
    i64 6, label %sw.bb44
    i64 7, label %sw.bb53
  ]

sw.bb:                                            ; preds = %entry
  %type = getelementptr inbounds i8, ptr %object, i64 8
  %2 = load ptr, ptr %type, align 8
  %cmp.not = icmp eq ptr %2, %1
  br i1 %cmp.not, label %if.end, label %cleanup61

if.end:                                           ; preds = %sw.bb
  %3 = load ptr, ptr %met, align 8
  %incdec.ptr = getelementptr inbounds i8, ptr %3, i64 8
  store ptr %incdec.ptr, ptr %met, align 8
  store ptr %object, ptr %3, align 8
  br label %cleanup61

sw.bb2:                                           ; preds = %entry
  %type5 = getelementptr inbounds i8, ptr %object, i64 8
  %4 = load ptr, ptr %type5, align 8
  %cmp6.not = icmp eq ptr %4, @PyArray_Type
  br i1 %cmp6.not, label %lor.lhs.false, label %cleanup61

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
  br i1 %cmp4.not.i, label %lor.lhs.false.i, label %cleanup61

lor.lhs.false.i:                                  ; preds = %land.lhs.true.i
  %byte_order.i = getelementptr inbounds i8, ptr %5, i64 26
  %8 = load i8, ptr %byte_order.i, align 2
  %cmp7.i = icmp eq i8 %8, 62
  br i1 %cmp7.i, label %cleanup61, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false.i, %lor.lhs.false
  %ndim.i = getelementptr inbounds i8, ptr %object, i64 24
  %9 = load i32, ptr %ndim.i, align 8
  %conv9.i = sext i32 %9 to i64
  %ndim10.i = getelementptr inbounds i8, ptr %pattern, i64 24
  %10 = load i64, ptr %ndim10.i, align 8
  %cmp11.not.i = icmp eq i64 %10, %conv9.i
  br i1 %cmp11.not.i, label %for.cond.preheader.i, label %cleanup61

for.cond.preheader.i:                             ; preds = %if.end.i
  %cmp16.not36.i = icmp slt i32 %9, 1
  br i1 %cmp16.not36.i, label %if.end8, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %for.cond.preheader.i
  %sizes.i = getelementptr inbounds i8, ptr %object, i64 32
  %11 = load ptr, ptr %sizes.i, align 8
  %sizes18.i = getelementptr inbounds i8, ptr %pattern, i64 32
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i64 %d.037.i, 1
  %exitcond.i = icmp eq i64 %inc.i, %conv9.i
  br i1 %exitcond.i, label %if.end8, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %for.body.lr.ph.i
  %d.037.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.cond.i ]
  %arrayidx.i = getelementptr inbounds i64, ptr %11, i64 %d.037.i
  %12 = load i64, ptr %arrayidx.i, align 8
  %arrayidx19.i = getelementptr inbounds [0 x i64], ptr %sizes18.i, i64 0, i64 %d.037.i
  %13 = load i64, ptr %arrayidx19.i, align 8
  %cmp20.not.i = icmp eq i64 %12, %13
  br i1 %cmp20.not.i, label %for.cond.i, label %cleanup61

if.end8:                                          ; preds = %for.cond.i, %for.cond.preheader.i
  %14 = load ptr, ptr %met, align 8
  %incdec.ptr10 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr %incdec.ptr10, ptr %met, align 8
  store ptr %object, ptr %14, align 8
  %sizes = getelementptr inbounds i8, ptr %pattern, i64 32
  %15 = load i64, ptr %ndim10.i, align 8
  %add.ptr11 = getelementptr inbounds i64, ptr %sizes, i64 %15
  br label %cleanup61

sw.bb12:                                          ; preds = %entry
  %cmp13 = icmp eq ptr %1, %object
  %cond = select i1 %cmp13, ptr %add.ptr, ptr null
  br label %cleanup61

sw.bb14:                                          ; preds = %entry
  %cmp.i = icmp eq ptr %1, %object
  br i1 %cmp.i, label %is_equal.exit.thread, label %if.end.i108

if.end.i108:                                      ; preds = %sw.bb14
  %type.i = getelementptr inbounds i8, ptr %object, i64 8
  %16 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %1, i64 8
  %17 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %16, %17
  br i1 %cmp2.i, label %is_equal.exit, label %cleanup61

is_equal.exit:                                    ; preds = %if.end.i108
  %call.i = tail call i32 @PyObject_RichCompareBool(ptr noundef nonnull %object, ptr noundef nonnull %1, i32 noundef 2)
  %call.i.fr = freeze i32 %call.i
  %cmp3.i = icmp eq i32 %call.i.fr, 1
  br i1 %cmp3.i, label %is_equal.exit.thread, label %cleanup61

is_equal.exit.thread:                             ; preds = %sw.bb14, %is_equal.exit
  br label %cleanup61

sw.bb20:                                          ; preds = %entry
  %type21 = getelementptr inbounds i8, ptr %object, i64 8
  %18 = load ptr, ptr %type21, align 8
  %cmp22.not = icmp eq ptr %18, %1
  br i1 %cmp22.not, label %lor.lhs.false23, label %cleanup61

lor.lhs.false23:                                  ; preds = %sw.bb20
  %call24 = tail call i64 @PyTuple_Size(ptr noundef nonnull %object)
  %19 = load i64, ptr %add.ptr, align 8
  %cmp25.not = icmp eq i64 %call24, %19
  br i1 %cmp25.not, label %if.end27, label %cleanup61

if.end27:                                         ; preds = %lor.lhs.false23
  %add.ptr28 = getelementptr inbounds i8, ptr %pattern, i64 24
  %cmp.i110194 = icmp sgt i64 %call24, 0
  br i1 %cmp.i110194, label %for.body.i111.lr.ph, label %cleanup61

for.body.i111.lr.ph:                              ; preds = %if.end27
  %20 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i161 = getelementptr inbounds i8, ptr %object, i64 %20
  br label %for.body.i111

for.body.i111:                                    ; preds = %for.body.i111.lr.ph, %for.body.i111
  %pattern.addr.0.i196 = phi ptr [ %add.ptr28, %for.body.i111.lr.ph ], [ %call2.i, %for.body.i111 ]
  %i.0.i195 = phi i64 [ 0, %for.body.i111.lr.ph ], [ %inc.i114, %for.body.i111 ]
  %arrayidx.i113 = getelementptr inbounds ptr, ptr %add.ptr.i161, i64 %i.0.i195
  %21 = load ptr, ptr %arrayidx.i113, align 8
  %call2.i = tail call fastcc ptr @match(ptr noundef %21, ptr noundef nonnull %pattern.addr.0.i196, ptr noundef %met)
  %inc.i114 = add nuw nsw i64 %i.0.i195, 1
  %cmp.i110 = icmp slt i64 %inc.i114, %call24
  %tobool.i = icmp ne ptr %call2.i, null
  %22 = select i1 %cmp.i110, i1 %tobool.i, i1 false
  br i1 %22, label %for.body.i111, label %cleanup61

sw.bb30:                                          ; preds = %entry
  %type31 = getelementptr inbounds i8, ptr %object, i64 8
  %23 = load ptr, ptr %type31, align 8
  %cmp32.not = icmp eq ptr %23, @PyList_Type
  br i1 %cmp32.not, label %lor.lhs.false33, label %cleanup61

lor.lhs.false33:                                  ; preds = %sw.bb30
  %call34 = tail call i64 @PyList_Size(ptr noundef nonnull %object)
  %cmp35.not = icmp eq i64 %call34, %word.sroa.0.0.copyload
  br i1 %cmp35.not, label %if.end37, label %cleanup61

if.end37:                                         ; preds = %lor.lhs.false33
  %containers.i = getelementptr inbounds i8, ptr %met, i64 16
  %24 = load ptr, ptr %containers.i, align 8
  %container1.i = getelementptr inbounds i8, ptr %met, i64 8
  %25 = load ptr, ptr %container1.i, align 8
  %cmp17.not.i = icmp ult ptr %24, %25
  br i1 %cmp17.not.i, label %for.body.i115, label %cond.true39

for.cond.i117:                                    ; preds = %for.body.i115
  %incdec.ptr.i = getelementptr inbounds i8, ptr %other.018.i, i64 8
  %cmp.not.i118 = icmp ult ptr %incdec.ptr.i, %25
  br i1 %cmp.not.i118, label %for.body.i115, label %cond.true39

for.body.i115:                                    ; preds = %if.end37, %for.cond.i117
  %other.018.i = phi ptr [ %incdec.ptr.i, %for.cond.i117 ], [ %24, %if.end37 ]
  %26 = load ptr, ptr %other.018.i, align 8
  %cmp2.i116 = icmp eq ptr %26, %object
  br i1 %cmp2.i116, label %cleanup61, label %for.cond.i117

cond.true39:                                      ; preds = %for.cond.i117, %if.end37
  %incdec.ptr4.i = getelementptr inbounds i8, ptr %25, i64 8
  store ptr %incdec.ptr4.i, ptr %container1.i, align 8
  store ptr %object, ptr %25, align 8
  %call40 = tail call fastcc ptr @match_items(ptr noundef %object, i1 noundef zeroext false, i64 noundef %word.sroa.0.0.copyload, ptr noundef nonnull %add.ptr, ptr noundef %met)
  br label %cleanup61

sw.bb44:                                          ; preds = %entry
  %type45 = getelementptr inbounds i8, ptr %object, i64 8
  %27 = load ptr, ptr %type45, align 8
  %cmp46.not = icmp eq ptr %27, @PyDict_Type
  br i1 %cmp46.not, label %lor.lhs.false47, label %cleanup61

lor.lhs.false47:                                  ; preds = %sw.bb44
  %containers.i119 = getelementptr inbounds i8, ptr %met, i64 16
  %28 = load ptr, ptr %containers.i119, align 8
  %container1.i120 = getelementptr inbounds i8, ptr %met, i64 8
  %29 = load ptr, ptr %container1.i120, align 8
  %cmp17.not.i121 = icmp ult ptr %28, %29
  br i1 %cmp17.not.i121, label %for.body.i125, label %if.end50

for.cond.i128:                                    ; preds = %for.body.i125
  %incdec.ptr.i129 = getelementptr inbounds i8, ptr %other.018.i126, i64 8
  %cmp.not.i130 = icmp ult ptr %incdec.ptr.i129, %29
  br i1 %cmp.not.i130, label %for.body.i125, label %if.end50

for.body.i125:                                    ; preds = %lor.lhs.false47, %for.cond.i128
  %other.018.i126 = phi ptr [ %incdec.ptr.i129, %for.cond.i128 ], [ %28, %lor.lhs.false47 ]
  %30 = load ptr, ptr %other.018.i126, align 8
  %cmp2.i127 = icmp eq ptr %30, %object
  br i1 %cmp2.i127, label %cleanup61, label %for.cond.i128

if.end50:                                         ; preds = %for.cond.i128, %lor.lhs.false47
  %incdec.ptr4.i123 = getelementptr inbounds i8, ptr %29, i64 8
  store ptr %incdec.ptr4.i123, ptr %container1.i120, align 8
  store ptr %object, ptr %29, align 8
  %31 = load i64, ptr %arrayidx, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %position.i)
  store i64 0, ptr %position.i, align 8
  %call.i132 = tail call i64 @PyDict_Size(ptr noundef %object)
  %cmp.not.i133 = icmp eq i64 %call.i132, %31
  br i1 %cmp.not.i133, label %if.end.i134, label %match_dict.exit

if.end.i134:                                      ; preds = %if.end50
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %key.i)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %value.i)
  %cmp1.i188 = icmp slt i64 %31, 1
  br i1 %cmp1.i188, label %cleanup.i, label %for.body.i140

for.body.i140:                                    ; preds = %if.end.i134, %if.end6.i
  %i.0.i138190 = phi i64 [ %inc.i143, %if.end6.i ], [ 0, %if.end.i134 ]
  %pattern.addr.0.i137189 = phi ptr [ %call7.i, %if.end6.i ], [ %add.ptr, %if.end.i134 ]
  %call2.i141 = call i32 @PyDict_Next(ptr noundef %object, ptr noundef nonnull %position.i, ptr noundef nonnull %key.i, ptr noundef nonnull %value.i)
  %tobool3.not.i = icmp eq i32 %call2.i141, 0
  br i1 %tobool3.not.i, label %cleanup.i, label %lor.lhs.false.i142

lor.lhs.false.i142:                               ; preds = %for.body.i140
  %32 = load ptr, ptr %key.i, align 8
  %33 = load ptr, ptr %pattern.addr.0.i137189, align 8
  %cmp.i162 = icmp eq ptr %32, %33
  br i1 %cmp.i162, label %if.end6.i, label %if.end.i163

if.end.i163:                                      ; preds = %lor.lhs.false.i142
  %type.i164 = getelementptr inbounds i8, ptr %32, i64 8
  %34 = load ptr, ptr %type.i164, align 8
  %type1.i165 = getelementptr inbounds i8, ptr %33, i64 8
  %35 = load ptr, ptr %type1.i165, align 8
  %cmp2.i166 = icmp eq ptr %34, %35
  br i1 %cmp2.i166, label %is_equal.exit171, label %cleanup.i

is_equal.exit171:                                 ; preds = %if.end.i163
  %call.i169 = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %32, ptr noundef nonnull %33, i32 noundef 2)
  %cmp3.i170 = icmp eq i32 %call.i169, 1
  br i1 %cmp3.i170, label %if.end6.i, label %cleanup.i

if.end6.i:                                        ; preds = %lor.lhs.false.i142, %is_equal.exit171
  %36 = load ptr, ptr %value.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %pattern.addr.0.i137189, i64 8
  %call7.i = call fastcc ptr @match(ptr noundef %36, ptr noundef nonnull %add.ptr.i, ptr noundef %met)
  %inc.i143 = add nuw nsw i64 %i.0.i138190, 1
  %cmp1.i = icmp sge i64 %inc.i143, %31
  %tobool.i139 = icmp eq ptr %call7.i, null
  %.not.i = select i1 %cmp1.i, i1 true, i1 %tobool.i139
  br i1 %.not.i, label %cleanup.i, label %for.body.i140

cleanup.i:                                        ; preds = %if.end6.i, %for.body.i140, %is_equal.exit171, %if.end.i163, %if.end.i134
  %spec.select.i = phi ptr [ %add.ptr, %if.end.i134 ], [ null, %if.end.i163 ], [ null, %is_equal.exit171 ], [ null, %for.body.i140 ], [ %call7.i, %if.end6.i ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %key.i)
  br label %match_dict.exit

match_dict.exit:                                  ; preds = %if.end50, %cleanup.i
  %retval.2.i = phi ptr [ %spec.select.i, %cleanup.i ], [ null, %if.end50 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %position.i)
  br label %cleanup61

sw.bb53:                                          ; preds = %entry
  %type54 = getelementptr inbounds i8, ptr %object, i64 8
  %37 = load ptr, ptr %type54, align 8
  %cmp55.not = icmp eq ptr %37, %1
  br i1 %cmp55.not, label %lor.lhs.false56, label %cleanup61

lor.lhs.false56:                                  ; preds = %sw.bb53
  %containers.i144 = getelementptr inbounds i8, ptr %met, i64 16
  %38 = load ptr, ptr %containers.i144, align 8
  %container1.i145 = getelementptr inbounds i8, ptr %met, i64 8
  %39 = load ptr, ptr %container1.i145, align 8
  %cmp17.not.i146 = icmp ult ptr %38, %39
  br i1 %cmp17.not.i146, label %for.body.i150, label %if.end59

for.cond.i153:                                    ; preds = %for.body.i150
  %incdec.ptr.i154 = getelementptr inbounds i8, ptr %other.018.i151, i64 8
  %cmp.not.i155 = icmp ult ptr %incdec.ptr.i154, %39
  br i1 %cmp.not.i155, label %for.body.i150, label %if.end59

for.body.i150:                                    ; preds = %lor.lhs.false56, %for.cond.i153
  %other.018.i151 = phi ptr [ %incdec.ptr.i154, %for.cond.i153 ], [ %38, %lor.lhs.false56 ]
  %40 = load ptr, ptr %other.018.i151, align 8
  %cmp2.i152 = icmp eq ptr %40, %object
  br i1 %cmp2.i152, label %cleanup61, label %for.cond.i153

if.end59:                                         ; preds = %for.cond.i153, %lor.lhs.false56
  %incdec.ptr4.i148 = getelementptr inbounds i8, ptr %39, i64 8
  store ptr %incdec.ptr4.i148, ptr %container1.i145, align 8
  store ptr %object, ptr %39, align 8
  %call.i157 = tail call ptr @PyObject_GenericGetDict(ptr noundef %object, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call.i157, null
  br i1 %tobool.not.i, label %if.then.i, label %if.end.i158

if.then.i:                                        ; preds = %if.end59
  tail call void @PyErr_Clear()
  br label %cleanup61

if.end.i158:                                      ; preds = %if.end59
  %call1.i = tail call fastcc ptr @match_dict(ptr noundef nonnull %call.i157, ptr noundef nonnull %add.ptr, ptr noundef nonnull %met)
  tail call void @Py_DecRef(ptr noundef nonnull %call.i157)
  br label %cleanup61

cleanup61:                                        ; preds = %for.body.i150, %for.body.i125, %for.body.i115, %for.body.i111, %for.body.i, %if.end27, %if.end.i108, %if.end.i, %land.lhs.true.i, %lor.lhs.false.i, %if.end.i158, %if.then.i, %is_equal.exit.thread, %is_equal.exit, %entry, %sw.bb53, %sw.bb44, %cond.true39, %sw.bb30, %lor.lhs.false33, %sw.bb20, %lor.lhs.false23, %if.end8, %sw.bb2, %sw.bb, %match_dict.exit, %sw.bb12, %if.end
  %retval.1 = phi ptr [ %retval.2.i, %match_dict.exit ], [ %cond, %sw.bb12 ], [ %add.ptr, %if.end ], [ null, %sw.bb ], [ %add.ptr11, %if.end8 ], [ null, %sw.bb2 ], [ null, %lor.lhs.false23 ], [ null, %sw.bb20 ], [ null, %lor.lhs.false33 ], [ null, %sw.bb30 ], [ %call40, %cond.true39 ], [ null, %sw.bb44 ], [ null, %sw.bb53 ], [ null, %entry ], [ %add.ptr, %is_equal.exit.thread ], [ null, %is_equal.exit ], [ %call1.i, %if.end.i158 ], [ null, %if.then.i ], [ null, %lor.lhs.false.i ], [ null, %land.lhs.true.i ], [ null, %if.end.i ], [ null, %if.end.i108 ], [ %add.ptr28, %if.end27 ], [ null, %for.body.i ], [ %call2.i, %for.body.i111 ], [ null, %for.body.i115 ], [ null, %for.body.i125 ], [ null, %for.body.i150 ]
  ret ptr %retval.1
}

declare ptr @PyDict_GetItemWithError(ptr noundef, ptr noundef)

declare void @PyErr_Clear()

declare ptr @PyCell_Get(ptr noundef)

define internal fastcc ptr @match_items(ptr noundef %object, i1 noundef zeroext %is_tuple, i64 noundef %count, ptr noundef %pattern, ptr noundef %met) {
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
