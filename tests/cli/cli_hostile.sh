# Misleading names, links and texts from untrusted files.
. "$(dirname "$0")/../support/cli.sh"
cd "$work" || exit 1
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n' >a.obj
echo 'newmtl m' >a.mtl

# N1: extract writes only into its folder, even if links or pipes are there.
mkdir sub taken elsewhere
echo text >sub/file.txt
run 0 pack a.arc sub
echo mine >elsewhere/file.txt
ln -s ../elsewhere/file.txt taken/file.txt
run 0 extract a.arc taken
truth "N1: a link is replaced, not followed" [ "$(cat elsewhere/file.txt)" = mine ]
truth "N1: what it was replaced by" [ "$(cat taken/file.txt)" = text ]
rm taken/file.txt
mkfifo taken/file.txt
run 3 extract a.arc taken
says err "is a device or a pipe"

# N2: names in a file lead only to regular files inside the folder of that file.
mkdir in
printf 'newmtl m\nKd 1 0 0\n' >secret.mtl
cp a.obj in/a.obj
ln -s ../secret.mtl in/a.mtl
run 0 convert in/a.obj b.glb
says err "is a link out of the directory"
run 0 convert --allow-external in/a.obj b.glb
lacks err "link out"
rm in/a.mtl
ln -s b.mtl in/a.mtl
cp a.mtl in/b.mtl
run 0 convert in/a.obj b.glb
lacks err "link out" # a link that stays inside is followed
rm in/a.mtl
mkfifo in/a.mtl
run 0 convert --time-limit 20 in/a.obj b.glb
says err "is not a regular file"
printf '{"asset":{"version":"2.0"},"buffers":[{"byteLength":1,"uri":"a.obj\\u0000.bin"}]}' >n.gltf
run 1 check n.gltf
says out "has a NUL in it"

# N3: text from an argument or a file sends no control sequences to the terminal.
csi=$(printf '\302\233')
run 2 "frob${csi}31m"
says err 'frob\xC2\x9B31m'
run 3 info "no${csi}such.bsm"
says err 'no\xC2\x9Bsuch.bsm'

# V3: input without usable data is reported. UTF-16 with an odd byte, half of a surrogate pair, and
# an empty text after the byte order mark.
printf '\377\376v\0 \0\0\330x\0\n' >u.obj
run 1 convert u.obj u.glb
says err "[OBJ-NUMBER]"
printf '\376\377\0v\0 \0' >v.obj
run 1 convert v.obj u.glb
says err "[OBJ-NUMBER]"
echo '{"asset":{"version":"2.0"}}' >empty.gltf
run 1 convert empty.gltf empty.bga
says err "the scene has no mesh"
for kind in ply stl; do
    run 0 convert -q empty.gltf empty.$kind
    run 0 convert -q empty.$kind again.glb
done

# V1 and V2: NaN and infinite values are reported at any position.
cat >nan.stl <<'END'
solid a
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 nan
endloop
endfacet
endsolid a
END
for kind in glb bpx ply bga bsm obj; do
    run 1 convert nan.stl "nan.$kind"
    says err "SCENE-NONFINITE"
done
run 0 convert nan.stl copy.stl
says err "COPY-FAULTS"
says err "STL-NONFINITE"
for place in '"nodes":[{"translation":[1e39,0,0]}]' '"materials":[{"emissiveFactor":[1e39,0,0]}]'; do
    echo "{\"asset\":{\"version\":\"2.0\"},$place}" >infinite.gltf
    run 1 convert infinite.gltf infinite.glb
    says err "SCENE-NONFINITE"
done

