/* convert/compare_structure.c - comparison of counts, materials, nodes and animations of two
 * scenes. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "scene/axes.h"
#include "scene/looks.h"

#include <facet/pose.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Maximum number of detailed findings of one kind; others are only counted. */
enum { MAX_DETAILS = 20, TIMES = 17 };

/* -- Counts ------------------------------------------------------------- */

static uint64_t count_triangles(const facet_scene *scene)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        count += mesh->corner_count - 2 * (uint64_t)mesh->face_count;
    }
    return count;
}

static void compare_count(const facet_comparing *c, const char *what, uint64_t a, uint64_t b)
{
    if (a != b)
        facet_compare_add(c, FACET_COMPARE_COUNTS, "COMPARE-COUNT", FACET_NO_OFFSET,
                          "%" PRIu64 " %s, %" PRIu64 " in the second file", a, what, b);
}

static void compare_counts(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    compare_count(c, "meshes", a->mesh_count, b->mesh_count);
    compare_count(c, "triangles", count_triangles(a), count_triangles(b));
    compare_count(c, "materials", a->material_count, b->material_count);
    compare_count(c, "images", a->image_count, b->image_count);
    compare_count(c, "nodes", a->node_count, b->node_count);
    compare_count(c, "skins", a->skin_count, b->skin_count);
    compare_count(c, "animations", a->animation_count, b->animation_count);
    compare_count(c, "cameras", a->camera_count, b->camera_count);
    compare_count(c, "lights", a->light_count, b->light_count);
    compare_count(c, "variants", a->variant_count, b->variant_count);
    compare_count(c, "hulls", a->hull_count, b->hull_count);
    compare_count(c, "occluders", a->occluder != NULL, b->occluder != NULL);
}

/* -- Pairs of items ------------------------------------------------------ */

/* Hash of the content of an item, without its name. */
typedef uint64_t (*content_of)(const void *item);

/* Pair the items of two arrays of pointers: by the name at `offset` of each item, then by content
 * (unless `content` is NULL), then by order. */
static facet_status pair(const facet_comparing *c, const char *kind, const void *a,
                         uint32_t a_count, const void *b, uint32_t b_count, size_t offset,
                         content_of content, uint32_t **pairs, facet_error *error)
{
    const char **names = facet_arena_allocate(c->arena, (size_t)a_count + b_count, sizeof *names);
    uint32_t *made = facet_arena_allocate(c->arena, a_count, sizeof *made);
    uint64_t *contents =
        facet_arena_allocate_zeroed(c->arena, (size_t)a_count + b_count, sizeof *contents);
    if (!names || !made || !contents)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < a_count + b_count; i++) {
        const char *item, *name;
        const char *at = i < a_count ? (const char *)a + i * sizeof item
                                     : (const char *)b + (i - a_count) * sizeof item;
        memcpy(&item, at, sizeof item);
        memcpy(&name, item + offset, sizeof name);
        names[i] = name ? name : "";
        if (content)
            contents[i] = content(item);
    }
    *pairs = made;
    TRY(facet_compare_names(c, kind, names, a_count, names + a_count, b_count, made, error));
    return facet_compare_pair_rest(c, content ? contents : NULL, a_count, contents + a_count,
                                   b_count, made, error);
}

/* -- Materials ---------------------------------------------------------- */

typedef struct number {
    const char *name;
    size_t offset;
    int count;
} number;
static const number numbers[] = {
    {"base color", offsetof(facet_material, base_color), 4},
    {"metallic", offsetof(facet_material, metallic), 1},
    {"roughness", offsetof(facet_material, roughness), 1},
    {"emissive", offsetof(facet_material, emissive), 3},
    {"emissive strength", offsetof(facet_material, emissive_strength), 1},
};

/* Values that only classic materials have. */
static const number classic_numbers[] = {
    {"transmission", offsetof(facet_classic, transmission), 3},
    {"sheen", offsetof(facet_classic, sheen), 1},
    {"clearcoat", offsetof(facet_classic, clearcoat), 1},
    {"clearcoat roughness", offsetof(facet_classic, clearcoat_roughness), 1},
    {"anisotropy", offsetof(facet_classic, anisotropy), 1},
    {"anisotropy rotation", offsetof(facet_classic, anisotropy_rotation), 1},
};

/* True, with a description in `text`, if a number of two structs differs. */
static bool numbers_differ(const number *table, size_t rows, const void *a, const void *b,
                           char *text, size_t space)
{
    for (size_t i = 0; i < rows; i++) {
        const float *x = (const float *)((const char *)a + table[i].offset);
        const float *y = (const float *)((const char *)b + table[i].offset);
        for (int k = 0; k < table[i].count; k++) {
            if (fabsf(x[k] - y[k]) > 1e-5F) {
                snprintf(text, space, "%s %g, in the second file %g", table[i].name, (double)x[k],
                         (double)y[k]);
                return true;
            }
        }
    }
    return false;
}

