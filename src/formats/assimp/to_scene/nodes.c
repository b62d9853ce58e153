/* formats/assimp/to_scene/nodes.c - nodes; their metadata becomes extras. */
#include "base/error.h"
#include "formats/assimp/to_scene/pivots.h"
#include "formats/assimp/to_scene/to_scene.h"

#include <math.h>
#include <string.h>

/* -- Metadata ----------------------------------------------------------- */

static facet_json *object_of(facet_assimp_reader *r, const struct aiMetadata *metadata, int depth);

static facet_json *value_of(facet_assimp_reader *r, const struct aiMetadataEntry *entry, int depth)
{
    float narrow;
    double wide;
    int32_t integer;
    uint64_t natural;
    switch (entry->mType) {
    case AI_BOOL:
        return facet_json_boolean(*(const char *)entry->mData != 0);
    case AI_INT32:
        memcpy(&integer, entry->mData, sizeof integer);
        return facet_assimp_json_number(r->scratch, integer);
    case AI_UINT64:
        memcpy(&natural, entry->mData, sizeof natural);
        return facet_assimp_json_number(r->scratch, (double)natural);
    case AI_FLOAT:
        memcpy(&narrow, entry->mData, sizeof narrow);
        return facet_assimp_json_number(r->scratch, (double)narrow);
    case AI_DOUBLE:
        memcpy(&wide, entry->mData, sizeof wide);
        return facet_assimp_json_number(r->scratch, wide);
    case AI_AISTRING: {
        const char *text = facet_assimp_text(r->scratch, entry->mData);
        return text ? facet_json_string_in(r->scratch, text) : NULL;
    }
    case AI_AIVECTOR3D: {
        const struct aiVector3D *vector = entry->mData;
        float numbers[3] = {vector->x, vector->y, vector->z};
        facet_json *list = facet_json_array_in(r->scratch);
        for (int i = 0; i < 3; i++)
            facet_json_append_in(r->scratch, list,
                                 facet_assimp_json_number(r->scratch, (double)numbers[i]));
        return list;
    }
    case AI_AIMETADATA:
        return object_of(r, entry->mData, depth + 1);
    default:
        return facet_json_null();
    }
}

/* True for metadata that assimp adds: the frame, which has been read, defaults, and numbers of
 * objects. They are not the author's data. */
static bool is_technical(const char *key, const struct aiMetadataEntry *entry)
{
    static const char *const keys[] = {"UpAxis",
                                       "UpAxisSign",
                                       "FrontAxis",
                                       "FrontAxisSign",
                                       "CoordAxis",
                                       "CoordAxisSign",
                                       "OriginalUpAxis",
                                       "OriginalUpAxisSign",
                                       "UnitScaleFactor",
                                       "OriginalUnitScaleFactor",
                                       "AmbientColor",
                                       "FrameRate",
                                       "TimeSpanStart",
                                       "TimeSpanStop",
                                       "CustomFrameRate",
                                       "SourceAsset_Format",
                                       "SourceAsset_FormatVersion",
                                       "SourceAsset_Generator",
                                       "IsNull",
                                       "DefaultAttributeIndex",
                                       "InheritType",
                                       "RotationActive",
                                       "Collada_id",
                                       "Collada_sid"};
    if (strcmp(key, "UserProperties") == 0 && entry->mType == AI_AISTRING)
        return ((const struct aiString *)entry->mData)->length == 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(key, keys[i]) == 0)
            return true;
    }
    return false;
}

/* Nested objects are followed to a depth that no exporter reaches. */
static facet_json *object_of(facet_assimp_reader *r, const struct aiMetadata *metadata, int depth)
{
    facet_json *object = facet_json_object_in(r->scratch);
    for (uint32_t i = 0; depth < 16 && i < metadata->mNumProperties; i++) {
        if (!metadata->mValues[i].mData)
            continue;
        const char *key = facet_assimp_text(r->scratch, &metadata->mKeys[i]);
        if (key && depth == 0 && is_technical(key, &metadata->mValues[i]))
            continue;
        facet_json *value = key ? value_of(r, &metadata->mValues[i], depth) : NULL;
        facet_json_set_in(r->scratch, object, key ? key : "", value);
    }
    return object;
}

facet_status facet_assimp_metadata_to_extras(facet_assimp_reader *r,
                                             const struct aiMetadata *metadata, const char **extras)
{
    if (!metadata || metadata->mNumProperties == 0)
        return FACET_OK;
    facet_json *object = object_of(r, metadata, 0);
    if (object && facet_json_is_complete(object) && facet_json_object_size(object) == 0)
        return FACET_OK;
    *extras = facet_assimp_print_json(r->scene->arena, object);
    return *extras ? FACET_OK : facet_assimp_no_memory(r->error, metadata->mNumProperties, 1);
}

/* -- Transforms --------------------------------------------------------- */

