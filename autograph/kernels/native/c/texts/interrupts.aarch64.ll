; Made by `make runtime` of interrupts.c (b84c2de5e125d211) for aarch64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"

%struct.Time = type { i64, i64 }

@ag_main_thread = global i64 0, align 8
@polled = internal global i64 0, align 8
@ag_monotonic = external constant i32, align 4

define preserve_mostcc range(i32 0, 5) i32 @ag_poll() {
entry:
  %now.i = alloca %struct.Time, align 8
  %call = tail call ptr @PyGILState_GetThisThreadState()
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call1 = tail call i32 @result_so_far()
  %and = and i32 %call1, 4
  br label %return

if.end:                                           ; preds = %entry
  %call2 = tail call i64 @PyThread_get_thread_ident()
  %0 = load i64, ptr @ag_main_thread, align 8
  %cmp.not = icmp eq i64 %call2, %0
  br i1 %cmp.not, label %if.end4, label %return

if.end4:                                          ; preds = %if.end
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %now.i)
  %1 = load i32, ptr @ag_monotonic, align 4
  %call.i = call i32 @clock_gettime(i32 noundef %1, ptr noundef nonnull %now.i)
  %2 = load i64, ptr %now.i, align 8
  %mul.i = mul nsw i64 %2, 1000000000
  %nanoseconds.i = getelementptr inbounds i8, ptr %now.i, i64 8
  %3 = load i64, ptr %nanoseconds.i, align 8
  %add.i = add nsw i64 %mul.i, %3
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %now.i)
  %4 = load i64, ptr @polled, align 8
  %sub = sub i64 %add.i, %4
  %cmp6 = icmp ult i64 %sub, 50000001
  br i1 %cmp6, label %return, label %if.end8

if.end8:                                          ; preds = %if.end4
  store i64 %add.i, ptr @polled, align 8
  %call9 = call i32 @PyGILState_Ensure()
  %call10 = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 noundef %call9)
  %tobool11.not = icmp eq i32 %call10, 0
  %cond = select i1 %tobool11.not, i32 0, i32 4
  br label %return

return:                                           ; preds = %if.end8, %if.end4, %if.end, %if.then
  %retval.1 = phi i32 [ %and, %if.then ], [ 0, %if.end ], [ %cond, %if.end8 ], [ 0, %if.end4 ]
  ret i32 %retval.1
}

declare ptr @PyGILState_GetThisThreadState()

declare i32 @result_so_far()

declare i64 @PyThread_get_thread_ident()

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare i32 @PyGILState_Ensure()

declare i32 @PyErr_CheckSignals()

declare void @PyGILState_Release(i32 noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare i32 @clock_gettime(i32 noundef, ptr noundef)
