/* formats/assimp/to_scene/binds.c - inverse bind matrices in COLLADA files of Blender.
 *
 * Blender writes the transform of a skinned mesh relative to its parent as <bind_shape_matrix>, the
 * inverse global matrices of the joints, and the identity for the mesh's node. If the parent, which
 * is usually the armature, is moved, turned or scaled, the joints leave the mesh without that
 * transform. Blender and other readers show the mesh with it. */
#include "base/error.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/matrix.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Global matrices at rest of the places, 16 floats each. NULL if out of memory. */
static float *global_matrices(const facet_assimp_reader *r)
{
    float *globals = facet_arena_allocate(r->scratch, r->place_count, 16 * sizeof *globals);
    for (uint32_t i = 0; globals && i < r->place_count; i++) { /* parents first */
        float local[16], *global = globals + (size_t)i * 16;
        facet_matrix_of_node(r->scene->nodes[i], local);
        if (r->places[i].parent == FACET_NONE)
            memcpy(global, local, sizeof local);
        else
            facet_matrix_multiply(globals + (size_t)r->places[i].parent * 16, local, global);
    }
    return globals;
}

/* The matrix at which the joints leave the mesh at rest. False if they disagree. The mesh's own
 * node `place` is a joint for vertices without bones. */
static bool find_common(const facet_skin *skin, uint32_t place, const float *globals,
                        float common[16])
{
    float size = 0;
    bool found = false;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        float at[16];
        if (skin->joints[i] == place)
            continue;
        facet_matrix_multiply(globals + (size_t)skin->joints[i] * 16,
                              skin->inverse_bind + (size_t)i * 16, at);
        for (int k = 0; k < 16 && !found; k++)
            size = fmaxf(size, fabsf(at[k]));
        if (!found)
            memcpy(common, at, sizeof at);
        found = true;
        for (int k = 0; k < 16; k++) {
            if (!(fabsf(at[k] - common[k]) <= 1e-3F * size))
                return false;
        }
    }
    return found;
}

/* Sum of the squared distances from vertices at a matrix to their joints. */
static double distances(const facet_mesh *mesh, const facet_skin *skin, uint32_t place,
                        const float *globals, const float *matrix)
{
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    const facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, 0);
    const uint16_t *joint = joints->data;
    const float *weight = weights->data, *position = positions->data;
    double sum = 0;
    for (size_t v = 0; v < joints->count; v++) {
        float at[3];
        facet_matrix_point(matrix, position + v * 3, at);
        for (size_t k = v * 4; k < v * 4 + 4; k++) {
            uint32_t number = skin->joints[joint[k]];
            const float *origin = globals + (size_t)number * 16 + 12;
            for (int axis = 0; axis < 3 && number != place; axis++) {
                double difference = (double)at[axis] - (double)origin[axis];
                sum += (double)weight[k] * difference * difference;
            }
        }
    }
    return sum;
}

/* Multiply the inverse bind matrices of a skin by the parent's transform. The vertices decide: they
 * are nearer to their joints with it. */
static bool correct_skin(const facet_assimp_reader *r, const facet_assimp_group *group,
                         const float *globals)
{
    const facet_skin *skin = r->scene->skins[group->skin];
    const facet_mesh *mesh = r->scene->meshes[group->mesh];
    uint32_t place = r->shown_by[r->members[group->first]];
    float without[16], unturned[16], inverse[16], turn[16], with[16], change[16];
    if (place == FACET_NONE || place == 0 || r->places[place].parent == 0 ||
        !find_common(skin, place, globals, without) || !facet_matrix_invert(globals, inverse))
        return false;
    /* The root has assimp's axes and unit. */
    facet_matrix_multiply(inverse, without, unturned);
    facet_matrix_multiply(globals + (size_t)r->places[place].parent * 16, unturned, with);
    if (!facet_matrix_invert(without, turn) || !(distances(mesh, skin, place, globals, with) <
                                                 distances(mesh, skin, place, globals, without)))
        return false;
    facet_matrix_multiply(turn, with, change);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        float *bind = skin->inverse_bind + (size_t)i * 16, changed[16];
        facet_matrix_multiply(bind, change, changed);
        memcpy(bind, skin->joints[i] == place ? unturned : changed, sizeof changed);
    }
    return true;
}

facet_status facet_assimp_correct_binds(facet_assimp_reader *r)
{
    bool is_blender =
        facet_assimp_is_dae(r->from) && strncmp(facet_assimp_generator(r->from), "Blender", 7) == 0;
    facet_tally corrected = {0, 0};
    if (!is_blender || r->scene->skin_count == 0 || r->scene->node_count == 0)
        return FACET_OK;
    const float *globals = global_matrices(r);
    if (!globals)
        return facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < r->group_count; i++) {
        if (r->groups[i].skin != FACET_NONE && correct_skin(r, &r->groups[i], globals))
            facet_tally_hit(&corrected, r->groups[i].skin);
    }
    facet_report_add_tally(r->report, "ASSIMP-BIND", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &corrected,
                           "Blender bound skin %" PRIu64 " without the transform of the mesh's "
                           "parent, which is added",
                           corrected.first);
    return FACET_OK;
}
