// The keyboard: one Tab stop, and a cursor on the grid of half steps, where even numbers are
// vertices and odd ones lie between, so that edges and faces have places of their own.

import { EDGE, FACE, OFF, ON, TICK } from "./game.js";
import { nextEdge, nextFace } from "./pointer.js";

/** @typedef {import("./game.js").Game} Game */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});

export class Cursor {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.y = 0;
    this.x = 1;
  }

  /** @param {number} down @param {number} right */
  move(down, right) {
    const { rows, cols } = this.game.lattice;
    this.y = Math.min(Math.max(0, this.y + down), 2 * rows - 2);
    this.x = Math.min(Math.max(0, this.x + right), 2 * cols - 2);
  }

  /** What is under the cursor. @returns {["vertex" | "edge" | "face", number]} */
  get thing() {
    const { lattice } = this.game;
    const [r, c] = [this.y >> 1, this.x >> 1];
    if (this.y & 1 && this.x & 1) return ["face", lattice.face(r, c)];
    if (this.y & 1) return ["edge", lattice.down(r, c)];
    if (this.x & 1) return ["edge", lattice.right(r, c)];
    return ["vertex", r * lattice.cols + c];
  }

  /** The vertex at the cursor, or the one beside it against a direction. @param {number} down @param {number} right */
  vertexTowards(down, right) {
    const y = this.y & 1 ? this.y - (down || 1) : this.y;
    const x = this.x & 1 ? this.x - (right || 1) : this.x;
    return /** @type {[number, number]} */ ([Math.max(0, y) >> 1, Math.max(0, x) >> 1]);
  }

  /** The clue under the cursor, -1 when there is none. */
  get clue() {
    const { puzzle, genre } = this.game;
    const odd = genre.cells === "faces" ? 1 : 0;
    if ((this.y & 1) !== odd || (this.x & 1) !== odd) return -1;
    return puzzle.clues.findIndex((clue) => clue.row === this.y >> 1 && clue.col === this.x >> 1);
  }

  /** Go to an edge. @param {number} edge */
  goTo(edge) {
    const [r1, c1, r2, c2] = this.game.lattice.ends(edge);
    [this.y, this.x] = [r1 + r2, c1 + c2];
  }
}

/**
 * What a key does to the game at the cursor; null when the key is none of ours. The answer says
 * whether something was drawn.
 * @param {Cursor} cursor
 * @param {{key: string, shiftKey: boolean, altKey: boolean}} event
 * @returns {boolean | null}
 */
export function press(cursor, { key, shiftKey, altKey }) {
  const { game } = cursor;
  const step = ARROWS[key];
  if (step && (shiftKey || altKey)) return draw(cursor, step, shiftKey ? ON : OFF);
  if (step) {
    cursor.move(...step);
    return false;
  }
  const [what, index] = cursor.thing;
  switch (key) {
    case " ":
    case "Enter":
      if (cursor.clue >= 0) {
        const { row, col } = game.puzzle.clues[cursor.clue];
        const cell = row * game.puzzle.cols + col;
        return game.stroke([[TICK, cell, game.get(TICK, cell) ? 0 : 1]]);
      }
      if (what === "edge") return game.stroke([[EDGE, index, nextEdge(game.get(EDGE, index))]]);
      if (what === "face") return game.stroke([[FACE, index, nextFace(game.get(FACE, index))]]);
      return false;
    case "x":
    case "X":
      if (what !== "edge") return false;
      return game.stroke([[EDGE, index, game.get(EDGE, index) === OFF ? 0 : OFF]]);
    case "s":
    case "S":
      if (what !== "face") return false;
      return game.stroke([[FACE, index, nextFace(game.get(FACE, index))]]);
    case "n":
    case "N":
      next(cursor);
      return false;
    default:
      return null;
  }
}

/** Draw or exclude one edge in a direction, and go on to its end. @param {Cursor} cursor @param {[number, number]} step @param {number} state */
function draw(cursor, [down, right], state) {
  const { game } = cursor;
  const [r, c] = cursor.vertexTowards(down, right);
  const edge = game.lattice.edge(r, c, r + down, c + right);
  if (edge < 0) return false;
  [cursor.y, cursor.x] = [2 * (r + down), 2 * (c + right)];
  return game.stroke([[EDGE, edge, game.get(EDGE, edge) === state ? 0 : state]]);
}

/** Go to the next undecided edge in reading order. @param {Cursor} cursor */
function next(cursor) {
  const { lattice, drawing } = cursor.game;
  const places = Array.from({ length: lattice.edges }, (_, edge) => {
    const [r1, c1, r2, c2] = lattice.ends(edge);
    return { edge, order: (r1 + r2) * 2 * lattice.cols + c1 + c2 };
  }).sort((a, b) => a.order - b.order);
  const here = cursor.y * 2 * lattice.cols + cursor.x;
  const open = places.filter(({ edge }) => drawing.edges[edge] === 0);
  const found = open.find(({ order }) => order > here) ?? open[0];
  if (found) cursor.goTo(found.edge);
}
