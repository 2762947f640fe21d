// A game of random strokes: undo, redo, suppositions, storage.
import assert from "node:assert/strict";
import { test } from "node:test";

import { EDGE, FACE, Game, OFF, ON, OUTSIDE, TICK } from "../../castlecp/web/js/game.js";
import { board } from "../../castlecp/web/js/rules/common.js";

const GENRES = ["castle", "cave", "mashu", "slither"];

/** Numbers from 0 to 1 by a seed. */
function* numbers(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

async function blank(type, rows, cols) {
  const { GENRE } = await import(`../../castlecp/web/js/rules/${type}.js`);
  return new Game(board({ type, rows, cols }), GENRE);
}

const shown = ({ drawing, supposing }) =>
  JSON.stringify([[...drawing.edges], [...drawing.faces], [...drawing.ticks], supposing]);

/** Do something by chance; what is drawn after each step that was logged. */
function play(game, seed, steps) {
  const random = numbers(seed);
  const below = (n) => Math.floor(random.next().value * n);
  const states = [shown(game)];
  for (let k = 0; k < steps; k++) {
    const before = game.at;
    const dice = below(12);
    if (dice === 0) game.suppose();
    else if (dice === 1) game.keep();
    else if (dice === 2) game.takeBack();
    else if (dice === 3 && below(4) === 0) game.clear();
    else {
      game.begin();
      for (let n = below(4) + 1; n > 0; n--) {
        const kind = [EDGE, EDGE, FACE, TICK][below(4)];
        game.set(kind, below(game.drawing.of(kind).length), below(kind === TICK ? 2 : 3));
      }
      if (below(8) === 0) game.cancel();
      else game.commit();
    }
    game.time += below(1000);
    assert.ok(game.at - before <= 1);
    if (game.at > before) states.push(shown(game));
    else assert.equal(shown(game), states.at(-1));
  }
  return states;
}

for (const genre of GENRES) {
  test(`${genre}: undo all is the start, redo all the end, and every state between`, async () => {
    for (let seed = 0; seed < 30; seed++) {
      const game = await blank(genre, 2 + (seed % 4), 5);
      const states = play(game, seed, 60);
      for (let k = states.length - 2; k >= 0; k--) {
        assert.ok(game.undo());
        assert.equal(shown(game), states[k]);
      }
      assert.ok(!game.undo());
      for (const state of states.slice(1)) {
        assert.ok(game.redo());
        assert.equal(shown(game), state);
      }
      assert.ok(!game.redo());
    }
  });

  test(`${genre}: a game that is stored at any point goes on the same`, async () => {
    for (let seed = 0; seed < 30; seed++) {
      const game = await blank(genre, 4, 3 + (seed % 4));
      const states = play(game, seed, 40);
      game.goTo(seed % states.length);
      const again = await blank(genre, 4, 3 + (seed % 4));
      again.load(JSON.parse(JSON.stringify(game.save())));
      assert.equal(shown(again), shown(game));
      assert.equal(again.time, game.time);
      again.goTo(states.length - 1);
      assert.equal(shown(again), states.at(-1));
    }
  });
}

test("a supposition remembers its assumption, and taking back leaves what was before", async () => {
  const game = await blank("castle", 4, 4);
  game.stroke([[EDGE, 0, ON]]);
  game.suppose();
  game.stroke([[EDGE, 5, OFF]]);
  game.stroke([[EDGE, 0, OFF], [FACE, 1, OUTSIDE]]);
  assert.deepEqual(game.supposing, [{ from: 1, first: [EDGE, 5, OFF] }]);
  assert.equal(game.depths().edges[0], 1);
  game.suppose();
  game.stroke([[EDGE, 7, ON]]);
  assert.equal(game.depths().edges[7], 2);
  game.takeBack();
  assert.deepEqual([game.get(EDGE, 7), game.get(EDGE, 5)], [0, OFF]);
  game.takeBack();
  assert.deepEqual([game.get(EDGE, 0), game.get(EDGE, 5), game.get(FACE, 1)], [ON, 0, 0]);
  assert.deepEqual(game.supposing, []);
  game.undo();
  assert.deepEqual([game.get(EDGE, 0), game.supposing.length], [OFF, 1]);
});

test("a damaged store loses what does not fit, and no more", async () => {
  const game = await blank("castle", 3, 3);
  game.stroke([[EDGE, 0, ON]]);
  game.stroke([[EDGE, 1, ON]]);
  const saved = game.save();
  saved.log.push([0, [EDGE, 999, 0, 1]], [0, [EDGE, 2, 0, 1]]);
  saved.at = 99;
  game.load(saved);
  assert.equal(game.at, 2);
});
