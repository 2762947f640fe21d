// Mouse, pen and touch: from where the pointer goes to strokes of the game. Two fingers and the
// wheel zoom and never draw.

import { EDGE, FACE, INSIDE, OFF, ON, OUTSIDE, TICK } from "./game.js";
import { MARGIN, UNIT } from "./board.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {"line" | "exclude" | "shade"} Tool */

/** Milliseconds until a press that does not move crosses an edge out. */
const LONG = 450;
/** Pixels that a finger may move within a tap. */
const STILL = 9;
/** Pixels a cell below which the first tap comes nearer. */
const SMALL = 24;
const NEAR = 40;

/**
 * What the next state of an edge is when it is tapped.
 * @param {number} state
 */
export const nextEdge = (state) => (state === 0 ? ON : state === ON ? OFF : 0);
/** The same for a face: shading comes first. @param {number} state */
export const nextFace = (state) => (state === 0 ? OUTSIDE : state === OUTSIDE ? INSIDE : 0);

export class Pointer {
  /**
   * @param {HTMLElement} place what takes the pointer
   * @param {BoardView} view
   * @param {{changed: () => void, tool: () => Tool}} page
   */
  constructor(place, view, page) {
    this.place = place;
    this.view = view;
    this.page = page;
    /** The part of the picture that is shown. */
    this.box = { x: 0, y: 0, w: view.width, h: view.height };
    /** @type {Map<number, {x: number, y: number}>} */
    this.down = new Map();
    /** @type {Stroking | null} */
    this.stroking = null;
    /** @type {{gap: number, x: number, y: number} | null} */
    this.pinch = null;
    this.timer = 0;
    const options = { signal: (this.stop = new AbortController()).signal };
    place.addEventListener("pointerdown", (event) => this.begin(event), options);
    place.addEventListener("pointermove", (event) => this.move(event), options);
    place.addEventListener("pointerup", (event) => this.end(event), options);
    place.addEventListener("pointercancel", (event) => this.drop(event), options);
    place.addEventListener("contextmenu", (event) => event.preventDefault(), options);
    place.addEventListener("wheel", (event) => this.wheel(event), { ...options, passive: false });
  }

