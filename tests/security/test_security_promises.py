"""What the program promises about its machine: no write, no network, no process, nothing run that it reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from machine import Machine, command_lines, machine, tree_state

from scopetrace.cli import main
from scopetrace.replay import open_any
from scopetrace.tui.app import InspectorApp

HERE = Path(__file__).parent
TRAP = "import pathlib\npathlib.Path(__file__).with_name('SPRUNG').write_text('x')\n"
MODULES = ("scopetrace", "textual", "click", "json", "sitecustomize", "usercustomize", "conftest", "setup", "msgspec")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = machine(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    for name in ("DSH_HOME", "DSH_AGENTS_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(made.workspace)
    return made


def test_no_command_writes_to_a_workspace_a_home_or_beside_a_log(
    here: Machine, capfd: pytest.CaptureFixture[str]
) -> None:
    before = [tree_state(top) for top in here.guarded]
    codes = [main(line) for line in command_lines(here)]
    assert set(codes) <= {0, 1, 2}
    assert codes.count(0) > len(codes) * 2 // 3
    assert [tree_state(top) for top in here.guarded] == before
    assert sorted(path.name for path in here.exports.iterdir()) == ["out.html", "out.json", "out.md"]


@pytest.mark.parametrize("what", ["bundle", "log", "workspace"])
async def test_the_inspector_writes_nothing(what: str, here: Machine) -> None:
    before = [tree_state(top) for top in here.guarded]
    options = {"workspace": str(here.workspace)} if what == "log" else {}
    view = open_any(getattr(here, what), home=str(here.home), **options)
    async with InspectorApp(view).run_test(size=(120, 40)) as pilot:
        for pane in "4":
            await pilot.press(pane, "down", "enter", "right_square_bracket", "plus", "plus", "y", "m", "i", "escape")
        await pilot.press("question_mark", "escape", "q")
    assert [tree_state(top) for top in here.guarded] == before


def test_the_comparison_of_trees_sees_every_kind_of_write(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    for change in (
        lambda: (tmp_path / "b").touch(),
        lambda: (tmp_path / "b").unlink(),
        lambda: (tmp_path / "a").write_text("y"),
        lambda: (tmp_path / "a").chmod(0o600),
        lambda: os.utime(tmp_path / "a", ns=(1, 1)),
        lambda: os.link(tmp_path / "a", tmp_path / "c"),
    ):
        before = tree_state(tmp_path)
        change()
        assert tree_state(tmp_path) != before


def audited(here: Machine, job: dict[str, object], tmp_path: Path) -> list[str]:
    """What the guarded process prints."""
    work = tmp_path / "job.json"
    work.write_text(json.dumps({"exports": str(here.exports), "workspace": str(here.workspace), **job}))
    done = subprocess.run(
        [sys.executable, "-P", "-B", str(HERE / "audited.py"), str(work)],
        capture_output=True,
        text=True,
        cwd=here.workspace,
        env={**os.environ, "TERM": "xterm-256color"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_no_socket_no_process_no_write_and_no_foreign_code(here: Machine, tmp_path: Path) -> None:
    for name in MODULES:
        (here.workspace / f"{name}.py").write_text(TRAP)
        (here.home / f"{name}.py").write_text(TRAP)
    lines = command_lines(here)
    inspect = [
        {"path": str(here.bundle)},
        {"path": str(here.log), "workspace": str(here.workspace), "home": str(here.home), "every": True},
        {"path": str(here.workspace), "home": str(here.home)},
    ]
    *violations, last = audited(here, {"lines": lines, "inspect": inspect}, tmp_path)
    assert violations == []
    counted = json.loads(last)
    assert len(counted["codes"]) == len(lines)
    assert counted["inspected"] == 3
    assert not (here.workspace / "SPRUNG").exists()
    assert not (here.home / "SPRUNG").exists()


@pytest.mark.parametrize(
    ("deed", "event"),
    [
        ("open('{w}/x', 'w')", "open"),
        ("os.open('{w}/x', os.O_RDWR | os.O_CREAT)", "open"),
        ("os.mkdir('{w}/x')", "os.mkdir"),
        ("os.remove('{w}/AGENTS.md')", "os.remove"),
        ("os.rename('{w}/AGENTS.md', '{w}/y')", "os.rename"),
        ("os.utime('{w}/AGENTS.md')", "os.utime"),
        ("socket.socket()", "socket.__new__"),
        ("socket.getaddrinfo('localhost', 1)", "socket.getaddrinfo"),
        ("subprocess.run(['true'])", "subprocess.Popen"),
        ("os.system('true')", "os.system"),
        ("exec(compile('1', '{w}/AGENTS.md', 'exec'))", "exec"),
    ],
)
def test_the_guard_hears(deed: str, event: str, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("x")
    program = (
        "import os, socket, subprocess, sys\n"
        f"sys.path.insert(0, {str(HERE)!r})\n"
        "from audited import Guard\n"
        f"guard = Guard('/nowhere', {str(tmp_path)!r})\n"
        "sys.addaudithook(guard)\n"
        f"{deed.format(w=tmp_path)}\n"
        "print('\\n'.join(guard.heard))\n"
    )
    done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=True)
    assert repr(event) in done.stdout


def test_the_installed_command_takes_no_module_from_where_it_is_started(here: Machine) -> None:
    for name in MODULES:
        (here.workspace / f"{name}.py").write_text(TRAP)
    program = Path(sys.executable).with_name("scopetrace")
    done = subprocess.run(
        [program, "show", "."], cwd=here.workspace, capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert "Traceback" not in done.stderr
    assert not (here.workspace / "SPRUNG").exists()
