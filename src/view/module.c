/* view/module.c - a window with SDL 2: the module facet-sdl. Pictures are copied to the window's
 * surface, which needs no GPU. */
#include "view/window.h"

#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct facet_window {
    SDL_Window *window;
};

/* Choose a driver. SDL may fall back to drivers without a display. If a driver's library is
 * missing, the library prints an error. A driver named by SDL_VIDEODRIVER is always used. */
static bool choose_driver(void)
{
    const char *wanted = SDL_getenv("SDL_VIDEODRIVER");
#if defined __unix__
    const char *x = SDL_getenv("DISPLAY"), *wayland = SDL_getenv("WAYLAND_DISPLAY");
    bool has_x = x && *x, has_wayland = wayland && *wayland;
    if (!(wanted && *wanted) && !has_x && !has_wayland)
        return false;
    if (!(wanted && *wanted))
        SDL_SetHint(SDL_HINT_VIDEODRIVER, !has_wayland ? "x11" : has_x ? "x11,wayland" : "wayland");
#else
    (void)wanted;
#endif
    return true;
}

static facet_window *open_window(const char *title, uint32_t width, uint32_t height,
                                 char reason[200])
{
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    /* Signals end the program, as in other commands. */
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    facet_window *made = calloc(1, sizeof *made);
    if (!made) {
        snprintf(reason, 200, "out of memory");
        return NULL;
    }
    if (!choose_driver())
        snprintf(reason, 200, "no display found");
    else if (SDL_Init(SDL_INIT_VIDEO) != 0)
        snprintf(reason, 200, "%s", SDL_GetError());
    else
        made->window =
            SDL_CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, (int)width,
                             (int)height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_HIDDEN);
    if (made->window)
        return made;
    if (!*reason)
        snprintf(reason, 200, "%s", SDL_GetError());
    SDL_Quit();
    free(made);
    return NULL;
}

static void close_window(facet_window *window)
{
    SDL_DestroyWindow(window->window);
    SDL_Quit();
    free(window);
}

static void get_size(facet_window *window, uint32_t *width, uint32_t *height)
{
    int w = 1, h = 1;
    SDL_GetWindowSize(window->window, &w, &h);
    *width = w > 0 ? (uint32_t)w : 1;
    *height = h > 0 ? (uint32_t)h : 1;
}

/* -- Events ------------------------------------------------------------- */

static uint32_t key_of(SDL_Keycode code)
{
    static const struct {
        SDL_Keycode theirs;
        uint32_t ours;
    } keys[] = {{SDLK_LEFT, FACET_KEY_LEFT},      {SDLK_RIGHT, FACET_KEY_RIGHT},
                {SDLK_UP, FACET_KEY_UP},          {SDLK_DOWN, FACET_KEY_DOWN},
                {SDLK_PAGEUP, FACET_KEY_PAGE_UP}, {SDLK_PAGEDOWN, FACET_KEY_PAGE_DOWN},
                {SDLK_HOME, FACET_KEY_HOME},      {SDLK_ESCAPE, FACET_KEY_ESCAPE},
                {SDLK_RETURN, FACET_KEY_ENTER},   {SDLK_KP_ENTER, FACET_KEY_ENTER},
                {SDLK_TAB, FACET_KEY_TAB}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].theirs == code)
            return keys[i].ours;
    }
    if (code >= SDLK_F1 && code <= SDLK_F12)
        return FACET_KEY_F1 + (uint32_t)(code - SDLK_F1);
    return code >= ' ' && code < 0x10000 ? (uint32_t)code : 0;
}

static unsigned buttons_of(uint32_t mask)
{
    return (mask & SDL_BUTTON_LMASK ? 1u : 0) | (mask & SDL_BUTTON_MMASK ? 2u : 0) |
           (mask & SDL_BUTTON_RMASK ? 4u : 0);
}

static void set_modifiers(unsigned state, facet_window_event *to)
{
    to->shift = (state & KMOD_SHIFT) != 0;
    to->control = (state & KMOD_CTRL) != 0;
}

static void translate_mouse(const SDL_Event *from, facet_window_event *to)
{
    set_modifiers(SDL_GetModState(), to);
    if (from->type == SDL_MOUSEWHEEL) {
        to->kind = FACET_WINDOW_WHEEL;
        to->wheel = (double)from->wheel.preciseY;
        if (from->wheel.direction == SDL_MOUSEWHEEL_FLIPPED)
            to->wheel = -to->wheel;
        SDL_GetMouseState(&to->x, &to->y);
    } else if (from->type == SDL_MOUSEBUTTONDOWN) {
        to->kind = FACET_WINDOW_PRESS;
        to->x = from->button.x;
        to->y = from->button.y;
        to->buttons = buttons_of(SDL_BUTTON(from->button.button));
    } else {
        to->kind = FACET_WINDOW_MOVE;
        to->x = from->motion.x;
        to->y = from->motion.y;
        to->dx = from->motion.xrel;
        to->dy = from->motion.yrel;
        to->buttons = buttons_of(from->motion.state);
    }
}

static void translate(const SDL_Event *from, facet_window_event *to)
{
    memset(to, 0, sizeof *to);
    switch (from->type) {
    case SDL_QUIT:
        to->kind = FACET_WINDOW_QUIT;
        break;
    case SDL_WINDOWEVENT:
        if (from->window.event == SDL_WINDOWEVENT_SIZE_CHANGED ||
            from->window.event == SDL_WINDOWEVENT_EXPOSED)
            to->kind = FACET_WINDOW_CHANGED;
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        to->kind = from->type == SDL_KEYDOWN ? FACET_WINDOW_KEY_DOWN : FACET_WINDOW_KEY_UP;
        to->key = key_of(from->key.keysym.sym);
        to->repeated = from->key.repeat != 0;
        /* Use the modifiers at the time of the key press: shift may be up before the event is
         * handled. */
        set_modifiers(from->key.keysym.mod, to);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEWHEEL:
        translate_mouse(from, to);
        break;
    case SDL_DROPFILE:
        to->kind = FACET_WINDOW_DROP;
        snprintf(to->path, sizeof to->path, "%s", from->drop.file);
        SDL_free(from->drop.file);
        break;
    default:
        break;
    }
}

static bool next_event(facet_window *window, int milliseconds, facet_window_event *event)
{
    SDL_Event from;
    (void)window;
    if (!(milliseconds > 0 ? SDL_WaitEventTimeout(&from, milliseconds) : SDL_PollEvent(&from)))
        return false;
    translate(&from, event);
    return true;
}

/* -- Pictures ----------------------------------------------------------- */

static void show(facet_window *window, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    SDL_Surface *surface = SDL_GetWindowSurface(window->window);
    if (!surface || surface->w != (int)width || surface->h != (int)height)
        return;
    /* The first picture shows the window, so that unreadable files do not open one. */
    if (SDL_GetWindowFlags(window->window) & SDL_WINDOW_HIDDEN)
        SDL_ShowWindow(window->window);
    SDL_ConvertPixels((int)width, (int)height, SDL_PIXELFORMAT_RGBA32, pixels, (int)width * 4,
                      surface->format->format, surface->pixels, surface->pitch);
    SDL_UpdateWindowSurface(window->window);
}

static void set_title(facet_window *window, const char *title)
{
    SDL_SetWindowTitle(window->window, title);
}

extern const facet_window_functions facet_sdl_table;
__attribute__((visibility("default"))) const facet_window_functions facet_sdl_table = {
    open_window, close_window, get_size, next_event, show, set_title};
