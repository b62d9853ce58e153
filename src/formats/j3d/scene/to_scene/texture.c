/* formats/j3d/scene/to_scene/texture.c - a document's textures to a scene's images. */
#include "formats/j3d/scene/to_scene/texture.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "gx/bti_texture.h"

#include <inttypes.h>
#include <string.h>

/* Decoded pixels need at most 8 bytes per byte of texels, without palettes. A file can give one
 * image many sizes, so their total is limited. */
#define MAX_BYTES_PER_BYTE 64
#define FREE_BYTES ((uint64_t)16 << 20)

typedef struct painter {
    const facet_j3d *document;
    const facet_j3d_naming *naming;
    facet_scene *scene;
    facet_arena *arena;
    const facet_options *options;
    facet_error *error;
    uint32_t *image_of;
    uint32_t *next; /* per texture: the next one with the same image */
    uint32_t *most; /* per first texture: the one with the most mip levels */
    uint64_t space; /* bytes that can still be decoded */
} painter;

uint64_t facet_j3d_texture_capacity(const facet_j3d_textures *textures)
{
    uint64_t space = FREE_BYTES;
    for (uint32_t i = 0; i < textures->texels_count; i++)
        space += (uint64_t)textures->texels[i].size * MAX_BYTES_PER_BYTE;
    return space;
}

/* -- Equal textures ----------------------------------------------------- */

static bool same_image(const facet_j3d_texture *a, const facet_j3d_texture *b)
{
    const facet_bti_header *x = &a->header, *y = &b->header;
    return a->image == b->image && a->palette == b->palette && x->format == y->format &&
           x->width == y->width && x->height == y->height &&
           x->palette_format == y->palette_format && x->palette_count == y->palette_count &&
           (a->image != FACET_J3D_NO_TEXELS || a == b);
}

/* The first texture with the same image. Each index of texels has a list of textures; *first is its
 * head, index + 1. */
static uint32_t find_same(const facet_j3d *document, uint32_t index, const uint32_t *first,
                          const uint32_t *chain)
{
    const facet_j3d_texture *items = document->textures.items;
    if (items[index].image >= document->textures.texels_count)
        return index;
    unsigned looked = 0;
    for (uint32_t at = first[items[index].image]; at && looked < 64; at = chain[at - 1], looked++) {
        if (same_image(&items[at - 1], &items[index]))
            return at - 1;
    }
    return index;
}

/* -- Images ------------------------------------------------------------- */

/* Make one gray texel for a texture without an image, so that its header survives. */
static facet_status paint_nothing(const painter *p, facet_image *image)
{
    uint8_t *pixel = facet_arena_allocate(p->scene->arena, 3, 1);
    if (!pixel)
        return facet_fail_arena(p->scene->arena, p->error);
    memset(pixel, 0x80, 3);
    image->pixels = pixel;
    image->width = image->height = 1;
    image->channels = 3;
    return FACET_OK;
}

static facet_status paint(painter *p, uint32_t index, facet_image *image)
{
    const facet_j3d_textures *textures = &p->document->textures;
    const facet_j3d_texture *texture = &textures->items[index];
    facet_gx_texture gx;
    facet_error why;
    uint64_t bytes = (uint64_t)texture->header.width * texture->header.height * 4;
    bytes += bytes / 3 * (texture->header.level_count > 1); /* mip levels add at most a third */
    facet_report *report = p->options ? p->options->report : NULL;
    if (facet_j3d_get_texture(p->document, index, &gx, &why)) {
        facet_report_add(report, "LOSS-IMAGES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "texture %" PRIu32 " is left without its image: %s", index, why.message);
        return paint_nothing(p, image);
    }
    if (bytes > p->space) {
        facet_report_add(
            report, "LOSS-IMAGES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "texture %" PRIu32
            " is left without its image: headers share texels; all images together are too large",
            index);
        return paint_nothing(p, image);
    }
    p->space -= bytes;
    return facet_gx_decode_image(p->scene->arena, &gx, p->options, image, p->error);
}

static facet_status add_image(painter *p, uint32_t index)
{
    const facet_j3d_names *names = &p->document->textures.names;
    const char *bytes = index < names->count ? names->items[index].bytes : "";
    size_t length = facet_j3d_name_text(bytes, NULL, 0);
    char *name = facet_arena_allocate(p->arena, length + 1, 1);
    facet_image *image;
    if (!name)
        return facet_fail_arena(p->arena, p->error);
    facet_j3d_name_text(bytes, name, length + 1);
    facet_status status = facet_scene_add_image(p->scene, name, &image, p->error);
    if (!status)
        status = paint(p, p->most[index], image);
    if (!status)
        p->image_of[index] = p->scene->image_count - 1;
    return status;
}

/* Store the textures of each image. */
static facet_status add_files(const painter *p, uint32_t *which)
{
    uint32_t count = p->document->textures.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t used = 0;
        facet_image *image = p->scene->images[p->image_of[i]];
        if (image->gx_file)
            continue;
        for (uint32_t at = i + 1; at; at = p->next[at - 1])
            which[used++] = at - 1;
        image->gx_file = facet_j3d_file_image(p->document, p->naming, which, used, p->scene->arena);
        if (!image->gx_file)
            return facet_fail_arena(p->scene->arena, p->error);
    }
    return FACET_OK;
}

