/* formats/bga/from_scene.c - a scene to a document, by the names of docs/reference/formats/bga.md.
 * All meshes become one, in the buffers vertex, edge, triangle and face. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/bga/bga.h"
#include "formats/bga/document.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Limit for names of materials in comments, so that the header stays well below its limit. */
#define MAX_COMMENT_BYTES 32768

/* An attribute of the file: the streams of one semantic, set and name, in all meshes. */
typedef struct column {
    const facet_stream *first; /* the first stream with values */
    uint32_t components;       /* maximum over all meshes */
    const char *name;          /* name in the file */
    const char *buffer;        /* "vertex", or a separate buffer */
    facet_bga_type type;
    uint32_t repeat;
    bool is_signed;
    void *values; /* values of all vertices, tightly packed */
} column;

typedef struct writing {
    facet_arena *arena;
    const facet_scene *scene;
    facet_report *report;
    facet_error *error;
    facet_bga bga;
    column columns[FACET_BGA_MAX_ATTRIBUTES - 8];
    uint32_t column_count;
    uint32_t vertices, triangles, lines, points;
    bool has_materials;
    const char **comments;
    size_t comment_count;
} writing;

static facet_status no_memory(const writing *w)
{
    return facet_fail_arena(w->arena, w->error);
}

static void lose(const writing *w, const char *rule, const char *what, uint64_t count)
{
    if (count > 0)
        facet_report_add(w->report, rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "BGA cannot hold %s (%" PRIu64 ")", what, count);
}

/* -- Attributes -------------------------------------------------------- */

static uint32_t vertex_count(const facet_mesh *mesh)
{
    return mesh->stream_count > 0 ? mesh->streams[0].count : 0;
}

static facet_status count_all(writing *w)
{
    uint64_t vertices = 0, triangles = 0, lines = 0, points = 0;
    for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
        const facet_mesh *mesh = w->scene->meshes[i];
        if (!facet_mesh_is_triangles(mesh) || !facet_mesh_is_indexed(mesh))
            return facet_fail(
                w->error, FACET_ERROR_ARGUMENT, "BGA-NEEDS", FACET_NO_OFFSET,
                "BGA needs triangles with one index for all streams, which mesh %" PRIu32
                " does not have",
                i);
        vertices += vertex_count(mesh);
        triangles += mesh->face_count;
        lines += mesh->line_count;
        points += mesh->point_count;
        w->has_materials |= mesh->face_materials != NULL && w->scene->material_count > 0;
    }
    if (vertices >= FACET_NONE || triangles >= FACET_NONE / 3 || lines >= FACET_NONE / 2 ||
        points >= FACET_NONE)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "BGA-LIMIT", FACET_NO_OFFSET,
                          "%" PRIu64 " vertices and %" PRIu64
                          " triangles are more than 32-bit indices can count",
                          vertices, triangles);
    w->vertices = (uint32_t)vertices;
    w->triangles = (uint32_t)triangles;
    w->lines = (uint32_t)lines;
    w->points = (uint32_t)points;
    return FACET_OK;
}

/* -- Names and types ---------------------------------------------------- */

