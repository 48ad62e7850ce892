; Made by `make runtime` of gather.c (892bbaf5e9cf4e34) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Object = type { i64, ptr }
%struct.Walk = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.Table = type { i64, i64, ptr, i64 }
%struct.Known = type { ptr, i64, i64 }
%union.Word = type { i64 }
%struct.LeafPlan = type { i64, i64, i64, i64 }
%struct.HeapPlan = type { i64, i64, i64 }
%struct.TablePlan = type { i64, i64, i64, i64, i64, i64 }
%struct.ClassPlan = type { ptr, i64, i64, i64, i64 }
%struct.GroupPlan = type { i64, i64, i64 }
%struct.ColumnPlan = type { i64, ptr, i64 }
%struct.PartPlan = type { i64, i64, i64, i64, i64, i64 }
%struct.InputPlan = type { i64, i64 }
%struct.Changes = type { ptr, ptr }
%struct.ChangePlan = type { i64, ptr, i64, i64 }

@ag_tuple_head = external constant i64, align 8
@ag_bytes_head = external constant i64, align 8
@PyFloat_Type = external global %struct.Object, align 8
@PyLong_Type = external global %struct.Object, align 8
@_Py_TrueStruct = external global %struct.Object, align 8
@_Py_FalseStruct = external global %struct.Object, align 8
@_Py_NoneStruct = external global %struct.Object, align 8
@PyList_Type = external global %struct.Object, align 8
@PyTuple_Type = external global %struct.Object, align 8
@PyArray_Type = external global %struct.Object, align 8

define ptr @ag_gathered(ptr noundef readonly %self, ptr noundef readonly %leaves, i64 noundef %count) {
entry:
  %outputs.i = alloca ptr, align 8
  %position.i.i.i = alloca i64, align 8
  %key.i.i.i = alloca ptr, align 8
  %value26.i.i.i = alloca ptr, align 8
  %walk = alloca %struct.Walk, align 8
  %0 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %self, i64 %0
  %1 = load ptr, ptr %add.ptr.i, align 8
  %2 = load i64, ptr @ag_bytes_head, align 8
  %add.ptr.i33 = getelementptr inbounds i8, ptr %1, i64 %2
  %3 = load i64, ptr %add.ptr.i33, align 8
  %add = add nsw i64 %3, 1
  %vla = alloca %struct.Table, i64 %add, align 8
  %columns = getelementptr inbounds i8, ptr %add.ptr.i33, i64 8
  %4 = load i64, ptr %columns, align 8
  %add2 = add nsw i64 %4, 1
  %vla3 = alloca ptr, i64 %add2, align 8
  %heaps = getelementptr inbounds i8, ptr %add.ptr.i33, i64 16
  %5 = load i64, ptr %heaps, align 8
  %groups = getelementptr inbounds i8, ptr %add.ptr.i33, i64 24
  %6 = load i64, ptr %groups, align 8
  %add4 = add i64 %5, 1
  %add5 = add i64 %add4, %6
  %vla6 = alloca %struct.Known, i64 %add5, align 8
  %vla9 = alloca i64, i64 %add4, align 8
  %leaves10 = getelementptr inbounds i8, ptr %add.ptr.i33, i64 32
  %7 = load i64, ptr %leaves10, align 8
  %add11 = add nsw i64 %7, 1
  %vla12 = alloca i64, i64 %add11, align 8
  %8 = shl nuw i64 %add, 5
  call void @llvm.memset.p0.i64(ptr nonnull align 8 %vla, i8 0, i64 %8, i1 false)
  %9 = shl nuw i64 %add2, 3
  call void @llvm.memset.p0.i64(ptr nonnull align 8 %vla3, i8 0, i64 %9, i1 false)
  %10 = mul nuw i64 %add5, 24
  call void @llvm.memset.p0.i64(ptr nonnull align 8 %vla6, i8 0, i64 %10, i1 false)
  %11 = shl nuw i64 %add4, 3
  call void @llvm.memset.p0.i64(ptr nonnull align 8 %vla9, i8 0, i64 %11, i1 false)
  call void @llvm.lifetime.start.p0(i64 56, ptr nonnull %walk)
  store ptr %add.ptr.i33, ptr %walk, align 8
  %plan14 = getelementptr inbounds i8, ptr %walk, i64 8
  store ptr %add.ptr.i33, ptr %plan14, align 8
  %tables15 = getelementptr inbounds i8, ptr %walk, i64 16
  store ptr %vla, ptr %tables15, align 8
  %columns16 = getelementptr inbounds i8, ptr %walk, i64 24
  store ptr %vla3, ptr %columns16, align 8
  %known = getelementptr inbounds i8, ptr %walk, i64 32
  store ptr %vla6, ptr %known, align 8
  %finished = getelementptr inbounds i8, ptr %walk, i64 40
  store ptr %vla9, ptr %finished, align 8
  %places = getelementptr inbounds i8, ptr %walk, i64 48
  store ptr %vla12, ptr %places, align 8
  %cmp = icmp eq i64 %7, %count
  br i1 %cmp, label %land.lhs.true, label %if.else

land.lhs.true:                                    ; preds = %entry
  %cmp107.i = icmp sgt i64 %count, 0
  br i1 %cmp107.i, label %for.body.i.preheader, label %for.end.i

for.body.i.preheader:                             ; preds = %land.lhs.true
  %of_leaves.i = getelementptr inbounds i8, ptr %add.ptr.i33, i64 120
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i.preheader, %for.inc.i
  %i.0108.i = phi i64 [ %inc.i, %for.inc.i ], [ 0, %for.body.i.preheader ]
  %12 = load i64, ptr %of_leaves.i, align 8
  %add.ptr.i34 = getelementptr inbounds %union.Word, ptr %add.ptr.i33, i64 %12
  %turn.i = getelementptr inbounds %struct.LeafPlan, ptr %add.ptr.i34, i64 %i.0108.i, i32 3
  %13 = load i64, ptr %turn.i, align 8
  %arrayidx3.i = getelementptr inbounds ptr, ptr %leaves, i64 %13
  %14 = load ptr, ptr %arrayidx3.i, align 8
  %add.ptr2.i.i = getelementptr inbounds %struct.LeafPlan, ptr %add.ptr.i34, i64 %13
  %15 = load i64, ptr %add.ptr2.i.i, align 8
  switch i64 %15, label %for.inc.i [
    i64 1, label %if.then.i.i
    i64 2, label %if.end11.i.i
  ]

if.then.i.i:                                      ; preds = %for.body.i
  %number3.i.i = getelementptr inbounds i8, ptr %add.ptr2.i.i, i64 8
  %16 = load i64, ptr %number3.i.i, align 8
  %call.i.i = call fastcc i64 @place_in_heap(ptr noundef nonnull readonly %walk, i64 noundef %16, ptr noundef %14)
  %arrayidx.i.i = getelementptr inbounds i64, ptr %vla12, i64 %13
  store i64 %call.i.i, ptr %arrayidx.i.i, align 8
  %cmp4.i.i = icmp sgt i64 %call.i.i, -1
  br i1 %cmp4.i.i, label %put_leaf.exit.i, label %if.else

if.end11.i.i:                                     ; preds = %for.body.i
  %call12.i.i = call i64 @PyList_Size(ptr noundef %14)
  %number13.i.i = getelementptr inbounds i8, ptr %add.ptr2.i.i, i64 8
  %17 = load i64, ptr %number13.i.i, align 8
  %call14.i.i = call fastcc i1 @extend(ptr noundef nonnull readonly %walk, i64 noundef %17, i64 noundef %call12.i.i)
  br i1 %call14.i.i, label %for.cond.preheader.i.i, label %if.else

for.cond.preheader.i.i:                           ; preds = %if.end11.i.i
  %cmp17.not59.i.i = icmp slt i64 %call12.i.i, 1
  br i1 %cmp17.not59.i.i, label %for.inc.i, label %for.body.lr.ph.i.i

for.body.lr.ph.i.i:                               ; preds = %for.cond.preheader.i.i
  %more24.i.i = getelementptr inbounds i8, ptr %add.ptr2.i.i, i64 16
  br label %for.body.i.i

for.cond.i.i:                                     ; preds = %for.body.i.i
  %inc29.i.i = add nuw nsw i64 %i.060.i.i, 1
  %exitcond.i.i = icmp eq i64 %inc29.i.i, %call12.i.i
  br i1 %exitcond.i.i, label %for.inc.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i, %for.body.lr.ph.i.i
  %i.060.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc29.i.i, %for.cond.i.i ]
  %18 = load i64, ptr %number13.i.i, align 8
  %arrayidx20.i.i = getelementptr inbounds %struct.Table, ptr %vla, i64 %18
  %19 = load i64, ptr %arrayidx20.i.i, align 8
  %inc.i.i = add nsw i64 %19, 1
  store i64 %inc.i.i, ptr %arrayidx20.i.i, align 8
  %call22.i.i = call ptr @PyList_GetItem(ptr noundef %14, i64 noundef %i.060.i.i)
  %20 = load i64, ptr %more24.i.i, align 8
  %add.ptr25.i.i = getelementptr inbounds %union.Word, ptr %add.ptr.i33, i64 %20
  %call26.i.i = call fastcc ptr @put(ptr noundef nonnull readonly %walk, ptr noundef %call22.i.i, ptr noundef nonnull %add.ptr25.i.i, i64 noundef %19)
  %tobool.not.not.i.i = icmp eq ptr %call26.i.i, null
  br i1 %tobool.not.not.i.i, label %if.else, label %for.cond.i.i

put_leaf.exit.i:                                  ; preds = %if.then.i.i
  %more.i.i = getelementptr inbounds i8, ptr %add.ptr2.i.i, i64 16
  %21 = load i64, ptr %more.i.i, align 8
  %cmp5.i.i = icmp slt i64 %21, 0
  %cmp7.i.i = icmp eq i64 %call.i.i, %21
  %spec.select.i.i = or i1 %cmp5.i.i, %cmp7.i.i
  br i1 %spec.select.i.i, label %for.inc.i, label %if.else

for.inc.i:                                        ; preds = %for.cond.i.i, %put_leaf.exit.i, %for.cond.preheader.i.i, %for.body.i
  %inc.i = add nuw nsw i64 %i.0108.i, 1
  %22 = load i64, ptr %leaves10, align 8
  %cmp.i = icmp slt i64 %inc.i, %22
  br i1 %cmp.i, label %for.body.i, label %for.end.i

for.end.i:                                        ; preds = %for.inc.i, %land.lhs.true
  %of_heaps.i.i = getelementptr inbounds i8, ptr %add.ptr.i33, i64 104
  %23 = load i64, ptr %of_heaps.i.i, align 8
  %add.ptr.i43.i = getelementptr inbounds %union.Word, ptr %add.ptr.i33, i64 %23
  br label %for.cond1.preheader.i.i

for.cond1.preheader.i.i:                          ; preds = %cleanup25.i.i, %for.end.i
  %.pre.i.i = phi ptr [ %vla9, %for.end.i ], [ %.pre.i.i79, %cleanup25.i.i ]
  %24 = phi ptr [ %add.ptr.i33, %for.end.i ], [ %66, %cleanup25.i.i ]
  %heaps381.i.i = getelementptr inbounds i8, ptr %24, i64 16
  %25 = load i64, ptr %heaps381.i.i, align 8
  %cmp.not82.i.i = icmp sgt i64 %25, 0
  br i1 %cmp.not82.i.i, label %for.body5.i.i, label %for.cond10.preheader.i

for.body5.i.i:                                    ; preds = %for.cond1.preheader.i.i, %for.inc23.i.i
  %.pre.i.i78 = phi ptr [ %.pre.i.i79, %for.inc23.i.i ], [ %.pre.i.i, %for.cond1.preheader.i.i ]
  %26 = phi ptr [ %66, %for.inc23.i.i ], [ %24, %for.cond1.preheader.i.i ]
  %27 = phi ptr [ %67, %for.inc23.i.i ], [ %24, %for.cond1.preheader.i.i ]
  %28 = phi ptr [ %68, %for.inc23.i.i ], [ %.pre.i.i, %for.cond1.preheader.i.i ]
  %is_new.1.off084.i.i = phi i1 [ %is_new.2.off0.lcssa.i.i, %for.inc23.i.i ], [ false, %for.cond1.preheader.i.i ]
  %h.083.i.i = phi i64 [ %inc24.i.i, %for.inc23.i.i ], [ 0, %for.cond1.preheader.i.i ]
  %29 = load ptr, ptr %tables15, align 8
  %arrayidx.i46.i = getelementptr inbounds %struct.HeapPlan, ptr %add.ptr.i43.i, i64 %h.083.i.i
  %30 = load i64, ptr %arrayidx.i46.i, align 8
  %arrayidx7.i.i = getelementptr inbounds %struct.Table, ptr %29, i64 %30
  %arrayidx977.i.i = getelementptr inbounds i64, ptr %28, i64 %h.083.i.i
  %31 = load i64, ptr %arrayidx977.i.i, align 8
  %32 = load i64, ptr %arrayidx7.i.i, align 8
  %cmp10.not78.i.i = icmp slt i64 %31, %32
  br i1 %cmp10.not78.i.i, label %for.body11.lr.ph.i.i, label %for.inc23.i.i

for.body11.lr.ph.i.i:                             ; preds = %for.body5.i.i
  %classes1.i.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i46.i, i64 16
  %count.i.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i46.i, i64 8
  br label %for.body11.i.i

for.body11.i.i:                                   ; preds = %for.cond8.backedge.i.i, %for.body11.lr.ph.i.i
  %33 = phi i64 [ %31, %for.body11.lr.ph.i.i ], [ %59, %for.cond8.backedge.i.i ]
  %arrayidx980.i.i = phi ptr [ %arrayidx977.i.i, %for.body11.lr.ph.i.i ], [ %arrayidx9.i.i, %for.cond8.backedge.i.i ]
  %inc.i47.i = add nsw i64 %33, 1
  store i64 %inc.i47.i, ptr %arrayidx980.i.i, align 8
  %34 = load i64, ptr %arrayidx.i46.i, align 8
  %35 = load ptr, ptr %columns16, align 8
  %36 = load ptr, ptr %walk, align 8
  %37 = load ptr, ptr %plan14, align 8
  %of_tables.i.i.i = getelementptr inbounds i8, ptr %37, i64 88
  %38 = load i64, ptr %of_tables.i.i.i, align 8
  %add.ptr.i.i.i = getelementptr inbounds %union.Word, ptr %36, i64 %38
  %arrayidx.i.i.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i.i.i, i64 %34
  %39 = load i64, ptr %arrayidx.i.i.i, align 8
  %arrayidx1.i.i.i = getelementptr inbounds ptr, ptr %35, i64 %39
  %40 = load ptr, ptr %arrayidx1.i.i.i, align 8
  %arrayidx16.i.i = getelementptr inbounds ptr, ptr %40, i64 %33
  %41 = load ptr, ptr %arrayidx16.i.i, align 8
  %42 = load i64, ptr %classes1.i.i.i.i, align 8
  %add.ptr.i.i.i.i = getelementptr inbounds %union.Word, ptr %36, i64 %42
  %43 = load i64, ptr %count.i.i.i.i, align 8
  %cmp.not11.i.i.i.i = icmp sgt i64 %43, 0
  call void @llvm.assume(i1 %cmp.not11.i.i.i.i)
  %type2.i.i.i.i = getelementptr inbounds i8, ptr %41, i64 8
  %44 = load ptr, ptr %type2.i.i.i.i, align 8
  %45 = load ptr, ptr %add.ptr.i.i.i.i, align 8
  %cmp3.i80.i.i.i = icmp eq ptr %45, %44
  br i1 %cmp3.i80.i.i.i, label %class_of.exit.i.i.i, label %for.cond.i.i.i.i

for.cond.i.i.i.i:                                 ; preds = %for.body11.i.i, %for.cond.i.i.i.i
  %k.012.i81.i.i.i = phi i64 [ %inc.i.i.i.i, %for.cond.i.i.i.i ], [ 0, %for.body11.i.i ]
  %inc.i.i.i.i = add nuw nsw i64 %k.012.i81.i.i.i, 1
  %exitcond.not.i.i.i.i = icmp ne i64 %inc.i.i.i.i, %43
  call void @llvm.assume(i1 %exitcond.not.i.i.i.i)
  %arrayidx.i.i.i.i = getelementptr inbounds %struct.ClassPlan, ptr %add.ptr.i.i.i.i, i64 %inc.i.i.i.i
  %46 = load ptr, ptr %arrayidx.i.i.i.i, align 8
  %cmp3.i.i.i.i = icmp eq ptr %46, %44
  br i1 %cmp3.i.i.i.i, label %class_of.exit.i.i.i, label %for.cond.i.i.i.i

class_of.exit.i.i.i:                              ; preds = %for.cond.i.i.i.i, %for.body11.i.i
  %arrayidx.i.lcssa.i.i.i = phi ptr [ %add.ptr.i.i.i.i, %for.body11.i.i ], [ %arrayidx.i.i.i.i, %for.cond.i.i.i.i ]
  %nodes.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i.lcssa.i.i.i, i64 32
  %47 = load i64, ptr %nodes.i.i.i, align 8
  %add.ptr.i58.i.i = getelementptr inbounds %union.Word, ptr %36, i64 %47
  %made_up.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i.lcssa.i.i.i, i64 8
  %48 = load i64, ptr %made_up.i.i.i, align 8
  %cmp82.i.i.i = icmp sgt i64 %48, 0
  br i1 %cmp82.i.i.i, label %for.body.i.i.i, label %for.cond3.preheader.i.i.i

for.cond3.preheader.i.i.i:                        ; preds = %for.body.i.i.i, %class_of.exit.i.i.i
  %node.0.lcssa.i.i.i = phi ptr [ %add.ptr.i58.i.i, %class_of.exit.i.i.i ], [ %call1.i.i.i, %for.body.i.i.i ]
  %slots.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i.lcssa.i.i.i, i64 16
  %49 = load i64, ptr %slots.i.i.i, align 8
  %cmp486.i.i.i = icmp sgt i64 %49, 0
  %tobool87.i.i.i = icmp ne ptr %node.0.lcssa.i.i.i, null
  %50 = select i1 %cmp486.i.i.i, i1 %tobool87.i.i.i, i1 false
  br i1 %50, label %for.body6.i.i.i, label %for.cond.cleanup5.i.i.i

for.body.i.i.i:                                   ; preds = %class_of.exit.i.i.i, %for.body.i.i.i
  %node.084.i.i.i = phi ptr [ %call1.i.i.i, %for.body.i.i.i ], [ %add.ptr.i58.i.i, %class_of.exit.i.i.i ]
  %k.083.i.i.i = phi i64 [ %inc.i.i.i, %for.body.i.i.i ], [ 0, %class_of.exit.i.i.i ]
  %call1.i.i.i = call fastcc ptr @put(ptr noundef nonnull readonly %walk, ptr noundef null, ptr noundef %node.084.i.i.i, i64 noundef %33)
  %inc.i.i.i = add nuw nsw i64 %k.083.i.i.i, 1
  %51 = load i64, ptr %made_up.i.i.i, align 8
  %cmp.i.i.i = icmp slt i64 %inc.i.i.i, %51
  br i1 %cmp.i.i.i, label %for.body.i.i.i, label %for.cond3.preheader.i.i.i

for.cond.cleanup5.i.i.i:                          ; preds = %cond.end.i.i.i, %for.cond3.preheader.i.i.i
  %node.1.lcssa.i.i.i = phi ptr [ %node.0.lcssa.i.i.i, %for.cond3.preheader.i.i.i ], [ %call10.i.i.i, %cond.end.i.i.i ]
  %tobool.lcssa.i.i.i = phi i1 [ %tobool87.i.i.i, %for.cond3.preheader.i.i.i ], [ %tobool.i.i.i, %cond.end.i.i.i ]
  br i1 %tobool.lcssa.i.i.i, label %lor.lhs.false.i.i.i, label %if.else

for.body6.i.i.i:                                  ; preds = %for.cond3.preheader.i.i.i, %cond.end.i.i.i
  %node.189.i.i.i = phi ptr [ %call10.i.i.i, %cond.end.i.i.i ], [ %node.0.lcssa.i.i.i, %for.cond3.preheader.i.i.i ]
  %k2.088.i.i.i = phi i64 [ %inc12.i.i.i, %cond.end.i.i.i ], [ 0, %for.cond3.preheader.i.i.i ]
  %52 = load i64, ptr %node.189.i.i.i, align 8
  %add.ptr7.i.i.i = getelementptr inbounds i8, ptr %41, i64 %52
  %53 = load ptr, ptr %add.ptr7.i.i.i, align 8
  %tobool8.not.i.i.i = icmp eq ptr %53, null
  br i1 %tobool8.not.i.i.i, label %if.else, label %cond.end.i.i.i

cond.end.i.i.i:                                   ; preds = %for.body6.i.i.i
  %add.ptr9.i.i.i = getelementptr inbounds i8, ptr %node.189.i.i.i, i64 8
  %call10.i.i.i = call fastcc ptr @put(ptr noundef nonnull readonly %walk, ptr noundef nonnull %53, ptr noundef nonnull %add.ptr9.i.i.i, i64 noundef %33)
  %.pre.i.i.i = load i64, ptr %slots.i.i.i, align 8
  %inc12.i.i.i = add nuw nsw i64 %k2.088.i.i.i, 1
  %cmp4.i.i.i = icmp slt i64 %inc12.i.i.i, %.pre.i.i.i
  %tobool.i.i.i = icmp ne ptr %call10.i.i.i, null
  %54 = select i1 %cmp4.i.i.i, i1 %tobool.i.i.i, i1 false
  br i1 %54, label %for.body6.i.i.i, label %for.cond.cleanup5.i.i.i

lor.lhs.false.i.i.i:                              ; preds = %for.cond.cleanup5.i.i.i
  %items.i.i.i = getelementptr inbounds i8, ptr %arrayidx.i.lcssa.i.i.i, i64 24
  %55 = load i64, ptr %items.i.i.i, align 8
  %cmp15.i.i.i = icmp slt i64 %55, 0
  br i1 %cmp15.i.i.i, label %for.cond8.backedge.i.i, label %if.end.i.i.i

if.end.i.i.i:                                     ; preds = %lor.lhs.false.i.i.i
  %call17.i.i.i = call ptr @PyObject_GenericGetDict(ptr noundef %41, ptr noundef null)
  %tobool18.not.i.i.i = icmp eq ptr %call17.i.i.i, null
  br i1 %tobool18.not.i.i.i, label %if.then19.i.i.i, label %if.end20.i.i.i

if.then19.i.i.i:                                  ; preds = %if.end.i.i.i
  call void @PyErr_Clear()
  br label %if.else

if.end20.i.i.i:                                   ; preds = %if.end.i.i.i
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %position.i.i.i)
  store i64 0, ptr %position.i.i.i, align 8
  %call21.i.i.i = call i64 @PyDict_Size(ptr noundef nonnull %call17.i.i.i)
  %56 = load i64, ptr %items.i.i.i, align 8
  %cmp23.not.i.i.i = icmp eq i64 %call21.i.i.i, %56
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %key.i.i.i)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %value26.i.i.i)
  %cmp3092.i.i.i = icmp sgt i64 %56, 0
  %tobool3293112.i.i.i = icmp ne ptr %node.1.lcssa.i.i.i, null
  %tobool3293.i.i.i = select i1 %cmp23.not.i.i.i, i1 %tobool3293112.i.i.i, i1 false
  %57 = select i1 %cmp3092.i.i.i, i1 %tobool3293.i.i.i, i1 false
  br i1 %57, label %for.body35.i.i.i, label %for.cond.cleanup34.i.i.i

for.cond.cleanup34.i.thread.i.i:                  ; preds = %lor.lhs.false38.i.i.i, %for.body35.i.i.i
  call void @Py_DecRef(ptr noundef nonnull %call17.i.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value26.i.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %key.i.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %position.i.i.i)
  br label %if.else

for.cond.cleanup34.i.i.i:                         ; preds = %for.inc45.i.i.i, %if.end20.i.i.i
  %tobool32.lcssa.i.i.i = phi i1 [ %tobool3293.i.i.i, %if.end20.i.i.i ], [ %tobool32.i.i.i, %for.inc45.i.i.i ]
  call void @Py_DecRef(ptr noundef nonnull %call17.i.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %value26.i.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %key.i.i.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %position.i.i.i)
  br i1 %tobool32.lcssa.i.i.i, label %for.cond8.backedge.i.i, label %if.else

for.cond8.backedge.i.i:                           ; preds = %for.cond.cleanup34.i.i.i, %lor.lhs.false.i.i.i
  %58 = load ptr, ptr %finished, align 8
  %arrayidx9.i.i = getelementptr inbounds i64, ptr %58, i64 %h.083.i.i
  %59 = load i64, ptr %arrayidx9.i.i, align 8
  %60 = load i64, ptr %arrayidx7.i.i, align 8
  %cmp10.not.i.i = icmp slt i64 %59, %60
  br i1 %cmp10.not.i.i, label %for.body11.i.i, label %for.inc23.loopexit.i.i

for.body35.i.i.i:                                 ; preds = %if.end20.i.i.i, %for.inc45.i.i.i
  %k27.095.i.i.i = phi i64 [ %inc46.i.i.i, %for.inc45.i.i.i ], [ 0, %if.end20.i.i.i ]
  %node.394.i.i.i = phi ptr [ %call43.i.i.i, %for.inc45.i.i.i ], [ %node.1.lcssa.i.i.i, %if.end20.i.i.i ]
  %call36.i.i.i = call i32 @PyDict_Next(ptr noundef nonnull %call17.i.i.i, ptr noundef nonnull %position.i.i.i, ptr noundef nonnull %key.i.i.i, ptr noundef nonnull %value26.i.i.i)
  %tobool37.not.i.i.i = icmp eq i32 %call36.i.i.i, 0
  br i1 %tobool37.not.i.i.i, label %for.cond.cleanup34.i.thread.i.i, label %lor.lhs.false38.i.i.i

