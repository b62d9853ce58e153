/* base/json.c - JSON values. */
#include "base/json_value.h"

#include "base/arena.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From this number of members on, keys are looked up in a table. */
#define FEW_MEMBERS 16

/* -- Memory ------------------------------------------------------------- */

/* Record in a list that a value could not be added. */
static bool miss(facet_json *list, facet_json *value)
{
    if (facet_json_is_array(list) || facet_json_is_object(list))
        list->as.list.is_incomplete = 1;
    facet_json_free(value);
    return false;
}

bool facet_json_is_complete(const facet_json *value)
{
    bool is_list = facet_json_is_array(value) || facet_json_is_object(value);
    return value && !(is_list && value->as.list.is_incomplete);
}

/* -- Creation ----------------------------------------------------------- */

static facet_json null_value = {FACET_JSON_IS_NULL, 0, {0}};
static facet_json true_value = {FACET_JSON_IS_BOOLEAN, 0, {1}};
static facet_json false_value = {FACET_JSON_IS_BOOLEAN, 0, {0}};

facet_json *facet_json_null(void)
{
    return &null_value;
}

facet_json *facet_json_boolean(bool value)
{
    return value ? &true_value : &false_value;
}

/* A value in an arena is owned by the arena: like constant values, it has no owners. */
facet_json *facet_json_make_in(facet_arena *arena, facet_json_kind kind)
{
    facet_json *value =
        arena ? facet_arena_allocate_zeroed(arena, 1, sizeof *value) : calloc(1, sizeof *value);
    if (value) {
        value->kind = kind;
        value->owners = !arena;
    }
    return value;
}

/* The integers that most texts use. They are constants, like null. */
#define DIGIT(digit)              \
    {                             \
        FACET_JSON_IS_INTEGER, 0, \
        {                         \
            digit                 \
        }                         \
    }
static facet_json digits[] = {DIGIT(0), DIGIT(1), DIGIT(2), DIGIT(3), DIGIT(4),
                              DIGIT(5), DIGIT(6), DIGIT(7), DIGIT(8), DIGIT(9)};

facet_json *facet_json_integer_in(facet_arena *arena, int64_t integer)
{
    if (integer >= 0 && integer < 10)
        return &digits[integer];
    facet_json *value = facet_json_make_in(arena, FACET_JSON_IS_INTEGER);
    if (value)
        value->as.integer = integer;
    return value;
}

facet_json *facet_json_integer(int64_t integer)
{
    return facet_json_integer_in(NULL, integer);
}

facet_json *facet_json_real_in(facet_arena *arena, double real)
{
    facet_json *value = isfinite(real) ? facet_json_make_in(arena, FACET_JSON_IS_REAL) : NULL;
    if (value)
        value->as.real = real;
    return value;
}

facet_json *facet_json_real(double real)
{
    return facet_json_real_in(NULL, real);
}

