/* The caller's objects as columns: what each attribute is of all objects of a class, found by
 * following references from some objects on.
 *
 * A plan says what has to be found: `autograph.kernels.native.gathering` writes it. At the first
 * thing that is not as it says, gathering ends, and nothing has happened. No code of the user's runs
 * meanwhile, so that what is read stays where it is; what is in heaps is kept alive from then on.
 *
 * Columns that have one element for each object of a heap, for each list, or for each item of lists,
 * are a table. */

#ifndef GATHER_H
#define GATHER_H

#include "memory.h"
#include "objects.h"

enum { PY_EQ = 2 };

/* A word of a plan. */
typedef union {
    int64_t number;
    Object *object;
} Word;

/* What a node begins with, and what follows in it. Columns, tables, heaps and groups are numbers. */
enum {
    UNREAD,    /* nothing: anything */
    IDENTICAL, /* object: this object */
    EQUAL,     /* object: a str that is equal */
    FLOAT,     /* column */
    INT,       /* column */
    BOOL,      /* column */
    SCALAR,    /* column, type, dtype: a NumPy scalar */
    TEXT,      /* column, count, strs: one of these */
    MAYBE,     /* column, words: None, or as the node of so many words that follows. The column says
                * whether it is. */
    MEMBER,    /* column, heap, whether None may be there: an object, as its place */
    LISTED,    /* group, whether None may be there, then for each part a column: a list, as its
                * place */
    TUPLE,     /* count, nodes */
    PLACED,    /* column: nothing that an object has: its place */
    NUMBERED,  /* column, number: the same of a number */
    TYPED,     /* column, column, whether that is of floats, count, then for each what it is and a
                * column or -1: a number that is FLOAT, INT or BOOL. The first column says which of
                * these, the second is the number as one type, the others are it as what it is. */
};

/* What the others refer to, at most so many words from the beginning of the plan. */
typedef struct {
    int64_t tables, columns, heaps, groups, leaves, inputs, outputs, changes;
    int64_t is_single;  /* whether there is one output, which is in no tuple */
    int64_t wants;      /* whether what is made of the rest is given the objects as well */
    int64_t *rows;      /* how many each table had last, which is a guess of how many it has */
    int64_t of_tables, of_columns, of_heaps, of_groups, of_leaves, of_inputs, of_outputs, of_changes;
} Plan;

/* A table: its first column, and how many it has; how many rows there may be, and how many the
 * arrays have at least; another one that has as many, or -1. */
typedef struct {
    int64_t first, columns, least, most, padded, like;
} TablePlan;

typedef struct {
    int64_t bytes; /* of an element */
    Descr *descr;  /* null if there is no array of it: it has references */
    int64_t table;
} ColumnPlan;

/* What is in a heap: the table, in whose first column the objects are, and its classes. */
typedef struct {
    int64_t table, count, classes;
} HeapPlan;

/* A class of objects. The nodes are first those of nothing that an object has, then for each slot
 * where it lies and a node, then for each item of the dict the key and a node. */
typedef struct {
    Object *type;
    int64_t made_up, slots, items, nodes; /* items: -1 if objects have no dict */
} ClassPlan;

/* Lists: whether their elements are tuples, each item of which is a part. In the first column of the
 * first part's table are the lists. */
typedef struct {
    int64_t of_tuples, count, parts;
} GroupPlan;

/* The table of the lists, and the numbers of the columns of where they start, how long they are, and
 * for how much they have room; the table of their items, and the node of one. */
typedef struct {
    int64_t table, starts, lengths, rooms, pool, node;
} PartPlan;

/* An argument: nothing, the heap of an object, and the place that it has to have or -1; or the table
 * of a list of its own, and the node of its elements. And which argument is looked at in its turn. */
enum { AS_IT_IS, IN_HEAP, IN_TABLE };
typedef struct {
    int64_t kind, number, more, turn;
} LeafPlan;

/* An input of the program. */
enum { OF_COLUMN, OF_COUNT, OF_LEAF, OF_PLACE, FIXED };
typedef struct {
    int64_t kind, number; /* of FIXED the address of an object */
} InputPlan;

/* What the program changes: an attribute of the objects of a heap that have it. */
typedef struct {
    int64_t heap;
    Object *name;
    int64_t node, owners; /* the types that have it: how many, and these; 0 for all */
} ChangePlan;

typedef struct {
    int64_t count, room;
    char *block; /* the columns, one after the other */
    uint64_t bytes;
} Table;

/* Which objects are known: for each hash a place and one, or 0. */
typedef struct {
    int32_t *slots;
    uint64_t mask, bytes;
} Known;

