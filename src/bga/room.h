/* bga/room.h - what the files of this room share beyond the view. */
#ifndef FACET_BGA_ROOM_H
#define FACET_BGA_ROOM_H

#include "scene/format.h"

#include <facet/bga.h>
#include <stdarg.h>

/* For a facet_bga_listener whose user is a facet_report: add all that is heard
 * to it, or all but errors. */
void facet_bga_hear(void *user, const char *rule, facet_severity severity, uint64_t offset,
                    const char *format, va_list arguments) FACET_PRINTF(5, 0);
void facet_bga_hear_remarks(void *user, const char *rule, facet_severity severity, uint64_t offset,
                            const char *format, va_list arguments) FACET_PRINTF(5, 0);

/* The members of facet_format_bga. */
facet_status facet_bga_read_scene(const facet_source *source, const facet_load_options *load,
                                  const facet_options *options, facet_scene **scene,
                                  facet_error *error);
facet_status facet_bga_write_scene(const facet_scene *scene, const facet_options *options,
                                   facet_output *output, facet_error *error);
facet_status facet_bga_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);
facet_status facet_bga_describe(const facet_source *source, const facet_options *options,
                                facet_description *description, facet_error *error);
facet_status facet_bga_copy(const facet_source *source, const facet_options *options,
                            facet_output *output, facet_error *error);

#endif
