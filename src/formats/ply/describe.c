/* formats/ply/describe.c - the description of a PLY for `facet info`. */
#include "base/arena.h"
#include "base/error.h"
#include "base/tree.h"
#include "formats/ply/ply.h"

#include <string.h>

/* -- Counts and bounds -------------------------------------------------- */

static void count_faces(const facet_ply *ply, facet_description *description)
{
    const facet_ply_element *faces = facet_ply_find_element(ply, "face");
    const facet_ply_property *list = faces ? facet_ply_find_indices(faces) : NULL;
    description->faces = faces ? faces->count : 0;
    for (uint32_t i = 0; list && i < faces->count; i++) {
        uint32_t length = facet_ply_list_length(list, i);
        description->triangles += length > 2 ? length - 2 : 0;
    }
}

/* Count the triangles of strips with the reader's function, by tiles. A tile begins with the last
 * two vertices of the previous one. */
static void count_strips(const facet_ply *ply, facet_description *description)
{
    enum { TILE = 1024 };
    const facet_ply_element *strips = facet_ply_find_element(ply, "tristrips");
    const facet_ply_property *list = strips ? facet_ply_find_indices(strips) : NULL;
    uint32_t vertices[TILE];
    for (uint32_t i = 0; list && i < strips->count; i++) {
        uint32_t length = facet_ply_list_length(list, i), in_row = 0, last[2] = {0, 0};
        uint64_t first = facet_ply_list_first(list, i);
        for (uint32_t done = 0; done < length;) {
            uint32_t some = length - done < TILE ? length - done : TILE;
            facet_ply_read_values(list, first + done, some, FACET_PLY_UINT32, vertices);
            done += some;
            for (uint32_t k = 0; k < some; k++) {
                uint32_t v = vertices[k];
                in_row = v == UINT32_MAX ? 0 : in_row + 1;
                bool joins = last[0] == last[1] || last[1] == v || last[0] == v;
                description->triangles += in_row > 2 && !joins;
                description->faces += in_row > 2 && !joins;
                last[0] = last[1];
                last[1] = v;
            }
        }
    }
}

static void find_bounds(const facet_ply_element *vertices, facet_description *description)
{
    static const char *const names[] = {"x", "y", "z"};
    float tile[1024];
    description->has_bounds = vertices->count > 0;
    for (int k = 0; k < 3; k++) {
        const facet_ply_property *p = facet_ply_find(vertices, names[k]);
        if (!p || p->is_list) {
            description->has_bounds = false;
            return;
        }
        for (uint32_t first = 0; first < vertices->count; first += 1024) {
            uint32_t left = vertices->count - first, some = left < 1024 ? left : 1024;
            facet_ply_read_values(p, first, some, FACET_PLY_FLOAT32, tile);
            for (uint32_t i = 0; i < some; i++) {
                double value = (double)tile[i];
                if ((first == 0 && i == 0) || value < description->minimum[k])
                    description->minimum[k] = value;
                if ((first == 0 && i == 0) || value > description->maximum[k])
                    description->maximum[k] = value;
            }
        }
    }
}

/* -- The description --------------------------------------------------- */

/* NULL if out of memory. */
static void describe_element(facet_arena *arena, facet_tree *array,
                             const facet_ply_element *element)
{
    facet_tree *node = facet_tree_object(arena, array, NULL);
    facet_tree_string(arena, node, "name", element->name);
    facet_tree_integer(arena, node, "count", element->count);
    facet_tree *properties = facet_tree_array(arena, node, "properties");
    for (uint32_t i = 0; i < element->property_count; i++) {
        const facet_ply_property *p = &element->properties[i];
        facet_tree *property = facet_tree_object(arena, properties, NULL);
        facet_tree_string(arena, property, "name", p->name);
        if (p->is_list)
            facet_tree_string(arena, property, "count_type", facet_ply_type_name(p->count_type));
        facet_tree_string(arena, property, "type", facet_ply_type_name(p->type));
    }
}

facet_status facet_ply_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    static const char *const encodings[] = {"little-endian", "big-endian", "ascii"};
    facet_ply *ply = NULL;
    TRY(facet_ply_read(source, options, &ply, error));
    facet_arena *arena = description->arena;
    facet_tree *detail = description->detail;
    const facet_ply_element *vertices = facet_ply_find_element(ply, "vertex");
    description->version = "1.0";
    description->meshes = vertices != NULL;
    description->vertices = vertices ? vertices->count : 0;
    count_faces(ply, description);
    count_strips(ply, description);
    if (vertices)
        find_bounds(vertices, description);
    facet_tree_string(arena, detail, "encoding", encodings[ply->encoding]);
    facet_tree *comments = facet_tree_array(arena, detail, "comments");
    for (uint32_t i = 0; i < ply->comment_count; i++)
        facet_tree_string(arena, comments, NULL, ply->comments[i]);
    facet_tree *elements = facet_tree_array(arena, detail, "elements");
    for (uint32_t i = 0; i < ply->element_count; i++)
        describe_element(arena, elements, &ply->elements[i]);
    facet_ply_free(ply);
    return FACET_OK;
}
