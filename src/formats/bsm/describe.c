/* formats/bsm/describe.c - the description of a BSM, as a tree. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/tree.h"
#include "formats/bsm/layout.h"

#include <math.h>

/* Maximum number of listed meshes and hulls; the rest are counted. */
#define MAX_LISTED 1000

static bool add_count(facet_arena *arena, facet_tree *parent, const char *key, uint64_t count)
{
    return facet_tree_integer(arena, parent, key, (int64_t)count) != NULL;
}

/* Add a number. JSON has no infinities and NaN: they become a text. */
static bool add_real(facet_arena *arena, facet_tree *parent, const char *key, float value)
{
    if (isfinite(value))
        return facet_tree_real(arena, parent, key, (double)value) != NULL;
    return facet_tree_string(arena, parent, key, isnan(value) ? "NaN" : "infinite") != NULL;
}

static bool add_point(facet_arena *arena, facet_tree *parent, const char *key, const float *point)
{
    facet_tree *array = facet_tree_array(arena, parent, key);
    bool whole = array != NULL;
    for (int axis = 0; axis < 3; axis++)
        whole = add_real(arena, array, NULL, point[axis]) && whole;
    return whole;
}

static bool add_header(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail)
{
    bool whole = facet_tree_integer(arena, detail, "version", layout->version) != NULL;
    whole = facet_tree_integer(arena, detail, "extension", layout->extension) && whole;
    facet_tree *sphere = facet_tree_object(arena, detail, "sphere");
    whole = add_point(arena, sphere, "center", layout->center) && whole;
    whole = add_real(arena, sphere, "radius", layout->radius) && whole;
    facet_tree *box = facet_tree_object(arena, detail, "box");
    whole = add_point(arena, box, "minimum", layout->minimum) && whole;
    return add_point(arena, box, "maximum", layout->maximum) && whole;
}

static bool add_arrays(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail)
{
    facet_tree *arrays = facet_tree_array(arena, detail, "arrays");
    bool whole = arrays != NULL;
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++) {
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        facet_tree *line = facet_tree_object(arena, arrays, NULL);
        whole = facet_tree_string(arena, line, "name", info->name) && whole;
        whole = add_count(arena, line, "count", layout->count[array]) && whole;
        whole = add_count(arena, line, "offset", layout->offset[array]) && whole;
        whole =
            add_count(arena, line, "bytes", (uint64_t)layout->count[array] * info->record_size) &&
            whole;
    }
    return whole;
}

/* Add the range of a mesh or hull: first item and count, as in the file. They are not used for
 * lookups, so they need no check. */
static bool add_range(facet_arena *arena, facet_tree *line, const uint8_t *record,
                      const char *first, const char *count)
{
    bool whole = facet_tree_integer(arena, line, first, facet_load_i32le(record)) != NULL;
    return facet_tree_integer(arena, line, count, facet_load_i32le(record + 4)) && whole;
}

static bool add_meshes(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail)
{
    facet_tree *meshes = facet_tree_array(arena, detail, "meshes");
    bool whole = meshes != NULL;
    for (uint32_t i = 0; i < layout->count[FACET_BSM_MESHES] && i < MAX_LISTED; i++) {
        const uint8_t *record = layout->raw[FACET_BSM_MESHES] +
                                (size_t)i * facet_bsm_array_infos[FACET_BSM_MESHES].record_size;
        const char *name = (const char *)record + 8;
        facet_tree *line = facet_tree_object(arena, meshes, NULL);
        whole =
            facet_tree_text(arena, line, "material", name, facet_bsm_name_length(name)) && whole;
        whole = add_range(arena, line, record, "first_triangle", "triangles") && whole;
    }
    return whole;
}

static bool add_hulls(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail)
{
    facet_tree *hulls = facet_tree_array(arena, detail, "hulls");
    bool whole = hulls != NULL;
    for (uint32_t i = 0; i < layout->count[FACET_BSM_HULLS] && i < MAX_LISTED; i++) {
        facet_tree *line = facet_tree_object(arena, hulls, NULL);
        whole = add_range(arena, line,
                          layout->raw[FACET_BSM_HULLS] +
                              (size_t)i * facet_bsm_array_infos[FACET_BSM_HULLS].record_size,
                          "first_point", "points") &&
                whole;
    }
    return whole;
}

static bool add_occluder(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail)
{
    facet_tree *occluder = facet_tree_object(arena, detail, "occluder");
    bool whole =
        add_count(arena, occluder, "vertices", layout->count[FACET_BSM_OCCLUDER_POSITIONS]);
    return add_count(arena, occluder, "triangles", layout->count[FACET_BSM_OCCLUDER_TRIANGLES]) &&
           whole;
}

static bool add_detail(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail)
{
    bool whole = add_header(layout, arena, detail);
    whole = add_arrays(layout, arena, detail) && whole;
    whole = add_meshes(layout, arena, detail) && whole;
    whole = add_hulls(layout, arena, detail) && whole;
    return add_occluder(layout, arena, detail) && whole;
}

/* -- The description --------------------------------------------------- */

static void take_bounds(const facet_bsm_layout *layout, facet_description *description)
{
    description->has_bounds = layout->count[FACET_BSM_POSITIONS] > 0;
    for (int axis = 0; axis < 3; axis++) {
        description->minimum[axis] = (double)layout->minimum[axis];
        description->maximum[axis] = (double)layout->maximum[axis];
        if (!isfinite(layout->minimum[axis]) || !isfinite(layout->maximum[axis]))
            description->has_bounds = false;
    }
}

facet_status facet_bsm_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    (void)options;
    facet_bsm_layout layout;
    TRY(facet_bsm_view(source->data, source->size, &layout, error));
    char *version = facet_arena_format(description->arena, "%d", (int)layout.version);
    if (!version || !add_detail(&layout, description->arena, description->detail))
        return facet_fail_arena(description->arena, error);
    description->version = version;
    description->meshes = layout.count[FACET_BSM_MESHES];
    description->vertices = layout.count[FACET_BSM_POSITIONS];
    description->faces = layout.count[FACET_BSM_TRIANGLES];
    description->triangles = layout.count[FACET_BSM_TRIANGLES];
    description->materials = layout.count[FACET_BSM_MESHES];
    description->hulls = layout.count[FACET_BSM_HULLS];
    take_bounds(&layout, description);
    return FACET_OK;
}
