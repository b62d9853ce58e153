/* formats/iqm/view.c - a checked view of the bytes of an IQM. Depends only on base's bytes.h,
 * size.h and error.h. Written in the common subset of C99 and C++11, because it is also shipped as
 * a single header. */
#include "formats/iqm/view.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const facet_iqm_section_info facet_iqm_section_infos[FACET_IQM_SECTION_COUNT] = {
    {"text", 28, 32, 1, 1, false},
    {"meshes", 36, 40, FACET_IQM_MESH_SIZE, FACET_IQM_MESH_SIZE, false},
    {"vertex arrays", 44, 52, FACET_IQM_ARRAY_SIZE, FACET_IQM_ARRAY_SIZE, false},
    {"triangles", 56, 60, 12, 12, false},
    {"adjacency", 56, 64, 12, 12, true},
    {"joints", 68, 72, FACET_IQM_JOINT_SIZE, 44, false},
    {"poses", 76, 80, FACET_IQM_POSE_SIZE, 80, false},
    {"animations", 84, 88, FACET_IQM_ANIMATION_SIZE, FACET_IQM_ANIMATION_SIZE, false},
    {"frames", 92, 100, 0, 0, false},
    {"bounds", 92, 104, FACET_IQM_BOUNDS_SIZE, FACET_IQM_BOUNDS_SIZE, true},
    {"comment", 108, 112, 1, 1, false},
    {"extensions", 116, 120, FACET_IQM_EXTENSION_SIZE, FACET_IQM_EXTENSION_SIZE, false},
};

uint32_t facet_iqm_channels_of(uint32_t mask)
{
    uint32_t count = 0, bit;
    for (bit = 0; bit < FACET_IQM_CHANNELS; bit++)
        count += mask >> bit & 1;
    return count;
}

float facet_iqm_rotation_w(const float xyz[3])
{
    double rest = 1 - (double)xyz[0] * (double)xyz[0] - (double)xyz[1] * (double)xyz[1] -
                  (double)xyz[2] * (double)xyz[2];
    return rest > 0 ? (float)-sqrt(rest) : -0.0F;
}

/* -- Header ------------------------------------------------------------- */

#define MAGIC_SIZE 16

/* Fill *error and return the rule's id. */
static const char *fault(facet_error *error, const char *rule, uint64_t offset, const char *format,
                         ...) FACET_PRINTF(4, 5);

static const char *fault(facet_error *error, const char *rule, uint64_t offset, const char *format,
                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, FACET_ERROR_MALFORMED, rule, offset, 0, format, arguments);
    va_end(arguments);
    return rule;
}

static const char *check_beginning(const uint8_t *data, size_t size, facet_error *error)
{
    static const char magic[] = "INTERQUAKEMODEL";
    if (size >= MAGIC_SIZE && memcmp(data, magic, MAGIC_SIZE) != 0) {
        facet_quoted quoted;
        return fault(error, "IQM-MAGIC", 0,
                     "the file begins with \"%s\", expected \"%s\" and a NUL",
                     facet_quote(&quoted, (const char *)data, MAGIC_SIZE), magic);
    }
    if (size < FACET_IQM_HEADER_SIZE)
        return fault(error, "IQM-SIZE-HEADER", size,
                     "the file ends after %" PRIu64 " bytes, expected a header of %d",
                     (uint64_t)size, FACET_IQM_HEADER_SIZE);
    return NULL;
}

const char *facet_iqm_parse_header(const uint8_t *data, size_t size, facet_iqm_layout *layout,
                                   facet_error *error)
{
    const char *rule = check_beginning(data, size, error);
    int i;
    if (rule)
        return rule;
    memset(layout, 0, sizeof *layout);
    layout->data = data;
    layout->size = size;
    layout->version = facet_load_u32le(data + FACET_IQM_AT_VERSION);
    layout->file_size = facet_load_u32le(data + FACET_IQM_AT_FILE_SIZE);
    layout->flags = facet_load_u32le(data + FACET_IQM_AT_FLAGS);
    layout->vertex_count = facet_load_u32le(data + FACET_IQM_AT_VERTICES);
    layout->channel_count = facet_load_u32le(data + FACET_IQM_AT_CHANNELS);
    if (layout->version != 1 && layout->version != 2)
        return fault(error, "IQM-VERSION", FACET_IQM_AT_VERSION,
                     "the version is %" PRIu32 ", expected 1 or 2", layout->version);
    for (i = 0; i < FACET_IQM_SECTION_COUNT; i++) {
        const facet_iqm_section_info *info = &facet_iqm_section_infos[i];
        layout->record_size[i] = layout->version == 1 ? info->record_size_1 : info->record_size;
        layout->offset[i] = facet_load_u32le(data + info->offset_at);
    }
    return NULL;
}

