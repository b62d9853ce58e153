/* view/keys.c - the action of each key. */
#include "view/keys.h"

#include <stddef.h>

#define F(n) (FACET_KEY_F1 + (n)-1)

const facet_view_key facet_view_keys[] = {
    {'h', false, false, FACET_ACTION_HELP, "h, F1", "this help"},
    {F(1), false, false, FACET_ACTION_HELP, NULL, NULL},
    {FACET_KEY_ESCAPE, false, false, FACET_ACTION_CLOSE, "Esc",
     "close the panel; without one, quit"},
    {'f', false, false, FACET_ACTION_FIT, "f", "fit all that is shown"},
    {'1', false, false, FACET_ACTION_FRONT, "1 to 7", "front, back, left, right, top, bottom, iso"},
    {'2', false, false, FACET_ACTION_BACK, NULL, NULL},
    {'3', false, false, FACET_ACTION_LEFT, NULL, NULL},
    {'4', false, false, FACET_ACTION_RIGHT, NULL, NULL},
    {'5', false, false, FACET_ACTION_TOP, NULL, NULL},
    {'6', false, false, FACET_ACTION_BOTTOM, NULL, NULL},
    {'7', false, false, FACET_ACTION_ISO, NULL, NULL},
    {'o', false, false, FACET_ACTION_ORTHOGRAPHIC, "o", "with or without perspective"},
    {'w', false, false, FACET_ACTION_FORWARD, "w a s d q e", "walk; q down, e up"},
    {'a', false, false, FACET_ACTION_STEP_LEFT, NULL, NULL},
    {'s', false, false, FACET_ACTION_BACKWARD, NULL, NULL},
    {'d', false, false, FACET_ACTION_STEP_RIGHT, NULL, NULL},
    {'q', false, false, FACET_ACTION_DOWN, NULL, NULL},
    {'e', false, false, FACET_ACTION_UP, NULL, NULL},
    {'m', false, false, FACET_ACTION_MODE, "m, M", "next, previous mode"},
    {'m', true, false, FACET_ACTION_MODE_BEFORE, NULL, NULL},
    {'x', false, false, FACET_ACTION_WIREFRAME, "x", "wireframe over it"},
    {'u', false, false, FACET_ACTION_HULLS, "u", "hulls over it"},
    {'k', false, false, FACET_ACTION_OCCLUDER, "k", "occluder over it"},
    {'b', false, false, FACET_ACTION_BACKGROUND, "b", "next background"},
    {'g', false, false, FACET_ACTION_GRID, "g", "grid and axes"},
    {'l', false, false, FACET_ACTION_LIGHT, "l", "reset the light"},
    {' ', false, false, FACET_ACTION_PLAY, "Space", "play or pause"},
    {',', false, false, FACET_ACTION_FRAME_BACK, ", .", "previous, next frame"},
    {'.', false, false, FACET_ACTION_FRAME_ON, NULL, NULL},
    {'[', false, false, FACET_ACTION_SLOWER, "[ ]", "slower, faster"},
    {']', false, false, FACET_ACTION_FASTER, NULL, NULL},
    {FACET_KEY_HOME, false, false, FACET_ACTION_REWIND, "Home", "time 0"},
    {'t', false, false, FACET_ACTION_CLIP, "t, T", "next, previous animation"},
    {'t', true, false, FACET_ACTION_CLIP_BEFORE, NULL, NULL},
    {'n', false, false, FACET_ACTION_NEXT, "n, N", "next, previous file"},
    {'n', true, false, FACET_ACTION_PREVIOUS, NULL, NULL},
    {FACET_KEY_PAGE_DOWN, false, false, FACET_ACTION_NEXT, NULL, NULL},
    {FACET_KEY_PAGE_UP, false, false, FACET_ACTION_PREVIOUS, NULL, NULL},
    {'r', false, false, FACET_ACTION_RELOAD, "r", "read the file again"},
    {'c', false, false, FACET_ACTION_COMPARE, "c", "compare: side by side, in turn, distance"},
    {FACET_KEY_TAB, false, false, FACET_ACTION_SWAP, "Tab", "the other of the two"},
    {'p', false, false, FACET_ACTION_SCREENSHOT, "p, F12", "save a picture"},
    {F(12), false, false, FACET_ACTION_SCREENSHOT, NULL, NULL},
    {'v', false, false, FACET_ACTION_OVERLAY, "v", "without text"},
    {F(2), false, false, FACET_ACTION_PANEL_ANIMATIONS, "F2", "animations"},
    {F(3), false, false, FACET_ACTION_PANEL_NODES, "F3", "nodes"},
    {F(4), false, false, FACET_ACTION_PANEL_MATERIALS, "F4", "materials"},
    {F(5), false, false, FACET_ACTION_PANEL_TEXTURES, "F5", "textures"},
    {F(6), false, false, FACET_ACTION_PANEL_FINDINGS, "F6", "findings of facet check"},
    {F(7), false, false, FACET_ACTION_PANEL_STATISTICS, "F7", "statistics"},
    {FACET_KEY_DOWN, false, false, FACET_ACTION_SELECT_NEXT, "Up Down", "select in a panel"},
    {FACET_KEY_UP, false, false, FACET_ACTION_SELECT_PREVIOUS, NULL, NULL},
    {FACET_KEY_ENTER, false, false, FACET_ACTION_ACTIVATE, "Enter",
     "play, hide, show, jump to what is selected"},
    {'y', false, false, FACET_ACTION_HIDE, "y", "hide or show the selected node"},
    {'i', false, false, FACET_ACTION_ISOLATE, "i", "show only the selected node"},
    {'z', false, false, FACET_ACTION_SHOW_ALL, "z", "show all nodes"},
    {0}};

facet_view_action facet_view_action_of(const facet_window_event *event)
{
    for (size_t i = 0; facet_view_keys[i].key; i++) {
        const facet_view_key *k = &facet_view_keys[i];
        if (k->key == event->key && k->shift == event->shift && k->control == event->control)
            return k->action;
    }
    return FACET_ACTION_NONE;
}
