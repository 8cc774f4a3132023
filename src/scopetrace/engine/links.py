"""Links on the way to a file: where it really is, and whether that is outside of the project.

Looked at only when somebody listens; following links is the provider's business. Source: README seed "Known
Limitations" (links are followed across the trust boundary).
"""

from __future__ import annotations

from scopetrace.workspace.fs import FileSystem, FsError, LinkReader

from .flavour import PathFlavour

MAX_LINKS = 40


def resolved(fs: FileSystem, path: str, flavour: PathFlavour) -> str | None:
    """``path`` with the links of every component followed; ``None`` where that cannot be told."""
    if not isinstance(fs, LinkReader):
        return None
    rest = _steps(path, flavour)
    here = rest.pop()
    followed = 0
    try:
        while rest:
            name = rest.pop()
            if name == "..":
                here = flavour.dirname(here)
                continue
            child = flavour.join(here, name)
            target = fs.readlink(child)
            if target is None:
                here = child
                continue
            followed += 1
            if followed > MAX_LINKS:
                return None
            if flavour.is_absolute(target):
                rest.extend(_steps(target, flavour))
                here = rest.pop()
            else:
                rest.extend(part for part in reversed(flavour.components(target)) if part != ".")
    except FsError:
        return None
    return here


def real_place(fs: FileSystem, path: str, link_target: str | None, root: str, flavour: PathFlavour) -> tuple[str, bool]:
    """Where links on the way from ``root`` lead (empty without links), and whether that is outside of ``root``.

    ``link_target`` is what the provider said of a link in the last component.
    """
    target = link_target
    if target is None:
        found = resolved(fs, path, flavour)
        real_root = root if found is None or found == path else resolved(fs, root, flavour) or root
        if found is None or flavour.join(real_root, flavour.relative(root, path)) == found:
            return "", False
        return found, not _inside(real_root, found, flavour)
    if _inside(root, target, flavour):
        return target, False
    true_root = resolved(fs, root, flavour)
    return target, true_root is None or not _inside(true_root, target, flavour)


def _inside(root: str, path: str, flavour: PathFlavour) -> bool:
    relative = flavour.relative(root, path)
    if relative == ".." or relative.startswith(f"..{flavour.sep}"):
        return False
    return not flavour.is_absolute(relative)


def _steps(path: str, flavour: PathFlavour) -> list[str]:
    """The components of an absolute path in reverse order, its root last."""
    steps: list[str] = []
    here = flavour.resolve(path)
    while (above := flavour.dirname(here)) != here:
        steps.append(flavour.basename(here))
        here = above
    return [*steps, here]
