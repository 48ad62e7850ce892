; Made by `make runtime` of entry.c (0b29214e7d624d96) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.Object = type { i64, ptr }

@ag_array_memory = global ptr null, align 8
@ag_bytes_head = external constant i64, align 8
@ag_tuple_head = external constant i64, align 8
@PyArray_Type = external global %struct.Object, align 8
@PyFloat_Type = external global %struct.Object, align 8
@PyLong_Type = external global %struct.Object, align 8
@_Py_TrueStruct = external global %struct.Object, align 8
@_Py_FalseStruct = external global %struct.Object, align 8

define ptr @ag_entry(ptr noundef readonly %self, ptr noundef %arguments, i64 noundef %count) {
entry:
  %answer.i = alloca ptr, align 8
  %overflow.i.i.i = alloca i32, align 4
  %0 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %self, i64 %0
  %1 = load ptr, ptr %add.ptr.i, align 8
  %2 = load i64, ptr @ag_bytes_head, align 8
  %add.ptr.i53 = getelementptr inbounds i8, ptr %1, i64 %2
  %parameters = getelementptr inbounds i8, ptr %add.ptr.i53, i64 8
  %3 = load i64, ptr %parameters, align 8
  %cmp.not = icmp eq i64 %3, %count
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %arrayidx.i = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %4 = load ptr, ptr %arrayidx.i, align 8
  %call1.i = tail call ptr @PyObject_VectorcallDict(ptr noundef %4, ptr noundef %arguments, i64 noundef %count, ptr noundef null)
  br label %cleanup38

if.end:                                           ; preds = %entry
  %add = add nsw i64 %count, 1
  %5 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %add, align 16
  %results = getelementptr inbounds i8, ptr %add.ptr.i53, i64 16
  %6 = load i64, ptr %results, align 8
  %mul = shl nsw i64 %6, 1
  %add4 = or disjoint i64 %mul, 1
  %vla5 = alloca i64, i64 %add4, align 16
  %add7 = add nsw i64 %6, 1
  %vla8 = alloca ptr, i64 %add7, align 16
  %vla11 = alloca ptr, i64 %add7, align 16
  %add.ptr = getelementptr inbounds i8, ptr %add.ptr.i53, i64 40
  %7 = load i64, ptr %parameters, align 8
  %cmp.not17.i = icmp sgt i64 %7, 0
  br i1 %cmp.not17.i, label %for.body.i, label %cond.true

for.body.i:                                       ; preds = %if.end, %if.end.i
  %8 = phi i64 [ %43, %if.end.i ], [ %7, %if.end ]
  %i.019.i = phi i64 [ %inc.i, %if.end.i ], [ 0, %if.end ]
  %parameter.addr.018.i = phi ptr [ %add.ptr.i.i55, %if.end.i ], [ %add.ptr, %if.end ]
  %arrayidx.i54 = getelementptr inbounds ptr, ptr %arguments, i64 %i.019.i
  %9 = load ptr, ptr %arrayidx.i54, align 8
  %arrayidx1.i = getelementptr inbounds i64, ptr %vla, i64 %i.019.i
  %10 = load i64, ptr %parameter.addr.018.i, align 8
  %and.i.i = and i64 %10, 12
  %tobool.not.i.i = icmp eq i64 %and.i.i, 0
  br i1 %tobool.not.i.i, label %if.end.i.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %for.body.i
  %type.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %11 = load ptr, ptr %type.i.i, align 8
  %cmp.i.i = icmp eq ptr %11, @PyArray_Type
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %land.lhs.true.i.i
  %flags.i.i.i = getelementptr inbounds i8, ptr %9, i64 64
  %12 = load i32, ptr %flags.i.i.i, align 8
  %and.i.i.i = and i32 %12, 257
  %cmp.not.i.i.i = icmp eq i32 %and.i.i.i, 257
  br i1 %cmp.not.i.i.i, label %lor.lhs.false.i.i.i, label %cond.true30

lor.lhs.false.i.i.i:                              ; preds = %if.then.i.i
  %type.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 32
  %descr1.i.i.i.i = getelementptr inbounds i8, ptr %9, i64 56
  %13 = load ptr, ptr %descr1.i.i.i.i, align 8
  %14 = load ptr, ptr %type.i.i.i, align 8
  %cmp.not.i.i.i.i = icmp eq ptr %13, %14
  br i1 %cmp.not.i.i.i.i, label %if.end.i.i.i.i, label %land.lhs.true.i.i.i.i

land.lhs.true.i.i.i.i:                            ; preds = %lor.lhs.false.i.i.i
  %number.i.i.i.i = getelementptr inbounds i8, ptr %13, i64 28
  %15 = load i32, ptr %number.i.i.i.i, align 4
  %conv.i.i.i.i = sext i32 %15 to i64
  %number3.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 40
  %16 = load i64, ptr %number3.i.i.i.i, align 8
  %cmp4.not.i.i.i.i = icmp eq i64 %16, %conv.i.i.i.i
  br i1 %cmp4.not.i.i.i.i, label %lor.lhs.false.i.i.i.i, label %cond.true30

lor.lhs.false.i.i.i.i:                            ; preds = %land.lhs.true.i.i.i.i
  %byte_order.i.i.i.i = getelementptr inbounds i8, ptr %13, i64 26
  %17 = load i8, ptr %byte_order.i.i.i.i, align 2
  %cmp7.i.i.i.i = icmp eq i8 %17, 62
  br i1 %cmp7.i.i.i.i, label %cond.true30, label %if.end.i.i.i.i

if.end.i.i.i.i:                                   ; preds = %lor.lhs.false.i.i.i.i, %lor.lhs.false.i.i.i
  %ndim.i.i.i.i = getelementptr inbounds i8, ptr %9, i64 24
  %18 = load i32, ptr %ndim.i.i.i.i, align 8
  %conv9.i.i.i.i = sext i32 %18 to i64
  %ndim10.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 48
  %19 = load i64, ptr %ndim10.i.i.i.i, align 8
  %cmp11.not.i.i.i.i = icmp eq i64 %19, %conv9.i.i.i.i
  br i1 %cmp11.not.i.i.i.i, label %for.cond.preheader.i.i.i.i, label %cond.true30

for.cond.preheader.i.i.i.i:                       ; preds = %if.end.i.i.i.i
  %cmp16.not36.i.i.i.i = icmp slt i32 %18, 1
  br i1 %cmp16.not36.i.i.i.i, label %if.end.i.i.i, label %for.body.lr.ph.i.i.i.i

for.body.lr.ph.i.i.i.i:                           ; preds = %for.cond.preheader.i.i.i.i
  %sizes.i.i.i.i = getelementptr inbounds i8, ptr %9, i64 32
  %20 = load ptr, ptr %sizes.i.i.i.i, align 8
  %sizes18.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 56
  br label %for.body.i.i.i.i

for.cond.i.i.i.i:                                 ; preds = %for.body.i.i.i.i
  %inc.i.i.i.i = add nuw nsw i64 %d.037.i.i.i.i, 1
  %exitcond.i.i.i.i = icmp eq i64 %inc.i.i.i.i, %conv9.i.i.i.i
  br i1 %exitcond.i.i.i.i, label %if.end.i.i.i, label %for.body.i.i.i.i

for.body.i.i.i.i:                                 ; preds = %for.cond.i.i.i.i, %for.body.lr.ph.i.i.i.i
  %d.037.i.i.i.i = phi i64 [ 0, %for.body.lr.ph.i.i.i.i ], [ %inc.i.i.i.i, %for.cond.i.i.i.i ]
  %arrayidx.i.i.i.i = getelementptr inbounds i64, ptr %20, i64 %d.037.i.i.i.i
  %21 = load i64, ptr %arrayidx.i.i.i.i, align 8
  %arrayidx19.i.i.i.i = getelementptr inbounds [0 x i64], ptr %sizes18.i.i.i.i, i64 0, i64 %d.037.i.i.i.i
  %22 = load i64, ptr %arrayidx19.i.i.i.i, align 8
  %cmp20.not.i.i.i.i = icmp eq i64 %21, %22
  br i1 %cmp20.not.i.i.i.i, label %for.cond.i.i.i.i, label %cond.true30

if.end.i.i.i:                                     ; preds = %for.cond.i.i.i.i, %for.cond.preheader.i.i.i.i
  %and1.i.i.i = and i64 %10, 8
  %tobool.not.i.i.i = icmp eq i64 %and1.i.i.i, 0
  %data3.i.i.i = getelementptr inbounds i8, ptr %9, i64 16
  %23 = load ptr, ptr %data3.i.i.i, align 8
  br i1 %tobool.not.i.i.i, label %if.else.i.i.i, label %if.then2.i.i.i

if.then2.i.i.i:                                   ; preds = %if.end.i.i.i
  %24 = ptrtoint ptr %23 to i64
  store i64 %24, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.else.i.i.i:                                    ; preds = %if.end.i.i.i
  %bytes.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 24
  %25 = load i64, ptr %bytes.i.i.i, align 8
  switch i64 %25, label %sw.default.i.i.i.i [
    i64 1, label %sw.bb.i.i.i.i
    i64 2, label %sw.bb1.i.i.i.i
    i64 4, label %sw.bb2.i.i.i.i
  ]

sw.bb.i.i.i.i:                                    ; preds = %if.else.i.i.i
  %26 = load i8, ptr %23, align 1
  store i8 %26, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i.i.i.i:                                   ; preds = %if.else.i.i.i
  %27 = load i16, ptr %23, align 1
  store i16 %27, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb2.i.i.i.i:                                   ; preds = %if.else.i.i.i
  %28 = load i32, ptr %23, align 1
  store i32 %28, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.default.i.i.i.i:                               ; preds = %if.else.i.i.i
  %29 = load i64, ptr %23, align 1
  store i64 %29, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.end.i.i:                                       ; preds = %land.lhs.true.i.i, %for.body.i
  %and2.i.i = and i64 %10, 2
  %tobool3.not.i.i = icmp eq i64 %and2.i.i, 0
  br i1 %tobool3.not.i.i, label %if.end9.i.i, label %land.lhs.true4.i.i

land.lhs.true4.i.i:                               ; preds = %if.end.i.i
  %type5.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %30 = load ptr, ptr %type5.i.i, align 8
  %scalar_type.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 16
  %31 = load ptr, ptr %scalar_type.i.i, align 8
  %cmp6.i.i = icmp eq ptr %30, %31
  br i1 %cmp6.i.i, label %if.then7.i.i, label %if.end9.i.i

if.then7.i.i:                                     ; preds = %land.lhs.true4.i.i
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %9, i64 16
  %bytes.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 24
  %32 = load i64, ptr %bytes.i.i, align 8
  switch i64 %32, label %sw.default.i.i.i [
    i64 1, label %sw.bb.i.i.i
    i64 2, label %sw.bb1.i.i.i
    i64 4, label %sw.bb2.i.i.i
  ]

sw.bb.i.i.i:                                      ; preds = %if.then7.i.i
  %33 = load i8, ptr %add.ptr.i.i.i, align 1
  store i8 %33, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i.i.i:                                     ; preds = %if.then7.i.i
  %34 = load i16, ptr %add.ptr.i.i.i, align 1
  store i16 %34, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb2.i.i.i:                                     ; preds = %if.then7.i.i
  %35 = load i32, ptr %add.ptr.i.i.i, align 1
  store i32 %35, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.default.i.i.i:                                 ; preds = %if.then7.i.i
  %36 = load i64, ptr %add.ptr.i.i.i, align 1
  store i64 %36, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.end9.i.i:                                      ; preds = %land.lhs.true4.i.i, %if.end.i.i
  %and11.i.i = and i64 %10, 1
  %tobool12.not.i.i = icmp eq i64 %and11.i.i, 0
  br i1 %tobool12.not.i.i, label %cond.true30, label %if.then13.i.i

if.then13.i.i:                                    ; preds = %if.end9.i.i
  %python_kind.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 8
  %37 = load i64, ptr %python_kind.i.i, align 8
  switch i64 %37, label %cond.true30 [
    i64 1, label %sw.bb.i31.i.i
    i64 2, label %sw.bb1.i29.i.i
    i64 3, label %sw.bb7.i.i.i
  ]

sw.bb.i31.i.i:                                    ; preds = %if.then13.i.i
  %type.i32.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %38 = load ptr, ptr %type.i32.i.i, align 8
  %cmp.not.i33.i.i = icmp eq ptr %38, @PyFloat_Type
  br i1 %cmp.not.i33.i.i, label %if.end.i34.i.i, label %cond.true30

if.end.i34.i.i:                                   ; preds = %sw.bb.i31.i.i
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %9, i64 16
  %39 = load i64, ptr %add.ptr.i.i.i.i, align 1
  store i64 %39, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i29.i.i:                                   ; preds = %if.then13.i.i
  %type2.i.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %40 = load ptr, ptr %type2.i.i.i, align 8
  %cmp3.not.i.i.i = icmp eq ptr %40, @PyLong_Type
  br i1 %cmp3.not.i.i.i, label %convert.exit.i, label %cond.true30

sw.bb7.i.i.i:                                     ; preds = %if.then13.i.i
  %cmp8.i.i.i = icmp eq ptr %9, @_Py_TrueStruct
  %conv9.i.i.i = zext i1 %cmp8.i.i.i to i8
  store i8 %conv9.i.i.i, ptr %arrayidx1.i, align 8
  %cmp12.i.i.i = icmp eq ptr %9, @_Py_FalseStruct
  %41 = or i1 %cmp8.i.i.i, %cmp12.i.i.i
  br i1 %41, label %if.end.i, label %cond.true30

convert.exit.i:                                   ; preds = %sw.bb1.i29.i.i
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflow.i.i.i)
  store i32 0, ptr %overflow.i.i.i, align 4
  %call6.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %9, ptr noundef nonnull %overflow.i.i.i)
  store i64 %call6.i.i.i, ptr %arrayidx1.i, align 8
  %42 = load i32, ptr %overflow.i.i.i, align 4
  %tobool.not.i30.i.i = icmp eq i32 %42, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i)
  br i1 %tobool.not.i30.i.i, label %convert.exit.i.if.end.i_crit_edge, label %cond.true30

