/* render/surroundings.c - light from an image of the whole sphere. The middle column is the
 * direction +X, and +Z is a quarter to the right of it. The top row is up, as in three.js and
 * others.
 *
 * Diffuse light is nine numbers for each color (Ramamoorthi and Hanrahan). Reflections of rough
 * surfaces are summed beforehand for five roughnesses. The sums are over lobes of GGX, as seen from
 * the front (Karis). The code does not use sine or angle functions of the C library. */
#include "render/render.h"

#include "base/error.h"
#include "base/exact.h"
#include "base/floats.h"
#include "base/processor.h"
#include "base/threads.h"

#include <facet/image.h>
#include <math.h>
#include <string.h>

enum {
    MAX_WIDTH = 512, /* for mirrors: a roughness of 0.1 shows no more detail */
    SUM_WIDTH = 128, /* for the input of the sums */
    WIDTH = 64,      /* for the sums */
    LEVELS = 5       /* for roughness 0.2, 0.4 ... 1 */
};

typedef struct sphere {
    uint32_t width, height;
    float (*texels)[3];
} sphere;

struct facet_render_surroundings {
    float turn[3][3]; /* from the camera's axes to the image's */
    float diffuse[9][3];
    sphere mirrored, levels[LEVELS];
};

/* -- Directions --------------------------------------------------------- */

/* Angle of y / x in turns, from -0.5 to 0.5, within 2 millionths: a polynomial (Hastings). */
static float angle_of(float y, float x)
{
    float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    float more = ax > ay ? ax : ay, less = ax > ay ? ay : ax;
    float t = more > 0 ? less / more : 0, s = t * t;
    float angle =
        t * (0.99997726f +
             s * (-0.33262347f +
                  s * (0.19354346f + s * (-0.11643287f + s * (0.05265332f - s * 0.0117212f)))));
    angle *= 0.15915494f;
    angle = ay > ax ? 0.25f - angle : angle;
    angle = x < 0 ? 0.5f - angle : angle;
    return y < 0 ? -angle : angle;
}

static void texel_at(const sphere *s, int32_t x, int32_t y, float part, float out[3])
{
    int32_t width = (int32_t)s->width, last = (int32_t)s->height - 1;
    x = x < 0 ? x + width : x >= width ? x - width : x;
    y = y < 0 ? 0 : y > last ? last : y;
    const float *texel = s->texels[(size_t)y * s->width + (size_t)x];
    for (int c = 0; c < 3; c++)
        out[c] += part * texel[c];
}

/* A direction in the image: shares of its width and height. */
typedef struct place {
    float u, v;
} place;

static place place_of(const float d[3])
{
    float flat = sqrtf(d[0] * d[0] + d[2] * d[2]);
    return (place){angle_of(d[2], d[0]) + 0.5f, 0.5f - 2 * angle_of(d[1], flat)};
}

/* Add the color at a place, times `part`. It is interpolated between four texels. */
static void look(const sphere *s, place at, float part, float out[3])
{
    float u = at.u * (float)s->width - 0.5f, v = at.v * (float)s->height - 0.5f;
    float fu = floorf(u), fv = floorf(v), a = u - fu, b = v - fv;
    int32_t x = (int32_t)fu, y = (int32_t)fv;
    texel_at(s, x, y, part * (1 - a) * (1 - b), out);
    texel_at(s, x + 1, y, part * a * (1 - b), out);
    texel_at(s, x, y + 1, part * (1 - a) * b, out);
    texel_at(s, x + 1, y + 1, part * a * b, out);
}

/* Direction of a texel's center, and the cosine of its latitude: its share of the sphere. */
static float direction_of(const sphere *s, uint32_t x, uint32_t y, float out[3])
{
    double sine, cosine, up, flat;
    facet_exact_sine_cosine(((x + 0.5) / s->width - 0.5) * 360, &sine, &cosine);
    facet_exact_sine_cosine((0.5 - (y + 0.5) / s->height) * 180, &up, &flat);
    out[0] = (float)(flat * cosine);
    out[1] = (float)up;
    out[2] = (float)(flat * sine);
    return (float)flat;
}

