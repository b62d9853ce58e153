/* formats/j3d/scene/to_scene/gx.c - a material's chip state with the scene's images as textures,
 * from a document or from extras. */
#include "formats/j3d/scene/to_scene/gx.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/json/json.h"
#include "gx/json/file_part.h"
#include "gx/json/file_state.h"

#include <facet/gx_bti.h>
#include <math.h>
#include <string.h>

enum { MODE_TRANSLUCENT = 4 };

/* -- Numbers ------------------------------------------------------------ */

static void make_finite(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            values[i] = 0;
    }
}

static void make_matrix_finite(facet_gx_texture_matrix *matrix)
{
    make_finite(matrix->center, 3);
    make_finite(matrix->scale, 2);
    make_finite(matrix->translation, 2);
    make_finite(matrix->effect, 16);
}

/* Replace values that are not finite: a scene must not have them. */
static void settle_numbers(facet_gx_material *gx)
{
    for (int i = 0; i < 8; i++) {
        make_finite(gx->lights[i].position, 3);
        make_finite(gx->lights[i].direction, 3);
        make_finite(gx->lights[i].cosine_attenuation, 3);
        make_finite(gx->lights[i].distance_attenuation, 3);
    }
    for (int i = 0; i < 10; i++)
        make_matrix_finite(&gx->texture_matrices[i]);
    for (int i = 0; i < 20; i++)
        make_matrix_finite(&gx->post_matrices[i]);
    for (int i = 0; i < 3; i++)
        make_finite(gx->indirect.matrices[i].rows[0], 6);
    make_finite(gx->nbt_scale.scale, 3);
    float *const fog[4] = {&gx->fog.start, &gx->fog.end, &gx->fog.near_z, &gx->fog.far_z};
    for (int i = 0; i < 4; i++)
        make_finite(fog[i], 1);
}

/* -- From a document ---------------------------------------------------- */

void facet_j3d_set_sampler(const facet_bti_header *header, facet_gx_sampler *sampler)
{
    sampler->wrap_s = header->wrap_s;
    sampler->wrap_t = header->wrap_t;
    sampler->min_filter = header->min_filter;
    sampler->mag_filter = header->mag_filter;
    sampler->edge_lod = header->edge_lod;
    sampler->min_lod = header->min_lod;
    sampler->max_lod = header->max_lod;
    sampler->lod_bias = header->lod_bias;
}

facet_status facet_j3d_set_gx(const facet_j3d_material *material,
                              const facet_j3d_textures *textures, const uint32_t *image_of,
                              facet_arena *arena, facet_material *out, facet_error *error)
{
    facet_gx_material *gx = facet_arena_allocate(arena, 1, sizeof *gx);
    if (!gx)
        return facet_fail_arena(arena, error);
    *gx = material->gx;
    gx->translucent = material->mode == MODE_TRANSLUCENT;
    for (int i = 0; i < 8; i++) {
        uint16_t texture = gx->textures[i];
        gx->textures[i] = FACET_GX_NO_TEXTURE;
        if (texture >= textures->count || image_of[texture] >= FACET_GX_NO_TEXTURE)
            continue;
        gx->textures[i] = (uint16_t)image_of[texture];
        facet_j3d_set_sampler(&textures->items[texture].header, &gx->samplers[i]);
    }
    settle_numbers(gx);
    out->gx = gx;
    return FACET_OK;
}

/* -- From extras -------------------------------------------------------- */

/* The textures that a scene's images came from: materials refer to them by name. */
typedef struct known_textures {
    facet_j3d_textures textures;
    uint32_t *image_of;
    uint32_t space;
} known_textures;

static facet_status add_known(facet_arena *arena, const facet_gx_file_texture *texture,
                              uint32_t image, known_textures *known, facet_error *error)
{
    uint32_t count = known->textures.count;
    if (count == known->space) {
        uint32_t space = count ? count * 2 : 32;
        facet_j3d_texture *items =
            facet_arena_resize(arena, known->textures.items, count, space, sizeof *items);
        facet_j3d_name *names =
            facet_arena_resize(arena, known->textures.names.items, count, space, sizeof *names);
        uint32_t *image_of = facet_arena_resize(arena, known->image_of, count, space, 4);
        if (!items || !names || !image_of)
            return facet_fail_arena(arena, error);
        known->textures.items = items;
        known->textures.names.items = names;
        known->image_of = image_of;
        known->space = space;
    }
    size_t length = facet_j3d_name_bytes(texture->name, NULL, 0, NULL);
    char *bytes = facet_arena_allocate(arena, length + 1, 1);
    if (!bytes)
        return facet_fail_arena(arena, error);
    facet_j3d_name_bytes(texture->name, bytes, length + 1, NULL);
    memset(&known->textures.items[count], 0, sizeof known->textures.items[count]);
    known->textures.items[count].header = texture->header;
    known->textures.names.items[count] = (facet_j3d_name){bytes, 0};
    known->image_of[count] = image;
    known->textures.count = known->textures.names.count = count + 1;
    return FACET_OK;
}

