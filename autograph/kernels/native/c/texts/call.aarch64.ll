; Made by `make runtime` of call.c (07a299175f6b8cbc) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

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
  %inside.i.i = alloca %struct.Met, align 8
  %met.i = alloca %struct.Met, align 8
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
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %met.i)
  store ptr %add.ptr, ptr %met.i, align 8
  %container.i = getelementptr inbounds i8, ptr %met.i, i64 8
  store ptr %add.ptr6, ptr %container.i, align 8
  %containers1.i = getelementptr inbounds i8, ptr %met.i, i64 16
  store ptr %add.ptr6, ptr %containers1.i, align 8
  %add.ptr.i40 = getelementptr inbounds i8, ptr %add.ptr.i, i64 24
  %container.i.i = getelementptr inbounds i8, ptr %inside.i.i, i64 8
  %containers.i.i = getelementptr inbounds i8, ptr %inside.i.i, i64 16
  br label %for.cond.i.i

for.cond.i.i:                                     ; preds = %for.cond.i.i.backedge, %entry
  %words.addr.0.i.i = phi ptr [ %add.ptr.i40, %entry ], [ %words.addr.0.i.i.be, %for.cond.i.i.backedge ]
  %5 = load i64, ptr %words.addr.0.i.i, align 8
  switch i64 %5, label %if.end.i [
    i64 1, label %sw.epilog.i.i
    i64 2, label %sw.bb4.i.i
    i64 3, label %sw.bb10.i.i
    i64 4, label %sw.bb16.i.i
    i64 5, label %sw.bb22.i.i
  ]

sw.bb4.i.i:                                       ; preds = %for.cond.i.i
  %arrayidx5.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 8
  %6 = load ptr, ptr %arrayidx5.i.i, align 8
  %arrayidx6.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %7 = load ptr, ptr %arrayidx6.i.i, align 8
  %call.i.i.i = call ptr @PyCell_Get(ptr noundef %6)
  %tobool.i.not.i.i = icmp eq ptr %call.i.i.i, null
  br i1 %tobool.i.not.i.i, label %match_outside.exit.thread.i, label %holds.exit.i.i

holds.exit.i.i:                                   ; preds = %sw.bb4.i.i
  call void @Py_DecRef(ptr noundef nonnull %call.i.i.i)
  %cmp.i.i.i = icmp eq ptr %call.i.i.i, %7
  %add.ptr9.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  br i1 %cmp.i.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

sw.bb10.i.i:                                      ; preds = %for.cond.i.i
  %arrayidx11.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 8
  %8 = load ptr, ptr %arrayidx11.i.i, align 8
  %arrayidx12.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %9 = load ptr, ptr %arrayidx12.i.i, align 8
  %call.i45.i.i = call ptr @PyDict_GetItemWithError(ptr noundef %8, ptr noundef %9)
  call void @PyErr_Clear()
  %tobool.not.i.i.i = icmp eq ptr %call.i45.i.i, null
  %add.ptr15.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  br i1 %tobool.not.i.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

sw.bb16.i.i:                                      ; preds = %for.cond.i.i
  %arrayidx17.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 8
  %10 = load ptr, ptr %arrayidx17.i.i, align 8
  %11 = load ptr, ptr %10, align 8
  %arrayidx18.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %12 = load ptr, ptr %arrayidx18.i.i, align 8
  %cmp19.i.i = icmp eq ptr %11, %12
  %add.ptr21.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  br i1 %cmp19.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

sw.bb22.i.i:                                      ; preds = %for.cond.i.i
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %inside.i.i)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %inside.i.i, ptr noundef nonnull readonly align 8 dereferenceable(24) %met.i, i64 24, i1 false)
  %13 = load ptr, ptr %container.i.i, align 8
  store ptr %13, ptr %containers.i.i, align 8
  %arrayidx23.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 8
  %14 = load ptr, ptr %arrayidx23.i.i, align 8
  %add.ptr24.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %call25.i.i = call fastcc ptr @match(ptr noundef %14, ptr noundef nonnull %add.ptr24.i.i, ptr noundef nonnull %inside.i.i)
  %tobool.not.i.i = icmp eq ptr %call25.i.i, null
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %inside.i.i)
  br i1 %tobool.not.i.i, label %match_outside.exit.thread.i, label %for.cond.i.i.backedge

sw.epilog.i.i:                                    ; preds = %for.cond.i.i
  %arrayidx1.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 8
  %15 = load ptr, ptr %arrayidx1.i.i, align 8
  %arrayidx2.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %16 = load ptr, ptr %arrayidx2.i.i, align 8
  %call.i.i = call ptr @PyDict_GetItemWithError(ptr noundef %15, ptr noundef %16)
  %arrayidx3.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 24
  %17 = load ptr, ptr %arrayidx3.i.i, align 8
  %cmp.i.i = icmp eq ptr %call.i.i, %17
  %add.ptr.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 32
  br i1 %cmp.i.i, label %for.cond.i.i.backedge, label %match_outside.exit.thread.i

for.cond.i.i.backedge:                            ; preds = %sw.epilog.i.i, %sw.bb22.i.i, %sw.bb16.i.i, %sw.bb10.i.i, %holds.exit.i.i
  %words.addr.0.i.i.be = phi ptr [ %add.ptr.i.i, %sw.epilog.i.i ], [ %call25.i.i, %sw.bb22.i.i ], [ %add.ptr21.i.i, %sw.bb16.i.i ], [ %add.ptr15.i.i, %sw.bb10.i.i ], [ %add.ptr9.i.i, %holds.exit.i.i ]
  br label %for.cond.i.i

match_outside.exit.thread.i:                      ; preds = %sw.epilog.i.i, %sw.bb22.i.i, %sw.bb16.i.i, %sw.bb10.i.i, %holds.exit.i.i, %sw.bb4.i.i
  call void @PyErr_Clear()
  br label %match_call.exit.thread

