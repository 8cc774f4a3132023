"""Text of strangers on its way out: every report, every export, every screen; and a terminal that obeys none of it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hostile import CORPUS, FORBIDDEN, hostile_log, hostile_workspace
from terminal import Terminal

from scopetrace.cli import main
from scopetrace.model import TimelineView
from scopetrace.replay import open_any
from scopetrace.report.display import safe_line, safe_text, same_length
from scopetrace.report.markdown import code, escaped, fenced
from scopetrace.tui.actions import actions_for
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.opening import OpenOptions, open_path
from scopetrace.tui.screens.open import Surroundings

Captured = pytest.CaptureFixture[str]
ALLOWED_TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "p", "span", "details", "summary", "pre"}


class Sources:
    """A hostile log with a hostile workspace, and how to name them to a command."""

    def __init__(self, base: Path) -> None:
        self.workspace = hostile_workspace(base / "ws")
        self.home = base / "home"
        (self.home / ".dsh").mkdir(parents=True)
        (self.home / ".dsh" / "AGENTS.md").write_text(CORPUS["csi"] + CORPUS["markup"])
        self.log = hostile_log(base / "session.v4.jsonl")
        self.session = [str(self.log), "--workspace", str(self.workspace), "--home", str(self.home)]

    def view(self) -> TimelineView:
        return open_any(self.log, workspace=str(self.workspace), home=str(self.home), environ={})


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    return Sources(tmp_path_factory.mktemp("hostile"))


def commands(sources: Sources) -> list[list[str]]:
    return [
        ["show", *sources.session, "--decisions", "--text"],
        ["replay", *sources.session, "--decisions", "--all"],
        ["audit", *sources.session],
        ["show", str(sources.workspace), "--home", str(sources.home)],
        ["show", f"{sources.log}@99999", *sources.session[1:]],
        ["replay", CORPUS["osc52"]],
        ["replay", *sources.session, "--profile", CORPUS["csi"].replace("\0", "")],
        [CORPUS["bidi"], CORPUS["csi"]],
        ["explain", CORPUS["osc"]],
        ["schema", CORPUS["zero width"]],
        ["message", f"{CORPUS['tags']}@3"],
        ["export", *sources.session, "-o", str(sources.home / CORPUS["csi"].replace("/", "_") / "x")],
        ["open", *sources.session],
    ]


@pytest.mark.parametrize("text", CORPUS.values(), ids=CORPUS)
def test_a_field_shows_its_text_safe_and_character_by_character(text: str) -> None:
    assert len(same_length(text)) == len(text)
    assert not FORBIDDEN.search(same_length(text))
    assert "\n" not in same_length(text)


@pytest.mark.parametrize("text", CORPUS.values(), ids=CORPUS)
def test_the_boundary_lets_nothing_through(text: str) -> None:
    assert not FORBIDDEN.search(safe_line(text))
    assert "\n" not in safe_line(text)
    assert not FORBIDDEN.search(safe_text(text))
    assert safe_text(text).count("\n") == text.count("\n")


def test_what_commands_print_is_safe(sources: Sources, capsys: Captured) -> None:
    for line in commands(sources):
        assert main(line) in (0, 1, 2)
        shown = capsys.readouterr()
        assert shown.out + shown.err
        assert not FORBIDDEN.search(shown.out), line
        assert not FORBIDDEN.search(shown.err), line
        assert "Traceback" not in shown.err


def test_json_is_ascii_and_holds_the_exact_texts(sources: Sources, capsys: Captured) -> None:
    exact = set()

    def gather(value: object) -> None:
        if isinstance(value, dict):
            for item in value.values():
                gather(item)
        elif isinstance(value, list):
            for item in value:
                gather(item)
        elif isinstance(value, str):
            exact.add(value)

    for line in (["export", *sources.session], ["replay", *sources.session, "--json"], ["show", *sources.session]):
        assert main([*line] if line[0] == "export" else [*line, "--json"]) == 0
        shown = capsys.readouterr().out
        assert shown.isascii()
        assert not FORBIDDEN.search(shown)
        gather(json.loads(shown))
    for name in ("csi", "osc52", "bidi", "tags", "surrogates"):
        assert any(CORPUS[name] in text for text in exact), name


class Page(HTMLParser):
    """Notes tags and attributes, and that every tag closes in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_html_shows_the_corpus_and_obeys_none_of_it(sources: Sources, capsys: Captured) -> None:
    assert main(["export", *sources.session, "--format", "html"]) == 0
    shown = capsys.readouterr().out
    assert not FORBIDDEN.search(shown)
    page = Page()
    page.feed(shown)
    page.close()
    assert page.open == []
    assert page.seen <= ALLOWED_TAGS
    assert page.attributes <= {"lang", "charset", "http-equiv", "content", "class", "open"}
    text = "".join(page.text)
    assert "<script>alert(1)</script>" in text
    assert "]]><!-- --><![CDATA[" in text
    # All of the page is well-formed XML, too, but for void elements and an attribute without a value.
    closed = re.sub(r"<meta([^>]*)>", r"<meta\1/>", shown.partition("\n")[2]).replace("<details open>", "<details>")
    ElementTree.fromstring(closed)


