; Made by `make runtime` of call.c (ceb0c5ea00d1ea7f) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.Object = type { i64, ptr }

@ag_records_offset = external global i64, align 8
@ag_recording = external global i64, align 8
@missed = internal global %struct.Object zeroinitializer, align 8
@ag_setting = external global %struct.Object, align 8
@ag_quiet = external global ptr, align 8
@ag_look_up = external global %struct.Object, align 8
@ag_bytes_head = external constant i64, align 8
@PyArray_Type = external global %struct.Object, align 8
@PyTuple_Type = external global %struct.Object, align 8
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
  %found.addr.i = alloca ptr, align 8
  %0 = load ptr, ptr %record, align 8
  %1 = load i64, ptr @ag_bytes_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %0, i64 %1
  %2 = load i64, ptr %add.ptr.i, align 8
  %add = add nsw i64 %2, 1
  %vla = alloca ptr, i64 %add, align 16
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %found.addr.i)
  store ptr %vla, ptr %found.addr.i, align 8
  %add.ptr.i25 = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  br label %for.cond.i.i

for.cond.i.i:                                     ; preds = %for.cond.i.i.backedge, %entry
  %words.addr.0.i.i = phi ptr [ %add.ptr.i25, %entry ], [ %words.addr.0.i.i.be, %for.cond.i.i.backedge ]
  %3 = load i64, ptr %words.addr.0.i.i, align 8
  %add.ptr22.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 8
  switch i64 %3, label %lor.lhs.false.i [
    i64 1, label %sw.epilog.i.i
    i64 2, label %sw.bb4.i.i
    i64 3, label %sw.bb10.i.i
    i64 4, label %sw.bb16.i.i
  ]

sw.bb4.i.i:                                       ; preds = %for.cond.i.i
  %4 = load ptr, ptr %add.ptr22.i.i, align 8
  %arrayidx6.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %5 = load ptr, ptr %arrayidx6.i.i, align 8
  %call.i.i.i = call ptr @PyCell_Get(ptr noundef %4)
  %tobool.i.not.i.i = icmp eq ptr %call.i.i.i, null
  br i1 %tobool.i.not.i.i, label %match_outside.exit.thread.i, label %holds.exit.i.i

holds.exit.i.i:                                   ; preds = %sw.bb4.i.i
  call void @Py_DecRef(ptr noundef nonnull %call.i.i.i)
  %cmp.i.i.i = icmp eq ptr %call.i.i.i, %5
  %add.ptr9.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  br i1 %cmp.i.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

sw.bb10.i.i:                                      ; preds = %for.cond.i.i
  %6 = load ptr, ptr %add.ptr22.i.i, align 8
  %arrayidx12.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %7 = load ptr, ptr %arrayidx12.i.i, align 8
  %call.i37.i.i = call ptr @PyDict_GetItemWithError(ptr noundef %6, ptr noundef %7)
  call void @PyErr_Clear()
  %tobool.not.i.i.i = icmp eq ptr %call.i37.i.i, null
  %add.ptr15.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  br i1 %tobool.not.i.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

sw.bb16.i.i:                                      ; preds = %for.cond.i.i
  %8 = load ptr, ptr %add.ptr22.i.i, align 8
  %9 = load ptr, ptr %8, align 8
  %arrayidx18.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %10 = load ptr, ptr %arrayidx18.i.i, align 8
  %cmp19.i.i = icmp eq ptr %9, %10
  %add.ptr21.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  br i1 %cmp19.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

sw.epilog.i.i:                                    ; preds = %for.cond.i.i
  %11 = load ptr, ptr %add.ptr22.i.i, align 8
  %arrayidx2.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %12 = load ptr, ptr %arrayidx2.i.i, align 8
  %call.i.i = call ptr @PyDict_GetItemWithError(ptr noundef %11, ptr noundef %12)
  %arrayidx3.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  %13 = load ptr, ptr %arrayidx3.i.i, align 8
  %cmp.i.i = icmp eq ptr %call.i.i, %13
  %add.ptr.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 32
  br i1 %cmp.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

