; Memory for kernels and their results, kept when it is given back: the system would map, clear and
; unmap the pages of big blocks again and again, which takes longer than most kernels.
;
; A block has one of certain sizes, four for each power of two, and lies at a multiple of 64 bytes.
; For each size there are eight slots, each with the address of a block that nobody uses, or null.
; Whoever exchanges the address for null owns the block: there is no lock, and a process that is
; forked in between loses one block at most. Before each block there are two words: what `malloc`
; returned, and the number of the size.

declare ptr @malloc(i64)
declare void @free(ptr)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

@ag_memory_limit = global i64 268435456    ; how many bytes are kept at most
@ag_memory_kept = global i64 0             ; how many are kept now
@ag_arena_limit = global i64 1073741824    ; how many bytes all arenas may have together
@ag_arena_bytes = global i64 0             ; how many they have
@slots = internal global [160 x [8 x ptr]] zeroinitializer
@blocks = internal global i64 0            ; how many big blocks there were

; The number of the smallest size of at least so many bytes. Size 0 is 1024 bytes; then follow 5/8,
; 6/8, 7/8 and 8/8 of each power of two. What is too big has a number of 160 or more.
define internal i64 @number_of(i64 %bytes) {
  %enough = call i64 @llvm.umax.i64(i64 %bytes, i64 1024)
  %less = sub i64 %enough, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %less, i1 true)
  %log = sub i64 63, %zeros
  %shift = sub i64 %log, 2
  %shifted = lshr i64 %less, %shift
  %quarter = and i64 %shifted, 3
  %fours = shl i64 %log, 2
  %steps = or i64 %fours, %quarter
  %number = sub i64 %steps, 39
  ret i64 %number
}

; The size of a number.
define internal i64 @size_of(i64 %number) {
  %steps = add i64 %number, 39
  %log = lshr i64 %steps, 2
  %quarter = and i64 %steps, 3
  %eighths = add i64 %quarter, 5
  %shift = sub i64 %log, 2
  %size = shl i64 %eighths, %shift
  ret i64 %size
}

; Memory of some bytes, at a multiple of 64, with any contents; null if there is none.
define ptr @ag_take(i64 %bytes) {
  %number = call i64 @number_of(i64 %bytes)
  %size = call i64 @size_of(i64 %number)
  %possible = icmp ult i64 %number, 160
  br i1 %possible, label %search, label %none

search:
  %k = phi i64 [ 0, %0 ], [ %k_next, %next ]
  %slot = getelementptr [160 x [8 x ptr]], ptr @slots, i64 0, i64 %number, i64 %k
  %kept = load atomic ptr, ptr %slot monotonic, align 8
  %empty = icmp eq ptr %kept, null
  br i1 %empty, label %next, label %grab
grab:
  %exchange = cmpxchg ptr %slot, ptr %kept, ptr null acquire monotonic
  %mine = extractvalue { ptr, i1 } %exchange, 1
  br i1 %mine, label %reuse, label %next
next:
  %k_next = add i64 %k, 1
  %more = icmp ult i64 %k_next, 8
  br i1 %more, label %search, label %fresh

reuse:
  %before = atomicrmw sub ptr @ag_memory_kept, i64 %size monotonic
  ret ptr %kept

; Big blocks start at different places of a page: reading from one and writing to another at the
; same place is slow.
fresh:
  %small = icmp ult i64 %size, 16384
  br i1 %small, label %allocate, label %place
place:
  %count = atomicrmw add ptr @blocks, i64 1 monotonic
  %seventh = urem i64 %count, 7
  %eighth = add i64 %seventh, 1
  %bytes_into = shl i64 %eighth, 9
  br label %allocate
allocate:
  %into = phi i64 [ 0, %fresh ], [ %bytes_into, %place ]
  %head = add i64 %into, 128
  %with_head = add i64 %size, %head
  %base = call ptr @malloc(i64 %with_head)
  %failed = icmp eq ptr %base, null
  br i1 %failed, label %none, label %align
align:
  %address = ptrtoint ptr %base to i64
  %past = add i64 %address, 127            ; at least 16 bytes before the block are ours
  %aligned = and i64 %past, -64
  %placed = add i64 %aligned, %into
  %block = inttoptr i64 %placed to ptr
  %base_field = getelementptr i8, ptr %block, i64 -16
  store ptr %base, ptr %base_field
  %number_field = getelementptr i8, ptr %block, i64 -8
  store i64 %number, ptr %number_field
  ret ptr %block

none:
  ret ptr null
}

