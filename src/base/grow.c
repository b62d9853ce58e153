/* base/grow.c - arrays from malloc that grow. */
#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool facet_grow(void *items, size_t wanted, size_t *space, size_t size)
{
    if (wanted <= *space)
        return true;
    size_t doubled = *space > SIZE_MAX / 2 ? SIZE_MAX : *space * 2;
    size_t more = wanted < 16 ? 16 : wanted;
    more = more < doubled ? doubled : more;
    if (more > SIZE_MAX / size)
        return false;
    void *old, *grown;
    memcpy(&old, items, sizeof old);
    grown = realloc(old, more * size);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof grown);
    *space = more;
    return true;
}
