/* formats/obj/corners.c - face corners as in the file, and a second pass over faces to find the
 * line of one. */
#include "formats/obj/reader.h"

#include <string.h>

/* -- Corners ------------------------------------------------------------ */

const uint8_t *facet_obj_parse_index(const uint8_t *at, const uint8_t *end, int64_t *index)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const uint8_t *digits = at;
    int64_t value = 0;
    for (; at < end && (uint8_t)(*at - '0') <= 9; at++) {
        if (value < INT64_C(1000000000000000))
            value = value * 10 + (*at - '0');
    }
    *index = negative ? -value : value;
    return at > digits ? at : NULL;
}

static const uint8_t *parse_corner_index(const uint8_t *at, const uint8_t *end, int64_t *index)
{
    at = facet_obj_parse_index(at, end, index);
    if (*index == 0)
        *index = FACET_OBJ_ZERO;
    return at;
}

const uint8_t *facet_obj_parse_corner(const uint8_t *at, const uint8_t *end,
                                      facet_obj_corner *corner)
{
    memset(corner, 0, sizeof *corner);
    at = parse_corner_index(at, end, &corner->index[FACET_OBJ_POSITION]);
    for (int kind = FACET_OBJ_TEXCOORD; kind <= FACET_OBJ_NORMAL && at && at < end && *at == '/';
         kind++) {
        at++;
        /* Some programs write "7/" and "7//" for missing indices, in addition to "7//9". */
        if (at < end && *at != '/' && !facet_text_is_blank(*at) && !facet_text_is_newline(*at))
            at = parse_corner_index(at, end, &corner->index[kind]);
    }
    bool ends = at && (at == end || facet_text_is_blank(*at) || facet_text_is_newline(*at) ||
                       facet_text_continuation(at, end));
    return ends ? at : NULL;
}

/* -- Second pass over faces -------------------------------------------- */

bool facet_obj_next_face(facet_obj_faces *faces)
{
    while (faces->next < faces->end) {
        const uint8_t *at = facet_text_skip_blanks(faces->next, faces->end);
        facet_text word = facet_text_word(at, faces->end);
        faces->next = facet_text_next_line(at, faces->end);
        if (facet_text_is(word, "f") || facet_text_is(word, "fo")) {
            faces->statement = word.at;
            faces->corners = word.end;
            return true;
        }
    }
    return false;
}

const uint8_t *facet_obj_next_corner(const uint8_t *at, const uint8_t *end,
                                     facet_obj_corner *corner)
{
    at = facet_text_skip_blanks(at, end);
    return facet_text_at_end(at, end) ? NULL : facet_obj_parse_corner(at, end, corner);
}

uint64_t facet_obj_line_of_face(const facet_source *source, uint32_t face)
{
    facet_obj_faces faces = {source->data, facet_text_end(source), NULL, NULL};
    while (facet_obj_next_face(&faces)) {
        uint32_t count = 0;
        facet_obj_corner corner;
        for (const uint8_t *at = faces.corners;
             (at = facet_obj_next_corner(at, faces.end, &corner)) != NULL;)
            count++;
        if (count >= 3 && face-- == 0)
            return facet_text_line_number(source->data, faces.statement);
    }
    return 0;
}