; Give back what ag_take gave. Null is nothing. The size is not needed: it stands before the block.
define void @ag_give(ptr %block, i64 %bytes) {
  %nothing = icmp eq ptr %block, null
  br i1 %nothing, label %done, label %check
check:
  %number_field = getelementptr i8, ptr %block, i64 -8
  %number = load i64, ptr %number_field
  %size = call i64 @size_of(i64 %number)
  %limit = load i64, ptr @ag_memory_limit
  %before = atomicrmw add ptr @ag_memory_kept, i64 %size monotonic
  %after = add i64 %before, %size
  %too_much = icmp ugt i64 %after, %limit
  br i1 %too_much, label %drop, label %search

search:
  %k = phi i64 [ 0, %check ], [ %k_next, %next ]
  %slot = getelementptr [160 x [8 x ptr]], ptr @slots, i64 0, i64 %number, i64 %k
  %exchange = cmpxchg ptr %slot, ptr null, ptr %block release monotonic
  %kept = extractvalue { ptr, i1 } %exchange, 1
  br i1 %kept, label %done, label %next
next:
  %k_next = add i64 %k, 1
  %more = icmp ult i64 %k_next, 8
  br i1 %more, label %search, label %drop

drop:
  call void @forget(ptr %block)
  br label %done
done:
  ret void
}

; Free a block that counts as kept.
define internal void @forget(ptr %block) {
  %number_field = getelementptr i8, ptr %block, i64 -8
  %number = load i64, ptr %number_field
  %size = call i64 @size_of(i64 %number)
  %before = atomicrmw sub ptr @ag_memory_kept, i64 %size monotonic
  %base_field = getelementptr i8, ptr %block, i64 -16
  %base = load ptr, ptr %base_field
  call void @free(ptr %base)
  ret void
}

; Free all that is kept.
define void @ag_trim() {
  br label %search
search:
  %i = phi i64 [ 0, %0 ], [ %i_next, %next ]
  %slot = getelementptr [1280 x ptr], ptr @slots, i64 0, i64 %i
  %block = atomicrmw xchg ptr %slot, ptr null acquire
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %next, label %drop
drop:
  call void @forget(ptr %block)
  br label %next
next:
  %i_next = add i64 %i, 1
  %more = icmp ult i64 %i_next, 1280
  br i1 %more, label %search, label %done
done:
  ret void
}

; The same memory for NumPy's arrays: what a PyDataMemAllocator has.
define ptr @ag_array_malloc(ptr %context, i64 %bytes) {
  %block = call ptr @ag_take(i64 %bytes)
  ret ptr %block
}

define ptr @ag_array_calloc(ptr %context, i64 %count, i64 %bytes) {
  %product = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %bytes)
  %overflow = extractvalue { i64, i1 } %product, 1
  %all = extractvalue { i64, i1 } %product, 0
  %size = select i1 %overflow, i64 -1, i64 %all
  %block = call ptr @ag_take(i64 %size)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %done, label %clear
clear:
  call void @llvm.memset.p0.i64(ptr %block, i8 0, i64 %size, i1 false)
  br label %done
done:
  ret ptr %block
}
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)

define ptr @ag_array_realloc(ptr %context, ptr %block, i64 %bytes) {
  %number_field = getelementptr i8, ptr %block, i64 -8
  %number = load i64, ptr %number_field
  %size = call i64 @size_of(i64 %number)
  %fits = icmp ule i64 %bytes, %size
  br i1 %fits, label %same, label %move
same:
  ret ptr %block
move:
  %other = call ptr @ag_take(i64 %bytes)
  %failed = icmp eq ptr %other, null
  br i1 %failed, label %done, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %block, i64 %size, i1 false)
  call void @ag_give(ptr %block, i64 %size)
  br label %done
done:
  ret ptr %other
}

