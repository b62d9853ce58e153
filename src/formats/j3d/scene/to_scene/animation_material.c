/* formats/j3d/scene/to_scene/animation_material.c - animations of materials and shapes: BTK, BRK,
 * BPK, BPA, BTP and BVA to channels of the model's scene.
 *
 * A material of the scene is the result of the texture environment for the model's state. The same
 * steps run again with the state that an animation sets at a frame. If only the base color, the
 * texture transform or the choice of the texture differs, the animation becomes a channel. All
 * frames are sampled, and frames on a straight line between others are dropped. */
#include "formats/j3d/scene/to_scene/animation.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/scene/to_scene/material_shown.h"

#include <math.h>
#include <string.h>

/* Maximum error of values between two keys. Texture transforms and colors are in units from 0 to 1,
 * where the smallest step of a byte is 3e-4. Angles are in radians: 0.01 degrees. */
#define STRAIGHT 1e-5
#define STRAIGHT_COLOR 1e-4
#define STRAIGHT_ANGLE 1.745e-4
/* Maximum number of consecutive frames off the line before one is on it again. */
#define FURTHEST 64
/* Maximum number of times that materials are evaluated. */
#define MAX_VIEWS 300000

/* Number of values per frame: a texture's offset, rotation and scale; a color; an image number or a
 * visibility. */
enum { WIDTH = 5 };

typedef struct driving {
    const facet_j3d_animation *document;
    const facet_j3d_animation_format *format;
    const facet_j3d *model;
    facet_scene *scene;
    facet_animation *animation;
    facet_arena *scratch;
    facet_error *error;
    double rate;
    uint32_t frames;
    float (*values)[WIDTH]; /* frames + 1 elements */
    facet_j3d_viewer viewer;
    uint32_t views;
    uint32_t *first, *next; /* entries of a material: number + 1, in their order */
    facet_tally *lost;
} driving;

static facet_status no_memory(const driving *d)
{
    return facet_fail_arenas(d->scratch, d->scene->arena, d->error);
}

/* -- Channels ----------------------------------------------------------- */

/* The range of slopes of lines from a key that pass all later frames within the tolerance. */
typedef struct cone {
    double least[4], most[4];
} cone;

static double slope_of(const driving *d, uint32_t key, uint32_t at, uint32_t column)
{
    double rise = (double)d->values[at][column] - (double)d->values[key][column];
    return rise / (at - key);
}

/* The last of `samples` frames that a straight line from `key` can reach within the tolerance. */
static uint32_t reach(const driving *d, uint32_t key, uint32_t column, uint32_t width,
                      uint32_t samples, double within)
{
    cone c;
    uint32_t reached = key + 1;
    for (uint32_t i = 0; i < width; i++)
        c.least[i] = -HUGE_VAL, c.most[i] = HUGE_VAL;
    for (uint32_t f = key + 1; f < samples && f - reached <= FURTHEST; f++) {
        bool inside = true, open = true;
        for (uint32_t i = 0; i < width; i++) {
            double slope = slope_of(d, key, f, column + i), off = within / (f - key);
            inside &= slope >= c.least[i] && slope <= c.most[i];
            c.least[i] = fmax(c.least[i], slope - off);
            c.most[i] = fmin(c.most[i], slope + off);
            open &= c.least[i] <= c.most[i];
        }
        if (inside)
            reached = f;
        if (!open)
            break;
    }
    return reached;
}

