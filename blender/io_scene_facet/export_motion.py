"""Convert armatures to joints, and actions to animations: each frame is sampled as Blender shows
it."""

import ctypes
import json

import bpy
import numpy as np
from mathutils import Matrix

from . import axes, compat
from . import declarations as d
from .names import kept_name
from .summary import amount


NONE = 2**32 - 1


def matrix_of(found):
    return np.array(found, np.float64)


def moved_bones(action):
    """The names of bones that an action moves."""
    return {path.split('"')[1] for path in compat.curve_paths(action)
            if path.startswith('pose.bones["')}


class Bones:
    """The bones of an armature as joints, in the order of the file that they are from."""

    def __init__(self, armature):
        self.armature = armature
        bones = sorted(armature.data.bones, key=lambda bone: bone.get("facet_index", 2**31))
        self.bones, seen = [], set()
        for bone in bones:  # parents first
            chain = []
            while bone is not None and bone.name not in seen:
                seen.add(bone.name)
                chain.append(bone)
                bone = bone.parent
            self.bones += reversed(chain)
        self.number = {bone.name: i for i, bone in enumerate(self.bones)}
        self.whole = matrix_of(armature.matrix_world)
        self.bone = [matrix_of(bone.matrix_local) for bone in self.bones]
        self.is_kept = [self._is_kept(bone, at) for bone, at in zip(self.bones, self.bone)]
        self.rest = [np.array(bone["facet_rest"]).reshape(4, 4) if kept else np.eye(4)
                     for bone, kept in zip(self.bones, self.is_kept)]

    def _is_kept(self, bone, at):
        """True if the bone is still at its imported position."""
        before = bone.get("facet_bone")
        return before is not None and len(before) == 16 and np.allclose(
            np.array(before).reshape(4, 4), at, atol=1e-5 * max(1, np.abs(at).max()))

    def above(self, i):
        bone = self.bones[i].parent
        return None if bone is None else self.number[bone.name]

    def bind(self, i):
        return self.bone[i] @ self.rest[i]

    def local(self, i):
        """Transform of a joint at rest, relative to its parent."""
        above = self.above(i)
        if self.is_kept[i] and "facet_local" in self.bones[i] and \
                (above is None or self.is_kept[above]):
            found = np.array(self.bones[i]["facet_local"]).reshape(4, 4)
        else:
            found = self.bind(i) if above is None else np.linalg.inv(self.bind(above)) @ self.bind(i)
        return self.whole @ found if above is None else found

    def pose(self):
        """Current transforms of all joints, relative to their parents: (bones, 4, 4). Those of the
        first joints include the motion of the armature object."""
        whole = matrix_of(self.armature.matrix_world)
        places = [matrix_of(self.armature.pose.bones[bone.name].matrix) @ rest
                  for bone, rest in zip(self.bones, self.rest)]
        return np.array([whole @ place if self.above(i) is None
                         else np.linalg.inv(places[self.above(i)]) @ place
                         for i, place in enumerate(places)])

    def rest_pose(self, i):
        """Pose of a bone, relative to its rest in Blender, that shows the joint's rest pose."""
        above = self.above(i)
        parent, rest = (np.eye(4), np.eye(4)) if above is None \
            else (self.bone[above], self.rest[above])
        local = self.local(i) if above is not None else np.linalg.inv(self.whole) @ self.local(i)
        return np.linalg.inv(self.bone[i]) @ parent @ rest @ local @ np.linalg.inv(self.rest[i])

    def actions(self, which):
        """The actions that move these bones."""
        data = self.armature.animation_data
        active = data.action if data else None
        if which == "ACTIVE" or active and not moved_bones(active):
            found = [active] if active else []
        else:
            found = []
        if which == "ACTIVE":
            return found
        for action in bpy.data.actions:
            names = moved_bones(action)
            if names and names <= set(self.number):
                found.append(action)
        return found


# -- What an export restores -----------------------------------------------------

MEMBERS = "location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale"


