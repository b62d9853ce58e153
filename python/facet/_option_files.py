"""Options that are not one value of a struct: files, which stay open during a call, and lists."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, List, Mapping, Tuple

from ._call import FILE_FIELDS, Call, path_of
from ._facet import ffi
from ._files import Input


def _open(call: Call, given: Any) -> Input:
    return call.stack.enter_context(Input(call, given, decompress=path_of(given) is not None))


def _list(call: Call, name: str, given: Any) -> None:
    """Set a list of materials or textures: a path, bytes, a binary file, or a value for json.dumps.
    The images that the list names are located next to a path."""
    j3d = call.family("j3d")
    if isinstance(given, (Mapping, list, tuple)):
        setattr(j3d, name, call.string(json.dumps(given)))
        return
    source = _open(call, given).source
    setattr(j3d, name, call.string(bytes(ffi.buffer(source.data, source.size)).decode(
        "utf-8", "surrogateescape")))
    if path_of(given) is not None:
        setattr(j3d, f"{name}_file", source)


def _material_files(call: Call, name: str, folder: Any) -> None:
    """Set all .json files of a folder, sorted by name."""
    paths = [os.path.join(os.fsencode(folder), one) for one in sorted(os.listdir(os.fsencode(folder)))
             if one.endswith(b".json")]
    if not paths:
        raise ValueError(f"{name}: no .json in {os.fsdecode(folder)!r}")
    sources = ffi.new("facet_source[]", len(paths))
    for i, path in enumerate(paths):
        sources[i] = _open(call, os.fsdecode(path)).source[0]
    call.kept.append(sources)
    j3d = call.family("j3d")
    j3d.material_files, j3d.material_file_count = sources, len(paths)
    if not j3d.materials_file:
        j3d.materials_file = ffi.addressof(sources, 0)


def _like(call: Call, name: str, model: Any) -> None:
    call.family("j3d").like = _open(call, model).source


def _texture_changes(call: Call, name: str, pairs: List[Tuple[str, Any]]) -> None:
    """Set texture changes: replacements go before additions."""
    j3d = call.family("j3d")
    before = [j3d.texture_changes[i] for i in range(j3d.texture_change_count)]
    made = []
    for texture, file in pairs:
        change = ffi.new("facet_j3d_texture_change *")
        change.name, change.source = call.string(texture), _open(call, file).source[0]
        change.is_new = name == "add_texture"
        call.kept.append(change)
        made.append(change[0])
    changes = before + made if name == "add_texture" else made + before
    array = ffi.new("facet_j3d_texture_change[]", changes)
    call.kept.append(array)
    j3d.texture_changes, j3d.texture_change_count = array, len(changes)


def _texture_folder(call: Call, name: str, folder: Any) -> None:
    if not Path(folder).is_dir():
        raise NotADirectoryError(f"{name}: {os.fsdecode(folder)!r} is not a folder")
    opened = call.stack.enter_context(Input(call, b"", siblings=folder, name=os.fsdecode(folder)))
    call.family("j3d").texture_folder = opened.source


def _texture_settings(call: Call, name: str, settings: List[str]) -> None:
    bti = call.family("bti")
    array = ffi.new("const char *[]", [call.string(one) for one in settings])
    call.kept.append(array)
    bti.settings, bti.setting_count = array, len(settings)


def _camera(call: Call, name: str, given: Any) -> None:
    """Set a camera: a JSON file from `facet render --json`, or an object with the same keys."""
    if path_of(given) is not None:
        given = json.loads(Path(os.fsdecode(given)).read_text())
    given = given.get("camera", given)
    camera = ffi.new("facet_j3d_camera *")
    camera.position, camera.target = given["position"], given["target"]
    camera.up = given.get("up", [0, 1, 0])
    camera.field_of_view, camera.height = given.get("fieldOfView", 0), given.get("height", 0)
    call.kept.append(camera)
    call.family("j3d").camera = camera


def _no_more(call: Call, name: str, given: Any) -> None:
    """Do nothing: _list sets both members."""


FILE_FIELDS.update({
    "facet_j3d_options.materials": _list, "facet_j3d_options.materials_file": _no_more,
    "facet_j3d_options.textures": _list, "facet_j3d_options.textures_file": _no_more,
    "facet_j3d_options.material_files": _material_files, "facet_j3d_options.like": _like,
    "facet_j3d_options.texture_changes": _texture_changes,
    "facet_j3d_options.texture_folder": _texture_folder, "facet_j3d_options.camera": _camera,
    "facet_bti_options.settings": _texture_settings,
})
