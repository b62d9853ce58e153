// Read dropped or picked files and folders, as pairs of path and bytes.

async function bytesOf(file) {
  return new Uint8Array(await file.arrayBuffer());
}

function asFile(entry) {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

async function entriesOf(folder) {
  const reader = folder.createReader(), all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all; // each call returns about a hundred entries
    all.push(...some);
  }
}

/** Read a folder recursively. Paths begin with its name. */
export async function walk(entry, prefix = "") {
  if (entry.isFile) return [[prefix + entry.name, await bytesOf(await asFile(entry))]];
  const found = [];
  for (const inside of await entriesOf(entry)) found.push(...await walk(inside, `${prefix}${entry.name}/`));
  return found;
}

/** @param {DataTransfer} transfer */
async function readDrop(transfer) {
  // Entries are invalid after the event: get all of them before the first await.
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length > 0) return (await Promise.all(entries.map((entry) => walk(entry)))).flat();
  return Promise.all(files.map(async (file) => [file.name, await bytesOf(file)]));
}

/** Listen for files that the desktop opens with the installed page. */
export function listenForLaunches(take) {
  window.launchQueue?.setConsumer(({ files }) => {
    if (files.length === 0) return; // the page was opened without files
    take(Promise.all(files.map(async (handle) => [handle.name, await bytesOf(await handle.getFile())])));
  });
}

/**
 * @param {FileList} files of a file input; files of a folder have paths
 */
export function readPicked(files) {
  return Promise.all([...files].map(async (file) => [file.webkitRelativePath || file.name, await bytesOf(file)]));
}

/** @param {(entries: Promise<[string, Uint8Array][]>) => void} take */
export function listenForDrops(take) {
  let depth = 0; // number of nested elements that the pointer is in
  const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const show = () => document.body.classList.toggle("dragging", depth > 0);
  addEventListener("dragenter", (event) => {
    depth += isFile(event) ? 1 : 0;
    show();
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    show();
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    show();
    take(readDrop(event.dataTransfer));
  });
}