if.end.i:                                         ; preds = %for.cond.i.i
  %add.ptr27.i.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 8
  %incdec.ptr.i = getelementptr inbounds i8, ptr %words.addr.0.i.i, i64 16
  %18 = load i64, ptr %add.ptr27.i.i, align 8
  %cmp.not105.i = icmp sgt i64 %18, 0
  br i1 %cmp.not105.i, label %for.body.i, label %for.end.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i64 %i.0107.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %18
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.body.i:                                       ; preds = %if.end.i, %for.cond.i
  %i.0107.i = phi i64 [ %inc.i, %for.cond.i ], [ 0, %if.end.i ]
  %pattern.addr.0106.i = phi ptr [ %call3.i, %for.cond.i ], [ %incdec.ptr.i, %if.end.i ]
  %19 = load ptr, ptr %pattern.addr.0106.i, align 8
  %add.ptr2.i = getelementptr inbounds i8, ptr %pattern.addr.0106.i, i64 8
  %call3.i = call fastcc ptr @match(ptr noundef %19, ptr noundef nonnull %add.ptr2.i, ptr noundef nonnull %met.i)
  %tobool4.not.i = icmp eq ptr %call3.i, null
  br i1 %tobool4.not.i, label %match_call.exit.thread, label %for.cond.i

for.end.i:                                        ; preds = %for.cond.i, %if.end.i
  %pattern.addr.0.lcssa.i = phi ptr [ %incdec.ptr.i, %if.end.i ], [ %call3.i, %for.cond.i ]
  %20 = load i64, ptr %pattern.addr.0.lcssa.i, align 8
  %cmp8.not.i = icmp eq i64 %20, %count
  br i1 %cmp8.not.i, label %if.end10.i, label %match_call.exit.thread

if.end10.i:                                       ; preds = %for.end.i
  %incdec.ptr11.i = getelementptr inbounds i8, ptr %pattern.addr.0.lcssa.i, i64 8
  %cmp14.not108.i = icmp sgt i64 %count, 0
  br i1 %cmp14.not108.i, label %for.body16.i, label %for.end26.i

for.cond13.i:                                     ; preds = %for.body16.i
  %inc23.i = add nuw nsw i64 %i12.0110.i, 1
  %exitcond124.not.i = icmp eq i64 %inc23.i, %count
  br i1 %exitcond124.not.i, label %for.end26.i, label %for.body16.i

for.body16.i:                                     ; preds = %if.end10.i, %for.cond13.i
  %i12.0110.i = phi i64 [ %inc23.i, %for.cond13.i ], [ 0, %if.end10.i ]
  %pattern.addr.2109.i = phi ptr [ %call18.i, %for.cond13.i ], [ %incdec.ptr11.i, %if.end10.i ]
  %arrayidx17.i = getelementptr inbounds ptr, ptr %arguments, i64 %i12.0110.i
  %21 = load ptr, ptr %arrayidx17.i, align 8
  %call18.i = call fastcc ptr @match(ptr noundef %21, ptr noundef nonnull %pattern.addr.2109.i, ptr noundef nonnull %met.i)
  %tobool19.not.i = icmp eq ptr %call18.i, null
  br i1 %tobool19.not.i, label %match_call.exit.thread, label %for.cond13.i

for.end26.i:                                      ; preds = %for.cond13.i, %if.end10.i
  %pattern.addr.2.lcssa.i = phi ptr [ %incdec.ptr11.i, %if.end10.i ], [ %call18.i, %for.cond13.i ]
  %tobool27.not.i = icmp eq ptr %names, null
  br i1 %tobool27.not.i, label %cond.end.thread.i, label %cond.end.i

cond.end.i:                                       ; preds = %for.end26.i
  %call28.i = call i64 @PyTuple_Size(ptr noundef nonnull %names)
  %22 = load i64, ptr %pattern.addr.2.lcssa.i, align 8
  %cmp30.not.i = icmp eq i64 %22, %call28.i
  br i1 %cmp30.not.i, label %if.end32.i, label %match_call.exit.thread

cond.end.thread.i:                                ; preds = %for.end26.i
  %23 = load i64, ptr %pattern.addr.2.lcssa.i, align 8
  %cmp30.not127.i = icmp eq i64 %23, 0
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %met.i)
  br i1 %cmp30.not127.i, label %for.cond.preheader, label %cleanup

if.end32.i:                                       ; preds = %cond.end.i
  %invariant.gep.i = getelementptr ptr, ptr %arguments, i64 %count
  %cmp35.not112.i = icmp slt i64 %call28.i, 1
  br i1 %cmp35.not112.i, label %match_call.exit, label %for.body37.lr.ph.i

for.body37.lr.ph.i:                               ; preds = %if.end32.i
  %incdec.ptr33.i = getelementptr inbounds i8, ptr %pattern.addr.2.lcssa.i, i64 8
  %24 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i90.i = getelementptr inbounds i8, ptr %names, i64 %24
  br label %for.body37.i

for.cond34.i:                                     ; preds = %if.end43.i
  %inc51.i = add nuw nsw i64 %k.0114.i, 1
  %exitcond125.i = icmp eq i64 %inc51.i, %call28.i
  br i1 %exitcond125.i, label %match_call.exit, label %for.body37.i

for.body37.i:                                     ; preds = %for.cond34.i, %for.body37.lr.ph.i
  %k.0114.i = phi i64 [ 0, %for.body37.lr.ph.i ], [ %inc51.i, %for.cond34.i ]
  %pattern.addr.4113.i = phi ptr [ %incdec.ptr33.i, %for.body37.lr.ph.i ], [ %call46.i, %for.cond34.i ]
  %arrayidx39.i = getelementptr inbounds ptr, ptr %add.ptr.i90.i, i64 %k.0114.i
  %25 = load ptr, ptr %arrayidx39.i, align 8
  %26 = load ptr, ptr %pattern.addr.4113.i, align 8
  %cmp.i91.i = icmp eq ptr %25, %26
  br i1 %cmp.i91.i, label %if.end43.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %for.body37.i
  %type.i.i = getelementptr inbounds i8, ptr %25, i64 8
  %27 = load ptr, ptr %type.i.i, align 8
  %type1.i.i = getelementptr inbounds i8, ptr %26, i64 8
  %28 = load ptr, ptr %type1.i.i, align 8
  %cmp2.i.i = icmp eq ptr %27, %28
  br i1 %cmp2.i.i, label %is_equal.exit.i, label %match_call.exit.thread

