// The page's rules over boards and lines from standard input, a line of JSON each:
// {"puzzle": board, "edges": [numbers of the edges on the line]} -> [fault, ...]
import { createInterface } from "node:readline";

import { Line } from "../../castlecp/web/js/lattice.js";
import { board, latticeOf } from "../../castlecp/web/js/rules/common.js";

for await (const text of createInterface({ input: process.stdin })) {
  const { puzzle: json, edges } = JSON.parse(text);
  const puzzle = board(json);
  const { GENRE } = await import(`../../castlecp/web/js/rules/${puzzle.type}.js`);
  const lattice = latticeOf(puzzle, GENRE.cells);
  const line = new Line(lattice, Uint8Array.from({ length: lattice.edges }, (_, e) => +edges.includes(e)));
  const faults = GENRE.rules.flatMap((rule) => [...rule(puzzle, line)]);
  process.stdout.write(`${JSON.stringify(faults)}\n`);
}