/* Name of a stream: "position", "uv1", or a custom name in characters that BGA allows. */
static const char *name_of(writing *w, const facet_stream *stream)
{
    static const char *const names[] = {"position", "normal", "tangent", "uv",
                                        "color",    "joints", "weights"};
    char set[16] = "";
    if (stream->semantic != FACET_CUSTOM) {
        if (stream->set > 0)
            snprintf(set, sizeof set, "%" PRIu32, stream->set);
        return facet_arena_format(w->arena, "%s%s", names[stream->semantic], set);
    }
    size_t length = strlen(stream->name);
    char *name = facet_arena_string(w->arena, length ? stream->name : "_", length ? length : 1);
    bool changed = length == 0;
    for (size_t i = 0; name && i < length; i++) {
        char c = name[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')
            continue;
        name[i] = '_';
        changed = true;
    }
    facet_quoted quoted;
    if (changed)
        facet_report_add(w->report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "stream '%s' is named '%.60s', because BGA's names take A-Z a-z 0-9 _",
                         facet_quote(&quoted, stream->name, length), name ? name : "");
    return name;
}

static void type_of(column *c)
{
    static const facet_bga_type whole[] = {
        [FACET_INT8] = FACET_BGA_INT8,   [FACET_UINT8] = FACET_BGA_UINT8,
        [FACET_INT16] = FACET_BGA_INT16, [FACET_UINT16] = FACET_BGA_UINT16,
        [FACET_INT32] = FACET_BGA_INT32, [FACET_UINT32] = FACET_BGA_UINT32,
    };
    static const facet_bga_type vectors[] = {FACET_BGA_FLOAT, FACET_BGA_VEC2, FACET_BGA_VEC3,
                                             FACET_BGA_VEC4};
    facet_component component = c->first->component;
    c->repeat = 1;
    if (component != FACET_FLOAT32 && component != FACET_FLOAT64) {
        c->type = whole[component];
        c->repeat = c->components;
        c->is_signed =
            component == FACET_INT8 || component == FACET_INT16 || component == FACET_INT32;
    } else if (c->components <= 4) {
        c->type = vectors[c->components - 1];
    } else if (c->components == 9 || c->components == 16) {
        c->type = c->components == 9 ? FACET_BGA_MAT3 : FACET_BGA_MAT4;
    } else {
        c->type = FACET_BGA_FLOAT;
        c->repeat = c->components;
    }
}

static size_t column_size(const column *c)
{
    return facet_bga_base_size(facet_bga_type_base(c->type)) * c->components;
}

/* -- Columns ------------------------------------------------------------ */

static bool is_morph(const facet_stream *stream)
{
    return stream->semantic == FACET_MORPH_POSITION || stream->semantic == FACET_MORPH_NORMAL ||
           stream->semantic == FACET_MORPH_TANGENT;
}

static bool belongs(const column *c, const facet_stream *stream)
{
    return c->first->semantic == stream->semantic && c->first->set == stream->set &&
           (stream->semantic != FACET_CUSTOM || (strcmp(c->first->name, stream->name) == 0 &&
                                                 c->first->component == stream->component &&
                                                 c->first->components == stream->components));
}

static const facet_stream *stream_of(const facet_mesh *mesh, const column *c)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (belongs(c, &mesh->streams[i]))
            return &mesh->streams[i];
    }
    return NULL;
}

static facet_status add_column(writing *w, const facet_stream *stream)
{
    for (uint32_t i = 0; i < w->column_count; i++) {
        column *c = &w->columns[i];
        if (!belongs(c, stream))
            continue;
        c->components = stream->components > c->components ? stream->components : c->components;
        return FACET_OK;
    }
    if (w->column_count == sizeof w->columns / sizeof *w->columns)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "BGA-LIMIT", FACET_NO_OFFSET,
                          "the meshes have more than %" PRIu32 " streams", w->column_count);
    column *made = &w->columns[w->column_count++];
    memset(made, 0, sizeof *made);
    made->first = stream;
    made->components = stream->components;
    return FACET_OK;
}

/* Give every column a unique name, a type and a buffer. Records of "vertex" must be multiples of
 * four bytes for GPUs, so columns that would change this get separate buffers. So do types that the
 * JavaScript parser cannot read. */
static facet_status name_columns(writing *w)
{
    for (uint32_t i = 0; i < w->column_count; i++) {
        column *c = &w->columns[i];
        c->name = name_of(w, c->first);
        for (uint32_t k = 0, number = 2; c->name && k < i; k++) {
            if (strcmp(w->columns[k].name, c->name) != 0)
                continue;
            c->name = facet_arena_format(w->arena, "%s_%" PRIu32, c->name, number++);
            k = UINT32_MAX; /* start again from the first column */
        }
        if (!c->name)
            return no_memory(w);
        type_of(c);
        c->buffer = "vertex";
        if (c->is_signed || column_size(c) % 4 != 0)
            c->buffer = facet_arena_format(w->arena, "vertex_%s", c->name);
        if (!c->buffer)
            return no_memory(w);
        if (c->first->component == FACET_FLOAT64)
            facet_report_add(w->report, "LOSS-PRECISION", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "attribute '%s' is written with 32 bits instead of 64", c->name);
    }
    return FACET_OK;
}