convert.exit.i.if.end.i_crit_edge:                ; preds = %convert.exit.i
  %.pre = load i64, ptr %parameters, align 8
  br label %if.end.i

if.end.i:                                         ; preds = %convert.exit.i.if.end.i_crit_edge, %sw.bb7.i.i.i, %if.end.i34.i.i, %sw.default.i.i.i, %sw.bb2.i.i.i, %sw.bb1.i.i.i, %sw.bb.i.i.i, %sw.default.i.i.i.i, %sw.bb2.i.i.i.i, %sw.bb1.i.i.i.i, %sw.bb.i.i.i.i, %if.then2.i.i.i
  %43 = phi i64 [ %.pre, %convert.exit.i.if.end.i_crit_edge ], [ %8, %sw.bb7.i.i.i ], [ %8, %if.end.i34.i.i ], [ %8, %sw.default.i.i.i ], [ %8, %sw.bb2.i.i.i ], [ %8, %sw.bb1.i.i.i ], [ %8, %sw.bb.i.i.i ], [ %8, %sw.default.i.i.i.i ], [ %8, %sw.bb2.i.i.i.i ], [ %8, %sw.bb1.i.i.i.i ], [ %8, %sw.bb.i.i.i.i ], [ %8, %if.then2.i.i.i ]
  %sizes.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 56
  %ndim.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 48
  %44 = load i64, ptr %ndim.i.i, align 8
  %add.ptr.i.i55 = getelementptr inbounds i64, ptr %sizes.i.i, i64 %44
  %inc.i = add nuw nsw i64 %i.019.i, 1
  %cmp.not.i = icmp slt i64 %inc.i, %43
  br i1 %cmp.not.i, label %for.body.i, label %cond.true.loopexit

