/* formats/j3d/format.c - lines of the format table: models without and with baked materials, and
 * material files. All use one reader. */
#include "scene/format.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"
#include "base/report.h"
#include "formats/j3d/file/material_table.h"
#include "formats/j3d/file/sections.h"
#include "formats/j3d/format.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/patch/project.h"
#include "formats/j3d/patch/replace.h"
#include "formats/j3d/repair.h"
#include "formats/j3d/scene/to_scene/gx.h"
#include "formats/j3d/scene/to_scene/scene.h"
#include "gx/texels.h"

#include <string.h>
#include <strings.h>

/* -- Detection ---------------------------------------------------------- */

static bool is_named(const facet_source *source, const facet_format *format)
{
    const char *dot = source->name ? strrchr(source->name, '.') : NULL;
    return dot && strcasecmp(dot, format->extensions[0]) == 0;
}

/* Detect a file. Other files with the name of a model are also accepted, so that the reader can
 * report their format. The same is true for compressed files and archives with any name. */
static int probe_kind(const facet_source *source, const facet_format *format, facet_j3d_kind kind)
{
    facet_j3d_kind found = 0;
    facet_error error;
    switch (facet_j3d_find_kind(source->data, source->size, &found, &error)) {
    case FACET_OK:
        return found == kind || (found == FACET_J3D_BMD2 && kind == FACET_J3D_BMD3) ? 100 : 0;
    case FACET_ERROR_UNSUPPORTED:
        if (is_named(source, format))
            return 60;
        return kind == FACET_J3D_BMD3 && strcmp(error.rule, "J3D-COMPRESSED") == 0 ? 20 : 0;
    default:
        return 0;
    }
}

static int probe_bmd(const facet_source *source)
{
    return probe_kind(source, &facet_format_bmd, FACET_J3D_BMD3);
}

static int probe_bdl(const facet_source *source)
{
    return probe_kind(source, &facet_format_bdl, FACET_J3D_BDL4);
}

static int probe_bmt(const facet_source *source)
{
    return probe_kind(source, &facet_format_bmt, FACET_J3D_BMT3);
}

/* -- Copies ------------------------------------------------------------- */

/* Keep only materials and textures. */
static void take_materials(facet_j3d *document)
{
    document->has_hierarchy = document->has_vertices = document->has_envelopes = false;
    document->has_draw_matrices = document->has_joints = document->has_shapes = false;
    document->has_packets = false;
}

/* Change the kind of a document. */
static facet_status change_kind(facet_j3d *document, facet_j3d_kind kind,
                                const facet_options *options, facet_error *error)
{
    if (document->kind == FACET_J3D_BMT3 && kind != FACET_J3D_BMT3)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "J3D-KIND", FACET_NO_OFFSET,
                          "a BMT holds only materials and textures, not a model");
    if (kind == FACET_J3D_BDL4 && !document->has_packets) {
        TRY(facet_j3d_bake_materials(document, options, error));
    }
    if (kind == FACET_J3D_BMT3)
        take_materials(document);
    if (kind != FACET_J3D_BMD3 || document->kind != FACET_J3D_BMD2)
        document->kind = kind;
    return FACET_OK;
}

/* Make textures of SuperBMD's lists that the model lacks. */
static facet_status make_textures(facet_j3d *document, const facet_options *options,
                                  facet_error *error)
{
    facet_arena *scratch;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = facet_j3d_make_listed_textures(document, options, scratch, NULL, error);
    facet_arena_free(scratch);
    return status ? status : facet_j3d_make_preset_textures(document, options, error);
}

/* Collect the findings of the check; the caller frees them. */
static facet_status find_faults(const facet_source *source, const facet_options *options,
                                facet_report **found, facet_error *error)
{
    TRY(facet_report_create(options ? options->allocator : NULL, found, error));
    facet_status status = facet_j3d_check(source, options, *found, error);
    if (status) {
        facet_report_free(*found);
        *found = NULL;
    }
    return status;
}

/* True if the options change materials or textures in copies. */
static bool has_edits(const facet_options *options)
{
    const facet_j3d_options *j3d = options->j3d;
    const facet_bti_options *bti = options->bti;
    return (bti && (bti->wrap || bti->filter || bti->setting_count > 0)) || j3d->materials ||
           j3d->textures || j3d->material_file_count > 0 || j3d->texture_change_count > 0 ||
           j3d->texture_folder;
}

/* Write a repaired document. Check the bytes before that, to report the findings that are resolved.
 * Without one, `kept` is written: the bytes of the file, or NULL if they must change. */
