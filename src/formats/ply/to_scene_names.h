/* formats/ply/to_scene_names.h - the meaning of property names in a scene. */
#ifndef FACET_PLY_TO_SCENE_NAMES_H
#define FACET_PLY_TO_SCENE_NAMES_H

#include <facet/base.h>
#include <facet/ply.h>
#include <facet/scene.h>

/* A stream and the names of its components. If several lines have the same stream, the first whose
 * names all exist applies. */
typedef struct facet_ply_stream_names {
    facet_semantic semantic;
    const char *names[4];
    uint32_t required; /* number of names that must exist */
    uint32_t count;
} facet_ply_stream_names;

extern const facet_ply_stream_names facet_ply_streams[];
extern const size_t facet_ply_stream_count;

/* Find the properties of a stream's components. Returns their number: 0 if a required one is
 * missing or a list. */
uint32_t facet_ply_match(const facet_ply_element *element, const facet_ply_stream_names *names,
                         const facet_ply_property *found[4]);

/* Divisor that scales an integer normal or color to at most 1; 1 for floating-point types. */
float facet_ply_unit(facet_ply_type type);
/* The same for a color, but 1 for types of 32 bits and more, which facet_ply_scale_colors
 * divides. */
float facet_ply_color_unit(facet_ply_type type);
/* Divide the components of `count` colors that are stored in types of 32 bits or more. If they are
 * bytes, by 255, which is reported; else integers by their maximum. Alpha, the fourth of `width`,
 * can have another type and range than the colors. */
void facet_ply_scale_colors(const facet_ply_property *const *found, float *values, size_t count,
                            uint32_t width, facet_report *report);

#endif
