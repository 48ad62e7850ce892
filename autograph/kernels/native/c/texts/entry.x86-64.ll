; Made by `make runtime` of entry.c (9bc5ebc41df88123) for x86_64-linux-gnu, by clang version 19.1.7.

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
  %symbols = getelementptr inbounds i8, ptr %add.ptr.i60, i64 48
  %5 = load i64, ptr %symbols, align 8
  %add = add i64 %count, 1
  %add4 = add i64 %add, %5
  %6 = tail call ptr @llvm.stacksave.p0()
  %vla = alloca i64, i64 %add4, align 16
  %numbers = getelementptr inbounds i8, ptr %add.ptr.i60, i64 64
  %7 = load i64, ptr %numbers, align 8
  %add5 = add nsw i64 %7, 1
  %vla6 = alloca i64, i64 %add5, align 16
  %lengths = getelementptr inbounds i8, ptr %add.ptr.i60, i64 56
  %8 = load i64, ptr %lengths, align 8
  %add7 = add nsw i64 %8, 1
  %vla8 = alloca i64, i64 %add7, align 16
  %results = getelementptr inbounds i8, ptr %add.ptr.i60, i64 16
  %9 = load i64, ptr %results, align 8
  %add9 = add nsw i64 %9, 1
  %vla10 = alloca ptr, i64 %add9, align 16
  %vla13 = alloca ptr, i64 %add9, align 16
  %add.ptr = getelementptr inbounds i8, ptr %add.ptr.i60, i64 72
  %10 = load i64, ptr %parameters, align 8
  %cmp.not22.i = icmp sgt i64 %10, 0
  br i1 %cmp.not22.i, label %for.body.i, label %land.lhs.true

for.body.i:                                       ; preds = %if.end, %if.end.i
  %i.024.i = phi i64 [ %inc.i, %if.end.i ], [ 0, %if.end ]
  %parameter.addr.023.i = phi ptr [ %add.ptr.i.i62, %if.end.i ], [ %add.ptr, %if.end ]
  %arrayidx.i61 = getelementptr inbounds ptr, ptr %arguments, i64 %i.024.i
  %11 = load ptr, ptr %arrayidx.i61, align 8
  %arrayidx1.i = getelementptr inbounds i64, ptr %vla, i64 %i.024.i
  %12 = load i64, ptr %parameter.addr.023.i, align 8
  %and.i.i = and i64 %12, 12
  %tobool.not.i.i = icmp eq i64 %and.i.i, 0
  br i1 %tobool.not.i.i, label %if.end.i.i, label %land.lhs.true.i.i

land.lhs.true.i.i:                                ; preds = %for.body.i
  %type.i.i = getelementptr inbounds i8, ptr %11, i64 8
  %13 = load ptr, ptr %type.i.i, align 8
  %cmp.i.i = icmp eq ptr %13, @PyArray_Type
  br i1 %cmp.i.i, label %if.then.i.i, label %if.end.i.i

if.then.i.i:                                      ; preds = %land.lhs.true.i.i
  %flags.i.i.i = getelementptr inbounds i8, ptr %11, i64 64
  %14 = load i32, ptr %flags.i.i.i, align 8
  %and.i.i.i = and i32 %14, 257
  %cmp.not.i.i.i = icmp eq i32 %and.i.i.i, 257
  br i1 %cmp.not.i.i.i, label %lor.lhs.false.i.i.i, label %cond.true35

lor.lhs.false.i.i.i:                              ; preds = %if.then.i.i
  %type.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 32
  %descr1.i.i.i.i = getelementptr inbounds i8, ptr %11, i64 56
  %15 = load ptr, ptr %descr1.i.i.i.i, align 8
  %16 = load ptr, ptr %type.i.i.i, align 8
  %cmp.not.i.i.i.i = icmp eq ptr %15, %16
  br i1 %cmp.not.i.i.i.i, label %if.end.i.i.i.i, label %land.lhs.true.i.i.i.i

land.lhs.true.i.i.i.i:                            ; preds = %lor.lhs.false.i.i.i
  %number.i.i.i.i = getelementptr inbounds i8, ptr %15, i64 28
  %17 = load i32, ptr %number.i.i.i.i, align 4
  %conv.i.i.i.i = sext i32 %17 to i64
  %number3.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 40
  %18 = load i64, ptr %number3.i.i.i.i, align 8
  %cmp4.not.i.i.i.i = icmp eq i64 %18, %conv.i.i.i.i
  br i1 %cmp4.not.i.i.i.i, label %lor.lhs.false.i.i.i.i, label %cond.true35

lor.lhs.false.i.i.i.i:                            ; preds = %land.lhs.true.i.i.i.i
  %byte_order.i.i.i.i = getelementptr inbounds i8, ptr %15, i64 26
  %19 = load i8, ptr %byte_order.i.i.i.i, align 2
  %cmp7.i.i.i.i = icmp eq i8 %19, 62
  br i1 %cmp7.i.i.i.i, label %cond.true35, label %if.end.i.i.i.i

if.end.i.i.i.i:                                   ; preds = %lor.lhs.false.i.i.i.i, %lor.lhs.false.i.i.i
  %ndim.i.i.i.i = getelementptr inbounds i8, ptr %11, i64 24
  %20 = load i32, ptr %ndim.i.i.i.i, align 8
  %conv9.i.i.i.i = sext i32 %20 to i64
  %ndim10.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 48
  %21 = load i64, ptr %ndim10.i.i.i.i, align 8
  %cmp11.not.i.i.i.i = icmp eq i64 %21, %conv9.i.i.i.i
  br i1 %cmp11.not.i.i.i.i, label %for.cond.preheader.i.i.i.i, label %cond.true35

for.cond.preheader.i.i.i.i:                       ; preds = %if.end.i.i.i.i
  %sizes21.i.i.i.i = getelementptr inbounds i8, ptr %11, i64 32
  %cmp16.not44.i.i.i.i = icmp slt i32 %20, 1
  br i1 %cmp16.not44.i.i.i.i, label %if.end.i.i.i, label %for.body.lr.ph.i.i.i.i

for.body.lr.ph.i.i.i.i:                           ; preds = %for.cond.preheader.i.i.i.i
  %sizes.i.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 56
  br label %for.body.i.i.i.i

for.body.i.i.i.i:                                 ; preds = %for.inc.i.i.i.i, %for.body.lr.ph.i.i.i.i
  %d.045.i.i.i.i = phi i64 [ 0, %for.body.lr.ph.i.i.i.i ], [ %inc.i.i.i.i, %for.inc.i.i.i.i ]
  %arrayidx.i.i.i.i = getelementptr inbounds [0 x i64], ptr %sizes.i.i.i.i, i64 0, i64 %d.045.i.i.i.i
  %22 = load i64, ptr %arrayidx.i.i.i.i, align 8
  %cmp18.i.i.i.i = icmp sgt i64 %22, -1
  br i1 %cmp18.i.i.i.i, label %land.lhs.true20.i.i.i.i, label %for.inc.i.i.i.i

land.lhs.true20.i.i.i.i:                          ; preds = %for.body.i.i.i.i
  %23 = load ptr, ptr %sizes21.i.i.i.i, align 8
  %arrayidx22.i.i.i.i = getelementptr inbounds i64, ptr %23, i64 %d.045.i.i.i.i
  %24 = load i64, ptr %arrayidx22.i.i.i.i, align 8
  %cmp25.not.i.i.i.i = icmp eq i64 %24, %22
  br i1 %cmp25.not.i.i.i.i, label %for.inc.i.i.i.i, label %cond.true35

for.inc.i.i.i.i:                                  ; preds = %land.lhs.true20.i.i.i.i, %for.body.i.i.i.i
  %inc.i.i.i.i = add nuw nsw i64 %d.045.i.i.i.i, 1
  %exitcond.i.i.i.i = icmp eq i64 %inc.i.i.i.i, %conv9.i.i.i.i
  br i1 %exitcond.i.i.i.i, label %if.end.i.i.i, label %for.body.i.i.i.i

if.end.i.i.i:                                     ; preds = %for.inc.i.i.i.i, %for.cond.preheader.i.i.i.i
  %and1.i.i.i = and i64 %12, 24
  %tobool.not.i.i.i = icmp eq i64 %and1.i.i.i, 0
  %data3.i.i.i = getelementptr inbounds i8, ptr %11, i64 16
  %25 = load ptr, ptr %data3.i.i.i, align 8
  br i1 %tobool.not.i.i.i, label %if.else.i.i.i, label %if.then2.i.i.i

