// A game: what is drawn, and every stroke that led there. Knows no DOM.
//
// The only change is a stroke: a list of changes [kind, index, old, new]. Undo and redo walk the
// list of strokes; nothing is ever lost but what lies beyond a new stroke. Suppositions are part of
// the strokes, so they are undone and redone like everything else.

import { Line } from "./lattice.js";
import { latticeOf } from "./rules/common.js";

/** @typedef {import("./rules/common.js").Genre} Genre */
/** @typedef {import("./rules/common.js").Puzzle} Puzzle */
/** @typedef {import("./rules/common.js").Fault} Fault */

export const EDGE = 0;
export const FACE = 1;
export const TICK = 2;

/** An edge is undecided, on the line, or excluded. */
export const ON = 1;
export const OFF = 2;
/** A face is undecided, inside, or outside. */
export const INSIDE = 1;
export const OUTSIDE = 2;

/** @typedef {[kind: number, index: number, old: number, now: number]} Change */

/**
 * Something taken for true to see where it leads: `from` is the number of strokes before it, and
 * `first` what was drawn first, which is the assumption.
 * @typedef {{from: number, first: [kind: number, index: number, now: number] | null}} Supposition
 */

/**
 * `time` is in milliseconds of play since the board was opened first.
 * @typedef {{time: number, changes: Change[], supposing?: [Supposition[], Supposition[]]}} Stroke
 */

/**
 * A game as it is stored.
 * @typedef {{v: 1, at: number, time: number, log: [time: number, changes: number[], supposing?: [Supposition[], Supposition[]]][]}} Saved
 */

/** What is drawn, apart from how it came to be. */
export class Drawing {
  /** @param {import("./lattice.js").Lattice} lattice @param {number} cells */
  constructor(lattice, cells) {
    this.lattice = lattice;
    this.edges = new Uint8Array(lattice.edges);
    this.faces = new Uint8Array(lattice.faces);
    this.ticks = new Uint8Array(cells);
  }

  /** @param {number} kind */
  of(kind) {
    return kind === EDGE ? this.edges : kind === FACE ? this.faces : this.ticks;
  }
}

export class Game {
  /** @param {Puzzle} puzzle @param {Genre} genre */
  constructor(puzzle, genre) {
    this.puzzle = puzzle;
    this.genre = genre;
    this.lattice = latticeOf(puzzle, genre.cells);
    this.drawing = new Drawing(this.lattice, puzzle.rows * puzzle.cols);
    /** @type {Stroke[]} */
    this.log = [];
    /** How many strokes of the log are drawn. */
    this.at = 0;
    /** Milliseconds of play. */
    this.time = 0;
    /** @type {Supposition[]} */
    this.supposing = [];
    /** What a stroke that is not finished has changed so far. @type {Map<string, Change> | null} */
    this.pending = null;
  }

  /** @param {number} kind @param {number} index */
  get(kind, index) {
    return this.drawing.of(kind)[index];
  }

  /** Begin a stroke that is drawn while the pointer moves. */
  begin() {
    this.cancel();
    this.pending = new Map();
  }

  /**
   * Change something in the stroke that was begun.
   * @param {number} kind @param {number} index @param {number} now
   */
  set(kind, index, now) {
    if (this.pending === null) throw new Error("no stroke was begun");
    const key = `${kind} ${index}`;
    const before = this.pending.get(key)?.[2] ?? this.get(kind, index);
    if (before === now) this.pending.delete(key);
    else this.pending.set(key, [kind, index, before, now]);
    this.drawing.of(kind)[index] = now;
  }

  /** Finish the stroke; nothing is logged when it changed nothing. Whether it did. */
  commit() {
    const changes = [...(this.pending?.values() ?? [])];
    this.pending = null;
    if (changes.length === 0) return false;
    this.push(changes);
    return true;
  }

  /** Take the stroke that was begun back. */
  cancel() {
    for (const [kind, index, old] of this.pending?.values() ?? []) this.drawing.of(kind)[index] = old;
    this.pending = null;
  }

  /**
   * A whole stroke at once.
   * @param {[kind: number, index: number, now: number][]} changes
   */
  stroke(changes) {
    this.begin();
    for (const change of changes) this.set(...change);
    return this.commit();
  }

  /**
   * Log a stroke and draw it; what lay beyond in the log is gone.
   * @param {Change[]} changes @param {Supposition[]} [supposing] what is supposed from here on
   */
  push(changes, supposing) {
    let then = supposing;
    const last = this.supposing[this.supposing.length - 1];
    if (!then && last && last.first === null && changes.length > 0) {
      const [kind, index, , now] = changes[0];
      then = [...this.supposing.slice(0, -1), { from: last.from, first: [kind, index, now] }];
    }
    /** @type {Stroke} */
    const stroke = { time: this.time, changes };
    if (then) stroke.supposing = [this.supposing, then];
    this.log.length = this.at;
    this.log.push(stroke);
    this.redo();
  }

  undo() {
    this.cancel();
    if (this.at === 0) return false;
    const { changes, supposing } = this.log[--this.at];
    for (const [kind, index, old] of changes) this.drawing.of(kind)[index] = old;
    if (supposing) this.supposing = supposing[0];
    return true;
  }

  redo() {
    this.cancel();
    if (this.at === this.log.length) return false;
    const { changes, supposing } = this.log[this.at++];
    for (const [kind, index, , now] of changes) this.drawing.of(kind)[index] = now;
    if (supposing) this.supposing = supposing[1];
    return true;
  }

  /** Undo or redo until so many strokes are drawn. @param {number} at */
  goTo(at) {
    while (this.at > at && this.undo());
    while (this.at < at && this.redo());
  }

