# facet compare: its output and exit status for equal and different files.
. "$(dirname "$0")/../support/cli.sh"

cat >"$work/a.obj" <<'OBJ'
mtllib a.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
usemtl red
f 1/1/1 2/2/1 3/3/1
f 1/1/1 3/3/1 4/4/1
OBJ
printf 'newmtl red\nKd 1 0 0\n' >"$work/a.mtl"
# The same triangles in another order, each starting at another corner.
sed 's,^f .*,,' "$work/a.obj" >"$work/b.obj"
printf 'f 3/3/1 4/4/1 1/1/1\nf 2/2/1 3/3/1 1/1/1\n' >>"$work/b.obj"
# One corner moved by 0.1 along x.
sed 's/^v 1 1 0/v 1.1 1 0/' "$work/a.obj" >"$work/c.obj"

run 0 compare "$work/a.obj" "$work/a.obj"
says out "the same bytes"
run 0 compare "$work/a.obj" "$work/b.obj"
says out "the same triangles"
says out "a.obj and $work/b.obj: equal"
says out "COMPARE-BYTES"
run 1 compare "$work/a.obj" "$work/c.obj"
says out "COMPARE-DISTANCE"
says out "2 differences"
# The moved corner stretches the texture coordinates. They differ although the positions are within
# the tolerance, until --ignore texcoords.
run 1 compare --tolerance 0.2 "$work/a.obj" "$work/c.obj"
says out "COMPARE-ATTRIBUTE"
run 0 compare --tolerance 0.2 --ignore texcoords "$work/a.obj" "$work/c.obj"
run 1 compare -q "$work/a.obj" "$work/c.obj"
says out "error [COMPARE-DISTANCE]"
lacks out note

# Both pictures and their difference, drawn with one camera: three squares of 512 pixels.
run 0 compare --picture "$work/same.png" "$work/a.obj" "$work/b.obj"
says out "same.png: 0 of 262144 pixels differ"
run 1 compare --picture "$work/apart.png" "$work/a.obj" "$work/c.obj"
says out "pixels differ, by at most"
run 0 info "$work/apart.png"
says out "width: 1536"
run 2 compare --picture - "$work/a.obj" "$work/b.obj"

run 0 convert -q "$work/a.obj" "$work/a.glb"
run 1 compare "$work/a.obj" "$work/a.glb"
says out "0 nodes, 1 in the second file"
run 0 compare --ignore nodes,counts "$work/a.obj" "$work/a.glb"

# Data that the reader leaves out: no difference is found, but the files are not equal.
for number in 1 2; do
  printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"extras":{"a":%s}}]}' $number > "$work/$number.gltf"
done
run 0 compare "$work/1.gltf" "$work/2.gltf"
says out "warning [COMPARE-UNREAD]"
says out "2.gltf: no difference in what is compared"
run 0 compare --json "$work/1.gltf" "$work/2.gltf"
says out '"equal":false'
says out '"complete":false'

run 1 compare --json "$work/a.obj" "$work/c.obj"
says out '"equal":false'
says out '"sameBytes":false'
says out '"firstToSecond":{"samples":20000'
says out '"rule":"COMPARE-DISTANCE"'
truth "it is JSON" python3 -c "
import json, sys
r = json.load(open('$work/out'))
assert abs(r['diagonal'] - 2 ** 0.5) < 1e-8
assert abs(r['secondToFirst']['greatest'] - 0.1) < 1e-6
assert r['secondToFirst']['greatestBound'] >= r['secondToFirst']['greatest']"

# Textures without a file: other names are a difference, equal names are reported as not compared.
for t in one two again; do
    sed "s/a.mtl/$t.mtl/" "$work/a.obj" >"$work/$t.obj"
    printf 'newmtl red\nKd 1 0 0\nmap_Kd %s.png\n' "$t" | sed 's/again/one/' >"$work/$t.mtl"
done
run 1 compare "$work/one.obj" "$work/two.obj"
says out "another image for base color"
run 0 compare "$work/one.obj" "$work/again.obj"
says out "image 'one' is in neither file: it is not compared"

# Two files of one format family: compare their fields, with offsets if the format has them.
run 0 convert -q "$work/a.obj" "$work/a.bsm"
run 0 convert -q "$work/c.obj" "$work/c.bsm"
run 1 compare "$work/a.bsm" "$work/c.bsm"
says out "COMPARE-FIELD"
run 1 compare --ignore document "$work/a.bsm" "$work/c.bsm"
says out "note [COMPARE-FIELD]"
run 0 convert -q "$work/a.obj" "$work/a.bmd"
sed 's/^Kd.*/Kd 0 1 0/' "$work/a.mtl" >"$work/green.mtl"
sed 's/a.mtl/green.mtl/' "$work/a.obj" >"$work/green.obj"
run 0 convert -q "$work/green.obj" "$work/green.bmd"
run 1 compare "$work/a.bmd" "$work/green.bmd"
says out "'materials.json' differs first at line"
says out "COMPARE-PIECE"
says out "base color 1"

