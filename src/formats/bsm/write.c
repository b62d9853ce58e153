/* formats/bsm/write.c - a document to bytes. The document is checked before the first byte is
 * written; then the arrays are written from memory unchanged. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/bsm/layout.h"

#include <inttypes.h>
#include <string.h>

/* -- Layout ------------------------------------------------------------ */

typedef struct write_plan {
    const facet_bsm *document;
    facet_bsm_arrays arrays;
    uint32_t offset[FACET_BSM_ARRAY_COUNT]; /* offset of each array in the file */
} write_plan;

/* Maximum size of a secondary header: the arrays stay aligned to 4. */
static uint64_t secondary_capacity(const facet_bsm *document)
{
    return ((uint64_t)document->secondary_size + 3) / 4 * 4;
}

static facet_status place_arrays(write_plan *plan, facet_error *error)
{
    uint64_t offset = FACET_BSM_HEADER_SIZE + secondary_capacity(plan->document);
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++) {
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        if (plan->arrays.count[array] == 0)
            continue;
        if (offset > INT32_MAX || plan->arrays.count[array] > INT32_MAX)
            return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                              "%" PRIu32 " %s would begin at byte %" PRIu64
                              ", but BSM counts and offsets end at 2147483647",
                              plan->arrays.count[array], info->name, offset);
        plan->offset[array] = (uint32_t)offset;
        offset += (uint64_t)plan->arrays.count[array] * info->record_size;
    }
    return FACET_OK;
}

/* -- Header ------------------------------------------------------------- */

static facet_status check_bounds(const facet_bsm *document, facet_error *error)
{
    if (facet_find_nonfinite_float(document->center, 3) < 3 ||
        facet_find_nonfinite_float(&document->radius, 1) < 1 ||
        facet_find_nonfinite_float(document->minimum, 3) < 3 ||
        facet_find_nonfinite_float(document->maximum, 3) < 3)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BSM-FLOAT-NONFINITE", FACET_NO_OFFSET,
                          "the bounds are NaN or infinite");
    if (document->radius < 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BSM-SPHERE-RADIUS", FACET_NO_OFFSET,
                          "the bounding sphere's radius is %g", (double)document->radius);
    for (int axis = 0; axis < 3; axis++) {
        if (document->minimum[axis] > document->maximum[axis])
            return facet_fail(error, FACET_ERROR_ARGUMENT, "BSM-BOX-ORDER", FACET_NO_OFFSET,
                              "the bounding box ends at %g before it begins, "
                              "at %g",
                              (double)document->maximum[axis], (double)document->minimum[axis]);
    }
    return FACET_OK;
}

static facet_status check_header(const facet_bsm *document, facet_error *error)
{
    if (document->version < 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BSM-VERSION-INVALID", FACET_NO_OFFSET,
                          "the version is %" PRId32 ", expected 1 or more, or 0 for 1",
                          document->version);
    if (document->secondary_size > 0 && !document->secondary)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BSM-DOCUMENT", FACET_NO_OFFSET,
                          "the secondary header of %zu bytes is missing", document->secondary_size);
    return check_bounds(document, error);
}

/* -- Names -------------------------------------------------------------- */

/* Length of a name that fits a field with a NUL: whole code points. */
static size_t fitting_length(const char *name, size_t length)
{
    if (length < FACET_BSM_NAME_SIZE)
        return length;
    size_t cut = FACET_BSM_NAME_SIZE - 1;
    /* Go back over the continuation bytes of the truncated code point. More than three are not
     * UTF-8, and can be cut anywhere. */
    for (size_t back = 0; back < 4; back++) {
        if (((unsigned char)name[cut - back] & 0xC0) != 0x80)
            return cut - back;
    }
    return cut;
}

bool facet_bsm_set_material(facet_bsm_mesh *mesh, const char *name)
{
    size_t length = strlen(name), kept = fitting_length(name, length);
    memset(mesh->material, 0, sizeof mesh->material);
    memcpy(mesh->material, name, kept);
    return kept == length;
}

/* -- Writing ------------------------------------------------------------ */

