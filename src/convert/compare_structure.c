/* convert/compare_structure.c - comparison of counts, kept texts, cameras and lights of two scenes.
 */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"

#include <facet/pose.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

static void compare_count(const facet_comparing *c, const char *one, const char *many, uint64_t a,
                          uint64_t b)
{
    if (a != b)
        facet_compare_add(c, FACET_COMPARE_COUNTS, "COMPARE-COUNT", FACET_NO_OFFSET,
                          "%" PRIu64 " %s, %" PRIu64 " in the second file", a,
                          facet_plural(a, one, many), b);
}

static void compare_counts(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    compare_count(c, "mesh", "meshes", a->mesh_count, b->mesh_count);
    compare_count(c, "triangle", "triangles", count_triangles(a), count_triangles(b));
    compare_count(c, "material", "materials", a->material_count, b->material_count);
    compare_count(c, "image", "images", a->image_count, b->image_count);
    compare_count(c, "node", "nodes", a->node_count, b->node_count);
    compare_count(c, "skin", "skins", a->skin_count, b->skin_count);
    compare_count(c, "animation", "animations", a->animation_count, b->animation_count);
    compare_count(c, "camera", "cameras", a->camera_count, b->camera_count);
    compare_count(c, "light", "lights", a->light_count, b->light_count);
    compare_count(c, "variant", "variants", a->variant_count, b->variant_count);
    compare_count(c, "hull", "hulls", a->hull_count, b->hull_count);
    compare_count(c, "occluder", "occluders", a->occluder != NULL, b->occluder != NULL);
}

/* -- Data kept as text --------------------------------------------------- */

static void compare_text(const facet_comparing *c, const char *what, const char *a, const char *b)
{
    if (facet_compare_texts_differ(a, b))
        facet_compare_add(c, FACET_COMPARE_NAMES, "COMPARE-ASSET", FACET_NO_OFFSET,
                          "%s differ from those of the second file", what);
}

/* Add the hash of a text and of the name of its item. Such a sum does not depend on the order. */
static void add_text(uint64_t *sum, const char *name, const char *text)
{
    if (text && *text)
        *sum += facet_hash_word(facet_hash_bytes(text, strlen(text)),
                                facet_hash_bytes(name ? name : "", name ? strlen(name) : 0));
}

enum { EXTENSIONS_OF_MESHES, EXTENSIONS_OF_NODES, EXTRAS, TEXTS };

static void sum_texts(const facet_scene *scene, uint64_t sums[TEXTS])
{
    memset(sums, 0, TEXTS * sizeof *sums);
    add_text(&sums[EXTRAS], NULL, scene->extras);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        add_text(&sums[EXTENSIONS_OF_MESHES], mesh->name, mesh->extensions);
        add_text(&sums[EXTRAS], mesh->name, mesh->extras);
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        add_text(&sums[EXTENSIONS_OF_NODES], node->name, node->extensions);
        add_text(&sums[EXTRAS], node->name, node->extras);
    }
    for (uint32_t i = 0; i < scene->material_count; i++)
        add_text(&sums[EXTRAS], scene->materials[i]->name, scene->materials[i]->extras);
    for (uint32_t i = 0; i < scene->skin_count; i++)
        add_text(&sums[EXTRAS], scene->skins[i]->name, scene->skins[i]->extras);
    for (uint32_t i = 0; i < scene->animation_count; i++)
        add_text(&sums[EXTRAS], scene->animations[i]->name, scene->animations[i]->extras);
    for (uint32_t i = 0; i < scene->camera_count; i++)
        add_text(&sums[EXTRAS], scene->cameras[i]->name, scene->cameras[i]->extras);
    for (uint32_t i = 0; i < scene->light_count; i++)
        add_text(&sums[EXTRAS], scene->lights[i]->name, scene->lights[i]->extras);
    for (uint32_t i = 0; i < scene->image_count; i++)
        add_text(&sums[EXTRAS], scene->images[i]->name, scene->images[i]->extras);
}