const char *facet_iqm_locate(facet_iqm_layout *layout, facet_iqm_section section,
                             facet_error *error)
{
    const facet_iqm_section_info *info = &facet_iqm_section_infos[section];
    uint32_t count = facet_load_u32le(layout->data + info->count_at);
    uint32_t offset = layout->offset[section];
    uint64_t size =
        info->record_size ? layout->record_size[section] : 2 * (uint64_t)layout->channel_count;
    layout->count[section] = 0;
    layout->raw[section] = NULL;
    if (count == 0 || size == 0 || (info->optional && offset == 0)) {
        /* Frames without channels have a count, but no bytes. */
        if (section == FACET_IQM_FRAMES)
            layout->count[section] = count;
        return NULL;
    }
    if (offset < FACET_IQM_HEADER_SIZE)
        return fault(error, "IQM-SECTION-IN-HEADER", info->offset_at,
                     "the offset of the %s is %" PRIu32 ", inside the header of %d bytes",
                     info->name, offset, FACET_IQM_HEADER_SIZE);
    /* Extensions are a linked list: the header only has the offset of the first. */
    if (!facet_range_fits(offset, section == FACET_IQM_EXTENSIONS ? 1 : count, size, layout->size))
        return fault(error, "IQM-SECTION-BOUNDS", info->offset_at,
                     "the %s (%" PRIu32 " of %" PRIu64 " bytes, at offset %" PRIu32
                     ") do not fit into the file's %" PRIu64 " bytes",
                     info->name, count, size, offset, (uint64_t)layout->size);
    layout->record_size[section] = (uint32_t)size;
    layout->count[section] = count;
    layout->raw[section] = layout->data + offset;
    return NULL;
}

facet_status facet_iqm_view(const uint8_t *data, size_t size, facet_iqm_layout *layout,
                            facet_error *error)
{
    facet_iqm_layout found;
    int section;
    if (facet_iqm_parse_header(data, size, &found, error))
        return FACET_ERROR_MALFORMED;
    for (section = 0; section < FACET_IQM_SECTION_COUNT; section++) {
        if (facet_iqm_locate(&found, (facet_iqm_section)section, error))
            return FACET_ERROR_MALFORMED;
    }
    *layout = found;
    return FACET_OK;
}

/* -- Records ------------------------------------------------------------ */

static void load_floats(const uint8_t *from, float *to, int count)
{
    int i;
    for (i = 0; i < count; i++)
        to[i] = facet_load_f32le(from + 4 * i);
}

void facet_iqm_load_mesh(const facet_iqm_layout *layout, uint32_t index, facet_iqm_mesh *mesh)
{
    const uint8_t *record = facet_iqm_record(layout, FACET_IQM_MESHES, index);
    mesh->name = facet_load_u32le(record);
    mesh->material = facet_load_u32le(record + 4);
    mesh->first_vertex = facet_load_u32le(record + 8);
    mesh->vertex_count = facet_load_u32le(record + 12);
    mesh->first_triangle = facet_load_u32le(record + 16);
    mesh->triangle_count = facet_load_u32le(record + 20);
}