/* The same for the values of material extensions (facet_looks). */
static bool looks_differ(const facet_material *a, const facet_material *b, char *text, size_t space)
{
    for (size_t i = 0; i < FACET_LOOK_COUNT; i++) {
        for (const facet_look_value *value = facet_looks[i].values; value->key; value++) {
            const number row = {value->key, value->offset, (int)value->count};
            if (numbers_differ(&row, 1, a, b, text, space))
                return true;
        }
    }
    return false;
}

static const char *const map_names[FACET_MAP_COUNT] = {"ambient",
                                                       "base color",
                                                       "specular",
                                                       "emissive",
                                                       "shininess",
                                                       "opacity",
                                                       "bump",
                                                       "normal",
                                                       "displacement",
                                                       "decal",
                                                       "reflection",
                                                       "roughness",
                                                       "metallic",
                                                       "sheen",
                                                       "metallic and roughness",
                                                       "occlusion",
                                                       "specular factor",
                                                       "specular color",
                                                       "clearcoat",
                                                       "clearcoat roughness",
                                                       "clearcoat normal",
                                                       "sheen color",
                                                       "sheen roughness",
                                                       "transmission",
                                                       "thickness",
                                                       "iridescence",
                                                       "iridescence thickness",
                                                       "anisotropy",
                                                       "diffuse transmission",
                                                       "diffuse transmission color"};

/* Transform of a texture, with v = 0 at the bottom. */
static void transform_of(const facet_scene *scene, const facet_texture *texture, float out[5])
{
    float offset[2] = {0, 0}, scale[2] = {1, 1}, rotation = 0;
    if (texture->has_transform) {
        memcpy(offset, texture->offset, sizeof offset);
        memcpy(scale, texture->scale, sizeof scale);
        rotation = texture->rotation;
    }
    if (scene->axes.uv_origin_top)
        facet_axes_flip_transform(offset, &rotation, scale);
    const float all[5] = {offset[0], offset[1], rotation, scale[0], scale[1]};
    memcpy(out, all, sizeof all);
}

/* Name of the first difference of two textures of one map, or NULL. */
static const char *texture_difference(const facet_comparing *c, const facet_scene *scenes[2],
                                      const facet_texture *x, const facet_texture *y)
{
    float here[5], there[5];
    if (x->has_image && y->has_image && c->image_pairs[x->image] != y->image)
        return "another image";
    if (x->uv_set != y->uv_set)
        return "another set of texture coordinates";
    if (fabsf(x->strength - y->strength) > 1e-5F)
        return "another strength";
    if (x->wrap_u != y->wrap_u || x->wrap_v != y->wrap_v)
        return "another way to wrap";
    if (x->minify && y->minify && x->magnify && y->magnify &&
        (x->minify != y->minify || x->magnify != y->magnify))
        return "another filter";
    transform_of(scenes[0], x, here);
    transform_of(scenes[1], y, there);
    for (int i = 0; i < 5; i++) {
        if (fabsf(here[i] - there[i]) > 1e-4F)
            return "another transform";
    }
    return NULL;
}

/* Describe the first difference of two materials, or write "". */
static void difference_of(const facet_comparing *c, const facet_scene *scenes[2],
                          const facet_material *a, const facet_material *b, char *text,
                          size_t space)
{
    static const char *const modes[] = {"opaque", "mask", "blend"};
    facet_classic first, second;
    facet_material_get_classic(a, &first);
    facet_material_get_classic(b, &second);
    text[0] = '\0';
    if (numbers_differ(numbers, sizeof numbers / sizeof *numbers, a, b, text, space) ||
        numbers_differ(classic_numbers, sizeof classic_numbers / sizeof *classic_numbers, &first,
                       &second, text, space) ||
        looks_differ(a, b, text, space))
        return;
    if (a->alpha_mode != b->alpha_mode)
        snprintf(text, space, "alpha mode %s, in the second file %s", modes[a->alpha_mode],
                 modes[b->alpha_mode]);
    else if (a->alpha_mode == FACET_ALPHA_MASK && fabsf(a->alpha_cutoff - b->alpha_cutoff) > 1e-5F)
        snprintf(text, space, "alpha cutoff %g, in the second file %g", (double)a->alpha_cutoff,
                 (double)b->alpha_cutoff);
    else if (a->double_sided != b->double_sided)
        snprintf(text, space, "%s, in the second file not",
                 a->double_sided ? "two sides" : "one side");
    else if (a->unlit != b->unlit)
        snprintf(text, space, "%s, in the second file not", a->unlit ? "unlit" : "lit");
    for (int map = 0; map < FACET_MAP_COUNT && !*text; map++) {
        bool here = a->maps[map] != NULL, there = b->maps[map] != NULL;
        const char *texture =
            here && there ? texture_difference(c, scenes, a->maps[map], b->maps[map]) : NULL;
        if (here != there)
            snprintf(text, space, "%s texture for %s, in the second file %s", here ? "a" : "no",
                     map_names[map], here ? "none" : "one");
        else if (texture)
            snprintf(text, space, "%s for %s in the second file", texture, map_names[map]);
    }
}

