/* formats/j3d/animation/time.c - frame counters of animations, as in games. */
#include <facet/j3d_animation.h>

#include <math.h>

facet_j3d_player facet_j3d_get_player(const facet_j3d_animation *document)
{
    facet_j3d_player player = {.rate = 1, .end = document->frames, .mode = document->loop};
    return player;
}

/* -- Steps -------------------------------------------------------------- */

static void stop(facet_j3d_player *player, float frame)
{
    player->frame = frame;
    player->rate = 0;
    player->state |= FACET_J3D_PLAYER_FINISHED;
}

/* Subtract whole loops one by one, because the console rounds after each. A frame too large for the
 * subtraction to change stays unchanged. */
static void repeat(facet_j3d_player *player)
{
    const float start = player->start, end = player->end, loop = player->loop;
    while (player->frame < start) {
        float next = player->frame + (loop - start);
        player->state |= FACET_J3D_PLAYER_WRAPPED;
        if (!(next > player->frame))
            break;
        player->frame = next;
    }
    while (player->frame >= end) {
        float next = player->frame - (end - loop);
        player->state |= FACET_J3D_PLAYER_WRAPPED;
        if (!(next < player->frame))
            break;
        player->frame = next;
    }
}

static void turn(facet_j3d_player *player, float frame)
{
    player->frame = frame;
    player->rate = -player->rate;
}

static void mirror(facet_j3d_player *player, facet_j3d_runtime runtime)
{
    const bool once = player->mode == FACET_J3D_LOOP_MIRROR_ONCE;
    const bool first = runtime == FACET_J3D_RUNTIME_1;
    const float start = player->start, end = player->end;
    const float last = first || once ? end : end - 1;
    if (player->frame >= last)
        turn(player, first ? end - 0.001F : 2 * last - player->frame);
    if (!(player->frame < start))
        return;
    if (once) {
        stop(player, first ? start : 2 * start - player->frame);
        return;
    }
    turn(player, first ? start : 2 * start - player->frame);
    player->state |= FACET_J3D_PLAYER_WRAPPED;
}

void facet_j3d_player_step(facet_j3d_player *player, facet_j3d_runtime runtime)
{
    player->state = 0;
    player->frame += player->rate;
    switch (player->mode) {
    case FACET_J3D_LOOP_ONCE:
    case FACET_J3D_LOOP_ONCE_RESET:
        if (player->frame < player->start)
            stop(player, player->start);
        if (player->frame >= player->end)
            stop(player,
                 player->mode == FACET_J3D_LOOP_ONCE ? player->end - 0.001F : player->start);
        break;
    case FACET_J3D_LOOP_REPEAT:
        repeat(player);
        break;
    case FACET_J3D_LOOP_MIRROR_ONCE:
    case FACET_J3D_LOOP_MIRROR_REPEAT:
        mirror(player, runtime);
        break;
    default:
        break;
    }
}

/* -- Many steps at once ------------------------------------------------- */

double facet_j3d_loop_frame(uint8_t mode, facet_j3d_runtime runtime, double frames, double elapsed)
{
    double half = runtime == FACET_J3D_RUNTIME_1 ? frames : frames - 1, at;
    switch (mode) {
    case FACET_J3D_LOOP_ONCE:
        return elapsed < frames ? elapsed : frames;
    case FACET_J3D_LOOP_ONCE_RESET:
        return elapsed < frames ? elapsed : 0;
    case FACET_J3D_LOOP_REPEAT:
        return frames > 0 ? fmod(elapsed, frames) : 0;
    case FACET_J3D_LOOP_MIRROR_ONCE:
        return elapsed <= frames ? elapsed : fmax(2 * frames - elapsed, 0);
    case FACET_J3D_LOOP_MIRROR_REPEAT:
        at = half > 0 ? fmod(elapsed, 2 * half) : 0;
        return at <= half ? at : 2 * half - at;
    default:
        return elapsed;
    }
}
