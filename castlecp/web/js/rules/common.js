// What every genre's rules are made of: named faults, each with a sentence and a place.
// castlecp/faults.py and the genres' own files are the original; a test holds both equal.

import { Lattice, Line, shortest } from "../lattice.js";

/** @typedef {import("../lattice.js").Place} Place */

/**
 * A broken rule. `about` is "line" when another line could be right, "puzzle" when the board
 * itself is at fault.
 * @typedef {{name: string, sentence: string, vertices: readonly Place[], faces: readonly Place[], about: "line" | "puzzle"}} Fault
 */

/**
 * A clue as its genre writes it in JSON.
 * @typedef {{row: number, col: number, color?: "white" | "black" | "grey", arrow?: "up" | "down" | "left" | "right" | null, number?: number | null}} Clue
 */

/**
 * A board as `castlecp convert --to json` writes it.
 * @typedef {{type: string, rows: number, cols: number, clues: Clue[], visits_all?: boolean, places?: Record<string, Place>, statements?: {says: "inside" | "outside" | "same" | "opposite", of: string[]}[], false_statements?: number}} Puzzle
 */

/** @typedef {(puzzle: Puzzle, line: Line) => Iterable<Fault>} Rule */

/**
 * What a genre's file gives to the page.
 *
 * `met` says whether a line leaves a clue nothing more to ask: it then goes quiet. `lasting` are
 * the rules whose faults stay in an unfinished line whatever is drawn after it.
 * @typedef {object} Genre
 * @property {string} title
 * @property {"vertices" | "faces"} cells what a cell is on the lattice
 * @property {boolean} shades whether a player may shade the faces outside instead of drawing
 * @property {readonly Rule[]} rules in the order in which faults are named
 * @property {readonly Rule[]} lasting
 * @property {(puzzle: Puzzle, clue: Clue, line: Line) => boolean} met
 * @property {(clue: Clue) => Glyph} glyph
 * @property {(clue: Clue) => string} says the clue in words
 */

/**
 * How a clue looks: a shape filled white, black or grey, a text, an arrow.
 * @typedef {{text: string, fill: "white" | "black" | "grey" | null, arrow: "up" | "down" | "left" | "right" | null, shape: "box" | "circle"}} Glyph
 */

/** @param {number} number @param {string} noun */
export const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/**
 * A board from its JSON, which leaves out what is as usual.
 * @param {Omit<Puzzle, "clues"> & {clues?: Clue[]}} json
 * @returns {Puzzle}
 */
export const board = (json) => ({ ...json, clues: json.clues ?? [] });

/** @param {Puzzle} puzzle @param {"vertices" | "faces"} cells */
export function latticeOf(puzzle, cells) {
  const more = cells === "faces" ? 1 : 0;
  return new Lattice(puzzle.rows + more, puzzle.cols + more);
}

/**
 * @param {string} name @param {string} sentence
 * @param {{vertices?: readonly Place[], faces?: readonly Place[], about?: "line" | "puzzle"}} [places]
 * @returns {Fault}
 */
export function fault(name, sentence, { vertices = [], faces = [], about = "line" } = {}) {
  return { name, sentence, vertices, faces, about };
}

/**
 * A vertex in words; where cells are faces, points have rows and columns of their own.
 * @param {"vertices" | "faces"} cells @param {Place} vertex
 */
export function point(cells, [r, c]) {
  const words = `row ${r + 1}, column ${c + 1}`;
  return cells === "vertices" ? words : `the point in ${words} of the points`;
}

/** There must be a line at all. @type {Rule} */
export function* noLoop(_, line) {
  if (line.length === 0) yield fault("no-loop", "Nothing is drawn.");
}

/**
 * The rules about the line alone, for a genre whose cells are vertices or faces.
 * @param {"vertices" | "faces"} cells
 */
export function lineRules(cells) {
  /**
   * @param {number} degree @param {string} name @param {string} sentence
   * @returns {Rule}
   */
  const atDegree = (degree, name, sentence) =>
    function* (_, line) {
      for (let v = 0; v < line.degree.length; v++) {
        if (line.degree[v] !== degree) continue;
        /** @type {Place} */
        const vertex = [Math.floor(v / line.lattice.cols), v % line.lattice.cols];
        yield fault(name, `${sentence} ${point(cells, vertex)}.`, { vertices: [vertex] });
      }
    };
  /** The line is one piece. @type {Rule} */
  function* severalLoops(_, line) {
    const { pieces } = line;
    if (pieces.length < 2) return;
    const least = shortest(pieces);
    const text = `The line is in ${pieces.length} pieces; one of them passes ${point(cells, least[0])}.`;
    yield fault("several-loops", text, { vertices: least });
  }
  return {
    branch: atDegree(3, "branch", "The line branches at"),
    cross: atDegree(4, "cross", "The line crosses itself at"),
    deadEnd: atDegree(1, "dead-end", "The line stops at"),
    severalLoops,
  };
}

/** The head of a sentence about a clue. @param {Clue} clue @param {string} says */
export const here = (clue, says) => `Row ${clue.row + 1}, column ${clue.col + 1} (${says})`;
