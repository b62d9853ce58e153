# Shards that are read once: compressed, truncated, from a pipe, and resumed in the middle.
. "$(dirname "$0")/../support/cli.sh"
program=$(realpath "$facet")
facet=$program
broken=$(realpath "$(dirname "$0")/aborts.fbx")
mkdir "$work/files"
cd "$work/files" || exit 1

lines() {
    grep -cF -- "$1" "$2"
}
is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}

# 40 samples of an OBJ and its MTL, each with another color, by Python's tarfile and zipfile.
python3 - "$broken" <<'END' || { echo "python3 is not there"; exit 0; }
import io, sys, tarfile, zipfile

def add(shard, name, data):
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    shard.addfile(entry, io.BytesIO(data))

members = []
for k in range(40):
    members.append((f"d/{k:03}.mtl", b"newmtl m\nKd 1 0 0\n"))
    members.append((f"d/{k:03}.obj", b"mtllib %03d.mtl\nv 0 0 0\nv %d 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n" % (k, k + 1)))
for name, mode in (("s.tar", "w"), ("s.tar.gz", "w:gz"), ("s.tar.bz2", "w:bz2"), ("s.tar.xz", "w:xz")):
    with tarfile.open(name, mode) as shard:
        for member in members:
            add(shard, *member)
with zipfile.ZipFile("s.zip", "w", zipfile.ZIP_DEFLATED) as shard:
    for member in members:
        shard.writestr(*member)
long = "long/" + "n" * 200 + ".obj"
with tarfile.open("names.tar", "w", format=tarfile.GNU_FORMAT) as shard:
    add(shard, long, members[1][1])
with tarfile.open("pax.tar", "w", format=tarfile.PAX_FORMAT) as shard:
    add(shard, long, members[1][1])
    add(shard, "\u00e4.obj", members[3][1])
with tarfile.open("folders.tar", "w") as shard:
    for k in range(3):
        add(shard, f"{k}/model.obj", members[1][1])
        add(shard, f"{k}/000.mtl", b"newmtl m\nKd 0 0 1\n")
with tarfile.open("poison.tar", "w") as shard:
    add(shard, *members[1])
    add(shard, "d/broken.fbx", open(sys.argv[1], "rb").read())
    add(shard, *members[3])
# Names that begin like the magic numbers of other archives.
magic = [b"a.obj", b"RARC.obj", b"PK\3\4.obj", b"U\xaa8-.obj", b"\x1f\x8b.obj"]
with tarfile.open("magic.tar", "w", format=tarfile.GNU_FORMAT, encoding="latin-1") as shard:
    for name in magic:
        add(shard, name.decode("latin-1"), members[1][1])
tarfile.open("none.tar", "w").close()
tarfile.open("none.tar.gz", "w:gz").close()
with tarfile.open("linked.tar", "w") as shard:
    add(shard, *members[1])
    link = tarfile.TarInfo("d/link.obj")
    link.type, link.linkname = tarfile.SYMTYPE, "000.obj"
    shard.addfile(link)
END

# -- All kinds of shards give the same -----------------------------------------

stream() { # status, shard, name of the outputs, more
    wanted=$1
    shard=$2
    out=$3
    shift 3
    run "$wanted" batch --stream "$shard" --match '*.obj' --out '{stem}.glb' --output-tar "$out.tar" \
        --results "$out.jsonl" "$@"
}
sums() {
    python3 -c "
import hashlib, sys, tarfile
shard = tarfile.open(sys.argv[1])
print(sorted((m.name, hashlib.sha256(shard.extractfile(m).read()).hexdigest()) for m in shard))" "$1"
}
run 0 batch s.tar --match '*.obj' --out '{stem}.glb' --output-tar known.tar --results known.jsonl
right=$(sums known.tar)
for kind in tar tar.gz tar.bz2 tar.xz zip; do
    stream 0 "s.$kind" "o-$kind"
    says err "40 ok, 0 done before, 0 failed, 0 left"
    is "outputs of s.$kind" "$(sums "o-$kind.tar")" "$right"
    is "siblings of s.$kind" "$(lines "\"sides\":[{\"path\":\"s.$kind/d/000.mtl\",\"sha256\":\"" "o-$kind.jsonl")" 1
    "$facet" batch -q --stream - --match '*.obj' --out '{stem}.glb' --output-tar - \
        --results "p-$kind.jsonl" <"s.$kind" >"p-$kind.tar"
    is "status of s.$kind by a pipe" "$?" 0
    is "outputs of s.$kind by a pipe" "$(sums "p-$kind.tar")" "$right"
