/* formats/j3d/patch/joints.c - joints of the original, in its order and with its transforms, then
 * new bones. */
#include "formats/j3d/patch/like.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <string.h>

enum { SKELETON = 1 };

/* -- Selection of joints ------------------------------------------------ */

static void find_joints_above(facet_j3d_builder *b, const uint32_t *order)
{
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        uint32_t node = order[i], parent = b->scene->nodes[node]->parent;
        b->joint_node_above[node] = parent == FACET_NONE || b->joint_of_node[parent] != FACET_NONE
                                        ? parent
                                        : b->joint_node_above[parent];
    }
}

static facet_status take_names(facet_j3d_builder *b)
{
    size_t lost = 0;
    for (uint32_t i = 0; i < b->like->joint_count; i++) {
        if (!b->like->is_renamed[i])
            continue;
        const char *name = b->scene->nodes[b->node_of_joint[i]]->name;
        facet_quoted quoted;
        TRY(facet_j3d_builder_name(b, name, &b->document->joints.names.items[i], &lost));
        facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-JOINT", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "joint %" PRIu32 " is called '%s' now", i,
                         facet_quote(&quoted, name, strlen(name)));
    }
    facet_j3d_builder_report_names(b, "joint", lost);
    return FACET_OK;
}

static void take_known(facet_j3d_builder *b)
{
    const facet_j3d_joints *from = &b->like->document->joints;
    facet_j3d_joints *to = &b->document->joints;
    static const facet_j3d_name none = {.bytes = ""};
    for (uint32_t i = 0; i < b->like->joint_count; i++) {
        to->items[i] = from->items[i];
        to->remap[i] = from->remap[i];
        to->names.items[i] = i < from->names.count ? from->names.items[i] : none;
        b->node_of_joint[i] = FACET_NONE;
    }
    for (uint32_t i = 0; i < b->scene->node_count; i++) {
        if (b->joint_of_node[i] < b->like->joint_count)
            b->node_of_joint[b->joint_of_node[i]] = i;
    }
}

/* Add a joint for each new bone. Without another parent, its parent is the root. */
static facet_status add_new(facet_j3d_builder *b)
{
    facet_j3d_joints *joints = &b->document->joints;
    size_t lost = 0;
    facet_status status = FACET_OK;
    uint32_t root = 0;
    while (root + 1 < b->like->joint_count && joints->items[root].parent != FACET_J3D_NONE)
        root++;
    for (uint32_t i = 0; i < b->scene->node_count && !status; i++) {
        uint32_t joint = b->joint_of_node[i], above = facet_j3d_joint_above(b, i);
        if (joint == FACET_NONE || joint < b->like->joint_count)
            continue;
        joints->items[joint].kind = SKELETON;
        joints->items[joint].parent = (uint16_t)(above == FACET_NONE ? root : above);
        joints->remap[joint] = (uint16_t)joint;
        b->node_of_joint[joint] = i;
        status =
            facet_j3d_builder_name(b, b->scene->nodes[i]->name, &joints->names.items[joint], &lost);
        facet_quoted quoted;
        facet_report_add(
            facet_j3d_builder_report(b), "J3D-LIKE-JOINT", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
            "the bone '%s' is new: it becomes joint %" PRIu32,
            facet_quote(&quoted, b->scene->nodes[i]->name, strlen(b->scene->nodes[i]->name)),
            joint);
    }
    facet_j3d_builder_report_names(b, "joint", lost);
    return status;
}

facet_status facet_j3d_like_choose_joints(facet_j3d_builder *b, const uint32_t *order,
                                          const bool *in_skin)
{
    uint32_t count = b->like->joint_count;
    facet_status status = facet_j3d_like_match_bones(b, order, in_skin);
    for (uint32_t i = 0; i < b->scene->node_count && !status; i++) {
        uint32_t node = order[i];
        b->joint_of_node[node] = b->like->joint_of_node[node];
        if (b->joint_of_node[node] == FACET_NONE && in_skin[node] && b->seen[node])
            b->joint_of_node[node] = count++;
    }
    if (!status)
        status =
            facet_j3d_builder_make_joints(b, count, "joints", "remove bones that move nothing");
    if (status)
        return status;
    find_joints_above(b, order);
    take_known(b);
    TRY(take_names(b));
    b->is_j3d = true;
    return add_new(b);
}

/* -- Transforms --------------------------------------------------------- */

void facet_j3d_like_copy_transforms(facet_j3d_builder *b)
{
    b->document->hierarchy.flags = b->like->document->hierarchy.flags;
    b->document->layout.generation_a = b->like->document->layout.generation_a;
    memcpy(b->joint_place, b->like->skeleton.globals,
           b->like->joint_count * sizeof *b->joint_place);
}
