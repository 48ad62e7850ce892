/* The function that Python calls for a kernel: METH_FASTCALL.
 *
 * One function serves all kernels. What is special to a kernel is its plan, a table that
 * `autograph.kernels.native.entry` writes: a Plan, then one Parameter for each parameter, then one
 * Result for each result; after each of those the sizes of its dimensions, if it is an array. Sizes
 * that only the call tells are negative: -1 is the first of the lengths that follow the last result.
 *
 * `self` is a tuple: a bytes object with the plan, then the function to call if an argument is not
 * what the plan says or the kernel gives up, then what else has to live as long as this one.
 */

#include "memory.h"
#include "objects.h"

extern Object PyComplex_Type;
Object *PyComplex_FromDoubles(double, double);

typedef struct {
    int32_t (*kernel)(uint64_t *inputs, void **outputs);
    int64_t parameters;
    int64_t results;
    int64_t visible;      /* the number of results in Python, or -1: one that is not in a tuple */
    int64_t least;        /* the GIL is released while it runs if one of some inputs is so much: */
    uint64_t counts;      /* those of the bits that are set; 0 for `least`: it always is */
    int64_t symbols;      /* of the lengths so many, the first ones, are further inputs of the kernel */
    int64_t lengths;      /* how many there are */
    int64_t numbers;      /* how many the kernel writes at most that are no elements of arrays */
} Plan;

/* How a length is found: it is that of an axis of a parameter, less a number; a sum of products of
 * numbers and lengths before it; or a length before it, divided by a number. */
enum { OF_AXIS, POLYNOMIAL, QUOTIENT };

/* What a parameter may be, a sum. The kernel gets a complex number by its address. */
enum { PYTHON_NUMBER = 1, NUMPY_SCALAR = 2, ARRAY_AS_NUMBER = 4, ARRAY = 8, BY_ADDRESS = 16 };

/* A Python number. */
enum { NO_NUMBER, FLOAT, INT, BOOL, COMPLEX, UNSIGNED_INT, BITS_OF_INT };

typedef struct {
    int64_t forms;
    int64_t python_kind;
    Object *scalar_type;
    int64_t bytes; /* of a number */
    ArrayType type;
} Parameter;

/* What a result is: a new array; a number, as a NumPy scalar or as a Python number; a parameter
 * itself; something that is written to a parameter, and is no result in Python; a new array of which
 * the kernel gives the address, in memory from ag_take, and then the lengths that are -1 in its sizes
 * here; a Python number. */
enum {
    NEW_ARRAY,
    SCALAR,
    PYTHON_FLOAT,
    PYTHON_INT,
    PYTHON_BOOL,
    SAME,
    INTO,
    GROWN_ARRAY,
    PYTHON_COMPLEX,
    PYTHON_UNSIGNED_INT
};

typedef struct {
    int64_t kind;
    Descr *descr;
    int64_t parameter;
    int64_t bytes; /* of an array if its memory comes from ag_take, or 0; of an element of a grown
                    * one; of an element of one whose size only the call tells, negative */
    int64_t ndim;
    int64_t sizes[];
} Result;

/* What a kernel returns: 0, or a sum. From INTERRUPTED on, Python has an exception. */
enum { GAVE_UP = 1, NO_MEMORY = 2, INTERRUPTED = 4 };

/* Bytes of a result from which on its memory comes from ag_take. */
enum { BIG = 1 << 16 };

/* NumPy's flags of arrays. */
enum { C_CONTIGUOUS = 0x1, OWN_DATA = 0x4, ALIGNED = 0x100, WRITEABLE = 0x400 };

/* How far a call has come. */
typedef struct {
    const Plan *plan;
    const Result *results;
    Object *const *arguments;
    uint64_t *inputs;
    uint64_t *numbers; /* where the kernel writes numbers, room for `numbers_of` each result */
    void **outputs;    /* where it writes */
    int64_t *lengths;  /* those that only the call tells */
    Object **objects;  /* results as Python objects, null if there is none */
    int64_t made;      /* how many of those there may be */
} Call;

