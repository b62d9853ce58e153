/* bench/support/character.h - a rigged, animated character to measure conversions with. */
#ifndef FACET_BENCH_CHARACTER_H
#define FACET_BENCH_CHARACTER_H

#include <facet/facet.h>

enum { BENCH_JOINTS = 60, BENCH_CLIPS = 20, BENCH_FRAMES = 60 };

/* A tube of `triangles` triangles around a column of BENCH_JOINTS joints, with BENCH_CLIPS clips of
 * BENCH_FRAMES frames that bend it, 30 a second. Ends the program when memory is not enough. */
facet_scene *bench_make_character(uint32_t triangles);

/* A scene in the bytes of a format. Free with facet_output_free. */
facet_output *bench_save(const facet_scene *scene, const char *format);

#endif
