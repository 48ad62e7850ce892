/* A function of the caller's objects: METH_FASTCALL. It gathers what the program is given of them, runs
 * it, and writes what that has changed into the objects; see `gather.h`. */

#include "gather.h"

/* The items of `self`, a tuple, before what else has to live as long. */
enum {
    PLAN,      /* a bytes object */
    PROGRAM,   /* what is called with the inputs */
    UNLIKE,    /* what raises an exception, called where something is not as planned */
    AS_COLUMN, /* what makes the new contents of a column, as planned, of an output that is something
                * else, its dtype and how many elements there are */
};

/* What is known when the program has run: what the columns are. */
typedef struct {
    const Walk *walk;
    char **after;
} Changes;

/* -- before the program runs ------------------------------------------------------------------- */

/* An array of what is in a column; null after an error. */
static Object *array_of(const Walk *walk, int64_t number)
{
    const ColumnPlan *column = PLANNED(walk, ColumnPlan, of_columns) + number;
    int64_t count = walk->tables[column->table].count;
    int64_t padded = PLANNED(walk, TablePlan, of_tables)[column->table].padded;
    int64_t size = count > padded ? count : padded;
    Py_IncRef((Object *)column->descr); /* which the array takes */
    Array *array = PyArray_Empty(1, &size, column->descr, 0);
    if (!array)
        return NULL;
    uint64_t bytes = (uint64_t)(count * column->bytes);
    __builtin_memcpy(array->data, walk->columns[number], bytes);
    __builtin_memset((char *)array->data + bytes, 0, (uint64_t)(size * column->bytes) - bytes);
    return (Object *)array;
}

static Object *new_reference(Object *object)
{
    Py_IncRef(object);
    return object;
}

/* An input of the program; null after an error. */
static Object *input_of(const Walk *walk, const InputPlan *input, Object *const *leaves)
{
    switch (input->kind) {
    case OF_COLUMN:
        return array_of(walk, input->number);
    case OF_COUNT:
        return PyLong_FromLongLong(walk->tables[input->number].count);
    case OF_LEAF:
        return new_reference(leaves[input->number]);
    case OF_PLACE:
        return PyLong_FromLongLong(walk->places[input->number]);
    }
    return new_reference((Object *)input->number);
}

/* What the program returns; null after an error. */
static Object *outputs_of(const Walk *walk, Object *program, Object *const *leaves)
{
    const InputPlan *plans = PLANNED(walk, InputPlan, of_inputs);
    int64_t count = walk->plan->inputs, made = 0;
    Object *inputs[count + 1], *outputs = NULL;
    while (made < count && (inputs[made] = input_of(walk, &plans[made], leaves)))
        made++;
    if (made == count)
        outputs = PyObject_VectorcallDict(program, inputs, count, NULL);
    for (int64_t i = 0; i < made; i++)
        Py_DecRef(inputs[i]);
    return outputs;
}

/* -- when it has run --------------------------------------------------------------------------- */

/* Whether something is an array of the dtype of a column, in one piece, and not shorter. */
static bool is_column(const Object *output, const ColumnPlan *column, int64_t count)
{
    const int32_t needed = 0x1 | 0x100; /* NumPy's flags: contiguous, aligned */
    const Array *array = (const Array *)output;
    return output->type == &PyArray_Type && array->ndim == 1 && array->sizes[0] >= count &&
           (array->flags & needed) == needed && array->descr->number == column->descr->number &&
           array->descr->byte_order != '>';
}

/* An output that is the new contents of a column: a new reference, or null after an error. */
static Object *new_column(const Walk *walk, Object *output, int64_t number, Object *as_column)
{
    const ColumnPlan *column = PLANNED(walk, ColumnPlan, of_columns) + number;
    int64_t rows = walk->tables[column->table].count;
    if (is_column(output, column, rows)) {
        Py_IncRef(output);
        return output;
    }
    Object *count = PyLong_FromLongLong(rows), *made = NULL;
    if (count) {
        Object *given[] = {output, (Object *)column->descr, count};
        made = PyObject_VectorcallDict(as_column, given, 3, NULL);
        Py_DecRef(count);
    }
    return made;
}

