/* formats/j3d/scene/to_scene/material.c - materials of the texture environment to materials of a
 * scene. The result of the stages is reduced to "texture times vertex color times constant". If it
 * is more complex, it becomes a computed image. */
#include "formats/j3d/scene/to_scene/material_work.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/scene/to_scene/gx.h"
#include "formats/j3d/scene/to_scene/texture.h"
#include "gx/json/file_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MODE_TRANSLUCENT = 4 };

/* -- Reports ------------------------------------------------------------ */

void facet_j3d_doubts_text(uint32_t doubts, char *text, size_t size)
{
    /* In the order of j3d_doubt. */
    static const char *const words[] = {
        "additive or subtractive blending becomes transparency of dark parts",
        "blending other than by alpha",
        "blending that writes depth becomes a cut-out",
        "an alpha test other than a cut-off",
        "reflections of the surroundings",
        "a ramp texture that follows the light",
        "textures with other coordinates become one color",
        "vertex colors that are not multiplied",
        "colors brighter than 1",
        "indirect textures",
    };
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words && used < size; i++) {
        if (doubts >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "; " : "", words[i]);
    }
}

static void report_doubts(const j3d_painter *p, const j3d_material_work *w)
{
    char text[600];
    facet_quoted quoted;
    facet_j3d_doubts_text(w->doubts, text, sizeof text);
    facet_report_add(p->options ? p->options->report : NULL, "J3D-MATERIAL", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET,
                     "material %" PRIu32
                     " '%s' looks slightly different, its extras hold the exact state: %s",
                     w->slot, facet_quote(&quoted, w->out->name, strlen(w->out->name)), text);
}

/* -- One material ------------------------------------------------------- */

facet_status facet_j3d_convert_material(j3d_painter *p, j3d_material_work *w,
                                        facet_gx_tev_formula formulas[4])
{
    const facet_j3d_materials *materials = &p->document->materials;
    w->gx.translucent = materials->entries[materials->remap[w->slot]].mode == MODE_TRANSLUCENT;
    facet_j3d_convert_alpha(w);
    facet_j3d_find_leaves(p, w);
    facet_j3d_convert_reflections(p, w);
    facet_status status = facet_j3d_convert_rasters(p, w);
    if (!status)
        facet_j3d_convert_textures(p, w, w->out->alpha_mode != FACET_ALPHA_OPAQUE, formulas);
    return status;
}

static facet_status paint(j3d_painter *p, uint32_t slot, const facet_j3d_material *material,
                          facet_j3d_vertex_wants *wants, facet_material *out)
{
    facet_gx_tev_formula formulas[4];
    j3d_material_work w = {.slot = slot, .base = -1, .wants = wants, .out = out};
    w.gx = material->gx;
    out->metallic = 0;
    TRY(facet_j3d_convert_material(p, &w, formulas));
    wants->reverse = w.gx.cull_mode == 1;
    out->double_sided = w.gx.cull_mode == 0;
    facet_status status = facet_j3d_set_color(p, &w, formulas);
    if (!status)
        status = facet_j3d_convert_opacity(p, &w);
    if (!status)
        status = facet_j3d_set_gx(material, &p->document->textures, p->image_of, p->scene->arena,
                                  out, p->error);
    if (w.gx.indirect.enabled)
        w.doubts |= J3D_DOUBT_INDIRECT;
    wants->doubts = w.doubts;
    if (!status && w.doubts)
        report_doubts(p, &w);
    return status;
}

/* -- All materials ------------------------------------------------------ */

/* The name of the texture that an image was read from; NULL if it is computed. */
static const char *texture_of(const facet_image *image)
{
    return image->gx_file && image->gx_file->texture_count ? image->gx_file->textures[0].name
                                                           : NULL;
}

static facet_gx_file_look look_of(const j3d_painter *p, const facet_material *material)
{
    const facet_texture *texture = material->maps[FACET_MAP_DIFFUSE];
    facet_gx_file_look look = {.alpha_cutoff = material->alpha_cutoff,
                               .alpha_mode = (uint8_t)material->alpha_mode,
                               .double_sided = material->double_sided,
                               .unlit = material->unlit,
                               .has_texture = texture && texture->has_image,
                               .scale = {1, 1}};
    memcpy(look.base_color, material->base_color, sizeof look.base_color);
    if (!look.has_texture)
        return look;
    look.texture = texture_of(p->scene->images[texture->image]);
    look.uv_set = texture->uv_set;
    if (texture->has_transform) {
        memcpy(look.offset, texture->offset, sizeof look.offset);
        memcpy(look.scale, texture->scale, sizeof look.scale);
        look.rotation = texture->rotation;
    }
    return look;
}

