/* convert/compare_presence.c - attributes that only one of two scenes has, and sets of attributes
 * that are not compared. */
#include "convert/compare.h"

#include <inttypes.h>
#include <stdio.h>

/* True if a mesh has an attribute. Weights count only at a node with a skin. */
static bool has_any(const facet_scene *scene, facet_semantic semantic, uint32_t set)
{
    for (uint32_t m = 0; m < scene->mesh_count && semantic != FACET_WEIGHTS; m++) {
        if (facet_mesh_find(scene->meshes[m], semantic, set))
            return true;
    }
    for (uint32_t n = 0; n < scene->node_count && semantic == FACET_WEIGHTS; n++) {
        const facet_node *node = scene->nodes[n];
        if (node->mesh != FACET_NONE && node->skin != FACET_NONE &&
            facet_mesh_find(scene->meshes[node->mesh], semantic, set))
            return true;
    }
    return false;
}

/* Report attributes that only one of the scenes has. */
static void compare_presence(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    static const struct {
        facet_semantic semantic;
        facet_compare_part part;
        const char *name;
        uint32_t sets;
    } kinds[] = {
        {FACET_NORMAL, FACET_COMPARE_NORMALS, "normals", 1},
        {FACET_TANGENT, FACET_COMPARE_TANGENTS, "tangents", 1},
        {FACET_TEXCOORD, FACET_COMPARE_TEXCOORDS, "texture coordinates", FACET_SURFACE_SETS},
        {FACET_COLOR, FACET_COMPARE_COLORS, "colors", FACET_SURFACE_SETS},
        {FACET_WEIGHTS, FACET_COMPARE_WEIGHTS, "weights of joints", 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (uint32_t set = 0; set < kinds[i].sets; set++) {
            bool here = has_any(a, kinds[i].semantic, set);
            char number[32] = "";
            if (here == has_any(b, kinds[i].semantic, set))
                continue;
            if (set > 0)
                snprintf(number, sizeof number, " of set %" PRIu32, set);
            facet_compare_add(c, kinds[i].part, "COMPARE-ATTRIBUTE", FACET_NO_OFFSET,
                              "only the %s file has %s%s", here ? "first" : "second", kinds[i].name,
                              number);
        }
    }
}

/* Report sets of attributes that are above the compared ones. */
static void report_further_sets(const facet_comparing *c, const facet_scene *scene,
                                const char *file)
{
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        for (uint32_t s = 0; s < scene->meshes[m]->stream_count; s++) {
            const facet_stream *stream = &scene->meshes[m]->streams[s];
            bool colors = stream->semantic == FACET_COLOR;
            if ((!colors && stream->semantic != FACET_TEXCOORD) || stream->set < FACET_SURFACE_SETS)
                continue;
            facet_compare_add_absent(c, colors ? FACET_COMPARE_COLORS : FACET_COMPARE_TEXCOORDS,
                                     "COMPARE-UNREAD",
                                     "not compared, in the %s file: %s of set %d and above", file,
                                     colors ? "colors" : "texture coordinates", FACET_SURFACE_SETS);
            return;
        }
    }
}

void facet_compare_presence(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    compare_presence(c, a, b);
    report_further_sets(c, a, "first");
    report_further_sets(c, b, "second");
}
