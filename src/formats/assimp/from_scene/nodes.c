/* formats/assimp/from_scene/nodes.c - nodes below the root that assimp requires. Each has a unique
 * name, which bones and channels refer to. */
#include "base/error.h"
#include "formats/assimp/file/scan.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/axes.h"
#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <string.h>

/* -- Names -------------------------------------------------------------- */

/* Remove the marks of a name that assimp's exporter of FBX takes for a factor of a transform. It
 * leaves such nodes out, with their transforms. NULL if out of memory. */
static const char *without_marks(const facet_assimp_writer *w, const char *name)
{
    const char *mark = w->target->is_physical ? strstr(name, FACET_ASSIMP_MARK) : NULL;
    char *copy = mark ? facet_arena_allocate(w->scratch, strlen(name) + 1, 1) : NULL;
    if (!copy)
        return mark ? NULL : name;
    char *end = copy;
    for (; mark; mark = strstr(name, FACET_ASSIMP_MARK)) {
        memcpy(end, name, (size_t)(mark - name));
        end += mark - name;
        *end++ = '_';
        name = mark + strlen(FACET_ASSIMP_MARK);
        name += *name == '_';
    }
    strcpy(end, name);
    return copy;
}

facet_status facet_assimp_name_nodes(facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    uint32_t count = scene->node_count;
    const char **given = facet_arena_allocate(w->scratch, count, sizeof *given);
    w->node_names = facet_arena_allocate(w->scratch, count, sizeof *w->node_names);
    facet_assimp_names index;
    if (!given || !w->node_names)
        return facet_assimp_no_memory(w->error, count, 2 * sizeof *given);
    facet_tally renamed = {0, 0}, reserved = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        given[i] = without_marks(w, scene->nodes[i]->name);
        if (!given[i])
            return facet_assimp_no_memory(w->error, 1, 1);
        if (given[i] != scene->nodes[i]->name)
            facet_tally_hit(&reserved, i);
    }
    if (!facet_assimp_names_make(&index, w->scratch, given, count))
        return facet_assimp_no_memory(w->error, count, sizeof *given);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = given[i];
        if (*name && facet_assimp_names_find(&index, name) != i)
            facet_tally_hit(&renamed, i);
        /* Append the node's number to make its name unique; repeat while another node has the
         * result. */
        const char *stem = *name ? name : "node";
        while (name && (!*name || (facet_assimp_names_find(&index, name) != FACET_NONE &&
                                   facet_assimp_names_find(&index, name) != i))) {
            name = facet_arena_format(w->scratch, "%s_%" PRIu32, stem, i);
            stem = name;
        }
        if (!name)
            return facet_assimp_no_memory(w->error, 1, 1);
        w->node_names[i] = name;
    }
    facet_report_add_tally(w->report, "ASSIMP-NAME", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &renamed,
                           "a node has the name of another and is written with its number after "
                           "the name");
    facet_report_add_tally(
        w->report, "ASSIMP-NAME", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &reserved,
        "a node is written without '" FACET_ASSIMP_MARK "' in its name, which assimp reserves");
    return FACET_OK;
}

/* Set the name of a node that the scene does not have. A "_" after it keeps it different from the
 * names of the scene's nodes: assimp finds those of bones and channels by their names. */
static bool name_added(const facet_assimp_writer *w, struct aiNode *node, const char *name)
{
    for (uint32_t i = 0; name && i < w->scene->node_count;) {
        bool is_taken = strcmp(w->node_names[i], name) == 0;
        name = is_taken ? facet_arena_format(w->scratch, "%s_", name) : name;
        i = is_taken ? 0 : i + 1;
    }
    if (name)
        facet_assimp_set_text(&node->mName, name);
    return name != NULL;
}

/* -- The axes ---------------------------------------------------------- */

/* The matrix from the scene's axes to +Y up, right-handed. False if it is the identity. */
static bool axes_matrix(const facet_axes *axes, float *m)
{
    facet_axes_matrix(axes, m);
    for (int i = 0; i < 16; i++)
        m[i] += 0.0F; /* turn -0 into 0 */
    return facet_axes_is_turned(axes);
}

