/* formats/j3d/scene/from_scene/joints.c - nodes to joints.
 *
 * Every visible node becomes a joint, with two exceptions: nodes of skinned meshes, and nodes
 * without transform above the joints of a skin. A skeleton is easier to use without them. */
#include "formats/j3d/scene/from_scene/builder.h"

#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/json/presets.h"
#include "formats/j3d/scene/from_scene/frame.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "scene/axes.h"
#include "scene/axis_nodes.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Data of the nodes while joints are chosen. */
typedef struct choosing {
    uint32_t *order;  /* parents first */
    bool *in_skin;    /* joint of a used skin */
    bool *above_skin; /* has such a joint below it */
    bool *has_children;
    uint32_t *first_child, *next_sibling;
    uint32_t *stack;
    bool *is_moved; /* only these nodes, and those of skins, become joints; NULL: all */
    bool *in_tree;  /* only nodes of one tree, and those of skins; NULL: all */
} choosing;

/* -- Selection of nodes ------------------------------------------------- */

static void mark_skin_joints(const facet_j3d_builder *b, const choosing *c)
{
    const facet_scene *scene = b->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (!b->seen[i] || !facet_j3d_is_skinned(scene, node))
            continue;
        const facet_skin *skin = scene->skins[node->skin];
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            if (skin->joints[j] != FACET_NONE)
                c->in_skin[skin->joints[j]] = true;
        }
    }
}

/* The scale that a node has as a joint of the original, or of the J3D file it comes from. */
static float own_scale(const facet_j3d_builder *b, uint32_t node)
{
    const facet_gx_file_part *file = b->node_files[node];
    uint32_t joint = b->like ? b->like->joint_of_node[node] : FACET_NONE;
    if (joint != FACET_NONE)
        return facet_units_own_scale(b->like->document->joints.items[joint].scale);
    return file && file->joint && !b->like ? facet_units_own_scale(file->joint->scale) : 1;
}

/* A former J3D model keeps its joints unchanged. Joints of the original count as joints, also if
 * no skin binds them. */
static facet_status fold_axis_nodes(facet_j3d_builder *b, const choosing *c)
{
    bool *is_joint = facet_j3d_builder_scratch(b, b->scene->node_count, sizeof *is_joint);
    float *own = facet_j3d_builder_scratch(b, b->scene->node_count, sizeof *own);
    if (!is_joint || !own)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->scene->node_count; i++)
        own[i] = own_scale(b, i);
    b->units = facet_units_of_scene(b->scene, FACET_J3D_UNIT, c->order, own, c->stack);
    if (b->is_j3d)
        return FACET_OK;
    for (uint32_t i = 0; i < b->scene->node_count; i++)
        is_joint[i] = c->in_skin[i] || (b->like && b->like->joint_of_node[i] != FACET_NONE);
    TRY(facet_scene_fold_axis_nodes(b->scene, is_joint, c->order, b->units.top, b->scratch,
                                    &b->scene, b->error));
    b->units = facet_units_of_scene(b->scene, FACET_J3D_UNIT, c->order, own, c->stack);
    return FACET_OK;
}

static void find_frame(facet_j3d_builder *b)
{
    const facet_axes *axes = &b->scene->axes;
    facet_j3d_frame_of_axes(axes, b->turn);
    b->flip_v = facet_axes_flips_v(axes, true);
}

