// Playing one board: the stage, the tools, what is said, and what is kept of it.

import { letter, BoardView } from "./board.js";
import { clock, h, tool } from "./dom.js";
import { EDGE, FACE, Game, OUTSIDE } from "./game.js";
import { Hint, KnownWay, beforeMistake } from "./hints.js";
import * as api from "./api.js";
import { Cursor, press } from "./keys.js";
import { Pointer } from "./pointer.js";
import { liars } from "./rules/slither.js";
import { NONE } from "./store.js";

/** @typedef {import("./rules/common.js").Genre} Genre */
/** @typedef {import("./rules/common.js").Puzzle} Puzzle */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./store.js").Kept} Kept */
/** @typedef {import("./hints.js").Step} Step */

const ICONS = {
  line: "M4 18h8V6h8",
  exclude: "M7 7l10 10M17 7L7 17",
  shade: "M4 4h16v16H4zM4 14L14 4M8 20L20 8",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  suppose: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01",
  keep: "M5 12l5 5L20 7",
  back: "M18 6L6 18M6 6l12 12",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.9 1.1.9 1.9h5.2c0-.8.3-1.4.9-1.9A6 6 0 0 0 12 3z",
  check: "M4 12l5 5L20 6",
  home: "M4 11l8-7 8 7v9h-6v-6h-4v6H4z",
};

/** Milliseconds between two looks at the clock. */
const TICK = 500;
/** Milliseconds after the last change until the game is written. */
const WRITE = 250;

/** A board on the page. */
export class Play {
  clock = h("span", { class: "clock" });
  said = h("div", { class: "say", "aria-live": "polite" });
  spoken = h("div", { class: "unseen", "aria-live": "assertive" });
  stage = h("div", { class: "stage", tabindex: 0, role: "application" });
  assumption = h("p");
  supposed = h("div", { class: "supposing", hidden: true }, this.assumption);
  story = h("section", { class: "story" });
  tableBox = h("div", { class: "scrolls" });
  /** @type {Record<string, HTMLButtonElement>} */
  choices = {};
  writing = 0;
  ticking = 0;
  /** Whether what is said is to stay while nothing is drawn. */
  offer = false;
  /** The testimony that was accused. @type {number | undefined} */
  accused;

  /**
   * @param {Puzzle} puzzle @param {Genre} genre
   * @param {{store: Store, words: import("./words/en.js").WORDS, origin: import("./store.js").Origin, about?: string, way?: readonly Step[], go: (path: string) => void}} page
   */
  constructor(puzzle, genre, { store, words, origin, about, way, go }) {
    this.puzzle = puzzle;
    this.genre = genre;
    this.store = store;
    this.words = words;
    this.about = about;
    this.go = go;
    this.way = way ? new KnownWay(way) : null;
    const kept = store.get(puzzle);
    /** @type {Kept} */
    this.kept = kept ?? { v: 1, puzzle, origin, progress: NONE, game: null, seen: 0 };
    if (kept && origin.kind !== "link") this.kept.origin = origin;
    this.game = new Game(puzzle, genre);
    if (this.kept.game) this.game.load(this.kept.game);
    this.view = new BoardView(this.game);
    this.cursor = new Cursor(this.game);
    /** @type {import("./pointer.js").Tool} */
    this.tool = genre.shades ? "shade" : "line";
    /** @type {Hint | null} */
    this.hint = null;
    this.degree = 0;
    this.hinted = -1;
    this.since = performance.now();
    this.finished = this.game.isWon;
    this.revealed = 0;
    this.stop = new AbortController();
    this.buttons = {
      undo: tool(words.tools.undo, ICONS.undo, () => this.after(this.game.undo())),
      redo: tool(words.tools.redo, ICONS.redo, () => this.after(this.game.redo())),
      suppose: tool(words.tools.suppose, ICONS.suppose, () => this.suppose()),
      keep: tool(words.tools.keep, ICONS.keep, () => this.after(this.game.keep())),
      back: tool(words.tools.back, ICONS.back, () => this.after(this.game.takeBack())),
      hint: tool(words.tools.hint, ICONS.hint, () => this.askHint()),
      check: tool(words.tools.check, ICONS.check, () => this.check()),
    };
    this.element = this.build();
    this.pointer = new Pointer(this.stage, this.view, {
      changed: () => this.changed(),
      tool: () => this.tool,
    });
    this.listen();
    this.refresh();
    if (this.finished) this.view.celebrate();
  }

