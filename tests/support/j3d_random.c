/* tests/support/j3d_random.c - random documents and materials of J3D. */
#include "j3d_random.h"
#include "formats/j3d/file/sections.h"

#include "base/arena.h"
#include "support.h"

facet_j3d *test_j3d_document(const facet_allocator *allocator)
{
    facet_options options = {.allocator = allocator};
    facet_arena *arena;
    if (facet_arena_create(&options, &arena, NULL))
        return NULL;
    facet_j3d *document = facet_arena_allocate_zeroed(arena, 1, sizeof *document);
    if (!document) {
        facet_arena_free(arena);
        return NULL;
    }
    document->arena = arena;
    document->kind = FACET_J3D_BMT3;
    return document;
}

bool test_j3d_textures(facet_j3d *document, const char *const *names, uint32_t count,
                       const uint8_t *texels)
{
    facet_j3d_textures *t = &document->textures;
    t->items = facet_arena_allocate_zeroed(document->arena, count, sizeof *t->items);
    t->names.items = facet_arena_allocate_zeroed(document->arena, count, sizeof *t->names.items);
    t->texels = facet_arena_allocate(document->arena, 1, sizeof *t->texels);
    if (!t->items || !t->names.items || !t->texels)
        return false;
    t->texels[0].bytes = texels;
    t->texels[0].size = 32;
    t->texels_count = 1;
    t->count = t->names.count = count;
    document->has_textures = true;
    for (uint32_t i = 0; i < count; i++) {
        t->names.items[i].bytes = names[i];
        t->names.items[i].hash = facet_j3d_hash(names[i]);
        t->items[i].header.width = t->items[i].header.height = 8;
        t->items[i].header.level_count = 1;
        t->items[i].palette = FACET_J3D_NO_TEXELS;
    }
    return true;
}

void test_j3d_plain_material(facet_j3d_material *m, const char *name)
{
    facet_j3d_material_init(m);
    m->name.bytes = name;
    m->given.cull_mode = m->given.channel_count = m->given.texgen_count = true;
    m->given.stage_count = m->given.early_depth = m->given.depth = m->given.dither = true;
    m->given.fog = m->given.alpha_compare = m->given.blend = m->given.nbt_scale = true;
    m->given.indirect = true;
    m->given.material_colors = m->given.ambient_colors = 3;
    m->given.channels = 15;
    m->given.konst_colors = m->given.tev_registers = m->given.swap_tables = 15;
    m->given.texgens = m->given.textures = 1;
    m->given.texture_matrices = m->given.tev_orders = m->given.tev_stages = m->given.swap_modes = 1;
    m->gx.channel_count = m->gx.texgen_count = m->gx.stage_count = m->gx.early_depth = 1;
    m->gx.channels[0] = (facet_gx_channel){0, 1, 0, 2, 1, 0, {255, 255}};
    m->gx.channels[1] = m->gx.channels[0];
    m->gx.channels[2] = m->gx.channels[3] = (facet_gx_channel){0, 0, 0, 0, 2, 0, {255, 255}};
    m->gx.textures[0] = 0;
    m->gx.tev_orders[0] = (facet_gx_tev_order){0, 0, 4, 255};
    m->gx.blend = (facet_gx_blend){0, 1, 0, 3};
}

uint32_t test_random_below(test_random *random, uint32_t limit)
{
    random->state = random->state * 1664525u + 1013904223u;
    return (random->state >> 8) % limit;
}

/* Fill a value with bytes of few values, so that some values repeat. */
static void scramble(test_random *random, void *value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)value)[i] = (uint8_t)test_random_below(random, 2);
}

