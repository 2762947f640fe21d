"""Merging is a join, and both databases do what `records` says."""

from __future__ import annotations

import secrets
import threading
from functools import reduce
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from castlecp.accounts.database import Database
from castlecp.accounts.progress import EPOCHS, ROWS, STAMPS, Ahead, everything, sync
from castlecp.accounts.records import Drawing, Progress, joined, later
from castlecp.accounts.tables import account

BOARDS = [f"{k:064x}" for k in range(3)]

records = st.builds(
    Progress,
    board=st.sampled_from(BOARDS),
    epoch=st.integers(0, 3),
    solved=st.booleans(),
    accused=st.booleans(),
    hints=st.integers(0, 3),
    checks=st.integers(0, 2**40),
    seconds=st.floats(0, 1e6),
    best=st.none() | st.floats(0, 1e6),
    about=st.binary(max_size=3),
)
drawings = st.builds(
    Drawing,
    board=st.sampled_from(BOARDS),
    epoch=st.integers(0, 2),
    stamp=st.integers(0, 2),
    device=st.sampled_from(["00000000000000aa", "00000000000000bb"]),
    body=st.binary(max_size=2),
)


def somebody(database: Database) -> str:
    """A new account."""
    owner = secrets.token_hex(16)
    with database.writing() as connection:
        connection.execute(
            account.insert().values(id=owner, name=owner, name_key=owner, rev=0, created=0)
        )
    return owner


def there(database: Database, owner: str) -> tuple[dict[str, Progress], dict[str, Drawing]]:
    progress, drawn = everything(database, owner)
    return {one.board: one for one in progress}, {one.board: one for one in drawn}


def on_board(one: Any, board: str) -> Any:
    return type(one)(**{**{f: getattr(one, f) for f in one.__struct_fields__}, "board": board})


@given(st.lists(records, min_size=3, max_size=3))
def test_progress_merges_in_any_order(three: list[Progress]) -> None:
    one, two, three_ = (on_board(record, BOARDS[0]) for record in three)
    assert joined(one, two) == joined(two, one)
    assert joined(joined(one, two), three_) == joined(one, joined(two, three_))
    assert joined(one, one) == one
    assert joined(joined(one, two), two) == joined(one, two)


@given(st.lists(drawings, min_size=3, max_size=3))
def test_drawings_merge_in_any_order(three: list[Drawing]) -> None:
    one, two, three_ = (on_board(record, BOARDS[0]) for record in three)
    assert later(one, two) == later(two, one)
    assert later(later(one, two), three_) == later(one, later(two, three_))
    assert later(one, one) == one


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.lists(records, max_size=4), st.lists(drawings, max_size=4)), max_size=4)
)
def test_the_database_merges_as_records_do(
    database: Database, pushes: list[tuple[list[Progress], list[Drawing]]]
) -> None:
    owner = somebody(database)
    for progress, drawn in pushes:
        sync(database, owner, 0, progress, drawn)
    wanted: tuple[dict[str, Progress], dict[str, Drawing]] = ({}, {})
    for progress, drawn in pushes:
        for one in progress:
            wanted[0][one.board] = joined(wanted[0].get(one.board, one), one)
        for line in drawn:
            wanted[1][line.board] = later(wanted[1].get(line.board, line), line)
    assert there(database, owner) == wanted
    # Once more changes nothing, and gives nobody anything to fetch.
    rev = sync(database, owner, 0).rev
    for progress, drawn in pushes:
        sync(database, owner, 0, progress, drawn)
    assert there(database, owner) == wanted
    again = sync(database, owner, rev)
    assert (again.progress, again.drawings) == ((), ())


def test_a_reset_wins_over_a_late_device(database: Database) -> None:
    owner, board = somebody(database), BOARDS[0]
    played = Progress(board=board, solved=True, hints=3, seconds=90.0, best=90.0)
    drawn = Drawing(board=board, stamp=900, device="0" * 16, body=b"drawn")
    sync(database, owner, 0, [played], [drawn])
    cleared = Drawing(board=board, epoch=1, stamp=901, device="1" * 16, body=b"")
    sync(database, owner, 0, [Progress(board=board, epoch=1)], [cleared])
    late = Drawing(board=board, stamp=5_000, device="0" * 16, body=b"more")
    told = sync(database, owner, 0, [played], [late])
    assert told.progress == (Progress(board=board, epoch=1),)
    assert told.drawings == (cleared,)