cond.true.loopexit:                               ; preds = %if.end.i
  %.pre174 = load i64, ptr %results, align 8
  br label %cond.true

cond.true:                                        ; preds = %cond.true.loopexit, %if.end
  %45 = phi i64 [ %6, %if.end ], [ %.pre174, %cond.true.loopexit ]
  %spec.select.i = phi ptr [ %add.ptr, %if.end ], [ %add.ptr.i.i55, %cond.true.loopexit ]
  %cmp.not38.i.i = icmp sgt i64 %45, 0
  br i1 %cmp.not38.i.i, label %for.body.i.i, label %if.then.i

for.body.i.i:                                     ; preds = %cond.true, %cleanup.i.i
  %r.041.i.i = phi i64 [ %add.i.i, %cleanup.i.i ], [ 0, %cond.true ]
  %output.040.i.i = phi ptr [ %add.ptr.i.i66, %cleanup.i.i ], [ %vla8, %cond.true ]
  %result.039.i.i = phi ptr [ %add.ptr.i.i.i67, %cleanup.i.i ], [ %spec.select.i, %cond.true ]
  %add.i.i = add nuw nsw i64 %r.041.i.i, 1
  %arrayidx2.i.i = getelementptr inbounds ptr, ptr %vla11, i64 %r.041.i.i
  store ptr null, ptr %arrayidx2.i.i, align 8
  %46 = load i64, ptr %result.039.i.i, align 8
  switch i64 %46, label %sw.default.i.i.i75 [
    i64 0, label %sw.bb.i.i.i69
    i64 5, label %sw.bb2.i.i.i68
    i64 6, label %sw.bb3.i.i.i
  ]