lor.lhs.false38.i.i.i:                            ; preds = %for.body35.i.i.i
  %61 = load ptr, ptr %key.i.i.i, align 8
  %62 = load ptr, ptr %node.394.i.i.i, align 8
  %cmp40.not.i.i.i = icmp eq ptr %61, %62
  br i1 %cmp40.not.i.i.i, label %for.inc45.i.i.i, label %for.cond.cleanup34.i.thread.i.i

for.inc45.i.i.i:                                  ; preds = %lor.lhs.false38.i.i.i
  %63 = load ptr, ptr %value26.i.i.i, align 8
  %add.ptr42.i.i.i = getelementptr inbounds i8, ptr %node.394.i.i.i, i64 8
  %call43.i.i.i = call fastcc ptr @put(ptr noundef nonnull readonly %walk, ptr noundef %63, ptr noundef nonnull %add.ptr42.i.i.i, i64 noundef %33)
  %inc46.i.i.i = add nuw nsw i64 %k27.095.i.i.i, 1
  %64 = load i64, ptr %items.i.i.i, align 8
  %cmp30.i.i.i = icmp slt i64 %inc46.i.i.i, %64
  %tobool32.i.i.i = icmp ne ptr %call43.i.i.i, null
  %65 = select i1 %cmp30.i.i.i, i1 %tobool32.i.i.i, i1 false
  br i1 %65, label %for.body35.i.i.i, label %for.cond.cleanup34.i.i.i

for.inc23.loopexit.i.i:                           ; preds = %for.cond8.backedge.i.i
  %.pre98.i.i = load ptr, ptr %plan14, align 8
  br label %for.inc23.i.i

for.inc23.i.i:                                    ; preds = %for.inc23.loopexit.i.i, %for.body5.i.i
  %.pre.i.i79 = phi ptr [ %.pre.i.i78, %for.body5.i.i ], [ %58, %for.inc23.loopexit.i.i ]
  %66 = phi ptr [ %26, %for.body5.i.i ], [ %.pre98.i.i, %for.inc23.loopexit.i.i ]
  %67 = phi ptr [ %27, %for.body5.i.i ], [ %.pre98.i.i, %for.inc23.loopexit.i.i ]
  %68 = phi ptr [ %28, %for.body5.i.i ], [ %58, %for.inc23.loopexit.i.i ]
  %is_new.2.off0.lcssa.i.i = phi i1 [ %is_new.1.off084.i.i, %for.body5.i.i ], [ true, %for.inc23.loopexit.i.i ]
  %inc24.i.i = add nuw nsw i64 %h.083.i.i, 1
  %heaps3.i.i = getelementptr inbounds i8, ptr %67, i64 16
  %69 = load i64, ptr %heaps3.i.i, align 8
  %cmp.not.i.i = icmp slt i64 %inc24.i.i, %69
  br i1 %cmp.not.i.i, label %for.body5.i.i, label %cleanup25.i.i

cleanup25.i.i:                                    ; preds = %for.inc23.i.i
  br i1 %is_new.2.off0.lcssa.i.i, label %for.cond1.preheader.i.i, label %for.cond10.preheader.i

for.cond10.preheader.i:                           ; preds = %cleanup25.i.i, %for.cond1.preheader.i.i
  %70 = phi ptr [ %66, %cleanup25.i.i ], [ %24, %for.cond1.preheader.i.i ]
  %leaves12.i = getelementptr inbounds i8, ptr %70, i64 32
  %71 = load i64, ptr %leaves12.i, align 8
  %cmp13110.i = icmp sgt i64 %71, 0
  %.pre133.i = load ptr, ptr %walk, align 8
  br i1 %cmp13110.i, label %for.body15.lr.ph.i, label %for.end24.i

for.body15.lr.ph.i:                               ; preds = %for.cond10.preheader.i
  %of_leaves.i49.i = getelementptr inbounds i8, ptr %70, i64 120
  %72 = load i64, ptr %of_leaves.i49.i, align 8
  %add.ptr.i50.i = getelementptr inbounds %union.Word, ptr %.pre133.i, i64 %72
  %of_groups.i.i = getelementptr inbounds i8, ptr %70, i64 112
  %groups5.i.i = getelementptr inbounds i8, ptr %70, i64 24
  %heaps.i.i = getelementptr inbounds i8, ptr %70, i64 16
  %of_tables.i.i56.i = getelementptr inbounds i8, ptr %70, i64 88
  %73 = load ptr, ptr %known, align 8
  %74 = load ptr, ptr %columns16, align 8
  br label %for.body15.i

for.body15.i:                                     ; preds = %for.inc20.i, %for.body15.lr.ph.i
  %i9.0111.i = phi i64 [ 0, %for.body15.lr.ph.i ], [ %inc21.i, %for.inc20.i ]
  %arrayidx16.i = getelementptr inbounds ptr, ptr %leaves, i64 %i9.0111.i
  %75 = load ptr, ptr %arrayidx16.i, align 8
  %arrayidx.i51.i = getelementptr inbounds %struct.LeafPlan, ptr %add.ptr.i50.i, i64 %i9.0111.i
  %76 = load i64, ptr %arrayidx.i51.i, align 8
  %cmp.not.i52.i = icmp eq i64 %76, 2
  br i1 %cmp.not.i52.i, label %if.end.i.i, label %for.inc20.i

if.end.i.i:                                       ; preds = %for.body15.i
  %77 = load i64, ptr %of_groups.i.i, align 8
  %add.ptr3.i.i = getelementptr inbounds %union.Word, ptr %.pre133.i, i64 %77
  %78 = load i64, ptr %groups5.i.i, align 8
  %cmp6.not.not40.i.i = icmp sgt i64 %78, 0
  br i1 %cmp6.not.not40.i.i, label %for.body.lr.ph.i54.i, label %for.inc20.i

for.body.lr.ph.i54.i:                             ; preds = %if.end.i.i
  %79 = load i64, ptr %heaps.i.i, align 8
  %80 = getelementptr %struct.Known, ptr %73, i64 %79
  %81 = load i64, ptr %of_tables.i.i56.i, align 8
  %add.ptr.i.i57.i = getelementptr inbounds %union.Word, ptr %.pre133.i, i64 %81
  %82 = ptrtoint ptr %75 to i64
  %shr.i.i.i.i = lshr i64 %82, 4
  %mul.i.i.i.i = mul i64 %shr.i.i.i.i, -7046029254386353131
  %shr1.i.i.i.i = lshr i64 %mul.i.i.i.i, 20
  br label %for.body.i58.i

for.body.i58.i:                                   ; preds = %for.inc.i.i, %for.body.lr.ph.i54.i
  %g.041.i.i = phi i64 [ 0, %for.body.lr.ph.i54.i ], [ %inc.i64.i, %for.inc.i.i ]
  %parts9.i.i = getelementptr inbounds %struct.GroupPlan, ptr %add.ptr3.i.i, i64 %g.041.i.i, i32 2
  %83 = load i64, ptr %parts9.i.i, align 8
  %add.ptr10.i.i = getelementptr inbounds %union.Word, ptr %.pre133.i, i64 %83
  %arrayidx13.i.i = getelementptr %struct.Known, ptr %80, i64 %g.041.i.i
  %84 = load i64, ptr %add.ptr10.i.i, align 8
  %arrayidx.i.i59.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i.i57.i, i64 %84
  %85 = load i64, ptr %arrayidx.i.i59.i, align 8
  %arrayidx1.i.i60.i = getelementptr inbounds ptr, ptr %74, i64 %85
  %86 = load ptr, ptr %arrayidx1.i.i60.i, align 8
  %87 = load ptr, ptr %arrayidx13.i.i, align 8
  %tobool.not.i.i.i = icmp eq ptr %87, null
  br i1 %tobool.not.i.i.i, label %for.inc.i.i, label %if.end.i.i61.i

if.end.i.i61.i:                                   ; preds = %for.body.i58.i
  %mask.i.i.i = getelementptr inbounds i8, ptr %arrayidx13.i.i, i64 8
  %88 = load i64, ptr %mask.i.i.i, align 8
  %slot.022.i.i.i = and i64 %88, %shr1.i.i.i.i
  %arrayidx23.i.i.i = getelementptr inbounds i32, ptr %87, i64 %slot.022.i.i.i
  %89 = load i32, ptr %arrayidx23.i.i.i, align 4
  %tobool2.not24.i.i.i = icmp eq i32 %89, 0
  br i1 %tobool2.not24.i.i.i, label %for.inc.i.i, label %for.body.i.preheader.i.i

for.body.i.preheader.i.i:                         ; preds = %if.end.i.i61.i
  %invariant.gep.i.i = getelementptr i8, ptr %86, i64 -8
  br label %for.body.i.i62.i

for.cond.i.i.i:                                   ; preds = %for.body.i.i62.i
  %add.i.i.i = add i64 %slot.025.i.i.i, 1
  %slot.0.i.i.i = and i64 %add.i.i.i, %88
  %arrayidx.i36.i.i = getelementptr inbounds i32, ptr %87, i64 %slot.0.i.i.i
  %90 = load i32, ptr %arrayidx.i36.i.i, align 4
  %tobool2.not.i.i.i = icmp eq i32 %90, 0
  br i1 %tobool2.not.i.i.i, label %for.inc.i.i, label %for.body.i.i62.i

for.body.i.i62.i:                                 ; preds = %for.cond.i.i.i, %for.body.i.preheader.i.i
  %91 = phi i32 [ %90, %for.cond.i.i.i ], [ %89, %for.body.i.preheader.i.i ]
  %slot.025.i.i.i = phi i64 [ %slot.0.i.i.i, %for.cond.i.i.i ], [ %slot.022.i.i.i, %for.body.i.preheader.i.i ]
  %92 = sext i32 %91 to i64
  %gep.i.i = getelementptr ptr, ptr %invariant.gep.i.i, i64 %92
  %93 = load ptr, ptr %gep.i.i, align 8
  %cmp.i.i63.i = icmp eq ptr %93, %75
  br i1 %cmp.i.i63.i, label %find.exit.i.i, label %for.cond.i.i.i

find.exit.i.i:                                    ; preds = %for.body.i.i62.i
  %cmp16.i.i = icmp slt i32 %91, 1
  br i1 %cmp16.i.i, label %for.inc.i.i, label %if.else

for.inc.i.i:                                      ; preds = %for.cond.i.i.i, %find.exit.i.i, %if.end.i.i61.i, %for.body.i58.i
  %inc.i64.i = add nuw nsw i64 %g.041.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i64.i, %78
  br i1 %exitcond.not.i.i, label %for.inc20.i, label %for.body.i58.i

for.inc20.i:                                      ; preds = %for.inc.i.i, %if.end.i.i, %for.body15.i
  %inc21.i = add nuw nsw i64 %i9.0111.i, 1
  %exitcond.not.i = icmp eq i64 %inc21.i, %71
  br i1 %exitcond.not.i, label %for.end24.i, label %for.body15.i

for.end24.i:                                      ; preds = %for.inc20.i, %for.cond10.preheader.i
  %of_tables.i.i = getelementptr inbounds i8, ptr %70, i64 88
  %94 = load i64, ptr %of_tables.i.i, align 8
  %add.ptr.i66.i = getelementptr inbounds %union.Word, ptr %.pre133.i, i64 %94
  %95 = load i64, ptr %70, align 8
  %cmp.not39.i.i = icmp slt i64 %95, 1
  br i1 %cmp.not39.i.i, label %if.then, label %for.body.lr.ph.i67.i

for.body.lr.ph.i67.i:                             ; preds = %for.end24.i
  %96 = load ptr, ptr %tables15, align 8
  %97 = load i64, ptr %96, align 8
  %least.i112.i = getelementptr inbounds i8, ptr %add.ptr.i66.i, i64 16
  %98 = load i64, ptr %least.i112.i, align 8
  %cmp5.i70113.i = icmp slt i64 %97, %98
  br i1 %cmp5.i70113.i, label %if.else, label %lor.lhs.false.i.i.preheader

lor.lhs.false.i.i.preheader:                      ; preds = %for.body.lr.ph.i67.i
  %most.i.i58 = getelementptr inbounds i8, ptr %add.ptr.i66.i, i64 24
  %99 = load i64, ptr %most.i.i58, align 8
  %cmp7.i71.i59 = icmp sgt i64 %97, %99
  br i1 %cmp7.i71.i59, label %if.else, label %if.end.i72.i

for.body.i68.i:                                   ; preds = %if.end17.i.i
  %arrayidx.i69.i = getelementptr inbounds %struct.Table, ptr %96, i64 %inc.i73.i
  %100 = load i64, ptr %arrayidx.i69.i, align 8
  %least.i.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i66.i, i64 %inc.i73.i, i32 2
  %101 = load i64, ptr %least.i.i, align 8
  %cmp5.i70.i = icmp slt i64 %100, %101
  br i1 %cmp5.i70.i, label %gather.exit, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %for.body.i68.i
  %most.i.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i66.i, i64 %inc.i73.i, i32 3
  %102 = load i64, ptr %most.i.i, align 8
  %cmp7.i71.i = icmp sgt i64 %100, %102
  br i1 %cmp7.i71.i, label %gather.exit, label %if.end.i72.i

if.end.i72.i:                                     ; preds = %lor.lhs.false.i.i.preheader, %lor.lhs.false.i.i
  %cmp.not41.i114.i61 = phi i1 [ %cmp.not.i74.i, %lor.lhs.false.i.i ], [ false, %lor.lhs.false.i.i.preheader ]
  %t.040.i115.i60 = phi i64 [ %inc.i73.i, %lor.lhs.false.i.i ], [ 0, %lor.lhs.false.i.i.preheader ]
  %103 = phi i64 [ %100, %lor.lhs.false.i.i ], [ %97, %lor.lhs.false.i.i.preheader ]
  %like.i.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i66.i, i64 %t.040.i115.i60, i32 5
  %104 = load i64, ptr %like.i.i, align 8
  %cmp9.i.i = icmp sgt i64 %104, -1
  br i1 %cmp9.i.i, label %land.lhs.true.i.i, label %if.end17.i.i

land.lhs.true.i.i:                                ; preds = %if.end.i72.i
  %arrayidx13.i76.i = getelementptr inbounds %struct.Table, ptr %96, i64 %104
  %105 = load i64, ptr %arrayidx13.i76.i, align 8
  %cmp15.not.i.i = icmp eq i64 %105, %103
  br i1 %cmp15.not.i.i, label %if.end17.i.i, label %gather.exit

if.end17.i.i:                                     ; preds = %land.lhs.true.i.i, %if.end.i72.i
  %inc.i73.i = add nuw nsw i64 %t.040.i115.i60, 1
  %cmp.not.i74.i = icmp sge i64 %inc.i73.i, %95
  %exitcond.i75.i = icmp eq i64 %inc.i73.i, %95
  br i1 %exitcond.i75.i, label %gather.exit, label %for.body.i68.i

gather.exit:                                      ; preds = %if.end17.i.i, %land.lhs.true.i.i, %lor.lhs.false.i.i, %for.body.i68.i
  %retval.4.i = phi i1 [ %cmp.not.i74.i, %for.body.i68.i ], [ %cmp.not.i74.i, %lor.lhs.false.i.i ], [ %cmp.not41.i114.i61, %land.lhs.true.i.i ], [ %cmp.not.i74.i, %if.end17.i.i ]
  br i1 %retval.4.i, label %if.then, label %if.else

if.then:                                          ; preds = %for.end24.i, %gather.exit
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %outputs.i)
  %arrayidx.i = getelementptr inbounds i8, ptr %add.ptr.i, i64 8
  %106 = load ptr, ptr %arrayidx.i, align 8
  %call.i = call fastcc ptr @outputs_of(ptr noundef nonnull %walk, ptr noundef %106, ptr noundef readonly %leaves)
  store ptr %call.i, ptr %outputs.i, align 8
  %tobool.not.i = icmp eq ptr %call.i, null
  br i1 %tobool.not.i, label %run.exit, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.then
  %outputs1.i = getelementptr inbounds i8, ptr %70, i64 48
  %107 = load i64, ptr %outputs1.i, align 8
  %tobool2.not.i = icmp eq i64 %107, 0
  br i1 %tobool2.not.i, label %run.exit, label %if.end.i

if.end.i:                                         ; preds = %lor.lhs.false.i
  %is_single.i = getelementptr inbounds i8, ptr %70, i64 64
  %108 = load i64, ptr %is_single.i, align 8
  %tobool4.not.i = icmp eq i64 %108, 0
  %add.ptr.i.i = getelementptr inbounds i8, ptr %call.i, i64 %0
  %cond.i = select i1 %tobool4.not.i, ptr %add.ptr.i.i, ptr %outputs.i
  %arrayidx6.i = getelementptr inbounds i8, ptr %add.ptr.i, i64 24
  %109 = load ptr, ptr %arrayidx6.i, align 8
  %call7.i = call fastcc ptr @delivered(ptr noundef nonnull %walk, ptr noundef nonnull %cond.i, ptr noundef %109)
  call void @Py_DecRef(ptr noundef nonnull %call.i)
  br label %run.exit

run.exit:                                         ; preds = %if.then, %lor.lhs.false.i, %if.end.i
  %retval.0.i = phi ptr [ %call7.i, %if.end.i ], [ %call.i, %lor.lhs.false.i ], [ null, %if.then ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %outputs.i)
  br label %if.end

if.else:                                          ; preds = %if.end11.i.i, %if.then.i.i, %put_leaf.exit.i, %for.body.i.i, %for.cond.cleanup34.i.i.i, %for.cond.cleanup5.i.i.i, %for.body6.i.i.i, %find.exit.i.i, %lor.lhs.false.i.i.preheader, %for.cond.cleanup34.i.thread.i.i, %if.then19.i.i.i, %for.body.lr.ph.i67.i, %gather.exit, %entry
  %arrayidx20 = getelementptr inbounds i8, ptr %add.ptr.i, i64 16
  %110 = load ptr, ptr %arrayidx20, align 8
  %call21 = call ptr @PyObject_VectorcallDict(ptr noundef %110, ptr noundef null, i64 noundef 0, ptr noundef null)
  br label %if.end

if.end:                                           ; preds = %if.else, %run.exit
  %answer.0 = phi ptr [ %retval.0.i, %run.exit ], [ %call21, %if.else ]
  %111 = load ptr, ptr %plan14, align 8
  %112 = load ptr, ptr %walk, align 8
  %of_tables.i = getelementptr inbounds i8, ptr %111, i64 88
  %113 = load i64, ptr %of_tables.i, align 8
  %add.ptr.i36 = getelementptr inbounds %union.Word, ptr %112, i64 %113
  %of_columns.i = getelementptr inbounds i8, ptr %111, i64 96
  %114 = load i64, ptr %of_columns.i, align 8
  %add.ptr5.i = getelementptr inbounds %union.Word, ptr %112, i64 %114
  %heaps.i = getelementptr inbounds i8, ptr %111, i64 16
  %groups.i = getelementptr inbounds i8, ptr %111, i64 24
  %115 = load i64, ptr %heaps.i, align 8
  %116 = load i64, ptr %groups.i, align 8
  %add61.i = add nsw i64 %116, %115
  %cmp62.i = icmp sgt i64 %add61.i, 0
  br i1 %cmp62.i, label %for.body.i42, label %for.cond8.preheader.i

for.cond8.preheader.i:                            ; preds = %for.body.i42, %if.end
  %117 = load i64, ptr %111, align 8
  %cmp965.i = icmp sgt i64 %117, 0
  br i1 %cmp965.i, label %for.body11.lr.ph.i, label %release.exit

for.body11.lr.ph.i:                               ; preds = %for.cond8.preheader.i
  %rows.i = getelementptr inbounds i8, ptr %111, i64 80
  br label %for.body11.i

for.body.i42:                                     ; preds = %if.end, %for.body.i42
  %k.063.i = phi i64 [ %inc.i44, %for.body.i42 ], [ 0, %if.end ]
  %118 = load ptr, ptr %known, align 8
  %arrayidx.i43 = getelementptr inbounds %struct.Known, ptr %118, i64 %k.063.i
  %119 = load ptr, ptr %arrayidx.i43, align 8
  %bytes.i = getelementptr inbounds i8, ptr %arrayidx.i43, i64 16
  %120 = load i64, ptr %bytes.i, align 8
  call void @ag_give(ptr noundef %119, i64 noundef %120)
  %inc.i44 = add nuw nsw i64 %k.063.i, 1
  %121 = load i64, ptr %heaps.i, align 8
  %122 = load i64, ptr %groups.i, align 8
  %add.i = add nsw i64 %122, %121
  %cmp.i45 = icmp slt i64 %inc.i44, %add.i
  br i1 %cmp.i45, label %for.body.i42, label %for.cond8.preheader.i

for.body11.i:                                     ; preds = %for.cond.cleanup25.i, %for.body11.lr.ph.i
  %t.066.i = phi i64 [ 0, %for.body11.lr.ph.i ], [ %inc33.i, %for.cond.cleanup25.i ]
  %123 = load ptr, ptr %tables15, align 8
  %arrayidx13.i = getelementptr inbounds %struct.Table, ptr %123, i64 %t.066.i
  %124 = load i64, ptr %arrayidx13.i, align 8
  %125 = load ptr, ptr %rows.i, align 8
  %arrayidx14.i = getelementptr inbounds i64, ptr %125, i64 %t.066.i
  store i64 %124, ptr %arrayidx14.i, align 8
  %arrayidx15.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i36, i64 %t.066.i
  %columns16.i = getelementptr inbounds i8, ptr %arrayidx15.i, i64 8
  %126 = load i64, ptr %columns16.i, align 8
  %tobool.not.i37 = icmp eq i64 %126, 0
  br i1 %tobool.not.i37, label %for.cond.cleanup25.i, label %land.end.i

land.end.i:                                       ; preds = %for.body11.i
  %127 = load i64, ptr %arrayidx15.i, align 8
  %descr.i = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr5.i, i64 %127, i32 1
  %128 = load ptr, ptr %descr.i, align 8
  %tobool19.not.i = icmp eq ptr %128, null
  %cmp23.i66 = icmp sgt i64 %124, 0
  %or.cond = select i1 %tobool19.not.i, i1 %cmp23.i66, i1 false
  br i1 %or.cond, label %for.body26.i, label %for.cond.cleanup25.i

for.cond.cleanup25.i:                             ; preds = %for.body26.i, %land.end.i, %for.body11.i
  %block.i = getelementptr inbounds i8, ptr %arrayidx13.i, i64 16
  %129 = load ptr, ptr %block.i, align 8
  %bytes31.i = getelementptr inbounds i8, ptr %arrayidx13.i, i64 24
  %130 = load i64, ptr %bytes31.i, align 8
  call void @ag_give(ptr noundef %129, i64 noundef %130)
  %inc33.i = add nuw nsw i64 %t.066.i, 1
  %131 = load i64, ptr %111, align 8
  %cmp9.i = icmp slt i64 %inc33.i, %131
  br i1 %cmp9.i, label %for.body11.i, label %release.exit

for.body26.i:                                     ; preds = %land.end.i, %for.body26.i
  %i.064.i67 = phi i64 [ %inc29.i, %for.body26.i ], [ 0, %land.end.i ]
  %132 = load ptr, ptr %columns16, align 8
  %133 = load ptr, ptr %walk, align 8
  %134 = load ptr, ptr %plan14, align 8
  %of_tables.i.i38 = getelementptr inbounds i8, ptr %134, i64 88
  %135 = load i64, ptr %of_tables.i.i38, align 8
  %add.ptr.i.i39 = getelementptr inbounds %union.Word, ptr %133, i64 %135
  %arrayidx.i.i40 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i.i39, i64 %t.066.i
  %136 = load i64, ptr %arrayidx.i.i40, align 8
  %arrayidx1.i.i = getelementptr inbounds ptr, ptr %132, i64 %136
  %137 = load ptr, ptr %arrayidx1.i.i, align 8
  %arrayidx27.i = getelementptr inbounds ptr, ptr %137, i64 %i.064.i67
  %138 = load ptr, ptr %arrayidx27.i, align 8
  call void @Py_DecRef(ptr noundef %138)
  %inc29.i = add nuw nsw i64 %i.064.i67, 1
  %139 = load i64, ptr %arrayidx13.i, align 8
  %cmp23.i = icmp slt i64 %inc29.i, %139
  br i1 %cmp23.i, label %for.body26.i, label %for.cond.cleanup25.i

release.exit:                                     ; preds = %for.cond.cleanup25.i, %for.cond8.preheader.i
  call void @llvm.lifetime.end.p0(i64 56, ptr nonnull %walk)
  ret ptr %answer.0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

