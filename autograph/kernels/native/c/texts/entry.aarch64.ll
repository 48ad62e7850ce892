; Made by `make runtime` of entry.c (75dcf21a25bd37f2) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

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
  %vla = alloca i64, i64 %add, align 8
  %results = getelementptr inbounds i8, ptr %add.ptr.i53, i64 16
  %6 = load i64, ptr %results, align 8
  %mul = shl nsw i64 %6, 1
  %add4 = or disjoint i64 %mul, 1
  %vla5 = alloca i64, i64 %add4, align 8
  %add7 = add nsw i64 %6, 1
  %vla8 = alloca ptr, i64 %add7, align 8
  %vla11 = alloca ptr, i64 %add7, align 8
  %add.ptr = getelementptr inbounds i8, ptr %add.ptr.i53, i64 40
  %7 = load i64, ptr %parameters, align 8
  %cmp.not17.i = icmp sgt i64 %7, 0
  br i1 %cmp.not17.i, label %for.body.i, label %cond.true

for.body.i:                                       ; preds = %if.end, %if.end.i
  %8 = phi i64 [ %46, %if.end.i ], [ %7, %if.end ]
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
  %and1.i.i.i = and i64 %10, 24
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
  br i1 %tobool3.not.i.i, label %if.end15.i.i, label %land.lhs.true4.i.i

land.lhs.true4.i.i:                               ; preds = %if.end.i.i
  %type5.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %30 = load ptr, ptr %type5.i.i, align 8
  %scalar_type.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 16
  %31 = load ptr, ptr %scalar_type.i.i, align 8
  %cmp6.i.i = icmp eq ptr %30, %31
  br i1 %cmp6.i.i, label %if.then7.i.i, label %if.end15.i.i

if.then7.i.i:                                     ; preds = %land.lhs.true4.i.i
  %and9.i.i = and i64 %10, 16
  %tobool10.not.i.i = icmp eq i64 %and9.i.i, 0
  %add.ptr.i37.i.i = getelementptr inbounds i8, ptr %9, i64 16
  br i1 %tobool10.not.i.i, label %if.else.i.i, label %if.then11.i.i

if.then11.i.i:                                    ; preds = %if.then7.i.i
  %32 = ptrtoint ptr %add.ptr.i37.i.i to i64
  store i64 %32, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.else.i.i:                                      ; preds = %if.then7.i.i
  %bytes.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 24
  %33 = load i64, ptr %bytes.i.i, align 8
  switch i64 %33, label %sw.default.i.i.i [
    i64 1, label %sw.bb.i.i.i
    i64 2, label %sw.bb1.i.i.i
    i64 4, label %sw.bb2.i.i.i
  ]

sw.bb.i.i.i:                                      ; preds = %if.else.i.i
  %34 = load i8, ptr %add.ptr.i37.i.i, align 1
  store i8 %34, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i.i.i:                                     ; preds = %if.else.i.i
  %35 = load i16, ptr %add.ptr.i37.i.i, align 1
  store i16 %35, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb2.i.i.i:                                     ; preds = %if.else.i.i
  %36 = load i32, ptr %add.ptr.i37.i.i, align 1
  store i32 %36, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.default.i.i.i:                                 ; preds = %if.else.i.i
  %37 = load i64, ptr %add.ptr.i37.i.i, align 1
  store i64 %37, ptr %arrayidx1.i, align 8
  br label %if.end.i

if.end15.i.i:                                     ; preds = %land.lhs.true4.i.i, %if.end.i.i
  %and17.i.i = and i64 %10, 1
  %tobool18.not.i.i = icmp eq i64 %and17.i.i, 0
  br i1 %tobool18.not.i.i, label %cond.true30, label %if.then19.i.i

if.then19.i.i:                                    ; preds = %if.end15.i.i
  %python_kind.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 8
  %38 = load i64, ptr %python_kind.i.i, align 8
  switch i64 %38, label %cond.true30 [
    i64 1, label %sw.bb.i41.i.i
    i64 2, label %sw.bb1.i39.i.i
    i64 3, label %sw.bb7.i.i.i
    i64 4, label %sw.bb14.i.i.i
  ]

sw.bb.i41.i.i:                                    ; preds = %if.then19.i.i
  %type.i42.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %39 = load ptr, ptr %type.i42.i.i, align 8
  %cmp.not.i43.i.i = icmp eq ptr %39, @PyFloat_Type
  br i1 %cmp.not.i43.i.i, label %if.end.i44.i.i, label %cond.true30

