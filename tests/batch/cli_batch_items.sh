# Selection of items, names of outputs, cost of an item, and workers.
. "$(dirname "$0")/../support/cli.sh"
program=$(realpath "$facet")
facet=$program
here=$(realpath "$(dirname "$0")")
mkdir "$work/files"
cd "$work/files" || exit 1

lines() {
    grep -cF -- "$1" "$2"
}
is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}
triangle() {
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$1"
}

# -- Patterns -----------------------------------------------------------------

mkdir m m/sub
triangle m/a.obj
triangle m/b.OBJ
triangle m/sub/d.obj
run 0 convert m/a.obj m/c.glb
run 0 batch m --match '*.{obj,glb}' --results p1.jsonl -- check
is "braces, any letter case" "$(wc -l <p1.jsonl)" 4
run 0 batch m --match '*.obj' --match '*.glb' --results p2.jsonl -- check
is "several patterns" "$(wc -l <p2.jsonl)" 4
run 0 batch m --match '{a,c}.{obj,{glb,stl}}' --results p3.jsonl -- check
is "braces in braces" "$(wc -l <p3.jsonl)" 2
run 0 batch m --match 'SUB/*' --results p4.jsonl -- check
is "a folder in a pattern" "$(wc -l <p4.jsonl)" 1
run 0 batch m --match '*.obj' --match '*.fbx' --results p5.jsonl -- check
says err "--match '*.fbx' matches nothing"
run 2 batch m --match '*.fbx' --results p6.jsonl -- check
says err "no items: no file matches --match (4 files left out)"
is "no results of nothing" "$(ls p6.jsonl 2>/dev/null)" ""
mkdir empty archives
run 2 batch empty --out '{stem}.bsm' --results p7.jsonl
says err "no items"
run 0 pack archives/m.arc m/sub
run 2 batch archives --match '*.obj' --out '{stem}.bsm' --results p8.jsonl
says err "for what is in an archive, name the archive itself"
run 2 batch m/a.obj --out 1.bsm --out 2.bsm --results p9.jsonl
says err "--out is given twice"
mkdir twins
triangle twins/a.obj
run 0 convert twins/a.obj twins/a.ply
run 2 batch twins --out 'o/{stem}.bsm' --results p11.jsonl
says err "o/a.bsm: output of item 'twins/a.obj' and output of item 'twins/a.ply'"
says err "use {name} or {id} in --out"

