/* bpx/bpx.h - what the files of this folder share. */
#ifndef FACET_BPX_BPX_H
#define FACET_BPX_BPX_H

#include "base/bytes.h"
#include "base/report.h"
#include "base/tree.h"
#include "scene/format.h"

#include <facet/bpx.h>

#define FACET_BPX_HEADER_SIZE 24
#define FACET_BPX_ENTRY_SIZE 16
#define FACET_BPX_FLAG_COMPRESSED 0x02

#define FACET_BPX_BONE_SIZE 68
#define FACET_BPX_MOST_BONES 1024
/* The head of FrameArray in the private profile, and a matrix. */
#define FACET_BPX_FRAMES_HEAD 8
#define FACET_BPX_MATRIX_SIZE 64
/* Sets of texture coordinates that are written. */
#define FACET_BPX_MOST_TEXCOORDS 4
/* Names beyond this are no engine paths: offsets into one long string must not
 * become as many long names. */
#define FACET_BPX_MOST_NAME 1024

/* Section types of version 0. */
enum { FACET_BPX_PIXELS = 0 };
enum {
    FACET_BPX_VERTEX_FORMAT = 0,
    FACET_BPX_VERTEX_ARRAY = 1,
    FACET_BPX_BONES = 2,
    FACET_BPX_FRAMES = 3,
    FACET_BPX_ANIMATIONS = 4,
    FACET_BPX_STRINGS = 5
};
enum {
    FACET_BPX_SHADER = 0,
    FACET_BPX_ASSEMBLY_DX = 1,
    FACET_BPX_ASSEMBLY_GL = 2,
    FACET_BPX_ASSEMBLY_LAST = 4
};

/* What a section type is called in a file of this type, or NULL. */
const char *facet_bpx_section_name(const facet_bpx *bpx, uint8_t type);

/* The view without refusing sections out of bounds: those come out empty. Only
 * what makes the table unreadable fails. */
facet_status facet_bpx_view_header(const uint8_t *data, size_t size, facet_bpx *bpx,
                                   facet_error *error);
/* What is wrong with the place of a section: a rule, and *error filled; or NULL. */
const char *facet_bpx_place_fault(const facet_bpx *bpx, uint32_t index, facet_error *error);

/* Checksums. */
uint32_t facet_bpx_crc_one_step(const uint8_t *data, size_t size);
uint32_t facet_bpx_byte_sum(const uint8_t *data, size_t size);

/* One section inflated into the arena. Plain ones are not copied. */
facet_status facet_bpx_inflate(facet_arena *arena, const facet_bpx *bpx,
                               const facet_bpx_section *section, facet_bpx_contents *contents,
                               facet_error *error);
/* The first `size` bytes of a section's contents, fewer when it has no more or
 * is damaged; returns how many. */
size_t facet_bpx_peek(const facet_bpx *bpx, const facet_bpx_section *section, uint8_t *bytes,
                      size_t size);

/* Three floats of unit length, within 1e-2. */
bool facet_bpx_is_unit(const uint8_t *at);

/* The string at an offset for use as a name: "" when there is none, and cut
 * after FACET_BPX_MOST_NAME bytes, where *cut tells. Not NUL-terminated then. */
const char *facet_bpx_name(const facet_bpx_contents *strings, uint32_t offset, size_t *length,
                           bool *cut);

/* Rules of the types; contents of damaged sections are NULL. */
void facet_bpx_check_texture(const facet_bpx_document *document, facet_report *report);
facet_status facet_bpx_check_model(const facet_bpx_document *document, facet_report *report,
                                   facet_error *error);
/* The names of a model: the offsets into Strings, and what stands there. */
facet_status facet_bpx_check_strings(const facet_bpx_document *document,
                                     const facet_bpx_model *model, facet_report *report,
                                     facet_error *error);
void facet_bpx_check_shaders(const facet_bpx_document *document, facet_report *report);

/* Trees of the types. */
facet_status facet_bpx_describe_model(const facet_bpx_document *document,
                                      facet_description *description, facet_error *error);
void facet_bpx_describe_texture(const facet_bpx_document *document, facet_description *description);
void facet_bpx_describe_shaders(const facet_bpx_document *document, facet_description *description);

/* The files in a package of version 1 or 2. */
facet_status facet_bpx_extract_package(const facet_bpx_document *document,
                                       const facet_extractor *to, facet_error *error);

/* Scenes. */
facet_status facet_bpx_texture_to_scene(const facet_bpx_document *document,
                                        const facet_options *options, facet_scene **scene,
                                        facet_error *error);
facet_status facet_bpx_texture_from_scene(const facet_scene *scene, const facet_options *options,
                                          facet_output *output, facet_error *error);
facet_status facet_bpx_model_to_scene(const facet_bpx_document *document,
                                      const facet_options *options, facet_scene **scene,
                                      facet_error *error);
/* What a model does not hold of a scene, as warnings. */
void facet_bpx_report_model_losses(const facet_scene *scene, bool has_bones,
                                   const facet_options *options);
facet_status facet_bpx_model_from_scene(const facet_scene *scene, const facet_options *options,
                                        facet_output *output, facet_error *error);

/* The members of facet_format_bpx that have a file of their own. */
facet_status facet_bpx_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);
facet_status facet_bpx_describe(const facet_source *source, const facet_options *options,
                                facet_description *description, facet_error *error);
facet_status facet_bpx_extract(const facet_source *source, const facet_options *options,
                               const facet_extractor *extractor, facet_error *error);

/* A document's sections of one type: the first, and how many there are. */
static inline uint32_t facet_bpx_count(const facet_bpx *bpx, uint8_t type, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bpx->section_count; i++) {
        if (facet_bpx_section_at(bpx, i).type == type && count++ == 0)
            *first = i;
    }
    return count;
}

#endif