/* True if two materials have different replacements in the variants; `pairs` are the materials of
 * the second file. */
static bool variants_differ(const facet_material *a, const facet_material *b, const uint32_t *pairs)
{
    if (a->variant_count != b->variant_count)
        return true;
    for (uint32_t i = 0; i < a->variant_count; i++) {
        const facet_variant_use *x = &a->variants[i], *y = &b->variants[i];
        if (x->variant != y->variant || pairs[x->material] != y->material)
            return true;
    }
    return false;
}

static bool texts_differ(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") != 0;
}

static uint64_t material_content(const void *item)
{
    const facet_material *m = item;
    uint64_t hash = facet_hash_word(m->alpha_mode, m->double_sided + 2 * m->unlit);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = facet_hash_word(hash, facet_hash_bytes((const char *)m + numbers[i].offset,
                                                      numbers[i].count * sizeof(float)));
    for (size_t i = 0; i < FACET_LOOK_COUNT; i++) {
        for (const facet_look_value *value = facet_looks[i].values; value->key; value++)
            hash = facet_hash_word(hash, facet_hash_bytes(facet_look_const_floats(value, m),
                                                          value->count * sizeof(float)));
    }
    return hash;
}

static facet_status compare_materials(const facet_comparing *c, const facet_scene *a,
                                      const facet_scene *b, facet_error *error)
{
    uint32_t *pairs = NULL;
    facet_status status =
        pair(c, "materials", a->materials, a->material_count, b->materials, b->material_count,
             offsetof(facet_material, name), material_content, &pairs, error);
    const facet_scene *scenes[2] = {a, b};
    uint32_t differing = 0;
    for (uint32_t i = 0; i < a->material_count && !status; i++) {
        if (pairs[i] == FACET_NONE)
            continue;
        const facet_material *here = a->materials[i], *there = b->materials[pairs[i]];
        char text[160];
        facet_quoted quoted;
        difference_of(c, scenes, here, there, text, sizeof text);
        if (!*text && variants_differ(here, there, pairs))
            snprintf(text, sizeof text, "other materials in variants of the second file");
        if (!*text && texts_differ(here->extensions, there->extensions))
            snprintf(text, sizeof text, "other extensions in the second file");
        if (*text && differing++ < MAX_DETAILS)
            facet_compare_add(c, FACET_COMPARE_MATERIALS, "COMPARE-MATERIAL", FACET_NO_OFFSET,
                              "material '%s' has %s",
                              facet_quote(&quoted, here->name, strlen(here->name)), text);
    }
    if (differing > MAX_DETAILS)
        facet_compare_add(c, FACET_COMPARE_MATERIALS, "COMPARE-MATERIAL", FACET_NO_OFFSET,
                          "%" PRIu32 " more materials differ", differing - MAX_DETAILS);
    return status;
}

/* -- Data kept as text --------------------------------------------------- */

static void compare_text(const facet_comparing *c, const char *what, const char *a, const char *b)
{
    if (texts_differ(a, b))
        facet_compare_add(c, FACET_COMPARE_NAMES, "COMPARE-ASSET", FACET_NO_OFFSET,
                          "%s differ from those of the second file", what);
}

