/* formats/j3d/scene/from_channels/joints_axes.c - joints whose node has other axes than the model's
 * joint.
 *
 * Blender's importers make bones with other axes, and its exporters write these. If a node rests
 * where the joint does, with the same axes, it needs no conversion. Otherwise the inverse bind
 * matrices of a skin show the axes. For nodes that no skin binds, their transforms at rest do, if
 * the nodes rest in the bind pose. */
#include "formats/j3d/scene/from_channels/joints.h"

#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/scene/from_scene/frame.h"
#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TURN 1e-3     /* radians: smaller rotations are rounding errors of the file */
#define DISTANCE 2e-3 /* relative to the skeleton's size */
#define SHEAR 1e-3
enum { MOVES = 3 };

typedef struct facet_j3d_axes_finder {
    facet_j3d_joint_weaving *b;
    facet_j3d_matrix *places;     /* per node: global transform at rest, in J3D's frame */
    facet_j3d_matrix *bind;       /* per joint of the model: from joint space to bind space */
    facet_j3d_matrix *unbind;     /* its inverse */
    facet_j3d_matrix *skin_bind;  /* per joint of the current skin: its inverse bind matrix */
    facet_j3d_matrix *skin_place; /* its inverse */
    bool *is_bound;               /* per joint of the model: its axes are known */
    bool has_world, turns;        /* turns: a joint has other axes */
    facet_j3d_matrix world;       /* from the scene at rest to the bind space of the model */
    double distance;
    facet_tally turned, elsewhere;
} finder;

/* -- Positions ---------------------------------------------------------- */

static void matrix_of_node(const facet_j3d_joint_weaving *b, const double turn[9], uint32_t node,
                           double out[12])
{
    float local[16];
    facet_matrix_of_node(b->scene->nodes[node], local);
    facet_j3d_frame_matrix(turn, b->units.unit, local, out);
}

/* Compute the transforms of all nodes at rest. */
static void find_places(const finder *f, const uint32_t *order, const double turn[9])
{
    const facet_scene *scene = f->b->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t node = order[i], parent = scene->nodes[node]->parent;
        facet_j3d_matrix local;
        matrix_of_node(f->b, turn, node, local);
        for (int k = 0; k < 12 && parent == FACET_NONE; k++)
            local[k] /= f->b->units.root_scale;
        if (parent == FACET_NONE)
            memcpy(f->places[node], local, sizeof local);
        else
            facet_j3d_matrix_multiply(f->places[parent], local, f->places[node]);
    }
}

static void find_binds(finder *f)
{
    const facet_j3d_joint_weaving *b = f->b;
    double least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
    for (uint32_t j = 0; j < b->joints; j++) {
        facet_j3d_skeleton_bind(b->model, &b->skeleton, j, f->bind[j], f->unbind[j]);
        for (int i = 0; i < 3; i++) {
            double at = f->bind[j][i * 4 + 3];
            least[i] = j == 0 ? at : fmin(least[i], at);
            most[i] = j == 0 ? at : fmax(most[i], at);
        }
    }
    f->distance =
        DISTANCE * fmax(fmax(most[0] - least[0], most[1] - least[1]), fmax(most[2] - least[2], 1));
}

static bool is_near(const finder *f, const double a[12], const double b[12])
{
    return fabs(a[3] - b[3]) <= f->distance && fabs(a[7] - b[7]) <= f->distance &&
           fabs(a[11] - b[11]) <= f->distance;
}

/* The difference between the directions of the axes of two matrices. */
static double turn_between(const double a[12], const double b[12])
{
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double first = sqrt(a[c] * a[c] + a[c + 4] * a[c + 4] + a[c + 8] * a[c + 8]);
        double second = sqrt(b[c] * b[c] + b[c + 4] * b[c + 4] + b[c + 8] * b[c + 8]);
        for (int r = c; r < 12; r += 4)
            most = fmax(most, fabs(a[r] * second - b[r] * first) - TURN * first * second);
    }
    return most;
}

/* Mark the joints whose nodes rest where they do, with the same axes. */
static void find_equal(finder *f)
{
    const facet_j3d_joint_weaving *b = f->b;
    for (uint32_t j = 0; j < b->joints; j++) {
        uint32_t node = b->nodes[j];
        f->is_bound[j] = node != FACET_NONE &&
                         is_near(f, f->places[node], b->skeleton.globals[j]) &&
                         turn_between(f->places[node], b->skeleton.globals[j]) <= 0;
    }
}

