/* formats/j3d/scene/from_channels/solve.c - appearance of a material at each frame to tracks of a
 * BTK, BRK, BPK, BPA or BTP. Find the entry of the material that is visible, its numbers, and keys
 * for them. Entries keep their tracks if their material moves as in the stored file, or if they are
 * not visible. */
#include "formats/j3d/scene/from_channels/channels.h"

#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/vec.h"
#include "formats/j3d/animation/fit.h"
#include "formats/j3d/scene/to_scene/animation.h"
#include "formats/j3d/scene/to_scene/material_shown.h"

#include <math.h>
#include <string.h>

/* An entry of the new document. */
typedef struct entry {
    uint32_t slot;   /* slot of the model, or FACET_NONE */
    uint32_t set;    /* set of the entry */
    uint32_t stored; /* entry of the stored set, or FACET_NONE */
    uint8_t number;  /* matrix, register or map */
    bool solves;     /* compute its numbers instead of copying those of the stored file */
    bool components[4];
} entry;

typedef struct solving {
    facet_j3d_weaving *w;
    const facet_j3d_animation_format *format;
    facet_j3d_viewer viewer;
    entry *entries;
    uint32_t count, capacity;
    double (*numbers)[9]; /* numbers of one entry, per frame, in the order of its tracks */
    double looks[2048];   /* appearance of a component for each of its numbers */
    facet_j3d_sharing sharing[2][4];
    uint32_t *placed; /* per set: number of entries written */
} solving;

static facet_status no_memory(const solving *s)
{
    return facet_fail_arenas(s->w->scratch, s->w->document->arena, s->w->error);
}

/* -- Entries ------------------------------------------------------------ */

static entry *add_entry(solving *s, uint32_t slot, uint32_t set, uint8_t number, uint32_t stored)
{
    if (!FACET_GROW(s->w->scratch, s->entries, s->count, s->capacity))
        return NULL;
    entry *made = &s->entries[s->count++];
    memset(made, 0, sizeof *made);
    made->slot = slot;
    made->set = set;
    made->number = number;
    made->stored = stored;
    return made;
}

static bool add_stored(solving *s)
{
    const facet_j3d_animation *stored = s->w->stored;
    for (uint32_t set = 0; stored && set < (s->w->kind == FACET_J3D_BRK ? 2u : 1u); set++) {
        const facet_j3d_animation_set *from = &stored->sets[set];
        uint16_t *slots = facet_arena_allocate(s->w->scratch, from->count, sizeof *slots);
        if (!slots ||
            facet_j3d_animation_bind(&from->names, s->w->model, s->w->scratch, slots, s->w->error))
            return false;
        for (uint32_t i = 0; i < from->count; i++) {
            uint32_t slot = slots[i] == FACET_J3D_NONE ? FACET_NONE : slots[i];
            if (!add_entry(s, slot, set, from->slots ? from->slots[i] : 0, i))
                return false;
        }
    }
    return true;
}

/* Get the entry of a slot with this number: a stored or new one. */
static entry *entry_for(solving *s, uint32_t slot, uint32_t set, uint8_t number)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->entries[i].slot == slot && s->entries[i].set == set &&
            s->entries[i].number == number)
            return &s->entries[i];
    }
    return add_entry(s, slot, set, number, FACET_NONE);
}

/* -- Visible entries ---------------------------------------------------- */

static facet_status view(solving *s, uint32_t slot, const facet_gx_material *gx,
                         facet_j3d_shown *shown)
{
    return facet_j3d_view_material(&s->viewer, slot, gx, shown, s->w->error);
}

static void set_component(facet_gx_material *gx, facet_j3d_animation_kind kind, uint32_t set,
                          uint8_t number, uint32_t component, double value)
{
    if (kind == FACET_J3D_BRK && set == 0) {
        facet_gx_rgba16 *c = &gx->tev_registers[number];
        int16_t *const parts[4] = {&c->r, &c->g, &c->b, &c->a};
        *parts[component] = (int16_t)fmin(fmax(nearbyint(value), -1024), 1023);
        return;
    }
    facet_gx_rgba8 *c = kind == FACET_J3D_BRK ? &gx->konst_colors[number] : &gx->material_colors[0];
    uint8_t *const parts[4] = {&c->r, &c->g, &c->b, &c->a};
    *parts[component] = (uint8_t)fmin(fmax(nearbyint(value), 0), 255);
}

