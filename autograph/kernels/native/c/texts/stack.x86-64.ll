; Made by `make runtime` of stack.c (bc52f00917b9b61c) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.Attributes = type { [16 x i64] }

@ag_stack_is_known = external constant i32, align 4
@known = internal global i64 0, align 8
@known_low = internal global i64 0, align 8
@ag_main_thread = external global i64, align 8

define i64 @ag_stack_floor(i64 noundef %here, i64 noundef %bytes) {
entry:
  %attributes.i = alloca %struct.Attributes, align 8
  %start.i = alloca i64, align 8
  %size.i = alloca i64, align 8
  %cond6 = tail call i64 @llvm.usub.sat.i64(i64 %here, i64 524288)
  %0 = load i32, ptr @ag_stack_is_known, align 4
  %tobool.not = icmp eq i32 %0, 0
  br i1 %tobool.not, label %if.end15, label %if.then

if.then:                                          ; preds = %entry
  %call = tail call i64 @pthread_self()
  %1 = load atomic i64, ptr @known acquire, align 8
  %cmp7 = icmp eq i64 %call, %1
  br i1 %cmp7, label %if.then8, label %if.else

if.then8:                                         ; preds = %if.then
  %2 = load atomic i64, ptr @known_low monotonic, align 8
  br label %if.end15

if.else:                                          ; preds = %if.then
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %attributes.i)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %start.i)
  store i64 0, ptr %start.i, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %size.i)
  store i64 0, ptr %size.i, align 8
  %call.i = call i32 @pthread_getattr_np(i64 noundef %call, ptr noundef nonnull %attributes.i)
  %tobool.not.i = icmp eq i32 %call.i, 0
  br i1 %tobool.not.i, label %if.end.i, label %lowest.exit

if.end.i:                                         ; preds = %if.else
  %call1.i = call i32 @pthread_attr_getstack(ptr noundef nonnull %attributes.i, ptr noundef nonnull %start.i, ptr noundef nonnull %size.i)
  %call2.i = call i32 @pthread_attr_destroy(ptr noundef nonnull %attributes.i)
  %tobool3.i = icmp eq i32 %call1.i, 0
  %3 = load i64, ptr %size.i, align 8
  %tobool4.i = icmp ne i64 %3, 0
  %or.cond.i = select i1 %tobool3.i, i1 %tobool4.i, i1 false
  %4 = load i64, ptr %start.i, align 8
  %div8.i = lshr i64 %3, 2
  %add.i = add i64 %4, %div8.i
  %cond.i = select i1 %or.cond.i, i64 %add.i, i64 %cond6
  br label %lowest.exit

lowest.exit:                                      ; preds = %if.else, %if.end.i
  %retval.0.i = phi i64 [ %cond.i, %if.end.i ], [ %cond6, %if.else ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %size.i)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %start.i)
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %attributes.i)
  %5 = load i64, ptr @ag_main_thread, align 8
  %cmp11 = icmp eq i64 %call, %5
  br i1 %cmp11, label %if.then12, label %if.end15

if.then12:                                        ; preds = %lowest.exit
  store atomic i64 %retval.0.i, ptr @known_low monotonic, align 8
  store atomic i64 %call, ptr @known release, align 8
  br label %if.end15

if.end15:                                         ; preds = %if.then8, %if.then12, %lowest.exit, %entry
  %found.1 = phi i64 [ %cond6, %entry ], [ %2, %if.then8 ], [ %retval.0.i, %if.then12 ], [ %retval.0.i, %lowest.exit ]
  %cond = call i64 @llvm.usub.sat.i64(i64 %here, i64 %bytes)
  %cond20 = call i64 @llvm.umax.i64(i64 %found.1, i64 %cond)
  ret i64 %cond20
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare i64 @pthread_self()

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare i32 @pthread_getattr_np(i64 noundef, ptr noundef)

declare i32 @pthread_attr_getstack(ptr noundef, ptr noundef, ptr noundef)

declare i32 @pthread_attr_destroy(ptr noundef)

declare i64 @llvm.usub.sat.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)