/* -- Sums --------------------------------------------------------------- */

static facet_status make_sphere(facet_arena *arena, facet_error *error, uint32_t width,
                                uint32_t height, sphere *s)
{
    s->width = width;
    s->height = height;
    s->texels = facet_arena_allocate_zeroed(arena, (size_t)width * height, sizeof *s->texels);
    return s->texels ? FACET_OK : facet_fail_arena(arena, error);
}

/* Linear colors of a pixel; NaN becomes black. */
static void read_pixel(const facet_image *image, size_t at, float out[3])
{
    uint32_t colors = image->channels < 3 ? 1 : 3;
    for (uint32_t c = 0; c < 3; c++) {
        size_t i = at * image->channels + (c < colors ? c : 0);
        float value = image->is_float ? ((const float *)image->pixels)[i]
                                      : facet_render_linear[((const uint8_t *)image->pixels)[i]];
        out[c] = value > 0 && value < 1e9f ? value : 0;
    }
}

/* Reduce an image by means of boxes of at least one pixel each. */
static void reduce_image(const facet_image *image, sphere *to)
{
    for (uint32_t y = 0; y < to->height; y++) {
        uint32_t top = (uint32_t)((uint64_t)y * image->height / to->height);
        uint32_t bottom = (uint32_t)((uint64_t)(y + 1) * image->height / to->height);
        bottom = bottom > top ? bottom : top + 1;
        for (uint32_t x = 0; x < to->width; x++) {
            uint32_t left = (uint32_t)((uint64_t)x * image->width / to->width);
            uint32_t right = (uint32_t)((uint64_t)(x + 1) * image->width / to->width);
            right = right > left ? right : left + 1;
            float *sum = to->texels[(size_t)y * to->width + x], pixel[3];
            for (uint32_t j = top; j < bottom; j++) {
                for (uint32_t i = left; i < right; i++) {
                    read_pixel(image, (size_t)j * image->width + i, pixel);
                    for (int c = 0; c < 3; c++)
                        sum[c] += pixel[c];
                }
            }
            for (int c = 0; c < 3; c++)
                sum[c] /= (float)((bottom - top) * (right - left));
        }
    }
}

typedef struct summing {
    facet_render_surroundings *made;
    const sphere *from;
    float (*directions)[4]; /* directions of its texels, and their shares */
} summing;

static void sum_diffuse(const summing *s)
{
    float total = 0, (*sums)[3] = s->made->diffuse;
    for (size_t i = 0; i < (size_t)s->from->width * s->from->height; i++) {
        const float *d = s->directions[i], x = d[0], y = d[1], z = d[2];
        /* Basis functions of each band, times the factor of the cosine lobe. */
        const float bases[9] = {1,
                                2 * x,
                                2 * y,
                                2 * z,
                                3.75f * x * y,
                                3.75f * y * z,
                                3.75f * x * z,
                                0.9375f * (x * x - y * y),
                                0.3125f * (3 * z * z - 1)};
        total += d[3];
        for (int k = 0; k < 9; k++) {
            for (int c = 0; c < 3; c++)
                sums[k][c] += bases[k] * d[3] * s->from->texels[i][c];
        }
    }
    for (int k = 0; k < 9; k++) {
        for (int c = 0; c < 3; c++)
            sums[k][c] /= total;
    }
}

/* Sums of each level: of light times weight, and of weights. */
typedef struct level_sums {
    facet_floats sums[LEVELS][4];
} level_sums;

/* Sum the texels of all levels whose normals are the lanes of `n`. They are summed in the same
 * order as one by one. A texel behind all of the normals adds nothing. */
