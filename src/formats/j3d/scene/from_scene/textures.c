/* formats/j3d/scene/from_scene/textures.c - images to textures, each with its sampling, encoded
 * once. */
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/scene/from_scene/names.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "gx/bti_settings.h"
#include "gx/bti_texture.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "base/text.h"
#include "image/image.h"

#include <facet/gx.h>
#include <facet/image.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIDE 1024
#define SMALLEST_LEVEL 8 /* side of the largest block, of CMPR and I4 */

/* -- Selection of textures ---------------------------------------------- */

/* A texture of the document: an image and its sampling. */
typedef struct texture_plan {
    uint32_t number; /* in the order of discovery */
    uint32_t image;
    bool is_known; /* it comes from a J3D file */
    bool is_kept;  /* it stays as in the original */
    bool needs_alpha;
    uint32_t order; /* its index in that file; UINT32_MAX: not from a file */
    const char *name;
    const char *label; /* its name in extras */
    facet_bti_header known;
    facet_bti_wanted wanted; /* options for this texture */
    facet_wrap wrap_u, wrap_v;
    facet_filter minify, magnify;
} texture_plan;

typedef struct texture_plans {
    texture_plan *items;
    uint32_t count, space;
} texture_plans;

static facet_status add_plan(facet_j3d_builder *b, texture_plans *plans, const texture_plan *plan)
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
static facet_status strip_numbers(const facet_j3d_builder *b, texture_plans *plans)
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
    const texture_plan *a = left, *b = right;
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

