#!/bin/sh
# Archives as folders: paths into archives; replace, add and remove files; pack a folder and extract
# it.
. "$(dirname "$0")/../support/cli.sh"

# The worked example of the layout: tiny/a.txt and tiny/bck/b.bck, 352 bytes.
{
    printf 'RARC\000\000\001\140\000\000\000\040\000\000\001\000\000\000\000\100\000\000\000\100\000\000\000\000\000\000\000\000'
    printf '\000\000\000\002\000\000\000\040\000\000\000\007\000\000\000\100\000\000\000\040\000\000\000\340\000\007\001\000\000\000\000\000'
    printf 'ROOT\000\000\000\005\021\260\000\004\000\000\000\000BCK \000\000\000\020\005\006\000\003\000\000\000\004'
    printf '\000\000\051\173\021\000\000\012\000\000\000\000\000\000\000\005\000\000\000\000'
    printf '\377\377\005\006\002\000\000\020\000\000\000\001\000\000\000\020\000\000\000\000'
    printf '\377\377\000\056\002\000\000\000\000\000\000\000\000\000\000\020\000\000\000\000'
    printf '\377\377\000\270\002\000\000\002\377\377\377\377\000\000\000\020\000\000\000\000'
    printf '\000\004\050\342\021\000\000\024\000\000\000\040\000\000\000\004\000\000\000\000'
    printf '\377\377\000\056\002\000\000\000\000\000\000\001\000\000\000\020\000\000\000\000'
    printf '\377\377\000\270\002\000\000\002\000\000\000\000\000\000\000\020\000\000\000\000'
    head -c 20 /dev/zero
    printf '.\000..\000tiny\000a.txt\000bck\000b.bck\000'
    head -c 6 /dev/zero
    printf 'hello'
    head -c 27 /dev/zero
    printf 'J3D1'
    head -c 28 /dev/zero
} >"$work/tiny.arc"
truth "its size" [ "$(wc -c <"$work/tiny.arc")" = 352 ]
run 0 check --strict "$work/tiny.arc"
says out "rarc, 0 errors, 0 warnings, 0 notes"
run 0 info "$work/tiny.arc"
says out 'path "bck/b.bck", size 4, id 4'
run 0 info --json "$work/tiny.arc"
says out '{"path":"a.txt","size":5,"id":0}'

# Compress and decompress.
run 0 convert "$work/tiny.arc" "$work/tiny.szs"
truth "a name asks for Yaz0" [ "$(head -c 4 "$work/tiny.szs")" = Yaz0 ]
run 0 check --strict "$work/tiny.szs"
says out "rarc, 0 errors, 0 warnings, 0 notes"
run 0 info "$work/tiny.szs"
says out 'compression: format "Yaz0"'
run 0 convert "$work/tiny.szs" "$work/again.arc"
truth "and back" cmp "$work/tiny.arc" "$work/again.arc"
run 0 convert --compress best "$work/tiny.arc" "$work/best.arc"
run 0 convert --compress fast "$work/tiny.arc" "$work/tiny.szp"
truth "a name asks for Yay0" [ "$(head -c 4 "$work/tiny.szp")" = Yay0 ]
run 0 convert --compress none "$work/tiny.szp" "$work/plain.szs"
truth "not compressed" cmp "$work/tiny.arc" "$work/plain.szs"

# Extract to a folder, then pack the same archive again.
for name in tiny.arc tiny.szs tiny.szp best.arc; do
    rm -rf "$work/dir"
    run 0 extract "$work/$name" "$work/dir"
    truth "a file" [ "$(cat "$work/dir/a.txt")" = hello ]
    truth "a file in a folder" [ "$(cat "$work/dir/bck/b.bck")" = J3D1 ]
    run 0 pack "$work/packed-$name" "$work/dir"
    truth "$name is packed as it was" cmp "$work/$name" "$work/packed-$name"
