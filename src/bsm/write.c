/* bsm/write.c - a document to bytes. All of it is checked before the first
 * byte goes out; then the arrays go out as they lie in memory. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "bsm/layout.h"

#include <inttypes.h>
#include <string.h>

/* -- What is to be written ---------------------------------------------- */

/* The document's arrays by number, and where each will begin. */
typedef struct write_plan {
    const facet_bsm *document;
    uint32_t count[FACET_BSM_ARRAY_COUNT];
    const void *items[FACET_BSM_ARRAY_COUNT];
    uint32_t offset[FACET_BSM_ARRAY_COUNT];
} write_plan;

static write_plan make_plan(const facet_bsm *document)
{
    write_plan made = {document,
                       {document->vertex_count, document->vertex_count, document->vertex_count,
                        document->vertex_count, document->triangle_count, document->mesh_count,
                        document->hull_point_count, document->hull_count,
                        document->occluder_vertex_count, document->occluder_triangle_count},
                       {document->positions, document->texcoords, document->normals,
                        document->tangents, document->triangles, document->meshes,
                        document->hull_points, document->hulls, document->occluder_positions,
                        document->occluder_triangles},
                       {0}};
    return made;
}

/* A secondary header of any length leaves the arrays aligned to 4. */
static uint64_t secondary_capacity(const facet_bsm *document)
{
    return ((uint64_t)document->secondary_size + 3) / 4 * 4;
}

static facet_status place_arrays(write_plan *plan, facet_error *error)
{
    uint64_t offset = FACET_BSM_HEADER_SIZE + secondary_capacity(plan->document);
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++) {
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        if (plan->count[array] == 0)
            continue;
        if (offset > INT32_MAX || plan->count[array] > INT32_MAX)
            return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                              "%" PRIu32 " %s would begin at byte %" PRIu64
                              ", but BSM counts and offsets end at 2147483647",
                              plan->count[array], info->name, offset);
        plan->offset[array] = (uint32_t)offset;
        offset += (uint64_t)plan->count[array] * info->record_size;
    }
    return FACET_OK;
}

/* -- Checks ------------------------------------------------------------- */

static facet_status refuse(facet_error *error, const char *rule, const char *format, ...)
    FACET_PRINTF(3, 4);

static facet_status refuse(facet_error *error, const char *rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, FACET_ERROR_ARGUMENT, rule, FACET_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    return FACET_ERROR_ARGUMENT;
}

static facet_status check_bounds(const facet_bsm *document, facet_error *error)
{
    if (facet_bsm_find_nonfinite(document->center, 3) < 3 ||
        facet_bsm_find_nonfinite(&document->radius, 1) < 1 ||
        facet_bsm_find_nonfinite(document->minimum, 3) < 3 ||
        facet_bsm_find_nonfinite(document->maximum, 3) < 3)
        return refuse(error, "BSM-FLOAT-NONFINITE", "the bounds are NaN or infinite");
    if (document->radius < 0)
        return refuse(error, "BSM-SPHERE-RADIUS", "the bounding sphere's radius is %g",
                      (double)document->radius);
    for (int axis = 0; axis < 3; axis++) {
        if (document->minimum[axis] > document->maximum[axis])
            return refuse(error, "BSM-BOX-ORDER",
                          "the bounding box ends at %g before it begins, "
                          "at %g",
                          (double)document->maximum[axis], (double)document->minimum[axis]);
    }
    return FACET_OK;
}

static facet_status check_floats(const write_plan *plan, int array, facet_error *error)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    size_t words = (size_t)plan->count[array] * info->words;
    size_t bad = facet_bsm_find_nonfinite(plan->items[array], words);
    if (bad < words)
        return refuse(error, "BSM-FLOAT-NONFINITE",
                      "number %zu of element %zu of the %s is NaN or infinite", bad % info->words,
                      bad / info->words, info->name);
    return FACET_OK;
}