static facet_status know_images(const facet_j3d_builder *b, const texture_plans *plans,
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
static facet_status add_missing(facet_j3d_builder *b, texture_plans *plans)
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
            texture_plan plan = {.image = FACET_NONE, .is_known = true, .needs_alpha = true};
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
        texture_plan *plan = &plans->items[i];
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
static facet_status add_known(facet_j3d_builder *b, texture_plans *plans)
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
            texture_plan plan = {.image = i, .is_known = true, .needs_alpha = true};
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
static facet_status add_originals(facet_j3d_builder *b, texture_plans *plans)
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
        texture_plan plan = {.image = image_of[i], .is_known = true, .needs_alpha = true};
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

static uint8_t wrap_code(facet_wrap wrap)
{
    return wrap == FACET_WRAP_CLAMP ? 0 : wrap == FACET_WRAP_MIRROR ? 2 : 1;
}

/* True if a code of a file is a wrap mode of a scene. Unknown codes repeat there. */
static bool is_wrap(uint8_t code, facet_wrap wrap)
{
    return (code > 2 ? 1 : code) == wrap_code(wrap);
}

/* True if a planned texture has the sampling of a material's texture. Other programs change the
 * filters of those from files. */
static bool samples_alike(const texture_plan *plan, const facet_texture *texture)
{
    if (plan->is_known)
        return is_wrap(plan->known.wrap_s, texture->wrap_u) &&
               is_wrap(plan->known.wrap_t, texture->wrap_v);
    return plan->wrap_u == texture->wrap_u && plan->wrap_v == texture->wrap_v &&
           plan->minify == texture->minify && plan->magnify == texture->magnify;
}

static uint32_t find_plan(const texture_plans *plans, const facet_texture *texture)
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
static facet_status add_sampled(facet_j3d_builder *b, texture_plans *plans, uint32_t from,
                                const facet_texture *texture)
{
    texture_plan plan = {.image = texture->image};
    if (from != FACET_NONE)
        plan = plans->items[from];
    plan.order = UINT32_MAX;
    plan.wrap_u = texture->wrap_u;
    plan.wrap_v = texture->wrap_v;
    plan.minify = texture->minify;
    plan.magnify = texture->magnify;
    plan.known.wrap_s = wrap_code(texture->wrap_u);
    plan.known.wrap_t = wrap_code(texture->wrap_v);
    if (from == FACET_NONE)
        plan.name = name_of(b, texture);
    if (!plan.name)
        return facet_fail_arena(b->scratch, b->error);
    return add_plan(b, plans, &plan);
}

/* Find the texture of a material, or add it. With an original, samplers.c stores edited wrap modes;
 * extras keep theirs. */
static facet_status plan_texture(facet_j3d_builder *b, texture_plans *plans, uint32_t material,
                                 uint32_t *found, facet_tally *kept)
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
static facet_status add_new(facet_j3d_builder *b, texture_plans *plans)
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
static facet_status sort_plans(facet_j3d_builder *b, texture_plans *plans)
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
static facet_status find_wanted(const facet_j3d_builder *b, texture_plans *plans)
{
    static const facet_wrap wraps[] = {FACET_WRAP_CLAMP, FACET_WRAP_REPEAT, FACET_WRAP_MIRROR};
    for (uint32_t i = 0; i < plans->count; i++) {
        texture_plan *plan = &plans->items[i];
        TRY(facet_bti_find_wanted(b->options, plan->name, &plan->wanted, b->error));
        if (plan->wanted.has_wrap_s)
            plan->wrap_u = wraps[plan->wanted.wrap_s];
        if (plan->wanted.has_wrap_t)
            plan->wrap_v = wraps[plan->wanted.wrap_t];
    }
    return FACET_OK;
}

static bool wants_same_texels(const facet_bti_wanted *a, const facet_bti_wanted *b)
{
    return a->has_format == b->has_format && a->is_automatic == b->is_automatic &&
           a->format == b->format && a->levels == b->levels;
}

/* -- Pixels ------------------------------------------------------------- */

static bool is_power_of_two(uint32_t side)
{
    return (side & (side - 1)) == 0;
}

static uint32_t fitting_side(uint32_t side)
{
    uint32_t power = facet_image_nearest_power_of_two(side);
    return power > MAX_SIDE ? MAX_SIDE : power;
}

/* Free pixels that the scene does not own. */
static void release_pixels(const facet_j3d_builder *b, const texture_plan *plan,
                           const facet_image *image)
{
    if (plan->image == FACET_NONE || image->pixels != b->scene->images[plan->image]->pixels)
        facet_arena_release(b->scratch, image->pixels, facet_image_bytes(image), 1);
}

/* Remove alpha that no material shows, because it requires a larger format. */
static facet_status drop_alpha(const facet_j3d_builder *b, const texture_plan *plan,
                               facet_image *image)
{
    if (plan->needs_alpha || (image->channels != 2 && image->channels != 4))
        return FACET_OK;
    const uint8_t *pixels = image->pixels;
    size_t count = (size_t)image->width * image->height, opaque = 0;
    while (!image->is_float && opaque < count &&
           pixels[opaque * image->channels + image->channels - 1] == 255)
        opaque++;
    if (opaque < count)
        facet_report_add(facet_j3d_builder_report(b), "LOSS-PIXELS", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET,
                         "the alpha of image '%s' is left out: no material shows it", plan->name);
    facet_image made;
    facet_status status =
        facet_image_with_channels(b->scratch, image, image->channels - 1, &made, b->error);
    if (status)
        return status;
    release_pixels(b, plan, image);
    *image = made;
    return FACET_OK;
}

/* True if a texture repeats or mirrors along one axis. */
static bool repeats(bool is_wanted, uint8_t wanted, bool is_known, uint8_t known, facet_wrap wrap)
{
    return is_wanted ? wanted != 0 : is_known ? known != 0 : wrap != FACET_WRAP_CLAMP;
}

/* Resize the sides of an image along which it repeats to powers of two: the hardware requires it.
 */
static facet_status fit(const facet_j3d_builder *b, const texture_plan *plan, facet_image *image)
{
    if (image->width > MAX_SIDE || image->height > MAX_SIDE)
        return facet_fail(b->error, FACET_ERROR_LIMIT, "J3D-LIMIT-TEXTURE", FACET_NO_OFFSET,
                          "image '%s' has %" PRIu32 " x %" PRIu32
                          " texels, and a texture has %d x %d at most: --resize makes it smaller",
                          plan->name, image->width, image->height, MAX_SIDE, MAX_SIDE);
    const facet_bti_wanted *wanted = &plan->wanted;
    uint32_t width = image->width, height = image->height;
    /* A texture from a file keeps the sides that it had. */
    bool same_sides = plan->is_known && plan->known.width == width && plan->known.height == height;
    if (repeats(wanted->has_wrap_s, wanted->wrap_s, plan->is_known, plan->known.wrap_s,
                plan->wrap_u))
        width = fitting_side(width);
    if (repeats(wanted->has_wrap_t, wanted->wrap_t, plan->is_known, plan->known.wrap_t,
                plan->wrap_v))
        height = fitting_side(height);
    if (same_sides || (width == image->width && height == image->height))
        return FACET_OK;
    facet_report_add(facet_j3d_builder_report(b), "LOSS-TEXTURES", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET,
                     "image '%s' of %" PRIu32 " x %" PRIu32 " texels becomes %" PRIu32 " x %" PRIu32
                     ": only sides that are powers of two can repeat",
                     plan->name, image->width, image->height, width, height);
    facet_image made;
    facet_status status =
        facet_image_with_size(b->scratch, image, width, height, true, &made, b->error);
    if (status)
        return status;
    release_pixels(b, plan, image);
    *image = made;
    return FACET_OK;
}

static bool wants_mips(facet_filter filter)
{
    return filter >= FACET_FILTER_NEAREST_MIPMAP_NEAREST;
}

/* Number of levels down to the smallest that fills a block of texels. Blender always requests mip
 * levels, and other tools reject a chain that ends in one texel. */
static uint32_t usual_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1;
    if (!is_power_of_two(width) || !is_power_of_two(height))
        return 1;
    while (width >> levels >= SMALLEST_LEVEL && height >> levels >= SMALLEST_LEVEL)
        levels++;
    return levels;
}

