// The save dialog: a format with options, a picture, all parts as a ZIP archive, or a file of an
// archive.

import { element, offer, plural } from "./element.js";
import { zip } from "./zip-writer.js";

const $ = (id) => document.getElementById(id);

// Options of the library that a page does not need.
const notShown = new Set(["strict", "verify", "force", "json", "quiet", "verbose", "timings", "threads", "keep-vertices", "split", "allow-external",
  "no-optimize", "repair", "into", "compress"]);
const usual = ["scale", "up", "simplify", "max-vertices", "texture-format", "mips", "quantize-mesh", "compress-mesh", "ply-encoding", "stl-encoding"];
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const isModelFormat = (format) => format.needs.length > 0;

export class SaveDialog {
  #app;
  #options = null; // a promise of the library's table of formats
  #formats = [];

  /**
   * @param {object} app interface of the page
   */
  constructor(app) {
    this.#app = app;
    $("save").addEventListener("click", () => this.open());
    $("save-format").addEventListener("change", () => this.#show());
    $("save-close").addEventListener("click", () => $("save-dialog").close());
    $("save-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#act().catch((fault) => this.#say(fault.message, true));
    });
  }

  /** List the outputs for the shown file. */
  list(formats) {
    const { shown, viewer } = this.#app, { info } = shown;
    this.#formats = formats;
    const models = Boolean(shown.gltf) || isModelFormat(formats.find(({ name }) => name === info?.format) ?? { needs: [] });
    const isImage = !models && info?.format && info.counts?.images > 0 && !info.detail?.members && !info.detail?.entries;
    const some = models || isImage ? formats.filter((each) => each.read && each.write && !each.folder && isModelFormat(each) === models) : [];
    const kinds = [];
    if (models && viewer.hasPicture) kinds.push(["picture", "picture of the view (png)"]);
    if (info && !shown.fault) kinds.push(["parts", "all parts, as a ZIP archive"]);
    if (models && this.#members().length > 0) kinds.push(["member", "a file of an archive that is open"]);
    $("save-format").replaceChildren(...some.map(({ name, title }) => new Option(`${name}: ${title}`, name)), ...kinds.map(([value, text]) => new Option(text, value)));
    $("save").disabled = some.length + kinds.length === 0;
  }

  // Models in open archives.
  #members() {
    return this.#app.members.filter((path) => /\.(bmd|bdl)$/i.test(path));
  }

  async open() {
    const { shown } = this.#app;
    this.#say("");
    $("save-dialog").showModal();
    if ([...$("save-format").options].some(({ value }) => value === "glb") && $("save-format").dataset.path !== shown.path) $("save-format").value = "glb";
    $("save-format").dataset.path = shown.path;
    await this.#show();
  }

