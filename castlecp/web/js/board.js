// A game as an SVG: a static layer (grid, clues), then one path a row of edges, faces a row, hints,
// faults and the cursor. Only rows that changed are written, once a frame.

import { INSIDE, OFF, OUTSIDE } from "./game.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./lattice.js").Place} Place */
/** @typedef {import("./rules/common.js").Glyph} Glyph */

/** User units a cell. */
export const UNIT = 40;
/** Room around the board. */
export const MARGIN = 18;

const NS = "http://www.w3.org/2000/svg";
const TURNS = { right: 0, down: 90, left: 180, up: 270 };

/**
 * Places to mark: a hint's reason, the places of a fault.
 * @typedef {{vertices?: readonly Place[], faces?: readonly Place[], edges?: readonly number[]}} Marks
 */

/**
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {Element} [parent]
 */
export function svg(name, attributes = {}, parent) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

export class BoardView {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    const { puzzle, genre } = game;
    this.atVertices = genre.cells === "vertices";
    this.width = puzzle.cols * UNIT + 2 * MARGIN;
    this.height = puzzle.rows * UNIT + 2 * MARGIN;
    this.svg = /** @type {SVGSVGElement} */ (
      svg("svg", { class: `board ${puzzle.type}`, viewBox: `0 0 ${this.width} ${this.height}` })
    );
    this.svg.setAttribute("aria-hidden", "true");
    this.hatch = `hatch-${Math.random().toString(36).slice(2)}`;
    const pattern = svg(
      "pattern",
      { id: this.hatch, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("defs", {}, this.svg),
    );
    svg("rect", { width: 7, height: 7, class: "outside-ground" }, pattern);
    svg("path", { d: "M0 0V7", class: "outside-hatch" }, pattern);
    const ground = this.layer("ground");
    this.faceRows = this.rows(this.game.lattice.rows - 1, ["inside", "outside"]);
    for (const { outside } of this.faceRows) outside.setAttribute("fill", `url(#${this.hatch})`);
    this.grid(ground);
    this.reasons = this.layer("reasons");
    /** @type {Element[]} */
    this.clues = [];
    this.drawClues(this.layer("clues"));
    this.fence = this.layer("fence");
    this.edgeRows = this.rows(this.game.lattice.rows, ["line", "supposed", "crosses"]);
    this.marks = this.layer("marks");
    this.cursor = svg("path", { class: "cursor", d: "" }, this.svg);
    this.frame = 0;
    this.paint();
  }

  /** @param {string} name */
  layer(name) {
    return svg("g", { class: name }, this.svg);
  }

  /**
   * @template {string} T
   * @param {number} count @param {T[]} names
   * @returns {Record<T, Element>[]}
   */
  rows(count, names) {
    const groups = names.map((name) => this.layer(name));
    return Array.from({ length: count }, () => {
      const row = /** @type {Record<T, Element>} */ ({});
      names.forEach((name, k) => (row[name] = svg("path", { d: "" }, groups[k])));
      return row;
    });
  }

  /** Where a vertex is. @param {number} r @param {number} c @returns {[number, number]} x and y */
  vertex(r, c) {
    const shift = MARGIN + (this.atVertices ? UNIT / 2 : 0);
    return [shift + c * UNIT, shift + r * UNIT];
  }

  /** The middle of a cell. @param {number} r @param {number} c @returns {[number, number]} */
  cell(r, c) {
    return [MARGIN + (c + 0.5) * UNIT, MARGIN + (r + 0.5) * UNIT];
  }

  /** Lines between cells, or points. @param {Element} ground */
  grid(ground) {
    const { rows, cols } = this.game.puzzle;
    const [w, h] = [cols * UNIT, rows * UNIT];
    svg("rect", { x: MARGIN, y: MARGIN, width: w, height: h, class: "sheet" }, ground);
    const layer = this.layer("grid");
    let lines = "";
    for (let r = 0; r <= rows; r++) lines += `M${MARGIN} ${MARGIN + r * UNIT}h${w}`;
    for (let c = 0; c <= cols; c++) lines += `M${MARGIN + c * UNIT} ${MARGIN}v${h}`;
    svg("path", { d: lines, class: "cells" }, layer);
    const { lattice } = this.game;
    let dots = "";
    const taken = new Set(this.atVertices ? this.game.puzzle.clues.map(({ row, col }) => `${row} ${col}`) : []);
    for (let r = 0; r < lattice.rows; r++) {
      for (let c = 0; c < lattice.cols; c++) {
        const [x, y] = this.vertex(r, c);
        if (!taken.has(`${r} ${c}`)) dots += `M${x} ${y}h0`;
      }
    }
    svg("path", { d: dots, class: "points" }, layer);
  }

