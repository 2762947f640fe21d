// Castle Wall: a cell is a vertex, the loop avoids every clue.

import { fault, here, lineRules, noLoop, plural } from "./common.js";

/** @typedef {import("./common.js").Clue} Clue */
/** @typedef {import("./common.js").Rule} Rule */
/** @typedef {import("../lattice.js").Line} Line */

const { branch, cross, deadEnd, severalLoops } = lineRules("vertices");

/** @param {Clue} clue */
const numberOf = (clue) => (typeof clue.number === "number" ? clue.number : null);

/** What an arrow counts; null when it counts nothing. @param {Clue} clue */
const wanted = (clue) => (clue.arrow ? numberOf(clue) : null);

/** @param {Clue} clue */
export function says(clue) {
  if (clue.arrow) return `${clue.color}, ${numberOf(clue) ?? "?"} ${clue.arrow}`;
  return numberOf(clue) === null ? `${clue.color}` : `${clue.color}, ${clue.number} with no arrow`;
}

/**
 * The edges on the ray of a clue.
 * @param {import("../lattice.js").Lattice} lattice @param {Clue} clue
 */
export function ray(lattice, { row, col, arrow }) {
  const out = [];
  if (arrow === "left") for (let c = 0; c < col; c++) out.push(lattice.right(row, c));
  if (arrow === "right") for (let c = col; c < lattice.cols - 1; c++) out.push(lattice.right(row, c));
  if (arrow === "up") for (let r = 0; r < row; r++) out.push(lattice.down(r, col));
  if (arrow === "down") for (let r = row; r < lattice.rows - 1; r++) out.push(lattice.down(r, col));
  return out;
}

/** The edges of a line on the ray of a clue. @param {Line} line @param {Clue} clue */
const seen = (line, clue) => ray(line.lattice, clue).filter((edge) => line.edges[edge] === 1).length;

/** @param {string} name @param {Clue} clue @param {string} sentence @param {"line" | "puzzle"} [about] */
const broken = (name, clue, sentence, about) =>
  fault(name, `${here(clue, says(clue))}: ${sentence}.`, { vertices: [[clue.row, clue.col]], about });

/** The line enters no clue cell. @type {Rule} */
function* clueCrossed(puzzle, line) {
  for (const clue of puzzle.clues) {
    if (line.has(clue.row, clue.col)) yield broken("clue-crossed", clue, "the line enters the cell");
  }
}

/** No arrow sees more edges than its number. @type {Rule} */
function* tooMany(puzzle, line) {
  for (const clue of puzzle.clues) {
    const most = wanted(clue);
    if (most === null) continue;
    const count = seen(line, clue);
    if (count > most) yield broken("too-many", clue, `the line has ${plural(count, "edge")} on the ray`);
  }
}

/** No arrow sees fewer edges than its number. @type {Rule} */
function* tooFew(puzzle, line) {
  for (const clue of puzzle.clues) {
    const least = wanted(clue);
    if (least === null) continue;
    const count = seen(line, clue);
    if (count < least) yield broken("too-few", clue, `the line has ${plural(count, "edge")} on the ray`);
  }
}

/** The clues that have a side. @param {import("./common.js").Puzzle} puzzle @param {Line} line */
const sided = (puzzle, line) =>
  line.hasSides ? puzzle.clues.filter((clue) => !line.has(clue.row, clue.col)) : [];

/** Black clues lie outside. @type {Rule} */
function* blackInside(puzzle, line) {
  for (const clue of sided(puzzle, line)) {
    if (clue.color === "black" && line.isInside(clue.row, clue.col)) {
      yield broken("black-inside", clue, "the cell is inside the loop");
    }
  }
}

/** White clues lie inside. @type {Rule} */
function* whiteOutside(puzzle, line) {
  for (const clue of sided(puzzle, line)) {
    if (clue.color === "white" && !line.isInside(clue.row, clue.col)) {
      yield broken("white-outside", clue, "the cell is outside the loop");
    }
  }
}

/** Every number has an arrow. @type {Rule} */
function* numberWithoutArrow(puzzle) {
  for (const clue of puzzle.clues) {
    if (!clue.arrow && numberOf(clue) !== null) {
      yield broken("number-without-arrow", clue, "the number counts nothing", "puzzle");
    }
  }
}

/** @type {import("./common.js").Genre} */
export const GENRE = {
  title: "Castle Wall",
  cells: "vertices",
  shades: false,
  rules: [
    noLoop,
    branch,
    cross,
    clueCrossed,
    tooMany,
    tooFew,
    deadEnd,
    severalLoops,
    blackInside,
    whiteOutside,
    numberWithoutArrow,
  ],
  lasting: [branch, cross, clueCrossed, tooMany],
  met: (_, clue, line) => wanted(clue) !== null && seen(line, clue) === wanted(clue),
  glyph: (clue) => ({
    text: numberOf(clue) === null ? (clue.arrow ? "?" : "") : String(clue.number),
    fill: clue.color ?? "grey",
    arrow: clue.arrow ?? null,
    shape: "box",
  }),
  says,
};
