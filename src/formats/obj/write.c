/* formats/obj/write.c - writer of a scene as OBJ. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/color.h"
#include "base/error.h"
#include "base/output.h"
#include "base/text_output.h"
#include "formats/obj/names.h"
#include "formats/obj/obj.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* -- State -------------------------------------------------------------- */

typedef struct writer {
    const facet_scene *scene;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    facet_text_output out;
    const char *const *materials; /* names in the file */
    uint64_t lost_images;         /* that no map names */
    uint64_t bases[3];            /* number of elements of previous meshes: position, texcoord,
                                   * normal */
    uint32_t material;            /* material of the last face */
    uint32_t texcoord_set;        /* the set of texture coordinates that is written */
    uint64_t smoothing;           /* smoothing of the last face; UINT64_MAX before the first */
    const char *object, *group;   /* current names in the file; "" before the first */
    const char *named_group;      /* the current group in the scene */
    facet_obj_objects objects;    /* names of objects */
    bool turned;                  /* the scene's axes differ from OBJ's */
    facet_lost_streams lost_streams;
    uint64_t lines, all_lines; /* written lines and total lines: one per element and face */
} writer;

/* Lines between two progress calls. */
#define STEP 32768

/* Count one line. */
static facet_status count_line(writer *w)
{
    if (w->lines++ % STEP != 0)
        return FACET_OK;
    return facet_step(w->options, "write", (double)w->lines / (double)w->all_lines, w->error);
}

/* -- Materials ---------------------------------------------------------- */

/* Count the images that no map in the library names. `pictures` has the names of written ones. */
static facet_status count_lost_images(writer *w, const char *const *pictures)
{
    const facet_scene *scene = w->scene;
    bool *named = facet_arena_allocate_zeroed(w->scratch, scene->image_count, sizeof *named);
    if (!named)
        return facet_fail_arena(w->scratch, w->error);
    facet_obj_mark_images(scene, true, named);
    for (uint32_t i = 0; i < scene->image_count; i++)
        w->lost_images += !pictures[i] && !named[i];
    return FACET_OK;
}

/* Write the library next to the output, and its name into the OBJ. */
static facet_status write_library(writer *w, facet_output *output)
{
    if (w->scene->material_count == 0)
        return FACET_OK;
    facet_output *library = NULL;
    facet_status status = facet_output_open_sibling(output, ".mtl", &library, w->error);
    if (status == FACET_ERROR_UNSUPPORTED) {
        facet_report_add(
            w->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "materials are written by name only: a stream cannot have a second file next to it");
        return FACET_OK;
    }
    if (!status && !*facet_output_name(library)) /* a memory output without a name */
        status = facet_output_set_name(library, "scene.mtl", w->error);
    if (status)
        return status;
    facet_put_text(&w->out, "mtllib ");
    facet_put_text(&w->out, facet_output_name(library));
    facet_put_text(&w->out, "\n");
    const char **pictures;
    TRY(facet_obj_write_pictures(w->scene, w->options, output, w->scratch, &pictures, w->error));
    facet_obj_write_library(w->scene, w->materials, pictures, w->options, library);
    return count_lost_images(w, pictures);
}

/* -- Elements ----------------------------------------------------------- */

static facet_status write_vectors(writer *w, const char *word, const facet_stream *stream,
                                  const float *colors, uint32_t color_width)
{
    const float *data = stream->data;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < stream->count && !(status = count_line(w)); i++) {
        float v[3];
        memcpy(v, data + i * 3, sizeof v);
        if (w->turned)
            facet_axes_turn(&w->scene->axes, v);
        facet_put_text(&w->out, word);
        facet_put_numbers(&w->out, v, 3);
        if (colors)
            facet_put_numbers(&w->out, colors + i * color_width, 3);
        facet_put_text(&w->out, "\n");
    }
    return status;
}

static facet_status write_texcoords(writer *w, const facet_stream *stream)
{
    const float *data = stream->data;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < stream->count && !(status = count_line(w)); i++) {
        float v[3];
        memcpy(v, data + i * stream->components, stream->components * sizeof *v);
        if (facet_axes_flips_v(&w->scene->axes, false))
            v[1] = 1 - v[1];
        facet_put_text(&w->out, "vt");
        facet_put_numbers(&w->out, v, stream->components);
        facet_put_text(&w->out, "\n");
    }
    return status;
}