static double component_of(const facet_gx_material *gx, facet_j3d_animation_kind kind, uint32_t set,
                           uint8_t number, uint32_t component)
{
    if (kind == FACET_J3D_BRK && set == 0) {
        const facet_gx_rgba16 *c = &gx->tev_registers[number];
        const int16_t parts[4] = {c->r, c->g, c->b, c->a};
        return parts[component];
    }
    const facet_gx_rgba8 *c =
        kind == FACET_J3D_BRK ? &gx->konst_colors[number] : &gx->material_colors[0];
    const uint8_t parts[4] = {c->r, c->g, c->b, c->a};
    return parts[component];
}

static double encoded(const float *color, uint32_t component)
{
    double c = (double)color[component];
    return component == 3 ? c : facet_srgb_encode(c);
}

/* Find the material's texture matrix that transforms the shown texture. */
static facet_status find_matrix(solving *s, uint32_t slot, const facet_gx_material *rest,
                                uint32_t *found)
{
    *found = FACET_NONE;
    for (uint8_t k = 0; k < 8 && k < rest->texgen_count && *found == FACET_NONE; k++) {
        facet_gx_material gx = *rest;
        facet_gx_texture_matrix *record = &gx.texture_matrices[k];
        facet_j3d_shown shown;
        record->translation[0] = 0.1875f; /* no matrix at rest has these values by chance */
        record->translation[1] = 0.4375f;
        record->scale[0] = record->scale[1] = 1;
        record->rotation = 0;
        memset(record->center, 0, sizeof record->center);
        record->mode &= 0x7F;
        gx.texgens[k].matrix = (uint8_t)(30 + 3 * k);
        TRY(view(s, slot, &gx, &shown));
        if (shown.base >= 0 && fabsf(shown.rows[0][2] - 0.1875f) < 1e-4f &&
            fabsf(shown.rows[1][2] - 0.4375f) < 1e-4f && fabsf(shown.rows[0][0] - 1) < 1e-4f &&
            fabsf(shown.rows[1][1] - 1) < 1e-4f)
            *found = k;
    }
    return FACET_OK;
}

/* Find the texture map of the shown texture. */
static facet_status find_map(solving *s, uint32_t slot, const facet_gx_material *rest,
                             uint32_t *found)
{
    facet_j3d_shown before, shown;
    facet_status status = view(s, slot, rest, &before);
    *found = FACET_NONE;
    for (uint8_t map = 0; map < 8 && *found == FACET_NONE && !status; map++) {
        facet_gx_material gx = *rest;
        if (gx.textures[map] >= s->w->model->textures.count || s->w->model->textures.count < 2)
            continue;
        gx.textures[map] = gx.textures[map] == 0 ? 1 : 0;
        status = view(s, slot, &gx, &shown);
        if (before.base >= 0 && shown.base != before.base)
            *found = map;
    }
    return status;
}

/* -- Numbers ------------------------------------------------------------ */

/* Find scale, angle (stored units) and translation of a frame for a texture transform. */
static bool solve_place(const solving *s, const float *look, const float *center, bool maya,
                        double before, double n[9])
{
    static const float none[2] = {0, 0};
    double angle = maya ? (double)look[6] : -(double)look[6], m[6];
    float scale[2] = {look[7], look[8]};
    if (!maya && fabs(((double)scale[0] - (double)scale[1]) * sin(angle)) > 1e-4)
        return false;
    facet_j3d_texture_matrix(scale, angle, none, center, maya, m);
    double x = (double)look[4] - m[2], y = (double)look[5] - m[5];
    double c = cos(angle), sine = sin(angle);
    double units = angle * 32768 / FACET_PI / 2; /* stored with a shift of 1 */
    units += 65536.0 / 2 * nearbyint((before - units) / (65536.0 / 2));
    const double made[9] = {(double)scale[0],
                            units,
                            maya ? c * x - sine * y : x,
                            (double)scale[1],
                            units,
                            maya ? -sine * x - c * y : y,
                            1,
                            units,
                            0};
    memcpy(n, made, sizeof made);
    return fabs(units) <= 32767 && s->w->frames > 0;
}