typedef enum { DONE, UNUSABLE, RAISED } Outcome;

Object *ag_array_memory = NULL; /* a capsule with our PyDataMem_Handler */

static const Parameter *next_parameter(const Parameter *parameter)
{
    return (const Parameter *)(parameter->type.sizes + parameter->type.ndim);
}

static const Result *next_result(const Result *result)
{
    return (const Result *)(result->sizes + result->ndim);
}

/* For how many numbers a result has room: a complex number is two, a grown array an address and its
 * lengths. */
static int64_t numbers_of(const Result *result)
{
    return 2 + result->ndim;
}

/* -- arguments to inputs of the kernel --------------------------------------------------------- */

/* Copy a number of 1, 2, 4 or 8 bytes. */
static void copy_number(uint64_t *to, const void *from, int64_t bytes)
{
    switch (bytes) {
    case 1:
        __builtin_memcpy(to, from, 1);
        break;
    case 2:
        __builtin_memcpy(to, from, 2);
        break;
    case 4:
        __builtin_memcpy(to, from, 4);
        break;
    default:
        __builtin_memcpy(to, from, 8);
    }
}

/* What follows the head of an object: the value of a float, or of a NumPy scalar. */
static const void *value_of(Object *object)
{
    return object + 1;
}

uint64_t PyLong_AsUnsignedLongLong(Object *);
uint64_t PyLong_AsUnsignedLongLongMask(Object *);
Object *PyLong_FromUnsignedLongLong(uint64_t);
Object *PyErr_Occurred(void);
void PyErr_Clear(void);

