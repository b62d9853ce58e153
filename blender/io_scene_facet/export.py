"""Convert objects of Blender to a scene of the library."""

import ctypes
import json

import bpy
import numpy as np

from . import axes, compat, library
from . import declarations as d
from .export_materials import Materials
from .export_meshes import Export
from .names import kept_name

NONE = 2**32 - 1
HULL, OCCLUDER = "collision_mesh", "occlusion_mesh"


def matrix_of(found):
    return np.array(found, np.float64)


def role_of(one):
    if one.get("facet_role") in ("hull", "occluder"):
        return one["facet_role"]
    return "hull" if one.name.startswith(HULL) else \
        "occluder" if one.name.startswith(OCCLUDER) else "mesh"


# Types of objects that Blender shows as surfaces, and types without triangles.
SURFACES = {"CURVE", "SURFACE", "FONT", "META"}
UNKNOWN = {"GPENCIL", "GREASEPENCIL", "VOLUME", "CURVES", "POINTCLOUD"}


def is_shaped(one):
    """True if shape keys change the object's mesh."""
    keys = one.data.shape_keys
    if keys is None:
        return False
    if one.show_only_shape_key:
        return one.active_shape_key_index > 0
    return not keys.use_relative or any(key.value != 0 and not key.mute
                                        for key in keys.key_blocks[1:])


def only_instances(one):
    """True if the object is invisible and only shows other objects at its vertices or faces."""
    return one.instance_type != "NONE" and not one.show_instancer_for_viewport


def materials_of(one, mesh):
    """The materials of a mesh by slot: from the mesh, the object, or geometry nodes."""
    found = [used.original if used else None for used in mesh.materials]
    for i, slot in enumerate(one.material_slots):
        used = slot.material.original if slot.material else None
        if i >= len(found):
            found.append(used)
        elif slot.link == "OBJECT":
            found[i] = used
    return found


# -- Bones -----------------------------------------------------------------------

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
        """Current transforms of all joints, relative to their parents: (bones, 4, 4)."""
        places = [matrix_of(self.armature.pose.bones[bone.name].matrix) @ rest
                  for bone, rest in zip(self.bones, self.rest)]
        return np.array([self.whole @ place if self.above(i) is None
                         else np.linalg.inv(places[self.above(i)]) @ place
                         for i, place in enumerate(places)])

    def actions(self, which):
        """The actions that move these bones."""
        data = self.armature.animation_data
        active = data.action if data else None
        if which == "ACTIVE":
            return [active] if active else []
        found = []
        for action in bpy.data.actions:
            names = {path.split('"')[1] for path in compat.curve_paths(action)
                     if path.startswith('pose.bones["')}
            if names and names <= set(self.number):
                found.append(action)
        return found


# -- Scenes ----------------------------------------------------------------------