/* The node after one. */
static const Word *node_after(const Walk *walk, const Word *node)
{
    switch (node[0].number) {
    case IDENTICAL:
    case EQUAL:
    case FLOAT:
    case INT:
    case BOOL:
    case PLACED:
        return node + 2;
    case SCALAR:
    case MEMBER:
        return node + 4;
    case NUMBERED:
        return node + 3;
    case TEXT:
        return node + 3 + node[2].number;
    case MAYBE:
        return node + 3 + node[2].number;
    case TYPED:
        return node + 5 + 2 * node[4].number;
    case LISTED:
        return node + 3 + PLANNED(walk, GroupPlan, of_groups)[node[1].number].count;
    case TUPLE: {
        int64_t count = node[1].number;
        node += 2;
        for (int64_t k = 0; k < count; k++)
            node = node_after(walk, node);
        return node;
    }
    }
    return node + 1;
}

/* Whether a column has another element at a place now. */
static bool differs_in(const Changes *changes, int64_t number, int64_t place)
{
    const Walk *walk = changes->walk;
    int64_t bytes = PLANNED(walk, ColumnPlan, of_columns)[number].bytes;
    const char *before = walk->columns[number] + place * bytes;
    const char *after = changes->after[number] + place * bytes;
    if (bytes == 8)
        return *(const int64_t *)before != *(const int64_t *)after;
    for (int64_t b = 0; b < bytes; b++)
        if (before[b] != after[b])
            return true;
    return false;
}

/* Which of the types of a number it is of now. */
static const Word *type_at(const Changes *changes, const Word *node, int64_t place)
{
    uint64_t which = (uint64_t)((int64_t *)changes->after[node[1].number])[place];
    return node + 5 + 2 * (which % (uint64_t)node[4].number);
}

/* The column in which a number of several types is what it is; -1 if it is the one of all. */
static int64_t exact_column(const Changes *changes, const Word *node, int64_t place)
{
    return type_at(changes, node, place)[1].number;
}

/* Whether something of which there is a node is another value now. */
static bool differs(const Changes *changes, const Word *node, int64_t place)
{
    switch (node[0].number) {
    case FLOAT:
    case INT:
    case BOOL:
    case SCALAR:
    case TEXT:
    case MEMBER:
        return differs_in(changes, node[1].number, place);
    case LISTED:
        return differs_in(changes, node[3].number, place);
    case MAYBE:
        if (differs_in(changes, node[1].number, place))
            return true;
        return changes->after[node[1].number][place] && differs(changes, node + 3, place);
    case TYPED: {
        if (differs_in(changes, node[1].number, place))
            return true;
        int64_t own = exact_column(changes, node, place);
        return differs_in(changes, own < 0 ? node[2].number : own, place);
    }
    case TUPLE: {
        int64_t count = node[1].number;
        node += 2;
        for (int64_t k = 0; k < count; k++, node = node_after(changes->walk, node))
            if (differs(changes, node, place))
                return true;
    }
    }
    return false;
}

/* What is at a place of a table of objects or lists, or None. */
static Object *at(const Changes *changes, int64_t table, int64_t place)
{
    if (place < 0 || place >= changes->walk->tables[table].count)
        return new_reference(&_Py_NoneStruct);
    return new_reference(objects_in(changes->walk, table)[place]);
}

static Object *value_at(const Changes *changes, const Word *node, int64_t place);

/* The same of a tuple. */
static Object *tuple_at(const Changes *changes, const Word *node, int64_t place)
{
    int64_t count = node[1].number;
    Object *tuple = PyTuple_New(count);
    node += 2;
    for (int64_t k = 0; tuple && k < count; k++, node = node_after(changes->walk, node)) {
        Object *item = value_at(changes, node, place);
        if (!item) {
            Py_DecRef(tuple);
            return NULL;
        }
        items_of(tuple)[k] = item;
    }
    return tuple;
}

