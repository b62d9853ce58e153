/* convert/compare.h - what the files of compare share. */
#ifndef FACET_CONVERT_COMPARE_H
#define FACET_CONVERT_COMPARE_H

#include <facet/compare.h>

typedef struct facet_comparing {
    unsigned ignore;
    double tolerance; /* distance */
    double scale;     /* of numbers of b, to those of a */
    const facet_options *options;
    facet_report *report;
    facet_arena *arena;
    const uint32_t *image_pairs; /* per image of a: that of b, or FACET_NONE */
} facet_comparing;

/* Report a difference: an error, or a note where its part is ignored. */
void facet_compare_add(const facet_comparing *c, facet_compare_part part, const char *rule,
                       uint64_t offset, const char *format, ...) FACET_PRINTF(5, 6);

/* Pair the items of two lists by name, of equal names the first with the first:
 * pairs[i] is the item of b, or FACET_NONE, as for all without a name. Linear. What has no
 * partner is reported as a difference of names of this `kind` ("materials"). */
facet_status facet_compare_names(const facet_comparing *c, const char *kind, const char **a,
                                 uint32_t a_count, const char **b, uint32_t b_count,
                                 uint32_t *pairs, facet_error *error);

/* Pair those that are left: by what they contain (a hash of each; NULL where there is none
 * to go by), then by their order. Linear. */
facet_status facet_compare_pair_rest(const facet_comparing *c, const uint64_t *a, uint32_t a_count,
                                     const uint64_t *b, uint32_t b_count, uint32_t *pairs,
                                     facet_error *error);

/* Counts, materials, nodes and animations of two scenes. */
facet_status facet_compare_structure(const facet_comparing *c, const facet_scene *a,
                                     const facet_scene *b, double diagonal, facet_error *error);
/* Their lines and points, when both scenes are flat. Linear. */
void facet_compare_ends(const facet_comparing *c, const facet_scene *a, const facet_scene *b);
/* Which images are to be compared: c->image_pairs. Names without a partner are reported. */
facet_status facet_compare_pair_images(facet_comparing *c, const facet_scene *a,
                                       const facet_scene *b, facet_error *error);
/* Those images, which are decoded. */
facet_status facet_compare_images(const facet_comparing *c, facet_scene *a, facet_scene *b,
                                  facet_error *error);
/* What is told of two files of one family, field by field. */
facet_status facet_compare_fields(const facet_comparing *c, const facet_source *a,
                                  const facet_format *format_a, const facet_source *b,
                                  const facet_format *format_b, facet_error *error);

#endif