/* A Python int to its value: whether it fits into 64 bits without a sign. */
static bool convert_unsigned(Object *argument, uint64_t *input)
{
    int32_t overflow = 0;
    int64_t number = PyLong_AsLongLongAndOverflow(argument, &overflow);
    *input = (uint64_t)number;
    if (overflow <= 0)
        return !overflow && number >= 0;
    *input = PyLong_AsUnsignedLongLong(argument);
    if (*input == UINT64_MAX && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    return true;
}

/* A Python number to its value: whether it is exactly of the kind, and an int fits into 64 bits. */
static bool convert_python(Object *argument, int64_t kind, uint64_t *input)
{
    switch (kind) {
    case FLOAT:
        if (argument->type != &PyFloat_Type)
            return false;
        copy_number(input, value_of(argument), 8);
        return true;
    case INT: {
        if (argument->type != &PyLong_Type)
            return false;
        int32_t overflow = 0;
        *input = (uint64_t)PyLong_AsLongLongAndOverflow(argument, &overflow);
        return !overflow;
    }
    case BOOL:
        *(uint8_t *)input = argument == &_Py_TrueStruct;
        return argument == &_Py_TrueStruct || argument == &_Py_FalseStruct;
    case COMPLEX:
        *input = (uint64_t)value_of(argument);
        return argument->type == &PyComplex_Type;
    case UNSIGNED_INT:
        return argument->type == &PyLong_Type && convert_unsigned(argument, input);
    case BITS_OF_INT:
        if (argument->type != &PyLong_Type)
            return false;
        *input = PyLong_AsUnsignedLongLongMask(argument);
        return true;
    }
    return false;
}

/* An array to its address, or to its only element. */
static bool convert_array(const Array *array, const Parameter *parameter, uint64_t *input)
{
    const int32_t needed = C_CONTIGUOUS | ALIGNED;
    if ((array->flags & needed) != needed || !is_like(array, &parameter->type))
        return false;
    if (parameter->forms & (ARRAY | BY_ADDRESS))
        *input = (uint64_t)array->data;
    else
        copy_number(input, array->data, parameter->bytes);
    return true;
}

/* An argument to an input: an address or a number. Whether it is what the parameter says. */
static bool convert(Object *argument, const Parameter *parameter, uint64_t *input)
{
    if (parameter->forms & (ARRAY | ARRAY_AS_NUMBER) && argument->type == &PyArray_Type)
        return convert_array((Array *)argument, parameter, input);
    if (parameter->forms & NUMPY_SCALAR && argument->type == parameter->scalar_type) {
        if (parameter->forms & BY_ADDRESS)
            *input = (uint64_t)value_of(argument);
        else
            copy_number(input, value_of(argument), parameter->bytes);
        return true;
    }
    if (parameter->forms & PYTHON_NUMBER)
        return convert_python(argument, parameter->python_kind, input);
    return false;
}

/* All arguments; what follows the last parameter, which is the first result, or null. */
static const Result *convert_all(const Call *call, const Parameter *parameter)
{
    for (int64_t i = 0; i < call->plan->parameters; i++) {
        if (!convert(call->arguments[i], parameter, &call->inputs[i]))
            return NULL;
        parameter = next_parameter(parameter);
    }
    return (const Result *)parameter;
}

/* -- lengths ----------------------------------------------------------------------------------- */

/* Find the lengths that only the call tells, the symbols of which become inputs of the kernel.
 *
 * A polynomial is the number of its terms, and for each a coefficient, the number of factors, and
 * these. */
static void find_lengths(const Call *call, const int64_t *table)
{
    const Plan *plan = call->plan;
    for (int64_t n = 0; n < plan->lengths; n++) {
        int64_t found = 0;
        switch (*table++) {
        case OF_AXIS:
            found = ((Array *)call->arguments[table[0]])->sizes[table[1]] - table[2];
            table += 3;
            break;
        case QUOTIENT: {
            int64_t of = call->lengths[table[0]], by = table[1];
            found = of / by - (of % by < 0);
            table += 2;
            break;
        }
        default: {
            int64_t terms = *table++;
            for (int64_t t = 0; t < terms; t++) {
                int64_t product = *table++, factors = *table++;
                for (int64_t f = 0; f < factors; f++)
                    product *= call->lengths[*table++];
                found += product;
            }
        }
        }
        call->lengths[n] = found;
        if (n < plan->symbols)
            call->inputs[plan->parameters + n] = (uint64_t)found;
    }
}

/* Whether the arrays have the lengths that they should have. */
static bool lengths_agree(const Call *call, const Parameter *parameter)
{
    for (int64_t i = 0; i < call->plan->parameters; i++) {
        const ArrayType *type = &parameter->type;
        for (int64_t d = 0; d < type->ndim; d++)
            if (type->sizes[d] < 0 &&
                ((Array *)call->arguments[i])->sizes[d] != call->lengths[-1 - type->sizes[d]])
                return false;
        parameter = next_parameter(parameter);
    }
    return true;
}

/* What follows the results. */
static const int64_t *table_of_lengths(const Call *call)
{
    const Result *result = call->results;
    for (int64_t r = 0; r < call->plan->results; r++)
        result = next_result(result);
    return (const int64_t *)result;
}

/* Find the lengths, and tell whether the arguments have them. */
static bool measure(const Call *call)
{
    if (!call->plan->lengths)
        return true;
    find_lengths(call, table_of_lengths(call));
    return lengths_agree(call, (const Parameter *)(call->plan + 1));
}

/* -- results ----------------------------------------------------------------------------------- */

/* A new array with memory of ours, which is given back as NumPy's own is: by the array's memory
 * handler, when the array goes; at once after an error, which null tells. It takes a reference of
 * the dtype. */
static Array *array_of_block(const Result *result, const int64_t *sizes, void *block, uint64_t bytes)
{
    Array *array =
        PyArray_NewFromDescr(&PyArray_Type, result->descr, (int32_t)result->ndim, sizes, NULL,
                             block, C_CONTIGUOUS | ALIGNED | WRITEABLE, NULL);
    if (!array) {
        ag_give(block, bytes);
        return NULL;
    }
    array->flags |= OWN_DATA;
    Py_IncRef(ag_array_memory);
    array->memory_handler = ag_array_memory;
    /* as NumPy does: the domain of its arrays */
    PyTraceMalloc_Track(389047, (uint64_t)block, bytes);
    return array;
}

/* The same with a new block. */
static Array *array_of_our_memory(const Result *result, const int64_t *sizes, uint64_t bytes)
{
    void *block = ag_take(bytes);
    if (!block) {
        Py_DecRef(&result->descr->head);
        PyErr_NoMemory();
        return NULL;
    }
    return array_of_block(result, sizes, block, bytes);
}

/* The same with the block, and the lengths, that the kernel has given. */
static Array *grown_array(const Result *result, uint64_t *number)
{
    int64_t sizes[result->ndim], bytes = result->bytes;
    const uint64_t *length = number + 1;
    for (int64_t d = 0; d < result->ndim; d++) {
        sizes[d] = result->sizes[d] < 0 ? (int64_t)*length++ : result->sizes[d];
        bytes *= sizes[d];
    }
    void *block = (void *)number[0];
    number[0] = 0; /* it is the array's */
    Py_IncRef(&result->descr->head);
    return array_of_block(result, sizes, block, (uint64_t)bytes);
}

/* A new array of sizes that only the call tells; null after an error. */
static Array *measured_array(const Result *result, const int64_t *lengths)
{
    int64_t sizes[result->ndim], bytes = -result->bytes;
    for (int64_t d = 0; d < result->ndim; d++) {
        sizes[d] = result->sizes[d] < 0 ? lengths[-1 - result->sizes[d]] : result->sizes[d];
        bytes *= sizes[d];
    }
    if (bytes >= BIG)
        return array_of_our_memory(result, sizes, (uint64_t)bytes);
    return PyArray_Empty((int32_t)result->ndim, sizes, result->descr, 0);
}

/* A new array; null after an error. */
static Array *new_array(const Result *result, const int64_t *lengths)
{
    Py_IncRef(&result->descr->head); /* each of NumPy's functions takes a reference */
    if (result->bytes < 0)
        return measured_array(result, lengths);
    if (result->bytes)
        return array_of_our_memory(result, result->sizes, (uint64_t)result->bytes);
    return PyArray_Empty((int32_t)result->ndim, result->sizes, result->descr, 0);
}

/* Where the kernel writes a result, and its Python object if it is there before the kernel runs. */
static Outcome prepare(const Call *call, const Result *result, uint64_t *number, void **output,
                       Object **object)
{
    Object *argument;
    *object = NULL;
    switch (result->kind) {
    case NEW_ARRAY: {
        Array *array = new_array(result, call->lengths);
        if (!array)
            return RAISED;
        *object = &array->head;
        *output = array->data;
        return DONE;
    }
    case SAME:
        argument = call->arguments[result->parameter];
        Py_IncRef(argument);
        *object = argument;
        return DONE;
    case INTO:
        argument = call->arguments[result->parameter];
        if (!(((Array *)argument)->flags & WRITEABLE))
            return UNUSABLE;
        *output = ((Array *)argument)->data;
        return DONE;
    default:
        number[0] = number[1] = 0;
        *output = number;
        return DONE;
    }
}

static Outcome prepare_all(Call *call)
{
    const Result *result = call->results;
    void **output = call->outputs; /* there is none for a parameter itself */
    uint64_t *number = call->numbers;
    for (int64_t r = 0; r < call->plan->results; r++) {
        call->made = r + 1;
        Outcome outcome = prepare(call, result, number, output, &call->objects[r]);
        if (outcome != DONE)
            return outcome;
        output += result->kind != SAME;
        number += numbers_of(result);
        result = next_result(result);
    }
    return DONE;
}

/* Whether the kernel takes so long that other threads of Python shall run meanwhile. */
static bool takes_long(const Call *call)
{
    const Plan *plan = call->plan;
    bool is_long = !plan->least;
    for (uint64_t left = plan->counts; left && !is_long; left &= left - 1)
        is_long = (int64_t)call->inputs[__builtin_ctzll(left)] >= plan->least;
    return is_long;
}

static Outcome run(const Call *call)
{
    int32_t status;
    if (takes_long(call)) {
        void *thread = PyEval_SaveThread();
        status = call->plan->kernel(call->inputs, call->outputs);
        PyEval_RestoreThread(thread);
    } else {
        status = call->plan->kernel(call->inputs, call->outputs);
    }
    if ((uint32_t)status >= INTERRUPTED)
        return RAISED;
    if (status & GAVE_UP)
        return UNUSABLE;
    if (status)
        PyErr_NoMemory();
    return status ? RAISED : DONE;
}

/* The Python object of a result that is a number, or a grown array; null after an error. */
static Object *box(const Result *result, uint64_t *number)
{
    switch (result->kind) {
    case SCALAR:
        return PyArray_Scalar(number, result->descr, NULL);
    case PYTHON_FLOAT:
        return PyFloat_FromDouble(*(double *)number);
    case PYTHON_COMPLEX:
        return PyComplex_FromDoubles(((double *)number)[0], ((double *)number)[1]);
    case GROWN_ARRAY: {
        Array *array = grown_array(result, number);
        return array ? &array->head : NULL;
    }
    case PYTHON_INT:
        return PyLong_FromLongLong((int64_t)*number);
    case PYTHON_UNSIGNED_INT:
        return PyLong_FromUnsignedLongLong(*number);
    default: {
        Object *truth = *(uint8_t *)number ? &_Py_TrueStruct : &_Py_FalseStruct;
        Py_IncRef(truth);
        return truth;
    }
    }
}

static Outcome box_all(const Call *call)
{
    const Result *result = call->results;
    uint64_t *number = call->numbers;
    for (int64_t r = 0; r < call->plan->results; r++) {
        bool is_number = SCALAR <= result->kind && result->kind <= PYTHON_BOOL;
        if (is_number || result->kind >= GROWN_ARRAY) {
            call->objects[r] = box(result, number);
            if (!call->objects[r])
                return RAISED;
        }
        number += numbers_of(result);
        result = next_result(result);
    }
    return DONE;
}

/* What Python gets: the only object, or a tuple of all that there are; null after an error. */
static Object *collect(const Call *call)
{
    Object *answer = NULL, **place = &answer;
    if (call->plan->visible >= 0) {
        answer = PyTuple_New(call->plan->visible);
        if (!answer)
            return NULL;
        place = items_of(answer);
    }
    for (int64_t r = 0; r < call->plan->results; r++)
        if (call->objects[r])
            *place++ = call->objects[r];
    return answer;
}

/* Release the results that there are, and the blocks that the kernel has given and no array has. */
static void drop(const Call *call)
{
    const Result *result = call->results;
    const uint64_t *number = call->numbers;
    for (int64_t r = 0; r < call->made; r++) {
        if (call->objects[r])
            Py_DecRef(call->objects[r]);
        if (result->kind == GROWN_ARRAY && number[0])
            ag_give((void *)number[0], 0);
        number += numbers_of(result);
        result = next_result(result);
    }
}

/* -- the call ---------------------------------------------------------------------------------- */

static Outcome make_results(Call *call)
{
    Outcome outcome = prepare_all(call);
    if (outcome == DONE)
        outcome = run(call);
    return outcome == DONE ? box_all(call) : outcome;
}

static Object *call_slow(Object *self, Object *const *arguments, int64_t count)
{
    return PyObject_VectorcallDict(items_of(self)[1], arguments, count, NULL);
}

Object *ag_entry(Object *self, Object *const *arguments, int64_t count)
{
    const Plan *plan = contents_of(items_of(self)[0]);
    if (count != plan->parameters)
        return call_slow(self, arguments, count);
    uint64_t inputs[plan->parameters + plan->symbols + 1], numbers[plan->numbers + 1];
    int64_t lengths[plan->lengths + 1];
    void *outputs[plan->results + 1];
    Object *objects[plan->results + 1];
    Call call = {plan, NULL, arguments, inputs, numbers, outputs, lengths, objects, 0};
    call.results = convert_all(&call, (const Parameter *)(plan + 1));
    Outcome outcome = call.results && measure(&call) ? make_results(&call) : UNUSABLE;
    Object *answer = outcome == DONE ? collect(&call) : NULL;
    if (answer)
        return answer;
    drop(&call);
    return outcome == UNUSABLE ? call_slow(self, arguments, count) : NULL;
}
