"""Blender add-on: import and export of BSM, IQM, BinaryMesh, BPX, BGA, and models of GameCube and
Wii. The library libfacet, in the folder lib, does the work."""

bl_info = {
    "name": "Facet: binary mesh files",
    "author": "The authors of Facet",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export",
    "description": "BSM, BinaryMesh, BPX, BGA, BMD and BDL",
    "category": "Import-Export",
}

import bpy

from . import operators, panel

CLASSES = operators.CLASSES + panel.CLASSES


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(operators.import_menu)
    bpy.types.TOPBAR_MT_file_export.append(operators.export_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(operators.export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(operators.import_menu)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