if.end.i44.i.i:                                   ; preds = %sw.bb.i41.i.i
  %add.ptr.i.i.i.i = getelementptr inbounds i8, ptr %9, i64 16
  %40 = load i64, ptr %add.ptr.i.i.i.i, align 1
  store i64 %40, ptr %arrayidx1.i, align 8
  br label %if.end.i

sw.bb1.i39.i.i:                                   ; preds = %if.then19.i.i
  %type2.i.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %41 = load ptr, ptr %type2.i.i.i, align 8
  %cmp3.not.i.i.i = icmp eq ptr %41, @PyLong_Type
  br i1 %cmp3.not.i.i.i, label %convert.exit.i, label %cond.true30

sw.bb7.i.i.i:                                     ; preds = %if.then19.i.i
  %cmp8.i.i.i = icmp eq ptr %9, @_Py_TrueStruct
  %conv9.i.i.i = zext i1 %cmp8.i.i.i to i8
  store i8 %conv9.i.i.i, ptr %arrayidx1.i, align 8
  %cmp12.i.i.i = icmp eq ptr %9, @_Py_FalseStruct
  %42 = or i1 %cmp8.i.i.i, %cmp12.i.i.i
  br i1 %42, label %if.end.i, label %cond.true30

sw.bb14.i.i.i:                                    ; preds = %if.then19.i.i
  %add.ptr.i30.i.i.i = getelementptr inbounds i8, ptr %9, i64 16
  %43 = ptrtoint ptr %add.ptr.i30.i.i.i to i64
  store i64 %43, ptr %arrayidx1.i, align 8
  %type16.i.i.i = getelementptr inbounds i8, ptr %9, i64 8
  %44 = load ptr, ptr %type16.i.i.i, align 8
  %cmp17.i.i.i = icmp eq ptr %44, @PyComplex_Type
  br i1 %cmp17.i.i.i, label %if.end.i, label %cond.true30

convert.exit.i:                                   ; preds = %sw.bb1.i39.i.i
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflow.i.i.i)
  store i32 0, ptr %overflow.i.i.i, align 4
  %call6.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %9, ptr noundef nonnull %overflow.i.i.i)
  store i64 %call6.i.i.i, ptr %arrayidx1.i, align 8
  %45 = load i32, ptr %overflow.i.i.i, align 4
  %tobool.not.i40.i.i = icmp eq i32 %45, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflow.i.i.i)
  br i1 %tobool.not.i40.i.i, label %convert.exit.i.if.end.i_crit_edge, label %cond.true30

convert.exit.i.if.end.i_crit_edge:                ; preds = %convert.exit.i
  %.pre = load i64, ptr %parameters, align 8
  br label %if.end.i

if.end.i:                                         ; preds = %convert.exit.i.if.end.i_crit_edge, %sw.bb14.i.i.i, %sw.bb7.i.i.i, %if.end.i44.i.i, %sw.default.i.i.i, %sw.bb2.i.i.i, %sw.bb1.i.i.i, %sw.bb.i.i.i, %if.then11.i.i, %sw.default.i.i.i.i, %sw.bb2.i.i.i.i, %sw.bb1.i.i.i.i, %sw.bb.i.i.i.i, %if.then2.i.i.i
  %46 = phi i64 [ %.pre, %convert.exit.i.if.end.i_crit_edge ], [ %8, %sw.bb14.i.i.i ], [ %8, %sw.bb7.i.i.i ], [ %8, %if.end.i44.i.i ], [ %8, %sw.default.i.i.i ], [ %8, %sw.bb2.i.i.i ], [ %8, %sw.bb1.i.i.i ], [ %8, %sw.bb.i.i.i ], [ %8, %if.then11.i.i ], [ %8, %sw.default.i.i.i.i ], [ %8, %sw.bb2.i.i.i.i ], [ %8, %sw.bb1.i.i.i.i ], [ %8, %sw.bb.i.i.i.i ], [ %8, %if.then2.i.i.i ]
  %sizes.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 56
  %ndim.i.i = getelementptr inbounds i8, ptr %parameter.addr.018.i, i64 48
  %47 = load i64, ptr %ndim.i.i, align 8
  %add.ptr.i.i55 = getelementptr inbounds i64, ptr %sizes.i.i, i64 %47
  %inc.i = add nuw nsw i64 %i.019.i, 1
  %cmp.not.i = icmp slt i64 %inc.i, %46
  br i1 %cmp.not.i, label %for.body.i, label %cond.true.loopexit

cond.true.loopexit:                               ; preds = %if.end.i
  %.pre172 = load i64, ptr %results, align 8
  br label %cond.true

