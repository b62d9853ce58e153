/* view/state.c - queries of the viewer's state, and small changes to it. */
#include "view/state.h"

#include <stdarg.h>
#include <stdio.h>

const facet_view_background facet_view_backgrounds[FACET_VIEW_BACKGROUNDS] = {
    {"slate", false, {48, 52, 58, 255}},
    {"white", false, {255, 255, 255, 255}},
    {"gray", false, {128, 128, 128, 255}},
    {"black", false, {0, 0, 0, 255}},
    {"transparent", true, {0, 0, 0, 0}}};

facet_view_entry *facet_view_current(facet_viewer *viewer)
{
    return viewer->entry_count ? &viewer->entries[viewer->current] : NULL;
}

facet_view_model *facet_view_model_of(facet_viewer *viewer)
{
    facet_view_entry *entry = facet_view_current(viewer);
    return entry ? entry->model : NULL;
}

bool facet_view_shows_both(const facet_viewer *viewer)
{
    return viewer->layout != FACET_LAYOUT_ONE && viewer->entry_count > 1;
}

void facet_view_touch(facet_viewer *viewer)
{
    viewer->is_dirty = true;
    viewer->moved = viewer->host.now(viewer->host.user);
}

void facet_view_touch_overlay(facet_viewer *viewer)
{
    viewer->is_overlay_new = true;
}

void facet_view_say(facet_viewer *viewer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(viewer->message, sizeof viewer->message, format, arguments);
    va_end(arguments);
    viewer->message_time = viewer->host.now(viewer->host.user);
    facet_view_touch_overlay(viewer);
}

size_t facet_view_second(const facet_viewer *viewer)
{
    return (viewer->current + 1) % viewer->entry_count;
}

int facet_view_scale(const facet_viewer *viewer)
{
    int w = viewer->width, h = viewer->height;
    return h >= 1800 && w >= 2200 ? 4 : h >= 1300 && w >= 1600 ? 3 : h >= 650 && w >= 1100 ? 2 : 1;
}
