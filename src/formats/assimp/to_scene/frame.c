/* formats/assimp/to_scene/frame.c - axes and unit of the scene, and the file's importer and writer,
 * from assimp's metadata. */
#include "base/error.h"
#include "formats/assimp/file/calls.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const struct aiMetadataEntry *entry_of(const struct aiMetadata *metadata, const char *key)
{
    for (uint32_t i = 0; metadata && i < metadata->mNumProperties; i++) {
        if (strcmp(metadata->mKeys[i].data, key) == 0 && metadata->mValues[i].mData)
            return &metadata->mValues[i];
    }
    return NULL;
}

/* An integer of the metadata; false if it is missing. */
static bool integer_of(const struct aiMetadata *metadata, const char *key, int32_t *value)
{
    const struct aiMetadataEntry *entry = entry_of(metadata, key);
    if (entry && entry->mType == AI_INT32)
        memcpy(value, entry->mData, sizeof *value);
    return entry && entry->mType == AI_INT32;
}

static bool has_motion(const facet_assimp_reader *r)
{
    bool any = r->from->mNumAnimations > 0;
    for (uint32_t i = 0; i < r->from->mNumMeshes; i++)
        any |= r->from->mMeshes[i]->mNumBones > 0;
    return any;
}

/* The axes of an FBX, per direction (right, up, front): the axis, and its sign. */
typedef struct fbx_axes {
    int32_t axis[3], sign[3];
} fbx_axes;

/* Turn the root to +Y up, +X right. Joints keep their local axes, which other files refer to,
 * because the rotation is above them. */
static void turn_root(facet_assimp_reader *r, const fbx_axes *axes)
{
    facet_node *root = r->scene->nodes[0];
    float turn[16] = {0}, own[16], made[16];
    for (int row = 0; row < 3; row++)
        turn[axes->axis[row] * 4 + row] = axes->sign[row] < 0 ? -1 : 1;
    turn[15] = 1;
    facet_matrix_of_node(root, own);
    facet_matrix_multiply(turn, own, made);
    root->has_matrix = !facet_assimp_decompose(made, &root->transform);
    memcpy(root->matrix, made, sizeof made);
}

/* True if the three directions have different axes of the file. */
static bool read_axes(const struct aiMetadata *metadata, fbx_axes *axes)
{
    static const char *const keys[3] = {"CoordAxis", "UpAxis", "FrontAxis"};
    static const char *const sign_keys[3] = {"CoordAxisSign", "UpAxisSign", "FrontAxisSign"};
    uint32_t seen = 0;
    for (int i = 0; i < 3; i++) {
        if (!integer_of(metadata, keys[i], &axes->axis[i]) ||
            !integer_of(metadata, sign_keys[i], &axes->sign[i]) || axes->axis[i] < 0 ||
            axes->axis[i] > 2)
            return false;
        seen |= 1U << axes->axis[i];
    }
    return seen == 7;
}

/* Set the axes of the scene from an FBX, whose numbers assimp does not convert. `up` and
 * `left_handed` express right axes of +X (-Y if +X is up); others turn the root. */
static void read_fbx_axes(facet_assimp_reader *r, const struct aiMetadata *metadata)
{
    static const facet_axis up[3] = {FACET_AXIS_X, FACET_AXIS_Y, FACET_AXIS_Z};
    fbx_axes axes;
    if (!read_axes(metadata, &axes) || r->scene->node_count == 0) {
        facet_report_add(r->report, "ASSIMP-AXES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the file's axes for right, up and front are not three different axes; "
                         "+X, +Y and +Z are used");
        return;
    }
    bool even = (axes.axis[0] + 1) % 3 == axes.axis[1];
    bool positive = ((axes.sign[0] < 0) + (axes.sign[1] < 0) + (axes.sign[2] < 0)) % 2 == 0;
    bool x_up = axes.axis[1] == 0;
    bool plain = axes.sign[1] > 0 && axes.axis[0] == x_up && (axes.sign[0] < 0) == x_up;
    r->scene->axes.left_handed = even != positive;
    if (plain && (axes.axis[1] == 1 || even != positive || !has_motion(r))) {
        r->scene->axes.up = up[axes.axis[1]];
        return;
    }
    if (even != positive) /* a rotation to the left-handed axes +X, +Y and -Z */
        axes.sign[2] = axes.sign[2] < 0 ? 1 : -1;
    turn_root(r, &axes);
}

