/* view/state.h - what the files of the viewer share. */
#ifndef FACET_VIEW_STATE_H
#define FACET_VIEW_STATE_H

#include "view/canvas.h"
#include "view/model.h"
#include "view/orbit.h"
#include "view/viewer.h"

/* One thing to look at, and its model while it is shown. */
typedef struct facet_view_entry {
    char **paths;
    size_t path_count;
    facet_view_model *model;
    bool with_normals;
    int64_t changed,
        seen_change;        /* of the files together: when they were read, and at the last look */
    facet_report *findings; /* of the first path; NULL: not yet looked for */
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
    FACET_LAYOUT_FLICKER,   /* in one place, in turn */
    FACET_LAYOUT_DIFFERENCE /* the first, colored by its distance from the second */
} facet_view_layout;

/* A picture of a model in a part of the window. */
typedef struct facet_view_pane {
    facet_view_model *model;
    int x, width;
    facet_picture picture;
    bool has_picture;
} facet_view_pane;

/* The triangle or mesh that a finding is about. */
typedef struct facet_view_mark {
    bool is_set;
    uint32_t mesh, face; /* face FACET_NONE: the whole mesh */
} facet_view_mark;

struct facet_viewer {
    facet_view_host host;
    facet_options options;
    facet_view_settings settings;
    facet_view_entry *entries;
    size_t entry_count, entry_space, current;
    bool has_listed; /* the folder of the only path */
    /* What is drawn, and how. */
    int width, height;
    facet_render_options render;
    facet_render_camera camera; /* that render.camera points to */
    facet_orbit orbit;
    bool has_camera; /* else the next picture is fitted */
    double light[3];
    unsigned background; /* of facet_view_backgrounds */
    bool grid;
    facet_view_layout layout;
    bool flicker_second;
    double flickered;
    facet_view_model *difference;
    double difference_limit; /* distance of the last color */
    char error_text[512];    /* of a file that could not be opened */
    /* Progress of a picture. */
    facet_view_pane panes[2];
    int pane_count;
    bool is_dirty;       /* another picture is needed */
    bool is_overlay_new; /* or only what lies over it */
    int quality;         /* of the picture: 0 none, 1 while moving, 2 of 4 samples, 3 of 16 */
    int divisor;         /* pixels of the window on a side of one that is drawn while moving */
    double moved;        /* when it was dirty for the last time */
    double frame_milliseconds;
    bool (*interrupt)(void *user);
    void *interrupt_user;
    /* Time. */
    uint32_t clip; /* FACET_NONE: at rest */
    double time, speed, ticked;
    bool is_playing;
    /* The overlay. */
    facet_view_panel panel;
    int selected[FACET_PANEL_COUNT], scrolled[FACET_PANEL_COUNT];
    bool hides_overlay;
    facet_view_mark mark;
    char message[512];
    double message_time;
    /* The keyboard: directions that are held. */
    bool held[6];
    double walked;
    double looked; /* for changed files */
    unsigned shots;
    bool is_done;
};

/* state.c */
facet_view_entry *facet_view_current(facet_viewer *viewer);
facet_view_model *facet_view_model_of(facet_viewer *viewer);
void facet_view_touch(facet_viewer *viewer);         /* another picture is needed */
void facet_view_touch_overlay(facet_viewer *viewer); /* another overlay */
void facet_view_say(facet_viewer *viewer, const char *format, ...) FACET_PRINTF(2, 3);
bool facet_view_shows_both(const facet_viewer *viewer);
/* The one that is compared with the current one. */
size_t facet_view_second(const facet_viewer *viewer);

/* Pixels of the window for a dot of a letter. */
int facet_view_scale(const facet_viewer *viewer);

/* entries.c: the things to look at. */
void facet_view_go(facet_viewer *viewer, int by);
void facet_view_show_entry(facet_viewer *viewer, size_t index);
/* Open what the layout shows and is not open; false, and a message, when the first is not. */
bool facet_view_open_shown(facet_viewer *viewer);
void facet_view_reload(facet_viewer *viewer, facet_view_entry *entry);
void facet_view_watch(facet_viewer *viewer, double now);
void facet_view_close_entry(facet_view_entry *entry);
void facet_view_free_entries(facet_viewer *viewer);

/* difference.c: the first scene, colored by its distance from the second. *limit is the distance of
 * the last color: the greatest that was found. */
facet_status facet_view_make_difference(const facet_scene *first, const facet_scene *second,
                                        const facet_options *options, facet_view_model **model,
                                        double *limit, facet_error *error);
/* The color of a distance, as a share of the limit; sRGB. */
void facet_view_difference_color(double share, uint8_t rgb[3]);

/* findings.c */
void facet_view_find(facet_viewer *viewer); /* check the file, once */
void facet_view_jump(facet_viewer *viewer, size_t finding);
/* The element that a finding is about: false when that is nothing of the scene. */
bool facet_view_place_of(const facet_scene *scene, const facet_finding *finding,
                         facet_view_mark *mark);

/* actions.c */
void facet_view_select(facet_viewer *viewer, int by);
void facet_view_activate(facet_viewer *viewer);

/* panels.c: what lies over the picture. */
int facet_view_item_count(facet_viewer *viewer);
void facet_view_draw_overlay(facet_viewer *viewer, const facet_canvas *canvas);
/* The item of the panel at a point of the window, or -1; the share of the timeline there, or -1. */
int facet_view_item_at(facet_viewer *viewer, int x, int y);
double facet_view_timeline_at(facet_viewer *viewer, int x, int y);
int facet_view_visible_items(const facet_viewer *viewer);

typedef struct facet_view_background {
    const char *name;
    bool is_checked; /* transparent */
    uint8_t color[4];
} facet_view_background;
enum { FACET_VIEW_BACKGROUNDS = 5 };
extern const facet_view_background facet_view_backgrounds[FACET_VIEW_BACKGROUNDS];

#endif