cond.true:                                        ; preds = %cond.true.loopexit, %if.end
  %48 = phi i64 [ %6, %if.end ], [ %.pre172, %cond.true.loopexit ]
  %spec.select.i = phi ptr [ %add.ptr, %if.end ], [ %add.ptr.i.i55, %cond.true.loopexit ]
  %cmp.not38.i.i = icmp sgt i64 %48, 0
  br i1 %cmp.not38.i.i, label %for.body.i.i, label %if.then.i

for.body.i.i:                                     ; preds = %cond.true, %cleanup.i.i
  %r.041.i.i = phi i64 [ %add.i.i, %cleanup.i.i ], [ 0, %cond.true ]
  %output.040.i.i = phi ptr [ %add.ptr.i.i66, %cleanup.i.i ], [ %vla8, %cond.true ]
  %result.039.i.i = phi ptr [ %add.ptr.i.i.i, %cleanup.i.i ], [ %spec.select.i, %cond.true ]
  %add.i.i = add nuw nsw i64 %r.041.i.i, 1
  %arrayidx2.i.i = getelementptr inbounds ptr, ptr %vla11, i64 %r.041.i.i
  store ptr null, ptr %arrayidx2.i.i, align 8
  %49 = load i64, ptr %result.039.i.i, align 8
  switch i64 %49, label %sw.default.i.i.i74 [
    i64 0, label %sw.bb.i.i.i68
    i64 5, label %sw.bb2.i.i.i67
    i64 6, label %sw.bb3.i.i.i
  ]

sw.bb.i.i.i68:                                    ; preds = %for.body.i.i
  %descr.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 8
  %50 = load ptr, ptr %descr.i.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %50)
  %bytes.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 24
  %51 = load i64, ptr %bytes.i.i.i.i, align 8
  %tobool.not.i.i.i.i = icmp eq i64 %51, 0
  br i1 %tobool.not.i.i.i.i, label %new_array.exit.i.i.i, label %if.then.i.i.i.i

if.then.i.i.i.i:                                  ; preds = %sw.bb.i.i.i68
  %call.i.i.i.i.i = call ptr @ag_take(i64 noundef %51)
  %tobool.not.i.i.i.i.i = icmp eq ptr %call.i.i.i.i.i, null
  br i1 %tobool.not.i.i.i.i.i, label %if.then.i.i.i.i.i, label %if.end.i.i.i.i.i

if.then.i.i.i.i.i:                                ; preds = %if.then.i.i.i.i
  %52 = load ptr, ptr %descr.i.i.i.i, align 8
  call void @Py_DecRef(ptr noundef %52)
  %call1.i.i.i.i.i = call ptr @PyErr_NoMemory()
  br label %for.body.lr.ph.i82

if.end.i.i.i.i.i:                                 ; preds = %if.then.i.i.i.i
  %sizes.i.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 40
  %53 = load i64, ptr %bytes.i.i.i.i, align 8
  %54 = load ptr, ptr %descr.i.i.i.i, align 8
  %ndim.i.i.i.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 32
  %55 = load i64, ptr %ndim.i.i.i.i.i.i, align 8
  %conv.i.i.i.i.i.i = trunc i64 %55 to i32
  %call.i.i.i.i.i.i = call ptr @PyArray_NewFromDescr(ptr noundef nonnull @PyArray_Type, ptr noundef %54, i32 noundef %conv.i.i.i.i.i.i, ptr noundef nonnull %sizes.i.i.i.i.i, ptr noundef null, ptr noundef nonnull %call.i.i.i.i.i, i32 noundef 1281, ptr noundef null)
  %tobool.not.i.i.i.i.i.i = icmp eq ptr %call.i.i.i.i.i.i, null
  br i1 %tobool.not.i.i.i.i.i.i, label %if.then.i.i.i.i.i.i, label %new_array.exit.thread31.i.i.i

if.then.i.i.i.i.i.i:                              ; preds = %if.end.i.i.i.i.i
  call void @ag_give(ptr noundef nonnull %call.i.i.i.i.i, i64 noundef %53)
  br label %for.body.lr.ph.i82

