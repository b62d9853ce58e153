"""The operators of File > Import and File > Export."""

import re
import tempfile
from contextlib import contextmanager
from pathlib import Path

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import options, summary
from .names import text

# Name of the operator, title, extensions.
IMPORTS = [
    ("bsm", "Binary Static Mesh", (".bsm",)),
    ("iqm", "Inter-Quake Model", (".iqm",)),
    ("binarymesh", "BinaryMesh", (".binarymesh",)),
    ("bpx", "BPX", (".bpx",)),
    ("bga", "Binary GPU Attributes", (".bga",)),
    ("bmd", "GameCube and Wii Model", (".bmd", ".bdl")),
    ("arc", "Models in an Archive", (".arc", ".szs", ".szp", ".rarc", ".carc", ".u8", ".zip")),
]
EXPORTS = [
    ("bsm", "Binary Static Mesh", ".bsm"),
    ("iqm", "Inter-Quake Model", ".iqm"),
    ("binarymesh", "BinaryMesh", ".binarymesh"),
    ("bpx", "BPX", ".bpx"),
    ("bga", "Binary GPU Attributes", ".bga"),
    ("bmd", "GameCube and Wii Model", ".bmd"),
    ("bdl", "GameCube and Wii Model, Baked Materials", ".bdl"),
    ("bck", "GameCube and Wii Joint Animation", ".bck"),
    ("bca", "GameCube and Wii Joint Animation, Sampled", ".bca"),
    ("btk", "GameCube and Wii Texture Matrix Animation", ".btk"),
    ("btp", "GameCube and Wii Texture Animation", ".btp"),
    ("brk", "GameCube and Wii Register Color Animation", ".brk"),
    ("bpk", "GameCube and Wii Material Color Animation", ".bpk"),
    ("bpa", "GameCube and Wii Material Color Animation, Sampled", ".bpa"),
    ("bva", "GameCube and Wii Visibility Animation", ".bva"),
]
CLIPS = {"bck", "bca", "btk", "btp", "brk", "bpk", "bpa", "bva"}  # animations of a J3D model
J3D = {"bmd", "bdl"} | CLIPS
BONES = {"iqm", "bpx"} | J3D
MOVING = {"iqm", "bpx"} | CLIPS
MODELS = (".bmd", ".bdl", ".bsm", ".iqm", ".binarymesh", ".bpx", ".bga")
ANIMATIONS = (".bck", ".bca", ".btk", ".brk", ".bpk", ".bpa", ".btp", ".bva", ".blk", ".bla",
              ".bxk", ".bxa")


def armature_of(one):
    """The armature of an imported model that an object belongs to, or None."""
    while one is not None and (one.type != "ARMATURE" or not one.get("facet_source")):
        one = one.parent
    return one


@contextmanager
def object_mode(context):
    """Object Mode. Afterwards, the same objects as before are active, selected and in their mode.
    Exception: if another object is active then, nothing is restored."""
    one = context.object
    before = one.mode if one else "OBJECT"
    if before == "OBJECT":
        yield
        return
    inside = [other for other in context.view_layer.objects if other.mode == before]
    selected = list(context.selected_objects)
    bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        if context.object == one:
            select(context, inside)  # the mode is set for all selected objects
            bpy.ops.object.mode_set(mode=before)
            select(context, selected)


def select(context, objects):
    """Select these objects, and no other ones."""
    for one in context.selected_objects:
        one.select_set(False)
    for one in objects:
        one.select_set(True)


# -- Import ------------------------------------------------------------------

