/* formats/j3d/patch/skins.c - from the scene's bind pose to the original's.
 *
 * A skin stores the bind pose of each bone, and so does the original. If both are equal, vertices
 * are in the same space. But programs change the bind pose. Blender's bones have no scale, so parts
 * of a scaled bone become smaller, and its bones can have other axes; users can make another pose
 * the rest pose. A vertex then moves back by the blend of the changes to its bones. The way that
 * puts more vertices on vertices of the original is used.
 *
 * The original has the bind pose only of bones that share vertices. Other vertices are in the space
 * of their joint, and fit any bind pose. */
#include "formats/j3d/patch/blends.h"
#include "formats/j3d/patch/compare.h"
#include "formats/j3d/patch/like.h"

#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SAMPLES 512
#define MAX_CANDIDATES 8      /* shapes that a mesh of an unknown name is compared with */
#define ORIGIN_TOLERANCE 2e-4 /* relative to the model's size */
#define AXIS_TOLERANCE 1e-3

static uint32_t joint_of_skin(const facet_j3d_builder *b, const facet_skin *skin, uint32_t index)
{
    return skin->joints[index] == FACET_NONE ? 0 : b->joint_of_node[skin->joints[index]];
}

static bool is_known(const facet_j3d_builder *b, uint32_t joint)
{
    return joint < b->like->joint_count;
}

/* -- Bind pose ---------------------------------------------------------- */

/* Get the inverse bind matrices of the original; without one, from the joint at rest. */
static void take_binds(facet_j3d_builder *b)
{
    const facet_j3d_envelopes *e = &b->like->document->envelopes;
    for (uint32_t j = 0; j < b->document->joints.count; j++) {
        facet_j3d_matrix back;
        for (int k = 0; k < 12 && j < e->inverse_bind_count; k++)
            b->bind[j][k] = (double)e->inverse_bind[j][k];
        if (j < e->inverse_bind_count && j < b->like->joint_count &&
            facet_j3d_matrix_invert(b->bind[j], back))
            continue;
        facet_j3d_matrix_identity(b->bind[j]);
        facet_j3d_matrix_invert(b->joint_place[j], b->bind[j]);
    }
}

static double axis_distance(const double a[12], const double b[12])
{
    double most = 0;
    for (int i = 0; i < 12; i++)
        most = i % 4 == 3 ? most : fmax(most, fabs(a[i] - b[i]));
    return most;
}

static double distance(const double a[12], const double b[12])
{
    return sqrt((a[3] - b[3]) * (a[3] - b[3]) + (a[7] - b[7]) * (a[7] - b[7]) +
                (a[11] - b[11]) * (a[11] - b[11]));
}

/* The size of translations in the motion `made` of the vertices of a joint. The farther it is from
 * the origin, the larger are the rounding errors. */
static double motion_size(const facet_j3d_builder *b, uint32_t node, const double made[12])
{
    return 1 + facet_j3d_matrix_translation_size(made) +
           facet_j3d_matrix_translation_size(b->node_place[node]);
}

/* True if the joints of a skin rest in another pose than its bind pose: at rest, they move their
 * vertices by different matrices. */
static bool rests_in_other_pose(const facet_j3d_builder *b, const facet_skin *skin,
                                const facet_j3d_matrix *own)
{
    facet_j3d_matrix first, made;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        if (skin->joints[j] == FACET_NONE)
            return false;
        facet_j3d_matrix_multiply(b->node_place[skin->joints[j]], own[j], made);
        if (j == 0)
            memcpy(first, made, sizeof first);
        else if (facet_j3d_matrix_distance(made, first, motion_size(b, skin->joints[j], made)) >
                 1e-3)
            return true;
    }
    return false;
}

/* Move the vertices of a skin from its bind space to that of the skins before, whose joints are
 * `is_taken`: by one matrix, if all of its joints agree. */