new_array.exit.thread31.i.i.i:                    ; preds = %if.end.i.i.i.i.i
  %flags.i.i.i.i.i.i = getelementptr inbounds i8, ptr %call.i.i.i.i.i.i, i64 64
  %56 = load i32, ptr %flags.i.i.i.i.i.i, align 8
  %or.i.i.i.i.i.i = or i32 %56, 4
  store i32 %or.i.i.i.i.i.i, ptr %flags.i.i.i.i.i.i, align 8
  %57 = load ptr, ptr @ag_array_memory, align 8
  call void @Py_IncRef(ptr noundef %57)
  %58 = load ptr, ptr @ag_array_memory, align 8
  %memory_handler.i.i.i.i.i.i = getelementptr inbounds i8, ptr %call.i.i.i.i.i.i, i64 88
  store ptr %58, ptr %memory_handler.i.i.i.i.i.i, align 8
  %59 = ptrtoint ptr %call.i.i.i.i.i to i64
  %call1.i.i.i.i.i.i = call i32 @PyTraceMalloc_Track(i32 noundef 389047, i64 noundef %59, i64 noundef %53)
  br label %if.end.i.i.i69

new_array.exit.i.i.i:                             ; preds = %sw.bb.i.i.i68
  %ndim.i.i.i.i70 = getelementptr inbounds i8, ptr %result.039.i.i, i64 32
  %60 = load i64, ptr %ndim.i.i.i.i70, align 8
  %conv.i.i.i.i71 = trunc i64 %60 to i32
  %sizes.i.i.i.i72 = getelementptr inbounds i8, ptr %result.039.i.i, i64 40
  %61 = load ptr, ptr %descr.i.i.i.i, align 8
  %call2.i.i.i.i = call ptr @PyArray_Empty(i32 noundef %conv.i.i.i.i71, ptr noundef nonnull %sizes.i.i.i.i72, ptr noundef %61, i32 noundef 0)
  %tobool.not.i.i.i73 = icmp eq ptr %call2.i.i.i.i, null
  br i1 %tobool.not.i.i.i73, label %for.body.lr.ph.i82, label %if.end.i.i.i69

if.end.i.i.i69:                                   ; preds = %new_array.exit.i.i.i, %new_array.exit.thread31.i.i.i
  %retval.0.i34.i.i.i = phi ptr [ %call.i.i.i.i.i.i, %new_array.exit.thread31.i.i.i ], [ %call2.i.i.i.i, %new_array.exit.i.i.i ]
  store ptr %retval.0.i34.i.i.i, ptr %arrayidx2.i.i, align 8
  %data.i.i.i = getelementptr inbounds i8, ptr %retval.0.i34.i.i.i, i64 16
  %62 = load ptr, ptr %data.i.i.i, align 8
  store ptr %62, ptr %output.040.i.i, align 8
  br label %cleanup.i.i

sw.bb2.i.i.i67:                                   ; preds = %for.body.i.i
  %parameter.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 16
  %63 = load i64, ptr %parameter.i.i.i, align 8
  %arrayidx.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %63
  %64 = load ptr, ptr %arrayidx.i.i.i, align 8
  call void @Py_IncRef(ptr noundef %64)
  store ptr %64, ptr %arrayidx2.i.i, align 8
  br label %cleanup.i.i

sw.bb3.i.i.i:                                     ; preds = %for.body.i.i
  %parameter5.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 16
  %65 = load i64, ptr %parameter5.i.i.i, align 8
  %arrayidx6.i.i.i = getelementptr inbounds ptr, ptr %arguments, i64 %65
  %66 = load ptr, ptr %arrayidx6.i.i.i, align 8
  %flags.i.i.i64 = getelementptr inbounds i8, ptr %66, i64 64
  %67 = load i32, ptr %flags.i.i.i64, align 8
  %and.i.i.i65 = and i32 %67, 1024
  %tobool7.not.i.i.i = icmp eq i32 %and.i.i.i65, 0
  br i1 %tobool7.not.i.i.i, label %for.body.lr.ph.i82, label %if.end9.i.i.i

if.end9.i.i.i:                                    ; preds = %sw.bb3.i.i.i
  %data10.i.i.i = getelementptr inbounds i8, ptr %66, i64 16
  %68 = load ptr, ptr %data10.i.i.i, align 8
  store ptr %68, ptr %output.040.i.i, align 8
  br label %cleanup.i.i

sw.default.i.i.i74:                               ; preds = %for.body.i.i
  %arrayidx.idx.i.i = shl nsw i64 %r.041.i.i, 4
  %arrayidx.i.i = getelementptr inbounds i8, ptr %vla5, i64 %arrayidx.idx.i.i
  %arrayidx11.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i.i, i64 8
  store i64 0, ptr %arrayidx11.i.i.i, align 8
  store i64 0, ptr %arrayidx.i.i, align 8
  store ptr %arrayidx.i.i, ptr %output.040.i.i, align 8
  br label %cleanup.i.i