static facet_status solve_places(solving *s, entry *e, bool maya, bool *solved)
{
    const facet_j3d_animation *stored = s->w->stored;
    static const float middle[3] = {0.5f, 0.5f, 0.5f};
    const float *center = e->stored == FACET_NONE ? middle : stored->sets[0].centers[e->stored];
    *solved = true;
    for (uint32_t f = 0; f <= s->w->frames && *solved; f++) {
        float look[FACET_J3D_LOOK];
        facet_j3d_get_appearance(s->w, e->slot, false, f, look);
        *solved = solve_place(s, look, center, maya, f ? s->numbers[f - 1][1] : 0, s->numbers[f]);
    }
    return FACET_OK;
}

/* Get the appearance of a component for a number. */
static facet_status look_with(solving *s, const entry *e, const facet_gx_material *rest,
                              uint32_t component, int number, double *seen)
{
    facet_gx_material gx = *rest;
    facet_j3d_shown shown;
    set_component(&gx, s->w->kind, e->set, e->number, component, number);
    facet_status status = view(s, e->slot, &gx, &shown);
    *seen = status ? 0 : encoded(shown.color, component);
    return status;
}

static facet_status find_influence(solving *s, const entry *e, const facet_gx_material *rest,
                                   uint32_t component, bool *influences)
{
    static const int probes[] = {0, 64, 128, 192, 255};
    double first = 0, seen;
    *influences = false;
    for (int i = 0; i < 5 && !*influences; i++) {
        TRY(look_with(s, e, rest, component, probes[i], &seen));
        first = i == 0 ? seen : first;
        *influences = fabs(seen - first) > 1e-3;
    }
    return FACET_OK;
}

/* The number with this appearance that is nearest to `before`. `looks` has the appearance of
 * `count` integers, starting at `least`. */
static double number_of(const double *looks, int least, int count, double look, double before,
                        double *off)
{
    double best = before, distance = HUGE_VAL;
    *off = HUGE_VAL;
    for (int i = 0; i + 1 < count; i++) {
        double here = looks[i], next = looks[i + 1], low = fmin(here, next),
               high = fmax(here, next);
        double miss = fmax(fmax(low - look, look - high), 0), value;
        if (miss > *off)
            continue;
        if (low == high)
            value = fmin(fmax(before, least + i), least + i + 1);
        else
            value = least + i + fmin(fmax((look - here) / (next - here), 0), 1);
        if (miss < *off || fabs(value - before) < distance) {
            *off = miss;
            best = value;
            distance = fabs(value - before);
        }
    }
    return best;
}

/* Solve a component. Its appearance is monotonic in the number and clamped at some point, so
 * compare with the appearance of all integers. */
static facet_status solve_component(solving *s, const entry *e, const facet_gx_material *rest,
                                    uint32_t component)
{
    static const int ranges[2][2] = {{0, 255}, {-1024, 1023}};
    double *looks = s->looks, worst = HUGE_VAL;
    bool is_register = s->w->kind == FACET_J3D_BRK && e->set == 0;
    for (int pass = 0; pass <= is_register && worst > 1.0 / 255; pass++) {
        int least = ranges[pass][0], count = ranges[pass][1] - least + 1;
        double before = component_of(rest, s->w->kind, e->set, e->number, component), off;
        for (int i = 0; i < count; i++) {
            TRY(look_with(s, e, rest, component, least + i, &looks[i]));
        }
        worst = 0;
        for (uint32_t f = 0; f <= s->w->frames; f++) {
            float look[FACET_J3D_LOOK];
            facet_j3d_get_appearance(s->w, e->slot, false, f, look);
            before = number_of(looks, least, count, encoded(look, component), before, &off);
            s->numbers[f][component] = before;
            worst = fmax(worst, off);
        }
    }
    if (worst > 1.0 / 255) /* the nearest possible value */
        facet_tally_hit(&s->w->unsolved, e->slot);
    return FACET_OK;
}

static facet_status solve_textures(solving *s, entry *e, bool *solved)
{
    facet_j3d_moment moment = {0};
    *solved = true;
    for (uint32_t f = 0; f <= s->w->frames && *solved; f++) {
        float look[FACET_J3D_LOOK];
        const uint32_t *images = s->viewer.painter.image_of;
        uint32_t texture = FACET_NONE, count = s->w->model->textures.count;
        facet_j3d_get_appearance(s->w, e->slot, false, f, look);
        moment.frame = f;
        if (e->stored != FACET_NONE)
            texture = facet_j3d_animation_texture_number(s->w->stored, e->stored, &moment);
        if (texture >= count || (float)images[texture] != look[9]) {
            for (texture = 0; texture < count && (float)images[texture] != look[9];)
                texture++;
        }
        *solved = texture < count;
        s->numbers[f][0] = texture;
    }
    return FACET_OK;
}

