/* formats/assimp/file/fbx_check.c - rejects FBX files that assimp does not read, or that end the
 * process in assimp. */
#include "formats/assimp/file/fbx.h"
#include "formats/assimp/file/links.h"

#include <inttypes.h>
#include <string.h>

uint64_t facet_fbx_line(const facet_fbx *fbx, const uint8_t *at)
{
    uint64_t line = 1;
    for (const uint8_t *c = fbx->data; c < at; c++)
        line += *c == '\n';
    return line;
}

/* -- Versions ----------------------------------------------------------- */

facet_status facet_fbx_check_version(const facet_fbx *fbx, facet_error *error)
{
    if (fbx->is_binary && fbx->data[22] == 1)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "ASSIMP", 22,
                          "the FBX is big-endian, which is not supported; export it again");
    uint32_t version = fbx->version;
    if (version == 0 || version >= 7100)
        return FACET_OK;
    return facet_fail(
        error, FACET_ERROR_UNSUPPORTED, "ASSIMP", FACET_NO_OFFSET,
        "FBX version %u.%u is not supported (supported: 6 and 7.1 and later); export the "
        "file as FBX 2011 or later, or as GLB",
        version / 1000, version / 100 % 10);
}

/* -- Nodes -------------------------------------------------------------- */

/* assimp follows the children of nodes by recursion, and copies a node for each of its parents. */
facet_status facet_fbx_check_nodes(const facet_fbx *fbx, facet_error *error)
{
    facet_assimp_links links;
    facet_error own = {.status = FACET_OK};
    if (!facet_assimp_links_begin(&links, fbx->arena))
        return facet_fail_arena(fbx->arena, error);
    links.by_offset = links.is_counted = true;
    for (uint32_t i = 0; i < fbx->link_count; i++) {
        const facet_fbx_link *link = &fbx->links[i];
        bool is_child = facet_fbx_size(link->property) == 0 &&
                        facet_fbx_is(fbx->objects[link->from].kind, "Model") &&
                        (link->to == 0 || facet_fbx_is(fbx->objects[link->to].kind, "Model"));
        if (is_child && !facet_assimp_links_add_numbers(&links, link->to, link->from,
                                                        (uint64_t)(link->begin - fbx->data)))
            return facet_fail_arena(fbx->arena, error);
    }
    facet_status status = facet_assimp_links_check(&links, &own);
    if (status && !fbx->is_binary && own.offset != FACET_NO_OFFSET) {
        own.line = facet_fbx_line(fbx, fbx->data + own.offset);
        own.offset = FACET_NO_OFFSET;
    }
    if (status && error)
        *error = own;
    return status;
}
