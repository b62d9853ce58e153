"""Convert animations of a scene to actions, with a key at every frame. The library samples them."""

import ctypes
import json

import bpy
import numpy as np

from . import axes, compat, library, materials
from . import declarations as d
from .names import text

LINEAR, CONSTANT = 1, 0
RATES = (30, 60, 24, 25, 50, 15, 20, 12, 10, 120)


def channels_of(animation):
    return [animation.channels[i] for i in range(animation.channel_count)]


def iqm_of(animation):
    """The IQM data of an animation, for example {"rate": 24, "loop": true}; {} for other
    formats."""
    extras = json.loads(text(animation.extras) or "{}") if animation.extras else {}
    found = extras.get("iqm") if isinstance(extras, dict) else None
    return found if isinstance(found, dict) else {}


def rate_of(animations):
    """The frame rate: that of an IQM, or a usual rate at which all keys are on frames, or 30."""
    stated = [iqm_of(one).get("rate") for one in animations]
    stated = [int(one) for one in stated if isinstance(one, (int, float)) and 1 <= one == int(one)]
    times = [library.array(one.times, one.key_count, 1, np.float32)[:, 0]
             for animation in animations for one in channels_of(animation)]
    times = np.concatenate(times) if times else np.zeros(1)
    for rate in (*stated, *RATES):
        frames = times.astype(np.float64) * rate
        if np.abs(frames - np.round(frames)).max() < 1e-2:
            return rate
    return 30


def set_keys(action, datablock, path, frames, values, group, interpolation=LINEAR):
    """Add a curve for each column of `values`. A constant column gets one key."""
    values = np.asarray(values, np.float32).reshape(len(frames), -1)
    for index in range(values.shape[1]):
        column, at = values[:, index], frames
        if np.ptp(column) == 0:
            column, at = column[:1], frames[:1]
        curve = compat.new_curve(action, datablock, path, index, group)
        curve.keyframe_points.add(len(at))
        points = np.stack([np.asarray(at, np.float32), column], -1)
        curve.keyframe_points.foreach_set("co", points.reshape(-1))
        curve.keyframe_points.foreach_set("interpolation", [interpolation] * len(at))
        curve.update()


def keep_length(action, frames):
    """Add a last key to an action in which nothing moves: it would end at its first frame."""
    curves = compat.curves_of(action)
    if curves and action.frame_range[1] < frames[-1]:
        first = curves[0].keyframe_points[0]
        key = curves[0].keyframe_points.insert(frames[-1], first.co.y, options={"FAST"})
        key.interpolation = first.interpolation
        curves[0].update()


def new_action(name, datablock):
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    action["facet_name"] = name
    if datablock.animation_data is None or datablock.animation_data.action is None:
        compat.assign_action(datablock, action)
    return action


def play_along(datablock, action, replaces):
    """Let an action play together with those of other members, in an NLA track. If another one
    moves the same members, the first one plays, or `replaces`: the new one."""
    data, paths = datablock.animation_data, set(compat.curve_paths(action))

    def is_same(other):
        return other is not action and bool(paths & set(compat.curve_paths(other)))
    tracks = [track for track in data.nla_tracks if not track.mute
              and any(is_same(strip.action) for strip in track.strips)]
    if not replaces and (tracks or is_same(data.action)):
        return
    for track in tracks:
        track.mute = True
    if is_same(data.action):
        compat.assign_action(datablock, action)
    elif data.action is not action:
        compat.add_strip(data, action)