  #say(text, fault = false) {
    $("save-status").textContent = text;
    $("save-status").classList.toggle("fault", fault);
  }

  #stem() {
    return this.#app.shown.path.split("/").at(-1).replace(/\.[^.]*$/, "");
  }

  #isFormat(value) {
    return this.#formats.some(({ name }) => name === value);
  }

  #target() {
    const value = $("save-format").value;
    return value === "member" ? $("save-member").value.split(".").at(-1).toLowerCase() : value;
  }

  async #show() {
    const value = $("save-format").value, members = this.#members();
    const extension = value === "picture" ? ".png" : value === "parts" ? ".zip" : this.#formats.find(({ name }) => name === value)?.extensions?.[0] ?? "";
    $("save-name").value = `${this.#stem()}${extension}`;
    $("save-name-row").hidden = value === "member";
    $("save-member-row").hidden = value !== "member";
    if ($("save-member").options.length !== members.length || members.some((path, i) => $("save-member").options[i].value !== path))
      $("save-member").replaceChildren(...members.map((path) => new Option(path, path)));
    const options = this.#isFormat(this.#target()) ? await this.#optionsOf(this.#target()) : [];
    if (value !== $("save-format").value) return; // another one was chosen in the meantime
    const row = (option) => this.#row(option), isUsual = ({ name }) => usual.includes(name);
    const rare = options.filter((option) => !isUsual(option));
    $("save-options").replaceChildren(...options.filter(isUsual).map(row),
      ...(rare.length > 0 ? [element("details", {}, element("summary", { text: "More options" }), ...rare.map(row))] : []));
  }

  async #optionsOf(format) {
    const { client } = this.#app, isImage = !isModelFormat(this.#formats.find(({ name }) => name === format));
    this.#options ??= client.run(["--options"]).then(({ output }) => output.split("\n").filter(Boolean).map((line) => JSON.parse(line)));
    const isAnimated = this.#app.viewer.clips.length > 0;
    return (await this.#options).filter((each) => each.commands.includes("convert") && ["flag", "number", "count", "word"].includes(each.kind) &&
      !/limit/.test(each.name) && !notShown.has(each.name) && (each.formats ? each.formats.includes(format) : !isImage && !each.name.startsWith("png")) &&
      (isAnimated || !["fps", "loop", "tolerance", "angle-tolerance"].includes(each.name)))
      .filter((each, i, all) => all.findIndex(({ name }) => name === each.name) === i);
  }

  #row({ name, kind, help, words, least, most, default: usualValue }) {
    const id = `option-${name}`, text = `${help[0].toUpperCase()}${help.slice(1)}`;
    const field = kind === "flag" ? element("input", { type: "checkbox", id })
      : kind === "word" ? element("select", { id }, new Option(usualValue ? `default: ${usualValue}` : "default", ""), ...words.map((word) => new Option(word, word)))
        : element("input", { type: "number", id, step: kind === "count" ? "1" : "any", placeholder: usualValue ?? "", ...(least !== null && { min: least }), ...(most !== null && { max: most }) });
    field.dataset.option = name;
    if (name === "up" && this.#app.up) field.value = this.#app.up;
    return element("p", { className: "option" }, element("label", { htmlFor: id, text }), field);
  }

  /** Values of all fields that are not empty. */
  #chosen() {
    const chosen = {};
    for (const field of $("save-options").querySelectorAll("[data-option]")) {
      const value = field.type === "checkbox" ? field.checked : field.type === "number" ? (field.value === "" ? "" : field.valueAsNumber) : field.value;
      if (value !== "" && value !== false) chosen[camel(field.dataset.option)] = value;
    }
    return chosen;
  }

  // -- Saving ------------------------------------------------------------------------

  /**
   * Convert the shown file with its animations to a name: {files: a map of the outputs, findings}.
   */
  async convert(name, options = {}) {
    const { shown, fileAt, progress, up } = this.#app;
    const { bytes, siblings, findings } = await fileAt(shown.path)
      .convert(name, { allowExternal: true, ...(up && { up }), ...options, inputs: shown.inputs ?? [] }, undefined, { progress });
    return { files: new Map([[name, bytes], ...siblings]), findings };
  }

  async #act() {
    const value = $("save-format").value, name = $("save-name").value.replaceAll(/[\\/]/g, "_") || this.#stem();
    this.#say("Writing ...");
    const acts = { picture: () => this.#picture(name), parts: () => this.#parts(name), member: () => this.#member($("save-member").value) };
    const done = await (acts[value] ?? (() => this.#format(name)))();
    this.#app.say(done);
    this.#say(done);
    $("save-dialog").close();
  }

  #lost(findings) {
    const lost = findings.filter(({ severity }) => severity !== "note");
    return lost.length > 0 ? `; ${plural(lost.length, "warning")}: ${lost.at(-1).message}` : "";
  }

  async #format(name) {
    const { files, findings } = await this.convert(name, this.#chosen());
    if (files.size > 3) offer(`${this.#stem()}.zip`, await zip(files));
    else for (const [each, bytes] of files) offer(each, new Blob([bytes]));
    return `Saved ${[...files.keys()].join(", ")}${this.#lost(findings)}`;
  }

  async #picture(name) {
    this.#app.viewer.pixels(); // draw now, so that the canvas has the picture
    const blob = await new Promise((resolve) => $("canvas").toBlob(resolve));
    offer(name, blob);
    return `Saved ${name}`;
  }

  async #parts(name) {
    const { shown, fileAt } = this.#app, pieces = await fileAt(shown.path).extract();
    if (pieces.size === 0) throw new Error(`${shown.path} has no parts that can be extracted`);
    offer(name, await zip(pieces));
    return `Saved ${name} with ${plural(pieces.size, "file")}`;
  }

  /** Replace a file of an archive by the shown model. Returns the name and bytes of the archive. */
  async writeBack(member) {
    const { client, shown, archiveOf } = this.#app, archive = archiveOf(member), name = archive.split("/").at(-1), copy = `.facet/${name}`;
    await client.put([[copy, await client.bytes(archive)]]);
    try {
      const words = Object.entries(this.#chosen()).flatMap(([option, value]) =>
        [`--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, ...(value === true ? [] : [String(value)])]);
      const { status, errors, files } = await client.run(["convert", "-q", "--allow-external", ...words, "--", shown.path, ...(shown.inputs ?? []), `${copy}${member.slice(archive.length)}`]);
      if (status !== 0) throw new Error(errors.trim().split("\n").at(-1).replace(/^facet: /, ""));
      return { name, bytes: files.get(name) };
    } finally {
      await client.remove([copy]);
    }
  }

  async #member(member) {
    const { name, bytes } = await this.writeBack(member);
    offer(name, new Blob([bytes]));
    return `Saved ${name}: ${member} is replaced, the rest is as it was`;
  }
}
