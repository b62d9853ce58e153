/* formats/j3d/animation/evaluate.c - values at a frame: in doubles, or in the console's floats with
 * its rounding. */
#include "formats/j3d/animation/animation.h"

#include <math.h>

/* -- Keys --------------------------------------------------------------- */

/* The two keys around a frame; tangents are per frame. */
typedef struct span {
    double t0, v0, m0, t1, v1, m1;
} span;

typedef enum place { BEFORE, BETWEEN, AFTER } place;

static double element(const facet_j3d_elements *elements, uint32_t index)
{
    return elements->reals ? (double)elements->reals[index] : elements->integers[index];
}

/* The same search as on the console: of keys at the same time, the last one begins a span. */
static uint32_t find_key(const facet_j3d_elements *elements, const facet_j3d_track *track,
                         uint32_t size, double frame)
{
    uint32_t begin = 0, count = track->count;
    while (count > 1) {
        uint32_t half = count / 2;
        if (frame >= element(elements, track->first + (begin + half) * size)) {
            begin += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return begin;
}

/* Find the span of a track with at least two keys. Beyond its ends, only v0 is set. */
static place find_span(const facet_j3d_elements *elements, const facet_j3d_track *track,
                       double frame, span *found)
{
    const uint32_t size = facet_j3d_key_size(track), first = track->first;
    const uint32_t last = first + (track->count - 1u) * size;
    if (frame < element(elements, first)) {
        found->v0 = element(elements, first + 1);
        return BEFORE;
    }
    if (!(frame < element(elements, last))) {
        found->v0 = element(elements, last + 1);
        return AFTER;
    }
    uint32_t at = first + find_key(elements, track, size, frame) * size;
    found->t0 = element(elements, at);
    found->v0 = element(elements, at + 1);
    found->m0 = element(elements, at + size - 1);
    found->t1 = element(elements, at + size);
    found->v1 = element(elements, at + size + 1);
    found->m1 = element(elements, at + size + 2);
    return BETWEEN;
}

/* -- Interpolation ------------------------------------------------------ */

static double hermite(const span *k, double frame, double *slope)
{
    double d = k->t1 - k->t0, s = (frame - k->t0) / d, s2 = s * s, s3 = s2 * s;
    if (slope)
        *slope = (k->v0 * (6 * s2 - 6 * s) + k->v1 * (6 * s - 6 * s2)) / d +
                 k->m0 * (3 * s2 - 4 * s + 1) + k->m1 * (3 * s2 - 2 * s);
    return k->v0 * (2 * s3 - 3 * s2 + 1) + k->m0 * d * (s3 - 2 * s2 + s) +
           k->v1 * (3 * s2 - 2 * s3) + k->m1 * d * (s3 - s2);
}

/* Multiplication and addition are rounded once, as in the console's chip. */
static float exact_integers(const span *k, float frame)
{
    const float t0 = (float)k->t0, v0 = (float)k->v0, m0 = (float)k->m0;
    const float v1 = (float)k->v1, m1 = (float)k->m1, d = (float)k->t1 - t0;
    float s = (frame - t0) / d, p = s * s;
    float g = fmaf(-d, m0, v1 - v0);
    float c = p * ((fmaf(m1, d, v0) - v1) - g);
    return fmaf(g, p, fmaf(fmaf(d, m0, c), s, v0)) - c;
}

static float exact_reals(const span *k, float frame)
{
    const float t0 = (float)k->t0, v0 = (float)k->v0, m0 = (float)k->m0;
    const float v1 = (float)k->v1, m1 = (float)k->m1;
    float x = frame - t0, s = x / ((float)k->t1 - t0), p = s * s, w = p - s;
    float a = fmaf(fmaf(s + s, w, -p), v0 - v1, v0);
    float b = fmaf(m1, w, fmaf(m0, w, m0));
    return fmaf(-x, fmaf(s, m0, -b), a);
}

/* Interpolate as in the earlier runtime. It is unknown which of its operations were fused. */
static float exact_reals_1(const span *k, float frame)
{
    const float t0 = (float)k->t0, v0 = (float)k->v0, m0 = (float)k->m0;
    const float v1 = (float)k->v1, m1 = (float)k->m1;
    float x = frame - t0, i = 1 / ((float)k->t1 - t0);
    float a = x * x * i, b = a * i, c = x * b, e = c * i;
    return v0 * (1 + (2 * e - 3 * b)) + v1 * (3 * b - 2 * e) + m0 * (x + (c - 2 * a)) +
           m1 * (c - a);
}

/* Evaluate a track with keys, before rounding. */
static double key_value(const facet_j3d_elements *elements, const facet_j3d_track *track,
                        const facet_j3d_moment *moment, bool as_integers, double otherwise)
{
    span k;
    if (track->count == 0)
        return otherwise;
    if (track->count == 1)
        return element(elements, track->first);
    double frame = moment->exact ? (double)(float)moment->frame : moment->frame;
    if (find_span(elements, track, frame, &k) != BETWEEN)
        return k.v0;
    if (!moment->exact)
        return hermite(&k, frame, NULL);
    if (as_integers)
        return (double)exact_integers(&k, (float)frame);
    return (double)(moment->runtime == FACET_J3D_RUNTIME_1 ? exact_reals_1(&k, (float)frame)
                                                           : exact_reals(&k, (float)frame));
}

/* -- Values per frame --------------------------------------------------- */

/* The index of the value at a frame. */
static uint32_t value_index(const facet_j3d_track *track, double frame, bool rounds)
{
    double at = rounds ? frame + 0.5 : frame;
    if (!(frame >= 0))
        return track->first;
    return at >= track->count ? track->first + track->count - 1u : track->first + (uint32_t)at;
}

static double frame_value(const facet_j3d_elements *elements, const facet_j3d_track *track,
                          const facet_j3d_moment *moment)
{
    return element(elements,
                   value_index(track, moment->frame, moment->runtime != FACET_J3D_RUNTIME_1));
}

/* Interpolate between two frames of a BCA; angles use the shorter arc. */
static double mixed_value(const facet_j3d_elements *elements, const facet_j3d_track *track,
                          double frame, bool is_angle)
{
    uint32_t index = value_index(track, frame, false), last = track->first + track->count - 1u;
    double part = frame - floor(frame), value = element(elements, index);
    if (!(frame > 0) || index == last || part == 0)
        return value;
    double next = element(elements, index + 1), change = next - value;
    if (is_angle) {
        value = (uint16_t)elements->integers[index];
        change = (uint16_t)elements->integers[index + 1] - value;
        change += change > 0x8000 ? -0x10000 : change < -0x8000 ? 0x10000 : 0;
    }
    return value + part * change;
}

/* -- Integers ----------------------------------------------------------- */

static int32_t truncated(double value)
{
    return value >= INT32_MAX ? INT32_MAX : value <= INT32_MIN ? INT32_MIN : (int32_t)value;
}

static int16_t low_half(int32_t value)
{
    return (int16_t)(uint16_t)((uint32_t)value & 0xFFFF);
}

/* The left shift of angles. A shift of 16 or more leaves nothing. */
static uint32_t shift_of(const facet_j3d_animation *document)
{
    bool shifts = document->kind == FACET_J3D_BCK || document->kind == FACET_J3D_BTK;
    return !shifts ? 0 : document->rotation_shift > 15 ? 16 : document->rotation_shift;
}

static int16_t shifted(int32_t value, uint32_t shift)
{
    return low_half((int32_t)((uint32_t)value << shift));
}

static double degrees(double value, uint32_t shift)
{
    return shift > 15 ? 0 : ldexp(value, (int)shift) * 180 / 32767;
}

/* -- Joints ------------------------------------------------------------- */

static double joint_value(const facet_j3d_animation *document, uint32_t component,
                          const facet_j3d_track *track, const facet_j3d_moment *moment)
{
    const facet_j3d_elements *elements = &document->sets[0].elements[component];
    if (document->kind == FACET_J3D_BCK)
        return key_value(elements, track, moment, component == 1, component == 0 ? 1 : 0);
    return moment->interpolate ? mixed_value(elements, track, moment->frame, component == 1)
                               : frame_value(elements, track, moment);
}

void facet_j3d_animation_joints(const facet_j3d_animation *document, const facet_j3d_moment *moment,
                                facet_j3d_joint_pose *joints)
{
    const facet_j3d_animation_set *set = &document->sets[0];
    const uint32_t shift = shift_of(document);
    const facet_j3d_track *track = set->tracks;
    for (uint32_t j = 0; j < set->count; j++) {
        facet_j3d_joint_pose *joint = &joints[j];
        for (int axis = 0; axis < 3; axis++, track += 3) {
            double angle = joint_value(document, 1, track + 1, moment);
            int32_t whole = truncated(angle);
            joint->scale[axis] = (float)joint_value(document, 0, track, moment);
            joint->rotation[axis] = shifted(whole, shift);
            joint->angles[axis] = degrees(moment->exact ? whole : angle, shift);
            joint->translation[axis] = (float)joint_value(document, 2, track + 2, moment);
        }
    }
}

/* -- Texture matrices --------------------------------------------------- */

void facet_j3d_animation_texture(const facet_j3d_animation *document, uint32_t set, uint32_t entry,
                                 const facet_j3d_moment *moment, facet_j3d_texture_pose *texture)
{
    const facet_j3d_elements *elements = document->sets[set].elements;
    const facet_j3d_track *tracks = document->sets[set].tracks + (size_t)entry * 9;
    const uint32_t shift = shift_of(document);
    double angle = key_value(&elements[1], &tracks[7], moment, true, 0);
    int32_t whole = truncated(angle);
    texture->rotation = shifted(whole, shift);
    texture->angle = degrees(moment->exact ? whole : angle, shift);
    for (int axis = 0; axis < 2; axis++) {
        const facet_j3d_track *of_axis = tracks + 3 * axis;
        texture->scale[axis] = (float)key_value(&elements[0], &of_axis[0], moment, false, 1);
        texture->translation[axis] = (float)key_value(&elements[2], &of_axis[2], moment, false, 0);
    }
}

void facet_j3d_texture_matrix(const float scale[2], double angle, const float translation[2],
                              const float center[2], bool maya, double matrix[6])
{
    double c = cos(angle), s = sin(angle), sx = (double)scale[0], sy = (double)scale[1];
    double tx = (double)translation[0], ty = (double)translation[1];
    matrix[0] = sx * c;
    matrix[4] = sy * c;
    if (maya) {
        double p = tx - 0.5, q = ty - 0.5;
        matrix[1] = sy * s;
        matrix[2] = p * c - s * (q + sy) + 0.5;
        matrix[3] = -sx * s;
        matrix[5] = -p * s - c * (q + sy) + 0.5;
        return;
    }
    double cs = (double)center[0], ct = (double)center[1];
    matrix[1] = -sx * s;
    matrix[2] = -matrix[0] * cs - matrix[1] * ct + cs + tx;
    matrix[3] = sy * s;
    matrix[5] = -matrix[3] * cs - matrix[4] * ct + ct + ty;
}

/* -- Colors and the rest ------------------------------------------------ */

static double clamped(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

void facet_j3d_animation_color(const facet_j3d_animation *document, uint32_t set, uint32_t entry,
                               const facet_j3d_moment *moment, int16_t color[4])
{
    const facet_j3d_track *tracks = document->sets[set].tracks + (size_t)entry * 4;
    bool is_register = document->kind == FACET_J3D_BRK && set == 0;
    bool as_integers = moment->runtime != FACET_J3D_RUNTIME_1 || document->kind == FACET_J3D_BXK;
    for (uint32_t i = 0; i < 4; i++) {
        const facet_j3d_elements *elements = facet_j3d_elements_of(document, set, i);
        if (!facet_j3d_animation_has_keys(document->kind)) {
            color[i] = (int16_t)frame_value(elements, &tracks[i], moment);
            continue;
        }
        double value = key_value(elements, &tracks[i], moment, as_integers, 0);
        if (tracks[i].count <= 1) /* not clamped */
            color[i] = (int16_t)(is_register ? truncated(value) : truncated(value) & 0xFF);
        else
            color[i] = (int16_t)truncated(is_register ? clamped(value, -1024, 1023)
                                                      : clamped(value, 0, 255));
    }
}

uint16_t facet_j3d_animation_texture_number(const facet_j3d_animation *document, uint32_t entry,
                                            const facet_j3d_moment *moment)
{
    const facet_j3d_animation_set *set = &document->sets[0];
    return (uint16_t)set->elements[0]
        .integers[value_index(&set->tracks[entry], moment->frame, false)];
}

bool facet_j3d_animation_visible(const facet_j3d_animation *document, uint32_t entry,
                                 const facet_j3d_moment *moment)
{
    const facet_j3d_animation_set *set = &document->sets[0];
    bool rounds = moment->runtime != FACET_J3D_RUNTIME_1;
    return set->elements[0].integers[value_index(&set->tracks[entry], moment->frame, rounds)] != 0;
}

float facet_j3d_animation_weight(const facet_j3d_animation *document, uint32_t entry,
                                 const facet_j3d_moment *moment)
{
    const facet_j3d_animation_set *set = &document->sets[0];
    const facet_j3d_track *track = &set->tracks[entry];
    return document->kind == FACET_J3D_BLK
               ? (float)key_value(&set->elements[0], track, moment, false, 1)
               : (float)frame_value(&set->elements[0], track, moment);
}

/* -- Curves ------------------------------------------------------------- */

double facet_j3d_animation_curve(const facet_j3d_animation *document, uint32_t set, uint32_t track,
                                 double frame, double *slope)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    const facet_j3d_track *of = &document->sets[set].tracks[track];
    uint32_t component = facet_j3d_component_of(format, track % format->tracks);
    const facet_j3d_elements *elements = facet_j3d_elements_of(document, set, component);
    span k;
    if (slope)
        *slope = 0;
    if (!format->has_keys)
        return element(elements, value_index(of, frame, true));
    if (of->count <= 1)
        return of->count == 0 ? (format->tracks != 4 && component == 0 ? 1 : 0)
                              : element(elements, of->first);
    return find_span(elements, of, frame, &k) == BETWEEN ? hermite(&k, frame, slope) : k.v0;
}

double facet_j3d_animation_curve_before(const facet_j3d_animation *document, uint32_t set,
                                        uint32_t track, double frame, double *slope)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    const facet_j3d_track *of = &document->sets[set].tracks[track];
    uint32_t component = facet_j3d_component_of(format, track % format->tracks);
    const facet_j3d_elements *elements = facet_j3d_elements_of(document, set, component);
    if (!format->has_keys || of->count <= 1)
        return facet_j3d_animation_curve(document, set, track, frame, slope);
    const uint32_t size = facet_j3d_key_size(of);
    uint32_t key = find_key(elements, of, size, frame);
    /* If several keys have this time, the first one ends the piece before. */
    while (key > 0 && element(elements, of->first + key * size) == frame)
        key--;
    uint32_t at = of->first + key * size;
    span k = {element(elements, at),
              element(elements, at + 1),
              element(elements, at + size - 1),
              0,
              0,
              0};
    *slope = 0;
    if (!(k.t0 < frame)) /* no key is earlier */
        return k.v0;
    if (key + 1 == of->count)
        return k.v0;
    k.t1 = element(elements, at + size);
    k.v1 = element(elements, at + size + 1);
    k.m1 = element(elements, at + size + 2);
    return k.t1 > k.t0 ? hermite(&k, frame, slope) : k.v0;
}
