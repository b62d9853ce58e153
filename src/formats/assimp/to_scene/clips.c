/* formats/assimp/to_scene/clips.c - the clips of a COLLADA as animations. Until then, the
 * animations of assimp have all keys of the file. */
#include "base/budget.h"
#include "base/error.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <math.h>
#include <string.h>

typedef struct splitter {
    facet_assimp_reader *r;
    const facet_dae_clips *clips;
    uint32_t old_count; /* animations before */
    uint32_t *node_of;  /* per id of a node: its place, or FACET_NONE */
    bool *in_clip;      /* per place: the current clip moves it */
    bool *in_any;       /* per place: some clip moves it */
    facet_budget budget;
} splitter;

/* -- Nodes -------------------------------------------------------------- */

static facet_status find_nodes(splitter *s)
{
    facet_assimp_reader *r = s->r;
    uint32_t count = s->clips->node_ids.count;
    s->node_of = facet_arena_allocate(r->scratch, count, sizeof *s->node_of);
    s->in_clip = facet_arena_allocate_zeroed(r->scratch, r->place_count, sizeof *s->in_clip);
    s->in_any = facet_arena_allocate_zeroed(r->scratch, r->place_count, sizeof *s->in_any);
    if (!s->node_of || !s->in_clip || !s->in_any)
        return facet_fail_arena(r->scratch, r->error);
    memset(s->node_of, 0xFF, count * sizeof *s->node_of);
    for (uint32_t i = 0; i < r->place_count; i++) {
        const struct aiMetadata *metadata = r->places[i].from->mMetaData;
        for (uint32_t k = 0; metadata && k < metadata->mNumProperties; k++) {
            const struct aiMetadataEntry *entry = &metadata->mValues[k];
            if (strcmp(metadata->mKeys[k].data, "Collada_id") != 0 || !entry->mData ||
                entry->mType != AI_AISTRING)
                continue;
            const struct aiString *id = entry->mData;
            uint32_t number = facet_names_find(&s->clips->node_ids, id->data, id->length);
            if (number != FACET_NONE && s->node_of[number] == FACET_NONE)
                s->node_of[number] = i;
        }
    }
    return FACET_OK;
}

static void mark_nodes(splitter *s, const facet_dae_clip *clip, bool in_clip)
{
    for (uint32_t i = 0; i < clip->node_count; i++) {
        uint32_t place = s->node_of[s->clips->nodes[clip->first_node + i]];
        if (place == FACET_NONE)
            continue;
        s->in_clip[place] = in_clip;
        s->in_any[place] = true;
    }
}

/* -- Channels ----------------------------------------------------------- */

/* Append a key of a channel at a time of the file. */
static void put_key(facet_channel *to, const facet_channel *from, double time, double start)
{
    facet_channel_sample(from, time, to->values + (size_t)to->key_count * to->width);
    to->times[to->key_count++] = (float)(time - start);
}

/* Cut a channel to a span, with keys at both ends. A span without a length has one key. */
static facet_status cut(splitter *s, const facet_channel *from, double start, double end,
                        facet_channel *to)
{
    facet_assimp_reader *r = s->r;
    uint32_t first = 0, last, space;
    while (first < from->key_count && (double)from->times[first] <= start)
        first++;
    for (last = first; last < from->key_count && (double)from->times[last] < end;)
        last++;
    space = last - first + 2;
    *to = *from;
    TRY(facet_budget_spend(&s->budget, (uint64_t)space * (from->width + 1) * sizeof(float),
                           "keys of animation clips", r->error));
    to->times = facet_arena_allocate(r->scene->arena, space, sizeof *to->times);
    to->values = facet_arena_allocate(r->scene->arena, space, from->width * sizeof *to->values);
    to->key_count = 0;
    if (!to->times || !to->values)
        return facet_fail_arena(r->scene->arena, r->error);
    put_key(to, from, start, start);
    for (uint32_t i = first; i < last; i++)
        put_key(to, from, (double)from->times[i], start);
    if (end > start)
        put_key(to, from, end, start);
    return FACET_OK;
}

