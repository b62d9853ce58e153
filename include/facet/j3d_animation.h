/* facet/j3d_animation.h - animations of J3D models, twelve kinds of file:
 *
 * | kind | section | animated data                          | storage           |
 * | bck  | ANK1    | joints: scale, rotation, translation   | keys              |
 * | bca  | ANF1    | the same                               | a value per frame |
 * | btk  | TTK1    | texture matrices                       | keys              |
 * | brk  | TRK1    | TEV registers and konst colors         | keys              |
 * | bpk  | PAK1    | material color 0                       | keys              |
 * | bpa  | PAF1    | the same                               | a value per frame |
 * | btp  | TPT1    | the texture that a texture map shows   | a value per frame |
 * | bva  | VAF1    | the shapes that are visible            | a value per frame |
 * | blk  | CLK1    | weights of cluster shapes              | keys              |
 * | bla  | CLF1    | the same                               | a value per frame |
 * | bxk  | VCK1    | vertex colors                          | keys              |
 * | bxa  | VCF1    | the same                               | a value per frame |
 *
 * One document type stores all kinds. facet_j3d_animation_write writes what
 * facet_j3d_animation_read has read, byte for byte. All numbers are big-endian in the file and in
 * host byte order here. An animation matches a model by the number of joints and shapes, and by the
 * names of materials. Use facet_j3d_animation_check_fit to check that.
 * docs/reference/formats/j3d-animation.md has the rules.
 *
 * Stability: experimental. */
#ifndef FACET_J3D_ANIMATION_H
#define FACET_J3D_ANIMATION_H

#include <facet/j3d.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum facet_j3d_animation_kind {
    FACET_J3D_BCK = 1,
    FACET_J3D_BCA,
    FACET_J3D_BTK,
    FACET_J3D_BRK,
    FACET_J3D_BPK,
    FACET_J3D_BPA,
    FACET_J3D_BTP,
    FACET_J3D_BVA,
    FACET_J3D_BLK,
    FACET_J3D_BLA,
    FACET_J3D_BXK,
    FACET_J3D_BXA
} facet_j3d_animation_kind;

/* Name of a kind, such as "bck"; NULL for an unknown kind. */
FACET_EXPERIMENTAL_API const char *facet_j3d_animation_kind_name(facet_j3d_animation_kind kind);
/* True for kinds that store keys; false for those with one value per frame. */
FACET_EXPERIMENTAL_API bool facet_j3d_animation_has_keys(facet_j3d_animation_kind kind);

/* Behavior at the ends of the animation. The value in the file is a default: games may use another.
 * Other numbers: the frame increases without limit. */
typedef enum facet_j3d_loop {
    FACET_J3D_LOOP_ONCE = 0,
    FACET_J3D_LOOP_ONCE_RESET = 1, /* once, then back to the beginning */
    FACET_J3D_LOOP_REPEAT = 2,
    FACET_J3D_LOOP_MIRROR_ONCE = 3, /* forward and back, once */
    FACET_J3D_LOOP_MIRROR_REPEAT = 4
} facet_j3d_loop;

/* -- Tracks ------------------------------------------------------------- */

/* One number over time: a run of elements of an array.
 *
 *  - In kinds with keys, count 1 is a constant with one element. A larger count is a number of
 *    keys, with times in frames and tangents per frame. If type is 0, a key has three elements
 *    (time, value, tangent). Otherwise it has four (time, value, tangent in, tangent out). Count 0
 *    means a default of the runtime.
 *  - In kinds with values per frame, there are `count` values; the last one holds, and type is 0.
 *
 * Tracks may share elements. */
typedef struct facet_j3d_track {
    uint16_t count, first, type;
} facet_j3d_track;

/* The elements that tracks of one component point into. Exactly one of the two is set, depending on
 * facet_j3d_animation_kind (below). */
typedef struct facet_j3d_elements {
    float *reals;
    int32_t *integers; /* in the range of their storage type: s16, u16 or u8 */
    uint32_t count;
} facet_j3d_elements;

/* Elements of the vertex color array that an entry of a BXK or BXA sets. */
typedef struct facet_j3d_color_run {
    uint16_t count, unknown;
    uint32_t first; /* index into color_indices */
} facet_j3d_color_run;