# A folder with textures: models are the items; pictures are items for commands on pictures.
mkdir textured
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n' >textured/a.obj
printf 'newmtl m\nmap_Kd t.png\n' >textured/a.mtl
run 0 render m/a.obj textured/t.png --size 16x16
run 0 batch textured --out 'out/{dir}/{stem}.glb' --results t1.jsonl
is "models" "$(grep -o '"in":"[^"]*"' t1.jsonl)" '"in":"textured/a.obj"'
run 0 batch textured --out '{stem}.bti' --results t2.jsonl
is "pictures" "$(grep -o '"in":"[^"]*"' t2.jsonl)" '"in":"textured/t.png"'
run 0 batch m --out 'r/{name}.png' --results t3.jsonl -- render --size 16x16
is "pictures of models" "$(lines '"status":"ok"' t3.jsonl)" 4
run 0 batch textured --results t4.jsonl -- info
is "all that can be read" "$(wc -l <t4.jsonl)" 2

# Outputs in the folder of the inputs are inputs of the next run.
mkdir self
triangle self/a.obj
run 0 batch self --out '{dir}/{stem}.glb' --results s1.jsonl
says err "self: outputs are in this folder of inputs"
run 2 batch self --out '{dir}/{stem}.glb' --results s1.jsonl --resume
says err "self: outputs are in this folder of inputs"
run 0 batch self --match '*.obj' --out '{dir}/{stem}.glb' --results s1.jsonl --resume
says err "0 ok, 1 done before"
lacks err "outputs are in" # outputs do not match
run 0 batch self --match '*.obj' --out 'other/{stem}.obj' --results s2.jsonl
lacks err "outputs are in" # they are in another folder

# Nothing is left out without a message: links to missing files, and long paths.
mkdir links
triangle links/a.obj
ln -s missing.obj links/b.obj
ln -s a.obj links/c.obj
ln -s . links/d.obj
run 1 batch links --out 'l/{stem}.bsm' --results l.jsonl
is "a link to a missing file fails" "$(grep '"id":"links/b.obj"' l.jsonl | lines '"status":"failed"' -)" 1
is "files and links to files" "$(lines '"status":"ok"' l.jsonl)" 2
triangle links/missing.obj
run 0 batch links --out 'l/{stem}.bsm' --results l.jsonl --resume
says err "2 ok, 2 done before"
python3 - <<'PY'
import os
os.mkdir("deep")
os.chdir("deep")
for i in range(25):  # 25 folders of 200 bytes: the last five are beyond 4,095 bytes
    os.mkdir("q" * 200)
    os.chdir("q" * 200)
    with open("f.obj", "w") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
PY
run 0 batch deep --results deep.jsonl -- check
is "paths that the system takes" "$(wc -l <deep.jsonl)" 20
says err "deep: 1 files or folders are left out, because their paths are longer than 4095 bytes"
python3 - <<'PY'
import io, tarfile
data = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
for form, kind in (("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)):
    with tarfile.open(f"long-{form}.tar", "w", format=kind) as tar:
        for name in ("a.obj", "/".join(["q" * 200] * 18) + "/b.obj", "/".join(["q" * 200] * 21) + "/c.obj", "../d.obj"):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
PY
for form in gnu pax; do
    run 1 batch long-$form.tar --match '*.obj' --results long-$form.jsonl -- check
    is "long paths in a tar, $form" "$(lines '"status":"ok"' long-$form.jsonl)" 2
    says err "long-$form.tar: 1 files or folders are left out"
    is "a path that leads out of a tar, $form" "$(grep '"id":"long-[a-z]*.tar/../d.obj"' long-$form.jsonl | lines '"status":"failed"' -)" 1
done

# -- Names --------------------------------------------------------------------

# The SHA-256 of "m/a.obj" begins with the digits that sha256sum prints.
sum=$(printf m/a.obj | sha256sum | cut -c1-3)
run 0 batch m/a.obj --out 'n/{sha:3}/{id:2}/{id}.bsm' --results n.jsonl
truth "parts of an id and of its sum" [ -f "n/$sum/m_/m_a.obj.bsm" ]
printf '{"id":"\303\244\303\266\303\274","in":"m/a.obj"}\n' >umlauts
run 0 batch --manifest umlauts --out 'n/{id:2}.bsm' --results n2.jsonl
truth "parts are characters" [ -f "n/$(printf '\303\244\303\266').bsm" ]
# Tables have null for a missing cell, and write integers as reals in such a column.
printf '{"id":"1","in":"m/a.obj","args":null,"bytes":32.0}\n{"id":"2","in":"m/a.obj","args":["--scale","2"],"bytes":null}\n' >table
run 0 batch --manifest table --out 'n/{id}.bsm' --results n3.jsonl
printf '{"id":"1","in":"m/a.obj","bytes":32.5}\n' >table
run 2 batch --manifest table --out 'n/{id}.bsm' --results n4.jsonl
says err "table:1: a size of at least 0 is expected in 'bytes'"
for wrong in '{id:0}' '{id:65}' '{sha}' '{sha:x}' '{id:2'; do
    run 2 batch m --out "n/$wrong.bsm"
    says err "takes {id}, {dir}"
done

# -- Cost of an item ----------------------------------------------------------

# Path operations for 100 more items: at most 8 each.
if strace -qq -e trace=none true 2>/dev/null && ! sanitized; then
    operations() {
        strace -f -qq -e trace=%file -o calls "$facet" batch "$1" --out "$1-out/{stem}.bsm" \
            --results "$1.jsonl" -q -j 1
        grep -cvE '"/(proc|sys|dev|etc|lib|usr)|getcwd|exited|resumed' calls
    }
    mkdir few more
    i=0
    while [ $i -lt 200 ]; do
        triangle more/$i.obj
        [ $i -ge 100 ] || triangle few/$i.obj
        i=$((i + 1))
    done
    each=$((($(operations more) - $(operations few)) / 100))
    truth "an item costs $each path operations, at most 8" [ $each -gt 0 ] && [ $each -le 8 ]

    # A worker process is replaced equally often for any size of the archive that it must read
    # again.
    mkdir big
    i=0
    while [ $i -lt 800 ]; do
        cp m/a.obj big/$i.obj
        i=$((i + 1))
    done
    run 0 pack big.arc big
    strace -f -qq -e trace=execve -o calls "$facet" batch big.arc --match '*.obj' --results b.jsonl \
        -q -j 1 --isolate --recycle 5 -- check
    is "each has its line" "$(wc -l <b.jsonl)" 800
    started=$(grep -c 'execve(.*worker.* = 0' calls)
    truth "$started processes for an archive, at most 16" [ "$started" -gt 0 ] && [ "$started" -le 16 ]
fi

# -- Tars as inputs -----------------------------------------------------------

mkdir -p samples/1
triangle samples/1/a.obj
printf 'mtllib b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n' >samples/1/b.obj
printf 'newmtl m\nKd 1 0 0\n' >samples/1/b.mtl
cp -r samples/1 samples/2
tar -cf one.tar -C samples 1
tar -cf two.tar -C samples 2
for how in "-j 1" "-j 2" --isolate; do
    rm -rf shards.tar shards.jsonl shards
    run 0 batch one.tar two.tar --match '*.obj' --out 'shards/{dir}/{stem}.glb' \
        --output-tar shards.tar --results shards.jsonl $how
    is "samples of two tars $how" "$(tar -tf shards.tar | sort | tr '\n' ' ')" \
        "shards/1/a.glb shards/1/b.glb shards/2/a.glb shards/2/b.glb "
    is "siblings are in the tar $how" "$(lines '"path":"one.tar/1/b.mtl"' shards.jsonl)" 1
    tar -xf shards.tar
    run 0 convert samples/1/b.obj plain.glb
    truth "as from files $how" cmp plain.glb shards/1/b.glb
    run 0 batch one.tar two.tar --match '*.obj' --out 'shards/{dir}/{stem}.glb' \
        --output-tar shards.tar --results shards.jsonl $how --resume
    says err "0 ok, 4 done before"
done
printf 'newmtl m\nKd 0 1 0\n' >samples/2/b.mtl
tar -cf two.tar -C samples 2
run 0 batch one.tar two.tar --match '*.obj' --out 'shards/{dir}/{stem}.glb' --output-tar shards.tar \
    --results shards.jsonl --resume
says err "1 ok, 3 done before"
run 0 info one.tar
says out "tar archive"
head -c 1040 one.tar >cut.tar
run 1 check cut.tar
says out "AR34"
head -c 1536 one.tar >cut.tar
run 0 check cut.tar
says out "AR35"
run 2 convert m/a.obj one.tar/1/a.obj
says err "tar archives are read, not written"

# IQM from a compressed tar, in two shards.
if "$facet" formats | grep -q '^iqm'; then
    run 0 batch samples --match '*.obj' --out '{dir}/{stem}.iqm' --results iqm.jsonl
    is "models become IQM" "$(lines '"status":"ok"' iqm.jsonl)" 4
    is "a folder has IQMs to check" "$(run 0 batch samples --match '*.iqm' --results iqm-check.jsonl \
        -- check && lines '"status":"ok"' iqm-check.jsonl)" 4
    tar -cf - samples/1/*.iqm samples/2/*.iqm | gzip >iqm.tar.gz
    for shard in 0 1; do
        run 0 batch iqm.tar.gz --match '*.iqm' --out 'iqm/{dir}/{stem}.glb' \
            --results 'iqm-{shard}.jsonl' --shard $shard/2
    done
    is "each IQM is in one shard" "$(cat iqm-0.jsonl iqm-1.jsonl | grep -o '"in":"[^"]*"' | sort -u | wc -l) \
$(cat iqm-0.jsonl iqm-1.jsonl | grep -c '"status":"ok"')" "4 4"
    run 0 convert samples/1/b.iqm plain.glb
    truth "as from the file" cmp plain.glb "$(find iqm -path '*1/b.glb')"
    head -c 200 samples/1/a.iqm >samples/1/cut.iqm
    run 1 batch samples --match '*.iqm' --results iqm-cut.jsonl -- check
    is "one that was cut fails for itself" "$(lines '"status":"ok"' iqm-cut.jsonl) \
$(lines 'IQM-SECTION-BOUNDS' iqm-cut.jsonl)" "4 1"
    rm samples/*/*.iqm
fi

# -- Crashes ------------------------------------------------------------------

# assimp ends the process that reads this file. It is a fan written by Facet with some bytes
# changed.
if "$facet" formats | grep -q '^fbx.* yes '; then
    mkdir crash
    cp "$here/aborts.fbx" crash/
    for i in 1 2 3 4 5; do
        triangle crash/$i.obj
    done
    run 1 batch crash --out 'c/{name}.glb' --results crash.jsonl -j 2
    is "a file that crashes assimp costs itself" "$(lines '"status":"ok"' crash.jsonl)" 5
    is "and has a line" "$(grep '"id":"crash/aborts.fbx"' crash.jsonl | grep -c '"in_sha256":"')" 1
    run 1 batch crash --out 'c/{name}.glb' --results crash.jsonl -j 2 --resume
    is "it is not run again" "$(wc -l <crash.jsonl)" 6
    triangle stand-in.obj
    run 0 convert stand-in.obj crash/aborts.fbx
    run 0 batch crash --out 'c/{name}.glb' --results crash.jsonl -j 2 --resume
    says err "1 ok, 5 done before"
fi

# -- Workers ------------------------------------------------------------------

# A request without a line feed is answered while the input is still open.
mkfifo requests
"$facet" worker <requests >answers 2>/dev/null &
worker=$!
exec 9>requests
printf '%s' '{"arguments":["convert","m/a.obj","w.bsm"],"requestId":7}' >&9
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s answers ] && break
    sleep 0.1
done
is "an answer without a line feed" "$(cat answers)" '{"exitCode":0,"output":"","requestId":7}'
exec 9>&-
wait $worker
is "status of a worker" $? 0
printf 'v 0 0 0\nf 1 2 9\n' >broken.obj
printf '%s' '{"arguments":["convert","broken.obj","x.bsm"]}' | "$facet" worker >answers
is "an answer names file and line" "$(lines '"output":"facet: broken.obj:2: error [OBJ-INDEX]' answers)" 1

# A pipe without a writer is refused as input, and the next request is answered.
mkfifo silent.obj
printf '%s\n' '{"in":"silent.obj","out":"x.bsm"}' '{"arguments":["convert","silent.obj","x.bsm"],"requestId":8}' \
    '{"arguments":["check","/dev/zero"],"requestId":9}' \
    '{"in":"m/a.obj","out":"x.bsm","args":["--hulls-from","silent.obj"]}' '{"in":"m/a.obj","out":"behind.bsm"}' |
    timeout 20 "$facet" worker >answers
is "pipes and devices are refused" "$(lines 'INPUT-KIND' answers)" 4
is "with status 1" "$(lines '"exitCode":1' answers)" 2
is "and what is behind them is done" "$(lines '"status":"ok"' answers)" 1

# The Python class of docs/how-to/batch.md, taken from the page. If a worker dies, the item gets a
# line, and the worker is replaced.
if python3 -c '' 2>/dev/null; then
    sed -n '/^class Facet/,/^```/p' "$here/../../docs/how-to/batch.md" | grep -v '^```' >body.py
    { echo 'import json, select, signal, subprocess'; cat body.py; cat <<'END'; } >ray.py
facet = Facet()
lines = facet({"in": ["m/a.obj"], "out": ["ray/1.bsm"]})["result"]
facet.worker.kill()
facet.worker.wait()
lines += facet({"in": ["m/a.obj"], "out": ["ray/2.bsm"]})["result"]
lines += facet({"in": ["m/a.obj", "m/b.OBJ"], "out": ["ray/3.bsm", "ray/4.bsm"]})["result"]
facet.worker.send_signal(signal.SIGSTOP)
lines.append(facet.ask({"id": "slow", "in": "m/a.obj", "out": "ray/5.bsm"}, 1))
lines += facet({"in": ["m/a.obj"], "out": ["ray/6.bsm"]})["result"]
print(*[json.loads(line)["status"] for line in lines])
facet.worker.stdin.close()
facet.worker.wait()
END
    ln -s "$facet" facet
    is "the class of the page" "$(PATH=.:$PATH python3 ray.py)" "ok crashed ok ok timeout ok"
fi

# -- make ---------------------------------------------------------------------

printf 'mtllib g.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >g.obj
: >g.mtl
printf '%%.bsm: %%.obj\n\t@"%s" convert -q --depfile $*.d $< $@\n-include $(wildcard *.d)\n' \
    "$facet" >Makefile
if command -v make >/dev/null; then
    truth "make converts" make -s g.bsm
    rm g.mtl
    sleep 0.01
    triangle g.obj
    truth "make goes on without a file that nothing names" make -s g.bsm
fi
if command -v ninja >/dev/null; then
    : >g.mtl
    printf 'mtllib g.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >g.obj
    printf 'rule facet\n  command = "%s" convert -q --depfile $out.d $in $out\n  depfile = $out.d\n  deps = gcc\nbuild n.bsm: facet g.obj\n' \
        "$facet" >build.ninja
    truth "ninja converts" sh -c 'ninja >ninja.log || { cat ninja.log; false; }'
    is "ninja knows the files" "$(ninja -t deps n.bsm | grep -c 'g.mtl\|g.obj')" 2
    rm g.mtl
    triangle g.obj
    truth "ninja goes on, too" sh -c 'ninja >ninja.log || { cat ninja.log; false; }'
fi

# -- Other columns of a manifest ------------------------------------------------

# The sum is the one that sha256sum prints.
sum=$(sha256sum <m/a.obj | cut -d' ' -f1)
large=$(printf %s "$sum" | tr a-f A-F)
wrong=$(printf %064d 0)
for how in "" --isolate; do
    rm -rf sums sums.jsonl
    printf '{"id":"1","in":"m/a.obj","out":"sums/1.bsm","sha256":"%s","uid":"a7","tags":[1,{"b":null}]}\n' "$large" >sums.m
    printf '{"id":"2","in":"m/a.obj","out":"sums/2.bsm","sha256":"%s"}\n' "$wrong" >>sums.m
    run 1 batch --manifest sums.m --results sums.jsonl $how
    is "a sum that is right" "$(lines '"status":"ok"' sums.jsonl)" 1
    is "a sum that is wrong" "$(lines '"code":"INPUT-SUM"' sums.jsonl)" 1
    is "the sum that is there" "$(lines "the SHA-256 is $sum, expected $wrong" sums.jsonl)" 1
    is "nothing is written of it" "$(ls sums)" "1.bsm"
    is "other keys" "$(lines '"columns":{"uid":"a7","tags":[1,{"b":null}]}' sums.jsonl)" 1
    run 1 batch --manifest sums.m --results sums.jsonl --resume $how
    says err "0 ok, 1 done before, 1 failed"
    # If the required sum changes, the item is checked again, even if it is done.
    sed "s/$wrong/$sum/; s/$large/$wrong/" sums.m >sums2.m
    run 1 batch --manifest sums2.m --results sums.jsonl --resume $how
    says err "1 ok, 0 done before, 1 failed"
done
# A line of results as manifest entry keeps its columns and nothing else.
grep -F '"uid"' sums.jsonl | tail -1 >again.m
run 0 batch --manifest again.m --results again.jsonl -- info
is "columns of columns" "$(lines '"columns":{"uid":"a7","tags":[1,{"b":null}]}' again.jsonl)" 1
printf '{"in":"m/a.obj","sha256":"12"}\n' >short.m
run 2 batch --manifest short.m --results short.jsonl -- info
says err "short.m:1: a SHA-256 is 64 hexadecimal digits, not '12'"

# These are two of a million numbered names in 256 folders. Their hashes were equal, so they were
# refused as one file. The inputs are missing, so that nothing is written.
printf '{"in":"no1.obj","out":"/none000/out/%s"}\n{"in":"no2.obj","out":"/none000/out/%s"}\n' \
    b8/a0389048.bsm 90/a0029072.bsm >apart.m
run 1 batch --manifest apart.m --results apart.jsonl -j1
is "two outputs are two" "$(wc -l <apart.jsonl)" 2

finish