/* -- Axes of one joint -------------------------------------------------- */

/* Set the axes of a joint to a matrix from the joint to its node, without translation and scale.
 * False if the matrix does not only rotate, apart from that, or if it mirrors other joints than
 * those known. */
static bool set_axes(finder *f, uint32_t joint, const double to_node[12])
{
    facet_j3d_joint_weaving *b = f->b;
    double columns[9], *axes = b->axes[joint], off = 0;
    facet_decomposition parts;
    for (int i = 0; i < 9; i++)
        columns[i] = to_node[i % 3 * 4 + i / 3];
    facet_axes_decompose(columns, FACET_MIRROR_X, &parts);
    bool mirrors = parts.scale[0] < 0;
    if (!(parts.shear <= SHEAR) || !(parts.scale[1] > 0) || !(parts.scale[2] > 0) ||
        parts.scale[0] == 0 || mirrors != (facet_j3d_matrix_determinant(axes) < 0))
        return false;
    for (int i = 0; i < 3 && mirrors; i++)
        parts.axes[i] = -parts.axes[i];
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            off = fmax(off, fabs(parts.axes[column * 3 + row] - axes[row * 4 + column]));
    }
    if (!(off > TURN))
        return true;
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            axes[row * 4 + column] = parts.axes[column * 3 + row];
    }
    b->has_axes[joint] = true;
    f->turns = true;
    facet_tally_hit(&f->turned, joint);
    return true;
}

/* -- Skins -------------------------------------------------------------- */

static uint32_t joint_of(const finder *f, const facet_skin *skin, uint32_t k)
{
    uint32_t node = skin->joints[k];
    return node == FACET_NONE ? FACET_NONE : f->b->joint_of_node[node];
}

/* Read the inverse bind matrices of a skin. Returns its first joint that is a joint of the model,
 * or FACET_NONE. */
static uint32_t read_skin(const finder *f, const facet_skin *skin, const double turn[9])
{
    uint32_t first = FACET_NONE;
    for (uint32_t k = 0; k < skin->joint_count; k++) {
        facet_j3d_matrix_identity(f->skin_bind[k]);
        if (skin->inverse_bind)
            facet_j3d_frame_matrix(turn, f->b->units.unit, skin->inverse_bind + (size_t)k * 16,
                                   f->skin_bind[k]);
        if (!facet_j3d_matrix_invert(f->skin_bind[k], f->skin_place[k]))
            return FACET_NONE;
        if (first == FACET_NONE && joint_of(f, skin, k) != FACET_NONE)
            first = k;
    }
    return first;
}

/* Count the joints that a matrix moves from the skin's bind space to their position in the
 * model's. */
static uint32_t count_near(const finder *f, const facet_skin *skin, const double move[12])
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < skin->joint_count; k++) {
        uint32_t joint = joint_of(f, skin, k);
        facet_j3d_matrix moved;
        facet_j3d_matrix_multiply(move, f->skin_place[k], moved);
        count += joint != FACET_NONE && is_near(f, moved, f->bind[joint]);
    }
    return count;
}

/* Find the matrix from the skin's bind space to the model's. These are equal, or the nodes at rest
 * show it, or the axes of the skin's first joint. */
static bool find_move(const finder *f, const facet_skin *skin, uint32_t first, double move[12])
{
    facet_j3d_matrix moves[MOVES];
    uint32_t most = 0;
    facet_j3d_matrix_identity(moves[0]);
    facet_j3d_matrix_multiply(f->places[skin->joints[first]], f->skin_bind[first], moves[1]);
    facet_j3d_matrix_multiply(f->bind[joint_of(f, skin, first)], f->skin_bind[first], moves[2]);
    for (int i = 0; i < MOVES; i++) {
        facet_j3d_matrix back;
        uint32_t count = count_near(f, skin, moves[i]);
        if (count <= most || !facet_j3d_matrix_invert(moves[i], back))
            continue;
        most = count;
        memcpy(move, moves[i], sizeof back);
    }
    return most > 0;
}

/* Find the matrix from the scene at rest to the bind space of the model, if all nodes of the skin
 * rest in their bind pose. */
