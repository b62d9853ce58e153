/* formats/assimp/file/scan_smd.c - limits of SMD and VTA. assimp searches the children of each
 * joint among all joints, and each texture among all textures. For each texture, it creates a list
 * of all joints. The scan follows assimp's reader, so that a file cannot hide lines from it. */
#include "base/table.h"
#include "formats/assimp/file/scan.h"

#include <string.h>
#include <strings.h>

/* The engine that the format belongs to allows 256 joints and 32 materials. */
enum { MAX_JOINTS = 4000, MAX_TEXTURES = 4000 };

typedef struct smd_scanner {
    const char *at, *end; /* the text ends before the first zero */
    uint64_t line;
    facet_names textures;
    facet_arena *scratch;
    facet_error *error;
} smd_scanner;

/* -- Words -------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

static void step(smd_scanner *s)
{
    s->line += *s->at++ == '\n';
}

static void skip_spaces(smd_scanner *s)
{
    while (s->at < s->end && is_space(*s->at))
        s->at++;
}

/* Skip spaces and line ends. False at the end. */
static bool skip_blanks(smd_scanner *s)
{
    while (s->at < s->end && (is_space(*s->at) || ends_line(*s->at)))
        step(s);
    return s->at < s->end;
}

/* Skip the rest of the line, and line ends after it. */
static void skip_line(smd_scanner *s)
{
    while (s->at < s->end && !ends_line(*s->at))
        s->at++;
    while (s->at < s->end && ends_line(*s->at))
        step(s);
}

/* Skip a keyword, and the character after it. */
static bool match(smd_scanner *s, const char *word)
{
    size_t length = strlen(word), left = (size_t)(s->end - s->at);
    if (left < length || strncasecmp(s->at, word, length) != 0)
        return false;
    if (left > length && !is_space(s->at[length]) && !ends_line(s->at[length]))
        return false;
    s->at += length;
    if (s->at < s->end)
        step(s);
    return true;
}

/* Digits at the current position, up to `max` and 1 more; 0 if missing. */
static uint32_t read_number(smd_scanner *s, uint32_t max)
{
    uint32_t number = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
        if (number <= max)
            number = number * 10 + (uint32_t)(*s->at - '0');
    }
    return number <= max ? number : max + 1;
}

static facet_status fail_count(const smd_scanner *s, const char *things)
{
    return facet_fail_line(s->error, FACET_ERROR_LIMIT, "ASSIMP", s->line,
                           "more than 4,000 %s, which assimp cannot read safely", things);
}

/* -- Sections ----------------------------------------------------------- */

/* Joints begin with their number. assimp creates all joints up to it. A name in quotes can have
 * several lines. */
static facet_status scan_joints(smd_scanner *s)
{
    while (s->at < s->end && !match(s, "end")) {
        if (!skip_blanks(s))
            break;
        if (read_number(s, MAX_JOINTS) >= MAX_JOINTS)
            return fail_count(s, "joints");
        skip_spaces(s);
        if (s->at < s->end && *s->at == '"') {
            do
                step(s);
            while (s->at < s->end && *s->at != '"');
        }
        skip_line(s);
    }
    return FACET_OK;
}

/* A triangle is the name of a texture and three vertices. The first vertex can be on the line of
 * the name. */
static facet_status scan_triangles(smd_scanner *s)
{
    while (skip_blanks(s) && !match(s, "end")) {
        const char *name = s->at;
        while (s->at < s->end && !is_space(*s->at) && !ends_line(*s->at))
            s->at++;
        uint32_t number = facet_names_put(&s->textures, name, (size_t)(s->at - name));
        if (number == FACET_NONE)
            return facet_fail_arena(s->scratch, s->error);
        if (number >= MAX_TEXTURES)
            return fail_count(s, "textures");
        for (int i = 0; i < 3 && skip_blanks(s); i++)
            skip_line(s);
    }
    return FACET_OK;
}

/* Lines of a skeleton or of moved vertices. assimp reads only the vertices at time 0. */
static void skip_frames(smd_scanner *s, bool are_vertices)
{
    while (skip_blanks(s) && !match(s, "end")) {
        if (match(s, "time") && are_vertices) {
            skip_spaces(s);
            if (s->at < s->end && (*s->at == '-' || *s->at == '+'))
                s->at++;
            if (read_number(s, 1) != 0)
                return;
        }
        skip_line(s);
    }
}

facet_status facet_assimp_scan_smd(const uint8_t *data, size_t size, facet_arena *scratch,
                                   facet_error *error)
{
    const char *text = (const char *)data;
    smd_scanner s = {.at = text,
                     .end = text + strnlen(text, size),
                     .line = 1,
                     .textures = facet_names_make(scratch),
                     .scratch = scratch,
                     .error = error};
    while (skip_blanks(&s)) {
        if (match(&s, "version")) {
            skip_spaces(&s);
            read_number(&s, 1);
        } else if (match(&s, "nodes")) {
            TRY(scan_joints(&s));
        } else if (match(&s, "triangles")) {
            TRY(scan_triangles(&s));
        } else if (match(&s, "vertexanimation")) {
            skip_frames(&s, true);
        } else if (match(&s, "skeleton")) {
            skip_frames(&s, false);
        } else {
            skip_line(&s);
        }
    }
    return FACET_OK;
}