static facet_status look_at_nodes(facet_j3d_builder *b, choosing *c)
{
    const facet_scene *scene = b->scene;
    uint32_t count = scene->node_count;
    c->order = facet_j3d_builder_scratch(b, count, sizeof *c->order);
    c->stack = facet_j3d_builder_scratch(b, count, sizeof *c->stack);
    b->seen = facet_j3d_builder_scratch(b, count, sizeof *b->seen);
    c->in_skin = facet_j3d_builder_scratch(b, count, sizeof *c->in_skin);
    c->above_skin = facet_j3d_builder_scratch(b, count, sizeof *c->above_skin);
    c->has_children = facet_j3d_builder_scratch(b, count, sizeof *c->has_children);
    b->node_local = facet_j3d_builder_scratch(b, count, sizeof *b->node_local);
    c->first_child = facet_j3d_builder_scratch(b, count, sizeof *c->first_child);
    c->next_sibling = facet_j3d_builder_scratch(b, count, sizeof *c->next_sibling);
    b->node_place = facet_j3d_builder_scratch(b, count, sizeof *b->node_place);
    b->node_turn = facet_j3d_builder_scratch(b, count, sizeof *b->node_turn);
    b->joint_of_node = facet_j3d_builder_scratch(b, count, sizeof *b->joint_of_node);
    b->joint_node_above = facet_j3d_builder_scratch(b, count, sizeof *b->joint_node_above);
    if (!c->order || !c->stack || !b->seen || !c->in_skin || !c->above_skin || !c->has_children ||
        !b->node_local || !c->first_child || !c->next_sibling || !b->node_place || !b->node_turn ||
        !b->joint_of_node || !b->joint_node_above)
        return facet_j3d_builder_no_memory(b);
    TRY(facet_scene_order(scene, c->stack, c->order, b->error));
    facet_scene_mark_visible(scene, c->order, b->seen);
    TRY(facet_scene_check_growth(scene, b->seen, b->options, b->error));
    mark_skin_joints(b, c);
    if (b->like)
        TRY(b->like->steps->match_joints(b));
    TRY(fold_axis_nodes(b, c));
    find_frame(b);
    scene = b->scene;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = c->order[i], parent = scene->nodes[node]->parent;
        float local[16];
        facet_matrix_of_node(scene->nodes[node], local);
        facet_j3d_builder_matrix(b, local, b->node_local[node]);
        for (int k = 0; k < 12 && parent == FACET_NONE; k++)
            b->node_local[node][k] /= b->units.root_scale;
        facet_j3d_place_node(b, node);
        b->joint_of_node[node] = FACET_NONE;
    }
    return FACET_OK;
}

/* Mark joints of used skins, and all nodes above them, as visible. */
static void mark_above_skins(const facet_j3d_builder *b, choosing *c)
{
    const facet_scene *scene = b->scene;
    for (uint32_t i = scene->node_count; i-- > 0;) {
        uint32_t node = c->order[i], parent = scene->nodes[node]->parent;
        b->seen[node] |= c->in_skin[node] || c->above_skin[node];
        if (parent == FACET_NONE)
            continue;
        c->above_skin[parent] |= c->in_skin[node] || c->above_skin[node];
        c->has_children[parent] |= b->seen[node];
    }
}

static bool moves_nothing(const facet_j3d_builder *b, uint32_t node)
{
    return facet_j3d_matrix_distance_from_identity(b->node_local[node], 1) < 1e-6;
}

static bool is_joint(const facet_j3d_builder *b, const choosing *c, uint32_t index)
{
    const facet_node *node = b->scene->nodes[index];
    if (!b->seen[index] || (b->is_neutral && b->is_neutral[index]))
        return false;
    if (c->in_skin[index])
        return true;
    if (c->in_tree)
        return c->in_tree[index] && node->camera == FACET_NONE && node->light == FACET_NONE &&
               !(node->mesh != FACET_NONE && facet_j3d_is_skinned(b->scene, node));
    if (c->is_moved)
        return c->is_moved[index];
    if (index == b->units.top && moves_nothing(b, index))
        return false;
    if (b->is_j3d && facet_j3d_is_joint_file(b->node_files[index]))
        return true;
    if (!c->has_children[index]) {
        if (node->mesh != FACET_NONE)
            return !b->is_j3d && !facet_j3d_is_skinned(b->scene, node);
        return node->camera == FACET_NONE && node->light == FACET_NONE;
    }
    /* A node without transform above a skeleton is not a joint. */
    return !(c->above_skin[index] && node->mesh == FACET_NONE && moves_nothing(b, index));
}

/* -- Fewer joints -------------------------------------------------------- */

static uint32_t node_named(const facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, name) == 0)
            return i;
    }
    return FACET_NONE;
}

/* Find the root of the skeleton: the requested node, or, as in SuperBMD, the first child of
 * "skeleton_root" without mesh. FACET_NONE if missing. */
static facet_status find_root(const facet_j3d_builder *b, const facet_j3d_options *j3d,
                              uint32_t *root)
{
    const facet_scene *scene = b->scene;
    *root = FACET_NONE;
    if (j3d && j3d->root) {
        facet_quoted quoted;
        *root = node_named(scene, j3d->root);
        if (*root == FACET_NONE)
            return facet_fail(b->error, FACET_ERROR_ARGUMENT, "J3D-ROOT", FACET_NO_OFFSET,
                              "no node has the name '%s', expected one as the root of the joints",
                              facet_quote(&quoted, j3d->root, strlen(j3d->root)));
        return FACET_OK;
    }
    uint32_t marker = b->is_j3d ? FACET_NONE : node_named(scene, "skeleton_root");
    for (uint32_t i = 0; i < scene->node_count && *root == FACET_NONE; i++) {
        if (marker != FACET_NONE && scene->nodes[i]->parent == marker &&
            scene->nodes[i]->mesh == FACET_NONE)
            *root = i;
    }
    return FACET_OK;
}

