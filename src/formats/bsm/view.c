/* formats/bsm/view.c - a checked view of the bytes of a BSM, without copies. Depends only on base's
 * bytes.h, size.h and error.h. Written in the common subset of C99 and C++11, because it is also
 * shipped as a single header. */
#include "formats/bsm/view.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"

#include <inttypes.h>
#include <string.h>

const facet_bsm_array_info facet_bsm_array_infos[FACET_BSM_ARRAY_COUNT] = {
    {"positions", 12, 0x40, 0x44, 'p', 3, false},
    {"texcoords", 8, 0x40, 0x48, 'u', 2, false},
    {"normals", 12, 0x40, 0x4C, 'n', 3, false},
    {"tangents", 16, 0x40, 0x50, 't', 4, false},
    {"triangles", 12, 0x54, 0x58, 'i', 3, true},
    {"meshes", 264, 0x5C, 0x60, 'm', 0, false},
    {"hull points", 12, 0x64, 0x68, 'p', 3, false},
    {"hulls", 8, 0x6C, 0x70, 'h', 0, false},
    {"occluder positions", 12, 0x74, 0x78, 'p', 3, false},
    {"occluder triangles", 12, 0x7C, 0x80, 'i', 3, true},
};

/* -- Header ------------------------------------------------------------- */

static const char magic[] = "BINARYSTATICMESH";
#define MAGIC_SIZE 16

/* Fill *error and return the rule's id. */
static const char *fault(facet_error *error, const char *rule, uint64_t offset, const char *format,
                         ...) FACET_PRINTF(4, 5);

static const char *fault(facet_error *error, const char *rule, uint64_t offset, const char *format,
                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, FACET_ERROR_MALFORMED, rule, offset, 0, format, arguments);
    va_end(arguments);
    return rule;
}

const char *facet_bsm_parse_header(const uint8_t *data, size_t size, facet_bsm_layout *layout,
                                   facet_error *error)
{
    int axis;
    if (size >= MAGIC_SIZE && memcmp(data, magic, MAGIC_SIZE) != 0) {
        facet_quoted quoted;
        return fault(error, "BSM-MAGIC", 0, "the file begins with \"%s\", expected \"%s\"",
                     facet_quote(&quoted, (const char *)data, MAGIC_SIZE), magic);
    }
    if (size < FACET_BSM_HEADER_SIZE)
        return fault(error, "BSM-SIZE-HEADER", size,
                     "the file ends after %" PRIu64 " bytes, expected a header of %d",
                     (uint64_t)size, FACET_BSM_HEADER_SIZE);
    memset(layout, 0, sizeof *layout);
    layout->data = data;
    layout->size = size;
    layout->version = facet_load_i32le(data + FACET_BSM_AT_VERSION);
    layout->extension = facet_load_i32le(data + FACET_BSM_AT_EXTENSION);
    for (axis = 0; axis < 3; axis++) {
        layout->center[axis] = facet_load_f32le(data + FACET_BSM_AT_SPHERE + 4 * axis);
        layout->minimum[axis] = facet_load_f32le(data + FACET_BSM_AT_BOX + 4 * axis);
        layout->maximum[axis] = facet_load_f32le(data + FACET_BSM_AT_BOX + 12 + 4 * axis);
    }
    layout->radius = facet_load_f32le(data + FACET_BSM_AT_SPHERE + 12);
    if (layout->version <= 0)
        return fault(error, "BSM-VERSION-INVALID", FACET_BSM_AT_VERSION,
                     "the version is %" PRId32 ", expected 1 or more", layout->version);
    return NULL;
}