/* Find the frames that become keys. Returns their number. */
static uint32_t find_keys(const driving *d, const facet_channel *channel, uint32_t column,
                          uint32_t samples, uint32_t *keys)
{
    uint32_t count = 1;
    double within = channel->target == FACET_TARGET_TEXTURE_ROTATION ? STRAIGHT_ANGLE
                    : channel->target == FACET_TARGET_BASE_COLOR     ? STRAIGHT_COLOR
                                                                     : STRAIGHT;
    bool steps = channel->interpolation == FACET_INTERPOLATION_STEP;
    keys[0] = 0;
    for (uint32_t f = 1; f < samples && steps; f++) {
        if (d->values[f][column] != d->values[f - 1][column])
            keys[count++] = f;
    }
    while (!steps && keys[count - 1] + 1 < samples) {
        keys[count] = reach(d, keys[count - 1], column, channel->width, samples, within);
        count++;
    }
    /* The last frame defines the duration. */
    if (keys[count - 1] + 1 < samples)
        keys[count++] = samples - 1;
    return count;
}

static bool is_constant(const driving *d, uint32_t column, uint32_t width, uint32_t samples)
{
    for (uint32_t f = 1; f < samples; f++) {
        if (memcmp(&d->values[f][column], &d->values[0][column], width * sizeof(float)) != 0)
            return false;
    }
    return true;
}

/* Add a channel from columns of the values. Skip it if all values equal the rest state. */
static facet_status add_channel(driving *d, facet_channel channel, uint32_t column,
                                uint32_t samples, const float *rest)
{
    uint32_t width = channel.width;
    bool constant = is_constant(d, column, width, samples);
    if (constant && memcmp(&d->values[0][column], rest, width * sizeof *rest) == 0)
        return FACET_OK;
    uint32_t *keys = facet_arena_allocate(d->scratch, samples + (size_t)1, sizeof *keys);
    if (!keys)
        return no_memory(d);
    channel.key_count = constant ? 1 : find_keys(d, &channel, column, samples, keys);
    if (constant) {
        keys[0] = 0;
        channel.interpolation = FACET_INTERPOLATION_STEP;
    }
    channel.times = facet_scene_allocate(d->scene, channel.key_count, sizeof(float));
    channel.values = facet_scene_allocate(d->scene, channel.key_count, width * sizeof(float));
    if (!channel.times || !channel.values)
        return no_memory(d);
    for (uint32_t k = 0; k < channel.key_count; k++) {
        channel.times[k] = (float)(keys[k] / d->rate);
        memcpy(channel.values + (size_t)k * width, &d->values[keys[k]][column],
               width * sizeof(float));
    }
    facet_arena_release(d->scratch, keys, samples + (size_t)1, sizeof *keys);
    d->animation->channels[d->animation->channel_count++] = channel;
    return FACET_OK;
}

static facet_channel of_material(uint32_t material, facet_channel_target target, uint32_t width)
{
    facet_channel channel = {.node = FACET_NONE,
                             .target = target,
                             .width = width,
                             .material = material,
                             .map = FACET_MAP_DIFFUSE};
    if (target == FACET_TARGET_TEXTURE_IMAGE)
        channel.interpolation = FACET_INTERPOLATION_STEP;
    return channel;
}

/* -- The state at a frame ----------------------------------------------- */

/* Entries of the second set are numbered after those of the first. */
static uint32_t set_of(const driving *d, uint32_t entry, uint32_t *within)
{
    uint32_t set = entry >= d->document->sets[0].count;
    *within = set ? entry - d->document->sets[0].count : entry;
    return set;
}