done
cat s.tar.gz | "$facet" batch -q --stream - --match '*.obj' --results check.jsonl -- check
is "a command without outputs" "$(lines '"status":"ok"' check.jsonl)" 40
stream 0 names.tar names-out
stream 0 pax.tar pax-out
is "names that headers do not hold" "$(lines '"status":"ok"' pax-out.jsonl)" 2
run 0 batch --stream folders.tar --match '*.obj' --samples folder --out '{dir}.glb' \
    --output-tar folders-out.tar --results folders.jsonl
is "siblings by folder" "$(lines '"sides":[{"path":"folders.tar/2/000.mtl","sha256":"' folders.jsonl)" 1
stream 0 linked.tar linked-out
says err "1 member is left out: links, and paths longer than"

stream 0 magic.tar magic-out
is "names that begin as archives do" "$(lines '"status":"ok"' magic-out.jsonl)" 5
for shard in none.tar none.tar.gz; do
    stream 2 "$shard" "out-$shard"
    says err "no items: no file matches --match"
done

# -- Shards of a stream --------------------------------------------------------

for part in 0 1 2; do
    stream 0 s.tar.gz "part-$part" --shard "$part/3"
done
is "parts together" "$(cat part-?.jsonl | lines '"status":"ok"' -)" 40

# A shard without items is done, not an error: one item in 50 shards.
one=$(printf linked.tar/d/000.obj | sha256sum | cut -c1-16)
part=$(python3 -c "print((int('$one', 16) + 1) % 50)")
stream 0 linked.tar no-part --shard "$part/50"
says err "0 ok, 0 done before, 0 failed, 0 left"

# -- Truncated shards are not done ---------------------------------------------

for size in 1000 20000 60000; do
    head -c $size s.tar >cut.tar
    stream 3 cut.tar "cut-$size"
    says err "cut short"
    says err "more items may be left"
done
head -c "$((80 * 1024))" s.tar >boundary.tar # 80 members of a header and a block each
stream 3 boundary.tar boundary-out
says err "boundary.tar:0x14000: error [AR34]: the tar ends without a block of zeros"
head -c 700 s.tar.gz >cut.tar.gz
stream 3 cut.tar.gz cut-gz
: >empty.tar
stream 3 empty.tar empty-out
says err "the shard is empty"
gzip -c empty.tar >empty.tar.gz
stream 3 empty.tar.gz empty-gz
says err "the shard is empty"
stream 3 missing.tar missing-out
# A disk that is too small for the copy of a compressed pipe is an error of the system.
head -c 60000 /dev/urandom >noise
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >noise.obj
tar -czf noise.tar.gz noise noise.obj
(
    ulimit -f 40
    "$facet" batch --stream - --match '*.obj' --out '{stem}.glb' --output-tar noise-out.tar --results noise.jsonl \
        <noise.tar.gz 2>limited
    echo $? >status
)
(cat noise.tar.gz; sleep 0.1) | (
    ulimit -f 40
    "$facet" batch --stream - --match '*.obj' --out '{stem}.glb' --output-tar noise-out2.tar --results noise2.jsonl 2>limited
    echo $? >status2
)
is "a file as standard input needs no copy" "$(cat status)" 0
is "no space for a copy" "$(cat status2)" 75
truth "its message" grep -q 'stopped: cannot write .*; run it again with --resume' limited
# Resume when the shard is complete. The ids contain the name of the shard, so it keeps its path.
head -c 20000 s.tar >late.tar
stream 3 late.tar late-out
first=$(lines '"status":"ok"' late-out.jsonl)
cp s.tar late.tar
stream 0 late.tar late-out --resume
says err "$((40 - first)) ok, $first done before"
is "outputs of both runs" "$(sums late-out.tar)" "$right"

# Ids with several escaped characters in the lines.
python3 -c "
import io, tarfile
with tarfile.open('escaped.tar', 'w') as shard:
    for name in ('a\"1.obj', 'a\\\\2.obj', 'a\t3.obj', 'a4.obj'):
        data = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        shard.addfile(entry, io.BytesIO(data))"
stream 0 escaped.tar escaped-out
stream 0 escaped.tar escaped-out --resume
says err "0 ok, 4 done before"

# -- Errors --------------------------------------------------------------------