const char *facet_bsm_locate(facet_bsm_layout *layout, facet_bsm_array array, facet_error *error)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    int32_t count = facet_load_i32le(layout->data + info->count_at);
    int32_t offset = facet_load_i32le(layout->data + info->offset_at);
    layout->count[array] = 0;
    layout->offset[array] = 0;
    layout->raw[array] = NULL;
    if (count < 0)
        return fault(error, "BSM-COUNT-NEGATIVE", info->count_at,
                     "the header counts %" PRId32 " %s, expected 0 or more", count, info->name);
    if (offset < 0)
        return fault(error, "BSM-OFFSET-NEGATIVE", info->offset_at,
                     "the offset of the %s is %" PRId32 ", expected 0 or more", info->name, offset);
    if (!facet_range_fits((uint64_t)offset, (uint64_t)count, info->record_size, layout->size))
        return fault(error, "BSM-ARRAY-BOUNDS", info->offset_at,
                     "the %s (%" PRId32 " of %" PRIu32 " bytes, at offset %" PRId32
                     ") do not fit into the file's %" PRIu64 " bytes",
                     info->name, count, info->record_size, offset, (uint64_t)layout->size);
    layout->count[array] = (uint32_t)count;
    layout->offset[array] = (uint32_t)offset;
    if (count == 0)
        return NULL;
    layout->raw[array] = layout->data + offset;
    if (offset < FACET_BSM_HEADER_SIZE)
        return fault(error, "BSM-ARRAY-IN-HEADER", info->offset_at,
                     "the %s begin at offset %" PRId32 ", inside the header of %d bytes",
                     info->name, offset, FACET_BSM_HEADER_SIZE);
    return NULL;
}

facet_status facet_bsm_view(const uint8_t *data, size_t size, facet_bsm_layout *layout,
                            facet_error *error)
{
    facet_bsm_layout found;
    int array;
    if (facet_bsm_parse_header(data, size, &found, error))
        return FACET_ERROR_MALFORMED;
    for (array = 0; array < FACET_BSM_ARRAY_COUNT; array++) {
        if (facet_bsm_locate(&found, (facet_bsm_array)array, error))
            return FACET_ERROR_MALFORMED;
    }
    *layout = found;
    return FACET_OK;
}

/* -- Contents ----------------------------------------------------------- */

/* Position of the first of `count` little-endian indices that is not below `limit`; `count` if all
 * are. */
static size_t find_large_index(const uint8_t *raw, size_t count, uint32_t limit)
{
    /* Check whole blocks first, without branches; then the block with an invalid index, and the
     * rest, one by one. */
    const size_t block = 1024;
    size_t i = 0;
    while (count - i >= block) {
        uint32_t beyond = 0;
        size_t end = i + block, k;
        for (k = i; k < end; k++)
            beyond |= (uint32_t)(facet_load_u32le(raw + 4 * k) >= limit);
        if (beyond)
            break;
        i = end;
    }
    while (i < count && facet_load_u32le(raw + 4 * i) < limit)
        i++;
    return i;
}

static facet_status verify_indices(const facet_bsm_layout *layout, facet_bsm_array array,
                                   facet_bsm_array target, const char *rule, facet_error *error)
{
    const uint8_t *raw = layout->raw[array];
    size_t count = (size_t)layout->count[array] * 3;
    size_t bad = find_large_index(raw, count, layout->count[target]);
    if (bad == count)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, rule, layout->offset[array] + (uint64_t)bad * 4,
                      "triangle %" PRIu64 " of the %s has index %" PRId32 ", expected 0 to below "
                      "the %" PRIu32 " %s",
                      (uint64_t)(bad / 3), facet_bsm_array_infos[array].name,
                      facet_load_i32le(raw + 4 * bad), layout->count[target],
                      facet_bsm_array_infos[target].name);
}

/* Mesh and hull records both start with first item and number of items. */
static facet_status verify_ranges(const facet_bsm_layout *layout, facet_bsm_array array,
                                  facet_bsm_array target, const char *rule, facet_error *error)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    uint32_t i;
    for (i = 0; i < layout->count[array]; i++) {
        const uint8_t *record = layout->raw[array] + (size_t)i * info->record_size;
        uint32_t first = facet_load_u32le(record), count = facet_load_u32le(record + 4);
        if (!facet_range_fits(first, count, 1, layout->count[target]))
            return facet_fail(error, FACET_ERROR_MALFORMED, rule,
                              layout->offset[array] + (uint64_t)i * info->record_size,
                              "record %" PRIu32 " of the %s spans %" PRId32 " from %" PRId32
                              ", but there are %" PRIu32 " %s",
                              i, info->name, (int32_t)count, (int32_t)first, layout->count[target],
                              facet_bsm_array_infos[target].name);
    }
    return FACET_OK;
}

