#!/usr/bin/env python3
"""Check the FBX, COLLADA and OBJ files that Facet writes, with Blender.

    matrix.py FACET

Each feature of tests/matrix that Blender supports is written, imported by Blender, exported as
glTF, and checked. This finds two errors that cancel each other in Facet.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'matrix'))
from back import Back  # noqa: E402
from features import FEATURES  # noqa: E402

PLACES = {'geometry', 'no material is white', 'node translation', 'node rotation', 'node scale',
          'mirrored node', 'two instances', 'hidden node', 'nodes below nodes', 'fine positions',
          'nodes of other scenes are not drawn', 'sparse accessor', 'triangle strip', 'triangle fan'}
LOOKS = {'base color', 'emission', 'base color texture', 'emissive texture', 'material name',
         'two materials', 'a part without a material', 'JPEG image', 'WebP image', 'gray image',
         'image of 16 bits', 'image with a palette'}
VERTICES = {'vertex colors', 'colors of 8 bits', 'colors of 16 bits', 'texture coordinates',
            'texture coordinates beyond 1'}
NAMES = {'mesh name', 'node name', 'names below names', 'names: Latin', 'names: Japanese',
         'names: emoji', 'names: spaces', 'names: quotes', 'names: slashes', 'names: numbers',
         'names: markup'}
SKINS = {'skin', 'weights of sum 2', 'two skins', 'joint names'}
SEEN = {
    'fbx': PLACES | LOOKS | VERTICES | NAMES | SKINS | {
        'roughness', 'metallic', 'emissive strength', 'normal texture', 'normal scale',
        'alpha of a texture', 'vertex alpha', 'morph target', 'names of targets'},
    'dae': PLACES | LOOKS | VERTICES | NAMES | SKINS | {
        'animated translation', 'animated scale', 'moving skin'},
    'obj': PLACES | LOOKS | VERTICES | {
        'mesh name', 'roughness', 'metallic', 'emissive strength', 'blending', 'texture transform',
        'sheared node', 'morph weight at rest', 'scale of zero'},
}
SCRIPT = '''
import bpy, json, sys
for path, out in json.load(open(sys.argv[sys.argv.index('--') + 1])):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    kind = path.rsplit('.', 1)[1]
    read = {'fbx': bpy.ops.import_scene.fbx, 'dae': bpy.ops.wm.collada_import,
            'obj': bpy.ops.wm.obj_import}[kind]
    try:
        read(filepath=path)
        bpy.ops.export_scene.gltf(filepath=out, export_format='GLB', export_colors=True)
    except Exception as error:
        print('cannot be imported:', path, error)
'''


def main():
    facet, faults, count = os.path.abspath(sys.argv[1]), 0, 0
    with tempfile.TemporaryDirectory() as work:
        jobs, looks = [], []
        for number, (name, make, look, _) in enumerate(FEATURES):
            source = os.path.join(work, f'{number}.gltf')
            with open(source, 'w', encoding='utf-8') as file:
                file.write(make().text())
            for kind in SEEN:
                if name not in SEEN[kind]:
                    continue
                target = os.path.join(work, f'{number}.{kind}')
                subprocess.run([facet, 'convert', '-q', source, target], check=True,
                               stderr=subprocess.DEVNULL)
                jobs.append((target, f'{target}.glb'))
                looks.append((name, kind, look, f'{target}.glb'))
        plan, script = os.path.join(work, 'plan.json'), os.path.join(work, 'run.py')
        with open(plan, 'w', encoding='utf-8') as file:
            json.dump(jobs, file)
        with open(script, 'w', encoding='utf-8') as file:
            file.write(SCRIPT)
        done = subprocess.run(['blender', '-b', '--factory-startup', '-noaudio', '--python', script,
                               '--', plan], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for name, kind, look, path in looks:
            count += 1
            try:
                kept = look(Back(path))
            except (OSError, KeyError, IndexError) as error:
                kept = print(error)
            if not kept:
                faults += 1
                print(f'{name} by {kind}: Blender does not see it')
    unknown = set().union(*SEEN.values()) - {f[0] for f in FEATURES}
    print(f'{count} files, {faults} faults' + (f'; unknown: {unknown}' if unknown else ''))
    if faults:
        print(done.stdout[-2000:])
    sys.exit(faults > 0 or bool(unknown) or count == 0)


main()
