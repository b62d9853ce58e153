/* formats/bsm/document.c - shared functions for documents, from a file or filled by the caller. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "base/threads.h"
#include "formats/bsm/layout.h"

#include <inttypes.h>

facet_bsm_arrays facet_bsm_arrays_of(const facet_bsm *document)
{
    facet_bsm_arrays made = {
        {document->vertex_count, document->vertex_count, document->vertex_count,
         document->vertex_count, document->triangle_count, document->mesh_count,
         document->hull_point_count, document->hull_count, document->occluder_vertex_count,
         document->occluder_triangle_count},
        {document->positions, document->texcoords, document->normals, document->tangents,
         document->triangles, document->meshes, document->hull_points, document->hulls,
         document->occluder_positions, document->occluder_triangles}};
    return made;
}

/* -- Rules -------------------------------------------------------------- */

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

#define LEAST_PART ((size_t)65536)

/* Result per part of an array: index of the first non-finite number, or SIZE_MAX; the largest index
 * value. */
typedef struct search {
    const void *items;
    size_t nonfinite[FACET_MAX_PARTS];
    uint32_t largest[FACET_MAX_PARTS];
} search;

static void find_nonfinite(void *argument, size_t part, size_t first, size_t end)
{
    search *s = argument;
    size_t found = facet_find_nonfinite_float((const float *)s->items + first, end - first);
    s->nonfinite[part] = found < end - first ? first + found : SIZE_MAX;
}

static void find_largest(void *argument, size_t part, size_t first, size_t end)
{
    search *s = argument;
    const uint32_t *indices = s->items;
    uint32_t largest = 0;
    for (size_t i = first; i < end; i++)
        largest = indices[i] > largest ? indices[i] : largest;
    s->largest[part] = largest;
}

static facet_status check_floats(const facet_bsm_arrays *arrays, int array,
                                 const facet_options *options, facet_error *error)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    search s;
    s.items = arrays->items[array];
    size_t words = (size_t)arrays->count[array] * info->words;
    size_t parts = facet_run_parts(options, find_nonfinite, &s, words, LEAST_PART), part = 0;
    while (part < parts && s.nonfinite[part] == SIZE_MAX)
        part++;
    if (part < parts)
        return refuse(error, "BSM-FLOAT-NONFINITE",
                      "number %zu of element %zu of the %s is NaN or infinite",
                      s.nonfinite[part] % info->words, s.nonfinite[part] / info->words, info->name);
    return FACET_OK;
}

static facet_status check_indices(const facet_bsm_arrays *arrays, int array, int target,
                                  const char *rule, const facet_options *options,
                                  facet_error *error)
{
    search s;
    s.items = arrays->items[array];
    size_t count = (size_t)arrays->count[array] * 3;
    size_t parts = facet_run_parts(options, find_largest, &s, count, LEAST_PART);
    uint32_t largest = 0;
    for (size_t part = 0; part < parts; part++)
        largest = s.largest[part] > largest ? s.largest[part] : largest;
    if (count > 0 && largest >= arrays->count[target])
        return refuse(error, rule, "an index of the %s is %" PRIu32 ", there are %" PRIu32 " %s",
                      facet_bsm_array_infos[array].name, largest, arrays->count[target],
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

facet_status facet_bsm_check_arrays(const facet_bsm *document, const facet_options *options,
                                    facet_error *error)
{
    const facet_bsm_arrays arrays = facet_bsm_arrays_of(document);
    facet_status status = FACET_OK;
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT && !status; array++) {
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        bool zeros = array == FACET_BSM_TEXCOORDS && !arrays.items[array];
        if (arrays.count[array] > 0 && !arrays.items[array] && !zeros)
            return refuse(error, "BSM-DOCUMENT", "the %" PRIu32 " %s are missing",
                          arrays.count[array], info->name);
        if (info->words > 0 && !info->is_index && !zeros)
            status = check_floats(&arrays, array, options, error);
    }
    if (!status)
        status = check_indices(&arrays, FACET_BSM_TRIANGLES, FACET_BSM_POSITIONS,
                               "BSM-TRI-INDEX-RANGE", options, error);
    if (!status)
        status = check_indices(&arrays, FACET_BSM_OCCLUDER_TRIANGLES, FACET_BSM_OCCLUDER_POSITIONS,
                               "BSM-OCC-INDEX-RANGE", options, error);
    return status ? status : check_ranges(document, error);
}
