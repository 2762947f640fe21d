// Which page an address is, and going from one to another.

import * as api from "./api.js";
import { daily, genreOf, level, make, read } from "./boards.js";
import { h } from "./dom.js";
import { Home, theme } from "./home.js";
import { Play } from "./play.js";
import { Store } from "./store.js";
import { WORDS } from "./words/en.js";

/** @typedef {import("./boards.js").Found} Found */

const page = /** @type {HTMLElement} */ (document.getElementById("page"));

/** The browser's storage, if it may be had. */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

const notice = h("p", { class: "small", role: "status" });
const store = new Store(storage(), (problem) => {
  notice.textContent = WORDS.storage[/** @type {keyof typeof WORDS.storage} */ (problem)];
});
/** @type {{element: HTMLElement, close: () => void} | null} */
let shown = null;

/** @param {{element: HTMLElement, close: () => void}} next */
function show(next) {
  shown?.close();
  shown = next;
  page.replaceChildren(next.element, notice);
}

/** @param {string} path */
function go(path) {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  void route();
}

/** @param {Found} found */
async function open(found) {
  if (found.origin.path !== location.pathname + location.search) history.pushState(null, "", found.origin.path);
  await play(found);
}

/** @param {Found} found */
async function play({ puzzle, origin, about }) {
  const genre = await genreOf(puzzle.type);
  document.title = `${genre.title} ${puzzle.cols} × ${puzzle.rows} · castlecp`;
  show(new Play(puzzle, genre, { store, words: WORDS, origin, about, go }));
}

/** The board that an address names. @param {string} path @param {string} query @returns {Promise<Found> | null} */
function boardAt(path, query) {
  if (path === "/p" && query) return read(query.includes("/") ? query : decodeURIComponent(query));
  const parts = path.split("/").slice(1);
  if (parts[0] !== "b") return null;
  if (parts[1] === "level") return level(parts[2]);
  if (parts[1] === "daily") return daily(parts[2]);
  const [rows, cols] = (parts[2] ?? "").split("x").map(Number);
  const wish = { genre: parts[1], rows, cols, difficulty: parts[3], seed: Number(parts[4]) };
  return make(wish, () => {}, new AbortController().signal);
}

async function route() {
  const path = location.pathname;
  const query = location.search.slice(1);
  // What was played here is there without the service.
  const kept = store.all().find(({ origin }) => origin.path === path + location.search);
  if (kept && path !== "/") {
    await play(kept);
    return;
  }
  try {
    const found = await boardAt(path, query);
    if (found) {
      await play({ ...found, origin: { ...found.origin, path: path + location.search } });
      return;
    }
    home();
  } catch (error) {
    home().say(error instanceof api.Offline ? WORDS.offline : error instanceof Error ? error.message : String(error));
  }
}

function home() {
  document.title = "castlecp";
  const next = new Home({ store, words: WORDS, go, open: (found) => void open(found) });
  show(next);
  return next;
}

theme(String(store.settings.theme ?? "auto"));
store.tidy();
window.addEventListener("popstate", () => void route());
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  const text = file ? await file.text() : event.dataTransfer?.getData("text");
  if (text) await read(text).then(open, (error) => (notice.textContent = error.message));
});
void route();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