void facet_j3d_animation_apply(const facet_j3d_animation *document, uint32_t set, uint32_t entry,
                               double frame, facet_gx_material *gx)
{
    const facet_j3d_animation_set *of = &document->sets[set];
    facet_j3d_moment moment = {.frame = frame};
    facet_j3d_texture_pose pose;
    int16_t c[4];
    uint8_t slot = of->slots ? of->slots[entry] : 0;
    switch (document->kind) {
    case FACET_J3D_BTK:
        if (set > 0 || slot > 7)
            return;
        facet_gx_texture_matrix *record = &gx->texture_matrices[slot];
        facet_j3d_animation_texture(document, 0, entry, &moment, &pose);
        memcpy(record->scale, pose.scale, sizeof pose.scale);
        memcpy(record->translation, pose.translation, sizeof pose.translation);
        memcpy(record->center, of->centers[entry], sizeof record->center);
        record->rotation = pose.rotation;
        record->mode = (uint8_t)((record->mode & 0x7F) | (document->convention == 1 ? 0x80 : 0));
        if (slot < gx->texgen_count)
            gx->texgens[slot].matrix = (uint8_t)(30 + 3 * slot);
        return;
    case FACET_J3D_BTP:
        if (slot <= 7)
            gx->textures[slot] = facet_j3d_animation_texture_number(document, entry, &moment);
        return;
    default:
        facet_j3d_animation_color(document, set, entry, &moment, c);
        const facet_gx_rgba8 bytes = {(uint8_t)c[0], (uint8_t)c[1], (uint8_t)c[2], (uint8_t)c[3]};
        if (document->kind != FACET_J3D_BRK)
            gx->material_colors[0] = bytes;
        else if (set == 1 && slot < 4)
            gx->konst_colors[slot] = bytes;
        else if (set == 0 && slot < 3)
            gx->tev_registers[slot] = (facet_gx_rgba16){c[0], c[1], c[2], c[3]};
    }
}

static void apply_all(const driving *d, uint32_t slot, double frame, facet_gx_material *gx)
{
    for (uint32_t at = d->first[slot]; at; at = d->next[at - 1]) {
        uint32_t entry, set = set_of(d, at - 1, &entry);
        facet_j3d_animation_apply(d->document, set, entry, frame, gx);
    }
}

/* Number of samples required: one if nothing changes. */
static uint32_t samples_of(const driving *d, uint32_t slot)
{
    for (uint32_t at = d->first[slot]; at; at = d->next[at - 1]) {
        uint32_t entry, set = set_of(d, at - 1, &entry);
        const facet_j3d_track *tracks =
            d->document->sets[set].tracks + (size_t)entry * d->format->tracks;
        for (uint32_t i = 0; i < d->format->tracks; i++) {
            if (tracks[i].count > 1)
                return d->frames + 1;
        }
    }
    return 1;
}

static void lose(const driving *d, uint32_t slot)
{
    for (uint32_t at = d->first[slot]; at; at = d->next[at - 1])
        facet_tally_hit(d->lost, at - 1);
}

/* -- Texture transforms ------------------------------------------------- */

bool facet_j3d_texture_transform(const facet_j3d_animation *document, uint32_t entry, double frame,
                                 float place[5], double matrix[6])
{
    facet_j3d_moment moment = {.frame = frame};
    facet_j3d_texture_pose pose;
    const float *center = document->sets[0].centers[entry];
    bool maya = document->convention == 1;
    facet_j3d_animation_texture(document, 0, entry, &moment, &pose);
    /* The exporter's degree, with 65,536 console units per turn. */
    double angle = pose.angle * 32767 / 180 * FACET_PI / 32768;
    facet_j3d_texture_matrix(pose.scale, angle, pose.translation, center, maya, matrix);
    place[0] = (float)matrix[2];
    place[1] = (float)matrix[5];
    place[2] = (float)(maya ? angle : -angle);
    place[3] = pose.scale[0];
    place[4] = pose.scale[1];
    /* Basic matrices scale after the rotation, a scene's textures before. */
    return maya || fabs(((double)place[3] - (double)place[4]) * sin(angle)) < 1e-5;
}

/* The entry that animates the shown texture, found by its transform at a frame. */
static uint32_t entry_of_place(const driving *d, uint32_t slot, double frame,
                               const facet_j3d_shown *shown)
{
    uint32_t found = FACET_NONE;
    for (uint32_t at = d->first[slot]; at; at = d->next[at - 1]) {
        float place[5];
        double m[6];
        bool same = at - 1 < d->document->sets[0].count && d->document->sets[0].slots[at - 1] <= 7;
        if (!same)
            continue;
        facet_j3d_texture_transform(d->document, at - 1, frame, place, m);
        for (int i = 0; i < 6; i++)
            same &= fabs(m[i] - (double)shown->rows[i / 3][i % 3]) < 1e-3 * (1 + fabs(m[i]));
        if (same)
            found = at - 1;
    }
    return found;
}

