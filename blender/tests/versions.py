"""Later versions of Blender, tested without Blender. Stand-ins are written from the reference of
the Python API.

versions.py PATH-OF-THE-ADD-ON
"""

import importlib.util
import sys
import types
from pathlib import Path

ADDON = Path(sys.argv[1])


def stand_in(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module
    return module


def loaded(name):
    spec = importlib.util.spec_from_file_location(f"addon.{name}", ADDON / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


# -- Actions of 4.4 and 5.0 ----------------------------------------------------


class Action:
    """Action.fcurve_ensure_for_datablock of 5.0: "This action must already be assigned to the
    data-block"."""

    use_fake_user = False

    def __init__(self, name):
        self.name, self.slots, self.groups = name, ["slot"], []

    def __setitem__(self, key, value):
        pass

    def fcurve_ensure_for_datablock(self, datablock, data_path, *, index=0, group_name=""):
        if datablock.animation_data.action is not self:
            raise RuntimeError(f'Assign action "{self.name}" to "{datablock.name}" first')
        self.groups.append(group_name)
        return types.SimpleNamespace(action=self, path=data_path, index=index)


class Action44(Action):
    """In 4.4 the function has no group_name."""

    def fcurve_ensure_for_datablock(self, datablock, data_path, *, index=0):
        return super().fcurve_ensure_for_datablock(datablock, data_path, index=index)


class Datablock:
    name = "Armature"
    animation_data = None

    def animation_data_create(self):
        self.animation_data = self.animation_data or types.SimpleNamespace(
            action=None, action_slot=None)
        return self.animation_data


def actions(bpy, compat, kind):
    """The first action stays assigned while curves are added to other actions."""
    bpy.data = types.SimpleNamespace(actions=types.SimpleNamespace(new=kind))
    motion, datablock = loaded("motion"), Datablock()
    made = []
    for name in ("walk", "run", "jump"):
        action = motion.new_action(name, datablock)
        curve = compat.new_curve(action, datablock, 'pose.bones["b"].location', 1, "b")
        assert curve.action is action and curve.index == 1
        made.append(action)
    assert datablock.animation_data.action is made[0]
    assert datablock.animation_data.action_slot == "slot"


def strips(compat):
    """From 4.4 a strip has a slot of its action."""
    strip, action = types.SimpleNamespace(action_slot=None), Action("flow")
    action.frame_range, starts = (2.0, 20.0), []
    track = types.SimpleNamespace(strips=types.SimpleNamespace(
        new=lambda name, start, action: starts.append(start) or strip))
    tracks = types.SimpleNamespace(new=lambda: track)
    compat.add_strip(types.SimpleNamespace(nla_tracks=tracks), action)
    assert (starts, strip.action_slot, track.name) == ([2], "slot", "flow")


# -- Materials -------------------------------------------------------------------


def alpha(compat):
    """Up to 4.1 the material defines how alpha is shown. From 4.2 alpha is always visible."""
    old = types.SimpleNamespace(blend_method="HASHED", alpha_threshold=0.25)
    assert compat.alpha_of(old) == ("BLEND", 0.25)
    old.blend_method = "OPAQUE"
    assert compat.alpha_of(old) == ("OPAQUE", 0.25)
    new = types.SimpleNamespace(surface_render_method="DITHERED", blend_method="OPAQUE")
    assert compat.alpha_of(new)[0] == "BLEND"


def main():
    bpy = stand_in("bpy", app=types.SimpleNamespace(version=(5, 0, 0)))
    package = stand_in("addon")
    package.__path__ = [str(ADDON)]
    for name in ("axes", "library", "materials", "declarations", "names"):
        setattr(package, name, stand_in(f"addon.{name}", text=str))
    compat = package.compat = loaded("compat")
    for kind in (Action, Action44):
        actions(bpy, compat, kind)
    strips(compat)
    alpha(compat)
    print("versions: 4.2, 4.4 and 5.0 by stand-ins")


main()
