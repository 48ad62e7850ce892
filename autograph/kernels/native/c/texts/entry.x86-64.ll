; Made by `make runtime` of entry.c (e1f206dfbc789d63) for x86_64-linux-gnu, by clang version 19.1.7.

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
@PyComplex_Type = external global %struct.Object, align 8

define ptr @ag_entry(ptr noundef readonly %self, ptr noundef %arguments, i64 noundef %count) {
entry:
  %answer.i = alloca ptr, align 8
  %overflow.i.i.i.i = alloca i32, align 4
  %overflow.i.i.i = alloca i32, align 4
  %0 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %self, i64 %0
  %1 = load ptr, ptr %add.ptr.i, align 8
  %2 = load i64, ptr @ag_bytes_head, align 8
  %add.ptr.i60 = getelementptr inbounds i8, ptr %1, i64 %2
  %parameters = getelementptr inbounds i8, ptr %add.ptr.i60, i64 8
  %3 = load i64, ptr %parameters, align 8
  %cmp.not = icmp eq i64 %3, %count
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %arrayidx.i = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %4 = load ptr, ptr %arrayidx.i, align 8
  %call1.i = tail call ptr @PyObject_VectorcallDict(ptr noundef %4, ptr noundef %arguments, i64 noundef %count, ptr noundef null)
  br label %cleanup43

if.end:                                           ; preds = %entry
  %symbols = getelementptr inbounds i8, ptr %add.ptr.i60, i64 40
  %5 = load i64, ptr %symbols, align 8
  %add = add i64 %count, 1
  %add4 = add i64 %add, %5
  %6 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %add4, align 16
  %results = getelementptr inbounds i8, ptr %add.ptr.i60, i64 16
  %7 = load i64, ptr %results, align 8
  %mul = shl nsw i64 %7, 1
  %add5 = or disjoint i64 %mul, 1
  %vla6 = alloca i64, i64 %add5, align 16
  %lengths = getelementptr inbounds i8, ptr %add.ptr.i60, i64 48
  %8 = load i64, ptr %lengths, align 8
  %add7 = add nsw i64 %8, 1
  %vla8 = alloca i64, i64 %add7, align 16
  %add10 = add nsw i64 %7, 1
  %vla11 = alloca ptr, i64 %add10, align 16
  %vla14 = alloca ptr, i64 %add10, align 16
  %add.ptr = getelementptr inbounds i8, ptr %add.ptr.i60, i64 56
  %9 = load i64, ptr %parameters, align 8
  %cmp.not22.i = icmp sgt i64 %9, 0
  br i1 %cmp.not22.i, label %for.body.i, label %land.lhs.true

for.body.i:                                       ; preds = %if.end, %if.end.i
  %i.024.i = phi i64 [ %inc.i, %if.end.i ], [ 0, %if.end ]
  %parameter.addr.023.i = phi ptr [ %add.ptr.i.i62, %if.end.i ], [ %add.ptr, %if.end ]
  %arrayidx.i61 = getelementptr inbounds ptr, ptr %arguments, i64 %i.024.i
  %10 = load ptr, ptr %arrayidx.i61, align 8
  %arrayidx1.i = getelementptr inbounds i64, ptr %vla, i64 %i.024.i
  %11 = load i64, ptr %parameter.addr.023.i, align 8
  %and.i.i = and i64 %11, 12
  %tobool.not.i.i = icmp eq i64 %and.i.i, 0
  br i1 %tobool.not.i.i, label %if.end.i.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %for.body.i
  %type.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %12 = load ptr, ptr %type.i.i, align 8
  %cmp.i.i = icmp eq ptr %12, @PyArray_Type
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %land.lhs.true.i.i
  %flags.i.i.i = getelementptr inbounds i8, ptr %10, i64 64
  %13 = load i32, ptr %flags.i.i.i, align 8
  %and.i.i.i = and i32 %13, 257
  %cmp.not.i.i.i = icmp eq i32 %and.i.i.i, 257
  br i1 %cmp.not.i.i.i, label %lor.lhs.false.i.i.i, label %cond.true35

lor.lhs.false.i.i.i:                              ; preds = %if.then.i.i
  %type.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 32
  %descr1.i.i.i.i = getelementptr inbounds i8, ptr %10, i64 56
  %14 = load ptr, ptr %descr1.i.i.i.i, align 8
  %15 = load ptr, ptr %type.i.i.i, align 8
  %cmp.not.i.i.i.i = icmp eq ptr %14, %15
  br i1 %cmp.not.i.i.i.i, label %if.end.i.i.i.i, label %land.lhs.true.i.i.i.i

land.lhs.true.i.i.i.i:                            ; preds = %lor.lhs.false.i.i.i
  %number.i.i.i.i = getelementptr inbounds i8, ptr %14, i64 28
  %16 = load i32, ptr %number.i.i.i.i, align 4
  %conv.i.i.i.i = sext i32 %16 to i64
  %number3.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 40
  %17 = load i64, ptr %number3.i.i.i.i, align 8
  %cmp4.not.i.i.i.i = icmp eq i64 %17, %conv.i.i.i.i
  br i1 %cmp4.not.i.i.i.i, label %lor.lhs.false.i.i.i.i, label %cond.true35

lor.lhs.false.i.i.i.i:                            ; preds = %land.lhs.true.i.i.i.i
  %byte_order.i.i.i.i = getelementptr inbounds i8, ptr %14, i64 26
  %18 = load i8, ptr %byte_order.i.i.i.i, align 2
  %cmp7.i.i.i.i = icmp eq i8 %18, 62
  br i1 %cmp7.i.i.i.i, label %cond.true35, label %if.end.i.i.i.i

if.end.i.i.i.i:                                   ; preds = %lor.lhs.false.i.i.i.i, %lor.lhs.false.i.i.i
  %ndim.i.i.i.i = getelementptr inbounds i8, ptr %10, i64 24
  %19 = load i32, ptr %ndim.i.i.i.i, align 8
  %conv9.i.i.i.i = sext i32 %19 to i64
  %ndim10.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 48
  %20 = load i64, ptr %ndim10.i.i.i.i, align 8
  %cmp11.not.i.i.i.i = icmp eq i64 %20, %conv9.i.i.i.i
  br i1 %cmp11.not.i.i.i.i, label %for.cond.preheader.i.i.i.i, label %cond.true35

for.cond.preheader.i.i.i.i:                       ; preds = %if.end.i.i.i.i
  %sizes21.i.i.i.i = getelementptr inbounds i8, ptr %10, i64 32
  %cmp16.not44.i.i.i.i = icmp slt i32 %19, 1
  br i1 %cmp16.not44.i.i.i.i, label %if.end.i.i.i, label %for.body.lr.ph.i.i.i.i

for.body.lr.ph.i.i.i.i:                           ; preds = %for.cond.preheader.i.i.i.i
  %sizes.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 56
  br label %for.body.i.i.i.i

for.body.i.i.i.i:                                 ; preds = %for.inc.i.i.i.i, %for.body.lr.ph.i.i.i.i
  %d.045.i.i.i.i = phi i64 [ 0, %for.body.lr.ph.i.i.i.i ], [ %inc.i.i.i.i, %for.inc.i.i.i.i ]
  %arrayidx.i.i.i.i = getelementptr inbounds [0 x i64], ptr %sizes.i.i.i.i, i64 0, i64 %d.045.i.i.i.i
  %21 = load i64, ptr %arrayidx.i.i.i.i, align 8
  %cmp18.i.i.i.i = icmp sgt i64 %21, -1
  br i1 %cmp18.i.i.i.i, label %land.lhs.true20.i.i.i.i, label %for.inc.i.i.i.i

land.lhs.true20.i.i.i.i:                          ; preds = %for.body.i.i.i.i
  %22 = load ptr, ptr %sizes21.i.i.i.i, align 8
  %arrayidx22.i.i.i.i = getelementptr inbounds i64, ptr %22, i64 %d.045.i.i.i.i
  %23 = load i64, ptr %arrayidx22.i.i.i.i, align 8
  %cmp25.not.i.i.i.i = icmp eq i64 %23, %21
  br i1 %cmp25.not.i.i.i.i, label %for.inc.i.i.i.i, label %cond.true35

for.inc.i.i.i.i:                                  ; preds = %land.lhs.true20.i.i.i.i, %for.body.i.i.i.i
  %inc.i.i.i.i = add nuw nsw i64 %d.045.i.i.i.i, 1
  %exitcond.i.i.i.i = icmp eq i64 %inc.i.i.i.i, %conv9.i.i.i.i
  br i1 %exitcond.i.i.i.i, label %if.end.i.i.i, label %for.body.i.i.i.i

if.end.i.i.i:                                     ; preds = %for.inc.i.i.i.i, %for.cond.preheader.i.i.i.i
  %and1.i.i.i = and i64 %11, 24
  %tobool.not.i.i.i = icmp eq i64 %and1.i.i.i, 0
  %data3.i.i.i = getelementptr inbounds i8, ptr %10, i64 16
  %24 = load ptr, ptr %data3.i.i.i, align 8
  br i1 %tobool.not.i.i.i, label %if.else.i.i.i, label %if.then2.i.i.i

if.then2.i.i.i:                                   ; preds = %if.end.i.i.i
  %25 = ptrtoint ptr %24 to i64
  store i64 %25, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.else.i.i.i:                                    ; preds = %if.end.i.i.i
  %bytes.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 24
  %26 = load i64, ptr %bytes.i.i.i, align 8
  switch i64 %26, label %sw.default.i.i.i.i [
    i64 1, label %sw.bb.i.i.i.i
    i64 2, label %sw.bb1.i.i.i.i
    i64 4, label %sw.bb2.i.i.i.i
  ]

sw.bb.i.i.i.i:                                    ; preds = %if.else.i.i.i
  %27 = load i8, ptr %24, align 1
  store i8 %27, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i.i.i.i:                                   ; preds = %if.else.i.i.i
  %28 = load i16, ptr %24, align 1
  store i16 %28, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb2.i.i.i.i:                                   ; preds = %if.else.i.i.i
  %29 = load i32, ptr %24, align 1
  store i32 %29, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.default.i.i.i.i:                               ; preds = %if.else.i.i.i
  %30 = load i64, ptr %24, align 1
  store i64 %30, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.end.i.i:                                       ; preds = %land.lhs.true.i.i, %for.body.i
  %and2.i.i = and i64 %11, 2
  %tobool3.not.i.i = icmp eq i64 %and2.i.i, 0
  br i1 %tobool3.not.i.i, label %if.end15.i.i, label %land.lhs.true4.i.i

land.lhs.true4.i.i:                               ; preds = %if.end.i.i
  %type5.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %31 = load ptr, ptr %type5.i.i, align 8
  %scalar_type.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 16
  %32 = load ptr, ptr %scalar_type.i.i, align 8
  %cmp6.i.i = icmp eq ptr %31, %32
  br i1 %cmp6.i.i, label %if.then7.i.i, label %if.end15.i.i

if.then7.i.i:                                     ; preds = %land.lhs.true4.i.i
  %and9.i.i = and i64 %11, 16
  %tobool10.not.i.i = icmp eq i64 %and9.i.i, 0
  %add.ptr.i37.i.i = getelementptr inbounds i8, ptr %10, i64 16
  br i1 %tobool10.not.i.i, label %if.else.i.i, label %if.then11.i.i

if.then11.i.i:                                    ; preds = %if.then7.i.i
  %33 = ptrtoint ptr %add.ptr.i37.i.i to i64
  store i64 %33, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.else.i.i:                                      ; preds = %if.then7.i.i
  %bytes.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 24
  %34 = load i64, ptr %bytes.i.i, align 8
  switch i64 %34, label %sw.default.i.i.i [
    i64 1, label %sw.bb.i.i.i
    i64 2, label %sw.bb1.i.i.i
    i64 4, label %sw.bb2.i.i.i
  ]

sw.bb.i.i.i:                                      ; preds = %if.else.i.i
  %35 = load i8, ptr %add.ptr.i37.i.i, align 1
  store i8 %35, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i.i.i:                                     ; preds = %if.else.i.i
  %36 = load i16, ptr %add.ptr.i37.i.i, align 1
  store i16 %36, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb2.i.i.i:                                     ; preds = %if.else.i.i
  %37 = load i32, ptr %add.ptr.i37.i.i, align 1
  store i32 %37, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.default.i.i.i:                                 ; preds = %if.else.i.i
  %38 = load i64, ptr %add.ptr.i37.i.i, align 1
  store i64 %38, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.end15.i.i:                                     ; preds = %land.lhs.true4.i.i, %if.end.i.i
  %and17.i.i = and i64 %11, 1
  %tobool18.not.i.i = icmp eq i64 %and17.i.i, 0
  br i1 %tobool18.not.i.i, label %cond.true35, label %if.then19.i.i

if.then19.i.i:                                    ; preds = %if.end15.i.i
  %python_kind.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 8
  %39 = load i64, ptr %python_kind.i.i, align 8
  switch i64 %39, label %cond.true35 [
    i64 1, label %sw.bb.i43.i.i
    i64 2, label %sw.bb1.i41.i.i
    i64 3, label %sw.bb7.i.i.i
    i64 4, label %sw.bb14.i.i.i
    i64 5, label %sw.bb19.i.i.i
    i64 6, label %sw.bb25.i.i.i
  ]

sw.bb.i43.i.i:                                    ; preds = %if.then19.i.i
  %type.i44.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %40 = load ptr, ptr %type.i44.i.i, align 8
  %cmp.not.i45.i.i = icmp eq ptr %40, @PyFloat_Type
  br i1 %cmp.not.i45.i.i, label %if.end.i46.i.i, label %cond.true35

if.end.i46.i.i:                                   ; preds = %sw.bb.i43.i.i
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %10, i64 16
  %41 = load i64, ptr %add.ptr.i.i.i.i, align 1
  store i64 %41, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i41.i.i:                                   ; preds = %if.then19.i.i
  %type2.i.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %42 = load ptr, ptr %type2.i.i.i, align 8
  %cmp3.not.i.i.i = icmp eq ptr %42, @PyLong_Type
  br i1 %cmp3.not.i.i.i, label %if.end5.i.i.i, label %cond.true35

if.end5.i.i.i:                                    ; preds = %sw.bb1.i41.i.i
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflow.i.i.i)
  store i32 0, ptr %overflow.i.i.i, align 4
  %call6.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %10, ptr noundef nonnull %overflow.i.i.i)
  store i64 %call6.i.i.i, ptr %arrayidx1.i, align 8
  %43 = load i32, ptr %overflow.i.i.i, align 4
  %tobool.not.i42.i.i = icmp eq i32 %43, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i)
  br i1 %tobool.not.i42.i.i, label %if.end.i, label %cond.true35

