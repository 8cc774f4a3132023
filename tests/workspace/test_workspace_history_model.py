"""A history against a naive model: a dictionary copied at every change, walked with string operations."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scopetrace.workspace.fs import FsError, FsNotFound
from scopetrace.workspace.history import History, HistoryView
from scopetrace.workspace.paths import normalise

NAMES = ["a", "b", "c"]
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))
targets = st.one_of(
    paths,
    st.lists(st.sampled_from([*NAMES, "..", "."]), min_size=1, max_size=4).map("/".join),
    st.just("/"),
    st.just(""),
)
contents = st.one_of(st.binary(max_size=3), st.binary(max_size=3).map(lambda data: b"\xef\xbb\xbf" + data))
changes = st.one_of(
    st.tuples(st.just("write"), paths, contents, st.booleans(), st.booleans()),
    st.tuples(st.just("touch"), paths),
    st.tuples(st.just("delete"), paths),
    st.tuples(st.just("symlink"), paths, targets),
    st.tuples(st.just("mkdir"), paths),
    st.tuples(st.just("fail"), paths, st.sampled_from(["stat", "notFound", "read"])),
    st.tuples(st.just("heal"), paths),
    st.tuples(st.just("chmod"), paths, st.sampled_from([0o000, 0o644, 0o200])),
)


class Naive:
    """Path -> node, a whole copy a change. Slow and obvious."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.failures: dict[str, set[str]] = {}
        self.counter = 0

    def copy(self) -> Naive:
        other = Naive()
        other.nodes = dict(self.nodes)
        other.failures = {path: set(hows) for path, hows in self.failures.items()}
        other.counter = self.counter
        return other

    def below(self, path: str) -> list[str]:
        return [other for other in self.nodes if other.startswith(path.rstrip("/") + "/")]

    def apply(self, change: tuple[Any, ...]) -> None:
        op, path, *rest = change
        node = self.nodes.get(path)
        if op == "write":
            data, no_size, keep = rest
            if keep and node and node["kind"] == "file":
                version = node["version"]
            else:
                self.counter += 1
                version = self.counter
            self.drop_below(path)
            self.nodes[path] = {"kind": "file", "data": data, "version": version, "no_size": no_size, "mode": 0o644}
        elif op == "touch" and node and node["kind"] == "file":
            self.counter += 1
            self.nodes[path] = {**node, "version": self.counter}
        elif op == "delete":
            self.drop_below(path)
            self.nodes.pop(path, None)
        elif op == "symlink":
            self.drop_below(path)
            self.nodes[path] = {"kind": "link", "target": rest[0]}
        elif op == "mkdir":
            self.nodes[path] = {"kind": "directory"}
        elif op == "fail":
            hows = self.failures.setdefault(path, set())
            if rest[0] != "read":
                hows -= {"stat", "notFound"}
            hows.add(rest[0])
        elif op == "heal":
            self.failures.pop(path, None)
        elif op == "chmod" and node and node["kind"] == "file":
            self.nodes[path] = {**node, "mode": rest[0]}

    def drop_below(self, path: str) -> None:
        for other in self.below(path):
            del self.nodes[other]

    def kind(self, path: str) -> str | None:
        if path == "/":
            return "directory"
        if path in self.nodes:
            return str(self.nodes[path]["kind"])
        return "directory" if self.below(path) else None

    def resolve(self, path: str, budget: list[int] | None = None) -> str | None:
        """Real path or None; links recursively, component by component."""
        budget = budget if budget is not None else [40]
        here = "/"
        for part in path.split("/"):
            if part in ("", "."):
                continue
            if self.kind(here) != "directory":
                return None
            if part == "..":
                here = here.rpartition("/")[0] or "/"
                continue
            child = here.rstrip("/") + "/" + part
            kind = self.kind(child)
            if kind is None:
                return None
            if kind == "link":
                budget[0] -= 1
                if budget[0] < 0:
                    raise FsError(path, "loop")
                target = self.nodes[child]["target"]
                if target == "":
                    return None
                # A relative target is walked from the link's real directory, which holds no links any more.
                found = self.resolve(target if target.startswith("/") else here + "/" + target, budget)
                if found is None:
                    return None
                here = found
            else:
                here = child
        return here

    def stat(self, path: str) -> Any:
        path = normalise(path)
        hows = self.failures.get(path, set())
        if "stat" in hows:
            return "error"
        if "notFound" in hows:
            return "not found"
        try:
            real = self.resolve(path)
        except FsError:
            return "error"
        if real is None:
            return None
        above = self.resolve(path.rpartition("/")[0] or "/")
        last = (above or "/").rstrip("/") + "/" + path.rpartition("/")[2]
        link = real if self.kind(last) == "link" else None
        if self.kind(real) == "directory":
            return ("directory", None, None, link)
        node = self.nodes[real]
        return ("file", node["version"], None if node["no_size"] else len(node["data"]), link)

    def read(self, path: str, limit: int) -> Any:
        path = normalise(path)
        try:
            real = self.resolve(path)
        except FsError:
            return "error"
        if "read" in self.failures.get(path, set()) or real is None or self.kind(real) != "file":
            return "error"
        node = self.nodes[real]
        if not node["mode"] & 0o444:
            return "error"
        data: bytes = node["data"]
        if limit > 0 and data[:3] == b"\xef\xbb\xbf":
            return data[:3] + data[3:][:limit]
        return data[:limit]


def stat_of(view: HistoryView, path: str) -> Any:
    try:
        found = view.stat(path)
    except FsNotFound:
        return "not found"
    except FsError:
        return "error"
    return found and (found.kind, found.version, found.size, found.link_target)


def read_of(view: HistoryView, path: str, limit: int) -> Any:
    try:
        return view.read(path, limit)
    except FsError:
        return "error"


@settings(max_examples=int(os.environ.get("SCOPETRACE_LAWS") or 400))
@given(
    script=st.lists(st.tuples(st.integers(0, 1), changes), max_size=25),
    early=st.lists(paths, max_size=4),
    asked=st.lists(paths, min_size=1, max_size=10),
)
def test_every_moment_equals_the_naive_copy(
    script: list[tuple[int, tuple[Any, ...]]], early: list[str], asked: list[str]
) -> None:
    history, naive, time = History(), Naive(), 0
    moments = {0: naive}
    for index, (step, change) in enumerate(script):
        time += step
        naive = naive.copy()
        naive.apply(change)
        moments[time] = naive
        op, path, *rest = change
        if op == "write":
            history.write(time, path, rest[0], no_size=rest[1], keep_version=rest[2])
        else:
            getattr(history, op)(time, path, *rest)
        if index < len(early):
            stat_of(history.at(time), early[index])  # a probed absent path must not spoil later answers
    for moment, model in moments.items():
        view = history.at(moment)
        for path in [*asked, *(change[1] for _, change in script)]:
            assert stat_of(view, path) == model.stat(path), (moment, path)
            for limit in (0, 2):
                assert read_of(view, path, limit) == model.read(path, limit), (moment, path, limit)
            names = {entry.name: entry.kind for entry in view.listdir(path)}
            try:
                real = model.resolve(path)
            except FsError:
                real = None
            expect = {}
            if real is not None and model.kind(real) == "directory":
                inside = {other[len(real.rstrip("/")) + 1 :].partition("/")[0] for other in model.below(real)}
                expect = {name: model.kind(real.rstrip("/") + "/" + name) for name in inside}
            assert names == expect, (moment, path)