done
# Names of one letter, with slashes after the directory: archive.json stores complete paths.
mkdir -p "$work/short/d"
printf 'x' >"$work/short/z"
printf 'y' >"$work/short/d/z"
run 0 pack "$work/short.arc" "$work/short"
for end in / //; do
    rm -rf "$work/dir"
    run 0 extract "$work/short.arc" "$work/dir$end"
    run 0 pack "$work/packed.arc" "$work/dir$end"
    truth "dir$end is packed as it was" cmp "$work/short.arc" "$work/packed.arc"
done
rm -rf "$work/dir"
run 0 extract "$work/tiny.arc" "$work/dir"
# Without archive.json, pack creates a new archive. Its root has the name of the folder.
mv "$work/dir" "$work/Tiny"
rm "$work/Tiny/archive.json"
run 0 pack "$work/new.arc" "$work/Tiny"
truth "the official layout" cmp "$work/tiny.arc" "$work/new.arc"
# Pack after a file was deleted and another was added.
rm -rf "$work/dir"
run 0 extract "$work/tiny.arc" "$work/dir"
rm "$work/dir/a.txt"
printf 'new' >"$work/dir/bck/A.bck"
run 0 pack "$work/changed.arc" "$work/dir"
says err "a.txt: left out"
says err "bck/A.bck: added"
says err "bck/A.bck: stored as 'a.bck'"
# A RARC stores names in lower case. Names that become one are not packed, whether files or folders;
# a U8 keeps both. A name with a backslash could lead out of a folder.
mkdir -p "$work/case/Sub"
printf 'a' >"$work/case/UPPER.TXT"
run 0 pack "$work/case.arc" "$work/case"
says err "UPPER.TXT: stored as 'upper.txt'"
says err "Sub: stored as 'sub'"
printf 'b' >"$work/case/upper.txt"
if [ "$(cat "$work/case/UPPER.TXT")" = a ]; then # the file system distinguishes case
    run 1 pack "$work/both.arc" "$work/case"
    says err "one name in lower case: 'UPPER.TXT' and 'upper.txt'"
    truth "nothing is written" [ ! -e "$work/both.arc" ]
    run 0 pack "$work/both.u8" "$work/case"
    run 0 extract "$work/tiny.arc" "$work/twice"
    mkdir "$work/twice/BCK"
    run 1 pack "$work/both.arc" "$work/twice"
    says err "one name in lower case"
fi
printf 'c' >"$work/dir/back\\slash"
if [ ! -d "$work/dir/back" ]; then
    run 1 pack "$work/slash.arc" "$work/dir"
    says err 'slash'
    truth "nothing is written" [ ! -e "$work/slash.arc" ]
    rm "$work/dir/back\\slash"
fi
run 2 convert "$work/tiny.arc" "$work/case.arc/x\\y.arc" --into
says err "invalid path"
run 0 convert "$work/tiny.arc" "$work/case.arc/New.arc" --into
says err "[ARCHIVE-CASE]: 'New.arc' is stored as 'new.arc'"
run 0 info "$work/changed.arc"
says out 'path "bck/a.bck", size 3'
run 0 check --strict "$work/changed.arc"

# RARC states the compression of each member, because games believe it and not the data. Yaz0 of
# "abc": magic, size, 8 bytes of 0, flags E0 (three bytes as they are), the bytes.
mkdir "$work/coded"
printf 'Yaz0\000\000\000\003\000\000\000\000\000\000\000\000\340abc' >"$work/coded/a.szs"
printf 'abc' >"$work/coded/b.txt"
run 0 pack "$work/coded.arc" "$work/coded"
run 0 check "$work/coded.arc"
says out "0 errors"
rm -rf "$work/dir"
run 0 extract "$work/coded.arc" "$work/dir"
run 0 pack "$work/again.arc" "$work/dir"
truth "packed again" cmp "$work/coded.arc" "$work/again.arc"
cp "$work/coded/b.txt" "$work/dir/a.szs"
run 0 pack "$work/again.arc" "$work/dir"
run 0 check "$work/again.arc"
# Entry 0 begins at 0x60, its flags are byte 4: 0x95, FILE, MRAM, compressed, Yaz0.
truth "the flags" test "$(od -An -tx1 -j100 -N1 "$work/coded.arc")" = " 95"
printf '\021' | dd of="$work/coded.arc" bs=1 seek=100 conv=notrunc 2>/dev/null
run 1 check "$work/coded.arc"
says out "AR22"
rm -rf "$work/dir"
run 0 extract "$work/coded.arc" "$work/dir"
run 0 pack "$work/again.arc" "$work/dir"
truth "false flags" cmp "$work/coded.arc" "$work/again.arc"