for.cond.i.i.backedge:                            ; preds = %sw.epilog.i.i, %sw.bb16.i.i, %sw.bb10.i.i, %holds.exit.i.i
  %words.addr.0.i.i.be = phi ptr [ %add.ptr.i.i, %sw.epilog.i.i ], [ %add.ptr21.i.i, %sw.bb16.i.i ], [ %add.ptr15.i.i, %sw.bb10.i.i ], [ %add.ptr9.i.i, %holds.exit.i.i ]
  br label %for.cond.i.i

match_outside.exit.thread.i:                      ; preds = %sw.epilog.i.i, %sw.bb16.i.i, %sw.bb10.i.i, %holds.exit.i.i, %sw.bb4.i.i
  call void @PyErr_Clear()
  br label %match_call.exit.thread

lor.lhs.false.i:                                  ; preds = %for.cond.i.i
  %14 = load i64, ptr %add.ptr22.i.i, align 8
  %cmp.not.i = icmp eq i64 %14, %count
  br i1 %cmp.not.i, label %if.end.i, label %match_call.exit.thread

if.end.i:                                         ; preds = %lor.lhs.false.i
  %incdec.ptr.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %cmp175.i = icmp sgt i64 %count, 0
  br i1 %cmp175.i, label %for.body.i, label %for.end.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i64 %i.077.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %count
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.body.i:                                       ; preds = %if.end.i, %for.cond.i
  %i.077.i = phi i64 [ %inc.i, %for.cond.i ], [ 0, %if.end.i ]
  %pattern.addr.076.i = phi ptr [ %call3.i, %for.cond.i ], [ %incdec.ptr.i, %if.end.i ]
  %arrayidx2.i = getelementptr inbounds ptr, ptr %arguments, i64 %i.077.i
  %15 = load ptr, ptr %arrayidx2.i, align 8
  %call3.i = call fastcc ptr @match(ptr noundef %15, ptr noundef nonnull %pattern.addr.076.i, ptr noundef nonnull %found.addr.i)
  %tobool4.not.i = icmp eq ptr %call3.i, null
  br i1 %tobool4.not.i, label %match_call.exit.thread, label %for.cond.i

for.end.i:                                        ; preds = %for.cond.i, %if.end.i
  %pattern.addr.0.lcssa.i = phi ptr [ %incdec.ptr.i, %if.end.i ], [ %call3.i, %for.cond.i ]
  %tobool7.not.i = icmp eq ptr %names, null
  br i1 %tobool7.not.i, label %cond.end.thread.i, label %cond.end.i

cond.end.i:                                       ; preds = %for.end.i
  %call8.i = call i64 @PyTuple_Size(ptr noundef nonnull %names)
  %16 = load i64, ptr %pattern.addr.0.lcssa.i, align 8
  %cmp10.not.i = icmp eq i64 %16, %call8.i
  br i1 %cmp10.not.i, label %if.end12.i, label %match_call.exit.thread

cond.end.thread.i:                                ; preds = %for.end.i
  %17 = load i64, ptr %pattern.addr.0.lcssa.i, align 8
  %cmp10.not90.i = icmp eq i64 %17, 0
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %found.addr.i)
  br i1 %cmp10.not90.i, label %for.cond.preheader, label %cleanup

if.end12.i:                                       ; preds = %cond.end.i
  %invariant.gep.i = getelementptr ptr, ptr %arguments, i64 %count
  %cmp15.not78.i = icmp slt i64 %call8.i, 1
  br i1 %cmp15.not78.i, label %match_call.exit, label %for.body17.lr.ph.i

for.body17.lr.ph.i:                               ; preds = %if.end12.i
  %incdec.ptr13.i = getelementptr inbounds i8, ptr %pattern.addr.0.lcssa.i, i64 8
  %18 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i59.i = getelementptr inbounds i8, ptr %names, i64 %18
  br label %for.body17.i

