/* formats/j3d/scene/from_scene/neutral.c - removal of Blender's neutral bones. Its glTF exporter
 * binds vertices without weights to an extra bone, `neutral_bone`, next to the skeleton and last in
 * the skin. It is not a joint, so its vertices become vertices without weights again. */
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

static bool is_neutral(const facet_scene *scene, const facet_skin *skin)
{
    uint32_t last = skin->joint_count > 1 ? skin->joints[skin->joint_count - 1] : FACET_NONE;
    if (last == FACET_NONE || strcmp(scene->nodes[last]->name, neutral) != 0 ||
        scene->nodes[last]->mesh != FACET_NONE || is_moved(scene, last))
        return false;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->parent == last)
            return false;
    }
    uint32_t parent = scene->nodes[last]->parent;
    return parent == FACET_NONE || !has_joint(skin, parent);
}

facet_status facet_j3d_drop_neutral_bones(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    facet_scene *made = NULL;
    if (is_of_original(b))
        return FACET_OK;
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        if (!is_neutral(scene, scene->skins[i]))
            continue;
        if (!made) {
            made = facet_j3d_builder_scratch(b, 1, sizeof *made);
            facet_skin **skins = facet_j3d_builder_scratch(b, scene->skin_count, sizeof(void *));
            b->is_neutral = facet_j3d_builder_scratch(b, scene->node_count, sizeof *b->is_neutral);
            if (!made || !skins || !b->is_neutral)
                return facet_j3d_builder_no_memory(b);
            *made = *scene;
            made->skins = memcpy(skins, scene->skins, scene->skin_count * sizeof *skins);
        }
        made->skins[i] = facet_j3d_builder_scratch(b, 1, sizeof **made->skins);
        if (!made->skins[i])
            return facet_j3d_builder_no_memory(b);
        *made->skins[i] = *scene->skins[i];
        made->skins[i]->joint_count--;
        b->is_neutral[scene->skins[i]->joints[made->skins[i]->joint_count]] = true;
    }
    if (made)
        b->scene = made;
    return FACET_OK;
}
