/* formats/assimp/from_scene/placed.c - transforms of nodes that show skinned meshes.
 *
 * In glTF and in Facet's scenes, a skinned mesh is only where its joints leave it. The transform of
 * its node and of the nodes above has no meaning. Readers of FBX and COLLADA apply that transform,
 * so it must be the one that the joints give at rest. If they give none, because the mesh is bound
 * in another pose, it is one that gives the joints of all skins one bind pose. COLLADA stores the
 * inverse bind matrices, which give the whole transform. There the node's is the identity, unless
 * it is already right. */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/axis_nodes.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

typedef struct placer {
    facet_assimp_writer *w;
    float *places;  /* per node: global matrix at rest, 16 floats */
    float *targets; /* per node: the matrix that the skinned mesh needs, 16 floats */
    bool *seen;     /* per node: it is visible */
    bool *busy;     /* per node: it is a joint, animated or a parent, or shows more than a mesh */
    bool *is_used;  /* per joint of one skin: a vertex follows it */
    bool *is_known; /* per mesh: the next two are known. A mesh has one skin */
    bool *is_bound; /* per mesh: its joints give one matrix */
    float *common;  /* per mesh: that matrix, 16 floats */
    bool *is_wrong; /* per node: its transform must change */
    facet_tally wrong; /* without those of rigid meshes */
    uint32_t moves;    /* number of wrong nodes */
    uint32_t copies;   /* number of wrong nodes that are busy, whose mesh gets another node */
    float *binds;      /* per node: global matrix in the bind pose of an FBX, 16 floats */
    bool *has_bind;    /* per node: that matrix is known */
    bool is_posed;     /* a mesh is bound in another pose than its joints rest in */
} placer;

/* -- Matrices ----------------------------------------------------------- */

static bool is_near(const float *a, const float *b, float tolerance)
{
    float size = 1;
    for (int k = 0; k < 16; k++)
        size = fabsf(b[k]) > size ? fabsf(b[k]) : size;
    for (int k = 0; k < 16; k++) {
        if (!(fabsf(a[k] - b[k]) <= tolerance * size))
            return false;
    }
    return true;
}

/* Compute the global matrices at rest, and mark visible nodes. */
static facet_status find_places(placer *p)
{
    const facet_scene *scene = p->w->scene;
    uint32_t count = scene->node_count;
    uint32_t *depth = facet_arena_allocate(p->w->scratch, count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(p->w->scratch, count, sizeof *order);
    if (!depth || !order)
        return facet_assimp_no_memory(p->w->error, count, sizeof *order);
    TRY(facet_scene_order(scene, depth, order, p->w->error));
    facet_scene_mark_visible(scene, order, p->seen);
    for (uint32_t i = 0; i < count; i++) {
        const facet_node *node = scene->nodes[order[i]];
        float local[16], *place = p->places + (size_t)order[i] * 16;
        facet_matrix_of_node(node, local);
        if (node->parent == FACET_NONE)
            memcpy(place, local, sizeof local);
        else
            facet_matrix_multiply(p->places + (size_t)node->parent * 16, local, place);
    }
    return FACET_OK;
}

/* -- Skins -------------------------------------------------------------- */

/* Mark the joints that vertices follow. A vertex without weights follows its first joint. */
static void mark_used(const facet_mesh *mesh, const facet_skin *skin, bool *is_used)
{
    memset(is_used, 0, skin->joint_count * sizeof *is_used);
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *joints = &mesh->streams[s];
        if (joints->semantic != FACET_JOINTS)
            continue;
        const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, joints->set);
        const uint16_t *joint = joints->data;
        const float *weight = weights ? weights->data : NULL;
        for (size_t k = 0; weight && k < (size_t)joints->count * 4; k++) {
            bool first = joints->set == 0 && k % 4 == 0;
            if ((weight[k] > 0 || first) && joint[k] < skin->joint_count)
                is_used[joint[k]] = true;
        }
    }
}