static void find_world(finder *f, const facet_skin *skin, uint32_t first, const double move[12])
{
    facet_j3d_matrix rest, back, made;
    facet_j3d_matrix_multiply(f->places[skin->joints[first]], f->skin_bind[first], rest);
    if (f->has_world || !facet_j3d_matrix_invert(rest, back))
        return;
    facet_j3d_matrix_multiply(move, back, f->world);
    for (uint32_t k = 0; k < skin->joint_count; k++) {
        if (skin->joints[k] == FACET_NONE)
            continue;
        facet_j3d_matrix_multiply(f->places[skin->joints[k]], f->skin_bind[k], made);
        if (!(facet_j3d_matrix_distance(made, rest, 1 + facet_j3d_matrix_translation_size(rest)) <
              1e-3))
            return;
    }
    f->has_world = true;
}

static void use_skin(finder *f, const facet_skin *skin, const double turn[9])
{
    facet_j3d_matrix move, back, half, to_node, moved;
    uint32_t first = read_skin(f, skin, turn);
    if (first == FACET_NONE || !find_move(f, skin, first, move) ||
        !facet_j3d_matrix_invert(move, back))
        return;
    for (uint32_t k = 0; k < skin->joint_count; k++) {
        uint32_t joint = joint_of(f, skin, k);
        if (joint == FACET_NONE || f->is_bound[joint])
            continue;
        f->is_bound[joint] = true;
        facet_j3d_matrix_multiply(move, f->skin_place[k], moved);
        facet_j3d_matrix_multiply(f->skin_bind[k], back, half);
        facet_j3d_matrix_multiply(half, f->bind[joint], to_node);
        if (!is_near(f, moved, f->bind[joint]))
            facet_tally_hit(&f->elsewhere, joint);
        else
            set_axes(f, joint, to_node);
    }
    find_world(f, skin, first, move);
}

/* -- Joints without skins ----------------------------------------------- */

/* Mark the joints that own a billboard. The model's writer rotates these by a quarter around x, if
 * z is up in the axes of their node. */
static void mark_billboards(const facet_j3d_joint_weaving *b, bool *is_billboard)
{
    for (uint32_t i = 0; i < b->model->shapes.count; i++) {
        const facet_j3d_shape *shape = &b->model->shapes.items[i];
        bool is =
            shape->type == FACET_J3D_SHAPE_BILLBOARD || shape->type == FACET_J3D_SHAPE_Y_BILLBOARD;
        if (is && shape->joint < b->joints)
            is_billboard[shape->joint] = true;
    }
}

static bool is_quarter_around_x(const double m[12])
{
    double size = hypot(hypot(m[0], m[4]), m[8]);
    return m[0] >= (1 - TURN) * size && fabs(m[5]) <= TURN * size && fabs(m[10]) <= TURN * size;
}

/* Compare the nodes at rest with the joints at rest. */
static void use_rest(finder *f, const bool *is_billboard)
{
    const facet_j3d_joint_weaving *b = f->b;
    for (uint32_t j = 0; j < b->joints; j++) {
        facet_j3d_matrix place, back, to_node;
        if (b->nodes[j] == FACET_NONE || f->is_bound[j] || !(f->turns || is_billboard[j]))
            continue;
        facet_j3d_matrix_multiply(f->world, f->places[b->nodes[j]], place);
        if (!facet_j3d_matrix_invert(place, back))
            continue;
        facet_j3d_matrix_multiply(back, b->skeleton.globals[j], to_node);
        if (is_billboard[j] ? is_quarter_around_x(to_node)
                            : f->has_world && is_near(f, place, b->skeleton.globals[j]))
            set_axes(f, j, to_node);
    }
}

/* -- All joints --------------------------------------------------------- */

static bool mirrors(const facet_node *node)
{
    const float *scale = node->transform.scale;
    float matrix =
        node->has_matrix ? facet_matrix_determinant(node->matrix) : scale[0] * scale[1] * scale[2];
    return matrix < 0;
}

/* Find the joints that are mirrored at rest only in the scene, or only in the model. A model of
 * Facet has no mirrored joints: its writer mirrors their vertices along x. `is_mirrored` is scratch
 * memory for each node. */
static void find_mirrored(facet_j3d_joint_weaving *b, const uint32_t *order, bool *is_mirrored)
{
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        const facet_node *node = b->scene->nodes[order[i]];
        bool above = node->parent != FACET_NONE && is_mirrored[node->parent];
        is_mirrored[order[i]] = mirrors(node) != above;
    }
    for (uint32_t j = 0; j < b->joints; j++) {
        bool is = facet_j3d_matrix_determinant(b->skeleton.globals[j]) < 0;
        facet_j3d_matrix_identity(b->axes[j]);
        if (b->nodes[j] == FACET_NONE || is_mirrored[b->nodes[j]] == is)
            continue;
        b->axes[j][0] = -1;
        b->has_axes[j] = true;
    }
}

