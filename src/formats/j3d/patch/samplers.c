/* formats/j3d/patch/samplers.c - edited wrap modes and filters of textures.
 *
 * A scene has a sampler per material, J3D per texture. So an edit is stored in the texture if all
 * slots that use it agree, else in a new texture. The material keeps everything else. */
#include "formats/j3d/patch/samplers.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/patch/material_slots.h"
#include "formats/j3d/scene/from_scene/names.h"
#include "formats/j3d/scene/to_scene/material_shown.h"
#include "gx/bti_settings.h"

#include <inttypes.h>
#include <string.h>

enum { MAPS = 8, NO_MAP = 0xFFFF };

/* An edit of a slot's texture. */
typedef struct sampler_edit {
    uint32_t texture; /* FACET_NONE: no edit */
    facet_bti_header header;
} sampler_edit;

typedef struct sampler_writer {
    facet_j3d_builder *builder;
    facet_j3d_textures *textures;
    uint32_t slot_count;
    sampler_edit *edits;           /* per slot */
    facet_j3d_material *materials; /* per slot */
    sampler_edit *stored;          /* per texture: the edit that it gets */
    uint32_t texture_count;        /* without new ones */
    bool materials_changed;
} sampler_writer;

static bool is_same(const facet_bti_header *a, const facet_bti_header *b)
{
    return a->wrap_s == b->wrap_s && a->wrap_t == b->wrap_t && a->min_filter == b->min_filter &&
           a->mag_filter == b->mag_filter;
}

/* -- Samplers of the scene ---------------------------------------------- */

/* Formats with plain materials have no mirrored textures: there, REPEAT is unknown. */
static uint8_t wrap_of(uint8_t known, facet_wrap now, bool is_plain)
{
    if (is_plain && now == FACET_WRAP_REPEAT)
        return known;
    return now == FACET_WRAP_CLAMP ? 0 : now == FACET_WRAP_MIRROR ? 2 : 1;
}

static bool is_nearest(uint8_t min_filter)
{
    return min_filter % 2 == 0;
}

/* Blender has one setting for both filters, and always requests mip levels. */
static void set_blender_filter(const facet_texture *now, facet_bti_header *header)
{
    bool was = header->mag_filter == 0 && is_nearest(header->min_filter);
    bool is = now->magnify == FACET_FILTER_NEAREST;
    if (was == is || now->magnify == FACET_FILTER_DEFAULT)
        return;
    header->mag_filter = !is;
    header->min_filter = (uint8_t)((header->min_filter & ~1U) | !is);
}

/* The scene's values are the file's plus 1, after "default". */
static void set_filter(const facet_texture *now, facet_bti_header *header)
{
    if (now->magnify != FACET_FILTER_DEFAULT)
        header->mag_filter = now->magnify != FACET_FILTER_NEAREST;
    if (now->minify == FACET_FILTER_DEFAULT || now->minify == header->min_filter + 1U)
        return;
    header->min_filter = (uint8_t)(now->minify - 1);
    if (header->level_count <= 1)
        header->min_filter = !is_nearest(header->min_filter);
}

static void set_sampler(const facet_scene *scene, const facet_material *material,
                        facet_bti_header *header)
{
    const facet_texture *now = material->maps[FACET_MAP_DIFFUSE];
    bool is_plain = material->sides_unknown;
    header->wrap_s = wrap_of(header->wrap_s, now->wrap_u, is_plain);
    header->wrap_t = wrap_of(header->wrap_t, now->wrap_v, is_plain);
    if (is_plain)
        return;
    if (scene->generator && strstr(scene->generator, "Blender"))
        set_blender_filter(now, header);
    else
        set_filter(now, header);
}

/* -- Edits -------------------------------------------------------------- */

/* True if a material has the wrap modes and filters of the original. */
static bool has_known_sampler(const facet_j3d_builder *b, uint32_t material)
{
    const facet_j3d_like *like = b->like;
    const facet_texture *now = b->scene->materials[material]->maps[FACET_MAP_DIFFUSE];
    const facet_texture *known =
        like->scene->materials[like->slot_of[material]]->maps[FACET_MAP_DIFFUSE];
    return !known || (known->wrap_u == now->wrap_u && known->wrap_v == now->wrap_v &&
                      known->minify == now->minify && known->magnify == now->magnify);
}

