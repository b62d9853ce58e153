/* convert/model.c - loading of a model file as buffers, materials and pixels in one call. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "image/image.h"

#include <facet/archive.h>
#include <facet/model.h>
#include <facet/pose.h>
#include <string.h>

static const facet_axes default_axes = {.up = FACET_AXIS_Y, .unit = 1, .uv_origin_top = true};

static const facet_pack_attribute default_attributes[] = {
    {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 3, 0, false, true},
    {FACET_NORMAL, 0, NULL, FACET_PACK_FLOAT32, 3, 0, false, true},
    {FACET_TEXCOORD, 0, NULL, FACET_PACK_FLOAT32, 2, 0, false, true},
    {FACET_COLOR, 0, NULL, FACET_PACK_FLOAT32, 4, 0, false, true},
};
static const facet_pack_layout default_layout = {sizeof default_layout,
                                                 default_attributes,
                                                 sizeof default_attributes /
                                                     sizeof *default_attributes,
                                                 0,
                                                 0,
                                                 false};

/* -- Scene -------------------------------------------------------------- */

static facet_status load_scene(const facet_source *source, const facet_model_options *how,
                               const facet_options *options, facet_scene **scene,
                               facet_error *error)
{
    facet_load_options load = {0};
    if (how->load)
        load = *how->load;
    load.target_axes = how->axes ? how->axes : &default_axes;
    load.target_unit = 0;
    load.images = false;
    load.image_files = true;
    if (!how->keep_nodes)
        load.skip |= FACET_SKIP_ANIMATIONS;
    return facet_load(source, NULL, &load, options, scene, error);
}

/* Flatten without warnings: the caller requested a model without skins and morph targets. */
static facet_status flatten(facet_scene *scene, const facet_options *options, facet_error *error)
{
    facet_options quiet = {0};
    if (options)
        quiet = *options;
    quiet.report = NULL;
    return scene->node_count > 0 ? facet_scene_flatten(scene, NULL, &quiet, error) : FACET_OK;
}

static facet_status prepare_scene(facet_scene *scene, const facet_model_options *how,
                                  const facet_options *options, facet_error *error)
{
    facet_prepare_options prepare = {0};
    if (how->prepare)
        prepare = *how->prepare;
    prepare.extra |= FACET_NEED_FACES | FACET_NEED_ALPHA | FACET_NEED_PHYSICAL_MAPS;
    /* Without a request, vertices are not ordered for caches: that is slow, and needs a library. */
    if (!(prepare.extra & FACET_NEED_OPTIMIZED))
        prepare.skip |= FACET_NEED_OPTIMIZED;
    if (!how->keep_nodes)
        TRY(flatten(scene, options, error));
    return facet_prepare(scene, NULL, &prepare, options, NULL, error);
}

/* -- Images ------------------------------------------------------------- */

static facet_status decode_images(facet_scene *scene, const facet_options *options,
                                  facet_error *error)
{
    for (uint32_t i = 0; i < scene->image_count; i++) {
        facet_image *image = scene->images[i];
        facet_error cause = {0};
        facet_quoted quoted;
        TRY(facet_step(options, "images", (double)i / scene->image_count, error));
        if (!image->data && !image->pixels)
            continue; /* the reader has warned about it, or images are skipped */
        facet_status status = facet_image_decode(scene->arena, image, options, &cause);
        if (!status && image->channels != 4)
            status = facet_image_set_channels(scene->arena, image, 4, &cause);
        if (facet_lacks_memory(status) || status == FACET_ERROR_CANCELED) {
            if (error)
                *error = cause;
            return status;
        }
        const char *name = image->path ? image->path : image->name;
        if (status)
            facet_report_add(options ? options->report : NULL, "LOSS-IMAGES",
                             FACET_SEVERITY_WARNING, FACET_NO_OFFSET, "image '%s' is left out: %s",
                             facet_quote(&quoted, name, strlen(name)), cause.message);
    }
    return FACET_OK;
}

/* -- Buffers ------------------------------------------------------------ */

/* Give draws without a material the default material, which is added when first needed. */
static facet_status set_materials(facet_model *model, const facet_packed *mesh, uint32_t *plain,
                                  facet_error *error)
{
    for (uint32_t i = 0; i < mesh->draw_count; i++) {
        if (mesh->draws[i].material != FACET_NONE)
            continue;
        if (*plain == FACET_NONE) {
            facet_material *material;
            TRY(facet_scene_add_material(model->scene, "", &material, error));
            *plain = model->scene->material_count - 1;
        }
        mesh->draws[i].material = *plain;
    }
    return FACET_OK;
}

static facet_status pack_meshes(facet_model *model, const facet_model_options *how,
                                const facet_options *options, facet_error *error)
{
    facet_scene *scene = model->scene;
    uint32_t plain = FACET_NONE;
    model->meshes =
        facet_arena_allocate_zeroed(scene->arena, scene->mesh_count, sizeof(facet_packed *));
    if (!model->meshes)
        return facet_fail_arena(scene->arena, error);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        facet_packed *mesh = NULL;
        TRY(facet_mesh_pack(scene->meshes[i], how->layout ? how->layout : &default_layout, options,
                            &mesh, error));
        model->meshes[model->mesh_count++] = mesh;
        TRY(set_materials(model, mesh, &plain, error));
    }
    return FACET_OK;
}

/* -- Entry points ------------------------------------------------------- */

static facet_status check_call(const facet_model_options *how, const facet_options *options,
                               facet_error *error)
{
    TRY(facet_check_options(options, error));
    TRY(FACET_CHECK_STRUCT(how, facet_model_options, error));
    TRY(FACET_CHECK_STRUCT(how ? how->load : NULL, facet_load_options, error));
    return FACET_CHECK_STRUCT(how ? how->prepare : NULL, facet_prepare_options, error);
}

static facet_status fill(facet_model *model, const facet_model_options *how,
                         const facet_options *options, facet_error *error)
{
    bool any;
    TRY(prepare_scene(model->scene, how, options, error));
    TRY(decode_images(model->scene, options, error));
    TRY(pack_meshes(model, how, options, error));
    return facet_scene_bounds(model->scene, options, model->minimum, model->maximum, &any, error);
}

facet_status facet_load_model(const facet_source *source, const facet_model_options *how,
                              const facet_options *options, facet_model **model, facet_error *error)
{
    static const facet_model_options defaults;
    facet_scene *scene = NULL;
    TRY(check_call(how, options, error));
    if (!how)
        how = &defaults;
    TRY(load_scene(source, how, options, &scene, error));
    facet_model *made = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *made);
    if (!made) {
        facet_status status = facet_fail_arena(scene->arena, error);
        facet_scene_free(scene);
        return status;
    }
    made->scene = scene;
    facet_status status = fill(made, how, options, error);
    if (status)
        facet_model_free(made);
    else
        *model = made;
    return status;
}

facet_status facet_load_model_path(const char *path, const facet_model_options *how,
                                   const facet_options *options, facet_model **model,
                                   facet_error *error)
{
    facet_input *input = NULL;
    TRY(facet_input_open(path, options, &input, error));
    facet_source source = facet_input_source(input);
    facet_status status = facet_load_model(&source, how, options, model, error);
    facet_input_close(input);
    return status;
}

void facet_model_free(facet_model *model)
{
    if (!model)
        return;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        facet_packed_free(model->meshes[i]);
    facet_scene_free(model->scene);
}
