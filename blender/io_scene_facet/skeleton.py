"""Convert nodes of a scene to bones of an armature.

Bones of Blender at rest have only rotation and translation. If a joint was bound with a scale, its
bone has the nearest rotation. The difference is `rest` = inverse(bone) * bind, and the pose removes
it: for a joint at G, the bone is posed at G * inverse(rest). This way, vertices are where the file
defines them, for any bind matrix.
"""

import json

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import axes, library
from .names import text

NONE = 2**32 - 1


def is_joint(node):
    """True if the node is a joint of a J3D model, according to its extras."""
    if not node.extras or node.mesh != NONE:
        return False
    try:
        return "joint" in json.loads(node.extras).get("j3d", {})
    except (ValueError, AttributeError):
        return False


def bones_of(scene):
    """Indices of nodes that become bones: joints of skins, all nodes above them, and J3D joints."""
    nodes = [scene.nodes[i].contents for i in range(scene.node_count)]
    found = {i for i, node in enumerate(nodes) if is_joint(node)}
    for k in range(scene.skin_count):
        skin = scene.skins[k].contents
        found.update(skin.joints[i] for i in range(skin.joint_count) if skin.joints[i] != NONE)
    for i in list(found):
        above = nodes[i].parent
        while above != NONE and above not in found and nodes[above].mesh == NONE:
            found.add(above)
            above = nodes[above].parent
    return found