/* Entries and the data that they point into:
 *
 * | kind    | an entry is           | its tracks                    | elements
 * | bck bca | a joint               | 9: x scale, rotation,         | scale (reals), rotation
 * |         |                       | translation; then y; then z   | (s16), translation (reals)
 * | btk     | a texture matrix      | 9: s, t and q likewise; used: | the same
 * |         |                       | scale s and t, rotation q,    |
 * |         |                       | translation s and t           |
 * | brk     | a TEV register        | 4: R, G, B, A                 | R, G, B, A (s16)
 * |         | (set 1: a konst color)|                               |
 * | bpk bpa | a material            | 4: R, G, B, A                 | R, G, B, A (s16; u8)
 * | btp     | a texture map         | 1                             | texture numbers (u16)
 * | bva     | a shape               | 1                             | 0: hidden, else visible (u8)
 * | blk bla | a key of a cluster    | 1                             | weights (reals)
 * | bxk bxa | a vertex color        | 4: R, G, B, A                 | R, G, B, A (s16; u8), of both
 * |         | (set 1: of color 1)   |                               | sets in set 0
 *
 * btk has a second set of post matrices, which no known game applies. */
typedef struct facet_j3d_animation_set {
    uint32_t count;          /* number of entries */
    facet_j3d_track *tracks; /* tracks of entry 0, then of entry 1, ... */
    facet_j3d_elements elements[4];

    /* For btk, brk, bpk, bpa and btp; otherwise NULL. */
    facet_j3d_names names; /* names of materials, one per entry */
    uint16_t *remap;       /* one per entry; identity in nearly all files, never used to bind */
    /* One per entry. btk: texture matrix 0 to 7, or 0xFF; brk: register; btp: texture map 0
     * to 7. */
    uint8_t *slots;
    float (*centers)[3]; /* btk: center of rotation and scale: s, t, q */
    /* For bxk and bxa; otherwise NULL. */
    facet_j3d_color_run *color_runs; /* one per entry */
    uint16_t *color_indices;
    uint32_t color_index_count;
} facet_j3d_animation_set;

/* -- Sounds ------------------------------------------------------------- */

/* A sound that a bck plays, 32 bytes in the file. */
typedef struct facet_j3d_sound {
    uint32_t id;
    float start, end; /* in frames */
    float pitch;
    uint32_t flags;
    uint8_t rest[12]; /* volume, pitch change, loop, pan, and the following bytes, as stored */
} facet_j3d_sound;

/* -- Document ----------------------------------------------------------- */

/* Maximum number of blocks of a file: tables, arrays, names and others. */
#define FACET_J3D_ANIMATION_BLOCKS 24

/* Layout of a file that differs from the console makers' exporters, so that a copy is
 * byte-identical. All zero: no difference. If the sizes of blocks have changed, the document is
 * written with the exporters' layout. */
typedef struct facet_j3d_animation_layout {
    const uint8_t *bytes; /* the whole file; only the bytes between the blocks are used */
    size_t size, section; /* bytes of the file, and offset of the section */
    uint32_t offsets[FACET_J3D_ANIMATION_BLOCKS], sizes[FACET_J3D_ANIMATION_BLOCKS];
} facet_j3d_animation_layout;

typedef struct facet_j3d_animation {
    facet_arena *arena; /* owner of the arrays; NULL: filled in by the caller */
    const char *name;   /* UTF-8; not stored in the file: the file's name without folder and
                           extension */
    facet_j3d_animation_kind kind;
    uint8_t loop;           /* facet_j3d_loop */
    uint8_t rotation_shift; /* bck, btk: rotation = stored << this; other kinds: as stored, 0xFF */
    int16_t frames;         /* at least 1 in the files of games */
    uint8_t signature[12];  /* the bytes at 0x10: 0xFF, in some kinds with "SVR1" before */
    uint32_t convention;    /* btk: 1: Maya's texture matrices; others: basic ones */
    uint16_t cluster_count; /* blk, bla: as stored */
    facet_j3d_animation_set sets[2];
    facet_j3d_sound *sounds; /* bck; NULL: no table */
    uint16_t sound_count, sound_unknown;
    uint32_t sound_unknown2;
    facet_j3d_animation_layout layout;
} facet_j3d_animation;

