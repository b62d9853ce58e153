"""Convert objects of Blender to a scene of the library."""

import ctypes
from pathlib import Path

import numpy as np

from . import axes, export_losses, library
from . import declarations as d
from .export_channels import KINDS, Channels, other_clips
from .export_materials import Materials
from .export_meshes import Export
from .export_motion import Bones, Motions, matrix_of
from .export_shapes import Shapes
from .names import is_foreign, kept_name, order_of, own_source
from .summary import amount

NONE = 2**32 - 1
HULL, OCCLUDER = "collision_mesh", "occlusion_mesh"


def role_of(one):
    if one.get("facet_role") in ("hull", "occluder"):
        return one["facet_role"]
    return "hull" if one.name.startswith(HULL) else \
        "occluder" if one.name.startswith(OCCLUDER) else "mesh"


# Types of objects that Blender shows as surfaces.
SURFACES = {"CURVE", "SURFACE", "FONT", "META"}


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


def armatures_of(one):
    """The armatures that deform an object: by its modifiers, then by its parent."""
    found = [modifier.object for modifier in one.modifiers
             if modifier.type == "ARMATURE" and modifier.object]
    if one.parent_type == "ARMATURE" and one.parent and one.parent.type == "ARMATURE":
        found.append(one.parent)
    return found


# -- Scenes ----------------------------------------------------------------------