static void join_taken(const facet_j3d_builder *b, uint32_t index, const bool *is_taken)
{
    const facet_skin *skin = b->scene->skins[index];
    facet_j3d_matrix *own = b->skin_bind + b->skin_first[index];
    facet_j3d_matrix move, back, made;
    bool found = false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(b, skin, j);
        if (!is_known(b, joint) || !is_taken[joint] ||
            !facet_j3d_matrix_invert(b->bind[joint], back))
            continue;
        facet_j3d_matrix_multiply(back, own[j], made);
        double size = 1 + facet_j3d_matrix_translation_size(made);
        if (found && facet_j3d_matrix_distance(made, move, size) > 1e-4)
            return;
        memcpy(move, made, sizeof move);
        found = true;
    }
    if (!found || !facet_j3d_matrix_invert(move, back) ||
        facet_j3d_matrix_distance_from_identity(move, 1) < 1e-4)
        return;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        facet_j3d_matrix_multiply(own[j], back, made);
        memcpy(own[j], made, sizeof made);
    }
    memcpy(b->skin_move[index], move, sizeof move);
}

/* Take the bind pose of a scene that is bound in another pose, for the joints whose nodes rest
 * where they do in the original. */
static void take_other_pose(const facet_j3d_builder *b, uint32_t index, bool *is_taken)
{
    const facet_skin *skin = b->scene->skins[index];
    const facet_j3d_matrix *own = (const facet_j3d_matrix *)(b->skin_bind + b->skin_first[index]);
    if (!rests_in_other_pose(b, skin, own))
        return;
    join_taken(b, index, is_taken);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(b, skin, j);
        if (!is_known(b, joint) || is_taken[joint] ||
            joint < b->like->document->envelopes.inverse_bind_count)
            continue;
        const double *place = b->node_place[skin->joints[j]];
        if (distance(place, b->joint_place[joint]) > ORIGIN_TOLERANCE * b->like->size ||
            axis_distance(place, b->joint_place[joint]) > AXIS_TOLERANCE)
            continue;
        is_taken[joint] = true;
        memcpy(b->bind[joint], own[j], sizeof own[j]);
    }
}

static int compare_ratios(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Find the scale between scene and original. It is the median over the distances of bones from
 * their parents, so that single moved bones do not matter. */
static facet_status find_factor(const facet_j3d_builder *b, const facet_skin *skin,
                                const facet_j3d_matrix *bound, double *factor)
{
    uint32_t count = 0;
    uint32_t *place = facet_j3d_builder_scratch(b, b->like->joint_count, sizeof *place);
    double *ratios = facet_j3d_builder_scratch(b, skin->joint_count, sizeof *ratios);
    if (!place || !ratios)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        if (is_known(b, joint_of_skin(b, skin, j)))
            place[joint_of_skin(b, skin, j)] = j + 1;
    }
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(b, skin, j);
        uint16_t parent =
            is_known(b, joint) ? b->like->document->joints.items[joint].parent : FACET_J3D_NONE;
        facet_j3d_matrix there, above;
        if (parent == FACET_J3D_NONE || !place[parent] ||
            !facet_j3d_matrix_invert(b->bind[joint], there) ||
            !facet_j3d_matrix_invert(b->bind[parent], above))
            continue;
        double length = distance(there, above);
        if (length > 1e-3 * b->like->size)
            ratios[count++] = distance(bound[j], bound[place[parent] - 1]) / length;
    }
    qsort(ratios, count, sizeof *ratios, compare_ratios);
    double median = count > 0 ? ratios[count / 2] : 1;
    *factor = median > 1.2 || (median > 0 && median < 1 / 1.2) ? median : 1;
    return FACET_OK;
}

static void normalize_columns(const double m[12], double out[9])
{
    for (int c = 0; c < 3; c++) {
        double length = sqrt(m[c] * m[c] + m[c + 4] * m[c + 4] + m[c + 8] * m[c + 8]);
        for (int r = 0; r < 3; r++)
            out[r * 3 + c] = length > 0 ? m[r * 4 + c] / length : r == c;
    }
}

/* Undo a change of a bone's axes, by quarter turns. Programs that draw bones along a fixed axis
 * change them this way. */
static void untwist(double bound[12], const double known[12])
{
    double a[9], b[9], turn[9], made[9];
    normalize_columns(known, a);
    normalize_columns(bound, b);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            turn[r * 3 + c] = a[r] * b[c] + a[r + 3] * b[c + 3] + a[r + 6] * b[c + 6];
            double whole = round(turn[r * 3 + c]);
            if (fabs(turn[r * 3 + c] - whole) > 0.05)
                return;
            turn[r * 3 + c] = whole;
        }
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            made[r * 3 + c] = bound[r * 4] * turn[c * 3] + bound[r * 4 + 1] * turn[c * 3 + 1] +
                              bound[r * 4 + 2] * turn[c * 3 + 2];
    }
    for (int i = 0; i < 9; i++)
        bound[i / 3 * 4 + i % 3] = made[i];
}

