"""Path arithmetic as Node's ``path.win32`` does it: drives, UNC shares, both separators.

Device names (``\\\\.\\pipe``) are taken for shares; no workspace lies there.
"""

from __future__ import annotations

import re

from .flavour import PathFlavour, fold

_SEPARATOR = re.compile(r"[\\/]")
_ROOT = re.compile(r"(?P<device>[\\/]{2}(?P<server>[^\\/]+)[\\/]+(?P<share>[^\\/]+)|[A-Za-z]:)?(?P<slash>[\\/]?)")


class WindowsFlavour:
    r"""``\`` and ``/`` separate; a drive or a share has a root of its own; letter case does not tell paths apart."""

    sep = "\\"

    def is_absolute(self, path: str) -> bool:
        return _split(path)[1]

    def join(self, *parts: str) -> str:
        kept = [part for part in parts if part]
        if not kept:
            return "."
        joined = "\\".join(kept)
        if not re.match(r"[\\/]{2}[^\\/]", kept[0]):
            # Only a first part that starts like a share may make the whole one.
            joined = re.sub(r"^[\\/]{2,}", r"\\", joined)
        device, rooted, rest = _split(joined)
        body = "\\".join(fold(_SEPARATOR.split(rest), rooted=rooted))
        if not body and not rooted:
            body = "."
        if body and _SEPARATOR.match(rest[-1:]):
            body += "\\"
        return f"{device}\\{body}" if rooted else device + body

    def resolve(self, base: str, *parts: str) -> str:
        device, rest = "", ""
        for part in (base, *parts):
            own, rooted, tail = _split(part)
            if rooted or (own and own.lower() != device.lower()):
                rest = tail
            else:
                rest = f"{rest}\\{tail}"
            # The current directory of another drive is not known here; its root stands in for it.
            device = own or device
        return f"{device}\\" + "\\".join(fold(_SEPARATOR.split(rest), rooted=True))

    def dirname(self, path: str) -> str:
        found = _ROOT.match(path)
        root = found[0] if found else ""
        head = re.match(r"(.*?)[\\/]+(?=[^\\/]+[\\/]*$)", path[len(root) :], re.DOTALL)
        if head is not None:
            # One separator ends the head; Node keeps those before it.
            return path[: len(root) + len(head[0]) - 1]
        return root or "."

    def basename(self, path: str) -> str:
        rest = path[2:] if re.match("[A-Za-z]:", path) else path
        return _SEPARATOR.split(rest.rstrip("\\/"))[-1]

    def relative(self, start: str, to: str) -> str:
        source = self.components(self.resolve(start))
        target = self.components(self.resolve(to))
        shared = 0
        for one, other in zip(source, target, strict=False):
            if one.lower() != other.lower():
                break
            shared += 1
        if not shared:
            return self.resolve(to)
        return "\\".join([".."] * (len(source) - shared) + target[shared:])

    def components(self, path: str) -> list[str]:
        return [part for part in _SEPARATOR.split(path) if part]


def _split(path: str) -> tuple[str, bool, str]:
    """Device with backslashes, whether the path starts at a root, and what follows it."""
    found = _ROOT.match(path)
    assert found is not None  # every part of the pattern is optional
    device = found["device"] or ""
    if found["server"] is not None:
        return f"\\\\{found['server']}\\{found['share']}", True, path[found.end() :]
    return device, bool(found["slash"]), path[found.end() :]


WINDOWS: PathFlavour = WindowsFlavour()