/* Find, for each texture, the first one with the same image. */
static bool find_all_same(const facet_j3d *document, facet_arena *arena, uint32_t **same)
{
    const facet_j3d_textures *textures = &document->textures;
    uint32_t *first = facet_arena_allocate_zeroed(arena, textures->texels_count, sizeof *first);
    uint32_t *chain = facet_arena_allocate_zeroed(arena, textures->count, sizeof *chain);
    *same = facet_arena_allocate(arena, textures->count, sizeof **same);
    for (uint32_t i = 0; i < textures->count && first && chain && *same; i++) {
        uint32_t texels = textures->items[i].image;
        (*same)[i] = find_same(document, i, first, chain);
        if ((*same)[i] == i && texels < textures->texels_count) {
            chain[i] = first[texels];
            first[texels] = i + 1;
        }
    }
    return first && chain && *same;
}

bool facet_j3d_images_of_textures(const facet_j3d *document, facet_arena *arena,
                                  uint32_t **image_of)
{
    uint32_t count = document->textures.count, images = 0, *same;
    *image_of = facet_arena_allocate(arena, count, sizeof **image_of);
    if (!*image_of || !find_all_same(document, arena, &same))
        return false;
    for (uint32_t i = 0; i < count; i++)
        (*image_of)[i] = same[i] == i ? images++ : (*image_of)[same[i]];
    return true;
}

facet_status facet_j3d_scene_images(const facet_j3d *document, const facet_j3d_naming *naming,
                                    facet_scene *scene, facet_arena *arena, uint32_t **image_of,
                                    const facet_options *options, facet_error *error)
{
    const facet_j3d_textures *textures = &document->textures;
    uint32_t count = textures->count, *same;
    painter p = {.document = document,
                 .naming = naming,
                 .scene = scene,
                 .arena = arena,
                 .options = options,
                 .error = error,
                 .space = facet_j3d_texture_capacity(textures)};
    uint32_t *last = facet_arena_allocate_zeroed(arena, count, sizeof *last);
    uint32_t *which = facet_arena_allocate(arena, count, sizeof *which);
    p.image_of = facet_arena_allocate(arena, count, sizeof *p.image_of);
    p.next = facet_arena_allocate_zeroed(arena, count, sizeof *p.next);
    p.most = facet_arena_allocate(arena, count, sizeof *p.most);
    if (!last || !which || !p.image_of || !p.next || !p.most ||
        !find_all_same(document, arena, &same))
        return facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *most = &p.most[same[i]];
        if (same[i] == i ||
            textures->items[i].header.level_count > textures->items[*most].header.level_count)
            *most = i;
    }
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        last[same[i]] = same[i] == i ? i : last[same[i]];
        if (same[i] == i) {
            status = add_image(&p, i);
            continue;
        }
        p.image_of[i] = p.image_of[same[i]];
        p.next[last[same[i]]] = i + 1;
        last[same[i]] = i;
    }
    if (!status)
        status = add_files(&p, which);
    if (!status)
        *image_of = p.image_of;
    return status;
}