# N4: a depfile contains no name that make would interpret. The name is the URI of a buffer.
mkdir make
cd make || exit 1
named() { # ESCAPED-URI: a glTF whose buffer that is, and the buffer
    file=$(python3 -c 'import sys, urllib.parse as u; print(u.unquote(sys.argv[1]), end="!")' "$1")
    file=${file%!}
    head -c 36 /dev/zero >"$file"
    cat >a.gltf <<END
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"$1"}]}
END
}
for name in 'x.bin%0Ainclude%09evil.mk%0A' 'a%09b' 'a;touch%20ran'; do
    named "$name"
    run 1 convert a.gltf a.bsm --depfile a.d
    says err "DEPFILE-NAME"
    truth "N4: nothing is written for '$name'" [ ! -e a.d ] && [ ! -e a.bsm ]
done
named '$(shell%20touch%20ran)x'
run 0 convert a.gltf a.bsm --depfile a.d
truth "N4: make is not told to run a command" [ "$(grep -o '.\$(shell' a.d | sort -u)" = '$$(shell' ]
if command -v make >/dev/null; then
    printf 'a.bsm:\n\t@true\n-include a.d\n' >Makefile
    make -s a.bsm
    truth "N4: and does not run it" [ ! -e ran ]
fi
cd .. || exit 1

# S0: a primitive has as many lines or triangles as glTF 2.0, 3.7.2.1, defines, and nothing is
# written past them. A triangle is added so that the file has a mesh.
head -c 60 /dev/zero >zeros.bin
for mode in 1 2 3 4 5 6; do
    for n in 1 2 3 4 5; do
        case $mode in
        1) lines=$((n / 2)) faces=0 ;;
        2) lines=$((n < 2 ? 0 : n)) faces=0 ;;
        3) lines=$((n - 1)) faces=0 ;;
        4) lines=0 faces=$((n / 3)) ;;
        *) lines=0 faces=$((n < 3 ? 0 : n - 2)) ;;
        esac
        for indices in '' '"indices":2,'; do
            cat >s0.gltf <<END
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}},{${indices}"mode":$mode,"attributes":{"POSITION":1}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]},
{"bufferView":0,"componentType":5126,"count":$n,"type":"VEC3","min":[0,0,0],"max":[0,0,0]},
{"bufferView":0,"componentType":5125,"count":$n,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":60}],"buffers":[{"byteLength":60,"uri":"zeros.bin"}]}
END
            run 0 convert -q s0.gltf s0.obj
            truth "S0: mode $mode, $n vertices, '$indices': $lines lines, $faces triangles" \
                [ "$(grep -c '^l ' s0.obj) $(grep -c '^f ' s0.obj)" = "$lines $((faces + 1))" ]
        done
    done
done

# S1: unused vertices are valid, even if another attribute has fewer values than positions.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n' >s1.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nv 6 6 6\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\nf 1//1 2//2 3//3\nl 4 5\n' >s1b.obj
for to in bsm bga binarymesh ply stl glb obj bmd bdl bpx; do
    for from in s1 s1b; do
        run 0 convert -q $from.obj $from.$to
        run 0 convert -q --keep-vertices $from.obj $from.$to
    done
done

# V4: a copy of J3D reports invalid enumeration values. Byte 288 of the materials selects one of 32
# constant colors.
run 0 convert a.obj v4.bmd
at=$(grep -abo MAT3 v4.bmd | head -1 | cut -d : -f 1)
printf '\356' | dd of=v4.bmd bs=1 seek=$((at + 288)) conv=notrunc 2>/dev/null
run 1 check v4.bmd
says out "238 is not a valid konst color selection"
run 0 convert v4.bmd v4-copy.bmd
says err "COPY-FAULTS"
run 1 convert --verify v4.bmd v4-verified.bmd
says err "238 is not a valid konst color selection"
says err "not written: the output has 1 error"
truth "a result with errors is not there" test ! -e v4-verified.bmd
# In a batch, the error is in the item's line of results and is not printed.
run 1 batch v4.bmd --out v4-verified.bmd --results v4.jsonl -- convert --verify
truth "nothing but the summary is printed" test "$(wc -l <"$work/err")" = 1
truth "the line has the error" grep -q '"severity":"error".*238 is not a valid konst color selection' v4.jsonl

# M5: endless input that is not a regular file stops at the memory limit.
(ulimit -v unlimited; "$facet" check --memory-limit 64 --time-limit 60 - </dev/zero >out 2>err)
truth "M5: endless input is status 1" [ $? = 1 ]
says err "MEMORY-LIMIT"
says err "67108864"

# One piece that is referenced very often: the output is counted before it is created, and an option
# raises the limit.
cat >often.py <<'END'
import json, struct, sys

def u8(files, data):
    """A U8 archive whose files all are `data`: 12 bytes a node, as the format has them."""
    names = b"\0" + b"".join(b"%d\0" % i for i in range(files))
    nodes, at = b"", 32 + 12 * (files + 1) + len(names)
    place = 1
    for i in range(files):
        nodes += struct.pack(">III", place, at, len(data))
        place += len(str(i)) + 1
    root = struct.pack(">III", 0x01000000, 0, files + 1)
    size = len(root + nodes + names)
    return struct.pack(">4sIII16x", b"U\xaa8-", 32, size, at) + root + nodes + names + data

def laugh(levels, names):
    """Archives in archives, each of which is named several times."""
    data = b"a text"
    for _ in range(levels):
        data = u8(names, data)
    return data

def instances(nodes, triangles):
    """A GLB of so many nodes of one mesh."""
    data = b"".join(struct.pack("<9f", i, 0, 0, i + 1, 0, 0, i, 1, 0) for i in range(triangles))
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(nodes))}],
        "nodes": [{"mesh": 0, "translation": [0, 0, i]} for i in range(nodes)],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3 * triangles, "type": "VEC3",
                       "min": [0, 0, 0], "max": [triangles, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}], "buffers": [{"byteLength": len(data)}]})
    text = text.encode() + b" " * (-len(text) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A)
    return head + text + struct.pack("<II", len(data), 0x004E4942) + data