static facet_status check_indices(const write_plan *plan, int array, int target, const char *rule,
                                  facet_error *error)
{
    const uint32_t *indices = plan->items[array];
    size_t count = (size_t)plan->count[array] * 3;
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = indices[i] > largest ? indices[i] : largest;
    if (count > 0 && largest >= plan->count[target])
        return refuse(error, rule, "an index of the %s is %" PRIu32 ", there are %" PRIu32 " %s",
                      facet_bsm_array_infos[array].name, largest, plan->count[target],
                      facet_bsm_array_infos[target].name);
    return FACET_OK;
}

static facet_status check_ranges(const facet_bsm *document, facet_error *error)
{
    for (uint32_t i = 0; i < document->mesh_count; i++) {
        const facet_bsm_mesh *mesh = &document->meshes[i];
        if (!facet_range_fits(mesh->first_triangle, mesh->triangle_count, 1,
                              document->triangle_count))
            return refuse(error, "BSM-MESH-RANGE",
                          "mesh %" PRIu32 " spans %" PRIu32 " triangles from %" PRIu32
                          ", there are %" PRIu32,
                          i, mesh->triangle_count, mesh->first_triangle, document->triangle_count);
    }
    for (uint32_t i = 0; i < document->hull_count; i++) {
        const facet_bsm_hull *hull = &document->hulls[i];
        if (!facet_range_fits(hull->first_point, hull->point_count, 1, document->hull_point_count))
            return refuse(error, "BSM-HULL-RANGE",
                          "hull %" PRIu32 " spans %" PRIu32 " points from %" PRIu32
                          ", there are %" PRIu32,
                          i, hull->point_count, hull->first_point, document->hull_point_count);
    }
    return FACET_OK;
}

static facet_status check_document(const write_plan *plan, facet_error *error)
{
    const facet_bsm *document = plan->document;
    if (document->version < 0)
        return refuse(error, "BSM-VERSION-INVALID", "the version is %" PRId32, document->version);
    if (document->secondary_size > 0 && !document->secondary)
        return refuse(error, NULL, "the secondary header is missing");
    facet_status status = check_bounds(document, error);
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT && !status; array++) {
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        bool zeros = array == FACET_BSM_TEXCOORDS && !plan->items[array];
        if (plan->count[array] > 0 && !plan->items[array] && !zeros)
            return refuse(error, NULL, "the %s are missing", info->name);
        if (info->words > 0 && !info->is_index && !zeros)
            status = check_floats(plan, array, error);
    }
    if (!status)
        status = check_indices(plan, FACET_BSM_TRIANGLES, FACET_BSM_POSITIONS,
                               "BSM-TRI-INDEX-RANGE", error);
    if (!status)
        status = check_indices(plan, FACET_BSM_OCCLUDER_TRIANGLES, FACET_BSM_OCCLUDER_POSITIONS,
                               "BSM-OCC-INDEX-RANGE", error);
    return status ? status : check_ranges(document, error);
}

/* -- Names -------------------------------------------------------------- */

/* How much of a name fits a field that must hold a NUL too: whole code points. */
static size_t fitting_length(const char *name, size_t length)
{
    if (length < FACET_BSM_NAME_SIZE)
        return length;
    size_t cut = FACET_BSM_NAME_SIZE - 1;
    /* Back over the continuation bytes of the code point that does not fit; more
     * than three in a row are no UTF-8, and cut anywhere. */
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
        facet_store_u32le(header + facet_bsm_array_infos[array].count_at, plan->count[array]);
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
    facet_report_add_tally(report, "LOSS-MATERIAL-NAME", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &cut, "the material name of mesh %" PRIu64 " is cut to 255 bytes",
                           cut.first);
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
    write_plan plan = make_plan(document);
    facet_status status = place_arrays(&plan, error);
    if (!status)
        status = check_document(&plan, error);
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
        else if (plan.items[array])
            write_words(output, plan.items[array], (size_t)plan.count[array] * info->words);
        else
            write_zeros(output, (uint64_t)plan.count[array] * info->record_size);
    }
    return status ? status : facet_report_status(report, error);
}
