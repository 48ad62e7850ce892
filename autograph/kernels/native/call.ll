; The method `__call__` of functions that try what earlier calls came to before anything else:
; METH_FASTCALL | METH_KEYWORDS.
;
; In the object that is called, at `@ag_records_offset`, is a tuple of records, or null. A record is
; a tuple:
;
;   0  a bytes object with a pattern, see `match.ll`
;   1  what is called with the leaves
;   2  what makes the result of what that returns, or None: it is the result
;   3  what is called with an exception that either raised, and raises one
;   4  a tuple of functions: whether something still holds
;   5  what else has to live as long as this one
;
; Where no record fits, while something is being recorded, and where NumPy shall do more about
; floating-point errors than warn, `@ag_look_up` is called with the object, a tuple and a dict.
;
; It stands behind `match.ll`.

@ag_recording = external global i64        ; how many threads record
@ag_records_offset = external global i64
@ag_look_up = external global i8           ; a Python object
@ag_setting = external global i8           ; the context variable that `np.errstate` sets
@ag_quiet = external global ptr            ; a value of it that asks for nothing but warnings

@missed = internal global i8 0             ; stands for an answer that there is not

declare i32 @PyContextVar_Get(ptr, ptr, ptr)
declare ptr @PyObject_VectorcallDict(ptr, ptr, i64, ptr)
declare i32 @PyObject_IsTrue(ptr)
declare ptr @PyTuple_New(i64)
declare ptr @PyDict_New()
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare i32 @PyException_SetTraceback(ptr, ptr)

define internal ptr @item_of(ptr %tuple, i64 %i) {
  %place = getelementptr %tuple, ptr %tuple, i64 0, i32 1, i64 %i
  %item = load ptr, ptr %place
  ret ptr %item
}

define internal ptr @call_with(ptr %function, ptr %argument) {
  %place = alloca ptr
  store ptr %argument, ptr %place
  %answer = call ptr @PyObject_VectorcallDict(ptr %function, ptr %place, i64 1, ptr null)
  ret ptr %answer
}

; Whether all functions in a tuple say so: 1, 0, or -1 if one raised.
define internal i32 @all_hold(ptr %functions) {
  %count = call i64 @PyTuple_Size(ptr %functions)
  br label %next
next:
  %i = phi i64 [ 0, %0 ], [ %i_next, %asked ]
  %done = icmp eq i64 %i, %count
  br i1 %done, label %yes, label %ask
ask:
  %function = call ptr @item_of(ptr %functions, i64 %i)
  %answer = call ptr @PyObject_VectorcallDict(ptr %function, ptr null, i64 0, ptr null)
  %raised = icmp eq ptr %answer, null
  br i1 %raised, label %error, label %answered
answered:
  %holds = call i32 @PyObject_IsTrue(ptr %answer)
  call void @Py_DecRef(ptr %answer)
  %i_next = add i64 %i, 1
  br label %asked
asked:
  %good = icmp eq i32 %holds, 1
  br i1 %good, label %next, label %stop
stop:
  ret i32 %holds
yes:
  ret i32 1
error:
  ret i32 -1
}

; Let the handler of a record have the exception that there is, and raise one. Returns null.
define internal ptr @raise_by(ptr %handler) {
  %type_place = alloca ptr
  %value_place = alloca ptr
  %traceback_place = alloca ptr
  call void @PyErr_Fetch(ptr %type_place, ptr %value_place, ptr %traceback_place)
  call void @PyErr_NormalizeException(ptr %type_place, ptr %value_place, ptr %traceback_place)
  %type = load ptr, ptr %type_place
  %value = load ptr, ptr %value_place
  %traceback = load ptr, ptr %traceback_place
  call void @Py_DecRef(ptr %type)
  %no_traceback = icmp eq ptr %traceback, null
  br i1 %no_traceback, label %handle, label %attach
attach:
  %attached = call i32 @PyException_SetTraceback(ptr %value, ptr %traceback)
  call void @Py_DecRef(ptr %traceback)
  br label %handle
handle:
  %answer = call ptr @call_with(ptr %handler, ptr %value)
  call void @Py_DecRef(ptr %value)
  ret ptr %answer
}