  /** @param {Element} layer */
  drawClues(layer) {
    const { puzzle, genre } = this.game;
    const tags = new Map(
      Object.values(puzzle.places ?? {}).map(([r, c], k) => [`${r} ${c}`, letter(k)]),
    );
    for (const clue of puzzle.clues) {
      const group = svg("g", { class: "clue" }, layer);
      const [x, y] = this.cell(clue.row, clue.col);
      drawGlyph(group, genre.glyph(clue), x, y);
      this.clues.push(group);
    }
    for (const [place, tag] of tags) {
      const [r, c] = place.split(" ").map(Number);
      const [x, y] = this.cell(r, c);
      const text = svg("text", { x: x - UNIT / 2 + 9, y: y - UNIT / 2 + 13, class: "tag" }, layer);
      text.textContent = tag;
    }
  }

  /** Show what is drawn, in the next frame. */
  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  /** Show what is drawn, now. */
  paint() {
    const { game } = this;
    const { lattice } = game;
    const { edges, faces } = game.drawing;
    const depths = game.depths();
    for (let r = 0; r < lattice.rows; r++) {
      let line = "";
      let supposed = "";
      let crosses = "";
      for (const e of this.edgesOfRow(r)) {
        if (edges[e] === 0) continue;
        const [r1, c1, r2, c2] = lattice.ends(e);
        const [x1, y1] = this.vertex(r1, c1);
        const [x2, y2] = this.vertex(r2, c2);
        if (edges[e] === OFF) {
          const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
          crosses += `M${x - 4} ${y - 4}l8 8m0-8l-8 8`;
        } else if (depths.edges[e]) {
          supposed += `M${x1} ${y1}L${x2} ${y2}`;
        } else {
          line += `M${x1} ${y1}L${x2} ${y2}`;
        }
      }
      write(this.edgeRows[r].line, line);
      write(this.edgeRows[r].supposed, supposed);
      write(this.edgeRows[r].crosses, crosses);
    }
    for (let r = 0; r < lattice.rows - 1; r++) {
      let inside = "";
      let outside = "";
      for (let c = 0; c < lattice.cols - 1; c++) {
        const state = faces[lattice.face(r, c)];
        if (state === 0) continue;
        const [x, y] = this.vertex(r, c);
        const box = `M${x} ${y}h${UNIT}v${UNIT}h${-UNIT}z`;
        if (state === INSIDE) inside += box;
        else outside += box;
      }
      write(this.faceRows[r].inside, inside);
      write(this.faceRows[r].outside, outside);
    }
    if (game.genre.shades) this.drawFence();
  }

  /** Where shading says where the line runs. */
  drawFence() {
    const { lattice, drawing } = this.game;
    const { faces, edges } = drawing;
    let fence = "";
    for (let e = 0; e < lattice.edges; e++) {
      if (edges[e] !== 0) continue;
      const [a, b] = lattice.besides(e).map((face) => (face < 0 ? OUTSIDE : faces[face]));
      if (a + b === INSIDE + OUTSIDE && a && b) fence += this.stroke(e);
    }
    const path = this.fence.firstElementChild ?? svg("path", {}, this.fence);
    write(path, fence);
  }

  /** @param {number} edge */
  stroke(edge) {
    const [r1, c1, r2, c2] = this.game.lattice.ends(edge);
    const [x1, y1] = this.vertex(r1, c1);
    const [x2, y2] = this.vertex(r2, c2);
    return `M${x1} ${y1}L${x2} ${y2}`;
  }

  /** The edges that begin in a row of vertices. @param {number} r */
  *edgesOfRow(r) {
    const { lattice } = this.game;
    for (let c = 0; c < lattice.cols - 1; c++) yield lattice.right(r, c);
    if (r < lattice.rows - 1) for (let c = 0; c < lattice.cols; c++) yield lattice.down(r, c);
  }

  /** Clues that ask for nothing more go quiet. @param {boolean[]} met by the number of the clue */
  showMet(met) {
    this.clues.forEach((clue, k) => {
      clue.classList.toggle("met", Boolean(met[k]));
      const { row, col } = this.game.puzzle.clues[k];
      clue.classList.toggle("ticked", this.game.drawing.ticks[row * this.game.puzzle.cols + col] > 0);
    });
  }

  /** Ring what is wrong. @param {readonly Marks[]} faults */
  showFaults(faults) {
    this.marks.replaceChildren();
    for (const { vertices = [], faces = [], edges = [] } of faults) {
      for (const [r, c] of vertices) {
        const [cx, cy] = this.vertex(r, c);
        svg("circle", { cx, cy, r: UNIT * 0.36, class: "fault" }, this.marks);
      }
      for (const [r, c] of faces) {
        const [x, y] = this.vertex(r, c);
        svg("rect", { x: x + 3, y: y + 3, width: UNIT - 6, height: UNIT - 6, rx: 4, class: "fault" }, this.marks);
      }
      for (const edge of edges) svg("path", { d: this.stroke(edge), class: "fault-edge" }, this.marks);
    }
  }

