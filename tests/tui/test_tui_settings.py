"""The user's settings file: what it may say, and that mistakes are told and not fatal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scopetrace.tui.actions import ACTIONS, KeysInForce, footer_items
from scopetrace.tui.app import InspectorApp
from scopetrace.tui.keynames import key_text
from scopetrace.tui.screens.main import MainScreen
from scopetrace.tui.settings import Settings, key_name, load_settings, parse_settings, settings_path
from scopetrace.tui.widgets.bars import KeyBar
from scopetrace.tui.widgets.lines import LineList
from scopetrace.tui.widgets.timeline import TimelinePane

MakeApp = Callable[..., InspectorApp]


def load(place: Path, text: str | bytes) -> Settings:
    path = place / "settings.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_settings({"SCOPETRACE_SETTINGS": str(path)})


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    assert load_settings({"SCOPETRACE_SETTINGS": str(tmp_path / "none" / "settings.toml")}) == Settings()
    assert not (tmp_path / "none").exists()


def test_the_usual_place_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/somewhere")
    assert settings_path({}).name == "settings.toml"
    assert settings_path({}).parent.name == "scopetrace"
    assert settings_path({"SCOPETRACE_SETTINGS": " "}) == settings_path({})


def test_everything_at_once(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        'theme = "scopetrace-light"\nbudget = 32768\n'
        '[keys]\n"main.play" = "P"\n"main.step_next" = ["right", "ctrl+n"]\n',
    )
    assert settings.problems == ()
    assert settings.theme == "scopetrace-light"
    assert settings.budget == 32768
    assert settings.keys == {"main.play": ("P",), "main.step_next": ("right", "ctrl+n")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("theme = ", "not TOML: Invalid value (at end of document)"),
        (b"theme = '\xff'", "byte 9: not UTF-8"),
        ("them = 1", "them: no such setting; did you mean theme?"),
        ('theme = "solarized"', "theme: no theme 'solarized'; known are scopetrace-dark"),
        ("theme = 3", "theme: no theme 3"),
        ("budget = -1", "budget: -1 is no number of bytes above 0"),
        ("budget = true", "budget: True is no number"),
        ("budget = nan", "budget: nan is no number"),
        ("keys = 3", "keys: not a table"),
        ('[keys]\n"main.plya" = "p"', "keys.main.plya: no such action; did you mean main.play?"),
        ('[keys]\nmain.play = "p"', 'keys.main: no such action; quote the id: "main.play" = "P"'),
        ('[keys]\n"main.play" = []', 'keys."main.play": [] is no key'),
        ('[keys]\n"main.play" = "spase"', "keys.\"main.play\": no key 'spase'"),
        ('[keys]\n"main.play" = "g"', 'keys."main.play": g is the key of main.go_to'),
    ],
)
def test_mistakes_are_told_and_left_out(tmp_path: Path, text: str | bytes, told: str) -> None:
    settings = load(tmp_path, text)
    assert len(settings.problems) == 1
    assert settings.problems[0].startswith(told)
    assert (settings.theme, dict(settings.keys), settings.budget) == ("", {}, None)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    settings = load_settings({"SCOPETRACE_SETTINGS": str(tmp_path)})
    assert settings.problems == ("cannot be read (Is a directory); the defaults are used",)


def test_one_mistake_does_not_take_the_rest_away() -> None:
    settings = parse_settings({"theme": "nope", "budget": 100, "keys": {"main.play": "P", "nope": "x"}})
    assert settings.budget == 100
    assert settings.keys == {"main.play": ("P",)}
    assert len(settings.problems) == 2


def test_keys_may_be_swapped() -> None:
    settings = parse_settings({"keys": {"main.step_next": "left", "main.step_previous": "right"}})
    assert settings.problems == ()
    assert len(settings.keys) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("p", "p"),
        ("P", "P"),
        ("]", "right_square_bracket"),
        ("/", "slash"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        (" ", "space"),
        ("f5", "f5"),
        ("ctrl+pageup", "ctrl+pageup"),
        ("question_mark", "question_mark"),
        ("", None),
        ("ctrl+", None),
        ("pagup", None),
        ("a,b", None),
    ],
)
def test_key_names(text: str, name: str | None) -> None:
    assert key_name(text) == name


def test_every_key_of_the_table_has_a_name() -> None:
    for spec in ACTIONS:
        for key in spec.keys:
            assert key_name(key) == key, f"{spec.id}: {key}"


async def test_keys_of_the_user_work_and_the_old_ones_do_not(make_app: MakeApp) -> None:
    keys = parse_settings({"keys": {"main.step_next": "ctrl+n", "main.help": ["H", "f2"]}})
    app = make_app(settings=keys)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        before = app.screen.index
        await pilot.press("right", "l")
        assert app.screen.index == before
        await pilot.press("ctrl+n")
        assert app.screen.index == before + 1
        await pilot.press("f2")
        assert not isinstance(app.screen, MainScreen)


async def test_footer_help_palette_and_hints_name_the_keys_of_the_user(make_app: MakeApp) -> None:
    own = {"main.step_previous": "ctrl+b", "main.why": "f6", "main.help": "H", "main.diff": "D", "main.back": "f9"}
    app = make_app(settings=parse_settings({"keys": own}))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        bar = "".join(text for text, _ in app.screen.query_one(KeyBar).line_for(120))
        assert " ^b → step  " in bar
        assert " F6 why  " in bar
        assert " D diff  " in bar
        assert " H help  " in bar
        palette = {command.title: command.help for command in app.get_system_commands(app.screen)}
        assert palette["Ask why about what is selected"] == "F6  ·  Why"
        assert palette["Go to the next event"] == "→ l  ·  Stepping"
        await pilot.press("f", "c")
        await pilot.pause()
        assert "· F9 shows all" in str(app.screen.query_one(TimelinePane).border_subtitle)
        await pilot.press("H")
        await pilot.pause()
        page = app.screen.query_one(LineList)
        text = "\n".join("".join(span.text for span in page.source.line(at, 200)) for at in range(len(page.source)))
        assert "  F6        Ask why about what is selected" in text
        assert "  → l       Go to the next event" in text
        assert "record and computation differ; D shows how" in text
        await pilot.press("H")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)


def test_a_pair_of_the_footer_that_was_not_moved_keeps_its_arrows() -> None:
    keys = KeysInForce({"main.change_next": ("f8",)})
    shown = {item.word: item.keys for item in footer_items("", keys=keys)}
    assert (shown["step"], shown["change"]) == ("←→", "[ F8")


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("right", "→"),
        ("l", "l"),
        ("L", "L"),
        ("right_square_bracket", "]"),
        ("less_than_sign", "<"),
        ("minus", "-"),
        ("slash", "/"),
        ("space", "space"),
        ("tab", "tab"),
        ("escape", "esc"),
        ("f12", "F12"),
        ("f", "f"),
        ("ctrl+p", "^p"),
        ("ctrl+left", "^←"),
        ("ctrl+home", "ctrl+Home"),
        ("shift+tab", "shift+tab"),
        ("ctrl+plus", "^+"),
        ("plus", "+"),
    ],
)
def test_how_keys_are_written(key: str, text: str) -> None:
    assert key_text(key) == text


async def test_swapped_keys_work(make_app: MakeApp) -> None:
    app = make_app(settings=parse_settings({"keys": {"main.step_next": "left", "main.step_previous": "right"}}))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        before = app.screen.index
        await pilot.press("left", "left", "right")
        assert app.screen.index == before + 1


async def test_theme_of_the_user_gives_way_to_the_command(make_app: MakeApp) -> None:
    settings = Settings(theme="scopetrace-contrast")
    assert make_app(settings=settings).theme == "scopetrace-contrast"
    assert make_app(settings=settings, theme="scopetrace-light").theme == "scopetrace-light"


async def test_problems_are_shown_on_the_screen(make_app: MakeApp) -> None:
    settings = Settings(path="/h/\x1bsettings.toml", problems=("theme: no theme '[/red]\x1b'", "budget: no\nnumber"))
    app = make_app(settings=settings)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        shown: list[Any] = list(app._notifications)
        assert [note.message for note in shown] == ["theme: no theme '[/red]␛'\nbudget: no␊number"]
        assert shown[0].title == "Settings: /h/␛settings.toml"
        assert isinstance(app.screen, MainScreen)
