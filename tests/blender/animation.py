#!/usr/bin/env python3
"""Send a BCK through Blender: model and animation as GLB and as COLLADA, Blender's importer and
exporter, and a new BCK. The joints must be at the same positions in every frame.

    animation.py FACET [BLENDER]

Exit status 77 if Blender is missing. This script computes the values of both files, by the
description of the format, from the JSON that 'facet extract' writes.
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

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = 40
# Tolerances: those that docs/reference/formats/j3d-animation.md guarantees, and the error of
# Blender's floats. It stores the axes of a bone as two points and an angle.
DISTANCE, DEGREES, SCALE = 0.01 + 0.004, 0.05 * 2, 0.001 + 0.001


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def skinned_gltf(path):
    """A strip of three joints, each bound to two vertices. Those below the first are turned by 90
    degrees around x, because Blender's bones have other axes in a COLLADA then."""
    positions, joints, weights = [], [], []
    for j in range(3):
        for x in (-0.5, 0.5):
            positions += [x, float(j), 0]
            joints += [j, 0, 0, 0]
            weights += [1.0, 0, 0, 0]
    indices = [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4]
    binds = []
    for j in range(3):
        turned = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, float(j), 1]
        binds += turned if j else [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    chunks = [struct.pack(f'<{len(positions)}f', *positions), struct.pack(f'{len(joints)}B', *joints),
              struct.pack(f'<{len(weights)}f', *weights), struct.pack(f'<{len(indices)}H', *indices),
              struct.pack(f'<{len(binds)}f', *binds)]
    kinds = [(5126, 6, 'VEC3'), (5121, 6, 'VEC4'), (5126, 6, 'VEC4'), (5123, 12, 'SCALAR'),
             (5126, 3, 'MAT4')]
    views, accessors, at = [], [], 0
    for i, (chunk, (kind, count, shape)) in enumerate(zip(chunks, kinds)):
        views.append({'buffer': 0, 'byteOffset': at, 'byteLength': len(chunk)})
        accessors.append({'bufferView': i, 'componentType': kind, 'count': count, 'type': shape})
        at += len(chunk)
    accessors[0].update(min=[-0.5, 0, 0], max=[0.5, 2, 0])
    data = base64.b64encode(b''.join(chunks)).decode()
    json.dump({
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 3]}],
        'nodes': [{'name': 'hip', 'children': [1]},
                  {'name': 'knee', 'translation': [0, 1, 0], 'children': [2],
                   'rotation': [0.5**0.5, 0, 0, 0.5**0.5]},
                  {'name': 'foot', 'translation': [0, 0, -1]},
                  {'name': 'skin', 'mesh': 0, 'skin': 0}],
        'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 1, 'WEIGHTS_0': 2},
                                    'indices': 3}]}],
        'skins': [{'joints': [0, 1, 2], 'inverseBindMatrices': 4, 'skeleton': 0}],
        'buffers': [{'byteLength': at, 'uri': 'data:application/octet-stream;base64,' + data}],
        'bufferViews': views, 'accessors': accessors}, open(path, 'w'))


def animation(count):
    def wave(base, height, phase):
        keys = []
        for frame in range(0, FRAMES + 1, 10):
            angle = 2 * math.pi * frame / FRAMES + phase
            keys.append([frame, round(base + height * math.sin(angle), 4),
                         round(height * math.cos(angle) * 2 * math.pi / FRAMES, 4)])
        return keys

    def straight(begin, end):
        slope = round((end - begin) / FRAMES, 4)
        return [[0, begin, slope], [FRAMES, end, slope]]
    return {'format': 'facet-j3d-animation', 'version': 1, 'kind': 'bck', 'name': 'walk',
            'frames': FRAMES, 'loop': 'repeat', 'rotation_shift': 1,
            'joints': [{'scale': [wave(1, 0.2, 0)] * 3 if j == count - 1 else [1, 1, 1],
                        'rotation': [wave(0, 50, j), wave(0, 20, j + 1), wave(0, 35, j + 2)],
                        'translation': [wave(0, 0.3, j), 1, 0] if j < count - 1 else
                                      [straight(-1, 2), 1, straight(3, -4)]} for j in range(count)]}