; Call by a record, if the arguments are like its own: the answer, null for an exception, or
; `@missed`.
define internal ptr @call_by(ptr %record, ptr %arguments, i64 %count, ptr %names) {
  %pattern_object = call ptr @item_of(ptr %record, i64 0)
  %pattern = getelementptr %bytes, ptr %pattern_object, i64 0, i32 1
  %leaves = load i64, ptr %pattern
  %found = alloca ptr, i64 %leaves
  %alike = call i1 @match_call(ptr %arguments, i64 %count, ptr %names, ptr %pattern, ptr %found)
  br i1 %alike, label %hold, label %miss

hold:                                      ; what is in lists and dicts might go meanwhile
  %h = phi i64 [ 0, %0 ], [ %h_next, %hold_one ]
  %held = icmp eq i64 %h, %leaves
  br i1 %held, label %guard, label %hold_one
hold_one:
  %h_place = getelementptr ptr, ptr %found, i64 %h
  %h_leaf = load ptr, ptr %h_place
  call void @Py_IncRef(ptr %h_leaf)
  %h_next = add i64 %h, 1
  br label %hold

guard:
  %guards = call ptr @item_of(ptr %record, i64 4)
  %holds = call i32 @all_hold(ptr %guards)
  switch i32 %holds, label %raised [ i32 1, label %run i32 0, label %release ]

run:
  %function = call ptr @item_of(ptr %record, i64 1)
  %made = call ptr @PyObject_VectorcallDict(ptr %function, ptr %found, i64 %leaves, ptr null)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %raised, label %finish
finish:
  %finisher = call ptr @item_of(ptr %record, i64 2)
  %is_result = icmp eq ptr %finisher, @_Py_NoneStruct
  br i1 %is_result, label %release, label %call_finisher
call_finisher:
  %finished = call ptr @call_with(ptr %finisher, ptr %made)
  call void @Py_DecRef(ptr %made)
  %finisher_failed = icmp eq ptr %finished, null
  br i1 %finisher_failed, label %raised, label %release
raised:
  %handler = call ptr @item_of(ptr %record, i64 3)
  %nothing = call ptr @raise_by(ptr %handler)
  br label %release

release:
  %answer = phi ptr [ @missed, %guard ], [ %made, %finish ], [ %finished, %call_finisher ],
                    [ %nothing, %raised ]
  br label %releasing
releasing:
  %r = phi i64 [ 0, %release ], [ %r_next, %release_one ]
  %released = icmp eq i64 %r, %leaves
  br i1 %released, label %done, label %release_one
release_one:
  %r_place = getelementptr ptr, ptr %found, i64 %r
  %r_leaf = load ptr, ptr %r_place
  call void @Py_DecRef(ptr %r_leaf)
  %r_next = add i64 %r, 1
  br label %releasing
done:
  ret ptr %answer
miss:
  ret ptr @missed
}

; Whether NumPy shall at most warn about floating-point errors, as far as can be told quickly.
define internal i1 @is_quiet() {
  %place = alloca ptr
  store ptr null, ptr %place
  %status = call i32 @PyContextVar_Get(ptr @ag_setting, ptr null, ptr %place)
  %setting = load ptr, ptr %place
  %unset = icmp eq ptr %setting, null
  br i1 %unset, label %no, label %compare
compare:
  call void @Py_DecRef(ptr %setting)       ; the variable has it still
  %quiet = load ptr, ptr @ag_quiet
  %same = icmp eq ptr %setting, %quiet
  ret i1 %same
no:
  ret i1 false
}

