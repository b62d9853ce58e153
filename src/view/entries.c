/* view/entries.c - the list of models to view: open ones, the next one, and changed files. */
#include "view/state.h"

#include "base/error.h"
#include "base/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- The list ----------------------------------------------------------- */

static void free_paths(facet_view_entry *entry)
{
    for (size_t i = 0; i < entry->path_count; i++)
        free(entry->paths[i]);
    free(entry->paths);
    entry->paths = NULL;
    entry->path_count = 0;
}

void facet_view_free_entries(facet_viewer *viewer)
{
    for (size_t i = 0; i < viewer->entry_count; i++) {
        facet_view_close_entry(&viewer->entries[i]);
        free_paths(&viewer->entries[i]);
    }
    free(viewer->entries);
}

static facet_status copy_paths(const facet_view_files *files, facet_view_entry *entry,
                               facet_error *error)
{
    entry->paths = calloc(files->count, sizeof *entry->paths);
    for (size_t i = 0; i < files->count && entry->paths; i++) {
        entry->paths[i] = strdup(files->paths[i]);
        if (!entry->paths[i])
            break;
        entry->path_count++;
    }
    if (entry->path_count == files->count)
        return FACET_OK;
    free_paths(entry);
    return facet_fail_memory(error, files->count);
}

facet_status facet_viewer_add(facet_viewer *viewer, const facet_view_files *files,
                              facet_error *error)
{
    facet_viewer *v = viewer;
    if (!FACET_GROW_HEAP(v->entries, v->entry_count + 1, v->entry_space))
        return facet_fail_memory(error, (v->entry_count + 1) * sizeof *v->entries);
    facet_view_entry entry = {0};
    TRY(copy_paths(files, &entry, error));
    v->entries[v->entry_count++] = entry;
    return FACET_OK;
}

/* -- Opening ------------------------------------------------------------ */

static int64_t changed(const facet_viewer *v, const facet_view_entry *entry)
{
    uint64_t all = 0;
    for (size_t i = 0; i < entry->path_count; i++)
        all = all * 31 + (uint64_t)v->host.changed(v->host.user, entry->paths[i]);
    return (int64_t)all;
}

/* Compute normals only for modes that show them. */
static bool wants_normals(const facet_viewer *v)
{
    return v->render.modes != 0;
}

static facet_status open_entry(facet_viewer *v, facet_view_entry *entry, facet_error *error)
{
    facet_view_model *model = NULL;
    bool with_normals = wants_normals(v);
    facet_view_files files = {(const char *const *)entry->paths, entry->path_count, with_normals};
    entry->changed = entry->seen_change = changed(v, entry);
    TRY(facet_view_model_open(&v->host, &files, &v->options, &model, error));
    facet_view_model_free(entry->model);
    facet_report_free(entry->findings);
    entry->findings = NULL;
    entry->model = model;
    entry->with_normals = with_normals;
    return FACET_OK;
}

void facet_view_close_entry(facet_view_entry *entry)
{
    facet_view_model_free(entry->model);
    facet_report_free(entry->findings);
    entry->model = NULL;
    entry->findings = NULL;
}

static void drop_difference(facet_viewer *v)
{
    facet_view_model_free(v->difference);
    v->difference = NULL;
}

/* Choose the clip of the same name, or the requested one. */
static void choose_clip(facet_viewer *v, const char *before)
{
    const facet_view_entry *entry = facet_view_current(v);
    const facet_view_model *model = entry->model;
    const char *wanted = before ? before : v->settings.clip;
    v->clip = FACET_NONE;
    for (uint32_t i = 0; i < model->clip_count && wanted && v->clip == FACET_NONE; i++) {
        if (strcmp(model->clips[i].name, wanted) == 0)
            v->clip = i;
    }
    char *end = NULL;
    unsigned long number = wanted ? strtoul(wanted, &end, 10) : 0;
    if (v->clip == FACET_NONE && wanted && !before && *wanted && !*end &&
        number < model->clip_count)
        v->clip = (uint32_t)number;
    bool begins = !v->settings.rests || v->settings.plays || entry->path_count > 1;
    if (v->clip == FACET_NONE && !wanted && begins && model->clip_count > 0)
        v->clip = 0;
    if (v->clip == FACET_NONE)
        v->is_playing = false;
}

