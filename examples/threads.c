/* Eight threads read one scene at the same time: each checks it and writes it to a separate file.
 *
 *   threads FILE FOLDER */
#include <facet/facet.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8 };

typedef struct job {
    const facet_scene *scene;
    const char *folder;
    int number;
    facet_error error;
    facet_status status;
} job;

/* The thread only reads the prepared scene, which is safe with any number of threads. */
static void *work(void *argument)
{
    static const char *const formats[] = {"glb", "obj", "gltf", "binarymesh"};
    job *j = argument;
    const facet_format *format = facet_format_named(formats[j->number % 4]);
    facet_output *output = NULL;
    char path[1000];
    snprintf(path, sizeof path, "%s/%d%s", j->folder, j->number,
             facet_format_extensions(format)[0]);
    j->status = facet_scene_check(j->scene, NULL, &j->error);
    if (!j->status)
        j->status = facet_output_open(path, &output, &j->error);
    if (!j->status)
        j->status = facet_save(j->scene, format, NULL, output, &j->error);
    if (!j->status)
        j->status = facet_output_commit(output, &j->error);
    facet_output_free(output);
    return NULL;
}

int main(int count, char **words)
{
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_error error;
    if (count != 3) {
        fprintf(stderr, "usage: threads FILE FOLDER\n");
        return 2;
    }
    facet_status status = facet_file_open(words[1], NULL, &file, &error);
    if (!status) {
        facet_source source = facet_file_source(file);
        status = facet_load(&source, NULL, NULL, NULL, &scene, &error);
    }
    if (!status) /* glTF has the most requirements; the result suits the other formats */
        status = facet_prepare(scene, facet_format_named("glb"), NULL, NULL, NULL, &error);
    facet_file_close(file);
    if (status) {
        fprintf(stderr, "%s: %s\n", words[1], error.message);
        return 1;
    }
    job jobs[THREADS];
    pthread_t threads[THREADS];
    int started = 0, failed = 0;
    for (; started < THREADS; started++) {
        jobs[started] = (job){.scene = scene, .folder = words[2], .number = started};
        if (pthread_create(&threads[started], NULL, work, &jobs[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        if (jobs[i].status) {
            fprintf(stderr, "%d: %s\n", i, jobs[i].error.message);
            failed++;
        }
    }
    facet_scene_free(scene);
    return failed || started < THREADS ? 1 : 0;
}