is_equal.exit.i:                                  ; preds = %if.end.i.i
  %call.i92.i = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %25, ptr noundef nonnull %26, i32 noundef 2)
  %cmp3.i.i = icmp eq i32 %call.i92.i, 1
  br i1 %cmp3.i.i, label %if.end43.i, label %match_call.exit.thread

if.end43.i:                                       ; preds = %is_equal.exit.i, %for.body37.i
  %gep.i = getelementptr ptr, ptr %invariant.gep.i, i64 %k.0114.i
  %29 = load ptr, ptr %gep.i, align 8
  %add.ptr45.i = getelementptr inbounds i8, ptr %pattern.addr.4113.i, i64 8
  %call46.i = call fastcc ptr @match(ptr noundef %29, ptr noundef nonnull %add.ptr45.i, ptr noundef nonnull %met.i)
  %tobool47.not.i = icmp eq ptr %call46.i, null
  br i1 %tobool47.not.i, label %match_call.exit.thread, label %for.cond34.i

match_call.exit.thread:                           ; preds = %for.body.i, %for.body16.i, %is_equal.exit.i, %if.end43.i, %if.end.i.i, %for.end.i, %cond.end.i, %match_outside.exit.thread.i
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %met.i)
  br label %cleanup

match_call.exit:                                  ; preds = %for.cond34.i, %if.end32.i
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %met.i)
  br label %for.cond.preheader

for.cond.preheader:                               ; preds = %cond.end.thread.i, %match_call.exit
  %cmp59 = icmp sgt i64 %add, 0
  br i1 %cmp59, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %arrayidx.i = getelementptr inbounds i8, ptr %record, i64 40
  %30 = load ptr, ptr %arrayidx.i, align 8
  %call.i.i41 = call i64 @PyTuple_Size(ptr noundef %30)
  %cmp.not22.i.i = icmp sgt i64 %call.i.i41, 0
  br i1 %cmp.not22.i.i, label %for.body.lr.ph.i.i, label %if.end5.i

for.body.lr.ph.i.i:                               ; preds = %for.cond.cleanup
  %31 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %30, i64 %31
  br label %for.body.i.i

for.cond.i.i49:                                   ; preds = %if.end.i.i48
  %inc.i.i = add nuw nsw i64 %i.023.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %call.i.i41
  br i1 %exitcond.not.i.i, label %if.end5.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i49, %for.body.lr.ph.i.i
  %i.023.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.cond.i.i49 ]
  %arrayidx.i.i = getelementptr inbounds ptr, ptr %add.ptr.i.i.i, i64 %i.023.i.i
  %32 = load ptr, ptr %arrayidx.i.i, align 8
  %call2.i.i = call ptr @PyObject_VectorcallDict(ptr noundef %32, ptr noundef null, i64 noundef 0, ptr noundef null)
  %tobool.not.i.i47 = icmp eq ptr %call2.i.i, null
  br i1 %tobool.not.i.i47, label %call_with_leaves.exit.sink.split, label %if.end.i.i48

if.end.i.i48:                                     ; preds = %for.body.i.i
  %call3.i.i = call i32 @PyObject_IsTrue(ptr noundef nonnull %call2.i.i)
  call void @Py_DecRef(ptr noundef nonnull %call2.i.i)
  switch i32 %call3.i.i, label %if.end.i50 [
    i32 1, label %for.cond.i.i49
    i32 0, label %call_with_leaves.exit
  ]

if.end.i50:                                       ; preds = %if.end.i.i48
  %cmp1.i = icmp slt i32 %call3.i.i, 0
  br i1 %cmp1.i, label %call_with_leaves.exit.sink.split, label %if.end5.i

if.end5.i:                                        ; preds = %for.cond.i.i49, %if.end.i50, %for.cond.cleanup
  %arrayidx6.i = getelementptr inbounds i8, ptr %record, i64 8
  %33 = load ptr, ptr %arrayidx6.i, align 8
  %call7.i = call ptr @PyObject_VectorcallDict(ptr noundef %33, ptr noundef nonnull %add.ptr, i64 noundef %2, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call7.i, null
  br i1 %tobool.not.i, label %call_with_leaves.exit.sink.split, label %if.then8.i

if.then8.i:                                       ; preds = %if.end5.i
  %arrayidx.i23.i = getelementptr inbounds i8, ptr %record, i64 16
  %34 = load ptr, ptr %arrayidx.i23.i, align 8
  %cmp.i.i42 = icmp eq ptr %34, @_Py_NoneStruct
  br i1 %cmp.i.i42, label %call_with_leaves.exit, label %if.end.i24.i

if.end.i24.i:                                     ; preds = %if.then8.i
  %arrayidx1.i.i43 = getelementptr inbounds i8, ptr %record, i64 24
  %35 = load ptr, ptr %arrayidx1.i.i43, align 8
  %cmp2.i.i44 = icmp eq ptr %35, @_Py_TrueStruct
  br i1 %cmp2.i.i44, label %if.then3.i.i, label %if.else.i.i

if.then3.i.i:                                     ; preds = %if.end.i24.i
  store ptr %call7.i, ptr %vla, align 8
  %add.i.i = add nsw i64 %add, 1
  %call.i25.i = call ptr @PyObject_VectorcallDict(ptr noundef %34, ptr noundef nonnull %vla, i64 noundef %add.i.i, ptr noundef null)
  br label %if.end10.i46

if.else.i.i:                                      ; preds = %if.end.i24.i
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %argument.addr.i.i.i)
  store ptr %call7.i, ptr %argument.addr.i.i.i, align 8
  %call.i.i.i45 = call ptr @PyObject_VectorcallDict(ptr noundef %34, ptr noundef nonnull %argument.addr.i.i.i, i64 noundef 1, ptr noundef null)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %argument.addr.i.i.i)
  br label %if.end10.i46

if.end10.i46:                                     ; preds = %if.else.i.i, %if.then3.i.i
  %result.0.i.i = phi ptr [ %call.i25.i, %if.then3.i.i ], [ %call.i.i.i45, %if.else.i.i ]
  call void @Py_DecRef(ptr noundef nonnull %call7.i)
  %tobool11.not.i = icmp eq ptr %result.0.i.i, null
  br i1 %tobool11.not.i, label %call_with_leaves.exit.sink.split, label %call_with_leaves.exit