static void compare_texts(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    static const char *const kinds[TEXTS] = {"extensions of meshes", "extensions of nodes",
                                             "extras"};
    uint64_t here[TEXTS], there[TEXTS];
    compare_text(c, "copyright and other data about the asset", a->asset, b->asset);
    compare_text(c, "extensions of the file", a->extensions, b->extensions);
    compare_text(c, "names of the scenes", a->name, b->name);
    sum_texts(a, here);
    sum_texts(b, there);
    for (int i = 0; i < TEXTS; i++)
        compare_text(c, kinds[i], here[i] != there[i] ? "differ" : "", "");
    for (uint32_t i = 0; i < a->variant_count && i < b->variant_count; i++) {
        facet_quoted quoted;
        if (facet_compare_texts_differ(a->variants[i], b->variants[i]))
            facet_compare_add(c, FACET_COMPARE_NAMES, "COMPARE-ASSET", FACET_NO_OFFSET,
                              "variant %" PRIu32 ", '%s', has another name in the second file", i,
                              facet_quote(&quoted, a->variants[i], strlen(a->variants[i])));
    }
}

/* -- Morph targets -------------------------------------------------------- */

/* Names of the morph targets of all meshes, each once. */
static facet_status list_targets(const facet_comparing *c, const facet_scene *scene,
                                 const char ***list, uint32_t *count, facet_error *error)
{
    facet_names known = facet_names_make(c->arena);
    size_t all = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        all += scene->meshes[i]->morph_count;
    *count = 0;
    *list = facet_arena_allocate(c->arena, all, sizeof **list);
    if (!*list)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        for (uint32_t k = 0; k < scene->meshes[i]->morph_count; k++) {
            const char *name = scene->meshes[i]->morphs[k].name;
            name = name ? name : "";
            uint32_t number = facet_names_put(&known, name, strlen(name));
            if (number == UINT32_MAX)
                return facet_fail_arena(c->arena, error);
            if (number == *count)
                (*list)[(*count)++] = name;
        }
    }
    return FACET_OK;
}

static facet_status compare_targets(const facet_comparing *c, const facet_scene *a,
                                    const facet_scene *b, facet_error *error)
{
    const char **here, **there;
    uint32_t here_count, there_count;
    TRY(list_targets(c, a, &here, &here_count, error));
    TRY(list_targets(c, b, &there, &there_count, error));
    uint32_t *pairs = facet_arena_allocate(c->arena, here_count, sizeof *pairs);
    if (!pairs)
        return facet_fail_arena(c->arena, error);
    return facet_compare_names(c, "morph targets", here, here_count, there, there_count, pairs,
                               error);
}

/* -- Cameras and lights ------------------------------------------------- */

static const facet_compare_number camera_numbers[] = {
    {"field of view", offsetof(facet_camera, field_of_view), 1},
    {"aspect ratio", offsetof(facet_camera, aspect_ratio), 1},
    {"width", offsetof(facet_camera, width), 1},
    {"height", offsetof(facet_camera, height), 1},
    {"near distance", offsetof(facet_camera, near_distance), 1},
    {"far distance", offsetof(facet_camera, far_distance), 1},
};
static const facet_compare_number light_numbers[] = {
    {"color", offsetof(facet_light, color), 3},
    {"intensity", offsetof(facet_light, intensity), 1},
    {"range", offsetof(facet_light, range), 1},
    {"inner cone angle", offsetof(facet_light, inner_cone_angle), 1},
    {"outer cone angle", offsetof(facet_light, outer_cone_angle), 1},
};

static uint64_t camera_content(const void *item)
{
    return ((const facet_camera *)item)->is_orthographic;
}

static uint64_t light_content(const void *item)
{
    return ((const facet_light *)item)->kind;
}

