/* view/state.h - declarations that the files of the viewer share. */
#ifndef FACET_VIEW_STATE_H
#define FACET_VIEW_STATE_H

#include "view/canvas.h"
#include "view/model.h"
#include "view/orbit.h"
#include "view/viewer.h"

/* A model to view, loaded while it is shown. */
typedef struct facet_view_entry {
    char **paths;
    size_t path_count;
    facet_view_model *model;
    bool with_normals;
    int64_t changed,
        seen_change;        /* of the files together: when they were read, and at the last look */
    facet_report *findings; /* findings about the first path; NULL: not checked yet */
} facet_view_entry;

typedef enum facet_view_panel {
    FACET_PANEL_NONE,
    FACET_PANEL_HELP,
    FACET_PANEL_ANIMATIONS,
    FACET_PANEL_NODES,
    FACET_PANEL_MATERIALS,
    FACET_PANEL_TEXTURES,
    FACET_PANEL_FINDINGS,
    FACET_PANEL_STATISTICS,
    FACET_PANEL_COUNT
} facet_view_panel;

typedef enum facet_view_layout {
    FACET_LAYOUT_ONE,
    FACET_LAYOUT_BOTH,      /* side by side */
    FACET_LAYOUT_FLICKER,   /* one after the other, at the same position */
    FACET_LAYOUT_DIFFERENCE /* the first, colored by its distance from the second */
} facet_view_layout;

/* Picture of a model in a part of the window. */
typedef struct facet_view_pane {
    facet_view_model *model;
    int x, width;
    facet_picture picture;
    bool has_picture;
} facet_view_pane;

/* Triangle or mesh of a finding. */
typedef struct facet_view_mark {
    bool is_set;
    uint32_t mesh, face; /* face FACET_NONE: the whole mesh */
} facet_view_mark;

/* Distances of a scene from another one. */
typedef struct facet_view_distances {
    double greatest;
    uint64_t given_up; /* searches that ended early: the distance may be less */
} facet_view_distances;

struct facet_viewer {
    facet_view_host host;
    facet_options options;
    facet_view_settings settings;
    facet_view_entry *entries;
    size_t entry_count, entry_space, current;
    bool has_listed; /* the folder of the only path was listed */
    /* The content of the picture. */
    int width, height;
    facet_render_options render;
    facet_render_camera camera; /* camera that render.camera points to */
    facet_orbit orbit;
    bool has_camera; /* otherwise fit the camera to the next picture */
    double light[3];
    unsigned background; /* index into facet_view_backgrounds */
    bool grid;
    facet_view_layout layout;
    bool flicker_second;
    double flickered;
    facet_view_model *difference;
    facet_view_distances distances; /* that it shows */
    char error_text[512];           /* error of a file that could not be opened */
    /* Progress of a picture. */
    facet_view_pane panes[2];
    int pane_count;
    bool is_dirty;       /* a new picture is needed */
    bool is_overlay_new; /* only a new overlay is needed */
    int quality;         /* of the picture: 0 none, 1 while moving, 2: 4 samples, 3: 16 samples */
    int divisor;         /* while moving, one drawn pixel has this many window pixels on a side */
    double moved;        /* time when is_dirty was last set */
    double frame_milliseconds;
    bool (*interrupt)(void *user);
    void *interrupt_user;
    /* Members for time. */
    uint32_t clip; /* FACET_NONE: at rest */
    double time, speed, ticked;
    bool is_playing;
    /* Members for the overlay. */
    facet_view_panel panel;
    int selected[FACET_PANEL_COUNT], scrolled[FACET_PANEL_COUNT];
    bool hides_overlay;
    facet_view_mark mark;
    char message[512];
    double message_time;
    /* Members for the keyboard: directions whose keys are held. */
    bool held[6];
    double walked;
    double looked; /* last check for changed files */
    unsigned shots;
    bool is_done;
};

/* state.c */
facet_view_entry *facet_view_current(facet_viewer *viewer);
facet_view_model *facet_view_model_of(facet_viewer *viewer);
void facet_view_touch(facet_viewer *viewer);         /* request a new picture */
void facet_view_touch_overlay(facet_viewer *viewer); /* request a new overlay */
void facet_view_say(facet_viewer *viewer, const char *format, ...) FACET_PRINTF(2, 3);
bool facet_view_shows_both(const facet_viewer *viewer);
/* The entry that is compared with the current one. */
size_t facet_view_second(const facet_viewer *viewer);

/* Window pixels per dot of a letter. */
int facet_view_scale(const facet_viewer *viewer);

/* entries.c: the models to view. */
void facet_view_go(facet_viewer *viewer, int by);
void facet_view_show_entry(facet_viewer *viewer, size_t index);
/* Open the models that the layout shows. False, and a message, if the first cannot be opened. */
bool facet_view_open_shown(facet_viewer *viewer);
void facet_view_reload(facet_viewer *viewer, facet_view_entry *entry);
void facet_view_watch(facet_viewer *viewer, double now);
void facet_view_close_entry(facet_view_entry *entry);
void facet_view_free_entries(facet_viewer *viewer);

/* difference.c: the first scene, colored by its distance from the second. The largest distance
 * has the last color. */
facet_status facet_view_make_difference(const facet_scene *first, const facet_scene *second,
                                        const facet_options *options, facet_view_model **model,
                                        facet_view_distances *found, facet_error *error);
/* Color of a distance, given as a share of the limit; sRGB. */
void facet_view_difference_color(double share, uint8_t rgb[3]);

/* findings.c */
void facet_view_find(facet_viewer *viewer); /* check the file, once */
void facet_view_jump(facet_viewer *viewer, size_t finding);
/* Find the element that a finding is about: false if it is not in the scene. */
bool facet_view_find_element(const facet_scene *scene, const facet_finding *finding,
                             facet_view_mark *mark);

/* actions.c */
void facet_view_select(facet_viewer *viewer, int by);
void facet_view_activate(facet_viewer *viewer);

/* panels.c: the overlay. */
int facet_view_item_count(facet_viewer *viewer);
void facet_view_draw_overlay(facet_viewer *viewer, const facet_canvas *canvas);
/* Panel item at a point of the window, or -1; position on the timeline from 0 to 1, or -1. */
int facet_view_item_at(facet_viewer *viewer, int x, int y);
double facet_view_timeline_at(facet_viewer *viewer, int x, int y);
int facet_view_visible_items(const facet_viewer *viewer);

typedef struct facet_view_background {
    const char *name;
    bool is_checked; /* transparent, shown as checks */
    uint8_t color[4];
} facet_view_background;
enum { FACET_VIEW_BACKGROUNDS = 5 };
extern const facet_view_background facet_view_backgrounds[FACET_VIEW_BACKGROUNDS];

#endif
