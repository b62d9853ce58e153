/* scene/format.h - the interface between a format folder and the format table. Each folder's
 * format.c defines one `const struct facet_format`, declared at the end of this file;
 * convert/table.c lists them. */
#ifndef FACET_SCENE_FORMAT_H
#define FACET_SCENE_FORMAT_H

#include <facet/format.h>
#include <facet/scene.h>

/* Counts of a written file, if they differ from its scene: a writer may drop faces or repeat
 * vertices. */
typedef struct facet_counts {
    bool known;
    uint64_t faces, vertices;
} facet_counts;

/* Ways in which 'facet pack' creates a file. */
enum facet_pack_job {
    FACET_PACK_NONE,
    FACET_PACK_ARCHIVE,   /* from the files of a folder */
    FACET_PACK_ANIMATION, /* from the JSON of an animation */
    FACET_PACK_CONTAINER  /* from images, shaders or files */
};

struct facet_format {
    const char *name;
    const char *title;
    const char *const *extensions; /* NULL-terminated, with the dot, lower case */
    unsigned needs;                /* facet_need bits */
    const char *absent;            /* library that the format needs and this build lacks; NULL:
                                      none */

    bool folder; /* an archive: paths may lead into it */
    bool image;  /* a texture: its scenes have no meshes */

    const char *family; /* formats of one family can be copied to one another; NULL: only to
                           itself */

    uint32_t max_texture_side; /* maximum side of its textures, which must be powers of two; 0:
                                  any size */
    bool levels;               /* can store levels of detail of a mesh */
    bool poses;                /* copies get the pose of animations: facet_j3d_options.poses */
    bool is_decimal;           /* positions in a text file are decimal numbers */
    bool is_z_up;              /* z is up when rendered, because its files do not record axes */
    /* Key of the described detail that is about compression, not content: differences there are
     * notes. NULL: none. */
    const char *compression;
    /* Keys of described lists of texts whose order has no meaning; NULL-terminated, or NULL. */
    const char *const *sets;
    /* Rules of its check that name data which its reader leaves out without a warning;
     * NULL-terminated, or NULL. */
    const char *const *unread_rules;
    const char *const *image_types; /* media types that it can store besides PNG and JPEG;
                                       NULL-terminated, or NULL */

    enum facet_pack_job pack; /* way in which 'facet pack' creates a file of the format */
    int kind;                 /* parameter of `pack`: a facet_archive_kind or a
                                 facet_j3d_animation_kind */

    /* Confidence that the bytes are of this format. 0: no, 100: a magic number, 101: one with a
     * checksum. Text formats return values in between, based on the beginning of the text. */
    int (*probe)(const facet_source *source);

    /* Operations; NULL: not supported. Their contracts are those of facet_load, facet_save,
     * facet_check and facet_describe. */
    facet_status (*read)(const facet_source *source, const facet_load_options *load,
                         const facet_options *options, facet_scene **scene, facet_error *error);
    /* Read with facet_load_options.max_clusters. */
    facet_status (*read_clustered)(const facet_source *source, const facet_load_options *load,
                                   const facet_options *options, facet_scene **scene,
                                   facet_error *error);
    /* Find this family's data in the extras of a scene that any format read. */
    facet_status (*restore)(facet_scene *scene, const facet_options *options, facet_error *error);
    /* Add an animation to the scene that was read from `model`, a file of another format of the
     * family. The contract is that of facet_load_animation. */
    facet_status (*add)(const facet_source *source, const facet_source *model,
                        const facet_options *options, facet_scene *scene, facet_error *error);
    /* `counts` may be NULL. */
    facet_status (*write)(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error);
    facet_status (*check)(const facet_source *source, const facet_options *options,
                          facet_report *report, facet_error *error);
    /* Complete a description: everything except arena, format and bytes. */
    facet_status (*describe)(const facet_source *source, const facet_options *options,
                             facet_description *description, facet_error *error);
    /* Read any format of the family into its document and write that as this format: data that both
     * can store is kept. */
    facet_status (*copy)(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error);
    /* True if a copy repairs errors of the source and reports them; NULL: never. */
    bool (*repairs)(const facet_options *options);
    /* Extract the parts of a file; NULL: facet_extract writes the images of the scene. */
    facet_status (*extract)(const facet_source *source, const facet_options *options,
                            const facet_extractor *extractor, facet_error *error);
};

/* True if files of the format store meshes: not for textures and animations. */
static inline bool facet_format_has_meshes(const facet_format *format)
{
    return !format->image && format->pack != FACET_PACK_ANIMATION;
}

/* Marks functions that write, extract or cluster. A build that only reads (FACET_READ_ONLY) leaves
 * them out. */
#ifdef FACET_READ_ONLY
#define FACET_WRITER(function) (0 ? (function) : NULL)
#else
#define FACET_WRITER(function) function
#endif

extern const facet_format facet_format_3ds, facet_format_assimp, facet_format_dae, facet_format_fbx;
extern const facet_format facet_format_rarc, facet_format_u8, facet_format_zip, facet_format_tar;
extern const facet_format facet_format_bga;
extern const facet_format facet_format_bmd, facet_format_bdl, facet_format_bmt;
extern const facet_format facet_format_bck, facet_format_bca, facet_format_btk, facet_format_brk,
    facet_format_bpk, facet_format_bpa, facet_format_btp, facet_format_bva, facet_format_blk,
    facet_format_bla, facet_format_bxk, facet_format_bxa;
extern const facet_format facet_format_dff;
extern const facet_format facet_format_binarymesh;
extern const facet_format facet_format_bpx;
extern const facet_format facet_format_bsm;
extern const facet_format facet_format_bti;
extern const facet_format facet_format_glb;
extern const facet_format facet_format_gltf;
extern const facet_format facet_format_iqm;
extern const facet_format facet_format_obj;
extern const facet_format facet_format_ply;
extern const facet_format facet_format_stl;
extern const facet_format facet_format_png, facet_format_jpeg, facet_format_tga, facet_format_bmp,
    facet_format_psd, facet_format_hdr;

#endif