declare ptr @PyObject_VectorcallDict(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

define internal fastcc range(i64 -9223372036854775808, 9223372036854775807) i64 @place_in_heap(ptr noundef readonly %walk, i64 noundef %number, ptr noundef %object) {
entry:
  %0 = load ptr, ptr %walk, align 8
  %plan = getelementptr inbounds i8, ptr %walk, i64 8
  %1 = load ptr, ptr %plan, align 8
  %of_heaps = getelementptr inbounds i8, ptr %1, i64 104
  %2 = load i64, ptr %of_heaps, align 8
  %add.ptr = getelementptr inbounds %union.Word, ptr %0, i64 %2
  %add.ptr1 = getelementptr inbounds %struct.HeapPlan, ptr %add.ptr, i64 %number
  %classes1.i = getelementptr inbounds i8, ptr %add.ptr1, i64 16
  %3 = load i64, ptr %classes1.i, align 8
  %add.ptr.i = getelementptr inbounds %union.Word, ptr %0, i64 %3
  %count.i = getelementptr inbounds i8, ptr %add.ptr1, i64 8
  %4 = load i64, ptr %count.i, align 8
  %cmp.not11.i = icmp sgt i64 %4, 0
  br i1 %cmp.not11.i, label %for.body.lr.ph.i, label %cleanup

for.body.lr.ph.i:                                 ; preds = %entry
  %type2.i = getelementptr inbounds i8, ptr %object, i64 8
  %5 = load ptr, ptr %type2.i, align 8
  br label %for.body.i

for.cond.i:                                       ; preds = %for.body.i
  %inc.i = add nuw nsw i64 %k.012.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %4
  br i1 %exitcond.not.i, label %cleanup, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i, %for.body.lr.ph.i
  %k.012.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.cond.i ]
  %arrayidx.i = getelementptr inbounds %struct.ClassPlan, ptr %add.ptr.i, i64 %k.012.i
  %6 = load ptr, ptr %arrayidx.i, align 8
  %cmp3.i = icmp eq ptr %6, %5
  br i1 %cmp3.i, label %if.end, label %for.cond.i

if.end:                                           ; preds = %for.body.i
  %known2 = getelementptr inbounds i8, ptr %walk, i64 32
  %7 = load ptr, ptr %known2, align 8
  %arrayidx = getelementptr inbounds %struct.Known, ptr %7, i64 %number
  %8 = load i64, ptr %add.ptr1, align 8
  %columns.i = getelementptr inbounds i8, ptr %walk, i64 24
  %9 = load ptr, ptr %columns.i, align 8
  %of_tables.i = getelementptr inbounds i8, ptr %1, i64 88
  %10 = load i64, ptr %of_tables.i, align 8
  %add.ptr.i19 = getelementptr inbounds %union.Word, ptr %0, i64 %10
  %arrayidx.i20 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i19, i64 %8
  %11 = load i64, ptr %arrayidx.i20, align 8
  %arrayidx1.i = getelementptr inbounds ptr, ptr %9, i64 %11
  %12 = load ptr, ptr %arrayidx1.i, align 8
  %13 = load ptr, ptr %arrayidx, align 8
  %tobool.not.i = icmp eq ptr %13, null
  br i1 %tobool.not.i, label %cond.false, label %if.end.i

if.end.i:                                         ; preds = %if.end
  %14 = ptrtoint ptr %object to i64
  %shr.i.i = lshr i64 %14, 4
  %mul.i.i = mul i64 %shr.i.i, -7046029254386353131
  %shr1.i.i = lshr i64 %mul.i.i, 20
  %mask.i = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %15 = load i64, ptr %mask.i, align 8
  %slot.022.i = and i64 %15, %shr1.i.i
  %arrayidx23.i = getelementptr inbounds i32, ptr %13, i64 %slot.022.i
  %16 = load i32, ptr %arrayidx23.i, align 4
  %tobool2.not24.i = icmp eq i32 %16, 0
  br i1 %tobool2.not24.i, label %cond.false, label %for.body.i21

for.cond.i22:                                     ; preds = %for.body.i21
  %add.i = add i64 %slot.025.i, 1
  %slot.0.i = and i64 %add.i, %15
  %arrayidx.i23 = getelementptr inbounds i32, ptr %13, i64 %slot.0.i
  %17 = load i32, ptr %arrayidx.i23, align 4
  %tobool2.not.i = icmp eq i32 %17, 0
  br i1 %tobool2.not.i, label %cond.false, label %for.body.i21

for.body.i21:                                     ; preds = %if.end.i, %for.cond.i22
  %18 = phi i32 [ %17, %for.cond.i22 ], [ %16, %if.end.i ]
  %slot.025.i = phi i64 [ %slot.0.i, %for.cond.i22 ], [ %slot.022.i, %if.end.i ]
  %sub.i = add nsw i32 %18, -1
  %idxprom.i = sext i32 %sub.i to i64
  %arrayidx5.i = getelementptr inbounds ptr, ptr %12, i64 %idxprom.i
  %19 = load ptr, ptr %arrayidx5.i, align 8
  %cmp.i = icmp eq ptr %19, %object
  br i1 %cmp.i, label %find.exit, label %for.cond.i22

find.exit:                                        ; preds = %for.body.i21
  %cmp = icmp sgt i32 %18, 0
  br i1 %cmp, label %cleanup, label %cond.false

cond.false:                                       ; preds = %for.cond.i22, %if.end.i, %if.end, %find.exit
  %call6 = tail call fastcc i64 @keep(ptr noundef nonnull %walk, ptr noundef nonnull %arrayidx, i64 noundef %8, ptr noundef %object)
  br label %cleanup

cleanup:                                          ; preds = %for.cond.i, %entry, %cond.false, %find.exit
  %retval.0 = phi i64 [ %call6, %cond.false ], [ %idxprom.i, %find.exit ], [ -1, %entry ], [ -1, %for.cond.i ]
  ret i64 %retval.0
}

declare i64 @PyList_Size(ptr noundef)

define internal fastcc noundef i1 @extend(ptr noundef readonly %walk, i64 noundef %number, i64 noundef %more) {
entry:
  %tables = getelementptr inbounds i8, ptr %walk, i64 16
  %0 = load ptr, ptr %tables, align 8
  %arrayidx = getelementptr inbounds %struct.Table, ptr %0, i64 %number
  %1 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %1, %more
  %room = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %2 = load i64, ptr %room, align 8
  %cmp.not = icmp sgt i64 %add, %2
  br i1 %cmp.not, label %if.end, label %cleanup71

if.end:                                           ; preds = %entry
  %3 = load ptr, ptr %walk, align 8
  %plan1 = getelementptr inbounds i8, ptr %walk, i64 8
  %4 = load ptr, ptr %plan1, align 8
  %of_tables = getelementptr inbounds i8, ptr %4, i64 88
  %5 = load i64, ptr %of_tables, align 8
  %add.ptr = getelementptr inbounds %union.Word, ptr %3, i64 %5
  %add.ptr2 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr, i64 %number
  %of_columns = getelementptr inbounds i8, ptr %4, i64 96
  %6 = load i64, ptr %of_columns, align 8
  %add.ptr5 = getelementptr inbounds %union.Word, ptr %3, i64 %6
  %rows = getelementptr inbounds i8, ptr %4, i64 80
  %7 = load ptr, ptr %rows, align 8
  %arrayidx8 = getelementptr inbounds i64, ptr %7, i64 %number
  %8 = load i64, ptr %arrayidx8, align 8
  %add9 = add nsw i64 %8, 8
  %mul = shl nsw i64 %2, 1
  %spec.select = tail call i64 @llvm.smax.i64(i64 %add9, i64 %mul)
  %room6.1 = tail call i64 @llvm.smax.i64(i64 %spec.select, i64 %add)
  %9 = load i64, ptr %add.ptr2, align 8
  %columns24 = getelementptr inbounds i8, ptr %add.ptr2, i64 8
  %10 = load i64, ptr %columns24, align 8
  %add25 = add nsw i64 %10, %9
  %cmp26124 = icmp sgt i64 %10, 0
  br i1 %cmp26124, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %if.end
  %bytes.0.lcssa = phi i64 [ 64, %if.end ], [ %add28, %for.body ]
  %call29 = tail call ptr @ag_take(i64 noundef %bytes.0.lcssa)
  %tobool.not.not = icmp eq ptr %call29, null
  br i1 %tobool.not.not, label %cleanup71, label %if.end31

for.body:                                         ; preds = %if.end, %for.body
  %bytes.0126 = phi i64 [ %add28, %for.body ], [ 64, %if.end ]
  %c.0125 = phi i64 [ %inc, %for.body ], [ %9, %if.end ]
  %arrayidx27 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr5, i64 %c.0125
  %11 = load i64, ptr %arrayidx27, align 8
  %mul.i = mul nsw i64 %11, %room6.1
  %add.i = add i64 %mul.i, 63
  %and.i = and i64 %add.i, -64
  %add28 = add i64 %and.i, %bytes.0126
  %inc = add nsw i64 %c.0125, 1
  %cmp26 = icmp slt i64 %inc, %add25
  br i1 %cmp26, label %for.body, label %for.cond.cleanup

if.end31:                                         ; preds = %for.cond.cleanup
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %call29, i8 0, i64 %bytes.0.lcssa, i1 false)
  %12 = load i64, ptr %columns24, align 8
  %cmp38128 = icmp sgt i64 %12, 0
  br i1 %cmp38128, label %for.body40.lr.ph, label %for.cond.cleanup39

for.body40.lr.ph:                                 ; preds = %if.end31
  %13 = load i64, ptr %add.ptr2, align 8
  %columns44 = getelementptr inbounds i8, ptr %walk, i64 24
  br label %for.body40

for.cond.cleanup39:                               ; preds = %if.end50, %if.end31
  %block59 = getelementptr inbounds i8, ptr %arrayidx, i64 16
  %14 = load ptr, ptr %block59, align 8
  %bytes60 = getelementptr inbounds i8, ptr %arrayidx, i64 24
  %15 = load i64, ptr %bytes60, align 8
  tail call void @ag_give(ptr noundef %14, i64 noundef %15)
  store i64 %room6.1, ptr %room, align 8
  store ptr %call29, ptr %block59, align 8
  store i64 %bytes.0.lcssa, ptr %bytes60, align 8
  br label %cleanup71

for.body40:                                       ; preds = %for.body40.lr.ph, %if.end50
  %c32.0130 = phi i64 [ %13, %for.body40.lr.ph ], [ %inc57, %if.end50 ]
  %data.0129 = phi ptr [ %call29, %for.body40.lr.ph ], [ %add.ptr55, %if.end50 ]
  %16 = load i64, ptr %arrayidx, align 8
  %tobool42.not = icmp eq i64 %16, 0
  br i1 %tobool42.not, label %if.end50, label %if.then43

if.then43:                                        ; preds = %for.body40
  %17 = load ptr, ptr %columns44, align 8
  %arrayidx45 = getelementptr inbounds ptr, ptr %17, i64 %c32.0130
  %18 = load ptr, ptr %arrayidx45, align 8
  %arrayidx47 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr5, i64 %c32.0130
  %19 = load i64, ptr %arrayidx47, align 8
  %mul49 = mul nsw i64 %19, %16
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %data.0129, ptr align 1 %18, i64 %mul49, i1 false)
  br label %if.end50

if.end50:                                         ; preds = %if.then43, %for.body40
  %20 = load ptr, ptr %columns44, align 8
  %arrayidx52 = getelementptr inbounds ptr, ptr %20, i64 %c32.0130
  store ptr %data.0129, ptr %arrayidx52, align 8
  %arrayidx53 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr5, i64 %c32.0130
  %21 = load i64, ptr %arrayidx53, align 8
  %mul.i121 = mul nsw i64 %21, %room6.1
  %add.i122 = add i64 %mul.i121, 63
  %and.i123 = and i64 %add.i122, -64
  %add.ptr55 = getelementptr inbounds i8, ptr %data.0129, i64 %and.i123
  %inc57 = add nsw i64 %c32.0130, 1
  %22 = load i64, ptr %add.ptr2, align 8
  %23 = load i64, ptr %columns24, align 8
  %add37 = add nsw i64 %23, %22
  %cmp38 = icmp slt i64 %inc57, %add37
  br i1 %cmp38, label %for.body40, label %for.cond.cleanup39

cleanup71:                                        ; preds = %for.cond.cleanup39, %for.cond.cleanup, %entry
  %retval.1 = phi i1 [ true, %entry ], [ false, %for.cond.cleanup ], [ true, %for.cond.cleanup39 ]
  ret i1 %retval.1
}

define internal fastcc ptr @put(ptr noundef readonly %walk, ptr noundef %value, ptr noundef %node, i64 noundef %place) {
entry:
  %overflows.i.i = alloca i32, align 4
  %overflows.i = alloca i32, align 4
  %cmp71 = icmp eq ptr %value, @_Py_NoneStruct
  %columns78 = getelementptr inbounds i8, ptr %walk, i64 24
  br label %tailrecurse

tailrecurse:                                      ; preds = %if.end77, %entry
  %node.tr = phi ptr [ %node, %entry ], [ %add.ptr82, %if.end77 ]
  %0 = load i64, ptr %node.tr, align 8
  switch i64 %0, label %return [
    i64 0, label %sw.bb
    i64 1, label %sw.bb1
    i64 2, label %sw.bb4
    i64 3, label %sw.bb11
    i64 4, label %sw.bb18
    i64 5, label %sw.bb28
    i64 6, label %sw.bb39
    i64 7, label %sw.bb60
    i64 8, label %sw.bb70
    i64 9, label %sw.bb84
    i64 10, label %sw.bb103
    i64 11, label %sw.bb145
    i64 12, label %sw.bb172
    i64 13, label %sw.bb177
    i64 14, label %sw.bb183
  ]

sw.bb:                                            ; preds = %tailrecurse
  %add.ptr = getelementptr inbounds i8, ptr %node.tr, i64 8
  br label %return

sw.bb1:                                           ; preds = %tailrecurse
  %arrayidx2 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %1 = load ptr, ptr %arrayidx2, align 8
  %cmp = icmp eq ptr %1, %value
  %add.ptr3 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %cond = select i1 %cmp, ptr %add.ptr3, ptr null
  br label %return

sw.bb4:                                           ; preds = %tailrecurse
  %arrayidx5 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %2 = load ptr, ptr %arrayidx5, align 8
  %cmp.i = icmp eq ptr %2, %value
  br i1 %cmp.i, label %is_text.exit.thread, label %lor.rhs.i

is_text.exit.thread:                              ; preds = %sw.bb4
  %add.ptr7349 = getelementptr inbounds i8, ptr %node.tr, i64 16
  br label %return

lor.rhs.i:                                        ; preds = %sw.bb4
  %type.i = getelementptr inbounds i8, ptr %value, i64 8
  %3 = load ptr, ptr %type.i, align 8
  %type1.i = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load ptr, ptr %type1.i, align 8
  %cmp2.i = icmp eq ptr %3, %4
  br i1 %cmp2.i, label %is_text.exit, label %return

is_text.exit:                                     ; preds = %lor.rhs.i
  %call.i = tail call i32 @PyObject_RichCompareBool(ptr noundef nonnull %value, ptr noundef nonnull %2, i32 noundef 2)
  %call.i.fr = freeze i32 %call.i
  %cmp3.i = icmp eq i32 %call.i.fr, 1
  %add.ptr7 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %spec.select371 = select i1 %cmp3.i, ptr %add.ptr7, ptr null
  br label %return

sw.bb11:                                          ; preds = %tailrecurse
  %type = getelementptr inbounds i8, ptr %value, i64 8
  %5 = load ptr, ptr %type, align 8
  %cmp12.not = icmp eq ptr %5, @PyFloat_Type
  br i1 %cmp12.not, label %if.end, label %return

if.end:                                           ; preds = %sw.bb11
  %add.ptr13 = getelementptr inbounds i8, ptr %value, i64 16
  %6 = load i64, ptr %add.ptr13, align 8
  %arrayidx14 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %7 = load i64, ptr %arrayidx14, align 8
  %8 = load ptr, ptr %columns78, align 8
  %arrayidx.i = getelementptr inbounds ptr, ptr %8, i64 %7
  %9 = load ptr, ptr %arrayidx.i, align 8
  %arrayidx16 = getelementptr inbounds i64, ptr %9, i64 %place
  store i64 %6, ptr %arrayidx16, align 8
  %add.ptr17 = getelementptr inbounds i8, ptr %node.tr, i64 16
  br label %return

sw.bb18:                                          ; preds = %tailrecurse
  %type19 = getelementptr inbounds i8, ptr %value, i64 8
  %10 = load ptr, ptr %type19, align 8
  %cmp20.not = icmp eq ptr %10, @PyLong_Type
  br i1 %cmp20.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %sw.bb18
  %arrayidx21 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %11 = load i64, ptr %arrayidx21, align 8
  %12 = load ptr, ptr %columns78, align 8
  %arrayidx.i305 = getelementptr inbounds ptr, ptr %12, i64 %11
  %13 = load ptr, ptr %arrayidx.i305, align 8
  %arrayidx23 = getelementptr inbounds i64, ptr %13, i64 %place
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflows.i)
  store i32 0, ptr %overflows.i, align 4
  %call.i306 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %value, ptr noundef nonnull %overflows.i)
  store i64 %call.i306, ptr %arrayidx23, align 8
  %14 = load i32, ptr %overflows.i, align 4
  %tobool.not.i = icmp eq i32 %14, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i)
  %add.ptr27 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %spec.select = select i1 %tobool.not.i, ptr %add.ptr27, ptr null
  br label %return

sw.bb28:                                          ; preds = %tailrecurse
  %cmp29 = icmp ne ptr %value, @_Py_TrueStruct
  %cmp30 = icmp ne ptr %value, @_Py_FalseStruct
  %or.cond = and i1 %cmp29, %cmp30
  br i1 %or.cond, label %return, label %if.end32

if.end32:                                         ; preds = %sw.bb28
  %cmp33 = icmp eq ptr %value, @_Py_TrueStruct
  %conv34 = zext i1 %cmp33 to i8
  %15 = load ptr, ptr %columns78, align 8
  %arrayidx35 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %16 = load i64, ptr %arrayidx35, align 8
  %arrayidx36 = getelementptr inbounds ptr, ptr %15, i64 %16
  %17 = load ptr, ptr %arrayidx36, align 8
  %arrayidx37 = getelementptr inbounds i8, ptr %17, i64 %place
  store i8 %conv34, ptr %arrayidx37, align 1
  %add.ptr38 = getelementptr inbounds i8, ptr %node.tr, i64 16
  br label %return

sw.bb39:                                          ; preds = %tailrecurse
  %18 = load ptr, ptr %walk, align 8
  %plan = getelementptr inbounds i8, ptr %walk, i64 8
  %19 = load ptr, ptr %plan, align 8
  %of_columns = getelementptr inbounds i8, ptr %19, i64 96
  %20 = load i64, ptr %of_columns, align 8
  %add.ptr40 = getelementptr inbounds %union.Word, ptr %18, i64 %20
  %arrayidx41 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %21 = load i64, ptr %arrayidx41, align 8
  %arrayidx42 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr40, i64 %21
  %22 = load i64, ptr %arrayidx42, align 8
  %type44 = getelementptr inbounds i8, ptr %value, i64 8
  %23 = load ptr, ptr %type44, align 8
  %arrayidx45 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %24 = load ptr, ptr %arrayidx45, align 8
  %cmp46.not = icmp eq ptr %23, %24
  br i1 %cmp46.not, label %if.end49, label %return

if.end49:                                         ; preds = %sw.bb39
  %add.ptr50 = getelementptr inbounds i8, ptr %value, i64 16
  %25 = load ptr, ptr %columns78, align 8
  %arrayidx53 = getelementptr inbounds ptr, ptr %25, i64 %21
  %26 = load ptr, ptr %arrayidx53, align 8
  %mul = mul nsw i64 %22, %place
  %add.ptr54 = getelementptr inbounds i8, ptr %26, i64 %mul
  %cmp55406 = icmp sgt i64 %22, 0
  br i1 %cmp55406, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %if.end49
  %add.ptr59 = getelementptr inbounds i8, ptr %node.tr, i64 32
  br label %return

for.body:                                         ; preds = %if.end49, %for.body
  %b.0407 = phi i64 [ %inc, %for.body ], [ 0, %if.end49 ]
  %arrayidx57 = getelementptr inbounds i8, ptr %add.ptr50, i64 %b.0407
  %27 = load i8, ptr %arrayidx57, align 1
  %arrayidx58 = getelementptr inbounds i8, ptr %add.ptr54, i64 %b.0407
  store i8 %27, ptr %arrayidx58, align 1
  %inc = add nuw nsw i64 %b.0407, 1
  %exitcond434.not = icmp eq i64 %inc, %22
  br i1 %exitcond434.not, label %for.cond.cleanup, label %for.body

sw.bb60:                                          ; preds = %tailrecurse
  %arrayidx.i307 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %invariant.gep.i = getelementptr inbounds i8, ptr %node.tr, i64 24
  %28 = load i64, ptr %arrayidx.i307, align 8
  %cmp.not14.i = icmp sgt i64 %28, 0
  br i1 %cmp.not14.i, label %for.body.lr.ph.i, label %return

for.body.lr.ph.i:                                 ; preds = %sw.bb60
  %type.i.i = getelementptr inbounds i8, ptr %value, i64 8
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %29 = phi i64 [ %28, %for.body.lr.ph.i ], [ %33, %for.inc.i ]
  %k.015.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %gep.i = getelementptr inbounds %union.Word, ptr %invariant.gep.i, i64 %k.015.i
  %30 = load ptr, ptr %gep.i, align 8
  %cmp.i.i = icmp eq ptr %30, %value
  br i1 %cmp.i.i, label %cond.true63, label %lor.rhs.i.i

lor.rhs.i.i:                                      ; preds = %for.body.i
  %31 = load ptr, ptr %type.i.i, align 8
  %type1.i.i = getelementptr inbounds i8, ptr %30, i64 8
  %32 = load ptr, ptr %type1.i.i, align 8
  %cmp2.i.i = icmp eq ptr %31, %32
  br i1 %cmp2.i.i, label %is_text.exit.i, label %for.inc.i

is_text.exit.i:                                   ; preds = %lor.rhs.i.i
  %call.i.i = tail call i32 @PyObject_RichCompareBool(ptr noundef nonnull %value, ptr noundef nonnull %30, i32 noundef 2)
  %cmp3.i.i = icmp eq i32 %call.i.i, 1
  br i1 %cmp3.i.i, label %cond.true63, label %is_text.exit.for.inc_crit_edge.i

is_text.exit.for.inc_crit_edge.i:                 ; preds = %is_text.exit.i
  %.pre.i = load i64, ptr %arrayidx.i307, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %is_text.exit.for.inc_crit_edge.i, %lor.rhs.i.i
  %33 = phi i64 [ %.pre.i, %is_text.exit.for.inc_crit_edge.i ], [ %29, %lor.rhs.i.i ]
  %inc.i = add nuw nsw i64 %k.015.i, 1
  %cmp.not.i = icmp slt i64 %inc.i, %33
  br i1 %cmp.not.i, label %for.body.i, label %return

cond.true63:                                      ; preds = %is_text.exit.i, %for.body.i
  %arrayidx2.i = getelementptr inbounds i8, ptr %node.tr, i64 8
  %34 = load i64, ptr %arrayidx2.i, align 8
  %35 = load ptr, ptr %columns78, align 8
  %arrayidx.i.i = getelementptr inbounds ptr, ptr %35, i64 %34
  %36 = load ptr, ptr %arrayidx.i.i, align 8
  %arrayidx4.i = getelementptr inbounds i64, ptr %36, i64 %place
  store i64 %k.015.i, ptr %arrayidx4.i, align 8
  %37 = load i64, ptr %arrayidx.i307, align 8
  %add.ptr66 = getelementptr inbounds %union.Word, ptr %invariant.gep.i, i64 %37
  br label %return

sw.bb70:                                          ; preds = %tailrecurse
  br i1 %cmp71, label %if.then73, label %if.end77

if.then73:                                        ; preds = %sw.bb70
  %add.ptr74 = getelementptr inbounds i8, ptr %node, i64 24
  %arrayidx75 = getelementptr inbounds i8, ptr %node, i64 16
  %38 = load i64, ptr %arrayidx75, align 8
  %add.ptr76 = getelementptr inbounds %union.Word, ptr %add.ptr74, i64 %38
  br label %return

if.end77:                                         ; preds = %sw.bb70
  %39 = load ptr, ptr %columns78, align 8
  %arrayidx79 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %40 = load i64, ptr %arrayidx79, align 8
  %arrayidx80 = getelementptr inbounds ptr, ptr %39, i64 %40
  %41 = load ptr, ptr %arrayidx80, align 8
  %arrayidx81 = getelementptr inbounds i8, ptr %41, i64 %place
  store i8 1, ptr %arrayidx81, align 1
  %add.ptr82 = getelementptr inbounds i8, ptr %node.tr, i64 24
  br label %tailrecurse

sw.bb84:                                          ; preds = %tailrecurse
  br i1 %cmp71, label %if.else, label %if.then87

if.then87:                                        ; preds = %sw.bb84
  %arrayidx88 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %42 = load i64, ptr %arrayidx88, align 8
  %call89 = tail call fastcc i64 @place_in_heap(ptr noundef %walk, i64 noundef %42, ptr noundef %value)
  %cmp90 = icmp slt i64 %call89, 0
  br i1 %cmp90, label %return, label %if.end97

if.else:                                          ; preds = %sw.bb84
  %arrayidx94 = getelementptr inbounds i8, ptr %node.tr, i64 24
  %43 = load i64, ptr %arrayidx94, align 8
  %tobool.not = icmp eq i64 %43, 0
  br i1 %tobool.not, label %return, label %if.end97

if.end97:                                         ; preds = %if.else, %if.then87
  %found.0 = phi i64 [ %call89, %if.then87 ], [ -1, %if.else ]
  %arrayidx98 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %44 = load i64, ptr %arrayidx98, align 8
  %45 = load ptr, ptr %columns78, align 8
  %arrayidx.i309 = getelementptr inbounds ptr, ptr %45, i64 %44
  %46 = load ptr, ptr %arrayidx.i309, align 8
  %arrayidx100 = getelementptr inbounds i64, ptr %46, i64 %place
  store i64 %found.0, ptr %arrayidx100, align 8
  %add.ptr101 = getelementptr inbounds i8, ptr %node.tr, i64 32
  br label %return

