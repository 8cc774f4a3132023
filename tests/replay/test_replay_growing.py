"""A log read piece by piece, or while it is written, tells in the end what it tells when it is read at once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from backports import zstd

from scopetrace.model import Verdict
from scopetrace.replay import Timeline, open_session, opening, prepare_session
from scopetrace.sessions import Bundle
from scopetrace.sessions.follow import RotationKind

RECORDINGS = Path(__file__).parents[1] / "recordings"
BARE = ["demo-monorepo", "removal", "compaction-deep", "crash-resume", "fork", "custom-homes", "v0.1.2rc1-full"]


def logs() -> Iterator[Path]:
    for manifest in sorted(RECORDINGS.glob("*/recording.json")):
        bundle = Bundle.open(manifest.parent)
        yield from (bundle.main, *bundle.children)


LOGS = list(logs())


def told(timeline: Timeline) -> object:
    """Everything that is said of the whole session, and what the loader held at its end."""
    last = len(timeline) - 1
    return (
        len(timeline),
        [(one.seq, one.verdict, one.reason) for one in timeline.comparisons],
        list(timeline.changes),
        list(timeline.passes),
        timeline.info,
        timeline.tree(last),
        [message.blocks for message in timeline.state(last).loader.visible],
        tuple(timeline.frame(last).visible),
    )


def piecemeal(path: Path, monkeypatch: pytest.MonkeyPatch, **options: object) -> Timeline:
    monkeypatch.setattr(opening, "ROWS_AT_FIRST", 1)
    monkeypatch.setattr("scopetrace.replay.timeline.READ_AHEAD", 1)
    timeline = prepare_session(path, **options)  # type: ignore[arg-type]
    while not timeline.advance(7):
        pass
    return timeline


@pytest.mark.parametrize("path", LOGS, ids=[f"{path.parent.name}/{path.name}" for path in LOGS])
def test_a_recording_read_in_small_pieces_tells_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(piecemeal(path, monkeypatch)) == told(open_session(path))


@pytest.fixture
def today(tmp_path: Path) -> Path:
    """A project whose files are others than those of any session."""
    (tmp_path / "today" / ".git").mkdir(parents=True)
    for directory in (".", "packages/cart", "packages/web", "src"):
        (tmp_path / "today" / directory).mkdir(parents=True, exist_ok=True)
        (tmp_path / "today" / directory / "AGENTS.md").write_text("of today\n")
    return tmp_path / "today"


def lines_of(name: str) -> list[bytes]:
    data = Bundle.open(RECORDINGS / name).main.read_bytes()
    plain = zstd.decompress(data) if data.startswith(b"\x28\xb5\x2f\xfd") else data
    return plain.splitlines(keepends=True)


@pytest.mark.parametrize("name", [name for name in BARE if (RECORDINGS / name).is_dir()])
@pytest.mark.parametrize("at_once", [1, 40])
def test_a_living_log_tells_at_its_end_what_a_finished_one_does(
    name: str, at_once: int, tmp_path: Path, today: Path
) -> None:
    """Written line by line, each line in two halves: what is announced late was not there before."""
    lines = lines_of(name)
    log = tmp_path / "log" / "session.jsonl"
    log.parent.mkdir()
    log.write_bytes(lines[0])
    options = {"workspace": str(today), "home": str(tmp_path / "nobody"), "environ": {}}
    timeline = prepare_session(log, live=True, **options)  # type: ignore[arg-type]
    seen = 0
    for at in range(1, len(lines), at_once):
        piece = b"".join(lines[at : at + at_once])
        for part in (piece[:-5], piece[-5:]):
            with log.open("ab") as file:
                file.write(part)
            timeline.advance(50)
            assert len(timeline) >= seen, "rows that were shown do not go away"
            seen = len(timeline)
    while not timeline.advance(50):
        pass
    whole = open_session(log, **options)  # type: ignore[arg-type]
    assert told(timeline) == told(whole)
    assert {one.verdict for one in whole.comparisons} <= {Verdict.EQUAL, Verdict.NOT_COMPARABLE}


def test_a_living_log_may_be_packed_in_frames(tmp_path: Path, today: Path) -> None:
    lines = lines_of("demo-monorepo")
    log = tmp_path / "session.jsonl.zstd"
    log.write_bytes(zstd.compress(b"".join(lines[:2])))
    timeline = prepare_session(log, live=True, workspace=str(today), environ={})
    for at in range(2, len(lines), 5):
        frame = zstd.compress(b"".join(lines[at : at + 5]))
        for part in (frame[:20], frame[20:]):
            with log.open("ab") as file:
                file.write(part)
            timeline.advance(20)
    while not timeline.advance(20):
        pass
    assert len(timeline) == len(lines) - 1
    assert {one.verdict for one in timeline.comparisons} == {Verdict.EQUAL}
    assert told(timeline) == told(open_session(log, workspace=str(today), environ={}))


def test_what_stands_at_the_end_unfinished_is_said_and_no_gap(tmp_path: Path, today: Path) -> None:
    lines = lines_of("demo-monorepo")
    log = tmp_path / "session.jsonl"
    log.write_bytes(b"".join(lines[:20]) + lines[20][:-3])
    timeline = prepare_session(log, live=True, workspace=str(today), environ={})
    while not timeline.advance():
        pass
    assert len(timeline) == 19
    assert timeline.waiting is not None
    assert timeline.waiting.skipped == len(lines[20]) - 3
    with log.open("ab") as file:
        file.write(lines[20][-3:])
    while not timeline.advance():
        pass
    assert (len(timeline), timeline.waiting) == (20, None)


def test_a_step_waits_for_its_messages_until_the_log_is_quiet(tmp_path: Path, today: Path) -> None:
    """Else the message that is about to be written would be called computed only for a moment."""
    lines = lines_of("demo-monorepo")
    step = next(at for at, line in enumerate(lines) if b'"step/start"' in line)
    log = tmp_path / "session.jsonl"
    log.write_bytes(lines[0])
    timeline = prepare_session(log, live=True, workspace=str(today), environ={})
    with log.open("ab") as file:
        file.write(b"".join(lines[1 : step + 1]))
    assert not timeline.advance()
    assert len(timeline) == step - 1
    assert timeline.advance(), "nothing came"
    assert len(timeline) == step
    with log.open("ab") as file:
        file.write(b"".join(lines[step + 1 :]))
    while not timeline.advance():
        pass
    assert {one.verdict for one in timeline.comparisons} == {Verdict.EQUAL}


def test_a_log_that_goes_on_elsewhere_is_said_to(tmp_path: Path, today: Path) -> None:
    lines = lines_of("demo-monorepo")
    log = tmp_path / "session.v3.jsonl"
    log.write_bytes(b"".join(lines[:20]))
    timeline = prepare_session(log, live=True, workspace=str(today), environ={})
    timeline.advance()
    timeline.advance()
    assert timeline.rotation is None
    newer = tmp_path / "session.v4.jsonl"
    newer.write_bytes(b"")
    timeline.advance()
    assert timeline.rotation is None, "nothing is written there yet"
    newer.write_bytes(b"".join(lines[:21]))
    timeline.advance()
    assert timeline.rotation is not None
    assert (timeline.rotation.kind, timeline.rotation.path) == (RotationKind.NEWER_GENERATION, str(newer))
    newer.unlink()
    shutil.copy(log, tmp_path / "copy")
    (tmp_path / "copy").rename(log)
    timeline.advance()
    assert timeline.rotation is not None
    assert timeline.rotation.kind is RotationKind.REPLACED
    log.unlink()
    timeline.advance()
    assert timeline.rotation.kind is RotationKind.GONE
    assert len(timeline) == 19


def test_only_the_beginning_of_a_long_log_is_read_before_there_is_a_timeline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = next(path for path in LOGS if path.parent.name == "demo-monorepo")
    monkeypatch.setattr(opening, "ROWS_AT_FIRST", 1)
    timeline = prepare_session(path)
    assert 0 < timeline.progress.rows < len(open_session(path)) // 2
    assert timeline.progress.position < timeline.progress.size
    assert (len(timeline), timeline.complete) == (0, False)


def test_instructions_are_found_however_the_writer_spells_them(tmp_path: Path, today: Path) -> None:
    """Rows that cannot speak of instructions are passed over undecoded: by their words, which may be escaped."""
    told_of: list[object] = []
    for spell in (lambda line: line, lambda line: line.replace(b'"agent-instructions"', b'"agent\\u002dinstructions"')):
        place = tmp_path / str(len(told_of))
        place.mkdir()
        log = place / "session.jsonl"
        log.write_bytes(b"".join(spell(line) for line in lines_of("demo-monorepo")))
        timeline = open_session(log, workspace=str(today), home=str(tmp_path / "nobody"), environ={})
        told_of.append([(one.seq, one.verdict) for one in timeline.comparisons])
    assert told_of[0] == told_of[1]
    assert len(told_of[0]) == 8  # type: ignore[arg-type]