def bck(joints, keys):
    """A BCK whose nine tracks of each joint all are the same keys of time, value, slope."""
    track = struct.pack(">HHH", keys, 0, 0)
    def padded(data):
        return data + b"\0" * (-len(data) % 32)
    table = padded(track * 9 * joints)
    scales = padded(b"".join(struct.pack(">fff", i, 1, 0) for i in range(keys)))
    turns = padded(b"".join(struct.pack(">hhh", i, 1, 0) for i in range(keys)))
    at = [0x40, 0x40 + len(table), 0x40 + len(table) + len(scales)]
    at.append(at[2] + len(turns))
    body = table + scales + turns + scales
    head = struct.pack(">4sIBbHHHHHIIII", b"ANK1", 0x40 + len(body), 0, 0, keys, joints, 3 * keys,
                       3 * keys, 3 * keys, *at)
    section = head + b"\0" * (0x40 - len(head)) + body
    return struct.pack(">8sII4s12s", b"J3D1bck1", 32 + len(section), 1, b"SVR1", b"\xff" * 12) + section

open("laugh.arc", "wb").write(laugh(8, 10))
open("shared.arc", "wb").write(u8(2000, b"x" * 1000))
open("instances.glb", "wb").write(instances(3000, 3000))
open("few.glb", "wb").write(instances(300, 300))
square = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\n"
for name, count, head in (("few.obj", 120, ""), ("cover.obj", 500, "mtllib cover.mtl\nusemtl m\n")):
    open(name, "w").write(head + "".join(
        square.replace("0\n", f"{-i / 1e6}\n") + "f -4 -3 -2 -1\n" for i in range(count)))
