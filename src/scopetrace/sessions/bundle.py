"""A recording bundle: a log together with its workspace and every change of its files.

A bundle is a directory with ``recording.json``, the logs it names, ``workspace-before.tar.gz`` and ``home.tar.gz`` and
``changes.jsonl`` (each may be missing). Source: ``recordings/README.md``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from scopetrace.workspace.history import History
from scopetrace.workspace.windows import is_windows_path, to_posix

from .archive import Member, members
from .errors import BundleError, ErrorCode, from_os_error
from .frames import Batch, open_regular, plain_batches, split
from .manifest import ChangeRecord, LogRecord, Manifest, RunConfig, RunRecord
from .schema import RowError, decode_json

MANIFEST = "recording.json"
CHANGES = "changes.jsonl"
MAX_MANIFEST = 4 << 20
MAX_CONTENT = 256 << 20
"""Bytes that all contents of ``changes.jsonl`` together may come to."""


def time_before(seq: int) -> int:
    """The moment in :meth:`Bundle.history` just before event ``seq`` was written: what a pre-step look sees."""
    return max(seq, 0)


def time_after(seq: int) -> int:
    """The moment in :meth:`Bundle.history` when event ``seq`` was written and the next was not."""
    return max(seq + 1, 0)


@dataclass(frozen=True, slots=True)
class Bundle:
    """An opened bundle. Nothing but the manifest has been read."""

    directory: Path
    manifest: Manifest

    @classmethod
    def open(cls, directory: str | os.PathLike[str]) -> Bundle:
        """Read and check the manifest.

        Raises :class:`BundleError` ``not-a-bundle`` or ``bad-manifest`` (naming the field), :class:`LogError` when the
        directory or the manifest cannot be read.
        """
        path = Path(directory)
        manifest = path / MANIFEST
        try:
            is_directory, has_manifest = path.is_dir(), manifest.is_file()
            path.stat()
        except (OSError, ValueError) as error:
            raise from_os_error(error, path, "bundle") from None
        if not is_directory or not has_manifest:
            message = "not a recording bundle: " + ("it has no recording.json" if is_directory else "no directory")
            remedy = "name a directory that holds a recording.json, or a session log"
            raise BundleError(ErrorCode.NOT_A_BUNDLE, path, "", message, remedy)
        bundle = cls(path, _read_manifest(str(manifest)))
        for number, log in enumerate(bundle.manifest.logs):
            if not (path / log.file).exists():
                place = f"field logs[{number}].file"
                message = f"the log {log.file} is not in the bundle"
                raise BundleError(ErrorCode.BAD_MANIFEST, manifest, place, message, "add the file or correct the name")
        return bundle

    @property
    def name(self) -> str:
        """Name in the manifest, or of the directory."""
        return self.manifest.name or self.directory.name

    @property
    def cwd(self) -> str:
        """The session's first working directory, absolute, as recorded."""
        return self.manifest.cwd

    @property
    def home(self) -> str:
        """Home directory, absolute, as recorded."""
        return self.manifest.home

    @property
    def workspace(self) -> str:
        """Where the workspace lies, absolute, as recorded."""
        return self.manifest.workspace

    @property
    def env(self) -> dict[str, str]:
        """Environment of the runs, as far as recorded (``DSH_HOME``, ``DSH_AGENTS_HOME``)."""
        return dict(self.manifest.env)

    @property
    def config(self) -> RunConfig:
        """Configuration of the first run."""
        return self.manifest.config

    @property
    def runs(self) -> tuple[RunRecord, ...]:
        """The runs of the main log; empty when there was one only."""
        return self.manifest.runs

    def config_at(self, seq: int) -> RunConfig:
        """Configuration in force when event ``seq`` of the main log was written."""
        for run in reversed(self.manifest.runs):
            if run.first_seq <= seq:
                return run.config or self.config
        return self.config

    @property
    def main(self) -> Path:
        """The main log."""
        return next(self.directory / log.file for log in self.manifest.logs if log.role == "main")

    @property
    def children(self) -> tuple[Path, ...]:
        """Logs of child sessions."""
        return tuple(self.directory / log.file for log in self.manifest.logs if log.role == "child")

    @property
    def earlier(self) -> tuple[Path, ...]:
        """Earlier states of the main log: killed, cut or torn."""
        others = (log for log in self.manifest.logs if log.role not in ("main", "child"))
        return tuple(self.directory / log.file for log in others)

    def log_record(self, path: str | os.PathLike[str]) -> LogRecord | None:
        """What the manifest says about a log of this bundle."""
        name = os.path.basename(path)
        return next((log for log in self.manifest.logs if log.file == name), None)

    def changes(self) -> Iterator[ChangeRecord]:
        """The rows of ``changes.jsonl`` by event number, in file order among equals; none when it is missing.

        Raises :class:`BundleError` ``bad-manifest`` naming line and field, ``too-large`` beyond :data:`MAX_CONTENT`.
        """
        path = self.directory / CHANGES
        rows = list(_read_changes(str(path))) if path.exists() else []
        yield from sorted(rows, key=lambda row: row.after_seq)

    def history(self) -> History:
        """Workspace and home over time, in memory, at their recorded absolute paths.

        Windows paths have their POSIX spelling there (``workspace/windows.py``). Moment 0 is before the first event. A
        change with ``afterSeq`` n had happened when event n was written and before event n + 1, so it stands at moment
        n + 1: ask :func:`time_before` or :func:`time_after` an event.
        Raises :class:`BundleError`.
        """
        history = History()
        for archive, recorded in (("home.tar.gz", self.home), ("workspace-before.tar.gz", self.workspace)):
            path = self.directory / archive
            root = _plain(recorded)
            history.mkdir(0, root)
            if path.exists():
                for member in members(str(path)):
                    _place(history, root, member)
        for row in self.changes():
            moment, place = time_after(row.after_seq), _plain(row.path)
            if row.op == "write":
                history.write(moment, place, row.content())
            elif row.op == "delete":
                history.delete(moment, place)
            else:
                history.chmod(moment, place, row.mode_bits())
        return history