  build() {
    const { words, puzzle, genre, kept } = this;
    const t = words.tools;
    this.clock.setAttribute("aria-label", words.timer);
    this.stage.setAttribute("aria-label", words.boardLabel(genre.title, puzzle.cols, puzzle.rows));
    this.stage.append(this.view.svg);
    const { choices } = this;
    for (const name of /** @type {const} */ (["line", "exclude", "shade"])) {
      choices[name] = tool(t[name], ICONS[name], () => this.choose(name));
    }
    const b = this.buttons;
    this.supposed.append(h("div", { class: "tools" }, b.keep, b.back));
    const side = h(
      "aside",
      { class: "side" },
      h("div", { class: "tools labels" }, ...(genre.shades ? [choices.shade, choices.line, choices.exclude] : [choices.line, choices.exclude, choices.shade])),
      h("div", { class: "tools labels" }, b.undo, b.redo, b.suppose, b.hint, b.check),
      this.supposed,
      this.said,
      this.story,
      this.more(),
    );
    return h(
      "main",
      { class: "play" },
      h(
        "header",
        { class: "bar" },
        tool(t.home, ICONS.home, () => this.go("/"), { class: "icon" }),
        h("div", { class: "title" }, h("h1", {}, `${genre.title} ${puzzle.cols} × ${puzzle.rows}`), h("div", { class: "quiet small" }, kept.origin.name)),
        this.clock,
      ),
      this.stage,
      side,
      this.spoken,
    );
  }

  more() {
    const { words } = this;
    const t = words.tools;
    /** @param {string} name @param {() => void} act */
    const plain = (name, act) => h("button", { type: "button", onclick: act }, name);
    /** @param {string} key @param {string} label @param {Record<string, string>} names @param {string} usual */
    const choice = (key, label, names, usual) => {
      const select = h("select", { onchange: () => { this.store.set({ [key]: select.value }); this.refresh(); } },
        ...Object.entries(names).map(([value, name]) => h("option", { value }, name)));
      select.value = String(this.store.settings[key] ?? usual);
      return h("label", {}, label, select);
    };
    const rules = h("details", { class: "guide" }, h("summary", {}, t.rules));
    for (const line of words.rules[/** @type {keyof typeof words.rules} */ (this.puzzle.type)] ?? []) rules.append(h("p", {}, line));
    /** @type {string[]} */
    const starts = words.starts[/** @type {keyof typeof words.starts} */ (this.puzzle.type)] ?? [];
    rules.append(h("ul", {}, ...starts.map((line) => h("li", {}, line))));
    const table = h("details", { ontoggle: () => this.showTable(table.open) }, h("summary", {}, t.table), this.tableBox);
    return h(
      "div",
      {},
      rules,
      h(
        "details",
        {},
        h("summary", {}, t.more),
        h("div", { class: "row" },
          plain(t.clear, () => this.after(this.game.clear())),
          plain(t.restart, () => this.restart()),
          plain(t.whole, () => this.pointer.whole()),
          plain(t.replay, () => this.replay()),
          plain(t.share, () => this.share()),
          plain(t.print, () => window.print()),
        ),
        choice("feedback", words.feedback, words.feedbacks, "rules"),
        choice("timer", words.timer, words.timers, "on"),
      ),
      table,
    );
  }

  listen() {
    const { signal } = this.stop;
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    this.stage.addEventListener("focus", () => this.speakCursor(), { signal });
    this.stage.addEventListener("blur", () => this.view.showCursor(null), { signal });
    document.addEventListener("visibilitychange", () => this.passTime(), { signal });
    window.addEventListener("pagehide", () => this.keep(), { signal });
    this.ticking = window.setInterval(() => this.passTime(), TICK);
  }

  /** Leave the board. */
  close() {
    this.keep();
    window.clearInterval(this.ticking);
    window.clearTimeout(this.writing);
    this.stop.abort();
    this.pointer.stop.abort();
  }

  /** Count the time that the board was looked at. */
  passTime() {
    const now = performance.now();
    const passed = now - this.since;
    this.since = now;
    // A page that slept was not played.
    if (!this.finished && passed < 5 * TICK && document.visibilityState === "visible") this.game.time += passed;
    this.clock.textContent = this.store.settings.timer === "off" ? "" : clock(this.game.time);
  }

  /** @param {import("./pointer.js").Tool} name */
  choose(name) {
    this.tool = name;
    for (const [key, button] of Object.entries(this.choices)) button.setAttribute("aria-pressed", String(key === name));
  }