/* The difference of a matrix from a rotation, by the lengths of its columns. */
static double stretch_of(const double m[12])
{
    double most = 0;
    for (int c = 0; c < 3; c++)
        most = fmax(most, fabs(sqrt(m[c] * m[c] + m[c + 4] * m[c + 4] + m[c + 8] * m[c + 8]) - 1));
    return most;
}

/* Compute for each joint the matrix from the original's bind space to the scene's. *same is true if
 * no bone differs in position or scale. */
static facet_status find_moves(const facet_j3d_builder *b, uint32_t index, bool may_be_scaled,
                               facet_j3d_matrix *moves, bool *same)
{
    const facet_skin *skin = b->scene->skins[index];
    const facet_j3d_matrix *own = (const facet_j3d_matrix *)(b->skin_bind + b->skin_first[index]);
    double most = 0;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        if (!facet_j3d_matrix_invert(own[j], moves[j]))
            facet_j3d_matrix_identity(moves[j]);
    }
    double factor = 1;
    if (may_be_scaled)
        TRY(find_factor(b, skin, (const facet_j3d_matrix *)moves, &factor));
    b->skin_factor[index] = factor;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(b, skin, j);
        facet_j3d_matrix known, bound;
        memcpy(bound, moves[j], sizeof bound);
        for (int r = 0; r < 3; r++)
            bound[r * 4 + 3] /= factor;
        if (!is_known(b, joint)) { /* a new bone uses the scene's bind pose */
            facet_j3d_matrix_invert(bound, b->bind[joint]);
            facet_j3d_matrix_identity(moves[j]);
            continue;
        }
        if (facet_j3d_matrix_invert(b->bind[joint], known)) {
            for (int r = 0; r < 3; r++)
                most = fmax(most, fabs(bound[r * 4 + 3] - known[r * 4 + 3]));
            untwist(bound, known);
        }
        facet_j3d_matrix_multiply(bound, b->bind[joint], moves[j]);
        most = fmax(most, stretch_of(moves[j]) * b->like->size);
    }
    *same = most <= ORIGIN_TOLERANCE * b->like->size;
    return FACET_OK;
}

/* Make a skin upright. Vertices of FBX and COLLADA can be in another space than the model: on their
 * back, or in another unit. At rest, all joints of the skin move them by one matrix to their
 * visible position; use it. False if such a matrix is missing, or has no effect. */
static bool set_upright(const facet_j3d_builder *b, uint32_t index)
{
    const facet_skin *skin = b->scene->skins[index];
    facet_j3d_matrix *own = b->skin_bind + b->skin_first[index];
    facet_j3d_matrix upright, back, made;
    bool known = false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        if (skin->joints[j] == FACET_NONE)
            return false;
        facet_j3d_matrix_multiply(b->node_place[skin->joints[j]], own[j], made);
        double size = motion_size(b, skin->joints[j], made);
        if (!known)
            memcpy(upright, made, sizeof upright);
        else if (facet_j3d_matrix_distance(made, upright, size) > 1e-4)
            return false;
        known = true;
    }
    if (!known || facet_j3d_matrix_distance_from_identity(upright, 1) < 1e-4 ||
        !facet_j3d_matrix_invert(upright, back))
        return false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        facet_j3d_matrix_multiply(own[j], back, made);
        memcpy(own[j], made, sizeof made);
    }
    memcpy(b->skin_move[index], upright, sizeof upright);
    return true;
}

/* -- Choice of the way -------------------------------------------------- */

/* Get the matrix from the scene's bind space to the original's. */
static bool take_back(const facet_j3d_builder *b, uint32_t skin, const facet_j3d_influence *list,
                      uint32_t count, double out[12])
{
    const facet_j3d_matrix *moves = (const facet_j3d_matrix *)(b->skin_moves + b->skin_first[skin]);
    facet_j3d_matrix sum = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 12; k++)
            sum[k] += (double)list[i].weight * moves[list[i].joint][k];
    }
    return facet_j3d_matrix_invert(sum, out);
}

