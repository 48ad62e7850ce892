/* Whether the arguments of a call are nested and typed as those of an earlier one, and what their
 * leaves are.
 *
 * A pattern is words of 8 bytes, numbers and addresses: how many leaves it takes, how many lists,
 * dicts, objects and cells there are, which have to be different ones, and for how many there has to
 * be room; how many symbols there are, and what each is at least and at most; what has to hold outside of the arguments; how many objects from outside come before the arguments, and each with a node, which is
 * followed by those inside it; how many positional arguments there are, and a node for each; how many
 * keyword arguments, and for each its name and a node.
 * `autograph.kernels.native.matching` writes them.
 *
 * A header, so that it becomes part of what uses it: a call through a table would be felt.
 */

#ifndef MATCH_H
#define MATCH_H

#include "objects.h"

/* A word of a pattern. */
typedef union {
    int64_t number;
    Object *object;
    Object **address;
} Word;

/* What a node begins with, and what follows in it. */
enum {
    LEAF,      /* type: of exactly this type */
    ARRAY,     /* ArrayType: a leaf, an array of this dtype and shape, in any memory layout */
    IDENTICAL, /* object: this object */
    EQUAL,     /* object: an object of the same type, a str, int or float, that is equal */
    TUPLE,     /* type, count, nodes: of this class of tuples */
    LIST,      /* count, nodes; or of any length, and nothing is known of what is in it: -1, or -2
                * if the list is itself a leaf */
    DICT,      /* count, then for each item the key and a node: with these keys in this order */
    OBJECT,    /* type, and the same of its attributes */
    SLOTTED,   /* type, count, then for each slot where it lies and a node; and the same of its
                * other attributes, or -1 if it can have none */
    HELD,      /* nothing: a cell, followed by the node of what it holds */
    SAME,      /* object: this object, which is also like the node that follows */
    NUMBER,    /* bits: a float of these */
    LIKE,      /* ArrayType: as ARRAY, but no leaf */
};

/* The same of what is outside. */
enum {
    END,    /* nothing more */
    BOUND,  /* dict key object: what the dict has at the key is this object */
    CELL,   /* cell object: the cell holds this object */
    ABSENT, /* dict key: the dict has no such key */
    FIELD,  /* address word: this is at the address */
    INSIDE, /* object node: the object is like the node, in which are no leaves */
};

enum { PY_EQ = 2 };

/* Whether an object is another one, or has the same type and is equal. Of the types that patterns
 * have here, comparing runs no code of the user's. */
static bool is_equal(Object *object, Object *wanted)
{
    if (object == wanted)
        return true;
    return object->type == wanted->type && PyObject_RichCompareBool(object, wanted, PY_EQ) == 1;
}

/* What has been met in a call: where the next leaf goes, and the next container; and the first. */
typedef struct {
    Object **leaf, **container;
    Object *const *containers;
    const Word *bounds; /* of each symbol, what it is at least and at most */
    int64_t *lengths;   /* what each symbol is, or -1 as long as that is not known */
} Met;

/* Whether an array, which `is_like` a type, has the lengths that the symbols in it are. */
static bool has_lengths(const Array *array, const ArrayType *type, Met *met)
{
    for (int64_t d = 0; d < type->ndim; d++) {
        if (type->sizes[d] >= 0)
            continue;
        int64_t symbol = -1 - type->sizes[d], size = array->sizes[d];
        if (met->lengths[symbol] < 0) {
            if (size < met->bounds[2 * symbol].number || size > met->bounds[2 * symbol + 1].number)
                return false;
            met->lengths[symbol] = size;
        }
        if (met->lengths[symbol] != size)
            return false;
    }
    return true;
}

/* Whether a container has not been met. */
static bool is_new(Object *container, Met *met)
{
    for (Object *const *other = met->containers; other < met->container; other++)
        if (*other == container)
            return false;
    *met->container++ = container;
    return true;
}

static const Word *match(Object *object, const Word *pattern, Met *met);

/* The items of a tuple or list, which has as many as the pattern. */
static const Word *match_items(Object *object, bool is_tuple, int64_t count, const Word *pattern,
                               Met *met)
{
    for (int64_t i = 0; i < count && pattern; i++) {
        Object *item = is_tuple ? items_of(object)[i] : PyList_GetItem(object, i);
        pattern = match(item, pattern, met);
    }
    return pattern;
}

/* The items of a dict, whose number is first in the pattern. */
static const Word *match_dict(Object *dict, const Word *pattern, Met *met)
{
    int64_t count = pattern++->number, position = 0;
    if (PyDict_Size(dict) != count)
        return NULL;
    Object *key, *value;
    for (int64_t i = 0; i < count && pattern; i++) {
        if (!PyDict_Next(dict, &position, &key, &value) || !is_equal(key, pattern[0].object))
            return NULL;
        pattern = match(value, pattern + 1, met);
    }
    return pattern;
}

/* The attributes of an object of a class whose instances have nothing else. */
static const Word *match_attributes(Object *object, const Word *pattern, Met *met)
{
    Object *attributes = PyObject_GenericGetDict(object, NULL);
    if (!attributes) {
        PyErr_Clear();
        return NULL;
    }
    pattern = match_dict(attributes, pattern, met);
    Py_DecRef(attributes); /* the object has it still */
    return pattern;
}

/* The attributes of an object of a class with slots. */
static const Word *match_slots(Object *object, const Word *pattern, Met *met)
{
    int64_t count = pattern++->number;
    for (int64_t i = 0; i < count && pattern; i++) {
        Object *value = *(Object **)((char *)object + pattern[0].number);
        pattern = value ? match(value, pattern + 1, met) : NULL;
    }
    if (!pattern || pattern[0].number >= 0)
        return pattern ? match_attributes(object, pattern, met) : NULL;
    return pattern + 1;
}