define void @ag_array_free(ptr %context, ptr %block, i64 %bytes) {
  call void @ag_give(ptr %block, i64 %bytes)
  ret void
}

; An arena: memory that one kernel, or one trip of a loop, takes piece by piece and gives back at
; once. Its blocks never move. Each starts with a link to the one before and has 64 bytes for that.
; All zeros at first.
%arena = type {
  i64,    ; 0: the address of the next piece
  i64,    ; 1: the end of the block
  ptr,    ; 2: the block, or null
  i64     ; 3: its size
}

; The address of a number of bytes, a multiple of 8, that nothing else in the arena uses; 0 if there
; is no memory.
define i64 @ag_reserve(ptr %arena, i64 %bytes) {
  %end_field = getelementptr %arena, ptr %arena, i64 0, i32 1
  %block_field = getelementptr %arena, ptr %arena, i64 0, i32 2
  %size_field = getelementptr %arena, ptr %arena, i64 0, i32 3
  %cursor = load i64, ptr %arena
  %end = load i64, ptr %end_field
  %room = sub i64 %end, %cursor
  %fits = icmp ule i64 %bytes, %room
  %started = icmp ne i64 %cursor, 0        ; so that a piece of no bytes has an address as well
  %simple = and i1 %fits, %started
  br i1 %simple, label %bump, label %grow
bump:
  %cursor_after = add i64 %cursor, %bytes
  store i64 %cursor_after, ptr %arena
  ret i64 %cursor

grow:
  %impossible = icmp ugt i64 %bytes, 140737488355328
  br i1 %impossible, label %none, label %sized
sized:                                     ; twice the last, 64 KiB to 64 MiB, or what is needed
  %size_before = load i64, ptr %size_field
  %double = shl i64 %size_before, 1
  %at_least = call i64 @llvm.umax.i64(i64 %double, i64 65536)
  %at_most = call i64 @llvm.umin.i64(i64 %at_least, i64 67108864)
  %needed = add i64 %bytes, 64
  %wanted = call i64 @llvm.umax.i64(i64 %at_most, i64 %needed)
  %number = call i64 @number_of(i64 %wanted)
  %size = call i64 @size_of(i64 %number)
  %before = atomicrmw add ptr @ag_arena_bytes, i64 %size monotonic
  %after = add i64 %before, %size
  %limit = load i64, ptr @ag_arena_limit
  %too_much = icmp ugt i64 %after, %limit
  br i1 %too_much, label %refuse, label %take
take:
  %block = call ptr @ag_take(i64 %size)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %refuse, label %linked
refuse:
  %without = atomicrmw sub ptr @ag_arena_bytes, i64 %size monotonic
  ret i64 0
linked:
  %block_before = load ptr, ptr %block_field
  store ptr %block_before, ptr %block
  store ptr %block, ptr %block_field
  store i64 %size, ptr %size_field
  %address = ptrtoint ptr %block to i64
  %piece = add i64 %address, 64
  %following = add i64 %piece, %bytes
  store i64 %following, ptr %arena
  %block_end = add i64 %address, %size
  store i64 %block_end, ptr %end_field
  ret i64 %piece

none:
  ret i64 0
}

; Give back a block of an arena.
define internal void @drop_block(ptr %block) {
  %number_field = getelementptr i8, ptr %block, i64 -8
  %number = load i64, ptr %number_field
  %size = call i64 @size_of(i64 %number)
  %before = atomicrmw sub ptr @ag_arena_bytes, i64 %size monotonic
  call void @ag_give(ptr %block, i64 %size)
  ret void
}

; Begin an arena again: what was reserved is free. The largest block stays, the others are given
; back.
define void @ag_rewind(ptr %arena) {
  %block_field = getelementptr %arena, ptr %arena, i64 0, i32 2
  %last = load ptr, ptr %block_field
  %unused = icmp eq ptr %last, null
  br i1 %unused, label %done, label %used
used:
  %first = load ptr, ptr %last
  br label %test
test:
  %block = phi ptr [ %first, %used ], [ %before, %give ]
  %finished = icmp eq ptr %block, null
  br i1 %finished, label %begin, label %give
give:
  %before = load ptr, ptr %block
  call void @drop_block(ptr %block)
  br label %test
begin:
  store ptr null, ptr %last
  %address = ptrtoint ptr %last to i64
  %piece = add i64 %address, 64
  store i64 %piece, ptr %arena
  br label %done
done:
  ret void
}