class FacetImport(ImportHelper):
    """Base class of the import operators of all formats."""

    bl_options = {"REGISTER", "UNDO", "PRESET"}

    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    scale: FloatProperty(name="Scale", default=1, min=1e-6, soft_min=0.001, soft_max=1000,
                         description="Factor for all lengths")
    custom_normals: BoolProperty(
        name="Normals of the File", default=True,
        description="Import normals as custom normals; otherwise Blender computes normals")
    collision: BoolProperty(
        name="Hulls and Occluder", default=True,
        description="Import collision hulls and the occluder into a separate collection")
    bones: EnumProperty(
        name="Bones", default="FILE", description="Direction of bones", items=[
            ("FILE", "As in the File", "Bones have the axes of their joints"),
            ("LIMBS", "Along Limbs", "Bones point to the bones below. The export restores the axes")])
    animations: EnumProperty(
        name="Animations", default="FILES", description="For GameCube and Wii models", items=[
            ("FILES", "Selected Files", "Animation files that are selected with the model"),
            ("FOLDER", "All Next to the Model", "All animation files in the folder of the model"),
            ("NONE", "None", "Only the model")])
    is_invoked = False

    def invoke(self, context, event):
        self.is_invoked = True
        return super().invoke(context, event)

    def paths(self):
        """Pairs of a model and its animations."""
        chosen = self.chosen()
        models = [path for path in chosen if path.suffix.lower() not in ANIMATIONS]
        animations = [path for path in chosen if path.suffix.lower() in ANIMATIONS]
        if self.animations == "NONE":
            animations = []
        return [(path, animations or self.beside(path)) for path in models]

    def beside(self, path):
        if self.animations != "FOLDER" or path.suffix.lower() not in (".bmd", ".bdl"):
            return []
        return sorted(one for one in path.parent.iterdir() if one.suffix.lower() in ANIMATIONS)

    def execute(self, context):
        from . import library
        try:
            found = self.paths()
        except (library.FacetError, OSError) as error:
            self.report({"ERROR"}, options.in_blender(str(error)))
            return {"CANCELLED"}
        armature = armature_of(context.object)
        if not found and armature and self.format == "bmd":
            return self.add(context, armature)
        if not found:
            self.report({"ERROR"}, "no model: select it together with its animations, or first select "
                                   "the armature of an imported one")
            return {"CANCELLED"}
        with object_mode(context):
            return self.take_all(context, found)

    def take_all(self, context, found):
        from . import library
        taken, made, result = 0, [], summary.Summary(self)
        for path, animations in found:
            try:
                made += self.take(context, path, animations, result)
                taken += 1
            except (library.FacetError, OSError) as error:
                self.report({"ERROR"}, options.in_blender(str(error)))
        if made:
            select(context, made)
            context.view_layer.objects.active = made[0]
        result.show(context)
        # FINISHED creates an undo step, which also removes the files that were read before an
        # error.
        return {"FINISHED"} if taken else {"CANCELLED"}

    def chosen(self):
        """All selected files."""
        directory = bpy.path.abspath(self.directory)
        return [Path(directory) / file.name for file in self.files if file.name] \
            or [Path(bpy.path.abspath(self.filepath))]

    def add(self, context, armature):
        """Add animations to the model of an earlier import."""
        from . import build, library
        source, result = armature["facet_source"], summary.Summary(self)
        try:
            with object_mode(context), library.load(source, None, [str(one) for one in self.chosen()]) as loaded:
                count = build.add_animations(context, armature, loaded.scene, source, result.say)
                for severity, sentence in loaded.findings():
                    result.say(severity, sentence)
        except (library.FacetError, OSError) as error:
            self.report({"ERROR"}, options.in_blender(str(error)))
            return {"CANCELLED"}
        result.finish(f"{armature.name} has {summary.amount(count, 'more animation')}")
        result.show(context)
        return {"FINISHED"}

    def take(self, context, path, animations, result):
        from . import build, library

        def say(severity, sentence):
            result.say(severity, f"{path.name}: {sentence}")
        options = {"scale": self.scale, "custom_normals": self.custom_normals,
                   "collision": self.collision, "source": str(path),
                   "limbs": self.bones == "LIMBS"}
        if animations and self.animations == "FOLDER":
            found = library.fitting(str(path), [str(one) for one in animations])
            left = [one.name for one in animations if str(one) not in found]
            if left:
                say("INFO", f"{summary.amount(len(left), 'animation')} of the folder left out, the "
                            f"first is {left[0]}: not an animation of this model")
            animations = found
        named = None if self.format in ("bmd", "arc") else self.format
        with library.load(str(path), named, [str(one) for one in animations]) as loaded:
            objects = build.build_scene(context, loaded.scene, path.stem, options, say)
            for severity, sentence in loaded.findings():
                say(severity, sentence)
            is_swapped = self.format == "bga" and loaded.is_big_endian
            read = summary.contents(loaded.scene)
        for one in objects:
            one["facet_source"] = str(path)
            if is_swapped:
                one["facet_endian"] = "big"
        result.finish(f"{path.name} is read: {read}: {summary.amount(len(objects), 'object')}")
        return objects