/* The same of a number of several types. */
static Object *typed_at(const Changes *changes, const Word *node, int64_t place)
{
    const Word *own = type_at(changes, node, place);
    const char *after = changes->after[own[1].number < 0 ? node[2].number : own[1].number];
    double number = 0.0;
    int64_t exact = 0;
    if (own[1].number >= 0 && own[0].number == BOOL)
        exact = after[place];
    else if (own[1].number >= 0 || !node[3].number)
        exact = ((const int64_t *)after)[place];
    else
        number = ((const double *)after)[place];
    if (own[0].number == FLOAT)
        return PyFloat_FromDouble(number);
    if (own[1].number < 0 && node[3].number)
        exact = (int64_t)number;
    if (own[0].number == INT)
        return PyLong_FromLongLong(exact);
    return new_reference(exact ? &_Py_TrueStruct : &_Py_FalseStruct);
}

/* What something of which there is a node is now: a new reference, or null after an error. */
static Object *value_at(const Changes *changes, const Word *node, int64_t place)
{
    const Walk *walk = changes->walk;
    if (node[0].number == TUPLE)
        return tuple_at(changes, node, place);
    if (node[0].number == TYPED)
        return typed_at(changes, node, place);
    if (node[0].number == LISTED) {
        const GroupPlan *group = PLANNED(walk, GroupPlan, of_groups) + node[1].number;
        const PartPlan *parts = (const PartPlan *)(walk->words + group->parts);
        return at(changes, parts[0].table, ((int64_t *)changes->after[node[3].number])[place]);
    }
    const ColumnPlan *column = PLANNED(walk, ColumnPlan, of_columns) + node[1].number;
    char *from = changes->after[node[1].number] + place * column->bytes;
    const int64_t bits = column->bytes == 8 ? *(int64_t *)from : 0;
    switch (node[0].number) {
    case FLOAT:
        return PyFloat_FromDouble(*(double *)from);
    case INT:
        return PyLong_FromLongLong(bits);
    case BOOL:
        return new_reference(*from ? &_Py_TrueStruct : &_Py_FalseStruct);
    case SCALAR:
        return PyArray_Scalar(from, column->descr, NULL);
    case TEXT:
        return new_reference(node[3 + (uint64_t)bits % (uint64_t)node[2].number].object);
    case MEMBER:
        return at(changes, PLANNED(walk, HeapPlan, of_heaps)[node[2].number].table, bits);
    }
    /* MAYBE */
    return *from ? value_at(changes, node + 3, place) : new_reference(&_Py_NoneStruct);
}

/* Whether an object has an attribute that is changed. */
static bool has_changed(const Walk *walk, const ChangePlan *change, const Object *object)
{
    const Word *owners = walk->words + change->owners;
    for (int64_t k = 1; k <= owners[0].number; k++)
        if (owners[k].object == object->type)
            return true;
    return !owners[0].number;
}

/* Assign an attribute of all objects in which it is another value now. Whether there is no error. */
static bool assign(const Changes *changes, const ChangePlan *change)
{
    const Walk *walk = changes->walk;
    const Word *node = walk->words + change->node;
    const int64_t table = PLANNED(walk, HeapPlan, of_heaps)[change->heap].table;
    for (int64_t place = 0; place < walk->tables[table].count; place++) {
        Object *object = objects_in(walk, table)[place];
        if (!differs(changes, node, place) || !has_changed(walk, change, object))
            continue;
        Object *value = value_at(changes, node, place);
        if (!value)
            return false;
        int32_t failed = PyObject_GenericSetAttr(object, change->name, value);
        Py_DecRef(value);
        if (failed)
            return false;
    }
    return true;
}