  /** Where a pointer is, in units of the picture. @param {{clientX: number, clientY: number}} event */
  point({ clientX, clientY }) {
    const { left, top, width, height } = this.view.svg.getBoundingClientRect();
    const scale = Math.min(width / this.box.w, height / this.box.h);
    return {
      x: this.box.x + (clientX - left - (width - this.box.w * scale) / 2) / scale,
      y: this.box.y + (clientY - top - (height - this.box.h * scale) / 2) / scale,
      scale,
    };
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.button === 1) return;
    this.place.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.down.size === 2) {
      // What the first finger began was no stroke.
      this.abandon();
      this.pinch = this.fingers();
      return;
    }
    if (this.down.size > 2) return;
    const at = this.point(event);
    if (event.pointerType === "touch" && at.scale * UNIT < SMALL) {
      this.nearer(at, event);
      return;
    }
    const tool = event.button === 2 ? "exclude" : this.page.tool();
    this.stroking = new Stroking(this.view, tool, at, { x: event.clientX, y: event.clientY });
    if (tool === "line") {
      this.timer = window.setTimeout(() => {
        if (this.stroking && !this.stroking.moved) {
          this.stroking.press();
          this.finish();
          navigator.vibrate?.(12);
        }
      }, LONG);
    }
    if (this.stroking.paints) this.view.draw();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const finger = this.down.get(event.pointerId);
    if (!finger) return;
    [finger.x, finger.y] = [event.clientX, event.clientY];
    if (this.pinch) {
      this.zoomByFingers();
      return;
    }
    if (!this.stroking) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const one of events.length ? events : [event]) {
      this.stroking.go(this.point(one), { x: one.clientX, y: one.clientY });
    }
    if (this.stroking.moved) window.clearTimeout(this.timer);
    this.view.draw();
  }

  /** @param {PointerEvent} event */
  end(event) {
    this.down.delete(event.pointerId);
    if (this.pinch) {
      if (this.down.size < 2) this.pinch = null;
      return;
    }
    if (!this.stroking) return;
    this.stroking.lift();
    this.finish();
  }

  /** @param {PointerEvent} event */
  drop(event) {
    this.down.delete(event.pointerId);
    if (this.down.size < 2) this.pinch = null;
    this.abandon();
  }

  finish() {
    window.clearTimeout(this.timer);
    this.stroking = null;
    if (this.view.game.commit()) this.page.changed();
    this.view.draw();
  }

  abandon() {
    window.clearTimeout(this.timer);
    if (this.stroking) this.view.game.cancel();
    this.stroking = null;
    this.view.draw();
  }

  /** The gap between two fingers, and the point between them. */
  fingers() {
    const [a, b] = [...this.down.values()];
    return { gap: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  zoomByFingers() {
    if (!this.pinch || this.down.size < 2) return;
    const now = this.fingers();
    const from = this.point({ clientX: this.pinch.x, clientY: this.pinch.y });
    this.zoom(now.gap / this.pinch.gap, from, now);
    this.pinch = now;
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const at = this.point(event);
    if (event.ctrlKey || event.metaKey || this.box.w >= this.view.width || !event.shiftKey) {
      this.zoom(Math.exp(-event.deltaY * 0.0016), at, { x: event.clientX, y: event.clientY });
    } else {
      this.show({ ...this.box, x: this.box.x + event.deltaX / at.scale, y: this.box.y + event.deltaY / at.scale });
    }
  }

  /**
   * Zoom by a factor so that a point of the picture comes to a place on the screen.
   * @param {number} factor @param {{x: number, y: number}} point @param {{x: number, y: number}} place
   */
  zoom(factor, point, place) {
    const w = Math.min(this.view.width, Math.max(this.box.w / factor, UNIT * 3));
    const h = (w * this.view.height) / this.view.width;
    const { left, top, width, height } = this.view.svg.getBoundingClientRect();
    const scale = Math.min(width / w, height / h);
    this.show({
      w,
      h,
      x: point.x - (place.x - left - (width - w * scale) / 2) / scale,
      y: point.y - (place.y - top - (height - h * scale) / 2) / scale,
    });
  }

  /** Come so near to a tap that a finger hits one edge. @param {{x: number, y: number, scale: number}} at @param {PointerEvent} event */
  nearer(at, event) {
    this.zoom(NEAR / (at.scale * UNIT), at, { x: event.clientX, y: event.clientY });
  }

  /** @param {{x: number, y: number, w: number, h: number}} box */
  show({ x, y, w, h }) {
    const clamp = (/** @type {number} */ value, /** @type {number} */ room) =>
      room <= 0 ? room / 2 : Math.min(Math.max(0, value), room);
    this.box = { w, h, x: clamp(x, this.view.width - w), y: clamp(y, this.view.height - h) };
    this.view.svg.setAttribute("viewBox", `${this.box.x} ${this.box.y} ${w} ${h}`);
  }

  /** The whole board again. */
  whole() {
    this.show({ x: 0, y: 0, w: this.view.width, h: this.view.height });
  }
}

/** A stroke under way: what the pointer has changed since it came down. */
class Stroking {
  /**
   * @param {BoardView} view @param {Tool} tool
   * @param {{x: number, y: number}} at in units of the picture
   * @param {{x: number, y: number}} finger in pixels
   */
  constructor(view, tool, at, finger) {
    this.view = view;
    this.game = view.game;
    this.tool = tool;
    this.start = this.at = at;
    this.finger = finger;
    this.moved = false;
    /** What the stroke writes; its first place decides. @type {number | null} */
    this.writes = null;
    /** The vertex that the line has come to. */
    this.vertex = this.nearestVertex(at);
    this.pressed = false;
    this.game.begin();
    if (tool === "shade") this.shade(at);
  }

  /** Whether something is drawn before the pointer moves. */
  get paints() {
    return this.tool === "shade";
  }

  /** @param {{x: number, y: number}} at @param {{x: number, y: number}} finger */
  go(at, finger) {
    if (this.pressed) return;
    this.moved ||= Math.hypot(finger.x - this.finger.x, finger.y - this.finger.y) > STILL;
    if (this.moved) {
      if (this.tool === "shade") this.between(this.at, at, (point) => this.shade(point));
      else if (this.tool === "exclude") this.between(this.at, at, (point) => this.exclude(point));
      else this.walk(this.nearestVertex(at));
    }
    if (this.moved || this.tool !== "line") this.at = at;
  }

  /** The pointer comes up. */
  lift() {
    if (this.pressed || this.tool === "shade") return;
    if (this.tool === "exclude") {
      if (!this.moved) this.exclude(this.start);
    } else if (!this.moved) {
      this.tap();
    }
  }

  /** A long press excludes. */
  press() {
    this.pressed = true;
    this.exclude(this.start);
  }

  /** A tap on a clue ticks it, beside an edge cycles the edge. */
  tap() {
    const clue = this.clueAt(this.start);
    if (clue >= 0) {
      this.game.set(TICK, clue, this.game.get(TICK, clue) ? 0 : 1);
      return;
    }
    const edge = this.edgeAt(this.start, 0.5);
    if (edge >= 0) this.game.set(EDGE, edge, nextEdge(this.game.get(EDGE, edge)));
  }

  /** Draw to a vertex, over all that lie between. @param {[number, number]} to */
  walk(to) {
    let [r, c] = this.vertex;
    while (r !== to[0] || c !== to[1]) {
      const [down, right] = [to[0] - r, to[1] - c];
      const [nr, nc] =
        Math.abs(down) > Math.abs(right) ? [r + Math.sign(down), c] : [r, c + Math.sign(right)];
      const edge = this.game.lattice.edge(r, c, nr, nc);
      if (edge < 0) break;
      this.writes ??= this.game.get(EDGE, edge) === ON ? 0 : ON;
      this.game.set(EDGE, edge, this.writes);
      [r, c] = [nr, nc];
    }
    this.vertex = /** @type {[number, number]} */ ([r, c]);
  }

  /** @param {{x: number, y: number}} at */
  exclude(at) {
    const edge = this.edgeAt(at, this.moved ? 0.3 : 0.5);
    if (edge < 0) return;
    this.writes ??= this.game.get(EDGE, edge) === OFF ? 0 : OFF;
    this.game.set(EDGE, edge, this.writes);
  }

  /** @param {{x: number, y: number}} at */
  shade(at) {
    const face = this.faceAt(at);
    if (face < 0) return;
    this.writes ??= nextFace(this.game.get(FACE, face));
    this.game.set(FACE, face, this.writes);
  }

  /**
   * Points on the way from one to another, close enough that none of the board is jumped over.
   * @param {{x: number, y: number}} from @param {{x: number, y: number}} to
   * @param {(at: {x: number, y: number}) => void} visit
   */
  between(from, to, visit) {
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / (UNIT / 8)));
    for (let k = 1; k <= steps; k++) {
      visit({ x: from.x + ((to.x - from.x) * k) / steps, y: from.y + ((to.y - from.y) * k) / steps });
    }
  }

  /** In cells from the first vertex. @param {{x: number, y: number}} at */
  cells({ x, y }) {
    const shift = MARGIN + (this.view.atVertices ? UNIT / 2 : 0);
    return { x: (x - shift) / UNIT, y: (y - shift) / UNIT };
  }

  /** @param {{x: number, y: number}} at @returns {[number, number]} */
  nearestVertex(at) {
    const { x, y } = this.cells(at);
    const { rows, cols } = this.game.lattice;
    return [clamp(Math.round(y), rows - 1), clamp(Math.round(x), cols - 1)];
  }

  /**
   * The edge whose middle is nearest, at most so many cells away; -1 when there is none.
   * @param {{x: number, y: number}} at @param {number} most
   */
  edgeAt(at, most) {
    const { x, y } = this.cells(at);
    const { lattice } = this.game;
    let [best, least] = [-1, most];
    for (const r of [Math.floor(y), Math.floor(y) + 1]) {
      for (const c of [Math.floor(x), Math.floor(x) + 1]) {
        for (const edge of lattice.has(r, c) ? lattice.at(r, c) : []) {
          const [r1, c1, r2, c2] = lattice.ends(edge);
          const far = Math.hypot(x - (c1 + c2) / 2, y - (r1 + r2) / 2);
          if (far < least) [best, least] = [edge, far];
        }
      }
    }
    return best;
  }

  /** @param {{x: number, y: number}} at */
  faceAt(at) {
    const { x, y } = this.cells(at);
    return this.game.lattice.face(Math.floor(y), Math.floor(x));
  }

  /** The cell of a clue under a point, away from every edge; -1 when there is none. @param {{x: number, y: number}} at */
  clueAt(at) {
    const { puzzle } = this.game;
    const [c, r] = [(at.x - MARGIN) / UNIT, (at.y - MARGIN) / UNIT];
    const [row, col] = [Math.floor(r), Math.floor(c)];
    if (Math.max(Math.abs(r - row - 0.5), Math.abs(c - col - 0.5)) > 0.3) return -1;
    return puzzle.clues.some((clue) => clue.row === row && clue.col === col)
      ? row * puzzle.cols + col
      : -1;
  }
}

/** @param {number} value @param {number} most */
const clamp = (value, most) => Math.min(Math.max(0, value), most);
