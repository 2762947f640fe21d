// Cave: a cell is a face, a clue lies in the cave and counts the cells of the cave that it sees.

import { facePieces, shortest } from "../lattice.js";
import { fault, here, lineRules, noLoop } from "./common.js";

/** @typedef {import("./common.js").Clue} Clue */
/** @typedef {import("./common.js").Rule} Rule */
/** @typedef {import("../lattice.js").Line} Line */

const { branch, deadEnd } = lineRules("faces");

/** @param {Clue} clue */
export const says = (clue) => (typeof clue.number === "number" ? String(clue.number) : "?");

/** The cave is one piece. @type {Rule} */
function* caveDivided(_, line) {
  if (!line.hasSides) return;
  const pieces = facePieces(line.lattice, (face) => line.inside[face] === 1);
  if (pieces.length < 2) return;
  const least = shortest(pieces);
  const [r, c] = least[0];
  const text = `The cave is in ${pieces.length} pieces; one is at row ${r + 1}, column ${c + 1}.`;
  yield fault("cave-divided", text, { faces: least });
}

/** Every wall is connected to the border. @type {Rule} */
function* wallEnclosed(puzzle, line) {
  if (!line.hasSides) return;
  for (const piece of facePieces(line.lattice, (face) => line.inside[face] === 0)) {
    const open = piece.some(
      ([r, c]) => r === 0 || c === 0 || r === puzzle.rows - 1 || c === puzzle.cols - 1,
    );
    if (open) continue;
    const [r, c] = piece[0];
    const text = `The wall at row ${r + 1}, column ${c + 1} is not connected to the border.`;
    yield fault("wall-enclosed", text, { faces: piece });
  }
}

/** How many faces inside a face sees in its row and column, itself included. @param {Line} line @param {Clue} clue */
export function sees(line, { row, col }) {
  let seen = 1;
  for (const [down, right] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
    for (let r = row + down, c = col + right; line.isInside(r, c); r += down, c += right) seen++;
  }
  return seen;
}

/** Every clue is in the cave and sees as many of its cells as it says. @type {Rule} */
function* wrongNumber(puzzle, line) {
  if (!line.hasSides) return;
  for (const clue of puzzle.clues) {
    const faces = /** @type {const} */ ([[clue.row, clue.col]]);
    const head = here(clue, says(clue));
    if (!line.isInside(clue.row, clue.col)) {
      yield fault("clue-in-wall", `${head}: the clue is in a wall.`, { faces });
    } else if (typeof clue.number === "number") {
      const seen = sees(line, clue);
      if (seen !== clue.number) {
        const text = `${head}: the clue sees ${seen} ${seen === 1 ? "cell" : "cells"}.`;
        yield fault("wrong-number", text, { faces });
      }
    }
  }
}

/** @type {import("./common.js").Genre} */
export const GENRE = {
  title: "Cave",
  cells: "faces",
  shades: true,
  rules: [noLoop, branch, deadEnd, caveDivided, wallEnclosed, wrongNumber],
  lasting: [branch],
  met: (_, clue, line) =>
    line.hasSides &&
    line.isInside(clue.row, clue.col) &&
    (typeof clue.number !== "number" || sees(line, clue) === clue.number),
  glyph: (clue) => ({ text: says(clue), fill: null, arrow: null, shape: "box" }),
  says,
};
