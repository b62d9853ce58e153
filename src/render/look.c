/* render/look.c - the light of surfaces with glTF's material extensions: ior, specular, clearcoat,
 * sheen, transmission, volume, iridescence, anisotropy, diffuse transmission. It computes one
 * sample at a time, because such surfaces are few. Formulas: the texts of KHR_materials_... in the
 * glTF registry. */
#include "render/environment.h"
#include "render/render.h"

#include "base/exact.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

static float clamp(float value)
{
    value = value > 0 ? value : 0;
    return value < 1 ? value : 1;
}

static float most_of(const float color[3])
{
    float most = color[0] > color[1] ? color[0] : color[1];
    return most > color[2] ? most : color[2];
}

static float fifth_power(float x)
{
    return x * x * x * x * x;
}

static float schlick(float f0, float cosine)
{
    return f0 + (1 - f0) * fifth_power(1 - clamp(cosine));
}

/* x to the power of y, x not negative. */
static double power(double x, double y)
{
    return x > 0 ? facet_exact_exp2(facet_exact_log2(x) * y) : y > 0 ? 0 : 1;
}

/* -- Thin films --------------------------------------------------------- */

/* Reflectance from the front of a boundary between two indices of refraction. */
static double step_reflectance(double from, double to)
{
    double share = (to - from) / (to + from);
    return share * share;
}

/* Convert the interference of two waves to linear RGB; 1 for no difference. Paths differ by `path`
 * nanometers, and by `shift` half turns.
 *
 * The curves of human vision are three Gaussians over frequencies, plus the second lobe of the
 * first. Their Fourier transforms are Gaussians also: amplitude, position and width of each. Source
 * of the numbers: KHR_materials_iridescence. */
static void see_spectrum(double path, const int shift[3], double rgb[3])
{
    static const struct {
        int curve;
        double amplitude, place, width;
    } bells[4] = {{0, 5.4856e-13, 1.6810e+06, 4.3278e+09},
                  {1, 4.4201e-13, 1.7953e+06, 9.3046e+09},
                  {2, 5.2481e-13, 2.2084e+06, 6.6121e+09},
                  {0, 9.7470e-14, 2.2399e+06, 4.5282e+09}};
    static const double to_rgb[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                        {-0.9692660, 1.8760108, 0.0415560},
                                        {0.0556434, -0.2040259, 1.0572252}};
    const double pi = 3.14159265358979323846, phase = 2 * pi * path * 1e-9;
    double xyz[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        double fading = facet_exact_exp2(-phase * phase * bells[i].width * 1.44269504088896341);
        double sine, cosine, turn = bells[i].place * phase * 180 / pi;
        if (fading <= 0) /* also avoids angles that are too large for a float */
            continue;
        facet_exact_sine_cosine(turn + 180 * shift[bells[i].curve], &sine, &cosine);
        xyz[bells[i].curve] +=
            bells[i].amplitude * sqrt(2 * pi * bells[i].width) * cosine * fading / 1.0685e-7;
    }
    for (int c = 0; c < 3; c++)
        rgb[c] = to_rgb[c][0] * xyz[0] + to_rgb[c][1] * xyz[1] + to_rgb[c][2] * xyz[2];
}

