"""The summary of an import or export: reports in the Info editor, and a popup if something was lost
or changed."""

import textwrap

import bpy

from .options import in_blender

MAX_ROWS, WIDTH = 16, 100


def amount(count, name):
    """A number and a noun: "1 face", "2 faces"."""
    if count != 1:
        name = name[:-2] + "ices" if name.endswith("ex") else \
            name + ("es" if name.endswith("sh") else "s")
    return f"{count:,} {name}"


def contents(scene):
    """The contents of a scene of the library, for example "2 meshes with 12 faces, 1 material"."""
    faces = sum(scene.meshes[i].contents.face_count for i in range(scene.mesh_count))
    placed = [scene.nodes[i].contents.mesh for i in range(scene.node_count)]
    placed = [scene.meshes[i].contents.face_count for i in placed if i < scene.mesh_count]
    parts = [(f"{amount(scene.mesh_count, 'mesh')} with {amount(faces, 'face')}", scene.mesh_count),
             (f"{amount(len(placed), 'instance')} with {amount(sum(placed), 'face')}",
              len(placed) > scene.mesh_count),
             (amount(scene.node_count, "node"), scene.node_count),
             (amount(scene.material_count, "material"), scene.material_count),
             (amount(scene.image_count, "image"), scene.image_count),
             (amount(scene.animation_count, "animation"), scene.animation_count),
             (amount(scene.hull_count, "hull"), scene.hull_count),
             ("an occluder", bool(scene.occluder))]
    return ", ".join(words for words, count in parts if count)


def popup(context, title, rows):
    def draw(menu, _):
        for row in rows:
            menu.layout.label(text=row)
    context.window_manager.popup_menu(draw, title=title, icon="INFO")


def rows_of(sentences, listed, rest):
    """Lines for a popup: sentences, then a list. `rest` describes what is left out, for example
    "more warning"."""
    found = [line for one in sentences for line in textwrap.wrap(one, WIDTH)]
    for i, one in enumerate(listed):
        lines = textwrap.wrap(one, WIDTH, initial_indent="- ", subsequent_indent="   ")
        if len(found) + len(lines) > MAX_ROWS and i:
            found.append(f"{amount(len(listed) - i, rest)} in the Info editor")
            break
        found += lines
    return found


# -- Before a file is written ---------------------------------------------------

class EXPORT_SCENE_OT_facet_review(bpy.types.Operator):
    """Write the model as listed"""
    bl_idname = "export_scene.facet_review"
    bl_label = "Write the Model"
    bl_options = {"INTERNAL"}

    rows, write = [], None  # of the last review()

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self, width=700)

    def draw(self, context):
        for row in self.rows:
            self.layout.label(text=row)

    def execute(self, context):
        return self.write()


def review(title, sentences, write):
    """Show sentences in a dialog. Its button calls write(), which reports all of them."""
    kind = EXPORT_SCENE_OT_facet_review
    kind.rows = rows_of([f"{title}: OK writes the file as follows"], sentences, "more line")
    kind.write = staticmethod(write)
    bpy.ops.export_scene.facet_review("INVOKE_DEFAULT")


# -- After it --------------------------------------------------------------------

class Summary:
    """Collects what one run of an operator reports. A trial only collects."""

    def __init__(self, operator, is_trial=False):
        self.operator, self.is_trial = operator, is_trial
        self.done, self.lost, self.notes = [], [], []

    def say(self, severity, sentence):
        sentence = in_blender(sentence)
        if not self.is_trial:
            self.operator.report({severity}, sentence)
        (self.lost if severity == "WARNING" else self.notes).append(sentence)

    def finish(self, sentence):
        """Report a file that was read or written."""
        if not self.is_trial:
            self.operator.report({"INFO"}, sentence)
        self.done.append(sentence)

    def show(self, context):
        """Show the popup after a run from the user interface. Scripts get only reports."""
        if self.lost and self.operator.is_invoked and not self.is_trial:
            popup(context, f"{self.operator.bl_label}: {amount(len(self.lost), 'warning')}",
                  rows_of(self.done, self.lost, "more warning"))