/* -- Animations --------------------------------------------------------- */

static bool is_chosen(const splitter *s, const facet_channel *channel)
{
    return facet_channel_target_is_of_node(channel->target) && channel->key_count > 0 &&
           channel->node < s->r->place_count && s->in_clip[channel->node];
}

static facet_status add_clip(splitter *s, const facet_dae_clip *clip)
{
    facet_scene *scene = s->r->scene;
    uint32_t count = 0;
    double end = clip->end, last = clip->start;
    for (uint32_t i = 0; i < s->old_count; i++) {
        const facet_animation *from = scene->animations[i];
        for (uint32_t k = 0; k < from->channel_count; k++) {
            const facet_channel *channel = &from->channels[k];
            if (!is_chosen(s, channel))
                continue;
            last = fmax(last, (double)channel->times[channel->key_count - 1]);
            count++;
        }
    }
    if (count == 0) /* its channels move no node, and are reported elsewhere */
        return FACET_OK;
    end = isfinite(end) ? end : last;
    facet_animation *made;
    TRY(facet_scene_add_animation(scene, clip->name, count, &made, s->r->error));
    made->channel_count = 0;
    for (uint32_t i = 0; i < s->old_count; i++) {
        const facet_animation *from = scene->animations[i];
        for (uint32_t k = 0; k < from->channel_count; k++) {
            if (is_chosen(s, &from->channels[k]))
                TRY(cut(s, &from->channels[k], clip->start, end,
                        &made->channels[made->channel_count++]));
        }
    }
    return FACET_OK;
}

/* Keep the channels that no clip has as their old animations, after the clips. */
static void keep_rest(splitter *s)
{
    facet_scene *scene = s->r->scene;
    uint32_t clips = scene->animation_count - s->old_count, kept = 0;
    facet_animation **all = scene->animations;
    for (uint32_t i = 0; i < s->old_count; i++) {
        facet_animation *from = all[i];
        uint32_t count = 0;
        for (uint32_t k = 0; k < from->channel_count; k++) {
            const facet_channel *channel = &from->channels[k];
            if (!facet_channel_target_is_of_node(channel->target) ||
                channel->node >= s->r->place_count || !s->in_any[channel->node])
                from->channels[count++] = *channel;
        }
        from->channel_count = count;
        if (count > 0)
            all[kept++] = from;
    }
    /* The kept ones are first: rotate them behind the clips. */
    memmove(all + kept, all + s->old_count, clips * sizeof *all);
    for (uint32_t i = 0; i < kept; i++) {
        facet_animation *first = all[0];
        memmove(all, all + 1, (kept + clips - 1) * sizeof *all);
        all[kept + clips - 1] = first;
    }
    scene->animation_count = kept + clips;
}

facet_status facet_assimp_split_clips(facet_assimp_reader *r)
{
    if (!r->clips || r->scene->animation_count == 0)
        return FACET_OK;
    uint64_t stored = 0;
    for (uint32_t i = 0; i < r->scene->animation_count; i++) {
        const facet_animation *from = r->scene->animations[i];
        for (uint32_t k = 0; k < from->channel_count; k++)
            stored += (uint64_t)from->channels[k].key_count * (from->channels[k].width + 1) *
                      sizeof(float);
    }
    splitter s = {.r = r,
                  .clips = r->clips,
                  .old_count = r->scene->animation_count,
                  .budget = facet_budget_of(r->options, stored, FACET_BUDGET_WORK)};
    TRY(find_nodes(&s));
    for (uint32_t i = 0; i < s.clips->count; i++) {
        mark_nodes(&s, &s.clips->items[i], true);
        TRY(add_clip(&s, &s.clips->items[i]));
        mark_nodes(&s, &s.clips->items[i], false);
    }
    keep_rest(&s);
    return FACET_OK;
}