static facet_status mark_tree(const facet_j3d_builder *b, choosing *c, uint32_t root)
{
    uint32_t count = b->scene->node_count;
    c->in_tree = facet_j3d_builder_scratch(b, count, sizeof *c->in_tree);
    for (uint32_t i = 0; i < count && c->in_tree; i++) {
        uint32_t node = c->order[i], parent = b->scene->nodes[node]->parent;
        c->in_tree[node] = node == root || (parent != FACET_NONE && c->in_tree[parent]);
    }
    return c->in_tree ? FACET_OK : facet_j3d_builder_no_memory(b);
}

static facet_status mark_moved(const facet_j3d_builder *b, choosing *c)
{
    const facet_scene *scene = b->scene;
    c->is_moved = facet_j3d_builder_scratch(b, scene->node_count, sizeof *c->is_moved);
    if (!c->is_moved)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t k = 0; k < animation->channel_count; k++) {
            if (animation->channels[k].node < scene->node_count)
                c->is_moved[animation->channels[k].node] = true;
        }
    }
    return FACET_OK;
}

/* SuperBMD gives a model without skeleton one joint. */
static bool is_static_project(const facet_j3d_builder *b, const choosing *c,
                              const facet_j3d_options *j3d)
{
    if (!j3d || b->is_j3d ||
        !(facet_j3d_is_superbmd_list(j3d->materials) || facet_j3d_is_superbmd_list(j3d->textures) ||
          j3d->material_file_count > 0))
        return false;
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        if (c->in_skin[i])
            return false;
    }
    facet_report_add(facet_j3d_builder_report(b), "J3D-ONE-JOINT", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET,
                     "there is no node 'skeleton_root' and no skin: the model gets one joint, as "
                     "SuperBMD makes it");
    return true;
}

static facet_status choose_fewer(const facet_j3d_builder *b, choosing *c)
{
    const facet_j3d_options *j3d = b->options ? b->options->j3d : NULL;
    uint32_t root;
    TRY(find_root(b, j3d, &root));
    if (root != FACET_NONE)
        return mark_tree(b, c, root);
    if ((j3d && j3d->one_joint) || is_static_project(b, c, j3d))
        return mark_moved(b, c);
    return FACET_OK;
}

/* -- Order of joints ---------------------------------------------------- */

static void link_children(const facet_j3d_builder *b, choosing *c, uint32_t *first_root)
{
    *first_root = FACET_NONE;
    for (uint32_t i = b->scene->node_count; i-- > 0;) {
        uint32_t parent = b->scene->nodes[i]->parent;
        c->first_child[i] = FACET_NONE;
        c->next_sibling[i] = FACET_NONE;
        if (parent == FACET_NONE) {
            c->next_sibling[i] = *first_root;
            *first_root = i;
        }
    }
    for (uint32_t i = b->scene->node_count; i-- > 0;) {
        uint32_t parent = b->scene->nodes[i]->parent;
        if (parent != FACET_NONE) {
            c->next_sibling[i] = c->first_child[parent];
            c->first_child[parent] = i;
        }
    }
}

static void find_joints_above(facet_j3d_builder *b, const choosing *c, const bool *joint)
{
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        uint32_t node = c->order[i], parent = b->scene->nodes[node]->parent;
        b->joint_node_above[node] =
            parent == FACET_NONE || joint[parent] ? parent : b->joint_node_above[parent];
    }
}

/* True if every joint comes after its parent joint in the order of the nodes. Former J3D joints
 * then keep their numbers. */
static bool stands_in_order(const facet_j3d_builder *b, const bool *joint)
{
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        uint32_t above = b->joint_node_above[i];
        if (joint[i] && above != FACET_NONE && above > i)
            return false;
    }
    return true;
}

/* List joints depth first: a node before its children, and all descendants of one child before the
 * next child. */