static void shrink(double m[12], double factor)
{
    for (int i = 0; i < 12; i++)
        m[i] = i % 4 == 3 ? m[i] : m[i] / factor;
}

void facet_j3d_like_placing(const facet_j3d_builder *b, uint32_t skin,
                            const facet_j3d_influence *list, uint32_t count, double out[12])
{
    facet_j3d_matrix back, made;
    facet_j3d_matrix_identity(back);
    if (b->conflict[skin] && !take_back(b, skin, list, count, back))
        facet_j3d_matrix_identity(back);
    if (b->skin_factor[skin] != 1)
        shrink(back, b->skin_factor[skin]);
    facet_j3d_matrix_multiply(back, b->skin_move[skin], made);
    memcpy(back, made, sizeof back);
    if (count == 1) {
        uint32_t joint = joint_of_skin(b, b->scene->skins[skin], list[0].joint);
        facet_j3d_matrix_multiply(b->bind[joint], back, made);
        memcpy(out, made, sizeof made);
    } else {
        memcpy(out, back, sizeof back);
    }
}

/* Get the matrix from the original's bind space to the rest pose. */
static void rest_of(const facet_j3d_builder *b, uint32_t skin, const facet_j3d_influence *list,
                    uint32_t count, double out[12])
{
    memset(out, 0, sizeof(facet_j3d_matrix));
    for (uint32_t i = 0; i < count; i++) {
        facet_j3d_matrix moved;
        uint32_t joint = joint_of_skin(b, b->scene->skins[skin], list[i].joint);
        facet_j3d_matrix_multiply(b->joint_place[joint], b->bind[joint], moved);
        for (int k = 0; k < 12; k++)
            out[k] += (double)list[i].weight * moved[k];
    }
}

static uint32_t influences_at(const facet_skin *skin, const facet_mesh *mesh, uint32_t v,
                              facet_j3d_influence list[4])
{
    const facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, 0);
    uint32_t count = 0;
    for (uint32_t i = 0; joints && weights && i < 4; i++) {
        uint16_t joint = ((const uint16_t *)joints->data)[(size_t)v * 4 + i];
        float weight = ((const float *)weights->data)[(size_t)v * 4 + i];
        if (weight > 1e-6F && joint < skin->joint_count)
            list[count++] = (facet_j3d_influence){joint, weight};
    }
    return count;
}

/* Shapes whose vertices those of a node can be: that of its name, else those of its materials. */
typedef struct candidates {
    uint32_t shapes[MAX_CANDIDATES], count;
} candidates;

static candidates candidates_of(const facet_j3d_builder *b, uint32_t node)
{
    const facet_j3d_like *like = b->like;
    const facet_mesh *mesh = b->scene->meshes[b->scene->nodes[node]->mesh];
    candidates found = {{like->shape_of_node[node]}, 1};
    if (found.shapes[0] != FACET_NONE)
        return found;
    found.count = 0;
    for (uint32_t face = 0; face < mesh->face_count && found.count < MAX_CANDIDATES; face++) {
        uint32_t material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
        uint32_t slot = material < b->scene->material_count ? like->slot_of[material] : FACET_NONE;
        uint32_t shape = slot < like->slot_count ? like->shape_of_slot[slot] : FACET_NONE, k = 0;
        while (k < found.count && found.shapes[k] != shape)
            k++;
        if (shape != FACET_NONE && k == found.count)
            found.shapes[found.count++] = shape;
    }
    return found;
}

static bool is_on_shape(const facet_j3d_like *like, const candidates *shapes, const double place[3])
{
    for (uint32_t i = 0; i < shapes->count; i++) {
        if (facet_j3d_like_group(like, shapes->shapes[i], place) != FACET_NONE)
            return true;
    }
    return false;
}