sw.bb.i.i.i69:                                    ; preds = %for.body.i.i
  %descr.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 8
  %47 = load ptr, ptr %descr.i.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %47)
  %bytes.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 24
  %48 = load i64, ptr %bytes.i.i.i.i, align 8
  %tobool.not.i.i.i.i = icmp eq i64 %48, 0
  br i1 %tobool.not.i.i.i.i, label %new_array.exit.i.i.i, label %if.then.i.i.i.i

if.then.i.i.i.i:                                  ; preds = %sw.bb.i.i.i69
  %call.i.i.i.i.i = call ptr @ag_take(i64 noundef %48)
  %tobool.not.i.i.i.i.i = icmp eq ptr %call.i.i.i.i.i, null
  br i1 %tobool.not.i.i.i.i.i, label %if.then.i.i.i.i.i, label %if.end.i.i.i.i.i

if.then.i.i.i.i.i:                                ; preds = %if.then.i.i.i.i
  %49 = load ptr, ptr %descr.i.i.i.i, align 8
  call void @Py_DecRef(ptr noundef %49)
  %call1.i.i.i.i.i = call ptr @PyErr_NoMemory()
  br label %for.body.lr.ph.i83

if.end.i.i.i.i.i:                                 ; preds = %if.then.i.i.i.i
  %sizes.i.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 40
  %50 = load i64, ptr %bytes.i.i.i.i, align 8
  %51 = load ptr, ptr %descr.i.i.i.i, align 8
  %ndim.i.i.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 32
  %52 = load i64, ptr %ndim.i.i.i.i.i.i, align 8
  %conv.i.i.i.i.i.i = trunc i64 %52 to i32
  %call.i.i.i.i.i.i = call ptr @PyArray_NewFromDescr(ptr noundef nonnull @PyArray_Type, ptr noundef %51, i32 noundef %conv.i.i.i.i.i.i, ptr noundef nonnull %sizes.i.i.i.i.i, ptr noundef null, ptr noundef nonnull %call.i.i.i.i.i, i32 noundef 1281, ptr noundef null)
  %tobool.not.i.i.i.i.i.i = icmp eq ptr %call.i.i.i.i.i.i, null
  br i1 %tobool.not.i.i.i.i.i.i, label %if.then.i.i.i.i.i.i, label %new_array.exit.thread31.i.i.i

if.then.i.i.i.i.i.i:                              ; preds = %if.end.i.i.i.i.i
  call void @ag_give(ptr noundef nonnull %call.i.i.i.i.i, i64 noundef %50)
  br label %for.body.lr.ph.i83

new_array.exit.thread31.i.i.i:                    ; preds = %if.end.i.i.i.i.i
  %flags.i.i.i.i.i.i = getelementptr inbounds i8, ptr %call.i.i.i.i.i.i, i64 64
  %53 = load i32, ptr %flags.i.i.i.i.i.i, align 8
  %or.i.i.i.i.i.i = or i32 %53, 4
  store i32 %or.i.i.i.i.i.i, ptr %flags.i.i.i.i.i.i, align 8
  %54 = load ptr, ptr @ag_array_memory, align 8
  call void @Py_IncRef(ptr noundef %54)
  %55 = load ptr, ptr @ag_array_memory, align 8
  %memory_handler.i.i.i.i.i.i = getelementptr inbounds i8, ptr %call.i.i.i.i.i.i, i64 88
  store ptr %55, ptr %memory_handler.i.i.i.i.i.i, align 8
  %56 = ptrtoint ptr %call.i.i.i.i.i to i64
  %call1.i.i.i.i.i.i = call i32 @PyTraceMalloc_Track(i32 noundef 389047, i64 noundef %56, i64 noundef %50)
  br label %if.end.i.i.i70

new_array.exit.i.i.i:                             ; preds = %sw.bb.i.i.i69
  %ndim.i.i.i.i71 = getelementptr inbounds i8, ptr %result.039.i.i, i64 32
  %57 = load i64, ptr %ndim.i.i.i.i71, align 8
  %conv.i.i.i.i72 = trunc i64 %57 to i32
  %sizes.i.i.i.i73 = getelementptr inbounds i8, ptr %result.039.i.i, i64 40
  %58 = load ptr, ptr %descr.i.i.i.i, align 8
  %call2.i.i.i.i = call ptr @PyArray_Empty(i32 noundef %conv.i.i.i.i72, ptr noundef nonnull %sizes.i.i.i.i73, ptr noundef %58, i32 noundef 0)
  %tobool.not.i.i.i74 = icmp eq ptr %call2.i.i.i.i, null
  br i1 %tobool.not.i.i.i74, label %for.body.lr.ph.i83, label %if.end.i.i.i70

if.end.i.i.i70:                                   ; preds = %new_array.exit.i.i.i, %new_array.exit.thread31.i.i.i
  %retval.0.i34.i.i.i = phi ptr [ %call.i.i.i.i.i.i, %new_array.exit.thread31.i.i.i ], [ %call2.i.i.i.i, %new_array.exit.i.i.i ]
  store ptr %retval.0.i34.i.i.i, ptr %arrayidx2.i.i, align 8
  %data.i.i.i = getelementptr inbounds i8, ptr %retval.0.i34.i.i.i, i64 16
  %59 = load ptr, ptr %data.i.i.i, align 8
  store ptr %59, ptr %output.040.i.i, align 8
  br label %cleanup.i.i

sw.bb2.i.i.i68:                                   ; preds = %for.body.i.i
  %parameter.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 16
  %60 = load i64, ptr %parameter.i.i.i, align 8
  %arrayidx.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %60
  %61 = load ptr, ptr %arrayidx.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %61)
  store ptr %61, ptr %arrayidx2.i.i, align 8
  br label %cleanup.i.i

