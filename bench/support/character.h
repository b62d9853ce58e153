/* bench/support/character.h - a rigged, animated character for benchmarks of conversions. */
#ifndef FACET_BENCH_CHARACTER_H
#define FACET_BENCH_CHARACTER_H

#include <facet/facet.h>

enum { BENCH_JOINTS = 60, BENCH_CLIPS = 20, BENCH_FRAMES = 60 };

/* Create a tube of about `triangles` triangles around a column of BENCH_JOINTS joints. BENCH_CLIPS
 * clips of BENCH_FRAMES frames bend it, at 30 frames per second. Exits if out of memory. */
facet_scene *bench_make_character(uint32_t triangles);

/* Save a scene in memory. Free the result with facet_output_free. */
facet_output *bench_save(const facet_scene *scene, const char *format);

#endif