void facet_render_film(float film_ior, float thickness, const float f0[3], float cosine,
                       float out[3])
{
    /* A film whose thickness nears 0 gets the index of its surroundings. */
    double share = thickness >= 0.03F ? 1 : thickness > 0 ? (double)thickness / 0.03 : 0;
    double ior = 1 + ((double)film_ior - 1) * share * share * (3 - 2 * share);
    double outside = clamp(cosine), square = 1 - (1 - outside * outside) / (ior * ior);
    double inside = sqrt(square > 0 ? square : 0);
    double top = schlick((float)step_reflectance(1, ior), (float)outside), passes = 1 - top;
    double path = 2 * ior * (double)thickness * inside;
    double mean[3], amplitude[3], root[3];
    int shift[3];
    for (int c = 0; c < 3; c++) {
        double base = (double)(f0[c] < 0.9999F ? clamp(f0[c]) : 0.9999F);
        double below = (1 + sqrt(base)) / (1 - sqrt(base));
        double bottom = schlick((float)step_reflectance(ior, below), (float)inside);
        double both = top * bottom;
        both = both < 1e-5 ? 1e-5 : both > 0.9999 ? 0.9999 : both;
        double again = passes * passes * bottom / (1 - both);
        mean[c] = top + again;
        amplitude[c] = again - passes;
        root[c] = sqrt(both);
        /* Reflection at a denser medium shifts a wave by half a turn: from below, the film meets
         * air. */
        shift[c] = (ior < 1 ? 0 : 1) + (below < ior ? 1 : 0);
    }
    for (int order = 1; order <= 2; order++) {
        const int shifts[3] = {order * shift[0], order * shift[1], order * shift[2]};
        double seen[3];
        see_spectrum(order * path, shifts, seen);
        for (int c = 0; c < 3; c++) {
            amplitude[c] *= root[c];
            mean[c] += amplitude[c] * 2 * seen[c];
        }
    }
    for (int c = 0; c < 3; c++)
        out[c] = mean[c] > 0 ? (float)mean[c] : 0;
}

/* -- Sheen -------------------------------------------------------------- */

/* Share of light from all directions that a white sheen reflects: the integral of `sheen` below
 * over the hemisphere, at most 1. Rows: roughness. Columns: root of the cosine of the view, in
 * sevenths. Computed with 2000 x 1000 directions. */
static const float sheen_shares[8][8] = {
    {1.0000f, 1.0000f, 1.0000f, 0.1381f, 0.0047f, 0.0000f, 0.0000f, 0.0000f},
    {1.0000f, 1.0000f, 1.0000f, 0.4455f, 0.1126f, 0.0135f, 0.0003f, 0.0000f},
    {1.0000f, 1.0000f, 0.8890f, 0.5556f, 0.2936f, 0.1201f, 0.0299f, 0.0009f},
    {1.0000f, 0.9268f, 0.7284f, 0.5280f, 0.3480f, 0.1992f, 0.0875f, 0.0160f},
    {0.8536f, 0.7691f, 0.6335f, 0.4933f, 0.3608f, 0.2409f, 0.1362f, 0.0490f},
    {0.7450f, 0.6795f, 0.5749f, 0.4662f, 0.3616f, 0.2631f, 0.1711f, 0.0851f},
    {0.6790f, 0.6240f, 0.5368f, 0.4465f, 0.3592f, 0.2759f, 0.1956f, 0.1164f},
    {0.6360f, 0.5875f, 0.5109f, 0.4322f, 0.3564f, 0.2837f, 0.2129f, 0.1414f}};

float facet_render_sheen_share(float cosine, float roughness)
{
    float x = sqrtf(clamp(cosine)) * 7, y = clamp(roughness) * 7;
    int i = x < 6 ? (int)x : 6, k = y < 6 ? (int)y : 6;
    float a = x - (float)i, b = y - (float)k;
    float upper = sheen_shares[k][i] + a * (sheen_shares[k][i + 1] - sheen_shares[k][i]);
    float lower =
        sheen_shares[k + 1][i] + a * (sheen_shares[k + 1][i + 1] - sheen_shares[k + 1][i]);
    return upper + b * (lower - upper);
}

/* Charlie's distribution and the visibility of Neubelt and Pettineo, times pi. */
static float sheen(float roughness, float nl, float nv, float nh)
{
    float rough = roughness > 0.07f ? roughness : 0.07f, inverse = 1 / (rough * rough);
    float square = clamp(1 - nh * nh);
    float distribution = (2 + inverse) / 2 * (float)power((double)square, (double)inverse / 2);
    return distribution / (4 * (nl + nv - nl * nv));
}

/* -- Lobes -------------------------------------------------------------- */

/* Cosines between the normal n and the directions to the light l, to the viewer v, and h, halfway
 * between l and v. */