# U8: pack the folder, extract it, and pack the same bytes again.
run 0 pack "$work/tiny.u8" "$work/Tiny"
run 0 check --strict "$work/tiny.u8"
says out "u8, 0 errors"
rm -rf "$work/dir"
run 0 extract "$work/tiny.u8" "$work/dir"
run 0 pack "$work/packed.arc" "$work/dir"
truth "archive.json says u8" cmp "$work/tiny.u8" "$work/packed.arc"
run 0 pack --archive u8 --compress official "$work/tiny-u8.szs" "$work/Tiny"
run 0 check "$work/tiny-u8.szs"
says out "u8, 0 errors"

# A picture in an archive in a compressed archive.
printf '\000\000\002\000\000\000\000\000\000\000\000\000\010\000\004\000\030\040' >"$work/a.tga"
head -c 96 /dev/zero >>"$work/a.tga"
run 0 convert "$work/a.tga" "$work/a.bti"
mkdir "$work/inner" "$work/outer"
cp "$work/a.bti" "$work/inner/a.bti"
printf 'x' >"$work/inner/b.bin"
run 0 pack "$work/outer/inner.arc" "$work/inner"
printf 'y' >"$work/outer/z.bin"
run 0 pack "$work/outer.szs" "$work/outer"
cp "$work/outer.szs" "$work/first.szs"
run 0 info "$work/outer.szs/inner.arc/a.bti"
says out 'format: "IA4"'
run 0 check --deep "$work/outer.szs"
says out "outer.szs/inner.arc: rarc, 0 errors"
says out "outer.szs/inner.arc/a.bti: bti, 0 errors"
run 0 convert "$work/outer.szs/inner.arc/a.bti" "$work/a.png"
run 0 convert "$work/a.tga" "$work/b.png"
truth "the picture is the same" cmp "$work/a.png" "$work/b.png"
# A member that is replaced by itself does not change the archive. Another file changes only that
# member.
run 0 convert "$work/a.bti" "$work/outer.szs/inner.arc/a.bti"
truth "nothing has changed" cmp "$work/first.szs" "$work/outer.szs"
run 0 convert --texture-format RGBA8 "$work/a.tga" "$work/outer.szs/inner.arc/a.bti"
run 0 info "$work/outer.szs/inner.arc/a.bti"
says out 'format: "RGBA32"'
truth "still compressed" [ "$(head -c 4 "$work/outer.szs")" = Yaz0 ]
rm -rf "$work/dir"
run 0 extract "$work/outer.szs" "$work/dir"
truth "what is beside it is as it was" cmp "$work/outer/z.bin" "$work/dir/z.bin"
run 0 check --strict --deep "$work/outer.szs"
# Add a member (only with --into) and remove it.
run 3 convert "$work/a.tga" "$work/outer.szs/inner.arc/tex/new.bti"
says err "is not in"
cp "$work/tiny.arc" "$work/add.arc"
run 0 convert --into "$work/a.tga" "$work/add.arc/new.bti"
says err "'b.bck' moves from entry 4 to 5"
run 0 pack "$work/add.arc" --without new.bti
says err ARCHIVE-NUMBERS
truth "as it was" cmp "$work/tiny.arc" "$work/add.arc"
# A file of any kind: its bytes, and those of the archive without it.
printf 'any bytes \000\377' >"$work/any.bmg"
run 2 convert "$work/any.bmg" "$work/add.arc/any.bmg"
says err "'facet pack' stores any file"
run 3 pack "$work/add.arc/any.bmg" "$work/any.bmg"
says err "is not in"
run 0 pack --into "$work/add.arc/any.bmg" "$work/any.bmg"
run 0 extract "$work/add.arc" "$work/any"
truth "the bytes of the file" cmp "$work/any.bmg" "$work/any/any.bmg"
printf 'others' >"$work/other.bmg"
run 0 pack "$work/add.arc/any.bmg" "$work/other.bmg"
run 0 extract "$work/add.arc" "$work/any2"
truth "its other bytes" cmp "$work/other.bmg" "$work/any2/any.bmg"
rm -f "$work/any/any.bmg" "$work/any2/any.bmg"
for file in $(cd "$work/any" && find . -type f ! -name archive.json); do
    truth "$file is as before" cmp "$work/any/$file" "$work/any2/$file"