/* What a cell holds. */
static const Word *match_held(Object *cell, const Word *pattern, Met *met)
{
    Object *content = PyCell_Get(cell);
    if (!content)
        return NULL;
    pattern = match(content, pattern, met);
    Py_DecRef(content); /* the cell has it still */
    return pattern;
}

/* The bits of a float. */
static int64_t bits_of(Object *number)
{
    union {
        double value;
        int64_t bits;
    } both = {PyFloat_AsDouble(number)};
    return both.bits;
}

/* Match an object with a node, and put its leaves where they go. Returns the next node, or
 * null if it does not match. Patterns end somewhere, so this does too. */
static const Word *match(Object *object, const Word *pattern, Met *met)
{
    const Word word = pattern[1], *next = pattern + 2;
    switch (pattern[0].number) {
    case LEAF:
        if (object->type != word.object)
            return NULL;
        *met->leaf++ = object;
        return next;
    case LIKE:
    case ARRAY: {
        const ArrayType *type = (const ArrayType *)(pattern + 1);
        if (object->type != &PyArray_Type || !is_like((Array *)object, type) ||
            !has_lengths((Array *)object, type, met))
            return NULL;
        if (pattern[0].number == ARRAY)
            *met->leaf++ = object;
        return (const Word *)(type->sizes + type->ndim);
    }
    case IDENTICAL:
        return object == word.object ? next : NULL;
    case EQUAL:
        return is_equal(object, word.object) ? next : NULL;
    case TUPLE:
        if (object->type != word.object || PyTuple_Size(object) != next->number)
            return NULL;
        return match_items(object, true, next->number, next + 1, met);
    case LIST:
        if (object->type != &PyList_Type)
            return NULL;
        if (word.number == -2)
            *met->leaf++ = object;
        if (word.number < 0)
            return is_new(object, met) ? next : NULL;
        if (PyList_Size(object) != word.number)
            return NULL;
        return is_new(object, met) ? match_items(object, false, word.number, next, met) : NULL;
    case DICT:
        if (object->type != &PyDict_Type || !is_new(object, met))
            return NULL;
        return match_dict(object, pattern + 1, met);
    case OBJECT:
        if (object->type != word.object || !is_new(object, met))
            return NULL;
        return match_attributes(object, next, met);
    case SLOTTED:
        if (object->type != word.object || !is_new(object, met))
            return NULL;
        return match_slots(object, next, met);
    case HELD:
        return is_new(object, met) ? match_held(object, pattern + 1, met) : NULL;
    case SAME:
        return object == word.object ? match(object, next, met) : NULL;
    case NUMBER:
        return object->type == &PyFloat_Type && bits_of(object) == word.number ? next : NULL;
    }
    return NULL;
}

/* Whether a cell holds an object. */
static bool holds(Object *cell, Object *wanted)
{
    Object *content = PyCell_Get(cell);
    if (content)
        Py_DecRef(content); /* the cell has it still */
    return content && content == wanted;
}

/* Whether a dict has no such key. A key may fail to be compared. */
static bool lacks(Object *dict, Object *key)
{
    Object *present = PyDict_GetItemWithError(dict, key);
    PyErr_Clear();
    return !present;
}

/* Whether what is outside the function is what it was: the first word after that, or null. */
static const Word *match_outside(const Word *words, Met *met)
{
    for (;;) {
        bool same;
        switch (words[0].number) {
        case BOUND:
            same = PyDict_GetItemWithError(words[1].object, words[2].object) == words[3].object;
            words += 4;
            break;
        case CELL:
            same = holds(words[1].object, words[2].object);
            words += 3;
            break;
        case ABSENT:
            same = lacks(words[1].object, words[2].object);
            words += 3;
            break;
        case FIELD:
            same = *words[1].address == words[2].object;
            words += 3;
            break;
        case INSIDE: {
            Met inside = *met; /* what is met in one is nothing to the others */
            inside.containers = inside.container;
            words = match(words[1].object, words + 2, &inside);
            same = words;
            break;
        }
        default: /* END */
            return words + 1;
        }
        if (!same) {
            PyErr_Clear(); /* a key may fail to be compared */
            return NULL;
        }
    }
}

/* Match the arguments of a call, as METH_FASTCALL | METH_KEYWORDS passes them, and put the leaves
 * and the containers into `found` and `containers`. What is outside comes first: from the first
 * argument on, no code of the user's runs, which might change what is in lists and dicts. */
static bool match_call(Object *const *arguments, int64_t count, Object *names,
                       const Word *pattern, Object **found, Object **containers)
{
    int64_t symbols = pattern[3].number, lengths[symbols + 1];
    for (int64_t n = 0; n < symbols; n++)
        lengths[n] = -1;
    Met met = {found, containers, containers, pattern + 4, lengths};
    pattern = match_outside(pattern + 4 + 2 * symbols, &met);
    if (!pattern)
        return false;
    int64_t roots = pattern++->number;
    for (int64_t i = 0; i < roots; i++) {
        pattern = match(pattern[0].object, pattern + 1, &met);
        if (!pattern)
            return false;
    }
    if (pattern[0].number != count)
        return false;
    pattern++;
    for (int64_t i = 0; i < count; i++) {
        pattern = match(arguments[i], pattern, &met);
        if (!pattern)
            return false;
    }
    int64_t keywords = names ? PyTuple_Size(names) : 0;
    if (pattern[0].number != keywords)
        return false;
    pattern++;
    for (int64_t k = 0; k < keywords; k++) {
        if (!is_equal(items_of(names)[k], pattern[0].object))
            return false;
        pattern = match(arguments[count + k], pattern + 1, &met);
        if (!pattern)
            return false;
    }
    return true;
}

#endif