cleanup.i.i:                                      ; preds = %sw.default.i.i.i74, %if.end9.i.i.i, %sw.bb2.i.i.i67, %if.end.i.i.i69
  %69 = load i64, ptr %result.039.i.i, align 8
  %cmp5.i.i = icmp ne i64 %69, 5
  %idx.ext.i.i = zext i1 %cmp5.i.i to i64
  %add.ptr.i.i66 = getelementptr inbounds ptr, ptr %output.040.i.i, i64 %idx.ext.i.i
  %sizes.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 40
  %ndim.i.i.i = getelementptr inbounds i8, ptr %result.039.i.i, i64 32
  %70 = load i64, ptr %ndim.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds i64, ptr %sizes.i.i.i, i64 %70
  %71 = load i64, ptr %results, align 8
  %cmp.not.i.i = icmp slt i64 %add.i.i, %71
  br i1 %cmp.not.i.i, label %for.body.i.i, label %if.then.i

if.then.i:                                        ; preds = %cleanup.i.i, %cond.true
  %call12.sroa.40.0 = phi i64 [ 0, %cond.true ], [ %add.i.i, %cleanup.i.i ]
  %releases_gil.i.i = getelementptr inbounds i8, ptr %add.ptr.i53, i64 32
  %72 = load i64, ptr %releases_gil.i.i, align 8
  %tobool.not.i.i56 = icmp eq i64 %72, 0
  br i1 %tobool.not.i.i56, label %if.else.i.i63, label %if.then.i.i57

if.then.i.i57:                                    ; preds = %if.then.i
  %call1.i.i = call ptr @PyEval_SaveThread()
  %73 = load ptr, ptr %add.ptr.i53, align 8
  %call3.i.i = call i32 %73(ptr noundef nonnull %vla, ptr noundef nonnull %vla8)
  call void @PyEval_RestoreThread(ptr noundef %call1.i.i)
  br label %if.end.i.i58

if.else.i.i63:                                    ; preds = %if.then.i
  %74 = load ptr, ptr %add.ptr.i53, align 8
  %call8.i.i = call i32 %74(ptr noundef nonnull %vla, ptr noundef nonnull %vla8)
  br label %if.end.i.i58

if.end.i.i58:                                     ; preds = %if.else.i.i63, %if.then.i.i57
  %status.0.i.i = phi i32 [ %call3.i.i, %if.then.i.i57 ], [ %call8.i.i, %if.else.i.i63 ]
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
  %75 = load i64, ptr %results, align 8
  %cmp.not36.i.i = icmp sgt i64 %75, 0
  br i1 %cmp.not36.i.i, label %for.body.i15.i, label %cond.true21

for.body.i15.i:                                   ; preds = %cond.true.i, %for.inc.i.i
  %r.038.i.i = phi i64 [ %inc.i.i, %for.inc.i.i ], [ 0, %cond.true.i ]
  %result.037.i.i = phi ptr [ %add.ptr.i.i19.i, %for.inc.i.i ], [ %spec.select.i, %cond.true.i ]
  %76 = load i64, ptr %result.037.i.i, align 8
  %77 = add i64 %76, -1
  %spec.select.i16.i = icmp ult i64 %77, 4
  %cmp6.i.i61 = icmp sgt i64 %76, 6
  %or.cond.i.i = or i1 %cmp6.i.i61, %spec.select.i16.i
  br i1 %or.cond.i.i, label %if.then.i22.i, label %for.inc.i.i

if.then.i22.i:                                    ; preds = %for.body.i15.i
  %arrayidx.idx.i23.i = shl nsw i64 %r.038.i.i, 4
  %arrayidx.i24.i = getelementptr inbounds i8, ptr %vla5, i64 %arrayidx.idx.i23.i
  switch i64 %76, label %box.exit.i.i.thread [
    i64 1, label %sw.bb.i.i27.i
    i64 2, label %sw.bb1.i.i.i62
    i64 8, label %sw.bb3.i.i26.i
    i64 7, label %sw.bb6.i.i.i
    i64 3, label %sw.bb8.i.i.i
  ]

sw.bb.i.i27.i:                                    ; preds = %if.then.i22.i
  %descr.i.i.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 8
  %78 = load ptr, ptr %descr.i.i.i, align 8
  %call.i.i.i = call ptr @PyArray_Scalar(ptr noundef nonnull %arrayidx.i24.i, ptr noundef %78, ptr noundef null)
  br label %box.exit.i.i