/* Colors by position, in sRGB; NULL if a position has two colors, or none. */
static facet_status position_colors(writer *w, const facet_mesh *mesh, const facet_stream *stream,
                                    const float **colors)
{
    const facet_stream *positions = &mesh->streams[0];
    *colors = NULL;
    uint32_t *used = facet_arena_allocate(w->scratch, positions->count, sizeof *used);
    uint32_t width = stream->components;
    float *gathered = facet_arena_allocate(w->scratch, positions->count, width * sizeof *gathered);
    if (!used || !gathered)
        return facet_fail_arena(w->scratch, w->error);
    memset(used, 0xFF, positions->count * sizeof *used);
    for (size_t i = 0; i < (size_t)positions->count * width; i++)
        gathered[i] = 1;
    const float *data = stream->data;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        uint32_t position = positions->indices[corner], color = stream->indices[corner];
        if (color == FACET_NONE || used[position] == color)
            continue;
        float *to = gathered + (size_t)position * width;
        const float *from = data + (size_t)color * width;
        if (used[position] != FACET_NONE && memcmp(to, from, width * sizeof *to) != 0) {
            facet_report_add(w->report, "LOSS-COLORS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "colors are left out: a vertex has several, OBJ holds one");
            return FACET_OK;
        }
        used[position] = color;
        memcpy(to, from, width * sizeof *to);
    }
    facet_srgb_encode_colors(gathered, positions->count, width);
    *colors = gathered;
    return FACET_OK;
}

static facet_status write_elements(writer *w, const facet_mesh *mesh)
{
    const facet_stream *colors = facet_mesh_find(mesh, FACET_COLOR, 0),
                       *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, w->texcoord_set),
                       *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    const float *by_position = NULL;
    facet_status status = colors ? position_colors(w, mesh, colors, &by_position) : FACET_OK;
    if (status)
        return status;
    status = write_vectors(w, "v", &mesh->streams[0], by_position, colors ? colors->components : 0);
    if (!status && texcoords)
        status = write_texcoords(w, texcoords);
    if (!status && normals)
        status = write_vectors(w, "vn", normals, NULL, 0);
    return status;
}

/* -- Faces -------------------------------------------------------------- */

static void write_corner(writer *w, const facet_stream *const streams[3], uint32_t corner)
{
    bool texcoord = streams[1] && streams[1]->indices[corner] != FACET_NONE;
    bool normal = streams[2] && streams[2]->indices[corner] != FACET_NONE;
    facet_put_text(&w->out, " ");
    facet_put_integer(&w->out, w->bases[0] + streams[0]->indices[corner] + 1);
    if (texcoord || normal)
        facet_put_text(&w->out, "/");
    if (texcoord)
        facet_put_integer(&w->out, w->bases[1] + streams[1]->indices[corner] + 1);
    if (normal) {
        facet_put_text(&w->out, "/");
        facet_put_integer(&w->out, w->bases[2] + streams[2]->indices[corner] + 1);
    }
}

static void write_material(writer *w, uint32_t material)
{
    if (material == w->material)
        return;
    facet_put_text(&w->out, "usemtl ");
    facet_put_text(&w->out, material == FACET_NONE ? "" : w->materials[material]);
    facet_put_text(&w->out, "\n");
    w->material = material;
}

static void write_face_state(writer *w, const facet_mesh *mesh, uint32_t face)
{
    write_material(w, mesh->face_materials ? mesh->face_materials[face] : FACET_NONE);
    uint32_t group = mesh->face_smoothing ? mesh->face_smoothing[face] : 0;
    if (w->smoothing == UINT64_MAX ? mesh->face_smoothing != NULL : w->smoothing != group) {
        facet_put_text(&w->out, "s ");
        if (group == 0)
            facet_put_text(&w->out, "off");
        else
            facet_put_integer(&w->out, group);
        facet_put_text(&w->out, "\n");
        w->smoothing = group;
    }
}

static facet_status write_faces(writer *w, const facet_mesh *mesh, uint32_t first, uint32_t end)
{
    const facet_stream *streams[3] = {&mesh->streams[0],
                                      facet_mesh_find(mesh, FACET_TEXCOORD, w->texcoord_set),
                                      facet_mesh_find(mesh, FACET_NORMAL, 0)};
    bool mirrored = w->scene->axes.left_handed;
    facet_status status = FACET_OK;
    for (uint32_t face = first; face < end && !(status = count_line(w)); face++) {
        write_face_state(w, mesh, face);
        facet_put_text(&w->out, "f");
        uint32_t from = facet_face_begin(mesh, face), to = facet_face_end(mesh, face);
        for (uint32_t corner = from; corner < to; corner++)
            write_corner(w, streams, mirrored ? to - 1 - (corner - from) : corner);
        facet_put_text(&w->out, "\n");
    }
    return status;
}