sw.bb103:                                         ; preds = %tailrecurse
  %47 = load ptr, ptr %walk, align 8
  %plan106 = getelementptr inbounds i8, ptr %walk, i64 8
  %48 = load ptr, ptr %plan106, align 8
  %of_groups = getelementptr inbounds i8, ptr %48, i64 112
  %49 = load i64, ptr %of_groups, align 8
  %add.ptr107 = getelementptr inbounds %union.Word, ptr %47, i64 %49
  %arrayidx108 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %50 = load i64, ptr %arrayidx108, align 8
  %count = getelementptr inbounds %struct.GroupPlan, ptr %add.ptr107, i64 %50, i32 1
  %51 = load i64, ptr %count, align 8
  %type110 = getelementptr inbounds i8, ptr %value, i64 8
  %52 = load ptr, ptr %type110, align 8
  %cmp111 = icmp eq ptr %52, @PyList_Type
  br i1 %cmp111, label %for.cond.i.preheader, label %if.else120

for.cond.i.preheader:                             ; preds = %sw.bb103
  %groups2.i = getelementptr inbounds i8, ptr %48, i64 24
  %53 = load i64, ptr %groups2.i, align 8
  %cmp.not.i310400 = icmp sgt i64 %53, 0
  %known6.i = getelementptr inbounds i8, ptr %walk, i64 32
  %54 = load ptr, ptr %known6.i, align 8
  %heaps.i = getelementptr inbounds i8, ptr %48, i64 16
  %55 = load i64, ptr %heaps.i, align 8
  br i1 %cmp.not.i310400, label %for.body.i311.lr.ph, label %for.end.i

for.body.i311.lr.ph:                              ; preds = %for.cond.i.preheader
  %56 = getelementptr %struct.Known, ptr %54, i64 %55
  %57 = load ptr, ptr %columns78, align 8
  %of_tables.i = getelementptr inbounds i8, ptr %48, i64 88
  %58 = load i64, ptr %of_tables.i, align 8
  %add.ptr.i347 = getelementptr inbounds %union.Word, ptr %47, i64 %58
  %59 = ptrtoint ptr %value to i64
  %shr.i.i = lshr i64 %59, 4
  %mul.i.i = mul i64 %shr.i.i, -7046029254386353131
  %shr1.i.i = lshr i64 %mul.i.i, 20
  br label %for.body.i311

for.body.i311:                                    ; preds = %for.body.i311.lr.ph, %for.inc.i313
  %g.0.i401 = phi i64 [ 0, %for.body.i311.lr.ph ], [ %inc.i314, %for.inc.i313 ]
  %parts4.i = getelementptr inbounds %struct.GroupPlan, ptr %add.ptr107, i64 %g.0.i401, i32 2
  %60 = load i64, ptr %parts4.i, align 8
  %add.ptr5.i = getelementptr inbounds %union.Word, ptr %47, i64 %60
  %arrayidx8.i = getelementptr %struct.Known, ptr %56, i64 %g.0.i401
  %61 = load i64, ptr %add.ptr5.i, align 8
  %arrayidx.i348 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i347, i64 %61
  %62 = load i64, ptr %arrayidx.i348, align 8
  %arrayidx1.i = getelementptr inbounds ptr, ptr %57, i64 %62
  %63 = load ptr, ptr %arrayidx1.i, align 8
  %64 = load ptr, ptr %arrayidx8.i, align 8
  %tobool.not.i338 = icmp eq ptr %64, null
  br i1 %tobool.not.i338, label %for.inc.i313, label %if.end.i339

if.end.i339:                                      ; preds = %for.body.i311
  %mask.i = getelementptr inbounds i8, ptr %arrayidx8.i, i64 8
  %65 = load i64, ptr %mask.i, align 8
  %slot.022.i = and i64 %65, %shr1.i.i
  %arrayidx23.i = getelementptr inbounds i32, ptr %64, i64 %slot.022.i
  %66 = load i32, ptr %arrayidx23.i, align 4
  %tobool2.not24.i = icmp eq i32 %66, 0
  br i1 %tobool2.not24.i, label %for.inc.i313, label %for.body.i340

for.cond.i342:                                    ; preds = %for.body.i340
  %add.i = add i64 %slot.025.i, 1
  %slot.0.i = and i64 %add.i, %65
  %arrayidx.i343 = getelementptr inbounds i32, ptr %64, i64 %slot.0.i
  %67 = load i32, ptr %arrayidx.i343, align 4
  %tobool2.not.i = icmp eq i32 %67, 0
  br i1 %tobool2.not.i, label %for.inc.i313, label %for.body.i340

for.body.i340:                                    ; preds = %if.end.i339, %for.cond.i342
  %68 = phi i32 [ %67, %for.cond.i342 ], [ %66, %if.end.i339 ]
  %slot.025.i = phi i64 [ %slot.0.i, %for.cond.i342 ], [ %slot.022.i, %if.end.i339 ]
  %sub.i = add nsw i32 %68, -1
  %idxprom.i = sext i32 %sub.i to i64
  %arrayidx5.i = getelementptr inbounds ptr, ptr %63, i64 %idxprom.i
  %69 = load ptr, ptr %arrayidx5.i, align 8
  %cmp.i341 = icmp eq ptr %69, %value
  br i1 %cmp.i341, label %find.exit, label %for.cond.i342

find.exit:                                        ; preds = %for.body.i340
  %cmp11.i = icmp slt i32 %68, 1
  br i1 %cmp11.i, label %for.inc.i313, label %cleanup15.i

for.inc.i313:                                     ; preds = %for.cond.i342, %if.end.i339, %for.body.i311, %find.exit
  %inc.i314 = add nuw nsw i64 %g.0.i401, 1
  %exitcond.not = icmp eq i64 %inc.i314, %53
  br i1 %exitcond.not, label %for.end.i, label %for.body.i311

cleanup15.i:                                      ; preds = %find.exit
  %cmp12.i.not.le = icmp eq i64 %g.0.i401, %50
  br i1 %cmp12.i.not.le, label %if.end128, label %return

for.end.i:                                        ; preds = %for.inc.i313, %for.cond.i.preheader
  %arrayidx17.i = getelementptr inbounds %struct.GroupPlan, ptr %add.ptr107, i64 %50
  %parts20.i = getelementptr inbounds i8, ptr %arrayidx17.i, i64 16
  %70 = load i64, ptr %parts20.i, align 8
  %add.ptr21.i = getelementptr inbounds %union.Word, ptr %47, i64 %70
  %71 = getelementptr %struct.Known, ptr %54, i64 %55
  %arrayidx27.i = getelementptr %struct.Known, ptr %71, i64 %50
  %72 = load i64, ptr %add.ptr21.i, align 8
  %call30.i = tail call fastcc i64 @keep(ptr noundef nonnull %walk, ptr noundef %arrayidx27.i, i64 noundef %72, ptr noundef %value)
  %count.i = getelementptr inbounds i8, ptr %arrayidx17.i, i64 8
  %73 = load i64, ptr %count.i, align 8
  %cmp32.not.i402 = icmp sgt i64 %73, 1
  br i1 %cmp32.not.i402, label %for.body34.i.lr.ph, label %for.end49.i

for.body34.i.lr.ph:                               ; preds = %for.end.i
  %tables.i = getelementptr inbounds i8, ptr %walk, i64 16
  br label %for.body34.i

for.body34.i:                                     ; preds = %for.body34.i.lr.ph, %if.end39.i
  %p.0.i403 = phi i64 [ 1, %for.body34.i.lr.ph ], [ %inc46.i, %if.end39.i ]
  %arrayidx35.i = getelementptr inbounds %struct.PartPlan, ptr %add.ptr21.i, i64 %p.0.i403
  %74 = load i64, ptr %arrayidx35.i, align 8
  %call37.i = tail call fastcc i1 @extend(ptr noundef nonnull %walk, i64 noundef %74, i64 noundef 1)
  br i1 %call37.i, label %if.end39.i, label %return

if.end39.i:                                       ; preds = %for.body34.i
  %75 = load ptr, ptr %tables.i, align 8
  %76 = load i64, ptr %arrayidx35.i, align 8
  %arrayidx42.i = getelementptr inbounds %struct.Table, ptr %75, i64 %76
  %77 = load i64, ptr %arrayidx42.i, align 8
  %inc44.i = add nsw i64 %77, 1
  store i64 %inc44.i, ptr %arrayidx42.i, align 8
  %inc46.i = add nuw nsw i64 %p.0.i403, 1
  %78 = load i64, ptr %count.i, align 8
  %cmp32.not.i = icmp slt i64 %inc46.i, %78
  br i1 %cmp32.not.i, label %for.body34.i, label %for.end49.i

for.end49.i:                                      ; preds = %if.end39.i, %for.end.i
  %cmp50.i = icmp sgt i64 %call30.i, -1
  br i1 %cmp50.i, label %land.lhs.true.i, label %return

land.lhs.true.i:                                  ; preds = %for.end49.i
  %call51.i = tail call fastcc i1 @put_items(ptr noundef nonnull %walk, ptr noundef nonnull %arrayidx17.i, ptr noundef %value)
  br i1 %call51.i, label %if.end128, label %return

if.else120:                                       ; preds = %sw.bb103
  br i1 %cmp71, label %lor.lhs.false123, label %return

lor.lhs.false123:                                 ; preds = %if.else120
  %arrayidx124 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %79 = load i64, ptr %arrayidx124, align 8
  %tobool125.not = icmp eq i64 %79, 0
  br i1 %tobool125.not, label %return, label %if.end128

if.end128:                                        ; preds = %land.lhs.true.i, %lor.lhs.false123, %cleanup15.i
  %found104.0 = phi i64 [ %idxprom.i, %cleanup15.i ], [ -1, %lor.lhs.false123 ], [ %call30.i, %land.lhs.true.i ]
  %invariant.gep = getelementptr inbounds i8, ptr %node.tr, i64 24
  %cmp130404 = icmp sgt i64 %51, 0
  br i1 %cmp130404, label %for.body133, label %for.cond.cleanup132

for.cond.cleanup132:                              ; preds = %for.body133, %if.end128
  %add.ptr142 = getelementptr inbounds %union.Word, ptr %invariant.gep, i64 %51
  br label %return

for.body133:                                      ; preds = %if.end128, %for.body133
  %p.0405 = phi i64 [ %inc138, %for.body133 ], [ 0, %if.end128 ]
  %gep = getelementptr inbounds %union.Word, ptr %invariant.gep, i64 %p.0405
  %80 = load i64, ptr %gep, align 8
  %81 = load ptr, ptr %columns78, align 8
  %arrayidx.i316 = getelementptr inbounds ptr, ptr %81, i64 %80
  %82 = load ptr, ptr %arrayidx.i316, align 8
  %arrayidx136 = getelementptr inbounds i64, ptr %82, i64 %place
  store i64 %found104.0, ptr %arrayidx136, align 8
  %inc138 = add nuw nsw i64 %p.0405, 1
  %exitcond433.not = icmp eq i64 %inc138, %51
  br i1 %exitcond433.not, label %for.cond.cleanup132, label %for.body133

sw.bb145:                                         ; preds = %tailrecurse
  %arrayidx147 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %83 = load i64, ptr %arrayidx147, align 8
  %type148 = getelementptr inbounds i8, ptr %value, i64 8
  %84 = load ptr, ptr %type148, align 8
  %cmp149.not = icmp eq ptr %84, @PyTuple_Type
  br i1 %cmp149.not, label %lor.lhs.false151, label %return

lor.lhs.false151:                                 ; preds = %sw.bb145
  %call152 = tail call i64 @PyTuple_Size(ptr noundef nonnull %value)
  %cmp153.not = icmp eq i64 %call152, %83
  br i1 %cmp153.not, label %if.end156, label %return

if.end156:                                        ; preds = %lor.lhs.false151
  %add.ptr157 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %cmp159397 = icmp sgt i64 %83, 0
  br i1 %cmp159397, label %for.body163.lr.ph, label %return

for.body163.lr.ph:                                ; preds = %if.end156
  %85 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i317 = getelementptr inbounds i8, ptr %value, i64 %85
  br label %for.body163

for.body163:                                      ; preds = %for.body163.lr.ph, %for.body163
  %k.0399 = phi i64 [ 0, %for.body163.lr.ph ], [ %inc168, %for.body163 ]
  %node.addr.0398 = phi ptr [ %add.ptr157, %for.body163.lr.ph ], [ %call166, %for.body163 ]
  %arrayidx165 = getelementptr inbounds ptr, ptr %add.ptr.i317, i64 %k.0399
  %86 = load ptr, ptr %arrayidx165, align 8
  %call166 = tail call fastcc ptr @put(ptr noundef %walk, ptr noundef %86, ptr noundef nonnull %node.addr.0398, i64 noundef %place)
  %inc168 = add nuw nsw i64 %k.0399, 1
  %cmp159 = icmp slt i64 %inc168, %83
  %tobool161 = icmp ne ptr %call166, null
  %87 = select i1 %cmp159, i1 %tobool161, i1 false
  br i1 %87, label %for.body163, label %return

sw.bb172:                                         ; preds = %tailrecurse
  %arrayidx173 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %88 = load i64, ptr %arrayidx173, align 8
  %89 = load ptr, ptr %columns78, align 8
  %arrayidx.i319 = getelementptr inbounds ptr, ptr %89, i64 %88
  %90 = load ptr, ptr %arrayidx.i319, align 8
  %arrayidx175 = getelementptr inbounds i64, ptr %90, i64 %place
  store i64 %place, ptr %arrayidx175, align 8
  %add.ptr176 = getelementptr inbounds i8, ptr %node.tr, i64 16
  br label %return

sw.bb177:                                         ; preds = %tailrecurse
  %arrayidx178 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %91 = load i64, ptr %arrayidx178, align 8
  %arrayidx179 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %92 = load i64, ptr %arrayidx179, align 8
  %93 = load ptr, ptr %columns78, align 8
  %arrayidx.i321 = getelementptr inbounds ptr, ptr %93, i64 %92
  %94 = load ptr, ptr %arrayidx.i321, align 8
  %arrayidx181 = getelementptr inbounds i64, ptr %94, i64 %place
  store i64 %91, ptr %arrayidx181, align 8
  %add.ptr182 = getelementptr inbounds i8, ptr %node.tr, i64 24
  br label %return

sw.bb183:                                         ; preds = %tailrecurse
  %type.i322 = getelementptr inbounds i8, ptr %value, i64 8
  %95 = load ptr, ptr %type.i322, align 8
  %cmp.i323 = icmp eq ptr %95, @PyFloat_Type
  %cmp2.i324 = icmp ne ptr %95, @PyLong_Type
  br i1 %cmp.i323, label %if.end.thread.i, label %land.lhs.true.i325

if.end.thread.i:                                  ; preds = %sw.bb183
  %cmp12121.i = icmp eq ptr %value, @_Py_TrueStruct
  %conv14122.i = zext i1 %cmp12121.i to i64
  br label %if.end19.i

land.lhs.true.i325:                               ; preds = %sw.bb183
  %cmp6.i = icmp ne ptr %value, @_Py_TrueStruct
  %cmp8.i = icmp ne ptr %value, @_Py_FalseStruct
  %96 = and i1 %cmp6.i, %cmp8.i
  %or.cond78.i = and i1 %96, %cmp2.i324
  br i1 %or.cond78.i, label %return, label %if.end.i

if.end.i:                                         ; preds = %land.lhs.true.i325
  %cmp12.i326 = icmp eq ptr %value, @_Py_TrueStruct
  %conv14.i = zext i1 %cmp12.i326 to i64
  br i1 %cmp2.i324, label %if.end19.i, label %land.lhs.true17.i

land.lhs.true17.i:                                ; preds = %if.end.i
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %overflows.i.i)
  store i32 0, ptr %overflows.i.i, align 4
  %call.i.i327 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %value, ptr noundef nonnull %overflows.i.i)
  %97 = load i32, ptr %overflows.i.i, align 4
  %tobool.not.i.i = icmp eq i32 %97, 0
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %overflows.i.i)
  br i1 %tobool.not.i.i, label %if.end19.i, label %return

if.end19.i:                                       ; preds = %land.lhs.true17.i, %if.end.i, %if.end.thread.i
  %cmp52.i = phi i1 [ false, %if.end.i ], [ true, %land.lhs.true17.i ], [ false, %if.end.thread.i ]
  %spec.select123.i = phi i64 [ 5, %if.end.i ], [ 4, %land.lhs.true17.i ], [ 3, %if.end.thread.i ]
  %exact.0.i = phi i64 [ %conv14.i, %if.end.i ], [ %call.i.i327, %land.lhs.true17.i ], [ %conv14122.i, %if.end.thread.i ]
  %arrayidx.i328 = getelementptr inbounds i8, ptr %node.tr, i64 32
  %98 = load i64, ptr %arrayidx.i328, align 8
  %cmp20.not125.i = icmp sgt i64 %98, 0
  br i1 %cmp20.not125.i, label %for.body.lr.ph.i329, label %return

for.body.lr.ph.i329:                              ; preds = %if.end19.i
  %add.ptr.i330 = getelementptr inbounds i8, ptr %node.tr, i64 40
  br label %for.body.i331

for.body.i331:                                    ; preds = %for.inc.i332, %for.body.lr.ph.i329
  %k.0126.i = phi i64 [ 0, %for.body.lr.ph.i329 ], [ %inc.i333, %for.inc.i332 ]
  %add.ptr22.idx.i = shl nsw i64 %k.0126.i, 4
  %add.ptr22.i = getelementptr inbounds i8, ptr %add.ptr.i330, i64 %add.ptr22.idx.i
  %99 = load i64, ptr %add.ptr22.i, align 8
  %cmp24.not.not.i = icmp eq i64 %99, %spec.select123.i
  br i1 %cmp24.not.not.i, label %if.end27.i, label %for.inc.i332

if.end27.i:                                       ; preds = %for.body.i331
  %add.ptr22.i.le = getelementptr inbounds i8, ptr %add.ptr.i330, i64 %add.ptr22.idx.i
  %arrayidx28.i = getelementptr inbounds i8, ptr %node.tr, i64 8
  %100 = load i64, ptr %arrayidx28.i, align 8
  %101 = load ptr, ptr %columns78, align 8
  %arrayidx.i.i335 = getelementptr inbounds ptr, ptr %101, i64 %100
  %102 = load ptr, ptr %arrayidx.i.i335, align 8
  %arrayidx30.i = getelementptr inbounds i64, ptr %102, i64 %place
  store i64 %k.0126.i, ptr %arrayidx30.i, align 8
  %arrayidx31.i = getelementptr inbounds i8, ptr %node.tr, i64 24
  %103 = load i64, ptr %arrayidx31.i, align 8
  %tobool.not.i336 = icmp eq i64 %103, 0
  br i1 %tobool.not.i336, label %if.then32.i, label %if.else.i

if.then32.i:                                      ; preds = %if.end27.i
  %arrayidx33.i = getelementptr inbounds i8, ptr %node.tr, i64 16
  %104 = load i64, ptr %arrayidx33.i, align 8
  %105 = load ptr, ptr %columns78, align 8
  %arrayidx.i114.i = getelementptr inbounds ptr, ptr %105, i64 %104
  %106 = load ptr, ptr %arrayidx.i114.i, align 8
  %arrayidx35.i337 = getelementptr inbounds i64, ptr %106, i64 %place
  store i64 %exact.0.i, ptr %arrayidx35.i337, align 8
  br label %if.end47.i

if.else.i:                                        ; preds = %if.end27.i
  br i1 %cmp.i323, label %cond.true38.i, label %cond.false40.i

cond.true38.i:                                    ; preds = %if.else.i
  %add.ptr39.i = getelementptr inbounds i8, ptr %value, i64 16
  %107 = load double, ptr %add.ptr39.i, align 8
  br label %cond.end42.i

cond.false40.i:                                   ; preds = %if.else.i
  %conv41.i = sitofp i64 %exact.0.i to double
  br label %cond.end42.i

cond.end42.i:                                     ; preds = %cond.false40.i, %cond.true38.i
  %cond43.i = phi double [ %107, %cond.true38.i ], [ %conv41.i, %cond.false40.i ]
  %108 = load ptr, ptr %columns78, align 8
  %arrayidx44.i = getelementptr inbounds i8, ptr %node.tr, i64 16
  %109 = load i64, ptr %arrayidx44.i, align 8
  %arrayidx45.i = getelementptr inbounds ptr, ptr %108, i64 %109
  %110 = load ptr, ptr %arrayidx45.i, align 8
  %arrayidx46.i = getelementptr inbounds double, ptr %110, i64 %place
  store double %cond43.i, ptr %arrayidx46.i, align 8
  br label %if.end47.i

if.end47.i:                                       ; preds = %cond.end42.i, %if.then32.i
  %arrayidx48.i = getelementptr inbounds i8, ptr %add.ptr22.i.le, i64 8
  %111 = load i64, ptr %arrayidx48.i, align 8
  %cmp49.i = icmp sgt i64 %111, -1
  %or.cond79.i = and i1 %cmp52.i, %cmp49.i
  br i1 %or.cond79.i, label %if.then54.i, label %if.else58.i

if.then54.i:                                      ; preds = %if.end47.i
  %112 = load ptr, ptr %columns78, align 8
  %arrayidx.i116.i = getelementptr inbounds ptr, ptr %112, i64 %111
  %113 = load ptr, ptr %arrayidx.i116.i, align 8
  %arrayidx57.i = getelementptr inbounds i64, ptr %113, i64 %place
  store i64 %exact.0.i, ptr %arrayidx57.i, align 8
  br label %cond.true186

if.else58.i:                                      ; preds = %if.end47.i
  br i1 %cmp49.i, label %if.then62.i, label %cond.true186

if.then62.i:                                      ; preds = %if.else58.i
  %conv63.i = trunc i64 %exact.0.i to i8
  %114 = load ptr, ptr %columns78, align 8
  %arrayidx66.i = getelementptr inbounds ptr, ptr %114, i64 %111
  %115 = load ptr, ptr %arrayidx66.i, align 8
  %arrayidx67.i = getelementptr inbounds i8, ptr %115, i64 %place
  store i8 %conv63.i, ptr %arrayidx67.i, align 1
  br label %cond.true186

for.inc.i332:                                     ; preds = %for.body.i331
  %inc.i333 = add nuw nsw i64 %k.0126.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i333, %98
  br i1 %exitcond.not.i, label %return, label %for.body.i331

cond.true186:                                     ; preds = %if.then62.i, %if.else58.i, %if.then54.i
  %116 = load i64, ptr %arrayidx.i328, align 8
  %add.ptr190.idx = shl nsw i64 %116, 4
  %add.ptr190 = getelementptr inbounds i8, ptr %add.ptr.i330, i64 %add.ptr190.idx
  br label %return

return:                                           ; preds = %tailrecurse, %for.inc.i332, %for.body163, %for.body34.i, %for.inc.i, %if.end156, %is_text.exit, %if.end19.i, %land.lhs.true17.i, %land.lhs.true.i325, %land.lhs.true.i, %for.end49.i, %sw.bb60, %lor.rhs.i, %is_text.exit.thread, %lor.lhs.false, %cond.true186, %lor.lhs.false151, %sw.bb145, %for.cond.cleanup132, %cleanup15.i, %lor.lhs.false123, %if.else120, %if.end97, %if.then87, %if.else, %cond.true63, %for.cond.cleanup, %sw.bb39, %sw.bb28, %sw.bb18, %sw.bb11, %sw.bb177, %sw.bb172, %if.then73, %if.end32, %if.end, %sw.bb1, %sw.bb
  %retval.4 = phi ptr [ %add.ptr182, %sw.bb177 ], [ %add.ptr176, %sw.bb172 ], [ %add.ptr76, %if.then73 ], [ %add.ptr38, %if.end32 ], [ %add.ptr17, %if.end ], [ %cond, %sw.bb1 ], [ %add.ptr, %sw.bb ], [ null, %sw.bb11 ], [ null, %sw.bb18 ], [ null, %sw.bb28 ], [ %add.ptr59, %for.cond.cleanup ], [ null, %sw.bb39 ], [ %add.ptr66, %cond.true63 ], [ %add.ptr101, %if.end97 ], [ null, %if.then87 ], [ null, %if.else ], [ %add.ptr142, %for.cond.cleanup132 ], [ null, %cleanup15.i ], [ null, %lor.lhs.false123 ], [ null, %if.else120 ], [ null, %lor.lhs.false151 ], [ null, %sw.bb145 ], [ %add.ptr190, %cond.true186 ], [ %spec.select, %lor.lhs.false ], [ %add.ptr7349, %is_text.exit.thread ], [ null, %lor.rhs.i ], [ null, %sw.bb60 ], [ null, %for.end49.i ], [ null, %land.lhs.true.i ], [ null, %land.lhs.true.i325 ], [ null, %land.lhs.true17.i ], [ null, %if.end19.i ], [ %spec.select371, %is_text.exit ], [ %add.ptr157, %if.end156 ], [ null, %for.inc.i ], [ null, %for.body34.i ], [ %call166, %for.body163 ], [ null, %for.inc.i332 ], [ null, %tailrecurse ]
  ret ptr %retval.4
}

declare ptr @PyList_GetItem(ptr noundef, i64 noundef)

