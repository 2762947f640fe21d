// The first page: boards to go on with, of the day, levels, the bank, a new one, a link or a file.

import * as api from "./api.js";
import { BoardView } from "./board.js";
import { GENRES, LEVELS, bank, daily, genreOf, level, levels, make, read } from "./boards.js";
import { h } from "./dom.js";
import { Game } from "./game.js";

/** @typedef {import("./boards.js").Found} Found */

/** Boards of one's own that are shown. */
const RECENT = 6;

export class Home {
  told = h("p", { class: "small", "aria-live": "polite" });
  recent = h("section", { hidden: true });
  day = h("ul", { class: "cards" });
  levelCards = h("ul", { class: "cards" });
  bankCards = h("ul", { class: "cards" });

  /**
   * @param {{store: import("./store.js").Store, words: import("./words/en.js").WORDS, go: (path: string) => void, open: (found: Found) => void}} page
   */
  constructor({ store, words, go, open }) {
    this.store = store;
    this.words = words;
    this.go = go;
    this.open = open;
    this.stop = new AbortController();
    this.element = this.build();
    this.fill();
  }

  close() {
    this.stop.abort();
  }

  build() {
    const { words } = this;
    /** @param {readonly string[]} values @param {(value: string) => string} name @param {string} usual */
    const choice = (values, name, usual) => {
      const select = h("select", {}, ...values.map((value) => h("option", { value }, name(value))));
      select.value = usual;
      return select;
    };
    const difficulty = (/** @type {string} */ name) => words.difficulties[/** @type {keyof typeof words.difficulties} */ (name)];
    const titles = { castle: "Castle Wall", slither: "Slitherlink", cave: "Cave", mashu: "Masyu" };
    const title = (/** @type {string} */ name) => titles[/** @type {keyof typeof titles} */ (name)];
    const genre = choice(GENRES, title, "castle");
    const size = choice(["6", "8", "10", "12"], (n) => `${n} × ${n}`, "8");
    const hard = choice(LEVELS, difficulty, "easy");
    const seed = h("input", { inputmode: "numeric", placeholder: words.any, pattern: "[0-9]*" });
    const start = h("button", { type: "submit", class: "first" }, words.makeButton);
    const stop = h("button", { type: "button", hidden: true, onclick: () => this.making?.abort() }, words.stop);
    const form = h("form", { class: "sheet make", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      start.disabled = true;
      stop.hidden = false;
      const number = seed.value ? Number(seed.value) : Math.floor(Math.random() * 1e6);
      void this.make({ genre: genre.value, rows: Number(size.value), cols: Number(size.value), difficulty: hard.value, seed: number })
        .finally(() => { start.disabled = false; stop.hidden = true; });
    } },
      h("label", {}, words.genre, genre),
      h("label", {}, words.size, size),
      h("label", {}, words.level, hard),
      h("label", {}, words.seed, seed),
      h("div", { class: "row" }, start, stop),
    );
    const text = h("textarea", { "aria-label": words.open, placeholder: "https://puzz.link/p?castle/…" });
    const link = h("form", { class: "sheet", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.read(text.value);
    } }, text, h("p", { class: "quiet small" }, words.openHint), h("button", { type: "submit" }, words.openButton));
    const bankOf = choice(GENRES, title, "castle");
    const bankAt = choice(LEVELS, difficulty, "easy");
    const show = () => void this.fillBank(bankOf.value, bankAt.value);
    bankOf.addEventListener("change", show);
    bankAt.addEventListener("change", show);
    return h("main", { class: "home" },
      h("header", {}, h("a", { class: "wordmark", href: "/" }, "castlecp"), this.themes()),
      h("p", { class: "lead" }, words.lead),
      this.told,
      this.recent,
      h("section", {}, h("h2", {}, words.daily), this.day),
      h("section", {}, h("h2", {}, words.make), form),
      h("section", {}, h("h2", {}, words.bank), h("div", { class: "make" }, h("label", {}, words.genre, bankOf), h("label", {}, words.level, bankAt)), h("p", {}), this.bankCards),
      h("section", {}, h("h2", {}, words.levels), this.levelCards),
      h("section", {}, h("h2", {}, words.open), link),
      h("section", {}, h("h2", {}, words.yours), this.files()),
    );
  }

  themes() {
    const { words, store } = this;
    const select = h("select", { "aria-label": words.theme, onchange: () => {
      store.set({ theme: select.value });
      theme(select.value);
    } }, ...Object.entries(words.themes).map(([value, name]) => h("option", { value }, name)));
    select.value = String(store.settings.theme ?? "auto");
    return h("nav", {}, select);
  }

  files() {
    const { words, store } = this;
    const input = h("input", { type: "file", accept: "application/json", "aria-label": words.import, onchange: async () => {
      const file = input.files?.[0];
      if (!file) return;
      try {
        this.say(words.imported(store.imported(await file.text())));
      } catch (error) {
        this.say(error instanceof Error ? error.message : String(error));
      }
    } });
    const save = h("button", { type: "button", onclick: () => {
      const link = h("a", { href: URL.createObjectURL(new Blob([store.exported()], { type: "application/json" })), download: "castlecp-progress.json" });
      link.click();
    } }, words.export);
    return h("div", { class: "make" }, save, h("label", {}, words.import, input));
  }

  /** @param {string} text */
  say(text) {
    this.told.textContent = text;
  }

  /** @param {() => Promise<void>} work */
  async trying(work) {
    try {
      await work();
    } catch (error) {
      if (this.stop.signal.aborted || (error instanceof DOMException && error.name === "AbortError")) return;
      this.say(error instanceof api.Offline ? this.words.offline : error instanceof Error ? error.message : String(error));
    }
  }

  fill() {
    const { words } = this;
    const mine = this.store.all().filter(({ game }) => (game?.at ?? 0) > 0).slice(0, RECENT);
    if (mine.length) {
      const cards = h("ul", { class: "cards" });
      this.recent.replaceChildren(h("h2", {}, words.continue), cards);
      this.recent.hidden = false;
      for (const { puzzle, origin } of mine) void this.card(cards, { puzzle, origin });
    }
    const today = new Date().toISOString().slice(0, 10);
    void this.trying(async () => this.card(this.day, await daily(today)));
    void this.fillBank("castle", "easy");
    void this.trying(async () => {
      for (const found of await Promise.all((await levels()).map(level))) await this.card(this.levelCards, found);
    });
  }

  /** @param {string} genre @param {string} difficulty */
  fillBank(genre, difficulty) {
    return this.trying(async () => {
      const found = await bank(genre, difficulty);
      this.bankCards.replaceChildren();
      for (const one of found) await this.card(this.bankCards, one);
    });
  }

  /** @param {HTMLElement} list @param {Found} found */
  async card(list, found) {
    const { words, store } = this;
    const { puzzle, origin } = found;
    const genre = await genreOf(puzzle.type);
    const game = new Game(puzzle, genre);
    const kept = store.get(puzzle);
    if (kept?.game) game.load(kept.game);
    const thumb = h("div", { class: "thumb" });
    thumb.append(new BoardView(game).svg);
    const state = kept?.progress.solved ? words.solved : game.at ? words.begun : "";
    const title = origin.kind === "level" ? origin.name : `${genre.title} ${puzzle.cols} × ${puzzle.rows}`;
    list.append(h("li", {}, h("a", { class: "card", href: origin.path, onclick: (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.open(found);
    } },
      thumb,
      h("h3", {}, title),
      h("p", { class: "quiet small" }, origin.kind === "level" ? `${genre.title} ${puzzle.cols} × ${puzzle.rows}` : origin.name),
      h("p", { class: "small", title: words.proofs[origin.kind] }, state ? h("span", { class: "state" }, `${state} · `) : null, origin.kind === "link" ? "" : words.proved),
    )));
  }

  /** @param {Parameters<typeof make>[0]} wish */
  make(wish) {
    this.making = new AbortController();
    this.stop.signal.addEventListener("abort", () => this.making?.abort());
    const { signal } = this.making;
    this.say(this.words.making);
    return this.trying(async () => {
      const found = await make(wish, (phase) => this.say(`${this.words.making} ${phase}`), signal);
      this.say("");
      this.open(found);
    });
  }

  /** @param {string} text */
  read(text) {
    return this.trying(async () => this.open(await read(text)));
  }
}

/** @param {string} name */
export function theme(name) {
  if (name === "light" || name === "dark") document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}
