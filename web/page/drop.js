// What was dropped, as pairs of path and bytes: files, and folders with all that is in them.

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
export async function readDrop(transfer) {
  // Entries are gone once the event is over: take them all before the first wait.
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length > 0) return (await Promise.all(entries.map((entry) => walk(entry)))).flat();
  return Promise.all(files.map(async (file) => [file.name, await bytesOf(file)]));
}
