/* formats/obj/reader.h - the state of the OBJ reader. statements.c fills it from statements,
 * to_scene.c converts it to a scene, and reader.c has shared functions. */
#ifndef FACET_OBJ_READER_H
#define FACET_OBJ_READER_H

#include "base/block.h"
#include "formats/obj/obj.h"

enum { FACET_OBJ_POSITION, FACET_OBJ_TEXCOORD, FACET_OBJ_NORMAL, FACET_OBJ_KINDS };

/* Elements of one kind: `width` floats each. */
typedef struct facet_obj_elements {
    float *data;
    uint32_t count, capacity;
    uint32_t width;
} facet_obj_elements;

/* A material, smoothing group or part of the faces from `first_face` on. */
typedef struct facet_obj_run {
    uint32_t first_face;
    uint32_t value;
} facet_obj_run;

typedef struct facet_obj_runs {
    facet_obj_run *items;
    uint32_t count, capacity;
} facet_obj_runs;

/* Ends of lines, or points, as position indices from 0. */
typedef struct facet_obj_ends {
    uint32_t *items;
    uint32_t count, capacity;
    facet_obj_runs materials; /* by number of a line or point instead of a face */
    uint32_t maximum;
    const uint8_t *line; /* line that uses it */
} facet_obj_ends;

/* Counters of findings that are reported once; `first` is a byte offset. */
enum {
    FACET_OBJ_FACE_SMALL,
    FACET_OBJ_EXTRA_NUMBERS,
    FACET_OBJ_WEIGHTS,
    FACET_OBJ_BAD_SMOOTHING,
    FACET_OBJ_LINE_TEXCOORDS,
    FACET_OBJ_CURVES,
    FACET_OBJ_DISPLAY,
    FACET_OBJ_UNKNOWN,
    FACET_OBJ_LATIN_NAMES,
    FACET_OBJ_LINE_NAMES, /* objects and groups with lines or points */
    FACET_OBJ_TALLIES
};

/* Shapes of similar lines; private to shapes.c. */
typedef struct facet_obj_shapes facet_obj_shapes;

typedef struct facet_obj_reader {
    const facet_source *source;
    const facet_options *options;
    facet_error *error;
    facet_report *findings; /* for a check: receives invalid statements; else NULL */
    uint64_t errors;        /* number of errors among the findings */
    const uint8_t *start, *end;
    const uint8_t *counted; /* line numbers are counted up to here: errors mostly come in order */
    uint64_t counted_line;  /* its line number */

    facet_scene *scene;
    facet_arena *arena;   /* arena of the scene */
    facet_arena *scratch; /* freed after reading */

    facet_obj_elements elements[FACET_OBJ_KINDS];
    uint32_t dropped[FACET_OBJ_KINDS]; /* earlier elements, which clustering no longer stores */
    float *colors;                     /* three per position; NULL if no position has a color yet */
    uint32_t colorless;                /* number of positions without a color */
    uint32_t *painted;                 /* colors in comments, in order (painted.c) */
    uint32_t painted_count, painted_capacity;
    float *depths;                           /* third texture coordinates; NULL while all are 0 */
    uint32_t *indices[FACET_OBJ_KINDS];      /* per corner; NULL for texcoords and normals until the
                                              * first      use */
    uint32_t maxima[FACET_OBJ_KINDS];        /* largest index of each kind */
    uint32_t different[FACET_OBJ_KINDS];     /* not 0 if they differ from the position indices */
    bool face_has_texcoord, face_has_normal; /* of the last corner that read.c parsed */
    facet_obj_shapes *shapes;                /* NULL if shapes have no benefit */
    facet_block block;                       /* of the file; one per thread */
    uint32_t corner_count, corner_capacity;
    uint32_t *offsets; /* of faces; NULL while all are triangles */
    uint32_t face_count, face_capacity;

    facet_obj_ends lines, points;
    facet_obj_runs materials, smoothing, parts; /* values of parts are indices of `part_names` */
    facet_part *part_names;
    uint32_t part_name_count, part_name_capacity;
    facet_names strings; /* unique part names */
    const char *object, *group;
    const char *line_object, *line_group; /* of the last line or point; NULL: none */
    facet_obj_materials library;
    facet_text *libraries; /* arguments of mtllib statements */
    uint32_t library_count, library_capacity;
    facet_names libraries_read, libraries_missing;
    uint64_t library_bytes;

    facet_tally tallies[FACET_OBJ_TALLIES];
} facet_obj_reader;

/* Colors in comments (painted.c): test for one; read it; after all lines, give the positions their
 * colors, unless they have others. */
bool facet_obj_is_painted(const uint8_t *at, const uint8_t *end);
facet_status facet_obj_read_painted(facet_obj_reader *r, const uint8_t *line);
facet_status facet_obj_finish_painted(facet_obj_reader *r);

extern const char *const facet_obj_kind_names[FACET_OBJ_KINDS];

/* Number of the line that contains `at`. For calls in the order of the file, all lines are counted
 * once. */