/* Get the matrix of the mesh at rest, if all of its joints give the same. */
static bool find_common(const placer *p, const facet_node *node, float common[16])
{
    const facet_skin *skin = p->w->scene->skins[node->skin];
    bool found = false;
    mark_used(p->w->scene->meshes[node->mesh], skin, p->is_used);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        const float *joint = p->places + (size_t)skin->joints[i] * 16;
        float moved[16];
        if (!p->is_used[i])
            continue;
        memcpy(moved, joint, sizeof moved);
        if (skin->inverse_bind)
            facet_matrix_multiply(joint, skin->inverse_bind + (size_t)i * 16, moved);
        if (found && !is_near(moved, common, 1e-3F))
            return false;
        if (!found)
            memcpy(common, moved, sizeof moved);
        found = true;
    }
    if (found && is_near(common, identity, 1e-5F))
        memcpy(common, identity, sizeof identity);
    return found;
}

/* True if a node shows a skinned mesh. */
static bool has_skin(const placer *p, uint32_t i)
{
    const facet_node *node = p->w->scene->nodes[i];
    return node->mesh != FACET_NONE && node->skin != FACET_NONE && p->seen[i];
}

/* Find the matrices that the joints give the meshes at rest. */
static void find_all_common(placer *p)
{
    for (uint32_t i = 0; i < p->w->scene->node_count; i++) {
        const facet_node *node = p->w->scene->nodes[i];
        if (!has_skin(p, i) || node->skin >= p->w->first_rigid_skin || p->is_known[node->mesh])
            continue;
        p->is_known[node->mesh] = true;
        p->is_bound[node->mesh] = find_common(p, node, p->common + (size_t)node->mesh * 16);
        p->is_posed |= !p->is_bound[node->mesh];
    }
}

/* Find the matrix of a mesh in the bind pose of an FBX. It must give the joints the bind pose that
 * they have in other skins. */
static void find_bind(const placer *p, const facet_node *node)
{
    const facet_skin *skin = p->w->scene->skins[node->skin];
    float *place = p->common + (size_t)node->mesh * 16, back[16];
    if (!p->is_bound[node->mesh])
        memcpy(place, identity, sizeof identity);
    for (uint32_t i = 0; i < skin->joint_count && p->is_posed; i++) {
        const float *bind = skin->inverse_bind ? skin->inverse_bind + (size_t)i * 16 : identity;
        if (p->has_bind[skin->joints[i]]) {
            facet_matrix_multiply(p->binds + (size_t)skin->joints[i] * 16, bind, place);
            break;
        }
    }
    if (is_near(place, identity, 1e-5F))
        memcpy(place, identity, sizeof identity);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        const float *bind = skin->inverse_bind ? skin->inverse_bind + (size_t)i * 16 : identity;
        uint32_t joint = skin->joints[i];
        if (p->has_bind[joint] || !facet_matrix_invert(bind, back))
            continue;
        p->has_bind[joint] = true;
        facet_matrix_multiply(place, back, p->binds + (size_t)joint * 16);
    }
}

/* The same for all meshes, those first that are bound in another pose. */
static facet_status find_all_binds(placer *p)
{
    const facet_scene *scene = p->w->scene;
    p->binds = facet_arena_allocate(p->w->scratch, scene->node_count, 16 * sizeof *p->binds);
    p->has_bind = facet_arena_allocate_zeroed(p->w->scratch, scene->node_count, sizeof(bool));
    bool *is_done = facet_arena_allocate_zeroed(p->w->scratch, scene->mesh_count, sizeof *is_done);
    if (!p->binds || !p->has_bind || !is_done)
        return facet_assimp_no_memory(p->w->error, scene->node_count, 16 * sizeof *p->binds);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < scene->node_count; i++) {
            const facet_node *node = scene->nodes[i];
            if (!has_skin(p, i) || is_done[node->mesh] || (pass == 0 && p->is_bound[node->mesh]))
                continue;
            is_done[node->mesh] = true;
            find_bind(p, node);
        }
    }
    return FACET_OK;
}

/* Report bones that are scaled in the bind pose, relative to the bone or armature above. */
static void report_scales(const placer *p)
{
    const facet_scene *scene = p->w->scene;
    facet_tally scaled = {0, 0};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t parent = scene->nodes[i]->parent;
        float back[16], local[16];
        if (!p->has_bind[i])
            continue;
        memcpy(local, p->binds + (size_t)i * 16, sizeof local);
        if (parent != FACET_NONE) {
            const float *above = p->has_bind[parent] ? p->binds : p->places;
            if (!facet_matrix_invert(above + (size_t)parent * 16, back))
                continue;
            facet_matrix_multiply(back, p->binds + (size_t)i * 16, local);
        }
        float off = 0;
        for (int c = 0; c < 12; c += 4)
            off = fmaxf(off, fabsf(hypotf(hypotf(local[c], local[c + 1]), local[c + 2]) - 1));
        if (!(off <= 1e-3F))
            facet_tally_hit(&scaled, i);
    }
    facet_report_add_tally(
        p->w->report, "ASSIMP-BONE-SCALE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &scaled,
        "joint %" PRIu64 " is scaled in the bind pose, which Blender ignores", scaled.first);
}

