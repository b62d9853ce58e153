/* convert/compare.h - functions shared by the files of compare. */
#ifndef FACET_CONVERT_COMPARE_H
#define FACET_CONVERT_COMPARE_H

#include "mesh/surface.h"

#include <facet/compare.h>
#include <facet/pose.h>

typedef struct facet_comparing {
    unsigned ignore;
    double tolerance; /* maximum distance of equal points */
    double scale;     /* factor from numbers of b to numbers of a */
    const facet_options *options;
    facet_report *report;
    facet_arena *arena;
    const uint32_t *image_pairs; /* per image of a: index of its partner in b, or FACET_NONE */
    /* Numbers of the materials of a and b: equal for partners. Set by facet_compare_materials. */
    uint32_t *materials[2];
} facet_comparing;

/* Maximum number of detailed findings of one kind; others are only counted. */
enum { FACET_COMPARE_DETAILS = 20 };
/* Differences of weights of morph targets up to this are equal. */
#define FACET_COMPARE_WEIGHT 1e-4F

/* Report a difference: an error, or a note if its part is ignored. */
void facet_compare_add(const facet_comparing *c, facet_compare_part part, const char *rule,
                       uint64_t offset, const char *format, ...) FACET_PRINTF(5, 6);

/* Report data that cannot be compared: a warning, or a note if its part is ignored. */
void facet_compare_add_absent(const facet_comparing *c, facet_compare_part part, const char *rule,
                              const char *format, ...) FACET_PRINTF(4, 5);
/* Add findings of the rules of a format that name data which its reader leaves out. */
facet_status facet_compare_check_unread(const facet_source *source, const facet_format *format,
                                        const facet_options *options, facet_report *report,
                                        facet_error *error);
/* Report the warnings of the readers of both files, and notes of data that is left out, as data
 * that cannot be compared. If both files are of one family, one that only one of them has is a
 * difference. Linear. */
facet_status facet_compare_unread(const facet_comparing *c, const facet_report *a,
                                  const facet_report *b, bool of_one_family, facet_error *error);

/* Pair the items of two lists by name, in order if a name repeats. pairs[i] is the item of b. It is
 * FACET_NONE without a partner, and for items without a name. Items without a partner are reported
 * as a difference of names of this `kind` ("materials"). Linear. */
facet_status facet_compare_names(const facet_comparing *c, const char *kind, const char **a,
                                 uint32_t a_count, const char **b, uint32_t b_count,
                                 uint32_t *pairs, facet_error *error);

/* Pair the remaining items of equal content (a hash per item). Linear. */
facet_status facet_compare_pair_contents(const facet_comparing *c, const uint64_t *a,
                                         uint32_t a_count, const uint64_t *b, uint32_t b_count,
                                         uint32_t *pairs, facet_error *error);
/* Pair the remaining items: first by content (a hash per item; NULL: unknown), then by order.
 * Linear. */
facet_status facet_compare_pair_rest(const facet_comparing *c, const uint64_t *a, uint32_t a_count,
                                     const uint64_t *b, uint32_t b_count, uint32_t *pairs,
                                     facet_error *error);

/* Hash of the content of an item, without its name. */
typedef uint64_t (*facet_content_of)(const void *item);
/* Pair the items of two arrays of pointers: by the name at `offset` of each item, by content (NULL:
 * not), or by order. */
facet_status facet_compare_pair(const facet_comparing *c, const char *kind, const void *a,
                                uint32_t a_count, const void *b, uint32_t b_count, size_t offset,
                                facet_content_of content, uint32_t **pairs, facet_error *error);

/* A member of a struct: `count` floats. */
typedef struct facet_compare_number {
    const char *name;
    size_t offset;
    int count;
} facet_compare_number;
/* True, with a description in `text`, if a number of two structs differs. */
bool facet_compare_numbers(const facet_compare_number *table, size_t rows, const void *a,
                           const void *b, char *text, size_t space);
/* True if two texts differ; NULL is "". */
bool facet_compare_texts_differ(const char *a, const char *b);

/* Compare counts, materials, nodes and animations of two scenes. */
facet_status facet_compare_structure(facet_comparing *c, const facet_scene *a, const facet_scene *b,
                                     double diagonal, facet_error *error);
/* Compare materials, and number them: c->materials. */
facet_status facet_compare_materials(facet_comparing *c, const facet_scene *a, const facet_scene *b,
                                     facet_error *error);

