// What a browser keeps of every board: progress that only grows, and the game with its strokes.
// Every access to the storage is guarded: it may be full, forbidden or emptied at any time.

/** @typedef {import("./game.js").Saved} Saved */
/** @typedef {import("./rules/common.js").Puzzle} Puzzle */

/**
 * Progress on one board. `epoch` counts resets; within one, counters and flags only grow and
 * `best` (seconds) only falls, so that records merge in any order.
 * @typedef {{epoch: number, solved: boolean, accused: boolean, hints: number, checks: number, seconds: number, best: number | null}} Progress
 */

/**
 * Where a board comes from, to name it: a level, a seed, a link, a day.
 * @typedef {{kind: "level" | "bank" | "made" | "link" | "daily" | "draft", name: string, path: string}} Origin
 */

/**
 * @typedef {{v: 1, puzzle: Puzzle, origin: Origin, progress: Progress, game: Saved | null, seen: number}} Kept
 */

const PREFIX = "castlecp 1 board ";
const SETTINGS = "castlecp 1 settings";
/** Boards whose strokes are kept; older ones keep what is drawn. */
const LOGS = 30;

/** @type {Progress} */
export const NONE = {
  epoch: 0,
  solved: false,
  accused: false,
  hints: 0,
  checks: 0,
  seconds: 0,
  best: null,
};

/**
 * Two records of one board as one: the later epoch whole, or of one epoch the greater counters,
 * either flag and the better time. In any order and any number of times it comes to the same.
 * @param {Progress} a @param {Progress} b
 * @returns {Progress}
 */
export function merged(a, b) {
  if (a.epoch !== b.epoch) return a.epoch > b.epoch ? a : b;
  const bests = [a.best, b.best].filter((best) => best !== null);
  return {
    epoch: a.epoch,
    solved: a.solved || b.solved,
    accused: a.accused || b.accused,
    hints: Math.max(a.hints, b.hints),
    checks: Math.max(a.checks, b.checks),
    seconds: Math.max(a.seconds, b.seconds),
    best: bests.length ? Math.min(...bests) : null,
  };
}

/**
 * The name of a board: its JSON without what is as usual, keys in order. The same board from a
 * link, a level or a seed is one board.
 * @param {Puzzle} puzzle
 */
export function keyOf(puzzle) {
  const { type, rows, cols } = puzzle;
  /** @type {Record<string, unknown>} */
  const out = { type, rows, cols };
  const clues = [...puzzle.clues].sort((a, b) => a.row - b.row || a.col - b.col);
  if (clues.length) {
    out.clues = clues.map(({ row, col, color, arrow, number }) => ({
      row,
      col,
      ...(color ? { color } : {}),
      ...(arrow ? { arrow } : {}),
      ...(typeof number === "number" ? { number } : {}),
    }));
  }
  if (puzzle.visits_all) out.visits_all = true;
  if (Object.keys(puzzle.places ?? {}).length) out.places = puzzle.places;
  if (puzzle.statements?.length) out.statements = puzzle.statements;
  if (puzzle.false_statements) out.false_statements = puzzle.false_statements;
  return JSON.stringify(out);
}

export class Store {
  /**
   * @param {Storage | null} storage @param {(problem: string) => void} [failed] told once when the
   * storage fails; the page goes on without it
   */
  constructor(storage, failed = () => {}) {
    this.storage = storage;
    this.failed = failed;
    this.told = false;
  }

  /** @param {string} key */
  read(key) {
    try {
      return this.storage?.getItem(key) ?? null;
    } catch {
      this.tell("blocked");
      return null;
    }
  }

  /** Whether a text could be written. @param {string} key @param {string} text */
  write(key, text) {
    try {
      this.storage?.setItem(key, text);
      return this.storage !== null;
    } catch {
      return false;
    }
  }

  /** @param {string} problem */
  tell(problem) {
    if (this.told) return;
    this.told = true;
    this.failed(problem);
  }

  /** @returns {Record<string, unknown>} */
  get settings() {
    return parsed(this.read(SETTINGS)) ?? {};
  }