static void put_entry(struct aiMetadata *metadata, const char *key, enum aiMetadataType type,
                      void *value)
{
    uint32_t i = metadata->mNumProperties++;
    facet_assimp_set_text(&metadata->mKeys[i], key);
    metadata->mValues[i].mType = type;
    metadata->mValues[i].mData = value;
}

/* Metadata of the scene with space for 7 entries; NULL if out of memory. */
static struct aiMetadata *add_metadata(facet_assimp_writer *w)
{
    struct aiMetadata *metadata = facet_arena_allocate_zeroed(w->scratch, 1, sizeof *metadata);
    struct aiString *keys = facet_arena_allocate(w->scratch, 7, sizeof *keys);
    struct aiMetadataEntry *values = facet_arena_allocate(w->scratch, 7, sizeof *values);
    if (!metadata || !keys || !values)
        return NULL;
    metadata->mKeys = keys;
    metadata->mValues = values;
    w->to.mMetaData = metadata;
    return metadata;
}

/* Name the tool of a COLLADA with a unit. Readers take a meter from other tools for a default. */
static facet_status put_tool(facet_assimp_writer *w)
{
    if (w->scene->axes.unit <= 0)
        return FACET_OK;
    struct aiMetadata *metadata = add_metadata(w);
    struct aiString *tool = facet_arena_allocate(w->scratch, 1, sizeof *tool);
    if (!metadata || !tool)
        return facet_assimp_no_memory(w->error, 7, sizeof *tool);
    facet_assimp_set_text(tool, FACET_ASSIMP_TOOL);
    put_entry(metadata, "SourceAsset_Generator", AI_AISTRING, tool);
    return FACET_OK;
}

/* Write the axes of an FBX. +X is to the right; the third axis is to the front. */
facet_status facet_assimp_metadata_from_scene(facet_assimp_writer *w)
{
    if (!w->target->has_frame)
        return put_tool(w);
    const facet_axes *axes = &w->scene->axes;
    struct aiMetadata *metadata = add_metadata(w);
    int32_t *numbers = facet_arena_allocate(w->scratch, 6, sizeof *numbers);
    double *unit = facet_arena_allocate(w->scratch, 1, sizeof *unit);
    if (!metadata || !numbers || !unit)
        return facet_assimp_no_memory(w->error, 7, sizeof *numbers);
    /* up, its sign, front, its sign, right, its sign */
    static const int32_t y_up[6] = {1, 1, 2, 1, 0, 1}, z_up[6] = {2, 1, 1, -1, 0, 1},
                         x_up[6] = {0, 1, 2, 1, 1, -1};
    bool turned = axes->left_handed; /* the root node turns these to +Y up */
    memcpy(numbers,
           turned || axes->up == FACET_AXIS_Y ? y_up
           : axes->up == FACET_AXIS_Z         ? z_up
                                              : x_up,
           sizeof y_up);
    static const char *const names[6] = {"UpAxis",        "UpAxisSign", "FrontAxis",
                                         "FrontAxisSign", "CoordAxis",  "CoordAxisSign"};
    for (int i = 0; i < 6; i++)
        put_entry(metadata, names[i], AI_INT32, &numbers[i]);
    *unit = facet_axes_unit(axes) * 100;
    put_entry(metadata, "UnitScaleFactor", AI_DOUBLE, unit);
    return FACET_OK;
}

/* -- Nodes -------------------------------------------------------------- */

/* Name assimp's meshes of one of Facet's meshes. */
static facet_status name_pieces(facet_assimp_writer *w, uint32_t first, uint32_t end,
                                struct aiNode *to)
{
    to->mMeshes = facet_arena_allocate(w->scratch, end - first, sizeof *to->mMeshes);
    if (!to->mMeshes)
        return facet_assimp_no_memory(w->error, end - first, sizeof *to->mMeshes);
    for (uint32_t i = first; i < end; i++)
        to->mMeshes[to->mNumMeshes++] = i;
    return FACET_OK;
}

static void add_child(struct aiNode *parent, struct aiNode *child)
{
    parent->mChildren[parent->mNumChildren++] = child;
    child->mParent = parent;
}