open("cover.mtl", "w").write("newmtl m\nKd 1 0 0\nd 0.1\n")
open("shared.bck", "wb").write(bck(500, 2000))
END
python3 often.py || exit 1
run 1 check --deep --time-limit 20 laugh.arc
says err "GROWTH-LIMIT"
truth "an archive of archives is told of once" [ "$(grep -c GROWTH-LIMIT err)" = 1 ]
run 1 extract shared.arc shared
says err "GROWTH-LIMIT"
says err "--growth-limit raises it"
truth "nothing is extracted of what is refused" [ -z "$(ls shared)" ]
run 0 extract -q --growth-limit 60 shared.arc shared
truth "and all with a higher limit" [ "$(ls shared | wc -l)" = 2001 ]
run 1 extract shared.bck shared
says err "GROWTH-LIMIT"
for kind in bsm bga binarymesh bpx bmd bdl obj ply stl; do
    run 1 convert instances.glb instances.$kind
    says err "GROWTH-LIMIT"
done
run 1 render instances.glb instances.png
says err "GROWTH-LIMIT"
truth "no output of what is refused" [ -z "$(ls instances.[!g]* 2>/dev/null)" ]
# 500 transparent squares that cover the picture took minutes.
run 1 render cover.obj --view front --size 4096x4096 cover.png
says err "RENDER-LIMIT"
says err "--growth-limit raises it"
truth "no picture" [ ! -e cover.png ]
run 1 render few.obj --view front --size 1024x1024 --samples 1 --growth-limit 1 cover.png
says err "RENDER-LIMIT"
run 0 render -q few.obj --view front --size 1024x1024 --samples 1 cover.png
run 0 convert -q instances.glb again.glb
run 0 convert -q few.glb few.stl
truth "instances within the limit are made: 84 bytes, and 50 a triangle" \
    [ "$(wc -c <few.stl)" = $((84 + 50 * 300 * 300)) ]

# P1: pack takes only files inside an untrusted folder.
mkdir -p folder/inner outside
echo secret >outside/key
echo text >folder/inner/a.txt
run 0 pack plain.arc folder
for link in key:../outside/key inner/key:../../outside/key all:../outside again:inner/a.txt; do
    ln -s "${link#*:}" "folder/${link%%:*}"
    rm -f linked.arc
    run 1 pack linked.arc folder
    says err "links, pipes and devices are not packed"
    truth "nothing is packed with the link ${link%%:*}" [ ! -e linked.arc ]
    # The same if archive.json names the target of the link.
    echo '{"archive": "rarc", "members": [{"folder": "all"}, {"file": "'"${link%%:*}"'"},
        {"file": "all/key"}]}' >folder/archive.json
    run 1 pack linked.arc folder
    truth "nor as archive.json says" [ ! -e linked.arc ]
    rm "folder/${link%%:*}" folder/archive.json
done
for path in '../outside/key' 'inner/../../outside/key' '..\\outside\\key' '/etc/passwd' 'C:\\key'; do
    printf '{"archive": "rarc", "members": [{"file": "%s"}]}' "$path" >folder/archive.json
    run 1 pack linked.arc folder
    says err "without a path below"
done
rm folder/archive.json

# V6: values in a materials file must be valid, as in a model. There are four tables.
run 0 convert -q a.obj v6.bmd
run 0 extract -q v6.bmd v6
run 0 convert -q v6.bmd --materials v6/materials.json v6-same.bmd
for table in 4 16 255; do
    sed "s/\"rasterTable\": *0/\"rasterTable\": $table/" v6/materials.json >v6.json
    run 1 convert v6.bmd --materials v6.json v6-bad.bmd
    says err "$table is no"
    truth "V6: nothing is written" [ ! -e v6-bad.bmd ]
done

# X2: a name that PLY cannot store is an error of the input.
printf 'ply\nformat ascii 1.0\nelement vertex 0\nproperty float a\001b\nend_header\n' >x2.ply
run 1 check x2.ply
says out "PLY-PROPERTY"
run 1 convert x2.ply x2.obj