define ptr @ag_call(ptr %self, ptr %arguments, i64 %count, ptr %names) {
  %recording = load i64, ptr @ag_recording
  %idle = icmp eq i64 %recording, 0
  br i1 %idle, label %look, label %slow
look:
  %offset = load i64, ptr @ag_records_offset
  %records_place = getelementptr i8, ptr %self, i64 %offset
  %records = load ptr, ptr %records_place
  %none = icmp eq ptr %records, null
  br i1 %none, label %slow, label %ask
ask:
  %quiet = call i1 @is_quiet()
  br i1 %quiet, label %start, label %slow
start:
  call void @Py_IncRef(ptr %records)       ; the object may get other ones meanwhile
  %number = call i64 @PyTuple_Size(ptr %records)
  br label %next
next:
  %i = phi i64 [ 0, %start ], [ %i_next, %tried ]
  %none_left = icmp sge i64 %i, %number
  br i1 %none_left, label %missed_all, label %try
try:
  %record = call ptr @item_of(ptr %records, i64 %i)
  %answer = call ptr @call_by(ptr %record, ptr %arguments, i64 %count, ptr %names)
  %i_next = add i64 %i, 1
  %is_missed = icmp eq ptr %answer, @missed
  br i1 %is_missed, label %tried, label %answered
tried:
  br label %next
answered:
  call void @Py_DecRef(ptr %records)
  ret ptr %answer
missed_all:
  call void @Py_DecRef(ptr %records)
  br label %slow

slow:
  %slow_answer = call ptr @look_up(ptr %self, ptr %arguments, i64 %count, ptr %names)
  ret ptr %slow_answer
}

; The call as Python sees it, with a tuple and a dict.
define internal ptr @look_up(ptr %self, ptr %arguments, i64 %count, ptr %names) {
  %given = alloca ptr, i64 3
  %args = call ptr @PyTuple_New(i64 %count)
  %no_args = icmp eq ptr %args, null
  br i1 %no_args, label %error, label %fill
fill:
  %i = phi i64 [ 0, %0 ], [ %i_next, %put ]
  %full = icmp eq i64 %i, %count
  br i1 %full, label %keywords, label %put
put:
  %from = getelementptr ptr, ptr %arguments, i64 %i
  %argument = load ptr, ptr %from
  call void @Py_IncRef(ptr %argument)
  %to = getelementptr %tuple, ptr %args, i64 0, i32 1, i64 %i
  store ptr %argument, ptr %to
  %i_next = add i64 %i, 1
  br label %fill

keywords:
  %kwargs = call ptr @PyDict_New()
  %no_kwargs = icmp eq ptr %kwargs, null
  br i1 %no_kwargs, label %drop_args, label %count_names
count_names:
  %no_names = icmp eq ptr %names, null
  br i1 %no_names, label %call, label %some_names
some_names:
  %name_count = call i64 @PyTuple_Size(ptr %names)
  br label %keyword
keyword:
  %k = phi i64 [ 0, %some_names ], [ %k_next, %keyword_set ]
  %keywords_done = icmp eq i64 %k, %name_count
  br i1 %keywords_done, label %call, label %set_keyword
set_keyword:
  %name = call ptr @item_of(ptr %names, i64 %k)
  %position = add i64 %count, %k
  %value_place = getelementptr ptr, ptr %arguments, i64 %position
  %value = load ptr, ptr %value_place
  %status = call i32 @PyDict_SetItem(ptr %kwargs, ptr %name, ptr %value)
  %k_next = add i64 %k, 1
  %unset = icmp ne i32 %status, 0
  br i1 %unset, label %drop_both, label %keyword_set
keyword_set:
  br label %keyword

call:
  %args_place = getelementptr ptr, ptr %given, i64 1
  %kwargs_place = getelementptr ptr, ptr %given, i64 2
  store ptr %self, ptr %given
  store ptr %args, ptr %args_place
  store ptr %kwargs, ptr %kwargs_place
  %answer = call ptr @PyObject_VectorcallDict(ptr @ag_look_up, ptr %given, i64 3, ptr null)
  br label %drop_both
drop_both:
  %outcome = phi ptr [ %answer, %call ], [ null, %set_keyword ]
  call void @Py_DecRef(ptr %kwargs)
  br label %drop_args
drop_args:
  %result = phi ptr [ %outcome, %drop_both ], [ null, %keywords ]
  call void @Py_DecRef(ptr %args)
  ret ptr %result
error:
  ret ptr null
}