void facet_iqm_load_array(const facet_iqm_layout *layout, uint32_t index, facet_iqm_array *array)
{
    const uint8_t *record = facet_iqm_record(layout, FACET_IQM_ARRAYS, index);
    uint32_t component;
    array->type = facet_load_u32le(record);
    array->flags = facet_load_u32le(record + 4);
    array->format = facet_load_u32le(record + 8);
    array->size = facet_load_u32le(record + 12);
    array->offset = facet_load_u32le(record + 16);
    array->data = NULL;
    component = facet_iqm_component_size(array->format);
    /* A size larger than the file does not fit, and must not overflow the product. */
    if (component > 0 && array->size > 0 && array->size <= layout->size &&
        facet_range_fits(array->offset, layout->vertex_count, (uint64_t)component * array->size,
                         layout->size))
        array->data = layout->data + array->offset;
}

bool facet_iqm_find_array(const facet_iqm_layout *layout, uint32_t type, facet_iqm_array *array)
{
    uint32_t i;
    for (i = 0; i < layout->count[FACET_IQM_ARRAYS]; i++) {
        facet_iqm_load_array(layout, i, array);
        if (array->type == type)
            return true;
    }
    return false;
}

void facet_iqm_load_joint(const facet_iqm_layout *layout, uint32_t index, facet_iqm_joint *joint)
{
    const uint8_t *record = facet_iqm_record(layout, FACET_IQM_JOINTS, index);
    int rotation = layout->version == 1 ? 3 : 4;
    joint->name = facet_load_u32le(record);
    joint->parent = facet_load_i32le(record + 4);
    load_floats(record + 8, joint->translation, 3);
    load_floats(record + 20, joint->rotation, rotation);
    if (rotation == 3)
        joint->rotation[3] = facet_iqm_rotation_w(joint->rotation);
    load_floats(record + 20 + 4 * rotation, joint->scale, 3);
}

/* Version 1 has no channel 6. */
static void insert_rotation_w(facet_iqm_pose *pose)
{
    memmove(pose->offset + 7, pose->offset + 6, 3 * sizeof(float));
    memmove(pose->scale + 7, pose->scale + 6, 3 * sizeof(float));
    pose->offset[6] = facet_iqm_rotation_w(pose->offset + 3);
    pose->scale[6] = 0;
    pose->mask = (pose->mask & 0x3F) | (pose->mask & 0x1C0) << 1;
}

void facet_iqm_load_pose(const facet_iqm_layout *layout, uint32_t index, facet_iqm_pose *pose)
{
    const uint8_t *record = facet_iqm_record(layout, FACET_IQM_POSES, index);
    int channels = layout->version == 1 ? 9 : FACET_IQM_CHANNELS;
    pose->parent = facet_load_i32le(record);
    pose->mask = facet_load_u32le(record + 4);
    load_floats(record + 8, pose->offset, channels);
    load_floats(record + 8 + 4 * channels, pose->scale, channels);
    if (layout->version == 1)
        insert_rotation_w(pose);
}

void facet_iqm_load_animation(const facet_iqm_layout *layout, uint32_t index,
                              facet_iqm_animation *animation)
{
    const uint8_t *record = facet_iqm_record(layout, FACET_IQM_ANIMATIONS, index);
    animation->name = facet_load_u32le(record);
    animation->first_frame = facet_load_u32le(record + 4);
    animation->frame_count = facet_load_u32le(record + 8);
    animation->rate = facet_load_f32le(record + 12);
    animation->flags = facet_load_u32le(record + 16);
}

void facet_iqm_load_bounds(const facet_iqm_layout *layout, uint32_t index, facet_iqm_bounds *bounds)
{
    const uint8_t *record = facet_iqm_record(layout, FACET_IQM_BOUNDS, index);
    load_floats(record, bounds->minimum, 3);
    load_floats(record + 12, bounds->maximum, 3);
    bounds->xy_radius = facet_load_f32le(record + 24);
    bounds->radius = facet_load_f32le(record + 28);
}

bool facet_iqm_next_extension(const facet_iqm_layout *layout, uint32_t *offset,
                              facet_iqm_extension *extension)
{
    const uint8_t *record;
    if (*offset < FACET_IQM_HEADER_SIZE ||
        !facet_range_fits(*offset, 1, FACET_IQM_EXTENSION_SIZE, layout->size))
        return false;
    record = layout->data + *offset;
    extension->offset = *offset;
    extension->name = facet_load_u32le(record);
    extension->size = facet_load_u32le(record + 4);
    extension->data_offset = facet_load_u32le(record + 8);
    extension->data = NULL;
    if (facet_range_fits(extension->data_offset, extension->size, 1, layout->size))
        extension->data = layout->data + extension->data_offset;
    *offset = facet_load_u32le(record + 12);
    return true;
}

