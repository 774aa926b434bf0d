// What does a page of the report do when keys are pressed?
// It searches, moves through tables and pictures, and opens what its address names.
"use strict";
const root = document.body.dataset.root;
const MOST = 40;    // hits shown

// ---- what the address names is opened

// What somebody typed behind a # may be no encoding of anything.
function decoded(hash) {
  try { return decodeURIComponent(hash.slice(1)); } catch { return hash.slice(1); }
}

function reveal() {
  const found = document.getElementById(decoded(location.hash));
  if (found && found.tagName === "SUMMARY") { found.parentElement.open = true; found.focus(); }
}
addEventListener("hashchange", reveal);
reveal();

// ---- search

const dialog = document.getElementById("search"), input = dialog.querySelector("input");
const hits = document.getElementById("hits");
const told = dialog.querySelector("[role=status]");
let entries = null, chosen = 0, opener = null;

function load() {
  if (document.getElementById("searched")) return;
  const script = document.createElement("script");
  script.id = "searched";
  script.src = root + "search.js";
  script.onload = () => { entries = flat(window.SEARCHED); show(); };
  script.onerror = () => { told.textContent = "search.js is not beside this report: keep its folder whole."; };
  document.head.append(script);
}

function flat({pages, sentences}) {
  const found = [];
  for (const [kind, name, path, about, obligations] of pages) {
    found.push({kind, name, path, about, text: (name + " " + kind + " " + about).toLowerCase()});
    for (const [id, sentence] of obligations)
      found.push({kind: "obligation", name: id, path: path + "#" + id.replaceAll(" ", "_"), about: sentences[sentence],
                  text: (id + " " + sentences[sentence]).toLowerCase()});
  }
  return found;
}

// A name that is the question goes first, then names that begin with it, names that have it, and texts that have all
// its words.
function rank(entry, question, words) {
  const name = entry.name.toLowerCase();
  if (name === question) return 0;
  if (name.startsWith(question)) return 1 + (entry.kind === "obligation");
  if (name.includes(question)) return 3 + (entry.kind === "obligation");
  return words.every(word => entry.text.includes(word)) ? 5 + (entry.kind === "obligation") : 9;
}

function show() {
  if (!entries) return;     // until they are there
  const question = input.value.trim().toLowerCase(), words = question.split(/\s+/);
  const ranked = question ? entries.map(entry => [rank(entry, question, words), entry]) : [];
  const found = ranked.filter(([place]) => place < 9);
  found.sort(([a, one], [b, other]) => a - b || one.name.length - other.name.length);
  chosen = 0;
  hits.replaceChildren(...found.slice(0, MOST).map(([, entry], number) => {
    const [item, link, about] = ["li", "a", "span"].map(tag => document.createElement(tag));
    item.id = "hit-" + number; item.setAttribute("role", "option");
    link.href = root + entry.path; link.tabIndex = -1; link.textContent = entry.name;
    about.className = "soft";
    about.textContent = entry.kind + (entry.about ? ": " + entry.about.replaceAll("`", "") : "");
    item.append(link, about);
    return item;
  }));
  told.textContent = question ? found.length + " found." : "";
  choose(0);
}

function choose(number) {
  const items = [...hits.children];
  if (!items.length) { input.removeAttribute("aria-activedescendant"); return; }
  chosen = (number + items.length) % items.length;
  items.forEach((item, place) => item.setAttribute("aria-selected", place === chosen));
  input.setAttribute("aria-activedescendant", items[chosen].id);
  items[chosen].scrollIntoView({block: "nearest"});
}

function openSearch() { opener = document.activeElement; load(); dialog.showModal(); input.select(); }
dialog.addEventListener("close", () => opener && opener.focus());
dialog.addEventListener("click", event => {
  if (event.target === dialog || event.target.closest("a")) dialog.close();
});
document.getElementById("seek").addEventListener("click", openSearch);
input.addEventListener("input", show);
input.addEventListener("keydown", event => {
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter" && hits.children.length) hits.children[chosen].querySelector("a").click();
  else return;
  event.preventDefault();
});
addEventListener("keydown", event => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  event.preventDefault();
  openSearch();
});

// ---- in a table of cells and in a picture, one link is reached with Tab, and the others from it with the arrows

const linesOf = area => [...(area.tagName === "TABLE" ? area.tBodies[0].rows : [area])];
const grids = [...document.querySelectorAll("[data-arrows]")].map(area => linesOf(area)
  .map(line => [...line.querySelectorAll("a[href]")]));
const places = new Map(), steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
for (const grid of grids) {
  grid.forEach((line, row) => line.forEach((link, column) => {
    places.set(link, {grid, row, column});
    link.setAttribute("tabindex", -1);
  }));
  if (grid[0] && grid[0][0]) grid[0][0].setAttribute("tabindex", 0);
}
document.addEventListener("keydown", event => {
  const link = event.target.closest("a"), place = places.get(link), step = steps[event.key];
  if (!place || !step) return;
  event.preventDefault();
  const next = step[0] && place.grid.length > 1 ? under(link, place, step[0])
    : place.grid[place.row][place.column + step[0] + step[1]];
  if (!next) return;
  link.setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
});

// The link of the next visible line that is nearest in the column of a link.
function under(link, {grid, row}, step) {
  const middle = node => { const box = node.getBoundingClientRect(); return box.left + box.width / 2; };
  const far = node => Math.abs(middle(node) - middle(link));
  for (let at = row + step; grid[at]; at += step)
    if (grid[at].length && grid[at][0].getClientRects().length)
      return grid[at].reduce((best, each) => far(each) < far(best) ? each : best);
}

// ---- cells and pieces of a picture say what they are

const spoken = cell => decoded(cell.hash) + ": " + cell.classList[1];
for (const kind of ["mouseover", "focusin"])
  document.addEventListener(kind, event => {
    if (!(event.target instanceof Element)) return;
    const cell = event.target.closest("a.cell"), piece = event.target.closest(".bytes a");
    if (cell && !cell.title) { cell.title = spoken(cell); cell.setAttribute("aria-label", cell.title); }
    if (piece) document.getElementById("told").textContent = piece.querySelector("title").textContent;
  });

const filter = document.getElementById("filter");
if (filter) filter.addEventListener("input", () => {
  for (const line of document.querySelectorAll("tr[data-name]"))
    line.hidden = !line.dataset.name.includes(filter.value.trim());
});

// ---- in the picture of trust, what a box rests on, and what rests on it, is lit

const trust = document.querySelector("svg.trust");
if (trust) {
  const lines = [...trust.querySelectorAll("path")], boxes = [...trust.querySelectorAll("g")];
  const reached = (key, from, to) => {
    const found = new Set([key]);
    for (const each of found) for (const line of lines) if (line.dataset[from] === each) found.add(line.dataset[to]);
    return found;
  };
  const light = key => {
    const below = key ? reached(key, "upper", "lower") : new Set();
    const above = key ? reached(key, "lower", "upper") : new Set();
    trust.classList.toggle("lit", Boolean(key));
    for (const box of boxes) box.classList.toggle("on", below.has(box.dataset.key) || above.has(box.dataset.key));
    for (const {dataset, classList} of lines)
      classList.toggle("on", [below, above].some(side => side.has(dataset.upper) && side.has(dataset.lower)));
  };
  for (const box of boxes) {
    for (const kind of ["mouseenter", "focusin", "click"]) box.addEventListener(kind, () => light(box.dataset.key));
    for (const kind of ["mouseleave", "focusout"]) box.addEventListener(kind, () => light(""));
  }
}
