// The state of the page, stored in its address after #.

/** @returns {string} "#model=...&mode=..." */
export function writeLink({ models, mode, layers, view, tab, clip, time, embedded, up, flat }) {
  const parts = new URLSearchParams();
  for (const model of models) parts.append("model", model);
  if (mode !== "shaded") parts.set("mode", mode);
  parts.set("show", layers.join(","));
  if (tab !== "summary") parts.set("tab", tab);
  if (clip !== null) {
    parts.set("clip", clip);
    parts.set("time", time.toFixed(3));
  }
  parts.set("view", view.join(","));
  if (up) parts.set("up", up);
  if (flat) parts.set("flat", "1");
  if (embedded) parts.set("embed", "1");
  return `#${parts.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":")}`;
}

/** The state from a link; null for missing values. */
export function readLink(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  return {
    models: parts.getAll("model"), mode: parts.get("mode"), tab: parts.get("tab"),
    layers: parts.has("show") ? parts.get("show").split(",") : null,
    view: parts.has("view") ? parts.get("view").split(",").map(Number) : null,
    clip: parts.has("clip") ? Number(parts.get("clip")) : null, time: Number(parts.get("time") ?? 0),
    embedded: parts.has("embed"), flat: parts.has("flat"),
    up: /^[xyz]$/.test(parts.get("up") ?? "") ? parts.get("up") : "",
  };
}