if.then2.i.i.i:                                   ; preds = %if.end.i.i.i
  %26 = ptrtoint ptr %25 to i64
  store i64 %26, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.else.i.i.i:                                    ; preds = %if.end.i.i.i
  %bytes.i.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 24
  %27 = load i64, ptr %bytes.i.i.i, align 8
  switch i64 %27, label %sw.default.i.i.i.i [
    i64 1, label %sw.bb.i.i.i.i
    i64 2, label %sw.bb1.i.i.i.i
    i64 4, label %sw.bb2.i.i.i.i
  ]

sw.bb.i.i.i.i:                                    ; preds = %if.else.i.i.i
  %28 = load i8, ptr %25, align 1
  store i8 %28, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i.i.i.i:                                   ; preds = %if.else.i.i.i
  %29 = load i16, ptr %25, align 1
  store i16 %29, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb2.i.i.i.i:                                   ; preds = %if.else.i.i.i
  %30 = load i32, ptr %25, align 1
  store i32 %30, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.default.i.i.i.i:                               ; preds = %if.else.i.i.i
  %31 = load i64, ptr %25, align 1
  store i64 %31, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.end.i.i:                                       ; preds = %land.lhs.true.i.i, %for.body.i
  %and2.i.i = and i64 %12, 2
  %tobool3.not.i.i = icmp eq i64 %and2.i.i, 0
  br i1 %tobool3.not.i.i, label %if.end15.i.i, label %land.lhs.true4.i.i

land.lhs.true4.i.i:                               ; preds = %if.end.i.i
  %type5.i.i = getelementptr inbounds i8, ptr %11, i64 8
  %32 = load ptr, ptr %type5.i.i, align 8
  %scalar_type.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 16
  %33 = load ptr, ptr %scalar_type.i.i, align 8
  %cmp6.i.i = icmp eq ptr %32, %33
  br i1 %cmp6.i.i, label %if.then7.i.i, label %if.end15.i.i

if.then7.i.i:                                     ; preds = %land.lhs.true4.i.i
  %and9.i.i = and i64 %12, 16
  %tobool10.not.i.i = icmp eq i64 %and9.i.i, 0
  %add.ptr.i37.i.i = getelementptr inbounds i8, ptr %11, i64 16
  br i1 %tobool10.not.i.i, label %if.else.i.i, label %if.then11.i.i

if.then11.i.i:                                    ; preds = %if.then7.i.i
  %34 = ptrtoint ptr %add.ptr.i37.i.i to i64
  store i64 %34, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.else.i.i:                                      ; preds = %if.then7.i.i
  %bytes.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 24
  %35 = load i64, ptr %bytes.i.i, align 8
  switch i64 %35, label %sw.default.i.i.i [
    i64 1, label %sw.bb.i.i.i
    i64 2, label %sw.bb1.i.i.i
    i64 4, label %sw.bb2.i.i.i
  ]

sw.bb.i.i.i:                                      ; preds = %if.else.i.i
  %36 = load i8, ptr %add.ptr.i37.i.i, align 1
  store i8 %36, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i.i.i:                                     ; preds = %if.else.i.i
  %37 = load i16, ptr %add.ptr.i37.i.i, align 1
  store i16 %37, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb2.i.i.i:                                     ; preds = %if.else.i.i
  %38 = load i32, ptr %add.ptr.i37.i.i, align 1
  store i32 %38, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.default.i.i.i:                                 ; preds = %if.else.i.i
  %39 = load i64, ptr %add.ptr.i37.i.i, align 1
  store i64 %39, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.end15.i.i:                                     ; preds = %land.lhs.true4.i.i, %if.end.i.i
  %and17.i.i = and i64 %12, 1
  %tobool18.not.i.i = icmp eq i64 %and17.i.i, 0
  br i1 %tobool18.not.i.i, label %cond.true35, label %if.then19.i.i

if.then19.i.i:                                    ; preds = %if.end15.i.i
  %python_kind.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 8
  %40 = load i64, ptr %python_kind.i.i, align 8
  switch i64 %40, label %cond.true35 [
    i64 1, label %sw.bb.i43.i.i
    i64 2, label %sw.bb1.i41.i.i
    i64 3, label %sw.bb7.i.i.i
    i64 4, label %sw.bb14.i.i.i
    i64 5, label %sw.bb19.i.i.i
    i64 6, label %sw.bb25.i.i.i
  ]

sw.bb.i43.i.i:                                    ; preds = %if.then19.i.i
  %type.i44.i.i = getelementptr inbounds i8, ptr %11, i64 8
  %41 = load ptr, ptr %type.i44.i.i, align 8
  %cmp.not.i45.i.i = icmp eq ptr %41, @PyFloat_Type
  br i1 %cmp.not.i45.i.i, label %if.end.i46.i.i, label %cond.true35

if.end.i46.i.i:                                   ; preds = %sw.bb.i43.i.i
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %11, i64 16
  %42 = load i64, ptr %add.ptr.i.i.i.i, align 1
  store i64 %42, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i41.i.i:                                   ; preds = %if.then19.i.i
  %type2.i.i.i = getelementptr inbounds i8, ptr %11, i64 8
  %43 = load ptr, ptr %type2.i.i.i, align 8
  %cmp3.not.i.i.i = icmp eq ptr %43, @PyLong_Type
  br i1 %cmp3.not.i.i.i, label %if.end5.i.i.i, label %cond.true35

if.end5.i.i.i:                                    ; preds = %sw.bb1.i41.i.i
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflow.i.i.i)
  store i32 0, ptr %overflow.i.i.i, align 4
  %call6.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %11, ptr noundef nonnull %overflow.i.i.i)
  store i64 %call6.i.i.i, ptr %arrayidx1.i, align 8
  %44 = load i32, ptr %overflow.i.i.i, align 4
  %tobool.not.i42.i.i = icmp eq i32 %44, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i)
  br i1 %tobool.not.i42.i.i, label %if.end.i, label %cond.true35

sw.bb7.i.i.i:                                     ; preds = %if.then19.i.i
  %cmp8.i.i.i = icmp eq ptr %11, @_Py_TrueStruct
  %conv9.i.i.i = zext i1 %cmp8.i.i.i to i8
  store i8 %conv9.i.i.i, ptr %arrayidx1.i, align 8
  %cmp12.i.i.i = icmp eq ptr %11, @_Py_FalseStruct
  %45 = or i1 %cmp8.i.i.i, %cmp12.i.i.i
  br i1 %45, label %if.end.i, label %cond.true35

sw.bb14.i.i.i:                                    ; preds = %if.then19.i.i
  %add.ptr.i49.i.i.i = getelementptr inbounds i8, ptr %11, i64 16
  %46 = ptrtoint ptr %add.ptr.i49.i.i.i to i64
  store i64 %46, ptr %arrayidx1.i, align 8
  %type16.i.i.i = getelementptr inbounds i8, ptr %11, i64 8
  %47 = load ptr, ptr %type16.i.i.i, align 8
  %cmp17.i.i.i = icmp eq ptr %47, @PyComplex_Type
  br i1 %cmp17.i.i.i, label %if.end.i, label %cond.true35

sw.bb19.i.i.i:                                    ; preds = %if.then19.i.i
  %type20.i.i.i = getelementptr inbounds i8, ptr %11, i64 8
  %48 = load ptr, ptr %type20.i.i.i, align 8
  %cmp21.i.i.i = icmp eq ptr %48, @PyLong_Type
  br i1 %cmp21.i.i.i, label %land.rhs.i.i.i, label %cond.true35

land.rhs.i.i.i:                                   ; preds = %sw.bb19.i.i.i
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflow.i.i.i.i)
  store i32 0, ptr %overflow.i.i.i.i, align 4
  %call.i.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %11, ptr noundef nonnull %overflow.i.i.i.i)
  store i64 %call.i.i.i.i, ptr %arrayidx1.i, align 8
  %49 = load i32, ptr %overflow.i.i.i.i, align 4
  %cmp.i.i.i.i = icmp slt i32 %49, 1
  br i1 %cmp.i.i.i.i, label %convert.exit.i, label %if.end.i.i39.i.i

