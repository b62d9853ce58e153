#!/usr/bin/env python3
"""Run the example with a level and a character in one window, under Xvfb, and compare each pixel
with the computed one.

    run.py FACET EXAMPLE_WINDOW [FOLDER]
    run.py --show COMMAND...    check that a window of any such program shows both

The level is a floor with a step. The character is a column of two bones that bends by 90 degrees in
one second. Facet converts them to BSM and IQM. The expected pixels are computed here from the
models: skinned, projected and compared by depth. The picture is the frame buffer of the X server;
FOLDER keeps it. Exit status 77 if Xvfb is missing.
"""
import base64
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import numpy

WIDTH, HEIGHT = 640, 480
NOTHING, LEVEL, CHARACTER = 0, 1, 2

# -- Models -----------------------------------------------------------------

BOX = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def box(low, high):
    """Corners (bit 0: x, 1: y, 2: z), and quads that are counter-clockwise from outside."""
    return [[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)]


LEVEL_BOXES = [box((-2.5, -0.2, -2), (2.5, 0, 2)), box((0.9, 0, -1), (2.1, 0.7, 0.5))]
RINGS, CORNERS = 9, [(-.25, -.25), (.25, -.25), (.25, .25), (-.25, .25)]
KNEE = 1.0  # the second bone begins here


def column():
    """Points, share of the upper bone, triangles: side faces and both ends."""
    points = numpy.array([(x - 1, ring * .25, z) for ring in range(RINGS) for x, z in CORNERS])
    share = numpy.clip((points[:, 1] - .75) * 2, 0, 1)
    quads = [(r * 4 + k, r * 4 + 4 + k, r * 4 + 4 + (k + 1) % 4, r * 4 + (k + 1) % 4)
             for r in range(RINGS - 1) for k in range(4)]
    quads += [(0, 1, 2, 3), tuple(range(RINGS * 4 - 1, RINGS * 4 - 5, -1))]
    return points, share, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def write_level(path):
    with open(path, 'w') as file:
        for number, corners in enumerate(LEVEL_BOXES):
            file.writelines('v %g %g %g\n' % tuple(corner) for corner in corners)
            file.writelines('f %s\n' % ' '.join(str(number * 8 + i + 1) for i in quad) for quad in BOX)


def write_character(path):
    points, share, triangles = column()
    data, views, accessors = b'', [], []

    def add(code, kind, numbers, width, low=None, high=None):
        nonlocal data
        packed = struct.pack('<%d%s' % (len(numbers), {5126: 'f', 5125: 'I', 5123: 'H'}[code]), *numbers)
        views.append({'buffer': 0, 'byteOffset': len(data), 'byteLength': len(packed)})
        accessors.append({'bufferView': len(views) - 1, 'componentType': code, 'type': kind,
                          'count': len(numbers) // width})
        if low is not None:
            accessors[-1].update(min=list(low), max=list(high))
        data += packed + bytes(-len(packed) % 4)
        return len(accessors) - 1

    half = math.radians(45)
    attributes = {
        'POSITION': add(5126, 'VEC3', points.ravel(), 3, points.min(0), points.max(0)),
        'JOINTS_0': add(5123, 'VEC4', [0, 1, 0, 0] * len(points), 4),
        'WEIGHTS_0': add(5126, 'VEC4', [w for s in share for w in (1 - s, s, 0, 0)], 4)}
    indices = add(5125, 'SCALAR', [i for t in triangles for i in t], 1)
    inverse = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, -height, 0, 1] for height in (0, KNEE)]
    bind = add(5126, 'MAT4', inverse[0] + inverse[1], 16)
    times = add(5126, 'SCALAR', [0, .5, 1], 1, [0], [1])
    turns = add(5126, 'VEC4', [0, 0, 0, 1, 0, 0, -math.sin(half / 2), math.cos(half / 2),
                               0, 0, -math.sin(half), math.cos(half)], 4)
    document = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 2]}],
        'nodes': [{'name': 'lower', 'translation': [-1, 0, 0], 'children': [1]},
                  {'name': 'upper', 'translation': [0, KNEE, 0]},
                  {'name': 'column', 'mesh': 0, 'skin': 0}],
        'meshes': [{'name': 'column', 'primitives': [{'attributes': attributes, 'indices': indices}]}],
        'skins': [{'joints': [0, 1], 'inverseBindMatrices': bind}],
        'animations': [{'name': 'bend', 'channels': [{'sampler': 0, 'target': {'node': 1, 'path': 'rotation'}}],
                        'samplers': [{'input': times, 'output': turns}]}],
        'accessors': accessors, 'bufferViews': views,
        'buffers': [{'byteLength': len(data),
                     'uri': 'data:application/octet-stream;base64,' + base64.b64encode(data).decode()}]}
    with open(path, 'w') as file:
        json.dump(document, file)


# -- Expected pixels --------------------------------------------------------

def bent(angle):
    """The column with its upper bone rotated about the z axis by -angle, blended by the weights."""
    points, share, triangles = column()
    away = points - (-1, KNEE, 0)
    c, s = math.cos(-angle), math.sin(-angle)
    turned = numpy.stack([away[:, 0] * c - away[:, 1] * s - 1, away[:, 0] * s + away[:, 1] * c + KNEE,
                          points[:, 2]], axis=1)
    return points + (turned - points) * share[:, None], triangles


def expected(angle):
    """Expected content of each pixel."""
    quads = [t for a, b, c, d in BOX for t in ((a, b, c), (a, c, d))]
    bodies = [(numpy.array(corners, float), quads, LEVEL) for corners in LEVEL_BOXES]
    bodies.append((*bent(angle), CHARACTER))
    tilt = math.radians(20)
    eye = []
    for points, triangles, kind in bodies:
        x, y, z = (points + (0, -3, -6)).T
        y, z = y * math.cos(tilt) - z * math.sin(tilt), y * math.sin(tilt) + z * math.cos(tilt)
        eye.append((x, y, z, triangles, kind))
    return rasterized(eye)


