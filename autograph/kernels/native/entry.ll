; The function that Python calls for a kernel: METH_FASTCALL.
;
; One function serves all kernels. What is special to a kernel is its plan, a table that
; `autograph.kernels.native.entry` writes:
;
;   %plan, then one %parameter for each parameter, then one %result for each result; after each of
;   those that are arrays the sizes of its dimensions.
;
; `self` is a tuple: a bytes object with the plan, then the function to call if an argument is not
; what the plan says or the kernel gives up, then what else has to live as long as this one.
;
; It stands behind `objects.ll`.

%plan = type {
  ptr,     ; 0: the kernel
  i64,     ; 1: the number of parameters
  i64,     ; 2: the number of results
  i64,     ; 3: the number of results in Python, or -1: one result that is not in a tuple
  i64      ; 4: whether the GIL is released while it runs
}

%parameter = type {
  i64,     ; 0: what it may be, a sum: 1 Python number, 2 NumPy scalar, 4 array as a number, 8 array
  i64,     ; 1: the Python number: 1 float, 2 int, 3 bool
  ptr,     ; 2: the type of NumPy scalar
  i64,     ; 3: bytes of a number
  ptr,     ; 4: the dtype, usually
  i64,     ; 5: NumPy's number of the dtype
  i64      ; 6: number of dimensions
}

%result = type {
  i64,     ; 0: 0 array, 1 NumPy scalar, 2 float, 3 int, 4 bool, 5 a parameter, 6 into a parameter
  ptr,     ; 1: the dtype
  i64,     ; 2: the parameter
  i64,     ; 3: bytes of an array if its memory comes from ag_take, or 0
  i64      ; 4: number of dimensions
}

@ag_array_memory = global ptr null         ; a capsule with our PyDataMem_Handler

@PyFloat_Type = external global i8
@PyLong_Type = external global i8
@_Py_TrueStruct = external global i8
@_Py_FalseStruct = external global i8

declare ptr @PyObject_VectorcallDict(ptr, ptr, i64, ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare ptr @PyFloat_FromDouble(double)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyTuple_New(i64)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyErr_NoMemory()
declare i32 @PyTraceMalloc_Track(i32, i64, i64)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyArray_Empty(i32, ptr, ptr, i32)
declare ptr @PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)
declare ptr @PyArray_Scalar(ptr, ptr, ptr)
declare ptr @ag_take(i64)
declare void @ag_give(ptr, i64)

; -- arguments to inputs of the kernel -------------------------------------------------------------

; Whether an array is C-contiguous and aligned, and has the dtype and shape of the parameter.
define internal i1 @is_expected(ptr %array, ptr %parameter) {
  %flags_field = getelementptr %array, ptr %array, i64 0, i32 7
  %flags = load i32, ptr %flags_field
  %needed_flags = and i32 %flags, 257      ; NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED
  %good = icmp eq i32 %needed_flags, 257
  br i1 %good, label %compare, label %no
compare:
  %words = getelementptr %parameter, ptr %parameter, i64 0, i32 4
  %like = call i1 @is_like(ptr %array, ptr %words)
  ret i1 %like
no:
  ret i1 false
}

; Copy a number of 1, 2, 4 or 8 bytes.
define internal void @copy_number(ptr %to, ptr %from, i64 %bytes) {
  switch i64 %bytes, label %eight [ i64 1, label %one i64 2, label %two i64 4, label %four ]
one:
  %value_8 = load i8, ptr %from
  store i8 %value_8, ptr %to
  ret void
two:
  %value_16 = load i16, ptr %from
  store i16 %value_16, ptr %to
  ret void
four:
  %value_32 = load i32, ptr %from
  store i32 %value_32, ptr %to
  ret void
eight:
  %value_64 = load i64, ptr %from
  store i64 %value_64, ptr %to
  ret void
}

; A Python number to its value: whether it is exactly of the kind, and an int fits into 64 bits.
define internal i1 @convert_python(ptr %argument, ptr %type, i64 %kind, ptr %input) {
  %overflow = alloca i32
  switch i64 %kind, label %no [ i64 1, label %float i64 2, label %int i64 3, label %bool ]
float:
  %is_float = icmp eq ptr %type, @PyFloat_Type
  br i1 %is_float, label %float_value, label %no
float_value:
  %value_field = getelementptr %object, ptr %argument, i64 1
  %value = load i64, ptr %value_field
  store i64 %value, ptr %input
  ret i1 true
int:
  %is_int = icmp eq ptr %type, @PyLong_Type
  br i1 %is_int, label %int_value, label %no
int_value:
  store i32 0, ptr %overflow
  %integer = call i64 @PyLong_AsLongLongAndOverflow(ptr %argument, ptr %overflow)
  store i64 %integer, ptr %input
  %too_big = load i32, ptr %overflow
  %fits = icmp eq i32 %too_big, 0
  ret i1 %fits
bool:
  %is_true = icmp eq ptr %argument, @_Py_TrueStruct
  %is_false = icmp eq ptr %argument, @_Py_FalseStruct
  %truth = zext i1 %is_true to i8
  store i8 %truth, ptr %input
  %is_bool = or i1 %is_true, %is_false
  ret i1 %is_bool
no:
  ret i1 false
}

