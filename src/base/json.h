/* base/json.h - JSON: a tree of values, read from text and written as text. A value has owners: its
 * creator is one, and an array or object that receives it becomes one. A function that creates a
 * value returns NULL if out of memory. A function that receives NULL as a value fails, so the
 * caller only checks the end result. A function that queries a value accepts NULL and values of
 * another kind, and returns NULL, 0 or false. */
#ifndef FACET_BASE_JSON_H
#define FACET_BASE_JSON_H

#include <facet/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct facet_json facet_json;

/* -- Creation ----------------------------------------------------------- */

/* null, true and false are constants and have no owner. */
facet_json *facet_json_null(void);
facet_json *facet_json_boolean(bool value);
facet_json *facet_json_integer(int64_t value);
facet_json *facet_json_real(double value); /* NULL if it is not finite */
/* Create a string with a copy of the text. NULL if it is not UTF-8. */
facet_json *facet_json_string(const char *text);
facet_json *facet_json_text(const char *text, size_t length);
/* Create a string of any bytes, for a tree that is never written: file names need not be UTF-8. */
facet_json *facet_json_bytes(const char *bytes, size_t length);
facet_json *facet_json_array(void);
facet_json *facet_json_object(void);

facet_json *facet_json_keep(facet_json *value); /* add an owner; returns the value */
void facet_json_free(facet_json *value);        /* remove an owner */

/* Append a value to an array, or set a member of an object, where it replaces an existing one. The
 * container receives the value in any case. Keys keep their order; a key is copied. False if out of
 * memory, or if one of the two is NULL. */
bool facet_json_append(facet_json *array, facet_json *value);
bool facet_json_set(facet_json *object, const char *key, facet_json *value);
/* Set every member of `from` in `object`; `from` is unchanged. */
bool facet_json_update(facet_json *object, const facet_json *from);

/* False for NULL, and for an array or object where adding a value failed for lack of memory. A tree
 * is built by many calls, and this is checked once. Members are not checked; facet_json_print
 * checks them and then returns NULL. */
bool facet_json_is_complete(const facet_json *value);

/* -- Trees in an arena -------------------------------------------------- */

/* The functions above for values that an arena owns; NULL: for other values. Only these functions
 * may add to such arrays and objects, and all values in them must have the same arena. They need no
 * facet_json_free. If out of memory, the arena records why. */
facet_json *facet_json_integer_in(facet_arena *arena, int64_t value);
facet_json *facet_json_real_in(facet_arena *arena, double value);
facet_json *facet_json_string_in(facet_arena *arena, const char *text);
facet_json *facet_json_array_in(facet_arena *arena);
facet_json *facet_json_object_in(facet_arena *arena);
bool facet_json_append_in(facet_arena *arena, facet_json *array, facet_json *value);
bool facet_json_set_in(facet_arena *arena, facet_json *object, const char *key, facet_json *value);
/* Copy a value with all its members. NULL if out of memory, or for an incomplete value. */
facet_json *facet_json_copy_in(facet_arena *arena, const facet_json *value);

/* -- Access ------------------------------------------------------------- */

bool facet_json_is_null(const facet_json *value);
bool facet_json_is_boolean(const facet_json *value);
bool facet_json_is_true(const facet_json *value);
bool facet_json_is_integer(const facet_json *value);
bool facet_json_is_real(const facet_json *value);
bool facet_json_is_number(const facet_json *value); /* integers and reals */
bool facet_json_is_string(const facet_json *value);
bool facet_json_is_array(const facet_json *value);
bool facet_json_is_object(const facet_json *value);

int64_t facet_json_integer_value(const facet_json *value);
double facet_json_number_value(const facet_json *value);
const char *facet_json_string_value(const facet_json *value); /* NUL-terminated */
size_t facet_json_string_length(const facet_json *value);
size_t facet_json_array_size(const facet_json *array);
facet_json *facet_json_array_get(const facet_json *array, size_t index);
size_t facet_json_object_size(const facet_json *object);
facet_json *facet_json_object_get(const facet_json *object, const char *key);
/* Member `index` of an object, in the order of the text. */
const char *facet_json_object_key(const facet_json *object, size_t index);
facet_json *facet_json_object_value(const facet_json *object, size_t index);

/* -- Text --------------------------------------------------------------- */

/* Maximum nesting of arrays and objects. */
#define FACET_JSON_DEPTH 512

/* An error in a text, and its position. */
typedef struct facet_json_fault {
    size_t position; /* in bytes */
    size_t line;     /* from 1 */
    bool memory;     /* the text is valid so far, but out of memory */
    char text[120];  /* one sentence, without the line */
    /* Also of a valid text: number of members whose key occurred in their object before, and the
     * first of these keys, cut, and its position. */
    size_t repeats, repeat_position;
    char repeated[60];
} facet_json_fault;

/* Bits. */
typedef enum facet_json_flags {
    FACET_JSON_UNIQUE_KEYS = 1, /* a repeated key in an object is an error; otherwise the last
                                   one counts */
    FACET_JSON_NUL = 2,         /* strings, but not keys, may contain U+0000 */
    FACET_JSON_LARGE = 4        /* integers that need more than 64 bits become reals */
} facet_json_flags;

/* Read a whole text according to RFC 8259, in UTF-8 without a byte order mark. Integers that need
 * more than 64 bits (without FACET_JSON_LARGE), and reals beyond a double, are errors. Also NULL if
 * out of memory. */
facet_json *facet_json_read(const char *text, size_t size, unsigned flags, facet_json_fault *fault);
/* Like facet_json_read, with the whole tree owned by an arena. Its values may be added to other
 * trees while the arena lives. If out of memory, the arena records why. */
facet_json *facet_json_read_in(facet_arena *arena, const char *text, size_t size, unsigned flags,
                               facet_json_fault *fault);
/* Like facet_json_read for a string, without flags. NULL for NULL. */
facet_json *facet_json_read_text(const char *text);

typedef struct facet_json_style {
    unsigned indent; /* spaces per level; 0: one line, without spaces */
    unsigned digits; /* of reals; 0: 17, which restore every double */
    bool shortest;   /* print reals in the fewest digits that restore them; ignores `digits` */
    bool sorted;     /* sort keys by bytes */
    bool tame;       /* print characters that control a terminal as \uNNNN */
} facet_json_style;

/* Print a value as text. Release the text with free(). NULL if out of memory, for NULL, and if a
 * nested array or object is incomplete. style may be NULL. */
char *facet_json_print(const facet_json *value, const facet_json_style *style);
/* The same, with the text in an arena. */
char *facet_json_print_in(facet_arena *arena, const facet_json *value,
                          const facet_json_style *style);

#endif
