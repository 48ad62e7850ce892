; What both `entry.ll` and `match.ll` ask of Python's objects.
;
; Written by Python, which knows their layout: the types %object, %bytes, %tuple, %descr, %array.

@PyArray_Type = external global i8

; Where an object's type is.
define internal ptr @type_of(ptr %object) {
  %field = getelementptr %object, ptr %object, i64 0, i32 1
  %type = load ptr, ptr %field
  ret ptr %type
}

; Whether an array has a dtype and shape, which the three words and those after them describe.
define internal i1 @is_like(ptr %array, ptr %words) {
  %usual = load ptr, ptr %words
  %descr_field = getelementptr %array, ptr %array, i64 0, i32 6
  %descr = load ptr, ptr %descr_field
  %is_usual = icmp eq ptr %descr, %usual
  br i1 %is_usual, label %ndims, label %unusual
unusual:                                   ; another object may describe the same dtype
  %number_item = getelementptr i64, ptr %words, i64 1
  %number = load i64, ptr %number_item
  %its_number_field = getelementptr %descr, ptr %descr, i64 0, i32 3
  %its_number_32 = load i32, ptr %its_number_field
  %its_number = sext i32 %its_number_32 to i64
  %same_number = icmp eq i64 %number, %its_number
  %order_field = getelementptr %descr, ptr %descr, i64 0, i32 2, i64 2
  %order = load i8, ptr %order_field
  %native = icmp ne i8 %order, 62          ; ">"
  %same_dtype = and i1 %same_number, %native
  br i1 %same_dtype, label %ndims, label %no

ndims:
  %ndim_item = getelementptr i64, ptr %words, i64 2
  %ndim = load i64, ptr %ndim_item
  %its_ndim_field = getelementptr %array, ptr %array, i64 0, i32 2
  %its_ndim_32 = load i32, ptr %its_ndim_field
  %its_ndim = sext i32 %its_ndim_32 to i64
  %same_ndim = icmp eq i64 %ndim, %its_ndim
  br i1 %same_ndim, label %shape, label %no
shape:
  %its_sizes_field = getelementptr %array, ptr %array, i64 0, i32 3
  %its_sizes = load ptr, ptr %its_sizes_field
  %sizes = getelementptr i64, ptr %words, i64 3
  br label %dimension
dimension:
  %d = phi i64 [ 0, %shape ], [ %d_next, %next ]
  %done = icmp eq i64 %d, %ndim
  br i1 %done, label %yes, label %compare
compare:
  %size_item = getelementptr i64, ptr %sizes, i64 %d
  %size = load i64, ptr %size_item
  %its_size_item = getelementptr i64, ptr %its_sizes, i64 %d
  %its_size = load i64, ptr %its_size_item
  %same_size = icmp eq i64 %size, %its_size
  br i1 %same_size, label %next, label %no
next:
  %d_next = add i64 %d, 1
  br label %dimension

yes:
  ret i1 true
no:
  ret i1 false
}