if.end.i.i39.i.i:                                 ; preds = %land.rhs.i.i.i
  %call2.i.i.i.i = call i64 @PyLong_AsUnsignedLongLong(ptr noundef nonnull %11)
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
  %type26.i.i.i = getelementptr inbounds i8, ptr %11, i64 8
  %50 = load ptr, ptr %type26.i.i.i, align 8
  %cmp27.not.i.i.i = icmp eq ptr %50, @PyLong_Type
  br i1 %cmp27.not.i.i.i, label %if.end30.i.i.i, label %cond.true35

if.end30.i.i.i:                                   ; preds = %sw.bb25.i.i.i
  %call31.i.i.i = call i64 @PyLong_AsUnsignedLongLongMask(ptr noundef nonnull %11)
  store i64 %call31.i.i.i, ptr %arrayidx1.i, align 8
  br label %if.end.i

convert.exit.thread16.i:                          ; preds = %land.lhs.true.i.i40.i.i, %if.end.i.i39.i.i
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i.i)
  br label %if.end.i

convert.exit.i:                                   ; preds = %land.rhs.i.i.i
  %tobool.not.i.i.i.i = icmp eq i32 %49, 0
  %cmp1.i.i.i.i = icmp sgt i64 %call.i.i.i.i, -1
  %51 = select i1 %tobool.not.i.i.i.i, i1 %cmp1.i.i.i.i, i1 false
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i.i)
  br i1 %51, label %if.end.i, label %cond.true35

if.end.i:                                         ; preds = %convert.exit.i, %convert.exit.thread16.i, %if.end30.i.i.i, %sw.bb14.i.i.i, %sw.bb7.i.i.i, %if.end5.i.i.i, %if.end.i46.i.i, %sw.default.i.i.i, %sw.bb2.i.i.i, %sw.bb1.i.i.i, %sw.bb.i.i.i, %if.then11.i.i, %sw.default.i.i.i.i, %sw.bb2.i.i.i.i, %sw.bb1.i.i.i.i, %sw.bb.i.i.i.i, %if.then2.i.i.i
  %sizes.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 56
  %ndim.i.i = getelementptr inbounds i8, ptr %parameter.addr.023.i, i64 48
  %52 = load i64, ptr %ndim.i.i, align 8
  %add.ptr.i.i62 = getelementptr inbounds i64, ptr %sizes.i.i, i64 %52
  %inc.i = add nuw nsw i64 %i.024.i, 1
  %53 = load i64, ptr %parameters, align 8
  %cmp.not.i = icmp slt i64 %inc.i, %53
  br i1 %cmp.not.i, label %for.body.i, label %land.lhs.true.loopexit

land.lhs.true.loopexit:                           ; preds = %if.end.i
  %.pre = load i64, ptr %lengths, align 8
  %.pre218.pre = load i64, ptr %results, align 8
  br label %land.lhs.true

land.lhs.true:                                    ; preds = %land.lhs.true.loopexit, %if.end
  %.pre218 = phi i64 [ %9, %if.end ], [ %.pre218.pre, %land.lhs.true.loopexit ]
  %54 = phi i64 [ %10, %if.end ], [ %53, %land.lhs.true.loopexit ]
  %55 = phi i64 [ %8, %if.end ], [ %.pre, %land.lhs.true.loopexit ]
  %spec.select.i = phi ptr [ %add.ptr, %if.end ], [ %add.ptr.i.i62, %land.lhs.true.loopexit ]
  %tobool.not.i = icmp eq i64 %55, 0
  br i1 %tobool.not.i, label %cond.true, label %if.end.i63

if.end.i63:                                       ; preds = %land.lhs.true
  %cmp6.i.i64 = icmp sgt i64 %.pre218, 0
  br i1 %cmp6.i.i64, label %for.body.i.i, label %table_of_lengths.exit.i

for.body.i.i:                                     ; preds = %if.end.i63, %for.body.i.i
  %r.08.i.i = phi i64 [ %inc.i.i, %for.body.i.i ], [ 0, %if.end.i63 ]
  %result.07.i.i = phi ptr [ %add.ptr.i.i.i, %for.body.i.i ], [ %spec.select.i, %if.end.i63 ]
  %sizes.i.i.i = getelementptr inbounds i8, ptr %result.07.i.i, i64 40
  %ndim.i.i.i = getelementptr inbounds i8, ptr %result.07.i.i, i64 32
  %56 = load i64, ptr %ndim.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i64, ptr %sizes.i.i.i, i64 %56
  %inc.i.i = add nuw nsw i64 %r.08.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %.pre218
  br i1 %exitcond.not.i.i, label %table_of_lengths.exit.i, label %for.body.i.i

table_of_lengths.exit.i:                          ; preds = %for.body.i.i, %if.end.i63
  %result.0.lcssa.i.i = phi ptr [ %spec.select.i, %if.end.i63 ], [ %add.ptr.i.i.i, %for.body.i.i ]
  %cmp83.i.i = icmp sgt i64 %55, 0
  br i1 %cmp83.i.i, label %for.body.i8.i.preheader, label %find_lengths.exit.i

for.body.i8.i.preheader:                          ; preds = %table_of_lengths.exit.i
  %57 = getelementptr i64, ptr %vla, i64 %54
  br label %for.body.i8.i

for.body.i8.i:                                    ; preds = %for.body.i8.i.preheader, %if.end.i.i68
  %table.addr.085.i.i = phi ptr [ %table.addr.3.i.i, %if.end.i.i68 ], [ %result.0.lcssa.i.i, %for.body.i8.i.preheader ]
  %n.084.i.i = phi i64 [ %inc41.i.i, %if.end.i.i68 ], [ 0, %for.body.i8.i.preheader ]
  %incdec.ptr.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 8
  %58 = load i64, ptr %table.addr.085.i.i, align 8
  %59 = load i64, ptr %incdec.ptr.i.i, align 8
  switch i64 %58, label %sw.default.i.i [
    i64 0, label %sw.bb.i.i
    i64 2, label %sw.bb6.i.i
  ]

sw.bb.i.i:                                        ; preds = %for.body.i8.i
  %arrayidx2.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %59
  %60 = load ptr, ptr %arrayidx2.i.i, align 8
  %sizes.i.i71 = getelementptr inbounds i8, ptr %60, i64 32
  %61 = load ptr, ptr %sizes.i.i71, align 8
  %arrayidx3.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 16
  %62 = load i64, ptr %arrayidx3.i.i, align 8
  %arrayidx4.i.i = getelementptr inbounds i64, ptr %61, i64 %62
  %63 = load i64, ptr %arrayidx4.i.i, align 8
  %arrayidx5.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 24
  %64 = load i64, ptr %arrayidx5.i.i, align 8
  %sub.i.i = sub nsw i64 %63, %64
  %add.ptr.i.i72 = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 32
  br label %sw.epilog.i.i

sw.bb6.i.i:                                       ; preds = %for.body.i8.i
  %arrayidx9.i.i = getelementptr inbounds i64, ptr %vla8, i64 %59
  %65 = load i64, ptr %arrayidx9.i.i, align 8
  %arrayidx10.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 16
  %66 = load i64, ptr %arrayidx10.i.i, align 8
  %div.i.i = sdiv i64 %65, %66
  %rem.i.i = srem i64 %65, %66
  %rem.lobit.neg.i.i = ashr i64 %rem.i.i, 63
  %sub13.i.i = add i64 %rem.lobit.neg.i.i, %div.i.i
  %add.ptr14.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 24
  br label %sw.epilog.i.i

sw.default.i.i:                                   ; preds = %for.body.i8.i
  %incdec.ptr15.i.i = getelementptr inbounds i8, ptr %table.addr.085.i.i, i64 16
  %cmp1777.i.i = icmp sgt i64 %59, 0
  br i1 %cmp1777.i.i, label %for.body20.i.i, label %sw.epilog.i.i