const char *facet_iqm_text(const facet_iqm_layout *layout, uint32_t offset)
{
    const char *text = (const char *)layout->raw[FACET_IQM_TEXT];
    uint32_t size = layout->count[FACET_IQM_TEXT];
    /* The text usually ends with NUL: then a name costs no search. */
    if (offset >= size || (text[size - 1] && !memchr(text + offset, 0, size - offset)))
        return NULL;
    return text + offset;
}

/* -- Components --------------------------------------------------------- */

static double half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 0    ? ldexp(fraction, -24)
                   : exponent == 31 ? (fraction ? (double)facet_float_of_bits(0x7FC00000U)
                                                : (double)facet_float_of_bits(0x7F800000U))
                                    : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -value : value;
}

static inline double load_component(const uint8_t *data, uint32_t format, bool normalized)
{
    /* The largest integer of each format; 1 for floats. */
    static const double largest[] = {127, 255, 32767, 65535, 2147483647, 4294967295.0};
    double value = 0;
    switch (format) {
    case FACET_IQM_INT8:
        value = (int8_t)data[0];
        break;
    case FACET_IQM_UINT8:
        value = data[0];
        break;
    case FACET_IQM_INT16:
        value = (int16_t)facet_load_u16le(data);
        break;
    case FACET_IQM_UINT16:
        value = facet_load_u16le(data);
        break;
    case FACET_IQM_INT32:
        value = facet_load_i32le(data);
        break;
    case FACET_IQM_UINT32:
        value = facet_load_u32le(data);
        break;
    case FACET_IQM_FLOAT16:
        return half(facet_load_u16le(data));
    case FACET_IQM_FLOAT32:
        return (double)facet_load_f32le(data);
    default:
        return facet_load_f64le(data);
    }
    if (normalized)
        value /= largest[format];
    return normalized && value < -1 ? -1 : value;
}

double facet_iqm_component(const uint8_t *data, uint32_t format, bool normalized)
{
    return load_component(data, format, normalized);
}

/* One loop per format, so that the loop has no branch on the format. */
#define LOAD_ALL(constant)                                                  \
    case constant:                                                          \
        for (i = 0; i < count; i++)                                         \
            out[i] = load_component(data + i * size, constant, normalized); \
        break

void facet_iqm_components(const uint8_t *data, uint32_t format, bool normalized, double *out,
                          size_t count)
{
    const size_t size = facet_iqm_component_size(format);
    size_t i;
    switch (format) {
        LOAD_ALL(FACET_IQM_INT8);
        LOAD_ALL(FACET_IQM_UINT8);
        LOAD_ALL(FACET_IQM_INT16);
        LOAD_ALL(FACET_IQM_UINT16);
        LOAD_ALL(FACET_IQM_INT32);
        LOAD_ALL(FACET_IQM_UINT32);
        LOAD_ALL(FACET_IQM_FLOAT16);
        LOAD_ALL(FACET_IQM_FLOAT32);
    default:
        for (i = 0; i < count; i++)
            out[i] = facet_load_f64le(data + i * size);
    }
}

/* -- Contents ----------------------------------------------------------- */

size_t facet_iqm_find_outside(const uint8_t *raw, size_t count, uint32_t first, uint32_t length)
{
    /* Check whole blocks first, without branches; then the block with an invalid index, one by
     * one. */
    const size_t block = 1024;
    size_t i = 0;
    while (count - i >= block) {
        uint32_t outside = 0;
        size_t end = i + block, k;
        for (k = i; k < end; k++)
            outside |= (uint32_t)(facet_load_u32le(raw + 4 * k) - first >= length);
        if (outside)
            break;
        i = end;
    }
    while (i < count && facet_load_u32le(raw + 4 * i) - first < length)
        i++;
    return i;
}

