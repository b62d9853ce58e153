/* motion.c - what an animation of console materials changes of their uniforms and
 * textures, frame by frame. */
#include "shaders.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/table.h"
#include "gx/json/texture.h"
#include "j3d/animation/animation.h"
#include "j3d/to_scene/animation.h"
#include "j3d/to_scene/gx.h"

#include <stdlib.h>
#include <string.h>

/* Frames of all materials that are looked at: a file of few bytes may announce many. */
#define MOST_STATES 2000000

typedef struct texture {
    bool is_known;
    uint16_t image; /* of the glTF */
    facet_bti_header header;
} texture;

typedef struct motion {
    facet_arena *arena;
    const facet_scene *scene;
    const facet_j3d_animation *document;
    uint32_t *first, *next; /* entries of a material, of both sets: number + 1, in their order */
    texture *textures;      /* by their numbers in the model: 65,536 */
    uint32_t frames, states;
} motion;

/* -- What is moved ------------------------------------------------------- */

static uint32_t set_of(const motion *m, uint32_t entry, uint32_t *within)
{
    uint32_t count = m->document->sets[0].count, set = entry >= count;
    *within = set ? entry - count : entry;
    return set;
}

/* The material of a name, FACET_NONE when there is none. */
static uint32_t material_of(const motion *m, facet_names *known, const facet_j3d_name *name)
{
    size_t length = facet_j3d_name_text(name->bytes, NULL, 0);
    char *text = facet_arena_allocate(m->arena, length + 1, 1);
    if (!text)
        return FACET_NONE;
    facet_j3d_name_text(name->bytes, text, length + 1);
    return facet_names_find(known, text, length);
}

static bool sort_entries(motion *m)
{
    const facet_j3d_animation_set *sets = m->document->sets;
    uint32_t total = sets[0].count + (m->document->kind == FACET_J3D_BRK ? sets[1].count : 0);
    uint32_t count = m->scene->material_count;
    facet_names known = facet_names_make(m->arena);
    uint32_t *first_of = facet_arena_allocate(m->arena, count, sizeof *first_of);
    m->first = facet_arena_allocate_zeroed(m->arena, count, sizeof *m->first);
    m->next = facet_arena_allocate_zeroed(m->arena, total, sizeof *m->next);
    if (!m->first || !m->next || !first_of)
        return false;
    /* Of equal names the first counts, as in games. */
    for (uint32_t i = 0; i < count; i++) {
        const char *name = m->scene->materials[i].name;
        uint32_t before = known.count, number = facet_names_put(&known, name, strlen(name));
        if (number == UINT32_MAX)
            return false;
        if (number == before)
            first_of[number] = i;
    }
    for (uint32_t i = total; i-- > 0;) {
        uint32_t entry, set = set_of(m, i, &entry);
        uint32_t number = material_of(m, &known, &sets[set].names.items[entry]);
        if (number == UINT32_MAX)
            continue;
        m->next[i] = m->first[first_of[number]];
        m->first[first_of[number]] = i + 1;
    }
    return true;
}

/* Which image shows each texture of the model. */
static bool find_textures(motion *m)
{
    m->textures = facet_arena_allocate_zeroed(m->arena, 65536, sizeof *m->textures);
    for (uint32_t i = 0; i < m->scene->image_count && m->textures; i++) {
        facet_gx_texture_state *states = NULL;
        uint32_t count = 0;
        if (facet_gx_textures_from_extras(m->scene->images[i].extras, m->arena, &states, &count,
                                          NULL))
            continue;
        for (uint32_t k = 0; k < count; k++) {
            if (states[k].index < 65536 && i < FACET_GX_NO_TEXTURE)
                m->textures[states[k].index] = (texture){true, (uint16_t)i, states[k].header};
        }
    }
    return m->textures != NULL;
}

/* -- A material at a frame ----------------------------------------------- */

static void put_state(const motion *m, uint32_t material, uint32_t frame, facet_gx_material *gx)
{
    *gx = *m->scene->materials[material].gx;
    for (uint32_t at = m->first[material]; at; at = m->next[at - 1]) {
        uint32_t entry, set = set_of(m, at - 1, &entry);
        facet_j3d_animation_apply(m->document, set, entry, frame, gx);
    }
}

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

/* {"uniform", "at", "values"}: one number at each frame; added when it is ever another than
 * at rest. */
static void add_track(const motion *m, const facet_gx_shader_values *rest,
                      const facet_gx_shader_values *values, const uniform *u, size_t i,
                      facet_json *tracks)
{
    bool moves = false;
    for (uint32_t f = 0; f <= m->frames && !moves; f++)
        moves = memcmp(number_at(rest, u, i), number_at(&values[f], u, i), 4) != 0;
    if (!moves)
        return;
    facet_json *track = facet_json_object(), *list = facet_json_array();
    for (uint32_t f = 0; f <= m->frames; f++)
        facet_json_append(list, number_json(number_at(&values[f], u, i), u->is_whole));
    facet_json_set(track, "uniform", facet_json_string(u->name));
    facet_json_set(track, "at", facet_json_integer((int64_t)i));
    facet_json_set(track, "values", list);
    facet_json_append(tracks, track);
}