class Exporter:
    def __init__(self, context, saved, objects, options, say):
        self.context, self.saved, self.options, self.say = context, saved, options, say
        self.objects = objects
        self.materials = Materials(saved, say, options.get("looks", False))
        self.nodes = []  # (name, parent, local, mesh, skin, extras)

    def build(self):
        saved = self.saved
        saved.scene.axes.up = d.FACET_AXIS_Z
        saved.scene.axes.unit = 1
        shown = [one for one in self.objects if one.type == "MESH" and not only_instances(one)]
        shown.sort(key=lambda one: one.get("facet_index", 2**31))
        found = {role: [one for one in shown if role_of(one) == role]
                 for role in ("mesh", "hull", "occluder")}
        armatures = {one for one in self.objects if one.type == "ARMATURE"}
        armatures |= {self._armature(one) for one in found["mesh"]} - {None}
        self.bones, self.first = {}, {}
        for one in sorted(armatures, key=lambda one: one.name):
            self._add_bones(one)
        self.materials.add_all([(slot.material, one.data) for one in found["mesh"]
                                for slot in one.material_slots if slot.material])
        for one in found["mesh"]:
            self._add_mesh(one)
        self._add_instances()
        if not (saved.scene.mesh_count or found["hull"] or found["occluder"] or self.bones):
            raise library.FacetError(f"{saved.path}: there is nothing to write: no object that is "
                             f"{'selected' if self.options.get('selection') else 'seen'} has faces, "
                             "edges or bones")
        for one in found["hull"]:
            self._add_hull(one)
        if found["occluder"]:
            self._add_occluder(found["occluder"][0])
            if len(found["occluder"]) > 1:
                self.say("WARNING", "of several occluders the first is taken")
        self._write_nodes()
        self._write_skins()
        if self.options.get("animations", "NONE") != "NONE":
            self._write_animations()

    def _armature(self, one):
        """The armature that deforms an object, or that has its parent bone."""
        for modifier in one.modifiers:
            if modifier.type == "ARMATURE" and modifier.object:
                return modifier.object
        if one.parent and one.parent.type == "ARMATURE" and one.parent_type == "BONE":
            return one.parent
        return None

    def _add_bones(self, armature):
        bones = self.bones[armature.name] = Bones(armature)
        self.first[armature.name] = len(self.nodes)
        for i, bone in enumerate(bones.bones):
            above = bones.above(i)
            self.nodes.append((kept_name(bone),
                               NONE if above is None else self.first[armature.name] + above,
                               bones.local(i), NONE, NONE, bone.get("facet_extras")))
        if armature.get("facet_extras"):
            self.saved.scene.extras = self.saved.string(armature["facet_extras"])

    # -- Meshes

    def _mesh_of(self, one, deformed):
        """The mesh with its shape keys and modifiers, except armatures. Also returns a function
        that enables the disabled modifiers again."""
        seen = [modifier for modifier in one.modifiers if modifier.show_viewport]
        applied = [modifier for modifier in seen if self.options.get("apply_modifiers", True)
                   and modifier.type != "ARMATURE"]
        if not applied and not is_shaped(one):
            return one.data, lambda: None
        switched = [modifier for modifier in seen if modifier not in applied
                    and (deformed or modifier.type != "ARMATURE")]
        for modifier in switched:
            modifier.show_viewport = False
        evaluated = one.evaluated_get(self.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh(preserve_all_data_layers=True,
                                 depsgraph=self.context.evaluated_depsgraph_get())

        def done():
            evaluated.to_mesh_clear()
            for modifier in switched:
                modifier.show_viewport = True
        return mesh, done

    def _add_mesh(self, one):
        armature = self._armature(one)
        bones = self.bones.get(armature.name) if armature else None
        deformed = armature is not None and any(
            modifier.type == "ARMATURE" and modifier.object == armature
            for modifier in one.modifiers)
        mesh, done = self._mesh_of(one, deformed)
        try:
            transform = None
            if deformed:
                transform = np.linalg.inv(bones.whole) @ matrix_of(one.matrix_world)
            made = Export(self.saved, mesh, kept_name(one) or kept_name(one.data), transform)
            if one.data.get("facet_extras"):
                made.made.contents.extras = self.saved.string(one.data["facet_extras"])
            # If the file had no normals, write none, unless the user added custom normals.
            has_none = not one.data.get("facet_normals", True) and not mesh.has_custom_normals
            if self.options.get("normals", True) and len(mesh.polygons) and not has_none:
                made.normals()
            made.texcoords()
            made.colors()
            made.attributes(self.say)
            made.lines()
            made.materials([self.materials.number(used) for used in materials_of(one, mesh)])
            if deformed:
                missed = made.weights({group.index: bones.number[group.name]
                                       for group in one.vertex_groups
                                       if group.name in bones.number})
                if missed:
                    self.say("WARNING", f"{one.name}: {missed} vertices without weights go with "
                                        "the first bone")
        finally:
            done()
        number = self.saved.scene.mesh_count - 1
        parent, local, skin = NONE, matrix_of(one.matrix_world), NONE
        if deformed:
            local, skin = np.eye(4), list(self.bones).index(armature.name)
        elif bones:
            i = bones.number[one.parent_bone]
            parent = self.first[armature.name] + i
            length = armature.data.bones[one.parent_bone].length
            tail = np.eye(4)
            tail[1, 3] = length
            local = np.linalg.inv(bones.rest[i]) @ tail @ matrix_of(one.matrix_parent_inverse) \
                @ matrix_of(one.matrix_basis)
        self.nodes.append((kept_name(one), parent, local, number, skin, one.get("facet_extras")))

    # -- Visible objects other than meshes

    def _add_instances(self):
        """Add visible instances: collections, geometry nodes, faces, particles. Curves, texts and
        metaballs are in the same list. Equal meshes are added once and used by several nodes."""
        known, shown = {}, {one.name: one for one in self.objects}
        without = {one.name for one in self.objects if one.type in SURFACES}
        graph = self.context.evaluated_depsgraph_get()
        for one in graph.object_instances:
            if not one.is_instance or one.parent is None or not one.show_self or \
                    one.parent.original.name not in shown or \
                    one.object.type not in {"MESH", *SURFACES}:
                continue
            name = one.object.original.name
            without.discard(name)
            key, matrix = (name, one.object.data.as_pointer()), matrix_of(one.matrix_world)
            if key not in known:
                known[key] = self._add_shown(one.object, kept_name(one.object.original), matrix)
            elif known[key] is not None:
                self.nodes.append((kept_name(one.object.original), NONE, matrix, known[key], NONE,
                                   None))
        for name in sorted(without):  # a version of Blender that does not list them
            one = shown[name]
            self._add_shown(one.evaluated_get(graph), kept_name(one), matrix_of(one.matrix_world))
        for one in self.objects:
            if one.type in UNKNOWN:
                self.say("WARNING", f"{one.name}: of a {one.type.lower()} nothing is written")

    def _add_shown(self, evaluated, name, matrix):
        """Add an evaluated object. Returns the index of its mesh, or None if nothing is visible."""
        mesh = evaluated.to_mesh()
        try:
            if mesh is None or not len(mesh.vertices):
                return None
            made = Export(self.saved, mesh, name)
            if self.options.get("normals", True) and len(mesh.polygons):
                made.normals()
            made.texcoords()
            made.colors()
            made.attributes(self.say)
            made.lines()
            used = materials_of(evaluated, mesh)
            self.materials.add_all([(one, mesh) for one in used if one])
            made.materials([self.materials.number(one) for one in used])
        finally:
            evaluated.to_mesh_clear()
        number = self.saved.scene.mesh_count - 1
        self.nodes.append((name, NONE, matrix, number, NONE, None))
        return number

    def _add_hull(self, one):
        points = np.array([one.matrix_world @ vertex.co for vertex in one.data.vertices], np.float32)
        hull = ctypes.POINTER(d.facet_hull)()
        self.saved.check(self.saved.library.facet_scene_add_hull(
            self.saved.scene, kept_name(one).encode(), len(points), hull, self.saved.error))
        ctypes.memmove(hull.contents.points, points.ctypes.data, points.nbytes)

    def _add_occluder(self, one):
        made = Export(self.saved, one.data, "", matrix_of(one.matrix_world), is_occluder=True)
        self.saved.check(self.saved.library.facet_mesh_triangulate(
            made.made, self.saved.options, None, self.saved.error))

    # -- Nodes, skins

    def _write_nodes(self):
        """Write the nodes. A scene without bones and without transforms needs none."""
        if not self.bones and all(np.allclose(local, np.eye(4), atol=1e-7)
                                  for _, _, local, _, _, _ in self.nodes):
            return
        saved = self.saved
        for name, parent, local, mesh, skin, extras in self.nodes:
            made = ctypes.POINTER(d.facet_node)()
            saved.check(saved.library.facet_scene_add_node(saved.scene, name.encode(), made,
                                                           saved.error))
            node = made.contents
            node.parent, node.mesh, node.skin = parent, mesh, skin
            where, turned, size = axes.decomposed(local[None])
            node.transform.translation[:] = where[0].tolist()
            node.transform.rotation[:] = turned[0][[1, 2, 3, 0]].tolist()
            node.transform.scale[:] = size[0].tolist()
            if not np.allclose(axes.node_matrix(node), local,
                               atol=1e-5 * max(1, np.abs(local).max())):
                node.has_matrix = True
                node.matrix[:] = axes.to_columns(local).tolist()
            if extras:
                node.extras = saved.string(extras)

    def _write_skins(self):
        saved = self.saved
        for name, bones in self.bones.items():
            if not any(node[4] != NONE for node in self.nodes):
                continue
            made = ctypes.POINTER(d.facet_skin)()
            saved.check(saved.library.facet_scene_add_skin(saved.scene, name.encode(),
                                                           len(bones.bones), made, saved.error))
            skin = made.contents
            for i in range(len(bones.bones)):
                skin.joints[i] = self.first[name] + i
            binds = axes.to_columns([np.linalg.inv(bones.bind(i)) for i in range(len(bones.bones))])
            ctypes.memmove(skin.inverse_bind, binds.ctypes.data, binds.nbytes)

    # -- Animations

    def _write_animations(self):
        """Sample the actions at every frame, as Blender shows it with constraints."""
        scene = self.context.scene
        rate = scene.render.fps / scene.render.fps_base
        before = scene.frame_current
        for name, bones in self.bones.items():
            data = bones.armature.animation_data
            active = data.action if data else None
            try:
                for action in bones.actions(self.options["animations"]):
                    compat.assign_action(bones.armature, action)
                    first, last = (int(round(one)) for one in action.frame_range)
                    frames = range(first, max(first, last) + 1)
                    poses = []
                    for frame in frames:
                        scene.frame_set(frame)
                        poses.append(bones.pose())
                    self._write_animation(action, name, np.array(poses), rate)
            finally:
                if data:
                    compat.assign_action(bones.armature, active)
        scene.frame_set(before)

    def _write_animation(self, action, name, poses, rate):
        times = np.arange(len(poses), dtype=np.float32) / np.float32(rate)
        channels = []
        for i in range(poses.shape[1]):
            where, turned, size = axes.decomposed(poses[:, i])
            for path, values in ((d.FACET_TARGET_TRANSLATION, where),
                                 (d.FACET_TARGET_ROTATION, turned[:, [1, 2, 3, 0]]),
                                 (d.FACET_TARGET_SCALE, size)):
                values = values.astype(np.float32)
                stays = np.abs(values - values[0]).max() < 1e-6
                channels.append((self.first[name] + i, path, values[:1] if stays else values))
        saved, made = self.saved, ctypes.POINTER(d.facet_animation)()
        saved.check(saved.library.facet_scene_add_animation(
            saved.scene, str(action.get("facet_name", action.name)).encode(), len(channels), made,
            saved.error))
        if action.get("facet_extras"):
            made.contents.extras = saved.string(action["facet_extras"])
        if self.options.get("states_rate"):
            stated = {"iqm": {"rate": rate, "loop": bool(action.get("loop", 0))}}
            made.contents.extras = saved.string(json.dumps(stated))
        if len(times) > 1:  # keep the duration if nothing moves at the end
            number, path, values = channels[0]
            if len(values) == 1:
                channels[0] = number, path, np.repeat(values, len(times), 0)
        for channel, (number, path, values) in zip(
                (made.contents.channels[i] for i in range(len(channels))), channels):
            channel.node, channel.target, channel.width = number, path, values.shape[1]
            channel.interpolation, channel.key_count = d.FACET_INTERPOLATION_LINEAR, len(values)
            channel.times = saved.keep(times[:len(values)], ctypes.c_float)
            channel.values = saved.keep(values, ctypes.c_float)


def build_scene(context, saved, objects, options, say):
    Exporter(context, saved, objects, options, say).build()
