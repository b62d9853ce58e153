/* formats/j3d/scene/from_scene/billboards.c - billboards by name, and their axes.
 *
 * Games draw the plane of a joint's x and y axes toward the camera. In FBX and COLLADA files of
 * Blender, z is up in the axes of each object. */
#include "formats/j3d/scene/from_scene/builder.h"

#include <math.h>
#include <string.h>

uint8_t facet_j3d_billboard_of_name(const char *name)
{
    if (strstr(name, "BillXY"))
        return FACET_J3D_SHAPE_BILLBOARD;
    return strstr(name, "BillX") ? FACET_J3D_SHAPE_Y_BILLBOARD : FACET_J3D_SHAPE_SINGLE;
}

/* True if the node shows a rigid mesh that is a billboard only because of a name. */
static bool is_named(const facet_j3d_builder *b, uint32_t node)
{
    const facet_node *n = b->scene->nodes[node];
    if (b->like || n->mesh == FACET_NONE || facet_j3d_is_skinned(b->scene, n) ||
        b->mesh_files[n->mesh] || b->node_files[node])
        return false;
    const facet_mesh *mesh = b->scene->meshes[n->mesh];
    return mesh->billboard == FACET_BILLBOARD_NONE &&
           (facet_j3d_billboard_of_name(mesh->name) || facet_j3d_billboard_of_name(n->name));
}

/* Twice the area of a mesh seen along the y and z axes of its node. */
static void measure(const facet_j3d_builder *b, const facet_mesh *mesh, double *along_y,
                    double *along_z)
{
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    *along_y = *along_z = 0;
    for (size_t i = 0; i < mesh->face_count && !mesh->face_offsets; i++) {
        float corners[3][3];
        for (size_t k = 0; k < 3; k++)
            facet_j3d_builder_point(
                b, (const float *)positions->data + (size_t)positions->indices[i * 3 + k] * 3,
                corners[k]);
        double sides[2][3];
        for (int k = 0; k < 6; k++)
            sides[k / 3][k % 3] = (double)corners[1 + k / 3][k % 3] - (double)corners[0][k % 3];
        *along_y += fabs(sides[0][2] * sides[1][0] - sides[0][0] * sides[1][2]);
        *along_z += fabs(sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0]);
    }
}

/* Find the rotation that makes y the axis that points up, if that is z or -z. */
static bool find_turn(const facet_j3d_builder *b, uint32_t node, facet_j3d_matrix turn)
{
    const double *place = b->node_place[node];
    double up[3], along_y, along_z;
    if (!is_named(b, node))
        return false;
    for (int i = 0; i < 3; i++) /* the row of the scene's y axis, without the scale */
        up[i] = place[4 + i] / sqrt(place[i] * place[i] + place[4 + i] * place[4 + i] +
                                    place[8 + i] * place[8 + i]);
    if (!(fabs(up[2]) > fabs(up[0]) && fabs(up[2]) > fabs(up[1])))
        return false;
    measure(b, b->scene->meshes[b->scene->nodes[node]->mesh], &along_y, &along_z);
    if (along_y * 4 < along_z) /* it would be seen from its edge */
        return false;
    double sign = up[2] > 0 ? 1 : -1;
    const facet_j3d_matrix made = {1, 0, 0, 0, 0, 0, sign, 0, 0, -sign, 0, 0};
    memcpy(turn, made, sizeof made);
    return true;
}

void facet_j3d_place_node(facet_j3d_builder *b, uint32_t node)
{
    uint32_t parent = b->scene->nodes[node]->parent;
    double *local = b->node_local[node], *place = b->node_place[node];
    facet_j3d_matrix made, back;
    if (parent == FACET_NONE) {
        memcpy(place, local, sizeof made);
    } else {
        facet_j3d_matrix_multiply(b->node_turn[parent], local, made);
        memcpy(local, made, sizeof made);
        facet_j3d_matrix_multiply(b->node_place[parent], local, place);
    }
    facet_j3d_matrix_identity(b->node_turn[node]);
    if (!find_turn(b, node, b->node_turn[node]) ||
        !facet_j3d_matrix_invert(b->node_turn[node], back))
        return;
    facet_j3d_matrix_multiply(local, back, made);
    memcpy(local, made, sizeof made);
    facet_j3d_matrix_multiply(place, back, made);
    memcpy(place, made, sizeof made);
}
