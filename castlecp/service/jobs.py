"""Jobs: runs over banks that outlive their requests, and the server.

A job is a folder: its bank, what is asked (`job.json`), the results as they come, with the journal
that the command line has, and what became of it in the end (`ended.json`). A server that starts
goes on with all that have not ended. A job belongs to whoever has its secret.
"""

from __future__ import annotations

import asyncio
import fcntl
import hmac
import json
import os
import secrets
import shutil
import socket
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Literal

import msgspec

from castlecp import wire
from castlecp.service.answers import event
from castlecp.service.bankwork import BANK, RESULTS, Run, work
from castlecp.service.forks import forgotten, forked
from castlecp.service.limits import Banks
from castlecp.service.metrics import log
from castlecp.service.problems import BUSY, DISK, NOT_FOUND, RATE, SECRET, Refused

Kind = Literal["certify", "minimise", "grade"]
State = Literal["waiting", "running", "done", "failed", "cancelled"]

#: Seconds between two looks for results, and for jobs whose time is over; bytes read at once.
LOOK, SWEEP, PIECE = 0.2, 600.0, 65_536


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a job from its beginning on; of its secret the SHA-256."""

    id: str
    kind: Kind
    secret: str
    run: Run


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a job that has ended."""

    state: State
    boards: int
    statuses: dict[str, int]
    reason: str | None
    until: float


class _Job:
    """A job as this server knows it."""

    def __init__(self, folder: Path, posted: Posted, who: str = "") -> None:
        self.folder, self.posted, self.who = folder, posted, who
        self.state: State = "waiting"
        self.boards = 0
        self.statuses: Counter[str] = Counter()
        self.reason: str | None = None
        self.until: float | None = None
        self.runner: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.state not in ("waiting", "running")

    def told(self, secret: str | None = None) -> wire.Job:
        """For whom it belongs to."""
        return wire.Job(
            id=self.posted.id,
            kind=self.posted.kind,
            state=self.state,
            boards=self.boards,
            done=self.statuses.total(),
            statuses=dict(self.statuses),
            reason=self.reason,
            until=self.until,
            secret=secret,
        )