for.cond14.i:                                     ; preds = %if.end23.i
  %inc31.i = add nuw nsw i64 %k.080.i, 1
  %exitcond88.i = icmp eq i64 %inc31.i, %call8.i
  br i1 %exitcond88.i, label %match_call.exit, label %for.body17.i

for.body17.i:                                     ; preds = %for.cond14.i, %for.body17.lr.ph.i
  %k.080.i = phi i64 [ 0, %for.body17.lr.ph.i ], [ %inc31.i, %for.cond14.i ]
  %pattern.addr.279.i = phi ptr [ %incdec.ptr13.i, %for.body17.lr.ph.i ], [ %call26.i, %for.cond14.i ]
  %arrayidx19.i = getelementptr inbounds ptr, ptr %add.ptr.i59.i, i64 %k.080.i
  %19 = load ptr, ptr %arrayidx19.i, align 8
  %20 = load ptr, ptr %pattern.addr.279.i, align 8
  %cmp.i60.i = icmp eq ptr %19, %20
  br i1 %cmp.i60.i, label %if.end23.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %for.body17.i
  %type.i.i = getelementptr inbounds i8, ptr %19, i64 8
  %21 = load ptr, ptr %type.i.i, align 8
  %type1.i.i = getelementptr inbounds i8, ptr %20, i64 8
  %22 = load ptr, ptr %type1.i.i, align 8
  %cmp2.i.i = icmp eq ptr %21, %22
  br i1 %cmp2.i.i, label %is_equal.exit.i, label %match_call.exit.thread

is_equal.exit.i:                                  ; preds = %if.end.i.i
  %call.i61.i = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %19, ptr noundef nonnull %20, i32 noundef 2)
  %cmp3.i.i = icmp eq i32 %call.i61.i, 1
  br i1 %cmp3.i.i, label %if.end23.i, label %match_call.exit.thread

if.end23.i:                                       ; preds = %is_equal.exit.i, %for.body17.i
  %gep.i = getelementptr ptr, ptr %invariant.gep.i, i64 %k.080.i
  %23 = load ptr, ptr %gep.i, align 8
  %add.ptr25.i = getelementptr inbounds i8, ptr %pattern.addr.279.i, i64 8
  %call26.i = call fastcc ptr @match(ptr noundef %23, ptr noundef nonnull %add.ptr25.i, ptr noundef nonnull %found.addr.i)
  %tobool27.not.i = icmp eq ptr %call26.i, null
  br i1 %tobool27.not.i, label %match_call.exit.thread, label %for.cond14.i

match_call.exit.thread:                           ; preds = %for.body.i, %is_equal.exit.i, %if.end23.i, %if.end.i.i, %lor.lhs.false.i, %cond.end.i, %match_outside.exit.thread.i
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %found.addr.i)
  br label %cleanup

match_call.exit:                                  ; preds = %for.cond14.i, %if.end12.i
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %found.addr.i)
  br label %for.cond.preheader

for.cond.preheader:                               ; preds = %cond.end.thread.i, %match_call.exit
  %cmp36 = icmp sgt i64 %2, 0
  br i1 %cmp36, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %arrayidx.i = getelementptr inbounds i8, ptr %record, i64 32
  %24 = load ptr, ptr %arrayidx.i, align 8
  %call.i.i26 = call i64 @PyTuple_Size(ptr noundef %24)
  %cmp.not22.i.i = icmp sgt i64 %call.i.i26, 0
  br i1 %cmp.not22.i.i, label %for.body.lr.ph.i.i, label %if.end5.i

for.body.lr.ph.i.i:                               ; preds = %for.cond.cleanup
  %25 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %24, i64 %25
  br label %for.body.i.i

