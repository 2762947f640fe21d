// The lattice that every genre shares, and a line along its edges. Knows no page.
//
// Rows and columns count from 0 at the top left. A lattice of R x C vertices has x (C-1)
// faces; face (r, c) lies below and to the right of vertex (r, c). Edges are numbered: the
// horizontal ones row by row, then the vertical ones row by row. castlecp/grid.py is the original.

/** @typedef {readonly [number, number]} Place a vertex, a face or a cell as (row, column) */

export class Lattice {
  /**
   * @param {number} rows of vertices
   * @param {number} cols of vertices
   */
  constructor(rows, cols) {
    this.rows = rows;
    this.cols = cols;
    /** How many edges are horizontal; the vertical ones are numbered from here on. */
    this.across = rows * (cols - 1);
    this.edges = this.across + (rows - 1) * cols;
    this.faces = (rows - 1) * (cols - 1);
    this.vertices = rows * cols;
  }

  /** The horizontal edge to the right of a vertex. @param {number} r @param {number} c */
  right(r, c) {
    return r * (this.cols - 1) + c;
  }

  /** The vertical edge below a vertex. @param {number} r @param {number} c */
  down(r, c) {
    return this.across + r * this.cols + c;
  }

  /** @param {number} edge */
  isAcross(edge) {
    return edge < this.across;
  }

  /**
   * The ends of an edge, the upper or left one first.
   * @param {number} edge
   * @returns {[number, number, number, number]} row and column of both
   */
  ends(edge) {
    if (edge < this.across) {
      const r = Math.floor(edge / (this.cols - 1));
      const c = edge % (this.cols - 1);
      return [r, c, r, c + 1];
    }
    const r = Math.floor((edge - this.across) / this.cols);
    const c = (edge - this.across) % this.cols;
    return [r, c, r + 1, c];
  }

  /**
   * The edge between two neighbouring vertices; -1 when they are none or lie off the lattice.
   * @param {number} r1 @param {number} c1 @param {number} r2 @param {number} c2
   */
  edge(r1, c1, r2, c2) {
    if (!this.has(r1, c1) || !this.has(r2, c2)) return -1;
    if (r1 === r2 && Math.abs(c1 - c2) === 1) return this.right(r1, Math.min(c1, c2));
    if (c1 === c2 && Math.abs(r1 - r2) === 1) return this.down(Math.min(r1, r2), c1);
    return -1;
  }

  /** Whether a vertex lies on the lattice. @param {number} r @param {number} c */
  has(r, c) {
    return r >= 0 && c >= 0 && r < this.rows && c < this.cols;
  }

  /** The number of a face; -1 off the lattice. @param {number} r @param {number} c */
  face(r, c) {
    return r >= 0 && c >= 0 && r < this.rows - 1 && c < this.cols - 1
      ? r * (this.cols - 1) + c
      : -1;
  }

  /** @param {number} face @returns {[number, number]} */
  faceAt(face) {
    return [Math.floor(face / (this.cols - 1)), face % (this.cols - 1)];
  }

  /** The four edges around a face. @param {number} r @param {number} c */
  around(r, c) {
    return [this.right(r, c), this.right(r + 1, c), this.down(r, c), this.down(r, c + 1)];
  }

  /** The faces on both sides of an edge, above or left first; -1 beyond the border. @param {number} edge */
  besides(edge) {
    const [r, c, r2] = this.ends(edge);
    return r === r2 ? [this.face(r - 1, c), this.face(r, c)] : [this.face(r, c - 1), this.face(r, c)];
  }

  /** The edges at a vertex. @param {number} r @param {number} c */
  at(r, c) {
    const out = [];
    if (c > 0) out.push(this.right(r, c - 1));
    if (c < this.cols - 1) out.push(this.right(r, c));
    if (r > 0) out.push(this.down(r - 1, c));
    if (r < this.rows - 1) out.push(this.down(r, c));
    return out;
  }
}

const STEPS = /** @type {const} */ ([[-1, 0], [1, 0], [0, -1], [0, 1]]);

/** A set of edges, meant as one closed loop. All that is asked of it is found once. */
export class Line {
  /** @param {Lattice} lattice @param {Uint8Array} edges 1 where an edge is on the line */
  constructor(lattice, edges) {
    this.lattice = lattice;
    this.edges = edges;
    this.length = 0;
    /** Line ends by vertex, r * cols + c. */
    this.degree = new Uint8Array(lattice.vertices);
    for (let e = 0; e < edges.length; e++) {
      if (edges[e] !== 1) continue;
      const [r1, c1, r2, c2] = lattice.ends(e);
      this.degree[r1 * lattice.cols + c1]++;
      this.degree[r2 * lattice.cols + c2]++;
      this.length++;
    }
    /** No loose end, so that each face is inside or outside. */
    this.hasSides = this.degree.every((d) => d % 2 === 0);
    /** @type {Uint8Array | null} */
    this._inside = null;
    /** @type {Place[][] | null} */
    this._pieces = null;
  }

