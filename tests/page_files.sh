#!/bin/sh
# page_files.sh SOURCE: create the files that how-to guides need, in the current folder. See
# pages.py.
set -e
python3 "$1/tools/pictures" --model vase.gltf
alias convert='facet convert -q'

# A model in every format that pages name, and one with fewer triangles.
for name in glb gltf obj bmd bdl dae iqm bsm; do
    convert vase.gltf model.$name
done
for name in new a b before extra level upload vase; do
    cp model.glb $name.glb
done
cp model.bmd vase.bmd
convert vase.gltf after.glb --simplify 0.25
convert vase.gltf small.bsm --simplify 0.25
convert vase.gltf scan.bsm.gz
head -c 30000 vase.glb >cut.glb
cp /usr/share/assimp/models/OBJ/spider.* .
convert spider.obj part.stl
cp "$1/examples/compile.c" engine.c
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n' >triangle.obj
convert triangle.obj triangle.bsm
facet render -q vase.gltf logo.png --size 64

# A panorama of one color: 4 x 2 pixels of Radiance HDR, without run lengths.
printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n' >studio.hdr
head -c 32 /dev/zero | tr '\0' '\200' >>studio.hdr

# A folder of FBX files.
mkdir scans
convert vase.gltf scans/vase.fbx

# Lists of SuperBMD for a COLLADA file.
convert model.dae lists.bmd
facet extract -q lists.bmd lists
cp lists/materials.json materials.json
cp lists/textures.json tex_headers.json

# A model of a game with three textures, two of which have the same name.
python3 - <<'END'
import json

model = json.load(open("vase.gltf"))
primitive, material, image = model["meshes"][0]["primitives"][0], model["materials"][0], model["images"][0]
names = ["face", "eye", "eye"]
model["images"] = [{**image, "name": name} for name in names]
model["textures"] = [{"source": number} for number in range(3)]
model["materials"] = [{"name": f"material{number}", "pbrMetallicRoughness": {"baseColorTexture": {"index": number}}}
                      for number in range(3)]
model["meshes"][0]["primitives"] = [{**primitive, "material": number} for number in range(3)]
json.dump(model, open("game.gltf", "w"))
END
convert game.gltf cl.bdl
for name in link.bdl hero.bdl pig.bdl; do cp cl.bdl $name; done
convert cl.bdl black.bmt
facet extract -q cl.bdl pieces
cp pieces/face.png face.png
cp pieces/eye.bti other.bti

# Its animations: a joint that nods, and eyes that change.
mkdir bck btp
python3 - <<'END'
import json

joints = [{"scale": joint["scale"], "translation": joint["translation"],
           "rotation": [step * 180 / 32767 for step in joint["rotation"]]}
          for joint in json.load(open("pieces/hierarchy.json"))["joints"]]
joints[-1]["rotation"][0] = [[0, 0, 2], [20, 30, -2], [40, 0, 2]]
about = {"format": "facet-j3d-animation", "version": 1, "loop": "repeat"}
json.dump({**about, "kind": "bck", "name": "walk", "frames": 40, "joints": joints}, open("walk.json", "w"))
json.dump({**about, "kind": "btp", "name": "eyes", "frames": 2,
           "texture_maps": [{"material": "material1", "map": 0, "textures": [1, 2]}]}, open("eyes.json", "w"))
END
facet pack -q bck/walk.bck walk.json
facet pack -q btp/eyes.btp eyes.json
cp bck/walk.bck walk.bck
cp bck/walk.bck Run.bck
convert cl.bdl walk.bck edited.glb
convert cl.bdl Run.bck fox.glb
convert fox.glb moves.iqm

# A stage with a camera and a light.
convert triangle.obj stage.gltf
python3 - <<'END'
import json

scene = json.load(open("stage.gltf"))
first = len(scene["nodes"])
scene["cameras"] = [{"name": "Eye", "type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}]
scene["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 30}]}}
scene["extensionsUsed"] = scene.get("extensionsUsed", []) + ["KHR_lights_punctual"]
scene["nodes"] += [{"camera": 0, "translation": [0, 0, 5]},
                   {"extensions": {"KHR_lights_punctual": {"light": 0}}, "translation": [1, 2, 3]}]
scene["scenes"][0]["nodes"] += [first, first + 1]
json.dump(scene, open("stage.gltf", "w"))
END
convert stage.gltf stage.glb

# Its archives.
mkdir -p arc/bdl arc/tex
cp cl.bdl arc/bdl/cl.bdl
cp cl.bdl arc/bdl/old.bdl
cp pieces/face.bti arc/tex/face.bti
mkdir -p arc/msg
for name in text.bmg new.bmg arc/msg/text.bmg; do printf 'any bytes' >$name; done
facet pack -q Link.arc arc/
facet pack -q stage.szs arc/
cp Link.arc hero.arc

# Many files, one of them broken.
mkdir models uploads queue
cp triangle.obj models/1.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 2 0\nf 1 2 3\n' >models/2.obj
convert models/1.obj models/3.glb
printf 'v 0 0 0\nf 1 2 9\n' >models/broken.obj
cp before.glb cut.glb uploads/
for name in before after; do
    echo "{\"id\": \"$name\", \"in\": \"$name.glb\", \"out\": \"out/$name.bsm\"}"
done | tee items.jsonl >queue/0.jsonl
tar -cf shard-00017.tar before.glb after.glb
gzip -c shard-00017.tar >shard-00018.tar.gz
