#!/usr/bin/env python3
"""Run the viewers in C and C++ under Xvfb. Each pixel must equal the computed one, in both.

    viewer.py EXAMPLE_VIEWER EXAMPLE_VIEWER_CPP [FOLDER]

The model is a plate with a texture of four colors; the upper left is red. In front of it are a
plate of a plain color and a gray one. FOLDER keeps the pictures. Exit status 77 if Xvfb is missing.
"""
import math
import os
import shutil
import struct
import sys
import tempfile
import zlib

import numpy

import run

NOTHING, RED, GREEN, BLUE, YELLOW, CYAN, GRAY = range(7)
COLORS = {RED: (255, 0, 0), GREEN: (0, 255, 0), BLUE: (0, 0, 255), YELLOW: (255, 255, 0)}
SIDE = 64  # of the texture

# Corners x, y at a z: the plate, and the color of each quarter. v = 0 is the lower edge in OBJ.
PLATE = (-1, -1, 1, 1, 0)
QUARTERS = {RED: (-1, 0, 0, 1, 0), GREEN: (0, 0, 1, 1, 0), BLUE: (-1, -1, 0, 0, 0), YELLOW: (0, -1, 1, 0, 0)}
FRONT = {CYAN: (.2, .2, .6, .6, .3), GRAY: (-.6, -.6, -.2, -.2, .3)}


def png(path):
    rows = b''
    for y in range(SIDE):
        kinds = [RED, GREEN] if y < SIDE // 2 else [BLUE, YELLOW]
        rows += b'\0' + b''.join(bytes(COLORS[kinds[x * 2 // SIDE]]) for x in range(SIDE))

    def chunk(name, data):
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))

    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', SIDE, SIDE, 8, 2, 0, 0, 0))
                   + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def corners(plate):
    x0, y0, x1, y1, z = plate
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def write_model(folder):
    png(os.path.join(folder, 'four.png'))
    with open(os.path.join(folder, 'a.mtl'), 'w') as file:
        file.write('newmtl four\nKd 1 1 1\nmap_Kd four.png\nnewmtl cyan\nKd 0 1 1\nnewmtl gray\nKd .5 .5 .5\n')
    with open(os.path.join(folder, 'a.obj'), 'w') as file:
        file.write('mtllib a.mtl\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n')
        for number, (name, plate) in enumerate([('four', PLATE), ('cyan', FRONT[CYAN]), ('gray', FRONT[GRAY])]):
            file.writelines('v %g %g %g\n' % corner for corner in corners(plate))
            file.write('usemtl %s\nf %s\n' % (name, ' '.join('%d/%d' % (number * 4 + i, i) for i in (1, 2, 3, 4))))


def expected(degrees):
    """Seen from 2 * size away from the middle of the box. Its sides are 2, 2 and .3; the size is
    their sum. The picture is .8 * size wide at the distance `size`."""
    size, bodies = 2 + 2 + .3, []
    angle = math.radians(degrees)
    for kind, plate in list(QUARTERS.items()) + list(FRONT.items()):
        x, y, z = (numpy.array(corners(plate)) - (0, 0, .15)).T
        x, z = x * math.cos(angle) + z * math.sin(angle), z * math.cos(angle) - x * math.sin(angle)
        bodies.append((x / size, y / size, z / size - 2, [(0, 1, 2), (0, 2, 3)], kind))
    return run.rasterized(bodies, 1)


def shown(picture):
    """The color of each pixel without the effect of light."""
    high = picture.max(axis=2, keepdims=True)
    red, green, blue = numpy.moveaxis(picture * 2 > high, 2, 0)
    kinds = numpy.full(picture.shape[:2], GRAY)
    for kind, which in ((RED, red & ~green & ~blue), (GREEN, ~red & green & ~blue), (BLUE, ~red & ~green & blue),
                        (YELLOW, red & green & ~blue), (CYAN, ~red & green & blue), (NOTHING, high[:, :, 0] < 8)):
        kinds[which] = kind
    return kinds


def gray_of_the_screen():
    """MTL's .5 is linear. OpenGL's light adds .2 from everywhere and 1 from the front. The screen
    is sRGB."""
    return 255 * (1.055 * (.5 * 1.2) ** (1 / 2.4) - .055)


def inside(want):
    """Pixels around which only one object is visible, 3 to each side. At edges of the model and of
    the texture, colors are mixed."""
    same = numpy.ones(want.shape, bool)
    for axis in (0, 1):
        for by in range(-3, 4):
            same &= numpy.roll(want, by, axis) == want
    return same


def main():
    if not shutil.which('Xvfb'):
        print('skipped: Xvfb is not installed')
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        write_model(folder)
        for degrees in (0, 35):
            want = expected(degrees)
            sure = inside(want)
            pictures = [run.run_window([os.path.abspath(example), os.path.join(folder, 'a.obj'), str(degrees)], folder,
                                       lambda p: not (sure & (shown(p) != want)).any()) for example in sys.argv[1:3]]
            for name, picture in zip(('viewer', 'viewer_cpp'), pictures):
                wrong = (sure & (shown(picture) != want)).sum()
                print('%s at %d degrees: %d pixels of the model, %d others than expected'
                      % (name, degrees, (sure & (want != NOTHING)).sum(), wrong))
                failures += int(wrong > 0)
                if len(sys.argv) > 3:
                    with open(os.path.join(sys.argv[3], '%s-%d.ppm' % (name, degrees)), 'wb') as file:
                        file.write(b'P6 %d %d 255\n' % (run.WIDTH, run.HEIGHT) + picture.astype(numpy.uint8).tobytes())
            failures += int((pictures[0] != pictures[1]).any())
            if degrees == 0:
                row, column = [int(numpy.median(each)) for each in numpy.nonzero(want == GRAY)]
                gray = pictures[0][row, column]
                print('gray: %s, expected %.1f' % (gray, gray_of_the_screen()))
                failures += int(abs(gray - gray_of_the_screen()).max() > 2)
    return int(failures > 0)


if __name__ == '__main__':
    sys.exit(main())