typedef struct {
    const Word *words;
    const Plan *plan;
    Table *tables;
    char **columns;
    Known *known;      /* of heaps, then of groups */
    int64_t *finished; /* of each heap, how many objects have been read */
    int64_t *places;   /* of leaves that are objects */
} Walk;

/* The plan of one of the tables, or of others. */
#define PLANNED(walk, Type, of) ((const Type *)((walk)->words + (walk)->plan->of))

static inline Object **objects_in(const Walk *walk, int64_t table)
{
    return (Object **)walk->columns[PLANNED(walk, TablePlan, of_tables)[table].first];
}

static inline int64_t *places_in(const Walk *walk, int64_t column)
{
    return (int64_t *)walk->columns[column];
}

/* Of how many bytes a column is with room for some rows. */
static inline uint64_t size_of(const ColumnPlan *column, int64_t room)
{
    return ((uint64_t)(room * column->bytes) + 63) & -64ULL;
}

/* Let a table have room for more rows, all zeros. Whether there is memory. */
static bool extend(Walk *walk, int64_t number, int64_t more)
{
    Table *table = &walk->tables[number];
    if (table->count + more <= table->room)
        return true;
    const TablePlan *plan = PLANNED(walk, TablePlan, of_tables) + number;
    const ColumnPlan *columns = PLANNED(walk, ColumnPlan, of_columns);
    int64_t room = walk->plan->rows[number] + 8;
    if (room < 2 * table->room)
        room = 2 * table->room;
    if (room < table->count + more)
        room = table->count + more;
    uint64_t bytes = 64; /* a table may have no columns */
    for (int64_t c = plan->first; c < plan->first + plan->columns; c++)
        bytes += size_of(&columns[c], room);
    char *block = ag_take(bytes), *data = block;
    if (!block)
        return false;
    __builtin_memset(block, 0, bytes);
    for (int64_t c = plan->first; c < plan->first + plan->columns; c++) {
        if (table->count)
            __builtin_memcpy(data, walk->columns[c], (uint64_t)(table->count * columns[c].bytes));
        walk->columns[c] = data;
        data += size_of(&columns[c], room);
    }
    ag_give(table->block, table->bytes);
    *table = (Table){table->count, room, block, bytes};
    return true;
}

static inline uint64_t hash_of(const Object *object)
{
    return ((uint64_t)object >> 4) * 0x9e3779b97f4a7c15u >> 20;
}

/* Let there be twice as many hashes as `count` objects need. Whether there is memory. */
static bool spread(Known *known, Object *const *objects, int64_t present, int64_t count)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)count)
        size *= 2;
    int32_t *slots = ag_take(size * sizeof *slots);
    if (!slots || count > INT32_MAX / 2) {
        ag_give(slots, size * sizeof *slots);
        return false;
    }
    __builtin_memset(slots, 0, size * sizeof *slots);
    for (int64_t i = 0; i < present; i++) {
        uint64_t slot = hash_of(objects[i]) & (size - 1);
        while (slots[slot])
            slot = (slot + 1) & (size - 1);
        slots[slot] = (int32_t)(i + 1);
    }
    ag_give(known->slots, known->bytes);
    *known = (Known){slots, size - 1, size * sizeof *slots};
    return true;
}

/* The place of an object or list; -1 if it is not known. */
static int64_t find(const Known *known, Object *const *objects, const Object *object)
{
    if (!known->slots)
        return -1;
    uint64_t slot = hash_of(object) & known->mask;
    for (; known->slots[slot]; slot = (slot + 1) & known->mask)
        if (objects[known->slots[slot] - 1] == object)
            return known->slots[slot] - 1;
    return -1;
}

/* Put something that is not known at the end of a table, and keep it: its place, or -1 if there is no
 * memory. */
static int64_t keep(Walk *walk, Known *known, int64_t number, Object *object)
{
    Table *table = &walk->tables[number];
    if (!extend(walk, number, 1))
        return -1;
    if (!known->slots || 2 * (uint64_t)table->count >= known->mask) {
        int64_t guess = walk->plan->rows[number];
        int64_t count = guess > table->count ? guess + 8 : 2 * table->count + 8;
        if (!spread(known, objects_in(walk, number), table->count, count))
            return -1;
    }
    uint64_t slot = hash_of(object) & known->mask;
    while (known->slots[slot])
        slot = (slot + 1) & known->mask;
    Py_IncRef(object);
    objects_in(walk, number)[table->count++] = object;
    known->slots[slot] = (int32_t)table->count;
    return table->count - 1;
}

