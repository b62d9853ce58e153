/* formats/assimp/file/clips_dae.c - the animation clips of a COLLADA. */
#include "formats/assimp/file/clips_dae.h"

#include "base/error.h"
#include "base/numbers.h"
#include "formats/assimp/file/xml.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

/* Limit of clips times channels, and times animations. */
#define MAX_WORK ((uint64_t)1 << 26)

/* An <animation>, and the one around it. */
typedef struct animation {
    facet_xml_part id;
    uint32_t parent;
} animation;

typedef struct channel {
    uint32_t animation, node;
} channel;

/* An <instance_animation> of a clip. */
typedef struct instance {
    uint32_t clip;
    facet_xml_part url; /* without '#' */
} instance;

typedef struct clip_reader {
    facet_arena *arena;
    facet_dae_clips *made;
    animation *animations;
    channel *channels;
    instance *instances;
    uint32_t animation_count, animation_capacity, channel_count, channel_capacity, instance_count,
        instance_capacity, clip_capacity, node_count, node_capacity;
    uint32_t open; /* innermost <animation> */
    bool in_clip;
    const uint8_t *first; /* the first clip */
} clip_reader;

/* -- Elements ----------------------------------------------------------- */

static double number_of(facet_xml_part tag, const char *name, double otherwise)
{
    facet_xml_part text = facet_xml_attribute(tag, name), word = facet_xml_next_word(&text);
    double value;
    bool is_number = word.size > 0 && facet_number_parse_double(word.at, word.at + word.size,
                                                                &value) == word.at + word.size;
    return is_number && isfinite(value) ? value : otherwise;
}

static bool note_animation(clip_reader *c, const facet_xml_tag *t)
{
    if (t->closes) {
        c->open = c->open == NONE ? NONE : c->animations[c->open].parent;
        return true;
    }
    if (t->is_empty)
        return true;
    if (!FACET_GROW(c->arena, c->animations, c->animation_count, c->animation_capacity))
        return false;
    c->animations[c->animation_count] = (animation){facet_xml_attribute(t->tag, "id"), c->open};
    c->open = c->animation_count++;
    return true;
}

static bool note_channel(clip_reader *c, facet_xml_part tag)
{
    facet_xml_part target = facet_xml_attribute(tag, "target");
    const uint8_t *slash = target.size > 0 ? memchr(target.at, '/', target.size) : NULL;
    if (c->open == NONE || !slash)
        return true;
    uint32_t node =
        facet_names_put(&c->made->node_ids, (const char *)target.at, (size_t)(slash - target.at));
    if (node == NONE || !FACET_GROW(c->arena, c->channels, c->channel_count, c->channel_capacity))
        return false;
    c->channels[c->channel_count++] = (channel){c->open, node};
    return true;
}

static bool note_clip(clip_reader *c, const facet_xml_tag *t)
{
    c->in_clip = !t->closes && !t->is_empty;
    if (t->closes)
        return true;
    facet_dae_clips *made = c->made;
    facet_xml_part name = facet_xml_attribute(t->tag, "name");
    if (name.size == 0)
        name = facet_xml_attribute(t->tag, "id");
    if (!FACET_GROW(c->arena, made->items, made->count, c->clip_capacity))
        return false;
    facet_dae_clip *clip = &made->items[made->count++];
    *clip = (facet_dae_clip){.start = number_of(t->tag, "start", 0),
                             .end = number_of(t->tag, "end", INFINITY)};
    clip->name = facet_arena_utf8(c->arena, (const char *)name.at, name.size);
    c->first = c->first ? c->first : t->begin;
    return clip->name != NULL;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    clip_reader *c = user;
    if (facet_xml_is(t->name, "animation"))
        return note_animation(c, t);
    if (facet_xml_is(t->name, "animation_clip"))
        return note_clip(c, t);
    if (!t->closes && facet_xml_is(t->name, "channel"))
        return note_channel(c, t->tag);
    if (t->closes || !c->in_clip || !facet_xml_is(t->name, "instance_animation"))
        return true;
    facet_xml_part url = facet_xml_attribute(t->tag, "url");
    if (url.size < 2 || *url.at != '#')
        return true;
    if (!FACET_GROW(c->arena, c->instances, c->instance_count, c->instance_capacity))
        return false;
    c->instances[c->instance_count++] = (instance){c->made->count - 1, {url.at + 1, url.size - 1}};
    return true;
}

/* -- Nodes -------------------------------------------------------------- */