/* Store the file's data of a slot. Slots with the same entry, the same indirect record and the same
 * appearance share it. `first` has, per entry, a slot with that data, plus 1. */
static facet_status add_file(const j3d_painter *p, uint32_t slot,
                             const facet_j3d_material *material, uint32_t *first,
                             facet_material *out)
{
    const facet_j3d_materials *m = &p->document->materials;
    uint32_t entry = m->remap[slot], known = first[entry];
    const facet_gx_file_look look = look_of(p, out);
    facet_gx_file_material *file =
        known ? p->scene->materials[p->first_material + known - 1]->gx_file : NULL;
    bool same = known && (slot < m->indirect_count) == (known - 1 < m->indirect_count) &&
                (slot >= m->indirect_count || memcmp(&m->indirects[slot], &m->indirects[known - 1],
                                                     sizeof *m->indirects) == 0) &&
                facet_gx_file_look_compare(file->shown, &look) == 0;
    first[entry] = slot + 1;
    if (!same) {
        file = facet_j3d_file_material(p->document, &p->naming, material, p->scene->arena);
        if (file)
            file->shown = facet_arena_allocate(p->scene->arena, 1, sizeof look);
        if (file && file->shown)
            *file->shown = look;
    }
    out->gx_file = file;
    return file && file->shown ? FACET_OK : facet_fail_arena(p->scene->arena, p->error);
}

static facet_status add_material(j3d_painter *p, uint32_t slot, uint32_t *first,
                                 facet_j3d_vertex_wants *wants)
{
    const facet_j3d_names *names = &p->document->materials.names;
    const char *bytes = slot < names->count ? names->items[slot].bytes : "";
    size_t length = facet_j3d_name_text(bytes, NULL, 0);
    char *name = facet_arena_allocate(p->scratch, length + 1, 1);
    facet_j3d_material material;
    facet_material *out;
    if (!name)
        return facet_fail_arena(p->scratch, p->error);
    facet_j3d_name_text(bytes, name, length + 1);
    facet_status status = facet_scene_add_material(p->scene, name, &out, p->error);
    facet_arena_release(p->scratch, name, length + 1, 1);
    if (!status)
        status = facet_j3d_get_material(p->document, slot, &material, p->error);
    if (!status)
        status = paint(p, slot, &material, wants, out);
    return status ? status : add_file(p, slot, &material, first, out);
}

static void report(const j3d_painter *p)
{
    facet_report *to = p->options ? p->options->report : NULL;
    facet_report_add_tally(to, "J3D-MATERIAL-BAKE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &p->unbaked,
                           "the computed images of all materials are too large together: a "
                           "material shows its first texture instead");
}

static facet_status add_all(j3d_painter *p, facet_j3d_vertex_wants *wants)
{
    uint32_t slots = p->document->materials.slot_count;
    uint32_t entries = p->document->materials.entry_count;
    uint32_t *first = facet_arena_allocate_zeroed(p->scratch, entries, sizeof *first);
    p->averages =
        facet_arena_allocate_zeroed(p->scratch, p->document->textures.count, sizeof *p->averages);
    if (!first || !p->averages)
        return facet_fail_arena(p->scratch, p->error);
    p->computed = facet_table_make(p->scratch);
    facet_status status =
        facet_j3d_naming_make(p->document, p->scratch, &p->naming)
            ? facet_j3d_scene_images(p->document, &p->naming, p->scene, p->scratch, &p->image_of,
                                     p->options, p->error)
            : facet_fail_arena(p->scratch, p->error);
    for (uint32_t i = 0; i < slots && !status; i++)
        status = add_material(p, i, first, &wants[i]);
    if (!status)
        report(p);
    return status;
}

facet_status facet_j3d_scene_materials(const facet_j3d *document, facet_scene *scene,
                                       facet_j3d_vertex_wants **wants, const facet_options *options,
                                       facet_error *error)
{
    j3d_painter p = {.document = document,
                     .scene = scene,
                     .options = options,
                     .error = error,
                     .first_material = scene->material_count};
    uint32_t slots = document->materials.slot_count;
    facet_j3d_vertex_wants *made = facet_arena_allocate_zeroed(scene->arena, slots, sizeof *made);
    if (!made)
        return facet_fail_arena(scene->arena, error);
    TRY(facet_arena_create(options, &p.scratch, error));
    facet_status status = add_all(&p, made);
    facet_arena_free(p.scratch);
    if (!status)
        *wants = made;
    return status;
}
