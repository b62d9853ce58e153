/* facet/j3d_animation.h - animations of J3D models, twelve kinds of file:
 *
 *   kind  section  what moves                                storage
 *   bck   ANK1     joints: scale, rotation, translation      keys
 *   bca   ANF1     the same                                  a value per frame
 *   btk   TTK1     texture matrices                          keys
 *   brk   TRK1     TEV registers and konst colors            keys
 *   bpk   PAK1     material color 0                          keys
 *   bpa   PAF1     the same                                  a value per frame
 *   btp   TPT1     which texture a texture map shows         a value per frame
 *   bva   VAF1     which shapes are visible                  a value per frame
 *   blk   CLK1     weights of cluster shapes                 keys
 *   bla   CLF1     the same                                  a value per frame
 *   bxk   VCK1     vertex colors                             keys
 *   bxa   VCF1     the same                                  a value per frame
 *
 * One document holds any of them: what facet_j3d_animation_read takes in,
 * facet_j3d_animation_write gives back byte for byte. All numbers are big-endian
 * in the file and in host order here. An animation binds to a model by the number
 * of joints and shapes, and by the names of materials; facet_j3d_animation_check_fit
 * tells whether it does. docs/reference/formats/j3d-animation.md has the rules.
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

/* "bck"; NULL for what is no kind. */
FACET_EXPERIMENTAL_API const char *facet_j3d_animation_kind_name(facet_j3d_animation_kind kind);
/* True for kinds that store keys, false for those with a value per frame. */
FACET_EXPERIMENTAL_API bool facet_j3d_animation_has_keys(facet_j3d_animation_kind kind);

/* What a player does at the ends. The file's word is a default: games may choose
 * another. Other numbers: the frame grows without limit. */
typedef enum facet_j3d_loop {
    FACET_J3D_LOOP_ONCE = 0,
    FACET_J3D_LOOP_ONCE_RESET = 1, /* and back to the beginning */
    FACET_J3D_LOOP_REPEAT = 2,
    FACET_J3D_LOOP_MIRROR_ONCE = 3, /* there and back, once */
    FACET_J3D_LOOP_MIRROR_REPEAT = 4
} facet_j3d_loop;

/* -- Tracks ------------------------------------------------------------- */

/* One number over time: a run of elements of an array.
 *
 * With keys: count 1 is a constant, one element; more are keys of 3 elements
 * (time, value, tangent) when type is 0, else of 4 (time, value, tangent in,
 * tangent out), with times in frames and tangents per frame; count 0 is a default
 * of the runtime. With a value per frame: `count` values, the last of which holds;
 * type is 0. Elements may be shared by tracks. */
typedef struct facet_j3d_track {
    uint16_t count, first, type;
} facet_j3d_track;

/* The elements that tracks of one component point into: exactly one of the two is
 * set, as facet_j3d_animation_kind says (below). */
typedef struct facet_j3d_elements {
    float *reals;
    int32_t *integers; /* in the range of how they are stored: s16, u16 or u8 */
    uint32_t count;
} facet_j3d_elements;

/* Elements of the vertex color array that an entry of a BXK or BXA sets. */
typedef struct facet_j3d_color_run {
    uint16_t count, unknown;
    uint32_t first; /* into color_indices */
} facet_j3d_color_run;

/* Entries and what they point into. Per kind:
 *
 *   kind      an entry is              its tracks                        elements
 *   bck bca   a joint                  9: x scale, rotation,             scale (reals), rotation
 *                                      translation; then y; then z       (s16), translation (reals)
 *   btk       a texture matrix         9: s, t and q in the same way;    the same
 *                                      used are scale s and t, rotation
 *                                      q, translation s and t
 *   brk       a TEV register           4: R, G, B, A                     R, G, B, A (s16)
 *             (set 1: a konst color)
 *   bpk bpa   a material               4: R, G, B, A                     R, G, B, A (s16; u8)
 *   btp       a texture map            1                                 texture numbers (u16)
 *   bva       a shape                  1                                 0 hidden, else seen (u8)
 *   blk bla   a key of a cluster       1                                 weights (reals)
 *   bxk bxa   a vertex color           4: R, G, B, A                     R, G, B, A (s16; u8), of
 *             (set 1: of color 1)                                        both sets in set 0
 *
 * btk has a second set of post matrices, which no known game applies. */
