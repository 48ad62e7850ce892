/* Lists of numbers of one class, and of tuples of such, as arrays. */

#include "objects.h"

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

/* Fill arrays, which are as long as a list, with the parts of its elements; or the only array with
 * the elements, if these are no tuples. Whether all are of the given classes.
 *
 * classes, arrays: tuples, an item for each part. */
int64_t ag_numbers(const Object *list, int64_t of_tuples, const Object *classes, const Object *arrays)
{
    const int64_t count = PyList_Size(list), width = PyTuple_Size(classes);
    const Object *class = PyTuple_GetItem(classes, 0);
    const Array *array = (const Array *)PyTuple_GetItem(arrays, 0);
    for (int64_t i = 0; i < count; i++) {
        Object *item = PyList_GetItem(list, i);
        if (!of_tuples) {
            if (!put(item, class, array, i))
                return false;
            continue;
        }
        if (item->type != &PyTuple_Type || PyTuple_Size(item) != width)
            return false;
        for (int64_t k = 0; k < width; k++) {
            array = (const Array *)PyTuple_GetItem(arrays, k);
            if (!put(PyTuple_GetItem(item, k), PyTuple_GetItem(classes, k), array, i))
                return false;
        }
    }
    return true;
}