class Exporter:
    def __init__(self, context, saved, objects, options, say):
        self.context, self.saved, self.options, self.say = context, saved, options, say
        self.objects = objects
        self.own = own_source(objects, options.get("like"))
        self.materials = Materials(saved, say, options.get("looks", False), self.own)
        self.has_bones = options.get("bones", True)
        self.shapes = Shapes(context, options.get("apply_modifiers", True), not self.has_bones, say)
        self.skinned = []  # (object, armature)
        self.node_of = {}  # by object
        self.nodes = []  # (name, parent, local, mesh, skin, extras)

    def build(self):
        saved = self.saved
        saved.scene.axes.up = d.FACET_AXIS_Z
        saved.scene.axes.unit = 1
        shown = [one for one in self.objects if one.type == "MESH" and not only_instances(one)]
        shown.sort(key=lambda one: order_of(one, self.own))
        found = {role: [one for one in shown if role_of(one) == role]
                 for role in ("mesh", "hull", "occluder")}
        armatures = {one for one in self.objects if one.type == "ARMATURE" and self.has_bones}
        armatures |= {self._armature(one) for one in found["mesh"]} - {None}
        self.bones, self.first = {}, {}
        for one in sorted(armatures, key=lambda one: (is_foreign(one, self.own), one.name_full)):
            self._add_bones(one)
        if self.options.get("format") == "btp":
            self.materials.add_images_of_file()
        self.materials.add_all([(slot.material, one.data) for one in found["mesh"]
                                for slot in one.material_slots if slot.material])
        places = [self._place(one) for one in found["mesh"]]  # before the armatures go to rest
        try:
            for one, place in zip(found["mesh"], places):
                self._add_mesh(one, place)
        finally:
            self.shapes.close()
        self._add_surfaces_and_instances()
        if not (saved.scene.mesh_count or saved.scene.hull_count or saved.scene.occluder
                or found["hull"] or found["occluder"] or self.bones):
            raise library.FacetError(f"{saved.path}: there is nothing to write: no object that is "
                             f"{'selected' if self.options.get('selection') else 'seen'} has faces, "
                             "edges or bones")
        self._add_roles(found["hull"], self._add_hull)
        self._add_roles(found["occluder"], self._add_occluder)
        self._write_nodes()
        self._write_skins()
        format_ = self.options.get("format")
        if self.options.get("animations", "NONE") != "NONE":
            moving = Motions(self.context, saved, self.options, self.say, self.bones, self.first,
                             self.skinned)
            if format_ in KINDS:
                moving = Channels(self.context, saved, self.options, self.materials, self.node_of,
                                  self.say)
            moving.write()
            others = other_clips(format_, self.materials, self.node_of, self.bones)
            export_losses.warn_motion(self.objects, self.materials.added, others, self.say)
        elif not self.options.get("moves", True):
            export_losses.note_motion(self.objects, self.materials.added, self.options["format"],
                                      self.say)
        export_losses.warn_unwritten(self.objects, self.say)
        if not self.options.get("like"):
            export_losses.warn_unit(self.context.scene, self.say)
        if self.options.get("swaps"):
            export_losses.warn_order(self.objects, self.say)
        if self.options.get("like"):
            export_losses.warn_kept(saved.scene, self.options["like"], self.materials.images,
                                    self.say)

    def _armature(self, one):
        """The armature that deforms an object, or that has its parent bone. None for formats
        without bones: they get the pose."""
        if not self.has_bones:
            return None
        found = armatures_of(one)
        if not found and one.parent and one.parent.type == "ARMATURE" and one.parent_type == "BONE":
            return one.parent
        return found[0] if found else None

    def _add_bones(self, armature):
        bones = self.bones[armature] = Bones(armature)
        self.first[armature] = len(self.nodes)
        for i, bone in enumerate(bones.bones):
            above = bones.above(i)
            self.nodes.append((kept_name(bone),
                               NONE if above is None else self.first[armature] + above,
                               bones.local(i), NONE, NONE, bone.get("facet_extras")))
        if armature.get("facet_extras") and not self.saved.scene.extras:
            self.saved.scene.extras = self.saved.string(armature["facet_extras"])

    # -- Meshes

    def _name(self, one, data):
        """The name of a mesh. Names of shapes are numbers in the original: an object of another
        file must not have one of them."""
        name = kept_name(one) or kept_name(data)
        if self.options.get("like") and is_foreign(one, self.own):
            return f"{Path(one['facet_source']).stem} {name}"
        return name

    def _fill(self, made, materials):
        """Add everything except normals and weights."""
        slots = [self.materials.number(one) for one in materials]
        used = [one and self.materials.attributes[one] for one in materials]
        made.texcoords()
        if self.options.get("looks"):
            made.shown_colors(used, self.say)
        else:
            made.colors(used)
        made.attributes(self.say)
        made.lines()
        made.lone_points()
        made.materials(slots)

    def _place(self, one):
        """The transform of an object: in the world, or relative to its parent bone."""
        armature = self._armature(one)
        if armature is None or armatures_of(one):
            return matrix_of(one.matrix_world)
        bones = self.bones[armature]
        return np.linalg.inv(bones.rest[bones.number[one.parent_bone]]) @ \
            self._on_bone(one, armature)

    def _add_mesh(self, one, place):
        armature = self._armature(one)
        bones = self.bones.get(armature) if armature else None
        deformed = self.has_bones and bool(armatures_of(one))
        if deformed:
            export_losses.warn_skin(one, armatures_of(one), self.shapes.applied(one), self.say)
        mesh, done = self.shapes.mesh(one, deformed)
        if not len(mesh.vertices) and not self.options.get("like"):
            done()
            return
        try:
            transform = None
            if deformed:
                transform = np.linalg.inv(bones.whole) @ place
            made = Export(self.saved, mesh, self._name(one, one.data), transform)
            if one.data.get("facet_extras"):
                made.made.contents.extras = self.saved.string(one.data["facet_extras"])
            # If the file had no normals, write none, unless the user added custom normals.
            has_none = not one.data.get("facet_normals", True) and not mesh.has_custom_normals
            if self.options.get("normals", True) and len(mesh.polygons) and not has_none:
                made.normals()
            self._fill(made, materials_of(one, mesh))
            if deformed:
                self.skinned.append((one, armature))
                missed = made.weights({group.index: bones.number[group.name]
                                       for group in one.vertex_groups
                                       if group.name in bones.number
                                       and armature.data.bones[group.name].use_deform},
                                      self._share(one, armature, made))
                if missed:
                    self.say("WARNING", f"{one.name}: {amount(missed, 'vertex')} without weights "
                                        "bound to the first bone")
        finally:
            done()
        number = self.saved.scene.mesh_count - 1
        parent, local, skin = NONE, place, NONE
        if deformed:
            local, skin = np.eye(4), list(self.bones).index(armature)
        elif bones:
            parent = self.first[armature] + bones.number[one.parent_bone]
        self.node_of[one] = len(self.nodes)
        self.nodes.append((self._name(one, one.data), parent, local, number, skin,
                           one.get("facet_extras")))

    def _share(self, one, armature, made):
        """The part of the motion that each vertex follows, by the vertex group of the armature
        modifier; None: all."""
        used = next((modifier for modifier in one.modifiers
                     if modifier.type == "ARMATURE" and modifier.object == armature), None)
        if used is None or used.vertex_group not in one.vertex_groups:
            return None
        share = made.group(one.vertex_groups[used.vertex_group].index, used.invert_vertex_group)
        if (share < 1).any():
            self.say("WARNING", f"{one.name}: the vertex group {used.vertex_group} of the armature "
                                f"modifier: {int((share < 1).sum())} vertices go partly with the "
                                "first bone instead of staying")
        return share

    def _on_bone(self, one, armature):
        """Transform of an object relative to its parent bone, as Blender shows it."""
        tail = np.eye(4)
        tail[1, 3] = armature.data.bones[one.parent_bone].length
        given = tail @ matrix_of(one.matrix_parent_inverse) @ matrix_of(one.matrix_basis)
        pose = matrix_of(armature.matrix_world) @ matrix_of(armature.pose.bones[one.parent_bone].matrix)
        shown = matrix_of(one.matrix_world)
        if any(not constraint.mute for constraint in one.constraints):
            self.say("WARNING", f"{one.name}: its constraints are applied for this frame only")
        if np.allclose(pose @ given, shown, atol=1e-4 * max(1, np.abs(shown).max())):
            return given  # without rounding
        return np.linalg.inv(pose) @ shown

    # -- Visible objects other than meshes

    def _add_surfaces_and_instances(self):
        ignored = [modifier for one in self.objects if one.type in SURFACES
                   for modifier in one.modifiers if modifier.show_viewport
                   and not self.options.get("apply_modifiers", True)]
        for modifier in ignored:
            modifier.show_viewport = False
        try:
            self._add_instances()
        finally:
            for modifier in ignored:
                modifier.show_viewport = True

    def _add_instances(self):
        """Add visible instances: collections, geometry nodes, faces, particles. Curves, texts and
        metaballs are in the same list. Equal meshes are added once and used by several nodes."""
        known, shown, skins = {}, set(self.objects), set()
        without = {one for one in self.objects if one.type in SURFACES}
        graph = self.context.evaluated_depsgraph_get()
        for one in graph.object_instances:
            if not one.is_instance or one.parent is None or not one.show_self or \
                    one.parent.original not in shown or \
                    one.object.type not in {"MESH", *SURFACES}:
                continue
            original = one.object.original
            if one.object.type == "MESH" and role_of(original) != "mesh":
                self._add_role(one.object, matrix_of(one.matrix_world))
                continue
            if armatures_of(original):
                skins.add(original.name)
            without.discard(original)
            key, matrix = (original, one.object.data.as_pointer()), matrix_of(one.matrix_world)
            if key not in known:
                known[key] = self._add_shown(one.object, kept_name(original), matrix)
            elif known[key] is not None:
                self.nodes.append((kept_name(original), NONE, matrix, known[key], NONE, None))
        # Those that a version of Blender does not list.
        for one in sorted(without, key=lambda one: one.name_full):
            self._add_shown(one.evaluated_get(graph), kept_name(one), matrix_of(one.matrix_world))
        for name in sorted(skins):
            self.say("WARNING", f"{name}: it is in an instance, so its pose is written without skin "
                                "and animation: make the instance real")

    def _add_shown(self, evaluated, name, matrix):
        """Add an evaluated object. Returns the index of its mesh, or None if nothing is visible."""
        mesh = evaluated.to_mesh()
        try:
            if mesh is None or not len(mesh.vertices):
                return None
            made = Export(self.saved, mesh, name)
            if self.options.get("normals", True) and len(mesh.polygons):
                made.normals()
            used = materials_of(evaluated, mesh)
            self.materials.add_all([(one, mesh) for one in used if one])
            self._fill(made, used)
        finally:
            evaluated.to_mesh_clear()
        number = self.saved.scene.mesh_count - 1
        self.nodes.append((name, NONE, matrix, number, NONE, None))
        return number

    def _add_role(self, evaluated, matrix):
        """Add a hull or an occluder that is in an instance."""
        mesh = evaluated.to_mesh()
        try:
            if role_of(evaluated.original) == "hull":
                self._add_hull(kept_name(evaluated.original), mesh, matrix)
            else:
                self._add_occluder(kept_name(evaluated.original), mesh, matrix)
        finally:
            evaluated.to_mesh_clear()

    def _add_roles(self, found, add):
        for one in found:
            mesh, done = self.shapes.mesh(one, False)
            try:
                add(kept_name(one), mesh, matrix_of(one.matrix_world))
            finally:
                done()

    def _add_hull(self, name, mesh, matrix):
        points = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", points)
        points = (points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)
        hull = ctypes.POINTER(d.facet_hull)()
        self.saved.check(self.saved.library.facet_scene_add_hull(
            self.saved.scene, name.encode(), len(points), hull, self.saved.error))
        ctypes.memmove(hull.contents.points, points.ctypes.data, points.nbytes)

    def _add_occluder(self, name, mesh, matrix):
        if self.saved.scene.occluder:
            self.say("WARNING", f"of several occluders the first is taken, not {name}")
            return
        made = Export(self.saved, mesh, "", matrix, is_occluder=True)
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
        for armature, bones in self.bones.items():
            if not any(node[4] != NONE for node in self.nodes):
                continue
            made = ctypes.POINTER(d.facet_skin)()
            saved.check(saved.library.facet_scene_add_skin(
                saved.scene, armature.name.encode(), len(bones.bones), made, saved.error))
            skin = made.contents
            for i in range(len(bones.bones)):
                skin.joints[i] = self.first[armature] + i
            binds = axes.to_columns([np.linalg.inv(bones.bind(i)) for i in range(len(bones.bones))])
            ctypes.memmove(skin.inverse_bind, binds.ctypes.data, binds.nbytes)


def build_scene(context, saved, objects, options, say):
    Exporter(context, saved, objects, options, say).build()
