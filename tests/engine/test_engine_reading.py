"""Bounded, strict reads: rules of the README that no conformance vector has."""

from __future__ import annotations

import pytest
from engine_agent import BOM, Agent, moves, paths, text

from scopetrace.engine.text import sha1_hex
from scopetrace.model import Outcome
from scopetrace.workspace.fs import Cancel, Cancelled, Entry, FileSystem, Stat
from scopetrace.workspace.memory import MemoryFs


class Asked:
    """A provider whose metadata may lie about sizes; keeps the limits of reads."""

    def __init__(self, fs: MemoryFs, sizes: dict[str, int | None]) -> None:
        self.fs = fs
        self.sizes = sizes
        self.limits: list[int] = []

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        found = self.fs.stat(path, cancel)
        if found is None or path not in self.sizes:
            return found
        return Stat(found.kind, found.version, self.sizes[path], found.link_target)

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        self.limits.append(limit)
        return self.fs.read(path, limit, cancel)

    def listdir(self, path: str) -> tuple[Entry, ...]:
        return self.fs.listdir(path)

    def generation(self) -> int | None:
        return self.fs.generation()


def agent_over(data: bytes, size: int | None, **settings: int) -> tuple[Agent, Asked]:
    agent = Agent({"/w/AGENTS.md": data}, **settings)
    asked = Asked(agent.memory, {"/w/AGENTS.md": size})
    assert isinstance(asked, FileSystem)
    agent.fs = asked
    return agent, asked


# -- caps


@pytest.mark.parametrize("size", [3, None], ids=["grew after its probe", "size unknown"])
def test_the_cap_holds_whatever_the_metadata_said(size: int | None) -> None:
    agent, asked = agent_over(b"x" * 500, size, maxSourceBytes=10)
    assert agent.context() is None
    assert asked.limits == [11]  # the cap and the byte that proves overflow
    assert agent.outcomes("AGENTS.md") == [Outcome.PRESENT, Outcome.OVERSIZE]
    assert agent.decision(Outcome.OVERSIZE).facts == {"limit": 10, "size": None}


@pytest.mark.parametrize("size", [3, None])
def test_a_file_that_grew_up_to_the_cap_is_read_whole(size: int | None) -> None:
    agent, asked = agent_over(b"x" * 10, size, maxSourceBytes=10)
    assert text(agent.context()).count("x" * 10) == 1
    assert asked.limits == [11]


def test_a_file_that_shrank_is_read_as_it_is() -> None:
    agent, _ = agent_over(b"abc", 9, maxSourceBytes=10)
    assert "\n\nabc\n" in text(agent.context())


def test_a_reported_size_above_the_cap_saves_the_read() -> None:
    agent, asked = agent_over(b"abc", 11, maxSourceBytes=10)
    assert agent.context() is None
    assert asked.limits == []
    assert agent.decision(Outcome.OVERSIZE).facts == {"limit": 10, "size": 11}


@pytest.mark.parametrize("size", [3, None])
def test_growth_counts_against_what_is_left_of_the_aggregate(size: int | None) -> None:
    agent, asked = agent_over(b"y" * 500, size, maxTotalSourceBytes=10)
    agent.memory.write("/h/.dsh/AGENTS.md", "x" * 4)
    assert paths(agent.context()) == ["~/.dsh/AGENTS.md"]
    assert asked.limits == [11, 7]
    assert agent.decision(Outcome.OVER_AGGREGATE).facts == {"limit": 10, "left": 6, "size": None}


def test_growth_in_a_dynamic_pass_is_temporary() -> None:
    agent, asked = agent_over(b"text", 4, maxSourceBytes=10)
    agent.context()
    agent.memory.write("/w/AGENTS.md", "x" * 500)
    assert agent.context(2) is None
    assert agent.outcomes("AGENTS.md") == [Outcome.PRESENT, Outcome.OVERSIZE]
    agent.memory.write("/w/AGENTS.md", "short")
    asked.sizes.clear()
    assert moves(agent.context(3)) == [("replace", "AGENTS.md")]


