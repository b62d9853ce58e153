/* formats/j3d/patch/bones.c - changes to the skeleton: renamed, deleted, moved and reparented
 * bones, and scenes of another model.
 *
 * A renamed bone is its joint with a new name. Everything else stays as in the original, with a
 * report. */
#include "formats/j3d/patch/like.h"
#include "formats/j3d/scene/from_scene/names.h"

#include "base/error.h"
#include "base/report.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PASSES 64             /* for renamed bones below renamed bones */
#define MAX_PAIRS 4096        /* maximum number of siblings compared */
#define TOLERANCE 2e-3        /* relative to the model's size */
#define AXIS_TOLERANCE 0.02   /* of the axes of a bone: about one degree, or 2 percent */
#define MAX_NAMED 16          /* moved bones, each in its own finding */
#define LEAST_BONES 3         /* with fewer, positions cannot identify the model */
enum { ROOT = 0, FIRST = 1 }; /* position in the lists below: at the root, and below joint 0 */

/* -- Renamed bones ------------------------------------------------------ */

typedef struct renaming {
    facet_j3d_builder *b;
    const uint32_t *order;
    const bool *in_skin;
    uint32_t *bone_above;             /* per node: the nearest bone, or FACET_NONE */
    uint32_t *node_of;                /* per joint */
    uint32_t *missing, *next_missing; /* lists by parent: joints without a node */
    uint32_t *new_bone, *next_new;    /* lists by parent: bones without a joint */
    uint32_t *count[2];               /* lengths of both */
    bool *shares_child;               /* per joint: the new bone has a child of the missing joint */
} renaming;

static bool is_bone(const renaming *r, uint32_t node)
{
    return r->in_skin[node] || r->b->like->joint_of_node[node] != FACET_NONE;
}

static void look_up(renaming *r)
{
    const facet_j3d_like *like = r->b->like;
    const facet_scene *scene = r->b->scene;
    for (uint32_t j = 0; j < like->joint_count; j++)
        r->node_of[j] = FACET_NONE;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t node = r->order[i], parent = scene->nodes[node]->parent;
        uint32_t joint = like->joint_of_node[node];
        r->bone_above[node] =
            parent == FACET_NONE || is_bone(r, parent) ? parent : r->bone_above[parent];
        if (joint < like->joint_count)
            r->node_of[joint] = node;
    }
}

static uint32_t place_of(const facet_j3d_like *like, uint32_t joint)
{
    uint16_t parent = like->document->joints.items[joint].parent;
    return parent == FACET_J3D_NONE ? ROOT : FIRST + parent;
}

/* Insert an item at the front of its parent's list. */
static void note(uint32_t *count, uint32_t *first, uint32_t *next, uint32_t place, uint32_t item)
{
    next[item] = count[place] > 0 ? first[place] : FACET_NONE;
    first[place] = item;
    count[place]++;
}

/* List missing joints and new bones below each joint, and at the root. */
static void list_both(renaming *r)
{
    const facet_j3d_like *like = r->b->like;
    for (int i = 0; i < 2; i++)
        memset(r->count[i], 0, (like->joint_count + FIRST) * sizeof *r->count[i]);
    for (uint32_t j = 0; j < like->joint_count; j++) {
        if (r->node_of[j] == FACET_NONE)
            note(r->count[0], r->missing, r->next_missing, place_of(like, j), j);
    }
    for (uint32_t i = 0; i < r->b->scene->node_count; i++) {
        uint32_t above = r->bone_above[i];
        uint32_t parent = above == FACET_NONE ? FACET_NONE : like->joint_of_node[above];
        bool hangs = above == FACET_NONE || parent < like->joint_count;
        if (r->in_skin[i] && like->joint_of_node[i] == FACET_NONE && hangs)
            note(r->count[1], r->new_bone, r->next_new, above == FACET_NONE ? ROOT : FIRST + parent,
                 i);
    }
}

static double distance(const double a[12], const double b[12])
{
    return sqrt((a[3] - b[3]) * (a[3] - b[3]) + (a[7] - b[7]) * (a[7] - b[7]) +
                (a[11] - b[11]) * (a[11] - b[11]));
}

