"""Convert a scene of the library to objects of Blender."""

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from . import axes, library, materials, meshes, motion
from . import declarations as d
from .names import text
from .skeleton import Skeleton

NONE = 2**32 - 1


def link(collection, name, data, number=None):
    made = bpy.data.objects.new(name, data)
    collection.objects.link(made)
    made["facet_name"] = name
    if number is not None:
        made["facet_index"] = number
    return made


# -- Hulls and occluder --------------------------------------------------------

def build_hull(name, points):
    """A mesh with these vertices and the faces of their convex hull."""
    surface, mesh = bmesh.new(), bpy.data.meshes.new(name)
    vertices = [surface.verts.new(point) for point in points.tolist()]
    if len(vertices) >= 3:
        bmesh.ops.convex_hull(surface, input=vertices)
    surface.to_mesh(mesh)
    surface.free()
    return mesh


def build_collision(collection, scene, stem, turn, say):
    """Create hulls and occluder in a separate collection, which is not rendered."""
    inner = bpy.data.collections.new(f"{stem} collision")
    inner.hide_render = True
    collection.children.link(inner)
    made = []
    for i in range(scene.hull_count):
        hull = scene.hulls[i].contents
        name = text(hull.name) or f"{stem} hull {i}"
        points = library.array(hull.points, hull.point_count, 3, np.float32) @ turn.positions
        mesh = build_hull(name, points)
        made.append(link(inner, name, mesh, i))
        made[-1]["facet_role"] = "hull"
        made[-1]["facet_name"] = text(hull.name)
    if scene.occluder:
        mesh = meshes.build_mesh(scene.occluder.contents, f"{stem} occluder", turn, [], False, say)
        made.append(link(inner, mesh.name, mesh))
        made[-1]["facet_role"] = "occluder"
    for one in made:
        one.display_type = "WIRE"
    return made


# -- Nodes -----------------------------------------------------------------------

class Builder:
    def __init__(self, context, scene, stem, options, say):
        self.context, self.scene, self.stem, self.say = context, scene, stem, say
        self.options = options
        self.turn = axes.Turn(scene.axes, options.get("scale", 1.0))
        self.collection = context.collection
        self.skeleton = None
        self.source = options.get("source", "")
        self.objects = {}  # by index of the node
        self.made = []

    def build(self):
        scene = self.scene
        images = [materials.build_image(scene.images[i].contents) for i in range(scene.image_count)]
        colored = self._colored()
        self.materials = [materials.build_material(scene.materials[i].contents, i, images, self.turn,
                                                   i in colored)
                          for i in range(scene.material_count)]
        self.meshes = []
        for i in range(scene.mesh_count):
            found = scene.meshes[i].contents
            name = text(found.name) or self.stem
            made = meshes.build_mesh(found, name, self.turn, self.materials,
                                     self.options.get("custom_normals", True), self.say)
            made["facet_name"] = text(found.name)
            if found.extras:
                made["facet_extras"] = text(found.extras)
            self.meshes.append(made)
        if scene.node_count:
            self._nodes()
        else:
            for i, mesh in enumerate(self.meshes):
                self.made.append(link(self.collection, mesh.name, mesh, i))
                self.made[-1]["facet_name"] = mesh["facet_name"]
        for one in (*self.materials, *filter(None, images)):
            one["facet_source"] = self.source
        for i, one in enumerate(images):
            if one:
                one["facet_index"] = i
        if self.options.get("collision", True) and (scene.hull_count or scene.occluder):
            self.made += build_collision(self.collection, scene, self.stem, self.turn, self.say)
        motion.build_animations(self.context, scene, self.stem, self.turn, self.skeleton,
                                self.objects, self.materials, images, self.source, self.say)
        return self.made

    def _colored(self):
        """Indices of materials that are used with vertex colors."""
        found = set()
        for i in range(self.scene.mesh_count):
            mesh = self.scene.meshes[i].contents
            if mesh.face_materials and any(mesh.streams[k].semantic == d.FACET_COLOR
                                           and mesh.streams[k].set == 0
                                           for k in range(mesh.stream_count)):
                found.update(np.unique(library.array(mesh.face_materials, mesh.face_count, 1,
                                                     np.uint32)).tolist())
        return found

    def _nodes(self):
        scene = self.scene
        local = [self.turn.matrices(axes.node_matrix(scene.nodes[i].contents))
                 for i in range(scene.node_count)]
        skeleton = Skeleton(scene, self.turn, local)
        if skeleton.order:
            self.skeleton = skeleton
            armature = skeleton.build(self.context, self.collection, self.stem, scene,
                                      self.options.get("limbs", False))
            self.made.append(armature)
            if scene.extras:
                armature["facet_extras"] = text(scene.extras)
            armature["facet_scale"] = self.options.get("scale", 1.0)
        waiting = [i for i in range(scene.node_count) if i not in skeleton.bones]
        for i in waiting:
            node = scene.nodes[i].contents
            data = self.meshes[node.mesh] if node.mesh != NONE else None
            made = link(self.collection, text(node.name) or (data.name if data else "node"), data, i)
            made["facet_name"] = text(node.name)
            if node.extras:
                made["facet_extras"] = text(node.extras)
            self.objects[i] = made
            self.made.append(made)
        for i in waiting:
            self._place(i, scene.nodes[i].contents, local[i])

    def _place(self, i, node, local):
        made, skeleton = self.objects[i], self.skeleton
        if node.skin != NONE and node.mesh != NONE and skeleton:
            skin = self.scene.skins[node.skin].contents
            made.parent = skeleton.object
            meshes.add_weights(made, self.scene.meshes[node.mesh].contents,
                               [skeleton.names[skin.joints[k]] for k in range(skin.joint_count)])
            made.modifiers.new("Armature", "ARMATURE").object = skeleton.object
            return
        if node.parent in self.objects:
            made.parent = self.objects[node.parent]
        elif node.parent != NONE:
            bone = skeleton.object.data.bones[skeleton.names[node.parent]]
            made.parent, made.parent_type, made.parent_bone = skeleton.object, "BONE", bone.name
            # Blender places children at the tail of a bone.
            made.matrix_parent_inverse = Matrix.Translation((0, -bone.length, 0))
            local = skeleton.rest[node.parent] @ local
        made.matrix_basis = Matrix(local.tolist())


def add_animations(context, armature, scene, source, say):
    """Add the animations of a scene to an imported model of the same file. They play instead of those
    that move the same parts."""
    turn = axes.Turn(scene.axes, armature.get("facet_scale", 1.0))
    skeleton = Skeleton(scene, turn, [turn.matrices(axes.node_matrix(scene.nodes[i].contents))
                                      for i in range(scene.node_count)])
    skeleton.adopt(armature)
    objects = {one["facet_index"]: one for one in armature.children_recursive
               if one.get("facet_index") is not None}
    used = {slot.material for one in objects.values() for slot in one.material_slots}

    def numbered(found, count):
        found = {one["facet_index"]: one for one in found
                 if one and one.get("facet_source") == armature["facet_source"]
                 and one.get("facet_index") is not None}
        return [found.get(i) for i in range(count)]
    made = numbered(used, scene.material_count)
    return motion.build_animations(context, scene, armature.name, turn, skeleton, objects, made,
                                   numbered(bpy.data.images, scene.image_count), source, say,
                                   replaces=True)


def build_scene(context, scene, stem, options, say):
    """Create the objects of a scene and return them."""
    return Builder(context, scene, stem, options, say).build()