/* -- Tracks ------------------------------------------------------------- */

static facet_status keep_track(solving *s, const entry *e, uint32_t index, uint32_t component,
                               facet_j3d_track *track)
{
    const facet_j3d_animation_set *set = &s->w->stored->sets[e->set];
    const facet_j3d_track *from = &set->tracks[(size_t)e->stored * s->format->tracks + index];
    const facet_j3d_elements *elements = facet_j3d_elements_of(s->w->stored, e->set, component);
    uint32_t size = facet_j3d_track_size(s->format, from);
    double *copy = facet_arena_allocate(s->w->scratch, size, sizeof *copy);
    if (!copy)
        return no_memory(s);
    for (uint32_t i = 0; i < size; i++)
        copy[i] = elements->reals ? (double)elements->reals[from->first + i]
                                  : elements->integers[from->first + i];
    facet_status status = facet_j3d_sharing_put(&s->sharing[e->set][component], copy, from->count,
                                                from->type, track, s->w->error);
    facet_arena_release(s->w->scratch, copy, size, sizeof *copy);
    return status;
}

static facet_status put_track(solving *s, const entry *e, uint32_t index, uint32_t component,
                              facet_j3d_track *track)
{
    facet_j3d_weaving *w = s->w;
    bool whole = w->kind != FACET_J3D_BTK || component == 1;
    double tolerance = w->kind != FACET_J3D_BTK ? 0.5
                       : component == 1         ? w->angle * 32768 / 180 / 2
                                                : w->distance / 10;
    uint16_t type = 0;
    uint32_t count = w->frames + 1;
    for (uint32_t f = 0; f < count; f++)
        w->column[f] = s->numbers[f][index];
    if (!s->format->has_keys) {
        bool moves = false;
        count = w->frames;
        for (uint32_t f = 1; f < count; f++)
            moves |= w->column[f] != w->column[0];
        return facet_j3d_sharing_put(&s->sharing[e->set][component], w->column, moves ? count : 1,
                                     0, track, w->error);
    }
    count = facet_j3d_fit_keys(w->column, count, tolerance, whole, w->elements, &type);
    /* These kinds always have keys of four numbers. */
    if (count > 1 && type == 0) {
        for (uint32_t k = count; k-- > 0;) {
            double *to = w->elements + (size_t)k * 4;
            const double *from = w->elements + (size_t)k * 3;
            const double key[4] = {from[0], from[1], from[2], from[2]};
            memcpy(to, key, sizeof key);
        }
    }
    return facet_j3d_sharing_put(&s->sharing[e->set][component], w->elements, count, 1, track,
                                 w->error);
}

/* Fill in numbers without a solution: those of the stored file or of the model. */
static void fill_rest(solving *s, const entry *e, const facet_gx_material *rest)
{
    for (uint32_t c = 0; c < 4 && s->format->tracks == 4; c++) {
        double value = component_of(rest, s->w->kind, e->set, e->number, c);
        for (uint32_t f = 0; f <= s->w->frames && !e->components[c]; f++)
            s->numbers[f][c] = value;
    }
}

/* -- One entry ---------------------------------------------------------- */