/* -- Parts -------------------------------------------------------------- */

/* Write the object (o) or group (g) of the next faces, unless it equals *now. */
static void write_name(writer *w, const char *word, const char *name, const char **now)
{
    if (strcmp(name, *now) == 0)
        return;
    facet_put_text(&w->out, word);
    facet_put_text(&w->out, *name ? " " : "");
    facet_put_text(&w->out, name);
    facet_put_text(&w->out, "\n");
    *now = name;
}

static facet_status write_names(writer *w, const char *object, const char *group)
{
    const char *name = facet_obj_objects_name(&w->objects, object);
    if (!name)
        return facet_fail_arena(w->scratch, w->error);
    write_name(w, "o", name, &w->object);
    if (strcmp(group, w->named_group) != 0) {
        name = facet_obj_clean_name(w->scratch, w->report, group);
        if (!name)
            return facet_fail_arena(w->scratch, w->error);
        write_name(w, "g", name, &w->group);
        w->named_group = group;
    }
    return FACET_OK;
}

static facet_status write_part(writer *w, const facet_mesh *mesh, facet_part part)
{
    if (part.face_count == 0)
        return FACET_OK;
    TRY(write_names(w, part.name, part.group));
    return write_faces(w, mesh, part.first_face, part.first_face + part.face_count);
}

static facet_status write_parts(writer *w, const facet_mesh *mesh)
{
    facet_status status = FACET_OK;
    const facet_part *last = NULL;
    uint32_t end = 0;
    for (uint32_t i = 0; i < mesh->part_count && !status; i++) {
        const facet_part *part = &mesh->parts[i];
        facet_part gap = {"", "", end, part->first_face - end};
        status = write_part(w, mesh, gap);
        /* A reader would merge it with its neighbor. */
        if (last && part->face_count > 0 && gap.face_count == 0 &&
            strcmp(last->name, part->name) == 0 && strcmp(last->group, part->group) == 0)
            facet_obj_objects_next(&w->objects);
        if (!status)
            status = write_part(w, mesh, *part);
        last = part->face_count > 0 ? part : last;
        end = part->first_face + part->face_count;
    }
    facet_part rest = {mesh->part_count > 0 ? "" : mesh->name, "", end, mesh->face_count - end};
    return status ? status : write_part(w, mesh, rest);
}

/* -- Meshes ------------------------------------------------------------- */

static void list_lost_streams(writer *w, const facet_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        bool kept = stream->semantic == FACET_TEXCOORD
                        ? stream->set == w->texcoord_set
                        : stream->set == 0 &&
                              (stream->semantic == FACET_POSITION ||
                               stream->semantic == FACET_NORMAL || stream->semantic == FACET_COLOR);
        if (!kept)
            facet_lost_streams_add(&w->lost_streams, stream);
    }
}

/* Check that every float is finite: text cannot store others. */
static facet_status check_finite(writer *w, const facet_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->component != FACET_FLOAT32 || stream->semantic == FACET_CUSTOM)
            continue;
        size_t count = (size_t)stream->count * stream->components;
        size_t bad = facet_find_nonfinite_float(stream->data, count);
        if (bad < count)
            return facet_fail(w->error, FACET_ERROR_ARGUMENT, "OBJ-NUMBER", FACET_NO_OFFSET,
                              "mesh '%s' has a value that is not finite, element %zu", mesh->name,
                              bad / stream->components);
    }
    return FACET_OK;
}

/* Write lines and points. They do not have the name of another mesh. */
static facet_status write_lines(writer *w, const facet_mesh *mesh)
{
    if (mesh->line_count + mesh->point_count == 0)
        return FACET_OK;
    if (mesh->face_count == 0)
        TRY(write_names(w, mesh->name, ""));
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        facet_ends ends = facet_mesh_ends(mesh, kind);
        facet_material_uses uses = facet_mesh_material_uses(mesh, kind + 1);
        size_t size = kind == 0 ? 2 : 1;
        for (size_t i = 0; i < ends.count; i += size) {
            write_material(w, facet_material_of(uses, (uint32_t)(i / size)));
            facet_put_text(&w->out, kind == 0 ? "l" : "p");
            for (size_t end = 0; end < size; end++) {
                facet_put_text(&w->out, " ");
                facet_put_integer(&w->out, w->bases[0] + ends.indices[i + end] + 1);
            }
            facet_put_text(&w->out, "\n");
        }
    }
    return FACET_OK;
}