for.body20.i.i:                                   ; preds = %sw.default.i.i, %for.cond.cleanup26.i.i
  %table.addr.180.i.i = phi ptr [ %table.addr.2.lcssa.i.i, %for.cond.cleanup26.i.i ], [ %incdec.ptr15.i.i, %sw.default.i.i ]
  %t.079.i.i = phi i64 [ %inc32.i.i, %for.cond.cleanup26.i.i ], [ 0, %sw.default.i.i ]
  %found.078.i.i = phi i64 [ %add.i.i, %for.cond.cleanup26.i.i ], [ 0, %sw.default.i.i ]
  %incdec.ptr21.i.i = getelementptr inbounds i8, ptr %table.addr.180.i.i, i64 8
  %67 = load i64, ptr %table.addr.180.i.i, align 8
  %incdec.ptr22.i.i = getelementptr i8, ptr %table.addr.180.i.i, i64 16
  %68 = load i64, ptr %incdec.ptr21.i.i, align 8
  %cmp2472.i.i = icmp sgt i64 %68, 0
  br i1 %cmp2472.i.i, label %for.body27.i.i, label %for.cond.cleanup26.i.i

for.cond.cleanup26.loopexit.i.i:                  ; preds = %for.body27.i.i
  %69 = shl i64 %68, 3
  %scevgep86.i.i = getelementptr i8, ptr %incdec.ptr22.i.i, i64 %69
  br label %for.cond.cleanup26.i.i

for.cond.cleanup26.i.i:                           ; preds = %for.cond.cleanup26.loopexit.i.i, %for.body20.i.i
  %product.0.lcssa.i.i = phi i64 [ %67, %for.body20.i.i ], [ %mul.i.i, %for.cond.cleanup26.loopexit.i.i ]
  %table.addr.2.lcssa.i.i = phi ptr [ %incdec.ptr22.i.i, %for.body20.i.i ], [ %scevgep86.i.i, %for.cond.cleanup26.loopexit.i.i ]
  %add.i.i = add nsw i64 %product.0.lcssa.i.i, %found.078.i.i
  %inc32.i.i = add nuw nsw i64 %t.079.i.i, 1
  %exitcond87.not.i.i = icmp eq i64 %inc32.i.i, %59
  br i1 %exitcond87.not.i.i, label %sw.epilog.i.i, label %for.body20.i.i

for.body27.i.i:                                   ; preds = %for.body20.i.i, %for.body27.i.i
  %f.075.i.i = phi i64 [ %inc.i9.i, %for.body27.i.i ], [ 0, %for.body20.i.i ]
  %table.addr.274.i.i = phi ptr [ %incdec.ptr29.i.i, %for.body27.i.i ], [ %incdec.ptr22.i.i, %for.body20.i.i ]
  %product.073.i.i = phi i64 [ %mul.i.i, %for.body27.i.i ], [ %67, %for.body20.i.i ]
  %incdec.ptr29.i.i = getelementptr inbounds i8, ptr %table.addr.274.i.i, i64 8
  %70 = load i64, ptr %table.addr.274.i.i, align 8
  %arrayidx30.i.i = getelementptr inbounds i64, ptr %vla8, i64 %70
  %71 = load i64, ptr %arrayidx30.i.i, align 8
  %mul.i.i = mul nsw i64 %71, %product.073.i.i
  %inc.i9.i = add nuw nsw i64 %f.075.i.i, 1
  %exitcond.not.i10.i = icmp eq i64 %inc.i9.i, %68
  br i1 %exitcond.not.i10.i, label %for.cond.cleanup26.loopexit.i.i, label %for.body27.i.i

sw.epilog.i.i:                                    ; preds = %for.cond.cleanup26.i.i, %sw.default.i.i, %sw.bb6.i.i, %sw.bb.i.i
  %found.1.i.i = phi i64 [ %sub13.i.i, %sw.bb6.i.i ], [ %sub.i.i, %sw.bb.i.i ], [ 0, %sw.default.i.i ], [ %add.i.i, %for.cond.cleanup26.i.i ]
  %table.addr.3.i.i = phi ptr [ %add.ptr14.i.i, %sw.bb6.i.i ], [ %add.ptr.i.i72, %sw.bb.i.i ], [ %incdec.ptr15.i.i, %sw.default.i.i ], [ %table.addr.2.lcssa.i.i, %for.cond.cleanup26.i.i ]
  %arrayidx35.i.i = getelementptr inbounds i64, ptr %vla8, i64 %n.084.i.i
  store i64 %found.1.i.i, ptr %arrayidx35.i.i, align 8
  %72 = load i64, ptr %symbols, align 8
  %cmp36.i.i = icmp slt i64 %n.084.i.i, %72
  br i1 %cmp36.i.i, label %if.then.i.i70, label %if.end.i.i68

if.then.i.i70:                                    ; preds = %sw.epilog.i.i
  %arrayidx39.i.i = getelementptr i64, ptr %57, i64 %n.084.i.i
  store i64 %found.1.i.i, ptr %arrayidx39.i.i, align 8
  br label %if.end.i.i68

if.end.i.i68:                                     ; preds = %if.then.i.i70, %sw.epilog.i.i
  %inc41.i.i = add nuw nsw i64 %n.084.i.i, 1
  %cmp.i.i69 = icmp slt i64 %inc41.i.i, %55
  br i1 %cmp.i.i69, label %for.body.i8.i, label %find_lengths.exit.i

find_lengths.exit.i:                              ; preds = %if.end.i.i68, %table_of_lengths.exit.i
  %cmp47.i.i = icmp slt i64 %54, 1
  br i1 %cmp47.i.i, label %cond.true, label %for.cond2.preheader.i.i

for.cond2.preheader.i.i:                          ; preds = %find_lengths.exit.i, %for.inc17.i.i
  %cmp50.i.i = phi i1 [ %cmp.i16.i, %for.inc17.i.i ], [ false, %find_lengths.exit.i ]
  %i.049.i.i = phi i64 [ %inc18.i.i, %for.inc17.i.i ], [ 0, %find_lengths.exit.i ]
  %parameter.addr.048.i.i = phi ptr [ %add.ptr.i.i15.i, %for.inc17.i.i ], [ %add.ptr, %find_lengths.exit.i ]
  %ndim.i.i66 = getelementptr inbounds i8, ptr %parameter.addr.048.i.i, i64 48
  %73 = load i64, ptr %ndim.i.i66, align 8
  %cmp3.not45.i.i = icmp sgt i64 %73, 0
  br i1 %cmp3.not45.i.i, label %for.body5.lr.ph.i.i, label %for.inc17.i.i

for.body5.lr.ph.i.i:                              ; preds = %for.cond2.preheader.i.i
  %sizes.i17.i = getelementptr inbounds i8, ptr %parameter.addr.048.i.i, i64 56
  %arrayidx7.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %i.049.i.i
  br label %for.body5.i.i

for.body5.i.i:                                    ; preds = %for.inc.i.i, %for.body5.lr.ph.i.i
  %d.046.i.i = phi i64 [ 0, %for.body5.lr.ph.i.i ], [ %inc.i19.i, %for.inc.i.i ]
  %arrayidx.i.i = getelementptr inbounds [0 x i64], ptr %sizes.i17.i, i64 0, i64 %d.046.i.i
  %74 = load i64, ptr %arrayidx.i.i, align 8
  %cmp6.i18.i = icmp slt i64 %74, 0
  br i1 %cmp6.i18.i, label %land.lhs.true.i.i67, label %for.inc.i.i

land.lhs.true.i.i67:                              ; preds = %for.body5.i.i
  %75 = load ptr, ptr %arrayidx7.i.i, align 8
  %sizes8.i.i = getelementptr inbounds i8, ptr %75, i64 32
  %76 = load ptr, ptr %sizes8.i.i, align 8
  %arrayidx9.i21.i = getelementptr inbounds i64, ptr %76, i64 %d.046.i.i
  %77 = load i64, ptr %arrayidx9.i21.i, align 8
  %sub.i22.i = xor i64 %74, -1
  %arrayidx12.i.i = getelementptr inbounds i64, ptr %vla8, i64 %sub.i22.i
  %78 = load i64, ptr %arrayidx12.i.i, align 8
  %cmp13.not.i.i = icmp eq i64 %77, %78
  br i1 %cmp13.not.i.i, label %for.inc.i.i, label %measure.exit

for.inc.i.i:                                      ; preds = %land.lhs.true.i.i67, %for.body5.i.i
  %inc.i19.i = add nuw nsw i64 %d.046.i.i, 1
  %exitcond.not.i20.i = icmp eq i64 %inc.i19.i, %73
  br i1 %exitcond.not.i20.i, label %for.inc17.i.i, label %for.body5.i.i

