"""Opening what a user names: a bundle, a log with a workspace, both with their rules."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from scopetrace.engine.config import SHIPPED_MAX_BYTES, Config
from scopetrace.engine.profile import PROFILES, profile_for_format
from scopetrace.engine.windows import WINDOWS
from scopetrace.sessions import Bundle, Event, LogIndex, open_log
from scopetrace.sessions.messages import instruction_source

from .files import ChildFiles, Files, RecordedFiles
from .grounds import BundleGround, LogGround
from .logrows import LogRows
from .places import WindowsFiles, flavour_of, place_of
from .session import Ground, Session
from .settings import config_of_run, markers_of_identity
from .timeline import Timeline

ROWS_AT_FIRST = 4000
"""Rows read before there is a timeline; most logs are shorter."""


def open_session(
    path: str | os.PathLike[str],
    *,
    workspace: str | None = None,
    home: str | None = None,
    profile: str | None = None,
    config: Config | None = None,
    environ: Mapping[str, str] | None = None,
    follow_outside: bool = True,
) -> Timeline:
    """Open and replay a session: a bundle directory, a log inside one, or a bare log.

    A bare log is replayed against ``workspace`` (default: the log's own cwd, if it exists here) and ``home``. Without
    ``profile`` the log's format chooses the rules, without ``config`` they are recovered. A log recorded on Windows is
    replayed with the path rules of Windows. Without ``follow_outside`` links out of the project are refused. Raises
    :class:`LogError`.
    """
    timeline = prepare_session(
        path,
        workspace=workspace,
        home=home,
        profile=profile,
        config=config,
        environ=environ,
        follow_outside=follow_outside,
    )
    timeline.advance()
    return timeline


def prepare_session(
    path: str | os.PathLike[str],
    *,
    workspace: str | None = None,
    home: str | None = None,
    profile: str | None = None,
    config: Config | None = None,
    environ: Mapping[str, str] | None = None,
    follow_outside: bool = True,
    live: bool = False,
) -> Timeline:
    """As :func:`open_session`, but nothing is replayed yet: call ``advance`` at your own pace.

    Of a long log only the beginning is read at first. With ``live`` the log may grow: ``advance`` replays what has been
    written since, and a line that is not whole yet is no gap.
    """
    bundle, log_path = _find(Path(path))
    index = LogIndex(log_path, live=live)
    rows = LogRows(index)
    rules = PROFILES[profile] if profile else profile_for_format(index.header.version)
    index.advance(ROWS_AT_FIRST)
    ground: Ground
    if bundle is not None and workspace is None:
        ground = _in_bundle(bundle, log_path, follow_outside=follow_outside)
    else:
        cwd = index.header.cwd or ""
        place = place_of(
            log_path,
            cwd,
            workspace,
            home,
            os.environ if environ is None else environ,
            markers=_markers(rows, config),
            follow_outside=follow_outside,
        )
        ground = LogGround(log_path.stem, place, cwd)
    return Timeline(Session(rows, rules, config, ground))


def _find(target: Path) -> tuple[Bundle | None, Path]:
    if target.is_dir():
        bundle = Bundle.open(target)
        return bundle, bundle.main
    if target.is_file() and (target.parent / "recording.json").is_file():
        bundle = Bundle.open(target.parent)
        if bundle.log_record(target) is not None:
            return bundle, target
    return None, target


def _markers(rows: LogRows, config: Config | None) -> tuple[str, ...]:
    """The project root markers of the session, before its configurations are worked out."""
    if config is not None:
        return config.project_root_markers
    for at in rows.of_kinds(frozenset({"user/message"}), 0, len(rows)):
        item = rows[at] if rows.speaks(at) else None
        source = instruction_source(item) if isinstance(item, Event) else None
        if source is not None and source.baseline_identity is not None:
            return markers_of_identity(source.baseline_identity)
    return Config(SHIPPED_MAX_BYTES).project_root_markers


def _in_bundle(bundle: Bundle, log_path: Path, *, follow_outside: bool) -> BundleGround:
    history = bundle.history()
    notes: list[str] = []
    files: Files = RecordedFiles(history)
    manifest: list[Config | None] = [config_of_run(bundle.config)]
    record = bundle.log_record(log_path)
    if record is not None and record.role == "child":
        times: list[int] = []
        for item in open_log(bundle.main):
            if isinstance(item, Event):
                times.append(max(item.time, times[-1] if times else 0))
        files = ChildFiles(history, times)
        notes.append("a child session: file changes are placed by the clock of the parent's log")
    else:
        manifest = [config_of_run(run.config) if run.config else None for run in bundle.runs] or manifest
        if manifest[0] is None:
            manifest[0] = config_of_run(bundle.config)
    flavour = flavour_of(bundle.cwd)
    if flavour is WINDOWS:
        files = WindowsFiles(files)
        notes.append("recorded on Windows: paths follow the rules of Windows")
    if not follow_outside:
        notes.append(
            "--no-follow-outside: nothing to refuse, the bundle holds the session's files and no others are read"
        )
    return BundleGround(bundle.name, files, manifest, bundle.home, bundle.env, notes, flavour)