for.cond.i.i28:                                   ; preds = %if.end.i.i27
  %inc.i.i = add nuw nsw i64 %i.023.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %call.i.i26
  br i1 %exitcond.not.i.i, label %if.end5.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i28, %for.body.lr.ph.i.i
  %i.023.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.cond.i.i28 ]
  %arrayidx.i.i = getelementptr inbounds ptr, ptr %add.ptr.i.i.i, i64 %i.023.i.i
  %26 = load ptr, ptr %arrayidx.i.i, align 8
  %call2.i.i = call ptr @PyObject_VectorcallDict(ptr noundef %26, ptr noundef null, i64 noundef 0, ptr noundef null)
  %tobool.not.i.i = icmp eq ptr %call2.i.i, null
  br i1 %tobool.not.i.i, label %call_with_leaves.exit.sink.split, label %if.end.i.i27

if.end.i.i27:                                     ; preds = %for.body.i.i
  %call3.i.i = call i32 @PyObject_IsTrue(ptr noundef nonnull %call2.i.i)
  call void @Py_DecRef(ptr noundef nonnull %call2.i.i)
  switch i32 %call3.i.i, label %if.end.i29 [
    i32 1, label %for.cond.i.i28
    i32 0, label %call_with_leaves.exit
  ]

if.end.i29:                                       ; preds = %if.end.i.i27
  %cmp1.i = icmp slt i32 %call3.i.i, 0
  br i1 %cmp1.i, label %call_with_leaves.exit.sink.split, label %if.end5.i

if.end5.i:                                        ; preds = %for.cond.i.i28, %if.end.i29, %for.cond.cleanup
  %arrayidx6.i = getelementptr inbounds i8, ptr %record, i64 8
  %27 = load ptr, ptr %arrayidx6.i, align 8
  %call7.i = call ptr @PyObject_VectorcallDict(ptr noundef %27, ptr noundef nonnull %vla, i64 noundef %2, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call7.i, null
  br i1 %tobool.not.i, label %call_with_leaves.exit.sink.split, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %if.end5.i
  %arrayidx8.i = getelementptr inbounds i8, ptr %record, i64 16
  %28 = load ptr, ptr %arrayidx8.i, align 8
  %cmp9.not.i = icmp eq ptr %28, @_Py_NoneStruct
  br i1 %cmp9.not.i, label %call_with_leaves.exit, label %if.end13.i

if.end13.i:                                       ; preds = %land.lhs.true.i
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %argument.addr.i.i)
  store ptr %call7.i, ptr %argument.addr.i.i, align 8
  %call.i27.i = call ptr @PyObject_VectorcallDict(ptr noundef %28, ptr noundef nonnull %argument.addr.i.i, i64 noundef 1, ptr noundef null)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %argument.addr.i.i)
  call void @Py_DecRef(ptr noundef nonnull %call7.i)
  %tobool14.not.i = icmp eq ptr %call.i27.i, null
  br i1 %tobool14.not.i, label %call_with_leaves.exit.sink.split, label %call_with_leaves.exit

call_with_leaves.exit.sink.split:                 ; preds = %for.body.i.i, %if.end5.i, %if.end13.i, %if.end.i29
  %arrayidx3.i = getelementptr inbounds i8, ptr %record, i64 24
  %29 = load ptr, ptr %arrayidx3.i, align 8
  %call4.i = call fastcc ptr @handled_by(ptr noundef %29)
  br label %call_with_leaves.exit

call_with_leaves.exit:                            ; preds = %if.end.i.i27, %call_with_leaves.exit.sink.split, %land.lhs.true.i, %if.end13.i
  %retval.0.i = phi ptr [ %call.i27.i, %if.end13.i ], [ %call7.i, %land.lhs.true.i ], [ %call4.i, %call_with_leaves.exit.sink.split ], [ @missed, %if.end.i.i27 ]
  br i1 %cmp36, label %for.body9, label %cleanup