for.inc17.i.i:                                    ; preds = %for.inc.i.i, %for.cond2.preheader.i.i
  %sizes.i.i14.i = getelementptr inbounds i8, ptr %parameter.addr.048.i.i, i64 56
  %add.ptr.i.i15.i = getelementptr inbounds i64, ptr %sizes.i.i14.i, i64 %73
  %inc18.i.i = add nuw nsw i64 %i.049.i.i, 1
  %cmp.i16.i = icmp sge i64 %inc18.i.i, %54
  %exitcond53.i.i = icmp eq i64 %inc18.i.i, %54
  br i1 %exitcond53.i.i, label %measure.exit, label %for.cond2.preheader.i.i

measure.exit:                                     ; preds = %for.inc17.i.i, %land.lhs.true.i.i67
  %retval.0.i = phi i1 [ %cmp50.i.i, %land.lhs.true.i.i67 ], [ %cmp.i16.i, %for.inc17.i.i ]
  br i1 %retval.0.i, label %cond.true, label %cond.true35

cond.true:                                        ; preds = %find_lengths.exit.i, %land.lhs.true, %measure.exit
  %cmp.not41.i.i = icmp sgt i64 %.pre218, 0
  br i1 %cmp.not41.i.i, label %for.body.i.i87, label %if.then.i

for.body.i.i87:                                   ; preds = %cond.true, %cleanup.i.i
  %r.045.i.i = phi i64 [ %add.i.i88, %cleanup.i.i ], [ 0, %cond.true ]
  %number.044.i.i = phi ptr [ %add.ptr6.i.i, %cleanup.i.i ], [ %vla6, %cond.true ]
  %output.043.i.i = phi ptr [ %add.ptr.i.i92, %cleanup.i.i ], [ %vla10, %cond.true ]
  %result.042.i.i = phi ptr [ %add.ptr.i.i.i95, %cleanup.i.i ], [ %spec.select.i, %cond.true ]
  %add.i.i88 = add nuw nsw i64 %r.045.i.i, 1
  %arrayidx.i.i89 = getelementptr inbounds ptr, ptr %vla13, i64 %r.045.i.i
  store ptr null, ptr %arrayidx.i.i89, align 8
  %79 = load i64, ptr %result.042.i.i, align 8
  switch i64 %79, label %sw.default.i.i.i109 [
    i64 0, label %sw.bb.i.i.i98
    i64 5, label %sw.bb2.i.i.i97
    i64 6, label %sw.bb3.i.i.i
  ]

sw.bb.i.i.i98:                                    ; preds = %for.body.i.i87
  %descr.i.i.i.i = getelementptr inbounds i8, ptr %result.042.i.i, i64 8
  %80 = load ptr, ptr %descr.i.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %80)
  %bytes.i.i.i.i = getelementptr inbounds i8, ptr %result.042.i.i, i64 24
  %81 = load i64, ptr %bytes.i.i.i.i, align 8
  %cmp.i.i.i.i99 = icmp slt i64 %81, 0
  br i1 %cmp.i.i.i.i99, label %if.then.i.i.i.i, label %if.end.i.i.i.i100

if.then.i.i.i.i:                                  ; preds = %sw.bb.i.i.i98
  %call.i.i.i.i108 = call fastcc ptr @measured_array(ptr noundef nonnull %result.042.i.i, ptr noundef nonnull readonly %vla8)
  br label %new_array.exit.i.i.i

if.end.i.i.i.i100:                                ; preds = %sw.bb.i.i.i98
  %tobool.not.i.i.i.i101 = icmp eq i64 %81, 0
  br i1 %tobool.not.i.i.i.i101, label %if.end5.i.i.i.i, label %if.then2.i.i.i.i

if.then2.i.i.i.i:                                 ; preds = %if.end.i.i.i.i100
  %sizes.i.i.i.i102 = getelementptr inbounds i8, ptr %result.042.i.i, i64 40
  %call4.i.i.i.i103 = call fastcc ptr @array_of_our_memory(ptr noundef nonnull %result.042.i.i, ptr noundef nonnull %sizes.i.i.i.i102, i64 noundef %81)
  br label %new_array.exit.i.i.i

if.end5.i.i.i.i:                                  ; preds = %if.end.i.i.i.i100
  %ndim.i.i.i.i106 = getelementptr inbounds i8, ptr %result.042.i.i, i64 32
  %82 = load i64, ptr %ndim.i.i.i.i106, align 8
  %conv.i.i.i.i107 = trunc i64 %82 to i32
  %sizes6.i.i.i.i = getelementptr inbounds i8, ptr %result.042.i.i, i64 40
  %83 = load ptr, ptr %descr.i.i.i.i, align 8
  %call9.i.i.i.i = call ptr @PyArray_Empty(i32 noundef %conv.i.i.i.i107, ptr noundef nonnull %sizes6.i.i.i.i, ptr noundef %83, i32 noundef 0)
  br label %new_array.exit.i.i.i

new_array.exit.i.i.i:                             ; preds = %if.end5.i.i.i.i, %if.then2.i.i.i.i, %if.then.i.i.i.i
  %retval.0.i.i.i.i = phi ptr [ %call.i.i.i.i108, %if.then.i.i.i.i ], [ %call4.i.i.i.i103, %if.then2.i.i.i.i ], [ %call9.i.i.i.i, %if.end5.i.i.i.i ]
  %tobool.not.i.i.i104 = icmp eq ptr %retval.0.i.i.i.i, null
  br i1 %tobool.not.i.i.i104, label %for.body.lr.ph.i120, label %if.end.i.i.i105

if.end.i.i.i105:                                  ; preds = %new_array.exit.i.i.i
  store ptr %retval.0.i.i.i.i, ptr %arrayidx.i.i89, align 8
  %data.i.i.i = getelementptr inbounds i8, ptr %retval.0.i.i.i.i, i64 16
  %84 = load ptr, ptr %data.i.i.i, align 8
  store ptr %84, ptr %output.043.i.i, align 8
  br label %cleanup.i.i

sw.bb2.i.i.i97:                                   ; preds = %for.body.i.i87
  %parameter.i.i.i = getelementptr inbounds i8, ptr %result.042.i.i, i64 16
  %85 = load i64, ptr %parameter.i.i.i, align 8
  %arrayidx.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %85
  %86 = load ptr, ptr %arrayidx.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %86)
  store ptr %86, ptr %arrayidx.i.i89, align 8
  br label %cleanup.i.i

sw.bb3.i.i.i:                                     ; preds = %for.body.i.i87
  %parameter5.i.i.i = getelementptr inbounds i8, ptr %result.042.i.i, i64 16
  %87 = load i64, ptr %parameter5.i.i.i, align 8
  %arrayidx6.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %87
  %88 = load ptr, ptr %arrayidx6.i.i.i, align 8
  %flags.i.i.i90 = getelementptr inbounds i8, ptr %88, i64 64
  %89 = load i32, ptr %flags.i.i.i90, align 8
  %and.i.i.i91 = and i32 %89, 1024
  %tobool7.not.i.i.i = icmp eq i32 %and.i.i.i91, 0
  br i1 %tobool7.not.i.i.i, label %for.body.lr.ph.i120, label %if.end9.i.i.i

if.end9.i.i.i:                                    ; preds = %sw.bb3.i.i.i
  %data10.i.i.i = getelementptr inbounds i8, ptr %88, i64 16
  %90 = load ptr, ptr %data10.i.i.i, align 8
  store ptr %90, ptr %output.043.i.i, align 8
  br label %cleanup.i.i

sw.default.i.i.i109:                              ; preds = %for.body.i.i87
  %arrayidx11.i.i.i = getelementptr inbounds i8, ptr %number.044.i.i, i64 8
  store i64 0, ptr %arrayidx11.i.i.i, align 8
  store i64 0, ptr %number.044.i.i, align 8
  store ptr %number.044.i.i, ptr %output.043.i.i, align 8
  br label %cleanup.i.i

