/* view/viewer.h - the viewer without its window: it receives events and returns pixels. It draws
 * with src/render and needs no display. */
#ifndef FACET_VIEW_VIEWER_H
#define FACET_VIEW_VIEWER_H

#include "view/host.h"
#include "view/window.h"

typedef struct facet_viewer facet_viewer;

typedef struct facet_view_settings {
    facet_render_options render; /* initial options; width and height are those of the window */
    const char *clip;            /* animation, by name or number; NULL: the first, if any */
    bool rests;                  /* start at rest, even if animations exist */
    bool plays;                  /* start playing */
    bool compares;               /* start with the first two models side by side */
    bool watches;                /* read files again after changes */
    const char *screenshot;      /* path of screenshots; NULL: a free name in the current folder */
} facet_view_settings;

facet_status facet_viewer_create(const facet_view_host *host, const facet_view_settings *settings,
                                 const facet_options *options, facet_viewer **viewer,
                                 facet_error *error);
/* `viewer` may be NULL. */
void facet_viewer_free(facet_viewer *viewer);

/* Append a model to the list. */
facet_status facet_viewer_add(facet_viewer *viewer, const facet_view_files *files,
                              facet_error *error);
/* Open the first model. The error is about its files. */
facet_status facet_viewer_open(facet_viewer *viewer, facet_error *error);

/* Handle an event of the window. */
void facet_viewer_handle(facet_viewer *viewer, const facet_window_event *event);
/* Set a function that is called while a picture is refined: true stops the refinement, because an
 * event arrived. */
void facet_viewer_set_interrupt(facet_viewer *viewer, bool (*interrupt)(void *user), void *user);
/* Draw changes into RGBA of the given size; true if pixels changed. *wait is the number of
 * milliseconds until the next timed action. */
bool facet_viewer_step(facet_viewer *viewer, uint8_t *pixels, int width, int height, int *wait);
bool facet_viewer_is_done(const facet_viewer *viewer);
/* Title for the window. */
void facet_viewer_title(facet_viewer *viewer, char *title, size_t space);

/* Draw the picture of `facet render` with the current camera, and save it as `path`. */
facet_status facet_viewer_save(facet_viewer *viewer, const char *path, int width, int height,
                               facet_error *error);

/* Measure `count` frames, in milliseconds, while the camera turns around once, with 1 sample and at
 * full size. `pixels` as in facet_viewer_step. */
facet_status facet_viewer_measure(facet_viewer *viewer, uint8_t *pixels, int width, int height,
                                  unsigned count, double *times, facet_error *error);
uint64_t facet_viewer_triangles(facet_viewer *viewer);

/* Show a viewer in a window until it is closed. */
void facet_view_run(facet_viewer *viewer, const facet_window_functions *functions,
                    facet_window *window);

#endif