class FacetArchiveImport(FacetImport):
    """Imports all models of an archive, or one of them."""

    member: StringProperty(
        name="File", description="Path in the archive, such as bdl/cl.bdl; empty: all models")

    def paths(self):
        from . import library
        found = []
        for path, _ in super().paths():
            inside = [Path(one) for one in library.members(str(path))]
            models = [Path(self.member)] if self.member else \
                [one for one in inside if one.suffix.lower() in MODELS]
            if not models:
                raise library.FacetError(f"{path}: there is no model in it")
            animations = [path / one for one in inside if one.suffix.lower() in ANIMATIONS] \
                if self.animations == "FOLDER" and len(models) == 1 else []
            found += [(path / one, animations) for one in models]
        return found


# -- Export ------------------------------------------------------------------

class FacetExport(ExportHelper):
    """Base class of the export operators of all formats."""

    bl_options = {"PRESET"}

    use_selection: BoolProperty(name="Selected Objects", default=False,
                                description="Only selected objects; otherwise all visible ones")
    apply_modifiers: BoolProperty(name="Apply Modifiers", default=True,
                                  description="Apply modifiers to meshes; armatures only for formats "
                                              "without bones, which get the pose")
    normals: BoolProperty(name="Normals", default=True,
                          description="Export normals; otherwise compute them where needed")
    animations: EnumProperty(
        name="Animations", default="ACTIVE", items=[
            ("ACTIVE", "Active Action", "The actions that play"),
            ("ALL", "All Actions", "All actions that move the same parts: one animation each"),
            ("NONE", "None", "None")])
    like: StringProperty(
        name="Original", subtype="FILE_PATH",
        description="The original model: everything that is not changed is copied from it, byte "
                    "for byte. For an animation, the model that it moves")
    review: BoolProperty(
        name="Review First", default=True,
        description="Before a model is written with the original, show what is kept, written again, "
                    "added and lost. Scripts are not asked")

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        for name in ("use_selection", "apply_modifiers", "normals"):
            if self.format not in CLIPS:
                layout.prop(self, name)
        if self.format in MOVING:
            layout.prop(self, "animations")
        if self.format in J3D:
            layout.prop(self, "like")
        if self.format in J3D - CLIPS:
            layout.prop(self, "review")
        box = layout.box()
        box.label(text="Options of the Format")
        for one in options.options_of(self.format, self.format not in CLIPS):
            box.prop(self, options.python_name(one))

    is_invoked = False

    def invoke(self, context, event):
        self.is_invoked = True
        if self.format in J3D and not self.like and context.object:
            self.like = context.object.get("facet_source", "")
        return super().invoke(context, event)

    def execute(self, context):
        if not self.filepath:
            self.report({"ERROR"}, "no file name given")
            return {"CANCELLED"}
        if self.is_invoked and self.review and self.like and self.format in J3D - CLIPS:
            return self.try_out(context)
        with object_mode(context):
            return self.give(context, summary.Summary(self), self.filepath)

    def try_out(self, context):
        """Write to another folder, and show the findings. The dialog then calls the operator."""
        result = summary.Summary(self, is_trial=True)
        with tempfile.TemporaryDirectory() as folder, object_mode(context):
            done = self.give(context, result, str(Path(folder) / Path(self.filepath).name))
        if done == {"FINISHED"}:
            write = getattr(bpy.ops.export_scene, f"facet_{self.format}")
            given = self.as_keywords(ignore=("filter_glob", "check_existing"))
            summary.review(self.bl_label, [*result.lost, *result.notes], lambda: write(**given))
        return done

    def give(self, context, result, path):
        from . import export, export_channels, library
        say = result.say
        objects = context.selected_objects if self.use_selection else \
            [one for one in context.view_layer.objects
             if one.visible_get() or (one.type == "MESH" and export.role_of(one) != "mesh")
             or (self.format in J3D and export_channels.is_hidden_for_now(one))]
        moves = self.format in MOVING
        like = bpy.path.abspath(self.like) if self.like else None
        wanted = {"apply_modifiers": self.apply_modifiers, "normals": self.normals,
                   "animations": self.animations if moves else "NONE",
                   "format": self.format, "moves": moves, "states_rate": self.format == "iqm",
                   "bones": self.format in BONES,
                   "looks": self.format in ("bmd", "bdl"), "selection": self.use_selection,
                   "swaps": self.format == "bga" and self.endian == "DEFAULT",
                   "like": like if self.format in ("bmd", "bdl") else None}
        # Games play animations at 30 frames a second, and the library samples other rates again.
        rate = 0.0 if self.format in CLIPS else \
            context.scene.render.fps / context.scene.render.fps_base
        try:
            path = bpy.path.abspath(path)
            with library.Saved(path) as saved:
                export.build_scene(context, saved, objects, wanted, say)
                clips = self.clips(saved, Path(path)) if self.format in CLIPS else ()
                saved.write(self.format, like, rate=rate if moves else 0.0, clips=clips,
                            given=options.given(self, self.format, self.format not in CLIPS))
                for severity, sentence in saved.findings():
                    say(severity, sentence)
                written = summary.contents(saved.scene) if self.format not in CLIPS else \
                    summary.amount(1, "animation")
        except (library.FacetError, OSError, ValueError) as error:
            self.report({"ERROR"}, options.in_blender(str(error)))
            return {"CANCELLED"}
        for path in [path for path, _ in clips] or [path]:
            result.finish(f"{path} is written: {written}")
        result.show(context)
        return {"FINISHED"}

    def clips(self, saved, path):
        """For several actions: pairs (path NAME-ACTION.bck, name of the animation)."""
        scene = saved.scene
        names = [text(scene.animations[i].contents.name) for i in range(scene.animation_count)]
        if len(names) < 2:
            return ()
        files = [re.sub(r"[^A-Za-z0-9.-]", "_", name) for name in names]
        files = [name if files.count(name) == 1 else f"{name}-{i}" for i, name in enumerate(files)]
        return [(str(path.with_name(f"{path.stem}-{file}{path.suffix}")), name)
                for file, name in zip(files, names)]


