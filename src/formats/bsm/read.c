/* formats/bsm/read.c - bytes to a document: all data are checked, none are changed. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/bsm/layout.h"

#include <inttypes.h>
#include <string.h>

/* -- Numbers ------------------------------------------------------------ */

static facet_status fail_nonfinite(const char *name, uint64_t offset, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "BSM-FLOAT-NONFINITE", offset,
                      "a number of the %s is NaN or infinite, expected a finite one", name);
}

/* Like facet_bsm_copy for a whole array of floats, but rejects numbers that are not finite. */
static facet_status copy_finite(const facet_bsm_layout *layout, facet_bsm_array array,
                                float *destination, facet_error *error)
{
    /* Check each stretch while it is in the cache. */
    const uint32_t stretch = 2048;
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    for (uint32_t i = 0, left = layout->count[array]; left > 0;) {
        uint32_t records = left < stretch ? left : stretch;
        float *to = destination + (size_t)i * info->words;
        TRY(facet_bsm_copy(layout, array, i, records, to, error));
        size_t words = (size_t)records * info->words;
        size_t bad = facet_find_nonfinite_float(to, words);
        if (bad < words)
            return fail_nonfinite(
                info->name,
                layout->offset[array] + (uint64_t)i * info->record_size + (uint64_t)bad * 4, error);
        i += records;
        left -= records;
    }
    return FACET_OK;
}

/* Sphere and box are adjacent in the header. */
static facet_status check_bounds(const facet_bsm_layout *layout, facet_error *error)
{
    const uint8_t *at = layout->data + FACET_BSM_AT_SPHERE;
    for (uint64_t i = 0; i < 10; i++) {
        if (!facet_is_finite_float(facet_load_u32le(at + 4 * i)))
            return fail_nonfinite(i < 4 ? "bounding sphere" : "bounding box",
                                  FACET_BSM_AT_SPHERE + 4 * i, error);
    }
    return FACET_OK;
}

/* -- Reading ------------------------------------------------------------ */

static facet_status read_floats(facet_arena *arena, const facet_bsm_layout *layout,
                                facet_bsm_array array, const float **values, facet_error *error)
{
    size_t size = facet_bsm_array_infos[array].record_size;
    float *copy = facet_arena_allocate(arena, layout->count[array], size);
    *values = copy;
    if (!copy)
        return facet_fail_arena(arena, error);
    return copy_finite(layout, array, copy, error);
}

static facet_status read_indices(facet_arena *arena, const facet_bsm_layout *layout,
                                 facet_bsm_array array, const uint32_t **indices,
                                 facet_error *error)
{
    size_t size = facet_bsm_array_infos[array].record_size;
    uint32_t *copy = facet_arena_allocate(arena, layout->count[array], size);
    *indices = copy;
    if (!copy)
        return facet_fail_arena(arena, error);
    return facet_bsm_copy(layout, array, 0, layout->count[array], copy, error);
}

static facet_status read_ranges(facet_arena *arena, const facet_bsm_layout *layout, facet_bsm *made,
                                facet_error *error)
{
    uint32_t mesh_count = layout->count[FACET_BSM_MESHES];
    uint32_t hull_count = layout->count[FACET_BSM_HULLS];
    facet_bsm_mesh *meshes = facet_arena_allocate(arena, mesh_count, sizeof *meshes);
    facet_bsm_hull *hulls = facet_arena_allocate(arena, hull_count, sizeof *hulls);
    if (!meshes || !hulls)
        return facet_fail_arena(arena, error);
    made->meshes = meshes;
    made->hulls = hulls;
    TRY(facet_bsm_copy(layout, FACET_BSM_MESHES, 0, mesh_count, meshes, error));
    return facet_bsm_copy(layout, FACET_BSM_HULLS, 0, hull_count, hulls, error);
}

static void take_header(facet_bsm *made, const facet_bsm_layout *layout)
{
    made->version = layout->version;
    made->extension = layout->extension;
    memcpy(made->center, layout->center, sizeof made->center);
    made->radius = layout->radius;
    memcpy(made->minimum, layout->minimum, sizeof made->minimum);
    memcpy(made->maximum, layout->maximum, sizeof made->maximum);
    made->vertex_count = layout->count[FACET_BSM_POSITIONS];
    made->triangle_count = layout->count[FACET_BSM_TRIANGLES];
    made->mesh_count = layout->count[FACET_BSM_MESHES];
    made->hull_point_count = layout->count[FACET_BSM_HULL_POINTS];
    made->hull_count = layout->count[FACET_BSM_HULLS];
    made->occluder_vertex_count = layout->count[FACET_BSM_OCCLUDER_POSITIONS];
    made->occluder_triangle_count = layout->count[FACET_BSM_OCCLUDER_TRIANGLES];
    memcpy(made->offset, layout->offset, sizeof made->offset);
}

