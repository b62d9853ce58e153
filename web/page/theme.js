// Dark or light: as the system has it, until somebody chooses.

const grounds = { dark: 0x191d21, light: 0xe4e8eb };

/**
 * @param {HTMLButtonElement} button changes it
 * @param {(background: number) => void} paint
 */
export function followTheme(button, paint) {
  const light = matchMedia("(prefers-color-scheme: light)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch { /* where pages may not store, a choice lasts as long as the page */ }
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
    } catch { /* as above */ }
    show();
  });
  show();
}
