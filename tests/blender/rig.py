#!/usr/bin/env python3
"""Convert one rigged, animated model of Blender: as GLB, as FBX in three units and with Z up, and
as COLLADA. Each becomes the same BDL, with and without --like, and the same BCK.

    rig.py FACET [BLENDER]

Exit status 77 if Blender is missing. The expected values are those that Blender was given: a column
of two meters, bent in the middle.
"""
import json
import os
import re
import sys
import tempfile

from animation import matrix, programs, run, turned, value

RIG = r"""
import bpy, math
bpy.ops.wm.read_factory_settings(use_empty=True)
corners = [(.3 * math.cos(k * math.pi / 2), .3 * math.sin(k * math.pi / 2), r * .5)
           for r in range(5) for k in range(4)]
faces = [(r * 4 + k, r * 4 + (k + 1) % 4, r * 4 + 4 + (k + 1) % 4, r * 4 + 4 + k)
         for r in range(4) for k in range(4)]
mesh = bpy.data.meshes.new('column')
mesh.from_pydata(corners, [], faces)
column = bpy.data.objects.new('column', mesh)
bpy.context.collection.objects.link(column)
bpy.ops.object.armature_add()
rig = bpy.context.object
rig.name = 'Armature'
bpy.ops.object.mode_set(mode='EDIT')
bones = rig.data.edit_bones
bones[0].name, bones[0].head, bones[0].tail = 'lower', (0, 0, 0), (0, 0, 1)
upper = bones.new('upper')
upper.head, upper.tail, upper.parent = (0, 0, 1), (0, 0, 2), bones[0]
bpy.ops.object.mode_set(mode='OBJECT')
groups = [column.vertex_groups.new(name=name) for name in ('lower', 'upper')]
for v in mesh.vertices:
    share = min(max(v.co.z - .5, 0), 1)
    groups[0].add([v.index], 1 - share, 'REPLACE')
    groups[1].add([v.index], share, 'REPLACE')
column.parent = rig
column.modifiers.new('A', 'ARMATURE').object = rig
rig.animation_data_create().action = bpy.data.actions.new('wave')
bone = rig.pose.bones['upper']
bone.rotation_mode = 'XYZ'
for frame, turn in ((0, 0), (10, .8), (20, 0)):
    bone.rotation_euler = (turn, 0, 0)
    bone.keyframe_insert('rotation_euler', frame=frame)
scene = bpy.context.scene
scene.frame_start, scene.frame_end, scene.render.fps = 0, 20, 30
scene.frame_set(0)
bpy.ops.export_scene.gltf(filepath='rig.glb')
plain = dict(add_leaf_bones=False, bake_anim_simplify_factor=0)
for name in ('NONE', 'UNITS', 'ALL'):
    bpy.ops.export_scene.fbx(filepath=name + '.fbx', apply_scale_options='FBX_SCALE_' + name,
                             **plain)
bpy.ops.export_scene.fbx(filepath='Z.fbx', axis_forward='Y', axis_up='Z', **plain)
bpy.ops.wm.collada_export(filepath='rig.dae')
rig.location, rig.rotation_euler, rig.scale = (1, 2, 3), (math.pi / 2, 0, 0), (.5, .5, .5)
bpy.ops.export_scene.gltf(filepath='placed.glb')
bpy.ops.export_scene.fbx(filepath='placed.fbx', **plain)
"""
FILES = ['rig.glb', 'NONE.fbx', 'UNITS.fbx', 'ALL.fbx', 'Z.fbx', 'rig.dae']
# A centimeter is the unit of a BDL.
BOUNDS = [-30, 0, -30, 30, 200, 30]
# The armature turns (x, y, z) to (x, -z, y), halves and moves it. The column is then in x from
# 0.85 to 1.15, in y from 1 to 2, in z from 2.85 to 3.15. In J3D, y is up. Its z is -y of Blender.
PLACED = [85, 285, -200, 115, 315, -100]
BEND = [(0, 0), (10, 45.8366), (20, 0)]  # 0.8 radians


def look_at_model(facet, path, expected=BOUNDS):
    said = run(facet, 'info', path)
    bounds = [float(n) for n in re.search('bounds: (.*)', said)[1].replace('to', '').split()]
    names = re.findall(r'"\s*joint \d+ (\w+)"', said)
    print('%s: joints %s, bounds %s' % (os.path.basename(path), names, bounds))
    if names != ['lower', 'upper']:
        sys.exit('the joints are to be lower and upper')
    if max(abs(a - b) for a, b in zip(bounds, expected)) > 0.01:
        sys.exit(f'the bounds are to be {expected}')


def look_at_motion(facet, path, place=0, length=100):
    """`place` is the rotation of the lower joint about x, in degrees; `length` is its length."""
    run(facet, 'extract', path, path + '.d')
    with open(os.path.join(path + '.d', 'animation.json')) as file:
        joints = json.load(file)['joints']
    for frame, bend in BEND:
        lower, upper = [matrix([value(track, frame) for track in joint['rotation']])
                        for joint in joints]
        at = [value(track, frame) for track in joints[1]['translation']]
        still = matrix([0, 0, 0])
        off = [turned(lower, matrix([place, 0, 0])), turned(upper, still) - bend,
               max(abs(a - b) for a, b in zip(at, (0, length, 0)))]
        print('  frame %d: %.4f degrees, %.4f degrees, %.4f units off' % (frame, *off))
        if max(map(abs, off)) > 0.1:
            sys.exit('more than 0.1')


def main():
    facet, blender = programs()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.environ['PWD'] = work  # Blender reads it
        with open('make.py', 'w') as file:
            file.write(RIG)
        run(blender, '-b', '--python-exit-code', '1', '--python', 'make.py')
        run(facet, 'convert', 'rig.glb', 'original.bdl')
        for name in FILES:
            stem = name.replace('.', '_')
            run(facet, 'convert', name, stem + '.bdl')
            look_at_model(facet, stem + '.bdl')
            run(facet, 'convert', name, stem + '_like.bdl', '--like', 'original.bdl')
            look_at_model(facet, stem + '_like.bdl')
            run(facet, 'convert', name, stem + '.bck', '--like', 'original.bdl')
            look_at_motion(facet, stem + '.bck')
        for name in ('placed.glb', 'placed.fbx'):
            for model in ('bmd', 'bdl'):
                run(facet, 'convert', name, f'{name}.{model}')
                look_at_model(facet, f'{name}.{model}', PLACED)
                run(facet, 'convert', name, f'{name}.like.{model}', '--like', f'{name}.{model}')
                look_at_model(facet, f'{name}.like.{model}', PLACED)
            run(facet, 'convert', name, name + '.bck', '--like', name + '.bmd')
            look_at_motion(facet, name + '.bck', 90, 50)


main()
