/* formats/j3d/patch/images.c - match of the scene's images with those of the original, and
 * repainted images.
 *
 * Programs and formats change the names: an FBX adds ".png", a DAE has only numbered files. So
 * images also match by their pixels, and those of a DAE by the material that shows them. */
#include "formats/j3d/patch/images.h"
#include "formats/j3d/scene/from_scene/names.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "gx/equal_image.h"
#include "image/image.h"

#include <facet/image.h>
#include <stdlib.h>
#include <string.h>

/* -- Texels ------------------------------------------------------------- */

#define TEXEL_TOLERANCE 2

/* Compare texels. Colors are weighted by their alpha, because programs drop colors with alpha 0. */
static bool same_texels(const facet_image *a, const facet_image *b)
{
    if (a->is_float || b->is_float || a->width != b->width || a->height != b->height)
        return false;
    size_t count = (size_t)a->width * a->height;
    if (a->channels == b->channels && memcmp(a->pixels, b->pixels, count * a->channels) == 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        uint8_t x[4], y[4];
        facet_gx_texel_of(a, i, x);
        facet_gx_texel_of(b, i, y);
        if (abs(x[3] - y[3]) > TEXEL_TOLERANCE)
            return false;
        for (int c = 0; c < 3; c++) {
            if (abs(x[c] - y[c]) * x[3] > TEXEL_TOLERANCE * 255)
                return false;
        }
    }
    return true;
}

/* Decode an image of the scene; it has bytes or pixels. Release it after use. */
static facet_status open_image(const facet_j3d_builder *b, uint32_t index, facet_image *image)
{
    *image = *b->scene->images[index];
    return facet_image_decode(b->scratch, image, b->options, b->error);
}

static void release_image(const facet_j3d_builder *b, uint32_t index, const facet_image *image)
{
    if (image->pixels != b->scene->images[index]->pixels)
        facet_arena_release(b->scratch, image->pixels, facet_image_bytes(image), 1);
}

facet_status facet_j3d_like_compare_image(const facet_j3d_builder *b, uint32_t index,
                                          bool *repainted)
{
    const facet_image *known = b->like->scene->images[b->like->image_of[index]];
    facet_image image;
    if (!facet_j3d_has_bytes(b->scene->images[index]))
        return FACET_OK;
    TRY(open_image(b, index, &image));
    *repainted = !known->pixels || !same_texels(known, &image);
    release_image(b, index, &image);
    return FACET_OK;
}

/* -- By name ------------------------------------------------------------ */

static const char *image_name(const void *user, uint32_t i)
{
    const facet_scene *scene = user;
    return scene->images[i]->name;
}

/* The name of an image, else of its file, without folder and extension. */
static const char *name_of(const facet_j3d_builder *b, const facet_image *image)
{
    if (*image->name || !image->path)
        return image->name;
    return facet_arena_stem(b->scratch, image->path);
}

/* The same without the extension, and without a number that Blender appended to that. */
static const char *stem_of(const facet_j3d_builder *b, const facet_image *image)
{
    const char *name = name_of(b, image);
    const char *bare = name ? facet_arena_string(b->scratch, name, facet_bare_length(name)) : NULL;
    return bare ? facet_arena_stem(b->scratch, bare) : NULL;
}

static facet_status match_names(facet_j3d_builder *b, facet_j3d_name_index *names)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    for (int pass = 0; pass < 5; pass++) {
        bool by_stem = pass == 2 || pass == 4;
        for (uint32_t i = 0; i < scene->image_count; i++) {
            if (like->image_of[i] != FACET_NONE)
                continue;
            const char *name =
                by_stem ? stem_of(b, scene->images[i]) : name_of(b, scene->images[i]);
            if (!name)
                return facet_fail_arena(b->scratch, b->error);
            like->image_of[i] = pass == 1  ? facet_j3d_assign_changed_name(names, name)
                                : pass < 3 ? facet_j3d_assign_name(names, name)
                                           : facet_j3d_find_name(names, name);
        }
    }
    return FACET_OK;
}

/* True if an image can be that of the original with its name: the pixels are equal, or unknown. */
static facet_status is_copy(const facet_j3d_builder *b, uint32_t index, bool *copy)
{
    bool repainted = false;
    TRY(facet_j3d_like_compare_image(b, index, &repainted));
    *copy = !repainted;
    return FACET_OK;
}

/* Images of several models can have equal names. If several have the name of an image of the
 * original, those with its pixels are that image, else only the first; the others are new. */
static facet_status separate_names(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    uint32_t count = b->scene->image_count, known = like->scene->image_count;
    uint32_t *users = facet_j3d_builder_scratch(b, known, sizeof *users);
    bool *found = facet_j3d_builder_scratch(b, known, sizeof *found); /* one has its pixels */
    bool *copies = facet_j3d_builder_scratch(b, count, sizeof *copies);
    if (!users || !found || !copies)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < count; i++)
        if (like->image_of[i] != FACET_NONE)
            users[like->image_of[i]]++;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t image = like->image_of[i];
        if (image == FACET_NONE || users[image] < 2)
            continue;
        TRY(is_copy(b, i, &copies[i]));
        found[image] |= copies[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t image = like->image_of[i];
        if (image == FACET_NONE || users[image] < 2 || copies[i])
            continue;
        if (found[image])
            like->image_of[i] = FACET_NONE;
        found[image] = true;
    }
    return FACET_OK;
}

