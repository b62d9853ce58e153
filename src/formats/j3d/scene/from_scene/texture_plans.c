/* formats/j3d/scene/from_scene/texture_plans.c - which textures a model gets: images with their
 * sampling. */
#include "formats/j3d/scene/from_scene/texture_plans.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/names.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "gx/bti_texture.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/report.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Plans -------------------------------------------------------------- */

static facet_status add_plan(facet_j3d_builder *b, facet_j3d_texture_plans *plans,
                             const facet_j3d_texture_plan *plan)
{
    if (!FACET_GROW(b->scratch, plans->items, plans->count, plans->space))
        return facet_fail_arena(b->scratch, b->error);
    plans->items[plans->count] = *plan;
    plans->items[plans->count].label = plan->name;
    plans->items[plans->count].number = plans->count;
    plans->count++;
    return FACET_OK;
}

/* Remove numbers from names. Extras call the second texture of a name "name:1" and so on; it is
 * "name" again in the file. */
static facet_status strip_numbers(const facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    for (uint32_t i = 0; i < plans->count; i++) {
        const char *name = plans->items[i].name, *colon = strrchr(name, ':');
        if (!colon || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
            continue;
        size_t length = (size_t)(colon - name);
        for (uint32_t k = 0; k < plans->count; k++) {
            const char *other = plans->items[k].name;
            if (strncmp(other, name, length) != 0 || other[length])
                continue;
            plans->items[i].name = facet_arena_string(b->scratch, name, length);
            if (!plans->items[i].name)
                return facet_fail_arena(b->scratch, b->error);
            break;
        }
    }
    return FACET_OK;
}

static int compare_plans(const void *left, const void *right)
{
    const facet_j3d_texture_plan *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* -- Textures whose image or extras are missing -------------------------- */

/* The former name of an image, without the number that Blender appends. */
static const char *bare_name(const void *user, uint32_t i)
{
    const char *const *names = user;
    return names[i];
}

static facet_status know_images(const facet_j3d_builder *b, const facet_j3d_texture_plans *plans,
                                facet_j3d_name_index *images)
{
    uint32_t count = b->scene->image_count;
    const char **names = facet_j3d_builder_scratch(b, count, sizeof *names);
    if (!names)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        const facet_image *image = b->scene->images[i];
        names[i] = facet_arena_string(b->scratch, image->name, facet_bare_length(image->name));
        if (!names[i])
            return facet_fail_arena(b->scratch, b->error);
    }
    facet_status status = facet_j3d_index_names(b, count, bare_name, names, images);
    for (uint32_t i = 0; i < count && !status; i++)
        images->taken[i] = !facet_j3d_has_bytes(b->scene->images[i]) ||
                           facet_j3d_builder_is_computed(b, b->scene->images[i]);
    for (uint32_t i = 0; i < plans->count && !status; i++)
        images->taken[plans->items[i].image] = true;
    return status;
}

/* The image for a texture's name, which can be "eye:1" for the second "eye". */
static uint32_t image_named(const facet_j3d_builder *b, facet_j3d_name_index *images,
                            const char *name)
{
    uint32_t found = facet_j3d_assign_name(images, name);
    const char *colon = strrchr(name, ':');
    if (found == FACET_NONE && name[facet_bare_length(name)])
        found = facet_j3d_assign_name(
            images, facet_arena_string(b->scratch, name, facet_bare_length(name)));
    if (found != FACET_NONE || !colon || !colon[1] ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return found;
    const char *bare = facet_arena_string(b->scratch, name, (size_t)(colon - name));
    return bare ? facet_j3d_assign_name(images, bare) : FACET_NONE;
}

/* Add textures that materials use but no image provides. They get an image with the same name, or a
 * gray one, so that the material stays usable. */
static facet_status add_missing(facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    facet_names names = facet_names_make(b->scratch);
    facet_j3d_name_index images;
    uint32_t first = plans->count;
    facet_status status = know_images(b, plans, &images);
    for (uint32_t i = 0; i < plans->count && !status; i++) {
        if (facet_names_put(&names, plans->items[i].name, strlen(plans->items[i].name)) ==
            UINT32_MAX)
            status = facet_fail_arena(b->scratch, b->error);
    }
    for (uint32_t m = 0; m < b->scene->material_count && !status; m++) {
        const facet_gx_file_material *file;
        status = facet_j3d_builder_material_file(b, m, &file);
        uint32_t count =
            status || !file || b->is_edited[m]
                ? 0
                : facet_j3d_builder_texture_count(b, file->texture_count, file->wrong_textures);
        for (uint32_t k = 0; k < count && !status; k++) {
            const facet_gx_file_texture *known = &file->textures[k];
            if (!known->has_header || !known->name)
                continue;
            uint32_t before = names.count;
            uint32_t name = facet_names_put(&names, known->name, strlen(known->name));
            facet_j3d_texture_plan plan = {
                .image = FACET_NONE, .is_known = true, .needs_alpha = true};
            plan.order = known->index;
            plan.name = known->name;
            plan.known = known->header;
            if (name == UINT32_MAX)
                status = facet_fail_arena(b->scratch, b->error);
            else if (name == before)
                status = add_plan(b, plans, &plan);
        }
    }
    facet_names_free(&names);
    if (status || plans->count == first)
        return status;
    qsort(plans->items + first, plans->count - first, sizeof *plans->items, compare_plans);
    for (uint32_t i = first; i < plans->count; i++) {
        facet_j3d_texture_plan *plan = &plans->items[i];
        facet_quoted quoted;
        plan->number = i;
        plan->image = image_named(b, &images, plan->name);
        if (plan->image == FACET_NONE)
            facet_report_add(facet_j3d_builder_report(b), "LOSS-IMAGES", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET,
                             "the scene has no image for the texture '%s' that its materials use: "
                             "it becomes gray, of the format and size that it had",
                             facet_quote(&quoted, plan->name, strlen(plan->name)));
    }
    return FACET_OK;
}

/* Add the textures that images came from, by their extras. */
static facet_status add_known(facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    for (uint32_t i = 0; i < b->scene->image_count; i++) {
        const facet_gx_file_image *file;
        if (!facet_j3d_has_bytes(b->scene->images[i]))
            continue;
        facet_status status = facet_j3d_builder_image_file(b, b->scene->images[i], &file);
        uint32_t count = status || !file ? 0
                                         : facet_j3d_builder_texture_count(b, file->texture_count,
                                                                           file->wrong_textures);
        for (uint32_t k = 0; k < count && !status; k++) {
            if (!file->textures[k].name)
                continue;
            facet_j3d_texture_plan plan = {.image = i, .is_known = true, .needs_alpha = true};
            plan.order = file->textures[k].index;
            plan.name = file->textures[k].name;
            plan.known = file->textures[k].header;
            status = add_plan(b, plans, &plan);
        }
        if (status)
            return status;
    }
    facet_status status = add_missing(b, plans);
    return status ? status : strip_numbers(b, plans);
}

/* Add the textures of the original. Images that were repainted are encoded again, in their old
 * format. */
static facet_status add_originals(facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    facet_j3d_like *like = b->like;
    const facet_j3d_textures *from = &like->document->textures;
    uint32_t *image_of = facet_j3d_builder_scratch(b, from->count, sizeof *image_of);
    const char **names = facet_j3d_name_texts(b, &from->names, from->count);
    if (!image_of || !names)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < from->count; i++)
        image_of[i] = FACET_NONE;
    facet_status status = FACET_OK;
    for (uint32_t i = b->scene->image_count; i-- > 0 && !status;) {
        uint32_t image = like->image_of[i];
        if (image == FACET_NONE)
            continue;
        bool unread = !facet_j3d_has_bytes(b->scene->images[i]);
        const facet_gx_file_image *file = like->scene->images[image]->gx_file;
        for (uint32_t k = 0; file && k < file->texture_count; k++) {
            uint32_t index = file->textures[k].index;
            if (index < from->count && !(unread && image_of[index] != FACET_NONE))
                image_of[index] = i;
        }
    }
    for (uint32_t i = 0; i < from->count && !status; i++) {
        facet_j3d_texture_plan plan = {.image = image_of[i], .is_known = true, .needs_alpha = true};
        plan.order = i;
        plan.name = names[i];
        plan.known = from->items[i].header;
        plan.is_kept = plan.image == FACET_NONE || !like->is_repainted[plan.image];
        like->textures_changed |= !plan.is_kept;
        status = add_plan(b, plans, &plan);
    }
    return status;
}

/* The name of a texture: that of its image, else of its file, without folder and extension. */
static const char *name_of(const facet_j3d_builder *b, const facet_texture *texture)
{
    const facet_image *image = b->scene->images[texture->image];
    const char *path = image->path && *image->path ? image->path : texture->path;
    if (*image->name)
        path = image->name;
    if (!path || !*path)
        return facet_arena_format(b->scratch, "texture%" PRIu32, texture->image);
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    const char *begin = slash && slash > back ? slash + 1 : back ? back + 1 : path;
    const char *dot = strrchr(begin, '.');
    return facet_arena_string(b->scratch, begin,
                              dot && dot > begin ? (size_t)(dot - begin) : strlen(begin));
}

uint8_t facet_j3d_wrap_code(facet_wrap wrap)
{
    return wrap == FACET_WRAP_CLAMP ? 0 : wrap == FACET_WRAP_MIRROR ? 2 : 1;
}

/* True if a code of a file is a wrap mode of a scene. Unknown codes repeat there. */
static bool is_wrap(uint8_t code, facet_wrap wrap)
{
    return (code > 2 ? 1 : code) == facet_j3d_wrap_code(wrap);
}

/* True if a planned texture has the sampling of a material's texture. Other programs change the
 * filters of those from files. */
static bool samples_alike(const facet_j3d_texture_plan *plan, const facet_texture *texture)
{
    if (plan->is_known)
        return is_wrap(plan->known.wrap_s, texture->wrap_u) &&
               is_wrap(plan->known.wrap_t, texture->wrap_v);
    return plan->wrap_u == texture->wrap_u && plan->wrap_v == texture->wrap_v &&
           plan->minify == texture->minify && plan->magnify == texture->magnify;
}

static uint32_t find_plan(const facet_j3d_texture_plans *plans, const facet_texture *texture)
{
    uint32_t known = FACET_NONE;
    for (uint32_t i = 0; i < plans->count; i++) {
        if (plans->items[i].image != texture->image)
            continue;
        if (samples_alike(&plans->items[i], texture))
            return i;
        if (plans->items[i].is_known)
            known = i;
    }
    return known;
}

static const facet_texture *base_texture(const facet_j3d_builder *b, uint32_t material)
{
    const facet_texture *texture = b->scene->materials[material]->maps[FACET_MAP_DIFFUSE];
    if (!texture || !texture->has_image || texture->image >= b->scene->image_count)
        return NULL;
    /* The texture of an unread image can be in the original. */
    bool known = facet_j3d_has_bytes(b->scene->images[texture->image]) ||
                 (b->like && b->like->image_of[texture->image] != FACET_NONE);
    return known ? texture : NULL;
}

static void mark_materials(const facet_j3d_builder *b, bool *used)
{
    for (uint32_t i = 0; i < b->instance_count; i++) {
        const facet_mesh *mesh = b->instances[i].mesh;
        for (uint32_t face = 0; face < mesh->face_count && mesh->face_materials; face++) {
            if (mesh->face_materials[face] < b->scene->material_count)
                used[mesh->face_materials[face]] = true;
        }
    }
}

/* True if an image was computed from a material for other programs. They can lose this
 * information. */
static bool is_computed(const facet_j3d_builder *b, uint32_t image)
{
    const facet_j3d_like *like = b->like;
    return facet_j3d_builder_is_computed(b, b->scene->images[image]) ||
           (like && like->image_of[image] != FACET_NONE && !like->is_repainted[image] &&
            facet_j3d_builder_is_computed(b, like->scene->images[like->image_of[image]]));
}

/* True if a material is the original's, with all textures. */
static bool is_original(const facet_j3d_builder *b, uint32_t material)
{
    return b->like && b->like->slot_of[material] != FACET_NONE && !b->like->is_edited[material];
}

/* Add a texture for a material without extras. If its image is that of a texture from a file whose
 * wrap modes differ, it is another texture with the same texels. */
static facet_status add_sampled(facet_j3d_builder *b, facet_j3d_texture_plans *plans, uint32_t from,
                                const facet_texture *texture)
{
    facet_j3d_texture_plan plan = {.image = texture->image};
    if (from != FACET_NONE)
        plan = plans->items[from];
    plan.order = UINT32_MAX;
    plan.wrap_u = texture->wrap_u;
    plan.wrap_v = texture->wrap_v;
    plan.minify = texture->minify;
    plan.magnify = texture->magnify;
    plan.known.wrap_s = facet_j3d_wrap_code(texture->wrap_u);
    plan.known.wrap_t = facet_j3d_wrap_code(texture->wrap_v);
    if (from == FACET_NONE)
        plan.name = name_of(b, texture);
    if (!plan.name)
        return facet_fail_arena(b->scratch, b->error);
    return add_plan(b, plans, &plan);
}

/* Find the texture of a material, or add it. With an original, samplers.c stores edited wrap modes;
 * extras keep theirs. */
static facet_status plan_texture(facet_j3d_builder *b, facet_j3d_texture_plans *plans,
                                 uint32_t material, uint32_t *found, facet_tally *kept)
{
    const facet_texture *texture = base_texture(b, material);
    const facet_gx_file_material *file;
    *found = find_plan(plans, texture);
    bool differs = *found != FACET_NONE && !samples_alike(&plans->items[*found], texture);
    if (*found == FACET_NONE && !facet_j3d_has_bytes(b->scene->images[texture->image]))
        return FACET_OK;
    if (differs && b->like)
        return FACET_OK;
    if (differs) {
        TRY(facet_j3d_builder_material_file(b, material, &file));
        if (file && file->is_known && !b->is_edited[material]) {
            facet_tally_hit(kept, material);
            return FACET_OK;
        }
    }
    if (*found == FACET_NONE || differs) {
        TRY(add_sampled(b, plans, *found, texture));
        *found = plans->count - 1;
    }
    return FACET_OK;
}

/* Add the base colors of used materials. */
static facet_status add_new(facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    uint32_t count = b->scene->material_count;
    bool *used = facet_j3d_builder_scratch(b, count, sizeof *used);
    facet_tally kept = {0};
    if (!used)
        return facet_j3d_builder_no_memory(b);
    mark_materials(b, used);
    for (uint32_t m = 0; m < count; m++) {
        const facet_texture *texture = base_texture(b, m);
        b->texture_of[m] = FACET_NONE;
        if (!used[m] || !texture || is_original(b, m) ||
            (is_computed(b, texture->image) && !b->is_edited[m]))
            continue;
        uint32_t found;
        TRY(plan_texture(b, plans, m, &found, &kept));
        if (found == FACET_NONE)
            continue;
        plans->items[found].needs_alpha |= b->scene->materials[m]->alpha_mode != FACET_ALPHA_OPAQUE;
        b->texture_of[m] = found;
    }
    facet_report_add_tally(facet_j3d_builder_report(b), "LOSS-TEXTURES", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &kept,
                           "the wrap modes of material %" PRIu64
                           " differ from those of its extras, which are kept",
                           kept.first);
    return FACET_OK;
}

/* Sort the textures: those from a file keep its order, others follow. */
static facet_status sort_plans(facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    uint32_t *place = facet_j3d_builder_scratch(b, plans->count, sizeof *place);
    if (!place)
        return facet_j3d_builder_no_memory(b);
    if (plans->count > 0)
        qsort(plans->items, plans->count, sizeof *plans->items, compare_plans);
    for (uint32_t i = 0; i < plans->count; i++)
        place[plans->items[i].number] = i;
    for (uint32_t m = 0; m < b->scene->material_count; m++) {
        if (b->texture_of[m] != FACET_NONE)
            b->texture_of[m] = place[b->texture_of[m]];
    }
    return FACET_OK;
}

/* Find the options for each texture. The wrap modes decide whether an image is resized. */
static facet_status find_wanted(const facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    static const facet_wrap wraps[] = {FACET_WRAP_CLAMP, FACET_WRAP_REPEAT, FACET_WRAP_MIRROR};
    for (uint32_t i = 0; i < plans->count; i++) {
        facet_j3d_texture_plan *plan = &plans->items[i];
        TRY(facet_bti_find_wanted(b->options, plan->name, &plan->wanted, b->error));
        if (plan->wanted.has_wrap_s)
            plan->wrap_u = wraps[plan->wanted.wrap_s];
        if (plan->wanted.has_wrap_t)
            plan->wrap_v = wraps[plan->wanted.wrap_t];
    }
    return FACET_OK;
}

facet_status facet_j3d_plan_textures(facet_j3d_builder *b, facet_j3d_texture_plans *plans)
{
    TRY(b->like ? add_originals(b, plans) : add_known(b, plans));
    TRY(add_new(b, plans));
    TRY(sort_plans(b, plans));
    return find_wanted(b, plans);
}