/* Find the matrix that a node's skinned mesh needs. In an FBX it is that of the bind pose. COLLADA
 * needs the identity, and the common matrix is right if the node has it: Blender applies it once.
 */
static void find_target(const placer *p, uint32_t i)
{
    const facet_node *node = p->w->scene->nodes[i];
    const float *common = p->common + (size_t)node->mesh * 16;
    bool is_common =
        p->w->target->has_mesh_places ||
        (p->is_bound[node->mesh] && is_near(p->places + (size_t)i * 16, common, 1e-5F));
    memcpy(p->targets + (size_t)i * 16, is_common ? common : identity, sizeof identity);
}

/* Find the nodes of skinned meshes whose transforms must change. */
static void find_wrong(placer *p)
{
    for (uint32_t i = 0; i < p->w->scene->node_count; i++) {
        const facet_node *node = p->w->scene->nodes[i];
        const float *target = p->targets + (size_t)i * 16;
        if (!has_skin(p, i))
            continue;
        if (node->skin >= p->w->first_rigid_skin) { /* it must not stay below its joint */
            uint32_t number = node->skin - p->w->first_rigid_skin;
            memcpy(p->w->rigid_places + (size_t)number * 16, p->places + (size_t)i * 16,
                   sizeof identity);
            memcpy(p->targets + (size_t)i * 16, identity, sizeof identity);
            p->is_wrong[i] = true;
            p->moves++;
            p->copies += p->busy[i];
            continue;
        }
        find_target(p, i);
        if (is_near(p->places + (size_t)i * 16, target, 1e-5F))
            continue;
        p->is_wrong[i] = true;
        p->moves++;
        p->copies += p->busy[i];
        facet_tally_hit(&p->wrong, i);
    }
}

/* Mark the nodes whose transform has another purpose. */
static void find_busy(const placer *p)
{
    const facet_scene *scene = p->w->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        p->busy[i] |= node->camera != FACET_NONE || node->light != FACET_NONE;
        if (node->parent != FACET_NONE)
            p->busy[node->parent] = true;
    }
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t k = 0; k < scene->skins[i]->joint_count; k++) {
            if (scene->skins[i]->joints[k] != FACET_NONE)
                p->busy[scene->skins[i]->joints[k]] = true;
        }
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t k = 0; k < animation->channel_count; k++) {
            if (facet_channel_target_is_place(animation->channels[k].target))
                p->busy[animation->channels[k].node] = true;
        }
    }
}

/* -- Changing the scene ------------------------------------------------- */

static void show_at(facet_node *node, const float *matrix)
{
    static const facet_transform origin = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    node->parent = FACET_NONE;
    node->has_matrix = memcmp(matrix, identity, sizeof identity) != 0;
    node->transform = origin;
    memcpy(node->matrix, matrix, sizeof identity);
}

/* Replace w->scene by a copy whose wrong nodes are roots with the right transforms. The mesh of a
 * busy node moves to another node of the same name. */
