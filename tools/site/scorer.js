/* Order of search results: explanations before lists. The other values are Sphinx's defaults. */
const BONUS = { "how-to/": 8, "tutorial/": 6, "explanation/": 3, "reference/rules/": -3, "reference/c/": -4, "project/": -4 };

Scorer = {
  score: ([page, , , , score]) => {
    const kind = Object.keys(BONUS).find((folder) => page.startsWith(folder));
    return score + (BONUS[kind] ?? 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
