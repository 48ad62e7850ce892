; Products of matrices from several threads.
;
; Kernels call `cblas_sgemm` and `cblas_dgemm`, and find these functions. The threads of a BLAS library
; are not those of kernels: OpenBLAS' wait for the next product by asking for the CPU again and again,
; while kernels want it for something else. So a large product is cut into one part for each thread of
; the kernels, and the library computes each part on the thread that asks, if it can be told to. That
; is a setting of the whole process, which is put back when no kernel multiplies any more.
;
; The number of threads does not change the result where the rows of it are cut. OpenBLAS goes through
; them in groups, of 3 times 2, 4 or 8 rows or less, which are rounded differently from what is left in
; the end: parts are whole multiples of 24 rows. It begins again after some thousands of rows: parts
; are shorter than that, for one thread as well. It rounds products of up to a million multiplications
; in another way: no part is so small, unless all that there can be are. Where columns are cut, for
; products of few rows, no such numbers keep the result the same.
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
  %counted = call i32 @llvm.smax.i32(i32 %with_this, i32 1)
  %others = sub i32 %counted, 1
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

; A forked process has none of the threads that were multiplying, but for the one that forked it if
; that did so amid a product: it leaves once more.
define void @ag_forget_products() {
  call void @unlock()
  store i32 1, ptr @multiplying
  call void @leave()
  ret void
}

; How many parts of rows, with `each` multiplications in a row, there are.
define internal i64 @parts_of_rows(i64 %rows, i64 %each) {
  %threads_32 = load i32, ptr @ag_threads
  %threads = sext i32 %threads_32 to i64
  %units = call i64 @units(i64 %rows)
  %few = sdiv i64 1000000, %each
  %rounded_up = add i64 %few, 36           ; one row more, up to 12 less in the last part, rounded up
  %least = sdiv i64 %rounded_up, 24
  %most = sdiv i64 %units, %least
  %more = add i64 %rows, 3071
  %needed = sdiv i64 %more, 3072
  %needed_up = add i64 %needed, %threads
  %needed_up_1 = sub i64 %needed_up, 1
  %each_thread = sdiv i64 %needed_up_1, %threads
  %fair = mul i64 %each_thread, %threads
  %parts = call i64 @llvm.smin.i64(i64 %fair, i64 %most)
  %enough = call i64 @llvm.smax.i64(i64 %parts, i64 %needed)
  ret i64 %enough
}

define internal i64 @units(i64 %rows) {
  %half = add i64 %rows, 12
  %units = sdiv i64 %half, 24
  ret i64 %units
}

; The row with which a part begins, or after the last part the number of rows.
define internal i64 @first_row(i64 %part, i64 %parts, i64 %rows) {
  %over = icmp eq i64 %part, %parts
  %units = call i64 @units(i64 %rows)
  %share = mul i64 %part, %units
  %before = sdiv i64 %share, %parts
  %row = mul i64 %before, 24
  %first = select i1 %over, i64 %rows, i64 %row
  ret i64 %first
}

; How many columns, with `each` multiplications in a column, a part has.
define internal i64 @columns_of_a_part(i64 %length, i64 %each) {
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