static facet_status move_nodes(const placer *p)
{
    facet_assimp_writer *w = p->w;
    const facet_scene *from = w->scene;
    size_t node_count = (size_t)from->node_count + p->copies;
    size_t root_count = (size_t)from->root_count + p->moves;
    facet_scene *to = facet_arena_allocate(w->scratch, 1, sizeof *to);
    facet_node **nodes = facet_arena_allocate(w->scratch, node_count, sizeof(facet_node *));
    facet_node *changed =
        facet_arena_allocate(w->scratch, (size_t)p->moves + p->copies, sizeof *changed);
    uint32_t *roots = facet_arena_allocate(w->scratch, root_count, sizeof *roots);
    if (!to || !nodes || !changed || !roots)
        return facet_assimp_no_memory(w->error, node_count, sizeof *nodes);
    *to = *from;
    to->nodes = nodes;
    memcpy(nodes, from->nodes, from->node_count * sizeof(facet_node *));
    if (from->roots) {
        to->roots = roots;
        memcpy(roots, from->roots, from->root_count * sizeof *roots);
    }
    for (uint32_t i = 0; i < from->node_count; i++) {
        uint32_t shown = i;
        if (!p->is_wrong[i])
            continue;
        if (p->busy[i]) {
            facet_node *left = changed++;
            *left = *from->nodes[i];
            left->mesh = left->skin = FACET_NONE;
            nodes[i] = left;
            shown = to->node_count++;
        }
        facet_node *node = changed++;
        *node = *from->nodes[i];
        if (p->busy[i])
            node->camera = node->light = FACET_NONE;
        show_at(node, p->targets + (size_t)i * 16);
        nodes[shown] = node;
        if (from->roots && (shown != i || from->nodes[i]->parent != FACET_NONE))
            roots[to->root_count++] = shown;
    }
    w->scene = to;
    return FACET_OK;
}

/* Move the transforms of nodes above the joints into the joints. Blender applies them to the bones
 * of a COLLADA, but not to their animation. */
static facet_status fold_axis_nodes(facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    uint32_t count = scene->node_count;
    uint32_t *depth = facet_arena_allocate(w->scratch, count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(w->scratch, count, sizeof *order);
    bool *is_joint = facet_arena_allocate_zeroed(w->scratch, count, sizeof *is_joint);
    if (!depth || !order || !is_joint)
        return facet_assimp_no_memory(w->error, count, sizeof *order);
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t k = 0; k < scene->skins[i]->joint_count; k++)
            is_joint[scene->skins[i]->joints[k]] = true;
    }
    TRY(facet_scene_order(scene, depth, order, w->error));
    TRY(facet_scene_fold_axis_nodes(scene, is_joint, order, FACET_NONE, w->scratch, &w->scene,
                                    w->error));
    if (w->scene != scene)
        facet_report_add(w->report, "ASSIMP-SKIN-NODE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "transforms of nodes above the joints become part of the joints");
    return FACET_OK;
}

facet_status facet_assimp_place_skins(facet_assimp_writer *w)
{
    if (!w->target->has_mesh_places)
        TRY(fold_axis_nodes(w));

    placer p = {.w = w};
    size_t count = w->scene->node_count, joints = 0;
    for (uint32_t i = 0; i < w->scene->skin_count; i++)
        joints =
            w->scene->skins[i]->joint_count > joints ? w->scene->skins[i]->joint_count : joints;
    p.places = facet_arena_allocate(w->scratch, count, 16 * sizeof *p.places);
    p.targets = facet_arena_allocate(w->scratch, count, 16 * sizeof *p.targets);
    p.seen = facet_arena_allocate_zeroed(w->scratch, count, sizeof *p.seen);
    p.busy = facet_arena_allocate_zeroed(w->scratch, count, sizeof *p.busy);
    p.is_wrong = facet_arena_allocate_zeroed(w->scratch, count, sizeof *p.is_wrong);
    p.is_used = facet_arena_allocate(w->scratch, joints, sizeof *p.is_used);
    p.is_known = facet_arena_allocate_zeroed(w->scratch, w->scene->mesh_count, sizeof *p.is_known);
    p.common = facet_arena_allocate(w->scratch, w->scene->mesh_count, 16 * sizeof *p.common);
    p.is_bound = facet_arena_allocate_zeroed(w->scratch, w->scene->mesh_count, sizeof *p.is_bound);
    if (!p.places || !p.targets || !p.seen || !p.busy || !p.is_wrong || !p.is_used || !p.is_known ||
        !p.is_bound || !p.common)
        return facet_assimp_no_memory(w->error, count, 16 * sizeof *p.places);
    TRY(find_places(&p));
    find_busy(&p);
    find_all_common(&p);
    if (w->target->has_mesh_places) {
        TRY(find_all_binds(&p));
        report_scales(&p);
    }
    find_wrong(&p);
    facet_report_add_tally(w->report, "ASSIMP-SKIN-NODE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &p.wrong,
                           "node %" PRIu64 " shows a skinned mesh and becomes a root, with the "
                           "transform that the joints give the mesh",
                           p.wrong.first);
    return p.moves > 0 ? move_nodes(&p) : FACET_OK;
}
