; Made by `make runtime` of products.c (5f6756f9ed70c525) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@multiplying = internal global i32 0, align 4
@before = internal global i32 0, align 4
@changing = internal global i32 0, align 4
@ag_library_threads = external constant i32, align 4

define void @ag_enter_products() {
entry:
  %0 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not1.i = icmp eq i32 %0, 0
  br i1 %tobool.not1.i, label %lock.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %while.body.i
  %call.i = tail call i32 @sched_yield()
  %1 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not.i = icmp eq i32 %1, 0
  br i1 %tobool.not.i, label %lock.exit, label %while.body.i

lock.exit:                                        ; preds = %while.body.i, %entry
  %2 = load i32, ptr @multiplying, align 4
  %inc = add nsw i32 %2, 1
  store i32 %inc, ptr @multiplying, align 4
  %cmp = icmp ne i32 %2, 0
  %3 = load i32, ptr @ag_library_threads, align 4
  %tobool.not.i5 = icmp eq i32 %3, 0
  %or.cond = select i1 %cmp, i1 true, i1 %tobool.not.i5
  br i1 %or.cond, label %if.end3, label %threads_of_library.exit

threads_of_library.exit:                          ; preds = %lock.exit
  %call.i6 = tail call i32 @library_threads()
  %cmp1 = icmp sgt i32 %call.i6, 1
  br i1 %cmp1, label %set_threads_of_library.exit, label %if.end3

set_threads_of_library.exit:                      ; preds = %threads_of_library.exit
  store i32 %call.i6, ptr @before, align 4
  tail call void @library_set_threads(i32 noundef 1)
  br label %if.end3

if.end3:                                          ; preds = %threads_of_library.exit, %set_threads_of_library.exit, %lock.exit
  store atomic i32 0, ptr @changing release, align 4
  ret void
}

define void @ag_leave_products() {
entry:
  %0 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not1.i = icmp eq i32 %0, 0
  br i1 %tobool.not1.i, label %lock.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %while.body.i
  %call.i = tail call i32 @sched_yield()
  %1 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not.i = icmp eq i32 %1, 0
  br i1 %tobool.not.i, label %lock.exit, label %while.body.i

lock.exit:                                        ; preds = %while.body.i, %entry
  %2 = load i32, ptr @multiplying, align 4
  %cmp = icmp sgt i32 %2, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %lock.exit
  %dec = add nsw i32 %2, -1
  store i32 %dec, ptr @multiplying, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %lock.exit
  %3 = phi i32 [ %dec, %if.then ], [ %2, %lock.exit ]
  %cmp1 = icmp eq i32 %3, 0
  %4 = load i32, ptr @before, align 4
  %tobool = icmp ne i32 %4, 0
  %or.cond = select i1 %cmp1, i1 %tobool, i1 false
  br i1 %or.cond, label %if.then2, label %if.end3

if.then2:                                         ; preds = %if.end
  %5 = load i32, ptr @ag_library_threads, align 4
  %tobool.not.i5 = icmp eq i32 %5, 0
  br i1 %tobool.not.i5, label %set_threads_of_library.exit, label %if.then.i

if.then.i:                                        ; preds = %if.then2
  tail call void @library_set_threads(i32 noundef %4)
  br label %set_threads_of_library.exit

set_threads_of_library.exit:                      ; preds = %if.then2, %if.then.i
  store i32 0, ptr @before, align 4
  br label %if.end3

if.end3:                                          ; preds = %set_threads_of_library.exit, %if.end
  store atomic i32 0, ptr @changing release, align 4
  ret void
}

define void @ag_hold_products() {
entry:
  %0 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not1.i = icmp eq i32 %0, 0
  br i1 %tobool.not1.i, label %lock.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %while.body.i
  %call.i = tail call i32 @sched_yield()
  %1 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not.i = icmp eq i32 %1, 0
  br i1 %tobool.not.i, label %lock.exit, label %while.body.i

lock.exit:                                        ; preds = %while.body.i, %entry
  ret void
}

define void @ag_let_products() {
entry:
  store atomic i32 0, ptr @changing release, align 4
  ret void
}

define void @ag_forget_products() {
entry:
  store atomic i32 0, ptr @changing release, align 4
  store i32 1, ptr @multiplying, align 4
  %0 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not1.i.i = icmp eq i32 %0, 0
  br i1 %tobool.not1.i.i, label %lock.exit.i, label %while.body.i.i

while.body.i.i:                                   ; preds = %entry, %while.body.i.i
  %call.i.i = tail call i32 @sched_yield()
  %1 = atomicrmw xchg ptr @changing, i32 1 acquire, align 4
  %tobool.not.i.i = icmp eq i32 %1, 0
  br i1 %tobool.not.i.i, label %lock.exit.i, label %while.body.i.i

lock.exit.i:                                      ; preds = %while.body.i.i, %entry
  %2 = load i32, ptr @multiplying, align 4
  %cmp.i = icmp sgt i32 %2, 0
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %lock.exit.i
  %dec.i = add nsw i32 %2, -1
  store i32 %dec.i, ptr @multiplying, align 4
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i, %lock.exit.i
  %3 = phi i32 [ %dec.i, %if.then.i ], [ %2, %lock.exit.i ]
  %cmp1.i = icmp eq i32 %3, 0
  %4 = load i32, ptr @before, align 4
  %tobool.i = icmp ne i32 %4, 0
  %or.cond.i = select i1 %cmp1.i, i1 %tobool.i, i1 false
  br i1 %or.cond.i, label %if.then2.i, label %ag_leave_products.exit

if.then2.i:                                       ; preds = %if.end.i
  %5 = load i32, ptr @ag_library_threads, align 4
  %tobool.not.i5.i = icmp eq i32 %5, 0
  br i1 %tobool.not.i5.i, label %set_threads_of_library.exit.i, label %if.then.i.i

if.then.i.i:                                      ; preds = %if.then2.i
  tail call void @library_set_threads(i32 noundef %4)
  br label %set_threads_of_library.exit.i

set_threads_of_library.exit.i:                    ; preds = %if.then.i.i, %if.then2.i
  store i32 0, ptr @before, align 4
  br label %ag_leave_products.exit

ag_leave_products.exit:                           ; preds = %if.end.i, %set_threads_of_library.exit.i
  store atomic i32 0, ptr @changing release, align 4
  ret void
}

declare i32 @sched_yield()

declare i32 @library_threads()

declare void @library_set_threads(i32 noundef)