# -- text


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (b"a\xc0\xafb", 1),  # overlong "/"
        (b"\xe0\x80\xaf", 0),  # overlong in three bytes
        (b"ab\xed\xa0\x80", 2),  # a high surrogate
        (b"\xed\xb0\x80", 0),  # a low surrogate
        (b"\xed\xa0\xbd\xed\xb8\x80", 0),  # a pair of them (CESU-8)
        (b"\xf4\x90\x80\x80", 0),  # beyond U+10FFFF
        (b"\xf5\x80\x80\x80", 0),
        (b"text\xe2\x82", 4),  # the file ends inside a character
        (b"\x80", 0),  # a continuation byte alone
        (b"\xff\xfea\x00", 0),  # UTF-16; its NUL comes after the first wrong byte, see below
    ],
    ids=repr,
)
def test_utf8_is_strict(data: bytes, at: int) -> None:
    agent = Agent({"/w/AGENTS.md": data, "/w/CLAUDE.md": "fine"})
    assert paths(agent.context()) == ["CLAUDE.md"]
    refused = agent.outcomes("AGENTS.md")[-1]
    if b"\0" in data:
        assert refused is Outcome.BINARY
    else:
        assert refused is Outcome.INVALID_UTF8
        assert agent.decision(Outcome.INVALID_UTF8).facts == {"at": at}


@pytest.mark.parametrize("size", ["known", "unknown"])
def test_a_character_cut_at_the_cap_is_oversize_not_invalid(size: str) -> None:
    """``é`` begins at the last byte within the cap: one byte too many, whatever the cut looks like."""
    data = b"123456789" + "é".encode()
    agent, _ = agent_over(data, len(data) if size == "known" else None, maxSourceBytes=10)
    assert agent.context() is None
    assert agent.outcomes("AGENTS.md")[-1] is Outcome.OVERSIZE


def test_a_character_ending_exactly_at_the_cap_is_whole() -> None:
    agent, _ = agent_over(b"12345678" + "é".encode(), None, maxSourceBytes=10)
    assert "12345678é" in text(agent.context())


def test_a_file_truncated_at_exactly_the_cap_is_invalid() -> None:
    agent, _ = agent_over(b"12345678" + "路".encode()[:2], None, maxSourceBytes=10)
    assert agent.context() is None
    assert agent.outcomes("AGENTS.md")[-1] is Outcome.INVALID_UTF8


@pytest.mark.parametrize("content", ["\U0010ffff", "\ud7ff\ue000", "\x01\x7f\u0085\u2028"])
def test_the_ends_of_what_is_valid(content: str) -> None:
    assert content in text(Agent({"/w/AGENTS.md": content}).context())


# -- byte order mark


def test_one_leading_mark_is_dropped_before_hashing() -> None:
    agent = Agent({"/w/AGENTS.md": BOM + b"text"})
    message = agent.context()
    assert message is not None
    assert text(message).endswith("AGENTS.md\n\ntext\n</system-reminder>")
    assert message.source.changes is not None
    assert message.source.changes[0].digest == sha1_hex("text")
    agent.memory.write("/w/AGENTS.md", "text")
    assert agent.context(2) is None  # the same text, whatever the bytes
    assert agent.outcomes("AGENTS.md")[-1] is Outcome.UNCHANGED


def test_a_second_mark_is_content() -> None:
    assert "AGENTS.md\n\n\ufefftext\n" in text(Agent({"/w/AGENTS.md": BOM + BOM + b"text"}).context())


def test_a_mark_alone_is_an_empty_file() -> None:
    message = Agent({"/w/AGENTS.md": BOM}).context()
    assert paths(message) == ["AGENTS.md"]
    assert text(message).endswith("Instructions from: AGENTS.md\n\n\n</system-reminder>")


def test_the_mark_counts_in_a_reported_size_alone() -> None:
    known, _ = agent_over(BOM + b"0123456789", 13, maxSourceBytes=10)
    unknown, _ = agent_over(BOM + b"0123456789", None, maxSourceBytes=10)
    longer, _ = agent_over(BOM + b"0123456789a", None, maxSourceBytes=10)
    assert known.context() is None
    assert "0123456789" in text(unknown.context())
    assert longer.context() is None
    assert longer.outcomes("AGENTS.md")[-1] is Outcome.OVERSIZE


def test_a_mark_does_not_eat_into_the_aggregate() -> None:
    agent, _ = agent_over(BOM + b"01234", None, maxTotalSourceBytes=10)
    agent.memory.write("/w/CLAUDE.md", "56789")
    assert paths(agent.context()) == ["AGENTS.md", "CLAUDE.md"]


# -- NUL


@pytest.mark.parametrize(
    ("before", "loads"), [(0, False), (1, False), (8191, False), (8192, True), (8193, True), (20000, True)]
)
def test_a_nul_among_the_first_8192_bytes_is_not_text(before: int, loads: bool) -> None:
    agent = Agent({"/w/AGENTS.md": b"x" * before + b"\0" + b"y" * 20})
    message = agent.context()
    if loads:
        assert "x\0y" in text(message)
    else:
        assert message is None
        assert agent.decision(Outcome.BINARY).facts == {"at": before}