static facet_status open_difference(facet_viewer *v, facet_error *error)
{
    const facet_view_model *first = v->entries[v->current].model;
    const facet_view_model *second = v->entries[facet_view_second(v)].model;
    if (v->difference)
        return FACET_OK;
    TRY(facet_view_make_difference(first->scene, second->scene, &v->options, &v->difference,
                                   &v->distances, error));
    if (v->distances.given_up > 0)
        facet_view_say(v, "%" PRIu64 " distances may be less; --growth-limit makes them exact",
                       v->distances.given_up);
    return FACET_OK;
}

/* Open all models that are shown; close the others. */
static facet_status open_all(facet_viewer *v, facet_error *error)
{
    size_t second = facet_view_shows_both(v) ? facet_view_second(v) : v->current;
    for (size_t i = 0; i < v->entry_count; i++) {
        if (i != v->current && i != second)
            facet_view_close_entry(&v->entries[i]);
    }
    if (!v->entries[v->current].model)
        TRY(open_entry(v, &v->entries[v->current], error));
    if (!v->entries[second].model)
        TRY(open_entry(v, &v->entries[second], error));
    return v->layout == FACET_LAYOUT_DIFFERENCE && second != v->current ? open_difference(v, error)
                                                                        : FACET_OK;
}

bool facet_view_open_shown(facet_viewer *viewer)
{
    facet_error error;
    *viewer->error_text = '\0';
    /* The arena of an older picture does not depend on its model. */
    if (open_all(viewer, &error) == FACET_OK)
        return true;
    facet_view_say(viewer, "%s%s%s", error.file, *error.file ? ": " : "", error.message);
    if (facet_view_shows_both(viewer) && facet_view_model_of(viewer))
        viewer->layout = FACET_LAYOUT_ONE;
    if (!facet_view_model_of(viewer))
        snprintf(viewer->error_text, sizeof viewer->error_text, "%s", error.message);
    return facet_view_model_of(viewer) != NULL;
}

/* Number of clips of the current model with the requested name. */
static uint32_t count_requested(facet_viewer *v)
{
    const facet_view_model *model = facet_view_current(v)->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->clip_count && v->settings.clip; i++)
        count += strcmp(model->clips[i].name, v->settings.clip) == 0;
    return count;
}

facet_status facet_viewer_open(facet_viewer *viewer, facet_error *error)
{
    facet_viewer *v = viewer;
    if (v->settings.compares && v->entry_count > 1)
        v->layout = FACET_LAYOUT_BOTH;
    TRY(open_all(v, error));
    choose_clip(v, NULL);
    if (v->settings.clip && v->clip == FACET_NONE)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET, "no animation '%s'",
                          v->settings.clip);
    uint32_t named = count_requested(v);
    if (named > 1)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "%u animations are named '%s'; give a number, such as %u", named,
                          v->settings.clip, v->clip);
    v->time = v->settings.render.time;
    v->is_playing = v->clip != FACET_NONE && v->settings.plays;
    facet_view_touch(v);
    return FACET_OK;
}

/* -- Going -------------------------------------------------------------- */

void facet_view_show_entry(facet_viewer *viewer, size_t index)
{
    facet_viewer *v = viewer;
    if (index >= v->entry_count)
        return;
    v->current = index;
    drop_difference(v);
    v->mark.is_set = false;
    memset(v->selected, 0, sizeof v->selected);
    memset(v->scrolled, 0, sizeof v->scrolled);
    if (facet_view_open_shown(v))
        choose_clip(v, NULL);
    if (!facet_view_shows_both(v))
        v->has_camera = false;
    v->time = 0;
    v->quality = 0;
    facet_view_touch(v);
}