run 2 batch - --out '{stem}.glb' --output-tar n.tar
says err "add --stream"
run 2 batch --stream s.tar --match '*.obj' --out '{stem}.glb' --results n.jsonl
says err "--stream needs an --output-tar"
run 2 batch --stream --manifest m --out '{stem}.glb' --output-tar n.tar
says err "--stream takes shards"
run 2 batch --stream s.tar --match '*.fbx' --results none.jsonl -- check
says err "no items: no file matches --match (80 files left out)"
# The items of the second shard have outputs of the first. They are left out, and the first ones are
# complete.
run 1 batch --stream s.tar s.tar.gz --match '*.obj' --out '{stem}.glb' --output-tar twice.tar \
    --results twice.jsonl
says err "s.tar.gz: a second item has the output '0"
says err "s.tar.gz: 40 items have the id or output of another and are left out"
says err "40 ok, 0 done before, 40 failed, 0 left"
is "the first outputs are written" "$(tar -tf twice.tar | wc -l)" 40
stream 2 s.tar s --resume
says err "'s.tar' is an input or output of an item"
is "a shard is not written to" "$(tar -tf s.tar | wc -l)" 80
printf 'no archive' >text
stream 3 text text

# A damaged header is reported at its own offset, as without --stream: 512 bytes of header and 512 of
# data are before the second one.
cp s.tar damaged.tar
printf 'x' | dd of=damaged.tar bs=1 seek=$((1024 + 148)) conv=notrunc status=none
run 1 check damaged.tar/d/001.obj
says err ":0x400: error [AR34]: invalid header of a member"
run 3 batch --stream damaged.tar --match '*.obj' --results damaged.jsonl -- check
says err "damaged.tar:0x400: error [AR34]: invalid header of a member"

# A path that is twice in a sample, that is, in members next to each other: the last one is valid, as
# for tar itself and without --stream.
mkdir again
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >again/a.obj
tar -cf again.tar -C again a.obj
printf 'v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\nf 3 2 1\n' >again/a.obj
tar -rf again.tar -C again a.obj
rm again/a.obj
tar -xf again.tar -C again
sum=$(sha256sum <again/a.obj | cut -d' ' -f1)
run 0 batch again.tar --match '*.obj' --results again-files.jsonl -- check
run 0 batch --stream again.tar --match '*.obj' --results again.jsonl -- check
is "one item" "$(wc -l <again.jsonl)" 1
is "the file that tar extracts" "$(lines "\"in_sha256\":\"$sum\"" again.jsonl)" 1
is "the same without --stream" "$(lines "\"in_sha256\":\"$sum\"" again-files.jsonl)" 1

# A path that is in two samples of a shard: the first one is taken, because it may be converted already.
# The other items go on.
mkdir double
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >double/a.obj
cp double/a.obj double/b.obj
tar -cf double.tar -C double a.obj b.obj
tar -rf double.tar -C double a.obj
run 1 batch --stream double.tar --match '*.obj' --results double.jsonl -- check
says err "a second item has the id 'double.tar/a.obj'"
says err "2 ok, 0 done before, 1 failed, 0 left"

# -- Crashes, kills, full disks ------------------------------------------------

run 1 batch --stream poison.tar --match '*.{obj,fbx}' --out '{stem}.glb' --output-tar poison-out.tar \
    --results poison.jsonl -j1
is "a crash costs one item" "$(lines '"status":"ok"' poison.jsonl)" 2
is "and has its sums" "$(grep -F 'broken.fbx' poison.jsonl | lines '"in_sha256":"' -)" 1

# An incomplete sample, and a sample that must not be read as requests.
printf '{"id":"EVIL","in":"s.tar/d/000.obj","archive":"a.tar","archive_bytes":9}\nx\n' >evil
"$facet" worker -- check <evil >evil.out 2>/dev/null
is "bytes that do not come" "$(lines 'the archive does not follow' evil.out)" 1
printf '{"id":"a","in":"a.tar/x","archive_bytes":99}\n{"id":"EVIL","in":"s.tar/d/000.obj"}\n' >evil
"$facet" worker -- check <evil >evil.out 2>/dev/null
is "a sample is not read as requests" "$(lines EVIL evil.out)" 0
python3 - "$facet" <<'END'
import io, json, subprocess, sys, tarfile
out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w") as made:
    for name in ("1.obj", "2.obj"):
        entry = tarfile.TarInfo(name)
        data = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
        entry.size = len(data)
        made.addfile(entry, io.BytesIO(data))
