/* base/listing.c - a name of a folder that is written in another case of letters. Nothing is kept
 * between searches: that a folder of very many names is not searched bounds what a batch of files
 * that all name a missing one costs. */
#include "base/listing.h"

#include "base/system.h"

#include <string.h>
#include <strings.h>

typedef struct search {
    const char *name;
    char *found; /* the first in order; empty: none yet */
    size_t count;
} search;

static bool look_at_name(void *user, const char *name)
{
    search *s = user;
    if (++s->count > FACET_LISTING_MOST)
        return false;
    bool is_it = strcasecmp(name, s->name) == 0 && (!*s->found || strcmp(name, s->found) < 0);
    if (is_it) /* as long as s->name, which fits */
        memcpy(s->found, name, strlen(name) + 1);
    return true;
}

bool facet_listing_find(const char *folder, const char *name, size_t length,
                        char found[FACET_NAME_SPACE])
{
    char text[FACET_NAME_SPACE];
    if (length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    *found = '\0';
    search s = {text, found, 0};
    return facet_system_list(folder, look_at_name, &s) && s.count <= FACET_LISTING_MOST && *found;
}
