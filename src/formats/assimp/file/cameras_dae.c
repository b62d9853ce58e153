/* formats/assimp/file/cameras_dae.c - fields of view and sizes of a COLLADA's cameras. */
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
    bool is_parallel;          /* an <orthographic> is open */
    facet_xml_part parallel;   /* the name of its tag */
    double size[2], ratio;     /* its <xmag>, <ymag> and <aspect_ratio>; 0: none */
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

/* Replace an angle or ratio that assimp would read as a negative field of view. */
static bool clear_invalid(setter *s, facet_xml_part content)
{
    const double limit = 179.9;
    facet_xml_part word = facet_xml_next_word(&content);
    double value = 0;
    if (word.size == 0)
        return true;
    bool is_number = facet_number_parse_double(word.at, word.at + word.size, &value) != NULL;
    if (*word.at != '-' && !(is_number && value > limit))
        return true;
    return facet_dae_add_edit(&s->edits, word, (facet_xml_part){(const uint8_t *)"0", 1});
}

/* A positive number; 0 if it is not one. */
static double read_size(facet_xml_part content)
{
    facet_xml_part word = facet_xml_next_word(&content);
    double value;
    return facet_number_parse_double(word.at, word.at + word.size, &value) == word.at + word.size &&
                   value > 0 && isfinite(value)
               ? value
               : 0;
}

/* Write an orthographic camera as a perspective one with a negative angle: assimp has no other.
 * Without both sizes, the view is a square. */
static bool end_parallel(setter *s, const facet_xml_tag *t)
{
    const facet_xml_part perspective = {(const uint8_t *)"perspective", 11};
    double ratio = s->ratio > 0 ? s->ratio : 1;
    double width = s->size[0] > 0 ? s->size[0] : s->size[1] * ratio;
    double height = s->size[1] > 0 ? s->size[1] : s->size[0] / ratio;
    s->is_parallel = false;
    if (!(width > 0) || !(height > 0) || !isfinite(width) || !isfinite(height))
        return true; /* facet_assimp_scan_dae reports it */
    char *made = facet_arena_format(
        s->edits.arena, "<xfov>-%.9g</xfov><aspect_ratio>%.9g</aspect_ratio>", height, width);
    return made &&
           facet_dae_add_edit(&s->edits, (facet_xml_part){t->begin, 0},
                              (facet_xml_part){(uint8_t *)made, strlen(made)}) &&
           facet_dae_add_edit(&s->edits, s->parallel, perspective) &&
           facet_dae_add_edit(&s->edits, t->name, perspective);
}

static bool note_parallel(setter *s, const facet_xml_tag *t)
{
    if (facet_xml_is(t->name, "orthographic")) {
        if (t->closes && s->is_parallel)
            return end_parallel(s, t);
        s->is_parallel = !t->closes && !t->is_empty;
        s->parallel = t->name;
        s->size[0] = s->size[1] = s->ratio = 0;
    } else if (s->is_parallel && !t->closes) {
        if (facet_xml_is(t->name, "xmag"))
            s->size[0] = read_size(t->content);
        else if (facet_xml_is(t->name, "ymag"))
            s->size[1] = read_size(t->content);
        else if (facet_xml_is(t->name, "aspect_ratio"))
            s->ratio = read_size(t->content);
    }
    return true;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    setter *s = user;
    if (!note_parallel(s, t))
        return false;
    bool is_angle = facet_xml_is(t->name, "xfov") || facet_xml_is(t->name, "yfov") ||
                    facet_xml_is(t->name, "aspect_ratio");
    if (s->is_open && is_angle && !t->closes && !clear_invalid(s, t->content))
        return false;
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
