/* formats/j3d/patch/draws.c - new joints and blends as draw matrices of the original.
 *
 * Single joints come first, because the runtime requires it, then the envelopes, and these again if
 * the original has them twice. Insertions change the numbers of later ones. */
#include "formats/j3d/patch/draws.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

facet_status facet_j3d_draws_open(facet_j3d_builder *b, facet_j3d_draws *d)
{
    uint32_t count = b->document->draw_matrices.count;
    *d = (facet_j3d_draws){.builder = b};
    d->blend_of = facet_j3d_builder_scratch(b, count, sizeof *d->blend_of);
    d->made_of = facet_j3d_builder_scratch(b, count, sizeof *d->made_of);
    d->made = facet_j3d_builder_scratch(b, count, sizeof *d->made);
    if (!d->blend_of || !d->made_of || !d->made)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        facet_j3d_blend blend;
        facet_j3d_blend_of_draw(b->document, i, &blend);
        d->blend_of[i] = facet_j3d_like_find_blend(b->like, &blend);
        d->made_of[i] = FACET_NONE;
    }
    return FACET_OK;
}

uint32_t facet_j3d_draws_add(facet_j3d_draws *d, uint32_t draw)
{
    if (d->blend_of[draw] != FACET_NONE)
        return d->blend_of[draw];
    if (d->made_of[draw] == FACET_NONE) {
        d->made_of[draw] = d->builder->like->draw_count + d->made_count;
        d->made[d->made_count++] = draw;
    }
    return d->made_of[draw];
}

/* -- Insertion into the original ---------------------------------------- */

static facet_status add_envelopes(const facet_j3d_draws *d, uint32_t *envelope_of)
{
    const facet_j3d_builder *b = d->builder;
    const facet_j3d *n = b->document;
    facet_j3d_envelopes *to = &b->like->document->envelopes;
    facet_arena *arena = b->like->document->arena;
    uint32_t more = 0, influences = 0;
    for (uint32_t i = 0; i < d->made_count; i++) {
        const facet_j3d_draw_matrix *m = &n->draw_matrices.items[d->made[i]];
        more += m->is_envelope;
        influences += m->is_envelope ? n->envelopes.items[m->index].count : 0;
    }
    if (more == 0)
        return FACET_OK;
    facet_j3d_envelope *items =
        facet_arena_allocate(arena, (size_t)to->count + more, sizeof *items);
    facet_j3d_influence *list =
        facet_arena_allocate(arena, (size_t)to->influence_count + influences, sizeof *list);
    if (!items || !list)
        return facet_fail_arena(arena, b->error);
    if (to->count > 0)
        memcpy(items, to->items, to->count * sizeof *items);
    if (to->influence_count > 0)
        memcpy(list, to->influences, to->influence_count * sizeof *list);
    to->items = items;
    to->influences = list;
    for (uint32_t i = 0; i < d->made_count; i++) {
        const facet_j3d_draw_matrix *m = &n->draw_matrices.items[d->made[i]];
        if (!m->is_envelope)
            continue;
        const facet_j3d_envelope *from = &n->envelopes.items[m->index];
        memcpy(list + to->influence_count, n->envelopes.influences + from->first,
               from->count * sizeof *list);
        items[to->count] = (facet_j3d_envelope){to->influence_count, from->count};
        to->influence_count += from->count;
        envelope_of[i] = to->count++;
    }
    b->like->document->has_envelopes = true;
    return FACET_OK;
}

facet_status facet_j3d_like_add_binds(const facet_j3d_builder *b)
{
    facet_j3d_envelopes *to = &b->like->document->envelopes;
    uint32_t joints = b->document->joints.count;
    if (to->count == 0 || to->inverse_bind_count >= joints)
        return FACET_OK;
    float(*made)[12] = facet_arena_allocate(b->like->document->arena, joints, sizeof *made);
    if (!made)
        return facet_fail_arena(b->like->document->arena, b->error);
    for (uint32_t j = 0; j < joints; j++) {
        for (int k = 0; k < 12; k++)
            made[j][k] = j < to->inverse_bind_count ? to->inverse_bind[j][k] : (float)b->bind[j][k];
    }
    to->inverse_bind = made;
    to->inverse_bind_count = joints;
    return FACET_OK;
}

facet_status facet_j3d_draws_close(facet_j3d_draws *d)
{
    facet_j3d_builder *b = d->builder;
    facet_j3d_draw_matrices *to = &b->like->document->draw_matrices;
    uint32_t old = to->effective_count, copies = to->count - old, at = 0;
    uint32_t rigid = 0,
             *envelope_of = facet_j3d_builder_scratch(b, d->made_count, sizeof(uint32_t));
    d->number = facet_j3d_builder_scratch(b, (size_t)to->count + d->made_count, sizeof *d->number);
    if (!envelope_of || !d->number)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < to->count; i++)
        d->number[i] = i;
    facet_status status = facet_j3d_like_add_binds(b);
    if (status || d->made_count == 0)
        return status;
    status = facet_j3d_builder_limit(b, "J3D-LIMIT-ENVELOPES",
                                     (uint64_t)to->count + 2 * (uint64_t)d->made_count, UINT16_MAX,
                                     "draw matrices", "round the weights");
    if (!status)
        status = add_envelopes(d, envelope_of);
    if (!status)
        status = facet_j3d_like_add_binds(b);
    facet_j3d_draw_matrix *items = facet_arena_allocate(
        b->like->document->arena, (size_t)to->count + 2 * (size_t)d->made_count, sizeof *items);
    if (status || !items)
        return status ? status : facet_fail_arena(b->like->document->arena, b->error);
    while (rigid < old && !to->items[rigid].is_envelope)
        d->number[rigid] = at, items[at++] = to->items[rigid++];
    for (uint32_t i = 0; i < d->made_count; i++) {
        const facet_j3d_draw_matrix *m = &b->document->draw_matrices.items[d->made[i]];
        if (!m->is_envelope)
            d->number[to->count + i] = at, items[at++] = *m;
    }
    for (uint32_t i = rigid; i < old; i++)
        d->number[i] = at, items[at++] = to->items[i];
    for (uint32_t i = 0; i < d->made_count; i++) {
        if (b->document->draw_matrices.items[d->made[i]].is_envelope)
            d->number[to->count + i] = at, items[at++] =
                                               (facet_j3d_draw_matrix){1, (uint16_t)envelope_of[i]};
    }
    uint32_t effective = at;
    for (uint32_t i = 0; i < copies; i++)
        d->number[old + i] = at, items[at++] = to->items[old + i];
    for (uint32_t i = 0; i < d->made_count && copies > 0; i++) {
        if (b->document->draw_matrices.items[d->made[i]].is_envelope)
            items[at++] = (facet_j3d_draw_matrix){1, (uint16_t)envelope_of[i]};
    }
    to->items = items;
    to->count = at;
    to->effective_count = effective;
    return FACET_OK;
}
