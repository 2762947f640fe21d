// What a browser keeps: merging is a join, storage may fail, files come in.
import assert from "node:assert/strict";
import { test } from "node:test";

import { NONE, Store, merged } from "../../castlecp/web/js/store.js";

class Memory {
  constructor(room = Infinity) {
    this.map = new Map();
    this.room = room;
  }
  get length() {
    return this.map.size;
  }
  key(k) {
    return [...this.map.keys()][k] ?? null;
  }
  getItem(key) {
    return this.map.get(key) ?? null;
  }
  setItem(key, text) {
    const others = [...this.map].reduce((sum, [k, v]) => sum + (k === key ? 0 : v.length), 0);
    if (others + text.length > this.room) throw new Error("QuotaExceededError");
    this.map.set(key, text);
  }
  removeItem(key) {
    this.map.delete(key);
  }
}

function* progresses() {
  for (const epoch of [0, 1]) {
    for (const solved of [false, true]) {
      for (const hints of [0, 3]) {
        for (const best of [null, 10, 20]) yield { ...NONE, epoch, solved, hints, best };
      }
    }
  }
}

test("merging is commutative, associative and idempotent", () => {
  const all = [...progresses()];
  for (const a of all) {
    assert.deepEqual(merged(a, a), a);
    for (const b of all) {
      assert.deepEqual(merged(a, b), merged(b, a));
      for (const c of all) assert.deepEqual(merged(merged(a, b), c), merged(a, merged(b, c)));
    }
  }
});

const board = (rows, more = {}) => ({
  v: 1,
  puzzle: { type: "castle", rows, cols: 3, clues: [] },
  origin: { kind: "link", name: "x", path: "/" },
  progress: NONE,
  game: { v: 1, at: 2, time: 5, log: [[1, [0, 0, 0, 1]], [2, [0, 1, 0, 2]]] },
  seen: rows,
  ...more,
});

test("boards come back, the latest first, and older ones keep only what is drawn", () => {
  const store = new Store(new Memory());
  for (let k = 2; k < 40; k++) store.put(board(k));
  assert.equal(store.all()[0].puzzle.rows, 39);
  store.tidy();
  assert.equal(store.all()[0].game.log.length, 2);
  assert.deepEqual(store.all().at(-1).game.log, [[5, [0, 0, 0, 1, 0, 1, 0, 2]]]);
});

test("a storage that is full makes room, one that is none is told once", () => {
  const told = [];
  const full = new Store(new Memory(Math.round(2.8 * JSON.stringify(board(4)).length)), (problem) => told.push(problem));
  for (let k = 2; k < 5; k++) full.put(board(k));
  assert.ok(full.get(board(4).puzzle).game);
  assert.ok(full.all().some(({ game }) => game === null));
  assert.deepEqual(told, []);
  for (let k = 5; k < 12; k++) full.put(board(k));
  const none = new Store(null, (problem) => told.push(problem));
  none.put(board(3));
  none.put(board(4));
  assert.deepEqual(none.all(), []);
  assert.deepEqual(told, ["full", "blocked"]);
});

test("a file comes in: progress merges, a newer drawing wins", () => {
  const [one, two] = [new Store(new Memory()), new Store(new Memory())];
  one.put(board(5, { seen: 9, progress: { ...NONE, hints: 4 } }));
  two.put(board(5, { seen: 1, game: null, progress: { ...NONE, solved: true } }));
  assert.equal(two.imported(one.exported()), 1);
  const mine = two.get(board(5).puzzle);
  assert.ok(mine.progress.solved && mine.progress.hints === 4 && mine.game.at === 2);
  assert.throws(() => two.imported("{}"), /not a file/);
});
