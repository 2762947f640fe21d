// Hints in three degrees: where to look, why, do it. They come from the server, or from the way to
// the answer that ships with a board.

import { EDGE, FACE, INSIDE, OFF, ON, OUTSIDE } from "./game.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./lattice.js").Place} Place */

/** @typedef {[number, number, number, number]} Ends an edge by the rows and columns of its ends */

/**
 * A step as castlecp writes it in JSON.
 * @typedef {{rung: string, sentence: string, on?: Ends[], off?: Ends[], relations?: [Place | null, Place | null, boolean][], places?: {vertices?: Place[], edges?: Ends[], faces?: Place[]}, then?: Step[]}} Step
 */

/** A hint: the step, what of it is not drawn yet, and whether it is about something wrong. */
export class Hint {
  /** @param {Game} game @param {Step} step */
  constructor(game, step) {
    this.step = step;
    this.isMistake = step.rung === "mistake";
    /** @type {[kind: number, index: number, now: number][]} */
    this.changes = conclusions(game, step).filter(
      ([kind, index, now]) => game.get(kind, index) !== now,
    );
  }

  /** @param {Game} game */
  reason(game) {
    const { vertices, faces, edges } = this.step.places ?? {};
    return { vertices, faces, edges: numbers(game, edges) };
  }

  /** @param {Game} game */
  toDraw(game) {
    /** @param {number} kind @param {number} now */
    const of = (kind, now) => this.changes.filter((one) => one[0] === kind && one[2] === now).map((one) => one[1]);
    return {
      on: of(EDGE, ON),
      off: of(EDGE, OFF),
      faces: [...of(FACE, INSIDE), ...of(FACE, OUTSIDE)].map((face) => game.lattice.faceAt(face)),
    };
  }
}

/** @param {Game} game @param {readonly Ends[]} [edges] */
const numbers = (game, edges = []) => edges.map((ends) => game.lattice.edge(...ends));

/**
 * What a step settles, as changes of the game.
 * @param {Game} game @param {Step} step
 * @returns {[kind: number, index: number, now: number][]}
 */
export function conclusions(game, step) {
  /** @type {[number, number, number][]} */
  const out = [];
  for (const edge of numbers(game, step.on)) out.push([EDGE, edge, ON]);
  for (const edge of numbers(game, step.off)) out.push([EDGE, edge, OFF]);
  for (const [face, other, differ] of step.relations ?? []) {
    if (face && other === null) out.push([FACE, game.lattice.face(...face), differ ? INSIDE : OUTSIDE]);
  }
  return [...out, ...(step.then ?? []).flatMap((part) => conclusions(game, part))];
}

/** The hints of a board whose whole way to the answer is known. */
export class KnownWay {
  /** @param {readonly Step[]} steps */
  constructor(steps) {
    this.steps = steps;
  }

  /**
   * What is drawn wrongly, else the first step of the way that is not drawn; null at the end.
   * @param {Game} game
   * @returns {Hint | null}
   */
  next(game) {
    /** @type {Map<string, number>} */
    const truth = new Map();
    for (const step of this.steps) {
      for (const [kind, index, now] of conclusions(game, step)) truth.set(`${kind} ${index}`, now);
    }
    const wrong = game
      .differences((kind, index) => {
        const drawn = game.get(kind, index);
        const right = truth.get(`${kind} ${index}`) ?? drawn;
        return drawn === 0 || drawn === right ? drawn : right;
      })
      .find(([kind]) => kind !== 2);
    if (wrong) return new Hint(game, mistake(game, wrong));
    const shading = game.genre.shades && !game.drawing.edges.includes(ON);
    for (const step of this.steps) {
      const hint = new Hint(game, step);
      const draws = hint.changes.some(([kind, , now]) =>
        shading ? kind === FACE && now === OUTSIDE : kind === EDGE && now === ON,
      );
      if (draws) return hint;
    }
    return null;
  }
}

/** @param {Game} game @param {import("./game.js").Change} change @returns {Step} */
function mistake(game, [kind, index, , now]) {
  if (kind === FACE) {
    const face = game.lattice.faceAt(index);
    const side = now === INSIDE ? "inside" : "outside";
    return {
      rung: "mistake",
      sentence: `Row ${face[0] + 1}, column ${face[1] + 1} is ${side}.`,
      relations: [[face, null, now === INSIDE]],
      places: { faces: [face] },
    };
  }
  const ends = game.lattice.ends(index);
  const words = `The edge from row ${ends[0] + 1}, column ${ends[1] + 1} to row ${ends[2] + 1}, column ${ends[3] + 1}`;
  return now === ON
    ? { rung: "mistake", sentence: `${words} is on the loop.`, on: [ends], places: { edges: [ends] } }
    : { rung: "mistake", sentence: `${words} is not on the loop.`, off: [ends], places: { edges: [ends] } };
}

/**
 * The number of the last stroke before a mistake was drawn, to undo to.
 * @param {Game} game @param {Hint} hint
 */
export function beforeMistake(game, hint) {
  let at = game.at;
  for (let k = game.at - 1; k >= 0; k--) {
    const wrong = game.log[k].changes.some(([kind, index, , now]) =>
      hint.changes.some(([k2, i2, right]) => kind === k2 && index === i2 && now !== 0 && now !== right),
    );
    if (wrong) at = k;
  }
  return at;
}
