/* formats/assimp/file/cameras_dae.c - fields of view of a COLLADA's cameras. */
#include "formats/assimp/file/cameras_dae.h"

#include "base/error.h"
#include "base/numbers.h"
#include "formats/assimp/file/edits_dae.h"

#include <math.h>
#include <string.h>

typedef struct setter {
    facet_dae_edits edits;
    bool is_open, has_aspect;  /* of the current <perspective> */
    facet_xml_part across, up; /* contents of <xfov> and <yfov> */
    facet_xml_part names[2];   /* of the tags of <yfov> */
    const uint8_t *first;      /* the first <perspective> that is reported */
    facet_tally lost;
} setter;

/* Read an angle in degrees. */
static bool read_angle(facet_xml_part content, double *angle)
{
    facet_xml_part word = facet_xml_next_word(&content);
    return facet_number_parse_double(word.at, word.at + word.size, angle) == word.at + word.size &&
           *angle > 0 && *angle < 180;
}

/* Set the ratio of the fields of view: that of the tangents of their halves. */
static bool add_ratio(setter *s, const uint8_t *at)
{
    const double half_degree = 0.008726646259971648;
    double across, up;
    if (!read_angle(s->across, &across) || !read_angle(s->up, &up))
        return true;
    char *made = facet_arena_format(s->edits.arena, "<aspect_ratio>%.9g</aspect_ratio>",
                                    tan(across * half_degree) / tan(up * half_degree));
    return made && facet_dae_add_edit(&s->edits, (facet_xml_part){at, 0},
                                      (facet_xml_part){(uint8_t *)made, strlen(made)});
}

static bool end_camera(setter *s, const facet_xml_tag *t)
{
    const facet_xml_part xfov = {(const uint8_t *)"xfov", 4};
    s->is_open = false;
    if (s->has_aspect)
        return true;
    if (s->across.size > 0 && s->up.size > 0)
        return add_ratio(s, t->begin);
    if (s->across.size > 0) {
        s->first = s->first ? s->first : s->across.at;
        facet_tally_hit(&s->lost, s->lost.count);
    }
    return s->names[1].size == 0 || (facet_dae_add_edit(&s->edits, s->names[0], xfov) &&
                                     facet_dae_add_edit(&s->edits, s->names[1], xfov));
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    setter *s = user;
    if (facet_xml_is(t->name, "perspective")) {
        if (t->closes && s->is_open)
            return end_camera(s, t);
        s->is_open = !t->closes && !t->is_empty;
        s->has_aspect = false;
        s->across.size = s->up.size = s->names[1].size = 0;
    } else if (!s->is_open) {
        return true;
    } else if (facet_xml_is(t->name, "yfov")) {
        s->names[t->closes] = t->name;
        if (!t->closes)
            s->up = t->content;
    } else if (!t->closes && facet_xml_is(t->name, "xfov")) {
        s->across = t->content;
    } else if (facet_xml_is(t->name, "aspect_ratio")) {
        s->has_aspect = true;
    }
    return true;
}

facet_status facet_dae_set_fields_of_view(const uint8_t **data, size_t *size, facet_arena *scratch,
                                          facet_report *report, facet_error *error)
{
    setter s = {.edits.arena = scratch};
    if (!facet_xml_each_tag(*data, *size, note_tag, &s))
        return facet_fail_arena(scratch, error);
    if (s.first)
        facet_report_add_tally_line(report, "LOSS-CAMERA", FACET_SEVERITY_WARNING,
                                    facet_xml_line(*data, s.first), &s.lost,
                                    "the <xfov> of a camera without <yfov> or <aspect_ratio> is "
                                    "read as the vertical field of view");
    return facet_dae_apply(&s.edits, data, size, error);
}