define internal fastcc range(i64 -9223372036854775808, 9223372036854775807) i64 @keep(ptr noundef readonly %walk, ptr noundef %known, i64 noundef %number, ptr noundef %object) {
entry:
  %tables = getelementptr inbounds i8, ptr %walk, i64 16
  %0 = load ptr, ptr %tables, align 8
  %arrayidx = getelementptr inbounds %struct.Table, ptr %0, i64 %number
  %call = tail call fastcc i1 @extend(ptr noundef %walk, i64 noundef %number, i64 noundef 1)
  br i1 %call, label %if.end, label %cleanup32

if.end:                                           ; preds = %entry
  %1 = load ptr, ptr %known, align 8
  %tobool.not = icmp eq ptr %1, null
  %.pr = load i64, ptr %arrayidx, align 8
  %.pre = shl i64 %.pr, 1
  br i1 %tobool.not, label %if.then1, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %if.end
  %mask = getelementptr inbounds i8, ptr %known, i64 8
  %2 = load i64, ptr %mask, align 8
  %cmp.not = icmp ult i64 %.pre, %2
  br i1 %cmp.not, label %if.end15, label %if.then1

if.then1:                                         ; preds = %if.end, %lor.lhs.false
  %plan = getelementptr inbounds i8, ptr %walk, i64 8
  %3 = load ptr, ptr %plan, align 8
  %rows = getelementptr inbounds i8, ptr %3, i64 80
  %4 = load ptr, ptr %rows, align 8
  %arrayidx2 = getelementptr inbounds i64, ptr %4, i64 %number
  %5 = load i64, ptr %arrayidx2, align 8
  %cmp5 = icmp sgt i64 %5, %.pr
  %cond.in = select i1 %cmp5, i64 %5, i64 %.pre
  %columns.i = getelementptr inbounds i8, ptr %walk, i64 24
  %6 = load ptr, ptr %columns.i, align 8
  %7 = load ptr, ptr %walk, align 8
  %of_tables.i = getelementptr inbounds i8, ptr %3, i64 88
  %8 = load i64, ptr %of_tables.i, align 8
  %add.ptr.i = getelementptr inbounds %union.Word, ptr %7, i64 %8
  %arrayidx.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i, i64 %number
  %9 = load i64, ptr %arrayidx.i, align 8
  %arrayidx1.i = getelementptr inbounds ptr, ptr %6, i64 %9
  %10 = load ptr, ptr %arrayidx1.i, align 8
  %cond = shl i64 %cond.in, 1
  %mul.i = add i64 %cond, 16
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %if.then1
  %size.0.i = phi i64 [ 16, %if.then1 ], [ %mul1.i, %while.cond.i ]
  %cmp.i = icmp ult i64 %size.0.i, %mul.i
  %mul1.i = shl i64 %size.0.i, 1
  br i1 %cmp.i, label %while.cond.i, label %while.end.i

while.end.i:                                      ; preds = %while.cond.i
  %mul2.i = shl i64 %size.0.i, 2
  %call.i = tail call ptr @ag_take(i64 noundef %mul2.i)
  %tobool.i = icmp ne ptr %call.i, null
  %cmp3.i = icmp slt i64 %cond.in, 1073741816
  %or.cond.not.i = and i1 %cmp3.i, %tobool.i
  br i1 %or.cond.not.i, label %if.end.i, label %spread.exit.thread

spread.exit.thread:                               ; preds = %while.end.i
  tail call void @ag_give(ptr noundef %call.i, i64 noundef %mul2.i)
  br label %cleanup32

if.end.i:                                         ; preds = %while.end.i
  tail call void @llvm.memset.p0.i64(ptr nonnull align 4 %call.i, i8 0, i64 %mul2.i, i1 false)
  %cmp644.i = icmp sgt i64 %.pr, 0
  %sub.i = add i64 %size.0.i, -1
  br i1 %cmp644.i, label %for.body.i, label %spread.exit

for.body.i:                                       ; preds = %if.end.i, %while.end14.i
  %i.045.i = phi i64 [ %add15.i, %while.end14.i ], [ 0, %if.end.i ]
  %arrayidx.i60 = getelementptr inbounds ptr, ptr %10, i64 %i.045.i
  %11 = load ptr, ptr %arrayidx.i60, align 8
  %12 = ptrtoint ptr %11 to i64
  %shr.i.i = lshr i64 %12, 4
  %mul.i.i = mul i64 %shr.i.i, -7046029254386353131
  %shr1.i.i = lshr i64 %mul.i.i, 20
  br label %while.cond8.i

while.cond8.i:                                    ; preds = %while.cond8.i, %for.body.i
  %call7.pn.i = phi i64 [ %shr1.i.i, %for.body.i ], [ %add.i, %while.cond8.i ]
  %slot.0.i = and i64 %call7.pn.i, %sub.i
  %arrayidx9.i = getelementptr inbounds i32, ptr %call.i, i64 %slot.0.i
  %13 = load i32, ptr %arrayidx9.i, align 4
  %tobool10.not.i = icmp eq i32 %13, 0
  %add.i = add i64 %slot.0.i, 1
  br i1 %tobool10.not.i, label %while.end14.i, label %while.cond8.i

while.end14.i:                                    ; preds = %while.cond8.i
  %arrayidx9.i.le = getelementptr inbounds i32, ptr %call.i, i64 %slot.0.i
  %add15.i = add nuw nsw i64 %i.045.i, 1
  %conv.i = trunc i64 %add15.i to i32
  store i32 %conv.i, ptr %arrayidx9.i.le, align 4
  %exitcond.not.i = icmp eq i64 %add15.i, %.pr
  br i1 %exitcond.not.i, label %spread.exit, label %for.body.i

spread.exit:                                      ; preds = %while.end14.i, %if.end.i
  %14 = load ptr, ptr %known, align 8
  %bytes.i = getelementptr inbounds i8, ptr %known, i64 16
  %15 = load i64, ptr %bytes.i, align 8
  tail call void @ag_give(ptr noundef %14, i64 noundef %15)
  store ptr %call.i, ptr %known, align 8
  %.compoundliteral.sroa.2.0..sroa_idx.i = getelementptr inbounds i8, ptr %known, i64 8
  store i64 %sub.i, ptr %.compoundliteral.sroa.2.0..sroa_idx.i, align 8
  store i64 %mul2.i, ptr %bytes.i, align 8
  br label %if.end15

if.end15:                                         ; preds = %spread.exit, %lor.lhs.false
  %16 = phi ptr [ %call.i, %spread.exit ], [ %1, %lor.lhs.false ]
  %17 = phi i64 [ %sub.i, %spread.exit ], [ %2, %lor.lhs.false ]
  %18 = ptrtoint ptr %object to i64
  %shr.i = lshr i64 %18, 4
  %mul.i61 = mul i64 %shr.i, -7046029254386353131
  %shr1.i = lshr i64 %mul.i61, 20
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %if.end15
  %shr1.i.pn = phi i64 [ %shr1.i, %if.end15 ], [ %add21, %while.cond ]
  %slot.0 = and i64 %shr1.i.pn, %17
  %arrayidx19 = getelementptr inbounds i32, ptr %16, i64 %slot.0
  %19 = load i32, ptr %arrayidx19, align 4
  %tobool20.not = icmp eq i32 %19, 0
  %add21 = add i64 %slot.0, 1
  br i1 %tobool20.not, label %while.end, label %while.cond

while.end:                                        ; preds = %while.cond
  tail call void @Py_IncRef(ptr noundef %object)
  %columns.i62 = getelementptr inbounds i8, ptr %walk, i64 24
  %20 = load ptr, ptr %columns.i62, align 8
  %21 = load ptr, ptr %walk, align 8
  %plan.i63 = getelementptr inbounds i8, ptr %walk, i64 8
  %22 = load ptr, ptr %plan.i63, align 8
  %of_tables.i64 = getelementptr inbounds i8, ptr %22, i64 88
  %23 = load i64, ptr %of_tables.i64, align 8
  %add.ptr.i65 = getelementptr inbounds %union.Word, ptr %21, i64 %23
  %arrayidx.i66 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i65, i64 %number
  %24 = load i64, ptr %arrayidx.i66, align 8
  %arrayidx1.i67 = getelementptr inbounds ptr, ptr %20, i64 %24
  %25 = load ptr, ptr %arrayidx1.i67, align 8
  %26 = load i64, ptr %arrayidx, align 8
  %inc = add nsw i64 %26, 1
  store i64 %inc, ptr %arrayidx, align 8
  %arrayidx26 = getelementptr inbounds ptr, ptr %25, i64 %26
  store ptr %object, ptr %arrayidx26, align 8
  %27 = load i64, ptr %arrayidx, align 8
  %conv = trunc i64 %27 to i32
  %28 = load ptr, ptr %known, align 8
  %arrayidx29 = getelementptr inbounds i32, ptr %28, i64 %slot.0
  store i32 %conv, ptr %arrayidx29, align 4
  %29 = load i64, ptr %arrayidx, align 8
  %sub = add nsw i64 %29, -1
  br label %cleanup32

cleanup32:                                        ; preds = %spread.exit.thread, %entry, %while.end
  %retval.1 = phi i64 [ %sub, %while.end ], [ -1, %entry ], [ -1, %spread.exit.thread ]
  ret i64 %retval.1
}

declare void @Py_IncRef(ptr noundef)

declare ptr @ag_take(i64 noundef)

declare void @ag_give(ptr noundef, i64 noundef)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

declare i64 @PyTuple_Size(ptr noundef)

declare i32 @PyObject_RichCompareBool(ptr noundef, ptr noundef, i32 noundef)

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef)

define internal fastcc noundef i1 @put_items(ptr noundef readonly %walk, ptr noundef readonly %group, ptr noundef %list) {
entry:
  %0 = load ptr, ptr %walk, align 8
  %parts1 = getelementptr inbounds i8, ptr %group, i64 16
  %1 = load i64, ptr %parts1, align 8
  %add.ptr = getelementptr inbounds %union.Word, ptr %0, i64 %1
  %call = tail call i64 @PyList_Size(ptr noundef %list)
  %count = getelementptr inbounds i8, ptr %group, i64 8
  %2 = load i64, ptr %count, align 8
  %cmp.not134 = icmp sgt i64 %2, 0
  br i1 %cmp.not134, label %for.body.lr.ph, label %for.cond20.preheader

for.body.lr.ph:                                   ; preds = %entry
  %tables = getelementptr inbounds i8, ptr %walk, i64 16
  %columns.i = getelementptr inbounds i8, ptr %walk, i64 24
  br label %for.body

for.cond20.preheader:                             ; preds = %if.end, %entry
  %cmp21.not138 = icmp slt i64 %call, 1
  br i1 %cmp21.not138, label %cleanup71, label %for.body23.lr.ph

for.body23.lr.ph:                                 ; preds = %for.cond20.preheader
  %3 = load i64, ptr @ag_tuple_head, align 8
  %tables42 = getelementptr inbounds i8, ptr %walk, i64 16
  br label %for.body23

for.body:                                         ; preds = %for.body.lr.ph, %if.end
  %p.0135 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end ]
  %arrayidx = getelementptr inbounds %struct.PartPlan, ptr %add.ptr, i64 %p.0135
  %pool = getelementptr inbounds i8, ptr %arrayidx, i64 32
  %4 = load i64, ptr %pool, align 8
  %call2 = tail call fastcc i1 @extend(ptr noundef nonnull %walk, i64 noundef %4, i64 noundef %call)
  br i1 %call2, label %if.end, label %cleanup71

if.end:                                           ; preds = %for.body
  %5 = load ptr, ptr %tables, align 8
  %6 = load i64, ptr %arrayidx, align 8
  %arrayidx4 = getelementptr inbounds %struct.Table, ptr %5, i64 %6
  %7 = load i64, ptr %arrayidx4, align 8
  %sub = add nsw i64 %7, -1
  %8 = load i64, ptr %pool, align 8
  %arrayidx9 = getelementptr inbounds %struct.Table, ptr %5, i64 %8
  %9 = load i64, ptr %arrayidx9, align 8
  %starts = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %10 = load i64, ptr %starts, align 8
  %11 = load ptr, ptr %columns.i, align 8
  %arrayidx.i = getelementptr inbounds ptr, ptr %11, i64 %10
  %12 = load ptr, ptr %arrayidx.i, align 8
  %arrayidx13 = getelementptr inbounds i64, ptr %12, i64 %sub
  store i64 %9, ptr %arrayidx13, align 8
  %lengths = getelementptr inbounds i8, ptr %arrayidx, i64 16
  %13 = load i64, ptr %lengths, align 8
  %14 = load ptr, ptr %columns.i, align 8
  %arrayidx.i126 = getelementptr inbounds ptr, ptr %14, i64 %13
  %15 = load ptr, ptr %arrayidx.i126, align 8
  %arrayidx16 = getelementptr inbounds i64, ptr %15, i64 %sub
  store i64 %call, ptr %arrayidx16, align 8
  %rooms = getelementptr inbounds i8, ptr %arrayidx, i64 24
  %16 = load i64, ptr %rooms, align 8
  %17 = load ptr, ptr %columns.i, align 8
  %arrayidx.i128 = getelementptr inbounds ptr, ptr %17, i64 %16
  %18 = load ptr, ptr %arrayidx.i128, align 8
  %arrayidx19 = getelementptr inbounds i64, ptr %18, i64 %sub
  store i64 %call, ptr %arrayidx19, align 8
  %inc = add nuw nsw i64 %p.0135, 1
  %19 = load i64, ptr %count, align 8
  %cmp.not = icmp slt i64 %inc, %19
  br i1 %cmp.not, label %for.body, label %for.cond20.preheader

for.body23:                                       ; preds = %for.body23.lr.ph, %for.inc66
  %i.0139 = phi i64 [ 0, %for.body23.lr.ph ], [ %inc67, %for.inc66 ]
  %call24 = tail call ptr @PyList_GetItem(ptr noundef %list, i64 noundef %i.0139)
  %20 = load i64, ptr %group, align 8
  %tobool.not = icmp eq i64 %20, 0
  br i1 %tobool.not, label %for.body23.if.end30_crit_edge, label %land.lhs.true

for.body23.if.end30_crit_edge:                    ; preds = %for.body23
  %.pre = load i64, ptr %count, align 8
  br label %if.end30

land.lhs.true:                                    ; preds = %for.body23
  %type = getelementptr inbounds i8, ptr %call24, i64 8
  %21 = load ptr, ptr %type, align 8
  %cmp25.not = icmp eq ptr %21, @PyTuple_Type
  br i1 %cmp25.not, label %lor.lhs.false, label %cleanup71

lor.lhs.false:                                    ; preds = %land.lhs.true
  %call26 = tail call i64 @PyTuple_Size(ptr noundef nonnull %call24)
  %22 = load i64, ptr %count, align 8
  %cmp28.not = icmp eq i64 %call26, %22
  br i1 %cmp28.not, label %if.end30, label %cleanup71

if.end30:                                         ; preds = %for.body23.if.end30_crit_edge, %lor.lhs.false
  %23 = phi i64 [ %.pre, %for.body23.if.end30_crit_edge ], [ %call26, %lor.lhs.false ]
  %cmp34.not136 = icmp sgt i64 %23, 0
  br i1 %cmp34.not136, label %for.body36.lr.ph, label %for.inc66

for.body36.lr.ph:                                 ; preds = %if.end30
  %add.ptr.i = getelementptr inbounds i8, ptr %call24, i64 %3
  br label %for.body36

for.cond32:                                       ; preds = %cond.end
  %inc59 = add nuw nsw i64 %p31.0137, 1
  %24 = load i64, ptr %count, align 8
  %cmp34.not = icmp slt i64 %inc59, %24
  br i1 %cmp34.not, label %for.body36, label %for.inc66

for.body36:                                       ; preds = %for.body36.lr.ph, %for.cond32
  %p31.0137 = phi i64 [ 0, %for.body36.lr.ph ], [ %inc59, %for.cond32 ]
  %25 = load i64, ptr %group, align 8
  %tobool38.not = icmp eq i64 %25, 0
  br i1 %tobool38.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %for.body36
  %arrayidx40 = getelementptr inbounds ptr, ptr %add.ptr.i, i64 %p31.0137
  %26 = load ptr, ptr %arrayidx40, align 8
  br label %cond.end

cond.end:                                         ; preds = %for.body36, %cond.true
  %cond = phi ptr [ %26, %cond.true ], [ %call24, %for.body36 ]
  %27 = load ptr, ptr %tables42, align 8
  %arrayidx43 = getelementptr inbounds %struct.PartPlan, ptr %add.ptr, i64 %p31.0137
  %pool44 = getelementptr inbounds i8, ptr %arrayidx43, i64 32
  %28 = load i64, ptr %pool44, align 8
  %arrayidx45 = getelementptr inbounds %struct.Table, ptr %27, i64 %28
  %29 = load i64, ptr %arrayidx45, align 8
  %inc47 = add nsw i64 %29, 1
  store i64 %inc47, ptr %arrayidx45, align 8
  %30 = load ptr, ptr %walk, align 8
  %node = getelementptr inbounds i8, ptr %arrayidx43, i64 40
  %31 = load i64, ptr %node, align 8
  %add.ptr50 = getelementptr inbounds %union.Word, ptr %30, i64 %31
  %call51 = tail call fastcc ptr @put(ptr noundef nonnull %walk, ptr noundef %cond, ptr noundef %add.ptr50, i64 noundef %29)
  %tobool52.not.not = icmp eq ptr %call51, null
  br i1 %tobool52.not.not, label %cleanup71, label %for.cond32

for.inc66:                                        ; preds = %for.cond32, %if.end30
  %inc67 = add nuw nsw i64 %i.0139, 1
  %exitcond = icmp eq i64 %inc67, %call
  br i1 %exitcond, label %cleanup71, label %for.body23

cleanup71:                                        ; preds = %for.body, %lor.lhs.false, %land.lhs.true, %for.inc66, %cond.end, %for.cond20.preheader
  %retval.7 = phi i1 [ true, %for.cond20.preheader ], [ false, %cond.end ], [ false, %lor.lhs.false ], [ false, %land.lhs.true ], [ true, %for.inc66 ], [ false, %for.body ]
  ret i1 %retval.7
}

declare ptr @PyObject_GenericGetDict(ptr noundef, ptr noundef)

declare void @PyErr_Clear()

declare i64 @PyDict_Size(ptr noundef)

declare i32 @PyDict_Next(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

declare void @Py_DecRef(ptr noundef)

define internal fastcc ptr @outputs_of(ptr noundef readonly %walk, ptr noundef %program, ptr noundef readonly %leaves) {
entry:
  %size.i.i = alloca i64, align 8
  %0 = load ptr, ptr %walk, align 8
  %plan = getelementptr inbounds i8, ptr %walk, i64 8
  %1 = load ptr, ptr %plan, align 8
  %of_inputs = getelementptr inbounds i8, ptr %1, i64 128
  %2 = load i64, ptr %of_inputs, align 8
  %add.ptr = getelementptr inbounds %union.Word, ptr %0, i64 %2
  %inputs = getelementptr inbounds i8, ptr %1, i64 40
  %3 = load i64, ptr %inputs, align 8
  %add = add nsw i64 %3, 1
  %vla = alloca ptr, i64 %add, align 8
  %cmp21 = icmp sgt i64 %3, 0
  br i1 %cmp21, label %land.rhs.lr.ph, label %while.end

land.rhs.lr.ph:                                   ; preds = %entry
  %places.i = getelementptr inbounds i8, ptr %walk, i64 48
  %tables.i = getelementptr inbounds i8, ptr %walk, i64 16
  %columns.i.i = getelementptr inbounds i8, ptr %walk, i64 24
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.lr.ph, %while.body
  %made.022 = phi i64 [ 0, %land.rhs.lr.ph ], [ %inc, %while.body ]
  %arrayidx = getelementptr inbounds %struct.InputPlan, ptr %add.ptr, i64 %made.022
  %4 = load i64, ptr %arrayidx, align 8
  switch i64 %4, label %sw.epilog.i [
    i64 0, label %sw.bb.i
    i64 1, label %sw.bb1.i
    i64 2, label %sw.bb4.i
    i64 3, label %sw.bb8.i
  ]

sw.bb.i:                                          ; preds = %land.rhs
  %number.i = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %5 = load i64, ptr %number.i, align 8
  %6 = load ptr, ptr %walk, align 8
  %7 = load ptr, ptr %plan, align 8
  %of_columns.i.i = getelementptr inbounds i8, ptr %7, i64 96
  %8 = load i64, ptr %of_columns.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds %union.Word, ptr %6, i64 %8
  %add.ptr1.i.i = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr.i.i, i64 %5
  %9 = load ptr, ptr %tables.i, align 8
  %table.i.i = getelementptr inbounds i8, ptr %add.ptr1.i.i, i64 16
  %10 = load i64, ptr %table.i.i, align 8
  %arrayidx.i.i = getelementptr inbounds %struct.Table, ptr %9, i64 %10
  %11 = load i64, ptr %arrayidx.i.i, align 8
  %of_tables.i.i = getelementptr inbounds i8, ptr %7, i64 88
  %12 = load i64, ptr %of_tables.i.i, align 8
  %add.ptr5.i.i = getelementptr inbounds %union.Word, ptr %6, i64 %12
  %padded8.i.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr5.i.i, i64 %10, i32 4
  %13 = load i64, ptr %padded8.i.i, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %size.i.i)
  %cond.i.i = call i64 @llvm.smax.i64(i64 %11, i64 %13)
  store i64 %cond.i.i, ptr %size.i.i, align 8
  %descr.i.i = getelementptr inbounds i8, ptr %add.ptr1.i.i, i64 8
  %14 = load ptr, ptr %descr.i.i, align 8
  call void @Py_IncRef(ptr noundef %14)
  %15 = load ptr, ptr %descr.i.i, align 8
  %call.i.i = call ptr @PyArray_Empty(i32 noundef 1, ptr noundef nonnull %size.i.i, ptr noundef %15, i32 noundef 0)
  %tobool.not.i.i = icmp eq ptr %call.i.i, null
  br i1 %tobool.not.i.i, label %array_of.exit.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %sw.bb.i
  %16 = load i64, ptr %add.ptr1.i.i, align 8
  %mul.i.i = mul nsw i64 %16, %11
  %data.i.i = getelementptr inbounds i8, ptr %call.i.i, i64 16
  %17 = load ptr, ptr %data.i.i, align 8
  %18 = load ptr, ptr %columns.i.i, align 8
  %arrayidx11.i.i = getelementptr inbounds ptr, ptr %18, i64 %5
  %19 = load ptr, ptr %arrayidx11.i.i, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %17, ptr align 1 %19, i64 %mul.i.i, i1 false)
  %20 = load ptr, ptr %data.i.i, align 8
  %add.ptr13.i.i = getelementptr inbounds i8, ptr %20, i64 %mul.i.i
  %21 = load i64, ptr %size.i.i, align 8
  %22 = load i64, ptr %add.ptr1.i.i, align 8
  %mul15.i.i = mul nsw i64 %22, %21
  %sub.i.i = sub i64 %mul15.i.i, %mul.i.i
  call void @llvm.memset.p0.i64(ptr align 1 %add.ptr13.i.i, i8 0, i64 %sub.i.i, i1 false)
  br label %array_of.exit.i

array_of.exit.i:                                  ; preds = %if.end.i.i, %sw.bb.i
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %size.i.i)
  br label %input_of.exit

sw.bb1.i:                                         ; preds = %land.rhs
  %23 = load ptr, ptr %tables.i, align 8
  %number2.i = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %24 = load i64, ptr %number2.i, align 8
  %arrayidx.i = getelementptr inbounds %struct.Table, ptr %23, i64 %24
  %25 = load i64, ptr %arrayidx.i, align 8
  %call3.i = call ptr @PyLong_FromLongLong(i64 noundef %25)
  br label %input_of.exit

sw.bb4.i:                                         ; preds = %land.rhs
  %number5.i = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %26 = load i64, ptr %number5.i, align 8
  %arrayidx6.i = getelementptr inbounds ptr, ptr %leaves, i64 %26
  %27 = load ptr, ptr %arrayidx6.i, align 8
  call void @Py_IncRef(ptr noundef %27)
  br label %input_of.exit

sw.bb8.i:                                         ; preds = %land.rhs
  %28 = load ptr, ptr %places.i, align 8
  %number9.i = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %29 = load i64, ptr %number9.i, align 8
  %arrayidx10.i = getelementptr inbounds i64, ptr %28, i64 %29
  %30 = load i64, ptr %arrayidx10.i, align 8
  %call11.i = call ptr @PyLong_FromLongLong(i64 noundef %30)
  br label %input_of.exit

sw.epilog.i:                                      ; preds = %land.rhs
  %number12.i = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %31 = load i64, ptr %number12.i, align 8
  %32 = inttoptr i64 %31 to ptr
  call void @Py_IncRef(ptr noundef %32)
  br label %input_of.exit

input_of.exit:                                    ; preds = %array_of.exit.i, %sw.bb1.i, %sw.bb4.i, %sw.bb8.i, %sw.epilog.i
  %retval.0.i = phi ptr [ %32, %sw.epilog.i ], [ %call11.i, %sw.bb8.i ], [ %27, %sw.bb4.i ], [ %call3.i, %sw.bb1.i ], [ %call.i.i, %array_of.exit.i ]
  %arrayidx2 = getelementptr inbounds ptr, ptr %vla, i64 %made.022
  store ptr %retval.0.i, ptr %arrayidx2, align 8
  %tobool.not = icmp eq ptr %retval.0.i, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %input_of.exit
  %inc = add nuw nsw i64 %made.022, 1
  %exitcond.not = icmp eq i64 %inc, %3
  br i1 %exitcond.not, label %if.then, label %land.rhs

while.end:                                        ; preds = %input_of.exit, %entry
  %made.0.lcssa = phi i64 [ 0, %entry ], [ %made.022, %input_of.exit ]
  %cmp3 = icmp eq i64 %made.0.lcssa, %3
  br i1 %cmp3, label %if.then, label %if.end

if.then:                                          ; preds = %while.body, %while.end
  %made.0.lcssa30 = phi i64 [ %made.0.lcssa, %while.end ], [ %3, %while.body ]
  %call4 = call ptr @PyObject_VectorcallDict(ptr noundef %program, ptr noundef nonnull %vla, i64 noundef %3, ptr noundef null)
  br label %if.end

if.end:                                           ; preds = %if.then, %while.end
  %made.0.lcssa29 = phi i64 [ %made.0.lcssa30, %if.then ], [ %made.0.lcssa, %while.end ]
  %outputs.0 = phi ptr [ %call4, %if.then ], [ null, %while.end ]
  %cmp524.not = icmp eq i64 %made.0.lcssa29, 0
  br i1 %cmp524.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %if.end
  ret ptr %outputs.0