uint64_t facet_obj_line_of(facet_obj_reader *r, const uint8_t *at);
/* Fail with an error at the line that contains `at`. */
facet_status facet_obj_fail(facet_obj_reader *r, facet_status status, const char *rule,
                            const uint8_t *at, const char *format, ...) FACET_PRINTF(5, 6);
facet_status facet_obj_no_memory(facet_obj_reader *r);
/* Resize a block of `arena`; it is unchanged on failure. */
facet_status facet_obj_resize(facet_obj_reader *r, facet_arena *arena, void **block,
                              uint32_t old_count, uint32_t new_count, size_t size);

/* Estimated amounts of a part of the file; the real ones can be larger. */
typedef struct facet_obj_amounts {
    uint32_t elements[FACET_OBJ_KINDS], corners, faces;
} facet_obj_amounts;
facet_obj_amounts facet_obj_estimate(const facet_source *source, const uint8_t *start,
                                     const uint8_t *end);
/* Allocate space for these elements, corners and faces. NULL: for an estimate, which reads only a
 * part of the file. */
facet_status facet_obj_make_space(facet_obj_reader *r, const facet_obj_amounts *amounts);
/* Make space for one more element of a kind, corner, face, or item of a list in the scratch arena.
 * `at` is the statement, for errors. */
facet_status facet_obj_space_for_element(facet_obj_reader *r, int kind, const uint8_t *at);
facet_status facet_obj_space_for_corner(facet_obj_reader *r, const uint8_t *at);
facet_status facet_obj_space_for_face(facet_obj_reader *r, const uint8_t *at);
facet_status facet_obj_space(facet_obj_reader *r, void **items, uint32_t count, uint32_t *capacity,
                             size_t size, const uint8_t *at);

/* The same, but grow the capacity by half. */
facet_status facet_obj_grow_elements(facet_obj_reader *r, int kind, const uint8_t *at);
facet_status facet_obj_grow_corners(facet_obj_reader *r, const uint8_t *at);
facet_status facet_obj_grow_faces(facet_obj_reader *r, const uint8_t *at);

/* Maximum number of elements, corners or faces: FACET_NONE is not an index. */
#define FACET_OBJ_MAX (UINT32_MAX - 1)

/* Bytes before the end at which fast.c stops: the longest line that it parses, and the bytes it
 * reads after the last word. */
#define FACET_OBJ_FAST_MARGIN 512
/* Bytes between two progress calls, and between releases of pages that were read. */
#define FACET_OBJ_STRIDE ((ptrdiff_t)4 << 20)
/* Parse plain lines from `at` to `limit`, which is at least the margin before the end. Returns the
 * first line that is not plain, or that begins at or after `limit`. */
const uint8_t *facet_obj_run_fast(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit);

/* The same, but copy the file block by block if that is faster. */
const uint8_t *facet_obj_run_plain(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit);
/* Create the reader's block in the scratch arena. */
void facet_obj_make_block(facet_obj_reader *r);

/* statements.c: in a check, an error in a statement becomes a finding, and reading continues. This
 * is the maximum number of separate findings; the rest are only counted. */
#define FACET_OBJ_SINGLE_ERRORS 100
facet_status facet_obj_report_error(facet_obj_reader *r, facet_status status);
/* Start the indices of texcoords or normals (earlier corners have none), or the offsets of faces
 * (earlier faces are triangles). */
facet_status facet_obj_begin_indices(facet_obj_reader *r, int kind);
facet_status facet_obj_begin_offsets(facet_obj_reader *r);
/* Run the statement at `line`; *next becomes the line after it. */
facet_status facet_obj_run_statement(facet_obj_reader *r, const uint8_t *line,
                                     const uint8_t **next);
/* Run lines from *at for FACET_OBJ_STRIDE bytes, or to `end`, which is a line start. *at becomes
 * the next line. */
facet_status facet_obj_run_stretch(facet_obj_reader *r, const uint8_t **at, const uint8_t *end);
/* Run all lines from `at` to `end`, which is a line start. */
facet_status facet_obj_run_lines(facet_obj_reader *r, const uint8_t *at, const uint8_t *end);

/* parallel.c: read from *at on several threads, and set *at to where reading continues. Makes space
 * first. Reads nothing if threads have no benefit, or memory is short. */
facet_status facet_obj_run_pieces(facet_obj_reader *r, const uint8_t **at);

/* to_scene.c: after all statements, report findings, and finish the scene if all is valid. */
facet_status facet_obj_to_scene(facet_obj_reader *r, const facet_load_options *load);
/* to_scene.c: report the tallies; read the material libraries. */
void facet_obj_say_tallies(facet_obj_reader *r);
facet_status facet_obj_finish_materials(facet_obj_reader *r);

/* read.c: create a reader, and let `read` read all lines into its scene. */
typedef facet_status (*facet_obj_scene_reader)(facet_obj_reader *r, const facet_load_options *load);
facet_status facet_obj_read_with(facet_obj_scene_reader read, const facet_source *source,
                                 const facet_load_options *load, const facet_options *options,
                                 facet_report *findings, facet_scene **scene, facet_error *error);

#endif
