/* formats/assimp/file/values.c - conversion of assimp's strings, names and matrices; JSON for
 * extras. */
#include "base/error.h"
#include "base/size.h"
#include "formats/assimp/file/file.h"
#include "scene/matrix.h"
#include "scene/transform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- Strings of assimp -------------------------------------------------- */

const char *facet_assimp_text(facet_arena *arena, const struct aiString *text)
{
    size_t length =
        text->length < FACET_ASSIMP_TEXT_CAPACITY ? text->length : FACET_ASSIMP_TEXT_CAPACITY - 1;
    length = strnlen(text->data, length);
    if (facet_utf8_valid(text->data, length))
        return facet_arena_string(arena, text->data, length);
    char *copy = facet_arena_allocate(arena, length * 2 + 1, 1);
    size_t used = 0;
    for (size_t i = 0; copy && i < length; i++) {
        unsigned char c = (unsigned char)text->data[i];
        if (c >= 0x80) {
            copy[used++] = (char)(0xC0 | c >> 6);
            c = 0x80 | (c & 0x3F);
        }
        copy[used++] = (char)c;
    }
    if (copy)
        copy[used] = '\0';
    return copy;
}

void facet_assimp_set_text(struct aiString *to, const char *text)
{
    size_t length = strnlen(text, FACET_ASSIMP_TEXT_CAPACITY - 1);
    while (length > 0 && !facet_utf8_valid(text, length) && text[length] != '\0')
        length--; /* do not cut inside a character */
    memcpy(to->data, text, length);
    to->data[length] = '\0';
    to->length = (ai_uint32)length;
}

/* -- Names -------------------------------------------------------------- */

bool facet_assimp_names_make(facet_assimp_names *index, facet_arena *arena,
                             const char *const *names, uint32_t count)
{
    index->names = names;
    index->known = facet_names_make(arena);
    index->first = facet_arena_allocate(arena, count, sizeof *index->first);
    uint32_t different = 0;
    for (uint32_t i = 0; index->first && i < count; i++) {
        uint32_t number = facet_names_put(&index->known, names[i], strlen(names[i]));
        if (number == FACET_NONE)
            return false;
        if (number == different)
            index->first[different++] = i;
    }
    return index->first != NULL;
}

uint32_t facet_assimp_names_find(facet_assimp_names *index, const char *name)
{
    uint32_t number = facet_names_find(&index->known, name, strlen(name));
    return number == FACET_NONE ? FACET_NONE : index->first[number];
}

/* -- JSON --------------------------------------------------------------- */

static void append(facet_assimp_json *json, const char *text, size_t length)
{
    if (json->failed)
        return;
    if (length >= json->capacity - json->used) {
        size_t capacity;
        if (!facet_size_add(json->capacity, length + 1, &capacity) ||
            !facet_size_multiply(capacity, 2, &capacity)) {
            json->failed = true;
            return;
        }
        char *grown = facet_arena_resize(json->arena, json->data, json->capacity, capacity, 1);
        json->failed = !grown;
        if (!grown)
            return;
        json->data = grown;
        json->capacity = capacity;
    }
    memcpy(json->data + json->used, text, length);
    json->used += length;
}

void facet_assimp_json_raw(facet_assimp_json *json, const char *text)
{
    append(json, text, strlen(text));
}

void facet_assimp_json_string(facet_assimp_json *json, const char *text)
{
    append(json, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\') {
            escape[0] = '\\';
            escape[1] = (char)c;
            append(json, escape, 2);
        } else if (c < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            append(json, escape, 6);
        } else {
            append(json, text, 1);
        }
    }
    append(json, "\"", 1);
}

void facet_assimp_json_number(facet_assimp_json *json, double value)
{
    if (!isfinite(value)) {
        append(json, "null", 4);
        return;
    }
    char text[40];
    float narrow = fabs(value) <= 3e38 ? (float)value : 0;
    bool is_float = (double)narrow == value;
    snprintf(text, sizeof text, is_float ? "%.9g" : "%.17g", value);
    /* A locale can have any decimal point; all other characters are ASCII. */
    for (char *at = text; *at; at++) {
        if (strchr("0123456789+-e", *at)) {
            append(json, at, 1);
        } else {
            append(json, ".", 1);
            while (at[1] && !strchr("0123456789+-e", at[1]))
                at++;
        }
    }
}

void facet_assimp_json_key(facet_assimp_json *json, const char *key)
{
    if (json->used > 0 && json->data[json->used - 1] != '{')
        append(json, ",", 1);
    facet_assimp_json_string(json, key);
    append(json, ":", 1);
}

const char *facet_assimp_json_end(facet_assimp_json *json)
{
    append(json, "", 1);
    return json->failed ? NULL : json->data;
}

/* -- Matrices ----------------------------------------------------------- */

/* assimp's matrices are row-major. */
void facet_assimp_get_matrix(const struct aiMatrix4x4 *from, float *to)
{
    float rows[16];
    memcpy(rows, &from->a1, sizeof rows);
    for (int i = 0; i < 16; i++)
        to[i] = rows[i % 4 * 4 + i / 4];
}

void facet_assimp_set_matrix(struct aiMatrix4x4 *to, const float *from)
{
    float rows[16];
    for (int i = 0; i < 16; i++)
        rows[i] = from[i % 4 * 4 + i / 4];
    memcpy(&to->a1, rows, sizeof rows);
}

void facet_assimp_multiply(struct aiMatrix4x4 *a, const struct aiMatrix4x4 *b)
{
    float left[16], right[16], made[16];
    facet_assimp_get_matrix(a, left);
    facet_assimp_get_matrix(b, right);
    facet_matrix_multiply(left, right, made);
    facet_assimp_set_matrix(a, made);
}

bool facet_assimp_decompose(const float *m, facet_transform *transform)
{
    float again[16];
    facet_transform_of_matrix(m, FACET_MIRROR_LEAST, transform);
    facet_matrix_of_transform(transform, again);
    bool whole = true;
    for (int i = 0; i < 16; i++)
        whole &= fabsf(again[i] - m[i]) <= 2e-6F * (i < 12 ? fabsf(transform->scale[i / 4]) : 1);
    return whole;
}