call_with_leaves.exit.sink.split:                 ; preds = %for.body.i.i, %if.end5.i, %if.end10.i46, %if.end.i50
  %arrayidx3.i = getelementptr inbounds i8, ptr %record, i64 32
  %36 = load ptr, ptr %arrayidx3.i, align 8
  %call4.i = call fastcc ptr @handled_by(ptr noundef %36)
  br label %call_with_leaves.exit

call_with_leaves.exit:                            ; preds = %if.end.i.i48, %call_with_leaves.exit.sink.split, %if.then8.i, %if.end10.i46
  %retval.0.i = phi ptr [ %result.0.i.i, %if.end10.i46 ], [ %call7.i, %if.then8.i ], [ %call4.i, %call_with_leaves.exit.sink.split ], [ @missed, %if.end.i.i48 ]
  br i1 %cmp59, label %for.body14, label %cleanup

for.body:                                         ; preds = %for.cond.preheader, %for.body
  %i.060 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %arrayidx8 = getelementptr inbounds ptr, ptr %add.ptr, i64 %i.060
  %37 = load ptr, ptr %arrayidx8, align 8
  call void @Py_IncRef(ptr noundef %37)
  %inc = add nuw nsw i64 %i.060, 1
  %exitcond.not = icmp eq i64 %inc, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.body14:                                       ; preds = %call_with_leaves.exit, %for.body14
  %i10.062 = phi i64 [ %inc17, %for.body14 ], [ 0, %call_with_leaves.exit ]
  %arrayidx15 = getelementptr inbounds ptr, ptr %add.ptr, i64 %i10.062
  %38 = load ptr, ptr %arrayidx15, align 8
  call void @Py_DecRef(ptr noundef %38)
  %inc17 = add nuw nsw i64 %i10.062, 1
  %exitcond70.not = icmp eq i64 %inc17, %add
  br i1 %exitcond70.not, label %cleanup, label %for.body14

cleanup:                                          ; preds = %for.body14, %call_with_leaves.exit, %cond.end.thread.i, %match_call.exit.thread
  %retval.0 = phi ptr [ @missed, %match_call.exit.thread ], [ @missed, %cond.end.thread.i ], [ %retval.0.i, %call_with_leaves.exit ], [ %retval.0.i, %for.body14 ]
  ret ptr %retval.0
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare void @Py_DecRef(ptr noundef)