sw.bb1.i.i.i62:                                   ; preds = %if.then.i22.i
  %79 = load double, ptr %arrayidx.i24.i, align 8
  %call2.i.i.i = call ptr @PyFloat_FromDouble(double noundef %79)
  br label %box.exit.i.i

sw.bb3.i.i26.i:                                   ; preds = %if.then.i22.i
  %80 = load double, ptr %arrayidx.i24.i, align 8
  %arrayidx4.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i24.i, i64 8
  %81 = load double, ptr %arrayidx4.i.i.i, align 8
  %call5.i.i.i = call ptr @PyComplex_FromDoubles(double noundef %80, double noundef %81)
  br label %box.exit.i.i

sw.bb6.i.i.i:                                     ; preds = %if.then.i22.i
  %call7.i.i.i = call fastcc ptr @grown_array(ptr noundef nonnull readonly %result.037.i.i, ptr noundef nonnull %arrayidx.i24.i)
  br label %box.exit.i.i

sw.bb8.i.i.i:                                     ; preds = %if.then.i22.i
  %82 = load i64, ptr %arrayidx.i24.i, align 8
  %call9.i.i.i = call ptr @PyLong_FromLongLong(i64 noundef %82)
  br label %box.exit.i.i

box.exit.i.i.thread:                              ; preds = %if.then.i22.i
  %83 = load i8, ptr %arrayidx.i24.i, align 8
  %tobool10.not.i.i.i = icmp eq i8 %83, 0
  %cond11.i.i.i = select i1 %tobool10.not.i.i.i, ptr @_Py_FalseStruct, ptr @_Py_TrueStruct
  call void @Py_IncRef(ptr noundef nonnull %cond11.i.i.i)
  %arrayidx8.i.i124 = getelementptr inbounds ptr, ptr %vla11, i64 %r.038.i.i
  store ptr %cond11.i.i.i, ptr %arrayidx8.i.i124, align 8
  br label %for.inc.i.i

box.exit.i.i:                                     ; preds = %sw.bb8.i.i.i, %sw.bb6.i.i.i, %sw.bb3.i.i26.i, %sw.bb1.i.i.i62, %sw.bb.i.i27.i
  %retval.0.i.i.i = phi ptr [ %call9.i.i.i, %sw.bb8.i.i.i ], [ %call7.i.i.i, %sw.bb6.i.i.i ], [ %call5.i.i.i, %sw.bb3.i.i26.i ], [ %call2.i.i.i, %sw.bb1.i.i.i62 ], [ %call.i.i.i, %sw.bb.i.i27.i ]
  %arrayidx8.i.i = getelementptr inbounds ptr, ptr %vla11, i64 %r.038.i.i
  store ptr %retval.0.i.i.i, ptr %arrayidx8.i.i, align 8
  %tobool.not.i25.i = icmp eq ptr %retval.0.i.i.i, null
  br i1 %tobool.not.i25.i, label %if.end28, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %box.exit.i.i, %box.exit.i.i.thread, %for.body.i15.i
  %sizes.i.i17.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 40
  %ndim.i.i18.i = getelementptr inbounds i8, ptr %result.037.i.i, i64 32
  %84 = load i64, ptr %ndim.i.i18.i, align 8
  %add.ptr.i.i19.i = getelementptr inbounds i64, ptr %sizes.i.i17.i, i64 %84
  %inc.i.i = add nuw nsw i64 %r.038.i.i, 1
  %85 = load i64, ptr %results, align 8
  %cmp.not.i21.i = icmp slt i64 %inc.i.i, %85
  br i1 %cmp.not.i21.i, label %for.body.i15.i, label %cond.true21

cond.true21:                                      ; preds = %for.inc.i.i, %cond.true.i
  %86 = phi i64 [ %75, %cond.true.i ], [ %85, %for.inc.i.i ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %answer.i)
  store ptr null, ptr %answer.i, align 8
  %visible.i = getelementptr inbounds i8, ptr %add.ptr.i53, i64 24
  %87 = load i64, ptr %visible.i, align 8
  %cmp.i = icmp sgt i64 %87, -1
  br i1 %cmp.i, label %if.then.i79, label %if.end6.i

if.then.i79:                                      ; preds = %cond.true21
  %call3.i = call ptr @PyTuple_New(i64 noundef %87)
  store ptr %call3.i, ptr %answer.i, align 8
  %tobool.not.i = icmp eq ptr %call3.i, null
  br i1 %tobool.not.i, label %cond.end24.thread141, label %if.end.i80

cond.end24.thread141:                             ; preds = %if.then.i79
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  br label %if.end28

