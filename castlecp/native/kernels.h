/* What every kernel in C rests on: see translate.py for the laws. */
#define Py_LIMITED_API_WANTED 0x030b0000
#ifndef Py_GIL_DISABLED
#define Py_LIMITED_API Py_LIMITED_API_WANTED
#endif
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int64_t *at; int64_t len; } array_int64;
typedef struct { uint32_t *at; int64_t len; } array_uint32;
typedef struct { uint8_t *at; int64_t len; } array_uint8;

/* Place `i` of an array. A build with -DCHECKED ends the process where there is none. */
#ifdef CHECKED
static inline int64_t checked(int64_t i, int64_t len, const char *file, int line)
{
    if (i >= 0 && i < len) return i;
    fprintf(stderr, "%s:%d: index %lld of %lld\n", file, line, (long long)i, (long long)len);
    abort();
}
#define AT(array, i) (array).at[checked(i, (array).len, __FILE__, __LINE__)]
#else
#define AT(array, i) (array).at[i]
#endif

/* Python's // and %, which round down; by 0 they are 0. Nothing traps. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    if (b == 0) return 0;
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t floor_mod(int64_t a, int64_t b)
{
    if (b == 0 || b == -1) return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static inline int64_t shift_left(int64_t a, int64_t b) { return (int64_t)((uint64_t)a << b); }
static inline int64_t min_of(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_of(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t abs_of(int64_t a) { return a < 0 ? (int64_t)(0 - (uint64_t)a) : a; }

/* The arguments of a call: buffers are held until it returns. */
typedef struct { Py_buffer *views; int used; } held;

static inline bool take_int64_t(PyObject *from, int64_t *to, held *hold)
{
    (void)hold;
    if (!from) return false;
    *to = PyLong_AsLongLong(from);
    return *to != -1 || !PyErr_Occurred();
}

static inline bool take_bool(PyObject *from, bool *to, held *hold)
{
    int64_t value;
    if (!take_int64_t(from, &value, hold)) return false;
    *to = value != 0;
    return true;
}

static inline void *take_buffer(PyObject *from, int64_t *len, int size, const char *formats, held *hold)
{
    if (!from) return NULL;
    Py_buffer *view = &hold->views[hold->used];
    if (PyObject_GetBuffer(from, view, PyBUF_CONTIG | PyBUF_FORMAT)) return NULL;
    hold->used++;
    const char *format = view->format ? view->format : "B";
    if (view->itemsize != size || view->ndim != 1 || format[0] == 0 || format[1] != 0
        || !strchr(formats, format[0])) {
        PyErr_Format(PyExc_TypeError, "a flat array of %d-byte integers is needed, not `%s` in %d dimensions",
                     size, format, view->ndim);
        return NULL;
    }
    *len = view->len / size;
    return view->buf;
}

#define TAKE(array, formats)                                                              \
    static inline bool take_##array(PyObject *from, array *to, held *hold)                \
    {                                                                                     \
        to->len = 0;                                                                      \
        to->at = take_buffer(from, &to->len, sizeof *to->at, formats, hold);              \
        return to->at || !PyErr_Occurred();                                               \
    }
TAKE(array_int64, "ql")
TAKE(array_uint32, "IL")
TAKE(array_uint8, "B")

/* A record is a tuple with so many fields. */
static inline bool is_record(PyObject *from, int fields)
{
    if (from && PyTuple_Check(from) && PyTuple_Size(from) == fields) return true;
    PyErr_Format(PyExc_TypeError, "a tuple with %d fields is needed", fields);
    return false;
}

static inline bool is_call(Py_ssize_t given, int needed)
{
    if (given == needed) return true;
    PyErr_Format(PyExc_TypeError, "%d arguments are needed, not %zd", needed, given);
    return false;
}

static inline void let_go(held *hold)
{
    while (hold->used > 0) PyBuffer_Release(&hold->views[--hold->used]);
}