; An argument to an input: an address or a number. Whether it is what the parameter says.
define internal i1 @convert(ptr %argument, ptr %parameter, ptr %input) {
  %type = call ptr @type_of(ptr %argument)
  %forms = load i64, ptr %parameter
  %bytes_field = getelementptr %parameter, ptr %parameter, i64 0, i32 3
  %bytes = load i64, ptr %bytes_field
  %array_forms = and i64 %forms, 12
  %may_be_array = icmp ne i64 %array_forms, 0
  %is_array = icmp eq ptr %type, @PyArray_Type
  %as_array = and i1 %may_be_array, %is_array
  br i1 %as_array, label %array, label %no_array

array:
  %expected = call i1 @is_expected(ptr %argument, ptr %parameter)
  br i1 %expected, label %expected_array, label %no
expected_array:
  %data_field = getelementptr %array, ptr %argument, i64 0, i32 1
  %data = load ptr, ptr %data_field
  %address_form = and i64 %forms, 8
  %by_address = icmp ne i64 %address_form, 0
  br i1 %by_address, label %address, label %element
address:
  store ptr %data, ptr %input
  ret i1 true
element:
  call void @copy_number(ptr %input, ptr %data, i64 %bytes)
  ret i1 true

no_array:
  %scalar_type_field = getelementptr %parameter, ptr %parameter, i64 0, i32 2
  %scalar_type = load ptr, ptr %scalar_type_field
  %is_scalar = icmp eq ptr %type, %scalar_type
  %scalar_form = and i64 %forms, 2
  %may_be_scalar = icmp ne i64 %scalar_form, 0
  %as_scalar = and i1 %may_be_scalar, %is_scalar
  br i1 %as_scalar, label %scalar, label %no_scalar
scalar:                                    ; its value follows the head of the object
  %scalar_value = getelementptr %object, ptr %argument, i64 1
  call void @copy_number(ptr %input, ptr %scalar_value, i64 %bytes)
  ret i1 true

no_scalar:
  %python_form = and i64 %forms, 1
  %may_be_python = icmp ne i64 %python_form, 0
  br i1 %may_be_python, label %python, label %no
python:
  %kind_field = getelementptr %parameter, ptr %parameter, i64 0, i32 1
  %kind = load i64, ptr %kind_field
  %converted = call i1 @convert_python(ptr %argument, ptr %type, i64 %kind, ptr %input)
  ret i1 %converted

no:
  ret i1 false
}

; -- results ---------------------------------------------------------------------------------------

; A new array, with memory of NumPy's, or if `bytes` is not 0 with so much of ours, which is given
; back as NumPy's own is: by the array's memory handler, when the array goes. Null after an error.
define internal ptr @new_array(ptr %descr, i32 %ndim, ptr %sizes, i64 %bytes) {
  call void @Py_IncRef(ptr %descr)         ; each of NumPy's functions takes a reference
  %plain = icmp eq i64 %bytes, 0
  br i1 %plain, label %numpys, label %ours
numpys:
  %simple = call ptr @PyArray_Empty(i32 %ndim, ptr %sizes, ptr %descr, i32 0)
  ret ptr %simple

ours:
  %block = call ptr @ag_take(i64 %bytes)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %no_memory, label %wrap
no_memory:
  call void @Py_DecRef(ptr %descr)
  %null = call ptr @PyErr_NoMemory()
  ret ptr null
wrap:                                      ; 1281: C-contiguous, aligned, writable
  %array = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr, i32 %ndim, ptr %sizes,
    ptr null, ptr %block, i32 1281, ptr null)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %give, label %own
give:
  call void @ag_give(ptr %block, i64 %bytes)
  ret ptr null