/* Let a texture with baked coordinates use those of the model. */
static bool use_own_coordinates(const driving *d, const facet_j3d_shown *rest,
                                facet_texture *texture)
{
    if (texture->uv_set < facet_j3d_first_baked_set(d->model))
        return true;
    double c = (double)rest->rows[0][0], s = (double)rest->rows[0][1];
    double sx = hypot(c, (double)rest->rows[1][0]), sy = hypot(s, (double)rest->rows[1][1]);
    double angle = atan2(-(double)rest->rows[1][0], c);
    if (fabs(sy * sin(angle) - s) > 1e-4 || fabs(sy * cos(angle) - (double)rest->rows[1][1]) > 1e-4)
        return false;
    texture->uv_set = rest->texcoord;
    texture->has_transform = true;
    texture->offset[0] = rest->rows[0][2];
    texture->offset[1] = rest->rows[1][2];
    texture->rotation = (float)angle;
    texture->scale[0] = (float)sx;
    texture->scale[1] = (float)sy;
    return true;
}

static facet_status drive_place(driving *d, uint32_t slot, const facet_gx_material *at_rest)
{
    static const float none[5] = {0, 0, 0, 1, 1};
    facet_gx_material gx = *at_rest;
    facet_j3d_shown rest, shown;
    facet_texture *texture = d->scene->materials[slot]->maps[FACET_MAP_DIFFUSE];
    double somewhere = d->frames * 0.37; /* a time at which no transform equals the rest state by
                                            chance */
    float still[5];
    double matrix[6];
    apply_all(d, slot, somewhere, &gx);
    facet_status status = facet_j3d_view_material(&d->viewer, slot, at_rest, &rest, d->error);
    if (!status)
        status = facet_j3d_view_material(&d->viewer, slot, &gx, &shown, d->error);
    if (status)
        return status;
    bool same = rest.base >= 0 && texture && (rest.is_plain || rest.sharing == shown.sharing) &&
                facet_j3d_shown_same_color(&rest, &shown);
    shown.sharing = rest.sharing;
    same = same && facet_j3d_shown_alike(&rest, &shown, false, true);
    uint32_t entry = same ? entry_of_place(d, slot, somewhere, &shown) : FACET_NONE;
    uint32_t samples = samples_of(d, slot);
    for (uint32_t f = 0; f < samples && entry != FACET_NONE; f++) {
        if (!facet_j3d_texture_transform(d->document, entry, f, d->values[f], matrix))
            entry = FACET_NONE;
    }
    if (entry == FACET_NONE || !use_own_coordinates(d, &rest, texture)) {
        lose(d, slot);
        return FACET_OK;
    }
    memcpy(still, none, sizeof none);
    if (texture->has_transform) {
        memcpy(still, texture->offset, sizeof texture->offset);
        still[2] = texture->rotation;
        memcpy(still + 3, texture->scale, sizeof texture->scale);
    }
    status = add_channel(d, of_material(slot, FACET_TARGET_TEXTURE_OFFSET, 2), 0, samples, still);
    if (!status)
        status = add_channel(d, of_material(slot, FACET_TARGET_TEXTURE_ROTATION, 1), 2, samples,
                             still + 2);
    if (!status)
        status =
            add_channel(d, of_material(slot, FACET_TARGET_TEXTURE_SCALE, 2), 3, samples, still + 3);
    return status;
}

/* -- Colors and choices ------------------------------------------------- */