/* Distance of a joint of the original from a transform: at rest or in the bind pose. */
static double distance_of(const facet_j3d_like *like, uint32_t joint, const double place[12])
{
    const facet_j3d_envelopes *e = &like->document->envelopes;
    double least = distance(like->skeleton.globals[joint], place);
    if (joint < e->inverse_bind_count) {
        facet_j3d_matrix bind, bound;
        for (int k = 0; k < 12; k++)
            bind[k] = (double)e->inverse_bind[joint][k];
        if (facet_j3d_matrix_invert(bind, bound))
            least = fmin(least, distance(bound, place));
    }
    return least;
}

static void find_shared_children(const renaming *r)
{
    const facet_j3d_like *like = r->b->like;
    memset(r->shares_child, 0, like->joint_count * sizeof *r->shares_child);
    for (uint32_t j = 0; j < like->joint_count; j++) {
        uint16_t parent = like->document->joints.items[j].parent;
        if (parent == FACET_J3D_NONE || r->node_of[j] == FACET_NONE)
            continue;
        uint32_t place = place_of(like, parent);
        if (r->count[1][place] == 1 && r->bone_above[r->node_of[j]] == r->new_bone[place])
            r->shares_child[parent] = true;
    }
}

static bool is_near(const renaming *r, uint32_t joint, uint32_t node)
{
    const facet_j3d_like *like = r->b->like;
    return distance_of(like, joint, r->b->node_place[node]) <= TOLERANCE * like->size;
}

/* The only missing joint at the position of a new bone; FACET_NONE if there are several or none. */
static uint32_t joint_near(const renaming *r, uint32_t place, uint32_t node)
{
    uint32_t found = FACET_NONE;
    for (uint32_t j = r->missing[place]; j != FACET_NONE; j = r->next_missing[j]) {
        if (!is_near(r, j, node))
            continue;
        if (found != FACET_NONE)
            return FACET_NONE;
        found = j;
    }
    return found;
}

static bool rename_joint(const renaming *r, uint32_t joint, uint32_t node)
{
    facet_j3d_like *like = r->b->like;
    if (joint == FACET_NONE || like->is_renamed[joint])
        return false;
    like->joint_of_node[node] = joint;
    like->is_renamed[joint] = true;
    like->renamed_count++;
    return true;
}

static bool take_renamed(renaming *r)
{
    bool any = false;
    look_up(r);
    list_both(r);
    find_shared_children(r);
    for (uint32_t place = 0; place < r->b->like->joint_count + FIRST; place++) {
        uint32_t missing = r->count[0][place], made = r->count[1][place];
        if ((uint64_t)missing * made == 0 || (uint64_t)missing * made > MAX_PAIRS)
            continue;
        if (missing == 1 && made == 1 && r->shares_child[r->missing[place]]) {
            any |= rename_joint(r, r->missing[place], r->new_bone[place]);
            continue;
        }
        for (uint32_t n = r->new_bone[place]; n != FACET_NONE; n = r->next_new[n])
            any |= rename_joint(r, joint_near(r, place, n), n);
    }
    return any;
}

/* Match new bones with missing joints below the same parent. They match if their positions are
 * equal. A single new bone also matches a single missing joint with the same children. */
static facet_status find_renamed(facet_j3d_builder *b, const uint32_t *order, const bool *in_skin)
{
    uint32_t places = b->like->joint_count + FIRST;
    renaming r = {.b = b, .order = order, .in_skin = in_skin};
    r.bone_above = facet_j3d_builder_scratch(b, b->scene->node_count, sizeof *r.bone_above);
    r.node_of = facet_j3d_builder_scratch(b, places, sizeof *r.node_of);
    r.missing = facet_j3d_builder_scratch(b, places, sizeof *r.missing);
    r.next_missing = facet_j3d_builder_scratch(b, places, sizeof *r.next_missing);
    r.new_bone = facet_j3d_builder_scratch(b, places, sizeof *r.new_bone);
    r.next_new = facet_j3d_builder_scratch(b, b->scene->node_count, sizeof *r.next_new);
    r.count[0] = facet_j3d_builder_scratch(b, places, sizeof *r.count[0]);
    r.count[1] = facet_j3d_builder_scratch(b, places, sizeof *r.count[1]);
    r.shares_child = facet_j3d_builder_scratch(b, places, sizeof *r.shares_child);
    b->like->is_renamed = facet_j3d_builder_scratch(b, places, sizeof *b->like->is_renamed);
    if (!r.bone_above || !r.node_of || !r.missing || !r.next_missing || !r.new_bone ||
        !r.next_new || !r.count[0] || !r.count[1] || !r.shares_child || !b->like->is_renamed)
        return facet_j3d_builder_no_memory(b);
    for (int pass = 0; pass < PASSES; pass++) {
        if (!take_renamed(&r))
            break;
    }
    return FACET_OK;
}

