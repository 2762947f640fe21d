// Slitherlink, with statements: a cell is a face, a number counts its edges on the loop.

import { fault, lineRules, noLoop, point } from "./common.js";

/** @typedef {import("./common.js").Clue} Clue */
/** @typedef {import("./common.js").Puzzle} Puzzle */
/** @typedef {import("./common.js").Rule} Rule */
/** @typedef {import("../lattice.js").Line} Line */

const { branch, cross, deadEnd, severalLoops } = lineRules("faces");

/** @param {Clue} clue */
export const says = (clue) => (typeof clue.number === "number" ? String(clue.number) : "?");

/** How many edges of a cell are on a line. @param {Line} line @param {Clue} clue */
const edgesAround = (line, clue) =>
  line.lattice.around(clue.row, clue.col).filter((edge) => line.edges[edge] === 1).length;

/** Every number is that of its cell's edges on the line. @type {Rule} */
function* wrongNumber(puzzle, line) {
  for (const clue of puzzle.clues) {
    if (typeof clue.number !== "number") continue;
    const seen = edgesAround(line, clue);
    if (seen !== clue.number) {
      const text = `Row ${clue.row + 1}, column ${clue.col + 1} (${says(clue)}): the line has ${seen} of the cell's four edges.`;
      yield fault("wrong-number", text, { faces: [[clue.row, clue.col]] });
    }
  }
}

/** A number that the line has more edges at stays wrong. @type {Rule} */
function* tooMany(puzzle, line) {
  for (const found of wrongNumber(puzzle, line)) {
    const [row, col] = found.faces[0];
    const clue = puzzle.clues.find((one) => one.row === row && one.col === col);
    if (clue && edgesAround(line, clue) > Number(clue.number)) yield found;
  }
}

/** With `visits_all` the line passes every vertex. @type {Rule} */
function* vertexMissed(puzzle, line) {
  if (!puzzle.visits_all) return;
  for (let v = 0; v < line.degree.length; v++) {
    if (line.degree[v] > 0) continue;
    /** @type {import("../lattice.js").Place} */
    const vertex = [Math.floor(v / line.lattice.cols), v % line.lattice.cols];
    yield fault("vertex-missed", `The line does not pass ${point("faces", vertex)}.`, { vertices: [vertex] });
  }
}

/**
 * The statements that are false of a line, by number from 0.
 * @param {Puzzle} puzzle @param {Line} line
 */
export function liars(puzzle, line) {
  const false_ = [];
  for (const [number, statement] of (puzzle.statements ?? []).entries()) {
    const sides = statement.of.map((name) => line.isInside(...(puzzle.places ?? {})[name]));
    const first = sides[0];
    const last = sides[sides.length - 1];
    const true_ = {
      inside: first,
      outside: !first,
      same: first === last,
      opposite: first !== last,
    }[statement.says];
    if (!true_) false_.push(number);
  }
  return false_;
}

/** As many statements are false as the board says. @type {Rule} */
function* numberOfLies(puzzle, line) {
  if (!puzzle.statements?.length || !line.isSingle) return;
  const found = liars(puzzle, line).length;
  const wanted = puzzle.false_statements ?? 0;
  if (found !== wanted) {
    yield fault(
      "false-statements",
      `The number of false statements is ${found}, where the board says ${wanted}.`,
    );
  }
}

/** @type {import("./common.js").Genre} */
export const GENRE = {
  title: "Slitherlink",
  cells: "faces",
  shades: false,
  rules: [
    noLoop,
    branch,
    cross,
    wrongNumber,
    severalLoops,
    deadEnd,
    vertexMissed,
    numberOfLies,
  ],
  lasting: [branch, cross, tooMany],
  met: (_, clue, line) => typeof clue.number === "number" && edgesAround(line, clue) === clue.number,
  glyph: (clue) => ({ text: says(clue), fill: null, arrow: null, shape: "box" }),
  says,
};
