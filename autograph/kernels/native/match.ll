; Whether the arguments of a call are nested and typed as those of an earlier one, and what their
; leaves are.
;
; A pattern is words of 8 bytes, numbers and addresses: how many leaves it takes; what has to hold
; outside of the arguments; how many positional arguments there are, and a node for each, followed by
; those inside it; how many keyword arguments, and for each its name and a node.
;
;   0  type                      a leaf, of exactly this type
;   1  dtype number ndim sizes   a leaf: an array of this dtype and shape, in any memory layout
;   2  object                    this object
;   3  object                    an object of the same type, a str, int or float, that is equal
;   4  count, nodes              a tuple
;   5  count, nodes              a list
;   6  count, then for each item the key and a node: a dict with these keys in this order
;
; and outside:
;
;   0                            nothing more
;   1  dict key object           what the dict has at the key is this object
;   2  cell object               the cell holds this object
;   3  dict key                  the dict has no such key
;   4  address word              this is at the address
;
; It stands behind `objects.ll`, and `call.ll` behind it.

@PyTuple_Type = external global i8
@PyList_Type = external global i8
@PyDict_Type = external global i8
@_Py_NoneStruct = external global i8

declare i32 @PyObject_RichCompareBool(ptr, ptr, i32)
declare i64 @PyTuple_Size(ptr)
declare i64 @PyList_Size(ptr)
declare ptr @PyList_GetItem(ptr, i64)
declare i64 @PyDict_Size(ptr)
declare i32 @PyDict_Next(ptr, ptr, ptr, ptr)
declare ptr @PyDict_GetItemWithError(ptr, ptr)
declare ptr @PyCell_Get(ptr)
declare void @PyErr_Clear()
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)

; Whether an object is another one, or has the same type and is equal. Of the types that patterns
; have here, comparing runs no code of the user's.
define internal i1 @is_equal(ptr %object, ptr %wanted) {
  %same = icmp eq ptr %object, %wanted
  br i1 %same, label %yes, label %types
types:
  %type = call ptr @type_of(ptr %object)
  %wanted_type = call ptr @type_of(ptr %wanted)
  %same_type = icmp eq ptr %type, %wanted_type
  br i1 %same_type, label %compare, label %no
compare:
  %outcome = call i32 @PyObject_RichCompareBool(ptr %object, ptr %wanted, i32 2)
  %equal = icmp eq i32 %outcome, 1
  ret i1 %equal
yes:
  ret i1 true
no:
  ret i1 false
}

; Match an object with the node at `pattern`, and put its leaves where `place` points. Returns the
; next node, or null if it does not match. Patterns end somewhere, so this does too.
define internal ptr @match(ptr %object, ptr %pattern, ptr %place) {
  %kind = load i64, ptr %pattern
  %words = getelementptr i64, ptr %pattern, i64 1
  %reference = load ptr, ptr %words
  %count = load i64, ptr %words
  %after_one = getelementptr i64, ptr %pattern, i64 2
  %type = call ptr @type_of(ptr %object)
  switch i64 %kind, label %no [ i64 0, label %leaf i64 1, label %array i64 2, label %identical
                                i64 3, label %equal i64 4, label %tuple i64 5, label %list
                                i64 6, label %dict ]

leaf:
  %right_type = icmp eq ptr %type, %reference
  br i1 %right_type, label %found, label %no

array:
  %is_array = icmp eq ptr %type, @PyArray_Type
  br i1 %is_array, label %look, label %no
look:
  %ndim_item = getelementptr i64, ptr %pattern, i64 3
  %ndim = load i64, ptr %ndim_item
  %sizes = getelementptr i64, ptr %pattern, i64 4
  %after_array = getelementptr i64, ptr %sizes, i64 %ndim
  %like = call i1 @is_like(ptr %object, ptr %words)
  br i1 %like, label %found, label %no

found:                                     ; a leaf
  %after_leaf = phi ptr [ %after_one, %leaf ], [ %after_array, %look ]
  %leaf_place = load ptr, ptr %place
  store ptr %object, ptr %leaf_place
  %next_place = getelementptr ptr, ptr %leaf_place, i64 1
  store ptr %next_place, ptr %place
  ret ptr %after_leaf

identical:
  %same = icmp eq ptr %object, %reference
  br i1 %same, label %static, label %no
equal:
  %is_equal = call i1 @is_equal(ptr %object, ptr %reference)
  br i1 %is_equal, label %static, label %no
static:
  ret ptr %after_one

tuple:
  %is_tuple = icmp eq ptr %type, @PyTuple_Type
  br i1 %is_tuple, label %tuple_size, label %no
tuple_size:
  %its_tuple_size = call i64 @PyTuple_Size(ptr %object)
  %same_tuple_size = icmp eq i64 %its_tuple_size, %count
  br i1 %same_tuple_size, label %items, label %no
list:
  %is_list = icmp eq ptr %type, @PyList_Type
  br i1 %is_list, label %list_size, label %no
list_size:
  %its_list_size = call i64 @PyList_Size(ptr %object)
  %same_list_size = icmp eq i64 %its_list_size, %count
  br i1 %same_list_size, label %items, label %no
items:
  %of_tuple = phi i1 [ true, %tuple_size ], [ false, %list_size ]
  br label %item
item:
  %i = phi i64 [ 0, %items ], [ %i_next, %item_matched ]
  %item_pattern = phi ptr [ %after_one, %items ], [ %item_pattern_next, %item_matched ]
  %items_done = icmp eq i64 %i, %count
  br i1 %items_done, label %items_matched, label %get_item
get_item:
  br i1 %of_tuple, label %tuple_item, label %list_item
tuple_item:
  %tuple_place = getelementptr %tuple, ptr %object, i64 0, i32 1, i64 %i
  %from_tuple = load ptr, ptr %tuple_place
  br label %match_item
list_item:
  %from_list = call ptr @PyList_GetItem(ptr %object, i64 %i)
  br label %match_item
match_item:
  %one = phi ptr [ %from_tuple, %tuple_item ], [ %from_list, %list_item ]
  %item_pattern_next = call ptr @match(ptr %one, ptr %item_pattern, ptr %place)
  %item_differs = icmp eq ptr %item_pattern_next, null
  br i1 %item_differs, label %no, label %item_matched
item_matched:
  %i_next = add i64 %i, 1
  br label %item
items_matched:
  ret ptr %item_pattern

dict:
  %is_dict = icmp eq ptr %type, @PyDict_Type
  br i1 %is_dict, label %dict_size, label %no
dict_size:
  %its_dict_size = call i64 @PyDict_Size(ptr %object)
  %same_dict_size = icmp eq i64 %its_dict_size, %count
  br i1 %same_dict_size, label %entries, label %no
entries:
  %matched = call ptr @match_dict(ptr %object, i64 %count, ptr %after_one, ptr %place)
  ret ptr %matched

no:
  ret ptr null
}

