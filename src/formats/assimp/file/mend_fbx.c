/* formats/assimp/file/mend_fbx.c - the records of a binary FBX that assimp 5.2 wrote.
 *
 * A record (version 7.5): u64 where it ends, u64 count and u64 bytes of its
 * properties, u8 length and characters of its name, the properties, and a list of
 * records, up to an empty one of 25 zero bytes. After the list at the top stand 16
 * bytes, zeros up to a multiple of 16 (at least one), and 144 bytes.
 *
 * assimp forgets the empty record at the end of a list, without which no program
 * reads the file, nor does assimp. It writes what a material shines with under names
 * of old versions that are no longer read. It calls shapes "Blendshape" where Blender
 * insists on "Geometry", and connects the curves of a scale to "Lcl Scale" where the
 * property is "Lcl Scaling", so that no program finds them. */
#include "base/bytes.h"
#include "base/size.h"
#include "formats/assimp/file/file.h"

#include <assimp/material.h>
#include <string.h>

#define FILE_HEADER 27
#define EMPTY_RECORD 25 /* also what every record has before its name */
#define FOOT_BEGIN 16
#define FOOT_END 144
#define DEEPEST 32 /* assimp's go six deep */

typedef struct level {
    size_t end;                  /* of the record, as assimp wrote it */
    size_t begin;                /* as it is written here */
    bool is_material, is_values; /* a material, and its list of values */
} level;

typedef struct repair {
    const uint8_t *from;
    size_t size, at;
    uint8_t *to;
    size_t used;
    level levels[DEEPEST];
    size_t depth;
    const struct aiScene *scene;
    uint32_t material; /* the next */
} repair;

static void copy(repair *r, size_t count)
{
    memcpy(r->to + r->used, r->from + r->at, count);
    r->used += count;
    r->at += count;
}

static void zeros(repair *r, size_t count)
{
    memset(r->to + r->used, 0, count);
    r->used += count;
}

/* Bytes of the record at r->at before those within it; 0 when there is none that
 * ends by `end`. */
static size_t head_of(const repair *r, size_t end)
{
    const uint8_t *at = r->from + r->at;
    if (end - r->at < EMPTY_RECORD)
        return 0;
    uint64_t stop = facet_load_u64le(at), bytes = facet_load_u64le(at + 16);
    size_t head = EMPTY_RECORD + (size_t)at[24];
    if (stop > end || stop < r->at + head || bytes > stop - r->at - head)
        return 0;
    return head + (size_t)bytes;
}

static bool is_called(const uint8_t *record, const char *name)
{
    return record[24] == strlen(name) && memcmp(record + 25, name, record[24]) == 0;
}

/* Records that have a list even when nothing is in it. */
static bool has_empty_list(const uint8_t *record)
{
    static const char *const names[] = {"References", "AnimationStack", "AnimationLayer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_called(record, names[i]))
            return true;
    }
    return false;
}

/* -- Values of materials ------------------------------------------------ */

/* The most that put_values adds. */
#define SPACE_OF_VALUES 512

static void put_bytes(repair *r, const void *bytes, size_t count)
{
    memcpy(r->to + r->used, bytes, count);
    r->used += count;
}

static void put_text(repair *r, const char *text)
{
    uint8_t head[5] = {'S'};
    facet_store_u32le(head + 1, (uint32_t)strlen(text));
    put_bytes(r, head, sizeof head);
    put_bytes(r, text, strlen(text));
}

/* P: a name, the type twice, what may be done with it, and the numbers. */
static void put_value(repair *r, const char *name, const char *type, const double *numbers,
                      uint32_t count)
{
    size_t begin = r->used;
    zeros(r, 24);
    put_bytes(r, "\1P", 2);
    size_t properties = r->used;
    put_text(r, name);
    put_text(r, type);
    put_text(r, "");
    put_text(r, "A");
    for (uint32_t i = 0; i < count; i++) {
        uint8_t number[9] = {'D'};
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        facet_store_u64le(number + 1, bits);
        put_bytes(r, number, sizeof number);
    }
    facet_store_u64le(r->to + begin, r->used);
    facet_store_u64le(r->to + begin + 8, 4 + count);
    facet_store_u64le(r->to + begin + 16, r->used - properties);
}

