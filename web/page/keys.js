// Keyboard: letters work everywhere except in fields; arrow keys work when the picture has the
// focus.

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * @param {HTMLElement} canvas
 * @param {Record<string, () => void>} actions by key
 * @param {(right: number, up: number, pan: boolean) => void} turn
 */
export function listenForKeys(canvas, actions, turn) {
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) ||
        document.querySelector("dialog[open]")) return;
    if (target.tagName === "BUTTON" && (key === " " || key === "Enter")) return;
    const arrow = target === canvas || target === document.body ? arrows[key] : undefined;
    if (arrow) turn(arrow[0], arrow[1], event.shiftKey);
    else if (actions[key.toLowerCase()]) actions[key.toLowerCase()]();
    else return;
    event.preventDefault();
  });
}
