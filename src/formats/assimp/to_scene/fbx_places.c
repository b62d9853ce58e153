/* formats/assimp/to_scene/fbx_places.c - finds the object of an FBX that each place is read from,
 * and reads properties of nodes that assimp drops. */
#include "base/error.h"
#include "formats/assimp/to_scene/fbx.h"
#include "formats/assimp/to_scene/pivots.h"
#include "scene/matrix.h"

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

/* -- Geometric transforms ----------------------------------------------- */

/* assimp turns the mesh in the rotation order of the node. It is always x, y, z. */
bool facet_assimp_place_geometry(const facet_assimp_reader *r, uint32_t place,
                                 struct aiMatrix4x4 *matrix)
{
    static const char *const names[3] = {"GeometricTranslation", "GeometricRotation",
                                         "GeometricScaling"};
    double v[3][3] = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}}, q[4];
    bool is_placed = facet_assimp_geometry_matrix(&r->places[place], matrix);
    if (!is_placed || !r->fbx || r->objects[place] == FACET_NONE)
        return is_placed;
    for (int i = 0; i < 3; i++) {
        facet_fbx_value values[3];
        uint32_t count = facet_fbx_property(r->fbx, r->objects[place], names[i], values, 3);
        for (uint32_t k = 0; k < count; k++)
            v[i][k] = values[k].number * (i == 1 ? 3.14159265358979323846 / 180 : 1);
    }
    facet_transform t;
    float m[16];
    facet_assimp_quaternion_of_angles(v[1], q);
    for (int k = 0; k < 4; k++)
        t.rotation[k] = (float)q[k];
    for (int k = 0; k < 3; k++) {
        t.translation[k] = (float)v[0][k];
        t.scale[k] = (float)v[2][k];
    }
    facet_matrix_of_transform(&t, m);
    facet_assimp_set_matrix(matrix, m);
    return true;
}

/* -- Visibility --------------------------------------------------------- */

/* A node has an animated number and a flag: both must be set. */
static bool is_hidden_object(const facet_fbx *fbx, uint32_t object)
{
    return facet_fbx_number(fbx, object, "Visibility", 1) == 0 ||
           facet_fbx_number(fbx, object, "Show", 1) == 0;
}

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
        if (is_hidden_object(fbx, object))
            r->scene->nodes[i]->hidden = is_hidden[i] = true;
    }
    for (uint32_t i = 1; i < fbx->object_count; i++) {
        if (!is_read[i] && facet_fbx_is(fbx->objects[i].kind, "Model") && is_hidden_object(fbx, i))
            facet_tally_hit(&lost, i);
    }
    facet_report_add_tally(r->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "the visibility of a hidden node is not read: the node is visible");
    facet_report_add_tally(
        r->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &inherited,
        "node %" PRIu64 " is visible below a hidden one, which hides it", inherited.first);
    return FACET_OK;
}