static void choose(const motion *m, uint16_t number, uint8_t map, facet_gx_material *gx)
{
    const texture *chosen = &m->textures[number];
    gx->textures[map] = chosen->is_known ? chosen->image : FACET_GX_NO_TEXTURE;
    if (chosen->is_known)
        facet_j3d_set_sampler(&chosen->header, &gx->samplers[map]);
}

/* {"map", "choices", "values"}: the number of the choice at each frame. */
static facet_json *choices_of(const motion *m, uint32_t material, uint8_t map, uint32_t entry)
{
    facet_json *object = facet_json_object(), *choices = facet_json_array();
    facet_json *values = facet_json_array();
    uint32_t count = 0;
    uint32_t *choice_of = facet_arena_allocate_zeroed(m->arena, 65536, sizeof *choice_of);
    for (uint32_t f = 0; f <= m->frames && choice_of; f++) {
        facet_j3d_moment moment = {.frame = f};
        uint16_t number = facet_j3d_animation_texture_number(m->document, entry, &moment);
        if (!choice_of[number]) {
            facet_gx_material gx = *m->scene->materials[material].gx;
            choose(m, number, map, &gx);
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
    uint32_t last[256] = {0}; /* entry + 1 of each map: the last one counts */
    for (uint32_t at = m->first[material]; at; at = m->next[at - 1])
        last[m->document->sets[0].slots[at - 1]] = at;
    for (uint8_t map = 0; map < 8; map++) {
        if (last[map])
            facet_json_append(array, choices_of(m, material, map, last[map] - 1));
    }
    return array;
}

/* What moves of a material; NULL when it is too much. */
static facet_json *material_json(motion *m, uint32_t material)
{
    facet_json *object = facet_json_object(), *tracks = facet_json_array();
    facet_gx_shader_values rest, *values = NULL;
    facet_gx_material gx;
    m->states += m->frames + 1;
    if (m->states <= MOST_STATES)
        values = facet_arena_allocate(m->arena, m->frames + (size_t)1, sizeof *values);
    facet_gx_material_shader_values(m->scene->materials[material].gx, &rest);
    for (uint32_t f = 0; f <= m->frames && values; f++) {
        put_state(m, material, f, &gx);
        facet_gx_material_shader_values(&gx, &values[f]);
    }
    for (size_t u = 0; u < sizeof uniforms / sizeof *uniforms && values; u++) {
        for (size_t i = 0; i < uniforms[u].count; i++)
            add_track(m, &rest, values, &uniforms[u], i, tracks);
    }
    facet_arena_release(m->arena, values, values ? m->frames + (size_t)1 : 0, sizeof *values);
    facet_json_set(object, "material", facet_json_integer(material));
    facet_json_set(object, "tracks", tracks);
    if (values && m->document->kind == FACET_J3D_BTP)
        facet_json_set(object, "maps", all_choices(m, material));
    /* Coordinates that were not multiplied by a matrix are now. */
    if (values && m->document->kind == FACET_J3D_BTK)
        facet_json_set(object, "vertex", facet_web_shader(&gx, true));
    return object;
}

static char *describe(motion *m)
{
    facet_json *root = facet_json_object(), *materials = facet_json_array();
    for (uint32_t i = 0; i < m->scene->material_count; i++) {
        if (m->first[i] && m->scene->materials[i].gx)
            facet_json_append(materials, material_json(m, i));
    }
    facet_json_set(root, "kind",
                   facet_json_string(facet_j3d_animation_kind_name(m->document->kind)));
    facet_json_set(root, "frames", facet_json_integer(m->frames));
    facet_json_set(root, "materials", materials);
    char *text = facet_json_print(root, &(facet_json_style){.digits = 9});
    facet_json_release(root);
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
    m->document = document;
    m->frames = document->frames > 0 ? (uint32_t)document->frames : 1;
    bool moves = document->kind >= FACET_J3D_BTK && document->kind <= FACET_J3D_BTP;
    if (moves && !facet_j3d_animation_check_sharing(document, NULL) && sort_entries(m) &&
        find_textures(m))
        result = describe(m);
    facet_j3d_animation_free(document);
    return result;
}

/* Of {"materials", "images", "file"}, the first two as in facet_shaders, the last a BTK, BRK,
 * BPK, BPA or BTP in base64: {"kind", "frames", "materials": [{"material", "tracks", "maps",
 * "vertex"}]}, with frames + 1 values in each list. NULL when it is none of these, and
 * without memory. Release it by free. */
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
    facet_json_release(root);
    return result;
}