cleanup.i.i:                                      ; preds = %sw.default.i.i.i109, %if.end9.i.i.i, %sw.bb2.i.i.i97, %if.end.i.i.i105
  %91 = load i64, ptr %result.042.i.i, align 8
  %cmp4.i.i = icmp ne i64 %91, 5
  %idx.ext.i.i = zext i1 %cmp4.i.i to i64
  %add.ptr.i.i92 = getelementptr inbounds ptr, ptr %output.043.i.i, i64 %idx.ext.i.i
  %ndim.i.i.i93 = getelementptr inbounds i8, ptr %result.042.i.i, i64 32
  %92 = load i64, ptr %ndim.i.i.i93, align 8
  %add.i.i.i = add nsw i64 %92, 2
  %add.ptr6.i.i = getelementptr inbounds i64, ptr %number.044.i.i, i64 %add.i.i.i
  %sizes.i.i.i94 = getelementptr inbounds i8, ptr %result.042.i.i, i64 40
  %add.ptr.i.i.i95 = getelementptr inbounds i64, ptr %sizes.i.i.i94, i64 %92
  %93 = load i64, ptr %results, align 8
  %cmp.not.i.i = icmp slt i64 %add.i.i88, %93
  br i1 %cmp.not.i.i, label %for.body.i.i87, label %if.then.i

if.then.i:                                        ; preds = %cleanup.i.i, %cond.true
  %call14.sroa.53.0 = phi i64 [ 0, %cond.true ], [ %add.i.i88, %cleanup.i.i ]
  %least.i.i.i = getelementptr inbounds i8, ptr %add.ptr.i60, i64 32
  %94 = load i64, ptr %least.i.i.i, align 8
  %tobool.not.i.i9.i = icmp eq i64 %94, 0
  %counts.i.i.i = getelementptr inbounds i8, ptr %add.ptr.i60, i64 40
  %95 = load i64, ptr %counts.i.i.i, align 8
  %tobool214.i.i.i = icmp eq i64 %95, 0
  %.not15.i.i.i = select i1 %tobool214.i.i.i, i1 true, i1 %tobool.not.i.i9.i
  br i1 %.not15.i.i.i, label %takes_long.exit.i.i, label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %if.then.i, %for.body.i.i.i
  %left.016.i.i.i = phi i64 [ %and.i.i11.i, %for.body.i.i.i ], [ %95, %if.then.i ]
  %96 = call range(i64 0, 65) i64 @llvm.cttz.i64(i64 %left.016.i.i.i, i1 true)
  %arrayidx.i.i10.i = getelementptr inbounds i64, ptr %vla, i64 %96
  %97 = load i64, ptr %arrayidx.i.i10.i, align 8
  %cmp.i.i.i = icmp sge i64 %97, %94
  %sub.i.i.i = add i64 %left.016.i.i.i, -1
  %and.i.i11.i = and i64 %sub.i.i.i, %left.016.i.i.i
  %tobool2.i.i.i = icmp eq i64 %and.i.i11.i, 0
  %.not.i.i.i = select i1 %tobool2.i.i.i, i1 true, i1 %cmp.i.i.i
  br i1 %.not.i.i.i, label %takes_long.exit.i.i, label %for.body.i.i.i

takes_long.exit.i.i:                              ; preds = %for.body.i.i.i, %if.then.i
  %is_long.0.in.lcssa.i.i.i = phi i1 [ %tobool.not.i.i9.i, %if.then.i ], [ %cmp.i.i.i, %for.body.i.i.i ]
  br i1 %is_long.0.in.lcssa.i.i.i, label %if.then.i.i83, label %if.else.i.i73

if.then.i.i83:                                    ; preds = %takes_long.exit.i.i
  %call2.i.i = call ptr @PyEval_SaveThread()
  %98 = load ptr, ptr %add.ptr.i60, align 8
  %call3.i.i = call i32 %98(ptr noundef nonnull %vla, ptr noundef nonnull %vla10)
  call void @PyEval_RestoreThread(ptr noundef %call2.i.i)
  br label %if.end.i.i74

if.else.i.i73:                                    ; preds = %takes_long.exit.i.i
  %99 = load ptr, ptr %add.ptr.i60, align 8
  %call8.i.i = call i32 %99(ptr noundef nonnull %vla, ptr noundef nonnull %vla10)
  br label %if.end.i.i74

if.end.i.i74:                                     ; preds = %if.else.i.i73, %if.then.i.i83
  %status.0.i.i = phi i32 [ %call3.i.i, %if.then.i.i83 ], [ %call8.i.i, %if.else.i.i73 ]
  %cmp.i.i75 = icmp ugt i32 %status.0.i.i, 3
  br i1 %cmp.i.i75, label %if.end33, label %if.end10.i.i

if.end10.i.i:                                     ; preds = %if.end.i.i74
  %and.i.i76 = and i32 %status.0.i.i, 1
  %tobool.not.i.i77 = icmp eq i32 %and.i.i76, 0
  br i1 %tobool.not.i.i77, label %if.end12.i.i, label %if.end33

if.end12.i.i:                                     ; preds = %if.end10.i.i
  %tobool13.not.i.i = icmp eq i32 %status.0.i.i, 0
  br i1 %tobool13.not.i.i, label %cond.true.i, label %if.then14.i.i

if.then14.i.i:                                    ; preds = %if.end12.i.i
  %call15.i.i = call ptr @PyErr_NoMemory()
  br label %if.end33

cond.true.i:                                      ; preds = %if.end12.i.i
  %100 = load i64, ptr %results, align 8
  %cmp.not41.i15.i = icmp sgt i64 %100, 0
  br i1 %cmp.not41.i15.i, label %for.body.i20.i, label %cond.true26

for.body.i20.i:                                   ; preds = %cond.true.i, %for.inc.i.i79
  %r.045.i21.i = phi i64 [ %inc.i.i80, %for.inc.i.i79 ], [ 0, %cond.true.i ]
  %number.043.i.i = phi ptr [ %add.ptr.i26.i, %for.inc.i.i79 ], [ %vla6, %cond.true.i ]
  %result.042.i22.i = phi ptr [ %add.ptr.i.i28.i, %for.inc.i.i79 ], [ %spec.select.i, %cond.true.i ]
  %101 = load i64, ptr %result.042.i22.i, align 8
  %102 = add i64 %101, -1
  %spec.select.i23.i = icmp ult i64 %102, 4
  %cmp6.i.i78 = icmp sgt i64 %101, 6
  %or.cond.i.i = or i1 %cmp6.i.i78, %spec.select.i23.i
  br i1 %or.cond.i.i, label %if.then.i31.i, label %for.inc.i.i79

if.then.i31.i:                                    ; preds = %for.body.i20.i
  switch i64 %101, label %box.exit.i.i.thread [
    i64 1, label %sw.bb.i.i35.i
    i64 2, label %sw.bb1.i.i.i82
    i64 8, label %sw.bb3.i.i34.i
    i64 7, label %sw.bb6.i.i.i
    i64 3, label %sw.bb8.i.i.i
    i64 9, label %sw.bb10.i.i.i
  ]

sw.bb.i.i35.i:                                    ; preds = %if.then.i31.i
  %descr.i.i.i = getelementptr inbounds i8, ptr %result.042.i22.i, i64 8
  %103 = load ptr, ptr %descr.i.i.i, align 8
  %call.i.i.i = call ptr @PyArray_Scalar(ptr noundef %number.043.i.i, ptr noundef %103, ptr noundef null)
  br label %box.exit.i.i

sw.bb1.i.i.i82:                                   ; preds = %if.then.i31.i
  %104 = load double, ptr %number.043.i.i, align 8
  %call2.i.i.i = call ptr @PyFloat_FromDouble(double noundef %104)
  br label %box.exit.i.i

sw.bb3.i.i34.i:                                   ; preds = %if.then.i31.i
  %105 = load double, ptr %number.043.i.i, align 8
  %arrayidx4.i.i.i = getelementptr inbounds i8, ptr %number.043.i.i, i64 8
  %106 = load double, ptr %arrayidx4.i.i.i, align 8
  %call5.i.i.i = call ptr @PyComplex_FromDoubles(double noundef %105, double noundef %106)
  br label %box.exit.i.i

sw.bb6.i.i.i:                                     ; preds = %if.then.i31.i
  %call7.i.i.i = call fastcc ptr @grown_array(ptr noundef nonnull readonly %result.042.i22.i, ptr noundef %number.043.i.i)
  br label %box.exit.i.i