typedef struct directions {
    float nl, nv, nh, vh;
    float l[2], v[2], h[2]; /* components along tangent and bitangent */
} directions;

/* GGX and Smith's correlated visibility, times pi. The roughness is `at` along the tangent and `ab`
 * along the bitangent. */
static float ggx(float at, float ab, const directions *d)
{
    float a2 = at * ab, nl = fabsf(d->nl);
    float x = ab * d->h[0], y = at * d->h[1], z = a2 * d->nh;
    float w = a2 / (x * x + y * y + z * z);
    float view = at * d->v[0] * at * d->v[0] + ab * d->v[1] * ab * d->v[1] + d->nv * d->nv;
    float light = at * d->l[0] * at * d->l[0] + ab * d->l[1] * ab * d->l[1] + nl * nl;
    float visibility = 0.5f / (nl * sqrtf(view) + d->nv * sqrtf(light));
    return a2 * w * w * visibility;
}

/* Directions for the lobe. If it is not grooved (anisotropic), only the length of the component
 * across the normal is used. */
static directions directions_of(const facet_render_look *s, bool grooved, const float n[3],
                                const float v[3], const float l[3])
{
    directions d;
    float h[3];
    for (int i = 0; i < 3; i++)
        h[i] = l[i] + v[i];
    float length = sqrtf(facet_dot_f(h, h));
    for (int i = 0; i < 3 && length > 1e-20f; i++)
        h[i] /= length;
    d.nl = facet_dot_f(n, l);
    d.nv = facet_dot_f(n, v);
    d.nv = d.nv > 1e-3f ? d.nv : 1e-3f;
    d.nh = clamp(facet_dot_f(n, h));
    d.vh = clamp(facet_dot_f(v, h));
    d.l[0] = sqrtf(clamp(1 - d.nl * d.nl)), d.v[0] = sqrtf(clamp(1 - d.nv * d.nv));
    d.h[0] = sqrtf(clamp(1 - d.nh * d.nh));
    d.l[1] = d.v[1] = d.h[1] = 0;
    const float *axes[2] = {s->tangent, s->bitangent};
    for (int i = 0; grooved && i < 2; i++) {
        d.l[i] = facet_dot_f(axes[i], l);
        d.v[i] = facet_dot_f(axes[i], v);
        d.h[i] = facet_dot_f(axes[i], h);
    }
    return d;
}

/* Reflectance of the dielectric surface and of the metal. */
static void fresnel(const facet_render_look *s, float cosine, float dielectric[3], float metal[3])
{
    float film[3] = {0, 0, 0}, metal_film[3] = {0, 0, 0};
    if (s->iridescence > 0) {
        facet_render_film(s->film_ior, s->film_thickness, s->f0, cosine, film);
        facet_render_film(s->film_ior, s->film_thickness, s->color, cosine, metal_film);
    }
    for (int c = 0; c < 3; c++) {
        float plain = schlick(clamp(s->f0[c]), cosine), plain_metal = schlick(s->color[c], cosine);
        dielectric[c] = s->specular * (plain + (film[c] - plain) * s->iridescence);
        metal[c] = plain_metal + (metal_film[c] - plain_metal) * s->iridescence;
    }
}

static float coat_of(const facet_render_look *s, const float v[3])
{
    return s->clearcoat * schlick(0.04f, facet_dot_f(s->clearcoat_normal, v));
}

/* -- One light ---------------------------------------------------------- */