declare i32 @PyContextVar_Get(ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

declare ptr @PyTuple_New(i64 noundef)

declare ptr @PyDict_New()

declare i32 @PyDict_SetItem(ptr noundef, ptr noundef, ptr noundef)

define internal fastcc ptr @match(ptr noundef %object, ptr noundef %pattern, ptr noundef %met) {
entry:
  %position.i.i = alloca i64, align 8
  %key.i.i = alloca ptr, align 8
  %value.i.i = alloca ptr, align 8
  br label %tailrecurse

tailrecurse:                                      ; preds = %sw.bb81, %entry
  %pattern.tr = phi ptr [ %pattern, %entry ], [ %add.ptr, %sw.bb81 ]
  %arrayidx = getelementptr inbounds i8, ptr %pattern.tr, i64 8
  %word.sroa.0.0.copyload = load i64, ptr %arrayidx, align 8
  %add.ptr = getelementptr inbounds i8, ptr %pattern.tr, i64 16
  %0 = load i64, ptr %pattern.tr, align 8
  %1 = inttoptr i64 %word.sroa.0.0.copyload to ptr
  switch i64 %0, label %common.ret [
    i64 0, label %sw.bb
    i64 12, label %sw.bb2
    i64 1, label %sw.bb2
    i64 2, label %sw.bb16
    i64 3, label %sw.bb18
    i64 4, label %sw.bb24
    i64 5, label %sw.bb34
    i64 6, label %sw.bb48
    i64 7, label %sw.bb57
    i64 8, label %sw.bb65
    i64 9, label %sw.bb73
    i64 10, label %sw.bb81
    i64 11, label %sw.bb88
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
  %cmp16.not36.i = icmp slt i32 %9, 1
  br i1 %cmp16.not36.i, label %if.end8, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %for.cond.preheader.i
  %sizes.i = getelementptr inbounds i8, ptr %object, i64 32
  %11 = load ptr, ptr %sizes.i, align 8
  %sizes18.i = getelementptr inbounds i8, ptr %pattern.tr, i64 32
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
  br i1 %cmp20.not.i, label %for.cond.i, label %common.ret

if.end8:                                          ; preds = %for.cond.i, %for.cond.preheader.i
  %cmp10 = icmp eq i64 %0, 1
  br i1 %cmp10, label %if.then11, label %if.end14

if.then11:                                        ; preds = %if.end8
  %14 = load ptr, ptr %met, align 8
  %incdec.ptr13 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr %incdec.ptr13, ptr %met, align 8
  store ptr %object, ptr %14, align 8
  %.pre = load i64, ptr %ndim10.i, align 8
  br label %if.end14

if.end14:                                         ; preds = %if.then11, %if.end8
  %15 = phi i64 [ %.pre, %if.then11 ], [ %conv9.i, %if.end8 ]
  %sizes = getelementptr inbounds i8, ptr %pattern.tr, i64 32
  %add.ptr15 = getelementptr inbounds i64, ptr %sizes, i64 %15
  br label %common.ret

sw.bb16:                                          ; preds = %tailrecurse
  %cmp17 = icmp eq ptr %1, %object
  %cond = select i1 %cmp17, ptr %add.ptr, ptr null
  br label %common.ret

sw.bb18:                                          ; preds = %tailrecurse
  %cmp.i = icmp eq ptr %1, %object
  br i1 %cmp.i, label %is_equal.exit.thread, label %if.end.i166

if.end.i166:                                      ; preds = %sw.bb18
  %type.i = getelementptr inbounds i8, ptr %object, i64 8
  %16 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %1, i64 8
  %17 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %16, %17
  br i1 %cmp2.i, label %is_equal.exit, label %common.ret

is_equal.exit:                                    ; preds = %if.end.i166
  %call.i = tail call i32 @PyObject_RichCompareBool(ptr noundef nonnull %object, ptr noundef nonnull %1, i32 noundef 2)
  %call.i.fr = freeze i32 %call.i
  %cmp3.i = icmp eq i32 %call.i.fr, 1
  br i1 %cmp3.i, label %is_equal.exit.thread, label %common.ret

is_equal.exit.thread:                             ; preds = %sw.bb18, %is_equal.exit
  br label %common.ret

sw.bb24:                                          ; preds = %tailrecurse
  %type25 = getelementptr inbounds i8, ptr %object, i64 8
  %18 = load ptr, ptr %type25, align 8
  %cmp26.not = icmp eq ptr %18, %1
  br i1 %cmp26.not, label %lor.lhs.false27, label %common.ret

lor.lhs.false27:                                  ; preds = %sw.bb24
  %call28 = tail call i64 @PyTuple_Size(ptr noundef nonnull %object)
  %19 = load i64, ptr %add.ptr, align 8
  %cmp29.not = icmp eq i64 %call28, %19
  br i1 %cmp29.not, label %if.end31, label %common.ret

if.end31:                                         ; preds = %lor.lhs.false27
  %add.ptr32 = getelementptr inbounds i8, ptr %pattern.tr, i64 24
  %cmp9.i = icmp sgt i64 %call28, 0
  br i1 %cmp9.i, label %for.body.lr.ph.i428, label %common.ret

for.body.lr.ph.i428:                              ; preds = %if.end31
  %20 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %object, i64 %20
  br label %for.body.i429

for.body.i429:                                    ; preds = %for.body.i429, %for.body.lr.ph.i428
  %pattern.addr.012.i = phi ptr [ %add.ptr32, %for.body.lr.ph.i428 ], [ %call2.i, %for.body.i429 ]
  %i.011.i = phi i64 [ 0, %for.body.lr.ph.i428 ], [ %inc.i431, %for.body.i429 ]
  %arrayidx.i430 = getelementptr inbounds ptr, ptr %add.ptr.i.i, i64 %i.011.i
  %21 = load ptr, ptr %arrayidx.i430, align 8
  %call2.i = tail call fastcc ptr @match(ptr noundef %21, ptr noundef nonnull %pattern.addr.012.i, ptr noundef %met)
  %inc.i431 = add nuw nsw i64 %i.011.i, 1
  %cmp.i432 = icmp slt i64 %inc.i431, %call28
  %tobool.i = icmp ne ptr %call2.i, null
  %22 = select i1 %cmp.i432, i1 %tobool.i, i1 false
  br i1 %22, label %for.body.i429, label %common.ret

sw.bb34:                                          ; preds = %tailrecurse
  %type35 = getelementptr inbounds i8, ptr %object, i64 8
  %23 = load ptr, ptr %type35, align 8
  %cmp36.not = icmp eq ptr %23, @PyList_Type
  br i1 %cmp36.not, label %lor.lhs.false37, label %common.ret

lor.lhs.false37:                                  ; preds = %sw.bb34
  %call38 = tail call i64 @PyList_Size(ptr noundef nonnull %object)
  %cmp39.not = icmp eq i64 %call38, %word.sroa.0.0.copyload
  br i1 %cmp39.not, label %if.end41, label %common.ret

if.end41:                                         ; preds = %lor.lhs.false37
  %containers.i = getelementptr inbounds i8, ptr %met, i64 16
  %24 = load ptr, ptr %containers.i, align 8
  %container1.i = getelementptr inbounds i8, ptr %met, i64 8
  %25 = load ptr, ptr %container1.i, align 8
  %cmp17.not.i = icmp ult ptr %24, %25
  br i1 %cmp17.not.i, label %for.body.i167, label %cond.true43

for.cond.i169:                                    ; preds = %for.body.i167
  %incdec.ptr.i = getelementptr inbounds i8, ptr %other.018.i, i64 8
  %cmp.not.i170 = icmp ult ptr %incdec.ptr.i, %25
  br i1 %cmp.not.i170, label %for.body.i167, label %cond.true43

for.body.i167:                                    ; preds = %if.end41, %for.cond.i169
  %other.018.i = phi ptr [ %incdec.ptr.i, %for.cond.i169 ], [ %24, %if.end41 ]
  %26 = load ptr, ptr %other.018.i, align 8
  %cmp2.i168 = icmp eq ptr %26, %object
  br i1 %cmp2.i168, label %common.ret, label %for.cond.i169

cond.true43:                                      ; preds = %for.cond.i169, %if.end41
  %incdec.ptr4.i = getelementptr inbounds i8, ptr %25, i64 8
  store ptr %incdec.ptr4.i, ptr %container1.i, align 8
  store ptr %object, ptr %25, align 8
  %call44 = tail call fastcc ptr @match_items(ptr noundef %object, i1 noundef false, i64 noundef %word.sroa.0.0.copyload, ptr noundef nonnull %add.ptr, ptr noundef %met)
  br label %common.ret

sw.bb48:                                          ; preds = %tailrecurse
  %arrayidx.le665 = getelementptr inbounds i8, ptr %pattern.tr, i64 8
  %type49 = getelementptr inbounds i8, ptr %object, i64 8
  %27 = load ptr, ptr %type49, align 8
  %cmp50.not = icmp eq ptr %27, @PyDict_Type
  br i1 %cmp50.not, label %lor.lhs.false51, label %common.ret

lor.lhs.false51:                                  ; preds = %sw.bb48
  %containers.i171 = getelementptr inbounds i8, ptr %met, i64 16
  %28 = load ptr, ptr %containers.i171, align 8
  %container1.i172 = getelementptr inbounds i8, ptr %met, i64 8
  %29 = load ptr, ptr %container1.i172, align 8
  %cmp17.not.i173 = icmp ult ptr %28, %29
  br i1 %cmp17.not.i173, label %for.body.i177, label %if.end54

for.cond.i180:                                    ; preds = %for.body.i177
  %incdec.ptr.i181 = getelementptr inbounds i8, ptr %other.018.i178, i64 8
  %cmp.not.i182 = icmp ult ptr %incdec.ptr.i181, %29
  br i1 %cmp.not.i182, label %for.body.i177, label %if.end54

for.body.i177:                                    ; preds = %lor.lhs.false51, %for.cond.i180
  %other.018.i178 = phi ptr [ %incdec.ptr.i181, %for.cond.i180 ], [ %28, %lor.lhs.false51 ]
  %30 = load ptr, ptr %other.018.i178, align 8
  %cmp2.i179 = icmp eq ptr %30, %object
  br i1 %cmp2.i179, label %common.ret, label %for.cond.i180

if.end54:                                         ; preds = %for.cond.i180, %lor.lhs.false51
  %incdec.ptr4.i175 = getelementptr inbounds i8, ptr %29, i64 8
  store ptr %incdec.ptr4.i175, ptr %container1.i172, align 8
  store ptr %object, ptr %29, align 8
  %call56 = tail call fastcc ptr @match_dict(ptr noundef %object, ptr noundef nonnull %arrayidx.le665, ptr noundef %met)
  br label %common.ret

sw.bb57:                                          ; preds = %tailrecurse
  %type58 = getelementptr inbounds i8, ptr %object, i64 8
  %31 = load ptr, ptr %type58, align 8
  %cmp59.not = icmp eq ptr %31, %1
  br i1 %cmp59.not, label %lor.lhs.false60, label %common.ret

lor.lhs.false60:                                  ; preds = %sw.bb57
  %containers.i184 = getelementptr inbounds i8, ptr %met, i64 16
  %32 = load ptr, ptr %containers.i184, align 8
  %container1.i185 = getelementptr inbounds i8, ptr %met, i64 8
  %33 = load ptr, ptr %container1.i185, align 8
  %cmp17.not.i186 = icmp ult ptr %32, %33
  br i1 %cmp17.not.i186, label %for.body.i190, label %if.end63

for.cond.i193:                                    ; preds = %for.body.i190
  %incdec.ptr.i194 = getelementptr inbounds i8, ptr %other.018.i191, i64 8
  %cmp.not.i195 = icmp ult ptr %incdec.ptr.i194, %33
  br i1 %cmp.not.i195, label %for.body.i190, label %if.end63

for.body.i190:                                    ; preds = %lor.lhs.false60, %for.cond.i193
  %other.018.i191 = phi ptr [ %incdec.ptr.i194, %for.cond.i193 ], [ %32, %lor.lhs.false60 ]
  %34 = load ptr, ptr %other.018.i191, align 8
  %cmp2.i192 = icmp eq ptr %34, %object
  br i1 %cmp2.i192, label %common.ret, label %for.cond.i193

if.end63:                                         ; preds = %for.cond.i193, %lor.lhs.false60
  %incdec.ptr4.i188 = getelementptr inbounds i8, ptr %33, i64 8
  store ptr %incdec.ptr4.i188, ptr %container1.i185, align 8
  store ptr %object, ptr %33, align 8
  %call.i433 = tail call ptr @PyObject_GenericGetDict(ptr noundef %object, ptr noundef null)
  %tobool.not.i434 = icmp eq ptr %call.i433, null
  br i1 %tobool.not.i434, label %if.then.i, label %if.end.i435

if.then.i:                                        ; preds = %if.end63
  tail call void @PyErr_Clear()
  br label %common.ret

if.end.i435:                                      ; preds = %if.end63
  %35 = load i64, ptr %add.ptr, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %position.i.i)
  store i64 0, ptr %position.i.i, align 8
  %call.i.i = tail call i64 @PyDict_Size(ptr noundef nonnull %call.i433)
  %cmp.not.i.i = icmp eq i64 %call.i.i, %35
  br i1 %cmp.not.i.i, label %if.end.i.i, label %match_dict.exit.i

if.end.i.i:                                       ; preds = %if.end.i435
  %incdec.ptr.i.i = getelementptr inbounds i8, ptr %pattern.tr, i64 24
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %key.i.i)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %value.i.i)
  %cmp1.i10.i = icmp slt i64 %35, 1
  br i1 %cmp1.i10.i, label %cleanup.i.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %if.end.i.i, %if.end6.i.i
  %i.0.i12.i = phi i64 [ %inc.i.i, %if.end6.i.i ], [ 0, %if.end.i.i ]
  %pattern.addr.0.i11.i = phi ptr [ %call7.i.i, %if.end6.i.i ], [ %incdec.ptr.i.i, %if.end.i.i ]
  %call2.i.i = call i32 @PyDict_Next(ptr noundef nonnull %call.i433, ptr noundef nonnull %position.i.i, ptr noundef nonnull %key.i.i, ptr noundef nonnull %value.i.i)
  %tobool3.not.i.i = icmp eq i32 %call2.i.i, 0
  br i1 %tobool3.not.i.i, label %cleanup.i.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i.i
  %36 = load ptr, ptr %key.i.i, align 8
  %37 = load ptr, ptr %pattern.addr.0.i11.i, align 8
  %cmp.i.i = icmp eq ptr %36, %37
  br i1 %cmp.i.i, label %if.end6.i.i, label %if.end.i5.i

