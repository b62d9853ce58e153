/* formats/j3d/animation/fit_model.c - match of an animation with a model. */
#include "formats/j3d/animation/animation.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* -- Materials by name -------------------------------------------------- */

facet_status facet_j3d_animation_bind(const facet_j3d_names *names, const facet_j3d *model,
                                      facet_arena *arena, uint16_t *slots, facet_error *error)
{
    const facet_j3d_names *materials = &model->materials.names;
    facet_names known = facet_names_make(arena);
    uint32_t count = materials->count < FACET_J3D_NONE ? materials->count : FACET_J3D_NONE;
    /* The first of equal names counts; `first` maps the number of a name to it. */
    uint16_t *first = facet_arena_allocate(arena, count, sizeof *first);
    bool ok = first != NULL;
    for (uint32_t i = 0; i < count && ok; i++) {
        const char *bytes = materials->items[i].bytes;
        uint32_t before = known.count, number = facet_names_put(&known, bytes, strlen(bytes));
        ok = number != UINT32_MAX;
        if (ok && number == before)
            first[number] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < names->count && ok; i++) {
        const char *bytes = names->items[i].bytes;
        uint32_t number = facet_names_find(&known, bytes, strlen(bytes));
        slots[i] = number == UINT32_MAX ? FACET_J3D_NONE : first[number];
        if (slots[i] != FACET_J3D_NONE && slots[i] >= model->materials.slot_count)
            slots[i] = FACET_J3D_NONE;
    }
    facet_names_free(&known);
    return ok ? FACET_OK : facet_fail_arena(arena, error);
}

/* -- Rules -------------------------------------------------------------- */

typedef struct fitting {
    const facet_j3d_animation *document;
    const facet_j3d *model;
    facet_arena *scratch;
    facet_report *report;
    bool misfits; /* an error was found */
    bool moves;   /* it animates a part of the model */
    facet_error *error;
} fitting;

/* Maximum number of names in a message. */
#define MAX_TOLD 8

static void compare_counts(fitting *f, const char *rule, uint32_t has, uint32_t needs,
                           const char *what)
{
    f->moves = has > 0 && needs > 0;
    if (has == needs)
        return;
    f->misfits |= has < needs;
    facet_report_add(f->report, rule, has < needs ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET,
                     "the animation has %" PRIu32 " %s, but the model has %" PRIu32, has, what,
                     needs);
}

/* True if a scale of a joint ever equals `value`, or, with `other`, ever differs from it. Only
 * constants and keys are tested. */
static bool has_scale(const fitting *f, uint32_t joint, float value, bool other)
{
    const facet_j3d_animation *document = f->document;
    const facet_j3d_elements *elements = &document->sets[0].elements[0];
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const facet_j3d_track *track = &document->sets[0].tracks[joint * 9 + axis * 3];
        bool keyed = format->has_keys && track->count > 1;
        uint32_t step = keyed ? facet_j3d_key_size(track) : 1;
        /* Joints could share long runs, so test only the first 64 values. */
        uint32_t looked = track->count < 64 ? track->count : 64;
        for (uint32_t i = 0; i < looked; i++) {
            if ((elements->reals[track->first + i * step + keyed] == value) != other)
                return true;
        }
    }
    return false;
}

static void check_scales(fitting *f)
{
    const facet_j3d *model = f->model;
    uint32_t scaling = model->hierarchy.flags & 15, count = f->document->sets[0].count;
    facet_tally zero = {0}, scaled = {0};
    count = count < model->joints.count ? count : model->joints.count;
    for (uint32_t j = 0; j < count; j++) {
        uint16_t parent = model->joints.items[j].parent;
        bool compensates =
            scaling == FACET_J3D_SCALING_MAYA && model->joints.items[j].scale_compensate == 1;
        if (compensates && parent < count && has_scale(f, parent, 0, false))
            facet_tally_hit(&zero, parent);
        if ((compensates && parent < count && has_scale(f, parent, 1, true)) ||
            (scaling == FACET_J3D_SCALING_SOFTIMAGE && has_scale(f, j, 1, true)))
            facet_tally_hit(&scaled, j);
    }
    facet_report_add_tally(f->report, "JA33", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &zero,
                           "joint %" PRIu64 " is scaled to 0, and a child divides by that",
                           zero.first);
    facet_report_add_tally(
        f->report, "JA45", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &scaled,
        "the scale of joint %" PRIu64
        " or of its parent is animated, and the model's scaling is not a plain product of matrices",
        scaled.first);
}