typedef struct facet_j3d_animation_set {
    uint32_t count;          /* entries */
    facet_j3d_track *tracks; /* of entry 0, then of entry 1, ... */
    facet_j3d_elements elements[4];

    /* btk, brk, bpk, bpa, btp; otherwise NULL */
    facet_j3d_names names; /* materials, one per entry */
    uint16_t *remap;       /* one per entry; identity in nearly all files, never used to bind */
    /* btk: texture matrix 0 to 7, or 0xFF; brk: register; btp: texture map 0 to 7 */
    uint8_t *slots;
    float (*centers)[3]; /* btk: s, t, q that rotation and scale go around */
    /* bxk, bxa */
    facet_j3d_color_run *color_runs; /* one per entry */
    uint16_t *color_indices;
    uint32_t color_index_count;
} facet_j3d_animation_set;

/* -- Sounds ------------------------------------------------------------- */

/* A sound that a bck plays while it runs, 32 bytes in the file. */
typedef struct facet_j3d_sound {
    uint32_t id;
    float start, end; /* frames */
    float pitch;
    uint32_t flags;
    uint8_t rest[12]; /* volume, pitch change, loop, pan, and what follows, as stored */
} facet_j3d_sound;

/* -- Document ----------------------------------------------------------- */

/* Blocks of a file: tables, arrays, names and so on. */
#define FACET_J3D_ANIMATION_BLOCKS 24

/* How a file is laid out that is not as the console makers' exporters do, so that
 * a copy is the same to the byte. All zero: as they do. Documents whose blocks have
 * changed their sizes are written as exporters do. */
typedef struct facet_j3d_animation_layout {
    const uint8_t *bytes; /* the whole file; only what lies between the blocks counts */
    size_t size, section; /* its bytes, and where the section begins */
    uint32_t offsets[FACET_J3D_ANIMATION_BLOCKS], sizes[FACET_J3D_ANIMATION_BLOCKS];
} facet_j3d_animation_layout;

typedef struct facet_j3d_animation {
    facet_arena *arena; /* owner of the arrays; NULL when filled in by hand */
    const char *name;   /* UTF-8; not in the file: the file's, without folder and extension */
    facet_j3d_animation_kind kind;
    uint8_t loop; /* facet_j3d_loop */
    uint8_t
        rotation_shift;    /* bck, btk: rotation = stored << this; as stored in other kinds, 0xFF */
    int16_t frames;        /* at least 1 in what games use */
    uint8_t signature[12]; /* the bytes at 0x10: 0xFF, with "SVR1" before in some kinds */
    uint32_t convention;   /* btk: 1 Maya's texture matrices, any other value basic ones */
    uint16_t cluster_count; /* blk, bla: as stored */
    facet_j3d_animation_set sets[2];
    facet_j3d_sound *sounds; /* bck; NULL when there is no table */
    uint16_t sound_count, sound_unknown;
    uint32_t sound_unknown2;
    facet_j3d_animation_layout layout;
} facet_j3d_animation;

/* Read a document from the bytes of a source. Every track is inside its array, every
 * array inside the file, every number finite. The names and the layout point
 * into the source's bytes, which must outlive the document. Linear; options may be NULL.
 * What does not keep the file from being read is a finding in options->report. Errors:
 * FACET_ERROR_MALFORMED with JA01, JA02, JA06, JA07, JA11, JA17, JA20 or JA22;
 * FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_read(const facet_source *source,
                                                             const facet_options *options,
                                                             facet_j3d_animation **document,
                                                             facet_error *error);
/* Free a document that was made by this library. NULL is fine. */
FACET_EXPERIMENTAL_API void facet_j3d_animation_free(facet_j3d_animation *document);

