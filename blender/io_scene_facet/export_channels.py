"""Convert animations of materials and of visibility to an animation of the scene: each frame is
sampled as Blender shows it."""

import json

import bpy
import numpy as np

from . import compat, library
from . import declarations as d
from .export_losses import paths_of
from .export_materials import coordinates_of, find_image
from .export_motion import store_channels, strips_of
from .materials import CHOICE
from .names import text
from .shading import GROUP, Shading, of_facet

COLORS, TEXTURES, IMAGES, VISIBILITY = range(4)
# Kinds of motion by format.
KINDS = {"btk": TEXTURES, "brk": COLORS, "bpk": COLORS, "bpa": COLORS, "btp": IMAGES,
         "bva": VISIBILITY}
NOTHING = {
    COLORS: "no color of an exported material has keys",
    TEXTURES: "no node Mapping of an exported material has keys",
    IMAGES: "no node Texture Choice of an exported material has keys",
    VISIBILITY: "no exported object has keys for Disable in Viewports or Disable in Renders",
}
HIDDEN = "hide_viewport", "hide_render"


def has_moving_visibility(one):
    """True if the visibility of an object is animated."""
    return bool(paths_of(one.animation_data) & set(HIDDEN))


def is_hidden_for_now(one):
    """True if an animation hides the object at the current frame. Models and their animations
    include it."""
    return one.hide_viewport and not one.hide_get() and has_moving_visibility(one)


def moved_nodes(paths):
    """The names of nodes in data paths such as nodes["Mapping"].inputs[1].default_value."""
    return {path.split('"')[1] for path in paths if path.startswith('nodes["')}


# -- Parts -----------------------------------------------------------------------

class Part:
    """A material or object that can be animated. `data` has the animation; `index` is the number in
    the scene that is written, and `number` that of the imported file."""

    def __init__(self, owner, data, index):
        self.owner, self.data, self.index = owner, data, index
        self.number, self.source = owner.get("facet_index"), owner.get("facet_source")

    def actions(self):
        """The actions that play and move this part."""
        data = self.data.animation_data
        found = [data.action] if data and data.action else []
        found += [strip.action for strip in strips_of(data) if strip.action]
        return [one for one in found if self.moves(set(compat.curve_paths(one)))]

    def is_moved(self):
        return self.moves(paths_of(self.data.animation_data))


class Hidden(Part):
    """The visibility of an object."""

    targets = (d.FACET_TARGET_VISIBILITY, 1, d.FACET_INTERPOLATION_STEP),

    @staticmethod
    def moves(paths):
        return bool(paths & set(HIDDEN))

    def sample(self):
        """Visible in the viewport, or in renders if only that is animated."""
        paths = paths_of(self.data.animation_data)
        member = HIDDEN[0] if HIDDEN[0] in paths else HIDDEN[1]
        return [1.0 - getattr(self.owner, member)],

    def differs(self):
        return set(HIDDEN) <= paths_of(self.data.animation_data) and \
            self.owner.hide_viewport != self.owner.hide_render


class Surface(Part):
    """Nodes of a material that show its color and texture."""

    def __init__(self, material, index):
        super().__init__(material, material.node_tree, index)
        self.image, self.mapping, self.choice = None, None, None
        shading = Shading(material)
        self.shader, self.scope = shading.surface()
        if self.shader is None:
            return
        if self.is_group:
            found = find_image(self.shader.inputs["Texture"])
            self.image = found and (found, None)
        else:
            self.image = shading.look(self.shader, self.scope).color.image
        if self.image:
            self.mapping = coordinates_of(*self.image)[1]
            self.data = self.image[0].id_data  # the tree of a node group has its own animation
        self.choice = self.data.nodes.get(CHOICE)

    @property
    def is_group(self):
        return self.shader is not None and of_facet(self.shader) == GROUP


