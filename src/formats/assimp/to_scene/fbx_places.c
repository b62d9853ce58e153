/* formats/assimp/to_scene/fbx_places.c - finds the object of an FBX that each place is read from,
 * and reads properties of nodes that assimp drops. */
#include "base/error.h"
#include "formats/assimp/to_scene/fbx.h"

#include <inttypes.h>
#include <string.h>

/* Find the next connection from a node that assimp reads. */
static uint32_t next_node(const facet_fbx *fbx, uint32_t object, uint32_t i)
{
    do {
        i = facet_fbx_next_link(fbx, object, "Model", i);
        if (i == FACET_NONE)
            return FACET_NONE;
        facet_fbx_span type = fbx->objects[fbx->links[i].from].type;
        if (!facet_fbx_is(type, "IKEffector") && !facet_fbx_is(type, "FKEffector"))
            return i;
    } while (++i);
    return FACET_NONE;
}

/* The children of a place have the order of the connections to its object. */
facet_status facet_assimp_find_objects(facet_assimp_reader *r)
{
    const facet_fbx *fbx = r->fbx;
    if (!fbx)
        return FACET_OK;
    r->objects = facet_arena_allocate(r->scratch, r->place_count, sizeof *r->objects);
    if (!r->objects)
        return facet_assimp_no_memory(r->error, r->place_count, sizeof *r->objects);
    memset(r->objects, 0xFF, r->place_count * sizeof *r->objects);
    if (r->place_count > 0 && fbx->object_count > 0)
        r->objects[0] = 0;
    for (uint32_t i = 0, first = 1, end; i < r->place_count; i++, first = end) {
        uint32_t object = r->objects[i], count = 0, link = 0;
        for (end = first; end < r->place_count && r->places[end].parent == i;)
            end++;
        if (object == FACET_NONE)
            continue;
        for (link = 0; (link = next_node(fbx, object, link)) != FACET_NONE; link++)
            count++;
        if (count != end - first)
            continue;
        link = 0;
        for (uint32_t child = first; child < end; child++, link++) {
            link = next_node(fbx, object, link);
            r->objects[child] = fbx->links[link].from;
        }
    }
    return FACET_OK;
}

uint32_t facet_assimp_geometry_of(const facet_assimp_reader *r, uint32_t place)
{
    const facet_fbx *fbx = r->fbx;
    if (!fbx || place == FACET_NONE || r->objects[place] == FACET_NONE)
        return FACET_NONE;
    uint32_t link = facet_fbx_next_link(fbx, r->objects[place], "Geometry", 0);
    bool is_only = link != FACET_NONE &&
                   facet_fbx_next_link(fbx, r->objects[place], "Geometry", link + 1) == FACET_NONE;
    return is_only ? fbx->links[link].from : FACET_NONE;
}

/* -- Visibility --------------------------------------------------------- */

facet_status facet_assimp_hide_nodes(facet_assimp_reader *r)
{
    const facet_fbx *fbx = r->fbx;
    facet_tally lost = {0, 0}, inherited = {0, 0};
    if (!fbx || r->scene->node_count == 0)
        return FACET_OK;
    bool *is_read = facet_arena_allocate_zeroed(r->scratch, fbx->object_count, sizeof *is_read);
    bool *is_hidden = facet_arena_allocate_zeroed(r->scratch, r->place_count, sizeof *is_hidden);
    if (!is_read || !is_hidden)
        return facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < r->place_count; i++) {
        uint32_t object = r->objects[i], parent = r->places[i].parent;
        bool is_below = parent != FACET_NONE && is_hidden[parent];
        is_hidden[i] = is_below;
        if (object == FACET_NONE || object == 0)
            continue;
        is_read[object] = true;
        if (is_below && facet_fbx_number(fbx, object, "Visibility Inheritance", 1) == 0)
            facet_tally_hit(&inherited, i);
        if (facet_fbx_number(fbx, object, "Visibility", 1) == 0)
            r->scene->nodes[i]->hidden = is_hidden[i] = true;
    }
    for (uint32_t i = 1; i < fbx->object_count; i++) {
        if (!is_read[i] && facet_fbx_is(fbx->objects[i].kind, "Model") &&
            facet_fbx_number(fbx, i, "Visibility", 1) == 0)
            facet_tally_hit(&lost, i);
    }
    facet_report_add_tally(r->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "the visibility of a hidden node is not read: the node is visible");
    facet_report_add_tally(
        r->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &inherited,
        "node %" PRIu64 " is visible below a hidden one, which hides it", inherited.first);
    return FACET_OK;
}
