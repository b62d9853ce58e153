/* formats/obj/reader.h - what is known while an OBJ is read. statements.c fills it in from
 * the statements, to_scene.c makes a scene of it; reader.c has what both use. */
#ifndef FACET_OBJ_READER_H
#define FACET_OBJ_READER_H

#include "base/block.h"
#include "formats/obj/obj.h"

enum { FACET_OBJ_POSITION, FACET_OBJ_TEXCOORD, FACET_OBJ_NORMAL, FACET_OBJ_KINDS };

/* Elements of one kind: floats, `width` to each. */
typedef struct facet_obj_elements {
    float *data;
    uint32_t count, capacity;
    uint32_t width;
} facet_obj_elements;

/* From `first_face` on, faces have this material or smoothing group. */
typedef struct facet_obj_run {
    uint32_t first_face;
    uint32_t value;
} facet_obj_run;

typedef struct facet_obj_runs {
    facet_obj_run *items;
    uint32_t count, capacity;
} facet_obj_runs;

/* Ends of lines, or points: positions, from 0. */
typedef struct facet_obj_ends {
    uint32_t *items;
    uint32_t count, capacity;
    uint32_t maximum;
    const uint8_t *line; /* that names it */
} facet_obj_ends;

/* What is counted while reading and told once; `first` is a byte offset. */
enum {
    FACET_OBJ_FACE_SMALL,
    FACET_OBJ_EXTRA_NUMBERS,
    FACET_OBJ_WEIGHTS,
    FACET_OBJ_BAD_SMOOTHING,
    FACET_OBJ_LINE_TEXCOORDS,
    FACET_OBJ_LINE_MATERIALS,
    FACET_OBJ_CURVES,
    FACET_OBJ_DISPLAY,
    FACET_OBJ_UNKNOWN,
    FACET_OBJ_LATIN_NAMES,
    FACET_OBJ_TALLIES
};

/* Of lines that look alike; shapes.c knows what it is. */
typedef struct facet_obj_shapes facet_obj_shapes;

typedef struct facet_obj_reader {
    const facet_source *source;
    const facet_options *options;
    facet_error *error;
    facet_report *findings; /* when checking: where broken statements go */
    uint64_t errors;        /* findings made of them */
    const uint8_t *start, *end;
    const uint8_t *counted; /* up to here lines are counted: errors mostly come in order */
    uint64_t counted_line;  /* its number */

    facet_scene *scene;
    facet_arena *arena;   /* the scene's */
    facet_arena *scratch; /* freed when the scene is read */

    facet_obj_elements elements[FACET_OBJ_KINDS];
    float *colors;      /* three per position; NULL until one has a color */
    uint32_t colorless; /* positions without color */
    uint32_t *painted;  /* colors in comments, in order (painted.c) */
    uint32_t painted_count, painted_capacity;
    float *depths; /* third texture coordinates; NULL until one is not 0 */
    uint32_t
        *indices[FACET_OBJ_KINDS]; /* per corner; of texcoords and normals NULL until one is used */
    uint32_t maxima[FACET_OBJ_KINDS];        /* the largest of each */
    uint32_t different[FACET_OBJ_KINDS];     /* not 0 when they differ from the positions' */
    bool face_has_texcoord, face_has_normal; /* the last corner that read.c read */
    facet_obj_shapes *shapes;                /* NULL where there is nothing to gain by them */
    facet_block block;                       /* of the file; each thread has its own */
    uint32_t corner_count, corner_capacity;
    uint32_t *offsets; /* of faces; NULL as long as all are triangles */
    uint32_t face_count, face_capacity;

    facet_obj_ends lines, points;
    facet_obj_runs materials, smoothing, parts; /* part values: index into `part_names` */
    facet_part *part_names;
    uint32_t part_name_count, part_name_capacity;
    facet_names strings; /* part names, once each */
    const char *object, *group;
    facet_obj_materials library;
    facet_text *libraries; /* what mtllib statements say */
    uint32_t library_count, library_capacity;
    facet_names libraries_read, libraries_missing;
    uint64_t library_bytes;

    facet_tally tallies[FACET_OBJ_TALLIES];
} facet_obj_reader;

/* Colors in comments (painted.c): is one here; read it; and when all is read, give the positions
 * their colors, unless they have others. */
bool facet_obj_is_painted(const uint8_t *at, const uint8_t *end);
facet_status facet_obj_read_painted(facet_obj_reader *r, const uint8_t *line);
facet_status facet_obj_settle_painted(facet_obj_reader *r);