/* Read a document from the bytes of a source. Every track is inside its array, every array inside
 * the file, every number finite. The names and the layout point into the source's bytes, which must
 * outlive the document. Linear; options may be NULL. Problems that do not prevent reading are
 * findings in options->report. Errors: FACET_ERROR_MALFORMED with JA01, JA02, JA06, JA07, JA11,
 * JA17, JA20 or JA22; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_read(const facet_source *source,
                                                             const facet_options *options,
                                                             facet_j3d_animation **document,
                                                             facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_j3d_animation_free(facet_j3d_animation *document);

/* Write a document as its kind, with the layout of the console makers' exporters, or as `layout`
 * defines. Counts, sizes and offsets are computed. Nothing is written unless the whole document is
 * valid, also one that you filled in. Call facet_output_commit to finish. Linear. Errors:
 * FACET_ERROR_ARGUMENT with the rule that the document would break, or J3D-DOCUMENT for NULL;
 * FACET_ERROR_LIMIT with J3D-LIMIT if a value does not fit its field; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_write(const facet_j3d_animation *document,
                                                              const facet_options *options,
                                                              facet_output *output,
                                                              facet_error *error);

/* Convert a document to the other storage of the same kind: bck from bca, bca from bck; likewise
 * bpk and bpa, blk and bla, bxk and bxa. Values per frame are those that a console shows at whole
 * frames. Keys are fitted: at whole frames, the error is at most half a step of an integer or
 * `tolerance` of a real. With tolerance 0, values are exact, with a key per frame where needed. The
 * new document does not point into the old one. Only a bck keeps sounds (LOSS-ANIMATIONS). Errors:
 * FACET_ERROR_UNSUPPORTED with J3D-KIND; FACET_ERROR_LIMIT with J3D-LIMIT; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_convert(
    const facet_j3d_animation *from, facet_j3d_animation_kind kind, double tolerance,
    const facet_options *options, facet_j3d_animation **document, facet_error *error);

/* -- Check and describe ------------------------------------------------- */

/* Check whether an animation fits a model, by the rules JA40 to JA45 and JA33. They cover numbers
 * of joints, shapes and textures, names of materials, and texture matrices. If an error is found,
 * or if nothing of the model would move, *fits is false; fits may be NULL. Linear, except the
 * search of names. Errors: FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_check_fit(
    const facet_j3d_animation *document, const facet_j3d *model, const facet_options *options,
    facet_report *report, bool *fits, facet_error *error);

/* -- JSON --------------------------------------------------------------- */

/* Print the document as editable JSON: angles in degrees, everything else as stored
 * (docs/reference/formats/j3d-animation.md). The text is in `arena`. NULL if out of memory, and if
 * tracks share elements so heavily that the text would have more than 32 million numbers. */
FACET_EXPERIMENTAL_API const char *facet_j3d_animation_to_json(const facet_j3d_animation *document,
                                                               facet_arena *arena);
/* Read a document from JSON text of `size` bytes. An unedited text gives the same file. The
 * document does not point into the text. Errors: FACET_ERROR_MALFORMED with J3D-JSON and the line
 * or the path in the JSON; FACET_ERROR_LIMIT with J3D-LIMIT. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_from_json(const char *text, size_t size,
                                                                  const facet_options *options,
                                                                  facet_j3d_animation **document,
                                                                  facet_error *error);

/* -- To and from a scene (facet/scene.h) --------------------------------- */