run 2 compare "$work/a.obj"
says err "usage: facet compare"
run 2 compare --ignore nothing "$work/a.obj" "$work/b.obj"
says err "--ignore has no part 'nothing'"
run 2 compare --ignore normal "$work/a.obj" "$work/b.obj"
says err "did you mean 'normals'"
run 2 compare --tolerance -1 "$work/a.obj" "$work/b.obj"
run 3 compare "$work/a.obj" "$work/missing.obj"
says err "missing.obj"
printf 'no format' >"$work/unknown"
run 1 compare "$work/a.obj" "$work/unknown"
says err "FORMAT-UNKNOWN"
# A file that cannot be compared still gets its JSON object.
run 3 compare --json "$work/a.obj" "$work/missing.obj"
says out "\"second\":\"$work/missing.obj\",\"error\":{\"rule\":\"system error\""
run 3 compare --json "$work/missing.obj" "$work/a.obj"
says out "\"second\":\"$work/a.obj\",\"error\":{\"rule\":\"system error\""
run 1 compare --json "$work/a.obj" "$work/unknown"
says out '"error":{"rule":"FORMAT-UNKNOWN"'
run 3 compare --json --picture "$work/none/p.png" "$work/a.obj" "$work/b.obj"
says out '"error":{"rule":"system error"'
run 2 compare --json --ignore nothing "$work/a.obj" "$work/b.obj"
silent out

# Versions 1 and 3 of BinaryMesh have the same numbers; 3 is compressed. Version 4 has others.
run 0 convert -q --format-version 1 "$work/a.obj" "$work/1.binarymesh"
run 0 convert -q --format-version 3 "$work/1.binarymesh" "$work/3.binarymesh"
run 0 convert -q --format-version 4 "$work/1.binarymesh" "$work/4.binarymesh"
run 0 compare "$work/1.binarymesh" "$work/3.binarymesh"
says out "note [COMPARE-FIELD]: compressed differently: blocks"
says out "3.binarymesh: equal"
run 1 compare "$work/1.binarymesh" "$work/4.binarymesh"
says out "error [COMPARE-FIELD]: precision"

# -- Images of 16 bits ------------------------------------------------------------

# Red of 1000 and 1008 of 65,535 is 4 of 255 when rounded. 8 / 65535 * 255 = 0.0311284; the two floats
# are off by up to 2^-24 each.
cat >"$work/deep.py" <<'END'
import base64, json, struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
red = int(sys.argv[1])
png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 16, 2, 0, 0, 0))
       + chunk(b"IDAT", zlib.compress(b"\0" + struct.pack(">3H", red, 0, 0))) + chunk(b"IEND", b""))
json.dump({"asset": {"version": "2.0"},
           "images": [{"uri": "data:image/png;base64," + base64.b64encode(png).decode()}],
           "textures": [{"source": 0}],
           "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}, sys.stdout)
END
python3 "$work/deep.py" 1000 >"$work/deep1.gltf"
python3 "$work/deep.py" 1008 >"$work/deep2.gltf"
run 1 compare "$work/deep1.gltf" "$work/deep2.gltf"
says out "at most 0.03112"
run 0 compare "$work/deep1.gltf" "$work/deep1.gltf"

# Tiny triangles on a sphere, and at its center: all are equally far, so that a search has to visit
# all of them. It gives up, and --growth-limit lets it go on. 0.999999 is the distance of the two
# spheres (radius 1 and 0.000001).
spiral() {
    awk -v radius="$1" 'BEGIN { n = 2400
        for (i = 0; i < n; i++) for (c = 0; c < 3; c++) {
            z = 1 - (2 * i + 1) / n + c * 0.00001; turn = i * 2.399963 + c * c * 0.00001
            around = sqrt(1 - z * z)
            printf "v %.9g %.9g %.9g\n", radius * around * cos(turn), radius * around * sin(turn), radius * z
        }
        for (i = 0; i < n; i++) print "f", 3 * i + 1, 3 * i + 2, 3 * i + 3 }'
}
spiral 1 >"$work/around.obj"
spiral 0.000001 >"$work/center.obj"
run 1 compare --samples 500 "$work/around.obj" "$work/center.obj"
says out "note [COMPARE-LIMIT]"
says out "up to 0.999999 away"
cp "$work/out" "$work/limited"
run 1 compare --samples 500 -j 3 "$work/around.obj" "$work/center.obj"
truth "the limit does not depend on the threads" cmp -s "$work/out" "$work/limited"
run 1 compare --samples 500 --growth-limit 1000 "$work/around.obj" "$work/center.obj"
lacks out COMPARE-LIMIT # a greater limit lets the searches end

finish
