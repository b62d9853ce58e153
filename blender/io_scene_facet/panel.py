"""A panel with the file's data of a material, bone or object, from the property facet_extras."""

import json

import bpy

from .shading import GROUP

MAX_ROWS = 400


def rows_of(value, depth=0):
    """Rows of a tree: (depth, name, text)."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, one in items:
        if isinstance(one, (dict, list)) and not (
                isinstance(one, list) and all(not isinstance(x, (dict, list)) for x in one)):
            yield depth, str(name), ""
            yield from rows_of(one, depth + 1)
        else:
            yield depth, str(name), ", ".join(map(str, one)) if isinstance(one, list) else str(one)


def draw_extras(layout, extras):
    try:
        rows = list(rows_of(json.loads(extras)))
    except ValueError:
        layout.label(text=extras[:200], icon="ERROR")
        return
    column = layout.column(align=True)
    for depth, name, said in rows[:MAX_ROWS]:
        row = column.split(factor=0.5)
        row.label(text="    " * depth + name)
        row.label(text=said)
    if len(rows) > MAX_ROWS:
        column.label(text=f"and {len(rows) - MAX_ROWS} more lines")


class FacetPanel:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_label = "Facet: State of the File"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        one = cls.of(context)
        return one is not None and bool(one.get("facet_extras"))

    def draw(self, context):
        draw_extras(self.layout, self.of(context)["facet_extras"])


class MATERIAL_OT_facet_choose_images(bpy.types.Operator):
    """Add a node Texture Choice, whose keys select one of the model's images, for a BTP"""

    bl_idname = "material.facet_choose_images"
    bl_label = "Choose Images"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        material = getattr(context, "material", None) or \
            (context.object.active_material if context.object else None)
        tree = material.node_tree if material else None
        return tree is not None and {GROUP, "Texture"} <= set(tree.nodes.keys())

    def execute(self, context):
        from . import materials
        material = getattr(context, "material", None) or context.object.active_material
        images = {one["facet_index"]: one for one in reversed(bpy.data.images)
                  if one.get("facet_index") is not None
                  and one.get("facet_source") == material.get("facet_source")}
        materials.add_choice(material.node_tree, images)
        return {"FINISHED"}


class MATERIAL_PT_facet(FacetPanel, bpy.types.Panel):
    bl_context = "material"

    def draw(self, context):
        self.layout.operator(MATERIAL_OT_facet_choose_images.bl_idname)
        super().draw(context)

    @staticmethod
    def of(context):
        return context.material


class OBJECT_PT_facet(FacetPanel, bpy.types.Panel):
    bl_context = "object"

    @staticmethod
    def of(context):
        return context.object


class BONE_PT_facet(FacetPanel, bpy.types.Panel):
    bl_context = "bone"

    @staticmethod
    def of(context):
        return context.object.data.bones.active \
            if context.object and context.object.type == "ARMATURE" else None


CLASSES = [MATERIAL_OT_facet_choose_images, MATERIAL_PT_facet, OBJECT_PT_facet, BONE_PT_facet]
