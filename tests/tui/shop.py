"""A small workspace in memory, opened without a session."""

from __future__ import annotations

from typing import Any

from scopetrace.tui.app import InspectorApp
from scopetrace.tui.opening import Opened, OpenOptions, Workspace
from scopetrace.workspace.memory import MemoryFs

HOME = "/home/dev"
SHOP = f"{HOME}/shop"
FILES: dict[str, dict[str, Any]] = {
    f"{SHOP}/.git": {"dir": True},
    f"{SHOP}/AGENTS.md": {"text": "# Shop\n\n- Package manager: pnpm.\n- Say what you changed.\n"},
    f"{SHOP}/CLAUDE.md": {"text": "# Shop\n\n- Package manager: pnpm.\n- Say what you changed.\n"},
    f"{SHOP}/README.md": {"text": "# Shop\n"},
    f"{SHOP}/app/AGENTS.md": {"text": "# App\n\n- Typed Python only.\n"},
    f"{SHOP}/app/main.py": {"text": "print()\n"},
    f"{SHOP}/app/deep/CLAUDE.md": {"text": "# Deep\n\n- Ask before you touch this.\n"},
    f"{SHOP}/app/deep/x.py": {"text": "x = 1\n"},
    f"{HOME}/.dsh/AGENTS.md": {"text": "- Prefer small commits.\n"},
}


def workspace(files: dict[str, dict[str, Any]] | None = None, **options: Any) -> Workspace:
    """The shop, or other files."""
    return Workspace(SHOP, OpenOptions(home=HOME, environ={}, **options), fs=MemoryFs(files or FILES))


def shop_app(place: Workspace | None = None, **options: Any) -> InspectorApp:
    """The inspector on the shop."""
    shown = place or workspace()
    return InspectorApp(lambda progress: Opened(shown.replay(), shown), name="shop", **options)