/* Count the vertices of a node that are on vertices of its shapes: unchanged, and moved back. */
static void count_of_node(const facet_j3d_builder *b, uint32_t node, uint32_t counts[2])
{
    const facet_node *n = b->scene->nodes[node];
    const facet_mesh *mesh = b->scene->meshes[n->mesh];
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    candidates shapes = candidates_of(b, node);
    uint32_t step = positions ? positions->count / MAX_SAMPLES + 1 : 1;
    for (uint32_t v = 0; positions && v < positions->count; v += step) {
        facet_j3d_influence list[4];
        facet_j3d_matrix rest, back;
        uint32_t count = influences_at(b->scene->skins[n->skin], mesh, v, list);
        const float *p = (const float *)positions->data + (size_t)v * 3;
        float turned[3];
        facet_j3d_builder_point(b, p, turned);
        facet_j3d_matrix_point(b->skin_move[n->skin], turned, turned);
        for (int i = 0; i < 3; i++)
            turned[i] = (float)((double)turned[i] / b->skin_factor[n->skin]);
        rest_of(b, n->skin, list, count, rest);
        for (int way = 0; way < 2 && count > 0; way++) {
            float moved[3];
            double place[3];
            memcpy(moved, turned, sizeof moved);
            if (way == 1 && take_back(b, n->skin, list, count, back))
                facet_j3d_matrix_point(back, moved, moved);
            facet_j3d_matrix_point(rest, moved, moved);
            for (int i = 0; i < 3; i++)
                place[i] = (double)moved[i];
            counts[way] += is_on_shape(b->like, &shapes, place);
        }
    }
}

/* The same for all nodes of a skin. */
static void count_matches(const facet_j3d_builder *b, uint32_t skin, uint32_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        if (b->seen[i] && b->scene->nodes[i]->skin == skin &&
            facet_j3d_is_skinned(b->scene, b->scene->nodes[i]))
            count_of_node(b, i, counts);
    }
}

/* Set `conflict` if vertices must move back. */
static void choose_way(facet_j3d_builder *b, uint32_t skin)
{
    uint32_t counts[2];
    count_matches(b, skin, counts);
    b->conflict[skin] = counts[1] > counts[0];
}

/* True if more vertices are on those of the original at the same scale: then bones were moved,
 * which their distances cannot show if there are few. */
static bool is_only_moved(facet_j3d_builder *b, uint32_t skin)
{
    uint32_t scaled[2], plain[2];
    double factor = b->skin_factor[skin];
    count_matches(b, skin, scaled);
    b->skin_factor[skin] = 1;
    count_matches(b, skin, plain);
    b->skin_factor[skin] = factor;
    return plain[0] > scaled[0] && plain[0] > scaled[1];
}

facet_status facet_j3d_like_binds(facet_j3d_builder *b, const bool *used)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < b->scene->skin_count; i++)
        total += b->scene->skins[i]->joint_count;
    b->skin_moves = facet_j3d_builder_scratch(b, total, sizeof *b->skin_moves);
    b->skin_factor = facet_j3d_builder_scratch(b, b->scene->skin_count, sizeof *b->skin_factor);
    bool *is_taken = facet_j3d_builder_scratch(b, b->like->joint_count, sizeof *is_taken);
    if (!b->skin_moves || !b->skin_factor || !is_taken)
        return facet_j3d_builder_no_memory(b);
    take_binds(b);
    b->factor = 1;
    for (uint32_t i = 0; i < b->scene->skin_count; i++) {
        b->skin_factor[i] = 1;
        facet_j3d_matrix_identity(b->skin_move[i]);
        if (!used[i])
            continue;
        take_other_pose(b, i, is_taken);
        facet_j3d_matrix *moves = b->skin_moves + b->skin_first[i];
        bool same;
        TRY(find_moves(b, i, true, moves, &same));
        if (!same && set_upright(b, i))
            TRY(find_moves(b, i, true, moves, &same));
        if (b->skin_factor[i] != 1 && is_only_moved(b, i))
            TRY(find_moves(b, i, false, moves, &same));
        if (!same)
            choose_way(b, i);
        if (b->factor == 1)
            b->factor = b->skin_factor[i];
        if (b->skin_factor[i] != 1)
            facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-SCALE", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET,
                             "the bones of skin %" PRIu32
                             " are %.4g times as far apart as those of the original: the scene is "
                             "scaled to their distances",
                             i, b->skin_factor[i]);
    }
    return facet_j3d_like_report_bones(b, used);
}

/* -- Meshes without a skin ---------------------------------------------- */

/* Count the vertices of a mesh on vertices of its node's shape, if `place` moves them to joint
 * space. */
