/* What is called of the C APIs of CPython and NumPy, and how their objects lie in memory.
 *
 * Their own headers are not used: they say what one version is like, and one text serves all. What
 * differs between versions is a constant here, which Python knows and fills in when it loads the
 * text, before LLVM optimises it. Builds of CPython without a GIL have other objects: these
 * functions are not used there.
 */

#ifndef OBJECTS_H
#define OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Object {
    int64_t references;
    struct Object *type;
} Object;

/* NumPy's PyArray_Descr, as far as it is read here. */
typedef struct {
    Object head;
    Object *type;
    char kind, letter, byte_order, flags;
    int32_t number;
} Descr;

/* NumPy's PyArrayObject_fields. */
typedef struct {
    Object head;
    void *data;
    int32_t ndim;
    int64_t *sizes;
    int64_t *strides;
    Object *base;
    Descr *descr;
    int32_t flags;
    Object *weak_references;
    void *buffers;
    Object *memory_handler;
} Array;

/* How many bytes stand before the items of a tuple, and before the contents of a bytes object. */
extern const int64_t ag_tuple_head, ag_bytes_head;

extern Object PyTuple_Type, PyList_Type, PyDict_Type, PyFloat_Type, PyLong_Type;
extern Object _Py_NoneStruct, _Py_TrueStruct, _Py_FalseStruct;

void Py_IncRef(Object *);
void Py_DecRef(Object *);
int32_t PyObject_RichCompareBool(Object *, Object *, int32_t);
int32_t PyObject_IsTrue(Object *);
Object *PyObject_VectorcallDict(Object *, Object *const *, int64_t, Object *);
Object *PyTuple_New(int64_t);
int64_t PyTuple_Size(const Object *);
Object *PyTuple_GetItem(const Object *, int64_t);
int64_t PyList_Size(const Object *);
Object *PyList_GetItem(const Object *, int64_t);
Object *PyDict_New(void);
int64_t PyDict_Size(const Object *);
int32_t PyDict_Next(Object *, int64_t *, Object **, Object **);
Object *PyDict_GetItemWithError(Object *, Object *);
int32_t PyDict_SetItem(Object *, Object *, Object *);
Object *PyCell_Get(Object *);
Object *PyObject_GenericGetDict(Object *, void *);
int32_t PyObject_GenericSetAttr(Object *, Object *, Object *);
int32_t PyContextVar_Get(Object *, Object *, Object **);
Object *PyFloat_FromDouble(double);
double PyFloat_AsDouble(Object *);
Object *PyLong_FromLongLong(int64_t);
int64_t PyLong_AsLongLongAndOverflow(Object *, int32_t *);
void PyErr_Clear(void);
void PyErr_Fetch(Object **, Object **, Object **);
void PyErr_NormalizeException(Object **, Object **, Object **);
Object *PyErr_NoMemory(void);
int32_t PyException_SetTraceback(Object *, Object *);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
int32_t PyTraceMalloc_Track(uint32_t, uint64_t, uint64_t);

extern Object PyArray_Type;
Array *PyArray_Empty(int32_t, const int64_t *, Descr *, int32_t);
Array *PyArray_NewFromDescr(Object *, Descr *, int32_t, const int64_t *, const int64_t *, void *,
                            int32_t, Object *);
Object *PyArray_Scalar(void *, Descr *, Object *);

/* The items of a tuple. */
static inline Object **items_of(Object *tuple)
{
    return (Object **)((char *)tuple + ag_tuple_head);
}

/* The contents of a bytes object. */
static inline const void *contents_of(Object *bytes)
{
    return (const char *)bytes + ag_bytes_head;
}

/* The dtype and the shape of an array, as patterns and plans have them. */
typedef struct {
    const Descr *descr; /* usually */
    int64_t number;     /* NumPy's number of the dtype */
    int64_t ndim;
    int64_t sizes[]; /* a negative one is the number of a length that only the call tells, from -1 */
} ArrayType;

/* Whether an array has a dtype, which another object may describe as well, and a shape, as far as
 * that is known. */
static inline bool is_like(const Array *array, const ArrayType *type)
{
    const Descr *descr = array->descr;
    if (descr != type->descr && (descr->number != type->number || descr->byte_order == '>'))
        return false;
    if (array->ndim != type->ndim)
        return false;
    for (int64_t d = 0; d < type->ndim; d++)
        if (type->sizes[d] >= 0 && array->sizes[d] != type->sizes[d])
            return false;
    return true;
}

#endif
