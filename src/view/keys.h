/* view/keys.h - the action of each key: the table that help and documentation are generated
 * from. */
#ifndef FACET_VIEW_KEYS_H
#define FACET_VIEW_KEYS_H

#include "view/window.h"

typedef enum facet_view_action {
    FACET_ACTION_NONE,
    FACET_ACTION_HELP,
    FACET_ACTION_CLOSE,
    FACET_ACTION_FIT,
    FACET_ACTION_FRONT,
    FACET_ACTION_BACK,
    FACET_ACTION_LEFT,
    FACET_ACTION_RIGHT,
    FACET_ACTION_TOP,
    FACET_ACTION_BOTTOM,
    FACET_ACTION_ISO,
    FACET_ACTION_ORTHOGRAPHIC,
    FACET_ACTION_FORWARD, /* these six are active while the key is held */
    FACET_ACTION_STEP_LEFT,
    FACET_ACTION_BACKWARD,
    FACET_ACTION_STEP_RIGHT,
    FACET_ACTION_DOWN,
    FACET_ACTION_UP,
    FACET_ACTION_MODE,
    FACET_ACTION_MODE_BEFORE,
    FACET_ACTION_WIREFRAME,
    FACET_ACTION_HULLS,
    FACET_ACTION_OCCLUDER,
    FACET_ACTION_BACKGROUND,
    FACET_ACTION_GRID,
    FACET_ACTION_LIGHT,
    FACET_ACTION_PLAY,
    FACET_ACTION_FRAME_BACK,
    FACET_ACTION_FRAME_ON,
    FACET_ACTION_SLOWER,
    FACET_ACTION_FASTER,
    FACET_ACTION_REWIND,
    FACET_ACTION_CLIP,
    FACET_ACTION_CLIP_BEFORE,
    FACET_ACTION_NEXT,
    FACET_ACTION_PREVIOUS,
    FACET_ACTION_RELOAD,
    FACET_ACTION_COMPARE,
    FACET_ACTION_SWAP,
    FACET_ACTION_SCREENSHOT,
    FACET_ACTION_OVERLAY,
    FACET_ACTION_PANEL_ANIMATIONS,
    FACET_ACTION_PANEL_NODES,
    FACET_ACTION_PANEL_MATERIALS,
    FACET_ACTION_PANEL_TEXTURES,
    FACET_ACTION_PANEL_FINDINGS,
    FACET_ACTION_PANEL_STATISTICS,
    FACET_ACTION_SELECT_NEXT,
    FACET_ACTION_SELECT_PREVIOUS,
    FACET_ACTION_ACTIVATE,
    FACET_ACTION_HIDE,
    FACET_ACTION_ISOLATE,
    FACET_ACTION_SHOW_ALL
} facet_view_action;

typedef struct facet_view_key {
    uint32_t key;
    bool shift, control;
    facet_view_action action;
    const char *name; /* "F1"; NULL: another key for the line above */
    const char *help; /* NULL: the same as above */
} facet_view_key;

/* Ends with a key of 0. */
extern const facet_view_key facet_view_keys[];

facet_view_action facet_view_action_of(const facet_window_event *event);

#endif
