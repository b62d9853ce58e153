/* formats/j3d/animation/describe.c - description of an animation. */
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/animation/json.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/tree.h"

#include <stdio.h>

/* Maximum number of entries that are described. */
#define MAX_ENTRIES 1000

/* The word for entries of a set. */
static const char *entries_of(facet_j3d_animation_kind kind, uint32_t set)
{
    bool is_color = kind == FACET_J3D_BPK || kind == FACET_J3D_BPA;
    return is_color ? "materials" : facet_j3d_json_entries(kind, set);
}

static void describe_tracks(facet_arena *arena, facet_tree *tree,
                            const facet_j3d_animation_format *format,
                            const facet_j3d_animation_set *set)
{
    uint32_t constant = 0, animated = 0, keys = 0;
    for (uint32_t i = 0; i < set->count * format->tracks; i++) {
        bool moves = set->tracks[i].count > 1;
        constant += !moves;
        animated += moves;
        keys += moves ? set->tracks[i].count : 0;
    }
    facet_tree_integer(arena, tree, "constant_tracks", constant);
    facet_tree_integer(arena, tree, "animated_tracks", animated);
    facet_tree_integer(arena, tree, format->has_keys ? "keys" : "values", keys);
}

static void describe_entry(facet_arena *arena, facet_tree *list,
                           const facet_j3d_animation *document, uint32_t s, uint32_t entry)
{
    const facet_j3d_animation_set *set = &document->sets[s];
    char text[256];
    facet_tree *tree = facet_tree_object(arena, list, NULL);
    facet_j3d_name_text(set->names.items[entry].bytes, text, sizeof text);
    facet_tree_string(arena, tree, "material", text);
    if (set->slots)
        facet_tree_integer(arena, tree, facet_j3d_json_slot(document->kind), set->slots[entry]);
}

static void describe_set(facet_arena *arena, facet_tree *tree, const facet_j3d_animation *document,
                         const facet_j3d_animation_format *format, uint32_t s)
{
    const facet_j3d_animation_set *set = &document->sets[s];
    if (set->count == 0)
        return;
    facet_tree *object = facet_tree_object(arena, tree, entries_of(document->kind, s));
    facet_tree_integer(arena, object, "count", set->count);
    describe_tracks(arena, object, format, set);
    if (!set->names.items)
        return;
    facet_tree *list = facet_tree_array(arena, object, "entries");
    for (uint32_t i = 0; i < set->count && i < MAX_ENTRIES; i++)
        describe_entry(arena, list, document, s, i);
}

static void describe(facet_arena *arena, facet_tree *tree, const facet_j3d_animation *document)
{
    static const char *const loops[] = {"once", "once and reset", "repeat", "there and back once",
                                        "there and back"};
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    facet_tree_string(arena, tree, "kind", format->name);
    facet_tree_integer(arena, tree, "frames", document->frames);
    if (document->loop < sizeof loops / sizeof *loops)
        facet_tree_string(arena, tree, "loop", loops[document->loop]);
    else
        facet_tree_integer(arena, tree, "loop", document->loop);
    if (format->has_keys && format->tracks == 9)
        facet_tree_integer(arena, tree, "rotation_shift", document->rotation_shift);
    if (document->kind == FACET_J3D_BTK)
        facet_tree_string(arena, tree, "convention", document->convention == 1 ? "maya" : "basic");
    for (uint32_t s = 0; s < format->sets; s++)
        describe_set(arena, tree, document, format, s);
    if (document->sounds)
        facet_tree_integer(arena, tree, "sounds", document->sound_count);
}

facet_status facet_j3d_animation_fill_description(const facet_source *source,
                                                  const facet_options *options,
                                                  facet_description *description,
                                                  facet_error *error)
{
    facet_j3d_animation *document = NULL;
    TRY(facet_j3d_animation_read(source, options, &document, error));
    facet_status status = FACET_OK;
    description->animations = 1;
    if (document->kind == FACET_J3D_BCK || document->kind == FACET_J3D_BCA)
        description->joints = document->sets[0].count;
    describe(description->arena, description->detail, document);
    facet_j3d_animation_free(document);
    return status;
}