class Colors(Surface):
    """The color and alpha of a material."""

    targets = (d.FACET_TARGET_BASE_COLOR, 4, d.FACET_INTERPOLATION_LINEAR),

    def moves(self, paths):
        others = {one.name for one in (self.mapping, self.choice) if one}
        return self.shader is not None and bool(moved_nodes(paths) - others)

    def sample(self):
        if self.is_group:
            of = self.shader.inputs
            return [*of["Color"].default_value[:3], of["Alpha"].default_value],
        look = Shading(self.owner).look(self.shader, self.scope)
        return [*look.color.factor, look.alpha.number],


class Textures(Surface):
    """The mapping of the texture that a material shows."""

    targets = ((d.FACET_TARGET_TEXTURE_OFFSET, 2, d.FACET_INTERPOLATION_LINEAR),
               (d.FACET_TARGET_TEXTURE_ROTATION, 1, d.FACET_INTERPOLATION_LINEAR),
               (d.FACET_TARGET_TEXTURE_SCALE, 2, d.FACET_INTERPOLATION_LINEAR))

    def moves(self, paths):
        return self.mapping is not None and self.mapping.name in moved_nodes(paths)

    def sample(self):
        of = self.mapping.inputs
        return (list(of["Location"].default_value[:2]), [-of["Rotation"].default_value[2]],
                list(of["Scale"].default_value[:2]))


class Images(Surface):
    """The choice between images: the number of one in the imported file."""

    targets = (d.FACET_TARGET_TEXTURE_IMAGE, 1, d.FACET_INTERPOLATION_STEP),

    def moves(self, paths):
        return self.choice is not None and CHOICE in moved_nodes(paths)

    def sample(self):
        return [float(round(self.choice.outputs[0].default_value))],


def parts_of(kind, materials, nodes):
    """The parts that animations of a kind can move."""
    if kind == VISIBILITY:
        return [Hidden(one, one, node) for one, node in nodes.items()]
    make = {COLORS: Colors, TEXTURES: Textures, IMAGES: Images}[kind]
    return [make(one, number) for one, number in materials.numbers.items()
            if one.use_nodes and one.node_tree]


def other_clips(format_, materials, nodes, armatures):
    """The formats of the other animations that play, for an animation file of a model. None for
    other files."""
    if format_ not in ("bck", "bca", *KINDS):
        return None
    names = {COLORS: "BRK or BPK", TEXTURES: "BTK", IMAGES: "BTP", VISIBILITY: "BVA"}
    found = [name for kind, name in names.items() if kind != KINDS.get(format_)
             and any(part.is_moved() for part in parts_of(kind, materials, nodes))]
    if format_ in KINDS and any(one.animation_data and one.animation_data.action
                                for one in armatures):
        found.append("BCK")
    return found


# -- One animation ---------------------------------------------------------------

class Sampled:
    """The values of a part at each frame, for each of its targets."""

    def __init__(self, part):
        self.part, self.values, self.differs = part, [[] for _ in part.targets], False

    def add(self):
        for values, value in zip(self.values, self.part.sample()):
            values.append(value)
        self.differs |= isinstance(self.part, Hidden) and self.part.differs()

    def channels(self):
        for (target, _, way), values in zip(self.part.targets, self.values):
            values = np.array(values, np.float32)
            yield self.part.index, target, values[:1] if np.ptp(values, 0).max() == 0 else values, way


def kind_of(extras):
    """The format of the original file in the extras of an animation."""
    try:
        return json.loads(extras)["j3d"]["animation"]["kind"]
    except (ValueError, KeyError, TypeError):
        return None


