// Boards from wherever they come: the service's banks, levels and days, links, seeds.

import * as api from "./api.js";
import { Lattice, Line } from "./lattice.js";
import { board } from "./rules/common.js";

/** @typedef {import("./rules/common.js").Puzzle} Puzzle */
/** @typedef {import("./store.js").Origin} Origin */
/** @typedef {{puzzle: Puzzle, origin: Origin, about?: string}} Found */

/** The genres that the page can play, in the order in which it shows them. */
export const GENRES = /** @type {const} */ (["castle", "slither", "cave", "mashu"]);
export const LEVELS = /** @type {const} */ (["easy", "normal", "hard", "expert"]);

/** @param {string} type @returns {Promise<import("./rules/common.js").Genre>} */
export async function genreOf(type) {
  if (!GENRES.some((name) => name === type)) throw new Error(`This page has no rules for ${type}.`);
  return (await import(`./rules/${type}.js`)).GENRE;
}

/**
 * A line of a bank as a board.
 * @param {any} line @param {Origin["kind"]} kind @param {string} [path]
 * @returns {Found}
 */
function made(line, kind, path) {
  const { genre, rows, cols, difficulty } = line.settings;
  const name = `${difficulty} · ${line.seed}`;
  return {
    puzzle: board(line.puzzle),
    origin: { kind, name, path: path ?? `/b/${genre}/${rows}x${cols}/${difficulty}/${line.seed}` },
  };
}

/** @param {string} genre @param {string} difficulty @param {number} [limit] @returns {Promise<Found[]>} */
export async function bank(genre, difficulty, limit = 8) {
  const page = await api.json(`/banks/${genre}?difficulty=${difficulty}&limit=${limit}`);
  return page.boards.map((/** @type {any} */ line) => made(line, "bank"));
}

/** @param {string} day @returns {Promise<Found>} */
export async function daily(day) {
  const { board: line } = await api.json(`/daily/${day}`);
  const found = made(line, "daily", `/b/daily/${day}`);
  found.origin.name = `${day} · ${line.settings.difficulty}`;
  return found;
}

/** @returns {Promise<string[]>} */
export const levels = async () => (await api.json("/levels")).levels;

/** @param {string} name @returns {Promise<Found>} */
export async function level(name) {
  const json = await api.json(`/levels/${name}`);
  return {
    puzzle: puzzleOf(json),
    origin: { kind: "level", name: json.name, path: `/b/level/${name}` },
    about: json.about,
  };
}

/**
 * The board of a level, whose author gave the inside as a mask: where the clues say `?`, the number
 * is that of the loop around it.
 * @param {{type: string, mask: string[], clues: string[], places?: Puzzle["places"], statements?: Puzzle["statements"], false_statements?: number, visits_all?: boolean}} json
 * @returns {Puzzle}
 */
export function puzzleOf({ type, mask, clues, ...rest }) {
  const [rows, cols] = [mask.length, mask[0].length];
  const lattice = new Lattice(rows + 1, cols + 1);
  const line = Line.around(lattice, (face) => {
    const [r, c] = lattice.faceAt(face);
    return mask[r][c] === "#";
  });
  const told = clues.flatMap((text, row) =>
    [...text].flatMap((sign, col) => {
      if (sign === ".") return [];
      const number = lattice.around(row, col).filter((edge) => line.edges[edge] === 1).length;
      return [{ row, col, number }];
    }),
  );
  const { places, statements, false_statements, visits_all } = rest;
  return { type, rows, cols, clues: told, places, statements, false_statements, visits_all };
}

/** Any text or link. @param {string} text @returns {Promise<Found>} */
export async function read(text) {
  const { puzzle } = await api.json("/convert", { board: text });
  const found = board(puzzle);
  return { puzzle: found, origin: { kind: "link", name: "", path: `/p?${address(text)}` } };
}

/** The part of an address that says the board; the text itself where it is none. @param {string} text */
function address(text) {
  const after = text.trim().match(/^https?:\/\/[^?]*\?(.*)$/s);
  return after ? after[1] : encodeURIComponent(text.trim());
}

/**
 * Make a board; `told` hears how it goes.
 * @param {{genre: string, rows: number, cols: number, difficulty: string, seed: number}} wish
 * @param {(phase: string) => void} told @param {AbortSignal} signal
 * @returns {Promise<Found>}
 */
export async function make(wish, told, signal) {
  for await (const [name, data] of api.events("/generate", wish, signal)) {
    if (name === "board") return made(data, "made");
    if (name === "progress") told(data.phase);
    if (name === "problem") throw new api.Refused(data.status ?? 500, data.detail);
  }
  throw new api.Offline();
}
