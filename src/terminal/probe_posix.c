/* terminal/probe_posix.c - a query of the terminal's capabilities. */
#include "terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { WAIT = 1000 }; /* milliseconds */

static bool is_set(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text && strcasecmp(text, value) == 0;
}

/* Find the locale of characters as POSIX does: the first of three variables that is not empty. */
static bool has_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *text = getenv(names[i]);
        if (!text || !*text)
            continue;
        const char *set = strchr(text, '.');
        return set && (strncasecmp(set, ".utf-8", 6) == 0 || strncasecmp(set, ".utf8", 5) == 0);
    }
    return false;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Read until the last question is answered, or the time is over. */
static size_t collect(int terminal, char *bytes, size_t space)
{
    int64_t end = now() + WAIT;
    size_t size = 0;
    while (size < space && !facet_terminal_is_answered(bytes, size)) {
        struct pollfd ready = {.fd = terminal, .events = POLLIN};
        int64_t left = end - now();
        if (left <= 0)
            break;
        int got = poll(&ready, 1, (int)left);
        if (got < 0 && errno == EINTR)
            continue;
        ssize_t count = got > 0 ? read(terminal, bytes + size, space - size) : 0;
        if (count <= 0)
            break;
        size += (size_t)count;
    }
    return size;
}

/* Answers are not shown, and are read without waiting for a line end. Signals are blocked, so that
 * none ends the process before the terminal is restored. */
static size_t ask(int terminal, char *bytes, size_t space)
{
    struct termios before, raw;
    sigset_t all, mask;
    size_t size = 0;
    sigfillset(&all);
    if (tcgetattr(terminal, &before) != 0)
        return 0;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    sigprocmask(SIG_BLOCK, &all, &mask);
    if (tcsetattr(terminal, TCSANOW, &raw) == 0) {
        static const char questions[] = FACET_TERMINAL_QUESTIONS;
        if (write(terminal, questions, sizeof questions - 1) == (ssize_t)sizeof questions - 1)
            size = collect(terminal, bytes, space);
        tcsetattr(terminal, TCSANOW, &before);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return size;
}

static void measure(int fd, facet_terminal *terminal)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return;
    terminal->columns = size.ws_col;
    terminal->rows = size.ws_row;
    if (size.ws_xpixel >= size.ws_col && size.ws_ypixel >= size.ws_row) {
        terminal->cell_width = size.ws_xpixel / size.ws_col;
        terminal->cell_height = size.ws_ypixel / size.ws_row;
    }
}

void facet_terminal_probe(facet_terminal *terminal)
{
    char bytes[4096];
    size_t size = 0;
    const char *type = getenv("TERM");
    facet_terminal_init(terminal);
    if (!isatty(STDOUT_FILENO))
        return;
    measure(STDOUT_FILENO, terminal);
    if (!type || !*type || strcmp(type, "dumb") == 0 || strcmp(type, "linux") == 0)
        return;
    int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (tty >= 0 && tcgetpgrp(tty) == getpgrp())
        size = ask(tty, bytes, sizeof bytes);
    if (tty >= 0)
        close(tty);
    bool has_colors = is_set("COLORTERM", "truecolor") || is_set("COLORTERM", "24bit");
    facet_terminal_read_reply(terminal, bytes, size, has_colors, has_unicode());
}
