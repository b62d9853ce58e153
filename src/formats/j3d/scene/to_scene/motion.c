/* formats/j3d/scene/to_scene/motion.c - animations of materials, applied to a scene of a model, or
 * to one that another format stored with its extras. */
#include "formats/j3d/scene/to_scene/motion.h"

#include "base/table.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/scene/to_scene/animation.h"
#include "formats/j3d/scene/to_scene/gx.h"

#include <string.h>

bool facet_j3d_moves_materials(facet_j3d_animation_kind kind)
{
    return kind >= FACET_J3D_BTK && kind <= FACET_J3D_BTP;
}

static uint32_t set_of(const facet_j3d_motion *m, uint32_t entry, uint32_t *within)
{
    uint32_t count = m->document->sets[0].count, set = entry >= count;
    *within = set ? entry - count : entry;
    return set;
}

/* The number of a material's name; UINT32_MAX if unknown or out of memory. */
static uint32_t name_of(facet_names *known, const facet_j3d_name *name, facet_arena *arena)
{
    size_t length = facet_j3d_name_text(name->bytes, NULL, 0);
    char *text = facet_arena_allocate(arena, length + 1, 1);
    if (!text)
        return UINT32_MAX;
    facet_j3d_name_text(name->bytes, text, length + 1);
    return facet_names_find(known, text, length);
}

static bool sort_entries(facet_j3d_motion *m, facet_arena *arena)
{
    const facet_j3d_animation_set *sets = m->document->sets;
    uint32_t total = sets[0].count + (m->document->kind == FACET_J3D_BRK ? sets[1].count : 0);
    uint32_t count = m->scene->material_count;
    facet_names known = facet_names_make(arena);
    uint32_t *first_of = facet_arena_allocate(arena, count, sizeof *first_of);
    m->first = facet_arena_allocate_zeroed(arena, count, sizeof *m->first);
    m->next = facet_arena_allocate_zeroed(arena, total, sizeof *m->next);
    if (!m->first || !m->next || !first_of)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = m->scene->materials[i]->name;
        uint32_t before = known.count, number = facet_names_put(&known, name, strlen(name));
        if (number == UINT32_MAX)
            return false;
        if (number == before)
            first_of[number] = i;
    }
    for (uint32_t i = total; i-- > 0;) {
        uint32_t entry, set = set_of(m, i, &entry);
        uint32_t number = name_of(&known, &sets[set].names.items[entry], arena);
        if (number == UINT32_MAX)
            continue;
        m->next[i] = m->first[first_of[number]];
        m->first[first_of[number]] = i + 1;
    }
    return true;
}

/* Find the image of each of the model's textures. */
static bool find_textures(facet_j3d_motion *m, facet_arena *arena)
{
    m->textures = facet_arena_allocate_zeroed(arena, 65536, sizeof *m->textures);
    for (uint32_t i = 0; i < m->scene->image_count && m->textures; i++) {
        const facet_gx_file_image *file = m->scene->images[i]->gx_file;
        for (uint32_t k = 0; file && !file->wrong_textures && k < file->texture_count; k++) {
            const facet_gx_file_texture *texture = &file->textures[k];
            if (texture->index < 65536 && i < FACET_GX_NO_TEXTURE)
                m->textures[texture->index] =
                    (facet_j3d_shown_texture){true, (uint16_t)i, texture->header};
        }
    }
    return m->textures != NULL;
}

bool facet_j3d_motion_make(const facet_scene *scene, const facet_j3d_animation *document,
                           facet_arena *arena, facet_j3d_motion *motion)
{
    *motion = (facet_j3d_motion){.scene = scene,
                                 .document = document,
                                 .frames = document->frames > 0 ? (uint32_t)document->frames : 1};
    return sort_entries(motion, arena) &&
           (document->kind != FACET_J3D_BTP || find_textures(motion, arena));
}

void facet_j3d_motion_choose(const facet_j3d_motion *motion, uint16_t number, uint8_t map,
                             facet_gx_material *gx)
{
    const facet_j3d_shown_texture *chosen = &motion->textures[number];
    gx->textures[map] = chosen->is_known ? chosen->image : FACET_GX_NO_TEXTURE;
    if (chosen->is_known)
        facet_j3d_set_sampler(&chosen->header, &gx->samplers[map]);
}

void facet_j3d_motion_apply(const facet_j3d_motion *motion, uint32_t material, double frame,
                            facet_gx_material *gx)
{
    const facet_j3d_animation *document = motion->document;
    for (uint32_t at = motion->first[material]; at; at = motion->next[at - 1]) {
        uint32_t entry, set = set_of(motion, at - 1, &entry);
        uint8_t slot = document->sets[set].slots ? document->sets[set].slots[entry] : 0;
        facet_j3d_animation_apply(document, set, entry, frame, gx);
        if (document->kind == FACET_J3D_BTP && slot < 8)
            facet_j3d_motion_choose(motion, gx->textures[slot], slot, gx);
    }
}
