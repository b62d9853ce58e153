// site.mjs NPM SITE [PICTURES]: run axe-core over pages of the documentation site that 'make docs'
// built. Headless Chromium shows them light and dark, with the width of a desktop and of a phone.
// Each finding is an error. A page must not scroll sideways. If PICTURES names a folder, each page
// is saved there as a picture.

import * as path from "node:path";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [npm, site, pictures] = process.argv.slice(2).map((name) => path.resolve(name));
const PAGES = ["index", "tutorial/first-conversion", "reference/formats/bsm", "reference/c/bsm", "reference/cli/convert",
  "reference/javascript-api", "search"];
const WIDTHS = { desktop: [1280, 900], phone: [390, 844] };

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

await Promise.all(Object.keys(WIDTHS).flatMap((width) => ["light", "dark"].map((scheme) => look(width, scheme))));
await browser.close();
console.log(`${views} views of the site, ${errors} lines of findings`);
process.exit(errors ? 1 : 0);