/* Meshes and nodes are paired by index. */
static void compare_texts(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    bool meshes = false, nodes = false;
    compare_text(c, "copyright and other data about the asset", a->asset, b->asset);
    compare_text(c, "extensions of the file", a->extensions, b->extensions);
    for (uint32_t i = 0; i < a->mesh_count && i < b->mesh_count; i++)
        meshes |= texts_differ(a->meshes[i]->extensions, b->meshes[i]->extensions);
    for (uint32_t i = 0; i < a->node_count && i < b->node_count; i++)
        nodes |= texts_differ(a->nodes[i]->extensions, b->nodes[i]->extensions);
    compare_text(c, "extensions of meshes", meshes ? "differ" : "", "");
    compare_text(c, "extensions of nodes", nodes ? "differ" : "", "");
    for (uint32_t i = 0; i < a->variant_count && i < b->variant_count; i++) {
        facet_quoted quoted;
        if (texts_differ(a->variants[i], b->variants[i]))
            facet_compare_add(c, FACET_COMPARE_NAMES, "COMPARE-ASSET", FACET_NO_OFFSET,
                              "variant %" PRIu32 ", '%s', has another name in the second file", i,
                              facet_quote(&quoted, a->variants[i], strlen(a->variants[i])));
    }
}

/* -- Cameras and lights ------------------------------------------------- */

static const number camera_numbers[] = {
    {"field of view", offsetof(facet_camera, field_of_view), 1},
    {"aspect ratio", offsetof(facet_camera, aspect_ratio), 1},
    {"width", offsetof(facet_camera, width), 1},
    {"height", offsetof(facet_camera, height), 1},
    {"near distance", offsetof(facet_camera, near_distance), 1},
    {"far distance", offsetof(facet_camera, far_distance), 1},
};
static const number light_numbers[] = {
    {"color", offsetof(facet_light, color), 3},
    {"intensity", offsetof(facet_light, intensity), 1},
    {"range", offsetof(facet_light, range), 1},
    {"inner cone angle", offsetof(facet_light, inner_cone_angle), 1},
    {"outer cone angle", offsetof(facet_light, outer_cone_angle), 1},
};

/* Compare cameras and lights, paired by index. */
static void compare_cameras_and_lights(const facet_comparing *c, const facet_scene *a,
                                       const facet_scene *b)
{
    char text[160];
    for (uint32_t i = 0; i < a->camera_count && i < b->camera_count; i++) {
        const facet_camera *x = a->cameras[i], *y = b->cameras[i];
        if (x->is_orthographic != y->is_orthographic)
            snprintf(text, sizeof text, "another projection");
        else if (!numbers_differ(camera_numbers, sizeof camera_numbers / sizeof *camera_numbers, x,
                                 y, text, sizeof text))
            continue;
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "camera %" PRIu32 " has %s", i, text);
    }
    for (uint32_t i = 0; i < a->light_count && i < b->light_count; i++) {
        const facet_light *x = a->lights[i], *y = b->lights[i];
        if (x->kind != y->kind)
            snprintf(text, sizeof text, "another kind");
        else if (!numbers_differ(light_numbers, sizeof light_numbers / sizeof *light_numbers, x, y,
                                 text, sizeof text))
            continue;
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "light %" PRIu32 " has %s", i, text);
    }
}

/* -- Transforms --------------------------------------------------------- */

typedef struct places {
    const facet_scene *a, *b;
    const uint32_t *pairs; /* pairs of nodes */
    double arm;            /* length of the axes that are compared at a node */
    bool turned;           /* the frames differ, so only origins are compared */
} places;

/* Maximum distance between two transforms: of their origins, and of points at distance `arm` on
 * their axes. */
static double apart(const facet_comparing *c, const places *p, const float *here,
                    const float *there)
{
    double most = 0;
    for (int end = 0; end < (p->turned ? 1 : 4); end++) {
        float x[3], y[3];
        double squares = 0;
        for (int k = 0; k < 3; k++) {
            x[k] = here[12 + k] + (end > 0 ? (float)p->arm * here[4 * (end - 1) + k] : 0);
            y[k] = there[12 + k] +
                   (end > 0 ? (float)(p->arm / c->scale) * there[4 * (end - 1) + k] : 0);
        }
        facet_axes_turn(&p->a->axes, x);
        facet_axes_turn(&p->b->axes, y);
        for (int k = 0; k < 3; k++)
            squares += pow(x[k] - c->scale * y[k], 2);
        most = fmax(most, sqrt(squares));
    }
    return most;
}