static facet_status find_columns(writing *w)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < w->scene->mesh_count && !status; i++) {
        const facet_mesh *mesh = w->scene->meshes[i];
        for (uint32_t k = 0; k < mesh->stream_count && !status; k++) {
            if (!is_morph(&mesh->streams[k]))
                status = add_column(w, &mesh->streams[k]);
        }
    }
    return status ? status : name_columns(w);
}

/* -- Values ------------------------------------------------------------- */

/* True if a column needs a change of axes: BGA has +Y up, right-handed, and v from the lower
 * edge. */
static bool is_turned(const writing *w, const column *c)
{
    const facet_axes *axes = &w->scene->axes;
    bool moved = facet_axes_is_turned(axes);
    switch (c->first->semantic) {
    case FACET_POSITION:
    case FACET_NORMAL:
        return moved;
    case FACET_TANGENT:
        return moved || facet_axes_flips_v(axes, false);
    case FACET_TEXCOORD:
        return facet_axes_flips_v(axes, false);
    default:
        return false;
    }
}

static void turn_values(const writing *w, const column *c)
{
    const facet_axes *axes = &w->scene->axes;
    bool negate = axes->left_handed != facet_axes_flips_v(axes, false);
    float *value = c->values;
    for (uint32_t i = 0; i < w->vertices; i++, value += c->components) {
        if (c->first->semantic == FACET_TEXCOORD)
            value[1] = 1 - value[1];
        else
            facet_axes_turn(axes, value);
        if (c->first->semantic == FACET_TANGENT && negate)
            value[3] = -value[3];
    }
}

/* Write `count` elements of a stream to `to`, or default values without a stream. */
static void copy_values(const column *c, const facet_stream *stream, uint32_t count, uint8_t *to)
{
    size_t size = column_size(c);
    uint32_t there = !stream ? 0 : stream->count < count ? stream->count : count;
    if (c->first->semantic == FACET_COLOR) {
        float *colors = (float *)(void *)to;
        for (size_t i = 0; i < (size_t)count * c->components; i++)
            colors[i] = 1;
    } else if (there < count || stream->components < c->components) {
        memset(to, 0, (size_t)count * size);
    }
    if (there == 0)
        return;
    if (stream->component == FACET_FLOAT64) {
        const double *from = stream->data;
        float *floats = (float *)(void *)to;
        for (size_t i = 0; i < (size_t)there * c->components; i++)
            floats[i] = (float)from[i];
    } else {
        size_t from_size = facet_stream_element_size(stream);
        facet_bga_copy_elements(to, size, stream->data, from_size, there, from_size);
    }
}

static facet_status fill_column(writing *w, column *c)
{
    const facet_scene *scene = w->scene;
    bool converts = is_turned(w, c) || c->first->component == FACET_FLOAT64;
    if (scene->mesh_count == 1 && c->first->count >= w->vertices && !converts) {
        c->values = c->first->data;
        return FACET_OK;
    }
    size_t size = column_size(c);
    uint8_t *at = facet_arena_allocate(w->arena, w->vertices, size);
    if (!at)
        return no_memory(w);
    c->values = at;
    uint64_t missing = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        uint32_t count = vertex_count(scene->meshes[i]);
        const facet_stream *stream = stream_of(scene->meshes[i], c);
        copy_values(c, stream, count, at);
        missing += !stream && count > 0;
        at += count * size;
    }
    if (missing > 0)
        facet_report_add(w->report, "BGA-FILLED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "attribute '%s' is filled with default values for %" PRIu64
                         " meshes without it",
                         c->name, missing);
    if (is_turned(w, c))
        turn_values(w, c);
    return FACET_OK;
}