/* Describe the first difference of two cameras, or write "". */
static void camera_difference(const facet_comparing *c, const facet_camera *x,
                              const facet_camera *other, char *text, size_t space)
{
    facet_camera y = *other;
    float *const lengths[] = {&y.width, &y.height, &y.near_distance, &y.far_distance};
    for (int k = 0; k < 4; k++)
        *lengths[k] *= (float)c->scale;
    text[0] = '\0';
    if (x->is_orthographic != y.is_orthographic)
        snprintf(text, space, "another projection");
    else
        facet_compare_numbers(camera_numbers, sizeof camera_numbers / sizeof *camera_numbers, x, &y,
                              text, space);
}

/* Likewise for two lights. */
static void light_difference(const facet_comparing *c, const facet_light *x,
                             const facet_light *other, char *text, size_t space)
{
    facet_light y = *other;
    y.range *= (float)c->scale;
    text[0] = '\0';
    if (x->kind != y.kind)
        snprintf(text, space, "another kind");
    else
        facet_compare_numbers(light_numbers, sizeof light_numbers / sizeof *light_numbers, x, &y,
                              text, space);
}

static facet_status compare_cameras(const facet_comparing *c, const facet_scene *a,
                                    const facet_scene *b, uint32_t **pairs, facet_error *error)
{
    char text[160];
    TRY(facet_compare_pair(c, "cameras", a->cameras, a->camera_count, b->cameras, b->camera_count,
                           offsetof(facet_camera, name), camera_content, pairs, error));
    for (uint32_t i = 0; i < a->camera_count; i++) {
        if ((*pairs)[i] == FACET_NONE)
            continue;
        camera_difference(c, a->cameras[i], b->cameras[(*pairs)[i]], text, sizeof text);
        if (!*text)
            continue;
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "camera %" PRIu32 " has %s", i, text);
    }
    return FACET_OK;
}

static facet_status compare_lights(const facet_comparing *c, const facet_scene *a,
                                   const facet_scene *b, uint32_t **pairs, facet_error *error)
{
    char text[160];
    TRY(facet_compare_pair(c, "lights", a->lights, a->light_count, b->lights, b->light_count,
                           offsetof(facet_light, name), light_content, pairs, error));
    for (uint32_t i = 0; i < a->light_count; i++) {
        if ((*pairs)[i] == FACET_NONE)
            continue;
        light_difference(c, a->lights[i], b->lights[(*pairs)[i]], text, sizeof text);
        if (!*text)
            continue;
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "light %" PRIu32 " has %s", i, text);
    }
    return FACET_OK;
}

/* -- Objects that nodes carry ------------------------------------------- */

/* Pairs of the objects that nodes refer to. */
typedef struct object_pairs {
    const uint32_t *cameras, *lights, *nodes, *skins;
    facet_mesh_pairs meshes;
} object_pairs;

/* True if object x of a and object y of b are not partners. Objects without name that have equal
 * values count as partners, because their order may differ. */
static bool is_another(const uint32_t *pairs, uint32_t x, uint32_t y, const char *x_name,
                       const char *y_name, const char *difference)
{
    return pairs[x] != y && (*difference || (*x_name && *y_name));
}

static bool has_another_camera(const facet_comparing *c, const facet_compared_nodes *p,
                               const uint32_t *pairs, const facet_node *x, const facet_node *y)
{
    char text[160];
    const facet_camera *here = p->a->cameras[x->camera], *there = p->b->cameras[y->camera];
    camera_difference(c, here, there, text, sizeof text);
    return is_another(pairs, x->camera, y->camera, here->name, there->name, text);
}

static bool has_another_light(const facet_comparing *c, const facet_compared_nodes *p,
                              const uint32_t *pairs, const facet_node *x, const facet_node *y)
{
    char text[160];
    const facet_light *here = p->a->lights[x->light], *there = p->b->lights[y->light];
    light_difference(c, here, there, text, sizeof text);
    return is_another(pairs, x->light, y->light, here->name, there->name, text);
}

static bool has_other_lods(const uint32_t *pairs, const facet_node *x, const facet_node *y)
{
    if (x->lod_count != y->lod_count)
        return true;
    for (uint32_t i = 0; i < x->lod_count; i++) {
        if (pairs[x->lods[i]] != y->lods[i])
            return true;
    }
    return false;
}