#define SCRAMBLE(member, mask, slots)                                            \
    for (unsigned i = 0; i < (slots); i++)                                       \
        if (test_random_below(random, 2)) {                                      \
            scramble(random, &m->gx.member[i],                                   \
                     test_random_below(random, 4) ? 1 : sizeof m->gx.member[i]); \
            m->given.mask = (mask_##slots)(m->given.mask | 1u << i);             \
        }
typedef uint8_t mask_2, mask_4, mask_8;
typedef uint16_t mask_10, mask_16;
typedef uint32_t mask_20;

void test_j3d_material(test_random *random, uint32_t texture_count, facet_j3d_material *m)
{
    static const char *const names[] = {"a", "b", "mat0", "\x82\xA0"};
    facet_j3d_material_init(m);
    m->name.bytes = names[test_random_below(random, 4)];
    m->name.hash = facet_j3d_hash(m->name.bytes);
    m->mode = (uint8_t)(1 + test_random_below(random, 4));
    if ((m->given.cull_mode = test_random_below(random, 4) != 0))
        m->gx.cull_mode = test_random_below(random, 4);
    if ((m->given.channel_count = test_random_below(random, 2)))
        m->gx.channel_count = (uint8_t)test_random_below(random, 3);
    if ((m->given.texgen_count = test_random_below(random, 2)))
        m->gx.texgen_count = (uint8_t)test_random_below(random, 9);
    if ((m->given.stage_count = test_random_below(random, 2)))
        m->gx.stage_count = (uint8_t)(1 + test_random_below(random, 16));
    if ((m->given.early_depth = test_random_below(random, 2)))
        m->gx.early_depth = (uint8_t)test_random_below(random, 2);
    if ((m->given.dither = test_random_below(random, 2)))
        m->gx.dither = (uint8_t)test_random_below(random, 2);
    if ((m->given.depth = test_random_below(random, 2)))
        scramble(random, &m->gx.depth, sizeof m->gx.depth);
    if ((m->given.fog = test_random_below(random, 2)))
        scramble(random, &m->gx.fog, sizeof m->gx.fog);
    if ((m->given.alpha_compare = test_random_below(random, 2)))
        scramble(random, &m->gx.alpha_compare, sizeof m->gx.alpha_compare);
    if ((m->given.blend = test_random_below(random, 2)))
        scramble(random, &m->gx.blend, sizeof m->gx.blend);
    if ((m->given.nbt_scale = test_random_below(random, 2)))
        scramble(random, &m->gx.nbt_scale, 1);
    m->given.indirect = true;
    scramble(random, &m->gx.indirect, sizeof m->gx.indirect);
    SCRAMBLE(material_colors, material_colors, 2)
    SCRAMBLE(channels, channels, 4)
    SCRAMBLE(ambient_colors, ambient_colors, 2)
    SCRAMBLE(lights, lights, 8)
    SCRAMBLE(texgens, texgens, 8)
    SCRAMBLE(post_texgens, post_texgens, 8)
    SCRAMBLE(texture_matrices, texture_matrices, 10)
    SCRAMBLE(post_matrices, post_matrices, 20)
    SCRAMBLE(textures, textures, 8)
    for (unsigned i = 0; i < 8; i++)
        m->gx.textures[i] = m->given.textures >> i & 1
                                ? (uint16_t)test_random_below(random, texture_count)
                                : FACET_J3D_NONE;
    SCRAMBLE(konst_colors, konst_colors, 4)
    SCRAMBLE(tev_registers, tev_registers, 4)
    SCRAMBLE(tev_orders, tev_orders, 16)
    SCRAMBLE(tev_stages, tev_stages, 16)
    SCRAMBLE(swap_modes, swap_modes, 16)
    SCRAMBLE(swap_tables, swap_tables, 4)
    scramble(random, m->gx.konst_color_selections, 16);
    scramble(random, m->unused, sizeof m->unused);
}

void test_j3d_same_material(const facet_j3d_material *a, const facet_j3d_material *b)
{
    facet_j3d_material x = *a, y = *b;
    memset(&x.name, 0, sizeof x.name);
    memset(&y.name, 0, sizeof y.name);
    assert_memory_equal(&x, &y, sizeof x);
}