done
run 0 pack "$work/add.arc" --without any.bmg
truth "as before it was added" cmp "$work/tiny.arc" "$work/add.arc"
# An image with its own extension, and an archive.
run 0 convert "$work/a.tga" "$work/a.png"
run 0 pack --into "$work/add.arc/a.png" "$work/a.png"
run 0 pack --into "$work/add.arc/in.arc" "$work/tiny.arc"
run 0 extract "$work/add.arc" "$work/any3"
truth "the image" cmp "$work/a.png" "$work/any3/a.png"
truth "the archive" cmp "$work/tiny.arc" "$work/any3/in.arc"
cp "$work/tiny.arc" "$work/add.arc"
run 2 pack --into "$work/add.arc/a.bdl" "$work/a.png"
run 2 pack --into "$work/add.arc/any.bmg" "$work/any.bmg" "$work/other.bmg"
run 0 convert --into "$work/a.tga" "$work/outer.szs/inner.arc/tex/new.bti"
run 0 info "$work/outer.szs/inner.arc/tex/new.bti"
run 0 pack "$work/outer.szs" --without inner.arc/tex
run 3 info "$work/outer.szs/inner.arc/tex/new.bti"
run 0 convert "$work/a.bti" "$work/outer.szs/inner.arc/a.bti"
truth "back to the beginning" cmp "$work/first.szs" "$work/outer.szs"
# A member that is itself compressed stays compressed.
mkdir "$work/packed"
run 0 convert --compress official "$work/a.bti" "$work/packed/a.bti"
truth "compressed" [ "$(head -c 4 "$work/packed/a.bti")" = Yaz0 ]
run 0 pack "$work/packed.u8" "$work/packed"
run 0 info "$work/packed.u8/a.bti"
run 0 convert --texture-format I8 "$work/a.tga" "$work/packed.u8/a.bti"
rm -rf "$work/dir"
run 0 extract "$work/packed.u8" "$work/dir"
truth "still compressed" [ "$(head -c 4 "$work/dir/a.bti")" = Yaz0 ]
run 0 info "$work/packed.u8/a.bti"
says out 'format: "I8"'

# Member names cannot leave the folder: "a.txt" becomes "../xt", then "/.txt".
sed 's/a\.txt/..\/xt/' "$work/tiny.arc" >"$work/evil.arc"
run 1 check "$work/evil.arc"
says out AR29
rm -rf "$work/dir"
mkdir "$work/dir"
run 0 extract "$work/evil.arc" "$work/dir/deep"
truth "nothing beside the directory" [ "$(ls "$work/dir")" = deep ]
truth "under another name" [ "$(cat "$work/dir/deep/.._xt")" = hello ]
run 0 pack "$work/evil-again.arc" "$work/dir/deep"
run 1 check "$work/evil-again.arc"
says out AR29