class Channels:
    """The animations of materials or of visibility in the scene that is written. `materials` are
    the exported ones, and `nodes` has the number of the node of each object."""

    def __init__(self, context, saved, options, materials, nodes, say):
        self.scene, self.saved, self.options, self.say = context.scene, saved, options, say
        self.format = options["format"]
        self.parts = parts_of(KINDS[self.format], materials, nodes)
        self.materials = materials
        self.before = {}

    def write(self):
        frame = self.scene.frame_current, self.scene.frame_subframe
        playing = {part: part.actions() for part in self.parts if part.is_moved()}
        try:
            if self.options["animations"] != "ALL":
                self._write(self._clip_of(playing), list(playing), playing)
                found = {}
            else:
                found = self._clips(playing)
            for name, actions in found.items():
                self._play(actions)
                self._write(name, list(actions), {part: [one] for part, one in actions.items()})
        finally:
            for data, before in self.before.items():
                compat.restore_action(data, before)
            self.scene.frame_set(frame[0], subframe=frame[1])
        self._check()

    def _check(self):
        """Report that nothing moves. A file that changes nothing visible is in the extras."""
        scene = self.saved.scene
        try:
            kept = json.loads(text(scene.extras))["j3d"]["animations"]
        except (ValueError, KeyError, TypeError):
            kept = []
        if not scene.animation_count and self.format not in [one.get("kind") for one in kept]:
            raise library.FacetError(f"{self.saved.path}: no animation to write: "
                                     f"{NOTHING[KINDS[self.format]]}")

    # -- Which actions

    def _clip_of(self, playing):
        """The name of the imported animation that plays, or "" if there is not exactly one."""
        names = sorted({action.get("facet_clip", "")
                        for actions in playing.values() for action in actions})
        if len(names) > 1:
            joined = ", ".join(one or "new actions" for one in names)
            self.say("INFO", f"{joined}: they play together and become one file; All Actions writes "
                             "one file each")
        return names[0] if len(names) == 1 else ""

    def _clips(self, playing):
        """The actions of each animation, by name: those of imported animations, and with the name
        "" those that play and were not imported."""
        found = {}
        for part, actions in playing.items():
            for action in actions:
                found.setdefault(action.get("facet_clip", ""), {})[part] = action
        by_number = {(part.source, part.number): part for part in reversed(self.parts)}
        for action in bpy.data.actions:
            part = by_number.get((action.get("facet_source"), action.get("facet_index")))
            if part and action.get("facet_clip") and part.moves(set(compat.curve_paths(action))):
                found.setdefault(action["facet_clip"], {}).setdefault(part, action)
        return found

    def _play(self, actions):
        """Let only these actions play."""
        for part in self.parts:
            if part.data not in self.before:
                if part not in actions and part.data.animation_data is None:
                    continue
                part.data.animation_data_create()
                self.before[part.data] = compat.assigned_action(part.data)
            compat.assign_action(part.data, actions.get(part))
            part.data.animation_data.use_nla = False

    # -- Channels

    def _write(self, name, parts, actions):
        """Add an animation of the parts that move, with the name of the imported one."""
        used = [action for found in actions.values() for action in found]
        if not parts:
            return
        ranges = [one.frame_range for one in used] or \
            [(self.scene.frame_start, self.scene.frame_end)]  # only drivers
        first, last = (int(round(one)) for one in (min(begin for begin, _ in ranges),
                                                   max(end for _, end in ranges)))
        sampled = [Sampled(part) for part in parts]
        for frame in range(first, max(first, last) + 1):
            self.scene.frame_set(frame)
            for one in sampled:
                one.add()
        for one in sampled:
            if one.differs:
                self.say("WARNING", f"{one.part.owner.name}: its visibility in renders differs from "
                                    "that in the viewport, which is written")
        channels = [channel for one in sampled for channel in one.channels()]
        if self.format == "btp":
            channels = [(index, target, self._written_images(values), way)
                        for index, target, values, way in channels]
        extras = {action.get("facet_extras") for action in used}
        original = extras.pop() if len(extras) == 1 else None
        store_channels(self.saved, name or self.format, channels, max(first, last) + 1 - first,
                       self.scene.render.fps / self.scene.render.fps_base,
                       original if kind_of(original) == self.format else None)

    def _written_images(self, values):
        """Replace the numbers of images in the imported file by those in the scene that is
        written."""
        return np.array([[self.materials.image_of_file(int(one))] for one in values[:, 0]], np.float32)
