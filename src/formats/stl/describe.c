/* formats/stl/describe.c - the description of an STL for `facet info`. */
#include "base/arena.h"
#include "base/error.h"
#include "base/tree.h"
#include "formats/stl/stl.h"

static void find_bounds(const facet_stl *stl, facet_description *description)
{
    for (uint32_t i = 0; i < stl->triangle_count; i++) {
        facet_stl_triangle triangle = facet_stl_get(stl, i);
        for (int k = 0; k < 9; k++) {
            double value = (double)triangle.corners[k / 3][k % 3];
            bool first = i == 0 && k < 3;
            if (first || value < description->minimum[k % 3])
                description->minimum[k % 3] = value;
            if (first || value > description->maximum[k % 3])
                description->maximum[k % 3] = value;
        }
    }
    description->has_bounds = stl->triangle_count > 0;
}

static void describe_solids(const facet_stl *stl, facet_description *description)
{
    facet_arena *arena = description->arena;
    facet_tree *solids = facet_tree_array(arena, description->detail, "solids");
    for (uint32_t i = 0; i < stl->solid_count; i++) {
        facet_tree *solid = facet_tree_object(arena, solids, NULL);
        facet_tree_string(arena, solid, "name", stl->solids[i].name);
        facet_tree_integer(arena, solid, "triangles", stl->solids[i].triangle_count);
    }
}

facet_status facet_stl_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    static const char *const colors[] = {"none", "VisCAM", "Materialise"};
    facet_stl *stl = NULL;
    TRY(facet_stl_read(source, options, &stl, error));
    bool ascii = stl->encoding == FACET_STL_ASCII;
    description->version = "";
    description->meshes = ascii ? stl->solid_count : 1;
    description->vertices = (uint64_t)stl->triangle_count * 3;
    description->faces = description->triangles = stl->triangle_count;
    find_bounds(stl, description);
    facet_arena *arena = description->arena;
    facet_tree *detail = description->detail;
    facet_tree_string(arena, detail, "encoding", ascii ? "ascii" : "binary");
    if (!ascii) {
        size_t length = 0;
        while (length < FACET_STL_HEADER_SIZE && stl->header[length])
            length++;
        facet_tree_text(arena, detail, "header", (const char *)stl->header, length);
    }
    facet_tree_string(arena, detail, "colors", colors[stl->colors]);
    if (ascii)
        describe_solids(stl, description);
    facet_stl_free(stl);
    return FACET_OK;
}
