; The product of matrices of one dtype, see `products.ll`. NAME is the name of the function in BLAS
; without its last two letters, TYPE the type of elements.

declare void @library_NAMEmm(i32, i32, i32, i64, i64, i64, TYPE, ptr, i64, ptr, i64, TYPE, ptr, i64)
declare void @library_NAMEmv(i32, i32, i64, i64, TYPE, ptr, i64, ptr, i64, TYPE, ptr, i64)

%NAME.job = type {
  i32, i32,        ;  0, 1: whether the operands are transposed, 112, or not, 111
  i64, i64, i64,   ;  2, 3, 4: rows, columns, inner
  TYPE,            ;  5: alpha
  ptr, i64,        ;  6, 7: a, and from row to row
  ptr, i64,        ;  8, 9: b
  TYPE,            ; 10: beta
  ptr, i64,        ; 11, 12: c
  i64              ; 13: parts of rows
}

; Parts of rows of the product, from `first` up to `last`.
define internal i32 @NAME.rows(ptr %place, i64 %first, i64 %last) {
  %job = load %NAME.job, ptr %place
  %all_rows = extractvalue %NAME.job %job, 2
  %parts = extractvalue %NAME.job %job, 13
  %begin = call i64 @first_row(i64 %first, i64 %parts, i64 %all_rows)
  %end = call i64 @first_row(i64 %last, i64 %parts, i64 %all_rows)
  %a_transposed = extractvalue %NAME.job %job, 0
  %b_transposed = extractvalue %NAME.job %job, 1
  %columns = extractvalue %NAME.job %job, 3
  %inner = extractvalue %NAME.job %job, 4
  %alpha = extractvalue %NAME.job %job, 5
  %a = extractvalue %NAME.job %job, 6
  %a_stride = extractvalue %NAME.job %job, 7
  %b = extractvalue %NAME.job %job, 8
  %b_stride = extractvalue %NAME.job %job, 9
  %beta = extractvalue %NAME.job %job, 10
  %c = extractvalue %NAME.job %job, 11
  %c_stride = extractvalue %NAME.job %job, 12
  %rows = sub i64 %end, %begin
  %plain = icmp eq i32 %a_transposed, 111
  %step = select i1 %plain, i64 %a_stride, i64 1
  %a_offset = mul i64 %begin, %step
  %a_start = getelementptr TYPE, ptr %a, i64 %a_offset
  %c_offset = mul i64 %begin, %c_stride
  %c_start = getelementptr TYPE, ptr %c, i64 %c_offset
  call void @library_NAMEmm(i32 101, i32 %a_transposed, i32 %b_transposed, i64 %rows, i64 %columns,
    i64 %inner, TYPE %alpha, ptr %a_start, i64 %a_stride, ptr %b, i64 %b_stride, TYPE %beta,
    ptr %c_start, i64 %c_stride)
  ret i32 0
}

; Columns of the product.
define internal i32 @NAME.columns(ptr %place, i64 %begin, i64 %end) {
  %job = load %NAME.job, ptr %place
  %a_transposed = extractvalue %NAME.job %job, 0
  %b_transposed = extractvalue %NAME.job %job, 1
  %rows = extractvalue %NAME.job %job, 2
  %inner = extractvalue %NAME.job %job, 4
  %alpha = extractvalue %NAME.job %job, 5
  %a = extractvalue %NAME.job %job, 6
  %a_stride = extractvalue %NAME.job %job, 7
  %b = extractvalue %NAME.job %job, 8
  %b_stride = extractvalue %NAME.job %job, 9
  %beta = extractvalue %NAME.job %job, 10
  %c = extractvalue %NAME.job %job, 11
  %c_stride = extractvalue %NAME.job %job, 12
  %columns = sub i64 %end, %begin
  %plain = icmp eq i32 %b_transposed, 111
  %step = select i1 %plain, i64 1, i64 %b_stride
  %b_offset = mul i64 %begin, %step
  %b_start = getelementptr TYPE, ptr %b, i64 %b_offset
  %c_start = getelementptr TYPE, ptr %c, i64 %begin
  call void @library_NAMEmm(i32 101, i32 %a_transposed, i32 %b_transposed, i64 %rows, i64 %columns,
    i64 %inner, TYPE %alpha, ptr %a, i64 %a_stride, ptr %b_start, i64 %b_stride, TYPE %beta,
    ptr %c_start, i64 %c_stride)
  ret i32 0
}