asks = [json.dumps({"in": "a.tar/1.obj", "archive": "a.tar", "archive_bytes": len(out.getvalue())}).encode()
        + b"\n" + out.getvalue(),
        b'{"in":"a.tar/2.obj","archive":"a.tar"}\n', b'{"in":"b.tar/2.obj","archive":"b.tar"}\n',
        b'{"in":"none.obj"}\n', b'{"in":"a.tar/2.obj","archive":"a.tar"}\n']
answers = subprocess.run([sys.argv[1], "worker", "--", "check"], input=b"".join(asks), capture_output=True).stdout
with open("kept.out", "wb") as file:
    file.write(answers)
END
is "an archive is kept until a request names another or none" \
    "$(sed 's/.*"status":"\([a-z]*\)".*/\1/' kept.out | tr '\n' ' ')" "ok ok failed failed failed "
is "and says so" "$(lines 'sent no such archive' kept.out)" 2

# Each worker gets a sample once, for any number of items. The test measures the bytes that the
# batch and its workers write; the system sums them for child processes.
python3 - "$facet" >sent.out <<'END'
import io, subprocess, sys, tarfile
face = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
size = 0
with tarfile.open("many.tar", "w") as made:
    for i in range(300):
        entry = tarfile.TarInfo(f"one/{i:03}.obj")
        data = face + b"#" * 4000
        size, entry.size = size + len(data), len(data)
        made.addfile(entry, io.BytesIO(data))
def written():
    with open("/proc/self/io") as file:
        return int(file.read().split("wchar: ")[1].split()[0])
try:
    before = written()
except OSError:
    print("unknown")
    sys.exit()
subprocess.run([sys.argv[1], "batch", "-q", "--stream", "many.tar", "--samples", "folder", "--results", "many.jsonl",
                "-j2", "--", "check"], check=True, stdout=subprocess.DEVNULL)
sent = written() - before
print("few" if sent < 6 * size else f"{sent} bytes of {size}")
END
case $(cat sent.out) in unknown) ;; *) is "a sample goes to each worker once" "$(cat sent.out)" few ;; esac
if ! grep -qc '__[at]san_init' "$facet"; then
    python3 -c "
import io, tarfile
face = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
with tarfile.open('big.tar', 'w') as shard:
    for name, data in (('a.obj', face), ('b.obj', b'#' * (90 << 20) + b'{\"id\":\"EVIL\"}\n' * 100000), ('c.obj', face)):
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        shard.addfile(entry, io.BytesIO(data))"
    stream 3 big.tar big-out --memory 40 -j1
    is "a large sample costs one item" "$(lines '"status":"ok"' big-out.jsonl)" 2
    is "and says why" "$(lines '"id":"big.tar/b.obj","status":"memory"' big-out.jsonl)" 1
fi

for pause in 0.02 0.05 0.1 0.2; do
    "$facet" batch -q --stream s.tar.gz --match '*.obj' --out '{stem}.glb' --output-tar kill.tar \
        --results kill.jsonl --resume -j2 >/dev/null 2>&1 &
    sleep "$pause"
    kill -9 "$!" 2>/dev/null
    wait "$!" 2>/dev/null
done
stream 0 s.tar.gz kill --resume
is "all of it after kills" "$(sums kill.tar)" "$right"
truth "no journal is left" [ ! -e kill.jsonl.begun ]

# An item during which a run ended is done last, and alone.
key=$(printf s.tar.gz/d/000.obj | sha256sum | cut -c1-16)
printf '%s 01 r\n' "$key" >suspect.jsonl.begun
: >suspect.jsonl
stream 0 s.tar.gz suspect --resume -j1
is "a suspect is the last one" "$(tail -1 suspect.jsonl | lines '"id":"s.tar.gz/d/000.obj"' -)" 1

# A silent pipe does not keep a batch from stopping.
mkfifo silent
"$facet" batch -q --stream - --match '*.obj' --out '{stem}.glb' --output-tar silent.tar \
    --results silent.jsonl <silent &
batch=$!
exec 3>silent
head -c 20000 s.tar >&3
for i in 1 2 3 4 5 6 7 8 9 10; do
    [ "$(lines '"status":"ok"' silent.jsonl 2>/dev/null)" = 9 ] && break
    sleep 0.3