/* -- By pixels ---------------------------------------------------------- */

/* Size and content of an image. */
typedef struct fingerprint {
    uint64_t hash;
    uint32_t width, height;
} fingerprint;

static fingerprint fingerprint_of(const facet_image *image)
{
    fingerprint made = {0, image->width, image->height};
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        uint8_t texel[4];
        facet_gx_texel_of(image, i, texel);
        uint64_t color = (uint64_t)texel[0] << 16 | (uint64_t)texel[1] << 8 | (uint64_t)texel[2];
        made.hash = facet_hash_word(made.hash, texel[3] ? (uint64_t)texel[3] << 24 | color : 0);
    }
    return made;
}

static bool is_unmatched(const facet_j3d_builder *b, uint32_t image)
{
    return b->like->image_of[image] == FACET_NONE && facet_j3d_has_bytes(b->scene->images[image]);
}

static facet_status find_by_pixels(facet_j3d_builder *b, facet_records *known,
                                   const uint32_t *first, uint32_t index)
{
    facet_image image;
    TRY(open_image(b, index, &image));
    if (!image.is_float) {
        const fingerprint made = fingerprint_of(&image);
        uint32_t number = facet_records_find(known, &made);
        uint32_t found = number == UINT32_MAX ? FACET_NONE : first[number];
        if (found != FACET_NONE && same_texels(b->like->scene->images[found], &image))
            b->like->image_of[index] = found;
    }
    release_image(b, index, &image);
    return FACET_OK;
}

/* Match images that no name matches. Images of the original that a name matched can be found
 * again: programs copy images. */
static facet_status match_pixels(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene, *original = b->like->scene;
    facet_records known = facet_records_make(b->scratch, sizeof(fingerprint));
    uint32_t *first = facet_j3d_builder_scratch(b, original->image_count, sizeof *first);
    bool any = false;
    if (!first)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->image_count; i++)
        any |= is_unmatched(b, i);
    for (uint32_t i = 0; i < original->image_count && any; i++) {
        if (!original->images[i]->pixels || original->images[i]->is_float)
            continue;
        const fingerprint made = fingerprint_of(original->images[i]);
        uint32_t before = known.count, number = facet_records_put(&known, &made);
        if (number == UINT32_MAX)
            return facet_fail_arena(b->scratch, b->error);
        if (number == before)
            first[number] = i;
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        if (is_unmatched(b, i))
            TRY(find_by_pixels(b, &known, first, i));
    }
    facet_records_free(&known);
    return FACET_OK;
}

/* -- By material -------------------------------------------------------- */

/* Match the other images of formats that number them: such an image is the one that its
 * material showed, if no other image is that. */
static facet_status match_materials(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    bool *taken = facet_j3d_builder_scratch(b, like->scene->image_count, sizeof *taken);
    if (!taken)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->image_count; i++) {
        if (like->image_of[i] != FACET_NONE)
            taken[like->image_of[i]] = true;
    }
    for (uint32_t m = 0; m < scene->material_count; m++) {
        const facet_texture *now = scene->materials[m]->maps[FACET_MAP_DIFFUSE];
        if (like->slot_of[m] == FACET_NONE || !scene->materials[m]->sides_unknown || !now ||
            !now->has_image || like->image_of[now->image] != FACET_NONE)
            continue;
        const facet_texture *known =
            like->scene->materials[like->slot_of[m]]->maps[FACET_MAP_DIFFUSE];
        if (!known || !known->has_image || taken[known->image])
            continue;
        like->image_of[now->image] = known->image;
        taken[known->image] = true;
    }
    return FACET_OK;
}

static void report_unread(const facet_j3d_builder *b)
{
    facet_tally unread = {0};
    facet_quoted quoted;
    for (uint32_t i = 0; i < b->scene->image_count; i++) {
        if (!facet_j3d_has_bytes(b->scene->images[i]))
            facet_tally_hit(&unread, i);
    }
    if (unread.count == 0)
        return;
    const facet_image *image = b->scene->images[unread.first];
    const char *name = *image->name || !image->path ? image->name : image->path;
    facet_report_add_tally(facet_j3d_builder_report(b), "J3D-LIKE", FACET_SEVERITY_NOTE,
                           FACET_NO_OFFSET, &unread,
                           "image '%s' was not read: textures and materials of the original that "
                           "show it are kept",
                           facet_quote(&quoted, name, strlen(name)));
}

facet_status facet_j3d_like_match_images(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    facet_j3d_name_index names;
    like->image_of = facet_j3d_builder_scratch(b, b->scene->image_count, sizeof *like->image_of);
    if (!like->image_of)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->scene->image_count; i++)
        like->image_of[i] = FACET_NONE;
    TRY(facet_j3d_index_names(b, like->scene->image_count, image_name, like->scene, &names));
    TRY(match_names(b, &names));
    TRY(separate_names(b));
    TRY(match_pixels(b));
    report_unread(b);
    return match_materials(b);
}