sw.bb7.i.i.i:                                     ; preds = %if.then19.i.i
  %cmp8.i.i.i = icmp eq ptr %10, @_Py_TrueStruct
  %conv9.i.i.i = zext i1 %cmp8.i.i.i to i8
  store i8 %conv9.i.i.i, ptr %arrayidx1.i, align 8
  %cmp12.i.i.i = icmp eq ptr %10, @_Py_FalseStruct
  %44 = or i1 %cmp8.i.i.i, %cmp12.i.i.i
  br i1 %44, label %if.end.i, label %cond.true35

sw.bb14.i.i.i:                                    ; preds = %if.then19.i.i
  %add.ptr.i49.i.i.i = getelementptr inbounds i8, ptr %10, i64 16
  %45 = ptrtoint ptr %add.ptr.i49.i.i.i to i64
  store i64 %45, ptr %arrayidx1.i, align 8
  %type16.i.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %46 = load ptr, ptr %type16.i.i.i, align 8
  %cmp17.i.i.i = icmp eq ptr %46, @PyComplex_Type
  br i1 %cmp17.i.i.i, label %if.end.i, label %cond.true35

sw.bb19.i.i.i:                                    ; preds = %if.then19.i.i
  %type20.i.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %47 = load ptr, ptr %type20.i.i.i, align 8
  %cmp21.i.i.i = icmp eq ptr %47, @PyLong_Type
  br i1 %cmp21.i.i.i, label %land.rhs.i.i.i, label %cond.true35