class Skeleton:
    """The armature of a scene. Members by node: `names` of bones, `local` (relative to the parent,
    in Blender's axes), `bone` (rest matrix) and `rest` (see above)."""

    def __init__(self, scene, turn, local):
        self.local = local
        self.parents = [scene.nodes[i].contents.parent for i in range(scene.node_count)]
        self.bones = bones_of(scene)
        self.order = []
        seen = set()
        for i in sorted(self.bones):
            chain = []
            while i != NONE and i not in seen:
                chain.append(i)
                seen.add(i)
                i = self.parents[i]
            self.order += [one for one in reversed(chain) if one in self.bones]
        self.bind = self._binds(scene, turn)
        self.names, self.bone, self.rest = {}, {}, {}
        self.ways, self.below = {}, {}  # directions of bones along limbs; heads below each bone
        for i in self.order:
            self.below.setdefault(self.above(i), []).append(self.bind[i][:3, 3])
        self.object = None

    def above(self, i):
        """The bone above a node, or None."""
        i = self.parents[i]
        while i != NONE and i not in self.bones:
            i = self.parents[i]
        return None if i == NONE else i

    def between(self, i):
        """Transform of a bone's node relative to the bone above it."""
        made, at = self.local[i], self.parents[i]
        while at != NONE and at not in self.bones:
            made, at = self.local[at] @ made, self.parents[at]
        return made

    def _binds(self, scene, turn):
        """Bind matrix of each joint. Joints without a skin use their transform at rest."""
        places = {}
        for i in self.order:
            above = self.above(i)
            places[i] = (places[above] if above is not None else np.eye(4)) @ self.between(i)
        for k in range(scene.skin_count):
            skin = scene.skins[k].contents
            flat = library.array(skin.inverse_bind, skin.joint_count, 16, np.float32)
            if not len(flat):
                flat = np.tile(np.eye(4, dtype=np.float32).reshape(-1), (skin.joint_count, 1))
            for j in range(skin.joint_count):
                matrix = turn.matrices(axes.from_columns(flat[j]))
                if skin.joints[j] != NONE and abs(np.linalg.det(matrix)) > 1e-12:
                    places[skin.joints[j]] = np.linalg.inv(matrix)
        return places

    # -- Building

    def build(self, context, collection, name, scene, limbs=False):
        """Create the armature. `limbs`: bones point to the joints below, instead of along the y
        axis of their joint."""
        armature = bpy.data.armatures.new(name)
        self.object = bpy.data.objects.new(name, armature)
        collection.objects.link(self.object)
        context.view_layer.objects.active = self.object
        bpy.ops.object.mode_set(mode="EDIT")
        lengths = self._lengths()
        for i in self.order:
            bone = armature.edit_bones.new(text(scene.nodes[i].contents.name) or f"joint{i}")
            place = axes.nearest_rotation(self.bind[i])
            if limbs:
                place, lengths[i] = self._along(i, place, lengths[i])
            bone.head, bone.tail = (0, 0, 0), (0, lengths[i], 0)
            bone.matrix = Matrix(place.tolist())
            above = self.above(i)
            if above is not None:
                bone.parent = armature.edit_bones[self.names[above]]
            self.names[i] = bone.name
        bpy.ops.object.mode_set(mode="OBJECT")
        for i in self.order:
            self._keep(armature.bones[self.names[i]], i, scene.nodes[i].contents)
        for i in self.order:
            pose = self.object.pose.bones[self.names[i]]
            pose.matrix_basis = Matrix(self.basis(i, self.between(i)).tolist())
        return self.object

    def adopt(self, armature):
        """Use the armature of an earlier import instead of a new one. Bones that the user deleted
        get no keys; those that were moved are the joints."""
        self.object = armature
        for bone in armature.data.bones:
            i = bone.get("facet_index")
            if i in self.bones:
                self.names[i], self.bone[i] = bone.name, np.array(bone.matrix_local, np.float64)
                kept = np.allclose(self.bone[i].reshape(-1), bone["facet_bone"], atol=1e-5)
                self.rest[i] = np.array(bone["facet_rest"]).reshape(4, 4) if kept else np.eye(4)
        self.order = [i for i in self.order if i in self.names
                      and self.above(i) in (None, *self.names)]

    def _along(self, i, place, length):
        """The transform and length of a bone that points to the middle of the joints below. One
        without such joints continues the bone above."""
        below = self.below.get(i)
        way = np.mean(below, 0) - place[:3, 3] if below else np.zeros(3)
        if np.linalg.norm(way) >= 0.1 * length:
            length = float(np.linalg.norm(way))
        elif self.above(i) in self.ways:
            way = self.ways[self.above(i)]
        else:
            way = place[:3, 1]
        self.ways[i] = way / np.linalg.norm(way)
        turn = Vector(place[:3, 1]).rotation_difference(Vector(self.ways[i])).to_matrix()
        made = place.copy()
        made[:3, :3] = np.array(turn) @ place[:3, :3]
        return made, length

    def _lengths(self):
        """Lengths of bones: distance to the nearest child, or half of the parent's length."""
        heads = {i: self.bind[i][:3, 3] for i in self.order}
        points = np.array(list(heads.values()))
        least = max(1e-3, 0.02 * float(np.linalg.norm(np.ptp(points, axis=0))))
        below = {}
        for i in self.order:
            above = self.above(i)
            length = float(np.linalg.norm(heads[i] - heads[above])) if above is not None else 0
            if length > least:
                below[above] = min(below.get(above, length), length)
        found = {}
        for i in self.order:
            found[i] = below.get(i) or (found[self.above(i)] / 2 if self.above(i) is not None else 0)
            found[i] = max(found[i], least)
        return found

    def _keep(self, bone, i, node):
        """Store data that the export needs to restore the joint."""
        self.bone[i] = np.array(bone.matrix_local, np.float64)
        rest = np.linalg.inv(self.bone[i]) @ self.bind[i]
        self.rest[i] = rest
        bone["facet_index"] = i
        bone["facet_name"] = text(node.name)
        bone["facet_bone"] = self.bone[i].reshape(-1).tolist()
        bone["facet_rest"] = rest.reshape(-1).tolist()
        bone["facet_local"] = self.between(i).reshape(-1).tolist()
        if node.extras:
            bone["facet_extras"] = text(node.extras)

    def basis(self, i, local):
        """The pose matrices (..., 4, 4) of a bone for a joint with the transform `local` relative
        to the joint above."""
        above = self.above(i)
        parent, rest = (self.bone[above], self.rest[above]) if above is not None \
            else (np.eye(4), np.eye(4))
        return np.linalg.inv(np.linalg.inv(parent) @ self.bone[i]) @ rest @ local \
            @ np.linalg.inv(self.rest[i])