for.body:                                         ; preds = %if.end, %for.body
  %i.025 = phi i64 [ %inc7, %for.body ], [ 0, %if.end ]
  %arrayidx6 = getelementptr inbounds ptr, ptr %vla, i64 %i.025
  %33 = load ptr, ptr %arrayidx6, align 8
  call void @Py_DecRef(ptr noundef %33)
  %inc7 = add nuw i64 %i.025, 1
  %exitcond26.not = icmp eq i64 %inc7, %made.0.lcssa29
  br i1 %exitcond26.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc ptr @delivered(ptr noundef %walk, ptr noundef readonly %outputs, ptr noundef %as_column) {
entry:
  %given.i = alloca [3 x ptr], align 8
  %changes = alloca %struct.Changes, align 8
  %plan1 = getelementptr inbounds i8, ptr %walk, i64 8
  %0 = load ptr, ptr %plan1, align 8
  %1 = load ptr, ptr %walk, align 8
  %of_outputs = getelementptr inbounds i8, ptr %0, i64 136
  %2 = load i64, ptr %of_outputs, align 8
  %add.ptr = getelementptr inbounds %union.Word, ptr %1, i64 %2
  %of_changes = getelementptr inbounds i8, ptr %0, i64 144
  %3 = load i64, ptr %of_changes, align 8
  %add.ptr5 = getelementptr inbounds %union.Word, ptr %1, i64 %3
  %columns6 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load i64, ptr %columns6, align 8
  %add = add nsw i64 %4, 1
  %vla = alloca ptr, i64 %add, align 8
  %outputs7 = getelementptr inbounds i8, ptr %0, i64 48
  %5 = load i64, ptr %outputs7, align 8
  %add8 = add nsw i64 %5, 1
  %vla9 = alloca ptr, i64 %add8, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %changes)
  store ptr %walk, ptr %changes, align 8
  %after = getelementptr inbounds i8, ptr %changes, i64 8
  store ptr %vla, ptr %after, align 8
  %cmp159 = icmp sgt i64 %4, 0
  br i1 %cmp159, label %for.body.lr.ph, label %for.cond14.preheader

for.body.lr.ph:                                   ; preds = %entry
  %columns12 = getelementptr inbounds i8, ptr %walk, i64 24
  %6 = load ptr, ptr %columns12, align 8
  br label %for.body

for.cond14.preheader:                             ; preds = %for.body, %entry
  %cmp16161 = icmp sgt i64 %5, 0
  br i1 %cmp16161, label %for.body17.lr.ph, label %for.cond34.preheader

for.body17.lr.ph:                                 ; preds = %for.cond14.preheader
  %tables.i = getelementptr inbounds i8, ptr %walk, i64 16
  %arrayinit.element.i = getelementptr inbounds i8, ptr %given.i, i64 8
  %arrayinit.element5.i = getelementptr inbounds i8, ptr %given.i, i64 16
  br label %for.body17

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %c.0160 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds ptr, ptr %6, i64 %c.0160
  %7 = load ptr, ptr %arrayidx, align 8
  %arrayidx13 = getelementptr inbounds ptr, ptr %vla, i64 %c.0160
  store ptr %7, ptr %arrayidx13, align 8
  %inc = add nuw nsw i64 %c.0160, 1
  %cmp = icmp slt i64 %inc, %4
  br i1 %cmp, label %for.body, label %for.cond14.preheader

for.cond34.preheader:                             ; preds = %for.inc31, %for.cond14.preheader
  %made.0.lcssa = phi i64 [ 0, %for.cond14.preheader ], [ %inc32, %for.inc31 ]
  %changes35 = getelementptr inbounds i8, ptr %0, i64 56
  %8 = load i64, ptr %changes35, align 8
  %cmp36165 = icmp sgt i64 %8, 0
  br i1 %cmp36165, label %for.body41.lr.ph, label %for.cond48.preheader

for.body41.lr.ph:                                 ; preds = %for.cond34.preheader
  %tables.i118 = getelementptr inbounds i8, ptr %walk, i64 16
  %columns.i.i = getelementptr inbounds i8, ptr %walk, i64 24
  br label %for.body41

for.body17:                                       ; preds = %for.body17.lr.ph, %for.inc31
  %made.0162 = phi i64 [ 0, %for.body17.lr.ph ], [ %inc32, %for.inc31 ]
  %arrayidx18 = getelementptr inbounds ptr, ptr %vla9, i64 %made.0162
  store ptr null, ptr %arrayidx18, align 8
  %arrayidx19 = getelementptr inbounds i64, ptr %add.ptr, i64 %made.0162
  %9 = load i64, ptr %arrayidx19, align 8
  %cmp20 = icmp slt i64 %9, 0
  br i1 %cmp20, label %for.inc31, label %if.end

if.end:                                           ; preds = %for.body17
  %arrayidx21 = getelementptr inbounds ptr, ptr %outputs, i64 %made.0162
  %10 = load ptr, ptr %arrayidx21, align 8
  %11 = load ptr, ptr %walk, align 8
  %12 = load ptr, ptr %plan1, align 8
  %of_columns.i = getelementptr inbounds i8, ptr %12, i64 96
  %13 = load i64, ptr %of_columns.i, align 8
  %add.ptr.i = getelementptr inbounds %union.Word, ptr %11, i64 %13
  %add.ptr1.i = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr.i, i64 %9
  %14 = load ptr, ptr %tables.i, align 8
  %table.i = getelementptr inbounds i8, ptr %add.ptr1.i, i64 16
  %15 = load i64, ptr %table.i, align 8
  %arrayidx.i = getelementptr inbounds %struct.Table, ptr %14, i64 %15
  %16 = load i64, ptr %arrayidx.i, align 8
  %type.i.i = getelementptr inbounds i8, ptr %10, i64 8
  %17 = load ptr, ptr %type.i.i, align 8
  %cmp.i.i = icmp eq ptr %17, @PyArray_Type
  br i1 %cmp.i.i, label %land.lhs.true.i.i, label %if.end.i

land.lhs.true.i.i:                                ; preds = %if.end
  %ndim.i.i = getelementptr inbounds i8, ptr %10, i64 24
  %18 = load i32, ptr %ndim.i.i, align 8
  %cmp1.i.i = icmp eq i32 %18, 1
  br i1 %cmp1.i.i, label %land.lhs.true2.i.i, label %if.end.i

land.lhs.true2.i.i:                               ; preds = %land.lhs.true.i.i
  %sizes.i.i = getelementptr inbounds i8, ptr %10, i64 32
  %19 = load ptr, ptr %sizes.i.i, align 8
  %20 = load i64, ptr %19, align 8
  %cmp3.not.i.i = icmp slt i64 %20, %16
  br i1 %cmp3.not.i.i, label %if.end.i, label %land.lhs.true4.i.i

land.lhs.true4.i.i:                               ; preds = %land.lhs.true2.i.i
  %flags.i.i = getelementptr inbounds i8, ptr %10, i64 64
  %21 = load i32, ptr %flags.i.i, align 8
  %and.i.i = and i32 %21, 257
  %cmp5.i.i = icmp eq i32 %and.i.i, 257
  br i1 %cmp5.i.i, label %land.lhs.true6.i.i, label %if.end.i

land.lhs.true6.i.i:                               ; preds = %land.lhs.true4.i.i
  %descr.i.i = getelementptr inbounds i8, ptr %10, i64 56
  %22 = load ptr, ptr %descr.i.i, align 8
  %number.i.i = getelementptr inbounds i8, ptr %22, i64 28
  %23 = load i32, ptr %number.i.i, align 4
  %descr7.i.i = getelementptr inbounds i8, ptr %add.ptr1.i, i64 8
  %24 = load ptr, ptr %descr7.i.i, align 8
  %number8.i.i = getelementptr inbounds i8, ptr %24, i64 28
  %25 = load i32, ptr %number8.i.i, align 4
  %cmp9.i.i = icmp eq i32 %23, %25
  br i1 %cmp9.i.i, label %is_column.exit.i, label %if.end.i

is_column.exit.i:                                 ; preds = %land.lhs.true6.i.i
  %byte_order.i.i = getelementptr inbounds i8, ptr %22, i64 26
  %26 = load i8, ptr %byte_order.i.i, align 2
  %cmp11.i.not.i = icmp eq i8 %26, 62
  br i1 %cmp11.i.not.i, label %if.end.i, label %new_column.exit.thread

new_column.exit.thread:                           ; preds = %is_column.exit.i
  call void @Py_IncRef(ptr noundef nonnull %10)
  store ptr %10, ptr %arrayidx18, align 8
  br label %if.then26

if.end.i:                                         ; preds = %is_column.exit.i, %land.lhs.true6.i.i, %land.lhs.true4.i.i, %land.lhs.true2.i.i, %land.lhs.true.i.i, %if.end
  %call3.i = call ptr @PyLong_FromLongLong(i64 noundef %16)
  %tobool.not.i = icmp eq ptr %call3.i, null
  br i1 %tobool.not.i, label %new_column.exit.thread154, label %new_column.exit

new_column.exit.thread154:                        ; preds = %if.end.i
  store ptr null, ptr %arrayidx18, align 8
  br label %for.cond48.preheader.thread

new_column.exit:                                  ; preds = %if.end.i
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %given.i)
  store ptr %10, ptr %given.i, align 8
  %descr.i = getelementptr inbounds i8, ptr %add.ptr1.i, i64 8
  %27 = load ptr, ptr %descr.i, align 8
  store ptr %27, ptr %arrayinit.element.i, align 8
  store ptr %call3.i, ptr %arrayinit.element5.i, align 8
  %call6.i = call ptr @PyObject_VectorcallDict(ptr noundef %as_column, ptr noundef nonnull %given.i, i64 noundef 3, ptr noundef null)
  call void @Py_DecRef(ptr noundef nonnull %call3.i)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %given.i)
  store ptr %call6.i, ptr %arrayidx18, align 8
  %tobool.not = icmp eq ptr %call6.i, null
  br i1 %tobool.not, label %for.cond48.preheader.thread, label %if.then26

if.then26:                                        ; preds = %new_column.exit.thread, %new_column.exit
  %retval.0.i153 = phi ptr [ %10, %new_column.exit.thread ], [ %call6.i, %new_column.exit ]
  %data = getelementptr inbounds i8, ptr %retval.0.i153, i64 16
  %28 = load ptr, ptr %data, align 8
  %29 = load i64, ptr %arrayidx19, align 8
  %arrayidx29 = getelementptr inbounds ptr, ptr %vla, i64 %29
  store ptr %28, ptr %arrayidx29, align 8
  br label %for.inc31

for.cond48.preheader.thread:                      ; preds = %new_column.exit, %new_column.exit.thread154
  %inc32176 = add nuw nsw i64 %made.0162, 1
  br label %for.body51.preheader

for.inc31:                                        ; preds = %if.then26, %for.body17
  %inc32 = add nuw nsw i64 %made.0162, 1
  %30 = load i64, ptr %outputs7, align 8
  %cmp16 = icmp slt i64 %inc32, %30
  br i1 %cmp16, label %for.body17, label %for.cond34.preheader

for.cond48.preheader:                             ; preds = %assign.exit, %for.cond34.preheader
  %is_right.2.off0.lcssa = phi i1 [ true, %for.cond34.preheader ], [ %cmp.not.lcssa.i, %assign.exit ]
  %cmp49168.not = icmp eq i64 %made.0.lcssa, 0
  br i1 %cmp49168.not, label %for.cond.cleanup50, label %for.body51.preheader

for.body51.preheader:                             ; preds = %for.cond48.preheader.thread, %for.cond48.preheader
  %is_right.2.off0.lcssa190 = phi i1 [ false, %for.cond48.preheader.thread ], [ %is_right.2.off0.lcssa, %for.cond48.preheader ]
  %made.0.lcssa185189 = phi i64 [ %inc32176, %for.cond48.preheader.thread ], [ %made.0.lcssa, %for.cond48.preheader ]
  br label %for.body51

for.body41:                                       ; preds = %for.body41.lr.ph, %assign.exit
  %31 = phi i64 [ %8, %for.body41.lr.ph ], [ %55, %assign.exit ]
  %k.0166 = phi i64 [ 0, %for.body41.lr.ph ], [ %inc46, %assign.exit ]
  %arrayidx42 = getelementptr inbounds %struct.ChangePlan, ptr %add.ptr5, i64 %k.0166
  %32 = load ptr, ptr %walk, align 8
  %node2.i = getelementptr inbounds i8, ptr %arrayidx42, i64 16
  %33 = load i64, ptr %node2.i, align 8
  %add.ptr.i115 = getelementptr inbounds %union.Word, ptr %32, i64 %33
  %34 = load ptr, ptr %plan1, align 8
  %of_heaps.i = getelementptr inbounds i8, ptr %34, i64 104
  %35 = load i64, ptr %of_heaps.i, align 8
  %add.ptr4.i = getelementptr inbounds %union.Word, ptr %32, i64 %35
  %36 = load i64, ptr %arrayidx42, align 8
  %arrayidx.i117 = getelementptr inbounds %struct.HeapPlan, ptr %add.ptr4.i, i64 %36
  %37 = load i64, ptr %arrayidx.i117, align 8
  %name.i = getelementptr inbounds i8, ptr %arrayidx42, i64 8
  %38 = load ptr, ptr %tables.i118, align 8
  %arrayidx649.i = getelementptr inbounds %struct.Table, ptr %38, i64 %37
  %39 = load i64, ptr %arrayidx649.i, align 8
  %cmp.not50.i = icmp slt i64 %39, 1
  br i1 %cmp.not50.i, label %assign.exit, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %for.body41
  %owners1.i.i = getelementptr inbounds i8, ptr %arrayidx42, i64 24
  br label %for.body.i

for.body.i:                                       ; preds = %for.inc.i, %for.body.lr.ph.i
  %40 = phi ptr [ %38, %for.body.lr.ph.i ], [ %53, %for.inc.i ]
  %place.051.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %41 = load ptr, ptr %columns.i.i, align 8
  %42 = load ptr, ptr %walk, align 8
  %43 = load ptr, ptr %plan1, align 8
  %of_tables.i.i = getelementptr inbounds i8, ptr %43, i64 88
  %44 = load i64, ptr %of_tables.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds %union.Word, ptr %42, i64 %44
  %arrayidx.i.i = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i.i, i64 %37
  %45 = load i64, ptr %arrayidx.i.i, align 8
  %arrayidx1.i.i = getelementptr inbounds ptr, ptr %41, i64 %45
  %46 = load ptr, ptr %arrayidx1.i.i, align 8
  %arrayidx7.i = getelementptr inbounds ptr, ptr %46, i64 %place.051.i
  %47 = load ptr, ptr %arrayidx7.i, align 8
  %call8.i = call fastcc i1 @differs(ptr noundef nonnull readonly %changes, ptr noundef %add.ptr.i115, i64 noundef %place.051.i)
  br i1 %call8.i, label %lor.lhs.false.i, label %for.inc.i

lor.lhs.false.i:                                  ; preds = %for.body.i
  %48 = load i64, ptr %owners1.i.i, align 8
  %add.ptr.i44.i = getelementptr inbounds %union.Word, ptr %42, i64 %48
  %49 = load i64, ptr %add.ptr.i44.i, align 8
  %cmp.not11.i.i = icmp slt i64 %49, 1
  br i1 %cmp.not11.i.i, label %has_changed.exit.i, label %for.body.lr.ph.i.i

for.body.lr.ph.i.i:                               ; preds = %lor.lhs.false.i
  %type.i.i119 = getelementptr inbounds i8, ptr %47, i64 8
  %50 = load ptr, ptr %type.i.i119, align 8
  br label %for.body.i.i

for.cond.i.i:                                     ; preds = %for.body.i.i
  %inc.i.i = add nuw i64 %k.012.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %k.012.i.i, %49
  br i1 %exitcond.not.i.i, label %for.inc.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %for.cond.i.i, %for.body.lr.ph.i.i
  %k.012.i.i = phi i64 [ 1, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.cond.i.i ]
  %arrayidx2.i.i = getelementptr inbounds %union.Word, ptr %add.ptr.i44.i, i64 %k.012.i.i
  %51 = load ptr, ptr %arrayidx2.i.i, align 8
  %cmp3.i.i = icmp eq ptr %51, %50
  br i1 %cmp3.i.i, label %if.end.i120, label %for.cond.i.i

has_changed.exit.i:                               ; preds = %lor.lhs.false.i
  %tobool.not.i.i = icmp eq i64 %49, 0
  br i1 %tobool.not.i.i, label %if.end.i120, label %for.inc.i

if.end.i120:                                      ; preds = %for.body.i.i, %has_changed.exit.i
  %call10.i = call fastcc ptr @value_at(ptr noundef nonnull readonly %changes, ptr noundef %add.ptr.i115, i64 noundef %place.051.i)
  %tobool.not.i121 = icmp eq ptr %call10.i, null
  br i1 %tobool.not.i121, label %assign.exit.loopexit, label %if.end12.i

if.end12.i:                                       ; preds = %if.end.i120
  %52 = load ptr, ptr %name.i, align 8
  %call13.i = call i32 @PyObject_GenericSetAttr(ptr noundef %47, ptr noundef %52, ptr noundef nonnull %call10.i)
  call void @Py_DecRef(ptr noundef nonnull %call10.i)
  %tobool14.not.i = icmp eq i32 %call13.i, 0
  br i1 %tobool14.not.i, label %if.end12.for.inc_crit_edge.i, label %assign.exit.loopexit

if.end12.for.inc_crit_edge.i:                     ; preds = %if.end12.i
  %.pre.i = load ptr, ptr %tables.i118, align 8
  br label %for.inc.i

for.inc.i:                                        ; preds = %for.cond.i.i, %if.end12.for.inc_crit_edge.i, %has_changed.exit.i, %for.body.i
  %53 = phi ptr [ %.pre.i, %if.end12.for.inc_crit_edge.i ], [ %40, %has_changed.exit.i ], [ %40, %for.body.i ], [ %40, %for.cond.i.i ]
  %inc.i = add nuw nsw i64 %place.051.i, 1
  %arrayidx6.i = getelementptr inbounds %struct.Table, ptr %53, i64 %37
  %54 = load i64, ptr %arrayidx6.i, align 8
  %cmp.not.not.i = icmp slt i64 %inc.i, %54
  br i1 %cmp.not.not.i, label %for.body.i, label %assign.exit.loopexit

assign.exit.loopexit:                             ; preds = %for.inc.i, %if.end12.i, %if.end.i120
  %cmp.not.lcssa.i.ph = phi i1 [ false, %if.end.i120 ], [ false, %if.end12.i ], [ true, %for.inc.i ]
  %.pre = load i64, ptr %changes35, align 8
  br label %assign.exit

assign.exit:                                      ; preds = %assign.exit.loopexit, %for.body41
  %55 = phi i64 [ %31, %for.body41 ], [ %.pre, %assign.exit.loopexit ]
  %cmp.not.lcssa.i = phi i1 [ true, %for.body41 ], [ %cmp.not.lcssa.i.ph, %assign.exit.loopexit ]
  %inc46 = add nuw nsw i64 %k.0166, 1
  %cmp36 = icmp slt i64 %inc46, %55
  %56 = and i1 %cmp36, %cmp.not.lcssa.i
  br i1 %56, label %for.body41, label %for.cond48.preheader

for.cond.cleanup50:                               ; preds = %for.inc57, %for.cond48.preheader
  %is_right.2.off0.lcssa191 = phi i1 [ %is_right.2.off0.lcssa, %for.cond48.preheader ], [ %is_right.2.off0.lcssa190, %for.inc57 ]
  br i1 %is_right.2.off0.lcssa191, label %cond.true, label %cond.end67

for.body51:                                       ; preds = %for.body51.preheader, %for.inc57
  %i.0169 = phi i64 [ %inc58, %for.inc57 ], [ 0, %for.body51.preheader ]
  %arrayidx52 = getelementptr inbounds ptr, ptr %vla9, i64 %i.0169
  %57 = load ptr, ptr %arrayidx52, align 8
  %tobool53.not = icmp eq ptr %57, null
  br i1 %tobool53.not, label %for.inc57, label %if.then54

if.then54:                                        ; preds = %for.body51
  call void @Py_DecRef(ptr noundef nonnull %57)
  br label %for.inc57

for.inc57:                                        ; preds = %for.body51, %if.then54
  %inc58 = add nuw nsw i64 %i.0169, 1
  %exitcond.not = icmp eq i64 %inc58, %made.0.lcssa185189
  br i1 %exitcond.not, label %for.cond.cleanup50, label %for.body51

cond.true:                                        ; preds = %for.cond.cleanup50
  %58 = load ptr, ptr %walk, align 8
  %59 = load ptr, ptr %plan1, align 8
  %of_outputs.i = getelementptr inbounds i8, ptr %59, i64 136
  %60 = load i64, ptr %of_outputs.i, align 8
  %add.ptr.i123 = getelementptr inbounds %union.Word, ptr %58, i64 %60
  %outputs2.i = getelementptr inbounds i8, ptr %59, i64 48
  %61 = load i64, ptr %outputs2.i, align 8
  %cmp47.i = icmp sgt i64 %61, 0
  br i1 %cmp47.i, label %for.body.i127, label %if.end8.i

for.cond.cleanup.i:                               ; preds = %for.body.i127
  %cmp5.i = icmp eq i64 %spec.select.i, 1
  br i1 %cmp5.i, label %if.then6.i, label %if.end8.i

for.body.i127:                                    ; preds = %cond.true, %for.body.i127
  %i.050.i = phi i64 [ %inc4.i, %for.body.i127 ], [ 0, %cond.true ]
  %last.049.i = phi i64 [ %spec.select46.i, %for.body.i127 ], [ 0, %cond.true ]
  %count.048.i = phi i64 [ %spec.select.i, %for.body.i127 ], [ 0, %cond.true ]
  %arrayidx.i128 = getelementptr inbounds i64, ptr %add.ptr.i123, i64 %i.050.i
  %62 = load i64, ptr %arrayidx.i128, align 8
  %cmp3.i = icmp slt i64 %62, 0
  %.lobit.i = lshr i64 %62, 63
  %spec.select.i = add nuw nsw i64 %.lobit.i, %count.048.i
  %spec.select46.i = select i1 %cmp3.i, i64 %i.050.i, i64 %last.049.i
  %inc4.i = add nuw nsw i64 %i.050.i, 1
  %exitcond.not.i = icmp eq i64 %inc4.i, %61
  br i1 %exitcond.not.i, label %for.cond.cleanup.i, label %for.body.i127

if.then6.i:                                       ; preds = %for.cond.cleanup.i
  %arrayidx7.i129 = getelementptr inbounds ptr, ptr %outputs, i64 %spec.select46.i
  %63 = load ptr, ptr %arrayidx7.i129, align 8
  call void @Py_IncRef(ptr noundef %63)
  br label %cond.end

if.end8.i:                                        ; preds = %for.cond.cleanup.i, %cond.true
  %count.0.lcssa59.i = phi i64 [ %spec.select.i, %for.cond.cleanup.i ], [ 0, %cond.true ]
  %call9.i = call ptr @PyTuple_New(i64 noundef %count.0.lcssa59.i)
  %tobool.not.i124 = icmp eq ptr %call9.i, null
  br i1 %tobool.not.i124, label %cond.end67, label %land.rhs.lr.ph.i

land.rhs.lr.ph.i:                                 ; preds = %if.end8.i
  %64 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i125 = getelementptr inbounds i8, ptr %call9.i, i64 %64
  %65 = load ptr, ptr %plan1, align 8
  %outputs13.i170 = getelementptr inbounds i8, ptr %65, i64 48
  %66 = load i64, ptr %outputs13.i170, align 8
  %cmp14.i171 = icmp sgt i64 %66, 0
  br i1 %cmp14.i171, label %for.body16.i, label %land.lhs.true

for.body16.i:                                     ; preds = %land.rhs.lr.ph.i, %for.inc26.i
  %67 = phi ptr [ %70, %for.inc26.i ], [ %65, %land.rhs.lr.ph.i ]
  %i10.052.i173 = phi i64 [ %inc27.i, %for.inc26.i ], [ 0, %land.rhs.lr.ph.i ]
  %k.053.i172 = phi i64 [ %k.1.i, %for.inc26.i ], [ 0, %land.rhs.lr.ph.i ]
  %arrayidx17.i = getelementptr inbounds i64, ptr %add.ptr.i123, i64 %i10.052.i173
  %68 = load i64, ptr %arrayidx17.i, align 8
  %cmp18.i = icmp slt i64 %68, 0
  br i1 %cmp18.i, label %if.then19.i, label %for.inc26.i

if.then19.i:                                      ; preds = %for.body16.i
  %arrayidx20.i = getelementptr inbounds ptr, ptr %outputs, i64 %i10.052.i173
  %69 = load ptr, ptr %arrayidx20.i, align 8
  call void @Py_IncRef(ptr noundef %69)
  %inc23.i = add nsw i64 %k.053.i172, 1
  %arrayidx24.i = getelementptr inbounds ptr, ptr %add.ptr.i.i125, i64 %k.053.i172
  store ptr %69, ptr %arrayidx24.i, align 8
  %.pre174 = load ptr, ptr %plan1, align 8
  br label %for.inc26.i

for.inc26.i:                                      ; preds = %if.then19.i, %for.body16.i
  %70 = phi ptr [ %.pre174, %if.then19.i ], [ %67, %for.body16.i ]
  %k.1.i = phi i64 [ %inc23.i, %if.then19.i ], [ %k.053.i172, %for.body16.i ]
  %inc27.i = add nuw nsw i64 %i10.052.i173, 1
  %outputs13.i = getelementptr inbounds i8, ptr %70, i64 48
  %71 = load i64, ptr %outputs13.i, align 8
  %cmp14.i = icmp slt i64 %inc27.i, %71
  br i1 %cmp14.i, label %for.body16.i, label %cond.end