; The block of an arena, not older than `oldest`, in which an address is; null if there is none.
define internal ptr @block_with(ptr %arena, ptr %oldest, i64 %wanted) {
  %block_field = getelementptr %arena, ptr %arena, i64 0, i32 2
  %newest = load ptr, ptr %block_field
  br label %test
test:
  %block = phi ptr [ %newest, %0 ], [ %before, %next ]
  %none = icmp eq ptr %block, null
  br i1 %none, label %missing, label %look
look:
  %number_field = getelementptr i8, ptr %block, i64 -8
  %number = load i64, ptr %number_field
  %size = call i64 @size_of(i64 %number)
  %start = ptrtoint ptr %block to i64
  %offset = sub i64 %wanted, %start
  %inside = icmp ult i64 %offset, %size
  br i1 %inside, label %found, label %older
older:
  %was_oldest = icmp eq ptr %block, %oldest
  br i1 %was_oldest, label %missing, label %next
next:
  %before = load ptr, ptr %block
  br label %test
found:
  ret ptr %block
missing:
  ret ptr null
}

; Free what was reserved since the next piece of an arena was at `cursor` of `block`. But if a record
; at the address `newest`, of `bytes` or less, was reserved since, it stays, and what is older. If
; nothing stays, the largest block does.
define void @ag_rewind_to(ptr %arena, i64 %cursor, ptr %block, i64 %newest, i64 %bytes) {
  %block_field = getelementptr %arena, ptr %arena, i64 0, i32 2
  %home = call ptr @block_with(ptr %arena, ptr %block, i64 %newest)
  %older = icmp eq ptr %home, null
  br i1 %older, label %to_mark, label %compare
compare:
  %same_block = icmp eq ptr %home, %block
  %before_mark = icmp ult i64 %newest, %cursor
  %in_front = and i1 %same_block, %before_mark
  br i1 %in_front, label %to_mark, label %behind
behind:
  %after = add i64 %newest, %bytes
  br label %test
to_mark:
  %was_empty = icmp eq ptr %block, null
  br i1 %was_empty, label %empty, label %test
empty:
  call void @ag_rewind(ptr %arena)
  ret void

test:
  %stays = phi ptr [ %home, %behind ], [ %block, %to_mark ], [ %stays, %give ]
  %next = phi i64 [ %after, %behind ], [ %cursor, %to_mark ], [ %next, %give ]
  %last = load ptr, ptr %block_field
  %finished = icmp eq ptr %last, %stays
  br i1 %finished, label %begin, label %give
give:
  %before = load ptr, ptr %last
  store ptr %before, ptr %block_field
  call void @drop_block(ptr %last)
  br label %test
begin:
  %number_field = getelementptr i8, ptr %stays, i64 -8
  %number = load i64, ptr %number_field
  %size = call i64 @size_of(i64 %number)
  %address = ptrtoint ptr %stays to i64
  %block_end = add i64 %address, %size
  %next_inside = call i64 @llvm.umin.i64(i64 %next, i64 %block_end)
  %end_field = getelementptr %arena, ptr %arena, i64 0, i32 1
  %size_field = getelementptr %arena, ptr %arena, i64 0, i32 3
  store i64 %next_inside, ptr %arena
  store i64 %block_end, ptr %end_field
  store i64 %size, ptr %size_field
  ret void
}

; Give back all memory of an arena, which can then be used again.
define void @ag_release(ptr %arena) {
  %block_field = getelementptr %arena, ptr %arena, i64 0, i32 2
  %first = load ptr, ptr %block_field
  br label %test
test:
  %block = phi ptr [ %first, %0 ], [ %before, %give ]
  %finished = icmp eq ptr %block, null
  br i1 %finished, label %done, label %give
give:
  %before = load ptr, ptr %block
  call void @drop_block(ptr %block)
  br label %test
done:
  call void @llvm.memset.p0.i64(ptr %arena, i8 0, i64 32, i1 false)
  ret void
}
