// Dark or light theme: that of the system, until the user selects one.

const grounds = { dark: 0x191d21, light: 0xe4e8eb };

/**
 * @param {HTMLButtonElement} button changes the theme
 * @param {(background: number) => void} paint called with the background color
 */
export function followTheme(button, paint) {
  const light = matchMedia("(prefers-color-scheme: light)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch { /* storage is blocked: the choice lasts until the page closes */ }
  const theme = () => chosen ?? (light.matches ? "light" : "dark");
  const show = () => {
    document.documentElement.dataset.theme = theme();
    button.setAttribute("aria-label", theme() === "dark" ? "Light colors" : "Dark colors");
    paint(grounds[theme()] ?? grounds.dark);
  };
  light.addEventListener("change", show);
  button.addEventListener("click", () => {
    chosen = theme() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("theme", chosen);
    } catch { /* storage is blocked */ }
    show();
  });
  show();
}
