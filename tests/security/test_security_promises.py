"""What the program promises about its machine: no write, no network, no process, nothing run that it reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from machine import Machine, command_lines, machine, tree_state

HERE = Path(__file__).parent
TRAP = "import pathlib\npathlib.Path(__file__).with_name('SPRUNG').write_text('x')\n"
MODULES = ("scopetrace", "textual", "click", "json", "sitecustomize", "usercustomize", "conftest", "setup", "msgspec")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A machine with traps: modules that would tell if they were imported."""
    made = machine(tmp_path_factory.mktemp("machine"))
    for name in MODULES:
        (made.workspace / f"{name}.py").write_text(TRAP)
        (made.home / f"{name}.py").write_text(TRAP)
    return made


def surroundings(here: Machine) -> dict[str, str]:
    given = {name: value for name, value in os.environ.items() if not name.startswith(("DSH_", "XDG_"))}
    return {**given, "HOME": str(here.home), "TERM": "xterm-256color"}


@pytest.fixture(scope="module")
def heard(here: Machine, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, Any]]:
    """What the guarded process tells of all commands and three inspectors: violations, and a summary."""
    inspect = [
        {"path": str(here.bundle)},
        {"path": str(here.log), "workspace": str(here.workspace), "home": str(here.home), "every": True},
        {"path": str(here.workspace), "home": str(here.home)},
    ]
    job = {"lines": command_lines(here), "inspect": inspect, "guarded": list(map(str, here.guarded))}
    work = tmp_path_factory.mktemp("job") / "job.json"
    work.write_text(json.dumps({"exports": str(here.exports), "workspace": str(here.workspace), **job}))
    done = subprocess.run(
        [sys.executable, "-P", "-B", str(HERE / "audited.py"), str(work)],
        capture_output=True,
        text=True,
        cwd=here.workspace,
        env={**surroundings(here), "PYTHONPATH": str(HERE)},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    *violations, last = done.stdout.splitlines()
    return violations, json.loads(last)


Heard = tuple[list[str], dict[str, Any]]


def test_no_command_writes_to_a_workspace_a_home_or_beside_a_log(here: Machine, heard: Heard) -> None:
    codes = heard[1]["codes"]
    assert set(codes) <= {0, 1, 2}
    assert codes.count(0) > len(codes) * 2 // 3
    assert heard[1]["same"]["commands"]
    assert sorted(path.name for path in here.exports.iterdir()) == ["out.html", "out.json", "out.md"]


def test_the_inspector_writes_nothing(heard: Heard) -> None:
    assert heard[1]["inspected"] == 3
    assert heard[1]["same"]["inspector"]


def test_no_socket_no_process_no_write_and_no_foreign_code(here: Machine, heard: Heard) -> None:
    violations, counted = heard
    assert violations == []
    assert len(counted["codes"]) == len(command_lines(here))
    assert not (here.workspace / "SPRUNG").exists()
    assert not (here.home / "SPRUNG").exists()


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


DEEDS = {
    "open('{w}/x', 'w').close()": "open",
    "os.close(os.open('{w}/x', os.O_RDWR | os.O_CREAT))": "open",
    "os.mkdir('{w}/y')": "os.mkdir",
    "os.remove('{w}/x')": "os.remove",
    "os.rename('{w}/AGENTS.md', '{w}/z')": "os.rename",
    "os.utime('{w}/z')": "os.utime",
    "socket.socket().close()": "socket.__new__",
    "socket.getaddrinfo('localhost', 1)": "socket.getaddrinfo",
    "subprocess.run(['true'])": "subprocess.Popen",
    "os.system('true')": "os.system",
    "exec(compile('1', '{w}/AGENTS.md', 'exec'))": "exec",
}
"""What the guard must hear, in an order in which each can be done, and the event that tells of it."""


def test_the_guard_hears_every_deed(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("x")
    program = (
        "import json, os, socket, subprocess, sys\n"
        f"sys.path.insert(0, {str(HERE)!r})\n"
        "from audited import Guard\n"
        f"guard = Guard('/nowhere', {str(tmp_path)!r})\n"
        "heard = []\n"
        "sys.addaudithook(guard)\n"
    )
    for deed in DEEDS:
        program += f"{deed.format(w=tmp_path)}\nheard.append(guard.heard[:])\nguard.heard.clear()\n"
    program += "print(json.dumps(heard))\n"
    done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=True)
    for (deed, event), heard in zip(DEEDS.items(), json.loads(done.stdout), strict=True):
        assert any(repr(event) in one for one in heard), deed


def test_the_installed_command_takes_no_module_from_where_it_is_started(here: Machine) -> None:
    program = Path(sys.executable).with_name("scopetrace")
    done = subprocess.run(
        [program, "show", "."], cwd=here.workspace, capture_output=True, text=True, check=False, env=surroundings(here)
    )
    assert "Traceback" not in done.stderr
    assert not (here.workspace / "SPRUNG").exists()
