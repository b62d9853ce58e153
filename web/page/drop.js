// What was dropped or picked, as pairs of path and bytes: files, and folders with all
// that is in them.

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
    if (some.length === 0) return all; // it gives a hundred at a time
    all.push(...some);
  }
}

/** Walk a folder; paths begin with its own name. */
export async function walk(entry, prefix = "") {
  if (entry.isFile) return [[prefix + entry.name, await bytesOf(await asFile(entry))]];
  const found = [];
  for (const inside of await entriesOf(entry)) found.push(...await walk(inside, `${prefix}${entry.name}/`));
  return found;
}

/** @param {DataTransfer} transfer */
async function readDrop(transfer) {
  // Entries are gone once the event is over: take them all before the first wait.
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length > 0) return (await Promise.all(entries.map((entry) => walk(entry)))).flat();
  return Promise.all(files.map(async (file) => [file.name, await bytesOf(file)]));
}

/** What a desktop opens with the installed page, again and again. */
export function listenForLaunches(take) {
  window.launchQueue?.setConsumer(({ files }) => {
    if (files.length === 0) return; // the page alone
    take(Promise.all(files.map(async (handle) => [handle.name, await bytesOf(await handle.getFile())])));
  });
}

/** @param {FileList} files of an input, of a folder with their paths */
export function readPicked(files) {
  return Promise.all([...files].map(async (file) => [file.webkitRelativePath || file.name, await bytesOf(file)]));
}

/** @param {(entries: Promise<[string, Uint8Array][]>) => void} take */
export function listenForDrops(take) {
  let depth = 0; // of elements that the pointer entered and did not leave
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