static facet_status verify_indices(const facet_iqm_layout *layout, facet_iqm_section section,
                                   uint32_t limit, const char *rule, const char *target,
                                   facet_error *error)
{
    const uint8_t *raw = layout->raw[section];
    size_t count = (size_t)layout->count[section] * 3;
    /* A neighbor can be FACET_NONE, which is the number before 0. */
    uint32_t extra = section == FACET_IQM_ADJACENCY ? 1 : 0;
    size_t bad = facet_iqm_find_outside(raw, count, 0 - extra, limit + extra);
    if (bad == count)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, rule,
                      layout->offset[section] + (uint64_t)bad * 4,
                      "triangle %" PRIu64 " of the %s has index %" PRIu32
                      ", expected 0 to below the %" PRIu32 " %s",
                      (uint64_t)(bad / 3), facet_iqm_section_infos[section].name,
                      facet_load_u32le(raw + 4 * bad), limit, target);
}

/* Verify a name. `at` is the offset of the reference in record `index` of a kind. */
static facet_status verify_name(const facet_iqm_layout *layout, uint32_t name, uint64_t at,
                                const char *owner, uint32_t index, facet_error *error)
{
    /* In a file without text, offset 0 is the empty name. */
    if (facet_iqm_text(layout, name) || (name == 0 && layout->count[FACET_IQM_TEXT] == 0))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-NAME", at,
                      "the name of %s %" PRIu32 " is at offset %" PRIu32
                      " of the text, expected a string that ends within its %" PRIu32 " bytes",
                      owner, index, name, layout->count[FACET_IQM_TEXT]);
}

static facet_status verify_range(uint32_t first, uint32_t count, uint32_t total, const char *rule,
                                 uint64_t at, const char *owner, uint32_t index, const char *items,
                                 facet_error *error)
{
    if (facet_range_fits(first, count, 1, total))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, rule, at,
                      "%s %" PRIu32 " has %" PRIu32 " %s from %" PRIu32
                      ", expected a range of the %" PRIu32 " of the file",
                      owner, index, count, items, first, total);
}

static facet_status verify_meshes(const facet_iqm_layout *layout, facet_error *error)
{
    uint32_t i;
    for (i = 0; i < layout->count[FACET_IQM_MESHES]; i++) {
        uint64_t at = facet_iqm_record_offset(layout, FACET_IQM_MESHES, i);
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(layout, i, &mesh);
        TRY(verify_name(layout, mesh.name, at, "mesh", i, error));
        TRY(verify_name(layout, mesh.material, at + 4, "the material of mesh", i, error));
        TRY(verify_range(mesh.first_vertex, mesh.vertex_count, layout->vertex_count,
                         "IQM-MESH-RANGE", at + 8, "mesh", i, "vertices", error));
        TRY(verify_range(mesh.first_triangle, mesh.triangle_count,
                         layout->count[FACET_IQM_TRIANGLES], "IQM-MESH-RANGE", at + 16, "mesh", i,
                         "triangles", error));
    }
    return FACET_OK;
}

static facet_status verify_arrays(const facet_iqm_layout *layout, facet_error *error)
{
    uint32_t i;
    for (i = 0; i < layout->count[FACET_IQM_ARRAYS]; i++) {
        uint64_t at = facet_iqm_record_offset(layout, FACET_IQM_ARRAYS, i);
        facet_iqm_array array;
        facet_iqm_load_array(layout, i, &array);
        if (facet_iqm_component_size(array.format) == 0 || array.size == 0)
            return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-ARRAY-FORMAT", at + 8,
                              "vertex array %" PRIu32 " has format %" PRIu32 " and %" PRIu32
                              " components, expected a format of 0 to 8 and at least 1 component",
                              i, array.format, array.size);
        if (!array.data || (array.offset < FACET_IQM_HEADER_SIZE && layout->vertex_count > 0))
            return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-ARRAY-BOUNDS", at + 16,
                              "vertex array %" PRIu32 " of %" PRIu32 " vertices with %" PRIu32
                              " components at offset %" PRIu32
                              " is not between the header and the file's end at %" PRIu64,
                              i, layout->vertex_count, array.size, array.offset,
                              (uint64_t)layout->size);
        if (array.type >= FACET_IQM_CUSTOM)
            TRY(verify_name(layout, array.type - FACET_IQM_CUSTOM, at, "custom vertex array", i,
                            error));
    }
    return FACET_OK;
}