static facet_status compare_rest(const facet_comparing *c, const places *p, facet_error *error)
{
    facet_pose here = {0}, there = {0};
    uint32_t differing = 0;
    facet_status status = facet_scene_pose(p->a, FACET_NONE, 0, c->options, &here, error);
    if (!status)
        status = facet_scene_pose(p->b, FACET_NONE, 0, c->options, &there, error);
    for (uint32_t i = 0; i < p->a->node_count && !status; i++) {
        uint32_t other = p->pairs[i];
        if (other == FACET_NONE)
            continue;
        facet_quoted quoted;
        const char *name = p->a->nodes[i]->name;
        uint32_t parent = p->a->nodes[i]->parent, other_parent = p->b->nodes[other]->parent;
        bool hidden = p->a->nodes[i]->hidden != p->b->nodes[other]->hidden;
        bool moved_up = parent != FACET_NONE && p->pairs[parent] != FACET_NONE &&
                        p->pairs[parent] != other_parent;
        double distance =
            apart(c, p, here.global + 16 * (size_t)i, there.global + 16 * (size_t)other);
        if ((!moved_up && !hidden && distance <= c->tolerance) || differing++ >= MAX_DETAILS)
            continue;
        facet_quote(&quoted, name, strlen(name));
        if (hidden)
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "node '%s' is hidden in one file only", quoted.text);
        else if (moved_up)
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "node '%s' has another parent", quoted.text);
        else
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "node '%s' is %g away at rest", quoted.text, distance);
    }
    if (differing > MAX_DETAILS)
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "%" PRIu32 " more nodes differ", differing - MAX_DETAILS);
    facet_pose_free(&there);
    facet_pose_free(&here);
    return status;
}

/* -- Animations --------------------------------------------------------- */

/* The largest difference, at evenly spaced times of the longer animation. */
static facet_status compare_motion(const facet_comparing *c, const places *p, uint32_t animation,
                                   uint32_t other, facet_error *error)
{
    facet_pose here = {0}, there = {0};
    double duration = fmax(facet_animation_duration(p->a->animations[animation]),
                           facet_animation_duration(p->b->animations[other]));
    double most = 0, when = 0;
    uint32_t who = 0;
    facet_status status = FACET_OK;
    for (int t = 0; t < TIMES && !status; t++) {
        double time = duration * t / (TIMES - 1);
        status = facet_scene_pose(p->a, animation, time, c->options, &here, error);
        if (!status)
            status = facet_scene_pose(p->b, other, time, c->options, &there, error);
        for (uint32_t i = 0; i < p->a->node_count && !status; i++) {
            if (p->pairs[i] == FACET_NONE)
                continue;
            double distance =
                apart(c, p, here.global + 16 * (size_t)i, there.global + 16 * (size_t)p->pairs[i]);
            if (distance > most) {
                most = distance;
                when = time;
                who = i;
            }
        }
    }
    facet_pose_free(&there);
    facet_pose_free(&here);
    if (!status && most > c->tolerance) {
        facet_quoted name, node;
        const char *of = p->a->animations[animation]->name, *at = p->a->nodes[who]->name;
        facet_compare_add(c, FACET_COMPARE_ANIMATIONS, "COMPARE-ANIMATION", FACET_NO_OFFSET,
                          "animation '%.60s' moves node '%.60s' %g away from where the second "
                          "file does, at %g s",
                          facet_quote(&name, of, strlen(of)), facet_quote(&node, at, strlen(at)),
                          most, when);
    }
    return status;
}

/* Hash of the nodes that move, and of their motion and times. */
static uint64_t animation_content(const void *item)
{
    const facet_animation *animation = item;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        hash = facet_hash_word(hash, channel->node + ((uint64_t)channel->target << 32));
        hash = facet_hash_word(
            hash, facet_hash_bytes(channel->times, channel->key_count * sizeof(float)));
    }
    return hash;
}

static facet_status compare_animations(const facet_comparing *c, const places *p,
                                       facet_error *error)
{
    uint32_t *pairs = NULL;
    const facet_scene *a = p->a, *b = p->b;
    facet_status status =
        pair(c, "animations", a->animations, a->animation_count, b->animations, b->animation_count,
             offsetof(facet_animation, name), animation_content, &pairs, error);
    for (uint32_t i = 0; i < a->animation_count && !status; i++) {
        if (pairs[i] != FACET_NONE)
            status = compare_motion(c, p, i, pairs[i], error);
    }
    return status;
}

/* -- The whole scene ---------------------------------------------------- */

facet_status facet_compare_structure(const facet_comparing *c, const facet_scene *a,
                                     const facet_scene *b, double diagonal, facet_error *error)
{
    uint32_t *pairs = NULL;
    compare_counts(c, a, b);
    compare_cameras_and_lights(c, a, b);
    compare_texts(c, a, b);
    facet_status status = compare_materials(c, a, b, error);
    if (!status)
        status = pair(c, "nodes", a->nodes, a->node_count, b->nodes, b->node_count,
                      offsetof(facet_node, name), NULL, &pairs, error);
    if (status)
        return status;
    places p = {a, b, pairs, diagonal / 10,
                a->axes.up != b->axes.up || a->axes.left_handed != b->axes.left_handed};
    status = compare_rest(c, &p, error);
    return status ? status : compare_animations(c, &p, error);
}