# X2: a face whose corners are in one place is read, reported, and left out where a format must.
printf 'v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n' >x2.obj
run 0 check x2.obj
says out "OBJ-FACE-DEGENERATE"
run 0 convert -v x2.obj x2.bsm
says err "BSM-TRI-DEGENERATE"
run 0 convert x2.obj x2.glb
run 1 render x2.obj x2.png
says err "RENDER-EMPTY"

# V5: a ZIP is a ZIP whatever the text that is stored in it.
python3 -c '
import zipfile
with zipfile.ZipFile("v5.zip", "w", zipfile.ZIP_STORED) as archive:
    archive.writestr("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" * 20)
    archive.writestr("b.ply", "ply\n")'
run 0 info v5.zip
says out "ZIP archive"
run 0 info v5.zip/a.obj
says out "20 faces"

# A set-group-ID program does not load modules that the environment names.
if [ "$(id -u)" = 0 ] && command -v cc >/dev/null; then
    mkdir modules
    cat >module.c <<'END'
#include <fcntl.h>
__attribute__((constructor)) static void run(void) { open("ran", O_CREAT, 0600); }
END
    cc -shared -fPIC -o modules/facet-zip.so module.c
    { printf 'PK\005\006'; head -c 18 /dev/zero; } >empty.zip
    FACET_MODULE_PATH=$work/modules "$facet" info empty.zip >out 2>err
    if [ -e ran ]; then # this build has modules
        rm ran
        cp "$facet" setgid
        chgrp 1 setgid && chmod g+s setgid
        FACET_MODULE_PATH=$work/modules ./setgid info empty.zip >out 2>err
        # The copy of the program is in a folder without modules.
        says err "MODULE-ABSENT"
        truth "a program with another group's rights takes no module of the caller" [ ! -e ran ]
    fi
fi

# D1: a file that is truncated while it is read. A preloaded library truncates each file whose name
# begins with "cut" when it is mapped. Files up to 64 MiB are read, not mapped.
if command -v cc >/dev/null && [ -e /proc/self/maps ]; then
    cat >cut.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
void *mmap(void *at, size_t size, int modes, int flags, int file, off_t offset)
{
    char link[64], path[4096];
    void *bytes = (void *)syscall(SYS_mmap, at, size, modes, flags, file, offset);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = file >= 0 ? readlink(link, path, sizeof path - 1) : -1;
    path[length > 0 ? length : 0] = 0;
    char *name = strrchr(path, '/');
    if (name && strncmp(name, "/cut", 4) == 0 && truncate(path, 0) != 0)
        _exit(99);
    return bytes;
}
END
    cc -shared -fPIC -o cutter.so cut.c
    # A binary STL: 80 bytes, 0x166600 triangles of 50 bytes, all 0. Then one of 0x6600 triangles.
    { head -c 80 /dev/zero; printf '\000\146\026\000'; } >cut-large.stl
    truncate -s $((84 + 50 * 1467904)) cut-large.stl
    { head -c 80 /dev/zero; printf '\000\146\000\000'; } >cut-small.stl
    truncate -s $((84 + 50 * 26112)) cut-small.stl
    mkdir cuts
    cp --sparse=always cut-large.stl cuts/cut.stl
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >cuts/whole.obj
    cut() {
        ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=$work/cutter.so "$facet" "$@" \
            >out 2>err </dev/null
    }
    cut convert cut-large.stl cut-out.glb
    truth "D1: a file that is cut ends the program with status 3" [ $? = 3 ]
    says err "cut-large.stl: error [FILE-CHANGED]: the file became shorter"
    truth "D1: in one sentence" [ "$(wc -l <err)" = 1 ]
    truth "D1: the file was cut" [ ! -s cut-large.stl ]
    truth "D1: nothing is left" [ "$(ls -A | grep -c cut-out)" = 0 ]
    cut info cut-small.stl
    truth "D1: a small file is not mapped" [ $? = 0 ]
    truth "D1: a small file is whole" [ -s cut-small.stl ]
    cut batch --isolate --results cuts.jsonl --out 'cuts-out/{stem}.glb' cuts
    truth "D1: an item fails that may work again" [ $? = 3 ]
    truth "D1: it is the one that is cut" \
        [ "$(grep '"in":"cuts/cut.stl"' cuts.jsonl | grep '"status":"failed"' |
            grep -c '"code":"FILE-CHANGED"')" = 1 ]
    truth "D1: the other is done" [ -s cuts-out/whole.glb ]