done
kill "$batch"
wait "$batch"
is "stopped" "$?" 75
exec 3>&-
is "lines of a stopped batch" "$(lines '"status":"ok"' silent.jsonl)" 9
is "a tar of a stopped batch" "$(tar -tf silent.tar | wc -l)" 9

# A pipe without a writer does not either. A pipe that is opened later is read.
mkfifo lonely
"$facet" batch -q --stream lonely --match '*.obj' --results lonely.jsonl -- check &
batch=$!
until [ -e lonely.jsonl ]; do sleep 0.1; done
sleep 1
kill "$batch"
{ sleep 8; kill -9 "$batch" 2>/dev/null; } &
late=$!
wait "$batch"
is "stopped before there is a writer" "$?" 75
kill "$late"
{ sleep 1; cat s.tar >lonely; } &
run 0 batch -q --stream lonely --match '*.obj' --results written.jsonl -- check
is "items of a pipe that was opened later" "$(lines '"status":"ok"' written.jsonl)" 40
"$facet" batch --stream - --match '*.obj' --results closed.jsonl -- check <&- 2>closed
is "status without standard input" "$?" 2
is "and why" "$(lines 'standard input, which is closed' closed)" 1

if [ -e /dev/full ]; then
    run 75 batch --stream s.tar --match '*.obj' --results /dev/full -- check
fi

# A tar without any successful item can be resumed.
printf 'v 0 0 0\nf 1 2 9\n' >bad.obj
tar -cf bad.tar bad.obj
stream 1 bad.tar bad-out
stream 1 bad.tar bad-out --resume
says err "0 ok, 0 done before, 1 failed"

# -- Parts -----------------------------------------------------------------------

# 40 samples in tars of 15: 15, 15 and 10. tar and Python read the same content as from one tar.
all_sums() { # of all parts
    python3 -c "
import hashlib, sys, tarfile
print(sorted((m.name, hashlib.sha256(t.extractfile(m).read()).hexdigest())
             for p in sys.argv[1:] for t in [tarfile.open(p)] for m in t))" "$@"
}
part() { # status, prefix, more
    wanted=$1
    prefix=$2
    shift 2
    run "$wanted" batch --stream s.tar.gz --match '*.obj' --out '{stem}.glb' \
        --output-tar "$prefix-{part}.tar" --results "$prefix.jsonl" "$@"
}
part 0 fifteen --part-items 15
is "members" "$(for k in 0 1 2; do tar -tf fifteen-0000$k.tar | wc -l; done | tr '\n' ' ')" "15 15 10 "
is "all of them" "$(all_sums fifteen-*.tar)" "$right"
part 0 fifteen --part-items 15 --resume --verify
says err "0 ok, 40 done before"
part 0 lost --part-items 15
mv lost.jsonl found.jsonl
: >lost.jsonl
part 2 lost --part-items 15 --resume
says err "lost-00002.tar: "
is "parts without results are left as they are" "$(all_sums lost-*.tar)" "$right"
# Resuming writes new output tars and checks the lines of earlier ones.
awk 'NR % 3' found.jsonl >lost.jsonl
part 0 lost --part-items 2 --resume
says err "13 ok, 27 done before"
part 2 fifteen --part-items 15
says err "fifteen-00000.tar exists already"
rm fifteen-00000.tar
part 3 fifteen --part-items 15 --resume
says err "fifteen-00001.tar: exists already, and does not belong to this run"
# A GLB of 692 bytes takes 1,536 in a tar, and the end 1,024: 682 fit into a MiB.
python3 -c "
import io, tarfile
with tarfile.open('many.tar', 'w') as shard:
    for k in range(700):
        data = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
        entry = tarfile.TarInfo(f'{k:04}.obj')
        entry.size = len(data)
        shard.addfile(entry, io.BytesIO(data))"
run 0 batch many.tar --match '*.obj' --out '{stem}.glb' --output-tar 'mib-{part}.tar' --part-size 1 \
    --results mib.jsonl -q
is "all are there" "$(cat mib-*.tar | tar -tif - | wc -l)" 700
for file in mib-*.tar; do
    truth "$file is no larger" [ "$(wc -c <"$file")" -le 1048576 ]
done
is "and no more than it takes" "$(ls mib-*.tar | wc -l)" 2
for pause in 0.02 0.04 0.06 0.1; do
    "$facet" batch -q many.tar --match '*.obj' --out '{stem}.glb' --output-tar 'pk-{part}.tar' \
        --part-items 20 --results pk.jsonl --resume -j2 >/dev/null 2>&1 &
    sleep "$pause"
    kill -9 "$!" 2>/dev/null
    wait "$!" 2>/dev/null