/* Write a document as its kind says, laid out as the console makers' exporters do, or
 * as `layout` says. Counts, sizes and offsets are computed. Nothing is written unless
 * the whole document is valid, also one that was made by hand. The caller commits.
 * Linear. Errors: FACET_ERROR_ARGUMENT with the rule that the document would break, or
 * J3D-DOCUMENT for what is NULL; FACET_ERROR_LIMIT with J3D-LIMIT for what does not fit
 * its field; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_write(const facet_j3d_animation *document,
                                                              const facet_options *options,
                                                              facet_output *output,
                                                              facet_error *error);

/* A document of the other storage of the same kind: bck of bca, bca of bck, and so
 * for bpk, bpa; blk, bla; bxk, bxa. Values per frame are those that a console shows at
 * whole frames. Keys are fitted so that no whole frame is off by more than half a step
 * of an integer or `tolerance` of a real (0: exactly a key per frame where it is
 * needed). The new document points to nothing in the old one, and has no sounds
 * (LOSS-ANIMATIONS) unless it is a bck. Errors: FACET_ERROR_UNSUPPORTED with J3D-KIND;
 * FACET_ERROR_LIMIT with J3D-LIMIT; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_convert(
    const facet_j3d_animation *from, facet_j3d_animation_kind kind, double tolerance,
    const facet_options *options, facet_j3d_animation **document, facet_error *error);

/* -- Check and describe ------------------------------------------------- */

/* Whether an animation fits a model, by the rules JA40 to JA45 and JA33: numbers of
 * joints and shapes, names of materials, texture matrices and numbers of textures.
 * *fits (may be NULL) is false after an error, and when nothing of the model would
 * move. Linear but for the search of names. Errors: FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_check_fit(
    const facet_j3d_animation *document, const facet_j3d *model, const facet_options *options,
    facet_report *report, bool *fits, facet_error *error);

/* -- JSON --------------------------------------------------------------- */

/* The document as JSON, keys as numbers that one can edit: angles in degrees, all
 * else as stored (docs/reference/formats/j3d-animation.md). The text is in `arena`; NULL without
 * memory, and for tracks that share so much that the text would have more than 32
 * million numbers. */
FACET_EXPERIMENTAL_API const char *facet_j3d_animation_to_json(const facet_j3d_animation *document,
                                                               facet_arena *arena);
/* The way back: a text that was not edited gives the same file. `size` bytes. The
 * document points to nothing in the text. Errors: FACET_ERROR_MALFORMED with
 * J3D-JSON and the line or the place in the JSON; FACET_ERROR_LIMIT with J3D-LIMIT. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_from_json(const char *text, size_t size,
                                                                  const facet_options *options,
                                                                  facet_j3d_animation **document,
                                                                  facet_error *error);

/* -- To and from a scene (facet/scene.h) --------------------------------- */