sw.bb8.i.i.i:                                     ; preds = %if.then.i31.i
  %107 = load i64, ptr %number.043.i.i, align 8
  %call9.i.i.i = call ptr @PyLong_FromLongLong(i64 noundef %107)
  br label %box.exit.i.i

sw.bb10.i.i.i:                                    ; preds = %if.then.i31.i
  %108 = load i64, ptr %number.043.i.i, align 8
  %call11.i.i.i = call ptr @PyLong_FromUnsignedLongLong(i64 noundef %108)
  br label %box.exit.i.i

box.exit.i.i.thread:                              ; preds = %if.then.i31.i
  %109 = load i8, ptr %number.043.i.i, align 1
  %tobool12.not.i.i.i = icmp eq i8 %109, 0
  %cond13.i.i.i = select i1 %tobool12.not.i.i.i, ptr @_Py_FalseStruct, ptr @_Py_TrueStruct
  call void @Py_IncRef(ptr noundef nonnull %cond13.i.i.i)
  %arrayidx.i32.i174 = getelementptr inbounds ptr, ptr %vla13, i64 %r.045.i21.i
  store ptr %cond13.i.i.i, ptr %arrayidx.i32.i174, align 8
  br label %for.inc.i.i79

box.exit.i.i:                                     ; preds = %sw.bb10.i.i.i, %sw.bb8.i.i.i, %sw.bb6.i.i.i, %sw.bb3.i.i34.i, %sw.bb1.i.i.i82, %sw.bb.i.i35.i
  %retval.0.i.i.i = phi ptr [ %call11.i.i.i, %sw.bb10.i.i.i ], [ %call9.i.i.i, %sw.bb8.i.i.i ], [ %call7.i.i.i, %sw.bb6.i.i.i ], [ %call5.i.i.i, %sw.bb3.i.i34.i ], [ %call2.i.i.i, %sw.bb1.i.i.i82 ], [ %call.i.i.i, %sw.bb.i.i35.i ]
  %arrayidx.i32.i = getelementptr inbounds ptr, ptr %vla13, i64 %r.045.i21.i
  store ptr %retval.0.i.i.i, ptr %arrayidx.i32.i, align 8
  %tobool.not.i33.i = icmp eq ptr %retval.0.i.i.i, null
  br i1 %tobool.not.i33.i, label %if.end33, label %for.inc.i.i79

for.inc.i.i79:                                    ; preds = %box.exit.i.i, %box.exit.i.i.thread, %for.body.i20.i
  %ndim.i.i24.i = getelementptr inbounds i8, ptr %result.042.i22.i, i64 32
  %110 = load i64, ptr %ndim.i.i24.i, align 8
  %add.i.i25.i = add nsw i64 %110, 2
  %add.ptr.i26.i = getelementptr inbounds i64, ptr %number.043.i.i, i64 %add.i.i25.i
  %sizes.i.i27.i = getelementptr inbounds i8, ptr %result.042.i22.i, i64 40
  %add.ptr.i.i28.i = getelementptr inbounds i64, ptr %sizes.i.i27.i, i64 %110
  %inc.i.i80 = add nuw nsw i64 %r.045.i21.i, 1
  %111 = load i64, ptr %results, align 8
  %cmp.not.i30.i = icmp slt i64 %inc.i.i80, %111
  br i1 %cmp.not.i30.i, label %for.body.i20.i, label %cond.true26

cond.true26:                                      ; preds = %for.inc.i.i79, %cond.true.i
  %112 = phi i64 [ %100, %cond.true.i ], [ %111, %for.inc.i.i79 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %answer.i)
  store ptr null, ptr %answer.i, align 8
  %visible.i = getelementptr inbounds i8, ptr %add.ptr.i60, i64 24
  %113 = load i64, ptr %visible.i, align 8
  %cmp.i = icmp sgt i64 %113, -1
  br i1 %cmp.i, label %if.then.i115, label %if.end6.i

if.then.i115:                                     ; preds = %cond.true26
  %call3.i = call ptr @PyTuple_New(i64 noundef %113)
  store ptr %call3.i, ptr %answer.i, align 8
  %tobool.not.i116 = icmp eq ptr %call3.i, null
  br i1 %tobool.not.i116, label %cond.end29.thread191, label %if.end.i117

cond.end29.thread191:                             ; preds = %if.then.i115
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  br label %if.end33

if.end.i117:                                      ; preds = %if.then.i115
  %add.ptr.i.i118 = getelementptr inbounds i8, ptr %call3.i, i64 %0
  %.pre219 = load i64, ptr %results, align 8
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.end.i117, %cond.true26
  %114 = phi i64 [ %.pre219, %if.end.i117 ], [ %112, %cond.true26 ]
  %115 = phi ptr [ %call3.i, %if.end.i117 ], [ null, %cond.true26 ]
  %place.0.i = phi ptr [ %add.ptr.i.i118, %if.end.i117 ], [ %answer.i, %cond.true26 ]
  %cmp824.i = icmp sgt i64 %114, 0
  br i1 %cmp824.i, label %for.body.i112, label %cond.end29

for.cond.cleanup.loopexit.i:                      ; preds = %for.inc.i
  %.pre28.i = load ptr, ptr %answer.i, align 8
  br label %cond.end29

for.body.i112:                                    ; preds = %if.end6.i, %for.inc.i
  %116 = phi i64 [ %118, %for.inc.i ], [ %114, %if.end6.i ]
  %r.026.i = phi i64 [ %inc.i114, %for.inc.i ], [ 0, %if.end6.i ]
  %place.125.i = phi ptr [ %place.2.i, %for.inc.i ], [ %place.0.i, %if.end6.i ]
  %arrayidx.i113 = getelementptr inbounds ptr, ptr %vla13, i64 %r.026.i
  %117 = load ptr, ptr %arrayidx.i113, align 8
  %tobool9.not.i = icmp eq ptr %117, null
  br i1 %tobool9.not.i, label %for.inc.i, label %if.then10.i

if.then10.i:                                      ; preds = %for.body.i112
  %incdec.ptr.i = getelementptr inbounds i8, ptr %place.125.i, i64 8
  store ptr %117, ptr %place.125.i, align 8
  %.pre220 = load i64, ptr %results, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then10.i, %for.body.i112
  %118 = phi i64 [ %.pre220, %if.then10.i ], [ %116, %for.body.i112 ]
  %place.2.i = phi ptr [ %incdec.ptr.i, %if.then10.i ], [ %place.125.i, %for.body.i112 ]
  %inc.i114 = add nuw nsw i64 %r.026.i, 1
  %cmp8.i = icmp slt i64 %inc.i114, %118
  br i1 %cmp8.i, label %for.body.i112, label %for.cond.cleanup.loopexit.i