extern const char *const facet_obj_kind_names[FACET_OBJ_KINDS];

/* The line that `at` is in. Asked in the order of the file, all lines are counted
 * once. */
uint64_t facet_obj_line_of(facet_obj_reader *r, const uint8_t *at);
/* Raise an error at the line that `at` is in. */
facet_status facet_obj_fail(facet_obj_reader *r, facet_status status, const char *rule,
                            const uint8_t *at, const char *format, ...) FACET_PRINTF(5, 6);
facet_status facet_obj_no_memory(facet_obj_reader *r);
/* Resize a block of `arena`; on failure it stays as it was. */
facet_status facet_obj_resize(facet_obj_reader *r, facet_arena *arena, void **block,
                              uint32_t old_count, uint32_t new_count, size_t size);

/* How many of each a part of a file seems to hold; there may be more. */
typedef struct facet_obj_amounts {
    uint32_t elements[FACET_OBJ_KINDS], corners, faces;
} facet_obj_amounts;
facet_obj_amounts facet_obj_estimate(const facet_source *source, const uint8_t *start,
                                     const uint8_t *end);
/* Allocate space for so many elements, corners and faces; NULL: for as many as the file seems
 * to hold, by an estimate that does not read all of it. */
facet_status facet_obj_make_space(facet_obj_reader *r, const facet_obj_amounts *amounts);
/* Space for one more element of a kind, corner, face, or item of a list in the
 * scratch arena; `at` is the statement that it is for. */
facet_status facet_obj_space_for_element(facet_obj_reader *r, int kind, const uint8_t *at);
facet_status facet_obj_space_for_corner(facet_obj_reader *r, const uint8_t *at);
facet_status facet_obj_space_for_face(facet_obj_reader *r, const uint8_t *at);
facet_status facet_obj_space(facet_obj_reader *r, void **items, uint32_t count, uint32_t *capacity,
                             size_t size, const uint8_t *at);

/* The same, more than there is by half. */
facet_status facet_obj_grow_elements(facet_obj_reader *r, int kind, const uint8_t *at);
facet_status facet_obj_grow_corners(facet_obj_reader *r, const uint8_t *at);
facet_status facet_obj_grow_faces(facet_obj_reader *r, const uint8_t *at);

/* The largest number of elements, corners or faces: FACET_NONE is no index. */
#define FACET_OBJ_MAX (UINT32_MAX - 1)

/* How many bytes before the end fast.c stops: more than the longest line that
 * it takes and what it looks at behind the last word. */
#define FACET_OBJ_FAST_MARGIN 512
/* Bytes between two calls of the progress callback, and until those that were read may go. */
#define FACET_OBJ_STRIDE ((ptrdiff_t)4 << 20)
/* Parse plain lines from `at` up to `limit`, which is that far from the end;
 * returns the first line that is not plain, or begins at `limit` or after. */
const uint8_t *facet_obj_run_fast(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit);

/* The same in copies of the file, a block at a time, where that helps. */
const uint8_t *facet_obj_run_plain(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit);
/* Give the reader its block, in the scratch arena. */
void facet_obj_make_block(facet_obj_reader *r);

/* statements.c: when checking, an error of one statement becomes a finding, and reading
 * goes on; so many have one of their own, the others are only counted. */
#define FACET_OBJ_SINGLE_ERRORS 100
facet_status facet_obj_report_error(facet_obj_reader *r, facet_status status);
/* Texcoord or normal indices begin, corners before have none; and the first face
 * that is no triangle, those before are. */
facet_status facet_obj_begin_indices(facet_obj_reader *r, int kind);
facet_status facet_obj_begin_offsets(facet_obj_reader *r);
/* The statement that begins at `line`; *next is the line after it. */
facet_status facet_obj_run_statement(facet_obj_reader *r, const uint8_t *line,
                                     const uint8_t **next);
/* All lines from `at` up to `end`, which is a line start. */
facet_status facet_obj_run_lines(facet_obj_reader *r, const uint8_t *at, const uint8_t *end);

/* parallel.c: from *at on, as far as several threads get; *at is left where reading is to
 * go on. Space is made first; nothing is read where it does not pay, or memory is short. */
facet_status facet_obj_run_pieces(facet_obj_reader *r, const uint8_t **at);

/* to_scene.c: all statements are read. Say what there is to say, and finish the
 * scene if none was wrong. */
facet_status facet_obj_to_scene(facet_obj_reader *r, const facet_load_options *load);

#endif