# -- One operator for each format ------------------------------------------------

def importer(name, title, extensions):
    base = FacetArchiveImport if name == "arc" else FacetImport
    shown = f"{title} ({', '.join(extensions)})"
    # Blender reads annotations only from operators, not from their base classes.
    properties = {**FacetImport.__annotations__, **base.__annotations__, "filter_glob": StringProperty(
        default=";".join("*" + one for one in (
            *extensions, *(ANIMATIONS if name == "bmd" else ()))), options={"HIDDEN"})}
    if name not in ("bmd", "arc"):
        del properties["animations"]
    if name not in BONES | {"arc"}:
        del properties["bones"]
    made = [type(f"IMPORT_SCENE_OT_facet_{name}", (bpy.types.Operator, base), {
        "__doc__": f"Import {shown}", "bl_idname": f"import_scene.facet_{name}",
        "bl_label": f"Import {title}", "format": name, "filename_ext": extensions[0],
        "animations": "NONE", "bones": "FILE", "__annotations__": properties})]
    if hasattr(bpy.types, "FileHandler"):  # exists from 4.1; imports dropped files
        made.append(type(f"IO_FH_facet_{name}", (bpy.types.FileHandler,), {
            "bl_idname": f"IO_FH_facet_{name}", "bl_label": title,
            "bl_import_operator": f"import_scene.facet_{name}",
            "bl_file_extensions": ";".join(extensions),
            "poll_drop": classmethod(lambda cls, context: context.area is not None
                                     and context.area.type in {"VIEW_3D", "OUTLINER"})}))
    return made


def exporter(name, title, extension):
    return type(f"EXPORT_SCENE_OT_facet_{name}", (bpy.types.Operator, FacetExport), {
        "__doc__": f"Export {title} ({extension})", "bl_idname": f"export_scene.facet_{name}",
        "bl_label": f"Export {title}", "format": name, "filename_ext": extension,
        "__annotations__": {**FacetExport.__annotations__, **options.properties(name, name not in CLIPS),
                            "filter_glob": StringProperty(
            default=f"*{extension}", options={"HIDDEN"})}})


CLASSES = [made for one in IMPORTS for made in importer(*one)] + [exporter(*one) for one in EXPORTS]


def import_menu(self, context):
    for name, title, extensions in IMPORTS:
        self.layout.operator(f"import_scene.facet_{name}", text=f"{title} ({'/'.join(extensions)})")


class TOPBAR_MT_facet_export_animations(bpy.types.Menu):
    bl_label = "GameCube and Wii Animation"

    def draw(self, context):
        for name, title, extension in EXPORTS:
            if name in CLIPS:
                short = title.replace("GameCube and Wii ", "")
                self.layout.operator(f"export_scene.facet_{name}", text=f"{short} ({extension})")


def export_menu(self, context):
    for name, title, extension in EXPORTS:
        if name not in CLIPS:
            self.layout.operator(f"export_scene.facet_{name}", text=f"{title} ({extension})")
    self.layout.menu(TOPBAR_MT_facet_export_animations.__name__)


CLASSES += [TOPBAR_MT_facet_export_animations, summary.EXPORT_SCENE_OT_facet_review]