static FACET_ALWAYS_INLINE void sum_texels(const summing *s, const facet_floats n[3],
                                           level_sums *to)
{
    const facet_floats zero = facet_floats_all(0), one = facet_floats_all(1);
    facet_floats slopes[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        float roughness = (float)(k + 1) / LEVELS, alpha = roughness * roughness;
        slopes[k] = facet_floats_all((alpha * alpha - 1) / 2);
        for (int c = 0; c < 4; c++)
            to->sums[k][c] = zero;
    }
    for (size_t i = 0; i < (size_t)s->from->width * s->from->height; i++) {
        const float *d = s->directions[i], *light = s->from->texels[i];
        facet_floats nl = facet_floats_multiply(n[0], facet_floats_all(d[0]));
        nl = facet_floats_add_product(nl, n[1], facet_floats_all(d[1]));
        nl = facet_floats_add_product(nl, n[2], facet_floats_all(d[2]));
        if (!facet_floats_any_larger(nl, zero))
            continue;
        nl = facet_floats_larger(nl, zero);
        const facet_floats near = facet_floats_add(one, nl);
        const facet_floats share = facet_floats_multiply(nl, facet_floats_all(d[3]));
        for (int k = 0; k < LEVELS; k++) {
            facet_floats *sums = to->sums[k];
            /* The square of the cosine of the half angle is (1 + nl) / 2. */
            facet_floats spread = facet_floats_add(facet_floats_multiply(near, slopes[k]), one);
            facet_floats weight = facet_floats_divide(share, facet_floats_multiply(spread, spread));
            for (int c = 0; c < 3; c++)
                sums[c] = facet_floats_add_product(sums[c], weight, facet_floats_all(light[c]));
            sums[3] = facet_floats_add(sums[3], weight);
        }
    }
}

/* Sum a row of every level: the normal, viewer and mirrored direction are equal. */
static FACET_ALWAYS_INLINE void sum_row(const summing *s, size_t y)
{
    sphere *levels = s->made->levels;
    for (uint32_t x = 0; x < WIDTH; x += FACET_FLOATS) {
        float directions[FACET_FLOATS][3];
        facet_floats n[3];
        level_sums found;
        for (uint32_t i = 0; i < FACET_FLOATS; i++)
            direction_of(&levels[0], x + i, (uint32_t)y, directions[i]);
        for (int axis = 0; axis < 3; axis++)
            n[axis] = facet_floats_of(directions[0][axis], directions[1][axis], directions[2][axis],
                                      directions[3][axis]);
        sum_texels(s, n, &found);
        for (int i = 0; i < LEVELS * FACET_FLOATS; i++) {
            const facet_floats *sums = found.sums[i / FACET_FLOATS];
            float *to = levels[i / FACET_FLOATS].texels[y * WIDTH + x + (size_t)(i % FACET_FLOATS)];
            float total = facet_floats_lane(sums[3], i % FACET_FLOATS);
            for (int c = 0; c < 3; c++)
                to[c] = total > 0 ? facet_floats_lane(sums[c], i % FACET_FLOATS) / total : 0;
        }
    }
}

static void sum_row_plain(void *argument, size_t task)
{
    sum_row(argument, task);
}

static FACET_WIDE void sum_row_wide(void *argument, size_t task)
{
    sum_row(argument, task);
}

/* -- Creation ----------------------------------------------------------- */

static facet_status sum(facet_render_view *view, const facet_image *image, facet_arena *arena,
                        facet_render_surroundings *made)
{
    sphere small;
    uint32_t width = image->width < MAX_WIDTH ? image->width : MAX_WIDTH;
    uint32_t height = image->height < MAX_WIDTH / 2 ? image->height : MAX_WIDTH / 2;
    TRY(make_sphere(arena, view->error, width, height, &made->mirrored));
    TRY(make_sphere(view->arena, view->error, SUM_WIDTH, SUM_WIDTH / 2, &small));
    for (int i = 0; i < LEVELS; i++)
        TRY(make_sphere(arena, view->error, WIDTH, WIDTH / 2, &made->levels[i]));
    reduce_image(image, &made->mirrored);
    reduce_image(image, &small);
    summing s = {made, &small, NULL};
    s.directions =
        facet_arena_allocate(view->arena, SUM_WIDTH * (SUM_WIDTH / 2), sizeof *s.directions);
    if (!s.directions)
        return facet_fail_arena(view->arena, view->error);
    for (uint32_t i = 0; i < SUM_WIDTH * (SUM_WIDTH / 2); i++)
        s.directions[i][3] = direction_of(&small, i % SUM_WIDTH, i / SUM_WIDTH, s.directions[i]);
    sum_diffuse(&s);
    facet_run(view->options, facet_is_wide() ? sum_row_wide : sum_row_plain, &s, WIDTH / 2);
    return FACET_OK;
}