/* Divide a matrix by its last element, as points are after it. No scene has a projection. */
static void make_affine(const facet_assimp_reader *r, float m[16])
{
    float w = m[15];
    if (m[3] != 0 || m[7] != 0 || m[11] != 0) {
        facet_report_add(r->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the matrix of a node projects: its fourth row is left out");
        m[3] = m[7] = m[11] = 0;
    }
    for (int i = 0; i < 16 && w != 1 && w != 0 && isfinite(w); i++)
        m[i] /= w;
    m[15] = 1;
}

void facet_assimp_set_place(const facet_assimp_reader *r, const float matrix[16], bool animated,
                            facet_node *node)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float m[16];
    memcpy(m, matrix, sizeof m);
    make_affine(r, m);
    if (memcmp(m, identity, sizeof m) == 0)
        return;
    facet_transform transform = node->transform;
    bool whole = facet_assimp_decompose(m, &transform);
    /* Channels animate scale, rotation and translation, so an animated node must have these. */
    if (whole || animated) {
        if (!whole)
            facet_report_add(r->report, "ASSIMP-SHEAR", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "an animated node has a matrix that is not a product of translation, "
                             "rotation and scale");
        bool finite = true;
        for (int i = 0; i < 3; i++)
            finite &= isfinite(transform.translation[i]) && isfinite(transform.scale[i]);
        for (int i = 0; i < 4; i++)
            finite &= isfinite(transform.rotation[i]) != 0;
        if (finite)
            node->transform = transform;
        return;
    }
    node->has_matrix = true;
    memcpy(node->matrix, m, sizeof m);
}

static void read_transform(const facet_assimp_reader *r, const struct aiMatrix4x4 *from,
                           bool animated, facet_node *node)
{
    float m[16];
    facet_assimp_get_matrix(from, m);
    facet_assimp_set_place(r, m, animated, node);
}

/* -- Nodes -------------------------------------------------------------- */

/* Read the meshes of a node. The first group is its mesh; others are on child nodes. If the node
 * has a geometric transform, all are. */
static facet_status read_node_meshes(facet_assimp_reader *r, uint32_t place, uint32_t *seen)
{
    const struct aiNode *from = r->places[place].from;
    struct aiMatrix4x4 geometry;
    bool placed = facet_assimp_place_geometry(r, place, &geometry);
    for (uint32_t i = 0; i < from->mNumMeshes; i++) {
        uint32_t group = r->group_of[from->mMeshes[i]];
        if (seen[group] == place)
            continue;
        seen[group] = place;
        uint32_t mesh = r->groups[group].mesh;
        if (r->scene->nodes[place]->mesh == FACET_NONE && !placed) {
            r->scene->nodes[place]->mesh = mesh;
            continue;
        }
        facet_node *node = NULL;
        facet_status status =
            facet_scene_add_node(r->scene, r->scene->meshes[mesh]->name, &node, r->error);
        if (status)
            return status;
        node->parent = place;
        node->mesh = mesh;
        if (placed)
            read_transform(r, &geometry, false, node);
    }
    return FACET_OK;
}

/* True if the tree adds nothing to the meshes: each is shown once, at the origin, under its own
 * name. */
static bool tells_nothing(const facet_assimp_reader *r, uint32_t *shown)
{
    const struct aiScene *from = r->from;
    if (from->mNumAnimations > 0 || from->mNumCameras > 0 || from->mNumLights > 0)
        return false;
    for (uint32_t i = 0; i < r->place_count; i++) {
        const struct aiNode *node = r->places[i].from;
        struct aiMatrix4x4 one = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        const char *name = r->node_names[i];
        if (memcmp(&node->mTransformation, &one, sizeof one) != 0 || node->mMetaData)
            return false;
        bool made_up = *name == '\0' || *name == '<'; /* assimp's name, like "<STL_ROOT>" */
        for (uint32_t k = 0; k < node->mNumMeshes; k++) {
            const struct aiMesh *mesh = from->mMeshes[node->mMeshes[k]];
            if (shown[node->mMeshes[k]]++ > 0 || mesh->mNumBones > 0 ||
                (!made_up && strcmp(name, r->scene->meshes[r->group_of[node->mMeshes[k]]]->name)))
                return false;
        }
        if (!made_up && node->mNumMeshes == 0)
            return false;
    }
    for (uint32_t i = 0; i < from->mNumMeshes; i++) {
        if (shown[i] != 1)
            return false;
    }
    return true;
}

facet_status facet_assimp_nodes_to_scene(facet_assimp_reader *r)
{
    uint32_t *seen = facet_arena_allocate_zeroed(r->scratch, r->from->mNumMeshes, sizeof *seen);
    if (!seen)
        return facet_assimp_no_memory(r->error, r->from->mNumMeshes, sizeof *seen);
    if (tells_nothing(r, seen))
        return FACET_OK;
    memset(seen, 0xFF, r->from->mNumMeshes * sizeof *seen);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->place_count && !status; i++) {
        facet_node *node = NULL;
        TRY(facet_scene_add_node(r->scene, r->node_names[i], &node, r->error));
        node->parent = r->places[i].parent;
        struct aiMatrix4x4 matrix;
        facet_assimp_chain_matrix(&r->places[i], &matrix);
        read_transform(r, &matrix, r->animated[i], node);
        status = facet_assimp_metadata_to_extras(r, r->places[i].from->mMetaData, &node->extras);
    }
    for (uint32_t i = 0; i < r->place_count && !status; i++)
        status = read_node_meshes(r, i, seen);
    return status ? status : facet_assimp_cameras_to_scene(r);
}
