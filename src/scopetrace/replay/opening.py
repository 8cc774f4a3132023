"""Opening what a user names: a bundle, a log with a workspace, both with their rules."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from scopetrace.engine.config import SHIPPED_MAX_BYTES, Config
from scopetrace.engine.flavour import POSIX, PathFlavour
from scopetrace.engine.paths import resolve_homes
from scopetrace.engine.profile import PROFILES, Profile, profile_for_format
from scopetrace.engine.windows import WINDOWS
from scopetrace.model import RunInfo
from scopetrace.sessions import (
    Bundle,
    Event,
    Log,
    Surface,
    open_log,
    read_log,
)
from scopetrace.sessions.messages import instruction_source

from .evidence import Witness, WitnessedFiles, homes_of_labels
from .files import ChildFiles, Files, RecordedFiles, StillFiles
from .host import Setting
from .loader import EngineLoader
from .places import WindowsFiles, flavour_of, place_of
from .runs import plan_runs
from .settings import config_of_run, markers_of_identity, recover_configs
from .timeline import Timeline


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
) -> Timeline:
    """As :func:`open_session`, but nothing is replayed yet: call ``advance`` at your own pace."""
    target = Path(path)
    bundle, log_path = _find(target)
    log = read_log(log_path)
    rules = PROFILES[profile] if profile else profile_for_format(log.header.version)
    if bundle is not None and workspace is None:
        return _from_bundle(bundle, log_path, log, rules, config, follow_outside=follow_outside)
    return _from_log(log_path, log, rules, config, workspace, home, environ, follow_outside=follow_outside)


def _find(target: Path) -> tuple[Bundle | None, Path]:
    if target.is_dir():
        bundle = Bundle.open(target)
        return bundle, bundle.main
    if target.is_file() and (target.parent / "recording.json").is_file():
        bundle = Bundle.open(target.parent)
        if bundle.log_record(target) is not None:
            return bundle, target
    return None, target


def _surface(log: Log) -> Surface:
    surface = Surface()
    for event in log.events:
        surface.apply(event)
    return surface


def _rows(log: Log, kind: str) -> list[int]:
    return [at for at, item in enumerate(log.items) if isinstance(item, Event) and item.type == kind]


def _title(log: Log, fallback: str) -> str:
    title = ""
    for item in log.items:
        if isinstance(item, Event) and item.type == "session/title" and isinstance(item.data.get("title"), str):
            title = item.data["title"]
    return title or fallback


def _instructions(log: Log) -> list[int]:
    return [at for at, item in enumerate(log.items) if isinstance(item, Event) and instruction_source(item) is not None]


def _markers(log: Log, config: Config | None) -> tuple[str, ...]:
    """The project root markers of the session, before its configurations are worked out."""
    if config is not None:
        return config.project_root_markers
    for item in log.items:
        source = instruction_source(item) if isinstance(item, Event) else None
        if source is not None and source.baseline_identity is not None:
            return markers_of_identity(source.baseline_identity)
    return Config(SHIPPED_MAX_BYTES).project_root_markers


def _displays(log: Log) -> set[str]:
    """Display paths of all recorded changes."""
    sources = (instruction_source(item) for item in log.items if isinstance(item, Event))
    return {change.path for source in sources if source is not None for change in source.changes or ()}


def _build(
    log_path: Path,
    log: Log,
    rules: Profile,
    config: Config | None,
    files: Files,
    manifest: list[Config | None],
    home: str,
    environ: Mapping[str, str],
    workspace_source: str,
    title: str,
    notes: list[str],
    not_comparable: str = "",
    flavour: PathFlavour = POSIX,
) -> Timeline:
    plan = plan_runs(log.items, _rows(log, "session/end-seed"))
    if config is None:
        configs, origin = recover_configs(log.items, _instructions(log), plan, manifest)
    else:
        configs, origin = (config,), "given with --config"
    surface = _surface(log)
    problems = [f"event {problem.seq}: {problem.reason}" for problem in surface.problems[:8]]
    cwd = log.header.cwd or ""
    setting = Setting(
        loader=EngineLoader(),
        profile=rules,
        configs=configs,
        plan=plan,
        files=files,
        home=home,
        environ=environ,
        origin_cwd=cwd or "/",
        not_comparable=not_comparable,
        flavour=flavour,
    )
    info = RunInfo(
        title=title,
        session_id=log.header.id,
        format=str(log.header.version),
        cwd=cwd,
        home=home,
        profile=rules.name,
        budget=configs[0].max_bytes,
        config_source=origin,
        workspace_source=workspace_source,
        log_path=str(log_path),
        created_ms=log.header.created_at,
        notes=(*notes, *log.notes, *problems),
    )
    reader = open_log(log_path)
    return Timeline(info, log.items, surface, setting, reader.raw)


def _from_bundle(
    bundle: Bundle, log_path: Path, log: Log, rules: Profile, config: Config | None, *, follow_outside: bool
) -> Timeline:
    history = bundle.history()
    notes: list[str] = []
    files: Files = RecordedFiles(history)
    manifest: list[Config | None] = [config_of_run(bundle.config)]
    record = bundle.log_record(log_path)
    if record is not None and record.role == "child":
        times: list[int] = []
        for event in read_log(bundle.main).events:
            times.append(max(event.time, times[-1] if times else 0))
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
    title = _title(log, bundle.name)
    return _build(
        log_path,
        log,
        rules,
        config,
        files,
        manifest,
        bundle.home,
        bundle.env,
        "recorded with the session",
        bundle.name if title == bundle.name else f"{bundle.name} · {title}",
        notes,
        flavour=flavour,
    )


def _from_log(
    log_path: Path,
    log: Log,
    rules: Profile,
    config: Config | None,
    workspace: str | None,
    home: str | None,
    environ: Mapping[str, str] | None,
    *,
    follow_outside: bool,
) -> Timeline:
    cwd = log.header.cwd or ""
    place = place_of(
        log_path,
        cwd,
        workspace,
        home,
        os.environ if environ is None else environ,
        markers=_markers(log, config),
        follow_outside=follow_outside,
    )
    flavour = place.flavour
    notes = ["the log holds no files: its own texts are used where it has them whole, else the files of today"]
    notes.extend(place.notes)
    variables = homes_of_labels(_displays(log), place.home, place.environ, notes, flavour)
    homes = resolve_homes(place.home, variables, flavour=flavour)
    witness = Witness(log.items, homes, cwd or "/", flavour)
    known = witness.gather()
    files = WitnessedFiles(place.fs, known, witness.roots, flavour)
    notes.extend(files.notes())
    return _build(
        log_path,
        log,
        rules,
        config,
        files if _instructions(log) else StillFiles(place.fs),
        [],
        place.home,
        variables,
        f"texts of the log, else the files at {place.real} as they are today",
        _title(log, log_path.stem),
        notes,
        flavour=flavour,
    )