  /**
   * The border of a set of faces.
   * @param {Lattice} lattice @param {(face: number) => boolean} inside
   */
  static around(lattice, inside) {
    const edges = new Uint8Array(lattice.edges);
    for (let e = 0; e < edges.length; e++) {
      const [a, b] = lattice.besides(e);
      if ((a >= 0 && inside(a)) !== (b >= 0 && inside(b))) edges[e] = 1;
    }
    return new Line(lattice, edges);
  }

  /** @param {number} r @param {number} c */
  has(r, c) {
    return this.degree[r * this.lattice.cols + c] > 0;
  }

  /** The line ends at a vertex. @param {number} r @param {number} c */
  endsAt(r, c) {
    return this.degree[r * this.lattice.cols + c];
  }

  /** The vertices that the line leads to from a vertex. @param {number} r @param {number} c @returns {Place[]} */
  neighbours(r, c) {
    /** @type {Place[]} */
    const out = [];
    for (const [down, right] of STEPS) {
      const edge = this.lattice.edge(r, c, r + down, c + right);
      if (edge >= 0 && this.edges[edge] === 1) out.push([r + down, c + right]);
    }
    return out;
  }

  /** 1 for the faces inside, by the parity of the vertical edges to their left. */
  get inside() {
    if (this._inside === null) {
      const { lattice } = this;
      this._inside = new Uint8Array(lattice.faces);
      for (let r = 0; r < lattice.rows - 1; r++) {
        let odd = 0;
        for (let c = 0; c < lattice.cols - 1; c++) {
          if (this.edges[lattice.down(r, c)] === 1) odd ^= 1;
          this._inside[lattice.face(r, c)] = odd;
        }
      }
    }
    return this._inside;
  }

  /** @param {number} r @param {number} c */
  isInside(r, c) {
    const face = this.lattice.face(r, c);
    return face >= 0 && this.inside[face] === 1;
  }

  /** The connected pieces, each as its vertices with the least one first. */
  get pieces() {
    if (this._pieces === null) {
      const { lattice } = this;
      const seen = new Uint8Array(lattice.vertices);
      this._pieces = [];
      for (let v = 0; v < lattice.vertices; v++) {
        if (this.degree[v] === 0 || seen[v]) continue;
        seen[v] = 1;
        /** @type {Place[]} */
        const piece = [[Math.floor(v / lattice.cols), v % lattice.cols]];
        for (let k = 0; k < piece.length; k++) {
          for (const [r, c] of this.neighbours(...piece[k])) {
            if (!seen[r * lattice.cols + c]) {
              seen[r * lattice.cols + c] = 1;
              piece.push([r, c]);
            }
          }
        }
        this._pieces.push(piece);
      }
    }
    return this._pieces;
  }

  /** Whether the edges are one closed loop. */
  get isSingle() {
    return this.length > 0 && this.degree.every((d) => d === 0 || d === 2) && this.pieces.length === 1;
  }
}

/**
 * The connected pieces of a set of faces, each with its least face first.
 * @param {Lattice} lattice @param {(face: number) => boolean} has
 * @returns {Place[][]}
 */
export function facePieces(lattice, has) {
  const seen = new Uint8Array(lattice.faces);
  /** @type {Place[][]} */
  const pieces = [];
  for (let f = 0; f < lattice.faces; f++) {
    if (seen[f] || !has(f)) continue;
    seen[f] = 1;
    /** @type {Place[]} */
    const piece = [lattice.faceAt(f)];
    for (let k = 0; k < piece.length; k++) {
      for (const [down, right] of STEPS) {
        const next = lattice.face(piece[k][0] + down, piece[k][1] + right);
        if (next >= 0 && !seen[next] && has(next)) {
          seen[next] = 1;
          piece.push(lattice.faceAt(next));
        }
      }
    }
    pieces.push(piece);
  }
  return pieces;
}

/** The shortest of several lists, the first of those. @template T @param {T[][]} lists */
export function shortest(lists) {
  return lists.reduce((least, list) => (list.length < least.length ? list : least));
}