/* -- Cells -------------------------------------------------------------- */

/* Number of cells: points have 1 corner, edges 2, triangles 3. */
static uint32_t cell_count(const writing *w, uint32_t corners)
{
    return corners == 1 ? w->points : corners == 2 ? w->lines : w->triangles;
}

static facet_ends cells_of(const facet_mesh *mesh, uint32_t corners)
{
    if (corners < 3)
        return facet_mesh_ends(mesh, corners == 2 ? 0 : 1);
    return (facet_ends){mesh->stream_count > 0 ? mesh->streams[0].indices : NULL,
                        mesh->corner_count};
}

/* Indices of all meshes, in 16 bits if there are at most 65,535 vertices. This excludes the index
 * 0xFFFF, which restarts strips in WebGL 2. */
static facet_status make_indices(writing *w, uint32_t corners, const void **indices,
                                 facet_bga_type *type)
{
    const facet_scene *scene = w->scene;
    size_t total = (size_t)cell_count(w, corners) * corners, done = 0;
    bool narrow = w->vertices <= 65535, mirrored = corners == 3 && scene->axes.left_handed;
    *type = narrow ? FACET_BGA_UINT16 : FACET_BGA_UINT32;
    if (!narrow && !mirrored && scene->mesh_count == 1) {
        *indices = cells_of(scene->meshes[0], corners).indices;
        return FACET_OK;
    }
    void *made = facet_arena_allocate(w->arena, total, narrow ? 2 : 4);
    if (!made)
        return no_memory(w);
    uint16_t *shorts = made;
    uint32_t *longs = made, base = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        facet_ends cells = cells_of(mesh, corners);
        const uint32_t *from = cells.indices;
        for (size_t k = 0; k < cells.count; k++) {
            /* A mirrored triangle needs the opposite winding: 0 2 1. */
            uint32_t index = base + from[!mirrored || k % 3 == 0 ? k : k % 3 == 1 ? k + 1 : k - 1];
            if (narrow)
                shorts[done + k] = (uint16_t)index;
            else
                longs[done + k] = index;
        }
        done += cells.count;
        base += vertex_count(mesh);
    }
    *indices = made;
    return FACET_OK;
}

static facet_status add_cells(writing *w, uint32_t corners)
{
    static const char *const names[] = {"point", "edge", "triangle"};
    uint32_t count = cell_count(w, corners);
    const void *indices = NULL;
    facet_bga_type type;
    if (corners < 3 && count == 0)
        return FACET_OK;
    facet_status status = make_indices(w, corners, &indices, &type);
    if (!status)
        status = facet_bga_add_buffer(&w->bga, names[corners - 1], count, w->error);
    return status ? status
                  : facet_bga_add_attribute(&w->bga, "cell", type, corners, indices, 0, w->error);
}

static facet_status add_materials(writing *w)
{
    if (!w->has_materials || w->triangles == 0)
        return FACET_OK;
    const facet_scene *scene = w->scene;
    uint32_t *numbers = facet_arena_allocate(w->arena, w->triangles, sizeof *numbers),
             *at = numbers;
    w->comments = facet_arena_allocate(w->arena, scene->material_count, sizeof *w->comments);
    if (!numbers || !w->comments)
        return no_memory(w);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        size_t bytes = mesh->face_count * sizeof *at;
        if (mesh->face_materials)
            memcpy(at, mesh->face_materials, bytes);
        else
            memset(at, 0xFF, bytes);
        at += mesh->face_count;
    }
    size_t used = 0;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const char *name = scene->materials[i]->name;
        used += strlen(name) + 32;
        if (used > MAX_COMMENT_BYTES) {
            lose(w, "LOSS-NAMES", "the names of the last materials", scene->material_count - i);
            break;
        }
        char *comment = facet_arena_format(w->arena, "material %" PRIu32 " %s", i, name);
        if (!comment)
            return no_memory(w);
        w->comments[w->comment_count++] = comment;
    }
    facet_status status = facet_bga_add_buffer(&w->bga, "face", w->triangles, w->error);
    return status ? status
                  : facet_bga_add_attribute(&w->bga, "material", FACET_BGA_UINT32, 1, numbers, 0,
                                            w->error);
}

