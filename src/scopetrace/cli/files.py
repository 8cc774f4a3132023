"""Writing an export from the command line."""

from __future__ import annotations

from collections.abc import Iterable

from scopetrace.report.writing import write_whole

from .failure import fail


def write_file(path: str, pieces: Iterable[str], *, force: bool) -> None:
    """Write text as UTF-8 to ``path``, whole or not at all. Raises ``CliError`` and :class:`OSError`.

    Without ``force`` an existing file stays as it is, even one that appears while writing.
    """
    try:
        write_whole(path, pieces, force=force)
    except FileExistsError:
        raise fail("file-exists", "the file exists", "choose another name, or add --force", path=path) from None