land.rhs.i.i.i:                                   ; preds = %sw.bb19.i.i.i
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflow.i.i.i.i)
  store i32 0, ptr %overflow.i.i.i.i, align 4
  %call.i.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %10, ptr noundef nonnull %overflow.i.i.i.i)
  store i64 %call.i.i.i.i, ptr %arrayidx1.i, align 8
  %48 = load i32, ptr %overflow.i.i.i.i, align 4
  %cmp.i.i.i.i = icmp slt i32 %48, 1
  br i1 %cmp.i.i.i.i, label %convert.exit.i, label %if.end.i.i39.i.i

if.end.i.i39.i.i:                                 ; preds = %land.rhs.i.i.i
  %call2.i.i.i.i = call i64 @PyLong_AsUnsignedLongLong(ptr noundef nonnull %10)
  store i64 %call2.i.i.i.i, ptr %arrayidx1.i, align 8
  %cmp3.i.i.i.i = icmp eq i64 %call2.i.i.i.i, -1
  br i1 %cmp3.i.i.i.i, label %land.lhs.true.i.i40.i.i, label %convert.exit.thread16.i

land.lhs.true.i.i40.i.i:                          ; preds = %if.end.i.i39.i.i
  %call4.i.i.i.i = call ptr @PyErr_Occurred()
  %tobool5.not.i.i.i.i = icmp eq ptr %call4.i.i.i.i, null
  br i1 %tobool5.not.i.i.i.i, label %convert.exit.thread16.i, label %convert.exit.thread18.i

convert.exit.thread18.i:                          ; preds = %land.lhs.true.i.i40.i.i
  call void @PyErr_Clear()
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i.i)
  br label %cond.true35

sw.bb25.i.i.i:                                    ; preds = %if.then19.i.i
  %type26.i.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %49 = load ptr, ptr %type26.i.i.i, align 8
  %cmp27.not.i.i.i = icmp eq ptr %49, @PyLong_Type
  br i1 %cmp27.not.i.i.i, label %if.end30.i.i.i, label %cond.true35

if.end30.i.i.i:                                   ; preds = %sw.bb25.i.i.i
  %call31.i.i.i = call i64 @PyLong_AsUnsignedLongLongMask(ptr noundef nonnull %10)
  store i64 %call31.i.i.i, ptr %arrayidx1.i, align 8
  br label %if.end.i

convert.exit.thread16.i:                          ; preds = %land.lhs.true.i.i40.i.i, %if.end.i.i39.i.i
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i.i)
  br label %if.end.i

convert.exit.i:                                   ; preds = %land.rhs.i.i.i
  %tobool.not.i.i.i.i = icmp eq i32 %48, 0
  %cmp1.i.i.i.i = icmp sgt i64 %call.i.i.i.i, -1
  %50 = select i1 %tobool.not.i.i.i.i, i1 %cmp1.i.i.i.i, i1 false
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i.i)
  br i1 %50, label %if.end.i, label %cond.true35

if.end.i:                                         ; preds = %convert.exit.i, %convert.exit.thread16.i, %if.end30.i.i.i, %sw.bb14.i.i.i, %sw.bb7.i.i.i, %if.end5.i.i.i, %if.end.i46.i.i, %sw.default.i.i.i, %sw.bb2.i.i.i, %sw.bb1.i.i.i, %sw.bb.i.i.i, %if.then11.i.i, %sw.default.i.i.i.i, %sw.bb2.i.i.i.i, %sw.bb1.i.i.i.i, %sw.bb.i.i.i.i, %if.then2.i.i.i
  %sizes.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 56
  %ndim.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 48
  %51 = load i64, ptr %ndim.i.i, align 8
  %add.ptr.i.i62 = getelementptr inbounds i64, ptr %sizes.i.i, i64 %51
  %inc.i = add nuw nsw i64 %i.024.i, 1
  %52 = load i64, ptr %parameters, align 8
  %cmp.not.i = icmp slt i64 %inc.i, %52
  br i1 %cmp.not.i, label %for.body.i, label %land.lhs.true.loopexit

land.lhs.true.loopexit:                           ; preds = %if.end.i
  %.pre = load i64, ptr %lengths, align 8
  %.pre217.pre = load i64, ptr %results, align 8
  br label %land.lhs.true

land.lhs.true:                                    ; preds = %land.lhs.true.loopexit, %if.end
  %.pre217 = phi i64 [ %7, %if.end ], [ %.pre217.pre, %land.lhs.true.loopexit ]
  %53 = phi i64 [ %9, %if.end ], [ %52, %land.lhs.true.loopexit ]
  %54 = phi i64 [ %8, %if.end ], [ %.pre, %land.lhs.true.loopexit ]
  %spec.select.i = phi ptr [ %add.ptr, %if.end ], [ %add.ptr.i.i62, %land.lhs.true.loopexit ]
  %tobool.not.i = icmp eq i64 %54, 0
  br i1 %tobool.not.i, label %cond.true, label %if.end.i63

if.end.i63:                                       ; preds = %land.lhs.true
  %cmp6.i.i64 = icmp sgt i64 %.pre217, 0
  br i1 %cmp6.i.i64, label %for.body.i.i, label %table_of_lengths.exit.i

for.body.i.i:                                     ; preds = %if.end.i63, %for.body.i.i
  %r.08.i.i = phi i64 [ %inc.i.i, %for.body.i.i ], [ 0, %if.end.i63 ]
  %result.07.i.i = phi ptr [ %add.ptr.i.i.i, %for.body.i.i ], [ %spec.select.i, %if.end.i63 ]
  %sizes.i.i.i = getelementptr inbounds i8, ptr %result.07.i.i, i64 40
  %ndim.i.i.i = getelementptr inbounds i8, ptr %result.07.i.i, i64 32
  %55 = load i64, ptr %ndim.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i64, ptr %sizes.i.i.i, i64 %55
  %inc.i.i = add nuw nsw i64 %r.08.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %.pre217
  br i1 %exitcond.not.i.i, label %table_of_lengths.exit.i, label %for.body.i.i

table_of_lengths.exit.i:                          ; preds = %for.body.i.i, %if.end.i63
  %result.0.lcssa.i.i = phi ptr [ %spec.select.i, %if.end.i63 ], [ %add.ptr.i.i.i, %for.body.i.i ]
  %cmp83.i.i = icmp sgt i64 %54, 0
  br i1 %cmp83.i.i, label %for.body.i8.i.preheader, label %find_lengths.exit.i

for.body.i8.i.preheader:                          ; preds = %table_of_lengths.exit.i
  %56 = getelementptr i64, ptr %vla, i64 %53
  br label %for.body.i8.i

for.body.i8.i:                                    ; preds = %for.body.i8.i.preheader, %if.end.i.i68
  %table.addr.085.i.i = phi ptr [ %table.addr.3.i.i, %if.end.i.i68 ], [ %result.0.lcssa.i.i, %for.body.i8.i.preheader ]
  %n.084.i.i = phi i64 [ %inc41.i.i, %if.end.i.i68 ], [ 0, %for.body.i8.i.preheader ]
  %incdec.ptr.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 8
  %57 = load i64, ptr %table.addr.085.i.i, align 8
  %58 = load i64, ptr %incdec.ptr.i.i, align 8
  switch i64 %57, label %sw.default.i.i [
    i64 0, label %sw.bb.i.i
    i64 2, label %sw.bb6.i.i
  ]

sw.bb.i.i:                                        ; preds = %for.body.i8.i
  %arrayidx2.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %58
  %59 = load ptr, ptr %arrayidx2.i.i, align 8
  %sizes.i.i71 = getelementptr inbounds i8, ptr %59, i64 32
  %60 = load ptr, ptr %sizes.i.i71, align 8
  %arrayidx3.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 16
  %61 = load i64, ptr %arrayidx3.i.i, align 8
  %arrayidx4.i.i = getelementptr inbounds i64, ptr %60, i64 %61
  %62 = load i64, ptr %arrayidx4.i.i, align 8
  %arrayidx5.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 24
  %63 = load i64, ptr %arrayidx5.i.i, align 8
  %sub.i.i = sub nsw i64 %62, %63
  %add.ptr.i.i72 = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 32
  br label %sw.epilog.i.i