own:
  %flags_field = getelementptr %array, ptr %array, i64 0, i32 7
  %flags = load i32, ptr %flags_field
  %owning = or i32 %flags, 4               ; NPY_ARRAY_OWNDATA
  store i32 %owning, ptr %flags_field
  %handler = load ptr, ptr @ag_array_memory
  call void @Py_IncRef(ptr %handler)
  %handler_field = getelementptr %array, ptr %array, i64 0, i32 10
  store ptr %handler, ptr %handler_field
  %address = ptrtoint ptr %block to i64    ; as NumPy does: the domain of its arrays
  %traced = call i32 @PyTraceMalloc_Track(i32 389047, i64 %address, i64 %bytes)
  ret ptr %array
}

; What the kernel writes a result to, and its Python object if it is there before the kernel runs.
; Returns 0; 1 if the kernel cannot be used; 2 if Python has raised an error.
define internal i32 @prepare(ptr %result, ptr %arguments, ptr %number, ptr %output, ptr %object) {
  %kind = load i64, ptr %result
  %descr_field = getelementptr %result, ptr %result, i64 0, i32 1
  %descr = load ptr, ptr %descr_field
  %position_field = getelementptr %result, ptr %result, i64 0, i32 2
  %position = load i64, ptr %position_field
  %argument_item = getelementptr ptr, ptr %arguments, i64 %position
  switch i64 %kind, label %to_number [ i64 0, label %new i64 5, label %same i64 6, label %into ]

new:
  %ndim_field = getelementptr %result, ptr %result, i64 0, i32 4
  %ndim_64 = load i64, ptr %ndim_field
  %ndim = trunc i64 %ndim_64 to i32
  %sizes = getelementptr %result, ptr %result, i64 1
  %bytes_field = getelementptr %result, ptr %result, i64 0, i32 3
  %bytes = load i64, ptr %bytes_field
  %array = call ptr @new_array(ptr %descr, i32 %ndim, ptr %sizes, i64 %bytes)
  store ptr %array, ptr %object
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %error, label %made
made:
  %data_field = getelementptr %array, ptr %array, i64 0, i32 1
  %data = load ptr, ptr %data_field
  store ptr %data, ptr %output
  ret i32 0

same:
  %argument = load ptr, ptr %argument_item
  call void @Py_IncRef(ptr %argument)
  store ptr %argument, ptr %object
  ret i32 0

into:
  %target = load ptr, ptr %argument_item
  %flags_field = getelementptr %array, ptr %target, i64 0, i32 7
  %flags = load i32, ptr %flags_field
  %writable = and i32 %flags, 1024         ; NPY_ARRAY_WRITEABLE
  %fixed = icmp eq i32 %writable, 0
  br i1 %fixed, label %unusable, label %written
written:
  %target_data_field = getelementptr %array, ptr %target, i64 0, i32 1
  %target_data = load ptr, ptr %target_data_field
  store ptr %target_data, ptr %output
  ret i32 0

to_number:
  store ptr %number, ptr %output
  ret i32 0

unusable:
  ret i32 1
error:
  ret i32 2
}

; The Python object of a result that is a number; null if Python has raised an error.
define internal ptr @box(ptr %result, ptr %number) {
  %kind = load i64, ptr %result
  switch i64 %kind, label %bool [ i64 1, label %scalar i64 2, label %float i64 3, label %int ]
scalar:
  %descr_field = getelementptr %result, ptr %result, i64 0, i32 1
  %descr = load ptr, ptr %descr_field
  %made_scalar = call ptr @PyArray_Scalar(ptr %number, ptr %descr, ptr null)
  ret ptr %made_scalar
float:
  %float_value = load double, ptr %number
  %made_float = call ptr @PyFloat_FromDouble(double %float_value)
  ret ptr %made_float
int:
  %int_value = load i64, ptr %number
  %made_int = call ptr @PyLong_FromLongLong(i64 %int_value)
  ret ptr %made_int
bool:
  %bool_value = load i8, ptr %number
  %is_false = icmp eq i8 %bool_value, 0
  %made_bool = select i1 %is_false, ptr @_Py_FalseStruct, ptr @_Py_TrueStruct
  call void @Py_IncRef(ptr %made_bool)
  ret ptr %made_bool
}

; Release the objects that there are among some.
define internal void @drop(ptr %objects, i64 %count) {
  br label %test
test:
  %i = phi i64 [ 0, %0 ], [ %i_next, %next ]
  %done = icmp eq i64 %i, %count
  br i1 %done, label %finished, label %look
look:
  %item = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %item
  %nothing = icmp eq ptr %object, null
  br i1 %nothing, label %next, label %release
release:
  call void @Py_DecRef(ptr %object)
  br label %next
next:
  %i_next = add i64 %i, 1
  br label %test
finished:
  ret void
}

; -- the call --------------------------------------------------------------------------------------