/* The class of an object that may be in a heap; null of others. */
static const ClassPlan *class_of(const Walk *walk, const HeapPlan *heap, const Object *object)
{
    const ClassPlan *classes = (const ClassPlan *)(walk->words + heap->classes);
    for (int64_t k = 0; k < heap->count; k++)
        if (classes[k].type == object->type)
            return &classes[k];
    return NULL;
}

/* The place of an object in a heap, in which it is from now on; -1 if it can't be. */
static int64_t place_in_heap(Walk *walk, int64_t number, Object *object)
{
    const HeapPlan *heap = PLANNED(walk, HeapPlan, of_heaps) + number;
    if (!class_of(walk, heap, object))
        return -1;
    Known *known = &walk->known[number];
    int64_t place = find(known, objects_in(walk, heap->table), object);
    return place >= 0 ? place : keep(walk, known, heap->table, object);
}

static const Word *put(Walk *walk, Object *value, const Word *node, int64_t place);

/* Put the items of a list at the end of the tables of a group. Whether they are as planned. */
static bool put_items(Walk *walk, const GroupPlan *group, Object *list)
{
    const PartPlan *parts = (const PartPlan *)(walk->words + group->parts);
    const int64_t length = PyList_Size(list);
    for (int64_t p = 0; p < group->count; p++) {
        if (!extend(walk, parts[p].pool, length))
            return false;
        int64_t place = walk->tables[parts[p].table].count - 1;
        places_in(walk, parts[p].starts)[place] = walk->tables[parts[p].pool].count;
        places_in(walk, parts[p].lengths)[place] = length;
        places_in(walk, parts[p].rooms)[place] = length;
    }
    for (int64_t i = 0; i < length; i++) {
        Object *item = PyList_GetItem(list, i);
        if (group->of_tuples && (item->type != &PyTuple_Type || PyTuple_Size(item) != group->count))
            return false;
        for (int64_t p = 0; p < group->count; p++) {
            Object *part = group->of_tuples ? items_of(item)[p] : item;
            int64_t place = walk->tables[parts[p].pool].count++;
            if (!put(walk, part, walk->words + parts[p].node, place))
                return false;
        }
    }
    return true;
}

/* The place of a list in a group, in which it is from now on; -1 if it can't be. */
static int64_t place_in_group(Walk *walk, int64_t number, Object *list)
{
    const GroupPlan *groups = PLANNED(walk, GroupPlan, of_groups);
    for (int64_t g = 0; g < walk->plan->groups; g++) {
        const PartPlan *parts = (const PartPlan *)(walk->words + groups[g].parts);
        Known *known = &walk->known[walk->plan->heaps + g];
        int64_t place = find(known, objects_in(walk, parts[0].table), list);
        if (place >= 0)
            return g == number ? place : -1;
    }
    const GroupPlan *group = &groups[number];
    const PartPlan *parts = (const PartPlan *)(walk->words + group->parts);
    int64_t place = keep(walk, &walk->known[walk->plan->heaps + number], parts[0].table, list);
    for (int64_t p = 1; p < group->count; p++) {
        if (!extend(walk, parts[p].table, 1))
            return -1;
        walk->tables[parts[p].table].count++;
    }
    return place >= 0 && put_items(walk, group, list) ? place : -1;
}

/* Put an int into a column, as 64 bits. Whether it fits. */
static inline bool put_int(Object *value, int64_t *to)
{
    int32_t overflows = 0;
    *to = PyLong_AsLongLongAndOverflow(value, &overflows);
    return !overflows;
}

/* Whether a value is a str that is equal to another one. */
static inline bool is_text(Object *value, Object *text)
{
    return value == text ||
           (value->type == text->type && PyObject_RichCompareBool(value, text, PY_EQ) == 1);
}

/* Put which of some texts a value is into a column. Whether it is one. */
static bool put_text(Walk *walk, Object *value, const Word *node, int64_t place)
{
    for (int64_t k = 0; k < node[2].number; k++)
        if (is_text(value, node[3 + k].object)) {
            places_in(walk, node[1].number)[place] = k;
            return true;
        }
    return false;
}