fi

# Commands for untrusted files drop privileges first. A preloaded library tries operations at exit:
# some must fail, others must work.
if command -v cc >/dev/null && [ "$(uname)" = Linux ]; then
    cat >try.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
/* Of the program itself: what it starts must not print as well. */
static void say(const char *what, int failed)
{
    dprintf(2, "%s: %s\n", what, failed ? strerror(errno) : "done");
}
__attribute__((destructor)) static void try(void)
{
    static char name[] = "true", *const words[] = {name, NULL};
    char line[64];
    int status = open("/proc/self/status", O_RDONLY);
    if (!getenv("TRY") || getppid() != atoi(getenv("TRY")))
        return;
    dprintf(2, "status: %s\n", status < 0 ? "no" : "yes");
    say("secret", open("secret", O_RDONLY) < 0);
    say("made", open("made", O_WRONLY | O_CREAT, 0600) < 0);
    say("socket", socket(AF_INET, SOCK_STREAM, 0) < 0);
    say("program", execv("/bin/true", words));
}
END
    cc -w -shared -fPIC -o try.so try.c
    echo secret >secret
    mkdir shown picture
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >shown/a.obj
    attempt() {
        TRY=$$ ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=$work/try.so \
            "$facet" "$@" >out 2>err </dev/null
    }
    # Ask the system, not the program, if Landlock is available.
    cat >ask.c <<'END'
#define _GNU_SOURCE
#include <unistd.h>
int main(void) { return syscall(444, 0, 0, 1) < 1; } /* the version of Landlock */
END
    cc -o ask ask.c
    if ./ask; then landlock=1; else landlock=; fi
    attempt render --size 16x16 --thumbnail shown/a.obj picture/a.png
    truth "a thumbnail is made" [ -s picture/a.png ]
    if grep -q '^Seccomp:' /proc/self/status; then
        says err "socket: Operation not permitted"
        truth "a thumbnail starts no program" grep -q '^program: \(Operation not p\|P\)ermi' err
    fi
    if [ -n "$landlock" ]; then
        says err "secret: Permission denied"
        says err "made: Permission denied"
    fi
    says err "status: yes"
    # Other commands keep all privileges.
    attempt render --size 16x16 shown/a.obj picture/b.png
    says err "secret: done"
    says err "socket: done"
    # A worker of a batch.
    echo '{"in":"shown/a.obj","out":"picture/c.bsm"}' >request
    try_worker() {
        TRY=$$ ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=$work/try.so \
            "$facet" worker "$@" -- convert >out 2>err <request
    }
    try_worker --bound
    truth "a worker's item is done" [ -s picture/c.bsm ]
    if grep -q '^Seccomp:' /proc/self/status; then
        says err "socket: Operation not permitted"
        truth "a worker starts no program" grep -q '^program: \(Operation not p\|P\)ermi' err
    fi
    rm -f made
    try_worker --bound --tar
    says out '"status":"ok"'
    [ -z "$landlock" ] || says err "made: Permission denied"
fi
# Too little memory for the loader of libraries is status 3, not a missing module.
if ! sanitized; then
    for memory in $(seq 20000 3000 62000); do
        status=0
        (ulimit -v "$memory"; exec "$facet" convert -q a.obj memory.fbx) 2>err || status=$?
        truth "$memory KB of memory: status $status, expected 0 or 3" [ "$status" = 0 -o "$status" = 3 ]
    done
fi

finish