sw.bb6.i.i:                                       ; preds = %for.body.i8.i
  %arrayidx9.i.i = getelementptr inbounds i64, ptr %vla8, i64 %58
  %64 = load i64, ptr %arrayidx9.i.i, align 8
  %arrayidx10.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 16
  %65 = load i64, ptr %arrayidx10.i.i, align 8
  %div.i.i = sdiv i64 %64, %65
  %rem.i.i = srem i64 %64, %65
  %rem.lobit.neg.i.i = ashr i64 %rem.i.i, 63
  %sub13.i.i = add i64 %rem.lobit.neg.i.i, %div.i.i
  %add.ptr14.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 24
  br label %sw.epilog.i.i

sw.default.i.i:                                   ; preds = %for.body.i8.i
  %incdec.ptr15.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 16
  %cmp1777.i.i = icmp sgt i64 %58, 0
  br i1 %cmp1777.i.i, label %for.body20.i.i, label %sw.epilog.i.i

for.body20.i.i:                                   ; preds = %sw.default.i.i, %for.cond.cleanup26.i.i
  %table.addr.180.i.i = phi ptr [ %table.addr.2.lcssa.i.i, %for.cond.cleanup26.i.i ], [ %incdec.ptr15.i.i, %sw.default.i.i ]
  %t.079.i.i = phi i64 [ %inc32.i.i, %for.cond.cleanup26.i.i ], [ 0, %sw.default.i.i ]
  %found.078.i.i = phi i64 [ %add.i.i, %for.cond.cleanup26.i.i ], [ 0, %sw.default.i.i ]
  %incdec.ptr21.i.i = getelementptr inbounds i8, ptr %table.addr.180.i.i, i64 8
  %66 = load i64, ptr %table.addr.180.i.i, align 8
  %incdec.ptr22.i.i = getelementptr i8, ptr %table.addr.180.i.i, i64 16
  %67 = load i64, ptr %incdec.ptr21.i.i, align 8
  %cmp2472.i.i = icmp sgt i64 %67, 0
  br i1 %cmp2472.i.i, label %for.body27.i.i, label %for.cond.cleanup26.i.i

for.cond.cleanup26.loopexit.i.i:                  ; preds = %for.body27.i.i
  %68 = shl i64 %67, 3
  %scevgep86.i.i = getelementptr i8, ptr %incdec.ptr22.i.i, i64 %68
  br label %for.cond.cleanup26.i.i

for.cond.cleanup26.i.i:                           ; preds = %for.cond.cleanup26.loopexit.i.i, %for.body20.i.i
  %product.0.lcssa.i.i = phi i64 [ %66, %for.body20.i.i ], [ %mul.i.i, %for.cond.cleanup26.loopexit.i.i ]
  %table.addr.2.lcssa.i.i = phi ptr [ %incdec.ptr22.i.i, %for.body20.i.i ], [ %scevgep86.i.i, %for.cond.cleanup26.loopexit.i.i ]
  %add.i.i = add nsw i64 %product.0.lcssa.i.i, %found.078.i.i
  %inc32.i.i = add nuw nsw i64 %t.079.i.i, 1
  %exitcond87.not.i.i = icmp eq i64 %inc32.i.i, %58
  br i1 %exitcond87.not.i.i, label %sw.epilog.i.i, label %for.body20.i.i

for.body27.i.i:                                   ; preds = %for.body20.i.i, %for.body27.i.i
  %f.075.i.i = phi i64 [ %inc.i9.i, %for.body27.i.i ], [ 0, %for.body20.i.i ]
  %table.addr.274.i.i = phi ptr [ %incdec.ptr29.i.i, %for.body27.i.i ], [ %incdec.ptr22.i.i, %for.body20.i.i ]
  %product.073.i.i = phi i64 [ %mul.i.i, %for.body27.i.i ], [ %66, %for.body20.i.i ]
  %incdec.ptr29.i.i = getelementptr inbounds i8, ptr %table.addr.274.i.i, i64 8
  %69 = load i64, ptr %table.addr.274.i.i, align 8
  %arrayidx30.i.i = getelementptr inbounds i64, ptr %vla8, i64 %69
  %70 = load i64, ptr %arrayidx30.i.i, align 8
  %mul.i.i = mul nsw i64 %70, %product.073.i.i
  %inc.i9.i = add nuw nsw i64 %f.075.i.i, 1
  %exitcond.not.i10.i = icmp eq i64 %inc.i9.i, %67
  br i1 %exitcond.not.i10.i, label %for.cond.cleanup26.loopexit.i.i, label %for.body27.i.i

sw.epilog.i.i:                                    ; preds = %for.cond.cleanup26.i.i, %sw.default.i.i, %sw.bb6.i.i, %sw.bb.i.i
  %found.1.i.i = phi i64 [ %sub13.i.i, %sw.bb6.i.i ], [ %sub.i.i, %sw.bb.i.i ], [ 0, %sw.default.i.i ], [ %add.i.i, %for.cond.cleanup26.i.i ]
  %table.addr.3.i.i = phi ptr [ %add.ptr14.i.i, %sw.bb6.i.i ], [ %add.ptr.i.i72, %sw.bb.i.i ], [ %incdec.ptr15.i.i, %sw.default.i.i ], [ %table.addr.2.lcssa.i.i, %for.cond.cleanup26.i.i ]
  %arrayidx35.i.i = getelementptr inbounds i64, ptr %vla8, i64 %n.084.i.i
  store i64 %found.1.i.i, ptr %arrayidx35.i.i, align 8
  %71 = load i64, ptr %symbols, align 8
  %cmp36.i.i = icmp slt i64 %n.084.i.i, %71
  br i1 %cmp36.i.i, label %if.then.i.i70, label %if.end.i.i68

if.then.i.i70:                                    ; preds = %sw.epilog.i.i
  %arrayidx39.i.i = getelementptr i64, ptr %56, i64 %n.084.i.i
  store i64 %found.1.i.i, ptr %arrayidx39.i.i, align 8
  br label %if.end.i.i68

if.end.i.i68:                                     ; preds = %if.then.i.i70, %sw.epilog.i.i
  %inc41.i.i = add nuw nsw i64 %n.084.i.i, 1
  %cmp.i.i69 = icmp slt i64 %inc41.i.i, %54
  br i1 %cmp.i.i69, label %for.body.i8.i, label %find_lengths.exit.i

find_lengths.exit.i:                              ; preds = %if.end.i.i68, %table_of_lengths.exit.i
  %cmp47.i.i = icmp slt i64 %53, 1
  br i1 %cmp47.i.i, label %cond.true, label %for.cond2.preheader.i.i

for.cond2.preheader.i.i:                          ; preds = %find_lengths.exit.i, %for.inc17.i.i
  %cmp50.i.i = phi i1 [ %cmp.i16.i, %for.inc17.i.i ], [ false, %find_lengths.exit.i ]
  %i.049.i.i = phi i64 [ %inc18.i.i, %for.inc17.i.i ], [ 0, %find_lengths.exit.i ]
  %parameter.addr.048.i.i = phi ptr [ %add.ptr.i.i15.i, %for.inc17.i.i ], [ %add.ptr, %find_lengths.exit.i ]
  %ndim.i.i66 = getelementptr inbounds i8, ptr %parameter.addr.048.i.i, i64 48
  %72 = load i64, ptr %ndim.i.i66, align 8
  %cmp3.not45.i.i = icmp sgt i64 %72, 0
  br i1 %cmp3.not45.i.i, label %for.body5.lr.ph.i.i, label %for.inc17.i.i

for.body5.lr.ph.i.i:                              ; preds = %for.cond2.preheader.i.i
  %sizes.i17.i = getelementptr inbounds i8, ptr %parameter.addr.048.i.i, i64 56
  %arrayidx7.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %i.049.i.i
  br label %for.body5.i.i

for.body5.i.i:                                    ; preds = %for.inc.i.i, %for.body5.lr.ph.i.i
  %d.046.i.i = phi i64 [ 0, %for.body5.lr.ph.i.i ], [ %inc.i19.i, %for.inc.i.i ]
  %arrayidx.i.i = getelementptr inbounds [0 x i64], ptr %sizes.i17.i, i64 0, i64 %d.046.i.i
  %73 = load i64, ptr %arrayidx.i.i, align 8
  %cmp6.i18.i = icmp slt i64 %73, 0
  br i1 %cmp6.i18.i, label %land.lhs.true.i.i67, label %for.inc.i.i