/* Put a number that is of one of several types into columns. Whether it is. */
static bool put_typed(Walk *walk, Object *value, const Word *node, int64_t place)
{
    bool is_float = value->type == &PyFloat_Type, is_int = value->type == &PyLong_Type;
    if (!is_float && !is_int && value != &_Py_TrueStruct && value != &_Py_FalseStruct)
        return false;
    const int64_t kind = is_float ? FLOAT : is_int ? INT : BOOL;
    int64_t exact = value == &_Py_TrueStruct;
    if (is_int && !put_int(value, &exact))
        return false;
    for (int64_t k = 0; k < node[4].number; k++) {
        const Word *own = node + 5 + 2 * k;
        if (own[0].number != kind)
            continue;
        places_in(walk, node[1].number)[place] = k;
        if (!node[3].number)
            places_in(walk, node[2].number)[place] = exact;
        else
            ((double *)walk->columns[node[2].number])[place] =
                is_float ? *(const double *)(value + 1) : (double)exact;
        if (own[1].number >= 0 && kind == INT)
            places_in(walk, own[1].number)[place] = exact;
        else if (own[1].number >= 0)
            walk->columns[own[1].number][place] = (char)exact;
        return true;
    }
    return false;
}

/* Put a value into the columns of a node, at a place that there is, where zeros are so far. Returns
 * the next node, or null if it is not as planned. */
static const Word *put(Walk *walk, Object *value, const Word *node, int64_t place)
{
    switch (node[0].number) {
    case UNREAD:
        return node + 1;
    case IDENTICAL:
        return value == node[1].object ? node + 2 : NULL;
    case EQUAL:
        return is_text(value, node[1].object) ? node + 2 : NULL;
    case FLOAT:
        if (value->type != &PyFloat_Type)
            return NULL;
        places_in(walk, node[1].number)[place] = *(const int64_t *)(value + 1);
        return node + 2;
    case INT:
        if (value->type != &PyLong_Type ||
            !put_int(value, &places_in(walk, node[1].number)[place]))
            return NULL;
        return node + 2;
    case BOOL:
        if (value != &_Py_TrueStruct && value != &_Py_FalseStruct)
            return NULL;
        walk->columns[node[1].number][place] = value == &_Py_TrueStruct;
        return node + 2;
    case SCALAR: {
        int64_t bytes = PLANNED(walk, ColumnPlan, of_columns)[node[1].number].bytes;
        if (value->type != node[2].object)
            return NULL;
        const char *from = (const char *)(value + 1);
        char *to = walk->columns[node[1].number] + place * bytes;
        for (int64_t b = 0; b < bytes; b++)
            to[b] = from[b];
        return node + 4;
    }
    case TEXT:
        return put_text(walk, value, node, place) ? node + 3 + node[2].number : NULL;
    case MAYBE:
        if (value == &_Py_NoneStruct)
            return node + 3 + node[2].number;
        walk->columns[node[1].number][place] = 1;
        return put(walk, value, node + 3, place);
    case MEMBER: {
        int64_t found = -1;
        if (value != &_Py_NoneStruct) {
            found = place_in_heap(walk, node[2].number, value);
            if (found < 0)
                return NULL;
        } else if (!node[3].number) {
            return NULL;
        }
        places_in(walk, node[1].number)[place] = found;
        return node + 4;
    }
    case LISTED: {
        int64_t found = -1;
        int64_t parts = PLANNED(walk, GroupPlan, of_groups)[node[1].number].count;
        if (value->type == &PyList_Type) {
            found = place_in_group(walk, node[1].number, value);
            if (found < 0)
                return NULL;
        } else if (value != &_Py_NoneStruct || !node[2].number) {
            return NULL;
        }
        for (int64_t p = 0; p < parts; p++)
            places_in(walk, node[3 + p].number)[place] = found;
        return node + 3 + parts;
    }
    case TUPLE: {
        int64_t count = node[1].number;
        if (value->type != &PyTuple_Type || PyTuple_Size(value) != count)
            return NULL;
        node += 2;
        for (int64_t k = 0; k < count && node; k++)
            node = put(walk, items_of(value)[k], node, place);
        return node;
    }
    case PLACED:
        places_in(walk, node[1].number)[place] = place;
        return node + 2;
    case NUMBERED:
        places_in(walk, node[1].number)[place] = node[2].number;
        return node + 3;
    case TYPED:
        return put_typed(walk, value, node, place) ? node + 5 + 2 * node[4].number : NULL;
    }
    return NULL;
}

/* Put the attributes of an object into the columns of its heap. Whether they are as planned. */
static bool put_attributes(Walk *walk, const HeapPlan *heap, Object *object, int64_t place)
{
    const ClassPlan *class = class_of(walk, heap, object);
    const Word *node = walk->words + class->nodes;
    for (int64_t k = 0; k < class->made_up; k++)
        node = put(walk, NULL, node, place);
    for (int64_t k = 0; k < class->slots && node; k++) {
        Object *value = *(Object **)((char *)object + node[0].number);
        node = value ? put(walk, value, node + 1, place) : NULL;
    }
    if (!node || class->items < 0)
        return node;
    Object *dict = PyObject_GenericGetDict(object, NULL);
    if (!dict) {
        PyErr_Clear();
        return false;
    }
    int64_t position = 0;
    if (PyDict_Size(dict) != class->items)
        node = NULL;
    Object *key, *value;
    for (int64_t k = 0; k < class->items && node; k++) {
        if (!PyDict_Next(dict, &position, &key, &value) || key != node[0].object)
            node = NULL;
        else
            node = put(walk, value, node + 1, place);
    }
    Py_DecRef(dict); /* the object has it still */
    return node;
}