static facet_status verify_joints(const facet_iqm_layout *layout, facet_error *error)
{
    uint32_t i;
    for (i = 0; i < layout->count[FACET_IQM_JOINTS]; i++) {
        uint64_t at = facet_iqm_record_offset(layout, FACET_IQM_JOINTS, i);
        facet_iqm_joint joint;
        facet_iqm_load_joint(layout, i, &joint);
        TRY(verify_name(layout, joint.name, at, "joint", i, error));
        if (joint.parent >= 0 && (uint32_t)joint.parent >= i)
            return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-JOINT-PARENT", at + 4,
                              "joint %" PRIu32 " has joint %" PRId32
                              " as parent, expected one before it, or a number below 0",
                              i, joint.parent);
    }
    return FACET_OK;
}

static facet_status verify_poses(const facet_iqm_layout *layout, facet_error *error)
{
    uint64_t channels = 0;
    uint32_t i;
    for (i = 0; i < layout->count[FACET_IQM_POSES]; i++) {
        uint64_t at = facet_iqm_record_offset(layout, FACET_IQM_POSES, i);
        facet_iqm_pose pose;
        facet_iqm_load_pose(layout, i, &pose);
        channels += facet_iqm_channels_of(pose.mask);
        if (pose.parent >= 0 && (uint32_t)pose.parent >= i)
            return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-JOINT-PARENT", at,
                              "pose %" PRIu32 " has pose %" PRId32
                              " as parent, expected one before it, or a number below 0",
                              i, pose.parent);
    }
    if (layout->count[FACET_IQM_FRAMES] > 0 && channels > layout->channel_count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-POSE-CHANNELS", FACET_IQM_AT_CHANNELS,
                          "the masks of the poses need %" PRIu64
                          " numbers of each frame, but a frame has %" PRIu32,
                          channels, layout->channel_count);
    return FACET_OK;
}

static facet_status verify_animations(const facet_iqm_layout *layout, facet_error *error)
{
    uint32_t i;
    for (i = 0; i < layout->count[FACET_IQM_ANIMATIONS]; i++) {
        uint64_t at = facet_iqm_record_offset(layout, FACET_IQM_ANIMATIONS, i);
        facet_iqm_animation animation;
        facet_iqm_load_animation(layout, i, &animation);
        TRY(verify_name(layout, animation.name, at, "animation", i, error));
        TRY(verify_range(animation.first_frame, animation.frame_count,
                         layout->count[FACET_IQM_FRAMES], "IQM-ANIMATION-RANGE", at + 4,
                         "animation", i, "frames", error));
    }
    return FACET_OK;
}

/* Verify the list of extensions: it has the header's number of records, and their data together fit
 * into the file. So a cyclic list cannot produce more data than the file has. */
static facet_status verify_extensions(const facet_iqm_layout *layout, facet_error *error)
{
    uint32_t offset = layout->offset[FACET_IQM_EXTENSIONS], i;
    uint64_t total = 0, link = FACET_IQM_AT_EXTENSIONS; /* where the record's offset is stored */
    for (i = 0; i < layout->count[FACET_IQM_EXTENSIONS]; i++) {
        facet_iqm_extension extension;
        uint32_t at = offset;
        if (!facet_iqm_next_extension(layout, &offset, &extension))
            return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-EXTENSION", link,
                              "the record of extension %" PRIu32 " of %" PRIu32
                              " is at offset %" PRIu32 ", expected %d bytes after the header, in "
                              "the file's %zu",
                              i, layout->count[FACET_IQM_EXTENSIONS], at, FACET_IQM_EXTENSION_SIZE,
                              layout->size);
        if (!extension.data)
            return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-EXTENSION", (uint64_t)at + 4,
                              "the %" PRIu32 " bytes of extension %" PRIu32 " at offset %" PRIu32
                              " do not fit into the file's %zu",
                              extension.size, i, extension.data_offset, layout->size);
        total += FACET_IQM_EXTENSION_SIZE + (uint64_t)extension.size;
        if (total > layout->size)
            return facet_fail(error, FACET_ERROR_MALFORMED, "IQM-EXTENSION", at,
                              "extensions 0 to %" PRIu32 " have %" PRIu64
                              " bytes, more than the file's %zu: their list is a circle, or their "
                              "data overlaps",
                              i, total, layout->size);
        TRY(verify_name(layout, extension.name, at, "extension", i, error));
        link = (uint64_t)at + 12;
    }
    return FACET_OK;
}