land.lhs.true.i.i67:                              ; preds = %for.body5.i.i
  %74 = load ptr, ptr %arrayidx7.i.i, align 8
  %sizes8.i.i = getelementptr inbounds i8, ptr %74, i64 32
  %75 = load ptr, ptr %sizes8.i.i, align 8
  %arrayidx9.i21.i = getelementptr inbounds i64, ptr %75, i64 %d.046.i.i
  %76 = load i64, ptr %arrayidx9.i21.i, align 8
  %sub.i22.i = xor i64 %73, -1
  %arrayidx12.i.i = getelementptr inbounds i64, ptr %vla8, i64 %sub.i22.i
  %77 = load i64, ptr %arrayidx12.i.i, align 8
  %cmp13.not.i.i = icmp eq i64 %76, %77
  br i1 %cmp13.not.i.i, label %for.inc.i.i, label %measure.exit

for.inc.i.i:                                      ; preds = %land.lhs.true.i.i67, %for.body5.i.i
  %inc.i19.i = add nuw nsw i64 %d.046.i.i, 1
  %exitcond.not.i20.i = icmp eq i64 %inc.i19.i, %72
  br i1 %exitcond.not.i20.i, label %for.inc17.i.i, label %for.body5.i.i

for.inc17.i.i:                                    ; preds = %for.inc.i.i, %for.cond2.preheader.i.i
  %sizes.i.i14.i = getelementptr inbounds i8, ptr %parameter.addr.048.i.i, i64 56
  %add.ptr.i.i15.i = getelementptr inbounds i64, ptr %sizes.i.i14.i, i64 %72
  %inc18.i.i = add nuw nsw i64 %i.049.i.i, 1
  %cmp.i16.i = icmp sge i64 %inc18.i.i, %53
  %exitcond53.i.i = icmp eq i64 %inc18.i.i, %53
  br i1 %exitcond53.i.i, label %measure.exit, label %for.cond2.preheader.i.i

measure.exit:                                     ; preds = %for.inc17.i.i, %land.lhs.true.i.i67
  %retval.0.i = phi i1 [ %cmp50.i.i, %land.lhs.true.i.i67 ], [ %cmp.i16.i, %for.inc17.i.i ]
  br i1 %retval.0.i, label %cond.true, label %cond.true35

cond.true:                                        ; preds = %find_lengths.exit.i, %land.lhs.true, %measure.exit
  %cmp.not36.i.i = icmp sgt i64 %.pre217, 0
  br i1 %cmp.not36.i.i, label %for.body.i.i87, label %if.then.i

for.body.i.i87:                                   ; preds = %cond.true, %cleanup.i.i
  %r.039.i.i = phi i64 [ %add.i.i88, %cleanup.i.i ], [ 0, %cond.true ]
  %output.038.i.i = phi ptr [ %add.ptr.i.i92, %cleanup.i.i ], [ %vla11, %cond.true ]
  %result.037.i.i = phi ptr [ %add.ptr.i.i.i95, %cleanup.i.i ], [ %spec.select.i, %cond.true ]
  %add.i.i88 = add nuw nsw i64 %r.039.i.i, 1
  %arrayidx2.i.i89 = getelementptr inbounds ptr, ptr %vla14, i64 %r.039.i.i
  store ptr null, ptr %arrayidx2.i.i89, align 8
  %78 = load i64, ptr %result.037.i.i, align 8
  switch i64 %78, label %sw.default.i.i.i109 [
    i64 0, label %sw.bb.i.i.i98
    i64 5, label %sw.bb2.i.i.i97
    i64 6, label %sw.bb3.i.i.i
  ]

sw.bb.i.i.i98:                                    ; preds = %for.body.i.i87
  %descr.i.i.i.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 8
  %79 = load ptr, ptr %descr.i.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %79)
  %bytes.i.i.i.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 24
  %80 = load i64, ptr %bytes.i.i.i.i, align 8
  %cmp.i.i.i.i99 = icmp slt i64 %80, 0
  br i1 %cmp.i.i.i.i99, label %if.then.i.i.i.i, label %if.end.i.i.i.i100

if.then.i.i.i.i:                                  ; preds = %sw.bb.i.i.i98
  %call.i.i.i.i108 = call fastcc ptr @measured_array(ptr noundef nonnull %result.037.i.i, ptr noundef nonnull readonly %vla8)
  br label %new_array.exit.i.i.i

if.end.i.i.i.i100:                                ; preds = %sw.bb.i.i.i98
  %tobool.not.i.i.i.i101 = icmp eq i64 %80, 0
  br i1 %tobool.not.i.i.i.i101, label %if.end5.i.i.i.i, label %if.then2.i.i.i.i

if.then2.i.i.i.i:                                 ; preds = %if.end.i.i.i.i100
  %sizes.i.i.i.i102 = getelementptr inbounds i8, ptr %result.037.i.i, i64 40
  %call4.i.i.i.i103 = call fastcc ptr @array_of_our_memory(ptr noundef nonnull %result.037.i.i, ptr noundef nonnull %sizes.i.i.i.i102, i64 noundef %80)
  br label %new_array.exit.i.i.i

if.end5.i.i.i.i:                                  ; preds = %if.end.i.i.i.i100
  %ndim.i.i.i.i106 = getelementptr inbounds i8, ptr %result.037.i.i, i64 32
  %81 = load i64, ptr %ndim.i.i.i.i106, align 8
  %conv.i.i.i.i107 = trunc i64 %81 to i32
  %sizes6.i.i.i.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 40
  %82 = load ptr, ptr %descr.i.i.i.i, align 8
  %call9.i.i.i.i = call ptr @PyArray_Empty(i32 noundef %conv.i.i.i.i107, ptr noundef nonnull %sizes6.i.i.i.i, ptr noundef %82, i32 noundef 0)
  br label %new_array.exit.i.i.i

new_array.exit.i.i.i:                             ; preds = %if.end5.i.i.i.i, %if.then2.i.i.i.i, %if.then.i.i.i.i
  %retval.0.i.i.i.i = phi ptr [ %call.i.i.i.i108, %if.then.i.i.i.i ], [ %call4.i.i.i.i103, %if.then2.i.i.i.i ], [ %call9.i.i.i.i, %if.end5.i.i.i.i ]
  %tobool.not.i.i.i104 = icmp eq ptr %retval.0.i.i.i.i, null
  br i1 %tobool.not.i.i.i104, label %for.body.lr.ph.i121, label %if.end.i.i.i105

if.end.i.i.i105:                                  ; preds = %new_array.exit.i.i.i
  store ptr %retval.0.i.i.i.i, ptr %arrayidx2.i.i89, align 8
  %data.i.i.i = getelementptr inbounds i8, ptr %retval.0.i.i.i.i, i64 16
  %83 = load ptr, ptr %data.i.i.i, align 8
  store ptr %83, ptr %output.038.i.i, align 8
  br label %cleanup.i.i

sw.bb2.i.i.i97:                                   ; preds = %for.body.i.i87
  %parameter.i.i.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 16
  %84 = load i64, ptr %parameter.i.i.i, align 8
  %arrayidx.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %84
  %85 = load ptr, ptr %arrayidx.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %85)
  store ptr %85, ptr %arrayidx2.i.i89, align 8
  br label %cleanup.i.i

sw.bb3.i.i.i:                                     ; preds = %for.body.i.i87
  %parameter5.i.i.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 16
  %86 = load i64, ptr %parameter5.i.i.i, align 8
  %arrayidx6.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %86
  %87 = load ptr, ptr %arrayidx6.i.i.i, align 8
  %flags.i.i.i90 = getelementptr inbounds i8, ptr %87, i64 64
  %88 = load i32, ptr %flags.i.i.i90, align 8
  %and.i.i.i91 = and i32 %88, 1024
  %tobool7.not.i.i.i = icmp eq i32 %and.i.i.i91, 0
  br i1 %tobool7.not.i.i.i, label %for.body.lr.ph.i121, label %if.end9.i.i.i

if.end9.i.i.i:                                    ; preds = %sw.bb3.i.i.i
  %data10.i.i.i = getelementptr inbounds i8, ptr %87, i64 16
  %89 = load ptr, ptr %data10.i.i.i, align 8
  store ptr %89, ptr %output.038.i.i, align 8
  br label %cleanup.i.i