/* Add an animation to the scene that facet_load created from its model.
 *
 * A bck or bca becomes an animation with the document's name: joint j moves node j. Translation and
 * scale become cubic channels with the same curves. Rotations get enough keys that the
 * interpolation error is below 0.01 degrees. Joints with scale compensation or Softimage's rule are
 * sampled at every frame; if the scale of its parents shears one, there is a warning LOSS-NODES.
 * Frames become seconds by options->j3d->rate.
 *
 * A btk, brk, bpk, bpa, btp or bva becomes an animation of the scene's materials and nodes. Its
 * channels are the visible effect: the transform of the base color's texture, the base color, the
 * image of that texture, and the visibility of a shape's node. They are sampled at whole frames.
 * Entries that move anything else are a warning LOSS-ANIMATIONS.
 *
 * Other kinds, and files without any visible effect, are stored only in the extras of the scene,
 * with the same warning. The file of an animation is stored in the animation's extras. Errors:
 * FACET_ERROR_UNSUPPORTED with JA40 if the animation has more joints than the model;
 * FACET_ERROR_LIMIT with J3D-LIMIT; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_to_scene(
    const facet_j3d_animation *document, const facet_j3d *model, const facet_options *options,
    struct facet_scene *scene, facet_error *error);

/* Apply animations to the scene's console materials at `time` seconds: all btk, brk, bpk, bpa and
 * btp with this name (NULL: all), in their order. Their files are in the extras of the scene and
 * its animations; this also works for scenes from glTF. `states` has scene->material_count
 * elements, which become the animated states of the materials; those of materials without a state
 * are unchanged. A texture that no image shows becomes none. Outside of an animation, its first or
 * last frame holds. *count is the number of animations applied. Use the result in
 * facet_render_options. Errors: FACET_ERROR_MALFORMED with J3D-JSON, those of
 * facet_j3d_animation_read and FACET_ERROR_MEMORY. Linear in materials and entries. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_pose_materials(const struct facet_scene *scene,
                                                             const char *name, double time,
                                                             const facet_options *options,
                                                             struct facet_gx_material *states,
                                                             uint32_t *count, facet_error *error);

/* Create an animation of one kind from a scene.
 *
 * For joints (bck, bca), it is the motion of the animation that options->j3d->clip names. The
 * joints are those of the model options->j3d->like, and are found in the scene by name. Missing
 * joints, and components that are not animated, rest as in the model. Motion is sampled at every
 * frame. Keys are fitted so that the error at any frame is at most options->j3d->distance (a tenth
 * of it for scales) and options->j3d->angle. If a track differs by no more than that from the file
 * in the animation's extras, it keeps that file's keys. If all do, the document is byte-identical
 * to the file.
 *
 * For other kinds, materials and shapes are found in the model by name. Entries whose motion is
 * unchanged keep the tracks of that file. For others, a state with the same appearance is computed,
 * and keys are fitted. Materials without such a state are a warning LOSS-ANIMATIONS. Files in the
 * scene's extras are returned unchanged.
 *
 * Errors: FACET_ERROR_ARGUMENT with J3D-LIKE without a model, J3D-CLIP if no animation or more than
 * one matches, J3D-KIND; FACET_ERROR_MALFORMED with J3D-JSON for invalid extras; those of
 * facet_j3d_read; FACET_ERROR_LIMIT with J3D-LIMIT; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_from_scene(const struct facet_scene *scene,
                                                                   facet_j3d_animation_kind kind,
                                                                   const facet_options *options,
                                                                   facet_j3d_animation **document,
                                                                   facet_error *error);

/* -- Time --------------------------------------------------------------- */

/* The two generations of the console's runtime. They differ in rounding, and in what loop modes 3
 * and 4 do at the turning point. */
typedef enum facet_j3d_runtime {
    FACET_J3D_RUNTIME_2 = 0, /* Twilight Princess, Galaxy, Pikmin 2 */
    FACET_J3D_RUNTIME_1 = 1  /* Sunshine, The Wind Waker */
} facet_j3d_runtime;

enum {
    FACET_J3D_PLAYER_FINISHED = 1, /* the last step reached the end, and rate is 0 */
    FACET_J3D_PLAYER_WRAPPED = 2   /* the last step wrapped around */
};

/* Playback state of an animation; games have one per model. */
typedef struct facet_j3d_player {
    float frame, rate;
    int16_t start, end, loop; /* in frames */
    uint8_t mode;             /* facet_j3d_loop */
    uint8_t state;            /* FACET_J3D_PLAYER_... bits of the last step */
} facet_j3d_player;

/* Player at frame 0 with rate 1, from 0 to the animation's end, in the animation's loop mode. */
FACET_EXPERIMENTAL_API facet_j3d_player facet_j3d_get_player(const facet_j3d_animation *document);
/* Advance by one tick of the game, in the console's floats. */
FACET_EXPERIMENTAL_API void facet_j3d_player_step(facet_j3d_player *player,
                                                  facet_j3d_runtime runtime);