static uint32_t list_joints(const facet_j3d_builder *b, choosing *c, const bool *joint,
                            uint32_t *list)
{
    uint32_t count = 0, depth = 0, at;
    link_children(b, c, &at);
    if (b->is_j3d && stands_in_order(b, joint)) {
        for (uint32_t i = 0; i < b->scene->node_count; i++) {
            if (joint[i])
                list[count++] = i;
        }
        return count;
    }
    while (at != FACET_NONE || depth > 0) {
        if (at == FACET_NONE) {
            at = c->next_sibling[c->stack[--depth]];
            continue;
        }
        if (joint[at])
            list[count++] = at;
        c->stack[depth++] = at;
        at = c->first_child[at];
    }
    return count;
}

/* Number the nodes that become joints. Without exactly one root, add a root joint without node. */
static facet_status choose_joints(facet_j3d_builder *b, choosing *c)
{
    uint32_t node_count = b->scene->node_count, roots = 0;
    bool *joint = facet_j3d_builder_scratch(b, node_count, sizeof *joint);
    uint32_t *list = facet_j3d_builder_scratch(b, node_count, sizeof *list);
    if (!joint || !list)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < node_count; i++)
        joint[i] = is_joint(b, c, i);
    find_joints_above(b, c, joint);
    uint32_t count = list_joints(b, c, joint, list);
    for (uint32_t i = 0; i < count; i++)
        b->joint_of_node[list[i]] = i;
    for (uint32_t i = 0; i < count; i++)
        roots += facet_j3d_joint_above(b, list[i]) == FACET_NONE;
    uint32_t extra = roots != 1;
    TRY(facet_j3d_builder_make_joints(b, count + extra, "joints (nodes)",
                                      "remove nodes that move nothing"));
    if (extra)
        b->node_of_joint[0] = FACET_NONE;
    for (uint32_t i = 0; i < count; i++) {
        b->joint_of_node[list[i]] = i + extra;
        b->node_of_joint[i + extra] = list[i];
    }
    for (uint32_t i = 0; i < count + extra; i++) {
        facet_j3d_joint *made = &b->document->joints.items[i];
        uint32_t node = b->node_of_joint[i];
        uint32_t parent = node == FACET_NONE ? FACET_NONE : facet_j3d_joint_above(b, node);
        made->parent = (uint16_t)(parent != FACET_NONE ? parent
                                  : extra && i > 0     ? 0
                                                       : FACET_J3D_NONE);
        b->document->joints.remap[i] = (uint16_t)i;
    }
    return FACET_OK;
}

enum { ROOT_NAME = 32 };

/* Choose a name that no node has, for a root joint without node. */
static facet_status name_root(const facet_j3d_builder *b, char name[ROOT_NAME])
{
    facet_names names = facet_names_make(b->scratch);
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        const char *taken = b->scene->nodes[i]->name;
        if (facet_names_put(&names, taken, strlen(taken)) == UINT32_MAX)
            return facet_j3d_builder_no_memory(b);
    }
    strcpy(name, "root");
    for (uint32_t i = 0; facet_names_find(&names, name, strlen(name)) != UINT32_MAX; i++)
        snprintf(name, ROOT_NAME, "model_root%" PRIu32, i);
    return FACET_OK;
}

static facet_status name_joints(facet_j3d_builder *b)
{
    char root[ROOT_NAME] = "";
    facet_j3d_joints *joints = &b->document->joints;
    size_t lost = 0;
    if (joints->count > 0 && b->node_of_joint[0] == FACET_NONE)
        TRY(name_root(b, root));
    for (uint32_t i = 0; i < joints->count; i++) {
        uint32_t node = b->node_of_joint[i];
        const char *name = node == FACET_NONE ? root : b->scene->nodes[node]->name;
        char made[32];
        if (!*name) {
            snprintf(made, sizeof made, "joint%" PRIu32, i);
            name = made;
        }
        TRY(facet_j3d_builder_name(b, name, &joints->names.items[i], &lost));
    }
    facet_j3d_builder_report_names(b, "joint", lost);
    return FACET_OK;
}
/* -- The step ----------------------------------------------------------- */

facet_status facet_j3d_build_joints(facet_j3d_builder *b)
{
    choosing c = {0};
    TRY(facet_j3d_drop_neutral_bones(b));
    TRY(look_at_nodes(b, &c));
    mark_above_skins(b, &c);
    if (b->like)
        return b->like->steps->choose_joints(b, c.order, c.in_skin);
    TRY(choose_fewer(b, &c));
    TRY(choose_joints(b, &c));
    return name_joints(b);
}