for.body:                                         ; preds = %for.cond.preheader, %for.body
  %i.037 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %arrayidx3 = getelementptr inbounds ptr, ptr %vla, i64 %i.037
  %30 = load ptr, ptr %arrayidx3, align 8
  call void @Py_IncRef(ptr noundef %30)
  %inc = add nuw nsw i64 %i.037, 1
  %exitcond.not = icmp eq i64 %inc, %2
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.body9:                                        ; preds = %call_with_leaves.exit, %for.body9
  %i5.039 = phi i64 [ %inc12, %for.body9 ], [ 0, %call_with_leaves.exit ]
  %arrayidx10 = getelementptr inbounds ptr, ptr %vla, i64 %i5.039
  %31 = load ptr, ptr %arrayidx10, align 8
  call void @Py_DecRef(ptr noundef %31)
  %inc12 = add nuw nsw i64 %i5.039, 1
  %exitcond45.not = icmp eq i64 %inc12, %2
  br i1 %exitcond45.not, label %cleanup, label %for.body9

cleanup:                                          ; preds = %for.body9, %call_with_leaves.exit, %cond.end.thread.i, %match_call.exit.thread
  %retval.0 = phi ptr [ @missed, %match_call.exit.thread ], [ @missed, %cond.end.thread.i ], [ %retval.0.i, %call_with_leaves.exit ], [ %retval.0.i, %for.body9 ]
  ret ptr %retval.0
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare void @Py_DecRef(ptr noundef)

declare i32 @PyContextVar_Get(ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

declare ptr @PyTuple_New(i64 noundef)

declare ptr @PyDict_New()

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef)