/* Working memory for one clip after another. */
typedef struct marks {
    bool *has;         /* per animation: the clip has it, or one around it */
    uint32_t *all;     /* per node: number of channels */
    uint32_t *in_clip; /* per node: number of channels of the clip */
} marks;

/* Add the nodes of a clip. *is_apart is false if it has only some channels of a node. False if out
 * of memory. */
static bool add_nodes(clip_reader *c, facet_dae_clip *clip, const marks *m, bool *is_apart)
{
    facet_dae_clips *made = c->made;
    clip->first_node = c->node_count;
    memset(m->in_clip, 0, made->node_ids.count * sizeof *m->in_clip);
    for (uint32_t i = 0; i < c->channel_count; i++)
        m->in_clip[c->channels[i].node] += m->has[c->channels[i].animation];
    for (uint32_t i = 0; i < made->node_ids.count; i++) {
        if (m->in_clip[i] == 0)
            continue;
        *is_apart &= m->in_clip[i] == m->all[i];
        if (!FACET_GROW(c->arena, made->nodes, c->node_count, c->node_capacity))
            return false;
        made->nodes[c->node_count++] = i;
    }
    clip->node_count = c->node_count - clip->first_node;
    return true;
}

/* Find the nodes of all clips. The instances are in the order of the clips. */
static bool find_nodes(clip_reader *c, bool *is_apart)
{
    uint32_t nodes = c->made->node_ids.count, next = 0;
    const marks m = {facet_arena_allocate(c->arena, c->animation_count, sizeof *m.has),
                     facet_arena_allocate_zeroed(c->arena, nodes, sizeof *m.all),
                     facet_arena_allocate(c->arena, nodes, sizeof *m.in_clip)};
    facet_names ids = facet_names_make(c->arena);
    uint32_t *of_id = facet_arena_allocate(c->arena, c->animation_count, sizeof *of_id);
    if (!m.has || !m.all || !m.in_clip || !of_id)
        return false;
    for (uint32_t i = 0; i < c->channel_count; i++)
        m.all[c->channels[i].node]++;
    for (uint32_t i = 0; i < c->animation_count; i++) {
        const facet_xml_part id = c->animations[i].id;
        uint32_t known = ids.count;
        uint32_t number =
            id.size > 0 ? facet_names_put(&ids, (const char *)id.at, id.size) : known + 1;
        if (number == NONE)
            return false;
        if (number == known)
            of_id[number] = i;
    }
    for (uint32_t k = 0; k < c->made->count; k++) {
        memset(m.has, 0, c->animation_count * sizeof *m.has);
        for (; next < c->instance_count && c->instances[next].clip == k; next++) {
            const facet_xml_part url = c->instances[next].url;
            uint32_t number = facet_names_find(&ids, (const char *)url.at, url.size);
            if (number != NONE)
                m.has[of_id[number]] = true;
        }
        for (uint32_t i = 0; i < c->animation_count; i++) /* parents come first */
            m.has[i] |= c->animations[i].parent != NONE && m.has[c->animations[i].parent];
        if (!add_nodes(c, &c->made->items[k], &m, is_apart))
            return false;
    }
    return true;
}

/* -- All clips ---------------------------------------------------------- */

facet_status facet_dae_read_clips(const uint8_t *data, size_t size, facet_arena *scratch,
                                  facet_report *report, facet_dae_clips **clips, facet_error *error)
{
    clip_reader c = {.arena = scratch, .open = NONE};
    c.made = facet_arena_allocate_zeroed(scratch, 1, sizeof *c.made);
    if (clips)
        *clips = NULL;
    if (!c.made)
        return facet_fail_arena(scratch, error);
    c.made->node_ids = facet_names_make(scratch);
    if (!facet_xml_each_tag(data, size, note_tag, &c))
        return facet_fail_arena(scratch, error);
    if (c.made->count == 0)
        return FACET_OK;
    uint64_t each = (uint64_t)c.channel_count + c.animation_count + 1;
    bool is_apart = clips && c.made->count <= MAX_WORK / each;
    if (is_apart && !find_nodes(&c, &is_apart))
        return facet_fail_arena(scratch, error);
    facet_tally lost = {is_apart ? 0 : c.made->count, 0};
    facet_report_add_tally_line(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
                                facet_xml_line(data, c.first), &lost,
                                "an <animation_clip> is not read: all animations become one");
    if (is_apart)
        *clips = c.made;
    return FACET_OK;
}