/* Add an animation to the scene that facet_load made of its model.
 *
 * A bck or bca becomes an animation with the document's name: joint j moves node j.
 * Translation and scale are cubics, the same curves; rotations are keys so close that
 * the way between two is off by less than 0.01 degrees. Joints whose scale is
 * compensated or follows Softimage's rule are sampled at every frame; one that its
 * parents' scale shears is a warning LOSS-NODES. Frames become seconds by
 * options->j3d->rate.
 *
 * A btk, brk, bpk, bpa, btp or bva becomes an animation of what the scene's materials and
 * nodes show: the place of the base color's texture, the base color, which texture that
 * is, and whether a shape's node is seen; sampled at whole frames. Entries that move
 * something else are a warning LOSS-ANIMATIONS. Other kinds, and files of which nothing
 * can be shown, ride in the extras of the scene alone, with the same warning. The file of
 * an animation rides in the animation's extras.
 *
 * Errors: FACET_ERROR_UNSUPPORTED with JA40 when the model has more joints;
 * FACET_ERROR_LIMIT with J3D-LIMIT; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_to_scene(
    const facet_j3d_animation *document, const facet_j3d *model, const facet_options *options,
    struct facet_scene *scene, facet_error *error);

/* What animations make of a scene's console materials at `time` seconds: the btk, brk, bpk,
 * bpa and btp called `name` (NULL: all there are), in their order, whose files ride in the
 * extras of the scene and its animations, also of one that came through glTF. `states` has
 * scene->material_count elements, which become the materials' own states, moved; those of
 * materials without one are left alone. A texture that no image shows becomes none. Beyond an
 * end its frame holds. *count is how many animations there were. For facet_render_options.
 * Errors: FACET_ERROR_MALFORMED with J3D-JSON, those of facet_j3d_animation_read and
 * FACET_ERROR_MEMORY. Linear in materials and entries. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_pose_materials(const struct facet_scene *scene,
                                                             const char *name, double time,
                                                             const facet_options *options,
                                                             struct facet_gx_material *states,
                                                             uint32_t *count, facet_error *error);

/* An animation of a kind. That of joints, bck or bca, is the motion of the animation
 * that options->j3d->clip names. The joints are those of the model
 * options->j3d->like, found in the scene by name; one that is not there, and what of a
 * joint is not animated, rests as in the model. Motion is sampled at every frame, and
 * keys are fitted so that no frame is off by more than options->j3d->distance (of
 * scales a tenth of that) and angle. What has not moved more than that from the file
 * in the animation's extras keeps that file's keys; when that is all, the document is
 * the file's to the byte.
 *
 * Materials and shapes of the other kinds are found in the model by name. Entries of what
 * moves as that file does keep its tracks; for others the state that looks so is computed,
 * and keys are fitted. A material for which there is none is a warning LOSS-ANIMATIONS.
 * Files that ride in the scene's extras come out as they are.
 *
 * Errors: FACET_ERROR_ARGUMENT with J3D-LIKE without a model, J3D-CLIP when no
 * animation, or not one alone, is meant, J3D-KIND; FACET_ERROR_MALFORMED with
 * J3D-JSON for extras that are wrong; those of facet_j3d_read; FACET_ERROR_LIMIT with
 * J3D-LIMIT; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_animation_from_scene(const struct facet_scene *scene,
                                                                   facet_j3d_animation_kind kind,
                                                                   const facet_options *options,
                                                                   facet_j3d_animation **document,
                                                                   facet_error *error);

/* -- Time --------------------------------------------------------------- */

/* The two generations of the console's runtime, which differ in rounding and in
 * what loop modes 3 and 4 do at the turning point. */
typedef enum facet_j3d_runtime {
    FACET_J3D_RUNTIME_2 = 0, /* Twilight Princess, Galaxy, Pikmin 2 */
    FACET_J3D_RUNTIME_1 = 1  /* Sunshine, The Wind Waker */
} facet_j3d_runtime;

enum {
    FACET_J3D_PLAYER_FINISHED = 1, /* the last step reached the end, and rate is 0 */
    FACET_J3D_PLAYER_WRAPPED = 2   /* the last step went round */
};

/* Who keeps the time of an animation: games have one per model. */
typedef struct facet_j3d_player {
    float frame, rate;
    int16_t start, end, loop; /* frames */
    uint8_t mode;             /* facet_j3d_loop */
    uint8_t state;            /* FACET_J3D_PLAYER_..., of the last step */
} facet_j3d_player;

/* A player at frame 0 with rate 1, from 0 to the animation's end, in its mode. */
FACET_EXPERIMENTAL_API facet_j3d_player facet_j3d_get_player(const facet_j3d_animation *document);
/* One tick of the game, in the console's floats. */
FACET_EXPERIMENTAL_API void facet_j3d_player_step(facet_j3d_player *player,
                                                  facet_j3d_runtime runtime);
/* The frame shown after `elapsed` frames (0 or more) at rate 1: the same without
 * the steps, and without their rounding. */