/* Add the data of the image extras to the scene. */
static facet_status take_images(facet_scene *scene, facet_j3d_extras *extras, facet_arena *arena,
                                known_textures *known, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        facet_image *image = scene->images[i];
        facet_gx_file_image *read = NULL;
        if (!image->gx_file || image->gx_file->extras != image->extras) {
            status =
                facet_gx_file_image_read(image->extras, facet_j3d_extras_of(extras, image->extras),
                                         scene->arena, &read, error);
            image->gx_file = read;
        }
        const facet_gx_file_image *file = image->gx_file;
        bool is_right = file && !file->wrong_textures; /* materials with invalid texture names
                                                          report it */
        for (uint32_t k = 0; !status && is_right && k < file->texture_count; k++) {
            if (!file->textures[k].name)
                continue;
            status = add_known(arena, &file->textures[k], i, known, error);
        }
    }
    return status;
}

static facet_status take_material(facet_material *material, const known_textures *known,
                                  facet_j3d_material *read, facet_arena *arena,
                                  facet_report *report, facet_error *error)
{
    const facet_gx_file_material *file = material->gx_file;
    facet_error why;
    const char *wrong = file ? file->wrong : NULL;
    if (file && file->is_known) {
        if (!facet_j3d_material_from_file(file, &known->textures, read, &why))
            return facet_j3d_set_gx(read, &known->textures, known->image_of, arena, material,
                                    error);
        wrong = why.message;
    }
    if (wrong)
        facet_report_add(report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "a material is shown without the state of the graphics chip, because its "
                         "J3D extras are wrong: %s",
                         wrong);
    return FACET_OK;
}

static facet_status take_part(const char *extras, facet_gx_file_part **file, facet_arena *arena,
                              facet_error *error)
{
    return extras && strstr(extras, "\"j3d\"")
               ? facet_gx_file_part_now(extras, *file, arena, file, error)
               : FACET_OK;
}

static facet_status take_parts(facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        TRY(take_part(scene->nodes[i]->extras, &scene->nodes[i]->gx_file, scene->arena, error));
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        TRY(take_part(scene->meshes[i]->extras, &scene->meshes[i]->gx_file, scene->arena, error));
    for (uint32_t i = 0; i < scene->animation_count; i++)
        TRY(take_part(scene->animations[i]->extras, &scene->animations[i]->gx_file, scene->arena,
                      error));
    return take_part(scene->extras, &scene->gx_file, scene->arena, error);
}

static facet_status restore(facet_scene *scene, facet_j3d_extras *extras, facet_arena *arena,
                            const facet_options *options, facet_error *error)
{
    known_textures known = {0};
    facet_j3d_material *read = facet_arena_allocate(arena, 1, sizeof *read);
    facet_status status =
        read ? take_images(scene, extras, arena, &known, error) : facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < scene->material_count && !status; i++) {
        facet_material *material = scene->materials[i];
        facet_gx_file_material *file = NULL;
        if (!material->extras || material->gx)
            continue;
        status = facet_gx_file_material_read(material->extras,
                                             facet_j3d_extras_of(extras, material->extras),
                                             scene->arena, &file, error);
        material->gx_file = file;
        if (!status)
            status = take_material(material, &known, read, scene->arena,
                                   options ? options->report : NULL, error);
    }
    return status;
}

facet_status facet_j3d_restore_gx(facet_scene *scene, const facet_options *options,
                                  facet_error *error)
{
    bool any = false;
    TRY(take_parts(scene, error));
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const char *extras = scene->materials[i]->extras;
        any |= !scene->materials[i]->gx && extras && strstr(extras, "\"j3d\"") != NULL;
    }
    if (!any)
        return FACET_OK;
    facet_arena *arena;
    facet_options quiet = options ? *options : (facet_options){0};
    TRY(facet_arena_create(options, &arena, error));
    /* With a model for --like, that step reports the effect of lost data. */
    if (quiet.j3d && quiet.j3d->like)
        quiet.report = NULL;
    facet_j3d_extras extras = facet_j3d_extras_make(arena);
    facet_status status = restore(scene, &extras, arena, &quiet, error);
    if (!status && extras.failed)
        status = facet_fail_arena(arena, error);
    facet_j3d_extras_free(&extras);
    facet_arena_free(arena);
    return status;
}