static void report(const finder *f)
{
    facet_report *to = f->b->options ? f->b->options->report : NULL;
    facet_report_add_tally(to, "J3D-JOINT-AXES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &f->turned,
                           "joint %" PRIu64
                           " has other axes in the model than in the scene, whose animation is "
                           "converted to them",
                           f->turned.first);
    facet_report_add_tally(to, "J3D-JOINT-REST", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &f->elsewhere,
                           "joint %" PRIu64 " has another position in the bind pose of the scene "
                           "than in the model: its animation may not fit",
                           f->elsewhere.first);
}

static uint32_t largest_skin(const facet_scene *scene)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < scene->skin_count; i++)
        most = scene->skins[i]->joint_count > most ? scene->skins[i]->joint_count : most;
    return most;
}

facet_status facet_j3d_find_joint_axes(facet_j3d_joint_weaving *b)
{
    const facet_scene *scene = b->scene;
    uint32_t largest = largest_skin(scene);
    double turn[9];
    finder f = {.b = b};
    uint32_t *below = facet_arena_allocate(b->scratch, scene->node_count, sizeof *below);
    uint32_t *order = facet_arena_allocate(b->scratch, scene->node_count, sizeof *order);
    bool *is_mirrored = facet_arena_allocate(b->scratch, scene->node_count, sizeof *is_mirrored);
    bool *is_billboard = facet_arena_allocate_zeroed(b->scratch, b->joints, sizeof *is_billboard);
    f.places = facet_arena_allocate(b->scratch, scene->node_count, sizeof *f.places);
    f.bind = facet_arena_allocate(b->scratch, b->joints, sizeof *f.bind);
    f.unbind = facet_arena_allocate(b->scratch, b->joints, sizeof *f.unbind);
    f.is_bound = facet_arena_allocate_zeroed(b->scratch, b->joints, sizeof *f.is_bound);
    f.skin_bind = facet_arena_allocate(b->scratch, largest, sizeof *f.skin_bind);
    f.skin_place = facet_arena_allocate(b->scratch, largest, sizeof *f.skin_place);
    b->axes = facet_arena_allocate(b->scratch, b->joints, sizeof *b->axes);
    b->has_axes = facet_arena_allocate_zeroed(b->scratch, b->joints, sizeof *b->has_axes);
    if (!below || !order || !is_mirrored || !is_billboard || !f.places || !f.bind || !f.unbind ||
        !f.is_bound || !f.skin_bind || !f.skin_place || !b->axes || !b->has_axes)
        return facet_j3d_joints_no_memory(b);
    TRY(facet_scene_order(scene, below, order, b->error));
    facet_j3d_frame_of_axes(&scene->axes, turn);
    facet_j3d_matrix_identity(f.world);
    find_places(&f, order, turn);
    find_mirrored(b, order, is_mirrored);
    find_binds(&f);
    find_equal(&f);
    for (uint32_t i = 0; i < scene->skin_count; i++)
        use_skin(&f, scene->skins[i], turn);
    mark_billboards(b, is_billboard);
    use_rest(&f, is_billboard);
    report(&f);
    return FACET_OK;
}

/* -- Use ---------------------------------------------------------------- */

double facet_j3d_turn_joint(const facet_j3d_joint_weaving *b, uint32_t joint,
                            facet_transform *place)
{
    uint16_t parent = b->model->joints.items[joint].parent;
    bool is_above = parent != FACET_J3D_NONE && b->has_axes[parent];
    float m[16];
    facet_j3d_matrix local, half, made, back;
    if (!is_above && !b->has_axes[joint])
        return 0;
    facet_matrix_of_transform(place, m);
    for (int i = 0; i < 12; i++)
        local[i] = (double)m[i % 4 * 4 + i / 4];
    facet_j3d_matrix_multiply(local, b->axes[joint], half);
    if (is_above && facet_j3d_matrix_invert(b->axes[parent], back))
        facet_j3d_matrix_multiply(back, half, made);
    else
        memcpy(made, half, sizeof made);
    for (int i = 0; i < 12; i++)
        m[i % 4 * 4 + i / 4] = (float)made[i];
    return facet_transform_of_matrix(m, FACET_MIRROR_X, place);
}