; The items of a dict, which has as many as the pattern.
define internal ptr @match_dict(ptr %dict, i64 %count, ptr %first, ptr %place) {
  %position = alloca i64
  %key_place = alloca ptr
  %value_place = alloca ptr
  store i64 0, ptr %position
  br label %entry
entry:
  %i = phi i64 [ 0, %0 ], [ %i_next, %matched ]
  %pattern = phi ptr [ %first, %0 ], [ %pattern_next, %matched ]
  %done = icmp eq i64 %i, %count
  br i1 %done, label %yes, label %next
next:
  %more = call i32 @PyDict_Next(ptr %dict, ptr %position, ptr %key_place, ptr %value_place)
  %ended = icmp eq i32 %more, 0
  br i1 %ended, label %no, label %compare_key
compare_key:
  %key = load ptr, ptr %key_place
  %value = load ptr, ptr %value_place
  %wanted = load ptr, ptr %pattern
  %same_key = call i1 @is_equal(ptr %key, ptr %wanted)
  br i1 %same_key, label %match_value, label %no
match_value:
  %value_pattern = getelementptr i64, ptr %pattern, i64 1
  %pattern_next = call ptr @match(ptr %value, ptr %value_pattern, ptr %place)
  %differs = icmp eq ptr %pattern_next, null
  br i1 %differs, label %no, label %matched
matched:
  %i_next = add i64 %i, 1
  br label %entry
yes:
  ret ptr %pattern
no:
  ret ptr null
}