facet_status facet_bsm_verify(facet_bsm_layout *layout, facet_error *error)
{
    facet_status status = verify_indices(layout, FACET_BSM_TRIANGLES, FACET_BSM_POSITIONS,
                                         "BSM-TRI-INDEX-RANGE", error);
    if (!status)
        status =
            verify_ranges(layout, FACET_BSM_MESHES, FACET_BSM_TRIANGLES, "BSM-MESH-RANGE", error);
    if (!status)
        status =
            verify_ranges(layout, FACET_BSM_HULLS, FACET_BSM_HULL_POINTS, "BSM-HULL-RANGE", error);
    if (!status)
        status = verify_indices(layout, FACET_BSM_OCCLUDER_TRIANGLES, FACET_BSM_OCCLUDER_POSITIONS,
                                "BSM-OCC-INDEX-RANGE", error);
    layout->verified = !status;
    return status;
}

/* -- Access ------------------------------------------------------------- */

/* The array in place as host numbers, or NULL. */
static const void *in_place(const facet_bsm_layout *layout, facet_bsm_array array)
{
    if (FACET_HOST_IS_BIG_ENDIAN || (uintptr_t)layout->raw[array] % 4 != 0)
        return NULL;
    return layout->raw[array];
}

const float *facet_bsm_floats(const facet_bsm_layout *layout, facet_bsm_array array)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    if (info->words == 0 || info->is_index)
        return NULL;
    return (const float *)in_place(layout, array);
}

const uint32_t *facet_bsm_indices(const facet_bsm_layout *layout, facet_bsm_array array)
{
    if (!facet_bsm_array_infos[array].is_index || !layout->verified)
        return NULL;
    return (const uint32_t *)in_place(layout, array);
}

/* The first of the records, if they are valid to read. */
static const uint8_t *find_records(const facet_bsm_layout *layout, facet_bsm_array array,
                                   uint32_t first, uint32_t count, facet_error *error)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    bool floats = info->words > 0 && !info->is_index;
    if (!floats && !layout->verified) {
        facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                   "the %s are read before facet_bsm_verify", info->name);
        return NULL;
    }
    if (!facet_range_fits(first, count, 1, layout->count[array])) {
        facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                   "%" PRIu32 " of the %s are read from %" PRIu32 " on, but there are %" PRIu32,
                   count, info->name, first, layout->count[array]);
        return NULL;
    }
    return layout->data + layout->offset[array] + (size_t)first * info->record_size;
}

static void copy_words(void *destination, const uint8_t *from, size_t words)
{
#if FACET_HOST_IS_BIG_ENDIAN
    size_t i;
    for (i = 0; i < words; i++) {
        uint32_t word = facet_load_u32le(from + 4 * i);
        memcpy((uint8_t *)destination + 4 * i, &word, 4);
    }
#else
    if (words > 0)
        memcpy(destination, from, words * 4);
#endif
}

static void copy_meshes(facet_bsm_mesh *meshes, const uint8_t *from, uint32_t count)
{
    uint32_t i;
    for (i = 0; i < count; i++, from += facet_bsm_array_infos[FACET_BSM_MESHES].record_size) {
        meshes[i].first_triangle = facet_load_u32le(from);
        meshes[i].triangle_count = facet_load_u32le(from + 4);
        memcpy(meshes[i].material, from + 8, FACET_BSM_NAME_SIZE);
        meshes[i].material[FACET_BSM_NAME_SIZE] = '\0';
    }
}

static void copy_hulls(facet_bsm_hull *hulls, const uint8_t *from, uint32_t count)
{
    uint32_t i;
    for (i = 0; i < count; i++, from += facet_bsm_array_infos[FACET_BSM_HULLS].record_size) {
        hulls[i].first_point = facet_load_u32le(from);
        hulls[i].point_count = facet_load_u32le(from + 4);
    }
}

facet_status facet_bsm_copy(const facet_bsm_layout *layout, facet_bsm_array array, uint32_t first,
                            uint32_t count, void *destination, facet_error *error)
{
    const uint8_t *from = find_records(layout, array, first, count, error);
    if (!from)
        return FACET_ERROR_ARGUMENT;
    if (array == FACET_BSM_MESHES)
        copy_meshes((facet_bsm_mesh *)destination, from, count);
    else if (array == FACET_BSM_HULLS)
        copy_hulls((facet_bsm_hull *)destination, from, count);
    else
        copy_words(destination, from, (size_t)count * facet_bsm_array_infos[array].words);
    return FACET_OK;
}
