; Products of matrices from several threads.
;
; Kernels call `cblas_sgemm` and `cblas_dgemm`, and find these functions. The threads of a BLAS library
; are not those of kernels: OpenBLAS' wait for the next product by asking for the CPU again and again,
; while kernels want it for something else. So a large product is cut, along the longer side of the
; result, into one part for each thread of the kernels, and the library computes each part on the
; thread that asks, if it can be told to. That is a setting of the whole process, which is put back
; when no kernel multiplies any more.
;
; Vectors go to the function for vectors, as in NumPy: it does not copy the matrix.
;
; `product.ll` stands behind it, once for each dtype.

@ag_threads = external global i32
@changing = internal global i32 0          ; 1 while a thread changes what follows
@multiplying = internal global i32 0       ; threads that multiply, each within a job of its own
@before = internal global i32 0            ; the threads that the library had, if it has one now

declare i32 @library_threads()             ; 0 if it cannot be told
declare void @library_set_threads(i32)
declare i32 @ag_parallel(ptr, ptr, i64, i64)
declare i32 @sched_yield()

define internal void @lock() {
  br label %try
try:
  %taken = atomicrmw xchg ptr @changing, i32 1 acquire
  %free = icmp eq i32 %taken, 0
  br i1 %free, label %done, label %wait
wait:
  %yielded = call i32 @sched_yield()
  br label %try
done:
  ret void
}

define internal void @unlock() {
  store atomic i32 0, ptr @changing release, align 4
  ret void
}

; Let the library compute on the threads that ask, until the last one of them is ready.
define internal void @enter() {
  call void @lock()
  %others = load i32, ptr @multiplying
  %with_this = add i32 %others, 1
  store i32 %with_this, ptr @multiplying
  %first = icmp eq i32 %others, 0
  br i1 %first, label %look, label %done
look:
  %threads = call i32 @library_threads()
  %several = icmp sgt i32 %threads, 1
  br i1 %several, label %limit, label %done
limit:
  store i32 %threads, ptr @before
  call void @library_set_threads(i32 1)
  br label %done
done:
  call void @unlock()
  ret void
}

define internal void @leave() {
  call void @lock()
  %with_this = load i32, ptr @multiplying
  %others = sub i32 %with_this, 1
  store i32 %others, ptr @multiplying
  %last = icmp eq i32 %others, 0
  br i1 %last, label %look, label %done
look:
  %threads = load i32, ptr @before
  %limited = icmp ne i32 %threads, 0
  br i1 %limited, label %restore, label %done
restore:
  store i32 0, ptr @before
  call void @library_set_threads(i32 %threads)
  br label %done
done:
  call void @unlock()
  ret void
}

; A forked process has none of the threads that were multiplying.
define void @ag_forget_products() {
  call void @unlock()
  store i32 1, ptr @multiplying
  call void @leave()
  ret void
}

; How many rows or columns, of `length` with `each` multiplications, a part has.
define internal i64 @part(i64 %length, i64 %each) {
  %threads_32 = load i32, ptr @ag_threads
  %threads = sext i32 %threads_32 to i64
  %length_up = add i64 %length, %threads
  %length_up_1 = sub i64 %length_up, 1
  %share = sdiv i64 %length_up_1, %threads
  %few = sdiv i64 1000000, %each
  %enough = add i64 %few, 1
  %more = icmp sgt i64 %share, %enough
  %part = select i1 %more, i64 %share, i64 %enough
  %part_up = add i64 %part, 15
  %sixteens = sdiv i64 %part_up, 16
  %whole = mul i64 %sixteens, 16
  ret i64 %whole
}