  /** @param {Record<string, unknown>} more */
  set(more) {
    if (!this.write(SETTINGS, JSON.stringify({ ...this.settings, ...more }))) this.tell("blocked");
  }

  /** @param {Puzzle} puzzle @returns {Kept | null} */
  get(puzzle) {
    return kept(this.read(PREFIX + keyOf(puzzle)));
  }

  /** @param {Kept} board */
  put(board) {
    const key = PREFIX + keyOf(board.puzzle);
    if (this.write(key, JSON.stringify(board))) return;
    // Room is made by what was not looked at for longest, undo first.
    for (const old of this.all().reverse()) {
      if (old.seen === board.seen || !old.game) continue;
      this.write(PREFIX + keyOf(old.puzzle), JSON.stringify({ ...old, game: null }));
      if (this.write(key, JSON.stringify(board))) return;
    }
    this.tell(this.storage ? "full" : "blocked");
  }

  /** Every board that is kept, the latest first. */
  all() {
    /** @type {Kept[]} */
    const out = [];
    try {
      for (let k = 0; k < (this.storage?.length ?? 0); k++) {
        const key = this.storage?.key(k);
        const board = key?.startsWith(PREFIX) ? kept(this.read(key)) : null;
        if (board) out.push(board);
      }
    } catch {
      this.tell("blocked");
    }
    return out.sort((a, b) => b.seen - a.seen);
  }

  /** Boards beyond the latest keep what is drawn, and no longer how it came to be. */
  tidy() {
    for (const board of this.all().slice(LOGS)) {
      if (!board.game || board.game.log.length < 2) continue;
      /** @type {Map<string, number[]>} */
      const last = new Map();
      for (const [, flat] of board.game.log.slice(0, board.game.at)) {
        for (let k = 0; k < flat.length; k += 4) {
          const [kind, index, , now] = flat.slice(k, k + 4);
          last.set(`${kind} ${index}`, [kind, index, 0, now]);
        }
      }
      const changes = [...last.values()].filter(([, , , now]) => now !== 0).flat();
      board.game = { ...board.game, at: 1, log: [[board.game.time, changes]] };
      this.put(board);
    }
  }

  /** @param {Puzzle} puzzle */
  forget(puzzle) {
    try {
      this.storage?.removeItem(PREFIX + keyOf(puzzle));
    } catch {
      this.tell("blocked");
    }
  }

  /** Everything, as the text of a file. */
  exported() {
    return JSON.stringify({ format: "castlecp-progress-1", boards: this.all() }, null, 1);
  }

  /**
   * Take a file of `exported` in: progress merges, a drawing is taken where none is or it is newer.
   * @param {string} text
   * @returns {number} how many boards it has. Throws an Error for any other file.
   */
  imported(text) {
    const file = parsed(text);
    if (file?.format !== "castlecp-progress-1" || !Array.isArray(file.boards)) {
      throw new Error("not a file of castlecp's progress");
    }
    let count = 0;
    for (const one of file.boards) {
      const board = kept(JSON.stringify(one));
      if (!board) continue;
      const mine = this.get(board.puzzle);
      const newer = !mine || (board.seen > mine.seen && board.game !== null);
      this.put({
        ...(newer ? board : mine),
        progress: merged(board.progress, mine?.progress ?? board.progress),
      });
      count++;
    }
    return count;
  }
}

/** @param {string | null} text */
function parsed(text) {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** A stored board, if that is what it is. @param {string | null} text @returns {Kept | null} */
function kept(text) {
  const board = parsed(text);
  const whole =
    board?.v === 1 &&
    typeof board.puzzle?.type === "string" &&
    Array.isArray(board.puzzle.clues) &&
    Number.isInteger(board.puzzle.rows) &&
    Number.isInteger(board.puzzle.cols) &&
    typeof board.origin?.name === "string" &&
    typeof board.progress === "object";
  if (!whole) return null;
  return { ...board, progress: { ...NONE, ...board.progress }, game: board.game ?? null };
}
