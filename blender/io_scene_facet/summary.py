"""The summary of an import or export: reports in the Info editor, and a popup if something was lost
or changed."""

import textwrap

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


class Summary:
    """Collects what one run of an operator reports."""

    def __init__(self, operator):
        self.operator, self.done, self.lost = operator, [], []

    def say(self, severity, sentence):
        sentence = in_blender(sentence)
        self.operator.report({severity}, sentence)
        if severity == "WARNING":
            self.lost.append(sentence)

    def finish(self, sentence):
        """Report a file that was read or written."""
        self.operator.report({"INFO"}, sentence)
        self.done.append(sentence)

    def rows(self):
        """The lines of the popup: the files, then the warnings."""
        found = [line for one in self.done for line in textwrap.wrap(one, WIDTH)]
        for i, one in enumerate(self.lost):
            lines = textwrap.wrap(one, WIDTH, initial_indent="- ", subsequent_indent="   ")
            if len(found) + len(lines) > MAX_ROWS and i:
                found.append(f"{amount(len(self.lost) - i, 'more warning')} in the Info editor")
                break
            found += lines
        return found

    def show(self, context):
        """Show the popup after a run from the user interface. Scripts get only reports."""
        if self.lost and self.operator.is_invoked:
            popup(context, f"{self.operator.bl_label}: {amount(len(self.lost), 'warning')}",
                  self.rows())
