/* formats/assimp/file/channels_dae.c - channels of a COLLADA's animations that do not move a node.
 */
#include "formats/assimp/file/channels_dae.h"

#include "base/error.h"
#include "base/table.h"
#include "formats/assimp/file/scan.h"
#include "formats/assimp/file/xml.h"

#include <string.h>

typedef struct channel {
    facet_xml_part target; /* id of the node, '/', and sid, without a member */
    const uint8_t *at;
} channel;

typedef struct collector {
    facet_arena *arena;
    facet_names transforms; /* as targets of channels */
    channel *channels;
    uint32_t count, capacity;
    facet_xml_part open[FACET_ASSIMP_MAX_DEPTH + 1]; /* ids of the nodes around the tag */
    size_t depth, too_deep;
} collector;

static bool is_transform(facet_xml_part name)
{
    static const char *const names[] = {"matrix", "translate", "rotate", "scale", "lookat", "skew"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (facet_xml_is(name, names[i]))
            return true;
    }
    return false;
}

static bool note_transform(collector *c, facet_xml_part sid)
{
    facet_xml_part id = c->depth > 0 ? c->open[c->depth - 1] : (facet_xml_part){NULL, 0};
    if (id.size == 0 || sid.size == 0)
        return true;
    char *target = facet_arena_allocate(c->arena, id.size + 1 + sid.size, 1);
    if (!target)
        return false;
    memcpy(target, id.at, id.size);
    target[id.size] = '/';
    memcpy(target + id.size + 1, sid.at, sid.size);
    return facet_names_put(&c->transforms, target, id.size + 1 + sid.size) != UINT32_MAX;
}

static void note_node(collector *c, const facet_xml_tag *t)
{
    if (t->closes && c->too_deep > 0) /* an error of the scan that follows */
        c->too_deep--;
    else if (t->closes)
        c->depth -= c->depth > 0;
    else if (!t->is_empty && c->depth > FACET_ASSIMP_MAX_DEPTH)
        c->too_deep++;
    else if (!t->is_empty)
        c->open[c->depth++] = facet_xml_attribute(t->tag, "id");
}

static bool note_channel(collector *c, const facet_xml_tag *t)
{
    facet_xml_part target = facet_xml_attribute(t->tag, "target");
    const uint8_t *slash = target.size > 0 ? memchr(target.at, '/', target.size) : NULL;
    if (!FACET_GROW(c->arena, c->channels, c->count, c->capacity))
        return false;
    size_t size = slash ? (size_t)(slash - target.at) + 1 : 0;
    while (size < target.size && target.at[size] != '.' && target.at[size] != '(')
        size++;
    target.size = size;
    c->channels[c->count++] = (channel){target, t->begin};
    return true;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    collector *c = user;
    if (facet_xml_is(t->name, "node"))
        note_node(c, t);
    else if (t->closes)
        return true;
    else if (is_transform(t->name))
        return note_transform(c, facet_xml_attribute(t->tag, "sid"));
    else if (facet_xml_is(t->name, "channel"))
        return note_channel(c, t);
    return true;
}

facet_status facet_dae_report_channels(const uint8_t *data, size_t size, facet_arena *scratch,
                                       facet_report *report, facet_error *error)
{
    collector *c = facet_arena_allocate_zeroed(scratch, 1, sizeof *c);
    if (!c)
        return facet_fail_arena(scratch, error);
    c->arena = scratch;
    c->transforms = facet_names_make(scratch);
    if (!facet_xml_each_tag(data, size, note_tag, c))
        return facet_fail_arena(scratch, error);
    facet_tally lost = {0, 0};
    const channel *first = NULL;
    for (uint32_t i = 0; i < c->count; i++) {
        const facet_xml_part target = c->channels[i].target;
        if (facet_names_find(&c->transforms, (const char *)target.at, target.size) != UINT32_MAX)
            continue;
        first = first ? first : &c->channels[i];
        facet_tally_hit(&lost, i);
    }
    if (!first)
        return FACET_OK;
    facet_quoted quoted;
    facet_report_add_tally_line(
        report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, facet_xml_line(data, first->at), &lost,
        "the animation of '%s' is not read: only transforms of nodes are",
        facet_quote(&quoted, (const char *)first->target.at, first->target.size));
    return FACET_OK;
}