if.end.i5.i:                                      ; preds = %lor.lhs.false.i.i
  %type.i.i = getelementptr inbounds i8, ptr %36, i64 8
  %38 = load ptr, ptr %type.i.i, align 8
  %type1.i.i = getelementptr inbounds i8, ptr %37, i64 8
  %39 = load ptr, ptr %type1.i.i, align 8
  %cmp2.i.i = icmp eq ptr %38, %39
  br i1 %cmp2.i.i, label %is_equal.exit.i, label %cleanup.i.i

is_equal.exit.i:                                  ; preds = %if.end.i5.i
  %call.i6.i = call i32 @PyObject_RichCompareBool(ptr noundef nonnull %36, ptr noundef nonnull %37, i32 noundef 2)
  %cmp3.i.i = icmp eq i32 %call.i6.i, 1
  br i1 %cmp3.i.i, label %if.end6.i.i, label %cleanup.i.i

if.end6.i.i:                                      ; preds = %is_equal.exit.i, %lor.lhs.false.i.i
  %40 = load ptr, ptr %value.i.i, align 8
  %add.ptr.i.i436 = getelementptr inbounds i8, ptr %pattern.addr.0.i11.i, i64 8
  %call7.i.i = call fastcc ptr @match(ptr noundef %40, ptr noundef nonnull %add.ptr.i.i436, ptr noundef %met)
  %inc.i.i = add nuw nsw i64 %i.0.i12.i, 1
  %cmp1.i.i = icmp sge i64 %inc.i.i, %35
  %tobool.i.i = icmp eq ptr %call7.i.i, null
  %.not.i.i = select i1 %cmp1.i.i, i1 true, i1 %tobool.i.i
  br i1 %.not.i.i, label %cleanup.i.i, label %for.body.i.i

