; Memory for kernels that is kept when they give it back, so that the pages of big temporaries are not
; mapped, cleared and unmapped again by each call.
;
; Blocks have sizes of powers of two, and lie at multiples of 64 bytes. For each size there are four
; slots, each with the address of a block that nobody uses, or null. Whoever exchanges the address for
; null owns the block, so no lock is needed, and a process that is forked in between loses one
; block at most. Before each block there are two words: what `malloc` returned, and the size's number.

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @abort()
declare i64 @llvm.ctlz.i64(i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

@ag_memory_limit = global i64 268435456    ; how many bytes are kept at most
@ag_memory_kept = global i64 0             ; how many are kept now
@slots = internal global [48 x [4 x ptr]] zeroinitializer

; The number of a size: the smallest n, at least 10, with bytes <= 2**n.
define internal i64 @number_of(i64 %bytes) {
  %less = sub i64 %bytes, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %less, i1 false)
  %log = sub i64 64, %zeros
  %few = icmp ule i64 %bytes, 1024
  %number = select i1 %few, i64 10, i64 %log
  ret i64 %number
}

; Memory of some bytes, at a multiple of 64, with any contents; null if there is none.
define ptr @ag_take(i64 %bytes) {
  %number = call i64 @number_of(i64 %bytes)
  %possible = icmp ult i64 %number, 48
  br i1 %possible, label %search, label %none

search:
  %k = phi i64 [ 0, %0 ], [ %k_next, %next ]
  %slot = getelementptr [48 x [4 x ptr]], ptr @slots, i64 0, i64 %number, i64 %k
  %kept = load atomic ptr, ptr %slot monotonic, align 8
  %empty = icmp eq ptr %kept, null
  br i1 %empty, label %next, label %grab
grab:
  %exchange = cmpxchg ptr %slot, ptr %kept, ptr null acquire monotonic
  %mine = extractvalue { ptr, i1 } %exchange, 1
  br i1 %mine, label %reuse, label %next
next:
  %k_next = add i64 %k, 1
  %more = icmp ult i64 %k_next, 4
  br i1 %more, label %search, label %fresh

reuse:
  %size = shl i64 1, %number
  %before = atomicrmw sub ptr @ag_memory_kept, i64 %size monotonic
  ret ptr %kept

fresh:
  %new_size = shl i64 1, %number
  %with_room = add i64 %new_size, 128
  %base = call ptr @malloc(i64 %with_room)
  %failed = icmp eq ptr %base, null
  br i1 %failed, label %none, label %align
align:
  %address = ptrtoint ptr %base to i64
  %past = add i64 %address, 127            ; 16 bytes before the block are ours
  %aligned = and i64 %past, -64
  %block = inttoptr i64 %aligned to ptr
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
  %size = shl i64 1, %number
  %limit = load i64, ptr @ag_memory_limit
  %before = atomicrmw add ptr @ag_memory_kept, i64 %size monotonic
  %after = add i64 %before, %size
  %too_much = icmp ugt i64 %after, %limit
  br i1 %too_much, label %drop, label %search

search:
  %k = phi i64 [ 0, %check ], [ %k_next, %next ]
  %slot = getelementptr [48 x [4 x ptr]], ptr @slots, i64 0, i64 %number, i64 %k
  %exchange = cmpxchg ptr %slot, ptr null, ptr %block release monotonic
  %kept = extractvalue { ptr, i1 } %exchange, 1
  br i1 %kept, label %done, label %next
next:
  %k_next = add i64 %k, 1
  %more = icmp ult i64 %k_next, 4
  br i1 %more, label %search, label %drop

drop:
  %now = atomicrmw sub ptr @ag_memory_kept, i64 %size monotonic
  %base_field = getelementptr i8, ptr %block, i64 -16
  %base = load ptr, ptr %base_field
  call void @free(ptr %base)
  br label %done
done:
  ret void
}

; Free all that is kept.
define void @ag_trim() {
  br label %search
search:
  %i = phi i64 [ 0, %0 ], [ %i_next, %next ]
  %slot = getelementptr [192 x ptr], ptr @slots, i64 0, i64 %i
  %block = atomicrmw xchg ptr %slot, ptr null acquire
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %next, label %drop
drop:
  %number_field = getelementptr i8, ptr %block, i64 -8
  %number = load i64, ptr %number_field
  %size = shl i64 1, %number
  %now = atomicrmw sub ptr @ag_memory_kept, i64 %size monotonic
  %base_field = getelementptr i8, ptr %block, i64 -16
  %base = load ptr, ptr %base_field
  call void @free(ptr %base)
  br label %next
next:
  %i_next = add i64 %i, 1
  %more = icmp ult i64 %i_next, 192
  br i1 %more, label %search, label %done
done:
  ret void
}

; An arena: memory that one kernel, or one trip of a loop, takes piece by piece and gives back at once.
; Its blocks never move. Each starts with a link to the one before and has 64 bytes for that.
; All zeros at first.
%arena = type {
  i64,    ; 0: the address of the next piece
  i64,    ; 1: the end of the block
  ptr,    ; 2: the block, or null
  i64     ; 3: its size
}

; The address of a number of bytes, a multiple of 8, that nothing else in the arena uses; 0 if there is
; no memory.
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
sized:                                     ; twice the last one, from 64 KiB to 64 MiB, or what is needed
  %size_before = load i64, ptr %size_field
  %double = shl i64 %size_before, 1
  %at_least = call i64 @llvm.umax.i64(i64 %double, i64 65536)
  %at_most = call i64 @llvm.umin.i64(i64 %at_least, i64 67108864)
  %needed = add i64 %bytes, 64
  %size = call i64 @llvm.umax.i64(i64 %at_most, i64 %needed)
  %block = call ptr @ag_take(i64 %size)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %linked
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

declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)

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
  call void @ag_give(ptr %block, i64 0)
  br label %test
done:
  call void @llvm.memset.p0.i64(ptr %arena, i8 0, i64 32, i1 false)
  ret void
}