/* -- The document ------------------------------------------------------- */

static facet_status add_column_to(writing *w, const column *c)
{
    return facet_bga_add_attribute(&w->bga, c->name, c->type, c->repeat, c->values, 0, w->error);
}

/* Add the buffers of single attributes. Those that every reader supports come before the cells.
 * Those of signed types come last, after all data that a reader without them can read. */
static facet_status add_single_columns(writing *w, bool is_signed)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < w->column_count && !status; i++) {
        const column *c = &w->columns[i];
        if (strcmp(c->buffer, "vertex") == 0 || c->is_signed != is_signed)
            continue;
        status = facet_bga_add_buffer(&w->bga, c->buffer, w->vertices, w->error);
        if (!status)
            status = add_column_to(w, c);
    }
    return status;
}

static facet_status make_document(writing *w)
{
    facet_bga_begin(&w->bga);
    facet_status status = count_all(w);
    if (!status)
        status = find_columns(w);
    for (uint32_t i = 0; i < w->column_count && !status; i++)
        status = fill_column(w, &w->columns[i]);
    if (!status && w->column_count > 0)
        status = facet_bga_add_buffer(&w->bga, "vertex", w->vertices, w->error);
    for (uint32_t i = 0; i < w->column_count && !status; i++) {
        if (strcmp(w->columns[i].buffer, "vertex") == 0)
            status = add_column_to(w, &w->columns[i]);
    }
    if (!status)
        status = add_single_columns(w, false);
    if (!status)
        status = add_cells(w, 1);
    if (!status)
        status = add_cells(w, 2);
    if (!status)
        status = add_cells(w, 3);
    if (!status)
        status = add_materials(w);
    return status ? status : add_single_columns(w, true);
}

/* -- Losses ------------------------------------------------------------ */

static const facet_capacity capacity = {
    "BGA",
    FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_SKINS | FACET_LACKS_SMOOTHING |
        FACET_LACKS_MORPHS | FACET_LACKS_PART_NAMES | FACET_LACKS_MESH_NAMES |
        FACET_LACKS_MATERIAL_VALUES | FACET_LACKS_NODES | FACET_LACKS_CAMERAS | FACET_LACKS_HULLS |
        FACET_LACKS_OCCLUDER | FACET_LACKS_ANIMATIONS | FACET_LACKS_IMAGES | FACET_LACKS_EXTRAS,
    UINT8_MAX,
    UINT8_MAX,
    UINT8_MAX,
    0,
    FACET_UNUSED_MATERIALS,
    true,
    true};

static void report_losses(const writing *w)
{
    const facet_scene *scene = w->scene;
    facet_scene_report_losses(scene, &capacity, w->report);
    if (scene->mesh_count > 1)
        facet_report_add(w->report, "LOSS-MESHES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%" PRIu32 " meshes become one", scene->mesh_count);
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_bga_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_bga **document, facet_error *error)
{
    facet_arena *arena = NULL;
    if (scene->mesh_count == 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BGA-EMPTY", FACET_NO_OFFSET,
                          "the scene has no mesh, which a BGA file needs");
    TRY(facet_arena_create(options, &arena, error));
    writing *w = facet_arena_allocate_zeroed(arena, 1, sizeof *w);
    if (!w) {
        return facet_arena_abandon(arena, error);
    }
    w->arena = arena;
    w->scene = scene;
    w->report = options ? options->report : NULL;
    w->error = error;
    facet_status status = make_document(w);
    if (status) {
        facet_arena_free(arena);
        return status;
    }
    report_losses(w);
    w->bga.arena = arena;
    w->bga.comments = w->comments;
    w->bga.comment_count = w->comment_count;
    *document = &w->bga;
    return FACET_OK;
}
