"""Create the Blender files of docs/tutorial/blender-to-engine.md: a character with two clips, and a
level.

    blender -b --python engine_models.py -- FOLDER

This writes character.glb and level.glb into FOLDER."""
import os
import sys

import bpy

folder = sys.argv[sys.argv.index('--') + 1]


def material(name, color):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (*color, 1)
    return made


def character():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_cylinder_add(vertices=8, radius=.25, depth=2, location=(0, 0, 1))
    body = bpy.context.object
    body.name = body.data.name = 'body'
    bpy.ops.object.transform_apply(location=True)
    bpy.ops.object.mode_set(mode='EDIT')
    bpy.ops.mesh.select_all(action='SELECT')
    bpy.ops.mesh.subdivide(number_cuts=3)
    bpy.ops.object.mode_set(mode='OBJECT')
    bpy.ops.mesh.uv_texture_add()
    body.data.materials.append(material('skin', (.8, .4, .1)))

    bpy.ops.object.armature_add()
    rig = bpy.context.object
    rig.name = 'rig'
    bpy.ops.object.mode_set(mode='EDIT')
    bones = rig.data.edit_bones
    bones[0].name, bones[0].head, bones[0].tail = 'hips', (0, 0, 0), (0, 0, 1)
    chest = bones.new('chest')
    chest.head, chest.tail, chest.parent = (0, 0, 1), (0, 0, 2), bones[0]
    bpy.ops.object.mode_set(mode='OBJECT')
    hips, chest = [body.vertex_groups.new(name=name) for name in ('hips', 'chest')]
    for v in body.data.vertices:
        share = min(max(v.co.z - .5, 0), 1)
        hips.add([v.index], 1 - share, 'REPLACE')
        chest.add([v.index], share, 'REPLACE')
    body.parent = rig
    body.modifiers.new('rig', 'ARMATURE').object = rig

    scene = bpy.context.scene
    scene.render.fps = 24
    bone = rig.pose.bones['chest']
    bone.rotation_mode = 'XYZ'
    rig.animation_data_create()
    for name, keys in (('bow', ((0, 0), (24, 1.2))), ('idle', ((0, 0), (12, .1), (24, 0)))):
        action = bpy.data.actions.new(name)
        rig.animation_data.action = action
        for frame, turn in keys:
            bone.rotation_euler = (turn, 0, 0)
            bone.keyframe_insert('rotation_euler', frame=frame)
        # 'Push Down' in the action editor.
        rig.animation_data.nla_tracks.new().strips.new(name, 0, action)
        rig.animation_data.action = None
        if name == 'idle':
            action['loop'] = 1  # a custom property of the action
    scene.frame_set(0)
    bpy.ops.export_scene.gltf(filepath=os.path.join(folder, 'character.glb'), export_extras=True)


def level():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name, low, high, color in (('floor', (-3, -3, -.2), (3, 3, 0), (.2, .4, .8)),
                                   ('crate', (1, .5, 0), (2, 1.5, 1), (.3, .3, .8))):
        size = [h - l for l, h in zip(low, high)]
        bpy.ops.mesh.primitive_cube_add(size=1, location=[(l + h) / 2 for l, h in zip(low, high)])
        made = bpy.context.object
        made.name, made.scale = name, size
        made.data.materials.append(material(name, color))
    # An object with this name becomes a hull.
    bpy.ops.mesh.primitive_cube_add(size=1, location=(1.5, 1, .5))
    bpy.context.object.name = 'collision_mesh_crate'
    bpy.ops.export_scene.gltf(filepath=os.path.join(folder, 'level.glb'))


character()
level()
