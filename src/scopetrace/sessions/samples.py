"""The recording bundles that come with the program."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from .bundle import MANIFEST, Bundle
from .errors import BundleError, ErrorCode

ORDER = (
    "demo-monorepo",
    "nested-discovery",
    "duplicate-sibling",
    "budget-small",
    "compaction",
    "resume-offline-edits",
)
"""Samples in the order in which they are offered; others follow by name."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A bundle that comes with the program; ``about`` is one or two sentences."""

    name: str
    about: str
    path: Path


def sample_dir() -> Path:
    """The directory of the samples, in an installed package or in a checkout.

    Raises :class:`BundleError` ``not-a-bundle`` when the installation has none.
    """
    installed = Path(str(resources.files("scopetrace"))) / "_samples"
    checkout = Path(__file__).resolve().parents[3] / "sample_sessions"
    for directory in (installed, checkout):
        if directory.is_dir():
            return directory
    remedy = "install scopetrace again, or open a session log of your own"
    raise BundleError(ErrorCode.NOT_A_BUNDLE, installed, "", "no sample sessions are installed", remedy)


def samples() -> list[Sample]:
    """All samples, best first. Raises :class:`BundleError` when one is broken."""
    directory = sample_dir()
    names = sorted(path.name for path in directory.iterdir() if (path / MANIFEST).is_file())
    names.sort(key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
    bundles = [Bundle.open(directory / name) for name in names]
    return [Sample(bundle.directory.name, bundle.manifest.about, bundle.directory) for bundle in bundles]