void facet_render_reflect(const facet_render_look *s, const float n[3], const float v[3],
                          const float l[3], float out[3])
{
    directions d = directions_of(s, s->anisotropy > 0, n, v, l);
    float alpha = s->roughness * s->roughness;
    float along = alpha + (1 - alpha) * s->anisotropy * s->anisotropy;
    float dielectric[3], metal[3];
    /* Light from behind has no half vector: its reflectance depends on the view. */
    fresnel(s, d.nl > 0 ? d.vh : d.nv, dielectric, metal);
    float lobe = d.nl > 0 ? ggx(along, alpha, &d) : 0, kept = 1 - clamp(most_of(dielectric));
    float front = d.nl > 0 ? d.nl : 0, behind = d.nl < 0 ? -d.nl : 0;
    float share = most_of(s->sheen),
          light_side = facet_render_sheen_share(front, s->sheen_roughness);
    float view_side = facet_render_sheen_share(d.nv, s->sheen_roughness);
    float under = clamp(1 - share * (view_side > light_side ? view_side : light_side));
    float fiber = share > 0 && d.nl > 0 ? sheen(s->sheen_roughness, d.nl, d.nv, d.nh) : 0;
    for (int c = 0; c < 3; c++) {
        float diffuse = s->color[c] * (1 - s->diffuse_transmission) * front +
                        s->diffuse_transmission_color[c] * s->diffuse_transmission * behind;
        float plain = diffuse * (1 - s->transmission) * kept + dielectric[c] * lobe * front;
        float whole = plain + (metal[c] * lobe * front - plain) * s->metallic;
        out[c] = whole * under + s->sheen[c] * fiber * front;
    }
    float coat = coat_of(s, v);
    if (coat <= 0)
        return;
    directions c = directions_of(s, false, s->clearcoat_normal, v, l);
    float rough = s->clearcoat_roughness > 0.045f ? s->clearcoat_roughness : 0.045f;
    float gloss = c.nl > 0 ? ggx(rough * rough, rough * rough, &c) * c.nl : 0;
    for (int k = 0; k < 3; k++)
        out[k] = out[k] * (1 - coat) + gloss * coat;
}

/* -- Environment -------------------------------------------------------- */

static void mirror(const float n[3], const float v[3], float out[3])
{
    float along = facet_dot_f(n, v);
    for (int i = 0; i < 3; i++)
        out[i] = 2 * along * n[i] - v[i];
}

/* Bend the normal toward the viewer: anisotropic reflections are stretched across the grooves. */
static void lean(const facet_render_look *s, const float n[3], const float v[3], float out[3])
{
    float side[3], normal[3], length;
    facet_cross_f(s->bitangent, v, side);
    facet_cross_f(side, s->bitangent, normal);
    length = sqrtf(facet_dot_f(normal, normal));
    float stay = 1 - s->anisotropy * (1 - s->roughness);
    stay *= stay;
    stay *= stay;
    for (int i = 0; i < 3; i++)
        out[i] = (length > 1e-6f ? normal[i] / length : n[i]) * (1 - stay) + n[i] * stay;
    length = sqrtf(facet_dot_f(out, out));
    for (int i = 0; i < 3; i++)
        out[i] = length > 1e-6f ? out[i] / length : n[i];
}

/* Convert the reflectance of a film at the view angle to a reflectance from the front. */
static void front_reflectance(const facet_render_look *s, float nv, const float f0[3], float out[3])
{
    float film[3], grazing = fifth_power(1 - clamp(nv));
    for (int c = 0; c < 3; c++)
        out[c] = clamp(f0[c]);
    if (s->iridescence <= 0 || grazing > 0.99f)
        return;
    facet_render_film(s->film_ior, s->film_thickness, f0, nv, film);
    for (int c = 0; c < 3; c++)
        out[c] += (clamp((film[c] - grazing) / (1 - grazing)) - out[c]) * s->iridescence;
}

static void diffuse_light(const facet_render_view *view, const float n[3], float out[3])
{
    if (view->surroundings)
        facet_render_surroundings_diffuse(view->surroundings, n, out);
    else
        out[0] = out[1] = out[2] = facet_environment_diffuse(n[0], n[1], n[2]);
}

static void reflected_light(const facet_render_view *view, const float d[3], float roughness,
                            float nv, float out[3])
{
    if (view->surroundings)
        facet_render_surroundings_reflected(view->surroundings, d, roughness, out);
    else
        out[0] = out[1] = out[2] = facet_environment_reflected(d[0], d[1], d[2], roughness, nv);
}

