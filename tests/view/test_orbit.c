/* The interactive camera: its position follows from its angles. */
#include "support/support.h"
#include "view/orbit.h"

#include <math.h>
#include <stdio.h>

/* cmocka's comparison is for floats. */
#define assert_near(a, b, most) assert_true(fabs((double)(a) - (double)(b)) <= (most))

static const facet_render_camera front = {{1, 2, 8}, {1, 2, 3}, {0, 1, 0}, 90, 0};

static void expect(const facet_orbit *orbit, double x, double y, double z)
{
    facet_render_camera camera = facet_orbit_camera(orbit);
    assert_near(camera.position[0], x, 1e-9);
    assert_near(camera.position[1], y, 1e-9);
    assert_near(camera.position[2], z, 1e-9);
}

/* 5 in front of 1, 2, 3. A quarter turn to the right moves it 5 to the right. */
TEST(orbit_turns_around_its_target)
{
    facet_orbit orbit;
    facet_orbit_set(&orbit, &front);
    facet_orbit_turn(&orbit, 90, 0);
    expect(&orbit, 6, 2, 3);
    facet_orbit_turn(&orbit, 90, 0);
    expect(&orbit, 1, 2, -2);
    facet_orbit_look_from(&orbit, 0, 30);
    expect(&orbit, 1, 2 + 2.5, 3 + 5 * cos(acos(-1) / 6));
    facet_orbit_turn(&orbit, 0, 500);
    assert_near(orbit.elevation, 89.9, 1e-9);
    facet_orbit_zoom(&orbit, 2);
    facet_orbit_look_from(&orbit, 0, 0);
    expect(&orbit, 1, 2, 13);
}

/* A given camera is exactly preserved until the user moves it. */
TEST(orbit_keeps_a_given_camera)
{
    const facet_render_camera given = {{0.1, 0.2, 0.7}, {1, 2, 3}, {0.3, 1, 0.1}, 33.3, 0};
    facet_orbit orbit;
    facet_orbit_set(&orbit, &given);
    facet_render_camera camera = facet_orbit_camera(&orbit);
    assert_memory_equal(&camera, &given, sizeof camera);
    facet_orbit_turn(&orbit, 0, 0);
    camera = facet_orbit_camera(&orbit);
    for (int i = 0; i < 3; i++)
        assert_near(camera.position[i], given.position[i], 1e-9);
}

/* At 90 degrees the smaller side shows twice the distance: 10. */
TEST(orbit_pans_and_walks)
{
    facet_orbit orbit;
    facet_orbit_set(&orbit, &front);
    facet_orbit_pan(&orbit, 0.5, 0.1);
    expect(&orbit, 6, 3, 8);
    facet_orbit_walk(&orbit, 0, 0, 1);
    expect(&orbit, 6, 3, 3);
    facet_orbit_set_orthographic(&orbit, true);
    assert_near(facet_orbit_camera(&orbit).height, 10, 1e-9);
    assert_true(facet_orbit_camera(&orbit).field_of_view == 0);
}

/* Half the diagonal of a cube of 2 is sqrt(3). The cone of 60 degrees touches that sphere. */
TEST(orbit_frames_a_box)
{
    static const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    facet_orbit orbit;
    facet_orbit_set(&orbit, &front);
    orbit.field_of_view = 60;
    facet_orbit_frame(&orbit, low, high);
    assert_near(orbit.distance, sqrt(3) * 1.05 * 2, 1e-9);
    expect(&orbit, 0, 0, orbit.distance);
}

/* At distance 5 and 90 degrees, a point one unit up is a fifth of the half height above the
 * middle. */
TEST(orbit_projects_like_pictures)
{
    static const double up[3] = {1, 3, 3}, behind[3] = {1, 2, 9};
    double at[2];
    assert_true(facet_orbit_project(&front, up, 200, 100, at));
    assert_near(at[0], 100, 1e-9);
    assert_near(at[1], 50 - 50.0 / 5, 1e-9);
    assert_false(facet_orbit_project(&front, behind, 200, 100, at));
}