cond.end:                                         ; preds = %for.inc26.i, %if.then6.i
  %cond = phi ptr [ %63, %if.then6.i ], [ %call9.i, %for.inc26.i ]
  %tobool62.not = icmp eq ptr %cond, null
  br i1 %tobool62.not, label %cond.end67, label %land.lhs.true

land.lhs.true:                                    ; preds = %land.rhs.lr.ph.i, %cond.end
  %cond180 = phi ptr [ %cond, %cond.end ], [ %call9.i, %land.rhs.lr.ph.i ]
  %wants = getelementptr inbounds i8, ptr %0, i64 72
  %72 = load i64, ptr %wants, align 8
  %tobool63.not = icmp eq i64 %72, 0
  br i1 %tobool63.not, label %cond.end67, label %cond.true64

cond.true64:                                      ; preds = %land.lhs.true
  %73 = load ptr, ptr %walk, align 8
  %74 = load ptr, ptr %plan1, align 8
  %of_heaps.i131 = getelementptr inbounds i8, ptr %74, i64 104
  %75 = load i64, ptr %of_heaps.i131, align 8
  %add.ptr.i132 = getelementptr inbounds %union.Word, ptr %73, i64 %75
  %heaps2.i = getelementptr inbounds i8, ptr %74, i64 16
  %76 = load i64, ptr %heaps2.i, align 8
  %add.i = add nsw i64 %76, 1
  %call.i = call ptr @PyTuple_New(i64 noundef %add.i)
  %tobool.not.i133 = icmp eq ptr %call.i, null
  br i1 %tobool.not.i133, label %cond.end67.sink.split, label %if.end.i134

if.end.i134:                                      ; preds = %cond.true64
  %77 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i.i135 = getelementptr inbounds i8, ptr %call.i, i64 %77
  store ptr %cond180, ptr %add.ptr.i.i135, align 8
  %invariant.gep.i = getelementptr inbounds i8, ptr %add.ptr.i.i135, i64 8
  %78 = load ptr, ptr %plan1, align 8
  %heaps563.i = getelementptr inbounds i8, ptr %78, i64 16
  %79 = load i64, ptr %heaps563.i, align 8
  %cmp.not64.i = icmp sgt i64 %79, 0
  br i1 %cmp.not64.i, label %for.body.lr.ph.i136, label %cond.end67

for.body.lr.ph.i136:                              ; preds = %if.end.i134
  %tables.i137 = getelementptr inbounds i8, ptr %walk, i64 16
  %columns.i.i138 = getelementptr inbounds i8, ptr %walk, i64 24
  br label %for.body.i139

for.body.i139:                                    ; preds = %for.inc28.i, %for.body.lr.ph.i136
  %h.065.i = phi i64 [ 0, %for.body.lr.ph.i136 ], [ %inc29.i, %for.inc28.i ]
  %80 = load ptr, ptr %tables.i137, align 8
  %arrayidx6.i140 = getelementptr inbounds %struct.HeapPlan, ptr %add.ptr.i132, i64 %h.065.i
  %81 = load i64, ptr %arrayidx6.i140, align 8
  %arrayidx7.i141 = getelementptr inbounds %struct.Table, ptr %80, i64 %81
  %82 = load i64, ptr %arrayidx7.i141, align 8
  %call9.i142 = call ptr @PyTuple_New(i64 noundef %82)
  %tobool10.not.not.i = icmp eq ptr %call9.i142, null
  br i1 %tobool10.not.not.i, label %cond.end67.sink.split, label %for.cond13.preheader.i

for.cond13.preheader.i:                           ; preds = %for.body.i139
  %cmp1461.i = icmp sgt i64 %82, 0
  br i1 %cmp1461.i, label %for.body16.lr.ph.i, label %for.inc28.i

for.body16.lr.ph.i:                               ; preds = %for.cond13.preheader.i
  %add.ptr.i60.i = getelementptr inbounds i8, ptr %call9.i142, i64 %77
  br label %for.body16.i143

for.body16.i143:                                  ; preds = %for.body16.i143, %for.body16.lr.ph.i
  %i.062.i = phi i64 [ 0, %for.body16.lr.ph.i ], [ %inc.i148, %for.body16.i143 ]
  %83 = load i64, ptr %arrayidx6.i140, align 8
  %84 = load ptr, ptr %columns.i.i138, align 8
  %85 = load ptr, ptr %walk, align 8
  %86 = load ptr, ptr %plan1, align 8
  %of_tables.i.i144 = getelementptr inbounds i8, ptr %86, i64 88
  %87 = load i64, ptr %of_tables.i.i144, align 8
  %add.ptr.i59.i = getelementptr inbounds %union.Word, ptr %85, i64 %87
  %arrayidx.i.i145 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i59.i, i64 %83
  %88 = load i64, ptr %arrayidx.i.i145, align 8
  %arrayidx1.i.i146 = getelementptr inbounds ptr, ptr %84, i64 %88
  %89 = load ptr, ptr %arrayidx1.i.i146, align 8
  %arrayidx20.i147 = getelementptr inbounds ptr, ptr %89, i64 %i.062.i
  %90 = load ptr, ptr %arrayidx20.i147, align 8
  call void @Py_IncRef(ptr noundef %90)
  %arrayidx23.i = getelementptr inbounds ptr, ptr %add.ptr.i60.i, i64 %i.062.i
  store ptr %90, ptr %arrayidx23.i, align 8
  %inc.i148 = add nuw nsw i64 %i.062.i, 1
  %exitcond.not.i149 = icmp eq i64 %inc.i148, %82
  br i1 %exitcond.not.i149, label %for.inc28.i, label %for.body16.i143

for.inc28.i:                                      ; preds = %for.body16.i143, %for.cond13.preheader.i
  %gep.i = getelementptr inbounds ptr, ptr %invariant.gep.i, i64 %h.065.i
  store ptr %call9.i142, ptr %gep.i, align 8
  %inc29.i = add nuw nsw i64 %h.065.i, 1
  %91 = load ptr, ptr %plan1, align 8
  %heaps5.i = getelementptr inbounds i8, ptr %91, i64 16
  %92 = load i64, ptr %heaps5.i, align 8
  %cmp.not.i = icmp slt i64 %inc29.i, %92
  br i1 %cmp.not.i, label %for.body.i139, label %cond.end67

cond.end67.sink.split:                            ; preds = %for.body.i139, %cond.true64
  %call.i.sink = phi ptr [ %cond180, %cond.true64 ], [ %call.i, %for.body.i139 ]
  call void @Py_DecRef(ptr noundef nonnull %call.i.sink)
  br label %cond.end67

cond.end67:                                       ; preds = %for.inc28.i, %cond.end67.sink.split, %if.end8.i, %for.cond.cleanup50, %if.end.i134, %cond.end, %land.lhs.true
  %cond68 = phi ptr [ %cond180, %land.lhs.true ], [ null, %cond.end ], [ %call.i, %if.end.i134 ], [ null, %for.cond.cleanup50 ], [ null, %if.end8.i ], [ null, %cond.end67.sink.split ], [ %call.i, %for.inc28.i ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %changes)
  ret ptr %cond68
}

declare ptr @PyLong_FromLongLong(i64 noundef)

declare ptr @PyArray_Empty(i32 noundef, ptr noundef, ptr noundef, i32 noundef)

define internal fastcc i1 @differs(ptr noundef readonly %changes, ptr noundef %node, i64 noundef %place) {
entry:
  %after5.i100 = getelementptr inbounds i8, ptr %changes, i64 8
  br label %tailrecurse

tailrecurse:                                      ; preds = %land.rhs, %entry
  %node.tr = phi ptr [ %node, %entry ], [ %add.ptr, %land.rhs ]
  %0 = load i64, ptr %node.tr, align 8
  switch i64 %0, label %return [
    i64 3, label %sw.bb
    i64 4, label %sw.bb
    i64 5, label %sw.bb
    i64 6, label %sw.bb
    i64 7, label %sw.bb
    i64 9, label %sw.bb
    i64 10, label %sw.bb2
    i64 8, label %sw.bb5
    i64 14, label %sw.bb13
    i64 11, label %sw.bb22
  ]

sw.bb:                                            ; preds = %tailrecurse, %tailrecurse, %tailrecurse, %tailrecurse, %tailrecurse, %tailrecurse
  %arrayidx1 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %1 = load i64, ptr %arrayidx1, align 8
  %2 = load ptr, ptr %changes, align 8
  %3 = load ptr, ptr %2, align 8
  %plan.i = getelementptr inbounds i8, ptr %2, i64 8
  %4 = load ptr, ptr %plan.i, align 8
  %of_columns.i = getelementptr inbounds i8, ptr %4, i64 96
  %5 = load i64, ptr %of_columns.i, align 8
  %add.ptr.i = getelementptr inbounds %union.Word, ptr %3, i64 %5
  %arrayidx.i = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr.i, i64 %1
  %6 = load i64, ptr %arrayidx.i, align 8
  %columns.i = getelementptr inbounds i8, ptr %2, i64 24
  %7 = load ptr, ptr %columns.i, align 8
  %arrayidx3.i = getelementptr inbounds ptr, ptr %7, i64 %1
  %8 = load ptr, ptr %arrayidx3.i, align 8
  %mul.i = mul nsw i64 %6, %place
  %add.ptr4.i = getelementptr inbounds i8, ptr %8, i64 %mul.i
  %9 = load ptr, ptr %after5.i100, align 8
  %arrayidx6.i = getelementptr inbounds ptr, ptr %9, i64 %1
  %10 = load ptr, ptr %arrayidx6.i, align 8
  %add.ptr8.i = getelementptr inbounds i8, ptr %10, i64 %mul.i
  %cmp.i = icmp eq i64 %6, 8
  br i1 %cmp.i, label %return.sink.split, label %for.cond.preheader.i

for.cond.preheader.i:                             ; preds = %sw.bb
  %cmp10.not36.i = icmp sgt i64 %6, 0
  br i1 %cmp10.not36.i, label %for.body.i, label %return

for.body.i:                                       ; preds = %for.cond.preheader.i, %for.body.i
  %b.037.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %for.cond.preheader.i ]
  %arrayidx11.i = getelementptr inbounds i8, ptr %add.ptr4.i, i64 %b.037.i
  %11 = load i8, ptr %arrayidx11.i, align 1
  %arrayidx12.i = getelementptr inbounds i8, ptr %add.ptr8.i, i64 %b.037.i
  %12 = load i8, ptr %arrayidx12.i, align 1
  %cmp14.not.not.i.not = icmp ne i8 %11, %12
  %inc.i = add nuw nsw i64 %b.037.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %6
  %or.cond = select i1 %cmp14.not.not.i.not, i1 true, i1 %exitcond.not.i
  br i1 %or.cond, label %return, label %for.body.i

sw.bb2:                                           ; preds = %tailrecurse
  %arrayidx3 = getelementptr inbounds i8, ptr %node.tr, i64 24
  %13 = load i64, ptr %arrayidx3, align 8
  %14 = load ptr, ptr %changes, align 8
  %15 = load ptr, ptr %14, align 8
  %plan.i66 = getelementptr inbounds i8, ptr %14, i64 8
  %16 = load ptr, ptr %plan.i66, align 8
  %of_columns.i67 = getelementptr inbounds i8, ptr %16, i64 96
  %17 = load i64, ptr %of_columns.i67, align 8
  %add.ptr.i68 = getelementptr inbounds %union.Word, ptr %15, i64 %17
  %arrayidx.i69 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr.i68, i64 %13
  %18 = load i64, ptr %arrayidx.i69, align 8
  %columns.i70 = getelementptr inbounds i8, ptr %14, i64 24
  %19 = load ptr, ptr %columns.i70, align 8
  %arrayidx3.i71 = getelementptr inbounds ptr, ptr %19, i64 %13
  %20 = load ptr, ptr %arrayidx3.i71, align 8
  %mul.i72 = mul nsw i64 %18, %place
  %add.ptr4.i73 = getelementptr inbounds i8, ptr %20, i64 %mul.i72
  %21 = load ptr, ptr %after5.i100, align 8
  %arrayidx6.i75 = getelementptr inbounds ptr, ptr %21, i64 %13
  %22 = load ptr, ptr %arrayidx6.i75, align 8
  %add.ptr8.i76 = getelementptr inbounds i8, ptr %22, i64 %mul.i72
  %cmp.i77 = icmp eq i64 %18, 8
  br i1 %cmp.i77, label %return.sink.split, label %for.cond.preheader.i78

for.cond.preheader.i78:                           ; preds = %sw.bb2
  %cmp10.not36.i79 = icmp sgt i64 %18, 0
  br i1 %cmp10.not36.i79, label %for.body.i81, label %return

for.body.i81:                                     ; preds = %for.cond.preheader.i78, %for.body.i81
  %b.037.i82 = phi i64 [ %inc.i87, %for.body.i81 ], [ 0, %for.cond.preheader.i78 ]
  %arrayidx11.i83 = getelementptr inbounds i8, ptr %add.ptr4.i73, i64 %b.037.i82
  %23 = load i8, ptr %arrayidx11.i83, align 1
  %arrayidx12.i84 = getelementptr inbounds i8, ptr %add.ptr8.i76, i64 %b.037.i82
  %24 = load i8, ptr %arrayidx12.i84, align 1
  %cmp14.not.not.i85.not = icmp ne i8 %23, %24
  %inc.i87 = add nuw nsw i64 %b.037.i82, 1
  %exitcond.not.i88 = icmp eq i64 %inc.i87, %18
  %or.cond243 = select i1 %cmp14.not.not.i85.not, i1 true, i1 %exitcond.not.i88
  br i1 %or.cond243, label %return, label %for.body.i81

sw.bb5:                                           ; preds = %tailrecurse
  %arrayidx6 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %25 = load i64, ptr %arrayidx6, align 8
  %26 = load ptr, ptr %changes, align 8
  %27 = load ptr, ptr %26, align 8
  %plan.i92 = getelementptr inbounds i8, ptr %26, i64 8
  %28 = load ptr, ptr %plan.i92, align 8
  %of_columns.i93 = getelementptr inbounds i8, ptr %28, i64 96
  %29 = load i64, ptr %of_columns.i93, align 8
  %add.ptr.i94 = getelementptr inbounds %union.Word, ptr %27, i64 %29
  %arrayidx.i95 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr.i94, i64 %25
  %30 = load i64, ptr %arrayidx.i95, align 8
  %columns.i96 = getelementptr inbounds i8, ptr %26, i64 24
  %31 = load ptr, ptr %columns.i96, align 8
  %arrayidx3.i97 = getelementptr inbounds ptr, ptr %31, i64 %25
  %32 = load ptr, ptr %arrayidx3.i97, align 8
  %mul.i98 = mul nsw i64 %30, %place
  %add.ptr4.i99 = getelementptr inbounds i8, ptr %32, i64 %mul.i98
  %33 = load ptr, ptr %after5.i100, align 8
  %arrayidx6.i101 = getelementptr inbounds ptr, ptr %33, i64 %25
  %34 = load ptr, ptr %arrayidx6.i101, align 8
  %add.ptr8.i102 = getelementptr inbounds i8, ptr %34, i64 %mul.i98
  %cmp.i103 = icmp eq i64 %30, 8
  br i1 %cmp.i103, label %differs_in.exit117, label %for.cond.preheader.i104

for.cond.preheader.i104:                          ; preds = %sw.bb5
  %cmp10.not36.i105 = icmp sgt i64 %30, 0
  br i1 %cmp10.not36.i105, label %for.body.i107, label %if.end

for.cond.i112:                                    ; preds = %for.body.i107
  %inc.i113 = add nuw nsw i64 %b.037.i108, 1
  %exitcond.not.i114 = icmp eq i64 %inc.i113, %30
  br i1 %exitcond.not.i114, label %if.end, label %for.body.i107

for.body.i107:                                    ; preds = %for.cond.preheader.i104, %for.cond.i112
  %b.037.i108 = phi i64 [ %inc.i113, %for.cond.i112 ], [ 0, %for.cond.preheader.i104 ]
  %arrayidx11.i109 = getelementptr inbounds i8, ptr %add.ptr4.i99, i64 %b.037.i108
  %35 = load i8, ptr %arrayidx11.i109, align 1
  %arrayidx12.i110 = getelementptr inbounds i8, ptr %add.ptr8.i102, i64 %b.037.i108
  %36 = load i8, ptr %arrayidx12.i110, align 1
  %cmp14.not.not.i111 = icmp eq i8 %35, %36
  br i1 %cmp14.not.not.i111, label %for.cond.i112, label %return

differs_in.exit117:                               ; preds = %sw.bb5
  %37 = load i64, ptr %add.ptr4.i99, align 8
  %38 = load i64, ptr %add.ptr8.i102, align 8
  %cmp9.i116.not = icmp eq i64 %37, %38
  br i1 %cmp9.i116.not, label %if.end, label %return

if.end:                                           ; preds = %for.cond.i112, %for.cond.preheader.i104, %differs_in.exit117
  %arrayidx10 = getelementptr inbounds i8, ptr %34, i64 %place
  %39 = load i8, ptr %arrayidx10, align 1
  %tobool.not = icmp eq i8 %39, 0
  br i1 %tobool.not, label %return, label %land.rhs

land.rhs:                                         ; preds = %if.end
  %add.ptr = getelementptr inbounds i8, ptr %node.tr, i64 24
  br label %tailrecurse

sw.bb13:                                          ; preds = %tailrecurse
  %arrayidx14 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %40 = load i64, ptr %arrayidx14, align 8
  %41 = load ptr, ptr %changes, align 8
  %42 = load ptr, ptr %41, align 8
  %plan.i118 = getelementptr inbounds i8, ptr %41, i64 8
  %43 = load ptr, ptr %plan.i118, align 8
  %of_columns.i119 = getelementptr inbounds i8, ptr %43, i64 96
  %44 = load i64, ptr %of_columns.i119, align 8
  %add.ptr.i120 = getelementptr inbounds %union.Word, ptr %42, i64 %44
  %arrayidx.i121 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr.i120, i64 %40
  %45 = load i64, ptr %arrayidx.i121, align 8
  %columns.i122 = getelementptr inbounds i8, ptr %41, i64 24
  %46 = load ptr, ptr %columns.i122, align 8
  %arrayidx3.i123 = getelementptr inbounds ptr, ptr %46, i64 %40
  %47 = load ptr, ptr %arrayidx3.i123, align 8
  %mul.i124 = mul nsw i64 %45, %place
  %add.ptr4.i125 = getelementptr inbounds i8, ptr %47, i64 %mul.i124
  %48 = load ptr, ptr %after5.i100, align 8
  %arrayidx6.i127 = getelementptr inbounds ptr, ptr %48, i64 %40
  %49 = load ptr, ptr %arrayidx6.i127, align 8
  %add.ptr8.i128 = getelementptr inbounds i8, ptr %49, i64 %mul.i124
  %cmp.i129 = icmp eq i64 %45, 8
  br i1 %cmp.i129, label %differs_in.exit143, label %for.cond.preheader.i130

for.cond.preheader.i130:                          ; preds = %sw.bb13
  %cmp10.not36.i131 = icmp sgt i64 %45, 0
  br i1 %cmp10.not36.i131, label %for.body.i133, label %if.end17

for.cond.i138:                                    ; preds = %for.body.i133
  %inc.i139 = add nuw nsw i64 %b.037.i134, 1
  %exitcond.not.i140 = icmp eq i64 %inc.i139, %45
  br i1 %exitcond.not.i140, label %if.end17, label %for.body.i133

for.body.i133:                                    ; preds = %for.cond.preheader.i130, %for.cond.i138
  %b.037.i134 = phi i64 [ %inc.i139, %for.cond.i138 ], [ 0, %for.cond.preheader.i130 ]
  %arrayidx11.i135 = getelementptr inbounds i8, ptr %add.ptr4.i125, i64 %b.037.i134
  %50 = load i8, ptr %arrayidx11.i135, align 1
  %arrayidx12.i136 = getelementptr inbounds i8, ptr %add.ptr8.i128, i64 %b.037.i134
  %51 = load i8, ptr %arrayidx12.i136, align 1
  %cmp14.not.not.i137 = icmp eq i8 %50, %51
  br i1 %cmp14.not.not.i137, label %for.cond.i138, label %return

differs_in.exit143:                               ; preds = %sw.bb13
  %52 = load i64, ptr %add.ptr4.i125, align 8
  %53 = load i64, ptr %add.ptr8.i128, align 8
  %cmp9.i142.not = icmp eq i64 %52, %53
  br i1 %cmp9.i142.not, label %if.end17, label %return

if.end17:                                         ; preds = %for.cond.i138, %for.cond.preheader.i130, %differs_in.exit143
  %arrayidx2.i.i = getelementptr inbounds i64, ptr %49, i64 %place
  %54 = load i64, ptr %arrayidx2.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %node.tr, i64 40
  %arrayidx3.i.i = getelementptr inbounds i8, ptr %node.tr, i64 32
  %55 = load i64, ptr %arrayidx3.i.i, align 8
  %rem.i.i = urem i64 %54, %55
  %add.ptr4.idx.i.i = shl i64 %rem.i.i, 4
  %add.ptr4.i.i = getelementptr inbounds i8, ptr %add.ptr.i.i, i64 %add.ptr4.idx.i.i
  %arrayidx.i144 = getelementptr inbounds i8, ptr %add.ptr4.i.i, i64 8
  %56 = load i64, ptr %arrayidx.i144, align 8
  %cmp = icmp slt i64 %56, 0
  br i1 %cmp, label %cond.true, label %cond.end

cond.true:                                        ; preds = %if.end17
  %arrayidx20 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %57 = load i64, ptr %arrayidx20, align 8
  br label %cond.end

cond.end:                                         ; preds = %if.end17, %cond.true
  %cond = phi i64 [ %57, %cond.true ], [ %56, %if.end17 ]
  %arrayidx.i148 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr.i120, i64 %cond
  %58 = load i64, ptr %arrayidx.i148, align 8
  %arrayidx3.i150 = getelementptr inbounds ptr, ptr %46, i64 %cond
  %59 = load ptr, ptr %arrayidx3.i150, align 8
  %mul.i151 = mul nsw i64 %58, %place
  %add.ptr4.i152 = getelementptr inbounds i8, ptr %59, i64 %mul.i151
  %arrayidx6.i154 = getelementptr inbounds ptr, ptr %48, i64 %cond
  %60 = load ptr, ptr %arrayidx6.i154, align 8
  %add.ptr8.i155 = getelementptr inbounds i8, ptr %60, i64 %mul.i151
  %cmp.i156 = icmp eq i64 %58, 8
  br i1 %cmp.i156, label %return.sink.split, label %for.cond.preheader.i157

for.cond.preheader.i157:                          ; preds = %cond.end
  %cmp10.not36.i158 = icmp sgt i64 %58, 0
  br i1 %cmp10.not36.i158, label %for.body.i160, label %return

for.body.i160:                                    ; preds = %for.cond.preheader.i157, %for.body.i160
  %b.037.i161 = phi i64 [ %inc.i166, %for.body.i160 ], [ 0, %for.cond.preheader.i157 ]
  %arrayidx11.i162 = getelementptr inbounds i8, ptr %add.ptr4.i152, i64 %b.037.i161
  %61 = load i8, ptr %arrayidx11.i162, align 1
  %arrayidx12.i163 = getelementptr inbounds i8, ptr %add.ptr8.i155, i64 %b.037.i161
  %62 = load i8, ptr %arrayidx12.i163, align 1
  %cmp14.not.not.i164.not = icmp ne i8 %61, %62
  %inc.i166 = add nuw nsw i64 %b.037.i161, 1
  %exitcond.not.i167 = icmp eq i64 %inc.i166, %58
  %or.cond244 = select i1 %cmp14.not.not.i164.not, i1 true, i1 %exitcond.not.i167
  br i1 %or.cond244, label %return, label %for.body.i160

sw.bb22:                                          ; preds = %tailrecurse
  %arrayidx23 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %63 = load i64, ptr %arrayidx23, align 8
  %cmp25.not193 = icmp sgt i64 %63, 0
  br i1 %cmp25.not193, label %for.body.preheader, label %return

for.body.preheader:                               ; preds = %sw.bb22
  %add.ptr24 = getelementptr inbounds i8, ptr %node.tr, i64 16
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.inc
  %k.0195 = phi i64 [ %inc, %for.inc ], [ 0, %for.body.preheader ]
  %node.addr.0194 = phi ptr [ %call30, %for.inc ], [ %add.ptr24, %for.body.preheader ]
  %call27 = tail call fastcc i1 @differs(ptr noundef %changes, ptr noundef nonnull %node.addr.0194, i64 noundef %place)
  br i1 %call27, label %return, label %for.inc

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %k.0195, 1
  %64 = load ptr, ptr %changes, align 8
  %call30 = tail call fastcc ptr @node_after(ptr noundef %64, ptr noundef nonnull %node.addr.0194)
  %exitcond.not = icmp eq i64 %inc, %63
  br i1 %exitcond.not, label %return, label %for.body

return.sink.split:                                ; preds = %cond.end, %sw.bb2, %sw.bb
  %add.ptr4.i152.sink = phi ptr [ %add.ptr4.i, %sw.bb ], [ %add.ptr4.i73, %sw.bb2 ], [ %add.ptr4.i152, %cond.end ]
  %add.ptr8.i155.sink = phi ptr [ %add.ptr8.i, %sw.bb ], [ %add.ptr8.i76, %sw.bb2 ], [ %add.ptr8.i155, %cond.end ]
  %65 = load i64, ptr %add.ptr4.i152.sink, align 8
  %66 = load i64, ptr %add.ptr8.i155.sink, align 8
  %cmp9.i169 = icmp ne i64 %65, %66
  br label %return