def value(track, frame):
    """Value of a track of the JSON at a frame: cubics between keys."""
    if not isinstance(track, list):
        return track
    before = None
    for key in track:
        if key[0] > frame:
            break
        before = key
    if before is None:
        return track[0][1]
    after = track[track.index(before) + 1] if before is not track[-1] else None
    if after is None:
        return before[1]
    d = after[0] - before[0]
    s = (frame - before[0]) / d
    out, into = before[-1] * d, after[2] * d
    return ((2 * s**3 - 3 * s**2 + 1) * before[1] + (s**3 - 2 * s**2 + s) * out
            + (3 * s**2 - 2 * s**3) * after[1] + (s**3 - s**2) * into)


def matrix(angles):
    """Rz Ry Rx."""
    (sx, cx), (sy, cy), (sz, cz) = [(math.sin(math.radians(a)), math.cos(math.radians(a)))
                                    for a in angles]
    return [[cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz],
            [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz],
            [-sy, sx * cy, cx * cy]]


def turned(a, b):
    trace = sum(a[r][c] * b[r][c] for r in range(3) for c in range(3))
    return math.degrees(math.acos(max(-1, min(1, (trace - 1) / 2))))


def compare(before, after):
    worst = [0, 0, 0]
    if after['frames'] != before['frames'] or len(after['joints']) != len(before['joints']):
        sys.exit(f"{after['frames']} frames of {len(after['joints'])} joints came back")
    for a, b in zip(before['joints'], after['joints']):
        for frame in range(FRAMES + 1):
            at = [[[value(track, frame) for track in joint[what]] for joint in (a, b)]
                  for what in ('translation', 'rotation', 'scale')]
            worst[0] = max([worst[0]] + [abs(x - y) for x, y in zip(*at[0])])
            worst[1] = max(worst[1], turned(matrix(at[1][0]), matrix(at[1][1])))
            worst[2] = max([worst[2]] + [abs(x - y) for x, y in zip(*at[2])])
    print('off by %.4f units, %.4f degrees, scale %.4f' % tuple(worst))
    if worst[0] > DISTANCE or worst[1] > DEGREES or worst[2] > SCALE:
        sys.exit('more than the way back promises')


def programs():
    """Facet and Blender, as given on the command line."""
    facet = os.path.abspath(sys.argv[1])
    blender = sys.argv[2] if len(sys.argv) > 2 else 'blender'
    try:
        subprocess.run([blender, '--version'], stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        print('there is no Blender: skipped')
        sys.exit(77)
    return facet, blender


def main():
    facet, blender = programs()
    with tempfile.TemporaryDirectory() as work:
        def at(name):
            return os.path.join(work, name)
        skinned_gltf(at('a.gltf'))
        run(facet, 'convert', at('a.gltf'), at('model.bmd'))
        run(facet, 'extract', at('model.bmd'), at('model'))
        with open(os.path.join(at('model'), 'hierarchy.json')) as file:
            count = len(json.load(file)['joints'])
        with open(at('walk.json'), 'w') as file:
            json.dump(animation(count), file)
        run(facet, 'pack', at('walk.bck'), at('walk.json'))
        for kind in ('dae', 'glb'):
            run(facet, 'convert', at('model.bmd'), at('walk.bck'), at('in.' + kind))
            print(run(blender, '-b', '--python-exit-code', '1', '--python',
                      os.path.join(HERE, 'round_trip.py'), '--', at('in.' + kind),
                      at('out.' + kind))[-300:])
            print(run(facet, 'info', at('out.' + kind)))
            print(run(facet, 'convert', at('out.' + kind), at(kind + '.bck'), '--like',
                      at('model.bmd')))
            files = []
            for name in ('walk', kind):
                run(facet, 'extract', at(name + '.bck'), at(name))
                with open(os.path.join(at(name), 'animation.json')) as file:
                    files.append(json.load(file))
            compare(*files)
        # Blender's glTF has no extras of animations: over the original, its keys stay.
        shutil.copy(at('walk.bck'), at('over.bck'))
        print(run(facet, 'convert', at('out.glb'), at('over.bck'), '--like', at('model.bmd')))
        if open(at('over.bck'), 'rb').read() != open(at('walk.bck'), 'rb').read():
            sys.exit('an animation that nothing was changed in is another over its file')


if __name__ == '__main__':
    main()