  /**
   * Where a hint says to look, and what it says to draw.
   * @param {Marks} reason @param {{on?: readonly number[], off?: readonly number[], faces?: readonly Place[]}} [then]
   */
  showHint(reason, then = {}) {
    this.reasons.replaceChildren();
    for (const [r, c] of reason.vertices ?? []) {
      const [x, y] = this.vertex(r, c);
      svg("circle", { cx: x, cy: y, r: UNIT * 0.55, class: "look" }, this.reasons);
    }
    for (const [r, c] of reason.faces ?? []) {
      const [x, y] = this.vertex(r, c);
      svg("rect", { x, y, width: UNIT, height: UNIT, class: "look" }, this.reasons);
    }
    for (const edge of reason.edges ?? []) svg("path", { d: this.stroke(edge), class: "look-edge" }, this.reasons);
    for (const edge of then.on ?? []) svg("path", { d: this.stroke(edge), class: "then-on" }, this.reasons);
    for (const edge of then.off ?? []) svg("path", { d: this.stroke(edge), class: "then-off" }, this.reasons);
    for (const [r, c] of then.faces ?? []) {
      const [x, y] = this.vertex(r, c);
      svg("rect", { x: x + 2, y: y + 2, width: UNIT - 4, height: UNIT - 4, class: "then-face" }, this.reasons);
    }
  }

  /**
   * The cursor on the grid of half steps: even numbers are vertices, odd ones between them.
   * @param {{y: number, x: number} | null} at
   */
  showCursor(at) {
    if (at === null) {
      write(this.cursor, "");
      return;
    }
    const [x0, y0] = this.vertex(0, 0);
    const [x, y] = [x0 + (at.x * UNIT) / 2, y0 + (at.y * UNIT) / 2];
    const [w, h] = [at.x % 2 ? UNIT * 0.42 : UNIT * 0.2, at.y % 2 ? UNIT * 0.42 : UNIT * 0.2];
    write(this.cursor, `M${x - w} ${y - h}h${2 * w}v${2 * h}h${-2 * w}z`);
  }

  /** The region fills and the loop runs once round. */
  celebrate() {
    const { line } = this.game;
    const { lattice } = this.game;
    let region = "";
    for (let face = 0; face < lattice.faces; face++) {
      if (line.inside[face] === 0) continue;
      const [x, y] = this.vertex(...lattice.faceAt(face));
      region += `M${x} ${y}h${UNIT}v${UNIT}h${-UNIT}z`;
    }
    const old = this.svg.querySelector(".won");
    old?.remove();
    const layer = svg("g", { class: "won" });
    this.reasons.before(layer);
    svg("path", { d: region, class: "region" }, layer);
    svg("path", { d: tour(this, line), class: "tour", pathLength: 1 }, layer);
  }

  /** The board as it is before it is won. */
  calm() {
    this.svg.querySelector(".won")?.remove();
  }
}

/** A clue's shape, text and arrow around a point. @param {Element} group @param {Glyph} glyph @param {number} x @param {number} y */
export function drawGlyph(group, glyph, x, y) {
  const { text, fill, arrow, shape } = glyph;
  if (shape === "circle") {
    svg("circle", { cx: x, cy: y, r: UNIT * 0.33, class: `circle ${fill}` }, group);
    return;
  }
  if (fill !== null) {
    const size = UNIT * 0.88;
    svg("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 2, class: `box ${fill}` }, group);
  }
  const beside = arrow === "up" || arrow === "down";
  if (text) {
    const shift = arrow ? (beside ? [-UNIT * 0.13, 0] : [0, UNIT * 0.1]) : [0, 0];
    const label = svg(
      "text",
      { x: x + shift[0], y: y + shift[1], class: `number ${fill ?? "plain"}${text.length > (beside ? 1 : 2) ? " long" : ""}` },
      group,
    );
    label.textContent = text;
  }
  if (arrow) {
    const [ax, ay] = beside ? [x + UNIT * 0.25, y] : [x, y - UNIT * 0.28];
    svg(
      "path",
      { d: "M-9 0H6M1.5-4.2L7.5 0L1.5 4.2", class: `arrow ${fill}`, transform: `translate(${ax} ${ay}) rotate(${TURNS[arrow]})` },
      group,
    );
  }
}

/** The letter of the k-th place of a board. @param {number} k @returns {string} */
export const letter = (k) =>
  k < 26 ? String.fromCharCode(97 + k) : letter(Math.floor(k / 26) - 1) + letter(k % 26);

/** @param {Element} path @param {string} d */
function write(path, d) {
  if (path.getAttribute("d") !== d) path.setAttribute("d", d);
}

/** The loop as one path from vertex to vertex. @param {BoardView} view @param {import("./lattice.js").Line} line */
function tour(view, line) {
  const piece = line.pieces[0];
  if (!piece) return "";
  const start = piece[0];
  let [from, at] = [start, start];
  let d = "";
  do {
    const [x, y] = view.vertex(...at);
    d += `${d ? "L" : "M"}${x} ${y}`;
    const next = line.neighbours(...at).find(([r, c]) => r !== from[0] || c !== from[1]);
    if (!next) break;
    [from, at] = [at, next];
  } while (at[0] !== start[0] || at[1] !== start[1]);
  return `${d}Z`;
}