cleanup.i.i:                                      ; preds = %if.end6.i.i, %is_equal.exit.i, %if.end.i5.i, %for.body.i.i, %if.end.i.i
  %spec.select.i.i = phi ptr [ %incdec.ptr.i.i, %if.end.i.i ], [ %call7.i.i, %if.end6.i.i ], [ null, %for.body.i.i ], [ null, %is_equal.exit.i ], [ null, %if.end.i5.i ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %key.i.i)
  br label %match_dict.exit.i

match_dict.exit.i:                                ; preds = %cleanup.i.i, %if.end.i435
  %retval.2.i.i = phi ptr [ %spec.select.i.i, %cleanup.i.i ], [ null, %if.end.i435 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %position.i.i)
  call void @Py_DecRef(ptr noundef nonnull %call.i433)
  br label %common.ret

sw.bb65:                                          ; preds = %tailrecurse
  %type66 = getelementptr inbounds i8, ptr %object, i64 8
  %41 = load ptr, ptr %type66, align 8
  %cmp67.not = icmp eq ptr %41, %1
  br i1 %cmp67.not, label %lor.lhs.false68, label %common.ret

lor.lhs.false68:                                  ; preds = %sw.bb65
  %containers.i197 = getelementptr inbounds i8, ptr %met, i64 16
  %42 = load ptr, ptr %containers.i197, align 8
  %container1.i198 = getelementptr inbounds i8, ptr %met, i64 8
  %43 = load ptr, ptr %container1.i198, align 8
  %cmp17.not.i199 = icmp ult ptr %42, %43
  br i1 %cmp17.not.i199, label %for.body.i203, label %if.end71

for.cond.i206:                                    ; preds = %for.body.i203
  %incdec.ptr.i207 = getelementptr inbounds i8, ptr %other.018.i204, i64 8
  %cmp.not.i208 = icmp ult ptr %incdec.ptr.i207, %43
  br i1 %cmp.not.i208, label %for.body.i203, label %if.end71

for.body.i203:                                    ; preds = %lor.lhs.false68, %for.cond.i206
  %other.018.i204 = phi ptr [ %incdec.ptr.i207, %for.cond.i206 ], [ %42, %lor.lhs.false68 ]
  %44 = load ptr, ptr %other.018.i204, align 8
  %cmp2.i205 = icmp eq ptr %44, %object
  br i1 %cmp2.i205, label %common.ret, label %for.cond.i206

if.end71:                                         ; preds = %for.cond.i206, %lor.lhs.false68
  %incdec.ptr4.i201 = getelementptr inbounds i8, ptr %43, i64 8
  store ptr %incdec.ptr4.i201, ptr %container1.i198, align 8
  store ptr %object, ptr %43, align 8
  %incdec.ptr.i437 = getelementptr inbounds i8, ptr %pattern.tr, i64 24
  %45 = load i64, ptr %add.ptr, align 8
  %cmp25.i = icmp sgt i64 %45, 0
  br i1 %cmp25.i, label %for.body.i443, label %lor.lhs.false.i438

for.cond.cleanup.i:                               ; preds = %cond.end.i
  br i1 %tobool.i447, label %lor.lhs.false.i438, label %common.ret

for.body.i443:                                    ; preds = %if.end71, %cond.end.i
  %i.027.i = phi i64 [ %inc.i445, %cond.end.i ], [ 0, %if.end71 ]
  %pattern.addr.026.i = phi ptr [ %call.i444, %cond.end.i ], [ %incdec.ptr.i437, %if.end71 ]
  %46 = load i64, ptr %pattern.addr.026.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %object, i64 %46
  %47 = load ptr, ptr %add.ptr.i, align 8
  %tobool1.not.i = icmp eq ptr %47, null
  br i1 %tobool1.not.i, label %common.ret, label %cond.end.i

cond.end.i:                                       ; preds = %for.body.i443
  %add.ptr2.i = getelementptr inbounds i8, ptr %pattern.addr.026.i, i64 8
  %call.i444 = tail call fastcc ptr @match(ptr noundef nonnull %47, ptr noundef nonnull %add.ptr2.i, ptr noundef %met)
  %inc.i445 = add nuw nsw i64 %i.027.i, 1
  %cmp.i446 = icmp slt i64 %inc.i445, %45
  %tobool.i447 = icmp ne ptr %call.i444, null
  %48 = select i1 %cmp.i446, i1 %tobool.i447, i1 false
  br i1 %48, label %for.body.i443, label %for.cond.cleanup.i

lor.lhs.false.i438:                               ; preds = %for.cond.cleanup.i, %if.end71
  %pattern.addr.0.lcssa32.i = phi ptr [ %call.i444, %for.cond.cleanup.i ], [ %incdec.ptr.i437, %if.end71 ]
  %49 = load i64, ptr %pattern.addr.0.lcssa32.i, align 8
  %cmp5.i = icmp sgt i64 %49, -1
  br i1 %cmp5.i, label %cond.true7.i, label %if.end.i439

cond.true7.i:                                     ; preds = %lor.lhs.false.i438
  %call.i.i441 = tail call ptr @PyObject_GenericGetDict(ptr noundef %object, ptr noundef null)
  %tobool.not.i.i = icmp eq ptr %call.i.i441, null
  br i1 %tobool.not.i.i, label %if.then.i.i, label %if.end.i.i442

if.then.i.i:                                      ; preds = %cond.true7.i
  tail call void @PyErr_Clear()
  br label %common.ret

