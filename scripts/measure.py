"""What the benchmark scripts share: boards, tables, and the figures of a whole process."""

from __future__ import annotations

import io
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import plots

from castlecp import codecs
from castlecp.genres import Puzzle

ROOT = Path(__file__).resolve().parent.parent
#: Where tables go; `scripts/tables --check` sends them elsewhere.
RESULTS = Path(os.environ.get("CASTLECP_RESULTS", ROOT / "results"))
SHARED = ROOT.parent / "shared"


def shared_lines(path: str) -> list[dict[str, Any]]:
    """The objects of a JSON lines file of the shared test data."""
    file = SHARED / path
    if not file.exists():
        raise SystemExit(f"{path} of the shared test data is not beside this checkout")
    return [json.loads(line) for line in file.read_text().splitlines()]


def corpus(kind: str) -> dict[str, Puzzle]:
    """The public boards of a genre by id."""
    return {line["id"]: codecs.read(line["url"]) for line in shared_lines(f"corpus/{kind}.jsonl")}


def bench(name: str) -> dict[str, Puzzle]:
    """The boards of a benchmark file by id."""
    boards = {}
    for line in shared_lines(f"bench/{name}.jsonl"):
        id_ = line.pop("id")
        boards[id_] = codecs.read(json.dumps(line))
    return boards


def quoted(name: str) -> dict[str, Any]:
    """What others say of their own programs, by table: figures of scripts/quoted.json.

    That file says for each name where the figures stand and when they were read.
    """
    text = (Path(__file__).parent / "quoted.json").read_text()
    figures: dict[str, Any] = json.loads(text)[name]["figures"]
    return figures


def by_side(figures: dict[str, Any]) -> dict[int, Any]:
    """Figures of square boards by their side instead of their name."""
    return {int(name.split("x")[0]): figure for name, figure in figures.items()}


def peers() -> dict[str, dict[str, list[float | None]]]:
    """Milliseconds of other programs, board by board, by group of boards and program.

    None where a board was not settled. They were measured once, with castlecp as it was then
    beside them; `peers_about` says how.
    """
    groups: dict[str, dict[str, list[float | None]]] = {}
    for board in _peers()["boards"]:
        group = groups.setdefault(board["group"], {})
        for name in (*_peers()["peers"], "castlecp_next", "castlecp_first"):
            if name in board:
                group.setdefault(name, []).append(board[name])
    return groups


def peers_by_board() -> dict[str, dict[str, Any]]:
    """The same by the boards' ids."""
    return {board["id"]: board for board in _peers()["boards"]}


def peers_about() -> tuple[str, dict[str, str]]:
    """How peers were measured and when, and which version of each it was."""
    return _peers()["what"], _peers()["peers"]


@cache
def _peers() -> dict[str, Any]:
    file = SHARED / "bench/peers.json"
    if not file.exists():
        raise SystemExit("bench/peers.json of the shared test data is not beside this checkout")
    told: dict[str, Any] = json.loads(file.read_text())
    return told


def milliseconds(seconds: float) -> str:
    """A time with three significant digits or so."""
    ms = seconds * 1e3
    return f"{ms:.2f}" if ms < 10 else f"{ms:.1f}" if ms < 100 else f"{ms:.0f}"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def captured(report: Callable[[], None]) -> str:
    """What a function prints, which is shown too."""
    text = io.StringIO()
    with redirect_stdout(text):
        report()
    print(text.getvalue())
    return text.getvalue()


def write_results(name: str, text: str, figures: Any = None, packages: Sequence[str] = ()) -> None:
    """Write results/NAME.md, and if there are figures .json and the picture that `plots` has for
    them; `{about}` in the text becomes the command, the date and the machine."""
    command = " ".join([f"scripts/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    with_what = f"{machine}; {versions}" if versions else machine
    about = f"Made by `{command}` on {date.today()} ({with_what})."
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text.replace("{about}", about))
    if figures is not None:
        (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n")
        plots.draw(name, RESULTS)


#: Runs the command line and says on standard error how much memory it had at most. (What wait4
#: tells of a child starts from the memory of its parent.)
PEAK = """
import atexit, sys
from castlecp.cli import main
def say():
    status = open("/proc/self/status").read()
    print(status.split("VmHWM:")[1].split()[0], file=sys.stderr)
atexit.register(say)
main()
"""


@dataclass(frozen=True)
class Spent:
    """What a stretch of work took: wall seconds, and processor seconds of this process with all
    that it started and of everything else on the machine."""

    wall: float
    own: float
    others: float

    def about(self, number: int) -> str:
        """For a table: milliseconds of processor time for each of a number of things, how many
        cores this kept busy, and how many were busy with other work."""
        each = f"{1e3 * self.own / number:.2f}"
        return f"{each} ms, {self.own / self.wall:.2f}, {self.others / self.wall:.2f}"


class Stretch:
    """Work that begins now. It needs /proc, so Linux."""

    def __init__(self) -> None:
        self._began = self._now()

    def spent(self) -> Spent:
        """What it took so far."""
        wall, own, busy = (now - then for now, then in zip(self._now(), self._began, strict=True))
        return Spent(wall, own, max(busy - own, 0.0))

    @staticmethod
    def _now() -> tuple[float, float, float]:
        """Wall time, and processor time of this process with its descendants and of all."""
        tick = os.sysconf("SC_CLK_TCK")
        parents, times = {}, {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            pid = int(folder.name)
            # User and system time, of the process and of its children that have ended.
            parents[pid], times[pid] = int(after_name[1]), sum(map(int, after_name[11:15]))

        def mine(pid: int) -> bool:
            while pid in parents and pid != os.getpid():
                pid = parents[pid]
            return pid == os.getpid()

        own = sum(spent for pid, spent in times.items() if mine(pid))
        # user, nice, system; idle, iowait; irq, softirq
        ticks = [int(x) for x in Path("/proc/stat").read_text().split("\n")[0].split()[1:8]]
        busy = sum(ticks) - ticks[3] - ticks[4]
        return perf_counter(), own / tick, busy / tick


def machine_now() -> str:
    """What else there is to know of a run that uses several cores: cores and load before it."""
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores; load average {os.getloadavg()[0]:.2f} before the run"


def whole_process(*arguments: str, runs: int = 9) -> tuple[float, float]:
    """Median wall seconds of `castlecp ARGUMENTS` after a warm-up, and its peak memory in MB."""
    times = []
    for run in range(runs + 1):
        started = perf_counter()
        command = [str(ROOT / ".venv" / "bin" / "castlecp"), *arguments]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if run:
            times.append(perf_counter() - started)
    told = subprocess.run(
        [sys.executable, "-c", PEAK, *arguments], capture_output=True, text=True, check=False
    ).stderr
    return median(times), int(told.split()[-1]) / 1024