/* Find the visible nodes. */
static facet_status find_seen(facet_assimp_writer *w, bool **seen)
{
    uint32_t count = w->scene->node_count;
    uint32_t *depth = facet_arena_allocate(w->scratch, count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(w->scratch, count, sizeof *order);
    *seen = facet_arena_allocate(w->scratch, count, sizeof **seen);
    if (!depth || !order || !*seen)
        return facet_assimp_no_memory(w->error, count, sizeof *order);
    facet_status status = facet_scene_order(w->scene, depth, order, w->error);
    for (uint32_t k = 0; k < count && !status; k++) { /* parents first */
        uint32_t i = order[k], parent = w->scene->nodes[i]->parent;
        depth[i] = parent == FACET_NONE ? 0 : depth[parent] + 1;
        if (depth[i] >= FACET_ASSIMP_MAX_DEPTH)
            status = facet_fail(
                w->error, FACET_ERROR_UNSUPPORTED, "ASSIMP-EXPORT", FACET_NO_OFFSET,
                "node %u is nested more than " FACET_ASSIMP_MAX_DEPTH_TEXT " levels deep", i);
    }
    if (!status)
        facet_scene_mark_visible(w->scene, order, *seen);
    return status;
}

static facet_status write_tree(facet_assimp_writer *w, struct aiNode *top, struct aiNode *nodes)
{
    const facet_scene *scene = w->scene;
    facet_tally hidden = {0, 0}, sheared = {0, 0};
    bool *seen = NULL;
    facet_status status = find_seen(w, &seen);
    w->is_shown = facet_arena_allocate_zeroed(w->scratch, scene->mesh_count, sizeof *w->is_shown);
    bool *is_coarser =
        facet_arena_allocate_zeroed(w->scratch, scene->node_count, sizeof *is_coarser);
    if (!w->is_shown || !is_coarser)
        return facet_assimp_no_memory(w->error, scene->mesh_count, sizeof *w->is_shown);
    for (uint32_t i = 0; i < scene->node_count; i++) { /* without levels of detail */
        for (uint32_t k = 0; k < scene->nodes[i]->lod_count; k++)
            is_coarser[scene->nodes[i]->lods[k]] = true;
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t parent = scene->nodes[i]->parent;
        (parent == FACET_NONE ? top : &nodes[parent])->mNumChildren++;
    }
    for (uint32_t i = 0; i <= scene->node_count && !status; i++) {
        struct aiNode *node = i < scene->node_count ? &nodes[i] : top;
        node->mChildren =
            facet_arena_allocate(w->scratch, node->mNumChildren, sizeof *node->mChildren);
        if (!node->mChildren)
            return facet_assimp_no_memory(w->error, node->mNumChildren, sizeof *node->mChildren);
        node->mNumChildren = 0;
    }
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        const facet_node *from = scene->nodes[i];
        float matrix[16];
        facet_matrix_of_node(from, matrix);
        facet_assimp_set_matrix(&nodes[i].mTransformation, matrix);
        /* FBX stores only translation, rotation and scale. */
        facet_transform ignored;
        if (w->target->is_physical && from->has_matrix &&
            facet_transform_of_matrix(matrix, FACET_MIRROR_LEAST, &ignored) > 1e-5)
            facet_tally_hit(&sheared, i);
        facet_assimp_set_text(&nodes[i].mName, w->node_names[i]);
        if (is_coarser[i])
            continue;
        add_child(from->parent == FACET_NONE ? top : &nodes[from->parent], &nodes[i]);
        if (from->mesh == FACET_NONE)
            continue;
        if (!seen[i]) {
            facet_tally_hit(&hidden, i);
            continue;
        }
        w->is_shown[from->mesh] = true;
        status =
            name_pieces(w, w->first_piece[from->mesh], w->first_piece[from->mesh + 1], &nodes[i]);
    }
    facet_report_add_tally(w->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &hidden, "the mesh of a node that the scene does not show is left out");
    facet_report_add_tally(w->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &sheared, "node %" PRIu64 " is sheared, which FBX cannot express",
                           sheared.first);
    return status;
}

