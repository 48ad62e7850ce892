/* The method `__call__` of functions that try what earlier calls came to before anything else:
 * METH_FASTCALL | METH_KEYWORDS.
 *
 * In the object that is called, at `ag_records_offset`, is a tuple of records, or null. Where no
 * record fits, while something is being recorded, and where NumPy shall do more about
 * floating-point errors than warn, `ag_look_up` is called with the object, a tuple and a dict.
 */

#include "match.h"

extern int64_t ag_recording;      /* how many threads record */
extern int64_t ag_records_offset;
extern Object ag_look_up;
extern Object ag_setting;         /* the context variable that `np.errstate` sets */
extern Object *ag_quiet;          /* a value of it that asks for nothing but warnings */

/* The items of a record, which is a tuple. */
enum {
    PATTERN,  /* a bytes object, see `match.h` */
    FUNCTION, /* what is called with the leaves */
    FINISHER, /* what makes the result of what that returns, or None: it is the result */
    WHOLE,    /* whether it takes the leaves and the containers, too, which it may change */
    HANDLER,  /* what is called with an exception that either raised, and raises one, or returns:
               * then no record fits */
    GUARDS,   /* a tuple of functions: whether something still holds */
              /* and what else has to live as long as the record */
};

/* Stands for an answer that there is not. */
static Object missed;

static Object *call_with(Object *function, Object *argument)
{
    return PyObject_VectorcallDict(function, &argument, 1, NULL);
}

/* Whether all functions in a tuple say so: 1, 0, or -1 if one raised. */
static int32_t all_hold(Object *functions)
{
    int64_t count = PyTuple_Size(functions);
    for (int64_t i = 0; i < count; i++) {
        Object *answer = PyObject_VectorcallDict(items_of(functions)[i], NULL, 0, NULL);
        if (!answer)
            return -1;
        int32_t holds = PyObject_IsTrue(answer);
        Py_DecRef(answer);
        if (holds != 1)
            return holds;
    }
    return 1;
}

/* Let the handler of a record have the exception that there is. Returns null if it raises one, else
 * `missed`. */
static Object *handled_by(Object *handler)
{
    Object *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    Py_DecRef(type);
    if (traceback) {
        PyException_SetTraceback(value, traceback);
        Py_DecRef(traceback);
    }
    Object *nothing = call_with(handler, value);
    Py_DecRef(value);
    if (!nothing)
        return NULL;
    Py_DecRef(nothing);
    return &missed;
}

/* Let the finisher of a record have what the function has returned: the result. Of `given`, which
 * are the leaves and containers of a call, the place before the first is free. */
static Object *finished_by(Object *const *record, Object *made, Object **given, int64_t count)
{
    Object *finisher = record[FINISHER], *result;
    if (finisher == &_Py_NoneStruct)
        return made;
    if (record[WHOLE] == &_Py_TrueStruct) {
        given[-1] = made;
        result = PyObject_VectorcallDict(finisher, given - 1, count + 1, NULL);
    } else {
        result = call_with(finisher, made);
    }
    Py_DecRef(made);
    return result;
}

/* Call by a record, with arguments that are like its own: the answer, null for an exception, or
 * `missed` if a guard says no.
 *
 * The first of what is `given` are the leaves. */
static Object *call_with_leaves(Object *const *record, Object **given, int64_t leaves,
                                int64_t count)
{
    int32_t holds = all_hold(record[GUARDS]);
    if (holds == 0)
        return &missed;
    if (holds < 0)
        return handled_by(record[HANDLER]);
    Object *made = PyObject_VectorcallDict(record[FUNCTION], given, leaves, NULL);
    if (made)
        made = finished_by(record, made, given, count);
    return made ? made : handled_by(record[HANDLER]);
}

/* The same with any arguments: `missed` as well if they are not like those of the record. */
static Object *call_by(Object *const *record, Object *const *arguments, int64_t count,
                       Object *names)
{
    const Word *pattern = contents_of(record[PATTERN]);
    int64_t leaves = pattern[0].number, all = leaves + pattern[1].number;
    Object *found[leaves + pattern[2].number + 1], **given = found + 1;
    if (!match_call(arguments, count, names, pattern, given, given + leaves))
        return &missed;
    for (int64_t i = 0; i < all; i++) /* what is in lists and dicts might go meanwhile */
        Py_IncRef(given[i]);
    Object *answer = call_with_leaves(record, given, leaves, all);
    for (int64_t i = 0; i < all; i++)
        Py_DecRef(given[i]);
    return answer;
}

/* Whether NumPy shall at most warn about floating-point errors, as far as can be told quickly. */
static bool is_quiet(void)
{
    Object *setting = NULL;
    PyContextVar_Get(&ag_setting, NULL, &setting);
    if (!setting)
        return false;
    Py_DecRef(setting); /* the variable has it still */
    return setting == ag_quiet;
}

/* A tuple of some objects; null after an error. */
static Object *tuple_of(Object *const *objects, int64_t count)
{
    Object *tuple = PyTuple_New(count);
    for (int64_t i = 0; tuple && i < count; i++) {
        Py_IncRef(objects[i]);
        items_of(tuple)[i] = objects[i];
    }
    return tuple;
}

/* A dict of some objects, by names in a tuple, if there is one; null after an error. */
static Object *dict_of(Object *names, Object *const *objects)
{
    Object *dict = PyDict_New();
    int64_t count = names ? PyTuple_Size(names) : 0;
    for (int64_t i = 0; dict && i < count; i++)
        if (PyDict_SetItem(dict, items_of(names)[i], objects[i])) {
            Py_DecRef(dict);
            return NULL;
        }
    return dict;
}

/* The call as Python sees it, with a tuple and a dict. */
static Object *look_up(Object *self, Object *const *arguments, int64_t count, Object *names)
{
    Object *args = tuple_of(arguments, count);
    if (!args)
        return NULL;
    Object *answer = NULL, *kwargs = dict_of(names, arguments + count);
    if (kwargs) {
        Object *given[] = {self, args, kwargs};
        answer = PyObject_VectorcallDict(&ag_look_up, given, 3, NULL);
        Py_DecRef(kwargs);
    }
    Py_DecRef(args);
    return answer;
}

Object *ag_call(Object *self, Object *const *arguments, int64_t count, Object *names)
{
    Object *records = *(Object **)((char *)self + ag_records_offset);
    if (ag_recording || !records || !is_quiet())
        return look_up(self, arguments, count, names);
    Py_IncRef(records); /* the object may get other ones meanwhile */
    Object *answer = &missed;
    int64_t number = PyTuple_Size(records);
    for (int64_t i = 0; i < number && answer == &missed; i++)
        answer = call_by(items_of(items_of(records)[i]), arguments, count, names);
    Py_DecRef(records);
    return answer == &missed ? look_up(self, arguments, count, names) : answer;
}
