"""Records of a bundle: the manifest ``recording.json`` and the rows of ``changes.jsonl``.

Source: ``recordings/README.md``. Foreign keys are kept and ignored.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from scopetrace.workspace.windows import is_windows_path


def _absolute(value: str) -> str:
    if not (value.startswith("/") or is_windows_path(value)) or "\0" in value:
        raise ValueError("should be an absolute path")
    return value


def _file_name(value: str) -> str:
    if not value or "/" in value or "\\" in value or "\0" in value or value in (".", ".."):
        raise ValueError("should be the plain name of a file in the bundle")
    return value


AbsolutePath = Annotated[StrictStr, AfterValidator(_absolute)]
FileName = Annotated[StrictStr, AfterValidator(_file_name)]


class Record(BaseModel):
    """Base of the records."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class RunConfig(Record):
    """Loader configuration of a run; sizes are bytes, absent keys mean the runtime's default."""

    max_bytes: float | int = Field(alias="maxBytes")
    max_source_bytes: StrictInt | None = Field(None, alias="maxSourceBytes")
    max_total_source_bytes: StrictInt | None = Field(None, alias="maxTotalSourceBytes")
    markers: tuple[StrictStr, ...] | None = None
    candidates: tuple[StrictStr, ...] | None = None
    local_candidates: tuple[StrictStr, ...] | None = Field(None, alias="localCandidates")


class LogRecord(Record):
    """A log of the bundle. ``inherited_through`` is the last event a forked child copied from its parent."""

    file: FileName
    role: StrictStr = "main"
    frames: int | None = None
    events: int | None = None
    rows: int | None = None
    torn: bool = False
    inherited_through: int | None = Field(None, alias="inheritedThrough")


class RunRecord(Record):
    """A stretch of the main log written by one process; ``config`` where it differs from the first run."""

    first_seq: StrictInt = Field(alias="firstSeq")
    last_seq: StrictInt | None = Field(None, alias="lastSeq")
    config: RunConfig | None = None


class Manifest(Record):
    """``recording.json``."""

    name: StrictStr = ""
    about: StrictStr = ""
    runtime: StrictStr = ""
    log_format: int | None = Field(None, alias="logFormat")
    cwd: AbsolutePath
    workspace: AbsolutePath
    home: AbsolutePath
    env: dict[str, StrictStr] = Field(default_factory=dict)
    config: RunConfig
    logs: tuple[LogRecord, ...]
    runs: tuple[RunRecord, ...] = ()
    notes: Any = ""

    @model_validator(mode="after")
    def _one_main(self) -> Manifest:
        if sum(log.role == "main" for log in self.logs) != 1:
            raise ValueError("logs should hold exactly one log of role main")
        return self


class Repeat(Record):
    """Content written as ``head + unit * count + tail``."""

    head: StrictStr = ""
    unit: StrictStr
    count: StrictInt = Field(ge=0)
    tail: StrictStr = ""


class ChangeRecord(Record):
    """A row of ``changes.jsonl``: it had happened when event ``after_seq`` of the main log was written.

    A delete takes everything below with it. ``mode`` is octal digits. ``by`` is a tool name or ``offline``.
    """

    after_seq: StrictInt = Field(alias="afterSeq", ge=-1)
    op: Literal["write", "delete", "chmod"]
    path: AbsolutePath
    text: StrictStr | None = None
    repeat: Repeat | None = None
    mode: StrictStr | None = Field(None, pattern=r"^[0-7]{1,5}$")
    by: StrictStr = ""

    @model_validator(mode="after")
    def _complete(self) -> ChangeRecord:
        if self.op == "write" and (self.text is None) == (self.repeat is None):
            raise ValueError("a write needs either text or repeat")
        if self.op == "chmod" and self.mode is None:
            raise ValueError("a chmod needs mode")
        return self

    def size(self) -> int:
        """Upper bound of the content's bytes, without making it."""
        if self.repeat is not None:
            once = len(self.repeat.head) + len(self.repeat.tail) + len(self.repeat.unit) * self.repeat.count
            return 4 * once
        return 4 * len(self.text or "")

    def content(self) -> bytes:
        """The file's bytes after a write."""
        if self.repeat is not None:
            text = self.repeat.head + self.repeat.unit * self.repeat.count + self.repeat.tail
        else:
            text = self.text or ""
        return text.encode("utf-8", "surrogatepass")

    def mode_bits(self) -> int:
        """Permission bits after a chmod."""
        return int(self.mode or "0", 8)