def _plain(path: str) -> str:
    return to_posix(path) if is_windows_path(path) else path


def _place(history: History, root: str, member: Member) -> None:
    path = f"{root.rstrip('/')}/{member.name}" if member.name else root
    if member.kind == "directory":
        history.mkdir(0, path)
    elif member.kind == "link":
        history.symlink(0, path, member.target)
    else:
        history.write(0, path, member.data)
        if not member.mode & 0o444:
            history.chmod(0, path, member.mode)


def _read_manifest(path: str) -> Manifest:
    with open_regular(path) as file:
        text = file.read(MAX_MANIFEST + 1)
    remedy = "correct the manifest"
    if len(text) > MAX_MANIFEST:
        message = f"the manifest is larger than {MAX_MANIFEST} bytes"
        raise BundleError(ErrorCode.TOO_LARGE, path, "", message, remedy)
    try:
        return Manifest.model_validate(decode_json(text))
    except RowError as error:
        reason = error.reason.replace("the line", "the manifest")
        raise BundleError(ErrorCode.BAD_MANIFEST, path, "", f"bad manifest: {reason}", remedy) from None
    except ValidationError as error:
        raise _misfit(error, path, "", "bad manifest", remedy) from None


def _read_changes(path: str) -> Iterator[ChangeRecord]:
    total, number = 0, 0
    with open_regular(path) as file:
        for batch in plain_batches(file):
            if not isinstance(batch, Batch):
                message = f"{batch.reason} ({batch.skipped} bytes)"
                raise BundleError(
                    ErrorCode.CORRUPT, path, f"byte {batch.offset}", message, "restore the file from a copy"
                )
            for line in split(batch):
                number += 1
                row = _change(line.data, path, number)
                total += row.size()
                if total > MAX_CONTENT:
                    message = f"the contents come to more than {MAX_CONTENT} bytes"
                    raise BundleError(ErrorCode.TOO_LARGE, path, f"line {number}", message, "record smaller files")
                yield row


def _change(line: bytes, path: str, number: int) -> ChangeRecord:
    remedy = "correct the line"
    try:
        return ChangeRecord.model_validate(decode_json(line))
    except RowError as error:
        raise BundleError(ErrorCode.BAD_MANIFEST, path, f"line {number}", error.reason, remedy) from None
    except ValidationError as error:
        raise _misfit(error, path, f"line {number}", "bad change record", remedy) from None


def _misfit(error: ValidationError, path: str, place: str, what: str, remedy: str) -> BundleError:
    first = error.errors()[0]
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).lstrip(".")
    spot = ", ".join(part for part in (place, f"field {field}" if field else "") if part)
    return BundleError(ErrorCode.BAD_MANIFEST, path, spot, f"{what} ({first['msg']})", remedy)