sw.default.i.i.i109:                              ; preds = %for.body.i.i87
  %arrayidx.idx.i.i = shl nsw i64 %r.039.i.i, 4
  %arrayidx.i.i110 = getelementptr inbounds i8, ptr %vla6, i64 %arrayidx.idx.i.i
  %arrayidx11.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i.i110, i64 8
  store i64 0, ptr %arrayidx11.i.i.i, align 8
  store i64 0, ptr %arrayidx.i.i110, align 16
  store ptr %arrayidx.i.i110, ptr %output.038.i.i, align 8
  br label %cleanup.i.i

cleanup.i.i:                                      ; preds = %sw.default.i.i.i109, %if.end9.i.i.i, %sw.bb2.i.i.i97, %if.end.i.i.i105
  %90 = load i64, ptr %result.037.i.i, align 8
  %cmp5.i.i = icmp ne i64 %90, 5
  %idx.ext.i.i = zext i1 %cmp5.i.i to i64
  %add.ptr.i.i92 = getelementptr inbounds ptr, ptr %output.038.i.i, i64 %idx.ext.i.i
  %sizes.i.i.i93 = getelementptr inbounds i8, ptr %result.037.i.i, i64 40
  %ndim.i.i.i94 = getelementptr inbounds i8, ptr %result.037.i.i, i64 32
  %91 = load i64, ptr %ndim.i.i.i94, align 8
  %add.ptr.i.i.i95 = getelementptr inbounds i64, ptr %sizes.i.i.i93, i64 %91
  %92 = load i64, ptr %results, align 8
  %cmp.not.i.i = icmp slt i64 %add.i.i88, %92
  br i1 %cmp.not.i.i, label %for.body.i.i87, label %if.then.i

if.then.i:                                        ; preds = %cleanup.i.i, %cond.true
  %call15.sroa.52.0 = phi i64 [ 0, %cond.true ], [ %add.i.i88, %cleanup.i.i ]
  %releases_gil.i.i = getelementptr inbounds i8, ptr %add.ptr.i60, i64 32
  %93 = load i64, ptr %releases_gil.i.i, align 8
  %tobool.not.i.i73 = icmp eq i64 %93, 0
  br i1 %tobool.not.i.i73, label %if.else.i.i84, label %if.then.i.i74

if.then.i.i74:                                    ; preds = %if.then.i
  %call1.i.i = call ptr @PyEval_SaveThread()
  %94 = load ptr, ptr %add.ptr.i60, align 8
  %call3.i.i = call i32 %94(ptr noundef nonnull %vla, ptr noundef nonnull %vla11)
  call void @PyEval_RestoreThread(ptr noundef %call1.i.i)
  br label %if.end.i.i76

if.else.i.i84:                                    ; preds = %if.then.i
  %95 = load ptr, ptr %add.ptr.i60, align 8
  %call8.i.i = call i32 %95(ptr noundef nonnull %vla, ptr noundef nonnull %vla11)
  br label %if.end.i.i76

if.end.i.i76:                                     ; preds = %if.else.i.i84, %if.then.i.i74
  %status.0.i.i = phi i32 [ %call3.i.i, %if.then.i.i74 ], [ %call8.i.i, %if.else.i.i84 ]
  %cmp.i.i77 = icmp ugt i32 %status.0.i.i, 3
  br i1 %cmp.i.i77, label %if.end33, label %if.end10.i.i

if.end10.i.i:                                     ; preds = %if.end.i.i76
  %and.i.i78 = and i32 %status.0.i.i, 1
  %tobool11.not.i.i = icmp eq i32 %and.i.i78, 0
  br i1 %tobool11.not.i.i, label %if.end13.i.i, label %if.end33

if.end13.i.i:                                     ; preds = %if.end10.i.i
  %tobool14.not.i.i = icmp eq i32 %status.0.i.i, 0
  br i1 %tobool14.not.i.i, label %cond.true.i, label %if.then15.i.i

if.then15.i.i:                                    ; preds = %if.end13.i.i
  %call16.i.i = call ptr @PyErr_NoMemory()
  br label %if.end33

cond.true.i:                                      ; preds = %if.end13.i.i
  %96 = load i64, ptr %results, align 8
  %cmp.not36.i12.i = icmp sgt i64 %96, 0
  br i1 %cmp.not36.i12.i, label %for.body.i17.i, label %cond.true26

for.body.i17.i:                                   ; preds = %cond.true.i, %for.inc.i.i80
  %r.038.i.i = phi i64 [ %inc.i.i81, %for.inc.i.i80 ], [ 0, %cond.true.i ]
  %result.037.i18.i = phi ptr [ %add.ptr.i.i22.i, %for.inc.i.i80 ], [ %spec.select.i, %cond.true.i ]
  %97 = load i64, ptr %result.037.i18.i, align 8
  %98 = add i64 %97, -1
  %spec.select.i19.i = icmp ult i64 %98, 4
  %cmp6.i.i79 = icmp sgt i64 %97, 6
  %or.cond.i.i = or i1 %cmp6.i.i79, %spec.select.i19.i
  br i1 %or.cond.i.i, label %if.then.i25.i, label %for.inc.i.i80

if.then.i25.i:                                    ; preds = %for.body.i17.i
  %arrayidx.idx.i26.i = shl nsw i64 %r.038.i.i, 4
  %arrayidx.i27.i = getelementptr inbounds i8, ptr %vla6, i64 %arrayidx.idx.i26.i
  switch i64 %97, label %box.exit.i.i.thread [
    i64 1, label %sw.bb.i.i30.i
    i64 2, label %sw.bb1.i.i.i83
    i64 8, label %sw.bb3.i.i29.i
    i64 7, label %sw.bb6.i.i.i
    i64 3, label %sw.bb8.i.i.i
    i64 9, label %sw.bb10.i.i.i
  ]

sw.bb.i.i30.i:                                    ; preds = %if.then.i25.i
  %descr.i.i.i = getelementptr inbounds i8, ptr %result.037.i18.i, i64 8
  %99 = load ptr, ptr %descr.i.i.i, align 8
  %call.i.i.i = call ptr @PyArray_Scalar(ptr noundef nonnull %arrayidx.i27.i, ptr noundef %99, ptr noundef null)
  br label %box.exit.i.i

sw.bb1.i.i.i83:                                   ; preds = %if.then.i25.i
  %100 = load double, ptr %arrayidx.i27.i, align 16
  %call2.i.i.i = call ptr @PyFloat_FromDouble(double noundef %100)
  br label %box.exit.i.i

sw.bb3.i.i29.i:                                   ; preds = %if.then.i25.i
  %101 = load double, ptr %arrayidx.i27.i, align 16
  %arrayidx4.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i27.i, i64 8
  %102 = load double, ptr %arrayidx4.i.i.i, align 8
  %call5.i.i.i = call ptr @PyComplex_FromDoubles(double noundef %101, double noundef %102)
  br label %box.exit.i.i

sw.bb6.i.i.i:                                     ; preds = %if.then.i25.i
  %call7.i.i.i = call fastcc ptr @grown_array(ptr noundef nonnull readonly %result.037.i18.i, ptr noundef nonnull %arrayidx.i27.i)
  br label %box.exit.i.i

sw.bb8.i.i.i:                                     ; preds = %if.then.i25.i
  %103 = load i64, ptr %arrayidx.i27.i, align 16
  %call9.i.i.i = call ptr @PyLong_FromLongLong(i64 noundef %103)
  br label %box.exit.i.i

sw.bb10.i.i.i:                                    ; preds = %if.then.i25.i
  %104 = load i64, ptr %arrayidx.i27.i, align 16
  %call11.i.i.i = call ptr @PyLong_FromUnsignedLongLong(i64 noundef %104)
  br label %box.exit.i.i

box.exit.i.i.thread:                              ; preds = %if.then.i25.i
  %105 = load i8, ptr %arrayidx.i27.i, align 16
  %tobool12.not.i.i.i = icmp eq i8 %105, 0
  %cond13.i.i.i = select i1 %tobool12.not.i.i.i, ptr @_Py_FalseStruct, ptr @_Py_TrueStruct
  call void @Py_IncRef(ptr noundef nonnull %cond13.i.i.i)
  %arrayidx8.i.i173 = getelementptr inbounds ptr, ptr %vla14, i64 %r.038.i.i
  store ptr %cond13.i.i.i, ptr %arrayidx8.i.i173, align 8
  br label %for.inc.i.i80