def rasterized(bodies, distance=.5):
    """The kind of the nearest body at each pixel. x, y and z are in eye space, which looks along
    -z. The picture is .8 wide and .6 high at `distance`."""
    shows, depth = numpy.zeros((HEIGHT, WIDTH), int), numpy.full((HEIGHT, WIDTH), numpy.inf)
    across, down = numpy.meshgrid(numpy.arange(WIDTH) + .5, numpy.arange(HEIGHT) + .5)
    for x, y, z, triangles, kind in bodies:
        px, py = (1 + distance * x / -z / .4) * WIDTH / 2, (1 - distance * y / -z / .3) * HEIGHT / 2
        for a, b, c in triangles:
            area = (px[b] - px[a]) * (py[c] - py[a]) - (px[c] - px[a]) * (py[b] - py[a])
            if abs(area) < 1e-9:
                continue
            u = ((px[c] - px[b]) * (down - py[b]) - (py[c] - py[b]) * (across - px[b])) / area
            v = ((px[a] - px[c]) * (down - py[c]) - (py[a] - py[c]) * (across - px[c])) / area
            w = 1 - u - v
            near = -1 / (u / z[a] + v / z[b] + w / z[c])
            seen = (u >= 0) & (v >= 0) & (w >= 0) & (near < depth)
            shows[seen], depth[seen] = kind, near[seen]
    return shows


# -- The window --------------------------------------------------------------

def frame_buffer(path):
    """Red, green and blue of the window at the upper left of a screen of 24 bits (XWD format)."""
    with open(path, 'rb') as file:
        data = file.read()
    head = struct.unpack('>25I', data[:100])
    start, stride = head[0] + 12 * head[19], head[12]
    order = [2, 1, 0] if head[7] == 0 else [1, 2, 3]
    rows = numpy.frombuffer(data, numpy.uint8, stride * head[5], start).reshape(head[5], stride // 4, 4)
    return rows[:HEIGHT, :WIDTH, order].astype(int)


def shown(picture):
    """True for each pixel of the level (blue) and of the character (orange); the rest is black."""
    red, blue = picture[:, :, 0], picture[:, :, 2]
    return numpy.where(picture.max(axis=2) < 8, NOTHING, numpy.where(blue > red, LEVEL, CHARACTER))


def run_window(command, folder, until):
    """The picture of the window: the first one with `until`, or that of the last second."""
    receive, send = os.pipe()
    server = subprocess.Popen(['Xvfb', '-displayfd', str(send), '-screen', '0', '%dx%dx24' % (WIDTH, HEIGHT),
                               '-nocursor', '-nolisten', 'tcp', '-fbdir', folder], pass_fds=[send],
                              stderr=subprocess.DEVNULL)
    os.close(send)
    with os.fdopen(receive) as file:
        display = file.readline().strip()
    window = subprocess.Popen(command, env=dict(os.environ, DISPLAY=':' + display, SDL_VIDEODRIVER='x11',
                                                LIBGL_ALWAYS_SOFTWARE='1'))
    try:
        for _ in range(200):
            time.sleep(.1)
            if window.poll() is not None:
                sys.exit('the example ended with status %d' % window.returncode)
            picture = frame_buffer(os.path.join(folder, 'Xvfb_screen0'))
            if until(picture):
                break
        return picture
    finally:
        window.terminate()
        window.wait()
        server.terminate()
        server.wait()


def show(command):
    def counts(picture):
        return [int((shown(picture) == kind).sum()) for kind in (LEVEL, CHARACTER)]

    with tempfile.TemporaryDirectory() as folder:
        level, character = counts(run_window(command, folder, lambda p: min(counts(p)) > 500))
    print('%d pixels of the level, %d of the character' % (level, character))
    return int(min(level, character) <= 500)


def main():
    if not shutil.which('Xvfb'):
        print('skipped: Xvfb is not installed')
        return 77
    if sys.argv[1] == '--show':
        return show(sys.argv[2:])
    facet, example = sys.argv[1:3]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)

        write_level(path('level.obj'))
        write_character(path('column.gltf'))
        for source, made in (('level.obj', 'level.bsm'), ('column.gltf', 'column.iqm')):
            subprocess.run([facet, 'convert', '-q', path(source), path(made)], check=True)
            subprocess.run([facet, 'check', '-q', '--strict', path(made)], check=True)
        for seconds, angle in ((0, 0), (.5, 45), (1, 90)):
            want = expected(math.radians(angle))
            picture = run_window([example, path('level.bsm'), path('column.iqm'), str(seconds)], folder,
                                 lambda p, want=want: (shown(p) != want).sum() < 100)
            wrong = (shown(picture) != want).sum()
            print('after %g s: %d pixels of the level, %d of the character, %d others than expected'
                  % (seconds, (want == LEVEL).sum(), (want == CHARACTER).sum(), wrong))
            # Pixels at edges may be on either side.
            failures += int(wrong >= 100)
            if len(sys.argv) > 3:
                with open(os.path.join(sys.argv[3], '%g.ppm' % seconds), 'wb') as file:
                    file.write(b'P6 %d %d 255\n' % (WIDTH, HEIGHT) + picture.astype(numpy.uint8).tobytes())
        moved = (expected(0) != expected(math.radians(90))).sum()
        if moved < 2000:
            print('the poses differ by %d pixels only: the test shows nothing' % moved)
            failures += 1
    return int(failures > 0)


if __name__ == '__main__':
    sys.exit(main())