; As in CBLAS, for matrices row by row.
define void @ag_NAMEmm(i32 %order, i32 %a_transposed, i32 %b_transposed, i64 %rows, i64 %columns,
    i64 %inner, TYPE %alpha, ptr %a, i64 %a_stride, ptr %b, i64 %b_stride, TYPE %beta, ptr %c,
    i64 %c_stride) {
  %a_plain = icmp eq i32 %a_transposed, 111
  %b_plain = icmp eq i32 %b_transposed, 111
  %one_column = icmp eq i64 %columns, 1
  br i1 %one_column, label %column, label %not_column
column:                                    ; c = op(a) b
  %stored_rows = select i1 %a_plain, i64 %rows, i64 %inner
  %stored_columns = select i1 %a_plain, i64 %inner, i64 %rows
  %b_step = select i1 %b_plain, i64 %b_stride, i64 1
  call void @library_NAMEmv(i32 101, i32 %a_transposed, i64 %stored_rows, i64 %stored_columns,
    TYPE %alpha, ptr %a, i64 %a_stride, ptr %b, i64 %b_step, TYPE %beta, ptr %c, i64 %c_stride)
  ret void

not_column:
  %one_row = icmp eq i64 %rows, 1
  br i1 %one_row, label %row, label %matrices
row:                                       ; c = transpose(op(b)) a
  %b_turned = select i1 %b_plain, i32 112, i32 111
  %b_rows = select i1 %b_plain, i64 %inner, i64 %columns
  %b_columns = select i1 %b_plain, i64 %columns, i64 %inner
  %a_step = select i1 %a_plain, i64 1, i64 %a_stride
  call void @library_NAMEmv(i32 101, i32 %b_turned, i64 %b_rows, i64 %b_columns, TYPE %alpha,
    ptr %b, i64 %b_stride, ptr %a, i64 %a_step, TYPE %beta, ptr %c, i64 1)
  ret void

matrices:
  %rows_1 = call i64 @llvm.smax.i64(i64 %rows, i64 1)
  %columns_1 = call i64 @llvm.smax.i64(i64 %columns, i64 1)
  %inner_1 = call i64 @llvm.smax.i64(i64 %inner, i64 1)
  %each_row = mul i64 %columns_1, %inner_1
  %each_column = mul i64 %rows_1, %inner_1
  %work = mul i64 %rows_1, %each_row
  %large = icmp sgt i64 %work, 200000      ; less than what a library gives to threads
  br i1 %large, label %ask, label %whole
ask:
  %library = call i32 @library_threads()
  %known = icmp ne i32 %library, 0
  br i1 %known, label %share, label %whole
whole:
  call void @library_NAMEmm(i32 101, i32 %a_transposed, i32 %b_transposed, i64 %rows,
    i64 %columns, i64 %inner, TYPE %alpha, ptr %a, i64 %a_stride, ptr %b, i64 %b_stride, TYPE %beta,
    ptr %c, i64 %c_stride)
  ret void

share:
  %place = alloca %NAME.job
  %parts = call i64 @parts_of_rows(i64 %rows, i64 %each_row)
  %job_0 = insertvalue %NAME.job poison, i32 %a_transposed, 0
  %job_1 = insertvalue %NAME.job %job_0, i32 %b_transposed, 1
  %job_2 = insertvalue %NAME.job %job_1, i64 %rows, 2
  %job_3 = insertvalue %NAME.job %job_2, i64 %columns, 3
  %job_4 = insertvalue %NAME.job %job_3, i64 %inner, 4
  %job_5 = insertvalue %NAME.job %job_4, TYPE %alpha, 5
  %job_6 = insertvalue %NAME.job %job_5, ptr %a, 6
  %job_7 = insertvalue %NAME.job %job_6, i64 %a_stride, 7
  %job_8 = insertvalue %NAME.job %job_7, ptr %b, 8
  %job_9 = insertvalue %NAME.job %job_8, i64 %b_stride, 9
  %job_10 = insertvalue %NAME.job %job_9, TYPE %beta, 10
  %job_11 = insertvalue %NAME.job %job_10, ptr %c, 11
  %job_12 = insertvalue %NAME.job %job_11, i64 %c_stride, 12
  %job = insertvalue %NAME.job %job_12, i64 %parts, 13
  store %NAME.job %job, ptr %place
  %four = mul i64 %rows, 4
  %wide = icmp sgt i64 %columns, %four
  %short = icmp slt i64 %rows, 96
  %not_tall = icmp sgt i64 %columns, %rows
  %flat = and i1 %short, %not_tall
  %by_columns = or i1 %wide, %flat
  %part = call i64 @columns_of_a_part(i64 %columns, i64 %each_column)
  %function = select i1 %by_columns, ptr @NAME.columns, ptr @NAME.rows
  %count = select i1 %by_columns, i64 %columns, i64 %parts
  %grain = select i1 %by_columns, i64 %part, i64 1
  call void @enter()
  %status = call i32 @ag_parallel(ptr %function, ptr %place, i64 %count, i64 %grain)
  call void @leave()
  ret void
}
