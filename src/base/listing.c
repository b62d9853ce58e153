/* base/listing.c - case-insensitive search for a name in a folder. Nothing is cached between
 * searches. Folders with very many names are not searched: this limits the cost of a batch whose
 * files all name a missing one. */
#include "base/listing.h"

#include "base/system.h"

#include <string.h>
#include <strings.h>

typedef struct search {
    const char *name;
    char *found; /* the first match in sort order; empty: none yet */
    size_t count;
} search;

static bool look_at_name(void *user, const char *name)
{
    search *s = user;
    if (++s->count > FACET_LISTING_MOST)
        return false;
    bool is_it = strcasecmp(name, s->name) == 0 && (!*s->found || strcmp(name, s->found) < 0);
    if (is_it) /* has the length of s->name, so it fits */
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
