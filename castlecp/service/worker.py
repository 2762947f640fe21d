"""What a worker does: a task from its pipe, events and an answer into it, until nobody asks."""

from __future__ import annotations

import os
import resource
import select
import signal
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

import msgspec

from castlecp import wire
from castlecp.budget import Budget, Progress, Watch
from castlecp.errors import FormatWarning, OutOfBudget
from castlecp.executors.local import follow_parent
from castlecp.service import questions
from castlecp.service.limits import Bound, Limits
from castlecp.service.problems import problem_of
from castlecp.service.questions import QUESTIONS, Asked, Question, Said, Tell, Unsettled

#: How frames begin: a worker is ready, an event, an answer, a question that is left to another.
READY, EVENT, ANSWER, UNSETTLED = b"r", b"e", b"a", b"u"

#: Seconds between two events that say how far a search is.
PAUSE = 0.2


class Task(msgspec.Struct, frozen=True, array_like=True):
    """A question on its way to a worker; `listens` says that somebody wants events."""

    question: str
    body: bytes
    fast: bool = False
    listens: bool = False


class Event(msgspec.Struct, frozen=True, array_like=True):
    """Something to tell before the answer; `data` is JSON."""

    name: str
    data: bytes


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """An answer, or a problem, whose content is then a `wire.Problem`.

    `ended` says why it is not all there is to say. `fault` is for the log: what broke, and where.
    """

    status: int
    content: bytes
    media: str = questions.JSON
    headers: dict[str, str] = {}
    ended: str = ""
    fault: str = ""


ENCODE, TASK = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Task)


def serve(
    pipe: Connection,
    limits: Limits,
    memory: int | None,
    nice: int,
    answer: Callable[[Task, Limits, Tell], Answer | None],
) -> None:
    """Answer tasks until the other end is closed, or the process that started this one is gone.

    `memory` is how many bytes may be taken beyond those that are taken now.
    """
    follow_parent()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the server decides when a worker ends
    os.nice(nice)
    if memory is not None:
        most = _address_space() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore", FormatWarning)

    def tell(name: str, data: bytes) -> None:
        pipe.send_bytes(EVENT + ENCODE.encode(Event(name, data)))

    try:
        pipe.send_bytes(READY)
        while True:
            task = TASK.decode(pipe.recv_bytes())
            said = answer(task, limits, _politely(pipe, tell) if task.listens else _silent)
            pipe.send_bytes(UNSETTLED if said is None else ANSWER + ENCODE.encode(said))
    except (EOFError, OSError):
        return


def _address_space() -> int:
    """The bytes of this process's address space."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _silent(name: str, data: bytes) -> None:
    """Tell nobody."""


def _politely(pipe: Connection, tell: Tell) -> Tell:
    """`tell`, but how far a search is only when somebody has read what was told before."""

    def told(name: str, data: bytes) -> None:
        if name != "progress" or select.select([], [pipe], [], 0)[1]:
            tell(name, data)

    return told


def telling(tell: Tell) -> Watch:
    """What tells how far a search is: at once, and then every PAUSE seconds."""
    last = -PAUSE

    def watch(far: Progress) -> None:
        nonlocal last
        if (now := monotonic()) - last >= PAUSE:
            last = now
            told = wire.Told(
                phase=far.phase,
                steps=far.steps,
                seconds=round(far.seconds, 3),
                lower=far.lower,
                upper=far.upper,
            )
            tell("progress", msgspec.json.encode(told))

    return watch


def answered(task: Task, limits: Limits, tell: Tell) -> Answer | None:
    """The answer to a task, or a problem; None for what the fast lane does not settle."""
    try:
        said = _said(QUESTIONS[task.question], task, limits, tell)
    except Unsettled:
        return None
    except Exception as error:
        problem = problem_of(error)
        fault = _trace(error) if problem.status == 500 else ""
        return Answer(problem.status, msgspec.json.encode(problem), fault=fault)
    return Answer(200, said.content, said.media, dict(said.headers), said.ended)


def _said(question: Question, task: Task, limits: Limits, tell: Tell) -> Said:
    ask: Any = questions.read(question, task.body)
    bound: Bound = getattr(limits, question.name)
    seconds, steps = getattr(ask, "seconds", None), getattr(ask, "steps", None)
    if seconds is not None and seconds > bound.seconds:
        raise questions.too_long(seconds, bound)
    seconds = bound.seconds if seconds is None else seconds
    if question.name == "generate":
        steps = None  # they are those of each board
    watch = telling(tell) if task.listens else None
    if not task.fast:
        return question.work(Asked(ask, bound, limits, Budget(seconds, steps, watch=watch), tell))
    brief = Budget(
        min(seconds, limits.fast_seconds),
        limits.fast_steps if steps is None else min(steps, limits.fast_steps),
    )
    asked = Asked(ask, bound, limits, brief, tell, fast=True)
    try:
        said = question.work(asked)
    except OutOfBudget:
        if _is_spent(brief, seconds, steps, limits):
            raise Unsettled from None
        raise
    if _is_spent(brief, seconds, steps, limits):
        raise Unsettled
    return said


def _is_spent(brief: Budget, seconds: float, steps: int | None, limits: Limits) -> bool:
    """Whether the budget of the fast lane ended a search that has more."""
    late = brief.seconds_left() == 0 and seconds > limits.fast_seconds
    out = brief.spent >= limits.fast_steps and (steps is None or steps > limits.fast_steps)
    return late or out


def _trace(error: BaseException) -> str:
    """Where an error came up, without what it was about: logs hold no boards."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    where = ", ".join(f"{os.path.basename(at.filename)}:{at.lineno}" for at in frames)
    return f"{type(error).__name__} at {where}"