def test_the_mark_counts_among_the_8192() -> None:
    """Raw bytes are looked at, before anything is decoded."""
    assert Agent({"/w/AGENTS.md": BOM + b"x" * 8188 + b"\0"}).context() is None
    assert Agent({"/w/AGENTS.md": BOM + b"x" * 8189 + b"\0"}).context() is not None


@pytest.mark.parametrize("data", [b"\0bin", b"\xffbad", b"x" * 99], ids=["binary", "invalid", "oversize"])
def test_in_a_dynamic_pass_what_cannot_be_read_is_temporary(data: bytes) -> None:
    agent = Agent({"/w/AGENTS.md": "old"}, maxSourceBytes=20)
    agent.context()
    agent.memory.write("/w/AGENTS.md", data)
    assert agent.context(2) is None
    agent.memory.write("/w/AGENTS.md", "new")
    assert moves(agent.context(3)) == [("replace", "AGENTS.md")]


# -- cancellation


class CancelAt:
    """A cancel function that says yes at one place: ``where`` is ``stat`` or ``read`` and a path."""

    def __init__(self, fs: MemoryFs, where: tuple[str, str]) -> None:
        self.fs = fs
        self.where = where
        self.stopped = False

    def stat(self, path: str, cancel: Cancel | None = None) -> Stat | None:
        return self.fs.stat(path, self._hear("stat", path, cancel))

    def read(self, path: str, limit: int, cancel: Cancel | None = None) -> bytes:
        return self.fs.read(path, limit, self._hear("read", path, cancel))

    def listdir(self, path: str) -> tuple[Entry, ...]:
        return self.fs.listdir(path)

    def generation(self) -> int | None:
        return self.fs.generation()

    def _hear(self, kind: str, path: str, cancel: Cancel | None) -> Cancel:
        assert cancel is not None, "the provider was not given the cancel function"
        self.stopped = self.stopped or (kind, path) == self.where
        return cancel


PLACES = [("stat", "/w/.git"), ("stat", "/w/AGENTS.md"), ("read", "/w/AGENTS.md")]


def cancelling(agent: Agent, where: tuple[str, str]) -> CancelAt:
    fs = CancelAt(agent.memory, where)
    agent.fs = fs
    agent.cancel = lambda: fs.stopped
    return fs


@pytest.mark.parametrize("where", PLACES, ids=" ".join)
def test_cancellation_ends_a_pre_step_with_an_error(where: tuple[str, str]) -> None:
    agent = Agent({"/w/AGENTS.md": "text"})
    fs = cancelling(agent, where)
    before = agent.state
    result = agent.enter()
    assert result.error == "cancelled"
    assert result.entered is None
    assert result.context is None
    assert agent.decisions[-1].outcome is Outcome.PASS_ABORTED
    assert agent.state.visible == before.visible
    assert agent.state.prepared is None
    assert dict(agent.state.versions) == {}
    fs.where, fs.stopped = ("", ""), False
    assert paths(agent.context()) == ["AGENTS.md"]


@pytest.mark.parametrize("where", [("stat", "/w/.git"), ("stat", "/w/a/AGENTS.md"), ("read", "/w/a/AGENTS.md")])
def test_cancellation_of_a_projection_warns_and_loses_the_touch(where: tuple[str, str]) -> None:
    agent = Agent({"/w/AGENTS.md": "text", "/w/a/AGENTS.md": "nested"})
    agent.context()
    fs = cancelling(agent, where)
    result = agent.touch("/w/a/f")
    assert len(result.warnings) == 1
    assert result.error == ""
    assert agent.state.inbox == ()
    assert agent.decisions[-1].outcome is Outcome.PASS_FAILED
    fs.where, fs.stopped = ("", ""), False
    assert agent.context(2) is None  # not announced without another touch
    assert paths(agent.announced("/w/a/f")) == ["a/AGENTS.md"]


def test_an_already_cancelled_provider_raises_from_probe_and_read() -> None:
    fs = MemoryFs({"/f": {"text": "x"}})
    for ask in (lambda: fs.stat("/f", lambda: True), lambda: fs.read("/f", 1, lambda: True)):
        with pytest.raises(Cancelled):
            ask()


def test_an_aborted_pre_step_looks_at_nothing() -> None:
    agent = Agent({"/w/AGENTS.md": "text"})
    assert agent.enter(aborted=True).error == "aborted"
    assert (agent.memory.stats, agent.memory.reads) == (0, [])