class Untouched:
    """Remembers the frame, actions and poses of armatures, and restores them."""

    def __init__(self, scene, armatures):
        self.scene, self.frame = scene, (scene.frame_current, scene.frame_subframe)
        self.armatures = [(one, compat.assigned_action(one), self._values(one))
                          for one in armatures]

    @staticmethod
    def _values(armature):
        return [(one, name, tuple(getattr(one, name)))
                for one in (armature, *armature.pose.bones) for name in MEMBERS]

    def restore(self):
        for armature, action, _ in self.armatures:
            compat.restore_action(armature, action)
        self.scene.frame_set(self.frame[0], subframe=self.frame[1])
        for _, _, values in self.armatures:
            for one, name, value in values:  # unkeyed values, which no action restores
                setattr(one, name, value)


# -- Animations ------------------------------------------------------------------

class Clip:
    """The source of an animation: an action, or all NLA strips."""

    def __init__(self, action=None, name="", frames=(0, 0)):
        self.action, self.name = action, name
        self.frames = frames
        if action is not None:
            self.name = kept_name(action)
            self.frames = tuple(int(round(one)) for one in action.frame_range)

    def get(self, key):
        """A custom property of the action."""
        return self.action.get(key) if self.action is not None else None

    @classmethod
    def of_strips(cls, armature):
        """The clip of the visible NLA strips: it has the name of the only action, or that of the
        armature."""
        strips = strips_of(armature.animation_data)
        actions = {strip.action for strip in strips}
        only = actions.pop() if len(actions) == 1 else None
        return cls(None, kept_name(only) if only else armature.name,
                   (int(np.floor(min(strip.frame_start for strip in strips))),
                    int(np.ceil(max(strip.frame_end for strip in strips)))))


class Motions:
    """The conversion of the actions of all armatures. `first` has the first node of each armature's
    joints; `skinned` has pairs (object, armature)."""

    def __init__(self, context, saved, options, say, bones, first, skinned):
        self.scene, self.saved, self.options, self.say = context.scene, saved, options, say
        self.bones, self.first, self.skinned = bones, first, skinned
        self.names = set()  # of the animations so far

    def write(self):
        before = Untouched(self.scene, [bones.armature for bones in self.bones.values()])
        resting = {bones.armature.data for bones in self.bones.values()
                   if bones.armature.data.pose_position == "REST"}
        which = self.options["animations"]
        try:
            for data in resting:  # it would show no motion
                data.pose_position = "POSE"
            for bones in self.bones.values():
                found = bones.actions(which)
                if not found and strips_of(bones.armature.animation_data):
                    self._write(bones, Clip.of_strips(bones.armature))
                for action in found:
                    if which == "ALL":
                        self._reset(bones, before)
                    compat.assign_action(bones.armature, action)
                    self._write(bones, Clip(action))
                before.restore()
        finally:
            for data in resting:
                data.pose_position = "REST"
            before.restore()

    @staticmethod
    def _reset(bones, before):
        """Remove what another action left: NLA strips, and values that this action has no keys
        for."""
        armature = bones.armature
        compat.assign_action(armature, None)
        armature.animation_data.use_nla = False
        for one, name, value in next(values for one, _, values in before.armatures
                                     if one == armature):
            if one == armature:
                setattr(one, name, value)
        for i, bone in enumerate(bones.bones):
            armature.pose.bones[bone.name].matrix_basis = Matrix(bones.rest_pose(i).tolist())

    def _write(self, bones, clip):
        first, last = clip.frames
        poses, apart = [], set()
        skinned = [one for one, armature in self.skinned if armature == bones.armature]
        start = {}
        for frame in range(first, max(first, last) + 1):
            self.scene.frame_set(frame)
            poses.append(bones.pose())
            whole = np.linalg.inv(matrix_of(bones.armature.matrix_world))
            for one in skinned:
                local = whole @ matrix_of(one.matrix_world)
                if not np.allclose(local, start.setdefault(one, local), atol=1e-4):
                    apart.add(one.name)
        for one in sorted(apart):
            self.say("WARNING", f"{one}: its motion relative to the armature "
                                f"{bones.armature.name} is left out")
        self._add(clip, bones, np.array(poses))

    def _add(self, clip, bones, poses):
        rate = self.scene.render.fps / self.scene.render.fps_base
        channels, sheared = [], []
        first = self.first[bones.armature]
        for i in range(poses.shape[1]):
            where, turned, size = axes.decomposed(poses[:, i])
            if is_sheared(poses[:, i], turned, size):
                sheared.append(bones.bones[i].name)
            for path, values in ((d.FACET_TARGET_TRANSLATION, where),
                                 (d.FACET_TARGET_ROTATION, turned[:, [1, 2, 3, 0]]),
                                 (d.FACET_TARGET_SCALE, size)):
                values = values.astype(np.float32)
                stays = np.abs(values - values[0]).max() < 1e-6
                channels.append((first + i, path, values[:1] if stays else values, LINEAR))
        if sheared:
            self.say("WARNING", f"{clip.name}: shear of {amount(len(sheared), 'bone')} is left out, the "
                                f"first is {sheared[0]}: joints have only rotation and scale")
        extras = clip.get("facet_extras")
        if self.options.get("states_rate"):
            extras = json.dumps({"iqm": {"rate": rate, "loop": bool(clip.get("loop"))}})
        store_channels(self.saved, self._name(clip), channels, len(poses), rate, extras)

    def _name(self, clip):
        """A name that no earlier animation has: files and games find animations by name. A copy of
        an action has the same facet_name, and its own name."""
        name, number = clip.name, 1
        if name in self.names and clip.action is not None:
            name = clip.action.name
        while name in self.names:
            name, number = f"{clip.name} {number}", number + 1
        self.names.add(name)
        return name