/* In a scene without nodes, add a node below the root for all pieces of a mesh with one name. */
static facet_status write_meshes_as_nodes(facet_assimp_writer *w, struct aiNode *top)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    uint32_t count = w->to.mNumMeshes;
    struct aiNode *nodes = facet_arena_allocate_zeroed(w->scratch, count, sizeof *nodes);
    top->mChildren = facet_arena_allocate(w->scratch, count, sizeof *top->mChildren);
    if (!nodes || !top->mChildren)
        return facet_assimp_no_memory(w->error, count, sizeof *nodes);
    facet_status status = FACET_OK;
    for (uint32_t first = 0, end = 0; first < count && !status; first = end) {
        const struct aiString *name = &w->to.mMeshes[first]->mName;
        while (end < count && w->pieces[end].mesh == w->pieces[first].mesh &&
               strcmp(w->to.mMeshes[end]->mName.data, name->data) == 0)
            end++;
        struct aiNode *node = &nodes[top->mNumChildren];
        facet_assimp_set_matrix(&node->mTransformation, identity);
        facet_assimp_set_text(&node->mName, name->data);
        add_child(top, node);
        status = name_pieces(w, first, end, node);
    }
    return status;
}

/* Count the roots whose transform is animated, in a file whose axes importers convert. A joint is
 * different: importers create an armature above it. */
static facet_status find_animated_roots(const facet_assimp_writer *w, facet_tally *found)
{
    const facet_scene *scene = w->scene;
    *found = (facet_tally){0, 0};
    bool *is_joint = facet_arena_allocate_zeroed(w->scratch, scene->node_count, sizeof *is_joint);
    if (!is_joint)
        return facet_assimp_no_memory(w->error, scene->node_count, sizeof *is_joint);
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t k = 0; k < scene->skins[i]->joint_count; k++)
            is_joint[scene->skins[i]->joints[k]] = true;
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t k = 0; k < animation->channel_count; k++) {
            const facet_channel *channel = &animation->channels[k];
            if (!facet_channel_target_is_place(channel->target) || is_joint[channel->node] ||
                scene->nodes[channel->node]->parent != FACET_NONE)
                continue;
            is_joint[channel->node] = true; /* count it once */
            facet_tally_hit(found, channel->node);
        }
    }
    return FACET_OK;
}

facet_status facet_assimp_nodes_from_scene(facet_assimp_writer *w)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const facet_axes *axes = &w->scene->axes;
    struct aiNode *root = facet_arena_allocate_zeroed(w->scratch, 2, sizeof *root);
    struct aiNode **only = facet_arena_allocate(w->scratch, 1, sizeof *only);
    struct aiNode *nodes =
        facet_arena_allocate_zeroed(w->scratch, w->scene->node_count, sizeof *nodes);
    if (!root || !only || !nodes)
        return facet_assimp_no_memory(w->error, (uint64_t)w->scene->node_count + 2, sizeof *nodes);
    float turn[16];
    bool turned = axes_matrix(axes, turn);
    struct aiNode *top = root;
    bool is_named = name_added(w, root, "scene_root");
    facet_assimp_set_matrix(&root->mTransformation, identity);
    if (w->target->has_frame && axes->left_handed) {
        /* FBX files have up and right axes, but the root's matrix is not written. */
        top = root + 1;
        root->mChildren = only;
        add_child(root, top);
        is_named &= name_added(w, top, "mirror");
        facet_assimp_set_matrix(&top->mTransformation, turn);
    } else if (!w->target->has_frame && (turned || axes->unit > 0)) {
        /* assimp derives COLLADA's <unit> and <up_axis> from the root's matrix. */
        for (int i = 0; i < 12 && axes->unit > 0; i++)
            turn[i] *= (float)axes->unit;
        facet_assimp_set_matrix(&root->mTransformation, turn);
    }
    facet_tally animated = {0, 0};
    if (!w->target->has_frame)
        TRY(find_animated_roots(w, &animated));
    if (animated.count > 0) {
        top = root + 1;
        root->mChildren = only;
        add_child(root, top);
        is_named &= name_added(w, top, "top");
        facet_assimp_set_matrix(&top->mTransformation, identity);
    }
    if (!is_named)
        return facet_assimp_no_memory(w->error, 1, 1);
    facet_report_add_tally(w->report, "ASSIMP-TOP", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &animated,
                           "node %" PRIu64 " is an animated root: a node '%s' above the scene "
                           "keeps it upright in Blender",
                           animated.first, top->mName.data);
    w->to.mRootNode = root;
    return w->scene->node_count > 0 ? write_tree(w, top, nodes) : write_meshes_as_nodes(w, top);
}
