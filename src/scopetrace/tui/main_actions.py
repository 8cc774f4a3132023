"""The part of the table of actions for looking, asking and taking along on the main screen."""

from __future__ import annotations

from .actionspec import ActionSpec

LOOKING, ASKING, PLAYING, SHAPING, MESSAGE, ANSWER = "Looking", "Why", "Stepping", "Panes", "Message", "Answer"

MAIN_ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("main", "slower", ("comma",), ",", "slower", "Play half as fast", PLAYING),
    ActionSpec("main", "faster", ("full_stop",), ".", "faster", "Play twice as fast", PLAYING),
    ActionSpec("main", "find", ("slash",), "/", "find", "Find in texts, paths and raw events", LOOKING, 31),
    ActionSpec("main", "find_next", ("n",), "n", "next", "Go to the next match", LOOKING),
    ActionSpec("main", "find_previous", ("N",), "N", "previous", "Go to the match before", LOOKING),
    ActionSpec("main", "filter", ("f",), "f", "filter", "Show only some events", LOOKING, 32),
    ActionSpec("main", "breakpoints", ("b",), "b", "break", "Set, list and remove breakpoints", LOOKING, 33),
    ActionSpec("main", "continue", ("c",), "c", "continue", "Continue to the next breakpoint", LOOKING),
    ActionSpec("main", "follow_log", ("F",), "F", "follow", "Follow the log while it is written", LOOKING),
    ActionSpec("main", "back", ("escape",), "esc", "back", "Stop, forget search, show all again", LOOKING),
    ActionSpec("main", "why", ("w",), "w", "why", "Ask why about what is selected", ASKING, 15),
    ActionSpec("main", "why_path", ("p",), "p", "why path", "Ask why about a path that you type", ASKING),
    ActionSpec("main", "diff", ("d",), "d", "diff", "Compare with record or last version", MESSAGE, 51),
    ActionSpec(
        "main", "diff_context(-1)", ("left_curly_bracket",), "{", "less", "Less context around differences", MESSAGE
    ),
    ActionSpec(
        "main", "diff_context(1)", ("right_curly_bracket",), "}", "more", "More context around differences", MESSAGE
    ),
    ActionSpec("main", "export", ("e",), "e", "export", "Write a text or timeline to a file", MESSAGE, 61),
    ActionSpec("main", "jump", ("ctrl+o",), "^o", "jump", "Jump to a pane by its letter", SHAPING),
    ActionSpec(
        "main", "resize_pane(-1, 0)", ("left_parenthesis", "ctrl+left"), "( ^←", "narrower", "Narrower pane", SHAPING
    ),
    ActionSpec(
        "main", "resize_pane(1, 0)", ("right_parenthesis", "ctrl+right"), ") ^→", "wider", "Wider pane", SHAPING
    ),
    ActionSpec("main", "resize_pane(0, -1)", ("minus", "ctrl+up"), "- ^↑", "shorter", "Shorter pane", SHAPING),
    ActionSpec("main", "resize_pane(0, 1)", ("equals_sign", "ctrl+down"), "= ^↓", "taller", "Taller pane", SHAPING),
    ActionSpec("main", "sizes_usual", ("0",), "0", "sizes", "Panes at their usual sizes", SHAPING),
    ActionSpec("why", "follow", ("enter",), "enter", "go there", "Go to the event, or read the file", ANSWER, 10),
    ActionSpec("why", "ask", ("p", "slash"), "p", "another path", "Ask about a path that you type", ANSWER, 20),
    ActionSpec("why", "copy", ("y",), "y", "copy", "Copy the answer as text", ANSWER, 30),
    ActionSpec("why", "export", ("e",), "e", "export", "Write the answer to a file", ANSWER, 40),
    ActionSpec("why", "close", ("escape", "w", "q"), "esc", "back", "Back to the event", ANSWER, 50),
)