/* For a single path, list its folder or archive as well. */
static void list_folder(facet_viewer *v)
{
    char **paths = NULL;
    size_t count = 0, here = 0;
    facet_error error;
    if (v->has_listed || v->entry_count != 1 || v->entries[0].path_count != 1)
        return;
    v->has_listed = true;
    if (v->host.list(v->host.user, v->entries[0].paths[0], &paths, &count, &here, &error))
        return;
    bool added = true;
    for (size_t i = 0; i < count && added; i++) {
        const facet_view_files files = {(const char *const *)&paths[i], 1, false};
        added = facet_viewer_add(v, &files, &error) == FACET_OK;
    }
    /* The open one is first: it replaces the one with the same path. */
    size_t from = added && here < count ? 1 + here : 1;
    if (v->entry_count > 1) {
        free_paths(&v->entries[from]);
        v->entries[from] = v->entries[0];
        memmove(v->entries, v->entries + 1, (v->entry_count - 1) * sizeof *v->entries);
        v->entry_count--;
        v->current = from - 1;
    }
    v->host.free_list(v->host.user, paths, count);
}

void facet_view_go(facet_viewer *viewer, int by)
{
    facet_viewer *v = viewer;
    list_folder(v);
    if (v->entry_count < 2) {
        facet_view_say(v, "no other file");
        return;
    }
    size_t to = by > 0 ? v->current + 1 : v->current + v->entry_count - 1;
    facet_view_show_entry(v, to % v->entry_count);
}

/* -- Files that change -------------------------------------------------- */

static void keep_hidden(const facet_view_model *from, facet_view_model *to)
{
    if (!from || from->scene->node_count != to->scene->node_count || !from->hidden)
        return;
    memcpy(to->hidden, from->hidden, from->scene->node_count);
    facet_render_series_hide(to->series, to->hidden);
}

void facet_view_reload(facet_viewer *viewer, facet_view_entry *entry)
{
    facet_viewer *v = viewer;
    facet_error error;
    facet_view_entry old = *entry;
    const facet_view_model *shown = facet_view_model_of(v);
    char clip[256] = "";
    bool has_clip = shown && v->clip < shown->clip_count;
    if (has_clip)
        snprintf(clip, sizeof clip, "%s", shown->clips[v->clip].name);
    entry->model = NULL;
    entry->findings = NULL;
    if (open_entry(v, entry, &error)) {
        int64_t at = entry->changed;
        *entry = old; /* keep showing the version that could be read */
        entry->changed = entry->seen_change = at;
        facet_view_say(v, "not read again: %s", error.message);
        return;
    }
    keep_hidden(old.model, entry->model);
    facet_view_model_free(old.model);
    facet_report_free(old.findings);
    drop_difference(v);
    if (entry == facet_view_current(v)) {
        v->mark.is_set = false;
        *v->error_text = '\0';
        uint32_t before = v->clip;
        double time = v->time;
        bool played = v->is_playing;
        if (has_clip)
            choose_clip(v, clip);
        if (has_clip && v->clip == FACET_NONE && before < entry->model->clip_count)
            v->clip = before;
        v->time = time;
        v->is_playing = played && v->clip != FACET_NONE;
    }
    facet_view_open_shown(v);
    facet_view_say(v, "read again");
    facet_view_touch(v);
}

/* Read a file again if two checks after a change find the same state: programs write in pieces. */
void facet_view_watch(facet_viewer *viewer, double now)
{
    facet_viewer *v = viewer;
    v->looked = now;
    for (size_t i = 0; i < v->entry_count; i++) {
        facet_view_entry *entry = &v->entries[i];
        bool is_shown = i == v->current || (facet_view_shows_both(v) && i == facet_view_second(v));
        if (!is_shown || (!entry->model && i != v->current))
            continue;
        int64_t at = changed(v, entry);
        if (at != 0 && at != entry->changed && at == entry->seen_change)
            facet_view_reload(v, entry);
        else
            entry->seen_change = at;
    }
}