static void write_header(const write_plan *plan, facet_output *output)
{
    const facet_bsm *document = plan->document;
    uint8_t header[FACET_BSM_HEADER_SIZE] = "BINARYSTATICMESH";
    facet_store_u32le(header + FACET_BSM_AT_VERSION,
                      document->version ? (uint32_t)document->version : 1);
    facet_store_u32le(header + FACET_BSM_AT_EXTENSION, (uint32_t)document->extension);
    for (int axis = 0; axis < 3; axis++) {
        facet_store_f32le(header + FACET_BSM_AT_SPHERE + 4 * axis, document->center[axis]);
        facet_store_f32le(header + FACET_BSM_AT_BOX + 4 * axis, document->minimum[axis]);
        facet_store_f32le(header + FACET_BSM_AT_BOX + 12 + 4 * axis, document->maximum[axis]);
    }
    facet_store_f32le(header + FACET_BSM_AT_SPHERE + 12, document->radius);
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++) {
        facet_store_u32le(header + facet_bsm_array_infos[array].count_at,
                          plan->arrays.count[array]);
        facet_store_u32le(header + facet_bsm_array_infos[array].offset_at, plan->offset[array]);
    }
    facet_output_write(output, header, sizeof header);
}

static void write_zeros(facet_output *output, uint64_t size)
{
    static const uint8_t zeros[4096];
    for (; size > 0; size -= size < sizeof zeros ? size : sizeof zeros)
        facet_output_write(output, zeros, size < sizeof zeros ? (size_t)size : sizeof zeros);
}

static void write_words(facet_output *output, const void *words, size_t count)
{
#if FACET_HOST_IS_BIG_ENDIAN
    const uint8_t *from = words;
    uint8_t block[4096];
    while (count > 0) {
        size_t some = count < sizeof block / 4 ? count : sizeof block / 4;
        for (size_t i = 0; i < some; i++) {
            uint32_t word;
            memcpy(&word, from + 4 * i, 4);
            facet_store_u32le(block + 4 * i, word);
        }
        facet_output_write(output, block, some * 4);
        from += some * 4;
        count -= some;
    }
#else
    facet_output_write(output, words, count * 4);
#endif
}

static void write_meshes(const facet_bsm *document, facet_output *output, facet_report *report)
{
    facet_tally cut = {0, 0};
    for (uint32_t i = 0; i < document->mesh_count; i++) {
        const facet_bsm_mesh *mesh = &document->meshes[i];
        uint8_t record[8 + FACET_BSM_NAME_SIZE] = {0};
        size_t length = facet_bsm_name_length(mesh->material);
        size_t kept = fitting_length(mesh->material, length);
        facet_store_u32le(record, mesh->first_triangle);
        facet_store_u32le(record + 4, mesh->triangle_count);
        memcpy(record + 8, mesh->material, kept);
        facet_output_write(output, record, sizeof record);
        if (kept < length)
            facet_tally_hit(&cut, i);
    }
    facet_report_add_tally(report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &cut,
                           "the material name of mesh %" PRIu64 " is cut to 255 bytes", cut.first);
}

static void write_hulls(const facet_bsm *document, facet_output *output)
{
    for (uint32_t i = 0; i < document->hull_count; i++) {
        uint8_t record[8];
        facet_store_u32le(record, document->hulls[i].first_point);
        facet_store_u32le(record + 4, document->hulls[i].point_count);
        facet_output_write(output, record, sizeof record);
    }
}

static void write_secondary(const facet_bsm *document, facet_output *output)
{
    facet_output_write(output, document->secondary, document->secondary_size);
    write_zeros(output, secondary_capacity(document) - document->secondary_size);
}

facet_status facet_bsm_write(const facet_bsm *document, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    facet_report *report = options ? options->report : NULL;
    write_plan plan = {document, facet_bsm_arrays_of(document), {0}};
    facet_status status = place_arrays(&plan, error);
    if (!status)
        status = check_header(document, error);
    if (!status)
        status = facet_bsm_check_arrays(document, options, error);
    if (status)
        return status;
    write_header(&plan, output);
    write_secondary(document, output);
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT && !status; array++) {
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        status = facet_step(options, "write", (double)array / FACET_BSM_ARRAY_COUNT, error);
        if (array == FACET_BSM_MESHES)
            write_meshes(document, output, report);
        else if (array == FACET_BSM_HULLS)
            write_hulls(document, output);
        else if (plan.arrays.items[array])
            write_words(output, plan.arrays.items[array],
                        (size_t)plan.arrays.count[array] * info->words);
        else
            write_zeros(output, (uint64_t)plan.arrays.count[array] * info->record_size);
    }
    return status ? status : facet_report_status(report, error);
}