facet_status facet_bsm_read_into(facet_arena *arena, const facet_bsm_layout *layout,
                                 facet_bsm *made, facet_error *error)
{
    take_header(made, layout);
    TRY(read_floats(arena, layout, FACET_BSM_POSITIONS, &made->positions, error));
    TRY(read_floats(arena, layout, FACET_BSM_TEXCOORDS, &made->texcoords, error));
    TRY(read_floats(arena, layout, FACET_BSM_NORMALS, &made->normals, error));
    TRY(read_floats(arena, layout, FACET_BSM_TANGENTS, &made->tangents, error));
    TRY(read_indices(arena, layout, FACET_BSM_TRIANGLES, &made->triangles, error));
    TRY(read_floats(arena, layout, FACET_BSM_HULL_POINTS, &made->hull_points, error));
    TRY(read_floats(arena, layout, FACET_BSM_OCCLUDER_POSITIONS, &made->occluder_positions, error));
    TRY(read_indices(arena, layout, FACET_BSM_OCCLUDER_TRIANGLES, &made->occluder_triangles,
                     error));
    return read_ranges(arena, layout, made, error);
}

/* -- Other data of the file -------------------------------------------- */

static bool all_zero(const uint8_t *bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (bytes[i])
            return false;
    }
    return true;
}

/* Read the secondary header: the bytes from the header to the first array, in files that can have
 * one. In a core file, these bytes are a gap. */
static facet_status read_secondary(facet_bsm *made, const facet_bsm_layout *layout,
                                   facet_report *report, facet_error *error)
{
    facet_bsm_span gaps[FACET_BSM_ARRAY_COUNT + 1];
    size_t count = facet_bsm_find_gaps(layout, gaps), i = 0;
    bool superset = layout->extension != 0 || layout->version > 1;
    if (superset && count > 0 && gaps[0].begin == FACET_BSM_HEADER_SIZE) {
        size_t size = (size_t)(gaps[0].end - gaps[0].begin);
        uint8_t *copy = facet_arena_allocate(made->arena, size, 1);
        if (!copy)
            return facet_fail_arena(made->arena, error);
        memcpy(copy, layout->data + gaps[0].begin, size);
        made->secondary = copy;
        made->secondary_size = size;
        i = 1;
    }
    for (; i < count; i++) {
        uint64_t size = gaps[i].end - gaps[i].begin;
        if (!all_zero(layout->data + gaps[i].begin, size))
            facet_report_add(report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, gaps[i].begin,
                             "%" PRIu64 " byte%s outside of all arrays %s not kept", size,
                             facet_plural(size, "", "s"), facet_plural(size, "is", "are"));
    }
    return FACET_OK;
}

static void report_tails(const facet_bsm *made, const facet_bsm_layout *layout,
                         facet_report *report)
{
    facet_tally tails = {0, 0};
    for (uint32_t i = 0; i < made->mesh_count; i++) {
        if (facet_bsm_name_has_tail(made->meshes[i].material))
            facet_tally_hit(&tails, i);
    }
    uint64_t size = facet_bsm_array_infos[FACET_BSM_MESHES].record_size;
    facet_report_add_tally(report, "LOSS-UNREAD", FACET_SEVERITY_WARNING,
                           layout->offset[FACET_BSM_MESHES] + tails.first * size + 8, &tails,
                           "bytes after the end of a material name are not kept");
}

facet_status facet_bsm_read(const facet_source *source, const facet_options *options,
                            facet_bsm **document, facet_error *error)
{
    facet_bsm_layout layout;
    facet_report *report = options ? options->report : NULL;
    facet_arena *arena = NULL;
    facet_status status = facet_bsm_view(source->data, source->size, &layout, error);
    if (!status)
        status = facet_bsm_verify(&layout, error);
    if (!status)
        status = check_bounds(&layout, error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    facet_bsm *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    status = facet_bsm_read_into(arena, &layout, made, error);
    if (!status)
        status = read_secondary(made, &layout, report, error);
    if (!status) {
        report_tails(made, &layout, report);
        status = facet_report_status(report, error);
    }
    if (status)
        facet_arena_free(arena);
    else
        *document = made;
    return status;
}

void facet_bsm_free(facet_bsm *document)
{
    if (document)
        facet_arena_free(document->arena);
}