box.exit.i.i:                                     ; preds = %sw.bb10.i.i.i, %sw.bb8.i.i.i, %sw.bb6.i.i.i, %sw.bb3.i.i29.i, %sw.bb1.i.i.i83, %sw.bb.i.i30.i
  %retval.0.i.i.i = phi ptr [ %call11.i.i.i, %sw.bb10.i.i.i ], [ %call9.i.i.i, %sw.bb8.i.i.i ], [ %call7.i.i.i, %sw.bb6.i.i.i ], [ %call5.i.i.i, %sw.bb3.i.i29.i ], [ %call2.i.i.i, %sw.bb1.i.i.i83 ], [ %call.i.i.i, %sw.bb.i.i30.i ]
  %arrayidx8.i.i = getelementptr inbounds ptr, ptr %vla14, i64 %r.038.i.i
  store ptr %retval.0.i.i.i, ptr %arrayidx8.i.i, align 8
  %tobool.not.i28.i = icmp eq ptr %retval.0.i.i.i, null
  br i1 %tobool.not.i28.i, label %if.end33, label %for.inc.i.i80

for.inc.i.i80:                                    ; preds = %box.exit.i.i, %box.exit.i.i.thread, %for.body.i17.i
  %sizes.i.i20.i = getelementptr inbounds i8, ptr %result.037.i18.i, i64 40
  %ndim.i.i21.i = getelementptr inbounds i8, ptr %result.037.i18.i, i64 32
  %106 = load i64, ptr %ndim.i.i21.i, align 8
  %add.ptr.i.i22.i = getelementptr inbounds i64, ptr %sizes.i.i20.i, i64 %106
  %inc.i.i81 = add nuw nsw i64 %r.038.i.i, 1
  %107 = load i64, ptr %results, align 8
  %cmp.not.i24.i = icmp slt i64 %inc.i.i81, %107
  br i1 %cmp.not.i24.i, label %for.body.i17.i, label %cond.true26

cond.true26:                                      ; preds = %for.inc.i.i80, %cond.true.i
  %108 = phi i64 [ %96, %cond.true.i ], [ %107, %for.inc.i.i80 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %answer.i)
  store ptr null, ptr %answer.i, align 8
  %visible.i = getelementptr inbounds i8, ptr %add.ptr.i60, i64 24
  %109 = load i64, ptr %visible.i, align 8
  %cmp.i = icmp sgt i64 %109, -1
  br i1 %cmp.i, label %if.then.i116, label %if.end6.i

if.then.i116:                                     ; preds = %cond.true26
  %call3.i = call ptr @PyTuple_New(i64 noundef %109)
  store ptr %call3.i, ptr %answer.i, align 8
  %tobool.not.i117 = icmp eq ptr %call3.i, null
  br i1 %tobool.not.i117, label %cond.end29.thread190, label %if.end.i118

cond.end29.thread190:                             ; preds = %if.then.i116
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  br label %if.end33

if.end.i118:                                      ; preds = %if.then.i116
  %add.ptr.i.i119 = getelementptr inbounds i8, ptr %call3.i, i64 %0
  %.pre218 = load i64, ptr %results, align 8
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.end.i118, %cond.true26
  %110 = phi i64 [ %.pre218, %if.end.i118 ], [ %108, %cond.true26 ]
  %111 = phi ptr [ %call3.i, %if.end.i118 ], [ null, %cond.true26 ]
  %place.0.i = phi ptr [ %add.ptr.i.i119, %if.end.i118 ], [ %answer.i, %cond.true26 ]
  %cmp824.i = icmp sgt i64 %110, 0
  br i1 %cmp824.i, label %for.body.i113, label %cond.end29

for.cond.cleanup.loopexit.i:                      ; preds = %for.inc.i
  %.pre28.i = load ptr, ptr %answer.i, align 8
  br label %cond.end29

for.body.i113:                                    ; preds = %if.end6.i, %for.inc.i
  %112 = phi i64 [ %114, %for.inc.i ], [ %110, %if.end6.i ]
  %r.026.i = phi i64 [ %inc.i115, %for.inc.i ], [ 0, %if.end6.i ]
  %place.125.i = phi ptr [ %place.2.i, %for.inc.i ], [ %place.0.i, %if.end6.i ]
  %arrayidx.i114 = getelementptr inbounds ptr, ptr %vla14, i64 %r.026.i
  %113 = load ptr, ptr %arrayidx.i114, align 8
  %tobool9.not.i = icmp eq ptr %113, null
  br i1 %tobool9.not.i, label %for.inc.i, label %if.then10.i

if.then10.i:                                      ; preds = %for.body.i113
  %incdec.ptr.i = getelementptr inbounds i8, ptr %place.125.i, i64 8
  store ptr %113, ptr %place.125.i, align 8
  %.pre219 = load i64, ptr %results, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then10.i, %for.body.i113
  %114 = phi i64 [ %.pre219, %if.then10.i ], [ %112, %for.body.i113 ]
  %place.2.i = phi ptr [ %incdec.ptr.i, %if.then10.i ], [ %place.125.i, %for.body.i113 ]
  %inc.i115 = add nuw nsw i64 %r.026.i, 1
  %cmp8.i = icmp slt i64 %inc.i115, %114
  br i1 %cmp8.i, label %for.body.i113, label %for.cond.cleanup.loopexit.i