sw.bb3.i.i.i:                                     ; preds = %for.body.i.i
  %parameter5.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 16
  %62 = load i64, ptr %parameter5.i.i.i, align 8
  %arrayidx6.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %62
  %63 = load ptr, ptr %arrayidx6.i.i.i, align 8
  %flags.i.i.i64 = getelementptr inbounds i8, ptr %63, i64 64
  %64 = load i32, ptr %flags.i.i.i64, align 8
  %and.i.i.i65 = and i32 %64, 1024
  %tobool7.not.i.i.i = icmp eq i32 %and.i.i.i65, 0
  br i1 %tobool7.not.i.i.i, label %for.body.lr.ph.i83, label %if.end9.i.i.i

if.end9.i.i.i:                                    ; preds = %sw.bb3.i.i.i
  %data10.i.i.i = getelementptr inbounds i8, ptr %63, i64 16
  %65 = load ptr, ptr %data10.i.i.i, align 8
  store ptr %65, ptr %output.040.i.i, align 8
  br label %cleanup.i.i

sw.default.i.i.i75:                               ; preds = %for.body.i.i
  %arrayidx.idx.i.i = shl nsw i64 %r.041.i.i, 4
  %arrayidx.i.i = getelementptr inbounds i8, ptr %vla5, i64 %arrayidx.idx.i.i
  %arrayidx11.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i.i, i64 8
  store i64 0, ptr %arrayidx11.i.i.i, align 8
  store i64 0, ptr %arrayidx.i.i, align 16
  store ptr %arrayidx.i.i, ptr %output.040.i.i, align 8
  br label %cleanup.i.i

cleanup.i.i:                                      ; preds = %sw.default.i.i.i75, %if.end9.i.i.i, %sw.bb2.i.i.i68, %if.end.i.i.i70
  %66 = load i64, ptr %result.039.i.i, align 8
  %cmp5.i.i = icmp ne i64 %66, 5
  %idx.ext.i.i = zext i1 %cmp5.i.i to i64
  %add.ptr.i.i66 = getelementptr inbounds ptr, ptr %output.040.i.i, i64 %idx.ext.i.i
  %sizes.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 40
  %ndim.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 32
  %67 = load i64, ptr %ndim.i.i.i, align 8
  %add.ptr.i.i.i67 = getelementptr inbounds i64, ptr %sizes.i.i.i, i64 %67
  %68 = load i64, ptr %results, align 8
  %cmp.not.i.i = icmp slt i64 %add.i.i, %68
  br i1 %cmp.not.i.i, label %for.body.i.i, label %if.then.i

if.then.i:                                        ; preds = %cleanup.i.i, %cond.true
  %call12.sroa.41.0 = phi i64 [ 0, %cond.true ], [ %add.i.i, %cleanup.i.i ]
  %releases_gil.i.i = getelementptr inbounds i8, ptr %add.ptr.i53, i64 32
  %69 = load i64, ptr %releases_gil.i.i, align 8
  %tobool.not.i.i56 = icmp eq i64 %69, 0
  br i1 %tobool.not.i.i56, label %if.else.i.i, label %if.then.i.i57

if.then.i.i57:                                    ; preds = %if.then.i
  %call1.i.i = call ptr @PyEval_SaveThread()
  %70 = load ptr, ptr %add.ptr.i53, align 8
  %call3.i.i = call i32 %70(ptr noundef nonnull %vla, ptr noundef nonnull %vla8)
  call void @PyEval_RestoreThread(ptr noundef %call1.i.i)
  br label %if.end.i.i58

if.else.i.i:                                      ; preds = %if.then.i
  %71 = load ptr, ptr %add.ptr.i53, align 8
  %call8.i.i = call i32 %71(ptr noundef nonnull %vla, ptr noundef nonnull %vla8)
  br label %if.end.i.i58

if.end.i.i58:                                     ; preds = %if.else.i.i, %if.then.i.i57
  %status.0.i.i = phi i32 [ %call3.i.i, %if.then.i.i57 ], [ %call8.i.i, %if.else.i.i ]
  %cmp.i.i59 = icmp ugt i32 %status.0.i.i, 3
  br i1 %cmp.i.i59, label %if.end28, label %if.end10.i.i

if.end10.i.i:                                     ; preds = %if.end.i.i58
  %and.i.i60 = and i32 %status.0.i.i, 1
  %tobool11.not.i.i = icmp eq i32 %and.i.i60, 0
  br i1 %tobool11.not.i.i, label %if.end13.i.i, label %if.end28

if.end13.i.i:                                     ; preds = %if.end10.i.i
  %tobool14.not.i.i = icmp eq i32 %status.0.i.i, 0
  br i1 %tobool14.not.i.i, label %cond.true.i, label %if.then15.i.i

if.then15.i.i:                                    ; preds = %if.end13.i.i
  %call16.i.i = call ptr @PyErr_NoMemory()
  br label %if.end28

cond.true.i:                                      ; preds = %if.end13.i.i
  %72 = load i64, ptr %results, align 8
  %cmp.not40.i.i = icmp sgt i64 %72, 0
  br i1 %cmp.not40.i.i, label %for.body.i14.i, label %cond.true21

for.body.i14.i:                                   ; preds = %cond.true.i, %for.inc.i.i
  %r.042.i.i = phi i64 [ %inc.i.i, %for.inc.i.i ], [ 0, %cond.true.i ]
  %result.041.i.i = phi ptr [ %add.ptr.i.i18.i, %for.inc.i.i ], [ %spec.select.i, %cond.true.i ]
  %73 = load i64, ptr %result.041.i.i, align 8
  %74 = add i64 %73, -1
  %spec.select.i15.i = icmp ult i64 %74, 4
  br i1 %spec.select.i15.i, label %if.then.i22.i, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i14.i
  %cmp6.i.i61 = icmp eq i64 %73, 7
  br i1 %cmp6.i.i61, label %if.then.thread.i.i, label %for.inc.i.i