def test_no_content_ends_a_fence_of_markdown(sources: Sources, capsys: Captured) -> None:
    assert main(["export", *sources.session, "--format", "md"]) == 0
    shown = capsys.readouterr().out
    assert not FORBIDDEN.search(shown)
    fence = ""
    outside: list[str] = []
    for line in shown.split("\n"):
        if fence:
            run = re.match("`*", line)
            assert run is not None
            if line == fence:
                fence = ""
            else:
                assert len(run[0]) < len(fence)
        elif opened := re.fullmatch("(`{3,})text", line):
            fence = opened[1]
        else:
            outside.append(line)
    assert fence == ""
    told = re.sub("(`+)(?!`).*?(?<!`)\\1(?!`)", "", "\n".join(outside))
    assert not re.search(r"(?<!\\)<[a-z/!]", told)
    assert not re.search(r"(?<!\\)\]\(", told)


@pytest.mark.parametrize("text", CORPUS.values(), ids=CORPUS)
def test_markdown_pieces_hold_what_they_are_given(text: str) -> None:
    first, *inner, last = fenced(text).rstrip("\n").split("\n")
    assert last == first.removesuffix("text")
    assert all(len(run) < len(last) for run in re.findall("`+", "\n".join(inner)))
    assert "\n" not in code(text)
    assert "\n" not in escaped(text)


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_every_pane_draws_the_corpus_as_well_formed_svg(sources: Sources, size: tuple[int, int]) -> None:
    view = sources.view()
    app = InspectorApp(view)
    async with app.run_test(size=size) as pilot:
        for place, pane in zip(
            (0, len(view) // 4, len(view) // 2, len(view) - 12, len(view) - 1), "51243", strict=True
        ):
            app.screen.go(place)  # type: ignore[attr-defined]
            await pilot.press(pane, "down", "down", "enter")
            drawn(app)
            await pilot.press("escape")


async def test_lines_of_a_megabyte(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_text("x" * 1_000_000 + "\x1b[31m\n" + "漢" * 10_000)
    view = open_any(tmp_path, home=str(tmp_path / "none"), environ={})
    app = InspectorApp(view)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("4", "m", "m", "W", "G")
        ElementTree.fromstring(app.export_screenshot())


async def test_every_screen_draws_a_hostile_directory(sources: Sources) -> None:
    options = OpenOptions(home=str(sources.home), environ={})
    app = InspectorApp(lambda _: open_path(str(sources.workspace), options), name=CORPUS["csi"])
    async with app.run_test(size=(110, 36)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        targets = getattr(app.screen, "TARGETS", ("main",))
        for spec in actions_for(*targets):
            if spec.action.startswith(("quit", "play", "copy", "export", "step", "theme", "pane")):
                continue
            await pilot.press(spec.keys[0])
            await pilot.pause()
            drawn(app)
            for _ in range(2):
                if len(app.screen_stack) > 2:
                    await pilot.press("escape")


async def test_the_open_screen_draws_hostile_names_and_sessions(sources: Sources) -> None:
    sessions = sources.home / ".dsh" / "sessions" / CORPUS["bidi"].replace("/", "_")[:80]
    sessions.mkdir(parents=True)
    hostile_log(sessions / "session.v4.jsonl", "removal")
    around = Surroundings(cwd=str(sources.workspace), home=str(sources.home), environ={})
    app = InspectorApp(None, around=around)
    async with app.run_test(size=(110, 36)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        drawn(app)
        for keys in (("down", "down"), ("pagedown",), ("f1", "escape"), (".", "slash"), ("tab", "tab"), ("escape",)):
            await pilot.press(*keys)
            await app.workers.wait_for_complete()
            await pilot.pause()
            drawn(app)


def drawn(app: InspectorApp) -> None:
    """The screen is well-formed XML, and nothing in it is hidden or obeyed."""
    svg = app.export_screenshot()
    ElementTree.fromstring(svg)
    assert not FORBIDDEN.search(svg)


# -- a real terminal


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Exit code and everything that a terminal got from one command."""
    terminal = Terminal(*arguments)
    code = terminal.close()
    return code, terminal.seen.decode("utf-8", "surrogateescape")


EACH = """
import json, sys
from scopetrace.cli import main
for line in json.loads(sys.argv[1]):
    code = main(line)
    print(f"\\n-- {code}", flush=True)
"""


def test_commands_on_a_terminal_send_colour_and_nothing_else(sources: Sources) -> None:
    lines = [commands(sources)[number] for number in (0, 1, 2, 4, 5, 6, 11)]
    terminal = Terminal(json.dumps(lines), program=EACH)
    assert terminal.close() == 0
    told = re.sub("\x1b\\[[0-9;]*m", "", terminal.seen.decode("utf-8", "surrogateescape")).replace("\r\n", "\n")
    codes = re.findall("^-- (.*)$", told, re.MULTILINE)
    assert len(codes) == len(lines)
    assert set(codes) <= {"0", "1", "2"}
    assert "\x1b[" in terminal.seen.decode("utf-8", "surrogateescape")
    found = FORBIDDEN.search(told)
    assert not found, repr(told[max(0, found.start() - 40) : found.end() + 40])


def test_an_exact_message_is_made_safe_on_a_terminal_only(
    sources: Sources, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    view = sources.view()
    seq = next(one.seq for one in view.comparisons if one.recorded is not None)
    code, seen = on_a_terminal("message", f"{sources.log}@{seq}", *sources.session[1:])
    assert code == 0
    assert not FORBIDDEN.search(seen.replace("\r\n", "\n"))
    assert main(["message", f"{sources.log}@{seq}", *sources.session[1:]]) == 0
    recorded = next(one.recorded for one in view.comparisons if one.recorded is not None)
    assert capfdbinary.readouterr().out == "".join(recorded.blocks).encode("utf-8", "surrogatepass")


OWN = re.compile(rb"\x1b\]22;[a-z]*\x07|\x1bP=\d+[sh]\x1b\\")
"""Operating system and device commands that the toolkit sends by itself: pointer shape, synchronised output."""


def test_the_inspector_on_a_terminal_sends_no_sequence_of_the_corpus(sources: Sources) -> None:
    terminal = Terminal("open", *sources.session)
    terminal.until(lambda seen: b"Timeline" in seen and b"Decisions" in seen)
    for keys in ("2", "4", "m", "1", "5", "]", "]", "i"):
        terminal.send(keys)
        terminal.settle()
    terminal.send("\x1b")
    terminal.settle()
    terminal.send("q")
    assert terminal.close() == 0
    seen = OWN.sub(b"", terminal.seen)
    for marker in (
        b"\x1b]",
        b"\x1bP",
        b"\x1b_",
        b"\x1b^",
        b"\x1bX",
        b"\x1b#8",
        b"\x1bc",
        b"\x07",
        b"\x1b[6n",
        b"\x1b[>0q",
    ):
        assert marker not in seen, marker
    text = re.sub(rb"\x1b\[[0-9;?<>=:]*[A-Za-z@`~$]", b"", seen).decode("utf-8")
    text = text.replace("\r\n", "\n").replace("\r", "").replace("\x1b", "")
    found = FORBIDDEN.search(text)
    assert not found, repr(text[max(0, found.start() - 40) : found.end() + 40])