  /**
   * Keys of the tools work wherever nothing is typed, those of the cursor on the board.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const at = event.target;
    if (at instanceof HTMLInputElement || at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    /** @type {(() => void) | undefined} */
    const act = command
      ? { z: () => this.after(event.shiftKey ? this.game.redo() : this.game.undo()), y: () => this.after(this.game.redo()) }[key]
      : {
          u: () => this.after(this.game.undo()),
          r: () => this.after(this.game.redo()),
          h: () => void this.askHint(),
          c: () => this.check(),
          p: () => this.suppose(),
          Escape: () => { this.stage.blur(); this.choices[this.tool].focus(); },
        }[key];
    if (act) {
      act();
    } else {
      if (command || at !== this.stage) return;
      const done = press(this.cursor, event);
      if (done === null) return;
      if (done) this.changed();
      this.view.draw();
      this.speakCursor();
    }
    event.preventDefault();
  }

  speakCursor() {
    this.view.showCursor(this.cursor);
    this.spoken.textContent = this.describe();
  }

  /** What is under the cursor, in words. */
  describe() {
    const { words, game, cursor } = this;
    const [what, index] = cursor.thing;
    const parts = [];
    if (cursor.clue >= 0) {
      const clue = this.puzzle.clues[cursor.clue];
      parts.push(words.clue(this.genre.says(clue), this.genre.met(this.puzzle, clue, game.line)));
    }
    if (what === "edge") parts.push(words.edge(game.lattice.ends(index), game.get(EDGE, index)));
    else if (what === "face") parts.push(words.face(game.lattice.faceAt(index), game.get(FACE, index)));
    else parts.push(words.vertex([cursor.y >> 1, cursor.x >> 1]));
    return parts.join(", ");
  }

  /** Something may have happened. @param {boolean} happened */
  after(happened) {
    if (happened) this.changed();
    this.view.draw();
  }

  /** Something was drawn or taken away. */
  changed() {
    this.hint = null;
    this.degree = 0;
    this.view.showHint({});
    this.view.draw();
    this.offer = false;
    this.refresh();
    window.clearTimeout(this.writing);
    this.writing = window.setTimeout(() => this.keep(), WRITE);
    if (!this.finished && this.game.isWon) this.win();
    else if (this.finished && !this.game.isWon) {
      this.finished = false;
      this.view.calm();
      this.refresh();
    }
  }

  /** Bring everything beside the line up to date. */
  refresh() {
    const { game, words, store } = this;
    this.choose(this.tool);
    this.buttons.undo.disabled = game.at === 0;
    this.buttons.redo.disabled = game.at === game.log.length;
    const line = game.line;
    const blank = game.isBlank;
    this.view.showMet(this.puzzle.clues.map((clue) => !blank && this.genre.met(this.puzzle, clue, line)));
    const shows = (store.settings.feedback ?? "rules") === "rules";
    this.view.showFaults(shows && !this.finished ? game.lastingFaults() : []);
    this.supposed.hidden = game.supposing.length === 0;
    const last = game.supposing[game.supposing.length - 1];
    if (last) {
      const first = last.first;
      const text = !first ? "" : first[0] === EDGE ? words.edge(game.lattice.ends(first[1]), first[2]) : first[0] === FACE ? words.face(game.lattice.faceAt(first[1]), first[2]) : "";
      this.assumption.textContent = words.supposing(game.supposing.length, text);
    }
    if (!this.offer) this.say();
    this.tell();
    if (this.tableBox.isConnected && this.tableBox.childElementCount) this.showTable(true);
    this.passTime();
  }

  /** @param {(Node | string)[]} parts */
  say(...parts) {
    this.said.replaceChildren(...parts.map((part) => (typeof part === "string" ? h("p", {}, part) : part)));
  }

  keep() {
    const { game, kept } = this;
    kept.game = game.save();
    kept.seen = Date.now();
    kept.progress = { ...kept.progress, seconds: Math.max(kept.progress.seconds, Math.round(game.time / 1000)) };
    this.store.put(kept);
  }

  win() {
    const { words, kept, game } = this;
    this.finished = true;
    const seconds = Math.max(1, Math.round(game.time / 1000));
    const first = !kept.progress.solved;
    kept.progress = {
      ...kept.progress,
      solved: true,
      best: kept.progress.best === null ? seconds : first ? seconds : Math.min(kept.progress.best, seconds),
    };
    this.view.showFaults([]);
    this.view.celebrate();
    this.offer = true;
    this.say(words.won(clock(game.time)), h("div", { class: "row" },
      h("button", { type: "button", class: "first", onclick: () => this.go("/") }, words.tools.again),
      h("button", { type: "button", onclick: () => this.share() }, words.tools.share),
      h("button", { type: "button", onclick: () => this.replay() }, words.tools.replay)));
    this.tell();
    this.keep();
  }

  check() {
    const { words, game, kept } = this;
    kept.progress = { ...kept.progress, checks: kept.progress.checks + 1 };
    const faults = this.finished ? [] : game.lastingFaults();
    const known = this.way?.next(game);
    this.view.showFaults(faults);
    if (game.isBlank) this.say(words.blank);
    else if (faults.length) this.say(words.faults(faults.length), ...faults.slice(0, 4).map((fault) => h("p", { class: "wrong" }, fault.sentence)));
    else if (known?.isMistake) this.showMistake(known);
    else this.say(words.right);
    this.keep();
  }

  suppose() {
    this.game.suppose();
    this.after(true);
  }

  async askHint() {
    const { words, game } = this;
    if (this.finished) return this.say(words.hintNone);
    if (this.hint && this.hinted === game.at && !this.hint.isMistake) {
      this.degree = Math.min(3, this.degree + 1);
      if (this.degree === 3) return this.doHint();
    } else {
      const hint = await this.findHint();
      if (!hint) return undefined;
      this.hint = hint;
      this.hinted = game.at;
      this.degree = 1;
      this.kept.progress = { ...this.kept.progress, hints: this.kept.progress.hints + 1 };
    }
    return this.showHint();
  }

  async findHint() {
    const { words, game } = this;
    const known = this.way?.next(game);
    if (known) return known;
    try {
      const body = { board: this.puzzle, drawn: position(game) };
      const { step } = await api.json("/hint", body, this.stop.signal);
      if (step) return new Hint(game, step);
      this.say(words.hintNone);
    } catch (error) {
      if (error instanceof api.Offline) this.say(words.hintAlone);
      else if (error instanceof Error) this.say(error.message);
    }
    return null;
  }

  showHint() {
    const { words, game, hint } = this;
    if (!hint) return;
    this.offer = true;
    if (hint.isMistake) {
      this.showMistake(hint);
      return;
    }
    this.view.showHint(hint.reason(game), this.degree > 1 ? hint.toDraw(game) : {});
    const next = this.degree > 1 ? words.hintDo : words.hintMore;
    this.say(
      this.degree > 1 ? hint.step.sentence : words.hintWhere,
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => void this.askHint() }, next)),
    );
  }

  /** @param {Hint} hint */
  showMistake(hint) {
    const { words, game } = this;
    this.view.showHint({}, hint.toDraw(game));
    this.view.showFaults([hint.reason(game)]);
    this.offer = true;
    this.say(words.hintMistake, h("p", { class: "wrong" }, hint.step.sentence), h("div", { class: "row" },
      h("button", { type: "button", onclick: () => { game.goTo(beforeMistake(game, hint)); this.after(true); } }, words.hintBefore)));
  }

  doHint() {
    if (!this.hint) return;
    const { changes } = this.hint;
    this.after(this.game.stroke(changes));
  }

  restart() {
    const { words, game } = this;
    if (!window.confirm(words.askRestart)) return;
    const saved = game.save();
    const time = game.time;
    game.load({ v: 1, at: 0, time: 0, log: [] });
    this.after(true);
    this.offer = true;
    this.say(words.restarted, h("button", { type: "button", onclick: () => { game.load(saved); game.time = time; this.after(true); } }, words.takeBack));
  }

  /** Draw the strokes once more as they were drawn, a long wait as a short one. */
  replay() {
    const { game } = this;
    const end = game.at;
    const finished = this.finished;
    this.finished = true;
    this.view.calm();
    game.goTo(0);
    this.view.paint();
    const step = () => {
      if (this.stop.signal.aborted) return;
      if (game.at >= end) {
        this.finished = finished;
        if (finished) this.view.celebrate();
        this.refresh();
        return;
      }
      const wait = game.at ? Math.min(400, (game.log[game.at].time - game.log[game.at - 1].time) / 6) : 300;
      window.setTimeout(() => {
        game.redo();
        this.view.paint();
        step();
      }, Math.max(30, wait));
    };
    step();
  }

  async share() {
    const { words, kept } = this;
    const what = `${this.genre.title} ${this.puzzle.cols} × ${this.puzzle.rows}`;
    const best = kept.progress.best;
    const link = new URL(kept.origin.path, location.href).href;
    const text = best === null ? `${what}\n${link}` : `${words.share(what, clock(best * 1000), kept.progress.hints)}\n${link}`;
    try {
      if (navigator.share) await navigator.share({ text });
      else {
        await navigator.clipboard.writeText(text);
        this.say(words.copied, h("p", { class: "quiet small" }, text));
      }
    } catch {
      this.say(h("p", { class: "small" }, text));
    }
  }

  /** The testimonies: what is said, and once the loop is closed, what of it is true. */
  tell() {
    const { words, puzzle, game } = this;
    const statements = puzzle.statements ?? [];
    if (!statements.length && !puzzle.visits_all) return;
    const places = Object.keys(puzzle.places ?? {});
    const lies = this.finished ? liars(puzzle, game.line) : [];
    const list = h("ol", {});
    statements.forEach((statement, k) => {
      const item = h("li", {}, words.says[statement.says](statement.of));
      if (this.finished && k < this.revealed) {
        const lie = lies.includes(k);
        item.className = lie ? "false" : "true";
        item.append(h("span", { class: "verdict" }, lie ? words.isFalse : words.isTrue));
      }
      list.append(item);
    });
    this.story.replaceChildren();
    if (this.about) this.story.append(h("p", { class: "quiet" }, this.about));
    if (puzzle.visits_all) this.story.append(h("p", {}, words.visitsAll));
    if (!statements.length) return;
    this.story.append(
      h("h3", {}, words.statements),
      h("dl", {}, ...places.flatMap((name, k) => [h("dt", {}, letter(k)), h("dd", {}, name)])),
      list,
      h("p", {}, words.lies(puzzle.false_statements ?? 0, statements.length)),
    );
    if (!this.finished) return;
    if (lies.length && !this.kept.progress.accused && this.accused === undefined) {
      const buttons = statements.map((_, k) => h("button", { type: "button", onclick: () => this.accuse(k, lies) }, `${words.accuse} ${k + 1}`));
      this.story.append(h("p", {}, words.accuseAsk), h("div", { class: "row" }, ...buttons));
    } else if (this.revealed < statements.length) {
      this.story.append(h("button", { type: "button", onclick: () => { this.revealed++; this.tell(); } }, words.reveal));
    }
    if (this.accused !== undefined) this.story.append(h("p", {}, h("strong", {}, lies.includes(this.accused) ? words.accusedRight : words.accusedWrong)));
  }

  /** @param {number} number @param {number[]} lies */
  accuse(number, lies) {
    this.accused = number;
    if (lies.includes(number)) this.kept.progress = { ...this.kept.progress, accused: true };
    this.keep();
    this.tell();
  }

  /** The board as a table, for whoever does not see it. @param {boolean} open */
  showTable(open) {
    if (!open) {
      this.tableBox.replaceChildren();
      return;
    }
    const { puzzle, genre, game } = this;
    const line = game.line;
    const clues = new Map(puzzle.clues.map((clue) => [`${clue.row} ${clue.col}`, clue]));
    const body = h("tbody", {});
    for (let r = 0; r < puzzle.rows; r++) {
      const row = h("tr", {}, h("th", { scope: "row" }, String(r + 1)));
      for (let c = 0; c < puzzle.cols; c++) {
        const clue = clues.get(`${r} ${c}`);
        const parts = [];
        if (clue) parts.push(genre.says(clue) + (genre.met(puzzle, clue, line) ? " ✓" : ""));
        if (genre.cells === "faces") {
          const { lattice } = game;
          const names = ["top", "bottom", "left", "right"];
          const on = lattice.around(r, c).flatMap((edge, k) => (game.get(EDGE, edge) === 1 ? [names[k]] : []));
          if (on.length) parts.push(on.join(" "));
          const side = game.get(FACE, lattice.face(r, c));
          if (side) parts.push(side === OUTSIDE ? "out" : "in");
        } else {
          const ways = line.neighbours(r, c).map(([r2, c2]) => (r2 < r ? "up" : r2 > r ? "down" : c2 < c ? "left" : "right"));
          if (ways.length) parts.push(ways.join(" "));
        }
        row.append(h("td", {}, parts.join(", ") || "·"));
      }
      body.append(row);
    }
    const head = h("tr", {}, h("td", {}), ...Array.from({ length: puzzle.cols }, (_, c) => h("th", { scope: "col" }, String(c + 1))));
    this.tableBox.replaceChildren(h("table", {}, h("thead", {}, head), body));
  }
}

/** What is drawn, as the service reads it. @param {Game} game */
export function position(game) {
  const { lattice, drawing } = game;
  /** @param {number} state */
  const edges = (state) => [...drawing.edges].flatMap((now, edge) => (now === state ? [lattice.ends(edge)] : []));
  /** @param {number} state */
  const faces = (state) => [...drawing.faces].flatMap((now, face) => (now === state ? [lattice.faceAt(face)] : []));
  return { on: edges(1), off: edges(2), inside: faces(1), outside: faces(2) };
}