class Motion:
    """The conversion of one animation. `source` is the path of the model. `replaces`: the animation
    plays instead of those that are there."""

    replaces = False

    def __init__(self, scene, number, name, rate, turn, source, say):
        self.scene, self.number, self.turn, self.say = scene, number, turn, say
        self.source = source
        self.animation = scene.animations[number].contents
        self.channels = channels_of(self.animation)
        self.name = name
        self.duration = library.facet().facet_animation_duration(self.animation)
        self.rate = rate
        self.frames = np.arange(int(np.ceil(self.duration * rate - 1e-3)) + 1)

    def sample(self, channel):
        found = np.empty((len(self.frames), channel.width), np.float32)
        sampler = library.facet().facet_channel_sample
        # A key may round to just after its frame. Sample steps slightly later, after the change.
        later = 0.01 if channel.interpolation == d.FACET_INTERPOLATION_STEP else 0
        for i, frame in enumerate(self.frames):
            sampler(channel, (float(frame) + later) / self.rate,
                    found[i].ctypes.data_as(ctypes.POINTER(ctypes.c_float)))
        return found

    def _new_part(self, datablock, name, index):
        """An action for one of the materials or objects that the animation moves. The export
        collects them by these properties."""
        action = new_action(f"{self.name} {name}", datablock)
        action["facet_clip"], action["facet_index"] = self.name, index
        action["facet_source"] = self.source
        if self.animation.extras:
            action["facet_extras"] = text(self.animation.extras)
        return action

    # -- What moves

    def move_bones(self, skeleton):
        moved = {one.node for one in self.channels if one.target <= d.FACET_TARGET_SCALE}
        moved &= set(skeleton.order) if skeleton else set()
        if not moved:
            return
        locals_ = library.baked(self.scene, self.number, self.rate)
        frames = np.arange(len(locals_))
        action = new_action(self.name, skeleton.object)
        if self.replaces:
            compat.assign_action(skeleton.object, action)
        if iqm_of(self.animation).get("loop") is True:
            action["loop"] = 1
        if self.animation.extras and not iqm_of(self.animation):
            action["facet_extras"] = text(self.animation.extras)  # the original file, whose keys stay
        for i in skeleton.order:
            if i not in moved:
                continue
            local = self.turn.matrices(axes.from_columns(locals_[:, i]))
            where, turned, size = axes.decomposed(skeleton.basis(i, local))
            bone = skeleton.names[i]
            path = f'pose.bones["{bpy.utils.escape_identifier(bone)}"].'
            for member, values in (("location", where), ("rotation_quaternion", turned),
                                   ("scale", size)):
                set_keys(action, skeleton.object, path + member, frames, values, bone)
        keep_length(action, frames)

    def move_objects(self, objects, skeleton):
        """Animate objects, and the visibility of nodes."""
        bones = set(skeleton.order) if skeleton else set()
        moved = {one.node for one in self.channels if one.target <= d.FACET_TARGET_SCALE} - bones
        locals_ = library.baked(self.scene, self.number, self.rate) if moved else None
        for i in sorted(moved & set(objects)):
            frames = np.arange(len(locals_))
            local = self.turn.matrices(axes.from_columns(locals_[:, i]))
            if objects[i].parent_type == "BONE":
                local = skeleton.rest[skeleton.above(i)] @ local
            where, turned, size = axes.decomposed(local)
            objects[i].rotation_mode = "QUATERNION"
            action = new_action(f"{self.name} {objects[i].name}", objects[i])
            for member, values in (("location", where), ("rotation_quaternion", turned),
                                   ("scale", size)):
                set_keys(action, objects[i], member, frames, values, "Object Transforms")
            keep_length(action, frames)
        for channel in self.channels:
            if channel.target == d.FACET_TARGET_VISIBILITY and channel.node in objects:
                made = objects[channel.node]
                hidden = (self.sample(channel) == 0).astype(np.float32)
                action = self._new_part(made, made.name, channel.node)
                for member in ("hide_viewport", "hide_render"):
                    set_keys(action, made, member, self.frames, hidden, "Visibility", CONSTANT)
                keep_length(action, self.frames)
                play_along(made, action, self.replaces)

    def move_materials(self, made, images):
        """Animate colors, texture transforms, and the choice of images."""
        places = {d.FACET_TARGET_TEXTURE_OFFSET, d.FACET_TARGET_TEXTURE_ROTATION,
                  d.FACET_TARGET_TEXTURE_SCALE}
        paths = places | {d.FACET_TARGET_BASE_COLOR, d.FACET_TARGET_TEXTURE_IMAGE}
        by_material = {}
        for one in self.channels:
            if one.target in paths and (one.target == d.FACET_TARGET_BASE_COLOR
                                      or one.map == d.FACET_MAP_DIFFUSE):
                by_material.setdefault(one.material, {})[one.target] = one
            elif one.target not in (d.FACET_TARGET_TRANSLATION, d.FACET_TARGET_ROTATION,
                                  d.FACET_TARGET_SCALE, d.FACET_TARGET_VISIBILITY):
                self.say("WARNING", f"{self.name}: of weights and emission nothing is taken")
        for number, channels in by_material.items():
            tree = made[number].node_tree if made[number] else None
            if tree is None or materials.GROUP not in tree.nodes:
                continue
            action = self._new_part(tree, made[number].name, number)
            if d.FACET_TARGET_BASE_COLOR in channels:
                color = self.sample(channels[d.FACET_TARGET_BASE_COLOR])
                of = f'nodes["{materials.GROUP}"].inputs'
                keys = tree.nodes[materials.GROUP].inputs.keys()
                opaque = np.concatenate([color[:, :3], np.ones((len(color), 1))], 1)
                set_keys(action, tree, f"{of}[{keys.index('Color')}].default_value", self.frames,
                         opaque, "Color")
                set_keys(action, tree, f"{of}[{keys.index('Alpha')}].default_value", self.frames,
                         color[:, 3], "Color")
            if d.FACET_TARGET_TEXTURE_IMAGE in channels and "Texture" in tree.nodes:
                self._choose_image(action, tree, channels[d.FACET_TARGET_TEXTURE_IMAGE], images)
            if "Mapping" in tree.nodes and places & set(channels):
                self._move_texture(action, tree, self.scene.materials[number].contents, channels)
            keep_length(action, self.frames)
            play_along(tree, action, self.replaces)

    def _choose_image(self, action, tree, channel, images):
        """Animate the choice of an image by its index in the scene; its keys are steps."""
        numbers = np.rint(self.sample(channel)[:, 0]).astype(int)
        materials.add_choice(tree, {number: images[number] for number in np.unique(numbers)
                                    if number < len(images) and images[number]})
        set_keys(action, tree, f'nodes["{materials.CHOICE}"].outputs[0].default_value', self.frames,
                 numbers, "Texture", CONSTANT)

    def _move_texture(self, action, tree, material, channels):
        texture = material.maps[d.FACET_MAP_DIFFUSE].contents

        def values(path, still):
            if path in channels:
                return self.sample(channels[path]).T
            return np.repeat(np.asarray(still, np.float64).reshape(-1, 1), len(self.frames), 1)
        has = texture.has_transform
        where, angle, size = materials.place(
            values(d.FACET_TARGET_TEXTURE_OFFSET, list(texture.offset) if has else (0, 0)),
            values(d.FACET_TARGET_TEXTURE_ROTATION, texture.rotation if has else 0)[0],
            values(d.FACET_TARGET_TEXTURE_SCALE, list(texture.scale) if has else (1, 1)),
            self.turn.flips_v)
        none = np.zeros(len(self.frames))
        for index, columns in ((1, (where[0], where[1], none)), (2, (none, none, angle)),
                               (3, (size[0], size[1], none + 1))):
            set_keys(action, tree, f'nodes["Mapping"].inputs[{index}].default_value', self.frames,
                     np.stack(columns, -1), "Texture")


def build_animations(context, scene, stem, turn, skeleton, objects, made, images, source, say,
                     replaces=False):
    """Convert all animations of a scene, and return their number. Materials that do not exist any
    more are None. `replaces`: they play instead of the present ones."""
    animations = [scene.animations[i].contents for i in range(scene.animation_count)]
    if not animations:
        return 0
    rate = rate_of(animations)
    context.scene.render.fps, context.scene.render.fps_base = rate, 1
    last = 0
    for i, animation in enumerate(animations):
        motion = Motion(scene, i, text(animation.name) or f"{stem} {i}", rate, turn,
                        source, say)
        motion.replaces = replaces
        motion.move_bones(skeleton)
        motion.move_objects(objects, skeleton)
        motion.move_materials(made, images)
        last = max(last, int(motion.frames[-1]))
    context.scene.frame_start, context.scene.frame_end = 0, max(last, 1)
    context.scene.frame_set(0)
    return len(animations)
