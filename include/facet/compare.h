/* facet/compare.h - what differs between two files: bytes, structure, surface, images,
 * and for two files of one family the fields of their documents.
 *
 * Stability: experimental. */
#ifndef FACET_COMPARE_H
#define FACET_COMPARE_H

#include <facet/format.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is compared. A difference in a part that is ignored becomes a note. */
typedef enum facet_compare_part {
    FACET_COMPARE_POSITIONS = 1 << 0,
    FACET_COMPARE_NORMALS = 1 << 1,
    FACET_COMPARE_TANGENTS = 1 << 2,
    FACET_COMPARE_TEXCOORDS = 1 << 3,
    FACET_COMPARE_COLORS = 1 << 4,
    FACET_COMPARE_WEIGHTS = 1 << 5,   /* of joints, known by their names */
    FACET_COMPARE_COUNTS = 1 << 6,    /* of meshes, triangles, and so on */
    FACET_COMPARE_NAMES = 1 << 7,     /* of materials, nodes, images, animations */
    FACET_COMPARE_MATERIALS = 1 << 8, /* the values of those with one name */
    FACET_COMPARE_NODES = 1 << 9,     /* parents and places of those with one name */
    FACET_COMPARE_ANIMATIONS = 1 << 10,
    FACET_COMPARE_IMAGES = 1 << 11,
    FACET_COMPARE_DOCUMENT = 1 << 12 /* fields of two files of one family */
} facet_compare_part;

/* "positions", for one bit; NULL for what is none. */
FACET_EXPERIMENTAL_API const char *facet_compare_part_name(facet_compare_part part);

typedef struct facet_compare_options {
    uint32_t struct_size; /* sizeof(facet_compare_options) */
    unsigned ignore;      /* facet_compare_part bits */
    double tolerance;     /* distance that counts as none, in units of the first scene; 0: a
                             millionth of the diagonal of its box; finite, not negative */
    uint32_t samples;     /* points taken of each surface, up to 10 million; 0: 20,000 */
} facet_compare_options;

/* How far one surface is from the other, in units of the first scene. */
typedef struct facet_distance {
    uint64_t samples;
    double greatest;       /* that was found: no less is true */
    double greatest_bound; /* no point of the surface is farther: proven, but for the rounding
                              of doubles */
    double mean, rms;      /* of the samples, which are spread evenly by area */
    double median, percentile90, percentile99;
} facet_distance;

/* How an attribute differs at samples of the first surface and the points of the
 * second that are nearest to them. */
typedef struct facet_deviation {
    uint64_t samples;      /* where both have the attribute */
    uint64_t beyond;       /* samples that differ by more than `allowed` */
    double allowed;        /* what counts as none */
    double mean, greatest; /* normals and tangents: degrees; texture coordinates and colors: the
                              length of the difference; weights: the share that other joints have */
} facet_deviation;

typedef struct facet_comparison {
    bool same_bytes;        /* of the sources as they are given */
    bool same_triangles;    /* to the last bit, whatever their order and that of the vertices */
    bool has_surfaces;      /* both scenes have triangles: what follows is filled in */
    double diagonal;        /* of the box of the first scene, in its units */
    facet_distance forward; /* of the first surface from the second */
    facet_distance backward;
    facet_deviation normals, tangents, texcoords, colors, weights;
} facet_comparison;

/* Compare two scenes. Whatever differs becomes a finding COMPARE-* of `report`: an
 * error, or a note where it is ignored. `a` and `b` are changed: their nodes are taken
 * out and their faces cut into triangles. Axes, hands, origins of v and known units are
 * brought together first; skins and morph targets stand at rest.
 *
 * Two scenes are equal when no error was found. The verdict on positions is by the
 * greatest distance that was found (corners of all triangles, and samples); an upper
 * bound is proven beside it by cutting triangles where it is not close to that
 * (a bounded number of times). Attributes differ when more than one sample in a
 * thousand does: at edges and seams the nearest point may be on the other side.
 *
 * compare and comparison may be NULL. Next to linear in triangles and samples for
 * surfaces; results do not depend on the number of threads. Errors:
 * FACET_ERROR_ARGUMENT for options out of range, FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_compare_scenes(facet_scene *a, facet_scene *b,
                                                         const facet_compare_options *compare,
                                                         const facet_options *options,
                                                         facet_report *report,
                                                         facet_comparison *comparison,
                                                         facet_error *error);

/* Compare two files (formats NULL: by content): their bytes; when these differ their
 * scenes, as above; and when both are of one family the fields that facet_describe and
 * the pieces that facet_extract gives of them, each difference with its place. Files
 * without scene (archives, animations) have fields alone. */
FACET_EXPERIMENTAL_API facet_status
facet_compare(const facet_source *a, const facet_format *format_a, const facet_source *b,
              const facet_format *format_b, const facet_compare_options *compare,
              const facet_options *options, facet_report *report, facet_comparison *comparison,
              facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