cond.end29:                                       ; preds = %for.cond.cleanup.loopexit.i, %if.end6.i
  %retval.0.i111 = phi ptr [ %.pre28.i, %for.cond.cleanup.loopexit.i ], [ %111, %if.end6.i ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  %tobool31.not = icmp eq ptr %retval.0.i111, null
  br i1 %tobool31.not, label %if.end33, label %cleanup

if.end33:                                         ; preds = %box.exit.i.i, %if.then15.i.i, %if.end10.i.i, %if.end.i.i76, %cond.end29.thread190, %cond.end29
  %cond181187 = phi i32 [ 0, %cond.end29 ], [ 0, %cond.end29.thread190 ], [ 2, %if.end.i.i76 ], [ 1, %if.end10.i.i ], [ 2, %if.then15.i.i ], [ 2, %box.exit.i.i ]
  %cmp24.i = icmp sgt i64 %call15.sroa.52.0, 0
  br i1 %cmp24.i, label %for.body.lr.ph.i121, label %drop.exit

for.body.lr.ph.i121:                              ; preds = %sw.bb3.i.i.i, %new_array.exit.i.i.i, %if.end33
  %cond181187206 = phi i32 [ %cond181187, %if.end33 ], [ 2, %new_array.exit.i.i.i ], [ 1, %sw.bb3.i.i.i ]
  %call15.sroa.52.2180188205 = phi i64 [ %call15.sroa.52.0, %if.end33 ], [ %add.i.i88, %new_array.exit.i.i.i ], [ %add.i.i88, %sw.bb3.i.i.i ]
  %smax = call i64 @llvm.smax.i64(i64 %call15.sroa.52.2180188205, i64 1)
  br label %for.body.i124

for.body.i124:                                    ; preds = %if.end10.i, %for.body.lr.ph.i121
  %r.026.i125 = phi i64 [ 0, %for.body.lr.ph.i121 ], [ %inc.i133, %if.end10.i ]
  %result.025.i = phi ptr [ %spec.select.i, %for.body.lr.ph.i121 ], [ %add.ptr.i.i132, %if.end10.i ]
  %arrayidx.i126 = getelementptr inbounds ptr, ptr %vla14, i64 %r.026.i125
  %115 = load ptr, ptr %arrayidx.i126, align 8
  %tobool.not.i127 = icmp eq ptr %115, null
  br i1 %tobool.not.i127, label %if.end.i129, label %if.then.i128

if.then.i128:                                     ; preds = %for.body.i124
  call void @Py_DecRef(ptr noundef nonnull %115)
  br label %if.end.i129

if.end.i129:                                      ; preds = %if.then.i128, %for.body.i124
  %116 = load i64, ptr %result.025.i, align 8
  %cmp3.i = icmp eq i64 %116, 7
  br i1 %cmp3.i, label %land.lhs.true.i, label %if.end10.i

land.lhs.true.i:                                  ; preds = %if.end.i129
  %arrayidx4.idx.i = shl nsw i64 %r.026.i125, 4
  %arrayidx4.i = getelementptr inbounds i8, ptr %vla6, i64 %arrayidx4.idx.i
  %117 = load i64, ptr %arrayidx4.i, align 16
  %tobool5.not.i = icmp eq i64 %117, 0
  br i1 %tobool5.not.i, label %if.end10.i, label %if.then6.i

if.then6.i:                                       ; preds = %land.lhs.true.i
  %118 = inttoptr i64 %117 to ptr
  call void @ag_give(ptr noundef nonnull %118, i64 noundef 0)
  br label %if.end10.i

if.end10.i:                                       ; preds = %if.then6.i, %land.lhs.true.i, %if.end.i129
  %sizes.i.i130 = getelementptr inbounds i8, ptr %result.025.i, i64 40
  %ndim.i.i131 = getelementptr inbounds i8, ptr %result.025.i, i64 32
  %119 = load i64, ptr %ndim.i.i131, align 8
  %add.ptr.i.i132 = getelementptr inbounds i64, ptr %sizes.i.i130, i64 %119
  %inc.i133 = add nuw nsw i64 %r.026.i125, 1
  %exitcond.not = icmp eq i64 %inc.i133, %smax
  br i1 %exitcond.not, label %drop.exit, label %for.body.i124

drop.exit:                                        ; preds = %if.end10.i, %if.end33
  %cond181187197 = phi i32 [ %cond181187, %if.end33 ], [ %cond181187206, %if.end10.i ]
  %cmp34 = icmp eq i32 %cond181187197, 1
  br i1 %cmp34, label %cond.true35, label %cleanup

cond.true35:                                      ; preds = %convert.exit.i, %sw.bb14.i.i.i, %sw.bb7.i.i.i, %if.end5.i.i.i, %if.end15.i.i, %if.then.i.i, %lor.lhs.false.i.i.i.i, %land.lhs.true.i.i.i.i, %if.end.i.i.i.i, %sw.bb.i43.i.i, %sw.bb1.i41.i.i, %sw.bb19.i.i.i, %sw.bb25.i.i.i, %if.then19.i.i, %land.lhs.true20.i.i.i.i, %measure.exit, %convert.exit.thread18.i, %drop.exit
  %arrayidx.i136 = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %120 = load ptr, ptr %arrayidx.i136, align 8
  %call1.i137 = call ptr @PyObject_VectorcallDict(ptr noundef %120, ptr noundef %arguments, i64 noundef %count, ptr noundef null)
  br label %cleanup

cleanup:                                          ; preds = %cond.true35, %drop.exit, %cond.end29
  %retval.0 = phi ptr [ %retval.0.i111, %cond.end29 ], [ %call1.i137, %cond.true35 ], [ null, %drop.exit ]
  call void @llvm.stackrestore.p0(ptr %6)
  br label %cleanup43

cleanup43:                                        ; preds = %cleanup, %if.then
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

declare i64 @PyLong_AsUnsignedLongLongMask(ptr noundef)

declare i64 @PyLong_AsUnsignedLongLong(ptr noundef)

declare ptr @PyErr_Occurred()

declare void @PyErr_Clear()

declare void @Py_IncRef(ptr noundef)

define internal fastcc ptr @measured_array(ptr noundef readonly %result, ptr noundef readonly %lengths) {
entry:
  %ndim = getelementptr inbounds i8, ptr %result, i64 32
  %0 = load i64, ptr %ndim, align 8
  %vla = alloca i64, i64 %0, align 16
  %bytes1 = getelementptr inbounds i8, ptr %result, i64 24
  %1 = load i64, ptr %bytes1, align 8
  %sub = sub nsw i64 0, %1
  %cmp33 = icmp sgt i64 %0, 0
  br i1 %cmp33, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %sizes = getelementptr inbounds i8, ptr %result, i64 40
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %entry
  %bytes.0.lcssa = phi i64 [ %sub, %entry ], [ %mul, %cond.end ]
  %cmp12 = icmp sgt i64 %bytes.0.lcssa, 65535
  br i1 %cmp12, label %if.then, label %if.end

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %d.035 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %bytes.034 = phi i64 [ %sub, %for.body.lr.ph ], [ %mul, %cond.end ]
  %arrayidx = getelementptr inbounds [0 x i64], ptr %sizes, i64 0, i64 %d.035
  %2 = load i64, ptr %arrayidx, align 8
  %cmp3 = icmp slt i64 %2, 0
  br i1 %cmp3, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %sub6 = xor i64 %2, -1
  %arrayidx7 = getelementptr inbounds i64, ptr %lengths, i64 %sub6
  %3 = load i64, ptr %arrayidx7, align 8
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i64 [ %3, %cond.true ], [ %2, %for.body ]
  %arrayidx10 = getelementptr inbounds i64, ptr %vla, i64 %d.035
  store i64 %cond, ptr %arrayidx10, align 8
  %mul = mul nsw i64 %cond, %bytes.034
  %inc = add nuw nsw i64 %d.035, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.then:                                          ; preds = %for.cond.cleanup
  %call = call fastcc ptr @array_of_our_memory(ptr noundef nonnull %result, ptr noundef nonnull %vla, i64 noundef %bytes.0.lcssa)
  br label %cleanup

if.end:                                           ; preds = %for.cond.cleanup
  %conv = trunc i64 %0 to i32
  %descr = getelementptr inbounds i8, ptr %result, i64 8
  %4 = load ptr, ptr %descr, align 8
  %call14 = call ptr @PyArray_Empty(i32 noundef %conv, ptr noundef nonnull %vla, ptr noundef %4, i32 noundef 0)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi ptr [ %call, %if.then ], [ %call14, %if.end ]
  ret ptr %retval.0
}

define internal fastcc ptr @array_of_our_memory(ptr noundef readonly %result, ptr noundef %sizes, i64 noundef %bytes) {
entry:
  %call = tail call ptr @ag_take(i64 noundef %bytes)
  %tobool.not = icmp eq ptr %call, null
  %descr = getelementptr inbounds i8, ptr %result, i64 8
  %0 = load ptr, ptr %descr, align 8
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  tail call void @Py_DecRef(ptr noundef %0)
  %call1 = tail call ptr @PyErr_NoMemory()
  br label %cleanup

if.end:                                           ; preds = %entry
  %ndim.i = getelementptr inbounds i8, ptr %result, i64 32
  %1 = load i64, ptr %ndim.i, align 8
  %conv.i = trunc i64 %1 to i32
  %call.i = tail call ptr @PyArray_NewFromDescr(ptr noundef nonnull @PyArray_Type, ptr noundef %0, i32 noundef %conv.i, ptr noundef %sizes, ptr noundef null, ptr noundef nonnull %call, i32 noundef 1281, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call.i, null
  br i1 %tobool.not.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %if.end
  tail call void @ag_give(ptr noundef nonnull %call, i64 noundef %bytes)
  br label %cleanup

if.end.i:                                         ; preds = %if.end
  %flags.i = getelementptr inbounds i8, ptr %call.i, i64 64
  %2 = load i32, ptr %flags.i, align 8
  %or.i = or i32 %2, 4
  store i32 %or.i, ptr %flags.i, align 8
  %3 = load ptr, ptr @ag_array_memory, align 8
  tail call void @Py_IncRef(ptr noundef %3)
  %4 = load ptr, ptr @ag_array_memory, align 8
  %memory_handler.i = getelementptr inbounds i8, ptr %call.i, i64 88
  store ptr %4, ptr %memory_handler.i, align 8
  %5 = ptrtoint ptr %call to i64
  %call1.i = tail call i32 @PyTraceMalloc_Track(i32 noundef 389047, i64 noundef %5, i64 noundef %bytes)
  br label %cleanup

cleanup:                                          ; preds = %if.end.i, %if.then.i, %if.then
  %retval.0 = phi ptr [ null, %if.then ], [ null, %if.then.i ], [ %call.i, %if.end.i ]
  ret ptr %retval.0
}

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

declare ptr @PyComplex_FromDoubles(double noundef, double noundef)

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

declare ptr @PyLong_FromUnsignedLongLong(i64 noundef)

declare ptr @PyTuple_New(i64 noundef)

declare i64 @llvm.smax.i64(i64, i64)