facet_status facet_render_make_surroundings(facet_render_view *view, facet_arena *arena)
{
    facet_image image = *view->how.environment;
    facet_status status = FACET_OK;
    if (!image.pixels)
        status = facet_image_decode(view->arena, &image, view->options, view->error);
    if (status) {
        facet_error_set_file(view->error, image.name);
        return status;
    }
    if (image.width == 0 || image.height == 0)
        return facet_fail(view->error, FACET_ERROR_ARGUMENT, "RENDER-ENVIRONMENT", FACET_NO_OFFSET,
                          "the environment has no pixels");
    facet_render_surroundings *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made)
        return facet_fail_arena(arena, view->error);
    TRY(sum(view, &image, arena, made));
    view->surroundings = made;
    return FACET_OK;
}

facet_status facet_render_surround(facet_render_view *view)
{
    if (!view->how.environment)
        return FACET_OK;
    if (!view->surroundings)
        TRY(facet_render_make_surroundings(view, view->arena));
    double sine, cosine;
    facet_exact_sine_cosine(view->how.environment_rotation, &sine, &cosine);
    facet_render_surroundings *s = view->surroundings;
    for (int k = 0; k < 3; k++) { /* inverse rotation about +Y */
        const float *axis = view->camera[k];
        s->turn[0][k] = (float)cosine * axis[0] - (float)sine * axis[2];
        s->turn[1][k] = axis[1];
        s->turn[2][k] = (float)sine * axis[0] + (float)cosine * axis[2];
    }
    return FACET_OK;
}

/* -- Lookup ------------------------------------------------------------- */

static void turn(const facet_render_surroundings *s, const float d[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = s->turn[i][0] * d[0] + s->turn[i][1] * d[1] + s->turn[i][2] * d[2];
}

void facet_render_surroundings_diffuse(const facet_render_surroundings *s, const float n[3],
                                       float out[3])
{
    float d[3];
    turn(s, n, d);
    const float x = d[0], y = d[1], z = d[2];
    const float bases[9] = {1, x, y, z, x * y, y * z, x * z, x * x - y * y, 3 * z * z - 1};
    for (int c = 0; c < 3; c++) {
        float sum = 0;
        for (int k = 0; k < 9; k++)
            sum += bases[k] * s->diffuse[k][c];
        out[c] = sum > 0 ? sum : 0;
    }
}

void facet_render_surroundings_reflected(const facet_render_surroundings *s,
                                         const float direction[3], float roughness, float out[3])
{
    const float first = 0.1f; /* below this roughness, a mirror */
    float d[3], at = roughness * LEVELS - 1, part;
    turn(s, direction, d);
    const place at_image = place_of(d);
    memset(out, 0, 3 * sizeof *out);
    if (at < 0) {
        part = roughness > first ? (roughness - first) * (1 / (1.0f / LEVELS - first)) : 0;
        look(&s->mirrored, at_image, 1 - part, out);
        look(&s->levels[0], at_image, part, out);
        return;
    }
    int level = at < LEVELS - 2 ? (int)at : LEVELS - 2;
    part = at - (float)level;
    part = part < 1 ? part : 1;
    look(&s->levels[level], at_image, 1 - part, out);
    look(&s->levels[level + 1], at_image, part, out);
}
