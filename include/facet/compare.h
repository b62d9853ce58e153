/* facet/compare.h - comparison of two files: bytes, structure, surface, images, and, for two files
 * of one family, the fields of their documents.
 *
 * Stability: experimental. */
#ifndef FACET_COMPARE_H
#define FACET_COMPARE_H

#include <facet/format.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of a comparison. A difference in an ignored part becomes a note. */
typedef enum facet_compare_part {
    FACET_COMPARE_POSITIONS = 1 << 0,
    FACET_COMPARE_NORMALS = 1 << 1,
    FACET_COMPARE_TANGENTS = 1 << 2,
    FACET_COMPARE_TEXCOORDS = 1 << 3,
    FACET_COMPARE_COLORS = 1 << 4,
    FACET_COMPARE_WEIGHTS = 1 << 5,   /* of joints, matched by name; joints and inverse bind
                                         matrices of skins */
    FACET_COMPARE_COUNTS = 1 << 6,    /* numbers of meshes, triangles and others */
    FACET_COMPARE_NAMES = 1 << 7,     /* of materials, meshes, nodes, images, animations, and of
                                         the objects and groups of faces */
    FACET_COMPARE_MATERIALS = 1 << 8, /* values of materials with the same name */
    FACET_COMPARE_NODES = 1 << 9,     /* parents, transforms, meshes, skins, cameras and lights
                                         of nodes with the same name; invisible meshes */
    FACET_COMPARE_ANIMATIONS = 1 << 10,
    FACET_COMPARE_IMAGES = 1 << 11,
    FACET_COMPARE_DOCUMENT = 1 << 12 /* fields of two files of one family */
} facet_compare_part;

/* Name of one bit, such as "positions"; NULL if unknown. */
FACET_EXPERIMENTAL_API const char *facet_compare_part_name(facet_compare_part part);

typedef struct facet_compare_options {
    uint32_t struct_size; /* sizeof(facet_compare_options) */
    unsigned ignore;      /* facet_compare_part bits whose differences become notes */
    double tolerance;     /* distances up to this are equal, in units of the first scene; 0: a
                             millionth of the diagonal of its box; finite, not negative */
    uint32_t samples;     /* sample points on each surface, up to 10 million; 0: 20,000 */
} facet_compare_options;

/* Distance of one surface from the other, in units of the first scene. */
typedef struct facet_distance {
    uint64_t samples;
    double greatest;       /* largest distance found; a lower bound of the true one */
    double greatest_bound; /* upper bound: no point of the surface is farther. Proven, except for
                              rounding of doubles */
    double mean, rms;      /* over samples, which are distributed evenly by area */
    double median, percentile90, percentile99;
} facet_distance;

/* Differences of an attribute, between samples of the first surface and the nearest points of the
 * second. */
typedef struct facet_deviation {
    uint64_t samples;      /* number of samples where both surfaces have the attribute */
    uint64_t beyond;       /* number of samples that differ by more than `allowed` */
    double allowed;        /* differences up to this are equal */
    double mean, greatest; /* normals and tangents: degrees; texture coordinates and colors:
                              length of the difference; weights: the share that belongs to other
                              joints */
} facet_deviation;

typedef struct facet_comparison {
    bool same_bytes;     /* the sources are byte-identical as given, and so are the siblings
                            that they name and that can be opened */
    bool same_triangles; /* bit for bit the same, in any order of triangles and vertices; also true
                            for the same bytes */
    bool has_surfaces;   /* both scenes have triangles; the following members are set. False for
                            the same bytes, which are not read */
    double diagonal;     /* of the box of the first scene, in its units */
    facet_distance forward; /* from the first surface to the second */
    facet_distance backward;
    facet_deviation normals, tangents, texcoords, colors, weights;
} facet_comparison;

/* Compare two scenes. Each difference becomes a finding COMPARE-* of `report`: an error, or a note
 * if it is ignored. `a` and `b` are changed: their nodes are removed and their faces triangulated.
 * First, both are converted to the same axes, handedness, origin of v and, if known, unit. Skins
 * and morph targets are at rest; in animations, the surfaces are compared at four times, as long as
 * that takes about linear time. A change of any member of the scene that has a meaning is reported,
 * as different or as not compared. Two scenes are equal if the report has
 * neither errors nor warnings: a warning names data that cannot be compared.
 *
 * Positions are compared by the largest distance found, at the corners of all triangles and at
 * samples. An upper bound is proven as well: triangles are subdivided, a bounded number of times,
 * where the bound is not close to that distance. Attributes differ if more than one sample in a
 * thousand differs: at edges and seams the nearest point may be on the other side.
 *
 * compare and comparison may be NULL. Almost linear in triangles and samples for surfaces. Results
 * do not depend on the number of threads. Errors: FACET_ERROR_ARGUMENT for options out of range,
 * FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_compare_scenes(facet_scene *a, facet_scene *b,
                                                         const facet_compare_options *compare,
                                                         const facet_options *options,
                                                         facet_report *report,
                                                         facet_comparison *comparison,
                                                         facet_error *error);

/* Compare two files (formats NULL: detected by content). The bytes are compared first, and if they
 * are equal, those of the siblings that the files name. If any differ, the scenes are compared as
 * in facet_compare_scenes. Equal files that name a sibling that neither has get a warning
 * COMPARE-UNREAD. If both files are of one family, the
 * fields that facet_describe returns and the parts that facet_extract returns are compared as well,
 * and each difference is reported with its location. Warnings of the readers, for example about
 * data that a scene cannot hold, become findings COMPARE-UNREAD. For files without scene (archives,
 * animations), only fields are compared. */
FACET_EXPERIMENTAL_API facet_status
facet_compare(const facet_source *a, const facet_format *format_a, const facet_source *b,
              const facet_format *format_b, const facet_compare_options *compare,
              const facet_options *options, facet_report *report, facet_comparison *comparison,
              facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
