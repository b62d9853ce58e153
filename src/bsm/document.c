/* bsm/document.c - what every document keeps, read or filled in by hand. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "bsm/layout.h"

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

static facet_status check_floats(const facet_bsm_arrays *arrays, int array, facet_error *error)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    size_t words = (size_t)arrays->count[array] * info->words;
    size_t bad = facet_find_nonfinite_float(arrays->items[array], words);
    if (bad < words)
        return refuse(error, "BSM-FLOAT-NONFINITE",
                      "number %zu of element %zu of the %s is NaN or infinite", bad % info->words,
                      bad / info->words, info->name);
    return FACET_OK;
}

static facet_status check_indices(const facet_bsm_arrays *arrays, int array, int target,
                                  const char *rule, facet_error *error)
{
    const uint32_t *indices = arrays->items[array];
    size_t count = (size_t)arrays->count[array] * 3;
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = indices[i] > largest ? indices[i] : largest;
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

facet_status facet_bsm_check_arrays(const facet_bsm *document, facet_error *error)
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
            status = check_floats(&arrays, array, error);
    }
    if (!status)
        status = check_indices(&arrays, FACET_BSM_TRIANGLES, FACET_BSM_POSITIONS,
                               "BSM-TRI-INDEX-RANGE", error);
    if (!status)
        status = check_indices(&arrays, FACET_BSM_OCCLUDER_TRIANGLES, FACET_BSM_OCCLUDER_POSITIONS,
                               "BSM-OCC-INDEX-RANGE", error);
    return status ? status : check_ranges(document, error);
}