if.then.thread.i.i:                               ; preds = %lor.lhs.false.i.i
  %arrayidx.idx33.i.i = shl nsw i64 %r.042.i.i, 4
  %arrayidx34.i.i = getelementptr inbounds i8, ptr %vla5, i64 %arrayidx.idx33.i.i
  %call4.i.i.i = call fastcc ptr @grown_array(ptr noundef nonnull readonly %result.041.i.i, ptr noundef nonnull %arrayidx34.i.i)
  br label %box.exit.i.i

if.then.i22.i:                                    ; preds = %for.body.i14.i
  %arrayidx.idx.i23.i = shl nsw i64 %r.042.i.i, 4
  %arrayidx.i24.i = getelementptr inbounds i8, ptr %vla5, i64 %arrayidx.idx.i23.i
  switch i64 %73, label %box.exit.i.i.thread [
    i64 1, label %sw.bb.i.i25.i
    i64 2, label %sw.bb1.i.i.i63
    i64 3, label %sw.bb5.i.i.i
  ]

sw.bb.i.i25.i:                                    ; preds = %if.then.i22.i
  %descr.i.i.i = getelementptr inbounds i8, ptr %result.041.i.i, i64 8
  %75 = load ptr, ptr %descr.i.i.i, align 8
  %call.i.i.i = call ptr @PyArray_Scalar(ptr noundef nonnull %arrayidx.i24.i, ptr noundef %75, ptr noundef null)
  br label %box.exit.i.i

sw.bb1.i.i.i63:                                   ; preds = %if.then.i22.i
  %76 = load double, ptr %arrayidx.i24.i, align 16
  %call2.i.i.i = call ptr @PyFloat_FromDouble(double noundef %76)
  br label %box.exit.i.i

sw.bb5.i.i.i:                                     ; preds = %if.then.i22.i
  %77 = load i64, ptr %arrayidx.i24.i, align 16
  %call6.i.i.i62 = call ptr @PyLong_FromLongLong(i64 noundef %77)
  br label %box.exit.i.i

box.exit.i.i.thread:                              ; preds = %if.then.i22.i
  %78 = load i8, ptr %arrayidx.i24.i, align 16
  %tobool7.not.i.i27.i = icmp eq i8 %78, 0
  %cond8.i.i.i = select i1 %tobool7.not.i.i27.i, ptr @_Py_FalseStruct, ptr @_Py_TrueStruct
  call void @Py_IncRef(ptr noundef nonnull %cond8.i.i.i)
  %arrayidx8.i.i126 = getelementptr inbounds ptr, ptr %vla11, i64 %r.042.i.i
  store ptr %cond8.i.i.i, ptr %arrayidx8.i.i126, align 8
  br label %for.inc.i.i

box.exit.i.i:                                     ; preds = %sw.bb5.i.i.i, %sw.bb1.i.i.i63, %sw.bb.i.i25.i, %if.then.thread.i.i
  %retval.0.i.i.i = phi ptr [ %call6.i.i.i62, %sw.bb5.i.i.i ], [ %call4.i.i.i, %if.then.thread.i.i ], [ %call2.i.i.i, %sw.bb1.i.i.i63 ], [ %call.i.i.i, %sw.bb.i.i25.i ]
  %arrayidx8.i.i = getelementptr inbounds ptr, ptr %vla11, i64 %r.042.i.i
  store ptr %retval.0.i.i.i, ptr %arrayidx8.i.i, align 8
  %tobool.not.i21.i = icmp eq ptr %retval.0.i.i.i, null
  br i1 %tobool.not.i21.i, label %if.end28, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %box.exit.i.i, %box.exit.i.i.thread, %lor.lhs.false.i.i
  %sizes.i.i16.i = getelementptr inbounds i8, ptr %result.041.i.i, i64 40
  %ndim.i.i17.i = getelementptr inbounds i8, ptr %result.041.i.i, i64 32
  %79 = load i64, ptr %ndim.i.i17.i, align 8
  %add.ptr.i.i18.i = getelementptr inbounds i64, ptr %sizes.i.i16.i, i64 %79
  %inc.i.i = add nuw nsw i64 %r.042.i.i, 1
  %80 = load i64, ptr %results, align 8
  %cmp.not.i20.i = icmp slt i64 %inc.i.i, %80
  br i1 %cmp.not.i20.i, label %for.body.i14.i, label %cond.true21

cond.true21:                                      ; preds = %for.inc.i.i, %cond.true.i
  %81 = phi i64 [ %72, %cond.true.i ], [ %80, %for.inc.i.i ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %answer.i)
  store ptr null, ptr %answer.i, align 8
  %visible.i = getelementptr inbounds i8, ptr %add.ptr.i53, i64 24
  %82 = load i64, ptr %visible.i, align 8
  %cmp.i = icmp sgt i64 %82, -1
  br i1 %cmp.i, label %if.then.i80, label %if.end6.i

if.then.i80:                                      ; preds = %cond.true21
  %call3.i = call ptr @PyTuple_New(i64 noundef %82)
  store ptr %call3.i, ptr %answer.i, align 8
  %tobool.not.i = icmp eq ptr %call3.i, null
  br i1 %tobool.not.i, label %cond.end24.thread143, label %if.end.i81

cond.end24.thread143:                             ; preds = %if.then.i80
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  br label %if.end28

if.end.i81:                                       ; preds = %if.then.i80
  %add.ptr.i.i82 = getelementptr inbounds i8, ptr %call3.i, i64 %0
  %.pre175 = load i64, ptr %results, align 8
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.end.i81, %cond.true21
  %83 = phi i64 [ %.pre175, %if.end.i81 ], [ %81, %cond.true21 ]
  %84 = phi ptr [ %call3.i, %if.end.i81 ], [ null, %cond.true21 ]
  %place.0.i = phi ptr [ %add.ptr.i.i82, %if.end.i81 ], [ %answer.i, %cond.true21 ]
  %cmp824.i = icmp sgt i64 %83, 0
  br i1 %cmp824.i, label %for.body.i77, label %cond.end24