/* Make the material transparent if it is opaque at rest, but transparent during the animation. */
static void let_through(const driving *d, uint32_t slot, const facet_j3d_shown *rest, bool choice,
                        uint32_t samples)
{
    facet_material *material = d->scene->materials[slot];
    bool through = choice;
    for (uint32_t f = 0; f < samples && !through; f++)
        through = d->values[f][3] < 1;
    if (!through || material->alpha_mode != FACET_ALPHA_OPAQUE)
        return;
    material->alpha_mode = rest->alpha_mode;
    material->alpha_cutoff = rest->alpha_cutoff;
}

static facet_status drive_look(driving *d, uint32_t slot, const facet_gx_material *at_rest)
{
    bool choice = d->document->kind == FACET_J3D_BTP, same;
    uint32_t samples = samples_of(d, slot);
    facet_gx_material gx = *at_rest, before;
    facet_j3d_shown rest, shown = {0};
    facet_status status = facet_j3d_view_material(&d->viewer, slot, at_rest, &rest, d->error);
    same = rest.is_plain && (!choice || rest.base >= 0);
    for (uint32_t f = 0; f < samples && same && !status; f++) {
        before = gx;
        apply_all(d, slot, f, &gx);
        if (f == 0 || memcmp(&before, &gx, sizeof gx) != 0) {
            status = facet_j3d_view_material(&d->viewer, slot, &gx, &shown, d->error);
            same = d->views++ < MAX_VIEWS && facet_j3d_shown_alike(&rest, &shown, true, !choice) &&
                   (!choice || facet_j3d_shown_same_color(&rest, &shown));
        }
        if (choice && same)
            d->values[f][0] = (float)d->viewer.painter.image_of[shown.base];
        else
            memcpy(d->values[f], shown.color, sizeof shown.color);
    }
    if (status)
        return status;
    if (!same) {
        lose(d, slot);
        return FACET_OK;
    }
    let_through(d, slot, &rest, choice, samples);
    if (!choice)
        return add_channel(d, of_material(slot, FACET_TARGET_BASE_COLOR, 4), 0, samples,
                           d->scene->materials[slot]->base_color);
    float image = (float)d->scene->materials[slot]->maps[FACET_MAP_DIFFUSE]->image;
    return add_channel(d, of_material(slot, FACET_TARGET_TEXTURE_IMAGE, 1), 0, samples, &image);
}

/* Group the entries by material. */
static facet_status sort_entries(driving *d)
{
    const facet_j3d_animation_set *sets = d->document->sets;
    uint32_t slots = d->model->materials.slot_count;
    uint32_t total = sets[0].count + (d->document->kind == FACET_J3D_BRK ? sets[1].count : 0);
    d->first = facet_arena_allocate_zeroed(d->scratch, slots, sizeof *d->first);
    d->next = facet_arena_allocate_zeroed(d->scratch, total, sizeof *d->next);
    uint16_t *bound = facet_arena_allocate(d->scratch, total, sizeof *bound);
    if (!d->first || !d->next || !bound)
        return no_memory(d);
    facet_status status =
        facet_j3d_animation_bind(&sets[0].names, d->model, d->scratch, bound, d->error);
    if (!status && total > sets[0].count)
        status = facet_j3d_animation_bind(&sets[1].names, d->model, d->scratch,
                                          bound + sets[0].count, d->error);
    for (uint32_t i = total; i-- > 0 && !status;) {
        if (bound[i] == FACET_J3D_NONE) {
            facet_tally_hit(d->lost, i);
            continue;
        }
        d->next[i] = d->first[bound[i]];
        d->first[bound[i]] = i + 1;
    }
    return status;
}

static facet_status drive_materials(driving *d)
{
    bool usable = false;
    facet_status status = sort_entries(d);
    if (!status)
        status =
            facet_j3d_viewer_make(d->model, d->scene, d->scratch, &d->viewer, &usable, d->error);
    for (uint32_t slot = 0; slot < d->model->materials.slot_count && !status; slot++) {
        facet_j3d_material material;
        if (!d->first[slot])
            continue;
        if (!usable) {
            lose(d, slot);
            continue;
        }
        status = facet_j3d_get_material(d->model, slot, &material, d->error);
        if (!status)
            status = d->document->kind == FACET_J3D_BTK ? drive_place(d, slot, &material.gx)
                                                        : drive_look(d, slot, &material.gx);
    }
    return status;
}

