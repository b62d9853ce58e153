/* formats/j3d/scene/from_scene/neutral.c - removal of Blender's neutral bones. Its glTF exporter
 * binds vertices without weights to an extra bone, `neutral_bone`, next to the skeleton and last in
 * the skin. An FBX of such a scene has another order. It is not a joint, so its vertices become
 * vertices without weights again. */
#include "formats/j3d/scene/from_scene/builder.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/scene/from_scene/original.h"

#include <string.h>

static const char neutral[] = "neutral_bone";

/* The original can have a joint with this name. */
static bool is_of_original(const facet_j3d_builder *b)
{
    const facet_j3d_names *names = b->like ? &b->like->document->joints.names : NULL;
    for (uint32_t i = 0; names && i < names->count; i++) {
        if (strcmp(names->items[i].bytes, neutral) == 0)
            return true;
    }
    return false;
}

static bool is_moved(const facet_scene *scene, uint32_t node)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t k = 0; k < scene->animations[i]->channel_count; k++) {
            if (scene->animations[i]->channels[k].node == node)
                return true;
        }
    }
    return false;
}

static bool has_joint(const facet_skin *skin, uint32_t node)
{
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        if (skin->joints[i] == node)
            return true;
    }
    return false;
}

/* True if a bone of that name is next to the skeleton and does nothing else. */
static bool is_neutral(const facet_scene *scene, const facet_skin *skin, uint32_t bone)
{
    if (scene->nodes[bone]->mesh != FACET_NONE || is_moved(scene, bone))
        return false;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->parent == bone)
            return false;
    }
    uint32_t parent = scene->nodes[bone]->parent;
    return parent == FACET_NONE || !has_joint(skin, parent);
}

/* Position of the neutral bone in a skin with other joints, or FACET_NONE. */
static uint32_t find_neutral(const facet_scene *scene, const facet_skin *skin)
{
    uint32_t j = 0;
    while (j < skin->joint_count && (skin->joints[j] == FACET_NONE ||
                                     strcmp(scene->nodes[skin->joints[j]]->name, neutral) != 0))
        j++;
    bool is_found = j < skin->joint_count && skin->joint_count > 1;
    return is_found && is_neutral(scene, skin, skin->joints[j]) ? j : FACET_NONE;
}

static facet_status copy_bytes(const facet_j3d_builder *b, const void *from, size_t count,
                               size_t size, void *to)
{
    void *copy = facet_j3d_builder_scratch(b, count, size);
    if (!copy)
        return facet_j3d_builder_no_memory(b);
    if (count > 0)
        memcpy(copy, from, count * size);
    memcpy(to, &copy, sizeof copy);
    return FACET_OK;
}

/* Exchange two joints in a copy of a mesh. */
static facet_status exchange_in_mesh(const facet_j3d_builder *b, uint16_t x, uint16_t y,
                                     facet_mesh **mesh)
{
    TRY(copy_bytes(b, *mesh, 1, sizeof **mesh, mesh));
    TRY(copy_bytes(b, (*mesh)->streams, (*mesh)->stream_count, sizeof *(*mesh)->streams,
                   &(*mesh)->streams));
    for (uint32_t s = 0; s < (*mesh)->stream_count; s++) {
        facet_stream *stream = &(*mesh)->streams[s];
        size_t count = (size_t)stream->count * stream->components;
        if (stream->semantic != FACET_JOINTS)
            continue;
        TRY(copy_bytes(b, stream->data, count, sizeof(uint16_t), &stream->data));
        uint16_t *joints = stream->data;
        for (size_t i = 0; i < count; i++)
            joints[i] = joints[i] == x ? y : joints[i] == y ? x : joints[i];
    }
    return FACET_OK;
}

/* Move a joint to the end of a skin, in copies of the skin and its meshes. *done stays false if
 * another skin has one of the meshes. */
static facet_status move_to_end(const facet_j3d_builder *b, facet_scene *made, uint32_t index,
                                uint32_t joint, bool *done)
{
    facet_skin *skin = made->skins[index];
    uint32_t last = skin->joint_count - 1;
    bool *is_own = facet_j3d_builder_scratch(b, made->mesh_count, sizeof *is_own);
    if (!is_own)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < made->node_count; i++) {
        const facet_node *node = made->nodes[i];
        if (node->mesh != FACET_NONE && node->skin == index)
            is_own[node->mesh] = true;
    }
    for (uint32_t i = 0; i < made->node_count; i++) {
        const facet_node *node = made->nodes[i];
        if (node->mesh != FACET_NONE && is_own[node->mesh] && node->skin != index)
            return FACET_OK;
    }
    TRY(copy_bytes(b, skin->joints, skin->joint_count, sizeof *skin->joints, &skin->joints));
    uint32_t bone = skin->joints[joint];
    skin->joints[joint] = skin->joints[last];
    skin->joints[last] = bone;
    if (skin->inverse_bind) {
        float bind[16];
        TRY(copy_bytes(b, skin->inverse_bind, skin->joint_count, sizeof bind, &skin->inverse_bind));
        memcpy(bind, skin->inverse_bind + (size_t)joint * 16, sizeof bind);
        memcpy(skin->inverse_bind + (size_t)joint * 16, skin->inverse_bind + (size_t)last * 16,
               sizeof bind);
        memcpy(skin->inverse_bind + (size_t)last * 16, bind, sizeof bind);
    }
    TRY(copy_bytes(b, made->meshes, made->mesh_count, sizeof *made->meshes, &made->meshes));
    for (uint32_t m = 0; m < made->mesh_count; m++) {
        if (is_own[m])
            TRY(exchange_in_mesh(b, (uint16_t)joint, (uint16_t)last, &made->meshes[m]));
    }
    *done = true;
    return FACET_OK;
}

facet_status facet_j3d_drop_neutral_bones(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    facet_scene *made = NULL;
    if (is_of_original(b))
        return FACET_OK;
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        uint32_t joint = find_neutral(scene, scene->skins[i]);
        if (joint == FACET_NONE)
            continue;
        if (!made) {
            TRY(copy_bytes(b, scene, 1, sizeof *made, &made));
            TRY(copy_bytes(b, scene->skins, scene->skin_count, sizeof *made->skins, &made->skins));
            b->is_neutral = facet_j3d_builder_scratch(b, scene->node_count, sizeof *b->is_neutral);
            if (!b->is_neutral)
                return facet_j3d_builder_no_memory(b);
        }
        TRY(copy_bytes(b, scene->skins[i], 1, sizeof **made->skins, &made->skins[i]));
        bool is_last = joint + 1 == scene->skins[i]->joint_count;
        if (!is_last)
            TRY(move_to_end(b, made, i, joint, &is_last));
        if (!is_last)
            continue;
        made->skins[i]->joint_count--;
        b->is_neutral[scene->skins[i]->joints[joint]] = true;
    }
    if (made)
        b->scene = made;
    return FACET_OK;
}
