/* formats/ply/from_scene.c - a scene to a PLY document. */
#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/ply/ply.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct making {
    const facet_scene *scene;
    const facet_mesh *mesh; /* NULL: no mesh */
    facet_report *report;
    facet_error *error;
    facet_ply *ply;
    uint32_t *texture_of; /* per material: its index among the textures, or FACET_NONE */
} making;

static facet_status no_memory(const making *m)
{
    return facet_fail_arena(m->ply->arena, m->error);
}

static facet_ply_property *add_property(facet_ply_element *element, const char *name,
                                        facet_ply_type type, const void *data, size_t stride)
{
    facet_ply_property *p = &element->properties[element->property_count++];
    *p = (facet_ply_property){
        .name = name, .type = type, .length = 1, .data = data, .stride = stride};
    return p;
}

/* Append an element, with space for `count` properties. */
static facet_status add_element(making *m, const char *name, uint32_t count, uint32_t properties,
                                facet_ply_element **element)
{
    facet_ply_element *made = &m->ply->elements[m->ply->element_count++];
    *made = (facet_ply_element){.name = name, .count = count};
    made->properties = facet_arena_allocate(m->ply->arena, properties, sizeof *made->properties);
    *element = made;
    return made->properties ? FACET_OK : no_memory(m);
}

/* -- Vertices ----------------------------------------------------------- */

/* Numbers of a stream in PLY's axes: its own data if the axes are equal. */
static facet_status turn(const making *m, const facet_stream *stream, const float **values)
{
    const facet_axes *axes = &m->scene->axes;
    bool is_texcoord = stream->semantic == FACET_TEXCOORD;
    bool changes = is_texcoord ? facet_axes_flips_v(axes, false) : facet_axes_is_turned(axes);
    *values = stream->data;
    if (!changes)
        return FACET_OK;
    uint32_t width = stream->components;
    float *turned = facet_arena_allocate(m->ply->arena, stream->count, width * sizeof *turned);
    if (!turned)
        return no_memory(m);
    memcpy(turned, stream->data, (size_t)stream->count * width * sizeof *turned);
    for (size_t i = 0; i < stream->count; i++) {
        if (is_texcoord)
            turned[i * width + 1] = 1 - turned[i * width + 1];
        else
            facet_axes_turn(axes, turned + i * width);
    }
    *values = turned;
    return FACET_OK;
}

static facet_status add_floats(const making *m, facet_ply_element *vertex,
                               const facet_stream *stream, const char *const *names,
                               uint32_t name_count)
{
    const float *values = NULL;
    facet_status status = turn(m, stream, &values);
    for (uint32_t i = 0; i < name_count && !status; i++)
        add_property(vertex, names[i], FACET_PLY_FLOAT32, values + i,
                     stream->components * sizeof *values);
    return status;
}

/* Add colors as sRGB bytes: few programs read other types. */
static facet_status add_colors(const making *m, facet_ply_element *vertex,
                               const facet_stream *stream)
{
    static const char *const names[4] = {"red", "green", "blue", "alpha"};
    size_t count = (size_t)stream->count * stream->components;
    uint8_t *bytes = facet_arena_allocate(m->ply->arena, count, 1);
    if (!bytes)
        return no_memory(m);
    const float *values = stream->data;
    facet_tally rounded = {0}, cut = {0};
    for (size_t i = 0; i < count; i++) {
        bool is_alpha = i % stream->components == 3;
        float value = 255 * (is_alpha ? values[i] : (float)facet_srgb_encode((double)values[i]));
        float whole = value >= 255 ? 255 : value > 0 ? floorf(value + 0.5F) : 0;
        bytes[i] = (uint8_t)whole;
        if (!(values[i] >= 0 && values[i] <= 1))
            facet_tally_hit(&cut, i / stream->components);
        else if (!(fabsf(value - whole) < 1e-3F))
            facet_tally_hit(&rounded, i / stream->components);
    }
    for (uint32_t i = 0; i < stream->components; i++)
        add_property(vertex, names[i], FACET_PLY_UINT8, bytes + i, stream->components);
    facet_report_add_tally(m->report, "LOSS-PRECISION", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &rounded, "the color of vertex %" PRIu64 " is rounded to bytes",
                           rounded.first);
    facet_report_add_tally(m->report, "LOSS-COLORS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &cut,
                           "the color of vertex %" PRIu64 " is not within 0 to 1, and is clamped",
                           cut.first);
    return FACET_OK;
}

