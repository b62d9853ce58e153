/* formats/assimp/file/values.c - conversion of assimp's strings, names and matrices; JSON for
 * extras. */
#include "base/error.h"
#include "base/numbers.h"
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

facet_json *facet_assimp_json_number(facet_arena *arena, double value)
{
    if (!isfinite(value))
        return facet_json_null();
    if (fabs(value) < 9007199254740992.0 && value == floor(value))
        return facet_json_integer_in(arena, (int64_t)value);
    if ((double)(float)fmin(fmax(value, -3e38), 3e38) == value) {
        /* A float has nine digits. A locale can have any decimal point. */
        char text[40];
        snprintf(text, sizeof text, "%.9g", value);
        for (char *at = text; *at; at++)
            *at = strchr("0123456789+-e", *at) ? *at : '.';
        facet_number_parse_double((uint8_t *)text, (uint8_t *)text + strlen(text), &value);
    }
    return facet_json_real_in(arena, value);
}

const char *facet_assimp_print_json(facet_arena *arena, const facet_json *object)
{
    static const facet_json_style style = {.shortest = true};
    return facet_json_print_in(arena, object, &style);
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