/* Read all objects that are in heaps, and so those that they refer to. */
static bool put_objects(Walk *walk)
{
    const HeapPlan *heaps = PLANNED(walk, HeapPlan, of_heaps);
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (int64_t h = 0; h < walk->plan->heaps; h++) {
            const Table *table = &walk->tables[heaps[h].table];
            for (; walk->finished[h] < table->count; is_new = true) {
                int64_t place = walk->finished[h]++;
                Object *object = objects_in(walk, heaps[h].table)[place];
                if (!put_attributes(walk, &heaps[h], object, place))
                    return false;
            }
        }
    }
    return true;
}

/* Put an argument where it belongs. */
static bool put_leaf(Walk *walk, int64_t number, Object *leaf)
{
    const LeafPlan *plan = PLANNED(walk, LeafPlan, of_leaves) + number;
    if (plan->kind == IN_HEAP) {
        int64_t place = walk->places[number] = place_in_heap(walk, plan->number, leaf);
        return place >= 0 && (plan->more < 0 || place == plan->more);
    }
    if (plan->kind != IN_TABLE)
        return true;
    int64_t count = PyList_Size(leaf);
    if (!extend(walk, plan->number, count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        int64_t place = walk->tables[plan->number].count++;
        if (!put(walk, PyList_GetItem(leaf, i), walk->words + plan->more, place))
            return false;
    }
    return true;
}

/* Whether a list that is an argument is none that an object has. */
static bool is_apart(const Walk *walk, int64_t number, const Object *leaf)
{
    if (PLANNED(walk, LeafPlan, of_leaves)[number].kind != IN_TABLE)
        return true;
    const GroupPlan *groups = PLANNED(walk, GroupPlan, of_groups);
    for (int64_t g = 0; g < walk->plan->groups; g++) {
        const PartPlan *parts = (const PartPlan *)(walk->words + groups[g].parts);
        const Known *known = &walk->known[walk->plan->heaps + g];
        if (find(known, objects_in(walk, parts[0].table), leaf) >= 0)
            return false;
    }
    return true;
}

/* Whether the tables have as many rows as they may have. */
static bool lengths_are_right(const Walk *walk)
{
    const TablePlan *plans = PLANNED(walk, TablePlan, of_tables);
    for (int64_t t = 0; t < walk->plan->tables; t++) {
        int64_t count = walk->tables[t].count;
        if (count < plans[t].least || count > plans[t].most)
            return false;
        if (plans[t].like >= 0 && walk->tables[plans[t].like].count != count)
            return false;
    }
    return true;
}

/* Read all that can be reached from the arguments. Whether it is as planned. */
static bool gather(Walk *walk, Object *const *leaves)
{
    for (int64_t i = 0; i < walk->plan->leaves; i++) {
        int64_t number = PLANNED(walk, LeafPlan, of_leaves)[i].turn;
        if (!put_leaf(walk, number, leaves[number]))
            return false;
    }
    if (!put_objects(walk))
        return false;
    for (int64_t i = 0; i < walk->plan->leaves; i++)
        if (!is_apart(walk, i, leaves[i]))
            return false;
    return lengths_are_right(walk);
}

/* Give everything back that was taken, and let go of what was kept. */
static void release(Walk *walk)
{
    const Plan *plan = walk->plan;
    const TablePlan *plans = PLANNED(walk, TablePlan, of_tables);
    const ColumnPlan *columns = PLANNED(walk, ColumnPlan, of_columns);
    for (int64_t k = 0; k < plan->heaps + plan->groups; k++)
        ag_give(walk->known[k].slots, walk->known[k].bytes);
    for (int64_t t = 0; t < plan->tables; t++) {
        const Table *table = &walk->tables[t];
        plan->rows[t] = table->count;
        bool refers = plans[t].columns && !columns[plans[t].first].descr;
        for (int64_t i = 0; refers && i < table->count; i++)
            Py_DecRef(objects_in(walk, t)[i]);
        ag_give(table->block, table->bytes);
    }
}

#endif