static char *copy_text(facet_arena *arena, const char *text, size_t length)
{
    if (arena)
        return facet_arena_string(arena, text, length);
    char *copy = length < SIZE_MAX ? malloc(length + 1) : NULL;
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

facet_json *facet_json_bytes_in(facet_arena *arena, const char *bytes, size_t length)
{
    size_t head = offsetof(facet_json, as) + sizeof(size_t);
    size_t size = length < SIZE_MAX - head ? head + length + 1 : SIZE_MAX;
    if (size < sizeof(facet_json))
        size = sizeof(facet_json);
    facet_json *value = arena ? facet_arena_allocate(arena, 1, size) : malloc(size);
    if (!value)
        return NULL;
    value->kind = FACET_JSON_IS_STRING;
    value->owners = !arena;
    value->as.length = length;
    char *text = facet_json_characters(value);
    memcpy(text, bytes, length);
    text[length] = '\0';
    return value;
}

facet_json *facet_json_bytes(const char *bytes, size_t length)
{
    return facet_json_bytes_in(NULL, bytes, length);
}

facet_json *facet_json_text(const char *text, size_t length)
{
    return text && facet_utf8_valid(text, length) ? facet_json_bytes(text, length) : NULL;
}

facet_json *facet_json_string_in(facet_arena *arena, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    return text && facet_utf8_valid(text, length) ? facet_json_bytes_in(arena, text, length) : NULL;
}

facet_json *facet_json_string(const char *text)
{
    return facet_json_string_in(NULL, text);
}

facet_json *facet_json_array_in(facet_arena *arena)
{
    return facet_json_make_in(arena, FACET_JSON_IS_ARRAY);
}

facet_json *facet_json_array(void)
{
    return facet_json_array_in(NULL);
}

facet_json *facet_json_object_in(facet_arena *arena)
{
    return facet_json_make_in(arena, FACET_JSON_IS_OBJECT);
}

facet_json *facet_json_object(void)
{
    return facet_json_object_in(NULL);
}

facet_json *facet_json_keep(facet_json *value)
{
    if (value && value->owners > 0)
        value->owners++;
    return value;
}

static void free_members(facet_json *object)
{
    facet_json_members *members = object->as.list.of.members;
    for (uint32_t i = 0; i < object->as.list.count; i++) {
        free(members->items[i].key);
        facet_json_free(members->items[i].value);
    }
    if (members && members->index)
        facet_arena_free(members->index->table.arena); /* the index is in this arena */
    free(members);
}

/* Free a value. Nesting is limited to FACET_JSON_DEPTH for values that were read; a program can
 * nest deeper. */
void facet_json_free(facet_json *value)
{
    if (!value || value->owners == 0 || --value->owners > 0)
        return;
    if (value->kind == FACET_JSON_IS_ARRAY) {
        for (uint32_t i = 0; i < value->as.list.count; i++)
            facet_json_free(value->as.list.of.values[i]);
        free(value->as.list.of.values);
    } else if (value->kind == FACET_JSON_IS_OBJECT) {
        free_members(value);
    }
    free(value);
}

/* -- Lists -------------------------------------------------------------- */

/* Make space for `capacity` values or members; false if out of memory. */
static bool resize(facet_arena *arena, facet_json *list, size_t capacity)
{
    bool object = list->kind == FACET_JSON_IS_OBJECT;
    size_t each = object ? sizeof(facet_json_member) : sizeof(facet_json *);
    size_t head = object ? sizeof(facet_json_members) : 0;
    void *old = object ? (void *)list->as.list.of.members : (void *)list->as.list.of.values;
    if (capacity > INT32_MAX || capacity > (SIZE_MAX - head) / each)
        return false;
    size_t before = old ? head + list->as.list.capacity * each : 0;
    void *resized = arena ? facet_arena_resize(arena, old, before, head + capacity * each, 1)
                          : realloc(old, head + capacity * each);
    if (!resized)
        return false;
    if (object) {
        list->as.list.of.members = resized;
        if (!old)
            list->as.list.of.members->index = NULL;
    } else {
        list->as.list.of.values = resized;
    }
    list->as.list.capacity = (uint32_t)capacity & INT32_MAX;
    return true;
}

static bool has_space(facet_arena *arena, facet_json *list)
{
    size_t count = list->as.list.count;
    return count < list->as.list.capacity || resize(arena, list, count < 2 ? 2 : count * 2);
}

void facet_json_fit(facet_arena *arena, facet_json *list)
{
    if (list->as.list.count > 0 && list->as.list.count < list->as.list.capacity)
        resize(arena, list, list->as.list.count);
}

bool facet_json_append_in(facet_arena *arena, facet_json *array, facet_json *value)
{
    if (value && array != value && facet_json_is_array(array) && has_space(arena, array)) {
        array->as.list.of.values[array->as.list.count++] = value;
        return true;
    }
    return miss(array, value);
}

bool facet_json_append(facet_json *array, facet_json *value)
{
    return facet_json_append_in(NULL, array, value);
}

/* Create a table of the keys, in the arena or in a separate one; false if out of memory. */
static bool make_index(facet_arena *arena, facet_json *object)
{
    facet_arena *own = arena;
    facet_names *index = NULL;
    if (arena || !facet_arena_create(NULL, &own, NULL))
        index = facet_arena_allocate(own, 1, sizeof *index);
    if (index) {
        *index = facet_names_make(own);
        for (size_t i = 0; i < object->as.list.count && index; i++) {
            const facet_json_member *member = &object->as.list.of.members->items[i];
            if (facet_names_put(index, member->key, member->length) == UINT32_MAX)
                index = NULL;
        }
    }
    if (!index && !arena)
        facet_arena_free(own);
    object->as.list.of.members->index = index;
    return index != NULL;
}

static bool add_key(facet_arena *arena, facet_json *object, const char *key, size_t length,
                    facet_json *value)
{
    char *copy = has_space(arena, object) ? copy_text(arena, key, length) : NULL;
    if (!copy)
        return false;
    facet_json_members *members = object->as.list.of.members;
    members->items[object->as.list.count++] = (facet_json_member){copy, length, value};
    bool indexed = members->index
                       ? facet_names_put(members->index, copy, length) != UINT32_MAX
                       : object->as.list.count <= FEW_MEMBERS || make_index(arena, object);
    if (!indexed) {
        object->as.list.count--;
        if (!arena)
            free(copy);
    }
    return indexed;
}

bool facet_json_set_text_in(facet_arena *arena, facet_json *object, const char *key, size_t length,
                            facet_json *value)
{
    if (!value || !facet_json_is_object(object) || object == value)
        return miss(object, value);
    size_t found = facet_json_find(object, key, length);
    if (found != SIZE_MAX) {
        facet_json_member *member = &object->as.list.of.members->items[found];
        facet_json_free(member->value);
        member->value = value;
        return true;
    }
    return add_key(arena, object, key, length, value) || miss(object, value);
}

bool facet_json_set_text(facet_json *object, const char *key, size_t length, facet_json *value)
{
    return facet_json_set_text_in(NULL, object, key, length, value);
}

bool facet_json_set_in(facet_arena *arena, facet_json *object, const char *key, facet_json *value)
{
    if (key && facet_utf8_valid(key, strlen(key)))
        return facet_json_set_text_in(arena, object, key, strlen(key), value);
    facet_json_free(value);
    return false;
}

bool facet_json_set(facet_json *object, const char *key, facet_json *value)
{
    return facet_json_set_in(NULL, object, key, value);
}

bool facet_json_update(facet_json *object, const facet_json *from)
{
    if (!facet_json_is_object(object) || !facet_json_is_object(from))
        return false;
    for (size_t i = 0; i < from->as.list.count; i++) {
        const facet_json_member *member = &from->as.list.of.members->items[i];
        if (!facet_json_set_text(object, member->key, member->length,
                                 facet_json_keep(member->value)))
            return false;
    }
    return true;
}

/* Copy the members of a list. Recursion is as deep as the nesting. */
static bool copy_members(facet_arena *arena, facet_json *copy, const facet_json *list)
{
    bool object = list->kind == FACET_JSON_IS_OBJECT;
    for (size_t i = 0; i < list->as.list.count; i++) {
        const facet_json_member *member = object ? &list->as.list.of.members->items[i] : NULL;
        facet_json *value =
            facet_json_copy_in(arena, object ? member->value : list->as.list.of.values[i]);
        if (!(object ? facet_json_set_text_in(arena, copy, member->key, member->length, value)
                     : facet_json_append_in(arena, copy, value)))
            return false;
    }
    return true;
}

facet_json *facet_json_copy_in(facet_arena *arena, const facet_json *value)
{
    if (!facet_json_is_complete(value))
        return NULL;
    if (value->kind == FACET_JSON_IS_NULL)
        return facet_json_null();
    if (value->kind == FACET_JSON_IS_BOOLEAN)
        return facet_json_boolean(value->as.integer);
    if (value->kind == FACET_JSON_IS_INTEGER)
        return facet_json_integer_in(arena, value->as.integer);
    if (value->kind == FACET_JSON_IS_REAL)
        return facet_json_real_in(arena, value->as.real);
    if (value->kind == FACET_JSON_IS_STRING)
        return facet_json_bytes_in(arena, facet_json_string_value(value), value->as.length);
    facet_json *copy = facet_json_make_in(arena, (facet_json_kind)value->kind);
    if (copy && copy_members(arena, copy, value))
        return copy;
    facet_json_free(copy);
    return NULL;
}

/* -- Access ------------------------------------------------------------- */

static bool is(const facet_json *value, facet_json_kind kind)
{
    return value && value->kind == kind;
}

bool facet_json_is_null(const facet_json *value)
{
    return is(value, FACET_JSON_IS_NULL);
}

bool facet_json_is_boolean(const facet_json *value)
{
    return is(value, FACET_JSON_IS_BOOLEAN);
}

bool facet_json_is_true(const facet_json *value)
{
    return is(value, FACET_JSON_IS_BOOLEAN) && value->as.integer;
}

bool facet_json_is_integer(const facet_json *value)
{
    return is(value, FACET_JSON_IS_INTEGER);
}

bool facet_json_is_real(const facet_json *value)
{
    return is(value, FACET_JSON_IS_REAL);
}

bool facet_json_is_number(const facet_json *value)
{
    return is(value, FACET_JSON_IS_INTEGER) || is(value, FACET_JSON_IS_REAL);
}

bool facet_json_is_string(const facet_json *value)
{
    return is(value, FACET_JSON_IS_STRING);
}

bool facet_json_is_array(const facet_json *value)
{
    return is(value, FACET_JSON_IS_ARRAY);
}

bool facet_json_is_object(const facet_json *value)
{
    return is(value, FACET_JSON_IS_OBJECT);
}

int64_t facet_json_integer_value(const facet_json *value)
{
    return is(value, FACET_JSON_IS_INTEGER) ? value->as.integer : 0;
}

double facet_json_number_value(const facet_json *value)
{
    if (is(value, FACET_JSON_IS_INTEGER))
        return (double)value->as.integer;
    return is(value, FACET_JSON_IS_REAL) ? value->as.real : 0;
}

const char *facet_json_string_value(const facet_json *value)
{
    return is(value, FACET_JSON_IS_STRING) ? facet_json_characters(value) : NULL;
}

size_t facet_json_string_length(const facet_json *value)
{
    return is(value, FACET_JSON_IS_STRING) ? value->as.length : 0;
}

size_t facet_json_array_size(const facet_json *array)
{
    return is(array, FACET_JSON_IS_ARRAY) ? array->as.list.count : 0;
}

facet_json *facet_json_array_get(const facet_json *array, size_t index)
{
    return index < facet_json_array_size(array) ? array->as.list.of.values[index] : NULL;
}

size_t facet_json_object_size(const facet_json *object)
{
    return is(object, FACET_JSON_IS_OBJECT) ? object->as.list.count : 0;
}

size_t facet_json_find(const facet_json *object, const char *key, size_t length)
{
    const facet_json_members *members = object->as.list.of.members;
    if (members && members->index) {
        uint32_t found = facet_names_find(members->index, key, length);
        return found == UINT32_MAX ? SIZE_MAX : found;
    }
    for (size_t i = 0; i < object->as.list.count; i++) {
        const facet_json_member *member = &members->items[i];
        if (member->length == length && memcmp(member->key, key, length) == 0)
            return i;
    }
    return SIZE_MAX;
}

facet_json *facet_json_object_get(const facet_json *object, const char *key)
{
    if (!is(object, FACET_JSON_IS_OBJECT) || !key)
        return NULL;
    size_t found = facet_json_find(object, key, strlen(key));
    return found == SIZE_MAX ? NULL : object->as.list.of.members->items[found].value;
}

const char *facet_json_object_key(const facet_json *object, size_t index)
{
    return index < facet_json_object_size(object) ? object->as.list.of.members->items[index].key
                                                  : NULL;
}

facet_json *facet_json_object_value(const facet_json *object, size_t index)
{
    return index < facet_json_object_size(object) ? object->as.list.of.members->items[index].value
                                                  : NULL;
}
