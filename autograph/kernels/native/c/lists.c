/* Lists of numbers of one class, and of tuples of such, as arrays; and lists of such lists. */

#include "objects.h"

int32_t PyList_SetItem(Object *, int64_t, Object *);

/* Put a number of a class into an array. Whether it is of that class, and no int that is too
 * large. */
static bool put(Object *item, const Object *class, const Array *array, int64_t place)
{
    int32_t overflows = 0;
    if (item->type != class)
        return false;
    if (class == &PyLong_Type) {
        ((int64_t *)array->data)[place] = PyLong_AsLongLongAndOverflow(item, &overflows);
        return !overflows;
    }
    ((double *)array->data)[place] = PyFloat_AsDouble(item);
    return true;
}

/* What is put into arrays: of which classes the parts of an element are, or the elements if they are
 * no tuples, and the array for each; and the first of both. */
typedef struct {
    bool of_tuples;
    const Object *classes, *arrays, *class;
    const Array *array;
} Parts;

/* Put an element at a place. Whether it is of these classes. */
static inline bool put_element(Object *item, const Parts *to, int64_t place)
{
    if (!to->of_tuples)
        return put(item, to->class, to->array, place);
    const int64_t width = PyTuple_Size(to->classes);
    if (item->type != &PyTuple_Type || PyTuple_Size(item) != width)
        return false;
    for (int64_t k = 0; k < width; k++) {
        const Array *array = (const Array *)PyTuple_GetItem(to->arrays, k);
        if (!put(PyTuple_GetItem(item, k), PyTuple_GetItem(to->classes, k), array, place))
            return false;
    }
    return true;
}

/* Fill arrays, which are as long as a list, with the parts of its elements. Whether all are of the
 * given classes.
 *
 * classes, arrays: tuples; see Parts. */
int64_t ag_numbers(const Object *list, int64_t of_tuples, const Object *classes, const Object *arrays)
{
    const int64_t count = PyList_Size(list);
    const Parts to = {of_tuples, classes, arrays, PyTuple_GetItem(classes, 0),
                      (const Array *)PyTuple_GetItem(arrays, 0)};
    for (int64_t i = 0; i < count; i++)
        if (!put_element(PyList_GetItem(list, i), &to, i))
            return false;
    return true;
}

/* How many items the lists in a list have together; -1 if there is something else in it, or one of
 * them twice.
 *
 * lengths: gets the number of items of each, as int64.
 * seen: zeros, a power of two of them, at least twice as many as there are lists. */
int64_t ag_row_lengths(const Object *list, const Array *lengths, const Array *seen)
{
    const int64_t count = PyList_Size(list);
    const uint64_t mask = (uint64_t)seen->sizes[0] - 1;
    const Object **table = (const Object **)seen->data;
    int64_t total = 0;
    for (int64_t i = 0; i < count; i++) {
        const Object *row = PyList_GetItem(list, i);
        if (row->type != &PyList_Type)
            return -1;
        uint64_t place = ((uint64_t)row * 0x9e3779b97f4a7c15u >> 32) & mask;
        for (; table[place]; place = (place + 1) & mask)
            if (table[place] == row)
                return -1;
        table[place] = row;
        total += ((int64_t *)lengths->data)[i] = PyList_Size(row);
    }
    return total;
}

/* The same as ag_numbers, of all items of the lists in a list, one after the other.
 *
 * lengths: of these lists, for which the arrays have room. */
int64_t ag_rows(const Object *list, const Array *lengths, int64_t of_tuples, const Object *classes,
                const Object *arrays)
{
    const int64_t count = PyList_Size(list);
    const Parts to = {of_tuples, classes, arrays, PyTuple_GetItem(classes, 0),
                      (const Array *)PyTuple_GetItem(arrays, 0)};
    int64_t place = 0;
    if (count != lengths->sizes[0])
        return false;
    for (int64_t i = 0; i < count; i++) {
        const Object *row = PyList_GetItem(list, i);
        const int64_t length = ((int64_t *)lengths->data)[i];
        if (PyList_Size(row) != length) // another thread has changed it
            return false;
        for (int64_t k = 0; k < length; k++, place++)
            if (!put_element(PyList_GetItem(row, k), &to, place))
                return false;
    }
    return true;
}

/* Put items, one after the other, into the lists in a list, which keep their lengths. Whether they
 * have these; the rest is unchanged if not. */
int64_t ag_write_rows(const Object *list, const Array *lengths, const Object *items)
{
    const int64_t count = PyList_Size(list), most = PyList_Size(items);
    int64_t place = 0;
    if (count != lengths->sizes[0])
        return false;
    for (int64_t i = 0; i < count; i++) {
        Object *row = PyList_GetItem(list, i);
        const int64_t length = ((int64_t *)lengths->data)[i];
        if (PyList_Size(row) != length || place + length > most)
            return false;
        for (int64_t k = 0; k < length; k++, place++) {
            Object *item = PyList_GetItem(items, place);
            Py_IncRef(item); // which the row has from now on
            PyList_SetItem(row, k, item);
        }
    }
    return true;
}