static facet_status write_entry(solving *s, entry *e)
{
    facet_j3d_weaving *w = s->w;
    facet_j3d_animation_set *to = &w->document->sets[e->set];
    uint32_t at = s->placed[e->set]++;
    facet_j3d_material material = {0};
    facet_status status = FACET_OK;
    if (e->slot != FACET_NONE)
        status = facet_j3d_get_material(w->model, e->slot, &material, w->error);
    if (!status && e->solves && w->kind == FACET_J3D_BTK)
        status = solve_places(s, e, w->document->convention == 1, &e->solves);
    else if (!status && e->solves && w->kind == FACET_J3D_BTP)
        status = solve_textures(s, e, &e->solves);
    for (uint32_t c = 0; c < 4 && e->solves && s->format->tracks == 4 && !status; c++) {
        if (e->components[c])
            status = solve_component(s, e, &material.gx, c);
    }
    if (status)
        return status;
    if (!e->solves && e->stored == FACET_NONE) { /* without a solution, keep it unchanged */
        s->placed[e->set]--;
        facet_tally_hit(&w->unsolved, e->slot);
        return FACET_OK;
    }
    if (e->solves)
        fill_rest(s, e, &material.gx);
    for (uint32_t i = 0; i < s->format->tracks && !status; i++) {
        facet_j3d_track *track = &to->tracks[(size_t)at * s->format->tracks + i];
        uint32_t component = facet_j3d_component_of(s->format, i);
        bool made = e->solves && (s->format->tracks != 4 || e->components[i]);
        status = made || e->stored == FACET_NONE ? put_track(s, e, i, component, track)
                                                 : keep_track(s, e, i, component, track);
    }
    if (to->slots)
        to->slots[at] = e->number;
    if (to->centers) {
        static const float middle[3] = {0.5f, 0.5f, 0.5f};
        memcpy(to->centers[at],
               e->stored == FACET_NONE ? middle : w->stored->sets[0].centers[e->stored],
               sizeof middle);
    }
    to->remap[at] = (uint16_t)at;
    const facet_j3d_names *names =
        e->stored == FACET_NONE ? &w->model->materials.names : &w->stored->sets[e->set].names;
    char name[3072];
    facet_j3d_name_text(names->items[e->stored == FACET_NONE ? e->slot : e->stored].bytes, name,
                        sizeof name);
    return status || facet_j3d_animation_set_name(w->document, &to->names.items[at], name)
               ? status
               : no_memory(s);
}

static facet_status make_space(solving *s, uint32_t set)
{
    facet_j3d_animation_set *to = &s->w->document->sets[set];
    facet_arena *arena = s->w->document->arena;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        count += s->entries[i].set == set;
    if (count > 65535)
        return facet_fail(s->w->error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "the animation has more than 65,535 entries");
    to->tracks =
        facet_arena_allocate_zeroed(arena, (size_t)count * s->format->tracks, sizeof *to->tracks);
    to->remap = facet_arena_allocate_zeroed(arena, count, sizeof *to->remap);
    to->names.items = facet_arena_allocate_zeroed(arena, count, sizeof *to->names.items);
    if (s->w->kind != FACET_J3D_BPK && s->w->kind != FACET_J3D_BPA)
        to->slots = facet_arena_allocate_zeroed(arena, count, 1);
    if (s->w->kind == FACET_J3D_BTK)
        to->centers = facet_arena_allocate_zeroed(arena, count, sizeof *to->centers);
    bool ok = to->tracks && to->remap && to->names.items &&
              (to->slots || s->w->kind == FACET_J3D_BPK || s->w->kind == FACET_J3D_BPA) &&
              (to->centers || s->w->kind != FACET_J3D_BTK);
    return ok ? FACET_OK : no_memory(s);
}

/* -- Entries to compute ------------------------------------------------- */

/* Choose the registers for a color: first the stored ones of the slot. */
static facet_status choose_registers(solving *s, uint32_t slot, const facet_gx_material *rest)
{
    bool taken[4] = {false, false, false, false}, brk = s->w->kind == FACET_J3D_BRK;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < (brk ? 7u : 1u); i++) {
            uint32_t set = brk && i >= 3, at = 0;
            uint8_t number = (uint8_t)(set ? i - 3 : i);
            while (at < s->count && !(s->entries[at].slot == slot && s->entries[at].set == set &&
                                      s->entries[at].number == number))
                at++;
            if ((at < s->count) != (pass == 0))
                continue;
            for (uint32_t c = 0; c < 4; c++) {
                entry probe = {.slot = slot, .set = set, .number = number};
                bool influences = false;
                facet_status status =
                    taken[c] ? FACET_OK : find_influence(s, &probe, rest, c, &influences);
                if (status)
                    return status;
                if (taken[c] || !influences)
                    continue;
                entry *e = entry_for(s, slot, set, number);
                if (!e)
                    return no_memory(s);
                taken[c] = e->components[c] = e->solves = true;
            }
        }
    }
    if (!taken[0] && !taken[1] && !taken[2] && !taken[3])
        facet_tally_hit(&s->w->unsolved, slot);
    return FACET_OK;
}