static facet_status write_repaired(const facet_j3d *document, const facet_report *before,
                                   const facet_source *kept, const facet_options *options,
                                   facet_output *output, facet_error *error)
{
    facet_output *made = NULL;
    facet_report *after = NULL;
    TRY(facet_output_open_memory(options->allocator, &made, error));
    facet_status status = facet_j3d_write(document, options, made, error);
    if (!status)
        status = facet_output_commit(made, error);
    if (!status) {
        facet_source source = facet_source_from_memory(facet_output_data(made),
                                                       (size_t)facet_output_size(made), "repaired");
        status = find_faults(&source, options, &after, error);
    }
    if (!status) {
        bool keeps = kept && !facet_j3d_is_repaired(before, after);
        facet_j3d_report_repair(before, keeps ? before : after, options->report);
        facet_output_write(output, keeps ? kept->data : facet_output_data(made),
                           keeps ? kept->size : (size_t)facet_output_size(made));
    }
    facet_report_free(after);
    facet_output_free(made);
    return status;
}

/* Repair a document of `source`. `is_edited`: something else has changed, or its kind. */
static facet_status repair(facet_j3d *document, const facet_source *source, bool is_edited,
                           const facet_options *options, facet_output *output, facet_error *error)
{
    facet_report *before = NULL;
    TRY(find_faults(source, options, &before, error));
    facet_status status = facet_j3d_repair(document, source, before, options, error);
    if (!status)
        status =
            write_repaired(document, before, is_edited ? NULL : source, options, output, error);
    facet_report_free(before);
    return status;
}

static bool repairs(const facet_options *options)
{
    return options && options->j3d && options->j3d->repair;
}

static facet_status copy_as(const facet_source *source, facet_j3d_kind kind,
                            const facet_options *options, facet_output *output, facet_error *error)
{
    facet_j3d *document;
    TRY(facet_j3d_read(source, options, &document, error));
    facet_j3d_kind read_kind = document->kind;
    bool changed = false;
    facet_status status = make_textures(document, options, error);
    if (!status)
        status = facet_j3d_apply_json(document, options, &changed, error);
    /* If materials changed, packets baked from the old ones are invalid. */
    document->has_packets &= !changed;
    if (!status)
        status = facet_j3d_replace_textures(document, options, error);
    if (!status)
        status = change_kind(document, kind, options, error);
    if (!status && repairs(options))
        status = repair(document, source, has_edits(options) || document->kind != read_kind,
                        options, output, error);
    else if (!status)
        status = facet_j3d_write(document, options, output, error);
    facet_j3d_free(document);
    return status;
}

static facet_status copy_bmd(const facet_source *source, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    return copy_as(source, FACET_J3D_BMD3, options, output, error);
}

static facet_status copy_bdl(const facet_source *source, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    return copy_as(source, FACET_J3D_BDL4, options, output, error);
}

static facet_status copy_bmt(const facet_source *source, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    return copy_as(source, FACET_J3D_BMT3, options, output, error);
}

/* -- Scenes ------------------------------------------------------------- */

static facet_status read_scene(const facet_source *source, const facet_load_options *load,
                               const facet_options *options, facet_scene **scene,
                               facet_error *error)
{
    (void)load; /* shapes have no names that could make them hulls */
    facet_j3d *document;
    TRY(facet_j3d_read(source, options, &document, error));
    facet_status status = facet_j3d_to_scene(document, options, scene, error);
    facet_j3d_free(document);
    return status;
}

/* Copy the parts that depend on materials; all others are unchanged. */
static facet_status take_over(facet_scene *scene, facet_scene *made, facet_error *error)
{
    bool same = scene->node_count == made->node_count && scene->mesh_count == made->mesh_count &&
                scene->material_count == made->material_count &&
                scene->axes.unit == made->axes.unit && scene->axes.up == made->axes.up;
    if (!same || !facet_arena_adopt(scene->arena, made->arena)) {
        facet_scene_free(made);
        return same ? facet_fail_arena(scene->arena, error)
                    : facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-BMT-SCENE", FACET_NO_OFFSET,
                                 "materials can only be added to a scene as it was read from the "
                                 "model");
    }
    for (uint32_t i = 0; i < made->mesh_count; i++)
        made->meshes[i]->arena = scene->arena; /* because the arena of `made` is freed */
    scene->meshes = made->meshes;
    scene->materials = made->materials;
    scene->images = made->images;
    scene->image_count = made->image_count;
    return FACET_OK;
}

