"""Run inside Blender: install the add-on from an archive, enable it, and save the preferences."""

import os
import sys

import bpy

archive = os.path.abspath(sys.argv[sys.argv.index("--") + 1])
bpy.ops.preferences.addon_install(filepath=archive, overwrite=True)
bpy.ops.preferences.addon_enable(module="io_scene_facet")
if "io_scene_facet" not in bpy.context.preferences.addons:
    sys.exit("the add-on is not enabled")
bpy.ops.wm.save_userpref()