/* -- Another model ------------------------------------------------------ */

static const char *material_text(const void *user, uint32_t i)
{
    const char *const *texts = user;
    return texts[i];
}

/* Find whether a material of the scene has the name of one in the original, ignoring a number after
 * it. */
static facet_status find_shared_material(const facet_j3d_builder *b, bool *is_shared)
{
    const facet_j3d_like *like = b->like;
    facet_j3d_name_index names;
    const char **texts =
        facet_j3d_name_texts(b, &like->document->materials.names, like->slot_count);
    *is_shared = false;
    if (!texts)
        return facet_j3d_builder_no_memory(b);
    TRY(facet_j3d_index_names(b, like->slot_count, material_text, texts, &names));
    for (uint32_t m = 0; m < b->scene->material_count && !*is_shared; m++) {
        const char *name = b->scene->materials[m]->name;
        *is_shared = facet_j3d_find_name(&names, name) != FACET_NONE ||
                     facet_j3d_assign_changed_name(&names, name) != FACET_NONE;
    }
    return FACET_OK;
}

/* Number of joints that nodes of the scene are, renamed ones included. Joints are matched by name,
 * each with one node. */
static uint32_t count_known_joints(const facet_j3d_builder *b)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < b->scene->node_count; i++)
        known += b->like->joint_of_node[i] != FACET_NONE;
    return known;
}

/* Refuse a scene that shares less than half of its bones and of the original's joints. Joints of
 * another J3D file are bones, with and without a skin. With few bones and joints, positions prove
 * little: then one equal name, of a bone or a material, is enough. */
static facet_status refuse_other_model(const facet_j3d_builder *b, const bool *in_skin)
{
    uint32_t bones = 0, new_bones = 0, renamed = 0, joints = b->like->joint_count;
    uint32_t known = count_known_joints(b);
    bool is_shared;
    TRY(find_shared_material(b, &is_shared));
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        uint32_t joint = b->like->joint_of_node[i];
        bool is_bone = in_skin[i] || facet_j3d_is_joint_file(b->node_files[i]);
        bones += is_bone;
        new_bones += is_bone && joint == FACET_NONE;
        renamed += is_bone && joint != FACET_NONE && b->like->is_renamed[joint];
    }
    bool is_few = bones < LEAST_BONES && joints < LEAST_BONES;
    bool is_other = known < new_bones + (joints - known);
    if (is_few && (is_shared || bones - new_bones == renamed))
        is_other = !is_shared;
    if (bones == 0 || !is_other || b->options->j3d->force)
        return FACET_OK;
    return facet_fail(
        b->error, FACET_ERROR_ARGUMENT, "J3D-LIKE-OTHER", FACET_NO_OFFSET,
        "the original is another model: the scene has %" PRIu32
        " bone%s of other names, and %" PRIu32 " of %" PRIu32
        " joints of the original %s not in the scene; --force writes the model anyway",
        new_bones, facet_plural(new_bones, "", "s"), joints - known, joints,
        facet_plural(joints - known, "is", "are"));
}

facet_status facet_j3d_like_match_bones(facet_j3d_builder *b, const uint32_t *order,
                                        const bool *in_skin)
{
    TRY(find_renamed(b, order, in_skin));
    return refuse_other_model(b, in_skin);
}

/* -- Unchanged properties ----------------------------------------------- */

static const char *name_of(const facet_j3d_builder *b, uint64_t joint, facet_quoted *quoted)
{
    const facet_j3d_names *names = &b->like->document->joints.names;
    char name[256] = "";
    if (joint < names->count)
        facet_j3d_name_text(names->items[joint].bytes, name, sizeof name);
    return facet_quote(quoted, name, strlen(name));
}

/* True if the scene has the bone of a joint at another position than the original. */
static bool is_moved(const facet_j3d_builder *b, uint32_t joint)
{
    facet_j3d_matrix place;
    memcpy(place, b->node_place[b->node_of_joint[joint]], sizeof place);
    for (int i = 3; i < 12; i += 4)
        place[i] /= b->factor;
    return distance_of(b->like, joint, place) > TOLERANCE * b->like->size;
}

