"""Writing a file: whole or not at all, and never over a file that is there unless told to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable


def write_whole(path: str, pieces: Iterable[str], *, force: bool, errors: str = "backslashreplace") -> None:
    """Write text as UTF-8 to ``path`` by way of a temporary file beside it.

    Without ``force`` an existing file stays as it is, even one that appears while writing: :class:`FileExistsError`.
    ``errors`` says what becomes of a lone surrogate (``surrogatepass``: its three bytes). Raises :class:`OSError`.
    """
    if os.path.lexists(path) and not force:
        raise FileExistsError(path)
    handle, temporary = tempfile.mkstemp(prefix=".scopetrace-", dir=os.path.dirname(os.path.abspath(path)))
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors=errors, newline="\n") as file:
            file.writelines(pieces)
        os.chmod(temporary, 0o666 & ~_umask())
        if force:
            os.replace(temporary, path)
            return
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links: the check above has to do
            os.replace(temporary, path)
            return
        os.unlink(temporary)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
