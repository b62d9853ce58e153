
/* Search for a question. Sphinx finds only pages that contain every word of it. This adds
   - answers of the page of questions (Search._index.questions, from tools/site/build);
   - sections whose titles have most of the words;
   - pages that have most of the words, if few pages have all of them.
   A rare word counts more. tools/site/build appends this file to Sphinx's searchtools.js. */
{
  const ASKING = new Set(("a am an any at can could did do does for from get give have how i if in into is it make mean " +
    "me my need of on or should so that the there this to use want was we what when where which who why will with " +
    "work would you your").split(" "));
  let stemmer; // language_data.js, a later script, has the class
  const stemsOf = (text) => {
    stemmer ??= new Stemmer();
    return new Set(splitQuery(text.toLowerCase())
      .filter((word) => !ASKING.has(word) && !/^\d+$/.test(word)).map((word) => stemmer.stemWord(word)));
  };
  const pagesOf = (list) => list === undefined ? [] : [].concat(list);

  let candidates = null; // answers and sections, with their stems
  const findCandidates = (index) => {
    const found = index.questions.map(([question, answer, page, anchor]) => ({
      stems: stemsOf(`${question} ${answer}`), title: stemsOf(question), weight: 60,
      result: [page, question, anchor && `#${anchor}`, answer, 0, `${page}.md`] }));
    for (const [title, places] of Object.entries(index.alltitles))
      for (const [file, id] of places)
        found.push({ stems: stemsOf(`${title} ${index.titles[file]}`), title: stemsOf(title), weight: 40,
          result: [index.docnames[file], index.titles[file] === title ? title : `${index.titles[file]} > ${title}`,
            id === null ? "" : `#${id}`, null, 0, index.filenames[file]] });
    return found;
  };

  const findPages = Search.performTermsSearch;
  Search.performTermsSearch = (terms, excluded) => {
    const index = Search._index, asked = [...terms].filter((word) => !ASKING.has(word));
    const required = asked.length ? new Set(asked) : terms;
    const files = new Map([...required].map((word) =>
      [word, new Set([...pagesOf(index.terms[word]), ...pagesOf(index.titleterms[word])])]));
    const rarity = (word) => Math.log(1 + index.docnames.length / (1 + (files.get(word)?.size ?? 9)));
    const sum = (words) => words.reduce((total, word) => total + rarity(word), 0);
    const all = sum([...required]), results = findPages(required, excluded);

    candidates ??= findCandidates(index);
    for (const { stems, title, weight, result } of candidates) {
      const words = [...title], named = words.filter((word) => required.has(word)).length / words.length;
      let share = sum([...required].filter((word) => stems.has(word))) / all;
      if (named === 1 && words.length > 1) // the query has the whole title, such as the id of a rule
        share = 1;
      if (share > 0.5 && named > 0)
        results.push([...result.slice(0, 4), weight * share * share * (0.5 + named / 2), result[5]]);
    }
    if (results.length < 10 && required.size > 1)
      index.docnames.forEach((page, file) => {
        const share = sum([...required].filter((word) => files.get(word).has(file))) / all;
        if (share > 0.5)
          results.push([page, index.titles[file], "", null, Scorer.term * share, index.filenames[file]]);
      });
    return results;
  };

  // The words of a question do not name objects.
  const findObjects = Search.performObjectSearch;
  Search.performObjectSearch = (object, terms) => ASKING.has(object) ? [] : findObjects(object, terms);
}