/* The texture that a scene's material shows; FACET_NONE: none, or its sampler is the original's. */
static facet_status shown_texture(const facet_j3d_builder *b, facet_j3d_viewer *viewer,
                                  uint32_t material, uint32_t *texture)
{
    const facet_j3d_like *like = b->like;
    const facet_texture *now = b->scene->materials[material]->maps[FACET_MAP_DIFFUSE];
    uint32_t slot = like->slot_of[material];
    *texture = FACET_NONE;
    if (!now || !now->has_image)
        return FACET_OK;
    if (slot == FACET_NONE || like->is_edited[material]) {
        *texture = b->texture_of[material];
        return FACET_OK;
    }
    facet_j3d_material *known = facet_arena_allocate(b->scratch, 1, sizeof *known);
    facet_j3d_shown *shown = facet_arena_allocate(b->scratch, 1, sizeof *shown);
    if (!known || !shown)
        return facet_fail_arena(b->scratch, b->error);
    facet_status status = FACET_OK;
    if (!has_known_sampler(b, material)) {
        status = facet_j3d_get_material(like->document, slot, known, b->error);
        if (!status)
            status = facet_j3d_view_material(viewer, slot, &known->gx, shown, b->error);
        if (!status && shown->base >= 0)
            *texture = (uint32_t)shown->base;
    }
    facet_arena_release(b->scratch, shown, 1, sizeof *shown);
    facet_arena_release(b->scratch, known, 1, sizeof *known);
    return status;
}

static facet_status find_edit(sampler_writer *w, facet_j3d_viewer *viewer, uint32_t slot,
                              uint32_t material, bool *any)
{
    const facet_j3d_builder *b = w->builder;
    sampler_edit *edit = &w->edits[slot];
    if (edit->texture != FACET_NONE || material >= b->scene->material_count)
        return FACET_OK;
    uint32_t texture;
    TRY(shown_texture(b, viewer, material, &texture));
    if (texture >= w->texture_count)
        return FACET_OK;
    edit->header = w->textures->items[texture].header;
    set_sampler(b->scene, b->scene->materials[material], &edit->header);
    if (!is_same(&edit->header, &w->textures->items[texture].header))
        edit->texture = texture;
    *any |= edit->texture != FACET_NONE;
    return FACET_OK;
}

static facet_status find_edits(sampler_writer *w, bool *any)
{
    const facet_j3d_builder *b = w->builder;
    const facet_j3d_like *like = b->like;
    facet_j3d_viewer viewer;
    bool usable;
    *any = false;
    TRY(facet_j3d_viewer_make(like->document, like->scene, b->scratch, &viewer, &usable, b->error));
    for (uint32_t i = 0; i < w->slot_count; i++)
        w->edits[i].texture = FACET_NONE;
    for (uint32_t i = 0; i < like->new_slot_count; i++) {
        if (like->new_slots[i].slot < w->slot_count)
            TRY(find_edit(w, &viewer, like->new_slots[i].slot, like->new_slots[i].material, any));
    }
    for (uint32_t m = 0; m < b->scene->material_count; m++) {
        if (like->slot_of[m] < w->slot_count && !like->is_edited[m])
            TRY(find_edit(w, &viewer, like->slot_of[m], m, any));
    }
    return FACET_OK;
}

/* -- Textures ----------------------------------------------------------- */

/* Find, for each texture, the edit that all slots using it have. */
static facet_status find_stored(sampler_writer *w)
{
    const facet_j3d_builder *b = w->builder;
    bool *is_shared = facet_j3d_builder_scratch(b, w->texture_count, sizeof *is_shared);
    if (!is_shared)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < w->texture_count; i++)
        w->stored[i].texture = FACET_NONE;
    for (uint32_t slot = 0; slot < w->slot_count; slot++) {
        const sampler_edit *edit = &w->edits[slot];
        TRY(facet_j3d_get_material(b->like->document, slot, &w->materials[slot], b->error));
        if (edit->texture != FACET_NONE && w->stored[edit->texture].texture == FACET_NONE)
            w->stored[edit->texture] = *edit;
        for (int k = 0; k < MAPS; k++) {
            uint32_t used = w->materials[slot].gx.textures[k];
            if (used < w->texture_count && used != edit->texture)
                is_shared[used] = true;
        }
    }
    for (uint32_t i = 0; i < w->texture_count; i++) {
        if (is_shared[i])
            w->stored[i].texture = FACET_NONE;
    }
    return FACET_OK;
}

/* Copy the tables, with space for a new texture per edit. */
static facet_status open_tables(sampler_writer *w)
{
    facet_j3d_textures *t = w->textures;
    facet_arena *arena = w->builder->like->document->arena;
    size_t space = (size_t)t->count + w->slot_count;
    facet_j3d_texture *items = facet_arena_allocate(arena, space, sizeof *items);
    facet_j3d_name *names = facet_arena_allocate_zeroed(arena, space, sizeof *names);
    if (!items || !names)
        return facet_fail_arena(arena, w->builder->error);
    memcpy(items, t->items, t->count * sizeof *items);
    for (uint32_t i = 0; i < t->count; i++)
        names[i] = i < t->names.count ? t->names.items[i] : (facet_j3d_name){.bytes = ""};
    t->items = items;
    t->names.items = names;
    return FACET_OK;
}

