"""The closed vocabulary of answers: verdicts, causes that are no outcome of the loader, kinds of evidence and moments.

What the loader itself decided keeps its :class:`~scopetrace.model.Outcome`. Every code here has a page
(``scopetrace explain CODE``); codes that an outcome has, too, mean the same.
"""

from __future__ import annotations

from enum import StrEnum


class Standing(StrEnum):
    """The verdict of an answer: how things stand for the path at that step."""

    LOADED = "loaded"
    LOADED_CUT = "loaded-cut"
    WAITING = "waiting"
    SHADOWED = "shadowed"
    WITHDRAWN = "withdrawn"
    NOT_LOADED = "not-loaded"
    APPLIES = "applies"
    NOTHING_APPLIES = "nothing-applies"


class Subject(StrEnum):
    """What the question is about."""

    CANDIDATE = "candidate"
    OTHER_NAME = "other-name"
    DIRECTORY = "directory"
    FILE = "file"
    MISSING = "missing"


class Code(StrEnum):
    """Causes that no decision of the loader states."""

    # the name
    OTHER_CASE = "other-case"
    SIMILAR_NAME = "similar-name"
    OTHER_AGENT = "other-agent"
    NOT_CONFIGURED = "not-configured"
    HOME_NAME = "home-name"
    MENTIONED_ONLY = "mentioned-only"
    NO_SUCH_PATH = "no-such-path"
    # the place
    OUTSIDE_ROOT = "outside-root"
    OUTSIDE_CWD = "outside-cwd"
    NOT_LOOKED_YET = "not-looked-yet"
    # links
    LINK_FOLLOWED = "link-followed"
    LINK_LEAVES_ROOT = "link-leaves-root"
    LINK_DANGLING = "link-dangling"
    LINK_TO_OTHER = "link-to-other"
    LINK_AS_TEXT = "link-as-text"
    # the text
    IMPORT_LINE = "import-line"
    TAG_ESCAPED = "tag-escaped"
    SAME_TEXT = "same-text"
    # the moment
    CHANGED_SINCE = "changed-since"
    APPEARED_SINCE = "appeared-since"
    GONE_SINCE = "gone-since"
    # where it came from
    FROM_CHAIN = "from-chain"
    FROM_HOME = "from-home"
    FROM_TOUCH = "from-touch"
    CAME_BACK = "came-back"
    # places and files
    FILES_APPLY = "files-apply"
    WOULD_LOAD = "would-load"
    NO_CANDIDATE = "no-candidate"
    RECORD_DIFFERS = "record-differs"


class When(StrEnum):
    """What happened to the path, or would happen next."""

    ANNOUNCED = "announced"
    REPLACED = "replaced"
    WITHDRAWN = "was-withdrawn"
    HIDDEN = "hidden"
    CHANGED = "file-changed"
    NEXT_STEP = "next-step"
    NEXT_TOUCH = "next-touch"
    NEVER = "never"


class Kind(StrEnum):
    """What a piece of evidence is."""

    EVENT = "event"
    FILE = "file"
    TOLD = "told"
    SIBLING = "sibling"
    CUT = "cut"
    BUDGET = "budget"
    ROOT = "root"
    LINK = "link"
    TOUCH = "touch"
    NEAR = "near"
    LINE = "line"
    SETTING = "setting"
