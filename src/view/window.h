/* view/window.h - functions that a window provides for the viewer: it returns events and shows
 * pictures. The module facet-sdl (view/module.c) fills the table; tests fill another one. */
#ifndef FACET_VIEW_WINDOW_H
#define FACET_VIEW_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Keys: the letters that they type without shift, or these. */
typedef enum facet_window_key {
    FACET_KEY_ESCAPE = 27,
    FACET_KEY_ENTER = 13,
    FACET_KEY_TAB = 9,
    FACET_KEY_LEFT = 0x10000,
    FACET_KEY_RIGHT,
    FACET_KEY_UP,
    FACET_KEY_DOWN,
    FACET_KEY_PAGE_UP,
    FACET_KEY_PAGE_DOWN,
    FACET_KEY_HOME,
    FACET_KEY_F1 = 0x10100 /* and FACET_KEY_F1 + n - 1 */
} facet_window_key;

typedef enum facet_window_event_kind {
    FACET_WINDOW_NOTHING,
    FACET_WINDOW_QUIT,
    FACET_WINDOW_CHANGED, /* the size changed, or the picture must be shown again */
    FACET_WINDOW_KEY_DOWN,
    FACET_WINDOW_KEY_UP,
    FACET_WINDOW_PRESS, /* press of a mouse button */
    FACET_WINDOW_MOVE,
    FACET_WINDOW_WHEEL,
    FACET_WINDOW_DROP /* a file was dropped */
} facet_window_event_kind;

typedef struct facet_window_event {
    facet_window_event_kind kind;
    uint32_t key;
    bool shift, control, repeated;
    int x, y, dx, dy; /* pixels, y down */
    unsigned buttons; /* pressed buttons: 1 left, 2 middle, 4 right */
    double wheel;     /* steps of the wheel, away from the user */
    char path[4096];  /* path of the dropped file */
} facet_window_event;

typedef struct facet_window facet_window;

typedef struct facet_window_functions {
    /* Open a window that is hidden until it shows a picture. NULL, and *why: a sentence without its
     * final period. */
    facet_window *(*open)(const char *title, uint32_t width, uint32_t height, char reason[200]);
    void (*close)(facet_window *window);
    void (*get_size)(facet_window *window, uint32_t *width, uint32_t *height);
    /* Wait at most the given milliseconds for the next event; false: no event. */
    bool (*next)(facet_window *window, int milliseconds, facet_window_event *event);
    /* Show RGBA of the window's size; other sizes are ignored. */
    void (*show)(facet_window *window, const uint8_t *pixels, uint32_t width, uint32_t height);
    void (*set_title)(facet_window *window, const char *title);
} facet_window_functions;

#endif