class Jobs:
    """All jobs in a folder, of which one server has hold."""

    def __init__(self, data: Path, limits: Banks, cluster: str | None = None) -> None:
        self._folder, self._limits, self._cluster = data / "jobs", limits, cluster
        self._jobs: dict[str, _Job] = {}
        self._slots = asyncio.Semaphore(limits.at_once)
        self._held: int | None = None
        self._why_not = "jobs are not to be had yet"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Go on with all jobs that have not ended, and take new ones, while this lasts."""
        sweeping = None
        try:
            if self._hold():
                for job in await asyncio.to_thread(self._found):
                    self._jobs[job.posted.id] = job
                    if not job.is_over:
                        self._begin(job)
                sweeping = asyncio.create_task(self._swept())
            yield
        finally:
            runners = [job.runner for job in self._jobs.values() if job.runner]
            for task in (*runners, *((sweeping,) if sweeping else ())):
                task.cancel()
            await asyncio.gather(*runners, return_exceptions=True)
            if self._held is not None:
                os.close(self._held)

    def _hold(self) -> bool:
        """Have the folder to oneself."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            held = os.open(self._folder, os.O_RDONLY)
        except OSError as error:
            self._why_not = f"jobs cannot be stored: {error.strerror}"
        else:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(held)
                self._why_not = "another server has the jobs of this folder"
            else:
                self._held = held
                return True
        log(jobs=self._why_not)
        return False

    def _found(self) -> list[_Job]:
        """The jobs of the folder. What is none, or was left half made, goes."""
        found = []
        for folder in sorted(self._folder.iterdir()):
            try:
                posted = msgspec.json.decode((folder / "job.json").read_bytes(), type=Posted)
            except (OSError, msgspec.DecodeError):
                shutil.rmtree(folder, ignore_errors=True)
                continue
            # What results depend on stays as it was; where they are made may be another place.
            here = {"processes": self._limits.processes, "cluster": self._cluster}
            run = msgspec.structs.replace(posted.run, **here)
            job = _Job(folder, msgspec.structs.replace(posted, run=run))
            with suppress(OSError, msgspec.DecodeError):
                ended = msgspec.json.decode((folder / "ended.json").read_bytes(), type=Ended)
                job.state, job.boards, job.reason = ended.state, ended.boards, ended.reason
                job.statuses, job.until = Counter(ended.statuses), ended.until
            found.append(job)
        return found

    async def _swept(self) -> None:
        """Forget jobs whose time is over."""
        while True:
            for job in list(self._jobs.values()):
                if job.until is not None and job.until < time.time():
                    await self._forget(job)
            await asyncio.sleep(SWEEP)

    async def _forget(self, job: _Job) -> None:
        self._jobs.pop(job.posted.id, None)
        await asyncio.to_thread(shutil.rmtree, job.folder, ignore_errors=True)

    def counts(self) -> dict[str, int]:
        """How many there are, by state."""
        return dict(Counter(job.state for job in self._jobs.values()))

    async def post(self, kind: Kind, content: bytes, options: dict[str, Any], who: str) -> wire.Job:
        """Begin a job, and say its secret. Raises Refused."""
        if self._held is None or sum(not job.is_over for job in self._jobs.values()) >= (
            self._limits.most
        ):
            why = self._why_not if self._held is None else "as many jobs wait as are taken"
            raise Refused(BUSY, why, 60.0)
        mine = sum(not job.is_over and job.who == who for job in self._jobs.values())
        if mine >= self._limits.an_address:
            raise Refused(RATE, f"{mine} jobs of yours have not ended", 60.0)
        name, secret = secrets.token_hex(8), secrets.token_urlsafe(24)
        run = Run(
            kind=kind,
            options=options,
            seconds=self._limits.seconds,
            cells=self._limits.cells,
            processes=self._limits.processes,
            cluster=self._cluster,
        )
        posted = Posted(id=name, kind=kind, secret=_hash(secret), run=run)
        job = _Job(self._folder / name, posted, who)
        try:
            await asyncio.to_thread(_stored, job, content)
        except OSError as error:
            shutil.rmtree(job.folder, ignore_errors=True)
            raise Refused(DISK, f"the bank cannot be stored: {error.strerror}", 60.0) from None
        self._jobs[name] = job
        self._begin(job)
        return job.told(secret)

    def job(self, name: str, secret: str) -> _Job:
        """The job, for whom it belongs to. Raises Refused."""
        job = self._jobs.get(name)
        if job is None:
            raise Refused(NOT_FOUND, "there is no such job")
        if not hmac.compare_digest(_hash(secret), job.posted.secret):
            raise Refused(SECRET, "send the secret of the job: `Authorization: Bearer SECRET`")
        return job

    async def cancel(self, job: _Job) -> wire.Job:
        """End a job; its results are gone."""
        if job.runner and not job.is_over:
            job.state = "cancelled"
            job.runner.cancel()
            await asyncio.gather(job.runner, return_exceptions=True)
        job.state = "cancelled"
        await self._forget(job)
        return job.told()

    def _begin(self, job: _Job) -> None:
        job.runner = asyncio.get_running_loop().create_task(self._run(job))

    async def _run(self, job: _Job) -> None:
        """Have a job done by a process of its own, once there is room."""
        async with self._slots:
            job.state = "running"
            for last in (False, True):
                job.statuses.clear()
                said = await self._followed(job)
                if said is not None or last:
                    break
            job.reason = "its process died twice" if said is None else said or None
            job.state = "failed" if job.reason else "done"
            job.until = time.time() + 3600 * self._limits.hours
            ended = Ended(
                state=job.state,
                boards=job.boards,
                statuses=dict(job.statuses),
                reason=job.reason,
                until=job.until,
            )
            with suppress(OSError):  # it is done again after a restart then
                await asyncio.to_thread(
                    _written, job.folder / "ended.json", msgspec.json.encode(ended)
                )
            log(job=job.posted.kind, state=job.state, boards=job.boards)

    async def _followed(self, job: _Job) -> str | None:
        """Why a job failed, nothing when it is done, and None when its process died."""
        forking = asyncio.ensure_future(asyncio.to_thread(_forked, job))
        try:
            process, ours = await asyncio.shield(forking)
        except asyncio.CancelledError:
            forking.add_done_callback(forgotten)
            raise
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        try:
            while True:
                size = int.from_bytes(await reader.readexactly(4), "big")
                said = json.loads(await reader.readexactly(size))
                if "boards" in said:
                    job.boards = said["boards"]
                elif "status" in said:
                    job.statuses[said["status"]] += 1
                else:
                    return said["ended"] or ""
        except (asyncio.IncompleteReadError, OSError):
            return None
        finally:
            process.kill()
            writer.transport.abort()

    async def events(self, job: _Job) -> AsyncGenerator[bytes]:
        """How far a job is whenever that has changed, and in the end `done`."""
        before = None
        while True:
            told = job.told()
            if job.is_over:
                yield event("done", wire.encode(told))
                return
            if told != before:
                before = told
                yield event("progress", wire.encode(told))
            await asyncio.sleep(LOOK)

    async def results(self, job: _Job) -> AsyncGenerator[bytes]:
        """The results in the bank's order, as they come, until the job is over."""
        file = None
        try:
            while True:
                over = job.is_over
                if file is None:
                    with suppress(OSError):
                        file = _opened(job.folder)
                piece = await asyncio.to_thread(file.read, PIECE) if file else b""
                if piece:
                    yield piece
                elif over:
                    return
                else:
                    await asyncio.sleep(LOOK)
        finally:
            if file:
                file.close()


def _opened(folder: Path) -> Any:
    """The results, under the name that they have now."""
    try:
        return (folder / f"{RESULTS}.part").open("rb", buffering=0)
    except FileNotFoundError:
        return (folder / RESULTS).open("rb", buffering=0)


def _hash(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()


def _stored(job: _Job, content: bytes) -> None:
    """Put a job into its folder; what says that it is one comes last. Raises OSError."""
    job.folder.mkdir(mode=0o700)
    _written(job.folder / BANK, content)
    _written(job.folder / "job.json", msgspec.json.encode(job.posted))


def _written(path: Path, content: bytes) -> None:
    """Write a whole file or none. Raises OSError."""
    new = path.with_name(f".{path.name}.new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _forked(job: _Job) -> tuple[ForkServerProcess, socket.socket]:
    """The process of a job, and our end of the socket to it."""
    return forked(work, str(job.folder), job.posted.run, name="castlecp job")