static bool is_word(const char *name)
{
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c <= ' ' || *c == 0x7F)
            return false;
    }
    return *name != '\0';
}

/* Add a custom stream of one component, if its name is a valid word and not used yet. */
static bool add_custom(facet_ply_element *vertex, const facet_stream *stream)
{
    static const facet_ply_type types[] = {
        [FACET_FLOAT32] = FACET_PLY_FLOAT32, [FACET_FLOAT64] = FACET_PLY_FLOAT64,
        [FACET_INT8] = FACET_PLY_INT8,       [FACET_UINT8] = FACET_PLY_UINT8,
        [FACET_INT16] = FACET_PLY_INT16,     [FACET_UINT16] = FACET_PLY_UINT16,
        [FACET_INT32] = FACET_PLY_INT32,     [FACET_UINT32] = FACET_PLY_UINT32};
    if (stream->components != 1 || !is_word(stream->name) || facet_ply_find(vertex, stream->name))
        return false;
    add_property(vertex, stream->name, types[stream->component], stream->data,
                 facet_component_size(stream->component));
    return true;
}

static facet_status add_stream(const making *m, facet_ply_element *vertex,
                               const facet_stream *stream, bool *lost)
{
    static const char *const position[] = {"x", "y", "z"}, *const normal[] = {"nx", "ny", "nz"};
    static const char *const texcoord[] = {"s", "t"};
    *lost = stream->set > 0;
    if (*lost)
        return FACET_OK;
    switch (stream->semantic) {
    case FACET_POSITION:
        return add_floats(m, vertex, stream, position, 3);
    case FACET_NORMAL:
        return add_floats(m, vertex, stream, normal, 3);
    case FACET_TEXCOORD:
        *lost = stream->components > 2;
        return add_floats(m, vertex, stream, texcoord, 2);
    case FACET_COLOR:
        return add_colors(m, vertex, stream);
    case FACET_CUSTOM:
        *lost = !add_custom(vertex, stream);
        return FACET_OK;
    default:
        *lost = true;
        return FACET_OK;
    }
}

static facet_status add_vertices(making *m)
{
    const facet_mesh *mesh = m->mesh;
    facet_ply_element *vertex = NULL;
    uint32_t streams = mesh ? mesh->stream_count : 0;
    facet_lost_streams lost = {0};
    facet_status status = add_element(m, "vertex", streams > 0 ? mesh->streams[0].count : 0,
                                      streams * 4 + 3, &vertex);
    /* Custom streams come last, so that none takes the name of another property. */
    for (uint32_t i = 0; i < 2 * streams && !status; i++) {
        const facet_stream *stream = &mesh->streams[i % streams];
        bool is_lost = false;
        if ((stream->semantic == FACET_CUSTOM) != (i >= streams))
            continue;
        status = add_stream(m, vertex, stream, &is_lost);
        if (is_lost)
            facet_lost_streams_add(&lost, stream);
    }
    for (int i = 0; i < 3 && streams == 0 && !status; i++) {
        static const char *const names[] = {"x", "y", "z"};
        add_property(vertex, names[i], FACET_PLY_FLOAT32, NULL, sizeof(float));
    }
    facet_lost_streams_report(&lost, "PLY", m->report);
    return status;
}

/* -- Faces -------------------------------------------------------------- */

static facet_status add_indices(making *m, facet_ply_element *face)
{
    const facet_mesh *mesh = m->mesh;
    uint32_t longest = mesh && !mesh->face_offsets ? 3 : 0;
    for (uint32_t i = 0; mesh && mesh->face_offsets && i < mesh->face_count; i++) {
        uint32_t length = facet_face_end(mesh, i) - facet_face_begin(mesh, i);
        longest = length > longest ? length : longest;
    }
    const uint32_t *indices = mesh && mesh->stream_count > 0 ? mesh->streams[0].indices : NULL;
    if (indices && m->scene->axes.left_handed) {
        /* A mirrored face needs the opposite winding. */
        uint32_t *turned = facet_arena_allocate(m->ply->arena, mesh->corner_count, sizeof *turned);
        if (!turned)
            return no_memory(m);
        for (uint32_t i = 0; i < mesh->face_count; i++) {
            uint32_t begin = facet_face_begin(mesh, i), end = facet_face_end(mesh, i);
            for (uint32_t k = begin; k < end; k++)
                turned[k] = indices[begin + (end - 1 - k)];
        }
        indices = turned;
    }
    bool wide = mesh && mesh->stream_count > 0 && mesh->streams[0].count > INT32_MAX;
    facet_ply_property *p =
        add_property(face, "vertex_indices", wide ? FACET_PLY_UINT32 : FACET_PLY_INT32, indices,
                     3 * sizeof *indices);
    p->is_list = true;
    p->count_type = longest <= UINT8_MAX    ? FACET_PLY_UINT8
                    : longest <= UINT16_MAX ? FACET_PLY_UINT16
                                            : FACET_PLY_UINT32;
    p->length = 3;
    p->offsets = mesh ? mesh->face_offsets : NULL;
    return FACET_OK;
}

