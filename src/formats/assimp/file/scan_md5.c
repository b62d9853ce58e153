/* formats/assimp/file/scan_md5.c - limit of the joints in MD5. assimp reads them by recursion, and
 * searches the children of each among all. The scan follows assimp's reader, so that a file cannot
 * hide lines from it. */
#include "formats/assimp/file/scan.h"

#include <string.h>

enum { MAX_JOINTS = 4000 };

typedef struct md5_scanner {
    char *at, *end; /* ends before the first zero */
    uint64_t line;
} md5_scanner;

static bool ends_line(char c)
{
    return c == '\n' || c == '\r' || c == '\f';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || ends_line(c);
}

/* Replace comments by blanks. assimp searches them outside of texts in quotes, of either kind. */
static void remove_comments(char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at == '"' || *at == '\'') {
            do
                at++;
            while (at < end && *at != '"' && *at != '\'');
        } else if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
            while (at < end && !ends_line(*at))
                *at++ = ' ';
        }
    }
}

static bool skip_blanks(md5_scanner *s)
{
    for (; s->at < s->end && is_blank(*s->at); s->at++)
        s->line += *s->at == '\n';
    return s->at < s->end;
}

/* Count the lines of a section, up to one that begins with a bracket. */
static uint32_t count_lines(md5_scanner *s)
{
    uint32_t count = 0;
    while (skip_blanks(s) && *s->at != '}') {
        while (s->at < s->end && !ends_line(*s->at))
            s->at++;
        count += count <= MAX_JOINTS;
    }
    s->at += s->at < s->end && *s->at == '}';
    return count;
}

static bool is(const char *name, size_t size, const char *word)
{
    return size == strlen(word) && memcmp(name, word, size) == 0;
}

/* Skip a section or a value. *lines is the number of lines between its brackets. */
static bool skip_section(md5_scanner *s, bool *has_joints, uint32_t *lines)
{
    const char *name = s->at;
    *lines = 0;
    while (s->at < s->end && !is_blank(*s->at))
        s->at++;
    size_t size = (size_t)(s->at - name);
    *has_joints = is(name, size, "joints") || is(name, size, "hierarchy");
    for (;;) {
        while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
            s->at++;
        if (s->at == s->end || ends_line(*s->at))
            return s->at < s->end;
        if (*s->at == '{') {
            s->at++;
            *lines = count_lines(s);
            return s->at < s->end;
        }
        while (s->at < s->end && !is_blank(*s->at))
            s->at++;
    }
}

facet_status facet_assimp_scan_md5(const uint8_t *data, size_t size, facet_arena *scratch,
                                   facet_error *error)
{
    size_t length = strnlen((const char *)data, size);
    char *text = facet_arena_string(scratch, (const char *)data, length);
    if (!text)
        return facet_fail_arena(scratch, error);
    md5_scanner s = {text, text + length, 1};
    uint32_t joints = 0;
    remove_comments(s.at, s.end);
    while (skip_blanks(&s)) {
        bool has_joints = false;
        uint32_t lines = 0;
        bool goes_on = skip_section(&s, &has_joints, &lines);
        joints += has_joints ? lines : 0;
        if (joints > MAX_JOINTS)
            return facet_fail_line(error, FACET_ERROR_LIMIT, "ASSIMP", s.line,
                                   "more than 4,000 joints, which assimp cannot read safely");
        if (!goes_on)
            break;
    }
    return FACET_OK;
}