/* The new texture of an edit. Slots with equal edits share it. */
static facet_status other_texture(sampler_writer *w, const sampler_edit *edit, uint16_t *index)
{
    facet_j3d_textures *t = w->textures;
    const facet_j3d_texture *from = &t->items[edit->texture];
    uint32_t i = w->texture_count;
    while (i < t->count &&
           !(t->items[i].image == from->image && t->items[i].palette == from->palette &&
             t->names.items[i].bytes == t->names.items[edit->texture].bytes &&
             is_same(&t->items[i].header, &edit->header)))
        i++;
    TRY(facet_j3d_builder_limit(w->builder, "J3D-LIMIT-TEXTURES", (uint64_t)i + 1, UINT16_MAX - 1,
                                "textures", "use fewer images"));
    *index = (uint16_t)i;
    if (i < t->count)
        return FACET_OK;
    t->items[i] = *from;
    t->items[i].header = edit->header;
    t->names.items[i] = t->names.items[edit->texture];
    t->names.count = t->count = i + 1;
    return FACET_OK;
}

static void report(const sampler_writer *w, const char *name, const facet_bti_header *before,
                   const sampler_edit *edit, bool is_new)
{
    static const char *const wraps[] = {"CLAMP", "REPEAT", "MIRROR"};
    static const char *const filters[] = {"NEAREST",
                                          "LINEAR",
                                          "NEAREST_MIPMAP_NEAREST",
                                          "LINEAR_MIPMAP_NEAREST",
                                          "NEAREST_MIPMAP_LINEAR",
                                          "LINEAR_MIPMAP_LINEAR"};
    const facet_options *options = w->builder->options;
    const facet_bti_header *now = &edit->header;
    facet_quoted quoted;
    if (!is_same(before, now))
        facet_report_add(facet_j3d_builder_report(w->builder), "J3D-LIKE-TEXTURE",
                         FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "texture '%s' %s wraps %s, %s and filters %s, %s",
                         facet_quote(&quoted, name, strlen(name)),
                         is_new ? "is kept; a copy for edited materials has" : "was edited: it has",
                         wraps[now->wrap_s % 3], wraps[now->wrap_t % 3],
                         filters[now->min_filter % 6], filters[now->mag_filter != 0]);
    if (before->wrap_s != now->wrap_s || before->wrap_t != now->wrap_t)
        facet_bti_report_sides(now, name, "TEX1-SIDES", options);
}

/* Let the material of a slot use another texture. */
static facet_status put_other(sampler_writer *w, uint32_t slot, const char *name)
{
    const sampler_edit *edit = &w->edits[slot];
    uint32_t before = w->textures->count;
    uint16_t index;
    TRY(other_texture(w, edit, &index));
    for (int k = 0; k < MAPS; k++) {
        uint16_t *used = &w->materials[slot].gx.textures[k];
        *used = *used == edit->texture ? index : *used;
    }
    w->materials_changed = true;
    if (w->textures->count > before)
        report(w, name, &w->textures->items[edit->texture].header, edit, true);
    return FACET_OK;
}

static facet_status put_edits(sampler_writer *w)
{
    const facet_j3d_builder *b = w->builder;
    const char **names = facet_j3d_name_texts(b, &w->textures->names, w->texture_count);
    if (!names)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t slot = 0; slot < w->slot_count; slot++) {
        const sampler_edit *edit = &w->edits[slot];
        if (edit->texture == FACET_NONE)
            continue;
        const sampler_edit *stored = &w->stored[edit->texture];
        if (stored->texture == FACET_NONE || !is_same(&stored->header, &edit->header))
            TRY(put_other(w, slot, names[edit->texture]));
    }
    for (uint32_t i = 0; i < w->texture_count; i++) {
        if (w->stored[i].texture == FACET_NONE)
            continue;
        report(w, names[i], &w->textures->items[i].header, &w->stored[i], false);
        w->textures->items[i].header = w->stored[i].header;
    }
    return FACET_OK;
}

facet_status facet_j3d_like_put_samplers(facet_j3d_builder *b, bool *changed)
{
    facet_j3d *o = b->like->document;
    sampler_writer w = {.builder = b, .textures = &o->textures};
    *changed = false;
    w.slot_count = o->materials.slot_count;
    w.texture_count = o->textures.count;
    if (w.slot_count == 0 || w.texture_count == 0)
        return FACET_OK;
    w.edits = facet_j3d_builder_scratch(b, w.slot_count, sizeof *w.edits);
    w.stored = facet_j3d_builder_scratch(b, w.texture_count, sizeof *w.stored);
    if (!w.edits || !w.stored)
        return facet_j3d_builder_no_memory(b);
    TRY(find_edits(&w, changed));
    if (!*changed)
        return FACET_OK;
    w.materials = facet_j3d_builder_scratch(b, w.slot_count, sizeof *w.materials);
    if (!w.materials)
        return facet_j3d_builder_no_memory(b);
    TRY(find_stored(&w));
    TRY(open_tables(&w));
    TRY(put_edits(&w));
    return w.materials_changed ? facet_j3d_set_materials(o, w.materials, w.slot_count, b->error)
                               : FACET_OK;
}
