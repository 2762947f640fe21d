"""Lanes: processes that answer questions, each with a socket of its own.

Workers are forked by a server of forks that has imported `castlecp.service.warm`, so a new one is
ready at once. Nothing is shared between them: any may be killed at any moment, by its client's
going, by its deadline, by the system for its memory, or by hand, and takes no more with it than
its question, which is tried once more when nobody here meant it. Spares stand ready, so that who
asks next does not wait for a new one.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from multiprocessing.context import ForkServerProcess
from typing import NamedTuple

import msgspec

from castlecp.service.forks import forgotten, forked
from castlecp.service.limits import Limits
from castlecp.service.problems import BUSY, DEADLINE, LOST, Refused
from castlecp.service.questions import Tell
from castlecp.service.worker import (
    ANSWER,
    EVENT,
    READY,
    UNSETTLED,
    Answer,
    Event,
    Task,
    answered,
    serve,
)

#: What answers a task in a worker.
Work = Callable[[Task, Limits, Tell], Answer | None]

#: Bytes of a worker's events that are held for who listens.
HELD = 65_536

ENCODE = msgspec.msgpack.Encoder()
DECODE_EVENT, DECODE_ANSWER = msgspec.msgpack.Decoder(Event), msgspec.msgpack.Decoder(Answer)


class _Died(Exception):
    """A worker is gone."""


class _Worker:
    """A process and the socket to it."""

    def __init__(
        self,
        process: ForkServerProcess,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.process, self._reader, self._writer = process, reader, writer

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self.process.pid or 0

    @property
    def is_gone(self) -> bool:
        """Whether it ended while nobody asked it anything."""
        return self._reader.at_eof()

    def ask(self, task: bytes) -> None:
        """Hand it a task."""
        self._writer.write(len(task).to_bytes(4, "big") + task)

    async def hear(self) -> tuple[bytes, bytes]:
        """The next frame: how it begins, and the rest. Raises _Died."""
        try:
            size = int.from_bytes(await self._reader.readexactly(4), "big")
            frame = await self._reader.readexactly(size)
        except (asyncio.IncompleteReadError, OSError):
            raise _Died from None
        return frame[:1], frame[1:]

    def kill(self) -> None:
        """End the process and the socket."""
        with suppress(OSError, AttributeError):
            self.process.kill()
        self._writer.transport.abort()


class Held(NamedTuple):
    """What a lane has: questions that wait and that are under way, and processes that are ready."""

    waiting: int
    busy: int
    ready: int


class Lane:
    """`size` workers and some spares; at most `waiting` questions wait for one.

    `memory` and `nice` are as `serve` has them. `killed` is told the reason of each end that was
    not the server's own.
    """

    def __init__(
        self,
        name: str,
        size: int,
        limits: Limits,
        *,
        waiting: int,
        spares: int = 1,
        memory: int | None = None,
        nice: int = 0,
        work: Work = answered,
        killed: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.name, self.size, self._limits = name, size, limits
        self._most, self._all = waiting, size + spares
        self._memory, self._nice, self._work, self._killed = memory, nice, work, killed
        self._slots = asyncio.Semaphore(size)
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers: set[_Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._forking: set[asyncio.Future[tuple[ForkServerProcess, socket.socket]]] = set()
        self._starter = ThreadPoolExecutor(1, f"start {name}")
        self._waiting = self._busy = 0
        self._ended = False

    async def start(self) -> None:
        """Start all workers, and wait until they are ready."""
        for _ in range(self._all):
            self._replace()
        await asyncio.gather(*self._starting)

    @property
    def held(self) -> Held:
        """How busy it is."""
        return Held(self._waiting, self._busy, len(self._workers))

    @property
    def is_ready(self) -> bool:
        """Whether as many workers are there as answer at once."""
        return len(self._workers) >= self.size

    @property
    def pids(self) -> list[int]:
        """The processes that are ready or at work."""
        return [worker.pid for worker in self._workers]

    def _replace(self) -> None:
        if not self._ended:
            task = asyncio.get_running_loop().create_task(self._started())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _started(self) -> None:
        """Have one more worker, sooner or later."""
        while not self._ended:
            try:
                worker = await self._forked()
            except (OSError, EOFError, _Died):
                self._killed("not started")
                await asyncio.sleep(1.0)
            else:
                self._workers.add(worker)
                self._idle.put_nowait(worker)
                return

    async def _forked(self) -> _Worker:
        """A worker that is ready. Raises OSError, EOFError and _Died."""
        forking = asyncio.get_running_loop().run_in_executor(self._starter, self._fork)
        self._forking.add(forking)
        forking.add_done_callback(self._forking.discard)
        try:
            process, ours = await asyncio.shield(forking)
        except asyncio.CancelledError:
            forking.add_done_callback(forgotten)
            raise
        worker = _Worker(process, *await asyncio.open_unix_connection(sock=ours, limit=HELD))
        try:
            if (await worker.hear())[0] != READY:
                raise _Died
        except BaseException:
            worker.kill()
            raise
        return worker

    def _fork(self) -> tuple[ForkServerProcess, socket.socket]:
        """A process and our end of the socket to it. Raises OSError and EOFError."""
        if self._ended:
            raise OSError("the lane has ended")
        target = (serve, self._limits, self._memory, self._nice, self._work)
        return forked(*target, name=f"castlecp {self.name}", daemon=True)

    async def _take(self) -> _Worker:
        """A worker and a slot, which is given back with it. Raises Refused."""
        if self._slots.locked() and self._waiting >= self._most:
            raise Refused(BUSY, f"all workers are busy, and {self._waiting:,} questions wait", 1.0)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._limits.patience):
                await self._slots.acquire()
                try:
                    while (worker := await self._idle.get()).is_gone:
                        self._drop(worker, "died idle")
                except BaseException:
                    self._slots.release()
                    raise
        except TimeoutError:
            after = f"{self._limits.patience:g} s"
            raise Refused(BUSY, f"no worker was free within {after}", 2.0) from None
        finally:
            self._waiting -= 1
        self._busy += 1
        return worker

    def _drop(self, worker: _Worker, reason: str) -> None:
        """End a worker, and start another one."""
        self._workers.discard(worker)
        worker.kill()
        if not self._ended:
            self._killed(reason)
            self._replace()

    async def frames(self, task: Task, seconds: float) -> AsyncGenerator[Event | Answer | None]:
        """Events, then the answer; None for what the lane leaves to another.

        A worker that takes longer than some seconds is killed; so is one whose question this
        generator is closed on. Raises Refused.
        """
        for last in (False, True):
            worker = await self._take()
            lease = _Lease(self, worker)
            timer = asyncio.get_running_loop().call_later(seconds, lease.end, "deadline")
            heard = False
            try:
                worker.ask(ENCODE.encode(task))
                while True:
                    kind, rest = await worker.hear()
                    if kind == EVENT:
                        heard = True
                        yield DECODE_EVENT.decode(rest)
                        continue
                    lease.end("")
                    assert kind in (ANSWER, UNSETTLED)
                    yield DECODE_ANSWER.decode(rest) if kind == ANSWER else None
                    return
            except _Died:
                if lease.reason == "deadline":
                    raise Refused(
                        DEADLINE, f"the search did not end within {seconds:g} s", 5.0
                    ) from None
                lease.end("died")
                if last or heard:
                    raise Refused(LOST, "the worker died, of its memory most likely", 5.0) from None
            finally:
                timer.cancel()
                lease.end("client gone")

    async def ask(self, task: Task, seconds: float) -> Answer | None:
        """The answer to a task that nobody listens to; see `frames`."""
        async with aclosing(self.frames(task, seconds)) as frames:
            async for frame in frames:
                if not isinstance(frame, Event):
                    return frame
        raise AssertionError("a lane ends with an answer")

    def give_back(self, worker: _Worker, reason: str) -> None:
        """Take a worker back, or end it for a reason."""
        self._busy -= 1
        self._slots.release()
        if reason:
            self._drop(worker, reason)
        else:
            self._idle.put_nowait(worker)

    async def stop(self) -> None:
        """Kill all."""
        self._ended = True
        for worker in list(self._workers):
            self._drop(worker, "")
        for task in self._starting:
            task.cancel()
        self._starter.shutdown(wait=False, cancel_futures=True)
        if self._forking:
            await asyncio.wait(self._forking, timeout=1.0)
        await asyncio.sleep(0)  # the loop closes what was aborted


class _Lease:
    """A worker while it has a question; it ends once, for the first reason."""

    def __init__(self, lane: Lane, worker: _Worker) -> None:
        self._lane, self._worker = lane, worker
        self.reason: str | None = None

    def end(self, reason: str) -> None:
        """Give the worker back, or, with a reason, have it killed."""
        if self.reason is None:
            self.reason = reason
            self._lane.give_back(self._worker, reason)