/* -- Encoding ----------------------------------------------------------- */

static facet_status encode(const facet_j3d_builder *b, const texture_plan *plan,
                           facet_gx_texture *made)
{
    facet_image image = {0};
    facet_gx_texture_options how;
    facet_status status = FACET_OK;
    if (plan->image == FACET_NONE) {
        status = facet_image_allocate(b->scratch, &image, plan->known.width, plan->known.height, 4,
                                      false, 0, NULL, b->error);
        if (!status)
            memset(image.pixels, 0x80, facet_image_bytes(&image));
    } else {
        image = *b->scene->images[plan->image];
        status = facet_image_decode(b->scratch, &image, b->options, b->error);
    }
    if (!status)
        status = drop_alpha(b, plan, &image);
    if (!status)
        status = fit(b, plan, &image);
    if (!status)
        status = facet_bti_encoding(b->options, plan->name, plan->is_known ? &plan->known : NULL,
                                    &how, b->error);
    if (status)
        return status;
    if (!plan->is_known && how.levels == 0 && wants_mips(plan->minify))
        how.levels = usual_levels(image.width, image.height);
    status = facet_gx_encode_image(b->document->arena, &image, &how, b->options, made, b->error);
    release_pixels(b, plan, &image);
    return status;
}

/* Find an earlier plan with the same image and encoding. */
static uint32_t same_texels(const texture_plans *plans, uint32_t index)
{
    const texture_plan *plan = &plans->items[index];
    for (uint32_t i = 0; i < index && plan->image != FACET_NONE; i++) {
        const texture_plan *other = &plans->items[i];
        if (other->image != plan->image || other->is_kept || other->is_known != plan->is_known ||
            other->needs_alpha != plan->needs_alpha ||
            !wants_same_texels(&other->wanted, &plan->wanted))
            continue;
        if (plan->is_known
                ? other->known.format == plan->known.format &&
                      other->known.palette_format == plan->known.palette_format &&
                      other->known.level_count == plan->known.level_count &&
                      !other->known.wrap_s == !plan->known.wrap_s &&
                      !other->known.wrap_t == !plan->known.wrap_t
                : wants_mips(other->minify) == wants_mips(plan->minify) &&
                      (other->wrap_u == FACET_WRAP_CLAMP) == (plan->wrap_u == FACET_WRAP_CLAMP) &&
                      (other->wrap_v == FACET_WRAP_CLAMP) == (plan->wrap_v == FACET_WRAP_CLAMP))
            return i;
    }
    return FACET_NONE;
}

/* Store a run of bytes, or reuse an equal one. Return its index. */
static uint32_t put_texels(facet_j3d_textures *textures, const uint8_t *bytes, size_t size)
{
    for (uint32_t i = 0; i < textures->texels_count; i++) {
        const facet_j3d_texels *known = &textures->texels[i];
        if (known->size == size &&
            (known->bytes == bytes || memcmp(known->bytes, bytes, size) == 0))
            return i;
    }
    textures->texels[textures->texels_count].bytes = bytes;
    textures->texels[textures->texels_count].size = size;
    return textures->texels_count++;
}

/* Store a palette in whole blocks of 32 bytes. */
static facet_status put_palette(const facet_j3d_builder *b, const facet_gx_palette *palette,
                                facet_j3d_textures *textures, uint32_t *index)
{
    *index = FACET_J3D_NO_TEXELS;
    if (palette->count == 0)
        return FACET_OK;
    size_t size = facet_align_up((size_t)palette->count * 2, 32);
    uint8_t *bytes = facet_j3d_builder_keep(b, size, 1);
    if (!bytes)
        return facet_j3d_builder_no_memory(b);
    memcpy(bytes, palette->entries, (size_t)palette->count * 2);
    *index = put_texels(textures, bytes, size);
    return FACET_OK;
}