  /** Take away all that is drawn, as one stroke. */
  clear() {
    this.cancel();
    const changes = this.differences(() => 0);
    if (changes.length === 0 && this.supposing.length === 0) return false;
    this.push(changes, []);
    return true;
  }

  /** From here on something is supposed; the next thing drawn is the assumption. */
  suppose() {
    this.cancel();
    this.push([], [...this.supposing, { from: this.at, first: null }]);
  }

  /** The innermost supposition is taken as drawn. */
  keep() {
    if (this.supposing.length === 0) return false;
    this.cancel();
    this.push([], this.supposing.slice(0, -1));
    return true;
  }

  /** The innermost supposition and all that was drawn since are taken away, as one stroke. */
  takeBack() {
    const last = this.supposing[this.supposing.length - 1];
    if (!last) return false;
    this.cancel();
    const before = this.drawnAfter(last.from);
    const changes = this.differences((kind, index) => before.of(kind)[index]);
    this.push(changes, this.supposing.slice(0, -1));
    return true;
  }

  /** What was drawn after so many strokes. @param {number} at */
  drawnAfter(at) {
    const out = new Drawing(this.lattice, this.drawing.ticks.length);
    for (const { changes } of this.log.slice(0, at)) {
      for (const [kind, index, , now] of changes) out.of(kind)[index] = now;
    }
    return out;
  }

  /**
   * The changes that would make everything what it should be.
   * @param {(kind: number, index: number) => number} wanted
   * @returns {Change[]}
   */
  differences(wanted) {
    /** @type {Change[]} */
    const out = [];
    for (const kind of [EDGE, FACE, TICK]) {
      this.drawing.of(kind).forEach((old, index) => {
        const now = wanted(kind, index);
        if (now !== old) out.push([kind, index, old, now]);
      });
    }
    return out;
  }

  /**
   * How many suppositions deep each edge and face was drawn last: 0 is no supposition.
   * @returns {{edges: Uint8Array, faces: Uint8Array}}
   */
  depths() {
    const edges = new Uint8Array(this.lattice.edges);
    const faces = new Uint8Array(this.lattice.faces);
    this.supposing.forEach(({ from }, depth) => {
      for (const { changes } of this.log.slice(from, this.at)) {
        for (const [kind, index] of changes) {
          if (kind === EDGE) edges[index] = depth + 1;
          if (kind === FACE) faces[index] = depth + 1;
        }
      }
    });
    return { edges, faces };
  }

  /**
   * The line as it would be handed in. Where the outside is shaded and no line is drawn, it parts
   * the shaded faces from the others.
   */
  get line() {
    const { edges, faces } = this.drawing;
    if (this.genre.shades && !edges.includes(ON)) {
      return Line.around(this.lattice, (face) => faces[face] !== OUTSIDE);
    }
    return new Line(this.lattice, edges);
  }

  /** Whether nothing at all is drawn. */
  get isBlank() {
    const { edges, faces } = this.drawing;
    return !edges.includes(ON) && !faces.includes(OUTSIDE);
  }

  /** What keeps the line from being an answer. @returns {Fault[]} */
  faults() {
    const { line } = this;
    return this.genre.rules
      .flatMap((rule) => [...rule(this.puzzle, line)])
      .filter((fault) => fault.about === "line");
  }

  /** What stays wrong whatever is drawn after it. @returns {Fault[]} */
  lastingFaults() {
    if (this.isBlank) return [];
    const line = new Line(this.lattice, this.drawing.edges);
    const found = this.genre.lasting.flatMap((rule) => [...rule(this.puzzle, line)]);
    return line.isSingle ? this.faults() : [...found, ...closedTooEarly(line)];
  }

  /** Won by the rules; marks never count. */
  get isWon() {
    return !this.isBlank && this.faults().length === 0;
  }

  /** @returns {Saved} */
  save() {
    return {
      v: 1,
      at: this.at,
      time: this.time,
      log: this.log.map(({ time, changes, supposing }) =>
        supposing ? [time, changes.flat(), supposing] : [time, changes.flat()],
      ),
    };
  }

  /**
   * Go on with a stored game. What does not fit the board is left out from there on: a store may
   * be of another version, or damaged.
   * @param {Saved} saved
   */
  load(saved) {
    this.goTo(0);
    this.log = [];
    this.time = Number.isFinite(saved.time) ? saved.time : 0;
    const sizes = [this.lattice.edges, this.lattice.faces, this.drawing.ticks.length];
    const now = sizes.map((size) => new Uint8Array(size));
    for (const [time, flat, supposing] of saved.log ?? []) {
      /** @type {Change[]} */
      const changes = [];
      for (let k = 0; k + 3 < flat.length; k += 4) {
        changes.push([flat[k], flat[k + 1], flat[k + 2], flat[k + 3]]);
      }
      const fits = changes.every(
        ([kind, index, old, next]) =>
          now[kind]?.[index] === old && (next === 0 || next === 1 || (next === 2 && kind !== TICK)),
      );
      if (!fits) break;
      for (const [kind, index, , next] of changes) now[kind][index] = next;
      this.log.push(supposing ? { time, changes, supposing } : { time, changes });
    }
    this.goTo(Math.min(Math.max(0, saved.at | 0), this.log.length));
  }
}

/**
 * Closed pieces of a line that has others besides: they are closed too early.
 * @param {Line} line
 * @returns {Fault[]}
 */
function closedTooEarly(line) {
  const { pieces } = line;
  if (pieces.length < 2) return [];
  return pieces
    .filter((piece) => piece.every(([r, c]) => line.endsAt(r, c) === 2))
    .map((piece) => ({
      name: "several-loops",
      sentence: "This loop is closed, and there is more line beside it.",
      vertices: piece,
      faces: [],
      about: "line",
    }));
}