static facet_status write_mesh(writer *w, const facet_mesh *mesh)
{
    if (mesh->stream_count == 0)
        return FACET_OK;
    TRY(check_finite(w, mesh));
    TRY(write_elements(w, mesh));
    TRY(write_parts(w, mesh));
    TRY(write_lines(w, mesh));
    list_lost_streams(w, mesh);
    static const facet_semantic semantics[3] = {FACET_POSITION, FACET_TEXCOORD, FACET_NORMAL};
    for (int i = 0; i < 3; i++) {
        const facet_stream *stream =
            facet_mesh_find(mesh, semantics[i], i == 1 ? w->texcoord_set : 0);
        w->bases[i] += stream ? stream->count : 0;
    }
    return FACET_OK;
}

static uint64_t lines_of(const writer *w, const facet_mesh *mesh)
{
    static const facet_semantic semantics[3] = {FACET_POSITION, FACET_TEXCOORD, FACET_NORMAL};
    uint64_t lines = mesh->face_count;
    for (int i = 0; i < 3; i++) {
        const facet_stream *stream =
            facet_mesh_find(mesh, semantics[i], i == 1 ? w->texcoord_set : 0);
        lines += stream ? stream->count : 0;
    }
    return lines;
}

static const facet_capacity capacity = {
    "OBJ",
    FACET_LACKS_MIP_LEVELS | FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_OTHER_LOOKS |
        FACET_LACKS_SKINS | FACET_LACKS_NODES | FACET_LACKS_CAMERAS | FACET_LACKS_HULLS |
        FACET_LACKS_ANIMATIONS | FACET_LACKS_EXTRAS | FACET_LACKS_COLOR_ALPHA,
    UINT8_MAX,
    UINT8_MAX,
    UINT8_MAX,
    0,
    0,
    false,
    true}; /* losses of streams are reported per mesh */

static facet_status write_scene(writer *w, facet_output *output)
{
    w->texcoord_set = facet_scene_texcoord_set(w->scene);
    facet_put_text(&w->out, "# facet\n");
    facet_status status =
        facet_obj_name_materials(w->scene, w->scratch, w->report, &w->materials, w->error);
    if (!status)
        status = facet_obj_objects_init(&w->objects, w->scene, w->scratch, w->report, w->error);
    if (!status)
        status = write_library(w, output);
    w->all_lines = 1;
    for (uint32_t i = 0; i < w->scene->mesh_count; i++)
        w->all_lines += lines_of(w, w->scene->meshes[i]);
    if (w->scene->occluder)
        w->all_lines += lines_of(w, w->scene->occluder);
    for (uint32_t i = 0; i < w->scene->mesh_count && !status; i++) {
        const facet_mesh *mesh = w->scene->meshes[i];
        if (mesh->face_count > 0 || mesh->line_count > 0 || mesh->point_count > 0)
            facet_obj_objects_next(&w->objects);
        status = write_mesh(w, mesh);
    }
    if (!status && w->scene->occluder) {
        facet_mesh occluder = *w->scene->occluder;
        occluder.name = facet_obj_occluder_name(&occluder);
        facet_obj_objects_occluder(&w->objects);
        status = write_mesh(w, &occluder);
    }
    facet_put_flush(&w->out);
    facet_obj_objects_report(&w->objects);
    facet_lost_streams_report(&w->lost_streams, "OBJ", w->report);
    facet_scene_report_losses(w->scene, &capacity, w->report);
    facet_tally images = {w->lost_images, 0};
    facet_report_add_tally(w->report, "LOSS-IMAGES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &images, "OBJ cannot hold images that no map of a material uses");
    return status;
}

facet_status facet_obj_write(const facet_scene *scene, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = FACET_OK;
    writer *w = facet_arena_allocate_zeroed(scratch, 1, sizeof *w);
    if (w) {
        w->scene = scene;
        w->options = options;
        w->report = options ? options->report : NULL;
        w->error = error;
        w->scratch = scratch;
        w->out.output = output;
        w->object = w->group = w->named_group = "";
        w->material = FACET_NONE;
        w->smoothing = UINT64_MAX;
        w->turned = facet_axes_is_turned(&scene->axes);
        status = write_scene(w, output);
    } else {
        status = facet_fail_arena(scratch, error);
    }
    facet_arena_free(scratch);
    return status;
}
