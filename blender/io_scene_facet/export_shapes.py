"""Evaluated meshes for the export: with shape keys and modifiers, and without deformation by
armatures."""

import bpy


def is_shaped(one):
    """True if shape keys change the object's mesh."""
    keys = one.data.shape_keys
    if keys is None:
        return False
    if one.show_only_shape_key:
        return one.active_shape_key_index > 0
    return not keys.use_relative or any(key.value != 0 and not key.mute
                                        for key in keys.key_blocks[1:])


class Shapes:
    """Evaluates meshes. For formats without bones (`poses`), armatures are applied. Otherwise a
    deformed mesh is evaluated while all armatures are at rest, because its
    bones deform the result. Modifiers and drivers must not see the current pose, not even that of
    another object such as the target of a Shrinkwrap. Call close() to restore the pose."""

    def __init__(self, context, applies_modifiers, poses, say):
        self.context, self.applies, self.say = context, applies_modifiers, say
        self.poses = poses and applies_modifiers  # armatures are modifiers like others
        self.posed = []  # armatures that are at rest for now

    def _set_rest(self, rest):
        if rest == bool(self.posed):
            return
        if rest:
            self.posed = [one for one in bpy.data.armatures if one.pose_position == "POSE"]
        for one in self.posed:
            one.pose_position = "REST" if rest else "POSE"
        if not rest:
            self.posed = []
        self.context.view_layer.update()

    def close(self):
        self._set_rest(False)

    def applied(self, one):
        """The modifiers that become part of the mesh."""
        return [modifier for modifier in one.modifiers if modifier.show_viewport
                and (modifier.type != "ARMATURE" or self.poses) and self.applies]

    def mesh(self, one, deformed):
        """The mesh of an object. Also returns a function that frees it and enables the disabled
        modifiers again."""
        applied = self.applied(one)
        has_parent = self.poses and one.parent_type == "ARMATURE"  # deforms without a modifier
        if not applied and not has_parent and not one.data.shape_keys:
            return one.data, lambda: None
        self._set_rest(deformed)  # also changes the values of shape keys with drivers
        if not applied and not has_parent and not is_shaped(one):
            return one.data, lambda: None
        bends = not has_parent and deformed and one.parent_type == "ARMATURE"
        if bends:
            one.parent_type = "OBJECT"
        switched = [modifier for modifier in one.modifiers if modifier.show_viewport
                    and modifier not in applied and (deformed or modifier.type != "ARMATURE")]
        for modifier in switched:
            modifier.show_viewport = False
        evaluated = one.evaluated_get(self.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh(preserve_all_data_layers=True,
                                 depsgraph=self.context.evaluated_depsgraph_get())
        if not evaluated.is_evaluated:
            self.say("WARNING", f"{one.name}: it is disabled in the viewport, so its modifiers and "
                                "shape keys are not applied")

        def done():
            evaluated.to_mesh_clear()
            for modifier in switched:
                modifier.show_viewport = True
            if bends:
                one.parent_type = "ARMATURE"
        return mesh, done