# Nested archives: at most eight levels.
mkdir "$work/n"
printf 'x' >"$work/n/n0.arc"
path=n0.arc
for i in 1 2 3 4 5 6 7 8 9; do
    run 0 pack "$work/n$i.arc" "$work/n"
    [ "$i" = 9 ] || { rm "$work"/n/*; cp "$work/n$i.arc" "$work/n"; path=n$i.arc/$path; }
done
run 1 info "$work/$path"
says err FORMAT-UNKNOWN
run 1 info "$work/n9.arc/$path"
says err "archives are nested more than 8 deep"
run 0 check --deep "$work/n9.arc"

# ZIP, if this build reads it: an OBJ with its MTL.
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n' >"$work/a.obj"
printf 'newmtl red\nKd 1 0 0\n' >"$work/a.mtl"
if command -v zip >/dev/null; then
    (cd "$work" && mkdir m && mv a.obj a.mtl m && zip -qr m.zip m)
    if "$facet" info "$work/m.zip" >/dev/null 2>&1; then
        run 0 check --strict "$work/m.zip"
        run 0 convert "$work/m.zip/m/a.obj" "$work/a.glb"
        run 0 info "$work/a.glb"
        says out '"red"'
        run 2 convert "$work/m.zip" "$work/b.glb"
        says err "by their paths"
        run 2 convert "$work/m.zip/m/a.obj" "$work/m.zip/b.obj"
says err "read, not written"
run 2 convert "$work/m.zip" "$work/m.arc"
        says err "extract it and pack"
        rm -rf "$work/dir"
        run 0 extract "$work/m.zip" "$work/dir"
        truth "taken out" cmp "$work/m/a.obj" "$work/dir/m/a.obj"
        # A member with damaged deflated bytes gets its own JSON object, and so does each other
        # member.
        dd if=/dev/zero of="$work/zeros" bs=1000 count=9 2>/dev/null
        (cd "$work" && zip -q m.zip zeros)
        at=$(grep -abo zeros "$work/m.zip" | head -n 1 | cut -d : -f 1)
        offset=$((at + 5 + $(od -An -tu1 -j $((at - 2)) -N1 "$work/m.zip")))
        printf '\377\377\377\377' | dd of="$work/m.zip" bs=1 seek=$offset conv=notrunc 2>/dev/null
        run 1 check --json --deep "$work/m.zip"
        says out "{\"file\":\"$work/m.zip/zeros\",\"format\":null,\"errors\":1"
        says out "{\"file\":\"$work/m.zip/m/a.obj\",\"format\":\"obj\",\"errors\":0"
    fi
fi

# A batch reads items from archives but does not write into archives.
run 0 batch --progress none --out "$work/{stem}.batch.bti" "$work/packed.u8/a.bti" -- convert
truth "out of an archive" [ -s "$work/a.batch.bti" ]
run 2 batch --progress none --out "$work/packed.u8/{stem}.bti" "$work/a.tga" -- convert
says err "not in an archive"

# Wrong command lines, and paths that lead to no file.
run 2 pack "$work/a.arc"
run 2 pack "$work/a.arc" "$work/Tiny" --without b
run 2 pack "$work/a.zip" "$work/Tiny"
run 3 info "$work/a.tga/b"
says err "neither a folder nor an archive"
run 3 info "$work/tiny.arc/bck"
says err "is a folder in"
# -- Limits and messages --------------------------------------------------------

mkdir -p "$work/large"
head -c 3000000 /dev/zero >"$work/large/zeros.bin"
run 0 pack "$work/large.szs" "$work/large"
run 0 info "$work/large.szs" --memory-limit 16
run 1 info "$work/large.szs" --memory-limit 1
run 1 info "$work/large.szs/zeros.bin" --memory-limit 1
run 1 check "$work/large.szs" --memory-limit 1
run 1 extract "$work/large.szs" "$work/large-out" --memory-limit 1
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/new.obj"
run 3 convert "$work/new.obj" "$work/large.szs/new.obj"
says err "is not in"
says err "--into adds it"
run 0 convert "$work/new.obj" "$work/large.szs/new.obj" --into

# A tar that was cut: in the padding of its last file, or before its end. Each member takes 1,024
# bytes, the end 1,024 more.
mkdir "$work/cut"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/cut/a.obj"
cp "$work/cut/a.obj" "$work/cut/b.obj"
(cd "$work/cut" && tar -b 1 -cf whole.tar a.obj b.obj)
head -c 1568 "$work/cut/whole.tar" >"$work/cut/padding.tar"
head -c 2048 "$work/cut/whole.tar" >"$work/cut/end.tar"
for each in padding end; do
    run 0 extract "$work/cut/$each.tar" "$work/cut/$each"
    says err "warning [AR35]"
    run 0 convert "$work/cut/$each.tar/b.obj" "$work/cut/$each.glb"
    says err "warning [AR35]"
    run 0 batch "$work/cut/$each.tar" --match 'b.obj' --out "$work/cut/$each-{stem}.glb"
    says out '"rule":"AR35"'
    run 3 batch --stream "$work/cut/$each.tar" --match '*.obj' --out '{stem}.glb' \
        --output-tar "$work/cut/$each-out.tar"
    says err "cut short"
    run 0 check "$work/cut/$each.tar"
    truth "AR35 once" [ "$(grep -c AR35 "$work/out")" = 1 ]
    for command in info check render compare; do
        case $command in
        render) last=$work/cut/a.png ;;
        compare) last=$work/cut/a.obj ;;
        *) last= ;;
        esac
        run 0 $command "$work/cut/$each.tar/a.obj" $last
        truth "$command of a member reports that its tar is cut" grep -q "warning .AR35" "$work/out" "$work/err"
    done
# Data that is cut is an error: of a tar in the data of its first member, and of a ZIP anywhere.
head -c 530 "$work/cut/whole.tar" >"$work/cut/data.tar"
for command in info check render convert compare; do
    case $command in
    render) last=$work/cut/cut.png ;;
    convert) last=$work/cut/cut.glb ;;
    compare) last=$work/cut/a.obj ;;
    *) last= ;;
    esac
    run 1 $command "$work/cut/data.tar/a.obj" $last
    says err "[AR34]"
    truth "$command of data that is cut writes nothing" [ ! -e "$work/cut/cut.${last##*.}" ]
done
done
run 0 extract "$work/cut/whole.tar" "$work/cut/whole"
run 0 convert "$work/cut/whole.tar/b.obj" "$work/cut/whole.glb"
lacks err AR35

# A tar whose second header was overwritten with zeros: the file after it is not found, and the
# message says why. An intact tar has no such explanation.
cp "$work/cut/whole.tar" "$work/cut/hole.tar"
dd if=/dev/zero of="$work/cut/hole.tar" bs=512 seek=2 count=1 conv=notrunc status=none
run 3 check "$work/cut/hole.tar/b.obj"
says err "hole.tar/b.obj:0x600: error: 'b.obj' is not in '$work/cut/hole.tar'; the tar ends before other data: members may be missing"
run 0 batch "$work/cut/hole.tar" --match '*.obj' --results "$work/cut/hole.jsonl" -- check
says err "hole.tar:0x600: warning [AR35]: the tar ends before other data: members may be missing"
run 3 check "$work/cut/whole.tar/c.obj"
truth "an intact tar has no reason" [ "$(grep -c 'missing' "$work/err")" = 0 ]

# A name that is both a file and a folder: nothing is extracted, and the new folder is removed. An
# old one stays.
python3 -c "
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as made:
    made.writestr('a', 'file')
    made.writestr('a/b', 'file in a folder')" "$work/nested.zip"
run 1 extract "$work/nested.zip" "$work/nested"
truth "a new folder is removed" [ ! -e "$work/nested" ]
mkdir "$work/nested"
run 1 extract "$work/nested.zip" "$work/nested"
truth "an old folder stays" [ -d "$work/nested" ]

finish