/* The first difference of what two nodes carry, or NULL. */
static const char *carried_difference(const facet_comparing *c, const facet_compared_nodes *p,
                                      const object_pairs *pairs, const facet_node *x,
                                      const facet_node *y)
{
    bool cameras[2] = {x->camera != FACET_NONE, y->camera != FACET_NONE};
    bool lights[2] = {x->light != FACET_NONE, y->light != FACET_NONE};
    if (cameras[0] != cameras[1])
        return cameras[0] ? "a camera in the first file only" : "a camera in the second file only";
    if (cameras[0] && has_another_camera(c, p, pairs->cameras, x, y))
        return "another camera in the second file";
    if (lights[0] != lights[1])
        return lights[0] ? "a light in the first file only" : "a light in the second file only";
    if (lights[0] && has_another_light(c, p, pairs->lights, x, y))
        return "another light in the second file";
    bool skins[2] = {x->skin != FACET_NONE, y->skin != FACET_NONE};
    if (skins[0] != skins[1])
        return skins[0] ? "a skin in the first file only" : "a skin in the second file only";
    if (skins[0] && pairs->skins[x->skin] != y->skin)
        return "another skin in the second file";
    const char *mesh = facet_compare_shown_mesh(p, &pairs->meshes, x, y);
    if (mesh)
        return mesh;
    return has_other_lods(pairs->nodes, x, y) ? "other levels of detail in the second file" : NULL;
}

/* Compare which nodes carry which meshes, skins, cameras, lights and levels of detail. */
static void compare_carried(const facet_comparing *c, const facet_compared_nodes *p,
                            const object_pairs *pairs)
{
    uint32_t differing = 0;
    for (uint32_t i = 0; i < p->a->node_count; i++) {
        if (p->pairs[i] == FACET_NONE)
            continue;
        const facet_node *x = p->a->nodes[i];
        const char *text = carried_difference(c, p, pairs, x, p->b->nodes[p->pairs[i]]);
        facet_quoted quoted;
        if (text && differing++ < FACET_COMPARE_DETAILS)
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "node '%s' has %s", facet_quote(&quoted, x->name, strlen(x->name)),
                              text);
    }
    if (differing > FACET_COMPARE_DETAILS)
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "%" PRIu32 " more node%s other meshes, skins, cameras or lights",
                          differing - FACET_COMPARE_DETAILS,
                          facet_plural(differing - FACET_COMPARE_DETAILS, " has", "s have"));
}

/* -- The whole scene ---------------------------------------------------- */

facet_status facet_compare_structure(facet_comparing *c, const facet_scene *a, const facet_scene *b,
                                     double diagonal, facet_error *error)
{
    uint32_t *pairs = NULL, *cameras = NULL, *lights = NULL;
    compare_counts(c, a, b);
    TRY(compare_targets(c, a, b, error));
    TRY(compare_cameras(c, a, b, &cameras, error));
    TRY(compare_lights(c, a, b, &lights, error));
    compare_texts(c, a, b);
    facet_status status = facet_compare_materials(c, a, b, error);
    if (!status)
        status = facet_compare_pair(c, "nodes", a->nodes, a->node_count, b->nodes, b->node_count,
                                    offsetof(facet_node, name), NULL, &pairs, error);
    if (status)
        return status;
    facet_compared_nodes p = {a, b, pairs, diagonal / 10,
                              a->axes.up != b->axes.up ||
                                  a->axes.left_handed != b->axes.left_handed};
    object_pairs objects = {cameras, lights, pairs, NULL, {0}};
    uint32_t *skins = NULL;
    TRY(facet_compare_meshes(c, a, b, pairs, &objects.meshes, error));
    TRY(facet_compare_skins(c, &p, &skins, error));
    objects.skins = skins;
    compare_carried(c, &p, &objects);
    status = facet_compare_rest(c, &p, error);
    return status ? status : facet_compare_animations(c, &p, error);
}
