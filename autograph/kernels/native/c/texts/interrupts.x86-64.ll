; Made by `make runtime` of interrupts.c (9a2ccef06579fdf7) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@ag_main_thread = global i64 0, align 8
@polled = internal global i64 0, align 8

define preserve_mostcc range(i32 0, 5) i32 @ag_poll() {
entry:
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
  %call5 = tail call i64 @clock()
  %1 = load i64, ptr @polled, align 8
  %sub = sub i64 %call5, %1
  %cmp6 = icmp ult i64 %sub, 50001
  br i1 %cmp6, label %return, label %if.end8

if.end8:                                          ; preds = %if.end4
  store i64 %call5, ptr @polled, align 8
  %call9 = tail call i32 @PyGILState_Ensure()
  %call10 = tail call i32 @PyErr_CheckSignals()
  tail call void @PyGILState_Release(i32 noundef %call9)
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

declare i64 @clock()

declare i32 @PyGILState_Ensure()

declare i32 @PyErr_CheckSignals()

declare void @PyGILState_Release(i32 noundef)