done
run 0 batch -q many.tar --match '*.obj' --out '{stem}.glb' --output-tar 'pk-{part}.tar' --part-items 20 \
    --results pk.jsonl --resume -j2
run 0 batch many.tar --match '*.obj' --out '{stem}.glb' --output-tar 'pk-{part}.tar' --part-items 20 \
    --results pk.jsonl --resume --verify -j2
says err "0 ok, 700 done before"
is "after kills" "$(all_sums pk-*.tar)" "$(all_sums mib-*.tar)"
for wrong in "--output-tar w-{part}.tar" "--output-tar w.tar --part-size 1" \
    "--output-tar w-{part}-{part}.tar --part-size 1"; do
    run 2 batch many.tar --match '*.obj' --out '{stem}.glb' $wrong --results w.jsonl
    says err "need an --output-tar with one {part} in its name"
done

# -- Named shards -------------------------------------------------------------

# Without --shard, {shard} makes one tar for each named shard. Shards with no item are reported, and
# only an error if none has any.
mkdir named
cp s.tar named/one.x.tar
cp s.tar.gz named/two.tar.gz
echo "no model" >named/note.txt
tar -cf named/none.tar -C named note.txt
for how in "" --stream; do
    run 0 batch $how named/one.x.tar named/none.tar named/two.tar.gz --match '*.obj' --out '{stem}.bsm' \
        --output-tar "named/out$how-{shard}.tar" --results "named/$how{shard}.jsonl"
    for shard in one two; do
        is "all items of $shard ($how)" "$(tar -tf "named/out$how-$shard.tar" | wc -l)" 40
        is "lines of $shard ($how)" "$(wc -l <"named/$how$shard.jsonl")" 40
    done
    run 0 batch $how named/one.x.tar named/two.tar.gz --match '*.obj' --out '{stem}.bsm' \
        --output-tar "named/out$how-{shard}.tar" --results "named/$how{shard}.jsonl" --resume
    is "nothing is converted again ($how)" "$(wc -l <"named/${how}two.jsonl")" 40
done
run 2 batch named/one.x.tar named/two.tar.gz --match '*.fbx' --out '{stem}.bsm' --output-tar 'named/fbx-{shard}.tar'
says err "no items in any of the 2 shards"
run 2 batch named/one.x.tar s.tar named/one.x.tar --match '*.obj' --out '{stem}.bsm' --output-tar 'named/same-{shard}.tar'
says err "shards with the same {shard}"
truth "no tar of a rejected command line" [ ! -e named/same-s.tar ]
run 2 batch named/one.x.tar named/two.tar.gz --match '*.obj' --out '{stem}.bsm' \
    --output-tar 'named/out-{shard}.tar' --results named/all.jsonl --resume
says err "--results with {shard}"

# -- Memory -------------------------------------------------------------------

# Members of 1 MB that compress to almost nothing. A sample may use the memory of an item, also in
# the parent. The third sample is larger; only the ones before it become items.
python3 - <<'PY'
import io, tarfile
with tarfile.open("large.tar.gz", "w:gz") as tar:
    for i, size in enumerate([1000000, 1000000, 80000000, 1000000]):
        text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
        lines = (b"#" * 999 + b"\n") * (size // 1000)
        info = tarfile.TarInfo(f"{i}.obj")
        info.size = size
        tar.addfile(info, io.BytesIO((text + lines)[:size]))
PY
run 3 batch --stream large.tar.gz --match '*.obj' --out '{stem}.bsm' --output-tar large-out.tar --results large.jsonl \
    -j 1 -- convert --memory-limit 40
says err "[MEMORY-LIMIT]"
is "samples before the one that is too large" "$(grep -c '"ok"' large.jsonl)" 1
run 0 batch --stream large.tar.gz --match '*.obj' --out '{stem}.bsm' --output-tar large-out2.tar --results large2.jsonl -j 1
is "all samples without a limit" "$(grep -c '"ok"' large2.jsonl)" 4
if ! sanitized; then
    most=$( (ulimit -v 400000; "$facet" batch --stream large.tar.gz --match '*.obj' --out '{stem}.bsm' --output-tar large-out3.tar \
        --results large3.jsonl -q -j 1) 2>&1; grep -c '"ok"' large3.jsonl)
    is "memory of the largest sample, not of all" "$most" 4
fi

finish
