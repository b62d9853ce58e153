#!/bin/sh
# gx.sh GX_PAGES: check that material shaders in a browser compute the same as the library. Needs
# chromium, whose WebGL 2 works without a GPU.
set -eu
command -v chromium >/dev/null || { echo "no chromium: skipped"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "${2:-1000}" >"$folder/page.html"
cp "$(dirname "$0")/gx_page.js" "$folder"
chromium --headless --no-sandbox --disable-gpu-sandbox --use-angle=swiftshader \
    --enable-unsafe-swiftshader --user-data-dir="$folder/profile" --timeout=600000 \
    --virtual-time-budget=100000000 --dump-dom "file://$folder/page.html" 2>"$folder/log" >"$folder/dom"
sed -n '/<pre/,/<\/pre>/p' "$folder/dom" | sed 's/<[^>]*>//g' | head -n 60
grep -q ' 0 beyond' "$folder/dom"
