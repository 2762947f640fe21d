"""Curves where they say more than tables: results/NAME.json -> results/NAME.svg.

matplotlib is an extra (`uv pip install -e ".[plots]" -c constraints.txt`); without it a picture
stays as it is. Run alone, this draws all pictures again, with the same bytes for the same figures.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def lengths(figures: Any, axes: Any) -> None:
    """How the lengths of all loops of a square are spread."""
    for n in (4, 6, 8, 10, 12):
        by_length = {int(k): many for k, many in figures[f"{n}x{n}"].items()}
        total = sum(by_length.values())
        covered = [length / n**2 for length in by_length]
        # Lengths are even: the area under each curve is 1.
        density = [many / total * n**2 / 2 for many in by_length.values()]
        axes.plot(covered, density, marker=".", label=f"{n} x {n}")
    axes.set(xlabel="share of the cells that a loop visits", ylabel="density of loops")


def tilt(figures: Any, axes: Any) -> None:
    """How much of a square loops visit by the weight of an edge."""
    for n in sorted({row["board"] for row in figures}):
        rows = [row for row in figures if row["board"] == n]
        weights = [row["take"] / row["skip"] for row in rows]
        axes.plot(weights, [row["mean"] / n**2 for row in rows], marker=".", label=f"{n} x {n}")
    axes.axhline(0.5, color="grey", linewidth=0.8, linestyle="--")
    axes.set(xlabel="take / skip", ylabel="mean share of the cells visited", ylim=(0, 0.8))


def loops(figures: Any, axes: Any) -> None:
    """How the work of a sweep grows, and the number of loops."""
    sizes = [n for n in range(2, 30) if "words" in figures.get(f"{n}x{n}", {})]
    for key in ("loops", "words"):
        numbers = [figures[f"{n}x{n}"][key] for n in sizes]
        axes.plot(sizes, numbers, marker=".", label=key)
    axes.set(xlabel="rows and columns", yscale="log", xticks=sizes)


def ceiling(figures: Any, axes: Any) -> None:
    """What share of loops a board that says all it can tells from the others."""
    points: dict[str, list[tuple[int, float]]] = {}
    for key, row in figures.items():
        size, _, sampled = key.partition(" ")
        rows, cols = map(int, size.split("x"))
        kind = "random loops" if sampled else "every loop"
        for arrow, count in (("best", row["best"]), ("longest", row["unique"])):
            label = f"{arrow} arrow, {kind}"
            points.setdefault(label, []).append((rows * cols, count / row["loops"]))
    for kind, found in points.items():
        axes.plot(*zip(*sorted(found), strict=True), marker="o", label=kind)
    axes.set(xlabel="cells", ylabel="share of loops that are the only one", ylim=(0, 1.05))


CURVES: dict[str, Callable[[Any, Any], None]] = {
    "ceiling": ceiling,
    "lengths": lengths,
    "loops": loops,
    "tilt": tilt,
}


def draw(name: str, folder: Path) -> None:
    """Draw the picture of a table from its figures in a folder, if there is one to draw."""
    if name not in CURVES:
        return
    try:
        import matplotlib
    except ImportError:
        print(f"{name}.svg stays as it is: matplotlib is not installed")
        return
    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"svg.hashsalt": "castlecp", "font.size": 9})
    figure, axes = pyplot.subplots(figsize=(6, 3.6), layout="constrained")
    CURVES[name](json.loads((folder / f"{name}.json").read_text()), axes)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


if __name__ == "__main__":
    for curve in CURVES:
        draw(curve, Path(__file__).parent.parent / "results")
