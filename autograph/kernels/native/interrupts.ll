; Ctrl-C while a kernel runs.
;
; Loops of kernels ask now and then whether to go on. In the main thread, where Python handles
; signals, ag_poll lets it do so, but not more often than every 50 milliseconds: another thread may
; hold the GIL for a while. If a handler raised, the kernel ends with the status 4, and the exception
; waits in Python's state of the thread. Threads that Python does not know are workers of the pool;
; they stop if the thread that they work for does. Other threads of Python go on.

declare i64 @clock()
declare ptr @PyGILState_GetThisThreadState()
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare i32 @PyErr_CheckSignals()
declare i64 @PyThread_get_thread_ident()

@ag_main_thread = global i64 0             ; Python's number of the main thread
@polled = internal global i64 0            ; when the main thread looked last, in microseconds

; 4 if the kernel is to stop, or 0. It saves the general registers, which the loop that calls it
; uses. The loop itself saves vectors: this code may be made for a machine with shorter ones.
define preserve_mostcc i32 @ag_poll() {
  %state = call ptr @PyGILState_GetThisThreadState()
  %unknown = icmp eq ptr %state, null
  br i1 %unknown, label %worker, label %python
worker:
  %pool = load atomic ptr, ptr @pool acquire, align 8
  %none = icmp eq ptr %pool, null
  br i1 %none, label %go_on, label %ask
ask:
  %result_field = getelementptr %pool, ptr %pool, i64 0, i32 13
  %result = load atomic i32, ptr %result_field monotonic, align 4
  %stop = and i32 %result, 4
  ret i32 %stop

python:
  %thread = call i64 @PyThread_get_thread_ident()
  %main = load i64, ptr @ag_main_thread
  %is_main = icmp eq i64 %thread, %main
  br i1 %is_main, label %time, label %go_on
time:
  %now = call i64 @clock()
  %last = load i64, ptr @polled
  %passed = sub i64 %now, %last
  %long_ago = icmp ugt i64 %passed, 50000
  br i1 %long_ago, label %check, label %go_on
check:
  store i64 %now, ptr @polled
  %gil = call i32 @PyGILState_Ensure()
  %raised = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 %gil)
  %fine = icmp eq i32 %raised, 0
  br i1 %fine, label %go_on, label %interrupted
interrupted:
  ret i32 4
go_on:
  ret i32 0
}
