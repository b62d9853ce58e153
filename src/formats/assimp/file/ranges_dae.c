/* formats/assimp/file/ranges_dae.c - indices of joints and weights in a COLLADA. */
#include "formats/assimp/file/ranges_dae.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/assimp/file/sets_dae.h"

#include <inttypes.h>

void facet_dae_begin_ranges(facet_dae_ranges *ranges, facet_arena *arena)
{
    *ranges = (facet_dae_ranges){.arena = arena, .source = FACET_NONE};
    ranges->sources = facet_names_make(arena);
}

/* -- Elements ----------------------------------------------------------- */

static bool note_source(facet_dae_ranges *ranges, facet_xml_part tag)
{
    facet_xml_part id = facet_xml_attribute(tag, "id");
    uint32_t known = ranges->sources.count;
    ranges->source = FACET_NONE;
    if (id.size == 0)
        return true;
    uint32_t number = facet_names_put(&ranges->sources, (const char *)id.at, id.size);
    if (number == UINT32_MAX || (number == known && !FACET_GROW(ranges->arena, ranges->counts,
                                                                number, ranges->count_capacity)))
        return false;
    if (number == known)
        ranges->counts[number] = UINT32_MAX;
    ranges->source = number;
    return true;
}

static void note_input(facet_dae_ranges *ranges, bool of_weights, facet_xml_part tag)
{
    facet_xml_part source = facet_xml_attribute(tag, "source");
    facet_xml_part semantic = facet_xml_attribute(tag, "semantic");
    if (ranges->skin_count == 0 || source.size < 2)
        return;
    facet_xml_part id = {source.at + 1, source.size - 1};
    facet_dae_skin *skin = &ranges->skins[ranges->skin_count - 1];
    if (!of_weights && facet_xml_is(semantic, "JOINT"))
        skin->joints = id;
    if (of_weights && facet_xml_is(semantic, "WEIGHT"))
        skin->weights = id;
}

bool facet_dae_note_range(facet_dae_ranges *ranges, facet_xml_part name, facet_xml_part parent,
                          facet_xml_part tag, facet_xml_part content, uint64_t line)
{
    bool of_weights = facet_xml_is(parent, "vertex_weights");
    if (facet_xml_is(name, "source"))
        return note_source(ranges, tag);
    if (facet_xml_is(name, "accessor") && ranges->source != FACET_NONE) {
        uint32_t count = facet_dae_first_number(facet_xml_attribute(tag, "count"));
        if (count < ranges->counts[ranges->source])
            ranges->counts[ranges->source] = count;
    }
    if (facet_xml_is(name, "input") && (of_weights || facet_xml_is(parent, "joints")))
        note_input(ranges, of_weights, tag);
    if (facet_xml_is(name, "v") && of_weights && ranges->skin_count > 0) {
        ranges->skins[ranges->skin_count - 1].pairs = content;
        ranges->skins[ranges->skin_count - 1].line = line;
    }
    if (!facet_xml_is(name, "skin"))
        return true;
    if (!FACET_GROW(ranges->arena, ranges->skins, ranges->skin_count, ranges->skin_capacity))
        return false;
    ranges->skins[ranges->skin_count++] = (facet_dae_skin){0};
    return true;
}

/* -- The check ---------------------------------------------------------- */

/* Elements of a source. Without a source or an accessor, assimp refuses the file. */
static uint32_t count_of(const facet_dae_ranges *ranges, facet_xml_part id)
{
    uint32_t number = facet_names_find(&ranges->sources, (const char *)id.at, id.size);
    return number == UINT32_MAX ? UINT32_MAX : ranges->counts[number];
}

facet_status facet_dae_check_ranges(const facet_dae_ranges *ranges, facet_error *error)
{
    for (uint32_t i = 0; i < ranges->skin_count; i++) {
        const facet_dae_skin *skin = &ranges->skins[i];
        uint32_t joints = count_of(ranges, skin->joints), weights = count_of(ranges, skin->weights);
        facet_xml_part rest = skin->pairs, joint;
        while ((joint = facet_xml_next_word(&rest)).size > 0) {
            facet_xml_part weight = facet_xml_next_word(&rest);
            if (*joint.at == '-') /* the bind shape: left out */
                continue;
            uint32_t j = facet_dae_first_number(joint), w = facet_dae_first_number(weight);
            if (j >= joints || w >= weights)
                return facet_fail_line(error, FACET_ERROR_MALFORMED, "ASSIMP", skin->line,
                                       "<v> has the joint %" PRIu32 " of %" PRIu32
                                       " and the weight %" PRIu32 " of %" PRIu32,
                                       j, joints, w, weights);
        }
    }
    return FACET_OK;
}