/* Nodes of two scenes whose transforms are compared. */
typedef struct facet_compared_nodes {
    const facet_scene *a, *b;
    const uint32_t *pairs; /* pairs of nodes */
    double arm;            /* length of the axes that are compared at a node */
    bool turned;           /* the frames differ, so only origins are compared */
} facet_compared_nodes;
/* Pairs of meshes, and hashes of their faces with all attributes, in mesh space. */
typedef struct facet_mesh_pairs {
    uint32_t *pairs;
    uint64_t *contents[2];
} facet_mesh_pairs;
/* Pair and compare meshes, except for their surfaces. Linear. */
facet_status facet_compare_meshes(const facet_comparing *c, const facet_scene *a,
                                  const facet_scene *b, const uint32_t *node_pairs,
                                  facet_mesh_pairs *m, facet_error *error);
/* The first difference of the meshes that two nodes show, or NULL. */
const char *facet_compare_shown_mesh(const facet_compared_nodes *p, const facet_mesh_pairs *m,
                                     const facet_node *x, const facet_node *y);
/* Pair and compare skins: joints and inverse bind matrices. Linear. */
facet_status facet_compare_skins(const facet_comparing *c, const facet_compared_nodes *p,
                                 uint32_t **pairs, facet_error *error);
facet_status facet_compare_rest(const facet_comparing *c, const facet_compared_nodes *p,
                                facet_error *error);
/* Sort times, drop duplicates, and add the middles between neighbors. `times` has space for twice
 * the count. Returns the new count. */
uint32_t facet_compare_merge_times(double *times, uint32_t count);
/* Compare the channels that move no node. */
facet_status facet_compare_channels(const facet_comparing *c, const facet_compared_nodes *p,
                                    const facet_animation *a, const facet_animation *b,
                                    facet_error *error);
/* Compare the surfaces at some times of the paired animations. Linear, for a limited number of
 * times. */
facet_status facet_compare_posed(const facet_comparing *c, const facet_compared_nodes *p,
                                 const uint32_t *pairs, facet_error *error);
facet_status facet_compare_animations(const facet_comparing *c, const facet_compared_nodes *p,
                                      facet_error *error);
/* Bytes of an element of a stream. */
size_t facet_compare_element_size(const facet_stream *stream);
/* Compare morph targets and custom attributes, to the bit. Linear. */
facet_status facet_compare_bits(const facet_comparing *c, const facet_scene *a,
                                const facet_scene *b, facet_error *error);
/* Compare which attributes two scenes have, before they are flattened. */
void facet_compare_presence(const facet_comparing *c, const facet_scene *a, const facet_scene *b);
/* Compare hulls and occluders. Linear. */
facet_status facet_compare_collision(const facet_comparing *c, const facet_scene *a,
                                     const facet_scene *b, facet_error *error);
/* Number the objects and groups of the triangles of two surfaces: facet_surface.parts. Linear. */
facet_status facet_compare_number_parts(const facet_comparing *c, facet_surface *a,
                                        facet_surface *b, facet_error *error);
/* Compare the smoothing groups of two scenes of triangles by their sizes. Linear. */
facet_status facet_compare_smoothing(const facet_comparing *c, const facet_scene *a,
                                     const facet_scene *b, facet_error *error);
/* Compare the lines and points of two flat scenes. Linear. */
void facet_compare_ends(const facet_comparing *c, const facet_scene *a, const facet_scene *b);
/* Load a scene with its image files. Warnings of reading, except those about image files, are added
 * to `options->report`. Textures whose image is missing keep its name as `path`. */
facet_status facet_compare_load(const facet_source *source, const facet_format *format,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error);
/* Compare the files that two sources of equal bytes name. *same is false if one differs or only one
 * exists; notes name it. Files that neither has are reported as not compared. Linear in the
 * bytes. */
facet_status facet_compare_siblings(const facet_comparing *c, const facet_source *a,
                                    const facet_source *b, const facet_format *format, bool *same,
                                    facet_error *error);
/* Pair the images for comparison: c->image_pairs. Names without a partner are reported. */
facet_status facet_compare_pair_images(facet_comparing *c, const facet_scene *a,
                                       const facet_scene *b, facet_error *error);
/* A name without extension and without folders, including those of Windows. NULL: no memory. */
const char *facet_compare_image_stem(facet_arena *arena, const char *name);
/* Compare the paired images, which are decoded. */
facet_status facet_compare_images(const facet_comparing *c, facet_scene *a, facet_scene *b,
                                  facet_error *error);
/* Compare the described fields of two files of one family. */
facet_status facet_compare_fields(const facet_comparing *c, const facet_source *a,
                                  const facet_format *format_a, const facet_source *b,
                                  const facet_format *format_b, facet_error *error);

#endif