static uint32_t count_rigid(const facet_j3d_builder *b, uint32_t node, uint32_t joint,
                            const double place[12])
{
    const facet_mesh *mesh = b->scene->meshes[b->scene->nodes[node]->mesh];
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    uint32_t step = positions ? positions->count / MAX_SAMPLES + 1 : 1, found = 0;
    facet_j3d_matrix rest;
    facet_j3d_matrix_multiply(b->joint_place[joint], place, rest);
    for (uint32_t v = 0; positions && v < positions->count; v += step) {
        float p[3];
        double at[3];
        facet_j3d_builder_point(b, (const float *)positions->data + (size_t)v * 3, p);
        facet_j3d_matrix_point(rest, p, p);
        for (int i = 0; i < 3; i++)
            at[i] = (double)p[i];
        found += facet_j3d_like_group(b->like, b->like->shape_of_node[node], at) != FACET_NONE;
    }
    return found;
}

/* Get the transform of a node at the scale of the original. */
static void place_of_node(const facet_j3d_builder *b, uint32_t node, double place[12])
{
    memcpy(place, b->node_place[node], sizeof(facet_j3d_matrix));
    for (int i = 3; i < 12; i += 4)
        place[i] /= b->factor;
}

/* True if the node of a joint has the original's bind pose instead of its rest pose, as in
 * Blender's exports. */
static bool stands_bound(const facet_j3d_builder *b, uint32_t joint)
{
    facet_j3d_matrix bound, place;
    uint32_t node = b->node_of_joint[joint];
    double from_bound = 0, from_rest = 0;
    if (node == FACET_NONE || !facet_j3d_matrix_invert(b->bind[joint], bound))
        return false;
    place_of_node(b, node, place);
    for (int i = 3; i < 12; i += 4) {
        from_bound = fmax(from_bound, fabs(place[i] - bound[i]));
        from_rest = fmax(from_rest, fabs(place[i] - b->joint_place[joint][i]));
    }
    double near = ORIGIN_TOLERANCE * b->like->size;
    return from_bound <= near && from_rest > near;
}

/* Choose between three ways to place a mesh: relative to the joint's node in the scene, by its
 * visible position, or by the bind pose of the joint. The way that puts most vertices on vertices
 * of the shape is used. */
void facet_j3d_like_hang(const facet_j3d_builder *b, uint32_t node, facet_j3d_instance *instance)
{
    enum { BY_NODE, BY_PLACE, BY_BIND, WAYS };
    uint32_t shape = b->like->shape_of_node[node], joint = b->joint_of_node[node];
    facet_j3d_matrix back, place, upper, ways[WAYS];
    if (joint == FACET_NONE)
        joint = facet_j3d_joint_above(b, node);
    bool hangs = joint != FACET_NONE;
    if (!hangs && shape != FACET_NONE)
        joint = b->like->single_joint[shape];
    instance->joint = joint == FACET_NONE ? 0 : joint;
    uint32_t above = b->node_of_joint[instance->joint];
    place_of_node(b, node, place);
    for (int i = 0; i < 12; i++) /* its vertices are also smaller */
        place[i] /= i % 4 == 3 ? 1 : b->factor;
    facet_j3d_matrix_identity(ways[BY_PLACE]);
    if (facet_j3d_matrix_invert(b->joint_place[instance->joint], back))
        facet_j3d_matrix_multiply(back, place, ways[BY_PLACE]);
    memcpy(ways[BY_NODE], ways[BY_PLACE], sizeof back);
    if (above != FACET_NONE && hangs) {
        place_of_node(b, above, upper);
        if (facet_j3d_matrix_invert(upper, back))
            facet_j3d_matrix_multiply(back, place, ways[BY_NODE]);
    }
    facet_j3d_matrix_multiply(b->bind[instance->joint], place, ways[BY_BIND]);
    int best = stands_bound(b, instance->joint) ? BY_BIND : BY_NODE;
    uint32_t most = shape == FACET_NONE ? 0 : count_rigid(b, node, instance->joint, ways[best]);
    for (int way = 0; way < WAYS && shape != FACET_NONE; way++) {
        uint32_t count = count_rigid(b, node, instance->joint, ways[way]);
        if (count > most) {
            most = count;
            best = way;
        }
    }
    memcpy(instance->place, ways[best], sizeof instance->place);
    if (facet_j3d_matrix_distance_from_identity(instance->place, 1 + b->like->size) < 1e-6)
        facet_j3d_matrix_identity(instance->place);
}