/* Add the index of each face's texture; -1 without a texture. */
static facet_status add_texture_numbers(making *m, facet_ply_element *face)
{
    const facet_mesh *mesh = m->mesh;
    int32_t *numbers = facet_arena_allocate(m->ply->arena, mesh->face_count, sizeof *numbers);
    if (!numbers)
        return no_memory(m);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        uint32_t material = mesh->face_materials[i];
        uint32_t texture = material == FACET_NONE ? FACET_NONE : m->texture_of[material];
        numbers[i] = texture == FACET_NONE ? -1 : (int32_t)texture;
    }
    add_property(face, "texnumber", FACET_PLY_INT32, numbers, sizeof *numbers);
    return FACET_OK;
}

static facet_status add_faces(making *m)
{
    facet_ply_element *face = NULL;
    facet_status status = add_element(m, "face", m->mesh ? m->mesh->face_count : 0, 2, &face);
    if (!status)
        status = add_indices(m, face);
    if (!status && m->texture_of && m->mesh->face_materials)
        status = add_texture_numbers(m, face);
    return status;
}

static facet_status add_edges(making *m)
{
    facet_ply_element *edge = NULL;
    if (!m->mesh || m->mesh->line_count == 0)
        return FACET_OK;
    TRY(add_element(m, "edge", m->mesh->line_count, 2, &edge));
    add_property(edge, "vertex1", FACET_PLY_INT32, m->mesh->lines, 2 * sizeof(uint32_t));
    add_property(edge, "vertex2", FACET_PLY_INT32, m->mesh->lines + 1, 2 * sizeof(uint32_t));
    return FACET_OK;
}

/* -- Textures ----------------------------------------------------------- */

static const char *texture_path(const facet_material *material)
{
    const facet_texture *color = material->maps[FACET_MAP_DIFFUSE];
    return color && *color->path ? color->path : NULL;
}

/* True if a material has more than a color texture. */
static bool loses_values(const facet_material *material)
{
    facet_material rest = *material;
    rest.maps[FACET_MAP_DIFFUSE] = NULL;
    return !texture_path(material) || !facet_material_is_plain(&rest);
}

/* True if a texture has more than its path and the first texture coordinates. */
static bool loses_settings(const facet_texture *texture)
{
    return texture->has_transform || texture->wrap_u || texture->wrap_v ||
           facet_filter_is_nearest(texture->magnify) || facet_filter_is_nearest(texture->minify) ||
           texture->uv_set > 0;
}

/* True if the path of a texture does not contain the material's name. */
static bool loses_name(const facet_material *material, const char *path)
{
    size_t length = strlen(material->name), whole = strlen(path);
    return length > whole || strcmp(path + (whole - length), material->name) != 0;
}

static facet_status add_comments(making *m)
{
    const facet_scene *scene = m->scene;
    facet_ply *ply = m->ply;
    ply->comments =
        facet_arena_allocate(ply->arena, (size_t)scene->material_count + 1, sizeof *ply->comments);
    uint32_t *texture_of =
        facet_arena_allocate(ply->arena, scene->material_count, sizeof *texture_of);
    if (!ply->comments || !texture_of)
        return no_memory(m);
    ply->comments[ply->comment_count++] = "facet";
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const char *path = texture_path(scene->materials[i]);
        texture_of[i] = FACET_NONE;
        if (!path)
            continue;
        char *comment = facet_arena_format(ply->arena, "TextureFile %s", path);
        if (!comment)
            return no_memory(m);
        for (char *c = comment; *c; c++)
            *c = *c == '\r' || *c == '\n' ? ' ' : *c;
        texture_of[i] = ply->comment_count - 1;
        ply->comments[ply->comment_count++] = comment;
    }
    m->texture_of = ply->comment_count > 1 && m->mesh ? texture_of : NULL;
    return FACET_OK;
}

