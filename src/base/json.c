/* base/json.c - JSON values. */
#include "base/json_value.h"

#include "base/arena.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From so many members on keys are looked up in a table. */
#define FEW_MEMBERS 16

/* -- Memory ------------------------------------------------------------- */

static _Thread_local bool lacked_memory;

static void *remember(void *made)
{
    lacked_memory = lacked_memory || !made;
    return made;
}

bool facet_json_lacked_memory(void)
{
    bool lacked = lacked_memory;
    lacked_memory = false;
    return lacked;
}

/* -- Making ------------------------------------------------------------- */

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

static facet_json *make(facet_json_kind kind)
{
    facet_json *value = remember(calloc(1, sizeof *value));
    if (value) {
        value->kind = kind;
        value->owners = 1;
    }
    return value;
}

facet_json *facet_json_integer(int64_t integer)
{
    facet_json *value = make(FACET_JSON_IS_INTEGER);
    if (value)
        value->as.integer = integer;
    return value;
}

facet_json *facet_json_real(double real)
{
    facet_json *value = isfinite(real) ? make(FACET_JSON_IS_REAL) : NULL;
    if (value)
        value->as.real = real;
    return value;
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? remember(malloc(length + 1)) : NULL;
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

facet_json *facet_json_bytes(const char *bytes, size_t length)
{
    facet_json *value = make(FACET_JSON_IS_STRING);
    char *copy = value ? copy_text(bytes, length) : NULL;
    if (!copy) {
        free(value);
        return NULL;
    }
    value->as.string.text = copy;
    value->as.string.length = length;
    return value;
}

facet_json *facet_json_text(const char *text, size_t length)
{
    return text && facet_utf8_valid(text, length) ? facet_json_bytes(text, length) : NULL;
}

facet_json *facet_json_string(const char *text)
{
    return text ? facet_json_text(text, strlen(text)) : NULL;
}

facet_json *facet_json_array(void)
{
    return make(FACET_JSON_IS_ARRAY);
}

facet_json *facet_json_object(void)
{
    return make(FACET_JSON_IS_OBJECT);
}

facet_json *facet_json_keep(facet_json *value)
{
    if (value && value->owners > 0)
        value->owners++;
    return value;
}

static void free_index(facet_json *object)
{
    facet_names *index = object->as.list.index;
    if (index)
        facet_arena_free(index->table.arena); /* the index lies in it */
    object->as.list.index = NULL;
}

/* Values lie within one another no deeper than FACET_JSON_DEPTH when they were
 * read, and as deep as a program makes them by hand. */
void facet_json_release(facet_json *value)
{
    if (!value || value->owners == 0 || --value->owners > 0)
        return;
    if (value->kind == FACET_JSON_IS_STRING)
        free(value->as.string.text);
    if (value->kind == FACET_JSON_IS_ARRAY || value->kind == FACET_JSON_IS_OBJECT) {
        for (size_t i = 0; i < value->as.list.count; i++) {
            free(value->as.list.items[i].key);
            facet_json_release(value->as.list.items[i].value);
        }
        free(value->as.list.items);
        free_index(value);
    }
    free(value);
}

/* -- Lists -------------------------------------------------------------- */

/* One more member, which takes the key and the value over; on failure nothing. */
static bool add_member(facet_json *list, char *key, size_t length, facet_json *value)
{
    size_t count = list->as.list.count, capacity = list->as.list.capacity;
    if (count == capacity) {
        capacity = capacity ? capacity * 2 : 4;
        facet_json_member *grown =
            capacity <= SIZE_MAX / sizeof *grown
                ? remember(realloc(list->as.list.items, capacity * sizeof *grown))
                : NULL;
        if (!grown)
            return false;
        list->as.list.items = grown;
        list->as.list.capacity = capacity;
    }
    list->as.list.items[count] = (facet_json_member){key, length, value};
    list->as.list.count++;
    return true;
}

bool facet_json_append(facet_json *array, facet_json *value)
{
    if (value && array != value && facet_json_is_array(array) && add_member(array, NULL, 0, value))
        return true;
    facet_json_release(value);
    return false;
}

/* A table of the keys; false without memory. */
static bool make_index(facet_json *object)
{
    facet_arena *arena = NULL;
    facet_names *index = NULL;
    if (!facet_arena_create(NULL, &arena, NULL))
        index = facet_arena_allocate(arena, 1, sizeof *index);
    if (!index) {
        facet_arena_free(arena);
        return false;
    }
    *index = facet_names_make(arena);
    for (size_t i = 0; i < object->as.list.count; i++) {
        const facet_json_member *member = &object->as.list.items[i];
        if (facet_names_put(index, member->key, member->length) == UINT32_MAX) {
            facet_arena_free(arena);
            return false;
        }
    }
    object->as.list.index = index;
    return true;
}

static bool add_key(facet_json *object, const char *key, size_t length, facet_json *value)
{
    char *copy = object->as.list.count < UINT32_MAX - 1 ? copy_text(key, length) : NULL;
    if (!copy)
        return false;
    if (!add_member(object, copy, length, value)) {
        free(copy);
        return false;
    }
    bool indexed = object->as.list.index
                       ? facet_names_put(object->as.list.index, copy, length) != UINT32_MAX
                       : object->as.list.count <= FEW_MEMBERS || make_index(object);
    if (!indexed) {
        object->as.list.count--;
        free(copy);
    }
    return indexed;
}

bool facet_json_set_text(facet_json *object, const char *key, size_t length, facet_json *value)
{
    if (!value || !facet_json_is_object(object) || object == value) {
        facet_json_release(value);
        return false;
    }
    size_t found = facet_json_find(object, key, length);
    if (found != SIZE_MAX) {
        facet_json_release(object->as.list.items[found].value);
        object->as.list.items[found].value = value;
        return true;
    }
    if (add_key(object, key, length, value))
        return true;
    facet_json_release(value);
    return false;
}

bool facet_json_set(facet_json *object, const char *key, facet_json *value)
{
    if (key && facet_utf8_valid(key, strlen(key)))
        return facet_json_set_text(object, key, strlen(key), value);
    facet_json_release(value);
    return false;
}

bool facet_json_update(facet_json *object, const facet_json *from)
{
    if (!facet_json_is_object(object) || !facet_json_is_object(from))
        return false;
    for (size_t i = 0; i < from->as.list.count; i++) {
        const facet_json_member *member = &from->as.list.items[i];
        if (!facet_json_set_text(object, member->key, member->length,
                                 facet_json_keep(member->value)))
            return false;
    }
    return true;
}

/* -- Asking ------------------------------------------------------------- */

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
    return is(value, FACET_JSON_IS_STRING) ? value->as.string.text : NULL;
}

