// Ranks guides above the reference of the package, unless a name of the package was typed.
const QUERY = new URLSearchParams(window.location.search).get("q") || "";
const IS_CODE = /[._]/.test(QUERY);
const GUIDE_BONUS = 60;

window.Scorer = {
  score: ([page, , , , score]) => {
    const isReference = page.startsWith("reference/");
    return isReference || IS_CODE ? score : score + GUIDE_BONUS;
  },
  // The rest are the values of Sphinx.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