/* -- Shapes ------------------------------------------------------------- */

bool facet_j3d_shape_of_name(const char *name, uint32_t *shape)
{
    uint64_t number = 0;
    const char *at = name + 5;
    if (strncmp(name, "shape", 5) != 0 || *at < '0' || *at > '9')
        return false;
    while (*at >= '0' && *at <= '9' && number < FACET_NONE)
        number = number * 10 + (uint64_t)(*at++ - '0');
    *shape = (uint32_t)number;
    return number < FACET_NONE && (*at == '\0' || *at == '_');
}

static facet_status drive_shapes(driving *d)
{
    static const float seen = 1;
    uint32_t count = d->document->sets[0].count;
    bool *shown = facet_arena_allocate_zeroed(d->scratch, count, sizeof *shown);
    facet_status status = shown ? FACET_OK : no_memory(d);
    for (uint32_t n = d->model->joints.count; n < d->scene->node_count && !status; n++) {
        const facet_node *node = d->scene->nodes[n];
        uint32_t shape;
        if (node->mesh == FACET_NONE || !facet_j3d_shape_of_name(node->name, &shape) ||
            shape >= count || shown[shape])
            continue;
        shown[shape] = true;
        uint32_t samples = d->document->sets[0].tracks[shape].count > 1 ? d->frames + 1 : 1;
        for (uint32_t f = 0; f < samples; f++) {
            facet_j3d_moment moment = {.frame = f};
            d->values[f][0] = facet_j3d_animation_visible(d->document, shape, &moment) ? 1 : 0;
        }
        facet_channel channel = {.node = n,
                                 .target = FACET_TARGET_VISIBILITY,
                                 .interpolation = FACET_INTERPOLATION_STEP,
                                 .width = 1};
        status = add_channel(d, channel, 0, samples, &seen);
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        if (!shown[i])
            facet_tally_hit(d->lost, i);
    }
    return status;
}

/* -- All animations ----------------------------------------------------- */

bool facet_j3d_animation_has_channels(facet_j3d_animation_kind kind)
{
    return kind >= FACET_J3D_BTK && kind <= FACET_J3D_BVA;
}

facet_status facet_j3d_animation_drive(const facet_j3d_animation *document, const facet_j3d *model,
                                       double rate, const facet_options *options,
                                       facet_scene *scene, facet_animation **animation,
                                       facet_tally *lost, facet_error *error)
{
    driving d = {.document = document,
                 .format = facet_j3d_animation_format_of(document->kind),
                 .model = model,
                 .scene = scene,
                 .error = error,
                 .rate = rate,
                 .frames = document->frames > 0 ? (uint32_t)document->frames : 1,
                 .lost = lost};
    uint32_t most =
        document->kind == FACET_J3D_BVA ? document->sets[0].count : model->materials.slot_count * 3;
    *animation = NULL;
    facet_status status = facet_j3d_animation_check_sharing(document, error);
    if (!status)
        status = facet_arena_create(options, &d.scratch, error);
    if (status)
        return status;
    d.values = facet_arena_allocate(d.scratch, d.frames + (size_t)1, sizeof *d.values);
    status = d.values ? facet_scene_add_animation(scene, document->name ? document->name : "", most,
                                                  &d.animation, error)
                      : no_memory(&d);
    if (!status) {
        d.animation->channel_count = 0;
        status = document->kind == FACET_J3D_BVA ? drive_shapes(&d) : drive_materials(&d);
    }
    if (!status && d.animation->channel_count > 0)
        *animation = d.animation;
    else if (d.animation)
        scene->animation_count--;
    facet_arena_free(d.scratch);
    return status;
}