/* Difference of the axes of two transforms, relative to those of the second. */
static double axis_distance(const double a[12], const double b[12])
{
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double length = sqrt(b[c] * b[c] + b[c + 4] * b[c + 4] + b[c + 8] * b[c + 8]);
        for (int r = 0; r < 3 && length > 0; r++)
            most = fmax(most, fabs(a[r * 4 + c] - b[r * 4 + c]) / length);
    }
    return most;
}

/* True if a node has other axes than its joint. Programs can express the unit by a scale, also
 * meters in centimeters. With `turn`, y becomes z (1) or -z (-1) first: Blender exports such axes
 * of nodes to FBX and COLLADA, and turns their vertices back. */
static bool has_other_axes(const facet_j3d_builder *b, uint32_t node, uint32_t joint, int turn)
{
    const double scales[] = {1, b->units.unit, 100, 0.01};
    const double *known = b->like->skeleton.globals[joint], *m = b->node_place[node];
    bool is_other = true;
    for (size_t k = 0; k < sizeof scales / sizeof *scales && is_other; k++) {
        facet_j3d_matrix place;
        memcpy(place, m, sizeof place);
        for (int r = 0; r < 12 && turn != 0; r += 4) {
            place[r + 1] = turn * m[r + 2];
            place[r + 2] = -turn * m[r + 1];
        }
        for (int i = 0; i < 12; i++)
            place[i] *= scales[k];
        is_other = axis_distance(place, known) > AXIS_TOLERANCE;
    }
    return is_other;
}

/* Find the turn with which the fewest nodes have other axes. */
static int find_turn(const facet_j3d_builder *b)
{
    static const int turns[] = {0, 1, -1};
    uint32_t least = UINT32_MAX;
    int best = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t count = 0;
        for (uint32_t j = 0; j < b->like->joint_count; j++) {
            uint32_t node = b->node_of_joint[j];
            count += node != FACET_NONE && has_other_axes(b, node, j, turns[i]);
        }
        if (count < least) {
            least = count;
            best = turns[i];
        }
    }
    return best;
}

/* True if a joint of the original is sheared. Nodes cannot be, so they differ from such a model. */
static bool has_shear(const facet_j3d_like *like)
{
    for (uint32_t j = 0; j < like->joint_count; j++) {
        const double *m = like->skeleton.globals[j];
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3;
            double dot = m[c] * m[d] + m[c + 4] * m[d + 4] + m[c + 8] * m[d + 8];
            double one = m[c] * m[c] + m[c + 4] * m[c + 4] + m[c + 8] * m[c + 8];
            double two = m[d] * m[d] + m[d + 4] * m[d + 4] + m[d + 8] * m[d + 8];
            if (dot * dot > 1e-6 * one * two)
                return true;
        }
    }
    return false;
}

/* Set is_turned of joints that the scene turns or scales. A bone of a skin is compared by the
 * motion of its vertices from the bind pose, because programs change the axes of bones. Expected is
 * the motion of the original, or none. Without skins that are used, the axes of nodes are compared.
 */
static void find_turned(const facet_j3d_builder *b, const bool *used, bool *is_turned)
{
    const facet_j3d_like *like = b->like;
    static const facet_j3d_matrix none = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    facet_j3d_matrix moved, known;
    if (has_shear(like))
        return;
    bool is_skinned = false;
    for (uint32_t s = 0; s < b->scene->skin_count; s++)
        is_skinned |= used[s];
    int turn = is_skinned ? 0 : find_turn(b);
    for (uint32_t j = 0; j < like->joint_count && !is_skinned; j++) {
        uint32_t node = b->node_of_joint[j];
        is_turned[j] = node != FACET_NONE && has_other_axes(b, node, j, turn);
    }
    for (uint32_t s = 0; s < b->scene->skin_count; s++) {
        const facet_skin *skin = b->scene->skins[s];
        for (uint32_t k = 0; k < skin->joint_count && used[s]; k++) {
            uint32_t node = skin->joints[k];
            uint32_t j = node == FACET_NONE ? FACET_NONE : b->joint_of_node[node];
            if (j >= like->joint_count || b->node_of_joint[j] != node)
                continue;
            facet_j3d_matrix_multiply(b->node_place[node], b->skin_bind[b->skin_first[s] + k],
                                      moved);
            facet_j3d_matrix_multiply(like->skeleton.globals[j], b->bind[j], known);
            is_turned[j] |= axis_distance(moved, none) > AXIS_TOLERANCE &&
                            axis_distance(moved, known) > AXIS_TOLERANCE;
        }
    }
}