/* -- Losses ------------------------------------------------------------- */

static const facet_capacity capacity = {
    "PLY",
    FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_MESH_NAMES | FACET_LACKS_SKINS |
        FACET_LACKS_PART_NAMES | FACET_LACKS_CAMERAS | FACET_LACKS_HULLS | FACET_LACKS_OCCLUDER |
        FACET_LACKS_ANIMATIONS | FACET_LACKS_IMAGES | FACET_LACKS_EXTRAS,
    UINT8_MAX,
    UINT8_MAX,
    UINT8_MAX,
    0,
    0,
    true,
    true}; /* losses of other streams are reported one by one */

/* Number of vertices that become points because the PLY has neither faces nor edges. */
static facet_status count_added_points(const making *m, uint64_t *count)
{
    const facet_mesh *mesh = m->mesh;
    *count = 0;
    if (!mesh || mesh->stream_count == 0 || mesh->face_count > 0 || mesh->line_count > 0)
        return FACET_OK;
    uint32_t vertices = mesh->streams[0].count;
    bool *is_point = facet_arena_allocate_zeroed(m->ply->arena, vertices, sizeof *is_point);
    if (!is_point)
        return no_memory(m);
    for (uint32_t i = 0; i < mesh->point_count; i++)
        is_point[mesh->points[i]] = true;
    for (uint32_t i = 0; i < vertices; i++)
        *count += !is_point[i];
    facet_arena_release(m->ply->arena, is_point, vertices, sizeof *is_point);
    return FACET_OK;
}

static facet_status report_losses(const making *m)
{
    uint64_t added = 0;
    TRY(count_added_points(m, &added));
    const facet_scene *scene = m->scene;
    facet_tally materials = {0}, settings = {0}, names = {0};
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const facet_material *material = scene->materials[i];
        const char *path = texture_path(material);
        if (loses_values(material))
            facet_tally_hit(&materials, i);
        else if (loses_name(material, path))
            facet_tally_hit(&names, i);
        if (path && loses_settings(material->maps[FACET_MAP_DIFFUSE]))
            facet_tally_hit(&settings, i);
    }
    facet_report_add_tally(
        m->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &materials,
        "PLY cannot hold materials; only the names of their textures are written");
    facet_report_add_tally(m->report, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &settings,
                           "PLY cannot hold the transform, wrap, filter or texture coordinate set "
                           "of a texture");
    facet_report_add_tally(m->report, "LOSS-NAMES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &names,
                           "PLY cannot hold names of materials");
    facet_tally points = {0};
    if (m->mesh && (m->mesh->face_count > 0 || m->mesh->line_count > 0))
        points.count = m->mesh->point_count;
    facet_report_add_tally(m->report, "LOSS-POINTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &points, "PLY cannot hold points next to faces or edges");
    points = (facet_tally){.count = added};
    facet_report_add_tally(m->report, "LOSS-POINTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &points,
                           "a vertex that is not a point becomes one: without faces and edges, all "
                           "vertices of a PLY are points");
    facet_scene_report_losses(scene, &capacity, m->report);
    return FACET_OK;
}

/* -- The conversion ---------------------------------------------------- */

static facet_status make(making *m)
{
    const facet_scene *scene = m->scene;
    if (scene->mesh_count > 1 || scene->node_count > 0 ||
        (scene->mesh_count == 1 && !facet_mesh_is_indexed(scene->meshes[0])))
        return facet_fail(m->error, FACET_ERROR_ARGUMENT, "PLY-NEEDS", FACET_NO_OFFSET,
                          "PLY needs one mesh with one index for all streams, and no nodes");
    m->mesh = scene->mesh_count == 1 ? scene->meshes[0] : NULL;
    m->ply->elements = facet_arena_allocate(m->ply->arena, 3, sizeof *m->ply->elements);
    if (!m->ply->elements)
        return no_memory(m);
    facet_status status = add_comments(m);
    if (!status)
        status = add_vertices(m);
    if (!status)
        status = add_faces(m);
    if (!status)
        status = add_edges(m);
    return status ? status : report_losses(m);
}

facet_status facet_ply_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_ply **document, facet_error *error)
{
    making m = {.scene = scene, .report = options ? options->report : NULL, .error = error};
    TRY(facet_ply_create(options, &m.ply, error));
    facet_status status = make(&m);
    if (status) {
        facet_ply_free(m.ply);
        return status;
    }
    *document = m.ply;
    return FACET_OK;
}
