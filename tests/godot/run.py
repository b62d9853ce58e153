#!/usr/bin/env python3
"""Import model files in Godot 3: its editor runs without a screen and uses examples/godot. A script
loads the scenes and prints their content.

    run.py FACET LIBFACET_GODOT

The models are those of tests/window. One is a plate with a texture, with two plates of plain colors
in front of it. The other is a column of two bones that bends by 90 degrees in one second. Exit
status 77 if Godot is missing.
"""
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '../window'))
import run as character  # noqa: E402
import viewer as plates  # noqa: E402

PROJECT = """config_version=4

[application]

config/name="facet"

[editor_plugins]

enabled=PoolStringArray( "facet" )
"""
FILES = ['plates.bsm', 'plates.bga', 'plates.bpx', 'plates.bmd', 'column.iqm']
FAULTS = []


def must(condition, text):
    if not condition:
        FAULTS.append(text)


def near(a, b, by=1e-3):
    return all(abs(x - y) <= by for x, y in zip(a, b))


def godot(folder, home, *arguments):
    done = subprocess.run(['godot3-server', '--path', folder, *arguments], capture_output=True, text=True, timeout=100,
                          env=dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home))
    return done.stdout + done.stderr


def make(facet, folder):
    plates.write_model(folder)
    character.write_character(os.path.join(folder, 'column.gltf'))
    for name in FILES:
        source = 'column.gltf' if name.startswith('column') else 'a.obj'
        subprocess.run([facet, 'convert', '-q', source, name], check=True, cwd=folder)
    for name in ('a.obj', 'a.mtl', 'column.gltf'):
        os.remove(os.path.join(folder, name))


def check_plates(name, scene):
    surfaces = [surface for mesh in scene['meshes'] for surface in mesh['surfaces']]
    low = [min(mesh['low'][i] for mesh in scene['meshes']) for i in range(3)]
    high = [max(mesh['high'][i] for mesh in scene['meshes']) for i in range(3)]
    size = .01 if name.endswith('.bmd') else 1  # in centimeters
    must(near(low, (-size, -size, 0)) and near(high, (size, size, .3 * size)), f'{name}: box {low} {high}')
    must(sum(surface['triangles'] for surface in surfaces) == 6, f'{name}: triangles')
    must(all(surface['front'] for surface in surfaces), f'{name}: a triangle shows its back')
    if name.endswith('.bga'):  # which has no materials
        return
    must(len(surfaces) == 3, f'{name}: {len(surfaces)} surfaces')
    textured = [surface for surface in surfaces if surface['first'][2] == 0]
    for surface in textured:  # v = 0 is the upper edge: 1 - (y + 1) / 2
        x, y, _ = [value / size for value in surface['first']]
        must(near(surface['uv'], ((x + 1) / 2, (1 - y) / 2, 0)), f'{name}: texture coordinates {surface}')
    if name.endswith('.bmd'):
        must(all(surface['pixel'] == 'ffff0000' for surface in textured), f'{name}: texture {textured}')
    else:  # the file next to it
        must(all(surface['pixel'] in (None, 'ffff0000') for surface in textured), f'{name}: texture {textured}')


def check_column(name, scene):
    """Expected bones: the knee is at (-1, 1, 0), and the upper bone's y turns from +y to +x."""
    must([mesh['skin'] for mesh in scene['meshes']] == [2], f'{name}: {scene["meshes"]}')
    must(scene['animations'] == ['bend'], f'{name}: {scene["animations"]}')
    origin, up = scene['bones'].get('upper', [(0, 0, 0), (0, 0, 0)])
    must(near(origin, (-1, character.KNEE, 0)), f'{name}: the knee is at {origin}')
    angle = math.radians(90)
    # An IQM has +Z up, and its bones are rotated with it. So the test compares only the end of the
    # column.
    ends = [near(axis, (math.sin(angle), math.cos(angle), 0)) for axis in (up, [-v for v in up])]
    must(any(ends), f'{name}: the upper bone points to {up}')


def main():
    if not shutil.which('godot3-server'):
        print('skipped: godot3-server is not installed')
        return 77
    facet, library = [os.path.abspath(each) for each in sys.argv[1:3]]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        with open(os.path.join(folder, 'project.godot'), 'w') as file:
            file.write(PROJECT)
        shutil.copytree(os.path.join(HERE, '../../examples/godot/addons'), os.path.join(folder, 'addons'))
        shutil.copy(library, os.path.join(folder, 'addons/facet/libfacet_godot.so'))
        shutil.copy(os.path.join(HERE, 'check.gd'), folder)
        make(facet, folder)
        with open(os.path.join(folder, 'broken.bsm'), 'w') as file:
            file.write('BINARYSTATICMESH')
        log = godot(folder, home, '--editor', '--quit')
        must('broken.bsm' in log, 'a broken file is imported without an error')
        told = godot(folder, home, '-s', 'check.gd', *('res://' + name for name in FILES))
        found = re.search(r'^RESULT (.*)$', told, re.M)
        if not found:
            print(log[-3000:], told[-3000:])
            return 1
        for name, scene in json.loads(found[1]).items():
            name = name.removeprefix('res://')
            if isinstance(scene, str):
                must(False, f'{name}: {scene}')
            elif name.startswith('column'):
                check_column(name, scene)
            else:
                check_plates(name, scene)
            print(name, json.dumps(scene)[:200])
        if FAULTS:
            print(log[-3000:])
    for fault in FAULTS:
        print(fault)
    return int(bool(FAULTS))


if __name__ == '__main__':
    sys.exit(main())