for.cond.cleanup.loopexit.i:                      ; preds = %for.inc.i
  %.pre28.i = load ptr, ptr %answer.i, align 8
  br label %cond.end24

for.body.i77:                                     ; preds = %if.end6.i, %for.inc.i
  %85 = phi i64 [ %87, %for.inc.i ], [ %83, %if.end6.i ]
  %r.026.i = phi i64 [ %inc.i79, %for.inc.i ], [ 0, %if.end6.i ]
  %place.125.i = phi ptr [ %place.2.i, %for.inc.i ], [ %place.0.i, %if.end6.i ]
  %arrayidx.i78 = getelementptr inbounds ptr, ptr %vla11, i64 %r.026.i
  %86 = load ptr, ptr %arrayidx.i78, align 8
  %tobool9.not.i = icmp eq ptr %86, null
  br i1 %tobool9.not.i, label %for.inc.i, label %if.then10.i

if.then10.i:                                      ; preds = %for.body.i77
  %incdec.ptr.i = getelementptr inbounds i8, ptr %place.125.i, i64 8
  store ptr %86, ptr %place.125.i, align 8
  %.pre176 = load i64, ptr %results, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then10.i, %for.body.i77
  %87 = phi i64 [ %.pre176, %if.then10.i ], [ %85, %for.body.i77 ]
  %place.2.i = phi ptr [ %incdec.ptr.i, %if.then10.i ], [ %place.125.i, %for.body.i77 ]
  %inc.i79 = add nuw nsw i64 %r.026.i, 1
  %cmp8.i = icmp slt i64 %inc.i79, %87
  br i1 %cmp8.i, label %for.body.i77, label %for.cond.cleanup.loopexit.i

cond.end24:                                       ; preds = %for.cond.cleanup.loopexit.i, %if.end6.i
  %retval.0.i = phi ptr [ %.pre28.i, %for.cond.cleanup.loopexit.i ], [ %84, %if.end6.i ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  %tobool26.not = icmp eq ptr %retval.0.i, null
  br i1 %tobool26.not, label %if.end28, label %cleanup

if.end28:                                         ; preds = %box.exit.i.i, %if.then15.i.i, %if.end10.i.i, %if.end.i.i58, %cond.end24.thread143, %cond.end24
  %cond134140 = phi i32 [ 0, %cond.end24 ], [ 0, %cond.end24.thread143 ], [ 2, %if.end.i.i58 ], [ 1, %if.end10.i.i ], [ 2, %if.then15.i.i ], [ 2, %box.exit.i.i ]
  %cmp24.i = icmp sgt i64 %call12.sroa.41.0, 0
  br i1 %cmp24.i, label %for.body.lr.ph.i83, label %drop.exit

for.body.lr.ph.i83:                               ; preds = %sw.bb3.i.i.i, %new_array.exit.i.i.i, %if.then.i.i.i.i.i, %if.then.i.i.i.i.i.i, %if.end28
  %cond134140159 = phi i32 [ %cond134140, %if.end28 ], [ 2, %if.then.i.i.i.i.i ], [ 2, %if.then.i.i.i.i.i.i ], [ 1, %sw.bb3.i.i.i ], [ 2, %new_array.exit.i.i.i ]
  %call12.sroa.41.2133141158 = phi i64 [ %call12.sroa.41.0, %if.end28 ], [ %add.i.i, %if.then.i.i.i.i.i ], [ %add.i.i, %if.then.i.i.i.i.i.i ], [ %add.i.i, %new_array.exit.i.i.i ], [ %add.i.i, %sw.bb3.i.i.i ]
  %smax = call i64 @llvm.smax.i64(i64 %call12.sroa.41.2133141158, i64 1)
  br label %for.body.i86

for.body.i86:                                     ; preds = %if.end10.i, %for.body.lr.ph.i83
  %r.026.i87 = phi i64 [ 0, %for.body.lr.ph.i83 ], [ %inc.i95, %if.end10.i ]
  %result.025.i = phi ptr [ %spec.select.i, %for.body.lr.ph.i83 ], [ %add.ptr.i.i94, %if.end10.i ]
  %arrayidx.i88 = getelementptr inbounds ptr, ptr %vla11, i64 %r.026.i87
  %88 = load ptr, ptr %arrayidx.i88, align 8
  %tobool.not.i89 = icmp eq ptr %88, null
  br i1 %tobool.not.i89, label %if.end.i91, label %if.then.i90

if.then.i90:                                      ; preds = %for.body.i86
  call void @Py_DecRef(ptr noundef nonnull %88)
  br label %if.end.i91

if.end.i91:                                       ; preds = %if.then.i90, %for.body.i86
  %89 = load i64, ptr %result.025.i, align 8
  %cmp3.i = icmp eq i64 %89, 7
  br i1 %cmp3.i, label %land.lhs.true.i, label %if.end10.i

land.lhs.true.i:                                  ; preds = %if.end.i91
  %arrayidx4.idx.i = shl nsw i64 %r.026.i87, 4
  %arrayidx4.i = getelementptr inbounds i8, ptr %vla5, i64 %arrayidx4.idx.i
  %90 = load i64, ptr %arrayidx4.i, align 16
  %tobool5.not.i = icmp eq i64 %90, 0
  br i1 %tobool5.not.i, label %if.end10.i, label %if.then6.i

if.then6.i:                                       ; preds = %land.lhs.true.i
  %91 = inttoptr i64 %90 to ptr
  call void @ag_give(ptr noundef nonnull %91, i64 noundef 0)
  br label %if.end10.i

if.end10.i:                                       ; preds = %if.then6.i, %land.lhs.true.i, %if.end.i91
  %sizes.i.i92 = getelementptr inbounds i8, ptr %result.025.i, i64 40
  %ndim.i.i93 = getelementptr inbounds i8, ptr %result.025.i, i64 32
  %92 = load i64, ptr %ndim.i.i93, align 8
  %add.ptr.i.i94 = getelementptr inbounds i64, ptr %sizes.i.i92, i64 %92
  %inc.i95 = add nuw nsw i64 %r.026.i87, 1
  %exitcond.not = icmp eq i64 %inc.i95, %smax
  br i1 %exitcond.not, label %drop.exit, label %for.body.i86

drop.exit:                                        ; preds = %if.end10.i, %if.end28
  %cond134140150 = phi i32 [ %cond134140, %if.end28 ], [ %cond134140159, %if.end10.i ]
  %cmp29 = icmp eq i32 %cond134140150, 1
  br i1 %cmp29, label %cond.true30, label %cleanup

cond.true30:                                      ; preds = %convert.exit.i, %sw.bb7.i.i.i, %if.end9.i.i, %if.then.i.i, %lor.lhs.false.i.i.i.i, %land.lhs.true.i.i.i.i, %if.end.i.i.i.i, %sw.bb.i31.i.i, %sw.bb1.i29.i.i, %if.then13.i.i, %for.body.i.i.i.i, %drop.exit
  %arrayidx.i98 = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %93 = load ptr, ptr %arrayidx.i98, align 8
  %call1.i99 = call ptr @PyObject_VectorcallDict(ptr noundef %93, ptr noundef %arguments, i64 noundef %count, ptr noundef null)
  br label %cleanup

cleanup:                                          ; preds = %cond.true30, %drop.exit, %cond.end24
  %retval.0 = phi ptr [ %retval.0.i, %cond.end24 ], [ %call1.i99, %cond.true30 ], [ null, %drop.exit ]
  call void @llvm.stackrestore.p0(ptr %5)
  br label %cleanup38

cleanup38:                                        ; preds = %cleanup, %if.then
  %retval.1 = phi ptr [ %call1.i, %if.then ], [ %retval.0, %cleanup ]
  ret ptr %retval.1
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare ptr @llvm.stacksave.p0()

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare void @llvm.stackrestore.p0(ptr)

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef)