size_t facet_json_string_length(const facet_json *value)
{
    return is(value, FACET_JSON_IS_STRING) ? value->as.string.length : 0;
}

size_t facet_json_array_size(const facet_json *array)
{
    return is(array, FACET_JSON_IS_ARRAY) ? array->as.list.count : 0;
}

facet_json *facet_json_array_get(const facet_json *array, size_t index)
{
    return index < facet_json_array_size(array) ? array->as.list.items[index].value : NULL;
}

size_t facet_json_object_size(const facet_json *object)
{
    return is(object, FACET_JSON_IS_OBJECT) ? object->as.list.count : 0;
}

size_t facet_json_find(const facet_json *object, const char *key, size_t length)
{
    if (object->as.list.index) {
        uint32_t found = facet_names_find(object->as.list.index, key, length);
        return found == UINT32_MAX ? SIZE_MAX : found;
    }
    for (size_t i = 0; i < object->as.list.count; i++) {
        const facet_json_member *member = &object->as.list.items[i];
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
    return found == SIZE_MAX ? NULL : object->as.list.items[found].value;
}

const char *facet_json_object_key(const facet_json *object, size_t index)
{
    return index < facet_json_object_size(object) ? object->as.list.items[index].key : NULL;
}

facet_json *facet_json_object_value(const facet_json *object, size_t index)
{
    return index < facet_json_object_size(object) ? object->as.list.items[index].value : NULL;
}
