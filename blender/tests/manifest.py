#!/usr/bin/env python3
"""manifest.py ARCHIVE: check the archive of the add-on against Blender's rules for extensions.

These are the checks of 'blender --command extension validate' in 4.2, which 3.4 does not have.
"""

import ast
import re
import sys
import tomllib
import zipfile

archive = zipfile.ZipFile(sys.argv[1])
names = archive.namelist()
folder = names[0].split("/")[0]
manifest = tomllib.loads(archive.read(f"{folder}/blender_manifest.toml").decode())
assert {"schema_version", "id", "name", "tagline", "version", "type", "maintainer", "license",
        "blender_version_min"} <= set(manifest), manifest
assert manifest["schema_version"] == "1.0.0" and manifest["type"] == "add-on"
assert re.fullmatch(r"[a-z][a-z0-9_]*", manifest["id"]) and manifest["id"] == folder
assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["blender_version_min"])
for sentence in (manifest["tagline"], *manifest["permissions"].values()):
    assert len(sentence) <= 64 and sentence[-1].isalnum(), sentence
assert set(manifest["permissions"]) <= {"files", "network", "clipboard", "camera", "microphone"}
assert all(one.startswith("SPDX:") for one in manifest["license"])
assert len({name.lower() for name in names}) == len(names), "names that differ in case alone"
assert {f"{folder}/declarations.py", f"{folder}/option_table.py"} <= set(names)
libraries = {name.split("/")[2] for name in names if re.search("/lib/.*/libfacet-python.(so|dll)$", name)}
assert libraries and set(manifest["platforms"]) == \
    {name.replace("x86_64", "x64").replace("aarch64", "arm64") for name in libraries}, (libraries, manifest["platforms"])
assert not [name for name in names if "__pycache__" in name]

# The package's name is bl_ext.REPOSITORY.ID, so imports of its modules must be relative.
own = {name.split("/")[1][:-3] for name in names if re.fullmatch(rf"{folder}/\w+\.py", name)}
for name in names:
    if name.endswith(".py"):
        for node in ast.walk(ast.parse(archive.read(name))):
            imported = [one.name for one in node.names] if isinstance(node, ast.Import) else \
                [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not [one for one in imported if one.split(".")[0] in own | {folder}], name
# Three files contain the version.
info = archive.read(f"{folder}/__init__.py").decode()
version = tuple(map(int, re.search(r'"version": \((\d+), (\d+), (\d+)\)', info).groups()))
assert ".".join(map(str, version)) == manifest["version"]
print(f"{folder} {manifest['version']}: the manifest holds")