/* Block size for the check that indexes refer to joints. */
#define BLOCK_INDEXES 256

static bool names_no_joint(const uint8_t *at, uint32_t format, size_t count, uint32_t joints)
{
    double values[BLOCK_INDEXES];
    const double limit = joints;
    uint32_t beyond = 0;
    size_t i;
    if (format == FACET_IQM_UINT8) { /* the usual case, several at a time */
        for (i = 0; i < count; i++)
            beyond |= (uint32_t)(at[i] >= joints);
        return beyond != 0;
    }
    facet_iqm_components(at, format, false, values, count);
    for (i = 0; i < count; i++)
        beyond |= (uint32_t) !((values[i] >= 0) & (values[i] < limit));
    return beyond != 0;
}

/* Number of vertices from the first one whose indexes are all in range, by blocks: stops at a block
 * with an invalid one. */
static uint32_t count_vertices_in_range(const facet_iqm_layout *layout,
                                        const facet_iqm_array *indexes, uint32_t joints)
{
    const uint64_t total = (uint64_t)layout->vertex_count * indexes->size;
    const uint32_t component = facet_iqm_component_size(indexes->format);
    const uint8_t *at = (const uint8_t *)indexes->data;
    uint64_t first;
    for (first = 0; first < total; first += BLOCK_INDEXES) {
        size_t count = total - first < BLOCK_INDEXES ? (size_t)(total - first) : BLOCK_INDEXES;
        if (names_no_joint(at + first * component, indexes->format, count, joints))
            return (uint32_t)(first / indexes->size);
    }
    return layout->vertex_count;
}

/* Verify blend indexes where the weight is not 0. */
static facet_status verify_blends(const facet_iqm_layout *layout, facet_error *error)
{
    facet_iqm_array indexes, weights;
    uint32_t component, joints = layout->count[FACET_IQM_JOINTS], v, k;
    const uint8_t *at;
    bool weighted;
    memset(&weights, 0, sizeof weights);
    if (joints == 0 || !facet_iqm_find_array(layout, FACET_IQM_BLEND_INDEXES, &indexes))
        return FACET_OK;
    weighted = facet_iqm_find_array(layout, FACET_IQM_BLEND_WEIGHTS, &weights);
    component = facet_iqm_component_size(indexes.format);
    at = (const uint8_t *)indexes.data;
    v = count_vertices_in_range(layout, &indexes, joints);
    at += (size_t)v * indexes.size * component;
    for (; v < layout->vertex_count; v++) {
        for (k = 0; k < indexes.size; k++, at += component) {
            double index = facet_iqm_component(at, indexes.format, false);
            const uint8_t *weight;
            if (index >= 0 && index < joints)
                continue;
            weight = weighted && k < weights.size ? (const uint8_t *)weights.data +
                                                        ((size_t)v * weights.size + k) *
                                                            facet_iqm_component_size(weights.format)
                                                  : NULL;
            if (weighted && (!weight || facet_iqm_component(weight, weights.format, false) == 0))
                continue;
            return facet_fail(
                error, FACET_ERROR_MALFORMED, "IQM-BLEND-RANGE", (uint64_t)(at - layout->data),
                "vertex %" PRIu32 " follows joint %g, expected 0 to below the %" PRIu32 " joints",
                v, index, joints);
        }
    }
    return FACET_OK;
}