def test_only_what_has_changed_is_told(database: Database) -> None:
    owner = somebody(database)
    first = sync(database, owner, 0, [Progress(board=BOARDS[0], hints=1)])
    second = sync(database, owner, first.rev, [Progress(board=BOARDS[1], hints=1)])
    assert (first.rev, second.rev, second.progress) == (1, 2, ())
    told = sync(database, owner, first.rev)
    assert [one.board for one in told.progress] == [BOARDS[1]]
    assert sync(database, owner, second.rev).progress == ()
    # A device that knows of more than there is: the database was set back.
    assert len(sync(database, owner, 99).progress) == 2


def test_an_answer_comes_in_pages(database: Database) -> None:
    owner = somebody(database)
    for start in range(0, 3 * ROWS, 100):
        boards = [f"{k:064x}" for k in range(start, start + 100)]
        sync(database, owner, 2**40, [Progress(board=board, hints=1) for board in boards])
    since, seen, pages = 0, [], 0
    while True:
        told = sync(database, owner, since)
        assert len(told.progress) <= ROWS
        seen += [one.board for one in told.progress]
        since, pages = told.rev, pages + 1
        if not told.more:
            break
    assert pages == 3
    assert sorted(seen) == [f"{k:064x}" for k in range(3 * ROWS)]


def test_forged_numbers_do_not_lock_anybody_out(database: Database) -> None:
    owner, board = somebody(database), BOARDS[0]
    with pytest.raises(Ahead, match="epoch"):
        sync(database, owner, 0, [Progress(board=board, epoch=EPOCHS + 1)])
    with pytest.raises(Ahead, match="stamp"):
        sync(
            database,
            owner,
            0,
            [Progress(board=board, hints=1)],
            [Drawing(board=board, stamp=STAMPS + 1, device="0" * 16, body=b"")],
        )
    # All of a push or nothing of it.
    assert there(database, owner) == ({}, {})
    sync(database, owner, 0, [Progress(board=board, epoch=EPOCHS)])
    assert there(database, owner)[0][board].epoch == EPOCHS


def test_accounts_do_not_see_each_other(database: Database) -> None:
    one, other = somebody(database), somebody(database)
    sync(database, one, 0, [Progress(board=BOARDS[0], hints=1)])
    told = sync(database, other, 0, [Progress(board=BOARDS[0], hints=5)])
    assert told.progress == ()
    assert there(database, one)[0][BOARDS[0]].hints == 1
    with pytest.raises(KeyError):
        sync(database, "nobody", 0, [Progress(board=BOARDS[0])])


@pytest.mark.parametrize("order", list(permutations(range(3)))[:3])
def test_four_writers_at_once(database: Database, order: tuple[int, ...]) -> None:
    """In any order the same rows come of the same documents, and no revision is given twice."""
    owner = somebody(database)
    documents = [
        Progress(board=BOARDS[k % 3], epoch=k % 2, hints=k, best=float(50 - k), solved=k == 7)
        for k in range(40)
    ]
    revs: list[int] = []
    errors: list[BaseException] = []

    def write(writer: int) -> None:
        try:
            for k in range(writer, 40, 4):
                at = (k * (order[0] + 1) * 3 + order[1]) % 40
                revs.append(sync(database, owner, 2**40, [documents[at]]).rev)
            for one in documents[writer::4]:
                revs.append(sync(database, owner, 2**40, [one]).rev)
        except BaseException as error:
            errors.append(error)

    writers = [threading.Thread(target=write, args=(k,)) for k in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert not errors
    assert len(set(revs)) == len(revs)
    for board in BOARDS:
        wanted = reduce(joined, [one for one in documents if one.board == board])
        assert there(database, owner)[0][board] == wanted


def test_a_push_is_few_statements(database: Database) -> None:
    """Whatever the number of documents: time goes with statements, not with rows."""
    owner, seen = somebody(database), []

    def note(*told: Any) -> None:
        seen.append(told[2])

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        boards = [f"{k:064x}" for k in range(100)]
        sync(
            database,
            owner,
            0,
            [Progress(board=board, hints=1) for board in boards],
            [Drawing(board=board, device="0" * 16, body=b"x") for board in boards],
        )
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    assert len(seen) <= 12
