/* batch/match.c - the files of folders and archives that are items: those that match patterns, or
 * without patterns those that the command can read. */
#include "base/arena.h"
#include "base/text.h"
#include "batch/batch.h"
#include "scene/format.h"

#include <fnmatch.h>
#include <string.h>

/* -- Patterns ------------------------------------------------------------ */

enum { MAX_PATTERNS = 4096 };

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool add_pattern(cli_batch_match *match, const char *text, size_t length, unsigned given)
{
    if (match->count == match->space) {
        size_t space = match->space ? match->space * 2 : 16;
        cli_batch_pattern *grown =
            facet_arena_resize(match->arena, match->patterns, match->space, space, sizeof *grown);
        if (!grown)
            return false;
        match->patterns = grown;
        match->space = space;
    }
    char *copy = facet_arena_string(match->arena, text, length);
    if (copy)
        match->patterns[match->count++] = (cli_batch_pattern){copy, given};
    return copy != NULL;
}

/* Find the braces of the first "{a,b}" in a text; false if the text has none. */
static bool find_braces(const char *text, size_t *open, size_t *close)
{
    for (*open = 0; text[*open]; ++*open) {
        unsigned depth = 0;
        bool parts = false;
        if (text[*open] == '\\' && text[*open + 1])
            ++*open;
        else if (text[*open] == '{')
            for (*close = *open; text[*close]; ++*close) {
                depth += text[*close] == '{';
                parts |= depth == 1 && text[*close] == ',';
                if (text[*close] == '}' && --depth == 0)
                    break;
            }
        else
            continue;
        if (text[*open] == '{' && text[*close] == '}' && parts)
            return true;
    }
    return false;
}

/* Expand the braces of pattern `index`: one pattern for each alternative. */
static bool expand(cli_batch_match *match, size_t index, size_t open, size_t close)
{
    char text[4096];
    const char *pattern = match->patterns[index].text;
    unsigned given = match->patterns[index].given, depth = 0;
    bool first = true;
    for (size_t begin = open + 1, at = begin; at <= close; at++) {
        bool ends = at == close || (depth == 0 && pattern[at] == ',');
        depth += (pattern[at] == '{') - (pattern[at] == '}' && at < close);
        if (!ends)
            continue;
        int length = snprintf(text, sizeof text, "%.*s%.*s%s", (int)open, pattern,
                              (int)(at - begin), pattern + begin, pattern + close + 1);
        begin = at + 1;
        if (length < 0 || length >= (int)sizeof text)
            return false;
        if (!first && !add_pattern(match, text, (size_t)length, given))
            return false;
        char *own = first ? facet_arena_string(match->arena, text, (size_t)length) : NULL;
        if (first && !own)
            return false;
        if (first)
            match->patterns[index].text = own;
        first = false;
    }
    return match->count <= MAX_PATTERNS;
}

int cli_batch_match_begin(cli_batch_match *match, facet_arena *arena, const cli_texts *given)
{
    size_t open = 0, close = 0;
    *match = (cli_batch_match){.arena = arena, .given = given};
    match->hits = facet_arena_allocate_zeroed(arena, given->count + 1, sizeof *match->hits);
    bool added = match->hits != NULL;
    for (unsigned i = 0; i < given->count && added; i++)
        added = add_pattern(match, given->items[i], strlen(given->items[i]), i);
    for (size_t i = 0; i < match->count && added;) {
        if (find_braces(match->patterns[i].text, &open, &close))
            added = expand(match, i, open, close);
        else
            i++;
    }
    for (size_t i = 0; i < match->count && added; i++) {
        for (char *at = match->patterns[i].text; *at; at++)
            *at = small(*at);
    }
    if (added)
        return EXIT_DONE;
    facet_error error;
    if (facet_arena_status(match->arena, &error))
        return cli_complain_error(NULL, "--match", &error);
    cli_complain(NULL, "--match: more than %d patterns, or one of more than 4,095 bytes",
                 MAX_PATTERNS);
    return EXIT_USAGE;
}

/* A pattern without a slash matches names. */
static bool fits(const char *pattern, const char *below)
{
    const char *slash = strrchr(below, '/');
    return fnmatch(pattern, slash && !strchr(pattern, '/') ? slash + 1 : below, 0) == 0;
}

/* `hits` counts the matches of each --match option; NULL: do not count. */
static bool matches(const cli_batch_match *match, const char *below, uint64_t *hits)
{
    char text[4096];
    bool wanted = false;
    size_t length = strlen(below);
    if (length >= sizeof text)
        return false;
    for (size_t i = 0; i <= length; i++)
        text[i] = small(below[i]);
    for (size_t i = 0; i < match->count; i++) {
        if (!fits(match->patterns[i].text, text))
            continue;
        wanted = true;
        if (hits)
            hits[match->patterns[i].given]++;
    }
    return wanted;
}

/* -- Files without patterns ----------------------------------------------- */

static bool is_image(const facet_format *format)
{
    return format == &facet_format_png || format == &facet_format_jpeg ||
           format == &facet_format_tga || format == &facet_format_bmp ||
           format == &facet_format_psd || format == &facet_format_hdr ||
           format == &facet_format_bti;
}

/* Skip textures next to models if models are wanted, and models next to images. */
static bool is_of_kind(const cli_batch_origin *origin, const char *below)
{
    const facet_format *format = facet_format_from_path(below);
    if (!facet_format_can_read(format) || origin->takes == CLI_BATCH_TAKES_ALL)
        return facet_format_can_read(format);
    bool pictures = origin->takes == CLI_BATCH_TAKES_AS_OUT && origin->out &&
                    is_image(facet_format_from_path(origin->out));
    return is_image(format) == pictures;
}

/* -- Selection ----------------------------------------------------------- */

bool cli_batch_would_want(const cli_batch_match *match, const cli_batch_origin *origin,
                          const char *below)
{
    return match->count > 0 ? matches(match, below, NULL) : is_of_kind(origin, below);
}

bool cli_batch_wants(cli_batch_match *match, const cli_batch_origin *origin, const char *below)
{
    bool wanted = match->count > 0 ? matches(match, below, match->hits) : is_of_kind(origin, below);
    match->left_out += !wanted;
    match->archives += !wanted && facet_format_is_folder(facet_format_from_path(below));
    return wanted;
}

int cli_batch_match_end(const cli_batch_match *match, bool any)
{
    for (unsigned i = 0; i < match->given->count && any; i++) {
        if (match->hits[i] == 0)
            cli_remark(NULL, "--match '%s' matches nothing", match->given->items[i]);
    }
    if (any)
        return EXIT_DONE;
    const char *why = match->given->count > 0
                          ? "no file matches --match"
                          : "no file that the command takes; name others by --match";
    char left[48] = "";
    if (match->left_out > 0)
        snprintf(left, sizeof left, " (%llu file%s left out)", (unsigned long long)match->left_out,
                 facet_plural(match->left_out, "", "s"));
    cli_complain(NULL, "no items: %s%s%s", why, left,
                 match->archives > 0 ? "; for what is in an archive, name the archive itself" : "");
    return EXIT_USAGE;
}