static facet_status choose_entries(solving *s, uint32_t slot)
{
    facet_j3d_material material;
    uint32_t number = FACET_NONE;
    facet_j3d_shown rest;
    facet_status status = facet_j3d_get_material(s->w->model, slot, &material, s->w->error);
    if (!status)
        status = view(s, slot, &material.gx, &rest);
    if (status)
        return status;
    if (s->w->kind == FACET_J3D_BRK || s->w->kind == FACET_J3D_BPK || s->w->kind == FACET_J3D_BPA) {
        if (rest.is_plain)
            return choose_registers(s, slot, &material.gx);
        facet_tally_hit(&s->w->unsolved, slot);
        return FACET_OK;
    }
    status = s->w->kind == FACET_J3D_BTK ? find_matrix(s, slot, &material.gx, &number)
                                         : find_map(s, slot, &material.gx, &number);
    if (!status && number == FACET_NONE)
        facet_tally_hit(&s->w->unsolved, slot);
    if (status || number == FACET_NONE)
        return status;
    entry *e = entry_for(s, slot, 0, (uint8_t)number);
    if (!e)
        return no_memory(s);
    e->solves = true;
    return FACET_OK;
}

/* True if Maya's matrices are needed: basic ones cannot rotate a texture with different scales
 * along s and t. */
static bool needs_maya(const solving *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t f = 0; f <= s->w->frames && s->entries[i].solves; f++) {
            float look[FACET_J3D_LOOK];
            facet_j3d_get_appearance(s->w, s->entries[i].slot, false, f, look);
            if (fabs(((double)look[7] - (double)look[8]) * sin((double)look[6])) > 1e-4)
                return true;
        }
    }
    return false;
}

static bool is_animated(const facet_j3d_weaving *w, uint32_t slot)
{
    bool any = false;
    for (int i = 0; i < 6; i++)
        any |= w->tracks[slot].channels[0][i] || w->tracks[slot].channels[1][i];
    return any;
}

static facet_status solve_all(solving *s)
{
    facet_j3d_weaving *w = s->w;
    facet_status status = add_stored(s) ? FACET_OK : no_memory(s);
    for (uint32_t i = 0; i < w->model->materials.slot_count && !status; i++) {
        if (!w->kept[i] && is_animated(w, i))
            status = choose_entries(s, i);
    }
    uint32_t sets = w->kind == FACET_J3D_BRK ? 2 : 1;
    for (uint32_t set = 0; set < sets && !status; set++) {
        for (uint32_t c = 0; c < (s->format->tracks == 9 ? 3u : s->format->tracks); c++)
            s->sharing[set][c] = facet_j3d_sharing_make(w->kind, c, w->document->arena, w->scratch);
        status = make_space(s, set);
    }
    w->document->convention = w->stored ? w->stored->convention : needs_maya(s);
    w->document->rotation_shift = w->kind == FACET_J3D_BTK ? 1 : 0xFF;
    for (uint32_t i = 0; i < s->count && !status; i++)
        status = write_entry(s, &s->entries[i]);
    for (uint32_t set = 0; set < sets && !status; set++) {
        facet_j3d_animation_set *to = &w->document->sets[set];
        to->count = to->names.count = s->placed[set];
        for (uint32_t c = 0; c < (s->format->tracks == 9 ? 3u : s->format->tracks) && !status; c++)
            status = facet_j3d_sharing_end(&s->sharing[set][c], &to->elements[c], w->error);
    }
    return status;
}

facet_status facet_j3d_weave_materials(facet_j3d_weaving *w)
{
    uint32_t placed[2] = {0, 0};
    solving *s = facet_arena_allocate_zeroed(w->scratch, 1, sizeof *s); /* 29 KB */
    if (!s)
        return facet_fail_arena(w->scratch, w->error);
    s->w = w;
    s->format = facet_j3d_animation_format_of(w->kind);
    s->placed = placed;
    bool usable = false;
    s->numbers = facet_arena_allocate_zeroed(w->scratch, w->frames + (size_t)1, sizeof *s->numbers);
    if (!s->numbers)
        return no_memory(s);
    facet_status status =
        facet_j3d_viewer_make(w->model, w->reference, w->scratch, &s->viewer, &usable, w->error);
    if (!status && !usable)
        return facet_fail(w->error, FACET_ERROR_UNSUPPORTED, "J3D-LIKE", FACET_NO_OFFSET,
                          "the model's textures cannot be read");
    return status ? status : solve_all(s);
}