FACET_EXPERIMENTAL_API double facet_j3d_loop_frame(uint8_t mode, facet_j3d_runtime runtime,
                                                   double frames, double elapsed);

/* -- Values at a frame --------------------------------------------------
 *
 * These look at a document alone, which any number of threads may do at once, and
 * take what facet_j3d_animation_read and facet_j3d_animation_from_json gave: tracks
 * are not checked again. Each takes time logarithmic in the keys of a track. */

typedef struct facet_j3d_moment {
    double frame; /* any finite number; the console has a float */
    facet_j3d_runtime runtime;
    bool exact;       /* the console's own floats and rounding, to the last bit where it is known */
    bool interpolate; /* bca: between frames, as the later runtime does when asked */
} facet_j3d_moment;

/* One joint. An angle of 65,536 is a turn for the console; exporters have 65,534 to
 * a turn, and so have joints at rest. `angles` are not wrapped, and not rounded unless
 * moment->exact. */
typedef struct facet_j3d_joint_pose {
    float scale[3];
    int16_t rotation[3]; /* as the console has it */
    double angles[3];    /* the same in degrees, 65,534 to a turn */
    float translation[3];
} facet_j3d_joint_pose;
/* Joints 0 to sets[0].count - 1 of a bck or bca. */
FACET_EXPERIMENTAL_API void facet_j3d_animation_joints(const facet_j3d_animation *document,
                                                       const facet_j3d_moment *moment,
                                                       facet_j3d_joint_pose *joints);

/* A texture matrix of a btk, for entry `entry` of sets[set]. */
typedef struct facet_j3d_texture_pose {
    float scale[2];
    int16_t rotation; /* 65,536 is a turn */
    double angle;     /* the same in degrees, not wrapped */
    float translation[2];
} facet_j3d_texture_pose;
FACET_EXPERIMENTAL_API void facet_j3d_animation_texture(const facet_j3d_animation *document,
                                                        uint32_t set, uint32_t entry,
                                                        const facet_j3d_moment *moment,
                                                        facet_j3d_texture_pose *texture);
/* The 2x3 matrix that takes texture coordinates (u, v, 1) to new ones: row-major,
 * around `center` s and t, or in Maya's way (document->convention 1), which has no
 * center. `angle` in radians. */
FACET_EXPERIMENTAL_API void facet_j3d_texture_matrix(const float scale[2], double angle,
                                                     const float translation[2],
                                                     const float center[2], bool maya,
                                                     double matrix[6]);

/* R, G, B, A of a brk, bpk, bpa, bxk or bxa. */
FACET_EXPERIMENTAL_API void facet_j3d_animation_color(const facet_j3d_animation *document,
                                                      uint32_t set, uint32_t entry,
                                                      const facet_j3d_moment *moment,
                                                      int16_t color[4]);
/* The texture of a btp, whether a shape of a bva is seen, the weight of a blk or bla. */
FACET_EXPERIMENTAL_API uint16_t facet_j3d_animation_texture_number(
    const facet_j3d_animation *document, uint32_t entry, const facet_j3d_moment *moment);
FACET_EXPERIMENTAL_API bool facet_j3d_animation_visible(const facet_j3d_animation *document,
                                                        uint32_t entry,
                                                        const facet_j3d_moment *moment);
FACET_EXPERIMENTAL_API float facet_j3d_animation_weight(const facet_j3d_animation *document,
                                                        uint32_t entry,
                                                        const facet_j3d_moment *moment);

/* The curve of one track, in stored units and in doubles: neither rounded, clamped
 * nor shifted. `track` counts all tracks of the set. *slope (may be NULL) is its change
 * per frame. */
FACET_EXPERIMENTAL_API double facet_j3d_animation_curve(const facet_j3d_animation *document,
                                                        uint32_t set, uint32_t track, double frame,
                                                        double *slope);

#ifdef __cplusplus
}
#endif
#endif
