"""The part of the table of actions that belongs to the screens around the main one."""

from __future__ import annotations

from .actionspec import ActionSpec, KeyPair

OPENING, TRYING, WORKSPACE, LESSON, PROGRAM = "Open", "What if", "Workspace", "Lesson", "Program"

SCREEN_ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open", "move(1)", ("down",), "↓", "choose", "Choose the next entry", OPENING),
    ActionSpec("open", "move(-1)", ("up",), "↑", "choose", "Choose the entry before", OPENING),
    ActionSpec("open", "move_page(1)", ("pagedown",), "PgDn", "page", "A page down", OPENING),
    ActionSpec("open", "move_page(-1)", ("pageup",), "PgUp", "page", "A page up", OPENING),
    ActionSpec("open", "open_entry", ("enter",), "enter", "open", "Open the chosen entry, or the path", OPENING, 10),
    ActionSpec("open", "complete", ("tab",), "tab", "complete", "Put the chosen path into the field", OPENING, 20),
    ActionSpec("open", "again", ("ctrl+r",), "^r", "again", "Look for sessions once more", OPENING, 30),
    ActionSpec("open", "theme_next", ("ctrl+t",), "^t", "theme", "Change to the next theme", OPENING, 40),
    ActionSpec("open", "help", ("f1",), "F1", "help", "The keys of this screen", OPENING, 80),
    ActionSpec("open", "leave", ("escape",), "esc", "clear, back", "Empty the field; then back, or out", OPENING, 90),
    ActionSpec("main", "app.what_if", ("x",), "x", "what if", "What if something were different?", TRYING, 53),
    ActionSpec("main", "app.open_another", ("o",), "o", "open", "Open another session", PROGRAM),
    ActionSpec("whatif", "field(1)", ("down",), "↓", "field", "The next field", TRYING),
    ActionSpec("whatif", "field(-1)", ("up",), "↑", "field", "The field before", TRYING),
    ActionSpec("whatif", "edit", ("f2",), "F2", "edit file", "Edit a file in a scratch copy", TRYING, 20),
    ActionSpec("edits", "screen.edit", ("enter",), "enter", "edit file", "Edit a file in a scratch copy", TRYING),
    ActionSpec("whatif", "scroll_result(1)", ("pagedown",), "PgDn", "result", "Scroll the result down", TRYING, 30),
    ActionSpec("whatif", "scroll_result(-1)", ("pageup",), "PgUp", "result", "Scroll the result up", TRYING),
    ActionSpec("whatif", "reset", ("ctrl+r",), "^r", "reset", "Everything as it is", TRYING, 40),
    ActionSpec("whatif", "help", ("f1",), "F1", "help", "What this screen does", TRYING, 80),
    ActionSpec("whatif", "close", ("escape",), "esc", "back", "Back to the event", TRYING, 90),
    ActionSpec(
        "files", "choose", ("enter",), "enter", "touch", "Read a file, open or close a directory", WORKSPACE, 20
    ),
    ActionSpec("plain", "touch", ("t",), "t", "touch …", "Touch any path with read, write or edit", WORKSPACE, 21),
    ActionSpec("plain", "untouch", ("u",), "u", "undo", "Take the last touch back", WORKSPACE, 22),
    ActionSpec("plain", "reload", ("R",), "R", "reload", "Look at the disk again", WORKSPACE, 23),
    ActionSpec("plain", "files", ("a",), "a", "all files", "All files, or scopes and candidates only", WORKSPACE),
    ActionSpec("lesson", "page_next", ("right", "l"), "→ l", "page", "Turn the page", LESSON),
    ActionSpec("lesson", "page_previous", ("left", "h"), "← h", "page", "Turn back", LESSON),
    ActionSpec("lesson", "answer", ("space",), "space", "answer", "Show the answer, or hide it", LESSON, 10),
    ActionSpec("lesson", "pane_next", ("tab",), "tab", "pane", "Focus the next pane", LESSON, 20, palette=False),
    ActionSpec("lesson", "app.what_if", ("x",), "x", "what if", "Suppose something here", LESSON, 30, palette=False),
    ActionSpec("lesson", "help", ("question_mark", "f1"), "?", "help", "What a lesson is", LESSON, 80, palette=False),
    ActionSpec("lesson", "back", ("escape",), "esc", "back", "Back", LESSON, 90, palette=False),
    ActionSpec("lesson", "quit", ("q",), "q", "quit", "Leave the inspector", LESSON, 100, palette=False),
)

SCREEN_PAIRS: tuple[KeyPair, ...] = (
    KeyPair("open", "move(-1)", "move(1)", "↑↓", "choose", 5),
    KeyPair("whatif", "field(-1)", "field(1)", "↑↓", "field", 5),
    KeyPair("lesson", "page_previous", "page_next", "←→", "page", 5),
)
"""Keys that the footer shows as pairs."""