static void set_sampler(const texture_plan *plan, facet_bti_header *header)
{
    static const uint8_t filters[] = {
        [FACET_FILTER_DEFAULT] = 1,
        [FACET_FILTER_NEAREST] = 0,
        [FACET_FILTER_LINEAR] = 1,
        [FACET_FILTER_NEAREST_MIPMAP_NEAREST] = 2,
        [FACET_FILTER_LINEAR_MIPMAP_NEAREST] = 3,
        [FACET_FILTER_NEAREST_MIPMAP_LINEAR] = 4,
        [FACET_FILTER_LINEAR_MIPMAP_LINEAR] = 5,
    };
    uint8_t filter = filters[plan->minify];
    header->wrap_s = wrap_code(plan->wrap_u);
    header->wrap_t = wrap_code(plan->wrap_v);
    header->mag_filter = plan->magnify == FACET_FILTER_NEAREST ? 0 : 1;
    if (header->level_count > 1)
        header->min_filter = filter >= 2 ? filter : 5;
    else
        header->min_filter = filter == 0 || filter == 2 || filter == 4 ? 0 : 1;
}

static facet_status put_texture(facet_j3d_builder *b, const texture_plans *plans, uint32_t index,
                                facet_gx_texture *encoded)
{
    facet_j3d_textures *textures = &b->document->textures;
    facet_j3d_texture *texture = &textures->items[index];
    const texture_plan *plan = &plans->items[index];
    if (plan->is_kept) {
        const facet_j3d_textures *from = &b->like->document->textures;
        const facet_j3d_texture *known = &from->items[index];
        *texture = *known;
        if (known->image < from->texels_count)
            texture->image = put_texels(textures, from->texels[known->image].bytes,
                                        from->texels[known->image].size);
        if (known->palette < from->texels_count)
            texture->palette = put_texels(textures, from->texels[known->palette].bytes,
                                          from->texels[known->palette].size);
        return FACET_OK;
    }
    uint32_t same = same_texels(plans, index);
    facet_status status = FACET_OK;
    if (same != FACET_NONE)
        encoded[index] = encoded[same];
    else
        status = encode(b, plan, &encoded[index]);
    if (status)
        return status;
    const facet_gx_texture *made = &encoded[index];
    facet_bti_header_for(made, plan->is_known ? &plan->known : NULL, &texture->header);
    if (!plan->is_known)
        set_sampler(plan, &texture->header);
    facet_bti_set_sampler(&plan->wanted, &texture->header);
    facet_bti_report_sides(&texture->header, plan->name, "TEX1-SIDES", b->options);
    if (made->width > b->largest_texture)
        b->largest_texture = made->width;
    if (made->height > b->largest_texture)
        b->largest_texture = made->height;
    status = put_palette(b, &made->palette, textures, &texture->palette);
    texture->image = put_texels(textures, made->data, made->size);
    return status;
}

facet_status facet_j3d_build_textures(facet_j3d_builder *b)
{
    facet_j3d_textures *textures = &b->document->textures;
    texture_plans plans = {0};
    size_t lost = 0;
    b->texture_of = facet_j3d_builder_scratch(b, b->scene->material_count, sizeof *b->texture_of);
    if (!b->texture_of)
        return facet_j3d_builder_no_memory(b);
    facet_status status = b->like ? add_originals(b, &plans) : add_known(b, &plans);
    if (!status)
        status = add_new(b, &plans);
    if (!status)
        status = sort_plans(b, &plans);
    if (!status)
        status = find_wanted(b, &plans);
    if (!status)
        status = facet_j3d_builder_limit(b, "J3D-LIMIT-TEXTURES", plans.count, UINT16_MAX - 1,
                                         "textures", "use fewer images");
    if (status)
        return status;
    facet_gx_texture *encoded = facet_j3d_builder_scratch(b, plans.count, sizeof *encoded);
    textures->items = facet_j3d_builder_keep(b, plans.count, sizeof *textures->items);
    textures->texels = facet_j3d_builder_keep(b, (size_t)plans.count * 2, sizeof *textures->texels);
    textures->names.items = facet_j3d_builder_keep(b, plans.count, sizeof *textures->names.items);
    b->label_of = facet_j3d_builder_scratch(b, plans.count, sizeof *b->label_of);
    if (!encoded || !b->label_of || !textures->items || !textures->texels || !textures->names.items)
        return facet_j3d_builder_no_memory(b);
    b->document->has_textures = true;
    for (uint32_t i = 0; i < plans.count && !status; i++) {
        b->label_of[i] = plans.items[i].label;
        status = put_texture(b, &plans, i, encoded);
        if (!status && b->like && i < b->like->document->textures.names.count)
            textures->names.items[i] = b->like->document->textures.names.items[i];
        else if (!status)
            status =
                facet_j3d_builder_name(b, plans.items[i].name, &textures->names.items[i], &lost);
        textures->count = textures->names.count = i + 1;
    }
    if (b->like)
        b->like->textures_changed |= plans.count > b->like->document->textures.count;
    facet_j3d_builder_report_names(b, "texture", lost);
    return status;
}
