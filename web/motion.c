/* motion.c - changes of uniforms and textures by an animation of console materials, frame by
 * frame. */
#include "shaders.h"

#include "base/arena.h"
#include "base/base64.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/scene/to_scene/motion.h"

#include <stdlib.h>
#include <string.h>

/* Limit for the frames of all materials together: a small file can declare many. */
#define MAX_STATES 2000000

typedef struct motion {
    facet_j3d_motion of;
    facet_arena *arena;
    const facet_scene *scene;
    uint32_t states;
} motion;

/* -- Numbers over time --------------------------------------------------- */

typedef struct uniform {
    const char *name;
    size_t offset, count;
    bool is_whole;
} uniform;

static const uniform uniforms[] = {
    {"registers", offsetof(facet_gx_shader_values, registers), 12, true},
    {"konst", offsetof(facet_gx_shader_values, konst), 16, true},
    {"material_color", offsetof(facet_gx_shader_values, material_color), 8, false},
    {"texture_rows", offsetof(facet_gx_shader_values, texture_rows), 120, false},
};

static const uint8_t *number_at(const facet_gx_shader_values *values, const uniform *u, size_t i)
{
    return (const uint8_t *)values + u->offset + 4 * i;
}

static facet_json *number_json(const uint8_t *at, bool is_whole)
{
    int32_t whole;
    float real;
    memcpy(&whole, at, sizeof whole);
    memcpy(&real, at, sizeof real);
    return is_whole ? facet_json_integer(whole) : facet_json_real((double)real);
}

/* Add {"uniform", "at", "values"} with one number per frame, unless all equal the value at rest. */
static void add_track(const motion *m, const facet_gx_shader_values *rest,
                      const facet_gx_shader_values *values, const uniform *u, size_t i,
                      facet_json *tracks)
{
    bool moves = false;
    for (uint32_t f = 0; f <= m->of.frames && !moves; f++)
        moves = memcmp(number_at(rest, u, i), number_at(&values[f], u, i), 4) != 0;
    if (!moves)
        return;
    facet_json *track = facet_json_object(), *list = facet_json_array();
    for (uint32_t f = 0; f <= m->of.frames; f++)
        facet_json_append(list, number_json(number_at(&values[f], u, i), u->is_whole));
    facet_json_set(track, "uniform", facet_json_string(u->name));
    facet_json_set(track, "at", facet_json_integer((int64_t)i));
    facet_json_set(track, "values", list);
    facet_json_append(tracks, track);
}

/* {"map", "choices", "values"}: the index of a choice at each frame. */
static facet_json *choices_of(const motion *m, uint32_t material, uint8_t map, uint32_t entry)
{
    facet_json *object = facet_json_object(), *choices = facet_json_array();
    facet_json *values = facet_json_array();
    uint32_t count = 0;
    uint32_t *choice_of = facet_arena_allocate_zeroed(m->arena, 65536, sizeof *choice_of);
    for (uint32_t f = 0; f <= m->of.frames && choice_of; f++) {
        facet_j3d_moment moment = {.frame = f};
        uint16_t number = facet_j3d_animation_texture_number(m->of.document, entry, &moment);
        if (!choice_of[number]) {
            facet_gx_material gx = *m->scene->materials[material]->gx;
            facet_j3d_motion_choose(&m->of, number, map, &gx);
            choice_of[number] = ++count;
            facet_json_append(choices, facet_web_map(&gx, map));
        }
        facet_json_append(values, facet_json_integer(choice_of[number] - 1));
    }
    facet_json_set(object, "map", facet_json_integer(map));
    facet_json_set(object, "choices", choices);
    facet_json_set(object, "values", values);
    return object;
}

static facet_json *all_choices(const motion *m, uint32_t material)
{
    facet_json *array = facet_json_array();
    uint32_t last[256] = {0}; /* entry + 1 for each map; the last one is used */
    for (uint32_t at = m->of.first[material]; at; at = m->of.next[at - 1])
        last[m->of.document->sets[0].slots[at - 1]] = at;
    for (uint8_t map = 0; map < 8; map++) {
        if (last[map])
            facet_json_append(array, choices_of(m, material, map, last[map] - 1));
    }
    return array;
}