define internal fastcc ptr @match(ptr noundef %object, ptr noundef %pattern, ptr noundef %place) {
entry:
  %position.i = alloca i64, align 8
  %key.i = alloca ptr, align 8
  %value.i = alloca ptr, align 8
  %arrayidx = getelementptr inbounds i8, ptr %pattern, i64 8
  %word.sroa.0.0.copyload = load i64, ptr %arrayidx, align 8
  %add.ptr = getelementptr inbounds i8, ptr %pattern, i64 16
  %0 = load i64, ptr %pattern, align 8
  %1 = inttoptr i64 %word.sroa.0.0.copyload to ptr
  switch i64 %0, label %cleanup46 [
    i64 0, label %sw.bb
    i64 1, label %sw.bb2
    i64 2, label %sw.bb11
    i64 3, label %sw.bb13
    i64 4, label %sw.bb19
    i64 5, label %sw.bb28
    i64 6, label %sw.bb37
  ]

sw.bb:                                            ; preds = %entry
  %type = getelementptr inbounds i8, ptr %object, i64 8
  %2 = load ptr, ptr %type, align 8
  %cmp.not = icmp eq ptr %2, %1
  br i1 %cmp.not, label %if.end, label %cleanup46

if.end:                                           ; preds = %sw.bb
  %3 = load ptr, ptr %place, align 8
  %incdec.ptr = getelementptr inbounds i8, ptr %3, i64 8
  store ptr %incdec.ptr, ptr %place, align 8
  store ptr %object, ptr %3, align 8
  br label %cleanup46

sw.bb2:                                           ; preds = %entry
  %type5 = getelementptr inbounds i8, ptr %object, i64 8
  %4 = load ptr, ptr %type5, align 8
  %cmp6.not = icmp eq ptr %4, @PyArray_Type
  br i1 %cmp6.not, label %lor.lhs.false, label %cleanup46

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
  br i1 %cmp4.not.i, label %lor.lhs.false.i, label %cleanup46

lor.lhs.false.i:                                  ; preds = %land.lhs.true.i
  %byte_order.i = getelementptr inbounds i8, ptr %5, i64 26
  %8 = load i8, ptr %byte_order.i, align 2
  %cmp7.i = icmp eq i8 %8, 62
  br i1 %cmp7.i, label %cleanup46, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false.i, %lor.lhs.false
  %ndim.i = getelementptr inbounds i8, ptr %object, i64 24
  %9 = load i32, ptr %ndim.i, align 8
  %conv9.i = sext i32 %9 to i64
  %ndim10.i = getelementptr inbounds i8, ptr %pattern, i64 24
  %10 = load i64, ptr %ndim10.i, align 8
  %cmp11.not.i = icmp eq i64 %10, %conv9.i
  br i1 %cmp11.not.i, label %for.cond.preheader.i, label %cleanup46

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
  br i1 %cmp20.not.i, label %for.cond.i, label %cleanup46

if.end8:                                          ; preds = %for.cond.i, %for.cond.preheader.i
  %14 = load ptr, ptr %place, align 8
  %incdec.ptr9 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr %incdec.ptr9, ptr %place, align 8
  store ptr %object, ptr %14, align 8
  %sizes = getelementptr inbounds i8, ptr %pattern, i64 32
  %15 = load i64, ptr %ndim10.i, align 8
  %add.ptr10 = getelementptr inbounds i64, ptr %sizes, i64 %15
  br label %cleanup46

sw.bb11:                                          ; preds = %entry
  %cmp12 = icmp eq ptr %1, %object
  %cond = select i1 %cmp12, ptr %add.ptr, ptr null
  br label %cleanup46

sw.bb13:                                          ; preds = %entry
  %cmp.i = icmp eq ptr %1, %object
  br i1 %cmp.i, label %is_equal.exit.thread, label %if.end.i84

if.end.i84:                                       ; preds = %sw.bb13
  %type.i = getelementptr inbounds i8, ptr %object, i64 8
  %16 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %1, i64 8
  %17 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %16, %17
  br i1 %cmp2.i, label %is_equal.exit, label %cleanup46

is_equal.exit:                                    ; preds = %if.end.i84
  %call.i = tail call i32 @PyObject_RichCompareBool(ptr noundef nonnull %object, ptr noundef nonnull %1, i32 noundef 2)
  %call.i.fr = freeze i32 %call.i
  %cmp3.i = icmp eq i32 %call.i.fr, 1
  br i1 %cmp3.i, label %is_equal.exit.thread, label %cleanup46

is_equal.exit.thread:                             ; preds = %sw.bb13, %is_equal.exit
  br label %cleanup46

sw.bb19:                                          ; preds = %entry
  %type20 = getelementptr inbounds i8, ptr %object, i64 8
  %18 = load ptr, ptr %type20, align 8
  %cmp21.not = icmp eq ptr %18, @PyTuple_Type
  br i1 %cmp21.not, label %lor.lhs.false22, label %cleanup46

lor.lhs.false22:                                  ; preds = %sw.bb19
  %call23 = tail call i64 @PyTuple_Size(ptr noundef nonnull %object)
  %cmp24.not = icmp eq i64 %call23, %word.sroa.0.0.copyload
  br i1 %cmp24.not, label %for.cond.i85.preheader, label %cleanup46

for.cond.i85.preheader:                           ; preds = %lor.lhs.false22
  %cmp.i86143 = icmp sgt i64 %word.sroa.0.0.copyload, 0
  br i1 %cmp.i86143, label %for.body.i87.lr.ph, label %cleanup46

for.body.i87.lr.ph:                               ; preds = %for.cond.i85.preheader
  %19 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i111 = getelementptr inbounds i8, ptr %object, i64 %19
  br label %for.body.i87

for.body.i87:                                     ; preds = %for.body.i87.lr.ph, %for.body.i87
  %pattern.addr.0.i145 = phi ptr [ %add.ptr, %for.body.i87.lr.ph ], [ %call2.i, %for.body.i87 ]
  %i.0.i144 = phi i64 [ 0, %for.body.i87.lr.ph ], [ %inc.i90, %for.body.i87 ]
  %arrayidx.i89 = getelementptr inbounds ptr, ptr %add.ptr.i111, i64 %i.0.i144
  %20 = load ptr, ptr %arrayidx.i89, align 8
  %call2.i = tail call fastcc ptr @match(ptr noundef %20, ptr noundef nonnull %pattern.addr.0.i145, ptr noundef %place)
  %inc.i90 = add nuw nsw i64 %i.0.i144, 1
  %cmp.i86 = icmp slt i64 %inc.i90, %word.sroa.0.0.copyload
  %tobool.i = icmp ne ptr %call2.i, null
  %21 = select i1 %cmp.i86, i1 %tobool.i, i1 false
  br i1 %21, label %for.body.i87, label %cleanup46

sw.bb28:                                          ; preds = %entry
  %type29 = getelementptr inbounds i8, ptr %object, i64 8
  %22 = load ptr, ptr %type29, align 8
  %cmp30.not = icmp eq ptr %22, @PyList_Type
  br i1 %cmp30.not, label %lor.lhs.false31, label %cleanup46

lor.lhs.false31:                                  ; preds = %sw.bb28
  %call32 = tail call i64 @PyList_Size(ptr noundef nonnull %object)
  %cmp33.not = icmp eq i64 %call32, %word.sroa.0.0.copyload
  br i1 %cmp33.not, label %for.cond.i91.preheader, label %cleanup46

for.cond.i91.preheader:                           ; preds = %lor.lhs.false31
  %cmp.i94139 = icmp sgt i64 %word.sroa.0.0.copyload, 0
  br i1 %cmp.i94139, label %for.body.i96, label %cleanup46

for.body.i96:                                     ; preds = %for.cond.i91.preheader, %for.body.i96
  %pattern.addr.0.i93141 = phi ptr [ %call2.i97, %for.body.i96 ], [ %add.ptr, %for.cond.i91.preheader ]
  %i.0.i92140 = phi i64 [ %inc.i98, %for.body.i96 ], [ 0, %for.cond.i91.preheader ]
  %call1.i = tail call ptr @PyList_GetItem(ptr noundef %object, i64 noundef %i.0.i92140)
  %call2.i97 = tail call fastcc ptr @match(ptr noundef %call1.i, ptr noundef nonnull %pattern.addr.0.i93141, ptr noundef %place)
  %inc.i98 = add nuw nsw i64 %i.0.i92140, 1
  %cmp.i94 = icmp slt i64 %inc.i98, %word.sroa.0.0.copyload
  %tobool.i95 = icmp ne ptr %call2.i97, null
  %23 = select i1 %cmp.i94, i1 %tobool.i95, i1 false
  br i1 %23, label %for.body.i96, label %cleanup46

sw.bb37:                                          ; preds = %entry
  %type38 = getelementptr inbounds i8, ptr %object, i64 8
  %24 = load ptr, ptr %type38, align 8
  %cmp39.not = icmp eq ptr %24, @PyDict_Type
  br i1 %cmp39.not, label %lor.lhs.false40, label %cleanup46

lor.lhs.false40:                                  ; preds = %sw.bb37
  %call41 = tail call i64 @PyDict_Size(ptr noundef nonnull %object)
  %cmp42.not = icmp eq i64 %call41, %word.sroa.0.0.copyload
  br i1 %cmp42.not, label %if.end44, label %cleanup46

if.end44:                                         ; preds = %lor.lhs.false40
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %position.i)
  store i64 0, ptr %position.i, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %key.i)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %value.i)
  %cmp.i103133 = icmp slt i64 %word.sroa.0.0.copyload, 1
  br i1 %cmp.i103133, label %match_dict.exit, label %for.body.i105