/* Replace the materials and textures of the model's scene by those of a BMT. */
static facet_status add_materials(const facet_source *source, const facet_source *model,
                                  const facet_options *options, facet_scene *scene,
                                  facet_error *error)
{
    facet_options quiet = options ? *options : (facet_options){0};
    facet_j3d *table = NULL, *of = NULL;
    facet_scene *made = NULL;
    quiet.report = NULL; /* findings about the model were reported when it was loaded */
    facet_status status = facet_j3d_read(source, options, &table, error);
    if (!status)
        status = facet_j3d_read(model, &quiet, &of, error);
    if (!status)
        status = facet_j3d_apply_table(of, table, error);
    if (!status)
        status = facet_j3d_to_scene(of, &quiet, &made, error);
    if (!status)
        status = take_over(scene, made, error);
    facet_j3d_free(of);
    facet_j3d_free(table);
    return status;
}

/* Count triangles and vertices without duplicates. */
static facet_status count(const facet_j3d *document, const facet_options *options,
                          facet_counts *counts, facet_error *error)
{
    facet_arena *scratch = NULL;
    uint64_t triangles = 0, vertices = 0;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = FACET_OK;
    facet_j3d_decoder decoder = {.document = document, .arena = scratch};
    for (uint32_t i = 0; i < document->shapes.count && !status; i++) {
        facet_j3d_geometry geometry;
        status = facet_j3d_decode_shape(&decoder, i, &geometry, error);
        triangles += status ? 0 : geometry.triangle_count;
        vertices += status ? 0 : geometry.vertex_count;
    }
    *counts = (facet_counts){true, triangles, vertices};
    facet_arena_free(scratch);
    return status;
}

static facet_status write_as(const facet_scene *scene, facet_j3d_kind kind,
                             const facet_options *options, facet_output *output,
                             facet_counts *counts, facet_error *error)
{
    facet_options of_kind = options ? *options : (facet_options){0};
    facet_j3d_options j3d = of_kind.j3d ? *of_kind.j3d : (facet_j3d_options){0};
    facet_j3d *document;
    j3d.kind = kind;
    of_kind.j3d = &j3d;
    TRY(facet_j3d_from_scene(scene, &of_kind, &document, error));
    facet_status status = facet_j3d_write(document, &of_kind, output, error);
    if (!status && counts)
        status = count(document, &of_kind, counts, error);
    facet_j3d_free(document);
    return status;
}

static facet_status write_bmd(const facet_scene *scene, const facet_options *options,
                              facet_output *output, facet_counts *counts, facet_error *error)
{
    return write_as(scene, FACET_J3D_BMD3, options, output, counts, error);
}

static facet_status write_bdl(const facet_scene *scene, const facet_options *options,
                              facet_output *output, facet_counts *counts, facet_error *error)
{
    return write_as(scene, FACET_J3D_BDL4, options, output, counts, error);
}

/* -- Table -------------------------------------------------------------- */

static const char *const bmd_extensions[] = {".bmd", NULL};
static const char *const bdl_extensions[] = {".bdl", NULL};
static const char *const bmt_extensions[] = {".bmt", NULL};

const facet_format facet_format_bmd = {
    .name = "bmd",
    .title = "J3D model (GameCube, Wii)",
    .extensions = bmd_extensions,
    .family = "j3d",
    .max_texture_side = FACET_GX_HARDWARE_SIDE,
    .needs = FACET_J3D_NEEDS,
    .probe = probe_bmd,
    .read = read_scene,
    .restore = facet_j3d_restore_gx,
    .check = facet_j3d_check,
    .describe = facet_j3d_fill_description,
    .write = FACET_WRITER(write_bmd),
    .copy = FACET_WRITER(copy_bmd),
    .repairs = repairs,
    .extract = FACET_WRITER(facet_j3d_extract),
};

const facet_format facet_format_bdl = {
    .name = "bdl",
    .title = "J3D model with baked materials (GameCube, Wii)",
    .extensions = bdl_extensions,
    .family = "j3d",
    .max_texture_side = FACET_GX_HARDWARE_SIDE,
    .needs = FACET_J3D_NEEDS,
    .probe = probe_bdl,
    .read = read_scene,
    .check = facet_j3d_check,
    .describe = facet_j3d_fill_description,
    .write = FACET_WRITER(write_bdl),
    .copy = FACET_WRITER(copy_bdl),
    .repairs = repairs,
    .extract = FACET_WRITER(facet_j3d_extract),
};

const facet_format facet_format_bmt = {
    .name = "bmt",
    .title = "J3D materials and textures (GameCube, Wii)",
    .extensions = bmt_extensions,
    .family = "j3d",
    .probe = probe_bmt,
    .read = read_scene,
    .add = add_materials,
    .check = facet_j3d_check,
    .describe = facet_j3d_fill_description,
    .copy = FACET_WRITER(copy_bmt),
    .repairs = repairs,
    .extract = FACET_WRITER(facet_j3d_extract),
};
