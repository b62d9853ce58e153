"""Facet in Blender: File > Import > BSM, BinaryMesh, BGA. All work is done by libfacet, which lies
beside this file."""

bl_info = {
    "name": "Facet: binary mesh files",
    "author": "The authors of Facet",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import",
    "description": "BSM, BinaryMesh and BGA",
    "category": "Import-Export",
}

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy_extras.io_utils import ImportHelper


class FacetImport(ImportHelper):
    """What the operators of all formats share."""

    bl_options = {"REGISTER", "UNDO", "PRESET"}

    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    custom_normals: BoolProperty(
        name="Normals of the file", default=True,
        description="Keep them as custom normals; without, Blender computes its own")
    collision: BoolProperty(
        name="Hulls and occluder", default=True,
        description="Collision hulls and the occluder as objects in a collection of their own")

    def execute(self, context):
        from pathlib import Path

        from . import build, library
        paths = [Path(self.directory) / file.name for file in self.files if file.name] \
            or [Path(self.filepath)]
        for path in paths:
            try:
                with library.load(str(path), self.format) as loaded:
                    objects = build.build_scene(context, loaded.scene, path.stem,
                                                custom_normals=self.custom_normals,
                                                collision=self.collision)
                    for severity, sentence in loaded.findings():
                        self.report({severity}, f"{path.name}: {sentence}")
            except library.FacetError as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
            self.report({"INFO"}, f"{path.name}: {len(objects)} objects")
        return {"FINISHED"}


def importer(name, title, extension):
    """The operator of one format, and where there is such a thing what takes dropped files."""
    operator = type(f"IMPORT_SCENE_OT_{name}", (bpy.types.Operator, FacetImport), {
        "__doc__": f"Import {title} files", "bl_idname": f"import_scene.{name}",
        "bl_label": f"Import {title}", "format": name, "filename_ext": extension,
        # Annotations of a base class that is no operator are not looked at.
        "__annotations__": {**FacetImport.__annotations__, "filter_glob": StringProperty(
            default=f"*{extension}", options={"HIDDEN"})}})
    classes = [operator]
    if hasattr(bpy.types, "FileHandler"):
        classes.append(type(f"IO_FH_{name}", (bpy.types.FileHandler,), {
            "bl_idname": f"IO_FH_facet_{name}", "bl_label": title,
            "bl_import_operator": f"import_scene.{name}", "bl_file_extensions": extension,
            "poll_drop": classmethod(lambda cls, context: context.area is not None
                                     and context.area.type in {"VIEW_3D", "OUTLINER"})}))
    return classes


FORMATS = [("bsm", "Binary Static Mesh (.bsm)", ".bsm"),
           ("binarymesh", "BinaryMesh (.binarymesh)", ".binarymesh"),
           ("bga", "Binary GPU Attributes (.bga)", ".bga")]
CLASSES = [one for format_ in FORMATS for one in importer(*format_)]


def menu(self, context):
    for name, title, _ in FORMATS:
        self.layout.operator(f"import_scene.{name}", text=title)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