/* A tuple of the objects in each heap, after something else, which it takes; null after an error. */
static Object *with_objects(const Walk *walk, Object *rest)
{
    const HeapPlan *heaps = PLANNED(walk, HeapPlan, of_heaps);
    Object *all = PyTuple_New(1 + walk->plan->heaps);
    if (!all) {
        Py_DecRef(rest);
        return NULL;
    }
    items_of(all)[0] = rest;
    for (int64_t h = 0; h < walk->plan->heaps; h++) {
        const int64_t count = walk->tables[heaps[h].table].count;
        Object *objects = PyTuple_New(count);
        if (!objects) {
            Py_DecRef(all);
            return NULL;
        }
        for (int64_t i = 0; i < count; i++)
            items_of(objects)[i] = new_reference(objects_in(walk, heaps[h].table)[i]);
        items_of(all)[1 + h] = objects;
    }
    return all;
}

/* The outputs that are no contents of columns: one alone, or a tuple of them; null after an error. */
static Object *rest_of(const Walk *walk, Object *const *outputs)
{
    const int64_t *columns = PLANNED(walk, int64_t, of_outputs);
    int64_t count = 0, last = 0;
    for (int64_t i = 0; i < walk->plan->outputs; i++)
        if (columns[i] < 0) {
            count++;
            last = i;
        }
    if (count == 1)
        return new_reference(outputs[last]);
    Object *rest = PyTuple_New(count);
    for (int64_t i = 0, k = 0; rest && i < walk->plan->outputs; i++)
        if (columns[i] < 0)
            items_of(rest)[k++] = new_reference(outputs[i]);
    return rest;
}

/* Write what is changed into the objects; what is left of the outputs, or null after an error. */
static Object *delivered(const Walk *walk, Object *const *outputs, Object *as_column)
{
    const Plan *plan = walk->plan;
    const int64_t *columns = PLANNED(walk, int64_t, of_outputs);
    const ChangePlan *changed = PLANNED(walk, ChangePlan, of_changes);
    char *after[plan->columns + 1];
    Object *held[plan->outputs + 1];
    const Changes changes = {walk, after};
    for (int64_t c = 0; c < plan->columns; c++)
        after[c] = walk->columns[c];
    int64_t made = 0;
    bool is_right = true;
    for (; made < plan->outputs && is_right; made++) {
        held[made] = NULL;
        if (columns[made] < 0)
            continue;
        held[made] = new_column(walk, outputs[made], columns[made], as_column);
        is_right = held[made];
        if (is_right)
            after[columns[made]] = ((Array *)held[made])->data;
    }
    for (int64_t k = 0; k < plan->changes && is_right; k++)
        is_right = assign(&changes, &changed[k]);
    for (int64_t i = 0; i < made; i++)
        if (held[i])
            Py_DecRef(held[i]);
    Object *rest = is_right ? rest_of(walk, outputs) : NULL;
    return rest && plan->wants ? with_objects(walk, rest) : rest;
}

/* Run the program with what is gathered: the result, or null after an error. */
static Object *run(const Walk *walk, Object *const *own, Object *const *leaves)
{
    Object *outputs = outputs_of(walk, own[PROGRAM], leaves);
    if (!outputs || !walk->plan->outputs)
        return outputs;
    Object *const *items = walk->plan->is_single ? &outputs : items_of(outputs);
    Object *rest = delivered(walk, items, own[AS_COLUMN]);
    Py_DecRef(outputs);
    return rest;
}

Object *ag_gathered(Object *self, Object *const *leaves, int64_t count)
{
    Object *const *own = items_of(self);
    const Word *words = contents_of(own[PLAN]);
    const Plan *plan = (const Plan *)words;
    Table tables[plan->tables + 1];
    char *columns[plan->columns + 1];
    Known known[plan->heaps + plan->groups + 1];
    int64_t finished[plan->heaps + 1], places[plan->leaves + 1];
    __builtin_memset(tables, 0, sizeof tables);
    __builtin_memset(columns, 0, sizeof columns);
    __builtin_memset(known, 0, sizeof known);
    __builtin_memset(finished, 0, sizeof finished);
    Walk walk = {words, plan, tables, columns, known, finished, places};
    Object *answer;
    if (count == plan->leaves && gather(&walk, leaves))
        answer = run(&walk, own, leaves);
    else
        answer = PyObject_VectorcallDict(own[UNLIKE], NULL, 0, NULL);
    release(&walk);
    return answer;
}