cond.end29:                                       ; preds = %for.cond.cleanup.loopexit.i, %if.end6.i
  %retval.0.i110 = phi ptr [ %.pre28.i, %for.cond.cleanup.loopexit.i ], [ %115, %if.end6.i ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  %tobool31.not = icmp eq ptr %retval.0.i110, null
  br i1 %tobool31.not, label %if.end33, label %cleanup

if.end33:                                         ; preds = %box.exit.i.i, %if.then14.i.i, %if.end10.i.i, %if.end.i.i74, %cond.end29.thread191, %cond.end29
  %cond182188 = phi i32 [ 0, %cond.end29 ], [ 0, %cond.end29.thread191 ], [ 2, %if.end.i.i74 ], [ 1, %if.end10.i.i ], [ 2, %if.then14.i.i ], [ 2, %box.exit.i.i ]
  %cmp24.i = icmp sgt i64 %call14.sroa.53.0, 0
  br i1 %cmp24.i, label %for.body.lr.ph.i120, label %drop.exit

for.body.lr.ph.i120:                              ; preds = %sw.bb3.i.i.i, %new_array.exit.i.i.i, %if.end33
  %cond182188207 = phi i32 [ %cond182188, %if.end33 ], [ 2, %new_array.exit.i.i.i ], [ 1, %sw.bb3.i.i.i ]
  %call14.sroa.53.2181189206 = phi i64 [ %call14.sroa.53.0, %if.end33 ], [ %add.i.i88, %new_array.exit.i.i.i ], [ %add.i.i88, %sw.bb3.i.i.i ]
  %smax = call i64 @llvm.smax.i64(i64 %call14.sroa.53.2181189206, i64 1)
  br label %for.body.i123

for.body.i123:                                    ; preds = %if.end8.i, %for.body.lr.ph.i120
  %r.027.i = phi i64 [ 0, %for.body.lr.ph.i120 ], [ %inc.i133, %if.end8.i ]
  %number.026.i = phi ptr [ %vla6, %for.body.lr.ph.i120 ], [ %add.ptr.i130, %if.end8.i ]
  %result.025.i = phi ptr [ %spec.select.i, %for.body.lr.ph.i120 ], [ %add.ptr.i.i132, %if.end8.i ]
  %arrayidx.i124 = getelementptr inbounds ptr, ptr %vla13, i64 %r.027.i
  %119 = load ptr, ptr %arrayidx.i124, align 8
  %tobool.not.i125 = icmp eq ptr %119, null
  br i1 %tobool.not.i125, label %if.end.i127, label %if.then.i126

if.then.i126:                                     ; preds = %for.body.i123
  call void @Py_DecRef(ptr noundef nonnull %119)
  br label %if.end.i127

if.end.i127:                                      ; preds = %if.then.i126, %for.body.i123
  %120 = load i64, ptr %result.025.i, align 8
  %cmp3.i = icmp eq i64 %120, 7
  br i1 %cmp3.i, label %land.lhs.true.i, label %if.end8.i

land.lhs.true.i:                                  ; preds = %if.end.i127
  %121 = load i64, ptr %number.026.i, align 8
  %tobool5.not.i = icmp eq i64 %121, 0
  br i1 %tobool5.not.i, label %if.end8.i, label %if.then6.i

if.then6.i:                                       ; preds = %land.lhs.true.i
  %122 = inttoptr i64 %121 to ptr
  call void @ag_give(ptr noundef nonnull %122, i64 noundef 0)
  br label %if.end8.i

if.end8.i:                                        ; preds = %if.then6.i, %land.lhs.true.i, %if.end.i127
  %ndim.i.i128 = getelementptr inbounds i8, ptr %result.025.i, i64 32
  %123 = load i64, ptr %ndim.i.i128, align 8
  %add.i.i129 = add nsw i64 %123, 2
  %add.ptr.i130 = getelementptr inbounds i64, ptr %number.026.i, i64 %add.i.i129
  %sizes.i.i131 = getelementptr inbounds i8, ptr %result.025.i, i64 40
  %add.ptr.i.i132 = getelementptr inbounds i64, ptr %sizes.i.i131, i64 %123
  %inc.i133 = add nuw nsw i64 %r.027.i, 1
  %exitcond.not = icmp eq i64 %inc.i133, %smax
  br i1 %exitcond.not, label %drop.exit, label %for.body.i123

drop.exit:                                        ; preds = %if.end8.i, %if.end33
  %cond182188198 = phi i32 [ %cond182188, %if.end33 ], [ %cond182188207, %if.end8.i ]
  %cmp34 = icmp eq i32 %cond182188198, 1
  br i1 %cmp34, label %cond.true35, label %cleanup

cond.true35:                                      ; preds = %convert.exit.i, %sw.bb14.i.i.i, %sw.bb7.i.i.i, %if.end5.i.i.i, %if.end15.i.i, %if.then.i.i, %lor.lhs.false.i.i.i.i, %land.lhs.true.i.i.i.i, %if.end.i.i.i.i, %sw.bb.i43.i.i, %sw.bb1.i41.i.i, %sw.bb19.i.i.i, %sw.bb25.i.i.i, %if.then19.i.i, %land.lhs.true20.i.i.i.i, %measure.exit, %convert.exit.thread18.i, %drop.exit
  %arrayidx.i136 = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %124 = load ptr, ptr %arrayidx.i136, align 8
  %call1.i137 = call ptr @PyObject_VectorcallDict(ptr noundef %124, ptr noundef %arguments, i64 noundef %count, ptr noundef null)
  br label %cleanup

cleanup:                                          ; preds = %cond.true35, %drop.exit, %cond.end29
  %retval.0 = phi ptr [ %retval.0.i110, %cond.end29 ], [ %call1.i137, %cond.true35 ], [ null, %drop.exit ]
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

declare i64 @llvm.cttz.i64(i64, i1 immarg)

declare ptr @PyArray_Scalar(ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyFloat_FromDouble(double noundef)

declare ptr @PyComplex_FromDoubles(double noundef, double noundef)

define internal fastcc ptr @grown_array(ptr noundef readonly %result, ptr noundef %number) {
entry:
  %ndim = getelementptr inbounds i8, ptr %result, i64 32
  %0 = load i64, ptr %ndim, align 8
  %vla = alloca i64, i64 %0, align 16
  %bytes1 = getelementptr inbounds i8, ptr %result, i64 24
  %1 = load i64, ptr %bytes1, align 8
  %cmp24 = icmp sgt i64 %0, 0
  br i1 %cmp24, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %number, i64 8
  %sizes = getelementptr inbounds i8, ptr %result, i64 40
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %entry
  %bytes.0.lcssa = phi i64 [ %1, %entry ], [ %mul, %cond.end ]
  %2 = load i64, ptr %number, align 8
  %3 = inttoptr i64 %2 to ptr
  store i64 0, ptr %number, align 8
  %descr = getelementptr inbounds i8, ptr %result, i64 8
  %4 = load ptr, ptr %descr, align 8
  tail call void @Py_IncRef(ptr noundef %4)
  %5 = load ptr, ptr %descr, align 8
  %6 = load i64, ptr %ndim, align 8
  %conv.i = trunc i64 %6 to i32
  %call.i = call ptr @PyArray_NewFromDescr(ptr noundef nonnull @PyArray_Type, ptr noundef %5, i32 noundef %conv.i, ptr noundef nonnull %vla, ptr noundef null, ptr noundef %3, i32 noundef 1281, ptr noundef null)
  %tobool.not.i = icmp eq ptr %call.i, null
  br i1 %tobool.not.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %for.cond.cleanup
  call void @ag_give(ptr noundef %3, i64 noundef %bytes.0.lcssa)
  br label %array_of_block.exit

if.end.i:                                         ; preds = %for.cond.cleanup
  %flags.i = getelementptr inbounds i8, ptr %call.i, i64 64
  %7 = load i32, ptr %flags.i, align 8
  %or.i = or i32 %7, 4
  store i32 %or.i, ptr %flags.i, align 8
  %8 = load ptr, ptr @ag_array_memory, align 8
  call void @Py_IncRef(ptr noundef %8)
  %9 = load ptr, ptr @ag_array_memory, align 8
  %memory_handler.i = getelementptr inbounds i8, ptr %call.i, i64 88
  store ptr %9, ptr %memory_handler.i, align 8
  %call1.i = call i32 @PyTraceMalloc_Track(i32 noundef 389047, i64 noundef %2, i64 noundef %bytes.0.lcssa)
  br label %array_of_block.exit

array_of_block.exit:                              ; preds = %if.then.i, %if.end.i
  ret ptr %call.i

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %bytes.027 = phi i64 [ %1, %for.body.lr.ph ], [ %mul, %cond.end ]
  %d.026 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %length.025 = phi ptr [ %add.ptr, %for.body.lr.ph ], [ %length.1, %cond.end ]
  %arrayidx = getelementptr inbounds [0 x i64], ptr %sizes, i64 0, i64 %d.026
  %10 = load i64, ptr %arrayidx, align 8
  %cmp3 = icmp slt i64 %10, 0
  br i1 %cmp3, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body
  %incdec.ptr = getelementptr inbounds i8, ptr %length.025, i64 8
  %11 = load i64, ptr %length.025, align 8
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %length.1 = phi ptr [ %incdec.ptr, %cond.true ], [ %length.025, %for.body ]
  %cond = phi i64 [ %11, %cond.true ], [ %10, %for.body ]
  %arrayidx6 = getelementptr inbounds i64, ptr %vla, i64 %d.026
  store i64 %cond, ptr %arrayidx6, align 8
  %mul = mul nsw i64 %cond, %bytes.027
  %inc = add nuw nsw i64 %d.026, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare ptr @PyLong_FromLongLong(i64 noundef)

declare ptr @PyLong_FromUnsignedLongLong(i64 noundef)

declare ptr @PyTuple_New(i64 noundef)

declare i64 @llvm.smax.i64(i64, i64)