for.body.i105:                                    ; preds = %if.end44, %if.end.i109
  %i.0.i102135 = phi i64 [ %inc.i110, %if.end.i109 ], [ 0, %if.end44 ]
  %pattern.addr.0.i101134 = phi ptr [ %call3.i, %if.end.i109 ], [ %add.ptr, %if.end44 ]
  %call.i106 = call i32 @PyDict_Next(ptr noundef %object, ptr noundef nonnull %position.i, ptr noundef nonnull %key.i, ptr noundef nonnull %value.i)
  %tobool1.not.i = icmp eq i32 %call.i106, 0
  br i1 %tobool1.not.i, label %match_dict.exit, label %lor.lhs.false.i107

lor.lhs.false.i107:                               ; preds = %for.body.i105
  %25 = load ptr, ptr %key.i, align 8
  %26 = load ptr, ptr %pattern.addr.0.i101134, align 8
  %cmp.i112 = icmp eq ptr %25, %26
  br i1 %cmp.i112, label %if.end.i109, label %if.end.i113

if.end.i113:                                      ; preds = %lor.lhs.false.i107
  %type.i114 = getelementptr inbounds i8, ptr %25, i64 8
  %27 = load ptr, ptr %type.i114, align 8
  %type1.i115 = getelementptr inbounds i8, ptr %26, i64 8
  %28 = load ptr, ptr %type1.i115, align 8
  %cmp2.i116 = icmp eq ptr %27, %28
  br i1 %cmp2.i116, label %is_equal.exit121, label %match_dict.exit