declare void @Py_IncRef(ptr noundef)

declare ptr @PyArray_Empty(i32 noundef, ptr noundef, ptr noundef, i32 noundef)

declare ptr @ag_take(i64 noundef)

declare void @Py_DecRef(ptr noundef)

declare ptr @PyErr_NoMemory()

declare ptr @PyArray_NewFromDescr(ptr noundef, ptr noundef, i32 noundef, ptr noundef, ptr noundef, ptr noundef, i32 noundef, ptr noundef)

declare void @ag_give(ptr noundef, i64 noundef)

declare i32 @PyTraceMalloc_Track(i32 noundef, i64 noundef, i64 noundef)

declare ptr @PyEval_SaveThread()

declare void @PyEval_RestoreThread(ptr noundef)

declare ptr @PyArray_Scalar(ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyFloat_FromDouble(double noundef)

define internal fastcc ptr @grown_array(ptr noundef readonly %result, ptr noundef %number) {
entry:
  %ndim = getelementptr inbounds i8, ptr %result, i64 32
  %0 = load i64, ptr %ndim, align 8
  %vla = alloca i64, i64 %0, align 16
  %sizes = getelementptr inbounds i8, ptr %result, i64 40
  %mul = shl i64 %0, 3
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %vla, ptr nonnull align 8 %sizes, i64 %mul, i1 false)
  %arrayidx = getelementptr inbounds i8, ptr %number, i64 8
  %1 = load i64, ptr %arrayidx, align 8
  store i64 %1, ptr %vla, align 16
  %2 = load i64, ptr %number, align 8
  %3 = inttoptr i64 %2 to ptr
  store i64 0, ptr %number, align 8
  %descr = getelementptr inbounds i8, ptr %result, i64 8
  %4 = load ptr, ptr %descr, align 8
  tail call void @Py_IncRef(ptr noundef %4)
  %5 = load i64, ptr %arrayidx, align 8
  %bytes = getelementptr inbounds i8, ptr %result, i64 24
  %6 = load i64, ptr %bytes, align 8
  %mul6 = mul i64 %6, %5
  %7 = load ptr, ptr %descr, align 8
  %8 = load i64, ptr %ndim, align 8
  %conv.i = trunc i64 %8 to i32
  %call.i = call ptr @PyArray_NewFromDescr(ptr noundef nonnull @PyArray_Type, ptr noundef %7, i32 noundef %conv.i, ptr noundef nonnull %vla, ptr noundef null, ptr noundef %3, i32 noundef 1281, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call.i, null
  br i1 %tobool.not.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %entry
  call void @ag_give(ptr noundef %3, i64 noundef %mul6)
  br label %array_of_block.exit

if.end.i:                                         ; preds = %entry
  %flags.i = getelementptr inbounds i8, ptr %call.i, i64 64
  %9 = load i32, ptr %flags.i, align 8
  %or.i = or i32 %9, 4
  store i32 %or.i, ptr %flags.i, align 8
  %10 = load ptr, ptr @ag_array_memory, align 8
  call void @Py_IncRef(ptr noundef %10)
  %11 = load ptr, ptr @ag_array_memory, align 8
  %memory_handler.i = getelementptr inbounds i8, ptr %call.i, i64 88
  store ptr %11, ptr %memory_handler.i, align 8
  %call1.i = call i32 @PyTraceMalloc_Track(i32 noundef 389047, i64 noundef %2, i64 noundef %mul6)
  br label %array_of_block.exit

array_of_block.exit:                              ; preds = %if.then.i, %if.end.i
  ret ptr %call.i
}

declare ptr @PyLong_FromLongLong(i64 noundef)

declare ptr @PyTuple_New(i64 noundef)

declare i64 @llvm.smax.i64(i64, i64)
