# facet view without a window: load, save, print, and errors.
. "$(dirname "$0")/../support/cli.sh"

cd "$work" || exit 1
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n' >square.obj
same() { # two files
    count=$((count + 1))
    cmp -s "$1" "$2" && return
    echo "FAILED: $1 and $2 differ"
    failures=$((failures + 1))
}

# The picture equals that of facet render, fitted and with the printed camera.
run 0 view --once --screenshot a.png --size 60x40 --mode clay,wireframe --view 20,30 square.obj
says out '"arguments":["square.obj","a.png","--size","60x40","--mode","clay,wireframe","--background","#30343aff"]'
cp out camera.json
run 0 render square.obj b.png --size 60x40 --mode clay,wireframe --background '#30343a' --view 20,30
same a.png b.png
run 0 view --once --screenshot c.png --size 60x40 --mode clay,wireframe --camera camera.json square.obj
run 0 render square.obj d.png --size 60x40 --mode clay,wireframe --background '#30343a' --camera camera.json
same c.png d.png
run 0 view --once --screenshot - --size 8x8 square.obj
count=$((count + 1))
[ "$(head -c 4 out | tail -c 3)" = PNG ] || { echo "FAILED: no PNG on standard output"; failures=$((failures + 1)); }

# A folder or archive opens the models in it, in order.
mkdir models
cp square.obj models/b.obj
printf 'v 0 0 0\nv 2 0 0\nv 2 2 0\nf 1 2 3\n' >models/a.obj
echo text >models/notes.txt
run 0 view --once --screenshot a.png --size 8x8 models
says out '"file":"models/a.obj"'
run 0 pack models.arc models
run 0 view --once --screenshot a.png --size 8x8 models.arc
says out '"file":"models.arc/a.obj"'
run 0 view --frames 2 --json --size 8x8 --compare models/a.obj square.obj
says out '"frames":2'
mkdir none
run 1 view --once --screenshot a.png none
says err 'no models in it'

# Errors.
run 2 view --once square.obj
says err 'screenshot'
run 2 view --once --frames 3 --screenshot a.png square.obj
run 2 view --once --screenshot a.png --animation walk square.obj
says err "no animation 'walk'"
run 3 view --once --screenshot a.png missing.obj
says err 'missing.obj'
head -c 20 square.obj >broken.glb
run 1 view --once --screenshot a.png broken.glb
run 3 view --once --screenshot none/there/a.png square.obj
# Without a display, one message reports it. A build without windows names the module.
status=0
env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER "$facet" view square.obj >out 2>err </dev/null || status=$?
count=$((count + 1))
if [ "$(wc -l <err)" != 1 ] || [ $status = 0 ] || ! grep -q 'display\|facet-sdl\|FACET_SDL' err; then
    echo "FAILED: without a display: status $status: $(cat err)"
    failures=$((failures + 1))
fi
finish
