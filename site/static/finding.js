// The search finds words of the glossary first, and an exercise by its number; all else is the theme's.
const theirs = Search._performSearch;
const GLOSSARY = "reference/glossary";

function parts(text) { // "He's weights" has he and weights; both spellings of initialisation are one
  return text.toLowerCase().replace(/['’]s\b/g, "").replace(/iz(?=ed?\b|es|ing|ation|er)/g, "is").match(/[\p{L}\d]+/gu) ?? [];
}

function words(query) { // those that have one of the words asked for, and the others in their sentence; the closest first
  const asked = parts(query);
  const isIn = (text) => (one) => parts(text).some((part) => part === one || (one.length > 2 && part.startsWith(one)));
  const close = ([word]) => asked.filter(isIn(word)).length - word.length / 1000;
  return WORDS
    .filter(([word, , said]) => asked.some(isIn(word)) && asked.every(isIn(`${word} ${said}`)))
    .sort((one, other) => close(other) - close(one))
    .map(([word, anchor, said]) => [GLOSSARY, word, `#${anchor}`, said, 1000, `${GLOSSARY}.md`, "title"]);
}

function exercises(query) {
  const number = query.trim().match(/^(?:exercise\s+)?(\d\d\.\d+)$/i)?.[1];
  return Object.entries(Search._index.alltitles)
    .filter(([title]) => title.startsWith(`Exercise ${number}:`))
    .flatMap(([title, places]) => places.map(([file, id]) => [
      Search._index.docnames[file], title, `#${id}`, Search._index.titles[file], 1000, Search._index.filenames[file], "title"]));
}

Search._performSearch = (query, ...more) => // the last is shown first
  [...theirs(query, ...more), ...[...words(query), ...exercises(query)].reverse()];

const parse = Search._parseQuery;
Search._parseQuery = (query) => { // "he" would be marked in each "the"
  const parsed = parse(query), marked = parsed[3];
  for (const word of marked) if (word.length < 3) marked.delete(word);
  localStorage.setItem("sphinx_highlight_terms", [...marked].join(" "));
  return parsed;
};

const summary = Search.makeSearchSummary;
Search.makeSearchSummary = (...about) => summary(...about) ?? document.createElement("p"); // of a heading without a text