/* Frame shown after `elapsed` frames (0 or more) at rate 1. Equal to a player, but without its
 * steps and their rounding. */
FACET_EXPERIMENTAL_API double facet_j3d_loop_frame(uint8_t mode, facet_j3d_runtime runtime,
                                                   double frames, double elapsed);

/* -- Values at a frame --------------------------------------------------
 *
 * These functions only read a document, so any number of threads may call them at once.
 * It must be from facet_j3d_animation_read or facet_j3d_animation_from_json, because its
 * tracks are not checked again. Time is logarithmic in the keys of a track. */

typedef struct facet_j3d_moment {
    double frame; /* any finite number; the console uses a float */
    facet_j3d_runtime runtime;
    bool exact;       /* use the console's own floats and rounding, exact to the last bit where
                         it is known */
    bool interpolate; /* bca: interpolate between frames, as the later runtime can */
} facet_j3d_moment;

/* Pose of one joint. For the console, an angle of 65,536 is a turn; exporters, and joints at rest,
 * use 65,534 per turn. `angles` are not wrapped, and are rounded only if moment->exact. */
typedef struct facet_j3d_joint_pose {
    float scale[3];
    int16_t rotation[3]; /* as on the console */
    double angles[3];    /* in degrees, with 65,534 stored units per turn */
    float translation[3];
} facet_j3d_joint_pose;
/* Get the poses of joints 0 to sets[0].count - 1 of a bck or bca. */
FACET_EXPERIMENTAL_API void facet_j3d_animation_joints(const facet_j3d_animation *document,
                                                       const facet_j3d_moment *moment,
                                                       facet_j3d_joint_pose *joints);

/* Transform of a texture matrix of a btk, for entry `entry` of sets[set]. */
typedef struct facet_j3d_texture_pose {
    float scale[2];
    int16_t rotation; /* 65,536 units per turn */
    double angle;     /* in degrees, not wrapped */
    float translation[2];
} facet_j3d_texture_pose;
FACET_EXPERIMENTAL_API void facet_j3d_animation_texture(const facet_j3d_animation *document,
                                                        uint32_t set, uint32_t entry,
                                                        const facet_j3d_moment *moment,
                                                        facet_j3d_texture_pose *texture);
/* Compute the 2x3 matrix that maps texture coordinates (u, v, 1) to new ones, row-major. It rotates
 * and scales around `center` s and t, or, in Maya's convention (document->convention 1), without
 * center. `angle` is in radians. */
FACET_EXPERIMENTAL_API void facet_j3d_texture_matrix(const float scale[2], double angle,
                                                     const float translation[2],
                                                     const float center[2], bool maya,
                                                     double matrix[6]);

/* Get R, G, B, A of a brk, bpk, bpa, bxk or bxa. */
FACET_EXPERIMENTAL_API void facet_j3d_animation_color(const facet_j3d_animation *document,
                                                      uint32_t set, uint32_t entry,
                                                      const facet_j3d_moment *moment,
                                                      int16_t color[4]);
/* Texture number of a btp, visibility of a shape of a bva, weight of a blk or bla. */
FACET_EXPERIMENTAL_API uint16_t facet_j3d_animation_texture_number(
    const facet_j3d_animation *document, uint32_t entry, const facet_j3d_moment *moment);
FACET_EXPERIMENTAL_API bool facet_j3d_animation_visible(const facet_j3d_animation *document,
                                                        uint32_t entry,
                                                        const facet_j3d_moment *moment);
FACET_EXPERIMENTAL_API float facet_j3d_animation_weight(const facet_j3d_animation *document,
                                                        uint32_t entry,
                                                        const facet_j3d_moment *moment);

/* Value of one track's curve, in stored units and doubles: neither rounded, clamped nor shifted.
 * `track` is an index into all tracks of the set. *slope (may be NULL) is the change per frame. */
FACET_EXPERIMENTAL_API double facet_j3d_animation_curve(const facet_j3d_animation *document,
                                                        uint32_t set, uint32_t track, double frame,
                                                        double *slope);

#ifdef __cplusplus
}
#endif
#endif
