"""The Scopes pane of a plain workspace: every file may be touched, not only candidates."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

from textual.app import ComposeResult
from textual.message import Message

from scopetrace.replay.replayed import Replayed
from scopetrace.tui.keymap import bindings_for
from scopetrace.tui.present.filetree import FileLines, FileRow, FileTree
from scopetrace.tui.present.scopes import summary

from .lines import LineList
from .scopes import ScopesPane


class FileList(LineList):
    """The tree as a list; enter opens directories and touches files."""

    BINDINGS = bindings_for("files")


class FilesPane(ScopesPane):
    """The tree of files, or the usual tree of scopes."""

    class Touched(Message):
        """A file is to be touched."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path

    def __init__(self, cwd: str) -> None:
        super().__init__()
        self._cwd = cwd
        self._tree: FileTree | None = None
        self._touched: Mapping[str, str] = {}
        self.all_files = True

    def compose(self) -> ComposeResult:
        """One list."""
        yield FileList(id="scope-list")

    def touched(self, touches: Mapping[str, str]) -> None:
        """Absolute paths and the tools that touched them."""
        self._touched = touches

    def turn(self) -> None:
        """All files, or scopes with every candidate looked for."""
        self.all_files = not self.all_files
        self._draw(self.selected.key if self.selected else "")

    def _draw(self, key: str) -> None:
        shown = self._shown
        if shown is None or not self.all_files:
            super()._draw(key)
            return
        fs = cast(Replayed, shown.timeline).files_at(shown.index)
        if fs is None:
            super()._draw(key)
            return
        root = shown.frame.project_root or self._cwd
        if self._tree is None:
            self._tree = FileTree(fs, root, self._cwd)
        self._tree.look_at(fs, root)
        self._rows = self._tree.rows(shown.tree, shown.frame.decisions, self._touched)
        cursor = next((index for index, row in enumerate(self._rows) if row.key == key), None)
        if not key:
            here = f"{self._cwd}{os.sep}"
            cursor = next((index for index, row in enumerate(self._rows) if row.key == here), None)
        self.list.show(FileLines(self._rows, self._broken), cursor=cursor)
        self.summarise(summary(shown.tree))

    def on_line_list_chosen(self, event: LineList.Chosen) -> None:
        """Open or close a directory, touch a file."""
        row = self.selected
        if not isinstance(row, FileRow):
            return  # the pane of scopes hears of it, too
        event.prevent_default()
        event.stop()
        if row.is_directory and self._tree is not None:
            self._tree.toggle(row.path)
            self._draw(row.key)
            self.list.post_message(LineList.Moved(self.list, self.list.cursor))
        elif row.file:
            self.post_message(self.Touched(row.path))
