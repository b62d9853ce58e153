/* view/loop.c - the event loop: from a window's events to its pictures. */
#include "view/viewer.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 8192, QUEUE = 64 };

typedef struct running {
    facet_viewer *viewer;
    const facet_window_functions *window_functions;
    facet_window *window;
    /* Events that arrived while a picture was refined. */
    facet_window_event *queue;
    unsigned count;
} running;

/* Mouse moves without a button do not stop the refinement. */
static bool matters(const facet_window_event *event)
{
    return event->kind != FACET_WINDOW_NOTHING && event->kind != FACET_WINDOW_KEY_UP &&
           (event->kind != FACET_WINDOW_MOVE || event->buttons != 0);
}

static bool interrupted(void *user)
{
    running *r = user;
    bool stop = false;
    while (r->count < QUEUE && r->window_functions->next(r->window, 0, &r->queue[r->count])) {
        stop |= matters(&r->queue[r->count]);
        r->count++;
    }
    return stop;
}

static void handle_all(running *r, int wait)
{
    facet_window_event event;
    for (unsigned i = 0; i < r->count; i++)
        facet_viewer_handle(r->viewer, &r->queue[i]);
    wait = r->count > 0 ? 0 : wait;
    r->count = 0;
    /* Limit the number: a mouse may send events as fast as they are read. */
    for (int i = 0; i < 256 && r->window_functions->next(r->window, i == 0 ? wait : 0, &event); i++)
        facet_viewer_handle(r->viewer, &event);
}

static void set_title(running *r, char old[512])
{
    char title[512];
    facet_viewer_title(r->viewer, title, sizeof title);
    if (strcmp(title, old) != 0)
        r->window_functions->set_title(r->window, title);
    memcpy(old, title, sizeof title);
}

void facet_view_run(facet_viewer *viewer, const facet_window_functions *functions,
                    facet_window *window)
{
    running r = {.viewer = viewer, .window_functions = functions, .window = window};
    uint8_t *pixels = NULL;
    uint32_t width = 0, height = 0;
    char title[512] = "";
    int wait = 0;
    r.queue = calloc(QUEUE, sizeof *r.queue);
    if (r.queue)
        facet_viewer_set_interrupt(viewer, interrupted, &r);
    while (!facet_viewer_is_done(viewer)) {
        uint32_t w, h;
        functions->get_size(window, &w, &h);
        w = w < MAX_SIDE ? w : MAX_SIDE;
        h = h < MAX_SIDE ? h : MAX_SIDE;
        if (w != width || h != height) {
            uint8_t *grown = realloc(pixels, (size_t)w * h * 4);
            if (!grown)
                break;
            pixels = grown;
            width = w;
            height = h;
        }
        if (facet_viewer_step(viewer, pixels, (int)w, (int)h, &wait))
            functions->show(window, pixels, w, h);
        set_title(&r, title);
        handle_all(&r, wait);
    }
    facet_viewer_set_interrupt(viewer, NULL, NULL);
    free(r.queue);
    free(pixels);
}