static bool hangs_elsewhere(const facet_j3d_builder *b, uint32_t joint)
{
    uint16_t parent = b->like->document->joints.items[joint].parent;
    uint32_t above = facet_j3d_joint_above(b, b->node_of_joint[joint]);
    bool is_known = parent != FACET_J3D_NONE && b->node_of_joint[parent] != FACET_NONE;
    return is_known ? above != parent : above != FACET_NONE && parent == FACET_J3D_NONE;
}

/* Leaf bones of FBX files are not bones of the model. */
static bool is_leaf_bone(const char *name)
{
    size_t length = strlen(name);
    return length >= 4 && strcmp(name + length - 4, "_end") == 0;
}

/* Report bones below joints that move nothing: only bones of skins and meshes become joints. */
static facet_status report_unused(const facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    facet_tally unused = {0};
    facet_quoted quoted;
    bool *has_children = facet_j3d_builder_scratch(b, scene->node_count, sizeof *has_children);
    if (!has_children)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->parent != FACET_NONE)
            has_children[scene->nodes[i]->parent] = true;
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        bool is_used = has_children[i] || b->joint_of_node[i] != FACET_NONE ||
                       node->mesh != FACET_NONE || node->camera != FACET_NONE ||
                       node->light != FACET_NONE || (b->is_neutral && b->is_neutral[i]);
        if (!is_used && facet_j3d_joint_above(b, i) != FACET_NONE && !is_leaf_bone(node->name))
            facet_tally_hit(&unused, i);
    }
    if (unused.count > 0) {
        const char *name = scene->nodes[unused.first]->name;
        facet_report_add_tally(facet_j3d_builder_report(b), "J3D-LIKE-BONE-UNUSED",
                               FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &unused,
                               "bone '%s' is not in the original and moves nothing: it is left out",
                               facet_quote(&quoted, name, strlen(name)));
    }
    return FACET_OK;
}

static void report_changed(const facet_j3d_builder *b, uint32_t joint, const char *what)
{
    facet_quoted quoted;
    facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-BONE-PLACE", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET,
                     "bone '%s' has another %s than in the original: the original's is kept",
                     name_of(b, joint, &quoted), what);
}

facet_status facet_j3d_like_report_bones(const facet_j3d_builder *b, const bool *used)
{
    facet_tally gone = {0}, moved = {0}, hung = {0};
    facet_report *report = facet_j3d_builder_report(b);
    facet_quoted quoted;
    uint32_t known = 0, named = 0;
    bool *is_turned = facet_j3d_builder_scratch(b, b->like->joint_count, sizeof *is_turned);
    if (!is_turned)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t j = 0; j < b->like->joint_count; j++)
        known += b->node_of_joint[j] != FACET_NONE;
    for (uint32_t i = 0; i < b->scene->node_count && known == 0; i++)
        known += facet_j3d_is_joint_file(b->node_files[i]);
    if (known == 0) /* a scene without a skeleton */
        return FACET_OK;
    find_turned(b, used, is_turned);
    for (uint32_t j = 0; j < b->like->joint_count; j++) {
        if (b->node_of_joint[j] == FACET_NONE) {
            facet_tally_hit(&gone, j);
            continue;
        }
        if (hangs_elsewhere(b, j))
            facet_tally_hit(&hung, j);
        else if ((is_moved(b, j) || is_turned[j]) && named++ < MAX_NAMED)
            report_changed(b, j, is_moved(b, j) ? "position" : "rotation or scale");
        else if (is_moved(b, j) || is_turned[j])
            facet_tally_hit(&moved, j);
    }
    facet_report_add_tally(report, "J3D-LIKE-BONE-GONE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &gone, "joint '%s' of the original is not in the scene: it is kept",
                           name_of(b, gone.first, &quoted));
    facet_report_add_tally(
        report, "J3D-LIKE-BONE-PARENT", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &hung,
        "bone '%s' has another parent than in the original: the original's parent is kept",
        name_of(b, hung.first, &quoted));
    facet_report_add_tally(
        report, "J3D-LIKE-BONE-PLACE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &moved,
        "more bones, such as '%s', differ from the original: the original's are kept",
        name_of(b, moved.first, &quoted));
    return report_unused(b);
}