/* Up to `most` floats of a property, which our writer put there; false without it. */
static bool floats_of(const struct aiMaterial *m, const char *key, float *values, size_t most)
{
    for (uint32_t i = 0; i < m->mNumProperties; i++) {
        const struct aiMaterialProperty *p = m->mProperties[i];
        if (strcmp(p->mKey.data, key) != 0 || p->mType != aiPTI_Float)
            continue;
        size_t size = most * sizeof *values;
        memcpy(values, p->mData, p->mDataLength < size ? p->mDataLength : size);
        return true;
    }
    return false;
}

static double number_of(const struct aiMaterial *m, const char *key, double otherwise)
{
    float value = 0;
    return floats_of(m, key, &value, 1) ? (double)value : otherwise;
}

/* What Blender, and with it others, read: emission as a color and a factor, metallic as
 * the factor of reflection, which is 1 where a file does not say it, and roughness as
 * shininess, which is 20. */
static void put_values(repair *r)
{
    const struct aiMaterial *m =
        r->material < r->scene->mNumMaterials ? r->scene->mMaterials[r->material++] : NULL;
    float color[3] = {0, 0, 0};
    if (!m)
        return;
    double strength = number_of(m, "$mat.emissiveIntensity", 1);
    double metallic = number_of(m, "$mat.metallicFactor", 0);
    double shininess = number_of(m, "$mat.shininess", 0);
    double bump = number_of(m, "$mat.bumpscaling", 1);
    if (floats_of(m, "$clr.emissive", color, 3)) {
        const double emissive[3] = {(double)color[0], (double)color[1], (double)color[2]};
        put_value(r, "EmissiveColor", "Color", emissive, 3);
        put_value(r, "EmissiveFactor", "Number", &strength, 1);
    }
    if (bump != 1)
        put_value(r, "BumpFactor", "Number", &bump, 1);
    put_value(r, "ReflectionFactor", "Number", &metallic, 1);
    put_value(r, "ShininessExponent", "Number", &shininess, 1);
    put_value(r, "Shininess", "Number", &shininess, 1); /* Blender's word for the same */
}

/* -- Names -------------------------------------------------------------- */

/* An object is called "name\0\1class". Classes that assimp writes and those of the SDK. */
static const struct {
    const char *record, *wrong, *right;
} classes[] = {{"Geometry", "Blendshape", "Geometry"}, {"Deformer", "Blendshapes", "Deformer"}};

/* Copy the head of an object with the right class; false when it has that already. */
static bool copy_renamed(repair *r, size_t head, const char *wrong, const char *right)
{
    const uint8_t *at = r->from + r->at;
    size_t begin = r->used, name = EMPTY_RECORD + (size_t)at[24] + 9;
    size_t old_size = strlen(wrong), new_size = strlen(right);
    if (head < name + 5 || at[name - 9] != 'L' || at[name] != 'S')
        return false;
    size_t length = facet_load_u32le(at + name + 1), end = name + 5 + length;
    if (length > head - name - 5 || length < old_size + 2 ||
        memcmp(at + end - old_size, wrong, old_size) != 0 || at[end - old_size - 1] != 1)
        return false;
    put_bytes(r, at, end - old_size);
    put_bytes(r, right, new_size);
    put_bytes(r, at + end, head - end);
    facet_store_u64le(r->to + begin + 16, facet_load_u64le(at + 16) - old_size + new_size);
    facet_store_u32le(r->to + begin + name + 1, (uint32_t)(length - old_size + new_size));
    r->at += head;
    return true;
}