; Whether what is outside the function is what it was: the first node after that, or null.
define internal ptr @outside(ptr %first) {
  br label %test
test:
  %words = phi ptr [ %first, %0 ], [ %after_dict, %dict ], [ %after_two, %drop_cell ],
                   [ %after_two, %absent ], [ %after_two, %field ]
  %kind = load i64, ptr %words
  %end = getelementptr i64, ptr %words, i64 1
  %second = getelementptr ptr, ptr %words, i64 2
  %third = getelementptr ptr, ptr %words, i64 3
  %after_two = getelementptr i64, ptr %words, i64 3
  switch i64 %kind, label %yes [ i64 1, label %dict i64 2, label %cell i64 3, label %absent
                                 i64 4, label %field ]
dict:
  %namespace = load ptr, ptr %end
  %name = load ptr, ptr %second
  %bound = load ptr, ptr %third
  %value = call ptr @PyDict_GetItemWithError(ptr %namespace, ptr %name)
  %after_dict = getelementptr i64, ptr %words, i64 4
  %same = icmp eq ptr %value, %bound
  br i1 %same, label %test, label %no
cell:
  %the_cell = load ptr, ptr %end
  %held = load ptr, ptr %second
  %content = call ptr @PyCell_Get(ptr %the_cell)
  %empty = icmp eq ptr %content, null
  br i1 %empty, label %no, label %drop_cell
drop_cell:
  call void @Py_DecRef(ptr %content)       ; the cell has it still
  %same_content = icmp eq ptr %content, %held
  br i1 %same_content, label %test, label %no
absent:
  %wanting = load ptr, ptr %end
  %no_name = load ptr, ptr %second
  %present = call ptr @PyDict_GetItemWithError(ptr %wanting, ptr %no_name)
  call void @PyErr_Clear()
  %is_absent = icmp eq ptr %present, null
  br i1 %is_absent, label %test, label %no
field:
  %address = load ptr, ptr %end
  %wanted = load ptr, ptr %second
  %found = load ptr, ptr %address
  %same_found = icmp eq ptr %found, %wanted
  br i1 %same_found, label %test, label %no
yes:
  ret ptr %end
no:
  call void @PyErr_Clear()                 ; a key may fail to be compared
  ret ptr null
}

; The arguments: positional ones, then those whose names are in a tuple, if there is one. What is
; outside comes first: from the first argument on, no code of the user's runs, which might change
; what is in lists and dicts. The leaves are put where `found` points.
define internal i1 @match_call(ptr %arguments, i64 %count, ptr %names, ptr %pattern, ptr %found) {
  %place = alloca ptr
  store ptr %found, ptr %place
  %outside_words = getelementptr i64, ptr %pattern, i64 1
  %args_pattern = call ptr @outside(ptr %outside_words)
  %changed = icmp eq ptr %args_pattern, null
  br i1 %changed, label %no, label %positional
positional:
  %wanted_count = load i64, ptr %args_pattern
  %same_count = icmp eq i64 %count, %wanted_count
  %first = getelementptr i64, ptr %args_pattern, i64 1
  br i1 %same_count, label %argument, label %no
argument:
  %i = phi i64 [ 0, %positional ], [ %i_next, %argument_matched ]
  %pattern_i = phi ptr [ %first, %positional ], [ %pattern_next, %argument_matched ]
  %arguments_done = icmp eq i64 %i, %count
  br i1 %arguments_done, label %keywords, label %match_argument
match_argument:
  %argument_place = getelementptr ptr, ptr %arguments, i64 %i
  %one = load ptr, ptr %argument_place
  %pattern_next = call ptr @match(ptr %one, ptr %pattern_i, ptr %place)
  %differs = icmp eq ptr %pattern_next, null
  br i1 %differs, label %no, label %argument_matched
argument_matched:
  %i_next = add i64 %i, 1
  br label %argument

keywords:
  %wanted_names = load i64, ptr %pattern_i
  %first_name = getelementptr i64, ptr %pattern_i, i64 1
  %no_names = icmp eq ptr %names, null
  br i1 %no_names, label %names_known, label %count_names
count_names:
  %its_names = call i64 @PyTuple_Size(ptr %names)
  br label %names_known
names_known:
  %name_count = phi i64 [ 0, %keywords ], [ %its_names, %count_names ]
  %same_names = icmp eq i64 %name_count, %wanted_names
  br i1 %same_names, label %keyword, label %no
keyword:
  %k = phi i64 [ 0, %names_known ], [ %k_next, %keyword_matched ]
  %pattern_k = phi ptr [ %first_name, %names_known ], [ %keyword_next, %keyword_matched ]
  %keywords_done = icmp eq i64 %k, %name_count
  br i1 %keywords_done, label %yes, label %compare_name
compare_name:
  %name_place = getelementptr %tuple, ptr %names, i64 0, i32 1, i64 %k
  %name = load ptr, ptr %name_place
  %wanted_name = load ptr, ptr %pattern_k
  %same_name = call i1 @is_equal(ptr %name, ptr %wanted_name)
  br i1 %same_name, label %match_keyword, label %no
match_keyword:
  %position = add i64 %count, %k
  %keyword_place = getelementptr ptr, ptr %arguments, i64 %position
  %keyword_value = load ptr, ptr %keyword_place
  %keyword_pattern = getelementptr i64, ptr %pattern_k, i64 1
  %keyword_next = call ptr @match(ptr %keyword_value, ptr %keyword_pattern, ptr %place)
  %keyword_differs = icmp eq ptr %keyword_next, null
  br i1 %keyword_differs, label %no, label %keyword_matched
keyword_matched:
  %k_next = add i64 %k, 1
  br label %keyword

yes:
  ret i1 true
no:
  ret i1 false
}
