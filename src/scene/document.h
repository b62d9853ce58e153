/* scene/document.h - macros for the entry of a format with a document in the format table. They
 * define functions that differ only in the family's name. */
#ifndef FACET_SCENE_DOCUMENT_H
#define FACET_SCENE_DOCUMENT_H

#include "base/error.h"
#include "scene/format.h"

#define FACET_DOCUMENT_READ(family)                                                             \
    static facet_status read(const facet_source *source, const facet_load_options *load,        \
                             const facet_options *options, facet_scene **scene,                 \
                             facet_error *error)                                                \
    {                                                                                           \
        facet_##family *document = NULL;                                                        \
        TRY(facet_##family##_read(source, options, &document, error));                          \
        facet_status status = facet_##family##_to_scene(document, load, options, scene, error); \
        facet_##family##_free(document);                                                        \
        return status;                                                                          \
    }

/* For formats whose counts never differ from those of the scene. */
#define FACET_DOCUMENT_WRITE(family)                                                          \
    static facet_status write(const facet_scene *scene, const facet_options *options,         \
                              facet_output *output, facet_counts *counts, facet_error *error) \
    {                                                                                         \
        (void)counts;                                                                         \
        facet_##family *document = NULL;                                                      \
        TRY(facet_##family##_from_scene(scene, options, &document, error));                   \
        facet_status status = facet_##family##_write(document, options, output, error);       \
        facet_##family##_free(document);                                                      \
        return status;                                                                        \
    }

#define FACET_DOCUMENT_COPY(family)                                                     \
    static facet_status copy(const facet_source *source, const facet_options *options,  \
                             facet_output *output, facet_error *error)                  \
    {                                                                                   \
        facet_##family *document = NULL;                                                \
        TRY(facet_##family##_read(source, options, &document, error));                  \
        facet_status status = facet_##family##_write(document, options, output, error); \
        facet_##family##_free(document);                                                \
        return status;                                                                  \
    }

#endif