/* Check that a BTK's material has the texture matrix and a texture coordinate that uses it. */
static facet_status check_texture_matrix(fitting *f, uint16_t slot, uint32_t entry,
                                         facet_tally *missing)
{
    facet_j3d_material material;
    uint8_t matrix = f->document->sets[0].slots[entry];
    facet_status status =
        matrix <= 7 ? facet_j3d_get_material(f->model, slot, &material, f->error) : FACET_OK;
    if (!status && matrix <= 7 &&
        (!(material.given.texture_matrices >> matrix & 1) || material.gx.texgen_count <= matrix))
        facet_tally_hit(missing, entry);
    return status;
}

static void check_texture_numbers(fitting *f, uint32_t entry, facet_tally *beyond)
{
    const facet_j3d_animation_set *set = &f->document->sets[0];
    const facet_j3d_track *track = &set->tracks[entry];
    for (uint32_t i = 0; i < track->count; i++) {
        if ((uint32_t)set->elements[0].integers[track->first + i] >= f->model->textures.count) {
            facet_tally_hit(beyond, entry);
            return;
        }
    }
}

static void say_missing(fitting *f, const facet_j3d_names *names, const uint16_t *slots)
{
    uint32_t extras_data = 0, missing = 0;
    char name[256];
    facet_quoted quoted;
    for (uint32_t i = 0; i < names->count; i++) {
        if (slots[i] != FACET_J3D_NONE)
            continue;
        missing++;
        if (extras_data++ >= MAX_TOLD)
            continue;
        facet_j3d_name_text(names->items[i].bytes, name, sizeof name);
        facet_report_add(f->report, "JA41", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the model has no material '%s'",
                         facet_quote(&quoted, name, strlen(name)));
    }
    if (missing > MAX_TOLD)
        facet_report_add(f->report, "JA41", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%" PRIu32 " more material%s of the animation %s not in the model",
                         missing - MAX_TOLD, facet_plural(missing - MAX_TOLD, "", "s"),
                         facet_plural(missing - MAX_TOLD, "is", "are"));
}

static facet_status check_materials(fitting *f, uint32_t s)
{
    const facet_j3d_animation_set *set = &f->document->sets[s];
    facet_tally no_matrix = {0}, beyond = {0};
    uint16_t *slots = facet_arena_allocate(f->scratch, set->count, sizeof *slots);
    if (!slots)
        return facet_fail_arena(f->scratch, f->error);
    facet_status status =
        facet_j3d_animation_bind(&set->names, f->model, f->scratch, slots, f->error);
    for (uint32_t i = 0; i < set->count && !status; i++) {
        if (slots[i] == FACET_J3D_NONE)
            continue;
        f->moves = true;
        if (f->document->kind == FACET_J3D_BTK && s == 0)
            status = check_texture_matrix(f, slots[i], i, &no_matrix);
        if (f->document->kind == FACET_J3D_BTP)
            check_texture_numbers(f, i, &beyond);
    }
    if (status)
        return status;
    say_missing(f, &set->names, slots);
    facet_report_add_tally(f->report, "JA44", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &no_matrix,
                           "the material of entry %" PRIu64
                           " has no such texture matrix, or no texture coordinate for it",
                           no_matrix.first);
    facet_report_add_tally(f->report, "JA42", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &beyond,
                           "entry %" PRIu64 " shows a texture that does not exist: the model has "
                           "%" PRIu32,
                           beyond.first, f->model->textures.count);
    return FACET_OK;
}

static facet_status check_all(fitting *f)
{
    const facet_j3d_animation_set *set = &f->document->sets[0];
    facet_status status = FACET_OK;
    switch (f->document->kind) {
    case FACET_J3D_BCK:
    case FACET_J3D_BCA:
        compare_counts(f, "JA40", set->count, f->model->joints.count, "joints");
        check_scales(f);
        return FACET_OK;
    case FACET_J3D_BVA:
        compare_counts(f, "JA43", set->count, f->model->shapes.count, "shapes");
        return FACET_OK;
    case FACET_J3D_BLK:
    case FACET_J3D_BLA: /* a cluster file (BLS) connects them with the model */
    case FACET_J3D_BXK:
    case FACET_J3D_BXA:
        f->moves = set->count > 0 || f->document->sets[1].count > 0;
        return FACET_OK;
    default:
        for (uint32_t s = 0; s < 2 && !status; s++)
            status = check_materials(f, s);
        return status;
    }
}

facet_status facet_j3d_animation_check_fit(const facet_j3d_animation *document,
                                           const facet_j3d *model, const facet_options *options,
                                           facet_report *report, bool *fits, facet_error *error)
{
    fitting f = {.document = document, .model = model, .report = report, .error = error};
    TRY(facet_arena_create(options, &f.scratch, error));
    facet_status status = check_all(&f);
    facet_arena_free(f.scratch);
    if (!status && fits)
        *fits = f.moves && !f.misfits;
    return status ? status : facet_report_status(report, error);
}
