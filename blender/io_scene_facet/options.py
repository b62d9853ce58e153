"""Options of the exporters as properties. The source is the table of the command line, which
tools/options writes to option_table.py. A property with its default value means not given."""

import re

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from .option_table import OPTIONS

MOST, AUTO = 2**31 - 1, -1


def python_name(option):
    return option["name"].replace("-", "_")


# Options of every format that affect only these formats, by the beginning of their names.
ONLY = {"hull": {"bsm"}, "occluder": {"bsm"}, "resize": {"bmd", "bdl"},
        "force": {"bmd", "bdl"}}


def options_of(format_, has_meshes):
    """The options of a format. Options for all formats are included only if it has meshes."""
    def has_effect(name):
        return has_meshes and all(format_ in formats for begin, formats in ONLY.items()
                                  if name.startswith(begin))
    return [one for one in OPTIONS
            if (format_ in one["formats"] if one["formats"] else has_effect(one["name"]))]


# Labels of properties that are not in the table.
LABELS = {"like": "Original", "resize": "Resize"}


def in_blender(sentence):
    """A sentence of the library with the labels of properties instead of switches: "Scale" for
    --scale."""
    labels = {**{one["name"]: label_of(one) for one in OPTIONS}, **LABELS}

    def label(match):
        return f'"{labels[match[1]]}"' if match[1] in labels else match[0]
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", label, sentence)


def label_of(option):
    return option["name"].replace("-", " ").title()


def described(option):
    words = option["help"][0].upper() + option["help"][1:]
    return words + (f" (default: {option['default']})" if option["default"] else "")


def property_of(option):
    name, kind = label_of(option), option["kind"]
    given = {"name": name, "description": described(option)}
    if kind == "flag":
        return BoolProperty(default=False, **given)
    if kind == "word":
        items = [("DEFAULT", "Default", option["default"] or "The default of the format")]
        items += [(word, word, "") for word in option["words"]]
        return EnumProperty(items=items, default="DEFAULT", **given)
    if kind == "count":
        if option["auto"]:
            given["description"] += "; -1: auto"
        return IntProperty(default=0, min=AUTO if option["auto"] else 0,
                           max=min(int(option["most"] or MOST), MOST), **given)
    if kind == "number":
        return FloatProperty(default=0, min=0, max=option["most"] or 1e9, precision=4, **given)
    return StringProperty(default="", **given)


def properties(format_, has_meshes):
    return {python_name(one): property_of(one) for one in options_of(format_, has_meshes)}


def given(operator, format_, has_meshes):
    """Pairs (option, value) for changed properties, checked like the command line."""
    found = []
    for option in options_of(format_, has_meshes):
        value = getattr(operator, python_name(option))
        if value in (False, 0, "", "DEFAULT"):
            continue
        least = option["least"] or 0
        if option["kind"] in ("count", "number") and value != AUTO and value < least:
            raise ValueError(f"{label_of(option)} is {least} or more, not {value}")
        found.append((option, value))
    return found
