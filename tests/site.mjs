// site.mjs NPM SITE [PICTURES]: run axe-core over pages of the documentation site that 'make docs'
// built. Headless Chromium shows them light and dark, with the width of a desktop and of a phone.
// Each finding is an error. A page must not scroll sideways. If PICTURES names a folder, each page
// is saved there as a picture. The search must answer the questions of QUESTIONS and of the page of
// questions.

import * as path from "node:path";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [npm, site, pictures] = process.argv.slice(2).map((name) => path.resolve(name));
const PAGES = ["index", "tutorial/first-conversion", "reference/formats/bsm", "reference/c/bsm", "reference/cli/convert",
  "reference/javascript-api", "search"];
const WIDTHS = { desktop: [1280, 900], phone: [390, 844] };

// Queries in other words than those of the pages, and a result that must be among the first three.
const QUESTIONS = {
  "how do I keep TEV materials when I edit in Blender": "how-to/edit-console-models.html#edit-a-model-and-keep-the-rest",
  "what does BSM-TRI-WINDING mean and how do I fix it": "reference/rules/bsm.html#bsm-tri-winding",
  "how do I load a GLB in C with 16-bit indices": "how-to/embed.html#load-with-16-bit-indices",
  "is my batch resumable after kill -9": "how-to/batch.html#resume-after-an-interruption",
  "LOSS-SKIN": "reference/rules/losses.html#loss-skin",
  "what is LOSS-TEXCOORDS": "reference/rules/losses.html#loss-texcoords",
  "vertex colors numpy": "reference/python.html#vertex-colors",
  "cross compile windows": "project/building.html#cross-builds",
  "size of the wasm": "how-to/web-project.html#serve-the-files",
  "cancel a conversion in the browser": "how-to/web-project.html#cancel-a-call-or-limit-its-time",
  "FBX textures missing": "how-to/convert.html#fix-a-result-that-looks-wrong",
  "keep order of triangles": "how-to/convert.html#keep-the-order-of-triangles-and-vertices",
  "how can I make a turntable": "how-to/render.html#choose-the-view",
  "which files failed in my batch": "how-to/batch.html#read-the-results",
  "FACET_ARCHIVE_DVD": "reference/c/archive.html#c.FACET_ARCHIVE_DVD",
  "facet_load_path": "reference/c/convert.html#c.facet_load_path",
};

const { chromium } = (await import(pathToFileURL(path.join(npm, "node_modules/playwright-core/index.js")))).default;
const axe = readFileSync(path.join(npm, "node_modules/axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--allow-file-access-from-files"] });
let errors = 0, views = 0;

async function look(width, colorScheme) {
  const tab = await browser.newPage({ viewport: { width: WIDTHS[width][0], height: WIDTHS[width][1] }, colorScheme });
  for (const page of PAGES) {
    const found = [];
    await tab.goto(pathToFileURL(path.join(site, `${page}.html`)).href);
    await tab.evaluate(axe);
    // The list of all pages is the same everywhere.
    const exclude = page === "index" ? [] : [".sidebar-tree"];
    const { violations } = await tab.evaluate((exclude) =>
      window.axe.run({ exclude }, { resultTypes: ["violations"] }), exclude);
    for (const { id, help, nodes } of violations)
      found.push(`${id}: ${help} (${nodes.length} elements)`, ...nodes.slice(0, 3).map((node) =>
        `    ${node.html.slice(0, 150).replaceAll("\n", " ")} ${node.any[0]?.message ?? ""}`));
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0)
      found.push(`${wide} pixels wider than the window`);
    if (pictures)
      await tab.screenshot({ path: path.join(pictures, `${page.replaceAll("/", "-")}-${colorScheme}-${width}.png`) });
    views++;
    errors += found.length;
    if (found.length)
      console.log([`${page}, ${colorScheme}, ${width}:`, ...found].join("\n  "));
  }
}

async function search() {
  const tab = await browser.newPage();
  const resultsOf = async (query) => {
    await tab.goto(`${pathToFileURL(path.join(site, "search.html"))}?q=${encodeURIComponent(query)}`);
    await tab.waitForFunction(() => /finished|did not/.test(document.querySelector(".search-summary")?.innerText));
    return tab.evaluate(() => [...document.querySelectorAll("#search-results li")].map((item) =>
      ({ link: item.querySelector("a").getAttribute("href"), text: item.innerText })));
  };
  const expect = async (query, link, place) => {
    const results = await resultsOf(query), first = results.slice(0, place).map((one) => one.link);
    const unnamed = results.filter((one) => one.text.includes("[anonymous]")).length;
    errors += !first.includes(link) + unnamed;
    if (!first.includes(link))
      console.log(`search for '${query}': ${link} is missing in ${first.join(", ")}`);
    if (unnamed)
      console.log(`search for '${query}': ${unnamed} results without a name`);
  };
  for (const [query, link] of Object.entries(QUESTIONS))
    await expect(query, link, 3);
  const answers = await tab.evaluate(() => Search._index.questions);
  for (const [question, , page, anchor] of answers)
    await expect(question, `${page}.html${anchor && `#${anchor}`}`, 3);
  const unnamed = await tab.evaluate(() => JSON.stringify(Search._index.objects).split("[anonymous]").length - 1);
  if (unnamed)
    console.log(`${unnamed} names of the search are [anonymous]`);
  errors += unnamed;
  console.log(`${Object.keys(QUESTIONS).length + answers.length} searches`);
  errors += answers.length < 40;
}

await search();
await Promise.all(Object.keys(WIDTHS).flatMap((width) => ["light", "dark"].map((scheme) => look(width, scheme))));
await browser.close();
console.log(`${views} views of the site, ${errors} lines of findings`);
process.exit(errors ? 1 : 0);
