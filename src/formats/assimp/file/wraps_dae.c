/* formats/assimp/file/wraps_dae.c - wrap modes of a COLLADA's textures. */
#include "formats/assimp/file/wraps_dae.h"

#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"

#include <string.h>

enum { WRAP, CLAMP, MIRROR };

/* A sampler of an effect. */
typedef struct sampler {
    uint8_t modes[2]; /* along u and v */
} sampler;

/* A <texture>. */
typedef struct use {
    const char *key;
    size_t key_size;
    const uint8_t *end; /* of its opening tag */
    bool is_empty;
} use;

typedef struct setter {
    facet_arena *arena;
    uint32_t effect;  /* number of the current one */
    bool is_open;     /* inside of a <newparam> */
    facet_names keys; /* number of the effect and sid */
    sampler *samplers;
    uint32_t sampler_capacity, current; /* current: of the <newparam> */
    use *uses;
    uint32_t use_count, use_capacity;
} setter;

/* The key of a sampler in the current effect. NULL if out of memory. */
static char *key_of(setter *s, facet_xml_part sid, size_t *size)
{
    char *key = facet_arena_allocate(s->arena, sizeof s->effect + sid.size, 1);
    if (!key)
        return NULL;
    memcpy(key, &s->effect, sizeof s->effect);
    if (sid.size > 0)
        memcpy(key + sizeof s->effect, sid.at, sid.size);
    *size = sizeof s->effect + sid.size;
    return key;
}

static bool begin_param(setter *s, facet_xml_part sid)
{
    size_t size;
    char *key = key_of(s, sid, &size);
    uint32_t known = s->keys.count,
             number = key ? facet_names_put(&s->keys, key, size) : UINT32_MAX;
    if (number == UINT32_MAX ||
        (number == known && !FACET_GROW(s->arena, s->samplers, number, s->sampler_capacity)))
        return false;
    if (number == known)
        s->samplers[number] = (sampler){{WRAP, WRAP}};
    s->current = number;
    return true;
}

static uint8_t mode_of(facet_xml_part content)
{
    facet_xml_part word = facet_xml_next_word(&content);
    return facet_xml_is(word, "WRAP") ? WRAP : facet_xml_is(word, "MIRROR") ? MIRROR : CLAMP;
}

static bool note_texture(setter *s, const facet_xml_tag *t)
{
    use made = {.end = t->end, .is_empty = t->is_empty};
    made.key = key_of(s, facet_xml_attribute(t->tag, "texture"), &made.key_size);
    if (!made.key || !FACET_GROW(s->arena, s->uses, s->use_count, s->use_capacity))
        return false;
    s->uses[s->use_count++] = made;
    return true;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    setter *s = user;
    if (facet_xml_is(t->name, "newparam")) {
        s->is_open = !t->closes && !t->is_empty;
        return !s->is_open || begin_param(s, facet_xml_attribute(t->tag, "sid"));
    }
    if (t->closes)
        return true;
    if (facet_xml_is(t->name, "effect"))
        s->effect++;
    else if (facet_xml_is(t->name, "texture"))
        return note_texture(s, t);
    else if (s->is_open && facet_xml_is(t->name, "wrap_s"))
        s->samplers[s->current].modes[0] = mode_of(t->content);
    else if (s->is_open && facet_xml_is(t->name, "wrap_t"))
        s->samplers[s->current].modes[1] = mode_of(t->content);
    return true;
}

/* Add the modes of a sampler to a <texture>. */
static bool add_modes(setter *s, facet_dae_edits *edits, const use *of, const sampler *from)
{
    static const char *const modes[][2] = {
        [WRAP] = {"", ""},
        [CLAMP] = {"<wrapU>0</wrapU>", "<wrapV>0</wrapV>"},
        [MIRROR] = {"<mirrorU>1</mirrorU>", "<mirrorV>1</mirrorV>"}};
    char *made = facet_arena_format(
        s->arena, "%s<extra><technique profile=\"MAYA\">%s%s</technique></extra>%s",
        of->is_empty ? ">" : "", modes[from->modes[0]][0], modes[from->modes[1]][1],
        of->is_empty ? "</texture>" : "");
    /* Replace the "/>" of an empty element. */
    size_t old = of->is_empty ? 2 : 0;
    return made && facet_dae_add_edit(edits, (facet_xml_part){of->end - old, old},
                                      (facet_xml_part){(uint8_t *)made, strlen(made)});
}

facet_status facet_dae_set_wraps(const uint8_t **data, size_t *size, facet_arena *scratch,
                                 facet_error *error)
{
    setter s = {.arena = scratch, .keys = facet_names_make(scratch)};
    facet_dae_edits edits = {.arena = scratch};
    if (!facet_xml_each_tag(*data, *size, note_tag, &s))
        return facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < s.use_count; i++) {
        const use *of = &s.uses[i];
        uint32_t number = facet_names_find(&s.keys, of->key, of->key_size);
        const sampler *from = number == UINT32_MAX ? NULL : &s.samplers[number];
        if (from && from->modes[0] + from->modes[1] > 0 && !add_modes(&s, &edits, of, from))
            return facet_fail_arena(scratch, error);
    }
    return facet_dae_apply(&edits, data, size, error);
}
