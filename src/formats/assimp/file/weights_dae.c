/* formats/assimp/file/weights_dae.c - bind shapes of a COLLADA, and their weights. */
#include "formats/assimp/file/weights_dae.h"

#include <stdio.h>
#include <string.h>

/* A count of weights; 0 if it is not a number of up to nine digits. */
static uint32_t read_count(facet_xml_part word)
{
    uint32_t count = 0;
    for (size_t i = 0; i < word.size && word.size <= 9; i++) {
        if (word.at[i] < '0' || word.at[i] > '9')
            return 0;
        count = count * 10 + (word.at[i] - (uint32_t)'0');
    }
    return count;
}

static void append(facet_xml_part *to, uint8_t *data, facet_xml_part word)
{
    memcpy(data + to->size, word.at, word.size);
    data[to->size + word.size] = ' ';
    to->size += word.size + 1;
}

/* Add the default of a <bind_shape_matrix>, which assimp reads as zeros if the element is missing.
 * It is the first element of a <skin>. */
static bool add_bind_shape(facet_dae_weights *weights, facet_dae_edits *edits, facet_xml_part name,
                           facet_xml_part parent)
{
    static const char matrix[] =
        "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>";
    bool is_first = weights->begins_skin;
    weights->begins_skin = facet_xml_is(name, "skin");
    return !is_first || !facet_xml_is(parent, "skin") || facet_xml_is(name, "bind_shape_matrix") ||
           facet_dae_add_edit(edits, (facet_xml_part){name.at - 1, 0},
                              (facet_xml_part){(const uint8_t *)matrix, sizeof matrix - 1});
}

bool facet_dae_note_weights(facet_dae_weights *weights, facet_dae_edits *edits, facet_xml_part name,
                            facet_xml_part parent, facet_xml_part content, bool *removed)
{
    *removed = false;
    if (!add_bind_shape(weights, edits, name, parent))
        return false;
    if (!facet_xml_is(parent, "vertex_weights"))
        return true;
    if (facet_xml_is(name, "vcount"))
        weights->counts = content;
    if (!facet_xml_is(name, "v") || weights->counts.size == 0 ||
        !memchr(content.at, '-', content.size))
        return true;
    /* Neither text becomes longer, except by blanks after the last word or pair. */
    facet_xml_part counts = weights->counts, rest = content, joint;
    uint8_t *new_counts = facet_arena_allocate(edits->arena, counts.size + 2, 1);
    uint8_t *new_pairs = facet_arena_allocate(edits->arena, content.size + 2, 1);
    facet_xml_part made_counts = {new_counts, 0}, made_pairs = {new_pairs, 0};
    if (!new_counts || !new_pairs)
        return false;
    for (facet_xml_part word = facet_xml_next_word(&counts); word.size > 0;
         word = facet_xml_next_word(&counts)) {
        uint32_t count = read_count(word), left = 0;
        for (uint32_t i = 0; i < count && (joint = facet_xml_next_word(&rest)).size > 0; i++) {
            facet_xml_part weight = facet_xml_next_word(&rest);
            if (*joint.at == '-')
                continue;
            append(&made_pairs, new_pairs, joint);
            append(&made_pairs, new_pairs, weight);
            left++;
        }
        char digits[16];
        int size = snprintf(digits, sizeof digits, "%u", left);
        append(&made_counts, new_counts, (facet_xml_part){(uint8_t *)digits, (size_t)size});
    }
    *removed = true;
    return facet_dae_add_edit(edits, weights->counts, made_counts) &&
           facet_dae_add_edit(edits, content, made_pairs);
}