/* Copy the head of a connection to the right property; false when it has that already. */
static bool copy_connection(repair *r, size_t head)
{
    static const char wrong[] = "S\11\0\0\0Lcl Scale", right[] = "S\13\0\0\0Lcl Scaling";
    const uint8_t *at = r->from + r->at;
    size_t begin = r->used, old_size = sizeof wrong - 1, new_size = sizeof right - 1;
    if (!is_called(at, "C") || head < old_size || memcmp(at + head - old_size, wrong, old_size) != 0)
        return false;
    put_bytes(r, at, head - old_size);
    put_bytes(r, right, new_size);
    facet_store_u64le(r->to + begin + 16, facet_load_u64le(at + 16) - old_size + new_size);
    r->at += head;
    return true;
}

static void copy_head(repair *r, size_t head)
{
    if (copy_connection(r, head))
        return;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (is_called(r->from + r->at, classes[i].record) &&
            copy_renamed(r, head, classes[i].wrong, classes[i].right))
            return;
    }
    copy(r, head);
}

/* -- All records -------------------------------------------------------- */

static bool is_empty_record(const repair *r, size_t end)
{
    static const uint8_t empty[EMPTY_RECORD];
    return end - r->at == EMPTY_RECORD && memcmp(r->from + r->at, empty, sizeof empty) == 0;
}

/* Copy all records, and end the lists. False when the bytes are not those that assimp
 * writes. */
static bool copy_records(repair *r)
{
    for (;;) {
        size_t end = r->depth > 0 ? r->levels[r->depth - 1].end : r->size;
        if (r->depth > 0 && is_empty_record(r, end)) /* later versions write it */
            r->at = end;
        if (r->depth > 0 && r->at == end) {
            if (r->levels[r->depth - 1].is_values)
                put_values(r);
            zeros(r, EMPTY_RECORD);
            facet_store_u64le(r->to + r->levels[--r->depth].begin, r->used);
            continue;
        }
        size_t head = head_of(r, end);
        if (head == 0)
            return r->depth == 0;
        level record = {(size_t)facet_load_u64le(r->from + r->at), r->used, false, false};
        bool empty_list = has_empty_list(r->from + r->at);
        record.is_material = r->depth == 1 && is_called(r->from + r->at, "Material");
        record.is_values =
            r->depth == 2 && r->levels[1].is_material && is_called(r->from + r->at, "Properties70");
        copy_head(r, head);
        if (r->at == record.end && empty_list)
            zeros(r, EMPTY_RECORD);
        if (r->at == record.end)
            facet_store_u64le(r->to + record.begin, r->used);
        else if (r->depth < DEEPEST)
            r->levels[r->depth++] = record;
        else
            return false;
    }
}

bool facet_assimp_mend_records(facet_arena *arena, const struct aiScene *from, uint8_t **data,
                               size_t *size)
{
    size_t space, values;
    if (*size < FILE_HEADER || !facet_size_multiply(*size, 2, &space) ||
        !facet_size_multiply(from->mNumMaterials, SPACE_OF_VALUES, &values) ||
        !facet_size_add(values, 64, &values) || !facet_size_add(space, values, &space))
        return true;
    /* Every list belongs to a record, which is as long as the end of a list or
     * longer: twice the size is enough. */
    repair r = {.from = *data, .size = *size, .scene = from};
    r.to = facet_arena_allocate(arena, space, 1);
    if (!r.to)
        return false;
    copy(&r, FILE_HEADER);
    const size_t least = EMPTY_RECORD + FOOT_BEGIN + 1 + FOOT_END;
    if (!copy_records(&r) || r.size - r.at < least || r.size - r.at > least + 15) {
        facet_arena_release(arena, r.to, space, 1);
        return true;
    }
    copy(&r, EMPTY_RECORD);
    copy(&r, FOOT_BEGIN);
    zeros(&r, 16 - r.used % 16);
    r.at = r.size - FOOT_END;
    copy(&r, FOOT_END);
    *data = r.to;
    *size = r.used;
    return true;
}
