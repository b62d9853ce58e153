/* formats/j3d/format_animation.c - lines of the format table for animations. All use one reader. */
#include "base/error.h"
#include "formats/j3d/animation/animation.h"

#include "scene/format.h"
#include <stdio.h>
#include <string.h>

/* Error of BCA to BCK, in the unit of the animated value: the size of float errors. */
#define TOLERANCE 1e-4

static int probe(const facet_source *source, facet_j3d_animation_kind kind)
{
    const facet_j3d_animation_format *format =
        facet_j3d_animation_format_at(source->data, source->size);
    return format && format->kind == kind ? 100 : 0;
}

static facet_status copy(const facet_source *source, facet_j3d_animation_kind kind,
                         const facet_options *options, facet_output *output, facet_error *error)
{
    facet_j3d_animation *document = NULL, *converted = NULL;
    TRY(facet_j3d_animation_read(source, options, &document, error));
    facet_status status = FACET_OK;
    if (document->kind != kind)
        status = facet_j3d_animation_convert(document, kind, TOLERANCE, options, &converted, error);
    if (!status)
        status =
            facet_j3d_animation_write(converted ? converted : document, options, output, error);
    facet_j3d_animation_free(converted);
    facet_j3d_animation_free(document);
    return status;
}

/* -- To and from the scene of a model ----------------------------------- */

static facet_status add(const facet_source *source, const facet_source *model,
                        const facet_options *options, facet_scene *scene, facet_error *error)
{
    facet_j3d_animation *document = NULL;
    facet_j3d *of = NULL;
    facet_options quiet = options ? *options : (facet_options){0};
    quiet.report = NULL; /* findings about the model were reported when it was loaded */
    facet_status status = facet_j3d_animation_read(source, options, &document, error);
    if (!status)
        status = facet_j3d_read(model, &quiet, &of, error);
    if (!status)
        status = facet_j3d_animation_to_scene(document, of, options, scene, error);
    facet_j3d_free(of);
    facet_j3d_animation_free(document);
    return status;
}

/* The animation with the name of the file, if the scene has several. */
static const char *clip_of(const facet_scene *scene, const facet_output *output, char stem[256])
{
    snprintf(stem, 256, "%s", facet_output_name(output));
    char *dot = strrchr(stem, '.');
    if (dot && dot > stem)
        *dot = '\0';
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        if (strcmp(scene->animations[i]->name, stem) == 0)
            return stem;
    }
    return NULL;
}

static facet_status write(const facet_scene *scene, facet_j3d_animation_kind kind,
                          const facet_options *options, facet_output *output, facet_error *error)
{
    char stem[256];
    facet_options with = options ? *options : (facet_options){0};
    facet_j3d_options j3d = with.j3d ? *with.j3d : (facet_j3d_options){0};
    facet_j3d_animation *document = NULL;
    if (!j3d.clip && scene->animation_count > 1)
        j3d.clip = clip_of(scene, output, stem);
    with.j3d = &j3d;
    facet_status status = facet_j3d_animation_from_scene(scene, kind, &with, &document, error);
    if (!status)
        status = facet_j3d_animation_write(document, options, output, error);
    facet_j3d_animation_free(document);
    return status;
}

/* -- The table's lines -------------------------------------------------- */

/* Kinds of one family can be copied to one another. */
#define FORMAT(word, KIND, meaning, related)                                                  \
    static int probe_##word(const facet_source *source)                                       \
    {                                                                                         \
        return probe(source, KIND);                                                           \
    }                                                                                         \
    static facet_status copy_##word(const facet_source *source, const facet_options *options, \
                                    facet_output *output, facet_error *error)                 \
    {                                                                                         \
        return copy(source, KIND, options, output, error);                                    \
    }                                                                                         \
    static facet_status write_##word(const facet_scene *scene, const facet_options *options,  \
                                     facet_output *output, facet_counts *counts,              \
                                     facet_error *error)                                      \
    {                                                                                         \
        (void)counts;                                                                         \
        return write(scene, KIND, options, output, error);                                    \
    }                                                                                         \
    static const char *const word##_extensions[] = {"." #word, NULL};                         \
    const facet_format facet_format_##word = {                                                \
        .name = #word,                                                                        \
        .title = meaning,                                                                     \
        .extensions = word##_extensions,                                                      \
        .family = related,                                                                    \
        .pack = FACET_PACK_ANIMATION,                                                         \
        .kind = KIND,                                                                         \
        .probe = probe_##word,                                                                \
        .check = facet_j3d_animation_check,                                                   \
        .describe = facet_j3d_animation_fill_description,                                     \
        .add = add,                                                                           \
        .write = FACET_WRITER(write_##word),                                                  \
        .copy = FACET_WRITER(copy_##word),                                                    \
        .extract = FACET_WRITER(facet_j3d_animation_extract),                                 \
    }

FORMAT(bck, FACET_J3D_BCK, "J3D animation of joints, keys", "j3d joint animation");
FORMAT(bca, FACET_J3D_BCA, "J3D animation of joints, per frame", "j3d joint animation");
FORMAT(btk, FACET_J3D_BTK, "J3D animation of texture matrices", "btk");
FORMAT(brk, FACET_J3D_BRK, "J3D animation of TEV colors", "brk");
FORMAT(bpk, FACET_J3D_BPK, "J3D animation of material colors, keys", "j3d color animation");
FORMAT(bpa, FACET_J3D_BPA, "J3D animation of material colors, per frame", "j3d color animation");
FORMAT(btp, FACET_J3D_BTP, "J3D animation of texture choice", "btp");
FORMAT(bva, FACET_J3D_BVA, "J3D animation of visibility", "bva");
FORMAT(blk, FACET_J3D_BLK, "J3D animation of clusters, keys", "j3d cluster animation");
FORMAT(bla, FACET_J3D_BLA, "J3D animation of clusters, per frame", "j3d cluster animation");
FORMAT(bxk, FACET_J3D_BXK, "J3D animation of vertex colors, keys", "j3d vertex animation");
FORMAT(bxa, FACET_J3D_BXA, "J3D animation of vertex colors, per frame", "j3d vertex animation");
