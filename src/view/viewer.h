/* view/viewer.h - the viewer without its window: events go in, pixels come out. It draws with
 * src/render and takes no display. */
#ifndef FACET_VIEW_VIEWER_H
#define FACET_VIEW_VIEWER_H

#include "view/host.h"
#include "view/window.h"

typedef struct facet_viewer facet_viewer;

typedef struct facet_view_settings {
    facet_render_options render; /* how it begins; width and height are those of the window */
    const char *clip;            /* an animation, by name or number; NULL: the first, if any */
    bool rests;                  /* begin at rest, whatever animations there are */
    bool plays;                  /* begin playing */
    bool compares;               /* begin with the first two side by side */
    bool watches;                /* read files again when they change */
    const char *screenshot;      /* of the key; NULL: a free name in the current folder */
} facet_view_settings;

facet_status facet_viewer_create(const facet_view_host *host, const facet_view_settings *settings,
                                 const facet_options *options, facet_viewer **viewer,
                                 facet_error *error);
/* NULL is fine. */
void facet_viewer_free(facet_viewer *viewer);

/* Add something to look at, after the others. */
facet_status facet_viewer_add(facet_viewer *viewer, const facet_view_files *files,
                              facet_error *error);
/* Open the first. The error is that of its files. */
facet_status facet_viewer_open(facet_viewer *viewer, facet_error *error);

/* What a window reports. */
void facet_viewer_handle(facet_viewer *viewer, const facet_window_event *event);
/* Ask this while a picture is refined: true stops it, for something happened. */
void facet_viewer_set_interrupt(facet_viewer *viewer, bool (*interrupt)(void *user), void *user);
/* Draw what is new into RGBA of so many pixels; true when they changed. *wait is how many
 * milliseconds later there is something to do without an event. */
bool facet_viewer_step(facet_viewer *viewer, uint8_t *pixels, int width, int height, int *wait);
bool facet_viewer_is_done(const facet_viewer *viewer);
/* A line for the title of the window. */
void facet_viewer_title(facet_viewer *viewer, char *title, size_t space);

/* Draw the picture of `facet render` at the camera of now and save it as `path`. */
facet_status facet_viewer_save(facet_viewer *viewer, const char *path, int width, int height,
                               facet_error *error);

/* Times in milliseconds of frames that are drawn while the camera turns around once, at 1 sample
 * and full size; `times` has `count`. `pixels` as in facet_viewer_step. */
facet_status facet_viewer_measure(facet_viewer *viewer, uint8_t *pixels, int width, int height,
                                  unsigned count, double *times, facet_error *error);
uint64_t facet_viewer_triangles(facet_viewer *viewer);

/* Show a viewer in a window until it is closed. */
void facet_view_run(facet_viewer *viewer, const facet_window_functions *functions,
                    facet_window *window);

#endif
