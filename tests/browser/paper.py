"""A board on a page, for tests: where its edges are, and what is drawn on it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page

Edge = tuple[int, int, int, int]

#: Where a point of the picture is on the screen.
AT = """([x, y]) => {
  const svg = document.querySelector('.stage svg.board');
  const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [point.x, point.y];
}"""
UNIT, MARGIN = 40, 18


class Paper:
    """See above; rows and columns of vertices count from 0."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def kept(self) -> dict[str, Any]:
        """What the browser has stored of the board that was seen last."""
        stored = self.page.evaluate(
            "() => Object.entries(localStorage).filter(([k]) => k.startsWith('castlecp 1 board'))"
        )
        boards = [json.loads(value) for _, value in stored]
        return max(boards, key=lambda board: board["seen"])

    def wait_kept(self, strokes: int) -> dict[str, Any]:
        """The same, once so many strokes are stored as drawn."""
        self.page.wait_for_function(
            """(strokes) => Object.entries(localStorage).some(([k, v]) =>
                k.startsWith('castlecp 1 board') && JSON.parse(v).game?.at === strokes)""",
            arg=strokes,
        )
        return self.kept

    def drawn(self) -> dict[str, dict[int, int]]:
        """Edges, faces and ticks that are not blank, from the strokes that are stored."""
        out: dict[str, dict[int, int]] = {"edges": {}, "faces": {}, "ticks": {}}
        game = self.kept["game"]
        for _, flat, *_ in game["log"][: game["at"]]:
            for k in range(0, len(flat), 4):
                kind, index, _, now = flat[k : k + 4]
                part = out[("edges", "faces", "ticks")[kind]]
                part[index] = now
                if not now:
                    del part[index]
        return out

    def _shift(self) -> float:
        genre = (self.page.get_attribute(".stage svg.board", "class") or "").split()[1]
        return MARGIN + (UNIT / 2 if genre in ("castle", "mashu") else 0)

    def at(self, r: float, c: float) -> tuple[float, float]:
        """Where a vertex is on the screen; between two of them lies an edge."""
        shift = self._shift()
        x, y = self.page.evaluate(AT, [shift + c * UNIT, shift + r * UNIT])
        return x, y

    def middle(self, edge: Edge) -> tuple[float, float]:
        """The middle of an edge."""
        r1, c1, r2, c2 = edge
        return self.at((r1 + r2) / 2, (c1 + c2) / 2)

    def click(self, edge: Edge, **how: Any) -> None:
        self.page.mouse.click(*self.middle(edge), **how)

    def drag(self, *vertices: tuple[int, int], steps: int = 8, button: Any = "left") -> None:
        """Draw from vertex to vertex."""
        mouse = self.page.mouse
        mouse.move(*self.at(*vertices[0]))
        mouse.down(button=button)
        for vertex in vertices[1:]:
            mouse.move(*self.at(*vertex), steps=steps)
        mouse.up(button=button)

    def along(self, edges: Iterable[Edge]) -> list[tuple[int, int]]:
        """The vertices of a loop, in order, the first one again at the end."""
        near: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for r1, c1, r2, c2 in edges:
            near.setdefault((r1, c1), []).append((r2, c2))
            near.setdefault((r2, c2), []).append((r1, c1))
        first = min(near)
        way = [first, near[first][0]]
        while way[-1] != first:
            one, other = near[way[-1]]
            way.append(other if one == way[-2] else one)
        return way

    def said(self) -> str:
        """What stands below the tools."""
        return self.page.inner_text(".say")
