# Outputs appear complete, with all their siblings, or not at all. `tests/faults.py` tests failing
# system calls.
. "$(dirname "$0")/../support/cli.sh"
cd "$work" || exit 1
printf 'o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 2 0 0\nf 2 3 4\n' >a.obj
cat >two.gltf <<'END'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0},{"mesh":1}],
"meshes":[{"name":"a","primitives":[{"attributes":{"POSITION":0}}]},
{"name":"b","primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":
"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}
END

# F4: several files of one output.
run 2 convert a.obj out.bin --to gltf
says err "second file of the same name"
run 2 convert a.obj out.BIN --to gltf
says err "second file of the same name"
truth "F4: nothing is written under one name twice" [ ! -e out.bin ]
ln -s real.gltf real.bin
touch real.gltf
run 2 convert a.obj real.gltf
says err "second file of the same name"
rm real.gltf real.bin
mkdir in-the-way.bin
echo old >in-the-way.gltf
run 3 convert a.obj in-the-way.gltf
truth "F4: the old file stays" [ "$(cat in-the-way.gltf)" = old ]
mkdir s && mkdir s/o-1-b.bsm
run 3 convert --split two.gltf s/o.bsm
truth "F4: no piece of --split without the others" [ ! -e s/o-0-a.bsm ]
rmdir s/o-1-b.bsm
echo old >s/o-0-a.bsm
run 0 convert --split two.gltf s/o.bsm
truth "F4: both pieces" [ "$(ls s | wc -l)" = 2 ]
truth "F4: the old piece is gone" [ "$(head -c 3 s/o-0-a.bsm)" != old ]
(ulimit -n 24 && "$facet" convert -q --split two.gltf s/few.bsm) 2>/dev/null ||
    truth "F4: few descriptors are enough" false
# Extracted files wait for each other, with one descriptor each.
mkdir stored && for i in $(seq 60); do echo "$i" >stored/$i.txt; done
tar -cf stored.tar -C stored .
(ulimit -n 12 && "$facet" extract -q stored.tar extracted) 2>err ||
    truth "few descriptors are enough to extract: $(cat err)" false
truth "extracted files are equal" diff -r -x archive.json stored extracted

# F5: partial files are removed, and long names work.
long=$(printf '%0250d' 0)
run 0 convert a.obj "$long.bsm"
truth "F5: a name of 254 bytes" [ -s "$long.bsm" ]
run 0 convert a.obj "$long.bsm"
rm "$long.bsm"
(
    ulimit -f 1
    "$facet" convert -q a.obj big.glb --to glb </dev/null
    i=0
    while [ $i -lt 3000 ]; do echo "v $i 0 0" && i=$((i + 1)); done | cat - a.obj | \
        "$facet" convert -q - big.ply --from obj --to ply --ply-encoding ascii --keep-vertices \
            2>too-big
    echo $? >status
)
truth "F5: a limit of the size of files is an error to write" [ "$(cat status)" = 3 ]
truth "F5: and it is said" grep -q "File too large" too-big
truth "F5: nothing is left of it" [ "$(echo big.ply*)" = 'big.ply*' ]

# No output replaces a file that the same command reads.
mkdir kept
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n' >kept/a.obj
cp kept/a.obj kept/b.obj
printf 'newmtl m\nmap_Kd t.png\n' >kept/a.mtl
"$facet" render -q --size 8x8 kept/a.obj kept/new.png
cp kept/new.png kept/t.png
cp kept/new.png kept/e.png
cksum kept/* >kept.sums
for words in "render kept/a.obj kept/t.png" "render --environment kept/e.png kept/a.obj kept/e.png" \
    "compare kept/a.obj kept/b.obj --picture kept/t.png" "convert --to bsm kept/a.obj kept/a.mtl"; do
    run 2 $words
    says err "[OUTPUT-INPUT]"
done
for words in "render kept/a.obj kept/b.obj" "compare kept/a.obj kept/b.obj --picture kept/b.obj" "render kept/a.obj kept/picture.jpg" \
    "convert --depfile - kept/a.obj x.bsm" "convert --depfile kept/a.mtl kept/a.obj x.bsm" "convert --depfile kept/t.png kept/a.obj x.glb" \
    "convert --hulls-from kept/b.obj --depfile kept/b.obj kept/a.obj x.bsm" \
    "batch kept/a.obj kept/b.obj --out {stem}.bsm -- convert --depfile x.d"; do
    run 2 $words
done
run 1 batch kept/a.obj --out kept/t.png --results kept.jsonl -- render
truth "a batch names the rule" grep -q OUTPUT-INPUT kept.jsonl
truth "what was read is as it was" [ "$(cksum kept/*)" = "$(cat kept.sums)" ]
run 0 convert kept/a.obj kept/a.gltf
run 0 convert --scale 2 kept/a.gltf kept/a.gltf

# F6: the error names the stream that failed.
if [ -e /dev/full ]; then
    "$facet" convert a.obj b.bsm && "$facet" convert - - --to bsm <b.bsm 2>err >/dev/full
    truth "F6: status" [ $? = 3 ]
    says err "(stdout): error [SYSTEM-FAULT]: cannot write"
    run 3 convert a.obj /dev/full --to obj
    says err "/dev/full: error [SYSTEM-FAULT]: cannot write '/dev/full'"
fi

# A time limit ends the program and leaves no files.
(sleep 5; echo) | "$facet" convert --time-limit 0.2 - late.bsm --from obj 2>late
truth "a limit of time: status" [ $? = 3 ]
truth "a limit of time is named" grep -q "not done after 0.2 seconds" late
truth "a limit of time leaves nothing" [ "$(echo late.bsm*)" = 'late.bsm*' ]
run 2 convert --time-limit 0 a.obj b.bsm
# F5: with more than 32 siblings, some of them have temporary names. SIGTERM and SIGINT remove all.
cat >many.py <<'END'
import base64, json, struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def png(k):
    row = b"\0" + bytes((x * k) & 255 for x in range(192))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(row * 64)) + chunk(b"IEND", b""))
def uri(kind, data):
    return f"data:{kind};base64," + base64.b64encode(data).decode()
count = 100
points = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
json.dump({
    "asset": {"version": "2.0"},
    "buffers": [{"byteLength": 36, "uri": uri("application/octet-stream", points)}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                   "min": [0, 0, 0], "max": [1, 1, 0]}],
    "images": [{"name": f"i{k}", "uri": uri("image/png", png(k))} for k in range(count)],
    "textures": [{"source": k} for k in range(count)],
    "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": k}}} for k in range(count)],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": k} for k in range(count)]}],
    "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}]}, open("many.gltf", "w"))
END
python3 many.py || exit 1
mkdir many
run 0 convert -q many.gltf many/a.obj
truth "F5: 100 images are siblings" [ "$(ls many | wc -l)" = 102 ]
for signal in TERM INT TERM; do
    rm -rf many
    mkdir many
    # In the background, a shell ignores SIGINT for its commands.
    python3 -c '
import glob, os, signal, subprocess, sys, time
process = subprocess.Popen(sys.argv[2:])
while process.poll() is None and not glob.glob("many/*.tmp"):
    pass
process.send_signal(getattr(signal, "SIG" + sys.argv[1]))
process.wait()' "$signal" "$facet" convert -q many.gltf many/a.obj
    truth "F5: SIG$signal leaves no temporary file" [ "$(ls many | grep -c '[.]tmp$')" = 0 ]
    truth "F5: SIG$signal leaves all files or none" \
        [ "$(ls many | wc -l)" = 0 -o "$(ls many | wc -l)" = 102 ]
done

finish
