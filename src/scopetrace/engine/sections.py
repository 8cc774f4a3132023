"""The strings of a rendered block, and one file's section of it.

Every string here is a wire format: byte-identical to what the loader puts before the model. Sources: the renderer seed,
README seed "Prompt Shape", ``design/PROFILES.md`` D2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from scopetrace.model import Action, Change, InstructionFile, Truncation

from .flavour import POSIX, PathFlavour
from .paths import is_user_global_directory, scope_for_display_path
from .text import FRAME_CLOSE, FRAME_OPEN, ecma_number, escape_frame, utf8_len

JOINT = "\n\n"

_GUIDANCE = (
    "The following workspace instructions may be relevant to your work. Use them as guidance when applicable. "
    "More specific instructions take precedence over broader ones. "
    "They do not override system, developer, or direct user instructions."
)
_REPLACES = "This complete workspace instruction baseline replaces all earlier workspace instruction baselines. "
BASELINE_INTRO = _GUIDANCE
REPLACEMENT_INTRO = _REPLACES + _GUIDANCE
EMPTY_REPLACEMENT_INTRO = _REPLACES + "No workspace instructions are currently active."
COMPACT_INTRO = "Workspace instructions were omitted or truncated to fit the configured byte budget."
UPDATE_INTRO = ""

_UPDATE_GUIDANCE = (
    "Use them as guidance when relevant; more specific instructions take precedence. "
    "They do not override system, developer, or direct user instructions."
)

Heading = Callable[[InstructionFile], str]
"""What a section says before a file's content, unescaped."""


def baseline_intro(*, replaces: bool, empty: bool) -> str:
    """The intro of a baseline; ``replaces`` when it supersedes a visible one, ``empty`` when it holds no file."""
    if not replaces:
        return BASELINE_INTRO
    return EMPTY_REPLACEMENT_INTRO if empty else REPLACEMENT_INTRO


def baseline_heading(file: InstructionFile) -> str:
    """Heading of a file in a baseline."""
    return f"Instructions from: {file.display_path}\n\n"


def change_heading(
    change: Change, *, global_sentence: bool, shared_root: bool, flavour: PathFlavour = POSIX
) -> tuple[Heading, bool]:
    """Heading of a transition in an update, and whether the file's content follows it (D1, D2)."""

    def announced(file: InstructionFile) -> str:
        scope = scope_for_display_path(file.display_path, shared_root=shared_root, flavour=flavour)
        if global_sentence and is_user_global_directory(scope, shared_root=shared_root):
            applies = "These user-global instructions apply to all work."
        else:
            applies = f"These instructions apply to work under `{scope}`."
        return f"Additional instructions from: {file.display_path}\n\n{applies} {_UPDATE_GUIDANCE}\n\n"

    def updated(_: InstructionFile) -> str:
        return (
            f"Updated instructions from: {change.path}\n\nThis file changed after it was loaded. Use the following "
            "content instead of the previously loaded instructions from this file.\n\n"
        )

    def removed(_: InstructionFile) -> str:
        return (
            f"Instructions removed: {change.path}\n\nThe previously loaded instructions from this file no longer apply."
        )

    if change.action is Action.SET:
        return announced, True
    if change.action is Action.REMOVE:
        return removed, False
    return updated, True


class Section:
    """One file's section, escaped and measured on demand and at most once.

    A closing tag holds no blank and no line break, so none can arise across the parts of a block: escaping part by
    part equals escaping the finished body.
    """

    __slots__ = ("_content_size", "_heading", "_heading_of", "_size", "file", "shows_content")

    def __init__(self, file: InstructionFile, heading_of: Heading, shows_content: bool = True) -> None:
        self.file = file
        self.shows_content = shows_content
        self._heading_of = heading_of
        self._heading: str | None = None
        self._size = -1
        self._content_size = -1

    @property
    def heading(self) -> str:
        """Escaped heading, up to where the content starts."""
        if self._heading is None:
            self._heading = escape_frame(self._heading_of(self.file))
        return self._heading

    @property
    def least(self) -> int:
        """A lower bound of the section's size in bytes, without looking at the content."""
        return len(self.file.content) if self.shows_content else 0

    @property
    def content_size(self) -> int:
        """Bytes of the file's content, unescaped."""
        if self._content_size < 0:
            self._content_size = utf8_len(self.file.content)
        return self._content_size

    @property
    def size(self) -> int:
        """Bytes of the escaped section with the whole content."""
        if self._size < 0:
            self._size = utf8_len(self.heading)
            if self.shows_content:
                self._size += self.content_size + self.file.content.count(FRAME_CLOSE)
        return self._size

    def text(self, content: str | None = None) -> str:
        """The escaped section, with ``content`` in place of the file's own if given."""
        if not self.shows_content:
            return self.heading
        return self.heading + escape_frame(self.file.content if content is None else content)


def notice_opening(max_bytes: float) -> str:
    """What every budget notice starts with."""
    return f"Workspace instruction budget {ecma_number(max_bytes)} bytes: "


def omitted_names(files: Sequence[InstructionFile]) -> str | None:
    """Escaped display paths as a notice lists them, ``None`` if there are none."""
    return escape_frame(", ".join([file.display_path for file in files])) if files else None


def notice(max_bytes: float, omitted: str | None, truncated: Sequence[Truncation]) -> str:
    """The escaped budget notice; ``omitted`` are the escaped names. Empty when nothing was omitted or cut."""
    parts = []
    if omitted is not None:
        parts.append(f"omitted {omitted}")
    if truncated:
        rows = (f"{t.display_path} from {t.original_bytes} to {t.included_bytes} bytes" for t in truncated)
        parts.append(f"truncated {escape_frame(', '.join(rows))}")
    return notice_opening(max_bytes) + "; ".join(parts) if parts else ""


def framed(parts: Iterable[str]) -> str:
    """The finished block: escaped, non-empty parts between the frame's tags."""
    return f"{FRAME_OPEN}\n{JOINT.join(part for part in parts if part)}\n{FRAME_CLOSE}"
