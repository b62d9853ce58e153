/* archive/describe.c - description of an archive. */
#include "archive/describe.h"
#include "archive/archive.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/tree.h"

#include <string.h>

static const char *memory_of(uint8_t flags)
{
    return flags & FACET_ARCHIVE_MRAM   ? "MRAM"
           : flags & FACET_ARCHIVE_ARAM ? "ARAM"
           : flags & FACET_ARCHIVE_DVD  ? "DVD"
                                        : "none";
}

static facet_status describe_member(const facet_archive *archive, uint32_t index,
                                    facet_arena *arena, facet_tree *list, facet_error *error)
{
    const facet_archive_member *member = &archive->members[index];
    size_t length = facet_archive_path(archive, index, NULL, 0);
    char *path = facet_arena_allocate(arena, length + 1, 1);
    if (!path)
        return facet_fail_arena(arena, error);
    facet_archive_path(archive, index, path, length + 1);
    facet_tree *tree = facet_tree_object(arena, list, NULL);
    facet_tree_text(arena, tree, "path", path, length);
    facet_tree_integer(arena, tree, "size", (int64_t)member->size);
    if (archive->kind == FACET_ARCHIVE_RARC) {
        facet_tree_integer(arena, tree, "id", member->id);
        if (!(member->flags & FACET_ARCHIVE_MRAM))
            facet_tree_string(arena, tree, "memory", memory_of(member->flags));
        if (member->flags & FACET_ARCHIVE_COMPRESSED)
            facet_tree_string(arena, tree, "compression",
                              member->flags & FACET_ARCHIVE_YAZ0 ? "Yaz0" : "Yay0");
    }
    return FACET_OK;
}

facet_status facet_archive_fill_description(const facet_source *source,
                                            const facet_options *options,
                                            facet_description *description, facet_error *error)
{
    facet_archive *archive = NULL;
    TRY(facet_archive_read(source, options, &archive, error));
    facet_status status = FACET_OK;
    facet_arena *arena = description->arena;
    uint32_t folders = 0;
    for (uint32_t i = 0; i < archive->member_count; i++)
        folders += facet_archive_is_folder(&archive->members[i]);
    if (archive->kind == FACET_ARCHIVE_RARC) {
        facet_tree_text(arena, description->detail, "root", archive->name, strlen(archive->name));
        facet_tree_boolean(arena, description->detail, "synced", archive->synced);
    }
    facet_tree_integer(arena, description->detail, "files", archive->member_count - folders);
    facet_tree_integer(arena, description->detail, "folders", folders);
    facet_tree *list = facet_tree_array(arena, description->detail, "members");
    for (uint32_t i = 0; i < archive->member_count && !status; i++) {
        if (!facet_archive_is_folder(&archive->members[i]))
            status = describe_member(archive, i, arena, list, error);
    }
    facet_archive_free(archive);
    return status;
}