if.end.i.i442:                                    ; preds = %cond.true7.i
  %call1.i.i = tail call fastcc ptr @match_dict(ptr noundef nonnull %call.i.i441, ptr noundef nonnull %pattern.addr.0.lcssa32.i, ptr noundef %met)
  tail call void @Py_DecRef(ptr noundef nonnull %call.i.i441)
  br label %common.ret

if.end.i439:                                      ; preds = %lor.lhs.false.i438
  %add.ptr12.i = getelementptr inbounds i8, ptr %pattern.addr.0.lcssa32.i, i64 8
  br label %common.ret

sw.bb73:                                          ; preds = %tailrecurse
  %arrayidx.le = getelementptr inbounds i8, ptr %pattern.tr, i64 8
  %containers.i210 = getelementptr inbounds i8, ptr %met, i64 16
  %50 = load ptr, ptr %containers.i210, align 8
  %container1.i211 = getelementptr inbounds i8, ptr %met, i64 8
  %51 = load ptr, ptr %container1.i211, align 8
  %cmp17.not.i212 = icmp ult ptr %50, %51
  br i1 %cmp17.not.i212, label %for.body.i216, label %cond.true75

for.cond.i219:                                    ; preds = %for.body.i216
  %incdec.ptr.i220 = getelementptr inbounds i8, ptr %other.018.i217, i64 8
  %cmp.not.i221 = icmp ult ptr %incdec.ptr.i220, %51
  br i1 %cmp.not.i221, label %for.body.i216, label %cond.true75

for.body.i216:                                    ; preds = %sw.bb73, %for.cond.i219
  %other.018.i217 = phi ptr [ %incdec.ptr.i220, %for.cond.i219 ], [ %50, %sw.bb73 ]
  %52 = load ptr, ptr %other.018.i217, align 8
  %cmp2.i218 = icmp eq ptr %52, %object
  br i1 %cmp2.i218, label %common.ret, label %for.cond.i219

cond.true75:                                      ; preds = %for.cond.i219, %sw.bb73
  %incdec.ptr4.i214 = getelementptr inbounds i8, ptr %51, i64 8
  store ptr %incdec.ptr4.i214, ptr %container1.i211, align 8
  store ptr %object, ptr %51, align 8
  %call.i223 = tail call ptr @PyCell_Get(ptr noundef %object)
  %tobool.not.i = icmp eq ptr %call.i223, null
  br i1 %tobool.not.i, label %common.ret, label %if.end.i224

common.ret:                                       ; preds = %if.end.i439, %if.end.i.i442, %if.then.i.i, %for.cond.cleanup.i, %match_dict.exit.i, %if.then.i, %if.end31, %if.end, %sw.bb16, %if.end54, %sw.bb, %sw.bb2, %if.end14, %lor.lhs.false27, %sw.bb24, %lor.lhs.false37, %sw.bb34, %cond.true43, %sw.bb48, %sw.bb57, %sw.bb65, %land.lhs.true, %sw.bb88, %is_equal.exit, %is_equal.exit.thread, %cond.true75, %lor.lhs.false.i, %land.lhs.true.i, %if.end.i, %if.end.i166, %for.body.i, %for.body.i429, %for.body.i167, %for.body.i177, %for.body.i190, %for.body.i443, %for.body.i203, %for.body.i216, %sw.bb81, %tailrecurse, %if.end.i224
  %common.ret.op = phi ptr [ %call1.i, %if.end.i224 ], [ %call56, %if.end54 ], [ %cond, %sw.bb16 ], [ %add.ptr, %if.end ], [ null, %sw.bb ], [ %add.ptr15, %if.end14 ], [ null, %sw.bb2 ], [ null, %lor.lhs.false27 ], [ null, %sw.bb24 ], [ null, %lor.lhs.false37 ], [ null, %sw.bb34 ], [ %call44, %cond.true43 ], [ null, %sw.bb48 ], [ null, %sw.bb57 ], [ null, %sw.bb65 ], [ null, %sw.bb88 ], [ %spec.select, %land.lhs.true ], [ %add.ptr, %is_equal.exit.thread ], [ null, %is_equal.exit ], [ null, %cond.true75 ], [ null, %lor.lhs.false.i ], [ null, %land.lhs.true.i ], [ null, %if.end.i ], [ null, %if.end.i166 ], [ %add.ptr32, %if.end31 ], [ %retval.2.i.i, %match_dict.exit.i ], [ null, %if.then.i ], [ %add.ptr12.i, %if.end.i439 ], [ null, %for.cond.cleanup.i ], [ %call1.i.i, %if.end.i.i442 ], [ null, %if.then.i.i ], [ null, %for.body.i ], [ %call2.i, %for.body.i429 ], [ null, %for.body.i167 ], [ null, %for.body.i177 ], [ null, %for.body.i190 ], [ null, %for.body.i443 ], [ null, %for.body.i203 ], [ null, %for.body.i216 ], [ null, %sw.bb81 ], [ null, %tailrecurse ]
  ret ptr %common.ret.op

if.end.i224:                                      ; preds = %cond.true75
  %call1.i = tail call fastcc ptr @match(ptr noundef nonnull %call.i223, ptr noundef nonnull %arrayidx.le, ptr noundef nonnull %met)
  tail call void @Py_DecRef(ptr noundef nonnull %call.i223)
  br label %common.ret

sw.bb81:                                          ; preds = %tailrecurse
  %cmp82 = icmp eq ptr %1, %object
  br i1 %cmp82, label %tailrecurse, label %common.ret

sw.bb88:                                          ; preds = %tailrecurse
  %type89 = getelementptr inbounds i8, ptr %object, i64 8
  %53 = load ptr, ptr %type89, align 8
  %cmp90 = icmp eq ptr %53, @PyFloat_Type
  br i1 %cmp90, label %land.lhs.true, label %common.ret

land.lhs.true:                                    ; preds = %sw.bb88
  %call.i226 = tail call double @PyFloat_AsDouble(ptr noundef nonnull %object)
  %54 = bitcast double %call.i226 to i64
  %cmp92 = icmp eq i64 %word.sroa.0.0.copyload, %54
  %spec.select = select i1 %cmp92, ptr %add.ptr, ptr null
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