if.end.i80:                                       ; preds = %if.then.i79
  %add.ptr.i.i81 = getelementptr inbounds i8, ptr %call3.i, i64 %0
  %.pre173 = load i64, ptr %results, align 8
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.end.i80, %cond.true21
  %88 = phi i64 [ %.pre173, %if.end.i80 ], [ %86, %cond.true21 ]
  %89 = phi ptr [ %call3.i, %if.end.i80 ], [ null, %cond.true21 ]
  %place.0.i = phi ptr [ %add.ptr.i.i81, %if.end.i80 ], [ %answer.i, %cond.true21 ]
  %cmp824.i = icmp sgt i64 %88, 0
  br i1 %cmp824.i, label %for.body.i76, label %cond.end24

for.cond.cleanup.loopexit.i:                      ; preds = %for.inc.i
  %.pre28.i = load ptr, ptr %answer.i, align 8
  br label %cond.end24

for.body.i76:                                     ; preds = %if.end6.i, %for.inc.i
  %90 = phi i64 [ %92, %for.inc.i ], [ %88, %if.end6.i ]
  %r.026.i = phi i64 [ %inc.i78, %for.inc.i ], [ 0, %if.end6.i ]
  %place.125.i = phi ptr [ %place.2.i, %for.inc.i ], [ %place.0.i, %if.end6.i ]
  %arrayidx.i77 = getelementptr inbounds ptr, ptr %vla11, i64 %r.026.i
  %91 = load ptr, ptr %arrayidx.i77, align 8
  %tobool9.not.i = icmp eq ptr %91, null
  br i1 %tobool9.not.i, label %for.inc.i, label %if.then10.i

if.then10.i:                                      ; preds = %for.body.i76
  %incdec.ptr.i = getelementptr inbounds i8, ptr %place.125.i, i64 8
  store ptr %91, ptr %place.125.i, align 8
  %.pre174 = load i64, ptr %results, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %if.then10.i, %for.body.i76
  %92 = phi i64 [ %.pre174, %if.then10.i ], [ %90, %for.body.i76 ]
  %place.2.i = phi ptr [ %incdec.ptr.i, %if.then10.i ], [ %place.125.i, %for.body.i76 ]
  %inc.i78 = add nuw nsw i64 %r.026.i, 1
  %cmp8.i = icmp slt i64 %inc.i78, %92
  br i1 %cmp8.i, label %for.body.i76, label %for.cond.cleanup.loopexit.i

cond.end24:                                       ; preds = %for.cond.cleanup.loopexit.i, %if.end6.i
  %retval.0.i = phi ptr [ %.pre28.i, %for.cond.cleanup.loopexit.i ], [ %89, %if.end6.i ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %answer.i)
  %tobool26.not = icmp eq ptr %retval.0.i, null
  br i1 %tobool26.not, label %if.end28, label %cleanup

if.end28:                                         ; preds = %box.exit.i.i, %if.then15.i.i, %if.end10.i.i, %if.end.i.i58, %cond.end24.thread141, %cond.end24
  %cond132138 = phi i32 [ 0, %cond.end24 ], [ 0, %cond.end24.thread141 ], [ 2, %if.end.i.i58 ], [ 1, %if.end10.i.i ], [ 2, %if.then15.i.i ], [ 2, %box.exit.i.i ]
  %cmp24.i = icmp sgt i64 %call12.sroa.40.0, 0
  br i1 %cmp24.i, label %for.body.lr.ph.i82, label %drop.exit

for.body.lr.ph.i82:                               ; preds = %sw.bb3.i.i.i, %new_array.exit.i.i.i, %if.then.i.i.i.i.i, %if.then.i.i.i.i.i.i, %if.end28
  %cond132138157 = phi i32 [ %cond132138, %if.end28 ], [ 2, %if.then.i.i.i.i.i ], [ 2, %if.then.i.i.i.i.i.i ], [ 1, %sw.bb3.i.i.i ], [ 2, %new_array.exit.i.i.i ]
  %call12.sroa.40.2131139156 = phi i64 [ %call12.sroa.40.0, %if.end28 ], [ %add.i.i, %if.then.i.i.i.i.i ], [ %add.i.i, %if.then.i.i.i.i.i.i ], [ %add.i.i, %new_array.exit.i.i.i ], [ %add.i.i, %sw.bb3.i.i.i ]
  %smax = call i64 @llvm.smax.i64(i64 %call12.sroa.40.2131139156, i64 1)
  br label %for.body.i85

