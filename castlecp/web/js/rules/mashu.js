// Masyu: a cell is a vertex, and the loop passes every circle.

import { fault, here, lineRules, noLoop } from "./common.js";

/** @typedef {import("./common.js").Clue} Clue */
/** @typedef {import("./common.js").Rule} Rule */
/** @typedef {import("../lattice.js").Line} Line */
/** @typedef {import("../lattice.js").Place} Place */

const { branch, cross, deadEnd, severalLoops } = lineRules("vertices");

/** @param {Clue} clue */
export const says = (clue) => `${clue.color} circle`;

/** Whether a line has two ends at a vertex, on opposite sides of it. @param {Line} line @param {Place} at */
function isStraight(line, [r, c]) {
  const ends = line.neighbours(r, c);
  return ends.length === 2 && ends[0][0] + ends[1][0] === 2 * r && ends[0][1] + ends[1][1] === 2 * c;
}

/** Whether a line has two ends at a vertex, at a right angle. @param {Line} line @param {Place} at */
const turns = (line, at) => line.endsAt(...at) === 2 && !isStraight(line, at);

/**
 * A rule about the circles of one colour.
 * @param {string} name @param {"white" | "black"} color @param {string} sentence
 * @param {(line: Line, at: Place, ends: Place[]) => boolean} breaks
 * @returns {Rule}
 */
const circles = (name, color, sentence, breaks) =>
  function* (puzzle, line) {
    for (const clue of puzzle.clues) {
      if (clue.color !== color) continue;
      /** @type {Place} */
      const at = [clue.row, clue.col];
      if (breaks(line, at, line.neighbours(...at))) {
        yield fault(name, `${here(clue, says(clue))}: ${sentence}.`, { vertices: [at] });
      }
    }
  };

const whiteTurns = circles("white-turns", "white", "the line turns on the circle", turns);
const blackStraight = circles(
  "black-straight",
  "black",
  "the line runs straight on the circle",
  isStraight,
);
const turnBesideBlack = circles(
  "turn-beside-black",
  "black",
  "the line turns in the next cell",
  (line, _, ends) => ends.length === 2 && ends.some((end) => turns(line, end)),
);
const noTurnBesideWhite = circles(
  "no-turn-beside-white",
  "white",
  "the line turns neither before nor after it",
  (line, _, ends) => ends.length === 2 && ends.every((end) => isStraight(line, end)),
);

/** The line passes every circle. @type {Rule} */
function* circleMissed(puzzle, line) {
  for (const clue of puzzle.clues) {
    if (!line.has(clue.row, clue.col)) {
      const text = `${here(clue, says(clue))}: the line does not pass the circle.`;
      yield fault("circle-missed", text, { vertices: [[clue.row, clue.col]] });
    }
  }
}

/** @type {import("./common.js").Genre} */
export const GENRE = {
  title: "Masyu",
  cells: "vertices",
  shades: false,
  rules: [
    noLoop,
    branch,
    cross,
    whiteTurns,
    blackStraight,
    turnBesideBlack,
    noTurnBesideWhite,
    circleMissed,
    deadEnd,
    severalLoops,
  ],
  lasting: [branch, cross, whiteTurns, blackStraight],
  met: (_, clue, line) => {
    /** @type {Place} */
    const at = [clue.row, clue.col];
    const ends = line.neighbours(...at);
    if (ends.length !== 2) return false;
    return clue.color === "black"
      ? turns(line, at) && ends.every((end) => isStraight(line, end))
      : isStraight(line, at) && ends.some((end) => turns(line, end));
  },
  glyph: (clue) => ({ text: "", fill: clue.color ?? "white", arrow: null, shape: "circle" }),
  says,
};