static void add_surroundings(const facet_render_view *view, const facet_render_look *s,
                             const float n[3], const float v[3], float out[3])
{
    static const float plain = 0.04f;
    float nv = facet_dot_f(n, v), a, b, bent[3], direction[3], f0[3], metal[3], dielectric[3];
    nv = nv > 1e-3f ? nv : 1e-3f;
    facet_environment_share(s->roughness, nv, &a, &b);
    memcpy(bent, n, sizeof bent);
    if (s->anisotropy > 0)
        lean(s, n, v, bent);
    mirror(bent, v, direction);
    const float back[3] = {-n[0], -n[1], -n[2]};
    float specular[3], front[3], behind[3];
    reflected_light(view, direction, s->roughness, nv, specular);
    diffuse_light(view, n, front);
    diffuse_light(view, back, behind);
    float soft = clamp(s->occlusion + (1 - s->occlusion) * 0.3f);
    front_reflectance(s, nv, s->f0, f0);
    front_reflectance(s, nv, s->color, metal);
    for (int c = 0; c < 3; c++)
        dielectric[c] = s->specular * (f0[c] * a + b);
    /* Surfaces that reflect more than plain ones have less diffuse light. */
    float kept = 1 - clamp(most_of(dielectric) - (plain * a + b));
    float share = facet_render_sheen_share(nv, s->sheen_roughness);
    float under = clamp(1 - most_of(s->sheen) * share), coat = coat_of(s, v);
    for (int c = 0; c < 3; c++) {
        float diffuse = s->color[c] * (1 - s->diffuse_transmission) * front[c] +
                        s->diffuse_transmission_color[c] * s->diffuse_transmission * behind[c];
        float glass = diffuse * (1 - s->transmission) * kept * s->occlusion +
                      dielectric[c] * specular[c] * soft;
        float whole = glass + ((metal[c] * a + b) * specular[c] * soft - glass) * s->metallic;
        whole = whole * under + s->sheen[c] * share * front[c] * s->occlusion;
        out[c] += whole * (1 - coat);
    }
    if (coat <= 0)
        return;
    float coat_nv = facet_dot_f(s->clearcoat_normal, v);
    coat_nv = coat_nv > 1e-3f ? coat_nv : 1e-3f;
    facet_environment_share(s->clearcoat_roughness, coat_nv, &a, &b);
    mirror(s->clearcoat_normal, v, direction);
    float gloss[3];
    reflected_light(view, direction, s->clearcoat_roughness, coat_nv, gloss);
    for (int c = 0; c < 3; c++)
        out[c] += s->clearcoat * (plain * a + b) * gloss[c] * soft;
}

/* -- Entry points ------------------------------------------------------- */

void facet_render_pass(const facet_render_look *s, const float n[3], const float v[3], float out[3])
{
    float dielectric[3], metal[3], nv = facet_dot_f(n, v);
    fresnel(s, nv, dielectric, metal);
    float under = clamp(1 - most_of(s->sheen) * facet_render_sheen_share(nv, s->sheen_roughness));
    float share = s->transmission * (1 - s->metallic) * (1 - clamp(most_of(dielectric))) * under *
                  (1 - coat_of(s, v));
    for (int c = 0; c < 3; c++)
        out[c] = share * clamp(s->color[c]) * s->tint[c];
}

void facet_render_light_look(const facet_render_view *view, const facet_render_look *s,
                             const float n[3], const float v[3], float out[3])
{
    float key[3], coat = coat_of(s, v);
    facet_render_reflect(s, n, v, view->light, key);
    for (int c = 0; c < 3; c++)
        out[c] = s->emitted[c] * (1 - coat) + view->key * key[c];
    add_surroundings(view, s, n, v, out);
}

float facet_render_attenuation(float color, float distance, float thickness)
{
    if (!(distance > 0) || !(thickness > 0))
        return 1;
    return (float)power((double)clamp(color), (double)thickness / (double)distance);
}