static facet_status verify_triangles(const facet_iqm_layout *layout, facet_error *error)
{
    return verify_indices(layout, FACET_IQM_TRIANGLES, layout->vertex_count, "IQM-TRIANGLE-RANGE",
                          "vertices", error);
}

static facet_status verify_adjacency(const facet_iqm_layout *layout, facet_error *error)
{
    return verify_indices(layout, FACET_IQM_ADJACENCY, layout->count[FACET_IQM_TRIANGLES],
                          "IQM-ADJACENCY-RANGE", "triangles", error);
}

const facet_iqm_part facet_iqm_parts[FACET_IQM_PART_COUNT] = {
    {verify_meshes}, {verify_arrays},     {verify_triangles},  {verify_adjacency}, {verify_joints},
    {verify_poses},  {verify_animations}, {verify_extensions}, {verify_blends}};

facet_status facet_iqm_verify(facet_iqm_layout *layout, facet_error *error)
{
    int part;
    layout->verified = false;
    for (part = 0; part < FACET_IQM_PART_COUNT; part++)
        TRY(facet_iqm_parts[part].verify(layout, error));
    layout->verified = true;
    return FACET_OK;
}

/* -- Access ------------------------------------------------------------- */

/* Bytes of the struct that facet_iqm_get fills in for a record; 0: the section has none. */
static size_t struct_size(facet_iqm_section section)
{
    switch (section) {
    case FACET_IQM_MESHES:
        return sizeof(facet_iqm_mesh);
    case FACET_IQM_ARRAYS:
        return sizeof(facet_iqm_array);
    case FACET_IQM_JOINTS:
        return sizeof(facet_iqm_joint);
    case FACET_IQM_POSES:
        return sizeof(facet_iqm_pose);
    case FACET_IQM_ANIMATIONS:
        return sizeof(facet_iqm_animation);
    case FACET_IQM_BOUNDS:
        return sizeof(facet_iqm_bounds);
    default:
        return 0;
    }
}

static facet_status expect_record(const facet_iqm_layout *layout, facet_iqm_section section,
                                  uint32_t index, size_t size, facet_error *error)
{
    const size_t expected = struct_size(section);
    const char *name = (unsigned)section < FACET_IQM_SECTION_COUNT
                           ? facet_iqm_section_infos[section].name
                           : "unknown section";
    if (size == 0 || size != expected)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "a record of the %s is read to %zu bytes, expected %zu", name, size,
                          expected);
    if (!layout->verified)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the %s are read before facet_iqm_verify", name);
    if (index >= layout->count[section])
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "record %" PRIu32 " of the %s is read, but there are %" PRIu32, index,
                          name, layout->count[section]);
    return FACET_OK;
}

facet_status facet_iqm_get(const facet_iqm_layout *layout, facet_iqm_section section,
                           uint32_t index, void *record, size_t size, facet_error *error)
{
    TRY(expect_record(layout, section, index, size, error));
    switch (section) {
    case FACET_IQM_MESHES:
        facet_iqm_load_mesh(layout, index, (facet_iqm_mesh *)record);
        break;
    case FACET_IQM_ARRAYS:
        facet_iqm_load_array(layout, index, (facet_iqm_array *)record);
        break;
    case FACET_IQM_JOINTS:
        facet_iqm_load_joint(layout, index, (facet_iqm_joint *)record);
        break;
    case FACET_IQM_POSES:
        facet_iqm_load_pose(layout, index, (facet_iqm_pose *)record);
        break;
    case FACET_IQM_ANIMATIONS:
        facet_iqm_load_animation(layout, index, (facet_iqm_animation *)record);
        break;
    default:
        facet_iqm_load_bounds(layout, index, (facet_iqm_bounds *)record);
    }
    return FACET_OK;
}

const uint32_t *facet_iqm_indices(const facet_iqm_layout *layout, facet_iqm_section section)
{
    bool is_index = section == FACET_IQM_TRIANGLES || section == FACET_IQM_ADJACENCY;
    if (!is_index || !layout->verified || FACET_HOST_IS_BIG_ENDIAN ||
        (uintptr_t)layout->raw[section] % 4 != 0)
        return NULL;
    return (const uint32_t *)layout->raw[section];
}