LINEAR = d.FACET_INTERPOLATION_LINEAR
TEXTURE_TARGETS = {d.FACET_TARGET_TEXTURE_OFFSET, d.FACET_TARGET_TEXTURE_ROTATION,
                   d.FACET_TARGET_TEXTURE_SCALE, d.FACET_TARGET_TEXTURE_IMAGE}
NODE_TARGETS = {d.FACET_TARGET_TRANSLATION, d.FACET_TARGET_ROTATION, d.FACET_TARGET_SCALE,
                d.FACET_TARGET_VISIBILITY}


def store_channels(saved, name, channels, frames, rate, extras=None):
    """Add an animation to the scene that is written. Channels are (number of the node or material,
    target, values, interpolation), with one row of values for each frame, or one row."""
    made = ctypes.POINTER(d.facet_animation)()
    saved.check(saved.library.facet_scene_add_animation(
        saved.scene, name.encode(), len(channels), made, saved.error))
    if extras:
        made.contents.extras = saved.string(extras)
    times = np.arange(frames, dtype=np.float32) / np.float32(rate)
    for i, (number, target, values, interpolation) in enumerate(channels):
        if i == 0 and len(values) == 1:  # keep the duration if nothing moves at the end
            values = np.repeat(values, frames, 0)
        channel = made.contents.channels[i]
        channel.node, channel.material = (number, 0) if target in NODE_TARGETS else (NONE, number)
        channel.map = d.FACET_MAP_DIFFUSE if target in TEXTURE_TARGETS else 0
        channel.target, channel.width = target, values.shape[1]
        channel.interpolation, channel.key_count = interpolation, len(values)
        channel.times = saved.keep(times[:len(values)], ctypes.c_float)
        channel.values = saved.keep(values, ctypes.c_float)


def is_sheared(poses, turned, sizes):
    """True if rotation and scale do not give the transforms (n, 4, 4)."""
    for pose, rotation, size in zip(poses, turned, sizes):
        made = axes.rotation_matrix(rotation[[1, 2, 3, 0]]) * size
        if np.abs(made - pose[:3, :3]).max() > 1e-3 * max(1e-6, np.abs(size).max()):
            return True
    return False


def strips_of(data):
    """The NLA strips that Blender plays."""
    if data is None or not data.use_nla:
        return []
    tracks = [track for track in data.nla_tracks if track.is_solo] or data.nla_tracks
    return [strip for track in tracks if not track.mute for strip in track.strips
            if not strip.mute]