/* Changes of one material. Above MAX_STATES, its lists are empty. */
static facet_json *material_json(motion *m, uint32_t material)
{
    facet_json *object = facet_json_object(), *tracks = facet_json_array();
    facet_gx_shader_values rest, *values = NULL;
    facet_gx_material gx;
    m->states += m->of.frames + 1;
    if (m->states <= MAX_STATES)
        values = facet_arena_allocate(m->arena, m->of.frames + (size_t)1, sizeof *values);
    facet_gx_material_shader_values(m->scene->materials[material]->gx, &rest);
    for (uint32_t f = 0; f <= m->of.frames && values; f++) {
        gx = *m->scene->materials[material]->gx;
        facet_j3d_motion_apply(&m->of, material, f, &gx);
        facet_gx_material_shader_values(&gx, &values[f]);
    }
    for (size_t u = 0; u < sizeof uniforms / sizeof *uniforms && values; u++) {
        for (size_t i = 0; i < uniforms[u].count; i++)
            add_track(m, &rest, values, &uniforms[u], i, tracks);
    }
    facet_arena_release(m->arena, values, values ? m->of.frames + (size_t)1 : 0, sizeof *values);
    facet_json_set(object, "material", facet_json_integer(material));
    facet_json_set(object, "tracks", tracks);
    if (values && m->of.document->kind == FACET_J3D_BTP)
        facet_json_set(object, "maps", all_choices(m, material));
    /* The new shader multiplies texture coordinates by a matrix; the old one may not. */
    if (values && m->of.document->kind == FACET_J3D_BTK)
        facet_json_set(object, "vertex", facet_web_shader(&gx, true));
    return object;
}

static char *describe(motion *m)
{
    facet_json *root = facet_json_object(), *materials = facet_json_array();
    for (uint32_t i = 0; i < m->scene->material_count; i++) {
        if (m->of.first[i] && m->scene->materials[i]->gx)
            facet_json_append(materials, material_json(m, i));
    }
    facet_json_set(root, "kind",
                   facet_json_string(facet_j3d_animation_kind_name(m->of.document->kind)));
    facet_json_set(root, "frames", facet_json_integer(m->of.frames));
    facet_json_set(root, "materials", materials);
    char *text = facet_json_print(root, &(facet_json_style){.digits = 9});
    facet_json_free(root);
    return text;
}

static char *answer(motion *m, const char *file)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    facet_j3d_animation *document = NULL;
    if (!facet_base64_decode(m->arena, file, strlen(file), &bytes, &size))
        return NULL;
    facet_source source = facet_source_from_memory(bytes, size, NULL);
    char *result = NULL;
    if (facet_j3d_animation_read(&source, NULL, &document, NULL))
        return NULL;
    if (facet_j3d_moves_materials(document->kind) &&
        !facet_j3d_animation_check_sharing(document, NULL) &&
        facet_j3d_motion_make(m->scene, document, m->arena, &m->of))
        result = describe(m);
    facet_j3d_animation_free(document);
    return result;
}

/* Changes of console materials as JSON: {"kind", "frames", "materials": [{"material", "tracks",
 * "maps", "vertex"}]}, with frames + 1 values in each list. `text` is {"materials", "images",
 * "file"}: the first two as for facet_shaders, the last a BTK, BRK, BPK, BPA or BTP in base64.
 * NULL if out of memory or if the file is of another kind. The caller frees the text with
 * free. */
char *facet_motion(const char *text);
char *facet_motion(const char *text)
{
    motion m = {0};
    char *result = NULL;
    facet_json *root = facet_json_read_text(text);
    facet_scene *scene = root ? facet_web_read_materials(root) : NULL;
    const char *file = facet_json_string_value(facet_json_object_get(root, "file"));
    m.scene = scene;
    if (scene && file && !facet_arena_create(NULL, &m.arena, NULL))
        result = answer(&m, file);
    facet_arena_free(m.arena);
    facet_scene_free(scene);
    facet_json_free(root);
    return result;
}