for.body.i85:                                     ; preds = %if.end10.i, %for.body.lr.ph.i82
  %r.026.i86 = phi i64 [ 0, %for.body.lr.ph.i82 ], [ %inc.i94, %if.end10.i ]
  %result.025.i = phi ptr [ %spec.select.i, %for.body.lr.ph.i82 ], [ %add.ptr.i.i93, %if.end10.i ]
  %arrayidx.i87 = getelementptr inbounds ptr, ptr %vla11, i64 %r.026.i86
  %93 = load ptr, ptr %arrayidx.i87, align 8
  %tobool.not.i88 = icmp eq ptr %93, null
  br i1 %tobool.not.i88, label %if.end.i90, label %if.then.i89

if.then.i89:                                      ; preds = %for.body.i85
  call void @Py_DecRef(ptr noundef nonnull %93)
  br label %if.end.i90

if.end.i90:                                       ; preds = %if.then.i89, %for.body.i85
  %94 = load i64, ptr %result.025.i, align 8
  %cmp3.i = icmp eq i64 %94, 7
  br i1 %cmp3.i, label %land.lhs.true.i, label %if.end10.i

land.lhs.true.i:                                  ; preds = %if.end.i90
  %arrayidx4.idx.i = shl nsw i64 %r.026.i86, 4
  %arrayidx4.i = getelementptr inbounds i8, ptr %vla5, i64 %arrayidx4.idx.i
  %95 = load i64, ptr %arrayidx4.i, align 8
  %tobool5.not.i = icmp eq i64 %95, 0
  br i1 %tobool5.not.i, label %if.end10.i, label %if.then6.i

if.then6.i:                                       ; preds = %land.lhs.true.i
  %96 = inttoptr i64 %95 to ptr
  call void @ag_give(ptr noundef nonnull %96, i64 noundef 0)
  br label %if.end10.i

if.end10.i:                                       ; preds = %if.then6.i, %land.lhs.true.i, %if.end.i90
  %sizes.i.i91 = getelementptr inbounds i8, ptr %result.025.i, i64 40
  %ndim.i.i92 = getelementptr inbounds i8, ptr %result.025.i, i64 32
  %97 = load i64, ptr %ndim.i.i92, align 8
  %add.ptr.i.i93 = getelementptr inbounds i64, ptr %sizes.i.i91, i64 %97
  %inc.i94 = add nuw nsw i64 %r.026.i86, 1
  %exitcond.not = icmp eq i64 %inc.i94, %smax
  br i1 %exitcond.not, label %drop.exit, label %for.body.i85

drop.exit:                                        ; preds = %if.end10.i, %if.end28
  %cond132138148 = phi i32 [ %cond132138, %if.end28 ], [ %cond132138157, %if.end10.i ]
  %cmp29 = icmp eq i32 %cond132138148, 1
  br i1 %cmp29, label %cond.true30, label %cleanup

cond.true30:                                      ; preds = %convert.exit.i, %sw.bb14.i.i.i, %sw.bb7.i.i.i, %if.end15.i.i, %if.then.i.i, %lor.lhs.false.i.i.i.i, %land.lhs.true.i.i.i.i, %if.end.i.i.i.i, %sw.bb.i41.i.i, %sw.bb1.i39.i.i, %if.then19.i.i, %for.body.i.i.i.i, %drop.exit
  %arrayidx.i97 = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %98 = load ptr, ptr %arrayidx.i97, align 8
  %call1.i98 = call ptr @PyObject_VectorcallDict(ptr noundef %98, ptr noundef %arguments, i64 noundef %count, ptr noundef null)
  br label %cleanup

cleanup:                                          ; preds = %cond.true30, %drop.exit, %cond.end24
  %retval.0 = phi ptr [ %retval.0.i, %cond.end24 ], [ %call1.i98, %cond.true30 ], [ null, %drop.exit ]
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

declare ptr @PyComplex_FromDoubles(double noundef, double noundef)

define internal fastcc ptr @grown_array(ptr noundef readonly %result, ptr noundef %number) {
entry:
  %ndim = getelementptr inbounds i8, ptr %result, i64 32
  %0 = load i64, ptr %ndim, align 8
  %vla = alloca i64, i64 %0, align 8
  %sizes = getelementptr inbounds i8, ptr %result, i64 40
  %mul = shl i64 %0, 3
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %vla, ptr nonnull align 8 %sizes, i64 %mul, i1 false)
  %arrayidx = getelementptr inbounds i8, ptr %number, i64 8
  %1 = load i64, ptr %arrayidx, align 8
  store i64 %1, ptr %vla, align 8
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
