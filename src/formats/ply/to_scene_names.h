/* formats/ply/to_scene_names.h - what the names of properties mean in a scene. */
#ifndef FACET_PLY_TO_SCENE_NAMES_H
#define FACET_PLY_TO_SCENE_NAMES_H

#include <facet/base.h>
#include <facet/ply.h>
#include <facet/scene.h>

/* A stream, and the names of its numbers. Where several lines tell of one stream,
 * the first whose names are all there counts. */
typedef struct facet_ply_stream_names {
    facet_semantic semantic;
    const char *names[4];
    uint32_t required; /* of the names, those without which there is no stream */
    uint32_t count;
} facet_ply_stream_names;

extern const facet_ply_stream_names facet_ply_streams[];
extern const size_t facet_ply_stream_count;

/* Find the properties that a stream's numbers are, and return how many there are: 0
 * when one of the required is missing or a list. */
uint32_t facet_ply_match(const facet_ply_element *element, const facet_ply_stream_names *names,
                         const facet_ply_property *found[4]);

/* What a whole number of a normal or a color is divided by, so that it reaches to 1;
 * 1 for real types. */
float facet_ply_unit(facet_ply_type type);
/* The same of a color: 1 for types of 32 bits and more, which facet_ply_settle_colors divides. */
float facet_ply_color_unit(facet_ply_type type);
/* Divide the numbers of `count` colors that are stored in types of 32 bits or more: by 255 when
 * they are bytes, which is reported, else integers by their largest. Alpha, the fourth of `width`,
 * may have another type and another range than the colors. */
void facet_ply_settle_colors(const facet_ply_property *const *found, float *values, size_t count,
                             uint32_t width, facet_report *report);

#endif
