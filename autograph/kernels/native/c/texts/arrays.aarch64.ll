; Made by `make runtime` of arrays.c (0f04eaff3ecfe02f) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

define ptr @ag_array_malloc(ptr noundef readnone %context, i64 noundef %bytes) {
entry:
  %call = tail call ptr @ag_take(i64 noundef %bytes)
  ret ptr %call
}

declare ptr @ag_take(i64 noundef)

define ptr @ag_array_calloc(ptr noundef readnone %context, i64 noundef %count, i64 noundef %bytes) {
entry:
  %0 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %bytes)
  %1 = extractvalue { i64, i1 } %0, 1
  %2 = extractvalue { i64, i1 } %0, 0
  br i1 %1, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %call = tail call ptr @ag_take(i64 noundef %2)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cleanup, label %if.then1

if.then1:                                         ; preds = %if.end
  tail call void @llvm.memset.p0.i64(ptr nonnull align 1 %call, i8 0, i64 %2, i1 false)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then1, %entry
  %retval.0 = phi ptr [ null, %entry ], [ %call, %if.then1 ], [ null, %if.end ]
  ret ptr %retval.0
}

declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

define ptr @ag_array_realloc(ptr noundef readnone %context, ptr noundef %block, i64 noundef %bytes) {
entry:
  %size.i = getelementptr inbounds i8, ptr %block, i64 -8
  %0 = load i64, ptr %size.i, align 8
  %cmp.not = icmp ult i64 %0, %bytes
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %call1 = tail call ptr @ag_take(i64 noundef %bytes)
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cleanup, label %if.then2

if.then2:                                         ; preds = %if.end
  tail call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %call1, ptr nonnull align 1 %block, i64 %0, i1 false)
  tail call void @ag_give(ptr noundef nonnull %block, i64 noundef %0)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then2, %entry
  %retval.0 = phi ptr [ %block, %entry ], [ %call1, %if.then2 ], [ null, %if.end ]
  ret ptr %retval.0
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

declare void @ag_give(ptr noundef, i64 noundef)

define void @ag_array_free(ptr noundef readnone %context, ptr noundef %block, i64 noundef %bytes) {
entry:
  tail call void @ag_give(ptr noundef %block, i64 noundef %bytes)
  ret void
}