static void read_fbx_unit(facet_assimp_reader *r, const struct aiMetadata *metadata)
{
    const struct aiMetadataEntry *unit = entry_of(metadata, "UnitScaleFactor");
    float narrow = 0;
    double wide = 0;
    if (unit && unit->mType == AI_FLOAT) {
        memcpy(&narrow, unit->mData, sizeof narrow);
        wide = (double)narrow;
    } else if (unit && unit->mType == AI_DOUBLE) {
        memcpy(&wide, unit->mData, sizeof wide);
    }
    if (isfinite(wide) && wide > 0)
        r->scene->axes.unit = wide / 100; /* the factor converts to centimeters */
}

/* A text of the metadata, "" if it is missing. */
static const char *text_of(const struct aiMetadata *metadata, const char *key)
{
    const struct aiMetadataEntry *entry = entry_of(metadata, key);
    return entry && entry->mType == AI_AISTRING ? ((const struct aiString *)entry->mData)->data
                                                : "";
}

const char *facet_assimp_importer(const struct aiScene *from)
{
    return text_of(from->mMetaData, "SourceAsset_Format");
}

bool facet_assimp_is_dae(const struct aiScene *from)
{
    return strncmp(facet_assimp_importer(from), "Collada", 7) == 0;
}

const char *facet_assimp_generator(const struct aiScene *from)
{
    return text_of(from->mMetaData, "SourceAsset_Generator");
}

/* The unit of a 3MF in meters, from the name of the material that file/scan_3mf.c adds; else 0. */
static double unit_of_3mf(const struct aiScene *from)
{
    static const struct {
        const char *name;
        double meters;
    } units[] = {{"micron", 1e-6}, {"millimeter", 1e-3}, {"centimeter", 1e-2},
                 {"inch", 0.0254}, {"foot", 0.3048},     {"meter", 1}};
    struct aiString text;
    memset(&text, 0, sizeof text);
    if (from->mNumMaterials > 0)
        aiGetMaterialString(from->mMaterials[0], AI_MATKEY_NAME, &text);
    const char *unit = strstr(text.data, FACET_ASSIMP_NO_MATERIAL);
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit + strlen(FACET_ASSIMP_NO_MATERIAL), units[i].name) == 0)
            return units[i].meters;
    }
    return 0;
}

static bool has_unit_length(const struct aiMatrix4x4 *m)
{
    float square = m->a1 * m->a1 + m->b1 * m->b1 + m->c1 * m->c1;
    return fabsf(square - 1) < 1e-5F;
}

void facet_assimp_frame_to_scene(facet_assimp_reader *r)
{
    const struct aiMetadata *metadata = r->from->mMetaData;
    const char *name = facet_assimp_importer(r->from);
    if (r->is_fbx) {
        read_fbx_axes(r, metadata);
        read_fbx_unit(r, metadata);
    } else if (strncmp(name, "Blender", 7) == 0) {
        r->scene->axes.up = FACET_AXIS_Z;
        r->scene->axes.unit = 1;
    } else if (strncasecmp(name, "3mf", 3) == 0) { /* 3MF core specification, 3.3 */
        r->scene->axes.up = FACET_AXIS_Z;
        r->scene->axes.unit = unit_of_3mf(r->from);
    } else if (strncmp(name, "Collada", 7) == 0) {
        /* assimp converts unit and axes with the root's matrix. A meter is COLLADA's default, which
         * programs write unintentionally, except Blender and Facet: such a file has no known unit.
         */
        const char *tool = facet_assimp_generator(r->from);
        bool meant = strncmp(tool, "Blender", 7) == 0 || strcmp(tool, FACET_ASSIMP_TOOL) == 0;
        r->scene->axes.unit =
            meant || !has_unit_length(&r->from->mRootNode->mTransformation) ? 1 : 0;
    }
}