define ptr @ag_entry(ptr %self, ptr %arguments, i64 %count) {
  %plan_item = getelementptr %tuple, ptr %self, i64 0, i32 1, i64 0
  %plan_object = load ptr, ptr %plan_item
  %plan = getelementptr %bytes, ptr %plan_object, i64 0, i32 1
  %parameters_field = getelementptr %plan, ptr %plan, i64 0, i32 1
  %parameters = load i64, ptr %parameters_field
  %results_field = getelementptr %plan, ptr %plan, i64 0, i32 2
  %results = load i64, ptr %results_field
  %right_count = icmp eq i64 %count, %parameters
  br i1 %right_count, label %start, label %slow

start:
  %inputs = alloca i64, i64 %parameters
  %numbers = alloca i64, i64 %results      ; where the kernel writes numbers
  %outputs = alloca ptr, i64 %results      ; where it writes
  %objects = alloca ptr, i64 %results      ; results as Python objects
  %first_parameter = getelementptr %plan, ptr %plan, i64 1
  br label %converting

converting:
  %i = phi i64 [ 0, %start ], [ %i_next, %next_argument ]
  %parameter = phi ptr [ %first_parameter, %start ], [ %parameter_next, %next_argument ]
  %arguments_done = icmp eq i64 %i, %parameters
  br i1 %arguments_done, label %preparing, label %one_argument
one_argument:
  %argument_item = getelementptr ptr, ptr %arguments, i64 %i
  %argument = load ptr, ptr %argument_item
  %input = getelementptr i64, ptr %inputs, i64 %i
  %converted = call i1 @convert(ptr %argument, ptr %parameter, ptr %input)
  br i1 %converted, label %next_argument, label %slow
next_argument:
  %i_next = add i64 %i, 1
  %parameter_ndim_field = getelementptr %parameter, ptr %parameter, i64 0, i32 6
  %parameter_ndim = load i64, ptr %parameter_ndim_field
  %parameter_sizes = getelementptr %parameter, ptr %parameter, i64 1
  %parameter_next = getelementptr i64, ptr %parameter_sizes, i64 %parameter_ndim
  br label %converting

preparing:                                 ; o counts the outputs, which results of kind 5 are not
  %r = phi i64 [ 0, %converting ], [ %r_next, %next_result ]
  %o = phi i64 [ 0, %converting ], [ %o_next, %next_result ]
  %result = phi ptr [ %parameter, %converting ], [ %result_next, %next_result ]
  %results_done = icmp eq i64 %r, %results
  br i1 %results_done, label %run, label %one_result
one_result:
  %object = getelementptr ptr, ptr %objects, i64 %r
  store ptr null, ptr %object
  %number = getelementptr i64, ptr %numbers, i64 %r
  %output = getelementptr ptr, ptr %outputs, i64 %o
  %trouble = call i32 @prepare(ptr %result, ptr %arguments, ptr %number, ptr %output, ptr %object)
  %r_next = add i64 %r, 1
  %kind = load i64, ptr %result
  %is_output = icmp ne i64 %kind, 5
  %step = zext i1 %is_output to i64
  %o_next = add i64 %o, %step
  switch i32 %trouble, label %failed [ i32 0, label %next_result i32 1, label %give_up ]
next_result:
  %result_ndim_field = getelementptr %result, ptr %result, i64 0, i32 4
  %result_ndim = load i64, ptr %result_ndim_field
  %result_sizes = getelementptr %result, ptr %result, i64 1
  %result_next = getelementptr i64, ptr %result_sizes, i64 %result_ndim
  br label %preparing

run:
  %kernel = load ptr, ptr %plan
  %releases_field = getelementptr %plan, ptr %plan, i64 0, i32 4
  %releases = load i64, ptr %releases_field
  %short = icmp eq i64 %releases, 0
  br i1 %short, label %run_short, label %run_long
run_short:
  %status_short = call i32 %kernel(ptr %inputs, ptr %outputs)
  br label %ran
run_long:
  %thread = call ptr @PyEval_SaveThread()
  %status_long = call i32 %kernel(ptr %inputs, ptr %outputs)
  call void @PyEval_RestoreThread(ptr %thread)
  br label %ran
ran:
  %status = phi i32 [ %status_short, %run_short ], [ %status_long, %run_long ]
  %interrupted = icmp uge i32 %status, 4   ; and the exception is there
  br i1 %interrupted, label %failed, label %no_interrupt
no_interrupt:
  %gave_up_bit = and i32 %status, 1
  %gave_up = icmp ne i32 %gave_up_bit, 0
  br i1 %gave_up, label %give_up, label %no_check
no_check:
  %no_memory = icmp ne i32 %status, 0
  br i1 %no_memory, label %memory_error, label %collect

collect:
  %visible_field = getelementptr %plan, ptr %plan, i64 0, i32 3
  %visible = load i64, ptr %visible_field
  %single = icmp slt i64 %visible, 0
  br i1 %single, label %boxes, label %make_tuple
make_tuple:
  %made = call ptr @PyTuple_New(i64 %visible)
  %no_tuple = icmp eq ptr %made, null
  br i1 %no_tuple, label %failed, label %boxes

boxes:                                     ; v counts the results in Python
  %tuple = phi ptr [ null, %collect ], [ %made, %make_tuple ]
  br label %boxing
boxing:
  %b = phi i64 [ 0, %boxes ], [ %b_next, %boxed ]
  %b_result = phi ptr [ %parameter, %boxes ], [ %b_result_next, %boxed ]
  %boxes_done = icmp eq i64 %b, %results
  br i1 %boxes_done, label %assemble, label %one_box
one_box:
  %b_kind = load i64, ptr %b_result
  %after_array = icmp uge i64 %b_kind, 1
  %before_same = icmp ule i64 %b_kind, 4
  %is_number = and i1 %after_array, %before_same
  br i1 %is_number, label %box, label %boxed
box:
  %b_number = getelementptr i64, ptr %numbers, i64 %b
  %b_object = getelementptr ptr, ptr %objects, i64 %b
  %new_box = call ptr @box(ptr %b_result, ptr %b_number)
  store ptr %new_box, ptr %b_object
  %no_box = icmp eq ptr %new_box, null
  br i1 %no_box, label %drop_tuple, label %boxed
boxed:
  %b_next = add i64 %b, 1
  %b_ndim_field = getelementptr %result, ptr %b_result, i64 0, i32 4
  %b_ndim = load i64, ptr %b_ndim_field
  %b_sizes = getelementptr %result, ptr %b_result, i64 1
  %b_result_next = getelementptr i64, ptr %b_sizes, i64 %b_ndim
  br label %boxing
drop_tuple:
  br i1 %single, label %failed, label %drop_made
drop_made:
  call void @Py_DecRef(ptr %tuple)
  br label %failed

assemble:                                  ; results of kind 6 have no object
  %a = phi i64 [ 0, %boxing ], [ %a_next, %assembled ]
  %v = phi i64 [ 0, %boxing ], [ %v_next, %assembled ]
  %only = phi ptr [ null, %boxing ], [ %only_next, %assembled ]
  %all_assembled = icmp eq i64 %a, %results
  br i1 %all_assembled, label %deliver, label %one_more
one_more:
  %a_item = getelementptr ptr, ptr %objects, i64 %a
  %a_object = load ptr, ptr %a_item
  %hidden = icmp eq ptr %a_object, null
  %into_tuple = xor i1 %single, true
  %visible_object = xor i1 %hidden, true
  %stored = and i1 %into_tuple, %visible_object
  br i1 %stored, label %store_item, label %assembled
store_item:
  %tuple_item = getelementptr %tuple, ptr %tuple, i64 0, i32 1, i64 %v
  store ptr %a_object, ptr %tuple_item
  br label %assembled
assembled:
  %a_next = add i64 %a, 1
  %v_step = zext i1 %visible_object to i64
  %v_next = add i64 %v, %v_step
  %only_next = select i1 %hidden, ptr %only, ptr %a_object
  br label %assemble
deliver:
  %answer = select i1 %single, ptr %only, ptr %tuple
  ret ptr %answer

; -- when it is not that simple --------------------------------------------------------------------

give_up:
  %made_so_far = phi i64 [ %r_next, %one_result ], [ %results, %no_interrupt ]
  call void @drop(ptr %objects, i64 %made_so_far)
  br label %slow
slow:
  %slow_item = getelementptr %tuple, ptr %self, i64 0, i32 1, i64 1
  %slow_function = load ptr, ptr %slow_item
  %slow_answer = call ptr @PyObject_VectorcallDict(ptr %slow_function, ptr %arguments, i64 %count,
    ptr null)
  ret ptr %slow_answer

memory_error:
  %null = call ptr @PyErr_NoMemory()
  br label %failed
failed:
  %failed_count = phi i64 [ %r_next, %one_result ], [ %results, %make_tuple ],
                          [ %results, %drop_tuple ], [ %results, %drop_made ],
                          [ %results, %memory_error ], [ %results, %ran ]
  call void @drop(ptr %objects, i64 %failed_count)
  ret ptr null
}