return:                                           ; preds = %tailrecurse, %if.end, %differs_in.exit117, %for.body.i107, %for.body, %for.inc, %for.body.i133, %for.body.i160, %for.body.i81, %for.body.i, %return.sink.split, %sw.bb22, %for.cond.preheader.i157, %for.cond.preheader.i78, %for.cond.preheader.i, %differs_in.exit143
  %retval.1 = phi i1 [ true, %differs_in.exit143 ], [ false, %for.cond.preheader.i ], [ false, %for.cond.preheader.i78 ], [ false, %for.cond.preheader.i157 ], [ false, %sw.bb22 ], [ %cmp9.i169, %return.sink.split ], [ %cmp14.not.not.i.not, %for.body.i ], [ %cmp14.not.not.i85.not, %for.body.i81 ], [ %cmp14.not.not.i164.not, %for.body.i160 ], [ true, %for.body.i133 ], [ %call27, %for.inc ], [ %call27, %for.body ], [ true, %for.body.i107 ], [ false, %tailrecurse ], [ false, %if.end ], [ true, %differs_in.exit117 ]
  ret i1 %retval.1
}

define internal fastcc ptr @value_at(ptr noundef readonly %changes, ptr noundef %node, i64 noundef %place) {
entry:
  %0 = load ptr, ptr %changes, align 8
  %plan22 = getelementptr inbounds i8, ptr %0, i64 8
  %after26 = getelementptr inbounds i8, ptr %changes, i64 8
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.true55, %entry
  %node.tr = phi ptr [ %node, %entry ], [ %add.ptr56, %cond.true55 ]
  %1 = load i64, ptr %node.tr, align 8
  switch i64 %1, label %if.end20 [
    i64 11, label %if.then
    i64 14, label %if.then4
    i64 10, label %if.then9
  ]

if.then:                                          ; preds = %tailrecurse
  %arrayidx.i = getelementptr inbounds i8, ptr %node.tr, i64 8
  %2 = load i64, ptr %arrayidx.i, align 8
  %call.i = tail call ptr @PyTuple_New(i64 noundef %2)
  %tobool.i = icmp eq ptr %call.i, null
  %cmp.i185 = icmp slt i64 %2, 1
  %.not.i186 = or i1 %tobool.i, %cmp.i185
  br i1 %.not.i186, label %cleanup64, label %for.body.i.lr.ph

for.body.i.lr.ph:                                 ; preds = %if.then
  %add.ptr.i = getelementptr inbounds i8, ptr %node.tr, i64 16
  %3 = load i64, ptr @ag_tuple_head, align 8
  %add.ptr.i134 = getelementptr inbounds i8, ptr %call.i, i64 %3
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i.lr.ph, %for.inc.i
  %k.0.i188 = phi i64 [ 0, %for.body.i.lr.ph ], [ %inc.i, %for.inc.i ]
  %node.addr.0.i187 = phi ptr [ %add.ptr.i, %for.body.i.lr.ph ], [ %call5.i, %for.inc.i ]
  %call1.i = tail call fastcc ptr @value_at(ptr noundef nonnull %changes, ptr noundef nonnull %node.addr.0.i187, i64 noundef %place)
  %tobool2.not.not.i = icmp eq ptr %call1.i, null
  br i1 %tobool2.not.not.i, label %cleanup.i.thread, label %for.inc.i

cleanup.i.thread:                                 ; preds = %for.body.i
  tail call void @Py_DecRef(ptr noundef nonnull %call.i)
  br label %cleanup64

for.inc.i:                                        ; preds = %for.body.i
  %arrayidx4.i = getelementptr inbounds ptr, ptr %add.ptr.i134, i64 %k.0.i188
  store ptr %call1.i, ptr %arrayidx4.i, align 8
  %inc.i = add nuw nsw i64 %k.0.i188, 1
  %4 = load ptr, ptr %changes, align 8
  %call5.i = tail call fastcc ptr @node_after(ptr noundef %4, ptr noundef nonnull %node.addr.0.i187)
  %cmp.i.not = icmp slt i64 %inc.i, %2
  br i1 %cmp.i.not, label %for.body.i, label %cleanup64

if.then4:                                         ; preds = %tailrecurse
  %5 = load ptr, ptr %after26, align 8
  %arrayidx.i.i = getelementptr inbounds i8, ptr %node.tr, i64 8
  %6 = load i64, ptr %arrayidx.i.i, align 8
  %arrayidx1.i.i = getelementptr inbounds ptr, ptr %5, i64 %6
  %7 = load ptr, ptr %arrayidx1.i.i, align 8
  %arrayidx2.i.i = getelementptr inbounds i64, ptr %7, i64 %place
  %8 = load i64, ptr %arrayidx2.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %node.tr, i64 40
  %arrayidx3.i.i = getelementptr inbounds i8, ptr %node.tr, i64 32
  %9 = load i64, ptr %arrayidx3.i.i, align 8
  %rem.i.i = urem i64 %8, %9
  %add.ptr4.idx.i.i = shl i64 %rem.i.i, 4
  %add.ptr4.i.i = getelementptr inbounds i8, ptr %add.ptr.i.i, i64 %add.ptr4.idx.i.i
  %arrayidx.i103 = getelementptr inbounds i8, ptr %add.ptr4.i.i, i64 8
  %10 = load i64, ptr %arrayidx.i103, align 8
  %cmp.i104 = icmp slt i64 %10, 0
  br i1 %cmp.i104, label %lor.lhs.false.i, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %if.then4
  %arrayidx465.i = getelementptr inbounds ptr, ptr %5, i64 %10
  %11 = load ptr, ptr %arrayidx465.i, align 8
  %12 = load i64, ptr %add.ptr4.i.i, align 8
  %cmp8.i = icmp eq i64 %12, 5
  br i1 %cmp8.i, label %if.end33.thread.i, label %if.end18.thread87.i

lor.lhs.false.i:                                  ; preds = %if.then4
  %arrayidx2.i = getelementptr inbounds i8, ptr %node.tr, i64 16
  %13 = load i64, ptr %arrayidx2.i, align 8
  %arrayidx4.i106 = getelementptr inbounds ptr, ptr %5, i64 %13
  %14 = load ptr, ptr %arrayidx4.i106, align 8
  %arrayidx13.i = getelementptr inbounds i8, ptr %node.tr, i64 24
  %15 = load i64, ptr %arrayidx13.i, align 8
  %tobool.not.i = icmp eq i64 %15, 0
  br i1 %tobool.not.i, label %if.end18.i, label %if.end18.thread78.i

if.end18.i:                                       ; preds = %lor.lhs.false.i
  %.pr.i = load i64, ptr %add.ptr4.i.i, align 8
  %arrayidx15.i = getelementptr inbounds i64, ptr %14, i64 %place
  %16 = load i64, ptr %arrayidx15.i, align 8
  %cmp20.i = icmp eq i64 %.pr.i, 3
  br i1 %cmp20.i, label %if.then22.i, label %land.lhs.true28.i

if.end18.thread87.i:                              ; preds = %land.lhs.true.i
  %arrayidx1588.i = getelementptr inbounds i64, ptr %11, i64 %place
  %17 = load i64, ptr %arrayidx1588.i, align 8
  %cmp2089.i = icmp eq i64 %12, 3
  br i1 %cmp2089.i, label %if.then22.i, label %if.end33.i

if.end18.thread78.i:                              ; preds = %lor.lhs.false.i
  %arrayidx17.i = getelementptr inbounds double, ptr %14, i64 %place
  %18 = load double, ptr %arrayidx17.i, align 8
  %19 = load i64, ptr %add.ptr4.i.i, align 8
  %cmp2081.i = icmp eq i64 %19, 3
  br i1 %cmp2081.i, label %if.then22.i, label %land.lhs.true28.i

if.end33.thread.i:                                ; preds = %land.lhs.true.i
  %arrayidx9.i = getelementptr inbounds i8, ptr %11, i64 %place
  %20 = load i8, ptr %arrayidx9.i, align 1
  %conv.i = zext i8 %20 to i64
  br label %if.end39.i

if.then22.i:                                      ; preds = %if.end18.thread78.i, %if.end18.thread87.i, %if.end18.i
  %number.073.i = phi double [ 0.000000e+00, %if.end18.i ], [ %18, %if.end18.thread78.i ], [ 0.000000e+00, %if.end18.thread87.i ]
  %call23.i = tail call ptr @PyFloat_FromDouble(double noundef %number.073.i)
  br label %cleanup64

land.lhs.true28.i:                                ; preds = %if.end18.thread78.i, %if.end18.i
  %number.07486.i = phi double [ %18, %if.end18.thread78.i ], [ 0.000000e+00, %if.end18.i ]
  %exact.07585.i = phi i64 [ 0, %if.end18.thread78.i ], [ %16, %if.end18.i ]
  %21 = phi i64 [ %19, %if.end18.thread78.i ], [ %.pr.i, %if.end18.i ]
  %conv32.i = fptosi double %number.07486.i to i64
  %spec.select.i107 = select i1 %tobool.not.i, i64 %exact.07585.i, i64 %conv32.i
  br label %if.end33.i

if.end33.i:                                       ; preds = %land.lhs.true28.i, %if.end18.thread87.i
  %22 = phi i64 [ %21, %land.lhs.true28.i ], [ %12, %if.end18.thread87.i ]
  %exact.1.i = phi i64 [ %spec.select.i107, %land.lhs.true28.i ], [ %17, %if.end18.thread87.i ]
  %cmp35.i = icmp eq i64 %22, 4
  br i1 %cmp35.i, label %if.then37.i, label %if.end39.i

if.then37.i:                                      ; preds = %if.end33.i
  %call38.i = tail call ptr @PyLong_FromLongLong(i64 noundef %exact.1.i)
  br label %cleanup64

if.end39.i:                                       ; preds = %if.end33.i, %if.end33.thread.i
  %exact.195.i = phi i64 [ %conv.i, %if.end33.thread.i ], [ %exact.1.i, %if.end33.i ]
  %tobool40.not.i = icmp eq i64 %exact.195.i, 0
  %cond41.i = select i1 %tobool40.not.i, ptr @_Py_FalseStruct, ptr @_Py_TrueStruct
  tail call void @Py_IncRef(ptr noundef nonnull %cond41.i)
  br label %cleanup64

if.then9:                                         ; preds = %tailrecurse
  %23 = load ptr, ptr %0, align 8
  %24 = load ptr, ptr %plan22, align 8
  %of_groups = getelementptr inbounds i8, ptr %24, i64 112
  %25 = load i64, ptr %of_groups, align 8
  %add.ptr = getelementptr inbounds %union.Word, ptr %23, i64 %25
  %arrayidx10 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %26 = load i64, ptr %arrayidx10, align 8
  %parts13 = getelementptr inbounds %struct.GroupPlan, ptr %add.ptr, i64 %26, i32 2
  %27 = load i64, ptr %parts13, align 8
  %add.ptr14 = getelementptr inbounds %union.Word, ptr %23, i64 %27
  %28 = load i64, ptr %add.ptr14, align 8
  %29 = load ptr, ptr %after26, align 8
  %arrayidx16 = getelementptr inbounds i8, ptr %node.tr, i64 24
  %30 = load i64, ptr %arrayidx16, align 8
  %arrayidx17 = getelementptr inbounds ptr, ptr %29, i64 %30
  %31 = load ptr, ptr %arrayidx17, align 8
  %arrayidx18 = getelementptr inbounds i64, ptr %31, i64 %place
  %32 = load i64, ptr %arrayidx18, align 8
  %cmp.i108 = icmp slt i64 %32, 0
  br i1 %cmp.i108, label %if.then.i111, label %lor.lhs.false.i109

lor.lhs.false.i109:                               ; preds = %if.then9
  %tables.i = getelementptr inbounds i8, ptr %0, i64 16
  %33 = load ptr, ptr %tables.i, align 8
  %arrayidx.i110 = getelementptr inbounds %struct.Table, ptr %33, i64 %28
  %34 = load i64, ptr %arrayidx.i110, align 8
  %cmp1.not.i = icmp sgt i64 %34, %32
  br i1 %cmp1.not.i, label %if.end.i113, label %if.then.i111

if.then.i111:                                     ; preds = %lor.lhs.false.i109, %if.then9
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct)
  br label %cleanup64

if.end.i113:                                      ; preds = %lor.lhs.false.i109
  %columns.i.i = getelementptr inbounds i8, ptr %0, i64 24
  %35 = load ptr, ptr %columns.i.i, align 8
  %of_tables.i.i = getelementptr inbounds i8, ptr %24, i64 88
  %36 = load i64, ptr %of_tables.i.i, align 8
  %add.ptr.i.i114 = getelementptr inbounds %union.Word, ptr %23, i64 %36
  %arrayidx.i.i115 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i.i114, i64 %28
  %37 = load i64, ptr %arrayidx.i.i115, align 8
  %arrayidx1.i.i116 = getelementptr inbounds ptr, ptr %35, i64 %37
  %38 = load ptr, ptr %arrayidx1.i.i116, align 8
  %arrayidx4.i117 = getelementptr inbounds ptr, ptr %38, i64 %32
  %39 = load ptr, ptr %arrayidx4.i117, align 8
  tail call void @Py_IncRef(ptr noundef %39)
  br label %cleanup64

if.end20:                                         ; preds = %tailrecurse
  %40 = load ptr, ptr %0, align 8
  %41 = load ptr, ptr %plan22, align 8
  %of_columns = getelementptr inbounds i8, ptr %41, i64 96
  %42 = load i64, ptr %of_columns, align 8
  %add.ptr23 = getelementptr inbounds %union.Word, ptr %40, i64 %42
  %arrayidx24 = getelementptr inbounds i8, ptr %node.tr, i64 8
  %43 = load i64, ptr %arrayidx24, align 8
  %add.ptr25 = getelementptr inbounds %struct.ColumnPlan, ptr %add.ptr23, i64 %43
  %44 = load ptr, ptr %after26, align 8
  %arrayidx28 = getelementptr inbounds ptr, ptr %44, i64 %43
  %45 = load ptr, ptr %arrayidx28, align 8
  %46 = load i64, ptr %add.ptr25, align 8
  %mul = mul nsw i64 %46, %place
  %add.ptr29 = getelementptr inbounds i8, ptr %45, i64 %mul
  %cmp31 = icmp eq i64 %46, 8
  br i1 %cmp31, label %cond.true, label %cond.end

cond.true:                                        ; preds = %if.end20
  %47 = load i64, ptr %add.ptr29, align 8
  br label %cond.end

cond.end:                                         ; preds = %if.end20, %cond.true
  %cond = phi i64 [ %47, %cond.true ], [ 0, %if.end20 ]
  switch i64 %1, label %sw.epilog [
    i64 3, label %sw.bb
    i64 4, label %sw.bb34
    i64 5, label %sw.bb36
    i64 6, label %sw.bb39
    i64 7, label %sw.bb41
    i64 9, label %sw.bb45
  ]

sw.bb:                                            ; preds = %cond.end
  %48 = load double, ptr %add.ptr29, align 8
  %call33 = tail call ptr @PyFloat_FromDouble(double noundef %48)
  br label %cleanup64

sw.bb34:                                          ; preds = %cond.end
  %call35 = tail call ptr @PyLong_FromLongLong(i64 noundef %cond)
  br label %cleanup64

sw.bb36:                                          ; preds = %cond.end
  %49 = load i8, ptr %add.ptr29, align 1
  %tobool.not = icmp eq i8 %49, 0
  %cond37 = select i1 %tobool.not, ptr @_Py_FalseStruct, ptr @_Py_TrueStruct
  tail call void @Py_IncRef(ptr noundef nonnull %cond37)
  br label %cleanup64

sw.bb39:                                          ; preds = %cond.end
  %descr = getelementptr inbounds i8, ptr %add.ptr25, i64 8
  %50 = load ptr, ptr %descr, align 8
  %call40 = tail call ptr @PyArray_Scalar(ptr noundef %add.ptr29, ptr noundef %50, ptr noundef null)
  br label %cleanup64

sw.bb41:                                          ; preds = %cond.end
  %arrayidx42 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %51 = load i64, ptr %arrayidx42, align 8
  %rem = urem i64 %cond, %51
  %52 = getelementptr %union.Word, ptr %node.tr, i64 %rem
  %arrayidx43 = getelementptr i8, ptr %52, i64 24
  %53 = load ptr, ptr %arrayidx43, align 8
  tail call void @Py_IncRef(ptr noundef %53)
  br label %cleanup64

sw.bb45:                                          ; preds = %cond.end
  %of_heaps = getelementptr inbounds i8, ptr %41, i64 104
  %54 = load i64, ptr %of_heaps, align 8
  %add.ptr48 = getelementptr inbounds %union.Word, ptr %40, i64 %54
  %arrayidx49 = getelementptr inbounds i8, ptr %node.tr, i64 16
  %55 = load i64, ptr %arrayidx49, align 8
  %arrayidx50 = getelementptr inbounds %struct.HeapPlan, ptr %add.ptr48, i64 %55
  %56 = load i64, ptr %arrayidx50, align 8
  %cmp.i118 = icmp slt i64 %cond, 0
  br i1 %cmp.i118, label %if.then.i123, label %lor.lhs.false.i119

lor.lhs.false.i119:                               ; preds = %sw.bb45
  %tables.i120 = getelementptr inbounds i8, ptr %0, i64 16
  %57 = load ptr, ptr %tables.i120, align 8
  %arrayidx.i121 = getelementptr inbounds %struct.Table, ptr %57, i64 %56
  %58 = load i64, ptr %arrayidx.i121, align 8
  %cmp1.not.i122 = icmp sgt i64 %58, %cond
  br i1 %cmp1.not.i122, label %if.end.i125, label %if.then.i123

if.then.i123:                                     ; preds = %lor.lhs.false.i119, %sw.bb45
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct)
  br label %cleanup64

if.end.i125:                                      ; preds = %lor.lhs.false.i119
  %columns.i.i126 = getelementptr inbounds i8, ptr %0, i64 24
  %59 = load ptr, ptr %columns.i.i126, align 8
  %of_tables.i.i128 = getelementptr inbounds i8, ptr %41, i64 88
  %60 = load i64, ptr %of_tables.i.i128, align 8
  %add.ptr.i.i129 = getelementptr inbounds %union.Word, ptr %40, i64 %60
  %arrayidx.i.i130 = getelementptr inbounds %struct.TablePlan, ptr %add.ptr.i.i129, i64 %56
  %61 = load i64, ptr %arrayidx.i.i130, align 8
  %arrayidx1.i.i131 = getelementptr inbounds ptr, ptr %59, i64 %61
  %62 = load ptr, ptr %arrayidx1.i.i131, align 8
  %arrayidx4.i132 = getelementptr inbounds ptr, ptr %62, i64 %cond
  %63 = load ptr, ptr %arrayidx4.i132, align 8
  tail call void @Py_IncRef(ptr noundef %63)
  br label %cleanup64

sw.epilog:                                        ; preds = %cond.end
  %64 = load i8, ptr %add.ptr29, align 1
  %tobool54.not = icmp eq i8 %64, 0
  br i1 %tobool54.not, label %cond.false58, label %cond.true55

cond.true55:                                      ; preds = %sw.epilog
  %add.ptr56 = getelementptr inbounds i8, ptr %node.tr, i64 24
  br label %tailrecurse

cond.false58:                                     ; preds = %sw.epilog
  tail call void @Py_IncRef(ptr noundef nonnull @_Py_NoneStruct)
  br label %cleanup64

cleanup64:                                        ; preds = %for.inc.i, %if.then, %cleanup.i.thread, %if.end.i125, %if.then.i123, %if.end.i113, %if.then.i111, %if.end39.i, %if.then37.i, %if.then22.i, %sw.bb, %sw.bb34, %sw.bb36, %sw.bb39, %sw.bb41, %cond.false58
  %retval.1 = phi ptr [ %53, %sw.bb41 ], [ %call40, %sw.bb39 ], [ %cond37, %sw.bb36 ], [ %call35, %sw.bb34 ], [ %call33, %sw.bb ], [ @_Py_NoneStruct, %cond.false58 ], [ %call23.i, %if.then22.i ], [ %call38.i, %if.then37.i ], [ %cond41.i, %if.end39.i ], [ @_Py_NoneStruct, %if.then.i111 ], [ %39, %if.end.i113 ], [ @_Py_NoneStruct, %if.then.i123 ], [ %63, %if.end.i125 ], [ null, %cleanup.i.thread ], [ %call.i, %if.then ], [ %call.i, %for.inc.i ]
  ret ptr %retval.1
}

declare i32 @PyObject_GenericSetAttr(ptr noundef, ptr noundef, ptr noundef)

define internal fastcc nonnull ptr @node_after(ptr noundef readonly %walk, ptr noundef readonly %node) {
entry:
  %0 = load i64, ptr %node, align 8
  switch i64 %0, label %sw.epilog [
    i64 1, label %sw.bb
    i64 2, label %sw.bb
    i64 3, label %sw.bb
    i64 4, label %sw.bb
    i64 5, label %sw.bb
    i64 12, label %sw.bb
    i64 6, label %sw.bb1
    i64 9, label %sw.bb1
    i64 13, label %sw.bb3
    i64 7, label %sw.bb5
    i64 8, label %sw.bb9
    i64 14, label %sw.bb13
    i64 10, label %sw.bb17
    i64 11, label %sw.bb23
  ]

sw.bb:                                            ; preds = %entry, %entry, %entry, %entry, %entry, %entry
  %add.ptr = getelementptr inbounds i8, ptr %node, i64 16
  br label %return

sw.bb1:                                           ; preds = %entry, %entry
  %add.ptr2 = getelementptr inbounds i8, ptr %node, i64 32
  br label %return

sw.bb3:                                           ; preds = %entry
  %add.ptr4 = getelementptr inbounds i8, ptr %node, i64 24
  br label %return

sw.bb5:                                           ; preds = %entry
  %add.ptr6 = getelementptr inbounds i8, ptr %node, i64 24
  %arrayidx7 = getelementptr inbounds i8, ptr %node, i64 16
  %1 = load i64, ptr %arrayidx7, align 8
  %add.ptr8 = getelementptr inbounds %union.Word, ptr %add.ptr6, i64 %1
  br label %return

sw.bb9:                                           ; preds = %entry
  %add.ptr10 = getelementptr inbounds i8, ptr %node, i64 24
  %arrayidx11 = getelementptr inbounds i8, ptr %node, i64 16
  %2 = load i64, ptr %arrayidx11, align 8
  %add.ptr12 = getelementptr inbounds %union.Word, ptr %add.ptr10, i64 %2
  br label %return

sw.bb13:                                          ; preds = %entry
  %add.ptr14 = getelementptr inbounds i8, ptr %node, i64 40
  %arrayidx15 = getelementptr inbounds i8, ptr %node, i64 32
  %3 = load i64, ptr %arrayidx15, align 8
  %add.ptr16.idx = shl nsw i64 %3, 4
  %add.ptr16 = getelementptr inbounds i8, ptr %add.ptr14, i64 %add.ptr16.idx
  br label %return

sw.bb17:                                          ; preds = %entry
  %add.ptr18 = getelementptr inbounds i8, ptr %node, i64 24
  %4 = load ptr, ptr %walk, align 8
  %plan = getelementptr inbounds i8, ptr %walk, i64 8
  %5 = load ptr, ptr %plan, align 8
  %of_groups = getelementptr inbounds i8, ptr %5, i64 112
  %6 = load i64, ptr %of_groups, align 8
  %add.ptr19 = getelementptr inbounds %union.Word, ptr %4, i64 %6
  %arrayidx20 = getelementptr inbounds i8, ptr %node, i64 8
  %7 = load i64, ptr %arrayidx20, align 8
  %count = getelementptr inbounds %struct.GroupPlan, ptr %add.ptr19, i64 %7, i32 1
  %8 = load i64, ptr %count, align 8
  %add.ptr22 = getelementptr inbounds %union.Word, ptr %add.ptr18, i64 %8
  br label %return

sw.bb23:                                          ; preds = %entry
  %arrayidx25 = getelementptr inbounds i8, ptr %node, i64 8
  %9 = load i64, ptr %arrayidx25, align 8
  %add.ptr26 = getelementptr inbounds i8, ptr %node, i64 16
  %cmp47 = icmp sgt i64 %9, 0
  br i1 %cmp47, label %for.body, label %return

for.body:                                         ; preds = %sw.bb23, %for.body
  %k.049 = phi i64 [ %inc, %for.body ], [ 0, %sw.bb23 ]
  %node.addr.048 = phi ptr [ %call, %for.body ], [ %add.ptr26, %sw.bb23 ]
  %call = tail call fastcc ptr @node_after(ptr noundef %walk, ptr noundef nonnull %node.addr.048)
  %inc = add nuw nsw i64 %k.049, 1
  %exitcond.not = icmp eq i64 %inc, %9
  br i1 %exitcond.not, label %return, label %for.body

sw.epilog:                                        ; preds = %entry
  %add.ptr27 = getelementptr inbounds i8, ptr %node, i64 8
  br label %return

return:                                           ; preds = %for.body, %sw.bb23, %sw.epilog, %sw.bb17, %sw.bb13, %sw.bb9, %sw.bb5, %sw.bb3, %sw.bb1, %sw.bb
  %retval.0 = phi ptr [ %add.ptr27, %sw.epilog ], [ %add.ptr22, %sw.bb17 ], [ %add.ptr16, %sw.bb13 ], [ %add.ptr12, %sw.bb9 ], [ %add.ptr8, %sw.bb5 ], [ %add.ptr4, %sw.bb3 ], [ %add.ptr2, %sw.bb1 ], [ %add.ptr, %sw.bb ], [ %add.ptr26, %sw.bb23 ], [ %call, %for.body ]
  ret ptr %retval.0
}

declare ptr @PyFloat_FromDouble(double noundef)

declare ptr @PyArray_Scalar(ptr noundef, ptr noundef, ptr noundef)

declare ptr @PyTuple_New(i64 noundef)

declare i64 @llvm.smax.i64(i64, i64)

declare void @llvm.assume(i1 noundef)