is_equal.exit121:                                 ; preds = %if.end.i113
  %call.i119 = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %25, ptr noundef nonnull %26, i32 noundef 2)
  %cmp3.i120 = icmp eq i32 %call.i119, 1
  br i1 %cmp3.i120, label %if.end.i109, label %match_dict.exit

if.end.i109:                                      ; preds = %lor.lhs.false.i107, %is_equal.exit121
  %29 = load ptr, ptr %value.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %pattern.addr.0.i101134, i64 8
  %call3.i = call fastcc ptr @match(ptr noundef %29, ptr noundef nonnull %add.ptr.i, ptr noundef %place)
  %inc.i110 = add nuw nsw i64 %i.0.i102135, 1
  %cmp.i103 = icmp sge i64 %inc.i110, %word.sroa.0.0.copyload
  %tobool.i104 = icmp eq ptr %call3.i, null
  %.not.i = select i1 %cmp.i103, i1 true, i1 %tobool.i104
  br i1 %.not.i, label %match_dict.exit, label %for.body.i105

match_dict.exit:                                  ; preds = %is_equal.exit121, %for.body.i105, %if.end.i109, %if.end.i113, %if.end44
  %spec.select.i = phi ptr [ %add.ptr, %if.end44 ], [ null, %if.end.i113 ], [ %call3.i, %if.end.i109 ], [ null, %for.body.i105 ], [ null, %is_equal.exit121 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %key.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %position.i)
  br label %cleanup46

cleanup46:                                        ; preds = %for.body.i96, %for.body.i87, %for.body.i, %for.cond.i91.preheader, %for.cond.i85.preheader, %if.end.i84, %if.end.i, %land.lhs.true.i, %lor.lhs.false.i, %is_equal.exit.thread, %is_equal.exit, %entry, %sw.bb37, %lor.lhs.false40, %sw.bb28, %lor.lhs.false31, %sw.bb19, %lor.lhs.false22, %if.end8, %sw.bb2, %sw.bb, %match_dict.exit, %sw.bb11, %if.end
  %retval.1 = phi ptr [ %spec.select.i, %match_dict.exit ], [ %cond, %sw.bb11 ], [ %add.ptr, %if.end ], [ null, %sw.bb ], [ %add.ptr10, %if.end8 ], [ null, %sw.bb2 ], [ null, %lor.lhs.false22 ], [ null, %sw.bb19 ], [ null, %lor.lhs.false31 ], [ null, %sw.bb28 ], [ null, %lor.lhs.false40 ], [ null, %sw.bb37 ], [ null, %entry ], [ %add.ptr, %is_equal.exit.thread ], [ null, %is_equal.exit ], [ null, %lor.lhs.false.i ], [ null, %land.lhs.true.i ], [ null, %if.end.i ], [ null, %if.end.i84 ], [ %add.ptr, %for.cond.i85.preheader ], [ %add.ptr, %for.cond.i91.preheader ], [ null, %for.body.i ], [ %call2.i, %for.body.i87 ], [ %call2.i97, %for.body.i96 ]
  ret ptr %retval.1
}

declare ptr @PyDict_GetItemWithError(ptr noundef, ptr noundef)

declare void @PyErr_Clear()

declare ptr @PyCell_Get(ptr noundef)

declare i64 @PyList_Size(ptr noundef)

declare i64 @PyDict_Size(ptr noundef)

declare ptr @PyList_GetItem(ptr noundef, i64 noundef)

declare i32 @PyDict_Next(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

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
